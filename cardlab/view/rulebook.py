"""The rule book of a game as rows: each rule with its id, each house rule with its values."""

from __future__ import annotations

from dataclasses import dataclass

from cardlab.core.game import AnyGame
from cardlab.words import Words, has


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A house rule: its key, what it is about, and its values with what each means."""

    key: str
    about: str
    values: tuple[tuple[str, str], ...]


def rule_book(kind: type[AnyGame], words: Words) -> list[tuple[str, str]]:
    """Every rule of a game, id and sentence, in order.

    >>> from cardlab import GAMES
    >>> rule_book(GAMES["suicide_king"], Words())[9][0]
    'SK-9'
    """
    ids = [f"{kind.letters}-{k}" for k in range(kind.rule_count + 1)]
    return [(rule, words.text(f"rule.{rule}")) for rule in ids]


def house_rules(kind: type[AnyGame], words: Words) -> list[HouseRow]:
    """Every house rule of a game with its values; a number or a seat is shown as N."""
    rows = []
    for key, allowed in kind.rules_type.options().items():
        prefix = f"house.{kind.name}.{key}"
        values = [(word, words.text(f"{prefix}.{word}")) for word in allowed.words]
        values += [("N", words.text(f"{prefix}.{kind_}")) for kind_ in ("number", "seat") if has(f"{prefix}.{kind_}")]
        rows.append(HouseRow(key, words.text(prefix), tuple(values)))
    return rows


def explain(rule: str, game: AnyGame, words: Words) -> str:
    """The sentence of a rule id or of a house rule's key."""
    return words.text(f"rule.{rule}" if rule.startswith(game.letters) else f"house.{game.name}.{rule}")
