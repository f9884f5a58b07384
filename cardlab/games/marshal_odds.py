"""Poker Marshal: what the Bandit can know of the stock when he redraws (PM-11), counted exactly.

A world says how many jokers each hand holds and where the named cards lie; all other plain cards are alike. What players chose is taken
as telling nothing, and a card that one of them lays as taken blind from those he may lay. What the rules forbid does tell: no joker
passes between players, and nobody asks for a card that he holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import comb, gcd, lcm, prod

from cardlab.cards import Card
from cardlab.core.events import Event, Seat
from cardlab.games.marshal_events import Asks, BlindDrawn, Gives, Laid, LaidBy, Picked, Received, Shortfall, Shows, Silence, SwapDone
from cardlab.games.marshal_state import BANDIT, Size

STORY = (Asks, BlindDrawn, Gives, Laid, LaidBy, Picked, Received, Shortfall, Shows, Silence, SwapDone)  # what moves or names a card
STOCK, ASIDE = 5, 6  # zones after the hands, which are numbered by title; aside lie cards face down
World = tuple[tuple[int, ...], tuple[int, ...]]  # the jokers in each other hand, and the zone of each named card


def stock_odds(size: Size, titles: tuple[Seat, ...], story: Sequence[Event]) -> dict[Card, int]:
    """Weights of the next stock card, from the events of a deal as its Bandit saw them."""
    received = [event.card for event in story if isinstance(event, Received) and event.seat == titles[BANDIT] and event.card]
    worlds = _Worlds(size, received[: size.hands[BANDIT]])
    for event in story:
        worlds.follow(event, titles.index)
    for card in received[size.hands[BANDIT] :]:
        worlds.drawn(card)
    return worlds.next_card()


class _Worlds:
    """All worlds with their weights, whole numbers of which only the ratios matter."""

    def __init__(self, size: Size, own: Sequence[Card]) -> None:
        self.sizes = [*size.hands, len(size.pack) - sum(size.hands), 0]
        self.jokers = [card for card in size.pack if card.joker and card not in own]  # unseen
        self.alike = [card for card in size.pack if not card.joker and card not in own]  # neither seen nor named
        self.named = [card for card in own if not card.joker]
        self.weights: dict[World, int] = {}
        for hands in product(range(len(self.jokers) + 1), repeat=BANDIT):
            in_stock = len(self.jokers) - sum(hands)
            if in_stock >= 0:
                ways = prod(map(comb, self.sizes, hands)) * comb(self.sizes[STOCK], in_stock)
                self._add((hands, (BANDIT,) * len(self.named)), ways)

    def _add(self, world: World, weight: int) -> None:
        if weight:
            self.weights[world] = self.weights.get(world, 0) + weight

    def _taken(self) -> list[tuple[World, int]]:
        """The worlds so far; those that are added from now on replace them."""
        before, self.weights = self.weights, {}
        return list(before.items())

    def follow(self, event: Event, title: Callable[[Seat], int]) -> None:
        match event:
            case Laid(seat=seat):
                self.take(title(seat), ASIDE)
            case Shortfall(seat=seat, to=victim, n=n):
                self.keep(lambda world: self.plain(world, title(victim)) == n or title(victim) == BANDIT)
                for _ in range(n, self.sizes[ASIDE]):
                    self.take(ASIDE, title(seat))
            case BlindDrawn(seat=seat, to=victim, card=card):
                self.take(title(victim), title(seat), card)
            case SwapDone(to=victim, cards=cards):
                for given in cards:
                    self.take(ASIDE, title(victim), given)
            case Asks(seat=seat, card=asked):
                self.name(asked, title(seat))
            case Gives(seat=giver, to=keeper, card=asked, laid=laid):
                self.take(title(giver), title(keeper), asked)
                self.take(ASIDE, title(giver), laid)
            case Silence(seat=keeper):
                self.take(ASIDE, title(keeper))
            case Shows(seat=keeper, card=shown):
                self.take(title(keeper), ASIDE)
                self.take(ASIDE, title(keeper), shown)
            case LaidBy(seats=seats):
                self.keep(lambda world: all(self.plain(world, title(seat)) for seat in seats if title(seat) != BANDIT))
            case Picked(seat=keeper, to=picked, card=shown, laid=laid):
                self.take(title(picked), ASIDE, laid)
                self.take(title(keeper), title(picked), shown)
                self.take(ASIDE, title(keeper), laid)

    def plain(self, world: World, zone: int) -> int:
        """The cards in a zone, the Bandit's hand apart, that are no jokers."""
        hands = world[0]
        jokers = hands[zone] if zone < BANDIT else len(self.jokers) - sum(hands) if zone == STOCK else 0
        return self.sizes[zone] - jokers

    def keep(self, possible: Callable[[World], bool]) -> None:
        """Drops the worlds that cannot be."""
        self.weights = {world: weight for world, weight in self.weights.items() if possible(world)}

    def name(self, card: Card, absent: int = BANDIT) -> None:
        """From now on it is told apart where a card lies: not in the zone ``absent``."""
        if card not in self.named:
            for (hands, zones), weight in self._taken():
                for zone in (zone for zone in range(ASIDE + 1) if zone not in (BANDIT, absent)):
                    self._add((hands, (*zones, zone)), weight * (self.plain((hands, zones), zone) - zones.count(zone)))
            self.alike.remove(card)
            self.named.append(card)
        at = self.named.index(card)
        self.keep(lambda world: world[1][at] != absent)

    def take(self, source: int, target: int, card: Card | None = None) -> None:
        """A card goes from zone to zone: the one named, or blindly any that is no joker."""
        if card is not None:
            self.name(card, target)
            at = self.named.index(card)
            for (hands, zones), weight in self._taken():
                if zones[at] == source:
                    self._add((hands, (*zones[:at], target, *zones[at + 1 :])), weight)
        else:
            scale = lcm(*{plain for world in self.weights if (plain := self.plain(world, source))})
            for (hands, zones), weight in self._taken():
                if plain := self.plain((hands, zones), source):
                    share = weight * scale // plain
                    self._add((hands, zones), share * (plain - zones.count(source)))
                    for at in (at for at, zone in enumerate(zones) if zone == source):
                        self._add((hands, (*zones[:at], target, *zones[at + 1 :])), share)
        self.sizes[source] -= 1
        self.sizes[target] += 1

    def drawn(self, card: Card) -> None:
        """The next card of the stock is seen."""
        if not card.joker:
            self.take(STOCK, BANDIT, card)
            return
        for world, weight in self._taken():
            self._add(world, weight * (len(self.jokers) - sum(world[0])))
        self.jokers.remove(card)
        self.sizes[STOCK] -= 1

    def next_card(self) -> dict[Card, int]:
        """How much each card weighs as the next of the stock."""
        jokers, alike = max(len(self.jokers), 1), max(len(self.alike), 1)
        odds = dict.fromkeys([*self.alike, *self.named, *self.jokers], 0)
        for (hands, zones), weight in self.weights.items():
            plain = self.plain((hands, zones), STOCK)
            shares = [(card, alike * (self.sizes[STOCK] - plain)) for card in self.jokers]
            shares += [(card, jokers * (plain - zones.count(STOCK))) for card in self.alike]
            shares += [(card, jokers * alike) for card, zone in zip(self.named, zones, strict=True) if zone == STOCK]
            for card, share in shares:
                odds[card] += weight * share
        common = gcd(*odds.values())
        return {card: weight // common for card, weight in sorted(odds.items()) if weight}
