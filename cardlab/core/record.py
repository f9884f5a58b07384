"""Records: a played game as JSON lines, a header, one action a line and a closing line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardlab.core import streams
from cardlab.core.errors import BadGame, BadRecord, IllegalAction, Reason, quoted
from cardlab.core.events import Seat
from cardlab.core.files import write_whole
from cardlab.core.game import OVER, Action, AnyGame
from cardlab.core.registry import GAMES, game
from cardlab.words import Phrase
from cardlab.words.errors import CardlabError

if TYPE_CHECKING:
    from cardlab.core.session import Session

SCHEMA: Final = 1
CHANCE_NAME: Final = "chance"
LONGEST_LINE: Final = 4_000  # characters; a header is under 600, an action under 100


@dataclass(frozen=True)
class Record:
    """A game's header and its actions, chance included; each action stands beside who did it, a seat or "chance".

    >>> from cardlab import Session
    >>> record = Session(game("suicide_king", players=2), seed=7).record
    >>> Record.loads(record.dumps()) == record
    True
    """

    game: AnyGame
    seed: int | None
    index: int
    actions: tuple[tuple[int | str, Action], ...]

    def game_header(self) -> dict[str, Any]:
        """Game, version, players and all house rules, as JSON values."""
        rules = {f.name: getattr(self.game.rules, f.name) for f in fields(self.game.rules)}
        return {"game": self.game.name, "version": self.game.version, "players": self.game.players, "rules": rules}

    def dumps(self) -> str:
        """The record as text."""
        lines: list[dict[str, Any]] = [{"cardlab": SCHEMA, **self.game_header(), "seed": self.seed, "index": self.index}]
        lines += [{"by": by, "do": str(action)} for by, action in self.actions]
        lines.append({"end": len(self.actions)})
        return "".join(json.dumps(line) + "\n" for line in lines)

    @classmethod
    def loads(cls, text: str | bytes) -> Record:
        """The record of a text, each action tried against the rules; raises BadRecord with the number of the first wrong line."""
        read = rows(text)
        first = next(read, None)
        if first is None:
            raise BadRecord("error.record.empty", line=1)
        number, row = first
        played, seed, index = read_header(number, read_line(number, row))
        state, actions = played.start(), list[tuple[int | str, Action]]()
        for number, row in read:
            line = read_line(number, row)
            if "end" in line:
                if line != {"end": len(actions)} or type(line["end"]) is not int:
                    raise BadRecord("error.record.end", line=number, n=len(actions))
                if next(read, None) is not None:
                    raise BadRecord("error.record.after_end", line=number + 1)
                return cls(played, seed, index, tuple(actions))
            actor = played.actor(state)
            if actor is OVER:
                raise BadRecord("error.record.over", line=number)
            due = int(actor) if isinstance(actor, Seat) else CHANCE_NAME
            if set(line) != {"by", "do"} or not isinstance(line["do"], str):
                raise BadRecord("error.record.action", line=number)
            if type(line["by"]) is not type(due) or line["by"] != due:
                raise BadRecord("error.record.by", line=number, by=quoted(line["by"]), due=str(due))
            try:
                action = Action.parse(line["do"])
                state = played.apply(state, action).after
            except CardlabError as fault:
                raise BadRecord("error.record.illegal", line=number, why=_why(fault)) from None
            actions.append((line["by"], action))
        raise BadRecord("error.record.truncated", line=number + 1)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """The record in a file; raises BadRecord or OSError."""
        return cls.loads(Path(path).read_bytes())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record; the file is always whole."""
        write_whole(path, self.dumps().encode())

    def session(self) -> Session:
        """The game as a session that stands at its end."""
        from cardlab.core.session import Session

        return Session.replay(self)


def rows(text: str | bytes) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without a byte order mark; lines that end as on Windows are JSON too."""
    newline: Any = b"\n" if isinstance(text, bytes) else "\n"
    number = start = 0
    while start < len(text):
        found = text.find(newline, start)
        end = len(text) if found < 0 else found
        number += 1
        if end - start > LONGEST_LINE:
            raise BadRecord("error.record.long", line=number, n=end - start, most=LONGEST_LINE)
        row = text[start:end]
        try:
            decoded = row.decode() if isinstance(row, bytes) else row
            decoded.encode()  # a text may hold half of a surrogate pair
        except UnicodeError:
            raise BadRecord("error.record.utf8", line=number) from None
        yield number, decoded.removeprefix("\ufeff") if number == 1 else decoded
        start = end + 1


def read_line(number: int, row: str) -> dict[str, Any]:
    """The names and values of a line; raises BadRecord."""
    try:
        value = json.loads(row, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise BadRecord("error.record.json", line=number) from None
    if not isinstance(value, dict):
        raise BadRecord("error.record.object", line=number)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def _why(fault: CardlabError) -> Reason | Phrase:
    return fault.reason if isinstance(fault, IllegalAction) else fault.phrase


def read_header(line: int, header: dict[str, Any]) -> tuple[AnyGame, int | None, int]:
    """The game, the seed and the index that a header names; raises BadRecord."""
    names = ("cardlab", "game", "version", "players", "rules", "seed", "index")
    if set(header) != set(names) or header["players"] is None:
        raise BadRecord("error.record.header", line=line, names=", ".join(names))
    if type(header["cardlab"]) is not int or header["cardlab"] != SCHEMA:
        raise BadRecord("error.record.schema", line=line, schema=quoted(header["cardlab"]), right=SCHEMA)
    name, rules, players = header["game"], header["rules"], header["players"]
    if not isinstance(name, str) or name not in GAMES:
        raise BadRecord("error.record.game", line=line, name=quoted(name), names=", ".join(GAMES))
    kind = GAMES[name]
    if type(header["version"]) is not int or header["version"] != kind.version:
        raise BadRecord("error.record.version", line=line, version=quoted(header["version"]), right=kind.version)
    keys = kind.rules_type.options()
    if not isinstance(rules, dict) or set(rules) != set(keys):
        raise BadRecord("error.record.rules", line=line, names=", ".join(keys))
    try:
        played = game(name, players=players, **rules)
        for key, value in rules.items():
            if value != getattr(played.rules, key):  # "8" for 8: an option's text, but no value of a record
                raise BadGame("error.house_value", rule=key, value=quoted(value), allowed=keys[key].phrase(players))
    except CardlabError as fault:
        raise BadRecord("error.record.illegal", line=line, why=_why(fault)) from None
    seed, index = header["seed"], header["index"]
    for name, value in (("seed", seed), ("index", index)):
        if not (value is None and name == "seed") and (type(value) is not int or not 0 <= value <= streams.MASK):
            why = Phrase.of("error.seed", name=name, value=quoted(value))
            raise BadRecord("error.record.illegal", line=line, why=why)
    return played, seed, index
