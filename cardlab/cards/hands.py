"""Poker hands of up to seven cards with two jokers: how high they rank, and what each joker stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from cardlab.cards.card import ACE, CARDS, CLUBS, DIAMONDS, GLYPHS, HEARTS, RANKS, SPADES, Card, distinct, parse_cards
from cardlab.words import Phrase, Words, errors

SUIT_ORDER: Final = (SPADES, HEARTS, DIAMONDS, CLUBS)  # the order in which a joker looks for a suit, and cards of one rank are told
LARGEST = 7
BEST_OF = 5


class Category(IntEnum):
    """The kinds of poker hands, from the lowest to the highest."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9

    def display(self, words: Words) -> str:
        """The name of the category in a language."""
        return words.text(f"hand.{self.name.lower()}")


# How many cards of its rank the fullest group has, the next one at least (two are as good as more), and what that is called.
_EQUAL_RANKS: Final = {
    (1, 0): Category.HIGH_CARD,
    (1, 1): Category.HIGH_CARD,
    (2, 0): Category.PAIR,
    (2, 1): Category.PAIR,
    (2, 2): Category.TWO_PAIRS,
    (3, 0): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 0): Category.FOUR_OF_A_KIND,
    (4, 1): Category.FOUR_OF_A_KIND,
    (4, 2): Category.FOUR_OF_A_KIND,
    (5, 0): Category.FIVE_OF_A_KIND,
    (5, 1): Category.FIVE_OF_A_KIND,
    (5, 2): Category.FIVE_OF_A_KIND,
}

# In which form the deciding ranks stand in the sentence of a category: see rank_name.* in the catalogues.
_TOLD_AS: Final = {
    Category.HIGH_CARD: ("one",),
    Category.PAIR: ("of",),
    Category.TWO_PAIRS: ("all", "all"),
    Category.THREE_OF_A_KIND: ("three",),
    Category.STRAIGHT: ("high",),
    Category.FLUSH: ("high",),
    Category.FULL_HOUSE: ("all", "all"),
    Category.FOUR_OF_A_KIND: ("of",),
    Category.STRAIGHT_FLUSH: ("high",),
    Category.FIVE_OF_A_KIND: ("of",),
}


def _runs(length: int) -> tuple[tuple[int, ...], ...]:
    natural = [tuple(range(top, top - length, -1)) for top in range(ACE, length - 2, -1)]
    return *natural, (*range(length - 2, -1, -1), ACE)


# The straights of three, four and five cards as ranks from the top down, the highest first; the ace is low in the last one only.
_RUNS: Final = {length: _runs(length) for length in (3, 4, 5)}


@dataclass(frozen=True)
class Stand:
    """What a joker stands for: a card, or as the fifth of a kind, where no card is left, a rank alone.

    ``rank`` and ``suit`` are numbered as in Card; ``suit`` is ``None`` for a fifth of a kind.

    >>> Stand(6, SPADES).card, Stand(12).card
    (Card('8S'), None)
    """

    rank: int
    suit: int | None = None

    @property
    def card(self) -> Card | None:
        """The card, when it is a definite one."""
        return None if self.suit is None else CARDS[13 * self.suit + self.rank]

    def display(self, words: Words) -> str:
        """The card as people read it, or the rank's name: ``8♠``, ``ace``."""
        if self.suit is None:
            return words.text(f"rank_name.{RANKS[self.rank]}.one")
        return words.text(f"rank.{RANKS[self.rank]}") + GLYPHS[self.suit]


@dataclass(frozen=True, order=True, repr=False)
class Hand:
    """A poker hand; hands of equal value are equal, whatever cards and suits they are made of.

    ``ranks`` are the ranks that decide, place by place, numbered as in Card: kings full of nines have (11, 7), a straight
    its top alone, so that A-2-3-4-5 has (3,). ``size`` is how many cards count: of hands that are equal as far as both
    reach, the one with more cards is higher. ``cards`` are those cards in the order in which the hand is told;
    ``stands_for`` pairs each joker with what it became, ``None`` for a joker left out of the best five.

    >>> hand = best("5C 6H 7D 9C 4D Jk TC")
    >>> print(hand)
    straight, ten high
    >>> hand.stands_for
    ((Card('JK1'), Stand(rank=6, suit=3)),)
    >>> best("KS KH 2D 2C") < best("KD KC 2H 2S 5S") == best("KS KH 2D 2C 5D")
    True
    """

    category: Category
    ranks: tuple[int, ...]
    size: int
    cards: tuple[Card, ...] = field(compare=False)
    stands_for: tuple[tuple[Card, Stand | None], ...] = field(compare=False)

    def display(self, words: Words) -> str:
        """The hand in a few words: ``full house, kings full of nines``."""
        first, *second = (
            Phrase.of(f"rank_name.{RANKS[rank]}.{form}") for rank, form in zip(self.ranks, _TOLD_AS[self.category], strict=False)
        )
        key = f"hand.{self.category.name.lower()}.told"
        return words.text(key, first=first, second=second[0]) if second else words.text(key, first=first)

    @property
    def code(self) -> int:
        """The hand as a whole number; codes sort as hands do.

        >>> best("KS KH 2D 2C").code < best("AS AH 2D 2C").code
        True
        """
        code = int(self.category)
        for rank in (*self.ranks, *[-1] * (BEST_OF - len(self.ranks))):
            code = code << 4 | rank + 1
        return code << 3 | self.size

    def __str__(self) -> str:
        return self.display(Words())

    def __repr__(self) -> str:
        one_suit_or_run = self.category in (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)
        house_rule = ", 'casino'" if one_suit_or_run and self.size < BEST_OF else ""
        return f"best({' '.join(map(str, self.cards))!r}{house_rule})"


def best(cards: Iterable[Card] | str, short_hands: str = "incomplete") -> Hand:
    """The best poker hand of one to seven cards, jokers included: five of them, or all where there are fewer.

    ``cards`` are cards or text for parse_cards. ``short_hands`` is the house rule for three and four cards: "incomplete", they make
    neither straight nor flush, or "casino", all of them together may. A joker stands for the rank that makes the hand best
    and then for the first of spades, hearts, diamonds and clubs whose card is not in the hand; in a flush it takes the
    flush's suit, as a fifth of a kind none. Of two jokers the first stands for the card that is told first. Raises BadCard for a card
    held twice, for no cards and for more than seven, and ValueError for another house rule.

    >>> str(best("KS KH 9S 9D 4D 4C Jk"))
    'full house, kings full of nines'
    >>> str(best("QS JS TS")), str(best("QS JS TS", "casino"))
    ('queen high', 'straight flush, queen high')
    >>> best("QD JD QS Jk")
    best('QS QD JK1 JD')
    """
    if short_hands not in ("incomplete", "casino"):
        raise ValueError(f"short_hands is 'incomplete' or 'casino', not {short_hands!r}")
    held = distinct(parse_cards(cards) if isinstance(cards, str) else cards)
    if not 1 <= len(held) <= LARGEST:
        raise errors.BadCard("error.hand_size", count=len(held), most=LARGEST)
    jokers = sorted(card for card in held if card.code >= 52)
    # The sorting also gives each choice among cards of one rank to the first of SUIT_ORDER.
    natural = sorted((card for card in held if card.code < 52), key=_told_order)
    size = min(len(held), BEST_OF)
    made = [_equal_ranks(natural, jokers, size)]
    if size == BEST_OF or (size >= 3 and short_hands == "casino"):
        made += _one_suit(natural, jokers, size)
        made += _straight(natural, jokers, size)
    return max(made)


def _told_order(card: Card) -> int:
    suit, rank = divmod(card.code, 13)
    return -4 * rank - suit


def _equal_ranks(natural: Sequence[Card], jokers: Sequence[Card], size: int) -> Hand:
    """The hand made of cards of equal rank and kickers.

    All jokers join the fullest group, the highest of them if several are: a third king is worth more than a second pair.
    """
    by_rank: dict[int, list[Card]] = {}
    for card in natural:
        by_rank.setdefault(card.code % 13, []).append(card)
    groups = sorted(by_rank.values(), key=len, reverse=True)
    fullest, *others = groups or [[]]
    joining = jokers[: BEST_OF - len(fullest)]
    second = min(len(others[0]), 2) if others else 0
    category = _EQUAL_RANKS[len(fullest) + len(joining), second]
    paired = others[0][:2] if category in (Category.FULL_HOUSE, Category.TWO_PAIRS) else []

    told = [*fullest, *joining, *paired]
    kickers = [card for card in natural if card not in told][: size - len(told)]
    rank = fullest[0].code % 13 if fullest else ACE
    ranks = (rank, *(card.code % 13 for card in (*paired[:1], *kickers)))
    free: list[int | None] = [suit for suit in SUIT_ORDER if CARDS[13 * suit + rank] not in fullest]
    stands = {joker: Stand(rank, suit) for joker, suit in zip(joining, [*free, None], strict=False)}
    return Hand(category, ranks, size, (*told, *kickers), _stands_for(jokers, stands))


def _one_suit(natural: Sequence[Card], jokers: Sequence[Card], size: int) -> list[Hand]:
    """The straight flush, or else the flush, if there is one."""
    by_suit: list[dict[int, Card]] = [{}, {}, {}, {}]
    for card in natural:
        suit, rank = divmod(card.code, 13)
        by_suit[suit][rank] = card
    # One suit at most: of seven cards with j jokers 7 - j are natural, too few for 5 - j cards in each of two suits.
    for suit, suited in enumerate(by_suit):
        if len(suited) + len(jokers) >= size:
            if run := _highest_run(suited, len(jokers), size):
                return [_in_line(Category.STRAIGHT_FLUSH, run, run[:1], suited, jokers, suit)]
            ranks = _highest_ranks(suited, len(jokers), size)
            return [_in_line(Category.FLUSH, ranks, ranks, suited, jokers, suit)]
    return []


def _straight(natural: Sequence[Card], jokers: Sequence[Card], size: int) -> list[Hand]:
    """The straight, if there is one."""
    by_rank: dict[int, Card] = {}
    for card in natural:
        by_rank.setdefault(card.code % 13, card)
    if len(by_rank) + len(jokers) < size:
        return []
    run = _highest_run(by_rank, len(jokers), size)
    # A joker fills a rank that no natural card has, so that the first suit is always free.
    return [_in_line(Category.STRAIGHT, run, run[:1], by_rank, jokers, SUIT_ORDER[0])] if run else []


def _highest_run(by_rank: Mapping[int, Card], jokers: int, length: int) -> tuple[int, ...]:
    """The highest straight that the jokers can complete, empty if there is none."""
    for run in _RUNS[length]:
        if sum(rank in by_rank for rank in run) + jokers >= length:
            return run
    return ()


def _highest_ranks(suited: Mapping[int, Card], jokers: int, length: int) -> tuple[int, ...]:
    """The highest ranks of a flush: the jokers take the highest that are missing."""
    missing = [rank for rank in range(ACE, -1, -1) if rank not in suited][:jokers]
    return tuple(sorted([*suited, *missing], reverse=True)[:length])


def _in_line(
    category: Category, line: Sequence[int], ranks: tuple[int, ...], by_rank: Mapping[int, Card], jokers: Sequence[Card], suit: int
) -> Hand:
    """The hand of different ranks, told from the top down, with a joker wherever the card is missing."""
    spare = iter(jokers)
    told: list[Card] = []
    stands: dict[Card, Stand] = {}
    for rank in line:
        card = by_rank.get(rank)
        if card is None:
            card = next(spare)
            stands[card] = Stand(rank, suit)
        told.append(card)
    return Hand(category, ranks, len(line), tuple(told), _stands_for(jokers, stands))


def _stands_for(jokers: Sequence[Card], stands: Mapping[Card, Stand]) -> tuple[tuple[Card, Stand | None], ...]:
    return tuple((joker, stands.get(joker)) for joker in jokers)
