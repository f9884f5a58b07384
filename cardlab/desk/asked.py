"""What comes in from a screen as text: the name of a viewpoint, a number, a seed, what was pressed."""

from __future__ import annotations

from typing import Any, Final

from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.view.guess import GUESS
from cardlab.view.html import ASK, BOARD, BRANCH, DROP, GO, NAME, RULE, SAVE

VERBS: Final = {ASK: "ask"}  # where it is not the prefix itself
SPECTATOR: Final = "spectator"  # a list of choices takes None for nothing chosen


def name_of(viewer: Viewer) -> str:
    """A viewpoint as a list of choices names it.

    >>> name_of(None), name_of(Seat(1))
    ('spectator', '1')
    """
    return SPECTATOR if viewer is None else str(viewer)


def viewer_of(name: str) -> Viewer:
    """The viewpoint that a list of choices names.

    >>> viewer_of("spectator"), viewer_of("1"), viewer_of("teacher")
    (None, Seat(1), 'teacher')
    """
    seat = whole(name)
    return None if name == SPECTATOR else Seat(seat) if isinstance(seat, int) else TEACHER


def whole(text: str | None) -> Any:
    """A number from 0 on, or the words themselves, for the engine to refuse.

    >>> whole("12"), whole("twelve"), whole("-1"), whole("²"), whole(None)
    (12, 'twelve', '-1', '²', None)
    """
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 30 else text


def seed_of(text: str) -> int | None:
    """A seed as somebody typed it; none if nothing was. Raises BadRequest.

    >>> seed_of(" 12 "), seed_of(" ")
    (12, None)
    """
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise BadRequest("error.seed", name="seed", value=quoted(text))
    return int(text)


def pressed(said: str) -> tuple[str, Any]:
    """What a press asks for: to "go" to a step, a "rule", a "board", a "branch", or to "ask", "drop", "name", "save", "guess", or "say".

    A step that is no number stays what it is: ``Desk.goto`` refuses it.

    >>> pressed("go-12"), pressed("rule SK-9"), pressed("take 3"), pressed("go-x")
    (('go', 12), ('rule', 'SK-9'), ('say', 'take 3'), ('go', 'x'))
    """
    if said.startswith(GO):
        return "go", whole(said.removeprefix(GO))
    for prefix in (RULE, ASK, BOARD, BRANCH, DROP, NAME, SAVE, GUESS):
        if said.startswith(prefix):
            return VERBS.get(prefix, prefix.strip()), said.removeprefix(prefix)
    return "say", said
