"""Random numbers by name: (seed, game index, deal, purpose, n) is one number for ever.

Splitmix64's finaliser (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) over a counter: no state is
carried, so that neither undo, nor the order of asking, nor the split of the work can change a number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

MASK: Final = 2**64 - 1
GOLDEN: Final = 0x9E3779B97F4A7C15
PER_WORD: Final = 6  # numbers of a deck taken from one word

DECK, LOTS, BLIND, RESHUFFLE = range(4)
CHOICES: Final = 8  # + seat
ESTIMATES: Final = 32  # + k


def mix(z: int) -> int:
    """The finaliser of SplitMix64 on 64 bits.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@lru_cache(maxsize=4096)
def deal_key(seed: int, index: int, deal: int) -> int:
    """The key from which all numbers of one deal are made."""
    return mix((mix((mix(seed) + index) & MASK) + deal) & MASK)


def word(key: int, purpose: int, n: int) -> int:
    """The n-th 64-bit word of a purpose in a deal."""
    return mix((key + ((purpose << 32) + n + 1) * GOLDEN) & MASK)


def below(w: int, m: int) -> int:
    """A number from 0 to m - 1 out of a word: multiply-high on its upper half (Lemire 2019).

    >>> below(MASK, 52), below(0, 52)
    (51, 0)
    """
    return ((w >> 32) * m) >> 32


@lru_cache(maxsize=256)
def shuffled(key: int, purpose: int, size: int) -> tuple[int, ...]:
    """A permutation of range(size) by the shuffle of Fisher and Yates, six numbers from a word.

    >>> sorted(shuffled(deal_key(7, 0, 0), DECK, 52)) == list(range(52))
    True
    """
    order = list(range(size))
    f = 0
    for i in range(size):
        if i % PER_WORD == 0:
            f = word(key, purpose, i // PER_WORD) >> 6
        product = f * (size - i)
        f = product & (2**58 - 1)
        j = i + (product >> 58)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
