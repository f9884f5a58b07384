"""What happens, told as events: each names its rule, and each seat is told only what it may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, TypeVar

from cardlab.core.values import replace
from cardlab.words import Words

TEACHER: Final = "teacher"


class Seat(int):
    """A player for the whole game, 0 … n-1.

    >>> Seat(2), Seat(2) == 2
    (Seat(2), True)
    """

    def __repr__(self) -> str:
        return f"Seat({int(self)})"

    __str__ = int.__repr__  # a zone "hand 2" and a token "pick 2" are written alike for a seat and a number

    def display(self, words: Words) -> str:
        """The player's name."""
        return words.seat(self)


Viewer = Seat | None | Literal["teacher"]  # a seat, a spectator, or the one who sees all
EVENT_TYPES: Final[dict[str, type[Event]]] = {}
E = TypeVar("E", bound="Event")


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened under a rule.

    ``seen_by`` are the seats that know the fields named in ``secret``; ``None`` means everybody. The others get the event with
    these fields blanked, or, if the event is ``private``, nothing at all. The sentence of an event has the key ``event.KEY``, of
    a blanked one ``event.KEY.hidden``.
    """

    rule: str
    seen_by: frozenset[Seat] | None = None
    key: ClassVar[str] = ""
    secret: ClassVar[tuple[str, ...]] = ()
    private: ClassVar[bool] = False

    def __init_subclass__(cls, key: str = "", secret: tuple[str, ...] = (), private: bool = False) -> None:
        cls.key, cls.secret, cls.private = key, secret, private
        if key:
            EVENT_TYPES[key] = cls

    def seen(self: E, viewer: Viewer) -> E | None:
        """The event as a viewer gets it: whole, with its secrets blanked, or ``None``."""
        if self.seen_by is None or viewer in self.seen_by or viewer == TEACHER:
            return self
        if self.private:
            return None
        return replace(self, **{name: _blank(getattr(self, name)) for name in self.secret})

    @property
    def blanked(self) -> bool:
        """Whether this is the event as somebody sees it who does not know its secrets."""
        return any(_is_blank(getattr(self, name)) for name in self.secret)

    @property
    def silent(self) -> bool:
        """Whether the log has no row for the event."""
        return False

    def params(self) -> dict[str, Any]:
        """The placeholders of the sentence; ``n`` counts the cards where there is a row of them."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("rule", "seen_by")}
        if "cards" in values:
            values.setdefault("n", len(values["cards"]))
        if "deal" in values:
            values["deal"] += 1  # people count from 1
        return values

    def text_key(self) -> str:
        """The key of the sentence, without its prefix."""
        return self.key + (".hidden" if self.blanked else "")

    def display(self, words: Words) -> str:
        """The sentence."""
        return words.text(f"event.{self.text_key()}", **self.params())


def _blank(value: Any) -> Any:
    return (None,) * len(value) if isinstance(value, tuple) else None


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, tuple) and None in value)


@dataclass(frozen=True, kw_only=True)
class Now(Event, key="now"):
    """Who acts next, in which phase: public, so it may depend on nothing hidden. No row in the log.

    ``actor`` is a seat, or "chance", or "over"; ``asks`` is the verb of the draw when chance acts.
    """

    actor: Seat | str
    phase: str
    asks: str | None = None

    @property
    def silent(self) -> bool:
        return True


@dataclass(frozen=True, kw_only=True)
class GameOver(Event, key="game_over"):
    """The game has ended; ``why`` is the key of the reason."""

    why: str

    def text_key(self) -> str:
        return f"game_over.{self.why}"


@dataclass(frozen=True, kw_only=True)
class FirstDealer(Event, key="first_dealer"):
    """The first dealer, drawn by lot or named."""

    dealer: Seat
    lot: bool

    def text_key(self) -> str:
        return "first_dealer.lot" if self.lot else "first_dealer.named"


def to_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values.

    >>> to_json(GameOver(rule="SK-11", why="suicide_king"))
    {'event': 'game_over', 'rule': 'SK-11', 'why': 'suicide_king'}
    """
    values = {f.name: _plain(getattr(event, f.name)) for f in fields(event) if f.name != "rule"}
    if values["seen_by"] is None:
        del values["seen_by"]
    return {"event": event.key, "rule": event.rule, **values}


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, frozenset)):
        items = sorted(value) if isinstance(value, frozenset) else value
        return [_plain(item) for item in items]
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return value if value is None or isinstance(value, (bool, str)) else str(value)
