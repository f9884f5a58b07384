"""What simulated games add up to: counts, sums and bins in whole numbers, so that parts make the same whole however they were cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Any, Final

from cardlab.chance.answers import Estimate, Z
from cardlab.core.bins import bin_ends, bin_of

REMARKABLE: Final = 3  # of each kind


@dataclass
class Sums:
    """A quantity with one value a game: how often, the sum, the sum of squares, and how many values fell in each bin."""

    n: int = 0
    total: int = 0
    squares: int = 0
    bins: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, values: Iterable[int]) -> Sums:
        """The sums of some values.

        >>> Sums.of([1, 2, 6]).estimate(seed=0).mean
        3.0
        """
        listed = list(values)
        return cls(len(listed), sum(listed), sum(x * x for x in listed), Counter(map(bin_of, listed)))

    def add(self, other: Sums) -> None:
        self.n += other.n
        self.total += other.total
        self.squares += other.squares
        self.bins.update(other.bins)

    def estimate(self, seed: int) -> Estimate:
        """The mean with its interval."""
        return Estimate(self.n, self.total, self.squares, "mean", seed)

    def quantile(self, q: float) -> tuple[int, int] | None:
        """The ends of the bin in which the quantile lies, equal ones up to 127 and at most 1/64 apart beyond; ``None`` for no values.

        >>> Sums.of(range(101)).quantile(0.5), Sums.of([1000]).quantile(0.5)
        ((50, 50), (1000, 1007))
        """
        place, passed = max(ceil(q * self.n), 1), 0
        for number in sorted(self.bins):
            passed += self.bins[number]
            if passed >= place:
                return bin_ends(number)
        return None


@dataclass
class Rate:
    """What happened in all deals of a game, over how many deals there were: sums for the ratio and its error."""

    n: int = 0
    deals: int = 0
    total: int = 0
    deals_squared: int = 0
    product: int = 0
    squares: int = 0

    @classmethod
    def of(cls, deals: Iterable[int], values: Iterable[int]) -> Rate:
        """The sums of some games.

        >>> Rate.of([1, 3], [2, 6]).mean
        2.0
        """
        pairs = list(zip(deals, values, strict=True))
        sums = (sum(x for x, _ in pairs), sum(y for _, y in pairs), sum(x * x for x, _ in pairs))
        return cls(len(pairs), *sums, sum(x * y for x, y in pairs), sum(y * y for _, y in pairs))

    def add(self, other: Rate) -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def mean(self) -> float | None:
        """A deal's mean."""
        return self.total / self.deals if self.deals else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of a deal's mean: that of a ratio whose games are independent and whose deals are not (Cochran 1977, 6.3)."""
        if self.n < 2 or not self.deals:
            return None
        ratio = self.total / self.deals
        # of whole numbers, as each of the three terms may be far larger than what is left of them
        spread = self.squares * self.deals**2 - 2 * self.total * self.deals * self.product + self.total**2 * self.deals_squared
        error = sqrt(max(spread, 0) / self.deals**2 * self.n / (self.n - 1)) / self.deals
        return ratio - Z * error, ratio + Z * error


Remarks = list[tuple[int, int]]  # (value, index of the game), the largest value first, of equal ones the first game


@dataclass
class Tally:
    """What was counted in some games; ``tables`` are flat, row by row."""

    games: int = 0
    tables: dict[str, list[int]] = field(default_factory=dict)
    values: dict[str, list[Sums]] = field(default_factory=dict)  # by seat, or one for the game
    rates: dict[str, Rate] = field(default_factory=dict)
    remarkable: dict[str, Remarks] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Counts the games of another tally, too; in whatever order parts are added, the sum is the same."""
        self.games += other.games
        for name, counts in other.tables.items():
            mine = self.tables.setdefault(name, [0] * len(counts))
            self.tables[name] = [a + b for a, b in zip(mine, counts, strict=True)]
        for name, series in other.values.items():
            for mine_of, theirs in zip(self.values.setdefault(name, [Sums() for _ in series]), series, strict=True):
                mine_of.add(theirs)
        for name, rate in other.rates.items():
            self.rates.setdefault(name, Rate()).add(rate)
        for name, remarks in other.remarkable.items():
            self.remarkable[name] = most([*self.remarkable.get(name, ()), *remarks])

    def to_json(self) -> dict[str, Any]:
        """The same as JSON values; whole numbers of any length as text to base 16, which has no limit."""
        return {
            "games": hex(self.games),
            "tables": {name: list(map(hex, counts)) for name, counts in self.tables.items()},
            "values": {name: [_sums(sums) for sums in series] for name, series in self.values.items()},
            "rates": {name: [hex(getattr(rate, part)) for part in rate.__dataclass_fields__] for name, rate in self.rates.items()},
            "remarkable": {name: [[hex(a), hex(b)] for a, b in remarks] for name, remarks in self.remarkable.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        """The tally of JSON values; raises ValueError, KeyError or TypeError for others."""
        return cls(
            _number(data["games"]),
            {name: list(map(_number, counts)) for name, counts in data["tables"].items()},
            {name: [_read_sums(sums) for sums in series] for name, series in data["values"].items()},
            {name: Rate(*map(_number, parts)) for name, parts in data["rates"].items()},
            {name: [(_number(a), _number(b)) for a, b in remarks] for name, remarks in data["remarkable"].items()},
        )


def most(remarks: Iterable[tuple[int, int]]) -> Remarks:
    """The most remarkable games of some.

    >>> most([(2, 0), (5, 1), (5, 4), (3, 2)])
    [(5, 1), (5, 4), (3, 2)]
    """
    return sorted(remarks, key=lambda remark: (-remark[0], remark[1]))[:REMARKABLE]


def rows_of(counts: Sequence[int], columns: int) -> list[list[int]]:
    """A flat table as rows."""
    return [list(counts[k : k + columns]) for k in range(0, len(counts), columns)]


def _number(text: Any) -> int:
    return int(text, 16)


def _sums(sums: Sums) -> list[Any]:
    return [hex(sums.n), hex(sums.total), hex(sums.squares), {hex(at): hex(n) for at, n in sorted(sums.bins.items())}]


def _read_sums(parts: Sequence[Any]) -> Sums:
    n, total, squares, bins = parts
    return Sums(_number(n), _number(total), _number(squares), Counter({_number(at): _number(times) for at, times in bins.items()}))
