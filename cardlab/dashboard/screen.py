"""One visitor's screen: a desk, and the widgets over it. Every button calls one of the desk's methods."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Final

import holoviews as hv
import panel as pn
from panel.io import hold

from cardlab.charts import ChanceGrid, Look, bars, is_bars
from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES
from cardlab.dashboard import looks, parts
from cardlab.dashboard.faults import guarded
from cardlab.dashboard.layout import Widgets, page_of
from cardlab.dashboard.log import LogLines
from cardlab.dashboard.marks import marks
from cardlab.dashboard.mend import untie
from cardlab.dashboard.setup import SetUp, choose
from cardlab.desk import Chance, Desk
from cardlab.words import LANGUAGES

MOST_BUTTONS: Final = 20  # more moves than these are a list
SPECTATOR: Final = "spectator"  # a list of choices takes None for nothing chosen


def _value(viewer: Viewer) -> str:
    return SPECTATOR if viewer is None else str(viewer)


def _viewer(value: str) -> Viewer:
    return None if value == SPECTATOR else Seat(value) if value.isdigit() else TEACHER


class Screen:
    """The page of one browser session.

    ``fault`` is what was wrong with the address, if anything. What a viewpoint may not know is taken out of the document, not hidden
    in it: the browser holds what the viewpoint knows and no more.
    """

    def __init__(self, desk: Desk, fault: Exception | None = None) -> None:
        self.desk = desk
        self.updating = False
        self.fault: Exception | None = None
        self.log = LogLines()
        self._games = 0  # games begun on this screen
        self._labelled: tuple[Any, ...] = ()
        self._grid: ChanceGrid | None = None  # either this is drawn, or bars are
        self._bars: tuple[Chance, ...] = ()
        self.setup = SetUp(self._form_changed)
        self.widgets = Widgets(self._go, self._move)
        self.page = page_of(self.widgets, self.setup)
        untie(self.page)
        self.ticker = pn.state.add_periodic_callback(self._tick, period=self.widgets.speed.value, start=False)
        self._listen()
        with self._update():
            self.setup.fill(desk)
        self.refresh()
        self.show_fault(fault)

    def _listen(self) -> None:
        widgets = self.widgets
        for name in ("restart", "undo", "step", "play", "mine", "choose", "theme"):
            getattr(widgets, name).on_click(lambda event, name=name: self._press(name))
        self.setup.new.on_click(lambda event: self._press("new"))
        for name in ("language", "viewpoint", "pace", "speed", "policy"):
            getattr(widgets, name).param.watch(lambda event, name=name: self._change(name, event.new), "value")
        widgets.browser.param.watch(lambda event: self._resized(), "width_now")
        self.page.param.watch(lambda event: self._change("theme", event.new), "dark_theme")

    # what can be done

    @guarded
    def _press(self, name: str) -> None:
        self.show_fault(None)
        desk, playing = self.desk, self.ticker.running
        if name == "theme":
            self.page.dark_theme = not self.page.dark_theme
            return
        self._pause()
        match name:
            case "restart":
                desk.restart()
            case "undo":
                desk.undo()
            case "step":
                desk.step()
            case "play" if not playing and not desk.over:
                self.ticker.start()
            case "mine":
                desk.to_my_turn()
            case "choose" if self.widgets.list.value in {move.token for move in desk.moves()}:
                desk.act(self.widgets.list.value)
            case "new":
                desk.new(**self.setup.options())
                self._games += 1
        self.refresh()

    @guarded
    def _change(self, name: str, value: Any) -> None:
        self.show_fault(None)
        desk = self.desk
        match name:
            case "language":
                desk.set_language(value)
            case "viewpoint":
                desk.set_viewer(_viewer(value))
            case "pace":
                desk.set_pace(value)
            case "speed":
                self.ticker.period = value
            case "policy":
                desk.policy = value
            case "theme":
                self._labelled = ()
        self.refresh()

    @guarded
    def _go(self, step: int) -> None:
        """A row of the log was pressed, or the slider moved."""
        self.show_fault(None)
        self._pause()
        self.desk.goto(step)
        self.refresh()

    @guarded
    def _move(self, token: str) -> None:
        """A move was pressed."""
        self.show_fault(None)
        self._pause()
        self.desk.act(token)
        self.refresh()

    @guarded
    def _tick(self) -> None:
        try:
            self.desk.step()
        except Exception:
            self._pause()  # or it would fail again at every tick
            raise
        if self.desk.over:
            self._pause()
        self.refresh()

    @guarded
    def _form_changed(self, name: str) -> None:
        self.show_fault(None)
        with self._update():
            if name == "game":
                self.setup.show_game(self.desk.words)
            elif name == "preset":
                self.setup.show_preset()
            self.setup.label(self.desk)

    @guarded
    def _resized(self) -> None:
        self.refresh()

    def _pause(self) -> None:
        if self.ticker.running:
            self.ticker.stop()

    # what is drawn

    @contextmanager
    def _update(self) -> Iterator[None]:
        """Changes in here call none of the screen's own callbacks, and reach the browser in one message."""
        before, self.updating = self.updating, True
        try:
            with hold():
                yield
        finally:
            self.updating = before

    def refresh(self) -> None:
        """Everything anew that has changed."""
        desk = self.desk
        labelled = (desk.words, desk.session, desk.viewer)
        with self._update():
            if labelled != self._labelled:
                self._label()
                self._labelled = labelled
            self._draw()

    def show_fault(self, fault: Exception | None) -> None:
        """What went wrong, in the strip above all; ``None`` takes it away."""
        self.fault = fault
        with self._update():
            self.widgets.strip.lines = parts.fault_lines(fault, self.desk.words)

    def _label(self) -> None:
        """Texts that change with the language, the game, the viewpoint and the theme alone."""
        desk, widgets, text = self.desk, self.widgets, self.desk.words.text
        for name in ("restart", "undo", "step", "pace", "policy", "scrub", "viewpoint"):
            getattr(widgets, name).label = text(f"screen.{name}")
        widgets.speed.label, widgets.list.label = text("page.speed"), text("screen.moves")
        widgets.mine.label, widgets.choose.label = text("stepper.mine"), text("stepper.choose")
        widgets.theme.label = text("page.light" if self.page.dark_theme else "page.dark")
        choose(widgets.language, {text(f"screen.language.{name}"): name for name in LANGUAGES}, desk.words.language)
        choose(widgets.viewpoint, {label: _value(viewer) for label, viewer in desk.viewers()}, _value(desk.viewer))
        choose(widgets.pace, {text(f"screen.pace.{name}"): name for name in PACES}, desk.pace)
        choose(widgets.policy, {text(f"player.{name}"): name for name in PLAYERS}, desk.policy)
        widgets.more._names = [text("page.setup"), text("screen.rules")]  # an accordion has no public name for its titles
        name = {viewer: label for label, viewer in desk.viewers()}[desk.viewer]
        widgets.log_head.lines = [parts.heading(text("screen.log"), f"{text('screen.viewpoint')}: {name}")]
        widgets.log.param.update(titles=parts.titles(desk), label=text("screen.log"))
        widgets.rules.lines = parts.rule_lines(desk)
        widgets.present.lines = [parts.present(desk)]
        widgets.browser.param.update(language=desk.words.language, secret=desk.viewer != TEACHER)
        self.setup.label(desk)
        self._grid, self._bars = None, ()
        if pn.state.curdoc:
            pn.state.curdoc.title = f"{text(f'game.{desk.game.name}')} · cardlab"

    def _look(self) -> Look:
        game: Any = self.desk.game  # each of the three has its own size
        return Look(self.desk.words, looks.tokens(self.page.dark_theme), game.size.pack)

    def _draw(self) -> None:
        """The moment."""
        desk, widgets, text = self.desk, self.widgets, self.desk.words.text
        widgets.table.object = desk.picture(widgets.browser.narrow)
        widgets.log.param.update(lines=self.log.of(desk), now=str(desk.at), mark=str(self._games))
        self._draw_moves()
        self._draw_chances(desk.chances())
        widgets.restart.disabled = widgets.undo.disabled = not desk.at
        widgets.step.disabled = widgets.play.disabled = widgets.mine.disabled = desk.over
        widgets.play.label = text("screen.pause" if self.ticker.running else "screen.play")
        phase = text(f"phase.{desk.game.name}.{desk.game.phase(desk.session.state)}")
        place = text("page.at", at=desk.at, last=len(desk), phase=phase)
        widgets.place.lines = [f"<p>{escape(place)}</p>"]
        ticks = marks(desk, widgets.browser.width_now)
        widgets.scrub.param.update(end=len(desk), value=desk.at, ticks=ticks, said=place, mark=str(self._games))

    def _draw_moves(self) -> None:
        desk, widgets, text = self.desk, self.widgets, self.desk.words.text
        moves = desk.moves()
        few = len(moves) <= MOST_BUTTONS
        lines = [parts.heading(text("screen.next")), f"<p>{parts.coloured(desk.next())}</p>"]
        if not moves and isinstance(desk.session.actor, Seat):
            lines.append(f'<p class="quiet small">{escape(text("screen.moves_hidden"))}</p>')
        widgets.next.lines = lines
        mark = f"{self._games} {desk.at} {_value(desk.viewer)}"
        widgets.moves.param.update(lines=parts.move_lines(moves) if few else [], mark=mark)
        choose(widgets.list, {"…": ""} | ({} if few else {move.label: move.token for move in moves}), "")
        widgets.list.visible = widgets.choose.visible = not few
        widgets.mine.visible = isinstance(desk.viewer, Seat)

    def _draw_chances(self, chances: list[Chance]) -> None:
        desk, widgets, text = self.desk, self.widgets, self.desk.words.text
        several = len(chances) > 1
        if several and is_bars(chances):
            if self._bars != tuple(chances):
                self._grid, self._bars = None, tuple(chances)
                self._show_chart(hv.render(bars(chances, self._look())))
        else:
            if self._grid is None:
                self._grid, self._bars = ChanceGrid(self._look()), ()
                self._show_chart(self._grid.figure)
            self._grid.show(chances if several else ())
        lines = parts.chance_lines(desk) if several else [f'<p class="quiet">{escape(text("page.no_chance"))}</p>']
        widgets.chances.lines = [parts.heading(text("page.chances")), *lines]

    def _show_chart(self, figure: Any) -> None:
        self.widgets.chart.objects = [pn.pane.Bokeh(figure, sizing_mode="stretch_width", margin=0)]
