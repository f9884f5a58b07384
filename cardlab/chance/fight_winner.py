"""Who takes the trick on the table when all play any card alike that they may, exact from a view.

A hidden hand with n cards of the suit led, k of them above the best so far, beats it with chance k / n. The hidden hands are dealt by
``Fill``, where each weighs its own chance: the sum over all deals is one dynamic programme. Seat j wins with card c when he plays it, with
chance 1 / n, and nobody plays a higher one; that is summed over c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardlab.cards import Card
from cardlab.chance.fill import Factor, Fill, Numbers
from cardlab.chance.worlds_fight import Table
from cardlab.core.events import Seat
from cardlab.games.fight_view import View

PARTS: Final = 12  # a choice among 1, 2, 3 or 4 cards is a whole number of them
Part = Callable[[int, int, int], int]  # (the card itself, higher, lower) of the suit led -> twelfths


@dataclass(frozen=True)
class Trick:
    """A trick with at least one card: the suit led, the best card so far and who laid it, and who is still to play."""

    led: int
    best: Card
    by: Seat
    followers: tuple[Seat, ...]

    @classmethod
    def of(cls, view: View, card: Card | None = None) -> Trick:
        """The trick of a view, after the seat to act has played ``card``, if one is named."""
        assert view.now is not None
        mover = view.now.actor
        assert isinstance(mover, Seat)
        laid = (*view.trick, (mover, card)) if card is not None else view.trick
        led = laid[0][1].suit
        assert led is not None
        by, best = max((played for played in laid if played[1].suit == led), key=lambda played: played[1])
        done = {seat for seat, _ in laid}
        return cls(led, best, by, tuple(seat for seat in view.game.clockwise(mover, view.staying) if seat not in done))


def winners(table: Table, trick: Trick) -> dict[Seat, Fraction]:
    """The chance of each seat to take the trick; the stock must not hold turned cards again (FL-7)."""
    found = {trick.by: _chance(table, trick, trick.best, None)}
    for seat in trick.followers:
        candidates = _may_hold(table, seat)
        higher = [card for card in candidates if card.suit == trick.led and card > trick.best]
        found[seat] = sum((_chance(table, trick, card, seat) for card in higher), Fraction(0))
    return found


def _may_hold(table: Table, seat: Seat) -> Iterable[Card]:
    if table.known(seat):
        return table.view.places[f"hand {seat}"].sure
    return [card for cards, zones in table.kinds if f"hand {seat}" in zones for card in cards]


def _chance(table: Table, trick: Trick, card: Card, by: Seat | None) -> Fraction:
    """The chance that a card is played by a seat (or lies there already) and no higher one of its suit is."""
    parts = Fraction(1)
    factors: dict[str, Factor] = {}
    for seat in trick.followers:
        part = _plays if seat == by else _stays_below
        if table.known(seat):
            parts *= Fraction(part(*_counts(table.view.places[f"hand {seat}"].sure, trick.led, card)), PARTS)
        else:
            factors[f"hand {seat}"] = _factor(part)
    kinds = [(some, zones) for cards, zones in table.kinds for some in _parted(cards, trick.led, card)]
    ((sizes, _),) = table.zones.items()
    zones = dict(sizes)
    if not factors:
        return parts
    weighed = Fill(zones, kinds, factors).count
    return parts * Fraction(weighed, Fill(zones, table.kinds).count * PARTS ** len(factors))


def _plays(same: int, higher: int, lower: int) -> int:
    return same * PARTS // (same + higher + lower) if same else 0


def _stays_below(same: int, higher: int, lower: int) -> int:
    n = same + higher + lower
    return lower * PARTS // n if n else PARTS


def _counts(hand: Iterable[Card], led: int, card: Card) -> tuple[int, int, int]:
    of_suit = [held for held in hand if held.suit == led]
    return sum(held is card for held in of_suit), sum(held > card for held in of_suit), sum(held < card for held in of_suit)


def _parted(cards: tuple[Card, ...], led: int, card: Card) -> tuple[tuple[Card, ...], ...]:
    """The card itself, higher and lower ones of the suit led, and all others."""
    of_suit = [held for held in cards if held.suit == led]
    others = tuple(held for held in cards if held.suit != led)
    higher = tuple(held for held in of_suit if held > card)
    lower = tuple(held for held in of_suit if held < card)
    return tuple(held for held in of_suit if held is card), higher, lower, others


def _factor(part: Part) -> Factor:
    def weight(taken: Numbers) -> int:
        same, higher, lower = (sum(taken[k::4]) for k in range(3))
        return part(same, higher, lower)

    return weight
