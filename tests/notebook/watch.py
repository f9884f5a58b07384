"""Shared by the stepper's tests: every widget's state as one text, and clicks as a browser sends them."""

from __future__ import annotations

import json
import logging
import re
from html import unescape
from itertools import count
from typing import Any

import ipywidgets as w
from ipywidgets.widgets import widget as registry

from cardlab.notebook import Stepper
from cardlab.notebook.pane import Pane

clicks = count(1)


FIXED = ("_esm", "_css", "sprite")


class Watched:
    """A stepper together with every widget that was made for it, shown or not."""

    def __init__(self, *what: Any, **options: Any) -> None:
        before = set(registry._instances)
        self.stepper = Stepper(*what, **options)
        self.first = set(registry._instances) - before

    @property
    def widgets(self) -> list[w.Widget]:
        """All its widgets, in the order in which they were made: those made with it, and those that came since."""
        waiting: list[w.Widget] = [self.stepper.box]
        own = set(self.first)
        while waiting:
            made = waiting.pop()
            own.add(made.model_id)
            waiting += [getattr(made, part) for part in ("layout", "style") if hasattr(made, part)]
            waiting += getattr(made, "children", ())
        return [made for model_id, made in registry._instances.items() if model_id in own]

    def state(self) -> str:
        """The state of every widget as JSON, as the browser holds it; models are named by the order of their making.

        The module, the style sheet and the drawings of all cards are the same at every moment, and left out.
        """
        ids = {made.model_id: str(k) for k, made in enumerate(self.widgets)}
        states = [{name: value for name, value in made.get_state().items() if name not in FIXED} for made in self.widgets]
        told = json.dumps(states, ensure_ascii=False, default=repr, indent=0)
        return re.sub(r"IPY_MODEL_(\w+)", lambda found: f"model {ids[found[1]]}", told)


def press(button: w.Button) -> None:
    """A click as it comes from a browser."""
    button._handle_msg({"content": {"data": {"method": "custom", "content": {"event": "click"}}}, "buffers": []})


def turn_to(widget: w.Widget, **state: Any) -> None:
    """A new value as it comes from a browser."""
    widget._handle_msg({"content": {"data": {"method": "update", "state": state, "buffer_paths": []}}, "buffers": []})


def click(pane: Pane, said: str, mark: str | None = None) -> None:
    """A click on a thing of a pane as it comes from a browser, on lines drawn for the moment ``mark``, or for this one."""
    turn_to(pane, said={"say": said, "mark": pane.mark if mark is None else mark, "n": next(clicks)})


def point(pane: Pane, step: int | None) -> None:
    """The pointer comes to a row of a pane, or leaves it."""
    turn_to(pane, peeked="" if step is None else str(step))


def hit(pane: Pane, key: str) -> None:
    """A key as it comes from a browser."""
    turn_to(pane, keyed={"key": key, "n": next(clicks)})


def markup(pane: Pane) -> str:
    """All lines of a pane."""
    return "".join(pane.lines)


def says(pane: Pane) -> list[str]:
    """What can be clicked in a pane, in its order."""
    return list(dict.fromkeys(re.findall(r'data-say="([^"]*)"', markup(pane))))


def logged() -> list[str]:
    """What ipywidgets has logged about callbacks that raised; forgotten once it is told, so that the test itself can pass."""
    (handler,) = [handler for handler in logging.getLogger().handlers if type(handler).__name__ == "WidgetErrors"]
    seen: list[str] = handler.seen  # type: ignore[attr-defined]
    told = list(seen)
    seen.clear()
    return told


def plain(html: str) -> str:
    """The words of a piece of HTML."""
    text = re.sub(r"<[^>]*>", " ", re.sub(r"</?b( class=[^>]*)?>", "", html))
    return re.sub(r"[ \n]+", " ", unescape(text)).strip()
