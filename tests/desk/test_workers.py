"""Processes that count: they are others, they hear that a job is cancelled, and one that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor

import pytest

from cardlab.core.events import TEACHER
from cardlab.desk import Desk, counting
from cardlab.desk.questions import Asking
from cardlab.desk.workers import Flag, Workers


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(1) as made:
        yield made


def until(flag: Flag, seconds: float) -> bool:
    """Whether a flag was heard within so many seconds."""
    end = time.monotonic() + seconds
    while not flag() and time.monotonic() < end:
        time.sleep(0.01)
    return flag()


def die() -> None:
    """What a process does that the system has killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_work_is_done_elsewhere(workers: Workers) -> None:
    assert workers.submit(os.getpid).result(60) != os.getpid()


def test_a_process_hears_that_its_job_is_cancelled(workers: Workers) -> None:
    flag, other = Flag(), Flag()
    working = workers.submit(until, flag, 60)
    other.cancel()
    assert not working.done()
    flag.cancel()
    assert working.result(60)
    flag.close()
    other.close()
    assert not workers.submit(until, Flag(), 0.05).result(60)  # a place that is taken anew is not cancelled


def test_a_process_that_dies_is_replaced(workers: Workers) -> None:
    with pytest.raises(BrokenExecutor):
        workers.submit(die).result(60)
    assert workers.submit(os.getpid).result(60) != os.getpid()


def test_a_screen_gets_the_answers_that_its_own_threads_would_count(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "pool", workers)
    monkeypatch.setattr(counting, "MOST", counting.FIRST)
    desk = Desk("fight_for_the_lead", players=3, seed=7)
    for _ in range(4):
        desk.step()

    async def answered() -> object:
        come = asyncio.Event()
        asking = Asking(come.set)
        asking.lines(desk)
        while asking.answer is None:
            come.clear()
            await asyncio.wait_for(come.wait(), 60)
        found = asking.answer
        asking.rest(desk)
        return found

    assert asyncio.run(answered()) == counting.ask(desk.session.view(TEACHER), "no_trick", n=counting.FIRST)


def test_a_job_whose_process_dies_says_so_where_the_answer_would_stand(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "pool", workers)
    monkeypatch.setattr(counting, "_count", _dies)
    desk = Desk("fight_for_the_lead", players=3, seed=7)

    async def told() -> str:
        come = asyncio.Event()
        asking = Asking(come.set)
        asking.lines(desk)
        await asyncio.wait_for(come.wait(), 60)
        shown = "".join(asking.lines(desk))
        asking.rest(desk)
        return shown

    assert "process" in asyncio.run(told())


def _dies(rounds: object, flag: object) -> None:
    die()
