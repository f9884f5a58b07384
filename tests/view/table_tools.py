"""A table's picture read back: where each card, pile, plate, chip and line of text stands, and which of them are in each other's way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from cardlab import GAMES, TEACHER, Session, game
from cardlab.core.events import Viewer
from cardlab.core.game import AnyGame
from cardlab.view.blocks import wide

SVG = "{http://www.w3.org/2000/svg}"
# every number of players, and the house rules that lay other things on the table
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    f"{name} {n}": (name, {"players": n}) for name in GAMES for n in GAMES[name].player_counts
} | {
    "batch": ("suicide_king", {"players": 3, "extra_cards": "batch"}),
    "dropout": ("fight_for_the_lead", {"players": 5, "refusal": "pagat_dropout"}),
    "one by one": ("fight_for_the_lead", {"players": 4, "exchange": "one_by_one"}),
    "poor": ("fight_for_the_lead", {"players": 3, "bankroll": 20}),
    "any offer": ("poker_marshal", {"offers": "ask_or_offer", "swap": "take_then_give"}),
}
LEAST = 12  # px, of a line of text
LETTER = (0.42, 0.5)  # of a card's width and height: its letter and its suit stand there


@cache
def played(table: str, seed: int = 0, deals: int = 3) -> Session:
    """A whole game at random, at its end; do not play on in it."""
    name, house = TABLES[table]
    short = {"deals": deals} if "deals" in GAMES[name].rules_type.options() else {}
    session = Session(game(name, **house, **short), seed=seed)
    session.auto("random", until="game")
    return session


def viewers(played: AnyGame) -> list[Viewer]:
    """Every viewpoint of a game."""
    return [*played.seats, None, TEACHER]


@dataclass(frozen=True)
class Box:
    """A rectangle of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, slack: float = 0.5) -> bool:
        """Whether two overlap by more than a hair."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > slack and min(self.bottom, other.bottom) - max(self.top, other.top) > slack

    def within(self, other: Box) -> bool:
        """Whether this one lies inside another."""
        return other.left <= self.left and self.right <= other.right and other.top <= self.top and self.bottom <= other.bottom


@dataclass(frozen=True)
class Thing:
    """Something that is drawn: what it is, where, and to what it belongs."""

    kind: str  # card, paper, place, plate, chip, row, flag, mark, text
    box: Box
    zone: str = ""  # where the cards lie
    said: str = ""  # a text, or the label of a card or pile
    size: float = 0  # of a text
    bold: bool = False


def shapes(element: ElementTree.Element, x: float = 0, y: float = 0, zone: str = "", label: str = "") -> Iterator[Thing]:
    """Everything that is drawn, in the order of drawing."""
    for child in element:
        tag, given = child.tag.removeprefix(SVG), child.attrib
        if tag in ("defs", "symbol") or given.get("display") == "none":
            continue
        if tag == "g":
            dx, dy = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", given["transform"]).groups()) if "transform" in given else (0, 0)  # type: ignore[union-attr]
            spoken = given.get("aria-label", label)
            here = given.get("data-zone") or zone or (f"alone {spoken} {x} {y}" if given.get("aria-label") else "")
            yield from shapes(child, x + dx, y + dy, here, spoken)
        elif tag == "text":
            yield Thing("text", text_box(child, x, y), zone, child.text or "", float(given["font-size"]), "font-weight" in given)
        elif tag in ("rect", "use"):
            left, top = x + float(given.get("x", 0)), y + float(given.get("y", 0))
            box = Box(left, top, left + float(given["width"]), top + float(given["height"]))
            yield Thing(kind_of(tag, given), box, zone, label)


def kind_of(tag: str, given: dict[str, str]) -> str:
    """What a rectangle or a drawing is."""
    if tag == "use":
        return "card" if given.get("class") == "card" else "sign"
    if given.get("class") in ("new", "chosen"):
        return "mark"
    if "stroke-dasharray" in given and given.get("fill") == "none":
        return "place"
    if given.get("fill") == "#FFFDF8":
        return "paper"
    return {"20": "plate", "14": "felt", "9": "flag"}.get(given["rx"]) or ("row" if "stroke-width" in given else "chip")


def text_box(text: ElementTree.Element, x: float, y: float) -> Box:
    """Where a line stands, by the measure of the layout, which a test compares with that of a browser."""
    given = text.attrib
    size = float(given["font-size"])
    long = wide(text.text or "", size, given.get("font-weight") == "700")
    left = x + float(given["x"]) - {"middle": long / 2, "end": long}.get(given.get("text-anchor", ""), 0)
    foot = y + float(given["y"])
    return Box(left, foot - 0.75 * size, left + long, foot + 0.2 * size)


@dataclass(frozen=True)
class Drawn:
    """A picture read back."""

    frame: Box
    things: tuple[Thing, ...]

    @classmethod
    def of(cls, markup: str) -> Drawn:
        """Reads a picture."""
        root = ElementTree.fromstring(markup)
        frame = Box(*map(float, root.attrib["viewBox"].split()))
        return cls(frame, tuple(thing for thing in shapes(root) if thing.kind != "felt"))

    def all(self, *kinds: str) -> list[Thing]:
        """The things of some kinds."""
        return [thing for thing in self.things if thing.kind in kinds]


def faults(drawn: Drawn) -> Iterator[tuple[str, Thing, Thing | None]]:
    """What is wrong with a picture: something outside it, hidden, too small, or in the way of something else."""
    for thing in drawn.things:
        if not thing.box.within(drawn.frame):
            yield "outside", thing, None
        if thing.kind == "text" and thing.size < LEAST:
            yield "small", thing, None
    solid = drawn.all("card", "place", "paper", "plate", "chip", "flag", "mark", "text")
    for one, other in combinations(solid, 2):
        if one.box.meets(other.box) and not may_meet(one, other):
            yield " meets ".join(sorted((one.kind, other.kind))), one, other
    cards = drawn.all("card")
    for k, card in enumerate(cards):
        for above in cards[k + 1 :]:
            if letter(card.box).meets(above.box):
                yield "letter hidden", card, above


def letter(card: Box) -> Box:
    """The part of a card that tells what it is."""
    share, tall = LETTER
    return Box(card.left, card.top, card.left + share * (card.right - card.left), card.top + tall * (card.bottom - card.top))


def may_meet(one: Thing, other: Thing) -> bool:
    """Whether two things are one above the other on purpose: the cards of a fan or a pile, the words on their ground."""
    kinds = {one.kind, other.kind}
    if one.zone and one.zone == other.zone:
        return "text" not in kinds or "flag" in kinds or one.said != other.said
    ground, text = (one, other) if other.kind == "text" else (other, one)
    return ground.kind in ("plate", "chip", "flag") and text.kind == "text" and text.box.within(ground.box)
