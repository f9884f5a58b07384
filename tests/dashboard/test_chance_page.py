"""The page of demonstrations: its addresses, what is pressed on it, a long run that is cancelled, what can be saved, the oddest game."""

from __future__ import annotations

import csv
import gc
import io
import logging
import struct
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from page_tools import TABLE, Served, Tab, new_document, plain
from panel.io.state import set_curdoc

from cardlab.core.session import Session
from cardlab.dashboard.address import Look, asked_for, desk_for
from cardlab.dashboard.chance import ChancePage, demo_for
from cardlab.demos import DEMOS, Demo, demo
from cardlab.words import LANGUAGES, NO_BREAK, Words
from cardlab.words.errors import CardlabError


def page_of(shown: Demo | None = None, look: Look | None = None, fault: CardlabError | None = None) -> ChancePage:
    with set_curdoc(new_document()):
        return ChancePage(shown or demo("first_match", seed=7), look or Look(), fault)


def text_of(*panes: Any) -> str:
    return plain(" ".join(line for pane in panes for line in pane.lines))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEMOS)
def test_every_demonstration_is_listed_played_and_drawn(name: str, language: str) -> None:
    page, words = page_of(demo(name, seed=7), Look(language, dark=True)), Words(language)
    assert [f"demo {each}" in " ".join(page.list.lines) for each in DEMOS] == [True] * len(DEMOS)
    assert words.text(f"demo.{name}.explain") in text_of(page.head)
    page._said("more 10")
    page._said("more 1")
    assert page.demo.games == 11
    assert words.text("demo.played", n=11) in text_of(page.head)
    assert not page.strip.lines
    odd = page.demo.oddest()
    assert odd is not None
    assert words.show(odd.what)[1:] in text_of(page.side)
    assert len(page.picture) == 1
    assert bool(page.matrix.lines) == (name == "titles")


def test_numbers_say_what_they_are() -> None:
    page = page_of()
    assert "exact" in text_of(page.side)
    assert "sim" not in text_of(page.side).split()
    page._said("more 100")
    readings = [line for line in page.side.lines if 'class="reading' in line]
    assert ["tag sim" in line for line in readings] == [False, True]
    assert f"67.1{NO_BREAK}%" in readings[0]
    assert "±" in readings[1]


def test_another_choice_begins_anew_and_a_look_does_not() -> None:
    page = page_of(demo("titles", seed=7))
    page._said("more 100")
    page._said("set after 3")
    assert (page.demo.games, page.demo.options["after"]) == (100, 3)
    page._said("set policy random")
    assert (page.demo.games, page.demo.options, page.demo.seed) == (0, {"policy": "random", "after": 3}, 7)
    page._said("more 10")
    page._said("reset")
    assert (page.demo.games, page.demo.options["policy"], page.demo.seed) == (0, "random", 8)
    page._said("demo seats")
    assert (page.demo.name, page.demo.seed) == ("seats", 8)
    assert page.browser.address.startswith("?demo=seats&players=2&")
    assert "seed=8" in page.browser.address


def test_what_cannot_be_is_refused_and_the_way_back_is_open() -> None:
    page = page_of()
    for said, sentence in (
        ("set players 9", "players cannot be '9' here; choose one of 2, 3, 4, 5."),
        ("set colour red", "This demonstration has no choice 'colour'"),
        ("demo roulette", "There is no demonstration 'roulette'"),
        ("more x", "n cannot be 'x'; it must be a whole number"),
        ("save csv", "There is no picture before the first game"),
    ):
        page._said(said)
        assert sentence in text_of(page.strip), said
    page._said("more 1")
    assert not page.strip.lines
    assert page.demo.games == 1


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"demo": "roulette"}, "There is no demonstration 'roulette'; choose one of first_match,"),
        ({"players": "9"}, "players cannot be '9' here; choose one of 2, 3, 4, 5."),
        ({"seed": "-1"}, "seed cannot be '-1'"),
        ({"language": "la"}, "There is no language 'la'"),
    ],
)
def test_a_bad_address_gives_the_usual_demonstration_and_what_is_wrong(asked: dict[str, str], sentence: str) -> None:
    shown, fault = demo_for(asked)
    assert (shown.name, shown.options) == ("first_match", {"players": 4})
    assert fault is not None
    assert sentence in text_of(page_of(shown, fault=fault).strip)


@pytest.mark.parametrize("name", DEMOS)
def test_the_address_of_a_page_leads_back_to_it_and_that_of_a_game_opens_it(name: str) -> None:
    page = page_of(demo(name, seed=7))
    for key, choice in page.demo.choices.items():
        page._said(f"set {key} {choice.values[-1]}")
    page._said("more 100")
    asked = asked_for({key: [value.encode() for value in values] for key, values in parse_qs(page.browser.address[1:]).items()})
    shown, fault = demo_for(asked)
    assert fault is None
    assert (shown.name, shown.options, shown.seed) == (name, page.demo.options, 7)
    odd = page.demo.oddest()
    assert odd is not None
    desk, refused = desk_for(page.demo.asked(odd.index))
    assert refused is None
    simulated = page.demo.open()
    session = desk.session
    while not desk.over:
        desk.step("deal")
    assert (session.game, session.seed, session.index) == (simulated.game, simulated.seed, simulated.index)
    assert [step.action for step in session.steps] == [step.action for step in simulated.goto(len(simulated)).steps]
    assert isinstance(session, Session)


@pytest.mark.browser
def test_a_long_run_says_how_far_it_is_and_is_cancelled(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served.url}chance?demo=bank&deals=20&seed=7")
    press(page, "Plays 1 more game.")
    played(page, "1 game played")
    button(page, f"Plays 100{NO_BREAK}000 more games.").click()
    page.locator(".busy progress[value]").wait_for(timeout=60_000)
    assert button(page, "Plays 1 more game.").get_attribute("aria-disabled") == "true"
    button(page, "Cancel").click()
    page.locator(".busy").wait_for(state="detached", timeout=30_000)
    said = page.locator(".played").inner_text()
    games = int("".join(letter for letter in said.split("·")[0] if letter.isdigit()))
    assert 1 < games < 100_001
    press(page, "Plays 10 more games.")
    played(page, f"{games + 10:,} games played".replace(",", NO_BREAK))


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_download_opens(page: Any, served: Served, language: str) -> None:
    words = Words(language)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served.url}chance?demo=seats&seed=7&language={language}")
    press(page, words.text("demo.more.about", n=100))
    played(page, words.text("demo.played", n=100))
    page.locator(".show canvas").first.wait_for()
    files = {}
    for kind in ("csv", "png", "svg"):
        with page.expect_download() as waited:
            button(page, words.text(f"demo.{kind}")).click()
        assert waited.value.suggested_filename == f"seats.{kind}"
        files[kind] = waited.value.path().read_bytes()
    assert files["csv"].startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(files["csv"].decode("utf-8-sig")), delimiter=";" if language == "ru" else ","))
    shown = demo("seats", seed=7).more(100)
    assert [row[0] for row in rows[1:]] == [str(point.games) for point in shown.path]
    assert float(rows[-1][1].replace(",", ".")) == shown.numbers[0].mean
    assert rows[0][1].startswith(words.seat(0))
    assert files["png"].startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", files["png"][16:24])
    assert (width > 500, height > 300) == (True, True)
    svg = ElementTree.fromstring(files["svg"])
    written = " ".join(svg.itertext())
    assert words.seat(0) in written
    assert words.text("demo.axis.suicide_king") in written


@pytest.mark.browser
def test_from_the_start_to_the_oddest_game(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served.url}?language=ru&theme=dark")
    words = Words("ru")
    page.get_by_role("link", name=words.text("demo.mean_turn.title")).click()
    press(page, words.text("demo.more.about", n=1000))
    played(page, words.text("demo.played", n=1000))
    odd = demo("mean_turn", seed=1).more(1000).oddest()
    assert odd is not None
    page.get_by_role("link", name=words.text("demo.open", index=odd.index)).click()
    Tab.opened(page)
    asked = parse_qs(urlsplit(page.url).query)
    assert {key: asked[key] for key in ("game", "seed", "index", "policy", "theme")} == {
        "game": ["suicide_king"], "seed": ["1"], "index": [str(odd.index)], "policy": ["still"], "theme": ["dark"],
    }  # fmt: skip
    page.locator(TABLE).wait_for()
    page.get_by_role("link", name=words.text("demo.bar")).click()
    page.get_by_role("heading", name=words.text("demo.first_match.title")).wait_for()
    page.get_by_role("link", name=words.text("page.to_start")).click()
    page.get_by_role("heading", name=words.text("start.title")).wait_for()


@pytest.mark.browser
def test_the_picture_takes_the_colours_of_the_theme(page: Any, served: Served) -> None:
    page.goto(f"{served.url}chance?seed=7")
    press(page, "Plays 10 more games.")
    page.wait_for_function(f"() => ({COLOURS})().length")
    light = page.evaluate(COLOURS)
    assert {"#24508f", "#a36629", "#465061"} <= set(light)
    page.get_by_role("button", name="Dark").click()
    page.wait_for_function(f"() => ({COLOURS})().includes('#8fb6f2')")
    assert not set(light) & set(page.evaluate(COLOURS))


@pytest.mark.browser
def test_on_a_phone_nothing_sticks_out_and_buttons_are_large(page: Any, served: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    words = Words("ru")
    page.goto(f"{served.url}chance?demo=hands&language=ru&seed=7")
    for name in DEMOS:
        page.locator(f'[data-say="demo {name}"]').click()
        page.get_by_role("heading", name=words.text(f"demo.{name}.title"), exact=True).filter(visible=True).wait_for()
        press(page, words.text("demo.more.about", n=10))
        played(page, words.text("demo.played", n=10))
        page.locator(".show canvas").first.wait_for(timeout=60_000)
        assert page.evaluate("() => document.scrollingElement.scrollWidth") == 390, name
        sizes = page.locator(".run button, .files button, .group button, .demo").evaluate_all("all => all.map(one => one.offsetHeight)")
        assert min(sizes) >= 44, name


# the colours of lines, words and axes of the figure
COLOURS = """() => { const figure = [...window.Bokeh.index.query((each) => each.model.type === "Figure")][0]?.model;
    if (!figure) return [];
    const found = figure.renderers.flatMap((one) => [one.glyph.line_color?.value ?? one.glyph.line_color, one.glyph.text_color?.value]);
    found.push(figure.below[0].major_label_text_color?.value ?? figure.below[0].major_label_text_color);
    return found.filter((one) => typeof one === "string" && one.startsWith("#")).map((one) => one.toLowerCase());
  }"""


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def press(page: Any, name: str) -> None:
    """A press on a button that is ready."""
    button(page, name).and_(page.locator("[data-say]")).click()


def played(page: Any, said: str) -> None:
    """Waits until so many games are played."""
    page.locator(".played", has_text=said.replace(NO_BREAK, " ")).wait_for(timeout=60_000)


@pytest.mark.browser
def test_closed_pages_leave_nothing_behind_and_end_their_runs(chromium: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", True)  # it keeps what it logs of a socket that has closed
    before = pages()
    with Served(check_unused_sessions_milliseconds=500, unused_session_lifetime_milliseconds=5_000) as served:
        for query in ("chance?seed=7", "chance?demo=bank&deals=20"):
            page = chromium.new_page()
            page.goto(served.url + query)
            press(page, "Plays 10 more games.")
            played(page, "10 games played")
            press(page, "Plays 10 more games.")
            played(page, "20 games played")
            page.locator(".show canvas").first.wait_for()
            if "bank" in query:
                button(page, f"Plays 100{NO_BREAK}000 more games.").click()
                page.locator(".busy").wait_for()
            page.close()
        for _ in range(60):
            if pages() <= before and not list(served.server.get_sessions("/chance")):
                break
            time.sleep(0.5)
        assert not list(served.server.get_sessions("/chance"))
        assert pages() <= before


def pages() -> int:
    gc.collect()
    return sum(isinstance(thing, ChancePage) for thing in gc.get_objects())
