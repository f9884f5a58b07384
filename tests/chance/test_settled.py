"""What came true of a question, and the same questions answered by play: beside the exact answers, and read again from whole games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from probable import assert_probable

from cardlab import BadRequest, Session, game
from cardlab.cards import Card
from cardlab.chance import ask, fitting
from cardlab.chance.answers import Exact
from cardlab.chance.kings import Leaving
from cardlab.chance.marshal_outcomes import Settled, TitleOf
from cardlab.chance.played import Played
from cardlab.chance.settled import MOST, WATCHES, settled, watch
from cardlab.core.events import TEACHER, Seat, Viewer

N = 200
GAMES = {
    "suicide_king": ({"players": 2}, {"players": 4}, {"players": 3, "preset": "pagat", "extra_cards": "batch"}),
    "fight_for_the_lead": ({"players": 2}, {"players": 4}),
    "poker_marshal": ({},),
}
VIEWERS: dict[str, tuple[Viewer, ...]] = {
    "suicide_king": (None,),  # all is open
    "fight_for_the_lead": (None, Seat(0), TEACHER),
    "poker_marshal": (None, Seat(0)),
}
QUESTIONS = {
    "suicide_king": ("last_player", "leaves_this_deal", "turn_length", "next_card", "cards_to_end"),
    "fight_for_the_lead": ("first_match", "suit_turned", "wins_lead", "no_trick", "trick_winner"),
    "poker_marshal": ("next_title", "title_draw"),
}


def moments(name: str, question: str, **options: Any) -> Iterator[tuple[Session, Viewer]]:
    """Where a question fits, now and then: at the first moment of each phase for each viewer, and at a later one."""
    session = Session(game(name, **options), seed=11)
    met: dict[tuple[Viewer, str], int] = {}
    while session.at < 260 and session.game.phase(session.state) != "over":
        for viewer in VIEWERS[name]:
            if question in [asked.name for asked in fitting(session.view(viewer))]:
                key = viewer, session.game.phase(session.state)
                met[key] = met.get(key, 0) + 1
                if met[key] in (1, 9):
                    yield session, viewer
        session.step("random")


@pytest.mark.parametrize(("name", "question"), [(name, question) for name, asked in QUESTIONS.items() for question in asked])
def test_play_agrees_with_the_exact_answer(name: str, question: str) -> None:
    compared = 0
    for options in GAMES[name]:
        for session, viewer in moments(name, question, **options):
            if question in ("no_trick", "next_title") and session.game.phase(session.state) in (
                "lot",
                "deal",
                "fight",
                "marshal",
                "deputy",
            ):
                continue  # an estimate itself, of a sample that takes seconds
            view = session.view(viewer)
            answer = ask(view, question, n=200)
            every = list(answer)
            for outcome in {str(each): each for each in (*watch(view, question).outcomes()[:2], every[-1])}.values():
                exact = answer[outcome]
                if isinstance(exact, Exact):
                    found = Played(view, question, outcome).more(N)
                    assert_probable(int(found.total), found.n, exact.value, comparisons=400)
                    compared += 1
    assert compared >= 3


def test_a_choice_that_is_asked_about_is_made() -> None:
    """With different cards the chances differ, though the same player would lay any of them."""
    session = Session(game("fight_for_the_lead", players=3), seed=5)
    while session.game.phase(session.state) != "fight":
        session.step("random")
    view = session.view(1)
    found = {card: Played(view, "wins_lead", card).more(400).mean for card in view.hand(1)}
    assert max(found.values()) > 1.3 * min(found.values())


@pytest.mark.parametrize("name", GAMES)
def test_what_came_true_is_true_in_the_events_of_the_game(name: str) -> None:
    """Every question of every moment of a game is settled at its end, once, and all viewers agree; before, it is open."""
    session = Session(game(name, deals=2) if name != "suicide_king" else game(name), seed=3)
    session.auto("random", until="game")
    last = session.at
    for at in range(0, last, 11):
        told: dict[str, set[Any]] = {}
        for viewer in (None, Seat(1), TEACHER):
            session.goto(at)
            asked = [each.name for each in fitting(session.view(viewer)) if each.name in WATCHES]
            for question in asked:
                assert settled(session.goto(at), at, question, viewer).true is None or question == "last_player"
                found = settled(session.goto(last), at, question, viewer)
                assert found.true is not None, (at, question)
                if not found.conditional:
                    told.setdefault(question, set()).add(found.true)
        assert all(len(answers) == 1 for answers in told.values())


def test_suicide_king_reads_as_it_was_played() -> None:
    session = Session(game("suicide_king", players=3), seed=7)
    session.auto("random", until="game")
    left = [(event.seat, event.rule) for _, _, event in session.events(None) if event.key == "suicide_king.leaves"]
    deals = [(step.before.deal, event.seat, event.rule) for _, step, event in session.events(None) if event.key == "suicide_king.leaves"]
    taken = [event.card for _, step, event in session.events(None) if event.key == "suicide_king.took" and step.before.deal == 0]
    (loser,) = {Seat(0), Seat(1), Seat(2)} - {seat for seat, _ in left}
    assert settled(session, 0, "last_player").true == {loser}
    first = {Leaving(seat, "king" if rule == "SK-9" else "last_card") for deal, seat, rule in deals if deal == 0}
    assert settled(session, 0, "leaves_this_deal").true == first
    assert settled(session, 0, "next_card").true == {taken[0]}
    assert settled(session, 0, "cards_to_end").true == {len(taken)}


def test_fight_and_marshal_read_as_they_were_played() -> None:
    session = Session(game("fight_for_the_lead", players=3), seed=5)
    session.auto("random", until="deal")
    events = [(n, event) for n, _, event in session.events(TEACHER)]
    laid = next((n, event) for n, event in events if event.key == "fight.laid" and event.seat == 1)
    won = next(event for _, event in events if event.key == "fight.lead_won")
    other = next(card for card in session.branch().goto(laid[0] - 1).view(1).hand(1) if card is not laid[1].card)
    found = settled(session, laid[0] - 1, "wins_lead", 1)
    assert found.came(laid[1].card) is (won.seat == 1)
    assert found.void(other)
    assert found.came(other) is None
    losers = {event.seat for _, event in events if event.key == "fight.loses"}
    assert settled(session, 1, "no_trick").true == losers
    turned = next(event.card for _, event in events if event.key == "fight.turned")
    suits = settled(session, laid[0] - 1, "suit_turned", 1)
    assert suits.came(Card(f"2{turned.token[-1]}")) is True
    assert suits.came(other) is (other.suit == turned.suit)

    session = Session(game("poker_marshal"), seed=7)
    session.auto("random", until="deal")
    first, later = (event for _, _, event in session.events(None) if event.key == "marshal.titles")
    ties = [event for _, _, event in session.events(None) if event.key == "marshal.title_tie" and event.rule == "PM-1"]
    assert settled(session, 0, "next_title").true == {TitleOf(seat, title) for title, seat in enumerate(first.seats)}
    assert settled(session, 40, "next_title").came(TitleOf(later.seats[0], 0))
    assert settled(session, 0, "title_draw").true == {Settled(not ties)}


def test_the_outcomes_to_choose_from_are_few_and_in_the_answer() -> None:
    for name, asked in QUESTIONS.items():
        for question in asked:
            for session, viewer in moments(name, question, **GAMES[name][-1]):
                view = session.view(viewer)
                outcomes = watch(view, question).outcomes()
                assert len(outcomes) <= MOST
                if question not in ("no_trick", "next_title"):
                    assert set(outcomes) <= set(ask(view, question))


def test_it_stops_when_it_is_told_to() -> None:
    view = Session(game("suicide_king"), seed=1).view()
    played = Played(view, "last_player", Seat(0))
    calls = iter([False] * 5 + [True])
    assert played.more(1000, cancelled=lambda: next(calls)).n == 5
    assert played.more(1000, seconds=1e-9).n in (5, 6)
    whole = Played(view, "last_player", Seat(0)).more(40)
    assert played.more(40) == whole  # the same samples, however they are taken


def test_what_cannot_be_followed_is_refused() -> None:
    session = Session(game("fight_for_the_lead"), seed=1)
    with pytest.raises(BadRequest, match="tricks"):
        settled(session, 0, "tricks")
    with pytest.raises(BadRequest, match="3"):
        settled(session, 3, "first_match")
