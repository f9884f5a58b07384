"""Seats of Suicide King: they differ, by less than most samples can show."""

from __future__ import annotations

from functools import cached_property
from math import ceil
from typing import Any, Final

from cardlab.chance import ask
from cardlab.chance.answers import Estimate, Exact, Z
from cardlab.core.events import Seat
from cardlab.demos.counts import Span
from cardlab.demos.demo import Choice, Demo, Odd, Reading, Row, of_path, read_off
from cardlab.simulation import Plan
from cardlab.simulation.tally import Tally
from cardlab.words import Phrase, Words

POWER: Final = 0.8416212335729143  # the point of the normal distribution below which 80 % lie


class Seats(Demo):
    """How often each seat is the last one left, seats being counted from the one that moves first."""

    name = "seats"
    game = "suicide_king"
    choices = {  # noqa: RUF012
        "players": Choice((2, 3, 4, 5), 2),
        "extra_cards": Choice(("reset", "batch"), "reset"),
        "king_of_hearts": Choice(("deal_goes_on", "ends_deal"), "deal_goes_on"),
    }

    def _plan(self) -> Plan:
        players = self.options["players"]
        house = {key: self.options[key] for key in ("extra_cards", "king_of_hearts")}
        return Plan.of(self.game, "still", self.seed, players, first_dealer=players - 1, **house)

    def _count(self, span: Span) -> Tally:
        found, _ = self.plan.tally(span)
        return found

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The chance of each seat as ``cardlab.chance`` counts it."""
        session = self.plan.session(0)
        session.play()  # the first dealer
        found: Any = ask(session, "last_player").numbers
        return tuple(found[Seat(seat)] for seat in range(self.options["players"]))

    def _numbers(self, tally: Tally) -> tuple[Estimate, ...]:
        return tuple(Estimate.of_hits(n, tally.games, self.seed) for n in tally.tables["last"])

    @property
    def furthest(self) -> tuple[int, int]:
        """The seats that differ most: the one that is last most often, and the one that is so least often."""
        chances = [float(chance) for chance in self.exact]
        return chances.index(max(chances)), chances.index(min(chances))

    @property
    def needed(self) -> int | None:
        """How many games show the largest difference with a chance of 80 %, in a test that sees one where there is none in 5 %.

        n = (1.96 + 0.84)² · (p + q - (p - q)²) / (p - q)², the variance of a difference of two shares of the same games.
        """
        high, low = (float(self.exact[seat]) for seat in self.furthest)
        apart = high - low
        return ceil((Z + POWER) ** 2 * (high + low - apart**2) / apart**2) if apart else None

    def apart(self) -> Estimate:
        """The largest difference as it came: 1 for a game lost by the one seat, -1 for one lost by the other."""
        lost, less = (self.tally.tables["last"][seat] for seat in self.furthest)
        return Estimate(self.games, lost - less, lost + less, "paired", self.seed)

    def readings(self) -> list[Reading]:
        """The largest difference, what it is so far, and how many games it takes."""
        one, other = map(Seat, self.furthest)
        high, low = (self.exact[seat].value for seat in self.furthest)
        seats: dict[str, Any] = {"one": one, "other": other}
        found = [read_off(Exact(high - low), "demo.seats.apart", True, **seats)]
        if self.games > 1:
            found.append(read_off(self.apart(), "demo.seats.apart_so_far", True, **seats))
        if self.needed is not None:
            found.append(Reading(Phrase.of("demo.seats.needed"), self.needed, True))
        return found

    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """The path of every seat."""
        names = [f"{words.seat(seat)}: " for seat in range(self.options["players"])]
        return of_path(self, "demo.games.suicide_king", words, names)

    def oddest(self) -> Odd | None:
        """The game with the longest turn."""
        remarks = self.tally.remarkable.get("longest_turn")
        return Odd(remarks[0][1], Phrase.of("demo.seats.odd", n=remarks[0][0])) if remarks else None
