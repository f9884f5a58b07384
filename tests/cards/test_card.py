"""Cards: their names, their order, and that they are the same everywhere."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys

import pytest

from cardlab.cards import CARDS, GLYPHS, JOKERS, KING_OF_HEARTS, PACK_52, PACK_54, RANKS, SUITS, Card, distinct, parse_card, parse_cards
from cardlab.words import Words
from cardlab.words.errors import BadCard

LANGUAGES = ("en", "ru")


def test_the_pack_is_52_cards_and_two_jokers_each_once() -> None:
    assert len(set(PACK_54)) == 54
    assert PACK_54[:52] == PACK_52
    assert JOKERS == (Card("JK1"), Card("JK2")) == PACK_54[52:]
    assert not any(card.joker for card in PACK_52)
    assert {(card.rank, card.suit) for card in PACK_52} == {(rank, suit) for rank in range(13) for suit in range(4)}


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_the_name_of_a_card_is_read_back_as_the_same_object(card: Card) -> None:
    assert parse_card(str(card)) is card
    assert Card(card.token) is card
    assert parse_card(str(card).lower()) is card
    assert eval(repr(card)) is card


def test_ten_has_two_names() -> None:
    for suit in SUITS:
        assert Card(f"10{suit}") is Card(f"T{suit}")
    assert [str(card) for card in parse_cards("10s TH")] == ["TS", "TH"]


def test_code_is_13_times_suit_plus_rank_with_clubs_first() -> None:
    assert [str(CARDS[code]) for code in (0, 12, 13, 26, 39, 51, 52, 53)] == ["2C", "AC", "2D", "2H", "2S", "AS", "JK1", "JK2"]
    assert all(card.code == 13 * (card.suit or 0) + (card.rank or 0) for card in PACK_52)
    assert CARDS[KING_OF_HEARTS.code] is KING_OF_HEARTS is Card("KH")


def test_cards_sort_by_code() -> None:
    shuffled = random.Random(1).sample(PACK_54, 54)
    assert tuple(sorted(shuffled)) == PACK_54
    low, high = Card("2D"), Card("AC")
    assert high < low
    assert high <= low
    assert low > high
    assert low >= low
    assert not low < low


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_survives_pickling_and_copying_as_the_same_object(card: Card) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(card, protocol)) is card
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card


def test_hash_and_order_of_a_set_do_not_depend_on_the_process() -> None:
    program = (
        "from cardlab.cards import *; import random;"
        "print([hash(c) for c in PACK_54], list(set(random.Random(1).sample(PACK_54, 54))), hash(Bag('KH AS')), hash(best('KH AS JK1')))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(said) == 1


@pytest.mark.parametrize("text", ["", "K", "KX", "1H", "11H", "H10", "KHH", "JK3", "JK", "K H", "КН", "0S"])
def test_anything_else_is_refused_as_a_card(text: str) -> None:
    with pytest.raises(BadCard) as refusal:
        parse_card(text)
    assert refusal.value.key == "error.card"
    for language in LANGUAGES:
        sentence = refusal.value.say(Words(language))
        assert repr(text) in sentence
        assert "JK1" in sentence  # what would be right


@pytest.mark.parametrize("thing", [None, 7, 1.5, ["KH"], b"KH"])
def test_what_is_no_text_is_refused_too(thing: object) -> None:
    with pytest.raises(BadCard):
        parse_card(thing)  # type: ignore[arg-type]


def test_cards_are_parted_by_spaces_or_commas() -> None:
    assert parse_cards("AS, TD,Jk  2c") == (Card("AS"), Card("TD"), Card("JK1"), Card("2C"))
    assert parse_cards("") == ()


def test_jk_is_the_first_joker_not_yet_named() -> None:
    assert parse_cards("Jk Jk") == JOKERS
    assert parse_cards("JK1 Jk") == JOKERS
    assert parse_cards("JK2 Jk") == JOKERS[::-1]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("AS AS KD", "error.card_twice"),
        ("7H 7H Jk", "error.card_twice"),
        ("TS 10S", "error.card_twice"),
        ("JK1 JK1", "error.card_twice"),
        ("Jk JK1", "error.card_twice"),
        ("Jk Jk Jk", "error.third_joker"),
        ("JK1 JK2 Jk", "error.third_joker"),
        ("AS XX", "error.card"),
    ],
)
def test_a_card_named_twice_and_a_third_joker_are_refused(text: str, key: str) -> None:
    with pytest.raises(BadCard) as refusal:
        parse_cards(text)
    assert refusal.value.key == key
    assert isinstance(refusal.value, ValueError)
    assert all(refusal.value.say(Words(language)) for language in LANGUAGES)


def test_the_refusal_names_the_card() -> None:
    with pytest.raises(BadCard) as refusal:
        distinct([Card("QH"), Card("AS"), Card("QH")])
    assert "Q♥" in refusal.value.say(Words("en"))
    assert "Д♥" in refusal.value.say(Words("ru"))
    again = pickle.loads(pickle.dumps(refusal.value))
    assert str(again) == str(refusal.value)


def test_russian_letters() -> None:
    shown = [Card(f"{rank}S").display(Words("ru")) for rank in RANKS]
    assert [text.removesuffix(GLYPHS[3]) for text in shown] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "В", "Д", "К", "Т"]


def test_english_letters() -> None:
    shown = [Card(f"{rank}S").display(Words("en")) for rank in RANKS]
    assert [text.removesuffix(GLYPHS[3]) for text in shown] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_suit_sign_is_followed_by_the_text_selector(language: str) -> None:
    signs = dict(zip("CDHS", "♣♦♥♠", strict=True))
    for card in PACK_52:
        assert card.display(Words(language)).endswith(signs[str(card)[-1]] + "\N{VARIATION SELECTOR-15}")


def test_jokers_on_display() -> None:
    assert [joker.display(Words("en")) for joker in JOKERS] == ["joker 1", "joker 2"]
    assert [joker.display(Words("ru")) for joker in JOKERS] == ["джокер 1", "джокер 2"]
