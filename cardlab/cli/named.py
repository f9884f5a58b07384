"""What the words of a command line name: a game, house rules, a record."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from cardlab import GAMES, Record
from cardlab.core.errors import BadGame, BadRequest, quoted
from cardlab.core.game import AnyGame
from cardlab.words.errors import CardlabError

COLUMNS = 100


def kind(chosen: argparse.Namespace) -> type[AnyGame]:
    """The kind of game; raises BadRequest."""
    if chosen.game not in GAMES:
        raise BadRequest("error.game", name=repr(chosen.game)[:60], names=", ".join(GAMES))
    return GAMES[chosen.game]


def house_of(kind: type[AnyGame], pairs: Sequence[str]) -> dict[str, Any]:
    """The house rules of KEY=VALUE pairs; raises BadRequest, BadGame."""
    house: dict[str, Any] = {}
    keys = kind.rules_type.options()
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadRequest("error.house_pair", text=quoted(pair))
        if key not in keys:
            raise BadGame("error.house_rule", rule=f"{kind.letters}-0", name=key[:60], keys=", ".join(keys))
        house[key] = value
    return house


def loaded(file: str) -> Record:
    """The record in a file; raises BadRequest where it cannot be read, BadRecord for a damaged one."""
    try:
        return Record.load(file)
    except FileNotFoundError:
        raise BadRequest("terminal.no_file", file=file) from None
    except (OSError, ValueError) as fault:
        if isinstance(fault, CardlabError):
            raise
        raise BadRequest("error.file", file=repr(file), why=getattr(fault, "strerror", None) or str(fault)) from None
