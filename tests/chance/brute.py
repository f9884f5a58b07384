"""Brute force: every history of a tiny game that shows a viewer the same, run with ``Game.apply`` and weighed exactly; no view is asked.

What players choose tells nothing, but for a secret choice (any legal one alike), a card laid unseen (any of those that may be laid alike)
and an offer (who could give a card gives one with the chance ``accept``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from cardlab import CHANCE, OVER, TEACHER, Action, Session
from cardlab.cards import parse_cards
from cardlab.core.events import Event, Viewer
from cardlab.core.game import AnyGame, Moves, Step
from cardlab.games import fight_state, marshal_state, suicide_king
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.poker_marshal import PokerMarshal
from cardlab.games.suicide_king import SuicideKing

Belief = dict[Any, Fraction]
LOUD = ("lay", "give", "show", "ask", "take", "exchange", "redraw")


def habit(game: AnyGame, state: Any, action: Action, legal: Moves, accept: Fraction) -> Fraction:
    """How probable a choice is taken to be."""
    same = sum(other.verb == action.verb for other in legal)
    answer = game.phase(state) == "offers" and {"silent", "pass"} & {other.verb for other in legal}
    if answer and len(legal) > 1:
        return 1 - accept if action.verb in ("silent", "pass") else accept / same
    if action.verb in ("lay", "give", "show"):
        return Fraction(1, same)
    return Fraction(1, len(legal)) if action.verb in ("fight", "stay", "drop", "continue", "refuse") else Fraction(1)


def shown(step: Step[Any], viewer: Viewer) -> tuple[Event, ...]:
    return tuple(seen for event in step.events if (seen := event.seen(viewer)) is not None)


def beliefs(session: Session, viewer: Viewer, accept: Fraction, start: int = 0) -> Iterator[Belief]:
    """The states that agree with what a viewer was shown, with their weights, at each step; the cursor goes along.

    At ``start`` nothing may be hidden.
    """
    belief: Belief = {session.goto(start).state: Fraction(1)}
    for n in range(start, len(session) + 1):
        yield belief
        if n == len(session):
            return
        step = session.goto(n + 1).steps[-1]
        told = shown(step, viewer)
        after: Belief = defaultdict(Fraction)
        for state, weight in belief.items():
            for action, share in choices(session, state, viewer, accept, step, public=told == step.events):
                tried = session.game.apply(state, action)
                if shown(tried, viewer) == told:
                    after[tried.after] += weight * share
        total = sum(after.values())
        belief = {state: weight / total for state, weight in after.items() if weight}


def choices(
    session: Session, state: Any, viewer: Viewer, accept: Fraction, step: Step[Any], public: bool
) -> list[tuple[Action, Fraction]]:  # fmt: skip
    """What may have been done in a state; only the same thing where the viewer saw it, or did it himself."""
    game: AnyGame = session.game
    actor, legal = game.actor(state), game.legal(state)
    if actor is CHANCE:
        draws = game.chances(state)
        shares = {action: draws.p(action) for action in draws}
    elif viewer in (actor, TEACHER):
        return [(step.action, Fraction(1))]
    else:
        shares = {action: habit(game, state, action, legal, accept) for action in legal}
    return [(action, share) for action, share in shares.items() if not public or action == step.action]


def play_out(session: Session, rng: Random, loud: float = 0.8) -> Session:
    """Random play to the end in which something happens: swaps, exchanges and offers are made more often than not."""
    while session.actor is not OVER:
        if session.actor is CHANCE:
            session.play()
            continue
        busy = [action for action in session.legal if action.verb in LOUD and action.number != 0]
        session.play(rng.choice(busy if busy and rng.random() < loud else session.legal))
    return session


def fight(pack: str, players: int = 2, hand: int = 1, **house: Any) -> FightForTheLead:
    size = fight_state.Size(parse_cards(pack), hand, hand)
    return FightForTheLead(players, size=size, **{"first_dealer": 0, "deals": 2, **house})


def marshal(pack: str, hands: tuple[int, ...], asks: int = 2, **house: Any) -> PokerMarshal:
    size = marshal_state.Size(parse_cards(pack), hands, (min(2, hands[0]), 1), asks)
    return PokerMarshal(size=size, **{"deals": 1, **house})


def king(pack: str, piles: tuple[int, ...], players: int = 2, **house: Any) -> SuicideKing:
    return SuicideKing(players, size=suicide_king.Size(parse_cards(pack), piles), first_dealer=0, **house)


FIGHTS: dict[str, FightForTheLead] = {
    "two players, one suit less": fight("2C 3C 4C 5D 6D 7H", 2, 2, deals=1),
    "two players, a stock of four": fight("2C 3C 4C 5D 6D 7H 8H 9S", 2, 2, exchange="one_by_one", deals=1),
    "two players, all of a suit": fight("2C 3C 4C 5C 6C 7D", 2, 2, deals=1),
    "three players, a stock of four": fight("2C 3C 4C 5D 6D 7H 8H", 3, 1),
    "three players, a stock of three": fight("2C 3C 4D 5H 6S 7S", 3, 1, refusal="losers_bound"),
    "stay or drop": fight("2C 3C 4D 5H 6S 7S", 3, 1, refusal="pagat_dropout"),
}
MARSHALS: dict[str, PokerMarshal] = {
    "no joker": marshal("2C 3D 4H 5S 6C 7D 8H", (1, 1, 2, 1, 1)),
    "one joker": marshal("2C 3D 4H 5S 6C 7D JK1", (1, 1, 2, 1, 1)),
    "two jokers": marshal("2C 3D 4H 5S 6C JK1 JK2", (1, 1, 2, 1, 1)),
    "two of the Bandit": marshal("2C 3D 4H 5S 6C JK1 JK2", (2, 1, 1, 1, 2), 1),
    "a card shown": marshal("2C 3D 4H 5S 6C 7D JK1", (1, 1, 2, 1, 1), offers="ask_or_offer"),
    "take then give": marshal("2C 3D 4H 5S 6C JK1 JK2", (2, 1, 1, 1, 1), 1, swap="take_then_give"),
    "equal hands": marshal("2C 2D 2H 3S 3C 3D 4H", (1, 1, 1, 1, 1), 1, deals=2),
}
KINGS: dict[str, SuicideKing] = {
    "two players": king("KH AC JD 2C 3C", (3, 2)),
    "batch": king("AC JD QD KH 3C", (3, 2), 3, extra_cards="batch"),
}
