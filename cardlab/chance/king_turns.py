"""How many cards a turn of Suicide King takes, in closed form.

A(n) is the chance that the turn goes on after n more cards, so that it takes more than n. Take the king of hearts out of the deck first:
he lies anywhere alike, so he is not among the first n of N + 1 cards with the chance (N + 1 - n) / (N + 1), whatever the others do.

``reset``: the turn goes on as long as each honour x is followed by fewer than v(x) low cards. An honour and the low cards behind it
have the generating function z·(1 + y + … + y^(v(x)-1)), z for honours and y for low cards, and these commute: with d cards due,

    A(n) = sum over k + L = n of  k! [z^k y^L] p(d) · product over honours x of (1 + z·p(v(x))) · (l)_L / (N)_n,
    p(v) = 1 + y + … + y^(v-1),

(l)_L = l (l-1) … (l-L+1) for l low cards among N: k! orders of the chosen honours, each with the same chance.

``batch``: the turn ends with the first batch that has no honour. A batch of v cards with an honour is any batch less one of low cards:
s^v - t^v, t for cards that must be low and s for cards that may be anything, and L cards that must be low are so with the chance
(l)_L / (N)_L. The honours that set the sizes come in any order alike, independent of where they lie: after the batches that are known,
the sizes of the next k are k! [w^k] product over honours x of (1 + w·f(v(x))) of (h)_k equally likely orders, h honours in the deck.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, perm
from typing import Final

from cardlab.chance.king_lanes import VALUES, Deck

Term = tuple[int, int, int]  # powers
Polynomial = dict[Term, int]
ONE: Final[Polynomial] = {(0, 0, 0): 1}


def turn_lengths(deck: Deck, due: int, batch: bool, honour: bool = False, queue: tuple[int, ...] = ()) -> list[Fraction]:
    """The chances that a turn takes 1, 2, … more cards; ``honour``, ``queue``: of the batch under way, and the known numbers that wait.

    >>> lengths = turn_lengths(Deck((4, 3, 4, 4, 36), True), 1, batch=False)
    >>> round(float(sum(n * p for n, p in enumerate(lengths, 1))), 2), round(float(sum(lengths[10:])), 3)
    (2.05, 0.01)
    """
    others = sum(deck.counts)
    going = _goes_on_batch(deck, due, honour, queue) if batch else _goes_on_reset(deck, due)
    after = [going.get(n, Fraction(0)) for n in range(others + 1)]
    if deck.king:
        after = [p * Fraction(others + 1 - n, others + 1) for n, p in enumerate(after)]
    after[deck.size :] = []
    return [p - q for p, q in zip(after, [*after[1:], Fraction(0)], strict=True)]


def _goes_on_reset(deck: Deck, due: int) -> dict[int, Fraction]:
    """A(n) with ``reset``, without the king of hearts."""
    *kinds, low = deck.counts
    going: dict[int, int] = defaultdict(int)
    for (honours, lows, _), ways in _times({(0, run, 0): 1 for run in range(due)}, _runs(tuple(kinds))).items():
        if lows <= low:
            going[honours + lows] += ways * factorial(honours) * perm(low, lows)
    return {n: Fraction(ways, perm(sum(deck.counts), n)) for n, ways in going.items()}


@lru_cache(maxsize=512)
def _runs(kinds: tuple[int, ...]) -> Polynomial:
    """Honours that do not end a turn with the low cards behind them: powers of honours and of low cards."""
    found = ONE
    for many, value in zip(kinds, VALUES, strict=True):
        found = _times(found, _power({(1, run, 0): 1 for run in range(value)}, many))
    return found


def _goes_on_batch(deck: Deck, due: int, honour: bool, queue: tuple[int, ...]) -> dict[int, Fraction]:
    """A(n) with ``batch``, without the king of hearts: 1 less the turns that ended with the n-th card or before."""
    *kinds, low = deck.counts
    cards, honours = sum(deck.counts), sum(kinds)
    ended: dict[int, int] = defaultdict(int)  # in so many of all orders of the low cards among the others, and of all honours

    def end(terms: Polynomial, orders: int) -> None:
        for (n, lows, _), ways in terms.items():
            if lows <= low:
                ended[n] += ways * orders * comb(cards - lows, low - lows)

    known: Polynomial = {(due, 0, 0): 1} if honour else _busy(due)
    if not honour:
        end({(due, due, 0): 1}, factorial(honours))
    for size in queue:
        end(_times(known, {(size, size, 0): 1}), factorial(honours))
        known = _times(known, _busy(size))
    end(_times(known, _endings(tuple(kinds))), 1)
    over, going, every = 0, {}, factorial(honours) * comb(cards, low)
    for n in range(cards + 1):
        over += ended[n]
        going[n] = 1 - Fraction(over, every)
    return going


def _busy(size: int) -> Polynomial:
    """A batch with an honour: powers of all its cards, and of those that must be low."""
    return {(size, 0, 0): 1, (size, size, 0): -1}


@lru_cache(maxsize=512)
def _endings(kinds: tuple[int, ...]) -> Polynomial:
    """Turns that end after some batches of unknown size, the last without an honour: powers of cards, and of cards that must be low.

    Counted in orders of all honours: of k + 1 of them that set sizes, with the others behind, there are k! (h - k - 1)!.
    """
    going, over = ONE, Polynomial()
    for many, value in zip(kinds, VALUES, strict=True):
        size = {(n, lows, 1): ways for (n, lows, _), ways in _busy(value).items()}
        batches = _power(size, many)
        last = _times({(value, value, 0): many}, _power(size, many - 1)) if many else {}
        over = _plus(_times(over, batches), _times(going, last))
        going = _times(going, batches)
    found: Polynomial = defaultdict(int)
    for (n, lows, batch), ways in over.items():
        found[n, lows, 0] += ways * factorial(batch) * factorial(sum(kinds) - batch - 1)
    return dict(found)


def _power(factor: Polynomial, many: int) -> Polynomial:
    """(1 + factor) to a power."""
    found, power = Polynomial(), ONE
    for j in range(many + 1):
        found = _plus(found, {term: comb(many, j) * ways for term, ways in power.items()})
        power = _times(power, factor)
    return found


def _plus(one: Polynomial, other: Polynomial) -> Polynomial:
    total = defaultdict(int, one)
    for term, ways in other.items():
        total[term] += ways
    return dict(total)


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    product: Polynomial = defaultdict(int)
    for (a, b, c), ways in one.items():
        for (d, e, f), more in other.items():
            product[a + d, b + e, c + f] += ways * more
    return {term: ways for term, ways in product.items() if ways}
