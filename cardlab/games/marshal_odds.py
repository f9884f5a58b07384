"""Poker Marshal: where the cards may lie that a viewer has not seen, counted exactly from the events that it was shown.

A case says how many jokers lie in each zone and where the named cards lie; all other plain cards are alike. What players chose is taken
as telling nothing, and a card that one of them lays as taken blind from those he may lay. What the rules forbid does tell: no joker
passes between players, and nobody asks for a card that he holds. Silence after an offer tells as much as is stated: ``accept`` is the
chance that who could give a card gives one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, gcd, lcm, prod

from cardlab.cards import Card
from cardlab.core.events import Event, Seat
from cardlab.games.marshal_events import (
    Asks,
    BlindDrawn,
    Gives,
    HandShown,
    Laid,
    LaidBy,
    Picked,
    Received,
    Redraws,
    Shortfall,
    Shows,
    Silence,
    SwapDone,
)
from cardlab.games.marshal_state import BANDIT, STOREKEEPER, Size

STOCK, ASIDE, AWAY = 5, 6, 7  # zones after the hands, which are numbered by title: laid face down, and discarded by the Bandit
Case = tuple[tuple[int, ...], tuple[int, ...]]  # the unseen jokers in each zone, and the zone of each named card


def stock_odds(size: Size, titles: tuple[Seat, ...], story: Sequence[Event]) -> dict[Card, int]:
    """Weights of the next stock card, from the events of a deal as its Bandit saw them; silence is taken as telling nothing."""
    return told(size, titles, titles[BANDIT], story).next_card()


def told(size: Size, titles: tuple[Seat, ...], viewer: Seat | None, story: Sequence[Event], accept: Fraction = Fraction(0)) -> Cases:
    """What a seat or a spectator may believe after the events of a deal."""
    me = None if viewer is None else titles.index(viewer)
    dealt = [event for event in story if isinstance(event, Received) and event.rule == "PM-3"]
    sizes = [sum(event.seat == seat for event in dealt) for seat in titles]
    cases = Cases(size, me, sizes, [event.card for event in dealt if event.seat == viewer and event.card], accept)
    for event in story:
        cases.follow(event, titles.index)
    return cases


class Cases:
    """All cases with their weights, whole numbers of which only the ratios matter; the viewer's own zone holds all that he has seen."""

    def __init__(self, size: Size, me: int | None, dealt: Sequence[int], own: Sequence[Card], accept: Fraction) -> None:
        self.me = me
        self.accept = accept
        self.sizes = [*dealt, len(size.pack) - sum(dealt), 0, 0]
        self.jokers = [card for card in size.pack if card.joker and card not in own]  # unseen
        self.alike = [card for card in size.pack if not card.joker and card not in own]  # neither seen nor named
        self.named = [card for card in own if not card.joker]
        self.weights: dict[Case, int] = {}
        homes = (() if me is None else (me,)) * len(self.named)
        for jokers in product(range(len(self.jokers) + 1), repeat=BANDIT + 2):
            if sum(jokers) == len(self.jokers) and (me is None or not jokers[me]):
                self._add(((*jokers, 0, 0), homes), prod(map(comb, self.sizes, jokers)))

    def _add(self, case: Case, weight: int) -> None:
        if weight:
            self.weights[case] = self.weights.get(case, 0) + weight

    def _taken(self) -> list[tuple[Case, int]]:
        """The cases so far; those that are added from now on replace them."""
        before, self.weights = self.weights, {}
        return list(before.items())

    def follow(self, event: Event, title: Callable[[Seat], int]) -> None:
        """What an event tells."""
        match event:
            case Received(rule="PM-11", seat=seat, card=card):
                self.draw(title(seat), card)
            case Laid(seat=seat, card=card):
                self.take(title(seat), ASIDE, card)
            case Shortfall(seat=seat, to=victim, cards=cards, n=n):
                self.has_plain(title(victim), n, n)
                for back in cards:
                    self.take(ASIDE, title(seat), back)
            case BlindDrawn(seat=seat, to=victim, card=card):
                self.take(title(victim), title(seat), card, blind=True)
            case SwapDone(to=victim, cards=cards):
                for given in cards:
                    self.take(ASIDE, title(victim), given)
            case Asks(seat=seat, card=asked):
                self.name(asked)
                self.keep(lambda case: self.zone(case, asked) != title(seat))
                self.has_plain(title(seat), 1)  # something to lay beside it
            case Gives(seat=giver, to=keeper, card=asked, laid=laid):
                self.take(title(giver), title(keeper), asked)
                self.take(ASIDE, title(giver), laid)
            case Silence(seat=keeper, card=asked):
                self.silent(asked, title(keeper))
                self.take(ASIDE, title(keeper))
            case Shows(seat=keeper, card=shown):
                self.take(title(keeper), ASIDE, shown, blind=True)
                self.take(ASIDE, title(keeper), shown)
            case LaidBy(seats=seats):
                laying = [title(seat) for seat in seats]
                self.answered([zone for zone in range(BANDIT + 1) if zone not in (STOREKEEPER, self.me)], laying)
            case Picked(seat=keeper, to=picked, card=shown, laid=laid):
                self.take(title(picked), ASIDE, laid, blind=True)
                self.take(title(keeper), title(picked), shown)
                self.take(ASIDE, title(keeper), laid)
            case Redraws(seat=seat) if title(seat) != self.me:
                self.throw_away()
            case HandShown(seat=seat, cards=cards) if title(seat) != self.me:
                self.open(title(seat), cards)

    # what a case says

    def plain(self, case: Case, zone: int) -> int:
        """The cards in a zone, the viewer's own apart, that are no jokers."""
        return self.sizes[zone] - case[0][zone]

    def zone(self, case: Case, card: Card) -> int:
        """Where a named card lies."""
        return case[1][self.named.index(card)]

    def unnamed(self, case: Case, zone: int) -> int:
        """How many of the cards that are all alike lie in a zone."""
        return 0 if zone == self.me else self.plain(case, zone) - case[1].count(zone)

    # what is learnt

    def keep(self, possible: Callable[[Case], bool]) -> None:
        """Drops the cases that cannot be."""
        self.weights = {case: weight for case, weight in self.weights.items() if possible(case)}

    def weigh(self, chance: Callable[[Case], Fraction]) -> None:
        """Multiplies each weight by the chance of what was seen."""
        chances = [(case, weight, chance(case)) for case, weight in self._taken()]
        scale = lcm(*(share.denominator for _, _, share in chances))
        for case, weight, share in chances:
            self._add(case, weight * share.numerator * (scale // share.denominator))

    def has_plain(self, zone: int, least: int, most: int | None = None) -> None:
        """So many cards of a hand may pass between players, at least or exactly."""
        if zone != self.me:
            self.keep(lambda case: least <= self.plain(case, zone) and (most is None or self.plain(case, zone) <= most))

    def name(self, card: Card) -> None:
        """From now on it is told apart where a card lies."""
        if card in self.named:
            return
        for case, weight in self._taken():
            for zone in range(len(self.sizes)):
                self._add((case[0], (*case[1], zone)), weight * self.unnamed(case, zone))
        self.alike.remove(card)
        self.named.append(card)

    def find(self, card: Card, zone: int) -> None:
        """A plain card is seen to lie in a zone."""
        if card in self.named:
            self.keep(lambda case: self.zone(case, card) == zone)
            return
        for case, weight in self._taken():
            self._add((case[0], (*case[1], zone)), weight * self.unnamed(case, zone))
        self.alike.remove(card)
        self.named.append(card)

    def take(self, source: int, target: int, card: Card | None = None, blind: bool = False) -> None:
        """A plain card goes from zone to zone: unseen any of them alike; one that is seen may have been taken ``blind``, too."""
        if card is not None:
            self.find(card, source)
            at = self.named.index(card)
            if blind and source != self.me:
                self.weigh(lambda case: Fraction(1, self.plain(case, source)))
            for (jokers, zones), weight in self._taken():
                self._add((jokers, (*zones[:at], target, *zones[at + 1 :])), weight)
        else:
            self.has_plain(source, 1)
            self.weigh(lambda case: Fraction(1, self.plain(case, source)))
            for case, weight in self._taken():
                jokers, zones = case
                self._add(case, weight * self.unnamed(case, source))
                for at in (at for at, zone in enumerate(zones) if zone == source):
                    self._add((jokers, (*zones[:at], target, *zones[at + 1 :])), weight)
        self.sizes[source] -= 1
        self.sizes[target] += 1

    def silent(self, asked: Card, keeper: int) -> None:
        """Nobody has given a card: a holder would have with the chance ``accept``."""
        askable = [zone for zone in range(BANDIT + 1) if zone not in (keeper, self.me)]
        self.weigh(lambda case: 1 - self.accept if self.zone(case, asked) in askable else Fraction(1))

    def answered(self, others: list[int], laying: list[int]) -> None:
        """Who lays a card for the one shown has one that is no joker; who passes has none, or would lay with the chance ``accept``."""
        for zone in others:
            if zone in laying:
                self.has_plain(zone, 1)
            else:
                self.weigh(lambda case, zone=zone: 1 - self.accept if self.plain(case, zone) else Fraction(1))  # type: ignore[misc]

    def throw_away(self) -> None:
        """The Bandit discards his hand unseen."""
        for (jokers, zones), weight in self._taken():
            gone = (*jokers[:BANDIT], 0, *jokers[STOCK:AWAY], jokers[BANDIT])
            self._add((gone, tuple(AWAY if zone == BANDIT else zone for zone in zones)), weight)
        self.sizes[AWAY], self.sizes[BANDIT] = self.sizes[BANDIT], 0

    def draw(self, target: int, card: Card | None) -> None:
        """A card of the stock comes into a hand."""
        if card is None:
            for case, weight in self._taken():
                for after, ways in self._drawn(case, target):
                    self._add(after, weight * ways)
        elif not card.joker:
            self.find(card, STOCK)
            at = self.named.index(card)
            for (jokers, zones), weight in self._taken():
                self._add((jokers, (*zones[:at], target, *zones[at + 1 :])), weight)
        else:
            self._find_joker(card, STOCK)
            return
        self.sizes[STOCK] -= 1
        self.sizes[target] += 1

    def _drawn(self, case: Case, target: int) -> Iterator[tuple[Case, int]]:
        """What an unseen card of the stock may be, with the number of such cards."""
        jokers, zones = case
        yield case, self.unnamed(case, STOCK)
        for at in (at for at, zone in enumerate(zones) if zone == STOCK):
            yield (jokers, (*zones[:at], target, *zones[at + 1 :])), 1
        if jokers[STOCK]:
            yield (tuple(n + (zone == target) - (zone == STOCK) for zone, n in enumerate(jokers)), zones), jokers[STOCK]

    def _find_joker(self, card: Card, zone: int) -> None:
        """A joker is seen; from now on it is none of those unseen."""
        for (jokers, zones), weight in self._taken():
            self._add((tuple(n - (at == zone) for at, n in enumerate(jokers)), zones), weight * jokers[zone])
        self.jokers.remove(card)
        self.sizes[zone] -= 1

    def open(self, zone: int, cards: Sequence[Card]) -> None:
        """A hand is shown."""
        self.keep(lambda case: case[0][zone] == sum(card.joker for card in cards))
        for card in cards:
            if card.joker:
                self._find_joker(card, zone)
            else:
                self.find(card, zone)

    def next_card(self) -> dict[Card, int]:
        """How much each card weighs as the next of the stock."""
        jokers, alike = max(len(self.jokers), 1), max(len(self.alike), 1)
        odds = dict.fromkeys([*self.alike, *self.named, *self.jokers], 0)
        for case, weight in self.weights.items():
            shares = [(card, alike * case[0][STOCK]) for card in self.jokers]
            shares += [(card, jokers * self.unnamed(case, STOCK)) for card in self.alike]
            shares += [(card, jokers * alike) for card in self.named if self.zone(case, card) == STOCK]
            for card, share in shares:
                odds[card] += weight * share
        common = gcd(*odds.values())
        return {card: weight // common for card, weight in sorted(odds.items()) if weight}
