"""The form of a new game: game, players, preset, house rules and seed."""

from __future__ import annotations

from html import escape
from textwrap import shorten
from typing import Any

import ipywidgets as w

from cardlab.core.events import TEACHER
from cardlab.core.registry import GAMES
from cardlab.core.rules import Allowed
from cardlab.desk import Desk
from cardlab.desk.asked import seed_of
from cardlab.view.rulebook import HouseRow, house_rules
from cardlab.words import Words

NUMBER = "N"  # the choice that opens the field of a number
WHOLE_LABEL = {"description_width": "initial"}
MOST = 2**53 - 1  # what a browser's number can hold
LONGEST = 50  # characters of a label in a dropdown


def choices(dropdown: w.Dropdown, options: list[tuple[str, str]], value: str | None = None) -> None:
    """New labels in a dropdown; its value stays if it is still offered, unless another is named."""
    kept = dropdown.value if value is None else value
    values = [name for _, name in options]
    with dropdown.hold_sync():
        dropdown.options = options
        dropdown.value = kept if kept in values else values[0]


def dropdown(**options: Any) -> w.Dropdown:
    """A dropdown as wide as it needs to be."""
    return w.Dropdown(style=WHOLE_LABEL, layout=w.Layout(width="auto", max_width="100%"), **options)


class HouseField:
    """The widgets of one house rule: a choice of words and seats, a number, or both."""

    def __init__(self, row: HouseRow, allowed: Allowed, players: int, words: Words) -> None:
        self.key, self.allowed = row.key, allowed
        self.about, self.note = w.HTML(), w.HTML()
        self.notes: dict[str, str] = {}
        self.word = dropdown(options=[("", "")]) if allowed.words else None
        if self.word is not None:
            self.word.layout = w.Layout(width="320px", max_width="100%")
        self.number = None
        if allowed.least is not None:
            self.number = w.BoundedIntText(
                allowed.least, min=allowed.least, max=MOST, step=allowed.multiple_of, layout=w.Layout(width="auto"), style=WHOLE_LABEL
            )
            self.number.description = NUMBER
        parts = [part for part in (self.word, self.number) if part is not None]
        parts[0].description = row.key
        column = w.Layout(flex="1 1 300px", max_width="440px", margin="0 16px 12px 0")
        self.box = w.VBox([self.about, w.HBox(parts, layout=w.Layout(flex_flow="row wrap")), self.note], layout=column)
        if self.word is not None:
            self.word.observe(lambda change: self._chosen(), "value")
        self.label(row, players, words)

    def label(self, row: HouseRow, players: int, words: Words) -> None:
        """All texts anew, and the seats that there are."""
        self.notes = dict(row.values)
        self.about.value = f"<span>{escape(row.about)}</span>"
        if self.word is not None:
            values = [(value, about) for value, about in row.values if value != NUMBER or not self.allowed.seat]
            options = [(shorten(about, LONGEST, placeholder=" …"), value) for value, about in values]
            options += [(words.seat(seat), str(seat)) for seat in range(players)] if self.allowed.seat else []
            choices(self.word, options)
        self._chosen()

    def _chosen(self) -> None:
        """The whole sentence of the choice, where the label had to be cut; a number may be named only where it counts."""
        value = NUMBER if self.word is None else self.word.value
        said = self.notes.get(value, "")
        self.note.value = f'<p class="cl-quiet">{escape(said)}</p>' if len(said) > LONGEST or self.word is None else ""
        if self.word is not None and self.number is not None:
            self.number.disabled = value != NUMBER

    @property
    def value(self) -> Any:
        """The value chosen."""
        if self.word is None or self.word.value == NUMBER:
            return None if self.number is None else self.number.value
        return self.word.value

    @value.setter
    def value(self, value: Any) -> None:
        if self.word is not None and (self.allowed.seat or isinstance(value, str)):
            self.word.value = str(value)
        elif self.number is not None:
            self.number.value = value
            if self.word is not None:
                self.word.value = NUMBER

    def close(self) -> None:
        """Takes the widgets away, here and in the browser."""
        for widget in (self.about, self.note, self.word, self.number, *self.box.children, self.box):
            if widget is not None:
                widget.close()


class NewGame:
    """The form; it knows no desk but the one that it is filled from."""

    def __init__(self) -> None:
        self.game = dropdown(options=[(name, name) for name in GAMES])
        self.players = dropdown(options=["2"])
        self.preset = dropdown(options=["default"])
        self.seed = w.Text(continuous_update=True, style=WHOLE_LABEL, layout=w.Layout(width="260px"))
        self.house: dict[str, HouseField] = {}
        self.heading = w.HTML()
        self.fields = w.HBox(layout=w.Layout(flex_flow="row wrap"))
        self._labelled: tuple[Any, ...] = ()

    def fill(self, desk: Desk) -> None:
        """The game on the desk; a seed is shown to the teacher alone, since it tells every card."""
        self.game.value = desk.game.name
        self.show_game(desk.words)
        self.players.value = str(desk.game.players)
        self.preset.value = desk.preset
        self._label_house(desk.words)
        for key, field in self.house.items():
            field.value = getattr(desk.game.rules, key)
        seeded = desk.viewer == TEACHER and desk.session.seed is not None
        self.seed.value = str(desk.session.seed) if seeded else ""

    def show_game(self, words: Words) -> None:
        """What fits the game that is chosen, in the language of ``words``."""
        kind = GAMES[self.game.value]
        self.game.description, self.players.description = words.text("screen.game"), words.text("screen.players")
        self.preset.description, self.seed.description = words.text("screen.preset"), words.text("screen.seed")
        self.seed.placeholder = words.text("stepper.fresh_seed")
        choices(self.game, [(words.text(f"game.{name}"), name) for name in GAMES])
        if list(self.house) != list(kind.rules_type.options()):
            choices(self.players, [(str(n), str(n)) for n in kind.player_counts], str(kind.usual_players))
            self._new_house(words)
        presets = [(shorten(words.text(f"preset.{kind.name}.{name}"), LONGEST, placeholder=" …"), name) for name in kind.rules_type.presets]
        choices(self.preset, presets)
        self.heading.value = f"<h3>{escape(words.text('screen.house'))}</h3>"
        self._label_house(words)

    def show_preset(self) -> None:
        """The house rules of the preset that is chosen."""
        kind = GAMES[self.game.value].rules_type
        defaults = kind()
        for key, field in self.house.items():
            field.value = kind.presets[self.preset.value].get(key, getattr(defaults, key))

    def options(self) -> dict[str, Any]:
        """What is chosen, as ``Desk.new`` wants it; raises BadRequest for a seed that is no number."""
        house = {key: field.value for key, field in self.house.items()}
        return {
            "name": self.game.value,
            "players": int(self.players.value),
            "preset": self.preset.value,
            "seed": seed_of(self.seed.value),
            "house": house,
        }

    def _new_house(self, words: Words) -> None:
        kind = GAMES[self.game.value]
        for field in self.house.values():
            field.close()
        allowed = kind.rules_type.options()
        self.house = {row.key: HouseField(row, allowed[row.key], int(self.players.value), words) for row in house_rules(kind, words)}
        self.fields.children = tuple(field.box for field in self.house.values())
        self._labelled = ()
        self.preset.options = list(kind.rules_type.presets)
        self.show_preset()

    def _label_house(self, words: Words) -> None:
        labelled = (words, self.players.value)
        if labelled != self._labelled:
            self._labelled = labelled
            for row in house_rules(GAMES[self.game.value], words):
                self.house[row.key].label(row, int(self.players.value), words)
