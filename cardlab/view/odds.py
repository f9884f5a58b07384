"""The odds of the next draw as rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cardlab.core.dist import Dist
from cardlab.core.game import Action, AnyGame
from cardlab.words import Words


@dataclass(frozen=True, slots=True)
class Odds:
    """Outcomes of a draw that are equally likely: the probability of each, exact, their number, and which they are."""

    p: Fraction
    n: int
    what: str


def odds(game: AnyGame, expected: Dist[Action], words: Words) -> list[Odds]:
    """A draw in a few rows, the likeliest first.

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
    >>> _ = session.play(), session.play("take 0")
    >>> [(row.p, row.n, row.what[:7]) for row in odds(session.game, session.expects(), Words())]
    [(Fraction(1, 52), 52, '2♣︎ 3♣︎')]
    """
    rows = []
    for p in sorted({expected.p(action) for action in expected}, reverse=True):
        alike = [action for action in expected if expected.p(action) == p]
        rows.append(Odds(p, len(alike), _which(game, alike, words)))
    return rows


def _which(game: AnyGame, actions: list[Action], words: Words) -> str:
    """Cards by their signs; anything else, and a card that stays face down, in words."""
    if all(len(action.cards) == 1 for action in actions):
        return " ".join(words.show(action.card) for action in actions)
    return "; ".join(game.say_action(action, words) for action in actions)
