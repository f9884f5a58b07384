"""A watched session: one viewpoint's events, without a state, a seed or a card that this viewpoint does not know."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from cardlab.chance.fill import picked, thresholds
from cardlab.chance.histories import Histories, Point, in_play
from cardlab.chance.samples import Numbers
from cardlab.chance.telling import Moment as Believed
from cardlab.chance.telling import Telling, Told
from cardlab.chance.worlds import HALF, worlds
from cardlab.core import streams
from cardlab.core.dealer import NoDealer, Seeded
from cardlab.core.errors import BadRecord, BadRequest
from cardlab.core.events import TEACHER, Event, Seat, Viewer, to_json
from cardlab.core.game import NO_MOVES, OVER, Action, AnyGame, Moves, Outcome, Step, Turn
from cardlab.core.reading import read_events
from cardlab.core.record import Record
from cardlab.core.registry import Player
from cardlab.core.session import Moment, Players, Session
from cardlab.words.errors import CardlabError

HISTORIES: Final = 24  # drawn for a possible world, of which one is taken
MOST: Final = 2_000  # where those drawn contradict what was seen
SEEN: Final = Action("see")  # stands for whatever led to what was seen
CHOICES: Final = streams.ESTIMATES + 9  # of a possible world


@dataclass(frozen=True)
class Glimpse:
    """What all may know of a state, in its place: the deal and the phase."""

    deal: int
    phase: str

    def __getattr__(self, name: str) -> Any:  # of anything else that a state holds
        if name.startswith("__"):
            raise AttributeError(name)
        raise BadRequest("error.watch.state")


@dataclass(eq=False, slots=True)
class Watching(Moment):
    """A moment of a watched session, with one world in which the same was seen."""

    believed: Believed


class Watched(Session):
    """A session as one viewpoint saw it: it can be stepped through and asked, but not played on.

    ``tell`` adds the next step, detail by detail; with ``following`` a screen offers to do so. The teacher's events show every viewpoint's.

    >>> from cardlab import game
    >>> session = Session(game("fight_for_the_lead", players=2), seed=7)
    >>> _ = session.auto("random", until="deal")
    >>> watched = Watched.loads(session.export(1))
    >>> len(watched) == len(session), watched.view(1) == session.view(1), watched.log(1) == session.log(1)
    (True, True, True)
    """

    def __init__(self, game: AnyGame, viewer: Viewer = None, following: bool = False) -> None:
        super().__init__(game, dealer=NoDealer())
        self.viewer = game.viewer(viewer)
        self.following = following
        first = Believed.first(game, self.viewer)
        self._line = [Watching(_state(first), None, None, {}, 0, {}, {self.viewer: first.view}, first)]
        self._told: tuple[Moment, Telling] | None = None

    @classmethod
    def loads(cls, text: str | bytes) -> Watched:
        """The session of an export, at its end; raises BadRecord with the number of the first line that cannot be."""
        game, viewer, steps = read_events(text)
        watched = cls(game, viewer)
        for shown in steps:
            try:
                told = Telling.of(watched.believed, shown.events).after()
            except CardlabError as fault:
                raise BadRecord("error.record.illegal", line=shown.line, why=fault.phrase) from None
            for k, (event, values) in enumerate(zip(told.events, shown.values, strict=False)):
                if json.dumps(to_json(event), sort_keys=True) != json.dumps(values, sort_keys=True):
                    raise BadRecord("error.events.other", line=shown.line + k)
            if len(told.events) != len(shown.values):
                raise BadRecord("error.events.other", line=shown.line + min(len(told.events), len(shown.values)))
            watched.add_told(told)
        return watched

    # where we are

    @property
    def believed(self) -> Believed:
        """The view, and one world in which the same was seen."""
        here: Any = self.cursor
        believed: Believed = here.believed
        return believed

    @property
    def actor(self) -> Seat | Turn:
        """The seat that acts next, or CHANCE, or OVER."""
        now = self.believed.view.now.actor
        return now if isinstance(now, Seat) else Turn(now)

    @property
    def legal(self) -> Moves:
        """No moves: nobody plays here."""
        return NO_MOVES

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; ``None`` until then."""
        return self.game.outcome(self.believed.world) if self.actor is OVER else None

    @property
    def ended(self) -> bool:
        """Whether this is the last moment that was seen."""
        return self.at == len(self)

    # nobody plays here

    def play(self, action: Action | str | None = None) -> NoReturn:
        """Raises BadRequest."""
        raise BadRequest("error.watch.play")

    def choice(self, player: str | Player) -> NoReturn:
        """Raises BadRequest."""
        raise BadRequest("error.watch.play")

    def step(self, player: Players = "random") -> Step[Any]:
        """The next step that was seen; raises BadRequest at the last one."""
        if self.ended:
            raise BadRequest("error.watch.end")
        self.redo()
        step = self.cursor.step
        assert step is not None
        return step

    def auto(self, player: Players = "random", until: str = "card") -> list[Step[Any]]:
        """On along what was seen to the next card, move, phase, deal or the end; raises BadRequest at the last step."""
        if self.ended and until != "game":
            raise BadRequest("error.watch.end")
        start = self.at
        self.redo(until)
        return [moment.step for moment in self._line[start + 1 : self.at + 1] if moment.step is not None]

    @property
    def record(self) -> Record:
        """Raises BadRequest: a record tells all cards."""
        raise BadRequest("error.watch.state")

    # telling what comes next

    @property
    def telling(self) -> Telling:
        """The next step, as far as it is told."""
        if self._told is None or self._told[0] is not self.cursor:
            self._told = self.cursor, Telling(self.believed)
        return self._told[1]

    def tell(self, value: Any) -> Watched:
        """Tells the next detail; with the last one the step is added, and all steps after it of which this viewpoint sees nothing.

        Raises BadRequest for what cannot be; what was told of the step before this detail stays.
        """
        telling = self.telling
        telling = Telling(telling.moment, [*telling.told, value])
        if telling.detail is not None:
            self._told = self.cursor, telling
            return self
        self.add_told(telling.after())
        return self.pass_over()

    def pass_over(self) -> Watched:
        """Adds the steps of which nothing is to be told, up to the next one of which something is."""
        while self.actor is not OVER and self.telling.detail is None:
            self.add_told(self.telling.after())
        return self

    def take_back(self) -> Watched:
        """What was told last is taken back: a detail, or the step that it ended."""
        told = self.telling.told
        if told:
            self._told = self.cursor, Telling(self.believed, told[:-1])
            return self
        while self.at:
            self.undo()
            if self.telling.detail is not None:
                return self.take_back() if self.telling.told else self
        return self

    def add(self, events: Iterable[Event]) -> Watched:
        """Adds the next step, as it was shown; raises BadRequest where it cannot follow."""
        shown = tuple(events)
        told = Telling.of(self.believed, shown).after()
        if told.events != shown:
            raise BadRequest("error.watch.follows")
        self.add_told(told)
        return self

    def add_told(self, told: Told) -> None:
        """Adds a step that was told from here."""
        here, after = self.cursor, told.after
        ahead = None if self.ended else self._line[self._at + 1].step
        if ahead is not None and ahead.events == told.events:  # it was told before
            self._at += 1
            return
        step = Step(here.state, SEEN, _state(after), told.events)
        self._line[self._at + 1 :] = [Watching(step.after, step, here, {}, 0, {}, {self.viewer: after.view}, after)]
        self._at += 1

    # what is seen

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """The viewpoints from which it can be seen: its own, or, where the teacher saw it, all."""
        return super().viewers if self.viewer == TEACHER else (self.viewer,)

    def view(self, viewer: Viewer = None) -> Any:
        """What its viewpoint knows now, or what a spectator knew of it; raises BadRequest for another viewpoint."""
        viewer = self.game.viewer(viewer)
        if viewer is not None and viewer not in self.viewers:
            raise BadRequest("error.watch.viewer")
        return super().view(viewer)

    def world(self, k: int = 0, seed: int = 0) -> Session:
        """A session that goes on from the k-th possible world of this moment, in which the viewpoint has seen the same.

        It begins here: nothing can be taken back beyond. What the computer players see is made up for it, too.
        """
        view, numbers = self.believed.view, Numbers(seed, k, CHOICES)
        if self.viewer == TEACHER or not in_play(view):
            state = worlds(view).sample(numbers)
            views = {viewer: self.view(viewer) if viewer in self.viewers else replace(view, viewer=viewer) for viewer in super().viewers}
        else:
            state, views = _history(view, numbers, super().viewers)
        session = Session(self.game, dealer=Seeded(streams.mix((seed + k) & streams.MASK), k))
        session._line = [Moment(state, None, None, {}, 0, {}, views)]
        return session

    def __repr__(self) -> str:
        return f"<Watched {self.game!r} viewer={self.viewer!r} step {self.at} of {len(self)}>"


def _state(believed: Believed) -> Any:
    """What stands in the place of a state: where all is open the table itself, else no more than all may know."""
    view, world = believed.view, believed.world
    return view.table if hasattr(view, "table") else Glimpse(world.deal, believed.game.phase(world))


def _history(view: Any, numbers: Numbers, viewers: Iterable[Viewer]) -> tuple[Any, dict[Viewer, Any]]:
    """One way in which the deal may have been played, in proportion to its weight among some: the state now, and everybody's view."""
    histories = Histories(view, {}, HALF, steps=1 << 62, shared=False)
    start = histories.start_of(viewers)
    found: list[tuple[Point, float]] = []
    for tries in range(MOST):
        point, weight = histories.played(start, numbers)
        found += [] if point is None else [(point, weight)]
        if found and tries >= HISTORIES:
            break
    if not found:
        raise BadRequest("error.ask.none_fits", n=MOST)
    until = thresholds(int(weight / max(share for _, share in found) * 2**40) for _, weight in found)
    point = found[picked(until, numbers)][0]
    return point.state, {viewer: mind.view for viewer, mind in point.minds}
