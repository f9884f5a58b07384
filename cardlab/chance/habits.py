"""How probable a choice is: for a computer player by what it does, for anybody else as ``worlds`` takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import Action, AnyGame, Moves
from cardlab.core.registry import Player, assumed

Players = str | Player | Mapping[int, str | Player]
Chances = dict[Action, Fraction]
NO_ANSWER: Final = ("silent", "pass")
ONE_OF_ITS_KIND: Final = ("lay", "give", "show")
ANY_AT_ALL: Final = ("fight", "stay", "drop", "continue", "refuse")


def seated(game: AnyGame, viewer: Viewer, players: Players) -> dict[Seat, Player]:
    """The assumed player of each seat but the viewer's own, whose choices tell him nothing; one for all, or by seat.

    Raises BadRequest for a seat that does not exist, for an unknown player and for one that simulates others itself.
    """
    if not isinstance(players, Mapping):
        return dict.fromkeys((seat for seat in game.seats if seat != viewer), assumed(players))
    found: dict[Seat, Player] = {}
    for given, named in players.items():
        seat = game.viewer(given)
        if not isinstance(seat, Seat):
            raise BadRequest("error.viewer", viewer=quoted(given), last=game.players - 1)
        if seat != viewer:
            found[seat] = assumed(named)
        else:
            assumed(named)
    return found


def chances_of(chooser: Player, game: AnyGame, view: Any, legal: Moves) -> Chances:
    """The chance of each move that a player may choose.

    A decision has one number u, even from 0 to 1, and ``below(m)`` is the whole part of m·u: the player is asked for the least u at which
    some answer of ``below`` changes, again and again, and a move's chance is the length of the stretches on which it is chosen.

    >>> from cardlab.players import RandomPlayer
    >>> moves = tuple(map(Action.parse, ("play 2C", "play 3C", "play 4C")))
    >>> chances_of(RandomPlayer(), None, None, moves)[moves[2]]
    Fraction(1, 3)
    """
    if len(legal) == 1:
        return {legal[0]: Fraction(1)}
    found: Chances = {}
    u = Fraction(0)
    while u < 1:
        changes = [Fraction(1)]
        action = chooser.choose(game, view, legal, _number(u, changes))
        found[action] = found.get(action, Fraction(0)) + min(changes) - u
        u = min(changes)
    return found


def _number(u: Fraction, changes: list[Fraction]) -> Callable[[int], int]:
    def below(m: int) -> int:
        value = int(m * u)
        changes.append(Fraction(value + 1, m))
        return value

    return below


def untold(legal: Moves, accept: Fraction) -> Chances:
    """What a choice weighs that tells nothing: where it may be hidden any of its kind alike, an answer to an offer as ``accept`` says."""
    verbs = [action.verb for action in legal]
    if len(legal) > 1 and not {*NO_ANSWER}.isdisjoint(verbs):
        return {action: 1 - accept if action.verb in NO_ANSWER else accept / (len(legal) - 1) for action in legal}
    if verbs[0] in ANY_AT_ALL:
        return dict.fromkeys(legal, Fraction(1, len(legal)))
    return {action: Fraction(1, verbs.count(action.verb)) if action.verb in ONE_OF_ITS_KIND else Fraction(1) for action in legal}
