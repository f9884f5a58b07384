"""A room of people: nobody waits long, nobody is cut off, and nothing stays of them; the program is ``tests/bench/room.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
import room


def test_a_small_room_steps_on_and_leaves_nothing() -> None:
    told = room.measured(visitors=4, seconds=4, waves=1, arrive=1, lasting=2)
    (wave,) = told["waves"]
    assert wave["disconnected"] == []
    assert wave["steps"] >= 4 * 2
    assert wave["left"] == {"sessions": 0, "documents": 0}


@pytest.mark.slow
def test_thirty_are_served_and_the_next_thirty_take_no_more() -> None:
    told = room.measured(visitors=30, seconds=60, waves=2)
    first, second = told["waves"]
    for wave in (first, second):
        assert wave["disconnected"] == []
        assert wave["p95_ms"] <= 400
        assert wave["left"] == {"sessions": 0, "documents": 0}
    assert second["memory"] <= 1.1 * first["memory"]


@pytest.mark.slow
def test_an_hour_with_ten_grows_nothing() -> None:
    told = room.measured(visitors=10, seconds=3600, waves=1)
    (wave,) = told["waves"]
    assert wave["disconnected"] == []
    assert wave["left"] == {"sessions": 0, "documents": 0}
    minutes = told["minutes"]
    assert max(minutes[50:60]) <= 1.05 * max(minutes[10:20]), minutes


def test_what_one_does_holds_up_nobody() -> None:
    """While one visitor finishes a long game again and again, another's steps come as they did."""
    told = room.beside(seconds=6)
    assert told["steps"] >= 5
    assert told["heavy"] >= 2
    assert told["p95_ms"] <= 1_000, told
