"""The widgets of the stepper, and where they stand."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets as w

from cardlab.core.events import TEACHER
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES
from cardlab.desk import Desk, lines
from cardlab.desk.asked import name_of
from cardlab.desk.keys import KEYS
from cardlab.notebook import html
from cardlab.notebook.form import WHOLE_LABEL, NewGame, choices, dropdown
from cardlab.notebook.pane import Pane
from cardlab.notebook.style import STYLE
from cardlab.view.drawings import sprite
from cardlab.view.html import titles
from cardlab.words import LANGUAGES

BUTTONS: Final = {
    "restart": "screen.restart", "undo": "screen.undo", "step": "screen.step", "play": "screen.play", "finish": "stepper.finish",
    "mine": "stepper.mine", "whatif": "page.whatif", "new": "screen.new",
}  # fmt: skip
PANES: Final = ("screen.table", "screen.log", "screen.next", "page.chances", "board.all")  # their names for a screen reader
SPEEDS: Final = {"0.5": "½×", "1": "1×", "2": "2×", "4": "4×"}
SECONDS: Final = 0.8  # a step at 1×, as on the page
FOLDS: Final = {"new": "screen.new", "rules": "screen.rules"}  # what is opened when it is asked for
BESIDE: Final = 620, 300  # pixels: where a table of that width and a log have room, they stand side by side


def row(*widgets: w.Widget, **layout: Any) -> w.HBox:
    """Widgets side by side, in as many lines as they need."""
    made = w.HBox(widgets, layout=w.Layout(flex_flow="row wrap", align_items="center", **layout))
    return made.add_class("cl-row")


def column(*widgets: w.Widget, flex: str) -> w.VBox:
    """Widgets below each other."""
    return w.VBox(widgets, layout=w.Layout(flex=flex, min_width="0")).add_class("cl-parts")


class Widgets:
    """All widgets of a stepper; ``panes`` hold what depends on the viewpoint."""

    def __init__(self, heard: Any, peeked: Any, keyed: Any) -> None:
        self.form = form = NewGame()
        self.buttons = {name: w.Button(button_style="primary" if name == "step" else "") for name in BUTTONS}
        self.inputs: dict[str, Any] = {
            "viewpoint": dropdown(options=[TEACHER]),
            "language": dropdown(options=list(LANGUAGES)),
            "policy": dropdown(options=list(PLAYERS)),
            "pace": dropdown(options=list(PACES)),
            "speed": dropdown(options=[(label, name) for name, label in SPEEDS.items()], value="1"),
            "game": form.game,
            "players": form.players,
            "preset": form.preset,
            "seed": form.seed,
        }
        self.slider = w.IntSlider(0, 0, 1, continuous_update=False, readout=False, layout=w.Layout(width="auto"))
        # the same as a field, for the slider's handle has no name that a screen reader could say
        self.number = w.BoundedIntText(0, min=0, max=1, style=WHOLE_LABEL, layout=w.Layout(width="auto"))
        self.of, self.keys = w.HTML(), w.HTML()
        self.table = Pane(heard, on_key=keyed, hotkeys=list(KEYS))
        self.log = Pane(heard, on_peek=peeked, follow=True).add_class("cl-log")
        self.ticks, self.next = Pane(heard).add_class("cl-ticks"), Pane(heard).add_class("cl-next")
        self.odds, self.rules = Pane(heard).add_class("cl-odds"), Pane().add_class("cl-rules")
        self.under = Pane(heard).add_class("cl-under")
        self.strip = Pane()
        self.panes = (self.table, self.log, self.next, self.odds, self.under, self.ticks)
        # an accordion's titles cannot be reached by keyboard, buttons can
        self.folds = {name: w.ToggleButton() for name in FOLDS}
        self._folded = {"new": self._form(), "rules": w.VBox([self.rules])}
        for part in self._folded.values():
            part.add_class("cl-fold")
        self.fold()
        self.box = self._box()

    def _form(self) -> w.VBox:
        form = self.form
        # the strip stands here a second time, for a refusal of the form should be read where it is filled in
        parts = [row(form.game, form.players, form.preset, form.seed), form.heading, form.fields, self.strip, row(self.buttons["new"])]
        return w.VBox(parts)

    def _box(self) -> w.VBox:
        inputs, buttons = self.inputs, self.buttons
        scrub = w.VBox([self.slider, self.ticks], layout=w.Layout(flex="1 1 300px", min_width="0"))
        table, log = BESIDE
        parts = w.HBox(
            [column(self.table, self.next, flex=f"3 1 {table}px"), column(self.log, self.odds, flex=f"2 1 {log}px")],
            layout=w.Layout(flex_flow="row wrap", align_items="flex-start"),
        )
        rows = [
            w.HTML(STYLE, layout=w.Layout(display="none")),
            row(inputs["viewpoint"], inputs["language"], inputs["policy"]),
            row(*(buttons[name] for name in BUTTONS if name != "new"), inputs["pace"], inputs["speed"]),
            row(scrub, self.number, self.of).add_class("cl-scrub"),
            self.strip,
            parts.add_class("cl-parts"),
            self.under,
            self.keys,
            row(*self.folds.values()),
            *self._folded.values(),
        ]
        return w.VBox(rows, layout=w.Layout(width="100%", padding="12px")).add_class("cardlab-stepper")

    def fold(self) -> None:
        """Shows what is opened, and hides what is not."""
        for name, part in self._folded.items():
            part.layout.display = "" if self.folds[name].value else "none"

    def label(self, desk: Desk) -> None:
        """Texts that change with the language and the game alone."""
        text, inputs = desk.words.text, self.inputs
        for name, key in BUTTONS.items():
            if name != "play":  # it changes with what it does
                self.buttons[name].description = text(key)
        for name in ("viewpoint", "language", "policy", "pace"):
            inputs[name].description = text(f"screen.{name}")
        inputs["speed"].description, self.number.description = text("page.speed"), text("screen.scrub")
        choices(inputs["language"], [(text(f"screen.language.{name}"), name) for name in LANGUAGES], desk.words.language)
        choices(inputs["policy"], [(text(f"player.{name}"), name) for name in PLAYERS], desk.policy)
        choices(inputs["pace"], [(text(f"screen.pace.{name}"), name) for name in PACES], desk.pace)
        choices(inputs["viewpoint"], [(label, name_of(viewer)) for label, viewer in desk.viewers()], name_of(desk.viewer))
        for name, key in FOLDS.items():
            self.folds[name].description = f"{text(key)} …"
        self.keys.value = html.keys(desk.words)
        said = titles(desk.game, desk.words)
        for pane, key in zip(self.panes, PANES, strict=False):
            pane.label, pane.titles = text(key), said
        self.table.sprite = sprite(desk.words.language)
        self.rules.show(lines.rules(desk), label=text("screen.rules"))
        self.form.show_game(desk.words)
