"""Fight for the Lead: every house rule, alone and beside others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from fights import fight, fight_deal, first_moves, sweep, three_and_one
from scenario import chance, play, refused, told

from cardlab import CHANCE, OVER, Session, game
from cardlab.cards import PACK_52, parse_cards
from cardlab.core.events import Event, GameOver
from cardlab.games.fight_events import (
    BankUnplayed,
    Broke,
    DealOver,
    DropsOpened,
    Exchanged,
    LeadPasses,
    LeadWon,
    Loses,
    NextDeal,
    Played,
    RefusalsOpened,
    Share,
    Staked,
    Stands,
)

ALL = (0, 1, 2, 3)


def staked(events: Iterable[Event]) -> list[tuple[str, int, int]]:
    return [(event.rule, event.seat, event.amount) for event in told(events, Staked)]


def next_stakes(session: Session, *refusing: int) -> list[tuple[str, int, int]]:
    """Plays on to the next deal, some seats refusing where they are asked; what is staked."""
    events = first_moves(session, "refusal")
    while session.actor is not CHANCE and session.game.phase(session.state) == "refusal":
        events += session.play("refuse" if session.actor in refusing else "continue").events
    return staked([*events, *chance(session)])


# stake, deals


@pytest.mark.parametrize("stake", [8, 12, 30_300, 4 * 10**20, "8"])
def test_house_rule_stake(stake: int | str) -> None:
    session = fight(sweep(3, *ALL), stake=stake)
    amount = int(stake)
    chance(session)
    assert session.state.bank == 4 * amount
    assert type(session.state.bank) is int
    first_moves(session, "refusal")
    assert session.state.balances == (3 * amount, -amount, -amount, -amount)


@pytest.mark.parametrize("deals", [1, 2, 3])
def test_house_rule_deals(deals: int) -> None:
    session = fight([card for deal in range(deals) for card in sweep((3 + deal) % 4, *ALL)], deals=deals)
    for _ in range(deals - 1):
        first_moves(session, "refusal")
        first_moves(session, "fight")
    assert session.outcome is None
    events = first_moves(session, "over")
    assert not told(events, RefusalsOpened)  # nobody is asked after the last deal
    assert [event.rule for event in told(events, GameOver)] == ["FL-19"]
    assert session.outcome is not None
    assert session.outcome.reason == "deals"
    assert session.state.deal == deals - 1


def test_house_rule_deals_is_ten_unless_something_else_is_agreed() -> None:
    session = Session(game("fight_for_the_lead", 4), seed=1)
    session.auto("still", until="game")
    assert session.state.deal == 9
    assert sum(bool(told(step.events, DealOver)) for step in session.steps) == 10


# exchange


def test_house_rule_one_by_one_he_sees_the_new_card_before_the_next() -> None:
    session = fight([*sweep(3, *ALL), "QC", "KC"], exchange="one_by_one")
    first_moves(session, "exchange")
    assert [str(move) for move in session.legal] == ["stand", "exchange JS", "exchange QS", "exchange KS", "exchange AS"]
    events = play(session, "exchange AS")
    assert [(event.fee, event.bank) for event in told(events, Exchanged)] == [(4, 20)]
    assert session.actor == 0
    assert session.actor == 0
    assert session.view(0).hand(0) == tuple(sorted(parse_cards("JS QS KS QC")))
    play(session, "exchange QC")  # he may exchange that one, too
    assert session.actor == 0
    assert set(session.state.hands[0]) == set(parse_cards("JS QS KS KC"))
    assert session.state.balances[0] == -12
    events = play(session, "stand")
    assert [(event.rule, event.seat) for event in told(events, Stands)] == [("FL-8", 0)]
    assert session.actor == 1


def test_house_rule_one_by_one_at_most_four_a_deal() -> None:
    session = fight(sweep(3, *ALL), exchange="one_by_one")
    first_moves(session, "exchange")
    for n in range(1, 5):
        assert session.actor == 0
        events = play(session, str(session.legal[1]))
        assert len(told(events, Exchanged)) == 1
        assert session.view(2).exchanged[0] == n
    assert session.actor == 1
    assert session.state.balances[0] == -4 - 16


def test_house_rule_one_by_one_refuses_two_at_a_time() -> None:
    session = fight(sweep(3, *ALL), exchange="one_by_one")
    first_moves(session, "exchange")
    refused(session, "exchange KS AS", "exchange")
    refused(session, "exchange 2H", "FL-8", says="JS QS KS AS")
    refused(session, "play AS", "FL-8")
    play(session, "exchange AS")
    refused(session, "exchange AS", "FL-8", says="JS QS KS")


def test_house_rule_one_by_one_ends_with_the_stock() -> None:
    """Five cards of the stock are left, four replace the fight cards: one may be exchanged, by whoever comes first."""
    hands = {0: "2S 3S 4S 5S", 1: "6S 7S 8S 9S", 2: "TS QS KS 2H", 3: "JS 2C 3C 4C"}
    held = {card for row in hands.values() for card in parse_cards(row)}
    others = [str(card) for card in PACK_52 if card not in held and card.token != "AS"]
    session = fight(fight_deal(hands, " ".join([*others[:30], "AS"]), {}, 3), exchange="one_by_one")
    play(session, "fight 5S", "fight 9S", "fight KS", "fight JS")
    assert len(session.state.stock) == 1
    play(session, str(session.legal[1]))
    assert session.actor == 1  # he could not go on, so the turn passes
    assert [str(move) for move in session.legal] == ["stand"]
    reason = refused(session, f"exchange {session.state.hands[1].cards[0]}", "FL-8")
    assert dict(reason.phrase.params) == {"n": 0, "stock": 0}


@pytest.mark.parametrize("house", [{}, {"exchange": "one_by_one"}, {"refusal": "pagat_dropout"}, {"who_antes": "losers_only"}])
def test_case_11_the_fights_winner_leads_whatever_phases_there_are(house: dict[str, Any]) -> None:
    session = fight([*sweep(3, 2, 3, 0, 1), *sweep(0, 1, 2, 3, 0)], **house)
    for lead in (2, 1):
        events = first_moves(session, "tricks")
        assert [event.seat for event in told(events, LeadWon)] == [lead]
        assert session.actor == lead
        (played, *_) = told(play(session, str(session.legal[0])), Played)
        assert (played.rule, played.seat) == ("FL-9", lead)
        if lead == 2:
            first_moves(session, "fight" if "refusal" in house else "refusal")


# who_antes


def test_house_rule_losers_only_all_ante_in_the_first_deal_then_the_losers() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, *ALL)], who_antes="losers_only")
    assert staked(chance(session)) == [("FL-1", seat, 4) for seat in ALL]
    assert next_stakes(session) == [("FL-17", 2, 16), ("FL-17", 3, 16)]
    assert session.state.bank == 32
    assert session.state.balances == (8, 0, -20, -20)


def test_house_rule_losers_only_with_a_loser_who_refuses() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1, 3)], who_antes="losers_only")
    assert next_stakes(session, 2) == [("FL-1", seat, 4) for seat in ALL] + [("FL-17", 3, 16)]
    assert session.state.balances == (8, 0, -4, -20)


def test_house_rule_losers_only_where_no_loser_plays_on_all_ante() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1)], who_antes="losers_only")
    chance(session)
    assert next_stakes(session, 2, 3) == [("FL-1", 0, 4), ("FL-1", 1, 4)]
    assert session.state.bank == 8


def test_house_rule_losers_only_after_a_deal_without_a_loser_all_ante() -> None:
    """Each takes one trick."""
    one_each = fight_deal(
        {0: "KC 3D 4H 4S", 1: "8D 3H 5S 5C", 2: "8H 3S 6D 6C", 3: "8S 3C 7D 7H"}, "2C", {0: "AC", 1: "AD", 2: "AH", 3: "AS"}, 3
    )
    session = fight([*one_each, *sweep(0, *ALL)], who_antes="losers_only")
    play(session, "fight KC", "fight 8D", "fight 8H", "fight 8S", *("stand",) * 4)
    tricks = "3D AD 6D 7D 3H AH 7H 4H 3S AS 4S 5S 3C AC 5C 6C"
    play(session, *(f"play {card}" for card in tricks.split()))
    assert session.state.losers == ()
    assert next_stakes(session) == [("FL-1", seat, 4) for seat in ALL]


def test_house_rule_losers_only_with_a_penalty_cap() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, *ALL)], who_antes="losers_only", penalty_cap=2)
    chance(session)
    assert next_stakes(session) == [("FL-17", 2, 8), ("FL-17", 3, 8)]


def test_house_rule_losers_only_when_every_loser_is_broke_all_ante() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1)], who_antes="losers_only", bankroll=8)
    chance(session)
    assert next_stakes(session) == [("FL-1", 0, 4), ("FL-1", 1, 4)]
    assert session.state.playing == (0, 1)


def test_house_rule_losers_only_whoever_cannot_pay_once_the_losers_are_gone_leaves_too() -> None:
    """With penalty_cap 1 a deal may be about so little that a trick does not pay the next stake."""
    script = [*three_and_one(2, 0, 1, 2), "QC", *three_and_one(0, 0, 1, 2), "QC"]
    session = fight(script, players=3, first_dealer=2, who_antes="losers_only", penalty_cap=1, bankroll=8)
    first_moves(session, "exchange")
    play(session, "stand", "exchange 3D")
    first_moves(session, "refusal")
    assert session.state.balances == (-4 + 12, -8 + 4, -4)  # the bank was 16
    assert staked(play(session, *("continue",) * 3)) == [("FL-17", 2, 4)]
    first_moves(session, "exchange")
    play(session, "exchange 3D")
    first_moves(session, "refusal")
    assert session.state.balances == (8 + 6, -8 + 2, -8)  # the bank was 8
    events = play(session, *("continue",) * 3)
    assert [event.seat for event in told(events, Broke)] == [2, 1]  # 2 owes 4 and has nothing, so all ante, and 1 has only 2
    assert session.actor is OVER
    assert session.state.balances == (14, -6, -8)


# penalty_cap


@pytest.mark.parametrize(("cap", "penalty"), [("none", 40), (1, 8), (2, 16), (3, 24), (4, 32), (5, 40), (6, 40), (100, 40), ("2", 16)])
def test_house_rule_penalty_cap(cap: str | int, penalty: int) -> None:
    """A loser stakes at most so many agreed stakes; the bank of 40 holds an exchange fee, too."""
    session = fight([*sweep(3, *ALL), "4C", *sweep(0, *ALL)], penalty_cap=cap, stake=8)
    first_moves(session, "exchange")
    play(session, "stand", "stand", "stand", f"exchange {session.state.hands[3].cards[0]}")
    assert next_stakes(session) == [("FL-1", 0, 8), *(("FL-17", seat, penalty) for seat in (1, 2, 3))]


# refusal


def test_house_rule_losers_bound_a_loser_may_not_refuse() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, *ALL)], refusal="losers_bound")
    first_moves(session, "refusal")
    asked = []
    for _ in range(4):
        asked.append((session.actor, [str(move) for move in session.legal]))
        if session.actor in (2, 3):
            refused(session, "refuse", "refusal")
            refused(session, "stand", "refusal")
        else:
            refused(session, "refuse KS", "FL-18")
        session.play("continue")
    assert asked == [  # all are asked, in seat order, also those with one answer
        (0, ["continue", "refuse"]), (1, ["continue", "refuse"]), (2, ["continue"]), (3, ["continue"]),
    ]  # fmt: skip


def test_house_rule_losers_bound_the_losers_may_play_alone() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(2, 3, 2)], refusal="losers_bound")
    chance(session)
    assert next_stakes(session, 0, 1) == [("FL-17", 2, 16), ("FL-17", 3, 16)]
    assert (session.state.playing, session.state.dealer) == ((2, 3), 2)


def test_house_rule_losers_bound_fewer_than_two_left_it_is_over_and_nobody_pays() -> None:
    session = fight(three_and_one(2, 0, 1, 2), players=3, first_dealer=2, refusal="losers_bound")
    first_moves(session, "refusal")
    events = play(session, "refuse", "refuse", "continue")
    assert session.actor is OVER
    assert not told(events, Staked)
    assert session.outcome is not None
    assert (session.outcome.reason, session.outcome.payments) == ("too_few", (5, -1, -4))


def dropout(*deals: list[str], **house: Any) -> Session:
    """A first deal swept by seat 0, then the second one up to the choice to stay or drop."""
    session = fight([*sweep(3, *ALL), *(card for deal in deals for card in deal)], refusal="pagat_dropout", **house)
    events = first_moves(session, "drop")
    assert not told(events, RefusalsOpened)  # nobody refuses between deals
    return session


def test_house_rule_pagat_dropout_begins_with_the_second_deal() -> None:
    session = fight([*sweep(3, *ALL), *sweep(0, *ALL)], refusal="pagat_dropout", deals=2)
    phases = []
    while session.actor is not OVER:
        phases.append((session.state.deal, session.state.phase))
        session.play(None if session.actor is CHANCE else session.legal[0])
    assert (0, "drop") not in phases
    assert not [phase for phase in phases if phase[1] == "refusal"]
    second = [phase for deal, phase in phases if deal == 1]
    assert sorted(set(second), key=second.index) == ["deal", "fight", "turn", "replace", "drop", "exchange", "tricks"]  # after FL-7


def test_house_rule_pagat_dropout_each_stays_or_drops_sealed() -> None:
    one, other = dropout(sweep(0, *ALL)), dropout(sweep(0, *ALL))
    asked = []
    for session, token in ((one, "stay"), (other, "drop")):
        assert [str(move) for move in session.legal] == ["stay", "drop"]
        refused(session, "stand", "refusal")
        refused(session, "refuse", "refusal")
        refused(session, "drop KS", "refusal")
        session.play(token)
    for viewer in (None, 1, 2, 3):
        assert one.view(viewer) == other.view(viewer)
        assert one.export(viewer) == other.export(viewer)
    while one.state.phase == "drop":
        asked.append(one.actor)
        step = one.play("stay")
    assert asked == [1, 2, 3]
    (opened,) = told(step.events, DropsOpened)
    assert (opened.rule, opened.seats) == ("refusal", ())
    assert one.actor == 1  # exchanges begin at the dealer's left


def test_house_rule_pagat_dropout_who_drops_is_passed_over_and_is_no_loser() -> None:
    session = dropout(sweep(0, *ALL), sweep(1, *ALL))
    bank = session.state.bank
    assert (bank, session.state.lead) == (52, 0)
    held = set(session.state.hands[1])
    events = play(session, "stay", "drop", "stay", "stay")
    assert [event.seats for event in told(events, DropsOpened)] == [(1,)]
    assert not told(events, LeadPasses)
    assert len(session.state.hands[1]) == 0
    assert held <= set(session.state.discard)
    for viewer in (None, 0, 2, 3):
        assert held <= set(session.view(viewer).places["discard"].may)  # laid away unseen
    assert held <= set(session.view(1).places["discard"].sure)
    movers = []
    events = []
    while session.state.phase in ("exchange", "tricks"):
        movers.append(session.actor)
        events += play(session, str(session.legal[0]))
    assert movers[:3] == [2, 3, 0]  # from the dealer's left, 1 being out of this deal
    assert 1 not in movers
    assert [(event.seat, event.amount) for event in told(events, Share)] == [(0, bank)]
    assert [event.seat for event in told(events, Loses)] == [2, 3]
    assert staked(events) == [("FL-1", 0, 4), ("FL-1", 1, 4), ("FL-17", 2, bank), ("FL-17", 3, bank)]
    assert session.state.dealer == 1
    assert session.state.playing == ALL  # he is back


@pytest.mark.parametrize(("dropping", "lead"), [((2,), 3), ((2, 3), 0), ((2, 0), 3), ((1,), 2), ((2, 1), 3), ((0, 3), 2)])
def test_house_rule_pagat_dropout_a_dropped_winners_lead_passes_clockwise(dropping: tuple[int, ...], lead: int) -> None:
    """Seat 2 has won the fight, seat 0 deals."""
    session = dropout(sweep(0, 2, 3, 0, 1))
    events = play(session, *("drop" if seat in dropping else "stay" for seat in ALL))
    assert [(event.rule, event.seat) for event in told(events, LeadPasses)] == [("refusal", lead)] * (2 in dropping)
    events = first_moves(session, "tricks")
    assert session.actor == lead
    assert session.view(None).lead == lead
    play(session, str(session.legal[0]))
    staying = [seat for seat in (lead + 1, lead + 2, lead + 3) if seat % 4 not in dropping]
    assert session.actor == staying[0] % 4


@pytest.mark.parametrize("stayer", ALL)
def test_house_rule_pagat_dropout_a_lone_stayer_takes_the_bank(stayer: int) -> None:
    session = dropout(sweep(0, *ALL), sweep(1, *ALL))
    before = session.state.balances
    events = play(session, *("stay" if seat == stayer else "drop" for seat in ALL))
    (unplayed,) = told(events, BankUnplayed)
    assert (unplayed.rule, unplayed.seat, unplayed.amount) == ("refusal", stayer, 52)
    assert not told(events, Loses)
    assert not told(events, Played)
    assert staked(events) == [("FL-1", seat, 4) for seat in ALL]  # nobody is a loser
    after = tuple(balance + 52 * (seat == stayer) - 4 for seat, balance in enumerate(before))
    assert session.state.balances == after
    assert all(session.view(viewer).balances == after for viewer in (None, 0, 3))
    assert session.state.deal == 2


def test_house_rule_pagat_dropout_if_all_drop_the_fights_winner_takes_the_bank() -> None:
    session = dropout(sweep(0, 2, 3, 0, 1), sweep(1, *ALL))
    assert session.state.lead == 2
    before = session.state.balances
    events = play(session, *("drop",) * 4)
    assert [(event.seat, event.amount) for event in told(events, BankUnplayed)] == [(2, 52)]
    assert not told(events, LeadPasses)
    assert not told(events, Loses)
    assert session.state.balances == tuple(balance + 52 * (seat == 2) - 4 for seat, balance in enumerate(before))


def test_house_rule_pagat_dropout_in_the_last_deal_ends_the_game() -> None:
    session = dropout(sweep(0, *ALL), deals=2)
    events = play(session, "drop", "drop", "stay", "drop")
    assert session.actor is OVER
    assert [event.rule for event in told(events, GameOver)] == ["FL-19"]
    assert session.outcome is not None
    assert session.outcome.payments == (12 - 4, -4 - 16, -4 - 16 + 52, -4 - 16)


def test_house_rule_pagat_dropout_with_losers_only_all_ante_after_an_unplayed_deal() -> None:
    session = dropout(sweep(0, *ALL), sweep(1, *ALL), who_antes="losers_only")
    assert session.state.bank == 48
    events = play(session, "drop", "drop", "stay", "drop")
    assert staked(events) == [("FL-1", seat, 4) for seat in ALL]


def test_house_rule_pagat_dropout_with_a_bankroll() -> None:
    """Nobody refuses between deals, but who cannot pay leaves."""
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1)], refusal="pagat_dropout", bankroll=16)
    events = first_moves(session, "drop")
    assert [event.seat for event in told(events, Broke)] == [2, 3]
    assert (session.state.playing, session.actor) == ((0, 1), 0)


# bankroll


def test_house_rule_bankroll_who_cannot_pay_leaves_for_good_and_owes_nothing() -> None:
    """Bank 20 after seat 2 has exchanged a card: seat 3 can just pay it, seat 2 cannot."""
    session = fight([*three_and_one(3, *ALL), "KC", *sweep(0, 0, 1, 3)], bankroll=24)
    first_moves(session, "exchange")
    play(session, "stand", "stand", f"exchange {session.state.hands[2].cards[0]}")
    first_moves(session, "refusal")
    events = play(session, *("continue",) * 4)
    assert [(event.rule, event.seat) for event in told(events, Broke)] == [("bankroll", 2)]
    assert staked(events) == [("FL-1", 0, 4), ("FL-1", 1, 4), ("FL-17", 3, 20)]
    assert session.state.playing == (0, 1, 3)
    assert session.state.balances == (-4 + 15 - 4, -4 + 5 - 4, -8, -24)
    first_moves(session, "refusal")
    asked = []
    while session.state.phase == "refusal":
        asked.append(session.actor)
        play(session, "continue")
    assert asked == [0, 1, 3]


@pytest.mark.parametrize("refusal", ["final", "losers_bound", "pagat_dropout"])
def test_house_rule_bankroll_whatever_refusal_says(refusal: str) -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1)], bankroll=16, refusal=refusal)
    events = first_moves(session, "exchange")
    events += first_moves(session, "fight" if refusal == "pagat_dropout" else "refusal")
    if refusal != "pagat_dropout":
        events += play(session, *("continue",) * 4)
    assert [event.seat for event in told(events, Broke)] == [2, 3]  # 12 is left to each, 16 is due
    assert session.state.playing == (0, 1)
    assert session.state.balances[2:] == (-4, -4)


def test_house_rule_bankroll_the_dealer_leaves_and_the_deal_passes_from_his_seat() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, 0, 1)], bankroll=16)
    first_moves(session, "refusal")
    events = play(session, *("continue",) * 4)
    assert [event.dealer for event in told(events, NextDeal)] == [0]


def test_house_rule_bankroll_fewer_than_two_left() -> None:
    session = fight(sweep(3, *ALL), bankroll=16)
    first_moves(session, "refusal")
    events = play(session, *("continue",) * 4)
    assert [event.seat for event in told(events, Broke)] == [1, 2, 3]
    assert not told(events, Staked)
    assert session.actor is OVER
    assert session.outcome is not None
    assert (session.outcome.reason, session.outcome.payments) == ("too_few", (12, -4, -4, -4))


@pytest.mark.parametrize(("bankroll", "most"), [(4, 0), (8, 1), (12, 2), (16, 3), (20, 4), (400, 4)])
@pytest.mark.parametrize("exchange", ["batch", "one_by_one"])
def test_house_rule_bankroll_no_more_cards_than_he_can_pay(bankroll: int, most: int, exchange: str) -> None:
    session = fight(sweep(3, *ALL), bankroll=bankroll, exchange=exchange)
    first_moves(session, "exchange")
    if exchange == "batch":
        assert max(len(move.cards) for move in session.legal) == most
        for n in range(most + 1, 5):
            reason = refused(session, " ".join(["exchange", *map(str, session.state.hands[0].cards[:n])]), "FL-8")
            assert dict(reason.phrase.params)["n"] == most
    exchanged = 0
    while session.actor == 0 and len(session.legal) > 1:
        step = session.play(session.legal[-1])
        exchanged += len(step.action.cards)
        chance(session)
    assert exchanged == most
    assert bankroll + session.state.balances[0] == bankroll - 4 - 4 * most
    assert bankroll + session.state.balances[0] >= 0


def test_house_rule_bankroll_with_a_penalty_cap_he_can_pay_the_capped_stake() -> None:
    session = fight([*three_and_one(3, *ALL), *sweep(0, *ALL)], bankroll=12, penalty_cap=2)
    chance(session)
    assert next_stakes(session) == [("FL-1", 0, 4), ("FL-1", 1, 4), ("FL-17", 2, 8), ("FL-17", 3, 8)]
    assert [12 + balance for balance in session.state.balances[2:]] == [0, 0]
