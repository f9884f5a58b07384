"""Suicide King: pure chance; whoever takes the king of hearts or the last card is safe, the last player left loses."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, ClassVar, Final

from cardlab.cards import KING_OF_HEARTS, PACK_52, Bag, Card
from cardlab.cards.card import ACE, JACK, KING, QUEEN
from cardlab.core import streams
from cardlab.core.dist import Dist
from cardlab.core.errors import Reason
from cardlab.core.events import Event, FirstDealer, GameOver, Now, Seat, Viewer
from cardlab.core.game import CHANCE, OVER, Action, Draw, Game, Outcome, Seen, Turn
from cardlab.core.rules import HouseRules, one_of
from cardlab.core.values import put, replace
from cardlab.words import Words

EXTRA_CARDS: Final = {ACE: 4, KING: 3, QUEEN: 2, JACK: 1}  # SK-7


@dataclass(frozen=True)
class Rules(HouseRules):
    """The house rules of Suicide King."""

    first_dealer: str | int = one_of("lot", seat=True)
    last_player: str = one_of("loses", "wins")
    king_of_hearts: str = one_of("deal_goes_on", "ends_deal")
    extra_cards: str = one_of("reset", "batch")
    next_dealer: str = one_of("rotates", "last_leaver")
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "default": {},
        "pagat": {"last_player": "wins", "king_of_hearts": "ends_deal", "extra_cards": "reset"},
    }


@dataclass(frozen=True)
class Size:
    """The pack and the piles; the first pile is the one in the middle."""

    pack: tuple[Card, ...] = PACK_52
    piles: tuple[int, ...] = (12, 10, 10, 10, 10)


@dataclass(frozen=True)
class Table:
    """What lies open in a deal; in this game it is the whole state, and every viewer knows it."""

    deal: int
    dealer: Seat | None
    playing: tuple[Seat, ...]
    left: tuple[Seat, ...]  # in the order of leaving
    turn: Seat | None  # whose turn it is; None before the deal
    due: int  # cards due, the one about to be taken included
    extra: bool  # whether those are extra cards
    queue: tuple[int, ...]  # under batch: numbers still to come
    honour: bool  # under batch: whether this batch has had an honour
    piles: tuple[int, ...]  # cards left in each
    unseen: Bag
    pile: int | None  # the pile whose top card is about to be shown


@dataclass(frozen=True)
class View(Seen):
    """A table as somebody sees it, and the cards shown in this deal, with their takers."""

    viewer: Viewer
    now: Now | None
    table: Table
    shown: tuple[tuple[Seat, Card], ...] = ()
    game: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Shuffled(Event, key="suicide_king.shuffled"):
    """The dealer shuffles and lays the piles."""

    deal: int
    dealer: Seat


@dataclass(frozen=True, kw_only=True)
class Begins(Event, key="suicide_king.begins"):
    """A player has the first turn of a deal."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Chose(Event, key="suicide_king.chose"):
    """A player reaches for a pile."""

    seat: Seat
    pile: int

    def text_key(self) -> str:
        return f"{self.key}.{'around' if self.pile else 'middle'}"


@dataclass(frozen=True, kw_only=True)
class Took(Event, key="suicide_king.took"):
    """A player takes the top card of a pile and shows it."""

    seat: Seat
    pile: int
    card: Card


@dataclass(frozen=True, kw_only=True)
class Passed(Event, key="suicide_king.passed"):
    """The turn passes on: after a low card (SK-6), or after the last extra card (SK-8)."""

    seat: Seat
    to: Seat

    def text_key(self) -> str:
        return f"{self.key}.{'low' if self.rule == 'SK-6' else 'extra'}"


@dataclass(frozen=True, kw_only=True)
class Owes(Event, key="suicide_king.owes"):
    """An honour asks for extra cards: the first one (SK-7), or another that replaces what was due (SK-8)."""

    seat: Seat
    n: int

    def text_key(self) -> str:
        return f"{self.key}.{'first' if self.rule == 'SK-7' else 'replaced'}"


@dataclass(frozen=True, kw_only=True)
class StillOwes(Event, key="suicide_king.still_owes"):
    """A low extra card: so many are still due."""

    seat: Seat
    n: int


@dataclass(frozen=True, kw_only=True)
class Queued(Event, key="suicide_king.queued"):
    """Under ``batch``: an honour's number waits until the batch is taken."""

    seat: Seat
    n: int


@dataclass(frozen=True, kw_only=True)
class NextBatch(Event, key="suicide_king.next_batch"):
    """Under ``batch``: the next number of the queue falls due."""

    seat: Seat
    n: int


@dataclass(frozen=True, kw_only=True)
class Leaves(Event, key="suicide_king.leaves"):
    """A player leaves the game: by the king of hearts (SK-9) or by the last card (SK-10)."""

    seat: Seat

    def text_key(self) -> str:
        return f"{self.key}.{'king' if self.rule == 'SK-9' else 'last'}"


@dataclass(frozen=True, kw_only=True)
class DealGoesOn(Event, key="suicide_king.deal_goes_on"):
    """After the king of hearts the next player goes on with the same deal."""

    to: Seat


@dataclass(frozen=True, kw_only=True)
class NextDeal(Event, key="suicide_king.next_deal"):
    """The remaining players deal again."""

    dealer: Seat


class SuicideKing(Game[Table, View]):
    """The rules SK-1 to SK-12."""

    name = "suicide_king"
    letters = "SK"
    player_counts = range(2, 6)
    usual_players = 4
    rules_type = Rules
    rule_count = 12
    verbs = ("take",)
    card_draws = ("card",)
    phases = ("lot", "deal", "turns", "over")

    def __init__(self, players: int | None = None, preset: str = "default", *, size: Size | None = None, **house: Any) -> None:
        super().__init__(players, preset, **house)
        self.size = size or Size()
        # a twin may stop after the honours: they are handed out first
        self.pack = tuple(sorted(self.size.pack, key=lambda card: (_importance(card), card)))
        self.pile_starts = (0, *accumulate(self.size.piles))[:-1]

    def start(self) -> Table:
        named = self.rules.first_dealer
        dealer = None if named == "lot" else Seat(named)
        piles = (0,) * len(self.size.piles)
        return Table(0, dealer, self.seats, (), None, 0, False, (), False, piles, Bag(), None)

    def phase(self, s: Table) -> str:
        if len(s.playing) == 1:
            return "over"
        if s.turn is None:
            return "lot" if s.dealer is None else "deal"
        return "turns"

    def actor(self, s: Table) -> Seat | Turn:
        if len(s.playing) == 1:
            return OVER  # SK-11
        return CHANCE if s.turn is None or s.pile is not None else s.turn

    def _moves(self, s: Table, seat: Seat) -> list[Action]:
        return [Action.of("take", pile) for pile, cards in enumerate(s.piles) if cards]  # SK-5

    def _why_not(self, s: Table, a: Action) -> Reason:
        full = ", ".join(str(pile) for pile, cards in enumerate(s.piles) if cards)
        if a.verb == "take" and a.number is not None and a.number < len(s.piles):
            return Reason.of("SK-5", "suicide_king.empty", pile=a.number, piles=full)
        return Reason.of("SK-5", "suicide_king.take", piles=full)

    def draw(self, s: Table) -> Draw:
        if s.dealer is None:
            return Draw("dealer", streams.LOTS, numbers=tuple(range(self.players)))  # SK-2
        if s.pile is None:
            return Draw("shuffle")
        place = self.pile_starts[s.pile] + self.size.piles[s.pile] - s.piles[s.pile]  # SK-3
        return Draw("card", streams.DECK, cards=s.unseen.cards, place=place, pack=self.pack)

    def card_at(self, place: int, order: tuple[int, ...], pack: tuple[Card, ...]) -> Card:
        return pack[order.index(place)]  # the places are shuffled and handed to the cards

    def _apply(self, s: Table, a: Action) -> tuple[Table, list[Event]]:
        if a.verb == "dealer":
            assert a.number is not None
            dealer = Seat(a.number)
            return replace(s, dealer=dealer), [FirstDealer(rule="SK-2", dealer=dealer, lot=True)]
        if a.verb == "shuffle":
            return self._shuffle(s)
        assert s.turn is not None
        if a.verb == "take":
            return replace(s, pile=a.number), [Chose(rule="SK-5", seat=s.turn, pile=a.number or 0)]
        return self._show(s, s.turn, a.card)

    def _shuffle(self, s: Table) -> tuple[Table, list[Event]]:
        assert s.dealer is not None
        first = self.next_of(s.dealer, s.playing)  # SK-4
        events: list[Event] = []
        if s.deal == 0 and self.rules.first_dealer != "lot":
            events.append(FirstDealer(rule="SK-2", dealer=s.dealer, lot=False))
        events.append(Shuffled(rule="SK-3", deal=s.deal, dealer=s.dealer))
        events.append(Begins(rule="SK-4", seat=first))
        after = replace(s, turn=first, due=1, extra=False, queue=(), honour=False, piles=self.size.piles, unseen=Bag(self.size.pack))
        return after, events

    def _show(self, s: Table, seat: Seat, card: Card) -> tuple[Table, list[Event]]:
        assert s.pile is not None
        piles = put(s.piles, s.pile, s.piles[s.pile] - 1)
        events: list[Event] = [Took(rule="SK-5", seat=seat, pile=s.pile, card=card)]
        s = replace(s, piles=piles, unseen=s.unseen.without([card]), pile=None)
        if card is KING_OF_HEARTS:
            return self._leave(s, seat, "SK-9", events)
        if not s.unseen:
            return self._leave(s, seat, "SK-10", events)
        extra = EXTRA_CARDS.get(card.rank or 0, 0)
        if self.rules.extra_cards == "batch":
            return self._batch(s, seat, extra, events)
        if extra:
            events.append(Owes(rule="SK-8" if s.extra else "SK-7", seat=seat, n=extra))
            return replace(s, due=extra, extra=True), events
        if s.due > 1:
            events.append(StillOwes(rule="SK-7", seat=seat, n=s.due - 1))
            return replace(s, due=s.due - 1), events
        return self._pass_on(s, seat, events)

    def _batch(self, s: Table, seat: Seat, extra: int, events: list[Event]) -> tuple[Table, list[Event]]:
        if extra and not s.extra:
            events.append(Owes(rule="SK-7", seat=seat, n=extra))
            return replace(s, due=extra, extra=True), events
        if extra:
            events.append(Queued(rule="SK-8", seat=seat, n=extra))
            s = replace(s, queue=(*s.queue, extra), honour=True)
        if s.due > 1:
            events.append(StillOwes(rule="SK-7", seat=seat, n=s.due - 1))
            return replace(s, due=s.due - 1), events
        if s.honour:
            due, *queue = s.queue
            events.append(NextBatch(rule="SK-8", seat=seat, n=due))
            return replace(s, due=due, queue=tuple(queue), honour=False), events
        return self._pass_on(s, seat, events)

    def _pass_on(self, s: Table, seat: Seat, events: list[Event]) -> tuple[Table, list[Event]]:
        to = self.next_of(seat, s.playing)
        events.append(Passed(rule="SK-8" if s.extra else "SK-6", seat=seat, to=to))
        return _turn_of(s, to), events

    def _leave(self, s: Table, seat: Seat, rule: str, events: list[Event]) -> tuple[Table, list[Event]]:
        playing = tuple(other for other in s.playing if other != seat)
        s = replace(s, playing=playing, left=(*s.left, seat), due=0, queue=(), honour=False)
        events.append(Leaves(rule=rule, seat=seat))
        if len(playing) == 1:
            events.append(GameOver(rule="SK-11", why=f"suicide_king.{self.rules.last_player}"))
            return s, events
        if s.unseen and self.rules.king_of_hearts == "deal_goes_on":
            to = self.next_of(seat, playing)
            events.append(DealGoesOn(rule="SK-9", to=to))
            return _turn_of(s, to), events
        assert s.dealer is not None
        dealer = seat if self.rules.next_dealer == "last_leaver" else self.next_of(s.dealer, playing)
        events.append(NextDeal(rule="SK-12", dealer=dealer))
        return replace(s, deal=s.deal + 1, dealer=dealer, turn=None), events

    def outcome(self, s: Table) -> Outcome | None:
        if len(s.playing) > 1:
            return None
        places = (*s.left, *s.playing)  # SK-1
        standing = reversed(places) if self.rules.last_player == "wins" else places
        return Outcome("last_player", tuple((seat,) for seat in standing))

    def say_action(self, a: Action, words: Words) -> str:
        if a.verb == "take" and a.number == 0:
            return words.text("action.suicide_king.take.middle")
        return super().say_action(a, words)

    def lying(self, s: Table) -> tuple[Card, ...]:
        return ()  # the cards taken are not part of the state: those unseen are all that matters

    def key(self, s: Table) -> Hashable:
        unseen = Bag() if s.turn is None else s.unseen
        kinds = tuple(sum(_importance(card) == kind for card in unseen) for kind in range(6))
        return (s.dealer, s.playing, s.turn, s.due, s.extra, s.queue, s.honour, s.pile is None, kinds)

    def bound(self) -> int:
        return 1 + (self.players - 1) * (1 + 2 * len(self.size.pack))

    # what a viewer knows: the table itself

    def _blank(self, viewer: Viewer) -> View:
        return View(viewer, None, self.start(), game=self)

    def _see(self, v: View, e: Event) -> View:
        t, shown = v.table, v.shown
        match e:
            case FirstDealer(dealer=dealer):
                t = replace(t, dealer=dealer)
            case NextDeal(dealer=dealer):
                t = replace(t, deal=t.deal + 1, dealer=dealer, turn=None)
            case Shuffled(deal=deal):
                t = replace(t, deal=deal, piles=self.size.piles, unseen=Bag(self.size.pack), queue=(), honour=False)
                shown = ()
            case Begins(seat=seat) | Passed(to=seat) | DealGoesOn(to=seat):
                t = _turn_of(t, seat)
            case Chose(pile=pile):
                t = replace(t, pile=pile)
            case Took(seat=seat, pile=pile, card=card):
                piles = put(t.piles, pile, t.piles[pile] - 1)
                t = replace(t, piles=piles, unseen=t.unseen.without([card]), pile=None)
                shown = (*shown, (seat, card))
            case Owes(n=n):
                t = replace(t, due=n, extra=True)
            case StillOwes(n=n):
                t = replace(t, due=n)
            case Queued(n=n):
                t = replace(t, queue=(*t.queue, n), honour=True)
            case NextBatch(n=n):
                t = replace(t, due=n, queue=t.queue[1:], honour=False)
            case Leaves(seat=seat):
                playing = tuple(other for other in t.playing if other != seat)
                t = replace(t, playing=playing, left=(*t.left, seat), due=0, queue=(), honour=False)
        return replace(v, table=t, shown=shown)

    def _expects(self, v: View) -> Dist[Action]:
        return Dist.uniform(self.draw(v.table).options)


def _turn_of(s: Table, seat: Seat) -> Table:
    return replace(s, turn=seat, due=1, extra=False, queue=(), honour=False)


def _importance(card: Card) -> int:
    """King of hearts, kings, queens, jacks, aces, low cards: 0 to 5."""
    if card is KING_OF_HEARTS:
        return 0
    return {KING: 1, QUEEN: 2, JACK: 3, ACE: 4}.get(card.rank or 0, 5)
