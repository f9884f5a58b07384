"""The page of a game in Chromium: stepping, choosing, going back, previewing, looking through other eyes."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from page_tools import TABLE, Served, Tab

from cardlab.chance import ask
from cardlab.core.events import TEACHER, Seat
from cardlab.desk import Desk, counting, questions
from cardlab.desk.links import desk_of
from cardlab.desk.ticks import ticks
from cardlab.view.answers import rows

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]
KING = "?game=suicide_king&seed=7"

ALL_TEXT = """() => { const said = []; const read = (node) => {
    if (node.nodeType === 3) said.push(node.textContent);
    if (["STYLE", "SCRIPT"].includes(node.tagName)) return;
    for (const child of (node.shadowRoot || node).childNodes) read(child);
  }; read(document.body); return said.join("\\n"); }"""


def test_undo_restart_and_the_slider(tab: Open) -> None:
    here = tab(KING)
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
    assert here.button("screen.undo").get_attribute("aria-disabled") == "true"
    here.press("screen.step")
    here.is_at(1, 5)


def test_a_button_that_does_nothing_says_why_when_pointed_at_and_focused(tab: Open) -> None:
    here = tab(KING)
    undo, why = here.button("screen.undo"), here.page.get_by_role("tooltip").filter(visible=True)
    undo.hover()
    why.get_by_text(here.words.text("page.why.start")).wait_for()
    here.page.mouse.move(5, 5)
    why.wait_for(state="hidden")
    undo.focus()
    why.get_by_text(here.words.text("page.why.start")).wait_for()
    undo.click(force=True)
    here.is_at(0)


def test_a_row_of_the_log_leads_to_its_step(tab: Open) -> None:
    here = tab(KING)
    for step in range(1, 6):
        here.step(step)
    here.page.locator(".log .row .go", has_text="shuffles").click()
    here.is_at(2, 5)
    assert {step for step, _, _ in here.log} == {1, 2}


def test_pointing_at_a_row_previews_its_moment_and_leaving_it_goes_back(tab: Open) -> None:
    here = tab(KING)
    for step in range(1, 9):
        here.step(step)
    now = here.table
    here.page.locator(".log .row", has_text="shuffles").hover()
    here.page.locator(f'{TABLE}[data-peek="2"]').wait_for()
    assert here.table != now
    assert here.page.locator(TABLE).evaluate("table => getComputedStyle(table).outlineStyle") == "dashed"
    here.is_at(8)
    here.page.mouse.move(5, 5)
    here.page.locator(f"{TABLE}:not([data-peek])").wait_for()
    assert here.table == now
    here.page.locator(".log .row .go", has_text="shuffles").focus()
    here.page.locator(f'{TABLE}[data-peek="2"]').wait_for()


def test_the_newest_row_is_in_sight_and_a_rule_says_what_it_is(tab: Open) -> None:
    here = tab(KING)
    here.page.get_by_role("button", name="Deal", exact=True).click()
    here.press("screen.step")
    newest = here.page.locator(".log .row").last
    newest.wait_for()
    inside = newest.evaluate(
        """row => { const box = row.closest(".cl-box").getBoundingClientRect(), own = row.getBoundingClientRect();
        return own.top >= box.top - 1 && own.bottom <= box.bottom + 1; }"""
    )
    assert inside
    chip = newest.locator(".rule")
    chip.hover()
    bubble = here.page.get_by_role("tooltip").filter(visible=True)
    assert bubble.inner_text() == here.words.text(f"rule.{chip.inner_text()}")


def test_a_chip_opens_the_rule_book_at_its_rule(tab: Open) -> None:
    here = tab(KING)
    here.page.get_by_role("button", name="Deal", exact=True).click()
    here.press("screen.step")
    chip = here.page.locator(".log .row .rule", has_text="SK-9").last
    chip.click()
    entry = here.page.locator(".side dt.now")
    entry.wait_for()
    assert entry.inner_text() == "SK-9"
    here.page.wait_for_function(
        """() => { const find = (node) => node.matches?.("dt.now") ? node : [...(node.shadowRoot || node).children].map(find).find(Boolean);
        const entry = find(document.body), box = entry.closest(".cl-box").getBoundingClientRect(), own = entry.getBoundingClientRect();
        return own.top >= box.top && own.bottom <= box.bottom; }"""
    )
    here.page.get_by_role("tab", name=here.words.text("page.tab.odds")).click()
    entry.wait_for(state="hidden")
    here.press("screen.rules")
    entry.wait_for()


def test_a_question_about_the_moment_is_answered_and_goes_along(tab: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exact answer is there at once; one that takes time comes after the table, and belongs to the moment at which one stands."""
    from playwright.sync_api import expect

    for room in (counting, questions):
        monkeypatch.setattr(room, "MOST", 1_600)
    desk = Desk("fight_for_the_lead", 3, seed=7, language="ru")
    ask(desk.session.view(TEACHER), "no_trick", n=16)  # compiled before anybody waits for it
    here = tab("?game=suicide_king&players=4&seed=7")
    question, bars = (
        here.page.locator(".side [data-say='question last_player']"),
        here.page.locator(".side .basis ~ .odds:not(.below-answer ~ .odds)"),
    )
    assert question.get_attribute("aria-expanded") == "true"
    assert [bar.split("\n")[1] for bar in bars.all_inner_texts()] == ["1/4 = 25.0\u00a0%"] * 4
    question.click()
    bars.first.wait_for(state="detached")
    here = tab("?game=fight_for_the_lead&players=3&seed=7&language=ru", language="ru")
    for step in range(1, 4):
        here.step(step)
    simulated = here.page.locator(".side .basis ~ .odds:not(.below-answer ~ .odds) .tag.sim")
    simulated.first.wait_for()
    assert simulated.count() == 3
    said = bars.all_inner_texts()
    here.step(4)
    simulated.first.wait_for()
    desk = Desk("fight_for_the_lead", players=3, seed=7, language="ru")
    for _ in range(4):
        desk.step()
    answer = ask(desk.session.view(TEACHER), "no_trick", n=counting.MOST)
    expected = [(row.outcome, row.shown, f"± {row.width}") for row in rows(desk.game, answer, desk.words)]
    expect(bars).to_have_text(
        [re.compile(".*".join(re.escape(part).replace("\\ ", r"\s") for part in row)) for row in expected], timeout=20_000
    )
    assert said != expected


def test_another_language_does_not_lose_the_moment(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&seed=7")
    for step in range(1, 9):
        here.step(step)
    here.page.get_by_role("button", name="RU", exact=True).click()
    here.words = Desk(language="ru").words
    here.is_at(8)
    desk = Desk("fight_for_the_lead", seed=7, language="ru")
    for _ in range(8):
        desk.step()
    here.says(desk.next())
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
    assert here.page.evaluate("document.documentElement.lang") == "ru"
    assert "language=ru" in here.page.url
    assert here.page.get_by_role("combobox", name="Игра").first.input_value() == "Бой за лидерство"
    for chosen in ("Учитель", here.words.text("screen.pace.card"), "1×"):
        assert here.page.get_by_role("button", name=chosen, exact=True).get_attribute("aria-pressed") == "true"
    english = here.page.evaluate(ALL_TEXT)
    for key in ("screen.restart", "screen.step", "screen.log", "page.new", "screen.viewpoint", "page.tab.odds", "screen.pace.deal"):
        assert Desk().words.text(key) not in english


def test_another_viewpoint_shows_its_own_cards_and_no_seed(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&players=2&seed=987654321")
    assert "987654321" in here.page.url
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
    shared = kept(here)
    assert (shared.viewer, shared.session.seed) == (Seat(0), None)
    back = here.words.text("scene.back")
    assert here.page.locator(f'{TABLE} [aria-label="{back}"]').count() >= 4


def kept(here: Tab) -> Desk:
    """The desk to which the address leads, as soon as it is that of the moment."""
    here.page.wait_for_function("() => location.search.includes('link=')")
    here.page.wait_for_timeout(1_500)
    (link,) = parse_qs(urlsplit(here.page.url).query)["link"]
    return desk_of(link)


def test_a_reload_leads_back_to_the_same_moment(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&players=3&stake=8&theme=dark&language=ru", "ru")
    for step in range(1, 5):
        here.step(step)
    here.press("screen.undo")
    here.is_at(3, 4)
    told, shared = here.log, kept(here)
    here.page.reload()
    here.opened(here.page)
    here.is_at(3, 4)
    assert here.log == told
    here.step(4)
    shared.step()
    assert here.log == [(row.step, row.text, row.rule) for row in shared.log()]
    assert "theme=dark" in here.page.url


def test_play_and_pause(tab: Open) -> None:
    here = tab(KING)
    here.page.get_by_role("button", name="4×").click()
    here.press("screen.play")
    here.page.locator(".log .row").nth(4).wait_for(timeout=20_000)
    here.press("screen.pause")
    here.button("screen.play").wait_for()
    here.page.wait_for_timeout(300)  # what was under way arrives
    stands = here.log
    here.page.wait_for_timeout(700)
    assert here.log == stands


def test_play_runs_to_the_end_and_stops(tab: Open) -> None:
    here = tab(KING)
    here.page.keyboard.press("End")
    desk = Desk("suicide_king", seed=7)
    last = len(desk.finish())
    here.is_at(last)
    for back in (1, 2, 3):
        here.press("screen.undo")
        here.is_at(last - back, last)
    here.page.get_by_role("button", name="4×").click()
    here.press("screen.play")
    here.is_at(last)
    button = here.button("screen.play")  # it says Play again, and why it does nothing
    button.wait_for()
    assert button.get_attribute("aria-disabled") == "true"
    assert button.get_attribute("data-why") == here.words.text("page.why.over")


def test_quick_clicks_on_step_make_no_more_steps_than_clicks(tab: Open) -> None:
    here = tab(KING)
    here.button("screen.step").dblclick()
    here.page.locator(".log .row").first.wait_for()
    here.page.wait_for_timeout(300)
    at = max(step for step, _, _ in here.log)
    assert at in (1, 2)
    here.page.locator("button.step").evaluate("step => { for (let n = 0; n < 10; n += 1) step.click(); }")
    here.page.keyboard.press("?")  # which is answered after all that
    here.page.get_by_role("dialog").wait_for()
    here.page.keyboard.press("Escape")
    here.page.get_by_role("dialog").wait_for(state="detached")
    assert at < max(step for step, _, _ in here.log) <= at + 10
    desk = Desk("suicide_king", seed=7)
    while desk.at < max(step for step, _, _ in here.log):
        desk.step()
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
    here.is_at(desk.at)


def test_a_quick_second_click_on_a_card_is_not_the_next_players_move(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&players=2&seed=7")
    desk = Desk("fight_for_the_lead", 2, seed=7)
    while desk.offer() is None:
        here.step(desk.step().at)
    card = here.offered[0]
    desk.click(card)
    # both clicks leave the browser before the answer to the first can come back
    here.page.locator(f'.table [data-say="{card}"]').evaluate(
        "card => { for (const _ of [1, 2]) card.dispatchEvent(new MouseEvent('click', { bubbles: true })); }"
    )
    here.is_at(desk.at)
    here.page.wait_for_timeout(300)
    here.is_at(desk.at)


def test_a_seat_plays_and_the_others_do_the_rest(tab: Open) -> None:
    here = tab("?game=suicide_king&players=3&seed=7")
    here.page.get_by_role("button", name="4×").click()
    here.page.get_by_role("button", name="Anna", exact=True).click()
    here.press("stepper.mine")
    for _ in range(3):
        pile = here.page.locator('.table [data-say^="take"]').first
        pile.wait_for(timeout=20_000)
        rows = len(here.log)
        pile.click()
        here.page.wait_for_function(f"() => ({ROWS})() > {rows}", timeout=20_000)
    here.page.locator('.table [data-say^="take"]').first.wait_for(timeout=20_000)
    assert here.button("screen.play").is_visible()


ROWS = """() => { let rows = 0; const count = (node) => { if (node.matches?.(".row")) rows += 1;
    for (const child of (node.shadowRoot || node).children) count(child); }; count(document.body); return rows; }"""


def test_the_slider_draws_the_last_place_alone(tab: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred places asked for within the time of a few answers: some are drawn, and the last of them is."""
    here = tab(KING)
    here.page.get_by_role("button", name="Deal", exact=True).click()
    here.press("screen.step")
    here.page.locator(".log .row").nth(20).wait_for()
    drawn: list[int] = []
    honest = Desk.goto

    def goto(desk: Desk, n: int) -> Desk:
        drawn.append(n)
        return honest(desk, n)

    monkeypatch.setattr(Desk, "goto", goto)
    here.page.get_by_role("slider").evaluate(
        """slider => { for (let n = 0; n < 100; n += 1) { slider.value = n % 30; slider.dispatchEvent(new Event("input")); } }"""
    )
    here.page.wait_for_timeout(1_500)
    assert drawn[-1] == 99 % 30
    assert len(drawn) <= 3
    assert int(here.page.get_by_role("slider").input_value()) == 99 % 30
    assert max(step for step, _, _ in here.log) == 99 % 30


def test_the_names_below_the_slider_stand_apart_and_lead_to_their_steps(tab: Open) -> None:
    here = tab(KING)
    here.page.keyboard.press("End")
    desk = Desk("suicide_king", seed=7).finish()
    here.is_at(desk.at)
    names = here.page.locator(".ticks .name").filter(visible=True)
    shown = names.all_inner_texts()
    assert 2 < len(shown) < len(desk.ticks())
    places = sorted((box["x"], box["x"] + box["width"]) for name in names.all() if (box := name.bounding_box()))
    assert all(right < left for (_, right), (left, _) in itertools.pairwise(places))
    slider = here.page.get_by_role("slider").bounding_box()
    assert slider is not None
    assert slider["x"] <= places[0][0]
    assert places[-1][1] <= slider["x"] + slider["width"]
    for tick in ticks(desk):
        name = here.page.locator(f'.ticks .name[data-say="go-{tick.step}"]').filter(visible=True)
        if name.count():
            assert name.inner_text() == tick.name
            name.click()
            here.is_at(tick.step, desk.at)
            here.page.locator(f'.ticks .name.now[data-say="go-{tick.step}"]').wait_for()
    here.press("screen.restart")
    for tick in ticks(desk)[1:3]:  # so close together that only the name of the moment has room
        here.page.keyboard.press("ArrowRight")
        here.is_at(tick.step, desk.at)
        here.page.locator(f'.ticks .name.now[data-say="go-{tick.step}"]').wait_for()
        assert here.page.locator(".ticks .name.now").count() == 1


def test_a_held_key_on_the_slider_ends_where_it_was_left(tab: Open) -> None:
    here = tab(KING)
    here.page.get_by_role("button", name="Deal", exact=True).click()
    here.press("screen.step")
    here.page.locator(".log .row").nth(20).wait_for()
    slider = here.page.get_by_role("slider")
    slider.press("Home")
    for _ in range(25):
        here.page.keyboard.down("ArrowRight")
    here.page.keyboard.up("ArrowRight")
    here.page.wait_for_timeout(800)
    assert (slider.input_value(), max(step for step, _, _ in here.log)) == ("25", 25)


def test_the_keys_press_the_buttons_anywhere_but_in_a_field(tab: Open) -> None:
    here = tab(KING)
    press = here.page.keyboard.press
    for step in (1, 2, 3):
        press("ArrowRight")
        here.is_at(step)
    press("ArrowLeft")
    here.is_at(2, 3)
    press("Home")
    here.is_at(0, 3)
    press("Space")
    here.button("screen.pause").wait_for()
    press("Space")
    here.button("screen.play").wait_for()
    press("?")
    listed = here.page.get_by_role("dialog")
    listed.get_by_text(here.words.text("page.key.space")).wait_for()
    press("Escape")
    listed.wait_for(state="hidden")
    here.set_up()
    here.page.get_by_label("Seed").press("ArrowRight")
    here.page.get_by_label("Seed").press("Home")
    here.page.keyboard.press("Escape")
    here.page.get_by_role("dialog").wait_for(state="hidden")
    assert here.log == []


@pytest.mark.parametrize("width", [1440, 1280, 900, 390])
@pytest.mark.parametrize("query", ["", KING + "&language=ru", "?game=poker_marshal&seed=7&theme=dark"])
def test_nothing_sticks_out(page: Any, served: Served, width: int, query: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(served.url + query)
    page.locator(f"article, {TABLE}").first.wait_for()
    if width == 390 and query:
        page.locator(f'{TABLE}[viewBox^="0 0 366 "]').wait_for()  # the width is told while the page loads: it must not get lost
    if query:
        page.locator("button.step").click()
        page.locator(".log .row").first.wait_for(state="attached")
    if query and width >= 1280:  # a seat has a button more
        page.get_by_role("button", name="Борис" if "ru" in query else "Boris", exact=True).click()
        page.locator("button.mine").wait_for()
    inside = """() => { const out = []; const look = (node) => {
        const edge = node.getBoundingClientRect?.().right ?? 0;
        if (edge > window.innerWidth + 1 && node.closest?.("svg") == null) out.push(`${node.tagName} ${node.className} ${edge}`);
        for (const child of (node.shadowRoot || node).children || []) look(child);
      }; look(document.body); return out; }"""
    assert page.evaluate(inside) == []


def test_a_wide_page_fits_without_scrolling(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    here = Tab(page, served.url + "?game=poker_marshal&seed=7")
    here.page.get_by_role("button", name="Deal", exact=True).click()
    here.press("screen.step")
    here.page.locator(".log .row").nth(40).wait_for()
    scrolls = """() => { const found = []; const look = (node) => {
        const scrolled = node.scrollHeight > node.clientHeight + 1 && getComputedStyle(node).overflowY === "auto";
        if (scrolled) found.push(node.className);
        for (const child of (node.shadowRoot || node).children || []) look(child);
      }; look(document.body); return [...new Set(found)]; }"""
    assert set(page.evaluate(scrolls)) <= {"cl-box"}
    bottom = page.locator(".transport").bounding_box()
    assert bottom is not None
    assert bottom["y"] + bottom["height"] <= 900


@pytest.mark.parametrize(("width", "columns"), [(1440, 3), (1000, 2), (390, 1)])
def test_what_stands_beside_what(page: Any, served: Served, width: int, columns: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    here = Tab(page, served.url + KING)
    here.step(1) if columns > 1 else here.press("screen.step")
    seen = {name: page.locator(f".{name}").first.bounding_box() for name in ("log", "table", "side", "recent", "transport")}
    assert (seen["log"] is not None) == (columns == 3)
    assert (seen["recent"] is not None) == (columns == 1)
    assert page.get_by_role("tab").filter(visible=True).count() == (2 if columns == 3 else 3)
    beside = abs(seen["table"]["y"] - seen["side"]["y"]) < 2
    assert beside == (columns > 1)
    if columns < 3:
        page.get_by_role("tab", name="Log").click()
        page.locator(".log .row").first.wait_for()
        page.get_by_role("tab", name="Odds").click()
        page.locator(".log .row").first.wait_for(state="hidden")


def test_the_menu_of_a_phone_holds_the_tools_and_the_rule_book_comes_into_sight(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    here = Tab(page, served.url + KING)
    assert not here.button("screen.rules").is_visible()
    here.press("page.menu")
    here.button("page.new").wait_for()
    here.choose("screen.pace", "Deal")
    here.press("screen.rules")
    here.button("screen.rules").wait_for(state="hidden")
    first = page.locator(".side dt").first
    first.wait_for()
    page.wait_for_timeout(500)
    box = first.bounding_box()
    assert box is not None
    assert 56 < box["y"] < 500
    page.get_by_role("combobox", name="Seen by").filter(visible=True).select_option("Anna")
    here.button("stepper.mine").wait_for()


def test_dark_and_light(tab: Open) -> None:
    here = tab(KING)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = here.page.evaluate(ground)
    here.press("page.dark")
    here.button("page.light").wait_for()
    here.page.wait_for_function(f"before => ({ground})() !== before", arg=light)
    assert "theme=dark" in here.page.url
    here.step(1)
    here.press("page.light")
    here.button("page.dark").wait_for()
    here.page.wait_for_function(f"before => ({ground})() === before", arg=light)
    here.is_at(1)


def test_a_new_game_with_house_rules_and_a_seed(tab: Open) -> None:
    here = tab(KING)
    here.set_up()
    form = here.page.get_by_role("dialog")
    form.get_by_role("combobox", name="Game").select_option("Fight for the Lead")
    form.get_by_label("Stake", exact=True).fill("8")
    here.choose("page.house.refusal", "losers must stay")
    here.choose("screen.players", "3")
    form.get_by_label("Seed").fill("41")
    here.press("screen.new")
    form.wait_for(state="hidden")
    here.says("3 players · seed 41 · Stake: 8 · Leaving the game: losers must stay")
    here.is_at(0)


def test_another_game_from_the_bar(tab: Open) -> None:
    here = tab(KING)
    here.step(1)
    here.choose("screen.game", "Poker Marshal")
    here.says("5 players", whole=False)
    here.is_at(0)
    assert "game=poker_marshal" in here.page.url


def test_bad_input_is_refused_and_the_game_stays(tab: Open) -> None:
    here = tab("?game=fight_for_the_lead&seed=7")
    here.step(1)
    here.set_up()
    here.page.get_by_label("Seed").fill("seven")
    here.press("screen.new")
    alert = here.page.get_by_role("dialog").get_by_role("alert")
    alert.get_by_text("seed cannot be 'seven'; it must be a whole number from 0 to 2⁶⁴ − 1.").wait_for()
    here.page.get_by_label("Seed").fill("")
    here.page.get_by_label("Stake", exact=True).fill("5")
    here.press("screen.new")
    alert.get_by_text(re.compile(r"^stake: 5 is not allowed")).wait_for()
    here.press("page.cancel")
    here.page.get_by_role("dialog").wait_for(state="hidden")
    here.is_at(1)
    here.step(2)


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
    answer = page.request.get(served.url + KING)
    assert answer.status == 200
    page.goto(served.url + KING)
    with pytest.raises(Exception, match="Timeout"):
        Tab.opened(page, 2_000)
    assert any("planted" in said for said in faults.seen)
    faults.seen.clear()
    monkeypatch.delenv("PYTEST_VERSION")
    page.goto(served.url + KING)
    page.get_by_role("alert").get_by_text("RuntimeError: planted").wait_for()
    faults.seen.clear()


def test_a_fault_in_a_callback_stands_on_the_page(chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch, faults: Any) -> None:
    page = chromium.new_page()  # unwatched: the console may complain here
    here = Tab(page, served.url + KING)
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
