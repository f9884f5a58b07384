"""Games of Poker Marshal in which everybody keeps still, compiled: no card moves after the deal, so that the deck is ranked as it lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardlab.cards.hands import BEST_OF
from cardlab.core.streams import DECK
from cardlab.fast.hands import BITS, FULL_SUITS, KEYS, first_key, of_full_suit, place
from cardlab.fast.jit import lean
from cardlab.fast.marshal_deal import draw_lots, first_titles, rank_hands
from cardlab.fast.marshal_table import DEALT, FIVE, PACK
from cardlab.fast.streams import U, deal_key, shuffled


@lean
def _worth(by: Any, t: Any, first: Any, n: Any) -> Any:
    """The value of the hand that lies at so many places from the first one on."""
    key = first_key(n)
    for k in range(n):
        key += KEYS[t.deck[U(first + k)]]
    best = by.by_ranks[place(by.low, by.high, by.begin, key, n)]
    if key & FULL_SUITS:
        bits = U(0)
        for k in range(n):
            bits |= BITS[t.deck[U(first + k)]]
        best = max(best, of_full_suit(by.by_suit, key, bits, min(n, BEST_OF)))
    return np.int64(best)


@lean
def _packed(titles: Any) -> Any:
    """Five seats as one word, a byte for each title."""
    seats = U(0)
    for title in range(FIVE):
        seats |= U(titles[U(title)]) << U(8 * title)
    return seats


@lean
def _unpack(seats: Any, titles: Any) -> None:
    for title in range(FIVE):
        titles[U(title)] = np.int64(seats >> U(8 * title) & U(255))


@lean
def _drawn_for(house: Any, titles: Any, worths: Any, key: Any, deal: Any, t: Any, told: Any) -> Any:
    """PM-13: the new titles after equal hands."""
    _unpack(titles, t.titles)
    for title in range(FIVE):
        t.worths[U(title)] = worths[title]
    if deal:
        t.lots_n = 0
    rank_hands(house, t)
    draw_lots(key, t, told)
    return _packed(t.order)


@lean
def _place_of(seat: Any, titles: Any) -> Any:
    """The title of a seat."""
    place = 0
    for title in range(FIVE):
        place += title * (titles >> U(8 * title) & U(255) == seat)
    return U(place)


@lean
def play_still(house: Any, by: Any, seed: Any, index: Any, t: Any, moves: Any, told: Any) -> None:
    """One game from its start."""
    first_titles(deal_key(seed, index, 0), t, told)
    titles, deal, streak, longest, best = _packed(t.titles), 0, 0, 0, 0
    while True:
        key = deal_key(seed, index, deal)
        shuffled(t.deck, key, DECK, PACK, DEALT)
        a, b, c, d, e = _worth(by, t, 0, 7), _worth(by, t, 7, 6), _worth(by, t, 13, 5), _worth(by, t, 18, 4), _worth(by, t, 22, 3)
        best = max(best, max(max(a, b), max(max(c, d), e)))
        ab, ac, ad, ae, bc, bd, be, cd, ce, de = a >= b, a >= c, a >= d, a >= e, b >= c, b >= d, b >= e, c >= d, c >= e, d >= e
        a_to, b_to, c_to = U(4 - ab - ac - ad - ae), U(3 + ab - bc - bd - be), U(2 + ac + bc - cd - ce)
        d_to, e_to = U(1 + ad + bd + cd - de), U(ae + be + ce + de)
        equal = (a == b) | (a == c) | (a == d) | (a == e) | (b == c) | (b == d) | (b == e) | (c == d) | (c == e) | (d == e)
        seat_a, seat_b, seat_c = titles & U(255), titles >> U(8) & U(255), titles >> U(16) & U(255)
        seat_d, seat_e = titles >> U(24) & U(255), titles >> U(32)
        if equal:
            titles = _drawn_for(house, titles, (a, b, c, d, e), key, deal, t, told)
            a_to, b_to, c_to = _place_of(seat_a, titles), _place_of(seat_b, titles), _place_of(seat_c, titles)
            d_to, e_to = _place_of(seat_d, titles), _place_of(seat_e, titles)
        else:
            titles = seat_a << U(8) * a_to | seat_b << U(8) * b_to | seat_c << U(8) * c_to | seat_d << U(8) * d_to | seat_e << U(8) * e_to
        moves[0, a_to] += 1
        moves[1, b_to] += 1
        moves[2, c_to] += 1
        moves[3, d_to] += 1
        moves[4, e_to] += 1
        t.placed[seat_a] += np.int64(a_to)
        t.placed[seat_b] += np.int64(b_to)
        t.placed[seat_c] += np.int64(c_to)
        t.placed[seat_d] += np.int64(d_to)
        t.placed[seat_e] += np.int64(e_to)
        t.wins[titles & U(255)] += 1
        streak = streak * (a_to == U(0)) + 1
        longest = max(longest, streak)
        deal += 1
        if deal == house.deals or streak == house.streak:
            break
    _unpack(titles, t.titles)
    t.deals, t.longest, t.best = deal, longest, best
