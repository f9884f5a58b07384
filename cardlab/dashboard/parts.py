"""What stands on the page of a game and nowhere else, as lines of HTML for its panes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from cardlab.chance.watched import Watched
from cardlab.core.events import TEACHER, Seat
from cardlab.core.game import AnyGame
from cardlab.dashboard.icons import icon
from cardlab.desk import Desk, keys, lines
from cardlab.words import Words, has

PRESSED: Final = {name: key for key, name in keys.KEYS.items()}  # the key of each button
SIGNS: Final = {"ArrowLeft": "←", "ArrowRight": "→", " ": "␣"}  # those that stand on it


def why_not(name: str, desk: Desk) -> str:
    """Why a button of the transport does nothing here; empty where it does."""
    if name in ("restart", "undo") and not desk.at:
        return desk.words.text("page.why.start")
    if name in ("step", "play", "mine", "finish", "whatif") and desk.over:
        return desk.words.text("page.why.over")
    if name in ("step", "play", "mine", "finish") and desk.ended:
        following = isinstance(desk.session, Watched) and desk.session.following
        return desk.words.text("page.why.tell" if following else "page.why.seen")
    if name == "mine" and desk.session.actor == desk.viewer:
        return desk.words.text("page.why.mine")
    return ""


def buttons(desk: Desk, playing: bool) -> list[str]:
    """The transport: a button a line; one that does nothing here says why."""
    text = desk.words.text
    labels = {name: text(f"screen.{name}") for name in ("restart", "undo", "step", "play")}
    if playing:
        labels["play"] = text("screen.pause")
    if isinstance(desk.viewer, Seat):
        labels["mine"] = text("stepper.mine")
    return [_button(name, label, "" if playing and name == "play" else why_not(name, desk), playing) for name, label in labels.items()]


def _button(name: str, label: str, why: str, playing: bool) -> str:
    key = PRESSED.get(name, "")
    sign = f"<kbd aria-hidden=true>{SIGNS[key]}</kbd>" if key in SIGNS else ""
    does = f'aria-disabled="true" data-why="{escape(why)}"' if why else f'data-say="{name}"'
    shortcut = f' aria-keyshortcuts="{"Space" if key == " " else key}"' if key else ""
    drawn = icon("pause" if playing and name == "play" else name)
    return f'<button class="{name}" data-key="{name}" {does}{shortcut}>{drawn}<span>{escape(label)}</span>{sign}</button>'


def whatif(desk: Desk) -> list[str]:
    """The button that leaves the line: what is played from here on is another game, and this one is kept."""
    return [_button("whatif", desk.words.text("page.whatif"), why_not("whatif", desk), playing=False)]


def place(desk: Desk) -> list[str]:
    """Where the moment stands in the game so far; on a phone without the word."""
    step, of = escape(desk.words.text("page.step")), escape(desk.words.text("page.of", last=len(desk)))
    return [f'<p><b><span class="word">{step} </span>{desk.at}</b> {of}</p>']


def tabs(names: Sequence[str], chosen: str, words: Words) -> list[str]:
    """What can stand beside the table, one of which does."""
    listed = "".join(
        f'<button role="tab" class="of-{name}" data-say="{name}" aria-selected="{str(name == chosen).lower()}">'
        f"{escape(words.text(f'page.tab.{name}'))}</button>"
        for name in names
    )
    return [f'<div role="tablist" aria-label="{escape(words.text("page.tabs"))}">{listed}</div>']


def ahead(desk: Desk) -> list[str]:
    """What comes next, above the odds where the log that says it is out of sight."""
    return [f'<div class="below">{"".join(lines.ahead(desk))}</div>']


def cover(words: Words) -> list[str]:
    """What stands in the place of the odds until somebody asks for them."""
    text = words.text
    return [
        f'<div class="cover"><b>{icon("lock")}{escape(text("page.covered"))}</b><span>{escape(text("page.guess_first"))}</span>'
        f'<button data-say="odds" aria-keyshortcuts="O">{escape(text("page.show_odds"))}<kbd aria-hidden=true>O</kbd></button></div>'
    ]


def covered(words: Words) -> list[str]:
    """What stands in the place of the boards until the odds are shown."""
    return [f'<p class="quiet covered-too">{icon("lock")}{escape(words.text("page.covered"))}</p>']


def key_list(words: Words) -> list[str]:
    """The keys and what they do."""
    listed = [*keys.key_list(words), ("O", words.text("page.show_odds")), ("G", words.text("guess.first")), ("?", words.text("page.keys"))]
    rows = "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(does)}</dd>" for key, does in listed)
    return [f"<dl>{rows}</dl>"]


def present(desk: Desk) -> list[str]:
    """What lies on the desk: the players, the seed for the teacher, the house rules where they are not the usual ones."""
    words, game = desk.words, desk.game
    said = [words.text("page.present", n=game.players)]
    if desk.viewer == TEACHER and desk.session.seed is not None:
        said.append(words.text("page.present_seed", seed=str(desk.session.seed)))
    whole = escape(" · ".join([*said, *_house(game, words)]))
    return [f'<p class="quiet" title="{whole}">{whole}</p>']


def _house(game: AnyGame, words: Words) -> list[str]:
    said = []
    for key, value in game.rules.changed().items():
        known = f"page.value.{key}.{value}"
        seat = game.rules.options()[key].seat and isinstance(value, int)
        shown = words.text(known) if has(known) else words.seat(value) if seat else words.show(value)
        said.append(f"{words.text(f'page.house.{key}')}: {shown}")
    return said
