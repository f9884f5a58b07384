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
        return self.believed.plain and _covered(self.rest, self.policy) and self.many.fits

    @cached_property
    def _first(self) -> State:
        return self.believed.sample(lambda m: 0)

    @cached_property
    def _columns(self) -> dict[int, int]:
        """By title the column of each hidden hand."""
        seats = self._first.titles
        return {title: self.many.columns[zone] for title, seat in enumerate(seats) if (zone := f"hand {seat}") in self.many.columns}

    def table(self, keys: Mapping[tuple[Seat, int], K]) -> ManySamples[K]:
        """How often each seat gets each title."""

        def many(first: int, n: int) -> dict[K, Tally]:
            counts = fast.twin(self.game.name).counted(self._played(self.draw(first, n), first, ()))
            return {key: Tally.of_hits(counts[seat][title]) for (seat, title), key in keys.items()}

        return many

    def choices(self, choices: Mapping[C, Moves], keys: Mapping[tuple[C, int], K], seat: Seat) -> ManySamples[K]:
        """How often a seat gets each title after each choice, with the same worlds and the same luck for all of them."""

        def many(first: int, n: int) -> dict[K, Tally]:
            found: dict[K, Tally] = {}
            for choice, titles in self.after(choices, seat, first, n).items():
                for title in self.game.seats:
                    found[keys[choice, title]] = Tally.of_hits(int((titles == title).sum()))
            return found

        return many

    def after(self, choices: Mapping[C, Moves], seat: Seat, first: int, n: int) -> dict[C, Any]:
        """The title of a seat after each choice: columns of the same samples."""
        drawn = self.draw(first, n)
        found: dict[C, Any] = {}
        quiet: Any = None
        for choice, actions in choices.items():
            found[choice] = self._titles(drawn, first, actions, seat, quiet)
            if actions == (ENOUGH,) and seat == self.rest.quiet:
                quiet = found[choice]
        return found

    def gains(self, choices: Mapping[C, Moves], base: C, seat: Seat) -> ManySamples[C]:
        """How often a seat wins the deal after each choice and not after the base, less how often it is the other way round."""

        def many(first: int, n: int) -> dict[C, Tally]:
            won = {choice: (titles == 0).astype("int8") for choice, titles in self.after(choices, seat, first, n).items()}
            return {choice: tally_of(wins - won[base]) for choice, wins in won.items()}

        return many

    def draw(self, first: int, n: int) -> Drawn:
        """The hidden cards of some samples, and who of the seats that have answered in secret gives the card that is asked for."""
        from cardlab.fast import fills

        dealt, numbers = self.many.draw(self.seed, first, n)
        accept, asked = self.believed.accept, self._first.asked
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
        asked = mask_of([self._first.asked] if self._first.asked else [])
        for seat, gives in drawn.gives:
            at = [who for who, _ in self._first.answers].index(seat)
            begun["answers"][:, at] = 0
            begun["answers"][gives, at] = asked
        options = {} if rows is None else {"rows": rows}
        return twin.rollouts(self.game, begun, self.seed, first, self.policy, "deal", self.rest.accept, self.rest.quiet, **options)

    def _begun(self, dealt: Any, actions: Sequence[Action]) -> Any:
        """The starts of all samples: as the engine comes to the first of them by the actions, with the other cards in their places.

        Cards that the actions hand over have come to a hand that is hidden.
        """
        twin, world = fast.twin(self.game.name), Moment(self._world(dealt, 0), self.asked)
        moment = does(self.rest, world, actions)
        unseen = [card for card in world.state.laid if self.believed.seen(card) is None]
        got = {seat: set(moment.state.hands[seat]) - set(world.state.hands[seat]) for seat in self.game.seats}
        mine = {title: mask_of(got[moment.state.titles[title]] - set(unseen)) for title in self._columns}
        hands = {title: (column, mine[title]) for title, column in self._columns.items()}
        begun = twin.of_worlds(twin.starts([twin.Moment(moment.state, {}, moment.asked)]), dealt, hands, self.many.columns.get("stock"))
        if unseen:
            to = next((title for title, holder in enumerate(moment.state.titles) if got[holder] & set(unseen)), None)
            twin.lay(begun, dealt[:, self.many.columns["laid"]], to, 0 if to in self._columns else mask_of(unseen))
        return begun

    def _by_jokers(self, dealt: Any, actions: Sequence[Action]) -> Iterable[Any]:
        """How many cards a swap takes depends on how many the victim may give (PM-6): the rows for each number of his jokers."""
        if self._first.phase not in SWAPS or not actions:
            return ()
        zone = f"hand {self.game.parties(self._first)[1]}"
        return fast.twin(self.game.name).by_jokers(dealt[:, self.many.columns[zone]]) if zone in self.many.columns else ()

    def _world(self, dealt: Any, row: int) -> State:
        """A sample as a state of the engine."""
        cards = {zone: tuple(card for card in CARDS if int(dealt[row, at]) >> card.code & 1) for zone, at in self.many.columns.items()}
        return self.believed.build(cards, tuple(seal[0][0] for seal in self.believed.seals(cards)))


def _covered(rest: Rest, policy: str) -> bool:
    """Whether the twin knows the game and how the players behave in it."""
    stated = rest.accept is None or rest.accept.denominator < LARGEST
    return stated and fast.available() and bool(fast.twin(rest.game.name).covers(rest.game, policy))


class Passings:
    """How titles pass in whole deals from a state in which none has been dealt."""

    def __init__(self, rest: Rest, policy: str, seed: int, state: State) -> None:
        self.rest, self.policy, self.seed, self.state = rest, policy, seed, state

    @property
    def known(self) -> bool:
        """Whether the twin can play them."""
        return _covered(self.rest, self.policy)

    def counts(self, first: int, n: int) -> dict[tuple[int, ...], Tally]:
        """How often each passing comes."""
        game, twin = self.rest.game, fast.twin(self.rest.game.name)
        begun = twin.copies(twin.starts([twin.Moment(self.state, {})]), n)
        done = twin.rollouts(game, begun, self.seed, first, self.policy, "deal", self.rest.accept, self.rest.quiet)
        return {passing: Tally.of_hits(times) for passing, times in twin.passings(done).items()}
