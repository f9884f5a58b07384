"""What several choices of one seat lead to in Fight for the Lead, compiled: each is played on in the same worlds with the same numbers.

From the exchange on nothing but the hands differs from world to world, and nothing but the seat's choice within one: the stock is shuffled
once for all choices, and what the deal brings is worked out for this seat alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardlab.fast import fight_deal
from cardlab.fast.fight_choices import HAND
from cardlab.fast.fight_deal import CARDS, FIVE
from cardlab.fast.fight_game import EXCHANGING
from cardlab.fast.jit import compiled
from cardlab.fast.streams import U, deal_key


@compiled
def after(
    house: Any, starts: Any, dealt: Any, columns: Any, stock: Any, seed: Any, index: Any, seat: Any, balances: Any, scores: Any
) -> None:
    """The seat's balances at the end of the deal, and the same less its penalty, by [choice, world]; ``starts`` has a row for each choice.

    All choices are in one deal, at the exchange or the tricks; ``columns`` says by seat where ``dealt`` has its hand, -1 being the
    choice's own, and ``stock`` has the stock of each world, or no rows where nobody draws any more.
    """
    m, held, made, had = starts.moment, starts.hands, starts.chosen, starts.balances
    deck, order = np.zeros(CARDS + HAND, np.uint8), np.empty(CARDS, np.uint8)
    hands, numbers, chosen, owned = np.empty(FIVE, np.uint64), np.empty(FIVE, np.uint64), np.zeros(FIVE, np.int64), np.zeros(FIVE, np.int64)
    dealer, staying = m.dealer[0], m.staying[0]
    lead = m.lead[0] if staying >> m.lead[0] & 1 else fight_deal.next_of(staying, m.lead[0])
    for g in range(len(dealt)):
        key = deal_key(seed, index + U(g), m.deal[0])
        if len(stock):
            fight_deal.lay_left(deck, order, key, stock[g], starts.new_stock[0])
        for c in range(len(held)):
            for k in range(house.players):
                hands[U(k)] = held[c, k] if columns[k] < 0 else dealt[g, columns[k]]
                chosen[U(k)], owned[U(k)] = made[c, k], had[c, k]
            bank, leader, passed = m.bank[c], m.leader[c], m.passed[c]
            if m.phase[c] == EXCHANGING:
                place = CARDS - m.stock[c]
                bank = fight_deal.exchanges(
                    house, dealer, staying, passed, m.exchanged[c], m.due[c], bank, key, deck, place, CARDS, hands, chosen, owned, None
                )
                leader, passed = lead, 0
            won = fight_deal.tricks(
                house, leader, staying, m.won[c], passed, m.led[c], m.top[c], m.best[c], key, hands, chosen, numbers, None
            )
            n = won >> 3 * seat & 7
            balances[c, g] = owned[U(seat)] + (bank >> 2) * n
            scores[c, g] = balances[c, g] - (min(bank, house.penalty_cap) if n == 0 and staying >> seat & 1 else 0)
