"""The two players that think nothing: one keeps still, one does anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cardlab.core.game import Action, AnyGame, Moves, View

QUIET: Final = frozenset({"stand", "stay", "continue", "enough", "silent", "pass", "nobody", "keep"})
LEAVING: Final = frozenset({"drop", "refuse"})


class Still:
    """Never exchanges, swaps, offers, accepts, redraws, refuses or drops; takes piles in order; otherwise any legal move alike."""

    looks = False

    def choose(self, game: AnyGame, view: View, legal: Moves, below: Callable[[int], int]) -> Action:
        """The quiet move if there is one."""
        quiet = [action for action in legal if action.verb in QUIET or (action.verb == "take" and action.number == 0)]
        if quiet:
            return quiet[0]
        return legal[0] if legal[0].verb == "take" else legal[below(len(legal))]


class RandomPlayer:
    """Any legal move alike, but refuses or drops one time in twenty."""

    looks = False

    def choose(self, game: AnyGame, view: View, legal: Moves, below: Callable[[int], int]) -> Action:
        """A move by this decision's number."""
        leaving = [action for action in legal if action.verb in LEAVING]
        if leaving:
            staying = [action for action in legal if action.verb not in LEAVING]
            return leaving[0] if below(20) == 0 else staying[0]
        return legal[below(len(legal))]
