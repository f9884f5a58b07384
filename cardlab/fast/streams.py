"""The random numbers of ``cardlab.core.streams``, compiled: the same number for the same name, bit for bit.

All of it is in ``np.uint64``: a plain whole number beside one would make Numba take them for signed numbers or fractions.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardlab.core import streams
from cardlab.fast.jit import compiled, lean

U = np.uint64
GOLDEN: Final = U(streams.GOLDEN)
PER_WORD: Final = streams.PER_WORD
FRACTION: Final = U(2**58 - 1)


@compiled
def mix(z: Any) -> Any:
    """The finaliser of SplitMix64."""
    z = U(z)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


@compiled
def deal_key(seed: Any, index: Any, deal: Any) -> Any:
    """The key from which all numbers of one deal are made."""
    return mix(mix(mix(seed) + U(index)) + U(deal))


@compiled
def word(key: Any, purpose: Any, n: Any) -> Any:
    """The n-th word of a purpose in a deal."""
    return mix(U(key) + ((U(purpose) << U(32)) + U(n) + U(1)) * GOLDEN)


@compiled
def below(w: Any, m: Any) -> Any:
    """A number from 0 to m - 1 out of a word."""
    return np.int64(((U(w) >> U(32)) * U(m)) >> U(32))


@lean
def shuffle_on(order: Any, key: Any, purpose: Any, size: Any, first: Any, places: Any) -> None:
    """Goes on with a shuffle from its place ``first``, where a word begins, until so many places are ready."""
    whole = max(first, places - places % PER_WORD)
    for begin in range(first, whole, PER_WORD):
        _swap(order, word(key, purpose, begin // PER_WORD), size, begin, PER_WORD)
    if whole < places:
        _swap(order, word(key, purpose, whole // PER_WORD), size, whole, places - whole)


@lean
def _swap(order: Any, w: Any, size: Any, begin: Any, n: Any) -> None:
    """So many swaps by the numbers of one word."""
    f = w >> U(6)
    for k in range(n):  # a fixed number for a whole word, so that the loop is unrolled
        i = U(begin) + U(k)  # where a signed place would be looked at for what it means from the end
        product = f * (U(size) - i)
        f = product & FRACTION
        j = i + (product >> U(58))
        order[i], order[j] = order[j], order[i]


@lean
def shuffled(order: Any, key: Any, purpose: Any, size: Any, places: Any) -> None:
    """Fills a ``uint8`` array with the permutation of range(size), of which the first ``places`` are wanted; the others may differ."""
    for k in range(size):  # a slice would cost as much as the shuffle
        order[k] = k
    shuffle_on(order, key, purpose, size, 0, places)
