"""What is marked as just moved, and where it came from: after each kind of step, for those who see it and for those who do not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from table_tools import TABLES, played, viewers

from cardlab import TEACHER, Card, Session, game
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import OVER
from cardlab.desk import Desk
from cardlab.view.moved import Moved, moved
from cardlab.view.scene import Scene, scene

Spots = dict[tuple[str, int], str]


def table(session: Session, viewer: Viewer) -> Scene:
    return scene(session.game, session.view(viewer), session.view())


def steps_of(name: str, wanted: Callable[[Session], Any], seeds: int = 60, **house: Any) -> Session:
    """A random game that stands right after a step of some kind."""
    for seed in range(seeds):
        session = Session(game(name, **house), seed=seed)
        while session.actor is not OVER:
            session.step("random")
            if wanted(session):
                return session
    raise AssertionError("no such step")


def verb(session: Session) -> str:
    assert session.cursor.step is not None
    return session.cursor.step.action.verb


def came(session: Session, viewer: Viewer, steps: int = 1) -> Spots:
    """What a viewer sees marked for the last steps."""
    before = session.branch().goto(session.at - steps)
    return dict(moved(table(before, viewer), table(session, viewer)).came)


def face(session: Session, viewer: Viewer, spot: tuple[str, int]) -> Card | None:
    return table(session, viewer).zones()[spot[0]][spot[1]]


# one kind of step after the other


def test_a_card_taken_comes_from_its_pile_for_everybody() -> None:
    session = steps_of("suicide_king", lambda s: verb(s) == "card" and s.at > 20, players=4)
    step = session.cursor.step
    assert step is not None
    taker, pile = step.before.turn, step.before.pile
    for viewer in viewers(session.game):
        ((spot, source),) = came(session, viewer).items()
        assert spot[0] == f"hand {int(taker)}"
        assert source == f"pile {pile}"
        assert face(session, viewer, spot) == step.action.card


def test_a_pile_that_is_reached_for_is_marked_and_no_card() -> None:
    session = steps_of("suicide_king", lambda s: verb(s) == "take", players=3)
    for viewer in viewers(session.game):
        assert came(session, viewer) == {}
        assert [group.marked for group in table(session, viewer).middle] == [k == session.state.pile for k in range(5)]


@pytest.mark.parametrize("name", ["fight_for_the_lead", "poker_marshal"])
def test_a_card_dealt_comes_from_the_stock_as_a_face_for_its_player_and_a_back_for_the_others(name: str) -> None:
    session = steps_of(name, lambda s: verb(s) == "deal")
    step = session.cursor.step
    assert step is not None
    (receiver,) = (seat for seat in session.game.seats if len(step.after.hands[seat]) > len(step.before.hands[seat]))
    for viewer in viewers(session.game):
        ((spot, source),) = came(session, viewer).items()
        assert spot[0] == f"hand {int(receiver)}"
        assert source == "stock"
        assert face(session, viewer, spot) == (step.action.card if viewer in (receiver, TEACHER) else None)


def test_a_card_played_comes_from_the_hand_and_a_trick_taken_marks_its_last_card_alone() -> None:
    session = Session(game("fight_for_the_lead", players=3), seed=7)
    while session.game.phase(session.state) != "tricks":
        session.step("still")
    for n in range(12):
        player = session.actor
        assert isinstance(player, Seat)
        step = session.step("still")
        for viewer in viewers(session.game):
            assert came(session, viewer) == {("trick", n % 3): f"hand {int(player)}"}
            assert face(session, viewer, ("trick", n % 3)) == step.action.card


def test_a_sealed_fight_card_moves_for_its_player_at_once_and_for_the_others_when_it_is_opened() -> None:
    session = steps_of("fight_for_the_lead", lambda s: verb(s) == "fight", players=4)
    step = session.cursor.step
    assert step is not None
    first = step.before.mover
    for viewer in viewers(session.game):
        expected = {("fight", 0): f"hand {int(first)}"} if viewer in (first, TEACHER) else {}
        assert came(session, viewer) == expected


def test_fight_cards_come_from_the_hands_and_the_turned_card_from_the_stock() -> None:
    opened = steps_of("fight_for_the_lead", lambda s: verb(s) == "turn" and s.state.fight and s.state.lead is None, players=4)
    assert len(opened.state.turned) == 1
    for viewer in viewers(opened.game):
        marked = came(opened, viewer)
        assert marked.pop(("turned", 0)) == "stock"
        own = 1 if isinstance(viewer, Seat) else 0
        assert len(marked) == (0 if viewer == TEACHER else 4 - own)
        owners = next(group.owners for group in table(opened, viewer).middle if group.key == "fight")
        assert all(source == f"hand {int(owners[k])}" for (_, k), source in marked.items())


def test_an_exchange_shows_the_cards_that_come_and_not_those_that_go() -> None:
    session = steps_of("fight_for_the_lead", lambda s: verb(s) == "exchange", players=4)
    step = session.cursor.step
    assert step is not None
    seat, n = step.before.mover, len(step.action.cards)
    for viewer in viewers(session.game):
        assert came(session, viewer) == {}
    for k in range(1, n + 1):
        session.play()
        for viewer in viewers(session.game):
            ((spot, source),) = came(session, viewer).items()
            assert (spot[0], source) == (f"hand {int(seat)}", "stock")
        marked = came(session, seat, k)
        assert len(marked) == k
        assert set(marked.values()) == {"stock"}
    assert len(came(session, seat, n + 1)) == n  # with the exchange itself
    assert {face(session, seat, spot) for spot in came(session, seat, n + 1)} == set(session.state.hands[seat]) - set(
        step.before.hands[seat]
    )


def swap(session: Session) -> bool:
    """Whether the Marshal's swap of one card has just been made."""
    step = session.cursor.step
    return verb(session) == "blind" and step is not None and step.before.phase == "marshal" and step.after.phase != "marshal"


def test_a_blind_draw_is_a_face_for_both_parties_and_a_back_for_the_others() -> None:
    session = steps_of("poker_marshal", swap)
    step = session.cursor.step
    assert step is not None
    marshal, bandit = step.before.titles[0], step.before.titles[4]
    drawn, given = step.action.card, set(step.before.laid)
    for viewer in viewers(session.game):
        marked = came(session, viewer)
        faces = {card: spot[0] for spot in marked if (card := face(session, viewer, spot)) is not None}
        if viewer in (marshal, bandit, TEACHER):
            assert faces == {drawn: f"hand {marshal}"} | dict.fromkeys(given, f"hand {bandit}")
            sources = {card: source for spot, source in marked.items() if (card := face(session, viewer, spot))}
            assert sources[drawn] == f"hand {bandit}"
        else:
            assert faces == {}
            assert all(spot[0] in (f"hand {marshal}", f"hand {bandit}") for spot in marked)
            assert all(source in ("", f"hand {bandit}") for source in marked.values())  # never what was laid: that is swapped


def test_a_card_laid_comes_from_the_hand() -> None:
    session = steps_of("poker_marshal", lambda s: verb(s) == "lay" and s.cursor.step.before.phase == "marshal")  # type: ignore[union-attr]
    marshal = session.state.titles[0]
    for viewer in viewers(session.game):
        ((spot, source),) = came(session, viewer).items()
        assert (spot[0], source) == ("laid", f"hand {marshal}")
        assert (face(session, viewer, spot) is None) == (viewer not in (marshal, TEACHER))


def test_a_card_that_is_named_is_marked_and_comes_from_nowhere() -> None:
    held = lambda s: verb(s) == "ask" and any(s.state.asked in hand for hand in s.state.hands)  # noqa: E731
    session = steps_of("poker_marshal", held)
    for viewer in viewers(session.game):  # the holder's own table shows no card that leaves its hand
        assert came(session, viewer) == {("named", 0): ""}
        assert face(session, viewer, ("named", 0)) == session.state.asked


def test_nothing_moves_in_a_showdown() -> None:
    session = Session(game("poker_marshal", deals=4), seed=3)
    tried = 0
    while session.actor is not OVER:
        session.step("random")
        if verb(session) == "show":
            tried += 1
            for viewer in viewers(session.game):
                rows = table(session, viewer).seats
                assert all(None not in row.cards and row.cards for row in rows)
                assert came(session, viewer) == {}
    assert tried == 4


def test_nothing_is_marked_at_the_start() -> None:
    for name in TABLES:
        desk = Desk.on(played(name).branch().goto(0))
        assert 'class="new"' not in desk.drawn()
        assert "data-from" not in desk.drawn() + desk.peek(0)


# every step of many games


@pytest.mark.parametrize("name", TABLES)
def test_no_more_is_marked_than_moved_and_no_source_is_wrong(name: str) -> None:
    """Against the truth: each mark lies where a card came to, and a source is a place that a card left."""
    session = played(name, seed=8, deals=2).branch()
    marks = 0
    for n in range(1, len(session) + 1):
        session.goto(n)
        before, after = (table(session.branch().goto(k), TEACHER).zones() for k in (n - 1, n))
        gained = {place: set(cards) - set(before.get(place, ())) - {None} for place, cards in after.items()}
        for viewer in viewers(session.game):
            marked, mine = came(session, viewer), table(session, viewer).zones()
            earlier = table(session.branch().goto(n - 1), viewer).zones()
            marks += len(marked)
            for place, count in Counter(place for place, _ in marked).items():
                opened = place == "fight" or place.startswith("laid")  # sealed before: the teacher saw it come a step or more ago
                assert count <= len(gained[place]) or opened, (n, viewer, place)
            for (place, k), source in marked.items():
                assert source != place
                card = mine[place][k]
                if card is not None and source and place != "fight":  # without a source: one of several that may have come
                    assert card in gained[place], (n, viewer, card)
                if source:
                    fewer = len(earlier[source]) > len(mine.get(source, ()))
                    assert fewer or set(earlier[source]) - set(mine.get(source, ())) or gained[source], (n, viewer, place, source)
    assert marks > 40


def test_what_moved_is_read_off_the_scenes_alone() -> None:
    session = played("poker_marshal 5", seed=2).branch()
    for n in range(1, len(session) + 1, 5):
        session.goto(n)
        for viewer in viewers(session.game):
            before, after = table(session.branch().goto(n - 1), viewer), table(session, viewer)
            assert moved(before, after) == moved(before, after)
            assert moved(after, after) == Moved()


# in the picture


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_the_picture_marks_what_moved(name: str, narrow: bool) -> None:
    session = played(name, seed=9).branch()
    for n in range(1, len(session) + 1, 7):
        for viewer in (0, None, TEACHER):
            desk = Desk.on(session.goto(n).branch(), seat=viewer)
            marked = came(session, desk.viewer)
            piles = sum(group.marked for group in desk.scene().middle)
            for drawn in (desk.drawn(narrow), desk.peek(n, narrow)):
                assert drawn.count('class="new"') == len(marked) + piles
                assert Counter(re.findall(r'data-from="([^"]+)"', drawn)) == Counter(source for source in marked.values() if source)


def test_several_steps_of_one_press_are_marked_together() -> None:
    desk = Desk("fight_for_the_lead", players=3, seed=4, pace="move")
    while desk.session.game.phase(desk.session.state) != "exchange" or verb(desk.session) != "draw":
        desk.step()
    assert desk.at - desk.since > 1
    assert desk.drawn().count("data-from") == len(came(desk.session, TEACHER, desk.at - desk.since)) > 0
