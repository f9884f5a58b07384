"""Shared by the scenario tests: a game with scripted cards, hands dealt by name, a row of moves, a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from cardlab import CHANCE, Action, IllegalAction, Scripted, Session, game
from cardlab.cards import parse_cards
from cardlab.core.errors import Reason
from cardlab.core.events import Event
from cardlab.words import Words

LANGUAGES = ("en", "ru")


def scripted(name: str, script: Iterable[str | int] | str, players: int | None = None, **house: Any) -> Session:
    """A new session whose dealer hands out the named cards and lots, then the lowest that are left."""
    return Session(game(name, players, **house), dealer=Scripted(script, fill=True))


def chance(session: Session) -> list[Event]:
    """Lets the dealer act until a seat is to act or the game is over; what happened."""
    events: list[Event] = []
    while session.actor is CHANCE:
        events += session.play().events
    return [event for event in events if not event.silent]


def play(session: Session, *tokens: str) -> list[Event]:
    """The seats' moves one after another, with all that chance does before, between and after them; what happened."""
    events = chance(session)
    for token in tokens:
        events += [event for event in session.play(token).events if not event.silent]
        events += chance(session)
    return events


def dealt(hands: Mapping[int, str], first: int) -> list[str]:
    """Hands by seat as a script: one card at a time, clockwise from the first seat or the next that has a hand."""
    order = sorted(hands, key=lambda seat: (seat - first) % 5)
    rows = [hands[seat].split() for seat in order]
    return [row[k] for k in range(max(map(len, rows), default=0)) for row in rows if k < len(row)]


def told(events: Iterable[Event], kind: type[Event]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def rules_of(events: Iterable[Event]) -> list[str]:
    """The rule ids of some events."""
    return [event.rule for event in events]


def refused(session: Session, token: str, rule: str, says: str = "") -> Reason:
    """The reason why a move is refused: by that rule, in a sentence that names the cards ``says``; the game stays as it was."""
    before, steps, children = session.state, len(session), dict(session.cursor.children)
    reason = session.game.why_not(session.state, Action.parse(token))
    assert reason is not None, f"{token} is legal"
    assert reason.rule == rule
    for attempt in (lambda: session.play(token), lambda: session.game.apply(session.state, Action.parse(token))):
        with pytest.raises(IllegalAction) as fault:
            attempt()
        assert fault.value.reason == reason
    assert (session.state, len(session), session.cursor.children) == (before, steps, children)
    for language in LANGUAGES:
        words = Words(language)
        sentence = reason.display(words)
        assert sentence.startswith(f"{rule}: ")
        for card in parse_cards(says):
            assert card.display(words) in sentence
    return reason
