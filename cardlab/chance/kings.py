"""Suicide King's questions; every answer is exact, and holds whatever the players choose: all piles are alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Final

from cardlab.chance.answers import Answer, Exact
from cardlab.chance.king_batches import in_turn
from cardlab.chance.king_deals import table
from cardlab.chance.king_lanes import Deck, Ending
from cardlab.chance.king_turns import turn_lengths
from cardlab.chance.questions import Options, question
from cardlab.core.events import Seat
from cardlab.core.game import AnyGame
from cardlab.games.suicide_king import SuicideKing, Table
from cardlab.words import Phrase, Words

NAME: Final = "suicide_king"
Ways = dict[Seat, int]  # of so many sequences in all


def _goes_on(game: AnyGame, view: Any) -> bool:
    return len(view.table.playing) > 1


def _answer(name: str, numbers: dict[Any, Exact], adds_up: bool = True) -> Answer[Any]:
    return Answer(name, numbers, Phrase.of("assumes.any_pile"), adds_up)


@question(NAME, "last_player", quick=True)
def last_player(game: AnyGame, view: Any, options: Options) -> Answer[Seat]:
    """The chance of each seat to be the last player left (SK-1).

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2, first_dealer=1), seed=7)
    >>> round(float(last_player(session.game, session.view(), Options())[Seat(0)]), 12)
    0.489795241402
    """
    assert isinstance(game, SuicideKing)
    t: Table = view.table
    if len(t.playing) == 1:
        chances = {t.playing[0]: Fraction(1)}
    elif t.dealer is None:
        chances = {seat: Fraction(1, game.players) for seat in game.seats}  # any seat may move first
    else:
        chances = _last(game, t, t.dealer)
    return _answer("last_player", {seat: Exact(chances.get(seat, Fraction(0))) for seat in game.seats})


@dataclass(frozen=True, order=True)
class Leaving:
    """A player leaves in this deal: by the king of hearts (SK-9) or by the last card (SK-10)."""

    seat: Seat
    by: str

    def display(self, words: Words) -> str:
        """The outcome in words."""
        return words.text(f"outcome.leaving.{self.by}", seat=self.seat)

    def __str__(self) -> str:
        return f"{self.seat} {self.by}"


@question(NAME, "leaves_this_deal", fits=_goes_on)
def leaves_this_deal(game: AnyGame, view: Any, options: Options) -> Answer[Leaving]:
    """For each seat the chances to leave in this deal by the king of hearts and by the last card; two may leave in one deal."""
    assert isinstance(game, SuicideKing)
    t: Table = view.table
    endings, order = _endings(game, t)
    total = sum(ending.ways for ending in endings)
    chances = dict.fromkeys([Leaving(seat, by) for seat in game.seats for by in ("king", "last_card")], Fraction(0))
    for ending in endings:
        for leaving in _leaving(game, ending, order):
            chances[leaving] += Fraction(ending.ways, total)
    if t.dealer is None:  # before the lot the seats are alike
        for by in ("king", "last_card"):
            mean = sum(p for leaving, p in chances.items() if leaving.by == by) / game.players
            chances.update((Leaving(seat, by), Fraction(mean)) for seat in game.seats)
    return _answer("leaves_this_deal", {leaving: Exact(p) for leaving, p in chances.items()}, adds_up=False)


@question(NAME, "turn_length", fits=_goes_on)
def turn_length(game: AnyGame, view: Any, options: Options) -> Answer[int]:
    """How many more cards the player on turn takes before his turn ends; between deals, of the first turn of the next."""
    assert isinstance(game, SuicideKing)
    t: Table = view.table
    deck = _deck(game, t)
    batch = game.rules.extra_cards == "batch"
    lengths = turn_lengths(deck, 1, batch) if t.turn is None else turn_lengths(deck, t.due, batch, t.honour, t.queue)
    longest = max(n for n, p in enumerate(lengths, 1) if p)
    return _answer("turn_length", {n: Exact(p) for n, p in enumerate(lengths[:longest], 1)})


@question(NAME, "next_card", fits=_goes_on)
def next_card(game: AnyGame, view: Any, options: Options) -> Answer[Any]:
    """Each card's chance to be the next one shown: all cards not shown in this deal are alike, whatever the pile (SK-5)."""
    assert isinstance(game, SuicideKing)
    cards = game.size.pack if view.table.turn is None else view.table.unseen.cards
    return _answer("next_card", {card: Exact(Fraction(1, len(cards)), count=1) for card in sorted(cards)})


@question(NAME, "cards_to_end", fits=_goes_on)
def cards_to_end(game: AnyGame, view: Any, options: Options) -> Answer[int]:
    """How many more cards are taken before the deal ends; where the king of hearts ends it, that is where he lies: anywhere alike."""
    assert isinstance(game, SuicideKing)
    t: Table = view.table
    deck = _deck(game, t)
    if deck.king and (len(t.playing) == 2 or game.rules.king_of_hearts == "ends_deal"):
        return _answer("cards_to_end", {n: Exact(Fraction(1, deck.size), count=1) for n in range(1, deck.size + 1)})
    return _answer("cards_to_end", {deck.size: Exact(Fraction(1), count=1)})


# How the deal ends


def _deck(game: SuicideKing, t: Table) -> Deck:
    return Deck.of(game.size.pack if t.turn is None else t.unseen)


def _endings(game: SuicideKing, t: Table) -> tuple[list[Ending], tuple[Seat, ...]]:
    """The endings of the deal with their ways, and the players in order from the one on turn."""
    pack, deck = Deck.of(game.size.pack), _deck(game, t)
    if t.turn is None:
        first = game.seats[0] if t.dealer is None else game.next_of(t.dealer, t.playing)
        order = game.clockwise(first, t.playing)
        return _whole_deal(pack, game.rules.extra_cards == "batch", len(order)), order
    order = game.clockwise(t.turn, t.playing)
    batch = game.rules.extra_cards == "batch"
    found = table(pack, batch, len(order) - deck.king)
    if not batch:
        vector = found.due(deck, t.due)
    elif (t.due, t.honour, t.queue) == (1, False, ()):
        vector = found.start(deck.counts, deck.king)
    else:
        vector = in_turn(found, deck, t.due, t.honour, t.queue)
    return found.lanes.endings(vector, len(order), deck.king), order


@lru_cache(maxsize=64)
def _whole_deal(pack: Deck, batch: bool, players: int) -> list[Ending]:
    found = table(pack, batch, players - pack.king)
    return found.lanes.endings(found.full, players, pack.king)


def _leaving(game: SuicideKing, ending: Ending, order: Sequence[Seat]) -> Iterator[Leaving]:
    """Who leaves at an ending, in order; the game may be over before the last card is taken."""
    rest = list(order)
    turn = 0
    if ending.king is not None:
        yield Leaving(rest[ending.king], "king")
        if game.rules.king_of_hearts == "ends_deal":
            return
        turn = ending.king
        del rest[turn]
    if ending.last is not None and len(rest) > 1:
        yield Leaving(rest[(turn + ending.last) % len(rest)], "last_card")


# Who is the last


def _last(game: SuicideKing, t: Table, dealer: Seat) -> dict[Seat, Fraction]:
    """P(seat is the last), from the endings of this deal and the chances at the start of the next."""
    endings, order = _endings(game, t)
    return _fractions(*_after(game, endings, order, dealer))


def _after(game: SuicideKing, endings: Sequence[Ending], order: Sequence[Seat], dealer: Seat) -> tuple[Ways, int]:
    """For each seat the ways to be the last after a deal, and all ways: whole numbers until the end."""
    firsts: dict[tuple[Seat, ...], int] = defaultdict(int)  # the players of the next deal from the first to move, and the ways
    for ending in endings:
        if ending.ways:
            gone = [leaving.seat for leaving in _leaving(game, ending, order)]
            firsts[_next_deal(game, tuple(order), tuple(gone), dealer)] += ending.ways
    pack = Deck.of(game.size.pack)  # a game is equal to one with another pack
    shares = {players: _shares(game, pack, len(players)) for players in firsts}
    common = lcm(*(total for _, total in shares.values()))
    last: Ways = defaultdict(int)
    for players, ways in firsts.items():
        numbers, total = shares[players]
        for seat, number in zip(players, numbers, strict=True):
            last[seat] += ways * number * (common // total)
    return last, sum(firsts.values()) * common


def _fractions(ways: Ways, total: int) -> dict[Seat, Fraction]:
    return {seat: Fraction(number, total) for seat, number in ways.items()}


@lru_cache(maxsize=4096)
def _next_deal(game: SuicideKing, order: tuple[Seat, ...], gone: tuple[Seat, ...], dealer: Seat) -> tuple[Seat, ...]:
    """The players of the next deal, from the first to move (SK-12)."""
    rest = [seat for seat in order if seat not in gone]
    dealer = gone[-1] if game.rules.next_dealer == "last_leaver" else game.next_of(dealer, rest)
    return game.clockwise(game.next_of(dealer, rest), rest)


@lru_cache(maxsize=64)
def _shares(game: SuicideKing, pack: Deck, players: int) -> tuple[tuple[int, ...], int]:
    """When a deal begins between so many: the ways of each to be the last, the first to move at the head, and all ways."""
    if players == 1:
        return (1,), 1
    order = tuple(Seat(k) for k in range(players))
    ways, total = _after(game, _whole_deal(pack, game.rules.extra_cards == "batch", players), order, order[-1])
    fractions = _fractions(ways, total)
    common = lcm(*(p.denominator for p in fractions.values()))
    return tuple(int(fractions.get(seat, Fraction(0)) * common) for seat in order), common
