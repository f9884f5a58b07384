"""Games played and counted by the compiled twins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from cardlab import fast
from cardlab.core.game import AnyGame
from cardlab.simulation.tally import REMARKABLE, Rate, Sums, Tally


def covers(game: AnyGame, policy: Mapping[int, str]) -> bool:
    """Whether there is a twin that knows such a game and such players."""
    return fast.available() and fast.twin(game.name).covers(game, policy)


def tally(game: AnyGame, policy: Mapping[int, str], seed: int, first: int, n: int) -> tuple[Tally, list[int]]:
    """The tally of n games from an index on, and the indices of those that are left to the engine."""
    from cardlab.fast import counting

    games: Any = fast.twin(game.name).play(game, seed, first, n, policy)
    figures, left = fast.twin(game.name).figures(game, games)
    found = Tally(n - len(left))
    found.tables = {name: table.ravel().tolist() for name, table in figures.tables.items()}
    found.values = {name: [_sums(counting.sums(column)) for column in series] for name, series in figures.values.items()}
    found.rates = {name: Rate(*counting.rate(figures.deals, column)) for name, column in figures.rates.items()}
    found.remarkable = {name: counting.largest(column, first, REMARKABLE) for name, column in figures.remarkable.items()}
    return found, [first + row for row in left]


def scores(game: AnyGame, policy: Mapping[int, str], seed: int, first: int, n: int) -> tuple[list[list[int]], list[int]]:
    """The scores of n games from an index on, a row each, and the indices of those that are left to the engine."""
    games: Any = fast.twin(game.name).play(game, seed, first, n, policy)
    found, left = fast.twin(game.name).scores(game, games)
    return found.tolist(), [first + row for row in left]


def _sums(parts: tuple[int, int, int, dict[int, int]]) -> Sums:
    n, total, squares, bins = parts
    return Sums(n, total, squares, Counter(bins))
