"""Dealers choose for chance: by a seed, from a script, or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from cardlab.cards import parse_card
from cardlab.core import streams
from cardlab.core.errors import BadRequest, NothingToDeal, quoted
from cardlab.core.game import Action, AnyGame, Draw


@dataclass(frozen=True)
class At:
    """Where in a game a draw is asked for: the deal, how many of its purpose came before in that deal, how many draws in the whole game."""

    deal: int
    n: int
    drawn: int


class Dealer(Protocol):
    """Whoever chooses for chance: a function of the place in the game alone, so that undo and what-if change no card."""

    def pick(self, game: AnyGame, draw: Draw, at: At) -> Action:
        """One of the draw's options."""


@dataclass(frozen=True)
class Seeded:
    """Deals by (seed, game index): the same cards at the same places for ever."""

    seed: int
    index: int = 0

    def __post_init__(self) -> None:
        for name in ("seed", "index"):
            value = getattr(self, name)
            if type(value) is not int or not 0 <= value <= streams.MASK:
                raise BadRequest("error.seed", name=name, value=quoted(value))

    def pick(self, game: AnyGame, draw: Draw, at: At) -> Action:
        """The option that the named stream gives."""
        if draw.purpose is None:
            return draw.options[0]
        key = streams.deal_key(self.seed, self.index, at.deal)
        if draw.place is None:
            return draw.options[streams.below(streams.word(key, draw.purpose, at.n), len(draw.options))]
        order = streams.shuffled(key, draw.purpose, len(draw.pack))
        card = game.card_at(draw.place, order, draw.pack)
        if card not in draw.cards:  # somebody named it at another place before: the first card left comes instead
            laid = (game.card_at(place, order, draw.pack) for place in range(len(order)))
            card = next(other for other in laid if other in draw.cards)
        return Action.each(draw.verb, [card])[0]


class Scripted:
    """Deals the named cards or lots one after another, then (with ``fill``) the lowest that is left.

    Steps of chance with a single outcome (a shuffle, a showdown) use up nothing of the script.

    >>> Scripted(["KH", 2, "10S"])
    Scripted(['KH', 2, 'TS'])
    """

    def __init__(self, script: Iterable[str | int] | str, fill: bool = False) -> None:
        items = script.split() if isinstance(script, str) else script
        self.script = tuple(int(i) if isinstance(i, int) or (i.isdigit() and len(i) < 3) else parse_card(i) for i in items)
        self.fill = fill

    def pick(self, game: AnyGame, draw: Draw, at: At) -> Action:
        """The next item of the script; raises NothingToDeal when it has none or the item cannot come here."""
        if draw.purpose is None:
            return draw.options[0]
        if at.drawn >= len(self.script):
            if self.fill:
                return draw.options[0]
            raise NothingToDeal("error.script_end", n=len(self.script))
        item = self.script[at.drawn]
        action = Action(draw.verb, number=item) if isinstance(item, int) else Action(draw.verb, (item,))
        if not draw.allows(action):
            raise NothingToDeal("error.script", position=at.drawn + 1, item=str(item), options=", ".join(str(a) for a in draw.options[:6]))
        return action

    def __repr__(self) -> str:
        return f"Scripted({[item if isinstance(item, int) else str(item) for item in self.script]})"


class NoDealer:
    """Deals nothing: for records without a seed."""

    def pick(self, game: AnyGame, draw: Draw, at: At) -> Action:
        """Raises NothingToDeal, unless only one thing can happen."""
        if draw.purpose is None:
            return draw.options[0]
        raise NothingToDeal("error.no_seed")
