"""cardlab needs the standard library alone, and ipywidgets for the stepper: tried where everything else cannot be imported."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import cardlab
from tests.conftest import FEW

HEAVY = ("babel", "numpy", "numba", "pandas", "panel", "bokeh", "holoviews")
WIDGETS = ("ipywidgets", "anywidget", "traitlets", "IPython")
BLOCK = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {HEAVY!r}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
"""
STEPPER = f"""
import importlib
import cardlab

for (module, name), n in {FEW!r}.items():
    setattr(importlib.import_module(module), name, n)

for name, house in (("suicide_king", {{}}), ("fight_for_the_lead", {{"deals": 2}}), ("poker_marshal", {{"deals": 2}})):
    for language in ("en", "ru"):
        stepper = cardlab.step(name, seed=7, language=language, **house)
        clicks = 0
        while not stepper.desk.over:
            stepper.buttons["step"].click()
            assert not stepper.error, stepper.error
            clicks += 1
        assert clicks == len(stepper.desk) > 20
        assert "<svg" in stepper.table.lines[0]
        stepper.inputs["viewpoint"].value = "1"
        stepper.slider.value = clicks // 2
        assert not stepper.error, stepper.error
        print(name, language, clicks)
"""
TERMINAL = """
import io
from cardlab.cli import main

for name, house in (("suicide_king", []), ("fight_for_the_lead", ["--house", "deals=2"]), ("poker_marshal", ["--house", "deals=2"])):
    for language in ("en", "ru"):
        sys.stdin = io.StringIO("s\\n" * 40 + "u\\ne\\n")
        assert main(["play", name, "--seed", "7", "--language", language, *house]) == 0
        assert main(["rules", name, "--language", language]) == 0
assert main(["games"]) == 0
sys.stdout.flush()
"""
LOADED = f"""
heavy = [name for name in {HEAVY!r} if name in sys.modules]
assert not heavy, heavy
"""


def run(code: str, folder: Path) -> str:
    """Runs some Python in a process of its own, away from the tree; returns what it printed."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("package", HEAVY)
def test_the_block_blocks(package: str, tmp_path: Path) -> None:
    tried = f"try:\n    import {package}\nexcept ImportError:\n    print('blocked')\n"
    assert run(BLOCK + tried, tmp_path) == "blocked\n"


def test_the_stepper_steps_through_all_games(tmp_path: Path) -> None:
    said = run(BLOCK + STEPPER + LOADED, tmp_path).split()
    assert [said[k : k + 2] for k in range(0, len(said), 3)] == [[name, language] for name in cardlab.GAMES for language in ("en", "ru")]


def test_the_terminal_plays_all_games(tmp_path: Path) -> None:
    widgets = f"loaded = [name for name in {WIDGETS!r} if name in sys.modules]\nassert not loaded, loaded\n"
    said = run(BLOCK + TERMINAL + LOADED + widgets, tmp_path)
    assert said.count("The game is over.") >= 3
    assert said.count("Игра окончена.") >= 3


def test_import_cardlab_loads_neither_widgets_nor_numbers(tmp_path: Path) -> None:
    code = f"import sys, cardlab\nprint([name for name in {HEAVY + WIDGETS!r} if name in sys.modules])"
    assert run(code, tmp_path) == "[]\n"


def test_import_cardlab_is_quick(tmp_path: Path) -> None:
    """No more than a second of the process's own time, whatever else the machine does; about a tenth is usual."""
    code = "import time\nstart = time.process_time()\nimport cardlab\nprint(time.process_time() - start)"
    assert min(float(run(code, tmp_path)) for _ in range(3)) < 1


def test_every_module_can_be_imported() -> None:
    """Doctests of a module that cannot be imported are passed over, so that this is where it would be seen."""
    names = [module.name for module in pkgutil.walk_packages(cardlab.__path__, "cardlab.")]
    assert len(names) > 40
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
