"""What every page without a game does alike: its look changes from the bar, and what goes wrong stands in its strip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from panel.io import hold

from cardlab.dashboard.address import Look
from cardlab.dashboard.bar import Bar, page_of
from cardlab.dashboard.browser import Browser
from cardlab.dashboard.faults import guarded
from cardlab.dashboard.looks import style
from cardlab.dashboard.mend import untie
from cardlab.dashboard.pane import Pane
from cardlab.view import html
from cardlab.words import Words
from cardlab.words.errors import CardlabError


class Frame:
    """The bar and the strip of a page; whoever fills it says in ``refresh`` what stands between."""

    def __init__(self, look: Look, fault: CardlabError | None = None) -> None:
        self.look, self.fault, self.updating = look, fault, False
        self.bar, self.browser, self.strip = Bar(self._press, self._change), Browser(), Pane(style=style("strip"))

    def fill(self, *main: Any) -> None:
        """The page with what stands below the strip."""
        self.page = page_of(self.bar, main=[self.strip, *main, self.browser], dark=self.look.dark)
        untie(self.page)
        self.page.param.watch(lambda event: self._change("dark", event.new), "dark_theme")

    def left(self, context: Any) -> None:
        """Nobody looks any more."""

    def refresh(self) -> None:
        """Everything anew that has changed."""
        raise NotImplementedError

    def show_fault(self, fault: Exception | None) -> None:
        """What went wrong, in the strip above all."""
        words = Words(self.look.language)
        said = fault.say(words) if isinstance(fault, CardlabError) else repr(fault)
        self.strip.lines = [html.fault(said, words)] if fault else []

    @guarded
    def _press(self, name: str) -> None:
        look = self.look
        self.bar.open = name == "menu" and not self.bar.open
        if name == "theme":
            self.look = replace(look, dark=not look.dark)
        elif name == "projector":
            self.look = replace(look, projector=not look.projector)
        self.refresh()

    @guarded
    def _change(self, name: str, value: Any) -> None:
        look = self.look
        if name == "language":
            self.look = replace(look, language=value)
        elif name == "dark":
            self.look = replace(look, dark=value)
        self.refresh()

    @contextmanager
    def _update(self) -> Iterator[None]:
        """Changes in here call none of the page's own callbacks, and reach the browser in one message."""
        self.updating = True
        try:
            with hold():
                yield
        finally:
            self.updating = False
