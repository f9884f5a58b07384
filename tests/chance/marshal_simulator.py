"""Poker Marshal dealt many times over as a viewer was shown it: the rules said once more, for whole columns of deals.

Nothing of ``cardlab.chance``, of ``games.marshal_odds`` and no view is used, but only the events that the viewer was shown. A deal is a
row that says of each card of the pack where it lies; it goes through the events one by one, what was not shown is drawn at random, and a
deal that contradicts them is thrown away. Where a card is shown that any deal in ten or fifty would have shown, deals are not thrown away
but renamed: as long as nothing told two plain cards apart, a deal in which they change places is as likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from cardlab import TEACHER, Session
from cardlab.cards import Card, Category
from cardlab.core.events import Event, Viewer
from cardlab.games.marshal_events import (
    Asks,
    BlindDrawn,
    Gives,
    Laid,
    LaidBy,
    Picked,
    Received,
    Redraws,
    Shortfall,
    Shows,
    Shuffled,
    Silence,
    SwapDone,
)

Columns = np.ndarray[Any, Any]
MARSHAL, DEPUTY, KEEPER, DRUNK, BANDIT, STOCK, ASIDE, AWAY = range(8)  # hands by title, and where else a card may lie
HANDS = range(5)
JOKER = 52  # the first of the two
BATCH = 100_000


class Deals:
    """The deals that agree with what a viewer was shown of the one that a session stands in.

    ``accept`` is the chance that who could give a card gives one.
    """

    def __init__(self, session: Session, viewer: Viewer, seed: int, accept: Fraction) -> None:
        game, state = session.game, session.state  # of the state only what lies open
        self.viewer, self.accept = viewer, float(accept)
        self.size, self.casino = game.size, game.rules.short_hands == "casino"
        self.titles = list(state.titles)
        self.phase, self.asks = state.phase, game.now(state).asks
        self.due = state.due
        self.random = np.random.default_rng(seed)
        self.me = self.titles.index(viewer) if viewer in self.titles else -1
        events = [event for _, _, event in session.events(viewer)]
        dealt = [k for k, event in enumerate(events) if isinstance(event, Shuffled)]
        begun = bool(dealt) and self.phase not in ("titles", "ties", "over") and self.asks != "shuffle"
        self.story: list[Event] = events[dealt[-1] + 1 :] if begun else []
        self.asked = next((event.card for event in reversed(self.story) if isinstance(event, Asks)), None)
        self.open_offer = self.asked is not None and state.asked is self.asked

    def sees(self, title: int) -> bool:
        return self.viewer == TEACHER or title == self.me

    def rows(self, n: int, silent: bool = False) -> Iterator[Columns]:
        """So many deals, some at a time; ``silent``: in which the offer on the table meets silence."""
        size = min(n, BATCH)
        while n:
            self.place = self.dealt(size)
            self.named: set[int] = set(self.known)
            for k, event in enumerate(self.story):
                self.follow(event, self.story[k + 1 :])
            if self.asks == "blind":  # none was too few
                self.keep(self.plain_of_victim(self.place).sum(axis=1) >= self.due)
            if silent and self.asked:
                self.silent(KEEPER, self.asked.code)
            found = self.place[:n]
            n -= len(found)
            yield found

    def dealt(self, n: int) -> Columns:
        """Hands dealt in full, so far as the viewer knows them as he does (PM-3)."""
        got = [event for event in self.story if isinstance(event, Received) and event.rule == "PM-3"]
        self.known = {event.card.code: self.titles.index(event.seat) for event in got if event.card}
        missing = Counter(dict(zip(HANDS, self.size.hands, strict=True)))
        missing.subtract(self.known.values())
        missing[STOCK] = len(self.size.pack) - len(self.known) - sum(missing.values())
        others = [card.code for card in self.size.pack if card.code not in self.known]
        places = np.tile(np.array(sorted(missing.elements()), dtype=np.int8), (n, 1))
        place = np.empty((n, len(self.size.pack)), dtype=np.int8)
        place[:, others] = self.random.permuted(places, axis=1)
        for card, title in self.known.items():
            place[:, card] = title
        return place

    def plain_of_victim(self, place: Columns) -> Columns:
        """The cards that may be drawn blind (PM-4 to PM-6)."""
        there: Columns = place == (BANDIT if self.phase == "marshal" else DRUNK)
        there[:, JOKER:] = False
        return there

    # what may be done to all deals at once

    def keep(self, fits: Columns) -> None:
        self.place = self.place[fits]

    def thin(self, chances: Columns | float) -> None:
        """Keeps each deal with its own chance."""
        self.keep(self.random.random(len(self.place)) < chances)

    def plain(self, place: int) -> Columns:
        there: Columns = self.place == place
        there[:, JOKER:] = False
        return there

    def any_of(self, there: Columns) -> Columns:
        """In each deal one of the cards that are there, each alike; deals in which there is none are thrown away."""
        some = there.any(axis=1)
        if not some.all():
            self.keep(some)
            there = there[some]
        return np.argmax(self.random.random(there.shape, dtype=np.float32) * there, axis=1)

    def move_any(self, there: Columns, target: int) -> None:
        cards = self.any_of(there)
        self.place[np.arange(len(cards)), cards] = target

    def move_all(self, source: int, target: int) -> None:
        self.place[self.place == source] = target

    def rename(self, cards: Columns, card: int) -> None:
        """In each deal one card and ``card`` change places; where one was told apart from the others before, the deal is thrown away."""
        alike = ~np.isin(cards, list(self.named))
        self.keep(alike)
        cards, rows = cards[alike], np.arange(len(self.place))
        self.place[rows, cards], self.place[:, card] = self.place[:, card].copy(), self.place[rows, cards]

    def taken(self, source: int, card: int) -> None:
        """A plain card, drawn from a hand that the viewer does not see, is this one."""
        drawn = self.any_of(self.plain(source))
        if card in self.named:
            self.keep(drawn == card)
        else:
            self.rename(drawn, card)
            self.named.add(card)

    def lies(self, place: int, card: int) -> None:
        """This plain card lies in a place, whatever is beside it."""
        if card in self.named:
            self.keep(self.place[:, card] == place)
            return
        there = self.plain(place)
        there[:, list(self.named)] = False
        most = (self.place == place).sum(axis=1).max(initial=1)  # as many cards in every deal
        fits = self.random.random(len(there)) * most < there.sum(axis=1)
        self.keep(fits)
        self.rename(self.any_of(there[fits]), card)
        self.named.add(card)

    # the events

    def follow(self, event: Event, later: list[Event]) -> None:
        title = self.titles.index
        match event:
            case Received(rule="PM-11", card=None):
                self.move_any(self.place == STOCK, BANDIT)
            case Received(rule="PM-11", card=card):
                self.keep(self.place[:, card.code] == STOCK)  # as many cards in every deal
                self.named.add(card.code)
                self.place[:, card.code] = BANDIT
            case Laid(seat=seat, card=None):
                self.move_any(self.plain(title(seat)), ASIDE)
            case Laid(card=card):
                self.place[:, card.code] = ASIDE
            case Shortfall(seat=seat, to=victim, cards=back, n=n):
                self.keep(self.plain(title(victim)).sum(axis=1) == n)
                for card in back:
                    if card is None:
                        self.move_any(self.place == ASIDE, title(seat))
                    else:
                        self.place[:, card.code] = title(seat)
            case BlindDrawn(seat=seat, to=victim, card=card):
                self.passes(title(victim), title(seat), card)
            case SwapDone(to=victim, cards=cards):
                self.shown_aside([card.code for card in cards if card])
                self.move_all(ASIDE, title(victim))
            case Asks(seat=keeper, card=card):
                self.asks_for(title(keeper), card.code, later)
            case Gives(seat=giver, to=keeper, card=card, laid=laid):
                if not self.sees(title(giver)):
                    self.lies(title(giver), card.code)
                self.shown_aside([laid.code] if laid else [])
                self.place[:, card.code] = title(keeper)
                self.move_all(ASIDE, title(giver))
            case Silence(seat=keeper, card=card):
                self.silent(title(keeper), card.code)
                self.move_all(ASIDE, title(keeper))
            case Shows(seat=keeper, card=card):
                if not self.sees(title(keeper)):
                    self.taken(title(keeper), card.code)
            case LaidBy(seats=seats):
                self.answered([title(seat) for seat in seats])
            case Picked(seat=keeper, to=seat, card=shown, laid=laid):
                self.passes(title(seat), ASIDE, laid)
                self.place[:, shown.code] = title(seat)
                self.move_all(ASIDE, title(keeper))
            case Redraws():
                self.move_all(BANDIT, AWAY)

    def passes(self, source: int, target: int, card: Card | None) -> None:
        """A plain card goes over, any of the hand alike."""
        if card is None:
            self.move_any(self.plain(source), target)
            return
        if not self.sees(source):
            self.taken(source, card.code)
        self.place[:, card.code] = target

    def shown_aside(self, cards: list[int]) -> None:
        """The cards that lie aside are these."""
        if self.viewer == TEACHER:
            return
        for card in sorted(cards, key=lambda card: card not in self.named):
            self.lies(ASIDE, card)
            self.place[:, card] = AWAY  # told apart from those still to be shown
        for card in cards:
            self.place[:, card] = ASIDE

    def asks_for(self, keeper: int, card: int, later: list[Event]) -> None:
        """The Storekeeper does not hold the card, and has one to lay beside it."""
        if self.sees(keeper):
            return
        self.keep(self.plain(keeper).any(axis=1))
        end = next((event for event in later if isinstance(event, Gives | Silence)), None)
        if isinstance(end, Gives) and card not in self.named:
            return  # it will be told whose it was, so that it was not his
        self.named.add(card)
        self.keep(self.place[:, card] != keeper)

    def silent(self, keeper: int, card: int) -> None:
        """Who held the card would have given it with the chance ``accept``."""
        if self.viewer == TEACHER:
            return
        self.named.add(card)
        place = self.place[:, card]
        askable = (place <= BANDIT) & (place != keeper) & (place != self.me)
        self.thin(np.where(askable, 1 - self.accept, 1.0))

    def answered(self, laid: list[int]) -> None:
        for title in (title for title in HANDS if title != KEEPER and not self.sees(title)):
            some = self.plain(title).any(axis=1)
            if title in laid:
                self.keep(some)
            else:
                self.thin(np.where(some, 1 - self.accept, 1.0))


def some_of(random: Any, there: Columns, n: int) -> Columns:
    """In each row n of the cards that are there, any alike: which they are, as a row of the pack."""
    chosen = np.zeros_like(there)
    rows = np.arange(len(there))
    for _ in range(n):
        left = there & ~chosen
        chosen[rows, np.argmax(random.random(left.shape, dtype=np.float32) * left, axis=1)] = True
    return chosen


def categories(holds: Columns, size: int, casino: bool) -> Columns:
    """The category of each hand: ``holds`` says of the 54 cards which are in it, ``size`` is how many those are.

    A joker fills what is missing, so that it is enough to count how many cards are missing.
    """
    jokers = holds[:, JOKER:].sum(axis=1)
    suits = holds[:, :JOKER].reshape(-1, 4, 13)
    numbers = suits.sum(axis=1)
    most, second = np.sort(numbers, axis=1)[:, :-3:-1].T
    line = 5 if size >= 5 else size  # cards of a straight or a flush
    found = np.full(len(holds), Category.HIGH_CARD, dtype=np.int8)
    found[most + jokers >= 2] = Category.PAIR
    found[np.maximum(2 - most, 0) + np.maximum(2 - second, 0) <= jokers] = Category.TWO_PAIRS
    found[most + jokers >= 3] = Category.THREE_OF_A_KIND
    if line == 5 or casino:
        found[missing_of_straights(numbers > 0, line) <= jokers] = Category.STRAIGHT
        found[suits.sum(axis=2).max(axis=1) + jokers >= line] = Category.FLUSH
    if line == 5:
        found[np.maximum(3 - most, 0) + np.maximum(2 - second, 0) <= jokers] = Category.FULL_HOUSE
    found[most + jokers >= 4] = Category.FOUR_OF_A_KIND
    if line == 5 or casino:
        missing = np.min([missing_of_straights(suits[:, suit], line) for suit in range(4)], axis=0)
        found[missing <= jokers] = Category.STRAIGHT_FLUSH
    found[most + jokers >= 5] = Category.FIVE_OF_A_KIND
    return found


def missing_of_straights(ranks: Columns, line: int) -> Columns:
    """How many cards of a straight are missing, of the one of which the fewest are; the ace is high or low (PM-12)."""
    around = np.hstack([ranks[:, 12:], ranks]).astype(np.int8)
    return line - np.max([around[:, low : low + line].sum(axis=1) for low in range(15 - line)], axis=0)


class Draw:
    """A draw for titles, from what lies open (PM-1): who ties draws again, from the rest of the pack, the higher group first."""

    def __init__(self, session: Session, seed: int) -> None:
        self.lots = session.state.lots
        self.random = Random(seed)

    def once(self) -> tuple[bool, list[Any]]:
        """Whether nobody of those who draw now draws again, and the seats by their new titles."""
        groups, drawn = list(self.lots.groups), dict(self.lots.drawn)
        rest, used = list(self.lots.rest), list(self.lots.used)
        different: bool | None = None
        while (group := next((group for group in groups if len(group) > 1), None)) is not None:
            for seat in group[len(drawn) :]:
                if not rest:
                    rest, used = used, []
                drawn[seat] = rest.pop(self.random.randrange(len(rest)))
            ranks = sorted({card.rank for card in drawn.values()}, reverse=True)
            parts = [tuple(seat for seat in group if drawn[seat].rank == rank) for rank in ranks]
            at = groups.index(group)
            groups[at : at + 1] = parts
            different = len(parts) == len(group) if different is None else different
            used += drawn.values()
            drawn = {}
        return bool(different), [seat for (seat,) in groups]
