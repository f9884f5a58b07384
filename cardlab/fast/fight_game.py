"""Deals of Fight for the Lead one after another, compiled: from any moment, by the rules of ``cardlab.games.fight_for_the_lead``.

A set of seats is a whole number, a bit each. Money is in whole numbers of 64 bits: where a bank passes 2**60 or a balance 2**61 the game
stops and is said to go ``beyond``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardlab.core.streams import LOTS
from cardlab.fast import fight_deal
from cardlab.fast.fight_choices import ALL, HAND, leaves
from cardlab.fast.fight_deal import CARDS, CONTINUE, FIVE, LOT, REFUSE, SHUFFLE, is_one
from cardlab.fast.jit import inlined, lean, ones
from cardlab.fast.sets import NONE, ONE
from cardlab.fast.streams import U, below, deal_key, word

FINAL, BOUND, DROPOUT = range(3)
LARGEST_BANK: Final = 2**60
LARGEST_BALANCE: Final = 2**61


class House(NamedTuple):
    """The house rules and the players as numbers; a rule that sets no limit is one of NO_LIMIT."""

    players: int
    first_dealer: int  # -1: by lot
    stake: int
    penalty_cap: int  # in money
    bankroll: int
    deals: int
    one_by_one: bool
    losers_only: bool
    refusal: int
    policies: int  # a digit of base 4 for each seat


class Moment(NamedTuple):
    """Where a deal stands, without hands, fight cards and balances; what is named under a phase means nothing in others."""

    phase: int
    deal: int
    dealer: int  # -1: not known yet
    playing: int
    losers: int  # of the last deal
    bank: int  # of the last deal until the stakes are paid
    staying: int
    lead: int
    won: int  # by seat, as digits of base 8
    stock: int  # the number of its cards
    turned: Any
    new_stock: bool
    waiting: int  # REFUSING, FIGHTING, DROPPING: those who have not chosen yet
    out: int  # REFUSING, DROPPING: those who have chosen to leave
    dealt: int  # DEALING, REPLACING: cards
    passed: int  # EXCHANGING, PLAYING: places clockwise from the dealer's left, from the leader, before the seat on turn
    exchanged: int  # EXCHANGING: cards of the seat on turn, and of them those that he has not received yet
    due: int
    leader: int  # PLAYING: of the trick
    led: Any  # all cards of the suit led, or ALL
    top: Any  # the highest of them in the trick, and who played it
    best: int


REFUSING, STAKING, DEALING, FIGHTING, TURNING, REPLACING, DROPPING, EXCHANGING, PLAYING, OVER = range(10)


@lean
def between(phase: Any, deal: Any, dealer: Any, playing: Any, losers: Any, bank: Any) -> Any:
    """The moment before the refusals or the stakes of a deal."""
    return Moment(phase, deal, dealer, playing, losers, bank, 0, 0, 0, 0, NONE, False, -1, 0, 0, 0, 0, 0, 0, ALL, NONE, 0)


@lean
def start(house: Any) -> Any:
    """The moment before anything has happened."""
    return between(REFUSING, 0, house.first_dealer, (1 << house.players) - 1, 0, 0)


# FL-1, FL-2, FL-17: the stakes


@lean
def _owes(house: Any, seat: Any, losers: Any, last_bank: Any) -> Any:
    """The stake of a player; ``losers`` are those who still play."""
    if losers >> seat & 1:
        return min(last_bank, house.penalty_cap)
    return 0 if house.losers_only and losers else house.stake


@inlined
def _stakes(house: Any, playing: Any, losers: Any, last_bank: Any, balances: Any) -> Any:
    """All pay what they owe: the bank."""
    bank = 0
    for seat in range(house.players):
        if playing >> seat & 1:
            owed = _owes(house, seat, losers & playing, last_bank)
            balances[U(seat)] -= owed
            bank += owed
    return bank


# FL-15 to FL-19: the bank, the losers, going on


@inlined
def _settle(house: Any, staying: Any, lead: Any, bank: Any, won: Any, balances: Any, tricks: Any) -> Any:
    """All get their shares: the losers."""
    losers = 0
    for seat in range(house.players):
        if staying >> seat & 1:
            n = won >> 3 * seat & 7
            balances[U(seat)] += (bank >> 2) * n
            losers |= (n == 0) << seat
            tricks[U(seat - lead if seat >= lead else seat - lead + house.players), U(n)] += 1
    return losers


@lean
def _refusals(house: Any, going_on: Any, waiting: Any, losers: Any, key: Any, chosen: Any, told: Any) -> Any:
    """Who goes on, of those who have not refused yet."""
    for seat in range(house.players):
        if waiting >> seat & 1:
            bound = house.refusal == BOUND and losers >> seat & 1
            out = not bound and leaves(house.policies >> 2 * seat & 3, key, seat, chosen[U(seat)])
            chosen[U(seat)] += 1
            going_on ^= out << seat
            fight_deal.tell(told, REFUSE if out else CONTINUE, NONE)
    return going_on


@lean
def _solvent(house: Any, playing: Any, losers: Any, last_bank: Any, balances: Any) -> Any:
    """Who can pay what he owes, when those who cannot have left."""
    while True:
        left = playing
        for seat in range(house.players):
            if playing >> seat & 1 and _owes(house, seat, losers & playing, last_bank) > house.bankroll + balances[U(seat)]:
                left ^= 1 << seat
        if left == playing:
            return playing
        playing = left


@lean
def next_stakes(house: Any, at: Any, balances: Any) -> Any:
    """The bank of the next deal if nobody refuses; 0 if there is none."""
    playing = _solvent(house, at.playing, at.losers, at.bank, balances)
    if at.deal == house.deals or at.phase == OVER or is_one(playing):
        return 0
    bank = 0
    for seat in range(house.players):
        if playing >> seat & 1:
            bank += _owes(house, seat, at.losers & playing, at.bank)
    return bank


@lean
def _too_much(players: Any, bank: Any, balances: Any) -> Any:
    beyond = bank > LARGEST_BANK
    for seat in range(players):
        beyond |= abs(balances[U(seat)]) > LARGEST_BALANCE
    return beyond


@inlined
def go_on(
    house: Any,
    moment: Any,
    end: Any,
    seed: Any,
    index: Any,
    deck: Any,
    order: Any,
    hands: Any,
    laid: Any,
    chosen: Any,
    numbers: Any,
    balances: Any,
    tricks: Any,
    told: Any,
) -> Any:
    """Plays from a moment until so many deals are over.

    Where the game stands then; the first dealer, how many deals, in how many the first card turned matched and a new stock was made, how
    many cards were turned and players lost; of the last one who took an unplayed bank, and the tricks; whether it went beyond.
    """
    at, first = moment, moment.dealer
    deals = matched = new_stocks = turns = losses = 0
    taker, won, beyond = -1, 0, False
    while at.deal < end and at.phase != OVER:
        key, dealer, playing, losers, bank = deal_key(seed, index, at.deal), at.dealer, at.playing, at.losers, at.bank
        waiting, out, dealt, passed = at.waiting, at.out, at.dealt, at.passed  # of the phase in which the deal goes on
        if at.phase == REFUSING:
            if at.deal == 0:
                if dealer < 0:
                    dealer = below(word(key, LOTS, 0), house.players)  # FL-2
                    fight_deal.tell(told, LOT, ONE << U(dealer))
            else:
                if house.refusal != DROPOUT:
                    playing = _refusals(house, playing & ~out, playing & waiting, losers, key, chosen, told)
                playing = _solvent(house, playing, losers, bank, balances)
                if is_one(playing):
                    at = between(OVER, at.deal, dealer, playing, losers, bank)
                    break
                dealer = fight_deal.next_of(playing, dealer)
            waiting, out = -1, 0
        first = first if deals else dealer
        place, ready = CARDS - at.stock, CARDS
        if at.phase <= STAKING:
            bank = _stakes(house, playing, losers, bank, balances)
            fight_deal.tell(told, SHUFFLE, NONE)
            place, ready = 0, fight_deal.shuffle(playing, key, deck)
            for seat in range(FIVE):
                hands[U(seat)] = NONE
        if at.phase <= DEALING:
            place = fight_deal.deal(house.players, dealer, playing, HAND, dealt, deck, place, hands, told)
            dealt = 0
        if at.phase <= FIGHTING:
            fight_deal.fight(house, playing & waiting, key, hands, laid, chosen, told)
            waiting = -1
        lead, turned, new_stock = at.lead, at.turned, at.new_stock
        if at.phase <= TURNING:
            lead, turned, place, ready = fight_deal.turn(house.players, playing, key, deck, place, ready, turned, laid, told)
            new_stock = CARDS - place < ones(U(playing))
            if new_stock:
                place, ready = fight_deal.lay(deck, order, key, fight_deal.left(deck, place) | turned), CARDS
        if at.phase <= REPLACING:
            place = fight_deal.deal(house.players, dealer, playing, 1, dealt, deck, place, hands, told)
        staying = at.staying if at.phase >= EXCHANGING else playing & ~out
        if at.phase <= DROPPING and house.refusal == DROPOUT and at.deal:
            staying = fight_deal.drops(house, staying, playing & waiting, key, chosen, told)
        won, taker = at.won, -1
        if is_one(staying):
            taker = fight_deal.next_of(staying, 0) if staying else lead
            balances[U(taker)] += bank
            losers = 0
        else:
            lead = lead if staying >> lead & 1 else fight_deal.next_of(staying, lead)
            if at.phase <= EXCHANGING:
                bank = fight_deal.exchanges(
                    house, dealer, staying, passed, at.exchanged, at.due, bank, key, deck, place, ready, hands, chosen, balances, told
                )
                passed = 0
            leader = at.leader if at.phase == PLAYING else lead
            won = fight_deal.tricks(house, leader, staying, won, passed, at.led, at.top, at.best, key, hands, chosen, numbers, told)
            losers = _settle(house, staying, lead, bank, won, balances, tricks)
        deals, matched, new_stocks = deals + 1, matched + is_one(turned), new_stocks + new_stock
        turns, losses = turns + ones(turned), losses + ones(U(losers))
        beyond = _too_much(house.players, bank, balances)
        for seat in range(FIVE):
            chosen[U(seat)] = 0
        at = between(REFUSING, at.deal + 1, dealer, playing, losers, bank)
        if beyond:
            break
    return at, first, deals, matched, new_stocks, turns, losses, taker, won, beyond
