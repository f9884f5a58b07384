"""Cards dealt into zones when some of them may not lie everywhere: counted, written out, and drawn alike.

Cards that may lie in the same zones are alike, and so are zones that may hold the same cards. With r_k cards of kind k left, a zone of m
places takes x_k of each kind in prod C(r_k, x_k) ways; the sum over all x with sum m, times the ways of the zones to come, is a dynamic
programme over what is left.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations, product
from math import comb, prod
from typing import Final

from cardlab.cards import Card

HALF: Final = 1 << 32
Rng = Callable[[int], int]
Dealt = dict[str, tuple[Card, ...]]
Numbers = tuple[int, ...]
Factor = Callable[[Numbers], int]  # the weight of a zone by how many of each kind it takes


class Fill:
    """All ways to deal some cards into zones, every place taken once; ``kinds`` are cards with the zones in which they may lie.

    With ``factors`` each way counts as much as the product of its zones' factors, for ``count`` alone.

    >>> from cardlab.cards import parse_cards
    >>> spades, hearts = parse_cards("2S 3S"), parse_cards("2H 3H 4H")
    >>> fill = Fill({"his": 2, "stock": 3}, [(spades, ["stock"]), (hearts, ["his", "stock"])])
    >>> fill.count, fill.where(hearts[0])["his"]
    (3, Fraction(2, 3))
    """

    def __init__(
        self, zones: Mapping[str, int], kinds: Iterable[tuple[Sequence[Card], Collection[str]]], factors: Mapping[str, Factor] | None = None
    ) -> None:
        self._factors = factors or {}
        self.kinds = [(tuple(cards), frozenset(allowed)) for cards, allowed in kinds if cards or factors]
        alike: dict[tuple[str, Numbers], list[tuple[str, int]]] = {}
        for zone, size in zones.items():
            holds = tuple(k for k, (_, allowed) in enumerate(self.kinds) if zone in allowed)
            if size:
                alike.setdefault((zone if zone in self._factors else "", holds), []).append((zone, size))
        groups = [(sum(size for _, size in zones), holds, tuple(zones)) for (_, holds), zones in alike.items()]
        self.groups = sorted(groups, key=lambda group: group[0])  # the largest last: it takes what is left
        self._ways: dict[tuple[int, Numbers], int] = {}
        self._places: dict[int, dict[str, Fraction]] = {}
        self._lacking: dict[tuple[int, int, Numbers], Fraction] = {}
        self._steps: dict[tuple[int, Numbers], tuple[list[Numbers], list[int]]] = {}
        self._start = tuple(len(cards) for cards, _ in self.kinds)
        self.count = self._count(0, self._start) * prod(_splits(zones) for _, _, zones in self.groups)

    @cached_property
    def kind_of(self) -> dict[Card, int]:
        """The kind of each card that is dealt: cards of one kind lie in each zone with the same chance."""
        return {card: k for k, (cards, _) in enumerate(self.kinds) for card in cards}

    def has(self, card: Card) -> bool:
        """Whether a card is among those dealt."""
        return card in self.kind_of

    def _count(self, at: int, left: Numbers) -> int:
        """The ways to fill the groups of zones from the one numbered ``at``, with so many cards of each kind left."""
        if at == len(self.groups):
            return not any(left)
        known = self._ways.get((at, left))
        if known is None:
            known = self._ways[at, left] = sum(ways for _, ways in self._takes(at, left))
        return known

    def _takes(self, at: int, left: Numbers) -> Iterator[tuple[Numbers, int]]:
        """How many of each kind a group of zones may take, and in how many ways all can go on from there."""
        size, holds, zones = self.groups[at]
        factor = self._factors.get(zones[0][0])
        for taken in _compositions(size, [left[k] if k in holds else 0 for k in range(len(left))]):
            after = self._count(at + 1, tuple(n - x for n, x in zip(left, taken, strict=True)))
            if after and factor:
                after *= factor(taken)
            if after:
                yield taken, after * prod(map(comb, left, taken))

    def where(self, card: Card) -> dict[str, Fraction]:
        """The chance of each zone to hold a card: the ways in which the others can be dealt around it; reckoned once for cards alike."""
        if len(self.kinds) == 1:
            return {zone: Fraction(size, self._start[0]) for _, _, zones in self.groups for zone, size in zones}
        k = self.kind_of[card]
        if k not in self._places:
            self._places[k] = self._where(k)
        return self._places[k]

    def _where(self, k: int) -> dict[str, Fraction]:
        others = [(cards[1:] if n == k else cards, allowed) for n, (cards, allowed) in enumerate(self.kinds)]
        sizes = {zone: size for _, _, zones in self.groups for zone, size in zones}
        alike: dict[tuple[int, int], int] = {}  # zones of one group and size have as many ways
        fits = {}
        for at, (_, holds, zones) in enumerate(self.groups):
            for zone, size in zones if k in holds else ():
                if (at, size) not in alike:
                    alike[at, size] = Fill({**sizes, zone: size - 1}, others).count
                fits[zone] = alike[at, size]
        return {zone: Fraction(count, self.count) for zone, count in fits.items() if count}

    def lacks(self, zone: str, cards: Collection[Card]) -> Fraction:
        """The chance that a zone holds none of some cards: the ways in which they all lie elsewhere; reckoned once for zones alike."""
        if zone not in self._sizes:
            return Fraction(1)
        banned = [0] * len(self.kinds)
        for card in cards:
            if card in self.kind_of:
                banned[self.kind_of[card]] += 1
        key = (*self._sizes[zone], tuple(banned))
        if key not in self._lacking:
            kinds = []
            for (known, allowed), n in zip(self.kinds, banned, strict=True):
                kinds += [(known[n:], allowed), (known[:n], allowed - {zone})]
            whole = {name: size for name, (_, size) in self._sizes.items()}
            self._lacking[key] = Fraction(Fill(whole, kinds, self._factors).count, self.count)
        return self._lacking[key]

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, int]]:
        """The group and the size of each zone."""
        return {name: (at, size) for at, (_, _, alike) in enumerate(self.groups) for name, size in alike}

    def sample(self, rng: Rng) -> Dealt:
        """One way, each alike; ``cardlab.fast.fills`` draws the same ways with the same numbers."""
        piles = [_shuffled(cards, rng) for cards, _ in self.kinds]
        left, dealt = self._start, Dealt()
        for at, (_, _, zones) in enumerate(self.groups):
            choices, until = self._choices(at, left)
            taken = choices[picked(until, rng)]
            cards = [pile.pop() for pile, n in zip(piles, taken, strict=True) for _ in range(n)]
            if len(zones) > 1:
                cards = _shuffled(cards, rng)
            for zone, size in zones:
                dealt[zone], cards = tuple(cards[:size]), cards[size:]
            left = tuple(n - x for n, x in zip(left, taken, strict=True))
        return dealt

    def _choices(self, at: int, left: Numbers) -> tuple[list[Numbers], list[int]]:
        """What a group of zones may take, and the thresholds of these choices."""
        if (at, left) not in self._steps:
            taken, ways = zip(*self._takes(at, left), strict=True)
            self._steps[at, left] = list(taken), thresholds(ways)
        return self._steps[at, left]

    def nodes(self, most: int) -> list[list[tuple[int, Numbers, int]]] | None:
        """What may be left when a group comes to its turn: for each the thresholds, what is taken and the node after; ``None`` for many.

        After the last group it is -1.
        """
        numbers = {(0, self._start): 0}
        found: list[list[tuple[int, Numbers, int]]] = []
        ahead = [(0, self._start)] if self.groups else []
        while len(found) < len(ahead):
            at, left = ahead[len(found)]
            choices = []
            for taken, until in zip(*self._choices(at, left), strict=True):
                after = at + 1, tuple(n - x for n, x in zip(left, taken, strict=True))
                if after not in numbers and after[0] < len(self.groups):
                    numbers[after] = len(ahead)
                    ahead.append(after)
                choices.append((until, taken, numbers.get(after, -1)))
            found.append(choices)
            if len(ahead) > most:
                return None
        return found

    def each(self) -> Iterator[Dealt]:
        """All ways one after another."""
        return self._each(0, tuple(cards for cards, _ in self.kinds))

    def _each(self, at: int, left: tuple[tuple[Card, ...], ...]) -> Iterator[Dealt]:
        if at == len(self.groups):
            yield {}
            return
        zones = self.groups[at][2]
        for taken, _ in self._takes(at, tuple(map(len, left))):
            for picked in product(*map(combinations, left, taken)):
                rest = tuple(tuple(c for c in cards if c not in some) for cards, some in zip(left, picked, strict=True))
                together = tuple(card for some in picked for card in some)
                for split in _split(together, zones):
                    for others in self._each(at + 1, rest):
                        yield {**split, **others}


def _compositions(total: int, most: Sequence[int]) -> Iterator[Numbers]:
    """All ways to write a total as a sum of numbers, each with its own limit."""
    if not most:
        if total == 0:
            yield ()
        return
    rest = sum(most[1:])
    for first in range(max(0, total - rest), min(total, most[0]) + 1):
        for others in _compositions(total - first, most[1:]):
            yield first, *others


def _splits(zones: Sequence[tuple[str, int]]) -> int:
    """In how many ways cards can be parted among zones that may hold the same."""
    total, ways = 0, 1
    for _, size in zones:
        total += size
        ways *= comb(total, size)
    return ways


def _split(cards: tuple[Card, ...], zones: Sequence[tuple[str, int]]) -> Iterator[Dealt]:
    if len(zones) == 1:
        yield {zones[0][0]: cards}
        return
    (zone, size), *others = zones
    for some in combinations(cards, size):
        for rest in _split(tuple(card for card in cards if card not in some), others):
            yield {zone: some, **rest}


def thresholds(weights: Iterable[int]) -> list[int]:
    """Where the shares of some choices end, as numbers of 64 bits: no share is off by more than 2**-64.

    >>> thresholds([1, 3]) == [2**62, 2**64]
    True
    """
    until = list(accumulate(weights))
    return [(end << 64) // until[-1] for end in until]


def picked(until: Sequence[int], rng: Rng) -> int:
    """The choice that two numbers below 2**32 draw; a single one needs none.

    >>> picked(thresholds([1, 3]), lambda m: m // 4 - 1), picked(thresholds([1, 3]), lambda m: m // 4)
    (0, 1)
    """
    return bisect(until, rng(HALF) << 32 | rng(HALF)) if len(until) > 1 else 0


def _shuffled(cards: Sequence[Card], rng: Rng) -> list[Card]:
    """The cards in an order drawn by Fisher and Yates's shuffle."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = rng(i + 1)
        order[i], order[j] = order[j], order[i]
    return order
