"""Samples: drawn one after another, each from its own named numbers, until they are many enough, time is up, or nobody waits any more.

A sample is a function of (seed, its index) alone. The interval is looked at only where a batch ends, and the next end is where the last
look says that the wanted width will be reached, and a quarter more: looking after every sample, or at every doubling, would stop too
often by luck and cover less than it says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import ceil
from time import monotonic
from typing import Final, Protocol, TypeVar

from cardlab import fast
from cardlab.chance.answers import Estimate, Kind, Stop
from cardlab.chance.luck import Luck
from cardlab.core import streams

K = TypeVar("K", bound=Hashable)


USUAL: Final = 2_000  # samples where nothing is asked for
FIRST: Final = 128  # before the first look
MOST: Final = 2**20  # samples, whatever width is asked for
MARGIN: Final = 1.25  # beyond what the last look says is needed
GROWTH: Final = (1.25, 4.0)  # of the sample between looks, at least and at most
PARTS: Final = 20  # a mean is not trusted while one value makes more than 1/20 of its spread
ALL_ALIKE: Final = 1024  # nor, when all values are equal, before so many
AT_ONCE: Final = 2**12  # samples by a compiled twin in a bundle
THREADS: Final = min(fast.processors(), 8)


class Wanted(Protocol):
    """What is read of the options of a question."""

    @property
    def seed(self) -> int: ...
    @property
    def n(self) -> int | None: ...
    @property
    def half_width(self) -> float | None: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def cancelled(self) -> Stop: ...


class Numbers:
    """The random numbers of one sample: ``numbers(m)`` is a whole number from 0 to m - 1, the next of its stream.

    >>> numbers = Numbers(seed=0, index=0)
    >>> again = Numbers(seed=0, index=0)
    >>> [numbers(6) for _ in range(9)] == [again(6) for _ in range(9)]
    True
    """

    __slots__ = ("index", "key", "purpose", "seed", "used")

    def __init__(self, seed: int, index: int, purpose: int = streams.ESTIMATES) -> None:
        self.seed, self.index = seed, index
        self.key, self.purpose, self.used = streams.deal_key(seed, index, 0), purpose, 0

    def __call__(self, m: int) -> int:
        number = streams.below(streams.word(self.key, self.purpose, self.used), m)
        self.used += 1
        return number

    def luck(self) -> Luck:
        """The luck with which the sample's world is played on, from its beginning."""
        return Luck(self.seed, self.index)


Draw = Callable[[Numbers], Mapping[K, float]]


class Many(Protocol[K]):
    """Draws many samples at once."""

    def __call__(self, first: int, n: int, /) -> Mapping[K, Tally]: ...


class Tally:
    """The sums of one value over the samples so far; a sample that does not name it counts as 0."""

    __slots__ = ("greatest", "least", "squares", "times", "total")

    def __init__(self) -> None:
        self.times = 0
        self.total: float = 0  # whole numbers stay whole, so that merging is exact
        self.squares: float = 0
        self.least = self.greatest = 0.0

    def add(self, value: float) -> None:
        self.least = min(self.least, value) if self.times else value
        self.greatest = max(self.greatest, value) if self.times else value
        self.times += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Tally) -> None:
        """Counts the values of another tally, too."""
        if other.times:
            self.least = min(self.least, other.least) if self.times else other.least
            self.greatest = max(self.greatest, other.greatest) if self.times else other.greatest
        self.times += other.times
        self.total += other.total
        self.squares += other.squares

    @classmethod
    def of(cls, times: int, total: int, squares: int, least: int, greatest: int) -> Tally:
        """The sums of values that were added up elsewhere."""
        made = cls()
        made.times, made.total, made.squares, made.least, made.greatest = times, total, squares, least, greatest
        return made

    @classmethod
    def of_hits(cls, times: int) -> Tally:
        """So many samples with the value 1."""
        return cls.of(times, times, times, 1, 1)

    def estimate(self, n: int, kind: Kind, seed: int) -> Estimate:
        return Estimate(n, self.total, self.squares, kind, seed)

    def trusted(self, n: int) -> bool:
        """Whether the spread of a mean is made by many values rather than by a few."""
        least, greatest = (self.least, self.greatest) if self.times == n else (min(self.least, 0), max(self.greatest, 0))
        if least == greatest:
            return n >= ALL_ALIKE
        mean = self.total / n
        return self.squares - n * mean * mean >= PARTS * max(greatest - mean, mean - least) ** 2


def estimates(
    draw: Draw[K],
    wanted: Wanted,
    kind: Kind = "proportion",
    outcomes: Iterable[K] = (),
    purpose: int = streams.ESTIMATES,
    many: Many[K] | None = None,
) -> dict[K, Estimate]:
    """The estimates of all values that ``draw`` gives for a sample, or of the shares of all outcomes.

    ``draw(numbers)`` is one sample, made with its numbers: a value for each key, 1 for what came where shares are wanted. A key
    that it leaves out counts as 0; those of ``outcomes`` are in the result in any case. ``many(first, n)`` gives the same for n samples
    at once. Cancelled, it gives what there is so far.

    >>> from cardlab.chance.questions import Options
    >>> coin = estimates(lambda numbers: {numbers(2): 1}, Options(n=1000), outcomes=(0, 1))
    >>> coin[0].n, coin[0].low < 0.5 < coin[0].high
    (1000, True)
    """
    tallies: dict[K, Tally] = {key: Tally() for key in outcomes}
    end = None if wanted.seconds is None else monotonic() + wanted.seconds
    done, look = 0, _first_look(wanted)
    while done < look:
        done = _batch(draw, many, tallies, done, look, wanted, end, purpose)
        if done < look or wanted.half_width is None:
            break
        look = _next_look(tallies, done, wanted.half_width, wanted.n or MOST, kind)
    return {key: tally.estimate(done, kind, wanted.seed) for key, tally in tallies.items()}


def differences(draw: Draw[K], base: K) -> Draw[K]:
    """Each value less that of ``base`` in the same sample: for estimates of kind "paired"."""

    def drawn(numbers: Numbers) -> dict[K, float]:
        values = draw(numbers)
        zero = values.get(base, 0)
        return {key: value - zero for key, value in values.items()}

    return drawn


def _first_look(wanted: Wanted) -> int:
    if wanted.half_width is not None:
        return min(FIRST, wanted.n or MOST)
    return wanted.n or (USUAL if wanted.seconds is None else MOST)


def _batch(
    draw: Draw[K],
    many: Many[K] | None,
    tallies: dict[K, Tally],
    first: int,
    end: int,
    wanted: Wanted,
    time: float | None,
    purpose: int,
) -> int:
    """Samples from ``first`` to ``end``; returns where they broke off."""
    if many is not None:
        return _bundles(many, tallies, first, end, wanted, time)
    for index in range(first, end):
        if _given_up(wanted, time):
            return index
        for key, value in draw(Numbers(wanted.seed, index, purpose)).items():
            tallies.setdefault(key, Tally()).add(value)
    return end


def _bundles(many: Many[K], tallies: dict[K, Tally], first: int, end: int, wanted: Wanted, time: float | None) -> int:
    """Samples by a compiled twin, which releases the interpreter: as many bundles at a time as there are processors."""
    done = first
    while done < end and not _given_up(wanted, time):
        bundles = [(at, min(AT_ONCE, end - at)) for at in range(done, min(done + THREADS * AT_ONCE, end), AT_ONCE)]
        for found in _in_threads(many, bundles):
            for key, tally in found.items():
                tallies.setdefault(key, Tally()).merge(tally)
        done = sum(bundles[-1])
    return done


def _in_threads(many: Many[K], bundles: list[tuple[int, int]]) -> list[Mapping[K, Tally]]:
    if len(bundles) == 1:
        return [many(*bundles[0])]
    return list(_pool().map(lambda bundle: many(*bundle), bundles))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, "estimates")


def _given_up(wanted: Wanted, time: float | None) -> bool:
    return wanted.cancelled() or (time is not None and monotonic() >= time)


def _next_look(tallies: Mapping[K, Tally], done: int, width: float, most: int, kind: Kind) -> int:
    """Where to look next: the same place when every interval is narrow enough."""
    factor = 1.0
    for tally in tallies.values():
        half = tally.estimate(done, kind, 0).half_width
        if half is None or half > width:
            factor = max(factor, GROWTH[1] if half is None else MARGIN * (half / width) ** 2)
        elif kind != "proportion" and not tally.trusted(done):
            factor = max(factor, 2.0)
    if factor == 1.0:
        return done
    least, greatest = GROWTH
    return min(ceil(done * min(max(factor, least), greatest)), most)
