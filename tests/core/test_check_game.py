"""The check of all games: it passes for every house rule, and catches every fault planted in a game."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from cardlab import GAMES, BadGame, Card, game
from cardlab.cards import PACK_52, PACK_54
from cardlab.core import streams
from cardlab.core.dist import Dist
from cardlab.core.events import TEACHER, Now
from cardlab.core.game import OVER, Action, AnyGame
from cardlab.games import FightForTheLead, PokerMarshal, SuicideKing, fight_state, marshal_state, suicide_king
from cardlab.testing import check_game, no_random_number, strategies
from cardlab.testing.houses import combination, combinations, every_single

DEALS = {"suicide_king": {}, "fight_for_the_lead": {"deals": 2}, "poker_marshal": {"deals": 2}}  # enough to carry things on
SMALL = {
    "suicide_king": suicide_king.Size(PACK_52[26:], (6, 5, 5, 5, 5)),
    "fight_for_the_lead": fight_state.Size(PACK_52[::3], hand=2, exchanges=2),  # 18 cards: the stock often runs out
    "poker_marshal": marshal_state.Size(PACK_54[36:], hands=(4, 4, 3, 3, 2), swaps=(2, 2), offers=2),
}


def of_each(make: Any) -> list[AnyGame]:
    return [made for name in GAMES for made in make(name)]


def every_count(name: str) -> list[AnyGame]:
    return [game(name, players, **DEALS[name]) for players in GAMES[name].player_counts]


def every_preset(name: str) -> list[AnyGame]:
    return [game(name, preset=preset, **DEALS[name]) for preset in GAMES[name].rules_type.presets]


def every_value(name: str) -> list[AnyGame]:
    players = GAMES[name].player_counts[0]
    return [game(name, players, **DEALS[name] | chosen) for chosen in every_single(name, players)]


@pytest.mark.parametrize("played", of_each(every_count), ids=repr)
def test_every_number_of_players(played: AnyGame) -> None:
    check_game(played, games=3, seed=1)


@pytest.mark.parametrize("played", of_each(every_preset), ids=repr)
def test_every_preset(played: AnyGame) -> None:
    check_game(played, games=2, seed=2)


@pytest.mark.parametrize("played", of_each(every_value), ids=repr)
def test_every_house_rule_alone(played: AnyGame) -> None:
    check_game(played, games=1, seed=2)


@pytest.mark.parametrize("name", GAMES)
def test_a_hundred_combinations_of_house_rules(name: str) -> None:
    """On small packs, where the corners of the rules come up more often; the full size is the slow test."""
    tried = combinations(name, 50, seed=3, size=SMALL[name], **DEALS[name])
    tried += combinations(name, 50, seed=4, size=SMALL[name], **dict.fromkeys(DEALS[name], 1))
    for seed, played in enumerate(tried):
        check_game(played, games=1, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("played", of_each(lambda name: combinations(name, 100, seed=4)), ids=repr)
def test_a_hundred_combinations_at_full_size(played: AnyGame) -> None:
    check_game(played, games=3, seed=5)


def test_a_streak_that_ends_the_game() -> None:
    played = PokerMarshal(ends="streak", title_tie="incumbent", deals=60)
    check_game(played, games=2, seed=6)


@settings(max_examples=8, deadline=None)
@given(strategies.games("suicide_king", "fight_for_the_lead", deals=1), strategies.seeds())
def test_any_game_at_any_seed(played: AnyGame, seed: int) -> None:
    check_game(played, games=1, seed=seed)


# what does not fit is refused


@pytest.mark.parametrize(
    ("name", "players", "house", "rule"),
    [
        ("suicide_king", 1, {}, "SK-0"),
        ("suicide_king", 6, {}, "SK-0"),
        ("suicide_king", True, {}, "SK-0"),
        ("suicide_king", 3, {"first_dealer": 3}, "first_dealer"),
        ("suicide_king", 3, {"last_player": "draws"}, "last_player"),
        ("suicide_king", 3, {"stake": 4}, "SK-0"),
        ("suicide_king", 3, {"preset": "paget"}, "SK-0"),
        ("fight_for_the_lead", 6, {}, "FL-0"),
        ("fight_for_the_lead", 4, {"stake": 6}, "stake"),
        ("fight_for_the_lead", 4, {"stake": 4.0}, "stake"),
        ("fight_for_the_lead", 4, {"stake": 30_302}, "stake"),
        ("fight_for_the_lead", 4, {"stake": 0}, "stake"),
        ("fight_for_the_lead", 4, {"penalty_cap": 0}, "penalty_cap"),
        ("fight_for_the_lead", 4, {"bankroll": 10}, "bankroll"),
        ("fight_for_the_lead", 4, {"stake": 8, "bankroll": 4}, "bankroll"),
        ("fight_for_the_lead", 4, {"deals": 0}, "deals"),
        ("fight_for_the_lead", 4, {"deals": True}, "deals"),
        ("poker_marshal", 4, {}, "PM-0"),
        ("poker_marshal", 5, {"swap": "none"}, "swap"),
        ("poker_marshal", 5, {"short_hands": None}, "short_hands"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_rule(name: str, players: int, house: dict[str, Any], rule: str) -> None:
    with pytest.raises(BadGame) as refusal:
        game(name, players, **house)
    assert refusal.value.rule == rule


def test_the_stake_of_the_case_is_legal() -> None:
    assert game("fight_for_the_lead", stake=30_300).rules.stake == 30_300


def refused_rule(name: str, chance: random.Random) -> str | None:
    players = chance.choice(GAMES[name].player_counts)
    try:
        game(name, players, **combination(name, players, chance))
    except BadGame as refusal:
        return refusal.rule
    return None


@pytest.mark.parametrize("name", GAMES)
def test_any_combination_is_played_or_refused_with_a_house_rule(name: str) -> None:
    chance = random.Random(7)
    assert {refused_rule(name, chance) for _ in range(300)} == ({None, "bankroll"} if name == "fight_for_the_lead" else {None})


# planted faults: each is caught, by its own sentence


class Unsorted(FightForTheLead):
    def legal(self, s: Any) -> Any:
        return super().legal(s)[::-1]


class Twice(FightForTheLead):
    def legal(self, s: Any) -> Any:
        return tuple(action for action in super().legal(s) for _ in range(2))


class NothingLegal(SuicideKing):
    def legal(self, s: Any) -> Any:
        return () if s.unseen and len(s.unseen) < 40 else super().legal(s)


class LegalButRefused(FightForTheLead):
    """Every card of the hand is called legal, also where suit must be followed."""

    def legal(self, s: Any) -> Any:
        return (
            tuple(Action("play", (card,)) for card in s.hands[s.mover])
            if s.phase == "tricks" and self.actor(s) != OVER
            else super().legal(s)
        )


class AllowsAll(FightForTheLead):
    def why_not(self, s: Any, a: Action) -> Any:
        return None if s.phase == "fight" else super().why_not(s, a)


class NamesNoRule(FightForTheLead):
    def why_not(self, s: Any, a: Action) -> Any:
        reason = super().why_not(s, a)
        return reason and replace(reason, rule="FL-20")


class LongNumbers(SuicideKing):
    """A token of more digits than a token may have."""

    def legal(self, s: Any) -> Any:
        return tuple(Action("take", number=1000 + action.number) for action in super().legal(s))


class LosesACard(FightForTheLead):
    """The cards of the last trick are swept from the table."""

    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        return (replace(after, discard=s.discard) if a.verb == "play" and s.trick and not after.trick and after.stock else after), events


class DoublesACard(PokerMarshal):
    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        return (replace(after, stock=s.stock) if a.verb == "deal" else after), events


class LosesAll(FightForTheLead):
    def lying(self, s: Any) -> Any:
        return () if s.phase == "exchange" else super().lying(s)


class ForgetsAShownCard(SuicideKing):
    def _see(self, v: Any, e: Any) -> Any:
        v = super()._see(v, e)
        return replace(v, shown=v.shown[-20:])


class MakesMoney(FightForTheLead):
    """Every player is given his trick's share once too often."""

    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        return (replace(after, bank=after.bank + 1) if s.phase == "tricks" and after.phase != "tricks" else after), events


class SplitsMoney(FightForTheLead):
    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        return replace(after, balances=tuple(balance / 1 for balance in after.balances)), events


class ChangesOldStates(SuicideKing):
    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        if a.verb == "card":
            object.__setattr__(s, "pile", None)
        return after, events


class KeepsAList(FightForTheLead):
    """A state that cannot be hashed."""

    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        return replace(after, tricks=list(after.tricks)), events


class DrawsInside(SuicideKing):
    """The rules themselves shuffle, by the streams."""

    def _apply(self, s: Any, a: Action) -> Any:
        if a.verb == "shuffle":
            streams.word(7, 0, 0)
        return super()._apply(s, a)


class DrawsElsewhere(SuicideKing):
    """The rules themselves roll dice, and nothing comes of it that a state would show."""

    def _apply(self, s: Any, a: Action) -> Any:
        random.random()
        return super()._apply(s, a)


class Moody(FightForTheLead):
    """The same action has another result the next time."""

    times = 0

    def _apply(self, s: Any, a: Action) -> Any:
        after, events = super()._apply(s, a)
        if a.verb == "turn":
            type(self).times += 1
            after = replace(after, last_bank=self.times)
        return after, events


class UnsortedDraw(FightForTheLead):
    """The same seed would give other cards: a number is an index into the sorted outcomes."""

    def draw(self, s: Any) -> Any:
        draw = super().draw(s)
        return replace(draw, cards=draw.cards[::-1], numbers=draw.numbers[::-1])


class UnevenChances(PokerMarshal):
    def chances(self, s: Any) -> Any:
        fair = super().chances(s)
        return Dist({action: 1 + (k == 0) for k, action in enumerate(fair)})


class MissingChance(PokerMarshal):
    def chances(self, s: Any) -> Any:
        fair = super().chances(s)
        return Dist.uniform(list(fair)[1:] or fair)


class OddsFromTheTruth(FightForTheLead):
    """A seat is told that what it holds itself may still come."""

    def _expects(self, v: Any) -> Any:
        fair = super()._expects(v)
        return fair if v.now.asks != "turn" else Dist.uniform(list(fair)[2:])


class AlwaysExpects(SuicideKing):
    def expects(self, v: Any) -> Any:
        return super().expects(v) or Dist.uniform([Action("shuffle")])


class BlindTeacher(FightForTheLead):
    def _expects(self, v: Any) -> Any:
        fair = super()._expects(v)
        return Dist.uniform([Action(v.now.asks)]) if v.viewer == TEACHER else fair


class WrongNow(SuicideKing):
    def now(self, s: Any) -> Now:
        return replace(super().now(s), phase="turns")


class NeverEnds(SuicideKing):
    def bound(self) -> int:
        return 30


class NoEnd(SuicideKing):
    def outcome(self, s: Any) -> Any:
        return None


class ForgetsASeat(FightForTheLead):
    def outcome(self, s: Any) -> Any:
        outcome = super().outcome(s)
        return outcome and replace(outcome, standing=outcome.standing[:-1])


class FoldsOnce(SuicideKing):
    """A view that counts how often any view was folded: undo and replay then show another one."""

    folded = 0

    def _see(self, v: Any, e: Any) -> Any:
        type(self).folded += 1
        return replace(super()._see(v, e), shown=((self.seats[0], PACK_52[self.folded % 52]),))


class SureOfTooMuch(FightForTheLead):
    """A player who did not follow suit is thought to hold nothing but that suit."""

    def _see(self, v: Any, e: Any) -> Any:
        v = super()._see(v, e)
        if type(e).__name__ == "Played" and e.fits == "discards":
            v = replace(v, places=v.places.without(f"hand {e.seat}", lambda card: card.suit != e.suit))
        return v


class SeesAnother(PokerMarshal):
    def blank(self, viewer: Any) -> Any:
        return super().blank(None)


FAULTS = {
    Unsorted: "are not sorted",
    Twice: "stands twice among the legal moves",
    NothingLegal: "without a legal move",
    LegalButRefused: "is legal and refused",
    AllowsAll: "is not refused",
    NamesNoRule: "FL-20 is no rule",
    LongNumbers: "does not parse back|error.token",
    LosesACard: "the cards are not the pack: lost",
    DoublesACard: "the cards are not the pack: lost .*, twice",
    LosesAll: "all cards are gone",
    ForgetsAShownCard: "unseen and shown cards together",
    MakesMoney: "money out of nothing",
    SplitsMoney: "no whole number",
    ChangesOldStates: "has changed when",
    KeepsAList: "unhashable",
    DrawsInside: "a random number was called for",
    DrawsElsewhere: "a random number was called for",
    Moody: "deal otherwise|something else after an undo|goes another way",
    UnsortedDraw: "the outcomes of chance are not sorted",
    UnevenChances: "the chances do not",
    MissingChance: "other outcomes",
    OddsFromTheTruth: "thinks impossible what can come",
    AlwaysExpects: "where chance does not act",
    BlindTeacher: "the teacher expects something else",
    WrongNow: "another phase",
    NeverEnds: "more steps than the bound, 30",
    NoEnd: "none at the end",
    ForgetsASeat: "every seat once",
    FoldsOnce: "another view of|is not the fold|unseen and shown",
    SureOfTooMuch: "thinks impossible what|is sure of a card",
    SeesAnother: "is the view of None",
}


@pytest.mark.parametrize(("faulty", "sentence"), FAULTS.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_is_caught(faulty: type[AnyGame], sentence: str) -> None:
    played = faulty(**DEALS[faulty.name])
    with pytest.raises(AssertionError, match=sentence):
        check_game(played, games=3, seed=8)


def test_the_message_names_game_seed_index_and_step() -> None:
    with pytest.raises(AssertionError, match=r"^game\('suicide_king', players=2\), seed 9, game 0, step 30: more steps"):
        check_game(NeverEnds(2), games=1, seed=9)


def test_no_random_number_is_lifted_again() -> None:
    with pytest.raises(AssertionError, match="a random number"), no_random_number():
        streams.shuffled(1, 2, 3)
    assert sorted(streams.shuffled(1, 2, 3)) == [0, 1, 2]


@settings(max_examples=50, deadline=None)
@given(strategies.hands(), strategies.cards(jokers=False))
def test_strategies_of_cards(hand: tuple[Card, ...], card: Card) -> None:
    assert 3 <= len(hand) == len(set(hand)) <= 7
    assert not card.joker


def test_hypothesis_is_loaded_when_a_strategy_is_asked_for() -> None:
    code = (
        "import sys, cardlab.testing, cardlab.testing.strategies as strategies; assert 'hypothesis' not in sys.modules;"
        "strategies.games(); assert 'hypothesis' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_game_may_be_named() -> None:
    check_game("suicide_king", games=1, seed=10)
