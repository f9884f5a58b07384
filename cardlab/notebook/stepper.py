"""The stepper: a desk in a notebook, made of ipywidgets and redrawn in place."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import ipywidgets as w

from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.core.record import Record
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES, Session
from cardlab.desk import Desk, Move
from cardlab.notebook import html
from cardlab.notebook.form import WHOLE_LABEL, NewGame, choices, dropdown
from cardlab.notebook.guard import guarded
from cardlab.notebook.style import STYLE
from cardlab.notebook.ticker import Ticker
from cardlab.words import LANGUAGES
from cardlab.words.errors import CardlabError

SPEEDS = ("0.5", "1", "2", "5", "10")  # steps a second
MOST_BUTTONS = 20  # more moves than these are a list
SPECTATOR = "spectator"  # a dropdown takes None for "nothing chosen"


def usual_language() -> str:
    """The language where none is asked for: CARDLAB_LANGUAGE, or that of a notebook's folder such as ``notebooks/ru``, or English."""
    asked = os.environ.get("CARDLAB_LANGUAGE", Path.cwd().name)
    return asked if asked in LANGUAGES else "en"


def _desk(what: str | Desk | Session | Record, options: dict[str, Any]) -> Desk:
    if isinstance(what, Desk):
        return what
    options.setdefault("language", usual_language())
    if isinstance(what, Record):
        return Desk.of(what, **options)
    return Desk.on(what, **options) if isinstance(what, Session) else Desk(what, **options)


class Stepper:
    """A game to step through in a notebook; the last line of a cell shows it.

    The game is named as for ``Desk``, or is a session, a record or a desk. A cell can press what is on the screen:
    ``stepper.buttons["step"].click()``, ``stepper.inputs["viewpoint"].value = "0"``, ``stepper.slider.value = 7``; ``stepper.desk``
    and ``stepper.session`` are what stands behind it. Nothing in the widgets tells more than the viewpoint knows.
    """

    def __init__(self, what: str | Desk | Session | Record = "suicide_king", /, **options: Any) -> None:
        self.desk = _desk(what, options)
        self.drawing = False
        self.lock = RLock()
        self.error = ""
        self.ticker = Ticker(self._tick, lambda: 1 / float(self.inputs["speed"].value))
        self._labelled: tuple[Any, ...] = ()
        self._filled: tuple[Any, ...] = ()
        self._make()
        self._lay_out()
        self.redraw()
        self._listen()

    @property
    def session(self) -> Session:
        """The session on the desk."""
        return self.desk.session

    # the widgets

    def _make(self) -> None:
        self.form = NewGame()
        names = ("restart", "undo", "step", "play", "finish", "mine", "choose", "new")
        self.buttons = {name: w.Button(button_style="primary" if name == "step" else "") for name in names}
        self.inputs: dict[str, Any] = {
            "viewpoint": dropdown(options=[TEACHER]),
            "language": dropdown(options=list(LANGUAGES)),
            "policy": dropdown(options=list(PLAYERS)),
            "pace": dropdown(options=list(PACES)),
            "speed": dropdown(options=list(SPEEDS), value="1"),
            "picture": dropdown(options=["svg", "text"]),
            "game": self.form.game,
            "players": self.form.players,
            "preset": self.form.preset,
            "seed": self.form.seed,
        }
        wide = w.Layout(width="100%", flex="1 1 260px", min_width="0")
        self.slider = w.IntSlider(0, 0, 1, continuous_update=False, readout=False, layout=wide)
        # the same as a field, for the slider's handle has no name that a screen reader could say
        self.number = w.BoundedIntText(0, min=0, max=1, style=WHOLE_LABEL, layout=w.Layout(width="auto"))
        self.of = w.HTML()
        self.strip, self.table, self.log, self.ahead, self.hint, self.rules = (w.HTML() for _ in range(6))
        # two sets of move buttons take turns, so that a second click on a move cannot land on the next player's
        self._moves: tuple[list[w.Button], list[w.Button]] = ([], [])
        self._turn = 0
        self._offered: list[Move] = []
        self._offer: tuple[Any, ...] = ()
        self.moves = w.HBox(layout=w.Layout(flex_flow="row wrap")).add_class("cl-row")
        self.select = w.Select(rows=6, style=WHOLE_LABEL, layout=w.Layout(width="auto", min_width="240px"))

    def _lay_out(self) -> None:
        def row(*widgets: w.Widget, **layout: Any) -> w.HBox:
            made = w.HBox(widgets, layout=w.Layout(flex_flow="row wrap", align_items="center", **layout))
            return made.add_class("cl-row")

        def column(*widgets: w.Widget, flex: str) -> w.VBox:
            return w.VBox(widgets, layout=w.Layout(flex=flex, min_width="0", padding="0 8px 0 0"))

        inputs, buttons = self.inputs, self.buttons
        picked = w.VBox([self.hint, self.moves, w.HBox([self.select, buttons["choose"]])])
        self.picked = picked.children[2]
        form = self.form
        # the strip stands here a second time, for a refusal of the form should be read where it is filled in
        new = w.VBox([row(form.game, form.players, form.preset, form.seed), form.heading, form.fields, self.strip, row(buttons["new"])])
        self.more = w.Accordion([new, self.rules], selected_index=None)
        self.box = w.VBox(
            [
                w.HTML(STYLE, layout=w.Layout(display="none")),
                row(inputs["viewpoint"], inputs["language"], inputs["picture"], inputs["policy"]),
                row(*(buttons[name] for name in ("restart", "undo", "step", "play", "finish", "mine")), inputs["pace"], inputs["speed"]),
                row(self.number, self.slider, self.of),
                self.strip,
                w.HBox(
                    [column(self.table, flex="3 1 420px"), column(self.log, flex="2 1 280px")],
                    layout=w.Layout(flex_flow="row wrap", align_items="flex-start"),
                ),
                self.ahead,
                picked,
                self.more,
            ],
            layout=w.Layout(width="100%", padding="12px"),
        )
        self.box.add_class("cardlab-stepper")

    def _listen(self) -> None:
        for name in ("restart", "undo", "step", "play", "finish", "mine", "choose", "new"):
            self.buttons[name].on_click(partial(self._press, name))
        for name, widget in (*self.inputs.items(), ("scrub", self.slider), ("scrub", self.number)):
            if name != "seed":
                widget.observe(partial(self._change, name), "value")

    # what can be done

    @guarded
    def _press(self, name: str, button: w.Button) -> None:
        desk = self.desk
        if name == "play":
            self._play_or_pause()
            return
        self.ticker.stop()
        if name == "choose":
            if self._offered and self.select.index is not None:
                desk.act(self._offered[self.select.index].token)
        elif name == "new":
            desk.new(**self.form.options())
        elif name == "mine":
            if isinstance(desk.viewer, Seat):
                desk.to_my_turn()
        else:
            getattr(desk, name)()

    @guarded
    def _move(self, turn: int, number: int, button: w.Button) -> None:
        if turn == self._turn and number < len(self._offered):
            self.ticker.stop()
            self.desk.act(self._offered[number].token)

    @guarded
    def _change(self, name: str, change: Any) -> None:
        desk, value = self.desk, change["new"]
        match name:
            case "scrub":
                self.ticker.stop()
                desk.goto(value)
            case "viewpoint":
                self._forget()
                desk.set_viewer(_viewer(value))
            case "language":
                desk.set_language(value)
            case "policy":
                desk.policy = value
            case "pace":
                desk.set_pace(value)
            case "game":
                self.form.show_game(desk.words)
            case "players":
                self.form.show_game(desk.words)
            case "preset":
                self.form.show_preset()

    def tick(self) -> bool:
        """One step, as Play makes it; returns whether there is more to come."""
        self._step()
        return not self.desk.over and not self.error

    @guarded
    def _step(self) -> None:
        self.desk.step()

    def _tick(self) -> bool:
        with self.lock:
            if not self.playing:  # somebody was faster
                return False
            going_on = self.tick()
            if not going_on:
                self.ticker.stop()
                self.redraw()
            return going_on

    @property
    def playing(self) -> bool:
        """Whether it plays by itself."""
        return self.ticker.running

    def _play_or_pause(self) -> None:
        if self.playing:
            self.ticker.stop()
        elif not self.desk.over:
            self.ticker.start()

    # what is drawn

    def redraw(self) -> None:
        """Everything anew, in place."""
        self.drawing = True
        try:
            self._label()
            self._fill()
            self._draw()
        finally:
            self.drawing = False

    def _forget(self) -> None:
        """Nothing of a viewpoint stays behind when another comes."""
        self._show_moves([])
        for widget in (self.table, self.log, self.ahead, self.hint):
            widget.value = ""
        self.form.seed.value = ""
        self._filled = ()

    def _label(self) -> None:
        """Texts that change with the language and the game alone."""
        desk = self.desk
        labelled = (desk.words, desk.game)
        if labelled == self._labelled:
            return
        text = desk.words.text
        for name, key in (
            ("restart", "screen.restart"), ("undo", "screen.undo"), ("step", "screen.step"), ("finish", "stepper.finish"),
            ("mine", "stepper.mine"), ("choose", "stepper.choose"), ("new", "screen.new"),
        ):  # fmt: skip
            self.buttons[name].description = text(key)
        for name, key in (
            ("viewpoint", "screen.viewpoint"), ("language", "screen.language"), ("policy", "screen.policy"), ("pace", "screen.pace"),
            ("speed", "stepper.speed"), ("picture", "screen.table"),
        ):  # fmt: skip
            self.inputs[name].description = text(key)
        choices(self.inputs["language"], [(text(f"screen.language.{name}"), name) for name in LANGUAGES], desk.words.language)
        choices(self.inputs["policy"], [(text(f"player.{name}"), name) for name in PLAYERS], desk.policy)
        choices(self.inputs["pace"], [(text(f"screen.pace.{name}"), name) for name in PACES], desk.pace)
        choices(self.inputs["speed"], [(name.replace(".", text("odds.point")), name) for name in SPEEDS])
        choices(self.inputs["picture"], [(text(f"stepper.picture.{name}"), name) for name in ("svg", "text")])
        choices(self.inputs["viewpoint"], [(label, _value(viewer)) for label, viewer in desk.viewers()], _value(desk.viewer))
        self.number.description, self.select.description = text("screen.scrub"), text("screen.moves")
        self.more.titles = (text("screen.new"), text("screen.rules"))
        self.rules.value = html.rules(desk.game, desk.words)
        self.form.show_game(desk.words)
        self._labelled = labelled

    def _fill(self) -> None:
        """The form, when another game lies on the desk or another looks at it."""
        filled = (self.session, self.desk.viewer)
        if filled != self._filled:
            self.form.fill(self.desk)
            self._filled = filled

    def _draw(self) -> None:
        desk, words = self.desk, self.desk.words
        picture = self.inputs["picture"].value == "svg"
        self.inputs["viewpoint"].value = _value(desk.viewer)
        for scrub in (self.slider, self.number):
            scrub.max = max(len(desk), 1)
            scrub.value = desk.at
            scrub.disabled = not len(desk)
        self.of.value = html.quiet(words.text("screen.step_of", at=desk.at, last=len(desk)))
        self.table.value = html.table(desk.picture() if picture else "", "" if picture else desk.table(), words)
        self.log.value = html.log(desk.log(html.LOG_ROWS + 1), desk.at, desk.game, words)
        self.ahead.value = html.ahead(desk.next(), desk.odds(), words)
        for name in ("restart", "undo"):
            self.buttons[name].disabled = not desk.at
        for name in ("step", "play", "finish", "mine"):
            self.buttons[name].disabled = desk.over
        self.buttons["mine"].layout.display = "" if isinstance(desk.viewer, Seat) else "none"
        self.buttons["play"].description = words.text("screen.pause" if self.playing else "screen.play")
        self._show_moves(desk.moves())

    def _show_moves(self, moves: list[Move]) -> None:
        words = self.desk.words
        hidden = not moves and isinstance(self.session.actor, Seat)
        title = f"<h3>{words.text('screen.moves')}</h3>" if 0 < len(moves) <= MOST_BUTTONS else ""
        self.hint.value = html.quiet(words.text("screen.moves_hidden")) if hidden else title
        offer = (self.session, self.desk.at, moves)
        if offer == self._offer:
            return
        self._offer = offer
        for button in self._moves[self._turn]:
            button.description = button.tooltip = ""
        self._offered = moves
        few = moves if len(moves) <= MOST_BUTTONS else []
        self._turn = 1 - self._turn if few else self._turn
        pool = self._moves[self._turn]
        while len(pool) < len(few):
            button = w.Button()
            button.on_click(partial(self._move, self._turn, len(pool)))
            pool.append(button)
        for button, move in zip(pool, few, strict=False):
            button.description, button.tooltip = move.label, move.token
        self.moves.children = tuple(pool[: len(few)])
        self.select.options = [move.label for move in moves[len(few) :]]
        self.picked.layout.display = "none" if few or not moves else ""

    def show_error(self, fault: Exception | None) -> None:
        """What went wrong, in the strip; ``None`` empties it."""
        if fault is None:
            self.error = ""
        elif isinstance(fault, CardlabError):
            self.error = fault.say(self.desk.words)
        elif self.desk.viewer == TEACHER:
            self.error = f"{type(fault).__name__}: {fault}"
        else:  # the message may name a card that this viewpoint does not know
            self.error = self.desk.words.text("stepper.fault", fault=type(fault).__name__)
        self.strip.value = html.error(self.error, self.desk.words)

    # how it shows itself

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = self.box._repr_mimebundle_(**options)
        return {**bundle, "text/plain": self.desk.table(), "text/html": self.desk.picture()} if bundle else bundle

    def __repr__(self) -> str:
        return f"<Stepper {self.desk.game!r} step {self.desk.at} of {len(self.desk)}>"


def _value(viewer: Viewer) -> str:
    return SPECTATOR if viewer is None else str(viewer)


def _viewer(value: str) -> Viewer:
    return None if value == SPECTATOR else Seat(int(value)) if value.isdigit() else TEACHER
