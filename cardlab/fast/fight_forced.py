"""How many tricks a player of Fight for the Lead can force when all the others play together against him: many deals of open cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.fast.fight_choices import ALL, NONE, lowest, suit_of
from cardlab.fast.jit import compiled, lean, ones
from cardlab.fast.streams import U

FIVE: Final = 5  # seats at most


class Trick(NamedTuple):
    """The trick on the table: who plays next, how many have played, all cards of the suit led or none, the best card, and whose it is."""

    mover: int
    played: int
    led: int
    top: int
    best: int


def forced(dealt: NDArray[np.uint64], columns: Sequence[int], hands: Sequence[int], trick: Trick, seat: int) -> NDArray[np.int64]:
    """The tricks to come that the player at ``seat`` takes whatever the others do, in each row.

    ``hands`` are the sets of cards clockwise; where a hand's column is not -1 it is read there, row by row.
    """
    found = np.empty(len(dealt), np.int64)
    held, where = np.array(hands, np.uint64), np.array(columns, np.int64)
    led = U(trick.led) if trick.led else ALL
    _forced(dealt, where, held, trick.mover, trick.played, led, U(trick.top), trick.best, seat, found)
    return found


@lean
def _takes(hands: Any, players: Any, me: Any, wanted: Any, left: Any, mover: Any, played: Any, led: Any, top: Any, best: Any) -> Any:
    """Whether a player can take so many of the tricks left, the one on the table included."""
    if wanted <= 0:
        return True
    if wanted > left:
        return False
    hand = hands[mover]
    choices = hand & led if hand & led else hand
    while choices:
        card = lowest(choices)
        choices ^= card
        hands[mover] = hand ^ card
        suit = suit_of(card) if played == 0 else led
        wins = card & suit > top
        now_best = mover if wins else best
        if played + 1 == players:
            takes = _takes(hands, players, me, wanted - (now_best == me), left - 1, now_best, 0, ALL, NONE, now_best)
        else:
            after = mover + 1 if mover + 1 < players else 0
            takes = _takes(hands, players, me, wanted, left, after, played + 1, suit, card if wins else top, now_best)
        if takes == (mover == me):
            hands[mover] = hand
            return takes
    hands[mover] = hand
    return mover != me


@compiled
def _forced(dealt: Any, columns: Any, held: Any, mover: Any, played: Any, led: Any, top: Any, best: Any, me: Any, found: Any) -> None:
    hands, players = np.empty(FIVE, np.uint64), len(held)
    for row in range(len(found)):
        for seat in range(players):
            hands[seat] = held[seat] if columns[seat] < 0 else dealt[row, columns[seat]]
        left = 0
        for seat in range(players):
            left = max(left, ones(hands[seat]))
        wanted = left
        while not _takes(hands, players, me, wanted, left, mover, played, led, top, best):
            wanted -= 1
        found[row] = wanted
