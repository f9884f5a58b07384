"""Exports read back: the events that one viewpoint was shown, line by line; whether they can follow one another is checked elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from cardlab.cards import Card, parse_card
from cardlab.core.errors import BadRecord, BadRequest, quoted
from cardlab.core.events import EVENT_TYPES, Event, Seat, Viewer
from cardlab.core.game import AnyGame
from cardlab.core.record import SCHEMA, read_header, read_line, rows
from cardlab.words.errors import CardlabError

HEADER: Final = ("cardlab_events", "game", "version", "players", "rules", "viewer")
MOST_STEPS: Final = 20_000  # the longest of the usual games has a tenth of them


@dataclass(frozen=True)
class Shown:
    """What a viewpoint was shown of one step: the number of its first line, and the events, each with the values of its line."""

    line: int
    events: tuple[Event, ...]
    values: tuple[dict[str, Any], ...]


def read_events(text: str | bytes) -> tuple[AnyGame, Viewer, Iterator[Shown]]:
    """The game, the viewpoint and the steps of an export, which are read one after another.

    Raises BadRecord with the number of the first wrong line, here for the header and while the steps are read for theirs.
    """
    read = rows(text)
    first = next(read, None)
    if first is None:
        raise BadRecord("error.record.empty", line=1)
    number, row = first
    header = read_line(number, row)
    if set(header) != set(HEADER):
        raise BadRecord("error.record.header", line=number, names=", ".join(HEADER))
    plain = {name: header[name] for name in HEADER[1:-1]}
    game, _, _ = read_header(number, {"cardlab": header["cardlab_events"], **plain, "seed": None, "index": 0})
    assert SCHEMA == 1  # both formats are in their first
    viewer = header["viewer"]
    try:
        if isinstance(viewer, bool | float):
            raise BadRequest("error.viewer", viewer=quoted(viewer), last=game.players - 1)
        seen_by = game.viewer(viewer)
    except CardlabError as fault:
        raise BadRecord("error.record.illegal", line=number, why=fault.phrase) from None
    return game, seen_by, _steps(read, seen_by)


def _steps(read: Iterator[tuple[int, str]], viewer: Viewer) -> Iterator[Shown]:
    step, lines, count, number = 0, list[tuple[int, Event, dict[str, Any]]](), 0, 1
    for number, row in read:
        values = read_line(number, row)
        if "end" in values:
            if values != {"end": count} or type(values["end"]) is not int:
                raise BadRecord("error.events.end", line=number, n=count)
            if next(read, None) is not None:
                raise BadRecord("error.record.after_end", line=number + 1)
            if lines:
                yield _shown(lines)
            return
        at = values.pop("step", None)
        if type(at) is not int or at not in (step, step + 1) or not at:
            raise BadRecord("error.events.step", line=number, step=quoted(at), due=step + 1)
        event = _event(number, values)
        if event.seen(viewer) != event:
            raise BadRecord("error.events.secret", line=number)
        if at > step and lines:
            yield _shown(lines)
            lines = []
        step, count = at, count + 1
        if step > MOST_STEPS:
            raise BadRecord("error.events.many", line=number, most=MOST_STEPS)
        lines.append((number, event, values))
    raise BadRecord("error.record.truncated", line=number + 1)


def _shown(lines: list[tuple[int, Event, dict[str, Any]]]) -> Shown:
    numbers, events, values = zip(*lines, strict=True)
    return Shown(numbers[0], events, values)


def _event(line: int, values: dict[str, Any]) -> Event:
    name = values.get("event")
    if not isinstance(name, str) or name not in EVENT_TYPES:
        raise BadRecord("error.events.event", line=line, name=quoted(name))
    hints = _hints(name)
    if set(values) - {"event", "seen_by"} != set(hints) - {"seen_by"}:
        raise BadRecord("error.events.fields", line=line, name=quoted(name), names=", ".join(["step", "event", *hints]))
    try:
        return EVENT_TYPES[name](**{key: _value(value, hints[key]) for key, value in values.items() if key != "event"})
    except (ValueError, TypeError, CardlabError):
        raise BadRecord("error.events.value", line=line, name=quoted(name)) from None


@cache
def _hints(name: str) -> dict[str, Any]:
    """The fields of an event with what each holds."""
    kind = EVENT_TYPES[name]
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}


def _value(value: Any, hint: Any) -> Any:
    """A value of a line as its field wants it; raises ValueError, or BadCard, for one of another kind."""
    kind = get_origin(hint)
    if kind in (Union, UnionType):
        for one in get_args(hint):
            try:
                return _value(value, one)
            except (ValueError, CardlabError):
                continue
        raise ValueError(value)
    if kind in (tuple, frozenset):
        if type(value) is not list:
            raise ValueError(value)
        return kind(_value(item, get_args(hint)[0]) for item in value)
    if hint is type(None) or hint is None:
        if value is not None:
            raise ValueError(value)
        return None
    if hint is Seat:
        if type(value) is not int:
            raise ValueError(value)
        return Seat(value)
    if hint is Card:
        return _card(value)
    if hint is Any:
        hint = str  # what a hand is worth: it is told anew
    if isinstance(hint, type) and issubclass(hint, str) and type(value) is str:
        return hint(value)
    if type(value) is not hint:
        raise ValueError(value)
    return value


def _card(value: Any) -> Card:
    card = parse_card(value)
    if card.token != value:
        raise ValueError(value)
    return card
