"""Exact answers about Fight for the Lead and Poker Marshal against simulated deals, at random moments of played games.

The simulators know the rules and the events that a viewer was shown, and nothing of ``cardlab.chance`` (for Suicide King: ``test_kings``).
Ten moments with twenty times as many deals, and with a million, are slow tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from brute import play_out
from probable import LIMIT, binomial_tail

from cardlab import CHANCE, TEACHER, Card, Scripted, Session, best, game
from cardlab.cards import PACK_54, Category
from cardlab.chance import Answer, Exact, ask, fitting
from cardlab.chance.fights import Match
from cardlab.chance.marshal_outcomes import HandOf, JokersOf, Settled, TitleOf, Where
from cardlab.core.events import Seat, Viewer

fight_simulator = pytest.importorskip("fight_simulator")
marshal_simulator = pytest.importorskip("marshal_simulator")
import numpy as np  # noqa: E402

THIRD = Fraction(1, 3)
PLAYS = 2_000  # ways to go on that are gone through by minimax; longer ones in test_fights
CI, MANY, MILLION = 5_000, 100_000, 1_000_000
VIEWPOINTS = ("to act", "any seat", "spectator", "teacher")
Compared = tuple[str, int, int, Fraction]  # the question, how often an outcome came in how many deals, and its chance
HOUSES: dict[str, list[dict[str, Any]]] = {
    "fight_for_the_lead": [
        {},
        {"exchange": "one_by_one", "who_antes": "losers_only"},
        {"refusal": "pagat_dropout"},
        {"penalty_cap": 2, "refusal": "losers_bound"},
    ],
    "poker_marshal": [{}, {"swap": "take_then_give"}, {"offers": "ask_or_offer"}, {"short_hands": "casino"}],
}
RARE = {"fight_for_the_lead": (), "poker_marshal": ("titles", "bandit")}  # phases that few moments hit, for the first ones


def random_moments(name: str, players: int, viewpoint: str, seed: int) -> Iterator[tuple[Session, Viewer]]:
    """Moments of games with different house rules, as somebody knows them."""
    rng = Random(f"{name} {players} {viewpoint} {seed}")
    number = 0
    while True:
        houses = HOUSES[name]
        session = Session(game(name, players, deals=3, **houses[number % len(houses)]), seed=rng.randrange(1000))
        play_out(session, rng)
        rare = RARE[name][number] if number < len(RARE[name]) else None
        session.goto(rng.choice([at for at, step in enumerate(session.steps) if rare in (None, step.before.phase)]))
        viewer: Viewer = rng.choice(session.game.seats)
        if viewpoint == "to act" and isinstance(session.actor, Seat):
            viewer = session.actor
        yield session, {"spectator": None, "teacher": TEACHER}.get(viewpoint, viewer)
        number += 1


def agree(name: str, players: int, viewpoint: str, moments: int, n: int) -> Counter[str]:
    """Compares at so many moments at which something is exact; how often each question was compared."""
    compared: list[Compared] = []
    found = 0
    for number, (session, viewer) in enumerate(random_moments(name, players, viewpoint, seed=8)):
        here = list((fight if name == "fight_for_the_lead" else marshal)(session, viewer, n, number))
        compared += here
        found += any(question != "expects" for question, *_ in here)
        if found == moments:
            break
    for question, times, simulated, chance in compared:
        assert binomial_tail(times, simulated, chance) * len(compared) >= LIMIT, (question, times, simulated, float(chance))
    return Counter(question for question, *_ in compared)


def answers(view: Any, questions: tuple[str, ...], **options: Any) -> dict[str, Answer[Any]]:
    """The answers to those of the questions that fit."""
    return {question.name: ask(view, question.name, n=1, **options) for question in fitting(view) if question.name in questions}


def chances(answer: Answer[Any]) -> dict[Any, Fraction]:
    """The outcomes whose number is exact."""
    return {outcome: Fraction(number.value) for outcome, number in answer.numbers.items() if isinstance(number, Exact)}


def of_counts(question: str, n: int, counts: Mapping[Any, int], found: Mapping[Any, Fraction]) -> Iterator[Compared]:
    """An exact distribution beside its counts: nothing else came."""
    if found:
        assert set(counts) <= set(found), (question, set(counts) - set(found))
        yield from ((question, counts.get(outcome, 0), n, chance) for outcome, chance in found.items())


# Fight for the Lead

OF_FIGHTS = ("first_match", "wins_lead", "suit_turned")
OF_TRICKS = ("trick_winner", "tricks", "share", "no_trick", "next_bank", "guaranteed_tricks")


def fight(session: Session, viewer: Viewer, n: int, seed: int) -> Iterator[Compared]:
    view = session.view(viewer)
    asked = OF_TRICKS if session.state.phase == "tricks" else OF_FIGHTS
    exact = {name: chances(answer) for name, answer in answers(view, asked).items() if answer.exact}
    told = fight_simulator.Told(session, viewer)
    yield from expected(session, viewer, told, n, seed)
    if "first_match" in exact:
        fights = fight_simulator.Fights(told, n, seed)
        yield from of_counts("first_match", n, {Match(hit): times for hit, times in fights.first_match().items()}, exact["first_match"])
        for card, chance in exact.get("wins_lead", {}).items():
            yield "wins_lead", fights.wins_lead(viewer, card), n, chance
        for card, chance in exact.get("suit_turned", {}).items():
            yield "suit_turned", fights.suit_turned(card), n, chance
    elif session.state.phase == "tricks" and exact:
        yield from of_tricks(session, viewer, exact, fight_simulator.Tricks(told, n, seed))


def of_tricks(session: Session, viewer: Viewer, exact: dict[str, dict[Any, Fraction]], simulated: Any) -> Iterator[Compared]:
    state = session.state
    if session.actor == viewer:
        for card, chance in exact.get("trick_winner", {}).items():
            yield "trick_winner", simulated.takers(card)[viewer], simulated.n, chance
    else:
        yield from of_counts("trick_winner", simulated.n, simulated.takers(), exact.get("trick_winner", {}))
    simulated.play()
    whose = simulated.quarters()
    for question, whole in (("tricks", 4), ("share", state.bank)):  # the mean as the chance of a part drawn at random
        yield from of_counts(question, simulated.n, whose, {seat: mean / whole for seat, mean in exact.get(question, {}).items()})
    yield from of_counts("no_trick", simulated.n, simulated.losers(), exact.get("no_trick", {}))
    yield from of_counts("next_bank", simulated.n, simulated.next_banks(), exact.get("next_bank", {}))
    if viewer == TEACHER:
        sure = {seat: {int(tricks): Fraction(1)} for seat, tricks in exact.get("guaranteed_tricks", {}).items()}
    else:
        sure = {viewer: exact.get("guaranteed_tricks", {})} if viewer in state.staying else {}
    for seat, found in sure.items():
        if found and simulated.plays <= PLAYS:
            yield from of_counts("guaranteed_tricks", simulated.n, simulated.forced(seat), found)


def expected(session: Session, viewer: Viewer, told: Any, n: int, seed: int) -> Iterator[Compared]:
    """The next card, where the viewer will see it."""
    dist = session.expects(viewer)
    if dist is not None and all(action.cards for action in dist):
        cards = fight_simulator.shuffled(np.random.default_rng(seed), told.hidden, n, 1)[:, 0]
        counts = {PACK_54[code]: times for code, times in Counter(cards.tolist()).items()}
        yield from of_counts("expects", n, counts, {action.card: dist.p(action) for action in dist})


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fights_agree_with_simulated_deals(players: int, viewpoint: str) -> None:
    assert agree("fight_for_the_lead", players, viewpoint, 5, CI)


@pytest.mark.slow
@pytest.mark.parametrize("n", [MANY, MILLION])
@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fights_agree_with_many_simulated_deals(players: int, viewpoint: str, n: int) -> None:
    assert {"first_match", "trick_winner"} <= {*agree("fight_for_the_lead", players, viewpoint, 10, n)}


def test_the_fights_are_no_echo() -> None:
    """Who forgets that somebody has not followed suit is found out (case 12)."""
    session = Session(game("fight_for_the_lead", 2, first_dealer=1), dealer=Scripted("2S 2H 3S 3H 4C 4H 9H 9D KH 5C 6C", fill=True))
    moves = iter(("fight 9H", "fight 9D", "stand", "stand", "play 2S", "play 2H"))
    while session.game.phase(session.state) != "tricks":
        session.play() if session.actor is CHANCE else session.play(next(moves))
    for token in moves:
        session.play(token)
    exact = ask(session, "trick_winner", seat=0)[Card("3S")]
    told = fight_simulator.Told(session, Seat(0))
    assert fight_simulator.Tricks(told, CI, seed=1).takers(Card("3S"))[Seat(0)] == CI * exact.mean
    assert fight_simulator.Tricks(told, CI, seed=1, forget_voids=True).takers(Card("3S"))[Seat(0)] < CI / 2


# Poker Marshal

OF_CARDS = ("best_hand", "jokers", "holder", "redraw_value")


def marshal(session: Session, viewer: Viewer, n: int, seed: int) -> Iterator[Compared]:
    view = session.view(viewer)
    if session.state.lots is not None:
        yield from of_draw(session, view, n, seed)
        return
    exact = {name: chances(answer) for name, answer in answers(view, OF_CARDS, accept=THIRD).items()}
    yield from of_cards(marshal_simulator.Deals(session, viewer, seed, THIRD), exact, n)
    yield from telling_nothing(session, marshal_simulator.Deals(session, viewer, seed, Fraction(0)), exact, n)
    if viewer == TEACHER and at_rest(session):
        yield from of_titles(session, answers(view, ("next_title",), policy="still"), n, seed)


def of_draw(session: Session, view: Any, n: int, seed: int) -> Iterator[Compared]:
    """A draw for titles, played on with Python's own random numbers."""
    draw, places = marshal_simulator.Draw(session, seed), Counter[TitleOf]()
    settled: Counter[Settled] = Counter()
    n = min(n, MANY)
    for _ in range(n):
        different, titles = draw.once()
        settled[Settled(different)] += 1
        places.update(TitleOf(seat, title) for title, seat in enumerate(titles))
    yield from of_counts("title_draw", n, settled, chances(ask(view, "title_draw")))
    yield from of_counts("next_title", n, places, chances(ask(view, "next_title")))


def of_cards(deals: Any, exact: dict[str, dict[Any, Fraction]], n: int) -> Iterator[Compared]:
    hands, jokers, redrawn, where = (Counter[Any]() for _ in range(4))
    best_hand, new = exact.get("best_hand", {}), exact.get("redraw_value", {})
    silent = {outcome: chance for outcome, chance in exact.get("holder", {}).items() if outcome.silence}
    for place in deals.rows(n):
        for title, size in enumerate(deals.size.hands):
            holds = place == title
            jokers.update({JokersOf(title, size, k): times for k, times in Counter(holds[:, 52:].sum(axis=1).tolist()).items()})
            if HandOf(title, size, min(Category)) in best_hand:
                due = deals.due if deals.asks == "draw" and title == marshal_simulator.BANDIT else 0
                holds = holds | marshal_simulator.some_of(deals.random, place == marshal_simulator.STOCK, due)
                hands.update(kinds(deals, title, holds))
        if any(isinstance(outcome, HandOf) for outcome in new):
            some = marshal_simulator.some_of(deals.random, place == marshal_simulator.STOCK, deals.size.hands[-1])
            redrawn.update(kinds(deals, marshal_simulator.BANDIT, some))
        if silent and not deals.open_offer:
            where.update(places(deals, place, silence=True))
    yield from of_counts("best_hand", n, hands, best_hand)
    yield from of_counts("jokers", n, jokers, exact.get("jokers", {}))
    yield from of_counts("redraw_value", n, redrawn, {outcome: chance for outcome, chance in new.items() if isinstance(outcome, HandOf)})
    if silent and deals.open_offer:
        where = in_silence(deals, n)
    yield from of_counts("holder", n, where, silent)


def kinds(deals: Any, title: int, holds: Any) -> Counter[HandOf]:
    size = deals.size.hands[title]
    counts = Counter(marshal_simulator.categories(holds, size, deals.casino).tolist())
    return Counter({HandOf(title, size, Category(kind)): times for kind, times in counts.items()})


def places(deals: Any, place: Any, silence: bool) -> Counter[Where]:
    """Where the card lies that was asked for last."""
    names = {marshal_simulator.STOCK: "stock", marshal_simulator.ASIDE: "laid", marshal_simulator.AWAY: "discard"}
    counts = Counter(place[:, deals.asked.code].tolist())
    return Counter({Where(names.get(zone) or deals.titles[zone], silence): times for zone, times in counts.items()})


def in_silence(deals: Any, n: int) -> Counter[Where]:
    """The same if the offer on the table meets silence."""
    where = Counter[Where]()
    for place in deals.rows(n, silent=True):
        where.update(places(deals, place, silence=True))
    return where


def telling_nothing(session: Session, deals: Any, exact: dict[str, dict[Any, Fraction]], n: int) -> Iterator[Compared]:
    """What is asked as if silence told nothing: where a card is, and the next card."""
    before = {outcome: chance for outcome, chance in exact.get("holder", {}).items() if not outcome.silence}
    dist = session.expects(deals.viewer)
    coming = {action.card: dist.p(action) for action in dist if action.cards} if dist else {}
    where, cards = Counter[Where](), Counter[Any]()
    for place in deals.rows(n) if before or coming else ():
        if before:
            where.update(places(deals, place, silence=False))
        if coming:
            there = place == marshal_simulator.STOCK if deals.asks != "blind" else deals.plain_of_victim(place)
            some = marshal_simulator.some_of(deals.random, there, 1)
            cards.update({PACK_54[code]: times for code, times in enumerate(some.sum(axis=0).tolist()) if times})
    yield from of_counts("holder", n, where, before)
    yield from of_counts("expects", n, cards, coming)


def at_rest(session: Session) -> bool:
    """Whether nothing lies between two hands, and nobody has to move a card."""
    state = session.state
    between = state.laid or state.answers or state.asked or state.shown or state.named is not None
    return state.phase in ("bandit", "show") or not (between or state.phase == "deal" or state.due)


def of_titles(session: Session, found: dict[str, Answer[Any]], n: int, seed: int) -> Iterator[Compared]:
    """All cards are open and nobody does anything more: equal hands draw, and the Bandit has his last cards to come."""
    state = session.state
    if "next_title" not in found or not found["next_title"].exact:
        return
    random, counts = Random(seed), Counter[TitleOf]()
    n = min(n, CI)
    for _ in range(n):
        more = random.sample(state.stock.cards, state.due if session.game.now(state).asks == "draw" else 0)
        worth = {seat: best((*state.hands[seat], *(more if seat == state.titles[-1] else ()))) for seat in state.titles}
        ranked = sorted(state.titles, key=lambda seat: (worth[seat], random.random()), reverse=True)
        counts.update(TitleOf(seat, title) for title, seat in enumerate(ranked))
    yield from of_counts("next_title", n, counts, chances(found["next_title"]))


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_marshals_agree_with_simulated_deals(viewpoint: str) -> None:
    assert agree("poker_marshal", 5, viewpoint, 5, CI)


@pytest.mark.slow
@pytest.mark.parametrize("n", [MANY, MILLION])
@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_marshals_agree_with_many_simulated_deals(viewpoint: str, n: int) -> None:
    compared = agree("poker_marshal", 5, viewpoint, 10, n)
    assert {"title_draw", "next_title", "best_hand", "jokers", "holder"} <= {*compared}
    assert compared["redraw_value"] or viewpoint != "to act"


def test_the_marshals_are_no_echo() -> None:
    """Who forgets that silence tells something is found out."""
    session = Session(game("poker_marshal"), dealer=Scripted("AS KS QS JS TS AH AD 2C 3C 4C 5C 6C", fill=True))
    while session.state.phase != "marshal":
        session.play()
    for token in ("enough", "enough"):
        session.play(token)
    keeper = session.state.titles[2]
    asked = next(str(action) for action in session.legal if action.verb == "ask" and action.card in session.state.stock)
    session.play(asked)
    for token in (str(session.legal[0]), *["silent"] * 4):
        session.play(token)
    exact = chances(ask(session, "holder", seat=keeper, accept=THIRD))
    silent = exact[Where("stock", True)]
    for accept, improbable in ((THIRD, False), (Fraction(0), True)):
        deals = marshal_simulator.Deals(session, keeper, 1, accept)
        times = sum(places(deals, place, silence=True)[Where("stock", True)] for place in deals.rows(CI))
        assert (binomial_tail(times, CI, silent) < LIMIT) == improbable
