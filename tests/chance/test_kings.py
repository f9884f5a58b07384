"""Suicide King's answers: against the reference, against every history of tiny packs, and against simulated deals."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from probable import assert_probable

from cardlab import CHANCE, OVER, TEACHER, Session, game
from cardlab.cards import PACK_52, Card, parse_cards
from cardlab.chance import Exact, ask
from cardlab.chance.kings import Leaving
from cardlab.core.events import Seat
from cardlab.games.suicide_king import Leaves, Passed, Size, SuicideKing, Table
from cardlab.testing.houses import combinations, every_single

REFERENCE = {  # of an independent program
    2: (0.489795241402, 0.510204758598),
    4: (0.249893762269, 0.250039828916, 0.250072805547, 0.249993603268),
}
COUNT_EXACT = ("last_player", "turn_length", "next_card", "cards_to_end")


def first_moves(players: int, **house: Any) -> Session:
    """A session at the first deal, in which seat 0 takes the first card."""
    return Session(game("suicide_king", players, **{"first_dealer": players - 1, **house}), seed=1)


def chances(of: Any, question: str, **options: Any) -> dict[Any, Fraction]:
    """An answer as fractions; fails when a number is not one."""
    found: dict[Any, Fraction] = {}
    for outcome, number in ask(of, question, **options).numbers.items():
        assert isinstance(number, Exact)
        assert isinstance(number.value, Fraction)
        assert number.error == 0
        found[outcome] = number.value
    return found


# known values


@pytest.mark.parametrize("players", [2, 4])
def test_the_last_player_of_the_reference(players: int) -> None:
    found = chances(first_moves(players), "last_player")
    assert [float(p) for p in found.values()] == pytest.approx(REFERENCE[players], abs=1e-9)
    assert list(found) == list(range(players))


def test_under_batch_the_first_of_two_is_last() -> None:
    found = chances(first_moves(2, extra_cards="batch"), "last_player")
    assert float(found[Seat(0)]) == pytest.approx(0.488038697252, abs=1e-12)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("house", [{}, {"extra_cards": "batch", "king_of_hearts": "ends_deal", "next_dealer": "last_leaver"}])
def test_before_the_lot_all_seats_are_alike(players: int, house: dict[str, Any]) -> None:
    session = Session(game("suicide_king", players, **house), seed=3)
    assert set(chances(session, "last_player").values()) == {Fraction(1, players)}
    leaving = chances(session, "leaves_this_deal")
    assert len({leaving[Leaving(seat, "king")] for seat in session.game.seats}) == 1
    assert sum(p for outcome, p in leaving.items() if outcome.by == "king") == 1


def test_the_lot_decides_who_is_first() -> None:
    session = Session(game("suicide_king", 4), seed=3)
    session.play()
    dealer = session.state.dealer
    found = chances(session, "last_player")
    assert [float(found[Seat((dealer + 1 + k) % 4)]) for k in range(4)] == pytest.approx(REFERENCE[4], abs=1e-9)


def test_the_last_player_left_is_certain() -> None:
    session = first_moves(3)
    session.auto("still", until="game")
    (last,) = session.state.playing
    assert chances(session, "last_player") == {seat: Fraction(seat == last) for seat in session.game.seats}


def test_chances_do_not_depend_on_who_is_said_to_win() -> None:
    one, other = (chances(first_moves(5, last_player=value), "last_player") for value in ("loses", "wins"))
    assert one == other


def test_turns_of_a_whole_pack() -> None:
    lengths = chances(first_moves(4), "turn_length")
    assert lengths[1] == Fraction(37, 52)  # a low card, or the king of hearts
    assert sum(n * p for n, p in lengths.items()) == pytest.approx(2.05009, abs=1e-5)
    assert sum(p for n, p in lengths.items() if n > 20) == pytest.approx(5.48e-5, rel=0.01)


# cases of other tools


def at(players: int, cards: str, taken: str, **house: Any) -> Session:
    """A session in which a tiny pack was dealt and some cards were taken, by name."""
    pack = parse_cards(cards)
    played = SuicideKing(players, first_dealer=players - 1, size=Size(pack, (len(pack),)), **house)
    session = Session(played, seed=0)
    session.play()
    for card in taken.split():
        session.play("take 0")
        session.play(f"card {card}")
    return session


def test_what_is_due_is_not_more_than_what_is_left() -> None:
    """An ace with three cards left: of the four due only three can come, and the king of hearts is one of them for certain."""
    session = at(2, "AS KH 2C 3C", "AS")
    assert session.state.due == 4
    assert chances(session, "leaves_this_deal")[Leaving(Seat(0), "king")] == 1
    assert chances(session, "last_player") == {0: 0, 1: 1}
    ten = at(2, "AS KH 2C 3C 4C 5C 6C 7C 8C 9C TC", "AS")
    assert chances(ten, "leaves_this_deal")[Leaving(Seat(0), "king")] >= Fraction(2, 5)
    to_end = chances(ten, "cards_to_end")
    assert sum(to_end[n] for n in range(1, 5)) == Fraction(2, 5)
    assert [chances(session, "cards_to_end")[n] for n in (1, 2, 3)] == [Fraction(1, 3)] * 3


def test_the_odds_follow_what_is_left() -> None:
    session = first_moves(3)
    session.play()
    left = set(PACK_52)
    while session.outcome is None and session.state.deal == 0:
        card = session.step("random").action if session.actor is CHANCE else None
        if card is not None and card.verb == "card":
            left.discard(card.card)
        if session.outcome is None and session.state.deal == 0:
            found = chances(session, "next_card")
            assert found == dict.fromkeys(sorted(left), Fraction(1, len(left)))
        if session.actor is not CHANCE and session.actor is not OVER:
            session.step("random")


# every history of a tiny pack


class Tree:
    """Answers found by playing every history of a game with its own rules; positions with equal keys are one."""

    def __init__(self, played: SuicideKing) -> None:
        self.game = played
        self._found: dict[Any, dict[Any, Fraction]] = {}

    def after(self, s: Table) -> Iterator[tuple[Fraction, Any]]:
        """The steps that may follow, with their chances; of the piles the first is taken."""
        if self.game.actor(s) is CHANCE:
            draws = self.game.chances(s)
            for action in draws:
                yield draws.p(action), self.game.apply(s, action)
        else:
            yield Fraction(1), self.game.apply(s, self.game.legal(s)[0])

    def mixed(self, name: str, s: Table, follow: Any) -> dict[Any, Fraction]:
        """The mixture of what follows from each step, found once for each key."""
        key = (name, s.pile is None, s.turn is None, self.game.key(s))
        if key not in self._found:
            total: dict[Any, Fraction] = defaultdict(Fraction)
            for p, step in self.after(s):
                for outcome, q in follow(step).items():
                    total[outcome] += p * q
            self._found[key] = dict(total)
        return self._found[key]

    def last_player(self, s: Table) -> dict[Any, Fraction]:
        if len(s.playing) == 1:
            return {s.playing[0]: Fraction(1)}
        return self.mixed("last", s, lambda step: self.last_player(step.after))

    def turn_length(self, s: Table) -> dict[Any, Fraction]:
        def follow(step: Any) -> dict[Any, Fraction]:
            shown = step.action.verb == "card"
            if any(isinstance(event, Passed | Leaves) for event in step.events):
                return {1: Fraction(1)}
            return {n + shown: p for n, p in self.turn_length(step.after).items()}

        return self.mixed("turn", s, follow)

    def cards_to_end(self, s: Table) -> dict[Any, Fraction]:
        def follow(step: Any) -> dict[Any, Fraction]:
            shown = step.action.verb == "card"
            if shown and (step.after.deal != step.before.deal or len(step.after.playing) == 1):
                return {1: Fraction(1)}
            return {n + shown: p for n, p in self.cards_to_end(step.after).items()}

        return self.mixed("cards", s, follow)

    def leaves_this_deal(self, s: Table) -> dict[Any, Fraction]:
        def follow(step: Any) -> dict[Any, Fraction]:
            found: dict[Any, Fraction] = defaultdict(Fraction)
            for event in step.events:
                if isinstance(event, Leaves):
                    found[Leaving(event.seat, "king" if event.rule == "SK-9" else "last_card")] += 1
            if step.after.deal == step.before.deal and len(step.after.playing) > 1:
                for outcome, p in self.leaves_this_deal(step.after).items():
                    found[outcome] += p
            return found

        return self.mixed("leaves", s, follow)

    def next_card(self, s: Table) -> dict[Any, Fraction]:
        def follow(step: Any) -> dict[Any, Fraction]:
            return {step.action.card: Fraction(1)} if step.action.verb == "card" else self.next_card(step.after)

        if s.turn is None and s.dealer is None:
            return dict.fromkeys(self.game.size.pack, Fraction(1, len(self.game.size.pack)))
        return dict(sum((Counter({outcome: p * q for outcome, q in follow(step).items()}) for p, step in self.after(s)), Counter()))


QUESTIONS = ("last_player", "leaves_this_deal", "turn_length", "next_card", "cards_to_end")
TINY = ("KH AS QD JC 2C 3D", "AS QS 2S 3S", "KH", "2C KH", "2C 3C", "KH QS QD 2C 3C 4C")
SMALL = ("KH AS KS QD JC 2C 3D 4H 5S", "KH AS AD JC JD 2C 3C 4C", "AS KS QS JS 2S 3S 4S", "KH QS QD QC 2C 3C 4C 5C 6C")


def tiny_games(cards: str, n: int, single: bool) -> Iterator[SuicideKing]:
    """Games with a tiny pack: each house rule alone, and random combinations."""
    pack = parse_cards(cards)
    middle = (len(pack) + 1) // 2
    size = Size(pack, (middle, len(pack) - middle))
    if single:
        for rules in every_single("suicide_king", 3):
            yield SuicideKing(3, size=size, **rules)
    for played in combinations("suicide_king", n, seed=len(cards), size=size):
        assert isinstance(played, SuicideKing)
        yield played


def compare_with_every_history(cards: str, n: int, single: bool) -> int:
    """Every question at every moment of a game of each kind; how many answers were compared."""
    compared = 0
    for number, played in enumerate(tiny_games(cards, n, single)):
        tree = Tree(played)
        session = Session(played, seed=number)
        while True:
            for question in QUESTIONS if session.outcome is None else QUESTIONS[:1]:
                found = {outcome: p for outcome, p in chances(session, question).items() if p}
                assert found == {outcome: p for outcome, p in getattr(tree, question)(session.state).items() if p}, (played, question)
                compared += 1
            if session.outcome is not None:
                break
            session.step("random")
    return compared


@pytest.mark.parametrize("cards", TINY)
def test_every_answer_is_that_of_every_history(cards: str) -> None:
    assert compare_with_every_history(cards, n=8, single=cards == TINY[0]) > 8 * 12


@pytest.mark.slow
@pytest.mark.parametrize("cards", SMALL)
def test_every_answer_is_that_of_every_history_of_larger_packs(cards: str) -> None:
    assert compare_with_every_history(cards, n=14, single=True) > 300


@pytest.mark.parametrize(
    ("players", "cards", "taken", "queue"),
    [
        (2, "KH AS QS QD JC 2C 3D 4H", "AS QS QD", (2, 2)),
        (3, "KH AS QS JD JC 2C 3D 4H", "AS JD QS", (1, 2)),
        (3, "KH QS QD JC 2C 3D 4H", "QS QD", (2,)),
        (2, "KH QS QD JC 2C 3D 4H", "QS QD 2C", ()),  # the queen's own batch has begun
        (2, "KH AS JS QS KC 2C 3D 4H 5S", "AS JS QS 2C 3D", (2,)),  # the jack's batch of one, and not a new turn
        (4, "KH QS JD JC 2C 3D", "KH QS JD", (1,)),
        (3, "KH QS 2C 3D", "KH QS", ()),  # the last card is the last one due: no turn passes any more
        (3, "KH QS JD", "KH QS", ()),
    ],
)
def test_batches_under_way(players: int, cards: str, taken: str, queue: tuple[int, ...]) -> None:
    """Numbers that wait are known, honours to come are not; against every history."""
    for house in ({}, {"king_of_hearts": "ends_deal"}, {"next_dealer": "last_leaver"}):
        if "KH" in taken and house.get("king_of_hearts"):
            continue
        session = at(players, cards, taken, extra_cards="batch", **house)
        assert session.state.queue == queue
        tree = Tree(session.game)
        for question in QUESTIONS:
            found = {outcome: p for outcome, p in chances(session, question).items() if p}
            assert found == {outcome: p for outcome, p in getattr(tree, question)(session.state).items() if p}, (question, house)


def test_all_viewers_know_the_same_and_the_answer_is_a_function_of_the_view() -> None:
    """Two deals with the same cards shown so far, and other cards to come."""
    played = game("suicide_king", 3, first_dealer=2, extra_cards="batch")
    one, other = Session(played, seed=1), Session(played, seed=2)
    for session in (one, other):
        session.play()
        for card in ("QS", "JD", "2C", "3C"):
            session.play("take 1")
            session.play(f"card {card}")
    for question in QUESTIONS:
        answer = ask(one, question)
        assert all(ask(one, question, viewer) == answer for viewer in (0, 1, 2, TEACHER))
        assert all(ask(session.view(viewer), question) == answer for session in (one, other) for viewer in (0, None, TEACHER))


def test_the_order_of_asking_changes_nothing() -> None:
    asked: list[dict[tuple[int, str], Any]] = []
    for order in (1, -1):
        session = Session(game("suicide_king", 5, extra_cards="batch"), seed=6)
        session.auto("random", until="game")
        found = {}
        for at_step in range(0, len(session) - 1, 17)[::order]:
            session.goto(at_step)
            for question in QUESTIONS[::order]:
                found[at_step, question] = ask(session, question)
        asked.append(found)
    assert asked[0] == asked[1]


def test_every_distribution_sums_to_one_over_whole_games() -> None:
    for seed, house in enumerate(({}, {"extra_cards": "batch"}, {"king_of_hearts": "ends_deal", "next_dealer": "last_leaver"})):
        session = Session(game("suicide_king", 5, **house), seed=seed)
        while session.outcome is None:
            for question in COUNT_EXACT:
                found = chances(session, question)
                assert sum(found.values()) == 1
                assert all(0 <= p <= 1 for p in found.values())
            leaving = chances(session, "leaves_this_deal")
            assert sum(p for outcome, p in leaving.items() if outcome.by == "king") <= 1
            session.auto("random", until="move")


# simulated deals


def random_moments(players: int, n: int, seed: int) -> Iterator[Session]:
    """Moments of games with different house rules: at the lot, between deals, in the midst of turns."""
    chance = random.Random(f"{players} {seed}")
    houses: list[dict[str, Any]] = [
        {},
        {"extra_cards": "batch"},
        {"king_of_hearts": "ends_deal"},
        {"next_dealer": "last_leaver", "extra_cards": "batch"},
        {"king_of_hearts": "ends_deal", "next_dealer": "last_leaver"},
    ]
    for number in range(n):
        session = Session(game("suicide_king", players, **houses[number % len(houses)]), seed=chance.randrange(1000))
        session.auto("random", until="game")
        yield session.goto(chance.randrange(len(session)))


def compare(counts: Counter[Any], found: dict[Any, Fraction], n: int, comparisons: int) -> None:
    assert all(found.get(outcome, 0) for outcome in counts)
    for outcome, p in found.items():
        assert_probable(counts[outcome], n, p, comparisons)


def simulated(players: int, moments: int, n: int) -> None:
    king_simulator = pytest.importorskip("king_simulator")
    for number, session in enumerate(random_moments(players, moments, seed=5)):
        games = king_simulator.Games(session.game, session.state, n, seed=number)
        comparisons = moments * (4 * players + 104)
        compare(games.last_player(), chances(session, "last_player"), n, comparisons)
        compare(games.turn_lengths(), chances(session, "turn_length"), n, comparisons)
        compare(games.deal_lengths(), chances(session, "cards_to_end"), n, comparisons)
        leaving = chances(session, "leaves_this_deal")
        for by in ("king", "last_card"):
            counts = games.left_by(by)
            for seat in session.game.seats:
                assert_probable(counts[seat], n, leaving[Leaving(seat, by)], comparisons)


@pytest.mark.parametrize("players", [2, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (4, 5))])
def test_answers_agree_with_simulated_deals(players: int) -> None:
    simulated(players, moments=10, n=100_000)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_answers_agree_with_a_million_simulated_deals(players: int) -> None:
    simulated(players, moments=10, n=1_000_000)


def test_the_simulator_is_no_echo() -> None:
    """A planted wrong chance is found."""
    king_simulator = pytest.importorskip("king_simulator")
    session = first_moves(2)
    games = king_simulator.Games(session.game, session.state, 100_000, seed=1)
    batch = chances(first_moves(2, extra_cards="batch"), "turn_length")
    with pytest.raises(AssertionError):
        compare(games.turn_lengths(), batch, 100_000, 1)


def test_cards_come_alike() -> None:
    """The dealer's next card against the answer, through the engine."""
    played = game("suicide_king", 2, first_dealer=0)
    counts: Counter[Card] = Counter()
    for index in range(5_000):
        session = Session(played, seed=2, index=index)
        session.play(), session.play("take 0")
        counts[session.play().action.card] += 1
    session = Session(played, seed=2)
    session.play()
    compare(counts, chances(session, "next_card"), 5_000, 52)
