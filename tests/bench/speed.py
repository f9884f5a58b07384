"""How fast the compiled twins are, beside plain C programs that play the same games with numbers of their own.

    python tests/bench/speed.py            # a table
    python tests/bench/speed.py --json     # {"rows": [{"work", "cardlab", "reference", "ratio"}]}: things a second of one thread

The C programs are those of ``../shared/bench`` beside the repository, or of the folder that CARDLAB_BENCH names; they need gcc and an
x86-64 processor with BMI2. Both sides take turns, five runs each after one that warms up; the time is the processor's, since other
programs may share it, and the figure is the median.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from cardlab import FightForTheLead, PokerMarshal, SuicideKing
from cardlab.fast import fight_for_the_lead as fights
from cardlab.fast import hands
from cardlab.fast import poker_marshal as marshals
from cardlab.fast import suicide_king as kings

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


@dataclass(frozen=True)
class Work:
    """What is timed: cardlab's part returns how many things it did, C's line does n of them."""

    name: str
    cardlab: Callable[[], int]
    program: str
    n: int
    line: str
    setup: str = "init();"


def deals_of(found: Simulation) -> int:
    """How many deals some games had."""
    return next(iter(found.tally.rates.values())).deals


def suicide_king(threads: int = 1) -> int:
    """Whole games with 4 players; how many deals they had."""
    return deals_of(simulate("suicide_king", 1_000_000, "still", players=4, seed=7, threads=threads))


def fight_for_the_lead(threads: int = 1) -> int:
    """Single deals with 4 random players; how many."""
    return deals_of(simulate("fight_for_the_lead", 1_000_000, "random", players=4, deals=1, seed=7, threads=threads))


def poker_marshal(threads: int = 1) -> int:
    """Games of ten deals in which nobody exchanges; how many deals they had."""
    return deals_of(simulate("poker_marshal", 200_000, "still", seed=7, threads=threads))


@cache
def dealt() -> NDArray[np.uint8]:
    """Hands of seven from 54 cards."""
    return np.random.default_rng(7).permuted(np.tile(np.arange(54, dtype=np.uint8), (2**20, 1)), axis=1)[:, :7].copy()


def hands_with_jokers() -> int:
    """Hands of seven, ranked in one batch; how many."""
    return sum(len(hands.values(dealt())) for _ in range(8))


WORKS = [
    Work("suicide_king", suicide_king, "ref.c", 2_000_000, "sink += sk_deals_bits(n, 4, &g);"),
    Work("fight_for_the_lead", fight_for_the_lead, "ref.c", 2_000_000, "u64 steps; sink += fl_deals(n, 4, &g, &steps);"),
    Work("poker_marshal", poker_marshal, "wild.c", 2_000_000, "sink += pm_tab(n, &g);", setup="init(); initw();"),
    Work(
        "hands_with_jokers",
        hands_with_jokers,
        "wild.c",
        8 * 2**20,
        """for (int batch = 0; batch < 8; batch++) for (int i = 0; i < n / 8; i++) {
            const u8 *h = W + i * 7;
            u64 m = 0, k = 0x3333ull << 32;
            for (int j = 0; j < 7; j++) { m |= HM[h[j]]; k += KW[h[j]]; }
            o[i] = eval_w(k, m, 7);
        }
        sink += o[3];""",
        """init(); initw();
    u8 *W = malloc(n / 8 * 7), a[54];
    u16 *o = malloc(n / 8 * 2);
    for (int i = 0; i < 54; i++) a[i] = i;
    for (int i = 0; i < n / 8; i++) for (int j = 0; j < 7; j++) {
        u64 x = nx(&g);
        u32 k = j + take(&x, 54 - j);
        u8 t = a[k]; a[k] = a[j]; a[j] = t;
        W[i * 7 + j] = t;
    }""",
    ),
]


def rate(work: Work) -> float:
    """Cardlab's things a second."""
    began = thread_time()
    done = work.cardlab()
    return done / (thread_time() - began)


def built(work: Work, folder: str) -> Path | None:
    """The C program of a work, or ``None`` after a sentence that says why there is none."""
    if not (BENCH / work.program).is_file():
        print(f"No comparison for {work.name}: {BENCH / work.program} is not there; CARDLAB_BENCH may name its folder.", file=sys.stderr)
        return None
    program = Path(folder, work.name)
    theirs = (BENCH / work.program).read_text().replace("int main(", "static int whole_program(")
    source = theirs + TIMED.format(n=work.n, setup=work.setup, line=work.line)
    command = ["gcc", "-O3", "-march=native", "-w", "-I", str(BENCH), "-x", "c", "-o", str(program), "-"]
    try:
        subprocess.run(command, input=source, text=True, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as fault:
        why = getattr(fault, "stderr", None) or str(fault)
        print(f"No comparison for {work.name}: gcc cannot build {work.program} here ({why.splitlines()[0]}).", file=sys.stderr)
        return None
    return program


def row(work: Work, folder: str) -> dict[str, str | float | None]:
    """The medians of a work, cardlab and C taking turns."""
    program = built(work, folder)
    rate(work)
    ours, theirs = [], []
    for _ in range(RUNS):
        ours.append(rate(work))
        if program is not None:
            seconds = float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
            theirs.append(work.n / seconds)
    reference = median(theirs) if theirs else None
    return {
        "work": work.name,
        "cardlab": round(median(ours)),
        "reference": reference and round(reference),
        "ratio": reference and round(median(ours) / reference, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--work", choices=[work.name for work in WORKS], action="append", help="these works only")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        rows = [row(work, folder) for work in WORKS if not chosen.work or work.name in chosen.work]
    if chosen.json:
        print(json.dumps({"rows": rows}))
        return
    print(f"{'work':24} {'cardlab':>14} {'reference':>14} {'ratio':>8}   a second, one thread")
    for found in rows:
        figures = [f"{found[name]:,}" if found[name] else "-" for name in ("cardlab", "reference", "ratio")]
        print("{:24} {:>14} {:>14} {:>8}".format(found["work"], *figures))


if __name__ == "__main__":
    main()
