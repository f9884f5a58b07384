"""Computer players: they see a view and their legal moves, never a state."""

from __future__ import annotations

from cardlab.core.registry import PLAYERS
from cardlab.players.expert import Expert
from cardlab.players.sensible import Sensible
from cardlab.players.simple import RandomPlayer, Still

PLAYERS.update(still=Still(), random=RandomPlayer(), sensible=Sensible(), expert=Expert())

__all__ = ["Expert", "RandomPlayer", "Sensible", "Still"]
