"""The table as a plain SVG picture; colours follow the page through CSS variables, with light values as a fallback."""

from __future__ import annotations

from textwrap import wrap
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from cardlab.cards import Card
from cardlab.core.game import AnyGame
from cardlab.view.scene import Cards, Group, Scene, SeatRow, scene
from cardlab.words import Words

WIDTH, NARROW = 560, 350  # of the whole picture; on a phone the cards stand below the names
CARD_W, CARD_H, STEP, LINE = 34, 46, 38, 52  # LINE: from one line of cards to the next
OWNED: Final = 64  # a card with its owner's name below
MARGIN, PAD = 14, 12
NAMES: Final = 190  # the column of names and facts
LETTER: Final = 0.58  # mean width of a letter, in sizes of the type: enough for Cyrillic
FONT: Final = "Roboto, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif"
COLOURS: Final = {
    "ink": "#1E2430",
    "ink2": "#465061",
    "felt": "#DDE8E2",
    "surface": "#FFFFFF",
    "line": "#DEDAD0",
    "pri": "#24508F",
}
PAPER: Final = "#FFFDF8"  # cards stay light in a dark page, and so do their suits: clubs, diamonds, hearts, spades, and the jokers
SUITS: Final = ("#00755E", "#1257B8", "#C1272D", "#1E2430", "#1E2430")


def svg(game: AnyGame, view: Any, words: Words, narrow: bool = False) -> str:
    """The table as a viewer knows it, as one SVG element; a card face down is a back, and nothing in the file says which card it is.

    ``narrow`` draws it for a phone, as large and higher.

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2), seed=7)
    >>> svg(session.game, session.view(), Words()).startswith("<svg")
    True
    """
    table, wide = scene(game, view), NARROW if narrow else WIDTH
    heading = " · ".join(words.show(part) for part in table.heading)
    y = float(MARGIN)
    parts, height = _lines(MARGIN, y, [heading], wide - 2 * MARGIN, 16, weight=700)
    y += height + 10
    for row in table.seats:
        part, height = _seat(row, y, wide, words)
        parts += part
        y += height + 8
    part, height = _middle(table, y, wide, words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {y + height:g}" width="100%" role="group" '
        f'aria-label={quoteattr(heading)} font-family="{FONT}" style="max-width:{wide * 5 // 4}px;height:auto;display:block">'
        f'<rect width="{wide}" height="{y + height:g}" rx="14" fill="{_colour("felt")}"/>{"".join(parts + part)}</svg>'
    )


Drawn = tuple[list[str], float]  # the pieces and their height


def _colour(name: str) -> str:
    return f"var(--{name}, {COLOURS[name]})"


def _lines(x: float, y: float, said: list[str], room: float, size: int, weight: int = 400, colour: str = "ink") -> Drawn:
    """Sentences one below the other, broken where they would not fit."""
    letters = max(int(room / (size * LETTER)), 1)
    lines = [line for part in said for line in wrap(part, letters, break_long_words=False, break_on_hyphens=False)]
    step, style = size + 4, f'font-size="{size}" font-weight="{weight}" fill="{_colour(colour)}"'
    drawn = [f'<text x="{x:g}" y="{y + step * k + size:g}" {style}>{escape(line)}</text>' for k, line in enumerate(lines)]
    return drawn, step * len(lines)


def _packed(facts: list[str], letters: int) -> list[str]:
    """Facts side by side where they fit into a line, else below each other."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + len(fact) + 3 <= letters:
            lines[-1] += f" · {fact}"
        else:
            lines.append(fact)
    return lines


def _card(x: float, y: float, card: Card | None, words: Words) -> str:
    if card is None:
        name = words.text("scene.back")
        face = f'<rect x="{x + 4:g}" y="{y + 4:g}" width="{CARD_W - 8}" height="{CARD_H - 8}" rx="3" fill="{_colour("pri")}" opacity=".8"/>'
    else:
        name = words.show(card)
        above, below = ("★", str(card.code - 51)) if card.joker else (name[:-2], name[-2:])
        paint = SUITS[4 if card.suit is None else card.suit]
        face = "".join(
            f'<text x="{x + CARD_W / 2:g}" y="{y + 20 + 19 * k:g}" font-size="17" font-weight="700" text-anchor="middle" fill="{paint}">'
            f"{escape(line)}</text>"
            for k, line in enumerate((above, below))
        )
    paper = f'<rect x="{x:g}" y="{y:g}" width="{CARD_W}" height="{CARD_H}" rx="5" fill="{PAPER}" stroke="#8B8F97"/>'
    return f'<g role="img" aria-label={quoteattr(name)}>{paper}{face}</g>'


def _place(x: float, y: float) -> str:
    """Where a pile has been."""
    edge = 'fill="none" stroke="#8B8F97" stroke-dasharray="4 3"'
    return f'<rect x="{x:g}" y="{y:g}" width="{CARD_W}" height="{CARD_H}" rx="5" {edge}/>'


def _cards(x: float, y: float, cards: Cards, room: float, words: Words) -> Drawn:
    """Cards in as many lines as they need: none covers another."""
    a_line = _fit(room, STEP)
    drawn = [_card(x + k % a_line * STEP, y + k // a_line * LINE, card, words) for k, card in enumerate(cards)]
    return drawn, -(-len(cards) // a_line) * LINE


def _fit(room: float, step: int) -> int:
    return max(int((room + step - CARD_W) / step), 1)


def _seat(row: SeatRow, y: float, wide: int, words: Words) -> Drawn:
    name = words.seat(row.seat)
    name = words.text("scene.you", name=name) if row.own else name
    title = [] if row.title is None else [words.show(row.title)]
    x, inner = MARGIN + PAD, wide - 2 * MARGIN
    room = NAMES - PAD if wide == WIDTH else inner - 2 * PAD
    facts = _packed(title + [words.show(fact) for fact in row.facts], int(room / (12 * LETTER)))
    said, height = _lines(x, y + 8, [name], room, 14, weight=700)
    told, more = _lines(x, y + 8 + height, facts, room, 12, colour="ink2")
    if wide == WIDTH:
        cards, tall = _cards(MARGIN + NAMES, y + 9, row.cards, inner - NAMES - PAD, words)
        height = max(height + more, tall, LINE) + 12
    else:
        cards, tall = _cards(x, y + 14 + height + more, row.cards, inner - 2 * PAD, words)
        height += more + tall + 16
    plate = (
        f'<rect x="{MARGIN}" y="{y:g}" width="{inner}" height="{height:g}" rx="10" fill="{_colour("surface")}" '
        f'stroke="{_colour("pri" if row.acts else "line")}" stroke-width="{2 if row.acts else 1}"/>'
    )
    return [f'<g opacity="{0.65 if row.out else 1}">', plate, *said, *told, *cards, "</g>"], height


def _middle(table: Scene, y: float, wide: int, words: Words) -> Drawn:
    """The facts that concern all, then the groups side by side, in a new row where there is no more room."""
    left, right = MARGIN + PAD, wide - MARGIN - PAD
    parts, height = _lines(left, y + 4, [" · ".join(words.show(fact) for fact in table.facts)], right - left, 14, weight=700)
    x, top, tallest = float(left), y + 8 + height, 0.0
    for group in table.middle:
        width = _width(group, right - left, words)
        if x > left and x + width > right:
            x, top, tallest = float(left), top + tallest, 0.0
        drawn, height = _group(group, x, top, width, words)
        parts += drawn
        x, tallest = x + width + 14, max(tallest, height)
    return parts, top + tallest + 4 - y


def _width(group: Group, room: float, words: Words) -> float:
    """A group is as wide as its label or its cards in one line, whatever is wider."""
    label = len(words.show(group.label)) * 12 * LETTER
    if group.backs is not None:
        return max(label, CARD_W + 48)
    return min(max(label, (OWNED if group.owners else STEP) * len(group.cards)), room)


def _group(group: Group, x: float, y: float, width: float, words: Words) -> Drawn:
    label, height = _lines(x, y, [words.show(group.label)], width + 14, 12, colour="ink2")
    y += height + 2
    if group.backs is not None:
        number, _ = _lines(x + CARD_W + 8, y + 14, [words.show(group.backs)], 60, 14, weight=700)
        return [*label, _card(x, y, None, words) if group.backs else _place(x, y), *number], height + LINE + 8
    if not group.owners:
        cards, tall = _cards(x, y, group.cards, width, words)
        return label + cards, height + tall + 8
    a_line, step = _fit(width, OWNED), LINE + 20
    for k, (card, owner) in enumerate(zip(group.cards, group.owners, strict=True)):
        left, top = x + k % a_line * OWNED, y + k // a_line * step
        label += [_card(left, top, card, words), *_lines(left, top + CARD_H + 2, [words.seat(owner)], OWNED - 2, 12)[0]]
    return label, height + -(-len(group.cards) // a_line) * step + 4
