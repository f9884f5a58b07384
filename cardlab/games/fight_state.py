"""Fight for the Lead: its house rules, its size and its state of play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from cardlab.cards import PACK_52, Bag, Card
from cardlab.core.errors import BadGame
from cardlab.core.events import Seat
from cardlab.core.game import Action, Moves
from cardlab.core.rules import HouseRules, one_of, whole


@dataclass(frozen=True)
class Rules(HouseRules):
    """The house rules of Fight for the Lead."""

    first_dealer: str | int = one_of("lot", seat=True)
    stake: int = whole(4, least=4, multiple_of=4)
    exchange: str = one_of("batch", "one_by_one")
    who_antes: str = one_of("all", "losers_only")
    penalty_cap: str | int = one_of("none", least=1)
    refusal: str = one_of("final", "losers_bound", "pagat_dropout")
    bankroll: Any = one_of("none", least=4, multiple_of=4)
    deals: int = whole(10, least=1)

    def check(self) -> None:
        if self.bankroll != "none" and self.bankroll < self.stake:
            raise BadGame("error.bankroll", rule="bankroll", bankroll=self.bankroll, stake=self.stake)


@dataclass(frozen=True)
class Size:
    """The pack, the cards in a hand (as many tricks) and the most cards exchanged in a deal."""

    pack: tuple[Card, ...] = PACK_52
    hand: int = 4
    exchanges: int = 4


@dataclass(frozen=True)
class State:
    """The truth of a moment: the stock is a bag, its order is nobody's knowledge."""

    phase: str
    dealer: Seat | None
    playing: tuple[Seat, ...]  # still in the game
    balances: tuple[int, ...]
    hands: tuple[Bag, ...]
    tricks: tuple[int, ...]
    deal: int = 0
    bank: int = 0
    last_bank: int = 0  # the whole bank of the last deal, and who lost it
    losers: tuple[Seat, ...] = ()
    staying: tuple[Seat, ...] = ()  # in this deal to its end
    stock: Bag = Bag()
    discard: Bag = Bag()
    turned: tuple[Card, ...] = ()
    reshuffled: Bag | None = None  # the new stock of FL-7 when it was made
    fight: tuple[tuple[Seat, Card], ...] = ()
    sealed: tuple[tuple[Seat, str], ...] = ()
    lead: Seat | None = None
    mover: Seat | None = None
    due: int = 0  # cards the mover is to receive for those exchanged
    exchanged: int = 0
    trick: tuple[tuple[Seat, Card], ...] = ()
    over: str = ""


@lru_cache(maxsize=256)
def exchanges(cards: tuple[Card, ...], most: int) -> Moves:
    """To stand, or to exchange any 1 to ``most`` of some cards."""
    chosen = [Action("exchange", some) for n in range(1, most + 1) for some in combinations(cards, n)]
    return (Action.of("stand"), *sorted(chosen, key=lambda a: a.code))
