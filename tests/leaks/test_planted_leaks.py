"""Leaks planted into the games, the session and the players: the renaming of cards or the tiny histories must catch each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pytest
from leak_tools import DOORS, Doors, Leak, Line, random_session, try_twins
from test_tiny_histories import FIVE, OFFERS_ONLY, SIX, SWAPS_ONLY, TITLES, one_in
from tiny import Everything, Untold

from cardlab import CHANCE, Action, Session
from cardlab.cards import parse_cards
from cardlab.core.dist import Dist
from cardlab.core.events import Event, Now, Seat, Viewer
from cardlab.core.game import AnyGame, Game, Moves, View
from cardlab.games import fight_state, marshal_state
from cardlab.games.fight_events import Exchanged, FightLaid
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.marshal_events import Answered, Laid, Silence, SwapDone
from cardlab.games.poker_marshal import PokerMarshal

E = TypeVar("E", bound=Event)


class Retold(Game[Any, Any]):
    """A game whose events are told otherwise, from the truth."""

    def _apply(self, s: Any, a: Action) -> tuple[Any, list[Event]]:
        after, events = super()._apply(s, a)  # type: ignore[safe-super]
        return after, [told for event in events for told in self.tell(s, event)]

    def tell(self, s: Any, event: Event) -> Iterator[Event]:
        """What is told instead of an event."""
        raise NotImplementedError


class AsksOnlyTheHolder(PokerMarshal):
    """PM-8 broken: the offer goes to the holder alone, and to nobody when the card lies in the stock."""

    def _answerer(self, s: marshal_state.State) -> Seat | None:
        if super()._answerer(s) is None or s.asked is None:
            return super()._answerer(s)
        return next((seat for seat in s.titles if s.asked in s.hands[seat]), None)

    def _offer(self, s: marshal_state.State, a: Action) -> tuple[marshal_state.State, list[Event]]:
        answering = self._answerer(s)
        if s.asked is None or (answering is None and s.laid):
            return super()._offer(s, a)
        if answering is not None:
            return self._open_answers(replace(s, answers=((answering, s.asked if a.verb == "accept" else None),)), [])
        s, events = super()._offer(s, a)
        return self._open_answers(s, events) if self._answerer(s) is None else (s, events)


class ShowsTheFightCard(Retold, FightForTheLead):
    """A fight card is told to all when it is laid, before the others have laid theirs."""

    def tell(self, s: fight_state.State, event: Event) -> Iterator[Event]:
        yield replace(event, seen_by=None) if isinstance(event, FightLaid) else event


class ShowsTheAnswer(Retold, PokerMarshal):
    """The answer to an offer is told to all before the others have answered."""

    def tell(self, s: marshal_state.State, event: Event) -> Iterator[Event]:
        yield replace(event, seen_by=None) if isinstance(event, Answered) else event


class SealsWithARow(Retold, PokerMarshal):
    """Everybody's log has a row for a holder's answer, without its content; a seat that does not hold the card gives none."""

    def tell(self, s: marshal_state.State, event: Event) -> Iterator[Event]:
        yield event
        if isinstance(event, Answered) and s.asked in s.hands[event.seat]:
            yield Now(rule="PM-8", actor=event.seat, phase="offers")


class CountsHiddenSteps(Retold, PokerMarshal):
    """After a silence one silent event more is told when somebody does hold the card."""

    def tell(self, s: marshal_state.State, event: Event) -> Iterator[Event]:
        yield event
        if isinstance(event, Silence) and any(event.card in hand for hand in s.hands):
            yield Now(rule="PM-8", actor=event.seat, phase="offers")


class PausesForTheHolder(PokerMarshal):
    """A step of chance more before the answers when somebody holds the card: only the number of steps tells."""

    def actor(self, s: marshal_state.State) -> Any:
        return CHANCE if self.pauses(s) else super().actor(s)

    def draw(self, s: marshal_state.State) -> Any:
        return replace(super().draw(s), verb="show", purpose=None, cards=(), place=None) if self.pauses(s) else super().draw(s)

    def _apply(self, s: marshal_state.State, a: Action) -> tuple[marshal_state.State, list[Event]]:
        return (replace(s, named=1), []) if self.pauses(s) else super()._apply(s, a)

    def pauses(self, s: marshal_state.State) -> bool:
        """Whether it is now."""
        return bool(s.asked and s.laid and not s.answers and s.named is None and any(s.asked in hand for hand in s.hands))


class OffersOnlyHeldCards(PokerMarshal):
    """The Storekeeper's legal moves are not a function of his view: a card of the stock cannot be asked for."""

    def _offer_moves(self, s: marshal_state.State, keeper: Seat) -> Iterator[Action]:
        return (action for action in super()._offer_moves(s, keeper) if action.verb != "ask" or action.card not in s.stock)


class StopsAtJokers(PokerMarshal):
    """The swap closes by itself when the swapper has nothing but jokers left: that is told by nothing in the rules."""

    def _swap(self, s: marshal_state.State, a: Action) -> tuple[marshal_state.State, list[Event]]:
        seat, phase = self.parties(s)[0], s.phase
        s, events = super()._swap(s, a)
        closes = a.verb == "lay" and s.phase == phase and not s.due and all(card.joker for card in s.hands[seat])
        return self._begin_draws(s, events) if closes else (s, events)


class HidesTheGift(Retold, PokerMarshal):
    """No leak but the contrary: the victim of a swap is not told which cards it gets."""

    def tell(self, s: marshal_state.State, event: Event) -> Iterator[Event]:
        yield replace(event, seen_by=frozenset({event.seat})) if isinstance(event, SwapDone) else event


@dataclass(frozen=True, kw_only=True)
class ExchangedPlaces(Exchanged):
    """An exchange that also tells the places of the cards in the sorted hand."""

    at: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class LaidPlace(Laid):
    """A card laid that also tells its place in the sorted hand."""

    at: int


ExchangedPlaces.key, ExchangedPlaces.secret = Exchanged.key, Exchanged.secret
LaidPlace.key, LaidPlace.secret = Laid.key, Laid.secret


class SortsHiddenCards(Retold, FightForTheLead):
    """Card backs stand in the order of the true cards, so that the place of a discarded back tells of its rank."""

    def tell(self, s: fight_state.State, event: Event) -> Iterator[Event]:
        if isinstance(event, Exchanged):
            at = tuple(s.hands[event.seat].cards.index(card) for card in event.cards if card)
            event = ExchangedPlaces(
                rule=event.rule, seat=event.seat, cards=event.cards, fee=event.fee, bank=event.bank, seen_by=event.seen_by, at=at
            )
        yield event


class SortsLaidCards(Retold, PokerMarshal):
    """The same for a card laid face down."""

    def tell(self, s: marshal_state.State, event: Event) -> Iterator[Event]:
        if isinstance(event, Laid) and event.card:
            place = s.hands[event.seat].cards.index(event.card)
            event = LaidPlace(**vars(event), at=place)
        yield event


class OddsFromTheTruth(Session):
    """``expects`` shows the true chances: the stock is the complement of all hands."""

    def expects(self, viewer: Viewer = None) -> Dist[Action] | None:
        return self.game.chances(self.state) if self.actor is CHANCE else None


class ExportsTheSeed(Session):
    """The export of a seat has the header of the record, seed and all."""

    def export(self, viewer: Viewer = None) -> str:
        head, *rest = super().export(viewer).splitlines(keepends=True)
        return json.dumps({**json.loads(head), "seed": self.seed}) + "\n" + "".join(rest)


class LogsTheStock(Session):
    """The log has a row more when the ace of spades lies in the stock."""

    def log(self, viewer: Viewer = None, language: str = "en", names: tuple[str, ...] = (), last: int | None = None) -> list[Any]:
        rows = super().log(viewer, language, names, last)
        return rows + rows[-1:] if self.game.size.pack[-1] in getattr(self.state, "stock", ()) else rows


class Peeks:
    """A computer player that looks at the others' hands in the state."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def choose(self, game: AnyGame, view: View, legal: Moves, below: Callable[[int], int]) -> Action:
        """A move that depends on the highest card of the next seat."""
        hand = self.session.state.hands[((view.viewer or 0) + 1) % game.players]  # type: ignore[operator]
        return legal[sum(card.code for card in hand) % len(legal)]


def records(kind: type[AnyGame], doors: Doors = DOORS, games: int = 20) -> None:
    """Some records of a planted game, with cards renamed."""
    rng = random.Random(5)
    for index in range(games):
        session = random_session(kind(deals=1), index, rng, doors.session)
        try_twins(Line(session, doors), rng)


SOME_FIGHTS, SOME_OFFERS, SOME_SWAPS = one_in(5, "fight"), one_in(8, "offers", OFFERS_ONLY), one_in(4, "marshal", SWAPS_ONLY)


def fights(kind: type[FightForTheLead], doors: Doors = DOORS) -> None:
    """All histories of a tiny fight."""
    Everything(kind(2, size=fight_state.Size(parse_cards(SIX), 1, 1), first_dealer=0, deals=1), (), SOME_FIGHTS, doors).run()


def offers(kind: type[PokerMarshal]) -> None:
    """All offers in a tiny Marshal."""
    size = marshal_state.Size(parse_cards(FIVE + " 7D"), (1, 1, 1, 1, 1), (1, 1), 1)
    Everything(kind(size=size, deals=1, title_tie="incumbent"), TITLES, SOME_OFFERS).run()


def swaps(kind: type[PokerMarshal]) -> None:
    """All swaps in a tiny Marshal with a joker."""
    size = marshal_state.Size(parse_cards(FIVE + " JK1"), (2, 1, 1, 1, 1), (2, 1), 1)
    Everything(kind(size=size, deals=1, title_tie="incumbent"), TITLES, SOME_SWAPS).run()


PEEKS = Doors(players=(Peeks,))
ODDS, SEED, STOCK = (Doors(kind) for kind in (OddsFromTheTruth, ExportsTheSeed, LogsTheStock))
PLANTED: dict[str, Callable[[], None]] = {
    "asks only the holder: renamed": lambda: records(AsksOnlyTheHolder),
    "asks only the holder: tiny": lambda: offers(AsksOnlyTheHolder),
    "shows the fight card early: tiny": lambda: fights(ShowsTheFightCard),
    "shows the answer early: tiny": lambda: offers(ShowsTheAnswer),
    "a row for the holder's answer: renamed": lambda: records(SealsWithARow),
    "a row for the holder's answer: tiny": lambda: offers(SealsWithARow),
    "counts hidden steps: renamed": lambda: records(CountsHiddenSteps),
    "counts hidden steps: tiny": lambda: offers(CountsHiddenSteps),
    "pauses for the holder: renamed": lambda: records(PausesForTheHolder),
    "pauses for the holder: tiny": lambda: offers(PausesForTheHolder),
    "moves that tell the stock: renamed": lambda: records(OffersOnlyHeldCards),
    "moves that tell the stock: tiny": lambda: offers(OffersOnlyHeldCards),
    "stops at jokers: tiny": lambda: swaps(StopsAtJokers),
    "odds from chances, fight: renamed": lambda: records(FightForTheLead, ODDS),
    "odds from chances, marshal: renamed": lambda: records(PokerMarshal, ODDS),
    "odds from chances: tiny": lambda: fights(FightForTheLead, doors=ODDS),
    "hidden cards in true order, fight: renamed": lambda: records(SortsHiddenCards),
    "hidden cards in true order, marshal: renamed": lambda: records(SortsLaidCards),
    "hidden cards in true order: tiny": lambda: swaps(SortsLaidCards),
    "export with the seed: renamed": lambda: records(FightForTheLead, SEED),
    "export with the seed: tiny": lambda: fights(FightForTheLead, doors=SEED),
    "a log that tells the stock: renamed": lambda: records(PokerMarshal, STOCK),
    "a log that tells the stock: tiny": lambda: fights(FightForTheLead, doors=STOCK),
    "a player that peeks, fight: renamed": lambda: records(FightForTheLead, PEEKS),
    "a player that peeks, marshal: renamed": lambda: records(PokerMarshal, PEEKS),
    "a player that peeks: tiny": lambda: fights(FightForTheLead, doors=PEEKS),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_caught(name: str) -> None:
    with pytest.raises(Leak):
        PLANTED[name]()


def test_a_seat_that_is_told_too_little_is_found() -> None:
    with pytest.raises(Untold):
        swaps(HidesTheGift)


HONEST: dict[str, Callable[[], None]] = {
    "renamed, fight": lambda: records(FightForTheLead, games=3),
    "renamed, marshal": lambda: records(PokerMarshal, games=3),
    "tiny, fight": lambda: fights(FightForTheLead),
    "tiny, offers": lambda: offers(PokerMarshal),
    "tiny, swaps": lambda: swaps(PokerMarshal),
}


@pytest.mark.parametrize("name", HONEST)
def test_the_same_tries_find_nothing_where_nothing_is_planted(name: str) -> None:
    HONEST[name]()
