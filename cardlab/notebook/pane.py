"""A piece of the screen in a notebook: the module of the view, through anywidget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import anywidget
import traitlets as t

from cardlab.desk.downloads import Download
from cardlab.view.tokens import MODULE, STYLE


class Pane(anywidget.AnyWidget):
    """Lines of HTML that speak: a click is told to ``heard``, what is pointed at to ``on_peek``, a key to ``on_key``.

    ``mark`` names the moment that the lines were drawn for: a click on lines of another moment, as the second of two quick ones, is
    not told.
    """

    _esm = MODULE.read_text("utf-8")
    _css = STYLE

    lines = t.List(t.Unicode()).tag(sync=True)
    sprite = t.Unicode().tag(sync=True)
    mark = t.Unicode().tag(sync=True)
    now = t.Unicode().tag(sync=True)
    titles = t.Dict().tag(sync=True)
    follow = t.Bool(False).tag(sync=True)
    label = t.Unicode().tag(sync=True)
    hotkeys = t.List(t.Unicode()).tag(sync=True)  # a widget has ``keys`` of its own
    narrow = t.Bool(False).tag(sync=True)
    said = t.Dict().tag(sync=True)
    peeked = t.Unicode().tag(sync=True)
    keyed = t.Dict().tag(sync=True)
    file = t.Dict().tag(sync=True)
    spoken = t.Dict().tag(sync=True)

    def __init__(
        self,
        heard: Callable[[str], Any] | None = None,
        on_peek: Callable[[str], Any] | None = None,
        on_key: Callable[[str], Any] | None = None,
        **traits: Any,
    ) -> None:
        super().__init__(**traits)
        if heard is not None:
            self.observe(lambda change: change.new.get("mark") == self.mark and heard(str(change.new.get("say"))), "said")
        if on_peek is not None:
            self.observe(lambda change: on_peek(change.new), "peeked")
        if on_key is not None:
            self.observe(lambda change: change.new and on_key(str(change.new.get("key"))), "keyed")

    def show(self, lines: Iterable[str], **traits: Any) -> None:
        """Other lines, and what belongs to them, in one message."""
        with self.hold_sync():
            self.lines = list(lines)
            for name, value in traits.items():
                setattr(self, name, value)

    def save(self, download: Download) -> None:
        """Hands a file to the browser, which keeps it where it keeps such files."""
        self.file = download.told(self.file.get("n", 0) + 1)

    def forget(self) -> None:
        """Nothing stays of what was shown, and nothing of what was clicked, pointed at or pressed."""
        self.show([], mark="", now="", said={}, peeked="", keyed={}, file={}, spoken={})
