"""The picture of each kind of demonstration."""

from __future__ import annotations

from functools import singledispatch
from math import ceil, floor, log10
from typing import Any

import holoviews as hv

from cardlab.cards.hands import Category
from cardlab.charts.theme import BAND, DASHES, Axis, Theme, counted, decimals, percents, share, spread, thin
from cardlab.core.errors import BadRequest
from cardlab.demos import Bank, Demo, Seats, Shape, Titles
from cardlab.demos.demo import Point
from cardlab.demos.means import Running
from cardlab.view.answers import told
from cardlab.words import Words
from cardlab.words.percents import decimal

OBSERVED, EXACT = "p2", "pri"  # what was played, and what is known
DASHED = [7, 3]


def picture(demo: Demo, words: Words, theme: Theme | None = None) -> Any:
    """A demonstration as an overlay of HoloViews; raises BadRequest before the first game.

    >>> from cardlab.demos import demo
    >>> type(picture(demo("first_match", seed=7).more(100), Words())).__name__
    'Overlay'
    """
    if not demo.games:
        raise BadRequest("demo.error.no_picture")
    return _drawn(demo, words, theme or Theme())


def moving(demo: Demo, words: Words, theme: Theme | None = None) -> tuple[Any, Any]:
    """The same as a picture that is drawn anew, in its place, with each demonstration sent to the stream that comes with it."""
    stream = hv.streams.Pipe(data=demo)
    return hv.DynamicMap(lambda data: picture(data, words, theme), streams=[stream]), stream


@singledispatch
def _drawn(demo: Demo, words: Words, theme: Theme) -> Any:
    raise NotImplementedError(type(demo).__name__)


# from game to game


def _ahead(games: int) -> float:
    """Where the axis of games ends."""
    return max(10.0, games * 1.5)


def _reach(path: tuple[Point, ...], known: list[float], chances: bool) -> tuple[float, float]:
    """The range of the numbers: all of the path but the first half of its powers of ten, where they are far off."""
    begun = path[-1].games ** 0.4
    ends = [end for point in path if point.games >= begun for found in point.numbers for end in (found.low, found.high) if end is not None]
    low, high = min([*known, *ends]), max([*known, *ends])
    air = (high - low) * 0.12 or 0.1
    low, high = low - air, high + air
    return (max(low, -0.02), min(high, 1.02)) if chances else (max(low, 0.0), high)


def _band(path: tuple[Point, ...], k: int, colour: str) -> Any:
    rows = [(point.games, point.numbers[k].low, point.numbers[k].high) for point in path if point.numbers[k].low is not None]
    return hv.Area(rows, "games", ["low", "high"]).opts(color=colour, alpha=BAND, line_color=colour, line_alpha=0)


def _line(path: tuple[Point, ...], k: int) -> Any:
    return hv.Curve([(point.games, point.numbers[k].mean) for point in path], "games", "mean")


def _last(path: tuple[Point, ...], k: int, colour: str, theme: Theme) -> Any:
    """A point at the end of a line, which shows where it is when it has only begun."""
    points = hv.Scatter([(path[-1].games, path[-1].numbers[k].mean)], "games", "mean")
    return points.opts(color=colour, size=7 * theme.large, line_color=theme.colours["surface"])


def _over(demo: Demo, words: Words, theme: Theme, low: float, high: float, ends: float) -> dict[str, Any]:
    """The options of a picture over a log axis of games."""
    ticks = spread(low, high)
    named = percents(ticks, words) if demo.chances else decimals(ticks, words)
    across = Axis(0.9, ends, counted(ends), log=True)
    return theme.options(across, Axis(low, high, named), words.text(f"demo.axis.{demo.game}"))


@_drawn.register
def _(demo: Running, words: Words, theme: Theme) -> Any:
    """The running mean with its interval, and the line to which it goes."""
    colours, path, exact = theme.colours, demo.path, float(demo.exact[0])
    ends = _ahead(demo.games)
    low, high = _reach(path, [exact], demo.chances)
    last = path[-1].numbers[0]
    above = (last.mean or 0) >= exact
    known = share(exact, words) if demo.chances else decimal(exact, words)
    at = path[-1].games
    right = log10(at) > log10(ends) * 0.45  # the words stand where there is room for them
    layers = [
        _band(path, 0, colours[OBSERVED]),
        hv.Curve([(0.9, exact), (ends, exact)], "games", "mean").opts(**theme.line(colours[EXACT])),
        _line(path, 0).opts(**theme.line(colours[OBSERVED], DASHED)),
        _last(path, 0, colours[OBSERVED], theme),
        theme.words([(1, exact, f"{words.text('demo.exact')} {known}")], colours[EXACT], up=-12 if above else 12, right=4),
        theme.words(
            [(at, last.mean or 0, told(last, words, demo.chances))],
            colours[OBSERVED],
            align="right" if right else "left",
            up=18 if above else -18,
            right=-2 if right else 8,
        ),
    ]
    return hv.Overlay(layers).opts(**_over(demo, words, theme, low, high, ends))


@_drawn.register
def _(demo: Seats, words: Words, theme: Theme) -> Any:
    """A line for each seat, intervals for the two that differ most, and the games that it takes to tell them apart."""
    colours, path, ends = theme.colours, demo.path, _ahead(demo.games)
    needed, furthest = demo.needed, demo.furthest
    if needed is not None and needed < ends * 100:
        ends = max(ends, 8 * needed)
    low, high = _reach(path, [float(p) for p in demo.exact], True)
    layers: list[Any] = [_band(path, seat, theme.player(seat)) for seat in furthest]
    for seat, exact in enumerate(demo.exact):
        colour, dash = theme.player(seat), DASHES[seat]
        layers += [
            hv.Curve([(0.9, float(exact)), (ends, float(exact))], "games", "mean").opts(**theme.line(colour, width=1)),
            _line(path, seat).opts(**theme.line(colour, dash)),
            _last(path, seat, colour, theme),
        ]
    places = _apart([float(p) for p in demo.exact], (high - low) / (13 if theme.narrow else 19))
    for seat, y in enumerate(places):
        said = f"{words.seat(seat)} {share(demo.exact[seat].value, words, 2)}"
        layers.append(theme.words([(ends, y, said)], theme.player(seat), align="right", right=-2))
    if needed is not None:
        layers.append(hv.VLine(needed).opts(color=colours["ink3"], line_dash=[4, 4], line_width=1.5 * theme.large))
        said = words.text("demo.seats.needed_here", n=needed)
        layers.append(theme.words([(needed, high, said)], colours["ink2"], align="right", up=-10, right=-6))
    return hv.Overlay(layers).opts(**_over(demo, words, theme, low, high, ends))


def _apart(values: list[float], least: float) -> list[float]:
    """A place near each value, no two places closer than ``least``.

    >>> _apart([3.0, 3.0, 9.0], 2.0)
    [2.0, 4.0, 9.0]
    """
    groups: list[list[int]] = []
    for k in sorted(range(len(values)), key=lambda k: values[k]):
        groups.append([k])
        while len(groups) > 1 and _row(groups[-1], values, least)[0] - _row(groups[-2], values, least)[-1] < least:
            last = groups.pop()
            groups[-1] += last
    placed = {k: place for group in groups for k, place in zip(group, _row(group, values, least), strict=True)}
    return [placed[k] for k in range(len(values))]


def _row(group: list[int], values: list[float], least: float) -> list[float]:
    """Places in a row around the middle of the values that stand there."""
    middle = sum(values[k] for k in group) / len(group)
    return [middle + (at - (len(group) - 1) / 2) * least for at in range(len(group))]


# distributions


@_drawn.register
def _(demo: Shape, words: Words, theme: Theme) -> Any:
    """Bars for what was played, a line for what is known; names of hands stand at the left, where there is room for them."""
    lying = isinstance(demo.outcomes[0], Category)
    colours, shares, exact = theme.colours, demo.shares, [float(p) for p in demo.exact]
    n, top = len(exact), max(*exact, *(found.high or 0 for found in shares)) * 1.08

    def turned(across: float, up: float) -> tuple[float, float]:
        return (up, -across) if lying else (across, up)

    bars = [(*turned(k - 0.34, 0), *turned(k + 0.34, found.mean or 0)) for k, found in enumerate(shares)]
    spans = [(*turned(k, found.low or 0), *turned(k, found.high or 0)) for k, found in enumerate(shares)]
    line = [turned(k, p) for k, p in enumerate(exact)]
    layers = [
        hv.Rectangles([(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in bars]).opts(
            color=colours[OBSERVED], alpha=0.45, line_color=colours[OBSERVED], line_alpha=0
        ),
        hv.Segments(spans).opts(color=colours[OBSERVED], line_width=2 * theme.large),
        hv.Path([line]).opts(**theme.line(colours[EXACT])),
        hv.Points(line).opts(color=colours["surface"], line_color=colours[EXACT], line_width=2 * theme.large, size=8 * theme.large),
    ]
    values = [v for v in spread(0, top) if v >= 0]
    if lying:
        said = [(top * 1.12, -k, share(p, words, 1 if p >= 0.001 else 2)) for k, p in enumerate(exact)]
        layers.append(theme.words(said, colours[EXACT], align="right"))
        names = [(-k, words.show(outcome)) for k, outcome in enumerate(demo.outcomes)]
        across = Axis(-top * 0.01, top * 1.12, percents(values, words))
        return hv.Overlay(layers).opts(**theme.options(across, Axis(-n + 0.4, 0.6, names), "", _grid_across(theme)))
    places = 1 if not theme.narrow else 0
    labels = [(k, max(p, found.high or 0), share(p, words, places)) for k, (p, found) in enumerate(zip(exact, shares, strict=True))]
    layers.append(theme.words(labels[: 1 if theme.narrow else n], colours[EXACT], align="center", up=14))
    names = [(k, words.show(outcome)) for k, outcome in enumerate(demo.outcomes)]
    up = Axis(0, top * 1.08, percents(values, words))
    return hv.Overlay(layers).opts(**theme.options(Axis(-0.6, n - 0.4, names), up, words.text(f"demo.{demo.name}.axis")))


def _grid_across(theme: Theme) -> Any:
    def hook(figure: Any, element: Any) -> None:
        figure.state.xgrid.grid_line_color, figure.state.ygrid.grid_line_color = theme.colours["line"], None

    return hook


# from deal to deal


@_drawn.register
def _(demo: Titles, words: Words, theme: Theme) -> Any:
    """The chance to be Marshal some deals later, by the title at the start, and what it comes to."""
    ahead, colours = demo.ahead(), theme.colours
    exact, deals = float(demo.exact[0]), len(ahead) - 1
    top = max(ahead[1][old][0] for old in range(len(ahead[1])))
    high = max(top * 1.12, 0.5)
    layers: list[Any] = [hv.Curve([(1, exact), (deals, exact)], "deals", "p").opts(**theme.line(colours[EXACT]))]
    first = [ahead[1][old][0] for old in range(len(demo.exact))]
    for old, y in enumerate(_apart(first, high / 15)):
        colour = theme.player(old)
        rows = [(k, ahead[k][old][0]) for k in range(1, deals + 1)]
        layers += [
            hv.Curve(rows, "deals", "p").opts(**theme.line(colour, DASHES[old])),
            hv.Scatter(rows[:1], "deals", "p").opts(color=colour, size=7 * theme.large),
            theme.words([(1, y, f"{words.text(f'title.{old}')} {share(first[old], words, 0)}")], colour, align="right", right=-10),
        ]
    layers.append(theme.words([(deals, exact, f"{words.text('demo.exact')} {share(exact, words, 0)}")], colours[EXACT], "right", up=14))
    ticks = percents([v for v in spread(0, high) if v >= 0], words)
    room = 6.5 if theme.narrow else 2.6
    across = Axis(1 - room, deals + 0.3, [(k, str(k)) for k in range(1, deals + 1)])
    return hv.Overlay(layers).opts(**theme.options(across, Axis(-0.01, high, ticks), words.text("demo.titles.axis")))


@_drawn.register
def _(demo: Bank, words: Words, theme: Theme) -> Any:
    """The median bank and the middle 95 % over a log axis, without a limit and with one."""
    layers: list[Any] = []
    colours = {"free": theme.colours[OBSERVED], "capped": theme.colours["p1"]}
    fans = {side: demo.fan(side) for side in demo.sides}
    deals = demo.options["deals"]
    lows, highs = [low for fan in fans.values() for low, _, _ in fan], [high for fan in fans.values() for _, _, high in fan]
    low, high = 10 ** floor(log10(max(min(lows), 1))), 10 ** ceil(log10(max(highs)))
    for side, fan in fans.items():
        rows = [(k, *three) for k, three in enumerate(fan, 1)]
        band = {"color": colours[side], "alpha": BAND, "line_color": colours[side], "line_alpha": 0}
        layers.append(hv.Area([(k, a, c) for k, a, _, c in rows], "deal", ["low", "high"]).opts(**band))
        dash = DASHED if side == "free" else "solid"
        layers.append(hv.Curve([(k, b) for k, _, b, _ in rows], "deal", "bank").opts(**theme.line(colours[side], dash)))
        layers.append(hv.Scatter([(k, b) for k, _, b, _ in rows], "deal", "bank").opts(color=colours[side], size=5 * theme.large))
        said = words.text(f"demo.bank.end.{side}", cap=demo.options["penalty_cap"], median=thin(round(fan[-1][1])))
        layers.append(theme.words([(deals, fan[-1][1], said)], colours[side], align="right", up=16 if side == "free" else -16))
    ticks = [(10.0**k, thin(10**k)) for k in range(round(log10(low)), round(log10(high)) + 1)]
    across = [(k, str(k)) for k in range(1, deals + 1, 1 if deals <= 10 else 2)]
    up = Axis(low, high, ticks, log=True)
    return hv.Overlay(layers).opts(**theme.options(Axis(0.8, deals + 0.3, across), up, words.text("demo.bank.deal")))
