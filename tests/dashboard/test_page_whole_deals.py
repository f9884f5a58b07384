"""A whole deal of each game on the served page, in Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page_tools import Tab, plain

from cardlab.core.game import CHANCE
from cardlab.desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("?game=suicide_king&players=3&seed=7", "en"),
        ("?game=fight_for_the_lead&players=4&seed=7&language=ru", "ru"),
        ("?game=poker_marshal&seed=7", "en"),
    ],
)
def test_a_whole_deal_by_pressing_step(tab: Open, query: str, language: str) -> None:
    here = tab(query, language)
    asked = dict(pair.split("=") for pair in query[1:].split("&"))
    desk = Desk(asked["game"], int(asked.get("players", 5)), seed=7, language=language)
    while desk.session.state.deal == 0 and not desk.over:
        here.step(desk.step().at)
    assert desk.at > 30
    here.says(desk.next())
    rows = [(row.step, row.text, row.rule) for row in desk.log()]
    assert here.log == rows
    assert here.table == plain(desk.picture())


def test_a_whole_deal_by_choosing_legal_moves(tab: Open) -> None:
    here = tab("?game=poker_marshal&seed=7")
    desk = Desk("poker_marshal", seed=7)
    listed = 0
    while desk.session.state.deal == 0:
        moves = desk.moves()
        if desk.session.actor is CHANCE:
            desk.step()
            here.press("screen.step")
        elif len(moves) > 20:
            listed += 1
            here.choose("screen.moves", moves[3].label)
            here.press("stepper.choose")
            desk.act(moves[3].token)
        else:
            assert here.moves.all_inner_texts() == [move.label for move in moves]
            here.moves.nth(len(moves) - 1).click()
            desk.act(moves[-1].token)
        here.is_at(desk.at)
    assert listed > 0, "no list of many moves was tried"
    assert here.log == [(row.step, row.text, row.rule) for row in desk.log()]
