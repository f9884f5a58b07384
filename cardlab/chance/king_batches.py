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
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from cardlab.chance.king_lanes import VALUES, Deck, Lanes, lanes_of, sequences, strides

Grid = list[list[int]]  # vectors by [honours in the deck][low cards]
Pool = tuple[int, ...]  # unknown honours of each kind


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


class Turns:
    """The vectors of a deal for one number of players in the midst of a turn, for all decks up to one; about a second at most."""

    def __init__(self, deck: Deck, players: int) -> None:
        self.deck, self.players = deck, players
        self.lanes = lanes_of(deck, (players - 1 if deck.king else players,))
        self._revealed = {pool: tuple(side.revealed for side in sides) for pool, sides in _pools(deck, self.lanes)}
        self._rows: dict[tuple[bool, Pool, int], list[int]] = {}

    def covers(self, deck: Deck, players: int) -> bool:
        """Whether a deck is one of them."""
        fits = all(n <= most for n, most in zip(deck.counts, self.deck.counts, strict=True))
        return fits and (deck.king, players) == (self.deck.king, self.players)

    def vector(self, deck: Deck, due: int, honour: bool, queue: tuple[int, ...]) -> int:
        """The vector when so many cards are due and some known honours wait; ``honour``: whether this batch has had one."""
        *kinds, low = deck.counts
        pool, king = tuple(kinds), deck.king

        @cache
        def after(waited: int, honours: int, low: int, due: int, honour: bool) -> int:
            if not king and not honours and not low:
                return self._row(king, pool, 0)[0]
            if due == 0 and not honour:
                return self.lanes.passes(self._row(king, pool, honours)[low], king)
            if due == 0:
                if waited < len(queue):
                    return after(waited + 1, honours, low, queue[waited], False)
                return self._revealed[pool][king][honours][low]
            vector = self._ends(king, pool, honours)[low]
            if honours:
                vector += after(waited, honours - 1, low, due - 1, True)
            if low:
                vector += after(waited, honours, low - 1, due - 1, honour)
            return vector

        return after(0, sum(pool), low, due, honour)

    def _ends(self, king: bool, pool: Pool, honours: int) -> list[int]:
        """K, and what stands where the deck is over."""
        row = list(self._row(False, pool, honours)) if king else [0] * (self.deck.counts[-1] + 1)
        if not honours:
            row[0] = (self.lanes.king_last if king else self.lanes.one) * sequences(pool)
        return row

    def _row(self, king: bool, pool: Pool, honours: int) -> list[int]:
        """G(0, 1) for a number of honours in the deck and all numbers of low cards."""
        found = self._rows.get((king, pool, honours))
        if found is None:
            ends = self._ends(king, pool, honours)
            taken = self._revealed[pool][king][honours - 1] if honours else [0] * len(ends)
            found = self._rows[king, pool, honours] = _first_row(ends, taken, self.lanes, king)
        return found
