"""Fight for the Lead: the worlds of a view.

All hidden cards lie at some place alike: in another hand, in the stock, or in the discard after an unseen exchange; who has not followed
suit has none of it left. After FL-7's reshuffle the turned cards can only lie at the places filled from the new stock, so that these
places of a zone are a zone of their own; how many of a hand's are left after an unseen exchange is a case for itself, with its chance,
and the cards played are put back into their hands, as they tell which of these cases it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, factorial, prod
from typing import Any, Final

from cardlab.cards import Bag, Card
from cardlab.chance.believed import NEW, Case, Seal, Told, Worlds, any_of
from cardlab.chance.fill import Dealt, Fill
from cardlab.core.events import TEACHER, Seat
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import State
from cardlab.games.fight_view import View

BETWEEN: Final = ("lot", "refusal", "over")  # phases in which no card is in play


def fight_worlds(view: View, accept: Fraction) -> Worlds[State]:
    """The worlds of a view; no offers are made here, so that ``accept`` says nothing."""
    return _worlds(Table(view))


def fight_hands(view: View) -> Worlds[State]:
    """The worlds of a view in the phase of the tricks as far as the hands go: all hidden cards that have left play count as stock."""
    return _worlds(Table(view, hands_only=True))


def _worlds(table: Table) -> Worlds[State]:
    return Worlds(tuple(table.cases()), table.seals, table.state, table.seen, plain=not table.renewed, sealing=table._sealing())


@dataclass(frozen=True)
class Table(Told):
    """What can be read off a view."""

    view: View
    hands_only: bool = False

    @property
    def game(self) -> FightForTheLead:
        game: FightForTheLead = self.view.game
        return game

    @cached_property
    def in_play(self) -> bool:
        """Whether cards have been dealt that still matter."""
        assert self.view.now is not None
        return self.phase not in BETWEEN and self.view.now.asks != "shuffle"

    @cached_property
    def laying(self) -> bool:
        """Whether fight cards lie face down."""
        return self.phase in ("fight", "turn") and not self.view.fight

    @cached_property
    def renewed(self) -> bool:
        """Whether the turned cards were shuffled into the stock again (FL-7)."""
        return bool(self.view.turned) and self.phase != "turn" and not self.view.places["turned"].size

    def known(self, seat: Seat) -> bool:
        """Whether the viewer sees a hand."""
        return self.view.viewer in (seat, TEACHER)

    @cached_property
    def others(self) -> tuple[Seat, ...]:
        """The hands that the viewer does not see."""
        return tuple(seat for seat in self.game.seats if not self.known(seat))

    def played(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that a seat has played in this deal."""
        return tuple(card for by, card in self.view.played if by == seat)

    def seen(self, card: Card) -> str | None:
        """The zone in which a card is known to lie."""
        return next((name for name, zone in self.view.places.zones if card in zone.sure), None)

    # the hidden cards and where they may lie

    def cases(self) -> Iterator[Case]:
        if not self.in_play:
            yield Case(Fraction(1), (), self.answers)
            return
        for zones, weight in self.zones.items():
            fill = Fill(dict(zones), self.kinds)
            yield Case(weight * fill.count, (fill,), fill.count * self.answers)

    @cached_property
    def answers(self) -> int:
        """In how many ways the secret choices can have been made that are not opened yet."""
        return prod(len(self._options(seat, range(self.game.size.hand))) for seat in self._sealing())

    @cached_property
    def zones(self) -> dict[tuple[tuple[str, int], ...], Fraction]:
        """The sizes of the zones, with the weights of those sizes that an unseen exchange leaves open."""
        back = {seat: len(self.played(seat)) if self.renewed else 0 for seat in self.others}
        held = {seat: self.view.places[f"hand {seat}"].size + back[seat] for seat in self.others}
        stock = self.view.places["stock"].size
        if self.hands_only and not self.renewed:
            stock = sum(len(cards) for cards, _ in self.kinds) - sum(held.values())
        gone = sum(len(cards) for cards, _ in self.kinds) - sum(held.values()) - stock
        found = dict[tuple[tuple[str, int], ...], Fraction]()
        for news in product(*(self._new_places(seat, held[seat]).items() for seat in self.others)):
            zones: dict[str, int] = {}
            for seat, ((kept, _), _) in zip(self.others, news, strict=True):
                zones |= {f"hand {seat}": held[seat] - kept, f"hand {seat}{NEW}": kept}
            gone_new = sum(away for (_, away), _ in news)
            zones |= {"discard": gone - gone_new, f"discard{NEW}": gone_new, "stock": stock}
            weight = prod((chance for _, chance in news), start=Fraction(1)) * prod(map(factorial, zones.values()))
            found[tuple(zones.items())] = weight
        return found

    def _new_places(self, seat: Seat, held: int) -> dict[tuple[int, int], Fraction]:
        """How many cards of the new stock a hand holds and has discarded, with the chances: what is exchanged is taken blind."""
        hand = self.game.size.hand
        if not self.renewed or seat not in self.view.playing:
            return {(0, 0): Fraction(1)}
        if self.phase == "replace":
            return {(held - (hand - 1), 0): Fraction(1)}
        if seat not in self.view.staying:
            return {(0, 1): Fraction(1)}
        times = self.view.exchanged[seat]
        rounds = [1] * times if self.game.rules.exchange == "one_by_one" else [times]
        chances = {(1, 0): Fraction(1)}
        for n in rounds:
            chances = _exchanged(chances, n, hand)
        due = hand - held
        return {(kept - due, away): chance for (kept, away), chance in chances.items()}

    @cached_property
    def kinds(self) -> list[tuple[tuple[Card, ...], list[str]]]:
        """The hidden cards by the zones in which they may lie; after a reshuffle also those played, back in their hands."""
        kinds: dict[tuple[str, ...], list[Card]] = {}
        owner = {card: seat for seat, card in self.view.played}
        for card in self.game.size.pack:
            if card in self._met:
                continue
            homes = [
                seat for seat in self.others if owner.get(card, seat) == seat and (card in owner or card.suit not in self._voids[seat])
            ]
            zones = [f"hand {seat}" for seat in homes] + ([] if card in owner else ["discard"])
            if self.renewed and card in self.view.turned:
                zones = []
            zones += [f"hand {seat}{NEW}" for seat in homes] + ([] if card in owner else [f"discard{NEW}", "stock"])
            kinds.setdefault(tuple(zones), []).append(card)
        return [(tuple(cards), list(zones)) for zones, cards in kinds.items()]

    @cached_property
    def _met(self) -> frozenset[Card]:
        """The cards that were never hidden from the viewer, or whose place in the fight all have seen."""
        fight = {card for _, card in self.view.fight}
        turned = set() if self.renewed else set(self.view.turned)
        played = set() if self.renewed else {card for _, card in self.view.played}
        return frozenset({*self.view.got, *fight, *turned, *played})

    @cached_property
    def _voids(self) -> dict[Seat, frozenset[int | None]]:
        """The suits that each seat has shown not to have."""
        n = len(self.view.staying)
        tricks = [self.view.played[k : k + n] for k in range(0, len(self.view.played), n)] if n else []
        off = {(seat, trick[0][1].suit) for trick in tricks for seat, card in trick if card.suit != trick[0][1].suit}
        return {seat: frozenset(suit for by, suit in off if by == seat) for seat in self.game.seats}

    # secret choices

    def _sealing(self) -> tuple[Seat, ...]:
        """The seats whose secret choice is made, not opened and not known to the viewer."""
        return tuple(seat for seat in self._sealed() if not self.known(seat))

    def _sealed(self) -> tuple[Seat, ...]:
        if self.laying and self.phase == "turn":
            return self.view.playing
        if self.phase not in ("fight", "drop", "refusal") or self.actor is None:
            return ()
        return tuple(seat for seat in self.view.playing if seat < self.actor)

    def _options(self, seat: Seat, hand: Any) -> tuple[Any, ...]:
        if self.laying:
            return tuple(sorted(hand))
        if self.phase == "drop":
            return ("stay", "drop")
        bound = self.game.rules.refusal == "losers_bound" and seat in self.view.losers
        return ("continue",) if bound else ("continue", "refuse")

    def seals(self, dealt: Dealt) -> tuple[Seal, ...]:
        """The secret choices: a fight card, or an answer, any of them alike."""
        return tuple(any_of(self._options(seat, self._held(seat, dealt))) for seat in self._sealing())

    def _held(self, seat: Seat, dealt: Dealt) -> tuple[Card, ...]:
        """The cards of a hidden hand, without those played."""
        played = self.played(seat)
        cards = (*dealt.get(f"hand {seat}", ()), *dealt.get(f"hand {seat}{NEW}", ()))
        return tuple(card for card in cards if card not in played) if played else cards

    # the state

    def state(self, dealt: Dealt, choices: tuple[Any, ...]) -> State:
        """The state in which the hidden cards lie so and the secret choices are these."""
        view, actor = self.view, self.actor
        choice = dict(zip(self._sealing(), choices, strict=True)) | self._own_choices()
        named = self.game.rules.first_dealer  # told with the first deal, and known before
        dealer = view.dealer if view.dealer is not None or named == "lot" else Seat(named)
        sealed = tuple((seat, "fight" if self.laying else choice[seat]) for seat in self._sealed()) if actor is not None else ()
        public: dict[str, Any] = {
            "phase": self.phase, "dealer": dealer, "playing": view.playing, "balances": view.balances, "tricks": view.tricks,
            "deal": view.deal, "bank": view.bank, "last_bank": view.last_bank, "losers": view.losers, "staying": view.staying,
            "turned": view.turned, "sealed": sealed, "lead": view.lead, "trick": view.trick, "over": self._over,
        }  # fmt: skip
        if not self.in_play:
            return State(hands=(Bag(),) * self.game.players, mover=actor, **public)
        fight = tuple((seat, choice[seat]) for seat in self._sealed()) if self.laying else view.fight
        hands = [self._hand(seat, dealt, dict(fight) if self.laying else {}) for seat in self.game.seats]
        stock = dealt.get("stock", ())
        lying = {*stock, *(card for _, card in view.trick), *(card for hand in hands for card in hand)}
        if self.phase in ("fight", "turn"):
            lying |= {*view.turned, *(card for _, card in fight)}
        exchanging = self.phase == "exchange"
        mover = view.exchanging if exchanging and actor is None else actor
        return State(
            hands=tuple(hands), stock=Bag(stock), discard=Bag(card for card in self.game.size.pack if card not in lying),
            fight=fight, reshuffled=self._new_stock(dealt), mover=mover,
            due=self.game.size.hand - len(hands[mover]) if exchanging and mover is not None else 0,
            exchanged=view.exchanged[mover] if exchanging and mover is not None else 0, **public,
        )  # fmt: skip

    def _hand(self, seat: Seat, dealt: Dealt, laid: dict[Seat, Card]) -> Bag:
        held = self.view.places[f"hand {seat}"].sure if self.known(seat) else self._held(seat, dealt)
        return Bag(card for card in held if card is not laid.get(seat))

    def _own_choices(self) -> dict[Seat, Any]:
        if not self.laying:
            return dict(self.view.sealed)
        return {seat: self.view.places[f"fight {seat}"].sure[0] for seat, _ in self.view.sealed}

    def _new_stock(self, dealt: Dealt) -> Bag | None:
        """All cards of FL-7's new stock, also those that have left it since."""
        if not self.renewed:
            return None
        first = self.game.size.hand * sum(self.known(seat) for seat in self.view.playing)  # those dealt before
        new = [card for zone, cards in dealt.items() if zone.endswith(NEW) for card in cards]
        return Bag((*dealt.get("stock", ()), *new, *self.view.got[first:]))

    @property
    def _over(self) -> str:
        if not self.view.over:
            return ""
        return "too_few" if len(self.view.playing) < 2 else "deals"


def _exchanged(chances: dict[tuple[int, int], Fraction], n: int, hand: int) -> dict[tuple[int, int], Fraction]:
    """After n cards of a hand, any alike, were exchanged for cards of the new stock."""
    after = dict[tuple[int, int], Fraction]()
    for (kept, away), chance in chances.items():
        for x in range(min(kept, n) + 1):
            share = Fraction(comb(kept, x) * comb(hand - kept, n - x), comb(hand, n))
            if share:
                key = (kept - x + n, away + x)
                after[key] = after.get(key, Fraction(0)) + chance * share
    return after
