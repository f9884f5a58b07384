"""Whole deals and games on the served page, in Chromium: by Step, by clicking, by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from page_tools import Tab, plain

from cardlab.desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]
GAMES = [
    ("?game=suicide_king&players=2&seed=7", Desk("suicide_king", 2, seed=7)),
    ("?game=fight_for_the_lead&players=3&deals=1&seed=7", Desk("fight_for_the_lead", 3, seed=7, deals=1)),
    ("?game=poker_marshal&deals=1&seed=7", Desk("poker_marshal", seed=7, deals=1)),
]
NAMES = [desk.game.name for _, desk in GAMES]


def agrees(here: Tab, desk: Desk) -> None:
    """The page shows what the desk would."""
    here.is_at(desk.at)
    here.says(plain(desk.next()))
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
    assert here.table == plain(desk.drawn())


@pytest.mark.parametrize(
    ("query", "language"),
    [
        pytest.param("?game=suicide_king&players=3&seed=7", "en", marks=pytest.mark.slow),
        ("?game=fight_for_the_lead&players=4&seed=7&language=ru", "ru"),
        pytest.param("?game=poker_marshal&seed=7", "en", marks=pytest.mark.slow),
    ],
)
def test_a_whole_deal_by_pressing_step(tab: Open, query: str, language: str) -> None:
    here = tab(query, language)
    asked = dict(pair.split("=") for pair in query[1:].split("&"))
    desk = Desk(asked["game"], int(asked.get("players", 5)), seed=7, language=language)
    while desk.session.state.deal == 0 and not desk.over:
        here.step(desk.step().at)
    assert desk.at > 30
    agrees(here, desk)


@pytest.mark.parametrize(("query", "desk"), GAMES, ids=NAMES)
def test_a_whole_game_by_clicking_then_undo_to_the_start_and_again(tab: Open, query: str, desk: Desk) -> None:
    here = tab(query)
    clicks = 0
    while not desk.over:
        if desk.offer() is None:
            here.step(desk.step().at)
            continue
        offered = here.offered
        assert set(offered) == said(desk)
        # now the first and now the last, so that cards are chosen, moves made and exchanges passed over
        choice = offered[-1 if clicks % 3 == 2 else 0]
        here.click(choice)
        before, chosen = desk.at, desk.chosen
        desk.click(choice)
        clicks += 1
        if desk.at == before:
            assert desk.chosen != chosen
            here.page.wait_for_function(f"mark => ({MARK})() === mark", arg=json.dumps(sorted(said(desk)), separators=(",", ":")))
        here.is_at(desk.at)
    assert clicks > 5
    agrees(here, desk)
    last = desk.at
    for _ in range(3):
        here.press("screen.undo")
        here.is_at(desk.undo().at, last)
    slider = here.page.get_by_role("slider")
    slider.press("Home")
    here.is_at(0, last)
    slider.press("End")
    agrees(here, desk.goto(last))


def said(desk: Desk) -> set[str]:
    """What the table offers to click."""
    offer = desk.offer()
    assert offer is not None
    return {*offer.says.values(), *map(str, offer.moves), *map(str, offer.picks)}


MARK = """() => { const said = new Set(); const look = (node) => {
    if (node.dataset?.say && node.closest(".cl-table, .moves, .picks")) said.add(node.dataset.say);
    for (const child of (node.shadowRoot || node).children || []) look(child); };
  look(document.body); return JSON.stringify([...said].sort()); }"""


def test_a_whole_game_by_keyboard_alone(tab: Open) -> None:
    """Tab to a pile once; then Enter takes from it, and the focus stays there, or on the next pile when it is gone."""
    here = tab("?game=suicide_king&players=2&seed=7")
    desk = Desk("suicide_king", 2, seed=7)
    press = here.page.keyboard.press
    while desk.offer() is None:
        press("ArrowRight")
        here.is_at(desk.step().at)
    for _ in range(120):  # once round, and once more if a row of the log that had the focus was still previewed when the table's turn came
        press("Tab")
        here.page.wait_for_timeout(50)
        if here.page.evaluate(FOCUSED):
            break
    takes = 0
    while not desk.over:
        pile = here.page.evaluate(FOCUSED)
        if desk.offer() is None:
            press("ArrowRight")
            here.is_at(desk.step().at)
            continue
        assert pile in said(desk), (pile, desk.at)
        press("Enter")
        here.is_at(desk.click(pile).at)
        takes += 1
    assert takes > 10
    agrees(here, desk)
    press("Home")
    here.is_at(0, desk.at)


FOCUSED = """() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.closest?.("svg.cl-table") ? at.dataset.say || "" : ""; }"""
