"""What can be saved of a moment: the table as a picture, the answer that is shown, a board, the game as the viewpoint knows it."""

from __future__ import annotations

from typing import Any

from cardlab.chance.answers import Answer, Estimate
from cardlab.chance.watched import Watched
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER
from cardlab.desk.boards import Boards
from cardlab.desk.desk import Desk
from cardlab.desk.downloads import Download, drawing, painted, table
from cardlab.view.answers import named


def saved(what: str, desk: Desk, boards: Boards, odds: bool = True) -> Download:
    """A file as a press asks for it, such as "png table"; raises BadRequest where there is nothing of the kind to save.

    ``odds`` says whether the odds of the moment are open: what is covered is not saved either.

    >>> from cardlab.desk.questions import Asking
    >>> desk = Desk("suicide_king", players=2, seed=7, seat=None)
    >>> saved("jsonl game", desk, Boards(Asking(print))).name
    'cardlab-suicide_king-0.jsonl'
    """
    kind, _, part = what.partition(" ")
    stem = f"cardlab-{desk.game.name}"
    if part == "table" and kind in ("svg", "png"):
        picture = drawing(f"{stem}-{desk.at}.svg", desk.picture())
        return painted(picture) if kind == "png" else picture
    if part == "game" and kind == "jsonl":
        return Download(f"{stem}-{desk.at}.jsonl", "application/jsonl", game_of(desk).encode())
    answer = boards.asking.answer
    if not odds or (part == "answer" and (kind != "csv" or answer is None)):
        raise BadRequest("error.save", what=quoted(what))
    if part == "answer" and answer is not None:
        headers, rows = answer_table(answer, desk)
        return table(f"{stem}-{answer.question}-{desk.at}.csv", headers, rows, desk.words.language)
    return boards.saved(kind, part, desk)


def game_of(desk: Desk) -> str:
    """The game so far: its record for the teacher, and for anybody else the events that were shown to him."""
    whole = desk.viewer == TEACHER and not isinstance(desk.session, Watched)
    return desk.session.record.dumps() if whole else desk.session.export(desk.viewer)


def answer_table(answer: Answer[Any], desk: Desk) -> tuple[list[str], list[list[Any]]]:
    """An answer as a table: each outcome with its number, the 95 % interval and the size of the sample, or a word that it is exact."""
    text = desk.words.text
    headers = [text(f"board.csv.{name}") for name in ("outcome", "number", "low", "high", "kind")]
    rows = []
    for outcome, found in answer.numbers.items():
        low, high = (found.low, found.high) if isinstance(found, Estimate) else (None, None)
        kind = text("board.csv.sample", n=found.n) if isinstance(found, Estimate) else text("screen.chances_exact")
        rows.append([named(desk.game, outcome, desk.words), found.mean, low, high, kind])
    return headers, rows
