"""Poker Marshal said once more, compiled: whole games and rollouts, card for card those of ``cardlab.games.poker_marshal``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.cards import parse_cards
from cardlab.cards.card import CARDS as NAMES
from cardlab.core.dealer import Seeded
from cardlab.core.game import AnyGame
from cardlab.fast import hands
from cardlab.fast.counting import Figures
from cardlab.fast.jit import compiled, lean
from cardlab.fast.marshal_choices import NOBODY, POLICIES, WORTH_KEEPING
from cardlab.fast.marshal_deal import VERB, VERBS, play_on
from cardlab.fast.marshal_still import play_still
from cardlab.fast.marshal_table import FIVE, HOUSE, SIZE, TABLE, House, Moment, Starts, book, fits, lay, of_worlds, starts
from cardlab.fast.streams import U
from cardlab.games.marshal_state import STREAK
from cardlab.games.poker_marshal import PokerMarshal

__all__ = ["Games", "Moment", "Starts", "covers", "lay", "of_worlds", "play", "rollout_trace", "rollouts", "starts", "trace"]

MOST_DEALS: Final = 2**32 - 1  # the counts of a row are whole numbers of 32 bits
PACES: Final = ("deal", "game")
ALL_ROWS: Final = np.empty(0, np.int64)
NOTHING: Final = np.empty(0, np.uint64)  # no room to write actions down

Players = str | Mapping[int, str]
Counts = NDArray[np.uint32]


class Games(NamedTuple):
    """Games with consecutive indices, a row each; a rollout counts from its start on, except deals won and streaks, which go on."""

    deals: Counts
    titles: NDArray[np.uint8]  # after the last deal: by column the seats, from the Marshal to the Bandit
    first: NDArray[np.uint8]  # the same before the first deal
    wins: Counts  # deals won, by seat
    placed: NDArray[np.int64]  # the sum of the titles won, by seat, 0 for the Marshal's
    moves: Counts  # by [row, old title, new title]: how often a player passed from one to the other
    longest: Counts  # most deals won running by one player
    best: NDArray[np.uint16]  # the best hand shown, as a value of ``cardlab.fast.hands``; 0 if none was
    draws: Counts  # groups of players who drew for their places because their hands were equal


@lean
def _put(games: Any, g: Any, t: Any) -> None:
    for k in range(FIVE):
        games.first[g, k], games.titles[g, k], games.wins[g, k], games.placed[g, k] = t.first[k], t.titles[k], t.wins[k], t.placed[k]
    games.deals[g], games.longest[g], games.best[g], games.draws[g] = t.deals, t.longest, t.best, t.draws


@compiled
def _stills(houses: Any, books: Any, begun: Any, tables: Any, seed: Any, index: Any, games: Any, told: Any) -> None:
    """Games of players who keep still, one for each row; houses, books, starts and tables are arrays of a single record."""
    for g in range(len(games.deals)):
        tables[0] = begun[0]
        play_still(houses[0], books[0], seed, index + U(g), tables[0], games.moves[g], told)
        _put(games, g, tables[0])


@compiled
def _walks(houses: Any, books: Any, begun: Any, tables: Any, seed: Any, index: Any, rows: Any, one_deal: Any, games: Any, told: Any) -> Any:
    """Games action by action, one for each row, from its own start or all from the only one; the number of an impossible start, or -1.

    Game g has the index ``index + rows[g]``, or ``index + g`` where there are no rows.
    """
    for g in range(len(games.deals)):
        tables[0] = begun[g if len(begun) > 1 else 0]
        if not fits(tables[0]):
            return g
        at = index + U(rows[g] if len(rows) else g)
        play_on(houses[0], books[0], seed, at, one_deal, tables[0], games.moves[g], told)
        _put(games, g, tables[0])
    return -1


# what is asked for


def covers(game: AnyGame, players: Players) -> bool:
    """Whether the twin knows this game and these players: the usual size, fewer than 2**32 deals (any number with a streak), by name.

    >>> covers(PokerMarshal(), "random"), covers(PokerMarshal(), "expert"), covers(PokerMarshal(deals=2**32), "random")
    (True, False, False)
    """
    known = isinstance(game, PokerMarshal) and game.size == SIZE and (game.rules.deals <= MOST_DEALS or game.rules.ends == "streak")
    return known and all(name in POLICIES for name in _names(game, players))


def play(game: AnyGame, seed: int, first: int, n: int, players: Players) -> Games:
    """The games of ``n`` indices from ``first`` on, from start to end; raises BadRequest for a seed or an index beyond 64 bits.

    >>> games = play(PokerMarshal(deals=1), seed=7, first=0, n=1000, players="still")
    >>> games.first[0].tolist(), games.titles[0].tolist(), games.moves.sum(axis=0)[0].tolist()
    ([4, 2, 3, 0, 1], [2, 4, 0, 3, 1], [497, 257, 143, 83, 20])
    """
    house, games = _house(game, players), _rows(seed, first, n)
    begun, table = starts([Moment(game.start(), {})]), np.empty(1, TABLE)
    if _names(game, players) == ["still"] * FIVE:
        _stills(house, book(game.rules.short_hands), begun, table, U(seed), U(first), games, NOTHING)
    else:
        _walks(house, book(game.rules.short_hands), begun, table, U(seed), U(first), ALL_ROWS, False, games, NOTHING)
    return games


def figures(game: AnyGame, games: Games) -> tuple[Figures, list[int]]:
    """What is counted in these games; no row is left to the engine."""
    tables = {"transitions": games.moves.sum(axis=0), "wins": games.wins.sum(axis=0)}
    values = {"deals": [games.deals], "longest_streak": [games.longest]}
    best = hands.tables(game.rules.short_hands).made[games.best]
    return Figures(games.deals, tables, values, {"draws": games.draws}, {"best_hand": best, "longest_streak": games.longest}), []


def scores(game: AnyGame, games: Games) -> tuple[NDArray[np.int64], list[int]]:
    """The titles won, 0 for the Marshal's and one less for each below."""
    return -games.placed, []


def rollouts(
    game: AnyGame,
    begun: Starts,
    seed: int,
    first: int,
    players: Players,
    until: str = "game",
    accept: Fraction | None = None,
    quiet: int | None = None,
    rows: NDArray[np.int64] = ALL_ROWS,
) -> Games:
    """Plays on from each start, the k-th as a session would that stood there with the dealer (seed, first + k): to the end of the game,
    or with ``until="deal"`` to the end of the deal. With ``rows`` the k-th has the dealer (seed, first + rows[k]).

    With ``accept`` whoever could give a card for an offer gives one with this chance, whatever his policy: ``below(word, denominator)``
    of the decision's word says whether, ``below(word << 32, cards)`` which one of several. ``quiet`` is a seat that says "enough"
    whenever it may. Raises ValueError for a start whose cards cannot lie so, another ``until``, a chance that is none or has a denominator
    of 2**32 or more, and a seat that does not exist.

    >>> from cardlab import Session
    >>> session = Session(PokerMarshal(), seed=7)
    >>> begun = starts([Moment(session.state, session.cursor.counts)] * 3)
    >>> rollouts(session.game, begun, seed=7, first=0, players="still", until="deal").deals.tolist()
    [1, 1, 1]
    """
    house, games = _house(game, players, accept, quiet), _rows(seed, first, len(begun))
    _roll(game, house, begun, seed, first, until, games, NOTHING, rows)
    return games


def counted(games: Games) -> list[list[int]]:
    """How often each seat has each title after the last deal."""
    return [np.count_nonzero(games.titles == seat, axis=0).tolist() for seat in range(FIVE)]


def title_of(games: Games, seat: int) -> NDArray[np.int64]:
    """A seat's title after the last deal."""
    found: NDArray[np.int64] = (games.titles == seat).argmax(axis=1)
    return found


def by_jokers(hand: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """The rows by how many jokers a hand holds."""
    jokers = sum(hand >> U(card.code) & U(1) for card in NAMES if card.joker)
    return [(jokers == n).nonzero()[0] for n in np.unique(jokers)]


def copies(begun: Starts, n: int) -> Starts:
    """The only start so many times."""
    return np.repeat(begun, n)


def passings(games: Games) -> dict[tuple[int, ...], int]:
    """The new titles of the holders of the old ones, from the Marshal to the Bandit, with how often each such row came, in one deal."""
    rows, times = np.unique(games.moves.argmax(axis=2), axis=0, return_counts=True)
    return {tuple(row): n for row, n in zip(rows.tolist(), times.tolist(), strict=True)}


def trace(game: AnyGame, seed: int, index: int, players: Players) -> list[str]:
    """The actions of one game as the engine writes them, chance included.

    >>> trace(PokerMarshal(), seed=7, index=0, players="still")[5:8]
    ['shuffle', 'deal AC', 'deal 5S']
    """
    return rollout_trace(game, starts([Moment(game.start(), {})]), seed, index, players)


def rollout_trace(
    game: AnyGame,
    begun: Starts,
    seed: int,
    index: int,
    players: Players,
    until: str = "game",
    accept: Fraction | None = None,
    quiet: int | None = None,
) -> list[str]:
    """The actions of the rollout of a single start."""
    (_,) = begun
    house, said = _house(game, players, accept, quiet), 2**9
    while True:
        told, games = np.zeros(1 + said, np.uint64), _rows(seed, index, 1)
        _roll(game, house, begun, seed, index, until, games, told)
        if told[0] <= said:
            return [_token(int(action)) for action in told[1 : 1 + int(told[0])]]
        said = int(told[0])  # there was no room for all of them


def _names(game: AnyGame, players: Players) -> list[str]:
    return [players if isinstance(players, str) else players.get(seat, "") for seat in game.seats]


def _roll(
    game: AnyGame,
    house: Any,
    begun: Starts,
    seed: int,
    first: int,
    until: str,
    games: Games,
    told: NDArray[np.uint64],
    rows: NDArray[np.int64] = ALL_ROWS,
) -> None:
    if until not in PACES:
        raise ValueError(f"until is one of {PACES}, not {until!r}")
    if begun.dtype != TABLE or begun.ndim != 1:
        raise ValueError(f"starts are an array of one dimension and of type TABLE, not {begun.dtype} {begun.shape}")
    begun, table = np.require(begun, requirements=["C", "W"]), np.empty(1, TABLE)
    wrong = _walks(house, book(game.rules.short_hands), begun, table, U(seed), U(first), rows, until == "deal", games, told)
    if wrong >= 0:
        raise ValueError(f"the cards of start {wrong} do not lie as they can at that moment")


def _house(game: AnyGame, players: Players, accept: Fraction | None = None, quiet: int | None = None) -> NDArray[np.void]:
    if not covers(game, players):
        raise ValueError(f"the twin knows no other sizes, numbers of deals and players ({', '.join(POLICIES)}): {game!r}, {players!r}")
    if accept is not None and not (0 <= accept <= 1 and accept.denominator < 2**32):
        raise ValueError(f"a chance is a fraction from 0 to 1 with a denominator below 2**32, not {accept}")
    if quiet is not None and quiet not in game.seats:
        raise ValueError(f"a seat is a number from 0 to {FIVE - 1}, not {quiet}")
    rules = game.rules
    keeping = np.array([[card.code for card in parse_cards(WORTH_KEEPING[rules.short_hands])]], np.uint8)
    house = House(
        rules.swap == "take_then_give",
        rules.offers == "ask_or_offer",
        rules.title_tie == "incumbent",
        min(rules.deals, MOST_DEALS),
        STREAK if rules.ends == "streak" else 0,
        sum(POLICIES.index(name) << 2 * seat for seat, name in enumerate(_names(game, players))),
        int(hands.values(keeping, rules.short_hands)[0]),
        NOBODY if quiet is None else int(quiet),
        accept.numerator if accept is not None else 0,
        accept.denominator if accept is not None else 0,
    )
    return np.array([house], HOUSE)


def _rows(seed: int, first: int, n: int) -> Games:
    for index in (first, first + max(n - 1, 0)):
        Seeded(seed, index)  # refuses what is beyond 64 bits
    return Games(
        np.zeros(n, np.uint32),
        np.zeros((n, FIVE), np.uint8),
        np.zeros((n, FIVE), np.uint8),
        np.zeros((n, FIVE), np.uint32),
        np.zeros((n, FIVE), np.int64),
        np.zeros((n, FIVE, FIVE), np.uint32),
        np.zeros(n, np.uint32),
        np.zeros(n, np.uint16),
        np.zeros(n, np.uint32),
    )


def _token(action: int) -> str:
    verb, what = VERBS[action >> int(VERB)], action & (1 << int(VERB)) - 1
    if verb in ("take", "pick"):
        return f"{verb} {what}"
    return " ".join([verb, *(str(card) for card in NAMES if what >> card.code & 1)])
