"""The page without a game, and what goes from it to a game."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from page_tools import TABLE, Served, Tab, new_document
from panel.io.state import set_curdoc

from cardlab.core.registry import GAMES
from cardlab.dashboard.address import Look, desk_for
from cardlab.dashboard.start import FANS, Start
from cardlab.words import LANGUAGES, Words
from cardlab.words.errors import CardlabError


def start(look: Look | None = None, fault: CardlabError | None = None) -> Start:
    with set_curdoc(new_document()):
        return Start(look or Look(), fault)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_there_with_its_real_ways_in(language: str) -> None:
    words, lines = Words(language), "".join(start(Look(language, dark=True)).games.lines)
    assert list(FANS) == list(GAMES)
    for name, kind in GAMES.items():
        assert words.text(f"game.{name}") in lines
        assert words.text(f"start.{name}.about") in lines
        least, most = kind.player_counts[0], kind.player_counts[-1]
        assert words.text("start.players", n=most, range=f"{least}–{most}" if most > least else str(least)) in lines
        look = f"game={name}&amp;language={language}&amp;theme=dark"
        assert f'href="?{look}"' in lines
        assert f'href="?{look.replace("&amp;", "&amp;tab=rules&amp;", 1)}"' in lines


def test_the_look_is_in_every_link() -> None:
    page = start()
    page._press("theme")
    page._press("projector")
    page.bar.language.value = "ru"
    assert page.look == Look("ru", dark=True, projector=True)
    for lines in (page.games.lines, page.bar.brand.lines):
        assert "language=ru&amp;theme=dark&amp;projector=1" in "".join(lines)
    assert page.browser.address == "?language=ru&theme=dark&projector=1"


def test_what_is_wrong_with_the_address_is_told() -> None:
    _, fault = desk_for({"language": "la"})
    assert fault is not None
    assert "There is no language" in "".join(start(fault=fault).strip.lines)


@pytest.mark.browser
def test_from_the_start_to_a_game_and_back_nothing_of_the_look_is_lost(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(served.url)
    page.get_by_role("heading", name=Words().text("start.title")).wait_for()
    page.get_by_role("button", name="RU", exact=True).click()
    words = Words("ru")
    page.get_by_role("button", name=words.text("page.dark")).click()
    page.get_by_role("button", name=words.text("page.projector")).click()
    card = page.get_by_role("article", name=words.text("game.fight_for_the_lead"))
    page.wait_for_function("() => location.search.includes('projector=1')")
    card.get_by_role("link", name=words.text("start.play")).click()
    page.locator(TABLE).wait_for()
    asked = parse_qs(urlsplit(page.url).query)
    assert {name: asked[name] for name in ("game", "language", "theme", "projector")} == {
        "game": ["fight_for_the_lead"], "language": ["ru"], "theme": ["dark"], "projector": ["1"],
    }  # fmt: skip
    page.get_by_role("button", name=words.text("page.show_odds")).wait_for()
    page.get_by_role("button", name=words.text("page.light")).wait_for()
    page.get_by_role("link", name=words.text("page.to_start")).click()
    page.get_by_role("heading", name=words.text("start.title")).wait_for()
    assert "language=ru&theme=dark&projector=1" in page.url


@pytest.mark.browser
def test_rules_lead_to_the_rule_book(page: Any, served: Served) -> None:
    page.goto(served.url)
    page.get_by_role("article", name="Suicide King").get_by_role("link", name="Rules").click()
    Tab.opened(page)
    page.locator(".side dt", has_text="SK-0").first.wait_for()


@pytest.mark.browser
def test_on_a_projector_nothing_is_small_and_the_odds_wait(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    for game in GAMES:
        here = Tab(page, f"{served.url}?game={game}&seed=7&projector=1")
        for step in range(1, 13):
            here.step(step)
        assert page.evaluate(SMALL) == []
        table, page_ = page.locator(".table").bounding_box(), page.locator(".transport").bounding_box()
        assert table is not None
        assert page_ is not None
        assert table["width"] / page_["width"] == pytest.approx(0.6, abs=0.02)
        if page.get_by_role("button", name="Show odds").count():
            assert page.locator(".side .odds").count() == 0
            page.keyboard.press("o")
            page.locator(".side .cl-box").get_by_text("Show odds").wait_for(state="detached")
            assert page.evaluate(SMALL) == []
        if game != "suicide_king":  # which has no moves but cards
            page.keyboard.press("Escape")
            for _ in range(60):
                if page.locator(".table .move").count():
                    break
                step += 1
                here.step(step)
            page.locator(".table .move").first.wait_for()
            assert page.evaluate(SMALL) == []


# every text that is to be seen outside of the table and smaller than 18 px, whatever enlarges it; the table is drawn as large as it fits
SMALL = """() => { const small = []; const look = (node) => {
    if (["STYLE", "SCRIPT"].includes(node.tagName) || node.matches?.("svg.cl-table")) return;
    if (node.nodeType === 3) {
      const parent = node.parentElement || node.getRootNode().host;
      const box = parent?.getBoundingClientRect();
      if (!node.textContent.trim() || !box || box.width < 2 || getComputedStyle(parent).clipPath !== "none") return;
      const size = parseFloat(getComputedStyle(parent).fontSize) * (parent.currentCSSZoom || 1);
      if (size < 18) small.push(`${node.textContent.trim()} ${size.toFixed(1)}`);
      return;
    }
    for (const child of (node.shadowRoot || node).childNodes) look(child);
  }; look(document.body); return small; }"""
