"""Estimates by the compiled twins are those of the engine, number for number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from brute import play_out

from cardlab import Seat, Session, game
from cardlab.chance import ask, fitting
from cardlab.chance.fight_many import Endings
from cardlab.chance.fill import picked
from cardlab.chance.many import Many
from cardlab.chance.questions import Options
from cardlab.chance.samples import AT_ONCE, THREADS, Numbers
from cardlab.chance.worlds import worlds
from cardlab.chance.worlds_fight import fight_hands
from cardlab.core.places import mask_of
from cardlab.testing import houses

pytest.importorskip("numba")

HOUSES: dict[str, list[dict[str, Any]]] = {
    "fight_for_the_lead": [
        {"players": 3, "deals": 2},
        {"players": 4, "deals": 2, "refusal": "pagat_dropout", "exchange": "one_by_one"},
        {"players": 5, "deals": 3, "bankroll": 40, "penalty_cap": 2, "who_antes": "losers_only"},
    ],
    "poker_marshal": [
        {"deals": 2},
        {"deals": 2, "swap": "take_then_give", "offers": "ask_or_offer"},
        {"deals": 2, "short_hands": "casino", "title_tie": "incumbent"},
    ],
}
POLICIES = ("random", "sensible", "still")
GAMES = [(name, house, policy) for name, houses in HOUSES.items() for house, policy in zip(houses, POLICIES, strict=True)]


def moments(name: str, house: dict[str, Any], seed: int, n: int) -> Iterator[Session]:
    """Moments of a game, one of each phase and then any."""
    rng = Random(seed)
    session = Session(game(name, **house), seed=seed)
    play_out(session, rng)
    steps = list(session.steps)
    firsts = [next(k for k, step in enumerate(steps) if step.before.phase == phase) for phase in {step.before.phase for step in steps}]
    for at in (sorted(firsts) + [rng.randrange(len(steps)) for _ in range(n)])[:n]:
        yield session.goto(at)


@pytest.mark.parametrize(("name", "house", "policy"), GAMES, ids=str)
def test_the_twin_estimates_what_the_engine_estimates(
    name: str, house: dict[str, Any], policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compared(name, house, policy, monkeypatch, moments_of=5, samples=2) > 6


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "house", "_"), GAMES, ids=str)
def test_the_twin_estimates_what_the_engine_estimates_at_many_moments(
    name: str, house: dict[str, Any], _: str, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compared(name, house, policy, monkeypatch, moments_of=40, samples=60) > 40


def compared(name: str, house: dict[str, Any], policy: str, monkeypatch: pytest.MonkeyPatch, moments_of: int, samples: int) -> int:
    """Asks every question at some moments, of the seat to act and of a spectator; how many answers were estimates."""
    estimates = 0
    for session in moments(name, house, seed=11, n=moments_of):
        for viewer in {session.actor if isinstance(session.actor, Seat) else None, None}:
            view = session.view(viewer)
            for question in fitting(view):
                if question.name == "best_choices":  # in test_gains
                    continue
                with_twin = ask(view, question.name, n=samples, policy=policy)
                if with_twin.exact:
                    continue
                with monkeypatch.context() as without:
                    without.setattr("cardlab.fast.available", lambda: False)
                    assert with_twin == ask(view, question.name, n=samples, policy=policy), (session.at, viewer, question.name)
                estimates += 1
    return estimates


@pytest.mark.parametrize("name", HOUSES)
def test_hidden_cards_are_drawn_as_one_world_after_another_would_be(name: str) -> None:
    for session in moments(name, HOUSES[name][0], seed=3, n=14):
        viewer = session.actor if isinstance(session.actor, Seat) else None
        view = session.view(viewer)
        believed: Any = fight_hands(view) if session.state.phase == "tricks" else worlds(view)
        columns = believed.zones
        dealt, _ = Many(believed, columns).draw(seed=5, first=100, n=60)
        for row in range(0, 60, 7):
            numbers = Numbers(5, 100 + row)
            case = believed.cases[picked(believed.until, numbers)]
            zones = case.dealt([fill.sample(numbers) for fill in case.fills])
            for zone, cards in zones.items():
                assert int(dealt[row, columns.index(zone.removesuffix(" new"))]) & mask_of(cards) == mask_of(cards)
            assert sum(int(cards).bit_count() for cards in dealt[row]) == sum(map(len, zones.values()))


@pytest.mark.parametrize("policy", POLICIES)
def test_choices_played_on_at_once_end_as_one_after_another(policy: str) -> None:
    rng, tried = Random(5), Counter[str]()
    for seed, rules in enumerate(houses.combinations("fight_for_the_lead", 40, seed=5)):
        session = Session(rules, seed=seed)
        session.auto("random", until="game")
        choosing = [at for at, step in enumerate(session.steps) if step.before.phase in ("exchange", "tricks")]
        for at in rng.sample(choosing, min(2, len(choosing))):
            session.goto(at)
            if not isinstance(seat := session.actor, Seat):
                continue
            view = session.view(seat)
            ends = Endings(rules, fight_hands(view) if session.state.phase == "tricks" else worlds(view), Options(seed=seed, policy=policy))
            if not ends.known:
                continue
            plans = {action: (action,) for action in session.legal}
            for name in ("balance", "score"):
                at_once = ends.after(plans, name, seat, 100, 50)
                assert {action: at_once[action].tolist() for action in plans} == {
                    action: ends.ends(100, 50, (action,))[name][seat].tolist() for action in plans
                }, (rules, seed, at)
            tried[session.state.phase] += 1
    assert min(tried["exchange"], tried["tricks"]) > 5


def test_estimates_by_twins_stop_when_nobody_waits() -> None:
    """Cancelled between two bundles of samples, an answer says how many there were."""
    session = Session(game("fight_for_the_lead", players=3), seed=7)
    session.auto("still", until="phase")
    waited = iter(range(100))
    answer = ask(session, "no_trick", n=10**7, cancelled=lambda: next(waited) >= 3)
    assert [number.n for number in answer.numbers.values()] == [3 * THREADS * AT_ONCE] * 3  # type: ignore[union-attr]


def test_a_wanted_width_is_reached() -> None:
    session = Session(game("fight_for_the_lead", players=3), seed=7)
    session.auto("still", until="phase")
    answer = ask(session, "no_trick", half_width=0.01)
    assert all(0 < (number.half_width or 1) <= 0.01 for number in answer.numbers.values())  # type: ignore[union-attr]
