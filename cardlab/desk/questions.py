"""The questions that fit the moment of a desk, the answer to the one that is unfolded, and one answer after another over the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Answer, Number
from cardlab.chance.questions import QUESTIONS, Question, fitting
from cardlab.core.events import Seat, Viewer
from cardlab.core.session import Session
from cardlab.desk import lines
from cardlab.desk.counting import MOST, Counting, Found, Want
from cardlab.desk.desk import Desk
from cardlab.view import html

SOON: Final = 6_400  # samples that the answer one looks at has before other moments are counted
MOMENTS: Final = 120  # so many stand in a line over the game
# what becomes of each player: unfolded unless somebody chooses another question, and followed over the game
FATE: Final = {"suicide_king": "last_player", "fight_for_the_lead": "no_trick", "poker_marshal": "next_title"}


class Asking:
    """Which question is unfolded on a screen; ``show`` is called when an answer has come after its lines were drawn.

    An answer that takes its time is counted beside the event loop, so that the table never waits for it. It gets more and more samples
    while one looks at it, and is cancelled when the moment changes.
    """

    def __init__(self, show: Callable[[], Any]) -> None:
        self.counting = Counting(show)
        self.chosen: str | None = None  # by whoever looks; "" for none
        self._now: Want | None = None
        self._before: Want | None = None
        self._along: tuple[Any, list[tuple[int, Want]]] = (None, [])

    def press(self, name: str) -> None:
        """Unfolds a question, or folds it if it is the one that is unfolded."""
        self.chosen = "" if self._now is not None and self._now.question.name == name else name

    @property
    def unfolded(self) -> Question | None:
        """The question whose answer is shown."""
        return None if self._now is None else self._now.question

    @property
    def answer(self) -> Answer[Any] | None:
        """The answer that is shown, as far as it is known."""
        found = self.counting.answer(self._now) if self._now else None
        return None if found is None else found.answer

    def lines(self, desk: Desk, more: Iterable[Want] = ()) -> list[str]:
        """The unfolded question with its answer, or a word that it is being counted; the next draw; a button for each other question.

        ``more`` is what else is wanted of the game, such as what stands on a board.
        """
        view = desk.session.view(desk.viewer)
        questions = fitting(view)
        self._turn_to(desk, self._unfold(desk, questions), view, more)
        drawn = []
        if self._now is not None:
            drawn = [html.question(self._now.question, True, desk.words), *self._answer(self.counting.answer(self._now), desk)]
        drawn += lines.odds(desk, quiet=not drawn)
        others = [asked for asked in questions if asked is not self.unfolded]
        if others:
            drawn.append(f'<div class="questions">{escape(desk.words.text("screen.questions"))}</div>')
        return drawn + [html.question(asked, False, desk.words) for asked in others]

    def _unfold(self, desk: Desk, questions: list[Question]) -> Question | None:
        known = {asked.name: asked for asked in questions}
        if self.chosen == "":
            return None
        quick = (asked for asked in questions if asked.quick)
        return known.get(self.chosen or "") or known.get(FATE[desk.game.name]) or next(quick, None)

    def rest(self, desk: Desk) -> None:
        """Nothing is looked at: nothing more is counted."""
        self._now = self._before = None
        self.counting.want(desk.session, [])

    def _turn_to(self, desk: Desk, asked: Question | None, view: Any, more: Iterable[Want]) -> None:
        """What is wanted at the moment of a desk: the answer, the one before the last press, then what else is asked for."""
        now = before = None
        if asked is not None:
            now, before = Want(desk.session.cursor, desk.viewer, asked, view), self._earlier(desk, asked)
        self._now, self._before = now, before
        first = [now, before, now and replace(now, n=SOON)]
        self.counting.want(desk.session, [want for want in (*first, *more, now and replace(now, n=MOST)) if want is not None])

    def _earlier(self, desk: Desk, asked: Question) -> Want | None:
        """The same question where the last press started, if it fitted there."""
        if not 0 <= desk.since < desk.at:
            return None
        return _wanted(desk.session.branch().goto(desk.since), desk.viewer, asked)

    # what becomes of the players

    def fate(self, session: Session, viewer: Viewer) -> Want | None:
        """What becomes of each player, asked where a session stands; ``None`` where it cannot be asked."""
        name = session.game.name
        return _wanted(session, viewer, QUESTIONS[name][FATE[name]])

    def told(self, want: Want | None) -> dict[Seat, Number]:
        """The answer to that as far as it is known."""
        found = None if want is None else self.counting.answer(want)
        return {} if found is None or found.answer is None else of_seats(found.answer)

    def along(self, desk: Desk) -> list[tuple[int, Want]]:
        """The same asked at moments of the whole line, with the number of the step."""
        line = desk.session.line
        key = (desk.session, line[-1], desk.viewer)
        if key != self._along[0]:
            there, last = desk.session.branch(whole=True), len(line) - 1
            asked = ((step, self.fate(there.goto(step), desk.viewer)) for step in sorted({last * k // MOMENTS for k in range(MOMENTS + 1)}))
            self._along = (key, [(step, want) for step, want in asked if want is not None])
        return self._along[1]

    def fates(self, desk: Desk) -> list[tuple[int, dict[Seat, Number]]]:
        """What becomes of each player at the moments that are counted already, from the first on."""
        return [(step, told) for step, want in self.along(desk) if (told := self.told(want))]

    def _answer(self, found: Found | None, desk: Desk) -> list[str]:
        if found is None:
            return [f'<p class="quiet small counting">{escape(desk.words.text("screen.counting"))}</p>']
        if found.answer is None:
            return [html.fault(lines.problem(found.fault, desk), desk.words)]
        earlier = self.counting.answer(self._before) if self._before else None
        before = earlier.answer if earlier is not None else None
        saves = html.saves([(f"{html.SAVE}csv answer", "CSV")], desk.words)
        return [*html.answer_rows(desk.game, found.answer, desk.words, before, step=desk.at), f'<div class="below-answer">{saves}</div>']


def _wanted(session: Session, viewer: Viewer, asked: Question) -> Want | None:
    """A question where a session stands, if it fits there."""
    view = session.view(viewer)
    return Want(session.cursor, viewer, asked, view) if asked in fitting(view) else None


def of_seats(answer: Answer[Any]) -> dict[Seat, Number]:
    """The number of each player; where players get titles, that of the highest.

    >>> from cardlab import Session, game
    >>> from cardlab.chance import ask
    >>> list(of_seats(ask(Session(game("suicide_king", players=2), seed=7), "last_player")))
    [Seat(0), Seat(1)]
    """
    told = {}
    for outcome, number in answer.numbers.items():
        if getattr(outcome, "title", 0) == 0:
            told[outcome.seat if hasattr(outcome, "seat") else outcome] = number
    return told
