"""What is counted in a simulated game of each kind, and how it is read off a game that the engine has played.

The compiled twins give the same figures by the same names (``figures`` in ``cardlab.fast``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cardlab.chance.fight_play import score
from cardlab.core.events import Event
from cardlab.core.game import AnyGame, Step
from cardlab.core.session import Session
from cardlab.games.fight_events import BankUnplayed, DealOver, LeadPasses, LeadWon, Reshuffled, TrickWon, Turned
from cardlab.games.fight_events import Shuffled as FightShuffled
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.marshal_events import DealWon, HandShown, TitleDraw, TitlesSet
from cardlab.games.suicide_king import Leaves, Passed
from cardlab.simulation.tally import Rate, Sums, Tally, most

TRICKS: Final = 5  # a player may take 0 to 4 of them
TITLES: Final = 5


@dataclass
class Row:
    """The figures of one game.

    Tables of counts, row by row; values, one for the game or one a seat; what happened in all its deals; what is remarkable when large.
    """

    deals: int
    tables: dict[str, list[int]]
    values: dict[str, list[int]]
    rates: dict[str, int]
    remarkable: dict[str, int]


@dataclass(frozen=True)
class Kind:
    """What is counted in games of a kind: the columns of each table, how a game is read, and what a match counts.

    ``scores`` are whole numbers by seat, more being better, of which ``unit`` make 1.
    """

    columns: Callable[[AnyGame], dict[str, int]]
    read: Callable[[Session], Row]
    scores: Callable[[Session], list[int]]
    unit: Callable[[AnyGame], int]


def tally_of(rows: Sequence[Row], indices: Sequence[int]) -> Tally:
    """The tally of some games and their indices."""
    found = Tally(len(rows))
    if not rows:
        return found
    found.tables = {name: [sum(column) for column in zip(*(row.tables[name] for row in rows), strict=True)] for name in rows[0].tables}
    found.values = {name: [Sums.of(s) for s in zip(*(row.values[name] for row in rows), strict=True)] for name in rows[0].values}
    found.rates = {name: Rate.of((row.deals for row in rows), (row.rates[name] for row in rows)) for name in rows[0].rates}
    for name in rows[0].remarkable:
        found.remarkable[name] = most((row.remarkable[name], index) for row, index in zip(rows, indices, strict=True))
    return found


def events_of(session: Session) -> Iterator[tuple[Step[Any], Event]]:
    """All events with their steps."""
    return ((step, event) for step in session.steps for event in step.events)


# Suicide King


def _king_row(session: Session) -> Row:
    players, steps = session.game.players, session.steps
    first = next(step.after.turn for step in steps if step.action.verb == "shuffle")
    longest = in_turn = 0
    for step in steps:
        in_turn += step.action.verb == "card"
        longest = max(longest, in_turn)
        if any(isinstance(event, Passed | Leaves) for event in step.events):
            in_turn = 0
    order = [*session.state.left, *session.state.playing]
    places = [0] * players**2
    for place, seat in enumerate(order):
        places[(seat - first) % players * players + place] = 1
    deals = sum(step.action.verb == "shuffle" for step in steps)
    cards = sum(step.action.verb == "card" for step in steps)
    tables = {"last": places[players - 1 :: players], "places": places}
    values = {"deals": [deals], "cards": [cards], "longest_turn": [longest]}
    return Row(deals, tables, values, {"cards": cards}, {"longest_turn": longest, "most_deals": deals})


def _king_scores(session: Session) -> list[int]:
    """The last player left loses one point, or wins it."""
    (last,) = session.state.playing
    point = 1 if session.game.rules.last_player == "wins" else -1
    return [point * (seat == last) for seat in session.game.seats]


# Fight for the Lead


def _fight_row(session: Session) -> Row:
    players = session.game.players
    tricks = [0] * players * TRICKS
    deals = turned = losers = matched = new_stocks = 0
    in_deal = bank = lead = 0
    won = [0] * players
    for step, event in events_of(session):
        match event:
            case FightShuffled():
                in_deal, won = 0, [0] * players
            case Turned():
                turned, in_deal = turned + 1, in_deal + 1
            case LeadWon(seat=seat):
                lead = seat
                matched += in_deal == 1
            case LeadPasses(seat=seat):
                lead = seat
            case Reshuffled():
                new_stocks += 1
            case TrickWon(seat=seat):
                won[seat] += 1
            case DealOver(bank=bank):
                deals += 1
                for seat in step.before.staying:
                    tricks[(seat - lead) % players * TRICKS + won[seat]] += 1
                    losers += not won[seat]
            case BankUnplayed(amount=bank):
                deals += 1
    rates = {"turned": turned, "losers": losers, "matched": matched, "new_stocks": new_stocks}
    values = {"deals": [deals], "bank": [bank], "balances": list(session.state.balances)}
    return Row(deals, {"tricks": tricks}, values, rates, {"biggest_bank": bank})


def _fight_scores(session: Session) -> list[int]:
    """What each has won, the penalty of the last deal's losers counted as paid (FL-17)."""
    game = session.game
    assert isinstance(game, FightForTheLead)
    return [score(game, session.state, seat) for seat in game.seats]


# Poker Marshal


def _marshal_row(session: Session) -> Row:
    players = session.game.players
    transitions, wins = [0] * TITLES * TITLES, [0] * players
    titles: tuple[int, ...] = ()
    deals = draws = best = streak = longest = 0
    for _, event in events_of(session):
        match event:
            case TitlesSet(seats=seats):
                if titles:
                    for title, seat in enumerate(seats):
                        transitions[titles.index(seat) * TITLES + title] += 1
                    wins[seats[0]] += 1
                    streak = streak + 1 if seats[0] == titles[0] else 1
                longest, titles = max(longest, streak), seats
            case TitleDraw(rule="PM-13"):
                draws += 1
            case HandShown(hand=hand):
                best = max(best, hand.code)
            case DealWon():
                deals += 1
    tables = {"transitions": transitions, "wins": wins}
    values = {"deals": [deals], "longest_streak": [longest]}
    return Row(deals, tables, values, {"draws": draws}, {"best_hand": best, "longest_streak": longest})


def _marshal_scores(session: Session) -> list[int]:
    """The titles won, 0 for the Marshal's and one less for each below."""
    won = [event.seats for _, event in events_of(session) if isinstance(event, TitlesSet)][1:]
    return [-sum(seats.index(seat) for seats in won) for seat in session.game.seats]


KINDS: Final = {
    "suicide_king": Kind(lambda game: {"last": 1, "places": game.players}, _king_row, _king_scores, lambda game: 1),
    "fight_for_the_lead": Kind(lambda game: {"tricks": TRICKS}, _fight_row, _fight_scores, lambda game: int(game.rules.stake)),
    "poker_marshal": Kind(lambda game: {"transitions": TITLES, "wins": 1}, _marshal_row, _marshal_scores, lambda game: 1),
}
