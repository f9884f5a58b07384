"""The widgets of the game's page, and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import panel as pn
import panel_material_ui as pmui

from cardlab.core.events import TEACHER
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES
from cardlab.dashboard import looks
from cardlab.dashboard.bar import Bar, page_of
from cardlab.dashboard.boxes import dialog, layer, panel
from cardlab.dashboard.browser import Browser
from cardlab.dashboard.choice import Choice
from cardlab.dashboard.focus import Focus
from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Pane
from cardlab.dashboard.scrub import Scrub
from cardlab.dashboard.setup import SetUp
from cardlab.dashboard.sharing import Sharing
from cardlab.dashboard.typed import Typed
from cardlab.desk import keys
from cardlab.desk.follow import TYPED
from cardlab.view.html import GO

SPEEDS: Final = {"½×": 1600, "1×": 800, "2×": 400, "4×": 200}  # milliseconds a step
TABS: Final = ("odds", "log", "rules")  # the log is one of them where it has no column of its own
KEYS: Final = (
    keys.KEYS | {"?": "keys", "o": "odds", "O": "odds", "щ": "odds", "Щ": "odds", "Escape": "close"} | dict.fromkeys("gGпП", "guess")
)
WIDE: Final[dict[str, Any]] = {"sizing_mode": "stretch_width", "width": None, "margin": 0}
Press = Callable[[str], Any]
Tell = Callable[[str, Any], Any]


class Widgets:
    """All widgets; those of the form are in ``setup``.

    ``press`` hears of a button or a key by its name, ``change`` of a choice by its name and value, ``said`` of what was pressed on a
    pane by the pane's name. ``guest`` says that they stand in a notebook.
    """

    def __init__(self, setup: SetUp, press: Press, change: Tell, said: Tell, guest: bool = False) -> None:
        def pane(name: str, *sheets: str, **options: Any) -> Pane:
            return Pane(lambda told: said(name, told), style=style(*sheets), **options)

        def pick(name: str, *widgets: Any) -> list[Any]:
            """The same choice at several places, of which each is seen at another width."""
            for widget in widgets:
                widget.param.watch(lambda event: change(name, event.new), "value")
            return list(widgets)

        self.browser = Browser()
        self.strip, self.again = Pane(style=style("strip")), Pane()  # the second in the dialog, where it is read
        self.viewpoints = pick(
            "viewpoint",
            _group([TEACHER], ["wide"], looks.EYE + style("unnamed", "eye")),
            _eyes(["narrow"], width=200),
            _eyes(["phone-only"], "sized", width=None),
        )
        self.pace = pick("pace", _group(list(PACES)), _list(list(PACES), ["below"]))
        self.speed = pick("speed", _group(SPEEDS, value=SPEEDS["1×"]), _list(SPEEDS, ["below"], value=SPEEDS["1×"]))
        self.policy = pick("policy", _list(list(PLAYERS)))[0]
        self.table = pane("table", "table", on_key=lambda key: press(KEYS.get(key, "")), keys=list(KEYS))
        self.typed = Typed(lambda text: said("table", f"{TYPED} {text}"), visible=False)
        self.present = Pane(style=style("present"), align="center")
        self.log_head, self.next = Pane(style=style("head")), pane("log", "next")
        self.log = pane("log", "log", follow=True, on_peek=lambda step: said("peek", step))
        self.recent, self.odds, self.rules = pane("log", "recent"), pane("odds", "side", "odds"), pane("log", "side", "rules")
        self.under = pane("under", "boards")
        self.tabs = Pane(
            lambda told: told in TABS and change("tab", told), style=style("tabs"), css_classes=["guest"] if guest else [], **WIDE
        )
        self.buttons = pane("transport", "buttons", sizing_mode=None)
        self.whatif = pane("whatif", "buttons", css_classes=["whatif"], sizing_mode=None)
        self.place = Pane(style=style("place"), css_classes=["end"], sizing_mode=None)
        self.scrub = Scrub(lambda step: said("log", f"{GO}{step}"))
        self.ticks = pane("log", "ticks")
        self.keys = pmui.Button(variant="outlined", css_classes=["keys"], stylesheets=[style("button")], **WIDE)
        self.keys.on_click(lambda event: press("keys"))
        self.files = pane("files")
        self.leave = pmui.Button(variant="outlined", css_classes=["leave"], stylesheets=[style("button")], **WIDE)
        self.leave.on_click(lambda event: press("whatif"))
        self.bar = Bar(press, change, [self.leave, self.files, self.pace[1], self.speed[1], self.policy, self.keys])
        self.key_list = Pane(style=style("keys"))
        self.close_keys = pmui.Button(variant="outlined", margin=(0, 8, 8, 8), stylesheets=[style("button")])
        self.close_keys.on_click(lambda event: press("close_keys"))
        self.help = dialog("xs", self.key_list, self.close_keys)
        self.sharing = Sharing(press, lambda text: said("file", text), guest)
        self.form = dialog("sm", setup.column, self.again, setup.buttons)

    def forget(self) -> None:
        """Nothing stays of the files and the link that another viewpoint, or another game, asked for."""
        for pane in (self.under, self.odds):
            pane.file = {}
        self.sharing.forget()


class Parts:
    """The parts of the page in their places; ``classes`` says which of them a projector, or an open tab, changes."""

    def __init__(self, widgets: Widgets, dark: bool, guest: bool = False) -> None:
        self.guest, self.classes = guest, ["guest"] if guest else []
        self.head = pn.Row(
            widgets.present, *widgets.viewpoints[:2], stylesheets=[style("viewpoints")], margin=0, sizing_mode="stretch_width"
        )
        self.ways = pn.Row(widgets.pace[0], widgets.speed[0], css_classes=["ways"], stylesheets=[":host { gap: 16px; }"], margin=0)
        self.row = pn.Row(
            widgets.buttons, self.ways, widgets.whatif, widgets.place, stylesheets=[style("row")], margin=0, sizing_mode="stretch_width"
        )
        scrub = pn.Column(widgets.scrub, widgets.ticks, css_classes=["scrub"], stylesheets=[style("scrub")], **WIDE)
        self.transport = panel("transport", self.row, scrub, sheet=style("open", "transport"))
        self.log = panel("log", widgets.log_head, widgets.log, widgets.next, sheet=style("under"))
        self.under = panel("under", widgets.under, sheet=style("open"))
        self.whole = pn.Column(
            self.log,
            panel("table", self.head, widgets.table, widgets.typed, sheet=style("bare")),
            panel("recent", widgets.recent, sheet=style("open")),
            panel("side", widgets.tabs, widgets.odds, widgets.rules),
            self.under,
            self.transport,
            stylesheets=[style("grid")],
            sizing_mode="stretch_width",
            margin=0,
        )
        self.widgets = widgets
        main = [widgets.strip, self.whole, layer(widgets.form, widgets.help, widgets.sharing.dialog), widgets.browser, Focus()]
        self.page = page_of(widgets.bar, widgets.viewpoints[2], main=main, dark=dark)

    def arrange(self, projector: bool, many: bool) -> None:
        """As on a projector, or not; with ``many`` buttons there is less room for what else stands beside them."""
        classes, widgets = ["projector"] if projector else [], self.widgets
        for part in (self.head, self.row, self.whole, widgets.table, widgets.odds):
            part.css_classes = [*classes, *self.classes]
        self.transport.css_classes = ["transport", *classes]
        widgets.viewpoints[2].css_classes = ["phone-only", *classes]
        self.ways.visible = not projector
        for part in (widgets.buttons, widgets.pace[0], widgets.speed[0]):
            part.css_classes = ["many"] if many else []
        widgets.whatif.css_classes = ["whatif", *(["many"] if many else []), *classes]

    def unfold(self, boards: bool) -> None:
        """The boards below the table, or a line with their names."""
        self.under.css_classes = ["under", "unfolded"] if boards else ["under"]

    def open(self, tab: str) -> None:
        """What stands under the tab."""
        widgets = self.widgets
        widgets.odds.visible, widgets.rules.visible = tab == "odds", tab == "rules"
        self.log.css_classes = ["log", *(["open"] if tab == "log" else []), *self.classes]


def _group(options: Any, classes: list[str] | None = None, sheet: str = "", **more: Any) -> pmui.RadioButtonGroup:
    look = {"size": "small", "margin": 0, "align": "center", "stylesheets": [style("choices") + sheet], "css_classes": classes or []}
    return pmui.RadioButtonGroup(options=options, **look, **more)


def _list(options: Any, classes: list[str] | None = None, **more: Any) -> Choice:
    return Choice(options, css_classes=classes or [], **WIDE, **more)


def _eyes(classes: list[str], *sheets: str, **more: Any) -> Choice:
    return Choice([TEACHER], "select", "eyes", *sheets, sheet=looks.EYE, margin=0, align="center", css_classes=classes, **more)
