"""What every host shows of a desk, as lines of HTML for its panes."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from cardlab.chance.watched import Watched
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import Action
from cardlab.core.session import Moment, Row
from cardlab.desk import follow
from cardlab.desk.desk import Desk
from cardlab.desk.ticks import DEAL, Tick, ticks
from cardlab.view import html
from cardlab.words import Words
from cardlab.words.errors import CardlabError

RECENT: Final = 40  # so many rows are asked for first: enough for a step, and far less than a whole game
MOST: Final = 80  # more ticks than these would be a heavy message


def table(desk: Desk, narrow: bool = False) -> list[str]:
    """The table with its cards to click, and below it the other moves."""
    return [desk.drawn(narrow), follow.moves(desk)]


def peek(desk: Desk, at: int, narrow: bool = False) -> list[str]:
    """The table as it was at another step; the moves below stay where they are, though they wait."""
    return [desk.peek(at, narrow), follow.moves(desk)]


def mark(desk: Desk, game: int = 0) -> str:
    """The name of the moment, so that a click belongs to the step it was made at; ``game`` counts the games of a screen."""
    chosen = "".join(map(str, desk.chosen))
    return f"{game} {desk.at} {desk.viewer} {chosen} {follow.told(desk)}".rstrip()


def now(desk: Desk) -> str:
    """What in the log belongs to the last press."""
    return " ".join(f"{html.GO}{step}" for step in range(desk.since + 1, desk.at + 1))


def log_head(desk: Desk) -> str:
    """The title of the log, with whose eyes it is seen through."""
    text, seen_by = desk.words.text, {viewer: label for label, viewer in desk.viewers()}[desk.viewer]
    return html.heading(text("screen.log"), f"{text('screen.viewpoint')}: {seen_by}")


def _shown(desk: Desk) -> list[Tick]:
    """The ticks of a slider; of long games only the deals."""
    every = ticks(desk)
    if len(every) <= MOST:
        return every
    deals = [tick for tick in every if tick.weight == DEAL]
    return deals[:: -(-len(deals) // MOST)]


def tick_lines(desk: Desk) -> list[str]:
    """A tick and a name where a phase begins, for below a slider; of long games only where a deal does."""
    last, drawn = max(len(desk), 1), []
    for tick in _shown(desk):
        left = f'style="left:{100 * tick.step / last:.2f}%"'
        drawn.append(f"<i {left}></i>")
        drawn.append(f'<span class="name" {left} data-say="{html.GO}{tick.step}" data-weight="{tick.weight}">{escape(tick.name)}</span>')
    return [f'<div class="ticks" aria-hidden="true">{"".join(drawn)}</div>']


def here(desk: Desk) -> str:
    """The name of the tick at which one stands."""
    return f"{html.GO}{max(tick.step for tick in _shown(desk) if tick.step <= desk.at)}"


def ahead(desk: Desk) -> list[str]:
    """One sentence on what comes next."""
    words = desk.words
    lines = [f"<p>{html.coloured(desk.next())}</p>"]
    if isinstance(desk.session, Watched):
        told = "" if desk.session.following or not desk.session.ended or desk.over else words.text("watch.ends")
        lines += [f'<p class="quiet small">{escape(told)}</p>'] if told else []
    elif isinstance(desk.session.actor, Seat) and desk.offer() is None:
        lines.append(f'<p class="quiet small">{escape(words.text("screen.moves_hidden"))}</p>')
    return lines


def odds(desk: Desk, quiet: bool = True) -> list[str]:
    """What the next draw may be, as the viewpoint can know it, and how likely; ``quiet`` says so where chance does not act."""
    words, chances = desk.words, desk.chances()
    if len(chances) < 2:
        return [f'<p class="quiet">{escape(words.text("page.no_chance"))}</p>'] if quiet else []
    lines = [f'<div class="questions">{escape(words.text("page.next_draw"))}</div>', *html.odds_rows(desk.odds(), words)]
    cards = {action.card: chance.p for chance in chances if len((action := Action.parse(chance.token)).cards) == 1}
    if len(cards) == len(chances):
        game: Any = desk.game  # each of the three has its own pack
        lines.append(html.unseen(game.size.pack, cards, words))
    return lines


def rules(desk: Desk, opened: str = "") -> list[str]:
    """The rule book of the game, open at a rule if one is named."""
    return html.rules(desk.game, desk.words, opened)


def files(words: Words) -> str:
    """What can be saved of the game at any moment."""
    rows = (("page.save_table", [("svg table", "SVG"), ("png table", "PNG")]), ("page.save_game", [("jsonl game", "JSONL")]))
    drawn = ""
    for key, kinds in rows:
        links = html.saves([(html.SAVE + said, kind) for said, kind in kinds], words)
        drawn += f'<div class="file"><span>{escape(words.text(key))}</span>{links}</div>'
    return f"<div>{drawn}</div>"


def problem(fault: BaseException | None, desk: Desk) -> str:
    """What went wrong: a refusal in its sentence, a fault by its class, and by its message for the teacher alone."""
    if fault is None:
        return ""
    if isinstance(fault, CardlabError):
        return fault.say(desk.words)
    if desk.viewer == TEACHER:
        return f"{type(fault).__name__}: {fault}"
    # the message may name a card that this viewpoint does not know
    return desk.words.text("stepper.fault", fault=type(fault).__name__)


def fault(problem_: Exception | None, desk: Desk) -> list[str]:
    """The strip of what went wrong, or nothing."""
    said = problem(problem_, desk)
    return [html.fault(said, desk.words)] if said else []


def standing(desk: Desk) -> str:
    """Where one stands, in words."""
    phase = desk.words.text(f"phase.{desk.game.name}.{desk.game.phase(desk.session.state)}")
    return desk.words.text("page.at", at=desk.at, last=len(desk), phase=phase)


class LogLines:
    """The lines of a desk's log, told once: a step adds its rows, going back takes rows away."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._moment: Moment | None = None
        self._at = 0
        self._rows: list[Row] = []
        self._lines: list[str] = []

    @property
    def rows(self) -> list[Row]:
        """The rows that were told last."""
        return self._rows

    def of(self, desk: Desk) -> list[str]:
        """The log as the viewpoint knows it here; an empty one says so."""
        line, key = desk.session.line, (desk.session, desk.viewer, desk.words)
        if key != self._key or self._at >= len(line) or line[self._at] is not self._moment:
            self._rows, self._lines, told = [], [], -1
        else:
            told = min(self._at, desk.at)
            while self._rows and self._rows[-1].step > told:
                self._rows.pop()
                self._lines.pop()
        self._key, self._at, self._moment = key, desk.at, desk.session.cursor
        for row in _after(desk, told):
            self._lines.append(html.log_line(row, self._rows[-1] if self._rows else None, desk.game, desk.words))
            self._rows.append(row)
        return list(self._lines) or [f'<p class="quiet">{escape(desk.words.text("screen.log_empty"))}</p>']


def _after(desk: Desk, told: int) -> list[Row]:
    """The rows of the steps after ``told``."""
    if told == desk.at:
        return []
    rows = desk.log(last=RECENT) if told >= 0 else []
    if not rows or rows[0].step > told:
        rows = desk.log()
    return [row for row in rows if row.step > told]
