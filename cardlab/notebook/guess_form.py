"""The form of a guess in a lesson: options or a slider, and a button that commits."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from threading import RLock
from typing import Any, Protocol

import ipywidgets as w

from cardlab.notebook.guard import watched
from cardlab.words import Words


class Question(Protocol):
    """What is asked: ``commit`` takes a guess, ``html`` shows the question with what happened to it."""

    guess: Any

    def commit(self, value: Any) -> Any: ...
    def html(self, words: Words) -> str: ...
    def options(self, words: Words) -> list[str]: ...


class GuessForm:
    """The widgets of one question."""

    def __init__(self, asked: Question, words: Words) -> None:
        self.asked, self.words, self.drawing, self.lock = asked, words, False, RLock()
        self.said = w.HTML(asked.html(words))
        if asked.guess.slider:
            self.field: Any = w.IntSlider(50, 0, 100, description="%", tooltip=words.text("guess.how_likely"))
        else:
            self.field = w.ToggleButtons(
                options=asked.guess.kind.letters, value=None, tooltips=asked.options(words), style={"button_width": "3em"}
            )
        self.button = w.Button(description=words.text("guess.commit"), layout=w.Layout(width="auto"))
        self.button.on_click(lambda _: self._commit())
        self.box = w.VBox([self.said, w.HBox([self.field, self.button], layout=w.Layout(flex_flow="row wrap"))])

    @watched
    def _commit(self) -> None:
        if self.asked.guess.slider:
            self.asked.commit(Fraction(self.field.value, 100))
        elif self.field.value is not None:
            self.asked.commit(self.field.value)
        self.redraw()

    def redraw(self) -> None:
        """Shows what has become of the guess."""
        self.said.value = self.asked.html(self.words)

    def show_error(self, fault: Exception | None) -> None:
        """Shows what went wrong, below the question."""
        if fault is not None:
            self.said.value = f'{self.asked.html(self.words)}<p role="alert">{escape(str(fault))}</p>'


def guess_form(asked: Question, words: Words) -> dict[str, Any]:
    """The form as a notebook takes it."""
    bundle = GuessForm(asked, words).box._repr_mimebundle_()
    data: dict[str, Any] = bundle[0] if isinstance(bundle, tuple) else bundle
    return {kind: shown for kind, shown in data.items() if kind.startswith("application/")}
