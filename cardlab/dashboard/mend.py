"""Mends of Bokeh 3, of Panel 1.9 and of Panel Material UI 0.16; the last two would keep sessions that have ended."""

from __future__ import annotations

import warnings
from typing import Any

import panel as pn
import panel_material_ui as pmui
from bokeh.themes import Theme
from bokeh.util.warnings import BokehUserWarning
from panel.util import edit_readonly


def untie(page: pmui.Page) -> bool:
    """Cuts the tie between a page's ``busy`` and ``pn.state``; says whether there was one.

    The page's constructor makes ``busy`` follow ``pn.state.busy``. The watcher lives in ``pn.state``, as long as the server, and holds
    the page with its whole session. Nothing is lost: the page shows no busy bar.
    """
    private = page._param__private  # no public name leads to the watchers of a reference
    ties = [tie for tie in private.ref_watchers if "busy" in tie[0]]
    for tie in ties:
        private.ref_watchers.remove(tie)
        pn.state.param.unwatch(tie[1])
    with edit_readonly(page):
        page.busy = False
    return bool(ties)


def leave_figures(document: Any) -> None:
    """Has a page leave the axes, grids and grounds of its figures as they are: in the browser it would give them its own look.

    It leaves alone what the theme of the document names.
    """
    document.theme = Theme(json={"attrs": {"Axis": {}, "Grid": {}, "Figure": {}}})


def clean_early(loop: Any) -> None:
    """Starts the cleaner of Panel's busy counter with the server: the session that would start it is kept as long as it runs."""
    loop.add_callback(pn.state._schedule_busy_cleanup)  # no public name starts it


def hush() -> None:
    """Leaves out a warning that nobody can heed: the browser's first word of what was added to a page holds it whole once more."""
    warnings.filterwarnings("ignore", "reference already known", BokehUserWarning)
