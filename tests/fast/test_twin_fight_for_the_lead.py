"""The compiled Fight for the Lead plays the engine's games: the same actions, cards, tricks and money."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from probable import assert_frequencies
from twins import POLICIES, Case, cases

from cardlab import BadRequest, FightForTheLead, Session
from cardlab.cards import PACK_52
from cardlab.games.fight_events import BankUnplayed, DealOver, LeadPasses, LeadWon, Reshuffled, Shuffled, TrickWon, Turned
from cardlab.games.fight_state import Size

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
from cardlab.fast import fight_for_the_lead as twin  # noqa: E402

NAME = "fight_for_the_lead"
FIRST_MATCH = {2: Fraction(178, 425), 3: Fraction(11686, 20825), 4: Fraction(55883, 83300), 5: Fraction(84443, 111860)}
NEW_STOCKS = (427_894, 433_141, 1_060_602, 1_622_985)  # games of seed 0 with 5 random players that come to FL-7's new stock


def row(games: Any, k: int = 0) -> dict[str, Any]:
    """One game of a batch."""
    return {name: column[k].tolist() for name, column in games._asdict().items()}


def told(session: Session) -> dict[str, Any]:
    """The same, read off the engine's events."""
    players, tricks = session.game.players, [0] * session.game.players
    dealers, matched, new_stocks, turned, lead, banks = [], 0, 0, 0, 0, []
    for event in (event for step in session.steps for event in step.events):
        match event:
            case Shuffled(dealer=dealer):
                dealers.append(dealer)
                turned = 0
            case Turned():
                turned += 1
            case LeadWon(seat=seat):
                lead = seat
                matched += turned == 1
            case LeadPasses(seat=seat):
                lead = seat
            case Reshuffled():
                new_stocks += 1
            case TrickWon(seat=seat):
                tricks[(seat - lead) % players] += 1
            case DealOver(bank=bank) | BankUnplayed(amount=bank):
                banks.append(bank)
    return {
        "dealer": dealers[0],
        "deals": len(banks),
        "matched": matched,
        "new_stocks": new_stocks,
        "bank": banks[-1],
        "beyond": False,
        "tricks": tricks,
        "balances": list(session.state.balances),
    }


def assert_same(case: Case) -> None:
    session = case.session()
    assert twin.trace(case.game, case.seed, case.index, case.players) == [str(step.action) for step in session.steps], case
    assert row(twin.play(case.game, case.seed, case.index, 1, case.players)) == told(session), case


def test_the_twin_plays_the_engines_games() -> None:
    for case in cases(NAME, 100, seed=1):
        assert_same(case)


@pytest.mark.slow
def test_the_twin_plays_many_of_the_engines_games() -> None:
    for case in cases(NAME, 2_000, seed=2):
        assert_same(case)


@pytest.mark.parametrize("index", NEW_STOCKS)
def test_the_new_stock_of_fl_7(index: int) -> None:
    """One deal in a million with five players: the turned cards come back, also into exchanges."""
    game = FightForTheLead(5, deals=1, first_dealer=0)
    assert twin.play(game, 0, index, 1, "random").new_stocks.tolist() == [1]
    assert_same(Case(game, "random", 0, index))


@pytest.mark.parametrize("house", [{"deals": 17}, {"penalty_cap": 10**99}, {"refusal": "losers_bound", "bankroll": 10**99}], ids=str)
def test_a_bank_that_grows_too_large_is_left_to_the_engine(house: dict[str, Any]) -> None:
    """The row is flagged where the engine's bank has passed 2**60, and only there."""
    game = FightForTheLead(5, stake=2**44, **{"deals": 20, **house})
    flags = []
    for index in range(3):
        session = Session(game, seed=11, index=index)
        session.auto("still", until="game")
        beyond = max(moment.state.bank for moment in session.line) > 2**60
        games = twin.play(game, 11, index, 1, "still")
        assert games.beyond.tolist() == [beyond]
        flags.append(beyond)
        if beyond:
            with pytest.raises(OverflowError):
                twin.trace(game, 11, index, "still")
        else:
            assert row(games) == told(session)
    assert True in flags


def test_large_amounts_below_that_are_exact() -> None:
    game = FightForTheLead(5, stake=2**44, deals=8)
    for index in range(3):
        assert_same(Case(game, "still", 12, index))


@pytest.mark.parametrize("players", [*POLICIES, {0: "random", 1: "still", 2: "sensible"}], ids=str)
def test_the_split_changes_nothing(players: Any) -> None:
    game, n = FightForTheLead(3, refusal="pagat_dropout", exchange="one_by_one"), 2_000
    whole = twin.play(game, 9, 100, n, players)
    for size in (777, 1):
        starts = range(0, n, size) if size > 1 else range(60)
        with ThreadPoolExecutor(2) as threads:
            parts = list(threads.map(lambda at, size=size: twin.play(game, 9, 100 + at, min(size, n - at), players), starts))
        for column, joined in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(column[: sum(map(len, joined))], np.concatenate(joined))


@pytest.mark.parametrize("players", FIRST_MATCH)
def test_the_first_turned_card_matches_as_often_as_the_exact_chances_say(players: int) -> None:
    n = 200_000
    matched = int(twin.play(FightForTheLead(players, deals=1), 2026, 0, n, "random").matched.sum())
    chance = FIRST_MATCH[players]
    assert_frequencies({True: matched, False: n - matched}, {True: chance, False: 1 - chance}, comparisons=len(FIRST_MATCH))


def test_money_and_tricks_add_up() -> None:
    games = twin.play(FightForTheLead(4, deals=5), 1, 0, 20_000, "random")
    played = games.deals[~games.beyond]
    assert not games.balances.sum(axis=1).any()
    assert (games.tricks.sum(axis=1) == 4 * played).all()
    assert games.tricks[:, 0].sum() > games.tricks[:, 1:].sum(axis=0).max()  # who leads takes the most


def test_what_the_twin_leaves_to_the_engine() -> None:
    assert not twin.covers(FightForTheLead(2, size=Size(PACK_52[:24], 2, 2)), "still")
    assert not twin.covers(FightForTheLead(2), {0: "still", 1: "expert"})
    assert not twin.covers(FightForTheLead(2), {0: "still"})
    assert not twin.covers(FightForTheLead(2, stake=2**50), "still")
    with pytest.raises(ValueError, match="expert"):
        twin.play(FightForTheLead(2), 0, 0, 1, "expert")


@pytest.mark.parametrize(("seed", "first", "n"), [(2**64, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 2**64 - 1, 2)])
def test_names_beyond_64_bits_are_refused(seed: int, first: int, n: int) -> None:
    with pytest.raises(BadRequest):
        twin.play(FightForTheLead(2), seed, first, n, "still")


def test_no_games_and_the_last_index() -> None:
    game = FightForTheLead(2)
    assert len(twin.play(game, 0, 2**64 - 1, 0, "still").deals) == 0
    assert_same(Case(game, "still", 2**64 - 1, 2**64 - 1))
