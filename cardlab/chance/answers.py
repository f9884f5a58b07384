"""Numbers that say what they are: exact, or an estimate with its sample and its interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Final, Generic, Literal, TypeVar

from cardlab.core.dist import Dist
from cardlab.words import Phrase

T = TypeVar("T", bound=Hashable)
Z: Final = 1.959963984540054  # two-sided 95 % of the normal distribution
Kind = Literal["proportion", "mean", "paired"]
Stop = Callable[[], bool]


def never() -> bool:
    """For a sample that nobody cancels."""
    return False


@dataclass(frozen=True, slots=True)
class Exact:
    """An exact number: a fraction, or the float of a recursion whose error is at most ``error``.

    ``count`` is the number of favourable cases where cases were counted.

    >>> float(Exact(Fraction(1, 4)))
    0.25
    """

    value: Fraction | float
    count: int | None = None
    error: float = 0.0

    def __float__(self) -> float:
        return float(self.value)

    @property
    def mean(self) -> float:
        """The number as a float, under the name it has in an estimate."""
        return float(self.value)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a sample, or of as many samples as were merged: their number, sum and sum of squares.

    A proportion has the interval of Wilson, which stays within 0 and 1; a mean, and a mean of differences within pairs, has that of
    Student. Without a sample there is no number at all: ``mean``, ``low`` and ``high`` are ``None``.

    >>> hits = Estimate.of_hits(1, 30)
    >>> round(hits.low, 4), round(hits.high, 4)
    (0.0059, 0.1667)
    >>> (hits + Estimate.of_hits(0, 30)).n
    60
    """

    n: int = 0
    total: Fraction | float = 0
    squares: Fraction | float = 0
    kind: Kind = "proportion"
    seed: int | None = None
    merged: tuple[int, ...] = ()  # the seeds of samples that were merged in

    @classmethod
    def of_hits(cls, hits: int, n: int, seed: int | None = None) -> Estimate:
        """A proportion: so many hits in so many trials."""
        return cls(n, hits, hits, "proportion", seed)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of all samples in it."""
        return self.merged if self.seed is None else (self.seed, *self.merged)

    def __add__(self, other: Estimate) -> Estimate:
        """Both samples together; raises ValueError for different kinds, and for one seed twice, which would count one sample twice."""
        if self.kind != other.kind:
            raise ValueError(f"a {self.kind} and a {other.kind} are not the same number")
        if set(self.seeds) & set(other.seeds):
            raise ValueError(f"the samples share a seed: {self.seeds} and {other.seeds}")
        seed, *merged = (*self.seeds, *other.seeds) or (None,)
        sums = {"n": self.n + other.n, "total": self.total + other.total, "squares": self.squares + other.squares}
        return replace(self, **sums, seed=seed, merged=tuple(merged))  # type: ignore[arg-type]

    @property
    def mean(self) -> float | None:
        """The estimate itself."""
        return float(self.total / self.n) if self.n else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; ``None`` for fewer than two values."""
        if self.n < 2:
            return None
        total = Fraction(self.total) if isinstance(self.total, int) else self.total  # exact where the values are
        spread = float(self.squares - total * total / self.n)
        return sqrt(max(spread, 0.0) / (self.n - 1) / self.n)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval."""
        if not self.n:
            return None
        if self.kind == "proportion":
            return wilson(float(self.total), self.n)
        mean, error = self.mean, self.standard_error
        if mean is None or error is None:
            return None
        half = student(self.n - 1) * error
        return mean - half, mean + half

    @property
    def low(self) -> float | None:
        """The lower end of the 95 % interval."""
        return None if self.interval is None else self.interval[0]

    @property
    def high(self) -> float | None:
        """The upper end of the 95 % interval."""
        return None if self.interval is None else self.interval[1]

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval: what stands behind ±."""
        return None if self.interval is None else (self.interval[1] - self.interval[0]) / 2


Number = Exact | Estimate


def wilson(hits: float, n: int, z: float = Z) -> tuple[float, float]:
    """The interval of Wilson (1927) for a proportion; at 0 and n it ends at 0 and 1 exactly.

    >>> [round(end, 4) for end in wilson(0, 30)], [round(end, 4) for end in wilson(30, 30)]
    ([0.0, 0.1135], [0.8865, 1.0])
    """
    p = hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (0.0 if hits == 0 else max(middle - half, 0.0)), (1.0 if hits == n else min(middle + half, 1.0))


def student(freedom: int, z: float = Z) -> float:
    """The two-sided 95 % point of Student's t by the expansion of Fisher and Cornish (1960): within 0.01 from 4 degrees of freedom on.

    >>> [round(student(freedom), 3) for freedom in (10, 30, 1000)]
    [2.228, 2.042, 1.962]
    """
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The answer to a question: a number for each outcome, and under which behaviour of the players it holds.

    ``adds_up`` says that the outcomes exclude each other and one of them comes, so that the numbers are a distribution; otherwise each
    is a number of its own. ``chances`` says that the numbers are probabilities, and not cards, money or the like.
    """

    question: str
    numbers: Mapping[T, Number]
    assumes: Phrase
    adds_up: bool = True
    chances: bool = True

    @property
    def exact(self) -> bool:
        """Whether every number is exact."""
        return all(isinstance(number, Exact) for number in self.numbers.values())

    @property
    def dist(self) -> Dist[T]:
        """An exact distribution as a value to reckon with; raises ValueError where the answer is none, or is not in fractions.

        >>> from cardlab import Session, game
        >>> from cardlab.chance import ask
        >>> round(float(ask(Session(game("suicide_king"), seed=7), "turn_length").dist.mean()), 4)
        2.0501
        """
        chances = {outcome: found.value for outcome, found in self.numbers.items() if isinstance(found, Exact)}
        shares = {outcome: Fraction(p) for outcome, p in chances.items() if isinstance(p, (int, Fraction))}
        if not self.adds_up or len(shares) < len(self.numbers):
            raise ValueError(f"the answer to {self.question} is no distribution in fractions")
        return Dist.of(shares)

    def __getitem__(self, outcome: T) -> Number:
        return self.numbers[outcome]

    def __iter__(self) -> Iterator[T]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __add__(self, other: Answer[T]) -> Answer[T]:
        """The answer after more samples; raises ValueError for another question, and for a sample that is already in it."""
        if (self.question, self.assumes) != (other.question, other.assumes):
            raise ValueError(f"{self.question} and {other.question} do not ask the same")
        outcomes = dict.fromkeys((*self.numbers, *other.numbers))
        return replace(self, numbers={outcome: _merged(self._number(outcome), other._number(outcome)) for outcome in outcomes})

    def _number(self, outcome: T) -> Number | None:
        """The number of an outcome; one that never came in the sample has 0 of as many trials."""
        if outcome in self.numbers:
            return self.numbers[outcome]
        others = (number for number in self.numbers.values() if isinstance(number, Estimate))
        return next((replace(number, total=0, squares=0) for number in others), None)


def _merged(one: Number | None, other: Number | None) -> Number:
    if isinstance(one, Estimate) and isinstance(other, Estimate):
        return one + other
    known = [number for number in (one, other) if number is not None]
    return next((number for number in known if isinstance(number, Exact)), known[0])
