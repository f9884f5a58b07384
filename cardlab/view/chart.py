"""Lines over the steps of a game: for a pane, where the text keeps its size whatever the width, and as a picture of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from cardlab.view.blocks import colour
from cardlab.view.tokens import FONT

DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "4 4")  # players are told apart by them, too
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1000, 340, 70, 150, 44, 34  # of a picture
ROOM: Final = 160  # pixels of a pane's chart, as its style sheet says
APART: Final = 16  # pixels between two labels at the right


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its label, its points from left to right, a colour of the theme, a dash pattern; hollow circles where ``marks`` says why."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: str = "pri"
    dash: str = ""
    marks: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same axis, from ``start`` to ``end``; ``now`` is where one stands, beyond it all is pale.

    ``ticks`` are the values that the upright axis names. With ``log`` it is logarithmic.
    """

    title: str
    lines: tuple[Line, ...]
    end: float
    ticks: tuple[tuple[float, str], ...]
    foot: tuple[tuple[float, str], ...] = ()
    start: float = 0
    now: float | None = None
    log: bool = False

    def across(self, x: float) -> float:
        """How far to the right a value stands, from 0 to 1."""
        return (x - self.start) / max(self.end - self.start, 1e-9)

    def down(self, y: float) -> float:
        """How far down a value stands, from 0 to 1."""
        low, high = (self._scaled(self.ticks[k][0]) for k in (0, -1))
        return 1 - (self._scaled(y) - low) / (high - low)

    def _scaled(self, y: float) -> float:
        return log10(max(y, 1e-9)) if self.log else y


def powers(low: float, high: float) -> tuple[int, ...]:
    """The powers of ten around some values, for a logarithmic axis.

    >>> powers(24, 900)
    (10, 100, 1000)
    """
    first = floor(log10(max(low, 1)))
    return tuple(10**k for k in range(first, max(ceil(log10(max(high, 1))), first + 1) + 1))


def html(chart: Chart, scrub: int | None = None) -> str:
    """A chart for a pane; with ``scrub``, the last step, a press on it leads to the step that stands there."""
    drawn = [f'<path class="grid" d="M0 {100 * chart.down(y):.2f}H100"/>' for y, _ in chart.ticks]
    for line in chart.lines:
        for path, pale in _paths(chart, line, 100, 100):
            faint = ' opacity=".45"' if pale else ""
            drawn.append(f'<path class="line" d="{path}" stroke="{colour(line.colour)}" stroke-dasharray="{line.dash}"{faint}/>')
    said = [f'<span class="y" style="top:{chart.down(y):.2%}">{escape(name)}</span>' for y, name in chart.ticks]
    said += [f'<span class="x" style="left:{chart.across(x):.2%}">{escape(name)}</span>' for x, name in chart.foot]
    for line, y in _labels(chart, ROOM, APART):
        said.append(f'<b class="end" style="top:{y / ROOM:.2%};color:{colour(line.colour)}">{escape(line.name)}</b>')
    for line in chart.lines:
        for x, y, why in line.marks:
            where = f"left:{chart.across(x):.2%};top:{chart.down(y):.2%};border-color:{colour(line.colour)}"
            said.append(f'<i class="mark" style="{where}" data-why="{escape(why)}"></i>')
    scrubbed = "" if scrub is None else f' data-scrub="{scrub}"'
    svg = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{"".join(drawn)}</svg>'
    return f'<div class="chart" role="img" aria-label="{escape(chart.title)}"><div class="plot"{scrubbed}>{svg}{"".join(said)}</div></div>'


def here(chart: Chart, name: str) -> str:
    """The upright line at the moment where one stands, over a chart that was drawn before."""
    if chart.now is None:
        return '<div class="chart-now" hidden></div>'
    at = chart.across(chart.now)
    side = "left" if at < 0.8 else "right"
    return f'<div class="chart-now"><div><i class="{side}" style="left:{at:.2%}"><b>{escape(name)}</b></i></div></div>'


def svg(chart: Chart, now: str = "") -> str:
    """A chart as a picture of its own."""
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    ink, axis = colour("ink"), f'font-size="13" fill="{colour("ink2")}"'
    drawn = [f'<text x="{LEFT - 46}" y="24" font-size="16" font-weight="700" fill="{ink}">{escape(chart.title)}</text>']
    for y, name in chart.ticks:
        at = TOP + high * chart.down(y)
        drawn.append(f'<path d="M{LEFT} {at:.1f}h{wide}" stroke="{colour("line")}"/>')
        drawn.append(f'<text x="{LEFT - 8}" y="{at + 4.5:.1f}" text-anchor="end" {axis}>{escape(name)}</text>')
    for x, name in chart.foot:
        drawn.append(f'<text x="{LEFT + wide * chart.across(x):.1f}" y="{HEIGHT - 10}" text-anchor="middle" {axis}>{escape(name)}</text>')
    inner = []
    for line in chart.lines:
        pen = f'fill="none" stroke="{colour(line.colour)}" stroke-width="2.5" stroke-dasharray="{line.dash}" stroke-linejoin="round"'
        inner += [f'<path d="{path}" {pen} opacity="{0.45 if pale else 1}"/>' for path, pale in _paths(chart, line, wide, high)]
        inner += [
            f'<circle cx="{wide * chart.across(x):.1f}" cy="{high * chart.down(y):.1f}" r="4.5" fill="{colour("surface")}" '
            f'stroke="{colour(line.colour)}" stroke-width="2"><title>{escape(why)}</title></circle>'
            for x, y, why in line.marks
        ]
    inner += [
        f'<text x="{wide + 8}" y="{y + 4.5:.1f}" font-size="13" font-weight="700" fill="{colour(line.colour)}">{escape(line.name)}</text>'
        for line, y in _labels(chart, high, APART)
    ]
    if chart.now is not None:
        at = wide * chart.across(chart.now)
        inner.append(f'<path d="M{at:.1f} -6V{high}" stroke="{ink}" stroke-width="1.5"/>')
        inner.append(f'<text x="{at + 5:.1f}" y="-8" font-size="13" font-weight="700" fill="{ink}">{escape(now)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" role="img" '
        f'aria-label="{escape(chart.title)}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{colour("surface")}"/>{"".join(drawn)}'
        f'<g transform="translate({LEFT} {TOP})">{"".join(inner)}</g></svg>'
    )


def _paths(chart: Chart, line: Line, wide: float, high: float) -> Iterator[tuple[str, bool]]:
    """A line up to the moment where one stands, and, pale, beyond it."""
    edge = chart.end if chart.now is None else chart.now
    for part, pale in (
        ([point for point in line.points if point[0] <= edge], False),
        ([*[point for point in line.points if point[0] <= edge][-1:], *(point for point in line.points if point[0] > edge)], True),
    ):
        if len(part) > 1:
            yield "M" + "L".join(f"{wide * chart.across(x):.2f} {high * chart.down(y):.2f}" for x, y in part), pale


def _labels(chart: Chart, high: float, apart: float) -> list[tuple[Line, float]]:
    """Where the name of each line stands at the right, none on another."""
    ends = sorted(((line, high * chart.down(line.points[-1][1])) for line in chart.lines if line.points), key=lambda end: end[1])
    return spread(ends, apart, high)


def spread(ends: Sequence[tuple[Line, float]], apart: float, high: float) -> list[tuple[Line, float]]:
    """Labels from the top down, moved so far that no two touch and none leaves the plot.

    >>> one, other = Line("a", ()), Line("b", ())
    >>> [round(y) for _, y in spread([(one, 50.0), (other, 51.0)], 10, 100)]
    [46, 56]
    """
    places = [y for _, y in ends]
    for _ in range(200):
        moved = False
        for k, (upper, lower) in enumerate(pairwise(places)):
            if lower - upper < apart - 0.1:
                middle = (upper + lower) / 2
                places[k], places[k + 1] = middle - apart / 2, middle + apart / 2
                moved = True
        places = [min(max(y, 0.0), high) for y in places]
        if not moved:
            break
    return [(line, y) for (line, _), y in zip(ends, places, strict=True)]
