"""House rules: every value that is named is taken, every other is refused with its key and what would be right."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from cardlab import GAMES, BadGame, game
from cardlab.core.errors import quoted
from cardlab.core.rules import TOO_LARGE, Allowed, HouseRules, one_of, whole
from cardlab.words import LANGUAGES, Words

ZERO = {"suicide_king": "SK-0", "fight_for_the_lead": "FL-0", "poker_marshal": "PM-0"}
DEFAULTS: dict[str, dict[str, Any]] = {
    "suicide_king": {
        "first_dealer": "lot", "last_player": "loses", "king_of_hearts": "deal_goes_on", "extra_cards": "reset", "next_dealer": "rotates",
    },
    "fight_for_the_lead": {
        "first_dealer": "lot", "stake": 4, "exchange": "batch", "who_antes": "all", "penalty_cap": "none", "refusal": "final",
        "bankroll": "none", "deals": 10,
    },
    "poker_marshal": {
        "swap": "lay_first", "offers": "ask", "short_hands": "incomplete", "title_tie": "draw", "deals": 10, "ends": "deals",
    },
}  # fmt: skip
OTHER: dict[str, dict[str, list[Any]]] = {
    "suicide_king": {
        "first_dealer": [0, 1, 4],
        "last_player": ["wins"],
        "king_of_hearts": ["ends_deal"],
        "extra_cards": ["batch"],
        "next_dealer": ["last_leaver"],
    },
    "fight_for_the_lead": {
        "first_dealer": [0, 1, 4],
        "stake": [8, 12, 400, 4 * 10**40],
        "exchange": ["one_by_one"],
        "who_antes": ["losers_only"],
        "penalty_cap": [1, 2, 100],
        "refusal": ["losers_bound", "pagat_dropout"],
        "bankroll": [4, 8, 4 * 10**40],
        "deals": [1, 2, 1000],
    },
    "poker_marshal": {
        "swap": ["take_then_give"],
        "offers": ["ask_or_offer"],
        "short_hands": ["casino"],
        "title_tie": ["incumbent"],
        "deals": [1, 2, 1000],
        "ends": ["streak"],
    },
}
WRONG: list[Any] = [
    None,
    True,
    False,
    1.0,
    4.0,
    "4.0",
    "",
    "lots",
    "LOT",
    " lot",
    -1,
    "-1",
    1j,
    [],
    {},
    (),
    b"lot",
    object,
    10**5000,
    "9" * 5000,
]


def refused(rule: str, *named: str, **options: Any) -> BadGame:
    """Demands a refusal under a rule in one sentence of each language, which names some words."""
    with pytest.raises(BadGame) as caught:
        game(**options)
    assert caught.value.rule == rule
    for language in LANGUAGES:
        said = caught.value.say(Words(language))
        assert said.startswith(f"{rule}: ")
        assert said.endswith(".")
        assert said.count(". ") == 0
        assert len(said) < 400
        for word in named:
            assert word in said
    return caught.value


@pytest.mark.parametrize("name", GAMES)
def test_the_house_rules_and_their_defaults(name: str) -> None:
    rules = game(name).rules
    assert {part.name: getattr(rules, part.name) for part in fields(rules)} == DEFAULTS[name]
    assert set(rules.options()) == set(DEFAULTS[name]) == set(OTHER[name])
    assert rules.changed() == {}


@pytest.mark.parametrize("name", GAMES)
def test_each_value_is_taken_and_makes_another_game(name: str) -> None:
    players = GAMES[name].player_counts[-1]
    usual = game(name, players=players)
    for key, values in OTHER[name].items():
        assert game(name, players=players, **{key: DEFAULTS[name][key]}) == usual
        for value in values:
            made = game(name, players=players, **{key: value})
            assert getattr(made.rules, key) == value
            assert type(getattr(made.rules, key)) is type(value)
            assert made.rules.changed() == {key: value}
            assert made != usual
            assert repr(made) == f"game({name!r}, players={players}, {key}={value!r})"
            assert game(name, players=players, **{key: str(value)}) == made  # as on the command line


@pytest.mark.parametrize("name", GAMES)
def test_every_other_value_is_refused_with_the_rule_and_what_would_be_right(name: str) -> None:
    for key, allowed in GAMES[name].rules_type.options().items():
        for value in WRONG:
            if value not in allowed.words:
                refused(key, *allowed.words, name=name, **{key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [("stake", 0), ("stake", -4), ("stake", 2), ("stake", 6), ("stake", "6"), ("stake", "none"), ("bankroll", 0), ("bankroll", 2),
     ("bankroll", 6), ("bankroll", -8), ("penalty_cap", 0), ("penalty_cap", "all"), ("deals", 0), ("deals", "none"), ("deals", -3)],
)  # fmt: skip
def test_numbers_that_do_not_fit(key: str, value: Any) -> None:
    fault = refused(key, name="fight_for_the_lead", **{key: value})
    assert repr(value).strip("'") in str(fault)
    refused("deals", "1", name="poker_marshal", deals=0)


def test_a_seat_is_one_of_the_players() -> None:
    for name in ("suicide_king", "fight_for_the_lead"):
        for players in range(2, 6):
            for seat in range(players):
                assert game(name, players=players, first_dealer=seat).rules.first_dealer == seat
            refused("first_dealer", f"{players - 1}", name=name, players=players, first_dealer=players)
            refused("first_dealer", name=name, players=players, first_dealer=-1)


def test_a_bankroll_holds_at_least_one_stake() -> None:
    assert game("fight_for_the_lead", stake=8, bankroll=8).rules.bankroll == 8
    refused("bankroll", "8", name="fight_for_the_lead", stake=8, bankroll=4)


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_house_rule_names_those_there_are(name: str) -> None:
    refused(ZERO[name], "kitty", *DEFAULTS[name], name=name, kitty=1)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("preset", ["", "nothing", "Default", None, 0, [], {}, "x" * 5000])
def test_an_unknown_preset_names_those_there_are(name: str, preset: Any) -> None:
    refused(ZERO[name], *GAMES[name].rules_type.presets, name=name, preset=preset)


def test_a_preset_sets_values_that_may_be_set_anew() -> None:
    pagat = game("suicide_king", preset="pagat")
    assert pagat.rules.changed() == {"last_player": "wins", "king_of_hearts": "ends_deal"}
    assert pagat == game("suicide_king", last_player="wins", king_of_hearts="ends_deal", extra_cards="reset")
    assert game("suicide_king", preset="pagat", last_player="loses").rules.changed() == {"king_of_hearts": "ends_deal"}
    assert game("suicide_king", preset="default") == game("suicide_king")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [0, 1, 6, -2, 4.0, True, "4", [], pytest.param(10**5000, id="5001 digits")])
def test_a_wrong_number_of_players(name: str, players: Any) -> None:
    refused(ZERO[name], name=name, players=players)


def test_how_many_may_play() -> None:
    assert [game("suicide_king", players=n).players for n in range(2, 6)] == [2, 3, 4, 5]
    assert [game("fight_for_the_lead", players=n).players for n in range(2, 6)] == [2, 3, 4, 5]
    assert game("poker_marshal", players=5).players == 5
    refused("PM-0", "5", name="poker_marshal", players=4)


# the parts


def test_what_is_allowed() -> None:
    number = Allowed(("none",), least=4, multiple_of=4)
    assert [value for value in ["none", 0, 3, 4, 6, 8, True, 8.0, "8", None, -4] if number.accepts(value, 2)] == ["none", 4, 8]
    assert [value for value in (TOO_LARGE, TOO_LARGE - 4, 10**5000) if number.accepts(value, 2)] == [TOO_LARGE - 4]
    seat = Allowed(("lot",), seat=True)
    assert [value for value in ["lot", -1, 0, 1, 2, True, 0.0, "0"] if seat.accepts(value, 2)] == ["lot", 0, 1]
    words = Allowed(("yes", "no"))
    assert [value for value in ["yes", "no", "maybe", "", 0, 1, None, ["yes"]] if words.accepts(value, 2)] == ["yes", "no"]


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        (Allowed(("yes", "no")), "one of yes, no"),
        (Allowed((), least=1), "a whole number, 1 or more"),
        (Allowed((), least=4, multiple_of=4), "a multiple of 4, 4 or more"),
        (Allowed(("none",), least=1), "none, or a whole number, 1 or more"),
        (Allowed(("lot",), seat=True), "lot, or a seat from 0 to 2"),
    ],
)
def test_what_is_allowed_in_words(allowed: Allowed, said: str) -> None:
    assert allowed.phrase(3).display(Words("en")) == said
    assert allowed.phrase(3).display(Words("ru")) not in ("", said)


def test_rules_are_frozen_and_hashable() -> None:
    rules = game("fight_for_the_lead", stake=8).rules
    with pytest.raises(FrozenInstanceError):
        rules.stake = 12
    assert hash(rules) == hash(game("fight_for_the_lead", stake=8).rules)


def test_rules_of_a_game_of_ones_own() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Own(HouseRules):
        trumps: str = one_of("none", "hearts")
        rounds: int = whole(3, least=1)

    assert Own.make("OWN-0", 2) == Own()
    assert Own.make("OWN-0", 2, trumps="hearts", rounds="12") == Own("hearts", 12)
    with pytest.raises(BadGame) as fault:
        Own.make("OWN-0", 2, rounds=0)
    assert fault.value.rule == "rounds"


def test_a_wrong_value_is_quoted_in_any_case() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert (quoted("4"), quoted(4.0), quoted(None)) == ("'4'", "4.0", "None")
    assert quoted("x" * 900) == "'" + "x" * 59
    assert (quoted(10**5000), quoted(deep)) == ("int", "list")
    while deep:  # taken apart by hand: Python would do it recursively
        deep = deep[0]


@pytest.mark.parametrize("name", list(GAMES))
def test_another_pack_is_no_house_rule(name: str) -> None:
    with pytest.raises(BadGame, match="size") as refusal:
        game(name, size="small")
    assert refusal.value.rule == f"{GAMES[name].letters}-0"
