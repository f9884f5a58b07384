"""The boxes of a page: a panel, which is there from the start, and a dialog, which rises over the page."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui

from cardlab.dashboard.looks import style


def panel(name: str, *pieces: Any, sheet: str = "") -> pn.Column:
    """A box with a frame, of the class ``name``; no Paper of Material's, each of which brings a theme of its own into the browser."""
    return pn.Column(*pieces, css_classes=[name], stylesheets=[style("panel") + sheet], margin=0)


def dialog(width: str, *pieces: Any) -> pmui.Dialog:
    """A closed dialog; ``width`` is one of Material's, as ``"xs"`` or ``"sm"``."""
    return pmui.Dialog(*pieces, close_on_click=True, width_option=width, title="-", sizing_mode="stretch_width", stylesheets=[style()])


def layer(*dialogs: pmui.Dialog) -> pn.Column:
    """Where dialogs rise over the page: each is made in the browser when it is first opened, since most visitors open none.

    >>> help = dialog("xs", "Keys")
    >>> over = layer(help)
    >>> len(over)
    0
    >>> help.open = True
    >>> len(over)
    1
    """
    over = pn.Column(margin=0, width=0, height=0)

    def add(event: Any) -> None:
        if event.obj not in over:
            over.append(event.obj)

    for each in dialogs:
        each.param.watch(add, "open")
    return over
