"""The stepper in a real JupyterLab: buttons, slider, log, viewpoint, language, faults; it asks no other host."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

SOUND = 'stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=0, language="en")'
TEACHER = 'stepper = cardlab.step("poker_marshal", deals=1, seed=7, language="en")'
FAULTY = """
stepper = cardlab.step("suicide_king", players=3, seed=7, language="en")
stepper.desk.undo = stepper.desk.click = stepper.desk.peek = lambda *_: 1 / 0
stepper.buttons["step"].click()
stepper.buttons["step"].click()
"""
MEASURE = """box => {
  const room = box.getBoundingClientRect();
  return [...box.querySelectorAll(".name")].filter(name => !name.hidden).map(name => {
    const at = name.getBoundingClientRect();
    const tick = parseFloat(name.style.left) * room.width / 100;
    return [at.left - room.left, at.right - room.right, at.left, at.right, tick, name.textContent];
  });
}"""


def button(stepper: Locator, name: str) -> Locator:
    """One of the stepper's buttons."""
    return stepper.get_by_role("button", name=name, exact=True)


def at(stepper: Locator, step: int, last: int) -> None:
    """Waits until a step is shown, of so many, by the number and by the table: they are two widgets, and one comes first."""
    from playwright.sync_api import expect

    expect(stepper.get_by_text(re.compile(rf"^(Step {step} of|Шаг {step} из) {last}$"))).to_be_visible()
    expect(table(stepper)).to_have_attribute("data-step", str(step))


def table(stepper: Locator) -> Locator:
    """The picture of the table."""
    return stepper.locator("svg.cl-table")


def drawn(stepper: Locator) -> Any:
    """What the table shows: its texts and its cards."""
    return table(stepper).evaluate("svg => [svg.textContent, ...[...svg.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)]")


def test_it_answers_clicks(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = lab.opened(page, SOUND)
    at(stepper, 0, 0)
    expect(button(stepper, "Undo")).to_be_disabled()
    button(stepper, "Step").click()
    at(stepper, 1, 1)
    button(stepper, "Step").dblclick()
    at(stepper, 3, 3)
    button(stepper, "To my turn").click()
    expect(stepper.get_by_text("Your move (fight cards).")).to_be_visible()
    expect(table(stepper).get_by_role("img", name="card, face down")).to_have_count(8)  # two hands of others; the stock is a pile
    number = stepper.get_by_role("spinbutton", name="Go to step")
    here = int(number.input_value())
    stepper.get_by_label("Pace").select_option("Phase")  # or the others would play on
    table(stepper).locator("[data-say^=fight]").first.dblclick()
    at_least = stepper.locator(".row", has_text="lays")
    expect(at_least.first).to_be_attached()
    expect(stepper.locator(".row", has_text="Anna lays")).to_have_count(1)  # one move for two fast clicks
    number.fill("2")
    number.press("Enter")
    expect(stepper.get_by_text(re.compile(r"^Step 2 of \d+$"))).to_be_visible()
    assert here > 2
    stepper.get_by_label("Pace").select_option("Card")
    stepper.get_by_label("Speed").select_option("4×")
    button(stepper, "Play").click()
    expect(button(stepper, "Pause")).to_be_visible()
    expect(stepper.get_by_text(re.compile(r"^Step 2 of \d+$"))).to_have_count(0)
    button(stepper, "Pause").click()
    expect(button(stepper, "Play")).to_be_visible()
    paused = number.input_value()
    page.wait_for_timeout(400)
    assert number.input_value() == paused
    assert page.locator(".jp-OutputArea-output").count() == 1  # redrawn in place


def test_back_to_the_start_and_forth_again(page: Page, lab: Any) -> None:
    """Undo, redo, the slider by keyboard and by mouse, the ticks, the log, and a preview."""
    from playwright.sync_api import expect

    stepper = lab.opened(page, TEACHER + '\nstepper.buttons["finish"].click()\nstepper.slider.value = 12')
    last = int(stepper.get_by_text(re.compile(r"^Step 12 of \d+$")).inner_text().split()[-1])
    seen = {12: drawn(stepper)}
    for n in range(11, -1, -1):
        button(stepper, "Undo").click()
        at(stepper, n, last)
        seen[n] = drawn(stepper)
    expect(button(stepper, "Undo")).to_be_disabled()
    for n in range(1, 13):
        button(stepper, "Step").click()
        at(stepper, n, last)
        assert drawn(stepper) == seen[n]
    handle = stepper.get_by_role("slider")
    handle.press("ArrowLeft")
    at(stepper, 11, last)
    stepper.locator(".noUi-base").click(position={"x": 1, "y": 1})
    at(stepper, 0, last)
    tick = stepper.locator(".ticks .name", has_text="the Storekeeper's offers")
    expect(tick).to_be_visible()
    tick.click()
    expect(tick).to_have_class(re.compile(r"\bnow\b"))
    expect(table(stepper)).to_contain_text("the Storekeeper's offers")
    stepper.get_by_role("slider").press("End")
    at(stepper, last, last)
    end = drawn(stepper)
    expect(stepper.locator(f".go.now[data-say='go-{last}']").last).to_be_visible()  # or the log would still scroll away under the pointer
    row = stepper.locator("[data-peek='9'] .go")
    row.scroll_into_view_if_needed()
    for _ in range(20):  # until the log has come to rest: before, another row may come to lie under the pointer
        row.hover()
        expect(stepper.locator("svg.cl-table[data-peek]")).to_be_visible()
        page.wait_for_timeout(200)
        if table(stepper).get_attribute("data-peek") == "9":
            break
    expect(stepper.locator("svg.cl-table[data-peek='9']")).to_be_visible()
    assert drawn(stepper) == seen[9]
    expect(stepper.get_by_text(f"Step {last} of {last}", exact=True)).to_be_visible()  # the game has not moved
    button(stepper, "Restart").hover()
    expect(stepper.locator("svg.cl-table[data-peek]")).to_have_count(0)
    assert drawn(stepper) == end
    row.click()
    button(stepper, "Restart").hover()  # the log scrolls, and would else show the table of the row that comes to lie under the pointer
    at(stepper, 9, last)
    assert drawn(stepper) == seen[9]
    expect(stepper.locator(".row:has(.go.now)")).to_have_count(1)


def test_the_slider_ends_where_a_held_key_has_left_it(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = lab.opened(page, TEACHER + '\nstepper.buttons["finish"].click()')
    handle = stepper.get_by_role("slider")
    last = int(handle.get_attribute("aria-valuenow").split(".")[0])
    handle.focus()
    for _ in range(25):
        page.keyboard.press("ArrowLeft")
    at(stepper, last - 25, last)
    page.wait_for_timeout(500)
    at(stepper, last - 25, last)
    expect(handle).to_have_attribute("aria-valuenow", f"{last - 25}.0")
    expect(table(stepper)).to_have_attribute("data-step", str(last - 25))


def test_a_wide_and_a_narrow_view_of_one_stepper_come_to_rest(page: Page, lab: Any) -> None:
    """They share one drawing of the table; each would like another."""
    code = TEACHER + '\nimport ipywidgets\ndisplay(ipywidgets.VBox([stepper.box], layout=ipywidgets.Layout(width="420px")))'
    lab.opened(page, code)
    assert page.locator("svg.cl-table").count() == 2
    page.wait_for_timeout(500)
    count = """() => new Promise(resolve => {
      let drawn = 0;
      const watch = new MutationObserver(() => { drawn += 1; });
      for (const box of document.querySelectorAll(".cl-box")) watch.observe(box, { childList: true });
      setTimeout(() => resolve(drawn), 1500);
    })"""
    assert page.evaluate(count) == 0


def test_names_of_ticks_neither_touch_nor_stick_out(page: Page, lab: Any) -> None:
    stepper = lab.opened(page, 'stepper = cardlab.step("poker_marshal", deals=3, seed=7, language="ru")\nstepper.buttons["finish"].click()')
    for width in (1300, 800):
        page.set_viewport_size({"width": width, "height": 1400})
        page.wait_for_timeout(300)
        names = sorted(stepper.locator(".ticks").evaluate(MEASURE), key=lambda name: name[2])
        assert {"Сдача 1", "Сдача 2", "Сдача 3"} <= {name[5] for name in names}
        assert len(names) > 3
        for name in names:
            assert name[0] >= -9
            assert name[1] <= 9
        for one, other in pairwise(names):
            assert one[3] < other[2]
            assert other[4] - one[4] >= 56


def test_a_chip_opens_the_rule_book(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = lab.opened(page, TEACHER + '\nstepper.buttons["finish"].click()')
    book = stepper.get_by_role("region", name="Rule book")
    expect(book).to_be_hidden()
    chip = stepper.locator(".row .rule").last
    rule = chip.inner_text()
    chip.hover()
    expect(stepper.get_by_role("tooltip").filter(visible=True)).not_to_be_empty()
    for _ in range(2):
        chip.click()
        expect(book).to_be_visible()
        expect(book.locator("dt.now")).to_have_text(rule)
        expect(book.locator("dt.now")).to_be_in_viewport()
        button(stepper, "Rule book …").click()
        expect(book).to_be_hidden()


def test_language_and_viewpoint_keep_the_moment(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = lab.opened(page, TEACHER + '\nfor _ in range(40):\n    stepper.buttons["step"].click()')
    at(stepper, 40, 40)
    assert "card, face down" not in drawn(stepper)
    stepper.get_by_label("Language", exact=True).select_option("Русский")
    expect(button(stepper, "Шаг")).to_be_visible()
    expect(stepper.get_by_role("group", name="Маршал Покера")).to_be_visible()
    at(stepper, 40, 40)
    stepper.get_by_label("Чьими глазами").select_option("Борис")
    expect(table(stepper).get_by_role("img", name="рубашкой вверх").first).to_be_visible()
    at(stepper, 40, 40)
    stepper.get_by_label("Язык").select_option("English")
    expect(button(stepper, "Step")).to_be_visible()
    expect(stepper.get_by_role("group", name="Poker Marshal")).to_be_visible()
    at(stepper, 40, 40)
    assert drawn(stepper).count("card, face down") >= 15
    held = page.evaluate("() => document.querySelector('.cardlab-stepper').innerHTML")
    for element in ("svg.cl-table", ".cl-log .cl-box"):
        assert stepper.locator(element).count() == 1
    shown = set(re.findall(r'href="#[^"]*-([fs]-[2-9TJQKA][CDHS])"', re.sub(r"<symbol.*?</symbol>", "", held, flags=re.DOTALL)))
    assert 0 < len(shown) < 15  # what Boris knows, out of 54


def test_it_shows_a_fault_of_every_kind_of_callback(page: Page, lab: Any) -> None:
    from playwright.sync_api import expect

    stepper = lab.opened(page, FAULTY)
    alert = stepper.get_by_role("alert").filter(visible=True)
    button(stepper, "Undo").click()
    expect(alert).to_contain_text("ZeroDivisionError: division by zero")
    stepper.get_by_label("Pace").select_option("Move")
    expect(alert).to_have_count(0)
    stepper.locator(".row .go").first.hover()
    expect(alert).to_contain_text("ZeroDivisionError")
    button(stepper, "Step").click()
    expect(alert).to_have_count(0)
    table(stepper).locator("[data-say]").first.click()
    expect(alert).to_contain_text("ZeroDivisionError")
    stepper.get_by_label("Pace").select_option("Card")
    expect(alert).to_have_count(0)
    button(stepper, "Step").focus()
    page.keyboard.press("ArrowLeft")
    expect(alert).to_contain_text("ZeroDivisionError")
