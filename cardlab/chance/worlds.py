"""The worlds that a viewer may believe in: full states that agree with all it knows, with their exact weights.

``worlds(view)`` reads the view alone. It gives a ``Worlds``: ``size`` counts them, ``complete`` is their distribution while they are few,
``sample(rng)`` is one drawn in exact proportion, ``where(card)`` says in which zone a card lies. A world is a state of ``view.game`` in
which the same things are seen; from it a game can be played on with ``game.apply``.

>>> from cardlab import Session, game
>>> from cardlab.chance.samples import Numbers
>>> session = Session(game("fight_for_the_lead", players=2, first_dealer=0), seed=1)
>>> while session.game.phase(session.state) == "deal":
...     _ = session.play()
>>> believed = worlds(session.view(0))
>>> believed.size, believed.complete is None  # four cards of the 48 that are not mine
(194580, True)
>>> believed.sample(Numbers(seed=7, index=0)).hands[0] == session.state.hands[0]
True

What players chose is taken as telling nothing, but for what the rules say of it; a card laid or drawn unseen is any of those it can be,
alike; ``accept`` is the chance that a player who could give a card gives it (silence is evidence), and the chance of a secret answer
that is not opened yet. Other secret choices not opened yet are any legal one alike.

``believing(view, players)`` takes players for computer players, so that their choices tell something: it has the worlds without that, the
``prior``, and with it, the ``posterior``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cardlab.chance.believed import LIMIT, Case, Worlds
from cardlab.chance.habits import Players, seated
from cardlab.chance.posterior import Posterior
from cardlab.chance.questions import Options
from cardlab.chance.worlds_fight import fight_worlds
from cardlab.chance.worlds_marshal import marshal_worlds
from cardlab.core.errors import BadRequest, quoted

__all__ = ["HALF", "LIMIT", "Belief", "Posterior", "Worlds", "believing", "worlds"]

HALF: Final = Fraction(1, 2)
FEW: Final = 500  # histories drawn for a posterior, each played through


def worlds(view: Any, accept: Fraction = HALF) -> Worlds[Any]:
    """The worlds of a view of any game; raises BadRequest for a chance that is none, and where what was seen cannot be under it."""
    if type(accept) not in (int, Fraction) or not 0 <= accept <= 1:
        raise BadRequest("error.ask.accept", value=quoted(accept))
    return _MAKERS[view.game.name](view, Fraction(accept))


@dataclass(frozen=True)
class Belief:
    """The worlds of a view before and after its players' choices are weighed: each has ``complete`` and ``where(card)``."""

    prior: Worlds[Any]
    posterior: Posterior[Any]


def believing(view: Any, players: Players, accept: Fraction = HALF, *, n: int = FEW, seed: int = 0) -> Belief:
    """The worlds of a view, and the same weighed by what the players chose in the deal on the table if they are such computer players.

    ``players`` is a computer player for all other seats or one for each of some; the choices of the rest tell as little as in ``worlds``.
    The posterior is exact while few histories lead to the view, else estimated from ``n`` of them, drawn with ``seed``. Between deals and
    after a showdown it is the prior. A player must choose by its view, its moves and its number alone, and whatever the order in which its
    cards were dealt. Raises BadRequest for a seat or a player that does not exist, an ``n`` or a ``seed`` that does not fit; the posterior
    does where such players cannot have chosen what was seen. Formulae: ``docs/chance.md``.

    >>> from cardlab import Card, Session, game
    >>> session = Session(game("fight_for_the_lead", players=2, first_dealer=0), seed=1)
    >>> _ = session.auto("sensible", until="phase"), session.auto("sensible", until="phase"), session.step("sensible")
    >>> belief = believing(session.view(1), "sensible", n=200)
    >>> high = Card("AH")
    >>> belief.posterior.where(high)["hand 0"].mean > belief.prior.where(high)["hand 0"]
    True
    """
    Options.make({"n": n, "seed": seed})
    assumed = seated(view.game, view.viewer, players)
    prior = worlds(view, accept)
    return Belief(prior, Posterior(prior, view, assumed, Fraction(accept), n, seed))


def _king_worlds(view: Any, accept: Fraction) -> Worlds[Any]:
    """All is open: the table is the state, and the order of the piles is part of no state."""
    return Worlds([Case(Fraction(1), (), 1)], lambda dealt: (), lambda dealt, choices: view.table)


_MAKERS: Final[dict[str, Callable[[Any, Fraction], Worlds[Any]]]] = {
    "suicide_king": _king_worlds,
    "fight_for_the_lead": fight_worlds,
    "poker_marshal": marshal_worlds,
}
