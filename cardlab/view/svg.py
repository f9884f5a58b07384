"""The table as a picture: where each piece stands, on a wide screen and on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from cardlab.core.game import AnyGame
from cardlab.view.blocks import FAN, SIGN, Block, Draft, beside, colour, fan, flowing, line, lying, notes, piece, pile, plate, stacked, wide
from cardlab.view.drawings import RATIO, alone
from cardlab.view.scene import Group, Scene, SeatRow, scene
from cardlab.view.tokens import FONT
from cardlab.words import Words

WIDTH, NARROW = 656, 366  # of the whole picture
LEAST: Final = {WIDTH: 560, NARROW: 0}  # height: the table keeps its size from step to step
EDGE: Final = 14
SIDE: Final = 198  # the room of a player at the left or the right
NAMED: Final = 13  # between a plate and the cards below it, for the word over a card that has just moved
SMALL, OWN, TRICK = 50, 80, 54  # widths of cards
# where the cards of a ring lie around its middle, by the place of their owner, in widths of a card
AROUND: Final = {
    "bottom": (0, 0.9), "left": (-1.65, 0.1), "top": (0, -0.9), "right": (1.65, 0.1), "top 1": (-0.62, -0.95), "top 2": (0.62, -0.95),
}  # fmt: skip
RINGS: Final = ("fight", "trick", "drawn")  # groups of which each card lies before its player
PLACES: Final[dict[int, tuple[str, ...]]] = {
    1: ("bottom",), 2: ("bottom", "top"), 3: ("bottom", "top 1", "top 2"), 4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top 1", "top 2", "right"),
}  # fmt: skip


def svg(game: AnyGame, view: Any, words: Words, narrow: bool = False) -> str:
    """The table as a viewer knows it, as one SVG element that needs nothing else; a face-down card is a back, and nothing tells which.

    ``narrow`` draws it for a phone.

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2), seed=7)
    >>> svg(session.game, session.view(), Words()).startswith("<svg")
    True
    """
    return alone(picture(scene(game, view), Draft(words), narrow), words.language)


def picture(table: Scene, draft: Draft, narrow: bool = False, **data: str) -> str:
    """The table as an SVG element that uses the drawings of a sprite; ``data`` becomes attributes such as ``data-step``."""
    heading = " · ".join(draft.words.show(part) for part in table.heading)
    width = NARROW if narrow else WIDTH
    body = _narrow(table, draft) if narrow else _wide(table, draft)
    height = max(body.height, LEAST[width])
    attributes = "".join(f" data-{name}={quoteattr(value)}" for name, value in data.items())
    return (
        f'<svg class="cl-table" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="100%" role="group" '
        f'aria-label={quoteattr(heading)} font-family="{FONT}"{attributes} '
        f'style="max-width:{width * 13 // 10}px;height:auto;display:block">'
        f'<rect width="{width}" height="{height:g}" rx="14" fill="{colour("felt")}"/>{body.drawn}</svg>'
    )


def _heading(table: Scene, draft: Draft, room: float) -> Block:
    """The moment at the left, the facts that concern all at the right, or below where there is no room."""
    *first, phase = map(draft.words.show, table.heading)
    told = [" · ".join([*first, phase])]
    if wide(told[0], 13.5) > room:
        told = [" · ".join(first), phase]
    facts = " · ".join(map(draft.words.show, table.facts))
    drawn = [line(said, 0, 14 + 18 * k, 13.5, "ink2") for k, said in enumerate(told)]
    if facts and wide(told[-1], 13.5) + wide(facts, 13.5, True) + 20 <= room:
        drawn.append(line(facts, room, 18 * len(told) - 4, 13.5, bold=True, anchor="end"))
    elif facts:
        drawn.append(line(facts, 0, 18 * len(drawn) + 14, 13.5, bold=True))
        told.append(facts)
    return Block(room, 18 * len(told), "".join(drawn))


def _from_below(seats: Sequence[SeatRow]) -> list[SeatRow]:
    """The seats clockwise from the one that sits at the bottom: the viewer's, or the first."""
    own = next((k for k, row in enumerate(seats) if row.own), 0)
    return [*seats[own:], *seats[:own]]


# a wide table


def _wide(table: Scene, draft: Draft) -> Block:
    if table.piled:
        return _piled(table, draft)
    rows = _from_below(table.seats)
    places = PLACES[len(rows)]
    tops = [k for k, place in enumerate(places) if place.startswith("top")]
    rooms = {"left": SIDE, "right": SIDE, "top": 420, "top 1": 290, "top 2": 290}
    seats = {place: _seat(row, draft, rooms[place]) for place, row in zip(places, rows, strict=True) if place != "bottom"}
    ring = [group for group in table.middle if group.key in RINGS]
    aside = [_group(group, draft, *((34, 150) if len(group.cards) > 4 else (46, 120))) for group in table.middle if group.aside]
    corner = flowing(aside, 236, 10)
    own = _own(rows[0], draft, WIDTH - 2 * EDGE - (corner.width + 16 if corner.width else 0))
    centre = _centre(table, draft, ring, dict(zip((row.seat for row in rows), places, strict=True)))
    head = _heading(table, draft, WIDTH - 2 * EDGE)

    top_end = EDGE + head.height + 8 + max((seats[places[k]].height for k in tops), default=0)
    foot = max(own.height, corner.height)
    middle = max(centre.height, *(seats[place].height for place in ("left", "right") if place in seats), 0)
    height = max(LEAST[WIDTH], top_end + middle + foot + 2 * 16 + EDGE)
    across = (top_end + height - EDGE - foot) / 2  # where the middle of the table lies
    parts = [_oval(WIDTH / 2, across, 200, (height - EDGE - foot - top_end) / 2 + 30), head.at(EDGE, EDGE)]
    for place, block in seats.items():
        if place == "left":
            parts.append(block.at(EDGE, across - block.height / 2))
        elif place == "right":
            parts.append(block.at(WIDTH - EDGE - block.width, across - block.height / 2))
        else:
            x = {"top": WIDTH / 2, "top 1": WIDTH * 0.25, "top 2": WIDTH * 0.75}[place]
            parts.append(block.at(x - block.width / 2, EDGE + head.height + 8))
    parts.append(centre.at(WIDTH / 2 - centre.width / 2, across - centre.height / 2))
    free = WIDTH - (corner.width + 16 if corner.width else 0)
    parts.append(own.at(max(EDGE, (free - own.width) / 2), height - EDGE - own.height))
    parts.append(corner.at(WIDTH - EDGE - corner.width, height - EDGE - corner.height))
    return Block(WIDTH, height, "".join(parts))


def _piled(table: Scene, draft: Draft) -> Block:
    """The piles in the middle, the players with their heaps at the sides: clockwise, up at the left and down at the right."""
    rows = _from_below(table.seats)
    half = (len(rows) + 1) // 2
    left = [_seat(row, draft, SIDE) for row in reversed(rows[:half])]
    right = [_seat(row, draft, SIDE) for row in rows[half:]]
    head = _heading(table, draft, WIDTH - 2 * EDGE)
    top = EDGE + head.height + 10
    tall = max(sum(block.height for block in side) + 14 * (len(side) - 1) for side in (left, right))
    height = max(LEAST[WIDTH], top + tall + EDGE)
    parts = [_oval(WIDTH / 2, (top + height) / 2, 118, (height - top) / 2 - 24), head.at(EDGE, EDGE)]
    for side in (left, right):
        gap = (height - EDGE - top - sum(block.height for block in side)) / max(len(side) - 1, 1)
        y = top if len(side) > 1 else top + gap / 2
        for block in side:
            parts.append(block.at(EDGE if side is left else WIDTH - EDGE - block.width, y))
            y += block.height + gap
    piles = [pile(draft, group, 50, named=False) for group in table.middle]
    if piles:
        centre = _quincunx(piles)
        parts.append(centre.at(WIDTH / 2 - centre.width / 2, (top + height) / 2 - centre.height / 2))
    return Block(WIDTH, height, "".join(parts))


def _oval(x: float, y: float, rx: float, ry: float) -> str:
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="none" stroke="{colour("feltl")}" stroke-width="1.5"/>'


def _seat(row: SeatRow, draft: Draft, room: float) -> Block:
    """A player at the side or at the top: the plate, the cards, and what stands out."""
    cards = fan(draft, row, SMALL if len(row.cards) <= 8 or room > SIDE else 44, room - (60 if row.laid else 0))
    if row.laid is not None:
        cards = beside([cards, _laid(row, draft, 44)], 10)
    who = stacked([plate(row, draft, room), cards], NAMED)
    return stacked([who, *notes(row, draft, room)])


def _laid(row: SeatRow, draft: Draft, width: float) -> Block:
    """The card with which a player fought for the lead."""
    card = Block(width, round(width * RATIO), piece(draft, row.laid, width))
    said = draft.words.text("scene.fight_card")
    return stacked([card, Block(wide(said, 12.5), 13, line(said, 0, 10, 12.5, "ink2"))], 3)


def _own(row: SeatRow, draft: Draft, room: float) -> Block:
    """The player at the bottom; the viewer's own cards are the largest."""
    width = SMALL if len(row.cards) > A_HAND else OWN if row.own else 60
    cards = fan(draft, row, width, room - (70 if row.laid else 0))
    if row.laid is not None:
        cards = beside([cards, _laid(row, draft, 50)], 12)
    return stacked([flowing([plate(row, draft, 300), *notes(row, draft, room)], room, 8), cards], 20 if row.own else NAMED)


A_HAND: Final = 8  # more cards than these are no hand but a heap


def _centre(table: Scene, draft: Draft, ring: list[Group], places: dict[Any, str]) -> Block:
    others = [group for group in table.middle if not group.aside and group not in ring]
    blocks = [_group(group, draft, 62 if group.key == "stock" else TRICK, 180) for group in others]
    return stacked([*(_ring(group, draft, places) for group in ring), flowing(blocks, 216, 14)], 10)


def _quincunx(piles: list[Block]) -> Block:
    """The first pile in the middle, the others around it."""
    wide_, tall = piles[0].width, piles[0].height
    dx, dy = wide_ + 16, tall * 0.92
    spots = [(dx, dy), (0, 0), (2 * dx, 0), (2 * dx, 2 * dy), (0, 2 * dy)]
    drawn = "".join(block.at(x, y) for block, (x, y) in zip(piles, spots, strict=False))
    return Block(2 * dx + wide_, 2 * dy + tall, drawn)


def _ring(group: Group, draft: Draft, places: dict[Any, str]) -> Block:
    """Each card towards the player who laid it; where somebody drew again, the cards of each beside each other."""
    if len(set(group.owners)) < len(group.owners):
        return _again(group, draft)
    width, height = TRICK, round(TRICK * RATIO)
    across, tall = 4.5 * width, height * 2 + 0.35 * width
    drawn = []
    for k, (seat, card) in enumerate(zip(group.owners, group.cards, strict=False)):
        dx, dy = AROUND[places[seat]]
        part = piece(draft, card, width, group.key, k, owner=draft.words.seat(seat))
        drawn.append(Block(0, 0, part).at(across / 2 + dx * width - width / 2, tall / 2 + dy * width - height / 2))
    said = draft.words.show(group.label)
    text = Block(wide(said, 12.5), 14, line(said, 0, 11, 12.5, "ink2"))
    return stacked([text, Block(across, tall, f'<g data-zone="{group.key}">{"".join(drawn)}</g>')], 16)


def _again(group: Group, draft: Draft) -> Block:
    """Cards in the order in which each player drew them, over the player's name."""
    words, height, blocks = draft.words, round(TRICK * RATIO), []
    for seat in dict.fromkeys(group.owners):
        drawn = [k for k, owner in enumerate(group.owners) if owner == seat]
        parts = [piece(draft, group.cards[k], TRICK, group.key, k, owner=words.seat(seat), label=False) for k in drawn]
        cards = "".join(Block(0, 0, part).at(n * TRICK * FAN, 0) for n, part in enumerate(parts))
        name = words.seat(seat)
        fanned = Block(TRICK * (1 + FAN * (len(drawn) - 1)), height, f'<g data-zone="{group.key}">{cards}</g>')
        blocks.append(stacked([fanned, Block(wide(name, 12.5), 14, line(name, 0, 11, 12.5, "ink2"))], 5))
    said = words.show(group.label)
    return stacked([Block(wide(said, 12.5), 14, line(said, 0, 11, 12.5, "ink2")), flowing(blocks, 216, 10)], 10)


def _group(group: Group, draft: Draft, width: float, room: float) -> Block:
    return pile(draft, group, width) if group.backs is not None else lying(draft, group, width, room)


# a phone


def _narrow(table: Scene, draft: Draft) -> Block:
    rows = _from_below(table.seats)
    room = NARROW - 2 * 8
    head = _heading(table, draft, room)
    y = 8 + head.height + 4
    parts = [head.at(8, 8)]
    for row in rows[1:]:
        part = _line(row, draft, room)
        parts.append(part.at(8, y))
        y += part.height + 4
    middle = flowing([_small(group, draft, room) for group in table.middle], room, 14)
    if middle.height:
        parts.append(middle.at((NARROW - middle.width) / 2, y + 8))
        y += middle.height + 16
    rule = f'<path d="M8 {y:g}H{NARROW - 8}" stroke="{colour("feltl")}"/>'
    own = _mine(rows[0], draft, room)
    return Block(NARROW, y + own.height + 20, "".join([*parts, rule, own.at(8, y + 8)]))


def _small(group: Group, draft: Draft, room: float) -> Block:
    if group.backs is not None:
        return pile(draft, group, 34 if group.aside else 42, not group.key.startswith("pile "))
    return lying(draft, group, *((34, 150 if len(group.cards) > 4 else 80) if group.aside else (44, room if group.owners else 160)))


def _line(row: SeatRow, draft: Draft, room: float) -> Block:
    """A player in a line: who it is at the left, the cards at the right."""
    cards = fan(draft, row, 30, 150, 3)
    if row.laid is not None:
        cards = beside([cards, _laid(row, draft, 30)], 6)
    told = notes(row, draft, room - 12)
    under = [Block(chip.width + SIGN + 8, chip.height, chip.at(SIGN + 8, 0)) for chip in told]  # below the name
    below = flowing(told if any(chip.width + cards.width + 16 > room for chip in under) else [], room - 12, 4)
    who = stacked([plate(row, draft, room - cards.width - 10, plain=True), *([] if below.height else under)], 2, middle=False)
    top = max(who.height, cards.height) + 6
    height = top + (below.height + 4 if below.height else 0)
    frame = (
        f'<rect width="{room}" height="{height:g}" rx="10" fill="{colour("surface")}" stroke="{colour("pri")}" stroke-width="2"/>'
        if row.acts
        else ""
    )
    drawn = frame + who.at(2, (top - who.height) / 2) + cards.at(room - cards.width - 6, (top - cards.height) / 2)
    return Block(room, height, drawn + below.at(6, top))


def _mine(row: SeatRow, draft: Draft, room: float) -> Block:
    """The player at the bottom of a phone."""
    name, told = plate(row, draft, 230, plain=True), flowing(notes(row, draft, room), room, 4)
    who = beside([name, told], 6) if name.width + told.width + 6 <= room else stacked([name, told], 2, middle=False)
    many = len(row.cards) > A_HAND
    cards = fan(draft, row, 32 if many else 46, room - (56 if row.laid else 0), 3)
    if row.laid is not None:
        cards = beside([cards, _laid(row, draft, 40)], 8)
    shifted = Block(room, cards.height, cards.at((room - cards.width) / 2, 0)) if cards.height else cards
    return stacked([who, shifted], 18, middle=False)
