"""A clock for Play: it ticks as a task of the running event loop, or in a thread where none runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class Ticker:
    """Calls ``tick`` after each ``wait()`` seconds until it returns False or raises, or until ``stop``."""

    def __init__(self, tick: Callable[[], bool], wait: Callable[[], float]) -> None:
        self.tick, self.wait = tick, wait
        self.task: asyncio.Task[None] | None = None
        self._stopped = threading.Event()
        self._stopped.set()

    @property
    def running(self) -> bool:
        """Whether it ticks."""
        return not self._stopped.is_set()

    def start(self) -> None:
        """Begins to tick; where it ticks already nothing happens."""
        if self.running:
            return
        stopped = self._stopped = threading.Event()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            threading.Thread(target=self._in_thread, args=(stopped,), daemon=True).start()
        else:
            self.task = loop.create_task(self._in_loop(stopped))

    def stop(self) -> None:
        """Ticks no more."""
        self._stopped.set()

    def _once(self, stopped: threading.Event) -> None:
        try:
            going_on = self.tick()
        except BaseException:
            stopped.set()
            raise
        if not going_on:
            stopped.set()

    async def _in_loop(self, stopped: threading.Event) -> None:
        while not stopped.is_set():
            await asyncio.sleep(self.wait())
            if not stopped.is_set():
                self._once(stopped)

    def _in_thread(self, stopped: threading.Event) -> None:
        while not stopped.wait(self.wait()):
            self._once(stopped)
