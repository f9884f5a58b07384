"""Hands ranked by table are ranked as ``cardlab.cards.best`` ranks them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations, pairwise
from math import comb
from typing import Any

import pytest

from cardlab.cards import CARDS, best
from cardlab.cards.hands import Category

np = pytest.importorskip("numpy")
numba = pytest.importorskip("numba")
from cardlab.fast import hands as fast  # noqa: E402

RULES = ("incomplete", "casino")
# hands of so many cards from 54 by category, from full enumerations
COUNTS = {
    5: [1302540, 1437936, 123552, 232968, 34704, 11388, 9360, 9360, 624, 78],
    7: [23294460, 64662120, 31433400, 20216380, 16712660, 8397324, 8521104, 3134544, 639960, 88608],
}


def assert_same(hands: Iterable[tuple[int, ...]], rule: str) -> None:
    rows = np.array(list(hands), np.uint8)
    for codes, value in zip(rows.tolist(), fast.values(rows, rule).tolist(), strict=True):
        hand = best((CARDS[code] for code in codes), rule)
        assert fast.told(value, rule) == (hand.category, hand.ranks, hand.size), (hand, rule)


def sampled(size: int, n: int, jokers: int, seed: int) -> list[tuple[int, ...]]:
    """Hands with so many jokers, in any order."""
    chance = random.Random(f"{size} {jokers} {seed}")
    hands = [[*chance.sample(range(52), size - jokers), *(52, 53)[:jokers]] for _ in range(n)]
    for hand in hands:
        chance.shuffle(hand)
    return [tuple(hand) for hand in hands]


@pytest.mark.parametrize("rule", RULES)
def test_all_hands_of_three(rule: str) -> None:
    assert_same(combinations(range(54), 3), rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_all_hands_of_four(rule: str) -> None:
    assert_same(combinations(range(54), 4), rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("jokers", range(3))
@pytest.mark.parametrize("size", range(4, 8))
def test_larger_hands(size: int, jokers: int, rule: str) -> None:
    assert_same(sampled(size, 850, jokers, seed=1), rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("jokers", range(3))
@pytest.mark.parametrize("size", range(4, 8))
def test_many_larger_hands(size: int, jokers: int, rule: str) -> None:
    assert_same(sampled(size, 50_000, jokers, seed=2), rule)


@pytest.mark.parametrize("rule", RULES)
def test_values_are_the_places_in_the_order_of_hands(rule: str) -> None:
    """From 1 upwards and without gaps: what a value tells sorts as a Hand does."""
    made = [fast.told(value, rule) for value in range(1, len(fast.tables(rule).made))]
    assert all(lower < higher for lower, higher in pairwise(made))
    assert made[-1] == (Category.FIVE_OF_A_KIND, (12,), 5)
    looked_up = {*fast.tables(rule).by_ranks.tolist(), *fast.tables(rule).by_suit.ravel().tolist()}
    assert looked_up == set(range(len(made) + 1))


def test_hands_of_different_sizes_compare() -> None:
    rows = [(size, hand) for size in range(3, 8) for jokers in range(3) for hand in sampled(size, 20, jokers, seed=3)]
    values = [int(fast.values(np.array([hand], np.uint8))[0]) for _, hand in rows]
    hands = [best(CARDS[code] for code in hand) for _, hand in rows]
    for (value, hand), (other, another) in combinations(zip(values, hands, strict=True), 2):
        assert (value < other, value == other) == (hand < another, hand == another)


@numba.njit
def following(hand: Any, rows: Any, cards: int) -> int:
    """Fills rows with the hands from ``hand`` on, in the order of combinations, and moves it behind them; how many there were."""
    size = len(hand)
    for n in range(len(rows)):
        if hand[0] > cards - size:
            return n
        rows[n] = hand
        k = size - 1
        while k > 0 and hand[k] == cards - size + k:
            k -= 1
        hand[k] += 1
        for later in range(k + 1, size):
            hand[later] = hand[later - 1] + 1
    return len(rows)


@pytest.mark.parametrize("size", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_the_counts_of_all_hands(size: int) -> None:
    by_value = np.zeros(len(fast.tables().made), np.int64)
    hand, rows = np.arange(size, dtype=np.uint8), np.empty((2**16, size), np.uint8)
    while n := following(hand, rows, 54):
        by_value += np.bincount(fast.values(rows[:n]), minlength=len(by_value))
    counts = [0] * len(Category)
    for value in np.flatnonzero(by_value).tolist():
        counts[fast.told(value)[0]] += int(by_value[value])
    assert counts == COUNTS[size]
    assert sum(counts) == comb(54, size)


NO_HANDS = [
    np.zeros((1, 2), np.uint8),
    np.zeros((1, 8), np.uint8),
    np.zeros(7, np.uint8),
    np.zeros((1, 5), int),
    np.full((1, 5), 54, np.uint8),
]


@pytest.mark.parametrize("hands", NO_HANDS)
def test_what_are_no_hands_is_refused(hands: Any) -> None:
    with pytest.raises(ValueError, match="code"):
        fast.values(hands)


def test_another_house_rule_is_refused_and_no_hands_have_no_values() -> None:
    with pytest.raises(ValueError, match="short_hands"):
        fast.values(np.zeros((1, 3), np.uint8), "short")
    assert fast.values(np.empty((0, 5), np.uint8)).tolist() == []
