"""Every rule of the rule book has a scenario test named after it, every house rule value is tried, and every event names a rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenario import LANGUAGES

from cardlab import GAMES, OVER, Session, game
from cardlab.core.rules import Allowed
from cardlab.words import has

HERE = Path(__file__).parent
RULES = {"suicide_king": ("SK", 12), "fight_for_the_lead": ("FL", 19), "poker_marshal": ("PM", 14)}
FILES = {"suicide_king": "test_suicide_king*.py", "fight_for_the_lead": "test_fight*.py", "poker_marshal": "test_poker_marshal*.py"}
IDS = [f"{letters}-{k}" for letters, rules in RULES.values() for k in range(1, rules + 1)]


def scenario_tests(source: str) -> list[ast.FunctionDef]:
    """The tests at the top of a file that do anything."""
    defined = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [test for test in defined if any(isinstance(node, ast.Assert | ast.With | ast.Call) for node in ast.walk(test))]


def ids_of(source: str) -> set[str]:
    """The rule ids after which the tests of a file are named: test_SK_8_another_honour stands for SK-8."""
    names = [re.match(r"test_(SK|FL|PM)_(\d+)(_|$)", test.name) for test in scenario_tests(source)]
    return {f"{match[1]}-{match[2]}" for match in names if match}


def sources(pattern: str = "test_*.py") -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(HERE.glob(pattern))]


TESTED = set().union(*map(ids_of, sources()))


@pytest.mark.parametrize("rule", IDS)
def test_a_rule_has_a_scenario_test(rule: str) -> None:
    assert rule in TESTED, f"no test under {HERE.name} is named test_{rule.replace('-', '_')}_…"


def test_no_test_is_named_after_a_rule_that_does_not_exist() -> None:
    assert {*IDS, "SK-0", "FL-0", "PM-0"} >= TESTED


def test_a_missing_rule_would_be_found() -> None:
    source = """
# def test_SK_1_in_a_comment(): assert x
TEXT = "def test_SK_2_in_a_text(): assert x"
def helper_test_SK_3(): assert x
def test_SK_4_with_nothing_in_it(): ...
def test_SK_55(): assert x
def test_SK_6_that_counts(): assert x
def test_SKY_7_is_something_else(): assert x
"""
    assert ids_of(source) == {"SK-55", "SK-6"}


@pytest.mark.parametrize("name", RULES)
def test_the_games_have_these_rules_and_the_rule_book_tells_each(name: str) -> None:
    letters, rules = RULES[name]
    assert set(RULES) == set(GAMES)
    assert game(name).rule_ids() == tuple(f"{letters}-{k}" for k in range(rules + 1))
    for language in LANGUAGES:
        assert all(has(f"rule.{letters}-{k}", language) for k in range(1, rules + 1))


def tried(source: str) -> Iterator[tuple[set[str], set[object]]]:
    """For each test, table or helper of a file: its names of arguments and keys, and its plain values."""
    for node in ast.parse(source).body:
        names = {part.arg for part in ast.walk(node) if isinstance(part, ast.keyword) and part.arg}
        values = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str | int)}
        yield names | {value for value in values if isinstance(value, str)}, values


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in RULES for key in GAMES[name].rules_type.options()])
def test_every_value_of_a_house_rule_is_tried(name: str, key: str) -> None:
    beside: set[object] = set()
    for source in sources(FILES[name]):
        for names, values in tried(source):
            if key in names:
                beside |= values
    allowed: Allowed = GAMES[name].rules_type.options()[key]
    assert set(allowed.words[1:]) <= beside  # the first is the default: every test without the key tries it
    if allowed.least is not None or allowed.seat:
        assert any(type(value) is int for value in beside)


def singles(name: str) -> list[dict[str, Any]]:
    """Each other value of each house rule alone, short games; each preset."""
    values: list[dict[str, Any]] = [{"preset": preset} for preset in GAMES[name].rules_type.presets]
    short = {} if name == "suicide_king" else {"deals": 3}
    for key, allowed in GAMES[name].rules_type.options().items():
        numbers = [0] if allowed.seat else [] if allowed.least is None else [allowed.least, allowed.least + 2 * allowed.multiple_of]
        values += [{key: value} for value in (*allowed.words[1:], *numbers)]
    return [{**short, **value} for value in values]


@pytest.mark.parametrize("name", RULES)
def test_every_event_names_a_rule_of_its_game_or_a_house_rule(name: str) -> None:
    """And the log has a sentence for it, in both languages, for every viewer; under every house rule alone."""
    for index, house in enumerate(singles(name)):
        players = 5 if name == "poker_marshal" else 2 + index % 4
        for seed in range(3):
            session = Session(game(name, players, **house), seed=seed, index=index)
            session.auto("random", until="game")
            assert session.actor is OVER
            known = {*session.game.rule_ids(), *session.game.rules.options()}
            carried = {event.rule for step in session.steps for event in step.events}
            assert carried <= known, f"{carried - known} under {house}"
            if seed == 0:
                for viewer in (None, index % players, "teacher"):
                    for language in LANGUAGES:
                        rows = session.log(viewer, language)
                        assert all(row.rule in known and row.text and "{" not in row.text for row in rows)
