"""How many hands are a pair, a flush, …: counted by classes, so that all 177 million hands of seven cards take a second.

A hand without a look at its suits is a number of cards of each rank and a number of jokers. Its cards can be chosen in
∏ C(cards of the rank, how many of them) ways, and its category follows from the largest two of these numbers and from the ranks that
occur (is there a straight?). Only hands with five of a suit are then counted wrongly, and they are few: these are gone through suit by
suit, taken out of the category they were counted in, and put where they belong. No hand has five of two suits, jokers included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final

from cardlab.cards import PACK_54, RANKS, Card, Category
from cardlab.cards.hands import BEST_OF
from cardlab.core.dist import Dist

ALL_RANKS: Final = range(len(RANKS))
# How often the most frequent rank of a hand occurs, how often the next one, and the set of its ranks, one bit a rank.
RankClass = tuple[int, int, int]
Times = tuple[int, ...]  # for each rank, a number of cards


def hand_counts(size: int, pack: Iterable[Card] = PACK_54, short_hands: str = "incomplete") -> dict[Category, int]:
    """How many of all hands of so many cards have each best category.

    >>> list(hand_counts(5).values())
    [1302540, 1437936, 123552, 232968, 34704, 11388, 9360, 9360, 624, 78]
    """
    return completed((), pack, size, short_hands)


def completed(known: Iterable[Card], pool: Iterable[Card], missing: int, short_hands: str = "incomplete") -> dict[Category, int]:
    """How many of the ways to add so many cards of the pool to the known ones give each category; every category is named.

    >>> from cardlab.cards import parse_cards
    >>> {str(kind.name): n for kind, n in completed(parse_cards("KS KH"), parse_cards("KD 2C 3D"), 1).items() if n}
    {'PAIR': 2, 'THREE_OF_A_KIND': 1}
    """
    return dict(zip(Category, _completed(tuple(sorted(known)), tuple(sorted(pool)), missing, short_hands), strict=True))


@lru_cache(maxsize=4096)
def _completed(known: tuple[Card, ...], pool: tuple[Card, ...], missing: int, short_hands: str) -> tuple[int, ...]:
    line = line_length(len(known) + missing, short_hands)
    wild, drawn = sum(card.joker for card in known), sum(card.joker for card in pool)
    counts: Counter[Category] = Counter()
    for more in range(min(drawn, missing) + 1):
        found = _with_jokers(_suits(known), _suits(pool), wild + more, missing - more, line)
        for category, number in found.items():
            counts[category] += comb(drawn, more) * number
    return tuple(counts[category] for category in Category)


def line_length(size: int, short_hands: str) -> int:
    """How many cards a straight and a flush have in a hand of some size; 0 where there are none."""
    return BEST_OF if size >= BEST_OF else size if size >= 3 and short_hands == "casino" else 0


def _suits(cards: Iterable[Card]) -> tuple[int, ...]:
    """The ranks of each suit as a set of bits; jokers are left out."""
    masks = [0, 0, 0, 0]
    for card in cards:
        if card.suit is not None and card.rank is not None:
            masks[card.suit] |= 1 << card.rank
    return tuple(masks)


def _with_jokers(known: Sequence[int], pool: Sequence[int], jokers: int, missing: int, line: int) -> Counter[Category]:
    """The categories with just so many jokers, when so many other cards are missing."""
    counts: Counter[Category] = Counter()
    for kind, ways in _rank_classes(_times(known), _times(pool), missing).items():
        counts[_without_suits(kind, jokers, line)] += ways
    if not line:
        return counts
    alike = Counter((known[suit], pool[suit], _apart(known, suit), _apart(pool, suit)) for suit in range(4))
    for (held, free, others_held, others_free), suits in alike.items():
        for before, after, ways in _one_suit(held, free, others_held, others_free, missing, jokers, line):
            counts[before] -= suits * ways
            counts[after] += suits * ways
    return counts


def _apart(masks: Sequence[int], suit: int) -> Times:
    """How many cards of each rank the three other suits have."""
    return _times([mask for k, mask in enumerate(masks) if k != suit])


def _one_suit(
    held: int, free: int, others_held: Times, others_free: Times, missing: int, jokers: int, line: int
) -> Iterator[tuple[Category, Category, int]]:
    """Hands with a flush in one suit, the ways to each: what they are without a look at the suits, and what they are."""
    most = min(free.bit_count(), missing)
    for picked in range(max(line - jokers - held.bit_count(), 0), most + 1):
        rests = _rests(others_free, missing - picked)
        for added in combinations(_bits(free), picked):
            suited = held | sum(added)
            in_suit = Category.STRAIGHT_FLUSH if has_straight(suited, jokers, line) else Category.FLUSH
            base = tuple(n + (suited >> rank & 1) for rank, n in enumerate(others_held))
            first, second = sorted(base, reverse=True)[:2]
            ranks = suited | sum(1 << rank for rank, n in enumerate(others_held) if n)
            numbers: Counter[tuple[Category, Category]] = Counter()
            for rest, mask, ways in rests:
                kind = first, second, ranks | mask
                for rank, taken in rest:
                    kind = _raised(kind, rank, base[rank], base[rank] + taken)
                before = _without_suits(kind, jokers, line)
                numbers[before, max(before, in_suit)] += ways
            for (before, after), ways in numbers.items():
                if before != after:
                    yield before, after, ways


@lru_cache(maxsize=4096)
def _rests(free: Times, cards: int) -> list[tuple[tuple[tuple[int, int], ...], int, int]]:
    """All choices of so many cards by their ranks: how many of each, the set of the ranks, and the ways to choose them."""
    if not cards:
        return [((), 0, 1)]
    found = []
    for ranks in combinations_with_replacement(ALL_RANKS, cards):
        taken = tuple(Counter(ranks).items())
        ways = prod(comb(free[rank], n) for rank, n in taken)
        if ways:
            found.append((taken, sum(1 << rank for rank, _ in taken), ways))
    return found


@cache
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(1 << rank for rank in ALL_RANKS if mask >> rank & 1)


def _times(masks: Sequence[int]) -> Times:
    return tuple(sum(mask >> rank & 1 for mask in masks) for rank in ALL_RANKS)


def _rank_classes(held: Times, free: Times, missing: int) -> dict[RankClass, int]:
    """The classes of all hands with so many cards more than ``held``, taken from ``free``, and the number of ways to each."""
    first, second = sorted(held, reverse=True)[:2]
    start = (first, second, sum(1 << rank for rank, n in enumerate(held) if n))
    classes: dict[tuple[int, RankClass], int] = {(missing, start): 1}
    if not missing:
        return {start: 1}
    for rank, available in enumerate(free):
        after = classes.copy()
        for (left, kind), ways in classes.items():
            for taken in range(1, min(left, available) + 1):
                key = left - taken, _raised(kind, rank, held[rank], held[rank] + taken)
                after[key] = after.get(key, 0) + ways * comb(available, taken)
        classes = after
    return {kind: ways for (left, kind), ways in classes.items() if not left}


def _raised(kind: RankClass, rank: int, before: int, after: int) -> RankClass:
    """The class when a rank that occurred some times occurs more often: the two largest numbers are kept."""
    first, second, ranks = kind
    if before == first:
        first, second = after, second
    elif after > first:
        first, second = after, first
    elif after > second:
        second = after
    return first, second, ranks | 1 << rank


def _without_suits(kind: RankClass, jokers: int, line: int) -> Category:
    category = _equal_ranks(kind, jokers)
    straight = line and category < Category.STRAIGHT and has_straight(kind[2], jokers, line)
    return Category.STRAIGHT if straight else category


@cache
def _by_numbers(first: int, second: int) -> Category:
    """What equal ranks are called: the jokers join the rank that occurs most often."""
    match min(first, BEST_OF), second >= 2:
        case 5, _:
            return Category.FIVE_OF_A_KIND
        case 4, _:
            return Category.FOUR_OF_A_KIND
        case 3, pair:
            return Category.FULL_HOUSE if pair else Category.THREE_OF_A_KIND
        case 2, pair:
            return Category.TWO_PAIRS if pair else Category.PAIR
    return Category.HIGH_CARD


def _equal_ranks(kind: RankClass, jokers: int) -> Category:
    return _by_numbers(kind[0] + jokers, kind[1])


@cache
def has_straight(ranks: int, jokers: int, line: int) -> bool:
    """Whether a set of ranks and some jokers make a straight of ``line`` cards; the ace is high or low.

    >>> has_straight(0b1000000001011, 1, 5), has_straight(0b1000000001011, 0, 4)
    (True, False)
    """
    around = ranks << 1 | ranks >> 12  # the ace below the two, too
    window = (1 << line) - 1
    return any((around >> low & window).bit_count() + jokers >= line for low in range(len(RANKS) + 2 - line))


def jokers_dealt(size: int, pack: Sequence[Card] = PACK_54) -> Dist[int]:
    """How many jokers lie in a hand of so many cards: the hypergeometric distribution.

    >>> 1 - jokers_dealt(7).p(0)
    Fraction(350, 1431)
    """
    wild = sum(card.joker for card in pack)
    return Dist((k, comb(wild, k) * comb(len(pack) - wild, size - k)) for k in range(min(wild, size) + 1))


# What a hand could be called


def could_be_called(pack: Sequence[Card] = PACK_54) -> dict[Category, int]:
    """How many of all hands of five cards can be read as each category, if its owner says what the jokers are.

    A joker may be any card, also one that is in the hand where that makes equal ranks; a hand with jokers counts under several
    categories ("inclusion frequencies", Emert and Umbach, "Inconsistencies of wild-card poker", Chance 9(3), 1996).

    >>> could_be_called()[Category.FULL_HOUSE]
    18148
    """
    suits, wild = _suits(pack), sum(card.joker for card in pack)
    counts: Counter[Category] = Counter()
    for number in range(min(wild, BEST_OF) + 1):
        for times, all_hands, one_suit in _rank_numbers(suits, BEST_OF - number):
            for category in _readings(times, number, False):
                counts[category] += comb(wild, number) * (all_hands - one_suit)
            for category in _readings(times, number, True):
                counts[category] += comb(wild, number) * one_suit
    return {category: counts[category] for category in Category}


def _rank_numbers(suits: Sequence[int], cards: int) -> Iterator[tuple[Times, int, int]]:
    """For each choice of ranks the number of hands that have them, and how many of these are of one suit."""
    available = _times(suits)
    for ranks in combinations_with_replacement(ALL_RANKS, cards):
        times = tuple(map(ranks.count, ALL_RANKS))
        hands = 1
        for there, taken in zip(available, times, strict=True):
            hands *= comb(there, taken)
        mask = sum(1 << rank for rank in {*ranks})
        yield times, hands, sum(mask & suit == mask for suit in suits) if mask.bit_count() == cards else 0


def _readings(times: Times, number: int, one_suit: bool) -> set[Category]:
    """Everything that cards with these ranks and a number of jokers can be called."""
    found = set()
    for stand in combinations_with_replacement(ALL_RANKS, number):
        made = tuple(n + stand.count(rank) for rank, n in enumerate(times))
        first, second = sorted(made, reverse=True)[:2]
        straight = first == 1 and has_straight(sum(1 << rank for rank, n in enumerate(made) if n), 0, BEST_OF)
        if one_suit and first == 1:
            found.add(Category.STRAIGHT_FLUSH if straight else Category.FLUSH)
        if not one_suit or number or first > 1:  # a joker may be of another suit
            found.add(Category.STRAIGHT if straight else _by_numbers(first, second))
    return found
