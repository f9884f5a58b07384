"""What the computer players do in Fight for the Lead, compiled: the same moves for the same numbers as in ``cardlab.players``.

Cards are sets of bits, a bit for each code; a card is a set of one. Moves are sorted as the engine sorts them: cards and selections of
cards by these bits as a number.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardlab.cards.card import TEN
from cardlab.core.streams import CHOICES
from cardlab.fast.jit import lean, ones
from cardlab.fast.sets import NONE, ONE, code, lowest
from cardlab.fast.streams import U, below, word

POLICIES: Final = ("still", "random", "sensible")
STILL, RANDOM, SENSIBLE = range(len(POLICIES))
RANKS, HAND = 13, 4
CLUBS, DIAMONDS, HEARTS = (U((2**RANKS - 1) << RANKS * suit) for suit in range(3))
ALL: Final = U(2**52 - 1)
LOW: Final = U(sum((2**TEN - 1) << RANKS * suit for suit in range(4)))
IN_TWENTY: Final = 20  # a random player leaves one time in so many
BANK_WORTH_CHANGING: Final = 20  # stakes, for a sensible player


def _selections() -> Any:
    """By [most cards, number]: which of a hand's four cards, lowest first, the move of that number exchanges."""
    table = np.zeros((HAND + 1, 2**HAND), dtype=np.uint8)
    for most in range(HAND + 1):
        fitting = [held for held in range(2**HAND) if held.bit_count() <= most]
        table[most, : len(fitting)] = fitting
    return table


SELECTIONS: Final = _selections()
HOW_MANY: Final = np.array([1, 5, 11, 15, 16], dtype=np.uint8)  # of them by most cards


@lean
def suit_of(card: Any) -> Any:
    """All cards of a card's suit."""
    suit = U(card > CLUBS) + U(card > DIAMONDS) + U(card > HEARTS)  # no branch, no division
    return CLUBS << U(RANKS) * suit


@lean
def nth(cards: Any, k: Any) -> Any:
    """One of up to four cards, counted from the lowest."""
    one = cards & (cards - ONE)
    two = one & (one - ONE)
    three = two & (two - ONE)
    low, high = (one, three) if k & 1 else (cards, two)
    return lowest(high if k & 2 else low)


@lean
def number(key: Any, seat: Any, n: Any, m: Any) -> Any:
    """The seat's n-th number of a deal, below m."""
    return below(word(key, CHOICES + seat, n), m)


@lean
def any_of(cards: Any, w: Any) -> Any:
    """One of up to four cards by a word of random numbers."""
    return nth(cards, below(w, ones(cards)))  # of a single one, too: a branch would cost more


@lean
def least(cards: Any) -> Any:
    """The card of the lowest rank, of equal ones the first."""
    found, rank = NONE, RANKS
    while cards:
        card = lowest(cards)
        if code(card) % RANKS < rank:
            found, rank = card, code(card) % RANKS
        cards ^= card
    return found


@lean
def greatest(cards: Any) -> Any:
    """The card of the highest rank, of equal ones the first."""
    found, rank = NONE, -1
    while cards:
        card = lowest(cards)
        if code(card) % RANKS > rank:
            found, rank = card, code(card) % RANKS
        cards ^= card
    return found


@lean
def fights(policy: Any, cards: Any, key: Any, seat: Any, n: Any) -> Any:
    """FL-4: the fight card."""
    return least(cards) if policy == SENSIBLE else any_of(cards, word(key, CHOICES + seat, n))


@lean
def leaves(policy: Any, key: Any, seat: Any, n: Any) -> Any:
    """FL-18: whether somebody who may refuses to go on, or drops."""
    return policy == RANDOM and number(key, seat, n, IN_TWENTY) == 0


@lean
def gives(policy: Any, cards: Any, most: Any, rich: Any, key: Any, seat: Any, n: Any) -> Any:
    """FL-8: the cards exchanged, of a full hand; ``rich`` says whether the bank is worth it to a sensible player."""
    given = NONE
    if policy == RANDOM and most:
        picked = U(SELECTIONS[U(most), U(number(key, seat, n, HOW_MANY[U(most)]))])
        for k in range(HAND):
            card = lowest(cards)
            given |= card * (picked >> U(k) & ONE)
            cards ^= card
    elif policy == SENSIBLE and rich:
        low = cards & LOW
        for _ in range(min(most, ones(low))):
            card = least(low)
            given |= card
            low ^= card
    return given


@lean
def plays(legal: Any, led: Any, top: Any, last: Any) -> Any:
    """FL-9, FL-10: a sensible player's card; ``led`` are all cards of the suit led, or ALL; ``top`` the highest of them in the trick."""
    if led == ALL:
        return greatest(legal)
    wins = legal & led & ~(top | (top - ONE))
    if not wins:
        return least(legal)
    return least(wins) if last else greatest(wins)
