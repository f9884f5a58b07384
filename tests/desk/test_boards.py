"""The boards below the table: what is believed of hidden cards, the odds over the game, the bank, and lines side by side."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import time
from fractions import Fraction
from typing import Any

import pytest

from cardlab import Seat, Session, game
from cardlab.chance import ask, worlds
from cardlab.core.errors import BadRequest
from cardlab.core.events import TEACHER
from cardlab.desk import Desk
from cardlab.desk.boards import Boards, banks_of, beliefs_of
from cardlab.desk.branches import MOST
from cardlab.desk.downloads import MARK, drawing, painted, table
from cardlab.desk.questions import Asking
from cardlab.desk.saving import answer_table, saved
from cardlab.view.boards import REST
from cardlab.view.html import SUITS


def on(name: str, steps: int, seat: Any = 0, **options: Any) -> Desk:
    """A desk some steps into a game."""
    desk = Desk(name, seed=7, seat=seat, policy="sensible", **options)
    while desk.at < steps:
        desk.step()
    return desk


def boards() -> Boards:
    """Boards without an event loop."""
    return Boards(Asking(lambda: None))


async def counted(made: Boards, desk: Desk) -> None:
    """Draws until nothing is left to count along the game."""
    asking = made.asking
    end = time.monotonic() + 60
    while time.monotonic() < end:
        asking.lines(desk, made.wants(desk))
        if len(asking.fates(desk)) == len(asking.along(desk)):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the odds over the game are not counted")


# beliefs


@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize(("name", "steps"), [("fight_for_the_lead", 46), ("fight_for_the_lead", 25), ("poker_marshal", 40)])
def test_each_hidden_card_lies_somewhere_and_each_hand_is_full(name: str, steps: int, seat: Any) -> None:
    desk = on(name, steps, seat)
    board, view = beliefs_of(desk), desk.session.view(desk.viewer)
    for card, rows in board.where.items():
        assert not rows or sum(rows.values()) == 1, card
    for hand in board.seats:
        held = sum((rows.get(hand, Fraction(0)) for rows in board.where.values()), Fraction(0))
        assert held == view.places[f"hand {hand}"].size


def test_who_did_not_follow_suit_holds_none_of_it() -> None:
    """Every world of a late moment, one by one: which hands hold none of a suit, and how often."""
    desk = on("fight_for_the_lead", 47, 0)
    board, complete = beliefs_of(desk), worlds(desk.session.view(Seat(0))).complete
    assert complete is not None
    for (seat, suit), chance in board.lacks.items():
        lacking = (complete.p(state) for state in complete if not any(card.suit == suit for card in state.hands[seat]))
        assert chance == sum(lacking, Fraction(0))
    assert board.voids
    assert any(chance not in (0, 1) for chance in board.lacks.values())
    said = " ".join(boards_shown(desk, "cards"))
    seat, suit = board.voids[0]
    assert f"{desk.words.seat(seat)} has no {desk.words.text(f'board.suit.{SUITS[suit]}')}" in said


def boards_shown(desk: Desk, name: str) -> list[str]:
    """The lines of a board."""
    made = boards()
    made.press(name)
    return made.lines(desk)


def test_a_board_that_a_moment_lacks_is_not_offered() -> None:
    assert boards().names(on("suicide_king", 12)) == ["odds"]
    assert boards().names(on("fight_for_the_lead", 30, TEACHER)) == ["odds", "bank"]
    assert boards().names(on("poker_marshal", 36)) == ["odds", "cards"]
    with pytest.raises(BadRequest, match="no board"):
        boards().press("cloud")


def test_cards_that_lie_open_have_no_chances() -> None:
    desk = on("fight_for_the_lead", 46, 0)
    board = beliefs_of(desk)
    view = desk.session.view(Seat(0))
    for card in (*view.turned, *(card for _, card in view.played), *view.places["hand 0"].sure):
        assert not board.where[card], card
    rows = {row for rows in board.where.values() for row in rows}
    assert rows == {*board.seats, REST}


# the odds over the game, and the bank


def test_the_line_over_the_game_is_that_of_every_moment() -> None:
    desk, made = Desk("suicide_king", players=3, seed=7, seat=None), boards()
    desk.finish()
    asyncio.run(counted(made, desk))
    drawn = made.timeline(desk)
    assert drawn is not None
    for line, seat in zip(drawn.lines, desk.game.seats, strict=True):
        for step, share in line.points[::11]:
            there = desk.session.branch(whole=True).goto(int(step))
            assert share == ask(there, "last_player")[seat].mean
    out = [line for line in drawn.lines if line.points[-1][1] == 0]
    assert all(len(line.marks) == 1 for line in out)
    assert len(out) == 2


def test_the_bank_is_the_largest_of_each_deal() -> None:
    desk = Desk("fight_for_the_lead", players=3, seed=7, seat=None, deals=3)
    desk.finish()
    largest: dict[int, int] = {}
    for moment in desk.session.line:
        largest[moment.state.deal] = max(largest.get(moment.state.deal, 0), moment.state.bank)
    assert banks_of(desk) == {deal: bank for deal, bank in largest.items() if bank}
    assert len(banks_of(desk)) == 3


# what if


def test_lines_that_leave_the_game_are_kept_and_compared() -> None:
    desk, made = on("suicide_king", 9, TEACHER, players=3), boards()
    kept = [str(step.action) for step in desk.session.steps]
    made.lines(desk)
    made.leave(desk)
    while desk.session.actor == "chance" or not desk.moves():
        desk.step()
    other = desk.moves()[-1].token
    desk.act(other)
    desk.step()
    assert made.names(desk)[-1] == "branches"
    assert made.shown(desk) == "branches"
    assert len(made.branches.kept) == 2
    left = desk.at
    made.branches.turn(desk, 0)
    assert [str(step.action) for step in desk.session.steps] == kept  # as it was
    assert desk.at == 9
    made.branches.turn(desk, 1)
    assert desk.at == left
    headers, rows = made.branches.table(desk, made.asking)
    assert [row[1:3] for row in rows] == [[0, 9], [9, left]]
    assert headers[3:] == ["Anna", "Boris", "Chloe"]
    assert rows[1][0].startswith("What if 1: ")
    for bad in (2, -1, "one", None):
        with pytest.raises(BadRequest, match="no line"):
            made.branches.turn(desk, bad)


def test_too_many_lines_are_refused_and_a_new_game_has_none() -> None:
    desk, made = on("suicide_king", 5, TEACHER), boards()
    made.lines(desk)
    while len(made.branches.kept) < MOST:
        made.leave(desk)
    with pytest.raises(BadRequest, match="drop one"):
        made.leave(desk)
    assert made.branches.hear(desk, "drop", "3") is False  # another one lies on the desk
    assert made.branches.hear(desk, "drop", str(len(made.branches.kept) - 1)) is True
    assert made.branches.at == 0
    made.branches.hear(desk, "name", "1   a   better   pile \nname 2 <b>")
    assert made.branches.names(desk)[1:3] == ["a better pile", "<b>"]
    assert "&lt;b&gt;" in "".join(made.lines(desk))
    made.branches.hear(desk, "name", "1 ")
    assert made.branches.names(desk)[1] == "What if 1"
    for verb, told in (("drop", "0"), ("drop", "x"), ("name", "0 first"), ("name", "99 last"), ("branch", "-1")):
        with pytest.raises(BadRequest, match="no line"):
            made.branches.hear(desk, verb, told)
    desk.new(seed=8)
    made.lines(desk)
    assert not made.branches.several


def test_the_name_of_a_line_tells_no_secret() -> None:
    """A fight card is laid face down: the line that leaves with it names it to the teacher and to its seat alone."""
    desk, made = on("fight_for_the_lead", 18, TEACHER, players=4), boards()
    while desk.game.phase(desk.session.state) != "fight":
        desk.step()
    made.lines(desk)
    made.leave(desk)
    seat = desk.session.actor
    desk.step()
    (card,) = desk.session.steps[-1].action.cards
    for viewer in (TEACHER, None, *desk.game.seats):
        said = made.branches.names(desk.set_viewer(viewer))[1]
        assert (desk.words.show(card) in said) == (viewer in (TEACHER, seat)), viewer


# files


def rows_of(data: bytes, separator: str) -> list[list[str]]:
    """The table of a file."""
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=separator))


def test_a_table_opens_in_a_spreadsheet_in_both_languages() -> None:
    pandas = pytest.importorskip("pandas")
    headers = ["карта", "шанс", "число"]
    rows = [["Д\u2660\ufe0e", Fraction(3, 8), 12], ['a, "b"\nc', 0.5, -3], ["=1+1", 37.5, None], ["x;y", 1e-9, 0]]
    read = {}
    for language, separator, point in (("en", ",", "."), ("ru", ";", ",")):
        data = table("t.csv", headers, rows, language).data
        assert data.startswith(MARK.encode()) and data[:3] == b"\xef\xbb\xbf"  # noqa: PT018
        told = rows_of(data, separator)
        assert told[0] == headers
        assert [row[0] for row in told[1:]] == [row[0] for row in rows]  # unchanged
        read[language] = pandas.read_csv(io.BytesIO(data), encoding="utf-8-sig", sep=separator, decimal=point)
    assert read["en"].equals(read["ru"])
    assert list(read["en"]["шанс"]) == [0.375, 0.5, 37.5, 1e-9]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_board_is_saved_as_what_it_shows(language: str) -> None:
    desk, made = on("fight_for_the_lead", 46, 0, language=language), boards()
    separator = ";" if language == "ru" else ","
    asyncio.run(counted(made, desk))
    for name in ("odds", "cards", "bank"):
        file = saved(f"csv {name}", desk, made)
        told = rows_of(file.data, separator)
        assert len({len(row) for row in told}) == 1
        assert len(told) > 1
    by_card = rows_of(saved("csv cards", desk, made).data, separator)
    board = beliefs_of(desk)
    for row, (card, chances) in zip(by_card[1:], board.where.items(), strict=True):
        assert row[0] == desk.words.show(card)
        assert [float(cell.replace(",", ".")) if cell else None for cell in row[1:]] == [
            float(chances[who]) if chances else None for who in (*board.seats, REST)
        ]
    for kind in ("svg odds", "svg bank", "svg table", "png table"):
        file = saved(kind, desk, made)
        assert re.match(rb"<\?xml[^>]*>\n<svg width=\"[\d.]+\" height=\"[\d.]+\"", file.data)
        assert file.paint == kind.startswith("png")
        assert file.name.endswith(kind[:3])
    for kind in ("csv odds", "csv cards", "png bank", "csv answer"):  # a guess covers them
        with pytest.raises(BadRequest, match="cannot be saved"):
            saved(kind, desk, made, odds=False)
    assert saved("svg table", desk, made, odds=False).data
    for wrong in ("png cards", "svg answer", "exe table", "csv", ""):
        with pytest.raises(BadRequest):
            saved(wrong, desk, made)


def test_an_answer_is_saved_with_its_kind() -> None:
    desk, made = on("suicide_king", 12, None, players=3), boards()
    made.asking.lines(desk)
    headers, rows = answer_table(made.asking.answer, desk)
    assert len(headers) == len(rows[0]) == 5
    assert [row[0] for row in rows] == ["Anna", "Boris", "Chloe"]
    assert {row[4] for row in rows} == {"exact"}
    assert sum(row[1] for row in rows) == pytest.approx(1)


def test_the_saved_game_is_what_the_viewpoint_knows() -> None:
    desk, made = on("poker_marshal", 40, TEACHER), boards()
    assert saved("jsonl game", desk, made).data.decode() == desk.session.record.dumps()
    for viewer in (None, Seat(2)):
        text = saved("jsonl game", desk.set_viewer(viewer), made).data.decode()
        assert text == desk.session.export(viewer)
        assert '"seed"' not in text


def test_a_picture_says_how_large_it_is() -> None:
    session = Session(game("suicide_king", players=2), seed=7)
    file = drawing("t.svg", Desk.on(session).picture())
    assert file.data.count(b" width=") >= 1
    assert painted(file).name == "t.png"
