"""Fight for the Lead said once more, compiled: games and rollouts, card for card those of ``cardlab.games.fight_for_the_lead``.

Cards are sets of bits as in ``fight_choices``; a set of seats is a whole number, a bit each. Money is in whole numbers of 64 bits: where
a bank passes 2**60 or a balance 2**61 the game stops and its row is flagged ``beyond``; the engine plays such a game, with any numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards.card import CARDS as NAMES
from cardlab.core.dealer import Seeded
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.game import AnyGame
from cardlab.fast.counting import Figures
from cardlab.fast.fight_after import after
from cardlab.fast.fight_choices import ALL, HAND, POLICIES
from cardlab.fast.fight_deal import CARDS, EXCHANGES, FIVE, SIZE, VERB, VERBS, lay_left
from cardlab.fast.fight_game import DEALING, EXCHANGING, PLAYING, House, Moment, go_on, next_stakes, start
from cardlab.fast.fight_starts import Counts, Starts, of_worlds, starts
from cardlab.fast.jit import compiled, inlined, lean
from cardlab.fast.streams import U, deal_key
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import State

__all__ = ["Games", "Rollouts", "Starts", "covers", "of_worlds", "play", "rollout_trace", "rollouts", "starts", "trace"]

REFUSALS: Final = ("final", "losers_bound", "pagat_dropout")
NO_LIMIT: Final = 2**62  # more than any balance or penalty
LARGEST_STAKE: Final = 2**48
MOST_DEALS: Final = 2**28
SHORT, SMALL_STAKE = 4, 2**40  # a bank grows to four times and some stakes more in a deal: so it stays far below what is too large
UNTIL: Final = ("deal", "game")

Players = str | Mapping[int, str]


class Games(NamedTuple):
    """Games with consecutive indices, a row each but for ``tricks``: a table of all that are not left to the engine."""

    dealer: NDArray[np.uint8]  # who dealt first
    deals: NDArray[np.int32]
    matched: NDArray[np.int32]  # deals in which the first turned card decided the fight
    new_stocks: NDArray[np.int32]  # deals in which too few cards were left (FL-7)
    turned: NDArray[np.int32]  # cards turned in all fights
    losers: NDArray[np.int32]  # players without a trick in all deals
    tricks: NDArray[np.int64]  # by [seat, n] the deals with n tricks; seats clockwise from who led to the deal's first trick
    bank: NDArray[np.int64]  # of the last deal
    balances: NDArray[np.int64]  # by seat
    losing: NDArray[np.uint8]  # the losers of the last deal, a bit a seat
    beyond: NDArray[np.bool_]  # left to the engine: nothing else in this row means anything


class Rollouts(NamedTuple):
    """Games played on from a start, a row each: deals count that ended since, the one in which it started as a whole."""

    dealer: NDArray[np.uint8]  # as in Games
    deals: NDArray[np.int32]
    matched: NDArray[np.int32]
    new_stocks: NDArray[np.int32]
    turned: NDArray[np.int32]
    losers: NDArray[np.int32]
    tricks: NDArray[np.int64]  # by [row, seat, n]
    bank: NDArray[np.int64]
    balances: NDArray[np.int64]
    losing: NDArray[np.uint8]
    beyond: NDArray[np.bool_]
    deal_tricks: NDArray[np.uint8]  # by seat, of the deal in which it started, as all that follow
    deal_bank: NDArray[np.int64]  # 0 where that deal was not played
    deal_taker: NDArray[np.int8]  # who took the bank without play, or -1
    deal_balances: NDArray[np.int64]  # at its end
    deal_losing: NDArray[np.uint8]
    next_bank: NDArray[np.int64]  # the stakes of the deal after it if nobody refuses, 0 if there is none


KINDS: Final[dict[str, Any]] = {
    "dealer": np.uint8,
    "deals": np.int32,
    "matched": np.int32,
    "new_stocks": np.int32,
    "turned": np.int32,
    "losers": np.int32,
    "tricks": np.int64,
    "bank": np.int64,
    "balances": np.int64,
    "losing": np.uint8,
    "beyond": np.bool_,
    "deal_tricks": np.uint8,
    "deal_bank": np.int64,
    "deal_taker": np.int8,
    "deal_balances": np.int64,
    "deal_losing": np.uint8,
    "next_bank": np.int64,
}
BY_SEAT: Final = ("balances", "deal_tricks", "deal_balances")


@lean
def _copy(table: Any, to: Any) -> None:
    for seat in range(table.shape[0]):
        for n in range(HAND + 1):
            to[seat, n] = table[seat, n]


@compiled
def _plays(house: Any, seed: Any, index: Any, games: Any) -> None:
    """Games from their start, one for each row."""
    dealer, deals, matched, tricks, bank = games.dealer, games.deals, games.matched, games.tricks, games.bank
    new_stocks, balances, beyond, turned, losers, losing = (
        games.new_stocks, games.balances, games.beyond, games.turned, games.losers, games.losing
    )  # fmt: skip
    deck, order = np.zeros(CARDS + HAND, np.uint8), np.empty(CARDS, np.uint8)
    hands, laid, numbers = np.empty(FIVE, np.uint64), np.empty(FIVE, np.uint64), np.empty(FIVE, np.uint64)
    chosen, before = np.empty(FIVE, np.int64), np.empty(tricks.shape, tricks.dtype)
    may_grow = house.deals > SHORT or house.stake > SMALL_STAKE
    for g in range(len(deals)):
        for seat in range(FIVE):
            chosen[U(seat)] = 0  # a game that ends with refusals has counted them
        if may_grow:
            _copy(tricks, before)
        at, dealer[g], deals[g], matched[g], new_stocks[g], turned[g], losers[g], _, _, beyond[g] = go_on(
            house, start(house), house.deals, seed, index + U(g), deck, order, hands, laid, chosen, numbers, balances[g], tricks, None
        )
        bank[g], losing[g] = at.bank, at.losers
        if may_grow and beyond[g]:
            _copy(before, tricks)


@inlined
def _moment(m: Any, g: Any) -> Any:
    """One row of a moment's columns."""
    return Moment(
        m.phase[g],
        m.deal[g],
        m.dealer[g],
        m.playing[g],
        m.losers[g],
        m.bank[g],
        m.staying[g],
        m.lead[g],
        m.won[g],
        m.stock[g],
        m.turned[g],
        m.new_stock[g] != 0,
        m.waiting[g],
        m.out[g],
        m.dealt[g],
        m.passed[g],
        m.exchanged[g],
        m.due[g],
        m.leader[g],
        m.led[g],
        m.top[g],
        m.best[g],
    )


@compiled
def _rolls(house: Any, starts: Any, parts: Any, seed: Any, index: Any, games: Any, told: Any) -> None:
    """Rollouts, one for each row: the deal in which they start, then (with two parts) all others."""
    dealer, deals, matched, tricks, bank = games.dealer, games.deals, games.matched, games.tricks, games.bank
    new_stocks, balances, beyond, turned, losers, losing = (
        games.new_stocks, games.balances, games.beyond, games.turned, games.losers, games.losing
    )  # fmt: skip
    deal_tricks, deal_bank, deal_taker, deal_balances = games.deal_tricks, games.deal_bank, games.deal_taker, games.deal_balances
    deal_losing, next_bank = games.deal_losing, games.next_bank
    deck, order = np.zeros(CARDS + HAND, np.uint8), np.empty(CARDS, np.uint8)
    hands, laid, numbers = np.empty(FIVE, np.uint64), np.empty(FIVE, np.uint64), np.empty(FIVE, np.uint64)
    chosen = np.zeros(FIVE, np.int64)
    for g in range(len(deals)):
        row = g if len(starts.laid) > 1 else 0  # a single row of all but hands and stock is that of every start
        at = _moment(starts.moment, row)
        for seat in range(house.players):
            hands[seat], laid[seat], chosen[seat] = starts.hands[g, seat], starts.laid[row, seat], starts.chosen[row, seat]
            balances[g, seat] = starts.balances[row, seat]
        if DEALING <= at.phase <= EXCHANGING:
            lay_left(deck, order, deal_key(seed, index + U(g), at.deal), starts.stock[g], starts.new_stock[row])
        dealer[g], end = max(at.dealer, 0), at.deal + 1
        for part in range(parts):
            at, by, n, first_matched, renewed, turns, losses, taker, won, beyond[g] = go_on(
                house, at, end, seed, index + U(g), deck, order, hands, laid, chosen, numbers, balances[g], tricks[g], told
            )
            deals[g] += n
            matched[g] += first_matched
            new_stocks[g] += renewed
            turned[g] += turns
            losers[g] += losses
            if part == 0:
                dealer[g], deal_bank[g], deal_taker[g] = max(by, 0), at.bank if n else 0, taker
                for seat in range(house.players):
                    deal_tricks[g, seat] = won >> 3 * seat & 7
                    deal_balances[g, seat] = balances[g, seat]
                deal_losing[g], next_bank[g] = at.losers, next_stakes(house, at, balances[g])
            if beyond[g]:
                break
            end = house.deals
        bank[g], losing[g] = at.bank, at.losers


# what is asked for


def covers(game: AnyGame, players: Players) -> bool:
    """Whether the twin knows this game and these players: the usual pack, a stake of at most 2**48, 2**28 deals, players by name.

    >>> covers(FightForTheLead(3), "random"), covers(FightForTheLead(3), "expert"), covers(FightForTheLead(stake=2**50), "random")
    (True, False, False)
    """
    known = isinstance(game, FightForTheLead) and game.size == SIZE and game.rules.stake <= LARGEST_STAKE and game.rules.deals <= MOST_DEALS
    return known and all(name in POLICIES for name in _names(game, players))


def play(game: AnyGame, seed: int, first: int, n: int, players: Players) -> Games:
    """The games of ``n`` indices from ``first`` on, from start to end; raises BadRequest for a seed or an index beyond 64 bits.

    >>> games = play(FightForTheLead(3, deals=1), seed=7, first=0, n=1000, players="still")
    >>> (games.tricks @ range(5)).tolist(), games.bank[0].item(), games.balances[0].tolist()
    ([1562, 1163, 1275], 12, [-4, 2, 2])
    """
    house = _house(game, players)
    games: Games = _columns(Games, game, seed, first, n)
    _plays(house, U(seed), U(first), games)
    return games


def figures(game: AnyGame, games: Games) -> tuple[Figures, list[int]]:
    """What is counted in these games, and the rows that are left to the engine."""
    left = games.beyond.nonzero()[0].tolist()
    rows: Any = games._asdict() | {"tricks": games.beyond}  # all but the table
    kept: Any = Games(**{name: column[~games.beyond] for name, column in rows.items()}) if left else games
    values = {"deals": [kept.deals], "bank": [kept.bank], "balances": list(np.ascontiguousarray(kept.balances.T))}
    rates = {"turned": kept.turned, "losers": kept.losers, "matched": kept.matched, "new_stocks": kept.new_stocks}
    return Figures(kept.deals, {"tricks": games.tricks}, values, rates, {"biggest_bank": kept.bank}), left


def scores(game: AnyGame, games: Games) -> tuple[NDArray[np.int64], list[int]]:
    """What each has won, the penalty of the last deal's losers counted as paid (FL-17), and the rows that are left to the engine."""
    penalty = np.minimum(games.bank, _house(game, "still").penalty_cap)
    losing = games.losing[:, None] >> np.arange(game.players, dtype=np.uint8) & 1
    return games.balances - losing * penalty[:, None], games.beyond.nonzero()[0].tolist()


def rollouts(game: AnyGame, begun: Starts, seed: int, first: int, players: Players, until: str = "game") -> Rollouts:
    """Plays on from each start to the end of its deal or of the game; raises BadRequest for a seed or an index beyond 64 bits.

    Row k goes on as a session would that stood at start k with the dealer Seeded(seed, first + k).

    >>> game = FightForTheLead(2, first_dealer=0)
    >>> done = rollouts(game, starts(game, [(game.start(), {})] * 1000), seed=7, first=0, players="still", until="deal")
    >>> done.deal_bank[0].item(), done.deal_tricks[0].tolist(), done.deals.sum().item()
    (8, [1, 3], 1000)
    """
    house = _house(game, players)
    games: Rollouts = _columns(Rollouts, game, seed, first, len(begun.stock))
    _rolls(house, begun, _parts(until), U(seed), U(first), games, None)
    return games


def endings(game: AnyGame, begun: Starts, seed: int, first: int, policy: str) -> dict[str, dict[int, NDArray[Any]]]:
    """What the ends of the deal say, a row for each start: the tricks, the shares of the bank, the balances, the same less the penalties
    due, and the losers by seat, and the next bank under 0."""
    done = rollouts(game, begun, seed, first, policy, until="deal")
    seats, share, unplayed = range(game.players), done.deal_bank // HAND, done.deal_taker >= 0
    losing = [done.deal_losing >> seat & 1 for seat in seats]
    penalty = np.minimum(done.deal_bank, _house(game, policy).penalty_cap)
    taken = [np.where(unplayed, done.deal_bank * (done.deal_taker == seat), share * done.deal_tricks[:, seat]) for seat in seats]
    return {
        "tricks": {seat: done.deal_tricks[:, seat] for seat in seats},
        "share": dict(enumerate(taken)),
        "balance": {seat: done.deal_balances[:, seat] for seat in seats},
        "score": {seat: done.deal_balances[:, seat] - losing[seat] * penalty for seat in seats},
        "no_trick": dict(enumerate(losing)),
        "next_bank": {0: done.next_bank},
    }


def after_each(
    game: AnyGame, begun: Starts, dealt: NDArray[np.uint64], hands: Mapping[int, int], stock: int | None,
    seed: int, first: int, policy: str, seat: int,
) -> dict[str, NDArray[np.int64]] | None:  # fmt: skip
    """What a seat has at the end of the deal by [start, world], the worlds being the same: its balance, and that less its penalty.

    The worlds are as in ``of_worlds``. ``None`` where the starts are not all in the exchange or the tricks of one deal.
    """
    at: Any = begun.moment
    if not np.isin(at.phase, (EXCHANGING, PLAYING)).all() or (at.deal != at.deal[0]).any():
        return None
    columns = np.array([hands.get(k, -1) for k in game.seats])
    drawing = stock is not None and (at.phase == EXCHANGING).any()
    found = np.empty((2, len(begun.stock), len(dealt)), np.int64)
    after(_house(game, policy), begun, dealt, columns, dealt[:, stock] if drawing else dealt[:0, 0], U(seed), U(first), seat, *found)
    return {"balance": found[0], "score": found[1]}


def trace(game: AnyGame, seed: int, index: int, players: Players) -> list[str]:
    """The actions of one game as the engine writes them, chance included; raises OverflowError for a game that is left to the engine.

    >>> trace(FightForTheLead(2), seed=7, index=0, players="still")[:3]
    ['dealer 0', 'shuffle', 'deal AC']
    """
    played = play(game, seed, index, 1, players)
    return _trace(game, starts(game, [(game.start(), {})]), seed, index, players, "game", played)


def rollout_trace(game: AnyGame, state: State, counts: Counts, seed: int, index: int, players: Players, until: str = "game") -> list[str]:
    """The actions of one rollout; ``counts`` as for ``starts``.

    >>> game = FightForTheLead(2)
    >>> rollout_trace(game, game.start(), {}, seed=7, index=0, players="still", until="deal")[-2:]
    ['play 9H', 'play QH']
    """
    begun = starts(game, [(state, counts)])
    return _trace(game, begun, seed, index, players, until, rollouts(game, begun, seed, index, players, until))


def _trace(game: AnyGame, begun: Starts, seed: int, index: int, players: Players, until: str, played: Games | Rollouts) -> list[str]:
    """The actions of a rollout whose end is known."""
    if played.beyond[0]:
        raise OverflowError(f"a bank or a balance grows too large in the game of seed {seed} and index {index}")
    a_deal = 1 + CARDS + game.players * (2 + HAND + 2 * EXCHANGES + HAND)
    told = np.zeros(2 + (int(played.deals[0]) + 1) * a_deal, np.uint64)
    _rolls(_house(game, players), begun, _parts(until), U(seed), U(index), _columns(Rollouts, game, seed, index, 1), told)
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
        rules.deals,
        rules.exchange == "one_by_one",
        rules.who_antes == "losers_only",
        REFUSALS.index(rules.refusal),
        sum(POLICIES.index(name) << 2 * seat for seat, name in enumerate(_names(game, players))),
    )


def _parts(until: str) -> int:
    if until not in UNTIL:
        raise BadRequest("error.pace", pace=quoted(until), paces=", ".join(UNTIL))
    return 1 + UNTIL.index(until)


def _columns(kind: Any, game: AnyGame, seed: int, first: int, n: int) -> Any:
    """Columns of zeros, all in one piece of memory: many fresh pieces would cost as much as a good part of a deal."""
    for index in (first, first + max(n - 1, 0)):
        Seeded(seed, index)  # refuses what is beyond 64 bits
    kinds = [np.dtype(KINDS[name]) for name in kind._fields]
    table = (game.players, HAND + 1)
    shapes = {"tricks": table if kind is Games else (n, *table), **dict.fromkeys(BY_SEAT, (n, game.players))}
    wide = [shapes.get(name, (n,)) for name in kind._fields]
    sizes = [prod(shape) * dtype.itemsize for shape, dtype in zip(wide, kinds, strict=True)]
    ends = list(accumulate(size + 7 & -8 for size in sizes))
    memory = np.zeros(ends[-1], np.uint8)
    parts = [memory[begin : begin + size] for begin, size in zip([0, *ends[:-1]], sizes, strict=True)]
    return kind._make(part.view(dtype).reshape(shape) for part, dtype, shape in zip(parts, kinds, wide, strict=True))


def _token(action: int) -> str:
    verb, bits = VERBS[action >> int(VERB)], action & int(ALL)
    if verb == "dealer":
        return f"dealer {bits.bit_length() - 1}"
    return " ".join([verb, *(str(card) for card in NAMES[:CARDS] if bits >> card.code & 1)])
