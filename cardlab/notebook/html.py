"""What the notebook alone shows: how far the slider has come, and the keys."""

from __future__ import annotations

from html import escape

from cardlab.desk import Desk
from cardlab.desk.keys import key_list
from cardlab.words import Words


def played(desk: Desk) -> str:
    """The line of the slider, filled up to the moment; it lies over the ticks, and brings the name that the handle lacks."""
    name = escape(desk.words.text("screen.scrub"))
    return f'<u data-handle="{name}"><u style="width:{100 * desk.at / max(len(desk), 1):.2f}%"></u></u>'


def keys(words: Words) -> str:
    """The keys, each with what it does."""
    shown = "".join(f" <kbd>{escape(key)}</kbd> {escape(does)}" for key, does in key_list(words))
    return f'<p class="keys cl-quiet">{escape(words.text("stepper.keys"))}{shown}</p>'


def quiet(said: str) -> str:
    """A line that stands back."""
    return f'<p class="cl-quiet">{escape(said)}</p>'
