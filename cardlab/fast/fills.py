"""Many deals of hidden cards drawn at once: the same as ``Fill.sample`` of ``cardlab.chance.fill`` draws, card for card.

A sample's random numbers are those of ``cardlab.chance.samples.Numbers``: a key, and how many of its numbers are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.core.streams import ESTIMATES
from cardlab.fast.jit import compiled, lean
from cardlab.fast.sets import lowest
from cardlab.fast.streams import U, below, deal_key, word

WHOLE: Final = U(2**32)
PACK: Final = 54
Words = NDArray[np.uint64]


class Draws(NamedTuple):
    """The random numbers of some samples: a row each."""

    keys: Words
    used: NDArray[np.int64]


class Tables(NamedTuple):
    """A fill as numbers. ``nodes`` are what may be left when a group of zones comes to its turn: where its choices begin and end."""

    cards: NDArray[np.uint8]  # kind after kind
    kinds: NDArray[np.int64]  # where each kind begins, and the end
    groups: NDArray[np.int64]  # where the zones of each group begin, and the end
    zones: NDArray[np.int64]  # the column of each zone
    sizes: NDArray[np.int64]
    nodes: NDArray[np.int64]
    until: Words  # the thresholds of the choices
    taken: NDArray[np.int64]  # by [choice, kind]
    after: NDArray[np.int64]  # the node that a choice leads to


def draws(seed: int, first: int, n: int) -> Draws:
    """The random numbers of n samples from an index on."""
    keys = np.empty(n, np.uint64)
    _keys(U(seed), U(first), keys)
    return Draws(keys, np.zeros(n, np.int64))


def tables(
    kinds: Iterable[Sequence[int]],
    groups: Iterable[Sequence[tuple[int, int]]],
    choices: Sequence[Sequence[tuple[int, Sequence[int], int]]],
) -> Tables:
    """The tables of a fill: its kinds of cards, its groups of zones (column, size), and for each node (threshold, taken, node after)."""
    kinds, groups = [list(cards) for cards in kinds], [list(zones) for zones in groups]
    flat = [choice for node in choices for choice in node]
    return Tables(
        np.array([code for cards in kinds for code in cards], np.uint8),
        np.cumsum([0, *map(len, kinds)]),
        np.cumsum([0, *map(len, groups)]),
        np.array([column for zones in groups for column, _ in zones], np.int64),
        np.array([size for zones in groups for _, size in zones], np.int64),
        np.cumsum([0, *map(len, choices)]),
        _thresholds(until for until, _, _ in flat),
        np.array([taken for _, taken, _ in flat], np.int64).reshape(len(flat), len(kinds)),
        np.array([after for _, _, after in flat], np.int64),
    )


def nothing(n: int, columns: int) -> Words:
    """No cards in any zone of n samples."""
    return np.zeros((n, columns), np.uint64)


def drawn(until: Sequence[int], numbers: Draws) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Which of some choices the samples draw, by the thresholds of their shares: each choice with its rows."""
    found = np.zeros(len(numbers.keys), np.int64)
    _picks(_thresholds(until), numbers.keys, numbers.used, found)
    for choice in np.unique(found):
        yield int(choice), (found == choice).nonzero()[0]


def add(dealt: Words, rows: NDArray[np.int64], column: int, code: int) -> None:
    """Lays a card into a zone in these rows."""
    dealt[rows, column] |= U(1 << code)


def alike(n: int, numbers: Draws) -> NDArray[np.int64]:
    """Which of n choices each sample draws, all being alike."""
    found = np.empty(len(numbers.keys), np.int64)
    _picks(_thresholds((k << 64) // n for k in range(1, n + 1)), numbers.keys, numbers.used, found)
    return found


def some(until: Sequence[int], rows: NDArray[np.int64], numbers: Draws) -> NDArray[np.int64]:
    """Which of some choices these samples draw, by the thresholds of their shares; the other samples draw nothing."""
    keys, used = numbers.keys[rows], numbers.used[rows]
    found = np.empty(len(rows), np.int64)
    _picks(_thresholds(until), keys, used, found)
    numbers.used[rows] = used
    return found


def pick_out(hand: Words, places: NDArray[np.int64]) -> Words:
    """The card at a place of each hand, the lowest being at 0."""
    found = np.empty(len(hand), np.uint64)
    _pick_out(hand, places, found)
    return found


def holding(dealt: Words, columns: list[int], code: int) -> NDArray[np.int64]:
    """The rows in which one of these columns holds a card."""
    held: Words = np.bitwise_or.reduce(dealt[:, columns], axis=1) >> U(code) & U(1)
    return held.nonzero()[0]


def _thresholds(until: Iterable[int]) -> Words:
    """As numbers of 64 bits; the last one, which is 2**64, is never looked at."""
    return np.array([min(end, 2**64 - 1) for end in until], np.uint64)


def deal(fill: Tables, rows: NDArray[np.int64], numbers: Draws, dealt: Words) -> None:
    """Deals the fill's cards in these rows: ``dealt`` has a set of cards, a bit each, by [row, column]."""
    _deal(*fill, rows, numbers.keys, numbers.used, dealt)


@compiled
def _keys(seed: Any, first: Any, keys: Any) -> None:
    for k in range(len(keys)):
        keys[k] = deal_key(seed, first + U(k), U(0))


@lean
def _number(keys: Any, used: Any, row: Any, m: Any) -> Any:
    n = below(word(keys[row], ESTIMATES, used[row]), m)
    used[row] += 1
    return n


@lean
def _pick(until: Any, first: Any, end: Any, keys: Any, used: Any, row: Any) -> Any:
    """The first choice whose threshold lies beyond a number of 64 bits; a single one needs no number."""
    if end - first == 1:
        return first
    high = U(_number(keys, used, row, WHOLE))
    x = high << U(32) | U(_number(keys, used, row, WHOLE))
    low, last = first, end - 1
    while low < last:
        middle = (low + last) // 2
        if x < until[middle]:
            last = middle
        else:
            low = middle + 1
    return low


@lean
def _picks(until: Any, keys: Any, used: Any, found: Any) -> None:
    for row in range(len(found)):
        found[row] = _pick(until, 0, len(until), keys, used, row)


@lean
def _pick_out(hand: Any, places: Any, found: Any) -> None:
    for row in range(len(found)):
        left = hand[row]
        for _ in range(places[row]):
            left ^= lowest(left)
        found[row] = lowest(left)


@lean
def _shuffle(cards: Any, first: Any, end: Any, keys: Any, used: Any, row: Any) -> None:
    for i in range(end - first - 1, 0, -1):
        j = _number(keys, used, row, i + 1)
        cards[first + i], cards[first + j] = cards[first + j], cards[first + i]


@compiled
def _deal(
    cards: Any,
    kinds: Any,
    groups: Any,
    zones: Any,
    sizes: Any,
    nodes: Any,
    until: Any,
    taken: Any,
    after: Any,
    rows: Any,
    keys: Any,
    used: Any,
    dealt: Any,
) -> None:
    pile, left, together = np.empty(PACK, np.uint8), np.empty(len(kinds), np.int64), np.empty(PACK, np.uint8)
    for row in rows:
        for k in range(len(cards)):
            pile[k] = cards[k]
        for kind in range(len(kinds) - 1):
            _shuffle(pile, kinds[kind], kinds[kind + 1], keys, used, row)
            left[kind] = kinds[kind + 1]
        node = 0
        for group in range(len(groups) - 1):
            choice = _pick(until, nodes[node], nodes[node + 1], keys, used, row)
            n = 0
            for kind in range(len(kinds) - 1):
                for _ in range(taken[choice, kind]):
                    left[kind] -= 1
                    together[n] = pile[left[kind]]
                    n += 1
            if groups[group + 1] - groups[group] > 1:
                _shuffle(together, 0, n, keys, used, row)
            at = 0
            for zone in range(groups[group], groups[group + 1]):
                for _ in range(sizes[zone]):
                    dealt[row, zones[zone]] |= U(1) << U(together[at])
                    at += 1
            node = after[choice]
