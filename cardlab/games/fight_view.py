"""Fight for the Lead: what a viewer knows, folded from the events shown to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardlab.cards import Card
from cardlab.core.dist import Dist
from cardlab.core.events import TEACHER, Event, FirstDealer, GameOver, Now, Seat, Viewer
from cardlab.core.game import Action, Seen
from cardlab.core.places import Places, mask_of
from cardlab.core.values import put, replace
from cardlab.games.fight_events import (
    BankUnplayed,
    Broke,
    DealOver,
    DropsOpened,
    Exchanged,
    FightCards,
    FightLaid,
    Fits,
    LeadPasses,
    LeadWon,
    Loses,
    NextDeal,
    Played,
    Received,
    RefusalsOpened,
    Reshuffled,
    Sealed,
    Share,
    Shuffled,
    Staked,
    TrickWon,
    Turned,
)
from cardlab.games.fight_state import Size


@dataclass(frozen=True)
class View(Seen):
    """What somebody knows of a moment; zones of ``places``: stock, discard, turned, trick, ``hand K`` and ``fight K`` of seat K."""

    viewer: Viewer
    now: Now | None
    playing: tuple[Seat, ...]
    balances: tuple[int, ...]
    tricks: tuple[int, ...]
    places: Places = Places()
    deal: int = 0
    dealer: Seat | None = None
    bank: int = 0
    last_bank: int = 0
    losers: tuple[Seat, ...] = ()
    staying: tuple[Seat, ...] = ()
    turned: tuple[Card, ...] = ()
    fight: tuple[tuple[Seat, Card], ...] = ()  # opened
    lead: Seat | None = None
    trick: tuple[tuple[Seat, Card], ...] = ()
    played: tuple[tuple[Seat, Card], ...] = ()  # all tricks of the deal
    exchanged: tuple[int, ...] = ()
    exchanging: Seat | None = None
    sealed: tuple[tuple[Seat, str], ...] = ()  # own secret answers not yet opened
    over: bool = False
    story: tuple[Event, ...] = ()  # all that was shown since the cards of this deal were shuffled
    got: tuple[Card, ...] = ()  # the cards this viewer has seen come into hands in this deal, in their order
    pool: int = 0  # after FL-7: places of the new stock whose cards this viewer has not seen
    returned: int = 0  # after FL-7: the turned cards among them, as a mask
    game: Any = field(default=None, compare=False, repr=False)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards that this viewer knows to be in a hand."""
        return self.places[f"hand {seat}"].sure


class FightView:
    """The half of the game that folds views."""

    players: int
    seats: tuple[Seat, ...]
    size: Size
    if TYPE_CHECKING:
        rules: Any

    def _blank(self, viewer: Viewer) -> View:
        nothing = (0,) * self.players
        return View(viewer, None, self.seats, nothing, nothing, game=self)

    def _see(self, v: View, e: Event) -> View:
        v = replace(v, story=(*v.story, e))
        match e:  # the most frequent first
            case Received(seat=seat, card=card):
                if card is not None:
                    v = replace(v, got=(*v.got, card))
                if card is not None and v.pool:
                    v = replace(v, pool=v.pool - 1, returned=v.returned & ~mask_of([card]))
                v = _moves(v, "stock", f"hand {seat}", card)
                if v.pool and v.pool == v.returned.bit_count():  # only turned cards are left of the new stock
                    v = replace(v, places=v.places.without("stock", lambda held: not mask_of([held]) & v.returned))
                return v
            case Played(seat=seat, card=card, fits=fits, suit=suit):
                places = v.places.moved(f"hand {seat}", "trick", [card])
                if fits is Fits.DISCARDS:
                    places = places.without(f"hand {seat}", lambda held: held.suit == suit)
                return replace(v, places=places, trick=(*v.trick, (seat, card)), played=(*v.played, (seat, card)))
            case TrickWon(seat=seat):
                tricks = put(v.tricks, seat, v.tricks[seat] + 1)
                return replace(v, places=v.places.emptied("trick", "discard"), trick=(), tricks=tricks)
            case FightLaid(seat=seat, card=card):
                places = v.places.moved(f"hand {seat}", f"fight {seat}", [card])
                return replace(v, places=places, sealed=(*v.sealed, (seat, "fight")))
            case Exchanged(seat=seat, cards=cards, fee=fee):
                v = replace(v, places=v.places.moved(f"hand {seat}", "discard", cards))
                exchanged = put(v.exchanged, seat, v.exchanged[seat] + len(cards))
                return replace(_pays(v, seat, fee), exchanged=exchanged, exchanging=seat)
            case Sealed(seat=seat, choice=choice):
                return replace(v, sealed=(*v.sealed, (seat, choice)))
            case FirstDealer(dealer=dealer) | NextDeal(dealer=dealer):
                return replace(v, dealer=dealer)
            case Staked(seat=seat, amount=amount):
                return _pays(v, seat, amount)
            case Shuffled(deal=deal):
                nothing = (0,) * self.players
                return replace(
                    v, deal=deal, places=Places.of(self.size.pack, "stock"), tricks=nothing, exchanged=nothing, turned=(), fight=(),
                    lead=None, trick=(), played=(), sealed=(), exchanging=None, staying=v.playing, losers=(), got=(), pool=0, returned=0,
                    story=(),
                )  # fmt: skip
            case Turned(card=card):
                return replace(_moves(v, "stock", "turned", card), turned=(*v.turned, card))
            case FightCards(seats=seats, cards=cards):
                own = {seat for seat, _ in v.sealed}
                for seat, card in zip(seats, cards, strict=True):
                    v = _moves(v, f"fight {seat}" if seat in own else f"hand {seat}", "discard", card)
                return replace(v, fight=tuple(zip(seats, cards, strict=True)), sealed=())
            case LeadWon(seat=seat) | LeadPasses(seat=seat):
                return replace(v, lead=seat)
            case Reshuffled(stock=stock, cards=cards):
                return replace(v, places=v.places.emptied("turned", "stock"), pool=stock, returned=mask_of(cards))
            case DropsOpened(seats=seats):
                for seat in seats:
                    v = replace(v, places=v.places.emptied(f"hand {seat}", "discard"))
                return replace(v, staying=tuple(seat for seat in v.playing if seat not in seats), sealed=())
            case BankUnplayed(seat=seat, amount=amount):
                return replace(_pays(v, seat, -amount), last_bank=amount, deal=self._next_number(v))
            case Share(seat=seat, amount=amount):
                return _pays(v, seat, -amount)
            case DealOver(bank=bank):
                return replace(v, last_bank=bank, deal=self._next_number(v))
            case Loses(seat=seat):
                return replace(v, losers=(*v.losers, seat))
            case RefusalsOpened(seats=seats):
                return replace(v, playing=tuple(seat for seat in v.playing if seat not in seats), sealed=())
            case Broke(seat=seat):
                return replace(v, playing=tuple(other for other in v.playing if other != seat))
            case GameOver():
                return replace(v, over=True)
        return v

    def _next_number(self, v: View) -> int:
        """The deal that what follows belongs to: leaving the game is asked before the next one is dealt."""
        return v.deal if v.deal + 1 == self.rules.deals else v.deal + 1

    def _expects(self, v: View) -> Dist[Action]:
        assert v.now is not None
        verb = v.now.asks or ""
        if verb == "dealer":
            return Dist.uniform(Action(verb, number=seat) for seat in self.seats)
        if verb == "shuffle":
            return Dist.uniform([Action(verb)])
        if verb != "turn" and v.viewer not in (TEACHER, self._receiver(v)):
            return Dist.uniform([Action(verb)])  # a card goes to somebody face down
        candidates = v.places["stock"].candidates
        fresh = [card for card in candidates if not mask_of([card]) & v.returned]
        if not v.pool or not fresh or v.viewer == TEACHER:
            return Dist.uniform(Action(verb, (card,)) for card in candidates)
        # each turned card that went back lies at any of the pool's unseen places alike; the rest of these is shared by the unseen cards
        back = v.returned.bit_count()
        weights = {card: len(fresh) if card not in fresh else v.pool - back for card in candidates}
        return Dist((Action(verb, (card,)), weight) for card, weight in weights.items())

    def _receiver(self, v: View) -> Seat | None:
        assert v.now is not None
        if v.now.phase == "exchange":
            return v.exchanging
        assert v.dealer is not None
        first = v.dealer + 1
        return min(v.playing, key=lambda seat: (v.places[f"hand {seat}"].size, (seat - first) % self.players))


def _moves(v: View, source: str, target: str, card: Card | None) -> View:
    return replace(v, places=v.places.moved(source, target, [card]))


def _pays(v: View, seat: Seat, amount: int) -> View:
    return replace(v, bank=v.bank + amount, balances=put(v.balances, seat, v.balances[seat] - amount))
