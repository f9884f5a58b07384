"""Cards: 52 in four suits, and two jokers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import total_ordering
from typing import Final

from cardlab.words import Words, errors

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
GLYPHS: Final = tuple(f"{sign}\N{VARIATION SELECTOR-15}" for sign in "♣♦♥♠")  # the selector keeps phones from drawing emoji
TWO, TEN, JACK, QUEEN, KING, ACE = 0, 8, 9, 10, 11, 12
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


@total_ordering
class Card:
    """One card; the 54 cards are made once, so that equal cards are the same object.

    The code, 13·suit + rank, sorts the pack: clubs, diamonds, hearts, spades, two to ace, then the jokers.

    >>> Card("10S") is Card("TS"), Card("JK1").joker, sorted([Card("2S"), Card("KC")])
    (True, True, [Card('KC'), Card('2S')])
    """

    __slots__ = ("code", "joker", "rank", "suit", "token")
    code: int
    joker: bool
    rank: int | None
    suit: int | None
    token: str

    def __new__(cls, token: str) -> Card:
        return parse_card(token)

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.token,)

    def __hash__(self) -> int:
        return self.code  # not the hash of a string: the order of a set of cards is the same in every process

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __repr__(self) -> str:
        return f"Card({self.token!r})"

    def __str__(self) -> str:
        return self.token

    def display(self, words: Words) -> str:
        """The card as people read it: ``Q♥`` in English, ``Д♥`` in Russian."""
        if self.rank is None or self.suit is None:
            return words.text("card.joker", n=self.code - 51)
        return words.text(f"rank.{RANKS[self.rank]}") + GLYPHS[self.suit]

    def spoken(self, words: Words) -> str:
        """The card as a screen reader says it.

        >>> Card("QH").spoken(Words("en")), Card("QH").spoken(Words("ru"))
        ('queen of hearts', 'дама червей')
        """
        if self.rank is None or self.suit is None:
            return words.text(f"card.spoken.joker.{self.code - 51}")
        return words.text("card.spoken", rank=words.text(f"rank.name.{RANKS[self.rank]}"), suit=words.text(f"suit.of.{self.suit}"))


def _make(code: int) -> Card:
    card = object.__new__(Card)
    card.code = code
    card.joker = code >= 52
    card.suit, card.rank = divmod(code, 13) if code < 52 else (None, None)
    card.token = f"JK{code - 51}" if card.rank is None or card.suit is None else RANKS[card.rank] + SUITS[card.suit]
    return card


CARDS: Final = tuple(_make(code) for code in range(54))
PACK_52: Final = CARDS[:52]
PACK_54: Final = CARDS
JOKERS: Final = CARDS[52:]
KING_OF_HEARTS: Final = CARDS[13 * HEARTS + KING]
_BY_TOKEN: Final = {card.token: card for card in CARDS} | {f"10{suit}": CARDS[13 * i + TEN] for i, suit in enumerate(SUITS)}


def parse_card(text: str) -> Card:
    """The card named by a token such as ``"KH"``, ``"10S"``, ``"TS"`` or ``"JK1"``.

    Raises BadCard for anything else.

    >>> parse_card("KH")
    Card('KH')
    """
    card = _BY_TOKEN.get(text.upper()) if isinstance(text, str) else None
    if card is None:
        raise errors.BadCard("error.card", text=repr(text))
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named one after another; ``Jk`` is the first joker not yet named.

    Raises BadCard for an unknown name, a card named twice and a third joker.

    >>> parse_cards("Jk AS Jk")
    (Card('JK1'), Card('AS'), Card('JK2'))
    """
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        if word.upper() == "JK":
            spare = [joker for joker in JOKERS if joker not in cards]
            if not spare:
                raise errors.BadCard("error.third_joker")
            cards.append(spare[0])
        else:
            cards.append(parse_card(word))
    return distinct(cards)


def distinct(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The same cards, once it is sure that no card stands twice among them; raises BadCard otherwise.

    >>> len(distinct(parse_cards("AS KD")))
    2
    """
    cards = tuple(cards)
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise errors.BadCard("error.card_twice", card=twice)
    return cards
