"""Poker Marshal: what hidden hands may hold, counted exactly from the cases that a viewer may believe in.

A case (``worlds``) says how many jokers lie in each zone and where the named cards are; all other hidden cards are alike. If u of A such
cards lie in some zones, each set of u is as likely: the categories of these hands are counted by ``completed`` and divided by C(A, u).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from cardlab.cards import Card, Category
from cardlab.cards.card import JOKERS
from cardlab.cards.hands import LARGEST
from cardlab.chance.believed import Case, Worlds
from cardlab.chance.fill import Fill
from cardlab.chance.marshal_hands import completed, jokers_dealt
from cardlab.core.events import TEACHER
from cardlab.games.marshal_state import BANDIT, State
from cardlab.games.marshal_view import View

Shares = dict[Category, Fraction]


def sure_hand(view: View, title: int) -> tuple[Card, ...]:
    """The cards that a viewer knows to be in the hand of a title."""
    return view.hand(view.titles[title])


def known(view: View, title: int) -> bool:
    """Whether a viewer sees a whole hand: its own, a shown one, or any for the teacher."""
    zone = view.places[f"hand {view.titles[title]}"]
    return view.viewer in (TEACHER, view.titles[title]) or not zone.unknown


def dealt_hand(view: View, title: int, size: int, pack: Sequence[Card], short_hands: str) -> dict[Category, int]:
    """How many hands a title can have once all is dealt; only while cards are dealt, when nothing tells hidden cards apart."""
    own = sure_hand(view, title)
    return completed(own, _unseen(view, pack), size - len(own), short_hands)


def jokers_dealt_to(view: View, title: int, size: int, pack: Sequence[Card]) -> dict[int, Fraction]:
    """How many jokers a title has once all is dealt; only while cards are dealt."""
    own = sure_hand(view, title)
    held = sum(card.joker for card in own)
    more = jokers_dealt(size - len(own), _unseen(view, pack))
    return {held + n: more.p(n) for n in more}


def _unseen(view: View, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that may still come, or lie in hidden hands: for the teacher, the stock."""
    seen = {card for name, zone in view.places.zones if name.startswith("hand ") for card in zone.sure}
    return tuple(card for card in pack if card not in seen)


def countable(worlds: Worlds[State], zones: Sequence[str], cards: int) -> bool:
    """Whether all sets of cards in some zones are counted in about a second.

    That is seven cards with any number of jokers, no named card making a case of its own; a card less takes a quarter of the time.
    """
    counts = {(named, alike) for _, named, alike, _ in _contents(worlds.cases, zones)}
    return sum(4.0 ** (min(alike, cards) - LARGEST) for _, alike in counts) <= 1.5


def from_zones(worlds: Worlds[State], zones: Sequence[str], own: tuple[Card, ...], cards: int, short_hands: str) -> Shares:
    """The categories of the known cards with so many more, any of those in the zones alike."""
    shares = dict.fromkeys(Category, Fraction(0))
    weights = _contents(worlds.cases, zones)
    total = sum(weights.values())
    for (wild, named, alike, pool), weight in weights.items():
        sets = comb(wild + len(named) + alike, cards) * total
        for jokers, some, more, ways in _parts(wild, named, alike, cards):
            share = weight * ways / comb(len(pool), more) / sets
            for category, number in completed((*own, *_jokers(own, jokers), *some), pool, more, short_hands).items():
                shares[category] += share * number
    return shares


def _contents(cases: Iterable[Case], zones: Sequence[str]) -> dict[tuple[int, tuple[Card, ...], int, tuple[Card, ...]], Fraction]:
    """What lies in some zones together, with its weight: jokers, named cards, how many of the cards that are all alike, and those."""
    weights: dict[Any, Fraction] = {}
    for case in cases:
        jokers, alike = case.fills
        named = tuple(sorted(card for zone, card in case.fixed if zone in zones))
        pool = alike.kinds[0][0] if alike.kinds else ()
        key = in_zones(jokers, zones), named, in_zones(alike, zones), pool
        weights[key] = weights.get(key, Fraction(0)) + case.weight
    return weights


def in_zones(fill: Fill, zones: Sequence[str]) -> int:
    """How many cards are dealt into some zones."""
    return sum(size for _, _, group in fill.groups for zone, size in group if zone in zones)


def _parts(wild: int, named: tuple[Card, ...], alike: int, cards: int) -> Iterator[tuple[int, tuple[Card, ...], int, int]]:
    """How so many cards can be made up: jokers, which of the named ones, how many others, and the ways to choose jokers and others."""
    for jokers in range(min(wild, cards) + 1):
        for n in range(min(len(named), cards - jokers) + 1):
            more = cards - jokers - n
            if more <= alike:
                for some in combinations(named, n):
                    yield jokers, some, more, comb(wild, jokers) * comb(alike, more)


def _jokers(own: Sequence[Card], number: int) -> list[Card]:
    """Some jokers that are not in the hand yet: for the worth of a hand one is as good as the other."""
    return [joker for joker in JOKERS if joker not in own][:number]


def jokers_in(worlds: Worlds[State], zone: str) -> dict[int, Fraction]:
    """How many jokers lie in a hidden zone: the chance of each number.

    Cards laid for one that is shown are still in their hands, and no joker is among them.
    """
    weights = _contents(worlds.cases, [zone])
    total = sum(weights.values())
    shares: dict[int, Fraction] = {}
    for (wild, _, _, _), weight in weights.items():
        shares[wild] = shares.get(wild, Fraction(0)) + weight / total
    return dict(sorted(shares.items()))


def zones_of(view: View, title: int, size: int) -> tuple[list[str], int]:
    """Where the hidden cards of a title's hand lie, and how many they are; the Bandit's new ones are still in the stock."""
    seat = view.titles[title]
    here = view.places[f"hand {seat}"].size
    due = size - here if title == BANDIT and view.now is not None and view.now.asks == "draw" else 0
    return [f"hand {seat}", *(["stock"] if due else [])], here + due
