"""Worlds weighed by computer players' habits: against every history of tiny games that such players have played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from itertools import cycle
from math import comb
from random import Random
from typing import Any

import pytest
from brute import FIGHTS, KINGS, MARSHALS, Belief, fight, habit, marshal, shown
from probable import LIMIT, assert_frequencies, assert_probable, binomial_tail

from cardlab import CHANCE, OVER, TEACHER, Action, Card, Scripted, Session, game
from cardlab.cards import PACK_52
from cardlab.chance.answers import Estimate, Exact
from cardlab.chance.fight_tricks import TooMany
from cardlab.chance.habits import chances_of
from cardlab.chance.histories import Histories, in_play
from cardlab.chance.posterior import Posterior, estimate
from cardlab.chance.samples import Numbers
from cardlab.chance.worlds import believing, worlds
from cardlab.core import streams
from cardlab.core.errors import BadRequest
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import AnyGame, Moves
from cardlab.core.registry import PLAYERS

THIRD = Fraction(1, 3)


# The same by brute force: every history from the first step of the deal, with what each seat has seen in it


def likelihood(name: str, rules: AnyGame, view: Any, legal: Moves) -> dict[Action, Fraction]:
    """What a player does, its number tried with every value of the only bound that it asks for."""
    bounds: list[int] = []

    def choose(value: int) -> Action:
        def below(m: int) -> int:
            bounds.append(m)
            return value

        return PLAYERS[name].choose(rules, view, legal, below)

    first = choose(0)
    size = bounds[0] if bounds else 1
    found: dict[Action, Fraction] = defaultdict(Fraction)
    for action in [first, *(choose(value) for value in range(1, size))]:
        found[action] += Fraction(1, size)
    assert set(bounds) <= {size}
    return found


def played_by(tiny: AnyGame, players: Mapping[int, str], seed: int) -> Session:
    session = Session(tiny, seed=seed)
    while session.actor is not OVER:
        session.step(players)
    return session


def deals(session: Session) -> Iterator[tuple[int, int]]:
    """The steps of each deal: from the one after its shuffle, at which nothing is hidden, to the last."""
    first = [n for n, step in enumerate(session.steps, 1) if step.action.verb == "shuffle"]
    yield from zip(first, [*(n - 1 for n in first[1:]), len(session)], strict=True)


def posteriors(session: Session, viewer: Viewer, assumed: Mapping[Seat, str], first: int, last: int) -> Iterator[tuple[int, Belief]]:
    """The states at each step of a deal, each with its weight for a viewer who assumes such players.

    A history is a state and what each of the players who look was shown on the way to it.
    """
    rules = session.game
    looking = [seat for seat, name in assumed.items() if getattr(PLAYERS[name], "looks", True)]
    histories = {(session.goto(first).state, ((),) * len(looking)): Fraction(1)}
    views = {(seat, ()): session.view(seat) for seat in looking}
    for n in range(first, last + 1):
        found: Belief = defaultdict(Fraction)
        for (state, _), weight in histories.items():
            found[state] += weight
        yield n, found
        if n == last:
            return
        step = session.goto(n + 1).steps[-1]
        told = shown(step, viewer)
        after: dict[Any, Fraction] = defaultdict(Fraction)
        for (state, minds), weight in histories.items():
            known = {seat: views[seat, mind] for seat, mind in zip(looking, minds, strict=True)}
            for action, share in shares(rules, state, viewer, assumed, known, step.action):
                tried = rules.apply(state, action)
                if not share or shown(tried, viewer) != told:
                    continue
                learnt = [(*mind, *shown(tried, seat)) for seat, mind in zip(looking, minds, strict=True)]
                for seat, mind in zip(looking, learnt, strict=True):
                    if (seat, mind) not in views:
                        views[seat, mind] = reduce(rules.see, shown(tried, seat), known[seat])
                after[tried.after, tuple(learnt)] += weight * share
        total = sum(after.values())
        histories = {history: weight / total for history, weight in after.items()}


def shares(
    rules: AnyGame, state: Any, viewer: Viewer, assumed: Mapping[Seat, str], known: Mapping[Seat, Any], done: Action
) -> list[tuple[Action, Fraction]]:  # fmt: skip
    actor, legal = rules.actor(state), rules.legal(state)
    if actor is CHANCE:
        draws = rules.chances(state)
        return [(action, draws.p(action)) for action in draws]
    if actor == viewer:
        return [(done, Fraction(1))]
    if actor in assumed:
        return list(likelihood(assumed[actor], rules, known.get(actor), legal).items())
    return [(action, habit(rules, state, action, legal, THIRD)) for action in legal]


TABLES: list[Callable[[int], str]] = [
    lambda seat: "sensible",
    lambda seat: "random",
    lambda seat: ("sensible", "random", "still")[seat % 3],
    lambda seat: ("random", "sensible")[seat % 2],
]


def compare(
    tiny: AnyGame, seed: int, viewer: Viewer, table: Callable[[int], str], assumed: Iterable[int], most: int
) -> Counter[str]:  # fmt: skip
    """A game of some players, seen by one who takes some of them for what they are."""
    session = played_by(tiny, {seat: table(seat) for seat in tiny.seats}, seed)
    players = {seat: table(seat) for seat in map(Seat, assumed) if seat != viewer}
    compared: Counter[str] = Counter()
    for first, last in deals(session):
        for n, right in posteriors(session, viewer, players, first, last):
            view = session.goto(n).view(viewer)
            if len(right) > most or not in_play(view):
                continue
            belief = believing(view, players, THIRD)
            found, prior = belief.posterior.complete, belief.prior.complete
            if found is None or prior is None:
                continue
            assert {world: found.p(world) for world in found} == right, (seed, viewer, n)
            assert found.p(session.state) > 0
            compared["all"] += 1
            compared["weighed"] += found != prior
            compared["hidden"] += len(prior) > 1
    return compared


CLOSE: dict[str, AnyGame] = {  # a few ranks and two cards a hand, so that habits show
    "two players": fight("2C 7C TC KC 2D 7D TD AD", 2, 2),
    "one by one": fight("2C 7C TC KC 2D 7D TD AD", 2, 2, exchange="one_by_one"),
    "reshuffled": fight("2C 7C TC 2D 7D KD", 2, 2, deals=3),
    "rich bank": fight("2C 7C TC 2D 7D KD", 2, 2, deals=5, who_antes="losers_only"),
    "stay or drop": fight("2C 7C TC KC 2D 7D TD AD", 2, 2, refusal="pagat_dropout"),
    "asks": marshal("2C 2D 3C 3D 4H 5S 6C", (2, 1, 2, 1, 1)),
    "jokers": marshal("2C 2D 3C 4H 5S JK1 JK2", (2, 1, 2, 1, 1), asks=1),
    "a card shown": marshal("2C 2D 3C 3D 4H 5S 6C", (1, 1, 2, 1, 1), asks=1, offers="ask_or_offer"),
    "take then give": marshal("2C 2D 3C 3D 4H 5S JK1", (2, 1, 1, 1, 1), asks=1, swap="take_then_give"),
}
FIGHTING = [name for name, tiny in CLOSE.items() if tiny.name == "fight_for_the_lead"]


def viewers(tiny: AnyGame, seed: int) -> Viewer:
    return (*tiny.seats, None)[seed % (tiny.players + 1)]


def assumed(tiny: AnyGame, seed: int) -> list[int]:
    """All seats of a fight; two of Poker Marshal's, because the histories of five are many."""
    return list(tiny.seats) if tiny.name == "fight_for_the_lead" else [(seed + k) % 5 for k in (1, 2)]


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "take then give")) for name in CLOSE])
def test_posteriors_are_those_of_every_history(name: str) -> None:
    tiny = CLOSE[name]
    compared: Counter[str] = Counter()
    for seed in range(5 if name in FIGHTING else 4):
        compared += compare(tiny, seed, viewers(tiny, seed), TABLES[seed % 4], assumed(tiny, seed), most=150)
    assert compared["hidden"] > 15
    assert compared["weighed"] > 3


def test_a_swap_that_brings_nothing_is_not_the_next_one() -> None:
    """The Bandit has only a joker, so that the Marshal gets his cards back (PM-6); then the Deputy, who looks on, swaps (PM-5)."""
    tiny = CLOSE["jokers"]
    session = played_by(tiny, {seat: TABLES[1](seat) for seat in tiny.seats}, 9)
    assert {"PM-5", "PM-6"} <= {event.rule for _, _, event in session.events(3)}
    assert compare(tiny, 9, Seat(3), TABLES[1], assumed(tiny, 9), most=150)["hidden"] > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", CLOSE)
def test_posteriors_are_those_of_every_history_of_many_games(name: str) -> None:
    tiny = CLOSE[name]
    compared: Counter[str] = Counter()
    for seed in range(5, 35):
        compared += compare(tiny, seed, viewers(tiny, seed), TABLES[seed % 4], assumed(tiny, seed), most=200)
    assert compared["weighed"] > 50


def moments(n: int, seed: int) -> Iterator[Session]:
    """Moments of tiny games, one of each in turn, at which a deal lies on the table."""
    rng = Random(seed)
    games = cycle([*FIGHTS.values(), *MARSHALS.values(), *CLOSE.values()])
    while n:
        tiny = next(games)
        session = played_by(tiny, {seat: TABLES[n % 4](seat) for seat in tiny.seats}, rng.randrange(1000))
        session.goto(rng.randrange(len(session)))
        if in_play(session.view()):
            n -= 1
            yield session


def test_when_nobody_is_taken_for_a_computer_player_the_posterior_is_the_prior() -> None:
    compared = 0
    for session in moments(60, seed=1):
        for viewer in (0, 1, None, TEACHER):
            belief = believing(session.view(viewer), {}, THIRD)
            if belief.prior.size > 200 or belief.posterior.complete is None:
                continue
            assert belief.posterior.complete == belief.prior.complete
            for card in session.game.size.pack:
                exact = {zone: number.value for zone, number in belief.posterior.where(card).items() if isinstance(number, Exact)}
                assert exact == belief.prior.where(card)
            compared += 1
    assert compared > 120


@pytest.mark.parametrize("name", ["three players, a stock of three", "stay or drop", "equal hands", "batch"])
def test_between_deals_and_after_a_showdown_the_posterior_is_the_prior(name: str) -> None:
    tiny = {**FIGHTS, **MARSHALS, **KINGS}[name]
    session = played_by(tiny, dict.fromkeys(tiny.seats, "random"), seed=2)
    compared = 0
    for step in range(len(session) + 1):
        view = session.goto(step).view(0)
        if not in_play(view):
            belief = believing(view, "sensible")
            assert belief.posterior.complete == belief.prior.complete
            assert belief.posterior.chance(lambda world: world == session.state) == Exact(belief.prior.complete.p(session.state))
            compared += 1
    assert compared > 2


def test_every_history_shows_the_viewer_what_it_has_seen() -> None:
    """The view that a history gives to the viewer is the view that was asked about, and the moment after the shuffle is the true one."""
    compared = 0
    for session in moments(60, seed=2):
        at = session.at
        viewer = (*session.game.seats, None)[at % (session.game.players + 1)]
        view = session.view(viewer)
        histories = Histories(view, dict.fromkeys(session.game.seats, PLAYERS["sensible"]), THIRD)
        shuffled = max(n for n, step in enumerate(session.steps, 1) if step.action.verb == "shuffle")
        assert histories.start.state == session.goto(shuffled).state
        for seat, mind in histories.start.minds:
            assert mind.view == session.view(seat)
        if viewer is None or histories.origins.fill.count > 40:
            continue
        for dealt in histories.origins.every():
            ahead = [histories.start]
            while ahead:
                point = ahead.pop()
                if histories.over(point):
                    assert dict(point.minds)[viewer].view == view
                    compared += 1
                else:
                    ahead += [after for after, _ in histories.after(point, dealt)]
    assert compared > 100


# Bayes' theorem by hand


def tiny_fight(*moves: str) -> Session:
    """Seat 0 has fought with 7D and leads; seat 1, dealt 6D and 9H, has fought with 6D and got 3C; 4C alone is left."""
    tiny = fight("2C 3C 4C 5D 6D 7D 8H 9H", 2, 2)
    session = Session(tiny, dealer=Scripted("6D 2C 9H 7D 5D 3C 8H", fill=True))
    plan = iter(["fight 7D", "fight 6D", *moves])
    while session.actor is CHANCE or (move := next(plan, None)):
        session.play() if session.actor is CHANCE else session.play(move)
    return session


def where(session: Session, card: str, players: Any, **options: Any) -> tuple[Fraction, Any]:
    """The chance that a card lies with seat 1, for seat 0, before and after."""
    belief = believing(session.view(0), players, **options)
    zero = Exact(Fraction(0))
    return belief.prior.where(Card(card)).get("hand 1", Fraction(0)), belief.posterior.where(Card(card)).get("hand 1", zero)


def test_who_fights_with_his_lowest_card_has_kept_a_higher_one() -> None:
    """Of the three unseen cards two lie with seat 1; only 9H is higher than 6D, so it was dealt, and 3C or 4C came for the fight card."""
    session = tiny_fight()
    assert where(session, "9H", "sensible") == (Fraction(2, 3), Exact(Fraction(1)))
    assert where(session, "4C", {1: "sensible"}) == (Fraction(2, 3), Exact(Fraction(1, 2)))
    assert where(session, "4C", "random") == (Fraction(2, 3), Exact(Fraction(2, 3)))


def test_restricted_choice() -> None:
    """Who has both clubs plays 3C one time in two, who has it alone always: 4C is half as likely beside it as 9H."""
    session = tiny_fight("stand", "stand", "play 2C", "play 3C")
    assert where(session, "4C", "random") == (Fraction(1, 2), Exact(Fraction(1, 3)))
    assert where(session, "4C", "still") == (Fraction(1, 2), Exact(Fraction(1, 3)))


def test_habits_in_a_whole_pack() -> None:
    """Seat 1 has fought with 9D; with a rule of thumb its three other cards are among the unseen ones that are not lower."""
    hands = "AC 2S 9D 3S KC 4S TC 5D"
    session = Session(game("fight_for_the_lead", 2, first_dealer=0), dealer=Scripted(f"{hands} 6D", fill=True))
    while session.state.phase != "replace":
        session.play({0: "fight 5D", 1: "fight 9D"}[session.actor] if session.actor is not CHANCE else None)
    unseen = [card for card in PACK_52 if str(card) not in ("2S", "3S", "4S", "5D", "9D", "6D")]
    higher = [card for card in unseen if (card.rank, card.suit) > (Card("9D").rank, 1)]
    n = 1500
    belief = believing(session.view(0), "sensible", n=n, seed=4)
    assert belief.posterior.complete is None
    assert_probable(len(belief.posterior.drawn), n, Fraction(comb(len(higher), 3), comb(len(unseen), 3)), 4)
    for card, chance in (("AH", Fraction(3, len(higher))), ("9S", Fraction(3, len(higher))), ("8H", Fraction(0))):
        found = belief.posterior.where(Card(card)).get("hand 1")
        hits = 0 if found is None else round(found.total)
        assert_probable(hits, len(belief.posterior.drawn), chance, 4)
        assert belief.prior.where(Card(card))["hand 1"] == Fraction(3, len(unseen))


# what a player may choose


class Asking:
    """Asks for its number twice, with different bounds."""

    looks = False

    def choose(self, game: Any, view: Any, legal: Moves, below: Callable[[int], int]) -> Action:
        return legal[below(2) + below(3)]


def test_the_chances_of_a_choice_are_those_of_its_number() -> None:
    """Both bounds share one number u: [0, 1/3) gives 0 + 0, [1/3, 1/2) 0 + 1, [1/2, 2/3) 1 + 1, [2/3, 1) 1 + 2."""
    legal = tuple(Action("play", (card,)) for card in PACK_52[:5])
    found = chances_of(Asking(), None, None, legal)  # type: ignore[arg-type]
    assert [found.get(action, 0) for action in legal] == [THIRD, Fraction(1, 6), Fraction(1, 6), THIRD, 0]
    assert chances_of(Asking(), None, None, legal[:1]) == {legal[0]: 1}  # type: ignore[arg-type]
    tried: Counter[Action] = Counter()
    for n in range(6000):
        tried[Asking().choose(None, None, legal, partial(streams.below, streams.word(7, streams.CHOICES, n)))] += 1
    assert_frequencies(tried, found)


def test_the_chances_of_the_players() -> None:
    session = Session(game("fight_for_the_lead", 3), seed=1)
    compared: Counter[str] = Counter()
    while session.actor is not OVER and session.state.deal < 2:
        if session.legal:
            view = session.view(session.actor)
            for name in ("still", "random", "sensible"):
                found = chances_of(PLAYERS[name], session.game, view, session.legal)
                assert sum(found.values()) == 1
                right = likelihood(name, session.game, view, session.legal)
                assert found == right
                compared[name] += len(found) > 1
        session.step("random")
    assert compared["random"] > compared["still"] > compared["sensible"] == 0


# drawn histories


def sampled(view: Any, players: Any, n: int, seed: int) -> Posterior[Any]:
    """The posterior as if there were too many histories to go through."""
    posterior = believing(view, players, THIRD, n=n, seed=seed).posterior
    posterior.__dict__["complete"] = None
    return posterior


def test_drawn_histories_have_the_right_weights() -> None:
    """Each drawn history is kept with its weight as a chance: how often a state is left is then binomial, exactly."""
    compared = 0
    for session in moments(60, seed=3):
        viewer = (*session.game.seats, None)[session.at % (session.game.players + 1)]
        view = session.view(viewer)
        players = {seat: PLAYERS[TABLES[session.at % 4](seat)] for seat in session.game.seats if seat != viewer}
        histories = Histories(view, players, THIRD)
        deals_of_cards = histories.origins.fill.count
        if deals_of_cards > 60 or deals_of_cards < 2:
            continue
        with suppress(TooMany):
            right = {state: weight / deals_of_cards for state, weight in histories.every().items()}
            drawing, rng, n = Histories(view, players, THIRD, steps=1 << 62), Random(compared), 400
            kept: Counter[Any] = Counter()
            for index in range(n):
                state, weight = drawing.one(Numbers(compared, index))
                assert 0 <= weight <= 1
                kept[state if rng.random() < weight else None] += 1
            assert_frequencies(kept, right | {None: 1 - sum(right.values())}, comparisons=40)
            compared += 1
    assert compared > 15


@pytest.mark.slow
def test_the_interval_of_an_estimate_holds_the_truth() -> None:
    """Nineteen times in twenty, nearly: the players choose any move alike, so that the weights differ."""
    covered: list[bool] = []
    widths: set[float] = set()
    for session in moments(400, seed=5):
        view = session.view(0)
        believed = believing(view, "random", THIRD)
        if len(covered) == 200 or believed.prior.size > 300 or view.now.phase not in ("tricks", "exchange", "bandit", "offers"):
            continue
        try:
            right = believed.posterior.complete
        except BadRequest:
            continue
        if right is None or len(right) < 4:
            continue
        hidden = max(session.game.size.pack, key=lambda card: len(believed.posterior.where(card)))
        zone, truth = min(believed.posterior.where(hidden).items())
        for seed in range(20):
            found = sampled(view, "random", 60, seed).where(hidden).get(zone, Estimate.of_hits(0, 60))
            assert isinstance(found, Estimate)
            covered.append(found.low <= float(truth) <= found.high)
            widths.add(found.half_width)
    assert len(covered) == 200
    assert len(widths) > 30
    missed = len(covered) - sum(covered)
    assert missed <= len(covered) * 0.07 or binomial_tail(missed, len(covered), 0.07) > LIMIT


def test_an_estimate_from_equal_weights_is_a_plain_one() -> None:
    values = [(k % 4 == 0, 0.25) for k in range(80)]
    assert (estimate(values, 3).n, estimate(values, 3).interval) == (80, Estimate.of_hits(20, 80).interval)
    assert estimate([(False, 0.5)] * 30, 1).high == Estimate.of_hits(0, 30).high
    assert estimate([(True, 1.0), *[(False, 0.01)] * 50], 1).n < 3  # one history makes nearly all of it


def test_a_draw_belongs_to_its_seed() -> None:
    view = Session(game("poker_marshal"), seed=3)
    view.auto("random", until="phase")
    while view.state.phase != "deputy":
        view.step("random")
    seen = view.view(0)
    one, other = (believing(seen, "random", n=30, seed=seed).posterior.drawn for seed in (1, 2))
    assert believing(seen, "random", n=30, seed=1).posterior.drawn == one != other
    assert believing(seen, "random", n=40, seed=1).posterior.drawn[: len(one)] == one


@pytest.mark.parametrize(("name", "players", "phase"), [("fight_for_the_lead", 3, "exchange"), ("poker_marshal", 5, "deputy")])
def test_equal_views_give_equal_posteriors_whatever_the_truth(name: str, players: int, phase: str) -> None:
    house = {"first_dealer": 0} if players == 3 else {}
    session = Session(game(name, players, **house), seed=2)
    while session.state.phase != phase or not session.legal:
        session.step("random")
    view = session.view(0)
    world = worlds(view).sample(Numbers(seed=5, index=0))
    assert world != session.state
    first = believing(view, "random", n=40).posterior.drawn
    session.goto(0)
    assert believing(view, "random", n=40).posterior.drawn == first
    for drawn, _ in first:
        assert session.game.now(drawn) == view.now
        assert drawn.hands[0] == session.goto(len(session)).state.hands[0]


# refusals


def test_what_does_not_fit_is_refused() -> None:
    session = tiny_fight()
    view = session.view(0)
    for players in ("nobody", {9: "random"}, {None: "random"}, {1: "nobody"}, {0: "nobody"}, {TEACHER: "random"}):
        with pytest.raises(BadRequest):
            believing(view, players)  # type: ignore[arg-type]
    for options in ({"n": 0}, {"n": 1.5}, {"seed": -1}, {"accept": 2}):
        with pytest.raises(BadRequest):
            believing(view, "random", **options)  # type: ignore[arg-type]
    assert believing(view, {0: "sensible"}).posterior.complete == worlds(view).complete  # his own choices tell him nothing


def test_players_who_cannot_have_chosen_so_are_refused() -> None:
    """Who keeps still exchanges nothing: found where all histories are gone through, and where they are drawn."""
    session = tiny_fight("stand", "exchange 2C")
    with pytest.raises(BadRequest, match="Such computer players"):
        believing(session.view(1), "still").posterior.where(Card("2C"))
    whole = Session(game("fight_for_the_lead", 2, first_dealer=0), seed=1)
    while whole.state.phase != "exchange":
        whole.step("still")
    whole.play("exchange " + str(whole.legal[-1].cards[0]))
    with pytest.raises(BadRequest, match="n = 50"):
        _ = believing(whole.view(0), "still", n=50).posterior.drawn
