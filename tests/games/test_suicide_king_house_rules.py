"""Suicide King: every house rule, alone and beside others; whose turn it is; what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from kings import ENDS_DEAL, standing, suicide, take, whole
from scenario import chance, refused, told

from cardlab import OVER, TEACHER, Action, BadGame, BadRequest, IllegalAction, Record, Scripted, Seeded, Session, game
from cardlab.games.suicide_king import DealGoesOn, Leaves, NextBatch, NextDeal, Owes, Passed, Queued

# the house rules


def test_house_rule_last_player_wins_reads_the_standing_backwards() -> None:
    cards = [*whole("KH"), "KH", *whole("KH")[1:]]
    loses, wins = (suicide(cards, players=5, last_player=value) for value in ("loses", "wins"))
    for session in (loses, wins):
        take(session, 104)
        assert session.actor is OVER
    assert standing(wins) == standing(loses)[::-1]
    assert standing(wins) == ((3,), (1,), (2,), (4,), (0,))
    texts = {session.log()[-1].text for session in (loses, wins)}
    assert len(texts) == 2  # one says that he has lost, the other that he has won


def test_house_rule_king_of_hearts_ends_the_deal() -> None:
    session = suicide("AS KH 5S", **ENDS_DEAL)
    events = take(session, 2)
    assert [event.rule for event in told(events, Leaves)] == ["SK-9"]
    assert not told(events, DealGoesOn)
    assert (session.state.deal, session.state.dealer, session.actor) == (1, 1, 2)
    assert session.state.piles == (12, 10, 10, 10, 10)
    assert (session.state.due, session.state.extra) == (1, False)


@pytest.mark.parametrize(
    ("cards", "due", "queues"),
    [
        ("AS KS QS 4S 7S 5S 8S 9S", [4, 3, 2, 1, 3, 2, 1], ["", "3", "3 2", "3 2", "2", "2", "2"]),
        ("AS KS 2S 3S 4S JS 5S 6S 7S", [4, 3, 2, 1, 3, 2, 1, 1], ["", "3", "3", "3", "", "1", "1", ""]),
        ("AS JS QS JD KD 2S", [4, 3, 2, 1, 1], ["", "1", "1 2", "1 2 1", "2 1 3"]),
        ("JS JD JC 2S", [1, 1, 1], ["", "", ""]),
        ("QS 2S 3S", [2, 1], ["", ""]),
    ],
)
def test_house_rule_batch_takes_the_full_number_first(cards: str, due: list[int], queues: list[str]) -> None:
    """Honours among a batch queue in order; a batch without one ends the turn and forgives the queue."""
    session = suicide(f"{cards} TC", extra_cards="batch")
    seen: list[tuple[int, str]] = []
    for card in cards.split():
        chance(session)
        assert session.actor == 0, f"stopped before the {card}"
        events = take(session)
        seen.append((session.state.due, " ".join(map(str, session.state.queue))))
    assert seen[:-1] == list(zip(due, queues, strict=True))
    assert [(event.rule, event.to) for event in told(events, Passed)] == [("SK-8", 1)]
    assert (session.actor, session.state.due, session.state.queue, session.state.honour) == (1, 1, (), False)


def test_house_rule_batch_tells_what_waits_and_what_falls_due() -> None:
    session = suicide("AS KS QS 4S 7S 5S 8S 9S", extra_cards="batch")
    events = take(session, 8)
    assert [(event.rule, event.n) for event in told(events, Queued)] == [("SK-8", 3), ("SK-8", 2)]
    assert [(event.rule, event.n) for event in told(events, NextBatch)] == [("SK-8", 3)]
    assert [(event.rule, event.n) for event in told(events, Owes)] == [("SK-7", 4)]


def test_house_rule_batch_with_the_king_of_hearts_clears_the_queue() -> None:
    session = suicide("AS KS QS KH JS 2C 3C", extra_cards="batch")
    take(session, 3)
    assert session.state.queue == (3, 2)
    take(session)
    assert session.state.left == (0,)
    assert (session.actor, session.state.due, session.state.queue, session.state.honour) == (1, 1, (), False)
    take(session, 2)  # the jack of seat 1 asks for one card and for nothing that seat 0 left behind
    assert session.actor == 2


def test_house_rule_batch_with_the_last_card_clears_the_queue() -> None:
    session = suicide(whole("KH", last="AS QS KS"), extra_cards="batch")
    take(session, 51)
    taker = session.actor
    assert (session.state.due, session.state.queue) == (3, (2,))
    session.play(session.legal[0])
    after = session.play().after
    assert (after.due, after.queue, after.honour) == (0, (), False)  # at once, not only in the next deal
    chance(session)
    assert session.state.left == (0, taker)
    assert (session.state.deal, session.state.due, session.state.queue, session.state.honour) == (1, 1, (), False)


def test_house_rule_batch_with_ends_deal_begins_the_next_deal_afresh() -> None:
    session = suicide("AS KS KH QS 2C 3C", extra_cards="batch", **ENDS_DEAL)
    take(session, 3)
    assert (session.state.deal, session.state.dealer, session.actor, session.state.queue) == (1, 1, 2, ())
    take(session, 3)
    assert session.actor == 3


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_house_rule_last_leaver_deals_though_he_is_out(seat: int) -> None:
    """With ends_deal: whoever took the king of hearts deals, and his left begins."""
    session = suicide(f"{' '.join(['2C', '3C', '4C'][:seat])} KH".strip(), next_dealer="last_leaver", **ENDS_DEAL)
    events = take(session, seat + 1)
    assert session.state.left == (seat,)
    (next_deal,) = told(events, NextDeal)
    assert (next_deal.dealer, session.state.dealer) == (seat, seat)
    assert session.actor == (seat + 1) % 4


def test_house_rule_last_leaver_is_the_last_of_two_who_left_in_a_deal() -> None:
    session = suicide(whole("KH", last="9S"), next_dealer="last_leaver")
    take(session, 52)
    assert session.state.left == (0, 3)
    assert (session.state.dealer, session.actor) == (3, 1)  # his left is 0, who has left: the next is 1


def test_house_rule_last_leaver_through_four_deals() -> None:
    session = suicide("KH KH KH KH", players=5, next_dealer="last_leaver", **ENDS_DEAL)
    dealers = []
    for _ in range(4):
        chance(session)
        dealers.append((session.state.dealer, session.actor))
        take(session)
    assert dealers == [(4, 0), (0, 1), (1, 2), (2, 3)]
    assert standing(session) == ((0,), (1,), (2,), (3,), (4,))


def test_preset_pagat_a_whole_game() -> None:
    """The last player wins, the king of hearts ends the deal, extra cards are reset."""
    session = Session(game("suicide_king", 5, "pagat", first_dealer=4), dealer=Scripted("KH KH AS JD 2C KH KH"))
    rules = session.game.rules
    assert (rules.last_player, rules.king_of_hearts, rules.extra_cards) == ("wins", "ends_deal", "reset")
    assert (rules.next_dealer, rules.first_dealer) == ("rotates", 4)
    dealers = []
    for cards in (1, 1, 4, 1):
        chance(session)
        dealers.append((session.state.dealer, session.actor))
        take(session, cards)
    assert dealers == [(4, 0), (1, 2), (3, 4), (4, 3)]
    assert session.actor is OVER
    assert session.state.left == (0, 2, 1, 3)
    assert standing(session) == ((4,), (3,), (1,), (2,), (0,))


# cases of others, tried here


CASE_18 = whole("5S JD KH 2C")


@pytest.mark.parametrize("last_player", ["loses", "wins"])
def test_case_18_whose_turn_after_somebody_left(last_player: str) -> None:
    session = suicide([*CASE_18, "KH"], last_player=last_player)
    chance(session)
    for mover, due in ((0, 1), (1, 1), (1, 1), (2, 1), (3, 1)):
        assert (session.actor, session.state.due) == (mover, due)
        if mover != 3:
            take(session)
    take(session, 47)
    assert session.actor == 3
    take(session)
    assert session.state.left == (1, 3)
    assert session.state.playing == (0, 2)
    assert (session.state.dealer, session.actor) == (0, 2)
    take(session)
    order = ((1,), (3,), (2,), (0,))
    assert standing(session) == (order if last_player == "loses" else order[::-1])


def test_case_18_when_the_king_of_hearts_ends_the_deal() -> None:
    session = suicide(CASE_18, **ENDS_DEAL)
    take(session, 3)
    assert session.state.left == (1,)
    assert (session.state.dealer, session.actor) == (0, 2)
    take(session)  # the 2 of clubs
    assert (session.state.playing, session.actor) == ((0, 2, 3), 3)


def test_case_31_a_token_made_for_one_step_is_not_taken_for_the_next() -> None:
    session = suicide("2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D")
    take(session, 9, pile=1)
    play_once = session.play("take 1")
    assert play_once.action == Action.parse("take 1")
    refused(session, "take 1", "SK-0")  # the card is still to be shown
    session.play()
    assert session.actor == 2
    refused(session, "take 1", "SK-5")  # for seat 2 there is nothing in that pile
    assert len(session) == 21


def test_the_dealers_steps_take_no_seats_move() -> None:
    session = suicide("5S")
    for token in ("take 0", "card KH", "dealer 1"):
        reason = refused(session, token, "SK-0")
        assert "shuffle" in str(dict(reason.phrase.params)["verb"])
    session.play()
    session.play("take 0")
    for token in ("take 0", "card", "card 3", "shuffle", "card JK1"):
        refused(session, token, "SK-0")
    session.play("card KH")
    refused(session, "card 5S", "SK-5")
    session.play("take 0")
    refused(session, "card KH", "SK-0")  # that card has been taken


@pytest.mark.parametrize(
    "token", ["", "TAKE 0", "take  0", "take 0 ", " take 0", "take -1", "take 0.0", "take ZZ", "take\n0", "т 0", "take " * 40]
)
def test_a_token_of_another_form_changes_nothing(token: str) -> None:
    session = suicide("5S")
    chance(session)
    before = session.state
    with pytest.raises(ValueError, match=r"."):
        session.play(token)
    assert (session.state, len(session)) == (before, 1)


@pytest.mark.parametrize("token", [None, 0, ["take 0"], b"take 0", True])
def test_a_seat_must_say_what_it_does(token: Any) -> None:
    session = suicide("5S")
    chance(session)
    with pytest.raises(BadRequest):
        session.play(token)
    assert len(session) == 1


# what cannot be a game


@pytest.mark.parametrize("players", [1, 6, 0, -2, 100, 4.0, "4", True, (4,)])
def test_SK_0_a_wrong_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("suicide_king", players)
    assert fault.value.rule == "SK-0"
    assert (fault.value.params["least"], fault.value.params["most"]) == (2, 5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_SK_0_two_to_five_players_may_play(players: int) -> None:
    assert len(game("suicide_king", players).seats) == players


@pytest.mark.parametrize("preset", ["Pagat", "nope", "", 1])
def test_an_unknown_preset_is_refused(preset: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("suicide_king", 4, preset)
    assert fault.value.rule == "SK-0"
    assert "pagat" in str(fault.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("first_dealer", value) for value in (4, -1, "4", "-1", "Lot", 1.0, True, None, "")),
        *(("last_player", value) for value in ("lose", "", 1, None, True)),
        *(("king_of_hearts", value) for value in ("stops", 0, None)),
        *(("extra_cards", value) for value in ("RESET", 4, None, False)),
        *(("next_dealer", value) for value in ("lot", 0, None, ["rotates"])),
    ],
)
def test_a_house_rule_with_another_value_is_refused(key: str, value: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("suicide_king", 4, **{key: value})
    assert fault.value.rule == key
    allowed = game("suicide_king", 4).rules.options()[key]
    assert all(word in str(fault.value) for word in allowed.words)


def test_an_unknown_house_rule_is_refused() -> None:
    with pytest.raises(BadGame) as fault:
        game("suicide_king", 4, stake=4)
    assert fault.value.rule == "SK-0"
    assert all(key in str(fault.value) for key in ("first_dealer", "last_player", "king_of_hearts", "extra_cards", "next_dealer"))


def test_the_first_dealers_seat_must_exist() -> None:
    assert game("suicide_king", 5, first_dealer=4).rules.first_dealer == 4
    with pytest.raises(BadGame):
        game("suicide_king", 4, first_dealer=4)


# games as they come


HOUSES: list[dict[str, Any]] = [
    {"last_player": last, "king_of_hearts": king, "extra_cards": extra, "next_dealer": dealer}
    for last in ("loses", "wins")
    for king in ("deal_goes_on", "ends_deal")
    for extra in ("reset", "batch")
    for dealer in ("rotates", "last_leaver")
]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(house.values()))
def test_under_all_house_rules_together(house: dict[str, Any]) -> None:
    """What always holds: one player a time leaves, all viewers see the whole table, the log speaks, the record plays again."""
    for index in range(6):
        players = 2 + index % 4
        session = Session(game("suicide_king", players, **house), seed=5, index=index)
        while session.actor is not OVER:
            before = session.state
            session.step("random")
            s = session.state
            assert set(before.playing) - set(s.playing) == set(s.left) - set(before.left)
            assert len(before.playing) - len(s.playing) in (0, 1)
            assert sorted((*s.playing, *s.left)) == list(range(players))
            if s.turn is not None:
                assert sum(s.piles) == len(s.unseen)
                assert s.turn in s.playing or len(s.playing) == 1
            seen = {session.view(viewer).table for viewer in (None, 0, TEACHER)}
            (table,) = seen
            assert (table.playing, table.left, table.dealer, table.turn, table.due, table.queue, table.piles) == (
                s.playing, s.left, s.dealer, s.turn, s.due, s.queue, s.piles,
            )  # fmt: skip
        assert len(session) <= session.game.bound()
        order = [seat for group in standing(session) for seat in group]
        assert order == list((*s.left, *s.playing)[:: -1 if house["last_player"] == "wins" else 1])
        again = Record.loads(session.record.dumps()).session()
        assert (again.state, again.log()) == (session.state, session.log())


def test_illegal_action_is_a_value_error_with_its_reason() -> None:
    session = suicide("5S")
    chance(session)
    with pytest.raises(IllegalAction, match="SK-5") as fault:
        session.play("take 7")
    assert isinstance(fault.value, ValueError)
    assert fault.value.reason.rule == "SK-5"


def test_a_seeded_dealer_needs_no_script() -> None:
    session = Session(game("suicide_king", 2), dealer=Seeded(3, 4))
    session.auto("still", until="game")
    assert session.outcome is not None
