"""The games and the computer players by name; their rooms put them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from cardlab.core.errors import BadGame, BadRequest, quoted
from cardlab.core.game import Action, AnyGame, Moves, View


class Player(Protocol):
    """A computer player: it sees a view, never a state; one with ``looks = False`` gets a blank view.

    One with ``simulates = True`` plays games on in its mind, so that nobody does so with it in them.
    """

    def choose(self, game: AnyGame, view: View, legal: Moves, below: Callable[[int], int]) -> Action:
        """One of the legal moves; ``below(m)`` is this decision's random number, from 0 to m - 1."""


GAMES: Final[dict[str, type[AnyGame]]] = {}
PLAYERS: Final[dict[str, Player]] = {}


def game(name: str, players: int | None = None, preset: str = "default", **house_rules: Any) -> AnyGame:
    """A game by name, for a number of players, with a preset and house rules.

    Raises BadRequest for an unknown name, BadGame for players or house rules that do not fit.

    >>> game("suicide_king", players=3, extra_cards="batch")
    game('suicide_king', players=3, extra_cards='batch')
    """
    if name not in GAMES:
        raise BadRequest("error.game", name=quoted(name), names=", ".join(GAMES))
    kind = GAMES[name]
    if "size" in house_rules:  # other packs are for tests, which make their games themselves
        raise BadGame("error.house_rule", rule=f"{kind.letters}-0", name="size", keys=", ".join(kind.rules_type.options()))
    return kind(players, preset, **house_rules)


def player(named: str | Player) -> Player:
    """A computer player by name; a player itself is returned as it is. Raises BadRequest."""
    if not isinstance(named, str):
        return named
    if named not in PLAYERS:
        raise BadRequest("error.player", name=quoted(named), names=", ".join(PLAYERS))
    return PLAYERS[named]


def assumable() -> list[str]:
    """The computer players whose behaviour can be assumed: all but those that simulate others themselves."""
    return [name for name, known in PLAYERS.items() if not getattr(known, "simulates", False)]


def assumed(named: str | Player) -> Player:
    """A computer player whose behaviour is assumed, by name or itself; raises BadRequest, too, for one that simulates others itself."""
    found = player(named)
    if getattr(found, "simulates", False):
        raise BadRequest("error.assumed", name=quoted(named), names=", ".join(assumable()))
    return found
