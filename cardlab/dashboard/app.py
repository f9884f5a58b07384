"""The page of a new browser session, as the address asks for it."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

import panel as pn

from cardlab.core.errors import BadRequest, quoted
from cardlab.dashboard.parts import fault_lines
from cardlab.dashboard.screen import Screen
from cardlab.dashboard.setup import seed_of
from cardlab.desk import Desk
from cardlab.words import LANGUAGES, Words
from cardlab.words.errors import CardlabError

log = logging.getLogger(__name__)


def app(language: str = "en") -> Any:
    """A new screen for this browser session: ``?game=suicide_king&players=3&seed=7&language=ru``.

    An address that asks for what does not exist gives the usual game and a sentence that says so.
    """
    arguments = pn.state.session_args
    asked = {name: arguments[name][0].decode("utf-8", "replace") for name in ("game", "players", "seed", "language") if name in arguments}
    try:
        return Screen(*desk_for(asked, language)).page
    except Exception as fault:  # Panel would answer 200 with an empty page
        log.exception("the page could not be made")
        if "PYTEST_VERSION" in os.environ:
            raise
        return pn.pane.HTML("".join(fault_lines(fault, Words(language))))


def desk_for(asked: Mapping[str, str], language: str = "en") -> tuple[Desk, CardlabError | None]:
    """The desk that an address asks for, or the usual one and what is wrong.

    >>> desk_for({"game": "poker_marshal", "seed": "7"})[0].session
    <Session game('poker_marshal', players=5) seed=7, index=0 step 0 of 0>
    """
    wanted = asked.get("language", language)
    spoken = wanted if wanted in LANGUAGES else language
    try:
        return Desk(asked.get("game", "suicide_king"), _players(asked), seed=seed_of(asked.get("seed", "")), language=wanted), None
    except CardlabError as fault:
        return Desk(language=spoken), fault


def _players(asked: Mapping[str, str]) -> int | None:
    text = asked.get("players")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadRequest("page.error.players", players=quoted(text))
    return int(text)
