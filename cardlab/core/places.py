"""Where the cards may lie, as one viewer knows it: zones that hold some cards for sure and others perhaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cardlab.cards import CARDS, Card


def mask_of(cards: Iterable[Card]) -> int:
    """A set of cards as an integer, one bit a card."""
    mask = 0
    for card in cards:
        mask |= 1 << card.code
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of such an integer, sorted."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(CARDS[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)


@lru_cache(maxsize=16)
def _mask_where(can: Callable[[Card], bool]) -> int:
    return mask_of(card for card in CARDS if can(card))


@dataclass(frozen=True, slots=True)
class Zone:
    """A hand, the stock or a discard: so many places, the cards surely there, and the cards that may lie in the other places."""

    size: int = 0
    sure_mask: int = 0
    may_mask: int = 0

    @property
    def sure(self) -> tuple[Card, ...]:
        """The cards that surely lie here."""
        return cards_of(self.sure_mask)

    @property
    def may(self) -> tuple[Card, ...]:
        """The cards that may lie here and may lie elsewhere."""
        return cards_of(self.may_mask)

    @property
    def candidates(self) -> tuple[Card, ...]:
        """All cards that can lie here."""
        return cards_of(self.sure_mask | self.may_mask)

    @property
    def unknown(self) -> int:
        """The number of places whose card is not known."""
        return self.size - self.sure_mask.bit_count()


NOTHING: Final = Zone()


@dataclass(frozen=True, slots=True)
class Places:
    """All zones of a table; a value: each movement gives new places, with all conclusions drawn.

    >>> from cardlab.cards import parse_cards
    >>> table = Places.of(parse_cards("2C 3C 4C"), "stock").moved("stock", "mine", parse_cards("3C")).moved("stock", "yours", [None])
    >>> table["yours"].may, table["stock"].size
    ((Card('2C'), Card('4C')), 1)
    """

    zones: tuple[tuple[str, Zone], ...] = ()

    @classmethod
    def of(cls, cards: Iterable[Card], zone: str) -> Places:
        """All cards in one zone, each surely there."""
        mask = mask_of(cards)
        return cls(((zone, Zone(mask.bit_count(), mask, 0)),))

    def __getitem__(self, name: str) -> Zone:
        for known, zone in self.zones:
            if known == name:
                return zone
        return NOTHING

    def moved(self, source: str, target: str, cards: Iterable[Card | None], can: Callable[[Card], bool] | None = None) -> Places:
        """Cards move from one zone to another, seen or (``None``) unseen; an unseen one is among those for which ``can`` holds."""
        zones = dict(self.zones)
        for card in cards:
            here, there = zones.get(source, NOTHING), zones.get(target, NOTHING)
            bit = 0 if card is None else 1 << card.code
            if here.sure_mask & bit:  # nothing new is learned
                zones[source] = Zone(here.size - 1, here.sure_mask ^ bit, here.may_mask)
                zones[target] = Zone(there.size + 1, there.sure_mask | bit, there.may_mask)
                continue
            if bit:
                for name, zone in zones.items():
                    if (zone.sure_mask | zone.may_mask) & bit:
                        zones[name] = Zone(zone.size, zone.sure_mask & ~bit, zone.may_mask & ~bit)
                here, there = zones.get(source, NOTHING), zones.get(target, NOTHING)
                zones[source] = Zone(here.size - 1, here.sure_mask, here.may_mask)
                zones[target] = Zone(there.size + 1, there.sure_mask | bit, there.may_mask)
            else:
                candidates = here.sure_mask | here.may_mask
                if can is not None:
                    candidates &= _mask_where(can)
                zones[source] = Zone(here.size - 1, here.sure_mask & ~candidates, here.may_mask | here.sure_mask & candidates)
                zones[target] = Zone(there.size + 1, there.sure_mask, there.may_mask | candidates)
            zones = _settled(zones)
        return Places(tuple(zones.items()))

    def known(self, name: str, cards: Iterable[Card]) -> Places:
        """Some cards of a zone are seen to lie there."""
        mask = mask_of(cards)
        zones = {other: Zone(zone.size, zone.sure_mask & ~mask, zone.may_mask & ~mask) for other, zone in self.zones}
        here = zones.get(name, NOTHING)
        zones[name] = Zone(here.size, here.sure_mask | mask, here.may_mask)
        return Places(tuple(_settled(zones).items()))

    def emptied(self, source: str, target: str) -> Places:
        """Everything in one zone moves to another, nothing newly seen."""
        zones = dict(self.zones)
        here, there = zones.pop(source, NOTHING), zones.get(target, NOTHING)
        zones[target] = Zone(here.size + there.size, here.sure_mask | there.sure_mask, here.may_mask | there.may_mask)
        return Places(tuple((_settled(zones) if here.unknown else zones).items()))

    def without(self, zone: str, can: Callable[[Card], bool]) -> Places:
        """A zone is known to hold no card for which ``can`` is true, apart from those surely there."""
        zones = dict(self.zones)
        here = zones.get(zone, NOTHING)
        barred = mask_of(card for card in here.may if can(card))
        if not barred and zone in zones:
            return self
        zones[zone] = Zone(here.size, here.sure_mask, here.may_mask & ~barred)
        return Places(tuple(_settled(zones).items()))


def _settled(zones: dict[str, Zone]) -> dict[str, Zone]:
    """Draws the conclusions: full zones hold nothing else, a card with one possible zone is there."""
    while True:
        once = twice = everywhere = 0
        for zone in zones.values():
            everywhere |= zone.sure_mask
            twice |= once & zone.may_mask
            once |= zone.may_mask
        single = once & ~twice
        changed = False
        for name, zone in zones.items():
            if not zone.may_mask:
                continue
            sure, may = zone.sure_mask, zone.may_mask & ~everywhere
            here = may & single
            if here:
                sure, may = sure | here, may & ~here
            if may:
                if sure.bit_count() == zone.size:
                    may = 0
                elif sure.bit_count() + may.bit_count() == zone.size:
                    sure, may = sure | may, 0
            if may != zone.may_mask:
                zones[name] = Zone(zone.size, sure, may)
                changed = True
        if not changed:
            return zones
