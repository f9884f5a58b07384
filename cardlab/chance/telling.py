"""The next step of a game as a viewer tells it: detail by detail, until the game's own rules make of it what the viewer sees.

A ``Moment`` is a view and one world in which all was seen that it has seen. To tell a step, its details are asked for one after another
(``Telling.detail``) and answered (``tell``); ``after`` then is the next moment. A step that no world of the view can bring is refused, so
that events which are read, decoded from a link or typed at a real table are checked by the same few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import prod
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.believed import NEW, Case, Worlds
from cardlab.chance.details import Detail, Details, Events, Facts, king_details
from cardlab.chance.details_fight import fight_details
from cardlab.chance.details_marshal import marshal_details
from cardlab.chance.fill import Fill
from cardlab.chance.samples import Numbers
from cardlab.chance.worlds import worlds
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import Event, Viewer
from cardlab.core.game import CHANCE, Action, AnyGame, Step

TRIES: Final = 200  # worlds drawn in search of one that brings a step; what is told of the cards is true in each
CHOICES: Final = 512  # secret choices tried in each


@dataclass(frozen=True)
class Moment:
    """A view, and one world in which the same was seen."""

    view: Any
    world: Any

    @classmethod
    def first(cls, game: AnyGame, viewer: Viewer) -> Moment:
        """The moment before anything has happened."""
        return cls(game.blank(viewer), game.start())

    @property
    def game(self) -> AnyGame:
        """The game."""
        game: AnyGame = self.view.game
        return game


@dataclass(frozen=True)
class Told:
    """A step that was told: what the viewer has seen of it, and the moment after it."""

    events: tuple[Event, ...]
    after: Moment


class Telling:
    """The next step, as far as it is told; ``detail`` is what is to be told next, ``None`` when all is."""

    def __init__(self, moment: Moment, told: Iterable[Any] = ()) -> None:
        self.moment = moment
        self.values: list[tuple[Detail, Any, bool]] = []  # with whether it was told, or could be nothing else
        self._details = _DETAILS[moment.game.name](moment.view, moment.world)
        self.detail = next(self._details, None)
        self._skip()
        for value in told:
            self.tell(value)

    @classmethod
    def of(cls, moment: Moment, events: Events) -> Telling:
        """The telling of a step that the viewer has seen; raises BadRequest where it is none of the next ones."""
        telling = cls(moment)
        while telling.detail is not None:
            try:
                value = telling.detail.read(events)
            except (LookupError, TypeError, ValueError):
                raise BadRequest("error.watch.follows") from None
            telling.tell(value)
        return telling

    @property
    def told(self) -> list[Any]:
        """The values told so far."""
        return [value for _, value, told in self.values if told]

    def tell(self, value: Any) -> None:
        """Tells the next detail; raises BadRequest for a value that it cannot have."""
        detail = self.detail
        if detail is None or not detail.accepts(value):
            if isinstance(value, Card):
                raise BadRequest("error.watch.card", card=value)
            raise BadRequest("error.watch.value", value=quoted(str(value)))
        self._send(value, True)
        self._skip()

    def _send(self, value: Any, told: bool) -> None:
        assert self.detail is not None
        self.values.append((self.detail, value, told))
        try:
            self.detail = self._details.send(value)
        except StopIteration:
            self.detail = None

    def _skip(self) -> None:
        """Past details that have but one value."""
        while self.detail is not None and self.detail.ways == 1:
            self._send(self.detail.only, False)

    def after(self) -> Told:
        """The step that was told; raises BadRequest where no world of the view brings it."""
        step = self._in(self.moment.world)
        if step is None:
            step = next((found for world in self._worlds() if (found := self._in(world)) is not None), None)
        if step is None:
            raise BadRequest("error.watch.impossible")
        events = seen(step, self.moment.view.viewer)
        return Told(events, Moment(reduce(self.moment.game.see, events, self.moment.view), step.after))

    def _in(self, world: Any) -> Step[Any] | None:
        """The step in a world, if it can happen there."""
        game, viewer = self.moment.game, self.moment.view.viewer
        options = game.draw(world).options if game.actor(world) is CHANCE else game.legal(world)
        for action in sorted(options, key=lambda option: not self._cards.issuperset(option.cards)):
            if _told_otherwise(action, self.values):
                continue
            step = game.apply(world, action)
            if self._fits(seen(step, viewer)):
                return step
        return None

    def _fits(self, events: tuple[Event, ...]) -> bool:
        try:
            return all(detail.read(events) == value for detail, value, _ in self.values)
        except LookupError:
            return False

    @property
    def _cards(self) -> set[Card]:
        """The cards that were told."""
        found: set[Card] = set()
        for _, value, _ in self.values:
            cards = value.cards if isinstance(value, Action) else value if isinstance(value, tuple) else (value,)
            found |= {card for card in cards if isinstance(card, Card)}
        return found

    def _worlds(self) -> Iterator[Any]:
        """Worlds of the view in which the cards lie as was told."""
        for ways in product(*(detail.facts(value) for detail, value, _ in self.values)):
            held = holding(worlds(self.moment.view), sum(ways, Facts()))
            for index in range(TRIES):
                if held is None:
                    break
                yield from _drawn(held, Numbers(0, index), self._cards)


def _told_otherwise(action: Action, values: Sequence[tuple[Detail, Any, bool]]) -> bool:
    """Whether the viewer's own move was another: one of dozens need not be tried."""
    return any(isinstance(value, Action) and value != action for _, value, _ in values)


def seen(step: Step[Any], viewer: Viewer) -> tuple[Event, ...]:
    """What a viewer sees of a step."""
    return tuple(shown for event in step.events if (shown := event.seen(viewer)) is not None)


def holding(believed: Worlds[Any], facts: Facts) -> Worlds[Any] | None:
    """The worlds in which some facts are true; ``None`` when there are none."""
    placed = _Placed(facts.lying)
    cases = [held for case in believed.cases for found in placed.of(case) if (held := _barred(found, facts))]
    if not cases:
        return None
    return Worlds(cases, believed.seals, believed.build, believed.seen, believed.plain, believed.sealing, believed.accept)


class _Placed:
    """Cases with some cards in their zones; where hundreds of them deal the same cards the placing is done once."""

    def __init__(self, lying: Sequence[tuple[str, Card]]) -> None:
        self.lying = lying
        self._known: dict[Any, list[tuple[tuple[Fill, ...], Fraction, tuple[tuple[str, Card], ...]]]] = {}

    def of(self, case: Case) -> Iterator[Case]:
        """A case with the cards in their zones; a place of one may have been filled from FL-7's new stock, or before."""
        fixed = {card: zone for zone, card in case.fixed}
        if any(fixed.get(card, zone) != zone for zone, card in self.lying):
            return
        left = tuple((zone, card) for zone, card in self.lying if card not in fixed)
        key = (*map(id, case.fills), left)
        if key not in self._known:
            self._known[key] = list(self._fills(case.fills, left))
        for fills, share, more in self._known[key]:
            yield Case(case.weight * share, fills, 1, (*case.fixed, *more))

    def _too_few(self, fill: Fill, left: Sequence[tuple[str, Card]]) -> bool:
        """Whether some zone has too few places for those cards that a fill deals."""
        cards = {card for some, _ in fill.kinds for card in some}
        need = Counter(zone for zone, card in left if card in cards)
        if not need:
            return False
        sizes = _sizes(fill)
        return any(n > sizes.get(zone, 0) + sizes.get(zone + NEW, 0) for zone, n in need.items())

    def _fills(self, fills: tuple[Fill, ...], left: Sequence[tuple[str, Card]]) -> Iterator[tuple[Any, Fraction, Any]]:
        if any(self._too_few(fill, left) for fill in fills):
            return
        ways = [
            [(k, name, card) for k, fill in enumerate(fills) for name in (zone, zone + NEW) if _may_lie(fill, name, card)]
            for zone, card in left
        ]
        for places in product(*ways):
            dealt = tuple(_dealing(fill, [(name, card) for at, name, card in places if at == k]) for k, fill in enumerate(fills))
            share = prod((Fraction(new.count, old.count) for new, old in zip(dealt, fills, strict=True)), start=Fraction(1))
            if share:
                yield dealt, share, tuple((name, card) for _, name, card in places)


def _may_lie(fill: Fill, zone: str, card: Card) -> bool:
    return zone in _sizes(fill) and any(card in cards and zone in allowed for cards, allowed in fill.kinds)


def _dealing(fill: Fill, places: Sequence[tuple[str, Card]]) -> Fill:
    """A fill in which some cards lie in their zones; it deals the others, in no way where the zones are too small."""
    if not places:
        return fill
    sizes, gone = _sizes(fill), {card for _, card in places}
    for zone, _ in places:
        sizes[zone] -= 1
    if min(sizes.values()) < 0:
        return _NO_WAY
    return Fill(sizes, [(tuple(card for card in cards if card not in gone), allowed) for cards, allowed in fill.kinds])


def _barred(case: Case, facts: Facts) -> Case | None:
    """A case in which no barred card lies in its zone."""
    for zone, bars in facts.barred:
        if any(where == zone and bars(card) for where, card in case.fixed):
            return None
        fills = []
        for fill in case.fills:
            kinds: list[tuple[tuple[Card, ...], frozenset[str]]] = []
            for cards, allowed in fill.kinds:
                kinds.append((tuple(card for card in cards if not bars(card)), allowed))
                kinds.append((tuple(card for card in cards if bars(card)), allowed - {zone, zone + NEW}))
            fills.append(Fill(_sizes(fill), kinds))
        if not all(fill.count for fill in fills):
            return None
        case = replace(case, fills=tuple(fills))
    return case


_NO_WAY: Final = Fill({"nowhere": 1}, [])


def _sizes(fill: Fill) -> dict[str, int]:
    return {zone: size for _, _, zones in fill.groups for zone, size in zones}


def _drawn(held: Worlds[Any], numbers: Numbers, told: set[Card]) -> Iterator[Any]:
    """The worlds of one deal of the hidden cards, with each secret choice; first those of the cards that were told."""
    case = held.cases[numbers(len(held.cases))]
    dealt = case.dealt([fill.sample(numbers) for fill in case.fills])
    values = [[value for value, share in seal if share] for seal in held.seals(dealt)]
    for choice in values:
        choice.sort(key=lambda value: not (isinstance(value, Card) and value in told))
    for choices in islice(product(*values), CHOICES):
        yield held.build(dealt, choices)


_DETAILS: Final[dict[str, Callable[[Any, Any], Details]]] = {
    "suicide_king": king_details,
    "fight_for_the_lead": fight_details,
    "poker_marshal": marshal_details,
}
