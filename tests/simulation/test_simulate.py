"""Many games played and counted: the same tables however the work is split, and each game can be opened again."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from probable import assert_frequencies

import cardlab
from cardlab import BadGame, BadRequest, simulate
from cardlab.chance import ask
from cardlab.cli import main
from cardlab.simulation import Plan, Simulation
from cardlab.simulation.checkpoint import Checkpoint, Progress
from cardlab.simulation.figures import KINDS

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("suicide_king", {"players": 4}),
    ("suicide_king", {"players": 3, "extra_cards": "batch", "last_player": "wins"}),
    ("fight_for_the_lead", {"players": 3, "deals": 2}),
    ("fight_for_the_lead", {"players": 5, "deals": 2, "refusal": "pagat_dropout", "exchange": "one_by_one"}),
    ("poker_marshal", {"deals": 2}),
    ("poker_marshal", {"deals": 2, "swap": "take_then_give", "title_tie": "incumbent", "short_hands": "casino"}),
]


def same(one: Simulation, other: Simulation) -> bool:
    return one.tally == other.tally and one.tables == other.tables and list(one.rows()) == list(other.rows())


@pytest.fixture
def engine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardlab.fast.available", lambda: False)


# the same however it is played


@pytest.mark.parametrize("policy", ["still", "random", "sensible"])
@pytest.mark.parametrize(("name", "house"), GAMES, ids=str)
def test_the_engine_and_the_twin_count_the_same(name: str, house: dict[str, Any], policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 12 if policy == "sensible" else 60
    with_twin = simulate(name, n, policy, seed=17, **house)
    monkeypatch.setattr("cardlab.fast.available", lambda: False)
    assert not Plan.of(name, policy, 17, **house).compiled
    assert same(with_twin, simulate(name, n, policy, seed=17, **house))


@pytest.mark.parametrize(("name", "house"), GAMES[::2], ids=str)
def test_neither_threads_nor_batches_change_a_number(name: str, house: dict[str, Any]) -> None:
    pytest.importorskip("numba")
    n = 10_000 if Plan.of(name, "random", 17, **house).compiled else 200
    whole = simulate(name, n, "random", seed=17, threads=1, batch=1_000, **house)
    for threads, batch in ((2, 1_000), (2, 777), (4, 777)):
        assert same(whole, simulate(name, n, "random", seed=17, threads=threads, batch=batch, **house))


def test_no_deal_occurs_twice_and_one_opened_alone_is_the_same() -> None:
    decks = Counter(cardlab.core.streams.shuffled(cardlab.core.streams.deal_key(17, index, 0), 0, 52) for index in range(10_000))
    assert max(decks.values()) == 1
    found = simulate("suicide_king", 10_000, "random", players=4, seed=17)
    alone = found.open(4_321)
    again = cardlab.open("suicide_king", 17, 4_321, "random", players=4)
    assert again.at == 0
    assert [step.action for step in again.goto(len(again)).steps] == [step.action for step in alone.goto(len(alone)).steps]


def test_remarkable_games_are_what_they_are_said_to_be() -> None:
    found = simulate("suicide_king", 3_000, "still", players=4, seed=17)
    length, index = found.remarkable["longest_turn"][0]
    opened = found.open(index)
    assert KINDS["suicide_king"].read(opened.goto(len(opened))).remarkable["longest_turn"] == length
    only = Plan.of("suicide_king", "still", 17, players=4)
    tally, _ = only.tally((index, index + 1))
    assert tally.remarkable["longest_turn"] == [(length, index)]
    bins = found.tally.values["longest_turn"][0].bins
    assert max(bins) == length


def test_different_players_by_seat() -> None:
    named = ["random", "still", "sensible"]
    found = simulate("fight_for_the_lead", 50, named, players=3, seed=3, deals=1)
    assert same(found, simulate("fight_for_the_lead", 50, dict(enumerate(named)), players=3, seed=3, deals=1))
    assert not same(found, simulate("fight_for_the_lead", 50, "random", players=3, seed=3, deals=1))


# the figures


def test_the_last_player_comes_as_often_as_the_exact_odds_say() -> None:
    n = 100_000
    counts = simulate("suicide_king", n, "random", players=3, seed=2026).tables["last"]
    begun = cardlab.Session(cardlab.game("suicide_king", players=3, first_dealer=2), seed=0)
    exact = ask(begun, "last_player").numbers
    assert_frequencies(dict(enumerate(counts)), {int(seat): number.value for seat, number in exact.items()}, comparisons=1)


def test_the_tables_add_up() -> None:
    deals = 2_000
    fights = simulate("fight_for_the_lead", deals, "random", players=4, deals=1, seed=5)
    tricks = fights.tables["tricks"]
    assert [sum(row) for row in tricks] == [deals] * 4
    assert sum(k * count for row in tricks for k, count in enumerate(row)) == 4 * deals
    assert fights.means["losers"] == sum(row[0] for row in tricks) / deals
    assert 1 < (fights.means["turned"] or 0) < 3
    assert sum(sums.total for sums in fights.tally.values["balances"]) == 0
    marshals = simulate("poker_marshal", 300, "still", deals=3, seed=5)
    transitions = marshals.tables["transitions"]
    assert [sum(row) for row in transitions] == [900] * 5 == [sum(column) for column in zip(*transitions, strict=True)]
    assert sum(marshals.tables["wins"]) == 900
    assert transitions[0][0] > transitions[0][4]


def test_shares_and_values_are_estimates() -> None:
    found = simulate("suicide_king", 2_000, "still", players=2, seed=7)
    share = found.share("last", 0)
    assert share.n == 2_000
    assert share.mean == found.tables["last"][0] / 2_000
    assert found.share("places", 1, 0).mean == found.tables["places"][1][0] / 2_000
    value = found.value("longest_turn")
    assert value.low is not None
    assert value.high is not None
    assert value.low < (value.mean or 0) < value.high
    for wrong in (lambda: found.share("first", 0), lambda: found.value("first")):
        with pytest.raises(BadRequest, match="first"):
            wrong()


def test_a_bank_beyond_64_bits_is_counted_exactly() -> None:
    """Where the bank grows too large for the twin the engine plays, and the sums are whole numbers of any length."""
    found = simulate("fight_for_the_lead", 20, "still", players=5, stake=2**44, deals=20, seed=11)
    (bank,) = found.tally.values["bank"]
    played = [found.open(index) for index in range(20)]
    banks = []
    for session in played:
        session.goto(len(session))
        banks.append(session.state.last_bank)
    assert bank.total == sum(banks)
    assert bank.squares == sum(value * value for value in banks)
    assert max(banks) > 2**60
    assert found.remarkable["biggest_bank"][0][0] == max(banks)
    least, greatest = bank.quantile(0.5) or (0, 0)
    assert least <= sorted(banks)[9] <= greatest


# results as files


def test_csv_and_frame_and_parquet(tmp_path: Path) -> None:
    found = simulate("fight_for_the_lead", 200, "random", players=3, deals=1, seed=1)
    found.save(tmp_path / "fights.csv")
    raw = (tmp_path / "fights.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(StringIO(raw.decode("utf-8-sig"))))
    tricks = [row for row in rows if row["figure"] == "tricks"]
    assert [int(row["count"]) for row in tricks] == [count for row in found.tables["tricks"] for count in row]
    assert len(rows) == len(list(found.rows()))
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    found.save(tmp_path / "fights.parquet")
    back = pandas.read_parquet(tmp_path / "fights.parquet")
    assert list(back["figure"]) == [row["figure"] for row in rows]
    assert back["estimate"].sum() == pytest.approx(found.frame()["estimate"].sum())
    with pytest.raises(BadRequest, match=r"\.parquet"):
        found.save(tmp_path / "fights.xlsx")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("name", "house"), GAMES[::2], ids=str)
def test_results_read_in_both_languages(name: str, house: dict[str, Any], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = simulate(name, 5, "random", seed=1, **house)
    said = found.display(cardlab.words.Words(language))
    assert said.count("\n") >= 4
    monkeypatch.setenv("CARDLAB_LANGUAGE", language)
    assert str(found) == said
    assert "<table>" in found._repr_html_()


# interrupted, cancelled, killed


def test_a_cancelled_run_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "kings"
    calls = iter(range(100))
    found = simulate("suicide_king", 5_000, "still", seed=7, threads=1, batch=1_000, checkpoint=file, cancelled=lambda: next(calls) >= 2)
    assert 0 < found.games < 5_000
    assert found.stopped is not None
    assert "5\N{NO-BREAK SPACE}000" in str(found)
    assert same(
        simulate("suicide_king", 5_000, "still", seed=7, batch=700, checkpoint=file), simulate("suicide_king", 5_000, "still", seed=7)
    )


def test_the_engine_looks_up_between_games(engine_only: None) -> None:
    calls = iter(range(1000))
    found = simulate("suicide_king", 5_000, "still", seed=7, cancelled=lambda: next(calls) >= 3)
    assert 0 < found.games <= 100


def test_an_interrupted_run_returns_what_there_is(tmp_path: Path) -> None:
    def told(done: int, games: int) -> None:
        if done >= 2_000:
            raise KeyboardInterrupt

    found = simulate("suicide_king", 10_000, "still", seed=7, threads=2, batch=500, checkpoint=tmp_path / "c", progress=told)
    assert found.stopped is not None
    assert 2_000 <= found.games < 10_000
    resumed = simulate("suicide_king", 10_000, "still", seed=7, checkpoint=tmp_path / "c")
    assert resumed.stopped is None
    assert same(resumed, simulate("suicide_king", 10_000, "still", seed=7))
    assert resumed.seconds > found.seconds


KILLED = """
import sys, cardlab.simulation.checkpoint as c
c.EVERY = 0.0
from cardlab import simulate
simulate("suicide_king", 4_000, "random", seed=9, threads=1, batch=10, checkpoint=sys.argv[1], progress=lambda d, n: print(d, flush=True))
"""


def test_a_checkpoint_survives_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "kings"
    with subprocess.Popen([sys.executable, "-c", KILLED, os.fspath(file)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while int(process.stdout.readline() or 10**9) < 500:
            pass
        process.send_signal(signal.SIGKILL)
    had = Checkpoint(file, Plan.of("suicide_king", "random", 9)).load(4_000)
    assert 400 <= had.tally.games < 4_000
    assert same(simulate("suicide_king", 4_000, "random", seed=9, checkpoint=file), simulate("suicide_king", 4_000, "random", seed=9))


def test_a_full_disk_costs_the_checkpoint_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kings"
    simulate("suicide_king", 1_000, "still", seed=7, checkpoint=file)
    old = file.read_bytes()
    monkeypatch.setattr("cardlab.simulation.checkpoint.EVERY", 0.0)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        found = simulate("suicide_king", 5_000, "still", seed=7, batch=1_000, checkpoint=file)
    assert same(found, simulate("suicide_king", 5_000, "still", seed=7))
    assert file.read_bytes() == old
    assert list(tmp_path.iterdir()) == [file]


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kings"
    simulate("suicide_king", 100, "still", seed=7, checkpoint=file)
    kept = file.read_bytes()
    for other in ({"seed": 8}, {"seed": 7, "players": 3}, {"seed": 7, "extra_cards": "batch"}):
        with pytest.raises(BadRequest, match="another game"):
            simulate("suicide_king", 100, "still", checkpoint=file, **other)
    with pytest.raises(BadRequest, match="another game"):
        simulate("suicide_king", 100, "random", seed=7, checkpoint=file)
    with pytest.raises(BadRequest, match="at least"):
        simulate("suicide_king", 50, "still", seed=7, checkpoint=file)
    assert file.read_bytes() == kept


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: "{}",
        lambda text: "[" * 100_000,
        lambda text: text.replace('"done": [[0, 100]]', '"done": [[0, 90]]'),
        lambda text: text.replace('"tally"', '"tale"'),
        lambda text: "\N{SNOWMAN}",
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: Any) -> None:
    file = tmp_path / "kings"
    simulate("suicide_king", 100, "still", seed=7, checkpoint=file)
    file.write_text(damage(file.read_text()), encoding="utf-8")
    with pytest.raises(BadRequest, match="no checkpoint"):
        simulate("suicide_king", 100, "still", seed=7, checkpoint=file)


def test_spans_join_and_what_is_missing_is_cut() -> None:
    had = Progress()
    for span in ((10, 20), (0, 5), (5, 10), (30, 40)):
        had.add(span, cardlab.simulation.plan.Tally(span[1] - span[0]))
    assert had.done == [(0, 20), (30, 40)]
    assert list(had.missing(45, 4)) == [(20, 24), (24, 28), (28, 30), (40, 44), (44, 45)]


# a cluster


@pytest.fixture(scope="module")
def distributed() -> Any:
    return pytest.importorskip("distributed")


def cluster(distributed: Any, workers: int) -> Any:
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50)


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_of_a_cluster_count_the_same(distributed: Any, workers: int) -> None:
    with cluster(distributed, workers) as workshop:
        for name, house in GAMES[::2]:
            alone = simulate(name, 6_000, "random", seed=17, **house)
            assert same(simulate(name, 6_000, "random", seed=17, batch=777, scheduler=workshop.scheduler_address, **house), alone)
            with distributed.Client(workshop, set_as_default=False) as client:
                assert same(simulate(name, 6_000, "random", seed=17, batch=2_000, scheduler=client, **house), alone)


def test_a_worker_that_is_killed_costs_nothing(distributed: Any) -> None:
    alone = simulate("suicide_king", 20_000, "random", players=4, seed=17)
    with cluster(distributed, 2) as workshop:
        killed: list[int] = []

        def told(done: int, games: int) -> None:
            if done >= games // 2 and not killed:
                killed.append(workshop.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        found = simulate(
            "suicide_king", 20_000, "random", players=4, seed=17, batch=200, scheduler=workshop.scheduler_address, progress=told
        )
    assert killed
    assert same(found, alone)


def test_a_cluster_that_is_lost_keeps_what_is_counted(distributed: Any, tmp_path: Path) -> None:
    workshop = cluster(distributed, 1)

    def told(done: int, games: int) -> None:
        if done >= 1_000 and workshop.status.name == "running":
            workshop.close()

    found = simulate(
        "suicide_king",
        2_000_000,
        "random",
        seed=17,
        batch=1_000,
        scheduler=workshop.scheduler_address,
        checkpoint=tmp_path / "c",
        progress=told,
    )
    assert found.stopped is not None
    assert 1_000 <= found.games < 2_000_000
    assert Checkpoint(tmp_path / "c", found.plan).load(2_000_000).tally == found.tally


def test_a_scheduler_that_does_not_answer(distributed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardlab.simulation.workers.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense", 5):
        with pytest.raises(BadRequest, match="No Dask scheduler answers"):
            simulate("suicide_king", 10, scheduler=address)
    with cluster(distributed, 0) as empty, pytest.raises(BadRequest, match="no workers"):
        simulate("suicide_king", 10, scheduler=empty.scheduler_address)


# what is refused


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"games": -1}, "games"),
        ({"games": "many"}, "games"),
        ({"games": True}, "games"),
        ({"threads": 0}, "threads"),
        ({"batch": 0}, "batch"),
        ({"seed": -1}, "seed"),
        ({"policy": "genius"}, "genius"),
        ({"policy": ["still"]}, "seats"),
        ({"policy": {0: "still"}}, "seats"),
        ({"what": "bridge"}, "bridge"),
        ({"extra_cards": "many"}, "many"),
        ({"players": 9}, "9"),
    ],
    ids=str,
)
def test_what_does_not_fit_gets_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((BadRequest, BadGame), match=said):
        simulate(**{"what": "suicide_king", "games": 10, **wrong})


def test_a_game_from_elsewhere_is_refused() -> None:
    other = cardlab.game("suicide_king")
    other.name = "patience"
    with pytest.raises(BadRequest, match="patience"):
        simulate(other, 10)


# the command line


def run_cli(*arguments: str) -> int:
    return main(["simulate", *arguments])


def test_the_command_prints_the_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "fights.csv"
    assert (
        run_cli("fight_for_the_lead", "--games", "50", "--players", "4", "--house", "deals=1", "--seed", "3", "--json", "--out", str(out))
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    alone = simulate("fight_for_the_lead", 50, "random", players=4, deals=1, seed=3)
    assert found["games"] == 50
    assert found["seconds"] > 0
    assert found["tricks"] == alone.tables["tricks"]
    assert (found["turned_mean"], found["losers_mean"]) == (alone.means["turned"], alone.means["losers"])
    assert out.exists()
    assert run_cli("suicide_king", "--games", "50", "--policy", "still,random", "--players", "2", "--json") == 0
    assert sum(json.loads(capsys.readouterr().out)["last"]) == 50
    assert run_cli("poker_marshal", "--games", "20", "--policy", "still", "--json") == 0
    assert sum(map(sum, json.loads(capsys.readouterr().out)["transitions"])) == 20 * 10 * 5
    assert run_cli("poker_marshal", "--games", "5", "--language", "ru") == 0
    assert "партий" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bridge"], "bridge"),
        (["suicide_king", "--games", "x"], "games"),
        (["suicide_king", "--policy", "genius"], "genius"),
        (["suicide_king", "--policy", "still,still"], "seats"),
        (["suicide_king", "--house", "extra_cards"], "extra_cards"),
        (["suicide_king", "--games", "5", "--out", "/nowhere/there.csv"], "there.csv"),
        (["suicide_king", "--games", "5", "--out", "there.xlsx"], "xlsx"),
    ],
)
def test_the_command_refuses_in_a_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(*arguments) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_an_interrupted_command_prints_what_there_is(tmp_path: Path) -> None:
    simulate("fight_for_the_lead", 10, "random")  # what has to be compiled is compiled
    command = [sys.executable, "-m", "cardlab.cli", "simulate", "fight_for_the_lead", "--games", "100000000", "--policy", "random"]
    with subprocess.Popen(
        [*command, "--checkpoint", str(tmp_path / "c"), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which tests in the background ignore
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not (tmp_path / "c").exists() and time.monotonic() < deadline:
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 1
    assert 0 < json.loads(out)["games"] < 100_000_000
    assert error.count("\n") == 1
    assert "checkpoint" in error


def test_rates_have_the_intervals_of_ratios() -> None:
    """2,000 ratios of small samples: the interval covers the true ratio in 93 to 97 %."""
    import random

    chance = random.Random(5)
    truth, covered = Fraction(3, 2), 0
    for _ in range(2_000):
        deals = [chance.choice((1, 2, 3)) for _ in range(150)]
        values = [sum(chance.choice((0, 1, 2, 3)) for _ in range(n)) for n in deals]
        low, high = cardlab.simulation.tally.Rate.of(deals, values).interval or (0, 0)
        covered += low <= truth <= high
    assert 0.93 <= covered / 2_000 <= 0.97
