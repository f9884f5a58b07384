"""The page of demonstrations: one press plays a game, or a hundred thousand, and the numbers go where they are known to go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import panel as pn

from cardlab.core.errors import BadRequest, quoted
from cardlab.dashboard import chance_parts as parts
from cardlab.dashboard.address import Look, look_of
from cardlab.dashboard.boxes import panel
from cardlab.dashboard.chance_parts import STYLES
from cardlab.dashboard.faults import guarded
from cardlab.dashboard.frame import Frame
from cardlab.dashboard.looks import style
from cardlab.dashboard.mend import leave_figures
from cardlab.dashboard.pane import Pane
from cardlab.dashboard.runs import Run
from cardlab.dashboard.shot import Shot
from cardlab.demos import DEMOS, Demo, demo
from cardlab.desk import downloads
from cardlab.desk.asked import seed_of, whole
from cardlab.desk.desk import spoken
from cardlab.view import html
from cardlab.view.tokens import DARK, LIGHT
from cardlab.words import Words
from cardlab.words.errors import CardlabError

USUAL: Final = "first_match"
LARGE: Final = 1.6  # on a projector
WIDE: Final[dict[str, Any]] = {"sizing_mode": "stretch_width", "width": None, "margin": 0}


class ChancePage(Frame):
    """The page of one browser session; ``fault`` is what was wrong with the address, if anything."""

    def __init__(self, shown: Demo, look: Look, fault: CardlabError | None = None) -> None:
        super().__init__(look, fault)
        self.demo = shown
        self.document = pn.state.curdoc
        if self.document is not None:
            leave_figures(self.document)
        self.run: Run | None = None
        self._drawn: tuple[Any, ...] = ()  # what the picture shows
        self._stream: tuple[Any, Any] = (None, None)  # what it moves for, and the stream that moves it
        self.shot = Shot()
        self.list = Pane(self._said, style=STYLES["lines"] + STYLES["list"], css_classes=["list"])
        self.head = Pane(self._said, style=STYLES["lines"] + STYLES["inside"])
        self.matrix = Pane(style=STYLES["lines"] + STYLES["inside"])
        self.picture = pn.Column(stylesheets=[STYLES["picture"]], **WIDE)
        self.side = Pane(self._said, style=STYLES["lines"] + STYLES["beside"])
        self.grid = pn.Column(
            self.list,
            panel("show", self.head, self.matrix, self.picture, sheet=style("open")),
            panel("side", self.side, sheet=style("open")),
            stylesheets=[STYLES["grid"]],
            **WIDE,
        )
        self.fill(self.grid, self.shot)
        self.browser.param.watch(lambda event: self._resized(), "columns")
        if self.document is not None and self.document.session_context:
            pn.state.on_session_destroyed(self.left)
        self.refresh()
        if pn.state.loaded:
            self._play(0)
        else:
            pn.state.onload(lambda: self._play(0))

    # what can be done

    @guarded
    def _resized(self) -> None:
        self.refresh()

    @guarded
    def _said(self, told: str) -> None:
        """Something on a pane was pressed."""
        self.fault = None
        match told.split(" "):
            case "more", number:
                self._play(whole(number))
            case ["cancel"] if self.run is not None:
                self.run.cancel()
            case ["reset"]:
                self._turn_to(self.demo.again())
            case "demo", name if name != self.demo.name:
                self._turn_to(demo(name, self.demo.seed))
            case "set", key, value:
                self._set(key, value)
            case "save", kind:
                self._save(kind)
        self.refresh()

    def _set(self, key: str, value: str) -> None:
        choice = self.demo.choices.get(key)
        if choice is None:
            self.demo.again(**{key: value})  # refuses it
            return
        known = {str(each): each for each in choice.values}.get(value, value)
        if known != self.demo.options[key]:
            self._turn_to(self.demo.again(**{key: known}))

    def _turn_to(self, other: Demo) -> None:
        """Another demonstration: what is still being played for the one before is given up."""
        if self.run is not None:
            self.run.cancel()
        self.run, self.demo = None, other
        self._play(0)

    def _play(self, games: int) -> None:
        """More games, beside the page; none at all only count what is exact, and whoever is quicker need not wait for that."""
        if self.busy:
            return
        self.run = Run(self.demo, games, self._told, self._ended)
        self.run.start()

    def _save(self, kind: str) -> None:
        if not self.demo.games:
            raise BadRequest("demo.error.no_picture")
        words = Words(self.look.language)
        if kind == "csv":
            headers, rows = self.demo.table(words)
            self.side.save(downloads.table(f"{self.demo.name}.csv", headers, rows, words.language))
        else:
            self.shot.take(kind, f"{self.demo.name}.{kind}", (DARK if self.look.dark else LIGHT)["surface"])

    # what comes back from a run

    def _told(self) -> None:
        """From the thread of a run: how far it is."""
        document = self.document
        if document is not None:
            document.add_next_tick_callback(self._draw_run)

    def _ended(self, run: Run) -> None:
        if run is not self.run:
            return
        if self.document is not None and self.document.session_context:
            self.document.add_next_tick_callback(lambda: self._close(run))
        else:
            self._close(run)

    @guarded
    def _close(self, run: Run) -> None:
        if run is not self.run:
            return
        self.run = None
        if isinstance(run.fault, CardlabError):
            self.fault = run.fault
        self.refresh()
        if run.fault is not None and run.fault is not self.fault:
            raise run.fault

    def left(self, context: Any) -> None:
        """Nobody looks any more."""
        if self.run is not None:
            self.run.cancel()
        self.run, self.document = None, None
        self._stream = None, None

    # what is drawn

    def refresh(self) -> None:
        """Everything anew that has changed."""
        look, words = self.look, Words(self.look.language)
        with self._update():
            self.page.dark_theme = look.dark
            self.bar.label(words, look)
            classes = ["projector"] if look.projector else []
            for part in (self.grid, self.head, self.matrix):
                part.css_classes = classes
            self.list.css_classes = ["list", *classes]
            self.list.lines = parts.listed(self.demo.name, words)
            self.list.label = words.text("demo.list")
            asked = {key: str(value) for key, value in self.demo.options.items()}
            address = look.link(demo=self.demo.name, **asked, seed=str(self.demo.seed))
            self.browser.speak(words)
            self.browser.put(address=address, back=address, projector=look.projector)
            self._draw_lines(words)
            self._draw_picture(words)
            self.show_fault(self.fault)
        if pn.state.curdoc:
            pn.state.curdoc.title = f"{words.text(f'demo.{self.demo.name}.title')} · cardlab"

    @property
    def busy(self) -> bool:
        """Whether games are being played."""
        return self.run is not None and self.run.games > 0

    def _draw_lines(self, words: Words) -> None:
        shown, run = self.demo, self.run
        state = parts.played(shown, words)
        if run is not None and run.games:
            state = parts.progress(run.done, run.games, words)
        self.head.lines = [*parts.head(shown, words), *parts.buttons(shown, self.busy, words), *state]
        counting = run is not None and not run.games  # what is exact is not known yet
        numbers = [html.heading(words.text("demo.numbers"))] if counting else parts.numbers(shown, words)
        self.side.lines = [*numbers, *parts.oddest(shown, self.look, words), *parts.saving(shown, words)]

    def _draw_run(self) -> None:
        """While games are played the numbers move; the picture follows at the end."""
        if self.run is not None:
            with self._update():
                self._draw_lines(Words(self.look.language))

    def _draw_picture(self, words: Words) -> None:
        look, narrow = self.look, self.browser.columns == 1
        state = (self.demo, self.demo.state, look, narrow)
        if state == self._drawn or self.busy:
            return
        self._drawn = state
        lines = parts.matrix(self.demo, words)
        self.matrix.param.update(lines=lines, visible=bool(lines))
        if not self.demo.games:
            self._stream = None, None
            self.picture.objects = [
                Pane(style=STYLES["lines"] + STYLES["empty"], lines=[f'<p class="empty">{words.text("demo.nothing_yet")}</p>'])
            ]
            return
        kind = self.demo.name, tuple(self.demo.options.items()), look, narrow
        if kind == self._stream[0]:
            self._stream[1].send(self.demo)
            return
        from cardlab import charts  # the thread of a run has loaded it, for that takes a second or two

        theme = charts.Theme(look.dark, LARGE if look.projector else 1.0, narrow)
        drawn, stream = charts.moving(self.demo, words, theme)
        self._stream = kind, stream
        self.picture.objects = [pn.pane.HoloViews(drawn, backend="bokeh", **WIDE)]


def demo_for(asked: Mapping[str, str]) -> tuple[Demo, CardlabError | None]:
    """The demonstration that an address asks for, or the usual one and what is wrong.

    >>> shown, fault = demo_for({"demo": "seats", "players": "3", "seed": "7"})
    >>> shown.name, shown.options["players"], fault
    ('seats', 3, None)
    """
    name = asked.get("demo", USUAL)
    try:
        spoken(asked.get("language", "en"))
        kind = DEMOS.get(name)
        if kind is None:
            raise BadRequest("demo.error.name", name=quoted(name), names=", ".join(DEMOS))
        options = {key: _known(asked[key], choice.values) for key, choice in kind.choices.items() if key in asked}
        seed = seed_of(asked.get("seed", ""))
        return kind(1 if seed is None else seed, **options), None
    except CardlabError as fault:
        return demo(USUAL), fault


def _known(text: str, values: tuple[Any, ...]) -> Any:
    return {str(value): value for value in values}.get(text, text)


def chance_page(asked: dict[str, str], language: str = "en") -> ChancePage:
    """A page of demonstrations, as an address asks for it: ``/chance?demo=seats&players=4&seed=7&language=ru``."""
    shown, fault = demo_for(asked)
    return ChancePage(shown, look_of(asked, language), fault)
