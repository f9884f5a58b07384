"""A mend of Panel Material UI 0.16: its Page is never freed, since it ties itself to the state of the whole process."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui
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
