"""Fight for the Lead: stakes, a fight for the first lead, paid exchanges, four tricks."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from cardlab.cards import Bag, Card
from cardlab.core import streams
from cardlab.core.errors import BadGame, Reason
from cardlab.core.events import Event, FirstDealer, GameOver, Seat
from cardlab.core.game import CHANCE, OVER, Action, Draw, Game, Outcome, Turn
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
    NoMatch,
    Played,
    Received,
    RefusalsOpened,
    Reshuffled,
    Sealed,
    Share,
    Shuffled,
    Staked,
    Stands,
    TrickWon,
    Turned,
)
from cardlab.games.fight_state import Rules, Size, State, exchanges
from cardlab.games.fight_view import FightView, View
from cardlab.words import Phrase


class FightForTheLead(FightView, Game[State, View]):
    """The rules FL-1 to FL-19."""

    name = "fight_for_the_lead"
    letters = "FL"
    player_counts = range(2, 6)
    usual_players = 4
    rules_type = Rules
    rule_count = 19
    verbs = ("fight", "stay", "drop", "stand", "exchange", "play", "continue", "refuse")
    card_draws = ("deal", "turn", "draw")
    phases = ("lot", "deal", "fight", "turn", "replace", "drop", "exchange", "tricks", "refusal", "over")

    def __init__(self, players: int | None = None, preset: str = "default", *, size: Size | None = None, **house: Any) -> None:
        super().__init__(players, preset, **house)
        self.size = size or Size()
        spare = len(self.size.pack) - (self.size.hand + 1) * self.players
        if spare < 0 or 4 % self.size.hand:
            raise BadGame("error.size", rule="FL-0")

    def start(self) -> State:
        named = self.rules.first_dealer
        lot = named == "lot"
        nothing = (0,) * self.players
        return State(
            phase="lot" if lot else "deal", dealer=None if lot else Seat(named), playing=self.seats, balances=nothing,
            hands=(Bag(),) * self.players, tricks=nothing,
        )  # fmt: skip

    def phase(self, s: State) -> str:
        return s.phase

    def actor(self, s: State) -> Seat | Turn:
        if s.phase == "over":
            return OVER
        return CHANCE if s.mover is None or s.due else s.mover

    # FL-1, FL-2, FL-3, FL-17: the lot, the stakes, the deal

    def draw(self, s: State) -> Draw:
        if s.phase == "lot":
            return Draw("dealer", streams.LOTS, numbers=tuple(range(self.players)))
        if s.phase == "deal" and not s.stock:
            return Draw("shuffle")
        verb = "deal" if s.phase in ("deal", "replace") else "turn" if s.phase == "turn" else "draw"
        if s.reshuffled is None:
            place = len(self.size.pack) - len(s.stock)
            return Draw(verb, streams.DECK, cards=s.stock.cards, place=place, pack=self.size.pack)
        place = len(s.reshuffled) - len(s.stock)
        return Draw(verb, streams.RESHUFFLE, cards=s.stock.cards, place=place, pack=s.reshuffled.cards)

    def stakes(self, s: State) -> dict[Seat, int]:
        """What each player still in the game owes before the next deal (FL-1, FL-17, who_antes, penalty_cap)."""
        stake: int = self.rules.stake
        penalty = self.penalty(s)
        losers = [seat for seat in s.playing if seat in s.losers]
        others = 0 if self.rules.who_antes == "losers_only" and losers else stake
        return {seat: penalty if seat in losers else others for seat in s.playing}

    def penalty(self, s: State) -> int:
        """What a loser of the last deal owes for it (FL-17, penalty_cap)."""
        cap: int | str = self.rules.penalty_cap
        return s.last_bank if isinstance(cap, str) else min(s.last_bank, cap * self.rules.stake)

    def purse(self, s: State, seat: Seat) -> int | None:
        """What a player can still pay; ``None`` without a bankroll."""
        return None if self.rules.bankroll == "none" else self.rules.bankroll + s.balances[seat]

    def _begin(self, s: State) -> tuple[State, list[Event]]:
        dealer = s.dealer
        assert dealer is not None
        events: list[Event] = []
        if s.deal == 0 and self.rules.first_dealer != "lot":
            events.append(FirstDealer(rule="FL-2", dealer=dealer, lot=False))
        for seat, amount in self.stakes(s).items():
            if amount:
                s = _pays(s, seat, amount)
                events.append(Staked(rule="FL-17" if seat in s.losers else "FL-1", seat=seat, amount=amount, bank=s.bank))
        events.append(Shuffled(rule="FL-3", deal=s.deal, dealer=dealer))
        empty = (Bag(),) * self.players
        s = replace(
            s, hands=empty, stock=Bag(self.size.pack), discard=Bag(), turned=(), reshuffled=None, fight=(), lead=None,
            tricks=(0,) * self.players, trick=(), staying=s.playing, losers=(),
        )  # fmt: skip
        return s, events

    def _apply(self, s: State, a: Action) -> tuple[State, list[Event]]:
        if a.verb == "dealer":
            dealer = Seat(a.number or 0)
            return replace(s, dealer=dealer, phase="deal"), [FirstDealer(rule="FL-2", dealer=dealer, lot=True)]
        if a.verb == "shuffle":
            return self._begin(s)
        if a.verb == "turn":
            return self._turn(s, a.card)
        if a.verb in ("deal", "draw"):
            return self._receive(s, a.card)
        assert s.mover is not None
        if a.verb == "play":
            return self._play(s, s.mover, a)
        if a.verb in ("stand", "exchange"):
            return self._exchange(s, s.mover, a)
        return self._seal(s, s.mover, a)

    def receiver(self, s: State) -> Seat:
        """Who gets the next card: the mover of an exchange, else the next from the dealer's left with the fewest cards."""
        if s.mover is not None:
            return s.mover
        return min(self.from_left(s, s.playing), key=lambda seat: len(s.hands[seat]))

    def from_left(self, s: State, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Some seats clockwise, from the dealer's left."""
        assert s.dealer is not None
        return self.clockwise(s.dealer + 1, seats)

    def _receive(self, s: State, card: Card) -> tuple[State, list[Event]]:
        seat = self.receiver(s)
        rule = {"deal": "FL-3", "replace": "FL-7", "exchange": "FL-8"}[s.phase]
        events: list[Event] = [Received(rule=rule, seat=seat, card=card, seen_by=frozenset({seat}))]
        s = replace(s, stock=s.stock.without([card]), hands=put(s.hands, seat, s.hands[seat].with_([card])))
        if s.phase == "exchange":
            s = replace(s, due=s.due - 1)
            return (s, events) if s.due else self._exchange_goes_on(s, seat, events)
        if any(len(s.hands[other]) < self.size.hand for other in s.playing):
            return s, events
        if s.phase == "deal":
            return replace(s, phase="fight", mover=s.playing[0]), events
        if self.rules.refusal == "pagat_dropout" and s.deal:
            return replace(s, phase="drop", mover=s.playing[0]), events
        return self._begin_exchange(s, events)

    # FL-4 to FL-7: the fight for the lead

    def _seal(self, s: State, seat: Seat, a: Action) -> tuple[State, list[Event]]:
        """A choice made in secret; the last one opens them all."""
        if s.phase == "fight":
            s = replace(s, hands=put(s.hands, seat, s.hands[seat].without(a.cards)), fight=(*s.fight, (seat, a.card)))
            event: Event = FightLaid(rule="FL-4", seat=seat, card=a.card, seen_by=frozenset({seat}))
        else:
            event = Sealed(rule="FL-18", seat=seat, choice=a.verb, seen_by=frozenset({seat}))
        sealed = (*s.sealed, (seat, a.verb))
        waiting = [other for other in s.playing if other > seat]
        if waiting:
            return replace(s, sealed=sealed, mover=waiting[0]), [event]
        opened = {"fight": self._fight_laid, "drop": self._open_drops, "refusal": self._open_refusals}[s.phase]
        return opened(replace(s, mover=None, sealed=()), tuple(other for other, verb in sealed if verb in ("drop", "refuse")), [event])

    def _fight_laid(self, s: State, out: tuple[Seat, ...], events: list[Event]) -> tuple[State, list[Event]]:
        return replace(s, phase="turn"), events  # opened after the first stock card is turned

    def _turn(self, s: State, card: Card) -> tuple[State, list[Event]]:
        first = not s.turned
        s = replace(s, turned=(*s.turned, card), stock=s.stock.without([card]))
        events: list[Event] = [Turned(rule="FL-5" if first else "FL-6", card=card)]
        if first:
            seats, cards = zip(*s.fight, strict=True)
            events.append(FightCards(rule="FL-5", seats=seats, cards=cards))
        matching = [(seat, laid) for seat, laid in s.fight if laid.suit == card.suit]
        if not matching and s.stock:
            events.append(NoMatch(rule="FL-6", card=card))
            return s, events
        ordered = {seat: k for k, seat in enumerate(self.from_left(s, s.playing))}  # only tiny packs can tie here
        winner, best = max(matching or s.fight, key=lambda laid: (laid[1].rank, -ordered[laid[0]]))
        events.append(LeadWon(rule="FL-5" if matching else "FL-6", seat=winner, card=best))
        return self._replace_fight_cards(replace(s, lead=winner, phase="replace"), events)

    def _replace_fight_cards(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        s = replace(s, discard=s.discard.with_(card for _, card in s.fight))
        if len(s.stock) >= len(s.playing):
            return replace(s, discard=s.discard.with_(s.turned)), events
        stock = s.stock.with_(s.turned)
        events.append(Reshuffled(rule="FL-7", cards=s.turned, stock=len(stock)))
        return replace(s, stock=stock, reshuffled=stock), events

    # FL-8: the exchange; under pagat_dropout each stays or drops before it

    def _open_drops(self, s: State, out: tuple[Seat, ...], events: list[Event]) -> tuple[State, list[Event]]:
        staying = tuple(seat for seat in s.playing if seat not in out)
        events.append(DropsOpened(rule="refusal", seats=out))
        lead = s.lead
        assert lead is not None
        for seat in out:
            s = replace(s, discard=s.discard.with_(s.hands[seat]), hands=put(s.hands, seat, Bag()))
        s = replace(s, staying=staying)
        if len(staying) < 2:
            taker = staying[0] if staying else lead
            events.append(BankUnplayed(rule="refusal", seat=taker, amount=s.bank))
            return self._end_deal(_pays(s, taker, -s.bank), (), s.bank, events)
        if lead not in staying:
            lead = self.next_of(lead, staying)
            s = replace(s, lead=lead)
            events.append(LeadPasses(rule="refusal", seat=lead))
        return self._begin_exchange(s, events)

    def _begin_exchange(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        return replace(s, phase="exchange", mover=self.from_left(s, s.staying)[0], exchanged=0), events

    def most_exchanged(self, s: State, seat: Seat) -> int:
        """How many more cards a player may exchange now: his hand, the stock and his purse set limits."""
        most = min(self.size.exchanges - s.exchanged, len(s.stock), len(s.hands[seat]))
        purse = self.purse(s, seat)
        return most if purse is None else min(most, purse // self.rules.stake)

    def _exchange(self, s: State, seat: Seat, a: Action) -> tuple[State, list[Event]]:
        if not a.cards:
            return self._next_exchange(s, seat, [Stands(rule="FL-8", seat=seat)])
        n = len(a.cards)
        hands, discard = put(s.hands, seat, s.hands[seat].without(a.cards)), s.discard.with_(a.cards)
        fee = n * self.rules.stake
        s = _pays(replace(s, hands=hands, discard=discard, due=n, exchanged=s.exchanged + n), seat, fee)
        return s, [Exchanged(rule="FL-8", seat=seat, cards=a.cards, fee=fee, bank=s.bank, seen_by=frozenset({seat}))]

    def _exchange_goes_on(self, s: State, seat: Seat, events: list[Event]) -> tuple[State, list[Event]]:
        if self.rules.exchange == "one_by_one" and self.most_exchanged(s, seat):
            return s, events
        return self._next_exchange(s, seat, events)

    def _next_exchange(self, s: State, seat: Seat, events: list[Event]) -> tuple[State, list[Event]]:
        order = self.from_left(s, s.staying)
        after = order[order.index(seat) + 1 :]
        if after:
            return replace(s, mover=after[0], exchanged=0), events
        return replace(s, mover=s.lead, phase="tricks", exchanged=0), events

    # FL-9 to FL-14: the tricks

    def follows(self, s: State, seat: Seat) -> tuple[Card, ...]:
        """The cards a player may play: those of the suit led if he has any, else all (FL-9, FL-10)."""
        hand = s.hands[seat].cards
        led = s.trick[0][1].suit if s.trick else None
        return tuple([card for card in hand if card.suit == led]) or hand

    def _play(self, s: State, seat: Seat, a: Action) -> tuple[State, list[Event]]:
        card = a.card
        led = (s.trick[0][1] if s.trick else card).suit
        assert led is not None
        if not s.trick:
            rule, fits = ("FL-12" if any(s.tricks) else "FL-9"), Fits.LEADS
        else:
            rule, fits = "FL-10", Fits.FOLLOWS if card.suit == led else Fits.DISCARDS
        events: list[Event] = [Played(rule=rule, seat=seat, card=card, fits=fits, suit=led)]
        hands, trick = put(s.hands, seat, s.hands[seat].without(a.cards)), (*s.trick, (seat, card))
        s = replace(s, hands=hands, trick=trick, mover=self.next_of(seat, s.staying))
        if len(trick) < len(s.staying):
            return s, events
        winner, best = max([(by, card) for by, card in s.trick if card.suit == led], key=lambda played: played[1].code)
        tricks = put(s.tricks, winner, s.tricks[winner] + 1)  # no trumps: FL-11
        events.append(TrickWon(rule="FL-12", seat=winner, card=best, tricks=tricks[winner]))
        s = replace(s, tricks=tricks, mover=winner, trick=(), discard=s.discard.with_([card for _, card in s.trick]))
        return self._settle(s, events) if sum(tricks) == self.size.hand else (s, events)

    # FL-15 to FL-19: the bank, the losers, going on

    def _settle(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        bank = s.bank
        events.append(DealOver(rule="FL-14", bank=bank))
        for seat in s.staying:
            if s.tricks[seat]:
                amount = bank // self.size.hand * s.tricks[seat]
                s = _pays(s, seat, -amount)
                events.append(Share(rule="FL-15", seat=seat, n=s.tricks[seat], amount=amount))
        losers = tuple(seat for seat in s.staying if not s.tricks[seat])
        events += [Loses(rule="FL-16", seat=seat) for seat in losers]
        return self._end_deal(s, losers, bank, events)

    def _end_deal(self, s: State, losers: tuple[Seat, ...], bank: int, events: list[Event]) -> tuple[State, list[Event]]:
        empty = (Bag(),) * self.players
        s = replace(s, losers=losers, last_bank=bank, mover=None, stock=Bag(), discard=Bag(), hands=empty, fight=(), reshuffled=None)
        if s.deal + 1 == self.rules.deals:
            events.append(GameOver(rule="FL-19", why="fight_for_the_lead.deals"))
            return replace(s, phase="over", over="deals"), events
        s = replace(s, deal=s.deal + 1)
        if self.rules.refusal == "pagat_dropout":
            return self._next_deal(s, events)
        return replace(s, phase="refusal", mover=s.playing[0]), events

    def _open_refusals(self, s: State, out: tuple[Seat, ...], events: list[Event]) -> tuple[State, list[Event]]:
        events.append(RefusalsOpened(rule="FL-18", seats=out))
        return self._next_deal(replace(s, playing=tuple(seat for seat in s.playing if seat not in out)), events)

    def _next_deal(self, s: State, events: list[Event]) -> tuple[State, list[Event]]:
        while broke := [seat for seat, due in self.stakes(s).items() if due > (self.purse(s, seat) or 0) and self.rules.bankroll != "none"]:
            events += [Broke(rule="bankroll", seat=seat) for seat in broke]
            s = replace(s, playing=tuple(seat for seat in s.playing if seat not in broke))
        if len(s.playing) < 2:
            events.append(GameOver(rule="FL-18", why="fight_for_the_lead.too_few"))
            return replace(s, phase="over", over="too_few"), events
        assert s.dealer is not None
        dealer = self.next_of(s.dealer, s.playing)
        events.append(NextDeal(rule="FL-2", dealer=dealer))
        return replace(s, phase="deal", dealer=dealer), events

    def outcome(self, s: State) -> Outcome | None:
        if s.phase != "over":
            return None
        amounts = sorted(set(s.balances), reverse=True)  # FL-19
        groups = tuple(tuple(seat for seat in self.seats if s.balances[seat] == amount) for amount in amounts)
        return Outcome(s.over, groups, s.balances)

    def bound(self) -> int:
        n, hand, deals = self.players, self.size.hand, int(self.rules.deals)
        return 1 + deals * (1 + len(self.size.pack) + n * (hand + 5 + 2 * self.size.exchanges + hand))

    # what may be done, and why not

    def _moves(self, s: State, seat: Seat) -> Collection[Action]:
        match s.phase:
            case "fight":
                return Action.each("fight", s.hands[seat])
            case "drop":
                return (Action.of("stay"), Action.of("drop"))
            case "exchange":
                most = self.most_exchanged(s, seat)
                return exchanges(s.hands[seat].cards, min(most, 1) if self.rules.exchange == "one_by_one" else most)
            case "tricks":
                return Action.each("play", self.follows(s, seat))
            case _:
                bound = self.rules.refusal == "losers_bound" and seat in s.losers
                return (Action.of("continue"),) if bound else (Action.of("continue"), Action.of("refuse"))

    def _why_not(self, s: State, a: Action) -> Reason:
        seat = s.mover
        assert seat is not None
        hand = s.hands[seat]
        foreign = [card for card in a.cards if card not in hand]
        match s.phase:
            case "fight":
                return Reason.of("FL-4", "fight.fight", cards=hand.cards)
            case "drop":
                return Reason.of("refusal", "fight.drop")
            case "exchange":
                most = self.most_exchanged(s, seat)
                if a.verb == "exchange" and foreign:
                    return Reason.of("FL-8", "fight.not_yours", cards=hand.cards)
                if a.verb == "exchange" and self.rules.exchange == "one_by_one" and most and len(a.cards) > 1:
                    return Reason.of("exchange", "fight.one_by_one")
                return Reason.of("FL-8", "fight.exchange", n=most, stock=len(s.stock))
            case "tricks":
                led = s.trick[0][1].suit if s.trick else None
                if a.verb == "play" and a.cards and not foreign and led is not None:
                    return Reason.of("FL-10", "fight.follow", suit=Phrase.of(f"suit.{led}"), cards=self.follows(s, seat))
                return Reason.of("FL-9" if led is None else "FL-10", "fight.play", cards=self.follows(s, seat))
            case _:
                if Action("refuse") not in self._moves(s, seat):
                    return Reason.of("refusal", "fight.bound")
                return Reason.of("FL-18", "fight.refusal")

    def lying(self, s: State) -> tuple[Card, ...]:
        open_ = s.turned if s.phase == "turn" else ()
        laid = (*s.fight, *s.trick) if s.phase in ("fight", "turn") else s.trick
        hands = tuple(card for hand in s.hands for card in hand)
        return (*s.stock, *s.discard, *open_, *hands, *(card for _, card in laid))

    def ledger(self, s: State) -> int:
        return s.bank + sum(s.balances)

    def key(self, s: State) -> Hashable:
        forgotten = s.lead is not None and s.reshuffled is None
        return replace(s, discard=Bag(), turned=() if forgotten else s.turned, fight=() if s.lead is not None else s.fight)


def _pays(s: State, seat: Seat, amount: int) -> State:
    """Money into the bank, or out of it; balances and bank always sum to 0."""
    return replace(s, bank=s.bank + amount, balances=put(s.balances, seat, s.balances[seat] - amount))
