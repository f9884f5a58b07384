"""The address of a page: what it asks for, and the one that leads back to where somebody is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from cardlab.chance.watched import Watched
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER
from cardlab.core.registry import GAMES
from cardlab.desk import Desk
from cardlab.desk.asked import seed_of, whole
from cardlab.desk.links import desk_of, share
from cardlab.words import LANGUAGES
from cardlab.words.errors import CardlabError

HOUSE: Final = frozenset(key for kind in GAMES.values() for key in kind.rules_type.options())
NAMES: Final = HOUSE | {"game", "players", "preset", "seed", "index", "policy", "language", "theme", "projector", "guess", "tab", "link"}
DEMO: Final = frozenset({"demo", "title", "after"})  # of the page of demonstrations

MOST_READ: Final = 20
READ: Final[dict[str, Desk | CardlabError]] = {}  # what links lead to, until it is shown


@dataclass(frozen=True, slots=True)
class Look:
    """How the pages look, whatever they show."""

    language: str = "en"
    dark: bool = False
    projector: bool = False
    guess: bool = False  # whether the odds are to be guessed first

    def link(self, **asked: str) -> str:
        """The address of a page that looks so.

        >>> Look("ru", dark=True).link(game="poker_marshal")
        '?game=poker_marshal&language=ru&theme=dark'
        """
        look = {"language": self.language, "theme": "dark" if self.dark else "light"}
        switched = {"projector": self.projector, "guess": self.guess}
        return "?" + urlencode(asked | look | {name: "1" for name, on in switched.items() if on})


def asked_for(arguments: Mapping[str, Sequence[bytes]]) -> dict[str, str]:
    """What an address asks for, of what can be asked for."""
    return {name: values[0].decode("utf-8", "replace") for name, values in arguments.items() if name in NAMES | DEMO and values}


def look_of(asked: Mapping[str, str], language: str = "en") -> Look:
    """How the page is to look; an unknown language is refused elsewhere."""
    wanted = asked.get("language", language)
    return Look(
        wanted if wanted in LANGUAGES else language,
        asked.get("theme") == "dark",
        *(asked.get(name) == "1" for name in ("projector", "guess")),
    )


def desk_for(asked: Mapping[str, str], language: str = "en") -> tuple[Desk, CardlabError | None]:
    """The desk that an address asks for, or the usual one and what is wrong.

    >>> desk_for({"game": "poker_marshal", "seed": "7"})[0].session
    <Session game('poker_marshal', players=5) seed=7, index=0 step 0 of 0>
    """
    name = asked.get("game", "suicide_king")
    try:
        if "link" in asked:
            return opened(asked["link"], asked.get("language")), None
        house: dict[str, Any] = {key: asked[key] for key in (GAMES[name].rules_type.options() if name in GAMES else ()) if key in asked}
        desk = Desk(
            name,
            _players(asked),
            asked.get("preset", "default"),
            seed_of(asked.get("seed", "")),
            whole(asked.get("index", "0")),
            language=asked.get("language", language),
            policy=asked.get("policy", "random"),
            **house,
        )
    except CardlabError as fault:
        return Desk(language=look_of(asked, language).language), fault
    return desk, None


def opened(link: str, language: str | None = None) -> Desk:
    """The desk that a link leads to: the one that was read beside the pages, if it was."""
    found = READ.pop(link) if link in READ else found_in(link)
    if isinstance(found, CardlabError):
        raise found
    if language is not None:
        found.set_language(language)
    return found


def keep(link: str, found: Desk | CardlabError) -> None:
    """Keeps what was read beside the pages for whoever opens the link next: a long game as a seat has seen it takes seconds."""
    READ[link] = found
    while len(READ) > MOST_READ:  # somebody asked and did not come for it
        READ.pop(next(iter(READ)))


def found_in(text: str, language: str | None = None) -> Desk | CardlabError:
    """The desk that a link or a file leads to, or why it does not."""
    try:
        return desk_of(text, **({} if language is None else {"language": language}))
    except CardlabError as refusal:
        return refusal


def address_of(desk: Desk, look: Look) -> str:
    """The address that leads to the game on the desk; the seed is the teacher's, since it tells every card.

    What was watched cannot be dealt again: its address is its link, if that is short enough.
    """
    if isinstance(desk.session, Watched):
        shared = share(desk)
        return look.link(**({"link": shared.text} if shared.fits else {}))
    game = desk.game
    asked = {"game": game.name, "players": str(game.players)}
    if desk.preset != "default":
        asked["preset"] = desk.preset
    rules = type(game.rules)
    usual = rules(**rules.presets[desk.preset])
    asked |= {key: str(getattr(game.rules, key)) for key in rules.options() if getattr(game.rules, key) != getattr(usual, key)}
    if desk.viewer == TEACHER and desk.session.seed is not None:
        asked["seed"] = str(desk.session.seed)
        asked |= {"index": str(desk.session.index)} if desk.session.index else {}
        asked |= {"policy": desk.policy} if desk.policy != "random" else {}
    return look.link(**asked)


def way_back(desk: Desk, look: Look) -> str:
    """A query that leads to the moment on a desk, as its viewpoint knows it; for a long game the name and the text of a file that does.

    >>> way_back(Desk("suicide_king", players=2, seed=7).step(), Look()).startswith("?link=cl1-")
    True
    """
    try:
        shared = share(desk)
    except BadRequest:  # a possible world has no link
        return address_of(desk, look)
    return look.link(link=shared.text) if shared.fits else f"{shared.file.name}\n{shared.text}"


def _players(asked: Mapping[str, str]) -> int | None:
    text = asked.get("players")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadRequest("page.error.players", players=quoted(text))
    return int(text)
