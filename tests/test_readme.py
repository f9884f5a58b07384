"""The README and the docs are true: their Python runs, and the commands they name exist."""

import doctest
import re
from pathlib import Path

from cardlab.cli import parser

ROOT = Path(__file__).parent.parent


def test_the_lines_of_python_run() -> None:
    tried = 0
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
        assert found.failed == 0, page
        tried += found.attempted
    assert tried >= 12


def test_every_make_target_named_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"^make (\w+)|`make (\w+)`", readme, re.MULTILINE))
    targets = {first or second for first, second in named}
    assert {"serve", "test", "lab", "check", "slow"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_command_named_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    known = parser().format_help()
    for command in re.findall(r"^cardlab (\w+)", readme, re.MULTILINE):
        assert re.search(rf"^    {command}\b", known, re.MULTILINE), command
