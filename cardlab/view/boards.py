"""Where each card may be, as a board of players by cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from cardlab.cards import Card
from cardlab.cards.card import GLYPHS, RANKS
from cardlab.core.events import Seat
from cardlab.view.html import SUITS, heat
from cardlab.words import Words
from cardlab.words.percents import percent

REST: Final = "rest"  # the row of all that nobody holds


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What a viewpoint may believe of the hidden cards.

    ``where`` has for each card of the pack the chance of each row (a seat, or ``REST``); a card that lies open has none. ``lacks`` is the
    chance that a seat holds no card of a suit.
    """

    seats: tuple[Seat, ...]
    where: Mapping[Card, Mapping[Seat | str, Fraction]]
    lacks: Mapping[tuple[Seat, int], Fraction]

    @property
    def voids(self) -> list[tuple[Seat, int]]:
        """Who is known to hold no card of which suit, though cards of it are hidden."""
        hidden = {card.suit for card, rows in self.where.items() if rows}
        return [key for key, chance in self.lacks.items() if chance == 1 and key[1] in hidden]


def beliefs(board: Beliefs, words: Words) -> str:
    """A block for each suit, so that they stand beside each other or below, as there is room; the jokers stand in the last."""
    most = max((p for rows in board.where.values() for p in rows.values()), default=Fraction(1))
    *suits, last = sorted({card.suit for card in board.where if card.suit is not None}, reverse=True)
    jokers = [card for card in board.where if card.joker]
    blocks = [_suit(board, suit, [], most, words) for suit in suits] + [_suit(board, last, jokers, most, words)]
    return f'<div class="beliefs"><div class="blocks">{"".join(blocks)}</div></div>'


def _suit(board: Beliefs, suit: int, jokers: Sequence[Card], most: Fraction, words: Words) -> str:
    sign = f'<b class="suit {SUITS[suit]}">{GLYPHS[suit]}\N{VARIATION SELECTOR-15}</b>'
    cards = [card for card in board.where if card.suit == suit]
    none = f'<span class="none-of">{escape(words.text("board.none_of"))}</span>'
    cells = [sign, *(_head(card, bool(board.where[card]), words) for card in cards), none]
    cells += [_head(card, bool(board.where[card]), words) for card in jokers]
    rows: tuple[Seat | str, ...] = (*board.seats, REST)
    for row in rows:
        cells.append(f'<span class="from">{escape(row_name(row, words))}</span>')
        cells += [_cell(board.where[card].get(row), card, row, most, words) for card in cards]
        cells.append(_lack(board, row, suit, words) if isinstance(row, Seat) else "<span></span>")
        cells += [_cell(board.where[card].get(row), card, row, most, words) for card in jokers]
    columns = f"var(--names) repeat({len(cards)},minmax(0,24px)) 40px" + (f" repeat({len(jokers)},24px)" if jokers else "")
    return f'<div class="block" style="grid-template-columns:{columns}">{"".join(cells)}</div>'


def row_name(row: Seat | str, words: Words) -> str:
    """Whose row it is."""
    return words.seat(row) if isinstance(row, Seat) else words.text("board.rest")


def _head(card: Card, hidden: bool, words: Words) -> str:
    letter = words.text(f"rank.{RANKS[card.rank]}") if card.rank is not None else "★"
    ink = "spades" if card.suit is None else SUITS[card.suit]
    return f'<b class="{ink}">{letter}</b>' if hidden else f'<span class="seen">{letter}</span>'


def _cell(p: Fraction | None, card: Card, row: Seat | str, most: Fraction, words: Words) -> str:
    if p is None:
        return '<span class="cell hatched"></span>'
    said = escape(f"{row_name(row, words)} · {words.show(card)}: {said_chance(p, words)}")
    number = round(100 * p)
    shown = str(number) if p in (0, 1) or 0 < number < 100 else "&lt;1" if number == 0 else "&gt;99"
    share = heat(float(p / most))
    sure = " sure" if p == 1 else " dark" if share > 48 else ""
    return f'<span class="cell{sure}" style="--t:{share}%" data-why="{said}">{shown}</span>'


def _lack(board: Beliefs, seat: Seat, suit: int, words: Words) -> str:
    p = board.lacks[seat, suit]
    said = words.text("board.lacks", seat=seat, suit=words.text(f"board.suit.{SUITS[suit]}"), chance=said_chance(p, words))
    shown = f"{round(100 * p)}" if p in (0, 1) or 0 < round(100 * p) < 100 else "&lt;1" if p < Fraction(1, 2) else "&gt;99"
    return f'<span class="cell lack{" sure" if p == 1 else ""}" data-why="{escape(said)}">{shown}</span>'


def said_chance(p: Fraction, words: Words) -> str:
    """A chance in per cent, or in the word for what cannot be and what must be."""
    return words.text("chance.certain" if p else "chance.impossible") if p in (0, 1) else percent(p, words)
