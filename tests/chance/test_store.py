"""Tables on disk: kept whole or not at all, told from damaged ones, and no fault where nothing can be kept."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import thread_time

import pytest

from cardlab import Session, game
from cardlab.cards import PACK_52
from cardlab.chance import ask, king_deals, store
from cardlab.chance.king_lanes import Deck

FIRST_OF_TWO = 0.489795241402
ASKS = """
import sys
from time import perf_counter
from cardlab import Session, game
from cardlab.chance import ask

began = perf_counter()
for players in (2, 3, 4, 5):
    answer = ask(Session(game("suicide_king", players, first_dealer=players - 1, extra_cards=sys.argv[1]), seed=1), "last_player")
print(perf_counter() - began)
print(float(answer[0]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for tables that is still empty, and nothing kept in this process either."""
    monkeypatch.setenv("CARDLAB_CACHE", str(tmp_path / "kept"))
    forget()
    return tmp_path / "kept"


def forget() -> None:
    """As in a new process."""
    king_deals.table.cache_clear()
    king_deals.tables.cache_clear()


def first_of_two() -> float:
    """The answer, the table read or counted anew."""
    forget()
    table = king_deals.table(Deck.of(PACK_52), False, 1)
    endings = table.lanes.endings(table.full, 2, True)
    return sum(ending.ways for ending in endings if ending.king == 1) / sum(ending.ways for ending in endings)


def test_what_was_kept_comes_back(folder: Path) -> None:
    assert store.load("table", 1) is None
    store.save("table", 1, b"some bytes" * 1000)
    assert store.load("table", 1) == b"some bytes" * 1000
    assert [store.load("table", 2), store.load("other", 1)] == [None, None]
    store.save("table", 1, b"others")
    assert store.load("table", 1) == b"others"
    assert len(list(folder.iterdir())) == 1  # nothing half written is left behind


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda file: b"",
    "cut": lambda file: file[:-7],
    "only a head": lambda file: file[:32],
    "a byte changed": lambda file: file[:4000] + bytes([file[4000] ^ 1]) + file[4001:],
    "another head": lambda file: bytes(32) + file[32:],
    "longer": lambda file: file + b"x",
    "text": lambda file: b"not a table at all, and longer than the check sum",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_counted_anew_and_mended(folder: Path, damage: str) -> None:
    assert first_of_two() == pytest.approx(FIRST_OF_TWO, abs=1e-12)
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(DAMAGES[damage](whole))
    assert first_of_two() == pytest.approx(FIRST_OF_TWO, abs=1e-12)
    assert kept.read_bytes() == whole


def test_a_whole_file_with_another_table_is_not_believed(folder: Path) -> None:
    first_of_two()
    (kept,) = folder.iterdir()
    store.save(kept.name.removesuffix(f".v{king_deals.VERSION}"), king_deals.VERSION, b"too short")
    assert first_of_two() == pytest.approx(FIRST_OF_TWO, abs=1e-12)


def test_the_file_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_of_two()
    monkeypatch.setattr(king_deals, "starts", lambda deck: pytest.fail("counted again"))
    assert first_of_two() == pytest.approx(FIRST_OF_TWO, abs=1e-12)
    forget()


def test_tiny_packs_are_not_kept(folder: Path) -> None:
    king_deals.table(Deck((1, 1, 1, 1, 5), True), False, 1)
    assert not folder.exists()


def test_a_folder_that_cannot_be_is_no_fault(folder: Path) -> None:
    folder.write_text("a file stands in its place")
    assert first_of_two() == pytest.approx(FIRST_OF_TWO, abs=1e-12)
    assert folder.read_text() == "a file stands in its place"


def test_in_a_browser_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDLAB_CACHE")
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert store.folder() is None
    store.save("table", 1, b"bytes")
    assert store.load("table", 1) is None


@pytest.mark.parametrize(
    ("platform", "environment", "part"),
    [("linux", {"XDG_CACHE_HOME": "/x"}, "/x/cardlab"), ("linux", {}, ".cache/cardlab"), ("darwin", {}, "Library/Caches/cardlab")],
)
def test_the_usual_folders(platform: str, environment: dict[str, str], part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CARDLAB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert str(store.folder()).endswith(part)


def asked_anew(folder: Path, rule: str) -> tuple[float, float]:
    """The time that the answers for all numbers of players take in a process of its own, and the last of them."""
    environment = {**os.environ, "CARDLAB_CACHE": str(folder)}
    done = subprocess.run([sys.executable, "-c", ASKS, rule], capture_output=True, text=True, env=environment, timeout=120, check=True)
    seconds, answer = done.stdout.split()
    return float(seconds), float(answer)


@pytest.mark.parametrize("rule", ["reset", "batch"])
def test_the_table_is_soon_ready_and_then_sooner(folder: Path, rule: str) -> None:
    seconds, answer = asked_anew(folder, rule)
    assert seconds < 10
    again, same = asked_anew(folder, rule)
    assert same == answer
    assert again < 2
    assert sum(file.stat().st_size for file in folder.iterdir()) < 10_000_000


def test_two_processes_may_write_at_once(folder: Path) -> None:
    environment = {**os.environ, "CARDLAB_CACHE": str(folder)}
    running = [subprocess.Popen([sys.executable, "-c", ASKS, "reset"], env=environment, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    (kept,) = folder.iterdir()
    assert store.load(kept.name.removesuffix(f".v{king_deals.VERSION}"), king_deals.VERSION) is not None


@pytest.mark.parametrize("rule", ["reset", "batch"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_question_takes_a_millisecond_at_most(players: int, rule: str) -> None:
    """Of the processor's time, at every moment of whole games once the tables are read, and nearly always: the machine is shared."""
    king_deals.tables(Deck.of(PACK_52), rule == "batch")
    times = []
    for seed in range(4):
        session = Session(game("suicide_king", players, extra_cards=rule), seed=seed)
        session.auto("random", until="game")
        for step in range(len(session)):
            view = session.goto(step).view()
            began = thread_time()
            ask(view, "last_player")
            times.append(thread_time() - began)
    assert statistics.median(times) < 0.0005
    assert sorted(times)[len(times) * 98 // 100] < 0.001
