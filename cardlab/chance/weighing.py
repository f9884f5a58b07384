"""Moves weighed by rollouts: each is tried in worlds that agree with the view, and everybody plays on by a rule of thumb to the deal's end.

A sample is one world with one luck for all moves, so that two moves differ by what they do and not by the cards that come after them
(common random numbers). A score is what a match counts: in Fight for the Lead the balance after the deal, a loser's penalty counted as
paid; in Poker Marshal the places below the Marshal, as a negative number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Estimate
from cardlab.chance.fight_many import Endings
from cardlab.chance.fight_play import Rest as FightRest
from cardlab.chance.fight_play import score
from cardlab.chance.marshal_many import Titles
from cardlab.chance.marshal_play import Moment, asked_in, deal_of, does
from cardlab.chance.marshal_play import Rest as MarshalRest
from cardlab.chance.marshals import swaps
from cardlab.chance.questions import Options
from cardlab.chance.samples import Numbers
from cardlab.chance.worlds import worlds
from cardlab.chance.worlds_fight import fight_hands
from cardlab.core.game import Action, AnyGame, Moves
from cardlab.core.registry import player
from cardlab.games.poker_marshal import SWAPS
from cardlab.words import Phrase, Words, usual_language
from cardlab.words.percents import decimal

MANY: Final = 8  # moves that are all tried in every world
FIRST: Final = 4  # more of them are tried in one world of so many, and then the best so many in all
SLOW: Final = 32  # where the engine must play, one world of so many
LEAST: Final = 4  # worlds, however few are wanted
Plans = Mapping[Action, Moves]  # what is tried, with the moves that it takes
Scores = dict[Action, list[int]]  # of each plan, sample by sample
Scored = Callable[[Plans, int, int], Scores]  # of so many samples from the first on


@dataclass(frozen=True)
class Tried:
    """A move, or cards to be laid one by one, with the mean score, and how far that is beyond the chosen one's in the same samples."""

    action: Action
    score: Estimate
    beyond: Estimate


@dataclass(frozen=True)
class Weighed:
    """All that was tried, the best first, and the move chosen; where nothing was weighed there are no samples."""

    game: AnyGame
    chosen: Action
    moves: tuple[Tried, ...]

    @property
    def worlds(self) -> int:
        """In how many worlds the best was tried."""
        return self.moves[0].score.n

    def display(self, words: Words) -> str:
        """A line for each move, the chosen one first."""
        rows = [self._head(words), *("  " + "; ".join(row) for row in self._rows(words))]
        return "\n".join(rows)

    def _head(self, words: Words) -> str:
        if not self.worlds:
            return words.text("weighed.untried", move=_Move(self.game, self.chosen))
        return words.text(
            "weighed.head", move=_Move(self.game, self.moves[0].action), n=len(self.moves), score=Phrase.of(f"weighed.{self.game.name}")
        )

    def _rows(self, words: Words) -> Iterable[tuple[str, ...]]:
        for tried in self.moves if self.worlds else ():
            beyond = "" if tried is self.moves[0] else words.text("weighed.beyond", found=_told(tried.beyond, words))
            told = (_Move(self.game, tried.action).display(words) + ": " + _told(tried.score, words), beyond)
            yield (*filter(None, told), words.text("weighed.worlds", n=tried.score.n))

    def __str__(self) -> str:
        return self.display(Words(usual_language()))

    def _repr_html_(self) -> str:
        words = Words(usual_language())
        lines = "".join("<tr>" + "".join(f"<td>{escape(said)}</td>" for said in row) + "</tr>" for row in self._rows(words))
        return f"<p>{escape(self._head(words))}</p><table>{lines}</table>"


@dataclass(frozen=True)
class _Move:
    """A move as on its button."""

    game: AnyGame
    action: Action

    def display(self, words: Words) -> str:
        return self.game.say_action(self.action, words)


def _told(found: Estimate, words: Words) -> str:
    assert found.mean is not None
    half = found.half_width
    return decimal(found.mean, words) + ("" if half is None else f"\u00a0±\u00a0{decimal(half, words)}")


def untried(game: AnyGame, legal: Moves, chosen: Action) -> Weighed:
    """A choice where there is nothing to weigh."""
    return Weighed(game, chosen, tuple(Tried(action, Estimate(kind="mean"), Estimate(kind="paired")) for action in legal))


def weigh(view: Any, legal: Moves, usual: Action, seed: int, n: int, policy: str) -> Weighed:
    """The moves of the seat to act, tried in ``n`` worlds with the numbers of ``seed``; of equal ones ``usual`` is chosen, or the first.

    Cards that are laid or given one after another are tried in all sets, and the first of the best set is chosen. More than eight moves are
    tried in a quarter of the worlds, and the best eight in all of them. Where the compiled twin cannot play on, because something else
    than cards is hidden, one world of 32 must do, with and without the twin.
    """
    scored, quick = _SCORED[view.game.name](view, seed, policy)
    plans = _plans(view, legal)
    n = max(n if quick else n // SLOW, LEAST)
    first = max(n // FIRST, LEAST) if len(plans) > MANY else n
    scores = scored(plans, 0, first)

    def merit(action: Action) -> tuple[int, bool]:
        return sum(scores[action]), usual in plans[action]

    best = sorted(plans, key=merit, reverse=True)[:MANY] if first < n else [*plans]
    for action, more in scored({action: plans[action] for action in best}, first, n - first).items() if first < n else ():
        scores[action] += more
    chosen = max(best, key=merit)
    moves = (Tried(action, _mean(scores[action], "mean", seed), _beyond(scores[action], scores[chosen], seed)) for action in plans)
    ranked = sorted(moves, key=lambda tried: (tried.action != chosen, -tried.score.n, -(tried.score.mean or 0)))
    return Weighed(view.game, plans[chosen][0], tuple(ranked))


def _plans(view: Any, legal: Moves) -> Plans:
    """What is tried: each move, or each set of cards to be laid or given from now on."""
    if view.now.phase in SWAPS and legal[-1].verb in ("lay", "give"):
        return {choice.actions[0]: moves for choice, moves in swaps(view.game, view)}
    return {action: (action,) for action in legal}


def _mean(values: Sequence[int], kind: Any, seed: int) -> Estimate:
    return Estimate(len(values), sum(values), sum(value * value for value in values), kind, seed)


def _beyond(values: Sequence[int], chosen: Sequence[int], seed: int) -> Estimate:
    """The paired difference in the samples that both have."""
    return _mean([value - other for value, other in zip(values, chosen, strict=False)], "paired", seed)


# The scores


def _fight(view: Any, seed: int, policy: str) -> tuple[Scored, bool]:
    game, seat = view.game, view.viewer
    believed = fight_hands(view) if view.now.phase == "tricks" else worlds(view)
    ends, rest = Endings(game, believed, Options(seed=seed, policy=policy)), FightRest(game, policy, view.deal)

    def scored(plans: Plans, first: int, n: int) -> Scores:
        if ends.known:
            return {action: column.tolist() for action, column in ends.after(plans, "score", seat, first, n).items()}

        def one(world: Any, moves: Moves, numbers: Numbers) -> int:
            return score(game, rest.ending(game._apply(world, moves[0])[0], numbers.luck()), seat)

        return _one_by_one(believed.sample, one, plans, seed, range(first, first + n))

    return scored, believed.plain and ends.many.fits


def _marshal(view: Any, seed: int, policy: str) -> tuple[Scored, bool]:
    game, seat = view.game, view.viewer
    believed, asked = worlds(view), asked_in(view)
    rest = MarshalRest(game, player(policy), accept=None, deal=deal_of(view))
    titles = Titles(rest, policy, seed, believed, asked)

    def scored(plans: Plans, first: int, n: int) -> Scores:
        if titles.known:
            return {action: (-column).tolist() for action, column in titles.after(plans, seat, first, n).items()}

        def one(world: Any, moves: Moves, numbers: Numbers) -> int:
            return -rest.titles(does(rest, Moment(world, asked), moves), numbers.luck()).index(seat)

        return _one_by_one(believed.sample, one, plans, seed, range(first, first + n))

    return scored, believed.plain and titles.many.fits


def _one_by_one(
    sample: Callable[[Numbers], Any], one: Callable[[Any, Moves, Numbers], int], plans: Plans, seed: int, indices: range
) -> Scores:
    """The scores of some samples by the engine."""
    found: Scores = {action: [] for action in plans}
    for index in indices:
        numbers = Numbers(seed, index)
        world = sample(numbers)
        for action, moves in plans.items():
            found[action].append(one(world, moves, numbers))
    return found


_SCORED: Final[dict[str, Callable[[Any, int, str], tuple[Scored, bool]]]] = {"fight_for_the_lead": _fight, "poker_marshal": _marshal}
