"""Poker Marshal: what a viewer knows, folded from the events shown to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardlab.cards import Bag, Card
from cardlab.core.dist import Dist
from cardlab.core.events import TEACHER, Event, GameOver, Now, Seat, Viewer
from cardlab.core.game import Action, Seen
from cardlab.core.places import Places
from cardlab.core.values import put, replace
from cardlab.games.marshal_events import (
    Answered,
    Asks,
    BlindDrawn,
    DealWon,
    DrewTitle,
    Gives,
    HandShown,
    Laid,
    LaidBy,
    Named,
    OffersOver,
    Picked,
    PickedNobody,
    Received,
    Redraws,
    Shortfall,
    Shows,
    Shuffled,
    ShuffledBack,
    Silence,
    SwapDone,
    TitleDraw,
    TitlesSet,
)
from cardlab.games.marshal_odds import stock_odds
from cardlab.games.marshal_state import BANDIT, DEPUTY, DRUNK, MARSHAL, Size


@dataclass(frozen=True)
class View(Seen):
    """What somebody knows of a moment; zones of ``places``: stock, discard, laid, ``hand K`` and ``laid K`` of seat K."""

    viewer: Viewer
    now: Now | None
    titles: tuple[Seat, ...]  # empty until they are drawn
    wins: tuple[int, ...]
    rest: Bag  # the pack of a title draw
    places: Places = Places()
    deal: int = 0
    drawn: tuple[tuple[Seat, Card], ...] = ()  # of a title draw
    offers: int = 0
    asked: Card | None = None
    shown: Card | None = None
    named: int | None = None  # under take_then_give
    short: bool = False  # in a swap that takes all the victim's cards but his jokers
    laid_by: tuple[Seat, ...] | None = None  # under ask_or_offer, once opened
    sealed: tuple[tuple[Seat, Card | None], ...] = ()  # own secret answers not yet opened
    swapped: tuple[tuple[Seat, Seat, int], ...] = ()  # who exchanged how many cards with whom
    in_vain: tuple[tuple[Card, int], ...] = ()  # cards asked for, with the number of the Storekeeper's unknown cards then
    story: tuple[Event, ...] = ()  # all that was shown since the cards of this deal were shuffled, from which odds are counted
    shown_hands: tuple[tuple[Seat, Any], ...] = ()
    streak: int = 0  # deals the present Marshal has won running
    over: bool = False
    game: Any = field(default=None, compare=False, repr=False)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards that this viewer knows to be in a hand."""
        return self.places[f"hand {seat}"].sure


class MarshalView:
    """The half of the game that folds views."""

    players: int
    seats: tuple[Seat, ...]
    size: Size
    draw_pack: Bag
    if TYPE_CHECKING:
        rules: Any

    def _blank(self, viewer: Viewer) -> View:
        return View(viewer, None, (), (0,) * self.players, self.draw_pack, game=self)

    def _see(self, v: View, e: Event) -> View:
        v = replace(v, story=(*v.story, e))
        match e:  # the most frequent first
            case Received(seat=seat, card=card):
                return _moves(v, "stock", f"hand {seat}", card)
            case Answered(seat=seat, card=card):
                if card is not None and v.shown:
                    v = _moves(v, f"hand {seat}", f"laid {seat}", card)
                return replace(v, sealed=(*v.sealed, (seat, card)))
            case Asks(seat=seat, card=card):
                unknown = v.places[f"hand {seat}"].unknown
                v = replace(v, asked=card, places=v.places.without(f"hand {seat}", lambda held: held is card))
                return replace(v, in_vain=(*(vain for vain in v.in_vain if vain[0] is not card), (card, unknown)))
            case Laid(seat=seat, card=card):
                return _moves(v, f"hand {seat}", "laid", card)
            case Silence(seat=keeper):
                return _offer_over(replace(v, places=v.places.emptied("laid", f"hand {keeper}")))
            case TitleDraw():
                return replace(v, rest=self.draw_pack, drawn=())
            case DrewTitle(seat=seat, card=card):
                return replace(v, rest=v.rest.without([card]), drawn=(*v.drawn, (seat, card)))
            case ShuffledBack(cards=cards):
                return replace(v, rest=Bag(cards))
            case TitlesSet(rule=rule, seats=seats):
                won = rule == "PM-13"  # not by the first lots
                return replace(v, titles=seats, places=Places(), streak=(v.streak if seats[:1] == v.titles[:1] else 0) + won)
            case Shuffled(deal=deal):
                return replace(
                    v, deal=deal, places=Places.of(self.size.pack, "stock"), drawn=(), offers=0, asked=None, shown=None, named=None,
                    laid_by=None, sealed=(), swapped=(), in_vain=(), story=(), shown_hands=(),
                )  # fmt: skip
            case Named(n=n):
                return replace(v, named=n)
            case Shortfall(seat=seat, to=victim, cards=cards, n=n):
                for card in cards:
                    v = _moves(v, "laid", f"hand {seat}", card)
                v = replace(v, named=None if v.named is None else n, short=n > 0)
                return v if n else _only_jokers(v, victim)
            case BlindDrawn(seat=seat, to=victim, card=card):
                return _moves(v, f"hand {victim}", f"hand {seat}", card)
            case SwapDone(seat=seat, to=victim, cards=cards):
                v = replace(_only_jokers(v, victim), short=False) if v.short else v
                for card in cards:
                    v = _moves(v, "laid", f"hand {victim}", card)
                return replace(v, named=None, swapped=(*v.swapped, (seat, victim, len(cards))))
            case Shows(seat=seat, card=card):
                return replace(v, shown=card, places=v.places.known(f"hand {seat}", [card]))
            case Gives(seat=giver, to=keeper, card=card, laid=laid):
                v = replace(v, swapped=(*v.swapped, (keeper, giver, 1)))
                return _offer_over(_moves(_moves(v, f"hand {giver}", f"hand {keeper}", card), "laid", f"hand {giver}", laid))
            case LaidBy(seats=seats):
                own = {seat for seat, _ in v.sealed}
                for seat in seats:
                    v = v if seat in own else _moves(v, f"hand {seat}", f"laid {seat}", None)
                return replace(v, laid_by=seats, sealed=()) if seats else _offer_over(v)
            case Picked(seat=keeper, to=seat, card=card, laid=laid):
                v = _moves(_moves(v, f"hand {keeper}", f"hand {seat}", card), f"laid {seat}", f"hand {keeper}", laid)
                return _all_back(replace(v, swapped=(*v.swapped, (keeper, seat, 1))), seat)
            case PickedNobody():
                return _all_back(v, None)
            case OffersOver():
                return replace(v, offers=self.size.offers)
            case Redraws(seat=seat):
                return replace(v, places=v.places.emptied(f"hand {seat}", "discard"))
            case HandShown(seat=seat, cards=cards, hand=hand):
                v = replace(v, places=v.places.known(f"hand {seat}", cards))
                return replace(v, shown_hands=(*v.shown_hands, (seat, hand)))
            case DealWon(seat=seat, n=n):
                return replace(v, wins=put(v.wins, seat, n))
            case GameOver():
                return replace(v, over=True)
        return v

    def _expects(self, v: View) -> Dist[Action]:
        assert v.now is not None
        verb = v.now.asks or ""
        if verb in ("shuffle", "show"):
            return Dist.uniform([Action(verb)])
        if verb == "title":
            return Dist.uniform(Action(verb, (card,)) for card in v.rest)
        if verb == "blind":
            swapper, victim = (MARSHAL, BANDIT) if v.now.phase == "marshal" else (DEPUTY, DRUNK)
            if v.viewer not in (TEACHER, v.titles[swapper], v.titles[victim]):
                return Dist.uniform([Action(verb)])
            hand = v.places[f"hand {v.titles[victim]}"].candidates
            return Dist.uniform(Action(verb, (card,)) for card in hand if not card.joker)
        receiver = v.titles[BANDIT] if verb == "draw" else self._receiver(v)
        if v.viewer not in (TEACHER, receiver):
            return Dist.uniform([Action(verb)])
        if verb == "draw" and v.viewer != TEACHER:
            return Dist((Action(verb, (card,)), weight) for card, weight in stock_odds(self.size, v.titles, v.story).items())
        return Dist.uniform(Action(verb, (card,)) for card in v.places["stock"].candidates)

    def _receiver(self, v: View) -> Seat:
        sizes = zip(v.titles, self.size.hands, strict=True)
        return next(seat for seat, size in sizes if v.places[f"hand {seat}"].size < size)


def _moves(v: View, source: str, target: str, card: Card | None) -> View:
    """A card moves; one unseen is no joker where it passes between hands (PM-6), and may be any card of the stock."""
    can = None if source == "stock" else _plain
    return replace(v, places=v.places.moved(source, target, [card], can))


def _only_jokers(v: View, victim: Seat) -> View:
    """All that a victim had besides jokers has been drawn."""
    return replace(v, places=v.places.without(f"hand {victim}", _plain))


def _plain(card: Card) -> bool:
    return not card.joker


def _offer_over(v: View) -> View:
    return replace(v, offers=v.offers + 1, asked=None, shown=None, laid_by=None, sealed=())


def _all_back(v: View, picked: Seat | None) -> View:
    for seat in v.laid_by or ():
        if seat != picked:
            v = replace(v, places=v.places.emptied(f"laid {seat}", f"hand {seat}"))
    return _offer_over(v)
