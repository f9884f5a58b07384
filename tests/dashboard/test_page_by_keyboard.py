"""Whole games by keyboard alone, and what a screen reader was told meanwhile: the sentences of the log, each once, in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from page_tools import PATIENCE, Tab
from test_page_whole_deals import said

from cardlab.desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]
GAMES = [
    ("suicide_king", {"players": 2}, "en"),
    ("fight_for_the_lead", {"players": 3, "deals": 1}, "ru"),
    ("poker_marshal", {"deals": 1}, "en"),
]

# the page as somebody without a mouse and without sight has it
TOOLS = """() => {
  const deep = (node) => [...(node.shadowRoot || node).children].flatMap((child) => [child, ...deep(child)]);
  const all = (selector) => deep(document.body).filter((node) => node.matches(selector));
  window.active = (root = document) =>
    root.activeElement?.shadowRoot?.activeElement ? active(root.activeElement.shadowRoot) : root.activeElement;
  const pane = () => all("svg.cl-table")[0].closest(".cl-box");
  const stops = () => [...pane().querySelectorAll("[tabindex='0'], button, input, select")];
  window.stops = () => ({ says: stops().map((stop) => stop.dataset.say || ""), at: stops().indexOf(active()) });
  window.ring = () => {
    const at = active(), drawn = at.querySelector?.(":scope > .lift .ring") || at.querySelector?.(".ring");
    if (drawn) return getComputedStyle(drawn).display !== "none" && drawn.getBoundingClientRect().width > 0;
    const style = getComputedStyle(at.closest?.(".MuiOutlinedInput-root, .file") || at);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  };
  window.regions = all("[aria-live]");
  window.told = [];
  for (const region of regions) {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) told.push([node.lang, node.textContent]);
    }).observe(region, { childList: true });
  }
}"""


class Keys:
    """A tab that is worked by keyboard alone."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.page = tab, tab.page
        self.page.evaluate(TOOLS)
        assert self.page.evaluate("regions.map(region => [region.ariaLive, region.role, region.textContent])") == [["polite", "log", ""]]

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def has_focus(self) -> None:
        """Something has the focus, and shows it."""
        assert self.page.evaluate("active() !== document.body"), "the focus is lost"
        assert self.page.evaluate("ring()"), self.page.evaluate("active().outerHTML.slice(0, 300)")

    def tab_to(self, name: str, role: str = "") -> None:
        """Tab until something of this name has the focus, each stop on the way showing that it has it."""
        for _ in range(60):
            self.press("Tab")
            if self.page.evaluate("active() === document.body"):
                continue  # past the last stop it is the browser's
            self.has_focus()
            named = self.page.evaluate("(active().ariaLabel || active().textContent).trim()")
            if re.match(name, named):
                return
        raise AssertionError(f"{name} is not to be tabbed to")

    def to_the_table(self) -> None:
        """By the link before everything."""
        self.press("Tab")
        self.has_focus()
        assert self.page.evaluate("active().textContent") == self.tab.words.text("page.to_table")
        self.press("Enter")
        self.page.wait_for_function("stops().at === -1 && active().matches('.cl-box')", timeout=PATIENCE)

    def go_to(self, told: str) -> None:
        """The focus on what says this."""
        self.page.wait_for_function("told => stops().says.includes(told)", arg=told, timeout=PATIENCE)
        stops = self.page.evaluate("stops()")
        way = stops["says"].index(told) - stops["at"]
        for _ in range(abs(way)):
            self.press("Tab" if way > 0 else "Shift+Tab")
        assert self.page.evaluate("stops().says[stops().at]") == told
        self.has_focus()

    def heard(self, sentences: list[tuple[str, str]]) -> None:
        """What the live region said, when all of it has come."""
        self.page.wait_for_function("n => told.length >= n", arg=len(sentences), timeout=PATIENCE)
        assert [tuple(each) for each in self.page.evaluate("told")] == sentences


@pytest.mark.parametrize(("name", "house", "language"), GAMES, ids=[name for name, *_ in GAMES])
def test_a_whole_game_by_keyboard_is_told_once(tab: Open, name: str, house: dict[str, Any], language: str) -> None:
    asked = "".join(f"&{key}={value}" for key, value in house.items())
    keys = Keys(tab(f"?game={name}&seed=7&language={language}{asked}", language))
    desk = Desk(name, seed=7, language=language, **house)
    keys.to_the_table()
    moves = 0
    while not desk.over:
        if desk.offer() is None:
            keys.press("ArrowRight")
            keys.tab.is_at(desk.step().at)
        else:
            offered = [told for told in keys.page.evaluate("stops().says") if told in said(desk)]
            choice = offered[-1 if moves % 3 == 2 else 0]  # so that cards are chosen, moves made and exchanges passed over
            keys.go_to(choice)
            keys.press("Enter")
            before = said(desk)
            desk.click(choice)
            moves += 1
            keys.tab.is_at(desk.at)
            if desk.offer() is not None and said(desk) != before:
                keys.page.wait_for_function(
                    "expected => expected.every(told => stops().says.includes(told))", arg=sorted(said(desk)), timeout=PATIENCE
                )
        assert keys.page.evaluate("active() !== document.body"), desk.at
    assert moves > 5
    keys.heard([(language, row.text) for row in desk.log()])


def test_a_game_from_a_seat_by_keyboard(tab: Open) -> None:
    """The viewpoint and the speed are chosen by keyboard, too; the others answer by themselves."""
    keys = Keys(tab("?game=fight_for_the_lead&players=2&deals=1&seed=7"))
    words = keys.tab.words
    keys.tab_to("(Spectator|Anna|Boris|Teacher)$")
    keys.press("Home")
    keys.press("ArrowRight")
    keys.press("Enter")
    keys.tab.says("Seen by: Anna")
    keys.tab_to("(½×|1×|2×|4×)$")
    keys.press("End")
    keys.press("Enter")
    keys.page.get_by_role("button", name="4×", pressed=True).wait_for(timeout=PATIENCE)
    keys.tab_to(words.text("page.to_table") + "$")
    keys.press("Enter")
    moves = 0
    over = words.text("page.why.over")
    for _ in range(300):
        state = keys.page.evaluate("stops().says.filter(Boolean)[0] || ''")
        if state:
            keys.go_to(state if not state.startswith("choose") else [*keys.page.evaluate("stops().says.filter(Boolean)")][-1])
            rows = keys.page.evaluate("told.length")
            keys.press("Enter")
            keys.page.wait_for_function("n => told.length > n", arg=rows, timeout=PATIENCE)
            moves += 1
        elif keys.page.locator("button.step").get_attribute("data-why") == over:
            break
        elif keys.page.locator("button.play").inner_text() == words.text("screen.pause"):
            keys.page.wait_for_timeout(100)
        else:
            keys.press("ArrowRight")
            keys.page.wait_for_timeout(100)
        assert keys.page.evaluate("active() !== document.body")
    assert moves > 3
    keys.heard([("en", text) for _, text, _ in keys.tab.log])


def test_going_back_looking_and_another_language_say_nothing_twice(tab: Open) -> None:
    keys = Keys(tab("?game=poker_marshal&seed=7"))
    desk = Desk("poker_marshal", seed=7)
    for _ in range(6):
        keys.press("ArrowRight")
        keys.tab.is_at(desk.step().at)
    expected = [("en", row.text) for row in desk.log()]
    keys.page.locator(".log .row", has_text="Chloe draws").hover()
    keys.page.locator("svg.cl-table[data-peek]").wait_for()
    keys.page.mouse.move(5, 5)
    keys.page.locator("svg.cl-table:not([data-peek])").wait_for()
    keys.heard(expected)
    keys.press("ArrowLeft")
    keys.tab.is_at(5, 6)
    phase = desk.words.text(f"phase.poker_marshal.{desk.game.phase(desk.undo().session.state)}")
    expected.append(("en", desk.words.text("page.at", at=5, last=6, phase=phase)))
    keys.heard(expected)
    keys.page.get_by_role("button", name="RU", exact=True).click()
    keys.tab.words = Desk(language="ru").words
    keys.tab.is_at(5, 6)
    assert keys.page.evaluate("regions[0].textContent") == ""
    desk.set_language("ru")
    for step in (6, 7):
        keys.tab.press("screen.step")
        keys.tab.is_at(step, max(6, step))
        desk.step()
    phase = desk.words.text(f"phase.poker_marshal.{desk.game.phase(desk.session.line[6].state)}")
    expected.append(("ru", desk.words.text("page.at", at=6, last=6, phase=phase)))
    expected += [("ru", row.text) for row in desk.log() if row.step == 7]
    keys.heard(expected)


@pytest.mark.parametrize("opener", ["keys", "page.new", "page.share"])
def test_a_dialog_keeps_the_focus_and_gives_it_back(tab: Open, opener: str) -> None:
    keys = Keys(tab("?game=suicide_king&players=2&seed=7"))
    if opener == "keys":
        keys.tab_to(re.escape(keys.tab.words.text("page.new")))
        keys.press("?")
    else:
        keys.tab_to(re.escape(keys.tab.words.text(opener)))
        keys.press("Enter")
    home = keys.page.evaluate("active().textContent")
    dialog = keys.page.get_by_role("dialog")
    dialog.wait_for(timeout=PATIENCE)
    keys.page.wait_for_timeout(300)  # until Material has put the focus there
    seen = []
    for _ in range(20):
        keys.press("Tab")
        keys.has_focus()
        seen.append(keys.page.evaluate("[active().localName, active().ariaLabel || active().textContent].join(' ')"))
        assert keys.page.evaluate(WITHIN), seen
    assert seen.count(seen[0]) > 1 or opener == "page.new"  # once round and more
    keys.press("Shift+Tab")
    assert keys.page.evaluate(WITHIN)
    keys.press("Escape")
    dialog.wait_for(state="hidden", timeout=PATIENCE)
    keys.page.wait_for_function("home => active().textContent === home", arg=home, timeout=PATIENCE)
    keys.has_focus()


WITHIN = """() => { for (let at = active(); at; at = at.assignedSlot || at.parentNode || at.host) if (at.role === "dialog") return true;
  return false; }"""


def test_choices_and_tabs_are_worked_by_keyboard(tab: Open) -> None:
    keys = Keys(tab("?game=suicide_king&seed=7"))
    keys.tab_to("Odds$")
    keys.press("ArrowRight")
    keys.page.get_by_role("tab", name="Rules", selected=True).wait_for(timeout=PATIENCE)
    keys.has_focus()
    assert keys.page.evaluate("active().textContent") == "Rules"
    keys.page.get_by_role("region", name="Rule book").wait_for()
    keys.press("Home")
    keys.page.get_by_role("tab", name="Odds", selected=True).wait_for(timeout=PATIENCE)
    keys.tab.is_at(0)
    keys.page.evaluate("active().blur()")
    keys.tab_to("Suicide King")
    keys.press("ArrowDown")
    keys.tab.says("Fight for the Lead · deal 1", whole=False)
    keys.has_focus()


def test_a_focus_that_is_lost_is_noticed(tab: Open) -> None:
    keys = Keys(tab("?game=suicide_king&players=2&seed=7"))
    keys.to_the_table()
    keys.press("ArrowRight")
    keys.tab.is_at(1)
    keys.page.evaluate("active().blur()")
    with pytest.raises(AssertionError, match="the focus is lost"):
        keys.has_focus()
    keys.tab.press("screen.step")
    keys.tab.is_at(2)
    keys.page.evaluate("regions[0].append(Object.assign(document.createElement('p'), { lang: 'en', textContent: 'planted' }))")
    with pytest.raises(AssertionError):
        keys.heard([("en", row.text) for row in Desk("suicide_king", 2, seed=7).goto(0).step().step().log()])
