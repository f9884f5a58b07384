"""axe-core finds nothing against WCAG 2.2 AA on any page, in both languages and themes, wide and on a phone.

axe goes through open shadow roots. ``UPSTREAM`` lists what is left in nodes that are not ours, by rule and selector with the reason in
their library; what concerns keyboard or names may not stand there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from page_tools import PATIENCE, Served

from cardlab.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
# a rule of axe, what its selector has in it, and why it is left: nothing, since what was found was mended
UPSTREAM: list[tuple[str, str, str]] = []
GRAVE = re.compile("keyboard|focus|name|label|role|aria|bypass|tabindex|target")
BOTH = ("en light", "ru dark")  # both languages and both themes
ALL_LOOKS = ("start", "fight for the lead")  # all four of them at once
EVERY = [pytest.param(False, id="quick"), pytest.param(True, id="every look", marks=pytest.mark.slow)]
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
KING = "?game=suicide_king&players=3&seed=7"
FIGHT = "?game=fight_for_the_lead&players=3&seed=7"
AXE = """async ([tags, within]) => {
  const root = within ? window.found : document;
  const { violations } = await axe.run(root, { runOnly: tags, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, any, all, none }) =>
    [id, target.flat().join(" "), html.slice(0, 200), [...any, ...all, ...none].map(({ message }) => message).join("; ")]));
}"""
DIALOG = """() => { const find = (node) => node.role === "dialog" ? node : [...(node.shadowRoot || node).children].map(find).find(Boolean);
  return Boolean(window.found = find(document.body)); }"""
SETTLED = """() => { const deep = (node) => [node, ...[...(node.shadowRoot || node).children].flatMap(deep)];
  return deep(document.body).every((node) => node.getAnimations?.().every((each) => each.playState !== "running")); }"""


def violations(page: Page, within: bool = False) -> list[str]:
    """What axe finds, but for what is known of the libraries."""
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(AXE, [TAGS, within])
    return [" | ".join(each) for each in found if not any(each[0] == rule and part in each[1] for rule, part, _ in UPSTREAM)]


def opened(page: Page, served: Served, query: str) -> Page:
    page.set_viewport_size(WIDE)
    page.goto(served.url + query)
    page.get_by_role("button", name="RU", exact=True).wait_for(timeout=PATIENCE)
    return page


def looks(page: Page) -> Iterator[str]:
    """The page in each language and theme, of which it says which."""
    for language, theme in (("en", "light"), ("en", "dark"), ("ru", "dark"), ("ru", "light")):
        words = Desk(language=language).words
        if (language, theme) != ("en", "light"):
            name = {"en dark": "Dark", "ru dark": "RU", "ru light": "Светлая"}[f"{language} {theme}"]
            page.get_by_role("button", name=name, exact=True).click()
        other = words.text("page.light" if theme == "dark" else "page.dark")
        page.get_by_role("button", name=other, exact=True).wait_for(timeout=PATIENCE)
        page.wait_for_function("language => document.documentElement.lang === language", arg=language, timeout=PATIENCE)
        yield f"{language} {theme}"


def steps(page: Page, n: int) -> None:
    """So many steps by key, the last of them seen."""
    for step in range(1, n + 1):
        page.keyboard.press("ArrowRight")
        page.locator(f'svg.cl-table[data-step="{step}"]').wait_for(timeout=PATIENCE)


def finish(page: Page) -> None:
    page.keyboard.press("End")
    page.locator(".log .row").nth(30).wait_for(timeout=PATIENCE)


def play_many(page: Page) -> None:
    page.locator("[data-say='more 10']").click()
    page.locator("canvas, .bk-Figure").first.wait_for(timeout=PATIENCE)


PAGES: dict[str, tuple[str, Callable[[Any], Any] | None]] = {
    "start": ("", None),
    "suicide king": (KING, finish),
    "fight for the lead": (FIGHT, lambda page: steps(page, 12)),
    "poker marshal": ("?game=poker_marshal&seed=7", lambda page: steps(page, 28)),
    "guess": (FIGHT + "&guess=1", lambda page: steps(page, 3)),
    "chance": ("chance?demo=titles", None),
    "chance, played": ("chance?demo=seats", play_many),
}


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, served: Served, name: str, every: bool) -> None:
    query, prepare = PAGES[name]
    opened(page, served, query)
    if prepare is not None:
        prepare(page)
    found = []
    for look in looks(page):
        if not every and name not in ALL_LOOKS and look not in BOTH:
            continue
        for width in (WIDE, PHONE) if every or look == "ru dark" else (WIDE,):
            page.set_viewport_size(width)
            found += [f"{look} {width['width']}: {each}" for each in violations(page)]
        page.set_viewport_size(WIDE)
    assert not found, "\n".join(found)


def test_axe_finds_nothing_on_a_projector(page: Page, served: Served) -> None:
    """There is no choice of a language on it."""
    for query in (f"{FIGHT}&projector=1", f"{FIGHT}&projector=1&language=ru&theme=dark"):
        page.set_viewport_size(WIDE)
        page.goto(served.url + query)
        page.locator("svg.cl-table").wait_for(timeout=PATIENCE)
        page.keyboard.press("ArrowRight")
        page.locator('svg.cl-table[data-step="1"]').wait_for(timeout=PATIENCE)
        assert not violations(page), query


def test_axe_finds_nothing_where_one_waits_or_says_the_password(chromium: Any) -> None:
    with Served(password="open sesame 4", origins=("192.0.2.1",)) as locked:
        context = chromium.new_context(viewport=PHONE, color_scheme="dark")
        page = context.new_page()
        page.goto(f"{locked.url}login?language=ru")
        assert not violations(page)
        page.get_by_role("textbox").fill("something else")
        page.get_by_role("button").click()
        page.get_by_role("alert").wait_for()
        assert not violations(page)
        page.get_by_role("textbox").fill("open sesame 4")
        page.get_by_role("button").click()
        page.locator(".invite").wait_for(timeout=PATIENCE)
        assert not violations(page)
        page.goto(f"{locked.url}nothing")
        page.get_by_role("heading", name="There is no such page").wait_for()
        assert not violations(page)
        context.close()


@pytest.mark.parametrize("every", EVERY)
def test_axe_finds_nothing_in_dialogs_and_beside_the_table(page: Page, served: Served, every: bool) -> None:
    opened(page, served, KING)
    found = []
    for look in looks(page):
        if not every and look not in BOTH:
            continue
        words = Desk(language=look[:2]).words
        for opener in ("page.new", "page.share", "?"):
            if opener == "?":
                page.keyboard.press("?")
            else:
                page.get_by_role("button", name=words.text(opener), exact=True).click()
            page.get_by_role("dialog").wait_for(timeout=PATIENCE)
            assert page.evaluate(DIALOG)
            found += [f"{look} {opener}: {each}" for each in violations(page, within=True)]
            page.keyboard.press("Escape")
            page.get_by_role("dialog").wait_for(state="hidden", timeout=PATIENCE)
        page.get_by_role("tab", name=words.text("page.tab.rules")).click()
        page.get_by_role("region", name=words.text("screen.rules")).wait_for(timeout=PATIENCE)
        page.get_by_role("button", name=words.text("page.menu"), exact=True).click()
        page.get_by_role("button", name=words.text("page.keys"), exact=True).wait_for(timeout=PATIENCE)
        found += [f"{look} rules and menu: {each}" for each in violations(page)]
        page.get_by_role("button", name=words.text("page.menu"), exact=True).click()
    assert not found, "\n".join(found)


def test_what_is_planted_is_found(page: Page, served: Served) -> None:
    """In a shadow root: a button without a name, and a text that does not stand out."""
    opened(page, served, "")
    assert not violations(page)
    bad = '<button style="width:30px;height:30px"></button><p style="color:#bbb">faint</p>'
    page.locator(".hello").evaluate("(hello, bad) => hello.insertAdjacentHTML('beforeend', bad)", bad)
    assert {each.split(" | ")[0] for each in violations(page)} == {"button-name", "color-contrast"}


def test_nothing_grave_is_left_to_others() -> None:
    assert not [entry for entry in UPSTREAM if GRAVE.search(entry[0])]
