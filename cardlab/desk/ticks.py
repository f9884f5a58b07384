"""The ticks of a scrub slider: one where a phase begins, with its name, and how much the name matters where there is little room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardlab.desk.desk import Desk

DEAL: Final = 1_000_000  # more than any phase lasts


@dataclass(frozen=True, slots=True)
class Tick:
    """A step on the slider, its name, and the weight of the name: of two that would stand too close the heavier is shown."""

    step: int
    name: str
    weight: int


def ticks(desk: Desk) -> list[Tick]:
    """Where deals and phases begin along the whole line; the deals are named where there are several.

    A phase weighs as much as it is long, a deal more than any phase.

    >>> desk = Desk("suicide_king", players=2, seed=7)
    >>> [(tick.step, tick.name, tick.weight) for tick in ticks(desk.finish())][:2]
    [(0, 'lot', 1), (1, 'dealing', 1)]
    """
    line, phases = desk.session.line, desk.ticks()
    firsts = {line[n].state.deal: n for n, _ in reversed(phases)}
    deals = {n: desk.words.text("stepper.deal", n=deal + 1) for deal, n in firsts.items()} if len(firsts) > 1 else {}
    ends = [*(n for n, _ in phases[1:]), len(line)]
    return [Tick(n, deals[n], DEAL) if n in deals else Tick(n, name, end - n) for (n, name), end in zip(phases, ends, strict=True)]
