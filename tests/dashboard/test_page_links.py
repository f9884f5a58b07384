"""Links on the page: opened in a fresh browser they show the same moment, and nothing that their viewpoint does not know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from page_tools import Served, Tab

from cardlab import TEACHER, Session, game
from cardlab.cards import CARDS
from cardlab.core.events import Seat, Viewer
from cardlab.dashboard.address import Look, address_of, desk_for
from cardlab.desk import Desk
from cardlab.desk.links import share

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocket

SEED = 987_654_321


def desk(viewer: Viewer, name: str = "fight_for_the_lead", at: int = 22, language: str = "en") -> Desk:
    session = Session(game(name, **({"players": 3, "deals": 1} if name == "fight_for_the_lead" else {"deals": 1})), seed=SEED)
    session.auto("random", until="game")
    return Desk.on(session.goto(at), seat=viewer, language=language)


def opened(page: Page, served: Served, text: str, language: str = "en") -> Tab:
    page.set_viewport_size({"width": 1440, "height": 900})
    return Tab(page, f"{served.url}?link={text}", language)


def log_of(whole: Desk) -> list[tuple[int, str, str]]:
    return [(row.step, row.text, row.rule) for row in whole.log()]


@pytest.mark.browser
@pytest.mark.parametrize(("viewer", "language"), [(TEACHER, "ru"), (Seat(1), "en"), (None, "ru")])
def test_a_link_opened_in_a_fresh_browser_shows_the_same_moment(page: Page, served: Served, viewer: Viewer, language: str) -> None:
    whole = desk(viewer, language=language)
    tab = opened(page, served, share(whole).text, language)
    tab.is_at(22, len(whole) if viewer == TEACHER else 22)
    assert tab.log == log_of(whole)
    seen_by = next(label for label, of in whole.viewers() if of == viewer)
    tab.says(f"{whole.words.text('screen.viewpoint')}: {seen_by}")
    tab.press("screen.undo")
    tab.is_at(21, len(whole) if viewer == TEACHER else 22)
    assert tab.log == log_of(whole.goto(21))


@pytest.mark.browser
def test_the_page_and_the_frames_of_a_seats_link_hold_no_seed_and_no_unknown_card(page: Page, served: Served) -> None:
    whole = desk(Seat(1))
    known = {token for _, _, event in whole.session.events(Seat(1)) for token in re.findall(r"Card\('(\w+)'\)", repr(event))}
    hidden = {card for card in CARDS[:52] if card.token not in known}
    held = [card for card in hidden if any(card in hand for hand in whole.session.state.hands)]
    assert held  # somebody else's
    got: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: got.append(payload if isinstance(payload, str) else payload.decode("latin-1")))

    page.on("websocket", listen)
    tab = opened(page, served, share(whole).text)
    tab.press("screen.undo")
    tab.is_at(21, 22)
    tab.press("screen.step")
    tab.is_at(22, 22)
    told = "".join(got) + page.content()
    assert str(SEED) not in told
    pictures = page.locator("svg.cl-table").evaluate_all("all => all.map(one => one.outerHTML).join('')")
    assert all(card.token not in re.findall(r'data-key="(\w+)"', pictures) for card in hidden)
    assert all(f'data-key=\\"{card.token}\\"' not in told for card in hidden)
    assert "data-key" in told


def test_the_address_of_what_was_watched_is_its_link_and_of_a_game_what_it_was() -> None:
    watched, fault = desk_for({"link": share(desk(None)).text})
    assert fault is None
    address = address_of(watched, Look())
    assert "seed" not in address
    again = desk_for({"link": re.search(r"link=([\w-]+)", address)[1]})[0]  # type: ignore[index]
    assert again.log() == watched.log()
    address = address_of(desk(TEACHER), Look())
    assert "link" not in address
    assert f"seed={SEED}" in address


@pytest.mark.browser
def test_a_damaged_link_is_refused_in_a_sentence(page: Page, served: Served) -> None:
    page.goto(f"{served.url}?link={share(desk(None)).text[:-10]}")
    page.get_by_role("alert").get_by_text("cut off").wait_for()


@pytest.mark.browser
def test_the_dialog_copies_saves_and_opens(page: Page, served: Served, chromium: Browser, tmp_path: Any) -> None:
    """The text that the field shows leads to the moment; the file that is saved is opened again, and a wrong one is refused."""
    tab = Tab(page, f"{served.url}?game=fight_for_the_lead&players=2&seed={SEED}")
    for step in (1, 2, 3):
        tab.step(step)
    tab.press("page.share")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Whoever opens it can see every card").wait_for()
    field = dialog.get_by_label(tab.words.text("page.share.link"), exact=True)
    link = field.input_value()
    assert link.startswith(f"{served.url}?link=")
    dialog.get_by_role("button", name="Copy", exact=True).click()
    dialog.get_by_role("status").get_by_text(re.compile("Copied|selected")).wait_for()
    assert field.evaluate("one => one.selectionEnd - one.selectionStart") == len(link)
    with page.expect_download() as saved:
        dialog.get_by_role("button", name=tab.words.text("page.share.save"), exact=True).click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(path.read_text()[:-9])
    dialog.locator("input[type=file]").set_input_files(wrong)
    dialog.get_by_role("alert").get_by_text("cut off").wait_for()
    dialog.get_by_role("button", name=tab.words.text("page.close"), exact=True).click()
    dialog.wait_for(state="hidden")
    tab.press("screen.restart")
    tab.is_at(0, 3)
    tab.press("page.share")
    dialog.locator("input[type=file]").set_input_files(path)
    dialog.wait_for(state="hidden")
    tab.is_at(3, 3)
    fresh = chromium.new_context()
    other = Tab(fresh.new_page(), link)
    other.is_at(3, 3)
    assert other.log == tab.log
    fresh.close()
