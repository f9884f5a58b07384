"""The page of a game in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import panel as pn
from bokeh.core.serialization import Serializer
from bokeh.model import Model
from panel.models.esm import ReactiveESM
from panel.viewable import Viewable

from cardlab.core.record import Record
from cardlab.core.session import Session
from cardlab.dashboard.screen import Screen
from cardlab.desk import Desk
from cardlab.words import usual_language


def embedded(what: str | Desk | Session | Record = "suicide_king", /, **options: Any) -> Any:
    """The page of a game, a session, a record or a desk, to be shown by the last line of a cell; the options are those of ``Desk``.

    What the browser needs for it is written into the cell, so that it works without internet. Raises BadGame and BadRequest.
    """
    desk = Desk.made(what, **{"language": usual_language()} | options)
    pn.extension(inline=True)
    page = Screen(desk, guest=True).page
    page._hooks.append(_Once())  # no public name leads to what Panel calls with every new model
    return page


class _Once:
    """Has each module stand in an output once: Panel writes Material's, a megabyte, into every widget.

    The browser keeps a module by the name of its bundle, and the first that it initializes must bring it. That is the first whose
    attributes are all read, in the order in which they are written.
    """

    def __init__(self) -> None:
        self._bringing: dict[str, dict[str, str]] = {}  # by output and bundle, the model that brings the module

    def __call__(self, page: Viewable, root: Model, changed: Viewable, old: Any) -> None:
        modules = {model.id: model for model in root.select({"type": ReactiveESM}) if model.bundle}
        bringing = self._bringing.setdefault(root.id, {})
        for read in _read(Serializer().encode(root)):
            if read in modules and bringing.setdefault(modules[read].bundle, read) != read:
                modules[read].esm = ""


def _read(written: Any) -> Iterator[str]:
    """The ids of models in the order in which a browser has read them."""
    if isinstance(written, dict):
        for part in written.values():
            yield from _read(part)
        if written.get("type") == "object" and "id" in written:
            yield written["id"]
    elif isinstance(written, list | tuple):
        for part in written:
            yield from _read(part)
