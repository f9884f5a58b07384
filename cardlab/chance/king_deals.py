"""How a deal of Suicide King ends: who takes the king of hearts, and who the last card, from any deck.

With c the cards left (honours x of value v(x), low cards), S(c) the vector of ``king_lanes`` when a turn begins, and ``passes`` its turning
by one player:

- S(c) = H(c) + passes S(c - low), H(c) being the sequences that begin with an honour or with the king of hearts;
- with ``reset`` an honour puts the number due to its own: H(c) = K(c) + the sum over x of V(c - x, v(x)), where V(c, d), d cards due, is
  S(c) + the sum over 0 < i < d of S(c - i low) - passes S(c - i low): a low card that ends no turn stands for one that would;
- K(c) is S(c) without the king of hearts: the next player goes on, one card due.

``batch`` is counted in ``king_batches``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import Final

from cardlab.chance import king_batches, store
from cardlab.chance.king_lanes import VALUES, Counts, Deck, lanes_of, strides

VERSION: Final = 2  # of the file: a new one when the numbers in it change
WORTH_KEEPING: Final = 5_000  # decks: fewer are counted as soon as read


class Table:
    """The vectors S of all decks that a pack can become, for one ring, as bytes: without and with the king of hearts in the deck."""

    def __init__(self, deck: Deck, ring: int, data: memoryview) -> None:
        self.deck, self.lanes = deck, lanes_of(deck, (ring,))
        self.strides = strides(deck.counts)
        outside = self.lanes.sizes[0] * decks(deck)
        self._bytes = data[:outside], data[outside:]

    def start(self, counts: Counts, king: bool) -> int:
        """S: the vector of a deck when a turn begins."""
        return self.starts(sum(map(mul, counts, self.strides)), 1, king)

    def starts(self, first: int, many: int, king: bool) -> int:
        """S of some decks that lie side by side in the table, as one number."""
        size = self.lanes.sizes[king]
        return int.from_bytes(self._bytes[king][first * size : (first + many) * size], "little")

    def passed(self, counts: Counts, king: bool) -> int:
        """The vector for the player on turn when the turn has just passed; with no card left it has not."""
        vector = self.start(counts, king)
        return self.lanes.passes(vector, king) if king or any(counts) else vector

    def due(self, deck: Deck, due: int) -> int:
        """V, with ``reset``: the vector when so many cards are due."""
        *honours, low = deck.counts
        vector = self.start(deck.counts, deck.king)
        for i in range(1, min(due - 1, low) + 1):
            less = (*honours, low - i)
            vector += self.start(less, deck.king) - self.passed(less, deck.king)
        return vector

    @cached_property
    def full(self) -> int:
        """The vector of the whole pack."""
        return self.start(self.deck.counts, self.deck.king)


def decks(deck: Deck) -> int:
    """How many decks a deck can become, the king of hearts left out."""
    return prod(n + 1 for n in deck.counts)


@lru_cache(maxsize=64)
def table(deck: Deck, batch: bool, ring: int) -> Table:
    """The table of a pack, of a house rule for extra cards, and of the players who go on when the king of hearts has left."""
    return Table(deck, ring, tables(deck, batch)[ring])


@lru_cache(maxsize=8)
def tables(deck: Deck, batch: bool) -> dict[int, memoryview]:
    """The tables of all rings, as they lie in a file: from this process, from the disk, or counted now and kept."""
    lanes = lanes_of(deck)
    sizes = {r: sum(lanes_of(deck, (r,)).sizes[: 1 + deck.king]) * decks(deck) for r in lanes.rings}
    rule = "batch" if batch else "reset"
    name = f"suicide_king-{rule}-{'-'.join(map(str, deck.counts))}-{int(deck.king)}"
    kept = decks(deck) >= WORTH_KEEPING
    data = store.load(name, VERSION) if kept else None
    if data is None or len(data) != sum(sizes.values()):
        parts = king_batches.starts(deck) if batch else starts(deck)
        data = b"".join(lanes.part(vector, r, king > 0) for r in lanes.rings for king, part in enumerate(parts) for vector in part)
        if kept:
            store.save(name, VERSION, data)
    ends = list(accumulate(sizes.values()))
    return {r: memoryview(data)[end - sizes[r] : end] for r, end in zip(sizes, ends, strict=True)}


def starts(deck: Deck) -> tuple[list[int], list[int]]:
    """S with ``reset`` for all decks up to one, without and with the king of hearts, in the order of a table."""
    lanes = lanes_of(deck)

    def begins(n: int) -> int:
        return 0 if n else lanes.one  # no card left: the last one was taken by the player on turn

    outside = _starts(deck.counts, begins, lambda vector: lanes.passes(vector, False), ended=True)

    def takes_king(n: int) -> int:
        return outside[n] if n else lanes.king_last

    if not deck.king:
        return outside, []
    return outside, _starts(deck.counts, takes_king, lambda vector: lanes.passes(vector, True), ended=False)


def _starts(counts: Counts, begins: Callable[[int], int], passes: Callable[[int], int], ended: bool) -> list[int]:
    """S in the order of a table, from K; ``ended``: with the last card the deal is over and no turn passes any more."""
    *strides_of, _ = strides(counts)
    low = counts[-1]
    start: list[int] = []
    honour: list[int] = []  # H
    passed: list[int] = []  # of S
    for row in range(strides_of[0] * (counts[0] + 1) // (low + 1)):
        first = row * (low + 1)
        held = [(stride, value) for stride, value, n in zip(strides_of, VALUES, counts, strict=False) if first // stride % (n + 1)]
        for left in range(low + 1):
            n = first + left
            h = begins(n)
            for stride, due in held:  # V as a sum of H, to begin with
                h += sum(honour[n - stride - min(due - 1, left) : n - stride + 1])
                if left >= due:
                    h += passed[n - stride - due]
            s = h + passed[n - 1] if left else h
            honour.append(h)
            start.append(s)
            passed.append(s if ended and not n else passes(s))
    return start
