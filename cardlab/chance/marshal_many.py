"""Many ends of a deal of Poker Marshal at once: what ``Rest.titles`` of ``marshal_play`` gives for the same samples, by the twin."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from cardlab import fast
from cardlab.cards import Card
from cardlab.cards.card import CARDS
from cardlab.chance.believed import Worlds
from cardlab.chance.fill import thresholds
from cardlab.chance.many import Many, tally_of
from cardlab.chance.marshal_play import ENOUGH, Moment, Rest, does
from cardlab.chance.samples import Many as ManySamples
from cardlab.chance.samples import Tally
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.core.places import mask_of
from cardlab.games.marshal_state import State
from cardlab.games.poker_marshal import SWAPS

C = TypeVar("C", bound=Hashable)
K = TypeVar("K", bound=Hashable)
Moves = tuple[Action, ...]
LARGEST: Final = 2**32  # denominator of the chance that an offer is accepted


class Drawn(NamedTuple):
    """Hidden cards by [sample, column], and by seat the samples in which it gives the card that is asked for."""

    dealt: Any
    gives: tuple[tuple[Seat, Any], ...] = ()


class Titles:
    """The titles after the deal by the worlds of a view; ``asked`` are the cards that were asked for so far."""

    def __init__(self, rest: Rest, policy: str, seed: int, believed: Worlds[State], asked: Iterable[Card]) -> None:
        self.rest, self.policy, self.seed, self.believed, self.asked = rest, policy, seed, believed, tuple(asked)
        self.game = rest.game
        self.many = Many(believed, believed.zones)

    @property
    def known(self) -> bool:
        """Whether the twin can play them."""
        if not (self.believed.plain and fast.available() and self.rest.accept.denominator < LARGEST):
            return False
        return bool(fast.twin(self.game.name).covers(self.game, self.policy)) and self.many.fits

    @property
    def known_choices(self) -> bool:
        """Whether the twin can play on after a choice: not where the last answer brings a card that lies face down into a hand."""
        return self.known and "laid" not in self.many.columns

    @cached_property
    def _columns(self) -> dict[int, int]:
        """By title the column of each hidden hand."""
        titles = self.believed.sample(lambda m: 0).titles
        return {title: self.many.columns[zone] for title, seat in enumerate(titles) if (zone := f"hand {seat}") in self.many.columns}

    def table(self, keys: Mapping[tuple[Seat, int], K]) -> ManySamples[K]:
        """How often each seat gets each title."""

        def many(first: int, n: int) -> dict[K, Tally]:
            counts = fast.twin(self.game.name).counted(self._played(self.draw(first, n), first, ()))
            return {key: Tally.of_hits(counts[seat][title]) for (seat, title), key in keys.items()}

        return many

    def choices(self, choices: Mapping[C, Moves], keys: Mapping[tuple[C, int], K], seat: Seat) -> ManySamples[K]:
        """How often a seat gets each title after each choice, with the same worlds and the same luck for all of them."""

        def many(first: int, n: int) -> dict[K, Tally]:
            drawn = self.draw(first, n)
            found: dict[K, Tally] = {}
            quiet: Any = None
            for choice, actions in choices.items():
                titles = self._titles(drawn, first, actions, seat, quiet)
                quiet = titles if actions == (ENOUGH,) else quiet
                for title in self.game.seats:
                    found[keys[choice, title]] = Tally.of_hits(int((titles == title).sum()))
            return found

        return many

    def gains(self, choices: Mapping[C, Moves], base: C, seat: Seat) -> ManySamples[C]:
        """How often a seat wins the deal after each choice and not after the base, less how often it is the other way round."""

        def many(first: int, n: int) -> dict[C, Tally]:
            drawn = self.draw(first, n)
            zero = self._titles(drawn, first, choices[base], seat, None)
            titles = {
                choice: zero if choice == base else self._titles(drawn, first, moves, seat, zero) for choice, moves in choices.items()
            }
            return {choice: tally_of((found == 0).astype("int8") - (zero == 0)) for choice, found in titles.items()}

        return many

    def draw(self, first: int, n: int) -> Drawn:
        """The hidden cards of some samples, and who of the seats that have answered in secret gives the card that is asked for."""
        from cardlab.fast import fills

        dealt, numbers = self.many.draw(self.seed, first, n)
        accept, asked = self.rest.accept, self.believed.sample(lambda m: 0).asked
        until = thresholds([accept.denominator - accept.numerator, accept.numerator])
        gives: list[tuple[Seat, Any]] = []
        for seat in self.believed.sealing:
            column = self.many.columns.get(f"hand {seat}")
            rows: Any = [] if column is None or asked is None else fills.holding(dealt, [column], asked.code)
            if 0 < accept < 1:
                rows = rows[fills.some(until, rows, numbers) == 1] if len(rows) else rows
            gives.append((seat, rows if accept else []))
        return Drawn(dealt, tuple(gives))

    def _titles(self, drawn: Drawn, first: int, actions: Moves, seat: Seat, quiet: Any) -> Any:
        """A seat's title in each sample; a card that nobody holds is asked for in vain, and all goes on as when nobody offers anything."""
        from cardlab.fast import fills

        twin = fast.twin(self.game.name)
        if quiet is None or actions[0].verb != "ask":
            return twin.title_of(self._played(drawn, first, actions), seat)
        held = fills.holding(drawn.dealt, list(self._columns.values()), actions[0].card.code)
        titles = quiet.copy()
        if len(held):
            titles[held] = twin.title_of(self._played(Drawn(drawn.dealt[held]), first, actions, held), seat)
        return titles

    def _played(self, drawn: Drawn, first: int, actions: Sequence[Action], rows: Any = None) -> Any:
        twin, dealt = fast.twin(self.game.name), drawn.dealt
        begun = self._begun(dealt, actions)
        for some in self._by_jokers(dealt, actions):
            begun[some] = self._begun(dealt[some], actions)
        if "laid" in self.many.columns:
            begun["laid"][:, 0] = dealt[:, self.many.columns["laid"]]
        state = self.believed.sample(lambda m: 0)
        for seat, gives in drawn.gives:
            at = [who for who, _ in state.answers].index(seat)
            begun["answers"][:, at] = 0
            begun["answers"][gives, at] = mask_of([state.asked] if state.asked else [])
        options = {} if rows is None else {"rows": rows}
        return twin.rollouts(self.game, begun, self.seed, first, self.policy, "deal", self.rest.accept, self.rest.quiet, **options)

    def _begun(self, dealt: Any, actions: Sequence[Action]) -> Any:
        """The starts of all samples: as the engine comes to the first of them by the actions, with the other cards in their places.

        Cards that the actions hand over have come to a hand that is hidden.
        """
        twin, world = fast.twin(self.game.name), Moment(self._world(dealt, 0), self.asked)
        moment = does(self.rest, world, actions)
        got = {seat: mask_of(set(moment.state.hands[seat]) - set(world.state.hands[seat])) for seat in self.game.seats}
        hands = {title: (column, got[moment.state.titles[title]]) for title, column in self._columns.items()}
        return twin.of_worlds(twin.starts([twin.Moment(moment.state, {}, moment.asked)]), dealt, hands, self.many.columns.get("stock"))

    def _by_jokers(self, dealt: Any, actions: Sequence[Action]) -> Iterable[Any]:
        """How many cards a swap takes depends on how many the victim may give (PM-6): the rows for each number of his jokers."""
        state = self.believed.sample(lambda m: 0)
        if state.phase not in SWAPS or not actions:
            return ()
        zone = f"hand {self.game.parties(state)[1]}"
        return fast.twin(self.game.name).by_jokers(dealt[:, self.many.columns[zone]]) if zone in self.many.columns else ()

    def _world(self, dealt: Any, row: int) -> State:
        """A sample as a state of the engine."""
        cards = {zone: tuple(card for card in CARDS if int(dealt[row, at]) >> card.code & 1) for zone, at in self.many.columns.items()}
        return self.believed.build(cards, tuple(seal[0][0] for seal in self.believed.seals(cards)))


class Passings:
    """How titles pass in whole deals from a state in which none has been dealt."""

    def __init__(self, rest: Rest, policy: str, seed: int, state: State) -> None:
        self.rest, self.policy, self.seed, self.state = rest, policy, seed, state

    @property
    def known(self) -> bool:
        """Whether the twin can play them."""
        if not (fast.available() and self.rest.accept.denominator < LARGEST):
            return False
        return bool(fast.twin(self.rest.game.name).covers(self.rest.game, self.policy))

    def counts(self, first: int, n: int) -> dict[tuple[int, ...], Tally]:
        """How often each passing comes."""
        game, twin = self.rest.game, fast.twin(self.rest.game.name)
        begun = twin.copies(twin.starts([twin.Moment(self.state, {})]), n)
        done = twin.rollouts(game, begun, self.seed, first, self.policy, "deal", self.rest.accept, self.rest.quiet)
        return {passing: Tally.of_hits(times) for passing, times in twin.passings(done).items()}
