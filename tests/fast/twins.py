"""Games to hold a twin against its engine: house rules, players and names that are spread over all there is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, cycle
from typing import Any

from cardlab import GAMES, Session
from cardlab.core.game import AnyGame
from cardlab.core.record import Record
from cardlab.testing import houses

POLICIES = ("still", "random", "sensible")
EDGES = (0, 1, 2**32 - 1, 2**63, 2**64 - 1)
Players = str | Mapping[int, str]


@dataclass(frozen=True)
class Case:
    """A game with its players and its name."""

    game: AnyGame
    players: Players
    seed: int
    index: int

    def session(self) -> Session:
        """The engine's game, played to its end."""
        session = Session(self.game, seed=self.seed, index=self.index)
        session.auto(self.players, until="game")
        return session


def singles(name: str) -> list[AnyGame]:
    """Each value of each house rule alone, for every number of players."""
    kind = GAMES[name]
    return [kind(players, **house) for players in kind.player_counts for house in houses.every_single(name, players)]


def cases(name: str, n: int, seed: int, players: Players | None = None, **fixed: Any) -> Iterator[Case]:
    """So many cases: single house rules and random combinations in turn, or combinations that share some values.

    Without ``players`` one policy for all seats, or another for each.
    """
    chance = random.Random(f"cases {name} {seed}")
    combined = houses.combinations(name, max(n // 10, 20), seed, **fixed)
    games = combined if fixed else [game for pair in zip(cycle(singles(name)), combined, strict=False) for game in pair]
    for k, game in zip(range(n), cycle(games), strict=False):
        mixed = {seat: chance.choice(POLICIES) for seat in game.seats}
        some = chance.choice((*POLICIES, mixed))
        numbers = [chance.choice(EDGES) if k % 20 == 0 else chance.getrandbits(64) for _ in range(2)]
        yield Case(game, some if players is None else players, *numbers)


def short_cases(name: str, n: int, seed: int, players: Players | None = None, **fixed: Any) -> Iterator[Case]:
    """The same with random combinations, three in four of a single deal and one in twenty of five, unless ``fixed`` says how many."""
    if "deals" in fixed or "deals" not in GAMES[name].rules_type.options():
        return cases(name, n, seed, players, **fixed)
    longer, long = n // 4, n // 20
    return chain(
        cases(name, n - longer, seed, players, **fixed, deals=1),
        cases(name, longer - long, seed + 1_000, players, **fixed, deals=2),
        cases(name, long, seed + 2_000, players, **fixed, deals=5),
    )


def played_on(session: Session, at: int, case: Case) -> Session:
    """A game whose first steps are those of another, played on under another name."""
    again = Record(case.game, case.seed, case.index, session.record.actions[:at]).session()
    again.auto(case.players, until="game")
    return again
