"""What-if: lines that leave the game at some step are kept, named and compared."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Number
from cardlab.chance.watched import Watched
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import Seat
from cardlab.core.session import Session
from cardlab.desk.asked import whole
from cardlab.desk.counting import Want
from cardlab.desk.desk import Desk
from cardlab.desk.questions import Asking
from cardlab.view import html
from cardlab.view.answers import bare
from cardlab.words import Words

MOST: Final = 12  # lines that are kept
LONGEST: Final = 60  # letters of a name


@dataclass(eq=False)
class Branch:
    """A line of the game: its session, the step at which it left the line before, and the name that somebody gave it."""

    session: Session
    left: int
    name: str = ""


class Branches:
    """The lines of one game on a desk; the first is the game as it was played."""

    def __init__(self) -> None:
        self.kept: list[Branch] = []
        self.at = 0

    def follow(self, desk: Desk) -> None:
        """Another game on the desk has no lines yet."""
        if not any(branch.session is desk.session for branch in self.kept):
            self.kept, self.at = [Branch(desk.session, 0)], 0

    @property
    def several(self) -> bool:
        """Whether there is anything to compare."""
        return len(self.kept) > 1

    def leave(self, desk: Desk) -> None:
        """Leaves the line here: what is played from now on is another. Raises BadRequest for too many."""
        self.follow(desk)
        if len(self.kept) == MOST:
            raise BadRequest("error.branches", most=MOST)
        k = len(self.kept)
        if isinstance(desk.session, Watched):
            self.kept.append(Branch(desk.session.world(k), desk.at, desk.words.text("branch.world", k=k)))
        else:
            self.kept.append(Branch(desk.session.branch(), desk.at))
        self.turn(desk, len(self.kept) - 1)

    def turn(self, desk: Desk, which: Any) -> None:
        """Another line on the desk, where it was left; raises BadRequest for one that there is not."""
        if type(which) is not int or not 0 <= which < len(self.kept):
            raise BadRequest("error.branch", which=quoted(which))
        self.at = which
        desk.turn(self.kept[which].session)

    def hear(self, desk: Desk, verb: str, told: str) -> bool:
        """What was pressed or typed about the lines: "branch", "drop" or "name"; whether another line lies on the desk then."""
        before = desk.session
        if verb == "name":
            for line in told.split("\n"):  # a field is told with all others
                which, _, said = line.removeprefix(html.NAME).partition(" ")
                self.name(whole(which), said)
        else:
            (self.turn if verb == "branch" else self.drop)(desk, whole(told))
        return desk.session is not before

    def name(self, which: Any, said: str) -> None:
        """Gives a line a name; an empty one takes it away. Raises BadRequest for a line that there is not."""
        if type(which) is not int or not 0 < which < len(self.kept):
            raise BadRequest("error.branch", which=quoted(which))
        self.kept[which].name = " ".join(said.split())[:LONGEST]

    def drop(self, desk: Desk, which: Any) -> None:
        """Forgets a line that is not the first; the first is on the desk then, if that one was."""
        if type(which) is not int or not 0 < which < len(self.kept):
            raise BadRequest("error.branch", which=quoted(which))
        shown = self.kept[self.at]
        gone = self.kept.pop(which)
        if gone is shown:
            self.turn(desk, 0)
        else:
            self.at = self.kept.index(shown)

    def names(self, desk: Desk) -> list[str]:
        """What each line is called: by somebody, or by the move with which it left."""
        return [self._name(k, branch, desk) for k, branch in enumerate(self.kept)]

    def _name(self, k: int, branch: Branch, desk: Desk) -> str:
        if branch.name or not k:
            return branch.name or desk.words.text("branch.main")
        said = _first(branch, desk)
        return desk.words.text("branch.move", k=k, move=said) if said else desk.words.text("branch.new", k=k)

    def wants(self, desk: Desk, asking: Asking) -> list[Want]:
        """What is to be counted, so that the lines can be compared."""
        return [want for branch in self.kept if (want := asking.fate(branch.session, desk.viewer)) is not None]

    def _fates(self, desk: Desk, asking: Asking) -> list[dict[Seat, Number]]:
        """What becomes of each player where each line stands, as far as it is known."""
        return [asking.told(asking.fate(branch.session, desk.viewer)) for branch in self.kept]

    def table(self, desk: Desk, asking: Asking) -> tuple[list[str], list[list[Any]]]:
        """A row for each line: its name, the step where it left, the step it has come to, and the fate of each player there."""
        words, fates = desk.words, self._fates(desk, asking)
        headers = [words.text(f"branch.csv.{name}") for name in ("name", "left", "step")] + [words.seat(seat) for seat in desk.game.seats]
        rows = [
            [name, branch.left, branch.session.at, *(found.mean if (found := told.get(seat)) else None for seat in desk.game.seats)]
            for name, branch, told in zip(self.names(desk), self.kept, fates, strict=True)
        ]
        return headers, rows

    def lines(self, desk: Desk, asking: Asking) -> list[str]:
        """The lines side by side: a press on a name puts it on the desk."""
        words, fates = desk.words, self._fates(desk, asking)
        names = "".join(f"<th>{escape(words.seat(seat))}</th>" for seat in desk.game.seats)
        first = "".join(f"<th>{escape(words.text(f'branch.csv.{name}'))}</th>" for name in ("name", "left", "step"))
        rows = []
        for k, (name, branch, told) in enumerate(zip(self.names(desk), self.kept, fates, strict=True)):
            cells = "".join(_cell(told.get(seat), words) for seat in desk.game.seats)
            here = ' class="now"' if k == self.at else ""
            rows.append(f"<tr{here}>{self._who(k, name, branch)}{cells}<td>{_own(k, branch, words) if k else ''}</td></tr>")
        table = f'<table class="plain"><thead><tr>{first}{names}<th></th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
        return [f'<div class="wide">{table}</div>']

    def _who(self, k: int, name: str, branch: Branch) -> str:
        pressed = f'data-key="branch{k}" aria-pressed="{str(k == self.at).lower()}"'
        go = f'<button class="branch" data-say="{html.BRANCH}{k}" {pressed}>{escape(name)}</button>'
        return f"<td>{go}</td><td>{branch.left if k else ''}</td><td>{branch.session.at}</td>"


def _first(branch: Branch, desk: Desk) -> str:
    """The move with which a line left, as its viewpoint may read it; what chance did, and what is another's secret, is not told."""
    if len(branch.session) <= branch.left:
        return ""
    there = branch.session.branch(whole=True).goto(branch.left + 1)
    rows = there.log(desk.viewer, desk.words.language, desk.words.names)
    return next((row.text for row in rows if row.step == branch.left + 1), "")


def _own(k: int, branch: Branch, words: Words) -> str:
    """A field for the name of a line, and the button that forgets it."""
    named, gone = escape(words.text("branch.rename", k=k)), escape(words.text("branch.drop", k=k))
    said = f'data-say="{html.NAME}{k}" value="{escape(branch.name)}" placeholder="{named}" aria-label="{named}"'
    field = f'<input type="text" maxlength="{LONGEST}" {said}>'
    return f'<span class="own">{field}<button class="save drop" data-say="{html.DROP}{k}" aria-label="{gone}">×</button></span>'


def _cell(found: Any, words: Words) -> str:
    return f"<td>{'' if found is None else escape(bare(found, words))}</td>"
