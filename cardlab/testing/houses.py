"""House rules to try: every value alone, and random combinations that fit together."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from cardlab.core.errors import BadGame
from cardlab.core.game import AnyGame
from cardlab.core.registry import GAMES
from cardlab.core.rules import Allowed

STEPS: Final = (0, 1, 4)  # of a house rule that is a number: the least, and one and four steps above it


def values(allowed: Allowed, players: int) -> tuple[str | int, ...]:
    """The values of a house rule that are worth trying: all words, all seats, some numbers.

    >>> values(Allowed(("none",), least=4, multiple_of=4), 2)
    ('none', 4, 8, 20)
    """
    seats = range(players) if allowed.seat else ()
    numbers = () if allowed.least is None else tuple(allowed.least + step * allowed.multiple_of for step in STEPS)
    return (*allowed.words, *seats, *numbers)


def every_single(name: str, players: int) -> Iterator[dict[str, Any]]:
    """Each value of each house rule alone.

    >>> len(list(every_single("suicide_king", 2)))
    11
    """
    for key, allowed in GAMES[name].rules_type.options().items():
        for value in values(allowed, players):
            yield {key: value}


def combination(name: str, players: int, chance: random.Random) -> dict[str, Any]:
    """One value for every house rule; the values may not fit together."""
    return {key: chance.choice(values(allowed, players)) for key, allowed in GAMES[name].rules_type.options().items()}


def combinations(name: str, n: int, seed: int, **fixed: Any) -> list[AnyGame]:
    """Games with random house rules and numbers of players; ``fixed`` are values (or a size) that all of them have.

    >>> len(combinations("fight_for_the_lead", 5, seed=1, deals=2))
    5
    """
    chance = random.Random(f"{name} {seed}")
    kind, found = GAMES[name], list[AnyGame]()
    while len(found) < n:
        players = chance.choice(kind.player_counts)
        chosen = combination(name, players, chance) | fixed
        try:
            found.append(kind(players, **chosen))
        except BadGame:
            continue
    return found
