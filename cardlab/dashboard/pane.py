"""A piece of the screen on the page: the module of the view, through Panel's AnyWidget component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import AnyWidgetComponent

from cardlab.desk.downloads import Download
from cardlab.view.tokens import MODULE, STYLE


class Module(AnyWidgetComponent):
    """A module of plain JavaScript; all of the page's own are of this kind, since Panel 1.9 mixes up its kinds on one page."""

    __abstract = True

    @classmethod
    def _process_importmap(cls) -> dict[str, Any]:
        return {}  # it needs no React, and the usual map names another host


class Pane(Module):
    """Lines of HTML that speak: a click is told to ``heard``, what is pointed at to ``on_peek``, a key to ``on_key``.

    ``mark`` names the moment that the lines were drawn for: a click on lines of another moment, as the second of two quick ones, is
    not told.
    """

    _esm = MODULE.read_text("utf-8")

    lines = param.List(default=[], item_type=str)
    sprite = param.String(default="")
    mark = param.String(default="")
    now = param.String(default="")
    titles = param.Dict(default={})
    follow = param.Boolean(default=False)
    label = param.String(default="")
    keys = param.List(default=[], item_type=str)
    narrow = param.Boolean(default=False)
    said = param.Dict(default={})
    peeked = param.String(default="")
    keyed = param.Dict(default={})
    file = param.Dict(default={})

    def __init__(
        self,
        heard: Callable[[str], Any] | None = None,
        on_peek: Callable[[str], Any] | None = None,
        on_key: Callable[[str], Any] | None = None,
        style: str = "",
        **params: Any,
    ) -> None:
        super().__init__(stylesheets=[STYLE + style], **{"sizing_mode": "stretch_width", "margin": 0} | params)
        if heard is not None:
            self.param.watch(lambda event: event.new.get("mark") == self.mark and heard(str(event.new.get("say"))), "said")
        if on_peek is not None:
            self.param.watch(lambda event: on_peek(event.new), "peeked")
        if on_key is not None:
            self.param.watch(lambda event: on_key(str(event.new.get("key"))), "keyed")

    def save(self, download: Download) -> None:
        """Hands a file to the browser, which keeps it where it keeps such files."""
        self.file = download.told(self.file.get("n", 0) + 1)
