"""The lessons on the rules: any language and any guess will do, and their exercises tell right answers from wrong ones."""

from __future__ import annotations

import contextlib
import io
import re
import tokenize
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest

from cardlab import GAMES
from cardlab.view.rulebook import rule_book
from cardlab.words import Words

LESSONS = Path(__file__).parents[2] / "notebooks" / "en"
NAMES = {
    "sk30_suicide_king_rules": "suicide_king",
    "fl10_fight_for_the_lead_rules": "fight_for_the_lead",
    "pm20_poker_marshal_rules": "poker_marshal",
}
GUESSES = {"my_card": "2D", "my_choice": "both", "my_opinion": True, "my_order": ["lot", "deal"]}  # the others are numbers
FIRST_WORDS = re.compile(r"[A-Za-z]{3,} [a-z]{3,}")  # two words in a row are a sentence, which another language would have to say again


class Exercise(NamedTuple):
    """Right answers, wrong ones that learners give, and the rule that is quoted to these."""

    rule: str
    right: tuple[Any, ...]
    wrong: tuple[Any, ...]


# worked out by hand, not by the cells
EXERCISES = {
    "sk30_suicide_king_rules": (
        Exercise("SK-8", (1,), (3, 4, 2)),  # the ace's, the king's
        Exercise("SK-9", (0,), (1, 2)),
        Exercise("SK-6", (Fraction(9, 13), 0.692), (Fraction(10, 13), 0.7, 0.69)),  # all but the aces, kings and queens
        Exercise("SK-5", (Fraction(7, 26), 0.269), (Fraction(1, 26), Fraction(12, 52))),  # on top, or at the start
        Exercise("SK-5", (Fraction(53, 2), 26.5), (26,)),
    ),
    "fl10_fight_for_the_lead_rules": (
        Exercise("FL-5", (2,), (0, 3, 1)),  # the king, the ace, the lower heart
        Exercise("FL-6", (Fraction(1, 3), 0.333), (Fraction(1, 4), Fraction(1, 2))),
        Exercise("FL-6", (Fraction(1, 2), 0.5), (Fraction(12, 23), 0.522)),  # the onlooker's
        Exercise("FL-10", ({"9S"},), ({"7H", "KH", "9S", "AD"}, set())),
        Exercise("FL-15", (11,), (5, 44)),  # without the fees, or the whole bank
    ),
    "pm20_poker_marshal_rules": (
        Exercise("PM-1", (Fraction(2816, 4165), 0.676), (Fraction(1320, 2197), Fraction(9, 13))),  # putting back; four ranks taken
        Exercise("PM-1", (3,), (1, 2, 4)),
        Exercise("PM-6", (2,), (0, 1, 3)),
        Exercise("PM-12", ("bacd",), ("bcad", "dbac", "abcd")),
        Exercise("PM-3", (Fraction(52, 477), 0.109), (Fraction(1, 9), Fraction(1, 27))),  # both jokers counted twice, or one joker only
    ),
}


def code(name: str) -> list[str]:
    """The code cells of a lesson."""
    return [cell.source for cell in nbformat.read(LESSONS / f"{name}.ipynb", 4).cells if cell.cell_type == "code"]


def filled(source: str, values: dict[str, Any]) -> str:
    """A cell with values in the place of None."""
    name, _, nothing = source.partition(" = ")
    return f"{name} = {values[name]!r}" if nothing == "None" and name in values else source


def run(source: str, space: dict[str, Any]) -> str:
    """Runs a cell; what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "<cell>", "exec"), space)
    return printed.getvalue()


@pytest.fixture(scope="module", params=list(NAMES))
def lesson(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """A lesson and its variables, after it was run in Russian by somebody who has guessed everywhere and answered nowhere."""
    space: dict[str, Any] = {}
    cells = code(request.param)
    asked = [source.split(" = ")[0] for source in cells if re.fullmatch(r"my_\w+ = None", source)]
    guesses = {name: GUESSES.get(name, 40) for name in asked}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLAB_LANGUAGE", "ru")
        printed = [run(filled(source, guesses), space) for source in cells]
    assert sum(text == "…\n" for text in printed) == len(EXERCISES[request.param])
    assert sum(bool(re.search("→|▲|✓", text)) for text in printed) == len(asked)  # each guess is answered
    return request.param, space


def exercise(name: str, n: int) -> tuple[str, str]:
    """The cell for an answer, and the cell that checks it."""
    cells = code(name)
    at = cells.index(f"answer_{n} = None")
    return cells[at], cells[at + 1]


@pytest.mark.parametrize("n", range(1, 6))
def test_right_answers_are_right(lesson: tuple[str, dict[str, Any]], n: int) -> None:
    name, space = lesson
    asks, checks = exercise(name, n)
    for k, answer in enumerate(EXERCISES[name][n - 1].right):
        space = dict(space)
        run(filled(asks, {f"answer_{n}": answer}), space)
        told = run(checks, space)
        assert told.startswith("✓")
        # only the exact answer is right without a remark
        assert (told == "✓\n") == (k == 0 or answer == EXERCISES[name][n - 1].right[0])


@pytest.mark.parametrize("n", range(1, 6))
def test_wrong_answers_are_told_the_rule(lesson: tuple[str, dict[str, Any]], n: int) -> None:
    name, space = lesson
    asks, checks = exercise(name, n)
    rule, _, wrong = EXERCISES[name][n - 1]
    sentence = dict(rule_book(GAMES[NAMES[name]], Words("ru")))[rule]
    for answer in wrong:
        space = dict(space)
        run(filled(asks, {f"answer_{n}": answer}), space)
        with pytest.raises(AssertionError) as refused:
            run(checks, space)
        assert str(refused.value) == sentence


@pytest.mark.parametrize("name", list(NAMES))
def test_cells_speak_no_language(name: str) -> None:
    """The same cells stand in the Russian lessons: no remarks, no sentences."""
    for source in code(name):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            assert token.type != tokenize.COMMENT, token.string
            assert token.type != tokenize.STRING or not FIRST_WORDS.search(token.string), token.string


@pytest.mark.parametrize("name", list(NAMES))
def test_suit_signs_stay_black_on_phones(name: str) -> None:
    text = (LESSONS / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not re.search("[♣♦♥♠](?!\N{VARIATION SELECTOR-15})", text)


def test_the_first_lesson_leads_to_them() -> None:
    last = nbformat.read(LESSONS / "00_start_here.ipynb", 4).cells[-1].source
    assert re.findall(r"\]\((\w+)\.ipynb\)", last) == list(NAMES)
