"""A player who tries every move in worlds that agree with what it sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardlab.core.game import Action, AnyGame, Moves, View
from cardlab.players.sensible import Sensible

if TYPE_CHECKING:
    from cardlab.chance.weighing import Weighed

USUAL: Final = Sensible()
NUMBERS: Final = 2**32


@dataclass(frozen=True)
class Expert:
    """Plays each legal move on to the end of the deal in ``worlds`` worlds, everybody following ``sensible``, and takes the best.

    A world agrees with all that the seat has seen, and its luck is the same for all moves. The score is the balance after the deal, a
    loser's penalty counted as paid, or the title; of equal moves it takes that of ``sensible``, or the first. Nothing is weighed in
    Suicide King, where every pile has the same odds, and between deals, where it goes on as ``sensible`` does.

    More than eight moves are tried in a quarter of the worlds, and the best eight in all; cards laid or given one by one in Poker Marshal
    are tried in all sets. Where more than cards is hidden, such as sealed answers, one world of 32 must do. Without Numba the same
    choices take a hundred times as long.
    """

    worlds: int = 256

    simulates = True

    def choose(self, game: AnyGame, view: View, legal: Moves, below: Callable[[int], int]) -> Action:
        """The move with the greatest mean score; its number seeds the worlds and their luck."""
        if len(legal) == 1:
            return legal[0]
        return self._weighed(game, view, legal, lambda: below(NUMBERS)).chosen

    def explain(self, game: AnyGame, view: View, legal: Moves, number: int | Callable[[int], int] = 0) -> Weighed:
        """Why it chooses: each move's mean score and its difference to the chosen one, with intervals.

        ``number`` is ``below`` as for ``choose``, or a seed of its own.

        >>> from cardlab import Session, game
        >>> session = Session(game("fight_for_the_lead", 3, first_dealer=2), seed=7)
        >>> while session.actor != 0:
        ...     _ = session.play()
        >>> found = Expert(worlds=16).explain(session.game, session.view(0), session.legal)
        >>> [(str(tried.action), tried.score.mean, tried.beyond.mean) for tried in found.moves[:2]]
        [('fight 2H', 3.125, 0.0), ('fight 9H', 2.5625, -0.5625)]
        """
        return self._weighed(game, view, legal, lambda: number(NUMBERS) if callable(number) else number)

    def _weighed(self, game: AnyGame, view: Any, legal: Moves, number: Callable[[], int]) -> Weighed:
        from cardlab.chance.weighing import untried, weigh

        usual = USUAL.choose(game, view, legal, lambda m: 0)
        if len(legal) == 1 or game.name == "suicide_king" or legal[0].verb == "continue":
            return untried(view.game, legal, usual)
        return weigh(view, legal, usual, number(), self.worlds, "sensible")
