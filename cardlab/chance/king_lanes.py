"""Suicide King's cards as kinds, and vectors of whole numbers: a deal's endings, each with the number of sequences that lead to it.

Only the kind of a card matters, so a deck is a sequence of kinds, and all sequences are equally likely. Number the players clockwise from
the one on turn. Who takes the king of hearts is then the number of turns passed before it, modulo the number of players m; who takes the
last card is the number passed after it, modulo m - 1, counted from the next player. For each deck a *vector* holds how many sequences give
each pair of remainders, for every m at once: one Python integer with a lane of bits for each, so that adding two vectors is one addition
and passing the turn moves lanes. Everything is a whole number; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import factorial, prod
from operator import mul
from typing import Final

from cardlab.cards import KING_OF_HEARTS, Card
from cardlab.cards.card import ACE, JACK, KING, QUEEN
from cardlab.games.suicide_king import EXTRA_CARDS

HONOURS: Final = (ACE, KING, QUEEN, JACK)
VALUES: Final = tuple(EXTRA_CARDS[rank] for rank in HONOURS)

Counts = tuple[int, ...]  # aces, kings but the one of hearts, queens, jacks, low cards


def sequences(counts: Iterable[int]) -> int:
    """In how many orders cards of some kinds can come: the multinomial coefficient.

    >>> sequences((2, 1))
    3
    """
    counts = tuple(counts)
    return factorial(sum(counts)) // prod(map(factorial, counts))


@dataclass(frozen=True)
class Deck:
    """The kinds of the cards that are left: how many of each, and whether the king of hearts is among them."""

    counts: Counts
    king: bool

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Deck:
        """The kinds of some cards.

        >>> from cardlab.cards import PACK_52
        >>> Deck.of(PACK_52)
        Deck(counts=(4, 3, 4, 4, 36), king=True)
        """
        counts, king = [0] * 5, False
        for card in cards:
            if card is KING_OF_HEARTS:
                king = True
            else:
                counts[HONOURS.index(card.rank) if card.rank in HONOURS else 4] += 1
        return cls(tuple(counts), king)

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(self.counts) + self.king


class Lanes:
    """Where in a vector the number of each ending stands.

    Without the king of hearts in the deck there is a lane (t, r) for the turns t before the last card, modulo each number r of players in
    ``rings``. With it there are as many for each number t1 of turns before it, modulo r + 1; there t = r stands for the king as last card.
    The lanes of a ring lie side by side, and are whole bytes: a vector's part for one ring is cut out of its bytes.
    """

    def __init__(self, rings: Sequence[int], bits: int) -> None:
        self.rings, self.bits = tuple(rings), -(-bits // 8) * 8
        self.lane = (1 << self.bits) - 1
        ends = [0, *accumulate(self.bits * (r + 1) for r in self.rings)]
        self._first = dict(zip(self.rings, ends, strict=False))
        self.block = ends[-1]
        self.sizes = self.block // 8, self.block // 8 * (max(self.rings) + 1)  # bytes of a vector without and with the king of hearts
        self.one = sum(1 << self.at(0, r) for r in self.rings)  # the player on turn takes the last card
        self.king_last = sum(1 << self.at(r, r) for r in self.rings)  # the player on turn takes the king, and it is the last card
        self._turn = [(self.lane << self.at(r, r), r * self.bits) for r in self.rings]
        whole = {r: sum(self.lane << self.at(t, r) for t in range(r + 1)) for r in self.rings}
        self._king_turn = [(whole[r] << (r + 1) * self.block, (r + 1) * self.block) for r in self.rings]

    def at(self, t: int, r: int) -> int:
        """The place of the lowest bit of a lane."""
        return self._first[r] + self.bits * t

    def part(self, vector: int, r: int, king: bool) -> bytes:
        """The lanes of one ring, as a vector of its own has them."""
        whole, first, size = vector.to_bytes(self.sizes[king], "little"), self._first[r] // 8, self.bits // 8 * (r + 1)
        return b"".join(whole[at : at + size] for at in range(first, first + (r * king + 1) * self.sizes[0], self.sizes[0]))

    def passes(self, vector: int, king: bool) -> int:
        """The vector of the player before: each number of turns is one more, and the number of players more is none."""
        vector <<= self.block if king else self.bits
        for mask, back in self._king_turn if king else self._turn:
            over = vector & mask
            vector += (over >> back) - over
        return vector

    def endings(self, vector: int, players: int, king: bool) -> list[Ending]:
        """The endings of a deal between so many players, with the number of sequences of each."""
        if not king:
            return [Ending(None, t, vector >> self.at(t, players) & self.lane) for t in range(players)]
        r = players - 1
        found = []
        for t in range(players):
            part = vector >> t * self.block
            found += [Ending(t, after if after < r else None, part >> self.at(after, r) & self.lane) for after in range(players)]
        return found


@dataclass(frozen=True, slots=True)
class Ending:
    """The turns before the king of hearts (``None``: it is out), those from then to the last card (``None``: it was the king), the ways."""

    king: int | None
    last: int | None
    ways: int


def lanes_of(deck: Deck, rings: Sequence[int] = ()) -> Lanes:
    """Lanes wide enough for all sequences of a deck, for every number of players that it may have to tell apart."""
    return Lanes(rings or ((1, 2, 3, 4) if deck.king else (1, 2, 3, 4, 5)), sequences((*deck.counts, deck.king)).bit_length())


def strides(counts: Counts) -> Counts:
    """How far apart decks lie in a table that differ by one card of a kind; the low cards lie side by side.

    >>> strides((4, 3, 4, 4, 36))
    (3700, 925, 185, 37, 1)
    """
    return (*reversed(tuple(accumulate(reversed([n + 1 for n in counts[1:]]), mul))), 1)
