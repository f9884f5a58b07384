"""Dealers and players against the chances that the games state: frequencies under fixed seeds, and the helper that judges them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from probable import assert_frequencies, assert_probable, binomial_tail, chi_square_tail

from cardlab import CHANCE, GAMES, Session, game
from cardlab.core.game import Action, AnyGame

# the helper


@settings(deadline=None)  # a shared machine may pause
@given(st.integers(1, 300), st.integers(0, 300), st.fractions(0, 1, max_denominator=60))
def test_the_tail_is_that_of_exact_fractions(n: int, k: int, p: Fraction) -> None:
    k = min(k, n)
    chance = [comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
    exact = min(1, 2 * min(sum(chance[: k + 1]), sum(chance[k:])))
    assert binomial_tail(k, n, p) == pytest.approx(float(exact), rel=1e-9, abs=1e-250)


@pytest.mark.parametrize(
    ("k", "n", "p", "tail"),
    [
        (0, 20, Fraction(1, 2), 2 / 2**20),
        (10, 20, Fraction(1, 2), 1.0),
        (0, 5, Fraction(0), 1.0),
        (1, 5, Fraction(0), 0.0),
        (5, 5, Fraction(1), 1.0),
        (962 + 125, 50_000, Fraction(1, 52), 5.7e-5),  # 4 standard errors, somewhat skew
        (714, 50_000, Fraction(1, 52), 1.2e-17),
    ],
)
def test_known_tails(k: int, n: int, p: Fraction, tail: float) -> None:
    assert binomial_tail(k, n, p) == pytest.approx(tail, rel=0.5)


def test_a_count_that_cannot_be_is_no_count() -> None:
    for k, n, p in ((6, 5, 0.5), (-1, 5, 0.5), (1, 5, 1.5)):
        with pytest.raises(ValueError, match="cannot be"):
            binomial_tail(k, n, p)


@pytest.mark.parametrize(
    ("x", "freedom", "tail"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (23.209251, 10, 0.01), (124.342113, 100, 0.05), (0, 4, 1.0), (2, 2, 0.36787944)],
)
def test_known_tails_of_chi_square(x: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(x, freedom) == pytest.approx(tail, rel=1e-5)


def test_a_loaded_coin_is_caught_and_a_fair_one_is_not() -> None:
    assert_probable(5_100, 10_000, Fraction(1, 2))
    with pytest.raises(AssertionError, match=r"5300 of 10000, expected 5000.0 with a standard error of 50.0"):
        assert_probable(5_300, 10_000, Fraction(1, 2))


def test_the_limit_is_shared_among_comparisons() -> None:
    """Of many counts one is far off by chance alone: 5 standard errors are too many for one coin, not for a thousand."""
    with pytest.raises(AssertionError):
        assert_probable(5_250, 10_000, Fraction(1, 2))
    assert_probable(5_250, 10_000, Fraction(1, 2), comparisons=1_000)


def test_what_has_no_chance_may_not_come() -> None:
    with pytest.raises(AssertionError, match="have no chance"):
        assert_frequencies({"heads": 5, "edge": 1}, {"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    with pytest.raises(AssertionError, match="0 of 60"):
        assert_frequencies({"heads": 60}, {"heads": Fraction(1, 2), "tails": Fraction(1, 2)})


# the dealer


def at(session: Session, *actions: str | None) -> Session:
    for action in actions:
        session.play(action)
    return session


def assert_dealt_as_stated(made: Callable[[int], Session], games: int) -> None:
    """What the dealer gives at one moment of many games, against ``chances`` there."""
    stated = made(0)
    chances = stated.game.chances(stated.state)
    counts = Counter(made(index).play().action for index in range(games))
    assert_frequencies(counts, {action: chances.p(action) for action in chances})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["suicide_king", "fight_for_the_lead"])
def test_every_seat_deals_first_alike(name: str, players: int) -> None:
    played = game(name, players)
    assert_dealt_as_stated(lambda index: Session(played, seed=41, index=index), 6_000)


@pytest.mark.parametrize("pile", range(5))
def test_every_card_lies_on_every_pile_alike(pile: int) -> None:
    played = game("suicide_king", first_dealer=0)
    assert_dealt_as_stated(lambda index: at(Session(played, seed=42, index=index), None, f"take {pile}"), 5_000)


def test_the_titles_first_card_and_the_first_card_dealt() -> None:
    played = game("poker_marshal")
    assert_dealt_as_stated(lambda index: Session(played, seed=44, index=index), 5_000)

    def before_the_deal(index: int) -> Session:
        session = Session(played, seed=44, index=index)
        while session.game.phase(session.state) == "titles" or session.game.draw(session.state).verb == "shuffle":
            session.play()
        return session

    assert_dealt_as_stated(before_the_deal, 2_000)


def test_blind_draws_take_every_place_of_the_hand_alike() -> None:
    played = game("poker_marshal")
    counts: Counter[tuple[int, int]] = Counter()
    for index in range(1_200):
        session = Session(played, seed=45, index=index)
        while session.actor is CHANCE:
            session.play()
        session.play(next(action for action in session.legal if action.verb == "lay"))
        session.play("enough")
        if session.actor is CHANCE:
            options = session.game.draw(session.state).options
            counts[len(options), options.index(session.play().action)] += 1
    for size in (1, 2, 3):
        places = {place: n for (held, place), n in counts.items() if held == size}
        assert_frequencies(places, dict.fromkeys(range(size), Fraction(1, size)), comparisons=3)
    assert sum(n for (held, _), n in counts.items() if held == 3) > 800


# the players


def assert_chosen(played: AnyGame, player: str, prefix: tuple[str | None, ...], wanted: dict[str, Fraction], games: int = 4_000) -> None:
    counts: Counter[Action] = Counter()
    for index in range(games):
        counts[at(Session(played, seed=46, index=index), *prefix).choice(player)] += 1
    assert_frequencies(counts, {Action.parse(token): p for token, p in wanted.items()})


def test_random_takes_any_pile_alike() -> None:
    wanted = {f"take {pile}": Fraction(1, 5) for pile in range(5)}
    assert_chosen(game("suicide_king", first_dealer=2), "random", (None,), wanted)


def test_still_takes_the_piles_in_order() -> None:
    assert_chosen(game("suicide_king", first_dealer=2), "still", (None,), {"take 0": Fraction(1)}, games=50)


@pytest.mark.parametrize("player", ["random", "still"])
def test_random_and_still_lay_any_fight_card_alike(player: str) -> None:
    dealt = (None, "deal 2C", "deal 3C", "deal 4C", "deal 5C", "deal 6C", "deal 7C", "deal 8C", "deal 9C")
    played = game("fight_for_the_lead", players=2, first_dealer=1)
    assert_chosen(played, player, dealt, {f"fight {rank}C": Fraction(1, 4) for rank in (2, 4, 6, 8)})


def test_random_refuses_and_drops_one_time_in_twenty() -> None:
    for refusal, verb in (("final", "refuse"), ("losers_bound", "refuse"), ("pagat_dropout", "drop")):
        played = game("fight_for_the_lead", players=5, deals=2, refusal=refusal)
        asked = left = 0
        for index in range(250):
            session = Session(played, seed=47, index=index)
            while session.outcome is None:
                legal = {action.verb for action in session.legal}
                step = session.step("random")
                if verb in legal:
                    asked += 1
                    left += step.action.verb == verb
        assert asked > 500
        assert_probable(left, asked, Fraction(1, 20), comparisons=3)


def test_sizes_of_random_exchanges() -> None:
    """One of 16 selections of four cards, all alike."""
    played = game("fight_for_the_lead", players=2, deals=1)
    counts: Counter[int] = Counter()
    for index in range(800):
        session = Session(played, seed=48, index=index)
        while session.game.phase(session.state) != "exchange":
            session.step("still")
        counts[len(session.choice("random").cards)] += 1
    assert_frequencies(counts, {size: Fraction(comb(4, size), 16) for size in range(5)})


# a whole game against an exact reference

LAST_OF_TWO = Fraction(489_795_241_402, 10**12)  # the exact dynamic programme, to 12 decimals: who takes the first card is the last left


def test_suicide_king_of_two_players_against_the_exact_programme() -> None:
    played = game("suicide_king", players=2, first_dealer=1)  # so that seat 0 takes the first card
    games = 4_000
    last = 0
    for index in range(games):
        session = Session(played, seed=49, index=index)
        session.auto("still", until="game")
        outcome = session.outcome
        assert outcome is not None
        last += outcome.standing[-1] == (0,)
    assert_probable(last, games, LAST_OF_TWO)


def test_every_game_states_its_chances_where_it_begins() -> None:
    for name in GAMES:
        session = Session(game(name), seed=1)
        assert session.actor is CHANCE
        assert sum(session.game.chances(session.state).p(action) for action in session.game.chances(session.state)) == 1
