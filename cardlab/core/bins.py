"""The bins in which whole numbers of any size are counted: each up to 127 has its own, beyond there are 64 to every doubling."""

from __future__ import annotations

from typing import Final

FINE: Final = 7  # bits that are told apart
HALF: Final = 2 ** (FINE - 1)


def bin_of(number: int) -> int:
    """The bin of a whole number; bins sort as their numbers do.

    >>> bin_of(0), bin_of(127), bin_of(128), bin_of(129), bin_of(-128)
    (0, 127, 128, 128, -128)
    """
    size = abs(number)
    coarse = max(size.bit_length() - FINE, 0)
    at = HALF * coarse + (size >> coarse)
    return at if number >= 0 else -at


def bin_ends(at: int) -> tuple[int, int]:
    """The least and the greatest number of a bin.

    >>> bin_ends(127), bin_ends(128), bin_ends(-128)
    ((127, 127), (128, 129), (-129, -128))
    """
    if at < 0:
        least, greatest = bin_ends(-at)
        return -greatest, -least
    coarse = max(at // HALF - 1, 0)
    top = at - HALF * coarse
    return top << coarse, ((top + 1) << coarse) - 1
