"""The running mean and where it goes: the first turned card of a fight, and the cards of a turn."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from cardlab.chance import ask
from cardlab.chance.answers import Estimate, Exact
from cardlab.chance.fights import Match
from cardlab.demos import counts
from cardlab.demos.counts import Span
from cardlab.demos.demo import Choice, Demo, Odd, Reading, Row, of_path, read_off
from cardlab.simulation import Plan
from cardlab.simulation.tally import Tally
from cardlab.words import Phrase, Words


class Running(Demo):
    """A number that is followed from game to game."""

    def readings(self) -> list[Reading]:
        """What is exact, and the mean so far."""
        found = [read_off(self.exact[0], "demo.exact", self.chances)]
        if self.games:
            found.append(read_off(self.numbers[0], "demo.so_far", self.chances))
        return found

    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """The path."""
        return of_path(self, f"demo.games.{self.game}", words, [""])


class FirstMatch(Running):
    """Whether the first turned card matches a fight card, when fight cards are random."""

    name = "first_match"
    game = "fight_for_the_lead"
    choices = {"players": Choice((2, 3, 4, 5), 4)}  # noqa: RUF012

    def _plan(self) -> Plan:
        return Plan.of(self.game, "random", self.seed, self.options["players"], deals=1)

    def _count(self, span: Span) -> Tally:
        return counts.matches(self.plan, span)

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The chance as ``cardlab.chance`` counts it."""
        found: Any = ask(self.plan.session(0).view(None), "first_match")[Match(True)]
        return (found,)

    def _numbers(self, tally: Tally) -> tuple[Estimate, ...]:
        missed, matched = tally.tables["turned"]
        return (Estimate.of_hits(matched, missed + matched, self.seed),)

    def oddest(self) -> Odd | None:
        """The fight for which the most cards were turned."""
        return largest(self, "turned", f"demo.{self.name}.odd")


class MeanTurn(Running):
    """How many cards a turn takes at the start of a deal."""

    name = "mean_turn"
    game = "suicide_king"
    choices = {"extra_cards": Choice(("reset", "batch"), "reset")}  # noqa: RUF012
    chances = False

    def _plan(self) -> Plan:
        return first_turns(self.seed, self.options)

    def _count(self, span: Span) -> Tally:
        return counts.turns(self.plan, span)

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The mean as ``cardlab.chance`` counts it."""
        return (Exact(sum((n * p for n, p in exact_turns(self.plan).items()), Fraction(0))),)

    def _numbers(self, tally: Tally) -> tuple[Estimate, ...]:
        return (tally.values["length"][0].estimate(self.seed),)

    def oddest(self) -> Odd | None:
        """The longest first turn."""
        return largest(self, "length", "demo.mean_turn.odd")


def first_turns(seed: int, options: dict[str, Any]) -> Plan:
    """Games of Suicide King that begin alike."""
    return Plan.of("suicide_king", "still", seed, **options)


def exact_turns(plan: Plan) -> dict[int, Fraction]:
    """The chance of each length of the first turn."""
    return {n: Fraction(found.value) for n, found in ask(plan.session(0), "turn_length").numbers.items() if isinstance(found, Exact)}


def largest(demo: Demo, name: str, key: str) -> Odd | None:
    """The game with the largest of some value, said by a key."""
    remarks = demo.tally.remarkable.get(name)
    return Odd(remarks[0][1], Phrase.of(key, n=remarks[0][0])) if remarks else None
