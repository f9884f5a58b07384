"""Poker Marshal: which choices are worth more than doing nothing, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.marshal_many import Titles
from cardlab.chance.marshal_outcomes import Choice, TitleOf
from cardlab.chance.marshal_play import ENOUGH, Rest, asked_in, deal_of, does
from cardlab.chance.marshals import POKER_MARSHAL, Moves, behaving, choice_titles, in_vain, my_move, offers, start_of, swaps
from cardlab.chance.questions import Options, question
from cardlab.chance.samples import Numbers, differences, estimates
from cardlab.chance.worlds import Worlds, worlds
from cardlab.core.events import Seat
from cardlab.core.registry import player
from cardlab.games.marshal_state import MARSHAL, STOREKEEPER, State
from cardlab.games.marshal_view import View
from cardlab.games.poker_marshal import SWAPS, PokerMarshal

BEST: Final = 5
FIRST_WIDTH: Final = 0.05  # of the intervals by which the best are found
WIDTH: Final = 0.01  # of their differences, where nothing is asked for


def _may_do_nothing(game: Any, view: View) -> bool:
    """Whether the viewer is to act and may say "enough" now."""
    if my_move(view, *SWAPS):
        return bool(game.rules.swap == "lay_first")
    keeps = isinstance(view.viewer, Seat) and my_move(view, "offers") and view.titles.index(view.viewer) == STOREKEEPER
    return keeps and view.asked is None and view.shown is None


@question(POKER_MARSHAL, "best_choices", fits=_may_do_nothing, of_seat=True)
def best_choices(game: Any, view: View, options: Options) -> Answer[Choice]:
    """The best five sets of cards to lay, or offers to make: how much more often the deal is won with each than after doing nothing.

    They are found among all by estimates to ±5 %; without ``n``, ``half_width`` and ``seconds`` each is then compared with doing nothing
    to ±1 %, in the same worlds and with the same luck.
    """
    seat = view.viewer
    assert isinstance(seat, Seat)
    choices = dict(swaps(game, view) if my_move(view, *SWAPS) else offers(game, view))
    believed = worlds(view, options.accept)
    titles = choice_titles(game, view, replace(options, n=None, seconds=None, half_width=FIRST_WIDTH), believed, choices)
    nothing = next(choice for choice, moves in choices.items() if moves == (ENOUGH,))
    won = {choice: titles[TitleOf(seat, MARSHAL, choice)] for choice in choices if choice != nothing}
    best = sorted(won, key=lambda choice: -(won[choice].mean or 0))[:BEST]  # a stable sort: equal ones as the moves are sorted
    if all(isinstance(number, Exact) for number in titles.values()):
        zero = Fraction(titles[TitleOf(seat, MARSHAL, nothing)].value)  # type: ignore[union-attr]
        numbers: Mapping[Choice, Exact | Estimate] = {choice: Exact(Fraction(won[choice].value) - zero) for choice in best}  # type: ignore[union-attr]
    else:
        asked = options.n or options.half_width or options.seconds
        wanted = options if asked else replace(options, half_width=WIDTH)
        numbers = _gains(game, view, wanted, believed, {choice: choices[choice] for choice in (nothing, *best)}, nothing)
    return Answer("best_choices", numbers, behaving(options), adds_up=False, chances=False)


def _gains(
    game: PokerMarshal, view: View, options: Options, believed: Worlds[State], choices: Mapping[Choice, Moves], nothing: Choice
) -> dict[Choice, Estimate]:
    seat = view.viewer
    assert isinstance(seat, Seat)
    rest = Rest(game, player(options.policy), options.accept, seat, deal_of(view))

    def draw(numbers: Numbers) -> dict[Choice, float]:
        start = start_of(view, believed.sample(numbers))
        titles = rest.titles(does(rest, start, (ENOUGH,)), numbers.luck())
        found: dict[Choice, float] = {}
        for choice, moves in choices.items():
            if choice != nothing and not in_vain(start.state, moves):
                found[choice] = int(rest.titles(does(rest, start, moves), numbers.luck())[MARSHAL] == seat)
            else:
                found[choice] = int(titles[MARSHAL] == seat)  # what nobody holds is asked for in vain: all goes on as after no offer
        return found

    twin = Titles(rest, options.policy, options.seed, believed, asked_in(view))
    many = twin.gains(choices, nothing, seat) if twin.known else None
    found = estimates(differences(draw, nothing), options, "paired", choices, many=many)
    return {choice: number for choice, number in found.items() if choice != nothing}
