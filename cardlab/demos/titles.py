"""Once a Marshal: how titles pass from deal to deal, and how soon it is forgotten who began with which."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Final

from cardlab.chance.answers import Estimate, Exact
from cardlab.chance.titles import Chain
from cardlab.demos import counts
from cardlab.demos.counts import Span
from cardlab.demos.demo import Choice, Demo, Odd, Reading, Row, read_off
from cardlab.simulation import Plan
from cardlab.simulation.figures import TITLES
from cardlab.simulation.tally import Tally
from cardlab.words import Phrase, Words

AHEAD: Final = 10  # deals that are looked ahead
NEAR: Final = 0.01  # a share that is no further from that of the long run counts as equal
Shares = list[list[float]]


class Titles(Demo):
    """The Markov chain of titles: a deal gives the holder of each title a new one."""

    name = "titles"
    game = "poker_marshal"
    choices = {  # noqa: RUF012
        "policy": Choice(("still", "sensible", "random"), "still"),
        "after": Choice((1, 2, 3, 5), 1, looked=True),
    }

    def _plan(self) -> Plan:
        return Plan.of(self.game, self.options["policy"], self.seed, deals=1)

    def _count(self, span: Span) -> Tally:
        return counts.passings(self.plan, span)

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The long run: a deal gives every title to one player, so that none is rarer than another, whatever the players do."""
        return (Exact(Fraction(1, TITLES)),) * TITLES

    @property
    def chain(self) -> Chain | None:
        """The chain of the deals so far; ``None`` before the first."""
        if not self.games:
            return None
        return Chain.of({passing: n for passing, n in zip(counts.PASSINGS, self.tally.tables["passings"], strict=True) if n})

    def matrix(self, deals: int | None = None) -> list[list[Estimate]]:
        """The chance of each title (column) after some deals, for the holder of each title (row); empty before the first deal."""
        chain, deals = self.chain, self.options["after"] if deals is None else deals
        if chain is None:
            return []
        if deals == 1:
            return [[Estimate.of_hits(n, chain.n, self.seed) for n in row] for row in chain.counts]
        spread = [(matrix, times) for (_, times), matrix in zip(chain.passings, chain.power_spread(deals).values(), strict=True)]
        return [
            [_mean([(float(matrix[old][new]), times) for matrix, times in spread], chain.n) for new in chain.titles] for old in chain.titles
        ]

    def ahead(self) -> list[Shares]:
        """The matrices of 0, 1, 2, … deals as plain numbers; empty before the first deal."""
        chain = self.chain
        if chain is None:
            return []
        one = [[float(p) for p in row] for row in chain.matrix]
        powers: list[Shares] = [[[float(old == new) for new in chain.titles] for old in chain.titles]]
        for _ in range(AHEAD):
            powers.append([[sum(row[k] * one[k][new] for k in chain.titles) for new in chain.titles] for row in powers[-1]])
        return powers

    def forgotten(self) -> int | None:
        """After how many deals no share is further than NEAR from that of the long run; ``None`` if it takes more than are looked ahead."""
        for deals, shares in enumerate(self.ahead()):
            if all(abs(p - 1 / TITLES) <= NEAR for row in shares for p in row):
                return deals
        return None

    def readings(self) -> list[Reading]:
        """The long run, who stays at the top, and how soon the start is forgotten."""
        found = [read_off(self.exact[0], "demo.titles.long_run", True)]
        if self.games:
            found.append(read_off(self.matrix(1)[0][0], "demo.titles.stays", True))
            deals = self.forgotten()
            said = Phrase.of("demo.titles.more", n=AHEAD) if deals is None else deals
            found.append(Reading(Phrase.of("demo.titles.forgotten"), said, False, self.games))
        return found

    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """A row for each pair of titles and each number of deals."""
        headers = [words.text(f"demo.titles.{name}") for name in ("deals", "old", "new")]
        headers += [words.text(f"demo.column.{part}").strip() for part in ("mean", "low", "high", "exact")]
        rows: list[Row] = []
        for deals in self.choices["after"].values:
            for old, row in enumerate(self.matrix(deals)):
                named = words.text(f"title.{old}")
                rows += [[deals, named, words.text(f"title.{new}"), p.mean, p.low, p.high, None] for new, p in enumerate(row)]
        endless = words.text("demo.titles.endless")
        rows += [[endless, None, words.text(f"title.{new}"), None, None, None, p.value] for new, p in enumerate(self.exact)]
        return headers, rows

    def oddest(self) -> Odd | None:
        """The deal that moved the most players furthest."""
        remarks = self.tally.remarkable.get("moved")
        return Odd(remarks[0][1], Phrase.of("demo.titles.odd", n=remarks[0][0])) if remarks else None


def _mean(values: list[tuple[float, int]], n: int) -> Estimate:
    return Estimate(n, sum(value * times for value, times in values), sum(value * value * times for value, times in values), "mean")
