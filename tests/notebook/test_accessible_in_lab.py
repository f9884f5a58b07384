"""The stepper in a real JupyterLab for whoever does not see it: axe-core finds nothing in it, and what is new is said once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from cardlab.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
AXE = """async ([tags, stepper]) => {
  const { violations } = await axe.run(stepper, { runOnly: tags, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, any, all, none }) =>
    [id, target.flat().join(" ") + html.slice(0, 200), [...any, ...all, ...none].map(({ message }) => message).join("; ")]));
}"""
LISTEN = """stepper => { window.told = []; window.regions = stepper.querySelectorAll("[aria-live=polite]");
  const watch = new MutationObserver((changes) => { for (const { addedNodes } of changes)
    for (const node of addedNodes) told.push([node.lang, node.textContent]); });
  for (const region of regions) watch.observe(region, { childList: true });
  return regions.length; }"""


def test_the_stepper_is_read_aloud_and_has_no_fault(page: Page, lab: Any) -> None:
    stepper = lab.opened(page, 'stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=0, language="ru")')
    desk = Desk("fight_for_the_lead", 3, seed=7, seat=0, language="ru")
    assert stepper.evaluate(LISTEN) == 1
    step = stepper.get_by_role("button", name=desk.words.text("screen.step"), exact=True)
    for _ in range(8):
        step.click()
        desk.step()
        stepper.get_by_text(re.compile(rf"^Шаг {desk.at} из {desk.at}$")).wait_for()
    stepper.locator(".row .go").first.hover()
    stepper.locator("svg.cl-table[data-peek]").wait_for()
    page.wait_for_function("n => told.length >= n", arg=len(desk.log()))
    stepper.get_by_role("button", name=desk.words.text("screen.undo"), exact=True).click()
    desk.undo()
    phase = desk.words.text(f"phase.fight_for_the_lead.{desk.game.phase(desk.session.state)}")
    place = desk.words.text("page.at", at=7, last=8, phase=phase)
    page.wait_for_function("place => told.at(-1)[1] === place", arg=place)
    desk.goto(8)
    assert page.evaluate("told") == [*(["ru", row.text] for row in desk.log()), ["ru", place]]
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(AXE, [TAGS, stepper.element_handle()])
    assert not found, "\n".join(map(str, found))
