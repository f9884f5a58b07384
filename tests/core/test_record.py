"""Records: whatever was played is written, read, replayed and gone on with."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, NoReturn

import pytest

from cardlab import CHANCE, GAMES, OVER, Action, BadGame, IllegalAction, Record, Scripted, Session, game
from cardlab.core.errors import NothingToDeal
from cardlab.core.game import AnyGame
from cardlab.core.rules import Allowed
from cardlab.testing import no_random_number
from cardlab.words import LANGUAGES, Words


def some_value(allowed: Allowed, players: int, rng: random.Random) -> str | int:
    numbers: list[str | int] = list(range(players)) if allowed.seat else []
    if allowed.least is not None:
        numbers += [allowed.least + k * allowed.multiple_of for k in (0, 1, 2, 10**30)]
    return rng.choice([*allowed.words, *numbers])


def some_game(name: str, rng: random.Random) -> AnyGame:
    """A game with random house rules, of one to three deals."""
    players = rng.choice(GAMES[name].player_counts)
    options = GAMES[name].rules_type.options()
    while True:
        house: dict[str, Any] = {key: some_value(allowed, players, rng) for key, allowed in options.items() if rng.random() < 0.7}
        if "deals" in options:
            house["deals"] = rng.randint(1, 3)
        try:
            return game(name, players=players, **house)
        except BadGame:  # a bankroll below the stake
            continue


def some_session(name: str, rng: random.Random) -> Session:
    """A game that was played for some time by a mixture of players."""
    session = Session(some_game(name, rng), seed=rng.getrandbits(64), index=rng.choice((0, 1, 2**64 - 1)))
    players = {seat: rng.choice(("still", "random")) for seat in session.game.seats}
    session.auto(players, until="game")
    return session.goto(rng.choice((0, 1, len(session) // 2, len(session))))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read_back(name: str) -> None:
    rng = random.Random(f"round trip {name}")
    for _ in range(40):
        record = some_session(name, rng).record
        text = record.dumps()
        again = Record.loads(text)
        assert again == record
        assert Record.loads(text.encode()) == record
        assert again.dumps() == text
        assert hash(again) == hash(record)


@pytest.mark.parametrize("name", GAMES)
def test_every_value_of_every_house_rule_is_read_back(name: str) -> None:
    for key, allowed in GAMES[name].rules_type.options().items():
        values: list[str | int] = [*allowed.words, *([0, 1] if allowed.seat else [])]
        if allowed.least is not None:
            values += [allowed.least, allowed.least + 10**99 // allowed.multiple_of * allowed.multiple_of]
        for value in values:
            record = Session(game(name, **{key: value}), seed=1).record
            again = Record.loads(record.dumps())
            assert again == record
            assert getattr(again.game.rules, key) == value


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_calls_no_random_number(name: str) -> None:
    rng = random.Random(f"replay {name}")
    for _ in range(5):
        session = some_session(name, rng)
        text = session.record.dumps()
        with no_random_number():
            again = Record.loads(text).session()
            assert (again.at, len(again)) == (session.at, session.at)
            assert again.state == session.state
            assert again.steps == session.steps
        assert again.record == session.record
        assert (again.seed, again.index) == (session.seed, session.index)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_goes_on_with_the_same_cards_and_the_same_players(name: str) -> None:
    for seed in range(4):
        session = Session(game(name), seed=seed, index=9)
        session.auto("random", until="deal")
        half = session.at // 2
        again = Record.loads(session.branch().goto(half).record.dumps()).session()
        assert again.at == half
        again.auto("random", until="deal")
        assert again.record == session.record


def test_a_record_ends_where_the_session_stands() -> None:
    session = Session(game("suicide_king", players=2), seed=7)
    session.auto("random", until="game")
    assert len(session.record.actions) == 4
    assert session.goto(3).record == session.branch().record
    assert len(session.record.actions) == 3
    assert session.record.actions[0] == ("chance", session.steps[0].action)
    assert [by for by, _ in session.record.actions[:2]] == ["chance", "chance"]  # the lot and the shuffle


def test_a_scripted_game_has_no_seed_and_says_so_when_it_is_to_go_on() -> None:
    session = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted("QD 5C 6C 7C", fill=True))
    session.play()
    session.play("take 0")
    session.play()
    record = session.record
    assert record.seed is None
    assert '"seed": null' in record.dumps()
    again = Record.loads(record.dumps()).session()
    assert again.state == session.state
    again.play("take 1")
    assert again.actor is CHANCE
    with pytest.raises(NothingToDeal) as fault:
        again.play()
    assert fault.value.key == "error.no_seed"
    for language in LANGUAGES:
        said = fault.value.say(Words(language))
        assert said.endswith(".")
        assert said.count(". ") == 0
    assert again.actor is CHANCE  # nothing has changed
    assert again.play("card 5C").action == Action.parse("card 5C")


def test_chance_named_by_hand_is_recorded_and_the_seed_goes_on_with_what_is_left() -> None:
    """A card named at another place than its own cannot come again: the game goes on with another one."""
    for name in GAMES:
        session = Session(game(name), seed=3)
        session.auto("still", until="card")
        while session.actor is not OVER:
            here = session.branch().auto("random", until="card")[0].action if session.actor is CHANCE else None
            options = session.game.draw(session.state).options if session.actor is CHANCE else ()
            other = [option for option in options if option != here]
            if other and session.at % 5 == 0:
                session.play(other[0])
            else:
                session.auto("random", until="card")
        assert Record.loads(session.record.dumps()).session().state == session.state


def test_big_numbers_stay_exact() -> None:
    session = Session(game("fight_for_the_lead", players=3, stake=4 * 10**40, deals=3), seed=2)
    session.auto("still", until="game")
    again = Record.loads(session.record.dumps()).session()
    assert again.state.balances == session.state.balances
    assert max(again.state.balances) > 2**128


# files


def a_record() -> Record:
    session = Session(game("fight_for_the_lead", deals=1), seed=5)
    session.auto("random", until="game")
    return session.record


def test_a_saved_file_is_loaded(tmp_path: Path) -> None:
    record = a_record()
    for name in ("game.jsonl", "Бой за лидерство ♥.jsonl", "a" * 250):
        path = tmp_path / name
        record.save(path)
        assert Record.load(path) == record
        assert Record.load(str(path)) == record
        assert path.read_bytes() == record.dumps().encode()
    assert len(list(tmp_path.iterdir())) == 3


def test_a_saved_file_has_the_usual_permissions(tmp_path: Path) -> None:
    a_record().save(tmp_path / "saved")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "saved").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("broken", ["fsync", "replace"])
@pytest.mark.parametrize("fault", [OSError("no space left on device"), KeyboardInterrupt()])
def test_a_crash_while_saving_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, fault: BaseException
) -> None:
    def crash(*_: object) -> NoReturn:
        raise fault

    path = tmp_path / "game.jsonl"
    old = Session(game("suicide_king"), seed=1).record
    old.save(path)
    monkeypatch.setattr(os, broken, crash)
    with pytest.raises(type(fault)):
        a_record().save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]
    assert Record.load(path) == old


def test_the_old_file_stays_while_the_new_one_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    old, new = Session(game("suicide_king"), seed=1).record, a_record()
    old.save(path)
    fsync, seen = os.fsync, []

    def look(handle: int) -> None:
        seen.append(Record.load(path))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", look)
    new.save(path)
    assert seen == [old]  # all of the new one was written, and the old one stood there still
    assert Record.load(path) == new


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        a_record().save(tmp_path / "nowhere" / "game.jsonl")
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "nothing.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_refused_move_leaves_no_trace_in_the_record() -> None:
    session = Session(game("suicide_king", first_dealer=0), seed=1)
    session.play()
    before = session.record
    with pytest.raises(IllegalAction):
        session.play("take 9")
    assert session.record == before
