"""What a learner has guessed and answered: one store for a notebook's kernel, and the language that its lessons speak."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Final

from cardlab.desk import spoken
from cardlab.lessons.lesson import Guess, guess_of, lesson
from cardlab.words import Words, usual_language
from cardlab.words.errors import CardlabError


@dataclass
class Kept:
    """Guesses and answers by id, in the order in which they came."""

    language: str | None = None
    guesses: dict[str, Any] = field(default_factory=dict)
    revealed: set[str] = field(default_factory=set)
    answers: dict[str, tuple[str, bool]] = field(default_factory=dict)  # as written, and whether right
    begun: dict[str, None] = field(default_factory=dict)  # lessons

    @property
    def words(self) -> Words:
        """The language that lessons speak."""
        return Words(self.language or usual_language())

    def lessons(self) -> list[str]:
        """The lessons that were begun, in order."""
        ids = dict.fromkeys([*self.begun, *(id.partition(".")[0] for id in (*self.guesses, *self.answers))])
        return [lesson(id).id for id in ids]


KEPT: Final = Kept()


class NotYet(CardlabError, RuntimeError):
    """A cell that shows the answer, run before the guess; a notebook shows the sentence alone."""

    def __str__(self) -> str:
        return self.say(KEPT.words)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in the place of a traceback."""
        return [str(self)]


def language(name: str | None = None) -> str:
    """Sets the language of the lessons, ``en`` or ``ru``; returns the one that is set. Raises BadRequest for another.

    Where none is set, it is that of the notebook's folder.
    """
    if name is not None:
        KEPT.language = spoken(name)
    return KEPT.words.language


def demonstrating() -> bool:
    """Whether guesses are committed without a learner: CARDLAB_DEMO=1, for tests and teachers."""
    return os.environ.get("CARDLAB_DEMO", "") not in ("", "0")


def after(id: str) -> Any:
    """The guess that was committed: a share for a slider, else the name of the option. Raises NotYet before it is.

    >>> after("01.both")
    Traceback (most recent call last):
    cardlab.lessons.kept.NotYet: First guess, then look: commit a guess in the cell with guess("01.both"), and run this cell again.
    """
    asked = guess_of(id)
    if asked.id not in KEPT.guesses:
        raise NotYet("error.guess_first", id=asked.id)
    return KEPT.guesses[asked.id]


def committed(asked: Guess, value: Any) -> bool:
    """Keeps a guess in the place of an earlier one; false where the answer has been shown, and the guess would change."""
    if asked.id in KEPT.revealed:
        return bool(KEPT.guesses[asked.id] == value)
    KEPT.guesses[asked.id] = value
    return True
