"""Bags of cards: a multiset that forgets every order."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlab.cards import PACK_54, Bag, Card, parse_cards

# Few different cards, so that many lie in a bag more than once.
SOME = st.lists(st.sampled_from(parse_cards("2C KH AS JK1 JK2")), max_size=8)


def test_a_bag_forgets_the_order() -> None:
    assert Bag("KH 2C AS") == Bag("AS KH 2C")
    assert hash(Bag("KH 2C AS")) == hash(Bag("AS KH 2C"))
    assert repr(Bag("AS KH 2C")) == repr(Bag("KH 2C AS")) == "Bag('2C KH AS')"
    assert list(Bag(PACK_54[::-1])) == list(PACK_54)


def test_a_bag_counts_its_cards() -> None:
    bag = Bag("KH KH 2C")
    assert len(bag) == 3
    assert bag.count(Card("KH")) == 2
    assert bag.count(Card("AS")) == 0
    assert Card("2C") in bag
    assert Card("AS") not in bag
    assert bag != Bag("KH 2C")
    assert len(Bag()) == 0
    assert not Bag()


def test_a_bag_never_changes() -> None:
    bag = Bag("KH 2C")
    with pytest.raises(AttributeError):
        bag.cards = ()
    with pytest.raises(AttributeError):
        bag.more = 1
    bag.with_(parse_cards("AS"))
    bag.without(parse_cards("2C"))
    assert bag == Bag("2C KH")


@pytest.mark.parametrize("gone", ["AS", "2C 2C", "KH AS", "KH KH KH"])
def test_what_is_not_there_cannot_be_taken(gone: str) -> None:
    with pytest.raises(KeyError):
        Bag("KH KH 2C").without([Card(token) for token in gone.split()])


def test_a_bag_survives_pickling_copying_and_repr() -> None:
    for bag in (Bag(), Bag("KH KH 2C JK2"), Bag(PACK_54)):
        assert pickle.loads(pickle.dumps(bag)) == bag
        assert copy.copy(bag) == copy.deepcopy(bag) == bag
        assert eval(repr(bag)) == bag


@given(SOME, SOME)
def test_adding_and_taking_away_again_changes_nothing(one: list[Card], other: list[Card]) -> None:
    assert Bag(one).with_(other).without(other) == Bag(one)
    assert Bag(one).with_(other).without(one) == Bag(other)
    assert Bag(one).with_(other) == Bag(other).with_(one)


@given(SOME, SOME)
def test_a_bag_is_a_counter(one: list[Card], other: list[Card]) -> None:
    both = Bag(one).with_(other)
    assert Counter(both) == Counter(one) + Counter(other)
    assert list(both) == sorted(one + other)
    assert (Bag(one) == Bag(other)) == (Counter(one) == Counter(other))


@given(SOME, SOME)
def test_taking_away_is_possible_exactly_when_all_is_there(one: list[Card], gone: list[Card]) -> None:
    if Counter(gone) <= Counter(one):
        left = Bag(one).without(gone)
        assert Counter(left) == Counter(one) - Counter(gone)
        assert list(left) == sorted(left)
    else:
        with pytest.raises(KeyError):
            Bag(one).without(gone)
