"""Shared by the stepper's tests: every widget's state as one text, and clicks as a browser sends them."""

from __future__ import annotations

import json
import logging
import re
from html import unescape
from typing import Any

import ipywidgets as w
from ipywidgets.widgets import widget as registry

from cardlab.notebook import Stepper


class Watched:
    """A stepper together with every widget that was made for it, shown or not."""

    def __init__(self, *what: Any, **options: Any) -> None:
        before = set(registry._instances)
        self.stepper = Stepper(*what, **options)
        self.first = set(registry._instances) - before

    @property
    def widgets(self) -> list[w.Widget]:
        """All its widgets, in the order in which they were made: those made with it, and those that came since."""
        waiting: list[w.Widget] = [self.stepper.box, *(button for pool in self.stepper._moves for button in pool)]
        own = set(self.first)
        while waiting:
            made = waiting.pop()
            own.add(made.model_id)
            waiting += [getattr(made, part) for part in ("layout", "style") if hasattr(made, part)]
            waiting += getattr(made, "children", ())
        return [made for model_id, made in registry._instances.items() if model_id in own]

    def state(self) -> str:
        """The state of every widget as JSON, as the browser holds it; models are named by the order of their making."""
        ids = {made.model_id: str(k) for k, made in enumerate(self.widgets)}
        told = json.dumps([made.get_state() for made in self.widgets], ensure_ascii=False, default=repr, indent=0)
        return re.sub(r"IPY_MODEL_(\w+)", lambda found: f"model {ids[found[1]]}", told)


def press(button: w.Button) -> None:
    """A click as it comes from a browser."""
    button._handle_msg({"content": {"data": {"method": "custom", "content": {"event": "click"}}}, "buffers": []})


def turn_to(widget: w.Widget, **state: Any) -> None:
    """A new value as it comes from a browser."""
    widget._handle_msg({"content": {"data": {"method": "update", "state": state, "buffer_paths": []}}, "buffers": []})


def logged() -> list[str]:
    """What ipywidgets has logged about callbacks that raised; forgotten once it is told, so that the test itself can pass."""
    (handler,) = [handler for handler in logging.getLogger().handlers if type(handler).__name__ == "WidgetErrors"]
    seen: list[str] = handler.seen  # type: ignore[attr-defined]
    told = list(seen)
    seen.clear()
    return told


def plain(html: str) -> str:
    """The words of a piece of HTML."""
    text = re.sub(r"<[^>]*>", " ", re.sub(r'</?span( class="cl-s\d")?>', "", html))
    return re.sub(r"[ \n]+", " ", unescape(text)).strip()
