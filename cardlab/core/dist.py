"""A distribution as a value: outcomes with integer weights, fractions out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Dist(Generic[T]):
    """Outcomes and how often each comes, as whole numbers; equal outcomes are added up.

    Raises ValueError for a negative weight and for no weight at all.

    >>> die = Dist.uniform(range(1, 7))
    >>> die.p(6), die.map(lambda n: n % 2 == 0)
    (Fraction(1, 6), Dist({False: 3, True: 3}))
    """

    __slots__ = ("_weights", "total")
    _weights: dict[T, int]
    total: int

    def __init__(self, weights: Mapping[T, int] | Iterable[tuple[T, int]]) -> None:
        self._weights = {}
        for outcome, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if weight < 0:
                raise ValueError(f"a weight is 0 or more, not {weight} for {outcome!r}")
            if weight:
                self._weights[outcome] = self._weights.get(outcome, 0) + weight
        self.total = sum(self._weights.values())
        if not self.total:
            raise ValueError("a distribution needs at least one outcome with a weight above 0")

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Dist[T]:
        """Every outcome with the same weight."""
        return cls((outcome, 1) for outcome in outcomes)

    def p(self, outcome: T) -> Fraction:
        """The probability of an outcome, exact."""
        return Fraction(self._weights.get(outcome, 0), self.total)

    def items(self) -> Iterable[tuple[T, int]]:
        """The outcomes with their weights, in the order in which they were given."""
        return self._weights.items()

    def map(self, function: Callable[[T], U]) -> Dist[U]:
        """The distribution of a function of the outcome."""
        return Dist((function(outcome), weight) for outcome, weight in self._weights.items())

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._weights

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dist) and all(self.p(x) == other.p(x) for x in {*self, *other})

    def __hash__(self) -> int:
        return hash(frozenset((outcome, self.p(outcome)) for outcome in self))

    def __repr__(self) -> str:
        return f"Dist({self._weights})"
