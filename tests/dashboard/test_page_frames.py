"""What goes through the websocket: the same for games that differ only in cards that the viewpoint does not know."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from page_tools import Served, Tab
from test_page_documents import OTHERS, Made, fight, marshal

from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.dashboard import screen
from cardlab.desk import Desk, counting, lines, questions
from cardlab.desk.counting import Counting, Want
from cardlab.view import svg

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocket

FEW = 20  # samples
# Ids that count on or are drawn by lot, what a clock said, and the token that holds an id and a time.
CHANGING = re.compile(r'\bp\d{4,}\b|\b[A-Z][A-Za-z]+\d{5}\b|\b[0-9a-fA-F-]{32,}\b|(?<="n":)[\d.]+|\b[\w-]{80,}(?:\.[\w-]+)*')


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is wanted is counted before anything is drawn: else it would depend on the clock which message brings it."""

    def start(counting_: Counting, job: list[Want]) -> None:
        for want in job:
            counting_.found[want.key] = counting.counted(want, FEW)

    monkeypatch.setattr(Counting, "_start", start)
    monkeypatch.setattr(screen, "KEEP", 10**9)  # so does the way back, which is a link: those have tests of their own
    for room, name in ((counting, "FIRST"), (counting, "MOST"), (questions, "SOON"), (questions, "MOST")):
        monkeypatch.setattr(room, name, FEW)


def frames(page: Page, served: Served, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that the browser gets while somebody goes back, forth, to another language, to another viewpoint and back."""
    monkeypatch.setattr(sys.modules["cardlab.dashboard.app"], "desk_for", lambda asked, language: (desk, None))
    got: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: got.append(payload if isinstance(payload, str) else payload.decode("latin-1")))

    page.on("websocket", listen)
    last, viewer = desk.at, desk.viewer
    tab = Tab(page, f"{served.url}?game={desk.game.name}")
    for at in (last - 1, last - 2):
        tab.press("screen.undo")
        tab.is_at(at, last)
    tab.press("screen.step")
    tab.is_at(last - 1, last)
    page.locator(f"[data-peek='{last - 3}']").first.hover()
    page.locator("svg[data-peek]").wait_for()
    page.mouse.move(700, 5)
    page.locator("svg[data-step]:not([data-peek])").wait_for()
    for name in (desk.words.text("viewer.spectator"), desk.words.text("viewer.teacher") if viewer == TEACHER else desk.words.seat(0)):
        page.get_by_role("button", name=name, exact=True).click()
        tab.says(f"{desk.words.text('screen.viewpoint')}: {name}")
    for board in ("cards", "odds"):
        page.locator(f"[data-say='board {board}']:visible, .side:visible").first.wait_for()
        if page.locator(f"[data-say='board {board}']").count():  # a teacher has no beliefs
            page.locator(f"[data-say='board {board}']").click()
            page.locator(f"[data-say='board {board}'][aria-expanded=true]").wait_for()
    page.remove_listener("websocket", listen)
    assert any("cl-table" in frame for frame in got)
    assert viewer == TEACHER or any("beliefs" in frame for frame in got)
    return sorted(CHANGING.sub("…", frame) for frame in got)  # two answers may change places


def both(page: Page, served: Served, made: Made, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    return [frames(page, served, made(cards, viewer), monkeypatch) for cards in (OTHERS, OTHERS[::-1])]


def differing(one: list[str], other: list[str]) -> list[tuple[str, str]]:
    """Where frames part: pytest would take minutes to compare them whole."""
    found = []
    for a, b in zip(one, other, strict=False):
        if a != b:
            at = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            found.append((a[max(0, at - 80) : at + 40], b[max(0, at - 80) : at + 40]))
    return found


@pytest.mark.browser
@pytest.mark.parametrize(("made", "viewer"), [(marshal, Seat(0)), (fight, None)])
@pytest.mark.usefixtures("at_once")
def test_the_frames_are_equal(page: Page, served: Served, made: Made, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = both(page, served, made, viewer, monkeypatch)
    assert not differing(one, other)
    assert len(one) == len(other)


@pytest.mark.browser
def test_a_face_that_a_style_sheet_covers_is_found(page: Page, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = lines.table

    def leaking(desk: Desk, narrow: bool = False) -> list[str]:
        whole = svg(desk.game, desk.session.view(TEACHER), desk.words).replace("data-step", "data-of").replace("cl-table", "covered")
        return [*honest(desk, narrow), f'<div style="display:none">{whole}</div>']

    monkeypatch.setattr(lines, "table", leaking)
    assert differing(*both(page, served, marshal, Seat(0), monkeypatch))
