"""Fight for the Lead's questions.

Exact where suits can be counted or all cases gone through, else estimates: worlds are drawn, and the deal is played on as the computer
player ``policy`` would. What is asked of a deal ends with it: that a loser stakes the whole bank in the next one (FL-17) is not in a share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.answers import Answer, Exact, Kind, Number
from cardlab.chance.believed import LIMIT, Worlds
from cardlab.chance.fight_lead import Fight, first_match
from cardlab.chance.fight_many import Endings, Forces
from cardlab.chance.fight_play import ANY_CARD, CASES, Rest, next_bank, shares
from cardlab.chance.fight_tricks import Forced, Position, TooMany
from cardlab.chance.fight_winner import Trick, winners
from cardlab.chance.luck import Luck
from cardlab.chance.questions import Options, question
from cardlab.chance.samples import Numbers, differences, estimates
from cardlab.chance.worlds import worlds
from cardlab.chance.worlds_fight import Table, fight_hands
from cardlab.core.dist import Dist
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import Action
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import State
from cardlab.games.fight_view import View
from cardlab.words import Phrase, Words

NAME: Final = "fight_for_the_lead"
AFTER_THE_DEAL: Final = ("refusal", "over")
PROBES: Final = 4  # worlds that tell what one costs
SLACK: Final = 2  # worlds share cases, so that they cost less than one times their number
TRICK: Final = 0.005  # part of what may be gone through that the ways to the end of a trick take
FEW: Final = 250  # samples of a question that plays the deal on many times for each
Values = dict[Any, float]


# The moments that questions fit


def _phase(view: View) -> str:
    assert view.now is not None
    return view.now.phase


def _mine(view: View) -> bool:
    return isinstance(view.viewer, Seat) and view.now is not None and view.now.actor == view.viewer


def _in_deal(game: Any, view: View) -> bool:
    return _phase(view) not in AFTER_THE_DEAL


def _may_lay(game: Any, view: View) -> bool:
    """Whether the fight cards are not opened and the viewer has one to lay, or has laid it."""
    return _phase(view) in ("fight", "turn") and not view.fight and view.viewer in view.playing


def _before_the_fight(game: Any, view: View) -> bool:
    assert view.now is not None
    nothing_dealt = _phase(view) == "lot" or view.now.asks == "shuffle" or (_phase(view) == "deal" and view.viewer is None)
    return nothing_dealt or (_phase(view) in ("fight", "turn") and not view.fight)


def _may_exchange(game: Any, view: View) -> bool:
    return _phase(view) == "exchange" and _mine(view)


def _trick(game: Any, view: View) -> bool:
    return _phase(view) == "tricks" and (bool(view.trick) or _mine(view))


def _search(game: Any, view: View) -> bool:
    return _phase(view) == "tricks" and view.viewer is not None


def _next_deal(game: Any, view: View) -> bool:
    return _phase(view) == "refusal" or (_phase(view) != "over" and view.deal + 1 < game.rules.deals)


# The fight


@question(NAME, "wins_lead", fits=_may_lay, of_seat=True, quick=True)
def wins_lead(game: Any, view: Any, options: Options) -> Answer[Card]:
    """For each card that I may lay, or have laid, the chance to win the right to lead; the others lay any of their cards alike."""
    order = game.clockwise((view.dealer or 0) + 1, view.playing)
    seat = view.viewer
    assert isinstance(seat, Seat)
    fight = Fight(_unseen(game, view), len(order) - 1, view.places["stock"].size, order.index(seat))
    return _fight("wins_lead", {card: Exact(fight.wins(card)) for card in _to_lay(view)}, adds_up=False)


@question(NAME, "suit_turned", fits=_may_lay, of_seat=True)
def suit_turned(game: Any, view: Any, options: Options) -> Answer[Card]:
    """For each card that I may lay the chance that the first turned card is of its suit: (13 - k) / 48 when I was dealt k of it."""
    unseen = _unseen(game, view)
    counts = {card: sum(other.suit == card.suit for other in unseen) for card in _to_lay(view)}
    return _fight("suit_turned", {card: Exact(Fraction(n, len(unseen)), n) for card, n in counts.items()}, adds_up=False)


@dataclass(frozen=True, order=True)
class Match:
    """Whether the first turned card has the suit of a fight card."""

    matches: bool

    def display(self, words: Words) -> str:
        """The outcome in words."""
        return words.text("outcome.fight.match" if self.matches else "outcome.fight.no_match")

    def __str__(self) -> str:
        return "match" if self.matches else "no match"


@question(NAME, "first_match", fits=_before_the_fight, quick=True)
def first_turned_matches(game: Any, view: Any, options: Options) -> Answer[Match]:
    """The chance that the first turned card decides the fight, when everybody lays any of his cards alike."""
    if view.viewer == TEACHER and _may_lay_some(view):
        chance = _open_match(view)
    elif isinstance(view.viewer, Seat) and _may_lay(game, view):
        own = _to_lay(view)
        unseen, others = _unseen(game, view), len(view.playing) - 1
        chance = sum((first_match(unseen, others, card) for card in own), Fraction(0)) / len(own)
    else:
        chance = first_match(game.size.pack, len(view.playing))
    return _fight("first_match", {Match(True): Exact(chance), Match(False): Exact(1 - chance)})


def _may_lay_some(view: View) -> bool:
    return _phase(view) in ("fight", "turn")


def _open_match(view: View) -> Fraction:
    """The same with all cards open: no match is when the turned card is of one suit and no fight card is."""
    stock = view.places["stock"].sure
    lays = [view.places[f"fight {seat}"].sure or view.hand(seat) for seat in view.playing]
    missed = Fraction(0)
    for card in stock:
        chance = Fraction(1)
        for cards in lays:
            chance *= Fraction(sum(other.suit != card.suit for other in cards), len(cards))
        missed += chance
    return 1 - missed / len(stock)


def _unseen(game: FightForTheLead, view: View) -> tuple[Card, ...]:
    return tuple(card for card in game.size.pack if card not in view.got)


def _to_lay(view: View) -> tuple[Card, ...]:
    seat = view.viewer
    assert isinstance(seat, Seat)
    return view.places[f"fight {seat}"].sure or view.hand(seat)


def _fight(name: str, numbers: Mapping[Any, Number], adds_up: bool = True) -> Answer[Any]:
    return Answer(name, numbers, Phrase.of("assumes.fight.lay"), adds_up)


# The tricks and the bank


@question(NAME, "tricks", fits=_in_deal)
def tricks(game: Any, view: Any, options: Options) -> Answer[Seat]:
    """How many tricks of this deal each seat takes on average, those already taken included."""
    numbers = _of_endings(game, view, options, "tricks", lambda end: dict(enumerate(end.tricks)), "mean", view.playing)
    return _play("tricks", numbers, options, adds_up=False, chances=False)


@question(NAME, "share", fits=_in_deal)
def share(game: Any, view: Any, options: Options) -> Answer[Seat]:
    """How much of the bank each seat gets on average at the end of this deal (FL-15)."""
    numbers = _of_endings(game, view, options, "share", lambda end: dict(enumerate(shares(game, end))), "mean", view.playing)
    return _play("share", numbers, options, adds_up=False, chances=False)


@question(NAME, "no_trick", fits=_in_deal)
def no_trick(game: Any, view: Any, options: Options) -> Answer[Seat]:
    """The chance of each seat to be a loser of this deal: in it to the end and without a trick (FL-16)."""
    numbers = _of_endings(game, view, options, "no_trick", lambda end: {int(seat): 1 for seat in end.losers}, "proportion", view.playing)
    return _play("no_trick", numbers, options, adds_up=False)


@question(NAME, "next_bank", fits=_next_deal)
def bank_of_next_deal(game: Any, view: Any, options: Options) -> Answer[int]:
    """The stakes with which the next deal opens (FL-1, FL-17), if nobody refuses to go on of whom it is not known; 0: it is not played."""
    if _phase(view) == "refusal":
        state = worlds(view).sample(lambda m: 0)  # the first of each answer that is hidden: to go on
        numbers: dict[Any, Number] = {next_bank(game, state): Exact(Fraction(1))}
    else:
        numbers = _of_endings(game, view, options, "next_bank", lambda end: {next_bank(game, end): 1}, "proportion", ())
    return Answer("next_bank", dict(sorted(numbers.items())), _policy("next_bank", options))


def _of_endings(
    game: FightForTheLead, view: View, options: Options, name: str, read: Callable[[State], Values], kind: Kind, outcomes: Iterable[int]
) -> dict[Any, Number]:
    """What the ends of the deal say, on average: exact when all cases can be gone through, else estimated.

    ``read`` reads the end of one deal, and ``name`` says what the twin reads of many.
    """
    believed = _believed(view)
    names = {int(seat): Seat(seat) for seat in outcomes}
    ended = _all_endings(game, view, options, believed)
    if ended is not None:
        means = dict.fromkeys(names, Fraction(0))
        for end, chance in ended.items():
            for outcome, value in read(end).items():
                if outcome in names or not names:
                    means[outcome] = means.get(outcome, Fraction(0)) + chance * Fraction(value)
        return {names.get(outcome, outcome): Exact(mean) for outcome, mean in means.items()}
    rest = Rest(game, options.policy, view.deal)

    def draw(numbers: Numbers) -> Values:
        values = read(rest.ending(believed.sample(numbers), numbers.luck()))
        return {outcome: value for outcome, value in values.items() if outcome in names or not names}

    ends = Endings(game, believed, options)
    many = (ends.next_bank if name == "next_bank" else ends.values(name, names)) if ends.known else None
    return {names.get(outcome, outcome): number for outcome, number in estimates(draw, options, kind, names, many=many).items()}


def _believed(view: View) -> Worlds[State]:
    return fight_hands(view) if _phase(view) == "tricks" else worlds(view)


def _all_endings(game: FightForTheLead, view: View, options: Options, believed: Worlds[State]) -> dict[State, Fraction] | None:
    complete = _few(believed, lambda world, part: _cost(Rest(game, options.policy, view.deal, part), [world]))
    if complete is None:
        return None
    try:
        return Rest(game, options.policy, view.deal).endings((world, complete.p(world)) for world in complete)
    except TooMany:
        return None


def _cost(rest: Rest, starts: Iterable[State]) -> float:
    """Which part of what may be gone through the ways from some states take; raises TooMany."""
    rest.endings((state, Fraction(1)) for state in starts)
    return rest.used


def _few(believed: Worlds[State], cost: Callable[[State, float], float]) -> Dist[State] | None:
    """The worlds if they are so few that all ways from them can be gone through; four of them, drawn, tell what one costs.

    ``cost(world, part)`` is the part that one world takes of what may be gone through; it may raise TooMany beyond ``part``.
    """
    size = believed.size
    if size > LIMIT:
        return None
    if size > PROBES:
        try:
            costs = [cost(believed.sample(Numbers(0, k)), min(1.0, PROBES * SLACK / size)) for k in range(PROBES)]
        except TooMany:
            return None
        if sum(costs) / PROBES * size > SLACK:
            return None
    return believed.complete


def _policy(key: str, options: Options) -> Phrase:
    return Phrase.of(f"assumes.fight.{key}", player=Phrase.of(f"player.{options.policy}"))


def _play(name: str, numbers: Mapping[Any, Number], options: Options, adds_up: bool = True, chances: bool = True) -> Answer[Any]:
    return Answer(name, numbers, _policy("play", options), adds_up, chances)


# An exchange


@dataclass(frozen=True, order=True)
class Exchange:
    """An exchange of some cards, or of none (FL-8)."""

    cards: tuple[Card, ...] = ()

    @property
    def action(self) -> Action:
        """The move that begins it."""
        return Action("exchange", self.cards) if self.cards else Action("stand")

    def display(self, words: Words) -> str:
        """The outcome in words."""
        return words.text("outcome.fight.exchange", cards=self.cards) if self.cards else words.text("outcome.fight.stand")

    def __str__(self) -> str:
        return str(self.action)


@question(NAME, "exchange_value", fits=_may_exchange, of_seat=True)
def exchange_value(game: Any, view: Any, options: Options) -> Answer[Exchange]:
    """For each set of my cards what its exchange brings on average beyond exchanging nothing: my share of the bank less what I pay.

    ``exchange=one_by_one``: of the cards named now; what follows is as the policy would go on. Without ``n``, ``half_width`` and
    ``seconds`` 250 samples are drawn: each plays the deal on once for every set, with the same other hands, stock and numbers.
    """
    seat = view.viewer
    assert isinstance(seat, Seat)
    believed = worlds(view)
    state = believed.sample(lambda m: 0)
    choices = [Exchange(action.cards) for action in game.legal(state)]
    numbers = _exact_exchange(game, view, options, believed, choices, seat)
    if numbers is None:
        wanted = options if options.n or options.half_width or options.seconds else replace(options, n=FEW)
        drawn = differences(_exchanging(game, view, options, believed, choices, seat), Exchange())
        ends = Endings(game, believed, options)
        many = ends.balances({choice: choice.action for choice in choices}, Exchange(), seat) if ends.known else None
        numbers = {**estimates(drawn, wanted, "paired", choices, many=many)}
        numbers[Exchange()] = Exact(Fraction(0))
    return _play("exchange_value", numbers, options, adds_up=False, chances=False)


def _exact_exchange(
    game: FightForTheLead, view: View, options: Options, believed: Worlds[State], choices: list[Exchange], seat: Seat
) -> dict[Exchange, Number] | None:
    complete = _few(believed, lambda world, part: _cost(Rest(game, options.policy, view.deal, part), _exchanged(game, world, choices)))
    if complete is None:
        return None
    rest = Rest(game, options.policy, view.deal)
    values: dict[Exchange, Fraction] = {}
    try:
        for choice in choices:
            ended = rest.endings((_exchanged(game, world, [choice])[0], complete.p(world)) for world in complete)
            values[choice] = sum((chance * (end.balances[seat] - view.balances[seat]) for end, chance in ended.items()), Fraction(0))
    except TooMany:
        return None
    return {choice: Exact(value - values[Exchange()]) for choice, value in values.items()}


def _exchanged(game: FightForTheLead, world: State, choices: list[Exchange]) -> list[State]:
    return [game._apply(world, choice.action)[0] for choice in choices]


def _exchanging(
    game: FightForTheLead, view: View, options: Options, believed: Worlds[State], choices: list[Exchange], seat: Seat
) -> Callable[[Numbers], Values]:
    """A sample: one world and one luck for all choices, so that the stock lies in one order and all choose by the same numbers."""
    rest = Rest(game, options.policy, view.deal)

    def draw(numbers: Numbers) -> Values:
        world = believed.sample(numbers)
        ends = ((choice, rest.ending(_exchanged(game, world, [choice])[0], numbers.luck())) for choice in choices)
        return {choice: end.balances[seat] - world.balances[seat] for choice, end in ends}

    return draw


# A trick


@question(NAME, "trick_winner", fits=_trick)
def trick_winner(game: Any, view: Any, options: Options) -> Answer[Any]:
    """Who takes the trick: for the seat to play, the chance to take it with each card; for all others, the chance of each seat."""
    table = Table(view)
    if not _mine(view):
        return _play("trick_winner", _winners(game, view, options, table, None), options)
    seat = view.viewer
    assert isinstance(seat, Seat)
    playable = game.legal(worlds(view).sample(lambda m: 0))
    chances = {action.card: _winners(game, view, options, table, action.card).get(seat, Exact(Fraction(0))) for action in playable}
    return _play("trick_winner", chances, options, adds_up=False)


def _winners(game: FightForTheLead, view: View, options: Options, table: Table, card: Card | None) -> dict[Seat, Number]:
    if options.policy in ANY_CARD and not table.renewed:
        chances = winners(table, Trick.of(view, card))
        return {seat: Exact(chances.get(seat, Fraction(0))) for seat in view.staying}
    believed = _believed(view)
    rest = Rest(game, options.policy, view.deal)
    complete = _few(believed, lambda world, part: TRICK)
    if complete is not None:
        try:
            return _exact_winners(rest, complete, card, view)
        except TooMany:
            pass

    def draw(numbers: Numbers) -> Values:
        return {_one_winner(rest, view, _played(game, believed.sample(numbers), card), numbers.luck()): 1}

    return {**estimates(draw, options, "proportion", view.staying)}


def _played(game: FightForTheLead, world: State, card: Card | None) -> State:
    return world if card is None else game._apply(world, Action("play", (card,)))[0]


def _one_winner(rest: Rest, view: View, state: State, luck: Luck) -> Seat:
    while (taker := rest.taker(view.tricks, state)) is None:
        state = rest.step(state, luck)
    return taker


def _exact_winners(rest: Rest, complete: Dist[State], card: Card | None, view: View) -> dict[Seat, Number]:
    """Every way to the end of the trick; raises TooMany."""
    found = dict.fromkeys(view.staying, Fraction(0))
    ahead = [(_played(rest.game, world, card), complete.p(world)) for world in complete]
    while ahead:
        state, chance = ahead.pop()
        taker = rest.taker(view.tricks, state)
        if taker is not None:
            found[taker] += chance
            continue
        ahead += [(rest.apply(state, action), chance * part) for action, part in rest.choices(state)]
    return {seat: Exact(chance) for seat, chance in found.items()}


# What can be forced


@question(NAME, "guaranteed_tricks", fits=_search, teacher=True)
def guaranteed_tricks(game: Any, view: Any, options: Options) -> Answer[Any]:
    """How many tricks of this deal a player can force when all the others play together against him and all cards are open.

    With the teacher's view a number for each seat; for a seat the chances of each number over the worlds it may believe in: the least
    number with a chance is what it can be sure of.
    """
    assumes = Phrase.of("assumes.fight.forced")
    if view.viewer == TEACHER:
        state = worlds(view).sample(lambda m: 0)
        forced = {seat: Exact(Fraction(_forced(state, seat))) for seat in view.staying}
        return Answer("guaranteed_tricks", forced, assumes, adds_up=False, chances=False)
    seat = view.viewer
    assert isinstance(seat, Seat)
    if seat not in view.staying:
        return Answer("guaranteed_tricks", {0: Exact(Fraction(1))}, assumes)
    believed = fight_hands(view)
    outcomes = range(view.tricks[seat], game.size.hand + 1)
    complete = _few(believed, lambda world, part: _cost_of_search(world, seat, part))
    if complete is not None:
        try:
            return Answer("guaranteed_tricks", _all_forced(complete, seat, outcomes), assumes)
        except TooMany:
            pass
    wanted = options if options.n or options.half_width or options.seconds else replace(options, n=FEW)
    twin = Forces(game, believed, options.seed, seat)
    many = twin.counts if twin.known else None
    numbers = estimates(lambda numbers: {_forced(believed.sample(numbers), seat): 1}, wanted, "proportion", outcomes, many=many)
    return Answer("guaranteed_tricks", numbers, assumes)


def _forced(state: State, seat: Seat, search: Forced | None = None) -> int:
    search = search or Forced(state.staying.index(seat))
    return state.tricks[seat] + search.tricks(Position.of(state))


def _cost_of_search(world: State, seat: Seat, part: float) -> float:
    cases = ceil(CASES * part)
    search = Forced(world.staying.index(seat), cases)
    _forced(world, seat, search)
    assert search.cases is not None
    return (cases - search.cases) / CASES


def _all_forced(complete: Dist[State], seat: Seat, outcomes: range) -> dict[int, Number]:
    """The distribution over all worlds; raises TooMany."""
    found = dict.fromkeys(outcomes, Fraction(0))
    search: Forced | None = None
    for world in complete:
        search = search or Forced(world.staying.index(seat), CASES)
        found[_forced(world, seat, search)] += complete.p(world)
    return {n: Exact(chance) for n, chance in found.items()}
