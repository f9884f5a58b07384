"""A desk: one session as somebody steps through it, with a viewpoint, a language and a pace.

The terminal, the notebook and the page are thin shells over it: each of their buttons calls one of its methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardlab.cards import Card, parse_card
from cardlab.chance.watched import Watched
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.core.game import CHANCE, OVER, AnyGame
from cardlab.core.record import Record
from cardlab.core.registry import game, player
from cardlab.core.session import PACES, Row, Session
from cardlab.desk.asked import viewer_of
from cardlab.view import text
from cardlab.view.blocks import Draft
from cardlab.view.drawings import alone
from cardlab.view.moved import Moved, moved
from cardlab.view.odds import Odds, odds
from cardlab.view.offer import CHOOSE, Offer, offer
from cardlab.view.scene import Scene, scene, sees_moves
from cardlab.view.svg import picture
from cardlab.words import LANGUAGES, Words


def spoken(language: str) -> str:
    """A language that cardlab speaks; raises BadRequest for another.

    >>> spoken("ru")
    'ru'
    """
    if language not in LANGUAGES:
        raise BadRequest("error.language", language=quoted(language), languages=", ".join(LANGUAGES))
    return language


def _known(pace: str) -> str:
    """A pace that there is; raises BadRequest for another."""
    if pace not in PACES:
        raise BadRequest("error.pace", pace=quoted(pace), paces=", ".join(PACES))
    return pace


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move as a button shows it."""

    token: str
    label: str


@dataclass(frozen=True, slots=True)
class Chance:
    """An outcome of the next draw: its label, and its probability, exact."""

    token: str
    label: str
    p: Fraction


class Desk:
    """A game on the desk.

    ``seat`` is the viewpoint: a seat, ``None`` for a spectator, "teacher" for all cards. ``policy`` plays the seats when one steps.
    Raises BadGame or BadRequest for options that do not fit; ``new`` raises them too, and the game on the desk stays.

    >>> desk = Desk("suicide_king", players=2, seed=7)
    >>> desk.step().step().at
    2
    """

    def __init__(
        self,
        name: str = "suicide_king",
        players: int | None = None,
        preset: str = "default",
        seed: int | None = None,
        index: int = 0,
        language: str = "en",
        seat: Viewer = TEACHER,
        policy: str = "random",
        pace: str = "card",
        **house: Any,
    ) -> None:
        self.words = Words()
        self.set_language(language)
        self.policy = policy
        player(policy)
        self.set_pace(pace)
        self.session = Session(game(name, players, preset, **house), seed, index)
        self.preset = preset
        self.viewer: Viewer = self.session.game.viewer(seat)
        self.since = 0  # where the last press started: what has moved from there on is marked
        self.chosen: tuple[Card, ...] = ()  # of a move that names several cards and is still put together

    @classmethod
    def of(cls, record: Record, **options: Any) -> Desk:
        """A desk with a recorded game, at its start."""
        return cls.on(record.session().goto(0), **options)

    @classmethod
    def on(cls, session: Session, **options: Any) -> Desk:
        """A desk with a session at the moment where it stands; the options are those of a desk that do not concern the game."""
        desk = cls(session.game.name, session.game.players, seed=0, **options)
        desk.session = session
        return desk._stand()

    @classmethod
    def made(cls, what: str | Desk | Session | Record, **options: Any) -> Desk:
        """A desk with whatever is named: a game, a session, a record, or a desk, which it is already."""
        if isinstance(what, Desk):
            return what
        if isinstance(what, Record):
            return cls.of(what, **options)
        return cls.on(what, **options) if isinstance(what, Session) else cls(what, **options)

    # what is on the desk

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.session.game

    @property
    def at(self) -> int:
        """The number of steps from the start to here."""
        return self.session.at

    def __len__(self) -> int:
        return len(self.session)

    @property
    def over(self) -> bool:
        """Whether the game is over here."""
        return self.session.actor is OVER

    @property
    def ended(self) -> bool:
        """Whether no step leads on from here: the game is over, or what was seen of it ends."""
        return self.session.ended

    def table(self) -> str:
        """The table in plain text, as the viewpoint knows it."""
        return text(self.game, self.session.view(self.viewer), self.words)

    def scene(self, at: int | None = None) -> Scene:
        """What lies where at a step, here if none is named, as the viewpoint knew it then."""
        there = self.session if at is None else self.session.branch().goto(at)
        return scene(self.game, there.view(self.viewer), there.view(None))

    def picture(self, narrow: bool = False) -> str:
        """The table as SVG that stands alone, as the viewpoint knows it; ``narrow`` for a phone."""
        return alone(picture(self.scene(), Draft(self.words, self._moved()), narrow), self.words.language)

    def drawn(self, narrow: bool = False) -> str:
        """The table as SVG for a pane: it uses the drawings of a sprite, and its cards speak."""
        return picture(self.scene(), Draft(self.words, self._moved(), self.offer()), narrow, step=str(self.at))

    def peek(self, at: int, narrow: bool = False) -> str:
        """The table at another step, as the viewpoint knew it then; nothing can be clicked on it. Raises BadRequest beyond the ends."""
        table = self.scene(at)
        return picture(table, Draft(self.words, moved(self.scene(max(at - 1, 0)), table)), narrow, step=str(at), peek=str(at))

    def _moved(self) -> Moved:
        return moved(self.scene(self.since), self.scene()) if self.at else Moved()

    def offer(self) -> Offer | None:
        """What may be clicked, where the viewpoint may see it; ``None`` where chance acts or the moves are another's."""
        session = self.session
        actor = session.actor
        if isinstance(session, Watched):
            return self._told_by_click(session)
        if not isinstance(actor, Seat) or not session.legal or not sees_moves(session.view(self.viewer)):
            return None
        return offer(self.scene(), actor, session.legal, lambda action: self.game.why_not(session.state, action), self.chosen)

    def _told_by_click(self, session: Watched) -> Offer | None:
        """The moves of a seat whose hand the viewpoint knows, where one of them is to be told."""
        detail = session.telling.detail if session.following and not self.over else None
        if detail is None or detail.name != "move" or detail.seat is None:
            return None
        world = session.believed.world
        return offer(self.scene(), detail.seat, detail.options, lambda action: self.game.why_not(world, action), self.chosen)

    def log(self, last: int | None = None) -> list[Row]:
        """The log as the viewpoint knows it, or its ``last`` so many rows."""
        return self.session.log(self.viewer, self.words.language, self.words.names, last)

    def moves(self) -> list[Move]:
        """The legal moves that the viewpoint may see: its own, or, for the teacher, those of the seat to act."""
        if not sees_moves(self.session.view(self.viewer)):
            return []
        return [Move(str(action), self.game.say_action(action, self.words)) for action in self.session.legal]

    def chances(self) -> list[Chance]:
        """What the next draw may be, as the viewpoint can know it; empty when chance does not act."""
        expected = self.session.expects(self.viewer)
        if expected is None:
            return []
        return [Chance(str(action), self.game.say_action(action, self.words), expected.p(action)) for action in expected]

    def odds(self) -> list[Odds]:
        """The next draw in a few rows, as the viewpoint can know it: outcomes that are alike stand together, the likeliest first."""
        expected = self.session.expects(self.viewer)
        return [] if expected is None else odds(self.game, expected, self.words)

    def next(self) -> str:
        """One sentence on what comes next."""
        actor = self.session.actor
        if actor is OVER:
            return self.result()
        if actor is CHANCE:
            expected = list(self.session.expects(self.viewer) or ())
            if len(expected) == 1:
                return self.words.text("screen.next_chance", what=self.game.say_action(expected[0], self.words))
            return self.words.text("screen.next_draw", n=len(expected))
        key = "screen.next_you" if actor == self.viewer else "screen.next_seat"
        return self.words.text(key, seat=actor, phase=self.words.text(f"phase.{self.game.name}.{self.game.phase(self.session.state)}"))

    def result(self) -> str:
        """The standing, best first; empty while the game goes on."""
        outcome = self.session.outcome
        if outcome is None:
            return ""
        places, shown = 1, []
        for group in outcome.standing:
            shown.append(self.words.text("screen.place", place=places, seats=group))
            places += len(group)
        return self.words.text("screen.standing", places="; ".join(shown))

    def ticks(self) -> list[tuple[int, str]]:
        """The steps at which a phase begins, with its name, along the whole line."""
        ticks: list[tuple[int, str]] = []
        before = None
        for n, moment in enumerate(self.session.line):
            phase = (moment.state.deal, self.game.phase(moment.state))
            if phase != before:
                ticks.append((n, self.words.text(f"phase.{self.game.name}.{phase[1]}")))
            before = phase
        return ticks

    # what can be done

    def new(
        self,
        name: str | None = None,
        players: int | None = None,
        preset: str = "default",
        seed: int | None = None,
        index: int = 0,
        house: Mapping[str, Any] | None = None,
        follow: str | None = None,
    ) -> Desk:
        """Another game on the desk; a viewpoint that it does not have becomes the spectator's.

        With ``follow``, the name of a viewpoint, it is one that is played at a real table, told from there step by step.
        """
        chosen = game(name or self.game.name, players, preset, **(house or {}))
        if follow is None:
            session = Session(chosen, seed, index)
        else:
            session = Watched(chosen, viewer_of(follow), following=True).pass_over()
            self.viewer = session.viewer
        self.session, self.preset = session, preset
        if isinstance(self.viewer, Seat) and self.viewer >= self.game.players:
            self.viewer = None
        return self._stand()

    def turn(self, session: Session) -> Desk:
        """Another session of the same game on the desk, where it stands."""
        self.session = session
        return self._stand()

    def restart(self) -> Desk:
        """Back to the start of the same game: the same cards come again."""
        self.session.goto(0)
        return self._stand()

    def undo(self) -> Desk:
        """One step back; at a table that is followed what was told last is taken back."""
        if isinstance(self.session, Watched) and self.session.following:
            if not self.chosen:
                self.session.take_back()
            return self._stand()
        self.session.undo()
        return self._stand()

    def step(self, pace: str | None = None) -> Desk:
        """On to the next card, move, phase or deal: along what was played already, or played by the policy.

        ``pace`` stands in for the desk's own this once; raises BadRequest for one that there is not.
        """
        start, pace = self.at, self.pace if pace is None else _known(pace)
        if self.at < len(self):
            self.session.redo(pace)
        else:
            self.session.auto(self.policy, until=pace)
        return self._stand(start if pace in ("card", "move") else None)

    def finish(self) -> Desk:
        """On to the end of the game."""
        self.session.goto(len(self))
        self.session.auto(self.policy, until="game")
        return self._stand()

    def goto(self, n: int) -> Desk:
        """To the n-th step."""
        self.session.goto(n)
        return self._stand()

    def act(self, token: str) -> Desk:
        """Plays a move of the seat to act, from the viewpoint of that seat or the teacher's; raises IllegalAction or BadRequest."""
        if not sees_moves(self.session.view(self.viewer)):
            raise BadRequest("error.not_your_turn", viewer=self.words.text("screen.you"))
        start = self.at
        self.session.play(token)
        return self._stand(start)

    def click(self, said: str) -> Desk:
        """What a click on the table says: a move, after which the dealer gives what it asked for, or a card to choose for one.

        Raises IllegalAction or BadRequest, and then nothing has changed.
        """
        verb, _, name = said.partition(" ")
        if verb == CHOOSE:
            return self._choose(parse_card(name))
        if isinstance(self.session, Watched):
            return self._tell(said)
        start, before = self.at, self.session.state
        self.act(said)
        session = self.session
        while session.actor is CHANCE and (session.state.deal, self._phase(session.state)) == (before.deal, self._phase(before)):
            session.play()
        return self._stand(start)

    def _phase(self, state: Any) -> str:
        return self.game.phase(state)

    def _tell(self, said: str) -> Desk:
        """Tells what happens at a table that is followed: a move, or what ``follow`` asks for."""
        from cardlab.desk import follow  # it stands on this module

        start, told = self.at, follow.asked(self)
        if told is None:
            self.session.play(said)
        follow.tell(self, said)
        chosen = self.chosen
        self._stand(start if self.at != start else None)
        self.chosen = chosen
        return self

    def _choose(self, card: Card) -> Desk:
        """Takes a card into the set that a move will name, or out of it."""
        told = self.offer()
        if told is None or told.says.get(card.token) != f"{CHOOSE} {card}":
            raise BadRequest("error.not_to_choose", card=card)
        self.chosen = tuple(sorted({*self.chosen} ^ {card}))
        return self

    def to_my_turn(self) -> Desk:
        """On until the viewpoint's seat has to choose, or the game is over."""
        while not self.ended and self.session.actor != self.viewer:
            self.session.step(self.policy)
        return self._stand()

    def _stand(self, since: int | None = None) -> Desk:
        """After a move along the line: what is marked from here on, and nothing is chosen."""
        self.since = max(self.at - 1, 0) if since is None else min(since, self.at)
        self.chosen = ()
        return self

    def set_viewer(self, viewer: Viewer) -> Desk:
        """Another viewpoint on the same moment; raises BadRequest for one from which the session cannot be seen."""
        self.session.view(viewer)
        self.viewer = self.game.viewer(viewer)
        self.chosen = ()
        return self

    def set_language(self, language: str) -> Desk:
        """Another language on the same moment."""
        self.words = Words(spoken(language), self.words.names)
        return self

    def set_pace(self, pace: str) -> Desk:
        """Another pace: card, move, phase, deal or game."""
        self.pace = _known(pace)
        return self

    def viewers(self) -> list[tuple[str, Viewer]]:
        """Every viewpoint with its name: the teacher, the spectator, the seats; of a watched session its own."""
        names = {TEACHER: self.words.text("viewer.teacher"), None: self.words.text("viewer.spectator")}
        return [(names[viewer] if viewer in names else self.words.seat(int(viewer or 0)), viewer) for viewer in self.session.viewers]
