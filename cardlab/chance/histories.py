"""How the deal on the table may have been played so far, as a viewer's story leaves open, and how probable the choices in it were.

A history begins with a deal of the unseen cards (``origins``) and is played step by step with the game's own rules; whatever shows the
viewer something else than its story falls out. A seat for which a computer player is assumed chooses from its own view in that history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, Final

from cardlab.cards import Bag, Card
from cardlab.chance.believed import drawn
from cardlab.chance.fight_tricks import TooMany
from cardlab.chance.habits import NO_ANSWER, Chances, chances_of, untold
from cardlab.chance.origins import Origins
from cardlab.core.events import Event, Seat, Viewer
from cardlab.core.game import CHANCE, Action, AnyGame
from cardlab.core.registry import Player
from cardlab.games import fight_events as fight
from cardlab.games import fight_state, marshal_state
from cardlab.games import marshal_events as marshal

STEPS: Final = 20_000  # of the engine, to go through all histories
PHASES: Final = {
    "fight_for_the_lead": ("deal", "fight", "turn", "replace", "drop", "exchange", "tricks"),
    "poker_marshal": ("deal", "marshal", "deputy", "offers", "bandit", "show"),
}  # in which hidden cards are in play


def in_play(view: Any) -> bool:
    """Whether there are hidden cards in play about which choices may tell something: not between deals, nor after a showdown."""
    assert view.now is not None
    return view.now.phase in PHASES.get(view.game.name, ()) and view.now.asks != "shuffle"


class Mind:
    """What a seat has been shown, folded into a view only when it is to choose; ``shared`` by the histories in which it is the same."""

    def __init__(self, game: AnyGame, shared: bool, view: Any = None, before: Mind | None = None, shown: tuple[Event, ...] = ()) -> None:
        self.game, self.shared, self._view = game, shared, view
        self._before, self._shown = before, shown
        self._after: dict[tuple[Event, ...], Mind] = {}
        self._chances: dict[tuple[Action, ...], Chances] = {}

    def after(self, shown: tuple[Event, ...]) -> Mind:
        """What it has been shown when it has been shown some events more."""
        found = self._after.get(shown) if self.shared else None
        if found is None:
            found = Mind(self.game, self.shared, before=self, shown=shown)
            if self.shared:
                self._after[shown] = found
        return found

    @property
    def view(self) -> Any:
        """Its view."""
        unseen: list[Mind] = []
        mind = self
        while mind._before is not None and mind._view is None:
            unseen.append(mind)
            mind = mind._before
        for mind in reversed(unseen):
            assert mind._before is not None
            mind._view = reduce(self.game.see, mind._shown, mind._before._view)
        return self._view

    def chances(self, chooser: Player, legal: tuple[Action, ...]) -> Chances:
        """What a player chooses who has been shown this."""
        found = self._chances.get(legal)
        if found is None:
            found = self._chances[legal] = chances_of(chooser, self.game, self.view, legal)
        return found


@dataclass(frozen=True, slots=True)
class Point:
    """Where a history stands: the state, how much of the story is told, what each looking player has been shown."""

    state: Any
    told: int
    minds: tuple[tuple[Any, Mind], ...]


@dataclass
class Histories:
    """The histories that a view leaves open; ``players`` are the assumed computer players of some seats."""

    view: Any
    players: Mapping[Seat, Player]
    accept: Fraction
    steps: int = STEPS
    shared: bool = True  # what seats are shown in many histories is kept: not worth while where they are drawn
    _blind: dict[tuple[Seat, tuple[Action, ...]], Chances] = field(default_factory=dict)  # of players who do not look

    @property
    def game(self) -> AnyGame:
        game: AnyGame = self.view.game
        return game

    @property
    def viewer(self) -> Viewer:
        viewer: Viewer = self.view.viewer
        return viewer

    @cached_property
    def origins(self) -> Origins:
        """The deals of the unseen cards."""
        return Origins(self.view)

    # all of them, or one at random

    def every(self) -> dict[Any, Fraction]:
        """The states now, each with the sum over its histories of how probable the choices were; raises TooMany."""
        if self.origins.fill.count * len(self.view.story) > self.steps:
            raise TooMany
        found: dict[Any, Fraction] = {}
        for dealt in self.origins.every():
            ahead = [(self.start, Fraction(1))]
            while ahead:
                point, weight = ahead.pop()
                if self.over(point):
                    found[point.state] = found.get(point.state, Fraction(0)) + weight
                else:
                    ahead += [(after, weight * chance) for after, chance in self.after(point, dealt)]
        return found

    def one(self, rng: Callable[[int], int]) -> tuple[Any, float]:
        """A state at random and its weight; ``None`` and 0 when what was drawn contradicts the story.

        The deal is drawn alike, and each step in proportion to its chance among those that show what was seen; the weight is the product
        of the sums of these chances. So the mean of a weight times anything is the sum over all histories, divided by their number.
        """
        point, weight = self.played(self.start, rng)
        return (None if point is None else point.state), weight

    def played(self, start: Point, rng: Callable[[int], int]) -> tuple[Point | None, float]:
        """Where a history at random ends that begins at ``start``, and its weight."""
        dealt = self.origins.one(rng)
        point, weight = start, 1.0
        while not self.over(point):
            steps = list(self.after(point, dealt))
            if not steps:
                return None, 0.0
            weight *= float(sum(chance for _, chance in steps))
            point = drawn(steps, rng)
        return point, weight

    def over(self, point: Point) -> bool:
        """Whether a history has come to the moment of the view."""
        return point.told == len(self.view.story) and self.game.now(point.state) == self.view.now

    # the steps

    @cached_property
    def start(self) -> Point:
        """The moment after the shuffle, at which nothing is hidden."""
        return self.start_of(seat for seat, chooser in self.players.items() if getattr(chooser, "looks", True))

    def start_of(self, viewers: Iterable[Any]) -> Point:
        """That moment, with what some viewers are shown from it on."""
        state, shuffled = _FIRST[self.game.name](self.view)
        first = replace(shuffled, now=self.game.now(state))
        return Point(state, 0, tuple((viewer, Mind(self.game, self.shared, replace(first, viewer=viewer))) for viewer in viewers))

    def after(self, point: Point, dealt: Mapping[int, Card]) -> Iterator[tuple[Point, Fraction]]:
        """The steps that show the viewer what it has seen, each with its chance."""
        for action, chance in self._options(point, dealt):
            self.steps -= 1
            if self.steps < 0:
                raise TooMany
            state, events = self.game._apply(point.state, action)
            told = point.told
            shown = [seen for event in events if (seen := event.seen(self.viewer)) is not None]
            if list(self.view.story[told : told + len(shown)]) == shown:
                yield Point(state, told + len(shown), self._shown(point, state, events)), chance

    def _shown(self, point: Point, state: Any, events: list[Event]) -> tuple[tuple[Any, Mind], ...]:
        told = (*events, self.game.now(state)) if point.minds else ()
        return tuple(
            (seat, mind.after(tuple(seen for event in told if (seen := event.seen(seat)) is not None))) for seat, mind in point.minds
        )

    def _options(self, point: Point, dealt: Mapping[int, Card]) -> list[tuple[Action, Fraction]]:
        """What may be done or drawn next, with its chance."""
        state = point.state
        actor = self.game.actor(state)
        if actor is CHANCE:
            return self._draws(point, dealt)
        assert isinstance(actor, Seat)
        legal = self.game.legal(state)
        fits = _Later(self.view.story[point.told :], actor, state).fits
        return [(action, chance) for action, chance in self._chances(point, actor, legal).items() if chance and fits(action)]

    def _draws(self, point: Point, dealt: Mapping[int, Card]) -> list[tuple[Action, Fraction]]:
        draw = self.game.draw(point.state)
        told: Any = self.view.story[point.told] if point.told < len(self.view.story) else None
        card = dealt.get(point.told) or getattr(told, "card", None)
        if draw.verb == "blind":
            options = [option for option in draw.options if card in (None, option.card)]
            return [(option, Fraction(1, len(draw.options))) for option in options]
        return [(Action(draw.verb, (card,)), Fraction(1))] if card in draw.cards else []

    def _chances(self, point: Point, seat: Seat, legal: tuple[Action, ...]) -> Chances:
        if seat == self.viewer or seat not in self.players:
            return dict.fromkeys(legal, Fraction(1)) if seat == self.viewer else untold(legal, self.accept)
        chooser = self.players[seat]
        mind: Mind | None = dict(point.minds).get(seat)
        if mind is not None:
            return mind.chances(chooser, legal)
        found = self._blind.get((seat, legal))
        if found is None:
            found = self._blind[seat, legal] = chances_of(chooser, self.game, self.game.blank(seat), legal)
        return found


# The moment after the shuffle: the state, and the view of somebody


def _first_of_fight(view: Any) -> tuple[fight_state.State, Any]:
    """The stakes are paid: the bank less all that was exchanged since."""
    fees = [0] * view.game.players
    for event in view.story:
        if isinstance(event, fight.Exchanged):
            fees[event.seat] += event.fee
    balances, bank = tuple(balance + fee for balance, fee in zip(view.balances, fees, strict=True)), view.bank - sum(fees)
    nothing = (0,) * view.game.players
    state = fight_state.State(
        phase="deal", dealer=view.dealer, playing=view.playing, balances=balances, hands=(Bag(),) * view.game.players, tricks=nothing,
        deal=view.deal, bank=bank, last_bank=view.last_bank, staying=view.playing, stock=Bag(view.game.size.pack),
    )  # fmt: skip
    paid = replace(view, balances=balances, bank=bank)
    return state, view.game.see(paid, fight.Shuffled(rule="FL-3", deal=view.deal, dealer=view.dealer))


def _first_of_marshal(view: Any) -> tuple[marshal_state.State, Any]:
    hands = (Bag(),) * view.game.players
    state = marshal_state.State("deal", view.titles, hands, view.wins, deal=view.deal, stock=Bag(view.game.size.pack), streak=view.streak)
    dealer = view.titles[marshal_state.STOREKEEPER]
    return state, view.game.see(view, marshal.Shuffled(rule="PM-3", deal=view.deal, dealer=dealer))


_FIRST: Final[dict[str, Callable[[Any], tuple[Any, Any]]]] = {
    "fight_for_the_lead": _first_of_fight,
    "poker_marshal": _first_of_marshal,
}


# What was learnt of a choice later


@dataclass(frozen=True)
class _Later:
    """The story that follows a choice of a seat: a choice that it contradicts need not be played."""

    story: tuple[Event, ...]
    seat: Seat
    state: Any

    def fits(self, action: Action) -> bool:
        """Whether a choice can be the one that was made."""
        match action.verb:
            case "fight":
                return self._opened(
                    fight.FightCards, lambda event: action.card is dict(zip(event.seats, event.cards, strict=True))[self.seat]
                )
            case "stay" | "drop":
                return self._opened(fight.DropsOpened, lambda event: (self.seat in event.seats) == (action.verb == "drop"))
            case "exchange":
                return not any(
                    isinstance(event, fight.Played) and event.seat == self.seat and event.card in action.cards for event in self.story
                )
            case "silent" | "accept" | "pass":
                return self._answers(action)
            case "lay" if getattr(self.state, "shown", None):
                return self._answers(action)
            case "enough":
                return not (self.story and isinstance(self.story[0], marshal.Laid))
            case "lay" | "give":
                return self._lays(action.card)
        return True

    def _opened(self, kind: type[Event], right: Callable[[Any], bool]) -> bool:
        return next((right(event) for event in self.story if isinstance(event, kind)), True)

    def _answers(self, action: Action) -> bool:
        """A sealed answer, by how the answers were opened, and by the card that was picked."""
        opened = next(
            (at for at, event in enumerate(self.story) if isinstance(event, marshal.Gives | marshal.Silence | marshal.LaidBy)), None
        )
        if opened is None:
            return True
        event: Any = self.story[opened]
        seats = event.seats if isinstance(event, marshal.LaidBy) else (event.seat,) if isinstance(event, marshal.Gives) else ()
        if (self.seat in seats) == (action.verb in NO_ANSWER):
            return False
        picked: Any = self.story[opened + 1] if opened + 1 < len(self.story) else None
        if isinstance(picked, marshal.Picked) and picked.to == self.seat and picked.laid is not None:
            return action.cards == (picked.laid,)
        return True

    def _lays(self, card: Card) -> bool:
        """A card laid face down, by the cards that the viewer saw come to a hand."""
        nth = len(self.state.laid)
        for event in self.story:
            match event:
                case marshal.SwapDone(seat=seat, cards=cards) if seat == self.seat:
                    return nth >= len(cards) or cards[nth] in (None, card)
                case marshal.Gives(to=keeper, laid=laid) if keeper == self.seat:
                    return laid in (None, card)
                case marshal.Silence():
                    return True
        return True
