"""The ticks of the scrub slider: one where a phase begins, with its name where there is room."""

from __future__ import annotations

from typing import Any, Final

from cardlab.desk import Desk

LETTER: Final = 7  # pixels
BESIDE: Final = {True: 450, False: 70}  # pixels beside the slider, where a panel stands at its right and where none does
MOST: Final = 80  # more ticks than these would be a grey bar


def marks(desk: Desk, width: int) -> list[dict[str, Any]]:
    """Where phases begin along the whole game so far, in a window so many pixels wide; deals get their names first."""
    words, line = desk.words, desk.session.line
    room = width - BESIDE[width >= 900]
    step = room / max(len(line) - 1, 1)
    ticks = desk.ticks()
    deals = {line[n].state.deal: n for n, _ in reversed(ticks)}
    firsts = {n: words.text("stepper.deal", n=deal + 1) for deal, n in deals.items()} if len(deals) > 1 else {}
    named: dict[int, str] = {}
    taken: list[tuple[float, float]] = []
    for n, name in (*sorted(firsts.items()), *ticks):
        wide = len(name) * LETTER
        left = n * step - (wide / 2 if n else 0)  # the first stands at the edge, the others below the middle of their name
        free = all(left > end or left + wide < start for start, end in taken)
        if free and n not in named and left + wide <= room + 20:
            named[n] = name
            taken.append((left - LETTER, left + wide + LETTER))
    shown = [n for n, _ in ticks] if len(ticks) <= MOST else sorted({*firsts, *named})
    return [{"value": n, "label": named.get(n, "")} for n in shown]
