"""Hypothesis strategies for tests with cards, games and moments of games; Hypothesis is loaded when the first one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardlab.cards import PACK_52, PACK_54, Card
from cardlab.core.errors import BadGame
from cardlab.core.game import OVER, AnyGame
from cardlab.core.registry import GAMES
from cardlab.core.session import Session
from cardlab.testing.houses import values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def cards(jokers: bool = True) -> SearchStrategy[Card]:
    """One card of the pack of 54, or of 52."""
    from hypothesis import strategies as st

    return st.sampled_from(PACK_54 if jokers else PACK_52)


def hands(least: int = 3, most: int = 7, jokers: bool = True) -> SearchStrategy[tuple[Card, ...]]:
    """Different cards in any order."""
    from hypothesis import strategies as st

    return st.lists(cards(jokers), min_size=least, max_size=most, unique=True).map(tuple)


def seeds() -> SearchStrategy[int]:
    """A seed or a game index."""
    from hypothesis import strategies as st

    return st.integers(0, 2**64 - 1)


def games(*names: str, **fixed: Any) -> SearchStrategy[AnyGame]:
    """A game of some names (without any: of all), with any number of players and any house rules that fit together.

    ``fixed`` are house rules that all have, such as ``deals=2``; one that a game does not know is left out there.
    """
    from hypothesis import assume
    from hypothesis import strategies as st

    @st.composite
    def made(draw: Any) -> AnyGame:
        kind = GAMES[draw(st.sampled_from(names or tuple(GAMES)))]
        options = kind.rules_type.options()
        players = draw(st.sampled_from(kind.player_counts))
        house = {key: draw(st.sampled_from(values(allowed, players))) for key, allowed in options.items() if key not in fixed}
        try:
            return kind(players, **house, **{key: value for key, value in fixed.items() if key in options})
        except BadGame:
            assume(False)
            raise

    return made()


def moments(*names: str, player: str = "random", **fixed: Any) -> SearchStrategy[Session]:
    """A session that stands anywhere in a seeded game, at its end too; what is left of its line can be redone.

    The arguments are those of ``games``, and the computer player of all seats.
    """
    from hypothesis import strategies as st

    @st.composite
    def made(draw: Any) -> Session:
        session = Session(draw(games(*names, **fixed)), draw(seeds()), draw(st.integers(0, 99)))
        while session.actor is not OVER:
            session.step(player)
        return session.goto(draw(st.integers(0, len(session))))

    return made()
