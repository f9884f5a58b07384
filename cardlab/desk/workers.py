"""Processes that count for the sessions of a server: what takes its time in plain Python would else hold up every other page."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.sharedctypes import RawArray
from typing import Any, Final

PLACES: Final = 4096  # so many jobs at most are under way
KIND: Final = 10  # by so much the pages come first where the processors are few
_cancelled: Any = bytearray(PLACES)  # by place; shared with the processes, once there are any


class Flag:
    """Whether a job is cancelled: said here, and heard wherever the job is done.

    >>> flag = Flag()
    >>> flag(), flag.cancel(), flag(), flag.close()
    (False, None, True, None)
    """

    _free: Final = list(range(PLACES))

    def __init__(self) -> None:
        self.place = self._free.pop()
        _cancelled[self.place] = False

    def __call__(self) -> bool:
        return bool(_cancelled[self.place])

    def cancel(self) -> None:
        """The job is to end soon."""
        _cancelled[self.place] = True

    def close(self) -> None:
        """The job has ended: another may have its place."""
        self._free.append(self.place)


class Workers(Executor):
    """An executor of so many processes; one that has died is replaced, and its jobs fail with BrokenExecutor.

    ``begun`` is called in each process when it starts: there it may load what is needed later.
    """

    def __init__(self, processes: int, begun: Callable[[], Any] | None = None) -> None:
        global _cancelled
        self._context = get_context("spawn")  # a fork would take the threads' locks along
        _cancelled = RawArray("b", PLACES)
        self._processes, self._begun = processes, begun
        self._pool = self._made()

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._processes, self._context, _begin, (_cancelled, self._begun))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """What a function that can be imported says, in one of the processes."""
        try:
            return self._pool.submit(fn, *args, **options)
        except BrokenExecutor:
            self._pool = self._made()
            return self._pool.submit(fn, *args, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _begin(cancelled: Any, begun: Callable[[], Any] | None) -> None:
    global _cancelled
    _cancelled = cancelled
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its processes
    if hasattr(os, "nice"):
        os.nice(KIND)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begun is not None:
        begun()


def _end_with_parent() -> None:
    """A server that was killed can end nobody."""
    parent = parent_process()
    if parent is not None:
        with contextlib.suppress(OSError):
            parent.join()
        os._exit(0)
