"""Many games played and counted: the same numbers however the work is split, and every game can be opened again.

>>> found = simulate("poker_marshal", 2, "still", seed=7, deals=1)
>>> found.games, len(found.tables["transitions"])
(2, 5)
"""

from __future__ import annotations

from cardlab.simulation.match import Match, match
from cardlab.simulation.plan import Plan, Policy
from cardlab.simulation.results import Simulation, open_game
from cardlab.simulation.run import simulate

__all__ = ["Match", "Plan", "Policy", "Simulation", "match", "open_game", "simulate"]
