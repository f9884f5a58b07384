"""The compiled Suicide King plays the engine's games: the same actions, cards and end, from the start and from any moment."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from probable import assert_frequencies
from twins import POLICIES, Case, cases, played_on, short_cases, singles

from cardlab import BadRequest, Session, SuicideKing, ask
from cardlab.cards import PACK_52
from cardlab.games.suicide_king import Leaves, Passed, Size
from cardlab.testing import houses

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
from cardlab.fast import suicide_king as twin  # noqa: E402

NAME = "suicide_king"
VALUES = list(houses.every_single(NAME, 5))


def actions(session: Session, after: int = 0) -> list[str]:
    return [str(step.action) for step in session.steps[after:]]


def row(games: Any, k: int = 0) -> tuple[Any, ...]:
    """One game of a batch: who moved first, the order of leaving, deals, cards, longest turn."""
    return (*(int(column[k]) for column in (games.first, games.deals, games.cards, games.longest)), games.left[k].tolist())


def told(session: Session, after: int = 0) -> tuple[Any, ...]:
    """The same, read off the engine's steps."""
    steps = session.steps[after:]
    taken = [step for step in steps if step.action.verb == "card"]
    begun = [step.after.turn for step in steps if step.action.verb == "shuffle"]
    on_turn = steps[0].before.turn is not None
    lengths = [0]
    for step in taken:
        lengths[-1] += 1
        if any(isinstance(event, Passed | Leaves) for event in step.events):
            lengths.append(0)
    end = session.state
    return steps[0].before.turn if on_turn else begun[0], len(begun) + on_turn, len(taken), max(lengths), [*end.left, *end.playing]


def assert_same(case: Case) -> None:
    session = case.session()
    assert twin.trace(case.game, case.seed, case.index, case.players) == actions(session), case
    assert row(twin.play(case.game, case.seed, case.index, 1, case.players)) == told(session), case


def test_the_twin_plays_the_engines_games() -> None:
    for case in cases(NAME, 2_000, seed=1):
        assert_same(case)


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
    """From any moment: under the game's own name, and under another, which deals the cards not seen yet otherwise."""
    assert_rollouts(250, seed=3)


@pytest.mark.slow
def test_many_rollouts_go_on_as_the_engine_does() -> None:
    assert_rollouts(2_000, seed=4)


def assert_rollouts(n: int, seed: int) -> None:
    chance = random.Random(seed)
    for case in cases(NAME, n, seed):
        session = case.session()
        at = chance.randrange(len(session))
        view = session.branch().goto(at).view()
        assert_goes_on(view, session, at, Case(case.game, case.players, session.seed, session.index))
        other = Case(case.game, case.players, chance.getrandbits(64), chance.getrandbits(64))
        assert_goes_on(view, played_on(session, at, other), at, other)


def assert_goes_on(view: Any, session: Session, at: int, case: Case) -> None:
    """From a view of that moment the twin plays what the engine played."""
    assert twin.rollout_trace(view, case.seed, case.index, case.players) == actions(session, at), (case, at)
    assert row(twin.rollouts(view, case.seed, case.index, 1, case.players)) == told(session, at), (case, at)


def test_a_deal_at_once_ends_as_card_by_card() -> None:
    """The two ways in which the twin plays, game by game: for piles in order, both know what the other says."""
    for game in singles(NAME):
        if game.rules.extra_cards == "reset":
            house, leapt = twin._house(game, "still"), twin.play(game, 5, 2**40, 5_000, "still")
            walked = twin._rows(game, 5, 2**40, 5_000)
            twin._walks(house, twin._start(house), twin.U(5), twin.U(2**40), walked)
            for one, other in zip(leapt, walked, strict=True):
                assert np.array_equal(one, other), game


@pytest.mark.parametrize("players", [*POLICIES, {0: "random", 1: "still", 2: "sensible"}], ids=str)
@pytest.mark.parametrize("house", [{}, {"extra_cards": "batch"}], ids=str)
def test_the_split_changes_nothing(players: Any, house: dict[str, Any]) -> None:
    game, n = SuicideKing(3, **house), 5_000
    whole = twin.play(game, 9, 100, n, players)
    for size in (1_000, 777, 1):
        starts = range(0, n, size) if size > 1 else range(60)
        with ThreadPoolExecutor(2) as threads:
            parts = list(threads.map(lambda at, size=size: twin.play(game, 9, 100 + at, min(size, n - at), players), starts))
        for column, joined in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(column[: sum(map(len, joined))], np.concatenate(joined))
        if size > 1:
            assert sum(part.last for part in parts).tolist() == whole.last.tolist()


def test_the_losers_are_counted_from_the_first_to_move() -> None:
    games = twin.play(SuicideKing(4), 3, 0, 2_000, "random")
    counted = Counter((left[-1] - first) % 4 for left, first in zip(games.left.tolist(), games.first.tolist(), strict=True))
    assert games.last.tolist() == [counted[seat] for seat in range(4)]
    assert min(counted.values()) > 0 < len(set(games.first.tolist())) == 4


@pytest.mark.parametrize("house", [{}, {"extra_cards": "batch"}, {"king_of_hearts": "ends_deal", "next_dealer": "last_leaver"}], ids=str)
@pytest.mark.parametrize("players", range(2, 6))
def test_the_losers_come_as_often_as_the_exact_chances_say(players: int, house: dict[str, Any]) -> None:
    game = SuicideKing(players, first_dealer=players - 1, **house)
    exact = ask(Session(game, seed=0), "last_player")
    chances = {int(seat): exact[seat].value for seat in game.seats}
    for policy in ("still", "random"):
        lost = dict(enumerate(twin.play(game, 2026, 0, 100_000, policy).last.tolist()))
        assert_frequencies(lost, chances, comparisons=24)


def test_whatever_the_players_choose_only_the_numbers_differ() -> None:
    """Still and sensible players take the same piles; a random one takes others, so that other cards come."""
    game = SuicideKing(4)
    still, random_, sensible = (twin.play(game, 1, 0, 500, players) for players in POLICIES)
    assert all(np.array_equal(one, other) for one, other in zip(still, sensible, strict=True))
    assert not np.array_equal(still.left, random_.left)
    assert np.array_equal(still.first, random_.first)


def test_what_the_twin_leaves_to_the_engine() -> None:
    small = SuicideKing(3, size=Size(PACK_52[:10], (2, 2, 2, 2, 2)))
    assert not twin.covers(small, "still")
    assert not twin.covers(SuicideKing(2), {0: "still", 1: "expert"})
    assert not twin.covers(SuicideKing(2), {0: "still"})
    with pytest.raises(ValueError, match="expert"):
        twin.play(SuicideKing(2), 0, 0, 1, "expert")


@pytest.mark.parametrize(("seed", "first", "n"), [(2**64, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 2**64 - 1, 2)])
def test_names_beyond_64_bits_are_refused(seed: int, first: int, n: int) -> None:
    with pytest.raises(BadRequest):
        twin.play(SuicideKing(2), seed, first, n, "still")


def test_no_games_and_the_last_index() -> None:
    game = SuicideKing(2)
    assert twin.play(game, 0, 2**64 - 1, 0, "still").last.tolist() == [0, 0]
    session = Session(game, seed=2**64 - 1, index=2**64 - 1)
    session.auto("still", until="game")
    assert row(twin.play(game, 2**64 - 1, 2**64 - 1, 1, "still")) == told(session)


def test_a_game_that_is_over_goes_on_with_nothing() -> None:
    session = Session(SuicideKing(3), seed=7)
    session.auto("random", until="game")
    games = twin.rollouts(session.view(), 7, 0, 4, "random")
    assert games.left.tolist() == [[*session.state.left, *session.state.playing]] * 4
    assert games.cards.tolist() == games.deals.tolist() == [0] * 4
    assert twin.rollout_trace(session.view(), 7, 0, "random") == []
