"""What the first deal of a game shows, for games by the million: the first turn of Suicide King, a hand of Poker Marshal as it is dealt,
who passed to which title. Game by game the same as in ``play``."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardlab.core.streams import DECK
from cardlab.fast import hands, poker_marshal
from cardlab.fast.jit import compiled, lean
from cardlab.fast.marshal_still import _worth
from cardlab.fast.marshal_table import DEALT, FIVE, HANDS, PACK, TABLE, book
from cardlab.fast.streams import U, deal_key, shuffled
from cardlab.fast.suicide_king import CARDS, EXTRA, KING_OF_HEARTS, _after, _lay, _one_card

PLACES: Final = np.array([FIVE**k for k in range(FIVE)], dtype=np.int64)


@compiled
def _turns(batch: Any, seed: Any, index: Any, lengths: Any) -> None:
    order, laid = np.empty(CARDS, np.uint8), np.empty(CARDS, np.uint8)
    for g in range(len(lengths)):
        _lay(order, laid, deal_key(seed, index + U(g), 0))
        owed, n, card = _one_card(), 0, np.int64(-1)
        while owed.due and n < CARDS and card != KING_OF_HEARTS:
            card = np.int64(laid[n])
            n += 1
            owed = _after(owed, np.int64(EXTRA[card]), batch)
        lengths[g] = n


@lean
def _hands(by: Any, tables: Any, seed: Any, index: Any, place: Any, size: Any, worths: Any) -> None:
    t = tables[0]
    for g in range(len(worths)):
        shuffled(t.deck, deal_key(seed, index + U(g), 0), DECK, PACK, DEALT)
        worths[g] = _worth(by, t, place, size)


def turns(batch: bool, seed: int, first: int, n: int) -> NDArray[np.uint8]:
    """How many cards the first turn takes in ``n`` games from an index on, the piles being taken in order.

    >>> turns(False, seed=7, first=0, n=8).tolist()
    [7, 7, 1, 1, 1, 4, 1, 1]
    """
    lengths = np.empty(n, np.uint8)
    _turns(batch, U(seed), U(first), lengths)
    return lengths


def dealt(short_hands: str, title: int, seed: int, first: int, n: int) -> NDArray[np.int64]:
    """The codes (``Hand.code``) of the hands that a title is dealt in the first deals of ``n`` games from an index on."""
    worths = np.empty(n, np.int64)
    place = int(HANDS[:title].sum())
    _hands(book(short_hands)[0], np.empty(1, TABLE), U(seed), U(first), place, int(HANDS[title]), worths)
    codes: NDArray[np.int64] = hands.tables(short_hands).made[worths]
    return codes


def passings(game: Any, policy: Any, seed: int, first: int, n: int) -> NDArray[np.int64]:
    """For games of one deal, a row each, the new title of the holder of each title."""
    games = poker_marshal.play(game, seed, first, n, policy)
    found: NDArray[np.int64] = games.moves.argmax(axis=2)
    return found
