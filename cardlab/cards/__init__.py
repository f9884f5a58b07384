"""Cards, bags of cards and poker hands."""

from cardlab.cards.bag import Bag
from cardlab.cards.card import (
    CARDS,
    GLYPHS,
    JOKERS,
    KING_OF_HEARTS,
    PACK_52,
    PACK_54,
    RANKS,
    SUITS,
    Card,
    distinct,
    parse_card,
    parse_cards,
)
from cardlab.cards.hands import Category, Hand, Stand, best

__all__ = [
    "CARDS",
    "GLYPHS",
    "JOKERS",
    "KING_OF_HEARTS",
    "PACK_52",
    "PACK_54",
    "RANKS",
    "SUITS",
    "Bag",
    "Card",
    "Category",
    "Hand",
    "Stand",
    "best",
    "distinct",
    "parse_card",
    "parse_cards",
]
