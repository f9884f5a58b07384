"""`expert` weighs its moves by what it sees alone, and beats `sensible`, which beats `random`, where there is anything to decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import pytest
from probable import LIMIT, chi_square_tail

from cardlab import OVER, PLAYERS, BadRequest, Seat, Session, ask, game, match, simulate
from cardlab.chance.answers import Estimate
from cardlab.chance.weighing import FIRST, MANY, SLOW, Weighed
from cardlab.chance.worlds import believing
from cardlab.core import streams
from cardlab.core.registry import assumable
from cardlab.players import Expert
from cardlab.simulation import Match
from cardlab.words import LANGUAGES, Words

CAPPED = {"penalty_cap": 10}
HOUSES: list[tuple[str, dict[str, Any]]] = [
    ("fight_for_the_lead", {"players": 3, "deals": 2}),
    ("fight_for_the_lead", {"players": 4, "deals": 2, "refusal": "pagat_dropout", "exchange": "one_by_one", "bankroll": 60}),
    ("poker_marshal", {"deals": 1}),
    ("poker_marshal", {"deals": 1, "swap": "take_then_give", "offers": "ask_or_offer", "short_hands": "casino"}),
]


def choices(session: Session, player: str = "sensible") -> Iterator[Session]:
    """Every moment of a game at which a seat has a choice, in a game played by a computer player."""
    while session.actor is not OVER:
        if isinstance(session.actor, Seat) and len(session.legal) > 1:
            yield session
        session.step(player)


def at(name: str, phase: str, **house: Any) -> Session:
    """A game at the first choice in a phase."""
    session = Session(game(name, **house), seed=7)
    return next(found for found in choices(session) if found.game.phase(found.state) == phase)


def weighed(session: Session, worlds: int = 32, number: int | Callable[[int], int] = 5) -> Weighed:
    """What it tells the seat to act."""
    assert isinstance(session.actor, Seat)
    return Expert(worlds).explain(session.game, session.view(session.actor), session.legal, number)


# How it weighs


def test_it_takes_the_greatest_mean_and_tells_how_far_the_others_are_behind() -> None:
    found = weighed(at("fight_for_the_lead", "fight", players=3), worlds=64)
    best, *others = found.moves
    assert (found.chosen, found.worlds, best.beyond.total) == (best.action, 64, 0)
    assert len(others) == 3
    for tried in others:
        assert tried.score.n == tried.beyond.n == 64
        assert tried.score.total - best.score.total == tried.beyond.total <= 0
    apart = [(tried.score.standard_error or 0) ** 2 + (best.score.standard_error or 0) ** 2 for tried in others]
    assert any((tried.beyond.standard_error or 0) ** 2 < 0.8 * square for tried, square in zip(others, apart, strict=True))  # the same luck


def test_many_moves_are_tried_in_a_quarter_of_the_worlds_and_the_best_of_them_in_all() -> None:
    found = weighed(at("poker_marshal", "offers"))
    samples = [tried.score.n for tried in found.moves]
    assert len(samples) > 40
    assert samples == [32] * MANY + [32 // FIRST] * (len(samples) - MANY)
    assert {tried.beyond.n for tried in found.moves[MANY:]} == {32 // FIRST}


def test_cards_to_be_laid_are_weighed_in_sets() -> None:
    session = at("poker_marshal", "marshal")
    found = weighed(session)
    assert isinstance(session.actor, Seat)
    hand = sorted(card for card in session.view(session.actor).hand(session.actor) if not card.joker)
    assert sorted(tried.action.cards for tried in found.moves) == sorted(cards for n in range(4) for cards in combinations(hand, n))
    assert found.chosen in session.legal
    assert found.chosen.cards == found.moves[0].action.cards[:1]


def test_few_worlds_must_do_where_answers_are_sealed() -> None:
    session = at("poker_marshal", "offers", offers="ask_or_offer")
    session.play(next(action for action in session.legal if action.verb == "show"))
    assert weighed(session, worlds=8 * SLOW).worlds == 8 * SLOW  # nobody has answered yet
    session.play(session.legal[0])
    assert weighed(session, worlds=8 * SLOW).worlds == 8


def test_of_equal_moves_it_takes_the_one_that_sensible_would_take() -> None:
    ties = 0
    for session in choices(Session(game("fight_for_the_lead", 3, deals=4, refusal="losers_bound"), seed=7)):
        found = weighed(session, worlds=8)
        level = [tried.action for tried in found.moves if tried.score.n == found.worlds and not tried.beyond.total]
        if session.choice("sensible") in level:
            assert found.chosen == session.choice("sensible")
            ties += len(level) > 1 and found.worlds > 0
    assert ties > 3


@pytest.mark.parametrize(("name", "phase"), [("suicide_king", "turns"), ("fight_for_the_lead", "refusal")])
def test_piles_and_the_next_deal_are_not_weighed(name: str, phase: str) -> None:
    session = at(name, phase)
    assert weighed(session).worlds == 0
    assert session.choice("expert") == weighed(session).chosen == session.legal[0]
    assert str(weighed(session)).endswith("nothing is weighed here.")


# What it knows


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_a_choice_is_a_function_of_the_view_and_the_number(name: str, house: dict[str, Any]) -> None:
    """It is handed a view and nothing that leads to the truth, and asks for one number."""
    expert, asked = Expert(8), list[int]()

    def below(number: int, m: int) -> int:
        asked.append(m)
        return streams.below(number, m)

    moments = [0, 0]
    for session in choices(Session(game(name, **house), seed=8)):
        assert isinstance(session.actor, Seat)
        view, legal = session.view(session.actor), session.legal
        asked.clear()
        chosen = [expert.choose(session.game, view, legal, partial(below, number)) for number in (2**63, 2**63, 5 << 32)]
        assert chosen[0] == chosen[1] == expert.explain(view.game, view, legal, partial(streams.below, 2**63)).chosen
        assert {*chosen} <= {*legal}
        assert asked in ([], [2**32] * 3)
        moments[chosen[1] != chosen[2]] += 1
    assert min(moments) > 0  # the number matters, too


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_it_chooses_alike_with_and_without_the_twin(name: str, house: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    rng, phases = Random(9), set[str]()
    for session in choices(Session(game(name, **house), seed=9), "random"):
        phase = session.game.phase(session.state) + session.legal[-1].verb
        if len(session.legal) < 20 and (phase not in phases or rng.random() < 0.2):
            with_twin = weighed(session, worlds=8)
            with monkeypatch.context() as without:
                without.setattr("cardlab.fast.available", lambda: False)
                assert weighed(session, worlds=8) == with_twin, session.at
            phases.add(phase)
    assert len(phases) >= 3


def test_nobody_is_taken_for_a_player_who_simulates_the_others() -> None:
    session = at("fight_for_the_lead", "tricks", players=3)
    assert assumable() == [name for name in PLAYERS if name != "expert"]
    for refused in (partial(ask, session, "tricks", policy="expert"), partial(believing, session.view(0), {1: "expert"})):
        with pytest.raises(BadRequest) as error:
            refused()
        assert error.value.key == "error.assumed"


def test_its_games_are_simulated_by_the_engine() -> None:
    found = simulate("fight_for_the_lead", 2, ["expert", "sensible", "still"], players=3, deals=1, seed=7)
    assert found.tally.values["deals"][0].total == 2


# What it tells


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "phase"), [("fight_for_the_lead", "exchange"), ("poker_marshal", "deputy"), ("poker_marshal", "bandit")])
def test_it_explains_itself_in_lines_and_as_a_table(name: str, phase: str, language: str) -> None:
    session, words = at(name, phase), Words(language)
    found = weighed(session)
    head, first, *others = found.display(words).split("\n")
    assert session.game.say_action(found.moves[0].action, words) in head
    assert session.game.say_action(found.moves[0].action, words) in first
    assert [line.count(";") for line in others] == [2] * (len(found.moves) - 1)
    assert all("±" in line for line in (first, *others))
    assert found._repr_html_().count("<tr>") == len(found.moves)


# How strong


def clear(found: Match, better: str, worse: str) -> None:
    """Fails unless the paired interval lies above zero."""
    print(found)
    difference = found.differences[better, worse]
    assert difference.low is not None
    assert difference.low > 0, str(found)


def totals(found: Match, unit: int) -> dict[str, Any]:
    """The sums of all scores, in coins or places."""
    return {name: score.total * len(found.lineup) * found.lineup.count(name) * unit for name, score in found.scores.items()}


def test_two_hundred_deals_replay_exactly() -> None:
    pytest.importorskip("numba")
    fight = match(["expert", "sensible"], "fight_for_the_lead", 40, seed=51, seats=3)
    marshal = match(["expert", "sensible"], "poker_marshal", 16, seed=51)
    assert fight.deals + marshal.deals == 200
    assert totals(fight, 4) == {"expert": -607, "sensible": -1277}
    assert totals(marshal, 1) == {"expert": -162, "sensible": -638}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats", "games", "house"),
    [("fight_for_the_lead", 3, 1700, CAPPED), ("fight_for_the_lead", 5, 1000, CAPPED), ("poker_marshal", 5, 1000, {})],
    ids=str,
)
def test_expert_beats_sensible_in_five_thousand_deals(name: str, seats: int, games: int, house: dict[str, Any]) -> None:
    found = match(["expert", "sensible"], name, games, seed=41, seats=seats, **house)
    assert found.deals >= 5000
    clear(found, "expert", "sensible")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats", "house"), [("fight_for_the_lead", 3, CAPPED), ("fight_for_the_lead", 5, CAPPED), ("poker_marshal", 5, {})], ids=str
)
def test_sensible_beats_random_in_a_hundred_thousand_deals(name: str, seats: int, house: dict[str, Any]) -> None:
    found = match(["sensible", "random"], name, 100_000 // seats + 1, seed=42, seats=seats, **house)
    assert found.deals >= 100_000
    clear(found, "sensible", "random")


def level(found: Match) -> None:
    """Fails when a difference is improbably far from zero: its square, in squared standard errors, is a chi-square."""
    for names, difference in found.differences.items():
        assert_no_difference(difference, str(names), len(found.differences))


def assert_no_difference(difference: Estimate, names: str, comparisons: int) -> None:
    assert difference.mean is not None
    assert difference.standard_error
    tail = chi_square_tail((difference.mean / difference.standard_error) ** 2, 1)
    assert tail * comparisons >= LIMIT, f"{names}: {difference.mean} ± {difference.half_width}"


@pytest.mark.parametrize("house", [{}, {"extra_cards": "batch", "king_of_hearts": "ends_deal"}], ids=str)
def test_in_suicide_king_nothing_beats_anything(house: dict[str, Any]) -> None:
    pytest.importorskip("numba")
    found = match(["random", "still", "sensible"], "suicide_king", 34_000, seed=43, seats=3, **house)
    assert found.deals > 100_000
    level(found)


def test_in_suicide_king_an_expert_beats_nobody() -> None:
    level(match(["expert", "random"], "suicide_king", 150, seed=44, seats=2))
