"""Fight for the Lead's questions: the fractions of the lessons, complete enumeration on tiny packs, and estimates that agree with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from brute import FIGHTS, Belief, beliefs, fight, play_out
from probable import assert_probable

from cardlab import CHANCE, OVER, TEACHER, Action, Card, Scripted, Session, game
from cardlab.cards import PACK_52, parse_cards
from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.fight_lead import Fight
from cardlab.chance.fight_play import Rest
from cardlab.chance.fight_tricks import Forced, Position
from cardlab.chance.fight_tricks import Random as Alike
from cardlab.chance.fights import Exchange, Match
from cardlab.chance.luck import Luck
from cardlab.chance.questions import QUESTIONS, ask, fitting
from cardlab.core.errors import BadRequest
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import AnyGame
from cardlab.words import Words

NAME = "fight_for_the_lead"
HALF = Fraction(1, 2)
OUT = ("drop", "refuse")
Values = dict[Any, Fraction]


# The same by brute force: every way in which a game can go on, with Game.apply; players choose any legal move alike, but leave once in 20


def chances(rules: AnyGame, state: Any) -> list[tuple[Action, Fraction]]:
    if rules.actor(state) is CHANCE:
        draws = rules.chances(state)
        return [(action, draws.p(action)) for action in draws]
    legal = rules.legal(state)
    if legal[-1].verb in OUT:
        return [(legal[0], Fraction(19, 20)), (legal[1], Fraction(1, 20))]
    return [(action, Fraction(1, len(legal))) for action in legal]


def ends(rules: AnyGame, belief: Belief, over: Callable[[Any], bool], mine: tuple[Seat, Action] | None = None) -> Belief:
    """The states at which something is over, with their chances; ``mine`` is what a seat does at its first turn."""
    ended: Belief = defaultdict(Fraction)
    ahead = {(state, mine is None): weight for state, weight in belief.items()}
    while ahead:
        after: dict[tuple[Any, bool], Fraction] = defaultdict(Fraction)
        for (state, done), weight in ahead.items():
            if done and over(state):
                ended[state] += weight
                continue
            forced = mine is not None and not done and rules.actor(state) == mine[0]
            assert mine is None or done or not over(state)
            for action, share in [(mine[1], Fraction(1))] if forced and mine else chances(rules, state):
                after[rules.apply(state, action).after, done or forced] += weight * share
        ahead = after
    return ended


def deal_over(deal: int) -> Callable[[Any], bool]:
    return lambda state: state.deal != deal or state.phase in ("refusal", "over")


def mean(ended: Belief, read: Callable[[Any], Values]) -> Values:
    found: Values = defaultdict(Fraction)
    for state, weight in ended.items():
        for outcome, value in read(state).items():
            found[outcome] += weight * value
    return dict(found)


def got(rules: Any, end: Any) -> Values:
    """Each seat's share: quarters of the bank, or all of it without play."""
    if sum(end.tricks):
        return {seat: Fraction(end.last_bank * n, rules.size.hand) for seat, n in enumerate(end.tricks)}
    return {(end.staying or (end.lead,))[0]: Fraction(end.last_bank)}


def opening_bank(rules: Any, end: Any) -> int:
    """The bank when the next deal is shuffled, everybody going on."""
    while rules.actor(end) is not OVER and rules.actor(end) is not CHANCE:
        end = rules.apply(end, Action("continue")).after
    return 0 if rules.actor(end) is OVER else rules.apply(end, Action("shuffle")).after.bank


def exact(answer: Answer[Any]) -> Values:
    """The numbers that are not 0."""
    assert answer.exact
    return {outcome: Fraction(number.value) for outcome, number in answer.numbers.items() if isinstance(number, Exact) and number.value}


def whole(values: Values) -> Values:
    return {outcome: value for outcome, value in values.items() if value}


def the_rest(rules: Any, view: Any, belief: Belief) -> dict[str, Values]:
    """What is asked of the rest of a deal."""
    ended = ends(rules, belief, deal_over(view.deal))
    answers = {
        "tricks": mean(ended, lambda end: {seat: Fraction(n) for seat, n in enumerate(end.tricks)}),
        "share": mean(ended, lambda end: got(rules, end)),
        "no_trick": mean(ended, lambda end: dict.fromkeys(end.losers, Fraction(1))),
    }
    if view.deal + 1 < rules.rules.deals:
        answers["next_bank"] = mean(ended, lambda end: {opening_bank(rules, end): Fraction(1)})
    return answers


def of_fight(rules: Any, view: Any, belief: Belief) -> dict[str, Values]:
    """What is asked before the fight cards are opened."""
    lead = lambda state: state.lead is not None or state.phase in ("refusal", "over")  # noqa: E731
    turned = lambda state: bool(state.turned)  # noqa: E731
    fitted = lambda state: state.turned[0].suit in {card.suit for _, card in state.fight}  # noqa: E731
    first = ends(rules, belief, turned)
    answers = {"first_match": mean(first, lambda state: {Match(fitted(state)): Fraction(1)})}
    if view.viewer in view.playing:
        laid = view.places[f"fight {view.viewer}"].sure
        cards = laid or view.hand(view.viewer)
        wins, suits = {}, {}
        for card in cards:
            mine = None if laid else (view.viewer, Action("fight", (card,)))
            won = ends(rules, belief, lead, mine)
            wins[card] = sum((weight for state, weight in won.items() if state.lead == view.viewer), Fraction(0))
            begun = ends(rules, belief, turned, mine)
            suits[card] = sum((weight for state, weight in begun.items() if state.turned[0].suit == card.suit), Fraction(0))
        answers |= {"wins_lead": wins, "suit_turned": suits}
    return answers


def of_trick(rules: Any, view: Any, belief: Belief) -> Values:
    """Who takes the trick on the table."""
    won = sum(view.tricks)

    def taken(mine: tuple[Seat, Action] | None) -> Values:
        ended = ends(rules, belief, lambda state: sum(state.tricks) > won, mine)
        before = view.tricks
        return mean(ended, lambda end: {seat: Fraction(n - before[seat]) for seat, n in enumerate(end.tricks) if n > before[seat]})

    if rules.actor(next(iter(belief))) != view.viewer:
        return taken(None)
    legal = rules.legal(next(iter(belief)))
    return {action.card: taken((view.viewer, action)).get(view.viewer, Fraction(0)) for action in legal}


def of_exchange(rules: Any, view: Any, belief: Belief) -> Values:
    values = {}
    for action in rules.legal(next(iter(belief))):
        ended = ends(rules, belief, deal_over(view.deal), (view.viewer, action))
        values[Exchange(action.cards)] = sum((weight * end.balances[view.viewer] for end, weight in ended.items()), Fraction(0))
    return {choice: value - values[Exchange()] for choice, value in values.items()}


def forced(rules: Any, state: Any, me: int) -> int:
    """Plain minimax on the engine's states."""

    @cache
    def best(state: Any) -> int:
        if sum(state.tricks) == rules.size.hand:
            return int(state.tricks[me])
        reached = [best(rules.apply(state, action).after) for action in rules.legal(state)]
        return max(reached) if rules.actor(state) == me else min(reached)

    return best(state)


def moments(name: str, seed: int, viewers: tuple[Viewer, ...], every: int) -> Iterator[tuple[Any, Any, Belief]]:
    session = play_out(Session(FIGHTS[name], seed=seed), Random(seed))
    for viewer in viewers:
        for belief in beliefs(session, viewer, HALF):
            if session.at % every == seed % every and session.actor is not OVER:
                yield session.game, session.view(viewer), belief


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (k > 1)) for k, name in enumerate(FIGHTS)])
def test_answers_equal_complete_enumeration_on_tiny_packs(name: str) -> None:
    asked = Counter[str]()
    for seed in range(4):
        for rules, view, belief in moments(name, seed, ((0, None), (1, TEACHER))[seed % 2], 3):
            phase = view.now.phase
            right: dict[str, Values] = {}
            if phase in ("fight", "turn") and not view.fight and len(belief) <= 40:
                right |= of_fight(rules, view, belief)
            if phase == "exchange" and view.now.actor == view.viewer and len(belief) <= 12:
                right["exchange_value"] = of_exchange(rules, view, belief)
            if phase == "tricks" and (view.trick or view.now.actor == view.viewer):
                right["trick_winner"] = of_trick(rules, view, belief)
            if phase == "tricks" and view.viewer is not None:
                right["guaranteed_tricks"] = of_search(rules, view, belief)
            if len(belief) <= {"tricks": 100, "exchange": 12, "drop": 6, "replace": 2, "turn": 1}.get(phase, 0):
                right |= the_rest(rules, view, belief)
            names = {question.name for question in fitting(view)}
            for question, values in right.items():
                assert question in names
                answer = ask(view, question)
                if answer.exact:
                    assert exact(answer) == whole(values), (seed, view.viewer, phase, question)
                    asked[question] += 1
    expected = {"first_match", "wins_lead", "suit_turned", "tricks", "share", "no_trick"}
    if name != "stay or drop":
        expected |= {"trick_winner", "guaranteed_tricks", "exchange_value"}
    assert expected <= set(asked)
    assert asked.total() > 40


def of_search(rules: Any, view: Any, belief: Belief) -> Values:
    found: Values = defaultdict(Fraction)
    for state, weight in belief.items():
        if view.viewer == TEACHER:
            return {seat: Fraction(forced(rules, state, seat)) for seat in view.staying}
        found[forced(rules, state, view.viewer) if view.viewer in view.staying else 0] += weight
    return found


# The lessons' numbers


def at_fight(players: int, hand: str = "", **house: Any) -> Session:
    """A deal stands before the fight; seat 0 holds some cards."""
    script = [token for card in hand.split() for token in (card,)]
    session = Session(game(NAME, players, first_dealer=players - 1, **house), seed=1)
    if script:
        others = [str(card) for card in PACK_52 if str(card) not in script]
        order = [token for k, card in enumerate(script) for token in (card, *others[k * (players - 1) : (k + 1) * (players - 1)])]
        session = Session(session.game, dealer=Scripted(order, fill=True))
    while session.game.phase(session.state) != "fight":
        session.play()
    return session


@pytest.mark.parametrize(
    ("players", "chance"),
    [(2, Fraction(178, 425)), (3, Fraction(11686, 20825)), (4, Fraction(55883, 83300)), (5, Fraction(84443, 111860))],
)
def test_the_first_turned_card_matches(players: int, chance: Fraction) -> None:
    fresh = Session(game(NAME, players), seed=1)
    for session in (fresh, at_fight(players)):
        answer = ask(session, "first_match")
        assert answer[Match(True)] == Exact(chance)
        assert answer[Match(False)] == Exact(1 - chance)
    hits = sum(first_turn_matches(players, seed) for seed in range(400))
    assert_probable(hits, 400, chance)


def first_turn_matches(players: int, seed: int) -> bool:
    session = Session(game(NAME, players), seed=seed)
    while not session.state.turned:
        session.step("random")
    return session.state.turned[0].suit in {card.suit for _, card in session.state.fight}


def test_a_suit_of_which_i_hold_k_is_turned_with_13_minus_k_of_48() -> None:
    for hand, right in (("2C 3D 4H 5S", (12, 12, 12, 12)), ("2C 3C 4H 5S", (11, 11, 12, 12)), ("2C 3C 4C 5C", (9, 9, 9, 9))):
        answer = ask(at_fight(4, hand), "suit_turned", seat=0)
        for card, n in zip(parse_cards(hand), right, strict=True):
            assert answer[card] == Exact(Fraction(n, 48), n)


def test_wins_lead_by_hand() -> None:
    answer = ask(at_fight(2, "2C AS KS QS"), "wins_lead", seat=0)
    assert list(answer) == list(parse_cards("2C QS KS AS"))
    spade, red = Fraction(10, 48), Fraction(26, 48)  # the other lays a spade, or a heart or a diamond
    assert answer[Card("2C")] == Exact(spade * Fraction(12, 21) + red * Fraction(12, 24))
    assert answer[Card("AS")] == answer[Card("QS")] == Exact(spade + red * Fraction(10, 22) + Fraction(12, 48) * Fraction(10, 21))
    assert not answer.adds_up


@pytest.mark.parametrize("players", [2, 3, 5])
def test_wins_lead_agrees_with_simulated_fights(players: int) -> None:
    """The hands, the fight cards and the turned cards are dealt with Python's own random numbers, apart from the engine."""
    own = parse_cards("6C KC 9H 2S")
    session = at_fight(players, "6C KC 9H 2S")
    answer = ask(session, "wins_lead", seat=0)
    rng, n = Random(7), 3000
    for card in own:
        wins = 0
        for _ in range(n):
            unseen = [other for other in PACK_52 if other not in own]
            rng.shuffle(unseen)
            laid, turned = unseen[: players - 1], unseen[4 * (players - 1) :]
            suit = next((other.suit for other in turned if other.suit in {card.suit, *(c.suit for c in laid)}), card.suit)
            wins += card.suit == suit and not any(other.suit == suit and other > card for other in laid)
        assert_probable(wins, n, answer[card].value, 12)  # type: ignore[union-attr, arg-type]


def test_wins_lead_where_the_stock_may_run_out_and_ranks_may_tie() -> None:
    """A hand of one, every selection and order of the unseen cards written out."""
    unseen = parse_cards("2C 3C 2D 4D 2H")
    mine = Card("3D")
    for earlier in range(3):
        for stock in (1, 2, 3):
            fight_ = Fight(unseen, 2, stock, earlier)
            wins = total = 0
            for order in permutations(unseen):
                total += 1
                laid, turned = order[:2], order[2 : 2 + stock]
                wins += won_by_me(mine, laid, turned, earlier)
            assert fight_.wins(mine) == Fraction(wins, total)


def won_by_me(mine: Card, laid: tuple[Card, ...], turned: tuple[Card, ...], earlier: int) -> bool:
    suit = next((card.suit for card in turned if card.suit in {mine.suit, *(c.suit for c in laid)}), None)
    if suit is not None:
        return mine.suit == suit and all(card.suit != suit or card < mine for card in laid)
    ranks = [card.rank or 0 for card in laid]
    rank = mine.rank or 0
    return all(other < rank or (other == rank and k >= earlier) for k, other in enumerate(ranks))


# Case 12, the search, estimates


def case_12() -> Session:
    session = Session(game(NAME, 2, first_dealer=1), dealer=Scripted("2S 2H 3S 3H 4C 4H 9H 9D KH 5C 6C", fill=True))
    moves = iter(("fight 9H", "fight 9D", "stand", "stand", "play 2S", "play 2H"))
    while session.game.phase(session.state) != "tricks":
        session.play() if session.actor is CHANCE else session.play(next(moves))
    for token in moves:
        session.play(token)
    return session


def test_case_12_nobody_beats_a_spade_who_has_shown_to_have_none() -> None:
    """I lead my other spade: it is certain to take the trick, exact and in 2,000 worlds; forgetting the void gives 0.83 at most."""
    session = case_12()
    answer = ask(session, "trick_winner", seat=0)
    assert answer[Card("3S")] == Exact(Fraction(1))
    for name in ("tricks", "share", "no_trick"):
        estimated = ask(session, name, seat=0, n=2000)
        assert set(estimated) == {Seat(0), Seat(1)}
    assert ask(session, "no_trick", seat=0)[Seat(0)].mean == 0  # the first trick is taken


def test_what_can_be_forced_with_open_cards_by_hand() -> None:
    """AS KS QS JS on lead take all four tricks against anybody; not on lead the leader's four clubs do."""
    hands = (Position.of, parse_cards("AS KS QS JS"), parse_cards("2C 3C 4C 5C"))
    top, low = (sum(1 << card.code for card in cards) for cards in hands[1:])
    assert [Forced(me).tricks(Position((top, low), 0)) for me in (0, 1)] == [4, 0]
    assert [Forced(me).tricks(Position((top, low), 1)) for me in (0, 1)] == [0, 4]


def test_the_search_equals_plain_minimax_on_whole_hands() -> None:
    for players, seed in ((2, 1), (2, 2), (3, 3)):
        session = Session(game(NAME, players), seed=seed)
        while session.game.phase(session.state) != "tricks" or sum(map(len, session.state.hands)) > 8:
            session.step("still")
        answer = ask(session, "guaranteed_tricks")
        for seat in range(players):
            assert answer[Seat(seat)].value == forced(session.game, session.state, seat)  # type: ignore[union-attr]


def test_a_position_is_played_as_the_engine_plays_it() -> None:
    """Random tricks of three players: all ways have weights that sum to a power of 12, and drawn ones follow them."""
    session = Session(game(NAME, 3), seed=4)
    while session.game.phase(session.state) != "tricks":
        session.step("still")
    position = Position.of(session.state)
    ways = Alike(10**6).won(position)
    total = sum(ways.values())
    assert total == 12**12
    rest = Rest(session.game, "still", session.state.deal)
    counts = Counter(rest.ending(session.state, Luck(1, k)).tricks for k in range(3000))
    for won, weight in ways.items():
        assert_probable(counts[won], 3000, Fraction(weight, total), len(ways))


@pytest.mark.parametrize("policy", ["random", "sensible", "still"])
def test_estimates_cover_what_is_exact(policy: str) -> None:
    """At a tiny moment that can be gone through, and again as an estimate: the true value lies within five standard errors."""
    rules = fight("2C 3C 4C 5D 6D 7H", 2, 2, deals=2)
    session = Session(rules, seed=3)
    while session.game.phase(session.state) != "exchange":
        session.step("still")
    seat = session.actor
    assert isinstance(seat, Seat)
    for question in ("tricks", "share", "no_trick", "exchange_value"):
        right = ask(session, question, seat=seat, policy=policy)
        assert right.exact
        estimated = sampled(session, question, seat, policy)
        for outcome, number in estimated.numbers.items():
            if isinstance(number, Estimate):
                value = float(right[outcome].value)  # type: ignore[union-attr]
                assert number.mean is not None
                assert abs(number.mean - value) <= 5 * (number.standard_error or 0) + 1e-12, (question, outcome)


def sampled(session: Session, question: str, seat: Seat, policy: str) -> Answer[Any]:
    """The same answer where going through all cases is not allowed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardlab.chance.fights.LIMIT", 0)
        return ask(session, question, seat=seat, policy=policy, n=1500)


def test_an_exchange_of_nothing_brings_nothing_and_the_cost_counts() -> None:
    """In a deal in which four aces are held any exchange loses at least its cost."""
    session = at_fight(2, "2C AS KS QS")
    for token in ("fight 2C", "fight 3C"):
        session.play(token if Action.parse(token) in session.legal else str(session.legal[0]))
    while session.game.phase(session.state) != "exchange":
        session.play()
    answer = ask(session, "exchange_value", seat=0, n=60)
    assert len(answer) == 16
    assert answer[Exchange()] == Exact(Fraction(0))
    assert not answer.chances
    spades = Exchange(tuple(card for card in session.state.hands[0] if card.suit == 3))
    assert answer[spades].mean is not None
    assert answer[spades].mean < 0


# Form


def test_every_question_has_its_sentence_and_every_outcome_its_words() -> None:
    for language in ("en", "ru"):
        words = Words(language)
        sentences = {question.say(words) for question in QUESTIONS[NAME].values()}
        assert len(sentences) == len(QUESTIONS[NAME]) == 10
        for outcome in (Match(True), Match(False), Exchange(), Exchange(parse_cards("2C 3C"))):
            assert outcome.display(words)
    assert [str(outcome) for outcome in (Match(True), Exchange(), Exchange(parse_cards("2C")))] == ["match", "stand", "exchange 2C"]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("house", [{}, {"who_antes": "losers_only", "penalty_cap": 2}, {"bankroll": 8}])
def test_a_refusal_that_is_known_is_missing_in_the_next_bank(players: int, house: dict[str, Any]) -> None:
    """FL-17, FL-18: who refuses pays nothing; the others cannot know of it yet."""
    for seed in range(3):
        session = Session(game(NAME, players, deals=3, **house), seed=seed)
        while session.state.phase != "refusal":
            session.step("random")
        every = opening_bank(session.game, session.state)
        assert all(banks(session, viewer) == {every: 1} for viewer in (0, 1, None, TEACHER))
        session.play("refuse")
        without = opening_bank(session.game, session.state)
        assert without == 0 if players == 2 else without <= every - 4 * (not house)
        assert all(banks(session, viewer) == {without: 1} for viewer in (0, TEACHER))
        assert all(banks(session, viewer) == {every: 1} for viewer in (1, None))


def banks(session: Session, viewer: Viewer) -> Values:
    return exact(ask(session, "next_bank", seat=viewer))


def test_questions_that_do_not_fit_are_refused() -> None:
    session = at_fight(3)
    for question, seat in (("exchange_value", 0), ("trick_winner", 0), ("guaranteed_tricks", None), ("wins_lead", None)):
        with pytest.raises(BadRequest):
            ask(session, question, seat=seat)
    over = play_out(Session(FIGHTS["two players, all of a suit"], seed=1), Random(1))
    for question in QUESTIONS[NAME]:
        with pytest.raises(BadRequest):
            ask(over, question, seat=0)


def test_equal_views_give_equal_answers_whatever_was_asked_before() -> None:
    session = case_12()
    first = ask(session, "tricks", seat=0, n=50, seed=3)
    ask(session, "no_trick", seat=0, n=20)
    ask(session, "tricks", seat=1, n=20)
    assert ask(session, "tricks", seat=0, n=50, seed=3) == first
    assert ask(session.view(0), "tricks", n=50, seed=3) == first


# Whole packs: exact answers against drawn worlds


def agree(players: int, seed: int, n: int) -> int:
    """At a random moment of the tricks of a random game: exact against n drawn worlds played on by the engine; how many were compared."""
    rng = Random(seed)
    session = play_out(Session(game(NAME, players, deals=2), seed=seed), rng)
    at = [k for k, step in enumerate(session.steps) if step.before.phase == "tricks"]
    session.goto(rng.choice(at))
    compared = 0
    for viewer in (session.actor, None, *rng.sample(session.game.seats, 1)):
        view = session.view(viewer)
        for question in ("trick_winner", "no_trick"):
            if question not in {fitted.name for fitted in fitting(view)}:
                continue
            right = ask(view, question)
            if not right.exact:
                continue
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("cardlab.chance.fights.LIMIT", 0)
                patch.setattr("cardlab.chance.fights.ANY_CARD", ())
                drawn = ask(view, question, n=n, seed=seed)
            for outcome, number in drawn.numbers.items():
                if isinstance(number, Estimate):
                    assert_probable(int(number.total), n, right[outcome].value, 200)  # type: ignore[union-attr, arg-type]
                    compared += 1
    return compared


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_exact_answers_agree_with_drawn_worlds(players: int) -> None:
    assert sum(agree(players, seed, 250) for seed in range(3)) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_exact_answers_agree_with_many_drawn_worlds(players: int) -> None:
    assert sum(agree(players, seed, 10_000) for seed in range(10, 20)) >= 20
