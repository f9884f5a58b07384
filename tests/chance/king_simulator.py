"""Suicide King dealt many times over from one moment: the rules said once more, for whole columns of games, to hold against exact answers.

Nothing of ``cardlab.chance`` is used, and of a state only what lies open. A card is its kind: 0 low, 1 to 4 an honour of that value, 5 the
king of hearts. ``rule`` ids stand where a rule is carried out.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cardlab.cards import KING_OF_HEARTS, Card
from cardlab.cards.card import ACE, JACK, QUEEN
from cardlab.cards.card import KING as KING_RANK
from cardlab.games.suicide_king import SuicideKing, Table

KING = 5
VALUES = {ACE: 4, KING_RANK: 3, QUEEN: 2, JACK: 1}
MANY = np.array([bin(some).count("1") > 1 for some in range(32)])  # whether more than one player is left
Columns = np.ndarray[Any, Any]


def kind(card: Card) -> int:
    return KING if card is KING_OF_HEARTS else VALUES.get(card.rank or 0, 0)


class Games:
    """So many games that go on from one moment, and what is counted about them."""

    def __init__(self, game: SuicideKing, table: Table, n: int, seed: int) -> None:
        self.rules, self.players, self.n = game.rules, game.players, n
        self.random = np.random.default_rng(seed)
        self.pack = np.array([kind(card) for card in game.size.pack], dtype=np.int8)
        self.playing = np.full(n, sum(1 << seat for seat in table.playing))  # a bit for each player who is left
        self.next = np.array([[self._next(some, seat) for seat in range(self.players)] for some in range(1 << self.players)])
        if table.dealer is None:
            self.dealer = self.random.integers(0, self.players, n)  # SK-2
        else:
            self.dealer = np.full(n, int(table.dealer))
        self.king_leaver = np.full(n, -1)
        self.last_leaver = np.full(n, -1)
        self.turn_cards = np.zeros(n, dtype=int)
        self.deal_cards = np.zeros(n, dtype=int)
        self.first_deal = True
        if table.turn is None:
            self.begin(self.next_of(self.dealer))
            self.deal(self.pack)
        else:
            self.begin(np.full(n, int(table.turn)))
            self.due[:], self.extra[:], self.honour[:] = table.due, table.extra, table.honour
            self.tail[:] = len(table.queue)
            self.queue[:, : len(table.queue)] = table.queue
            self.deal(np.array([kind(card) for card in table.unseen], dtype=np.int8))
        self.first_deal = False
        while (alive := MANY[self.playing]).any():
            self.begin(self.next_of(self.dealer))  # SK-4
            self.deal(self.pack, alive)

    def begin(self, turn: Columns) -> None:
        self.turn = turn
        self.due = np.ones(self.n, dtype=int)
        self.extra = np.zeros(self.n, dtype=bool)
        self.honour = np.zeros(self.n, dtype=bool)
        self.queue = np.zeros((self.n, 60), dtype=int)
        self.head = np.zeros(self.n, dtype=int)
        self.tail = np.zeros(self.n, dtype=int)
        self.first_turn = np.full(self.n, self.first_deal)

    def _next(self, some: int, seat: int) -> int:
        return next((other % self.players for other in range(seat + 1, seat + 1 + self.players) if some >> other % self.players & 1), seat)

    def next_of(self, seat: Columns) -> Columns:
        return self.next[self.playing, seat]

    def deal(self, cards: Columns, alive: Columns | None = None) -> None:
        """A deal to its end; ``alive`` are the games in which it is played."""
        on = np.ones(self.n, dtype=bool) if alive is None else alive.copy()
        order = self.random.permuted(np.tile(cards, (self.n, 1)), axis=1)
        for at in range(len(cards)):
            self.take(on, order[:, at], last=at + 1 == len(cards))

    def take(self, on: Columns, card: Columns, last: bool) -> None:
        self.turn_cards += on & self.first_turn
        self.deal_cards += on & self.first_deal
        king = on & (card == KING)
        leaves = on & (king | last)  # SK-9, SK-10
        if self.first_deal:
            self.king_leaver[king] = self.turn[king]
            self.last_leaver[leaves & ~king] = self.turn[leaves & ~king]
        going = on & ~leaves
        passes = self.batch(going, card) if self.rules.extra_cards == "batch" else self.reset(going, card)
        self.playing[leaves] &= ~(1 << self.turn[leaves])
        ended = on & (~MANY[self.playing] | last)  # SK-11
        if self.rules.king_of_hearts == "ends_deal":
            ended |= king
        if ended.any():
            self.next_dealer(ended)
        on &= ~ended
        self.next_turn((passes | leaves) & on)
        self.first_turn &= ~(passes | leaves)

    def reset(self, going: Columns, card: Columns) -> Columns:
        honour = going & (card > 0)
        self.due[honour] = card[honour]  # SK-7, SK-8
        low = going & (card == 0)
        self.due[low] -= 1
        return low & (self.due == 0)

    def batch(self, going: Columns, card: Columns) -> Columns:
        honour = going & (card > 0)
        first = honour & ~self.extra
        self.due[first], self.extra[first] = card[first], True
        waits = honour & ~first
        self.queue[waits, self.tail[waits]] = card[waits]
        self.tail[waits] += 1
        self.honour |= waits
        taken = going & ~first
        self.due[taken] -= 1
        done = taken & (self.due == 0)
        again = done & self.honour
        self.due[again] = self.queue[again, self.head[again]]
        self.head[again] += 1
        self.honour[again] = False
        return done & ~again

    def next_turn(self, whose: Columns) -> None:
        self.turn = np.where(whose, self.next_of(self.turn), self.turn)
        self.due[whose], self.extra[whose], self.honour[whose] = 1, False, False
        self.head[whose] = self.tail[whose] = 0

    def next_dealer(self, ended: Columns) -> None:
        """SK-12; under ``last_leaver`` who left last deals, though he is out."""
        rotated = self.next_of(self.dealer)
        self.dealer = np.where(ended, self.turn if self.rules.next_dealer == "last_leaver" else rotated, self.dealer)

    # what was counted

    def last_player(self) -> Counter[int]:
        return Counter({int(some).bit_length() - 1: times for some, times in Counter(self.playing.tolist()).items()})

    def left_by(self, rule: str) -> Counter[int]:
        return Counter((self.king_leaver if rule == "king" else self.last_leaver).tolist())

    def turn_lengths(self) -> Counter[int]:
        return Counter(self.turn_cards.tolist())

    def deal_lengths(self) -> Counter[int]:
        return Counter(self.deal_cards.tolist())
