"""The log as lines of HTML, told once: a step adds its rows, going back takes rows away."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from cardlab.core.session import Moment, Row
from cardlab.dashboard.parts import coloured
from cardlab.desk import Desk

RECENT: Final = 40  # so many rows are asked for first: enough for a step, and far less than a whole game


class LogLines:
    """The lines of a desk's log; what a pressed row says is the number of its step."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._moment: Moment | None = None
        self._at = 0
        self._rows: list[Row] = []
        self._lines: list[str] = []

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
            self._lines.append(_line(row, self._rows[-1] if self._rows else None, desk))
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


def _line(row: Row, before: Row | None, desk: Desk) -> str:
    """A row, under a small heading where a deal or a phase begins."""
    words, head = desk.words, ""
    if before is None or (row.deal, row.phase) != (before.deal, before.phase):
        phase = words.text(f"phase.{desk.game.name}.{row.phase}")
        head = f'<div class="head">{escape(words.text("stepper.deal", n=row.deal + 1))} · {escape(phase)}</div>'
    return (
        f'<div>{head}<button class="row" data-say="{row.step}"><span class="n">{row.step}</span>'
        f'<span class="said">{coloured(row.text)}</span><abbr class="rule" data-title="{row.rule}">{row.rule}</abbr></button></div>'
    )
