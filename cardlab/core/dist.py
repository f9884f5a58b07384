"""A distribution as a value: outcomes with integer weights, fractions out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from html import escape
from math import gcd, lcm
from typing import Any, Final, Generic, TypeVar

from cardlab.words import Words, usual_language
from cardlab.words.percents import percent

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
MOST_BARS: Final = 60  # in a notebook; a longer distribution ends with a row for the rest


class Dist(Generic[T]):
    """Outcomes and how often each comes, as whole numbers; equal outcomes are added up. It never changes.

    Raises ValueError for a negative weight and for no weight at all, TypeError for a weight that is not a whole number.

    >>> die = Dist.uniform(range(1, 7))
    >>> die.p(6), die.map(lambda n: n % 2 == 0)
    (Fraction(1, 6), Dist({False: 3, True: 3}))
    >>> die.mean(), die.variance(), die.where(lambda n: n > 4)
    (Fraction(7, 2), Fraction(35, 12), Fraction(1, 3))
    """

    __slots__ = ("_weights", "total")
    _weights: dict[T, int]
    total: int

    def __init__(self, weights: Mapping[T, int] | Iterable[tuple[T, int]]) -> None:
        kept: dict[T, int] = {}
        for outcome, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if not isinstance(weight, int):
                raise TypeError(f"a weight is a whole number, not {weight!r} for {outcome!r}")
            if weight < 0:
                raise ValueError(f"a weight is 0 or more, not {weight} for {outcome!r}")
            if weight:
                kept[outcome] = kept.get(outcome, 0) + weight
        total = sum(kept.values())
        if not total:
            raise ValueError("a distribution needs at least one outcome with a weight above 0")
        object.__setattr__(self, "_weights", kept)
        object.__setattr__(self, "total", total)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Dist never changes: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Dist never changes: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Dist, (self._weights,)

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Dist[T]:
        """Every outcome with the same weight."""
        return cls((outcome, 1) for outcome in outcomes)

    @classmethod
    def of(cls, chances: Mapping[T, Fraction]) -> Dist[T]:
        """The distribution of some chances, or of shares of any size.

        >>> Dist.of({"heads": Fraction(1, 2), "tails": Fraction(1, 3), "edge": Fraction(1, 6)})
        Dist({'heads': 3, 'tails': 2, 'edge': 1})
        """
        common = lcm(*(p.denominator for p in chances.values()))
        return cls((outcome, int(p * common)) for outcome, p in chances.items())

    def p(self, outcome: T) -> Fraction:
        """The probability of an outcome, exact."""
        return Fraction(self._weights.get(outcome, 0), self.total)

    def items(self) -> Iterable[tuple[T, int]]:
        """The outcomes with their weights, in the order in which they were given."""
        return tuple(self._weights.items())

    def map(self, function: Callable[[T], U]) -> Dist[U]:
        """The distribution of a function of the outcome."""
        return Dist((function(outcome), weight) for outcome, weight in self._weights.items())

    def where(self, event: Callable[[T], object]) -> Fraction:
        """The probability that the outcome is one of those for which ``event`` is true."""
        return Fraction(sum(weight for outcome, weight in self._weights.items() if event(outcome)), self.total)

    def given(self, event: Callable[[T], object]) -> Dist[T]:
        """The distribution where it is known that ``event`` is true; raises ValueError when it cannot be.

        >>> Dist.uniform(range(1, 7)).given(lambda n: n > 4)
        Dist({5: 1, 6: 1})
        """
        known = [(outcome, weight) for outcome, weight in self._weights.items() if event(outcome)]
        if not known:
            raise ValueError("what is given has probability 0")
        return Dist(known)

    def joint(self, other: Dist[U] | Callable[[T], Dist[U]]) -> Dist[tuple[T, U]]:
        """Pairs of an outcome and one of another distribution: an independent one, or the one that follows from the first outcome.

        >>> coin = Dist.uniform("HT")
        >>> coin.joint(lambda side: coin if side == "H" else Dist({"T": 1}))
        Dist({('H', 'H'): 1, ('H', 'T'): 1, ('T', 'T'): 2})
        """
        second = {outcome: other if isinstance(other, Dist) else other(outcome) for outcome in self}
        common = lcm(*(dist.total for dist in second.values()))
        return Dist(
            ((outcome, after), weight * more * (common // second[outcome].total))
            for outcome, weight in self._weights.items()
            for after, more in second[outcome].items()
        )

    def marginal(self, *places: int) -> Dist[Any]:
        """Of outcomes that are tuples, the distribution of what stands at one place, or of the tuple of several.

        >>> coin = Dist.uniform("HT")
        >>> coin.joint(coin).joint(coin).marginal(1)
        Dist({'H': 4, 'T': 4})
        """
        chosen: list[Any] = [(_at(outcome, places), weight) for outcome, weight in self._weights.items()]
        return Dist(chosen)

    def mean(self, of: Callable[[T], Any] | None = None) -> Fraction:
        """The mean of the outcome, or of a function of it; the values are whole numbers or fractions."""
        return (
            Fraction(sum(weight * _exact(outcome if of is None else of(outcome)) for outcome, weight in self._weights.items())) / self.total
        )

    def variance(self, of: Callable[[T], Any] | None = None) -> Fraction:
        """The variance of the outcome, or of a function of it."""
        mean = self.mean(of)
        return self.mean(lambda outcome: (_exact(outcome if of is None else of(outcome)) - mean) ** 2)

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

    def _repr_html_(self) -> str:
        """Bars for a notebook: a row for each outcome with its share and its weight in lowest terms."""
        words = Words(usual_language())
        shown = list(self._weights.items())[:MOST_BARS]
        rest = self.total - sum(weight for _, weight in shown)
        longest = max(weight for _, weight in shown)
        rows = [_bar(words.show(outcome), weight, self.total, longest, words) for outcome, weight in shown]
        if rest:
            others = words.text("chance.others", n=len(self) - MOST_BARS)
            rows.append(_bar(others, rest, self.total, max(longest, rest), words))
        label = escape(words.text("chance.distribution"))
        return f'<table aria-label="{label}" style="border-collapse:collapse">{"".join(rows)}</table>'


def _at(outcome: Any, places: tuple[int, ...]) -> Any:
    return outcome[places[0]] if len(places) == 1 else tuple(outcome[place] for place in places)


def _exact(value: Any) -> Fraction:
    if isinstance(value, float):
        raise TypeError(f"a mean is exact: {value!r} is not a whole number or a fraction")
    return Fraction(value)


def _bar(name: str, weight: int, total: int, longest: int, words: Words) -> str:
    shared = gcd(weight, total)
    width = 240 * weight / longest
    share = f"{weight // shared}/{total // shared} = {percent(Fraction(weight, total), words)}"
    return (
        f'<tr><th scope="row" style="text-align:right;font-weight:normal;padding:1px 8px">{escape(name)}</th>'
        f'<td style="text-align:left;padding:1px 0"><span style="display:inline-block;height:.8em;width:{width:.1f}px;'
        f'background:#4c78a8"></span> {escape(share)}</td></tr>'
    )
