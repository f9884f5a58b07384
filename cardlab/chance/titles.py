"""Who gets which title: by the draw of cards, exactly, and from deal to deal as a Markov chain.

A draw (PM-1). Whoever ties draws again with the others of his group only, from cards that lie alike for all of them, so that each order
of a tied group is as likely as any other. A seat's place in its group is therefore known from how many of the others draw a higher rank,
and how many the same: with e equal cards, its own among them, it gets each of the e places below the higher ones with 1/e.

The chain. A deal is a permutation: it gives each holder of a title a new one. Rows and columns of the transition matrix both sum to 1, and
a chain with such a matrix spends, in the long run, the same time in each state. With the counts of simulated deals given, all the algebra
is exact. What a number f(P) owes to chance follows from its derivative: each deal X shifts f by f'(P)(X - P) to first order (the delta
method), so that the numbers f(P) + f'(P)(X - P) have the mean f(P) and the spread from which its standard error comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Final, TypeVar

from cardlab.cards import RANKS, Bag
from cardlab.chance.answers import Estimate
from cardlab.core.events import Seat
from cardlab.games.marshal_state import MARSHAL, STREAK, Lots

S = TypeVar("S", bound=Hashable)
Passing = tuple[int, ...]  # for each title, the next one of its holder
Matrix = tuple[tuple[Fraction, ...], ...]
Pool = tuple[int, int, int]  # how many cards are above a rank, of it, and below
ALL_RANKS: Final = range(len(RANKS))


# The draw for titles


def place_odds(lots: Lots) -> dict[Seat, tuple[Fraction, ...]]:
    """For each seat the chance of each place, from the highest on, at any moment of a draw."""
    odds: dict[Seat, tuple[Fraction, ...]] = {}
    places = sum(map(len, lots.groups))
    above, drawing = 0, None if lots.settled else lots.group
    for group in lots.groups:
        for seat in group:
            inside = _in_round(lots, seat) if group == drawing else [Fraction(1, len(group))] * len(group)
            nothing = Fraction(0)
            odds[seat] = (*[nothing] * above, *inside, *[nothing] * (places - above - len(group)))
        above += len(group)
    return odds


def _in_round(lots: Lots, seat: Seat) -> list[Fraction]:
    """The chance of each place in the group that is drawing, for one of its seats."""
    drawn = {who: card.rank for who, card in lots.drawn}
    places = [Fraction(0)] * len(lots.group)
    for rank in ALL_RANKS if seat not in drawn else [drawn[seat]]:
        assert rank is not None
        for (above, level), chance in _others(lots, seat, rank).items():
            for place in range(above, above + level):
                places[place] += chance / level
    return places


def _others(lots: Lots, seat: Seat, rank: int) -> dict[tuple[int, int], Fraction]:
    """The chance that the seat draws this rank, or has drawn it, by how many others get a higher one and how many are on a level."""
    held = [card.rank or 0 for _, card in lots.drawn]
    start = (sum(other > rank for other in held), held.count(rank), _pool(lots.rest, rank))
    states = {start: Fraction(1)}
    for who in lots.group[len(held) :]:
        after: dict[tuple[int, int, Pool], Fraction] = {}
        for (above, level, pool), chance in states.items():
            left = pool if sum(pool) else _pool(lots.used, rank)  # the pack has run out: the cards drawn are shuffled back
            for kind, number in enumerate(left):
                if number and (who != seat or kind == 1):
                    key = above + (kind == 0), level + (kind == 1), _without(left, kind)
                    after[key] = after.get(key, Fraction(0)) + chance * Fraction(number, sum(left))
        states = after
    merged: dict[tuple[int, int], Fraction] = {}
    for (above, level, _), chance in states.items():
        merged[above, level] = merged.get((above, level), Fraction(0)) + chance
    return merged


def _pool(cards: Bag, rank: int) -> Pool:
    ranks = [card.rank or 0 for card in cards]
    return sum(other > rank for other in ranks), ranks.count(rank), sum(other < rank for other in ranks)


def _without(pool: Pool, kind: int) -> Pool:
    above, level, below = (number - (k == kind) for k, number in enumerate(pool))
    return above, level, below


def all_different(lots: Lots) -> Fraction:
    """The chance that the group that draws gets different ranks, so that nobody of it draws again.

    Each rank gives at most one card: the sets of a cards from the rest of the pack and b of those shuffled back are the coefficient of
    x^a y^b in the product of 1 + (cards in the rest)·x + (cards shuffled back)·y over the ranks that nobody has drawn yet.

    >>> from cardlab import game
    >>> all_different(game("poker_marshal").start().lots)
    Fraction(2112, 4165)
    """
    taken = [card.rank for _, card in lots.drawn]
    if len({*taken}) < len(taken):
        return Fraction(0)
    waiting = len(lots.group) - len(taken)
    from_rest = min(waiting, len(lots.rest))
    ways = Counter({(0, 0): 1})
    for rank in ALL_RANKS:
        if rank not in taken:
            rest, back = (sum(card.rank == rank for card in cards) for cards in (lots.rest, lots.used))
            for (a, b), number in list(ways.items()):
                ways[a + 1, b] += number * rest
                ways[a, b + 1] += number * back
    sets = comb(len(lots.rest), from_rest) * comb(len(lots.used), waiting - from_rest)
    return Fraction(ways[from_rest, waiting - from_rest], sets)


# The chain of titles


@dataclass(frozen=True)
class Chain:
    """How titles pass from deal to deal: how often each permutation came.

    Simulated deals, or the cases of a complete enumeration; ``exact`` says which.

    >>> chain = Chain(((((0, 1, 2)), 3), ((1, 0, 2), 1), ((2, 1, 0), 1)))
    >>> chain.matrix[0], chain.stationary()
    ((Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    """

    passings: tuple[tuple[Passing, int], ...]
    exact: bool = False

    @classmethod
    def of(cls, passings: Iterable[Passing] | Mapping[Passing, int], exact: bool = False) -> Chain:
        """The chain of some deals."""
        return cls(tuple(sorted(Counter(passings).items())), exact)

    @cached_property
    def n(self) -> int:
        """The number of deals."""
        return sum(times for _, times in self.passings)

    @property
    def titles(self) -> range:
        """The titles, from the highest, which is 0."""
        return range(len(self.passings[0][0]))

    @cached_property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """How often the holder of a title (row) got each title (column)."""
        rows = [[0 for _ in self.titles] for _ in self.titles]
        for passing, times in self.passings:
            for old, new in enumerate(passing):
                rows[old][new] += times
        return tuple(map(tuple, rows))

    @property
    def matrix(self) -> Matrix:
        """The transition matrix."""
        return tuple(tuple(Fraction(times, self.n) for times in row) for row in self.counts)

    def power(self, deals: int) -> Matrix:
        """The chance of each title after so many deals."""
        rows = _power(self.counts, deals)
        return tuple(tuple(Fraction(entry, self.n**deals) for entry in row) for row in rows)

    def power_spread(self, deals: int) -> dict[Passing, Matrix]:
        """What each permutation adds to a power by the delta method: f + f'(X - P), of which the mean is the power itself.

        The derivative of P^k in the direction H is the sum of P^a H P^(k - 1 - a).
        """
        powers = [_power(self.counts, k) for k in range(deals)]
        scale = self.n ** (deals - 1)
        mean = self.power(deals)
        spread: dict[Passing, Matrix] = {}
        for passing, _ in self.passings:
            rows = [[Fraction(1 - deals) * entry for entry in row] for row in mean]
            for before, after in zip(powers, reversed(powers), strict=True):
                for old in self.titles:
                    for new in self.titles:
                        entry = sum(before[old][title] * after[passing[title]][new] for title in self.titles)
                        rows[old][new] += Fraction(entry, scale)
            spread[passing] = tuple(map(tuple, rows))
        return spread

    def stationary(self) -> tuple[Fraction, ...]:
        """The distribution that a deal does not change; raises ValueError when the deals seen leave several."""
        size = len(self.titles)
        flow = [[self.matrix[old][new] - (old == new) for old in self.titles] for new in self.titles]
        flow[-1] = [Fraction(1)] * size  # one equation follows from the others; in its place stands that all sum to 1
        (solution,) = zip(*solved(flow, [[Fraction(row == size - 1)] for row in range(size)]), strict=True)
        return tuple(solution)

    def waits(self, follow: Callable[[S, Passing], S | None], start: S) -> Estimate | Fraction | None:
        """The mean number of deals until ``follow`` ends with ``None``, from ``start``; ``None`` when it may never end.

        The means W from all states solve W = 1 + QW, where Q holds the chances to go on from state to state; what a deal X adds to
        first order is (I - Q)^-1 times (the step that X makes - QW).
        """
        states = _reachable(follow, start, [passing for passing, _ in self.passings])
        at = {state: k for k, state in enumerate(states)}
        system = [[Fraction(state == other) for other in states] for state in states]
        for passing, times in self.passings:
            for state in states:
                after = follow(state, passing)
                if after is not None:
                    system[at[state]][at[after]] -= Fraction(times, self.n)
        try:
            inverse = solved(system, [[Fraction(row == column) for column in range(len(states))] for row in range(len(states))])
        except ValueError:
            return None
        means = [sum(row, Fraction(0)) for row in inverse]
        if self.exact:
            return means[0]
        total = squares = Fraction(0)
        for passing, times in self.passings:
            ahead = [Fraction(0) if after is None else means[at[after]] for after in (follow(state, passing) for state in states)]
            value = means[0] + sum(
                (share * (1 + step - mean) for share, step, mean in zip(inverse[0], ahead, means, strict=True)), Fraction(0)
            )
            total += times * value
            squares += times * value * value
        return Estimate(self.n, total, squares, "mean")


def same_marshal(streak: int, passing: Passing) -> int | None:
    """The number of deals that the same player has won running, after another deal; ``None`` at five."""
    streak = streak + 1 if passing[MARSHAL] == MARSHAL else 1
    return None if streak == STREAK else streak


def one_player(state: tuple[int, int], passing: Passing) -> tuple[int, int] | None:
    """One player's title and how many deals he has won running, after another deal; ``None`` at five."""
    title, streak = state
    title = passing[title]
    streak = streak + 1 if title == MARSHAL else 0
    return None if streak == STREAK else (title, streak)


def _reachable(follow: Callable[[S, Passing], S | None], start: S, passings: Sequence[Passing]) -> list[S]:
    found = [start]
    for state in found:  # it grows while it is gone through
        for after in (follow(state, passing) for passing in passings):
            if after is not None and after not in found:
                found.append(after)
    return found


def _power(counts: Sequence[Sequence[int]], exponent: int) -> list[list[int]]:
    size = range(len(counts))
    result = [[int(row == column) for column in size] for row in size]
    for _ in range(exponent):
        result = [[sum(row[k] * counts[k][column] for k in size) for column in size] for row in result]
    return result


def solved(system: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The matrix X with system · X = right, by elimination in fractions; raises ValueError for a singular system.

    >>> solved([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]], [[Fraction(3)], [Fraction(2)]])
    [[Fraction(1, 1)], [Fraction(1, 1)]]
    """
    rows = [[*left, *there] for left, there in zip(system, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next((k for k in range(column, size) if rows[k][column]), None)
        if pivot is None:
            raise ValueError("the system has no single solution")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [entry / scale for entry in rows[column]]
        for k in range(size):
            factor = rows[k][column]
            if k != column and factor:
                rows[k] = [entry - factor * other for entry, other in zip(rows[k], rows[column], strict=True)]
    return [row[size:] for row in rows]
