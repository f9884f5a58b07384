"""The compiled twins: the games said once more, for millions of deals; card for card what the engine plays.

One module a game with the same functions: ``covers`` says whether the twin knows such a game and such players, ``play`` plays whole games
by (seed, index), ``figures`` and ``scores`` are what a simulation and a match count of them, ``trace`` gives the actions of one game as
the engine writes them. ``rollouts`` play on from a moment: in Suicide King from a view, in the other games from ``starts``, engine states
by the thousand, a row each; ``rollout_trace`` gives the actions of one. A game is a function of (seed, index) alone: neither the batch
it is played in nor the thread changes it.

Needs ``cardlab[fast]``. Nothing is loaded or compiled here; a kernel is compiled when it is first called, and kept on the disk.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def available() -> bool:
    """Whether NumPy and Numba are installed, without loading them.

    >>> available() in (True, False)
    True
    """
    return find_spec("numpy") is not None and find_spec("numba") is not None


def processors() -> int:
    """How many processors this process may use: as many threads are worth while, as kernels release the interpreter's lock."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def twin(name: str) -> Any:
    """The module of a game's twin, by the game's name."""
    return import_module(f"cardlab.fast.{name}")
