"""The stepper: a desk in a notebook, made of ipywidgets and panes and redrawn in place."""

from __future__ import annotations

from functools import partial
from threading import RLock
from typing import Any, Final

from cardlab.core.events import Seat
from cardlab.core.record import Record
from cardlab.core.session import Session
from cardlab.desk import Desk, lines
from cardlab.desk.aloud import Aloud
from cardlab.desk.asked import name_of, pressed, viewer_of, whole
from cardlab.desk.boards import Boards
from cardlab.desk.guessing import Guessing
from cardlab.desk.keys import KEYS
from cardlab.desk.questions import Asking
from cardlab.desk.saving import saved
from cardlab.notebook import html
from cardlab.notebook.guard import guarded, watched
from cardlab.notebook.ticker import Ticker
from cardlab.notebook.widgets import SECONDS, Widgets
from cardlab.view.html import heading
from cardlab.words import usual_language

LOG_ROWS: Final = 100  # of a longer log the last rows alone: all of them would make every step a heavy message
LESS: Final = 50  # so many fewer at a time, for the rows that stay need not be drawn anew


class Stepper:
    """A game to step through in a notebook; the last line of a cell shows it.

    The game is named as for ``Desk``, or is a session, a record or a desk. A cell can press what is on the screen:
    ``stepper.buttons["step"].click()``, ``stepper.inputs["viewpoint"].value = "0"``, ``stepper.slider.value = 7``, and click on the
    table: ``stepper.click("play QH")``; ``stepper.desk`` and ``stepper.session`` are what stands behind it. Nothing in the widgets
    tells more than the viewpoint knows.
    """

    def __init__(self, what: str | Desk | Session | Record = "suicide_king", /, **options: Any) -> None:
        self.desk = Desk.made(what, **{"language": usual_language()} | options)
        self.drawing = False
        self.lock = RLock()
        self.error = ""
        self.ticker = Ticker(self._tick, lambda: SECONDS / float(self.inputs["speed"].value))
        self._answering = False  # it plays only until the viewpoint's seat has to choose
        self._games = 0  # games begun on this stepper
        self._peeked = -1  # the step that is previewed
        self._log = lines.LogLines()
        self._aloud = Aloud()
        self.asking = Asking(self._answered)
        self.boards = Boards(self.asking)
        self.guessing = Guessing(self._answered)
        self._labelled: tuple[Any, ...] = ()
        self._filled: tuple[Any, ...] = ()
        self.widgets = Widgets(self._heard, self._peek, self._key)
        self.buttons, self.inputs = self.widgets.buttons, self.widgets.inputs
        self.slider, self.number, self.form = self.widgets.slider, self.widgets.number, self.widgets.form
        self.table, self.log, self.box = self.widgets.table, self.widgets.log, self.widgets.box
        self.redraw()
        self._listen()

    @property
    def session(self) -> Session:
        """The session on the desk."""
        return self.desk.session

    def _listen(self) -> None:
        for name, button in self.buttons.items():
            button.on_click(partial(self._press, name))
        for name, widget in (*self.inputs.items(), ("scrub", self.slider), ("scrub", self.number)):
            if name != "seed":
                widget.observe(partial(self._change, name), "value")
        self.table.observe(self._resized, "narrow")
        for fold in self.widgets.folds.values():
            fold.observe(self._folded, "value")

    # what can be done

    @guarded
    def _press(self, name: str, button: Any = None) -> None:
        desk = self.desk
        if name == "play":
            self._play_or_pause()
            return
        self._stop()
        if name == "new":
            desk.new(**self.form.options())
            self._games += 1
            self._forget()
        elif name == "mine":
            if isinstance(desk.viewer, Seat):
                desk.to_my_turn()
        elif name == "whatif":
            self.boards.leave(desk)
            self._games += 1
        else:
            getattr(desk, name)()

    def _key(self, key: str) -> None:
        """A key is the button that it is listed with."""
        name = KEYS.get(key)
        if name and not self.buttons[name].disabled:
            self._press(name)

    @guarded
    def _change(self, name: str, change: Any) -> None:
        desk, chosen = self.desk, change["new"]
        match name:
            case "scrub":
                self._stop()
                desk.goto(chosen)
            case "viewpoint":
                if self._answering:
                    self._stop()
                self._forget()
                desk.set_viewer(viewer_of(chosen))
            case "language":
                desk.set_language(chosen)
            case "policy":
                desk.policy = chosen
            case "pace":
                desk.set_pace(chosen)
            case "game" | "players":
                self.form.show_game(desk.words)
            case "preset":
                self.form.show_preset()

    @guarded
    def _heard(self, said: str) -> None:
        """What a click in the browser says: to go to a step, to open the rule book, or a move, which the others then answer."""
        kind, asked = pressed(said)
        if kind == "rule":
            self._open(asked)
            return
        if kind == "ask":
            self.asking.press(asked)
            return
        if kind == "board":
            self.boards.toggle(asked, self.desk)
            return
        if kind == "save":
            self.widgets.under.save(saved(asked, self.desk, self.boards, not self.guessing.covers(self.desk)))
            return
        if kind == "guess":
            file = self.guessing.hear(self.desk, asked)
            if file is not None:
                self.widgets.odds.save(file)
            return
        self._stop()
        if kind == "go":
            self.desk.goto(asked)
            return
        if kind in ("branch", "drop", "name"):
            self._games += self.boards.branches.hear(self.desk, kind, asked)
            return
        at = self.desk.at
        self.desk.click(asked)
        if self.desk.at != at:
            self._answer()

    @guarded
    def _clicked(self, token: str) -> None:
        self._stop()
        self.desk.click(token)

    def click(self, token: str) -> str | None:
        """What a click on the table says, from a cell: "take 3", "play QH", "choose 3D"; returns the refusal, if there is one.

        The others wait: the cell steps on for them.
        """
        self._clicked(token)
        return self.error or None

    def _open(self, rule: str) -> None:
        """The rule book, open at a rule."""
        rules = self.widgets.rules
        self.widgets.folds["rules"].value = True
        rules.show(lines.rules(self.desk))  # closed first: the same rule may be asked for twice
        rules.show(lines.rules(self.desk, rule))

    @watched
    def _peek(self, step: str) -> None:
        """A row of the log is pointed at, or no longer."""
        at = whole(step)
        self._peeked = at if isinstance(at, int) and at < self.desk.at else -1
        self._draw_table()

    @watched
    def _folded(self, change: Any) -> None:
        self.widgets.fold()

    @watched
    def _resized(self, change: Any) -> None:
        self._draw_table()

    # playing by itself

    def tick(self) -> bool:
        """One step, as Play makes it; returns whether there is more to come."""
        self._step()
        mine = self._answering and self.session.actor == self.desk.viewer
        return not (self.desk.ended or self.error or mine)

    @guarded
    def _step(self) -> None:
        self.desk.step()

    def _tick(self) -> bool:
        with self.lock:
            if not self.playing:  # somebody was faster
                return False
            going_on = self.tick()
            if not going_on:
                self._stop()
                self.redraw()
            return going_on

    @property
    def playing(self) -> bool:
        """Whether it plays by itself."""
        return self.ticker.running

    def _play_or_pause(self) -> None:
        if self.playing:
            self._stop()
        elif not self.desk.ended:
            self.ticker.start()

    def _answer(self) -> None:
        """After a seat's own move the others play, until the seat has to choose again; in long paces all at once."""
        desk = self.desk
        if not isinstance(desk.viewer, Seat) or desk.ended or self.session.actor == desk.viewer:
            return
        if desk.pace in ("card", "move"):
            self._answering = True
            self.ticker.start()
        else:
            desk.to_my_turn()

    def _stop(self) -> None:
        self.ticker.stop()
        self._answering = False

    # what is drawn

    def redraw(self) -> None:
        """Everything anew, in place."""
        self._peeked = -1
        self.drawing = True
        try:
            self._label()
            self._draw()
        finally:
            self.drawing = False

    def _forget(self) -> None:
        """Nothing of a viewpoint stays behind when another comes, and nothing of a game."""
        self.drawing = True
        try:
            for pane in self.widgets.panes:
                pane.forget()
            self.form.seed.value = ""
            self._filled = ()
        finally:
            self.drawing = False

    def _label(self) -> None:
        """What changes with the language and the game, and the form, when another game lies on the desk or another looks at it."""
        desk = self.desk
        labelled = (desk.words, desk.game)
        if labelled != self._labelled:
            self.widgets.label(desk)
            self._labelled = labelled
        filled = (self.session, desk.viewer)
        if filled != self._filled:
            self.form.fill(desk)
            self._filled = filled

    def _draw(self) -> None:
        desk, text, widgets = self.desk, self.desk.words.text, self.widgets
        self._draw_buttons()
        self.inputs["viewpoint"].value = name_of(desk.viewer)
        for scrub in (self.slider, self.number):
            scrub.max = max(len(desk), 1)
            scrub.value = desk.at
            scrub.disabled = not len(desk)
        widgets.of.value = html.quiet(text("screen.step_of", at=desk.at, last=len(desk)))
        self._draw_table()
        game = f"{self._games} {name_of(desk.viewer)}"
        widgets.log.show(self._log_lines(), now=lines.now(desk), mark=game)
        self.table.spoken = self._aloud.of(desk, self._log.rows)
        widgets.ticks.show([*lines.tick_lines(desk), html.played(desk)], now=lines.here(desk), mark=game)
        widgets.next.show([heading(text("screen.next")), *lines.ahead(desk)], mark=game)
        self._draw_odds()

    def _draw_buttons(self) -> None:
        """What can be pressed: sent before the table, so that nobody who sees a new moment finds a button of the last one."""
        desk = self.desk
        for name in ("restart", "undo"):
            self.buttons[name].disabled = not desk.at
        for name in ("step", "play", "finish", "mine"):
            self.buttons[name].disabled = desk.ended
        self.buttons["whatif"].disabled = desk.over
        self.buttons["mine"].layout.display = "" if isinstance(desk.viewer, Seat) else "none"
        self.buttons["play"].description = desk.words.text("screen.pause" if self.playing else "screen.play")

    @watched
    def _answered(self) -> None:
        """An answer has come, after the rest was drawn."""
        self._draw_odds()

    def _draw_odds(self) -> None:
        desk = self.desk
        covered = self.guessing.covers(desk)
        drawn = [heading(desk.words.text("page.chances")), *self.guessing.lines(desk)]
        if covered:
            self.asking.rest(desk)
        else:
            drawn += [*self.asking.lines(desk, self.boards.wants(desk)), lines.files(desk.words)]
        mark = lines.mark(desk, self._games)
        self.widgets.under.show([] if covered else self.boards.lines(desk), mark=mark)
        self.widgets.odds.show(drawn, mark=mark)

    def _draw_table(self) -> None:
        desk, pane = self.desk, self.table
        drawn = lines.table(desk, pane.narrow) if self._peeked < 0 else lines.peek(desk, self._peeked, pane.narrow)
        pane.show(drawn, mark=lines.mark(desk, self._games))

    def _log_lines(self) -> list[str]:
        """The rows of the log under their title, the last of a long one."""
        rows = self._log.of(self.desk)
        left_out = -(-max(len(rows) - LOG_ROWS, 0) // LESS) * LESS
        earlier = [f'<div class="head">{self.desk.words.text("stepper.earlier")}</div>'] if left_out else []
        return [lines.log_head(self.desk), *earlier, *rows[left_out:]]

    def show_error(self, fault: Exception | None) -> None:
        """What went wrong, in the strip; ``None`` empties it."""
        self.error = lines.problem(fault, self.desk)
        self.widgets.strip.lines = lines.fault(fault, self.desk)

    # how it shows itself

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = self.box._repr_mimebundle_(**options)
        return {**bundle, "text/plain": self.desk.table(), "text/html": self.desk.picture()} if bundle else bundle

    def __repr__(self) -> str:
        return f"<Stepper {self.desk.game!r} step {self.desk.at} of {len(self.desk)}>"
