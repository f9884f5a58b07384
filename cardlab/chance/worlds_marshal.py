"""Poker Marshal: the worlds of a view.

``games.marshal_odds`` follows the deal and says how many jokers lie in each zone and where the named cards lie, with the weights of the
blind draws, of the cards laid unseen and of silence; in each such case the other hidden cards can be dealt out in all ways alike.

How to use it for the Marshal's questions::

    believed = worlds(view, accept)      # accept=0: silence tells nothing, the prior
    believed.where(card)                 # exact: {"hand 3": Fraction(...), "stock": ...}
    believed.sample(rng)                 # a State; play it on with view.game.apply
    believed.cases                       # exact sums over hidden hands: weight, fills (jokers, then the cards that are all alike), fixed

A hidden zone is called as in ``view.places``: ``hand K`` of seat K, ``stock``, ``discard``, ``laid``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby
from math import factorial
from typing import Any, Final

from cardlab.cards import Bag, Card
from cardlab.chance.believed import Case, Seal, Told, Worlds, any_of, any_order
from cardlab.chance.fill import Dealt, Fill
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import Action
from cardlab.games import marshal_odds
from cardlab.games.marshal_events import Asks, BlindDrawn, Laid, Shows
from cardlab.games.marshal_state import BANDIT, DEPUTY, DRUNK, MARSHAL, STOREKEEPER, Lots, State
from cardlab.games.marshal_view import View
from cardlab.games.poker_marshal import PokerMarshal

SWAPPERS: Final = {"marshal": (MARSHAL, BANDIT), "deputy": (DEPUTY, DRUNK)}


def marshal_worlds(view: View, accept: Fraction) -> Worlds[State]:
    """The worlds of a view; ``accept`` is the chance that who could give a card gives one."""
    table = _Table(view, accept)
    sealing = table._secret if table.view.asked else ()
    return Worlds(tuple(table.cases()), table.seals, table.state, table.seen, table.plain, sealing, accept)


@dataclass(frozen=True)
class _Table(Told):
    """What can be read off a view."""

    view: View
    accept: Fraction

    @property
    def game(self) -> PokerMarshal:
        game: PokerMarshal = self.view.game
        return game

    @cached_property
    def in_play(self) -> bool:
        """Whether a deal lies on the table."""
        return self.phase not in ("titles", "over") and self.asks != "shuffle"

    @cached_property
    def plain(self) -> bool:
        """Whether all that is hidden is which cards lie in the hands, in the stock and alone face down, and answers to a card asked for."""
        laid = self.view.places["laid"].size
        return not self.in_play or ((laid <= 1 or bool(self._laid_order)) and (bool(self.view.asked) or not self._secret))

    def known(self, seat: Seat) -> bool:
        """Whether the viewer sees a hand."""
        return self.view.viewer in (seat, TEACHER) or self.phase == "ties"  # after the showdown

    def seen(self, card: Card) -> str | None:
        """The zone in which a card is known to lie."""
        return next((name for name, zone in self.view.places.zones if card in zone.sure), None)

    # the hidden cards and where they may lie

    def cases(self) -> Iterator[Case]:
        if not self.in_play or self.view.viewer == TEACHER:
            yield Case(Fraction(1), (), 1, tuple((zone, card) for zone, card in self._sure_outside()))
            return
        viewer = self.view.viewer if isinstance(self.view.viewer, Seat) else None
        told = marshal_odds.told(self.game.size, self.view.titles, viewer, self.view.story, self.accept)
        if self.phase in SWAPPERS and self.asks == "blind":
            told.has_plain(SWAPPERS[self.phase][1], self.due)
        names = {zone: name for zone, name in enumerate(self._names()) if zone != told.me}

        @cache  # cases by the hundred deal as many cards to each zone
        def fill(cards: tuple[Card, ...], sizes: tuple[int, ...]) -> Fill:
            return Fill(dict(zip(names.values(), sizes, strict=True)), [(cards, names.values())])

        for case, weight in told.weights.items():
            jokers = fill(tuple(told.jokers), tuple(case[0][zone] for zone in names))
            alike = fill(tuple(told.alike), tuple(told.unnamed(case, zone) for zone in names))
            fixed = tuple((names[zone], card) for card, zone in zip(told.named, case[1], strict=True) if zone != told.me)
            yield Case(Fraction(weight), (jokers, alike), jokers.count * alike.count * self._answers(told, case), fixed)

    def _names(self) -> list[str]:
        """The zones of ``marshal_odds`` as the view calls them."""
        return [*(f"hand {seat}" for seat in self.view.titles), "stock", "laid", "discard"]

    def _sure_outside(self) -> Iterator[tuple[str, Card]]:
        """Where the teacher sees the cards that are in no hand."""
        for zone in ("stock", "laid", "discard") if self.in_play else ():
            yield from ((zone, card) for card in self.view.places[zone].sure)

    # secret choices: the order of cards laid face down, and answers to an offer

    @cached_property
    def _answering(self) -> tuple[Seat, ...]:
        """The seats whose answer is given, in title order."""
        asked = tuple(seat for seat in self.view.titles if seat != self.view.titles[STOREKEEPER])
        if self.view.laid_by is not None:
            return asked
        if self.phase == "offers" and self.actor in asked:
            return asked[: asked.index(self.actor)]
        return ()

    @cached_property
    def _own_answers(self) -> dict[Seat, Card | None]:
        """The answers that the viewer knows: his own, and opened passes."""
        passed = {seat: None for seat in self._answering if self.view.laid_by is not None and seat not in self.view.laid_by}
        laid = {seat: self.view.places[f"laid {seat}"].sure[0] for seat in self.view.laid_by or () if self.known(seat)}
        return {**dict(self.view.sealed), **passed, **laid}

    @cached_property
    def _secret(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._answering if seat not in self._own_answers)

    def _answer(self, hand: tuple[Card, ...]) -> Seal:
        """What the holder of a hand may have answered."""
        view = self.view
        plain = tuple(card for card in hand if not card.joker)
        gives = (view.asked,) if view.asked in hand else plain if view.shown else ()
        if view.laid_by is not None:
            return any_of(plain)
        if not gives:
            return ((None, Fraction(1)),)
        silent = ((None, 1 - self.accept),) if self.accept < 1 else ()
        return (*silent, *((card, self.accept / len(gives)) for card in gives if self.accept))

    def _answers(self, told: marshal_odds.Cases, case: marshal_odds.Case) -> int:
        """In how many ways the secret choices can have been made."""
        ways = 1 if self._laid_order else factorial(self.view.places["laid"].size)
        for seat in self._secret:
            zone = self.view.titles.index(seat)
            if self.view.laid_by is not None:
                ways *= told.plain(case, zone)
            else:
                gives = told.plain(case, zone) if self.view.shown else int(told.zone(case, self.view.asked) == zone)  # type: ignore[arg-type]
                ways *= (self.accept < 1 or not gives) + (gives if self.accept else 0)
        return ways

    @cached_property
    def _laid_order(self) -> tuple[Card, ...]:
        """The cards laid, in their order, where the viewer knows it."""
        cards = [event.card for event in self.view.story if isinstance(event, Laid) and event.seat == self._layer]
        n = self.view.places["laid"].size
        last = cards[-n:] if self.phase == "offers" else cards[:n]
        return tuple(card for card in last if card is not None) if n else ()

    @cached_property
    def _layer(self) -> Seat | None:
        """Who lays cards in this phase."""
        title = STOREKEEPER if self.phase == "offers" else SWAPPERS.get(self.phase, (BANDIT,))[0]
        return self.view.titles[title]

    def seals(self, dealt: Dealt) -> tuple[Seal, ...]:
        """The secret choices in a deal of the hidden cards."""
        if not self.in_play:
            return ()
        order = any_of((self._laid_order,)) if self._laid_order else any_order(dealt.get("laid", ()))
        return (order, *(self._answer(dealt.get(f"hand {seat}", ())) for seat in self._secret))

    # the state

    @cached_property
    def due(self) -> int:
        """How many cards chance still has to give."""
        if self.asks == "blind":
            drawn = sum(isinstance(event, BlindDrawn) and event.seat == self._layer for event in self.view.story)
            return (self.view.places["laid"].size if self.view.named is None else self.view.named) - drawn
        if self.asks == "draw":
            return self.game.size.hands[BANDIT] - self.view.places[f"hand {self.view.titles[BANDIT]}"].size
        return 0

    @cached_property
    def _public(self) -> dict[str, Any]:
        view = self.view
        made = sum(isinstance(event, Asks | Shows) for event in view.story) - bool(view.asked or view.shown)
        over = "" if not view.over else "deals" if view.deal + 1 == self.game.rules.deals else "streak"
        return {
            "phase": self.phase, "titles": view.titles or self.game.seats, "wins": view.wins, "streak": view.streak,
            "deal": sum(view.wins) - view.over,  # each deal has one winner
            "offers": made if self.in_play or view.over else 0, "asked": view.asked, "shown": view.shown, "over": over,
            "named": view.named or None, "due": self.due, "picking": view.laid_by is not None, "lots": self._lots,
        }  # fmt: skip

    def state(self, dealt: Dealt, choices: tuple[Any, ...]) -> State:
        """The state in which the hidden cards lie so and the secret choices are these."""
        if not self.in_play:
            return State(hands=(Bag(),) * self.game.players, **self._public)
        order, *secret = choices
        hands = tuple(self._hand(seat, dealt) for seat in self.game.seats)
        stock = dealt.get("stock", ())
        lying = {*stock, *order, *(card for hand in hands for card in hand)}
        answers = {**self._own_answers, **dict(zip(self._secret, secret, strict=True))}
        return State(
            hands=hands, stock=Bag(stock), discard=Bag(card for card in self.game.size.pack if card not in lying), laid=order,
            answers=tuple((seat, answers[seat]) for seat in self._answering), **self._public,
        )  # fmt: skip

    def _hand(self, seat: Seat, dealt: Dealt) -> Bag:
        if self.known(seat):
            return Bag((*self.view.places[f"hand {seat}"].sure, *self.view.places[f"laid {seat}"].sure))
        return Bag(dealt.get(f"hand {seat}", ()))

    # PM-1, PM-13: a draw for titles, made again from the cards drawn

    @cached_property
    def _lots(self) -> Lots | None:
        if self.phase not in ("titles", "ties"):
            return None
        worth = dict(self.view.shown_hands)
        groups: tuple[tuple[Seat, ...], ...] = (self.game.seats,)
        if self.phase == "ties":
            ranked = sorted(self.view.titles, key=lambda seat: worth[seat], reverse=True)
            groups = tuple(tuple(sorted(group)) for _, group in groupby(ranked, key=lambda seat: worth[seat]))
        state = replace(self.game.start(), lots=Lots(groups, self.game.draw_pack))
        for _, card in self.view.drawn:
            state = self.game.apply(state, Action("title", (card,))).after
        return state.lots
