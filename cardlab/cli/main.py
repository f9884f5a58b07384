"""The command line: play, rules, replay, games, questions, odds, simulate, match, serve, lab."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from cardlab import GAMES, PLAYERS
from cardlab.cli import odds as asking
from cardlab.cli import simulate, terminal
from cardlab.cli.named import COLUMNS, kind
from cardlab.core.errors import BadRequest
from cardlab.core.events import TEACHER
from cardlab.core.registry import assumable
from cardlab.core.session import PACES
from cardlab.desk import spoken
from cardlab.view.rulebook import house_rules, rule_book
from cardlab.words import LANGUAGES, Words
from cardlab.words.errors import CardlabError

EXAMPLES: Final = """\
examples:
  cardlab play suicide_king --players 3 --seed 7
  cardlab play poker_marshal --seat 0 --language ru
  cardlab play fight_for_the_lead --house refusal=pagat_dropout --house deals=3
  printf 's\\ns\\nq\\n' | cardlab play suicide_king --seed 7
  cardlab rules fight_for_the_lead --language ru
  cardlab questions poker_marshal
  cardlab odds suicide_king --players 4 --json
  cardlab simulate poker_marshal --games 1000000 --policy sensible
  cardlab serve
"""


class Parser(argparse.ArgumentParser):
    """A parser that ends with one sentence and exit status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"cardlab: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The parser of the command line, one part a command."""
    top = Parser(
        prog="cardlab",
        description="Three little-known card games, stepped through card by card with every rule explained.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=Parser)

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        made.set_defaults(run=run)
        return made

    def language(made: argparse.ArgumentParser) -> None:
        usual = os.environ.get("CARDLAB_LANGUAGE", "en")
        made.add_argument("--language", default=usual, metavar="LANGUAGE", help=f"of everything said: {', '.join(LANGUAGES)} (now {usual})")

    def looks(made: argparse.ArgumentParser) -> None:
        made.add_argument("--seat", default=TEACHER, metavar="K", help="a seat from 0 on, or spectator, or teacher: all cards (teacher)")
        made.add_argument("--pace", default="card", help=f"how far a step goes: {', '.join(PACES)} (card)")
        language(made)

    # what a word may be is said by the engine, in the language chosen
    play = command("play", terminal.play, "step through a game in the terminal, or play a seat of it")
    play.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    play.add_argument("--players", metavar="N", help="number of players")
    play.add_argument("--preset", default="default", help="a named set of house rules, such as pagat")
    play.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help="a house rule; may be given several times")
    play.add_argument("--seed", metavar="S", help="names the deal for ever; without it a fresh one is drawn")
    play.add_argument("--index", default="0", metavar="I", help="which game of that seed (0)")
    play.add_argument("--policy", default="random", help=f"who plays the other seats: {', '.join(PLAYERS)} (random)")
    play.add_argument("--save", metavar="FILE", help="write the record of the game here at the end")
    looks(play)

    rules = command("rules", _rules, "print the rule book of a game")
    rules.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    language(rules)

    replay = command("replay", terminal.replay, "step through a recorded game")
    replay.add_argument("file", metavar="FILE", help="a record written with --save")
    looks(replay)

    games = command("games", _games, "list the games with their players, presets and house rules")
    language(games)

    questions = command("questions", asking.questions, "list what can be asked about a game")
    questions.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    language(questions)

    odds = command("odds", asking.odds, "answer a question about a game, at its start or at a step of a record")
    odds.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    odds.add_argument("--players", metavar="N", help="number of players")
    odds.add_argument("--preset", help="a named set of house rules, such as pagat")
    odds.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help="a house rule; may be given several times")
    odds.add_argument("--question", metavar="Q", help="one of those that cardlab questions lists; the first that fits")
    odds.add_argument("--record", metavar="FILE", help="a record written with --save")
    odds.add_argument("--at", metavar="STEP", help="a step of the record, 0 being the start (its end)")
    odds.add_argument("--seat", metavar="K", help="as a seat from 0 on knows it, or spectator, or teacher")
    odds.add_argument("--json", action="store_true", help="one line of JSON for programs")
    for name, metavar, about in (
        ("n", "N", "samples of an estimate"),
        ("half-width", "W", "sample until ± is no more than this, such as 0.01"),
        ("seconds", "S", "sample so long at most"),
        ("seed", "S", "of the samples (0)"),
        ("accept", "P", "the chance that a holder accepts an offer (1/2)"),
        ("policy", "NAME", f"whose behaviour is assumed: {', '.join(assumable())} (random)"),
    ):
        odds.add_argument(f"--{name}", metavar=metavar, help=about)
    language(odds)

    def many(made: argparse.ArgumentParser, policy: str) -> None:
        made.add_argument("game", metavar="GAME", help=", ".join(GAMES))
        made.add_argument("--games", default="1000", metavar="N", help="how many (1000)")
        made.add_argument("--policy", default=policy, metavar="NAME", help=f"{', '.join(PLAYERS)}; or one for each seat: A,B,… ({policy})")
        made.add_argument("--players", metavar="N", help="number of players")
        made.add_argument("--preset", default="default", help="a named set of house rules, such as pagat")
        made.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help="a house rule; may be given several times")
        made.add_argument("--seed", default="0", metavar="S", help="names the games together with their numbers (0)")
        made.add_argument("--json", action="store_true", help="one line of JSON for programs")
        language(made)

    simulation = command("simulate", simulate.simulation, "play many games and count what happens")
    many(simulation, "random")
    simulation.add_argument("--threads", metavar="N", help="of this machine (all of them)")
    simulation.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786; needs cardlab[cluster]")
    simulation.add_argument("--checkpoint", metavar="FILE", help="keep what is done here, and go on from it")
    simulation.add_argument("--out", metavar="FILE", help="write the results as .csv or .parquet")

    many(command("match", simulate.matched, "let computer players meet with the same deals from every seat"), "sensible,random")

    serve = command("serve", _serve, "serve the page to browsers; needs cardlab[lab]")
    serve.add_argument("--address", default="127.0.0.1", help="127.0.0.1 serves this machine alone")
    serve.add_argument("--port", type=int, default=5006, help="5006")
    serve.add_argument(
        "--origin", action="append", default=[], metavar="HOST", help="under which browsers name it; may be given several times"
    )
    serve.add_argument("--password-file", metavar="FILE", help="whose only line is the password of the room")
    serve.add_argument("--sessions", default="100", metavar="N", help="open pages at most (100)")
    serve.add_argument(
        "--frame", action="append", default=[], metavar="SITE", help="that may show the page in a frame, such as a learning platform"
    )
    serve.add_argument("--show", action="store_true", help="open a browser")
    language(serve)

    lab = command("lab", _lab, "open JupyterLab on the notebooks; needs cardlab[lab]")
    lab.add_argument("folder", nargs="?", default="notebooks", help="the folder of the notebooks (notebooks)")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit status: 0, 1 for a refusal, 2 for words that are off."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # suit signs and Cyrillic also through a pipe
            stream.reconfigure(encoding="utf-8", errors="replace")
    made = parser()
    chosen = made.parse_args(arguments)
    language = getattr(chosen, "language", "en")
    try:
        if chosen.command is None:
            made.print_help()
            return 0
        spoken(language)
        status = int(chosen.run(chosen))
        sys.stdout.flush()
        return status
    except CardlabError as fault:
        print(f"cardlab: {fault.say(Words(language if language in LANGUAGES else 'en'))}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: nothing more to say
        return 0
    except KeyboardInterrupt:
        return 130


def _rules(chosen: argparse.Namespace) -> int:
    words = Words(chosen.language)
    of = kind(chosen)
    print(words.text(f"game.{of.name}"))
    print(textwrap.fill(words.text(f"rulebook.{of.name}.about"), COLUMNS), end="\n\n")
    for rule, said in rule_book(of, words):
        print(textwrap.fill(said, COLUMNS, initial_indent=f"{rule:6} ", subsequent_indent=" " * 7))
    print("\n" + words.text("screen.house"))
    for row in house_rules(of, words):
        print(textwrap.fill(f"{row.key}: {row.about}", COLUMNS, initial_indent="  ", subsequent_indent="    "))
        for value, about in row.values:
            print(textwrap.fill(f"{value}: {about}", COLUMNS, initial_indent="      ", subsequent_indent="        "))
    return 0


def _games(chosen: argparse.Namespace) -> int:
    words = Words(chosen.language)
    for name, of in GAMES.items():
        least, most = of.player_counts[0], of.player_counts[-1]
        players = f"{least}-{most}" if least < most else str(least)
        print(f"{name}: {words.text(f'game.{name}')}, {words.text('terminal.players', players=players)}")
        print(f"  --preset  {', '.join(of.rules_type.presets)}")
        for key, allowed in of.rules_type.options().items():
            print(f"  --house {key}=  {words.show(allowed.phrase(most))}")
    return 0


def _serve(chosen: argparse.Namespace) -> int:
    try:
        from cardlab.dashboard import serve, serving
    except ImportError as fault:
        raise BadRequest("error.extra", package=fault.name or "panel", extra="lab") from None
    origins, frames = tuple(chosen.origin), tuple(chosen.frame)
    asked = serving.asked(chosen.address, chosen.port, origins, frames, chosen.password_file, chosen.sessions, chosen.language)
    serve(asked, show=chosen.show)
    return 0


def _lab(chosen: argparse.Namespace) -> int:
    if not Path(chosen.folder).is_dir():
        raise BadRequest("terminal.no_folder", folder=chosen.folder)
    beside = Path(sys.executable).parent / "jupyter-lab"
    program = str(beside) if beside.exists() else shutil.which("jupyter-lab")
    if program is None:
        raise BadRequest("error.extra", package="jupyterlab", extra="lab")
    # Panel's own files come inside the page: it must work with no internet
    environment: dict[str, Any] = {**os.environ, "PANEL_INLINE": "true"}
    return subprocess.call([program, chosen.folder], env=environment)
