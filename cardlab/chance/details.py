"""The details by which a viewer tells the next step of a game: which card, how many, who; what is hidden from it is no detail."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, Final, TypeVar

from cardlab.cards import Card
from cardlab.core.events import TEACHER, Event, FirstDealer, Seat
from cardlab.core.game import Action
from cardlab.games.suicide_king import Chose, Took

E = TypeVar("E", bound=Event)
Events = Sequence[Event]
Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Facts:
    """What must be true of a world before a step: cards that lie in a zone, and zones that hold none of some cards."""

    lying: tuple[tuple[str, Card], ...] = ()
    barred: tuple[tuple[str, Callable[[Card], bool]], ...] = ()

    def __add__(self, other: Facts) -> Facts:
        return Facts(self.lying + other.lying, self.barred + other.barred)


NO_FACTS: Final = (Facts(),)


def no_facts(value: Any) -> tuple[Facts, ...]:
    """For a detail that tells nothing of hidden cards."""
    return NO_FACTS


@dataclass(frozen=True)
class Detail:
    """One thing to be told about a step: its name, what it may be, and how it is read off the events that the viewer sees.

    With ``n`` it is a set of so many of the options, which are cards then. ``facts`` are the ways in which the hidden cards may lie before.
    """

    name: str
    options: tuple[Any, ...]
    read: Callable[[Events], Any]
    facts: Callable[[Any], Sequence[Facts]] = no_facts
    seat: Seat | None = None
    n: int = 0
    words: dict[str, Any] = field(default_factory=dict, compare=False)  # for the question that asks for it

    def accepts(self, value: Any) -> bool:
        """Whether a value is one of those that it may have."""
        if not self.n:
            return any(type(value) is type(option) and value == option for option in self.options)
        cards = value if isinstance(value, tuple) else ()
        return len(cards) == self.n and list(cards) == sorted(set(cards)) and all(card in self.options for card in cards)

    @property
    def ways(self) -> int:
        """How many values it may have."""
        return comb(len(self.options), self.n) if self.n else len(self.options)

    @property
    def only(self) -> Any:
        """The value where there is but one."""
        return self.options if self.n else self.options[0]

    def rank(self, value: Any) -> int:
        """The number of a value among all, from 0.

        >>> from cardlab.cards import parse_cards
        >>> four = Detail("shown", parse_cards("2C 3C 4C 5C"), lambda events: None, n=2)
        >>> four.rank(parse_cards("2C 3C")), four.rank(parse_cards("4C 5C"))
        (0, 5)
        """
        if not self.n:
            return self.options.index(value)
        return sum(comb(self.options.index(card), k) for k, card in enumerate(value, 1))

    def value(self, rank: int) -> Any:
        """The value with a number.

        >>> from cardlab.cards import parse_cards
        >>> four = Detail("shown", parse_cards("2C 3C 4C 5C"), lambda events: None, n=2)
        >>> all(four.rank(four.value(rank)) == rank for rank in range(four.ways))
        True
        """
        if not self.n:
            return self.options[rank]
        found = []
        for k in range(self.n, 0, -1):
            at = k - 1
            while comb(at + 1, k) <= rank:
                at += 1
            found.append(self.options[at])
            rank -= comb(at, k)
        return tuple(reversed(found))


Details = Generator[Detail, Any, None]


def first(kind: type[E], events: Events) -> E:
    """The first event of a kind; raises LookupError where there is none."""
    for event in events:
        if isinstance(event, kind):
            return event
    raise LookupError(kind.key)


def there(kind: type[E], events: Events) -> E | None:
    """The first event of a kind, if there is one."""
    return next((event for event in events if isinstance(event, kind)), None)


def at(zone: str) -> Callable[[Any], Sequence[Facts]]:
    """That the card told, or all the cards told, lie in a zone."""
    return lambda value: (Facts(tuple((zone, card) for card in (value if isinstance(value, tuple) else (value,)))),)


def knows(view: Any, seat: Seat | None) -> bool:
    """Whether the viewer knows the cards and the choices of a seat."""
    return view.viewer is not None and view.viewer in (seat, TEACHER)


def card(name: str, options: Iterable[Card], read: Callable[[Events], Any], zone: str = "", seat: Seat | None = None) -> Detail:
    """That some card is named; hidden, it lies in ``zone`` before."""
    return Detail(name, tuple(sorted(options)), read, at(zone) if zone else no_facts, seat)


def king_details(view: Any, world: Any) -> Details:
    """Suicide King: all is open."""
    game, now = view.game, view.now
    if now.asks == "dealer":
        yield Detail("dealer", game.seats, lambda events: first(FirstDealer, events).dealer)
    elif now.asks == "card":
        yield card("took", world.unseen, lambda events: first(Took, events).card, seat=world.turn)
    elif isinstance(now.actor, Seat):
        yield Detail("move", game.legal(world), lambda events: Action.of("take", first(Chose, events).pile), seat=now.actor)
