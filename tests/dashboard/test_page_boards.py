"""The boards below the table in Chromium: the line over the game leads to its steps, what-if and back, and each file opened and parsed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from page_tools import Tab
from PIL import Image

from cardlab import Record
from cardlab.chance import ask
from cardlab.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def saved(page: Page, said: str, folder: Path) -> Path:
    """The file that a press hands over."""
    with page.expect_download() as saving:
        page.locator(f"[data-say='save {said}']").first.click()
    path = folder / saving.value.suggested_filename
    saving.value.save_as(path)
    return path


def unfold(page: Page, board: str) -> None:
    """Opens a board, which a window of 900 px folds to its name."""
    page.locator(f"[data-say='board {board}'][aria-expanded=false]").click()
    page.locator(f"[data-say='board {board}'][aria-expanded=true]").wait_for()


def rows_of(path: Path, separator: str) -> list[list[str]]:
    """The table of a file."""
    assert path.read_bytes()[:3] == b"\xef\xbb\xbf"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=separator))


def test_a_press_on_the_line_leads_to_the_step_that_stands_there(page: Page, tab: Any) -> None:
    opened: Tab = tab("?game=suicide_king&players=3&seed=7")
    page.keyboard.press("End")
    desk = Desk("suicide_king", players=3, seed=7)
    last = len(desk.finish())
    opened.is_at(last, last)
    unfold(page, "odds")
    plot = page.locator(".plot")
    box = None
    while box is None:  # it is drawn anew with each answer that comes
        plot.wait_for()
        box = plot.bounding_box()
    plot.click(position={"x": box["width"] * 0.5, "y": box["height"] / 2})
    opened.is_at(round(last * 0.5), last)
    assert abs(page.locator(".chart-now i").evaluate("line => parseFloat(line.style.left)") - 50) < 100 / last
    drawn = plot.locator(".line")
    assert drawn.count() == 6  # three players, before and after where one stands


def test_the_boards_fold_and_rise_over_the_table_where_there_is_little_room(page: Page, tab: Any) -> None:
    opened: Tab = tab("?game=suicide_king&players=3&seed=7")
    opened.step(1)
    table = page.locator("svg[data-step]").bounding_box()
    assert not page.locator(".plot").count()
    unfold(page, "odds")
    page.locator(".plot").wait_for()
    assert page.locator("svg[data-step]").bounding_box() == table  # it keeps its size
    page.locator("[data-say='board odds']").click()
    page.locator("[data-say='board odds'][aria-expanded=false]").wait_for()
    assert not page.locator(".plot").count()
    page.set_viewport_size({"width": 1440, "height": 1100})  # somebody has folded them: they stay folded
    opened.step(2)
    assert not page.locator(".plot").count()
    page.reload()
    Tab.opened(page)
    page.locator("[data-say='board odds'][aria-expanded=true]").wait_for()


def test_what_if_and_back(page: Page, tab: Any) -> None:
    opened: Tab = tab("?game=suicide_king&players=3&seed=7")
    for step in range(1, 9):
        opened.step(step)
    rows = page.locator(".log .row").all_inner_texts()
    opened.press("page.whatif")
    page.locator("[data-say='branch 1'][aria-pressed=true]").wait_for()
    for step in (9, 10, 11):
        opened.step(step)
    page.locator("[data-say='branch 0']").click()
    opened.is_at(8, 8)
    assert page.locator(".log .row").all_inner_texts() == rows
    page.locator("[data-say='branch 1']").click()
    opened.is_at(11, 11)
    cells = page.locator(".plain tbody tr").nth(1).locator("td").all_inner_texts()
    assert cells[0].startswith("What if 1")
    assert cells[1:3] == ["8", "11"]
    field = page.get_by_label("Name of line 1")
    field.fill("another pile")
    field.press("Enter")
    page.get_by_role("button", name="another pile", exact=True).wait_for()
    opened.is_at(11, 11)
    page.get_by_role("button", name="Forget line 1").click()
    opened.is_at(8, 8)
    page.locator("[data-say^='branch']").first.wait_for(state="detached")
    assert page.locator(".log .row").all_inner_texts() == rows


def test_files_of_the_teacher(page: Page, tab: Any, tmp_path: Path) -> None:
    opened: Tab = tab("?game=suicide_king&players=3&seed=7&language=ru", "ru")
    for step in range(1, 13):
        opened.step(step)
    desk = Desk("suicide_king", players=3, seed=7, language="ru")
    while desk.at < 12:
        desk.step()
    unfold(page, "odds")
    page.locator(".plot").wait_for()
    told = rows_of(saved(page, "csv answer", tmp_path), ";")
    answer = ask(desk.session, "last_player")
    assert [(row[0], float(row[1].replace(",", "."))) for row in told[1:]] == [(desk.words.seat(s), float(answer[s])) for s in answer]
    odds = rows_of(saved(page, "csv odds", tmp_path), ";")
    assert [row[:2] for row in odds[-3:]] == [["12", name] for name in ("Анна", "Борис", "Хлоя")]
    picture = ElementTree.parse(saved(page, "svg odds", tmp_path)).getroot()
    assert "Борис" in "".join(picture.itertext())
    with Image.open(saved(page, "png odds", tmp_path)) as image:
        assert image.format == "PNG"
        assert image.size == (2000, 680)
        assert len(image.convert("RGB").getcolors(10**6) or ()) > 20  # it is drawn, not empty
    page.get_by_role("button", name=opened.words.text("page.menu"), exact=True).click()
    with Image.open(saved(page, "png table", tmp_path)) as image:
        assert image.width == 2 * 656
        assert len(image.convert("RGB").getcolors(10**6) or ()) > 100
    assert ElementTree.parse(saved(page, "svg table", tmp_path)).getroot().get("width") == "656"
    record = Record.load(saved(page, "jsonl game", tmp_path))
    assert record == desk.session.record


def test_files_of_a_seat_tell_what_it_knows(page: Page, tab: Any, tmp_path: Path) -> None:
    opened: Tab = tab("?game=fight_for_the_lead&players=3&seed=7")
    for step in range(1, 16):
        opened.step(step)
    page.get_by_role("button", name="Boris", exact=True).click()
    unfold(page, "cards")
    told = rows_of(saved(page, "csv cards", tmp_path), ",")
    assert len(told) == 53
    assert all(abs(sum(map(float, row[1:])) - 1) < 1e-9 for row in told[1:] if row[1])
    page.get_by_role("button", name=opened.words.text("page.menu"), exact=True).click()
    lines = saved(page, "jsonl game", tmp_path).read_text("utf-8").splitlines()
    assert json.loads(lines[0])["viewer"] == 1
    assert '"seed"' not in "".join(lines)
    got = [json.loads(line) for line in lines[1:] if '"fight.received"' in line]
    assert {event["seat"] for event in got if event["card"]} == {1}
