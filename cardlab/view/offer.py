"""What the seat to act may do, laid on the things of the table that one clicks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from cardlab.cards import Card
from cardlab.core.errors import Reason
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.view.scene import Scene

CHOOSE = "choose"  # before a card's token: takes the card into the set that a move names, or out of it


@dataclass(frozen=True, slots=True)
class Offer:
    """The moves of a seat: what a click on a card of its hand or on a pile says, why it says nothing, and the other moves.

    A move that names several cards is put together first: clicks choose cards, and ``moves`` holds the move once it is legal.
    """

    seat: Seat
    says: Mapping[str, str] = field(default_factory=dict)  # by a card's token or a pile's name
    why: Mapping[str, Reason] = field(default_factory=dict)
    chosen: tuple[Card, ...] = ()
    moves: tuple[Action, ...] = ()
    picks: tuple[Action, ...] = ()  # each names a card that does not lie in the hand


def offer(
    table: Scene, seat: Seat, legal: Collection[Action], why_not: Callable[[Action], Reason | None], chosen: tuple[Card, ...] = ()
) -> Offer:
    """The moves of a seat on its table.

    >>> from cardlab import Action, Seat, Session, game
    >>> from cardlab.view import scene
    >>> session = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
    >>> _ = session.play()
    >>> offer(scene(session.game, session.view()), Seat(1), session.legal, lambda action: None).says["pile 0"]
    'take 0'
    """
    hand = [card for row in table.seats if row.seat == seat for card in row.cards if card is not None]
    piles = {group.key for group in table.middle if group.key.startswith("pile ")}
    several = {action.verb for action in legal if len(action.cards) > 1}
    says: dict[str, str] = {}
    moves, picks = [], []
    for action in legal:
        pile = f"pile {action.number}"
        if action.verb in several:
            if set(action.cards) == set(chosen):
                moves.append(action)
            if set(action.cards) >= set(chosen):
                says |= {card.token: f"{CHOOSE} {card}" for card in action.cards}
        elif pile in piles:
            says[pile] = str(action)
        elif len(action.cards) == 1 and action.card in hand:
            says[action.card.token] = str(action)
        elif len(action.cards) == 1:
            picks.append(action)
        else:
            moves.append(action)
    return Offer(seat, says, _reasons(hand, piles, says, legal, why_not, chosen), chosen, tuple(moves), tuple(picks))


def _reasons(
    hand: Iterable[Card],
    piles: Iterable[str],
    says: Mapping[str, str],
    legal: Collection[Action],
    why_not: Callable[[Action], Reason | None],
    chosen: tuple[Card, ...],
) -> dict[str, Reason]:
    """Why a click on each of the other cards and piles would say nothing; where no card is asked for, none needs a reason."""
    asked = [action for action in legal if any(card.token in says for card in action.cards)]
    tried = {pile: Action("take", number=int(pile.split()[1])) for pile in piles}
    if asked:
        tried |= {card.token: Action(asked[0].verb, tuple(sorted({*chosen, card}))) for card in hand}
    reasons = {name: why_not(action) for name, action in tried.items() if name not in says}
    return {name: reason for name, reason in reasons.items() if reason is not None}
