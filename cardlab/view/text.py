"""The table in plain text, for a terminal or a print-out."""

from __future__ import annotations

from textwrap import wrap
from typing import Any, Final

from cardlab.core.game import AnyGame
from cardlab.view.scene import Group, Scene, SeatRow, scene
from cardlab.words import Words

BACK: Final = "▒▒"
COLUMNS: Final = 100


def text(game: AnyGame, view: Any, words: Words) -> str:
    """The table as a viewer knows it, a line a seat; backs are drawn as ``▒▒``.

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
    >>> _ = session.play(), session.play("take 0"), session.play()
    >>> print(text(session.game, session.view(), Words("en")).splitlines()[0])
    Suicide King · deal 1 · turns
    """
    table = scene(game, view)
    names = [_name(row, words) for row in table.seats]
    wide = max(map(len, names), default=0)
    lines = [" · ".join(words.show(part) for part in table.heading)]
    for row, name in zip(table.seats, names, strict=True):
        lines += _broken(f"{'>' if row.acts else ' '} {name:<{wide}}  {_seat(row, words)}".rstrip(), wide + 4)
    for line in _middle(table, words):
        lines += _broken(f"  {line}", 4)
    return "\n".join(lines) + "\n"


def _broken(line: str, indent: int) -> list[str]:
    """A line in as many as it needs."""
    return wrap(line, COLUMNS, subsequent_indent=" " * indent, break_long_words=False, drop_whitespace=True) or [""]


def _name(row: SeatRow, words: Words) -> str:
    name = words.seat(row.seat)
    name = name if row.title is None else words.text("scene.titled", title=row.title, name=name)
    return words.text("scene.you", name=name) if row.own else name


def _seat(row: SeatRow, words: Words) -> str:
    cards = " ".join(BACK if card is None else words.show(card) for card in row.cards)
    laid = [] if row.laid is None else [f"{words.text('scene.fight_card')} {words.show(row.laid)}"]
    facts = ", ".join([*laid, *map(words.show, (*row.facts, *row.notes))])
    return "  ".join(part for part in (cards, f"({facts})" if facts else "") if part)


def _middle(table: Scene, words: Words) -> list[str]:
    piles = [f"{words.show(group.label)}: {group.backs}" for group in table.middle if group.backs is not None]
    facts = [words.show(fact) for fact in table.facts]
    lines = [" · ".join((*facts, *piles))] if facts or piles else []
    return lines + [f"{words.show(group.label)}: {_group(group, words)}" for group in table.middle if group.backs is None]


def _group(group: Group, words: Words) -> str:
    shown = [BACK if card is None else words.show(card) for card in group.cards]
    if group.owners:
        shown = [f"{words.seat(owner)} {card}" for owner, card in zip(group.owners, shown, strict=False)]
    return ", ".join(shown) if group.owners else " ".join(shown)
