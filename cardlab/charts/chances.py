"""The next draw as a picture: suits by ranks when it is a card, otherwise a bar an outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import holoviews as hv
import holoviews.plotting.bokeh

from cardlab.cards import Card
from cardlab.cards.card import GLYPHS
from cardlab.core.game import Action
from cardlab.desk import Chance
from cardlab.view.odds import percent
from cardlab.words import Words

hv.Store.set_current_backend("bokeh")  # hv.extension would print 55 KB into the importing notebook cell

JOKERS_AT: Final = 13.4  # a column of their own, set off from the ranks
SUITS: Final = {3: "spades", 2: "hearts", 1: "diamonds", 0: "clubs"}  # from the top row down, with their colours' names
CELL: Final = ("fill", "ink", "figure", "exact", "share")  # the columns of a cell
ROW: Final = 36
BAR: Final = 46


@dataclass(frozen=True)
class Look:
    """How a picture is drawn: the words, the colours of the theme, and the pack whose cards have a place in it."""

    words: Words
    colours: Mapping[str, str]
    pack: tuple[Card, ...]


def mix(colour: str, ground: str, share: float) -> str:
    """A colour laid over a ground with some share, both as #RRGGBB.

    >>> mix("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(c * share + g * (1 - share)):02x}" for c, g in pairs)


def _channels(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def heat(p: Fraction, colours: Mapping[str, str]) -> tuple[str, str]:
    """Ground and text of a cell; one scale for the whole game, so that cells compare from step to step.

    The root spreads small probabilities apart. Shares between 48 and 76 % are left out: no text would be readable on them.
    """
    share = float(p) ** 0.5
    strength = share * 0.8 if share <= 0.6 else 0.76 + (share - 0.6) * 0.6
    text = colours["ink"] if share <= 0.6 else colours["onheat"]
    return mix(colours["heat"], colours["sunk"], strength), text


def is_bars(chances: Sequence[Chance]) -> bool:
    """Whether some outcomes are drawn as bars, not in the grid of suits and ranks."""
    return not all(Action.parse(chance.token).cards for chance in chances)


def columns(chances: Sequence[Chance], look: Look) -> dict[str, list[str]]:
    """What is drawn in the cell of each card of the pack; a dot where the card cannot come."""
    odds = {Action.parse(chance.token).card: chance.p for chance in chances}
    cells = {p: _cell(p, look) for p in {Fraction(0), *odds.values()}}
    rows = [cells[odds.get(card, Fraction(0))] for card in look.pack]
    return dict(zip(CELL, map(list, zip(*rows, strict=True)), strict=True))


def _cell(p: Fraction, look: Look) -> tuple[str, str, str, str, str]:
    if not p:
        return look.colours["sunk"], look.colours["ink3"], "·", "0", percent(p, look.words)
    fill, ink = heat(p, look.colours)
    share = round(p * 1000)  # at most three signs, so that it fits a cell on a phone
    figure = str(round(p * 100)) if share >= 100 else f"{share // 10}{look.words.text('odds.point')}{share % 10}"
    return fill, ink, figure, str(p), percent(p, look.words)


def _place(card: Card) -> tuple[float, float]:
    if card.suit is None or card.rank is None:
        return JOKERS_AT, 3 - (card.code - 52)
    return card.rank, card.suit


def heads(look: Look) -> hv.Labels:
    """The ranks above the grid and the suits at its left."""
    colours = look.colours
    ranks = {card.rank: look.words.show(card)[:-2] for card in look.pack if card.rank is not None}
    rows: list[tuple[float, float, str, str]] = [(rank, 4, shown, colours["ink2"]) for rank, shown in ranks.items()]
    rows += [(-0.95, suit, GLYPHS[suit], colours[name]) for suit, name in SUITS.items()]
    if any(card.joker for card in look.pack):
        rows.append((JOKERS_AT, 4, "★", colours["ink2"]))
    return hv.Labels(rows, ["x", "y"], ["head", "ink"]).opts(text_color="ink", text_font_size="14px")


def grid(look: Look) -> hv.Overlay:
    """The grid of suits and ranks, with no chances in it yet."""
    right = JOKERS_AT + 0.6 if any(card.joker for card in look.pack) else 12.6
    at = [_place(card) for card in look.pack]
    cells = list(zip(*columns((), look).values(), strict=True))
    names = [look.words.show(card) for card in look.pack]
    boxes = [(x - 0.47, y - 0.46, x + 0.47, y + 0.46, name, *cell) for (x, y), name, cell in zip(at, names, cells, strict=True)]
    texts = [(x, y, cell[2], cell[1]) for (x, y), cell in zip(at, cells, strict=True)]
    tips = [("", "@card"), ("", "@exact"), ("", "@share")]
    picture = (
        hv.Rectangles(boxes, vdims=["card", *CELL]).opts(
            color=look.colours["sunk"], line_color=look.colours["line"], tools=["hover"], default_tools=[], hover_tooltips=tips
        )
        * hv.Labels(texts, ["x", "y"], ["figure", "ink"]).opts(text_font_size="12px")
        * heads(look)
    )
    return picture.opts(**_frame(5 * ROW, (-1.4, right), (-0.6, 4.6)))


def bars(chances: Sequence[Chance], look: Look) -> hv.Overlay:
    """A bar an outcome from 0 to 100 %, its name above at the left and its probability at the right."""
    words, colours = look.words, look.colours
    last = len(chances) - 1
    wells = [(0, last - k - 0.34, 1, last - k - 0.06) for k, _ in enumerate(chances)]
    filled = [(0, last - k - 0.34, float(chance.p), last - k - 0.06) for k, chance in enumerate(chances)]
    names = [(0, last - k + 0.16, chance.label) for k, chance in enumerate(chances)]
    values = [(1, last - k + 0.16, f"{chance.p} = {percent(chance.p, words)}") for k, chance in enumerate(chances)]
    texts = {"text_color": colours["ink"], "text_font_size": "13px"}
    picture = (
        hv.Rectangles(wells).opts(color=colours["sunk"], line_color=colours["line2"])
        * hv.Rectangles(filled).opts(color=colours["heat"], line_color=None)
        * hv.Labels(names, ["x", "y"], "name").opts(text_align="left", **texts)
        * hv.Labels(values, ["x", "y"], "value").opts(text_align="right", text_font_style="bold", **texts)
    )
    return picture.opts(**_frame(BAR * max(len(chances), 1), (-0.005, 1.005), (-0.5, last + 0.5)))


def _frame(height: int, xlim: tuple[float, float], ylim: tuple[float, float]) -> dict[str, Any]:
    return {
        "responsive": True,
        "height": height,
        "xlim": xlim,
        "ylim": ylim,
        "xaxis": None,
        "yaxis": None,
        "toolbar": None,
        "show_frame": False,
        "show_legend": False,
        "hooks": [_bare],
    }


def _bare(plot: Any, element: Any) -> None:
    """No ground and no outline: the page's panel shows through in both themes."""
    figure = plot.state
    figure.background_fill_alpha = figure.border_fill_alpha = 0
    figure.outline_line_color = None
    figure.min_border = 0


class ChanceGrid:
    """The grid as a Bokeh figure that is redrawn in place; without chances it holds none.

    As every card keeps its cell, it is enough to send the columns that change: HoloViews would take 40 ms a redraw.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self._shown: tuple[Chance, ...] = ()
        plot = hv.renderer("bokeh").get_plot(grid(look))
        self.figure = plot.state
        shaded, printed, _ = (part.handles for part in plot.subplots.values())
        self._sources = (shaded["source"], printed["source"])
        self._send()
        # HoloViews takes a colour that is the same everywhere for a constant
        shaded["glyph"].fill_color, printed["glyph"].text_color = {"field": "fill"}, {"field": "ink"}

    def show(self, chances: Sequence[Chance]) -> None:
        """Other chances in the grid."""
        if tuple(chances) != self._shown:
            self._shown = tuple(chances)
            self._send()

    def _send(self) -> None:
        for source in self._sources:
            source.data = {**source.data, **columns(self._shown, self.look)}
