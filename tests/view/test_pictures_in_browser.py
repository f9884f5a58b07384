"""Pictures in Chromium: several on a page do not disturb each other, and what is measured in Python is what is drawn."""

from __future__ import annotations

import base64
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from table_tools import Drawn, played

from cardlab import TEACHER, Session
from cardlab.core.events import Viewer
from cardlab.view import svg
from cardlab.view.blocks import wide
from cardlab.view.drawings import alone, face, sprite
from cardlab.view.tokens import DARK, FONT, LIGHT, variables
from cardlab.words import LANGUAGES, Words

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def moment(table: str, steps: int, viewer: Viewer, language: str = "en", narrow: bool = False) -> str:
    session = played(table, seed=1).branch().goto(steps)
    return svg(session.game, session.view(viewer), Words(language), narrow)


def open_page(page: Page, body: str, style: str = "") -> None:
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.set_content(f'<!doctype html><meta charset="utf-8"><style>body{{margin:0;background:#fff}}{style}</style>{body}')


def shot(page: Page, first: str, second: str, hidden: bool = False) -> bytes:
    """The second picture as it is painted, with another one at its left, in sight or not, or none."""
    left = f'<div style="position:absolute;left:0;top:0;width:656px{";display:none" if hidden else ""}">{first}</div>'
    open_page(page, f'{left}<div id="it" style="position:absolute;left:700px;top:0;width:656px">{second}</div>')
    painted: bytes = page.locator("#it").screenshot()
    return painted


PAIRS = {
    "two games": (("poker_marshal 5", 60, 0), ("fight_for_the_lead 4", 40, 1)),
    "two languages": (("suicide_king 3", 40, None, "en"), ("suicide_king 3", 40, None, "ru")),
    "two moments": (("fight_for_the_lead 3", 30, 1), ("fight_for_the_lead 3", 33, 1)),
    "two viewpoints": (("poker_marshal 5", 50, 1), ("poker_marshal 5", 50, TEACHER)),
    "two widths": (("fight_for_the_lead 5", 50, 1, "ru", True), ("fight_for_the_lead 5", 50, 1, "ru")),
    "the same twice": (("poker_marshal 5", 60, 0), ("poker_marshal 5", 60, 0)),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_picture_is_painted_alike_alone_and_beside_another(page: Page, pair: str) -> None:
    first, second = (moment(*which) for which in PAIRS[pair])
    by_itself = shot(page, "", second)
    assert len(by_itself) > 10_000
    assert shot(page, first, second) == by_itself
    assert shot(page, first, second, hidden=True) == by_itself


def test_a_picture_is_painted_alike_beside_a_pane(page: Page) -> None:
    """A pane holds the sprite, whose drawings have the same names."""
    second = moment("fight_for_the_lead 4", 40, 1, "ru")
    for first in (sprite("en"), sprite("ru"), sprite("en").replace('width="0"', 'style="display:none" width="0"')):
        assert shot(page, first, second) == shot(page, "", second)


def test_the_comparison_can_fail(page: Page) -> None:
    """Pictures that share their ids do disturb each other."""
    whole = '<svg viewBox="0 0 80 112" width="80"><use href="#cl-f-JS" width="80" height="112"/></svg>'
    english, russian = (alone(whole, language) for language in LANGUAGES)
    english, russian = (markup.replace(markup[markup.index('id="c') + 4 :].split("-")[0], "same") for markup in (english, russian))
    assert shot(page, english, russian) != shot(page, "", russian)


def test_looking_at_single_cards_side_by_side(page: Page) -> None:
    """Every single card of a row is painted as it is by itself."""
    cards = [
        face(None, 44, "en"),
        *(face(card, 44, language) for card in played("poker_marshal 5").game.size.pack[9:13] for language in LANGUAGES),
    ]  # type: ignore[attr-defined]
    row = "".join(f'<span style="position:absolute;top:0;left:{50 * k}px">{card}</span>' for k, card in enumerate(cards))
    open_page(page, row)
    together = [page.screenshot(clip={"x": 50 * k, "y": 0, "width": 44, "height": 62}) for k in range(len(cards))]
    for k, card in enumerate(cards):
        open_page(page, f'<span style="position:absolute;top:0;left:{50 * k}px">{card}</span>')
        assert page.screenshot(clip={"x": 50 * k, "y": 0, "width": 44, "height": 62}) == together[k]
    assert len({*together}) > 6


MEASURE = """() => {
  const svg = document.querySelector('svg.cl-table'), frame = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / frame.width;
  const place = (box) => [box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top].map((x) => x * scale);
  const all = (selector) => [...svg.querySelectorAll(selector)].filter((element) => !element.closest('symbol, defs'));
  return {cards: all('use.card').map((use) => place(use.getBoundingClientRect())),
          texts: all('text').map((text) => [text.textContent, place(text.getBoundingClientRect())])};
}"""


def sample() -> list[tuple[str, str, bool]]:
    """Pictures of all three games, with their language and width."""
    found = []
    for table in ("suicide_king 5", "fight_for_the_lead 5", "poker_marshal 5", "any offer"):
        session: Session = played(table, seed=2).branch()
        for k, n in enumerate(range(20, len(session), max(1, len(session) // 6))):
            session.goto(n)
            language, narrow = LANGUAGES[k % 2], k % 3 == 0
            found.append((svg(session.game, session.view((0, None, TEACHER)[k % 3]), Words(language), narrow), language, narrow))
    return found


def test_what_is_read_off_a_picture_is_what_is_painted(page: Page) -> None:
    for markup, _, narrow in sample():
        open_page(page, f'<div style="width:{366 if narrow else 656}px">{markup}</div>')
        painted: dict[str, Any] = page.evaluate(MEASURE)
        drawn = Drawn.of(markup)
        cards = [thing.box for thing in drawn.all("card")]
        assert len(cards) == len(painted["cards"])
        for box, (left, top, right, bottom) in zip(cards, painted["cards"], strict=True):
            assert (left, top, right, bottom) == pytest.approx((box.left, box.top, box.right, box.bottom), abs=0.8)
        texts = drawn.all("text")
        assert [thing.said for thing in texts] == [said for said, _ in painted["texts"]]
        for thing, (_, (left, _, right, _)) in zip(texts, painted["texts"], strict=True):
            assert thing.box.left - 1 <= left
            assert right <= thing.box.right + 1


MEASURE_LINES = """async ([lines, font]) => {
  const pen = document.createElement('canvas').getContext('2d');
  for (const weight of ['400', '700']) await document.fonts.load(`${weight} 12px ${font}`, 'Aб');
  return lines.map(([said, size, bold]) => {
    pen.font = `${bold ? 'bold ' : ''}${size}px ${font}`;
    return pen.measureText(said).width;
  });
}"""


def roboto() -> str:
    """The font of the page, which Panel Material UI brings along, as a style sheet; it need not be installed."""
    folder = files(pytest.importorskip("panel_material_ui")) / "dist"
    rules = []
    for file in folder.iterdir():
        found = re.fullmatch(r"roboto-(latin|cyrillic)-(400|700)-normal-\w+\.woff2", file.name)
        if found:
            letters = "U+0400-045F" if found[1] == "cyrillic" else "U+0000-00FF,U+2212"
            data = base64.b64encode(file.read_bytes()).decode()
            source = f"url(data:font/woff2;base64,{data})"
            rules.append(f"@font-face{{font-family:Paged;font-weight:{found[2]};src:{source};unicode-range:{letters}}}")
    assert len(rules) == 4
    return "".join(rules)


@pytest.mark.parametrize("font", ["Paged", FONT])
def test_lines_are_not_wider_than_the_layout_takes_them(page: Page, font: str) -> None:
    open_page(page, "", roboto() if font == "Paged" else "")
    lines = sorted({(thing.said, thing.size, thing.bold) for markup, *_ in sample() for thing in Drawn.of(markup).all("text")})
    lines = [line for line in lines if len(line[0]) > 1]
    widths = page.evaluate(MEASURE_LINES, [lines, font])
    assert len(lines) > 150
    most = 1 if font == "Paged" else 1.18  # where DejaVu Sans alone is installed
    for (said, size, bold), width in zip(lines, widths, strict=True):
        assert width <= most * wide(said, size, bold) + 0.2, (said, size, bold)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_follow_the_theme_of_the_page_and_stand_without_one(page: Page, theme: str) -> None:
    colours = LIGHT if theme == "light" else DARK
    markup = moment("poker_marshal 5", 60, 0)
    for style, expected in ((f":root{{{variables(colours)}}}", colours), ("", LIGHT)):
        open_page(page, f'<div style="width:656px">{markup}</div>', style)
        felt = page.evaluate("() => getComputedStyle(document.querySelector('svg.cl-table > rect')).fill")
        assert felt == "rgb({}, {}, {})".format(*(int(expected["felt"][k : k + 2], 16) for k in (1, 3, 5)))
