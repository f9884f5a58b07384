"""Guess first in the browser: guess, commit, reveal; before it the answer is in neither the page nor what goes through the websocket."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from page_tools import Served, Tab, screen_of, shown, written
from panel.io.state import set_curdoc

from cardlab.core.events import Seat
from cardlab.desk import Desk
from cardlab.words import Words
from cardlab.words.percents import percent

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocket

QUERY = "?game=fight_for_the_lead&players=4&seed=5"
ANSWER = ("67.1", "55883", "55 883", "0.67086")  # P(first turned card matches), four players: 55883/83300

FOCUSED = "() => { let at = document.activeElement; while (at.shadowRoot) at = at.shadowRoot.activeElement; return at.type }"


def slide(tab: Tab, times: int) -> None:
    """The slider moved to the left by the keyboard."""
    tab.page.locator(".slide input").focus()
    for _ in range(times):
        tab.page.keyboard.press("ArrowLeft")


@pytest.mark.browser
def test_guess_commit_reveal(page: Page, tab: Any, served: Served) -> None:
    got: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: got.append(payload if isinstance(payload, str) else payload.decode("latin-1")))

    page.on("websocket", listen)
    opened: Tab = tab(f"{QUERY}&guess=1")
    covered = page.locator(".covered")
    covered.wait_for()
    slide(opened, 13)
    page.locator(".slide output").get_by_text("37\N{NO-BREAK SPACE}%", exact=True).wait_for()
    page.get_by_role("radio").first.wait_for(state="detached")  # one outcome needs no choice
    assert page.evaluate(FOCUSED) == "range"
    page.get_by_role("button", name="RU", exact=True).click()
    page.get_by_role("button", name=Words("ru").text("guess.commit")).wait_for()
    assert page.locator(".slide input").input_value() == "37"
    page.get_by_role("button", name="EN", exact=True).click()
    commit = page.get_by_role("button", name=opened.words.text("guess.commit"), exact=True)
    commit.wait_for()
    text = "".join(got) + page.content() + str(page.locator(".side").inner_text())
    assert "guess chance" in text  # what is looked through holds the form
    assert not [answer for answer in ANSWER if answer in text]
    commit.dblclick()
    page.locator(".guess-axis").wait_for()
    opened.says("67.1\N{NO-BREAK SPACE}%")
    opened.says(opened.words.text("guess.near.low", n=30))
    opened.says(opened.words.text("guess.so_far", n=1))
    assert any("67.1" in frame for frame in got)

    opened.step(1)
    covered.wait_for()  # the next moment is to be guessed anew
    opened.press("screen.undo")
    page.locator(".guess-axis").wait_for()
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'п', bubbles: true }))")
    page.locator(".guess-axis").wait_for(state="detached")
    assert "guess=1" not in page.url


@pytest.mark.browser
def test_the_guesses_are_saved(page: Page, tab: Any, tmp_path: Path) -> None:
    opened: Tab = tab("?game=suicide_king&players=2&seed=7&language=ru&guess=1", "ru")
    page.get_by_role("radio", name="Борис").check()
    slide(opened, 2)
    opened.page.get_by_role("button", name=opened.words.text("guess.commit"), exact=True).click()
    page.locator(".guess-axis").wait_for()
    page.keyboard.press("End")
    opened.says(opened.words.text("guess.nothing"))
    page.locator("[data-say='guess fold']").click()
    page.locator(".guess-plot").wait_for()
    with page.expect_download() as saving:
        page.get_by_role("button", name=opened.words.text("guess.save.csv")).click()
    saving.value.save_as(tmp_path / "guesses.csv")
    with (tmp_path / "guesses.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file, delimiter=";")
    text = opened.words.text
    assert row[text("guess.column.outcome")] == "Борис"
    assert row[text("guess.column.guess")] == "0,48"
    assert row[text("guess.column.exact")] == "0,5"
    assert row[text("guess.column.came")] in ("0", "1")


def test_on_a_projector_the_form_covers_the_odds() -> None:
    with shown(Desk("suicide_king", players=3, seed=7)) as screen:
        screen._press("projector")
        assert 'data-say="odds"' in "".join(screen.widgets.odds.lines)
        screen._press("guess")
        told = "".join(screen.widgets.odds.lines)
        assert 'data-say="guess commit"' in told
        assert 'data-say="odds"' not in told
        screen._press("odds")  # they are asked for, and stay covered
        assert 'class="odds"' not in "".join(screen.widgets.odds.lines)
        screen._said("odds", "guess commit")
        assert 'class="odds"' in "".join(screen.widgets.odds.lines)
        assert screen.look.link().endswith("projector=1&guess=1")


def test_another_viewpoint_gets_nothing_of_a_guess_that_is_not_its_own() -> None:
    """What a seat holds and the chances that it counts are in no document of another seat, though its guess is kept."""
    desk = Desk("fight_for_the_lead", players=3, seed=5, seat=0)
    while desk.session.actor != Seat(0):
        desk.step()
    screen, document = screen_of(desk)
    with set_curdoc(document):
        screen._press("guess")
        screen._said("odds", "guess question wins_lead")
        screen._said("odds", "guess commit")
        (made,) = screen.guessing.kept.values()
        screen._said("odds", "guess fold")
        screen._said("odds", "guess save csv")
        said, chance = (json.dumps(text)[1:-1] for text in (desk.words.show(made.outcome), percent(made.exact.value, desk.words)))
        file = screen.widgets.odds.file["data"]  # coded: no words of it would be found
        assert {told for told in (said, chance, file) if told in written(document)} == {said, chance, file}
        screen._change("viewpoint", "1")
        assert "guess commit" in written(document)
        assert said not in written(document)
        assert chance not in written(document)
        assert file not in written(document)
