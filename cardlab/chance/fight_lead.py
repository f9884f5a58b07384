"""Who wins the fight for the lead, by counting suits (FL-4 to FL-6).

All others lay any of their cards alike, so that to the one who asks their fight cards are a random selection of the cards he has not seen,
and the turned cards are those that follow. Let f_t of them be of suit t, m_t be left unseen of a suit that lies there, and m their sum: the
first matching card is of suit s with chance m_s / m, unless none of the m lies in the stock, C(R - m, S) / C(R, S) for S of R cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod

from cardlab.cards import Card

SUITS = range(4)


@dataclass(frozen=True)
class Fight:
    """What the one who asks knows: the cards he has not seen, the number of other fight cards, the stock, and who comes before him."""

    unseen: tuple[Card, ...]
    others: int
    stock: int
    earlier: int  # of the others, those nearer to the dealer's left: they win where ranks are equal

    def wins(self, mine: Card) -> Fraction:
        """The chance that a fight card wins the right to lead."""
        total = Fraction(0)
        for laid in self._laid():
            left = Counter(card.suit for card in self.unseen)
            lying = {mine.suit, *(suit for suit in SUITS if laid[suit])}
            matching = {suit: left[suit] - laid[suit] for suit in SUITS if suit in lying}
            m, rest = sum(matching.values()), len(self.unseen) - self.others
            none = Fraction(comb(rest - m, self.stock), comb(rest, self.stock))
            if m:
                total += self._highest_of_suit(mine, laid) * Fraction(matching[_suit(mine)], m) * (1 - none)
            total += self._highest_of_all(mine, laid) * none
        return total / comb(len(self.unseen), self.others)

    def _laid(self) -> Iterator[tuple[int, ...]]:
        """How many of the other fight cards may be of each suit."""
        return (laid for laid in product(range(self.others + 1), repeat=4) if sum(laid) == self.others)

    def _count(self, suit: int, low: int, high: int) -> int:
        """The unseen cards of a suit with a rank from ``low`` to below ``high``."""
        return sum(card.suit == suit and low <= (card.rank or 0) < high for card in self.unseen)

    def _highest_of_suit(self, mine: Card, laid: tuple[int, ...]) -> int:
        """The ways to lay so many of each suit, those of my suit all below my card."""
        return prod(comb(self._count(suit, 0, _rank(mine) if suit == mine.suit else 99), laid[suit]) for suit in SUITS)

    def _highest_of_all(self, mine: Card, laid: tuple[int, ...]) -> Fraction:
        """The ways in which no card is higher than mine, and every equal one lies before somebody who comes later."""
        rank, ways = _rank(mine), Fraction(0)
        equal = [self._count(suit, rank, rank + 1) for suit in SUITS]
        for same in product(*(range(min(equal[suit], laid[suit]) + 1) for suit in SUITS)):
            k = sum(same)
            lower = prod(comb(self._count(suit, 0, rank), laid[suit] - same[suit]) for suit in SUITS)
            ways += lower * Fraction(comb(self.others - self.earlier, k), comb(self.others, k))
        return ways


def first_match(unseen: tuple[Card, ...], others: int, mine: Card | None = None) -> Fraction:
    """The chance that the first turned card has the suit of a fight card: of mine, or of one of the others, laid at random.

    With u_t unseen cards of suit t: no match when the turned one is of suit t, mine is not and no other one is,
    u_t / N · C(N - u_t, others) / C(N - 1, others).

    >>> from cardlab.cards import PACK_52
    >>> [first_match(PACK_52, players) for players in (2, 3, 4, 5)]
    [Fraction(178, 425), Fraction(11686, 20825), Fraction(55883, 83300), Fraction(84443, 111860)]
    """
    n = len(unseen)
    counts = Counter(card.suit for card in unseen)
    missed = sum(u * comb(n - u, others) for suit, u in counts.items() if mine is None or suit != mine.suit)
    return 1 - Fraction(missed, n * comb(n - 1, others))


def _rank(card: Card) -> int:
    assert card.rank is not None
    return card.rank


def _suit(card: Card) -> int:
    assert card.suit is not None
    return card.suit
