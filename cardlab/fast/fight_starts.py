"""Moments of Fight for the Lead as the engine knows them, put into columns from which the compiled twin plays on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards import PACK_52
from cardlab.core.events import Seat
from cardlab.core.game import AnyGame
from cardlab.core.places import mask_of
from cardlab.core.streams import CHOICES
from cardlab.fast.fight_choices import ALL, HAND
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
NOWHERE: Final = Moment(REFUSING, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, False, -1, 0, 0, 0, 0, 0, 0, int(ALL), 0, 0)
Counts = Mapping[int, int]


class Starts(NamedTuple):
    """Moments to play on from, a row each; cards are sets of bits, a bit for each code.

    Where all but hands and stock is the same, the other columns may have a single row.
    """

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
    moment: Any = Moment._make(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True))
    one, by_seat = (len(rows),), (len(rows), game.players)
    shapes: list[Any] = [
        (by_seat, np.uint64), (by_seat, np.uint64), (by_seat, np.int64), (by_seat, np.int64), (one, np.uint64), (one, np.uint64)
    ]  # fmt: skip
    return Starts(moment, *(np.array([row[k] for row in rows], kind).reshape(shape) for k, (shape, kind) in enumerate(shapes, 1)))


def of_worlds(
    begun: Starts, dealt: NDArray[np.uint64], hands: Mapping[int, int], stock: int | None, sealed: Mapping[int, NDArray[Any]]
) -> Starts:
    """As many copies of the only start as there are rows of ``dealt``, with the hands and the stock of those columns in their places.

    ``sealed`` are fight cards of these hands, which lie before their seats then, or whether a seat drops.
    """
    n = len(dealt)
    held = np.repeat(begun.hands, n, axis=0)
    for seat, column in hands.items():
        held[:, seat] = dealt[:, column]
    lying = np.repeat(begun.stock, n) if stock is None else dealt[:, stock]
    if not sealed:
        return begun._replace(hands=held, stock=lying)
    moment: Any = Moment._make(np.repeat(column, n) for column in begun.moment)
    columns: Any = (np.repeat(column, n, axis=0) for column in (begun.laid, begun.chosen, begun.balances))
    laid, chosen, balances = columns
    for seat, what in sealed.items():
        if begun.moment.phase[0] == DROPPING:  # type: ignore[index]
            moment.out[:] = moment.out & ~(1 << seat) | what << seat
        else:
            laid[:, seat] = what
            held[:, seat] ^= what
    return Starts(moment, held, laid, chosen, balances, lying, np.repeat(begun.new_stock, n))


def _row(players: int, s: State, counts: Counts) -> tuple[Any, ...]:
    """One row by column, the moment first."""
    if max(s.bank, s.last_bank) > LARGEST_BANK or max(map(abs, s.balances)) > LARGEST_BALANCE:
        raise OverflowError(f"a bank or a balance is too large: {s.bank}, {s.last_bank}, {s.balances}")
    moment, laid, seats = _moment(players, s), dict(s.fight), [Seat(k) for k in range(players)]
    played = [HAND - len(s.hands[seat]) if moment.phase == PLAYING and seat in s.staying else 0 for seat in seats]
    return (
        moment,
        [mask_of(hand) for hand in s.hands],
        [mask_of([laid[seat]]) if seat in laid else 0 for seat in seats],
        [counts.get(CHOICES + seat, 0) - played[seat] for seat in seats],
        s.balances,
        mask_of(s.stock),
        mask_of(s.reshuffled or ()),
    )


def _moment(players: int, s: State) -> Moment:
    phase = STAKING if s.phase == "deal" and not s.stock else PHASES[s.phase]
    at = NOWHERE._replace(
        phase=phase,
        deal=s.deal,
        dealer=-1 if s.dealer is None else int(s.dealer),
        playing=_set(s.playing),
        losers=_set(s.losers),
        bank=s.bank if DEALING <= phase <= PLAYING else s.last_bank,
        waiting=_set(set(s.playing) - {seat for seat, _ in s.sealed}),
        out=_set(seat for seat, verb in s.sealed if verb in ("drop", "refuse")),
    )
    if not DEALING <= phase <= PLAYING:
        return at
    held = sum(map(len, s.hands))
    at = at._replace(
        staying=_set(s.staying),
        lead=int(s.lead or 0),
        won=sum(n << 3 * seat for seat, n in enumerate(s.tricks)),
        stock=len(s.stock),
        turned=mask_of(s.turned),
        new_stock=s.reshuffled is not None,
        dealt={DEALING: held, REPLACING: held - (HAND - 1) * len(s.playing)}.get(phase, 0),
        exchanged=s.exchanged,
        due=s.due,
    )
    mover = -1 if s.mover is None else int(s.mover)
    if phase == EXCHANGING:
        return at._replace(passed=(mover - at.dealer - 1) % players)
    return at._replace(**_trick(players, s, mover)) if phase == PLAYING else at


def _trick(players: int, s: State, mover: int) -> dict[str, Any]:
    """Who leads a trick, and what lies of it."""
    if not s.trick:
        return {"leader": mover}
    leader, first = s.trick[0]
    best, top = max((played for played in s.trick if played[1].suit == first.suit), key=lambda played: played[1])
    led = mask_of(card for card in PACK_52 if card.suit == first.suit)
    return {"leader": int(leader), "passed": (mover - leader) % players, "led": led, "top": mask_of([top]), "best": int(best)}


def _set(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
