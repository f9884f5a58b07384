"""What came true of a question: read from the events that followed the moment at which it was asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

from cardlab.cards import KING_OF_HEARTS, Card
from cardlab.chance.fights import Match
from cardlab.chance.kings import Leaving
from cardlab.chance.marshal_outcomes import Settled, TitleOf
from cardlab.chance.samples import Numbers
from cardlab.chance.worlds import worlds
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Event, GameOver, Seat, Viewer
from cardlab.core.session import Session
from cardlab.games import fight_events as fight
from cardlab.games import marshal_events as marshal
from cardlab.games import suicide_king as king

MOST: Final = 8  # outcomes from which one is chosen
LONGEST: Final = 6  # of the lengths of a turn those that come often enough


class Watch(ABC):
    """Follows the events after a moment until it is settled what came true there; all that it reads is told to everybody.

    ``true`` are the outcomes that came true, ``None`` while it is open. Where a question is about each card that the viewer may lay
    or play, ``own`` is the one that he did: the others cannot come true any more, nor turn out false.
    """

    conditional = False  # whether an outcome is a choice of the viewer that makes the chance

    def __init__(self, view: Any) -> None:
        self.view, self.viewer = view, view.viewer
        self.true: frozenset[Any] | None = None
        self.own: Card | None = None

    def see(self, events: Iterable[Event]) -> None:
        """The events of one step."""
        if self.true is None:
            self._see(tuple(events))

    @abstractmethod
    def _see(self, events: tuple[Event, ...]) -> None: ...

    def came(self, outcome: Hashable) -> bool | None:
        """Whether an outcome came true; ``None`` while it is open, and for ever where another choice was made."""
        if self.true is None or self.void(outcome):
            return None
        return outcome in self.true

    def void(self, outcome: Hashable) -> bool:
        """Whether the viewer made another choice, so that it will never be known."""
        return self.conditional and self.own is not None and self.own != outcome

    @abstractmethod
    def outcomes(self) -> list[Any]:
        """The outcomes that may be asked for here, a few of them where there are many; what the rules alone exclude is left out."""


# Suicide King


class _King(Watch):
    def __init__(self, view: Any) -> None:
        super().__init__(view)
        self.table: king.Table = view.table
        self.taken = 0

    @property
    def _unseen(self) -> tuple[Card, ...]:
        pack: tuple[Card, ...] = self.view.game.size.pack
        return pack if self.table.turn is None else self.table.unseen.cards

    @property
    def _king_ends(self) -> bool:
        """Whether the king of hearts, still to come, ends the deal."""
        ends = len(self.table.playing) == 2 or self.view.game.rules.king_of_hearts == "ends_deal"
        return ends and KING_OF_HEARTS in self._unseen


class LastPlayer(_King):
    """SK-1."""

    def __init__(self, view: Any) -> None:
        super().__init__(view)
        self.playing = set(self.table.playing)

    def _see(self, events: tuple[Event, ...]) -> None:
        self.playing -= {event.seat for event in events if isinstance(event, king.Leaves)}
        if len(self.playing) == 1:
            self.true = frozenset(self.playing)

    def outcomes(self) -> list[Any]:
        return list(self.table.playing)


class LeavesThisDeal(_King):
    """SK-9 and SK-10."""

    def __init__(self, view: Any) -> None:
        super().__init__(view)
        self.leaving: set[Leaving] = set()

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, king.Leaves):
                self.leaving.add(Leaving(event.seat, "king" if event.rule == "SK-9" else "last_card"))
            elif isinstance(event, (king.NextDeal, GameOver)):
                self.true = frozenset(self.leaving)

    def outcomes(self) -> list[Any]:
        ways = [way for way, may in (("king", KING_OF_HEARTS in self._unseen), ("last_card", not self._king_ends)) if may]
        if len(ways) * len(self.table.playing) > MOST:
            ways = ways[:1]
        return [Leaving(seat, way) for way in ways for seat in self.table.playing]


class TurnLength(_King):
    """SK-5 to SK-8."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.taken += isinstance(event, king.Took)
            if isinstance(event, (king.Passed, king.Leaves)):
                self.true = frozenset({self.taken})

    def outcomes(self) -> list[Any]:
        return list(range(1, min(len(self._unseen), LONGEST) + 1))


class NextCard(_King):
    """SK-5."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, king.Took):
                self.true = frozenset({event.card})

    def outcomes(self) -> list[Any]:
        return sorted(self._unseen) if len(self._unseen) <= MOST else []


class CardsToEnd(_King):
    """SK-9 and SK-10."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.taken += isinstance(event, king.Took)
            if isinstance(event, (king.NextDeal, GameOver)):
                self.true = frozenset({self.taken})

    def outcomes(self) -> list[Any]:
        return list(range(1, len(self._unseen) + 1)) if self._king_ends and len(self._unseen) <= MOST else []


# Fight for the Lead


class FirstMatch(Watch):
    """FL-5."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, (fight.LeadWon, fight.NoMatch)):
                self.true = frozenset({Match(event.rule == "FL-5")})

    def outcomes(self) -> list[Any]:
        return [Match(True)]


class _ToLay(Watch):
    def outcomes(self) -> list[Any]:
        return sorted(self.view.places[f"fight {self.viewer}"].sure or self.view.hand(self.viewer))


class SuitTurned(_ToLay):
    """FL-5."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, fight.Turned):
                self.true = frozenset(card for card in self.view.game.size.pack if card.suit == event.card.suit)


class WinsLead(_ToLay):
    """FL-5 and FL-6."""

    conditional = True

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, fight.FightCards):
                self.own = dict(zip(event.seats, event.cards, strict=True)).get(self.viewer)
            elif isinstance(event, fight.LeadWon):
                self.true = frozenset({self.own} if event.seat == self.viewer else ())


class NoTrick(Watch):
    """FL-16."""

    def _see(self, events: tuple[Event, ...]) -> None:
        if any(isinstance(event, (fight.DealOver, fight.BankUnplayed)) for event in events):
            self.true = frozenset(event.seat for event in events if isinstance(event, fight.Loses))

    def outcomes(self) -> list[Any]:
        if self.view.now.phase not in ("exchange", "tricks"):  # what is known of tricks may be that of the last deal
            return list(self.view.playing)
        return [seat for seat in self.view.staying if not self.view.tricks[seat]]


class TrickWinner(Watch):
    """FL-12."""

    def __init__(self, view: Any) -> None:
        super().__init__(view)
        self.conditional = view.now.actor == view.viewer

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, fight.Played) and event.seat == self.viewer:
                self.own = self.own or event.card
            elif isinstance(event, fight.TrickWon):
                own = {self.own} if event.seat == self.viewer else set()
                self.true = frozenset(own if self.conditional else {event.seat})

    def outcomes(self) -> list[Any]:
        if not self.conditional:
            return list(self.view.staying)
        state = worlds(self.view).sample(lambda m: 0)  # what is legal can be told from the view, so that any world will do
        return [action.card for action in self.view.game.legal(state)]


# Poker Marshal


class NextTitle(Watch):
    """PM-2 and PM-13."""

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, marshal.TitlesSet):
                self.true = frozenset(TitleOf(seat, title) for title, seat in enumerate(event.seats))

    def outcomes(self) -> list[Any]:
        game, seat = self.view.game, self.viewer
        if isinstance(seat, Seat):
            return [TitleOf(seat, title) for title in range(game.players)]
        return [TitleOf(seat, 0) for seat in game.seats]


class TitlesDrawn(Watch):
    """PM-1."""

    def __init__(self, view: Any) -> None:
        super().__init__(view)
        lots = worlds(view).sample(Numbers(0, 0)).lots  # which is open to all
        assert lots is not None
        self.group = frozenset(lots.group)
        self.waiting = self.group - {seat for seat, _ in lots.drawn}

    def _see(self, events: tuple[Event, ...]) -> None:
        self.waiting -= {event.seat for event in events if isinstance(event, marshal.DrewTitle)}
        if not self.waiting:
            tied = any(isinstance(event, marshal.TitleTie) and self.group.issuperset(event.seats) for event in events)
            self.true = frozenset({Settled(not tied)})

    def outcomes(self) -> list[Any]:
        return [Settled(True)]


WATCHES: Final[dict[str, Callable[[Any], Watch]]] = {
    "last_player": LastPlayer,
    "leaves_this_deal": LeavesThisDeal,
    "turn_length": TurnLength,
    "next_card": NextCard,
    "cards_to_end": CardsToEnd,
    "first_match": FirstMatch,
    "suit_turned": SuitTurned,
    "wins_lead": WinsLead,
    "no_trick": NoTrick,
    "trick_winner": TrickWinner,
    "next_title": NextTitle,
    "title_draw": TitlesDrawn,
}


def watch(view: Any, question: str) -> Watch:
    """Follows a question that fits a view; raises BadRequest for one of which nothing can come true."""
    made = WATCHES.get(question)
    if made is None:
        raise BadRequest("error.ask.question", name=quoted(question), names=", ".join(WATCHES))
    return made(view)


def settled(session: Session, at: int, question: str, viewer: Viewer = TEACHER) -> Watch:
    """What came true of a question asked at step ``at``, as far as the session has come: the viewer's own events are read and no others.

    Raises BadRequest beyond the ends of the line, and for a question of which nothing can come true.

    >>> from cardlab import game
    >>> session = Session(game("suicide_king", players=2), seed=7)
    >>> _ = session.auto("random", until="game")
    >>> settled(session, 0, "last_player").true
    frozenset({Seat(0)})
    """
    found = watch(session.branch().goto(at).view(viewer), question) if at <= session.at else None
    if found is None:
        raise BadRequest("error.step", step=quoted(at), last=session.at)
    follow(found, session, at)
    return found


def follow(found: Watch, session: Session, at: int) -> None:
    """Shows a watch what its viewer was told after step ``at``, as far as the session has come."""
    for moment in session.line[at + 1 : session.at + 1]:
        if found.true is not None:
            return
        assert moment.step is not None
        seen = (event.seen(found.viewer) for event in moment.step.events)
        found.see(event for event in seen if event is not None)
