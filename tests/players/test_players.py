"""The computer players: what each does, that it sees a view only, and that `sensible` beats `random` where there is anything to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb
from types import SimpleNamespace
from typing import Any

import pytest
from probable import assert_probable

from cardlab import CHANCE, GAMES, OVER, PLAYERS, Action, Card, Scripted, Seat, Session, best, game, match
from cardlab.cards import PACK_54, parse_cards
from cardlab.core.game import AnyGame, Moves
from cardlab.core.places import Places
from cardlab.core.registry import Player
from cardlab.players import RandomPlayer, Sensible, Still
from cardlab.players.sensible import WORTH_KEEPING

RANDOM, SENSIBLE, STILL = RandomPlayer(), Sensible(), Still()
HOUSES = [
    ("suicide_king", 2, {}),
    ("suicide_king", 5, {"extra_cards": "batch", "king_of_hearts": "ends_deal"}),
    *(("fight_for_the_lead", players, {"deals": 3}) for players in (2, 3, 4, 5)),
    ("fight_for_the_lead", 3, {"deals": 4, "exchange": "one_by_one", "refusal": "losers_bound"}),
    ("fight_for_the_lead", 4, {"deals": 4, "refusal": "pagat_dropout", "bankroll": 60}),
    ("poker_marshal", 5, {"deals": 3}),
    ("poker_marshal", 5, {"deals": 3, "swap": "take_then_give", "offers": "ask_or_offer", "short_hands": "casino"}),
]


def moves(verb: str, cards: str) -> Moves:
    """A move of that verb for each card, sorted as a game sorts them."""
    return tuple(Action(verb, (card,)) for card in sorted(parse_cards(cards)))


# What holds of every player


@dataclass
class Watched:
    """A player of which every choice is tried twice, with no more than a view, the house rules and one number."""

    player: Player

    def choose(self, played: AnyGame, view: Any, legal: Moves, below: Callable[[int], int]) -> Action:
        asked: list[int] = []

        def number(m: int) -> int:
            asked.append(m)
            return below(m)

        bare: Any = SimpleNamespace(name=played.name, rules=played.rules)  # no way to a state, nor to the legal moves of others
        choice = self.player.choose(bare, view, legal, number)
        assert choice in legal
        assert len(asked) <= 1
        assert self.player.choose(bare, view, legal, below) == choice
        return choice


@pytest.mark.parametrize("name", sorted(PLAYERS))
@pytest.mark.parametrize(("played", "players", "house"), HOUSES, ids=str)
def test_every_choice_is_legal_and_the_same_for_the_same_view_and_number(
    name: str, played: str, players: int, house: dict[str, Any]
) -> None:
    for index in range(2):
        session = Session(game(played, players, **house), seed=31, index=index)
        session.auto(Watched(PLAYERS[name]), until="game")
        assert session.outcome is not None


@pytest.mark.parametrize("played", sorted(GAMES))
def test_random_and_still_look_at_neither_the_game_nor_the_view(played: str) -> None:
    nothing: Any = None
    session = Session(game(played), seed=32)
    while session.actor is not OVER:
        if session.actor is CHANCE:
            session.play()
            continue
        for player in (RANDOM, STILL):
            assert player.choose(nothing, nothing, session.legal, lambda m: m // 2) in session.legal
        session.play(RANDOM.choose(nothing, nothing, session.legal, lambda m: m // 2))


# Twins: two games that differ in cards which the seat to act has not seen

THREE = {"players": 3, "first_dealer": 2}
# hands 2C QC 3D 8S, 8H 9C 4S JD, TD KH 6D 5H; a heart is turned; a new card each
FIGHT = "2C 8H TD QC 9C KH 3D 4S 6D 8S JD 5H 2H AS 6H 7H"
TITLES = "AS KS QS JS TS"  # seat 0 is Marshal, seat 4 Bandit
HANDS = "AC 7D KH 7C 2S 5S 9H 3C 8C TH QD JH 4D 6C QC 9S QH 2H 4S 6S 8S 3D 9D 5C TD"
TWINS = [
    ("fight_for_the_lead", THREE, "", FIGHT, "8H TD", 0, ""),
    ("fight_for_the_lead", THREE, "", FIGHT, "4S 6D", 0, "fight 2C, fight 8H, fight KH"),
    ("fight_for_the_lead", THREE, "", FIGHT, "QC 5H", 1, "fight 3D, fight 8H, fight TD, exchange 2C, stand, stand"),
    ("poker_marshal", {}, TITLES, HANDS, "5C 3C", 0, ""),  # the Marshal's swap
    ("poker_marshal", {}, TITLES, HANDS, "7C 8S", 1, "enough"),  # the Deputy's
    ("poker_marshal", {}, TITLES, HANDS, "QD QS", 2, "enough, enough"),  # which queen lies in the stock
    ("poker_marshal", {}, TITLES, HANDS, "QD QS", 2, "enough, enough, ask QS, lay 2H, silent, silent, silent, silent"),
    ("poker_marshal", {}, TITLES, HANDS, "5S 4S", 4, "enough, enough, enough"),  # the Bandit's redraw
]


def deal_on(session: Session) -> None:
    while session.actor is CHANCE:
        session.play()


def at(played: AnyGame, script: list[str], tokens: str) -> Session:
    """A game by script after some moves, where a seat is to act."""
    session = Session(played, dealer=Scripted(script, fill=True))
    deal_on(session)
    for token in filter(None, tokens.split(", ")):
        session.play(token)
        deal_on(session)
    return session


@pytest.mark.parametrize(("played", "house", "titles", "cards", "exchanged", "seat", "tokens"), TWINS)
def test_twins_get_the_same_choice(
    played: str, house: dict[str, Any], titles: str, cards: str, exchanged: str, seat: int, tokens: str
) -> None:
    one, other = exchanged.split()
    renamed = [{one: other, other: one}.get(card, card) for card in cards.split()]
    first = at(game(played, **house), titles.split() + cards.split(), tokens)
    second = at(game(played, **house), titles.split() + renamed, tokens)
    assert first.actor == second.actor == seat
    assert first.state != second.state
    assert first.view(seat) == second.view(seat)
    assert first.legal == second.legal
    for name in PLAYERS:
        assert first.choice(name) == second.choice(name)


# Still and random


def test_random_takes_each_legal_move_alike() -> None:
    legal = moves("play", "2C 9D JD 4H AS")
    sizes: list[int] = []

    def number(k: int) -> Callable[[int], int]:
        return lambda m: sizes.append(m) or k

    bare: Any = None
    assert [RANDOM.choose(bare, bare, legal, number(k)) for k in range(5)] == list(legal)
    assert sizes == [5] * 5


@pytest.mark.parametrize("tokens", ["continue refuse", "stay drop"])
def test_random_leaves_with_one_number_in_twenty(tokens: str) -> None:
    legal = tuple(map(Action.parse, tokens.split()))
    bare: Any = None
    chosen = [RANDOM.choose(bare, bare, legal, lambda m, k=k: k if m == 20 else -1) for k in range(20)]
    assert chosen.count(legal[1]) == 1


def test_random_refuses_one_time_in_twenty_by_seed() -> None:
    session = Session(game("fight_for_the_lead", 2, deals=2), seed=0)
    session.auto("still", until="deal")
    assert [str(action) for action in session.legal] == ["continue", "refuse"]
    times = 2000
    refused = 0
    for session.seed in range(times):  # the seed of the players' numbers; the game stays where it is
        refused += session.choice("random").verb == "refuse"
    assert_probable(refused, times, Fraction(1, 20))


def test_random_has_no_choice_where_a_loser_is_bound() -> None:
    bare: Any = None
    legal = (Action("continue"),)
    assert RANDOM.choose(bare, bare, legal, lambda m: 0) == legal[0]


@pytest.mark.parametrize(("played", "players", "house"), HOUSES, ids=str)
def test_still_only_does_what_it_must(played: str, players: int, house: dict[str, Any]) -> None:
    session = Session(game(played, players, **house), seed=33)
    session.auto("still", until="game")
    taken = {"suicide_king": {"take"}, "fight_for_the_lead": {"fight", "stand", "play", "continue", "stay"}}
    allowed = taken.get(played, {"enough", "take", "silent", "keep"})
    made = [step for step in session.steps if isinstance(session.game.actor(step.before), Seat)]
    assert {step.action.verb for step in made} <= allowed
    if played == "suicide_king":
        assert all(step.action == session.game.legal(step.before)[0] for step in made)
        assert {step.action.number for step in made} >= {0, 1}
    if played == "poker_marshal":
        assert all(step.action.number == 0 for step in made if step.action.verb == "take")


@pytest.mark.parametrize(
    ("tokens", "quiet"),
    [
        ("stand|exchange 2C|exchange 2C 3C", "stand"),
        ("continue|refuse", "continue"),
        ("stay|drop", "stay"),
        ("enough|lay 2C", "enough"),
        ("enough|ask 2C|show 3C", "enough"),
        ("take 0|take 1|take 2", "take 0"),
        ("silent|accept", "silent"),
        ("lay 2C|pass", "pass"),
        ("nobody|pick 1", "nobody"),
        ("keep|redraw", "keep"),
        ("take 2|take 4", "take 2"),
    ],
)
def test_still_keeps_still(tokens: str, quiet: str) -> None:
    bare: Any = None
    legal = tuple(map(Action.parse, tokens.split("|")))
    assert {STILL.choose(bare, bare, legal, lambda m, k=k: k) for k in range(len(legal))} == {Action.parse(quiet)}


def test_still_fights_and_plays_by_chance() -> None:
    bare: Any = None
    for verb in ("fight", "play"):
        legal = moves(verb, "2C 9D JD 4H")
        assert [STILL.choose(bare, bare, legal, lambda m, k=k: k if m == 4 else -1) for k in range(4)] == list(legal)


# The rules of thumb of `sensible`


def thumb(view: Any, legal: Moves, played: str, **house: Any) -> str:
    """What `sensible` does in a moment; it asks for no random number."""
    bare: Any = SimpleNamespace(name=played, rules=game(played, **house).rules)
    return str(SENSIBLE.choose(bare, view, legal, lambda m: pytest.fail("a rule of thumb leaves nothing to chance")))


def test_sensible_takes_the_first_pile_that_is_left() -> None:
    legal = tuple(Action("take", number=pile) for pile in (0, 2, 3))
    assert thumb(None, legal, "suicide_king") == "take 0"
    assert thumb(None, legal[1:], "suicide_king") == "take 2"


def fight(legal: Moves, trick: str = "", bank: int = 16, **house: Any) -> str:
    """What it does at a table of four, with the cards of the trick so far, one by one from seat 1 on."""
    laid = tuple((Seat(1 + k), card) for k, card in enumerate(parse_cards(trick)))
    view = replace(game("fight_for_the_lead").blank(0), staying=tuple(map(Seat, range(4))), trick=laid, bank=bank)
    return thumb(view, legal, "fight_for_the_lead", **house)


def test_sensible_fights_with_its_lowest_card() -> None:
    assert fight(moves("fight", "QC 4S KD 5H")) == "fight 4S"


@pytest.mark.parametrize(
    ("trick", "cards", "played"),
    [
        ("", "TC QD 2S 3S", "play QD"),  # leads the highest
        ("TC", "2C JC KC", "play KC"),  # two still to play: the highest that wins
        ("TC 3C 4C", "2C JC KC", "play JC"),  # last: the lowest that wins
        ("TC AC 4C", "2C JC KC", "play 2C"),  # nothing wins
        ("TC AD 4C", "2C JC KC", "play JC"),  # an ace of another suit takes no trick
        ("TC", "AS 2S", "play 2S"),  # nor does this one's
    ],
)
def test_sensible_plays_high_to_win_and_low_where_it_cannot(trick: str, cards: str, played: str) -> None:
    assert fight(moves("play", cards), trick) == played


def test_sensible_changes_low_cards_once_the_bank_is_worth_it() -> None:
    hand = sorted(parse_cards("2C 9H TD KS"))
    batch = (Action("stand"), *(Action("exchange", cards) for n in range(1, 5) for cards in combinations(hand, n)))
    assert fight(batch, bank=79) == "stand"
    assert fight(batch, bank=80) == "exchange 2C 9H"
    assert fight(batch, bank=80, stake=8) == "stand"
    assert fight(batch[:5], bank=80) == "exchange 2C"  # one by one: the lowest
    good = (Action("stand"), *moves("exchange", "TD KS"))
    assert fight(good, bank=10**30) == "stand"


@pytest.mark.parametrize("tokens", ["continue refuse", "stay drop"])
def test_sensible_never_gives_up(tokens: str) -> None:
    legal = tuple(map(Action.parse, tokens.split()))
    assert fight(legal, bank=10**30) == str(legal[0])


def marshal(hand: str, legal: Moves, short_hands: str = "incomplete", **known: Any) -> str:
    """What seat 0 does with a hand, and with what else it knows."""
    view = replace(game("poker_marshal").blank(0), places=Places.of(parse_cards(hand), "hand 0"), **known)
    return thumb(view, legal, "poker_marshal", short_hands=short_hands)


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("7C 7D KH 3S QC TD 4H", "lay 3S"),
        ("7C 7D KH QC TD", "lay TD"),
        ("3C 3D KH QC TD", "lay TD"),  # the pair stays, low as it is
        ("3C 4D 8H TC QD KS AH", "lay 3C"),  # nothing but the highest card stays
        ("5C 6D 7H 8C 9D KS", "lay KS"),  # it has a straight without the king
        ("5C 6D 7H 8C 9D", "enough"),
        ("AC AD Jk KS QS", "lay QS"),
        ("AC AD AH AS Jk", "enough"),
        ("AC AD AH AS KS Jk Jk", "lay KS"),
    ],
)
def test_sensible_lays_the_lowest_card_that_does_not_make_its_hand(hand: str, laid: str) -> None:
    plain = " ".join(str(card) for card in parse_cards(hand) if not card.joker)
    assert marshal(hand, (Action("enough"), *moves("lay", plain))) == laid


def test_sensible_takes_all_it_may_and_gives_the_lowest_spare_card() -> None:
    assert marshal("2C", tuple(Action("take", number=n) for n in range(4))) == "take 3"
    assert marshal("9C 9D 9H 2S 3S 4D 5D 6H KC KD", moves("give", "9C 9D 9H 2S 3S 4D 5D 6H KC KD")) == "give 2S"
    assert marshal("2C 2D 2H 2S 3S 4D 5D 6H KC KD", moves("give", "2C 2D 2H 2S 3S 4D 5D 6H KC KD")) == "give 3S"


@pytest.mark.parametrize(
    ("hand", "refused", "asked"),
    [
        ("7C 7D KH 3S QC", "", "ask 7S"),
        ("7C 7D KH 3S QC", "7S", "ask 7H"),
        ("7C 7D KH 3S QC", "7S 7H", "ask KS"),
        ("KC 9C 7C 3C 3S", "", "ask AC"),  # the flush is more than a third three
        ("5C 6D 7H 8C 2S", "", "ask 9S"),  # the straight, at its upper end
        ("AC AD AH AS Jk", "", "enough"),
    ],
)
def test_sensible_asks_for_the_card_that_makes_its_hand_best(hand: str, refused: str, asked: str) -> None:
    held = parse_cards(hand)
    legal = (Action("enough"), *(Action("ask", (card,)) for card in PACK_54[:52] if card not in held))
    in_vain = tuple((card, 5) for card in parse_cards(refused))
    assert marshal(hand, legal, in_vain=in_vain) == asked


def test_sensible_lays_a_card_beside_the_one_asked_that_the_new_hand_can_spare() -> None:
    assert marshal("5C 6D 7H 8C KS", moves("lay", "5C 6D 7H 8C KS"), asked=Card("9S")) == "lay KS"
    assert marshal("7C 7D KH 3S QC", moves("lay", "7C 7D KH 3S QC"), asked=Card("7S")) == "lay 3S"


@pytest.mark.parametrize(
    ("hand", "asked", "answer"),
    [
        ("7C 7D KH 3S", "KH", "accept"),
        ("7C 7D KH 3S", "7D", "silent"),
        ("7C 8D KH 3S", "KH", "silent"),
        ("5C 6D 7H 8C 9D 2S", "2S", "accept"),
        ("5C 6D 7H 8C 9D 2S", "5C", "silent"),
    ],
)
def test_sensible_gives_up_only_a_spare_card(hand: str, asked: str, answer: str) -> None:
    assert marshal(hand, (Action("silent"), Action("accept")), asked=Card(asked)) == answer


@pytest.mark.parametrize(
    ("hand", "shown", "answer"),
    [
        ("7C 7D KH 3S", "7H", "lay 3S"),
        ("7C 7D KH 3S", "2H", "pass"),
        ("7C 7D KH 3S", "4H", "lay 3S"),  # a better kicker
        ("7C 7D 7H 7S", "AH", "pass"),  # nothing to spare
    ],
)
def test_sensible_lays_beside_a_shown_card_if_that_helps(hand: str, shown: str, answer: str) -> None:
    assert marshal(hand, (*moves("lay", hand), Action("pass")), shown=Card(shown)) == answer


def test_sensible_picks_a_laid_card_only_for_a_spare_one() -> None:
    legal = (Action("nobody"), Action("pick", number=1), Action("pick", number=3))
    assert marshal("7C 7D KH 3S QC", legal, shown=Card("3S")) == "pick 1"
    assert marshal("7C 7D KH 3S QC", legal, shown=Card("7C")) == "nobody"


@pytest.mark.parametrize(
    ("hand", "short_hands", "does"),
    [
        ("KS TD 2C", "incomplete", "keep"),
        ("KS 9D 8C", "incomplete", "redraw"),
        ("QS JS TS", "incomplete", "redraw"),
        ("QS JS TS", "casino", "keep"),
        ("4S 8S 2S", "casino", "keep"),
        ("KS QD 7C", "casino", "keep"),
        ("KS QD 6C", "casino", "redraw"),
        ("2S 2D 3C", "incomplete", "keep"),
        ("2S 3D Jk", "casino", "keep"),
    ],
)
def test_sensible_redraws_a_hand_worse_than_most(hand: str, short_hands: str, does: str) -> None:
    assert marshal(hand, (Action("keep"), Action("redraw")), short_hands) == does


@pytest.mark.parametrize("short_hands", ["incomplete", "casino"])
def test_sensible_and_still_keep_the_best_three_cards(short_hands: str) -> None:
    hand, legal = "Jk Jk AS", (Action("keep"), Action("redraw"))
    assert all(best(hand, short_hands) >= best(cards, short_hands) for cards in combinations(PACK_54, 3))
    assert marshal(hand, legal, short_hands) == "keep"
    assert STILL.choose(None, None, legal, lambda m: 1) == legal[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("short_hands", ["incomplete", "casino"])
def test_the_hand_worth_keeping_is_the_median_of_three_cards(short_hands: str) -> None:
    hands = [best(cards, short_hands) for cards in combinations(PACK_54, 3)]
    assert len(hands) == comb(54, 3)
    worth = WORTH_KEEPING[short_hands]
    below = max(hand for hand in hands if hand < worth)
    assert sum(hand > worth for hand in hands) <= comb(54, 3) // 2 < sum(hand > below for hand in hands)


# How strong: the same deals from every seat


FIGHTS = [
    *((players, {"deals": 1}) for players in (2, 3, 4, 5)),
    (3, {"deals": 3, "exchange": "one_by_one"}),
    (3, {"deals": 3, "refusal": "pagat_dropout"}),
    (3, {"deals": 3, "penalty_cap": 2, "who_antes": "losers_only"}),
    (3, {"deals": 3, "refusal": "losers_bound", "bankroll": 40}),
]
MARSHALS = [{"deals": 3}, {"deals": 3, "swap": "take_then_give", "offers": "ask_or_offer", "short_hands": "casino"}]
MATCHES = [
    (played, players, house, field)
    for field in ("random", "still")
    for played, players, house in (
        *(("fight_for_the_lead", players, house) for players, house in FIGHTS),
        *(("poker_marshal", 5, house) for house in MARSHALS),
    )
]


@pytest.mark.parametrize(("played", "players", "house", "field"), MATCHES, ids=str)
def test_sensible_beats_the_players_that_think_nothing(played: str, players: int, house: dict[str, Any], field: str) -> None:
    pytest.importorskip("numba")
    found = match(["sensible", field], played, 4000, seed=34, seats=players, **house)
    difference = found.differences["sensible", field]
    print(found)
    assert difference.mean is not None
    assert difference.standard_error is not None
    assert difference.mean > 5 * difference.standard_error, str(found)
