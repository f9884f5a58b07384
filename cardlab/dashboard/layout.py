"""The widgets of the page, and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import panel as pn
import panel_material_ui as pmui

from cardlab.core.events import TEACHER
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES
from cardlab.dashboard import looks, parts
from cardlab.dashboard.browser import Browser
from cardlab.dashboard.parts import Lines
from cardlab.dashboard.scrub import Scrub
from cardlab.dashboard.setup import SetUp
from cardlab.words import LANGUAGES

SPEEDS: Final = {"½×": 1600, "1×": 800, "2×": 400, "4×": 200}  # milliseconds a step
WIDE: Final[dict[str, Any]] = {"sizing_mode": "stretch_width", "width": None}
FLOW: Final[dict[str, Any]] = {"gap": "12px", "align_items": "center", "margin": 0}
SMALL: Final[dict[str, Any]] = {"size": "small", "margin": 0}


class Widgets:
    """All widgets but those of the form; ``go`` hears of a step that the log or the slider was asked for, ``move`` of a move."""

    def __init__(self, go: Callable[[int], Any], move: Callable[[str], Any]) -> None:
        self.browser = Browser()
        self.strip = Lines()
        self.language = pmui.RadioButtonGroup(options=list(LANGUAGES), width=150, stylesheets=[looks.HEADER], **SMALL)
        self.theme = pmui.Button(variant="text", align="center", stylesheets=[looks.HEADER], **SMALL)
        self.viewpoint = pmui.RadioButtonGroup(options=[TEACHER], sx=looks.WRAPPED, stylesheets=[looks.SMALL_LABEL], **SMALL, **WIDE)
        self.table = pn.pane.HTML(sizing_mode="stretch_width", margin=(12, 0, 8, 0))
        self.present = Lines()
        self.log_head, self.log = Lines(), Lines(lambda step: go(int(step)), parts.LOG_STYLE, follow=True, margin=(8, 0, 0, 0))
        self.next, self.moves = Lines(), Lines(move)
        self.list = pmui.Select(options=["-"], **{**SMALL, **WIDE, "margin": (12, 0, 8, 0)})
        self.choose, self.mine = pmui.Button(variant="outlined", **SMALL), pmui.Button(variant="text", **SMALL)
        self.chances, self.chart = Lines(), pn.Column(sizing_mode="stretch_width", margin=(8, 0, 0, 0))
        self.restart, self.undo = pmui.Button(variant="outlined", margin=0), pmui.Button(variant="outlined", margin=0)
        self.step = pmui.Button(variant="contained", disable_elevation=True, margin=0)
        self.play = pmui.Button(variant="outlined", margin=0)
        self.pace = pmui.Select(options=list(PACES), **SMALL, **WIDE)
        self.speed = pmui.Select(options=SPEEDS, value=SPEEDS["1×"], width=96, size="small", margin=(0, 0, 0, 12))
        self.policy = pmui.Select(options=list(PLAYERS), **{**SMALL, **WIDE, "margin": (12, 0, 0, 0)})
        self.place = Lines(width=320, height=20, sizing_mode="fixed")
        self.scrub = Scrub(go, margin=(8, 0, 0, 0))
        self.rules = Lines(style=parts.RULES_STYLE, margin=(0, 8))
        self.more = pmui.Accordion(
            active=[0],
            variant="outlined",
            elevation=0,
            title_variant="subtitle1",
            sx={"borderRadius": "12px !important", "marginBottom": "16px", "&:before": {"display": "none"}},
            sizing_mode="stretch_width",
            css_classes=["more"],
        )


def page_of(widgets: Widgets, setup: SetUp) -> pmui.Page:
    """The page with everything in its place."""
    buttons = (widgets.restart, widgets.undo, widgets.step, widgets.play, widgets.place)
    widgets.more.extend([("-", setup.column), ("-", widgets.rules)])
    grid = pn.Column(
        _panel("log", widgets.log_head, widgets.log),
        _panel("table", widgets.viewpoint, widgets.table, widgets.present),
        _panel("chances", widgets.chances, widgets.chart),
        _panel("next", widgets.next, widgets.moves, widgets.list, pn.Row(widgets.choose, widgets.mine, margin=0)),
        widgets.more,
        _panel("transport", pn.FlexBox(*buttons, **FLOW), widgets.scrub),
        _panel("ways", pn.Row(widgets.pace, widgets.speed, sizing_mode="stretch_width", margin=0), widgets.policy),
        stylesheets=[looks.GRID],
        sizing_mode="stretch_width",
        margin=0,
    )
    return pmui.Page(
        title="cardlab",
        header=[pn.Spacer(sizing_mode="stretch_width"), widgets.language, widgets.theme],
        main=[widgets.strip, grid, widgets.browser],
        theme_config=looks.THEME_CONFIG,
        sx=looks.PAGE_SX,
        stylesheets=[looks.THEMES],
        theme_toggle=False,  # its tooltip speaks English alone
        busy_indicator=None,
    )


def _panel(name: str, *objects: Any) -> pmui.Paper:
    return pmui.Paper(
        pn.Column(*objects, sizing_mode="stretch_width", margin=(14, 16)),
        variant="outlined",
        elevation=0,
        sx={"borderRadius": "12px"},
        css_classes=[name],
        sizing_mode="stretch_width",
    )
