"""Three little-known card games, played by the rules, recorded and explained.

Only the standard library is needed; the widgets, the page and the charts are loaded when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardlab.cards import Bag, Card, best
from cardlab.core.dealer import Scripted, Seeded
from cardlab.core.errors import BadGame, BadRecord, BadRequest, IllegalAction
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import CHANCE, OVER, Action
from cardlab.core.record import Record
from cardlab.core.registry import GAMES, PLAYERS, game
from cardlab.core.session import Session
from cardlab.games import FightForTheLead, PokerMarshal, SuicideKing
from cardlab.players import RandomPlayer, Sensible, Still

if TYPE_CHECKING:
    from cardlab.notebook import Stepper

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "GAMES",
    "OVER",
    "PLAYERS",
    "TEACHER",
    "Action",
    "BadGame",
    "BadRecord",
    "BadRequest",
    "Bag",
    "Card",
    "FightForTheLead",
    "IllegalAction",
    "PokerMarshal",
    "RandomPlayer",
    "Record",
    "Scripted",
    "Seat",
    "Seeded",
    "Sensible",
    "Session",
    "Still",
    "SuicideKing",
    "best",
    "game",
    "step",
]


def step(name: str, /, **options: Any) -> Stepper:
    """The stepper of a game for a notebook: ``step("suicide_king", players=4, seed=7, language="ru", seat=0)``; needs ipywidgets."""
    from cardlab.notebook import Stepper

    return Stepper(name, **options)
