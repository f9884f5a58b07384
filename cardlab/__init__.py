"""Three little-known card games, played by the rules, recorded and explained.

Only the standard library is needed; the odds, the widgets and the page are loaded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
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
from cardlab.players import Expert, RandomPlayer, Sensible, Still

if TYPE_CHECKING:
    from cardlab.chance import Answer
    from cardlab.core.game import AnyGame
    from cardlab.desk import Desk
    from cardlab.notebook import Stepper
    from cardlab.notebook.demo import Demonstration
    from cardlab.simulation import Match, Policy, Simulation

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
    "Expert",
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
    "demo",
    "game",
    "match",
    "open",
    "simulate",
    "step",
]


def ask(of: Any, question: str, seat: Any = None, **options: Any) -> Answer[Any]:
    """What may happen at the moment of a session or a view: ``ask(session, "last_player")``; see ``cardlab questions GAME``.

    >>> ask(Session(game("suicide_king", players=3)), "last_player").exact
    True
    """
    from cardlab.chance import ask as answer

    return answer(of, question, seat, **options)


def demo(name: str, seed: int = 1, language: str | None = None, dark: bool = False, **choices: Any) -> Demonstration:
    """A demonstration of chance for a notebook: ``demo("first_match", players=4).more(1000)``; see ``cardlab.demos``.

    >>> demo("first_match", players=4, seed=7).more(1000).games
    1000
    """
    from cardlab.notebook.demo import Demonstration

    return Demonstration(name, seed, language, dark, **choices)


def match(players: Sequence[str], game: str | AnyGame, games: int, **options: Any) -> Match:
    """Computer players with the same deals from every seat: ``match(["sensible", "random"], "poker_marshal", 1000, seed=7)``.

    See ``cardlab.simulation``.

    >>> match(["sensible", "random"], "suicide_king", 100, seats=3).deals
    300
    """
    from cardlab.simulation import match as run

    return run(players, game, games, **options)


def simulate(what: str | AnyGame, games: int, policy: Policy = "random", **options: Any) -> Simulation:
    """Plays many games and counts: ``simulate("suicide_king", 1_000_000, "still", players=4, seed=7)``; see ``cardlab.simulation``.

    >>> simulate("suicide_king", 1000, players=3, king_of_hearts="ends_deal").games
    1000
    """
    from cardlab.simulation import simulate as run

    return run(what, games, policy, **options)


def open(what: str | AnyGame, seed: int, index: int, policy: Policy = "random", **options: Any) -> Session:
    """The session of a simulated game, played to its end and standing at its start: ``open("poker_marshal", seed=7, index=12)``.

    ``policy`` names who played, as in ``simulate``; ``players``, ``preset`` and house rules are options. Raises BadRequest, BadGame.

    >>> open("suicide_king", seed=7, index=12, players=3)
    <Session game('suicide_king', players=3) seed=7, index=12 step 0 of 106>
    """
    from cardlab.simulation import open_game

    return open_game(what, seed, index, policy, **options)


def __getattr__(name: str) -> Any:
    """Loaded when asked for: ``dashboard("poker_marshal")``, the page of a game in a notebook, which needs Panel, and ``lessons``."""
    if name in ("dashboard", "lessons"):
        return import_module(f"cardlab.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def step(what: str | Session | Record | Desk, /, **options: Any) -> Stepper:
    """The stepper of a game for a notebook: ``step("suicide_king", players=4, seed=7, language="ru", seat=0)``.

    Steps through a session, a record or a desk, too; needs ipywidgets and anywidget.
    """
    from cardlab.notebook import Stepper

    return Stepper(what, **options)
