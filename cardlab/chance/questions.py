"""What can be asked of a moment: the questions of each game by name, and ``ask``, which answers one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from cardlab.chance.answers import Answer, never
from cardlab.core import streams
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.core.game import AnyGame, Game, Seen
from cardlab.core.registry import assumed
from cardlab.core.session import Session
from cardlab.words import Words


@dataclass(frozen=True, kw_only=True)
class Options:
    """How an answer is found where it is an estimate, and how the players behave.

    An estimate takes ``n`` samples, or goes on until the 95 % interval is no wider than ``half_width`` to either side or ``seconds`` have
    passed; it stops early when ``cancelled()`` says so. ``accept`` is the chance that a holder accepts an offer, ``policy`` the computer
    player whose behaviour is assumed: any but ``expert``, which plays games on itself.
    """

    seed: int = 0
    n: int | None = None
    half_width: float | None = None
    seconds: float | None = None
    accept: Fraction = Fraction(1, 2)
    policy: str = "random"
    cancelled: Callable[[], bool] = never

    @classmethod
    def make(cls, given: dict[str, Any]) -> Options:
        """The options of ``ask``, checked; raises BadRequest for an unknown one or a value that does not fit."""
        known = [f.name for f in fields(cls)]
        for name in given:
            if name not in known:
                raise BadRequest("error.ask.option", name=quoted(name), names=", ".join(known))
        if isinstance(given.get("accept"), (int, float, str)) and not isinstance(given["accept"], bool):
            given = {**given, "accept": _fraction(given["accept"])}
        made = cls(**given)
        made._check()
        return made

    def _check(self) -> None:
        whole = type(self.seed) is int and 0 <= self.seed <= streams.MASK
        if not whole:
            raise BadRequest("error.seed", name="seed", value=quoted(self.seed))
        if self.n is not None and (type(self.n) is not int or self.n < 1):
            raise BadRequest("error.ask.samples", value=quoted(self.n))
        for name, value in (("half_width", self.half_width), ("seconds", self.seconds)):
            if value is not None and (not isinstance(value, (int, float)) or isinstance(value, bool) or not value > 0):
                raise BadRequest("error.ask.positive", name=name, value=quoted(value))
        if not isinstance(self.accept, Fraction) or not 0 <= self.accept <= 1:
            raise BadRequest("error.ask.accept", value=quoted(self.accept))
        if not isinstance(self.policy, str):
            raise BadRequest("error.ask.policy", value=quoted(self.policy))
        assumed(self.policy)


Answering = Callable[[AnyGame, Any, Options], Answer[Any]]


def _fraction(value: float | str) -> Any:
    """A fraction as it is written: 0.1 is one tenth; what is no number is returned as it is, to be refused."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return value


def always(game: AnyGame, view: Any) -> bool:
    """For questions that fit every moment and every viewer."""
    return True


@dataclass(frozen=True)
class Question:
    """A question of a game: ``fits`` says at which moments, and of which viewers, it can be asked."""

    game: str
    name: str
    answering: Answering
    fits: Callable[[AnyGame, Any], bool] = always
    of_seat: bool = False  # asked for a seat's own choice: other viewers cannot ask it
    teacher: bool = False  # asked of a session without a seat, it is answered with all cards open
    quick: bool = False  # answered within a few milliseconds at every moment: a screen need not wait to be asked

    def say(self, words: Words) -> str:
        """The question as a sentence."""
        return words.text(f"question.{self.game}.{self.name}")


QUESTIONS: Final[dict[str, dict[str, Question]]] = {}


def question(
    game: str,
    name: str,
    *,
    fits: Callable[[AnyGame, Any], bool] = always,
    of_seat: bool = False,
    teacher: bool = False,
    quick: bool = False,
) -> Callable[[Answering], Answering]:
    """Makes a function the answer to a question of a game; its sentence has the key ``question.GAME.NAME``."""

    def register(answering: Answering) -> Answering:
        QUESTIONS.setdefault(game, {})[name] = Question(game, name, answering, fits, of_seat, teacher, quick)
        return answering

    return register


def fitting(view: Any) -> list[Question]:
    """The questions that can be asked of what a viewer knows at a moment."""
    return [
        asked
        for asked in QUESTIONS.get(view.game.name, {}).values()
        if (isinstance(view.viewer, Seat) or not asked.of_seat) and asked.fits(view.game, view)
    ]


def ask(of: Any, question: str, seat: Viewer = None, **options: Any) -> Answer[Any]:
    """The answer to a question about a moment, as a viewer can know it.

    ``of`` is a session, seen by ``seat`` (without one by a spectator, or by the teacher where the question asks for open cards), or a view.
    Options: see ``Options``. Raises BadRequest for a question, a seat or an option that does not exist or does not fit the moment.

    >>> from cardlab import Card, Session, game
    >>> session = Session(game("suicide_king", players=2, first_dealer=1), seed=7)
    >>> ask(session, "next_card")[Card("KH")]
    Exact(value=Fraction(1, 52), count=1, error=0.0)
    """
    game = getattr(of, "game", None)
    if not isinstance(of, (Session, Seen)) or not isinstance(game, Game):
        raise BadRequest("error.ask.source", given=quoted(of))
    known = QUESTIONS.get(game.name, {})
    if not isinstance(question, str) or question not in known:
        raise BadRequest("error.ask.question", name=quoted(question), names=", ".join(known))
    asked = known[question]
    chosen = Options.make(options)
    view = _view(of, game, asked, seat)
    if asked.of_seat and not isinstance(view.viewer, Seat):
        raise BadRequest("error.ask.seat", question=question)
    if not asked.fits(game, view):
        raise BadRequest("error.ask.moment", question=question)
    return asked.answering(game, view, chosen)


def _view(of: Any, game: AnyGame, asked: Question, seat: Viewer) -> Any:
    if isinstance(of, Session):
        return of.view(TEACHER if seat is None and asked.teacher else seat)
    if seat is not None and game.viewer(seat) != of.viewer:
        raise BadRequest("error.ask.view", seat=quoted(seat))
    return of
