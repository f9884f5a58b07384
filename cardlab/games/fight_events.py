"""Fight for the Lead: what happens, in the order of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cardlab.cards import Card
from cardlab.core.events import Event, Seat
from cardlab.words import Phrase


@dataclass(frozen=True, kw_only=True)
class Staked(Event, key="fight.staked"):
    """A player pays the agreed stake (FL-1), or the whole bank of the deal he lost (FL-17)."""

    seat: Seat
    amount: int
    bank: int

    def text_key(self) -> str:
        return f"{self.key}.{'penalty' if self.rule == 'FL-17' else 'stake'}"


@dataclass(frozen=True, kw_only=True)
class Shuffled(Event, key="fight.shuffled"):
    """The dealer shuffles the pack."""

    deal: int
    dealer: Seat


@dataclass(frozen=True, kw_only=True)
class Received(Event, key="fight.received", secret=("card",)):
    """A card of the stock comes into a hand: dealt (FL-3), for the fight card (FL-7) or for one exchanged (FL-8)."""

    seat: Seat
    card: Card | None

    def text_key(self) -> str:
        how = {"FL-3": "deal", "FL-7": "replace", "FL-8": "draw"}[self.rule]
        return f"{self.key}.{how}{'.hidden' if self.blanked else ''}"


@dataclass(frozen=True, kw_only=True)
class FightLaid(Event, key="fight.laid", private=True):
    """A player has laid his fight card face down: told to him alone until all are opened."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class Turned(Event, key="fight.turned"):
    """The dealer turns a card of the stock."""

    card: Card


@dataclass(frozen=True, kw_only=True)
class FightCards(Event, key="fight.cards"):
    """All fight cards are turned up."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]

    def params(self) -> dict[str, Any]:
        pairs = zip(self.seats, self.cards, strict=True)
        return {"laid": tuple(Phrase.of("event.fight.cards.one", seat=seat, card=card) for seat, card in pairs)}


@dataclass(frozen=True, kw_only=True)
class NoMatch(Event, key="fight.no_match"):
    """No fight card has the suit of the turned card."""

    card: Card

    def params(self) -> dict[str, Any]:
        return {"suit": Phrase.of(f"suit.{self.card.suit}")}


@dataclass(frozen=True, kw_only=True)
class LeadWon(Event, key="fight.lead_won"):
    """The highest fight card of the turned suit (FL-5), or of all when the stock is used up (FL-6), wins the first lead."""

    seat: Seat
    card: Card

    def text_key(self) -> str:
        return f"{self.key}.{'match' if self.rule == 'FL-5' else 'highest'}"


@dataclass(frozen=True, kw_only=True)
class Reshuffled(Event, key="fight.reshuffled"):
    """The stock is too short to replace the fight cards: the turned cards go back into it."""

    cards: tuple[Card, ...]
    stock: int


@dataclass(frozen=True, kw_only=True)
class Sealed(Event, key="fight.sealed", private=True):
    """A secret answer, told to its seat alone until all are opened: stay or drop, continue or refuse."""

    seat: Seat
    choice: str

    def text_key(self) -> str:
        return f"{self.key}.{self.choice}"


@dataclass(frozen=True, kw_only=True)
class DropsOpened(Event, key="fight.drops"):
    """Who drops out of this deal."""

    seats: tuple[Seat, ...]

    def text_key(self) -> str:
        return self.key if self.seats else f"{self.key}.none"


@dataclass(frozen=True, kw_only=True)
class BankUnplayed(Event, key="fight.bank_unplayed"):
    """Fewer than two stay: one player takes the bank without play."""

    seat: Seat
    amount: int


@dataclass(frozen=True, kw_only=True)
class LeadPasses(Event, key="fight.lead_passes"):
    """The fight's winner has dropped: his lead goes to the next who stays."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Stands(Event, key="fight.stands"):
    """A player exchanges nothing (more)."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Exchanged(Event, key="fight.exchanged", secret=("cards",)):
    """A player discards cards unseen and pays for each."""

    seat: Seat
    cards: tuple[Card | None, ...]
    fee: int
    bank: int


class Fits(StrEnum):
    """How a played card fits the trick."""

    LEADS = "leads"
    FOLLOWS = "follows"
    DISCARDS = "discards"


@dataclass(frozen=True, kw_only=True)
class Played(Event, key="fight.played"):
    """A card of a trick; a discard shows that its player has none of the suit led."""

    seat: Seat
    card: Card
    fits: Fits
    suit: int  # the suit led

    def params(self) -> dict[str, Any]:
        return {"seat": self.seat, "card": self.card, "suit": Phrase.of(f"suit.{self.suit}")}

    def text_key(self) -> str:
        return f"{self.key}.{self.fits}"


@dataclass(frozen=True, kw_only=True)
class TrickWon(Event, key="fight.trick_won"):
    """The highest card of the suit led takes the trick."""

    seat: Seat
    card: Card
    tricks: int

    def params(self) -> dict[str, Any]:
        return {**super().params(), "n": self.tricks}


@dataclass(frozen=True, kw_only=True)
class DealOver(Event, key="fight.deal_over"):
    """All tricks are played: the bank is shared out."""

    bank: int


@dataclass(frozen=True, kw_only=True)
class Share(Event, key="fight.share"):
    """A quarter of the bank for each trick."""

    seat: Seat
    n: int
    amount: int


@dataclass(frozen=True, kw_only=True)
class Loses(Event, key="fight.loses"):
    """A player without a trick is a loser of the deal."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class RefusalsOpened(Event, key="fight.refusals"):
    """Who refuses to go on."""

    seats: tuple[Seat, ...]

    def text_key(self) -> str:
        return self.key if self.seats else f"{self.key}.none"


@dataclass(frozen=True, kw_only=True)
class Broke(Event, key="fight.broke"):
    """Under ``bankroll``: a player cannot pay the stake due and leaves."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class NextDeal(Event, key="fight.next_deal"):
    """The deal passes on."""

    dealer: Seat
