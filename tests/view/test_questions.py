"""The questions of a moment on a screen: which are there, what they are answered, and that the table does not wait for it."""

from __future__ import annotations

import asyncio
import re
import threading
from fractions import Fraction
from typing import Any

import pytest

from cardlab import GAMES
from cardlab.chance import ask, fitting
from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.marshal_outcomes import TitleOf
from cardlab.core.events import TEACHER, Seat
from cardlab.desk import Desk, counting, questions
from cardlab.desk.questions import FATE, Asking
from cardlab.view import html
from cardlab.words import LANGUAGES, Phrase, Words

SOME = 40  # samples


def unfolded(drawn: list[str]) -> list[str]:
    """The names of the questions whose answer is shown."""
    return re.findall(r'data-say="question (\w+)" aria-expanded="true"', "".join(drawn))


def fight() -> Desk:
    """A deal of which everything is still to come."""
    return Desk("fight_for_the_lead", players=3, seed=7, seat=None).step().step()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_whatever_fits_is_answered_in_words(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FIRST", SOME)
    desk = Desk(name, seed=3, language=language, pace="phase")
    seen = set[str]()
    for _ in range(12):
        for viewer in (Seat(0), None, TEACHER):
            desk.set_viewer(viewer)
            asking = Asking(lambda: None)
            for question in fitting(desk.session.view(viewer)):
                if question.name in seen:  # once is enough, and some take seconds
                    continue
                drawn = asking.lines(desk)
                if unfolded(drawn) != [question.name]:
                    asking.press(question.name)
                    drawn = asking.lines(desk)
                assert unfolded(drawn) == [question.name]
                assert drawn[0] == html.question(question, True, desk.words)  # above all else
                assert question.say(desk.words) in "".join(drawn)
                assert sum('class="odds"' in line for line in drawn) >= 1
                assert ('class="tag sim"' in "".join(drawn)) != asking.answer.exact
                seen.add(question.name)
        desk.step()
    assert len(seen) >= 5


def test_a_press_unfolds_and_folds() -> None:
    desk = Desk("suicide_king", players=3, seed=7)
    asking = Asking(lambda: None)
    assert unfolded(asking.lines(desk)) == ["last_player"]  # exact at once, so that nobody need ask
    asking.press("last_player")
    assert unfolded(asking.lines(desk)) == []
    assert unfolded(asking.lines(desk.step())) == []  # and it stays so
    for _ in range(4):
        desk.step()
    asking.press("turn_length")
    assert unfolded(asking.lines(desk)) == ["turn_length"]
    assert unfolded(asking.lines(desk.step())) == ["turn_length"]


def test_the_answer_is_that_of_the_moment_and_of_the_viewpoint() -> None:
    desk = Desk("fight_for_the_lead", players=3, seed=7, seat=0)
    asking = Asking(lambda: None)
    while not fitting(desk.session.view(Seat(0))) or desk.game.phase(desk.session.state) != "fight":
        desk.step()
    for viewer in (Seat(0), Seat(1), Seat(0)):
        asking.lines(desk.set_viewer(viewer))
        assert asking.unfolded is not None
        assert asking.unfolded.name == FATE["fight_for_the_lead"]
        assert asking.answer == ask(desk.session.view(viewer), asking.unfolded.name, n=counting.FIRST)
    desk.finish()
    assert unfolded(asking.lines(desk)) == []


def test_the_bars() -> None:
    played = Desk("suicide_king", seed=1).game
    numbers = {"a": Exact(Fraction(1, 4)), "b": Estimate.of_hits(30, 100), "c": Exact(Fraction(0))}
    drawn = html.answer_rows(played, Answer("any", numbers, Phrase("chance.none")), Words())
    assert [re.findall(r"<i[^>]*width:([\d.]+)%", line) for line in drawn[1:]] == [["25.0"], ["30.0"], []]
    found = numbers["b"]
    assert f"left:{100 * found.low:.1f}%;width:{100 * (found.high - found.low):.1f}%" in drawn[2]
    worth = {"a": Exact(Fraction(-2)), "b": Exact(Fraction(8)), "c": Exact(Fraction(0))}
    drawn = html.answer_rows(played, Answer("any", worth, Phrase("chance.none"), adds_up=False, chances=False), Words())
    assert [re.findall(r"<i(?: class=\"(loss)\")? style=\"width:([\d.]+)%", line) for line in drawn[1:]] == [
        [("loss", "25.0")],
        [("", "100.0")],
        [("", "0.0")],
    ]
    many: dict[Any, Exact] = {n: Exact(Fraction(n, 1275)) for n in range(1, 51)}
    drawn = html.answer_rows(played, Answer("any", many, Phrase("chance.none")), Words())
    assert len(drawn) == html.MOST + 2
    assert '<span class="name">50</span>' in drawn[1]  # the likeliest first
    assert "25" in drawn[-1]


def test_in_the_matrix_of_titles_what_is_impossible_or_certain_is_a_number() -> None:
    """A word has no room in a cell; it stands in what the cell says when it is pointed at."""
    words = Words("ru")
    titles = {TitleOf(Seat(seat), title): Exact(Fraction(int(seat == title))) for seat in range(2) for title in range(2)}
    drawn = html.answer_rows(Desk("poker_marshal", seed=1).game, Answer("next_title", titles, Phrase("chance.none")), words)
    (grid,) = (line for line in drawn if 'class="matrix"' in line)
    assert re.findall(r'class="cell[^>]*>([^<]*)<', grid) == ["100", "0", "0", "100"]
    assert grid.count(words.text("chance.impossible")) == 2


def test_a_long_count_keeps_nothing_waiting_and_ends_with_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps while it counts: one count at a time, cancelled, and at the end the answer of the last moment is shown."""
    desk, shown, running, most, cancelled = fight(), [], 0, 0, []
    free = threading.Event()

    def slow(view: Any, name: str, **options: Any) -> Answer[Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        assert free.wait(20)
        cancelled.append(options["cancelled"]())
        running -= 1
        return ask(view, name, n=options["n"] // 80)

    async def steps() -> None:
        asking = Asking(lambda: shown.append(asking.answer))
        monkeypatch.setattr(counting, "ask", slow)
        asking.press("tricks")
        for _ in range(4):
            drawn = asking.lines(desk.step())
            assert "Counting" in "".join(drawn)
            while not running:  # the first count has begun, and is cancelled by the next step
                await asyncio.sleep(0.01)
        free.set()
        while not shown:
            await asyncio.sleep(0.01)
        assert shown[0] == ask(desk.session.view(None), "tricks", n=5)
        assert "Counting" not in "".join(asking.lines(desk))

    asyncio.run(steps())
    assert most == 1
    assert cancelled[:2] == [True, False]


def test_an_answer_gets_sharper_while_one_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of more and more samples, of the same question about the same moment, to the largest."""
    monkeypatch.setattr(counting, "FIRST", 20)
    monkeypatch.setattr(counting, "MOST", 320)
    monkeypatch.setattr(questions, "SOON", 80)
    monkeypatch.setattr(questions, "MOST", 320)

    async def looked() -> list[int]:
        desk, sizes, done = fight(), [], asyncio.Event()

        def shown() -> None:
            sizes.append(max(found.n for found in asking.answer.numbers.values()))
            asking.lines(desk)
            if sizes[-1] == 320:
                done.set()

        asking = Asking(shown)
        asking.press("no_trick")
        asking.lines(desk)
        await asyncio.wait_for(done.wait(), 30)
        return sizes

    assert sorted(set(asyncio.run(looked()))) == [20, 80, 320]


def test_nothing_is_counted_while_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FIRST", 20)

    async def rested() -> list[int]:
        desk, shown = fight(), []
        asking = Asking(lambda: shown.append(1))
        asking.press("tricks")
        asking.lines(desk)
        asking.rest(desk)
        await asyncio.sleep(1.5)
        assert asking.answer is None
        return shown

    assert asyncio.run(rested()) == []


def test_what_was_stands_beside_what_is() -> None:
    desk = Desk("suicide_king", players=3, seed=7, pace="move")
    was = now = ask(desk.session, "last_player")
    while was == now:
        desk.step()
        was, now = ask(desk.session.branch().goto(desk.since), "last_player"), ask(desk.session, "last_player")
    drawn = "".join(Asking(lambda: None).lines(desk))
    rows = re.findall(r'class="was">([\d.]+)\xa0% →</span><b[^>]*>([\d.]+)', drawn)
    expected = [(f"{100 * float(was[seat]):.1f}", f"{100 * float(now[seat]):.1f}") for seat in now]
    assert rows == [(before, after) for before, after in expected if before != after]
    assert rows
    assert f"after step\N{NO-BREAK SPACE}{desk.at}" in drawn


def test_the_fate_of_the_players_is_followed_over_the_game() -> None:
    desk = Desk("suicide_king", players=3, seed=7)
    desk.finish()

    async def followed() -> list[tuple[int, dict[Seat, Any]]]:
        whole = asyncio.Event()

        def shown() -> None:
            asking.lines(desk, more())
            if len(asking.fates(desk)) == len(asking.along(desk)):
                whole.set()

        def more() -> list[counting.Want]:
            return [want for _, want in asking.along(desk)]

        asking = Asking(shown)
        asking.lines(desk, more())
        await asyncio.wait_for(whole.wait(), 30)
        return asking.fates(desk)

    fates = asyncio.run(followed())
    assert len(fates) > 30
    for step, told in fates[::9]:
        asked = ask(desk.session.branch(whole=True).goto(step), "last_player", seat=None)
        assert told == dict(asked.numbers)


def test_a_count_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: Any, name: str, **options: Any) -> Answer[Any]:
        raise ZeroDivisionError("the queen of spades")

    async def asked() -> str:
        told = asyncio.Event()
        asking = Asking(told.set)
        monkeypatch.setattr(counting, "ask", broken)
        asking.press("tricks")
        desk = fight()
        asking.lines(desk)
        await told.wait()
        return "".join(asking.lines(desk))

    drawn = asyncio.run(asked())
    assert "ZeroDivisionError" in drawn
    assert "queen" not in drawn  # a spectator need not know her
