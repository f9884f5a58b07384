"""Fight for the Lead by script: deals with a known end, and the usual deal of the scenario tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenario import chance, dealt, play, scripted

from cardlab import TEACHER, Session
from cardlab.cards import Card, parse_cards
from cardlab.core.events import Event

VIEWERS = (None, 0, 1, 2, 3, TEACHER)
HANDS = {0: "AH KS QS JS", 1: "2C 3C 4C 5H", 2: "2D 3D 4D 5D", 3: "7C 8C 9C TH"}
NEW = {0: "AS", 1: "6C", 2: "6D", 3: "7D"}
FIGHT = ("fight AH", "fight 5H", "fight 5D", "fight TH")
STAND = ("stand",) * 4


def fight_deal(hands: Mapping[int, str], turned: str, new: Mapping[int, str], dealer: int) -> list[str]:
    """A deal as a script: four cards each, the cards turned in the fight, the cards that replace the fight cards."""
    return [*dealt(hands, dealer + 1), *turned.split(), *dealt(new, dealer + 1)]


def sweep(dealer: int, *seats: int) -> list[str]:
    """A deal in which, everybody making his first legal move, the first seat wins the fight and all four tricks."""
    rows = ("2C JS QS KS AS", "2D 3D 4D 5D TD", "2H 3H 4H 5H TH", "6D 7D 8D 9D JD", "6H 7H 8H 9H JH")
    return _of_rows(rows, dealer, seats)


def three_and_one(dealer: int, *seats: int) -> list[str]:
    """A deal in which, everybody making his first legal move, the first seat takes three tricks and the second the last one."""
    rows = ("2C QH KH AH 2S", "2D 3D 4D AS 5D", "6D 7D 8D 9D TD", "2H 3H 4H 5H 6H", "7H 8H 9H TH JH")
    return _of_rows(rows, dealer, seats)


def _of_rows(rows: tuple[str, ...], dealer: int, seats: tuple[int, ...]) -> list[str]:
    hands = {seat: row[:11] for seat, row in zip(seats, rows, strict=False)}
    return fight_deal(hands, "3C", {seat: row[12:] for seat, row in zip(seats, rows, strict=False)}, dealer)


def first_moves(session: Session, until: str) -> list[Event]:
    """Everybody makes his first legal move (stay, stand, continue, the lowest card) until a phase begins; what happened."""
    events = chance(session)
    while session.game.phase(session.state) != until:
        events += play(session, str(session.legal[0]))
    return events


def fight(script: Iterable[str], players: int = 4, **house: Any) -> Session:
    """A session of that script; unless it is said otherwise four play and seat 3 deals, so that seat 0 is at the dealer's left."""
    return scripted("fight_for_the_lead", list(script), players, **{"first_dealer": 3, **house})


def usual(turned: str = "2H", dealer: int = 3, **house: Any) -> Session:
    """The usual deal: FIGHT are its fight cards, and seat 0 wins the lead with the ace of hearts."""
    return fight(fight_deal(HANDS, turned, NEW, dealer), first_dealer=dealer, **house)


def hand(session: Session, seat: int) -> tuple[Card, ...]:
    """The true cards of a seat, sorted."""
    cards: tuple[Card, ...] = session.state.hands[seat].cards
    return cards


def cards(text: str) -> tuple[Card, ...]:
    """Some cards, sorted."""
    return tuple(sorted(parse_cards(text)))


def same_to_others(one: Session, other: Session, but: int) -> None:
    """Nobody but one seat can tell two games apart."""
    for viewer in (None, *(seat for seat in one.game.seats if seat != but)):
        assert one.view(viewer) == other.view(viewer)
        assert one.export(viewer) == other.export(viewer)
        assert one.expects(viewer) == other.expects(viewer)
        assert [(row.step, row.text) for row in one.log(viewer)] == [(row.step, row.text) for row in other.log(viewer)]
    assert len(one) == len(other)
