"""Matches: the same deals for everybody from every seat, and differences within pairs."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from cardlab import BadGame, BadRequest, Session, game, match
from cardlab.cli import main
from cardlab.core.game import AnyGame
from cardlab.simulation.figures import KINDS
from cardlab.words import Words

HOUSES: list[tuple[str, dict[str, Any]]] = [
    ("suicide_king", {"seats": 3, "last_player": "wins"}),
    ("fight_for_the_lead", {"seats": 3, "penalty_cap": 10}),
    ("fight_for_the_lead", {"seats": 4, "deals": 3, "refusal": "losers_bound"}),
    ("poker_marshal", {"deals": 2}),
]


def by_hand(played: AnyGame, lineup: list[str], games: int, seed: int) -> dict[str, list[Fraction]]:
    """The score of each player for one seat in each game, over all rotations."""
    kind, n = KINDS[played.name], played.players
    found: dict[str, list[Fraction]] = {name: [] for name in lineup}
    for index in range(games):
        totals = dict.fromkeys(lineup, 0)
        for turned in range(n):
            session = Session(played, seed=seed, index=index)
            session.auto({seat: lineup[(seat - turned) % n] for seat in range(n)}, until="game")
            for seat, score in enumerate(kind.scores(session)):
                totals[lineup[(seat - turned) % n]] += score
        for name in found:
            found[name].append(Fraction(totals[name], n * lineup.count(name) * kind.unit(played)))
    return found


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_scores_and_differences_are_those_of_the_games(name: str, house: dict[str, Any]) -> None:
    done = match(["sensible", "random"], name, 8, seed=5, **house)
    seats = house.pop("seats", None)
    deals = {} if name == "suicide_king" else {"deals": 1}
    scores = by_hand(game(name, seats, **{**deals, **house}), list(done.lineup), 8, seed=5)
    for player, values in scores.items():
        assert done.scores[player].total == sum(values)
        assert done.scores[player].squares == sum(value * value for value in values)
    pairs = [one - other for one, other in zip(scores["sensible"], scores["random"], strict=True)]
    found = done.differences["sensible", "random"]
    assert (found.n, found.total, found.squares) == (8, sum(pairs), sum(pair * pair for pair in pairs))
    assert found.kind == "paired"
    assert done.deals == 8 * len(done.lineup)


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_the_twin_and_the_engine_score_the_same(name: str, house: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_twin = match(["random", "still"], name, 6, seed=9, threads=2, **house)
    monkeypatch.setattr("cardlab.fast.available", lambda: False)
    without = match(["random", "still"], name, 6, seed=9, **house)
    assert (with_twin.scores, with_twin.differences) == (without.scores, without.differences)


def test_sums_of_money_and_of_titles() -> None:
    """What one wins another loses: over all seats the titles of a deal add up, and the money without penalties, too."""
    done = match(["sensible", "random", "still"], "poker_marshal", 200, seed=3)
    total = done.scores["sensible"].total + done.scores["random"].total + 3 * done.scores["still"].total
    assert done.lineup == ("sensible", "random", "still", "still", "still")
    assert total == -(0 + 1 + 2 + 3 + 4) * 200


def test_a_match_is_cancelled_between_games() -> None:
    calls = iter(range(100))
    done = match(["random", "still"], "suicide_king", 10_000, seats=2, cancelled=lambda: next(calls) >= 2)
    assert 0 < done.n < 10_000
    assert done.stopped is not None
    assert all(found.n == done.n for found in done.scores.values())


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_a_match_reads_in_both_languages(name: str, house: dict[str, Any], language: str) -> None:
    said = match(["random", "still"], name, 3, **house).display(Words(language))
    assert "random" in said
    assert said.count("\n") == 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"players": []}, "seats"),
        ({"players": ["still"] * 4}, "seats"),
        ({"players": ["genius"]}, "genius"),
        ({"game": "bridge"}, "bridge"),
        ({"games": 1.5}, "games"),
        ({"seed": -1}, "seed"),
        ({"seats": 7}, "7"),
    ],
    ids=str,
)
def test_what_does_not_fit_gets_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((BadRequest, BadGame), match=said):
        match(**{"players": ["still", "random"], "game": "suicide_king", "games": 2, "seats": 3, **wrong})


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "fight_for_the_lead",
        "--policy",
        "sensible,random",
        "--players",
        "3",
        "--games",
        "20",
        "--seed",
        "5",
        "--house",
        "penalty_cap=10",
    ]
    assert main(["match", *arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    done = match(["sensible", "random"], "fight_for_the_lead", 20, seed=5, seats=3, penalty_cap=10)
    assert found["games"] == 20
    assert found["rotations"] == 3
    assert found["scores"]["sensible"]["mean"] == done.scores["sensible"].mean
    assert found["differences"][0]["low"] == done.differences["sensible", "random"].low
    assert main(["match", *arguments, "--language", "ru"]) == 0
    assert "Очки" in capsys.readouterr().out
    assert main(["match", "suicide_king", "--policy", "genius"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
