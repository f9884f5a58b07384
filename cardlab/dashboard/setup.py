"""The form of a new game: game, players, preset, house rules and seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import panel as pn
import panel_material_ui as pmui

from cardlab.core.events import TEACHER, Seat
from cardlab.core.registry import GAMES
from cardlab.core.rules import Allowed
from cardlab.dashboard.choice import Choice
from cardlab.dashboard.looks import style
from cardlab.desk import Desk
from cardlab.desk.asked import seed_of
from cardlab.words import Words

DEALT: Final = "dealt"
NUMBER: Final = "number"  # the choice that opens the field of a number
FIELD: Final = {"size": "small", "sizing_mode": "stretch_width", "width": None, "margin": (8, 0, 4, 0)}
CHOICE: Final[dict[str, Any]] = {name: value for name, value in FIELD.items() if name != "size"}


def choose(select: Any, options: dict[str, Any], value: Any) -> None:
    """Other labels in a list of choices; a value that is not offered becomes the first."""
    offered = list(options.values())
    before, labels = select.value, list(select.options)
    select.param.update(options=options, value=value if value in offered else offered[0])
    if labels != list(options) and select.value == before and not isinstance(select, Choice):
        select.param.trigger("value")  # the browser knows a value by its label, and has the old one


class HouseField:
    """The widgets of one house rule, with the sentence of the value that is chosen below them."""

    def __init__(self, game: str, key: str, allowed: Allowed, changed: Callable[..., Any]) -> None:
        self.game, self.key, self.allowed = game, key, allowed
        self.choice = Choice([*allowed.words], **CHOICE) if allowed.words else None
        self.number = pmui.TextInput(value=str(allowed.least), stylesheets=[style()], **FIELD) if allowed.least is not None else None
        if self.choice is not None:
            self.choice.param.watch(changed, "value")
        self.widgets = [widget for widget in (self.choice, self.number) if widget is not None]

    def label(self, players: int, words: Words) -> None:
        """All texts anew, and the seats that there are."""
        prefix, name = f"house.{self.game}.{self.key}", words.text(f"page.house.{self.key}")
        if self.choice is not None:
            options = {words.text(f"page.value.{self.key}.{word}"): word for word in self.allowed.words}
            options |= {words.seat(seat): str(seat) for seat in range(players)} if self.allowed.seat else {}
            options |= {words.text("page.number"): NUMBER} if self.number is not None else {}
            choose(self.choice, options, self.choice.value)
            self.choice.label = name
            kind = "seat" if self.choice.value.isdigit() else self.choice.value
            self.choice.helper_text = words.text(f"{prefix}.{kind}")
        if self.number is not None:
            self.number.label = name if self.choice is None else words.text("page.number")
            self.number.helper_text = words.text(f"{prefix}.number") if self.choice is None else ""
            self.number.visible = self.choice is None or self.choice.value == NUMBER

    @property
    def value(self) -> str:
        """The value chosen, as text; the game checks it."""
        if self.number is None or (self.choice is not None and self.choice.value != NUMBER):
            return self.choice.value if self.choice is not None else ""
        return self.number.value_input.strip()

    @value.setter
    def value(self, value: str | int) -> None:
        if self.choice is not None:
            self.choice.value = str(value) if isinstance(value, str) or self.allowed.seat else NUMBER
        if self.number is not None and not isinstance(value, str):
            self.number.value = str(value)


class SetUp:
    """The form; ``changed`` is called when a choice in it changes what else is to be shown."""

    def __init__(self, changed: Callable[[str], Any]) -> None:
        self.game = Choice(list(GAMES), **CHOICE)
        self.players = Choice(["2"], **CHOICE)
        self.preset = Choice(["default"], **CHOICE)
        self.seed = pmui.TextInput(stylesheets=[style()], **FIELD)
        self.follow = Choice([DEALT], **CHOICE)  # whether the cards are dealt here, or who tells of a real table
        self.new = pmui.Button(variant="contained", disable_elevation=True, margin=0, stylesheets=[style("button")])
        self.cancel = pmui.Button(variant="outlined", margin=0, stylesheets=[style("button")])
        self.house: dict[str, HouseField] = {}
        self.houses = pn.Column(sizing_mode="stretch_width", margin=0)
        self.heading = pmui.Typography(variant="subtitle2", margin=(8, 0, 2, 0))
        fields = (self.game, self.players, self.preset, self.follow, self.seed, self.heading, self.houses)
        self.column = pn.Column(*fields, sizing_mode="stretch_width", margin=(0, 8))
        self.buttons = pn.Row(self.new, self.cancel, margin=(12, 8), styles={"gap": "10px"})
        self._changed = changed
        for name in ("game", "players", "preset", "follow"):
            getattr(self, name).param.watch(lambda event, name=name: changed(name), "value")

    def fill(self, desk: Desk) -> None:
        """The game on the desk."""
        self.game.value = desk.game.name
        self.follow.value = DEALT
        self.show_game(desk.words)
        choose(self.players, self.players.options, desk.game.players)
        choose(self.preset, self.preset.options, desk.preset)
        for key, field in self.house.items():
            field.value = getattr(desk.game.rules, key)
        self.label(desk)

    def show_game(self, words: Words) -> None:
        """The fields of the game that is chosen, with its usual values."""
        kind = GAMES[self.game.value]
        choose(self.players, {str(n): n for n in kind.player_counts}, kind.usual_players)
        choose(self.preset, {words.text(f"preset.{kind.name}.{name}"): name for name in kind.rules_type.presets}, "default")
        changed = self._changed
        self.house = {
            key: HouseField(kind.name, key, allowed, lambda event: changed("house")) for key, allowed in kind.rules_type.options().items()
        }
        self.show_preset()
        for field in self.house.values():  # first, for a list of choices shows its value under the label that it had when it was made
            field.label(int(self.players.value), words)
        self.houses.objects = [widget for field in self.house.values() for widget in field.widgets]

    def show_preset(self) -> None:
        """The house rules of the preset that is chosen."""
        kind = GAMES[self.game.value].rules_type
        usual = kind()
        for key, field in self.house.items():
            field.value = kind.presets[self.preset.value].get(key, getattr(usual, key))

    def label(self, desk: Desk) -> None:
        """All texts anew; the seed is the teacher's, since it tells every card."""
        words, kind = desk.words, GAMES[self.game.value]
        choose(self.game, {words.text(f"game.{name}"): name for name in GAMES}, self.game.value)
        presets = {words.text(f"preset.{kind.name}.{name}"): name for name in kind.rules_type.presets}
        choose(self.preset, presets, self.preset.value)
        for name in ("game", "players", "preset", "seed", "new"):
            getattr(self, name).label = words.text(f"screen.{name}")
        self.cancel.label = words.text("page.cancel")
        self.players.disabled = len(kind.player_counts) == 1
        self.preset.visible = len(kind.rules_type.presets) > 1
        self.seed.placeholder = words.text("stepper.fresh_seed")
        self.heading.object = words.text("screen.house")
        self._label_follow(words)
        self.seed.visible = desk.viewer == TEACHER and self.follow.value == DEALT
        if desk.viewer != TEACHER:
            self.seed.value = ""
        for field in self.house.values():
            field.label(int(self.players.value), words)

    def _label_follow(self, words: Words) -> None:
        """Whether the cards are dealt here, or from where a real table is seen; in Suicide King all see the same."""
        options = {words.text("page.follow.dealt"): DEALT}
        if self.game.value == "suicide_king":
            options[words.text("page.follow.whole")] = TEACHER
        else:
            options |= {words.text("page.follow.seat", seat=seat): str(int(seat)) for seat in map(Seat, range(int(self.players.value)))}
            options[words.text("page.follow.hands")] = TEACHER
        choose(self.follow, options, self.follow.value)
        self.follow.label, self.follow.helper_text = words.text("page.follow"), words.text("page.follow.about")

    def options(self) -> dict[str, Any]:
        """What is chosen, as ``Desk.new`` wants it; raises BadRequest for a seed that is no number."""
        return {
            "name": self.game.value,
            "players": int(self.players.value),
            "preset": self.preset.value,
            "seed": seed_of(self.seed.value_input or ""),
            "house": {key: field.value for key, field in self.house.items()},
            "follow": None if self.follow.value == DEALT else self.follow.value,
        }
