"""Sets of cards in Poker Marshal, compiled: what they are worth, which of them make the hand, and which are spare.

Sets of cards and books (``by``) are as in ``marshal_table``; values of hands are those of ``cardlab.fast.hands``.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardlab.cards.card import CARDS
from cardlab.cards.hands import BEST_OF, LARGEST
from cardlab.fast.hands import (
    FLUSH,
    FULL_HOUSE,
    FULL_SUITS,
    KEYS,
    PLACES,
    RANKS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITS,
    TWO_PAIRS,
    WILD,
    first_key,
    place,
)
from cardlab.fast.jit import lean, ones
from cardlab.fast.sets import NONE, ONE, code, lowest
from cardlab.fast.streams import U

PLAIN: Final = U(2**52 - 1)  # all cards but the jokers: those that pass between players, and the pack of a title draw
ALL: Final = U(2 ** len(CARDS) - 1)
SUIT: Final = U(2**RANKS - 1)
RANK: Final = U(sum(1 << RANKS * suit for suit in range(4)))  # the cards of the lowest rank
HELD: Final = 10  # cards at most in a hand, after ``take_then_give``


def _left_out() -> NDArray[np.uint16]:
    """By [cards, number]: which cards of more than seven the combination of that number leaves out, as bits; 0 after the last one."""
    table = np.zeros((HELD + 1, 120), dtype=np.uint16)
    for cards in range(LARGEST + 1, HELD + 1):
        for n, kept in enumerate(combinations(range(cards), LARGEST)):
            table[cards, n] = sum(1 << k for k in range(cards) if k not in kept)
    return table


LEFT_OUT: Final = _left_out()


@lean
def nth(cards: Any, k: Any) -> Any:
    """The k-th card by code, from 0: in six steps, each of which looks how many cards lie in the lower half of what is left."""
    at = 0
    for half in (32, 16, 8, 4, 2, 1):
        below = ones(cards >> U(at) & ((ONE << U(half)) - ONE))
        over = k >= below
        k -= below * over
        at += half * over
    return ONE << U(at)


@lean
def least(cards: Any) -> Any:
    """The card of the lowest rank, of equal ones the first; no card of none."""
    for rank in range(RANKS):
        found = cards & (RANK << U(rank))
        if found:
            return lowest(found)
    return NONE


# what a hand is worth


@lean
def key_of(cards: Any) -> Any:
    """The sum of the keys of some cards."""
    key = NONE
    while cards:
        card = lowest(cards)
        key += KEYS[U(code(card))]
        cards ^= card
    return key


@lean
def value(by: Any, cards: Any, key: Any, n: Any) -> Any:
    """The value of three to seven cards; ``key`` is the sum of their keys and ``first_key``."""
    best = np.int64(by.by_ranks[place(by.low, by.high, by.begin, key, n)])
    if key & FULL_SUITS:
        suited = by.by_suit[U(min(n, BEST_OF)), key >> U(WILD), cards >> U(RANKS * full_suit(key)) & SUIT]
        best = max(best, np.int64(suited))
    return best


@lean
def full_suit(key: Any) -> Any:
    """The suit with enough cards: there is one at most."""
    return ones(lowest(key & FULL_SUITS) - ONE) - SUITS - 3 >> 2


@lean
def worth(by: Any, cards: Any) -> Any:
    """The value of three to seven cards."""
    n = ones(cards)
    return value(by, cards, first_key(n) + key_of(cards), n)


# which cards make a hand


@lean
def _best_seven(by: Any, cards: Any) -> Any:
    """Of up to ten cards the first combination of seven, in the engine's order, that none beats."""
    n = ones(cards)
    if n <= LARGEST:
        return cards
    whole = first_key(n) + key_of(cards)
    best, found = 0, cards
    for out in LEFT_OUT[n]:
        if out == 0:
            break
        key, kept, left = whole, cards, U(out)
        while left:
            card = nth(cards, code(lowest(left)))
            key -= KEYS[U(code(card))]
            kept ^= card
            left &= left - ONE
        here = value(by, kept, key, LARGEST)
        if here > best:
            best, found = here, kept
    return found


@lean
def _of_rank(cards: Any, rank: Any) -> Any:
    return cards & (RANK << U(rank))


@lean
def _highest(cards: Any) -> Any:
    """The last card by code; no card of none."""
    while cards & (cards - ONE):
        cards &= cards - ONE
    return cards


@lean
def _in_line(cards: Any, top: Any, size: Any) -> Any:
    """The cards that stand in a straight: of a rank the last suit comes first."""
    line = NONE
    for k in range(size):
        line |= _highest(_of_rank(cards, top - k if top >= k else RANKS - 1))
    return line


@lean
def _deciding(made: Any, k: Any) -> Any:
    """The k-th rank that decides."""
    return (made >> 4 * (PLACES - 1 - k) + 3 & 15) - 1


@lean
def _core(by: Any, cards: Any) -> Any:
    """The cards without kickers of the best hand of three to seven cards; of jokers nothing is said."""
    n = ones(cards)
    key = first_key(n) + key_of(cards)
    made = by.made[U(value(by, cards, key, n))]
    category, size = made >> 3 + 4 * PLACES, made & 7
    plain = cards & PLAIN
    if category in (STRAIGHT, STRAIGHT_FLUSH):
        suited = SUIT << U(RANKS * full_suit(key)) if category == STRAIGHT_FLUSH else PLAIN
        return _in_line(plain & suited, _deciding(made, 0), size)
    if category == FLUSH:
        suited, line = plain & SUIT << U(RANKS * full_suit(key)), NONE
        for k in range(size):
            line |= _of_rank(suited, _deciding(made, k))
        return line
    core = _of_rank(plain, _deciding(made, 0))
    if category in (TWO_PAIRS, FULL_HOUSE):
        pair = _of_rank(plain, _deciding(made, 1))
        if category == FULL_HOUSE:  # of three cards the first one is left over
            pair ^= lowest(pair) * U(ones(pair) > 2)
        core |= pair
    return core


@lean
def spare(by: Any, cards: Any) -> Any:
    """The cards that may pass and do not make the hand."""
    return cards & PLAIN & ~_core(by, _best_seven(by, cards))
