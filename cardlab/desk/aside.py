"""Work beside the event loop of a screen, so that its table never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


def aside(work: Callable[[], Any], done: Callable[[asyncio.Future[Any]], Any], pool: Executor | None = None, after: float = 0.0) -> bool:
    """Runs ``work`` beside the running event loop and ``done`` on it afterwards; ``False`` where there is none, or it comes to its end.

    ``pool`` has the threads or processes for it, else threads of the loop do it; they begin ``after`` so many seconds.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as pool:  # no loop runs in its threads
    ...     pool.submit(aside, print, print).result()
    False
    """
    try:
        loop = asyncio.get_running_loop()

    except RuntimeError:
        return False
    return _begin(loop, work, done, pool) if not after else bool(loop.call_later(after, _begin, loop, work, done, pool))


def _begin(
    loop: asyncio.AbstractEventLoop, work: Callable[[], Any], done: Callable[[asyncio.Future[Any]], Any], pool: Executor | None
) -> bool:
    try:
        loop.run_in_executor(pool, work).add_done_callback(done)
    except RuntimeError:  # the loop or the pool comes to its end
        return False
    return True
