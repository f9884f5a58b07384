"""Links: the moment on a desk as a short text, for the teacher with the seed, for a seat or a spectator with what it has seen and no more.

A link is a version, a checksum and a packed body: a header, and the moves or the details of what was seen as one whole number, each
digit of it in the base of its choices. So a legal move costs no more than the others leave open, a card no more than those unseen, and
what the seed gives or a viewpoint does not see costs nothing.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import blake2s
from itertools import pairwise
from typing import Any, Final, NoReturn

from cardlab.chance.telling import Moment as Believed
from cardlab.chance.telling import Telling, seen
from cardlab.chance.watched import Watched
from cardlab.core import streams
from cardlab.core.dealer import NoDealer, Seeded
from cardlab.core.errors import BadRequest
from cardlab.core.events import TEACHER, Viewer
from cardlab.core.game import CHANCE, OVER, AnyGame
from cardlab.core.reading import MOST_STEPS
from cardlab.core.record import Record
from cardlab.core.registry import GAMES, game
from cardlab.core.session import Session
from cardlab.desk.desk import Desk
from cardlab.desk.downloads import Download
from cardlab.words import LANGUAGES
from cardlab.words.errors import CardlabError

LONGEST: Final = 1_900  # characters: with the address of the page 2,000, which mail programs and chats leave whole
LARGEST: Final = 400_000  # characters of a text that is read at all
UNPACKED: Final = 200_000  # bytes of the body
MARK: Final = "cl1-"
SUM: Final = 6  # bytes
HEADER: Final = {"g", "p", "r", "v", "s", "i", "n", "a", "l", "x", "f"}
Digit = tuple[int, int]  # the number of choices, and the one that was made


@dataclass(frozen=True)
class Shared:
    """What is shared of a moment: the text of its link, and the file in its place where that is too long."""

    text: str
    file: Download

    @property
    def fits(self) -> bool:
        """Whether the link is short enough to be sent."""
        return len(self.text) <= LONGEST


def share(desk: Desk) -> Shared:
    """The link of the moment on a desk, as its viewpoint knows it; raises BadRequest for a possible world, which has no link.

    >>> desk = Desk("suicide_king", players=2, seed=7).step().step()
    >>> again = desk_of(share(desk).text)
    >>> again.at, again.session.seed, len(share(desk.set_viewer(None)).text) < 200
    (2, 7, True)
    """
    session = desk.session
    if session.tree.state != session.game.start() and not isinstance(session, Watched):
        raise BadRequest("error.link.world")
    if isinstance(session, Watched):
        header, digits = _watched(session)
    elif desk.viewer == TEACHER:
        header, digits = _recorded(session)
    else:
        header, digits = _seen(session, desk.viewer)
    text = packed(header | {"a": session.at, "l": desk.words.language}, digits)
    return Shared(text, Download(f"cardlab-{session.game.name}-{session.at}.txt", "text/plain;charset=utf-8", (text + "\n").encode()))


def _header(of: AnyGame, viewer: Viewer, **more: Any) -> dict[str, Any]:
    seen_by = viewer if viewer is None or viewer == TEACHER else int(viewer)
    return {"g": [*GAMES].index(of.name), "p": of.players, "r": of.rules.changed(), "v": seen_by, **more}


def _recorded(session: Session) -> tuple[dict[str, Any], list[Digit]]:
    """The whole line: what was played, and what chance gave where the seed does not give it."""
    digits: list[Digit] = []
    other: list[int] = []  # steps at which chance gave something else than the seed does
    seeded, of = isinstance(session.dealer, Seeded), session.game
    for n, (before, moment) in enumerate(pairwise(session.line)):
        assert moment.step is not None
        action, chance = moment.step.action, of.actor(before.state) is CHANCE
        if chance and seeded and session.dealt(before) == action:
            continue
        options = of.draw(before.state).options if chance else of.legal(before.state)
        digits.append((len(options), options.index(action)))
        other += [n] if chance and seeded else []
    header = _header(of, TEACHER, s=session.seed if seeded else None, i=session.index if seeded else 0, n=len(session))
    return header | ({"x": other} if other else {}), digits


def _seen(session: Session, viewer: Viewer) -> tuple[dict[str, Any], list[Digit]]:
    """What a viewpoint has seen so far: as far as it goes the true states are one of its worlds."""
    digits: list[Digit] = []
    view = session.game.blank(viewer)
    for step in session.steps:
        shown = seen(step, viewer)
        digits += _digits(Telling.of(Believed(view, step.before), shown))
        for event in shown:
            view = session.game.see(view, event)
    return _header(session.game, viewer, n=session.at), digits


def _watched(session: Watched) -> tuple[dict[str, Any], list[Digit]]:
    digits: list[Digit] = []
    for moment in session.line[1:]:
        assert moment.step is not None
        before: Any = moment.parent
        digits += _digits(Telling.of(before.believed, moment.step.events))
    header = _header(session.game, session.viewer, n=len(session), f=1 + session.following)
    return header, digits


def _digits(telling: Telling) -> list[Digit]:
    return [(detail.ways, detail.rank(value)) for detail, value, told in telling.values if told]


def packed(header: dict[str, Any], digits: list[Digit]) -> str:
    """The text of a link."""
    value = 0
    for choices, digit in reversed(digits):
        value = value * choices + digit
    number = value.to_bytes((value.bit_length() + 7) // 8, "big")
    body = zlib.compress(json.dumps(header, separators=(",", ":")).encode() + b"\n" + number, 9)
    whole = len(body).to_bytes(3, "big") + blake2s(body, digest_size=SUM).digest() + body
    return MARK + _coded(whole)


def _coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


# reading


def desk_of(text: str | bytes, **options: Any) -> Desk:
    """The desk of a link, of an address that holds one, or of a file: a record or an export is read, too.

    Raises BadRequest (BadRecord for a record and an export) for what is none; never is a part of it taken.
    """
    if len(text) > LARGEST:
        raise BadRequest("error.link.large", n=len(text), most=LARGEST)
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if said.lstrip("\ufeff \r\n").startswith("{"):
        return _from_lines(text, **options)
    header, number = _unpacked("".join(said.split()))
    played, viewer = _game(header)
    if header["l"] not in LANGUAGES:
        _damaged()
    session = (_replayed if viewer == TEACHER and "f" not in header else _told)(played, viewer, header, _Digits(number))
    return Desk.on(session.goto(header["a"]), **{"language": header["l"], "seat": viewer} | options)


def _from_lines(text: str | bytes, **options: Any) -> Desk:
    first = text[:200] if isinstance(text, bytes) else text[:200].encode("utf-8", "replace")
    if b'"cardlab_events"' not in first:
        return Desk.of(Record.loads(text), **options)
    watched = Watched.loads(text)
    return Desk.on(watched, **options | {"seat": watched.viewer})


def _damaged() -> NoReturn:
    raise BadRequest("error.link.changed")


def _unpacked(text: str) -> tuple[dict[str, Any], int]:
    """The header and the number of a link; raises BadRequest."""
    start = text.find(MARK)
    if start < 0:
        raise BadRequest("error.link.none")
    coded = text[start + len(MARK) :].partition("&")[0]
    if coded and not (coded.isascii() and coded.replace("-", "a").replace("_", "a").isalnum()):
        _damaged()
    if len(coded) % 4 == 1 or not coded:
        raise BadRequest("error.link.cut")
    whole = urlsafe_b64decode(coded + "=" * (-len(coded) % 4))
    size, digest, body = int.from_bytes(whole[:3], "big"), whole[3 : 3 + SUM], whole[3 + SUM :]
    if len(whole) < 3 + SUM or len(body) < size:
        raise BadRequest("error.link.cut")
    if len(body) > size or blake2s(body, digest_size=SUM).digest() != digest or _coded(whole) != coded:
        _damaged()
    try:
        unpacking = zlib.decompressobj()
        head, _, number = unpacking.decompress(body, UNPACKED).partition(b"\n")
        header = json.loads(head)
    except (zlib.error, ValueError, RecursionError):
        _damaged()
    if not unpacking.eof or not isinstance(header, dict):
        _damaged()
    return header, int.from_bytes(number, "big")


def _game(header: dict[str, Any]) -> tuple[AnyGame, Viewer]:
    """The game and the viewpoint of a header, all of whose values are looked at; raises BadRequest."""
    whole = {name: value for name, value in header.items() if name in ("g", "p", "n", "a", "i", "f") and type(value) is int and value >= 0}
    need = {"g", "p", "n", "a"}
    if set(header) - HEADER or not {"r", "v", "l"} | need <= set(header) or set(whole) != (need | {"i", "f"}) & set(header):
        _damaged()
    if not (isinstance(header["r"], dict) and header["g"] < len(GAMES) and header["a"] <= header["n"] <= MOST_STEPS):
        _damaged()
    other = header.get("x", [])
    if not (isinstance(other, list) and all(type(n) is int and 0 <= n < header["n"] for n in other)):
        _damaged()
    seed = header.get("s")
    if (seed is not None and (type(seed) is not int or not 0 <= seed <= streams.MASK)) or header.get("i", 0) > streams.MASK:
        _damaged()
    if isinstance(header["v"], bool | float) or ("s" in header and header["v"] != TEACHER) or header.get("f", 1) not in (1, 2):
        _damaged()
    if set(header["r"]) - set(GAMES[[*GAMES][header["g"]]].rules_type.options()):
        _damaged()
    try:
        played = game([*GAMES][header["g"]], header["p"], **header["r"])
        return played, played.viewer(header["v"])
    except (CardlabError, TypeError):
        _damaged()


class _Digits:
    """The digits of a number, the first one first."""

    def __init__(self, number: int) -> None:
        self.number = number

    def next(self, choices: int) -> int:
        """The next digit; raises BadRequest where there is no choice."""
        if choices < 1:
            _damaged()
        self.number, digit = divmod(self.number, choices)
        return digit

    def end(self) -> None:
        """Raises BadRequest if there is more."""
        if self.number:
            _damaged()


def _replayed(of: AnyGame, viewer: Viewer, header: dict[str, Any], digits: _Digits) -> Session:
    seed, other = header.get("s"), {*header.get("x", [])}
    session = Session(of, dealer=NoDealer() if seed is None else Seeded(seed, header.get("i", 0)))
    for n in range(header["n"]):
        actor = session.actor
        if actor is OVER:
            _damaged()
        if actor is CHANCE and seed is not None and n not in other:
            session.play()
            continue
        options = of.draw(session.state).options if actor is CHANCE else session.legal
        session.play(options[digits.next(len(options))])
    digits.end()
    return session


def _told(of: AnyGame, viewer: Viewer, header: dict[str, Any], digits: _Digits) -> Session:
    watched = Watched(of, viewer, following=header.get("f") == 2)
    for _ in range(header["n"]):
        if watched.actor is OVER:
            _damaged()
        telling = Telling(watched.believed)
        while telling.detail is not None:
            telling.tell(telling.detail.value(digits.next(telling.detail.ways)))
        watched.add_told(telling.after())
    digits.end()
    return watched
