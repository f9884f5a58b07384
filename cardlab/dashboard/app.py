"""The pages of a new browser session, as the address asks for them."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary, ref

import panel as pn

from cardlab.dashboard.address import asked_for, desk_for, look_of
from cardlab.dashboard.screen import Screen
from cardlab.dashboard.serving import Serving
from cardlab.dashboard.start import Start
from cardlab.view import html
from cardlab.words import Words

log = logging.getLogger(__name__)
Asked = dict[str, str]
_shown: WeakKeyDictionary[Any, ref[Any]] = WeakKeyDictionary()  # what is on the page of a document, which keeps it


def _game(asked: Asked, serving: Serving) -> Any:
    """A screen: ``?game=suicide_king&players=3&seed=7&language=ru``; without a game the start page.

    An address that asks for what does not exist gives the usual game and a sentence that says so.
    """
    look = look_of(asked, serving.language)
    desk, fault = desk_for(asked, serving.language)
    if "game" not in asked and ("link" not in asked or fault is not None):
        return Start(look, fault, serving.url if serving.origins else "")
    if "link" in asked:
        look = replace(look, language=desk.words.language)
    return Screen(desk, fault, look, asked.get("tab", "odds"))


def _chance(asked: Asked, serving: Serving) -> Any:
    from cardlab.dashboard.chance import chance_page  # its pictures take a second to load

    return chance_page(asked, serving.language)


PAGES: Final[dict[str, Callable[[Asked, Serving], Any]]] = {"/": _game, "/chance": _chance}


def app(path: str = "/", serving: Serving | None = None) -> Any:
    """What a path of the server shows a new browser session."""
    served, asked = serving or Serving(), asked_for(pn.state.session_args)
    try:
        made = PAGES[path](asked, served)
    except Exception as fault:  # Panel would answer 200 with an empty page
        log.exception("the page could not be made")
        if "PYTEST_VERSION" in os.environ:
            raise
        return pn.pane.HTML(html.fault(f"{type(fault).__name__}: {fault}", Words(look_of(asked, served.language).language)))
    if pn.state.curdoc is not None:
        _shown[pn.state.curdoc] = ref(made)
    return made.page


def farewell(document: Any) -> None:
    """Tells whoever looks at a document that the server is about to end."""
    shown = _shown.get(document)
    if shown is not None and (made := shown()) is not None:
        made.browser.leaving = True
