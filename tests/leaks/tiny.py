"""Every history of a tiny game: whatever is the same by the rules must look the same to the viewer."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from knowledge import KNOWLEDGE
from leak_tools import DOORS, Doors, Leak, demand_equal, glance, viewers, whole

from cardlab import CHANCE, Action, Session
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import AnyGame, Step

Path = tuple["Path", Action] | None  # a history, shared with all that go on from it
Allow = Callable[[Step[Any]], bool]


@dataclass
class Met:
    """The first history with some knowledge, what its viewer got there, and how many more there were."""

    path: Path
    got: tuple[Any, ...]
    members: int = 1


class Untold(AssertionError):
    """A viewer is shown less than it may know; or the knowledge written down here holds too much, so that a leak could hide."""


@dataclass
class Everything:
    """All histories of a game from a position on; raises Leak where a viewer gets more than it may know, Untold where it gets less.

    ``allow`` leaves branches out, where the whole would be too large. One in ``deep`` pairs of histories is also compared in all that
    the viewer has got since the start (log, export and table in both languages), and in what its computer player would do; the other
    session has another seed.
    """

    game: AnyGame
    start: tuple[str, ...] = ()
    allow: Allow = lambda step: True
    doors: Doors = DOORS
    deep: int = 300
    seed: int = 0
    histories: int = 0
    met: dict[Viewer, dict[Any, Met]] = field(default_factory=dict)
    ids: dict[Any, int] = field(default_factory=dict)
    told: dict[tuple[Viewer, int], int] = field(default_factory=dict)

    def run(self) -> Everything:
        """Tries them all."""
        self.rng = random.Random(self.seed)
        session = self.doors.session(self.game, seed=self.seed)
        for token in self.start:
            session.play(token)
        self.met = {viewer: self.met.get(viewer, {}) for viewer in viewers(self.game)}
        self.visit(session, None, dict.fromkeys(self.met, 0), dict.fromkeys(self.met, 0))
        return self

    def visit(self, session: Session, path: Path, known: dict[Viewer, int], shown: dict[Viewer, int]) -> None:
        """A moment, and all that can follow."""
        self.histories += 1
        for viewer, groups in self.met.items():
            if self.told.setdefault((viewer, shown[viewer]), known[viewer]) != known[viewer]:
                raise Untold(f"{self.game!r}: {viewer} is not told what the rules let it know: {', '.join(tokens(path))}")
            got = self.got(session, viewer, shown[viewer])
            met = groups.get(known[viewer])
            if met is None:
                groups[known[viewer]] = Met(path, got)
            else:
                met.members += 1
                self.compare(session, viewer, met, path, got)
        options = self.game.draw(session.state).options if session.actor is CHANCE else session.legal
        for action in options:
            step = session.play(action)
            if self.allow(step):
                self.visit(session, (path, action), *self.after(step, known, shown))
            session.undo()
        session.cursor.children.clear()

    def after(self, step: Step[Any], known: dict[Viewer, int], shown: dict[Viewer, int]) -> tuple[dict[Viewer, int], dict[Viewer, int]]:
        """The numbers of what each viewer knows and was shown after a step; equal things have equal numbers."""
        know = KNOWLEDGE[self.game.name]
        now_known = {viewer: self.number(known[viewer], know(self.game, step, viewer)) for viewer in known}
        events = {viewer: tuple(event.seen(viewer) for event in step.events if event.seen(viewer) is not None) for viewer in shown}
        return now_known, {viewer: self.number(shown[viewer], events[viewer]) for viewer in shown}

    def number(self, before: int, new: Any) -> int:
        return self.ids.setdefault((before, new), len(self.ids) + 1)

    def got(self, session: Session, viewer: Viewer, shown: int) -> tuple[Any, ...]:
        """What a viewer gets: the number of all events shown to it, steps, seat on turn, view, odds, and its own moves when it acts."""
        expects = session.expects(viewer)
        mine = isinstance(session.actor, Seat) and session.actor == viewer
        return (shown, session.at, session.actor, session.view(viewer), expects and tuple(expects.items()), mine and session.legal)

    def compare(self, session: Session, viewer: Viewer, met: Met, path: Path, got: tuple[Any, ...]) -> None:
        if met.got == got and self.rng.randrange(self.deep):
            return
        told = f"{self.game!r}: the same to {viewer}, by the rules:\n  {', '.join(tokens(met.path))}\n  {', '.join(tokens(path))}"
        if met.got != got:
            raise Leak(f"{told}\n{met.got}\n{got}")
        other = self.doors.session(self.game, seed=self.seed + 1)
        for token in (*self.start, *tokens(met.path)):
            other.play(token)
        here = session.branch()
        demand_equal(glance(other, viewer, self.doors, self.seed), glance(here, viewer, self.doors, self.seed), told)
        demand_equal(whole(other, viewer, self.doors), whole(here, viewer, self.doors), told)

    @property
    def groups(self) -> list[Met]:
        """The viewers' different states of knowledge."""
        return [met for groups in self.met.values() for met in groups.values()]

    @property
    def shared(self) -> int:
        """How many of them several histories share: only there can a leak show."""
        return sum(met.members > 1 for met in self.groups)

    @property
    def pairs(self) -> int:
        """How many histories were compared with the first one of the same knowledge."""
        return sum(met.members - 1 for met in self.groups)


def tokens(path: Path) -> list[str]:
    """The actions of a history."""
    found: list[str] = []
    while path is not None:
        path, action = path
        found.append(str(action))
    return found[::-1]
