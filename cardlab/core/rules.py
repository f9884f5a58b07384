"""House rules: a frozen dataclass a game, each rule with its allowed values, checked when it is made."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Final, TypeVar

from cardlab.core.errors import BadGame, quoted
from cardlab.words import Phrase

R = TypeVar("R", bound="HouseRules")
TOO_LARGE: Final = 10**100  # Python writes and reads no number of 4,300 digits, and a bank grows


@dataclass(frozen=True)
class Allowed:
    """The values of a house rule: some words, whole numbers from ``least`` in steps, or a seat."""

    words: tuple[str, ...] = ()
    least: int | None = None
    multiple_of: int = 1
    seat: bool = False

    def accepts(self, value: object, players: int) -> bool:
        """Whether a value is one of them; a float or a bool never is."""
        if isinstance(value, str):
            return value in self.words
        if type(value) is not int:
            return False
        if self.seat:
            return 0 <= value < players
        return self.least is not None and self.least <= value < TOO_LARGE and value % self.multiple_of == 0

    def phrase(self, players: int) -> Phrase:
        """The allowed values in words."""
        words = ", ".join(self.words)
        if self.seat:
            return Phrase.of("allowed.seat", words=words, last=players - 1)
        if self.least is None:
            return Phrase.of("allowed.words", words=words)
        key = "allowed.multiple" if self.multiple_of > 1 else "allowed.number"
        number = Phrase.of(key, least=self.least, multiple=self.multiple_of)
        return Phrase.of("allowed.either", words=words, number=number) if words else number


def one_of(*words: str, least: int | None = None, multiple_of: int = 1, seat: bool = False) -> Any:
    """A house rule whose first word is its default."""
    return field(default=words[0], metadata={"allowed": Allowed(words, least, multiple_of, seat)})


def whole(default: int, *, least: int, multiple_of: int = 1) -> Any:
    """A house rule that is a whole number."""
    return field(default=default, metadata={"allowed": Allowed((), least, multiple_of)})


@dataclass(frozen=True)
class HouseRules:
    """The base of every game's ``Rules``; ``presets`` are named sets of values."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {"default": {}}

    @classmethod
    def make(cls: type[R], zero: str, players: int, preset: str = "default", /, **values: Any) -> R:
        """The rules with some values changed; a word that is a whole number is taken as one.

        ``zero`` is the rule id that a refusal names (SK-0, …). Raises BadGame for an unknown key, value or preset.
        """
        if not isinstance(preset, str) or preset not in cls.presets:
            raise BadGame("error.preset", rule=zero, preset=str(preset)[:60], presets=", ".join(cls.presets))
        known = cls.options()
        chosen = dict(cls.presets[preset])
        for key, value in values.items():
            if key not in known:
                raise BadGame("error.house_rule", rule=zero, name=str(key), keys=", ".join(known))
            if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 100:
                value = int(value)
            if not known[key].accepts(value, players):
                raise BadGame("error.house_value", rule=key, value=quoted(value), allowed=known[key].phrase(players))
            chosen[key] = value
        made = cls(**chosen)
        made.check()
        return made

    def check(self) -> None:
        """Refuses values that do not fit together; raises BadGame."""

    @classmethod
    def options(cls) -> dict[str, Allowed]:
        """Every house rule with its allowed values."""
        return {f.name: _allowed(f) for f in fields(cls)}

    def changed(self) -> dict[str, Any]:
        """The values that are not the default."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}


def _allowed(f: Field[Any]) -> Allowed:
    allowed = f.metadata["allowed"]
    assert isinstance(allowed, Allowed)
    return allowed
