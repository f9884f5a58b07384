"""The questions that fit the moment of a desk, and the answer to the one that is unfolded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Answer
from cardlab.chance.questions import Question, ask, fitting
from cardlab.core.events import Viewer
from cardlab.core.session import Moment
from cardlab.desk import lines
from cardlab.desk.desk import Desk
from cardlab.view import html

SAMPLES: Final = 400  # of an estimate: half a second or so in plain Python, and ± 5 % of a chance


@dataclass(eq=False)
class Count:
    """A question about a moment, and its answer once it is there."""

    moment: Moment
    viewer: Viewer
    question: Question
    view: Any
    answer: Answer[Any] | None = None
    fault: BaseException | None = None


class Asking:
    """Which question is unfolded on a screen; ``show`` is called when an answer has come after its lines were drawn.

    An answer that takes its time is counted beside the event loop, so that the table never waits for it: at most one at a time, cancelled
    when the moment changes. Without a running loop it is counted at once.
    """

    def __init__(self, show: Callable[[], Any]) -> None:
        self.show = show
        self.chosen: str | None = None  # by whoever looks; "" for none
        self.count: Count | None = None
        self.busy = False

    def press(self, name: str) -> None:
        """Unfolds a question, or folds it if it is the one that is unfolded."""
        self.chosen = "" if self.count is not None and self.count.question.name == name else name

    def lines(self, desk: Desk) -> list[str]:
        """A button for each question that fits, and the answer below the one that is unfolded, or a word that it is being counted."""
        view = desk.session.view(desk.viewer)
        questions = fitting(view)
        if not questions:
            self.count = None
            return []
        self._turn_to(desk, self._unfolded(questions), view)
        drawn = [f'<div class="questions">{escape(desk.words.text("screen.questions"))}</div>']
        for asked in questions:
            unfolded = self.count is not None and self.count.question is asked
            drawn.append(html.question(asked, unfolded, desk.words))
            if unfolded and self.count is not None:
                drawn += self._answer(self.count, desk)
        return drawn

    def _unfolded(self, questions: list[Question]) -> Question | None:
        for asked in questions:
            if asked.name == self.chosen:
                return asked
        return None if self.chosen == "" else next((asked for asked in questions if asked.quick), None)

    def _turn_to(self, desk: Desk, asked: Question | None, view: Any) -> None:
        moment = desk.session.cursor
        count = self.count
        if asked is None:
            self.count = None
        elif count is None or count.moment is not moment or (count.viewer, count.question) != (desk.viewer, asked):
            self.count = Count(moment, desk.viewer, asked, view)
            self._start()

    def _start(self) -> None:
        count = self.count
        if count is None or self.busy:  # one that is busy looks here again when it ends
            return
        work = partial(ask, count.view, count.question.name, n=SAMPLES, cancelled=lambda: self.count is not count)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        if loop is None or count.question.quick:
            count.answer = work()
            return
        self.busy = True
        loop.run_in_executor(None, work).add_done_callback(partial(self._done, count))

    def _done(self, count: Count, found: asyncio.Future[Answer[Any]]) -> None:
        self.busy = False
        count.fault = found.exception()
        if count.fault is None:
            count.answer = found.result()
        if self.count is not count:
            self._start()
        if self.count is not None and (self.count.answer or self.count.fault):
            self.show()

    def _answer(self, count: Count, desk: Desk) -> list[str]:
        if count.fault is not None:
            return [html.fault(lines.problem(count.fault, desk), desk.words)]
        if count.answer is None:
            return [f'<p class="quiet small">{escape(desk.words.text("screen.counting"))}</p>']
        return html.answer_rows(desk.game, count.answer, desk.words)
