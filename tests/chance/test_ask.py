"""Asking: what can be asked of which moment, options, refusals in both languages, and the two commands."""

from __future__ import annotations

import doctest
import io
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardlab import GAMES, TEACHER, BadRequest, Session, game
from cardlab.chance import QUESTIONS, Answer, Estimate, Exact, ask, fitting, questions
from cardlab.chance.questions import Options, question
from cardlab.chance.samples import estimates
from cardlab.cli import main
from cardlab.core.game import AnyGame
from cardlab.words import LANGUAGES, Phrase, Words

KING_QUESTIONS = ["last_player", "leaves_this_deal", "turn_length", "next_card", "cards_to_end"]
ASSUMES = Phrase.of("assumes.any_pile")


def king(players: int = 3, **house: Any) -> Session:
    return Session(game("suicide_king", players, **{"first_dealer": players - 1, **house}), seed=5)


@pytest.fixture
def extra(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Options]]:
    """Two more questions for a while: one of a seat's own choice, and one for open cards, which keep what they are given."""
    monkeypatch.setitem(questions.QUESTIONS, "suicide_king", dict(QUESTIONS["suicide_king"]))
    asked: list[tuple[Any, Options]] = []

    def answering(game: AnyGame, view: Any, options: Options) -> Answer[int]:
        asked.append((view, options))
        return Answer("coin", estimates(lambda below: {below(2): 1}, options, outcomes=(0, 1)), ASSUMES)

    question("suicide_king", "of_seat", of_seat=True, fits=lambda game, view: view.table.turn == view.viewer)(answering)
    question("suicide_king", "open", teacher=True)(answering)
    return asked


# which questions


def test_the_questions_of_the_king() -> None:
    assert list(QUESTIONS["suicide_king"]) == KING_QUESTIONS
    assert set(QUESTIONS) == set(GAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_a_sentence_of_its_own(language: str) -> None:
    words = Words(language)
    said = [asked.say(words) for known in QUESTIONS.values() for asked in known.values()]
    assert all(sentence.endswith("?") for sentence in said)
    for known in QUESTIONS.values():
        assert len({asked.say(words) for asked in known.values()}) == len(known)


def test_the_questions_that_fit() -> None:
    session = king()
    assert [asked.name for asked in fitting(session.view())] == KING_QUESTIONS
    session.auto("still", until="game")
    assert [asked.name for asked in fitting(session.view())] == ["last_player"]
    for name in KING_QUESTIONS[1:]:
        with pytest.raises(BadRequest, match="does not fit this moment"):
            ask(session, name)


def test_a_question_of_a_seat_is_asked_for_a_seat(extra: list[tuple[Any, Options]]) -> None:
    session = king()
    session.play()
    assert session.actor == 0
    assert "of_seat" in [asked.name for asked in fitting(session.view(0))]
    for viewer in (1, None, TEACHER):
        assert "of_seat" not in [asked.name for asked in fitting(session.view(viewer))]
    ask(session, "of_seat", 0)
    for viewer, said in ((None, "name a seat"), (TEACHER, "name a seat"), (1, "does not fit this moment")):
        with pytest.raises(BadRequest, match=said):
            ask(session, "of_seat", viewer)


def test_who_looks(extra: list[tuple[Any, Options]]) -> None:
    session = king()
    session.play()
    for viewer, seen in ((None, TEACHER), (1, 1), (TEACHER, TEACHER)):
        ask(session, "open", viewer)
        assert extra[-1][0].viewer == seen
    ask(session.view(1), "open")
    assert extra[-1][0] == session.view(1)
    ask(session.view(1), "open", 1)
    with pytest.raises(BadRequest, match="view of somebody else"):
        ask(session.view(1), "open", 2)


def test_options_reach_the_answer(extra: list[tuple[Any, Options]]) -> None:
    session = king()
    answer = ask(session, "open", seed=9, n=40, accept=0.1, policy="sensible")
    assert extra[-1][1] == Options(seed=9, n=40, accept=Fraction(1, 10), policy="sensible")
    assert {(number.n, number.seed) for number in answer.numbers.values() if isinstance(number, Estimate)} == {(40, 9)}
    assert ask(session, "open", n=40, seed=9) == ask(session, "open", n=40, seed=9)
    assert ask(session, "open", n=40, seed=9) != ask(session, "open", n=40, seed=10)
    none = ask(session, "open", cancelled=lambda: True)
    assert [number.mean for number in none.numbers.values()] == [None, None]
    assert ask(session, "open", accept="2/3") is not None
    assert extra[-1][1].accept == Fraction(2, 3)


def test_the_page_on_chance_is_true() -> None:
    page = Path(__file__).parents[2] / "docs" / "chance.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried >= 5
    assert failed == 0


# refusals


@pytest.mark.parametrize(
    ("wrong", "english", "russian"),
    [
        (lambda s: ask(s, "luck"), "There is no question 'luck'; this game has last_player, ", "Вопроса 'luck' нет; в этой игре есть "),
        (lambda s: ask(s, 7), "There is no question 7; this game has ", "Вопроса 7 нет"),
        (lambda s: ask("a game", "last_player"), "'a game' cannot be asked", "а дано 'a game'"),
        (lambda s: ask(s.state, "last_player"), "cannot be asked", "а дано Table("),
        (lambda s: ask(s, "last_player", 3), "it must be a seat from 0 to 2", "от 0 до 2"),
        (lambda s: ask(s, "last_player", n=0), "n cannot be 0", "n не может быть 0"),
        (lambda s: ask(s, "last_player", n=2.5), "n cannot be 2.5", "n не может быть 2.5"),
        (lambda s: ask(s, "last_player", seed=-1), "seed cannot be -1", "seed не может быть -1"),
        (lambda s: ask(s, "last_player", half_width=0), "half_width cannot be 0", "half_width не может быть 0"),
        (lambda s: ask(s, "last_player", half_width=float("nan")), "half_width cannot be nan", "half_width не может быть nan"),
        (lambda s: ask(s, "last_player", seconds="soon"), "seconds cannot be 'soon'", "seconds не может быть 'soon'"),
        (lambda s: ask(s, "last_player", accept=1.5), "accept cannot be Fraction(3, 2)", "accept не может быть"),
        (lambda s: ask(s, "last_player", accept="often"), "accept cannot be 'often'", "accept не может быть 'often'"),
        (lambda s: ask(s, "last_player", policy="clever"), "There is no computer player 'clever'", "clever"),
        (lambda s: ask(s, "last_player", policy=None), "policy cannot be None", "policy не может быть None"),
        (
            lambda s: ask(s, "last_player", colour="red"),
            "There is no option 'colour'; there are seed, n, ",
            "Настройки 'colour' нет; есть seed",
        ),
    ],
)
def test_a_bad_question_gets_one_sentence(wrong: Callable[[Session], object], english: str, russian: str) -> None:
    with pytest.raises(BadRequest) as caught:
        wrong(king())
    for language, part in (("en", english), ("ru", russian)):
        said = caught.value.say(Words(language)).replace("\xa0", " ")
        assert part in said
        assert "\n" not in said
        assert said.endswith(".")


# the commands


class Command:
    """Runs a command; returns its exit status and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        self.capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        status = main(arguments)
        self.out, self.err = self.capsys.readouterr()
        return status

    def json(self, *arguments: str) -> dict[str, Any]:
        assert self(*arguments, "--json") == 0, self.err
        (line,) = self.out.splitlines()
        found: dict[str, Any] = json.loads(line)
        return found


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.delenv("CARDLAB_LANGUAGE", raising=False)
    return Command(monkeypatch, capsys)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(GAMES))
def test_questions_are_listed(command: Command, name: str, language: str) -> None:
    assert command("questions", name, "--language", language) == 0
    told = " ".join(command.out.split())
    for asked in QUESTIONS[name].values():
        assert f"{asked.name} {' '.join(asked.say(Words(language)).split())}" in told


@pytest.mark.parametrize("players", [2, 4])
def test_odds_of_the_king_as_json(command: Command, players: int) -> None:
    found = command.json("odds", "suicide_king", "--players", str(players))
    assert list(found) == ["game", "players", "question", "exact", "answers"]
    assert [found[key] for key in ("game", "players", "question", "exact")] == ["suicide_king", players, "last_player", True]
    assert [set(row) for row in found["answers"]] == [{"outcome", "p"}] * players
    assert [row["outcome"] for row in found["answers"]] == list(range(players))
    first = {2: 0.489795241402, 4: 0.249893762269}[players]
    assert found["answers"][0]["p"] == pytest.approx(first, abs=1e-9)  # seat 0 moves first, whatever the lot
    assert sum(row["p"] for row in found["answers"]) == pytest.approx(1, abs=1e-12)


def test_odds_with_house_rules(command: Command) -> None:
    found = command.json("odds", "suicide_king", "--players", "2", "--house", "extra_cards=batch")
    assert found["answers"][0]["p"] == pytest.approx(0.488038697252, abs=1e-12)
    named = command.json("odds", "suicide_king", "--players", "2", "--house", "first_dealer=0")
    assert named["answers"][1]["p"] == pytest.approx(0.489795241402, abs=1e-9)  # seat 0 deals, so seat 1 moves first
    pagat = command.json("odds", "suicide_king", "--players", "3", "--preset", "pagat")
    assert pagat["answers"][0]["p"] != command.json("odds", "suicide_king", "--players", "3")["answers"][0]["p"]


def test_other_questions_and_counts(command: Command) -> None:
    cards = command.json("odds", "suicide_king", "--question", "next_card")["answers"]
    assert len(cards) == 52
    assert cards[0] == {"outcome": "2C", "p": 1 / 52, "count": 1}
    leaving = command.json("odds", "suicide_king", "--players", "2", "--question", "leaves_this_deal")["answers"]
    assert [row["outcome"] for row in leaving] == ["0 king", "0 last_card", "1 king", "1 last_card"]


def test_best_hand_names_the_number_of_cards(command: Command) -> None:
    found = command.json("odds", "poker_marshal", "--question", "best_hand")
    assert all({"outcome", "p", "count", "cards"} <= set(row) for row in found["answers"])
    five = {row["outcome"]: row["count"] for row in found["answers"] if row["cards"] == 5}
    assert (five["pair"], five["five of a kind"], sum(five.values())) == (1_437_936, 78, 3_162_510)


def test_odds_of_a_record(command: Command, tmp_path: Path) -> None:
    session = king(4, extra_cards="batch")
    session.auto("random", until="game")
    session.goto(40)
    file = tmp_path / "game.jsonl"
    Session.replay(session.goto(len(session)).record).record.save(str(file))
    for at in (0, 40, 77):
        found = command.json("odds", "suicide_king", "--record", str(file), "--at", str(at), "--seat", "2")
        exact = ask(session.goto(at), "last_player")
        assert [row["p"] for row in found["answers"]] == [float(number) for number in exact.numbers.values() if isinstance(number, Exact)]
    end = command.json("odds", "suicide_king", "--record", str(file))
    assert sorted(row["p"] for row in end["answers"]) == [0, 0, 0, 1]


def test_odds_in_words(command: Command) -> None:
    assert command("odds", "suicide_king", "--players", "2", "--language", "ru") == 0
    head, first, second = command.out.replace("\xa0", " ").splitlines()
    assert head.startswith("Кто останется последним? Точно: ")
    assert first.split() == ["Анна", "0,489795", "49,0", "%"]
    assert second.split() == ["Борис", "0,510205", "51,0", "%"]


def test_small_chances_are_not_written_as_nothing(command: Command) -> None:
    assert command("odds", "suicide_king", "--question", "turn_length") == 0
    lines = command.out.replace("\xa0", " ").splitlines()[1:]
    assert len(lines) == 38  # 15 honours, the 22 low cards that may come between them, and one more
    assert lines[0].split() == ["1", "0.711538", "37/52", "=", "71.2", "%"]
    assert lines[30].split()[1:] == ["<", "0.01", "%"]
    assert "0.000000" not in command.out


def test_an_estimate_has_its_interval(command: Command, extra: list[tuple[Any, Options]]) -> None:
    found = command.json("odds", "suicide_king", "--question", "open", "--n", "50", "--seed", "3", "--accept", "1/3")
    assert found["exact"] is False
    assert all(set(row) == {"outcome", "p", "low", "high"} and row["low"] < row["p"] < row["high"] for row in found["answers"])
    assert extra[-1][1] == Options(seed=3, n=50, accept=Fraction(1, 3))
    command.json("odds", "suicide_king", "--question", "open", "--half-width", "0.2", "--seconds", "30")
    assert (extra[-1][1].half_width, extra[-1][1].seconds) == (0.2, 30)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "There is no game"),
        (["suicide_king", "--question", "luck"], "There is no question"),
        (["suicide_king", "--players", "9"], "SK-0"),
        (["suicide_king", "--house", "extra_cards=never"], "extra_cards: 'never' is not allowed"),
        (["suicide_king", "--house", "extra_cards"], "KEY=VALUE"),
        (["suicide_king", "--preset", "none"], "there is no preset"),
        (["suicide_king", "--seat", "9"], "it must be a seat from 0 to 3"),
        (["suicide_king", "--seat", "first"], "it must be a seat from 0 to 3"),
        (["suicide_king", "--at", "4"], "only of a record"),
        (["suicide_king", "--record", "/nowhere/game.jsonl"], "There is no file"),
        (["suicide_king", "--n", "many"], "n cannot be 'many'"),
        (["suicide_king", "--half-width", "thin"], "half_width cannot be 'thin'"),
        (["suicide_king", "--policy", "clever"], "There is no computer player"),
        (["suicide_king", "--seed", "x"], "seed cannot be 'x'"),
    ],
)
def test_bad_words_get_one_sentence(command: Command, arguments: list[str], said: str) -> None:
    assert command("odds", *arguments) == 1
    (line,) = command.err.splitlines()
    assert said in line
    assert command.out == ""


def test_bad_records_get_one_sentence(command: Command, tmp_path: Path) -> None:
    session = king(4)
    session.auto("random", until="deal")
    file = tmp_path / "game.jsonl"
    session.record.save(str(file))
    broken = tmp_path / "broken.jsonl"
    broken.write_text(file.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    for arguments, said in (
        (["fight_for_the_lead", "--record", str(file)], "The record is of Suicide King, not of Fight for the Lead"),
        (["suicide_king", "--record", str(file), "--at", "9999"], "There is no step 9999"),
        (["suicide_king", "--record", str(file), "--at", "-1"], "There is no step"),
        (["suicide_king", "--record", str(file), "--players", "4"], "brings its own players"),
        (["suicide_king", "--record", str(file), "--house", "extra_cards=batch"], "brings its own players"),
        (["suicide_king", "--record", str(broken)], "Line "),
        (["suicide_king", "--record", str(tmp_path)], "cannot be"),
    ):
        assert command("odds", *arguments) == 1, arguments
        (line,) = command.err.splitlines()
        assert said in line
