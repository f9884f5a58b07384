"""The luck with which a world is played on: the numbers of a game by name, so that the compiled twins play it on in the same way."""

from __future__ import annotations

from cardlab.core import streams
from cardlab.core.dealer import At, Seeded
from cardlab.core.events import Seat
from cardlab.core.game import Action, AnyGame, Draw


class Luck:
    """The numbers of the game (seed, index) for one deal, counted from the moment at which the world is played on.

    >>> from cardlab import Session, game
    >>> session = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
    >>> _ = session.play(), session.play("take 0")
    >>> Luck(7, 0).draw(session.game, session.game.draw(session.state), 0) == session.play().action
    True
    """

    __slots__ = ("_dealer", "_used")

    def __init__(self, seed: int, index: int) -> None:
        self._dealer, self._used = Seeded(seed, index), dict[int, int]()

    def draw(self, game: AnyGame, draw: Draw, deal: int) -> Action:
        """What chance gives."""
        return self._dealer.pick(game, draw, At(deal, 0 if draw.purpose is None else self._next(draw.purpose), 0))

    def word(self, seat: Seat, deal: int) -> int:
        """The 64 bits of a seat's next decision."""
        purpose = streams.CHOICES + seat
        return streams.word(streams.deal_key(self._dealer.seed, self._dealer.index, deal), purpose, self._next(purpose))

    def _next(self, purpose: int) -> int:
        n = self._used.get(purpose, 0)
        self._used[purpose] = n + 1
        return n
