"""A run of more games in a thread of its own, which says how far it is and can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Event
from time import monotonic
from typing import Any, Final

from cardlab import fast
from cardlab.demos import Demo
from cardlab.desk.aside import aside

EVERY: Final = 0.25  # seconds between two words of how far it is
POOL: Final = ThreadPoolExecutor(max(2, fast.processors()), "demos")


class Run:
    """So many games more of a demonstration; ``told`` is called from the thread, ``ended`` on the loop that began it.

    Without a running loop, as in a test, the games are played at once.
    """

    def __init__(self, demo: Demo, games: int, told: Callable[[], Any], ended: Callable[[Run], Any]) -> None:
        self.demo, self.games, self.done = demo, games, 0
        self.fault: BaseException | None = None
        self._told, self._ended, self._last = told, ended, monotonic()
        self._cancelled = Event()

    def start(self) -> None:
        """Begins."""
        if not aside(self._play, lambda future: self._ended(self), POOL):
            self._play()
            self._ended(self)

    def cancel(self) -> None:
        """Ends soon; what is played stays."""
        self._cancelled.set()

    def _play(self) -> None:
        try:
            self.demo.exact  # noqa: B018  # counted here, where nobody waits for it
            import_module("cardlab.charts")  # and so are the libraries of the picture loaded
            if self.games:
                self.demo.more(self.games, self._tell, self._cancelled.is_set)
        except Exception as fault:
            self.fault = fault

    def _tell(self, done: int, games: int) -> None:
        self.done = done
        if monotonic() - self._last >= EVERY:
            self._last = monotonic()
            self._told()
