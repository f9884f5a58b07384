"""A set of weighted worlds, kept as cases in which the hidden cards can be dealt out in all ways alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import lcm
from typing import Any, Final, Generic, TypeVar

from cardlab.cards import Card
from cardlab.chance.fill import Dealt, Fill, Rng, picked, thresholds
from cardlab.core.dist import Dist
from cardlab.core.errors import BadRequest
from cardlab.core.events import Seat

LIMIT: Final = 20_000  # worlds that are written out one by one
NEW: Final = " new"  # of the places in a zone that were filled from FL-7's new stock
Seal = tuple[tuple[Any, Fraction], ...]  # a secret choice: what it may be, with its chances
T = TypeVar("T")
W = TypeVar("W", bound=Hashable)


class Told:
    """What the view of any game says of who acts; the table of a game reads the rest."""

    view: Any

    @cached_property
    def phase(self) -> str:
        return str(self.view.now.phase)

    @cached_property
    def actor(self) -> Seat | None:
        """The seat to act, or ``None``."""
        return self.view.now.actor if isinstance(self.view.now.actor, Seat) else None

    @cached_property
    def asks(self) -> str | None:
        """What chance is asked for."""
        asked: str | None = self.view.now.asks
        return asked


@dataclass(frozen=True)
class Case:
    """Worlds in which the hidden cards can be dealt out in all ways alike; ``ways`` counts them, the secret choices included."""

    weight: Fraction
    fills: tuple[Fill, ...]
    ways: int
    fixed: tuple[tuple[str, Card], ...] = ()  # hidden cards that lie in one zone

    def dealt(self, parts: Sequence[Dealt]) -> Dealt:
        """All hidden cards by zone, the fills put together."""
        whole: Dealt = {}
        for part in parts:
            for zone, cards in part.items():
                whole[zone] = (*whole.get(zone, ()), *cards)
        for zone, card in self.fixed:
            whole[zone] = (*whole.get(zone, ()), card)
        return whole

    def where(self, card: Card) -> dict[str, Fraction]:
        """In which zone a hidden card lies."""
        for zone, other in self.fixed:
            if other is card:
                return {zone: Fraction(1)}
        for fill in self.fills:
            if fill.has(card):
                return fill.where(card)
        return {}

    def alike(self, card: Card) -> Hashable:
        """What the chances of a card to lie somewhere depend on."""
        for zone, other in self.fixed:
            if other is card:
                return zone
        return next(((n, fill.kind_of[card]) for n, fill in enumerate(self.fills) if card in fill.kind_of), None)

    def lacks(self, zone: str, cards: Collection[Card]) -> Fraction:
        """The chance that a zone holds none of some hidden cards."""
        if any(other == zone and card in cards for other, card in self.fixed):
            return Fraction(0)
        found = Fraction(1)
        for fill in self.fills:
            if (chance := fill.lacks(zone, cards)) != 1:
                found *= chance
        return found


class Worlds(Generic[W]):
    """All states that agree with a view, each with the weight of what led to it.

    ``seals`` gives the secret choices that are open in a deal of the hidden cards, ``build`` the state; ``seen`` is where the viewer knows
    a card to lie. In ``plain`` worlds nothing else is hidden than which cards lie in the other hands, the stock and the discard, and
    what the seats ``sealing`` have chosen, each in turn: who can give a card that is asked for gives it with ``accept``.
    """

    def __init__(
        self, cases: Sequence[Case], seals: Callable[[Dealt], Sequence[Seal]], build: Callable[[Dealt, tuple[Any, ...]], W],
        seen: Callable[[Card], str | None] = lambda card: None, plain: bool = False,
        sealing: tuple[Seat, ...] = (), accept: Fraction = Fraction(1, 2),
    ) -> None:  # fmt: skip
        self.cases = tuple(case for case in cases if case.weight)
        self._where: dict[tuple[Hashable, ...], dict[str, Fraction]] = {}
        if not self.cases:
            raise BadRequest("error.ask.no_world")
        self.seals, self.build, self.seen, self.plain = seals, build, seen, plain
        self.sealing, self.accept = sealing, accept
        scale = lcm(*(case.weight.denominator for case in self.cases))
        self.until = thresholds(int(case.weight * scale) for case in self.cases)

    @cached_property
    def size(self) -> int:
        """How many worlds there are."""
        return sum(case.ways for case in self.cases)

    @cached_property
    def complete(self) -> Dist[W] | None:
        """Every world with its weight; ``None`` when there are more than ``LIMIT``."""
        if self.size > LIMIT:
            return None
        chances = dict[W, Fraction]()
        for world, chance in self._each():
            chances[world] = chances.get(world, Fraction(0)) + chance
        scale = lcm(*(chance.denominator for chance in chances.values()))
        return Dist((world, int(chance * scale)) for world, chance in chances.items())

    def _each(self) -> Iterator[tuple[W, Fraction]]:
        for case in self.cases:
            fills = 1
            for fill in case.fills:
                fills *= fill.count
            for parts in product(*(tuple(fill.each()) for fill in case.fills)):
                dealt = case.dealt(parts)
                for choices in product(*self.seals(dealt)):
                    chance = case.weight / fills
                    for _, share in choices:
                        chance *= share
                    if chance:
                        yield self.build(dealt, tuple(value for value, _ in choices)), chance

    def sample(self, rng: Rng) -> W:
        """One world, drawn in proportion to its weight; ``rng(m)`` gives the next random number from 0 to m - 1, for m up to 2**32."""
        case = self.cases[picked(self.until, rng)]
        dealt = case.dealt([fill.sample(rng) for fill in case.fills])
        return self.build(dealt, tuple(drawn(seal, rng) for seal in self.seals(dealt)))

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones in which hidden cards may lie."""
        fills = (fill for case in self.cases for fill in case.fills)
        named = [zone.removesuffix(NEW) for fill in fills for _, _, zones in fill.groups for zone, _ in zones]
        return tuple(sorted({*named, *(zone for case in self.cases for zone, _ in case.fixed)}))

    def where(self, card: Card) -> dict[str, Fraction]:
        """In which zone a card lies (as the zones of ``view.places`` are called), with its chances."""
        seen = self.seen(card)
        if seen is not None:
            return {seen: Fraction(1)}
        alike = tuple(case.alike(card) for case in self.cases)
        if alike not in self._where:
            self._where[alike] = self._lies(card)
        return dict(self._where[alike])

    def _lies(self, card: Card) -> dict[str, Fraction]:
        total = sum((case.weight for case in self.cases), Fraction(0))
        found = dict[str, Fraction]()
        for case in self.cases:
            for zone, chance in case.where(card).items():
                name = zone.removesuffix(NEW)
                found[name] = found.get(name, Fraction(0)) + chance * case.weight / total
        return dict(sorted(found.items()))

    def lacks(self, zone: str, cards: Collection[Card]) -> Fraction:
        """The chance that a zone holds none of some cards, such as those of a suit."""
        if any(self.seen(card) == zone for card in cards):
            return Fraction(0)
        total = sum((case.weight for case in self.cases), Fraction(0))
        hidden = [card for card in cards if self.seen(card) is None]
        alike: dict[Fraction, Fraction] = {}  # the weight of the cases with the same chance
        for case in self.cases:
            chance = case.lacks(zone, hidden) * case.lacks(zone + NEW, hidden)
            alike[chance] = alike.get(chance, Fraction(0)) + case.weight
        return sum((chance * weight for chance, weight in alike.items()), Fraction(0)) / total


def drawn(seal: Sequence[tuple[T, Fraction]], rng: Rng) -> T:
    """One of some values, in proportion to their shares."""
    scale = lcm(*(share.denominator for _, share in seal))
    return seal[picked(thresholds(int(share * scale) for _, share in seal), rng)][0]


def any_of(values: Sequence[Any]) -> Seal:
    """A secret choice that is any of some values alike."""
    return tuple((value, Fraction(1, len(values))) for value in values)


def any_order(cards: tuple[Card, ...]) -> Seal:
    """Cards laid one after another, in any order alike."""
    return any_of(tuple(permutations(cards)))
