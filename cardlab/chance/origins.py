"""Where the cards that a viewer has not seen dealt may have been dealt, as far as what was seen later says.

A *place* is an event of the view's story by which a card came out of the stock unseen. Places that are filled one after another for the
same hand are a zone, and the cards can be dealt into the zones in any way alike. A card seen in a hand was dealt to that hand, or to one
from which it can have come unseen; one that a hand is seen not to hold was not dealt to it, unless it can have left unseen. This need not
be all that was seen: what else contradicts a deal is found when it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.fill import Dealt, Fill
from cardlab.core.events import Event, Seat
from cardlab.games import fight_events as fight
from cardlab.games import marshal_events as marshal

REST: Final = "rest"  # of the stock
Holding = tuple[Card, Seat]


@dataclass(frozen=True)
class Origins:
    """The deals of the unseen cards that a view leaves open, each a card for every place, all of them alike."""

    view: Any

    @cached_property
    def zones(self) -> dict[str, list[int]]:
        """The places by zone, as positions in the story."""
        zones: dict[str, list[int]] = {}
        exchanges = dict.fromkeys(self.view.game.seats, 0)
        for at, event in enumerate(self.view.story):
            match event:
                case fight.Exchanged(seat=seat):
                    exchanges[seat] += 1
                case fight.Received(seat=seat, card=None) | marshal.Received(seat=seat, card=None):
                    zones.setdefault(f"{event.rule} {seat} {exchanges[seat]}", []).append(at)
        return zones

    @cached_property
    def fill(self) -> Fill:
        """The ways to deal the unseen cards into the zones."""
        sizes = {zone: len(places) for zone, places in self.zones.items()}
        kinds: dict[tuple[str, ...], list[Card]] = {}
        for card in self._unseen:
            kinds.setdefault(tuple(self._homes(card)), []).append(card)
        rest = sum(map(len, kinds.values())) - sum(sizes.values())
        return Fill(sizes | {REST: rest}, [(cards, homes) for homes, cards in kinds.items()])

    def every(self) -> Iterator[dict[int, Card]]:
        """All deals, as the card of each place."""
        return map(self._by_place, self.fill.each())

    def one(self, rng: Callable[[int], int]) -> dict[int, Card]:
        """A deal, each alike."""
        return self._by_place(self.fill.sample(rng))

    def _by_place(self, dealt: Dealt) -> dict[int, Card]:
        return {at: card for zone, places in self.zones.items() for at, card in zip(places, dealt[zone], strict=True)}

    # what was seen

    @cached_property
    def _unseen(self) -> list[Card]:
        """The cards that lie at some place or in the rest of the stock; a turned card does after FL-7's reshuffle."""
        got = {event.card for event in self.view.story if isinstance(event, fight.Received | marshal.Received)}
        turned = set() if self._reshuffled else {event.card for event in self.view.story if isinstance(event, fight.Turned)}
        return [card for card in self.view.game.size.pack if card not in got and card not in turned]

    @cached_property
    def _reshuffled(self) -> int:
        """The position of FL-7's reshuffle; 0 where there was none."""
        return next((at for at, event in enumerate(self.view.story) if isinstance(event, fight.Reshuffled)), 0)

    @cached_property
    def _turned(self) -> frozenset[Card]:
        return frozenset(event.card for event in self.view.story if isinstance(event, fight.Turned))

    @cached_property
    def _seen(self) -> dict[Card, tuple[int, Seat]]:
        """When each card was first seen in a hand, and in which."""
        seen: dict[Card, tuple[int, Seat]] = {}
        for at, event in enumerate(self.view.story):
            for card, seat in _holders(event):
                seen.setdefault(card, (at, seat))
        return seen

    def _homes(self, card: Card) -> Iterator[str]:
        """The zones that may hold a card."""
        places = {at for at in range(len(self.view.story)) if at > self._reshuffled or card not in self._turned}
        if card in self._seen:
            places &= self._ways_to(*self._seen[card])
        else:
            yield REST
        places -= self._missing(card)
        yield from (zone for zone, (first, *_) in self.zones.items() if first in places)

    def _ways_to(self, until: int, holder: Seat) -> set[int]:
        """The places from which a card can have come to a hand before an event."""
        holders, places = {holder}, set()
        for at in range(until - 1, -1, -1):
            event = self.view.story[at]
            if isinstance(event, fight.Received | marshal.Received) and event.seat in holders:
                places.add(at)
            holders |= {source for source, target in _unseen_moves(event) if target in holders}
        return places

    def _missing(self, card: Card) -> set[int]:
        """The places of hands that are seen not to hold a card later, though nothing can have left them unseen."""
        missing: set[int] = set()
        since: dict[Seat, set[int]] = {seat: set() for seat in self.view.game.seats}  # the last that nothing unseen has left them
        first_seen, _ = self._seen.get(card, (len(self.view.story), None))
        for at, event in enumerate(self.view.story[:first_seen]):  # afterwards it may have left openly
            match event:
                case fight.Received(seat=seat) | marshal.Received(seat=seat):
                    since[seat].add(at)
                case fight.Played(seat=seat, fits=fight.Fits.DISCARDS, suit=suit) if card.suit == suit:
                    missing |= since[seat]
                case marshal.Asks(seat=seat, card=asked) if card is asked:
                    missing |= since[seat]
            for source, _ in _unseen_moves(event):
                since[source] = set()
        return missing


def _holders(event: Event) -> list[Holding]:
    """The cards that an event shows to have been in a hand just before, other than those just received."""
    match event:
        case fight.FightCards(seats=seats, cards=cards):
            return list(zip(cards, seats, strict=True))
        case fight.Played(seat=seat, card=card) | marshal.Shows(seat=seat, card=card) | marshal.Laid(seat=seat, card=card):
            shown = [(card, seat)]
        case marshal.BlindDrawn(to=victim, card=card):
            shown = [(card, victim)]
        case marshal.SwapDone(seat=seat, cards=cards):
            shown = [(card, seat) for card in cards]
        case marshal.Gives(seat=giver, to=keeper, card=card, laid=laid):
            shown = [(card, giver), (laid, keeper)]
        case marshal.Picked(seat=keeper, to=picked, card=card, laid=laid):
            shown = [(card, keeper), (laid, picked)]
        case _:
            shown = []
    return [(card, seat) for card, seat in shown if card is not None]


def _unseen_moves(event: Event) -> list[tuple[Seat, Seat | None]]:
    """From which hand to which unseen cards go; ``None``: they are out of play."""
    match event:
        case fight.Exchanged(seat=seat, cards=cards) if None in cards:
            return [(seat, None)]
        case marshal.BlindDrawn(seat=seat, to=victim, card=None):
            return [(victim, seat)]
        case marshal.SwapDone(seat=seat, to=victim, cards=cards) if None in cards:
            return [(seat, victim)]
        case marshal.Gives(seat=giver, to=keeper, laid=None):
            return [(keeper, giver)]
        case marshal.Picked(seat=keeper, to=picked, laid=None):
            return [(picked, keeper)]
        case marshal.Redraws(seat=seat, cards=cards) if None in cards:
            return [(seat, None)]
    return []
