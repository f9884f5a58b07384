"""The bank that explodes, and what a limit of the penalty does to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cardlab.demos.counts import Span
from cardlab.demos.demo import Choice, Demo, Odd, Reading, Row
from cardlab.simulation import Plan
from cardlab.simulation.tally import Sums, Tally
from cardlab.words import Phrase, Words, number
from cardlab.words.percents import decimal

QUANTILES: Final = (0.025, 0.5, 0.975)
Quantiles = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Middle:
    """A value that is known to the width of a bin."""

    low: int
    high: int

    def display(self, words: Words) -> str:
        """The value, or the middle of what it may be."""
        if self.low == self.high:
            return number(self.low)
        return f"≈\u00a0{number(round((self.low + self.high) / 2))}"


@dataclass(frozen=True, slots=True)
class Times:
    """A factor."""

    value: float

    def display(self, words: Words) -> str:
        """The factor with two decimals."""
        return f"×\u00a0{decimal(self.value, words, 2)}"


class Bank(Demo):
    """The bank of each deal, without a limit of the penalty and with one, between the same players with the same deals.

    A game of k deals begins as one of k + 1, so that the bank of the k-th deal is the last one of a game of k.
    """

    name = "bank"
    game = "fight_for_the_lead"
    choices = {  # noqa: RUF012
        "players": Choice((2, 3, 4, 5), 5),
        "penalty_cap": Choice((1, 3, 10, 30), 3),
        "deals": Choice((10, 20), 10),
    }
    batch = 2**11
    sides = ("free", "capped")

    def _plan(self) -> Plan:
        return self._of(self.options["deals"], None)

    def _of(self, deals: int, cap: int | None) -> Plan:
        house: dict[str, Any] = {} if cap is None else {"penalty_cap": cap}
        return Plan.of(self.game, "sensible", self.seed, self.options["players"], deals=deals, **house)

    @cached_property
    def _plans(self) -> dict[str, list[Plan]]:
        caps = zip(self.sides, (None, self.options["penalty_cap"]), strict=True)
        return {side: [self._of(deals, cap) for deals in range(1, self.options["deals"] + 1)] for side, cap in caps}

    def _count(self, span: Span) -> Tally:
        found = Tally(span[1] - span[0])
        for side, plans in self._plans.items():
            tallies = [plan.tally(span)[0] for plan in plans]
            found.values[side] = [tally.values["bank"][0] for tally in tallies]
            if side == "free":
                found.remarkable = {"bank": tallies[-1].remarkable["biggest_bank"]}
        return found

    def banks(self, side: str) -> list[Sums]:
        """What is known of the bank of each deal."""
        return self.tally.values.get(side, [])

    def fan(self, side: str) -> list[Quantiles]:
        """For each deal the ends of the middle 95 % of all banks, and the median between them."""
        return [quantiles(sums) for sums in self.banks(side)]

    def growth(self, side: str) -> float | None:
        """By how much the median grows from deal to deal, on average from the second deal on."""
        middles = [middle for _, middle, _ in self.fan(side)]
        return (middles[-1] / middles[1]) ** (1 / (len(middles) - 2)) if middles else None

    def readings(self) -> list[Reading]:
        """The median bank of the last deal on each side, and the largest bank of all."""
        found = []
        for side in self.sides if self.games else ():
            ends = self.banks(side)[-1].quantile(0.5)
            if ends is not None:
                label = Phrase.of(f"demo.bank.middle.{side}", n=self.options["deals"], cap=self.options["penalty_cap"])
                found.append(Reading(label, Middle(*ends), False, self.games))
        if (growth := self.growth("free")) is not None:
            found.insert(1, Reading(Phrase.of("demo.bank.grows"), Times(growth), False, self.games))
        if remarks := self.tally.remarkable.get("bank"):
            found.append(Reading(Phrase.of("demo.bank.largest"), remarks[0][0], False, self.games))
        return found

    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """A row for each deal."""
        headers = [words.text("demo.bank.deal")]
        for side in self.sides:
            headers += [
                f"{words.text(f'demo.bank.{side}')}: {words.text(f'demo.bank.{name}')}" for name in ("low", "median", "high", "mean")
            ]
        free, capped = self.fan("free"), self.fan("capped")
        rows: list[Row] = []
        for k, both in enumerate(zip(free, capped, strict=True)):
            means = [self.banks(side)[k].estimate(self.seed).mean for side in self.sides]
            rows.append([k + 1, *both[0], means[0], *both[1], means[1]])
        return headers, rows

    def oddest(self) -> Odd | None:
        """The game with the largest bank."""
        remarks = self.tally.remarkable.get("bank")
        return Odd(remarks[0][1], Phrase.of("demo.bank.odd", amount=remarks[0][0])) if remarks else None


def quantiles(sums: Sums) -> Quantiles:
    """The middles of the bins in which the quantiles lie."""
    low, median, high = (ends[0] if ends[0] == ends[1] else sum(ends) / 2 for ends in (sums.quantile(q) or (0, 0) for q in QUANTILES))
    return low, median, high
