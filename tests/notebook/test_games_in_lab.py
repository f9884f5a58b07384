"""Whole games in a real JupyterLab: by clicking on the table, by keyboard alone, from a seat; and the keys that Lab must not hear."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

GAMES = {
    "suicide_king": "players=2",
    "fight_for_the_lead": "players=2, deals=1",
    "poker_marshal": 'deals=1, policy="still"',
}
FASTER = "stepper.ticker.wait = lambda: 0.02\n"
OVER = "The game is over."
PLACE = re.compile(r"^Step (\d+) of (\d+)$")


def opened(page: Page, lab: Any, name: str, options: str, then: str = "") -> Locator:
    """A stepper of a short game."""
    stepper: Locator = lab.opened(page, f'stepper = cardlab.step("{name}", seed=7, language="en", {options})\n{then}', cells=2)
    return stepper


MOMENT = """box => [box.querySelector("svg").dataset.step, box.textContent, box.querySelectorAll(".lift").length,
  ...[...box.querySelectorAll("[data-say]")].map(it => it.dataset.say)].join(" | ")"""


def moment(stepper: Locator) -> str:
    """The table with what lies below it: it changes with every step, and with every card that is chosen."""
    shown: str = stepper.locator(".cl-box:has(> svg.cl-table)").evaluate(MOMENT)
    return shown


def changed(stepper: Locator, before: str) -> None:
    """Waits until something has come of a click, on the table and beside it."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        step = stepper.locator("svg.cl-table").get_attribute("data-step")
        if moment(stepper) != before and PLACE.findall(stepper.get_by_text(PLACE).inner_text())[0][0] == step:
            return
        stepper.page.wait_for_timeout(10)
    focus = stepper.page.evaluate("() => document.activeElement?.outerHTML.slice(0, 200)")
    raise AssertionError(f"nothing has come of it at {stepper.get_by_text(PLACE).inner_text()}, with the focus on {focus}")


def things(stepper: Locator) -> list[str]:
    """What the table can be clicked for, each once."""
    said = stepper.locator(".cl-box:has(> svg.cl-table) [data-say]").evaluate_all("them => them.map(it => it.dataset.say)")
    return list(dict.fromkeys(said))


def over(stepper: Locator) -> bool:
    """Whether the game is over: then nothing can be done, and it is said, in whichever order the two get there."""
    if things(stepper) or stepper.get_by_role("button", name="Step", exact=True).is_enabled():
        return False
    stepper.locator(".cl-next").get_by_text(OVER).wait_for()
    return True


def turns(stepper: Locator) -> Iterator[tuple[str, list[str]]]:
    """The moments of a game and what can be clicked at each, until it is over."""
    for _ in range(400):
        if over(stepper):
            return
        yield moment(stepper), things(stepper)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("name", list(GAMES))
def test_a_whole_game_by_clicking(page: Page, lab: Any, name: str) -> None:
    """Whatever can be clicked on the table is clicked there, at random; only chance is stepped."""
    stepper = opened(page, lab, name, GAMES[name])
    rng = random.Random(name)
    step = stepper.get_by_role("button", name="Step", exact=True)
    clicks, verbs = 0, set()
    for before, offered in turns(stepper):
        if offered:
            ends = [said for said in offered if " " not in said or said.split()[0] != "choose"]
            said = rng.choice(ends if ends and rng.random() < 0.5 else offered)
            stepper.locator(f"[data-say='{said}']").first.click()
            clicks += 1
            verbs.add(said.split()[0])
        else:
            step.click()
        changed(stepper, before)
    assert verbs >= {"suicide_king": {"take"}, "fight_for_the_lead": {"fight", "choose", "play"}, "poker_marshal": {"lay", "ask"}}[name]
    assert clicks > 5
    assert step.is_disabled()
    assert stepper.get_by_role("alert").filter(visible=True).count() == 0
    rows = stepper.locator(".go").evaluate_all("rows => rows.map(row => row.dataset.say)")
    at, last = map(int, PLACE.findall(stepper.get_by_text(PLACE).inner_text())[0])
    assert at == last
    assert rows[-1] == f"go-{last}"
    assert page.locator(".jp-OutputArea-output").count() == 1


def test_a_whole_game_by_keyboard_alone(page: Page, lab: Any) -> None:
    """Tab into the stepper and to the cards, Enter on them, arrows for the rest; then back to the start and out again."""
    stepper = opened(page, lab, "fight_for_the_lead", GAMES["fight_for_the_lead"])
    page.keyboard.press("Escape")
    focused = "() => document.activeElement?.closest('.cardlab-stepper') ? document.activeElement.dataset.say || 'inside' : ''"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent") == "Step":
            break
    assert page.evaluate(focused) == "inside"
    entered = 0
    for before, offered in turns(stepper):
        if offered:
            said = next((said for said in offered if said.startswith("exchange ")), offered[0])  # once a card is chosen for it
            for _ in range(60):
                if page.evaluate(focused) == said:
                    break
                page.keyboard.press("Tab")
            assert page.evaluate(focused) == said
            ring = page.evaluate("() => { const e = document.activeElement; const ring = e.querySelector('.ring');"
                                 " return getComputedStyle(ring || e)[ring ? 'display' : 'outlineStyle'] }")  # fmt: skip
            assert ring != "none"
            page.keyboard.press("Enter")
            entered += 1
        else:
            page.keyboard.press("ArrowRight")
        changed(stepper, before)
    assert entered > 5
    assert page.evaluate(focused)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    stepper.get_by_text(re.compile(r"^Step 0 of \d+$")).wait_for()
    assert page.evaluate(focused)
    for n in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        stepper.get_by_text(re.compile(rf"^Step {n} of \d+$")).wait_for()
    page.keyboard.press("ArrowLeft")
    stepper.get_by_text(re.compile(r"^Step 2 of \d+$")).wait_for()
    for _ in range(120):
        page.keyboard.press("Tab")
        if not page.evaluate(focused):
            break
    assert not page.evaluate(focused)


def test_a_seat_clicks_and_the_others_play_on(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = opened(page, lab, "fight_for_the_lead", "players=3, deals=1, seat=1", FASTER + 'stepper.buttons["mine"].click()')
    table = stepper.locator("svg.cl-table")
    clicks = 0
    own = table.locator("[data-say]")
    for before, offered in turns(stepper):
        if offered[0].startswith("choose"):
            own.first.click()
            changed(stepper, before)
            before = moment(stepper)
            stepper.locator(".move[data-say*=' ']").click()
        else:
            own.first.click()
        clicks += 1
        changed(stepper, before)
        expect(stepper.get_by_role("button", name="Play", exact=True)).to_be_visible()  # no more Pause
        expect(table.get_by_text("your move").or_(stepper.locator(".cl-next").get_by_text(OVER))).to_be_visible()
    assert clicks >= 4
    expect(stepper.locator(".cl-next").get_by_text(OVER)).to_be_visible()


def test_keys_are_ours_inside_and_labs_outside(page: Page, lab: Any) -> None:
    """Inside no cell changes, whatever is pressed; outside our keys do nothing and Lab's work."""
    from playwright.sync_api import expect

    stepper = opened(page, lab, "suicide_king", "players=3, first_dealer=0", 'stepper.buttons["step"].click()')
    cells = page.locator(".jp-Notebook .jp-Cell")
    kinds = "cells => cells.map(cell => cell.className.match(/jp-(Code|Markdown|Raw)Cell/)[1])"
    before = cells.evaluate_all(kinds)
    assert len(before) == 3

    def press_all() -> None:
        for key in ("d", "d", "x", "a", "b", "z", "0", "0", "m", "y", "r", "1"):
            page.keyboard.press(key)
        page.wait_for_timeout(200)
        assert cells.evaluate_all(kinds) == before
        assert page.locator(".jp-Dialog").count() == 0

    pile = stepper.locator("svg.cl-table [data-say='take 2']")
    pile.focus()
    press_all()
    stepper.get_by_role("button", name="Step", exact=True).focus()
    press_all()
    page.keyboard.press("ArrowRight")
    stepper.get_by_text(re.compile(r"^Step 2 of 2$")).wait_for()
    stepper.locator(".cl-log .cl-box").focus()
    press_all()
    stepper.get_by_label("Pace").focus()
    page.keyboard.press("ArrowRight")  # chooses
    expect(stepper.get_by_label("Pace")).to_have_value("Move")
    stepper.get_by_text(re.compile(r"^Step 2 of 2$")).wait_for()

    page.locator(".jp-InputPrompt").nth(1).click()  # outside, in command mode
    page.keyboard.press("Escape")
    for key in ("ArrowRight", "ArrowLeft", "End", " ", "Home"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    expect(stepper.get_by_text(re.compile(r"^Step 2 of 2$"))).to_have_count(1)
    page.locator(".jp-InputPrompt").nth(2).click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(cells).to_have_count(4)
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(cells).to_have_count(3)
