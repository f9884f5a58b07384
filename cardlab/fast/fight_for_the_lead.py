"""Fight for the Lead said once more, compiled: whole games, card for card those of ``cardlab.games.fight_for_the_lead``.

Cards are sets of bits as in ``fight_choices``; a set of seats is a whole number, a bit each. Money is in whole numbers of 64 bits: where
a bank passes 2**60 or a balance 2**61 the game stops and its row is flagged ``beyond``; the engine plays such a game, with any numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards.card import CARDS as NAMES
from cardlab.core.dealer import Seeded
from cardlab.core.game import AnyGame
from cardlab.core.streams import LOTS
from cardlab.fast import fight_deal
from cardlab.fast.fight_choices import ALL, HAND, NONE, ONE, POLICIES, leaves
from cardlab.fast.fight_deal import CARDS, CONTINUE, EXCHANGES, FIVE, LOT, REFUSE, SHUFFLE, SIZE, TURNED, VERB, VERBS
from cardlab.fast.jit import compiled, lean
from cardlab.fast.streams import U, below, deal_key, word
from cardlab.games.fight_for_the_lead import FightForTheLead

FINAL, BOUND, DROPOUT = range(3)
REFUSALS: Final = ("final", "losers_bound", "pagat_dropout")
LARGEST_BANK: Final = 2**60
LARGEST_BALANCE: Final = 2**61
NO_LIMIT: Final = 2**62  # more than any balance, penalty or number of deals
LARGEST_STAKE: Final = 2**48

Players = str | Mapping[int, str]


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


class Games(NamedTuple):
    """Games with consecutive indices, a row each."""

    dealer: NDArray[np.uint8]  # who dealt first
    deals: NDArray[np.int64]
    matched: NDArray[np.int64]  # deals in which the first turned card decided the fight
    new_stocks: NDArray[np.int64]  # deals in which too few cards were left (FL-7)
    tricks: NDArray[np.int64]  # by column the tricks taken in all deals, seats counted clockwise from who led to the deal's first trick
    bank: NDArray[np.int64]  # of the last deal
    balances: NDArray[np.int64]  # by seat
    beyond: NDArray[np.bool_]  # left to the engine: nothing else in this row means anything


# FL-1, FL-2, FL-3, FL-17: the stakes, the deal


@lean
def _penalty(house: Any, last_bank: Any) -> Any:
    return min(last_bank, house.penalty_cap)


@lean
def _owes(house: Any, seat: Any, losers: Any, last_bank: Any) -> Any:
    """The stake of a player; ``losers`` are those who still play."""
    if losers >> seat & 1:
        return _penalty(house, last_bank)
    return 0 if house.losers_only and losers else house.stake


@lean
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


@lean
def _settle(house: Any, staying: Any, lead: Any, bank: Any, won: Any, balances: Any, tricks: Any) -> Any:
    """All get their shares: the losers."""
    losers = 0
    for seat in range(house.players):
        if staying >> seat & 1:
            balances[U(seat)] += (bank >> 2) * won[U(seat)]
            losers |= (won[U(seat)] == 0) << seat
            tricks[seat - lead if seat >= lead else seat - lead + house.players] += won[U(seat)]
    return losers


@lean
def _refusals(house: Any, playing: Any, losers: Any, key: Any, chosen: Any, told: Any) -> Any:
    """Who goes on."""
    going_on = playing
    for seat in range(house.players):
        if playing >> seat & 1:
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
def _too_much(bank: Any, balances: Any) -> Any:
    beyond = bank > LARGEST_BANK
    for balance in balances:
        beyond |= abs(balance) > LARGEST_BALANCE
    return beyond


@lean
def _play(
    house: Any,
    seed: Any,
    index: Any,
    deck: Any,
    order: Any,
    at: Any,
    cards: Any,
    laid: Any,
    chosen: Any,
    won: Any,
    balances: Any,
    tricks: Any,
    told: Any,
) -> Any:
    """One game from its start: the first columns of its row, and the last one."""
    playing, losers, dealer, deal, bank = (1 << house.players) - 1, 0, house.first_dealer, 0, 0
    matched = new_stocks = 0
    if dealer < 0:
        dealer = below(word(deal_key(seed, index, 0), LOTS, 0), house.players)  # FL-2
        fight_deal.tell(told, LOT, ONE << U(dealer))
    first = dealer
    while True:
        key = deal_key(seed, index, deal)
        for seat in range(FIVE):
            chosen[U(seat)] = won[U(seat)] = 0
        if deal:
            if house.refusal != DROPOUT:
                playing = _refusals(house, playing, losers, key, chosen, told)
            playing = _solvent(house, playing, losers, bank, balances)
            if fight_deal.is_one(playing):
                break
            dealer = fight_deal.next_of(playing, dealer)
        bank = _stakes(house, playing, losers, bank, balances)
        fight_deal.tell(told, SHUFFLE, NONE)
        fight_deal.shuffle(playing, key, deck, at, cards)
        fight_deal.deal(house.players, dealer, playing, HAND, key, deck, at, cards, told)
        together = fight_deal.fight(house, playing, key, cards, laid, chosen, told)
        matching = fight_deal.turn(together, key, deck, at, cards, told)
        matched += fight_deal.is_one(cards[TURNED])
        lead = fight_deal.winner(house.players, playing, laid, matching)
        new_stocks += fight_deal.made_new_stock(playing, key, deck, order, at, cards)
        fight_deal.deal(house.players, dealer, playing, 1, key, deck, at, cards, told)
        staying = fight_deal.drops(house, playing, key, cards, chosen, told) if house.refusal == DROPOUT and deal else playing
        if fight_deal.is_one(staying):
            taker = fight_deal.next_of(staying, 0) if staying else lead
            balances[U(taker)] += bank
            losers = 0
        else:
            lead = lead if staying >> lead & 1 else fight_deal.next_of(staying, lead)
            bank = fight_deal.exchanges(house, dealer, staying, bank, key, deck, at, cards, chosen, balances, told)
            fight_deal.tricks(house, lead, staying, key, cards, chosen, won, told)
            losers = _settle(house, staying, lead, bank, won, balances, tricks)
        deal += 1
        if _too_much(bank, balances):
            return first, deal, matched, new_stocks, bank, True
        if deal == house.deals:
            break
    return first, deal, matched, new_stocks, bank, False


@compiled
def _plays(house: Any, seed: Any, index: Any, games: Any, told: Any) -> None:
    """Games from their start, one for each row."""
    dealer, deals, matched, tricks, bank = games.dealer, games.deals, games.matched, games.tricks, games.bank
    new_stocks, balances, beyond = games.new_stocks, games.balances, games.beyond
    deck, order, at = np.zeros(CARDS + HAND, np.uint8), np.empty(CARDS, np.uint8), np.empty(2, np.int64)
    cards, laid = np.empty(FIVE + 2, np.uint64), np.empty(FIVE, np.uint64)
    chosen, won = np.empty(FIVE, np.int64), np.empty(FIVE, np.int64)
    for g in range(len(deals)):
        dealer[g], deals[g], matched[g], new_stocks[g], bank[g], beyond[g] = _play(
            house, seed, index + U(g), deck, order, at, cards, laid, chosen, won, balances[g], tricks[g], told
        )


# what is asked for


def covers(game: AnyGame, players: Players) -> bool:
    """Whether the twin knows this game and these players: the usual pack, a stake of at most 2**48, players by name.

    >>> covers(FightForTheLead(3), "random"), covers(FightForTheLead(3), "expert"), covers(FightForTheLead(stake=2**50), "random")
    (True, False, False)
    """
    known = isinstance(game, FightForTheLead) and game.size == SIZE and game.rules.stake <= LARGEST_STAKE
    return known and all(name in POLICIES for name in _names(game, players))


def play(game: AnyGame, seed: int, first: int, n: int, players: Players) -> Games:
    """The games of ``n`` indices from ``first`` on, from start to end; raises BadRequest for a seed or an index beyond 64 bits.

    >>> games = play(FightForTheLead(3, deals=1), seed=7, first=0, n=1000, players="still")
    >>> games.tricks.sum(axis=0).tolist(), games.bank[0].item(), games.balances[0].tolist()
    ([1562, 1163, 1275], 12, [-4, 2, 2])
    """
    house, games = _house(game, players), _rows(game, seed, first, n)
    _plays(house, U(seed), U(first), games, np.empty(0, np.uint64))
    return games


def trace(game: AnyGame, seed: int, index: int, players: Players) -> list[str]:
    """The actions of one game as the engine writes them, chance included; raises OverflowError for a game that is left to the engine.

    >>> trace(FightForTheLead(2), seed=7, index=0, players="still")[:3]
    ['dealer 0', 'shuffle', 'deal AC']
    """
    house, games = _house(game, players), play(game, seed, index, 1, players)
    if games.beyond[0]:
        raise OverflowError(f"a bank or a balance grows too large in the game of seed {seed} and index {index}")
    a_deal = 1 + CARDS + game.players * (2 + HAND + 2 * EXCHANGES + HAND)
    told = np.zeros(2 + (int(games.deals[0]) + 1) * a_deal, np.uint64)
    _plays(house, U(seed), U(index), _rows(game, seed, index, 1), told)
    return [_token(int(action)) for action in told[1 : 1 + int(told[0])]]


def _names(game: AnyGame, players: Players) -> list[str]:
    return [players if isinstance(players, str) else players.get(seat, "") for seat in game.seats]


def _house(game: AnyGame, players: Players) -> House:
    if not covers(game, players):
        raise ValueError(f"the twin knows no other packs, stakes and players ({', '.join(POLICIES)}): {game!r}, {players!r}")
    rules = game.rules
    return House(
        game.players,
        -1 if rules.first_dealer == "lot" else rules.first_dealer,
        rules.stake,
        NO_LIMIT if rules.penalty_cap == "none" else min(rules.penalty_cap * rules.stake, NO_LIMIT),
        NO_LIMIT if rules.bankroll == "none" else min(rules.bankroll, NO_LIMIT),
        min(rules.deals, NO_LIMIT),
        rules.exchange == "one_by_one",
        rules.who_antes == "losers_only",
        REFUSALS.index(rules.refusal),
        sum(POLICIES.index(name) << 2 * seat for seat, name in enumerate(_names(game, players))),
    )


def _rows(game: AnyGame, seed: int, first: int, n: int) -> Games:
    for index in (first, first + max(n - 1, 0)):
        Seeded(seed, index)  # refuses what is beyond 64 bits
    by_seat = (n, game.players)
    return Games(
        np.zeros(n, np.uint8),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(by_seat, np.int64),
        np.zeros(n, np.int64),
        np.zeros(by_seat, np.int64),
        np.zeros(n, np.bool_),
    )


def _token(action: int) -> str:
    verb, bits = VERBS[action >> int(VERB)], action & int(ALL)
    if verb == "dealer":
        return f"dealer {bits.bit_length() - 1}"
    return " ".join([verb, *(str(card) for card in NAMES[:CARDS] if bits >> card.code & 1)])
