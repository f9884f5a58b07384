"""The command line: every command, play through a pipe, and what is said when something is not right."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from cardlab import GAMES, OVER, PLAYERS, Record, Session, game
from cardlab.cli import main, parser
from cardlab.core.session import PACES
from cardlab.words import LANGUAGES, Words

HEADER = '{"cardlab": 1, "game": "suicide_king", "version": 1, "players": 2, "rules": '
SHORT: dict[str, list[str]] = {
    "suicide_king": [],
    "fight_for_the_lead": ["--house", "deals=2"],
    "poker_marshal": ["--house", "deals=1"],
}
every_game = pytest.mark.parametrize("name", list(GAMES))
both_languages = pytest.mark.parametrize("language", LANGUAGES)


class Cli:
    """Runs a command with some input; returns its exit status, and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str, typed: str = "") -> int:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
        self.out, self.err = self.capsys.readouterr()
        return status


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.delenv("CARDLAB_LANGUAGE", raising=False)
    return Cli(monkeypatch, capsys)


def run(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-m", "cardlab.cli", *arguments], input=typed, capture_output=True, env=env, timeout=60)


# help


def test_the_help_is_one_page_with_every_command_and_an_example(cli: Cli) -> None:
    assert cli("--help") == 0
    lines = cli.out.splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 100
    for command in ("play", "rules", "replay", "games", "serve", "lab"):
        assert re.search(rf"^    {command} +\w+", cli.out, re.MULTILINE), command
    for name in GAMES:
        assert f"cardlab play {name}" in cli.out
    page = cli.out
    assert cli() == 0
    assert cli.out == page


def test_the_examples_of_the_help_run(cli: Cli) -> None:
    examples = [line.split() for line in parser().format_help().splitlines() if line.startswith("  cardlab ")]
    assert len(examples) >= 5
    for _, command, *words in examples:
        if command != "serve":
            assert cli(command, *words) == 0, words
            assert cli.err == ""


@pytest.mark.parametrize("command", ["play", "rules", "replay", "games", "serve", "lab"])
def test_every_command_has_help(cli: Cli, command: str) -> None:
    assert cli(command, "--help") == 0
    assert cli.out.startswith(f"usage: cardlab {command}")
    assert len(cli.out.splitlines()) < 40
    if command == "play":
        for word in (*GAMES, *PLAYERS, *PACES, *LANGUAGES):
            assert word in cli.out


# rules and games


@every_game
@both_languages
def test_the_rule_book(cli: Cli, name: str, language: str) -> None:
    assert cli("rules", name, "--language", language) == 0
    kind = GAMES[name]
    for k in range(kind.rule_count + 1):
        assert re.search(rf"^{kind.letters}-{k} ", cli.out, re.MULTILINE)
    for key, allowed in kind.rules_type.options().items():
        for word in (key, *allowed.words):
            assert re.search(rf"^ +{word}: \w", cli.out, re.MULTILINE), word
    assert max(map(len, cli.out.splitlines())) <= 100
    assert bool(re.search("[а-я]", cli.out)) == (language == "ru")


@both_languages
def test_the_list_of_games(cli: Cli, language: str) -> None:
    assert cli("games", "--language", language) == 0
    for name, kind in GAMES.items():
        assert re.search(rf"^{name}: ", cli.out, re.MULTILINE)
        for word in (*kind.rules_type.presets, *kind.rules_type.options()):
            assert word in cli.out


def test_the_language_of_the_environment(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", "ru")
    assert cli("games") == 0
    assert "Самоубийство короля" in cli.out
    assert cli("games", "--language", "en") == 0
    assert "Suicide King" in cli.out
    monkeypatch.setenv("CARDLAB_LANGUAGE", "xx")
    assert cli("games") == 1
    assert "en, ru" in cli.err


# play


@every_game
@both_languages
def test_play_to_the_end(cli: Cli, name: str, language: str) -> None:
    assert cli("play", name, "--seed", "7", "--language", language, *SHORT[name], typed="e\n") == 0
    assert cli.err == ""
    session = Session(game(name, **dict(pair.split("=") for pair in SHORT[name][1::2])), seed=7)
    session.auto("random", until="game")
    said = re.sub(r"\s+", " ", cli.out)
    for row in session.log("teacher", language):
        assert f"{row.step} {row.text} [{row.rule}]".replace("\N{NO-BREAK SPACE}", " ") in said
    assert session.outcome is not None
    for group in session.outcome.standing:
        assert Words(language).show(group) in cli.out[-400:]
    assert max(map(len, cli.out.splitlines())) <= 100


@every_game
def test_step_by_step_is_the_same_as_at_once(cli: Cli, name: str) -> None:
    assert cli("play", name, "--seed", "3", *SHORT[name], typed="e\n") == 0
    end = cli.out.strip().splitlines()[-1]
    assert cli("play", name, "--seed", "3", *SHORT[name], typed="\n" * 100 + "s\n" * 150) == 0
    assert cli.out.strip().splitlines()[-1] == end


def test_back_and_forth(cli: Cli) -> None:
    assert cli("play", "suicide_king", "--seed", "7", typed="s\ns\ns\ns\nu\ng 1\nr\ng 4\nh\n?\nq\ns\n") == 0
    assert cli.err == ""
    tables = re.findall(r"^Suicide King · deal 1 · (\w+)$", cli.out, re.MULTILINE)
    assert tables == ["lot", "dealing", "turns", "turns", "turns", "turns", "dealing", "lot", "turns"]
    rows = re.findall(r"^ +(\d+) .*\[SK-\d+\]$", cli.out, re.MULTILINE)
    assert rows.count("1") == 2  # told anew only after going back behind it
    assert cli.out.count(Words().text("terminal.help")[:30]) == 3


@every_game
@both_languages
def test_play_a_seat(cli: Cli, name: str, language: str) -> None:
    """The own turns by number, token and computer, the others by t; the seed and the moves of others are not told."""
    seed = "9876543210"
    typed = "t\n1\n" * 8 + "t\ns\ne\n"
    assert cli("play", name, "--seed", seed, "--seat", "1", "--language", language, *SHORT[name], typed=typed) == 0
    words = Words(language)
    assert seed not in cli.out
    assert words.text("scene.you", name=words.seat(1)) in cli.out
    moves = [block for block in cli.out.split("\n\n") if re.search(r"^   1  \w", block, re.MULTILINE)]
    assert moves
    for block in moves:
        assert words.text("screen.next_you", phase="").split("(")[0].strip() in block
    assert cli.out.strip().splitlines()[-1].startswith(words.text("screen.standing", places="")[:8])


def test_the_own_turn_wants_a_choice(cli: Cli) -> None:
    assert cli("play", "suicide_king", "--seed", "7", "--seat", "0", typed="t\n\n99\ntake 9\nTAKE 1\n\n") == 0
    said = cli.out
    assert Words().text("terminal.choose")[:50] in said
    assert "no move 99" in said
    assert "SK-5" in said.split("no move 99")[1].splitlines()[1]  # why there is no pile 9
    assert "Anna reaches for pile 1." in said


def test_moves_of_others_cannot_be_made(cli: Cli) -> None:
    assert cli("play", "fight_for_the_lead", "--seed", "7", "--seat", "spectator", typed="fight 2C\nt\n") == 0
    assert Words().text("error.not_your_turn", viewer=Words().text("screen.you"))[:60] in cli.out
    assert Words().text("terminal.no_turn")[:60] in cli.out
    assert "Seed" not in cli.out


def test_many_moves_stand_in_a_few_lines(cli: Cli) -> None:
    assert cli("play", "poker_marshal", "--seed", "7", "--policy", "still", "--pace", "phase", typed="s\n" * 4 + "ask 2C\n") == 0
    block = next(block for block in cli.out.split("\n\n") if "ask and one of" in block)
    assert len(block.splitlines()) < 20
    assert re.search(r"^   1  enough +\w", block, re.MULTILINE)
    session = Session(game("poker_marshal"), seed=7)
    while session.game.phase(session.state) != "offers":
        session.auto("still", until="phase")
    offered = re.split(r"\n +\d+ ", block.split("ask and one of: ")[1])[0].split("·")
    assert [f"ask {card.strip()}" for card in offered] == [str(action) for action in session.legal[1:]]
    assert "asks for 2♣" in cli.out


@every_game
def test_a_spectator_sees_no_hand(cli: Cli, name: str) -> None:
    assert cli("play", name, "--seed", "7", "--seat", "spectator", *SHORT[name], typed="s\n" * 30) == 0
    assert cli.err == ""
    if name != "suicide_king":
        table = cli.out.split("\n\n")[-1]
        assert "▒▒" in table
        assert not re.search(r"^. (?:\w+ )?(Anna|Boris|Chloe|Dina|Emil) +[2-9JQKA1]", table, re.MULTILINE)


# what is refused


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("play chess", "no game 'chess'"),
        ("rules chess", "no game 'chess'"),
        ("play suicide_king --players 9", "SK-0: this game is for 2 to 5 players"),
        ("play suicide_king --players many", "not 'many'"),
        ("play suicide_king --players -1", "not '-1'"),
        ("play poker_marshal --players 4", "PM-0: this game is for exactly 5 players"),
        ("play suicide_king --house stake=8", "no house rule stake"),
        ("play fight_for_the_lead --house stake=6", "stake: 6 is not allowed; it must be a multiple of 4"),
        ("play fight_for_the_lead --house stake=much", "stake: 'much' is not allowed"),
        ("play fight_for_the_lead --house exchange=never", "exchange: 'never' is not allowed; it must be one of batch"),
        ("play fight_for_the_lead --house stake=8 --house bankroll=4", "bankroll: 4 is less than one stake"),
        ("play suicide_king --house first_dealer=4", "a seat from 0 to 3"),
        ("play suicide_king --house deals", "is no house rule: write KEY=VALUE"),
        ("play suicide_king --house name=1", "no house rule name"),
        ("play suicide_king --preset paris", "no preset paris"),
        ("play suicide_king --seed -1", "seed cannot be '-1'"),
        ("play suicide_king --seed seven", "seed cannot be 'seven'"),
        ("play suicide_king --seed 18446744073709551616", "2⁶⁴ − 1"),
        (f"play suicide_king --seed {'9' * 5000}", "seed cannot be"),
        ("play suicide_king --index x", "index cannot be 'x'"),
        ("play suicide_king --seat 4", "no seat '4': write a number from 0 to 3"),
        ("play suicide_king --seat me", "no seat 'me'"),
        ("play suicide_king --policy best", "no computer player 'best'"),
        ("play suicide_king --pace fast", "no pace 'fast'"),
        ("play suicide_king --language de", "no language 'de'"),
        ("games --language de", "no language 'de'"),
        ("replay no/such/file", "no file no/such/file"),
        ("replay .", "cannot be read"),
        ("play suicide_king --save no/such/folder/game.jsonl", "cannot be written"),
        ("play suicide_king --save .", "cannot be written"),
        ("lab no/such/folder", "no folder no/such/folder"),
    ],
)
def test_one_sentence_and_a_status(cli: Cli, arguments: str, says: str) -> None:
    assert cli(*arguments.split(), typed="e\n") == 1
    assert cli.out == ""
    (line,) = cli.err.splitlines()
    assert line.startswith("cardlab: ")
    assert says in line
    assert len(line) < 300


@pytest.mark.parametrize("arguments", ["play", "dance", "play suicide_king --colour red", "rules", "play suicide_king --seed", "games now"])
def test_words_that_are_off(cli: Cli, arguments: str) -> None:
    assert cli(*arguments.split()) == 2
    assert cli.out == ""
    assert len(cli.err.splitlines()) == 1
    assert cli.err.startswith("cardlab: ")


def test_refusals_are_in_the_language_asked_for(cli: Cli) -> None:
    for arguments in ("play chess", "play suicide_king --players 9", "play suicide_king --seat 9", "replay no_such_file"):
        assert cli(*arguments.split(), "--language", "ru") == 1
        assert re.search("[а-я]{3}", cli.err)


def test_bad_words_in_play_change_nothing(cli: Cli) -> None:
    bad = ["foo", "7 7", "g", "g x", "g 99", "g -1", "take", "take 99", "play QH", "ой", "0", "99999999999999999999", "t", "x" * 5000, "\0"]
    typed = "s\ns\n" + "\n".join(bad) + "\ns\ns\n"
    assert cli("play", "suicide_king", "--seed", "7", typed=typed) == 0
    with_bad = re.findall(r"^ +\d+ .*\[SK-\d+\]$", cli.out, re.MULTILINE)
    answers = cli.out.count("\n\n")
    assert cli("play", "suicide_king", "--seed", "7", typed="s\n" * 4) == 0
    assert re.findall(r"^ +\d+ .*\[SK-\d+\]$", cli.out, re.MULTILINE) == with_bad
    assert cli.out.count("\n\n") == answers  # no table after a refusal


# records


@every_game
@both_languages
def test_save_and_replay(cli: Cli, tmp_path: Path, name: str, language: str) -> None:
    file = tmp_path / "game.jsonl"
    assert cli("play", name, "--seed", "7", "--save", str(file), "--language", language, *SHORT[name], typed="e\n") == 0
    assert str(file) in cli.out[-len(str(file)) - 50 :]
    played = [line for line in cli.out.splitlines() if re.search(r"\[\w+-\d+\]$", line)]
    assert Record.load(file).session().actor is OVER
    assert cli("replay", str(file), "--language", language, typed="e\n") == 0
    assert [line for line in cli.out.splitlines() if re.search(r"\[\w+-\d+\]$", line)] == played
    assert cli("replay", str(file), "--seat", "1", typed="e\n") == 0
    assert "7" not in cli.out.splitlines()[0]  # no seed


def test_a_game_that_breaks_off_is_saved(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    assert cli("play", "poker_marshal", "--seed", "7", "--save", str(file), typed="s\n" * 9) == 0
    assert len(Record.load(file).actions) == 9
    assert cli("replay", str(file), typed="e\nu\n") == 0  # and goes on, from its seed, by computer players
    assert cli.err == ""


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"{}\n",
        b"not json\n",
        b"\xff\xfe\n",
        b"[" * 3000 + b"\n",
        b"x" * 100_000,
        (HEADER + '{}, "seed": 1, "index": 0}\n').encode(),
        b'{"cardlab": 1}\n{"by": "chance", "do": "shuffle"}\n',
    ],
)
def test_hostile_records_are_refused_with_the_line(cli: Cli, tmp_path: Path, hostile: bytes) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(hostile)
    for language, word in (("en", "Line 1"), ("ru", "1")):
        assert cli("replay", str(file), "--language", language, typed="e\n") == 1
        (line,) = cli.err.splitlines()
        assert word in line
        assert cli.out == ""


def test_a_damaged_record_is_refused(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    cli("play", "suicide_king", "--seed", "7", "--save", str(file), typed="s\n" * 9)
    lines = file.read_text().splitlines()
    for damaged, at in ((lines[:-1], len(lines)), ([*lines[:4], lines[3], *lines[4:]], 5), ([lines[0], *lines[2:]], 2)):
        file.write_text("\n".join(damaged) + "\n")
        assert cli("replay", str(file)) == 1
        assert f"Line {at}" in cli.err


# processes: pipes, encodings, the missing parts


def test_a_pipe_that_is_closed_early_ends_quietly(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    command = f"'{sys.executable}' -m cardlab.cli play fight_for_the_lead --seed 7 --save '{file}' | head -n 1"
    done = subprocess.run(command, shell=True, input=b"e\n" * 50, capture_output=True, timeout=60)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""
    rules = subprocess.run(
        f"'{sys.executable}' -m cardlab.cli rules poker_marshal | head -n 1", shell=True, capture_output=True, timeout=60
    )
    assert (rules.stdout, rules.stderr) == (b"Poker Marshal\n", b"")


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_suit_signs_and_cyrillic_in_any_environment(environment: Mapping[str, str]) -> None:
    done = run("play", "suicide_king", "--seed", "7", "--language", "ru", typed="ой\n".encode() + b"\xff\ne\n", **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode("utf-8")
    assert all(sign in said for sign in "♣♦♥♠")
    assert "Самоубийство короля" in said
    refused = run("play", "шахматы", "--language", "ru", **environment)
    assert refused.returncode == 1
    (line,) = refused.stderr.decode("utf-8").splitlines()
    assert "suicide_king, fight_for_the_lead, poker_marshal" in line


def test_serve_says_what_is_missing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [module for module in sys.modules if module.startswith("cardlab.dashboard")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "panel", None)
    assert cli("serve") == 1
    assert "panel" in cli.err
    assert "cardlab[lab]" in cli.err


def test_lab_opens_the_folder_without_other_hosts(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[list[str], str]] = []
    monkeypatch.setattr(subprocess, "call", lambda command, env: calls.append((command, env["PANEL_INLINE"])) or 0)
    assert cli("lab", str(tmp_path)) == 0
    ((command, inline),) = calls
    assert Path(command[0]).name.startswith("jupyter-lab")
    assert (command[1:], inline) == ([str(tmp_path)], "true")
