"""Guess first: nothing of the answer before a guess is locked, all of it after, kept for the whole visit, and judged by what came."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from typing import Any

import pytest

from cardlab import BadRequest
from cardlab.chance import ask
from cardlab.chance.answers import Estimate, Exact
from cardlab.chance.settled import settled
from cardlab.core.events import TEACHER, Seat
from cardlab.desk import Desk, guessing, lines
from cardlab.desk.asked import pressed
from cardlab.desk.guessing import Guessing
from cardlab.notebook.stepper import Stepper
from cardlab.view import guess as drawn
from cardlab.words import LANGUAGES, Words


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "PLAYED", 60)


def king(**options: Any) -> Desk:
    return Desk("suicide_king", players=3, seed=7, **options).step().step().step()


def on() -> Guessing:
    return Guessing(lambda: None, on=True)


def text(told: list[str]) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", " ".join(told)))


def say(guess: Guessing, desk: Desk, *told: str) -> None:
    for each in told:
        guess.hear(desk, each)


def test_what_a_field_says_is_a_guess() -> None:
    assert pressed("guess chance 40") == ("guess", "chance 40")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["suicide_king", "fight_for_the_lead", "poker_marshal"])
def test_nothing_of_the_answer_is_told_before_and_all_of_it_after(name: str, language: str) -> None:
    desk, guess, seen = Desk(name, seed=5, language=language, pace="phase"), on(), set()
    for _ in range(9):
        for viewer in (None, Seat(0), TEACHER):
            desk.set_viewer(viewer)
            for asked, _ in guess._open(desk):
                if asked.name in seen or not guess.covers(desk):
                    continue
                seen.add(asked.name)
                say(guess, desk, f"question {asked.name}", "outcome 0", "chance 3")
                before = guess.lines(desk)
                assert guess._now is None
                assert not re.search(r"guess-axis|class=\"tag|class=\"three", "".join(before))
                assert re.findall(r"[\d.,]+\N{NO-BREAK SPACE}%", text(before)) == ["3\N{NO-BREAK SPACE}%"]
                say(guess, desk, "commit")
                assert not guess.covers(desk)
                made, after = guess.kept[desk.session.cursor, viewer], guess.lines(desk)
                assert made.fault is None
                exact = ask(desk.session.view(viewer), asked.name, n=40)[made.outcome]
                assert made.exact == (exact if isinstance(exact, Exact) else None)
                assert made.played.n == 60
                assert "guess-axis" in "".join(after)
                assert 'class="tag sim"' in "".join(after)
                assert ('class="three"' in "".join(after) and 'style="color:var(--pri)"' in "".join(after)) == isinstance(exact, Exact)
        desk.step()
    assert len(seen) >= 2


def test_the_form_is_the_same_whatever_the_answer_is() -> None:
    """Two moments whose questions and outcomes are alike and whose chances differ: the pane is equal until the guess is locked."""
    forms, chances = set(), set()
    for seed in (5, 9, 21):
        desk = Desk("suicide_king", players=4, seed=seed).step().step().step()
        desk.session.goto(2)
        for _ in range(2):
            desk.step()
        guess = on()
        say(guess, desk, "question last_player", "chance 40")
        forms.add("".join(guess.lines(desk)))
        chances.add(float(ask(desk.session.view(None), "last_player")[Seat(0)]))
    assert len(forms) == 1
    assert len(chances) > 1


def test_a_locked_guess_stays_as_it_is() -> None:
    desk, guess = king(), on()
    say(guess, desk, "chance 40", "outcome 1", "commit", "chance 90", "outcome 0", "commit", "commit")
    (made,) = guess.kept.values()
    assert (made.chance, made.outcome) == (40, Seat(1))
    shown = guess.lines(desk)
    desk.step()
    assert guess.covers(desk)
    say(guess, desk, "chance 10")
    desk.set_viewer(0)  # another viewpoint guesses anew
    assert guess.covers(desk)
    desk.set_viewer(TEACHER).undo()
    assert not guess.covers(desk)
    assert guess.lines(desk)[:7] == shown[:7]
    desk.new(name="poker_marshal", seed=1)
    assert guess.covers(desk)
    assert len(guess.kept) == 1
    assert "1 guess so far" in text(guess.lines(desk))


def test_all_fields_may_be_told_at_once() -> None:
    """As a screen does, where of two messages that come together the last alone is heard."""
    desk, guess = king(), on()
    assert guess.hear(desk, "question last_player\nguess outcome 2\nguess chance 7\nguess commit") is None
    (made,) = guess.kept.values()
    assert (made.chance, made.outcome) == (7, Seat(2))


def test_each_moment_begins_at_the_middle_with_the_same_question() -> None:
    desk, guess = king(), on()
    say(guess, desk, "question turn_length", "chance 77")
    desk.step()
    told = "".join(guess.lines(desk))
    assert 'value="turn_length" selected' in told
    assert 'type="range" min="0" max="100" step="1" value="50"' in told


def test_the_language_changes_and_the_draft_stays() -> None:
    desk, guess = king(), on()
    say(guess, desk, "chance 23", "outcome 2")
    told = "".join(guess.lines(desk.set_language("ru")))
    assert 'value="23"' in told
    assert 'value="2" checked' in told
    assert Words("ru").text("guess.commit") in told


def test_it_covers_the_odds_only_where_there_is_something_to_guess() -> None:
    desk, guess = king(), Guessing(lambda: None)
    assert not guess.covers(desk)
    assert len(guess.lines(desk)) == 1  # the switch
    guess.toggle()
    assert guess.covers(desk)
    desk.finish()
    assert not guess.covers(desk)
    assert desk.words.text("guess.nothing") in text(guess.lines(desk))
    say(guess, desk, "commit", "chance 40")
    assert not guess.kept


def test_what_is_certain_is_not_to_be_guessed() -> None:
    for name in ("suicide_king", "fight_for_the_lead"):
        desk = Desk(name, players=3, seed=5)
        desk.step("deal")
        last, offered = desk.at, 0
        for at in range(1, last, 5):
            desk.goto(at)
            for viewer in (Seat(0), TEACHER):
                desk.set_viewer(viewer)
                view = desk.session.view(viewer)
                for asked, outcomes in on()._open(desk):
                    answer = ask(view, asked.name, n=20) if asked.name != "no_trick" else None
                    offered += 1
                    assert answer is None or all(not guessing._certain(answer[outcome]) for outcome in outcomes)
        assert offered > 20
    desk = Desk("fight_for_the_lead", players=2, seed=5)
    desk.step("deal")
    desk.undo()  # before the last card of the last trick, all cards open
    assert not on()._open(desk.set_viewer(TEACHER))


@pytest.mark.parametrize(
    "told", ["chance 101", "chance x", "chance", "outcome 9", "question next_bank", "nonsense", "save exe", "chance -1"]
)
def test_nonsense_is_refused_and_nothing_changes(told: str) -> None:
    desk, guess = king(), on()
    say(guess, desk, "chance 23")
    before = guess.lines(desk)
    with pytest.raises(BadRequest) as refusal:
        guess.hear(desk, told)
    assert all(refusal.value.say(Words(language)) for language in LANGUAGES)
    assert guess.lines(desk) == before


def test_guesses_are_settled_by_the_game_and_scored_as_brier_says() -> None:
    desk, guess = Desk("suicide_king", players=3, seed=7).step(), on()
    expected, computed = [], []
    for chance in (0, 30, 65, 100):
        say(guess, desk, "question turn_length", f"chance {chance}", "commit")
        desk.step().step()
    desk.finish()
    guess.lines(desk)
    for made in guess.kept.values():
        came = settled(desk.session, made.at, "turn_length").came(made.outcome)
        assert made.came is came
        expected.append((made.chance / 100 - came) ** 2)
        computed.append((float(made.exact.value) - came) ** 2)
    assert guess.scores(desk) == pytest.approx((sum(expected) / 4, sum(computed) / 4))
    desk.restart()  # what is settled stays so
    guess.lines(desk)
    assert all(made.came is not None for made in guess.kept.values())


def test_another_choice_leaves_a_guess_about_a_card_unknown() -> None:
    desk, guess = Desk("fight_for_the_lead", players=2, seed=5, seat=0), on()
    while desk.session.actor != Seat(0):
        desk.step()
    say(guess, desk, "question wins_lead", "outcome 0", "commit")
    (made,) = guess.kept.values()
    other = next(card for card in desk.session.view(0).hand(0) if card != made.outcome)
    desk.act(f"fight {other}")
    desk.step("deal")
    guess.lines(desk)
    assert made.void
    assert desk.words.text("guess.came.void") in text(guess.lines(desk.goto(made.at)))
    assert not made.counts
    assert guess.scores(desk) == (None, None)


def test_another_viewpoint_sees_no_guess_that_names_cards() -> None:
    desk, guess = Desk("fight_for_the_lead", players=3, seed=5, seat=0), on()
    while desk.session.actor != Seat(0):
        desk.step()
    say(guess, desk, "question wins_lead", "commit")
    card = desk.words.show(next(iter(guess.kept.values())).outcome)
    guess.unfolded = True
    assert card in text(guess.lines(desk))
    assert card in str(guess.table(desk))
    for viewer in (1, None):
        desk.set_viewer(viewer)
        assert card not in text(guess.lines(desk))
        assert guess.table(desk)[1] == []
    assert "1 more guess" in text(guess.lines(desk))


def test_reliability_in_fifths() -> None:
    points = drawn.reliability([(0.0, False), (0.19, True), (0.2, True), (1.0, True), (1.0, False), (0.85, True)])
    assert [(point.n, point.share) for point in points] == [(2, 0.5), (1, 1.0), (3, 2 / 3)]
    whole = Estimate.of_hits(2, 3)
    assert (points[-1].low, points[-1].high) == (whole.low, whole.high)
    assert drawn.plot(points, Words()).count("<circle") == 3


def test_the_axis_has_the_numbers_in_their_places() -> None:
    shown = drawn.Revealed(50, Exact(1), Estimate.of_hits(664, 1000), "1000 deals")
    picture = drawn.axis(shown, Words())
    assert re.search(rf'd="M{drawn._x(50):.1f} \d+l8 13h-16Z"', picture)  # the guess
    assert re.search(rf'd="M{drawn._x(100):.1f} 6V{drawn.BASE}"', picture)  # exact
    assert f"M{drawn._x(66.4):.1f}" in picture
    assert "50 points off" in picture
    assert shown.off == 50
    assert drawn.Revealed(67, Exact(0.671), Estimate(), "").off == 0
    xs = [float(x) for x in re.findall(r'<text x="([\d.]+)"', picture)]
    assert all(0 < x < drawn.WIDE for x in xs)


def test_play_goes_on_beside_the_loop_and_only_while_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "PLAYED", 3_000)
    monkeypatch.setattr(guessing, "AT_ONCE", 0.02)

    async def visit() -> None:
        told: list[int] = []
        desk, guess = king(), Guessing(lambda: told.append(1), on=True)
        say(guess, desk, "commit")
        (made,) = guess.kept.values()
        assert made.exact is not None  # quick, at once
        while len(told) < 2:
            await asyncio.sleep(0.01)
        guess.lines(desk.step())  # elsewhere
        await asyncio.sleep(0.1)
        stopped = made.played.n
        await asyncio.sleep(0.1)
        assert 0 < made.played.n == stopped < 3_000
        guess.lines(desk.undo())
        while made.played.n == stopped:
            await asyncio.sleep(0.01)
        guess.on = False
        guess.lines(desk)
        while guess._busy:
            await asyncio.sleep(0.01)

    asyncio.run(visit())


def test_a_fault_of_a_count_is_told_where_the_guess_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **options: Any) -> Any:
        raise ZeroDivisionError("the queen of spades")

    desk, guess = king(seat=None), on()
    guess.lines(desk)
    monkeypatch.setattr(guessing, "ask", broken)
    say(guess, desk, "commit")
    told = text(guess.lines(desk))
    assert "ZeroDivisionError" in told
    assert "queen" not in told


def test_the_files() -> None:
    desk, guess = king(), on()
    say(guess, desk, "chance 30", "commit")
    desk.finish()
    table = guess.hear(desk, "save csv")
    assert table is not None
    rows = table.data.decode("utf-8-sig").splitlines()
    assert len(rows) == 2
    assert ",0.3," in rows[1]
    picture = guess.hear(desk, "save svg")
    assert picture is not None
    assert b"<circle" in picture.data
    painted = guess.hear(desk, "save png")
    assert painted is not None
    assert painted.paint
    assert lines.fault(None, desk) == []


def test_the_stepper_has_the_same_pane() -> None:
    stepper = Stepper("suicide_king", players=3, seed=7)
    odds = stepper.widgets.odds
    assert 'class="odds"' in "".join(odds.lines)
    odds.said = {"say": "guess on", "mark": odds.mark}
    assert 'class="odds"' not in "".join(odds.lines)
    odds.said = {"say": "guess chance 12\nguess commit", "mark": odds.mark}
    assert "guess-axis" in "".join(odds.lines)
    assert 'class="odds"' in "".join(odds.lines)
    odds.said = {"say": "guess save csv", "mark": odds.mark}
    assert odds.file["name"] == "cardlab-guesses.csv"
    odds.said = {"say": "guess chance 101", "mark": "another"}  # of another moment: not heard
    assert not stepper.error
