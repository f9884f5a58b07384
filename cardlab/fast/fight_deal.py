"""One deal of Fight for the Lead, compiled: cards, fight, exchange and tricks as in ``cardlab.games.fight_for_the_lead``.

Cards are sets of bits as in ``fight_choices``; a set of seats is a whole number, a bit each. ``cards`` has the hands, then the stock and
the turned cards; ``deck`` the cards by place, shuffled so far as ``at`` says; ``chosen`` how many choices each seat has made.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardlab.core.streams import DECK, PER_WORD, RESHUFFLE
from cardlab.fast.fight_choices import (
    ALL,
    BANK_WORTH_CHANGING,
    HAND,
    NONE,
    ONE,
    SENSIBLE,
    any_of,
    code,
    fights,
    gives,
    leaves,
    lowest,
    plays,
    suit_of,
)
from cardlab.fast.jit import lean, ones
from cardlab.fast.streams import U, shuffle_on, shuffled
from cardlab.games.fight_state import Size

SIZE: Final = Size()
CARDS: Final = len(SIZE.pack)
EXCHANGES: Final = SIZE.exchanges
FIVE: Final = 5  # seats at most
STOCK, TURNED = FIVE, FIVE + 1  # after the hands
PLACE, READY = range(2)  # of the stock: the next place, the places shuffled
VERBS: Final = ("dealer", "shuffle", "deal", "fight", "turn", "stay", "drop", "stand", "exchange", "draw", "play", "continue", "refuse")
LOT, SHUFFLE, DEAL, FIGHT, TURN, STAY, DROP, STAND, EXCHANGE, DRAW, PLAY, CONTINUE, REFUSE = range(len(VERBS))
VERB: Final = U(56)  # how an action is told: its verb above, its cards or its seat as bits below


def _next_seats() -> NDArray[np.uint8]:
    """By [some seats, a seat]: the next of them clockwise."""
    seats = np.zeros((2**FIVE, FIVE), dtype=np.uint8)
    for among in range(1, 2**FIVE):
        for seat in range(FIVE):
            seats[among, seat] = next(k % FIVE for k in range(seat + 1, seat + 1 + FIVE) if among >> k % FIVE & 1)
    return seats


NEXT: Final = _next_seats()


@lean
def tell(told: Any, verb: Any, cards: Any) -> None:
    if told.size:
        told[0] += ONE
        told[told[0]] = U(verb) << VERB | cards


@lean
def next_of(among: Any, seat: Any) -> Any:
    return np.int64(NEXT[among, seat])


@lean
def clockwise(players: Any, first: Any, k: Any) -> Any:
    """The seat k places after the first."""
    seat = first + k
    seat -= players if seat >= players else 0
    return seat - players if seat >= players else seat


@lean
def is_one(seats: Any) -> Any:
    return seats & (seats - 1) == 0


# FL-3: the deal


@lean
def shuffle(playing: Any, key: Any, deck: Any, at: Any, cards: Any) -> None:
    """The pack, shuffled as far as a deal with some exchanges needs it; ``ready`` goes on from there."""
    for k in range(CARDS):  # a slice would cost more
        deck[k] = k
    at[PLACE] = at[READY] = 0
    for k in range(FIVE):
        cards[k] = NONE
    cards[STOCK], cards[TURNED] = ALL, NONE
    ready(deck, at, key, min(HAND * (2 * ones(U(playing)) + 1), CARDS))


@lean
def ready(deck: Any, at: Any, key: Any, n: Any) -> None:
    """Shuffles on until n more cards can be drawn."""
    ready, wanted = at[READY], at[PLACE] + n
    if ready < wanted:
        at[READY] = min((wanted + PER_WORD - 1) // PER_WORD * PER_WORD, CARDS)
        shuffle_on(deck, key, DECK, CARDS, ready, at[READY])


@lean
def card_at(deck: Any, place: Any) -> Any:
    return ONE << U(deck[U(place)])


@lean
def taken(deck: Any, at: Any, cards: Any, taken: Any, n: Any, verb: Any, told: Any) -> None:
    """The next n cards have left the stock."""
    if told.size:
        for k in range(n):
            tell(told, verb, card_at(deck, at[PLACE] + k))
    at[PLACE] += n
    cards[STOCK] ^= taken


@lean
def deal(players: Any, dealer: Any, playing: Any, rounds: Any, key: Any, deck: Any, at: Any, cards: Any, told: Any) -> None:
    n = ones(U(playing))
    ready(deck, at, key, rounds * n)
    place, dealt = at[PLACE], NONE
    for k in range(players):
        seat = clockwise(players, dealer + 1, k)
        if playing >> seat & 1:
            got = NONE
            for turn in range(rounds):
                got |= card_at(deck, place + turn * n)
            cards[U(seat)] |= got
            dealt |= got
            place += 1
    taken(deck, at, cards, dealt, rounds * n, DEAL, told)


# FL-4 to FL-7: the fight for the lead


@lean
def fight(house: Any, playing: Any, key: Any, cards: Any, laid: Any, chosen: Any, told: Any) -> Any:
    """All lay their fight cards: these."""
    together = NONE
    for seat in range(house.players):
        if playing >> seat & 1:
            card = fights(house.policies >> 2 * seat & 3, cards[U(seat)], key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            cards[U(seat)] ^= card
            laid[U(seat)] = card
            together |= card
            tell(told, FIGHT, card)
    return together


@lean
def turn(together: Any, key: Any, deck: Any, at: Any, cards: Any, told: Any) -> Any:
    """The fight cards of which the highest wins."""
    while True:
        ready(deck, at, key, 1)
        card = card_at(deck, at[PLACE])
        taken(deck, at, cards, card, 1, TURN, told)
        cards[TURNED] |= card
        matching = together & suit_of(card)
        if matching or not cards[STOCK]:  # when no card is left all fight cards are of one suit
            return matching if matching else together


@lean
def winner(players: Any, playing: Any, laid: Any, matching: Any) -> Any:
    """Who has laid the highest of some fight cards of one suit."""
    winner, top = -1, NONE
    for seat in range(players):
        if playing >> seat & 1 and laid[U(seat)] & matching > top:
            winner, top = seat, laid[U(seat)]
    return winner


@lean
def made_new_stock(playing: Any, key: Any, deck: Any, order: Any, at: Any, cards: Any) -> Any:
    """FL-7: whether too few cards were left, so that the turned ones are shuffled with them."""
    if ones(cards[STOCK]) >= ones(U(playing)):
        return False
    stock = cards[STOCK] | cards[TURNED]
    cards[STOCK] = stock
    size = ones(stock)
    base = CARDS - size
    shuffled(order, key, RESHUFFLE, size, size)
    for k in range(size):
        for place in range(size):
            if order[place] == k:
                deck[base + place] = code(lowest(stock))
        stock &= stock - ONE
    at[PLACE], at[READY] = base, CARDS
    return True


# FL-8: the exchange; under pagat_dropout each stays or drops before it


@lean
def drops(house: Any, playing: Any, key: Any, cards: Any, chosen: Any, told: Any) -> Any:
    """Who stays in this deal."""
    staying = playing
    for seat in range(house.players):
        if playing >> seat & 1:
            out = leaves(house.policies >> 2 * seat & 3, key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            staying ^= out << seat
            tell(told, DROP if out else STAY, NONE)
    return staying


@lean
def most_exchanged(house: Any, exchanged: Any, stock: Any, balance: Any) -> Any:
    """How many more cards a player may exchange now."""
    most = min(EXCHANGES - exchanged, ones(stock))
    while most * house.stake > house.bankroll + balance:
        most -= 1
    return most


@lean
def exchanges(
    house: Any, dealer: Any, staying: Any, bank: Any, key: Any, deck: Any, at: Any, cards: Any, chosen: Any, balances: Any, told: Any
) -> Any:
    """The bank after all exchanges."""
    for place in range(house.players):
        seat, exchanged = clockwise(house.players, dealer + 1, place), 0
        while staying >> seat & 1:
            most = most_exchanged(house, exchanged, cards[STOCK], balances[U(seat)])
            if exchanged and most == 0:
                break
            rich = bank >= BANK_WORTH_CHANGING * house.stake
            given = gives(
                house.policies >> 2 * seat & 3, cards[U(seat)], min(most, 1) if house.one_by_one else most, rich, key, seat, chosen[U(seat)]
            )
            chosen[U(seat)] += 1
            tell(told, EXCHANGE if given else STAND, given)
            n = ones(given)
            cards[U(seat)] ^= given
            balances[U(seat)] -= n * house.stake
            bank += n * house.stake
            ready(deck, at, key, n)
            got = NONE
            for k in range(HAND):  # a fixed number, and no branch
                got |= card_at(deck, at[PLACE] + k) * U(k < n)
            cards[U(seat)] |= got
            taken(deck, at, cards, got, n, DRAW, told)
            exchanged += n
            if n == 0 or not house.one_by_one:
                break
    return bank


# FL-9 to FL-14: the tricks


@lean
def tricks(house: Any, lead: Any, staying: Any, key: Any, cards: Any, chosen: Any, won: Any, told: Any) -> None:
    mover, stay = lead, ones(U(staying))
    for _ in range(HAND):
        led, top, winner, played = ALL, NONE, mover, 0
        for k in range(house.players):
            seat = clockwise(house.players, mover, k)
            if not staying >> seat & 1:
                continue
            hand, played = cards[U(seat)], played + 1
            legal = hand & led if hand & led else hand
            if house.policies >> 2 * seat & 3 == SENSIBLE:
                card = plays(legal, led, top, played == stay)
            else:
                card = any_of(legal, key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            cards[U(seat)] = hand ^ card
            tell(told, PLAY, card)
            if played == 1:
                led = suit_of(card)
            if card & led > top:
                top, winner = card, seat
        won[U(winner)] += 1
        mover = winner
