"""Poker Marshal: five unequal seats, jokers, forced and offered swaps, titles that pass on."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from itertools import groupby
from typing import Any

from cardlab.cards import Bag, Card, best
from cardlab.core import streams
from cardlab.core.errors import BadGame, Reason
from cardlab.core.events import Event, GameOver, Seat
from cardlab.core.game import CHANCE, OVER, Action, Draw, Game, Outcome, Turn
from cardlab.core.values import put, replace
from cardlab.games.marshal_events import (
    Answered,
    Asks,
    BlindDrawn,
    DealWon,
    DrewTitle,
    Gives,
    HandShown,
    IncumbentStays,
    Keeps,
    Laid,
    LaidBy,
    Named,
    NoSwap,
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
    TitleTie,
)
from cardlab.games.marshal_state import BANDIT, DEPUTY, DRUNK, MARSHAL, STOREKEEPER, STREAK, Lots, Rules, Size, State
from cardlab.games.marshal_view import MarshalView, View
from cardlab.words import Words

SWAPS = {"marshal": (MARSHAL, BANDIT, "PM-4"), "deputy": (DEPUTY, DRUNK, "PM-5")}


class PokerMarshal(MarshalView, Game[State, View]):
    """The rules PM-1 to PM-14."""

    name = "poker_marshal"
    letters = "PM"
    player_counts = range(5, 6)
    usual_players = 5
    rules_type = Rules
    rule_count = 14
    verbs = ("enough", "lay", "take", "give", "ask", "show", "silent", "accept", "pass", "nobody", "pick", "keep", "redraw")
    card_draws = ("title", "deal", "blind", "draw")
    phases = ("titles", "deal", "marshal", "deputy", "offers", "bandit", "show", "ties", "over")

    def __init__(self, players: int | None = None, preset: str = "default", *, size: Size | None = None, **house: Any) -> None:
        super().__init__(players, preset, **house)
        self.size = size or Size()
        self.draw_pack = Bag(card for card in self.size.pack if not card.joker)
        self.asks = dict(zip(self.draw_pack, Action.each("ask", self.draw_pack), strict=True))
        if len(self.draw_pack) < self.players or sum(self.size.hands) > len(self.size.pack):
            raise BadGame("error.size", rule="PM-0")

    def start(self) -> State:
        nothing = (0,) * self.players
        return State("titles", self.seats, (Bag(),) * self.players, nothing, lots=Lots((self.seats,), self.draw_pack))

    def phase(self, s: State) -> str:
        return s.phase

    def actor(self, s: State) -> Seat | Turn:
        if s.phase == "over":
            return OVER
        if s.phase in SWAPS and not s.due:
            return s.titles[SWAPS[s.phase][0]]
        if s.phase == "offers":
            answerer = self._answerer(s)
            return s.titles[STOREKEEPER] if answerer is None else answerer
        if s.phase == "bandit" and not s.due:
            return s.titles[BANDIT]
        return CHANCE

    def draw(self, s: State) -> Draw:
        if s.lots is not None:
            return Draw("title", streams.LOTS, cards=s.lots.rest.cards)
        if s.phase in SWAPS:
            return Draw("blind", streams.BLIND, cards=plain(s.hands[s.titles[SWAPS[s.phase][1]]]))
        if s.phase == "show":
            return Draw("show")
        if s.phase == "deal" and not s.stock:
            return Draw("shuffle")
        place = len(self.size.pack) - len(s.stock)
        return Draw("deal" if s.phase == "deal" else "draw", streams.DECK, cards=s.stock.cards, place=place, pack=self.size.pack)

    def _apply(self, s: State, a: Action) -> tuple[State, list[Event]]:
        if a.verb == "title":
            return self._draw_title(s, a.card)
        if a.verb == "shuffle":
            dealer = s.titles[STOREKEEPER]
            return replace(s, stock=Bag(self.size.pack)), [Shuffled(rule="PM-3", deal=s.deal, dealer=dealer)]
        if s.phase == "show":
            return self._show(s)
        if s.phase in SWAPS:
            return self._swap(s, a)
        if s.phase == "offers":
            return self._offer(s, a)
        if s.phase == "bandit":
            return self._bandit(s, a)
        return self._deal(s, a.card)

    # PM-1, PM-2: drawing for titles

    def _draw_title(self, s: State, card: Card) -> tuple[State, list[Event]]:
        lots = s.lots
        assert lots is not None
        group = lots.group
        seat = group[len(lots.drawn)]
        rule = "PM-1" if s.phase == "titles" else "PM-13"
        events: list[Event] = []
        if not lots.drawn and lots.groups == (self.seats,) and s.phase == "titles":
            events.append(TitleDraw(rule="PM-1", seats=group))
        events.append(DrewTitle(rule=rule, seat=seat, card=card))
        lots = replace(lots, rest=lots.rest.without([card]), drawn=(*lots.drawn, (seat, card)))
        if len(lots.drawn) == len(group):
            ranked = sorted(lots.drawn, key=lambda drawn: (-(drawn[1].rank or 0), drawn[0]))
            parts = tuple(tuple(who for who, _ in part) for _, part in groupby(ranked, key=lambda drawn: drawn[1].rank))
            events += [TitleTie(rule="PM-1", seats=part) for part in parts if len(part) > 1]
            at = lots.groups.index(group)
            used = lots.used.with_(drawn for _, drawn in lots.drawn)
            lots = replace(lots, groups=(*lots.groups[:at], *parts, *lots.groups[at + 1 :]), drawn=(), used=used)
        if lots.settled:
            return self._titles_settled(replace(s, lots=None), tuple(who for (who,) in lots.groups), events)
        if not lots.rest:
            events.append(ShuffledBack(rule="PM-1", cards=lots.used.cards))
            lots = replace(lots, rest=lots.used, used=Bag())
        return replace(s, lots=lots), events

    def _titles_settled(self, s: State, titles: tuple[Seat, ...], events: list[Event]) -> tuple[State, list[Event]]:
        if s.phase == "titles":
            events.append(TitlesSet(rule="PM-2", seats=titles))
            return replace(s, phase="deal", titles=titles), events
        winner = titles[MARSHAL]
        events.append(TitlesSet(rule="PM-13", seats=titles))
        wins = put(s.wins, winner, s.wins[winner] + 1)
        events.append(DealWon(rule="PM-14", seat=winner, n=wins[winner]))
        streak = s.streak + 1 if winner == s.titles[MARSHAL] else 1
        s = replace(s, titles=titles, wins=wins, streak=streak, hands=(Bag(),) * self.players, stock=Bag(), discard=Bag())
        over = "deals" if s.deal + 1 == self.rules.deals else "streak" if self.rules.ends == "streak" and streak == STREAK else ""
        if over:
            events.append(GameOver(rule="PM-14", why=f"poker_marshal.{over}"))
            return replace(s, phase="over", over=over), events
        return replace(s, phase="deal", deal=s.deal + 1, offers=0), events

    # PM-3: the deal

    def _deal(self, s: State, card: Card) -> tuple[State, list[Event]]:
        sizes = zip(s.titles, self.size.hands, strict=True)
        seat = next(seat for seat, size in sizes if len(s.hands[seat]) < size)
        s = replace(s, stock=s.stock.without([card]), hands=put(s.hands, seat, s.hands[seat].with_([card])))
        dealt = sum(map(len, s.hands)) == sum(self.size.hands)
        event = Received(rule="PM-3", seat=seat, card=card, seen_by=frozenset({seat}))
        return replace(s, phase="marshal") if dealt else s, [event]

    # PM-4 to PM-6, PM-9: the Marshal swaps with the Bandit, the Deputy with the Drunk

    def parties(self, s: State) -> tuple[Seat, Seat, str, int]:
        """The swapper, his victim, the rule and the most cards, in the phase of a swap."""
        who, victim, rule = SWAPS[s.phase]
        return s.titles[who], s.titles[victim], rule, self.size.swaps[0 if who == MARSHAL else 1]

    def _swap(self, s: State, a: Action) -> tuple[State, list[Event]]:
        seat, victim, rule, most = self.parties(s)
        if a.verb == "blind":
            hands = put(s.hands, victim, s.hands[victim].without(a.cards))
            s = replace(s, hands=hands)
            s = replace(s, hands=put(s.hands, seat, s.hands[seat].with_(a.cards)), due=s.due - 1)
            events: list[Event] = [BlindDrawn(rule=rule, seat=seat, to=victim, card=a.card, seen_by=frozenset({seat, victim}))]
            return self._swap_done(s, events) if not s.due and len(s.laid) >= (s.named or 0) else (s, events)
        if a.verb == "take":
            n = min(a.number or 0, len(plain(s.hands[victim])))
            events = [Named(rule=rule, seat=seat, to=victim, n=a.number or 0)] if a.number else []
            if n < (a.number or 0):
                events.append(Shortfall(rule="PM-6", seat=seat, to=victim, cards=(), n=n))
            return self._draws(replace(s, named=n), n, events)
        if a.verb == "enough":
            return self._begin_draws(s, [])
        s = replace(s, hands=put(s.hands, seat, s.hands[seat].without(a.cards)), laid=(*s.laid, a.card))
        events = [Laid(rule=rule, seat=seat, card=a.card, seen_by=frozenset({seat}))]
        if a.verb == "give":
            return self._swap_done(s, events) if len(s.laid) == s.named else (s, events)
        return self._begin_draws(s, events) if len(s.laid) == most else (s, events)

    def _begin_draws(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        seat, victim, _, _ = self.parties(s)
        n = min(len(s.laid), len(plain(s.hands[victim])))
        if n < len(s.laid):
            back = s.laid[n:]
            events.append(Shortfall(rule="PM-6", seat=seat, to=victim, cards=back, n=n, seen_by=frozenset({seat})))
            s = replace(s, laid=s.laid[:n], hands=put(s.hands, seat, s.hands[seat].with_(back)))
        return self._draws(s, n, events)

    def _draws(self, s: State, n: int, events: list[Event]) -> tuple[State, list[Event]]:
        return (replace(s, due=n), events) if n else self._swap_done(s, events)

    def _swap_done(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        seat, victim, rule, _ = self.parties(s)
        if s.laid:
            events.append(SwapDone(rule="PM-9", seat=seat, to=victim, cards=s.laid, seen_by=frozenset({seat, victim})))
        else:
            events.append(NoSwap(rule=rule, seat=seat))
        s = replace(s, hands=put(s.hands, victim, s.hands[victim].with_(s.laid)), laid=(), named=None)
        if s.phase == "marshal":
            return replace(s, phase="deputy"), events
        return replace(s, phase="offers" if self.size.offers else "bandit"), events

    # PM-7 to PM-9: the Storekeeper's offers

    def _answerer(self, s: State) -> Seat | None:
        """Who is asked next, in title order; all four are, whether they hold the card or not."""
        if s.picking or not (s.shown or (s.asked and s.laid)):
            return None
        n = len(s.answers)
        return s.titles[n if n < STOREKEEPER else n + 1]

    def _offer(self, s: State, a: Action) -> tuple[State, list[Event]]:
        keeper, only = s.titles[STOREKEEPER], frozenset({s.titles[STOREKEEPER]})
        match a.verb:
            case "enough":
                return replace(s, phase="bandit"), [OffersOver(rule="PM-7", seat=keeper)]
            case "ask":
                return replace(s, asked=a.card), [Asks(rule="PM-7", seat=keeper, card=a.card)]
            case "show":
                return replace(s, shown=a.card), [Shows(rule="offers", seat=keeper, card=a.card)]
            case "lay" if s.asked and not s.laid:
                s = replace(s, laid=a.cards, hands=put(s.hands, keeper, s.hands[keeper].without(a.cards)))
                return s, [Laid(rule="PM-7", seat=keeper, card=a.card, seen_by=only)]
            case "pick" | "nobody":
                return self._pick(s, None if a.number is None else Seat(a.number))
        seat = self._answerer(s)
        assert seat is not None
        answer = s.asked if a.verb == "accept" else a.card if a.cards else None
        s = replace(s, answers=(*s.answers, (seat, answer)))
        events: list[Event] = [Answered(rule="PM-8" if s.asked else "offers", seat=seat, card=answer, seen_by=frozenset({seat}))]
        if len(s.answers) < self.players - 1:
            return s, events
        return self._open_answers(s, events) if s.asked else self._open_laid(s, events)

    def _open_answers(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        keeper, asked, (laid,) = s.titles[STOREKEEPER], s.asked, s.laid
        assert asked is not None
        giver = next((seat for seat, card in s.answers if card), None)
        if giver is None:
            events.append(Silence(rule="PM-8", seat=keeper, card=asked))
            s = replace(s, hands=put(s.hands, keeper, s.hands[keeper].with_([laid])))
        else:
            both = frozenset({keeper, giver})
            events.append(Gives(rule="PM-8", seat=giver, to=keeper, card=asked, laid=laid, seen_by=both))
            s = replace(s, hands=put(s.hands, keeper, s.hands[keeper].with_([asked])))
            s = replace(s, hands=put(s.hands, giver, s.hands[giver].without([asked]).with_([laid])))
        return self._next_offer(s, events)

    def _open_laid(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        seats = tuple(seat for seat, card in s.answers if card)
        events.append(LaidBy(rule="offers", seats=seats))
        return (replace(s, picking=True), events) if seats else self._next_offer(s, events)

    def _pick(self, s: State, seat: Seat | None) -> tuple[State, list[Event]]:
        keeper = s.titles[STOREKEEPER]
        if seat is None:
            return self._next_offer(s, [PickedNobody(rule="offers", seat=keeper)])
        laid, shown = dict(s.answers)[seat], s.shown
        assert laid is not None
        assert shown is not None
        s = replace(s, hands=put(s.hands, keeper, s.hands[keeper].without([shown]).with_([laid])))
        s = replace(s, hands=put(s.hands, seat, s.hands[seat].without([laid]).with_([shown])))
        both = frozenset({keeper, seat})
        return self._next_offer(s, [Picked(rule="offers", seat=keeper, to=seat, card=shown, laid=laid, seen_by=both)])

    def _next_offer(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        s = replace(s, offers=s.offers + 1, asked=None, shown=None, laid=(), answers=(), picking=False)
        return replace(s, phase="offers" if s.offers < self.size.offers else "bandit"), events  # the Drunk has no move: PM-10

    # PM-11: the Bandit

    def _bandit(self, s: State, a: Action) -> tuple[State, list[Event]]:
        seat = s.titles[BANDIT]
        hand, own = s.hands[seat], frozenset({seat})
        match a.verb:
            case "keep":
                return replace(s, phase="show"), [Keeps(rule="PM-11", seat=seat)]
            case "redraw":
                event = Redraws(rule="PM-11", seat=seat, cards=hand.cards, seen_by=own)
                return replace(s, hands=put(s.hands, seat, Bag()), discard=s.discard.with_(hand), due=len(hand)), [event]
        s = replace(s, stock=s.stock.without(a.cards), hands=put(s.hands, seat, hand.with_(a.cards)), due=s.due - 1)
        return replace(s, phase="bandit" if s.due else "show"), [Received(rule="PM-11", seat=seat, card=a.card, seen_by=own)]

    # PM-12 to PM-14: the showdown, the new titles, the standing

    def _show(self, s: State) -> tuple[State, list[Event]]:
        worth = {seat: best(s.hands[seat], self.rules.short_hands) for seat in s.titles}
        events: list[Event] = [HandShown(rule="PM-12", seat=seat, cards=s.hands[seat].cards, hand=worth[seat]) for seat in s.titles]
        ranked = sorted(s.titles, key=lambda seat: worth[seat], reverse=True)  # a stable sort: equal hands stay in title order
        groups = tuple(tuple(group) for _, group in groupby(ranked, key=lambda seat: worth[seat]))
        ties = [group for group in groups if len(group) > 1]
        if not ties or self.rules.title_tie == "incumbent":
            events += [IncumbentStays(rule="title_tie", seats=group) for group in ties]
            return self._titles_settled(replace(s, phase="ties"), tuple(ranked), events)
        events += [TitleDraw(rule="PM-13", seats=tuple(sorted(group))) for group in ties]
        return replace(s, phase="ties", lots=Lots(tuple(tuple(sorted(group)) for group in groups), self.draw_pack)), events

    def outcome(self, s: State) -> Outcome | None:
        if s.phase != "over":
            return None
        counts = sorted(set(s.wins), reverse=True)
        return Outcome(s.over, tuple(tuple(seat for seat in self.seats if s.wins[seat] == n) for n in counts))

    def bound(self) -> int | None:
        return None  # a draw for titles may tie again and again; it ends with probability 1

    # what may be done, and why not

    def _moves(self, s: State, seat: Seat) -> Collection[Action]:
        if s.phase in SWAPS:
            if self.rules.swap == "lay_first":
                return (Action.of("enough"), *Action.each("lay", plain(s.hands[seat])))
            if s.named is None:
                return [Action.of("take", n) for n in range(self.parties(s)[3] + 1)]
            return Action.each("give", plain(s.hands[seat]))
        if s.phase == "bandit":
            enough = len(s.stock) >= len(s.hands[seat])
            return (Action.of("keep"), Action.of("redraw")) if enough else (Action.of("keep"),)
        if s.picking:
            return (Action.of("nobody"), *(Action.of("pick", other) for other, card in sorted(s.answers) if card))
        if self._answerer(s) is None:
            return self._offer_moves(s, seat)
        if s.asked:
            holds = s.asked in s.hands[seat]
            return (Action.of("silent"), Action.of("accept")) if holds else (Action.of("silent"),)
        return (*Action.each("lay", plain(s.hands[seat])), Action.of("pass"))

    def _offer_moves(self, s: State, keeper: Seat) -> Collection[Action]:
        own = plain(s.hands[keeper])
        if s.asked:
            return Action.each("lay", own)
        asks = dict(self.asks) if own else {}  # a hand of jokers has nothing to lay beside the card it asks for
        for card in own:
            del asks[card]
        shows = Action.each("show", own) if self.rules.offers == "ask_or_offer" else ()
        return (Action.of("enough"), *asks.values(), *shows)

    def _why_not(self, s: State, a: Action) -> Reason:
        seat = self.actor(s)
        assert isinstance(seat, Seat)
        hand, cards = s.hands[seat], plain(s.hands[seat])
        if any(card.joker for card in a.cards) and s.phase != "bandit":
            return Reason.of("PM-7" if s.phase == "offers" else "PM-6", "marshal.joker", cards=cards)
        if s.phase in SWAPS:
            rule, most = self.parties(s)[2:]
            if self.rules.swap == "lay_first":
                return Reason.of(rule, "marshal.lay", n=most - len(s.laid), cards=cards)
            if s.named is None:
                return Reason.of(rule, "marshal.take", most=most)
            return Reason.of(rule, "marshal.give", n=s.named - len(s.laid), cards=cards)
        if s.phase == "bandit":
            return Reason.of("PM-11", "marshal.bandit", n=len(hand), stock=len(s.stock))
        if s.picking:
            return Reason.of("offers", "marshal.pick", seats=tuple(other for other, card in s.answers if card))
        if self._answerer(s) is not None:
            if s.asked:
                return Reason.of("PM-8", "marshal.accept", card=s.asked)
            return Reason.of("offers", "marshal.lay_or_pass", cards=cards)
        if s.asked:
            return Reason.of("PM-7", "marshal.lay_beside", cards=cards)
        if a.verb == "ask" and a.cards and a.cards[0] in hand:
            return Reason.of("PM-7", "marshal.own_card", card=a.cards[0])
        return Reason.of("PM-7", "marshal.offer", n=self.size.offers - s.offers)

    def say_action(self, a: Action, words: Words) -> str:
        if a.verb == "show" and not a.cards:
            return words.text("action.poker_marshal.show.all")  # the showdown, not an offer
        if a.verb == "take" and a.number == 0:
            return words.text("action.poker_marshal.take.none")
        return super().say_action(a, words)

    def lying(self, s: State) -> tuple[Card, ...]:
        hands = tuple(card for hand in s.hands for card in hand)
        return (*s.stock, *s.discard, *hands, *s.laid)

    def key(self, s: State) -> Hashable:
        return replace(s, discard=Bag())


def plain(hand: Bag) -> tuple[Card, ...]:
    """The cards of a hand that may pass between players: all but jokers (PM-6)."""
    return tuple([card for card in hand.cards if not card.joker])
