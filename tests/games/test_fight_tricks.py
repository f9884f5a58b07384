"""Fight for the Lead, FL-9 to FL-19: the tricks, the bank and going on, with cards given by hand; and what is refused in each phase."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from fights import FIGHT, HANDS, STAND, VIEWERS, cards, fight, fight_deal, first_moves, hand, same_to_others, sweep, three_and_one, usual
from scenario import chance, play, refused, told

from cardlab import CHANCE, OVER, Action, Session, game
from cardlab.core.events import GameOver
from cardlab.games.fight_events import DealOver, Loses, Played, RefusalsOpened, Share, Staked, TrickWon
from cardlab.words import Phrase, Words
from cardlab.words.errors import BadCard

# the tricks


def test_FL_9_the_winner_of_the_right_leads_any_card() -> None:
    session = usual("QC")
    play(session, "fight AH", "fight 4C", "fight 5D", "fight 9C", *STAND)
    assert session.actor == 3
    assert [move.cards for move in session.legal] == [(card,) for card in hand(session, 3)]
    refused(session, "play 2C", "FL-9", says=" ".join(map(str, hand(session, 3))))
    (played,) = told(play(session, f"play {hand(session, 3)[-1]}"), Played)
    assert played.rule == "FL-9"
    assert session.actor == 0


CASE_11 = {0: "AH 4S 4C 4D", 1: "2C 7H KH 9S", 2: "5S 5C 5D 5H", 3: "6S 6C 6D 6H"}


def case_11(new: str = "AD", **house: Any) -> Session:
    """Seat 1 holds 7H KH 9S and a new card; seat 0 has won the lead."""
    session = fight(fight_deal(CASE_11, "2H", {0: "JH", 1: new, 2: "3C", 3: "3D"}, 3), **house)
    play(session, "fight AH", "fight 2C", "fight 5H", "fight 6H", *STAND)
    return session


def test_FL_10_case_11_a_suit_led_must_be_followed() -> None:
    session = case_11()
    words = {language: Words(language) for language in ("en", "ru")}
    play(session, "play 4S")
    assert [str(move) for move in session.legal] == ["play 9S"]
    for card in ("7H", "KH", "AD"):
        reason = refused(session, f"play {card}", "FL-10", says="9S")
        assert all(said.show(Phrase.of("suit.3")) in reason.display(said) for said in words.values())  # spades
    refused(session, "play AS", "FL-10", says="9S")  # in nobody's hand
    session.undo()
    play(session, "play 4C")
    assert [str(move) for move in session.legal] == ["play AD", "play 7H", "play KH", "play 9S"]
    session.undo()
    play(session, "play JH")
    assert [str(move) for move in session.legal] == ["play 7H", "play KH"]  # no duty to beat
    reason = refused(session, "play AD", "FL-10", says="7H KH")
    assert all(said.show(Phrase.of("suit.2")) in reason.display(said) for said in words.values())  # hearts


def test_FL_10_case_11_leading_is_free() -> None:
    session = fight(fight_deal({**CASE_11, 1: "KC 7H KH 9S"}, "2C", {0: "JH", 1: "AD", 2: "3C", 3: "3D"}, 3))
    play(session, "fight AH", "fight KC", "fight 5H", "fight 6H", *STAND)
    assert session.actor == 1
    assert [str(move) for move in session.legal] == ["play AD", "play 7H", "play KH", "play 9S"]


def test_FL_10_case_11_the_suit_of_this_trick_counts_not_that_of_the_last() -> None:
    hands = {**CASE_11, 0: "AH KS 4C 4D", 1: "2C KH 2S 9S"}
    session = fight(fight_deal(hands, "2H", {0: "JH", 1: "AD", 2: "3C", 3: "3D"}, 3))
    play(session, "fight AH", "fight 2C", "fight 5H", "fight 6H", *STAND)
    play(session, "play KS", "play 9S", "play 5S", "play 6S", "play JH")
    assert hand(session, 1) == cards("KH AD 2S")
    assert [str(move) for move in session.legal] == ["play KH"]
    refused(session, "play 2S", "FL-10", says="KH")
    refused(session, "play AD", "FL-10", says="KH")


@pytest.mark.parametrize(("lead", "right"), [("4C", "3C 5C"), ("4D", "5D"), ("JH", ""), ("4S", "5S")])
def test_FL_10_in_every_suit(lead: str, right: str) -> None:
    """Seat 2 holds 3C 5C 5D 5S, and no heart."""
    session = case_11()
    play(session, f"play {lead}", str(session.game.legal(session.game.apply(session.state, Action.parse(f"play {lead}")).after)[0]))
    assert session.actor == 2
    assert [move.card for move in session.legal] == list(cards(right or "3C 5C 5D 5S"))
    for card in set(hand(session, 2)) - {move.card for move in session.legal}:
        refused(session, f"play {card}", "FL-10", says=right)


def test_FL_10_a_discard_shows_that_a_suit_is_out() -> None:
    session = case_11()
    (played,) = told(play(session, "play 4C", "play 9S"), Played)[1:]
    assert (played.rule, played.fits) == ("FL-10", "discards")
    for viewer in (None, 0, 2, 3):
        assert not [card for card in session.view(viewer).places["hand 1"].candidates if card.suit == 0]  # clubs


CASE_10 = fight_deal(
    {0: "TC 2S 3S 2D", 1: "KD QD 5D 3D", 2: "9C 2H 3H AS", 3: "AH KH QH 4D"}, "5S", {0: "4S", 1: "6D", 2: "4H", 3: "JH"}, 3
)


def test_FL_11_case_10_there_are_no_trumps() -> None:
    """Neither a higher card of another suit nor the suit turned in the fight takes a trick."""
    session = fight(CASE_10)
    play(session, "fight 2D", "fight 3D", "fight AS", "fight 4D", *STAND)
    assert session.actor == 2
    events = play(session, "play 9C", "play AH", "play TC", "play KD")
    (won,) = told(events, TrickWon)
    assert (won.rule, won.seat, str(won.card)) == ("FL-12", 0, "TC")
    assert session.actor == 0  # not 3, the next after the leader, and not 1, the next after the winner
    assert session.state.tricks == (1, 0, 0, 0)
    session.goto(len(session) - 4)
    play(session, "play 4H", "play JH", "play 2S", "play KD")  # spades were turned
    assert session.state.tricks == (0, 0, 0, 1)
    assert session.actor == 3


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("4S 9S 5S 6S", 1),
        ("4C 7H 5C 6C", 3),
        ("4D AD 5D 6D", 1),
        ("JH 7H 3C 3D", 0),
        ("JH KH 3C 3D", 1),
        ("4C 9S 3C 6C", 3),
    ],
)
def test_FL_12_the_highest_card_of_the_suit_led_wins_and_leads(trick: str, winner: int) -> None:
    session = case_11()
    laid = trick.split()
    events = play(session, *(f"play {card}" for card in laid))
    (won,) = told(events, TrickWon)
    assert (won.rule, won.seat, str(won.card), won.tricks) == ("FL-12", winner, laid[winner], 1)
    assert session.actor == winner
    (lead,) = told(play(session, str(session.legal[0])), Played)
    assert (lead.rule, lead.seat, lead.fits) == ("FL-12", winner, "leads")


def test_FL_13_won_tricks_are_counted_and_were_seen_by_all() -> None:
    session = usual()
    play(session, *FIGHT, *STAND)
    for n, lead in enumerate(("AS", "JS", "KS", "QS"), 1):
        for token in (f"play {lead}", *(None,) * 3):
            play(session, token or str(session.legal[0]))
            if n < 4 or session.state.phase == "tricks":
                for viewer in VIEWERS:
                    view = session.view(viewer)
                    assert view.tricks == session.state.tricks
                    assert len(view.played) == sum(len(step.action.cards) for step in session.steps if step.action.verb == "play")
                    assert set(view.places["trick"].sure) == {card for _, card in session.state.trick}
        if n < 4:
            for viewer in VIEWERS:
                assert session.view(viewer).tricks == (n, 0, 0, 0)
                assert {card for _, card in session.view(viewer).played} <= set(session.view(viewer).places["discard"].sure)


def test_FL_14_four_tricks_are_played() -> None:
    session = usual()
    events = play(session, *FIGHT, *STAND)
    for trick in range(4):
        assert not told(events, DealOver)
        assert session.state.phase == "tricks"
        assert [len(held) for held in session.state.hands] == [4 - trick] * 4
        events = [event for _ in range(4) for event in play(session, str(session.legal[0]))]
    (over,) = told(events, DealOver)
    assert (over.rule, over.bank) == ("FL-14", 16)
    assert session.state.phase == "refusal"


# the bank


def test_FL_15_each_trick_earns_a_quarter_of_the_bank() -> None:
    session = fight(three_and_one(3, 0, 1, 2, 3), stake=100)
    first_moves(session, "exchange")
    play(session, "stand", "stand", f"exchange {hand(session, 2)[0]}")
    events = first_moves(session, "refusal")
    bank = 4 * 100 + 100
    assert [(event.rule, event.seat, event.n, event.amount) for event in told(events, Share)] == [
        ("FL-15", 0, 3, 3 * bank // 4), ("FL-15", 1, 1, bank // 4),
    ]  # fmt: skip
    assert session.state.balances == (-100 + 375, -100 + 125, -200, -100)
    assert session.state.bank == 0  # nothing carries over
    for viewer in VIEWERS:
        assert session.view(viewer).balances == session.state.balances
        assert (session.view(viewer).bank, session.view(viewer).last_bank) == (0, bank)


ONE_EACH = fight_deal(
    {0: "KC 3D 4H 4S", 1: "8D 3H 5S 5C", 2: "8H 3S 6D 6C", 3: "8S 3C 7D 7H"}, "2C", {0: "AC", 1: "AD", 2: "AH", 3: "AS"}, 3
)
ONE_EACH_TOKENS = (
    "fight KC", "fight 8D", "fight 8H", "fight 8S", *STAND,
    "play 3D", "play AD", "play 6D", "play 7D",
    "play 3H", "play AH", "play 7H", "play 4H",
    "play 3S", "play AS", "play 4S", "play 5S",
    "play 3C", "play AC", "play 5C", "play 6C",
)  # fmt: skip


def test_FL_16_a_player_without_a_trick_is_a_loser() -> None:
    for script, losers in ((sweep(3, 0, 1, 2, 3), [1, 2, 3]), (three_and_one(3, 2, 0, 1, 3), [1, 3])):
        session = fight(script)
        events = first_moves(session, "refusal")
        assert [(event.rule, event.seat) for event in told(events, Loses)] == [("FL-16", seat) for seat in losers]
        assert session.state.losers == tuple(losers)
        assert all(session.view(viewer).losers == tuple(losers) for viewer in VIEWERS)


def test_FL_16_with_four_players_there_may_be_none() -> None:
    session = fight(ONE_EACH)
    events = play(session, *ONE_EACH_TOKENS)
    assert [event.seat for event in told(events, TrickWon)] == [1, 2, 3, 0]
    assert not told(events, Loses)
    assert session.state.balances == (0, 0, 0, 0)


def test_FL_16_with_five_players_there_is_always_one() -> None:
    for index in range(25):
        session = Session(game("fight_for_the_lead", 5, deals=1), seed=16, index=index)
        session.auto("random", until="game")
        assert len(session.state.losers) >= 1


def test_FL_17_each_loser_stakes_the_whole_bank_of_the_deal_he_lost() -> None:
    """Antes, penalties and exchange fees; each pays the full sum, and only when the next deal is played."""
    session = fight([*three_and_one(3, 0, 1, 2, 3), "KC", *three_and_one(0, 3, 2, 1, 0), *sweep(1, 0, 1, 2, 3)])
    first_moves(session, "exchange")
    play(session, "stand", "stand", f"exchange {hand(session, 2)[0]}")
    first_moves(session, "refusal")
    balances = session.state.balances
    assert balances == (-4 + 15, -4 + 5, -8, -4)
    for token in ("continue",) * 4:
        assert session.state.balances == balances  # nothing is due yet
        session.play(token)
    assert session.state.balances == balances
    staked = told(session.play().events, Staked)
    assert [(event.rule, event.seat, event.amount) for event in staked] == [
        ("FL-1", 0, 4), ("FL-1", 1, 4), ("FL-17", 2, 20), ("FL-17", 3, 20),
    ]  # fmt: skip
    assert session.state.bank == 48
    first_moves(session, "refusal")  # seat 3 takes three tricks, seat 2 one: seats 0 and 1 lose 48
    staked = told(first_moves(session, "fight"), Staked)
    assert [(event.rule, event.seat, event.amount) for event in staked] == [
        ("FL-17", 0, 48), ("FL-17", 1, 48), ("FL-1", 2, 4), ("FL-1", 3, 4),
    ]  # fmt: skip


def test_FL_17_nothing_falls_due_when_there_is_no_next_deal() -> None:
    session = fight(sweep(3, 0, 1, 2, 3))
    first_moves(session, "refusal")
    play(session, "refuse", "refuse", "continue", "refuse")
    assert session.actor is OVER
    assert session.state.balances == (12, -4, -4, -4)


def test_FL_17_a_loser_who_plays_on_and_wins_a_trick_pays_no_more() -> None:
    session = fight([*sweep(3, 0, 1, 2, 3), *sweep(0, 1, 0, 2, 3), *sweep(1, 0, 1, 2, 3)])
    first_moves(session, "refusal")
    first_moves(session, "exchange")
    first_moves(session, "refusal")
    staked = told(first_moves(session, "fight"), Staked)
    assert [(event.rule, event.amount) for event in staked] == [("FL-17", 52), ("FL-1", 4), ("FL-17", 52), ("FL-17", 52)]


def test_FL_18_every_player_may_refuse_and_then_pays_nothing() -> None:
    session = fight([*sweep(3, 0, 1, 2, 3), *sweep(0, 0, 1, 3)])
    first_moves(session, "refusal")
    movers = []
    for token in ("continue", "continue", "refuse", "continue"):
        movers.append(session.actor)
        assert [str(move) for move in session.legal] == ["continue", "refuse"]
        step = session.play(token)
        assert len(told(step.events, RefusalsOpened)) == (session.actor is CHANCE)  # opened all at once
    assert movers == [0, 1, 2, 3]
    (opened,) = told(session.steps[-1].events, RefusalsOpened)
    assert (opened.rule, opened.seats) == ("FL-18", (2,))
    staked = told(chance(session), Staked)
    assert [(event.seat, event.amount) for event in staked] == [(0, 4), (1, 16), (3, 16)]
    assert session.state.balances[2] == -4
    assert session.state.playing == (0, 1, 3)
    movers = []
    while session.state.phase == "fight":
        movers.append(session.actor)
        play(session, str(session.legal[0]))
    assert movers == [0, 1, 3]
    first_moves(session, "refusal")
    for token in ("continue", "continue", "continue"):
        assert session.actor != 2  # refusing is final
        play(session, token)
    assert session.state.playing == (0, 1, 3)
    assert session.state.balances[2] == -4


def test_FL_18_in_secret() -> None:
    one, other = fight(sweep(3, 0, 1, 2, 3)), fight(sweep(3, 0, 1, 2, 3))
    for session, token in ((one, "continue"), (other, "refuse")):
        first_moves(session, "refusal")
        session.play(token)
    same_to_others(one, other, but=0)
    for session in (one, other):
        session.play("continue")
        session.play("refuse")
    same_to_others(one, other, but=0)
    one.play("continue")
    other.play("continue")
    assert (one.view(1).playing, other.view(1).playing) == ((0, 1, 3), (1, 3))


@pytest.mark.parametrize("going_on", [(), (0,), (2,)])
def test_FL_18_fewer_than_two_left_the_game_is_over(going_on: tuple[int, ...]) -> None:
    session = fight(sweep(3, 0, 1, 2, 3))
    first_moves(session, "refusal")
    events = play(session, *("continue" if seat in going_on else "refuse" for seat in range(4)))
    assert [event.rule for event in told(events, GameOver)] == ["FL-18"]
    assert session.actor is OVER
    assert session.outcome is not None
    assert session.outcome.reason == "too_few"
    assert session.outcome.payments == (12, -4, -4, -4)
    refused(session, "continue", "FL-0")


def test_FL_18_two_may_go_on() -> None:
    session = fight([*sweep(3, 0, 1, 2, 3), *sweep(1, 1, 3)])
    first_moves(session, "refusal")
    play(session, "refuse", "continue", "refuse", "continue")
    assert session.state.playing == (1, 3)
    assert session.state.balances == (12, -20, -4, -20)
    first_moves(session, "refusal")
    assert session.state.balances == (12, 12, -4, -20)


def test_FL_19_the_standing_is_the_net_balance() -> None:
    session = fight([*three_and_one(3, 0, 1, 2, 3), *sweep(0, 2, 0, 1, 3)], deals=2)
    first_moves(session, "refusal")
    events = first_moves(session, "over")
    assert session.outcome is not None
    # deal 1: bank 16, shares 12 and 4; deal 2: 4 + 4 + 16 + 16 = 40, all to seat 2
    assert session.outcome.payments == (-4 + 12 - 4, -4 + 4 - 4, -4 - 16 + 40, -4 - 16)
    assert session.outcome.standing == ((2,), (0,), (1,), (3,))
    assert session.outcome.reason == "deals"
    assert [event.rule for event in told(events, GameOver)] == ["FL-19"]


def test_FL_19_equal_balances_share_a_place_and_may_lie_below_zero() -> None:
    session = fight(sweep(3, 0, 1, 2, 3), deals=1)
    first_moves(session, "over")
    assert session.outcome is not None
    assert session.outcome.standing == ((0,), (1, 2, 3))
    assert session.outcome.payments == (12, -4, -4, -4)
    session = fight(ONE_EACH, deals=1)
    play(session, *ONE_EACH_TOKENS)
    assert session.outcome is not None
    assert session.outcome.standing == ((0, 1, 2, 3),)


# what is refused, in each phase


def reach(phase: str) -> Session:
    """The usual deal with its first seat on turn in a phase."""
    house = {"refusal": "pagat_dropout"} if phase == "drop" else {}
    session = fight([*sweep(3, 0, 1, 2, 3), *sweep(0, 0, 1, 2, 3)], **house)
    if phase == "drop":
        return first_moves(session, "drop") and session  # type: ignore[return-value]
    first_moves(session, "tricks" if phase == "follow" else phase)
    if phase == "follow":
        play(session, "play AS")
    return session


MOVES = {
    "fight": "fight KS", "stay": "stay", "drop": "drop", "stand": "stand", "exchange": "exchange KS", "play": "play KS",
    "continue": "continue", "refuse": "refuse", "deal": "deal KS", "turn": "turn KS", "draw": "draw KS", "shuffle": "shuffle",
}  # fmt: skip
PHASES: dict[str, tuple[str, str, str]] = {
    # phase: its verbs, the rule of a refusal, the cards that the refusal names
    "fight": ("fight", "FL-4", "2C JS QS KS"),
    "drop": ("stay drop", "refusal", ""),
    "exchange": ("stand exchange", "FL-8", ""),
    "tricks": ("play", "FL-9", "JS QS KS AS"),
    "follow": ("play", "FL-10", "3D 4D 5D TD"),
    "refusal": ("continue refuse", "FL-18", ""),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_move_of_another_phase_is_refused_with_this_phases_rule(phase: str) -> None:
    verbs, rule, says = PHASES[phase]
    session = reach(phase)
    for verb, token in MOVES.items():
        if verb not in verbs.split():
            refused(session, token, rule, says)
        elif phase != "follow":
            assert session.game.why_not(session.state, session.legal[0]) is None
    assert {move.verb for move in session.legal} == set(verbs.split())


def test_a_card_that_one_does_not_hold_is_refused_with_the_cards_held() -> None:
    refused(reach("fight"), "fight AS", "FL-4", says="2C JS QS KS")
    session = reach("exchange")
    refused(session, "exchange 2H", "FL-8", says="JS QS KS AS")
    refused(session, "exchange KS 2H", "FL-8", says="JS QS KS AS")
    refused(reach("tricks"), "play 2H", "FL-9", says="JS QS KS AS")
    refused(reach("follow"), "play 2H", "FL-10", says="3D 4D 5D TD")


@pytest.mark.parametrize("token", ["exchange", "exchange 2", "stand KS", "stand 1", "exchange JK1"])
def test_an_exchange_of_another_form_is_refused(token: str) -> None:
    refused(reach("exchange"), token, "FL-8")


def test_a_card_named_twice_is_refused() -> None:
    session = reach("exchange")
    before = session.state
    with pytest.raises(BadCard, match="twice"):
        session.play("exchange KS KS")
    assert session.state is before


@pytest.mark.parametrize("token", ["refuse 2", "refuse KS", "continue KS", "continue 1"])
def test_a_refusal_of_another_form_is_refused(token: str) -> None:
    refused(reach("refusal"), token, "FL-18")


def test_the_dealers_steps_take_no_seats_move() -> None:
    session = usual()
    for token in ("stand", "deal AS", "turn AS"):
        reason = refused(session, token, "FL-0")
        assert dict(reason.phrase.params)["verb"] == "shuffle"
    session.play()
    for token in ("fight AH", "deal", "deal JK1", "deal AS KS", "turn AH", "draw AH"):
        refused(session, token, "FL-0")
    play(session, *FIGHT[:3])
    session.play(FIGHT[3])
    refused(session, "turn AH", "FL-0")  # it lies on the table
    refused(session, "turn KS", "FL-0")  # it is in a hand
    session.play("turn KH")
    refused(session, "deal KH", "FL-0")


def test_case_31_a_token_made_for_one_step_is_refused_for_the_next_seat() -> None:
    session = usual()
    chance(session)
    session.play("fight AH")
    refused(session, "fight AH", "FL-4", says=HANDS[1])
    for token in FIGHT[1:]:
        session.play(token)
    refused(session, FIGHT[3], "FL-0")
    chance(session)
    session.play("exchange AS")
    refused(session, "exchange AS", "FL-0")  # he has yet to receive a card
    chance(session)
    refused(session, "exchange KS", "FL-8", says="2C 3C 4C 6C")
    play(session, "stand", "stand", "stand")
    refused(session, "stand", "FL-9")  # one stand too many
    session.play("play KS")
    refused(session, "play KS", "FL-10", says="2C 3C 4C 6C")


def test_money_is_conserved_in_every_step_of_a_scripted_game() -> None:
    session = fight([*sweep(3, 0, 1, 2, 3), *three_and_one(0, 1, 2, 3, 0), *sweep(1, 3, 2, 1, 0)], deals=3)
    for until in ("refusal", "exchange", "refusal", "exchange", "over"):
        first_moves(session, until)
    for step in session.steps:
        for state in (step.before, step.after):
            assert sum(state.balances) + state.bank == 0
            assert all(type(amount) is int for amount in (*state.balances, state.bank, state.last_bank))
    banks = [event.bank for step in session.steps for event in told(step.events, DealOver)]
    assert banks == [16, 4 + 3 * 16, 4 + 4 + 2 * 52]
    assert all(later % 4 == 0 for _, later in pairwise([0, *banks]))
