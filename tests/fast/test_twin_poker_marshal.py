"""The compiled Poker Marshal plays the engine's games: the same actions, titles and hands, from the start and from any moment."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise, product
from typing import Any

import pytest
from probable import assert_frequencies
from twins import POLICIES, Case, cases, played_on, short_cases

from cardlab import BadRequest, Bag, PokerMarshal, Session
from cardlab.cards import JOKERS, PACK_52
from cardlab.core import streams
from cardlab.core.game import Action, AnyGame, Moves
from cardlab.core.record import Record
from cardlab.core.registry import player
from cardlab.games.marshal_events import DealWon, HandShown, ShuffledBack, TitleDraw, TitlesSet
from cardlab.games.marshal_state import Lots, Size
from cardlab.players import sensible
from cardlab.testing import houses

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
from cardlab.fast import hands, marshal_hands, marshal_table  # noqa: E402
from cardlab.fast import poker_marshal as twin  # noqa: E402

NAME = "poker_marshal"
VALUES = list(houses.every_single(NAME, 5))
RICH = ((4, 0, 13), (2, 0, 8), (4, 4, 9), (3, 9, 13), (2, 6, 13))  # suits, lowest rank, the rank after the highest
MIXED = {0: "random", 1: "still", 2: "sensible", 3: "random", 4: "sensible"}


def actions(session: Session, after: int = 0) -> list[str]:
    return [str(step.action) for step in session.steps[after:]]


def row(games: Any, game: AnyGame, k: int = 0) -> dict[str, Any]:
    """One game of a batch, the best hand told."""
    found = {name: column[k].tolist() for name, column in games._asdict().items()}
    return found | {"best": found["best"] and hands.told(found["best"], game.rules.short_hands)}


def told(session: Session, after: int = 0) -> dict[str, Any]:
    """The same, read off the engine's events."""
    first = list(session.line[after].state.titles)
    settled, streaks, shown, draws = [first], [0], [], 0
    for step in session.steps[after:]:
        for event in step.events:
            match event:
                case TitlesSet(rule="PM-2", seats=seats):
                    first = list(seats)
                    settled = [first]
                case TitlesSet(seats=seats):
                    settled.append(list(seats))
                case DealWon():
                    streaks.append(step.after.streak)
                case HandShown(hand=hand):
                    shown.append(hand)
                case TitleDraw(rule="PM-13"):
                    draws += 1
    moves = [[0] * 5 for _ in range(5)]
    for old, new in pairwise(settled):
        for seat in range(5):
            moves[old.index(seat)][new.index(seat)] += 1
    best = max(shown, default=None)
    return {
        "deals": len(settled) - 1,
        "titles": settled[-1],
        "first": first,
        "wins": list(session.state.wins),
        "placed": [sum(titles.index(seat) for titles in settled[1:]) for seat in range(5)],
        "moves": moves,
        "longest": max(streaks),
        "best": best and (best.category, best.ranks, best.size),
        "draws": draws,
    } | ({} if best else {"best": 0})


def assert_same(found: Iterable[Case]) -> None:
    for case in found:
        session = case.session()
        assert twin.trace(case.game, case.seed, case.index, case.players) == actions(session), case
        assert row(twin.play(case.game, case.seed, case.index, 1, case.players), case.game) == told(session), case


def spread(n: int, seed: int) -> Iterator[Case]:
    """So many cases, most of them of a single deal."""
    return chain(cases(NAME, n - n // 8, seed, deals=1), cases(NAME, n // 20, seed, deals=2), cases(NAME, n // 8 - n // 20, seed))


def test_the_twin_plays_the_engines_games() -> None:
    assert_same(spread(2_000, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_the_twin_plays_the_engines_games_with_each_policy(policy: str) -> None:
    assert_same(short_cases(NAME, 2_000, seed=5, players=policy))


@pytest.mark.slow
@pytest.mark.parametrize("house", VALUES, ids=str)
def test_the_twin_plays_the_engines_games_under_each_house_rule(house: dict[str, Any]) -> None:
    assert_same(short_cases(NAME, 2_000, seed=2, **house))


@pytest.mark.parametrize("players", ["still", "random"])
def test_equal_hands(players: str) -> None:
    """One deal in two thousand: the twin finds them, under both house rules."""
    draws = twin.play(PokerMarshal(deals=1), 4, 0, 100_000, players).draws
    for index in np.flatnonzero(draws)[:20].tolist():
        games = [PokerMarshal(deals=2, title_tie=tie) for tie in ("draw", "incumbent")]
        assert_same(Case(game, players, 4, index) for game in games)
        assert [twin.play(game, 4, index, 1, players).draws[0] > 0 for game in games] == [True, False]


def test_a_long_game_that_a_streak_ends() -> None:
    game = PokerMarshal(deals=10**99, ends="streak")
    assert_same(Case(game, "still", 3, index) for index in range(3))
    games = twin.play(game, 3, 0, 2_000, "random")
    assert (games.longest == 5).all()
    assert (games.wins.sum(axis=1) == games.deals).all()
    assert games.deals.min() == 5 < 100 < games.deals.max()


def test_a_pack_that_runs_out_while_titles_are_drawn() -> None:
    """PM-1: the cards drawn before are shuffled back, but not those of this round."""
    game = PokerMarshal(deals=1)
    start = game.start()
    for rest in ("2C 2D 2H", "2C 2D 2H 2S 3C", "2C 2D 2H 2S 3C 3D"):
        few = Bag(rest)
        begun = replace(start, lots=Lots((game.seats,), few, used=Bag(card for card in PACK_52[20:] if card not in few)))
        game.start = lambda begun=begun: begun  # type: ignore[method-assign]
        back = 0
        for index in range(10):
            session = Session(game, seed=5, index=index)
            session.auto("still", until="game")
            back += any(isinstance(event, ShuffledBack) for step in session.steps for event in step.events)
            rows = twin.starts([twin.Moment(begun, {})])
            assert twin.rollout_trace(game, rows, 5, index, "still") == actions(session)
        assert back


def test_spare_cards_are_those_of_the_engines_player() -> None:
    """Hands of few ranks and suits, so that cards of one worth stand in one another's way; up to ten after ``take_then_give``."""
    chance = random.Random(7)
    rich = [[card for card in PACK_52 if (card.suit or 0) < suits and low <= (card.rank or 0) < high] for suits, low, high in RICH]
    for size, jokers, rule in product(range(3, 11), range(3), ("incomplete", "casino")):
        for k in range(60 if size < 8 else 12):
            cards = sorted([*chance.sample(rich[k % len(rich)], size - jokers), *JOKERS[:jokers]])
            bits = np.uint64(sum(1 << card.code for card in cards))
            spare = int(marshal_hands.spare(marshal_table.book(rule)[0], bits))
            assert [card for card in cards if spare >> card.code & 1] == sorted(sensible._spare(tuple(cards), rule)), (cards, rule)


# rollouts


@dataclass(frozen=True)
class Answering:
    """A player who answers offers by chance alone, or who makes none, and otherwise plays as another does."""

    policy: str
    accept: Fraction | None
    quiet: int | None

    def choose(self, game: AnyGame, view: Any, legal: Moves, below: Callable[[int], int]) -> Action:
        if view.viewer == self.quiet and legal[0].verb == "enough":
            return legal[0]
        nothing = [action for action in legal if action.verb in ("silent", "pass")]
        if self.accept is None or not nothing:
            return player(self.policy).choose(game, view, legal, below)
        giving = [action for action in legal if action not in nothing]
        if not giving or below(self.accept.denominator) >= self.accept.numerator:
            return nothing[0]
        word: int = below.args[0]  # type: ignore[attr-defined]
        return giving[streams.below(word << 32 & streams.MASK, len(giving))]


def moment(session: Session, at: int) -> twin.Moment:
    there = session.branch().goto(at)
    return twin.Moment(there.state, there.cursor.counts, [card for card, _ in there.view().in_vain])


def test_rollouts_go_on_as_the_engine_does() -> None:
    """From any moment: under the game's own name, and under another, which deals the cards not seen yet otherwise."""
    assert_rollouts(cases(NAME, 120, seed=3, deals=1), seed=3)
    assert_rollouts(cases(NAME, 30, seed=3, deals=2), seed=3)


@pytest.mark.slow
def test_many_rollouts_go_on_as_the_engine_does() -> None:
    assert_rollouts(cases(NAME, 300, seed=4, deals=1), seed=4)
    assert_rollouts(cases(NAME, 200, seed=5), seed=5)


def assert_rollouts(found: Iterable[Case], seed: int) -> None:
    chance = random.Random(seed)
    for case in found:
        session = case.session()
        at = chance.randrange(len(session))
        begun = twin.starts([moment(session, at)])
        assert_goes_on(begun, session, at, case)
        other = replace(case, seed=chance.getrandbits(64), index=chance.getrandbits(64))
        assert_goes_on(begun, played_on(session, at, other), at, other)


def assert_goes_on(begun: twin.Starts, session: Session, at: int, case: Case, **options: Any) -> None:
    """From that moment the twin plays what the engine played, to the end of the deal and of the game."""
    name = case.seed, case.index, case.players
    assert twin.rollout_trace(case.game, begun, *name, **options) == actions(session, at), (case, at)
    assert row(twin.rollouts(case.game, begun, *name, **options), case.game) == told(session, at), (case, at)
    ended = next(n for n, step in enumerate(session.steps, 1) if n > at and any(isinstance(event, DealWon) for event in step.events))
    deal = session.branch().goto(ended)
    assert twin.rollout_trace(case.game, begun, *name, until="deal", **options) == actions(deal, at), (case, at)
    assert row(twin.rollouts(case.game, begun, *name, until="deal", **options), case.game) == told(deal, at), (case, at)


@pytest.mark.parametrize("offers", ["ask", "ask_or_offer"])
@pytest.mark.parametrize("swap", ["lay_first", "take_then_give"])
def test_rollouts_from_every_moment_of_a_game(swap: str, offers: str) -> None:
    """A game in which titles are drawn for after equal hands, after all that can be begun and not yet done."""
    game = PokerMarshal(deals=1, swap=swap, offers=offers)
    drawn_for = np.flatnonzero(twin.play(game, 1, 0, 50_000, "random").draws)
    sessions = [Case(game, "random", 1, int(index)).session() for index in drawn_for[:8]]
    session = max(sessions, key=lambda session: len({halfway(moment.state) for moment in session.line}))
    seen = {found for moment in session.line for found in halfway(moment.state)}
    assert seen >= {"titles", "deal", "marshal", "deputy", "offers", "bandit", "show", "ties", "lots", "laid", "answers"}
    assert "named" in seen or swap == "lay_first"
    assert seen & {"shown", "asked"}
    for at in range(len(session)):
        other = Case(game, "random", 2, at)
        assert_goes_on(twin.starts([moment(session, at)]), played_on(session, at, other), at, other)


def halfway(s: Any) -> frozenset[str]:
    """The phase and what has begun in it."""
    begun = {name for name in ("laid", "due", "asked", "shown", "answers", "picking") if getattr(s, name)}
    return frozenset({s.phase, *begun} | ({"named"} if s.named else set()) | ({"lots"} if s.lots and s.lots.drawn else set()))


def test_answers_by_chance_and_a_seat_that_makes_no_offers() -> None:
    chance = random.Random(6)
    for case in cases(NAME, 100, seed=6, deals=1):
        accept = chance.choice((None, Fraction(0), Fraction(1, 3), Fraction(3, 4), Fraction(2**31, 2**32 - 1), Fraction(1)))
        quiet = chance.choice((None, *case.game.seats))
        policy = chance.choice(("random", "random", *POLICIES))
        session = replace(case, players=policy).session()
        at = chance.randrange(len(session))
        again = Record(case.game, case.seed, case.index, session.record.actions[:at]).session()
        again.auto(Answering(policy, accept, quiet), until="game")
        assert_goes_on(twin.starts([moment(session, at)]), again, at, replace(case, players=policy), accept=accept, quiet=quiet)


def test_many_starts_are_rolled_out_in_one_call() -> None:
    """Each row by its own index; a game that is over has nothing to go on with."""
    session = Session(PokerMarshal(deals=2), seed=8)
    session.auto(MIXED, until="game")
    moments = [moment(session, at) for at in range(0, len(session) + 1, 3)] + [moment(session, len(session))]
    begun = twin.starts(moments)
    games = twin.rollouts(session.game, begun, 9, 1_000, MIXED)
    for k in range(len(moments)):
        alone = twin.rollouts(session.game, twin.starts(moments[k : k + 1]), 9, 1_000 + k, MIXED)
        assert row(games, session.game, k) == row(alone, session.game)
    assert row(games, session.game, -1) == told(session, len(session))
    assert twin.rollout_trace(session.game, twin.starts(moments[-1:]), 9, 0, MIXED) == []
    assert len(twin.rollouts(session.game, twin.starts([]), 9, 0, "still").deals) == 0


def test_other_worlds_are_other_cards_in_the_columns() -> None:
    """What the engine plays on from a state in which two players have changed a card."""
    session = Session(PokerMarshal(deals=1), seed=8)
    while session.state.phase != "offers":
        session.step("random")
    s, rows = session.state, twin.starts([moment(session, session.at)] * 2)
    marshal, drunk = s.titles[0], s.titles[3]
    passing = [Bag([s.hands[seat].cards[0]]) for seat in (marshal, drunk)]
    rows["hands"][1, [0, 3]] ^= np.uint64(sum(1 << bag.cards[0].code for bag in passing))
    changed = list(s.hands)
    changed[marshal] = s.hands[marshal].without(passing[0]).with_(passing[1])
    changed[drunk] = s.hands[drunk].without(passing[1]).with_(passing[0])
    assert rows[1] == twin.starts([twin.Moment(replace(s, hands=tuple(changed)), session.cursor.counts)])[0]
    assert twin.rollouts(session.game, rows[::-1], 9, 0, "random").deals.tolist() == [1, 1]


def broken(rows: Any) -> Iterator[Any]:
    """Starts in which a card is twice, missing, or in the wrong hand."""
    low = np.uint64(1) << np.bitwise_count(rows["hands"][0] - np.uint64(1) & ~rows["hands"][0]).astype(np.uint64)
    for title, change in ((0, low[1]), (2, low[2]), (4, rows["stock"][0])):
        other = rows.copy()
        other["hands"][0, title] ^= change
        yield other
    other = rows.copy()
    other["hands"][0, :2] ^= low[0]
    yield other
    other = rows.copy()
    other["stock"] = 0
    yield other


def test_starts_whose_cards_cannot_lie_so_are_refused() -> None:
    for swap in ("lay_first", "take_then_give"):
        session = Session(PokerMarshal(deals=1, swap=swap), seed=8)
        session.auto("random", until="game")
        for at in range(len(session)):
            rows = twin.starts([moment(session, at)])
            if rows["hands"].all() and rows["phase"][0] > 1:
                for other in broken(rows):
                    with pytest.raises(ValueError, match="start 1 "):
                        twin.rollouts(session.game, np.concatenate([rows, other, rows]), 0, 0, "still")
    with pytest.raises(ValueError, match="TABLE"):
        twin.rollouts(PokerMarshal(), np.zeros(3), 0, 0, "still")


# batches


@pytest.mark.parametrize("players", [*POLICIES, MIXED], ids=str)
def test_the_split_changes_nothing(players: Any) -> None:
    game, n = PokerMarshal(swap="take_then_give", offers="ask_or_offer", deals=3), 2_000
    whole = twin.play(game, 9, 100, n, players)
    for size in (777, 1):
        starts = range(0, n, size) if size > 1 else range(60)
        with ThreadPoolExecutor(2) as threads:
            parts = list(threads.map(lambda at, size=size: twin.play(game, 9, 100 + at, min(size, n - at), players), starts))
        for column, joined in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(column[: sum(map(len, joined))], np.concatenate(joined))


@pytest.mark.parametrize("house", [{}, {"short_hands": "casino"}, {"title_tie": "incumbent"}, {"ends": "streak", "deals": 90}], ids=str)
def test_both_ways_of_keeping_still_are_one(house: dict[str, Any]) -> None:
    """Where nobody does anything the twin ranks the deck as it lies: the same games as action by action."""
    game = PokerMarshal(**house)
    rows = twin.starts([twin.Moment(game.start(), {})] * 5_000)
    for one, other in zip(twin.play(game, 5, 2**40, 5_000, "still"), twin.rollouts(game, rows, 5, 2**40, "still"), strict=True):
        assert np.array_equal(one, other)


def test_every_seat_is_marshal_first_as_often() -> None:
    n = 100_000
    first = np.bincount(twin.play(PokerMarshal(deals=1), 2026, 0, n, "still").first[:, 0], minlength=5)
    assert_frequencies(dict(enumerate(first.tolist())), dict.fromkeys(range(5), Fraction(1, 5)), comparisons=1)


def test_moves_and_deals_won_add_up() -> None:
    games = twin.play(PokerMarshal(deals=7), 1, 0, 5_000, MIXED)
    assert (games.deals == 7).all()
    assert (games.moves.sum(axis=1) == 7).all()
    assert (games.moves.sum(axis=2) == 7).all()
    assert (games.wins.sum(axis=1) == 7).all()
    marshals = games.moves.sum(axis=0)[:, 0]
    assert (np.diff(marshals.astype(int)) < 0).all()  # the higher the title, the likelier the next Marshal


def test_what_the_twin_leaves_to_the_engine() -> None:
    assert not twin.covers(PokerMarshal(size=Size(PACK_52, (3, 3, 2, 2, 1), (1, 1), 1)), "still")
    assert not twin.covers(PokerMarshal(), {**MIXED, 1: "expert"})
    assert not twin.covers(PokerMarshal(), {0: "still"})
    assert not twin.covers(PokerMarshal(deals=2**32), "still")
    assert twin.covers(PokerMarshal(deals=2**32, ends="streak"), "still")
    with pytest.raises(ValueError, match="expert"):
        twin.play(PokerMarshal(), 0, 0, 1, "expert")


REFUSED: list[dict[str, Any]] = [
    {"until": "move"},
    {"accept": Fraction(3, 2)},
    {"accept": Fraction(-1, 2)},
    {"accept": Fraction(1, 2**32)},
    {"quiet": 5},
]


@pytest.mark.parametrize("option", REFUSED, ids=str)
def test_options_that_make_no_sense_are_refused(option: dict[str, Any]) -> None:
    game = PokerMarshal()
    rows = twin.starts([twin.Moment(game.start(), {})])
    with pytest.raises(ValueError, match="not"):
        twin.rollouts(game, rows, 0, 0, "still", **option)


@pytest.mark.parametrize(("seed", "first", "n"), [(2**64, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 2**64 - 1, 2)])
def test_names_beyond_64_bits_are_refused(seed: int, first: int, n: int) -> None:
    game = PokerMarshal()
    with pytest.raises(BadRequest):
        twin.play(game, seed, first, n, "still")
    with pytest.raises(BadRequest):
        twin.rollouts(game, twin.starts([twin.Moment(game.start(), {})] * n), seed, first, "still")


def test_no_games_and_the_last_index() -> None:
    game = PokerMarshal(deals=1)
    assert len(twin.play(game, 0, 2**64 - 1, 0, "still").deals) == 0
    assert_same([Case(game, "random", 2**64 - 1, 2**64 - 1)])
