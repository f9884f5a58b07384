"""Many worlds at once: the hidden cards by zone as sets of bits, the same as ``Worlds.sample`` draws with the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cardlab.chance.believed import NEW, Worlds

FEW: Final = 50_000  # nodes of all cases that are worth compiled tables


class Many:
    """Draws hidden cards from the worlds of a view; ``columns`` are the zones, in the order in which their cards are wanted."""

    def __init__(self, believed: Worlds[Any], columns: Sequence[str]) -> None:
        self.believed = believed
        self.columns = {name: k for k, name in enumerate(columns)}
        self._tables: dict[int, list[Any]] = {}

    def draw(self, seed: int, first: int, n: int) -> tuple[Any, Any] | None:
        """The cards by [sample, column], and the numbers from which to go on; ``None`` where the ways to deal are too many for tables."""
        from cardlab.fast import fills

        numbers = fills.draws(seed, first, n)
        dealt = fills.nothing(n, len(self.columns))
        for case, rows in fills.drawn(self.believed.until, numbers):
            tables = self._of_case(case)
            if tables is None:
                return None
            for table in tables:
                fills.deal(table, rows, numbers, dealt)
            for zone, card in self.believed.cases[case].fixed:
                fills.add(dealt, rows, self._column(zone), card.code)
        return dealt, numbers

    def _column(self, zone: str) -> int:
        return self.columns[zone.removesuffix(NEW)]

    def _of_case(self, case: int) -> list[Any] | None:
        from cardlab.fast import fills

        if case not in self._tables:
            made = []
            for fill in self.believed.cases[case].fills:
                nodes = fill.nodes(FEW)
                if nodes is None:
                    return None
                groups = [[(self._column(zone), size) for zone, size in zones] for _, _, zones in fill.groups]
                made.append(fills.tables([[card.code for card in cards] for cards, _ in fill.kinds], groups, nodes))
            self._tables[case] = made
        return self._tables[case]
