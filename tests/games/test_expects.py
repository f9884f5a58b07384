"""Odds and places against brute force: every deal of a tiny pack that agrees with what a viewer was shown, weighed exactly.

The histories are run with ``Game.apply``; no view is asked. Two kinds of players are tried:

- ``uniform``: any legal move alike;
- ``blind``: whether a player acts, what he asks for and whether he answers tells nothing, and a card he lays is taken blind from those he
  may lay.

``expects`` takes other players' choices as telling nothing, so it must equal ``blind`` in every position. It must equal ``uniform`` too
wherever choices cannot matter: in all of Fight for the Lead, where each hand of a size has as many choices; in the blind draws of Marshal;
and in the Bandit's redraw before any offer when the pack has no jokers. Elsewhere a uniformly random player would betray something, and
the two must differ: a holder gives half the time, so that a card asked for in vain is rarer in a hand; and who holds a joker has fewer
cards to lay and more to ask for, so that he says "enough" more often at a swap and less often at an offer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from scenario import chance
from test_views import TRUTH, busy, placed, play_only, seen_as

from cardlab import CHANCE, OVER, Action, Bag, Card, Scripted, Session
from cardlab.cards import parse_cards
from cardlab.core.dist import Dist
from cardlab.core.events import Event
from cardlab.core.game import Step
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import Size as FightSize
from cardlab.games.marshal_state import Size as MarshalSize
from cardlab.games.poker_marshal import PokerMarshal

Odds = dict[Action, Fraction]
Belief = dict[Any, Fraction]
Weigh = Callable[[Action, tuple[Action, ...]], Fraction]


def uniform(action: Action, legal: tuple[Action, ...]) -> Fraction:
    return Fraction(1, len(legal))


def blind(action: Action, legal: tuple[Action, ...]) -> Fraction:
    laid = action.verb in ("lay", "give", "show")
    return Fraction(1, sum(other.verb == action.verb for other in legal)) if laid else Fraction(1)


def splits(pack: tuple[Card, ...], sizes: list[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """All ways to deal hands of some sizes."""
    if not sizes:
        yield ()
        return
    for held in combinations(pack, sizes[0]):
        for others in splits(tuple(card for card in pack if card not in held), sizes[1:]):
            yield held, *others


def all_deals(session: Session, viewer: int) -> Belief:
    """Every deal that gives the viewer his hand, each with the same weight; the session stands where all is dealt."""
    game: Any = session.game
    state, own = session.state, session.state.hands[viewer]
    others = [seat for seat in game.seats if seat != viewer]
    rest = tuple(card for card in game.size.pack if card not in own)
    belief: Belief = {}
    for dealt in splits(rest, [len(state.hands[seat]) for seat in others]):
        hands = {viewer: own, **{seat: Bag(held) for seat, held in zip(others, dealt, strict=True)}}
        stock = Bag(card for card in rest if not any(card in held for held in dealt))
        belief[replace(state, hands=tuple(hands[seat] for seat in game.seats), stock=stock)] = Fraction(1)
    return belief


def shown(step: Step[Any], viewer: Any) -> tuple[Event, ...]:
    return tuple(seen for event in step.events if (seen := event.seen(viewer)) is not None)


def follow(session: Session, viewer: int, weigh: Weigh, dealt: int) -> Iterator[Belief]:
    """The states that agree with what a viewer was shown, with their weights, at each step from ``dealt`` on; the cursor goes along."""
    belief = all_deals(session.goto(dealt), viewer)
    for n in range(dealt, len(session)):
        yield belief
        step = session.goto(n + 1).steps[-1]
        told = shown(step, viewer)
        after: Belief = defaultdict(Fraction)
        for state, weight in belief.items():
            for action, share in choices(session, state, viewer, weigh, step, public=told == step.events):
                tried = session.game.apply(state, action)
                if shown(tried, viewer) == told:
                    after[tried.after] += weight * share
        belief = dict(after)


def choices(session: Session, state: Any, viewer: int, weigh: Weigh, step: Step[Any], public: bool) -> list[tuple[Action, Fraction]]:
    """What may have been done in a state; only the same thing where the viewer saw it, or did it himself."""
    actor, legal = session.game.actor(state), session.game.legal(state)
    if actor is CHANCE:
        draws = session.game.chances(state)
        shares = {action: draws.p(action) for action in draws}
    elif actor == viewer:
        shares = {step.action: Fraction(1)}
    else:
        shares = {action: weigh(action, legal) for action in legal if not public or action == step.action}
    return [(action, share) for action, share in shares.items() if not public or action == step.action]


def odds(session: Session, belief: Belief, viewer: int) -> Odds:
    """The next draw as the viewer would see it, by the weights of the states."""
    weights: Odds = defaultdict(Fraction)
    for state, weight in belief.items():
        draws = session.game.chances(state)
        for action in draws:
            weights[seen_as(session.game.apply(state, action), viewer)] += weight * draws.p(action)
    total = sum(belief.values())
    return {action: weight / total for action, weight in weights.items()}


def as_odds(dist: Dist[Action] | None) -> Odds:
    assert dist is not None
    return {action: dist.p(action) for action in dist}


def draws_of(session: Session, viewer: int, weigh: Weigh, dealt: int, phases: tuple[str, ...]) -> Iterator[tuple[Odds, Odds]]:
    """``expects`` and the brute force at every draw in some phases of a deal."""
    for belief in follow(session, viewer, weigh, dealt):
        if session.game.phase(session.state) not in phases:
            return
        if session.actor is CHANCE:
            yield as_odds(session.expects(viewer)), odds(session, belief, viewer)


def is_dealt(tiny: Any, seed: int) -> tuple[Session, int]:
    """A game that stands where all is dealt, and the number of that step."""
    session = Session(tiny, seed=seed)
    while session.game.phase(session.state) in ("lot", "titles", "deal"):
        session.play()
    return session, session.at


def play_out(session: Session, rng: Random) -> None:
    """Busy random play to the end: the Storekeeper makes all his offers, and the Bandit redraws if he can."""
    while session.actor is not OVER:
        offers = [action for action in session.legal if action.verb in ("ask", "show")]
        if session.actor is CHANCE:
            session.play()
        elif offers or Action("redraw") in session.legal:
            session.play(rng.choice(offers) if offers else "redraw")
        else:
            busy(session, rng)


# Fight for the Lead

FIGHTS = {
    "two players, a stock of three": (2, 2, "2C 3C 4C 5D 6D 7H 8H"),
    "two players, a stock of four": (2, 2, "2C 3C 4C 5D 6D 7H 8H 9S"),
    "three players, a stock of four": (3, 1, "2C 3C 4C 5D 6D 7H 8H"),
    "three players, a stock of three": (3, 1, "2C 3C 4D 5H 6S 7S"),
}
FIGHT_PHASES = ("fight", "turn", "replace", "exchange", "tricks")


def tiny_fight(name: str, **house: Any) -> FightForTheLead:
    players, hand, pack = FIGHTS[name]
    return FightForTheLead(players, size=FightSize(parse_cards(pack), hand, hand), deals=1, **house)


def test_FL_7_expects_equals_brute_force_with_uniform_players() -> None:
    """Every draw of random deals, for every seat, with turned cards back in the stock or not: no choice tells on a card not shown."""
    draws = Counter[str]()
    for name in FIGHTS:
        for seed in range(16):
            session, dealt = is_dealt(tiny_fight(name, exchange=("batch", "one_by_one")[seed % 2]), seed)
            play_out(session, Random(seed))
            for viewer in session.game.seats:
                for expected, exact in draws_of(session, viewer, uniform, dealt, FIGHT_PHASES):
                    assert expected == exact, (name, seed, viewer)
                    draws["before FL-7" if session.state.reshuffled is None else "uneven" if len(set(exact.values())) > 1 else "even"] += 1
    assert draws["before FL-7"] > 100
    assert draws["even"] > 100
    assert draws["uneven"] > 20


def test_FL_7_by_hand() -> None:
    """Seven cards, two hands of two; I hold 2C and laid 4C, the other laid 8H, and 5D and 7H were turned: one card is left in the stock.

    5D and 7H go back, so that each is my new card with 1/3; the third place holds one of the two cards I have not seen, 3C and 6D, with
    1/6 each.
    """
    session = Session(tiny_fight("two players, a stock of three", first_dealer=1), dealer=Scripted("2C 3C 4C 8H 5D 7H", fill=True))
    play_only(session, "fight 4C", "fight 8H")
    session.play()
    session.play()
    assert session.state.reshuffled == Bag("5D 6D 7H")
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    assert {str(action): p for action, p in as_odds(session.expects(0)).items()} == {
        "deal 5D": third, "deal 7H": third, "deal 3C": sixth, "deal 6D": sixth,
    }  # fmt: skip
    assert as_odds(session.expects(1)) == as_odds(session.expects(None)) == {Action("deal"): Fraction(1)}


# Poker Marshal: hands from the Marshal's to the Bandit's

MARSHALS = {
    "no joker": ("2C 3D 4H 5S 6C 7D 8H 9S", (1, 1, 2, 1, 1)),
    "one joker": ("2C 3D 4H 5S 6C 7D 8H JK1", (1, 1, 2, 1, 1)),
    "two jokers": ("2C 3D 4H 5S 6C 7D JK1 JK2", (1, 1, 2, 1, 1)),
    "four and two": ("2C 3D 4H 5S 6C JK1 JK2", (2, 1, 1, 1, 1)),
    "two of the Bandit": ("2C 3D 4H 5S 6C JK1 JK2", (2, 1, 1, 1, 2)),
}
HOUSES: tuple[dict[str, str], ...] = ({}, {"offers": "ask_or_offer"}, {"swap": "take_then_give"})
SWAPS = ("marshal", "deputy")
BEFORE_THE_SHOW = (*SWAPS, "offers", "bandit")


def tiny_marshal(name: str, stock: int | None = None, **house: Any) -> PokerMarshal:
    """A game with one of these packs, or with as many of its last cards as leave so large a stock."""
    pack, sizes = MARSHALS[name]
    cards = parse_cards(pack)
    if stock is not None:
        cards = cards[max(len(cards) - sum(sizes) - stock, 0) :]
    return PokerMarshal(size=MarshalSize(cards, sizes, (min(2, sizes[4]), 1), 3 - pack.count("JK")), deals=1, **house)


@pytest.mark.parametrize("house", HOUSES, ids=str)
@pytest.mark.parametrize("name", ["no joker", "one joker", "two jokers", "four and two"])
def test_PM_11_expects_equals_brute_force_with_blind_players(name: str, house: dict[str, str]) -> None:
    """The Bandit's own draws after swaps and offers of all kinds: the same where choices tell nothing."""
    draws = uneven = 0
    for seed in range(3):
        session, dealt = is_dealt(tiny_marshal(name, **house), seed)
        play_out(session, Random(seed))
        bandit = session.goto(dealt).state.titles[4]
        for expected, exact in draws_of(session, bandit, blind, dealt, BEFORE_THE_SHOW):
            assert expected == exact, seed
            own = session.game.phase(session.state) == "bandit"
            draws += own
            uneven += own and len(set(exact.values())) > 1
    assert draws == 3
    assert uneven >= 1


@pytest.mark.parametrize("name", MARSHALS)
def test_PM_4_and_PM_5_blind_draws_expect_what_brute_force_with_uniform_players_finds(name: str) -> None:
    """Both swappers, their victims and the rest: what was laid or named before tells nothing on a hand that is drawn from blind."""
    known = hidden = 0
    for seed in range(6):
        session, dealt = is_dealt(tiny_marshal(name, 1, **HOUSES[seed % 3]), seed)
        play_out(session, Random(seed))
        for viewer in session.game.seats:
            for expected, exact in draws_of(session, viewer, uniform, dealt, SWAPS):
                assert expected == exact, (seed, viewer)
                face_down = expected == {Action("blind"): Fraction(1)}
                hidden, known = hidden + face_down, known + (not face_down)
    assert min(known, hidden) >= 4


def redraw_odds(session: Session, dealt: int, weigh: Weigh) -> tuple[Odds, Odds]:
    """What the Bandit expects of the first card of his redraw, and what the brute force finds."""
    bandit = session.goto(dealt).state.titles[4]
    found = list(draws_of(session, bandit, weigh, dealt, BEFORE_THE_SHOW))
    return next((expected, exact) for expected, exact in found if any(action.verb == "draw" for action in expected))


def test_PM_11_without_jokers_and_offers_no_choice_tells_anything() -> None:
    for seed in range(4):
        session, dealt = is_dealt(tiny_marshal("no joker", **HOUSES[2 * (seed % 2)]), seed)
        rng = Random(seed)
        while session.game.phase(session.state) in SWAPS:
            session.play() if session.actor is CHANCE else busy(session, rng)
        session.play("enough")
        play_out(session, rng)
        expected, exact = redraw_odds(session, dealt, uniform)
        assert expected == exact
        assert len(expected) > 1


def test_PM_11_after_silence_by_hand_and_where_uniform_players_would_tell_more() -> None:
    """Nobody swaps, and the Storekeeper asks once in vain: the card lies at one of five places alike, two of them in the stock.

    ``expects``: the next card with 1/5. A uniformly random holder would have given it half the time, so that its three places in hands
    count half: 1/(3/2 + 2) = 2/7.
    """
    session, dealt = is_dealt(tiny_marshal("no joker"), 1)
    play_only(session, "enough", "enough")
    bandit = session.state.titles[4]
    ask = next(action for action in session.legal if action.verb == "ask" and action.card not in session.state.hands[bandit])
    session.play(ask)
    session.play(session.legal[0])
    play_only(session, *("silent",) * 4, "enough", "redraw")
    session.play()
    asked = Action("draw", ask.cards)
    expected, exact = redraw_odds(session, dealt, blind)
    assert expected == exact
    assert (expected.pop(asked), set(expected.values())) == (Fraction(1, 5), {Fraction(4, 5) / 6})
    expected, exact = redraw_odds(session, dealt, uniform)
    assert (exact.pop(asked), set(exact.values())) == (Fraction(2, 7), {Fraction(5, 7) / 6})
    assert expected != exact


def test_PM_11_a_player_with_a_joker_has_other_choices_by_hand() -> None:
    """Nobody swaps or offers; the Bandit holds no joker, and ``expects`` gives it 1/7 as the next card.

    A uniformly random Marshal or Deputy says "enough" with 1/2, with the joker, his only card, for certain; the Storekeeper with 1/6, as he
    can ask for five cards, with the joker 1/7. Of the joker's seven places the Marshal's and the Deputy's then weigh 1/12 each, the
    Storekeeper's two 1/28 each, the Drunk's and the stock's two 1/24 each: 1/24 of 1/6 + 1/14 + 1/8 is 7/61.
    """
    script = "8H 7D 6C 5S 4H 2C 3D 4H 5S 6C 7D"  # the titles of seats 0 to 4, then the hands; 8H and the joker are left
    session = Session(tiny_marshal("one joker"), dealer=Scripted(script, fill=True))
    chance(session)
    dealt = session.at
    play_only(session, "enough", "enough", "enough", "redraw")
    session.play()
    joker = Action("draw", parse_cards("JK1"))
    for weigh, right in ((blind, Fraction(1, 7)), (uniform, Fraction(7, 61))):
        expected, exact = redraw_odds(session, dealt, weigh)
        assert (expected[joker], exact[joker]) == (Fraction(1, 7), right)


# The same deals say which cards can lie where


@pytest.mark.parametrize("name", [*FIGHTS, *MARSHALS])
def test_places_are_exactly_what_all_agreeing_deals_have_in_common(name: str) -> None:
    """Sure is what lies there in every deal that agrees with what was shown, a candidate what does in one of them.

    While a swap is under way places may say a little less: that all the cards drawn from a hand will be no jokers is known a moment
    before they are drawn.
    """
    zones = 0
    for seed in range(3):
        session, dealt = is_dealt(tiny_fight(name) if name in FIGHTS else tiny_marshal(name, 1, **HOUSES[seed]), seed)
        rng = Random(seed)
        while session.actor is not OVER:
            session.play() if session.actor is CHANCE else busy(session, rng)
        for viewer in session.game.seats:
            for belief in follow(session, viewer, blind, dealt):
                if session.game.phase(session.state) not in (*FIGHT_PHASES, *BEFORE_THE_SHOW):
                    break
                worlds = [TRUTH[session.game.name](state, viewer) for state in belief]
                swapping = name in MARSHALS and (session.state.due or session.state.named is not None)
                for zone, (_, sure, candidates) in placed(session, viewer).items():
                    always = set.intersection(*(world[zone] for world in worlds))
                    possible = set.union(*(world[zone] for world in worlds))
                    if swapping:
                        assert sure <= always <= possible <= candidates
                    else:
                        assert (sure, candidates) == (always, possible), (seed, viewer, zone)
                        zones += 1
    assert zones > 200
