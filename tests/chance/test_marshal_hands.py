"""Poker Marshal: hands counted by classes against the reference, other counts and one-by-one enumeration."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb

import pytest

from cardlab.cards import PACK_54, Card, Category, best, parse_cards
from cardlab.chance.marshal_hands import completed, could_be_called, hand_counts, has_straight, jokers_dealt

RULES = ("incomplete", "casino")
# Full enumeration by another program; the categories from high card to five of a kind.
BY_SIZE = {
    3: [18304, 6240, 0, 260, 0, 0, 0, 0, 0, 0],
    5: [1302540, 1437936, 123552, 232968, 34704, 11388, 9360, 9360, 624, 78],
    7: [23294460, 64662120, 31433400, 20216380, 16712660, 8397324, 8521104, 3134544, 639960, 88608],
}


@pytest.mark.parametrize("size", BY_SIZE)
def test_the_counts_equal_the_reference_to_the_unit(size: int) -> None:
    assert list(hand_counts(size).values()) == BY_SIZE[size]


@pytest.mark.parametrize("rule", RULES)
def test_all_hands_are_counted_once(rule: str) -> None:
    for size in range(1, 8):
        assert sum(hand_counts(size, short_hands=rule).values()) == comb(54, size)


@pytest.mark.parametrize("rule", RULES)
def test_three_cards_one_by_one(rule: str) -> None:
    one_by_one = Counter(best(cards, rule).category for cards in combinations(PACK_54, 3))
    assert hand_counts(3, short_hands=rule) == {category: one_by_one[category] for category in Category}


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_four_cards_one_by_one(rule: str) -> None:
    one_by_one = Counter(best(cards, rule).category for cards in combinations(PACK_54, 4))
    assert hand_counts(4, short_hands=rule) == {category: one_by_one[category] for category in Category}


def test_six_cards_of_a_small_pack_one_by_one() -> None:
    """Two suits from the ten up, the four aces and both jokers: flushes and straights of every kind, and five of a kind."""
    pack = [card for card in PACK_54 if card.joker or card.rank == 12 or (card.suit in (1, 2) and card.rank in (8, 9, 10, 11, 0))]
    seen = Counter(best(cards).category for cards in combinations(pack, 6))
    assert hand_counts(6, pack) == {category: seen[category] for category in Category}
    assert min(seen[category] for category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.FIVE_OF_A_KIND)) > 0


@pytest.mark.parametrize("rule", RULES)
def test_a_hand_partly_known_is_completed_like_one_by_one(rule: str) -> None:
    rng = random.Random(13)
    near = [card for card in PACK_54 if card.joker or (card.suit in (1, 2, 3) and card.rank in (12, 0, 1, 2, 3))]
    found: Counter[Category] = Counter()
    for trial in range(80):
        pack = rng.sample(near, len(near)) if trial % 2 else rng.sample(PACK_54, 16)
        known, rest = pack[: rng.randint(0, 4)], pack[4:14]
        missing = rng.randint(max(0, 1 - len(known)), 7 - len(known))
        seen = Counter(best([*known, *cards], rule).category for cards in combinations(rest, missing))
        assert completed(known, rest, missing, rule) == {category: seen[category] for category in Category}, (known, rest, missing)
        found += seen
    assert min(found[category] for category in Category) > 10


def test_case_42_jokers_in_a_hand() -> None:
    right = {3: Fraction(52, 477), 4: Fraction(206, 1431), 5: Fraction(85, 477), 6: Fraction(101, 477), 7: Fraction(350, 1431)}
    assert {size: 1 - jokers_dealt(size).p(0) for size in right} == right
    assert Fraction(3003, comb(54, 5)) == Fraction(77, 81090)  # five diamonds, of the 13 and the two jokers
    diamonds = [card for card in PACK_54 if card.joker or card.suit == 1]
    assert sum(hand_counts(5, diamonds).values()) == 3003
    assert jokers_dealt(7).p(2) / (1 - jokers_dealt(7).p(0)) == Fraction(3, 50)  # case 45: both, if there is one
    assert jokers_dealt(2).p(2) == Fraction(1, comb(54, 2))


def test_case_44_rarer_hands_do_not_always_rank_higher() -> None:
    counts = hand_counts(5)
    assert sum(counts.values()) == 3162510
    assert counts[Category.PAIR] > counts[Category.HIGH_CARD]
    assert counts[Category.THREE_OF_A_KIND] > counts[Category.TWO_PAIRS]
    assert counts[Category.FULL_HOUSE] == counts[Category.FOUR_OF_A_KIND] == 9360
    assert could_be_called()[Category.FULL_HOUSE] == 18148


def test_a_hand_can_be_called_what_it_is_and_a_hand_without_jokers_nothing_else() -> None:
    called = could_be_called()
    assert all(called[category] >= number for category, number in hand_counts(5).items())
    plain_pack = PACK_54[:52]
    assert could_be_called(plain_pack) == hand_counts(5, plain_pack)


# Every reading of a hand, card by card and written apart: the jokers stand for any cards whatever


def named(cards: Sequence[Card]) -> Category:
    """What five cards without jokers are; a card that stands there twice makes equal ranks and no flush."""
    ranks = sorted(card.rank or 0 for card in cards)
    shape = sorted(Counter(ranks).values(), reverse=True)
    if shape[0] > 1:
        return {
            (5,): Category.FIVE_OF_A_KIND, (4, 1): Category.FOUR_OF_A_KIND, (3, 2): Category.FULL_HOUSE,
            (3, 1, 1): Category.THREE_OF_A_KIND, (2, 2, 1): Category.TWO_PAIRS, (2, 1, 1, 1): Category.PAIR,
        }[tuple(shape)]  # fmt: skip
    straight = ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12]
    if len({card.suit for card in cards}) == 1:
        return Category.STRAIGHT_FLUSH if straight else Category.FLUSH
    return Category.STRAIGHT if straight else Category.HIGH_CARD


def readings(hand: Sequence[Card]) -> Iterator[Category]:
    natural = [card for card in hand if not card.joker]
    for stand in combinations_with_replacement(PACK_54[:52], len(hand) - len(natural)):
        yield named([*natural, *stand])


def test_what_a_hand_can_be_called_card_by_card() -> None:
    pack = [*parse_cards("AD KD QD JD AH AS AC KH 9D 8H"), *PACK_54[52:]]
    counts: Counter[Category] = Counter()
    for hand in combinations(pack, 5):
        counts.update({*readings(hand)})
    assert could_be_called(pack) == {category: counts[category] for category in Category}
    assert min(counts.values()) > 0


def test_straights_with_jokers_one_by_one() -> None:
    """Every set of ranks: a straight of n with j jokers is there exactly when j more ranks complete one."""
    runs = {n: [*({*range(low, low + n)} for low in range(14 - n)), {12, *range(n - 1)}] for n in (3, 4, 5)}
    for n, wild in product(runs, range(3)):
        for mask in range(1, 1 << 13, 7):
            ranks = {rank for rank in range(13) if mask >> rank & 1}
            assert has_straight(mask, wild, n) == any(len(run - ranks) <= wild for run in runs[n])


def test_nothing_is_read_at_run_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts are counted: a first call with the files out of reach gives the same."""
    from cardlab.chance import marshal_hands

    def closed(*args: object, **kwargs: object) -> None:
        raise AssertionError("a file was opened")

    marshal_hands._completed.cache_clear()
    monkeypatch.setattr("builtins.open", closed)
    monkeypatch.setattr(json, "load", closed)
    assert list(hand_counts(5).values()) == BY_SIZE[5]
