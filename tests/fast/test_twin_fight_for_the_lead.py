"""The compiled Fight for the Lead plays the engine's games: the same actions, cards and money, from the start and from any moment."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from probable import assert_frequencies
from twins import POLICIES, Case, cases, played_on, short_cases

from cardlab import BadRequest, FightForTheLead, Session
from cardlab.cards import PACK_52
from cardlab.chance.fight_play import next_bank
from cardlab.games.fight_events import BankUnplayed, DealOver, LeadPasses, LeadWon, Reshuffled, Shuffled, TrickWon, Turned
from cardlab.games.fight_state import Size, State
from cardlab.testing import houses

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
from cardlab.fast import fight_for_the_lead as twin  # noqa: E402

NAME = "fight_for_the_lead"
VALUES = list(houses.every_single(NAME, 5))
FIRST_MATCH = {2: Fraction(178, 425), 3: Fraction(11686, 20825), 4: Fraction(55883, 83300), 5: Fraction(84443, 111860)}
NEW_STOCKS = (427_894, 433_141, 1_060_602, 1_622_985)  # games of seed 0 with 5 random players that come to FL-7's new stock


KINDS = {
    *(phase for phase in FightForTheLead.phases if phase != "over"),
    *("sealed fight", "sealed drop", "sealed refusal", "due exchange", "half-played trick", "one more exchange"),
}


def row(games: Any, k: int = 0) -> dict[str, Any]:
    """One game of a batch."""
    return {name: (column if name == "tricks" and column.ndim == 2 else column[k]).tolist() for name, column in games._asdict().items()}


def told(session: Session, deal: int = 0) -> dict[str, Any]:
    """The same, read off the engine's events from a deal on."""
    players, tricks = session.game.players, [[0] * 5 for _ in session.game.seats]
    dealers, matched, new_stocks, turned, lead, banks = [], 0, 0, 0, 0, []
    turns, losers, won = 0, 0, [0] * players
    for step, event in ((at, event) for at in session.steps if at.before.deal >= deal for event in at.events):
        match event:
            case Shuffled(dealer=dealer):
                dealers.append(dealer)
                turned, won = 0, [0] * players
            case Turned():
                turned, turns = turned + 1, turns + 1
            case LeadWon(seat=seat):
                lead = seat
                matched += turned == 1
            case LeadPasses(seat=seat):
                lead = seat
            case Reshuffled():
                new_stocks += 1
            case TrickWon(seat=seat):
                won[seat] += 1
            case DealOver(bank=bank):
                banks.append(bank)
                for seat in step.before.staying:
                    tricks[(seat - lead) % players][won[seat]] += 1
                    losers += not won[seat]
            case BankUnplayed(amount=bank):
                banks.append(bank)
    return {
        "dealer": dealers[0] if dealers else session.state.dealer,
        "deals": len(banks),
        "matched": matched,
        "new_stocks": new_stocks,
        "bank": banks[-1] if banks else session.state.last_bank,
        "turned": turns,
        "losers": losers,
        "beyond": False,
        "tricks": tricks,
        "balances": list(session.state.balances),
        "losing": sum(1 << seat for seat in session.state.losers),
    }


def told_since(session: Session, at: int) -> dict[str, Any]:
    """What a rollout from the step ``at`` tells of the game: all of its deal and of later ones, then that deal alone."""
    deal = session.line[at].state.deal
    steps = [step for step in session.steps if step.before.deal == deal]
    banks = [event for step in steps for event in step.events if isinstance(event, DealOver | BankUnplayed)]
    end = steps[-1].after
    return told(session, deal) | {
        "deal_tricks": list(end.tricks) if banks else [0] * session.game.players,
        "deal_bank": end.last_bank if banks else 0,
        "deal_taker": next((event.seat for event in banks if isinstance(event, BankUnplayed)), -1),
        "deal_balances": list(end.balances),
        "deal_losing": sum(1 << seat for seat in end.losers),
        "next_bank": next_bank(session.game, end) if end.phase in ("refusal", "over") else sum(session.game.stakes(end).values()),
    }


def assert_same(case: Case) -> None:
    session = case.session()
    assert twin.trace(case.game, case.seed, case.index, case.players) == [str(step.action) for step in session.steps], case
    assert row(twin.play(case.game, case.seed, case.index, 1, case.players)) == told(session), case


def shortened(case: Case, deals: int) -> Case:
    """The same with fewer deals: the engine takes its time."""
    game = case.game
    return replace(case, game=type(game)(game.players, **(game.rules.changed() | {"deals": deals})))


def test_the_twin_plays_the_engines_games() -> None:
    for k, case in enumerate(cases(NAME, 2_000, seed=1)):
        assert_same(case if k % 40 == 0 else shortened(case, 1 + k % 2))


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_the_twin_plays_the_engines_games_with_each_policy(policy: str) -> None:
    for case in short_cases(NAME, 2_000, seed=5, players=policy):
        assert_same(case)


@pytest.mark.slow
@pytest.mark.parametrize("house", VALUES, ids=str)
def test_the_twin_plays_the_engines_games_under_each_house_rule(house: dict[str, Any]) -> None:
    for case in short_cases(NAME, 2_000, seed=2, **house):
        assert_same(case)


def test_rollouts_go_on_as_the_engine_does() -> None:
    """From moments of all kinds: under the game's own name, and under another, which deals the cards that are left otherwise."""
    assert set(moments_tried(500, seed=3)) == KINDS


@pytest.mark.slow
def test_many_rollouts_go_on_as_the_engine_does() -> None:
    assert set(moments_tried(2_000, seed=4)) == KINDS


def moments_tried(n: int, seed: int) -> Counter[str]:
    """Compares so many rollouts; how often each kind of moment was among them."""
    chance, kinds = random.Random(seed), Counter[str]()
    for k, case in enumerate(cases(NAME, n, seed)):
        case = shortened(case, 1 + k % 3)
        session = case.session()
        states = [moment.state for moment in session.line[:-1]]
        kind = chance.choice(sorted({kind for state in states for kind in kinds_of(state)}))  # the short phases as often as the long ones
        at = chance.choice([at for at, state in enumerate(states) if kind in kinds_of(state)])
        assert_goes_on(session, at, case)
        other = replace(case, seed=chance.getrandbits(64), index=chance.getrandbits(64))
        assert_goes_on(played_on(session, at, other), at, other)
        kinds.update(kinds_of(states[at]))
    return kinds


def kinds_of(state: State) -> list[str]:
    """A moment's phase, and what lies half done in it."""
    half_done = {
        f"sealed {state.phase}": state.sealed,
        f"due {state.phase}": state.due,
        "half-played trick": state.trick,
        f"one more {state.phase}": state.exchanged and not state.due,
    }
    return [state.phase, *(kind for kind, so in half_done.items() if so)]


def assert_goes_on(session: Session, at: int, case: Case) -> None:
    """From that moment the twin plays what the engine played, to the end of the deal and of the game."""
    here, name = session.line[at], (case.seed, case.index, case.players)
    steps = session.steps[at:]
    for until, part in (("game", steps), ("deal", [step for step in steps if step.before.deal == here.state.deal])):
        wanted = [str(step.action) for step in part]
        assert twin.rollout_trace(case.game, here.state, here.counts, *name, until) == wanted, (case, at, until)
    done = twin.rollouts(case.game, twin.starts(case.game, [(here.state, here.counts)]), *name)
    assert row(done) == told_since(session, at), (case, at)


def test_many_starts_go_on_in_one_call_each_under_its_index() -> None:
    """A row is the same alone and among others, and stops at the end of its deal where the others do."""
    game = FightForTheLead(4, deals=3, refusal="pagat_dropout")
    session = Session(game, seed=5)
    session.auto("random", until="game")
    moments = [(moment.state, moment.counts) for moment in session.line]
    begun, deal = twin.starts(game, moments), {}
    for until in twin.UNTIL:
        whole = twin.rollouts(game, begun, 6, 100, "random", until)
        alone = [twin.rollouts(game, twin.starts(game, [moment]), 6, 100 + k, "random", until) for k, moment in enumerate(moments)]
        assert [row(whole, k) for k in range(len(moments))] == [row(one) for one in alone]
        deal[until] = [row(whole, k) | {"deals": 0} for k in range(len(moments))]
    first, game_ends = deal["deal"], deal["game"]
    assert all(one[name] == other[name] for one, other in zip(first, game_ends, strict=True) for name in one if name.startswith("deal_"))
    assert all(one["balances"] == one["deal_balances"] for one in first)
    assert first != game_ends


def test_a_new_stock_of_fl_7_is_dealt_on() -> None:
    """Where the turned cards came back: from the moments before, amid and after, also under another name."""
    game = FightForTheLead(5, deals=1, first_dealer=0)
    case = Case(game, "random", 0, NEW_STOCKS[0])
    session = case.session()
    tried = [at for at, moment in enumerate(session.line[:-1]) if moment.state.phase in ("turn", "replace", "exchange", "tricks")]
    assert any(session.line[at].state.reshuffled for at in tried)
    for at in tried:
        assert_goes_on(session, at, case)
        other = replace(case, seed=at)
        assert_goes_on(played_on(session, at, other), at, other)


def test_a_game_that_is_over_goes_on_with_nothing() -> None:
    session = Session(FightForTheLead(3, deals=2), seed=7)
    session.auto("still", until="game")
    done = twin.rollouts(session.game, twin.starts(session.game, [(session.state, {})] * 3), 7, 0, "still")
    assert done.deals.tolist() == done.deal_bank.tolist() == [0] * 3
    assert done.balances.tolist() == done.deal_balances.tolist() == [list(session.state.balances)] * 3
    assert twin.rollout_trace(session.game, session.state, {}, 7, 0, "still") == []


def test_starts_and_ends_that_the_twin_does_not_know_are_refused() -> None:
    game = FightForTheLead(2)
    with pytest.raises(OverflowError):
        twin.starts(game, [(replace(game.start(), balances=(2**62, -(2**62))), {})])
    with pytest.raises(BadRequest):
        twin.rollouts(game, twin.starts(game, [(game.start(), {})]), 0, 0, "still", "trick")
    assert len(twin.rollouts(game, twin.starts(game, []), 0, 0, "still").deals) == 0


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
@pytest.mark.parametrize("refusal", ["final", "pagat_dropout"])
def test_the_split_changes_nothing(players: Any, refusal: str) -> None:
    game, n = FightForTheLead(3, refusal=refusal, exchange="one_by_one"), 2_000
    whole = twin.play(game, 9, 100, n, players)
    for size in (777, 1):
        starts = range(0, n, size) if size > 1 else range(60)
        with ThreadPoolExecutor(2) as threads:
            parts = list(threads.map(lambda at, size=size: twin.play(game, 9, 100 + at, min(size, n - at), players), starts))
        for name, column, joined in zip(whole._fields, whole, zip(*parts, strict=True), strict=True):
            if name != "tricks":
                assert np.array_equal(column[: sum(map(len, joined))], np.concatenate(joined))
            elif size > 1:
                assert np.array_equal(column, sum(joined))


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
    taken = games.tricks @ np.arange(5)
    assert taken.sum() == 4 * played.sum()
    assert taken[0] > taken[1:].max()  # who leads takes the most


def test_what_the_twin_leaves_to_the_engine() -> None:
    assert not twin.covers(FightForTheLead(2, size=Size(PACK_52[:24], 2, 2)), "still")
    assert not twin.covers(FightForTheLead(2), {0: "still", 1: "expert"})
    assert not twin.covers(FightForTheLead(2), {0: "still"})
    assert not twin.covers(FightForTheLead(2, stake=2**50), "still")
    assert not twin.covers(FightForTheLead(2, deals=2**28 + 1), "still")
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
