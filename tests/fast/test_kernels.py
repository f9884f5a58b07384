"""When kernels are compiled: not at import, once for all processes, and again when anything that they are made of has changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cardlab

pytest.importorskip("numba")
from cardlab.fast import available, jit

PACKAGE = Path(cardlab.__file__).parent
TWIN = "from cardlab.fast import suicide_king as twin; from cardlab import SuicideKing"
PLAYED = "twin.play(SuicideKing(), 7, 0, 5, 'still')"


def run(*lines: str) -> str:
    """What a new process prints."""
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True).stdout


def test_the_room_loads_nothing_and_the_twins_compile_nothing() -> None:
    assert available()
    assert run("import cardlab.fast, sys", "print(sorted({'numba', 'numpy'} & set(sys.modules)))") == "[]\n"
    kernels = "[kernel for kernel in vars(twin).values() if isinstance(kernel, Dispatcher)]"
    lines = [
        "from cardlab.fast import suicide_king as twin",
        "from cardlab import SuicideKing",
        "from numba.core.dispatcher import Dispatcher",
    ]
    counted = f"print(len({kernels}), sum(len(kernel.signatures) for kernel in {kernels}))"
    before, after = (line.split() for line in run(*lines, counted, PLAYED, counted).splitlines())
    assert int(before[0]) > 10
    assert before[1] == "0" < after[1]


def test_a_second_process_takes_the_kernels_from_the_disk() -> None:
    lines = [TWIN, PLAYED, "stats = twin._leaps.stats"]
    run(*lines)
    assert run(*lines, "print(len(stats.cache_hits), len(stats.cache_misses))") == "1 0\n"


@pytest.mark.parametrize("changed", ["fast/streams.py", "games/suicide_king.py", "core/streams.py", "cards/card.py"])
def test_a_change_of_what_kernels_are_made_of_gives_them_a_new_place(tmp_path: Path, changed: str) -> None:
    copy = tmp_path / "cardlab"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.po", "*.mo"))
    assert jit.stamp(copy) == jit.stamp(PACKAGE) == jit.KERNELS.name.removeprefix("kernels-")
    (copy / changed).write_text((copy / changed).read_text() + "\n")
    assert jit.stamp(copy) != jit.stamp(PACKAGE)
