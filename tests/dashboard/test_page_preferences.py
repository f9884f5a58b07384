"""What people set in their browser is heeded: no motion, more contrast, forced colours, 200 % zoom, and a window 320 px wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from contrast import contrast
from page_tools import PATIENCE, Served, Tab

from cardlab.view.tokens import DARK, DARK_MORE, LIGHT, LIGHT_MORE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]
KING = "?game=suicide_king&players=3&seed=7"
DEEP = """const deep = (node) => [...(node.shadowRoot || node).children].flatMap((child) => [child, ...deep(child)]);
  const all = deep(document.body);"""
# Panel has a button in each column that is never in sight here
MOVING = f"""() => {{ {DEEP} const seen = all.filter((node) => node.checkVisibility() && !node.matches(".scroll-button"));
  return seen.filter((node) => [null, "::before", "::after"].some((part) => {{
    const style = getComputedStyle(node, part);
    return style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0) || style.animationName !== "none" ||
      style.scrollBehavior === "smooth";
  }})).map((node) => node.outerHTML.slice(0, 120)); }}"""
WATCH = """() => { window.smooth = []; window.travelled = 0;
  const { scrollIntoView, animate } = Element.prototype;
  Element.prototype.scrollIntoView = function (how) { smooth.push(how?.behavior); return scrollIntoView.call(this, how); };
  Element.prototype.animate = function (...how) { travelled += 1; return animate.apply(this, how); }; }"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_whoever_wants_no_motion(page: Page, tab: Open, motion: Any) -> None:
    """And it does for whoever did not ask: else nothing could be seen to be missing."""
    page.emulate_media(reduced_motion=motion)
    here = tab(KING)
    page.evaluate(WATCH)
    for step in range(1, 7):
        here.step(step)
        page.wait_for_timeout(320)  # a card travels only on a table that was at rest
    page.locator(".log .row .rule").last.click()
    page.locator(".side dt.now").wait_for()
    page.get_by_role("button", name=here.words.text("page.new"), exact=True).click()
    page.get_by_role("dialog").wait_for()
    still = motion == "reduce"
    assert (page.evaluate("travelled") == 0) is still
    assert ("smooth" in page.evaluate("smooth")) is not still
    moving = page.evaluate(MOVING)
    assert (not moving) is still, moving


VARIABLES = "(table, names) => names.map((name) => getComputedStyle(table).getPropertyValue(`--${name}`).trim())"


@pytest.mark.parametrize(("theme", "colours", "more"), [("light", LIGHT, LIGHT_MORE), ("dark", DARK, DARK_MORE)])
def test_more_contrast_has_no_faint_grey_and_stronger_lines(page: Page, tab: Open, theme: str, colours: Any, more: Any) -> None:
    names = ["ink", "ink2", "ink3", "pri", "line", "line2", "surface", "sunk", "bg"]
    here = tab(f"{KING}&theme={theme}")
    table, undo = page.locator("svg.cl-table"), here.button("screen.undo")
    undo.focus()
    assert table.evaluate(VARIABLES, names) == [colours[name] for name in names]
    assert undo.evaluate("button => getComputedStyle(button).outlineWidth") == "3px"
    page.emulate_media(contrast="more")
    shown = dict(zip(names, table.evaluate(VARIABLES, names), strict=True))
    assert shown == {name: (colours | more)[name] for name in names}
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert undo.evaluate("button => getComputedStyle(button).outlineWidth") == "4px"
    for ground in ("surface", "sunk", "bg"):
        assert all(contrast(shown[name], shown[ground]) >= 7 for name in ("ink", "ink2", "ink3", "pri")), shown
        assert all(contrast(shown[name], shown[ground]) >= 4.5 for name in ("line", "line2")), shown


def test_forced_colours_leave_bars_and_focus_to_be_seen(page: Page, tab: Open) -> None:
    page.emulate_media(forced_colors="active")
    here = tab(KING)
    here.step(1)
    bar = page.locator(".side .track i").first
    bar.wait_for(timeout=PATIENCE)
    ground, around = (each.evaluate("bar => getComputedStyle(bar).backgroundColor") for each in (bar, page.locator(".side .track").first))
    assert ground != around
    chosen = page.get_by_role("tab", selected=True)
    assert chosen.evaluate("tab => getComputedStyle(tab).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    assert (
        page.evaluate(
            "() => { let at = document.activeElement; while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;"
            " return getComputedStyle(at).outlineStyle; }"
        )
        == "solid"
    )


PAGES = {
    "start": "?",
    "suicide king": f"{KING}&",
    "fight for the lead": "?game=fight_for_the_lead&players=4&seed=7&",
    "poker marshal": "?game=poker_marshal&seed=7&",
    "chance": "chance?demo=titles&",
}
# What is wrong with a page: that it scrolls sideways, that something to press is cut off, or lies under another.
REFLOW = f"""() => {{ {DEEP}
  const wrong = [], wide = document.scrollingElement;
  if (wide.scrollWidth > innerWidth) wrong.push(`it scrolls sideways: ${{wide.scrollWidth}}`);
  const scrolls = (node) => {{ // a list that scrolls by itself, as tables may
    for (let at = node; at; at = at.assignedSlot || at.parentElement || at.getRootNode().host)
      if (at !== node && ["auto", "scroll"].includes(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
    return false;
  }};
  const fixed = (node) => {{
    for (let at = node; at; at = at.parentElement || at.getRootNode().host)
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return at;
    return null;
  }};
  const pressed = all.filter((node) => node.matches("a[href], button, select, input, [role=button]") &&
    node.checkVisibility({{ visibilityProperty: true, opacityProperty: true }}) && !getComputedStyle(node).clipPath.startsWith("inset"));
  const boxes = pressed.map((node) => [node, node.getBoundingClientRect(), fixed(node)]).filter(([, box]) => box.width && box.height);
  for (const [node, box] of boxes) {{
    const told = node.outerHTML.slice(0, 140);
    if ((box.left < -0.5 || box.right > innerWidth + 0.5) && !scrolls(node)) wrong.push(`cut: ${{told}} ${{box.left}}-${{box.right}}`);
    if (node.matches("button") && !node.closest("svg") && node.scrollWidth > node.clientWidth + 1) wrong.push(`text cut: ${{told}}`);
  }}
  boxes.forEach(([one, a, above], k) => boxes.slice(k + 1).forEach(([other, b, beneath]) => {{
    if (above !== beneath || one.closest("svg") || one.contains(other) || scrolls(one) !== scrolls(other)) return;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1) wrong.push(`${{one.outerHTML.slice(0, 100)}} lies on ${{other.outerHTML.slice(0, 100)}}`);
  }}));
  return boxes.length > 3 ? wrong : ["nothing to press"]; }}"""
# WCAG 1.4.12
SPACED = f"""() => {{ {DEEP}
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* {{ line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }}
    p {{ margin-bottom: 2em !important; }}`);
  const roots = [document, ...all.map((node) => node.shadowRoot).filter(Boolean)];
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]; }}"""


@pytest.fixture
def zoomed(chromium: Any) -> Any:
    """A page of a window 1280 pixels wide at 200 %."""
    context = chromium.new_context(viewport={"width": 640, "height": 450}, device_scale_factor=2)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_at_200_per_cent_or_320_pixels(zoomed: Page, served: Served, name: str, language: str) -> None:
    zoomed.goto(f"{served.url}{PAGES[name]}language={language}")
    zoomed.get_by_role("button", name={"en": "Menu", "ru": "Меню"}[language], exact=True).wait_for(timeout=PATIENCE)
    if "game=" in PAGES[name]:
        zoomed.locator("svg.cl-table").wait_for(timeout=PATIENCE)
        for step in range(1, 4):
            zoomed.keyboard.press("ArrowRight")
            zoomed.locator(f'svg.cl-table[data-step="{step}"]').wait_for(timeout=PATIENCE)
    assert not zoomed.evaluate(REFLOW)
    zoomed.set_viewport_size({"width": 320, "height": 640})
    zoomed.wait_for_timeout(300)
    assert not zoomed.evaluate(REFLOW)
    zoomed.set_viewport_size({"width": 640, "height": 450})
    zoomed.evaluate(SPACED)
    zoomed.wait_for_timeout(200)
    assert not zoomed.evaluate(REFLOW)


def test_what_is_cut_is_noticed(zoomed: Page, served: Served) -> None:
    zoomed.goto(served.url)
    zoomed.locator(".links a").first.wait_for(timeout=PATIENCE)
    assert not zoomed.evaluate(REFLOW)
    zoomed.locator(".links a").first.evaluate("link => { link.style.width = '700px'; link.style.flex = 'none'; }")
    assert any("cut" in each or "lies on" in each for each in zoomed.evaluate(REFLOW))
