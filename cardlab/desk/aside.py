"""Work beside the event loop of a screen, so that its table never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


def aside(work: Callable[[], Any], done: Callable[[asyncio.Future[Any]], Any], pool: Executor | None = None) -> bool:
    """Runs ``work`` beside the running event loop and ``done`` on it afterwards; ``False`` where there is none, or it comes to its end.

    ``pool`` has the threads for it, else the loop's own do it.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as pool:  # no loop runs in its threads
    ...     pool.submit(aside, print, print).result()
    False
    """
    try:
        asyncio.get_running_loop().run_in_executor(pool, work).add_done_callback(done)
    except RuntimeError:
        return False
    return True
