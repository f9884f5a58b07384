"""An immutable multiset of cards: what lies somewhere, without an order to spy on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from cardlab.cards.card import Card

_CODE = attrgetter("code")


class Bag:
    """Cards without an order, sorted for every eye alike.

    >>> from cardlab.cards import parse_cards
    >>> bag = Bag(parse_cards("KH 2C AS"))
    >>> bag.without(parse_cards("2C")), len(bag), Card("AS") in bag
    (Bag('KH AS'), 3, True)
    """

    __slots__ = ("cards",)
    cards: tuple[Card, ...]

    def __init__(self, cards: Iterable[Card] | str = ()) -> None:
        if isinstance(cards, str):
            cards = tuple(Card(word) for word in cards.split())
        object.__setattr__(self, "cards", tuple(sorted(cards, key=_CODE)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Bag never changes: {name}")

    def __reduce__(self) -> tuple[type[Bag], tuple[tuple[Card, ...]]]:
        return Bag, (self.cards,)

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self.cards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __repr__(self) -> str:
        return f"Bag({' '.join(map(str, self.cards))!r})"

    def count(self, card: Card) -> int:
        """How many times a card lies in the bag."""
        return self.cards.count(card)

    def with_(self, cards: Iterable[Card]) -> Bag:
        """The bag with more cards in it."""
        return Bag((*self.cards, *cards))

    def without(self, cards: Iterable[Card]) -> Bag:
        """The bag without some of its cards; raises KeyError when one is not there."""
        left, missing = list(self.cards), []
        for card in cards:
            try:
                left.remove(card)
            except ValueError:
                missing.append(str(card))
        if missing:
            raise KeyError(" ".join(missing))
        bag = object.__new__(Bag)  # sorted as it is
        object.__setattr__(bag, "cards", tuple(left))
        return bag
