"""Answers about the moments of a game, counted beside the event loop: one at a time, the most wanted first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import perf_counter, sleep
from typing import Any, Final

from cardlab.chance.answers import Answer, Estimate
from cardlab.chance.questions import Question, ask
from cardlab.core.events import Viewer
from cardlab.core.session import Moment, Session
from cardlab.desk.aside import aside

FIRST: Final = 400  # samples of the first round: half a second or so in plain Python, and ± 5 % of a chance
MOST: Final = 102_400  # of the last
TIMES: Final = 4  # as many samples in each further round
NARROW: Final = 0.003  # an interval of a chance that is this narrow needs no further round
LONGEST: Final = 1.5  # seconds: after a round that took longer there is none
TURN: Final = 0.25  # seconds for which moments are counted before they are shown
PAUSE: Final = 0.03  # seconds in which the table is drawn and sent before anything is counted
Key = tuple[Moment, Viewer, str]


@dataclass(frozen=True, slots=True)
class Want:
    """A question about a moment, and with how many samples it is to be answered where it is not exact."""

    moment: Moment
    viewer: Viewer
    question: Question
    view: Any
    n: int = FIRST

    @property
    def key(self) -> Key:
        """What the answer is kept under."""
        return self.moment, self.viewer, self.question.name


@dataclass(frozen=True, slots=True)
class Found:
    """An answer or what went wrong, with the samples asked for and the seconds that it took."""

    answer: Answer[Any] | None
    fault: BaseException | None = None
    n: int = 0
    seconds: float = 0.0

    @property
    def final(self) -> bool:
        """Whether another round would bring nothing, or take too long."""
        if self.answer is None or self.answer.exact or self.seconds > LONGEST:
            return True
        widths = [found.half_width for found in self.answer.numbers.values() if isinstance(found, Estimate)]
        return self.answer.chances and all(width is not None and width < NARROW for width in widths)


class Counting:
    """The answers that somebody looks at; ``show`` is called when one has come that was not there before.

    Without a running event loop there is no beside: then what is most wanted is counted at once, and the rest is left.
    """

    def __init__(self, show: Callable[[], Any]) -> None:
        self.show = show
        self.found: dict[Key, Found] = {}
        self._tree: Moment | None = None
        self._wants: list[Want] = []
        self._job: list[Want] | None = None  # what is being counted and still wanted
        self._busy = False

    def want(self, session: Session, wants: Iterable[Want]) -> None:
        """What is wanted from now on, the most wanted first; what is being counted and is not the next any more is cancelled."""
        if session.tree is not self._tree:
            self.found.clear()
            self._tree = session.tree
        self._wants = list(wants)
        for want in self._wants[:2]:
            if want.question.quick and want.key not in self.found:
                self.found[want.key] = counted(want, FIRST)
        job = self._pick()
        if self._job and (not job or job[0].key != self._job[0].key):
            self._job = None
        if job and not self._busy:
            self._start(job)

    def answer(self, want: Want) -> Found | None:
        """The answer to a want, as far as it is known."""
        return self.found.get(want.key)

    def _pick(self) -> list[Want]:
        """What to count next: the first want that has no answer, with others like it, or one that needs more samples."""
        open_ = [want for want in self._wants if self._lacks(want)]
        if not open_:
            return []
        missing = [want for want in open_ if want.key not in self.found]
        return missing if missing and missing[0] is open_[0] else open_[:1]

    def _lacks(self, want: Want) -> bool:
        found = self.found.get(want.key)
        return found is None or (found.n < want.n and not found.final)

    def _start(self, job: list[Want]) -> None:
        rounds = [(want, self._samples(want)) for want in job]
        self._busy, self._job = True, job
        if aside(partial(_count, rounds, lambda: self._job is not job), partial(self._done, job)):
            return
        self._busy, self._job = False, None
        if self._wants[0].key not in self.found:
            self.found[self._wants[0].key] = counted(self._wants[0], FIRST)

    def _samples(self, want: Want) -> int:
        found = self.found.get(want.key)
        return FIRST if found is None else min(found.n * TIMES, MOST)

    def _done(self, job: list[Want], told: asyncio.Future[dict[Key, Found]]) -> None:
        self._busy = False
        kept = self._job is job
        self._job = None
        news = told.result()
        self.found.update(news)
        if news and kept:
            self.show()
        if not self._busy and (more := self._pick()):  # to show may have started another
            self._start(more)


def _count(rounds: list[tuple[Want, int]], cancelled: Callable[[], bool]) -> dict[Key, Found]:
    """The answers to some wants, as many as there is time for; one that was cut short is none."""
    sleep(PAUSE)
    began, told = perf_counter(), {}
    for want, n in rounds:
        if cancelled():
            break
        found = counted(want, n, cancelled)
        if cancelled():
            break
        told[want.key] = found
        if perf_counter() - began > TURN:
            break
    return told


def counted(want: Want, n: int, cancelled: Callable[[], bool] = lambda: False) -> Found:
    """The answer to a want with so many samples."""
    began = perf_counter()
    try:
        answer = ask(want.view, want.question.name, n=n, cancelled=cancelled)
    except Exception as fault:  # it is shown where the answer would stand
        return Found(None, fault)
    return Found(answer, None, n, perf_counter() - began)
