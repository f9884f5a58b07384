"""The file that a learner hands in: a name, guesses and answers, and nothing about when or where they were given."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from cardlab.core.errors import quoted
from cardlab.core.files import write_whole
from cardlab.lessons.answers import LONGEST, BadAnswer
from cardlab.lessons.kept import KEPT
from cardlab.lessons.lesson import exercise_of, guess_of, lesson
from cardlab.lessons.shown import Table
from cardlab.words.errors import CardlabError

VERSION: Final = 1
MOST: Final = 1_000_000  # bytes
LONGEST_NAME: Final = 80


class BadHandIn(CardlabError, ValueError):
    """A file that is no hand-in, or a name or a place for one that does not fit."""


def hand_in(name: str, path: str | os.PathLike[str]) -> Path:
    """Writes what was guessed and answered under a name of the learner's choice; returns where. Raises BadHandIn."""
    if not isinstance(name, str) or not name.strip().isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise BadHandIn("error.hand_in.name", name=quoted(name), most=LONGEST_NAME)
    guesses = {}
    for id, value in KEPT.guesses.items():
        asked = guess_of(id)
        guesses[id] = {"guess": str(value), "right": asked.came(value), "revealed": id in KEPT.revealed}
    answers = {id: {"answer": said, "right": right} for id, (said, right) in KEPT.answers.items()}
    written = {"cardlab_hand_in": VERSION, "name": name.strip(), "lessons": KEPT.lessons(), "guesses": guesses, "answers": answers}
    try:
        whole = Path(path)
        write_whole(whole, (json.dumps(written, ensure_ascii=False, indent=1) + "\n").encode())
    except (OSError, TypeError, ValueError) as fault:
        raise BadHandIn("error.hand_in.write", path=quoted(path), why=type(fault).__name__) from None
    return whole


def read_hand_in(path: str | os.PathLike[str]) -> Table:
    """What somebody handed in, as a table; the answers are judged anew, whatever the file says. Raises BadHandIn."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST + 1)
    except (OSError, TypeError, ValueError) as fault:
        raise BadHandIn("error.hand_in.read", path=quoted(path), why=type(fault).__name__) from None
    try:
        if len(data) > MOST:
            raise ValueError
        return _table(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # BadRequest is one, too
        raise BadHandIn("error.hand_in.content", path=quoted(path)) from None


def _table(read: Any) -> Table:
    if set(read) != {"cardlab_hand_in", "name", "lessons", "guesses", "answers"} or read["cardlab_hand_in"] != VERSION:
        raise ValueError
    name, lessons = read["name"], read["lessons"]
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or not isinstance(lessons, list):
        raise ValueError
    guesses: dict[str, Any] = {}
    answers: dict[str, tuple[str, bool]] = {}
    for id, given in read["guesses"].items():
        if set(given) != {"guess", "right", "revealed"} or not isinstance(given["revealed"], bool):
            raise ValueError
        guesses[id] = guess_of(id).kind.read(given["guess"])
    for id, given in read["answers"].items():
        said = given["answer"]
        if set(given) != {"answer", "right"} or not isinstance(said, str) or len(said) > LONGEST:
            raise ValueError
        judged = exercise_of(id).judge(said)
        if judged.kind == "nonsense":
            raise BadAnswer("error.answer.none")
        answers[id] = (said, judged.right)
    revealed = frozenset(id for id, given in read["guesses"].items() if given["revealed"])
    return Table(tuple(lesson(id).id for id in lessons), guesses, revealed, answers, name)
