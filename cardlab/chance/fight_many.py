"""Many ends of a deal of Fight for the Lead at once: what ``Rest.ending`` of ``fight_play`` gives for the same samples, by the twin."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from cardlab import fast
from cardlab.chance.believed import Worlds
from cardlab.chance.fight_tricks import SUIT, Position
from cardlab.chance.many import Many, hits, tally_of
from cardlab.chance.questions import Options
from cardlab.chance.samples import Tally
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import State

C = TypeVar("C", bound=Hashable)


class Endings:
    """The ends of the deal by the worlds of a view, when everybody behaves like the computer player ``policy``."""

    def __init__(self, game: FightForTheLead, believed: Worlds[State], options: Options) -> None:
        self.game, self.believed, self.options = game, believed, options
        self.many = Many(believed, believed.zones)
        self.world = believed.sample(lambda m: 0)
        self._starts: dict[Any, Any] = {}

    @property
    def known(self) -> bool:
        """Whether the twin can play them."""
        if not (self.believed.plain and fast.available()):
            return False
        return bool(fast.twin(self.game.name).covers(self.game, self.options.policy)) and self._small and self.many.fits

    @property
    def _small(self) -> bool:
        """Whether all amounts stay far from where the twin gives up."""
        return max(self.world.bank, self.world.last_bank, *map(abs, self.world.balances)) < 2**48

    def draw(self, first: int, n: int) -> tuple[Any, dict[Seat, Any]]:
        """The hidden cards of some samples, and what the seats have chosen that have sealed something: a fight card, or to leave."""
        from cardlab.fast import fills

        dealt, numbers = self.many.draw(self.options.seed, first, n)
        chosen: dict[Seat, Any] = {}
        for seat in self.believed.sealing:
            if self.world.phase == "drop":
                chosen[seat] = fills.alike(2, numbers)
            else:
                hand = dealt[:, self.many.columns[f"hand {seat}"]]
                chosen[seat] = fills.pick_out(hand, fills.alike(self.game.size.hand, numbers))
        return dealt, chosen

    def ends(self, first: int, n: int, actions: Sequence[Action] = (), drawn: Any = None) -> Any:
        """What the ends say, a row for each sample, after some actions of the seat to act."""
        twin = fast.twin(self.game.name)
        dealt, chosen = self.draw(first, n) if drawn is None else drawn
        state = self._reached(actions)
        begun = twin.of_worlds(twin.starts(self.game, [(state, {})]), dealt, self._hands, self.many.columns.get("stock"), chosen)
        return twin.endings(self.game, begun, self.options.seed, first, self.options.policy)

    @property
    def _hands(self) -> dict[int, int]:
        """The columns of the hands that are hidden."""
        return {seat: self.many.columns[zone] for seat in self.game.seats if (zone := f"hand {seat}") in self.many.columns}

    def _reached(self, actions: Sequence[Action]) -> State:
        """The state after some actions; drops are not opened, as those of the others are another matter in each sample."""
        state = self.world
        for action in actions:
            if state.phase == "drop":
                assert state.mover is not None
                state = replace(state, sealed=(*state.sealed, (state.mover, action.verb)))
            else:
                state = self.game._apply(state, action)[0]
        return state

    def _begun(self, plans: tuple[Sequence[Action], ...]) -> Any:
        """The starts after some plans, kept for the next samples."""
        if plans not in self._starts:
            self._starts[plans] = fast.twin(self.game.name).starts(self.game, [(self._reached(actions), {}) for actions in plans])
        return self._starts[plans]

    def after(self, choices: Mapping[C, Sequence[Action]], name: str, seat: Seat, first: int, n: int) -> dict[C, Any]:
        """A value of a seat after each choice: columns of the same samples."""
        drawn = self.draw(first, n)
        begun, stock = self._begun(tuple(choices.values())), self.many.columns.get("stock")
        numbers = self.options.seed, first, self.options.policy
        found = fast.twin(self.game.name).after_each(self.game, begun, drawn[0], self._hands, stock, *numbers, seat)
        if found is not None:
            return dict(zip(choices, found[name], strict=True))
        return {choice: self.ends(first, n, actions, drawn)[name][seat] for choice, actions in choices.items()}

    def values(self, name: str, outcomes: Iterable[int]) -> Callable[[int, int], Mapping[int, Tally]]:
        """A value by seat, or whether something comes to a seat."""

        def many(first: int, n: int) -> Mapping[int, Tally]:
            columns = self.ends(first, n)[name]
            return {seat: tally_of(columns[seat]) for seat in outcomes}

        return many

    def next_bank(self, first: int, n: int) -> Mapping[int, Tally]:
        """How often each bank comes."""
        return hits(self.ends(first, n)["next_bank"][0])

    def balances(self, choices: Mapping[Any, Action], base: Any, seat: Seat) -> Callable[[int, int], Mapping[Any, Tally]]:
        """What each choice brings a seat beyond the base, in the same samples."""

        def many(first: int, n: int) -> Mapping[Any, Tally]:
            found = self.after({choice: (action,) for choice, action in choices.items()}, "balance", seat, first, n)
            return {choice: tally_of(column - found[base]) for choice, column in found.items()}

        return many


class Forces:
    """How many tricks a player can force against all the others, by the worlds of a view in the phase of the tricks."""

    def __init__(self, game: FightForTheLead, believed: Worlds[State], seed: int, seat: Seat) -> None:
        self.game, self.seed, self.seat = game, seed, seat
        self.many = Many(believed, believed.zones)
        self.world = believed.sample(lambda m: 0)
        self.known = believed.plain and fast.available() and self.many.fits

    def counts(self, first: int, n: int) -> Mapping[int, Tally]:
        """How often each number of tricks can be forced, those already taken included."""
        from cardlab.fast import fight_forced

        dealt, _ = self.many.draw(self.seed, first, n)
        at, staying = Position.of(self.world), self.world.staying
        columns = [self.many.columns.get(f"hand {seat}", -1) for seat in staying]
        trick = fight_forced.Trick(at.mover, at.played, SUIT[at.led] if at.led >= 0 else 0, 1 << at.high if at.played else 0, at.best)
        forced = fight_forced.forced(dealt, columns, at.hands, trick, staying.index(self.seat))
        return hits(forced + self.world.tricks[self.seat])
