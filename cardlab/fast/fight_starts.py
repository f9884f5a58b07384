"""Moments of Fight for the Lead as the engine knows them, put into columns from which the compiled twin plays on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.core.events import Seat
from cardlab.core.game import AnyGame
from cardlab.core.places import mask_of
from cardlab.core.streams import CHOICES
from cardlab.fast.fight_choices import ALL, HAND, RANKS
from cardlab.fast.fight_game import (
    DEALING,
    DROPPING,
    EXCHANGING,
    FIGHTING,
    LARGEST_BALANCE,
    LARGEST_BANK,
    OVER,
    PLAYING,
    REFUSING,
    REPLACING,
    STAKING,
    TURNING,
    Moment,
)
from cardlab.games.fight_state import State

PHASES: Final = {
    "lot": REFUSING,
    "refusal": REFUSING,
    "deal": DEALING,
    "fight": FIGHTING,
    "turn": TURNING,
    "replace": REPLACING,
    "drop": DROPPING,
    "exchange": EXCHANGING,
    "tricks": PLAYING,
    "over": OVER,
}
Counts = Mapping[int, int]


class Starts(NamedTuple):
    """Moments to play on from, a row each; cards are sets of bits, a bit for each code."""

    moment: Moment  # each of its fields a column
    hands: NDArray[np.uint64]  # by seat, as all that follow but the stock
    laid: NDArray[np.uint64]  # fight cards
    chosen: NDArray[np.int64]  # choices made in the deal before the tricks
    balances: NDArray[np.int64]
    stock: NDArray[np.uint64]
    new_stock: NDArray[np.uint64]  # all cards of the new stock of FL-7 when it was made, or none


def starts(game: AnyGame, moments: Iterable[tuple[State, Counts]]) -> Starts:
    """Columns of moments: a state each, with the numbers of each purpose used so far in its deal, as ``Session.cursor.counts`` has them.

    Raises OverflowError for a bank beyond 2**60 or a balance beyond 2**61.
    """
    rows = [_row(game.players, state, counts) for state, counts in moments]
    columns = list(zip(*(moment for moment, *_ in rows), strict=True)) or [()] * len(Moment._fields)
    kinds = [np.uint64 if name in ("turned", "led", "top") else np.int64 for name in Moment._fields]
    hands, laid, chosen, balances = (
        np.array([row[k] for row in rows], kind).reshape(-1, game.players)
        for k, kind in ((1, np.uint64), (2, np.uint64), (3, np.int64), (4, np.int64))
    )
    stock, new_stock = (np.array([row[k] for row in rows], np.uint64) for k in (5, 6))
    moment: Any = Moment._make(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True))
    return Starts(moment, hands, laid, chosen, balances, stock, new_stock)


def _row(players: int, s: State, counts: Counts) -> tuple[Any, ...]:
    """One row by column, the moment first."""
    if max(s.bank, s.last_bank) > LARGEST_BANK or max(map(abs, s.balances)) > LARGEST_BALANCE:
        raise OverflowError(f"a bank or a balance is too large: {s.bank}, {s.last_bank}, {s.balances}")
    phase = STAKING if s.phase == "deal" and not s.stock else PHASES[s.phase]
    in_deal = DEALING <= phase <= PLAYING
    laid = dict(s.fight)
    played = [HAND - len(s.hands[seat]) if phase == PLAYING and seat in s.staying else 0 for seat in range(players)]
    return (
        _moment(players, phase, s) if in_deal else _between(phase, s),
        [mask_of(hand) for hand in s.hands],
        [mask_of([laid[seat]]) if seat in laid else 0 for seat in map(Seat, range(players))],
        [counts.get(CHOICES + seat, 0) - played[seat] for seat in range(players)],
        s.balances,
        mask_of(s.stock),
        mask_of(s.reshuffled or ()),
    )


def _between(phase: int, s: State) -> Moment:
    waiting, out = _sealed(s)
    dealer = -1 if s.dealer is None else int(s.dealer)
    return Moment(
        phase, s.deal, dealer, _set(s.playing), _set(s.losers), s.last_bank, 0, 0, 0, 0, 0, False, waiting, out, 0, 0, 0, 0, 0, int(ALL), 0, 0
    )


def _moment(players: int, phase: int, s: State) -> Moment:
    assert s.dealer is not None
    waiting, out = _sealed(s)
    leader, passed, led, top, best = 0, 0, int(ALL), 0, 0
    if phase == EXCHANGING:
        assert s.mover is not None
        passed = (s.mover - s.dealer - 1) % players
    if phase == PLAYING:
        assert s.mover is not None
        leader = s.trick[0][0] if s.trick else s.mover
        passed = (s.mover - leader) % players
        if s.trick:
            suit = s.trick[0][1].suit
            best, highest = max(((seat, card) for seat, card in s.trick if card.suit == suit), key=lambda played: played[1])
            led, top = (2**RANKS - 1) << RANKS * int(suit or 0), mask_of([highest])
    held = sum(map(len, s.hands))
    return Moment(
        phase,
        s.deal,
        int(s.dealer),
        _set(s.playing),
        0,
        s.bank,
        _set(s.staying),
        int(s.lead or 0),
        sum(n << 3 * seat for seat, n in enumerate(s.tricks)),
        len(s.stock),
        mask_of(s.turned),
        s.reshuffled is not None,
        waiting,
        out,
        {DEALING: held, REPLACING: held - (HAND - 1) * len(s.playing)}.get(phase, 0),
        passed,
        s.exchanged,
        s.due,
        int(leader),
        led,
        top,
        int(best),
    )


def _sealed(s: State) -> tuple[int, int]:
    """Who has not sealed a choice yet, and who has chosen to leave."""
    sealed = [seat for seat, _ in s.sealed]
    return _set(seat for seat in s.playing if seat not in sealed), _set(seat for seat, verb in s.sealed if verb in ("drop", "refuse"))


def _set(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
