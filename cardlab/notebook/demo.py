"""A demonstration of chance in a notebook: a cell plays more games, and its last line shows the numbers and the picture."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, Final

from cardlab import demos
from cardlab.chance.answers import Estimate, Exact
from cardlab.core.files import write_whole
from cardlab.core.session import Session
from cardlab.demos import Odd
from cardlab.desk import downloads
from cardlab.desk.desk import spoken
from cardlab.simulation.run import progress_bar
from cardlab.words import Words, usual_language

WIDEST: Final = 900  # px
LONG: Final = 20_000  # games from which on a bar shows how far it is


class Demonstration:
    """A demonstration by name, with its choices.

    There are ``first_match``, ``mean_turn``, ``turn_lengths``, ``hands``, ``titles``, ``bank`` and ``seats``. ``more(n)`` plays n games
    more, ``picture()`` and ``table()`` give what is known so far. Raises BadRequest for what there is not.

    >>> shown = Demonstration("seats", players=3, seed=7)
    >>> shown.more(100).games, shown.numbers[0].n
    (100, 100)
    """

    def __init__(self, name: str, seed: int = 1, language: str | None = None, dark: bool = False, **choices: Any) -> None:
        self.words = Words(spoken(language or usual_language()))
        self.dark = dark
        self.demo = demos.demo(name, seed, **choices)

    # more

    def more(self, n: int = 1) -> Demonstration:
        """Plays n games more; interrupted from the keyboard, it keeps those that are played."""
        with progress_bar(isinstance(n, int) and n >= LONG, n) as told, suppress(KeyboardInterrupt):
            self.demo.more(n, told)
        return self

    def reset(self) -> Demonstration:
        """Begins anew, with other deals."""
        self.demo = self.demo.again()
        return self

    def choose(self, **choices: Any) -> Demonstration:
        """Other choices: what was played stays only where they change no more than the view of it."""
        self.demo = self.demo.again(**choices)
        return self

    # what is known so far

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.demo.games

    @property
    def choices(self) -> Mapping[str, tuple[Any, ...]]:
        """What can be chosen, and the values."""
        return {key: choice.values for key, choice in self.demo.choices.items()}

    @property
    def exact(self) -> tuple[Exact, ...]:
        """What the numbers come to in the long run, where that is known."""
        return self.demo.exact

    @property
    def numbers(self) -> tuple[Estimate, ...]:
        """The numbers so far."""
        return self.demo.numbers

    def oddest(self) -> Odd | None:
        """The oddest game so far."""
        return self.demo.oddest()

    def open(self, index: int | None = None) -> Session:
        """One of the games, the oddest if none is named, to step through: ``cardlab.step(demo.open())``."""
        return self.demo.open(index)

    def table(self) -> Any:
        """All that is shown, as a DataFrame."""
        import pandas

        headers, rows = self.demo.table(self.words)
        return pandas.DataFrame(rows, columns=headers)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as CSV that a spreadsheet opens; raises OSError."""
        headers, rows = self.demo.table(self.words)
        write_whole(Path(path), downloads.table(Path(path).name, headers, rows, self.words.language).data)

    def picture(self) -> Any:
        """The picture in a pane of Panel, whose ``object`` HoloViews draws; raises BadRequest before the first game."""
        from panel.pane import HoloViews

        from cardlab.charts import Theme, picture

        drawn = picture(self.demo, self.words, Theme(self.dark, ground=True))
        _load()
        return HoloViews(drawn, backend="bokeh", sizing_mode="stretch_width", max_width=WIDEST)

    # as a notebook shows it

    def __repr__(self) -> str:
        chosen = "".join(f", {key}={value!r}" for key, value in self.demo.options.items())
        return f"<Demonstration {self.demo.name!r}{chosen}, seed={self.demo.seed}, games={self.games}>"

    def __str__(self) -> str:
        return "\n".join([self._head(), *(f"  {label}: {said} ({kind})" for label, said, kind in self._lines())])

    def _head(self) -> str:
        text = self.words.text
        return f"{text(f'demo.{self.demo.name}.title')} · {text('demo.played', n=self.games)}"

    def _lines(self) -> list[tuple[str, str, str]]:
        text, show = self.words.text, self.words.show
        kinds = {True: text("screen.chances_exact"), False: text("demo.simulated", n=self.games)}
        return [(show(reading.label), show(reading.said), kinds[reading.exact]) for reading in self.demo.readings()]

    def _html(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{escape(part)}</td>" for part in line) + "</tr>" for line in self._lines())
        explained = escape(self.words.text(f"demo.{self.demo.name}.explain"))
        return f"<p><b>{escape(self._head())}</b></p><p>{explained}</p><table>{rows}</table>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data, about = {"text/plain": str(self), "text/html": self._html()}, {}
        if self.games and _in_kernel():
            drawn, about = self.picture()._repr_mimebundle_()
            data |= {**drawn, "text/plain": data["text/plain"], "text/html": data["text/html"] + drawn.get("text/html", "")}
        return data, about


def _load() -> None:
    """The scripts of pictures come with the first one: from this machine where PANEL_INLINE says so, as ``cardlab lab`` does."""
    import panel

    if _in_kernel() and not panel.extension._loaded:
        panel.extension()


def _in_kernel() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None
