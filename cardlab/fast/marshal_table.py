"""The table of Poker Marshal as the twin has it before it: records of NumPy, which a kernel hands on as a single pointer.

``TABLE`` is a moment of a game, ``HOUSE`` the house rules and the players, a book what hands are looked up in. A set of cards is a word of
64 bits, a bit for each code; a card is a set of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards import Card
from cardlab.core.streams import BLIND, CHOICES, LOTS
from cardlab.fast import hands
from cardlab.fast.jit import lean, ones
from cardlab.fast.streams import U
from cardlab.games.marshal_state import BANDIT, DEPUTY, DRUNK, MARSHAL, STOREKEEPER, Size, State
from cardlab.games.poker_marshal import PokerMarshal

SIZE: Final = Size()
PACK: Final = len(SIZE.pack)
FIVE: Final = len(SIZE.hands)  # seats
DEALT: Final = sum(SIZE.hands)
HANDS: Final = np.array(SIZE.hands, dtype=np.int64)
ANSWERS: Final = FIVE - 1  # to an offer
TITLES, DEAL, MARSHALS, DEPUTYS, OFFERS, BANDITS, SHOWDOWN, TIES, OVER = range(len(PokerMarshal.phases))
VALUES: Final = 2**14  # more than there are hands of different values

SET, NUMBER = np.uint64, np.int64
TABLE: Final = np.dtype(
    [
        ("phase", NUMBER),
        ("deal", NUMBER),
        ("titles", NUMBER, FIVE),  # seats, from the Marshal to the Bandit
        ("wins", NUMBER, FIVE),  # by seat
        ("streak", NUMBER),
        ("hands", SET, FIVE),  # by title
        ("stock", SET),
        ("laid", SET, max(SIZE.swaps)),  # one by one, for a swap or an offer
        ("is_laid", NUMBER),  # how many of them
        ("named", NUMBER),  # as in the engine's state; -1 for none
        ("due", NUMBER),
        ("offers", NUMBER),
        ("asked", SET),
        ("shown", SET),
        ("refused", SET),  # cards that were asked for in this deal
        ("answers", SET, ANSWERS),  # by who is asked, in title order
        ("answered", NUMBER),  # how many of them
        ("picking", NUMBER),
        ("order", NUMBER, FIVE),  # seats, the highest first, while titles are drawn
        ("tied", NUMBER),  # a bit for each place of them that is shared with the next one
        ("drew", SET, FIVE),  # in this round
        ("have_drawn", NUMBER),  # how many in this round
        ("lots_rest", SET),
        ("lots_used", SET),
        ("lots_n", NUMBER),  # numbers used in this deal: draws for titles, ...
        ("blind_n", NUMBER),  # ... blind draws
        ("chosen", NUMBER, FIVE),  # ... and decisions by seat
        # what the twin needs besides
        ("deck", np.uint8, PACK),  # cards by place
        ("ready", NUMBER),  # places shuffled
        ("worths", NUMBER, FIVE),  # of the hands shown
        ("places", NUMBER, FIVE),  # new titles, by seat
        # what is counted
        ("first", NUMBER, FIVE),  # seats, by title before the first deal
        ("deals", NUMBER),
        ("placed", NUMBER, FIVE),  # the sum of the new titles, by seat
        ("longest", NUMBER),
        ("best", NUMBER),
        ("draws", NUMBER),
    ],
    align=True,
)

Starts = NDArray[np.void]


class House(NamedTuple):
    """The house rules and the players as numbers."""

    take_first: int
    may_show: int
    incumbent: int
    deals: int
    streak: int  # deals won running that end the game; 0 for none
    policies: int  # a digit of base 4 for each seat
    worth_keeping: int  # the value of the least hand that a sensible Bandit keeps
    quiet: int  # the seat that says "enough" where it may; -1 for none
    gives: int  # who could give a card for an offer gives one so often ...
    of: int  # ... of so many times; 0: as his policy says


HOUSE: Final = np.dtype([(name, NUMBER) for name in House._fields], align=True)


@cache
def book(short_hands: str) -> NDArray[np.void]:
    """The tables of ``cardlab.fast.hands`` as the only record of an array, of the same type under both house rules."""
    tables = hands.tables(short_hands)
    made = np.zeros(VALUES, tables.made.dtype)
    made[: len(tables.made)] = tables.made
    columns = tables._replace(made=made)._asdict()
    found = np.zeros(1, np.dtype([(name, column.dtype, column.shape) for name, column in columns.items()], align=True))
    for name, column in columns.items():
        found[name] = column
    return found


class Moment(NamedTuple):
    """Where a game stands: its state, how many numbers of each purpose were used in this deal, and the cards asked for in it.

    In a session: ``session.state``, ``session.cursor.counts`` and the cards of ``session.view().in_vain``, which only a sensible
    Storekeeper minds.
    """

    state: State
    counts: Mapping[int, int]
    in_vain: Iterable[Card] = ()


def starts(moments: Iterable[Moment]) -> Starts:
    """Records of moments, in their order: an array of type ``TABLE``.

    Its fields are columns: another world is a record with other cards in "hands", which are by title, and in "stock".

    >>> from cardlab import Session, game
    >>> session = Session(game("poker_marshal"), seed=7)
    >>> _ = session.auto("still", until="phase")
    >>> rows = starts([Moment(session.state, session.cursor.counts)] * 3)
    >>> rows["titles"].tolist()[0], rows["lots_n"].tolist()
    ([4, 2, 3, 0, 1], [5, 5, 5])
    """
    moments = list(moments)
    rows = np.zeros(len(moments), TABLE)
    for row, moment in zip(rows, moments, strict=True):
        _fill(row, *moment)
    return rows


def of_worlds(begun: Starts, dealt: NDArray[np.uint64], hands: Mapping[int, tuple[int, int]], stock: int | None) -> Starts:
    """As many copies of the only start as there are rows of ``dealt``, with other cards: for a hand, by title, its column and more cards
    as bits, for the stock its column."""
    copies = np.repeat(begun, len(dealt))
    for title, (column, more) in hands.items():
        copies["hands"][:, title] = dealt[:, column] | U(more)
    if stock is not None:
        copies["stock"] = dealt[:, stock]
    return copies


def lay(begun: Starts, cards: NDArray[np.uint64], title: int | None, instead: int) -> None:
    """In each row one card, as bits, that lies face down, or has come into the hand of a title instead of the cards there."""
    if title is None:
        begun["laid"][:, 0] = cards
    else:
        begun["hands"][:, title] = begun["hands"][:, title] & ~U(instead) | cards


def _fill(row: Any, s: State, counts: Mapping[int, int], in_vain: Iterable[Card]) -> None:
    row["phase"] = PokerMarshal.phases.index(s.phase)
    row["titles"] = row["first"] = s.titles
    row["hands"] = [_bits(s.hands[seat]) for seat in s.titles]
    row["stock"], row["refused"] = _bits(s.stock), _bits(in_vain)
    row["asked"], row["shown"] = _bits([s.asked]), _bits([s.shown])
    row["named"] = -1 if s.named is None else s.named
    for name in ("deal", "wins", "streak", "due", "offers", "picking"):
        row[name] = getattr(s, name)
    row["is_laid"], row["answered"] = len(s.laid), len(s.answers)
    row["laid"][: len(s.laid)] = [_bits([card]) for card in s.laid]
    row["answers"][: len(s.answers)] = [_bits([card]) for _, card in s.answers]
    row["lots_n"], row["blind_n"] = counts.get(LOTS, 0), counts.get(BLIND, 0)
    row["chosen"] = [counts.get(CHOICES + seat, 0) for seat in range(FIVE)]
    if s.lots is not None:
        order = [seat for group in s.lots.groups for seat in group]
        row["order"], row["have_drawn"] = order, len(s.lots.drawn)
        row["tied"] = sum(1 << order.index(seat) for group in s.lots.groups for seat in group[:-1])
        row["drew"][: len(s.lots.drawn)] = [_bits([card]) for _, card in s.lots.drawn]
        row["lots_rest"], row["lots_used"] = _bits(s.lots.rest), _bits(s.lots.used)


def _bits(cards: Iterable[Card | None]) -> int:
    return sum(1 << card.code for card in cards if card is not None)


@lean
def fits(t: Any) -> Any:
    """Whether the cards lie as they can at that moment: each in one place, and as many in each hand and in the stock as there must be."""
    total, union = ones(t.stock), t.stock
    for k in range(t.is_laid):
        total += 1
        union |= t.laid[U(k)]
    held = 0
    for title in range(FIVE):
        held += ones(t.hands[U(title)])
        union |= t.hands[U(title)]
    undealt = t.phase in (TITLES, OVER) or (t.phase == DEAL and total == 0)
    discarded = t.due > 0 if t.phase == BANDITS else t.phase > BANDITS and ones(t.stock) < PACK - DEALT
    pack = 0 if undealt else PACK - discarded * HANDS[BANDIT]
    right, before = ones(union) == pack and total + held == pack, 0
    for title in range(FIVE):
        right &= ones(t.hands[U(title)]) == _size(t, title, held - before)
        before += HANDS[title]
    return right


@lean
def _size(t: Any, title: Any, dealt: Any) -> Any:
    """How many cards a hand has, of so many that are dealt to it and those after it."""
    size = HANDS[title]
    drawn = t.named - t.due if t.named >= 0 else t.is_laid - t.due if t.due else 0
    if t.phase == TITLES or t.phase == OVER:
        return 0
    if t.phase == DEAL:
        return min(max(dealt, 0), size)
    swapper, victim = (MARSHAL, BANDIT) if t.phase == MARSHALS else (DEPUTY, DRUNK)
    if t.phase <= DEPUTYS:
        return size + (drawn - t.is_laid) * (title == swapper) - drawn * (title == victim)
    if t.phase == OFFERS:
        return size - t.is_laid * (title == STOREKEEPER)
    return size - t.due * (t.phase == BANDITS and title == BANDIT)
