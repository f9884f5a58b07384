"""Errors in callbacks are shown on the screen: widget libraries only log them, where nobody looks."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Protocol

from cardlab.words.errors import CardlabError


class Screen(Protocol):
    """What a guarded callback belongs to."""

    drawing: bool
    lock: RLock

    def redraw(self) -> None: ...
    def show_error(self, fault: Exception | None) -> None: ...


def guarded(callback: Callable[..., Any]) -> Callable[..., None]:
    """A callback of a screen: afterwards the screen is drawn anew, and what went wrong is shown on it.

    A refusal (CardlabError) ends there. Anything else is a fault of cardlab, and under pytest, in notebooks too, it is raised again.
    Changes that the screen itself makes while it draws call nothing.
    """

    def whole(screen: Screen, *args: Any) -> None:
        screen.show_error(None)
        try:
            callback(screen, *args)
        except CardlabError as refusal:
            screen.show_error(refusal)
        screen.redraw()

    return watched(wraps(callback)(whole))


def watched(callback: Callable[..., Any]) -> Callable[..., None]:
    """A callback that draws by itself what it changes, and leaves alone what the strip says, as long as nothing goes wrong."""

    @wraps(callback)
    def run(screen: Screen, *args: Any) -> None:
        with screen.lock:  # first, for the clock may draw in another thread
            if screen.drawing:
                return
            try:
                callback(screen, *args)
            except Exception as fault:
                screen.show_error(fault)
                if "PYTEST_VERSION" in os.environ:
                    raise

    return run
