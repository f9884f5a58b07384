"""Poker Marshal: the draw for titles against every order of small packs, and the chain of titles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import sqrt

import pytest
from probable import assert_frequencies

from cardlab import Action, Bag, Scripted, Session, game
from cardlab.cards import parse_cards
from cardlab.chance.answers import Estimate
from cardlab.chance.titles import Chain, all_different, one_player, place_odds, same_marshal, solved
from cardlab.core.events import Seat
from cardlab.games.marshal_state import MARSHAL, Lots, Size, State
from cardlab.games.poker_marshal import PokerMarshal

TITLES = range(5)


def drawn(cards: str) -> Lots:
    """The draw of a full pack after some cards."""
    session = Session(game("poker_marshal"), dealer=Scripted(cards, fill=True))
    for _ in cards.split():
        session.play()
    assert isinstance(session.state, State)
    assert session.state.lots is not None
    return session.state.lots


def test_PM_1_five_different_ranks() -> None:
    """48/51 · 44/50 · 40/49 · 36/48; with the cards put back it would be 48·44·40·36/52⁴, some .416 (case 45)."""
    assert all_different(drawn("")) == Fraction(2112, 4165)
    assert all_different(drawn("AS")) == Fraction(2112, 4165)
    assert all_different(drawn("AS KS QS JS")) == Fraction(36, 48)
    assert all_different(drawn("AS KS AD")) == 0


def test_PM_1_before_the_draw_every_seat_has_every_title_alike() -> None:
    assert place_odds(drawn("")) == {seat: (Fraction(1, 5),) * 5 for seat in range(5)}


def test_PM_1_the_last_to_draw_by_hand() -> None:
    """A K Q J are drawn, 48 cards are left: an ace shares the first place, a ten or lower is last."""
    odds = place_odds(drawn("AS KS QS JS"))
    half = Fraction(3, 48) / 2  # each of three cards of a rank, and then each order of the two
    assert odds[Seat(4)] == (half, 2 * half, 2 * half, 2 * half, Fraction(36, 48) + half)
    assert odds[Seat(0)] == (1 - half, half, 0, 0, 0)


def test_PM_1_tied_seats_share_their_places() -> None:
    odds = place_odds(drawn("AS AH KD 3C 3D"))
    assert odds[Seat(0)] == odds[Seat(1)] == (Fraction(1, 2), Fraction(1, 2), 0, 0, 0)
    assert odds[Seat(2)] == (0, 0, 1, 0, 0)
    # The higher group draws now, a queen and a card that is missing: 44 others, four kings and aces of each left are fewer.
    after = place_odds(drawn("AS AH KD 3C 3D QS"))
    higher, level = 2 + 3, 3  # two aces and three kings, three queens, of 46
    assert after[Seat(0)][0] == 1 - Fraction(higher, 46) - Fraction(level, 46) / 2
    assert after[Seat(3)] == (0, 0, 0, Fraction(1, 2), Fraction(1, 2))


# Small packs, tried in every order; the pack must not run out, for then who draws last draws from other cards

PACKS = ["2C 2D 3C 3D 4C 4D 4H 5C 6C 7C", "2C 2D 2H 2S 3C 3D 3H 4C 4D 4H", "2C 3C 4C 5C 6C 2D 3D 8C"]


def tiny(pack: str) -> PokerMarshal:
    return PokerMarshal(size=Size(parse_cards(pack), (2, 1, 1, 1, 1), (1, 1), 1))


def in_order(groups: tuple[tuple[Seat, ...], ...]) -> Iterator[tuple[tuple[Seat, ...], Fraction]]:
    """All orders in which tied groups may come to stand, each as likely."""
    orders = [list(permutations(group)) for group in groups]
    for chosen in product(*orders):
        yield tuple(seat for group in chosen for seat in group), Fraction(1, len(list(product(*orders))))


@pytest.mark.parametrize("pack", PACKS)
def test_the_draw_equals_every_order_of_a_small_pack(pack: str) -> None:
    """From the start and after each of some cards: the first round card by card, tied groups in all orders."""
    played = tiny(pack)
    rng = random.Random(7)
    state = played.start()
    for _ in range(5):
        assert state.lots is not None
        chances: dict[tuple[Seat, int], Fraction] = {(seat, place): Fraction(0) for seat in played.seats for place in TITLES}
        different = Fraction(0)
        waiting = 5 - len(state.lots.drawn)
        ways = list(permutations(state.lots.rest, waiting))
        for cards in ways:
            ranks = [card.rank or 0 for _, card in state.lots.drawn] + [card.rank or 0 for card in cards]
            values = sorted({*ranks}, reverse=True)
            groups = tuple(tuple(seat for seat in played.seats if ranks[seat] == value) for value in values)
            different += Fraction(len(groups) == 5, len(ways))
            for order, share in in_order(groups):
                for place, seat in enumerate(order):
                    chances[seat, place] += share / len(ways)
        assert place_odds(state.lots) == {seat: tuple(chances[seat, place] for place in TITLES) for seat in played.seats}
        assert all_different(state.lots) == different
        state = played.apply(state, Action("title", (rng.choice(state.lots.rest.cards),))).after


def test_a_tied_draw_equals_the_engine_to_its_end() -> None:
    """Two seats tie and draw from five cards, again and again until they differ: no order is better."""
    played = tiny("2C 2D 3C 4C 5C 6C 6D 7C 8C 9C")
    state = played.start()
    for card in ["2C", "2D", "3C", "4C", "5C"]:
        state = played.apply(state, Action("title", parse_cards(card))).after
    assert state.lots is not None
    assert state.lots.group == (Seat(0), Seat(1))
    totals: Counter[tuple[Seat, int]] = Counter()
    ended = Fraction(0)
    for first, second in permutations(state.lots.rest, 2):
        at = state
        for card in (first, second):
            at = played.apply(at, Action("title", (card,))).after
        if at.lots is None:
            ended += Fraction(1, 20)
            totals.update({(seat, place): 1 for place, seat in enumerate(at.titles)})
    assert ended == Fraction(18, 20)
    assert totals[Seat(0), 3] == totals[Seat(1), 3] == totals[Seat(0), 4] == 9
    assert place_odds(state.lots)[Seat(0)] == (0, 0, 0, Fraction(1, 2), Fraction(1, 2))


def test_a_pack_that_runs_out_within_a_round() -> None:
    """Two tied seats, one card left and four shuffled back: the first draws the six, the second one of those four."""
    lots = Lots(((Seat(2),), (Seat(0), Seat(1)), (Seat(3),), (Seat(4),)), Bag("6C"), used=Bag("6D 7C 8C 5C"))
    assert all_different(lots) == Fraction(3, 4)
    assert place_odds(lots)[Seat(0)] == (0, Fraction(1, 4) + Fraction(1, 8), Fraction(1, 2) + Fraction(1, 8), 0, 0)
    assert place_odds(lots)[Seat(2)] == (1, 0, 0, 0, 0)


def test_simulated_draws_agree() -> None:
    """Two nines are drawn; the rest by the engine to its end, 4,000 times."""
    played = game("poker_marshal")
    session = Session(played, dealer=Scripted("9S 9H", fill=True))
    session.play()
    session.play()
    counts: dict[Seat, Counter[int]] = {seat: Counter() for seat in played.seats}
    rng = random.Random(9)
    for _ in range(4000):
        state = session.state
        while state.phase == "titles":
            state = played.apply(state, rng.choice(played.draw(state).options)).after
        for title, seat in enumerate(state.titles):
            counts[seat][title] += 1
    odds = place_odds(session.state.lots)
    for seat, found in counts.items():
        assert_frequencies(found, dict(enumerate(odds[seat])), comparisons=5)


# The chain


def deals(seed: int, n: int, stay: float = 0.4) -> Chain:
    """A chain of permutations in which nothing changes more often than by chance."""
    rng = random.Random(seed)
    return Chain.of(tuple(TITLES) if rng.random() < stay else tuple(rng.sample(TITLES, 5)) for _ in range(n))


def test_the_matrix_is_the_counts() -> None:
    chain = Chain.of([(0, 1, 2, 3, 4), (1, 0, 2, 3, 4), (0, 1, 2, 4, 3), (4, 3, 2, 1, 0)])
    assert chain.n == 4
    assert [row[0] for row in chain.matrix] == [Fraction(1, 2), Fraction(1, 4), 0, 0, Fraction(1, 4)]
    assert chain.power(0) == tuple(tuple(Fraction(old == new) for new in TITLES) for old in TITLES)
    assert chain.power(1) == chain.matrix
    two = [[sum(chain.matrix[old][k] * chain.matrix[k][new] for k in TITLES) for new in TITLES] for old in TITLES]
    assert [list(row) for row in chain.power(2)] == two


def test_rows_and_columns_sum_to_one_and_the_long_run_is_even() -> None:
    chain = deals(1, 500)
    for k in (1, 2, 5, 10):
        assert all(sum(row) == 1 for row in chain.power(k))
        assert all(sum(column) == 1 for column in zip(*chain.power(k), strict=True))
    assert chain.stationary() == (Fraction(1, 5),) * 5
    assert max(abs(entry - Fraction(1, 5)) for row in chain.power(50) for entry in row) < Fraction(1, 10**6)


def test_a_chain_that_never_mixes_has_no_single_long_run() -> None:
    chain = Chain.of([(0, 1, 2, 3, 4), (0, 2, 1, 4, 3)])
    with pytest.raises(ValueError, match="no single solution"):
        chain.stationary()
    assert chain.waits(same_marshal, 0) == Estimate(2, 10, 50, "mean")  # five deals for certain
    assert Chain.of([(1, 0, 2, 3, 4)]).waits(same_marshal, 0) is None  # the Marshal never stays


def test_the_spread_of_a_power_has_its_mean_and_its_derivative() -> None:
    """One more deal of a kind moves the power by the difference of the two, divided by the number of deals."""
    chain, deals_more = deals(2, 300), 10**6
    for k in (1, 2, 5):
        spread = chain.power_spread(k)
        for old, new in product(TITLES, TITLES):
            values = [(spread[passing][old][new], times) for passing, times in chain.passings]
            assert sum(value * times for value, times in values) / chain.n == chain.power(k)[old][new]
        passing = chain.passings[3][0]
        heavier = Chain.of({p: times * deals_more + (p == passing) for p, times in chain.passings})
        for old, new in product(TITLES, TITLES):
            moved = (heavier.power(k)[old][new] - chain.power(k)[old][new]) * chain.n * deals_more
            assert moved == pytest.approx(float(spread[passing][old][new] - chain.power(k)[old][new]), abs=1e-4)


def test_five_deals_running_by_the_formula_of_runs() -> None:
    """After the first deal somebody has won one; four more running take (1 - p⁴)/((1 - p)p⁴) deals on average."""
    chain = Chain(deals(3, 400).passings, exact=True)
    p = chain.matrix[MARSHAL][MARSHAL]
    assert chain.waits(same_marshal, 0) == 1 + (1 - p**4) / ((1 - p) * p**4)
    estimate = Chain(chain.passings).waits(same_marshal, 0)
    assert isinstance(estimate, Estimate)
    assert estimate.total / estimate.n == chain.waits(same_marshal, 0)
    # The standard error is that of p times the derivative of the formula.
    step = Fraction(1, 10**9)
    slope = (mean_run(p + step) - mean_run(p - step)) / (2 * step)
    assert estimate.standard_error == pytest.approx(-float(slope) * sqrt(p * (1 - p) / (chain.n - 1)), rel=1e-6)


def mean_run(p: Fraction) -> Fraction:
    return 1 + (1 - p**4) / ((1 - p) * p**4)


def test_five_deals_running_simulated() -> None:
    chain = Chain(deals(4, 50, stay=0.7).passings, exact=True)
    pool = [passing for passing, times in chain.passings for _ in range(times)]
    rng = random.Random(4)
    for title in (0, 4):
        mean = chain.waits(one_player, (title, 0))
        assert isinstance(mean, Fraction)
        waits = []
        for _ in range(1500):
            state: tuple[int, int] | None = (title, 0)
            waits.append(0)
            while state is not None:
                state = one_player(state, rng.choice(pool))
                waits[-1] += 1
        error = sqrt(sum((wait - float(mean)) ** 2 for wait in waits)) / len(waits)
        assert abs(sum(waits) / len(waits) - float(mean)) < 5 * error


def test_systems_are_solved_exactly() -> None:
    rng = random.Random(5)
    system = [[Fraction(rng.randint(-5, 5)) for _ in range(6)] for _ in range(6)]
    right = [[Fraction(rng.randint(-5, 5))] for _ in range(6)]
    answer = solved(system, right)
    assert [[sum(a * x for a, (x,) in zip(row, answer, strict=True))] for row in system] == right
    with pytest.raises(ValueError, match="no single solution"):
        solved([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]], [[Fraction(1)], [Fraction(2)]])


def test_every_deal_counts_once_however_the_deals_are_given() -> None:
    passings = [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4), (4, 3, 2, 1, 0)]
    assert Chain.of(passings) == Chain.of(Counter(passings)) == Chain.of(reversed(passings))
