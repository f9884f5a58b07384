"""One deal of Poker Marshal, compiled: from any moment to the new titles, as in ``cardlab.games.poker_marshal``.

``t`` is a record of type ``TABLE``, ``house`` one of type ``HOUSE``, ``by`` a book.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardlab.core.streams import BLIND, CHOICES, DECK, LOTS
from cardlab.fast.hands import RANKS
from cardlab.fast.jit import lean, ones
from cardlab.fast.marshal_choices import (
    NOBODY,
    accepts,
    asks,
    gives,
    lays_or_not,
    lays_or_passes,
    picks,
    redraws,
    takes,
)
from cardlab.fast.marshal_hands import ALL, PLAIN, nth, worth
from cardlab.fast.marshal_table import (
    ANSWERS,
    BANDITS,
    DEAL,
    DEALT,
    DEPUTYS,
    FIVE,
    HANDS,
    MARSHALS,
    OFFERS,
    OVER,
    PACK,
    SHOWDOWN,
    SIZE,
    TITLES,
)
from cardlab.fast.sets import NONE, ONE, code, lowest
from cardlab.fast.streams import U, below, deal_key, shuffled, word
from cardlab.games.marshal_state import BANDIT, DEPUTY, DRUNK, MARSHAL, STOREKEEPER

IN_USE: Final = DEALT + SIZE.hands[BANDIT]  # places of the deck at most, after a shuffle
MOST: Final = np.array(SIZE.swaps, dtype=np.int64)  # cards in the Marshal's and the Deputy's swap
MOST_OFFERS: Final = SIZE.offers

VERBS: Final = (
    "title", "shuffle", "deal", "enough", "lay", "take", "blind", "give", "ask", "show", "silent", "accept", "pass", "nobody", "pick",
    "keep", "redraw", "draw",
)  # fmt: skip
(
    TITLE, SHUFFLE, DEALS_OUT, ENOUGH, LAY, TAKE, TAKES_BLIND, GIVE, ASK, SHOW, SILENT, ACCEPT, PASS, NO_PICK, PICK, KEEP, REDRAW, DRAW,
) = range(len(VERBS))  # fmt: skip
VERB: Final = U(56)  # how an action is told: its verb above, its cards as bits or its number below


@lean
def tell(told: Any, verb: Any, what: Any) -> None:
    """Writes an action down, if there is room, and counts it."""
    if told.size:
        told[0] += ONE
        if told[0] < U(told.size):
            told[told[0]] = U(verb) << VERB | U(what)


@lean
def choice(key: Any, t: Any, seat: Any) -> Any:
    """The number of a seat's next decision."""
    n = t.chosen[U(seat)]
    t.chosen[U(seat)] = n + 1
    return word(key, CHOICES + seat, n)


# PM-1, PM-2: drawing for titles


@lean
def open_draw(t: Any, tied: Any) -> None:
    """Places of those in ``order`` are to be drawn for."""
    t.tied, t.have_drawn = tied, 0
    t.lots_rest, t.lots_used = PLAIN, NONE


@lean
def draw_lots(key: Any, t: Any, told: Any) -> None:
    """Goes on until every place has its seat."""
    while t.tied:
        first, size = ones(lowest(U(t.tied)) - ONE), 2
        while t.tied >> first + size - 1 & 1:
            size += 1
        rest = t.lots_rest
        card = nth(rest, below(word(key, LOTS, t.lots_n), ones(rest)))
        tell(told, TITLE, card)
        t.lots_rest = rest ^ card
        t.drew[U(t.have_drawn)] = card
        t.lots_n += 1
        t.have_drawn += 1
        if t.have_drawn == size:
            _place(t, first, size)
        if t.tied and t.lots_rest == NONE:
            t.lots_rest, t.lots_used = t.lots_used, NONE


@lean
def _place(t: Any, first: Any, size: Any) -> None:
    """A group has drawn: it is sorted, and those of equal rank stay a group."""
    for k in range(size):
        card, seat, at = t.drew[U(k)], t.order[U(first + k)], k
        t.lots_used |= card
        while at > 0 and code(t.drew[U(at - 1)]) % RANKS < code(card) % RANKS:
            t.drew[U(at)], t.order[U(first + at)] = t.drew[U(at - 1)], t.order[U(first + at - 1)]
            at -= 1
        t.drew[U(at)], t.order[U(first + at)] = card, seat
    for k in range(size - 1):
        if code(t.drew[U(k)]) % RANKS != code(t.drew[U(k + 1)]) % RANKS:
            t.tied &= ~(1 << first + k)
    t.have_drawn = 0


@lean
def first_titles(key: Any, t: Any, told: Any) -> None:
    """PM-1, PM-2: the first titles are drawn."""
    draw_lots(key, t, told)
    for title in range(FIVE):
        t.first[U(title)] = t.titles[U(title)] = t.order[U(title)]
    t.phase = DEAL


# PM-3: the deal


@lean
def next_card(key: Any, t: Any) -> Any:
    """The next card of the stock; where another seed dealt before and has given it away, the first by place that is left."""
    if t.ready == 0:
        shuffled(t.deck, key, DECK, PACK, PACK)
        t.ready = PACK
    stock = t.stock
    card = ONE << U(t.deck[U(PACK - ones(stock))])
    place = 0
    while not card & stock:
        card = ONE << U(t.deck[U(place)])
        place += 1
    t.stock = stock ^ card
    return card


@lean
def _deal(key: Any, t: Any, told: Any) -> None:
    if t.stock == NONE:
        tell(told, SHUFFLE, NONE)
        shuffled(t.deck, key, DECK, PACK, IN_USE)
        t.stock, t.ready = ALL, IN_USE
    for title in range(FIVE):
        for _ in range(HANDS[title] - ones(t.hands[U(title)])):
            card = next_card(key, t)
            t.hands[U(title)] |= card
            tell(told, DEALS_OUT, card)


# PM-4 to PM-6, PM-9: the Marshal swaps with the Bandit, the Deputy with the Drunk


@lean
def _swap(house: Any, by: Any, who: Any, victim: Any, key: Any, t: Any, told: Any) -> None:
    seat, most = t.titles[U(who)], MOST[who]
    if not t.due:
        if house.take_first:
            _names(house, seat, victim, most, key, t, told)
        else:
            _lays(house, by, seat, who, victim, most, key, t, told)
    while t.due:
        plain = t.hands[U(victim)] & PLAIN
        card = nth(plain, below(word(key, BLIND, t.blind_n), ones(plain)))
        tell(told, TAKES_BLIND, card)
        t.hands[U(victim)] ^= card
        t.hands[U(who)] |= card
        t.blind_n += 1
        t.due -= 1
    while t.is_laid < t.named:
        card = gives(house, by, seat, choice(key, t, seat), t.hands[U(who)], NONE)
        _lay(t, who, card)
        tell(told, GIVE, card)
    for k in range(t.is_laid):
        t.hands[U(victim)] |= t.laid[U(k)]
    t.is_laid, t.named = 0, -1


@lean
def _lay(t: Any, who: Any, card: Any) -> None:
    t.hands[U(who)] ^= card
    t.laid[U(t.is_laid)] = card
    t.is_laid += 1


@lean
def _names(house: Any, seat: Any, victim: Any, most: Any, key: Any, t: Any, told: Any) -> None:
    """The swapper names a number, if he has not."""
    if t.named < 0:
        n = takes(house, seat, choice(key, t, seat), most)
        tell(told, TAKE, n)
        t.named = t.due = min(n, ones(t.hands[U(victim)] & PLAIN))


@lean
def _lays(house: Any, by: Any, seat: Any, who: Any, victim: Any, most: Any, key: Any, t: Any, told: Any) -> None:
    """The swapper lays his cards, and gets those back that are too many."""
    while t.is_laid < most:
        card = lays_or_not(house, by, seat, choice(key, t, seat), t.hands[U(who)])
        tell(told, LAY if card else ENOUGH, card)
        if card == NONE:
            break
        _lay(t, who, card)
    t.due = min(t.is_laid, ones(t.hands[U(victim)] & PLAIN))
    while t.is_laid > t.due:
        t.is_laid -= 1
        t.hands[U(who)] |= t.laid[U(t.is_laid)]


# PM-7 to PM-9: the Storekeeper's offers


@lean
def _offers(house: Any, by: Any, key: Any, t: Any, told: Any) -> None:
    keeper = t.titles[STOREKEEPER]
    while t.offers < MOST_OFFERS:
        if not t.asked | t.shown:
            asked, shown = asks(house, by, keeper, choice(key, t, keeper), t.hands[STOREKEEPER], t.refused)
            if not asked | shown:
                tell(told, ENOUGH, NONE)
                break
            tell(told, ASK if asked else SHOW, asked | shown)
            t.asked, t.shown = asked, shown
            t.refused |= asked
        asked = t.asked
        if asked and t.is_laid == 0:
            card = gives(house, by, keeper, choice(key, t, keeper), t.hands[STOREKEEPER], asked)
            _lay(t, STOREKEEPER, card)
            tell(told, LAY, card)
        if not t.picking:
            _answers(house, by, key, t, told)
        if asked:
            _open_answers(t)
        else:
            _open_laid(house, by, keeper, key, t, told)
        t.offers += 1
        t.answered = t.is_laid = t.picking = 0
        t.asked = t.shown = NONE


@lean
def _title_of(answer: Any) -> Any:
    """Who is asked so many places after the first."""
    return answer + (answer >= STOREKEEPER)


@lean
def _answers(house: Any, by: Any, key: Any, t: Any, told: Any) -> None:
    """All who have not answered yet do so in secret."""
    asked, shown = t.asked, t.shown
    for answer in range(t.answered, ANSWERS):
        title = _title_of(answer)
        seat, hand = t.titles[U(title)], t.hands[U(title)]
        number = choice(key, t, seat)
        if asked:
            card = accepts(house, by, seat, number, hand, asked)
            tell(told, ACCEPT if card else SILENT, NONE)
        else:
            card = lays_or_passes(house, by, seat, number, hand, shown)
            tell(told, LAY if card else PASS, card)
        t.answers[U(answer)] = card


@lean
def _open_answers(t: Any) -> None:
    """PM-8: the holder gives, or the card laid goes back."""
    asked, laid = t.asked, t.laid[0]
    giver = STOREKEEPER
    for answer in range(ANSWERS):
        if t.answers[U(answer)]:
            giver = _title_of(answer)
    if giver != STOREKEEPER:
        t.hands[U(giver)] ^= asked
        t.hands[STOREKEEPER] |= asked
    t.hands[U(giver)] |= laid


@lean
def _open_laid(house: Any, by: Any, keeper: Any, key: Any, t: Any, told: Any) -> None:
    """Under ``ask_or_offer``: the Storekeeper picks one of those who laid a card."""
    seats = NONE
    for answer in range(ANSWERS):
        if t.answers[U(answer)]:
            seats |= ONE << U(t.titles[U(_title_of(answer))])
    if not seats:
        return
    picked = picks(house, by, keeper, choice(key, t, keeper), t.hands[STOREKEEPER], t.shown, seats)
    if picked == NOBODY:
        tell(told, NO_PICK, NONE)
        return
    tell(told, PICK, picked)
    for answer in range(ANSWERS):
        title, laid = _title_of(answer), t.answers[U(answer)]
        if t.titles[U(title)] == picked:
            t.hands[STOREKEEPER] ^= t.shown | laid
            t.hands[U(title)] ^= t.shown | laid


# PM-11: the Bandit


@lean
def _bandit(house: Any, by: Any, key: Any, t: Any, told: Any) -> None:
    if not t.due:
        seat = t.titles[BANDIT]
        if not redraws(house, by, seat, choice(key, t, seat), t.hands[BANDIT]):
            tell(told, KEEP, NONE)
            return
        tell(told, REDRAW, NONE)
        t.due, t.hands[BANDIT] = ones(t.hands[BANDIT]), NONE
    while t.due:
        card = next_card(key, t)
        tell(told, DRAW, card)
        t.hands[BANDIT] |= card
        t.due -= 1


# PM-12, PM-13: the showdown, drawing for equal hands


@lean
def rank_hands(house: Any, t: Any) -> None:
    """The seats in the order of ``worths``; with equal hands they are to draw, or stay in the order of their titles."""
    for title in range(FIVE):
        here, seat, at = t.worths[U(title)], t.titles[U(title)], title
        while at > 0 and t.worths[U(at - 1)] < here:
            t.worths[U(at)], t.order[U(at)] = t.worths[U(at - 1)], t.order[U(at - 1)]
            at -= 1
        t.worths[U(at)], t.order[U(at)] = here, seat
    tied = 0
    for k in range(FIVE - 1):
        tied |= (t.worths[U(k)] == t.worths[U(k + 1)]) << k
    if tied == 0 or house.incumbent:
        return
    for _ in range(FIVE - 1):  # they draw seat by seat
        for k in range(FIVE - 1):
            if tied >> k & 1 and t.order[U(k)] > t.order[U(k + 1)]:
                t.order[U(k)], t.order[U(k + 1)] = t.order[U(k + 1)], t.order[U(k)]
    t.draws += ones(U(tied & ~(tied << 1)))
    open_draw(t, tied)


@lean
def _show(house: Any, by: Any, t: Any, told: Any) -> None:
    tell(told, SHOW, NONE)
    for title in range(FIVE):
        t.worths[U(title)] = worth(by, t.hands[U(title)])
    rank_hands(house, t)
    t.best = max(t.best, t.worths[0])


@lean
def play_deal(house: Any, by: Any, key: Any, t: Any, told: Any) -> None:
    """Goes on from any moment of a deal until the order of the seats is settled."""
    if t.phase == TITLES:
        first_titles(key, t, told)
    if t.phase == DEAL:
        _deal(key, t, told)
        t.phase = MARSHALS
    if t.phase == MARSHALS:
        _swap(house, by, MARSHAL, BANDIT, key, t, told)
        t.phase = DEPUTYS
    if t.phase == DEPUTYS:
        _swap(house, by, DEPUTY, DRUNK, key, t, told)
        t.phase = OFFERS
    if t.phase == OFFERS:
        _offers(house, by, key, t, told)
        t.phase = BANDITS  # PM-10
    if t.phase == BANDITS:
        _bandit(house, by, key, t, told)
        t.phase = SHOWDOWN
    if t.phase == SHOWDOWN:
        _show(house, by, t, told)
    draw_lots(key, t, told)


# PM-13, PM-14: the new titles, the standing


@lean
def settle(house: Any, moves: Any, t: Any) -> None:
    """The titles pass on; the game is over or the next deal begins."""
    winner = t.order[0]
    t.streak = t.streak + 1 if winner == t.titles[0] else 1
    t.longest = max(t.longest, t.streak)
    t.wins[U(winner)] += 1
    t.deals += 1
    for title in range(FIVE):
        t.places[U(t.order[U(title)])] = title
        t.placed[U(t.order[U(title)])] += title
    for title in range(FIVE):
        moves[U(title), U(t.places[U(t.titles[U(title)])])] += 1
    for title in range(FIVE):
        t.titles[U(title)] = t.order[U(title)]
    if t.deal + 1 == house.deals or t.streak == house.streak:
        t.phase = OVER
        return
    t.phase = DEAL
    t.deal += 1
    t.offers = t.lots_n = t.blind_n = 0
    for seat in range(FIVE):
        t.chosen[U(seat)], t.hands[U(seat)] = 0, NONE
    t.stock = t.refused = NONE


@lean
def play_on(house: Any, by: Any, seed: Any, index: Any, one_deal: Any, t: Any, moves: Any, told: Any) -> None:
    """Goes on to the end of the game, or of the deal."""
    while t.phase != OVER:
        play_deal(house, by, deal_key(seed, index, t.deal), t, told)
        settle(house, moves, t)
        if one_deal:
            break
