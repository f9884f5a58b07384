"""Many worlds at once: the hidden cards by zone as sets of bits, the same as ``Worlds.sample`` draws with the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from cardlab.chance.believed import NEW, Worlds
from cardlab.chance.fill import Fill
from cardlab.chance.samples import Tally

FEW: Final = 50_000  # nodes of all cases that are worth compiled tables


class Many:
    """Draws hidden cards from the worlds of a view; ``columns`` are the zones, in the order in which their cards are wanted."""

    def __init__(self, believed: Worlds[Any], columns: Sequence[str]) -> None:
        self.believed = believed
        self.columns = {name: k for k, name in enumerate(columns)}
        self._tables: dict[Fill, Any] = {}

    @cached_property
    def fits(self) -> bool:
        """Whether the ways to deal are few enough for compiled tables."""
        return all(fill.nodes(FEW) is not None for fill in {fill for case in self.believed.cases for fill in case.fills})

    def draw(self, seed: int, first: int, n: int) -> tuple[Any, Any]:
        """The cards by [sample, column], and the numbers with which the samples go on."""
        from cardlab.fast import fills

        numbers = fills.draws(seed, first, n)
        dealt = fills.nothing(n, len(self.columns))
        for case, rows in fills.drawn(self.believed.until, numbers):
            for fill in self.believed.cases[case].fills:
                fills.deal(self._table(fill), rows, numbers, dealt)
            for zone, card in self.believed.cases[case].fixed:
                fills.add(dealt, rows, self._column(zone), card.code)
        return dealt, numbers

    def _column(self, zone: str) -> int:
        return self.columns[zone.removesuffix(NEW)]

    def _table(self, fill: Fill) -> Any:
        from cardlab.fast import fills

        if fill not in self._tables:
            nodes = fill.nodes(FEW)
            assert nodes is not None
            groups = [[(self._column(zone), size) for zone, size in zones] for _, _, zones in fill.groups]
            self._tables[fill] = fills.tables([[card.code for card in cards] for cards, _ in fill.kinds], groups, nodes)
        return self._tables[fill]


def tally_of(column: Any) -> Tally:
    """The sums of a column of values."""
    from cardlab.fast import counting

    return Tally.of(*counting.moments(column))


def hits(column: Any) -> dict[int, Tally]:
    """How often each value of a column comes."""
    from cardlab.fast import counting

    return {value: Tally.of_hits(times) for value, times in zip(*counting.distinct(column), strict=True)}
