"""The command line: play, rules, replay, games, questions, odds, serve, lab."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO

from cardlab import GAMES, PLAYERS, Record, Session, game
from cardlab.chance import QUESTIONS, Answer, Estimate, Exact, ask, fitting
from cardlab.core.errors import BadGame, BadRequest, quoted
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import AnyGame
from cardlab.core.session import PACES
from cardlab.desk import Desk, Move, spoken
from cardlab.desk.asked import SPECTATOR, whole
from cardlab.view.answers import basis, decimal, rows
from cardlab.view.rulebook import house_rules, rule_book
from cardlab.words import LANGUAGES, Words
from cardlab.words.errors import CardlabError
from cardlab.words.percents import percent

COLUMNS: Final = 100
MOST_MOVES: Final = 20  # more moves than these stand in a few lines
EXAMPLES: Final = """\
examples:
  cardlab play suicide_king --players 3 --seed 7
  cardlab play poker_marshal --seat 0 --language ru
  cardlab play fight_for_the_lead --house refusal=pagat_dropout --house deals=3
  printf 's\\ns\\nq\\n' | cardlab play suicide_king --seed 7
  cardlab rules fight_for_the_lead --language ru
  cardlab questions poker_marshal
  cardlab odds suicide_king --players 4 --json
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
    play = command("play", _play, "step through a game in the terminal, or play a seat of it")
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

    replay = command("replay", _replay, "step through a recorded game")
    replay.add_argument("file", metavar="FILE", help="a record written with --save")
    looks(replay)

    games = command("games", _games, "list the games with their players, presets and house rules")
    language(games)

    questions = command("questions", _questions, "list what can be asked about a game")
    questions.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    language(questions)

    odds = command("odds", _odds, "answer a question about a game, at its start or at a step of a record")
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
        ("policy", "NAME", f"whose behaviour is assumed: {', '.join(PLAYERS)} (random)"),
    ):
        odds.add_argument(f"--{name}", metavar=metavar, help=about)
    language(odds)

    serve = command("serve", _serve, "serve the page to browsers; needs cardlab[lab]")
    serve.add_argument("--address", default="127.0.0.1", help="127.0.0.1 serves this machine alone")
    serve.add_argument("--port", type=int, default=5006, help="5006")
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


def _kind(chosen: argparse.Namespace) -> type[AnyGame]:
    if chosen.game not in GAMES:
        raise BadRequest("error.game", name=repr(chosen.game)[:60], names=", ".join(GAMES))
    return GAMES[chosen.game]


def _house(kind: type[AnyGame], pairs: Sequence[str]) -> dict[str, Any]:
    house: dict[str, Any] = {}
    keys = kind.rules_type.options()
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadRequest("error.house_pair", text=quoted(pair))
        if key not in keys:
            raise BadGame("error.house_rule", rule=f"{kind.letters}-0", name=key[:60], keys=", ".join(keys))
        house[key] = value
    return house


def _looked_at(desk: Desk, seat: str) -> Desk:
    """The desk as somebody sees it whom the command line names."""
    try:
        return desk.set_viewer(None if seat == SPECTATOR else whole(seat))
    except BadRequest:
        raise BadRequest("terminal.seat", seat=quoted(seat), last=desk.game.players - 1) from None


def _play(chosen: argparse.Namespace) -> int:
    if chosen.save and (Path(chosen.save).is_dir() or not os.access(Path(chosen.save).parent, os.W_OK)):
        raise BadRequest("terminal.no_save", file=chosen.save)  # said now, not when a game is lost
    desk = Desk(
        chosen.game,
        whole(chosen.players),
        chosen.preset,
        whole(chosen.seed),
        whole(chosen.index),
        chosen.language,
        policy=chosen.policy,
        pace=chosen.pace,
        **_house(_kind(chosen), chosen.house),
    )
    return Terminal(_looked_at(desk, chosen.seat), sys.stdin, sys.stdout, chosen.save).run()


def _replay(chosen: argparse.Namespace) -> int:
    desk = Desk.of(_loaded(chosen.file), language=chosen.language, pace=chosen.pace)
    return Terminal(_looked_at(desk, chosen.seat), sys.stdin, sys.stdout, None).run()


def _loaded(file: str) -> Record:
    """The record in a file; raises BadRequest where it cannot be read, BadRecord for a damaged one."""
    try:
        return Record.load(file)
    except FileNotFoundError:
        raise BadRequest("terminal.no_file", file=file) from None
    except (OSError, ValueError) as fault:
        if isinstance(fault, CardlabError):
            raise
        raise BadRequest("error.file", file=repr(file), why=getattr(fault, "strerror", None) or str(fault)) from None


class Terminal:
    """The desk in a terminal or a pipe: it prints what is new in the log and the table, and reads commands or moves."""

    def __init__(self, desk: Desk, source: TextIO, target: TextIO, save: str | None) -> None:
        self.desk, self.source, self.target, self.save = desk, source, target, save
        self.told = 0

    def run(self) -> int:
        """Until the end of the input or ``q``; however it ends, the record is saved if that was asked for."""
        try:
            self.welcome()
            self.listen()
        finally:
            if self.save:
                self.save_record(self.save)
        return 0

    def welcome(self) -> None:
        """The game, how to go on, and the table; the seed is for the teacher alone, since it tells every card."""
        desk = self.desk
        seed = desk.session.seed if desk.viewer == TEACHER else None
        name = desk.game.display(desk.words)
        self.say(f"{name}." if seed is None else desk.words.text("terminal.start", seed=str(seed), game=desk.game))
        self.help()
        self.show()

    def listen(self) -> None:
        """Reads and obeys."""
        while True:
            if self.source.isatty():
                self.target.write("> ")
            self.target.flush()
            line = self.source.readline()
            if not line or line.strip() in ("q", "quit"):
                return
            try:
                self.obey(line.split())
            except CardlabError as fault:
                self.say(fault.say(self.desk.words))

    def save_record(self, file: str) -> None:
        """Writes the record; it holds every card, whoever has looked on."""
        try:
            self.desk.session.record.save(file)
        except OSError:
            raise BadRequest("terminal.no_save", file=file) from None
        with contextlib.suppress(BrokenPipeError):
            self.say(self.desk.words.text("terminal.saved", file=file))

    def obey(self, words: list[str]) -> None:
        """One command, or the number or the token of a move."""
        desk, moves = self.desk, self.desk.moves()
        own = isinstance(desk.viewer, Seat)
        match words:
            case [] if own and moves:
                raise BadRequest("terminal.choose")
            case [] | ["s"]:
                desk.step()
            case ["u"]:
                desk.undo()
            case ["r"]:
                desk.restart()
            case ["e"]:
                desk.finish()
            case ["t"] if own:
                desk.to_my_turn()
            case ["t"]:
                raise BadRequest("terminal.no_turn")
            case ["g", number] if type(whole(number)) is int:
                desk.goto(whole(number))
            case ["h" | "?"]:
                self.help()
                return
            case [number] if type(whole(number)) is int and moves:
                if not 1 <= whole(number) <= len(moves):
                    raise BadRequest("error.move_number", number=whole(number), last=len(moves))
                desk.act(moves[whole(number) - 1].token)
            case [verb, *rest]:
                desk.act(" ".join([verb.lower(), *rest]))
        self.show()

    def help(self) -> None:
        """The commands."""
        self.say(self.desk.words.text("terminal.help"), indent=2)

    def show(self) -> None:
        """The new rows of the log, the table, what comes next, and the moves that may be seen."""
        rows = sum(not event.silent for _, _, event in self.desk.session.events(self.desk.viewer))
        for row in self.desk.log(rows - self.told) if rows > self.told else ():
            self.say(f"{row.step:4} {row.text} [{row.rule}]", indent=5)
        self.told = rows  # after going back the log is shorter: only the table is shown
        print(f"\n{self.desk.table().rstrip()}", file=self.target)
        self.say(self.desk.next())
        for odds in self.desk.odds():
            if odds.p < 1:
                said = self.desk.words.text("stepper.odds", n=odds.n, p=str(odds.p), percent=percent(odds.p, self.desk.words))
                self.say(f"  {said}: {odds.what}", indent=4)
        self.show_moves(self.desk.moves())

    def show_moves(self, moves: list[Move]) -> None:
        """A move a line with its number; where there are many, those of one verb together."""
        grouped: dict[str, list[str]] = {}
        for number, move in enumerate(moves, 1):
            verb, _, what = move.token.partition(" ")
            if len(moves) <= MOST_MOVES or not what:
                self.say(f"  {number:2}  {move.token:<12} {move.label}", indent=19)
            else:
                grouped.setdefault(verb, []).append(what)
        for verb, all_of_it in grouped.items():
            self.say(f"  {self.desk.words.text('terminal.many', verb=verb)}: {' · '.join(all_of_it)}", indent=4)

    def say(self, said: str, indent: int = 0) -> None:
        """A line, or several where it is long."""
        print(
            textwrap.fill(said, COLUMNS, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False), file=self.target
        )


def _rules(chosen: argparse.Namespace) -> int:
    words = Words(chosen.language)
    kind = _kind(chosen)
    print(words.text(f"game.{kind.name}"))
    print(textwrap.fill(words.text(f"rulebook.{kind.name}.about"), COLUMNS), end="\n\n")
    for rule, said in rule_book(kind, words):
        print(textwrap.fill(said, COLUMNS, initial_indent=f"{rule:6} ", subsequent_indent=" " * 7))
    print("\n" + words.text("screen.house"))
    for row in house_rules(kind, words):
        print(textwrap.fill(f"{row.key}: {row.about}", COLUMNS, initial_indent="  ", subsequent_indent="    "))
        for value, about in row.values:
            print(textwrap.fill(f"{value}: {about}", COLUMNS, initial_indent="      ", subsequent_indent="        "))
    return 0


def _games(chosen: argparse.Namespace) -> int:
    words = Words(chosen.language)
    for name, kind in GAMES.items():
        least, most = kind.player_counts[0], kind.player_counts[-1]
        players = f"{least}-{most}" if least < most else str(least)
        print(f"{name}: {words.text(f'game.{name}')}, {words.text('terminal.players', players=players)}")
        print(f"  --preset  {', '.join(kind.rules_type.presets)}")
        for key, allowed in kind.rules_type.options().items():
            print(f"  --house {key}=  {words.show(allowed.phrase(most))}")
    return 0


def _questions(chosen: argparse.Namespace) -> int:
    words = Words(chosen.language)
    for asked in QUESTIONS[_kind(chosen).name].values():
        print(textwrap.fill(f"{asked.name:17} {asked.say(words)}", COLUMNS, subsequent_indent=" " * 18))
    return 0


def _odds(chosen: argparse.Namespace) -> int:
    played = _kind(chosen).name
    session = _recorded(chosen) if chosen.record is not None else _begun(chosen)
    seat = None if chosen.seat in (None, SPECTATOR) else whole(chosen.seat)
    question = chosen.question
    if question is None:
        fit = fitting(session.view(seat))
        if not fit:
            raise BadRequest("error.ask.nothing")
        question = fit[0].name
    given = {"seed": whole(chosen.seed), "n": whole(chosen.n), "accept": chosen.accept, "policy": chosen.policy}
    given |= {"half_width": _decimal(chosen.half_width), "seconds": _decimal(chosen.seconds)}
    answer = ask(session, question, seat, **{name: value for name, value in given.items() if value is not None})
    if chosen.json:
        head = {"game": played, "players": session.game.players, "question": question, "exact": answer.exact}
        print(json.dumps({**head, "answers": _plain_answers(answer)}, ensure_ascii=False))
        return 0
    words = Words(chosen.language)
    print(textwrap.fill(f"{QUESTIONS[played][question].say(words)} {basis(answer, words)}", COLUMNS))
    told = list(rows(session.game, answer, words))
    width = min(max((len(row.outcome) for row in told), default=0), COLUMNS - 30)
    for row in told:
        print(f"  {row.outcome:<{width}}  {_six_places(row.value, words) if answer.chances else ''}{row.said}")
    return 0


def _six_places(value: float | None, words: Words) -> str:
    """A chance with six decimals, where these do not make it look impossible or certain."""
    told = "" if value is None else decimal(value, words, 6)
    hidden = value not in (0, 1) and told.strip("0.,") in ("", "1")
    return f"{'' if hidden else told:8}  "


def _decimal(said: str | None) -> Any:
    """A number with decimals, or the words themselves, to be refused."""
    with contextlib.suppress(ValueError, TypeError):
        return float(said or "")
    return said


def _recorded(chosen: argparse.Namespace) -> Session:
    """The session of a record, at the step named, or at its end."""
    if chosen.house or chosen.players is not None or chosen.preset is not None:
        raise BadRequest("error.ask.both")
    session = Session.replay(_loaded(chosen.record))
    if session.game.name != chosen.game:
        names = {"recorded": session.game, "asked": _kind(chosen)()}
        raise BadRequest("error.ask.record", **names)
    return session if chosen.at is None else session.goto(whole(chosen.at))


def _begun(chosen: argparse.Namespace) -> Session:
    """A session at its start; in Suicide King without the lot, so that seat 0 takes the first card unless a dealer is named."""
    if chosen.at is not None:
        raise BadRequest("error.ask.no_record")
    house = _house(_kind(chosen), chosen.house)
    made = game(chosen.game, whole(chosen.players), chosen.preset or "default", **house)
    if chosen.game == "suicide_king" and made.rules.first_dealer == "lot":
        made = game(chosen.game, made.players, chosen.preset or "default", **{**house, "first_dealer": made.players - 1})
    return Session(made, seed=0)


def _plain_answers(answer: Answer[Any]) -> list[dict[str, Any]]:
    """Each outcome with its number, and the cases or the interval behind it."""
    plain = []
    for outcome, found in answer.numbers.items():
        row: dict[str, Any] = {"outcome": int(outcome) if isinstance(outcome, int) else str(outcome), "p": found.mean}
        if isinstance(cards := getattr(outcome, "cards", None), int):
            row["cards"] = cards
        if isinstance(found, Exact) and found.count is not None:
            row["count"] = found.count
        if isinstance(found, Estimate):
            row |= {"low": found.low, "high": found.high}
        plain.append(row)
    return plain


def _serve(chosen: argparse.Namespace) -> int:
    try:
        from cardlab.dashboard import serve
    except ImportError as fault:
        raise BadRequest("error.extra", package=fault.name or "panel", extra="lab") from None
    serve(address=chosen.address, port=chosen.port, show=chosen.show, language=chosen.language)
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


if __name__ == "__main__":
    sys.exit(main())
