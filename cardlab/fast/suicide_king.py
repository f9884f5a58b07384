"""Suicide King said once more, compiled: whole games and rollouts, card for card those of ``cardlab.games.suicide_king``.

Said twice, in fact. ``_walk`` takes card after card, for all players and house rules, from any moment. Where the piles are taken in
order and an honour puts the number due to its own, ``_leap`` sees a whole deal at once: the places of the honours are bits of a word,
and the places at which a turn ends follow from them by a few shifts.

A card is its number in the order in which the shuffled places are handed out: the king of hearts, three kings, four queens, four jacks,
four aces, then the low cards. A set of cards, places or seats is a whole number, one bit each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardlab.core.dealer import Seeded
from cardlab.core.game import AnyGame
from cardlab.core.streams import CHOICES, DECK, LOTS
from cardlab.fast.counting import Figures
from cardlab.fast.jit import compiled, ones
from cardlab.fast.streams import U, below, deal_key, shuffled, word
from cardlab.games.suicide_king import EXTRA_CARDS, Size, SuicideKing, View

POLICIES: Final = ("still", "random", "sensible")  # the first and the last take the piles in order
SIZE: Final = Size()
PACK: Final = SuicideKing(size=SIZE).pack
CARDS: Final = len(PACK)
HONOURS: Final = 16
KING_OF_HEARTS: Final = 0
EXTRA: Final = np.array([0] + [EXTRA_CARDS.get(card.rank or 0, 0) for card in PACK[1:]], dtype=np.uint8)  # SK-7
PILES: Final = sum(cards << 4 * pile for pile, cards in enumerate(SIZE.piles))  # a digit of base 16 for each
ENDS: Final = np.cumsum(np.array(SIZE.piles, dtype=np.uint8), dtype=np.uint8)  # the place after each pile's last one
ALL: Final = U(2**CARDS - 1)
LAST: Final = U(2 ** (CARDS - 1))
FIVE: Final = 5  # seats and piles
DEALER, TAKE, SHUFFLE = 64, 96, 128  # how an action is told: a card is its number, these are added to a seat and a pile

Players = str | Mapping[int, str]
Bytes = NDArray[np.uint8]


def _turns_on() -> Bytes:
    """Whose turn it is by [those playing, a seat, how many turns after that seat's], whether that seat still plays or not."""
    seats = np.zeros((2**FIVE, FIVE, CARDS + 1), dtype=np.uint8)
    for playing in range(1, 2**FIVE):
        for seat in range(FIVE):
            now = seats[playing, seat, 0] = seat
            for n in range(1, CARDS + 1):
                now = seats[playing, seat, n] = next(k % FIVE for k in range(now + 1, now + 1 + FIVE) if playing >> k % FIVE & 1)
    return seats


AFTER: Final = _turns_on()


class House(NamedTuple):
    """The house rules and the players as numbers."""

    players: int
    first_dealer: int  # -1: by lot
    ends_deal: bool
    batch: bool
    last_leaver: bool
    at_random: int  # the seats that choose any pile alike


class Owed(NamedTuple):
    """The cards that the player on turn owes, as in ``Table``; the queue in digits of base 8, the first one lowest."""

    due: int
    extra: bool
    honour: bool
    queue: int
    waiting: int


class Moment(NamedTuple):
    """Where a game stands, as in ``Table``; -1 for a dealer, a turn and a pile that are not known yet."""

    deal: int
    dealer: int
    playing: int
    gone: int
    turn: int
    owed: Owed
    piles: int  # as PILES
    pile: int
    seen: Any
    chosen: int  # choices in this deal, a digit of base 256 for each seat


class Games(NamedTuple):
    """Games with consecutive indices, a row each; rollouts count from their moment on."""

    first: Bytes  # the seat that moved first
    left: Bytes  # by column the seats in the order of leaving, the last player left in the last one
    deals: Bytes
    cards: Bytes  # cards taken
    longest: Bytes  # most cards taken in one turn

    @property
    def last(self) -> NDArray[np.int64]:
        """How often each seat was the last player left, seats counted clockwise from the one that moved first."""
        players = self.left.shape[1]
        return np.bincount((self.left[:, -1].astype(np.int64) - self.first) % players, minlength=players)


# a game card by card


@compiled
def _lay(order: Any, laid: Any, key: Any) -> None:
    """SK-3: shuffles the places and hands them to the cards."""
    shuffled(order, key, DECK, CARDS, CARDS)
    for card in range(CARDS):
        laid[order[card]] = card


@compiled
def _left_in(piles: Any, pile: Any) -> Any:
    return piles >> 4 * pile & 15


@compiled
def _choose(house: Any, piles: Any, key: Any, seat: Any, n: Any) -> Any:
    """SK-5: the first pile with cards, or any of them alike by the seat's n-th number."""
    full = 0
    for pile in range(FIVE):
        full |= (_left_in(piles, pile) > 0) << pile
    k = below(word(key, CHOICES + seat, n), ones(full)) if house.at_random >> seat & 1 else 0
    return np.int64(AFTER[full, FIVE - 1, 1 + k])  # piles are counted as seats are


@compiled
def _one_card() -> Any:
    return Owed(1, False, False, 0, 0)


@compiled
def _after(owed: Any, extra: Any, batch: Any) -> Any:
    """What is owed after a card that asks for so many extra ones; nothing when the turn ends."""
    if not batch:
        return Owed(extra if extra else owed.due - 1, True, False, 0, 0)  # SK-7, SK-8
    if extra and not owed.extra:
        return Owed(extra, True, False, 0, 0)
    due, honour, queue, waiting = owed.due - 1, owed.honour, owed.queue, owed.waiting
    if extra:
        queue, waiting, honour = queue | extra << 3 * waiting, waiting + 1, True
    if due == 0 and honour:
        due, queue, waiting, honour = queue & 7, queue >> 3, waiting - 1, False
    return Owed(due, owed.extra, honour, queue, waiting)


@compiled
def _walk(house: Any, start: Any, seed: Any, index: Any, order: Any, laid: Any, left: Any, told: Any) -> Any:
    """Plays one game from a moment to its end: who moved first, deals, cards, longest turn, actions told."""
    deal, dealer, playing, gone, turn = start.deal, start.dealer, start.playing, start.gone, start.turn
    owed, piles, pile, seen, chosen = start.owed, start.piles, start.pile, start.seen, start.chosen
    first, deals, cards, in_turn, longest, said = turn, 0, 0, 0, 0, 0
    key = deal_key(seed, index, deal)
    if turn >= 0 and playing & (playing - 1):
        _lay(order, laid, key)
        deals = 1
    while playing & (playing - 1):  # SK-11
        if dealer < 0:
            dealer = below(word(key, LOTS, 0), house.players)  # SK-2
            said = _tell(told, said, DEALER + dealer)
        if turn < 0:
            key = deal_key(seed, index, deal)
            _lay(order, laid, key)
            turn, owed = np.int64(AFTER[playing, dealer, 1]), _one_card()  # SK-4
            piles, seen, chosen, deals = PILES, U(0), 0, deals + 1
            said = _tell(told, said, SHUFFLE)
            if first < 0:
                first = turn
        if pile < 0:
            pile = _choose(house, piles, key, turn, chosen >> 8 * turn & 255)
            chosen += 1 << 8 * turn
            said = _tell(told, said, TAKE + pile)
        card = np.int64(laid[ENDS[pile] - _left_in(piles, pile)])
        piles -= 1 << 4 * pile
        if seen >> U(card) & U(1):  # another seed dealt before: the first card left comes instead
            card = _first_left(laid, seen)
        seen |= U(1) << U(card)
        said = _tell(told, said, card)
        pile, cards, in_turn = -1, cards + 1, in_turn + 1
        longest = max(longest, in_turn)
        if card == KING_OF_HEARTS or seen == ALL:  # SK-9, SK-10
            playing &= ~(1 << turn)
            left[gone] = turn
            gone, in_turn = gone + 1, 0
            if seen == ALL or house.ends_deal:
                deal, dealer, turn = deal + 1, turn if house.last_leaver else np.int64(AFTER[playing, dealer, 1]), -1  # SK-12
            else:
                turn, owed = np.int64(AFTER[playing, turn, 1]), _one_card()
        else:
            owed = _after(owed, np.int64(EXTRA[card]), house.batch)
            if owed.due == 0:
                turn, owed, in_turn = np.int64(AFTER[playing, turn, 1]), _one_card(), 0  # SK-6, SK-8
    left[house.players - 1] = AFTER[playing, 0, 1]
    return first, deals, cards, longest, said


@compiled
def _first_left(laid: Any, seen: Any) -> Any:
    """The first card by place that is not seen yet."""
    for card in laid:
        if not seen >> U(card) & U(1):
            return np.int64(card)
    return -1


@compiled
def _tell(told: Any, said: Any, action: Any) -> Any:
    if told.size:
        told[said] = action
    return said + 1


@compiled
def _walks(house: Any, start: Any, seed: Any, index: Any, games: Any) -> None:
    """Games card by card, one for each row."""
    order, laid, nothing = np.empty(CARDS, np.uint8), np.empty(CARDS, np.uint8), np.empty(0, np.uint8)
    for g in range(len(games.first)):
        walked = _walk(house, start, seed, index + U(g), order, laid, games.left[g], nothing)
        games.first[g], games.deals[g], games.cards[g], games.longest[g], _ = walked


@compiled
def _told(house: Any, start: Any, seed: Any, index: Any, left: Any, told: Any) -> Any:
    """One game card by card; how many actions it has."""
    order, laid = np.empty(CARDS, np.uint8), np.empty(CARDS, np.uint8)
    return _walk(house, start, seed, index, order, laid, left, told)[4]


# a deal at once


@compiled
def _set_of(order: Any, first: Any, n: Any) -> Any:
    """The places of some cards."""
    places = U(0)
    for k in range(first, first + n):
        places |= U(1) << U(order[k])
    return places


@compiled
def _turn_ends(order: Any) -> Any:
    """The places at which a turn ends by a low card (SK-6, SK-8), the piles being taken in order."""
    king, kings, queens = _set_of(order, 0, 1), _set_of(order, 1, 3), _set_of(order, 4, 4)
    jacks, four_due = _set_of(order, 8, 4), _set_of(order, 12, 4)
    low = ~(king | kings | queens | jacks | four_due)
    three_due = kings | (four_due << U(1) & low)
    two_due = queens | (three_due << U(1) & low)
    one_due = jacks | (two_due << U(1) & low)
    return ~(king | four_due | three_due | two_due | one_due)


@compiled
def _longest(ends: Any, taken: Any) -> Any:
    """Most cards between two ends of turns, the one that ends the turn counted."""
    going_on = ~ends & taken
    longest = 1
    while going_on:
        going_on &= going_on << U(1)
        longest += 1
    return longest


@compiled
def _leap(house: Any, seed: Any, index: Any, order: Any, left: Any) -> Any:
    """One game from its start, deal by deal: who moved first, deals, cards, longest turn."""
    playing, gone, deal, cards, longest = (1 << house.players) - 1, 0, 0, 0, 0
    dealer, first = house.first_dealer, -1
    if dealer < 0:
        dealer = below(word(deal_key(seed, index, 0), LOTS, 0), house.players)  # SK-2
    while playing & (playing - 1):  # SK-11
        shuffled(order, deal_key(seed, index, deal), DECK, CARDS, HONOURS)  # SK-3
        turn = AFTER[playing, dealer, 1]  # SK-4
        first = turn if first < 0 else first
        ends, king = _turn_ends(order), U(1) << U(order[KING_OF_HEARTS])
        taken, before = king | (king - U(1)), ends & (king - U(1))
        leaver = AFTER[playing, turn, ones(before)]  # SK-9
        playing &= ~(1 << leaver)
        left[gone] = leaver
        gone, deal = gone + 1, deal + 1
        if playing & (playing - 1) and not house.ends_deal and king != LAST:
            leaver = AFTER[playing, leaver, 1 + ones(ends & ~taken & ~LAST & ALL)]  # SK-10
            playing &= ~(1 << leaver)
            left[gone] = leaver
            gone, taken = gone + 1, ALL
        cards += ones(taken)
        longest = max(longest, _longest(ends | king | LAST, taken))
        dealer = np.int64(leaver if house.last_leaver else AFTER[playing, dealer, 1])  # SK-12
    left[gone] = AFTER[playing, 0, 1]
    return first, deal, cards, longest


@compiled
def _leaps(house: Any, seed: Any, index: Any, games: Any) -> None:
    """Games deal by deal, one for each row."""
    order = np.empty(CARDS, np.uint8)
    for g in range(len(games.first)):
        games.first[g], games.deals[g], games.cards[g], games.longest[g] = _leap(house, seed, index + U(g), order, games.left[g])


# what is asked for


def covers(game: AnyGame, players: Players) -> bool:
    """Whether the twin knows this game and these players: the usual pack and piles, players by name.

    >>> covers(SuicideKing(3), "random"), covers(SuicideKing(3), "expert")
    (True, False)
    """
    return isinstance(game, SuicideKing) and game.size == SIZE and all(name in POLICIES for name in _names(game, players))


def play(game: AnyGame, seed: int, first: int, n: int, players: Players) -> Games:
    """The games of ``n`` indices from ``first`` on, from start to end; raises BadRequest for a seed or an index beyond 64 bits.

    >>> games = play(SuicideKing(2, first_dealer=1), seed=7, first=0, n=1000, players="still")
    >>> games.left[0].tolist(), games.last.tolist()
    ([0, 1], [501, 499])
    """
    house, games = _house(game, players), _rows(game, seed, first, n)
    if house.batch or house.at_random:
        _walks(house, _start(house), U(seed), U(first), games)
    else:
        _leaps(house, U(seed), U(first), games)
    return games


def figures(game: AnyGame, games: Games) -> tuple[Figures, list[int]]:
    """What is counted in these games; no row is left to the engine."""
    n = game.players
    seats = (games.left + (n - games.first)[:, None]) % n  # clockwise from the one that moved first
    places = np.bincount((seats + n * np.arange(n)).ravel(), minlength=n * n).reshape(n, n).T
    values = {"deals": [games.deals], "cards": [games.cards], "longest_turn": [games.longest]}
    remarkable = {"longest_turn": games.longest, "most_deals": games.deals}
    return Figures(games.deals, {"last": places[:, -1], "places": places}, values, {"cards": games.cards}, remarkable), []


def scores(game: AnyGame, games: Games) -> tuple[NDArray[np.int64], list[int]]:
    """The scores by seat: one point for the last player, lost or won."""
    last = games.left[:, -1:] == np.arange(game.players)
    return last * (1 if game.rules.last_player == "wins" else -1), []


def rollouts(view: View, seed: int, first: int, n: int, players: Players) -> Games:
    """Plays on from what a view knows, as a session would that stood there with the dealer (seed, index), for ``n`` indices."""
    games = _rows(view.game, seed, first, n)
    games.left[:, : len(view.table.left)] = view.table.left
    _walks(_house(view.game, players), _moment(view), U(seed), U(first), games)
    return games


def trace(game: AnyGame, seed: int, index: int, players: Players) -> list[str]:
    """The actions of one game as the engine writes them, chance included.

    >>> trace(SuicideKing(2), seed=7, index=0, players="still")[:4]
    ['dealer 0', 'shuffle', 'take 0', 'card QD']
    """
    house = _house(game, players)
    return _tokens(house, _start(house), seed, index)


def rollout_trace(view: View, seed: int, index: int, players: Players) -> list[str]:
    """The actions of one rollout."""
    return _tokens(_house(view.game, players), _moment(view), seed, index)


def _names(game: AnyGame, players: Players) -> list[str]:
    return [players if isinstance(players, str) else players.get(seat, "") for seat in game.seats]


def _house(game: AnyGame, players: Players) -> House:
    if not covers(game, players):
        raise ValueError(f"the twin knows neither other packs nor other players than {', '.join(POLICIES)}: {game!r}, {players!r}")
    rules = game.rules
    return House(
        game.players,
        -1 if rules.first_dealer == "lot" else rules.first_dealer,
        rules.king_of_hearts == "ends_deal",
        rules.extra_cards == "batch",
        rules.next_dealer == "last_leaver",
        sum(1 << seat for seat, name in enumerate(_names(game, players)) if name == "random"),
    )


def _rows(game: AnyGame, seed: int, first: int, n: int) -> Games:
    for index in (first, first + max(n - 1, 0)):
        Seeded(seed, index)  # refuses what is beyond 64 bits
    return Games(np.empty(n, np.uint8), np.empty((n, game.players), np.uint8), *(np.empty(n, np.uint8) for _ in range(3)))


def _start(house: House) -> Moment:
    return Moment(0, house.first_dealer, (1 << house.players) - 1, 0, -1, Owed(0, False, False, 0, 0), 0, -1, U(0), 0)


def _moment(view: View) -> Moment:
    t = view.table
    queue = sum(n << 3 * k for k, n in enumerate(t.queue))
    takers = [seat for seat, _ in view.shown] + ([] if t.pile is None else [t.turn])
    return Moment(
        t.deal,
        -1 if t.dealer is None else int(t.dealer),
        sum(1 << seat for seat in t.playing),
        len(t.left),
        -1 if t.turn is None else int(t.turn),
        Owed(t.due, t.extra, t.honour, queue, len(t.queue)),
        sum(cards << 4 * pile for pile, cards in enumerate(t.piles)),
        -1 if t.pile is None else t.pile,
        U(sum(1 << PACK.index(card) for _, card in view.shown)),
        sum(takers.count(seat) << 8 * seat for seat in view.game.seats),
    )


def _tokens(house: House, moment: Moment, seed: int, index: int) -> list[str]:
    Seeded(seed, index)
    told = np.empty(1 + house.players * (1 + 2 * CARDS), np.uint8)
    n = _told(house, moment, U(seed), U(index), np.empty(house.players, np.uint8), told)
    return [_token(int(action)) for action in told[:n]]


def _token(action: int) -> str:
    if action == SHUFFLE:
        return "shuffle"
    if action >= TAKE:
        return f"take {action - TAKE}"
    return f"dealer {action - DEALER}" if action >= DEALER else f"card {PACK[action]}"
