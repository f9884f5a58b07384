"""How long an answer takes: the median over a whole game of each kind, for every question.

    python tests/bench/questions.py            # a table
    python tests/bench/questions.py --json     # one line of JSON: game -> question -> median in ms, largest in ms, answers, how many exact

At each moment the seat to act asks what fits, or a spectator while chance acts; of longer games evenly spread moments are taken, and for a
question that fits none of them the first that it fits. Estimates go on until every interval is narrow enough: ±1 % of 1, for shares and
exchanges of the bank, ±5 % where each of many choices has a number; or they take --n samples. Everything is asked twice, first to
compile what it needs; the first answer of a process, which may also read or count a table, is given as "first".
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from statistics import median
from time import perf_counter
from typing import Any

from cardlab import GAMES, Session, game
from cardlab.chance import QUESTIONS, ask, fitting
from cardlab.core.events import Seat

OF_THE_BANK = ("share", "exchange_value")
OF_MANY = ("swap_value", "offer_value", "redraw_value")
HOUSE: dict[str, dict[str, Any]] = {"suicide_king": {}, "fight_for_the_lead": {"deals": 2}, "poker_marshal": {"deals": 2}}


def width(question: str, view: Any) -> float:
    """Half the width of the intervals that are waited for."""
    if question in OF_THE_BANK:
        return 0.01 * max(view.bank, view.game.rules.stake)
    return 0.05 if question in OF_MANY else 0.01


def timed(
    name: str, moments: int, samples: int | None, seed: int, only: set[str], players: int | None = None
) -> dict[str, dict[str, float]]:
    """The times of all questions over one game."""
    session = Session(game(name, players, **HOUSE[name]), seed=seed)
    session.auto("random", until="game")
    last = len(session)
    times: dict[str, list[float]] = defaultdict(list)
    exact: dict[str, int] = defaultdict(int)

    def answer(at: int, wanted: set[str]) -> None:
        session.goto(at)
        actor = session.actor
        view = session.view(actor if isinstance(actor, Seat) else None)
        for question in (asked.name for asked in fitting(view) if asked.name in wanted):
            began = perf_counter()
            found = ask(view, question, n=samples) if samples else ask(view, question, half_width=width(question, view))
            times[question].append(1000 * (perf_counter() - began))
            exact[question] += found.exact

    wanted = {asked for asked in QUESTIONS[name] if not only or asked in only}
    for at in sorted({last * k // max(moments - 1, 1) for k in range(moments)}):
        answer(at, wanted)
    for at in range(last + 1):
        answer(at, wanted - times.keys())
    return {
        asked: {
            "median_ms": round(median(found), 4),
            "largest_ms": round(max(found), 4),
            "first_ms": round(found[0], 4),
            "answers": len(found),
            "exact": exact[asked],
        }
        for asked in QUESTIONS[name]
        if (found := times[asked])
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--game", choices=list(GAMES), help="one game only")
    parser.add_argument("--question", action="append", default=[], help="these questions only")
    parser.add_argument("--players", type=int, help="number of players")
    parser.add_argument("--moments", type=int, default=60, help="moments of a game at most (60)")
    parser.add_argument("--n", type=int, help="samples of an estimate, in the place of wanted widths")
    parser.add_argument("--seed", type=int, default=7, help="of the games (7)")
    chosen = parser.parse_args()
    found = {}
    for name in (name for name in GAMES if chosen.game in (None, name)):
        cold = timed(name, 8, 100, chosen.seed + 1, set(chosen.question), chosen.players)
        warm = timed(name, chosen.moments, chosen.n, chosen.seed, set(chosen.question), chosen.players)
        found[name] = {asked: {**row, "first_ms": cold.get(asked, row)["first_ms"]} for asked, row in warm.items()}
    if chosen.json:
        print(json.dumps(found))
        return
    print(f"{'question':40} {'median':>10} {'largest':>10} {'first':>10}   ms; answers, exact ones")
    for name, rows in found.items():
        for asked, row in rows.items():
            print(
                f"{name + ' ' + asked:40} {row['median_ms']:10.3f} {row['largest_ms']:10.3f} {row['first_ms']:10.3f}"
                f"   {row['answers']}, {row['exact']}"
            )


if __name__ == "__main__":
    main()
