"""Three little-known card games, played by the rules, recorded and explained.

Only the standard library is needed; the odds, the widgets and the page are loaded when they are asked for.
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
    from cardlab.chance import Answer
    from cardlab.desk import Desk
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
    "ask",
    "best",
    "game",
    "step",
]


def ask(of: Any, question: str, seat: Any = None, **options: Any) -> Answer[Any]:
    """What may happen at the moment of a session or a view: ``ask(session, "last_player")``; see ``cardlab questions GAME``.

    >>> ask(Session(game("suicide_king", players=3)), "last_player").exact
    True
    """
    from cardlab.chance import ask as answer

    return answer(of, question, seat, **options)


def step(what: str | Session | Record | Desk, /, **options: Any) -> Stepper:
    """The stepper of a game for a notebook: ``step("suicide_king", players=4, seed=7, language="ru", seat=0)``.

    Steps through a session, a record or a desk, too; needs ipywidgets and anywidget.
    """
    from cardlab.notebook import Stepper

    return Stepper(what, **options)
