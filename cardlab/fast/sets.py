"""Sets of cards as the compiled twins have them: words of 64 bits, a bit for each code; a card is a set of one."""

from __future__ import annotations

from typing import Any

from cardlab.fast.jit import lean, ones
from cardlab.fast.streams import U

NONE, ONE = U(0), U(1)


@lean
def lowest(cards: Any) -> Any:
    """The first card by code; of no cards none."""
    return cards & (~cards + ONE)


@lean
def code(card: Any) -> Any:
    """The code of a card."""
    return ones(card - ONE)
