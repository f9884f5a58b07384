"""How many tricks a player of Fight for the Lead can force when all the others play together against him: many deals of open cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.fast.fight_choices import ALL, HAND, suit_of
from cardlab.fast.jit import compiled, lean, ones
from cardlab.fast.sets import NONE, lowest
from cardlab.fast.streams import U

FIVE: Final = 5  # seats at most
DEEPEST: Final = FIVE * HAND + 1  # cards played one after another
WANTED, LEFT, MOVER, PLAYED, BEST = range(5)  # tricks wanted, tricks left, who plays next, how many have played, whose the best card is
LED, TOP, HELD, CHOICES = range(4)  # all cards of the suit led, the best one; the hand, the cards of it not tried yet


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
def _enter(frames: Any, sets: Any, d: Any, wanted: Any, left: Any, mover: Any, played: Any, best: Any, led: Any, top: Any) -> None:
    """A position to be searched, at a depth of the stack."""
    frames[d, WANTED], frames[d, LEFT], frames[d, MOVER], frames[d, PLAYED], frames[d, BEST] = wanted, left, mover, played, best
    sets[d, LED], sets[d, TOP] = led, top


@lean
def _takes(hands: Any, players: Any, me: Any, frames: Any, sets: Any) -> Any:
    """Whether a player can take what is wanted in the first position, all others playing against him.

    The stack is our own: kernels that call themselves cannot be kept on the disk.
    """
    d, known, takes = 0, False, False
    while True:
        mover = frames[d, MOVER]
        if known:  # the position at this depth: so is a card of the one before it
            if d == 0:
                return takes
            d -= 1
            mover = frames[d, MOVER]
            known = takes == (mover == me) or sets[d, CHOICES] == NONE
            if known:
                hands[mover] = sets[d, HELD]
                continue
        else:
            if frames[d, WANTED] <= 0 or frames[d, WANTED] > frames[d, LEFT]:
                known, takes = True, frames[d, WANTED] <= 0
                continue
            hand, led = hands[mover], sets[d, LED]
            sets[d, HELD], sets[d, CHOICES] = hand, hand & led if hand & led else hand
        card = lowest(sets[d, CHOICES])
        sets[d, CHOICES] ^= card
        hands[mover] = sets[d, HELD] ^ card
        suit = sets[d, LED] if frames[d, PLAYED] else suit_of(card)
        wins = card & suit > sets[d, TOP]
        best = mover if wins else frames[d, BEST]
        wanted, left = frames[d, WANTED], frames[d, LEFT]
        if frames[d, PLAYED] + 1 == players:
            _enter(frames, sets, d + 1, wanted - (best == me), left - 1, best, 0, best, ALL, NONE)
        else:
            after = mover + 1 if mover + 1 < players else 0
            _enter(frames, sets, d + 1, wanted, left, after, frames[d, PLAYED] + 1, best, suit, card if wins else sets[d, TOP])
        d += 1


@compiled
def _forced(dealt: Any, columns: Any, held: Any, mover: Any, played: Any, led: Any, top: Any, best: Any, me: Any, found: Any) -> None:
    hands, players = np.empty(FIVE, np.uint64), len(held)
    frames, sets = np.empty((DEEPEST, 5), np.int64), np.empty((DEEPEST, 4), np.uint64)
    for row in range(len(found)):
        for seat in range(players):
            hands[seat] = held[seat] if columns[seat] < 0 else dealt[row, columns[seat]]
        left = 0
        for seat in range(players):
            left = max(left, ones(hands[seat]))
        wanted = left
        while True:
            _enter(frames, sets, 0, wanted, left, mover, played, best, led, top)
            if _takes(hands, players, me, frames, sets):
                break
            wanted -= 1
        found[row] = wanted
