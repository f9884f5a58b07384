"""Playing and replaying in a terminal or a pipe."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import textwrap
from pathlib import Path
from typing import Final, TextIO

from cardlab.cli.named import COLUMNS, house_of, kind, loaded
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Seat
from cardlab.desk import Desk, Move
from cardlab.desk.asked import SPECTATOR, whole
from cardlab.words.errors import CardlabError
from cardlab.words.percents import percent

MOST_MOVES: Final = 20  # more moves than these stand in a few lines


def play(chosen: argparse.Namespace) -> int:
    """Steps through a game, or plays a seat of it."""
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
        **house_of(kind(chosen), chosen.house),
    )
    return Terminal(_looked_at(desk, chosen.seat), sys.stdin, sys.stdout, chosen.save).run()


def replay(chosen: argparse.Namespace) -> int:
    """Steps through a recorded game."""
    desk = Desk.of(loaded(chosen.file), language=chosen.language, pace=chosen.pace)
    return Terminal(_looked_at(desk, chosen.seat), sys.stdin, sys.stdout, None).run()


def _looked_at(desk: Desk, seat: str) -> Desk:
    """The desk as somebody sees it whom the command line names."""
    try:
        return desk.set_viewer(None if seat == SPECTATOR else whole(seat))
    except BadRequest:
        raise BadRequest("terminal.seat", seat=quoted(seat), last=desk.game.players - 1) from None


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
