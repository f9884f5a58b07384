"""A question answered by play: worlds of a view are drawn, played on step by step, and what came true is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import Any, Final

from cardlab.chance import fight_play, marshal_play
from cardlab.chance.answers import Estimate, Stop, never
from cardlab.chance.luck import Luck
from cardlab.chance.samples import Numbers
from cardlab.chance.settled import Watch, watch
from cardlab.chance.worlds import HALF, worlds
from cardlab.core import streams
from cardlab.core.events import Event, Seat
from cardlab.core.game import Action
from cardlab.core.registry import player

Steps = Callable[[Any, Luck], tuple[Any, list[Event]]]  # a moment of the game and what happens in its next step
VERBS: Final = {"wins_lead": "fight", "trick_winner": "play"}  # of the choice that a question is about


class Played:
    """One outcome of a question, counted over worlds that are played on as the computer player ``policy`` would; one at a time.

    Sample k is a function of (seed, k) alone. Where the outcome is a choice of the viewer, he makes it in each.

    >>> from cardlab import Session, game
    >>> from cardlab.core.events import Seat
    >>> view = Session(game("suicide_king", players=2, first_dealer=1), seed=7).view()
    >>> found = Played(view, "last_player", Seat(0)).more(200)
    >>> found.n, found.low < 0.4898 < found.high
    (200, True)
    """

    def __init__(self, view: Any, question: str, outcome: Hashable, policy: str = "random", accept: Fraction = HALF, seed: int = 0) -> None:
        self.view, self.question, self.outcome, self.seed = view, question, outcome, seed
        self.believed = worlds(view, accept)
        self.start, self.steps = _PLAYS[view.game.name](view, policy, accept)
        self.n = 0
        self.counts: Counter[Hashable] = Counter()  # how often each outcome came true

    @property
    def estimate(self) -> Estimate:
        """What came of it so far."""
        return Estimate.of_hits(self.counts[self.outcome], self.n, self.seed)

    def more(self, until: int, seconds: float | None = None, cancelled: Stop = never) -> Estimate:
        """Plays on until there are ``until`` samples, ``seconds`` have passed or ``cancelled()`` says so."""
        end = None if seconds is None else monotonic() + seconds
        while self.n < until and not cancelled() and (end is None or monotonic() < end):
            self.counts.update(self._one())
            self.n += 1
        return self.estimate

    def _one(self) -> frozenset[Any]:
        numbers = Numbers(self.seed, self.n)
        followed = watch(self.view, self.question)
        moment, luck = self.start(self.believed.sample(numbers)), numbers.luck()
        forced = self._choice(followed)
        while followed.true is None:
            moment, events = self._chosen(moment, forced) or self.steps(moment, luck)
            if forced is not None and any(getattr(event, "card", None) is forced.card for event in events):
                forced = None
            followed.see(events)
        return followed.true

    def _choice(self, followed: Watch) -> Action | None:
        """What the viewer is to do, as soon as it is his turn; nothing where he has done it."""
        if not followed.conditional or self.view.places[f"fight {self.view.viewer}"].sure:
            return None
        return Action(VERBS[self.question], (self.outcome,))  # type: ignore[arg-type]

    def _chosen(self, moment: Any, forced: Action | None) -> tuple[Any, list[Event]] | None:
        game = self.view.game
        if forced is None or game.actor(moment) != self.view.viewer:
            return None
        applied: tuple[Any, list[Event]] = game._apply(moment, forced)
        return applied


def _king(view: Any, policy: str, accept: Fraction) -> tuple[Callable[[Any], Any], Steps]:
    """All is open, and all piles are alike: any is taken."""
    game = view.game

    def step(state: Any, luck: Luck) -> tuple[Any, list[Event]]:
        seat = game.actor(state)
        if not isinstance(seat, Seat):
            action = luck.draw(game, game.draw(state), state.deal)
        else:
            legal = game.legal(state)
            action = legal[streams.below(luck.word(seat, state.deal), len(legal))]
        applied: tuple[Any, list[Event]] = game._apply(state, action)
        return applied

    return (lambda state: state), step


def _fight(view: Any, policy: str, accept: Fraction) -> tuple[Callable[[Any], Any], Steps]:
    return (lambda state: state), fight_play.Rest(view.game, policy, view.deal).told


def _marshal(view: Any, policy: str, accept: Fraction) -> tuple[Callable[[Any], Any], Steps]:
    rest = marshal_play.Rest(view.game, player(policy), accept, deal=marshal_play.deal_of(view))
    return partial(marshal_play.Moment, asked=marshal_play.asked_in(view)), rest.told


_PLAYS: Final = {"suicide_king": _king, "fight_for_the_lead": _fight, "poker_marshal": _marshal}
