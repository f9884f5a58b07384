"""Lesson 01, counting cards: what is seen changes the odds, what is not seen does not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from typing import Any, Final

from cardlab.cards import Bag, Card
from cardlab.cards.card import ACE, HEARTS, PACK_52
from cardlab.chance import worlds
from cardlab.core.dist import Dist
from cardlab.core.events import Seat
from cardlab.core.registry import game
from cardlab.core.session import Session
from cardlab.games import PokerMarshal
from cardlab.lessons.answers import Chance, Count, Number
from cardlab.lessons.lesson import Exercise, Guess, Lesson

SEED: Final = 53  # the deal of the second part: Anna holds two hearts, Boris none
ANNA, BORIS = Seat(0), Seat(1)
SUIT: Final = 13
ONE_SPADE, DROPPED = ("4D", "8D", "2H", "9S"), ("QS",)  # the hand of exercise d, and the card that falls


def drawn(pack: int, good: int, draws: int) -> Dist[int]:
    """How many good cards come in some draws without putting back.

    >>> drawn(52, 13, 2).p(2)
    Fraction(1, 17)
    """
    found: Dist[int] = Dist({0: 1})
    for k in range(draws):
        found = found.joint(partial(_next, pack - k, good)).map(sum)
    return found


def _next(left: int, good: int, hits: int) -> Dist[int]:
    return Dist({1: good - hits, 0: left - (good - hits)})


def table() -> Session:
    """The deal of the second part, when Anna is to choose her fight card."""
    session = Session(game("fight_for_the_lead", players=5, deals=1, first_dealer=4), seed=SEED)
    while session.actor != ANNA:
        session.step("random")
    return session


def heart_on_top(seat: Seat) -> Fraction:
    """The chance that the top card of the stock is a heart, for somebody who knows what a seat knows."""
    view = table().view(seat)
    believed = worlds(view)
    hearts = (card for card in PACK_52 if card.suit == HEARTS)
    inside: Fraction = sum((believed.where(card).get("stock", Fraction(0)) for card in hearts), Fraction(0))
    return inside / int(view.places["stock"].size)


def _hearts(cards: Any) -> int:
    return sum(card.suit == HEARTS for card in cards)


def _of(seat: Seat, total: str) -> Fraction:
    """Hearts that a seat does not see over the size of the pack or the stock."""
    view = table().view(seat)
    unseen = SUIT - _hearts(view.places[f"hand {seat}"].sure)
    return Fraction(unseen, view.places[total].size) if total == "stock" else Fraction(SUIT, len(PACK_52))


def chance(event: Callable[[Card], object], cards: Any = PACK_52) -> Fraction:
    """The chance that one card drawn from some is of a kind."""
    return Dist.uniform(cards).where(event)


def _ace(card: Card) -> bool:
    return card.rank == ACE


def _heart(card: Card) -> bool:
    return card.suit == HEARTS


def _spade(card: Card) -> bool:
    return str(card).endswith("S")


def _ways(choose: Callable[[list[Card]], Any]) -> int:
    return sum(1 for _ in choose([card for card in PACK_52 if _heart(card)]))


def _jokers() -> Dist[int]:
    pack = PokerMarshal().size.pack
    return drawn(len(pack), sum(card.joker for card in pack), 7)


def _unseen(*names: str) -> Bag:
    return Bag(PACK_52).without(map(Card, names))


def wait_for_an_ace() -> Fraction:
    """The mean number of cards until the first ace has come, that ace counted."""
    aces, total = sum(map(_ace, PACK_52)), len(PACK_52)
    none_yet, mean = Fraction(1), Fraction(0)
    for k in range(total - aces + 1):
        mean += none_yet  # then one card more is turned up
        none_yet *= _next(total - k, aces, 0).p(0)
    return mean


LESSON: Final = Lesson(
    "01",
    guesses=(
        Guess(
            "01.both",
            right=lambda: drawn(52, SUIT, 2).p(2),
            options={
                "half": lambda: chance(_heart) / 2,
                "back": lambda: Dist.uniform(PACK_52).joint(Dist.uniform(PACK_52)).where(lambda two: _heart(two[0]) and _heart(two[1])),
                "without": lambda: drawn(52, SUIT, 2).p(2),
                "second": lambda: Fraction(SUIT - 1, len(PACK_52) - 1),
            },
            typical="back",
        ),
        Guess(
            "01.stock",
            right=lambda: heart_on_top(ANNA),
            options={
                "pack": lambda: _of(ANNA, "pack"),
                "unseen": lambda: heart_on_top(ANNA),
                "stock": lambda: _of(ANNA, "stock"),
                "unknown": lambda: None,
            },
            typical="stock",
        ),
        Guess(
            "01.boris",
            right=lambda: heart_on_top(BORIS),
            options={
                "same": lambda: heart_on_top(ANNA),
                "pack": lambda: _of(BORIS, "pack"),
                "own": lambda: heart_on_top(BORIS),
                "stock": lambda: _of(BORIS, "stock"),
            },
            typical="same",
        ),
    ),
    exercises=(
        Exercise(
            "01.a",
            Chance(),
            lambda: chance(lambda card: _ace(card) or _heart(card)),
            {
                "twice": lambda: chance(_ace) + chance(_heart),
                "and": lambda: chance(lambda card: _ace(card) and _heart(card)),
                "without": lambda: chance(lambda card: _ace(card) != _heart(card)),
            },
        ),
        Exercise(
            "01.b",
            Count(),
            lambda: _ways(lambda hearts: combinations(hearts, 2)),
            {
                "order": lambda: _ways(lambda hearts: permutations(hearts, 2)),
                "back": lambda: _ways(lambda hearts: product(hearts, hearts)),
                "all": lambda: sum(1 for _ in combinations(PACK_52, 2)),
            },
        ),
        Exercise(
            "01.c",
            Chance(),
            lambda: 1 - _jokers().p(0),
            {
                "sum": lambda: _jokers().mean(),
                "one": lambda: _jokers().p(1),
                "both": lambda: _jokers().p(2),
                "back": lambda: 1 - (1 - Fraction(2, 54)) ** 7,
                "printed": lambda: 1 - Fraction(51 * 47, 54 * 53),
            },
        ),
        Exercise(
            "01.d",
            Chance(),
            lambda: chance(_spade, _unseen(*ONE_SPADE, *DROPPED)),
            {
                "before": lambda: chance(_spade, _unseen(*ONE_SPADE)),
                "total": lambda: Fraction(sum(map(_spade, _unseen(*ONE_SPADE, *DROPPED))), len(_unseen(*ONE_SPADE))),
                "stock": lambda: Fraction(sum(map(_spade, _unseen(*ONE_SPADE, *DROPPED))), 32),
            },
        ),
        Exercise(
            "01.e",
            Number(Fraction(1, 20), Fraction(1, 2)),
            wait_for_an_ace,
            {
                "back": lambda: 1 / chance(_ace),
                "before": lambda: wait_for_an_ace() - 1,
                "fifths": lambda: Fraction(52, 4 + 1),
            },
        ),
    ),
)
