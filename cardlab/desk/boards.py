"""The wide boards below the table: the odds over the game, where each card may be, and the growth of the bank."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import escape
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.worlds import worlds
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Seat
from cardlab.desk.branches import Branches
from cardlab.desk.counting import Want
from cardlab.desk.desk import Desk
from cardlab.desk.downloads import Download, drawing, painted, table
from cardlab.desk.questions import FATE, Asking
from cardlab.view import chart, html
from cardlab.view.answers import bare
from cardlab.view.boards import REST, Beliefs, beliefs, row_name
from cardlab.view.chart import DASHES, Chart, Line
from cardlab.words import number
from cardlab.words.percents import percent

STOCK: Final = "stock"  # what is known to lie here was not seen: all hands were found to lack it
SUITS: Final = range(4)
LEAST: Final = 2  # moments that make a line


class Boards:
    """Which board is shown below the table of a screen."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.chosen = "odds"
        self.open = True  # else its title alone is shown
        self.branches = Branches()
        self._believed: tuple[Any, Any] = (None, None)

    def names(self, desk: Desk) -> list[str]:
        """The boards that a moment has for its viewpoint."""
        self.branches.follow(desk)
        names = ["odds"]
        if hides_cards(desk):
            names.append("cards")
        if desk.game.name == "fight_for_the_lead":
            names.append("bank")
        if self.branches.several:
            names.append("branches")
        return names

    def shown(self, desk: Desk) -> str:
        """The board that is shown: the one chosen, where the moment has it."""
        return self.chosen if self.chosen in self.names(desk) else "odds"

    def lines(self, desk: Desk) -> list[str]:
        """The titles of the boards, and the one that is shown."""
        shown = self.shown(desk)
        return [self._head(desk, shown), *(_BOARDS[shown](self, desk) if self.open else [])]

    def wants(self, desk: Desk) -> list[Want]:
        """What is to be counted for the board that is shown, the nearest moments first."""
        shown = self.shown(desk) if self.open else ""
        if shown == "odds":
            return [want for _, want in sorted(self.asking.along(desk), key=lambda told: abs(told[0] - desk.at))]
        return self.branches.wants(desk, self.asking) if shown == "branches" else []

    def _head(self, desk: Desk, shown: str) -> str:
        text = desk.words.text
        tabs = ""
        for name in self.names(desk):
            expanded = str(self.open and name == shown).lower()
            said = f'data-say="{html.BOARD}{name}" data-key="{name}" aria-expanded="{expanded}"'
            tabs += f'<button class="tab" {said}>{escape(text(f"board.{name}"))}</button>'
        kinds = ("csv",) if shown in ("cards", "branches") else ("csv", "svg", "png")
        saves = html.saves([(f"{html.SAVE}{kind} {shown}", kind.upper()) for kind in kinds if self.open], desk.words)
        return f'<div class="title boards"><div class="tabs" role="group">{tabs}</div>{saves}</div>'

    # the odds over the game

    def _odds(self, desk: Desk) -> list[str]:
        drawn = self.timeline(desk)
        if drawn is None:
            return [f'<p class="quiet small">{escape(desk.words.text("board.odds.none"))}</p>']
        words = desk.words
        return [
            f'<p class="small"><b>{escape(drawn.title)}</b> <span class="quiet">{escape(self._basis(desk))}</span></p>',
            chart.html(drawn, len(desk)),
            chart.here(drawn, words.text("board.now", step=desk.at)),
        ]

    def _basis(self, desk: Desk) -> str:
        known = [found for _, want in self.asking.along(desk) if (found := self.asking.counting.answer(want)) and found.answer]
        key = "board.odds.exact" if all(found.answer and found.answer.exact for found in known) else "board.odds.simulated"
        waiting = len(self.asking.along(desk)) - len(known)
        said = desk.words.text(key, n=min((found.n for found in known if found.answer and not found.answer.exact), default=0))
        return f"{said} {desk.words.text('board.odds.waiting', n=waiting)}" if waiting else said

    def timeline(self, desk: Desk) -> Chart | None:
        """What becomes of each player as a line over the steps; ``None`` until two moments are known."""
        words, fates = desk.words, self.asking.fates(desk)
        if len(fates) < LEAST:
            return None
        lines = []
        for seat in desk.game.seats:
            known = [(step, told[seat]) for step, told in fates if seat in told and told[seat].mean is not None]
            if known:
                said = f"{words.seat(seat)} {bare(known[-1][1], words)}"
                points = tuple((float(step), float(found.mean or 0)) for step, found in known)
                lines.append(Line(said, points, f"p{seat + 1}", DASHES[seat], _settled(desk, seat, points)))
        ticks = tuple((share / 4, percent(Fraction(share, 4), words) if share == 4 else str(25 * share)) for share in range(5))
        foot = ((0.0, words.text("board.step", step=0)), (float(len(desk)), words.text("board.step", step=len(desk))))
        return Chart(self.title(desk), tuple(lines), len(desk), ticks, foot, now=desk.at)

    def title(self, desk: Desk) -> str:
        """What the line over the game asks."""
        name = desk.game.name
        key = "screen.next_marshal" if name == "poker_marshal" else f"question.{name}.{FATE[name]}"
        return desk.words.text(key)

    def _odds_table(self, desk: Desk) -> tuple[list[str], list[list[Any]]]:
        text = desk.words.text
        headers = [
            text("board.csv.step"),
            text("board.csv.player"),
            text("board.csv.chance"),
            text("board.csv.low"),
            text("board.csv.high"),
        ]
        rows = []
        for step, told in self.asking.fates(desk):
            for seat, found in told.items():
                low, high = getattr(found, "low", None), getattr(found, "high", None)
                rows.append([step, desk.words.seat(seat), found.mean, low, high])
        return headers, rows

    # where each card may be

    def _cards(self, desk: Desk) -> list[str]:
        board, words = self._beliefs(desk), desk.words
        voids = "; ".join(
            words.text("board.void", seat=seat, suit=words.text(f"board.suit.{html.SUITS[suit]}")) for seat, suit in board.voids
        )
        note = f"{voids}. " if voids else ""
        head = f'<p class="small"><span class="quiet">{escape(note + words.text("board.cards.about"))}</span> {html.exact(words)}</p>'
        return [head, beliefs(board, words)]

    def _cards_table(self, desk: Desk) -> tuple[list[str], list[list[Any]]]:
        board, words = self._beliefs(desk), desk.words
        rows: tuple[Seat | str, ...] = (*board.seats, REST)
        headers = [words.text("board.csv.card"), *(row_name(row, words) for row in rows)]
        return headers, [[words.show(card), *(chances.get(row) for row in rows)] for card, chances in board.where.items()]

    def _beliefs(self, desk: Desk) -> Beliefs:
        """The beliefs of a moment, reckoned once."""
        key = (desk.session.cursor, desk.viewer)
        if key != self._believed[0]:
            self._believed = (key, beliefs_of(desk))
        board: Beliefs = self._believed[1]
        return board

    # the bank

    def _bank(self, desk: Desk) -> list[str]:
        drawn = self.growth(desk)
        if drawn is None:
            return [f'<p class="quiet small">{escape(desk.words.text("board.bank.none"))}</p>']
        return [f'<p class="small"><b>{escape(drawn.title)}</b></p>', chart.html(drawn), chart.here(drawn, "")]

    def growth(self, desk: Desk) -> Chart | None:
        """The largest bank of each deal so far, on a logarithmic axis."""
        banks = banks_of(desk)
        if not banks:
            return None
        words, most = desk.words, max(banks.values())
        points = tuple((float(deal + 1), float(bank)) for deal, bank in banks.items())
        ticks = tuple((float(y), number(y)) for y in chart.powers(min(banks.values()), most))
        last = max(len(banks), 2)
        foot = tuple((float(deal), words.text("stepper.deal", n=deal)) for deal in sorted({1, last}))
        marks = tuple((x, y, f"{words.text('stepper.deal', n=int(x))}: {number(int(y))}") for x, y in points)
        line = Line(words.text("board.bank.now", amount=list(banks.values())[-1]), points, "pri", marks=marks)
        return Chart(words.text("board.bank.title"), (line,), last, ticks, foot, start=1, log=True)

    def _bank_table(self, desk: Desk) -> tuple[list[str], list[list[Any]]]:
        return [desk.words.text("board.csv.deal"), desk.words.text("board.csv.bank")], [[n + 1, bank] for n, bank in banks_of(desk).items()]

    # what if

    def leave(self, desk: Desk) -> None:
        """Leaves the line here, and shows the lines side by side."""
        self.branches.leave(desk)
        self.chosen, self.open = "branches", True

    def _branches(self, desk: Desk) -> list[str]:
        about = f'<p class="quiet small">{escape(desk.words.text("branch.about"))} {escape(self.title(desk))}</p>'
        return [about, *self.branches.lines(desk, self.asking)]

    def _branches_table(self, desk: Desk) -> tuple[list[str], list[list[Any]]]:
        return self.branches.table(desk, self.asking)

    # saving

    def press(self, name: str) -> None:
        """Shows another board; raises BadRequest for one that there is not."""
        if name not in _BOARDS:
            raise BadRequest("error.board", board=quoted(name), boards=", ".join(_BOARDS))
        self.chosen, self.open = name, True

    def toggle(self, name: str, desk: Desk) -> None:
        """Shows another board, or folds the one that is shown; raises BadRequest for one that there is not."""
        shown = self.open and self.shown(desk) == name
        self.press(name)
        self.open = not shown

    def saved(self, kind: str, board: str, desk: Desk) -> Download:
        """A board as a file: "csv", "svg" or "png"; raises BadRequest where there is nothing to save."""
        pictures: dict[str, Callable[[Desk], Chart | None]] = {"odds": self.timeline, "bank": self.growth}
        name = f"cardlab-{desk.game.name}-{board}-{desk.at}"
        if kind == "csv" and board in _TABLES:
            headers, rows = _TABLES[board](self, desk)
            return table(f"{name}.csv", headers, rows, desk.words.language)
        made = pictures[board](desk) if board in pictures and kind in ("svg", "png") else None
        if made is None:
            raise BadRequest("error.save", what=quoted(f"{kind} {board}"))
        picture = drawing(f"{name}.svg", chart.svg(made, desk.words.text("board.now", step=desk.at)))
        return painted(picture) if kind == "png" else picture


def _settled(desk: Desk, seat: Seat, points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float, str], ...]:
    """The moment from which a player's fate is certain to the end of the line."""
    first = len(points)
    while first and points[first - 1][1] == points[-1][1]:
        first -= 1
    if points[-1][1] not in (0.0, 1.0) or not first:
        return ()
    step, y = points[first]
    key = "board.settled.yes" if y else "board.settled.no"
    return ((step, y, desk.words.text(key, seat=seat, step=int(step))),)


def hides_cards(desk: Desk) -> bool:
    """Whether cards are dealt that the viewpoint of a desk does not see."""
    if desk.viewer == TEACHER or desk.game.name == "suicide_king" or desk.over:
        return False
    view = desk.session.view(desk.viewer)
    return view.now is not None and bool(_hands(desk, view))


def _hands(desk: Desk, view: Any) -> list[Seat]:
    """The other players who hold cards."""
    return [seat for seat in desk.game.seats if seat != desk.viewer and view.places[f"hand {seat}"].size]


def beliefs_of(desk: Desk) -> Beliefs:
    """What the viewpoint of a desk may believe of the hidden cards, where some are hidden."""
    view = desk.session.view(desk.viewer)
    hands, believed = _hands(desk, view), worlds(view)
    game: Any = desk.game
    zones: dict[str, Seat | str] = {f"hand {seat}": seat for seat in hands}
    where: dict[Card, dict[Seat | str, Fraction]] = {}
    for card in game.size.pack:
        seen = believed.seen(card)
        where[card] = {} if seen not in (None, STOCK, *zones) else _by_row(believed.where(card), zones)
        if where[card]:
            rows: tuple[Seat | str, ...] = (*hands, REST)
            where[card] = {row: where[card].get(row, Fraction(0)) for row in rows}
    suits = {suit: [card for card in game.size.pack if card.suit == suit] for suit in SUITS}
    lacks = {(seat, suit): believed.lacks(f"hand {seat}", cards) for seat in hands for suit, cards in suits.items()}
    return Beliefs(tuple(hands), where, lacks)


def _by_row(told: dict[str, Fraction], zones: dict[str, Seat | str]) -> dict[Seat | str, Fraction]:
    rows: dict[Seat | str, Fraction] = {}
    for zone, chance in told.items():
        row = zones.get(zone, REST)
        rows[row] = rows.get(row, Fraction(0)) + chance
    return rows


def banks_of(desk: Desk) -> dict[int, int]:
    """The largest bank of each deal of the line up to here, as the viewpoint saw it."""
    there, banks = desk.session.branch(), dict[int, int]()
    for step in range(desk.at + 1):
        view = there.goto(step).view(desk.viewer)
        if view.bank:
            banks[view.deal] = max(banks.get(view.deal, 0), view.bank)
    return banks


Lines = Callable[[Boards, Desk], list[str]]
Table = Callable[[Boards, Desk], tuple[list[str], list[list[Any]]]]
_BOARDS: Final[dict[str, Lines]] = {"odds": Boards._odds, "cards": Boards._cards, "bank": Boards._bank, "branches": Boards._branches}
_TABLES: Final[dict[str, Table]] = {
    "odds": Boards._odds_table,
    "cards": Boards._cards_table,
    "bank": Boards._bank_table,
    "branches": Boards._branches_table,
}
