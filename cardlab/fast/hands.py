"""Poker hands of three to seven cards with jokers, ranked by table: the order of ``cardlab.cards.best``.

A hand's *value* is its place among all hands that there are, from 1, so that equal hands are equal and a higher hand is higher, whatever
the numbers of cards. What decides is either the ranks with the number of jokers, or one suit that enough cards can have:

- The ranks of a hand are numbered without gaps. A rank counts up to four times; the six highest are one number in base 5, the seven lowest
  another, each a sum over the cards. ``low`` numbers the sets of low ranks of each size, and ``high`` has for each set of high ranks
  where the sets with that one begin: the value stands at the sum of the two.
- A suit with enough cards, jokers counted into all four, is looked up by its ranks as 13 bits.

The tables are worked out from the rules at their first use in a process, in about 0.05 s, and take 1.3 MB.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards.card import ACE, CARDS
from cardlab.cards.hands import BEST_OF, LARGEST, Category
from cardlab.fast.jit import compiled, ones
from cardlab.fast.streams import U

SMALLEST: Final = 3
JOKERS: Final = 2
RANKS: Final = 13
LOW_RANKS: Final = 7
HIGH_RANKS: Final = RANKS - LOW_RANKS
LOWS, HIGHS = 5**LOW_RANKS, 5**HIGH_RANKS
SUITED: Final = 2**RANKS
# A key is the sum of its cards': low ranks, high ranks, a digit of base 16 for each suit, jokers. The digits begin so that a suit with
# enough cards reaches 8.
HIGH, SUITS, WILD = 17, 32, 48
FULL_SUITS: Final = U(0x8888 << SUITS)
EACH_SUIT: Final = 0x1111 << SUITS
LAST_LOW, LAST_HIGH = U(2**HIGH - 1), U(2**14 - 1)

PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH = (
    int(category) for category in (Category.PAIR, Category.TWO_PAIRS, Category.THREE_OF_A_KIND, Category.STRAIGHT, Category.FLUSH)
)
FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE = (
    int(category) for category in (Category.FULL_HOUSE, Category.FOUR_OF_A_KIND, Category.STRAIGHT_FLUSH, Category.FIVE_OF_A_KIND)
)
PLACES: Final = BEST_OF  # ranks that may decide


def _key_of_card(code: int) -> int:
    suit, rank = divmod(code, RANKS)
    if code >= 4 * RANKS:
        return EACH_SUIT + (1 << WILD)
    of_rank: int = 5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << HIGH
    return of_rank + (1 << SUITS + 4 * suit)


KEYS: Final = np.array([_key_of_card(card.code) for card in CARDS], dtype=np.uint64)
BITS: Final = np.array([0 if card.joker else 1 << 16 * (card.code // RANKS) + card.code % RANKS for card in CARDS], dtype=np.uint64)


class Tables(NamedTuple):
    """What a hand is looked up in; ``made`` has for each value what ``told`` reads."""

    low: NDArray[np.uint16]  # by the number of the low ranks: which of the sets of its size it is
    high: NDArray[np.int32]  # by [cards without jokers, number of the high ranks]: where the sets with these begin
    begin: NDArray[np.int64]  # by [cards, jokers]: where their values begin
    by_ranks: NDArray[np.uint16]
    by_suit: NDArray[np.uint16]  # by [cards that count, jokers, ranks as bits]; 0 where that is no hand
    made: NDArray[np.int64]


# what the rules say of a hand, as a number that sorts as a Hand does: category, the ranks that decide, how many cards count


@compiled
def _made(category: Any, ranks: Any, n: Any, size: Any) -> Any:
    made = category
    for k in range(PLACES):
        made = made << 4 | (ranks[k] + 1 if k < n else 0)
    return made << 3 | size


@compiled
def _run(held: Any, jokers: Any, length: Any) -> Any:
    """The top of the highest straight that the jokers can complete, -1 if there is none; ``held`` are ranks as bits."""
    for top in range(ACE, length - 3, -1):
        run = ((1 << length) - 1) << top + 1 - length if top >= length - 1 else (1 << length - 1) - 1 | 1 << ACE
        if ones(U(run & held)) + jokers >= length:
            return top
    return -1


@compiled
def _equal_ranks(counts: Any, jokers: Any, size: Any) -> Any:
    """The hand made of cards of equal rank, which all jokers join, and kickers."""
    left = counts.copy()
    ranks = np.zeros(PLACES, np.int64)
    first = second = -1
    for rank in range(RANKS):
        if left[rank] > 0 and (first < 0 or left[rank] >= left[first]):
            first = rank
    most = min(left[first] + jokers, BEST_OF)
    left[first] = 0
    for rank in range(RANKS):
        if left[rank] > 1 and (second < 0 or left[rank] >= left[second]):
            second = rank
    paired = second >= 0 and (most == 2 or most == 3)
    ranks[0], n, told = first, 1, most
    if paired:
        ranks[1], n, told = second, 2, most + 2
        left[second] -= 2
    for rank in range(ACE, -1, -1):
        while left[rank] > 0 and told < size:
            ranks[n], n, told = rank, n + 1, told + 1
            left[rank] -= 1
    if most == 1:
        category = 0
    elif most == 2:
        category = TWO_PAIRS if paired else PAIR
    elif most == 3:
        category = FULL_HOUSE if paired else THREE
    else:
        category = FOUR if most == 4 else FIVE
    return _made(category, ranks, n, size)


@compiled
def _of_ranks(counts: Any, jokers: Any, cards: Any, casino: Any) -> Any:
    """The best hand whatever the suits."""
    size = min(cards, BEST_OF)
    best = _equal_ranks(counts, jokers, size)
    if size == BEST_OF or casino:
        held = 0
        for rank in range(RANKS):
            held |= (counts[rank] > 0) << rank
        top = _run(held, jokers, size)
        if top >= 0:
            best = max(best, _made(STRAIGHT, np.full(1, top), 1, size))
    return best


@compiled
def _of_suit(held: Any, jokers: Any, size: Any) -> Any:
    """The straight flush or flush of a suit with these ranks."""
    top = _run(held, jokers, size)
    if top >= 0:
        return _made(STRAIGHT_FLUSH, np.full(1, top), 1, size)
    ranks, n = np.zeros(PLACES, np.int64), 0
    for rank in range(ACE, -1, -1):
        natural = held >> rank & 1
        if n < size and (natural or jokers):
            ranks[n], n = rank, n + 1
            jokers -= 1 - natural
    return _made(FLUSH, ranks, n, size)


# the tables


@compiled
def _sizes(numbers: Any, ranks: Any) -> Any:
    """How many cards each set of ranks has."""
    sizes = np.zeros(numbers, np.int64)
    for number in range(numbers):
        for k in range(ranks):
            sizes[number] += number // 5**k % 5
    return sizes


@compiled
def _fill(lows: Any, starts: Any, highs: Any, high: Any, naturals: Any, jokers: Any, casino: Any, made: Any) -> None:
    """The hands of so many natural cards and jokers, in the order of the table; ``lows`` are the sets of low ranks by their size."""
    counts = np.zeros(RANKS, np.int64)
    for number in range(HIGHS):
        size = naturals - highs[number]
        if size < 0:
            continue
        for k in range(HIGH_RANKS):
            counts[LOW_RANKS + k] = number // 5**k % 5
        for at in range(starts[size], starts[size + 1]):
            for k in range(LOW_RANKS):
                counts[k] = lows[at] // 5**k % 5
            made[high[naturals, number] + at - starts[size]] = _of_ranks(counts, jokers, naturals + jokers, casino)


@compiled
def _fill_suits(made: Any, casino: Any) -> None:
    for size in range(SMALLEST if casino else BEST_OF, BEST_OF + 1):
        for jokers in range(JOKERS + 1):
            for held in range(SUITED):
                if ones(U(held)) + jokers >= size:
                    made[size, jokers, held] = _of_suit(held, jokers, size)


@cache
def tables(short_hands: str = "incomplete") -> Tables:
    """The tables under a house rule for three and four cards; raises ValueError for another house rule."""
    if short_hands not in ("incomplete", "casino"):
        raise ValueError(f"short_hands is 'incomplete' or 'casino', not {short_hands!r}")
    casino = short_hands == "casino"
    sizes, highs = _sizes(LOWS, LOW_RANKS), _sizes(HIGHS, HIGH_RANKS)
    lows = np.argsort(sizes, kind="stable")
    sets = np.bincount(sizes)[: LARGEST + 1]
    starts = np.concatenate([[0], np.cumsum(sets)])
    low = np.zeros(LOWS, np.uint16)
    high, length = np.zeros((LARGEST + 1, HIGHS), np.int32), np.zeros(LARGEST + 1, np.int64)
    for cards in range(LARGEST + 1):
        low[lows[starts[cards] : starts[cards + 1]]] = np.arange(sets[cards])
        followed = np.where(highs <= cards, sets[np.maximum(cards - highs, 0)], 0)
        high[cards] = np.cumsum(followed) - followed
        length[cards] = followed.sum()
    begin, parts, at = np.zeros((LARGEST + 1, JOKERS + 1), np.int64), [], 0
    for cards in range(SMALLEST, LARGEST + 1):
        for jokers in range(JOKERS + 1):
            part = np.zeros(length[cards - jokers], np.int64)
            _fill(lows, starts, highs, high, cards - jokers, jokers, casino, part)
            begin[cards, jokers], at = at, at + len(part)
            parts.append(part)
    suits = np.zeros((BEST_OF + 1, JOKERS + 1, SUITED), np.int64)
    _fill_suits(suits, casino)
    ranks = np.concatenate(parts)
    made = np.unique(np.concatenate([[0], ranks, suits.ravel()]))
    by_ranks, by_suit = (np.searchsorted(made, part).astype(np.uint16) for part in (ranks, suits))
    return Tables(low, high, begin, by_ranks, by_suit, made)


# looking up


@compiled
def first_key(cards: Any) -> Any:
    """The key of no cards, to which those of so many are to be added."""
    return U(8 - min(cards, BEST_OF)) * U(EACH_SUIT)


@compiled
def place(low: Any, high: Any, begin: Any, key: Any, cards: Any) -> Any:
    """Where in ``by_ranks`` the value of a hand stands; ``key`` is the sum of ``KEYS`` of its cards and ``first_key``."""
    jokers = key >> U(WILD)
    return U(begin[U(cards), jokers] + high[U(cards) - jokers, key >> U(HIGH) & LAST_HIGH] + low[key & LAST_LOW])


@compiled
def of_full_suit(by_suit: Any, key: Any, bits: Any, size: Any) -> Any:
    """The value of the suit that has enough cards, for a key with one of FULL_SUITS; ``bits`` is the union of ``BITS``."""
    full = key & FULL_SUITS
    suit = U(ones((full & (~full + U(1))) - U(1)) - SUITS - 3 >> 2)
    return by_suit[U(size), key >> U(WILD), bits >> U(16) * suit & U(SUITED - 1)]


@compiled
def _values(by: Any, hands: Any, found: Any) -> None:
    low, high, begin, by_ranks, by_suit = (
        by.low,
        by.high,
        by.begin,
        by.by_ranks,
        by.by_suit,
    )
    cards = hands.shape[1]
    first, size = first_key(cards), min(cards, BEST_OF)
    for n in range(len(hands)):
        key, bits = first, U(0)
        for k in range(LARGEST):  # a fixed number, so that the loop is unrolled
            if k == cards:
                break
            card = hands[n, k]
            key += KEYS[card]
            bits |= BITS[card]
        best = by_ranks[place(low, high, begin, key, cards)]
        if key & FULL_SUITS:
            best = max(best, of_full_suit(by_suit, key, bits, size))
        found[n] = best


def values(hands: NDArray[np.uint8], short_hands: str = "incomplete") -> NDArray[np.uint16]:
    """The values of hands of equal size, a row each of different card codes: three to seven, from 54 cards.

    Raises ValueError for another size or house rule, and for codes that are none.

    >>> from cardlab.cards import parse_cards
    >>> hands = np.array([[card.code for card in parse_cards(text)] for text in ("KS KH 2D 2C 3C", "KD KC 2H 2S Jk")], dtype=np.uint8)
    >>> [told(int(found))[1:] for found in values(hands)]
    [((11, 0, 1), 5), ((11, 0), 5)]
    """
    if hands.ndim != 2 or not SMALLEST <= hands.shape[1] <= LARGEST or hands.dtype != np.uint8:
        raise ValueError(f"hands are rows of {SMALLEST} to {LARGEST} codes of type uint8, not {hands.dtype} {hands.shape}")
    if hands.size and hands.max() >= len(CARDS):
        raise ValueError(f"a card's code is at most {len(CARDS) - 1}, not {hands.max()}")
    found = np.empty(len(hands), np.uint16)
    _values(tables(short_hands), np.ascontiguousarray(hands), found)
    return found


def told(found: int, short_hands: str = "incomplete") -> tuple[Category, tuple[int, ...], int]:
    """What makes a value, as in ``Hand``: the category, the ranks that decide, how many cards count."""
    made = int(tables(short_hands).made[found])
    places = [made >> 3 + 4 * k & 15 for k in reversed(range(PLACES))]
    return Category(made >> 3 + 4 * PLACES), tuple(place - 1 for place in places if place), made & 7
