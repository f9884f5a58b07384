"""Playthroughs: every file in tests/playthroughs is what its game does now, and every game and preset has one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardlab import GAMES
from cardlab.testing import playthrough as playthroughs
from cardlab.testing.playthrough import WANTED, Play, play_of, playthrough, uncovered

FOLDER = Path(__file__).parents[1] / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_still_goes_as_written(path: Path) -> None:
    written = path.read_text(encoding="utf-8").splitlines()
    now = playthrough(play_of(path.read_text(encoding="utf-8"))).splitlines()
    for number, (was, is_) in enumerate(zip(written, now, strict=False), 1):
        assert is_ == was, f"{path.name}, line {number}"
    assert len(now) == len(written), path.name
    assert path.stat().st_size < 60_000


def test_every_game_and_preset_has_a_file() -> None:
    assert uncovered([play_of(path.read_text(encoding="utf-8")) for path in FILES]) == []
    assert {path.stem for path in FILES} >= set(WANTED)


def test_a_game_or_preset_without_a_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = [play for play in WANTED.values() if (play.game, play.preset) != ("suicide_king", "pagat")]
    assert uncovered(plays) == ["suicide_king, preset pagat"]
    assert uncovered([play for play in WANTED.values() if play.preset != "default" or not play.house]) == [
        "fight_for_the_lead, preset default",
        "poker_marshal, preset default",
        *(f"{name}, house rules" for name in GAMES),
    ]
    monkeypatch.setitem(GAMES, "own_game", GAMES["suicide_king"])
    assert "own_game, preset default" in uncovered(list(WANTED.values()))


def test_a_playthrough_tells_what_each_viewer_sees_and_no_more() -> None:
    """The first card dealt in Fight for the Lead: its seat and the teacher see it, the others a card face down."""
    text = playthrough(WANTED["fight_for_the_lead.default"])
    step = next(part for part in text.split("\n\n") if "does: deal " in part)
    card = step.split("does: deal ")[1][:2]
    seeing = [line for line in step.splitlines() if line.startswith("  sees") and f"card={card}" in line]
    blind = [line for line in step.splitlines() if line.startswith("  sees") and "card=None" in line]
    assert [line.split("]")[0] for line in seeing] == ["  sees [0 teacher"]
    assert [line.split("]")[0] for line in blind] == ["  sees [1 public"]


def test_another_seed_or_rule_is_another_playthrough() -> None:
    play = Play("suicide_king", 2)
    first = playthrough(play)
    assert first == playthrough(play)
    assert first.split("\n", 1)[1] != playthrough(replace(play, seed=2)).split("\n", 1)[1]
    assert play_of(first) == play


def test_the_command_names_stale_files_and_writes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playthroughs, "FOLDER", tmp_path)
    monkeypatch.setattr(playthroughs, "WANTED", {"short": Play("suicide_king", 2)})
    assert playthroughs.main([]) == 1
    assert "short.txt is not what the game does now" in capsys.readouterr().out
    assert playthroughs.main(["--write"]) == 0
    assert playthroughs.main([]) == 0
    extra = tmp_path / "extra.txt"
    extra.write_text(playthrough(Play("suicide_king", 2, seed=5)).replace("take 0", "take 1"), encoding="utf-8")
    assert playthroughs.main([]) == 1
    assert playthroughs.main(["--write"]) == 0
    assert "take 0" in extra.read_text(encoding="utf-8")
    assert playthroughs.main(["--read"]) == 2
