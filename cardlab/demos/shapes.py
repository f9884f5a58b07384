"""Theory over observation: how long turns are, and which hands are dealt."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from cardlab.cards.hands import Category, best
from cardlab.chance.answers import Estimate, Exact
from cardlab.chance.marshal_hands import hand_counts
from cardlab.core.events import Seat
from cardlab.demos import counts
from cardlab.demos.counts import Span
from cardlab.demos.demo import Choice, Demo, Odd, Reading, Row, read_off
from cardlab.demos.means import exact_turns, first_turns, largest
from cardlab.games.marshal_events import HandShown, TitlesSet
from cardlab.games.marshal_state import Size
from cardlab.simulation import Plan
from cardlab.simulation.figures import TITLES, events_of
from cardlab.simulation.tally import Tally
from cardlab.words import Phrase, Words

LONG: Final = 12  # cards from which on turns stand together


@dataclass(frozen=True)
class AtLeast:
    """So many cards or more."""

    n: int

    def display(self, words: Words) -> str:
        """As an axis names it."""
        return f"≥\u00a0{self.n}"


class Shape(Demo):
    """A distribution: how often each outcome came, beside how often it comes in the long run."""

    @property
    @abstractmethod
    def outcomes(self) -> tuple[Any, ...]:
        """What may come, in order."""

    @abstractmethod
    def hits(self) -> tuple[int, ...]:
        """How often each came."""

    @property
    def shares(self) -> tuple[Estimate, ...]:
        """How often each outcome came."""
        return tuple(Estimate.of_hits(n, self.games, self.seed) for n in self.hits())

    def table(self, words: Words) -> tuple[list[str], list[Row]]:
        """A row for each outcome."""
        headers = [words.text(key) for key in (f"demo.{self.name}.outcome", f"demo.games.{self.game}")]
        headers += [words.text(f"demo.column.{part}").strip() for part in ("mean", "low", "high", "exact")]
        rows: list[Row] = []
        for outcome, share, exact in zip(self.outcomes, self.shares, self.exact, strict=True):
            shown = outcome if isinstance(outcome, int) and not isinstance(outcome, Category) else words.show(outcome)
            rows.append([shown, int(share.total), share.mean, share.low, share.high, exact.value])
        return headers, rows


class TurnLengths(Shape):
    """How many cards a turn takes: a distribution with a long tail."""

    name = "turn_lengths"
    game = "suicide_king"
    choices = {"extra_cards": Choice(("reset", "batch"), "reset")}  # noqa: RUF012
    outcomes = (*range(1, LONG), AtLeast(LONG))

    def _plan(self) -> Plan:
        return first_turns(self.seed, self.options)

    def _count(self, span: Span) -> Tally:
        return counts.turns(self.plan, span)

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The chance of each length."""
        chances = exact_turns(self.plan)
        first = [chances.get(n, Fraction(0)) for n in range(1, LONG)]
        return tuple(map(Exact, (*first, 1 - sum(first))))

    def hits(self) -> tuple[int, ...]:
        """How often each length came."""
        lengths = self.tally.tables.get("length", [0] * (counts.CARDS + 1))
        return *lengths[1:LONG], sum(lengths[LONG:])

    def readings(self) -> list[Reading]:
        """A turn of a single card, and a long one."""
        found = [read_off(self.exact[0], "demo.turn_lengths.one", True), read_off(self.exact[-1], "demo.turn_lengths.long", True, n=LONG)]
        if self.games:
            found.insert(1, read_off(self.shares[0], "demo.turn_lengths.one_so_far", True))
            found.append(read_off(self.shares[-1], "demo.turn_lengths.long_so_far", True, n=LONG))
        return found

    def oddest(self) -> Odd | None:
        """The longest first turn."""
        return largest(self, "length", "demo.mean_turn.odd")


class Hands(Shape):
    """The hands that a title is dealt, by category."""

    name = "hands"
    game = "poker_marshal"
    choices = {  # noqa: RUF012
        "title": Choice(tuple(range(TITLES)), 0),
        "short_hands": Choice(("incomplete", "casino"), "incomplete"),
    }
    outcomes = tuple(Category)

    def _plan(self) -> Plan:
        return Plan.of(self.game, "still", self.seed, deals=1, short_hands=self.options["short_hands"])

    def _count(self, span: Span) -> Tally:
        return counts.hands(self.plan, span, self.options["title"])

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The chance of each category."""
        size = Size()
        found = hand_counts(size.hands[self.options["title"]], size.pack, self.options["short_hands"])
        return tuple(Exact(Fraction(found.get(category, 0), sum(found.values())), found.get(category, 0)) for category in Category)

    def hits(self) -> tuple[int, ...]:
        """How often each category came."""
        return tuple(self.tally.tables.get("hand", [0] * counts.CATEGORIES))

    def readings(self) -> list[Reading]:
        """A hand that is no more than a high card, and one of the five best kinds."""
        found = []
        for category in (Category.HIGH_CARD, Category.FOUR_OF_A_KIND):
            found.append(read_off(self.exact[category], "demo.hands.exact", True, hand=category))
            if self.games:
                found.append(read_off(self.shares[category], "demo.hands.so_far", True, hand=category))
        return found

    def oddest(self) -> Odd | None:
        """The best hand."""
        remarks = self.tally.remarkable.get("hand")
        if not remarks:
            return None
        index = remarks[0][1]
        return Odd(index, Phrase.of("demo.hands.odd", hand=self._best_of(index)))

    def _best_of(self, index: int) -> Any:
        session = self.plan.played(index)
        session.goto(len(session))
        events = [event for _, event in events_of(session)]
        holder: Seat = next(event.seats for event in events if isinstance(event, TitlesSet))[self.options["title"]]
        shown = next(event for event in events if isinstance(event, HandShown) and event.seat == holder)
        return best(shown.cards, self.options["short_hands"])
