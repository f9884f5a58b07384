"""Fight for the Lead: values that are refused, money that neither appears nor vanishes, sums that no machine word holds."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from fights import fight, fight_deal, first_moves, sweep, three_and_one
from scenario import LANGUAGES, told

from cardlab import CHANCE, OVER, BadGame, BadRecord, Record, Session, game
from cardlab.cards import parse_card
from cardlab.core.events import Event
from cardlab.games.fight_events import BankUnplayed, DealOver, Exchanged, Share, Staked
from cardlab.view import text
from cardlab.words import Words, number

# what cannot be a game


@pytest.mark.parametrize("players", [1, 6, 0, -1, 52, 4.0, "4", True])
def test_FL_0_a_wrong_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", players)
    assert fault.value.rule == "FL-0"
    assert (fault.value.params["least"], fault.value.params["most"]) == (2, 5)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("stake", value) for value in (30_302, 4.0, 8.0, True, "x", -4, 0, 2, 6, "4.0", "-4", "", None, "none", [4])),
        *(("first_dealer", value) for value in (4, -1, "4", 1.0, True, None, "x")),
        *(("exchange", value) for value in ("one by one", "", 4, True, None)),
        *(("who_antes", value) for value in ("losers", 1, None)),
        *(("penalty_cap", value) for value in (0, -1, 1.0, True, "x", None, "")),
        *(("refusal", value) for value in ("pagat", 0, None)),
        *(("bankroll", value) for value in (0, -4, 6, 4.0, True, "x", None, 30_302)),
        *(("deals", value) for value in (0, -1, 1.0, True, "x", None, "none")),
    ],
)
def test_a_house_rule_with_another_value_is_refused(key: str, value: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", 4, **{key: value})
    assert fault.value.rule == key
    for language in LANGUAGES:
        said = fault.value.say(Words(language))
        allowed = game("fight_for_the_lead", 4).rules.options()[key]
        assert all(word in said for word in allowed.words)
        assert allowed.least is None or str(allowed.least) in said


@pytest.mark.parametrize(("bankroll", "stake"), [(4, 8), (8, 12), (30_296, 30_300)])
def test_a_bankroll_below_one_stake_is_refused(bankroll: int, stake: int) -> None:
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", 4, bankroll=bankroll, stake=stake)
    assert fault.value.rule == "bankroll"
    assert number(stake) in str(fault.value)
    assert game("fight_for_the_lead", 4, bankroll=stake, stake=stake).rules.bankroll == stake


@pytest.mark.parametrize("house", [{"trumps": "none"}, {"Stake": 4}, {"ends": "deals"}])
def test_an_unknown_house_rule_is_refused(house: dict[str, Any]) -> None:
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", 4, **house)
    assert fault.value.rule == "FL-0"
    assert all(key in str(fault.value) for key in ("stake", "penalty_cap", "bankroll"))


@pytest.mark.parametrize("preset", ["pagat", "", None])
def test_an_unknown_preset_is_refused(preset: Any) -> None:
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", 4, preset)
    assert fault.value.rule == "FL-0"
    assert "default" in str(fault.value)


# money


def test_case_28_stakes_that_fit_and_stakes_that_do_not() -> None:
    session = fight([*three_and_one(2, 0, 1, 2)], players=3, first_dealer=2, stake=30_300)
    first_moves(session, "refusal")
    assert session.state.balances == (-30_300 + 68_175, -30_300 + 22_725, -30_300)
    assert sum(session.state.balances) == 0
    with pytest.raises(BadGame) as fault:
        game("fight_for_the_lead", 3, stake=30_302)
    assert fault.value.rule == "stake"


@pytest.mark.parametrize("value", ["4.0", "true", '"x"', "-4", "6", "null", "1e2"])
def test_case_28_a_record_with_another_stake_is_refused(value: str) -> None:
    text_of = Session(game("fight_for_the_lead", 4), seed=1).record.dumps()
    assert '"stake": 4' in text_of
    with pytest.raises(BadRecord) as fault:
        Record.loads(text_of.replace('"stake": 4', f'"stake": {value}'))
    assert fault.value.line == 1


def some_house(index: int) -> dict[str, Any]:
    """House rules by the number of a game, every value now and then."""
    choose = random.Random(index).choice
    stake = choose([4, 8, 100])
    return {
        "stake": stake,
        "exchange": choose(["batch", "one_by_one"]),
        "who_antes": choose(["all", "losers_only"]),
        "penalty_cap": choose(["none", "none", 1, 3]),
        "refusal": choose(["final", "losers_bound", "pagat_dropout"]),
        "bankroll": choose(["none", "none", stake, 5 * stake, 12 * stake]),
        "deals": choose([1, 2, 3]),
    }


class Ledger:
    """The money of a game, added up from its events alone."""

    def __init__(self, players: int) -> None:
        self.balances = [0] * players
        self.bank = 0

    def pays(self, seat: int, amount: int) -> None:
        assert type(amount) is int
        self.balances[seat] -= amount
        self.bank += amount
        assert sum(self.balances) + self.bank == 0
        assert self.bank >= 0

    def see(self, event: Event) -> None:
        if isinstance(event, Staked):
            self.pays(event.seat, event.amount)
            assert event.bank == self.bank
        elif isinstance(event, Exchanged):
            self.pays(event.seat, event.fee)
            assert event.bank == self.bank
        elif isinstance(event, DealOver):
            assert event.bank == self.bank
            assert event.bank % 4 == 0
        elif isinstance(event, (Share, BankUnplayed)):
            self.pays(event.seat, -event.amount)


def test_case_28_money_neither_appears_nor_vanishes_in_a_thousand_games() -> None:
    reasons, rules = set(), set()
    for index in range(1000):
        players, house = 2 + index % 4, some_house(index)
        session = Session(game("fight_for_the_lead", players, **house), seed=28, index=index)
        ledger, choices = Ledger(players), random.Random(index)
        while session.actor is not OVER:
            staying = [move for move in session.legal if move.verb not in ("refuse", "drop")]
            moves = staying if staying and choices.random() < 0.95 else session.legal
            step = session.play(None if session.actor is CHANCE else choices.choice(moves))
            for event in step.events:
                ledger.see(event)
                rules.add(event.rule)
            s = step.after
            assert (list(s.balances), s.bank) == (ledger.balances, ledger.bank)
            assert type(s.bank) is type(s.last_bank) is int
            assert all(type(balance) is int for balance in s.balances)
            if house["bankroll"] != "none":
                assert all(house["bankroll"] + balance >= 0 for balance in s.balances)
        assert s.bank == 0
        assert len(session) <= session.game.bound()
        if index % 8 < 4:  # all numbers of players
            assert session.view(index % 8 % players).balances == s.balances
        outcome = session.outcome
        assert outcome is not None
        assert outcome.payments == s.balances
        assert [s.balances[group[0]] for group in outcome.standing] == sorted(set(s.balances), reverse=True)
        reasons.add(outcome.reason)
    assert reasons == {"deals", "too_few"}
    assert {"FL-1", "FL-8", "FL-17", "refusal", "bankroll"} <= rules


# sums that no machine word holds


BANKS = {26: 24_019_198_012_642_644, 27: 96_076_792_050_570_580, 31: 24_595_658_764_946_068_820}


def grouped(amount: int) -> str:
    return f"{amount:,}".replace(",", "\N{NO-BREAK SPACE}")


@pytest.fixture(scope="module")
def swept() -> Session:
    """Five players, stake 4, seat 0 takes all tricks in each of 32 deals."""
    script = [card for deal in range(32) for card in sweep(deal % 5, 0, 1, 2, 3, 4)]
    session = fight(script, players=5, first_dealer=0, deals=32)
    first_moves_to_the_end(session)
    return session


def first_moves_to_the_end(session: Session) -> None:
    while session.actor is not OVER:
        session.play(None if session.actor is CHANCE else session.legal[0])


def test_case_29_the_banks_exactly(swept: Session) -> None:
    banks = [event.bank for step in swept.steps for event in told(step.events, DealOver)]
    assert banks[:3] == [20, 84, 340]
    assert all(later == 4 * bank + 4 for bank, later in pairwise(banks))
    assert {deal: banks[deal - 1] for deal in BANKS} == BANKS
    assert BANKS[26] > 2**53
    assert int(float(BANKS[27])) != BANKS[27]
    assert BANKS[31] > 2**63
    assert swept.outcome is not None
    assert swept.outcome.payments[0] == sum(banks) - 32 * 4
    assert swept.outcome.payments[1:] == (-sum(banks[:-1]) - 4,) * 4
    assert sum(swept.outcome.payments) == 0


@pytest.mark.parametrize("deal", BANKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_case_29_on_the_table_and_in_the_log(swept: Session, deal: int, language: str) -> None:
    end = next(n for n, step in enumerate(swept.steps, 1) if told(step.events, DealOver) and step.before.deal == deal - 1)
    session = swept.branch().goto(end - 1)
    assert session.state.bank == BANKS[deal]
    for viewer in (None, 0, 4, "teacher"):
        view = session.view(viewer)
        assert (view.bank, type(view.bank)) == (BANKS[deal], int)
        assert grouped(BANKS[deal]) in text(session.game, view, Words(language))
    session.redo()
    rows = session.log(None, language)
    over = [row.text for row in rows if isinstance(row.event, DealOver)]
    assert len(over) == deal
    assert grouped(BANKS[deal]) in over[-1]
    assert [row.text for row in rows if isinstance(row.event, Share)][-1].count(grouped(BANKS[deal])) == 1
    assert [event.amount for _, _, event in session.events() if isinstance(event, Share)][-1] == BANKS[deal]
    view = session.view(None)
    assert (view.last_bank, view.balances) == (BANKS[deal], session.state.balances)
    table = text(session.game, view, Words(language))
    for balance in session.state.balances:
        assert number(balance) in table
    assert f"\N{MINUS SIGN}{grouped(-session.state.balances[4])}" in table


def test_case_29_in_the_record_and_the_export(swept: Session) -> None:
    again = Record.loads(swept.record.dumps()).session()
    assert again.state == swept.state
    assert [step.after.bank for step in again.steps] == [step.after.bank for step in swept.steps]
    events = [json.loads(line) for line in swept.export(None).splitlines()[1:-1]]
    banks = [event["bank"] for event in events if event["event"] == "fight.deal_over"]
    assert {deal: banks[deal - 1] for deal in BANKS} == BANKS
    assert all(type(bank) is int for bank in banks)


def test_sixty_still_deals_pass_two_to_the_63() -> None:
    session = Session(game("fight_for_the_lead", 5, deals=60), seed=60)
    session.auto("still", until="game")
    banks = [event.bank for step in session.steps for event in told(step.events, DealOver)]
    assert len(banks) == 60
    assert max(banks) > 2**63
    assert all(type(bank) is int and bank % 4 == 0 for bank in banks)
    for step in session.steps:
        assert sum(step.after.balances) + step.after.bank == 0
    for language in LANGUAGES:
        last = [row.text for row in session.log(None, language) if isinstance(row.event, DealOver)][-1]
        assert grouped(banks[-1]) in last
    assert session.outcome is not None
    assert sum(session.outcome.payments) == 0
    assert Record.loads(session.record.dumps()).session().state == session.state


def test_a_card_named_twice_in_a_script_is_no_deal() -> None:
    session = fight(fight_deal({0: "AH AH", 1: "2C 3C"}, "", {}, 1), players=2, first_dealer=1)
    session.play()
    assert parse_card("AH") in session.state.stock
    session.play()
    session.play()
    with pytest.raises(RuntimeError):
        session.play()
