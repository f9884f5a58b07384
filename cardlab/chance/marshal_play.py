"""How a deal of Poker Marshal goes on from a world to the showdown: every way with its chance, or one way at random.

The players behave as a computer player would; only the answers to an offer may follow a stated chance, since silence is weighed with it,
too: who could give a card gives one with ``accept``, or as the computer player would where that is ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, combinations, groupby, permutations, product
from typing import Final

from cardlab.cards import Bag, Card, Hand, best
from cardlab.chance.luck import Luck
from cardlab.chance.samples import Numbers
from cardlab.core import streams
from cardlab.core.events import Event, Seat
from cardlab.core.game import CHANCE, Action
from cardlab.core.places import Places, Zone, mask_of
from cardlab.core.registry import Player
from cardlab.games.marshal_events import Asks
from cardlab.games.marshal_state import STOREKEEPER, State
from cardlab.games.marshal_view import View
from cardlab.games.poker_marshal import PokerMarshal

Groups = tuple[tuple[Seat, ...], ...]
STEPS: Final = 20_000  # of the engine, gone for one answer: about a second
PROBES: Final = 6  # random ways to the end, before all are tried
HOPELESS: Final = 200_000  # so many ways: equal states that come together make them ten times fewer at best
ENOUGH, ACCEPT, SILENT, PASS = map(Action, ("enough", "accept", "silent", "pass"))


class TooMany(Exception):
    """There are more ways than can be gone through."""


@dataclass(frozen=True)
class Moment:
    """A state, and the cards that the Storekeeper has asked for so far, which a state does not keep."""

    state: State
    asked: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Rest:
    """How the players behave in deal number ``deal``: ``quiet`` is a seat that does nothing more if it may."""

    game: PokerMarshal
    player: Player
    accept: Fraction | None
    quiet: Seat | None = None
    deal: int = 0

    # every way

    def endings(self, starts: Mapping[Moment, Fraction], steps: int | None = None) -> dict[State, Fraction]:
        """The states before the showdown with their chances, gone through in so many ``steps`` at most; raises TooMany."""
        steps = STEPS if steps is None else steps
        if starts and min(self._ways(next(iter(starts)), probe) for probe in range(PROBES)) > HOPELESS:
            raise TooMany
        ended: dict[State, Fraction] = {}
        ahead = dict(starts)
        while ahead:
            after: dict[Moment, Fraction] = {}
            for moment, weight in ahead.items():
                if moment.state.phase == "show":
                    ended[moment.state] = ended.get(moment.state, Fraction(0)) + weight
                    continue
                for action, chance in self.choices(moment):
                    steps -= 1
                    if steps < 0:
                        raise TooMany
                    reached = self.after(moment, action)
                    after[reached] = after.get(reached, Fraction(0)) + weight * chance
            ahead = after
        return ended

    def _ways(self, moment: Moment, probe: int) -> int:
        """The number of ways to the showdown as one random way tells it: the product of the choices along it (Knuth, 1975)."""
        luck, ways = Numbers(0, probe), 1
        while moment.state.phase != "show" and ways <= HOPELESS:
            choices = self.choices(moment)
            ways *= len(choices)
            moment = self.after(moment, choices[luck(len(choices))][0])
        return ways

    def after(self, moment: Moment, action: Action) -> Moment:
        """The moment after an action that is known to be legal."""
        return self._reached(moment, self.game._apply(moment.state, action))

    def _reached(self, moment: Moment, applied: tuple[State, list[Event]]) -> Moment:
        state, events = applied
        return Moment(state, (*moment.asked, *(event.card for event in events if isinstance(event, Asks))))

    def choices(self, moment: Moment) -> list[tuple[Action, Fraction]]:
        """What may be done or drawn next, with its chance."""
        state = moment.state
        seat = self.game.actor(state)
        if seat is CHANCE:
            options = self.game.draw(state).options
            return [(option, Fraction(1, len(options))) for option in options]
        legal = self.game.legal(state)
        if len(legal) == 1 or (seat == self.quiet and legal[0] == ENOUGH):
            return [(legal[0], Fraction(1))]
        if self.accept is not None and (quiet := self._answers(legal)):
            giving = [action for action in legal if action != quiet]
            shares = [(quiet, 1 - self.accept), *((action, self.accept / len(giving)) for action in giving)]
            return [(action, share) for action, share in shares if share]
        return self._chosen(moment, legal)

    def _answers(self, legal: tuple[Action, ...]) -> Action | None:
        """The answer that gives nothing, where an offer is answered."""
        return next((action for action in (SILENT, PASS) if action in legal), None)

    def _chosen(self, moment: Moment, legal: tuple[Action, ...]) -> list[tuple[Action, Fraction]]:
        """All that a computer player may choose: its number is tried with every value; raises TooMany if it asks for two."""
        sizes: list[int] = []

        def choose(value: int) -> Action:
            def below(m: int) -> int:
                sizes.append(m)
                return value

            return self.player.choose(self.game, self._seen(moment), legal, below)

        first = choose(0)
        if not sizes:
            return [(first, Fraction(1))]
        size = sizes[0]
        actions = [first, *map(choose, range(1, size))]
        if len(sizes) != size or {*sizes} != {size}:
            raise TooMany
        return [(action, Fraction(1, size)) for action in actions]

    # one way

    def titles(self, moment: Moment, luck: Luck) -> tuple[Seat, ...]:
        """The titles after the deal, by one way to play it."""
        while moment.state.deal == self.deal and moment.state.phase != "over":
            moment = self.told(moment, luck)[0]
        return moment.state.titles

    def told(self, moment: Moment, luck: Luck) -> tuple[Moment, list[Event]]:
        """The next step of one way, with what happens in it; all answers to a card asked for are one step."""
        state = moment.state
        if state.asked and state.laid and self.accept is not None:
            applied = self.game._open_answers(self._answered(state, self.accept, luck), [])
        else:
            applied = self.game._apply(state, self._one(moment, luck))
        return self._reached(moment, applied), applied[1]

    def _answered(self, state: State, accept: Fraction, luck: Luck) -> State:
        """All answers to a card asked for, at once: the engine would ask seat by seat, and only a holder can give."""
        answers = list(state.answers)
        others = [seat for seat in state.titles if seat != state.titles[STOREKEEPER]]
        for seat in others[len(answers) :]:
            gives = _happens(accept, luck.word(seat, state.deal)) and state.asked in state.hands[seat]
            answers.append((seat, state.asked if gives else None))
        return replace(state, answers=tuple(answers))

    def _one(self, moment: Moment, luck: Luck) -> Action:
        state = moment.state
        seat = self.game.actor(state)
        if not isinstance(seat, Seat):
            return luck.draw(self.game, self.game.draw(state), state.deal)
        legal, word = self.game.legal(state), luck.word(seat, state.deal)  # a number for each decision, also where it decides nothing
        if len(legal) == 1 or (seat == self.quiet and legal[0] == ENOUGH):
            return legal[0]
        if self.accept is not None and (quiet := self._answers(legal)):
            giving = [action for action in legal if action != quiet]
            return giving[streams.below(word << 32 & streams.MASK, len(giving))] if _happens(self.accept, word) else quiet
        return self.player.choose(self.game, self._seen(moment), legal, partial(streams.below, word))

    def _seen(self, moment: Moment) -> View:
        """What the seat to act sees, as far as computer players look at it: its cards, and what is public of an offer."""
        game, state = self.game, moment.state
        seat = game.actor(state)
        assert isinstance(seat, Seat)
        if not getattr(self.player, "looks", True):
            return _blank(game, seat)
        return replace(
            _blank(game, seat), now=game.now(state), titles=state.titles, wins=state.wins, places=_places(game, state, seat),
            deal=state.deal, offers=state.offers, asked=state.asked, shown=state.shown, named=state.named,
            in_vain=tuple((card, 0) for card in moment.asked),
        )  # fmt: skip


def _happens(chance: Fraction, word: int) -> bool:
    return streams.below(word, chance.denominator) < chance.numerator


@lru_cache(maxsize=64)
def _blank(game: PokerMarshal, seat: Seat) -> View:
    return game.blank(seat)


def _places(game: PokerMarshal, state: State, seat: Seat) -> Places:
    """The seat's own cards for sure, and all others perhaps in each other zone."""
    own = mask_of(state.hands[seat])
    others = mask_of(game.size.pack) & ~own
    zones = [(f"hand {other}", Zone(len(state.hands[other]), 0, others)) for other in game.seats if other != seat]
    return Places(((f"hand {seat}", Zone(len(state.hands[seat]), own, 0)), *zones, ("stock", Zone(len(state.stock), 0, others))))


def deal_of(view: View) -> int:
    """The number of the deal; before the first one it is the first."""
    return sum(view.wins)  # each deal has one winner


def asked_in(view: View) -> tuple[Card, ...]:
    """The cards that were asked for so far."""
    return tuple(card for card, _ in view.in_vain)


# The deal and the showdown


def all_deals(game: PokerMarshal, state: State) -> Iterator[State]:
    """Every way to deal the whole pack, each as likely."""

    def dealt(titles: tuple[Seat, ...], stock: tuple[Card, ...], hands: tuple[Bag, ...]) -> Iterator[State]:
        if not titles:
            yield replace(state, phase="marshal", hands=hands, stock=Bag(stock))
            return
        seat, *others = titles
        for cards in combinations(stock, game.size.hands[state.titles.index(seat)]):
            left = tuple(card for card in stock if card not in cards)
            yield from dealt(tuple(others), left, (*hands[:seat], Bag(cards), *hands[seat + 1 :]))

    return dealt(state.titles, game.size.pack, state.hands)


@lru_cache(maxsize=100_000)
def worth(cards: tuple[Card, ...], short_hands: str) -> Hand:
    """What a hand is worth, remembered."""
    return best(cards, short_hands)


def groups_of(game: PokerMarshal, state: State) -> Groups:
    """The seats by the worth of their hands, the highest first; equal ones together, unless the old title parts them (PM-12, PM-13)."""
    values = {seat: worth(state.hands[seat].cards, game.rules.short_hands) for seat in state.titles}
    ranked = sorted(state.titles, key=values.__getitem__, reverse=True)
    if game.rules.title_tie == "incumbent":
        return tuple((seat,) for seat in ranked)
    return tuple(tuple(group) for _, group in groupby(ranked, key=values.__getitem__))


def title_chances(groups: Groups) -> Iterator[tuple[Seat, int, Fraction]]:
    """For each seat the titles that it may get, with their chances: equal hands draw, and each order is as likely."""
    above = 0
    for group in groups:
        for seat in group:
            for title in range(above, above + len(group)):
                yield seat, title, Fraction(1, len(group))
        above += len(group)


def orders(groups: Groups) -> Iterator[tuple[tuple[Seat, ...], Fraction]]:
    """All orders of the seats that equal hands leave open, each as likely."""
    every = list(product(*(tuple(permutations(group)) for group in groups)))
    for chosen in every:
        yield tuple(chain.from_iterable(chosen)), Fraction(1, len(every))


def title_table(game: PokerMarshal, ended: Mapping[State, Fraction]) -> dict[tuple[Seat, int], Fraction]:
    """The chance of each seat to get each title, from the states before the showdown."""
    table = {(seat, title): Fraction(0) for seat in game.seats for title in range(game.players)}
    for state, weight in ended.items():
        for seat, title, share in title_chances(groups_of(game, state)):
            table[seat, title] += weight * share
    return table


def does(rest: Rest, moment: Moment, actions: Iterable[Action]) -> Moment:
    """The moment after some moves of the seat to act."""
    for action in actions:
        moment = rest.after(moment, action)
    return moment
