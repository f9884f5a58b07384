"""The questions that fit the moment of a desk, the answer to the one that is unfolded, and one answer after another over the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Answer, Number
from cardlab.chance.questions import QUESTIONS, Question, fitting
from cardlab.core.events import Seat
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
    while one looks at it, and is cancelled when the moment changes. With ``followed`` the fate of the players is counted over the whole
    game besides.
    """

    def __init__(self, show: Callable[[], Any]) -> None:
        self.counting = Counting(show)
        self.chosen: str | None = None  # by whoever looks; "" for none
        self.followed = False
        self._now: Want | None = None
        self._before: Want | None = None
        self._beside: list[Want] = []
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

    def lines(self, desk: Desk) -> list[str]:
        """The unfolded question with its answer, or a word that it is being counted; the next draw; a button for each other question."""
        view = desk.session.view(desk.viewer)
        questions = fitting(view)
        self._turn_to(desk, self._unfold(desk, questions), view)
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

    def _turn_to(self, desk: Desk, asked: Question | None, view: Any) -> None:
        """What is wanted at the moment of a desk: the answer, the one before the last press, then those along the game."""
        self._now = self._before = None
        wants = []
        if asked is not None:
            self._now = Want(desk.session.cursor, desk.viewer, asked, lambda: view)
            wants.append(self._now)
            self._before = self._earlier(desk, asked)
            wants += [] if self._before is None else [self._before]
            wants.append(Want(*self._now.key[:2], asked, self._now.view, SOON))
        wants += self._beside
        self._beside = []  # asked for anew with each drawing
        if self.followed:
            wants += [want for _, want in sorted(self.along(desk), key=lambda told: abs(told[0] - desk.at))]
        if self._now is not None and asked is not None:
            wants.append(Want(*self._now.key[:2], asked, self._now.view, MOST))
        self.counting.want(desk.session, wants)

    def _earlier(self, desk: Desk, asked: Question) -> Want | None:
        """The same question where the last press started, if it fitted there."""
        if not 0 <= desk.since < desk.at:
            return None
        there = desk.session.branch().goto(desk.since)
        view = there.view(desk.viewer)
        return Want(there.cursor, desk.viewer, asked, lambda: view) if asked in fitting(view) else None

    def along(self, desk: Desk) -> list[tuple[int, Want]]:
        """What becomes of the players, asked at moments of the whole line, with the number of the step."""
        line = desk.session.line
        key = (desk.session, line[-1], desk.viewer)
        if key != self._along[0]:
            self._along = (key, self._asked_along(desk, len(line) - 1))
        return self._along[1]

    def _asked_along(self, desk: Desk, last: int) -> list[tuple[int, Want]]:
        asked, viewer = QUESTIONS[desk.game.name][FATE[desk.game.name]], desk.viewer
        there, wants = desk.session.branch(whole=True), []
        for step in sorted({last * k // MOMENTS for k in range(MOMENTS + 1)}):
            view = there.goto(step).view(viewer)
            if asked in fitting(view):
                wants.append((step, Want(there.cursor, viewer, asked, lambda view=view: view)))  # type: ignore[misc]
        return wants

    def fates(self, desk: Desk) -> list[tuple[int, dict[Seat, Number]]]:
        """What becomes of each player at the moments that are counted already, from the first on."""
        told = []
        for step, want in self.along(desk):
            found = self.counting.answer(want)
            if found is not None and found.answer is not None:
                told.append((step, of_seats(found.answer)))
        return told

    def beside(self, desk: Desk, sessions: Iterable[Session]) -> list[dict[Seat, Number]]:
        """What becomes of each player where some other sessions of the same game stand, as far as it is known; the rest is counted."""
        asked, told = QUESTIONS[desk.game.name][FATE[desk.game.name]], []
        for session in sessions:
            view = session.view(desk.viewer)
            want = Want(session.cursor, desk.viewer, asked, lambda view=view: view)  # type: ignore[misc]
            if asked in fitting(view):
                self._beside.append(want)
            found = self.counting.answer(want)
            told.append({} if found is None or found.answer is None else of_seats(found.answer))
        return told

    def _answer(self, found: Found | None, desk: Desk) -> list[str]:
        if found is None:
            return [f'<p class="quiet small">{escape(desk.words.text("screen.counting"))}</p>']
        if found.answer is None:
            return [html.fault(lines.problem(found.fault, desk), desk.words)]
        earlier = self.counting.answer(self._before) if self._before else None
        before = earlier.answer if earlier is not None else None
        saves = html.saves([(f"{html.SAVE}csv answer", "CSV")], desk.words)
        return [*html.answer_rows(desk.game, found.answer, desk.words, before, step=desk.at), f'<div class="below-answer">{saves}</div>']


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
