"""The odds of the next draw as rows, and a probability as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cardlab.core.dist import Dist
from cardlab.core.game import Action, AnyGame
from cardlab.words import NO_BREAK, Words


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


def percent(p: Fraction, words: Words) -> str:
    """A probability in per cent with one decimal, more where little is left of it; only 0 and 1 are said to be 0 and 100 %.

    >>> percent(Fraction(135, 1081), Words("en")), percent(Fraction(1, 52), Words("ru"))
    ('12.5\\xa0%', '1,9\\xa0%')
    >>> percent(Fraction(78, 3162510), Words("en")), percent(1 - Fraction(78, 3162510), Words("en"))
    ('<\\xa00.01\\xa0%', '>\\xa099.99\\xa0%')
    """
    sign, places = "", 1
    if p in (0, 1):
        places = 0
    elif not Fraction(1, 1000) <= p <= Fraction(999, 1000):
        places = 2
        if not Fraction(1, 10_000) <= p <= Fraction(9_999, 10_000):
            sign, p = ("<", Fraction(1, 10_000)) if p < Fraction(1, 2) else (">", Fraction(9_999, 10_000))
    scale = 10**places
    whole, rest = divmod(round(p * 100 * scale), scale)
    shown = f"{whole}.{rest:0{places}}" if places else str(whole)
    return NO_BREAK.join(part for part in (sign, shown.replace(".", words.text("odds.point")), "%") if part)
