"""The page of each game in a real JupyterLab: shown, clicked, left and opened again, run again; Lab keeps its keys and its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["suicide_king", "fight_for_the_lead", "poker_marshal"])
def test_the_page_in_a_notebook(page: Page, lab: Any, name: str) -> None:
    from playwright.sync_api import expect

    code = f'cardlab.dashboard("{name}", seed=7, language="en")'
    shown = ".jp-OutputArea-output svg.cl-table"
    table = lab.opened(page, code, cells=1, last="", shown=shown)
    address, language = page.url, page.evaluate("document.documentElement.lang")
    for step in (1, 2, 3):
        page.locator(".jp-OutputArea-output button.step").click()
        expect(table).to_have_attribute("data-step", str(step))
    page.locator(".jp-OutputArea-output").get_by_role("tab", name="Log").click()
    page.locator(".jp-OutputArea-output [data-say='go-1']").filter(visible=True).first.click()
    expect(table).to_have_attribute("data-step", "1")
    page.locator(".jp-OutputArea-output .plot").wait_for()
    assert page.url == address
    assert page.evaluate("document.documentElement.lang") == language

    if name == "suicide_king":  # pieces that come later, and a link that has no address of its own here
        page.locator(".jp-OutputArea-output").get_by_role("button", name="Share", exact=True).click()
        link = page.get_by_label("Link to this moment", exact=True)
        link.wait_for()
        assert link.input_value().startswith("?link=cl1-")
        page.get_by_role("button", name="Close", exact=True).click()
        link.wait_for(state="hidden")

    cell = page.locator(".jp-OutputArea-output").first.bounding_box()
    shown_parts = page.locator(".jp-OutputArea-output :is(button, [role=tab])").filter(visible=True)
    edges = shown_parts.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert cell is not None
    assert len(edges) > 15
    assert max(edges) <= cell["x"] + cell["width"]  # a cell is narrower than the window

    # with the focus in the page the keys are its own, elsewhere they are Lab's
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    page.locator(".jp-OutputArea-output button.step").focus()
    for key in "ddab":
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    expect(table).to_have_attribute("data-step", "2")
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells

    page.keyboard.press("Control+s")
    page.wait_for_timeout(500)
    page.reload()
    again = lab.run(page, shown)
    expect(again).to_have_attribute("data-step", "0")
    page.locator(".jp-OutputArea-output button.step").click()
    expect(again).to_have_attribute("data-step", "1")
