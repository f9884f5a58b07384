"""One deal of Fight for the Lead, compiled: cards, fight, exchange and tricks as in ``cardlab.games.fight_for_the_lead``.

Cards are sets of bits as in ``fight_choices``; a set of seats is a whole number, a bit each; ``won`` has a digit of base 8 for each seat.
``deck`` has the cards by place; those from ``place`` on are the stock, and those before ``ready`` have come to their places. ``chosen``
says how many choices each seat has made in the deal. Each phase may begin where some of it is done: ``waiting`` are the seats that have
not chosen yet, ``passed`` the places that lie before the seat on turn. ``told`` is ``None`` where nobody listens, which costs nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardlab.core.streams import CHOICES, DECK, PER_WORD, RESHUFFLE
from cardlab.fast.fight_choices import (
    ALL,
    BANK_WORTH_CHANGING,
    HAND,
    SENSIBLE,
    any_of,
    fights,
    gives,
    leaves,
    plays,
    suit_of,
)
from cardlab.fast.jit import inlined, lean, ones
from cardlab.fast.sets import NONE, ONE, code, lowest
from cardlab.fast.streams import U, shuffle_on, shuffled, word
from cardlab.games.fight_state import Size

SIZE: Final = Size()
CARDS: Final = len(SIZE.pack)
EXCHANGES: Final = SIZE.exchanges
FIVE: Final = 5  # seats at most
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
    if told is not None:
        told[0] += ONE
        told[told[0]] = U(verb) << VERB | cards


@lean
def tell_cards(told: Any, verb: Any, deck: Any, place: Any, n: Any) -> None:
    if told is not None:
        for k in range(n):
            tell(told, verb, card_at(deck, place + k))


@lean
def next_of(among: Any, seat: Any) -> Any:
    return np.int64(NEXT[among, seat])


@lean
def clockwise(players: Any, first: Any, k: Any) -> Any:
    """The seat k places after the first."""
    seat = first + k
    return seat - players if seat >= players else seat


@lean
def is_one(seats: Any) -> Any:
    return seats & (seats - 1) == 0


# FL-3: the deal


@inlined
def shuffle(playing: Any, key: Any, deck: Any) -> Any:
    """The pack, shuffled as far as a deal with some exchanges needs it: how far; ``made_ready`` goes on from there."""
    for k in range(CARDS):  # a slice would cost more
        deck[k] = k
    return made_ready(key, deck, 0, HAND * (2 * ones(U(playing)) + 1))


@inlined
def made_ready(key: Any, deck: Any, ready: Any, wanted: Any) -> Any:
    """Shuffles on until so many places are ready, or all."""
    if ready >= min(wanted, CARDS):
        return ready
    further = min((wanted + PER_WORD - 1) // PER_WORD * PER_WORD, CARDS)
    shuffle_on(deck, key, DECK, CARDS, ready, further)
    return further


@lean
def card_at(deck: Any, place: Any) -> Any:
    return ONE << U(deck[U(place)])


@inlined
def deal(players: Any, dealer: Any, playing: Any, rounds: Any, done: Any, deck: Any, place: Any, hands: Any, told: Any) -> Any:
    """Deals so many rounds, of which some cards are dealt already: the place after the last card."""
    n, first, left = ones(U(playing)), place - done, clockwise(players, dealer, 1)
    for k in range(players):
        seat = clockwise(players, left, k)
        if playing >> seat & 1:
            got = NONE
            for turn in range(rounds):
                at = first + turn * n
                got |= card_at(deck, at) * U(at >= place)
            hands[U(seat)] |= got
            first += 1
    first += (rounds - 1) * n
    tell_cards(told, DEAL, deck, place, first - place)
    return first


# FL-4 to FL-7: the fight for the lead


@inlined
def fight(house: Any, waiting: Any, key: Any, hands: Any, laid: Any, chosen: Any, told: Any) -> None:
    """All lay their fight cards."""
    for seat in range(house.players):
        if waiting >> seat & 1:
            card = fights(house.policies >> 2 * seat & 3, hands[U(seat)], key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            hands[U(seat)] ^= card
            laid[U(seat)] = card
            tell(told, FIGHT, card)


@inlined
def turn(players: Any, playing: Any, key: Any, deck: Any, place: Any, ready: Any, turned: Any, laid: Any, told: Any) -> Any:
    """Turns cards until one matches: who wins the fight, the turned cards, the next place, the places ready."""
    together = NONE
    for seat in range(players):
        if playing >> seat & 1:
            together |= laid[U(seat)]
    matching = NONE
    while not matching and place < CARDS:
        ready = made_ready(key, deck, ready, place + 1 + ones(U(playing)))  # with the cards that replace the fight cards
        card = card_at(deck, place)
        tell(told, TURN, card)
        turned |= card
        place += 1
        matching = together & suit_of(card)
    matching = matching if matching else together  # when no card is left all fight cards are of one suit
    winner, top = -1, NONE
    for seat in range(players):
        card = laid[U(seat)] & matching if playing >> seat & 1 else NONE
        winner, top = (seat, card) if card > top else (winner, top)
    return winner, turned, place, ready


@lean
def lay(deck: Any, order: Any, key: Any, stock: Any) -> Any:
    """FL-7: a new stock of these cards, shuffled: its first place."""
    size = ones(stock)
    first = CARDS - size
    shuffled(order, key, RESHUFFLE, size, size)
    for k in range(size):
        for place in range(size):
            if order[place] == k:
                deck[first + place] = code(lowest(stock))
        stock &= stock - ONE
    return first


@lean
def lay_left(deck: Any, order: Any, key: Any, stock: Any, new_stock: Any) -> None:
    """The stock of a deal that goes on with other numbers: where its card has left already, the first one by place that is left comes."""
    first = 0
    if new_stock:
        first = lay(deck, order, key, new_stock)
    else:
        shuffled(deck, key, DECK, CARDS, CARDS)
    for place in range(CARDS - ones(stock), CARDS):
        if not card_at(deck, place) & stock:
            while not card_at(deck, first) & stock:
                first += 1
            deck[place] = deck[first]
        stock ^= card_at(deck, place)


@lean
def left(deck: Any, place: Any) -> Any:
    """The cards from a place on."""
    cards = NONE
    for k in range(place, CARDS):
        cards |= card_at(deck, k)
    return cards


# FL-8: the exchange; under pagat_dropout each stays or drops before it


@inlined
def drops(house: Any, staying: Any, waiting: Any, key: Any, chosen: Any, told: Any) -> Any:
    """Who stays in this deal, of those who have not dropped yet."""
    for seat in range(house.players):
        if waiting >> seat & 1:
            out = leaves(house.policies >> 2 * seat & 3, key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            staying ^= out << seat
            tell(told, DROP if out else STAY, NONE)
    return staying


@inlined
def most_exchanged(house: Any, exchanged: Any, stock: Any, balance: Any) -> Any:
    """How many more cards a player may exchange now."""
    most = EXCHANGES - exchanged
    while most > stock or most * house.stake > house.bankroll + balance:  # no minimum: there is seldom anything to wait for
        most -= 1
    return most


@inlined
def exchanges(
    house: Any,
    dealer: Any,
    staying: Any,
    passed: Any,
    exchanged: Any,
    due: Any,
    bank: Any,
    key: Any,
    deck: Any,
    place: Any,
    ready: Any,
    hands: Any,
    chosen: Any,
    balances: Any,
    told: Any,
) -> Any:
    """The bank after all exchanges; the seat on turn has exchanged some cards, of which some are due to him."""
    first = clockwise(house.players, dealer, 1)
    for k in range(passed, house.players):
        seat = clockwise(house.players, first, k)
        while staying >> seat & 1:
            n, due = due, 0
            if n == 0:
                most = most_exchanged(house, exchanged, CARDS - place, balances[U(seat)])
                if exchanged and most == 0:
                    break
                policy, rich = house.policies >> 2 * seat & 3, bank >= BANK_WORTH_CHANGING * house.stake
                given = gives(policy, hands[U(seat)], min(most, 1) if house.one_by_one else most, rich, key, seat, chosen[U(seat)])
                chosen[U(seat)] += 1
                tell(told, EXCHANGE if given else STAND, given)
                n = ones(given)
                hands[U(seat)] ^= given
                balances[U(seat)] -= n * house.stake
                bank += n * house.stake
                exchanged += n
            ready = made_ready(key, deck, ready, place + n)
            got = NONE
            for j in range(HAND):  # a fixed number, and no branch
                got |= card_at(deck, place + j) * U(j < n)
            hands[U(seat)] |= got
            tell_cards(told, DRAW, deck, place, n)
            place += n
            if n == 0 or not house.one_by_one:
                break
        exchanged = 0
    return bank


# FL-9 to FL-14: the tricks


@inlined
def tricks(
    house: Any,
    leader: Any,
    staying: Any,
    won: Any,
    passed: Any,
    led: Any,
    top: Any,
    winner: Any,
    key: Any,
    hands: Any,
    chosen: Any,
    numbers: Any,
    told: Any,
) -> Any:
    """The tricks won by each seat; of the first one some cards may lie there, ``top`` is the highest of the suit led."""
    done = 0
    for seat in range(house.players):
        done += won >> 3 * seat & 7
    for n in range(done, HAND):
        for seat in range(house.players):
            if n < HAND - 1 and house.policies >> 2 * seat & 3 != SENSIBLE:  # here, so that nothing waits for who leads
                numbers[U(seat)] = word(key, CHOICES + seat, chosen[U(seat)] + n)
        for k in range(passed, house.players):
            seat = clockwise(house.players, leader, k)
            if not staying >> seat & 1:
                continue
            hand = hands[U(seat)]
            legal = hand & led if hand & led else hand
            if house.policies >> 2 * seat & 3 == SENSIBLE:
                card = plays(legal, led, top, next_of(staying, seat) == leader)
            else:
                card = any_of(legal, numbers[U(seat)])
            hands[U(seat)] = hand ^ card
            tell(told, PLAY, card)
            led = suit_of(card) if led == ALL else led
            winner, top = (seat, card) if card & led > top else (winner, top)
        won += 1 << 3 * winner
        leader, passed, led, top = winner, 0, ALL, NONE
    return won
