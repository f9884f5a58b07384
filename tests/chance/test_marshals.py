"""Poker Marshal's questions against every history of tiny games, against samples, and in whole games of the full size."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, groupby, permutations, product
from random import Random
from typing import Any

import pytest
from brute import MARSHALS, Belief, beliefs, marshal, play_out
from probable import assert_probable

from cardlab import CHANCE, OVER, TEACHER, Action, BadRequest, Card, Scripted, Session, best, game
from cardlab.cards import PACK_52, PACK_54, Category, parse_cards
from cardlab.chance import Answer, Estimate, Exact, ask, fitting, marshal_cards, marshals
from cardlab.chance.marshal_outcomes import Choice, DealsToStreak, HandOf, JokersOf, LongRun, Passes, Settled, TitleOf, Where
from cardlab.chance.titles import all_different, place_odds
from cardlab.core.events import Seat, Viewer
from cardlab.games.marshal_state import BANDIT, MARSHAL, STOREKEEPER, State
from cardlab.games.poker_marshal import SWAPS, PokerMarshal
from cardlab.words import Words

THIRD = Fraction(1, 3)
LATE = ("marshal", "deputy", "offers", "bandit", "show")


def everybody(tiny: PokerMarshal) -> tuple[Viewer, ...]:
    return (*tiny.seats, None, TEACHER)


def dealt_out(session: Session) -> int:
    """The first step at which all is dealt."""
    return next(n for n in range(len(session) + 1) if session.goto(n).game.phase(session.state) not in ("titles", "deal"))


def titles_drawn(session: Session) -> int:
    return next(n for n in range(len(session) + 1) if session.goto(n).game.phase(session.state) != "titles")


def moments(tiny: PokerMarshal, seed: int, accept: Fraction, viewer: Viewer, phases: tuple[str, ...]) -> Iterator[tuple[Session, Belief]]:
    """The steps of a tiny game in some phases, with all states that agree with what the viewer was shown."""
    session = play_out(Session(tiny, seed=seed), Random(seed))
    for belief in beliefs(session, viewer, accept, titles_drawn(session)):
        if session.game.phase(session.state) in phases:
            yield session, belief


def sweeps(names: Iterable[str]) -> Any:
    """A test of each name with two of the viewers, so that each is among them, and a slow one with all."""
    some = [(name, (k % 7, (k + 2) % 7)) for k, name in enumerate(names)]
    whole = [pytest.param(name, tuple(range(7)), marks=pytest.mark.slow) for name in names]
    return pytest.mark.parametrize(("name", "viewers"), [*some, *whole])


def value(answer: Answer[Any], outcome: Any) -> Fraction:
    number = answer[outcome]
    assert isinstance(number, Exact)
    assert isinstance(number.value, Fraction)
    return number.value


# Cards


def hands_in(state: State, title: int, size: int) -> list[tuple[Card, ...]]:
    """All hands that a title may come to hold in a state, each as likely: cards still missing are any of the stock."""
    held = state.hands[state.titles[title]].cards
    return [(*held, *more) for more in combinations(state.stock, size - len(held))]


@sweeps(MARSHALS)
def test_hands_and_jokers_equal_complete_enumeration(name: str, viewers: tuple[int, ...]) -> None:
    tiny = MARSHALS[name]
    compared: Counter[str] = Counter()
    for viewer in (everybody(tiny)[k] for k in viewers):
        for session, belief in moments(tiny, 3, THIRD, viewer, ("deal", *LATE)):
            view, phase = session.view(viewer), session.state.phase
            if view.now.asks == "shuffle" or len(belief) > 800:
                continue
            hands, jokers = (ask(view, question, accept=THIRD) for question in ("best_hand", "jokers"))
            for title, size in enumerate(session.game.size.hands):
                if any(outcome.title == title for outcome in hands):
                    kinds = {k: value(hands, HandOf(title, size, k)) for k in Category}
                    assert {k: p for k, p in kinds.items() if p} == categories(session.game, belief, title, size)
                    compared[phase] += 1
                    compared["uneven"] += 1 not in kinds.values()
                if phase != "deal":
                    assert {o.jokers: value(jokers, o) for o in jokers if o.title == title} == wild(belief, title)
    assert all(compared[phase] >= len(viewers) for phase in ("deal", *LATE))
    assert compared["uneven"] > 5 or name in ("no joker", "equal hands")  # there all hands are high cards


def wild(belief: Belief, title: int) -> dict[int, Fraction]:
    """How many jokers a hand holds."""
    numbers: dict[int, Fraction] = defaultdict(Fraction)
    for state, weight in belief.items():
        numbers[sum(card.joker for card in state.hands[state.titles[title]])] += weight
    return dict(numbers)


def test_jokers_while_cards_lie_for_one_shown() -> None:
    """The cards laid are still in their hands; no joker is among them."""
    session = Session(marshal("2C 3D 4H 5S 6C 7D JK1", (2, 1, 2, 1, 1), 1, offers="ask_or_offer"), seed=1)
    while not session.state.picking:
        moves = {action.verb: action for action in session.legal}
        quiet = "show" if "show" in moves else "enough" if "enough" in moves else "lay" if "lay" in moves else "pass"
        session.play(moves[quiet] if session.legal else None)
    uneven = 0
    for viewer in everybody(session.game):
        *_, belief = beliefs(session, viewer, THIRD, titles_drawn(session))
        jokers = ask(session, "jokers", viewer, accept=THIRD)
        for title in range(5):
            assert {o.jokers: value(jokers, o) for o in jokers if o.title == title} == wild(belief, title)
            uneven += len(wild(belief, title)) > 1
    assert uneven > 5


def categories(tiny: PokerMarshal, belief: Belief, title: int, size: int) -> dict[Category, Fraction]:
    kinds: dict[Category, Fraction] = defaultdict(Fraction)
    for state, weight in belief.items():
        hands = hands_in(state, title, size)
        for cards in hands:
            kinds[best(cards, tiny.rules.short_hands).category] += weight / len(hands)
    return dict(kinds)


def places(state: State, card: Card) -> Seat | str:
    for seat, held in enumerate(state.hands):
        if card in held:
            return Seat(seat)
    return "stock" if card in state.stock else "laid" if card in state.laid else "discard"


ASKED = ("no joker", "one joker", "two jokers", "two of the Bandit", "take then give")  # in these a card is asked for


@sweeps(ASKED)
def test_holder_equals_complete_enumeration_before_and_after_silence(name: str, viewers: tuple[int, ...]) -> None:
    compared = silences = 0
    for viewer in (everybody(MARSHALS[name])[k] for k in viewers):
        weighed, free = (list(walk(name, 0, accept, viewer)) for accept in (THIRD, Fraction(0)))
        for (view, belief), (_, prior) in zip(weighed, free, strict=True):
            answer = ask(view, "holder", accept=THIRD)
            card = view.asked or view.in_vain[-1][0]
            if prior:  # there is none where somebody has given a card, as nobody then would
                assert shares(answer, False) == where(prior, card)
                compared += 1
            if not view.asked:
                assert shares(answer, True) == where(belief, card)
                silences += len(belief) > 1
    assert min(compared, silences) >= len(viewers) // 2


def walk(name: str, seed: int, accept: Fraction, viewer: Viewer) -> Iterator[tuple[Any, Belief]]:
    """The views of a viewer while a card is asked for, or has been, with all states that agree with them."""
    for session, belief in moments(MARSHALS[name], seed, accept, viewer, ("offers", "bandit")):
        view = session.view(viewer)
        if (view.asked or view.in_vain) and not view.sealed:
            yield view, belief


def shares(answer: Answer[Any], silence: bool) -> dict[Seat | str, Fraction]:
    return {o.place: value(answer, o) for o in answer if o.silence == silence}


def where(belief: Belief, card: Card) -> dict[Seat | str, Fraction]:
    found: dict[Seat | str, Fraction] = defaultdict(Fraction)
    for state, weight in belief.items():
        found[places(state, card)] += weight
    return dict(found)


# Titles: draws, then every way to the showdown, played with the engine alone


def test_a_draw_for_titles_is_open_to_all() -> None:
    """At first, and after equal hands: each viewer's answer is that of the lots themselves (see ``test_titles``)."""
    drawing: Counter[str] = Counter()
    session = play_out(Session(MARSHALS["equal hands"], seed=1), Random(1))
    for at in range(len(session)):
        lots, phase = session.goto(at).state.lots, session.state.phase
        if lots is None:
            continue
        for viewer in everybody(session.game):
            titles, different = (ask(session, question, viewer) for question in ("next_title", "title_draw"))
            odds = place_odds(lots)
            assert {outcome: value(titles, outcome) for outcome in titles} == {
                TitleOf(seat, title): p for seat in session.game.seats for title, p in enumerate(odds[seat])
            }
            assert value(different, Settled(True)) == 1 - value(different, Settled(False)) == all_different(lots)
        drawing[phase] += 1
    assert min(drawing["titles"], drawing["ties"]) > 2


def futures(
    tiny: PokerMarshal, state: State, weight: Fraction, policy: str, accept: Fraction, quiet: Seat | None
) -> Iterator[tuple[State, Fraction]]:
    """The states before the showdown: players do any legal move alike, or keep still; a holder gives with ``accept``."""
    if state.phase == "show":
        yield state, weight
        return
    actor, legal = tiny.actor(state), tiny.legal(state)
    if actor is CHANCE:
        moves = {action: tiny.chances(state).p(action) for action in tiny.chances(state)}
    elif len(legal) > 1 and {"silent", "pass"} & {action.verb for action in legal}:
        others = [action for action in legal if action.verb not in ("silent", "pass")]
        moves = {action: accept / len(others) if action in others else 1 - accept for action in legal}
    elif quiet_moves := [a for a in legal if a.verb in ("enough", "nobody", "keep") or a == Action("take", number=0)][
        : policy == "still" or (actor == quiet and legal[0].verb == "enough")
    ]:
        moves = {quiet_moves[0]: Fraction(1)}
    else:
        moves = {action: Fraction(1, len(legal)) for action in legal}
    for action, share in moves.items():
        yield from futures(tiny, tiny.apply(state, action).after, weight * share, policy, accept, quiet)


def titles_of(tiny: PokerMarshal, state: State) -> Iterator[tuple[tuple[Seat, ...], Fraction]]:
    """The orders of the hands; equal ones in every order, or with the higher old title first."""
    worth = {seat: best(state.hands[seat], tiny.rules.short_hands) for seat in state.titles}
    ranked = sorted(state.titles, key=lambda seat: worth[seat], reverse=True)
    groups = [tuple(group) for _, group in groupby(ranked, key=lambda seat: worth[seat])]
    if tiny.rules.title_tie == "incumbent":
        groups = [(seat,) for seat in ranked]
    every = list(product(*(permutations(group) for group in groups)))
    for chosen in every:
        yield tuple(seat for group in chosen for seat in group), Fraction(1, len(every))


def title_table(
    tiny: PokerMarshal, belief: Mapping[Any, Fraction], policy: str, accept: Fraction, quiet: Seat | None = None
) -> dict[tuple[Seat, int], Fraction]:
    table: dict[tuple[Seat, int], Fraction] = defaultdict(Fraction)
    for state, weight in belief.items():
        for ended, share in futures(tiny, state, weight, policy, accept, quiet):
            for order, part in titles_of(tiny, ended):
                for title, seat in enumerate(order):
                    table[seat, title] += share * part
    return table


TITLE_QUESTIONS = ("next_title", "swap_value", "offer_value", "redraw_value")
ALL_ASKED = ("no joker", "a card shown")  # the tiny games in which each of them has few enough worlds
TITLED = {
    "no joker": marshal("2C 3D 4H 5S 6C 7D", (1, 1, 1, 1, 1), 1),
    "two of the Bandit": MARSHALS["two of the Bandit"],
    "a card shown": marshal("2C 3D 4H 5S 6C JK1", (1, 1, 1, 1, 1), 1, offers="ask_or_offer"),
    "take then give": MARSHALS["take then give"],
    "equal hands": MARSHALS["equal hands"],
    "incumbent": marshal("2C 2D 2H 3S 3C 3D 4H", (1, 1, 1, 1, 1), 1, title_tie="incumbent"),
}


@sweeps(TITLED)
def test_titles_equal_complete_enumeration(name: str, viewers: tuple[int, ...]) -> None:
    """Where the answer says that it is exact: next titles from every viewpoint, and each choice of the seat to act."""
    tiny = TITLED[name]
    compared: Counter[tuple[str, str, Viewer]] = Counter()
    for viewer in (everybody(tiny)[k] for k in (range(7) if name in ALL_ASKED else {*viewers, 6})):
        for session, belief in moments(tiny, 1, THIRD, viewer, LATE):
            view, late = session.view(viewer), session.state.phase in ("bandit", "show")
            for asked, policy in product(fitting(view), ("still", "random")):
                first = asked.of_seat and not compared[asked.name, policy, viewer]
                few = 150 if first and (late or policy == "still") else 40 if late else 20 if policy == "still" else 4
                if asked.name not in TITLE_QUESTIONS or len(belief) > few or (policy == "random" and session.state.phase in SWAPS):
                    continue
                answer = ask(view, asked.name, accept=THIRD, policy=policy, n=5)
                if answer.exact:
                    compare_titles(tiny, answer, belief, policy, viewer)
                    compared[asked.name, policy, viewer] += 1
    questions = {(question, policy) for question, policy, _ in compared}
    assert {("next_title", "still"), ("next_title", "random")} <= questions
    if name in ALL_ASKED:
        assert {("redraw_value", "still"), ("redraw_value", "random"), ("swap_value", "still"), ("offer_value", "still")} <= questions


def compare_titles(tiny: PokerMarshal, answer: Answer[Any], belief: Belief, policy: str, viewer: Any) -> None:
    tables: dict[Any, dict[tuple[Seat, int], Fraction]] = {}
    new = new_hands(tiny, belief) if any(isinstance(outcome, HandOf) for outcome in answer) else {}
    for outcome in answer:
        if isinstance(outcome, HandOf):
            assert value(answer, outcome) == new[outcome.category]
            continue
        choice = outcome if isinstance(outcome, Choice) else outcome.choice
        if choice not in tables:
            moved = {after(tiny, state, choice, answer.question): weight for state, weight in belief.items()}
            assert len(moved) == len(belief)
            tables[choice] = title_table(tiny, moved, policy, THIRD, None if choice is None else viewer)
        who, title = (viewer, MARSHAL) if isinstance(outcome, Choice) else (outcome.seat, outcome.title)
        assert value(answer, outcome) == tables[choice][who, title], outcome


def new_hands(tiny: PokerMarshal, belief: Belief) -> dict[Category, Fraction]:
    """What the Bandit may draw."""
    kinds: dict[Category, Fraction] = defaultdict(Fraction)
    for state, weight in belief.items():
        every = list(combinations(state.stock, tiny.size.hands[BANDIT]))
        for cards in every:
            kinds[best(cards, tiny.rules.short_hands).category] += weight / len(every)
    return kinds


def after(tiny: PokerMarshal, state: State, choice: Choice | None, question: str) -> State:
    """A state after the moves of a choice: cards one by one, and "enough" where fewer are laid than may be."""
    seat = tiny.actor(state)
    for action in choice.actions if choice else ():
        for card in action.cards or (None,):
            state = tiny.apply(state, Action(action.verb, () if card is None else (card,), action.number)).after
    if question == "swap_value" and choice and choice.actions[0].verb == "lay" and tiny.actor(state) == seat:
        state = tiny.apply(state, Action("enough")).after
    return state


def test_every_set_that_may_be_laid_is_valued_once() -> None:
    session = table()
    answer = ask(session, "swap_value", seat=0, n=2)
    own = [card for card in session.view(0).hand(0) if not card.joker]
    sets = {choice.actions[0].cards for choice in answer}
    assert sets == {cards for n in range(4) for cards in combinations(sorted(own), n)}
    assert len(answer) == len(sets) == 64
    session.play(f"lay {own[0]}")
    assert {choice.actions[0].cards for choice in ask(session, "swap_value", seat=0, n=2)} == {
        cards for n in range(3) for cards in combinations(own[1:], n)
    }


def table(**house: Any) -> Session:
    """A full game in which all is dealt: RANKED hands from the Marshal's to the Bandit's, by seat."""
    hands = "AS AH AD AC 2C 3D 4H KS KH KD KC 2D 3H QS QH QD QC 2H JS JH JD JC TS TH TD"
    session = Session(game("poker_marshal", **house), dealer=Scripted(f"AS KS QS JS TS {hands}", fill=True))
    while session.state.phase in ("titles", "deal"):
        session.play()
    return session


# Samples agree with what is exact


ESTIMATED = ("no joker", "two of the Bandit", "a card shown", "take then give")
SIZES = [*((name, 1, 300) for name in ESTIMATED), *(pytest.param(name, 3, 6_000, marks=pytest.mark.slow) for name in ESTIMATED)]


@pytest.mark.parametrize(("name", "times", "n"), SIZES)
def test_estimates_agree_with_the_exact_answers(name: str, times: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same questions with no world gone through: every number against its exact one."""
    compared: Counter[str] = Counter()
    pairs: list[tuple[Exact, Estimate]] = []
    for viewer in MARSHALS[name].seats:
        session = play_out(Session(MARSHALS[name], seed=5), Random(5))
        for at in reversed(range(dealt_out(session), len(session) + 1, 3)):  # towards the end fewer worlds are left
            view = session.goto(at).view(viewer)
            for asked in fitting(view) if view.now.phase in LATE else ():
                if asked.name in TITLE_QUESTIONS and compared[asked.name] < times:
                    exact = ask(view, asked.name, accept=THIRD, n=1)
                    if exact.exact:
                        with monkeypatch.context() as patch:
                            patch.setattr(marshals, "MOST", 0)
                            estimate = ask(view, asked.name, accept=THIRD, n=n, seed=7)
                        assert estimate.assumes == exact.assumes
                        assert list(estimate) == list(exact)
                        both = ((exact[outcome], estimate[outcome]) for outcome in exact)
                        pairs += [(a, b) for a, b in both if isinstance(a, Exact) and isinstance(b, Estimate)]
                        compared[asked.name] += 1
    assert compared["next_title"] == times
    for number, found in pairs:
        assert isinstance(number.value, Fraction)
        assert_probable(int(found.total), found.n, number.value, comparisons=len(pairs))
    assert sum(0 < number.value < 1 for number, _ in pairs) > 5 * times


def test_titles_of_random_deals_agree_with_a_simulation_of_its_own() -> None:
    """Nobody moves: hands dealt and ranked without the engine."""
    answer = ask(Session(game("poker_marshal"), seed=1), "titles_chain", policy="still", n=1500, seed=3)
    rng = Random(11)
    stays: Counter[tuple[int, int]] = Counter()
    deals = 3000
    for _ in range(deals):
        pack = rng.sample(PACK_54, 25)
        cuts = [(0, 7), (7, 13), (13, 18), (18, 22), (22, 25)]
        worth = [(best(pack[a:b]), rng.random(), old) for old, (a, b) in enumerate(cuts)]
        for new, (_, _, old) in enumerate(sorted(worth, key=lambda hand: hand[:2], reverse=True)):
            stays[old, new] += 1
    for old, new in product(range(5), range(5)):
        one, other = answer[Passes(old, new, 1)], stays[old, new] / deals
        assert isinstance(one, Estimate)
        assert one.mean is not None
        error = (other * (1 - other) * (1 / deals + 1 / one.n)) ** 0.5
        assert abs(one.mean - other) < 5.5 * error, (old, new)
    assert 0.4 < (answer[Passes(0, 0, 1)].mean or 0) < 0.55  # course.md: 48 % when nobody swaps


COUNTED = [("marshal", 2), ("offers", 4), ("offers", None), ("bandit", 4), ("show", 0)]


@pytest.mark.parametrize(
    ("phase", "viewer", "n"),
    [*((*at, 500) for at in COUNTED[1:4:2]), *(pytest.param(*at, 10_000, marks=pytest.mark.slow) for at in COUNTED)],
)
def test_counted_hands_agree_with_sampled_worlds(phase: str, viewer: Any, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full game in which cards were swapped and asked for: every hand as counted, whatever it costs, and as it lies in some worlds."""
    session = Session(game("poker_marshal", deals=1), seed=31)
    rng = Random(3)
    while session.state.phase != phase:
        session.play() if session.actor is CHANCE else busy(session, rng)
    view = session.view(viewer)
    with monkeypatch.context() as patch:
        patch.setattr(marshal_cards, "countable", lambda *what: True)
        exact = ask(view, "best_hand")
    with monkeypatch.context() as patch:
        patch.setattr(marshal_cards, "countable", lambda *what: False)
        estimate = ask(view, "best_hand", n=n, seed=6)
    assert exact.exact
    assert list(exact) == list(estimate)
    pairs = [(value(exact, o), found) for o, found in estimate.numbers.items() if isinstance(found, Estimate)]
    assert len(pairs) >= 40
    for chance, found in pairs:
        assert_probable(int(found.total), found.n, chance, comparisons=len(pairs))


def busy(session: Session, rng: Random) -> None:
    """Any verb alike, so that cards are laid and asked for."""
    verb = rng.choice(sorted({action.verb for action in session.legal}))
    session.play(rng.choice([action for action in session.legal if action.verb == verb]))


def test_a_hand_that_splits_into_many_cases_is_estimated_and_says_so() -> None:
    """Three cards asked for in vain: the Marshal's seven cards may hold any of them, his own hand is known to everyone who holds it."""
    session = table()
    for token in ("enough", "enough"):
        session.play(token)
    for card in ("9S", "8S", "7S"):
        for token in (f"ask {card}", "lay 2H", "silent", "silent", "silent", "silent"):
            session.play(token)
    answer = ask(session, "best_hand", n=50)
    assert isinstance(answer[HandOf(MARSHAL, 7, Category.PAIR)], Estimate)
    assert isinstance(answer[HandOf(BANDIT, 3, Category.PAIR)], Exact)
    assert ask(session, "best_hand", seat=Seat(0), n=50)[HandOf(MARSHAL, 7, Category.FOUR_OF_A_KIND)] == Exact(Fraction(1), 1)


@pytest.mark.parametrize("policy", ["still", "random", "sensible"])
def test_every_behaviour_can_be_assumed_and_is_named(policy: str) -> None:
    session = table()
    for question, n in (("next_title", 10), ("swap_value", 2), ("titles_chain", 10)):
        answer = ask(session, question, seat=Seat(0), policy=policy, n=n)
        check(answer)
        assert policy.capitalize() in answer.assumes.display(Words("en"))
    for token in ("enough", "enough"):
        session.play(token)
    check(ask(session, "offer_value", seat=Seat(2), policy=policy, n=2))
    with pytest.raises(BadRequest):
        ask(session, "next_title", policy="nobody")


# The chain


def test_the_chain_of_a_tiny_game_is_exact() -> None:
    tiny = marshal("2C 3D 4H 5S 6C", (1, 1, 1, 1, 1), 1)
    answer = ask(Session(tiny, seed=1), "titles_chain", policy="still")
    assert answer.exact
    # Five cards, one each: every order is as likely.
    assert all(value(answer, Passes(old, new, deals)) == Fraction(1, 5) for old in range(5) for new in range(5) for deals in (1, 2, 5, 10))
    assert value(answer, DealsToStreak()) == 1 + (1 - Fraction(1, 5) ** 4) / (Fraction(4, 5) * Fraction(1, 5) ** 4)
    assert [value(answer, LongRun(title)) for title in range(5)] == [Fraction(1, 5)] * 5


def test_the_chain_of_unequal_hands_equals_all_deals() -> None:
    tiny = marshal("2C 3D 4H 5S 6C 6D 7H", (2, 1, 1, 1, 1), 1)
    answer = ask(Session(tiny, seed=1), "titles_chain", policy="still")
    passes: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    cards = parse_cards("2C 3D 4H 5S 6C 6D 7H")
    deals = [(pair, rest) for pair in combinations(cards, 2) for rest in permutations([c for c in cards if c not in pair], 4)]
    for pair, rest in deals:
        worth = [best(pair), *(best([card]) for card in rest)]
        for old, hand in enumerate(worth):
            above, level = sum(other > hand for other in worth), worth.count(hand)
            for new in range(above, above + level):
                passes[old, new] += Fraction(1, level * len(deals))
    assert answer.exact
    assert {(old, new): value(answer, Passes(old, new, 1)) for old in range(5) for new in range(5)} == {
        (old, new): passes[old, new] for old in range(5) for new in range(5)
    }


def test_an_estimated_chain_says_how_sure_it_is() -> None:
    answer = ask(Session(game("poker_marshal"), seed=1), "titles_chain", n=100, seed=2)
    for deals in (1, 2, 5, 10):
        for old in range(5):
            row = [answer[Passes(old, new, deals)] for new in range(5)]
            assert all(isinstance(number, Estimate) and number.n == 100 and number.interval for number in row)
            assert sum(number.mean or 0 for number in row) == pytest.approx(1, abs=1e-12)
    assert isinstance(answer[DealsToStreak()], Estimate)
    assert answer.assumes.display(Words("en")).startswith("all play like the computer player Random")
    again = ask(Session(game("poker_marshal"), seed=99), "titles_chain", n=100, seed=2)
    assert again == answer  # whatever the cards of the session


# Facts of the full game


def test_before_the_deal_the_counts_are_the_reference() -> None:
    answer = ask(Session(game("poker_marshal"), seed=1), "best_hand")
    counts = {(o.cards, o.category): number.count for o, number in answer.numbers.items() if isinstance(number, Exact)}
    three = [counts[3, category] for category in Category]
    five = [counts[5, category] for category in Category]
    assert three == [18304, 6240, 0, 260, 0, 0, 0, 0, 0, 0]
    assert five == [1302540, 1437936, 123552, 232968, 34704, 11388, 9360, 9360, 624, 78]
    assert answer.assumes.display(Words("en")) == "chance alone decides"


def test_PM_6_one_blind_draw_and_the_jokers_of_the_Bandit() -> None:
    """A Marshal without a joker has drawn one plain card: a hand with jokers had fewer to draw from, so the rest is likelier to be them.

    P(j jokers | drawn a plain card) ∝ C(2, j)·C(45, 3 - j), whichever of the 3 - j plain cards it was.
    """
    session = table()
    session.play("lay 2C")
    session.play("enough")
    session.play("blind TD")
    view = session.view(0)
    answer = ask(view, "jokers")
    chance = 1 - value(answer, JokersOf(BANDIT, 3, 0))
    ways = [Fraction(n) for n in (45 * 44 * 43 // 6, 2 * 45 * 44 // 2, 45)]
    assert chance == 1 - ways[0] / sum(ways)
    assert round(float(chance), 4) == 0.1249
    assert round(1 - 45 * 44 / (46 * 45), 4) < 0.0860 < 0.1249  # what forgetting the draw would say


def test_PM_8_silence_by_hand() -> None:
    """Nobody has swapped; the Storekeeper asks for a card and nobody gives it: 20 places in hands weigh half, 29 in the stock whole."""
    session = table()
    for token in ("enough", "enough", "ask 9S", "lay 2H", "silent", "silent", "silent", "silent"):
        session.play(token)
    answer = ask(session, "holder", seat=STOREKEEPER)
    total = Fraction(7 + 6 + 4 + 3, 2) + 29
    assert value(answer, Where("stock", True)) == 29 / total
    assert value(answer, Where(Seat(0), True)) == Fraction(7, 2) / total
    assert value(answer, Where("stock", False)) == Fraction(29, 49)
    sure = ask(session, "holder", seat=STOREKEEPER, accept=1)
    assert value(sure, Where("stock", True)) == 1
    telling_nothing = ask(session, "holder", seat=STOREKEEPER, accept=0)
    assert shares(telling_nothing, True) == shares(telling_nothing, False)


def test_PM_8_an_offer_says_beforehand_what_silence_will_tell() -> None:
    session = table()
    for token in ("enough", "enough", "ask 9S", "lay 2H"):
        session.play(token)
    before = ask(session, "holder", seat=STOREKEEPER, accept=THIRD)
    for _ in range(4):
        session.play("silent")
    assert shares(before, True) == shares(ask(session, "holder", seat=STOREKEEPER, accept=THIRD), True)
    assert shares(before, False) == shares(ask(session, "holder", seat=STOREKEEPER, accept=THIRD), False)


def test_PM_11_the_new_hand_by_hand() -> None:
    """Nothing but the Bandit's own three tens is seen: 51 cards lie alike, jokers and the fourth ten among them."""
    session = table()
    for token in ("enough", "enough", "enough"):
        session.play(token)
    answer = ask(session, "redraw_value", seat=BANDIT, policy="still", n=50)
    pool = [card for card in PACK_54 if card not in parse_cards("TS TH TD")]
    every = Counter(best(cards).category for cards in combinations(pool, 3))
    assert {k: value(answer, HandOf(BANDIT, 3, k)) for k in Category} == {k: Fraction(every[k], 20825) for k in Category}
    keep, redraw = (Choice((Action(verb),)) for verb in ("keep", "redraw"))
    outcomes = [TitleOf(Seat(4), title, choice) for choice in (keep, redraw) for title in range(5)]
    assert sum(answer[outcome].mean or 0 for outcome in outcomes[:5]) == pytest.approx(1)
    assert {*answer} == {*outcomes, *(HandOf(BANDIT, 3, k) for k in Category)}


def test_PM_12_a_seat_sure_of_its_hand_and_the_teacher_of_all() -> None:
    session = table()
    four = HandOf(MARSHAL, 7, Category.FOUR_OF_A_KIND)
    assert value(ask(session, "best_hand", seat=0), four) == 1
    assert value(ask(session, "best_hand", seat=TEACHER), four) == 1
    assert 0 < value(ask(session, "best_hand", seat=4), four) < value(ask(session, "best_hand", seat=4), HandOf(0, 7, Category.PAIR))
    titles = ask(session, "next_title", seat=TEACHER, policy="still")
    assert titles.exact
    assert all(value(titles, TitleOf(seat, int(seat))) == 1 for seat in session.game.seats)


# What holds of every answer


HOUSES: dict[str, dict[str, Any]] = {
    "default": {"deals": 2},
    "house rules": {"deals": 1, "swap": "take_then_give", "offers": "ask_or_offer", "short_hands": "casino"},
}


@pytest.mark.parametrize(("house", "share"), [("default", 0.015), *(pytest.param(house, 0.2, marks=pytest.mark.slow) for house in HOUSES)])
def test_every_question_at_many_moments(house: str, share: float) -> None:
    """Distributions sum to 1, outcomes have names in both languages, and what was asked before changes nothing."""
    session = Session(game("poker_marshal", **HOUSES[house]), seed=21)
    rng = Random(4)
    asked: Counter[str] = Counter()
    while session.actor is not OVER:
        moments = [(viewer, True) for viewer in everybody(session.game) if rng.random() < share / 7]
        moments += [(session.actor, False)] * isinstance(session.actor, Seat)
        for viewer, again in moments:
            view = session.view(viewer)
            for question in rng.sample(fitting(view), len(fitting(view))):
                if asked[question.name] and not (again and question.name != "titles_chain"):
                    continue
                answer = ask(view, question.name, n=3)
                assert answer == ask(view, question.name, n=3)
                check(answer)
                asked[question.name] += 1
        session.step("random")
    missing = {"best_hand", "jokers", "next_title", "swap_value", "offer_value", "redraw_value", "titles_chain"} - {*asked}
    assert not missing


def check(answer: Answer[Any]) -> None:
    totals: dict[Any, float] = defaultdict(float)
    for outcome, number in answer.numbers.items():
        assert all(outcome.display(Words(language)) for language in ("en", "ru"))
        assert str(outcome)
        assert number.mean is not None or isinstance(outcome, DealsToStreak)
        if not isinstance(outcome, DealsToStreak):
            assert 0 <= (number.mean or 0) <= 1 + 1e-12
        if not isinstance(outcome, (Choice, DealsToStreak, LongRun)):
            totals[group_of(outcome)] += number.mean or 0
    assert all(total == pytest.approx(1, abs=1e-12) for total in totals.values()), answer.question
    assert all(answer.assumes.display(Words(language)) for language in ("en", "ru"))


def group_of(outcome: Any) -> Any:
    """Outcomes of which exactly one comes."""
    match outcome:
        case HandOf() | JokersOf():
            return outcome.title
        case TitleOf():
            return outcome.seat, outcome.choice
        case Where():
            return outcome.silence
        case Passes():
            return outcome.old, outcome.deals
    return None


def test_equal_views_give_equal_answers_whatever_the_truth() -> None:
    """Two deals that differ in what the Deputy cannot see."""
    answers = []
    for hidden in ("AS AH AD AC 2C 3D 4H", "9S 9H 9D 9C 8C 8D 8H"):
        rest = [str(card) for card in PACK_52 if str(card) not in f"{hidden} KS KH KD KC 2D 3H"]
        script = f"AS KS QS JS TS {hidden} KS KH KD KC 2D 3H {' '.join(rest[:12])}"
        session = Session(game("poker_marshal"), dealer=Scripted(script, fill=True))
        while session.state.phase in ("titles", "deal"):
            session.play()
        session.play("enough")
        view = session.view(1)
        answers.append((view, [ask(view, asked.name, n=5, seed=8) for asked in fitting(view) if asked.name != "titles_chain"]))
    (one, first), (two, second) = answers
    assert one == two
    assert first == second
    assert {answer.question for answer in first} == {"best_hand", "jokers", "next_title", "swap_value", "best_choices"}


@pytest.mark.parametrize(
    ("question", "seat", "key"),
    [
        ("swap_value", None, "error.ask.seat"),
        ("swap_value", TEACHER, "error.ask.seat"),
        ("swap_value", 1, "error.ask.moment"),
        ("offer_value", 0, "error.ask.moment"),
        ("redraw_value", 4, "error.ask.moment"),
        ("holder", 0, "error.ask.moment"),
        ("title_draw", 0, "error.ask.moment"),
        ("next_card", 0, "error.ask.question"),
    ],
)
def test_what_cannot_be_asked_is_refused(question: str, seat: Any, key: str) -> None:
    with pytest.raises(BadRequest) as fault:
        ask(table(), question, seat=seat)
    assert fault.value.key == key
    for language in ("en", "ru"):
        assert fault.value.say(Words(language))


def test_a_game_that_is_over_has_only_its_chain() -> None:
    session = Session(game("poker_marshal", deals=1), seed=3)
    session.auto("still", until="game")
    assert [asked.name for asked in fitting(session.view())] == ["titles_chain"]
