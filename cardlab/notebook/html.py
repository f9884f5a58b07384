"""What the notebook alone shows: the ticks under the slider, and the keys."""

from __future__ import annotations

from html import escape
from typing import Final

from cardlab.desk import Desk
from cardlab.desk.ticks import DEAL, ticks
from cardlab.words import Words

MOST: Final = 80  # more ticks than these would be a grey bar, and a heavy message
KEYS: Final = {"ArrowLeft": "undo", "ArrowRight": "step", " ": "play", "Home": "restart", "End": "finish"}


def tick_lines(desk: Desk) -> list[str]:
    """A tick and a name where a phase begins; of long games only the deals."""
    last, shown = max(len(desk), 1), ticks(desk)
    if len(shown) > MOST:
        shown = [tick for tick in shown if tick.weight == DEAL]
        shown = shown[:: -(-len(shown) // MOST)]
    drawn = [f'<u><u style="width:{100 * desk.at / last:.2f}%"></u></u>']
    for tick in shown:
        left = f'style="left:{100 * tick.step / last:.2f}%"'
        drawn.append(f"<i {left}></i>")
        drawn.append(f'<span class="name" {left} data-say="go-{tick.step}" data-weight="{tick.weight}">{escape(tick.name)}</span>')
    return [f'<div class="ticks" aria-hidden="true">{"".join(drawn)}</div>']


def here(desk: Desk) -> str:
    """The name of the tick at which one stands."""
    return f"go-{max(tick.step for tick in ticks(desk) if tick.step <= desk.at)}"


def keys(words: Words) -> str:
    """The keys, each with the button that it presses."""
    names = {"ArrowLeft": "←", "ArrowRight": "→", " ": words.text("stepper.key.space")}
    said = {name: words.text("stepper.finish" if name == "finish" else f"screen.{name}") for name in KEYS.values()}
    said["play"] += f" / {words.text('screen.pause')}"
    shown = "".join(f" <kbd>{escape(names.get(key, key))}</kbd> {escape(said[name])}" for key, name in KEYS.items())
    return f'<p class="keys cl-quiet">{escape(words.text("stepper.keys"))}{shown}</p>'


def quiet(said: str) -> str:
    """A line that stands back."""
    return f'<p class="cl-quiet">{escape(said)}</p>'
