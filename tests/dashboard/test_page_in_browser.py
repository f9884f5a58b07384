"""The served page in Chromium: stepping, choosing, going back, looking through other eyes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from page_tools import Served, Tab

from cardlab.core.events import Seat
from cardlab.desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]


def test_undo_restart_and_the_slider(tab: Open) -> None:
    here = tab("?seed=7")
    for step in range(1, 6):
        here.step(step)
    here.press("screen.undo")
    here.is_at(4, 5)
    slider = here.page.get_by_role("slider")
    slider.focus()
    slider.press("ArrowLeft")
    here.is_at(3, 5)
    slider.press("End")
    here.is_at(5)
    here.press("screen.restart")
    here.is_at(0, 5)
    assert here.button("screen.undo").is_disabled()
    here.press("screen.step")
    here.is_at(1, 5)


def test_a_row_of_the_log_leads_to_its_step(tab: Open) -> None:
    here = tab("?seed=7")
    for step in range(1, 6):
        here.step(step)
    here.page.locator("button.row", has_text="shuffles").click()
    here.is_at(2, 5)
    assert {step for step, _, _ in here.log} == {1, 2}


def test_the_newest_row_is_in_sight_and_a_rule_says_what_it_is(tab: Open) -> None:
    here = tab("?seed=7")
    here.choose("screen.pace", "Deal")
    here.press("screen.step")
    newest = here.page.locator("button.row.now").last
    newest.wait_for()
    inside = newest.evaluate(
        """row => { const box = row.closest(".box").getBoundingClientRect(), own = row.getBoundingClientRect();
        return own.top >= box.top - 1 && own.bottom <= box.bottom + 1; }"""
    )
    assert inside
    chip = newest.locator(".rule")
    chip.hover()
    assert chip.get_attribute("title") == here.words.text(f"rule.{chip.inner_text()}")


def test_another_language_does_not_lose_the_moment(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&seed=7")
    for step in range(1, 9):
        here.step(step)
    here.page.get_by_role("button", name="Русский").click()
    here.words = Desk(language="ru").words
    here.is_at(8)
    desk = Desk("fight_for_the_lead", seed=7, language="ru")
    for _ in range(8):
        desk.step()
    here.says(desk.next())
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
    assert here.page.evaluate("document.documentElement.lang") == "ru"
    english = here.page.evaluate(ALL_TEXT)
    for key in ("screen.restart", "screen.step", "screen.log", "screen.new", "screen.house", "screen.viewpoint", "screen.next"):
        assert Desk().words.text(key) not in english


ALL_TEXT = """() => { const said = []; const read = (node) => {
    if (node.nodeType === 3) said.push(node.textContent);
    if (["STYLE", "SCRIPT"].includes(node.tagName)) return;
    for (const child of (node.shadowRoot || node).childNodes) read(child);
  }; read(document.body); return said.join("\\n"); }"""


def test_another_viewpoint_shows_its_own_cards_and_no_seed(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&players=2&seed=987654321")
    desk = Desk("fight_for_the_lead", 2, seed=987654321)
    for step in range(1, 11):
        here.step(step)
        desk.step()
    assert "987654321" in here.page.evaluate(ALL_TEXT)
    here.page.get_by_role("button", name="Anna", exact=True).click()
    here.says("Seen by: Anna")
    desk.set_viewer(Seat(0))
    here.is_at(10)
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
    assert "987654321" not in here.page.evaluate(ALL_TEXT)
    assert "987654321" not in here.page.url
    seed = here.page.get_by_label("Seed")
    assert not seed.is_visible()
    assert seed.input_value() == ""
    back = here.words.text("scene.back")
    assert here.page.locator(f'svg [aria-label="{back}"]').count() >= 4


def test_play_and_pause(tab: Open) -> None:
    here = tab("?seed=7")
    here.choose("page.speed", "4×")
    here.press("screen.play")
    here.page.locator("button.row").nth(4).wait_for(timeout=20_000)
    here.press("screen.pause")
    here.button("screen.play").wait_for()
    here.page.wait_for_timeout(300)  # what was under way arrives
    stands = here.log
    here.page.wait_for_timeout(700)
    assert here.log == stands


def test_a_quick_second_click_makes_at_most_one_more_step(tab: Open) -> None:
    here = tab("?seed=7")
    here.button("screen.step").dblclick()
    here.is_at(2)
    here.page.wait_for_timeout(300)
    here.is_at(2)


def test_a_quick_second_click_on_a_move_is_not_the_next_players_move(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&players=2&seed=7")
    desk = Desk("fight_for_the_lead", 2, seed=7)
    while not desk.moves():
        here.step(desk.step().at)
    # both clicks leave the browser before the answer to the first can come back
    here.moves.first.evaluate("button => { button.click(); button.click(); }")
    here.is_at(desk.at + 1)
    here.page.wait_for_timeout(300)
    here.is_at(desk.at + 1)


def test_a_phone_gets_a_narrow_table_and_nothing_sticks_out(page: Any, served: Served) -> None:
    """The width is told while the page still loads: what it changes must not get lost."""
    page.set_viewport_size({"width": 390, "height": 844})
    here = Tab(page, served.url + "?game=poker_marshal&seed=7&language=ru", "ru")
    page.locator('svg[viewBox^="0 0 350 "]').wait_for()
    here.step(1)
    inside = """() => { const out = []; const look = (node) => {
        const edge = node.getBoundingClientRect?.().right ?? 0;
        if (edge > window.innerWidth + 1 && node.closest?.("svg") == null) out.push(`${node.tagName} ${node.className} ${edge}`);
        for (const child of (node.shadowRoot || node).children || []) look(child);
      }; look(document.body); return out; }"""
    assert page.evaluate(inside) == []


def test_dark_and_light(tab: Open) -> None:
    here = tab("?seed=7")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = here.page.evaluate(ground)
    here.press("page.dark")
    here.button("page.light").wait_for()
    here.page.wait_for_function(f"before => ({ground})() !== before", arg=light)
    here.step(1)
    here.press("page.light")
    here.button("page.dark").wait_for()
    here.page.wait_for_function(f"before => ({ground})() === before", arg=light)
    here.is_at(1)


def test_a_new_game_with_house_rules_and_a_seed(tab: Open) -> None:
    here = tab("?seed=7")
    here.choose("screen.game", "Fight for the Lead")
    here.page.get_by_label("Stake", exact=True).fill("8")
    here.choose("page.house.refusal", "losers must stay")
    here.choose("screen.players", "3")
    here.page.get_by_label("Seed").fill("41")
    here.press("screen.new")
    here.says("Fight for the Lead: 3 players · Stake: 8 · Leaving the game: losers must stay · seed 41")
    here.is_at(0)


def test_bad_input_is_refused_and_the_game_stays(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&seed=7")
    here.step(1)
    here.page.get_by_label("Seed").fill("seven")
    here.press("screen.new")
    alert = here.page.get_by_role("alert")
    here.says("seed cannot be 'seven'; it must be a whole number from 0 to 2⁶⁴ − 1.")
    here.is_at(1)
    here.page.get_by_label("Seed").fill("")
    here.page.get_by_label("Stake", exact=True).fill("5")
    here.press("screen.new")
    alert.get_by_text(re.compile(r"^stake: 5 is not allowed")).wait_for()
    here.is_at(1)
    here.step(2)
    alert.wait_for(state="hidden")


def test_a_bad_address_gives_the_usual_game_and_one_sentence(page: Any, served: Served) -> None:
    here = Tab(page, served.url + "?game=<i>bridge</i>&language=ru", "ru")
    here.says("Игры '<i>bridge</i>' нет; есть suicide_king, fight_for_the_lead, poker_marshal.")
    here.is_at(0)
    here.step(1)
    page.get_by_role("alert").wait_for(state="hidden")


def test_a_page_that_fails_is_noticed(page: Any, served: Served, monkeypatch: pytest.MonkeyPatch, faults: Any) -> None:
    """Panel answers 200 for an application that raised: what the other tests wait for must then be missing."""

    def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(sys.modules["cardlab.dashboard.app"], "Screen", broken)
    answer = page.request.get(served.url)
    assert answer.status == 200
    page.goto(served.url)
    with pytest.raises(Exception, match="Timeout"):
        Tab.opened(page, 2_000)
    assert any("planted" in said for said in faults.seen)
    faults.seen.clear()
    monkeypatch.delenv("PYTEST_VERSION")
    page.goto(served.url)
    page.get_by_role("alert").get_by_text("RuntimeError: planted").wait_for()
    faults.seen.clear()


def test_a_fault_in_a_callback_stands_on_the_page(chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch, faults: Any) -> None:
    page = chromium.new_page()  # unwatched: the console may complain here
    here = Tab(page, served.url + "?seed=7")
    here.step(1)

    def broken(desk: Desk) -> None:
        raise RuntimeError("planted")

    with monkeypatch.context() as patched:
        patched.setattr(Desk, "step", broken)
        here.press("screen.step")
        here.says("RuntimeError: planted")
    assert any("planted" in said for said in faults.seen)
    faults.seen.clear()
    here.step(2)
    page.get_by_role("alert").wait_for(state="hidden")
    page.close()
