"""How pictures look: colours and sizes of the page, axes that say little, words beside the lines instead of a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple

import holoviews as hv
import holoviews.plotting.bokeh  # the renderer; hv.extension would add outputs to the importing cell
from bokeh.models import FixedTicker

from cardlab.view.tokens import DARK, LIGHT
from cardlab.words import Words, number
from cardlab.words.percents import decimal

hv.Store.set_current_backend("bokeh")

DASHES: Final = ("solid", [7, 3], [2, 3], [10, 3, 2, 3], [4, 4])  # of players 1 to 5
FONT: Final = "Roboto, Helvetica, Arial, sans-serif"
BAND: Final = 0.2  # how dense a band is
NICE: Final = (1, 2, 2.5, 5, 10)
Ticks = Sequence[tuple[float, str]]


class Axis(NamedTuple):
    """From where to where an axis goes, and what stands along it."""

    low: float
    high: float
    ticks: Ticks
    log: bool = False


@dataclass(frozen=True)
class Theme:
    """Light or dark, for a page or a projector, for a wide screen or a phone."""

    dark: bool = False
    large: float = 1.0  # how much larger than on a page
    narrow: bool = False
    ground: bool = False  # whether it brings its own ground, for a notebook may be of any colour

    @property
    def colours(self) -> dict[str, str]:
        """The tokens of the theme."""
        return DARK if self.dark else LIGHT

    def player(self, seat: int) -> str:
        """The colour of a player."""
        return self.colours[f"p{seat + 1}"]

    def size(self, px: float) -> str:
        """A size of type."""
        return f"{round(px * self.large)}px"

    def finish(self, figure: Any, element: Any = None) -> None:
        """What HoloViews has no option for; a hook of every picture."""
        plot, colours = figure.state, self.colours
        plot.toolbar_location, plot.outline_line_color = None, None
        plot.background_fill_alpha = plot.border_fill_alpha = int(self.ground)
        plot.background_fill_color = plot.border_fill_color = colours["surface"]
        plot.xgrid.grid_line_color = None
        plot.ygrid.grid_line_color = colours["line"]
        plot.min_border_right = round(14 * self.large)
        for axis in (*plot.xaxis, *plot.yaxis):
            axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = None
            axis.major_label_text_color = axis.axis_label_text_color = colours["ink2"]
            axis.major_label_text_font = axis.axis_label_text_font = FONT
            axis.major_label_text_font_size = axis.axis_label_text_font_size = self.size(12)
            axis.axis_label_text_font_style = "normal"

    def options(self, x: Axis, y: Axis, xlabel: str, *hooks: Any) -> dict[str, Any]:
        """The options of a whole picture: what its axes show, and what is written below."""

        def moved(figure: Any, element: Any) -> None:
            """The ends and the ticks of the axes: where a picture is drawn anew in its place HoloViews keeps the first ones."""
            plot = figure.state
            for shown, span, axis in ((x, plot.x_range, plot.xaxis[0]), (y, plot.y_range, plot.yaxis[0])):
                span.start, span.end = shown.low, shown.high
                axis.ticker = FixedTicker(ticks=[value for value, _ in shown.ticks])
                axis.major_label_overrides = dict(shown.ticks)
            for grid, axis in ((plot.xgrid[0], plot.xaxis[0]), (plot.ygrid[0], plot.yaxis[0])):
                grid.ticker = axis.ticker

        high = round((300 if self.narrow else 430) * self.large)
        axes = {"xlim": (x.low, x.high), "ylim": (y.low, y.high), "logx": x.log, "logy": y.log, "xlabel": xlabel, "ylabel": ""}
        sizes = {name: self.size(12) for name in ("ticks", "labels")}
        usual = {"fontsize": sizes, "responsive": True, "height": high, "toolbar": None, "show_legend": False, "show_grid": True}
        return usual | axes | {"hooks": [self.finish, moved, *hooks], "default_tools": [], "active_tools": []}

    def line(self, colour: str, dash: Any = "solid", width: float = 2.5) -> dict[str, Any]:
        """The options of a line."""
        return {"color": colour, "line_dash": dash, "line_width": width * self.large}

    def words(self, at: Iterable[tuple[float, float, str]], colour: str, align: str = "left", up: float = 0, right: float = 0) -> Any:
        """Words at points, shifted by some pixels."""
        style = {"text_font_size": self.size(13), "text_font_style": "bold", "text_color": colour}

        def finish(figure: Any, element: Any) -> None:
            """HoloViews would take the name of a font for a column, and shifts words by what the axes measure."""
            glyph = figure.handles["glyph"]
            glyph.text_font = {"value": FONT}
            glyph.x_offset, glyph.y_offset = {"value": right * self.large}, {"value": -up * self.large}

        place = {"text_align": align, "text_baseline": "middle", "hooks": [finish]}
        return hv.Labels(list(at), ["x", "y"], "text").opts(**style, **place)


def counted(most: float) -> Ticks:
    """Powers of ten up to a number, thousands apart.

    >>> counted(20_000)[-1]
    (10000, '10\\u2009000')
    """
    return [(10**k, thin(10**k)) for k in range(max(1, floor(log10(max(most, 1)))) + 1)]


def thin(value: int) -> str:
    """A whole number with thin spaces, as axes have it."""
    return number(value).replace("\N{NO-BREAK SPACE}", "\N{THIN SPACE}")


def spread(low: float, high: float, parts: int = 4) -> list[float]:
    """Some round numbers between two others.

    >>> spread(0.52, 0.79)
    [0.55, 0.6, 0.65, 0.7, 0.75]
    """
    rough = (high - low) / parts
    power = 10 ** floor(log10(rough))
    step = next(nice * power for nice in NICE if nice * power >= rough * 0.7)
    places = max(0, 2 - floor(log10(step)))
    return [round(k * step, places) for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def percents(values: Sequence[float], words: Words) -> Ticks:
    """Shares as per cents, with the sign on the top one only.

    >>> percents([0.5, 0.525], Words("ru"))
    [(0.5, '50,0'), (0.525, '52,5\\xa0%')]
    """
    places = _places([value * 100 for value in values])
    said = [decimal(value * 100, words, places) for value in values]
    return [(value, text + "\N{NO-BREAK SPACE}%" * (k == len(said) - 1)) for k, (value, text) in enumerate(zip(values, said, strict=True))]


def decimals(values: Sequence[float], words: Words) -> Ticks:
    """Numbers with as many decimals as they need."""
    places = _places(values)
    return [(value, decimal(value, words, places)) for value in values]


def _places(values: Sequence[float]) -> int:
    return next((places for places in range(4) if all(abs(value - round(value, places)) < 1e-9 for value in values)), 4)


def share(value: float | Fraction, words: Words, places: int = 1) -> str:
    """A share as the words beside a line have it."""
    return f"{decimal(float(value) * 100, words, places)}\N{NO-BREAK SPACE}%"
