"""Demonstrations as numbers: what is exact, what adds up without loss, what the engine and the twins agree on, the oddest game."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from time import perf_counter
from typing import Any

import pytest
from probable import assert_frequencies, assert_probable

from cardlab import fast
from cardlab.core.errors import BadRequest
from cardlab.demos import DEMOS, demo
from cardlab.demos import counts as counted
from cardlab.demos.demo import STEPS
from cardlab.demos.shapes import Shape
from cardlab.demos.titles import Titles
from cardlab.games.marshal_events import HandShown, TitlesSet
from cardlab.simulation.figures import events_of
from cardlab.words import LANGUAGES, Words

FIRST_MATCH = {2: Fraction(178, 425), 3: Fraction(11686, 20825), 4: Fraction(55883, 83300), 5: Fraction(84443, 111860)}
MANY = 20_000


@pytest.mark.parametrize("players", FIRST_MATCH)
def test_the_chance_of_a_match_is_counted_and_met(players: int) -> None:
    shown = demo("first_match", seed=7, players=players).more(MANY)
    assert [exact.value for exact in shown.exact] == [FIRST_MATCH[players]]
    assert_probable(int(shown.numbers[0].total), MANY, FIRST_MATCH[players], comparisons=len(FIRST_MATCH))


@pytest.mark.parametrize(("rule", "mean"), [("reset", 2.0501), ("batch", None)])
def test_the_mean_turn_is_counted_and_met(rule: str, mean: float | None) -> None:
    shown = demo("mean_turn", seed=7, extra_cards=rule).more(MANY)
    exact, found = float(shown.exact[0]), shown.numbers[0]
    assert mean is None or round(exact, 4) == mean
    assert found.mean is not None
    assert found.standard_error is not None
    assert abs(found.mean - exact) < 4.9 * found.standard_error


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("turn_lengths", {"extra_cards": "reset"}),
        ("turn_lengths", {"extra_cards": "batch"}),
        *(("hands", {"title": title, "short_hands": kind}) for title in (0, 2, 4) for kind in ("incomplete", "casino")),
    ],
)
def test_a_distribution_is_counted_and_met(name: str, options: dict[str, Any]) -> None:
    shown = demo(name, seed=7, **options).more(MANY)
    assert isinstance(shown, Shape)
    exact = {k: Fraction(found.value) for k, found in enumerate(shown.exact)}
    assert sum(exact.values()) == 1
    assert sum(shown.hits()) == MANY
    assert_frequencies({k: n for k, n in enumerate(shown.hits()) if n}, {k: p for k, p in exact.items() if p}, comparisons=8)


def test_seats_are_counted_and_met_and_the_number_of_games_needed_follows() -> None:
    shown: Any = demo("seats", seed=7, players=2).more(MANY)
    first, second = (Fraction(exact.value) for exact in shown.exact)
    assert first + second == 1
    assert round(float(first), 12) == 0.489795241402
    assert_probable(int(shown.numbers[0].total), MANY, first)
    assert shown.furthest == (1, 0)
    apart = float(second - first)
    assert shown.needed == pytest.approx((1.959964 + 0.841621) ** 2 * (1 - apart**2) / apart**2, abs=1)
    assert 18_000 < shown.needed < 19_500
    assert shown.apart().mean == pytest.approx(1 - 2 * shown.numbers[0].mean)
    missed = 0
    for seed in range(100):  # at the number of games that shows the difference in 80 of 100 samples
        of_seed: Any = demo("seats", seed=seed).more(shown.needed)
        missed += of_seed.apart().low <= 0
    assert_probable(missed, 100, Fraction(1, 5))


def test_the_chain_of_titles() -> None:
    shown = demo("titles", seed=7).more(MANY)
    assert isinstance(shown, Titles)
    one = shown.matrix(1)
    for rows in (one, zip(*one, strict=True)):
        assert all(sum(int(found.total) for found in row) == MANY for row in rows)
    transitions = shown.plan.tally((0, MANY))[0].tables["transitions"]
    assert [int(found.total) for row in one for found in row] == transitions
    ahead = shown.ahead()
    for deals in (1, 2, 3):
        for old, row in enumerate(shown.matrix(deals)):
            assert [found.mean for found in row] == pytest.approx(ahead[deals][old])
    stays = [ahead[deals][0][0] for deals in range(len(ahead))]
    assert stays == sorted(stays, reverse=True)
    forgotten = shown.forgotten()
    assert forgotten is not None
    assert (
        max(abs(p - 0.2) for row in ahead[forgotten] for p in row) <= 0.01 < max(abs(p - 0.2) for row in ahead[forgotten - 1] for p in row)
    )
    assert [exact.value for exact in shown.exact] == [Fraction(1, 5)] * 5
    half = shown.matrix(2)[0][0].half_width
    assert half is not None
    assert 0 < half < 4 / sqrt(MANY)


def test_the_bank_of_a_deal_is_the_same_in_longer_games_and_a_limit_tames_it() -> None:
    shown: Any = demo("bank", seed=7).more(5)
    assert [sums.n for sums in shown.banks("free")] == [5] * 10
    banks: list[list[int]] = [[] for _ in range(10)]
    for index in range(5):
        session = shown.open(index)
        session.goto(len(session))
        for step in session.steps:
            for event in step.events:
                if type(event).__name__ in ("DealOver", "BankUnplayed"):
                    banks[step.before.deal].append(getattr(event, "bank", getattr(event, "amount", 0)))
    assert [sum(row) for row in banks] == [sums.total for sums in shown.banks("free")]
    middles = [middle for _, middle, _ in shown.fan("capped")]
    assert max(middles) <= 5 * (4 + 4 * 4 + 3 * 4)
    shown.more(1000)
    assert shown.fan("free")[-1][1] > 100 * shown.fan("capped")[-1][1]
    assert shown.growth("free") == pytest.approx((shown.fan("free")[9][1] / shown.fan("free")[1][1]) ** (1 / 8))


@pytest.mark.parametrize("name", DEMOS)
def test_however_the_games_are_cut_they_add_up_to_the_same(name: str) -> None:
    at_once = demo(name, seed=7).more(123)
    bit_by_bit = demo(name, seed=7)
    for n in (1, 10, 1, 11, 100):
        bit_by_bit.more(n)
    assert bit_by_bit.tally == at_once.tally
    assert [point for point in bit_by_bit.path if point.games < 123] == [point for point in at_once.path if point.games < 123]
    assert bit_by_bit.oddest() == at_once.oddest()


@pytest.mark.parametrize("name", DEMOS)
def test_without_the_twins_the_engine_counts_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = 1 if name == "bank" else 12  # of 110 deals each
    quick = demo(name, seed=11).more(games)
    monkeypatch.setattr(fast, "available", lambda: False)
    slow = demo(name, seed=11).more(games)
    assert not slow.plan.compiled
    assert slow.tally == quick.tally


@pytest.mark.parametrize("name", DEMOS)
def test_the_oddest_game_is_what_is_said_of_it(name: str) -> None:
    shown = demo(name, seed=7).more(300)
    odd = shown.oddest()
    assert odd is not None
    value = {"first_match": counted._turned, "mean_turn": counted._first_turn, "turn_lengths": counted._first_turn}.get(name)
    session = shown.open()
    assert session.index == odd.index
    session.goto(len(session))
    said = dict(odd.what.params)
    if value is not None:
        assert value(session) == said["n"]
    events = [event for _, event in events_of(session)]
    if name == "hands":
        holder = next(event.seats for event in events if isinstance(event, TitlesSet))[0]
        assert next(event.hand for event in events if isinstance(event, HandShown) and event.seat == holder) == said["hand"]
    if name == "bank":
        assert str(said["amount"]) in "".join(map(repr, events))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEMOS)
def test_every_table_is_whole(name: str, language: str) -> None:
    words = Words(language)
    shown = demo(name, seed=7).more(50)
    headers, rows = shown.table(words)
    assert len(set(headers)) == len(headers)
    assert rows
    assert {len(row) for row in rows} == {len(headers)}
    assert all(words.show(reading.label) and words.show(reading.said) for reading in shown.readings())


def test_cancelled_it_keeps_what_is_played_and_says_how_far_it_is() -> None:
    heard: list[tuple[int, int]] = []
    shown = demo("seats", seed=7).more(10_000, lambda done, games: heard.append((done, games)), lambda: len(heard) >= 5)
    assert heard[-1] == (shown.games, 10_000)
    assert 0 < shown.games < 10_000
    assert shown.more(7).tally == demo("seats", seed=7).more(heard[-1][0] + 7).tally


def test_before_the_first_game_there_is_nothing_but_what_is_exact() -> None:
    for name in DEMOS:
        shown = demo(name)
        assert shown.oddest() is None
        assert all(reading.exact for reading in shown.readings())
        with pytest.raises(BadRequest, match="No game is played yet"):
            shown.open()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: demo("roulette"), "There is no demonstration 'roulette'; choose one of first_match,"),
        (lambda: demo("seats", players=6), "players cannot be 6 here; choose one of 2, 3, 4, 5."),
        (lambda: demo("seats", players=2.0), "players cannot be 2.0 here"),
        (lambda: demo("seats", colour="red"), "This demonstration has no choice 'colour'; it has: players, extra_cards, king_of_hearts."),
        (lambda: demo("seats", seed=-1), "seed cannot be -1"),
        (lambda: demo("seats").more(0), "n cannot be 0"),
        (lambda: demo("seats").more(10**9), "n cannot be 1000000000"),
    ],
)
def test_what_cannot_be_is_refused(wrong: Any, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence.replace("(", r"\(")):
        wrong()


def test_a_hundred_thousand_games_of_suicide_king_take_less_than_a_second() -> None:
    for name in ("mean_turn", "turn_lengths", "seats"):
        shown = demo(name, seed=7).more(10)
        began = perf_counter()
        shown.more(STEPS[-1])
        assert perf_counter() - began < 1, name
