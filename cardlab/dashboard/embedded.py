"""The page of a game in a notebook."""

from __future__ import annotations

from typing import Any

import panel as pn

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
    return Screen(desk, guest=True).page
