"""Demonstrations of chance: numbers that grow game by game beside what is exact, without a picture.

>>> shown = demo("first_match", players=3, seed=7).more(1000)
>>> shown.games, float(shown.exact[0]), round(shown.numbers[0].mean, 3)
(1000, 0.5611524609843938, 0.532)
"""

from __future__ import annotations

from typing import Any, Final

from cardlab.core.errors import BadRequest, quoted
from cardlab.demos.bank import Bank
from cardlab.demos.demo import Choice, Demo, Odd, Point, Reading
from cardlab.demos.means import FirstMatch, MeanTurn
from cardlab.demos.seats import Seats
from cardlab.demos.shapes import Hands, Shape, TurnLengths
from cardlab.demos.titles import Titles

__all__ = ["DEMOS", "Bank", "Choice", "Demo", "Odd", "Point", "Reading", "Seats", "Shape", "Titles", "demo"]

DEMOS: Final[dict[str, type[Demo]]] = {kind.name: kind for kind in (FirstMatch, MeanTurn, TurnLengths, Hands, Titles, Bank, Seats)}


def demo(name: str, seed: int = 1, **options: Any) -> Demo:
    """A demonstration by name, before its first game; raises BadRequest for what there is not."""
    if name not in DEMOS:
        raise BadRequest("demo.error.name", name=quoted(name), names=", ".join(DEMOS))
    return DEMOS[name](seed, **options)
