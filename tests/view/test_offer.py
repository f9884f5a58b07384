"""What may be clicked on a table: every legal move and nothing else, and why another card says nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from table_tools import SVG, TABLES, played

from cardlab import TEACHER, Action, BadRequest, Card, IllegalAction, Session, game
from cardlab.core.events import Seat, Viewer
from cardlab.desk import Desk
from cardlab.view.html import moves
from cardlab.view.offer import CHOOSE, Offer, offer
from cardlab.view.scene import scene
from cardlab.words import LANGUAGES, Words

EN = Words("en")


def offered(session: Session, chosen: tuple[Card, ...] = ()) -> Offer:
    """What the seat to act may click, on its own table."""
    assert isinstance(session.actor, Seat)
    state, legal = session.state, session.legal
    table = scene(session.game, session.view(session.actor))
    return offer(table, session.actor, legal, lambda action: session.game.why_not(state, action), chosen)


def until(name: str, there: Callable[[Session], Any], seeds: int = 40, **house: Any) -> Session:
    """The first moment of a random game at which something is so."""
    for seed in range(seeds):
        session = Session(game(name, **house), seed=seed)
        while session.legal or session.outcome is None:
            if isinstance(session.actor, Seat) and there(session):
                return session
            session.step("random")
    raise AssertionError("no such moment")


def phase(session: Session) -> str:
    return session.game.phase(session.state)


# all legal moves, and nothing else


def reached(session: Session) -> set[str]:
    """The tokens of all moves that clicks lead to; demands that no click leads elsewhere."""
    found: set[str] = set()
    tried: set[tuple[Card, ...]] = {()}
    open_sets: list[tuple[Card, ...]] = [()]
    while open_sets:
        chosen = open_sets.pop()
        told = offered(session, chosen)
        assert told.chosen == chosen
        assert not told.says.keys() & told.why.keys()
        found |= {str(action) for action in (*told.moves, *told.picks)}
        for name, said in told.says.items():
            verb, _, card = said.partition(" ")
            if verb != CHOOSE:
                found.add(said)
                continue
            assert name == card
            after = tuple(sorted({*chosen} ^ {Card(card)}))
            if after not in tried:
                tried.add(after)
                open_sets.append(after)
    return found


@pytest.mark.parametrize("table", TABLES)
def test_clicks_lead_to_every_legal_move_and_to_no_other(table: str) -> None:
    session = played(table, seed=3).branch()
    tried = 0
    for n in range(len(session) + 1):
        session.goto(n)
        if isinstance(session.actor, Seat):
            tried += 1
            assert reached(session) == {str(action) for action in session.legal}, n
    assert tried > 20


@pytest.mark.parametrize("table", TABLES)
def test_each_reason_is_that_of_the_game(table: str) -> None:
    session = played(table, seed=4).branch()
    for n in range(len(session) + 1):
        session.goto(n)
        if not isinstance(session.actor, Seat):
            continue
        for name, reason in offered(session).why.items():
            pile = re.fullmatch(r"pile (\d)", name)
            verbs = {action.verb for action in session.legal}
            tokens = [f"take {pile[1]}"] if pile else [f"{verb} {name}" for verb in verbs]
            reasons = {session.game.why_not(session.state, Action.parse(token)) for token in tokens}
            assert reason in reasons, (n, name)


# which cards speak, and which say why not


def following(session: Session) -> bool:
    """Whether a suit must be followed by some cards of the hand and not by others."""
    hand = session.state.hands[session.actor]
    return phase(session) == "tricks" and 0 < len(session.legal) < len(hand)


def test_whoever_must_follow_suit_is_told_why_the_others_do_not_speak() -> None:
    session = until("fight_for_the_lead", following, players=3)
    led = session.state.trick[0][1].suit
    hand = session.state.hands[session.actor]
    told = offered(session)
    assert told.says == {card.token: f"play {card}" for card in hand if card.suit == led}
    assert set(told.why) == {card.token for card in hand if card.suit != led}
    for language in LANGUAGES:
        words = Words(language)
        for reason in told.why.values():
            assert words.show(reason).startswith("FL-10: ")
            assert words.text(f"suit.{led}") in words.show(reason) or words.text(f"suit.of.{led}") in words.show(reason)


def test_an_empty_pile_says_that_it_is_empty() -> None:
    session = until("suicide_king", lambda s: 0 in s.state.piles and any(s.state.piles), players=4)
    told = offered(session)
    empty = {f"pile {k}" for k, n in enumerate(session.state.piles) if not n}
    assert set(told.why) == empty
    assert set(told.says) == {f"pile {k}" for k in range(5)} - empty
    assert all(EN.show(reason).startswith("SK-5: ") for reason in told.why.values())
    assert told.moves == told.picks == ()


def holds_joker(session: Session) -> bool:
    return phase(session) in ("marshal", "offers") and any(card.joker for card in session.state.hands[session.actor])


def test_a_joker_says_that_it_may_not_pass() -> None:
    session = until("poker_marshal", lambda s: holds_joker(s) and phase(s) == "marshal")
    told = offered(session)
    jokers = {card.token for card in session.state.hands[session.actor] if card.joker}
    assert set(told.why) == jokers
    assert all(EN.show(reason).startswith("PM-6: ") for reason in told.why.values())
    assert set(told.says) == {card.token for card in session.state.hands[session.actor]} - jokers
    assert [action.verb for action in told.moves] == ["enough"]


def test_the_cards_that_may_be_asked_for_lie_beside_the_table() -> None:
    session = until("poker_marshal", lambda s: phase(s) == "offers" and s.legal[0].verb in ("ask", "enough") and len(s.legal) > 30)
    hand = session.state.hands[session.actor]
    told = offered(session)
    others = {card for card in session.game.size.pack if not card.joker and card not in hand}
    assert {action.card for action in told.picks} == others
    assert len(others) == 52 - sum(not card.joker for card in hand)
    assert {action.verb for action in told.picks} == {"ask"}
    assert told.says == told.why == {}  # no card of the hand is asked for now, so none needs a reason
    if not any(card.joker for card in hand):
        assert len(others) == 47
    grid = ElementTree.fromstring(moves(told, session.game, EN))
    assert [button.attrib["data-say"] for button in grid.iter("button") if "pick" in button.attrib["class"]] == [
        f"ask {card}" for card in sorted(others, reverse=True)
    ]


def test_several_cards_are_chosen_one_by_one() -> None:
    session = until("fight_for_the_lead", lambda s: phase(s) == "exchange", players=4)
    hand = session.state.hands[session.actor]
    told = offered(session)
    assert told.says == {card.token: f"choose {card}" for card in hand}
    assert [str(action) for action in told.moves] == ["stand"]
    one, two, *_ = hand
    told = offered(session, (one,))
    assert told.says == {card.token: f"choose {card}" for card in hand}  # the same click takes it back
    assert sorted(map(str, told.moves)) == [f"exchange {one}", "stand"]
    both = tuple(sorted((one, two)))
    assert f"exchange {both[0]} {both[1]}" in map(str, offered(session, both).moves)


def test_more_cards_than_may_be_exchanged_are_refused_with_the_rule() -> None:
    rich = {"players": 2, "bankroll": 12, "stake": 4}  # after the stake he can pay for two
    session = until("fight_for_the_lead", lambda s: phase(s) == "exchange" and max(len(a.cards) for a in s.legal) == 2, **rich)
    hand = session.state.hands[session.actor].cards
    chosen = hand[:2]
    told = offered(session, chosen)
    assert set(told.says) == {card.token for card in chosen}  # to be taken back
    assert set(told.why) == {card.token for card in hand[2:]}
    assert all(EN.show(reason).startswith(("FL-8: ", "bankroll: ")) for reason in told.why.values())


# on a desk


def a_desk(session: Session, viewer: Viewer, language: str = "en") -> Desk:
    return Desk.on(session.branch(), seat=viewer, language=language)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_sees_what_another_may_do(table: str) -> None:
    session = played(table, seed=5).branch()
    for n in range(0, len(session) + 1, 19):
        session.goto(n)
        for viewer in (*session.game.seats, None, TEACHER):
            desk = a_desk(session, viewer)
            told = desk.offer()
            assert (told is not None) == (isinstance(session.actor, Seat) and viewer in (session.actor, TEACHER))
            if told is None:
                for narrow in (False, True):
                    assert not re.search("data-say|data-why|role=.button|tabindex|aria-disabled", desk.drawn(narrow))
                assert "data-say" not in moves(told, desk.game, desk.words)
            else:
                assert told.seat == session.actor


def speaking(markup: str) -> dict[str, str]:
    """What the cards and piles of a picture say, by their tokens or places."""
    root = ElementTree.fromstring(markup)
    told = [group.attrib for group in root.iter(f"{SVG}g") if "data-say" in group.attrib or "data-why" in group.attrib]
    assert all(given["tabindex"] == "0" and given["role"] == "button" and given["aria-label"] for given in told)
    assert all(("data-why" in given) == (given.get("aria-disabled") == "true") for given in told)
    return {given.get("data-key") or given["data-zone"]: given.get("data-say") or given["data-why"] for given in told}


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", TABLES)
def test_the_picture_says_what_is_offered(table: str, language: str, narrow: bool) -> None:
    session = played(table, seed=6).branch()
    for n in range(0, len(session) + 1, 29):
        session.goto(n)
        desk = a_desk(session, session.actor if isinstance(session.actor, Seat) else None, language)
        told = desk.offer()
        expected = {} if told is None else {**told.says, **{name: desk.words.show(reason) for name, reason in told.why.items()}}
        assert speaking(desk.drawn(narrow)) == expected


def test_a_reason_is_also_read_out() -> None:
    session = until("fight_for_the_lead", following, players=3)
    root = ElementTree.fromstring(a_desk(session, session.actor).drawn())
    for group in root.iter(f"{SVG}g"):
        if "data-why" in group.attrib:
            card = Card(group.attrib["data-key"])
            assert group.attrib["aria-label"] == f"{card.spoken(EN)}. {group.attrib['data-why']}"


def test_chosen_cards_are_pressed_and_forgotten_when_the_moment_goes() -> None:
    session = until("fight_for_the_lead", lambda s: phase(s) == "exchange", players=4)
    desk = a_desk(session, session.actor)
    hand = session.state.hands[session.actor].cards
    desk.click(f"choose {hand[0]}").click(f"choose {hand[2]}")
    assert desk.chosen == tuple(sorted((hand[0], hand[2])))
    pressed = re.findall(r'data-key="(\w+)"[^>]*aria-pressed="true"', desk.drawn())
    assert {Card(token) for token in pressed} == set(desk.chosen)
    assert desk.drawn().count('class="chosen"') == 2
    desk.click(f"choose {hand[0]}")
    assert desk.chosen == (hand[2],)
    with pytest.raises(BadRequest):
        desk.click("choose 2C" if Card("2C") not in hand else "choose AC")
    assert desk.chosen == (hand[2],)
    desk.click(f"exchange {hand[2]}")
    assert desk.chosen == ()


def test_a_click_on_what_is_not_legal_changes_nothing() -> None:
    session = until("fight_for_the_lead", following, players=3)
    desk = a_desk(session, session.actor)
    told = desk.offer()
    assert told is not None
    before = desk.drawn()
    with pytest.raises(IllegalAction):
        desk.click(f"play {next(iter(told.why))}")
    assert desk.drawn() == before
    other = a_desk(session, (session.actor + 1) % 3)
    with pytest.raises(BadRequest):
        other.click(next(iter(told.says.values())))


def test_the_dealer_gives_what_a_click_asked_for() -> None:
    desk = Desk("suicide_king", players=2, seed=7, seat=TEACHER, first_dealer=0)
    desk.step()
    desk.click("take 0")
    assert [step.action.verb for step in desk.session.steps] == ["shuffle", "take", "card"]
    assert desk.since == 1
