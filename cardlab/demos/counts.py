"""What demonstrations count beside what every simulation counts: read off the compiled twins, or off games that the engine has played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import Any, Final

from cardlab.core.session import Session
from cardlab.games.fight_events import LeadPasses, LeadWon, Turned
from cardlab.games.marshal_events import HandShown, TitlesSet
from cardlab.games.suicide_king import Leaves, Passed
from cardlab.simulation import Plan
from cardlab.simulation.figures import TITLES, events_of
from cardlab.simulation.tally import REMARKABLE, Sums, Tally, most

Span = tuple[int, int]
CARDS: Final = 52
CATEGORIES: Final = 10
SHIFT: Final = 23  # bits of a hand's code below its category
PASSINGS: Final = {passing: k for k, passing in enumerate(permutations(range(TITLES)))}


def _tally(values: Sequence[int], indices: Iterable[int], name: str, size: int, column: Callable[[int], int]) -> Tally:
    """A value of each game: how often each came, and the largest."""
    counts = [0] * size
    for value in values:
        counts[column(value)] += 1
    remarks = most(zip(values, indices, strict=True))
    return Tally(len(values), {name: counts}, {name: [Sums.of(values)]}, {}, {name: remarks})


def _played(plan: Plan, span: Span, read: Callable[[Session], Any]) -> list[Any]:
    """What is read off some games that the engine plays."""
    found = []
    for index in range(*span):
        session = plan.played(index)
        found.append(read(session.goto(len(session))))
    return found


def _firsts(plan: Plan, span: Span, name: str, read: Callable[[Session], Any], *options: Any) -> list[Any]:
    if not plan.compiled:
        return _played(plan, span, read)
    from cardlab.fast import firsts

    rows: list[Any] = getattr(firsts, name)(*options, plan.seed, span[0], span[1] - span[0]).tolist()
    return rows


# Suicide King


def turns(plan: Plan, span: Span) -> Tally:
    """The length of the first turn of each game, the piles being taken in order."""
    lengths = _firsts(plan, span, "turns", _first_turn, plan.game.rules.extra_cards == "batch")
    return _tally(lengths, range(*span), "length", CARDS + 1, int)


def _first_turn(session: Session) -> int:
    taken = 0
    for step in session.steps:
        taken += step.action.verb == "card"
        if any(isinstance(event, Passed | Leaves) for event in step.events):
            break
    return taken


# Fight for the Lead


def matches(plan: Plan, span: Span) -> Tally:
    """Whether the first turned card decides the fight, and how many are turned, in games of one deal."""
    if plan.compiled:
        from cardlab import fast

        games = fast.twin(plan.game.name).play(plan.game, plan.seed, span[0], span[1] - span[0], plan.seated)
        turned = games.turned.tolist()
    else:
        turned = _played(plan, span, _turned)
    return _tally(turned, range(*span), "turned", 2, lambda cards: int(cards == 1))


def _turned(session: Session) -> int:
    """The number of turned cards; a fight that no card decides counts as one card more."""
    turned = 0
    for _, event in events_of(session):
        turned += isinstance(event, Turned)
        if isinstance(event, LeadWon | LeadPasses):
            break
    return turned


# Poker Marshal


def hands(plan: Plan, span: Span, title: int) -> Tally:
    """The hand that a title is dealt in the first deal, by category."""

    def read(session: Session) -> int:
        (first, *_) = (event.seats for _, event in events_of(session) if isinstance(event, TitlesSet))
        shown = (event for _, event in events_of(session) if isinstance(event, HandShown))
        return next(int(event.hand.code) for event in shown if event.seat == first[title])

    codes = _firsts(plan, span, "dealt", read, plan.game.rules.short_hands, title)
    return _tally(codes, range(*span), "hand", CATEGORIES, lambda code: code >> SHIFT)


def passings(plan: Plan, span: Span) -> Tally:
    """Which title each holder gets in games of one deal, by permutation; by how many places all together move."""
    rows = _firsts(plan, span, "passings", _passing, plan.game, plan.seated)
    moved = [sum(abs(new - old) for old, new in enumerate(row)) for row in rows]
    counts = [0] * len(PASSINGS)
    for row in rows:
        counts[PASSINGS[tuple(row)]] += 1
    return Tally(len(rows), {"passings": counts}, {}, {}, {"moved": most(zip(moved, range(*span), strict=True))[:REMARKABLE]})


def _passing(session: Session) -> list[int]:
    old, new = (event.seats for _, event in events_of(session) if isinstance(event, TitlesSet))
    return [new.index(seat) for seat in old]
