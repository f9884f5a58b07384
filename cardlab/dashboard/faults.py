"""What goes wrong in a callback is shown in a strip on the page: Panel only logs it, where nobody looks."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import panel as pn

from cardlab.words.errors import CardlabError

log = logging.getLogger(__name__)
P = ParamSpec("P")


class Strip(Protocol):
    """What a guarded callback belongs to."""

    updating: bool

    def show_fault(self, fault: Exception | None) -> None: ...


T = TypeVar("T", bound=Strip)


def guarded(callback: Callable[Concatenate[T, P], Any]) -> Callable[Concatenate[T, P], None]:
    """A callback of a screen whose refusals and faults are shown there.

    A refusal (CardlabError) is an answer. Anything else is a fault of cardlab: it is logged, and raised again under pytest.
    Changes that the screen itself makes call nothing. What is pressed while the page still loads waits until it has: Panel would
    drop the answer, and the page would stay behind.
    """

    def attempt(screen: T, /, *args: P.args, **options: P.kwargs) -> None:
        try:
            callback(screen, *args, **options)
        except CardlabError as refusal:
            screen.show_fault(refusal)
        except Exception as fault:
            log.exception("a callback of the page failed")
            screen.show_fault(fault)
            if "PYTEST_VERSION" in os.environ:
                raise

    @wraps(callback)
    def run(screen: T, /, *args: P.args, **options: P.kwargs) -> None:
        if screen.updating:
            return
        if pn.state.loaded:
            attempt(screen, *args, **options)
        else:
            pn.state.onload(partial(attempt, screen, *args, **options))

    return run
