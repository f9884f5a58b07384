"""Lines over a game: where points, labels and ticks stand, and that the picture for a pane and the one for a file draw the same."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlab.view import chart
from cardlab.view.chart import APART, ROOM, Chart, Line, powers, spread

HALF = Chart(
    "Who <wins>?",
    (
        Line("Anna 75 %", ((0, 0.25), (4, 0.5), (8, 0.75)), "p1"),
        Line("Boris 25 %", ((0, 0.75), (8, 0.25)), "p2", "7 3", ((8, 0.25, "why"),)),
    ),
    end=8,
    ticks=((0.0, "0"), (0.5, "50"), (1.0, "100 %")),
    foot=((0, "step 0"), (8, "step 8")),
    now=4,
)


def points(drawn: str, box: tuple[float, float]) -> list[list[tuple[float, float]]]:
    """The points of each line of a drawing, as shares of its box."""
    paths = re.findall(r'd="M([^"ZHh]+)"', drawn)
    split = [[tuple(map(float, pair.split())) for pair in path.split("L")] for path in paths if "L" in path]
    return [[(round(x / box[0], 3), round(y / box[1], 3)) for x, y in path] for path in split]


def test_points_stand_where_they_belong_and_what_lies_ahead_is_pale() -> None:
    drawn = chart.html(HALF)
    assert points(drawn, (100, 100)) == [[(0, 0.75), (0.5, 0.5)], [(0.5, 0.5), (1, 0.25)], [(0, 0.25), (1, 0.75)]]
    assert drawn.count('opacity=".45"') == 2  # Anna's after now, and all of Boris's that ends there
    assert 'stroke-dasharray="7 3"' in drawn
    assert "Who &lt;wins&gt;?" in drawn


def test_the_file_draws_what_the_pane_draws() -> None:
    drawn = chart.svg(HALF, "step 4")
    wide, high = chart.WIDTH - chart.LEFT - chart.RIGHT, chart.HEIGHT - chart.TOP - chart.BOTTOM
    assert points(drawn, (wide, high)) == points(chart.html(HALF), (100, 100))
    texts = [element.text for element in ElementTree.fromstring(drawn).iter() if element.tag.endswith("text")]
    assert texts == ["Who <wins>?", "0", "50", "100 %", "step 0", "step 8", "Anna 75 %", "Boris 25 %", "step 4"]


def test_a_logarithmic_axis_has_equal_steps() -> None:
    banks = Chart("bank", (Line("b", ((1, 10), (2, 1000))),), 2, tuple((float(y), str(y)) for y in powers(10, 1000)), start=1, log=True)
    assert [round(banks.down(y), 6) for y in (10, 100, 1000)] == [1, 0.5, 0]
    assert (banks.across(1), banks.across(2)) == (0, 1)


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(10, 10, (10, 100)), (24, 900, (10, 100, 1000)), (0, 5, (1, 10)), (1, 1000, (1, 10, 100, 1000))]
)
def test_powers_of_ten_surround_the_values(low: int, high: int, expected: tuple[int, ...]) -> None:
    assert powers(low, high) == expected


@given(st.lists(st.floats(0, ROOM), max_size=5))
def test_labels_keep_apart_and_within(places: list[float]) -> None:
    ends = [(Line(str(k), ()), y) for k, y in enumerate(sorted(places))]
    told = [y for _, y in spread(ends, APART, ROOM)]
    assert told == sorted(told)
    assert all(-0.01 <= y <= ROOM + 0.01 for y in told)
    assert all(lower - upper > APART - 1 for upper, lower in pairwise(told))


def test_the_line_of_now_stands_where_the_chart_has_it() -> None:
    assert 'style="left:50.00%"' in chart.here(HALF, "step 4")
    assert "hidden" in chart.here(Chart("", (), 1, ((0, "0"), (1, "1"))), "")
