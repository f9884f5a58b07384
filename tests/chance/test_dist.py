"""Distributions as values: against plain enumeration, never changing, and shown as bars."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlab.cards import Card
from cardlab.core.dist import MOST_BARS, Dist

DIE = Dist.uniform(range(1, 7))
weights = st.dictionaries(st.integers(-5, 5), st.integers(0, 9), min_size=1).filter(lambda found: any(found.values()))
dists = weights.map(Dist)


@given(dists)
def test_chances_sum_to_one_and_equal_the_weights(dist: Dist[int]) -> None:
    assert sum(dist.p(x) for x in dist) == 1
    assert all(dist.p(x) == Fraction(weight, dist.total) for x, weight in dist.items())
    assert all(0 < dist.p(x) <= 1 for x in dist)


@given(dists, dists)
def test_joint_is_the_product_and_marginals_lead_back(one: Dist[int], other: Dist[int]) -> None:
    both = one.joint(other)
    assert all(both.p((x, y)) == one.p(x) * other.p(y) for x, y in product(one, other))
    assert both.marginal(0) == one
    assert both.marginal(1) == other
    assert both.marginal(1, 0) == other.joint(one)


@given(dists, st.lists(dists, min_size=11, max_size=11))
def test_a_joint_that_depends_is_that_of_the_tree(first: Dist[int], second: list[Dist[int]]) -> None:
    both = first.joint(lambda x: second[x + 5])
    for x in first:
        for y in range(-5, 6):
            assert both.p((x, y)) == first.p(x) * second[x + 5].p(y)
    assert sum(both.p(pair) for pair in both) == 1


@given(dists)
def test_given_is_the_share_within_the_event(dist: Dist[int]) -> None:
    for event in (lambda x: x > 0, lambda x: x % 2 == 0):
        chance = dist.where(event)
        assert chance == sum(dist.p(x) for x in dist if event(x))
        if chance:
            known = dist.given(event)
            assert all(known.p(x) == (dist.p(x) / chance if event(x) else 0) for x in dist)
        else:
            with pytest.raises(ValueError, match="probability 0"):
                dist.given(event)


@given(dists)
def test_mean_and_variance_are_those_of_the_definition(dist: Dist[int]) -> None:
    mean = sum(x * dist.p(x) for x in dist)
    assert dist.mean() == mean
    assert dist.variance() == sum((x - mean) ** 2 * dist.p(x) for x in dist)
    assert dist.mean(lambda x: Fraction(x, 3)) == mean / 3
    assert dist.variance(lambda x: 2 * x + 1) == 4 * dist.variance()
    assert isinstance(dist.mean(), Fraction)


@given(dists)
def test_map_adds_up_equal_outcomes(dist: Dist[int]) -> None:
    squares: Counter[int] = Counter()
    for x, weight in dist.items():
        squares[x * x] += weight
    assert dict(dist.map(lambda x: x * x).items()) == squares


def test_two_dice() -> None:
    total = DIE.joint(DIE).map(sum)
    assert [total.p(n) * 36 for n in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert (total.mean(), total.variance()) == (7, Fraction(35, 6))


def test_of_chances() -> None:
    assert Dist.of({"a": Fraction(1, 6), "b": Fraction(5, 6)}) == Dist({"a": 1, "b": 5})
    assert Dist.of({1: Fraction(0), 2: Fraction(3)}).p(2) == 1


def test_equal_shares_are_equal_whatever_the_weights() -> None:
    one, other = Dist({"a": 1, "b": 2}), Dist({"b": 4, "a": 2})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Dist({"a": 2, "b": 1})


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (lambda: Dist({"a": -1, "b": 2}), ValueError),
        (lambda: Dist({"a": 0}), ValueError),
        (lambda: Dist({}), ValueError),
        (lambda: Dist({"a": 0.5}), TypeError),  # type: ignore[dict-item]
        (lambda: Dist({0.5: 1}).mean(), TypeError),
    ],
)
def test_what_is_no_distribution_is_refused(wrong: Callable[[], object], fault: type[Exception]) -> None:
    with pytest.raises(fault):
        wrong()


def test_it_never_changes() -> None:
    source = {"a": 1, "b": 3}
    dist = Dist(source)
    source["a"] = 100
    for name in ("total", "_weights", "other"):
        with pytest.raises(AttributeError, match="never changes"):
            setattr(dist, name, {})
        with pytest.raises(AttributeError):
            delattr(dist, name)
    with pytest.raises(TypeError):
        dist.items()["a"] = 7  # type: ignore[index]
    dist.map(str.upper), dist.given(lambda x: x == "a"), dist.joint(dist)
    assert (dist.p("a"), dist.total, list(dist)) == (Fraction(1, 4), 4, ["a", "b"])


def test_it_goes_through_pickle() -> None:
    assert pickle.loads(pickle.dumps(DIE)) == DIE


# as bars


def bars(dist: Dist[Any]) -> list[tuple[str, float, str]]:
    """Each row of the picture: the name, the width of its bar, and what is written beside it."""
    rows = re.findall(r"<tr><th[^>]*>(.*?)</th>.*?width:([\d.]+)px;[^>]*></span> (.*?)</td></tr>", dist._repr_html_())
    return [(name, float(width), said) for name, width, said in rows]


def test_bars_are_as_long_as_their_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", "en")
    shown = bars(Dist({"few": 4, "many": 6, "too": 4}))
    assert [name for name, _, _ in shown] == ["few", "many", "too"]
    assert shown[0][1:] == shown[2][1:]  # equal counts look equal: no largest remainder
    assert shown[1][1] / shown[0][1] == pytest.approx(6 / 4, rel=0.01)
    assert [said.replace("\xa0", " ") for _, _, said in shown] == ["2/7 = 28.6 %", "3/7 = 42.9 %", "2/7 = 28.6 %"]


def test_small_is_not_nothing_and_most_is_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", "ru")
    said = [text.replace("\xa0", " ") for _, _, text in bars(Dist({"five": 78, "other": 3_162_510 - 78}))]
    assert [text.split(" = ")[1] for text in said] == ["&lt; 0,01 %", "&gt; 99,99 %"]


def test_bars_name_cards_and_escape_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", "en")
    assert [name for name, _, _ in bars(Dist({"<b>": 1, "a": 1}))] == ["&lt;b&gt;", "a"]
    assert [name for name, _, _ in bars(Dist.uniform([Card("KH")]))] == ["K♥\N{VARIATION SELECTOR-15}"]


def test_a_long_distribution_ends_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", "en")
    shown = bars(Dist.uniform(range(MOST_BARS + 40)))
    assert len(shown) == MOST_BARS + 1
    assert shown[-1][0] == "40 other outcomes"
    assert shown[-1][2].startswith("2/5 = 40.0")
    assert shown[-1][1] <= 240


# counted by hand: what people print wrongly


def first_of(special: int, pack: int) -> Dist[int]:
    """Where the first of some special cards lies in a shuffled pack."""
    return Dist((n, comb(pack - n, special - 1)) for n in range(1, pack - special + 2))


def dealt(hand: int, special: int, pack: int) -> Dist[int]:
    """How many of some special cards come in a hand."""
    return Dist((n, comb(special, n) * comb(pack - special, hand - n)) for n in range(min(hand, special) + 1))


def test_waiting_times() -> None:
    assert first_of(4, 52).mean() == Fraction(53, 5)
    assert first_of(16, 52).mean() == Fraction(53, 17)  # the first honour of Suicide King, the king of hearts among them
    assert first_of(4, 52).where(lambda n: n % 2 == 1) == Fraction(433, 833)  # the first king comes to the first of two
    assert float(first_of(16, 52).where(lambda n: n % 2 == 1)) == pytest.approx(0.5901, abs=5e-5)


def test_hands() -> None:
    spades = dealt(4, 13, 52)
    assert spades.p(4) == Fraction(11, 4165)  # a loop that ends one early gives 0
    aces = dealt(4, 4, 52)
    assert aces.given(lambda n: n >= 1).where(lambda n: n >= 2) == Fraction(6961, 76145)
    other_aces = dealt(3, 3, 51)  # beside the ace of spades
    assert other_aces.where(lambda n: n >= 1) == Fraction(3529, 20825)


def test_jokers() -> None:
    at_least_one = [dealt(k, 2, 54).where(lambda n: n >= 1) for k in range(3, 8)]
    assert at_least_one == [Fraction(52, 477), Fraction(206, 1431), Fraction(85, 477), Fraction(101, 477), Fraction(350, 1431)]
    assert dealt(7, 2, 54).given(lambda n: n >= 1).p(2) == Fraction(3, 50)
    assert dealt(5, 4, 56).where(lambda n: n >= 1) == Fraction(559, 1749)
