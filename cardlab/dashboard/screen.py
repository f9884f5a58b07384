"""One visitor's screen: a desk, and the widgets over it. Every button calls one of the desk's methods."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import panel as pn
from panel.io import hold

from cardlab.chance.watched import Watched
from cardlab.core.events import TEACHER, Seat
from cardlab.core.registry import PLAYERS
from cardlab.core.session import PACES
from cardlab.dashboard import parts
from cardlab.dashboard.address import Look, address_of, found_in, way_back
from cardlab.dashboard.browser import Browser
from cardlab.dashboard.faults import guarded
from cardlab.dashboard.layout import TABS, Parts, Widgets
from cardlab.dashboard.mend import untie
from cardlab.dashboard.setup import SetUp, choose
from cardlab.desk import Desk, follow, lines
from cardlab.desk.aloud import Aloud
from cardlab.desk.aside import aside
from cardlab.desk.asked import name_of, pressed, viewer_of, whole
from cardlab.desk.boards import Boards
from cardlab.desk.guessing import Guessing
from cardlab.desk.questions import Asking
from cardlab.desk.saving import saved
from cardlab.view import html
from cardlab.view.drawings import sprite
from cardlab.words.errors import CardlabError

KEEP: Final = 1_000  # milliseconds after a change in which the way back to it is made


class Screen:
    """The page of one browser session with a game.

    ``fault`` is what was wrong with the address, if anything; ``tab`` is what is open beside the table; ``guest`` says that it stands in a
    notebook. What a viewpoint may not know is taken out of the document, not hidden in it: the browser holds what the viewpoint knows
    and no more.
    """

    def __init__(
        self, desk: Desk, fault: Exception | None = None, look: Look | None = None, tab: str = "odds", guest: bool = False
    ) -> None:
        self.desk = desk
        self.dark, self.projector = (look.dark, look.projector) if look else (False, False)
        self.tab = tab if tab in TABS else "odds"
        self.updating = False
        self.fault: Exception | None = None
        self.log, self.aloud = lines.LogLines(), Aloud()
        self.document = pn.state.curdoc
        self.asking = Asking(self._answered)
        self.boards = Boards(self.asking)
        self._folded = False  # whether somebody has opened or folded the boards
        self.guessing = Guessing(self._answered, look is not None and look.guess)
        self.rule = ""  # where the rule book is open
        self._games = 0  # games begun on this screen
        self._gone = False  # whether nobody looks any more
        self._keeping = False  # whether the way back to here is about to be kept
        self._mine = False  # whether it plays to the turn of the viewpoint's seat
        self._odds_at: tuple[Any, ...] = ()  # the moment whose odds were asked for
        self._labelled: tuple[Any, ...] = ()
        self.setup = SetUp(self._form_changed)
        self.widgets = Widgets(self.setup, self._press, self._change, self._said, guest)
        self.parts = Parts(self.widgets, self.dark, guest)
        self.page = self.parts.page
        untie(self.page)
        self.ticker = pn.state.add_periodic_callback(self._tick, period=self.widgets.speed[0].value, start=False)
        for name in ("new", "cancel"):
            getattr(self.setup, name).on_click(lambda event, name=name: self._press(name))
        self.widgets.browser.param.watch(lambda *events: self._resized(), ["columns", "tall"])
        self.widgets.table.param.watch(lambda event: self._resized(), "narrow")
        self.page.param.watch(lambda event: self._change("dark", event.new), "dark_theme")
        if self.document is not None and self.document.session_context:
            pn.state.on_session_destroyed(self.left)
        with self._update():
            self.setup.fill(desk)
        self.refresh()
        self.show_fault(fault)

    def left(self, context: Any) -> None:
        """Nobody looks any more."""
        self._gone = True
        self.asking.rest(self.desk)

    @property
    def browser(self) -> Browser:
        """What the page asks of the browser."""
        return self.widgets.browser

    @property
    def look(self) -> Look:
        """How the page looks."""
        return Look(self.desk.words.language, self.dark, self.projector, self.guessing.on)

    # what can be done

    @guarded
    def _press(self, name: str) -> None:
        """A button or a key."""
        widgets = self.widgets
        if name == "close":
            widgets.bar.open = False
            return
        if not name or self._behind(name):
            return  # a key is no use behind a dialog
        self.show_fault(None)
        if name == "menu":
            widgets.bar.open = not widgets.bar.open
            return
        widgets.bar.open = False
        if name in ("restart", "undo", "step", "play", "mine", "finish", "new", "whatif"):
            self._transport(name)
        else:
            self._arrange(name)
        self.refresh()

    def _behind(self, name: str) -> bool:
        """Whether a dialog is open to which a button does not belong."""
        widgets = self.widgets
        dialogs = {widgets.help: ("close_keys",), widgets.form: ("new", "cancel"), widgets.sharing.dialog: ("save_link", "unshare")}
        return any(dialog.open and name not in names for dialog, names in dialogs.items())

    def _transport(self, name: str) -> None:
        desk, playing = self.desk, self.ticker.running
        self._pause()
        if parts.why_not(name, desk):
            return
        match name:
            case "restart":
                desk.restart()
            case "undo":
                desk.undo()
            case "step":
                desk.step()
            case "finish":
                desk.finish()
            case "play" if not playing:
                self._play()
            case "mine" if isinstance(desk.viewer, Seat):
                desk.to_my_turn()
            case "whatif":
                self.boards.leave(desk)
                self._games += 1
            case "new":
                self._begin(**self.setup.options())
                self.widgets.form.open = False

    def _arrange(self, name: str) -> None:
        """What changes the screen and not the game."""
        widgets = self.widgets
        match name:
            case "setup":
                with self._update():
                    self.setup.fill(self.desk)
                widgets.form.open = True
            case "cancel":
                widgets.form.open = False
            case "keys":
                widgets.help.open = True
            case "close_keys":
                widgets.help.open = False
            case "share":
                self._pause()
                widgets.sharing.show(self.desk)
            case "unshare":
                widgets.sharing.dialog.open = False
            case "save_link":
                widgets.sharing.hand_over()
            case "theme":
                self.dark = not self.dark
            case "projector":
                self.projector = not self.projector
            case "rules":
                self.tab = "rules"
                widgets.browser.sought += 1
            case "odds":
                self._odds_at = () if self._odds_shown else self._moment
                self.tab = "odds"
            case "guess":
                self.guessing.toggle()
                self.tab = "odds"

    def _open(self, text: str) -> None:
        """What a file holds comes on the desk, once it is read beside the page; a refusal stands in the dialog, and the game stays."""
        self.widgets.sharing.strip.lines = []
        reading = partial(found_in, text, self.desk.words.language)
        if not aside(reading, self._read):
            self._take(reading())

    def _read(self, told: asyncio.Future[Desk | CardlabError]) -> None:
        self._later(lambda: self._take(told.result()))

    @guarded
    def _take(self, found: Desk | CardlabError) -> None:
        desk, sharing = self.desk, self.widgets.sharing
        if isinstance(found, CardlabError):
            sharing.strip.lines = lines.fault(found, desk)
            return
        self._pause()
        desk.turn(found.session)
        desk.viewer, desk.preset = found.viewer, found.preset
        self._games += 1
        self.rule = ""
        sharing.dialog.open = False
        self.refresh()

    def _begin(self, **options: Any) -> None:
        self.desk.new(**options)
        self._games += 1
        self.rule = ""

    @guarded
    def _change(self, name: str, value: Any) -> None:
        """A choice."""
        self.show_fault(None)
        desk = self.desk
        match name:
            case "game" if value != desk.game.name:
                self._pause()
                self._begin(name=value)
            case "language":
                desk.set_language(value)
            case "viewpoint":
                self._pause()
                desk.set_viewer(viewer_of(value))
            case "pace":
                desk.set_pace(value)
            case "speed":
                self.ticker.period = value
            case "policy":
                desk.policy = value
            case "dark":
                self.dark = value
            case "tab":
                self.tab = value
        self.refresh()

    @guarded
    def _said(self, pane: str, told: str) -> None:
        """Something on a pane was pressed, or pointed at."""
        if pane == "peek":
            self._peek(told)
            return
        if pane == "file":
            self._open(told)
            return
        self.show_fault(None)
        match pressed(told):
            case "go", step:
                self._pause()
                self.desk.goto(step)
            case "rule", rule:
                self.rule, self.tab = rule, "rules"
            case "ask", question:
                self.asking.press(question)
            case "board", board:
                self.boards.toggle(board, self.desk)
                self._folded = True
            case "branch" | "drop" | "name" as verb, line:
                self._pause()
                self._games += self.boards.branches.hear(self.desk, verb, line)
            case "save", what:
                self._save(what)
                return
            case "guess", guess:
                file = self.guessing.hear(self.desk, guess)
                if file is not None:
                    self.widgets.odds.save(file)
            case _, move if pane == "table":
                self._move(move)
            case _, button:
                self._press(button)
                return
        self.refresh()

    def _save(self, what: str) -> None:
        self.widgets.under.save(saved(what, self.desk, self.boards, self._open_odds))

    def _move(self, told: str) -> None:
        """A card or a move was pressed: then the computer players do the rest, until it is the turn of the viewpoint's seat again."""
        desk, before = self.desk, self.desk.at
        self._pause()
        desk.click(told)
        if isinstance(desk.viewer, Seat) and desk.at != before and not self._my_turn and not isinstance(desk.session, Watched):
            self._play(mine=True)

    @property
    def _my_turn(self) -> bool:
        return self.desk.ended or self.desk.session.actor == self.desk.viewer

    def _peek(self, step: str) -> None:
        """The table at the row that is pointed at, and back."""
        desk, narrow = self.desk, self.widgets.table.narrow
        at = whole(step)
        elsewhere = isinstance(at, int) and at < desk.at
        with self._update():
            self.widgets.table.lines = lines.peek(desk, at, narrow) if elsewhere else lines.table(desk, narrow)

    @guarded
    def _tick(self) -> None:
        desk = self.desk
        try:
            desk.step("move" if self._mine and desk.pace not in ("card", "move") else None)
        except Exception:
            self._pause()  # or it would fail again at every tick
            raise
        if self._my_turn if self._mine else desk.ended:
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
        browser = self.widgets.browser
        if not self._folded:  # nobody has chosen: where there is little room the boards are a line with their names
            self.boards.open = browser.tall or browser.columns == 1
        if browser.columns == 3 and self.tab == "log":  # it has a column of its own there
            self.tab = "odds"
        self.refresh()

    def _play(self, mine: bool = False) -> None:
        self._mine = mine
        self.ticker.start()

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
        labelled = (desk.words, desk.session, desk.viewer, self.look, self.rule)
        with self._update():
            if labelled != self._labelled:
                self._label()
                self._labelled = labelled
            self._draw()

    def show_fault(self, fault: Exception | None) -> None:
        """What went wrong, in the strip above all, or in the dialog that is open; ``None`` takes it away."""
        self.fault = fault
        said = lines.fault(fault, self.desk)
        with self._update():
            here, there = (self.widgets.again, self.widgets.strip) if self.widgets.form.open else (self.widgets.strip, self.widgets.again)
            here.lines, there.lines = said, []

    def _label(self) -> None:
        """What changes with the language, the game, the viewpoint, the look and the rule that is open, and not with each step."""
        desk, widgets, words = self.desk, self.widgets, self.desk.words
        text = words.text
        if self._labelled[1:3] != (desk.session, desk.viewer):
            widgets.forget()
        widgets.bar.label(words, self.look, desk.game.name, self.parts.guest)
        viewers = sorted(((label, name_of(viewer)) for label, viewer in desk.viewers()), key=lambda named: named[1] == TEACHER)
        for viewpoint in widgets.viewpoints:
            choose(viewpoint, dict(viewers), name_of(desk.viewer))
            viewpoint.label = text("screen.viewpoint")
        for pace, speed in zip(widgets.pace, widgets.speed, strict=True):
            choose(pace, {text(f"screen.pace.{name}"): name for name in PACES}, desk.pace)
            pace.label, speed.label = text("screen.pace"), text("page.speed")
        choose(widgets.policy, {text(f"player.{name}"): name for name in PLAYERS}, desk.policy)
        widgets.files.lines = [lines.files(words)]
        widgets.leave.label = text("page.whatif")
        widgets.policy.label, widgets.keys.label, widgets.scrub.label = text("screen.policy"), text("page.keys"), text("screen.scrub")
        widgets.form.title, widgets.help.title = text("screen.new"), text("page.keys")
        widgets.key_list.lines, widgets.close_keys.label = parts.key_list(words), text("page.close")
        widgets.sharing.label(desk)
        widgets.typed.label = text("tell.type")
        widgets.log_head.lines = [lines.log_head(desk)]
        for pane in (widgets.log, widgets.recent, widgets.next):
            pane.titles = html.titles(desk.game, words)
        widgets.log.label, widgets.table.label, widgets.rules.label = text("screen.log"), text("screen.table"), text("screen.rules")
        widgets.present.lines, widgets.rules.lines = parts.present(desk), lines.rules(desk, self.rule)
        widgets.table.sprite = sprite(words.language)
        self.page.dark_theme = self.dark
        self.parts.arrange(self.projector, many=isinstance(desk.viewer, Seat))
        self.setup.label(desk)
        widgets.browser.speak(words)
        address = address_of(desk, self.look)
        widgets.browser.put(address=address, back=address, projector=self.projector)  # the old way back may tell too much
        if pn.state.curdoc:
            pn.state.curdoc.title = f"{text(f'game.{desk.game.name}')} · cardlab"

    @property
    def _moment(self) -> tuple[Any, ...]:
        return self._games, self.desk.at, self.desk.viewer

    @property
    def _odds_shown(self) -> bool:
        return not self.projector or self._odds_at == self._moment

    @property
    def _open_odds(self) -> bool:
        """Whether the odds of the moment may be seen."""
        return not self.guessing.covers(self.desk) and (self._odds_shown or self.guessing.reveals(self.desk))

    def _draw(self) -> None:
        """The moment."""
        desk, widgets, playing = self.desk, self.widgets, self.ticker.running
        mark = lines.mark(desk, self._games)
        widgets.table.put(lines=lines.table(desk, widgets.table.narrow), mark=mark)
        widgets.typed.put(visible=follow.asked(desk) is not None, mark=mark)
        if isinstance(desk.session, Watched):
            widgets.browser.address = address_of(desk, self.look)
        log, ahead = self.log.of(desk), lines.ahead(desk)
        widgets.log.put(lines=log, now=lines.now(desk), mark=str(self._games), peeked="")
        widgets.table.put(spoken=self.aloud.of(desk, self.log.rows))
        recent = [html.heading(desk.words.text("page.happened")), *log[-2:], *ahead] if self.projector else log[-1:]
        widgets.recent.put(lines=recent, now=lines.now(desk), mark=str(self._games))
        widgets.next.put(lines=ahead)
        self._draw_side()
        widgets.buttons.put(lines=parts.buttons(desk, playing), mark=str(self._games))
        widgets.whatif.put(lines=parts.whatif(desk), mark=str(self._games))
        widgets.place.put(lines=parts.place(desk))
        widgets.scrub.put(end=len(desk), value=desk.at, said=lines.standing(desk), mark=str(self._games))
        widgets.ticks.put(lines=lines.tick_lines(desk), now=lines.here(desk), mark=str(self._games))
        self._keep_later()

    def _keep_later(self) -> None:
        """A while after the last change, so that no step waits for it: what leads back here when the server knows the page no more."""
        if self.document is not None and self.document.session_context and not self._keeping:
            self._keeping = True
            self.document.add_timeout_callback(self._keep, KEEP)

    @guarded
    def _keep(self) -> None:
        self._keeping = False
        back = way_back(self.desk, self.look)
        here = back if len(self.desk) and back.startswith("?") else address_of(self.desk, self.look)
        self.browser.put(back=back, address=here)  # so that a reload leads back, too

    def _answered(self) -> None:
        """An answer has come, after the rest was drawn."""
        self._later(self._side)

    def _later(self, draw: Callable[[], Any]) -> None:
        """Draws what comes from elsewhere: on a server when it is the page's turn, in a notebook at once."""
        if self._gone:
            return
        if self.document is None:
            draw()
        else:
            self.document.add_next_tick_callback(draw)

    @guarded
    def _side(self) -> None:
        with self._update():
            self._draw_side()

    def _draw_side(self) -> None:
        """What stands beside the table; odds that are covered are not in the document at all."""
        desk, widgets = self.desk, self.widgets
        self.parts.open(self.tab)
        widgets.tabs.lines = parts.tabs(TABS, self.tab, desk.words)
        guess, covered, shown = self.guessing.lines(desk), self.guessing.covers(desk), self._open_odds
        odds = [*(parts.ahead(desk) if shown or covered else []), *guess]
        if shown:
            odds += self.asking.lines(desk, self.boards.wants(desk))
        else:
            self.asking.rest(desk)
            odds += [] if covered else parts.cover(desk.words)
        mark = lines.mark(desk, self._games)
        widgets.under.put(lines=self.boards.lines(desk) if shown else parts.covered(desk.words), mark=mark)
        self.parts.unfold(shown and self.boards.open)
        widgets.odds.put(lines=odds, mark=mark)
