"""Suicide King by script: a session, cards taken one after another, a whole deal."""

from __future__ import annotations

from typing import Any

from scenario import chance, play, scripted

from cardlab import Session
from cardlab.cards import PACK_52, parse_card
from cardlab.cards.card import JACK
from cardlab.core.events import Event

DEFAULT: dict[str, Any] = {}
ENDS_DEAL = {"king_of_hearts": "ends_deal"}


def suicide(script: str | list[str], players: int = 4, **house: Any) -> Session:
    """A session of that script; unless it is said otherwise the last seat deals, so that seat 0 moves first."""
    return scripted("suicide_king", script, players, **{"first_dealer": players - 1, **house})


def take(session: Session, n: int = 1, pile: int | None = None) -> list[Event]:
    """The seats on turn take n cards, from the first pile that is left or from a named one; what happened."""
    events = chance(session)
    for _ in range(n):
        events += play(session, str(session.legal[0]) if pile is None else f"take {pile}")
    return events


def whole(first: str, last: str = "") -> list[str]:
    """A whole deal: some cards first, then all other honours down to the jacks, the other low cards, and some cards last.

    The honours and one low card so fall to one seat; from then on the low cards go round one by one.
    """
    named = {parse_card(card) for card in f"{first} {last}".split()}
    others = [card for card in PACK_52 if card not in named]
    honours = sorted((card for card in others if (card.rank or 0) >= JACK), key=lambda card: -(card.rank or 0))
    low = [card for card in others if card not in honours]
    return [*first.split(), *(str(card) for card in (*honours, *low)), *last.split()]


def standing(session: Session) -> tuple[tuple[int, ...], ...]:
    """The groups of a game that is over."""
    assert session.outcome is not None
    return session.outcome.standing
