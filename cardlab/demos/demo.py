"""What all demonstrations share: choices, more games, a tally, the numbers so far and those that are exact, the oddest game, a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from cardlab import fast
from cardlab.chance.answers import Estimate, Exact, Number, never
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.session import Session
from cardlab.demos.counts import Span
from cardlab.simulation import Plan
from cardlab.simulation.run import Told, whole
from cardlab.simulation.tally import Tally
from cardlab.view.answers import told
from cardlab.words import Phrase, Words

STEPS: Final = (1, 10, 100, 1000, 100_000)  # so many games at one press
MOST: Final = 10**8  # games of one call
A_DECADE: Final = 20  # points of a path from one power of ten to the next
PLAYED: Final = 16  # games that the engine plays between two looks at whether somebody has cancelled
Row = list[Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose, and its values; another value begins anew, unless it changes only what is ``looked`` at."""

    values: tuple[Any, ...]
    usual: Any
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """The numbers after so many games."""

    games: int
    numbers: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A number to be read: what it is, how it is said, and whether it is exact; ``n`` games made an estimate."""

    label: Phrase
    said: Any
    exact: bool
    n: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """A number as it is read; a chance in per cent."""

    number: Number
    chances: bool = True

    def display(self, words: Words) -> str:
        """The number in a language."""
        return told(self.number, words, self.chances)


@dataclass(frozen=True, slots=True)
class Odd:
    """The oddest game so far: its index, and what is odd about it."""

    index: int
    what: Phrase


@dataclass(frozen=True)
class State:
    """What was counted so far; never changed, so that whoever draws it sees all of one moment."""

    tally: Tally
    path: tuple[Point, ...] = ()


class Demo(ABC):
    """A demonstration: games are played by (seed, 0), (seed, 1), … and counted; parts add up to the same whole however they were cut.

    Raises BadRequest for a choice that there is not.
    """

    name: ClassVar[str]
    game: ClassVar[str]
    choices: ClassVar[Mapping[str, Choice]] = {}
    batch: ClassVar[int] = 2**15  # games between two looks at whether somebody has cancelled
    chances: ClassVar[bool] = True  # whether the numbers are probabilities

    def __init__(self, seed: int = 1, **options: Any) -> None:
        for key, value in options.items():
            if key not in self.choices:
                raise BadRequest("demo.error.choice", name=quoted(key), names=", ".join(self.choices))
            if not any(type(value) is type(known) and value == known for known in self.choices[key].values):
                raise BadRequest("demo.error.value", name=key, value=quoted(value), values=", ".join(map(str, self.choices[key].values)))
        self.options: dict[str, Any] = {key: options.get(key, choice.usual) for key, choice in self.choices.items()}
        self.seed = seed
        self.state = State(Tally())
        self.plan = self._plan()

    @abstractmethod
    def _plan(self) -> Plan:
        """Whose games."""

    @abstractmethod
    def _count(self, span: Span) -> Tally:
        """What is counted in some games."""

    @property
    def exact(self) -> tuple[Exact, ...]:
        """What the numbers come to in the long run, where that is known."""
        return ()

    def _numbers(self, tally: Tally) -> tuple[Estimate, ...]:
        """The numbers of a tally that are followed from game to game."""
        return ()

    @abstractmethod
    def readings(self) -> list[Reading]:
        """The numbers to be read."""

    @abstractmethod
    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """The headers and the rows of a table with all that is shown."""

    def oddest(self) -> Odd | None:
        """The oddest game so far; ``None`` before the first."""
        return None

    # what is known so far

    @property
    def tally(self) -> Tally:
        """What was counted."""
        return self.state.tally

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.state.tally.games

    @property
    def numbers(self) -> tuple[Estimate, ...]:
        """The numbers so far."""
        return self._numbers(self.tally)

    @property
    def path(self) -> tuple[Point, ...]:
        """The numbers after 1, 2, 3, … games, ever more apart, and now."""
        state = self.state
        if not state.tally.games or (state.path and state.path[-1].games == state.tally.games):
            return state.path
        return *state.path, Point(state.tally.games, self._numbers(state.tally))

    # more

    def more(self, n: int = 1, progress: Told = lambda done, games: None, cancelled: Callable[[], bool] = never) -> Demo:
        """Plays so many games more; cancelled, it keeps those that are played. Raises BadRequest for a number that is none."""
        begun, n = self.games, whole("n", n, most=MOST)
        for span in _spans(begun, begun + n, self._batch):
            if cancelled():
                break
            tally = Tally()
            for part in (self.state.tally, self._count(span)):
                tally.add(part)
            path = self.state.path
            if tally.games == _mark(tally.games - 1) and (numbers := self._numbers(tally)):
                path = *path, Point(tally.games, numbers)
            self.state = State(tally, path)
            progress(tally.games - begun, n)
        return self

    @property
    def _batch(self) -> int:
        return self.batch if fast.available() else min(self.batch, PLAYED)

    def again(self, **changed: Any) -> Demo:
        """The same without a game: with other deals, or with other choices and the same deals; a look at what was played keeps it."""
        options = self.options | changed
        if changed and all(self.choices[key].looked for key in changed if key in self.choices):
            other = type(self)(self.seed, **options)
            other.state = self.state
            return other
        return type(self)(self.seed if changed else (self.seed + 1) % 2**64, **options)

    # its games

    def open(self, index: int | None = None) -> Session:
        """One of the games, the oddest if none is named, played to its end and standing at its start; raises BadRequest without one."""
        odd = self.oddest()
        if index is None and odd is None:
            raise BadRequest("demo.error.no_game")
        return self.plan.played(odd.index if index is None and odd is not None else whole("index", index, least=0))

    def asked(self, index: int) -> dict[str, str]:
        """What the address of the page asks for to open one of the games."""
        rules = {key: str(value) for key, value in self.plan.game.rules.changed().items()}
        asked = {"game": self.plan.game.name, "players": str(self.plan.game.players), **rules}
        return asked | {"seed": str(self.seed), "index": str(index), "policy": self.plan.policy[0]}


def read_off(number: Exact | Estimate, label: str, chances: bool, **params: Any) -> Reading:
    """A number as a reading."""
    exact = isinstance(number, Exact)
    return Reading(Phrase.of(label, **params), Said(number, chances), exact, 0 if isinstance(number, Exact) else number.n)


def of_path(demo: Demo, first: str, words: Words, names: list[str]) -> tuple[list[str], list[Row]]:
    """A path as a table: the games, and for each number its mean, the ends of its interval and what is exact."""
    headers = [words.text(first)]
    for name in names:
        headers += [f"{name}{words.text(f'demo.column.{part}')}" for part in ("mean", "low", "high", "exact")]
    exact = demo.exact or (None,) * len(names)
    rows: list[Row] = []
    for point in demo.path:
        row: Row = [point.games]
        for number, known in zip(point.numbers, exact, strict=True):
            row += [number.mean, number.low, number.high, None if known is None else known.value]
        rows.append(row)
    return headers, rows


def _mark(after: int) -> int:
    """The first number of games beyond ``after`` at which a path has a point.

    >>> [_mark(n) for n in (0, 1, 9, 10, 1000)]
    [1, 2, 10, 11, 1122]
    """
    if after < 10:
        return after + 1
    k = 0
    while (mark := round(10 ** (k / A_DECADE))) <= after:
        k += 1
    return mark


def _spans(first: int, end: int, batch: int) -> Iterator[Span]:
    """The games from the first to before the end, cut at the points of a path and into batches.

    >>> list(_spans(8, 14, 3))
    [(8, 9), (9, 10), (10, 11), (11, 13), (13, 14)]
    """
    while first < end:
        cut = min(_mark(first), first + batch, end)
        yield first, cut
        first = cut
