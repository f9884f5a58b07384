"""The pieces of a table's picture: each is a block with a width and a height, drawn from its own upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from textwrap import wrap
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from cardlab.cards import Card
from cardlab.view.drawings import RATIO, symbol
from cardlab.view.moved import Moved
from cardlab.view.offer import Offer
from cardlab.view.scene import Group, SeatRow
from cardlab.view.tokens import LIGHT
from cardlab.words import NO_BREAK, Words

FAN: Final = 0.42  # the least step between two cards of a fan, in widths of a card: the letter of each stays in sight
A_ROW: Final = 8  # cards in a row of a fan
ROW: Final = 0.56  # from one row of a fan to the next, in heights of a card: the letters of the row above stay in sight
LIFT: Final = 8  # a card that may be played stands as much higher
SIGN: Final = 30
THIN: Final = frozenset("ijlI.,:;'|!()[] ·ftr")
BROAD: Final = frozenset("mwMWшщжюыфмШЩЖЮЫФМД@%")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a picture and its size; it grows from its own upper left corner."""

    width: float
    height: float
    drawn: str = ""

    def at(self, x: float, y: float) -> str:
        """The piece at a place."""
        return f'<g transform="translate({x:g} {y:g})">{self.drawn}</g>' if self.drawn else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What the pieces are drawn with: the words, what moved, and what may be clicked."""

    words: Words
    moved: Moved = field(default_factory=Moved)
    offer: Offer | None = None

    def why(self, name: str) -> str:
        """Why a card or a pile may not be clicked; empty where there is nothing to say."""
        reason = None if self.offer is None else self.offer.why.get(name)
        return "" if reason is None else self.words.show(reason)

    def says(self, name: str) -> str:
        """What a click on a card or a pile says."""
        return "" if self.offer is None else self.offer.says.get(name, "")


def colour(name: str) -> str:
    """A colour of the theme, with the light one where the host has no theme."""
    return f"var(--{name}, {LIGHT[name]})"


def wide(said: str, size: float, bold: bool = False) -> float:
    """About how wide a line is; rather too wide, since the fonts of the hosts differ.

    >>> wide("iii", 10) < wide("aaa", 10) < wide("MMM", 10)
    True
    """
    letters = sum(0.36 if letter in THIN else 0.9 if letter in BROAD else 0.68 if letter.isupper() else 0.58 for letter in said)
    return letters * size * (1.06 if bold else 1)


def line(said: str, x: float, y: float, size: float, ink: str = "ink", bold: bool = False, anchor: str = "start") -> str:
    """A line of text; ``y`` is its foot."""
    options = f' text-anchor="{anchor}"' if anchor != "start" else ""
    options += ' font-weight="700"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour(ink)}"{options}>{escape(said)}</text>'


def chip(said: str, room: float, filled: bool = False, ink: str = "ink2") -> Block:
    """A few words in a round frame, in as many lines as they need."""
    told = fitted(said, room - 18)
    width, height = max(wide(part, 12.5, filled) for part in told) + 18, 4 + 16 * len(told)
    ground, edge, text = ("pri", "pri", "onpri") if filled else ("surface", "line", ink)
    frame = f'<rect width="{width:g}" height="{height}" rx="10" fill="{colour(ground)}" stroke="{colour(edge)}"/>'
    drawn = "".join(line(part, width / 2, 14.5 + 16 * k, 12.5, text, filled, "middle") for k, part in enumerate(told))
    return Block(width, height, frame + drawn)


def fitted(said: str, room: float) -> list[str]:
    """A text in lines that are no wider than a room; a number that is wider by itself is broken between its thousands.

    >>> fitted("has the lead", 60)
    ['has the', 'lead']
    """
    lines = _filled(said.split(" "), " ", room)
    return [part for whole in lines for part in ([whole] if wide(whole, 12.5) <= room else _filled(whole.split(NO_BREAK), NO_BREAK, room))]


def _filled(words: Iterable[str], gap: str, room: float) -> list[str]:
    """Words in lines, as many in each as it has room for."""
    lines: list[str] = []
    for word in words:
        if lines and wide(lines[-1] + gap + word, 12.5) <= room:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return lines


def stacked(blocks: Iterable[Block], gap: float = 6, middle: bool = True) -> Block:
    """Blocks below each other, in the middle or at the left."""
    blocks = [block for block in blocks if block.height]
    width = max((block.width for block in blocks), default=0)
    y, drawn = 0.0, []
    for block in blocks:
        drawn.append(block.at((width - block.width) / 2 if middle else 0, y))
        y += block.height + gap
    return Block(width, max(y - gap, 0), "".join(drawn))


def beside(blocks: Iterable[Block], gap: float = 8) -> Block:
    """Blocks side by side, their middles on one line."""
    blocks = [block for block in blocks if block.width]
    height = max((block.height for block in blocks), default=0)
    x, drawn = 0.0, []
    for block in blocks:
        drawn.append(block.at(x, (height - block.height) / 2))
        x += block.width + gap
    return Block(max(x - gap, 0), height, "".join(drawn))


def flowing(blocks: Sequence[Block], room: float, gap: float = 6) -> Block:
    """Blocks side by side in as many lines as they need, each line in the middle."""
    lines: list[list[Block]] = [[]]
    for block in blocks:
        taken = sum(other.width + gap for other in lines[-1])
        if lines[-1] and taken + block.width > room:
            lines.append([])
        lines[-1].append(block)
    return stacked([beside(line, gap) for line in lines], gap)


# the player


def plate(row: SeatRow, draft: Draft, room: float = 210, plain: bool = False) -> Block:
    """Who sits here: a sign, the title or the name, and the facts; ``plain`` leaves out the frame."""
    words = draft.words
    name = words.seat(row.seat)
    head = name if row.title is None else words.show(row.title)
    facts = [] if row.title is None else [name]
    facts += [words.text("screen.you_short")] if row.own else []
    facts += [words.text("count.card", n=len(row.cards)), *(words.show(fact) for fact in row.facts)]
    told = _broken(facts, room - SIGN - 30)
    width = SIGN + 30 + max(wide(head, 14, True), *(wide(said, 12.5) for said in told)) - 8
    height = max(SIGN + 10, 22 + 16 * len(told) + 4)
    edge = f'stroke="{colour("pri" if row.acts else "line")}" stroke-width="{2 if row.acts else 1}"'
    if row.out:
        edge += ' stroke-dasharray="4 3"'
    frame = "" if plain else f'<rect width="{width:g}" height="{height:g}" rx="20" fill="{colour("surface")}" {edge}/>'
    drawn = frame + f'<g transform="translate(5 {(height - SIGN) / 2:g})">{_sign(row, words, name)}</g>'
    drawn += line(head, SIGN + 13, 18, 14, bold=True)
    drawn += "".join(line(said, SIGN + 13, 34 + 16 * k, 12.5, "ink2") for k, said in enumerate(told))
    return Block(width, height, drawn)


def _broken(facts: list[str], room: float) -> list[str]:
    """Facts with dots between them, in as many lines as they need."""
    lines: list[str] = []
    for fact in facts:
        longer = f"{lines[-1]} · {fact}" if lines else fact
        if lines and wide(longer, 12.5) <= room:
            lines[-1] = longer
        else:
            lines.append(fact)
    return [part for said in lines for part in fitted(said, room)]


def _sign(row: SeatRow, words: Words, name: str) -> str:
    """The sign of a title, or the first letter of the name on the player's colour."""
    half = SIGN / 2
    if row.place is not None:
        ground = f'<circle cx="{half:g}" cy="{half:g}" r="{half:g}" fill="{colour("prit")}"/>'
        return f'{ground}<use href="#cl-t-{row.place}" x="5.5" y="5.5" width="19" height="19" stroke="{colour("pri")}"/>'
    ground = f'<circle cx="{half:g}" cy="{half:g}" r="{half:g}" fill="{colour(f"p{row.seat + 1}")}"/>'
    return ground + line(name[:1], half, half + 5, 14, "onpri", True, "middle")


def notes(row: SeatRow, draft: Draft, room: float) -> list[Block]:
    """What stands out about a seat: that it is to move, what it owes, what its hand is worth."""
    words = draft.words
    chips = [chip(words.text("scene.your_move" if row.own else "scene.to_move"), room, filled=True)] if row.acts else []
    chips += [chip(words.show(note), room, ink="ink") for note in row.notes]
    return chips + ([chip(words.text("scene.known", n=len(row.eyed)), room)] if row.eyed else [])


# the cards


def piece(draft: Draft, card: Card | None, width: float, key: str = "", position: int = 0, **options: Any) -> str:
    """A card with its state, at the place it takes when it rests: legal, not legal, chosen, just moved, known to the viewer alone.

    ``key`` and ``position`` say where it lies, for what moved; ``owner`` whose it is, ``hand`` whether a click may play it, ``eyed``
    whether only this viewer knows it.
    """
    words, height = draft.words, round(width * RATIO)
    token = "" if card is None else card.token
    hand = bool(options.get("hand")) and bool(token)
    says, why = (draft.says(token), draft.why(token)) if hand else ("", "")
    source = draft.moved.source(key, position)
    chosen = hand and draft.offer is not None and card in draft.offer.chosen
    label = words.text("scene.back") if card is None else card.spoken(words)
    label = words.text("scene.owned", name=options["owner"], card=label) if options.get("owner") else label
    label = words.text("scene.eyed", card=label) if options.get("eyed") else label
    label = words.text("scene.why", card=label, why=why) if why else label
    told = {"role": "button" if says or why else "img", "aria-label": label}
    told |= {"data-key": token} if token else {}
    told |= {"data-from": source} if source else {}
    told |= {"data-say": says, "tabindex": "0"} if says else {}
    told |= {"data-why": why, "tabindex": "0", "aria-disabled": "true"} if why else {}
    told |= {"aria-pressed": str(chosen).lower()} if says.startswith("choose ") else {}
    raised = LIFT * (2 if chosen else 1) if says else 0
    faded = ' opacity=".45"' if why else ""
    name = symbol(card, width)
    drawn = [_ring("ring", width, height, "pri", 3)]
    drawn.append(f'<use class="card" href="#cl-{name}" width="{width:g}" height="{height}"{faded}/>')
    if chosen:
        drawn.append(_ring("chosen", width, height, "pri", 2))
    if source is not None:
        drawn.append(_ring("new", width, height, "mark", 2))
        if options.get("label", True):
            drawn.append(_flag(words.text("scene.new"), width))
    if options.get("eyed"):
        drawn.append(_eye(width, height))
    attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in told.items())
    lift = f'<g class="lift"><g transform="translate(0 {-raised})">{"".join(drawn)}</g></g>'
    return f"<g {attributes}>{lift}</g>"


def _ring(name: str, width: float, height: float, ink: str, gap: float) -> str:
    """A frame around a card: just moved, chosen, or, in sight only while it has the focus, ``ring``."""
    out = gap + 1.5
    hidden = ' display="none"' if name == "ring" else ""
    place = f'x="{-out:g}" y="{-out:g}" width="{width + 2 * out:g}" height="{height + 2 * out:g}" rx="{width * 0.1 + gap:g}"'
    return f'<rect class="{name}" {place} fill="none" stroke="{colour(ink)}" stroke-width="3"{hidden}/>'


def _flag(said: str, width: float) -> str:
    """The word above the card that has just moved."""
    long = wide(said, 12, True) + 14
    box = f'<rect x="{(width - long) / 2:g}" y="-13" width="{long:g}" height="18" rx="9" fill="{colour("mark")}"/>'
    return box + line(said, width / 2, 0.5, 12, "onmark", True, "middle")


def _eye(width: float, height: float) -> str:
    x, y = width - 15, height - 14
    circle = f'<circle cx="{x + 9:g}" cy="{y + 9:g}" r="9.5" fill="{colour("surface")}" stroke="{colour("line2")}"/>'
    return f'{circle}<use href="#cl-t-eye" x="{x + 3:g}" y="{y + 3:g}" width="12" height="12" stroke="{colour("ink2")}"/>'


def fan(draft: Draft, row: SeatRow, width: float, room: float, gap: float = 5) -> Block:
    """The cards of a seat: apart where there is room, fanned where there is not, in rows of eight where there are many."""
    cards, height = row.cards, round(width * RATIO)
    if not cards:
        return Block(0, 0)
    free = [width * FAN if card is None else width + gap for card in cards[:-1]]  # backs are fanned, faces lie apart
    apart = sum(free) + width <= room
    a_row = len(cards) if apart else max(min(A_ROW, int((room - width) / (width * FAN)) + 1), 1)
    longest = min(a_row, len(cards))
    step = max(width * FAN, min((room - width) / max(longest - 1, 1), width * 0.8))
    lefts = [0.0, *accumulate(free)] if apart else [k % a_row * step for k in range(len(cards))]
    below = height * ROW
    drawn = []
    lifted = LIFT if any(card is not None and draft.says(card.token) for card in cards) and row.seat == _mover(draft) else 0
    mine = draft.offer is not None and draft.offer.seat == row.seat
    last = len(cards) - 1
    for k, card in enumerate(cards):
        seen = (apart and card is not None) or k == last or k % a_row == a_row - 1
        part = piece(draft, card, width, row.key, k, hand=mine, eyed=card in row.eyed, label=seen and width >= 44)
        drawn.append(Block(0, 0, part).at(lefts[k], lifted + k // a_row * below))
    rows = (len(cards) - 1) // a_row
    size = f'data-zone="{row.key}"'
    return Block(width + max(lefts), height + rows * below + lifted, f"<g {size}>{''.join(drawn)}</g>")


def _mover(draft: Draft) -> int | None:
    return None if draft.offer is None else draft.offer.seat


def pile(draft: Draft, group: Group, width: float, named: bool = True) -> Block:
    """A pile of backs with its number, and its name where that is not clear from its place; a pile may be clicked."""
    words, height, n = draft.words, round(width * RATIO), group.backs or 0
    says, why = draft.says(group.key), draft.why(group.key)
    name = words.show(group.label)
    label = words.text("scene.pile_left", name=name, n=n)
    label = words.text("scene.why", card=label, why=why) if why else label
    told = {"role": "button" if says or why else "img", "aria-label": label, "data-zone": group.key}
    told |= {"data-say": says, "tabindex": "0"} if says else {}
    told |= {"data-why": why, "tabindex": "0", "aria-disabled": "true"} if why else {}
    paper = f'<rect width="{width:g}" height="{height}" rx="{width * 0.11:g}" fill="#FFFDF8" stroke="#B9B3A5"/>'
    under = "".join(f'<g transform="translate({2.5 * k:g} {2.5 * k:g})">{paper}</g>' for k in range(min((n + 3) // 4, 4), 0, -1))
    back = f'<use class="card" href="#cl-{symbol(None, width)}" width="{width:g}" height="{height}"/>'
    empty = (
        f'<rect x="1" y="1" width="{width - 2:g}" height="{height - 2}" rx="{width * 0.11:g}" fill="none" '
        f'stroke="{colour("ink3")}" stroke-width="1.5" stroke-dasharray="5 4"/>'
    )
    mark = _ring("new", width, height, "mark", 2) if group.marked else ""
    attributes = " ".join(f"{key}={quoteattr(value)}" for key, value in told.items())
    lift = f'<g class="lift">{_ring("ring", width, height, "pri", 3)}{under + back if n else empty}{mark}</g>'
    said = f"{name} {words.show(n)}" if named else words.show(n)
    long = wide(said, 13, True)
    whole = max(long, width + 10)
    body = f'<g transform="translate({(whole - width) / 2:g} 0)"><g {attributes}>{lift}</g></g>'
    return Block(whole, height + 30, body + line(said, whole / 2, height + 25, 13, bold=True, anchor="middle"))


def lying(draft: Draft, group: Group, width: float, room: float) -> Block:
    """A few cards under a name, side by side or fanned."""
    words, height, n = draft.words, round(width * RATIO), len(group.cards)
    a_row = max(min(A_ROW, int((room - width) / (width * FAN)) + 1), 1)
    longest = min(a_row, n)
    step = min(width + 5, (room - width) / max(longest - 1, 1))
    parts = [
        Block(0, 0, piece(draft, card, width, group.key, k, owner=_owner(group, k, words))).at(k % a_row * step, k // a_row * height * ROW)
        for k, card in enumerate(group.cards)
    ]
    tall = height + (n - 1) // a_row * height * ROW
    names = [words.seat(seat) for seat in group.owners] if n > 1 and a_row >= n else []
    if names and all(wide(name, 12) < step - 2 for name in names):
        parts += [line(name, k * step + width / 2, height + 13, 12, "ink2", anchor="middle") for k, name in enumerate(names)]
        tall += 15
    cards = Block(width + (longest - 1) * step, tall, f'<g data-zone="{group.key}">{"".join(parts)}</g>')
    named = words.show(group.label)
    if group.owners and n == 1:
        named = f"{named} {words.seat(group.owners[0])}"
    long = 10 if group.owners and n == 1 else 16  # letters in a line: several players may have laid a card
    return stacked([cards, *(Block(wide(part, 12.5), 14, line(part, 0, 11, 12.5, "ink2")) for part in wrap(named, long))], 5)


def _owner(group: Group, position: int, words: Words) -> str:
    return words.seat(group.owners[position]) if position < len(group.owners) else ""
