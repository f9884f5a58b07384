"""Suicide King: the rules SK-1 to SK-12 with cards given by hand; its house rules are in test_suicide_king_house_rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from kings import DEFAULT, ENDS_DEAL, standing, suicide, take, whole
from scenario import chance, refused, rules_of, scripted, told

from cardlab import CHANCE, OVER, TEACHER, Action, Bag, Session, game
from cardlab.cards import PACK_52, parse_card
from cardlab.core.events import FirstDealer, GameOver
from cardlab.games.suicide_king import Begins, DealGoesOn, Leaves, NextDeal, Owes, Passed, Shuffled, StillOwes, Took
from cardlab.words import Words

# the rules


def test_SK_1_the_last_player_left_loses_the_others_are_placed_as_they_left() -> None:
    session = suicide([*whole("KH"), "KH"], players=5)
    take(session, 52)
    assert session.state.left == (0, 4)  # the king of hearts, then the last card
    assert session.outcome is None
    take(session)
    assert session.state.left == (0, 4, 2)
    take(session, 51)
    assert session.actor is OVER
    assert standing(session) == ((0,), (4,), (2,), (1,), (3,))
    assert session.outcome.reason == "last_player"


def test_SK_2_the_first_dealer_is_drawn_by_lot() -> None:
    session = scripted("suicide_king", [2, "5S"], players=4)
    assert session.actor is CHANCE
    for viewer in (None, 0, TEACHER):
        assert session.view(viewer).table.dealer is None
        lots = session.expects(viewer)
        assert {str(lot): lots.p(lot) for lot in lots} == {f"dealer {seat}": Fraction(1, 4) for seat in range(4)}
    (lot,) = told(session.play().events, FirstDealer)
    assert (lot.rule, lot.dealer, lot.lot) == ("SK-2", 2, True)
    chance(session)
    assert (session.state.dealer, session.actor) == (2, 3)


@pytest.mark.parametrize("dealer", [0, 1, 2, 3, "2"])
def test_SK_2_or_the_first_dealer_is_named(dealer: int | str) -> None:
    session = suicide("5S", first_dealer=dealer)
    (named,) = told(chance(session), FirstDealer)
    assert (named.rule, named.dealer, named.lot) == ("SK-2", int(dealer), False)
    assert session.actor == (int(dealer) + 1) % 4


def test_SK_3_twelve_cards_in_the_middle_and_four_piles_of_ten() -> None:
    session = suicide("5S")
    (shuffled,) = told(chance(session), Shuffled)
    assert (shuffled.rule, shuffled.dealer) == ("SK-3", 3)
    for viewer in (None, *range(4), TEACHER):
        table = session.view(viewer).table
        assert table.piles == (12, 10, 10, 10, 10)
        assert table.unseen == Bag(PACK_52)


def test_SK_3_the_kth_card_taken_from_a_pile_lies_at_its_kth_place() -> None:
    """Whatever else is taken before, a pile of a seeded deal shows the same cards in the same order."""

    def first_three(pile: int, others: list[int]) -> list[str]:
        session = Session(game("suicide_king", 5, first_dealer=4), seed=11)
        taken = [event for other in others for event in told(take(session, pile=other), Took)]
        taken += told(take(session, 3, pile=pile), Took)
        return [str(event.card) for event in taken if event.pile == pile]

    for pile in range(5):
        others = [other for other in range(5) if other != pile]
        assert first_three(pile, []) == first_three(pile, others)
        assert first_three(pile, others[:1]) == first_three(pile, others[1:] + others[1:])


def test_SK_3_no_state_holds_the_order_of_a_pile() -> None:
    states = []
    for seed in (1, 2):
        session = Session(game("suicide_king", 4, first_dealer=3), seed=seed)
        chance(session)
        session.play("take 2")
        states.append(session.state)
        assert session.expects(0) == session.game.chances(session.state)
        assert session.expects(0).p(Action.parse("card KH")) == Fraction(1, 52)
    assert states[0] == states[1]


def test_SK_4_the_dealers_left_moves_first_in_every_deal() -> None:
    session = suicide("KH KH KH", players=5, first_dealer=1, **ENDS_DEAL)
    movers = []
    for _ in range(3):
        (begins,) = told(chance(session), Begins)
        movers.append((session.state.dealer, session.actor))
        assert (begins.rule, begins.seat) == ("SK-4", session.actor)
        session.play("take 0")
        session.play()
    assert movers == [(1, 2), (3, 4), (0, 1)]  # the second dealer is 3, for 2 has left; the third is 0, for 4 has left


def test_SK_5_the_top_card_of_any_pile_is_shown_to_all() -> None:
    session = suicide("7D QC")
    chance(session)
    assert [str(move) for move in session.legal] == ["take 0", "take 1", "take 2", "take 3", "take 4"]
    (took,) = told(take(session, pile=3), Took)
    assert (took.rule, took.seat, took.pile, str(took.card)) == ("SK-5", 0, 3, "7D")
    for viewer in (None, *range(4), TEACHER):
        view = session.view(viewer)
        assert view.shown == ((0, parse_card("7D")),)
        assert view.table.piles == (12, 10, 10, 9, 10)
        assert parse_card("7D") not in view.table.unseen


def test_SK_5_a_pile_that_is_used_up_is_no_choice() -> None:
    session = suicide("2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D")
    take(session, 10, pile=2)
    assert [str(move) for move in session.legal] == ["take 0", "take 1", "take 3", "take 4"]
    reason = refused(session, "take 2", "SK-5")
    assert dict(reason.phrase.params) == {"pile": 2, "piles": "0, 1, 3, 4"}
    for language in ("en", "ru"):
        assert "0, 1, 3, 4" in reason.display(Words(language))


@pytest.mark.parametrize("token", ["take 5", "take 99", "take", "take KH", "pass", "stand", "card KH", "play KH", "continue"])
def test_SK_5_there_is_no_passing(token: str) -> None:
    session = suicide("5S")
    chance(session)
    reason = refused(session, token, "SK-5")
    assert "0, 1, 2, 3, 4" in reason.display(Words("en"))


def test_SK_5_cards_taken_stay_aside_for_the_deal_and_come_back_in_the_next() -> None:
    session = suicide(["KH", "5S"], players=3, **ENDS_DEAL)
    take(session)
    assert session.view().shown == ()
    assert session.state.unseen == Bag(PACK_52)
    assert session.state.piles == (12, 10, 10, 10, 10)
    take(session)
    assert parse_card("5S") not in session.state.unseen
    assert parse_card("KH") in session.state.unseen


@pytest.mark.parametrize("rank", "23456789T")
def test_SK_6_two_to_ten_passes_the_turn(rank: str) -> None:
    session = suicide(f"{rank}H {rank}C")
    (passed,) = told(take(session), Passed)
    assert (passed.rule, passed.seat, passed.to) == ("SK-6", 0, 1)
    assert session.actor == 1
    take(session)
    assert session.actor == 2


def test_SK_6_the_turn_passes_over_those_who_have_left() -> None:
    session = suicide("2C KH 3C 4C 5C")
    movers = []
    for _ in range(5):
        chance(session)
        movers.append(session.actor)
        take(session)
    assert movers == [0, 1, 2, 3, 0]
    assert session.actor == 2  # not 1, who took the king of hearts


@pytest.mark.parametrize(("honour", "extra"), [("AS", 4), ("KS", 3), ("QS", 2), ("JS", 1), ("AH", 4), ("QH", 2), ("KD", 3)])
def test_SK_7_an_honour_asks_for_extra_cards_each_from_any_pile(honour: str, extra: int) -> None:
    session = suicide(f"{honour} 2C 3C 4C 5C")
    (owes,) = told(take(session, pile=4), Owes)
    assert (owes.rule, owes.seat, owes.n) == ("SK-7", 0, extra)
    for taken in range(extra):
        assert (session.actor, session.state.due) == (0, extra - taken)
        assert [move.number for move in session.legal] == [0, 1, 2, 3, 4]
        still = told(take(session, pile=3 - taken), StillOwes)
        assert [(event.rule, event.n) for event in still] == [("SK-7", extra - taken - 1)] * (taken < extra - 1)
    assert session.actor == 1


RESET = ["QS KS 5S 8S 9S", "AS KS QS 4S 7S", "JS JD JC 2S", "AS 2S 3S 4S JS 7S"]


@pytest.mark.parametrize("cards", RESET)
def test_SK_8_another_honour_replaces_what_was_due(cards: str) -> None:
    session = suicide(f"{cards} TC")
    for card in cards.split():
        chance(session)
        assert session.actor == 0, f"stopped before the {card}"
        events = take(session)
    (passed,) = told(events, Passed)
    assert (passed.rule, passed.to) == ("SK-8", 1)
    assert session.actor == 1
    assert (session.state.due, session.state.extra) == (1, False)


def test_SK_8_the_number_due_is_that_of_the_last_honour() -> None:
    session = suicide("AS KS QS 4S JD 2C")
    due = []
    for _ in range(6):
        events = take(session)
        due.append(session.state.due)
        replaced = [event.n for event in told(events, Owes) if event.rule == "SK-8"]
        assert replaced in ([], [session.state.due])
    assert due == [4, 3, 2, 1, 1, 1]
    assert session.actor == 1


@pytest.mark.parametrize("house", [DEFAULT, {"extra_cards": "batch"}])
def test_SK_9_the_king_of_hearts_as_the_first_card(house: dict[str, Any]) -> None:
    session = suicide("KH 5S", **house)
    events = take(session)
    (leaves,) = told(events, Leaves)
    assert (leaves.rule, leaves.seat) == ("SK-9", 0)
    assert not told(events, Owes)  # it never counts as a king that asks for 3
    (goes_on,) = told(events, DealGoesOn)
    assert (goes_on.rule, goes_on.to) == ("SK-9", 1)
    assert session.state.playing == (1, 2, 3)
    assert session.state.piles == (11, 10, 10, 10, 10)  # the same deal
    assert (session.actor, session.state.due, session.state.extra) == (1, 1, False)


@pytest.mark.parametrize("house", [DEFAULT, {"extra_cards": "batch"}])
def test_SK_9_the_king_of_hearts_as_an_extra_card(house: dict[str, Any]) -> None:
    session = suicide("AS 2S KH 5S", **house)
    take(session, 2)
    assert (session.actor, session.state.due) == (0, 3)
    take(session)
    assert session.state.left == (0,)
    assert (session.actor, session.state.due) == (1, 1)  # what was due lapses
    take(session)
    assert session.actor == 2


def test_SK_9_the_king_of_hearts_as_the_last_card_sends_one_player_out() -> None:
    session = suicide(whole("", last="KH"))
    take(session, 51)
    assert session.actor == 0
    events = take(session)
    assert [(event.rule, event.seat) for event in told(events, Leaves)] == [("SK-9", 0)]
    assert not told(events, DealGoesOn)
    assert session.state.playing == (1, 2, 3)
    assert (session.state.deal, session.state.dealer, session.actor) == (1, 1, 2)


@pytest.mark.parametrize(("cards", "king"), [("KH", "first"), ("JS KH", "extra"), ("2C KH", "of the other seat")])
def test_SK_9_with_two_players_the_king_of_hearts_ends_the_game(cards: str, king: str) -> None:
    session = suicide(cards, players=2)
    events = take(session, len(cards.split()))
    taker = 1 if king == "of the other seat" else 0
    assert session.actor is OVER
    assert standing(session) == ((taker,), (1 - taker,))
    assert [event.rule for event in told(events, GameOver)] == ["SK-11"]
    assert not told(events, DealGoesOn)


def test_SK_9_with_two_players_the_king_of_hearts_as_the_last_card() -> None:
    session = suicide(whole("", last="KH"), players=2)
    take(session, 51)
    assert session.outcome is None
    events = take(session)
    assert [event.seat for event in told(events, Leaves)] == [0]
    assert standing(session) == ((0,), (1,))


def test_SK_10_whoever_takes_the_last_card_leaves() -> None:
    session = suicide(whole("KH", last="9S"))
    take(session, 51)
    assert (session.actor, session.state.playing) == (3, (1, 2, 3))
    events = take(session)
    assert [(event.rule, event.seat) for event in told(events, Leaves)] == [("SK-10", 3)]
    assert not told(events, Passed)
    assert session.state.playing == (1, 2)


@pytest.mark.parametrize(("last", "taker"), [("AS", 1), ("QS 5C", 3), ("KD QS", 1), ("AS 2C 3C 4C", 1)])
@pytest.mark.parametrize("extra_cards", ["reset", "batch"])
def test_SK_10_cards_still_due_lapse(last: str, taker: int, extra_cards: str) -> None:
    """The last card is an honour, or one of several extra cards."""
    session = suicide(whole("KH", last=last), extra_cards=extra_cards)
    n = len(last.split())
    events = take(session, 52 - n)
    if extra_cards == "reset":
        assert session.actor == taker
    else:
        taker = session.actor  # a batch of all those honours takes more of the low cards
    events = take(session, n)
    assert [(event.rule, event.seat) for event in told(events, Leaves)] == [("SK-10", taker)]
    assert session.state.left == (0, taker)
    assert (session.state.deal, session.state.due, session.state.queue, session.state.extra) == (1, 1, (), False)
    (next_deal,) = told(events, NextDeal)
    assert (next_deal.rule, session.state.dealer) == ("SK-12", next_deal.dealer)


def test_SK_11_the_game_ends_at_once_in_the_middle_of_a_deal() -> None:
    session = suicide("2C 3C KH", players=2)
    take(session, 2)
    events = take(session)
    assert rules_of(events) == ["SK-5", "SK-5", "SK-9", "SK-11"]
    assert len(session.state.unseen) == 49
    assert session.actor is OVER
    assert session.legal == ()
    assert session.state.playing == (1,)
    assert standing(session)[-1] == (1,)  # that player has lost
    refused(session, "take 0", "SK-0")


def test_SK_11_by_the_last_card() -> None:
    session = suicide(whole("KH"), players=3)
    events = take(session, 52)
    assert [event.rule for event in told(events, GameOver)] == ["SK-11"]
    assert not told(events, NextDeal)
    assert session.outcome is not None


def test_SK_12_the_remaining_players_deal_again() -> None:
    """Three deals in a row: dealers, eliminations and the order of leaving carry on."""
    session = suicide([*whole("KH"), *whole("", last="KH"), *whole("2C 3C KH")], players=5)
    events = take(session, 52)
    assert session.state.left == (0, 4)
    (next_deal,) = told(events, NextDeal)
    assert (next_deal.rule, next_deal.dealer) == ("SK-12", 1)  # clockwise from 4 the next who is still in
    assert (session.state.deal, session.state.dealer, session.actor) == (1, 1, 2)
    assert session.state.piles == (12, 10, 10, 10, 10)
    take(session, 52)  # 2, 3, 1 in turn; the king of hearts comes last
    assert session.state.left == (0, 4, 2)
    assert (session.state.deal, session.state.dealer, session.actor) == (2, 3, 1)
    take(session, 3)
    assert session.actor is OVER
    assert session.state.left == (0, 4, 2, 1)
    assert standing(session) == ((0,), (4,), (2,), (1,), (3,))


def test_SK_12_the_deal_is_counted_from_the_last_dealers_seat_even_if_he_left() -> None:
    session = suicide("2C 3C 4C KH", **ENDS_DEAL)
    take(session, 4)
    assert session.state.left == (3,)
    assert (session.state.dealer, session.actor) == (0, 1)
