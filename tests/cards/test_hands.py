"""Poker hands: real cases, the counts of all hands, and a brute force written apart from the product."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial, prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardlab.cards import CARDS, JOKERS, PACK_52, PACK_54, RANKS, Card, Category, Hand, Stand, best, parse_cards
from cardlab.words import LOCALE, Words, placeholders
from cardlab.words.errors import BadCard

RULES = ("incomplete", "casino")
# How many hands of k cards of 54 have each best category, from high card to five of a kind, by full enumeration.
COUNTS = {
    3: [18304, 6240, 0, 260, 0, 0, 0, 0, 0, 0],
    5: [1302540, 1437936, 123552, 232968, 34704, 11388, 9360, 9360, 624, 78],
    7: [23294460, 64662120, 31433400, 20216380, 16712660, 8397324, 8521104, 3134544, 639960, 88608],
}


def ranks(letters: str) -> tuple[int, ...]:
    return tuple(RANKS.index(letter) for letter in letters.split())


def became(hand: Hand) -> list[str]:
    """What the jokers stand for: a card's token, a rank's letter for a fifth of a kind, ``-`` for a joker left out."""
    return ["-" if stand is None else str(stand.card or RANKS[stand.rank]) for _, stand in hand.stands_for]


def is_hand(text: str, category: Category, deciding: str, jokers: str = "", rule: str = "incomplete") -> None:
    hand = best(text, rule)
    assert (hand.category, hand.ranks, became(hand)) == (category, ranks(deciding), jokers.split()), text


def ascending(*texts: str, rule: str = "incomplete") -> None:
    hands = [best(text, rule) for text in texts]
    for (low, high), (a, b) in zip(combinations(hands, 2), combinations(texts, 2), strict=True):
        assert low < high, (a, b)
        assert low <= high
        assert high > low
        assert high >= low
        assert low != high
    shuffled = random.Random(3).sample(hands, len(hands))
    assert [hand.cards for hand in sorted(shuffled)] == [hand.cards for hand in hands]


# --- Real cases ------------------------------------------------------------------------------------------------------------------


def test_case_1_one_joker_in_seven_makes_the_straight_no_higher_than_it_is() -> None:
    is_hand("5C 6H 7D 9C 4D Jk TC", Category.STRAIGHT, "T", "8S")
    assert str(best("5C 6H 7D 9C 4D Jk TC")) == "straight, ten high"
    assert [str(card) for card in best("5C 6H 7D 9C 4D Jk TC").cards] == ["TC", "9C", "JK1", "7D", "6H"]


def test_case_1_two_jokers_make_the_flush_and_say_which_cards_they_are() -> None:
    is_hand("5C 6H 7D 9C Jk Jk TC", Category.FLUSH, "A K T 9 5", "AC KC")


def test_case_2_three_aces_and_two_jokers_are_five_aces() -> None:
    is_hand("AD AS AC TH 2D Jk Jk", Category.FIVE_OF_A_KIND, "A", "AH A")
    is_hand("AD AS JC TH 2D Jk Jk", Category.FOUR_OF_A_KIND, "A J", "AH AC")
    is_hand("AD 3S 5C 5H Jk", Category.THREE_OF_A_KIND, "5 A 3", "5S")
    ascending("AD 3S 5C 5H Jk", "AD AS JC TH 2D Jk Jk", "AD AS AC TH 2D Jk Jk")


def test_case_3_two_jokers_are_two_different_cards() -> None:
    is_hand("Jk Jk AS", Category.THREE_OF_A_KIND, "A", "AH AD")
    is_hand("3D 3H 5H Jk", Category.THREE_OF_A_KIND, "3 5", "3S")


@pytest.mark.parametrize(("text", "named"), [("AS AS KD", "A♠"), ("7H 7H Jk", "7♥"), ("JK1 JK1 AS", "joker 1")])
def test_case_3_a_joker_excuses_no_card_held_twice(text: str, named: str) -> None:
    cards = [JOKERS[0] if token == "Jk" else Card(token) for token in text.split()]
    for given_cards in (text, cards, iter(cards)):
        with pytest.raises(BadCard) as refusal:
            best(given_cards)
        assert refusal.value.key == "error.card_twice"
        assert named in str(refusal.value)


def test_case_3_a_third_joker_is_refused() -> None:
    with pytest.raises(BadCard) as refusal:
        best("Jk Jk Jk")
    assert refusal.value.key == "error.third_joker"
    with pytest.raises(BadCard):
        best([*JOKERS, JOKERS[0]])


def test_case_5_the_kicker_may_come_from_the_third_pair_or_beside_it() -> None:
    is_hand("4S 5H 4H 5C 9H 9C KD", Category.TWO_PAIRS, "9 5 K")
    is_hand("4S 5H 4H 5C 9H 9C 3D", Category.TWO_PAIRS, "9 5 4")


def test_case_5_equal_two_pairs_with_a_shared_kicker_are_equal() -> None:
    assert best("TD JS 6C QC AD 6S AC") == best("3S 3D 6C QC AD 6S AC")
    is_hand("TD JS 6C QC AD 6S AC", Category.TWO_PAIRS, "A 6 Q")


def test_case_5_full_houses_differ_in_the_pair() -> None:
    ascending("9S 9H 2S 3S 2H 3H 3D", "TS TH 2S 3S 2H 3H 3D")
    ascending("JH 6D JD 6C JC 9S 9H", "JH 6D JD 6C JC TS TH")
    is_hand("JH 6D JD 6C JC TS TH", Category.FULL_HOUSE, "J T")


def test_case_5_three_pairs_and_a_joker() -> None:
    is_hand("KS KH 9S 9D 4D 4C Jk", Category.FULL_HOUSE, "K 9", "KD")
    assert str(best("KS KH 9S 9D 4D 4C Jk")) == "full house, kings full of nines"


def test_case_6_a_straight_and_a_flush_that_do_not_share_their_cards_are_a_flush() -> None:
    is_hand("9C TH JH QH KH 2H 3H", Category.FLUSH, "K Q J T 3")


def test_case_6_with_a_joker_the_straight_flush_is_ace_high() -> None:
    is_hand("9C TH JH QH KH 2H Jk", Category.STRAIGHT_FLUSH, "A", "AH")


@pytest.mark.parametrize("text", ["9C TH JH QH KH 2H 3H", "9C TH JH QH KH 2H Jk"])
def test_case_6_the_five_named_as_best_are_worth_the_same(text: str) -> None:
    assert best(best(text).cards) == best(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AH KS AD 3S 4S 5H 6S", "AC KH AD 3S 4S 5H 6S"),
        ("TD JH QS KC AD", "TH JD QD KH AC"),
        ("2D 4C 3D 6D TD JD AD", "5S TC 3D 6D TD JD AD"),
        ("AS JD 3C QH 3D 8S 5H", "AS JD 3C QH 3D 8C 2H"),
        ("AS KS 9S 4S Jk", "AH KH QH 9H 4H"),
    ],
)
def test_case_7_equal_hands_are_equal(one: str, other: str) -> None:
    a, b = best(one), best(other)
    assert a == b
    assert not a.__ne__(b)
    assert not a < b
    assert not a > b
    assert a <= b
    assert a >= b
    assert hash(a) == hash(b)
    assert len({a, b}) == 1


def test_case_8_flushes_go_place_by_place() -> None:
    ascending("KS QS 9S 6S 4S", "AS 2S 9S 6S 4S")
    ascending("QS TS 7S 5S 4S", "KS TS 5S 4S 3S")


def test_case_8_pairs_go_before_kickers() -> None:
    board = "9S JC 3C QC 8H"
    ascending(f"{board} AD KS", f"{board} 9C 5H", f"{board} QH 4H")
    assert best(f"{board} AD KS") == best(f"{board} AS KH")


def test_case_8_the_lower_pair_decides_between_two_pairs() -> None:
    ascending("6S 6H 2D 2C 9S", "6S 6H 5D 5C 9S")


@pytest.mark.parametrize("text", ["AH 2S 3C", "KS QS JS", "AS KS QS JS", "QS JS TS", "2S 9S KS", "2C 3D 4H 5S"])
def test_case_9_three_and_four_cards_make_no_straight_and_no_flush(text: str) -> None:
    assert best(text).category is Category.HIGH_CARD


def test_case_9_jokers_in_short_hands() -> None:
    is_hand("Jk KS 7D", Category.PAIR, "K 7", "KH")
    is_hand("Jk Jk KS QD", Category.THREE_OF_A_KIND, "K Q", "KH KD")
    is_hand("Jk Jk 5H", Category.THREE_OF_A_KIND, "5", "5S 5D")


def test_case_9_equal_so_far_more_cards_win() -> None:
    ascending("KS KH 2D 2C", "KD KC 2H 2S 5S")
    ascending("4S 4H 4D AS KD", "5S 5H 5D", "5S 5H 5C 3S 2D")
    ascending("AS 9D 5C", "AS 9D 5C 3H", "AS 9D 5C 3H 2S")
    ascending("AS AH AD AC", "AS AH AD AC 2D")


def test_case_9_no_three_cards_beat_two_jokers_and_an_ace() -> None:
    top = best("Jk Jk AS")
    assert max(best(cards) for cards in combinations(PACK_54, 3)) == top


def test_case_9_casino_counts_straights_and_flushes_of_three_and_four() -> None:
    is_hand("AH 2S 3C", Category.STRAIGHT, "3", rule="casino")
    is_hand("AH 2S 3C 4D", Category.STRAIGHT, "4", rule="casino")
    is_hand("KS QS JS", Category.STRAIGHT_FLUSH, "K", rule="casino")
    is_hand("AS KS QS JS", Category.STRAIGHT_FLUSH, "A", rule="casino")
    is_hand("2S 9S KS", Category.FLUSH, "K 9 2", rule="casino")
    is_hand("AS KH QS JS", Category.STRAIGHT, "A", rule="casino")
    # All of them or none: three of four cards in a row or in one suit are nothing.
    is_hand("KS QS JS 2S", Category.FLUSH, "K Q J 2", rule="casino")
    is_hand("KS QS JS 2D", Category.HIGH_CARD, "K Q J 2", rule="casino")
    is_hand("KS QS JS KD", Category.PAIR, "K Q J", rule="casino")
    # No turning the corner, and the ace is low only at the end.
    is_hand("KS AD 2H", Category.HIGH_CARD, "A K 2", rule="casino")
    is_hand("2S KH AS 3D", Category.HIGH_CARD, "A K 3 2", rule="casino")


def test_case_9_casino_jokers_fill_as_in_five_cards() -> None:
    is_hand("Jk Jk 5H", Category.STRAIGHT_FLUSH, "7", "7H 6H", "casino")
    is_hand("Jk KS 7D", Category.PAIR, "K 7", "KH", "casino")
    is_hand("Jk KS 7S", Category.FLUSH, "A K 7", "AS", "casino")
    is_hand("Jk Jk KS QD", Category.STRAIGHT, "A", "AS JS", "casino")
    is_hand("Jk AH 2S", Category.STRAIGHT, "3", "3S", "casino")
    is_hand("Jk AH AS", Category.THREE_OF_A_KIND, "A", "AD", "casino")
    is_hand("Jk Jk 5H 5D", Category.FOUR_OF_A_KIND, "5", "5S 5C", "casino")


def test_case_9_casino_order() -> None:
    ascending("3S 2D AH", "4S 3D 2H", "5S 4D 3H", "AS KD QH", rule="casino")
    ascending("AS 2D 3H", "AS 2D 3H 4C", "AS 2D 3H 4C 5S", rule="casino")
    # Equal so far, the longer hand wins: 5-4-3 and 5-4-3-2, the flush K-9-2 and K-9-2 with more.
    ascending("5S 4D 3H", "5S 4D 3H 2C", rule="casino")
    ascending("KS QD JH", "KS QD JH TC", "KS QD JH TC 9S", rule="casino")
    ascending("KS 9S 7S", "KD 9D 7D 2D", "KS 9S 7S 3S 2S", rule="casino")
    ascending("KS QS JS", "KS QS JS TS", "KD QD JD TD 9D", "AS KS QS", rule="casino")
    # The same order of categories.
    ascending("AS AD AH", "4S 3D 2H", "7S 4S 2S", "4S 3S 2S", rule="casino")


# --- Other rules worth a case ----------------------------------------------------------------------------------------------------


def test_categories_rank_as_in_the_rule_book() -> None:
    ascending(
        "AS KD 9H 5C 2S",
        "2S 2D 3H 4C 5S",
        "3S 3D 2H 2C 4S",
        "2S 2D 2H 3C 4S",
        "AS 2D 3H 4C 5S",
        "7S 5S 4S 3S 2S",
        "2S 2D 2H 3C 3S",
        "2S 2D 2H 2C 3S",
        "AS 2S 3S 4S 5S",
        "2S 2D 2H 2C Jk",
    )
    assert [category.value for category in Category] == list(range(10))


def test_the_ace_is_low_only_in_the_lowest_straight() -> None:
    ascending("AS 2D 3H 4C 5S", "2D 3H 4C 5S 6D", "TD JH QC KS AD")
    is_hand("AS 2D 3H 4C 5S", Category.STRAIGHT, "5")
    is_hand("QS KD AH 2C 3S", Category.HIGH_CARD, "A K Q 3 2")
    is_hand("AS 2D 3H 4C Jk", Category.STRAIGHT, "5", "5S")
    is_hand("AS 2D 3H 5C Jk", Category.STRAIGHT, "5", "4S")
    assert [str(card) for card in best("AS 2D 3H 5C Jk").cards] == ["5C", "JK1", "3H", "2D", "AS"]


def test_no_flush_with_two_aces() -> None:
    is_hand("AS 9S 7S 4S Jk", Category.FLUSH, "A K 9 7 4", "KS")
    is_hand("AS KS 9S 4S 2S Jk", Category.FLUSH, "A K Q 9 4", "QS")
    is_hand("AS KS 9S 7S 4S 2S Jk", Category.FLUSH, "A K Q 9 7", "QS")


def test_a_joker_that_is_not_needed_stands_for_nothing() -> None:
    is_hand("AS KS QS JS TS Jk", Category.STRAIGHT_FLUSH, "A", "-")
    is_hand("AS KS QS JS TS Jk Jk", Category.STRAIGHT_FLUSH, "A", "- -")
    is_hand("AS KS QS JS 2D Jk Jk", Category.STRAIGHT_FLUSH, "A", "TS -")
    is_hand("AS KD QH JC TS 2D Jk", Category.STRAIGHT, "A", "-")
    is_hand("KS KD KH KC Jk Jk", Category.FIVE_OF_A_KIND, "K", "K -")
    is_hand("KS KD KH KC AS Jk Jk", Category.FIVE_OF_A_KIND, "K", "K -")


def test_a_joker_takes_the_first_free_suit_of_spades_hearts_diamonds_clubs() -> None:
    is_hand("KS 7D 2C Jk", Category.PAIR, "K 7 2", "KH")
    is_hand("KD 7D 2C Jk", Category.PAIR, "K 7 2", "KS")
    is_hand("KS KH 2C Jk Jk", Category.FOUR_OF_A_KIND, "K 2", "KD KC")
    is_hand("KS KH KD 2C JK2", Category.FOUR_OF_A_KIND, "K 2", "KC")
    is_hand("KS KH KD Jk Jk", Category.FIVE_OF_A_KIND, "K", "KC K")
    is_hand("KS KH KD KC JK2", Category.FIVE_OF_A_KIND, "K", "K")
    assert best("KS KH KD KC JK2").stands_for == ((JOKERS[1], Stand(11, None)),)


def test_one_and_two_cards() -> None:
    is_hand("7D", Category.HIGH_CARD, "7")
    is_hand("7D 9D", Category.HIGH_CARD, "9 7")
    is_hand("7D 7S", Category.PAIR, "7")
    is_hand("Jk", Category.HIGH_CARD, "A", "AS")
    is_hand("Jk 7S", Category.PAIR, "7", "7H")
    is_hand("Jk Jk", Category.PAIR, "A", "AS AH")
    is_hand("KS QS", Category.HIGH_CARD, "K Q", rule="casino")
    ascending("AD", "AD 2S", "2S 2D", "2S 2D 3H")


@pytest.mark.parametrize("text", ["", "2C 3C 4C 5C 6C 7C 8C 9C", "AS KS QS JS TS 9S 8S Jk"])
def test_no_cards_and_more_than_seven_are_refused(text: str) -> None:
    with pytest.raises(BadCard) as refusal:
        best(text)
    assert refusal.value.key == "error.hand_size"
    for language in ("en", "ru"):
        assert re.search(rf"\b7\b.*\b{len(text.split())}\b", refusal.value.say(Words(language)))


def test_a_house_rule_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="casino"):
        best("AS KS QS", "poker")


def test_a_hand_is_told_in_a_fixed_order() -> None:
    told = {
        "2D 9S 9C KH 9H KD 3S": "9S 9H 9C KH KD",
        "2D 9S 4C KH 9H 4D 3S": "9S 9H 4D 4C KH",
        "2D 9S JK2 KH 9H KD 3S": "KH KD JK2 9S 9H",
        "JK2 KS JK1 2D KH 5D 5C": "KS KH JK1 JK2 5D",
        "6H 2D JK1 4C 5C 5D": "6H 5D 4C JK1 2D",
        "8D 7C 6H 5S 4D 4H 8C": "8D 7C 6H 5S 4H",
        "8D 2D JK2 TD JK1": "JK1 JK2 TD 8D 2D",
    }
    for text, order in told.items():
        for cards in (parse_cards(text), parse_cards(text)[::-1]):
            assert " ".join(map(str, best(cards).cards)) == order


# --- The hand as a value ---------------------------------------------------------------------------------------------------------


def test_a_hand_is_told_in_both_languages() -> None:
    told = [
        ("AH QD", "ace high", "старшая карта — туз"),
        ("Jk KS 7D", "pair of kings", "пара королей"),
        ("4S 5H 4H 5C 9H 9C KD", "two pairs, nines and fives", "две пары: девятки и пятёрки"),
        ("QD QH 5H Jk", "three queens", "три дамы"),
        ("5C 6H 7D 9C 4D Jk TC", "straight, ten high", "стрит до десятки"),
        ("KS JS 9S 4S 2S", "flush, king high", "флеш до короля"),
        ("KS KH 9S 9D 4D 4C Jk", "full house, kings full of nines", "фулл-хаус: короли и девятки"),
        ("6S 6H 6D Jk", "four sixes", "каре шестёрок"),
        ("9C TH JH QH KH 2H Jk", "straight flush, ace high", "стрит-флеш до туза"),
        ("AD AS AC TH 2D Jk Jk", "five aces", "пять тузов"),
    ]
    assert [best(text).display(Words("en")) for text, _, _ in told] == [english for _, english, _ in told]
    assert [best(text).display(Words("ru")) for text, _, _ in told] == [russian for _, _, russian in told]
    assert [str(best(text)) for text, _, _ in told] == [english for _, english, _ in told]


def test_categories_have_names_in_both_languages() -> None:
    assert [category.display(Words("en")) for category in Category] == list(ORDER)
    assert len({category.display(Words("ru")) for category in Category}) == 10


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_rank_and_category_can_be_told(language: str) -> None:
    for category, (high, low) in product(Category, permutations(range(13), 2)):
        text = Hand(category, (high, low), 5, (), ()).display(Words(language))
        assert text
        assert "{" not in text


def test_what_a_joker_became_is_told_in_both_languages() -> None:
    fourth, fifth = (stand for _, stand in best("KS KH KD Jk Jk").stands_for)
    assert fourth
    assert fifth
    assert [fourth.display(Words(language)) for language in ("en", "ru")] == ["K♣\ufe0e", "К♣\ufe0e"]
    assert [fifth.display(Words(language)) for language in ("en", "ru")] == ["king", "король"]
    assert (fourth.card, fifth.card) == (Card("KC"), None)


def test_the_catalogue_of_hands_has_the_same_keys_and_placeholders_in_both_languages() -> None:
    pofile = pytest.importorskip("babel.messages.pofile")
    texts = []
    for language in ("en", "ru"):
        with (LOCALE / language / "LC_MESSAGES" / "hands.po").open("rb") as file:
            texts.append({message.id: message.string for message in pofile.read_po(file) if message.id})
    english, russian = texts
    assert english.keys() == russian.keys()
    for key, text in english.items():
        assert placeholders(text) == placeholders(russian[key]), key
        assert not set("♣♦♥♠") & set(text + russian[key])
    # ТКВ, the Russian letters, not the Latin ones that look alike.
    assert [ord(russian[f"rank.{letter}"]) for letter in "JQKA"] == [0x412, 0x414, 0x41A, 0x422]


@pytest.mark.parametrize("text", ["5C 6H 7D 9C 4D Jk TC", "KS QS", "AD AS AC TH 2D Jk Jk", "KS Jk QS", "2S 9S KS"])
@pytest.mark.parametrize("rule", RULES)
def test_a_hand_prints_itself_pickles_and_never_changes(text: str, rule: str) -> None:
    hand = best(text, rule)
    again = eval(repr(hand))
    assert (again, again.cards, became(again)) == (hand, hand.cards, became(hand))
    copy = pickle.loads(pickle.dumps(hand))
    assert (copy, copy.cards, copy.stands_for, hash(copy)) == (hand, hand.cards, hand.stands_for, hash(hand))
    with pytest.raises(AttributeError):
        hand.size = 7  # type: ignore[misc]


def test_a_hand_is_no_other_thing() -> None:
    thing: object = (0, (12,), 1)
    assert best("AS") != thing
    with pytest.raises(TypeError):
        best("AS") < 3  # type: ignore[operator]  # noqa: B015


# --- The numbers of all hands ----------------------------------------------------------------------------------------------------


def orbits(natural: int) -> Iterator[tuple[list[Card], int]]:
    """Every hand without jokers up to a renaming of the suits, and how many hands it stands for."""
    by_size: dict[int, list[int]] = {}
    for mask in range(1 << 13):
        by_size.setdefault(mask.bit_count(), []).append(mask)
    cards_of = [[[CARDS[13 * suit + rank] for rank in range(13) if mask >> rank & 1] for mask in range(1 << 13)] for suit in range(4)]
    for sizes in product(range(natural + 1), repeat=4):
        if sum(sizes) != natural or list(sizes) != sorted(sizes, reverse=True):
            continue
        for a, b, c, d in product(*(by_size.get(size, []) for size in sizes)):
            masks = (a, b, c, d)
            if all(one >= other for one, other, m, n in zip(masks, masks[1:], sizes, sizes[1:], strict=False) if m == n):
                alike = prod(factorial(times) for times in Counter(masks).values())
                yield cards_of[0][a] + cards_of[1][b] + cards_of[2][c] + cards_of[3][d], 24 // alike


def counts_by_orbits(size: int) -> list[int]:
    counts = [0] * 10
    for jokers in range(3):
        for natural, weight in orbits(size - jokers):
            counts[best([*natural, *JOKERS[:jokers]]).category] += weight * comb(2, jokers)
    return counts


def test_the_counts_add_up_to_all_hands() -> None:
    assert all(sum(counts) == comb(54, size) for size, counts in COUNTS.items())


def test_counts_of_all_hands_of_three() -> None:
    counts = Counter(best(cards).category for cards in combinations(PACK_54, 3))
    assert [counts[category] for category in Category] == COUNTS[3]


def test_counts_of_all_hands_of_five_up_to_the_names_of_suits() -> None:
    assert counts_by_orbits(5) == COUNTS[5]


def test_a_sample_of_hands_of_five_lies_where_the_counts_say() -> None:
    rng = random.Random(5)
    sample = 20_000
    counts = Counter(best(rng.sample(PACK_54, 5)).category for _ in range(sample))
    for category, number in zip(Category, COUNTS[5], strict=True):
        share = Fraction(number, comb(54, 5))
        # Five standard errors, and one hand for the rarest.
        assert abs(counts[category] - sample * share) - 1 <= 5 * float(sample * share * (1 - share)) ** 0.5, category


@pytest.mark.slow
def test_counts_of_all_hands_of_five_one_by_one() -> None:
    counts = [0] * 10
    for cards in combinations(PACK_54, 5):
        counts[best(cards).category] += 1
    assert counts == COUNTS[5]


@pytest.mark.slow
def test_counts_of_all_hands_of_seven_up_to_the_names_of_suits() -> None:
    assert counts_by_orbits(7) == COUNTS[7]


# --- Brute force: every five of the cards, every joker replaced by every card -------------------------------------------------------
# Written from the rule book alone; nothing here calls the product. Cards are codes, 13·suit + rank.

ORDER = (
    "high card",
    "pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "five of a kind",
)
Value = tuple[int, tuple[int, ...], int]


def value_of(cards: tuple[int, ...], lines: bool) -> Value:
    """What one to five cards are worth; a card that stands there twice makes equal ranks but no flush."""
    places = sorted((code % 13 for code in cards), reverse=True)
    times = Counter(places)
    deciding = tuple(sorted(times, key=lambda rank: (times[rank], rank), reverse=True))
    shape = [times[rank] for rank in deciding]
    flush = lines and len({code // 13 for code in cards}) == 1 and len(set(cards)) == len(cards)
    top = None
    if lines and len(times) == len(cards):
        if places[0] - places[-1] == len(cards) - 1:
            top = places[0]
        elif places == [12, *range(len(cards) - 2, -1, -1)]:
            top = places[1]
    if shape[0] == 5:
        name = "five of a kind"
    elif flush and top is not None:
        name, deciding = "straight flush", (top,)
    elif shape[0] == 4:
        name = "four of a kind"
    elif shape == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif top is not None:
        name, deciding = "straight", (top,)
    elif shape[0] == 3:
        name = "three of a kind"
    elif shape[:2] == [2, 2]:
        name = "two pairs"
    elif shape[0] == 2:
        name = "pair"
    else:
        name = "high card"
    return ORDER.index(name), deciding, len(cards)


def lines_count(size: int, casino: bool) -> bool:
    """Whether hands of a size can be straights and flushes."""
    return size >= 5 or (casino and size >= 3)


@cache
def fillings(part: tuple[int, ...], jokers: int, lines: bool) -> tuple[Value, list[tuple[int, ...]]]:
    """The best value of some cards and jokers, and everything the jokers can be for it."""
    values = {stand: value_of(part + stand, lines) for stand in combinations_with_replacement(range(52), jokers)}
    top = max(values.values())
    return top, [order for stand, value in values.items() if value == top for order in {stand, stand[::-1]}]


@lru_cache(maxsize=1)  # hands of five and more are asked for twice, once for each house rule
def brute_force(cards: tuple[int, ...], lines: bool) -> tuple[Value, tuple[tuple[int, int | None] | None, ...]]:
    """The value of a hand, and for each joker its rank and suit, its rank alone, or nothing."""
    natural = tuple(sorted(code for code in cards if code < 52))
    jokers = len(cards) - len(natural)
    size = min(len(cards), 5)
    found: list[tuple[Value, int, tuple[int, ...]]] = []
    for used in range(jokers + 1):
        for part in combinations(natural, size - used):
            value, stands = fillings(part, used, lines)
            found += [(value, used, stand) for stand in stands]
    top = max(value for value, _, _ in found)
    fewest = min(used for value, used, _ in found if value == top)

    def told(stand: tuple[int, ...]) -> list[tuple[int, int | None]]:
        """Rank and suit; no suit for a card that is in the hand already, naturally or through the other joker."""
        return [(code % 13, None if code in natural or code in stand[:i] else code // 13) for i, code in enumerate(stand)]

    def preference(stand: list[tuple[int, int | None]]) -> list[tuple[int, int]]:
        """A definite card wherever possible, then higher ranks, then spades, hearts, diamonds, clubs."""
        suitless = sum(suit is None for _, suit in stand)
        return [(suitless, 0), *((-rank, 9 if suit is None else -suit) for rank, suit in stand)]

    chosen = min((told(codes) for value, used, codes in found if value == top and used == fewest), key=preference)
    assert top[0] == ORDER.index("five of a kind") or all(suit is not None for _, suit in chosen)
    return top, (*chosen, *[None] * (jokers - fewest))


def codes(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(card.code for card in cards)


def agree(cards: Sequence[Card]) -> None:
    """The product and the brute force say the same of these cards, under both house rules."""
    for casino in (False, True):
        hand = best(cards, RULES[casino])
        lines = lines_count(len(cards), casino)
        value, stands = brute_force(codes(cards), lines)
        said = tuple(stand and (stand.rank, stand.suit) for _, stand in hand.stands_for)
        assert ((hand.category, hand.ranks, hand.size), said) == (value, stands), (cards, RULES[casino])
        assert [joker for joker, _ in hand.stands_for] == sorted(card for card in cards if card.joker)
        # The cards named as best are cards of the hand, and with the jokers' stand-ins they are worth what the hand is worth.
        assert len(set(hand.cards)) == hand.size
        assert set(hand.cards) <= set(cards)
        stand_for = dict(hand.stands_for)
        shown = []
        for card in hand.cards:
            stand = stand_for.get(card)
            shown.append(card.code if stand is None else 13 * (stand.suit or 0) + stand.rank)
            assert stand is None or stand.card not in cards
        assert max(shown) < 52
        assert value_of(tuple(shown), lines) == value


def random_hands(seed: int, number: int, pack: Sequence[Card] = PACK_54) -> Iterator[list[Card]]:
    rng = random.Random(seed)
    for _ in range(number):
        yield rng.sample(pack, rng.randint(3, 7))


@pytest.mark.parametrize(("letters", "suits"), [("9TJQKA", "SH"), ("A23456", "DC"), ("AK2", "CDHS")], ids=["high", "low", "four_suits"])
def test_brute_force_on_every_hand_of_a_small_pack(letters: str, suits: str) -> None:
    pack = [*(Card(rank + suit) for rank in letters for suit in suits), *JOKERS]
    number = 0
    for size in range(1, 8):
        for cards in combinations(pack, size):
            agree(cards)
            number += 1
    assert number == sum(comb(14, size) for size in range(1, 8))
    fillings.cache_clear()


def test_brute_force_on_every_hand_of_one_and_two() -> None:
    for size in (1, 2):
        for cards in combinations(PACK_54, size):
            agree(cards)


def test_brute_force_on_random_hands() -> None:
    for cards in random_hands(54, 500):
        agree(cards)
    # Jokers are rare in a fair deal: some hands that have them for certain.
    for cards in random_hands(53, 60, PACK_52):
        agree([*cards[:6], JOKERS[0]])
        agree([*JOKERS, *cards[:3]])


def test_order_and_equality_agree_with_brute_force() -> None:
    rng = random.Random(7)
    hands = [rng.sample(PACK_52, rng.randint(3, 7)) for _ in range(300)]
    hands += [[*cards[: rng.randint(2, 6)], JOKERS[1]] for cards in hands[:60]]
    for casino in (False, True):
        ours = [best(cards, RULES[casino]) for cards in hands]
        values = [brute_force(codes(cards), lines_count(len(cards), casino))[0] for cards in hands]
        for (a, b), (x, y) in zip(combinations(ours, 2), combinations(values, 2), strict=True):
            assert (a < b, a == b, a > b, a <= b, a >= b) == (x < y, x == y, x > y, x <= y, x >= y)
            assert a != b or hash(a) == hash(b)
        by_value = [values[i] for i in sorted(range(len(hands)), key=ours.__getitem__)]
        assert by_value == sorted(values)


@pytest.mark.slow
def test_brute_force_on_ten_thousand_random_hands() -> None:
    hands = list(random_hands(2024, 10_000))
    for cards in hands:
        agree(cards)
        fillings.cache_clear()
    for casino in (False, True):
        ours = sorted(range(len(hands)), key=lambda i: best(hands[i], RULES[casino]))
        values = [brute_force(codes(hands[i]), lines_count(len(hands[i]), casino))[0] for i in ours]
        assert values == sorted(values)


# --- Properties ------------------------------------------------------------------------------------------------------------------


def hands_of(low: int, high: int, pack: Sequence[Card] = PACK_54) -> st.SearchStrategy[list[Card]]:
    # Three kinds of pack, so that flushes, straights and equal ranks come up often.
    packs = [
        pack,
        [card for card in pack if card.joker or card.suit == 2 or card.code % 5 == 0],
        [card for card in pack if card.joker or card.rank in (0, 1, 2, 3, 12)],
    ]
    return st.sampled_from(packs).flatmap(lambda cards: st.lists(st.sampled_from(cards), min_size=low, max_size=high, unique=True))


@given(hands_of(1, 7), st.sampled_from(RULES), st.data())
@settings(max_examples=500)
def test_replacing_a_card_by_a_joker_never_lowers_a_hand(cards: list[Card], rule: str, data: st.DataObject) -> None:
    spare = [joker for joker in JOKERS if joker not in cards]
    replaceable = [card for card in cards if not card.joker]
    assume(spare and replaceable)
    replaced = data.draw(st.sampled_from(replaceable))
    with_joker = [spare[0] if card is replaced else card for card in cards]
    assert best(with_joker, rule) >= best(cards, rule)


@given(hands_of(1, 7), st.sampled_from(RULES))
@settings(max_examples=500)
def test_the_cards_named_as_best_are_worth_what_all_are_worth(cards: list[Card], rule: str) -> None:
    hand = best(cards, rule)
    named = best(hand.cards, rule)
    assert named == hand
    assert named.cards == hand.cards
    assert [pair for pair in named.stands_for if pair[1]] == [pair for pair in hand.stands_for if pair[1]]
    assert eval(repr(hand)) == hand


@given(hands_of(2, 7))
def test_one_more_card_never_lowers_a_hand(cards: list[Card]) -> None:
    assert best(cards) >= best(cards[:-1])


@given(hands_of(1, 7), st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(cards: list[Card], rule: str, rng: random.Random) -> None:
    one, other = best(cards, rule), best(rng.sample(cards, len(cards)), rule)
    assert (one, one.cards, one.stands_for) == (other, other.cards, other.stands_for)


@given(hands_of(1, 7), st.sampled_from(RULES), st.permutations(range(4)))
def test_suits_never_rank(cards: list[Card], rule: str, suits: list[int]) -> None:
    renamed = [card if card.joker else CARDS[13 * suits[card.code // 13] + card.code % 13] for card in cards]
    assert best(renamed, rule) == best(cards, rule)


@given(hands_of(1, 7), hands_of(1, 7), hands_of(1, 7), st.sampled_from(RULES))
def test_the_order_is_total(one: list[Card], two: list[Card], three: list[Card], rule: str) -> None:
    a, b, c = sorted(best(cards, rule) for cards in (one, two, three))
    assert a <= b <= c
    assert a <= c
    assert (a == c) == (a == b == c)
    assert (a < b) + (a == b) + (a > b) == 1
