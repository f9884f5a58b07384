"""A piece of the screen on the page: the module of the view, through Panel's AnyWidget component."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import param
from bokeh.models import InlineStyleSheet
from panel.custom import AnyWidgetComponent
from panel.io import hold
from panel.io.state import state
from param.parameterized import batch_call_watchers

from cardlab.desk.downloads import Download
from cardlab.view.tokens import MODULE, STYLE

LOOKS: Final = frozenset(AnyWidgetComponent.param)  # what is of the model itself, and not of its data


class Module(AnyWidgetComponent):
    """A module of plain JavaScript; all of the page's own are of this kind, since Panel 1.9 mixes up its kinds on one page.

    The browser is told that it need not be translated, and a style sheet that many have stands in the document once.
    """

    __abstract = True

    _debounce = 0  # milliseconds; Panel would wait 50 before it hears of a click

    async def _change_coroutine(self, doc: Any, event_id: str | None = None) -> None:
        """What was changed before on a widget of Panel's, which still waits, comes first."""
        for earlier, change in list(state._change_callbacks.get(doc, {}).items()):
            if earlier == event_id:
                break
            await change()
        await super()._change_coroutine(doc, event_id)

    def put(self, **values: Any) -> None:
        """Sets what has changed, and only that."""
        changed = {name: value for name, value in values.items() if getattr(self, name) != value}
        with batch_call_watchers(self):  # ``param.update`` would first read all that there is
            for name, value in changed.items():
                setattr(self, name, value)

    # What a module shows is all in the data of its model: Panel would at each change go through the whole of its design, and look for
    # properties and models where there are none, which takes half of the time of a step.

    def _update_properties(self, *events: Any, doc: Any) -> dict[str, Any]:
        if any(event.name in LOOKS or event.name in self._rename for event in events):
            return super()._update_properties(*events, doc=doc)
        return {event.name: event.new for event in events}

    def _update_model(self, events: Any, msg: dict[str, Any], root: Any, model: Any, doc: Any, comm: Any) -> None:
        echo = self._in_process__events.get(doc, {})
        if any(name in LOOKS or name in echo for name in msg):
            super()._update_model(events, msg, root, model, doc, comm)
            return
        ref = root.ref["id"]
        before = self._changing.get(ref, [])
        self._changing[ref] = [*before, *msg]
        try:
            with hold(doc):
                model.data.update(**msg)
        finally:
            self._changing[ref] = before

    @classmethod
    def _process_importmap(cls) -> dict[str, Any]:
        return {}  # it needs no React, and the usual map names another host

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        properties = super()._get_properties(doc)
        return properties | {"bundle": sha256(properties["esm"].encode()).hexdigest()}

    def _process_param_change(self, params: dict[str, Any]) -> dict[str, Any]:
        changed = super()._process_param_change(params)
        if "stylesheets" in changed and state.curdoc in state._stylesheets:
            shared = state._stylesheets[state.curdoc]  # where Panel keeps those that have an address
            for sheet in filter(lambda sheet: isinstance(sheet, str) and sheet not in shared, changed["stylesheets"]):
                shared[sheet] = InlineStyleSheet(css=sheet)
            changed["stylesheets"] = [shared.get(sheet, sheet) for sheet in changed["stylesheets"]]
        return changed


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
    spoken = param.Dict(default={})

    def __init__(
        self,
        heard: Callable[[str], Any] | None = None,
        on_peek: Callable[[str], Any] | None = None,
        on_key: Callable[[str], Any] | None = None,
        style: str = "",
        **params: Any,
    ) -> None:
        super().__init__(stylesheets=[STYLE, style], **{"sizing_mode": "stretch_width", "margin": 0} | params)
        if heard is not None:
            self.param.watch(lambda event: event.new.get("mark") == self.mark and heard(str(event.new.get("say"))), "said")
        if on_peek is not None:
            self.param.watch(lambda event: on_peek(event.new), "peeked")
        if on_key is not None:
            self.param.watch(lambda event: on_key(str(event.new.get("key"))), "keyed")

    def save(self, download: Download) -> None:
        """Hands a file to the browser, which keeps it where it keeps such files."""
        self.file = download.told(self.file.get("n", 0) + 1)
