"""How long the kernels take at first use: ``python tests/bench/speed.py --compile``.

One process compiles them into an empty folder, and a second one reads them from there; each tells the seconds of every first call.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

Seconds = dict[str, dict[str, float]]


def calls() -> Iterator[tuple[str, str, Any]]:
    """The first calls of a process: a game or a part, what is called, and how."""
    import numpy as np

    from cardlab import GAMES, Session, fast
    from cardlab.fast import fight_for_the_lead, fight_starts, fills, hands, marshal_table, poker_marshal, suicide_king

    yield "hands", "values", lambda: hands.values(np.arange(7, dtype=np.uint8)[None])
    for name in GAMES:
        played = GAMES[name]()
        for policy in ("still", "random", "sensible"):
            if fast.twin(name).covers(played, policy):
                yield name, f"play {policy}", lambda name=name, played=played, policy=policy: fast.twin(name).play(played, 7, 0, 10, policy)
    kings, fights, marshals = (Session(GAMES[name](), seed=7) for name in GAMES)
    yield "suicide_king", "rollouts", lambda: suicide_king.rollouts(kings.view(), 7, 0, 10, "random")
    fight = fight_starts.starts(fights.game, [(fights.state, {})])
    yield "fight_for_the_lead", "rollouts", lambda: fight_for_the_lead.rollouts(fights.game, fight, 7, 0, "random")
    marshal = marshal_table.starts([marshal_table.Moment(marshals.state, {})])
    yield "poker_marshal", "rollouts", lambda: poker_marshal.rollouts(marshals.game, marshal, 7, 0, "random")
    fill = fills.tables([range(4)], [[(0, 2)]], [[(2**64, [2], 1)]])
    yield "fills", "draws", lambda: fills.draws(7, 0, 10)
    numbers, rows = fills.draws(7, 0, 10), np.arange(10)
    yield "fills", "drawn", lambda: list(fills.drawn([2**63, 2**64], numbers))
    yield "fills", "deal", lambda: fills.deal(fill, rows, numbers, fills.nothing(10, 1))


def first_calls() -> Seconds:
    """The seconds of each first call in this process."""
    found: Seconds = {}
    for part, what, call in calls():
        began = perf_counter()
        call()
        found.setdefault(part, {})[what] = round(perf_counter() - began, 2)
    return found


def measured() -> dict[str, Seconds]:
    """The seconds of a process that compiles and of one that finds all kernels on the disk."""
    with TemporaryDirectory() as folder:
        surroundings = os.environ | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, __file__]
        tries = [subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    return {"compiled": json.loads(tries[0]), "from_disk": json.loads(tries[1])}


def report(as_json: bool) -> None:
    """Prints what was measured, as JSON or as a table."""
    found = measured()
    if as_json:
        print(json.dumps(found))
        return
    print(f"{'first use':40} {'compiled':>10} {'from disk':>10}   seconds")
    for part, seconds in found["compiled"].items():
        for what, compiled in seconds.items():
            print(f"{part + ', ' + what:40} {compiled:10.2f} {found['from_disk'][part][what]:10.2f}")
        print(f"{part + ', all':40} {sum(seconds.values()):10.2f} {sum(found['from_disk'][part].values()):10.2f}")


if __name__ == "__main__":
    print(json.dumps(first_calls()))
