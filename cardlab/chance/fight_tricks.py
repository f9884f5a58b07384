"""The tricks of Fight for the Lead with all cards open (FL-9 to FL-12).

A position is a tuple of whole numbers: the hands as sets of cards (one bit a card, by ``Card.code``), and the trick that lies on the
table. Two things are found of it: with which chances who takes how many tricks when all play any card alike that they may, and how many
tricks a player can force against all the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardlab.core.places import mask_of
from cardlab.games.fight_state import State

SUIT: Final = tuple(0x1FFF << 13 * suit for suit in range(4))
SHARE: Final = 12  # weight of a choice among 1, 2, 3 or 4 cards: 12 parts of it
Won = tuple[int, ...]  # tricks by seat at the table


class TooMany(Exception):
    """There are more cases than can be gone through."""


@dataclass(frozen=True, slots=True)
class Position:
    """The hands clockwise, who plays next, and the trick: the suit led (or -1), who has the best card of it, that card, cards played."""

    hands: tuple[int, ...]
    mover: int
    led: int = -1
    best: int = 0
    high: int = 0
    played: int = 0

    @classmethod
    def of(cls, state: State) -> Position:
        """The position of a state in the phase of the tricks."""
        seats = state.staying
        assert state.mover is not None
        hands = tuple(mask_of(state.hands[seat]) for seat in seats)
        if not state.trick:
            return cls(hands, seats.index(state.mover))
        led = state.trick[0][1].suit
        assert led is not None
        by, card = max((played for played in state.trick if played[1].suit == led), key=lambda played: played[1])
        return cls(hands, seats.index(state.mover), led, seats.index(by), card.code, len(state.trick))

    @property
    def legal(self) -> int:
        """The cards that may be played: those of the suit led, or all."""
        hand = self.hands[self.mover]
        return (hand & SUIT[self.led] if self.led >= 0 else 0) or hand

    def after(self, code: int) -> tuple[Position, int]:
        """The position after a card, and who has taken a trick with it, or -1."""
        mover, led = self.mover, self.led if self.led >= 0 else code // 13
        hands = (*self.hands[:mover], self.hands[mover] & ~(1 << code), *self.hands[mover + 1 :])
        best, high = self.best, self.high
        if self.led < 0 or (code // 13 == led and code > high):
            best, high = mover, code
        if self.played + 1 == len(hands):
            return Position(hands, best), best
        return Position(hands, (mover + 1) % len(hands), led, best, high, self.played + 1), -1


def codes(cards: int) -> list[int]:
    """The cards of a set, the lowest first.

    >>> codes(0b1011)
    [0, 1, 3]
    """
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found


class Random:
    """Everybody plays any card alike that he may; ``cases`` positions are gone through at most, then TooMany is raised."""

    def __init__(self, cases: int) -> None:
        self.cases = cases
        self._known: dict[Position, dict[Won, int]] = {}

    def won(self, position: Position) -> dict[Won, int]:
        """Who takes how many of the tricks to come: weights that sum to 12 ** cards left."""
        known = self._known.get(position)
        if known is not None:
            return known
        self.cases -= 1
        if self.cases < 0:
            raise TooMany
        if not any(position.hands):
            return {(0,) * len(position.hands): 1}
        playable = codes(position.legal)
        share = SHARE // len(playable)
        found: dict[Won, int] = {}
        for code in playable:
            after, taker = position.after(code)
            for won, weight in self.won(after).items():
                more = won if taker < 0 else (*won[:taker], won[taker] + 1, *won[taker + 1 :])
                found[more] = found.get(more, 0) + weight * share
        self._known[position] = found
        return found


class Forced:
    """How many tricks a player can force when all the others play together against him and all cards are open."""

    def __init__(self, me: int, cases: int | None = None) -> None:
        self.me = me
        self.cases = cases
        self._known: dict[tuple[Position, int], bool] = {}

    def tricks(self, position: Position) -> int:
        """The number of the tricks to come that he takes whatever the others do."""
        most = _tricks_left(position)
        return next(n for n in range(most, -1, -1) if self.takes(position, n))

    def takes(self, position: Position, n: int) -> bool:
        """Whether he can take so many of the tricks to come, or more."""
        if n <= 0:
            return True
        if n > _tricks_left(position):
            return False
        known = self._known.get((position, n))
        if known is None:
            if self.cases is not None:
                self.cases -= 1
                if self.cases < 0:
                    raise TooMany
            known = self._known[position, n] = self._tried(position, n)
        return known

    def _tried(self, position: Position, n: int) -> bool:
        mine = position.mover == self.me
        for code in _different(position):
            after, taker = position.after(code)
            if self.takes(after, n - (taker == self.me)) == mine:
                return mine
        return not mine


def _tricks_left(position: Position) -> int:
    """The tricks not yet taken, the one on the table included."""
    return max(hand.bit_count() for hand in position.hands) if not position.played else position.hands[position.mover].bit_count()


def _different(position: Position) -> list[int]:
    """The cards worth trying, the highest first: of cards between which nobody else holds one, one is as good as another."""
    others = 0
    for k, hand in enumerate(position.hands):
        if k != position.mover:
            others |= hand
    if position.led >= 0:
        others |= 1 << position.high
    found: list[int] = []
    for code in reversed(codes(position.legal)):
        if found and found[-1] // 13 == code // 13 and not others >> code & (1 << (found[-1] - code)) - 1:
            continue
        found.append(code)
    return found
