"""A game being played: a tree of moments, and where one stands in it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cardlab.core import streams
from cardlab.core.dealer import At, Dealer, NoDealer, Seeded
from cardlab.core.dist import Dist
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Event, Seat, Viewer, to_json
from cardlab.core.game import CHANCE, OVER, Action, AnyGame, Moves, Outcome, Step, Turn
from cardlab.core.record import CHANCE_NAME, Record
from cardlab.core.registry import Player, player
from cardlab.words import Phrase, Words

PACES: Final = ("card", "move", "phase", "deal", "game")
Players = str | Player | Mapping[int, str | Player]


@dataclass(eq=False, slots=True)
class Moment:
    """A node of the tree: a state, the step that led to it, and what has been tried from it."""

    state: Any
    step: Step[Any] | None
    parent: Moment | None
    counts: Mapping[int, int]  # numbers used of each purpose in this deal
    drawn: int  # draws of chance since the start
    children: dict[Action, Moment]
    views: dict[Viewer, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the log: the number of its step, its deal and phase, its rule, the sentence, and the event as the viewer saw it."""

    step: int
    deal: int
    phase: str
    rule: str
    text: str
    event: Event


class Session:
    """A game, its dealer and everything that was tried; the cursor stands on one line from the start.

    Without a seed and a dealer a fresh seed is drawn; ``seed`` and ``index`` say for ever which cards come.

    >>> from cardlab import game
    >>> session = Session(game("suicide_king", players=2), seed=7)
    >>> _ = session.auto("random", until="game")
    >>> session.outcome.standing
    ((Seat(1),), (Seat(0),))
    """

    def __init__(self, game: AnyGame, seed: int | None = None, index: int = 0, dealer: Dealer | None = None) -> None:
        if dealer is None:
            dealer = Seeded(secrets.randbits(32) if seed is None else seed, index)
        self.game = game
        self.dealer = dealer
        if isinstance(dealer, Seeded):
            seed, index = dealer.seed, dealer.index
        self.seed, self.index = seed, index
        self._line = [Moment(game.start(), None, None, {}, 0, {}, {})]
        self._at = 0

    @classmethod
    def replay(cls, record: Record) -> Session:
        """The session of a record, at its end; no random number is called."""
        dealer = NoDealer() if record.seed is None else Seeded(record.seed, record.index)
        session = cls(record.game, dealer=dealer)
        for _, action in record.actions:
            session.play(action)
        return session

    # where we are

    @property
    def cursor(self) -> Moment:
        """The moment we stand on."""
        return self._line[self._at]

    @property
    def state(self) -> Any:
        """The state of the game now."""
        return self.cursor.state

    @property
    def at(self) -> int:
        """The number of steps from the start to here."""
        return self._at

    def __len__(self) -> int:
        return len(self._line) - 1

    @property
    def line(self) -> list[Moment]:
        """The moments of the line we stand on, the first one included, to its end."""
        return list(self._line)

    @property
    def tree(self) -> Moment:
        """The first moment; ``children`` lead to all that was tried."""
        return self._line[0]

    @property
    def steps(self) -> list[Step[Any]]:
        """The steps from the start to here."""
        return [moment.step for moment in self._line[1 : self._at + 1] if moment.step is not None]

    @property
    def actor(self) -> Seat | Turn:
        """The seat that acts next, or CHANCE, or OVER."""
        return self.game.actor(self.state)

    @property
    def ended(self) -> bool:
        """Whether no step leads on from here: the game is over."""
        return self.actor is OVER

    @property
    def legal(self) -> Moves:
        """The moves of the seat to act; empty when chance acts or the game is over."""
        return self.game.legal(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; ``None`` until then."""
        return self.game.outcome(self.state)

    # going on

    def play(self, action: Action | str | None = None) -> Step[Any]:
        """One step: the action of the seat to act, or, where chance acts, what is named or what the dealer gives.

        Raises IllegalAction (with the rule), BadRequest for a token of another form, NothingToDeal; nothing has changed then.
        """
        if action is None:
            action = self.dealt() if self.actor is CHANCE else None
        if action is None:
            raise BadRequest("error.no_action", actor=self._actor_name())
        if not isinstance(action, Action):
            action = Action.parse(action)
        here = self.cursor
        known = here.children.get(action)
        if known is None:
            known = self._next(here, self.game.apply(here.state, action))
            here.children[action] = known
        if self._at + 1 == len(self._line) or self._line[self._at + 1] is not known:
            self._line[self._at + 1 :] = [known]
        self._at += 1
        assert known.step is not None
        return known.step

    def auto(self, player: Players, until: str = "card") -> list[Step[Any]]:
        """Plays on for all seats until the next card, move, phase or deal, or to the end of the game; returns the steps.

        ``player`` is the name of a computer player, a player, or one for each seat. Raises BadRequest for an unknown name or pace.
        """
        if until not in PACES:
            raise BadRequest("error.pace", pace=quoted(until), paces=", ".join(PACES))
        seated = self._seated(player)
        steps: list[Step[Any]] = []
        start, first = self.state, self.actor
        while self.actor is not OVER:
            steps.append(self.step(seated))
            if until == "card" or self._passed(until, start, first):
                break
        return steps

    def step(self, player: Players) -> Step[Any]:
        """One step by whoever acts: the dealer, or the computer player of the seat."""
        actor = self.actor
        return self.play(self.choice(self._seated(player)[actor]) if isinstance(actor, Seat) else None)

    def choice(self, player: str | Player) -> Action:
        """What a computer player would do now in the place of the seat to act."""
        actor = self.actor
        if not isinstance(actor, Seat):
            raise BadRequest("error.no_action", actor=self._actor_name())
        key = streams.deal_key(self.seed or 0, self.index, self.state.deal)
        number = streams.word(key, streams.CHOICES + actor, self.cursor.counts.get(streams.CHOICES + actor, 0))
        chooser = self._seated(player)[actor]
        # folding a view is most of the work: it is left out for a player that does not look
        view = self.view(actor) if getattr(chooser, "looks", True) else self._blank(actor)
        return chooser.choose(self.game, view, self.legal, partial(streams.below, number))

    def _passed(self, until: str, start: Any, first: Seat | Turn) -> bool:
        """Whether what ``until`` names lies behind, counted from the state ``start`` in which ``first`` acted."""
        if self.state.deal != start.deal:
            return until != "game"
        if until == "phase":
            return self.game.phase(self.state) != self.game.phase(start)
        if until == "move" and isinstance(self.actor, Seat):
            return self.actor != first or self.game.phase(self.state) != self.game.phase(start)
        return False

    def _seated(self, players: Players) -> Mapping[int, Player]:
        if isinstance(players, Mapping):
            missing = [seat for seat in self.game.seats if seat not in players]
            if missing:
                raise BadRequest("error.no_player", seat=missing[0])
            return {seat: player(players[seat]) for seat in self.game.seats}
        return dict.fromkeys(self.game.seats, player(players))

    def dealt(self, at: Moment | None = None) -> Action:
        """What the dealer gives where chance acts, here or at another moment; raises NothingToDeal."""
        here = self.cursor if at is None else at
        draw = self.game.draw(here.state)
        n = 0 if draw.purpose is None else here.counts.get(draw.purpose, 0)
        return self.dealer.pick(self.game, draw, At(here.state.deal, n, here.drawn))

    def _next(self, here: Moment, step: Step[Any]) -> Moment:
        actor = self.game.actor(here.state)
        purpose = streams.CHOICES + actor if isinstance(actor, Seat) else self.game.draw(here.state).purpose
        counts: Mapping[int, int] = {} if step.after.deal != step.before.deal else here.counts
        if purpose is not None and step.after.deal == step.before.deal:
            counts = {**counts, purpose: counts.get(purpose, 0) + 1}
        drawn = here.drawn + (actor is CHANCE and purpose is not None)
        return Moment(step.after, step, here, counts, drawn, {}, {})

    def _actor_name(self) -> Phrase | Seat:
        actor = self.actor
        return actor if isinstance(actor, Seat) else Phrase.of(f"turn.{actor.value}")

    # going back, and elsewhere

    def undo(self) -> Session:
        """One step back; at the start nothing happens."""
        self._at = max(self._at - 1, 0)
        return self

    def redo(self, until: str = "card") -> Session:
        """Forward along the line to the next card, move, phase, deal or the end; at the line's end nothing happens."""
        start, first = self.state, self.actor
        while self._at < len(self):
            self._at += 1
            if until == "card" or self._passed(until, start, first):
                break
        return self

    def goto(self, n: int) -> Session:
        """To the n-th step of the line, 0 being the start; raises BadRequest beyond its ends."""
        if type(n) is not int or not 0 <= n <= len(self):
            raise BadRequest("error.step", step=quoted(n), last=len(self))
        self._at = n
        return self

    def branch(self, whole: bool = False) -> Session:
        """A second session that stands at the same moment of the same tree: what it plays does not move this one.

        Its line ends here, or, ``whole``, where this one's does.
        """
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        other._line = self._line[:] if whole else self._line[: self._at + 1]
        return other

    # what is seen

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """The viewpoints from which it can be seen."""
        return (TEACHER, None, *self.game.seats)

    def view(self, viewer: Viewer = None) -> Any:
        """What a seat, a spectator (``None``) or the teacher ("teacher") knows now."""
        viewer = self.game.viewer(viewer)
        known = self._at
        while known and viewer not in self._line[known].views:
            known -= 1
        view = self._line[known].views.get(viewer) or self._blank(viewer)
        for moment in self._line[known + 1 : self._at + 1]:
            assert moment.step is not None
            for event in moment.step.events:
                shown = event.seen(viewer)
                if shown is not None:
                    view = self.game.see(view, shown)
            moment.views[viewer] = view
        return view

    def _blank(self, viewer: Viewer) -> Any:
        views = self._line[0].views
        if viewer not in views:
            views[viewer] = self.game.blank(viewer)
        return views[viewer]

    def expects(self, viewer: Viewer = None) -> Dist[Action] | None:
        """The next draw as a viewer can know it; ``None`` when chance does not act."""
        return self.game.expects(self.view(viewer))

    def events(self, viewer: Viewer = None) -> Iterator[tuple[int, Step[Any], Event]]:
        """The events that a viewer was shown, with the number of the step and the step itself."""
        viewer = self.game.viewer(viewer)
        for n, step in enumerate(self.steps, 1):
            for event in step.events:
                shown = event.seen(viewer)
                if shown is not None:
                    yield n, step, shown

    def log(self, viewer: Viewer = None, language: str = "en", names: tuple[str, ...] = (), last: int | None = None) -> list[Row]:
        """A sentence for each event that a viewer was shown, or for the ``last`` so many of them, with its rule."""
        words = Words(language, names)
        told = [(n, step, event) for n, step, event in self.events(viewer) if not event.silent]
        return [
            Row(n, step.before.deal, self.game.phase(step.before), event.rule, event.display(words), event)
            for n, step, event in (told[-last:] if last else told)
        ]

    @property
    def record(self) -> Record:
        """The game so far: its header and its actions, chance included."""
        actions = []
        for step in self.steps:
            actor = self.game.actor(step.before)
            actions.append((int(actor) if isinstance(actor, Seat) else CHANCE_NAME, step.action))
        seeded = isinstance(self.dealer, Seeded)
        return Record(self.game, self.seed if seeded else None, self.index if seeded else 0, tuple(actions))

    def export(self, viewer: Viewer = None) -> str:
        """What a viewer was shown, as JSON lines: a header without a seed, one event a line, and a closing line."""
        viewer = self.game.viewer(viewer)
        header = {
            "cardlab_events": 1,
            **Record(self.game, None, 0, ()).game_header(),
            "viewer": int(viewer) if isinstance(viewer, Seat) else viewer,
        }
        lines = [{"step": n, **to_json(event)} for n, _, event in self.events(viewer)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *lines, {"end": len(lines)}))

    def _repr_svg_(self) -> str:
        """The table with all cards open, for a notebook."""
        picture: str = self.view(TEACHER)._repr_svg_()
        return picture

    def __repr__(self) -> str:
        source = f"seed={self.seed}, index={self.index}" if isinstance(self.dealer, Seeded) else f"dealer={self.dealer!r}"
        return f"<Session {self.game!r} {source} step {self.at} of {len(self)}>"
