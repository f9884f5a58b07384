"""The page of a new browser session, as the address asks for it."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import Any

import panel as pn

from cardlab.dashboard.address import asked_for, desk_for, look_of
from cardlab.dashboard.screen import Screen
from cardlab.dashboard.start import Start
from cardlab.view import html
from cardlab.words import Words

log = logging.getLogger(__name__)


def app(language: str = "en") -> Any:
    """A new screen for this browser session: ``?game=suicide_king&players=3&seed=7&language=ru``; without a game the start page.

    An address that asks for what does not exist gives the usual game and a sentence that says so.
    """
    asked = asked_for(pn.state.session_args)
    look = look_of(asked, language)
    try:
        desk, fault = desk_for(asked, language)
        if "game" not in asked and ("link" not in asked or fault is not None):
            return Start(look, fault).page
        if "link" in asked:
            look = replace(look, language=desk.words.language)
        return Screen(desk, fault, look, asked.get("tab", "odds")).page
    except Exception as fault:  # Panel would answer 200 with an empty page
        log.exception("the page could not be made")
        if "PYTEST_VERSION" in os.environ:
            raise
        return pn.pane.HTML(html.fault(f"{type(fault).__name__}: {fault}", Words(look.language)))
