"""The bar above every page: the way back, the game, the rule book, language, theme and projector."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import panel as pn
import panel_material_ui as pmui

from cardlab.core.registry import GAMES
from cardlab.dashboard import looks
from cardlab.dashboard.address import Look
from cardlab.dashboard.choice import Choice
from cardlab.dashboard.icons import LOGO, favicon, icon
from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Pane
from cardlab.dashboard.setup import choose
from cardlab.words import LANGUAGES, Words


class Bar:
    """The widgets of the bar; ``press`` hears of a button by its name, ``change`` of a choice by its name and value.

    ``settings`` are what the menu holds; without any there is a menu on phones alone, and without a game no rule book.
    """

    def __init__(self, press: Callable[[str], Any], change: Callable[[str, Any], Any], settings: list[Any] | None = None) -> None:
        self.brand = Pane(style=style("brand"), width=None, sizing_mode=None, align="center")
        self.game = Choice(list(GAMES), "select", width=190, margin=(0, 4, 0, 12), align="center")
        self.buttons = {
            name: pmui.Button(
                variant="text", icon=icon(sign), icon_size="18px", stylesheets=[style("bar_button")], margin=0, align="center"
            )
            for name, sign in (
                ("setup", "new"),
                ("rules", "book"),
                ("share", "share"),
                ("theme", "moon"),
                ("projector", "projector"),
                ("menu", "menu"),
            )
        }
        self.language = pmui.RadioButtonGroup(
            options={name.upper(): name for name in LANGUAGES},
            size="small",
            margin=0,
            align="center",
            stylesheets=[style("choices", "unnamed")],
        )
        for widget in (self.game, self.language, *self.buttons.values()):
            widget.css_classes = ["in-bar"]
        for name in ("share", "theme", "rules", "setup"):
            self.buttons[name].css_classes = ["in-bar", "brief"]
        look = {"margin": 0, "align": "center", "icon_size": "18px", "stylesheets": [style("bar_button")]}
        self.chance = pmui.Button(
            variant="text", icon=icon("chance"), href="chance", target="_self", css_classes=["in-bar", "brief"], **look
        )
        self._settings = settings or []
        self.settings = pn.Column(css_classes=["settings"], stylesheets=[style("settings")], margin=0)
        with_game = settings is not None
        spacer = pn.Spacer(css_classes=["gap"], sizing_mode="stretch_width", margin=0)
        in_game = [self.game, self.buttons["setup"], spacer, self.chance, self.buttons["rules"], self.buttons["share"]]
        in_game = in_game if with_game else [spacer, self.chance]
        self.tools = pn.Row(
            *in_game, self.language, self.buttons["theme"], self.buttons["projector"], self.settings,
            css_classes=["tools"], stylesheets=[style("tools")], margin=0,
        )  # fmt: skip
        self.buttons["menu"].stylesheets = [style("bar_button", "menu_button")]
        self.buttons["menu"].css_classes = [] if with_game else ["phone-only"]
        for name, button in self.buttons.items():
            button.on_click(lambda event, name=name: press(name))
        for name in ("game", "language"):
            getattr(self, name).param.watch(lambda event, name=name: change(name, event.new), "value")

    @property
    def open(self) -> bool:
        """Whether the menu is open."""
        return "open" in self.tools.css_classes

    @open.setter
    def open(self, value: bool) -> None:
        if value and not self.settings.objects:
            self.settings.objects = self._settings  # not before: most visitors open no menu
        if value != self.open:
            self.tools.css_classes = ["tools", "open"] if value else ["tools"]

    def label(self, words: Words, look: Look, game: str = "", guest: bool = False) -> None:
        """All texts anew; a ``guest`` of a notebook leads nowhere else and fills no wall."""
        text = words.text
        choose(self.game, {text(f"game.{name}"): name for name in GAMES}, game or next(iter(GAMES)))
        self.game.label, self.language.label = text("screen.game"), text("screen.language")
        self.language.value = words.language
        self.buttons["setup"].label, self.buttons["rules"].label = text("page.new"), text("screen.rules")
        self.buttons["share"].label, self.buttons["menu"].label = text("page.share"), text("page.menu")
        self.chance.param.update(label=text("demo.bar"), href="chance" + look.link())
        self.buttons["theme"].param.update(
            label=text("page.light" if look.dark else "page.dark"), icon=icon("sun" if look.dark else "moon")
        )
        projector = self.buttons["projector"]
        projector.label = text("page.leave_projector" if look.projector else "page.projector")
        projector.css_classes = ["in-bar", "wide-only", "on" if look.projector else "brief"]
        for shown in (self.game, self.language, self.chance, *(self.buttons[name] for name in ("setup", "rules", "share", "menu"))):
            shown.visible = not (look.projector and game)
        name = text(f"game.{game}") if game else "cardlab"
        said = escape(name)
        beside = f"<b>{said}</b>" if look.projector and game else ""
        logo = f'{LOGO}<span class="word">cardlab</span><span class="phone">{said}</span>'
        start = escape("./" + look.link())
        whole = (
            f'<span class="home">{logo}</span>'
            if guest
            else f'<a class="home" href="{start}" aria-label="{escape(text("page.to_start"))}">{logo}</a>'
        )
        skip = f'<button class="skip" data-skip>{escape(text("page.to_table"))}</button>' if game and not guest else ""
        self.brand.lines = [skip + whole + beside]
        projector.visible = not guest
        self.settings.css_classes = ["settings", "guest"] if guest else ["settings"]
        self.chance.visible = self.chance.visible and not guest


def page_of(bar: Bar, *header: Any, main: list[Any], dark: bool) -> pmui.Page:
    """A page with its bar."""
    return pmui.Page(
        title="",
        meta_title="cardlab",
        favicon=favicon(),
        header=[bar.brand, bar.tools, *header, bar.buttons["menu"]],
        main=main,
        dark_theme=dark,
        theme_config=looks.THEME_CONFIG,
        sx=looks.PAGE_SX,
        stylesheets=[looks.THEMES + style("page")],
        theme_toggle=False,  # its tooltip speaks English alone
        busy_indicator=None,
    )
