"""Sums, bins and their merging: exact for numbers of any size, the same however they are cut, and the same from columns."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlab.core.bins import FINE, bin_ends, bin_of
from cardlab.simulation.tally import Rate, Sums, Tally, most

NUMBERS = st.integers(-(2**80), 2**80)
IN_COLUMNS = st.integers(-(2**62), 2**62)


@given(NUMBERS, NUMBERS)
def test_bins_sort_as_their_numbers(one: int, other: int) -> None:
    least, greatest = bin_ends(bin_of(one))
    assert least <= one <= greatest
    assert (bin_of(one) < bin_of(other)) <= (one < other)
    assert greatest - least <= max(abs(one) >> FINE - 1, 0)  # 1/64 at most
    assert abs(one) >= 128 or least == greatest == one


@given(st.lists(NUMBERS, max_size=40), st.integers(0, 40))
def test_parts_make_the_same_whole(values: list[int], at: int) -> None:
    whole, part = Sums.of(values), Sums.of(values[:at])
    part.add(Sums.of(values[at:]))
    assert part == whole
    deals = [1 + abs(value) % 7 for value in values]
    rate = Rate.of(deals[:at], values[:at])
    rate.add(Rate.of(deals[at:], values[at:]))
    assert rate == Rate.of(deals, values)
    marked = [(value, index) for index, value in enumerate(values)]
    assert most([*most(marked[:at]), *most(marked[at:])]) == most(marked)


@given(st.lists(NUMBERS, min_size=1, max_size=40), st.floats(0, 1))
def test_a_quantile_lies_in_its_bin(values: list[int], q: float) -> None:
    found = Sums.of(values).quantile(q)
    assert found is not None
    place = max(-int(-q * len(values) // 1), 1)
    assert found[0] <= sorted(values)[place - 1] <= found[1]


@given(st.lists(NUMBERS, max_size=20))
def test_a_tally_is_read_back(values: list[int]) -> None:
    tally = Tally(len(values), {"t": [1, 2]}, {"v": [Sums.of(values)]}, {"r": Rate.of([1] * len(values), values)}, {"m": [(2**70, 5)]})
    assert Tally.from_json(tally.to_json()) == tally


@given(st.lists(st.tuples(st.integers(1, 2**40), IN_COLUMNS), min_size=1, max_size=60))
def test_columns_are_added_up_as_numbers_are(rows: list[tuple[int, int]]) -> None:
    np = pytest.importorskip("numpy")
    from cardlab.fast import counting

    deals, values = [x for x, _ in rows], [y for _, y in rows]
    column = np.array(values, np.int64)
    n, total, squares, bins = counting.sums(column)
    whole = Sums.of(values)
    assert (n, total, squares, bins) == (whole.n, whole.total, whole.squares, dict(whole.bins))
    assert Rate(*counting.rate(np.array(deals), column)) == Rate.of(deals, values)
    assert counting.largest(column, 7, 3) == most((value, 7 + row) for row, value in enumerate(values))
    assert counting.moments(column) == (n, total, squares, min(values), max(values))


def test_intervals_of_rates_and_nothing() -> None:
    assert Rate().mean is None
    assert Rate.of([3], [2]).interval is None
    assert Rate.of([2, 2], [1, 1]).interval == (0.5, 0.5)
    assert Sums().quantile(0.5) is None
    values = [1, 4, 2, 8]
    assert Rate.of([1] * 4, values).mean == fmean(values)
