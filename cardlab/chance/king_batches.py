"""How a deal of Suicide King ends under ``extra_cards=batch``, counted exactly.

An honour taken among a batch waits in a queue, and the queue is forgiven when the turn ends. Which honour it is matters only when its own
batch begins: until then it is looked upon as unknown, one of a *pool* of unknown honours, of which some lie in the deck and the others wait
or are forgiven. All orders of the pool are equally likely, whatever the order of honours and low cards in the deck: a sequence is an order
of the deck in two kinds, and an order of the pool. How long the queue is need not be known either: when a batch with an honour ends,
somebody waits. With D of the pool's honours in the deck, l low cards, d cards due and f whether this batch has had an honour:

- G(f, d; D, l) = G(1, d-1; D-1, l) + G(f, d-1; D, l-1) + K(D, l);
- G(1, 0; D, l) = R(D, l), the sum over the kinds x in the pool of G(0, v(x); D, l) with one x less in the pool: its batch begins;
- G(0, 0; D, l) = passes G(0, 1; D, l): the turn ends, and the next one begins as a batch of one card;
- K(D, l), the king of hearts comes, is G(0, 1; D, l) without him.

When a turn begins, only which of the pool's honours are in the deck matters: F(D, l) = G(0, 1; D, l) is a sum over the decks c that D of
them and l low cards can be. Each adds S(c), which is G(0, 1) for a pool that is all in the deck, times the orders of the honours that are
not in c. So a table of S is enough for all else: R(D - 1, l) = F(D, l) - passes F(D, l - 1) - K(D, l).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from operator import mul, sub
from typing import TYPE_CHECKING

from cardlab.chance.king_lanes import VALUES, Counts, Deck, Lanes, lanes_of, sequences, strides

if TYPE_CHECKING:
    from cardlab.chance.king_deals import Table

Grid = list[list[int]]  # vectors by [honours in the deck][low cards]
Pool = tuple[int, ...]  # unknown honours of each kind
Ways = dict[tuple[int, int], int]  # by honours and low cards in the deck


@dataclass(frozen=True)
class Side:
    """The vectors of one pool, without or with the king of hearts in the deck."""

    fresh: tuple[Grid, ...]  # G(0, d) for d = 1 to 4
    revealed: Grid  # R, where at least one of the pool is not in the deck


def starts(deck: Deck) -> tuple[list[int], list[int]]:
    """G(0, 1) with the whole pool in the deck, for all decks up to one, without and with the king, in the order of a table."""
    lanes, place = lanes_of(deck), strides(deck.counts)
    decks = prod(n + 1 for n in deck.counts)
    outside, inside = [0] * decks, [0] * (decks if deck.king else 0)
    for pool, sides in _pools(deck, lanes):
        first = sum(n * stride for n, stride in zip(pool, place, strict=False))
        for part, side in zip((outside, inside), sides, strict=False):
            part[first : first + deck.counts[-1] + 1] = side.fresh[0][-1]
    return outside, inside


def _pools(deck: Deck, lanes: Lanes) -> Iterator[tuple[Pool, tuple[Side, ...]]]:
    """All pools, those with fewer cards first, with the vectors without the king and, if he is in the deck, with him."""
    *kinds, low = deck.counts
    done: dict[Pool, tuple[Side, ...]] = {}
    for pool in sorted(product(*(range(n + 1) for n in kinds)), key=sum):
        size = sum(pool)
        less = [(done[_without(pool, x)], value) for x, value in enumerate(VALUES) if pool[x]]
        ends = [[0] * (low + 1) for _ in range(size + 1)]
        ends[0][0] = lanes.one * sequences(pool)
        sides = [_side(ends, [(found[0], value) for found, value in less], lanes, king=False)]
        if deck.king:
            ends = [list(row) for row in sides[0].fresh[0]]
            ends[0][0] = lanes.king_last * sequences(pool)
            sides.append(_side(ends, [(found[1], value) for found, value in less], lanes, king=True))
        done[pool] = tuple(sides)
        yield pool, done[pool]
        for old in [old for old in done if sum(old) < size - 1]:
            del done[old]


def _without(pool: Pool, kind: int) -> Pool:
    return tuple(n - (x == kind) for x, n in enumerate(pool))


def _side(ends: Grid, less: list[tuple[Side, int]], lanes: Lanes, king: bool) -> Side:
    """The vectors of a pool from those of the pools with one honour less; ``ends`` is K, and what stands where the deck is over."""
    grids = [side.fresh[value - 1] for side, value in less]
    revealed = [[sum(found) for found in zip(*rows, strict=True)] for rows in zip(*grids, strict=True)]
    none = [0] * len(ends[0])
    fresh: tuple[Grid, ...] = ([], [], [], [])
    flagged: tuple[Grid, ...] = (revealed, [], [], [])  # G(1, d) for d = 0 to 3
    for honours, row in enumerate(ends):
        above = [grid[honours - 1] if honours else none for grid in flagged]
        fresh[0].append(_first_row(row, above[0], lanes, king))
        for due in (1, 2, 3):
            fresh[due].append([*map(sum, zip(row, above[due], [0, *fresh[due - 1][honours]], strict=False))])
            if honours < len(revealed):
                flagged[due].append([*map(sum, zip(row, above[due - 1], [0, *flagged[due - 1][honours]], strict=False))])
    return Side(fresh, revealed)


def _first_row(ends: list[int], honour: list[int], lanes: Lanes, king: bool) -> list[int]:
    """G(0, 1) for all numbers of low cards: the only one in which the turn passes."""
    row: list[int] = []
    passed = 0
    for end, taken in zip(ends, honour, strict=True):
        vector = end + taken + passed
        over = not king and not row and end > 0  # the deck is over: the card before was the last, and no turn passed
        row.append(vector)
        passed = vector if over else lanes.passes(vector, king)
    return row


def in_turn(table: Table, deck: Deck, due: int, honour: bool, queue: tuple[int, ...]) -> int:
    """The vector when so many cards are due and some known honours wait; ``honour``: whether this batch has had one.

    The orders of honours and low cards in the known batches are counted first; what follows them is F, R and K, see above.
    """
    king, (*kinds, low) = deck.king, deck.counts
    ended, passed, revealed = _known_batches(sum(kinds), low, (due, *queue), honour, king)
    begun: Ways = {(honours + 1, left): n for (honours, left), n in revealed.items()}
    not_passed: Ways = {(honours, left - 1): n for (honours, left), n in begun.items() if left}
    least = dict(sorted((*ended, *passed, *begun, *not_passed), key=lambda place: -place[1]))
    fresh = _Fresh(table, tuple(kinds), low, least)
    passes = table.lanes.passes
    vector = fresh.sum(begun, king) + passes(fresh.sum(passed, king), king) - passes(fresh.sum(not_passed, king), king)
    over = ended.pop((0, 0), 0) * sequences(kinds)
    if not king:
        return vector + over * table.lanes.one
    return vector + over * table.lanes.king_last + fresh.sum(ended, False) - fresh.sum(begun, False)


def _known_batches(honours: int, low: int, sizes: tuple[int, ...], honour: bool, king: bool) -> tuple[Ways, Ways, Ways]:
    """In how many orders of honours and low cards batches of known sizes are left, by the honours and low cards in the deck then.

    The first for the king of hearts as next card, or with the last card of the deck; the second for the end of the turn; the third for a
    batch whose size is not known yet.
    """
    ended, passed = defaultdict[tuple[int, int], int](int), defaultdict[tuple[int, int], int](int)
    at = {(honours, low, honour): 1}
    for size in sizes:
        for _ in range(size):
            after = defaultdict[tuple[int, int, bool], int](int)
            for (held, left, had), ways in at.items():
                ended[held, left] += ways
                if held:
                    after[held - 1, left, True] += ways
                if left:
                    after[held, left - 1, had] += ways
            at = after
        for (held, left, had), ways in at.items():
            if not had or not (king or held or left):
                (passed if king or held or left else ended)[held, left] += ways
        at = {(held, left, False): ways for (held, left, had), ways in at.items() if had and (king or held or left)}
    return ended, passed, {(held, left): ways for (held, left, _), ways in at.items()}


class _Fresh:
    """F for one pool, from a table; ``least``: the fewest low cards that matter with so many honours in the deck."""

    def __init__(self, table: Table, pool: Pool, low: int, least: dict[int, int]) -> None:
        self.table, self.pool, self.low, self.least = table, pool, low, least
        self._rows: dict[tuple[int, bool], int] = {}

    def sum(self, ways: Ways, king: bool) -> int:
        """F at some places, each so many times."""
        size = 8 * self.table.lanes.sizes[king]
        mask = (1 << size) - 1
        return sum(n * (self._row(honours, king) >> (left - self.least[honours]) * size & mask) for (honours, left), n in ways.items())

    def _row(self, honours: int, king: bool) -> int:
        """F for a number of honours in the deck, and all numbers of low cards from the least on, side by side."""
        row = self._rows.get((honours, king))
        if row is None:
            least, starts = self.least[honours], self.table.starts
            many = self.low - least + 1
            out = sum(self.pool) - honours
            row = sum(n * starts(first + least, many, king) for n, first in _in_deck(self.pool, out, self.table.strides))
            self._rows[honours, king] = row
        return row


@lru_cache(maxsize=4096)
def _in_deck(pool: Pool, out: int, places: Counts) -> tuple[tuple[int, int], ...]:
    """Where in a table the decks stand that a pool leaves when so many are out of the deck, each with the orders of those that are out."""
    gone = [taken for taken in product(*(range(min(n, out) + 1) for n in pool)) if sum(taken) == out]
    return tuple((sequences(taken), sum(map(mul, map(sub, pool, taken), places))) for taken in gone)
