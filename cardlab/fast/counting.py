"""Columns of many games added up, exactly: whole numbers of Python come out, however large."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.core.bins import bin_of

Column = NDArray[Any]
WIDE: Final = 2**18  # values that lie within such a range are counted by place, others sorted
LARGEST: Final = 2**62


class Figures(NamedTuple):
    """What is counted in some games, a row each: as in ``cardlab.simulation.figures``, with columns in the place of numbers."""

    deals: Column
    tables: dict[str, Column]  # added up already
    values: dict[str, list[Column]]
    rates: dict[str, Column]
    remarkable: dict[str, Column]


def distinct(column: Column) -> tuple[list[int], list[int]]:
    """The values of a column in order, and how often each one comes."""
    if not len(column):
        return [], []
    least, greatest = int(column.min()), int(column.max())
    if greatest - least >= WIDE:
        values, times = np.unique(column, return_counts=True)
        return values.tolist(), times.tolist()
    counts = np.bincount(column if least == 0 else np.subtract(column, least, dtype=np.int64))
    (places,) = counts.nonzero()
    return (places + least).tolist(), counts[places].tolist()


def sums(column: Column) -> tuple[int, int, int, dict[int, int]]:
    """How many values there are, their sum, the sum of their squares, and how many fall in each bin of ``cardlab.core.bins``.

    >>> sums(np.array([1, 1, 5]))
    (3, 7, 27, {1: 2, 5: 1})
    """
    values, times = distinct(column)
    bins: dict[int, int] = {}
    for value, n in zip(values, times, strict=True):
        bins[bin_of(value)] = bins.get(bin_of(value), 0) + n
    return len(column), *_powers(values, times), bins


def rate(deals: Column, column: Column) -> tuple[int, int, int, int, int, int]:
    """How many games, their deals, the sum of the column; of the deals' squares, of the products, of the column's squares."""
    if not len(deals):
        return 0, 0, 0, 0, 0, 0
    if (least := int(deals.min())) == int(deals.max()):
        n, total, squares, _, _ = moments(column)
        return n, n * least, total, n * least * least, least * total, squares
    x, y = deals.astype(np.int64), column.astype(np.int64)
    if max(int(x.max()), int(y.max()), -int(y.min())) ** 2 * len(x) >= LARGEST:
        x, y = x.astype(object), y.astype(object)
    return len(x), int(x.sum()), int(y.sum()), int(x @ x), int(x @ y), int(y @ y)


def largest(column: Column, first: int, n: int) -> list[tuple[int, int]]:
    """The n largest values with their indices, that of the first row being ``first``; of equal values the first ones.

    >>> largest(np.array([2, 5, 3, 5]), 10, 3)
    [(5, 11), (5, 13), (3, 12)]
    """
    found: list[tuple[int, int]] = []
    left = column
    while len(found) < n and len(left):
        value = left.max()
        (rows,) = (column == value).nonzero()
        found += [(int(value), first + int(row)) for row in rows[: n - len(found)]]
        left = left[left < value]
    return found


def moments(column: Column) -> tuple[int, int, int, int, int]:
    """How many values there are, their sum, the sum of their squares, the least and the greatest; zeros for an empty column.

    >>> moments(np.array([1, 1, 5]))
    (3, 7, 27, 1, 5)
    """
    values, times = distinct(column)
    return len(column), *_powers(values, times), *((values[0], values[-1]) if values else (0, 0))


def _powers(values: list[int], times: list[int]) -> tuple[int, int]:
    """The sum and the sum of the squares of values that come so often."""
    pairs = list(zip(values, times, strict=True))
    return sum(n * x for x, n in pairs), sum(n * x * x for x, n in pairs)
