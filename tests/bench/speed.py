"""How fast cardlab is beside something known: its twins beside C, two threads beside one, its engine beside chess and poker in Python.

    python tests/bench/speed.py             # a table
    python tests/bench/speed.py --json      # {"rows": [{"work", "cardlab", "reference", "ratio"}]}: things a second
    python tests/bench/speed.py --compile   # how long the kernels of each game take at first use, compiled and from the disk

Both sides of a row take turns, five runs each after one that warms up; the figure is the median. The time is the processor's, since other
programs may share it, but of ``threads``, whose point it is, the clock's. The C programs play the same games with numbers of their own;
they are those of ``../shared/bench`` beside the repository, or of the folder that CARDLAB_BENCH names, and need gcc and an x86-64
processor with BMI2. A ``decision`` is counted in ``decisions.py``: the slowest of the games beside the faster of python-chess and pokerkit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

import decisions
import first_use
import numpy as np
from numpy.typing import NDArray

from cardlab import simulate
from cardlab.fast import hands
from cardlab.simulation import Simulation

RUNS = 5
BENCH = Path(os.environ.get("CARDLAB_BENCH", Path(__file__).parents[2].parent / "shared" / "bench"))
# The programs time many things for a minute; here one line of them is timed once.
TIMED = """
int main(void) {{
    const int n = {n};
    rng g = seed(1);
    {setup}
    volatile u64 sink = 0;
    for (int warm = 1; ; warm = 0) {{
        double began = cpu();
        {line}
        if (!warm) {{ printf("%.9f\\n", cpu() - began); return (int)(sink & 0); }}
    }}
}}
"""
HANDS_IN_C = """for (int batch = 0; batch < 8; batch++) for (int i = 0; i < n / 8; i++) {
        const u8 *h = W + i * 7;
        u64 m = 0, k = 0x3333ull << 32;
        for (int j = 0; j < 7; j++) { m |= HM[h[j]]; k += KW[h[j]]; }
        o[i] = eval_w(k, m, 7);
    }
    sink += o[3];"""
HANDS_SETUP = """init(); initw();
    u8 *W = malloc(n / 8 * 7), a[54];
    u16 *o = malloc(n / 8 * 2);
    for (int i = 0; i < 54; i++) a[i] = i;
    for (int i = 0; i < n / 8; i++) for (int j = 0; j < 7; j++) {
        u64 x = nx(&g);
        u32 k = j + take(&x, 54 - j);
        u8 t = a[k]; a[k] = a[j]; a[j] = t;
        W[i * 7 + j] = t;
    }"""


Rate = Callable[[], float]  # does a work once; things a second


@dataclass(frozen=True)
class Work:
    """What is timed, and what makes its reference in a folder; that gives ``None`` after a sentence that says why there is none."""

    name: str
    cardlab: Rate
    reference: Callable[[Path], Rate | None]


def rate(work: Callable[[], int], clock: Callable[[], float] = thread_time) -> float:
    """How many things a second a work does that returns their number."""
    began = clock()
    done = work()
    return done / (clock() - began)


def refused(reference: str, why: str) -> None:
    """Says that there is no such reference."""
    print(f"No comparison with {reference}: {why}.", file=sys.stderr)


def in_c(program: str, n: int, line: str, setup: str = "init();") -> Callable[[Path], Rate | None]:
    """A reference: a line of C that does n things with what a program of the bench defines."""

    def build(folder: Path) -> Rate | None:
        if not (BENCH / program).is_file():
            refused(program, f"{BENCH / program} is not there; CARDLAB_BENCH may name its folder")
            return None
        built = folder / f"{len(list(folder.iterdir()))}"
        theirs = (BENCH / program).read_text().replace("int main(", "static int whole_program(")
        command = ["gcc", "-O3", "-march=native", "-w", "-I", str(BENCH), "-x", "c", "-o", str(built), "-"]
        try:
            subprocess.run(command, input=theirs + TIMED.format(n=n, setup=setup, line=line), text=True, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError) as fault:
            why = getattr(fault, "stderr", None) or str(fault)
            refused(program, f"gcc cannot build it here ({why.splitlines()[0]})")
            return None
        return lambda: n / float(subprocess.run([built], capture_output=True, text=True, check=True).stdout)

    return build


def other_libraries(folder: Path) -> Rate | None:
    """A reference: the faster of the libraries that ``decisions.py`` knows."""
    if decisions.missing():
        refused(" and ".join(decisions.PEERS), decisions.missing())
        return None
    return decisions.fastest_peer


def deals_of(found: Simulation) -> int:
    """How many deals some games had."""
    return next(iter(found.tally.rates.values())).deals


def suicide_king(games: int = 1_000_000, threads: int = 1) -> int:
    """Whole games with 4 players; how many deals they had."""
    return deals_of(simulate("suicide_king", games, "still", players=4, seed=7, threads=threads))


def fight_for_the_lead() -> int:
    """Single deals with 4 random players; how many."""
    return deals_of(simulate("fight_for_the_lead", 1_000_000, "random", players=4, deals=1, seed=7, threads=1))


def poker_marshal() -> int:
    """Games of ten deals in which nobody exchanges; how many deals they had."""
    return deals_of(simulate("poker_marshal", 200_000, "still", seed=7, threads=1))


@cache
def dealt() -> NDArray[np.uint8]:
    """Hands of seven from 54 cards."""
    return np.random.default_rng(7).permuted(np.tile(np.arange(54, dtype=np.uint8), (2**20, 1)), axis=1)[:, :7].copy()


def hands_with_jokers() -> int:
    """Hands of seven, ranked in one batch; how many."""
    return sum(len(hands.values(dealt())) for _ in range(8))


WITH_THREADS = 4_000_000  # games

WORKS = [
    Work("suicide_king", partial(rate, suicide_king), in_c("ref.c", 2_000_000, "sink += sk_deals_bits(n, 4, &g);")),
    Work(
        "fight_for_the_lead", partial(rate, fight_for_the_lead), in_c("ref.c", 2_000_000, "u64 steps; sink += fl_deals(n, 4, &g, &steps);")
    ),
    Work("poker_marshal", partial(rate, poker_marshal), in_c("wild.c", 2_000_000, "sink += pm_tab(n, &g);", setup="init(); initw();")),
    Work("hands_with_jokers", partial(rate, hands_with_jokers), in_c("wild.c", 8 * 2**20, HANDS_IN_C, HANDS_SETUP)),
    Work(
        "threads",
        partial(rate, partial(suicide_king, WITH_THREADS, threads=2), perf_counter),
        lambda folder: partial(rate, partial(suicide_king, WITH_THREADS), perf_counter),
    ),
    Work("decision", decisions.slowest, other_libraries),
]


def row(work: Work, folder: Path) -> dict[str, str | float | None]:
    """The medians of a work, cardlab and the reference taking turns."""
    reference = work.reference(folder)
    sides = [work.cardlab] if reference is None else [work.cardlab, reference]
    for side in sides:
        side()
    runs = [[side() for side in sides] for _ in range(RUNS)]
    ours, *theirs = map(median, zip(*runs, strict=True))
    return {
        "work": work.name,
        "cardlab": round(ours),
        "reference": round(theirs[0]) if theirs else None,
        "ratio": round(ours / theirs[0], 3) if theirs else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--work", choices=[work.name for work in WORKS], action="append", help="these works only")
    parser.add_argument("--compile", action="store_true", help="the time to compile instead")
    chosen = parser.parse_args()
    if chosen.compile:
        first_use.report(chosen.json)
        return
    with TemporaryDirectory() as folder:
        rows = [row(work, Path(folder)) for work in WORKS if not chosen.work or work.name in chosen.work]
    if chosen.json:
        print(json.dumps({"rows": rows}))
        return
    print(f"{'work':24} {'cardlab':>14} {'reference':>14} {'ratio':>8}   a second")
    for found in rows:
        figures = [f"{found[name]:,}" if found[name] else "-" for name in ("cardlab", "reference", "ratio")]
        print("{:24} {:>14} {:>14} {:>8}".format(found["work"], *figures))


if __name__ == "__main__":
    main()
