"""A real table followed on the page: ten cards by clicking, one typed, one that cannot be, one taken back, and a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from page_tools import Served, Tab, shown

from cardlab.core.events import TEACHER, Seat
from cardlab.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

CARDS = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "2D")


@pytest.mark.browser
def test_a_real_table_is_followed_for_ten_cards(page: Page, served: Served) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    tab = Tab(page, f"{served.url}?game=suicide_king&players=2&first_dealer=0")
    tab.set_up()
    page.get_by_role("combobox", name=tab.words.text("page.follow"), exact=True).select_option(tab.words.text("page.follow.whole"))
    page.get_by_role("dialog").get_by_role("button", name=tab.words.text("screen.new"), exact=True).click()
    tab.is_at(1)
    for n, card in enumerate(CARDS):
        tab.click(f"take {n % 5}")
        tab.is_at(2 * n + 2)
        tab.click(f"tell {card}")
        tab.is_at(2 * n + 3)
    assert [sentence for _, sentence, rule in tab.log if "shows it to everyone" in sentence][9].count("2♦") == 1
    assert "42" in tab.table  # still unseen
    tab.click("take 4")
    tab.is_at(22)
    assert page.locator('.table [data-say="tell 2C"]').count() == 0
    field = page.get_by_label(tab.words.text("tell.type"), exact=True)
    field.fill("2c")
    field.press("Enter")
    page.get_by_role("alert").get_by_text("cannot come here").wait_for()
    assert field.input_value() == "2c"
    tab.is_at(22)
    field.fill("3d")
    field.press("Enter")
    tab.is_at(23)
    assert field.input_value() == ""
    tab.press("screen.undo")
    tab.is_at(22, 23)
    page.reload()
    Tab.opened(page)
    tab.is_at(22, 23)
    assert len(tab.log) > 20
    tab.click("tell KH")
    tab.is_at(23)
    assert tab.log[-1][2] == "SK-11"


def test_the_form_asks_from_where_a_table_is_seen() -> None:
    with shown(Desk("fight_for_the_lead", players=3, first_dealer=0)) as screen:
        setup = screen.setup
        assert list(setup.follow.options.values()) == ["dealt", "0", "1", "2", "teacher"]
        setup.follow.value = "1"
        assert not setup.seed.visible
        screen._press("setup")
        setup.follow.value = "1"
        screen._press("new")
        session: Any = screen.desk.session
        assert (session.following, screen.desk.viewer) == (True, Seat(1))
        assert "received" in session.telling.detail.name
        screen._said("table", "tell QH")
        assert any("Q♥" in row.text for row in screen.desk.log())
        screen._said("table", "tell QH")
        assert "cannot come here" in str(screen.fault)
        screen._press("setup")
        assert setup.follow.value == "dealt"
        screen._press("new")
        assert screen.desk.session.seed is not None
        assert TEACHER in screen.desk.session.viewers
