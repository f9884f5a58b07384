"""One deal per (seed, index), for ever: in this process, under other hash seeds, and in other Pythons that are on the PATH."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardlab import GAMES
from cardlab.testing.golden import PAIRS, fingerprint, golden

FOLDER = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
FEW = 12  # records tried in every other process


@cache
def stored(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def printed(python: str, name: str, hash_seed: str) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-m", "cardlab.testing.golden", name, str(FEW)]
    return json.loads(subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stdout)  # type: ignore[no-any-return]


def other_pythons() -> list[str]:
    """Those that are here and start; a name on the PATH may lead nowhere."""
    names = [f"python3.{minor}" for minor in (11, 12, 13, 14) if minor != sys.version_info.minor]
    found = [path for name in names if (path := shutil.which(name))]
    return [path for path in found if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0]


def test_every_game_has_a_stored_list_and_no_list_lacks_its_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_stored_list_never_changes(name: str) -> None:
    wanted, now = stored(name), golden(name)
    assert now.keys() == wanted.keys()
    for part in now:
        assert now[part] == wanted[part], f"{name}: {part} by (seed, index) have changed"


@pytest.mark.parametrize("name", GAMES)
def test_the_lists_tell_deals_apart(name: str) -> None:
    """A stored list of equal hashes would let any change pass."""
    assert len(set(stored(name)["decks"])) == len(set(stored(name)["records"])) == len(PAIRS) == 100
    for pair, spelled in stored(name)["spelled"].items():
        cards = spelled.split()
        assert len(set(cards)) == (54 if name == "poker_marshal" else 52)
        assert fingerprint(cards) == stored(name)["decks"][stored(name)["pairs"].index(pair)]
    assert fingerprint(stored(name)["actions"]) == stored(name)["records"][1]


def assert_as_stored(found: dict[str, Any], name: str) -> None:
    assert found == stored(name) | {"records": stored(name)["records"][:FEW]}


@pytest.mark.parametrize("hash_seed", ["0", "1", "2"])
@pytest.mark.parametrize("name", GAMES)
def test_another_process_deals_the_same(name: str, hash_seed: str) -> None:
    assert_as_stored(printed(sys.executable, name, hash_seed), name)


def test_other_pythons_deal_the_same() -> None:
    for python in other_pythons():
        for name in GAMES:
            assert_as_stored(printed(python, name, "random"), name)
