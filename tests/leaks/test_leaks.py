"""No seat learns more than it may: two cards that it has not been shown change names, and it gets the same, byte for byte."""

from __future__ import annotations

import random

import pytest
from leak_tools import DOORS, Count, Doors, Line, cards_shown, random_game, random_session, renamed, try_twins

from cardlab import Action, Card, Session, game
from cardlab.core.events import Seat
from cardlab.games.fight_events import Exchanged
from cardlab.games.marshal_events import Asks

# a game, records in CI, and the samples that must be tried there and stay legal to their end
GAMES = {"suicide_king": (5, 150, 150), "fight_for_the_lead": (12, 300, 270), "poker_marshal": (5, 250, 220)}


def try_records(name: str, records: int, seed: int, deals: int = 2, doors: Doors = DOORS) -> Count:
    """Random records of a game, with random house rules and players, every moment of each."""
    rng = random.Random(f"{name} {seed}")
    count = Count()
    for index in range(records):
        session = random_session(random_game(name, rng, deals), index, rng)
        count.add(try_twins(Line(session, doors), rng))
    return count


@pytest.mark.parametrize("name", GAMES)
def test_cards_not_shown_may_change_names(name: str) -> None:
    records, samples, legal = GAMES[name]
    count = try_records(name, records, seed=1)
    assert count.covered == count.moments  # every moment of every record, as every viewer gets it
    assert count.samples >= samples
    assert count.legal >= legal


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_cards_not_shown_may_change_names_in_the_full_size(name: str) -> None:
    records, samples, legal = GAMES[name]
    count = try_records(name, 6 * records, seed=2, deals=4, doors=Doors(screens=1))
    assert count.covered >= 0.999 * count.moments  # late in a deal no two cards may be left whose renaming is legal
    assert count.samples >= 6 * samples
    assert count.legal >= 6 * legal


def test_the_tools_rename_and_see_as_they_should() -> None:
    two, ten = Card("2C"), Card("TC")
    assert renamed(Action.parse("exchange 2C 5D"), (two, ten)) == Action.parse("exchange TC 5D")
    assert renamed(Action.parse("exchange 2C 5C"), (two, ten)) == Action.parse("exchange 5C TC")
    assert renamed(Action.parse("take 3"), (two, ten)) == Action.parse("take 3")
    event = Exchanged(rule="FL-8", seat=Seat(0), cards=(two, ten), fee=8, bank=16, seen_by=frozenset({Seat(0)}))
    assert cards_shown(event) == {two, ten}
    hidden = event.seen(1)
    assert hidden is not None
    assert cards_shown(hidden) == set()
    assert cards_shown(Asks(rule="PM-7", seat=Seat(0), card=two)) == set()


def test_a_line_knows_its_deals_and_what_was_shown() -> None:
    session = Session(game("fight_for_the_lead", players=2, deals=2, first_dealer=0), seed=3)
    session.auto("still", until="game")
    line = Line(session)
    shuffles = [n for n, (_, action) in enumerate(line.actions) if action.verb == "shuffle"]
    assert shuffles[0] == 0
    moment = shuffles[1] + 3
    assert (line.deal_start(moment), line.deal_end(moment)) == (shuffles[1], len(line.actions))
    dealt = [action.card for _, action in line.actions[shuffles[1] + 1 : moment]]
    assert [card for card in dealt if card not in line.unseen(Seat(1), moment)] == dealt[1:]  # now seat 1 deals
    assert set(dealt) <= set(line.unseen(None, moment)) & line.handled(moment)
