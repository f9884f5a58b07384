"""Poker Marshal: what can be asked of a moment.

Cards are counted exactly (``marshal_hands``, ``marshal_cards``). Titles depend on what the players do: where the worlds and the ways from
them to the showdown are few they are all gone through (``marshal_play``), otherwise some are drawn at random.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from math import lcm
from typing import Any, Final, TypeVar

from cardlab.cards import Card, Category
from cardlab.chance import marshal_cards
from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.marshal_hands import completed, hand_counts, jokers_dealt
from cardlab.chance.marshal_many import Passings, Titles
from cardlab.chance.marshal_outcomes import Choice, DealsToStreak, HandOf, JokersOf, LongRun, Passes, Settled, TitleOf, Where
from cardlab.chance.marshal_play import (
    ENOUGH,
    Moment,
    Rest,
    TooMany,
    all_deals,
    asked_in,
    deal_of,
    does,
    groups_of,
    orders,
    title_table,
    worth,
)
from cardlab.chance.questions import Options, question
from cardlab.chance.samples import Numbers, estimates
from cardlab.chance.titles import Chain, Passing, all_different, one_player, place_odds, same_marshal
from cardlab.chance.worlds import Worlds, worlds
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import Action
from cardlab.core.registry import player
from cardlab.games.marshal_state import BANDIT, MARSHAL, STOREKEEPER, Lots, State
from cardlab.games.marshal_view import View
from cardlab.games.poker_marshal import SWAPS, PokerMarshal, plain
from cardlab.words import Phrase

K = TypeVar("K", bound=Hashable)
POKER_MARSHAL: Final = "poker_marshal"
POWERS: Final = (1, 2, 5, 10)  # deals after which the chain of titles is told
USUAL_CHOICES: Final = 100  # samples where many choices are compared and nothing is asked for
DRAWS: Final = ("titles", "ties")
MOST: Final = 20_000  # worlds, each after each choice, that are all gone through
Moves = tuple[Action, ...]


def phase(view: View) -> str:
    """The phase of a view."""
    assert view.now is not None
    return view.now.phase


def before_deal(view: View) -> bool:
    """Whether the next deal has not begun."""
    return phase(view) == "titles" or (view.now is not None and view.now.asks == "shuffle")


def chance_alone() -> Phrase:
    """The answer depends on no player."""
    return Phrase.of("assumes.chance_alone")


def choices_tell_nothing(accept: Fraction) -> Phrase:
    """The answer depends on what earlier choices tell."""
    return Phrase.of("assumes.marshal.blind", accept=accept)


def behaving(options: Options) -> Phrase:
    """The answer depends on what the players will do."""
    return Phrase.of("assumes.marshal.play", player=Phrase.of(f"player.{options.policy}"), accept=options.accept)


# Hands


@question(POKER_MARSHAL, "best_hand", fits=lambda game, view: phase(view) != "over")
def best_hand(game: Any, view: View, options: Options) -> Answer[HandOf]:
    """What each hand is worth: before the deal, as it will be dealt; later, as it is now, the Bandit's new cards included.

    A hand out of which cards are laid at the moment is left out.
    """
    shares = partial(_dealt, game, view) if _nothing_tells(view) else partial(_held, game, view, worlds(view, options.accept), options)
    numbers: dict[HandOf, Exact | Estimate] = {}
    for title, size in enumerate(game.size.hands):
        numbers.update({HandOf(title, size, category): number for category, number in shares(title, size).items()})
    return Answer("best_hand", numbers, _of_cards(view, options), adds_up=False)


def _nothing_tells(view: View) -> bool:
    """Whether all cards that a viewer has not seen are still alike."""
    return before_deal(view) or phase(view) == "deal"


def _of_cards(view: View, options: Options) -> Phrase:
    return chance_alone() if _nothing_tells(view) or view.viewer == TEACHER else choices_tell_nothing(options.accept)


def _dealt(game: PokerMarshal, view: View, title: int, size: int) -> dict[Category, Exact]:
    """The hand that a title will be dealt."""
    if before_deal(view):
        return _counted(hand_counts(size, game.size.pack, game.rules.short_hands))
    return _counted(marshal_cards.dealt_hand(view, title, size, game.size.pack, game.rules.short_hands))


def _held(
    game: PokerMarshal, view: View, believed: Worlds[State], options: Options, title: int, size: int
) -> dict[Category, Exact] | dict[Category, Estimate]:
    """The hand that a title holds, once all is dealt."""
    rule: str = game.rules.short_hands
    zones, cards = marshal_cards.zones_of(view, title, size)
    own = marshal_cards.sure_hand(view, title)
    if cards != size:
        return {}
    if not marshal_cards.known(view, title):
        if not marshal_cards.countable(believed, zones, size):
            return _sampled(game, view, believed, options, title)
        shares = marshal_cards.from_zones(believed, zones, (), size, rule)
    elif view.viewer == TEACHER or len(own) == size:
        return _counted(completed(own, view.places["stock"].sure, size - len(own), rule))
    else:
        shares = marshal_cards.from_zones(believed, ["stock"], own, size - len(own), rule)
    return {category: Exact(share) for category, share in shares.items()}


def _sampled(game: PokerMarshal, view: View, believed: Worlds[State], options: Options, title: int) -> dict[Category, Estimate]:
    """The hand that a title holds, from some of the worlds."""

    def draw(numbers: Numbers) -> dict[Category, float]:
        hand = believed.sample(numbers).hands[view.titles[title]]
        return {worth(hand.cards, game.rules.short_hands).category: 1}

    return estimates(draw, options, outcomes=Category)


def _counted(counts: Mapping[Category, int]) -> dict[Category, Exact]:
    total = sum(counts.values())
    return {category: Exact(Fraction(number, total), number) for category, number in counts.items()}


@question(POKER_MARSHAL, "jokers", fits=lambda game, view: phase(view) != "over")
def jokers(game: Any, view: View, options: Options) -> Answer[JokersOf]:
    """How many jokers each hand holds; before and while cards are dealt, how many it will hold."""
    believed = None if _nothing_tells(view) else worlds(view, options.accept)
    numbers = {
        JokersOf(title, size, n): Exact(share)
        for title, size in enumerate(game.size.hands)
        for n, share in _jokers(game, view, believed, title, size).items()
    }
    return Answer("jokers", numbers, _of_cards(view, options), adds_up=False)


def _jokers(game: PokerMarshal, view: View, believed: Worlds[State] | None, title: int, size: int) -> dict[int, Fraction]:
    if before_deal(view):
        dealt = jokers_dealt(size, game.size.pack)
        return {n: dealt.p(n) for n in dealt}
    if believed is None:
        return marshal_cards.jokers_dealt_to(view, title, size, game.size.pack)
    seat = f"hand {view.titles[title]}"
    if marshal_cards.known(view, title):
        return {sum(card.joker for card in view.places[seat].sure): Fraction(1)}
    return marshal_cards.jokers_in(believed, seat)


# Titles


@question(POKER_MARSHAL, "title_draw", fits=lambda game, view: phase(view) in DRAWS, quick=True)
def title_draw(game: Any, view: View, options: Options) -> Answer[Settled]:
    """Whether those who draw for titles get different ranks."""
    chance = all_different(_lots(view))
    return Answer("title_draw", {Settled(True): Exact(chance), Settled(False): Exact(1 - chance)}, chance_alone())


def _lots(view: View) -> Lots:
    """The draw for titles, which is open to all."""
    lots: Lots | None = worlds(view).sample(Numbers(0, 0)).lots
    assert lots is not None
    return lots


@question(POKER_MARSHAL, "next_title", fits=lambda game, view: phase(view) != "over")
def next_title(game: Any, view: View, options: Options) -> Answer[TitleOf]:
    """Which title each seat has after the draw, or after the showdown of this deal."""
    if phase(view) in DRAWS:
        odds = place_odds(_lots(view))
        exact = {TitleOf(seat, title): Exact(p) for seat in game.seats for title, p in enumerate(odds[seat])}
        return Answer("next_title", exact, chance_alone(), adds_up=False)
    rest = Rest(game, player(options.policy), options.accept, deal=deal_of(view))
    believed = worlds(view, options.accept)
    numbers = _exact_titles(rest, view, believed, {None: ()}) or _title_estimates(rest, view, believed, options)
    return Answer("next_title", numbers, behaving(options), adds_up=False)


def start_of(view: View, state: State) -> Moment:
    """A world as a moment to play on from."""
    return Moment(state, asked_in(view))


def _exact_titles(
    rest: Rest, view: View, believed: Worlds[State], choices: Mapping[Choice, Moves] | Mapping[None, Moves]
) -> dict[TitleOf, Exact | Estimate]:
    """Every title of every seat after each choice, from all worlds and all ways to the showdown; nothing where they are too many."""
    complete = believed.complete if len(choices) * believed.size <= MOST else None
    if complete is None:
        return {}
    numbers: dict[TitleOf, Exact | Estimate] = {}
    try:
        for choice, actions in choices.items():
            starts: dict[Moment, Fraction] = {}
            for state in complete:
                moment = does(rest, start_of(view, state), actions)
                starts[moment] = starts.get(moment, Fraction(0)) + complete.p(state)
            for (seat, title), chance in title_table(rest.game, rest.endings(starts)).items():
                numbers[TitleOf(seat, title, choice)] = Exact(chance)
    except TooMany:
        return {}
    return numbers


def _title_estimates(rest: Rest, view: View, believed: Worlds[State], options: Options) -> dict[TitleOf, Exact | Estimate]:
    def draw(numbers: Numbers) -> dict[TitleOf, float]:
        titles = rest.titles(start_of(view, believed.sample(numbers)), numbers.luck())
        return {TitleOf(seat, title): 1 for title, seat in enumerate(titles)}

    outcomes = {(seat, title): TitleOf(seat, title) for seat in rest.game.seats for title in range(rest.game.players)}
    titles = Titles(rest, options.policy, options.seed, believed, asked_in(view))
    return {**estimates(draw, options, outcomes=outcomes.values(), many=titles.table(outcomes) if titles.known else None)}


# Choices


def my_move(view: View, *phases: str) -> bool:
    """Whether the viewer is to act in one of these phases."""
    return view.now is not None and view.now.phase in phases and view.now.actor == view.viewer


def _offer_move(view: View) -> bool:
    """Whether the viewer may offer something, or give something for what is offered."""
    if not my_move(view, "offers"):
        return False
    assert isinstance(view.viewer, Seat)
    hand = view.hand(view.viewer)
    keeper = view.titles.index(view.viewer) == STOREKEEPER
    return keeper or (view.asked in hand if view.asked else any(not card.joker for card in hand))


@question(POKER_MARSHAL, "swap_value", fits=lambda game, view: my_move(view, *SWAPS), of_seat=True)
def swap_value(game: Any, view: View, options: Options) -> Answer[Choice]:
    """The chance to win the deal after each set of cards that the Marshal or the Deputy may lay."""
    return Answer("swap_value", _values(game, view, options, dict(swaps(game, view))), behaving(options), adds_up=False)


@question(POKER_MARSHAL, "offer_value", fits=lambda game, view: _offer_move(view), of_seat=True)
def offer_value(game: Any, view: View, options: Options) -> Answer[Choice]:
    """The chance to win the deal after each offer, or each answer to one; who makes an offer then makes no other."""
    return Answer("offer_value", _values(game, view, options, dict(offers(game, view))), behaving(options), adds_up=False)


@question(POKER_MARSHAL, "redraw_value", fits=lambda game, view: my_move(view, "bandit"), of_seat=True)
def redraw_value(game: Any, view: View, options: Options) -> Answer[HandOf | TitleOf]:
    """The Bandit's new hand if he redraws, exactly, and his title after keeping and after redrawing."""
    keep, redraw = Choice((Action("keep"),)), Choice((Action("redraw"),))
    size = game.size.hands[BANDIT]
    believed = worlds(view, options.accept)
    choices = {keep: keep.actions}
    numbers: dict[HandOf | TitleOf, Exact | Estimate] = {}
    if view.places["stock"].size >= size:
        choices[redraw] = redraw.actions
        shares = marshal_cards.from_zones(believed, ["stock"], (), size, game.rules.short_hands)
        numbers.update({HandOf(BANDIT, size, category): Exact(share) for category, share in shares.items()})
    titles = choice_titles(game, view, options, believed, choices)
    numbers.update({outcome: number for outcome, number in titles.items() if outcome.seat == view.viewer})
    return Answer("redraw_value", numbers, behaving(options), adds_up=False)


def _values(game: PokerMarshal, view: View, options: Options, choices: Mapping[Choice, Moves]) -> dict[Choice, Exact | Estimate]:
    """The chance of the seat to be Marshal after the showdown, for each choice."""
    assert isinstance(view.viewer, Seat)
    titles = choice_titles(game, view, options, worlds(view, options.accept), choices)
    return {choice: titles[TitleOf(view.viewer, MARSHAL, choice)] for choice in choices}


def choice_titles(
    game: PokerMarshal, view: View, options: Options, believed: Worlds[State], choices: Mapping[Choice, Moves]
) -> dict[TitleOf, Exact | Estimate]:
    """The viewer's titles after each choice; the same luck falls on all choices of a sample."""
    assert isinstance(view.viewer, Seat)
    seat = view.viewer
    rest = Rest(game, player(options.policy), options.accept, seat, deal_of(view))
    exact = _exact_titles(rest, view, believed, choices)
    if exact:
        return exact
    if options.n is None and options.half_width is None and options.seconds is None and len(choices) > 2:
        options = replace(options, n=USUAL_CHOICES)

    def draw(numbers: Numbers) -> dict[TitleOf, float]:
        start = start_of(view, believed.sample(numbers))
        quiet: int | None = None
        found: dict[TitleOf, float] = {}
        for choice, actions in choices.items():
            if quiet is not None and in_vain(start.state, actions):
                title = quiet  # nobody holds the card: all goes on as after no offer
            else:
                title = rest.titles(does(rest, start, actions), numbers.luck()).index(seat)
                quiet = title if actions == (ENOUGH,) else quiet
            found[TitleOf(seat, title, choice)] = 1
        return found

    outcomes = {(choice, title): TitleOf(seat, title, choice) for choice in choices for title in range(game.players)}
    titles = Titles(rest, options.policy, options.seed, believed, asked_in(view))
    many = titles.choices(choices, outcomes, seat) if titles.known else None
    return {**estimates(draw, options, outcomes=outcomes.values(), many=many)}


def in_vain(state: State, actions: tuple[Action, ...]) -> bool:
    """Whether an offer asks for a card that no hand holds."""
    return actions[0].verb == "ask" and not any(actions[0].card in hand for hand in state.hands)


def swaps(game: PokerMarshal, view: View) -> Iterator[tuple[Choice, Moves]]:
    """Every number of cards that may be drawn, or every set of cards that may be laid or given from now on."""
    assert isinstance(view.viewer, Seat)
    most = game.size.swaps[0 if SWAPS[phase(view)][0] == MARSHAL else 1]
    if game.rules.swap == "take_then_give" and view.named is None:
        for n in range(most + 1):
            yield Choice((Action("take", number=n),)), (Action("take", number=n),)
        return
    verb, left = ("lay", most - view.places["laid"].size) if view.named is None else ("give", view.named - view.places["laid"].size)
    own = [card for card in view.hand(view.viewer) if not card.joker]
    for n in range(left + 1) if verb == "lay" else [left]:
        for cards in combinations(own, n):
            moves = tuple(Action(verb, (card,)) for card in cards)
            yield Choice((Action(verb, cards),) if cards else (ENOUGH,)), moves if n == left else (*moves, ENOUGH)


def offers(game: PokerMarshal, view: View) -> Iterator[tuple[Choice, Moves]]:
    """Every offer with each card that may be laid beside it; for the others, every answer."""
    assert isinstance(view.viewer, Seat)
    state = worlds(view).sample(Numbers(0, 0))  # what is legal can be told from the view, so that any world will do
    for action in game.legal(state):
        laid = plain(state.hands[view.viewer]) if action.verb == "ask" else ()
        offers: list[Moves] = [(action, Action("lay", (card,))) for card in laid]
        for moves in offers or [(action,)]:
            yield Choice(moves), moves


# Where a card is


@question(POKER_MARSHAL, "holder", fits=lambda game, view: phase(view) in ("offers", "bandit") and _asked_for(view) is not None)
def holder(game: Any, view: View, options: Options) -> Answer[Where]:
    """Where the card may be that the Storekeeper asked for last: as if silence told nothing, and with silence weighed."""
    card = _asked_for(view)
    assert card is not None
    before, after = (worlds(view, accept).where(card) for accept in (Fraction(0), options.accept))
    if view.asked:
        after = _if_silent(view, after, options.accept)
    numbers = {Where(_place(zone), False): Exact(chance) for zone, chance in before.items()}
    numbers |= {Where(_place(zone), True): Exact(chance) for zone, chance in after.items()}
    return Answer("holder", numbers, choices_tell_nothing(options.accept), adds_up=False)


def _asked_for(view: View) -> Card | None:
    """The card that the Storekeeper asks for now, or the last one that he has asked for."""
    return view.asked or next((card for card, _ in reversed(view.in_vain)), None)


def _place(zone: str) -> Seat | str:
    return Seat(int(zone.removeprefix("hand "))) if zone.startswith("hand ") else zone


def _if_silent(view: View, where: Mapping[str, Fraction], accept: Fraction) -> dict[str, Fraction]:
    """By Bayes: a hand in which the card may lie stays silent with 1 - accept, any other place for certain."""
    weights = {
        zone: chance * (1 - accept) if zone.startswith("hand ") and zone != f"hand {view.viewer}" else chance
        for zone, chance in where.items()
    }
    total = sum(weights.values())
    return {zone: weight / total for zone, weight in weights.items()} if total else {}


# The chain of titles


@question(POKER_MARSHAL, "titles_chain")
def titles_chain(game: Any, view: View, options: Options) -> Answer[Passes | LongRun | DealsToStreak]:
    """How titles pass from deal to deal, whatever the moment: the chances after some deals, in the long run, and five deals running."""
    chain = chain_of(game, options)
    numbers: dict[Any, Exact | Estimate] = {}
    for deals in POWERS:
        numbers.update(_after(chain, deals, options.seed))
    # Every deal hands out each title once, so that no title is rarer than another in the long run, whatever the deals seen.
    numbers.update({LongRun(title): Exact(Fraction(1, game.players)) for title in chain.titles})
    waits: list[tuple[int | None, Any]] = [(None, chain.waits(same_marshal, 0))]
    waits += [(title, chain.waits(one_player, (title, 0))) for title in chain.titles]
    for title, wait in waits:
        if isinstance(wait, Fraction):
            numbers[DealsToStreak(title)] = Exact(wait)
        else:
            numbers[DealsToStreak(title)] = replace(wait or Estimate(kind="mean"), seed=options.seed)
    return Answer("titles_chain", numbers, behaving(options), adds_up=False, chances=False)


def _after(chain: Chain, deals: int, seed: int) -> dict[Passes, Exact | Estimate]:
    pairs = [(old, new) for old in chain.titles for new in chain.titles]
    power = chain.power(deals)
    if chain.exact:
        return {Passes(old, new, deals): Exact(power[old][new]) for old, new in pairs}
    if deals == 1:
        return {Passes(old, new, 1): Estimate.of_hits(chain.counts[old][new], chain.n, seed) for old, new in pairs}
    spread = chain.power_spread(deals)
    numbers: dict[Passes, Exact | Estimate] = {}
    for old, new in pairs:
        values = [(spread[passing][old][new], times) for passing, times in chain.passings]
        total = sum((value * times for value, times in values), Fraction(0))
        squares = sum((value * value * times for value, times in values), Fraction(0))
        numbers[Passes(old, new, deals)] = Estimate(chain.n, total, squares, "mean", seed)
    return numbers


def chain_of(game: PokerMarshal, options: Options) -> Chain:
    """The chain of titles under a behaviour of the players: all deals where they are few, otherwise some at random.

    Neither titles nor seats matter to a deal: the seats may sit in the order of their numbers.
    """
    state = State("deal", game.seats, game.start().hands, (0,) * game.players)
    rest = Rest(game, player(options.policy), options.accept)
    if exact := _all_passings(rest, state):
        scale = lcm(*(chance.denominator for chance in exact.values()))
        return Chain.of({passing: int(chance * scale) for passing, chance in exact.items()}, exact=True)

    def draw(numbers: Numbers) -> dict[Passing, float]:
        titles = rest.titles(Moment(state), numbers.luck())
        return {tuple(titles.index(seat) for seat in game.seats): 1}

    many = Passings(rest, options.policy, options.seed, state)
    found = estimates(draw, options, many=many.counts if many.known else None)
    return Chain.of({passing: int(estimate.total) for passing, estimate in found.items()})


def _all_passings(rest: Rest, state: State) -> dict[Passing, Fraction]:
    """Every permutation with its chance; nothing where the deals, or the ways to play them, are too many."""
    deals = list(islice(all_deals(rest.game, state), MOST + 1))
    if len(deals) > MOST:
        return {}
    try:
        ended = rest.endings({Moment(deal): Fraction(1, len(deals)) for deal in deals})
    except TooMany:
        return {}
    found: dict[Passing, Fraction] = {}
    for final, weight in ended.items():
        for titles, share in orders(groups_of(rest.game, final)):
            passing = tuple(map(titles.index, rest.game.seats))
            found[passing] = found.get(passing, Fraction(0)) + weight * share
    return found
