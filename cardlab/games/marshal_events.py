"""Poker Marshal: what happens, in the order of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardlab.cards import Card
from cardlab.core.events import Event, Seat
from cardlab.words import Phrase


@dataclass(frozen=True, kw_only=True)
class TitleDraw(Event, key="marshal.title_draw"):
    """These seats draw for the places they share: at first (PM-1), or after equal hands (PM-13)."""

    seats: tuple[Seat, ...]

    def text_key(self) -> str:
        return f"{self.key}.{'first' if self.rule == 'PM-1' else 'hands'}"


@dataclass(frozen=True, kw_only=True)
class DrewTitle(Event, key="marshal.drew_title"):
    """A player draws a card for a title, open."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class TitleTie(Event, key="marshal.title_tie"):
    """Equal ranks: these seats draw again."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class ShuffledBack(Event, key="marshal.shuffled_back"):
    """The pack ran out during the draw: the drawn cards are shuffled back."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, kw_only=True)
class TitlesSet(Event, key="marshal.titles"):
    """The titles, from Marshal to Bandit; players sit in this order."""

    seats: tuple[Seat, ...]

    def params(self) -> dict[str, Any]:
        held = enumerate(self.seats)
        return {"titles": tuple(Phrase.of("event.marshal.titles.one", seat=seat, title=Phrase.of(f"title.{k}")) for k, seat in held)}


@dataclass(frozen=True, kw_only=True)
class Shuffled(Event, key="marshal.shuffled"):
    """The Storekeeper shuffles the pack."""

    deal: int
    dealer: Seat


@dataclass(frozen=True, kw_only=True)
class Received(Event, key="marshal.received", secret=("card",)):
    """A card of the stock comes into a hand: dealt (PM-3), or the Bandit's new one (PM-11)."""

    seat: Seat
    card: Card | None

    def text_key(self) -> str:
        return f"{self.key}.{'deal' if self.rule == 'PM-3' else 'draw'}{'.hidden' if self.blanked else ''}"


@dataclass(frozen=True, kw_only=True)
class Laid(Event, key="marshal.laid", secret=("card",)):
    """A card is laid face down: by the Marshal (PM-4), the Deputy (PM-5) or the Storekeeper (PM-7)."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, kw_only=True)
class Named(Event, key="marshal.named"):
    """Under ``take_then_give``: how many cards are to be drawn."""

    seat: Seat
    to: Seat
    n: int


@dataclass(frozen=True, kw_only=True)
class NoSwap(Event, key="marshal.no_swap"):
    """The Marshal or the Deputy exchanges nothing."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Shortfall(Event, key="marshal.shortfall", secret=("cards",)):
    """The victim has too few cards that are not jokers: surplus cards go back (none under ``take_then_give``)."""

    seat: Seat
    to: Seat
    cards: tuple[Card | None, ...]
    n: int  # cards that can be drawn

    def text_key(self) -> str:
        return self.key


@dataclass(frozen=True, kw_only=True)
class BlindDrawn(Event, key="marshal.blind", secret=("card",)):
    """A card is drawn unseen from a hand: known to both parties afterwards."""

    seat: Seat
    to: Seat  # from whose hand
    card: Card | None


@dataclass(frozen=True, kw_only=True)
class SwapDone(Event, key="marshal.swap_done", secret=("cards",)):
    """The cards laid go to the other hand; shown to nobody else."""

    seat: Seat
    to: Seat
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, kw_only=True)
class Asks(Event, key="marshal.asks"):
    """The Storekeeper asks for a named card, which he does not hold."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class Shows(Event, key="marshal.shows"):
    """Under ``ask_or_offer``: the Storekeeper shows a card he would give."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class OffersOver(Event, key="marshal.offers_over"):
    """The Storekeeper makes no more offers."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Answered(Event, key="marshal.answered", private=True):
    """A secret answer to an offer, told to its seat alone: the card it gives or lays, or none."""

    seat: Seat
    card: Card | None

    def text_key(self) -> str:
        return f"{self.key}.{'silent' if self.card is None else 'card'}"


@dataclass(frozen=True, kw_only=True)
class Gives(Event, key="marshal.gives", secret=("laid",)):
    """A holder gives the card asked for and takes the card laid beside it."""

    seat: Seat
    to: Seat
    card: Card
    laid: Card | None


@dataclass(frozen=True, kw_only=True)
class Silence(Event, key="marshal.silence"):
    """Nobody gives: whether anyone holds the card is not said."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class LaidBy(Event, key="marshal.laid_by"):
    """Under ``ask_or_offer``: who laid a card for the one shown."""

    seats: tuple[Seat, ...]

    def text_key(self) -> str:
        return self.key if self.seats else f"{self.key}.none"


@dataclass(frozen=True, kw_only=True)
class Picked(Event, key="marshal.picked", secret=("laid",)):
    """Under ``ask_or_offer``: the Storekeeper takes one laid card unseen for the one he showed."""

    seat: Seat
    to: Seat
    card: Card
    laid: Card | None


@dataclass(frozen=True, kw_only=True)
class PickedNobody(Event, key="marshal.picked_nobody"):
    """Under ``ask_or_offer``: all laid cards go back."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Keeps(Event, key="marshal.keeps"):
    """The Bandit keeps his cards."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Redraws(Event, key="marshal.redraws", secret=("cards",)):
    """The Bandit discards all his cards unseen for new ones."""

    seat: Seat
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, kw_only=True)
class HandShown(Event, key="marshal.hand_shown"):
    """A hand is shown; ``hand`` says what it is worth."""

    seat: Seat
    cards: tuple[Card, ...]
    hand: Any


@dataclass(frozen=True, kw_only=True)
class IncumbentStays(Event, key="marshal.incumbent"):
    """Under ``title_tie=incumbent``: of equal hands the higher old title stays higher."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class DealWon(Event, key="marshal.deal_won"):
    """The new Marshal has won the deal."""

    seat: Seat
    n: int  # deals won so far
