"""Lessons that ask before they tell: guesses that are kept, exercises that check themselves, and what was done so far.

>>> language("en")
'en'
>>> print(check("01.a", "17/52"))
✗ The ace of hearts was counted twice: once among the aces, once among the hearts.
>>> bool(check("01.a", "4/13"))
True
"""

from __future__ import annotations

from typing import Any

from cardlab.chance.answers import Estimate
from cardlab.core.errors import BadRequest, quoted
from cardlab.lessons.answers import LONGEST
from cardlab.lessons.handing import BadHandIn, hand_in, read_hand_in
from cardlab.lessons.kept import KEPT, NotYet, after, demonstrating, language
from cardlab.lessons.lesson import Exercise, Guess, Lesson, exercise_of, guess_of, lesson, names
from cardlab.lessons.shown import Asked, Beginning, Reveal, Table, Verdict
from cardlab.words import usual_language

__all__ = [
    "BadHandIn",
    "Exercise",
    "Guess",
    "Lesson",
    "NotYet",
    "after",
    "check",
    "guess",
    "hand_in",
    "language",
    "lesson",
    "names",
    "progress",
    "read_hand_in",
    "reveal",
    "start",
]


def start(id: str) -> Beginning:
    """Begins a lesson, in the language of the notebook's folder; what was guessed and answered stays. Raises BadRequest."""
    begun = lesson(id)
    KEPT.language = usual_language()
    KEPT.begun[begun.id] = None
    return Beginning(begun)


def guess(id: str, value: Any = None, *, demo: bool = False) -> Asked:
    """Asks a question, and keeps the guess that is given: a chance such as ``0.25``, or the letter of an option.

    Without one a notebook shows a form. Until the answer is revealed another guess replaces it. With ``demo`` (or CARDLAB_DEMO=1) a typical
    guess is made where there is none. What is no guess gets a sentence. Raises BadRequest for an id that there is not.
    """
    asked = Asked(guess_of(id))
    if value is not None:
        return asked.commit(value)
    if (demo or demonstrating()) and asked.value is None:
        return asked.commit(asked.guess.usual())
    return asked


def reveal(id: str, hits: int | None = None, n: int | None = None) -> Reveal:
    """Shows the answer beside the guess, which cannot be changed any more, and beside ``hits`` of ``n`` played deals.

    Raises NotYet before a guess, BadRequest for an id that there is not and for hits that do not fit.
    """
    value = after(id)
    played = Estimate()
    if hits is not None or n is not None:
        if type(hits) is not int or type(n) is not int or not 0 <= hits <= n or not n:
            raise BadRequest("error.reveal", hits=quoted(hits), n=quoted(n))
        played = Estimate.of_hits(hits, n)
    KEPT.revealed.add(id)
    return Reveal(guess_of(id), value, played)


def check(id: str, answer: Any = None) -> Verdict:
    """What an answer is worth: true where it is right, and a sentence in any case.

    A right answer stays kept when a wrong one follows. Raises BadRequest for an id that there is not.
    """
    judged = exercise_of(id).judge(answer)
    if judged.kind != "nonsense" and not KEPT.answers.get(id, ("", False))[1]:
        written = answer if isinstance(answer, (str, int, float)) else judged.value
        KEPT.answers[id] = (str(written).strip()[:LONGEST], judged.right)
    return Verdict(id, judged)


def progress() -> Table:
    """What is guessed and solved so far in the lessons that were begun."""
    return Table(tuple(KEPT.lessons()), dict(KEPT.guesses), frozenset(KEPT.revealed), dict(KEPT.answers))
