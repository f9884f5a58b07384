"""``best_choices``: what the best choices of Poker Marshal gain against doing nothing, exact on tiny packs, paired otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from brute import MARSHALS, play_out

from cardlab import Session, game
from cardlab.chance import Estimate, Exact, ask, fitting
from cardlab.chance.marshal_gains import BEST


def asked(session: Session) -> Iterator[tuple[Any, Any]]:
    """All moments at which the question fits, with the question of which it takes the differences."""
    for at in range(len(session)):
        session.goto(at)
        view = session.view(session.actor if isinstance(session.actor, int) else None)
        if "best_choices" in {question.name for question in fitting(view)}:
            yield view, "swap_value" if session.state.phase in ("marshal", "deputy") else "offer_value"


@pytest.mark.parametrize("name", MARSHALS)
def test_exact_gains_are_differences(name: str) -> None:
    """On tiny packs ``swap_value`` and ``offer_value`` are held to complete enumeration in ``test_marshals``."""
    tried = 0
    for seed in range(4):
        session = Session(MARSHALS[name], seed=seed)
        play_out(session, Random(seed))
        for view, question in asked(session):
            values = ask(view, question, policy="still").numbers
            gains = ask(view, "best_choices", policy="still").numbers
            if not all(isinstance(value, Exact) for value in values.values()):
                continue
            nothing = next(choice for choice in values if str(choice) == "enough")
            every = {choice: value.value - values[nothing].value for choice, value in values.items() if choice != nothing}  # type: ignore[union-attr]
            assert {choice: gain.value for choice, gain in gains.items()} == {choice: every[choice] for choice in gains}  # type: ignore[union-attr]
            assert sorted(every.values())[-BEST:] == sorted(gain.value for gain in gains.values())  # type: ignore[union-attr]
            tried += 1
    assert tried or name == "take then give"


def test_estimated_gains_are_paired_with_doing_nothing() -> None:
    session = Session(game("poker_marshal", deals=1), seed=7)
    session.auto("random", until="game")
    view, question = next(asked(session))
    gains = ask(view, "best_choices", n=4_000, seed=3)
    values = ask(view, question, n=4_000, seed=4)
    nothing = next(choice for choice in values if str(choice) == "enough")
    assert len(gains) == BEST
    for choice, gain in gains.numbers.items():
        one, zero = values[choice], values[nothing]
        assert isinstance(gain, Estimate)
        assert isinstance(one, Estimate)
        assert isinstance(zero, Estimate)
        assert gain.kind == "paired"
        apart = (one.standard_error or 0) + (zero.standard_error or 0)
        assert (gain.standard_error or 1) < apart  # what both samples share drops out
        assert abs((gain.mean or 0) - (one.mean or 0) + (zero.mean or 0)) < 5 * (apart + (gain.standard_error or 0))


@pytest.mark.parametrize("most", [8, pytest.param(300, marks=pytest.mark.slow)])
def test_the_twin_gains_what_the_engine_gains(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    session = Session(game("poker_marshal", deals=1), seed=7)
    session.auto("random", until="game")
    tried = 0
    for view, question in asked(session):
        if len(ask(view, question, n=1)) > most:
            continue
        with_twin = ask(view, "best_choices", n=6)
        with monkeypatch.context() as without:
            without.setattr("cardlab.fast.available", lambda: False)
            assert with_twin == ask(view, "best_choices", n=6)
        tried += 1
    assert tried
