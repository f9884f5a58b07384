"""Matches between computer players: the same deals for everybody, from every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from cardlab import fast
from cardlab.chance.answers import Estimate
from cardlab.core import registry
from cardlab.core.errors import BadRequest
from cardlab.core.game import AnyGame
from cardlab.simulation.figures import KINDS
from cardlab.simulation.plan import Plan
from cardlab.simulation.run import Told, progress_bar, whole
from cardlab.simulation.tally import Sums
from cardlab.simulation.workers import spread
from cardlab.view.answers import told
from cardlab.words import Phrase, Words, usual_language

BATCH: Final = 2**4  # games between two looks at whether somebody has cancelled


@dataclass(frozen=True)
class Match:
    """The mean score of each player and the paired differences of each two, over ``n`` games that were dealt once for every rotation."""

    game: AnyGame
    lineup: tuple[str, ...]
    seed: int
    n: int
    scores: dict[str, Estimate]
    differences: dict[tuple[str, str], Estimate]
    stopped: Phrase | None = None

    @property
    def deals(self) -> int:
        """How often cards were dealt: each game once for every rotation of the seats."""
        return self.n * len(self.lineup)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        head = {"game": self.game.name, "lineup": list(self.lineup), "seed": self.seed, "games": self.n, "rotations": len(self.lineup)}
        scores = {name: _plain(found) for name, found in self.scores.items()}
        differences = [{"first": a, "second": b, **_plain(found)} for (a, b), found in self.differences.items()]
        return {**head, "scores": scores, "differences": differences}

    def display(self, words: Words) -> str:
        """The scores and the differences, in lines."""
        lineup = ", ".join(self.lineup)
        lines = [words.text("match.head", n=self.n, rotations=len(self.lineup), game=self.game, lineup=lineup, seed=str(self.seed))]
        if self.stopped is not None:
            lines.append(self.stopped.display(words))
        lines.append(words.text(f"match.{self.game.name}"))
        lines += [f"  {name}: {told(found, words, chances=False)}" for name, found in self.scores.items()]
        for (first, second), found in self.differences.items():
            lines.append("  " + words.text("match.difference", first=first, second=second, found=told(found, words, chances=False)))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.display(Words(usual_language()))


@dataclass
class _Score:
    """Adds up the scores of a lineup, game by game."""

    lineup: tuple[str, ...]
    sums: dict[Any, Sums] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(self.lineup))

    def add(self, rotations: Sequence[Sequence[int]]) -> None:
        """One game: the scores by seat in each rotation."""
        n = len(self.lineup)
        totals = dict.fromkeys(self.names, 0)
        for turned, scores in enumerate(rotations):
            for seat, score in enumerate(scores):
                totals[self.lineup[(seat - turned) % n]] += score
        for name in self.names:
            self._count(name, totals[name])
        for one, other in combinations(self.names, 2):
            self._count((one, other), totals[one] * self.lineup.count(other) - totals[other] * self.lineup.count(one))

    def _count(self, key: Any, value: int) -> None:
        sums = self.sums.setdefault(key, Sums())
        sums.n, sums.total, sums.squares = sums.n + 1, sums.total + value, sums.squares + value * value

    def estimate(self, key: Any, unit: int, seed: int) -> Estimate:
        """The mean of a player's score for one seat, or of a difference."""
        sums = self.sums.get(key, Sums())
        n = len(self.lineup)
        names = key if isinstance(key, tuple) else (key,)
        scale = unit * n
        for name in names:
            scale *= self.lineup.count(name)
        kind: Any = "paired" if isinstance(key, tuple) else "mean"
        return Estimate(sums.n, Fraction(sums.total, scale), Fraction(sums.squares, scale**2), kind, seed)


def match(
    players: Sequence[str],
    game: str | AnyGame,
    games: int,
    *,
    seed: int = 0,
    seats: int | None = None,
    preset: str = "default",
    threads: int | None = None,
    progress: bool | Told = False,
    cancelled: Callable[[], bool] = lambda: False,
    **house: Any,
) -> Match:
    """Plays the games (seed, 0), (seed, 1), … with the same deals for every rotation of the players around the table.

    ``players`` are names from the seat 0 on; the last one takes the seats that are left. A single deal is played unless ``deals`` says
    otherwise. Scores are stakes won, the losers' penalty counted as paid; places below the Marshal, as a negative number; in Suicide King
    −1 for the last player, or 1 where he wins. Raises BadRequest and BadGame.

    >>> found = match(["sensible", "random"], "poker_marshal", 300, seed=7)
    >>> found.deals, found.differences["sensible", "random"].low > 0
    (1500, True)
    """
    what = _single_deal(game, seats, preset, **house) if isinstance(game, str) else game
    names = list(players) if not isinstance(players, str) else [players]
    if not 0 < len(names) <= what.players:
        raise BadRequest("error.policies", n=len(names), players=what.players)
    lineup = tuple(names + names[-1:] * (what.players - len(names)))
    plans = [Plan.of(what, [lineup[(seat - turned) % len(lineup)] for seat in what.seats], seed) for turned in range(len(lineup))]
    wanted = whole("games", games)
    hands = whole("threads", fast.processors() if threads is None else threads, most=1024) if all(plan.compiled for plan in plans) else 1
    score, stopped, done = _Score(lineup), None, 0
    spans = ((at, min(at + BATCH, wanted)) for at in range(0, wanted, BATCH))
    played = spread(lambda span: [plan.scores(span) for plan in plans], spans, hands)
    with progress_bar(progress, wanted) as told_of, closing(played):
        for (first, end), parts in played:
            for rotations in zip(*parts, strict=True):
                score.add(rotations)
            done += end - first
            told_of(done, wanted)
            if cancelled() and done < wanted:
                stopped = Phrase.of("simulation.cancelled", n=done, games=wanted)
                break
    unit = KINDS[what.name].unit(what)
    found = {key: score.estimate(key, unit, seed) for key in [*score.names, *combinations(score.names, 2)]}
    scores = {name: found[name] for name in score.names}
    return Match(what, lineup, seed, done, scores, {pair: found[pair] for pair in combinations(score.names, 2)}, stopped)


def _single_deal(name: str, seats: int | None, preset: str, **house: Any) -> AnyGame:
    """The game, of one deal unless the house says otherwise."""
    if name in registry.GAMES and "deals" in registry.GAMES[name].rules_type.options():
        house = {"deals": 1, **house}
    return registry.game(name, seats, preset, **house)


def _plain(found: Estimate) -> dict[str, Any]:
    return {"mean": found.mean, "low": found.low, "high": found.high}
