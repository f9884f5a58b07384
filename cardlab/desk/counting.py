"""Answers about the moments of a game, counted beside the event loop: one at a time, the most wanted first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any, Final

from cardlab.chance.answers import Answer, Estimate
from cardlab.chance.questions import Question, ask
from cardlab.core.events import Viewer
from cardlab.core.session import Moment, Session
from cardlab.desk.aside import aside
from cardlab.desk.workers import Flag

FIRST: Final = 400  # samples of the first round: half a second or so in plain Python, and ± 5 % of a chance
MOST: Final = 102_400  # of the last
TIMES: Final = 4  # as many samples in each further round
NARROW: Final = 0.003  # an interval of a chance that is this narrow needs no further round
LONGEST: Final = 1.5  # seconds: after a round that took longer there is none
TURN: Final = 0.25  # seconds for which moments are counted before they are shown
PAUSE: Final = 0.03  # seconds in which the table is drawn and sent before anything is counted
pool: Executor | None = None  # who counts; a server with many visitors leaves it to processes, else threads of the loop do it
Key = tuple[Moment, Viewer, str]
Round = tuple[Any, str, int]  # a view, a question about it, and so many samples


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


@dataclass(frozen=True, slots=True)
class Job:
    """What is counted together; the flag says that nobody wants it any more."""

    wants: list[Want]
    flag: Flag = field(default_factory=Flag)


class Counting:
    """The answers that somebody looks at; ``show`` is called when one has come that was not there before.

    Without a running event loop there is no beside: then what is most wanted is counted at once, and the rest is left.
    """

    def __init__(self, show: Callable[[], Any]) -> None:
        self.show = show
        self.found: dict[Key, Found] = {}
        self._tree: Moment | None = None
        self._wants: list[Want] = []
        self._job: Job | None = None

    def want(self, session: Session, wants: Iterable[Want]) -> None:
        """What is wanted from now on, the most wanted first; what is being counted and is not the next any more is cancelled."""
        if session.tree is not self._tree:
            self.found.clear()
            self._tree = session.tree
        self._wants = list(wants)
        for want in self._wants[:2]:
            if want.question.quick and want.key not in self.found:
                self.found[want.key] = counted(want, FIRST)
        wanted = self._pick()
        if self._job and (not wanted or wanted[0].key != self._job.wants[0].key):
            self._job.flag.cancel()
        if wanted and not self._job:
            self._start(wanted)

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

    def _start(self, wants: list[Want]) -> None:
        rounds = [(want.view, want.question.name, self._samples(want)) for want in wants]
        job = self._job = Job(wants)
        if aside(partial(_count, rounds, job.flag), self._done, pool, PAUSE):
            return
        self._end(job)
        if self._wants[0].key not in self.found:
            self.found[self._wants[0].key] = counted(self._wants[0], FIRST)

    def _end(self, job: Job) -> None:
        self._job = None
        job.flag.close()

    def _samples(self, want: Want) -> int:
        found = self.found.get(want.key)
        return FIRST if found is None else min(found.n * TIMES, MOST)

    def _done(self, told: asyncio.Future[list[Found]]) -> None:
        job = self._job
        assert job is not None
        kept = not job.flag()
        self._end(job)
        try:
            news = told.result()
        except BrokenExecutor as fault:  # the process has died: over this, perhaps
            news = [Found(None, fault)]
        self.found.update((want.key, found) for want, found in zip(job.wants, news, strict=False))
        if news and kept:
            self.show()
        if not self._job and (more := self._pick()):  # to show may have started another
            self._start(more)


def _count(rounds: list[Round], cancelled: Callable[[], bool]) -> list[Found]:
    """The answers to some questions, to the first of them as many as there is time for; one that was cut short is none."""
    began, told = perf_counter(), []
    for view, question, n in rounds:
        if cancelled():
            break
        found = _answered(view, question, n, cancelled)
        if cancelled():
            break
        told.append(found)
        if perf_counter() - began > TURN:
            break
    return told


def counted(want: Want, n: int, cancelled: Callable[[], bool] = lambda: False) -> Found:
    """The answer to a want with so many samples."""
    return _answered(want.view, want.question.name, n, cancelled)


def _answered(view: Any, question: str, n: int, cancelled: Callable[[], bool]) -> Found:
    began = perf_counter()
    try:
        answer = ask(view, question, n=n, cancelled=cancelled)
    except Exception as fault:  # it is shown where the answer would stand
        return Found(None, fault)
    return Found(answer, None, n, perf_counter() - began)
