"""What the computer players do in Poker Marshal, compiled: the same moves for the same numbers as in ``cardlab.players``.

``word`` is the random number of the decision, ``house`` a record of type ``HOUSE``, ``by`` a book. Sets of cards are as in
``marshal_table``. Moves are sorted as the engine sorts them: "enough" before cards, asking before showing, cards laid before "pass".
"""

from __future__ import annotations

from typing import Any, Final

from cardlab.fast.hands import KEYS, first_key
from cardlab.fast.jit import lean, ones
from cardlab.fast.marshal_hands import (
    PLAIN,
    key_of,
    least,
    nth,
    spare,
    value,
    worth,
)
from cardlab.fast.sets import NONE, code, lowest
from cardlab.fast.streams import U, below

POLICIES: Final = ("still", "random", "sensible")
STILL, RANDOM, SENSIBLE = range(len(POLICIES))
HALF: Final = U(32)  # of a word's bits: a decision's second number is made of the lower half
NOBODY: Final = -1
WORTH_KEEPING: Final = {"incomplete": "KS TD 2C", "casino": "KS QD 7C"}  # by a sensible Bandit


@lean
def policy_of(house: Any, seat: Any) -> Any:
    return house.policies >> 2 * seat & 3


# PM-4 to PM-6: the swaps


@lean
def lays_or_not(house: Any, by: Any, seat: Any, word: Any, hand: Any) -> Any:
    """The card laid for a swap, or NONE for enough."""
    plain, policy = hand & PLAIN, policy_of(house, seat)
    if seat == house.quiet or policy == STILL:
        return NONE
    if policy == SENSIBLE:
        return least(spare(by, hand))
    k = below(word, ones(plain) + 1)
    return nth(plain, k - 1) if k else NONE


@lean
def takes(house: Any, seat: Any, word: Any, most: Any) -> Any:
    """How many cards the swapper names under ``take_then_give``."""
    policy = policy_of(house, seat)
    if policy == RANDOM:
        return below(word, most + 1)
    return most if policy == SENSIBLE else 0


@lean
def gives(house: Any, by: Any, seat: Any, word: Any, hand: Any, asked: Any) -> Any:
    """The card given after taking, or laid beside the card asked for."""
    plain = hand & PLAIN
    if policy_of(house, seat) == SENSIBLE:
        card = least(spare(by, hand | asked) & hand)
        return card if card else lowest(plain)
    return nth(plain, below(word, ones(plain)))


# PM-7, PM-8: the offers


@lean
def wish(by: Any, hand: Any, refused: Any) -> Any:
    """The card that would make the Storekeeper's hand best, of equal ones the last; NONE if none makes it better."""
    n = ones(hand)
    key, found = first_key(n) + key_of(hand), NONE
    best = value(by, hand, key, n) + 1
    left = PLAIN & ~hand & ~refused
    while left:
        card = lowest(left)
        here = value(by, hand | card, key + KEYS[U(code(card))], n + 1)
        if here >= best:
            best, found = here, card
        left ^= card
    return found


@lean
def asks(house: Any, by: Any, seat: Any, word: Any, hand: Any, refused: Any) -> Any:
    """The card asked for and the card shown: one of them, or neither for enough."""
    plain, policy = hand & PLAIN, policy_of(house, seat)
    if plain == NONE or seat == house.quiet or policy == STILL:
        return NONE, NONE
    if policy == SENSIBLE:
        return wish(by, hand, refused), NONE
    others = ones(PLAIN & ~hand)
    k = below(word, 1 + others + ones(plain) * house.may_show)
    if k == 0:
        return NONE, NONE
    return (nth(PLAIN & ~hand, k - 1), NONE) if k <= others else (NONE, nth(plain, k - 1 - others))


@lean
def accepts(house: Any, by: Any, seat: Any, word: Any, hand: Any, asked: Any) -> Any:
    """The card asked for, if it is given; else NONE."""
    held, policy = hand & asked, policy_of(house, seat)
    if held == NONE:
        return NONE
    if house.of:
        return held * U(below(word, house.of) < house.gives)
    if policy == SENSIBLE:
        return held & spare(by, hand)
    return held * U(policy == RANDOM and below(word, 2) == 1)


@lean
def lays_or_passes(house: Any, by: Any, seat: Any, word: Any, hand: Any, shown: Any) -> Any:
    """The card laid for the one shown, or NONE."""
    plain, policy = hand & PLAIN, policy_of(house, seat)
    n = ones(plain)
    if n == 0:
        return NONE
    if house.of:
        return nth(plain, below(word << HALF, n)) if below(word, house.of) < house.gives else NONE
    if policy == SENSIBLE:
        card = least(spare(by, hand))
        if card == NONE or card == lowest(plain):
            return NONE
        return card if worth(by, hand ^ card | shown) > worth(by, hand) else NONE
    if policy == STILL:
        return NONE
    k = below(word, n + 1)
    return nth(plain, k) if k < n else NONE


@lean
def picks(house: Any, by: Any, seat: Any, word: Any, hand: Any, shown: Any, seats: Any) -> Any:
    """The seat picked of those who laid a card, a bit each, or NOBODY."""
    policy = policy_of(house, seat)
    k = below(word, 1 + ones(seats)) if policy == RANDOM else int(policy == SENSIBLE and spare(by, hand) & shown != NONE)
    return code(nth(seats, k - 1)) if k else NOBODY


# PM-11: the Bandit


@lean
def redraws(house: Any, by: Any, seat: Any, word: Any, hand: Any) -> Any:
    """Whether the Bandit exchanges his cards."""
    policy = policy_of(house, seat)
    if policy == RANDOM:
        return below(word, 2) == 1
    return policy == SENSIBLE and worth(by, hand) < house.worth_keeping
