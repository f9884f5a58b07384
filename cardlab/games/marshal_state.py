"""Poker Marshal: its house rules, its size and its state of play."""

from __future__ import annotations

from dataclasses import dataclass

from cardlab.cards import PACK_54, Bag, Card
from cardlab.core.events import Seat
from cardlab.core.rules import HouseRules, one_of, whole

MARSHAL, DEPUTY, STOREKEEPER, DRUNK, BANDIT = range(5)
STREAK = 5  # deals won running that end a game under ``ends=streak``


@dataclass(frozen=True)
class Rules(HouseRules):
    """The house rules of Poker Marshal."""

    swap: str = one_of("lay_first", "take_then_give")
    offers: str = one_of("ask", "ask_or_offer")
    short_hands: str = one_of("incomplete", "casino")
    title_tie: str = one_of("draw", "incumbent")
    deals: int = whole(10, least=1)
    ends: str = one_of("deals", "streak")


@dataclass(frozen=True)
class Size:
    """The pack, the cards dealt to each title, the most cards in the Marshal's and the Deputy's swaps, and the number of offers."""

    pack: tuple[Card, ...] = PACK_54
    hands: tuple[int, ...] = (7, 6, 5, 4, 3)
    swaps: tuple[int, int] = (3, 2)
    offers: int = 3


@dataclass(frozen=True)
class Lots:
    """Titles being drawn for (PM-1): groups of seats that share places, the highest first; the first group of several draws."""

    groups: tuple[tuple[Seat, ...], ...]
    rest: Bag
    drawn: tuple[tuple[Seat, Card], ...] = ()  # in this round
    used: Bag = Bag()

    @property
    def group(self) -> tuple[Seat, ...]:
        """The seats that draw now."""
        return next(group for group in self.groups if len(group) > 1)

    @property
    def settled(self) -> bool:
        """Whether every place has its seat."""
        return all(len(group) == 1 for group in self.groups)


@dataclass(frozen=True)
class State:
    """The truth of a moment; ``titles`` names the seats from the Marshal to the Bandit."""

    phase: str
    titles: tuple[Seat, ...]
    hands: tuple[Bag, ...]  # by seat
    wins: tuple[int, ...]
    deal: int = 0
    stock: Bag = Bag()
    discard: Bag = Bag()
    lots: Lots | None = None
    laid: tuple[Card, ...] = ()  # face down, in the order of laying: for a swap or an offer
    named: int | None = None  # under take_then_give: how many cards the swapper must give
    due: int = 0  # cards chance still has to give: blind draws, or the Bandit's new cards
    offers: int = 0  # made so far
    asked: Card | None = None
    shown: Card | None = None
    answers: tuple[tuple[Seat, Card | None], ...] = ()  # sealed: the card given or laid, or None
    picking: bool = False  # the Storekeeper chooses among those who laid a card
    streak: int = 0  # deals the present Marshal has won running
    over: str = ""
