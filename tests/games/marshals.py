"""Tables of Poker Marshal for tests: hands dealt by title from a script, and what is asked of a session again and again."""

from __future__ import annotations

from typing import Any

from scenario import chance, play

from cardlab import Bag, Scripted, Session, game
from cardlab.cards import PACK_52, parse_cards
from cardlab.core.events import Event, Seat

MARSHAL, DEPUTY, STOREKEEPER, DRUNK, BANDIT = map(Seat, range(5))  # the seats that get these titles from FIRST
FIRST = "AS KS QS JS TS"  # a draw that makes the seats 0 to 4 Marshal to Bandit
NO_SWAP = ("enough", "enough")  # neither Marshal nor Deputy
QUIET = (*NO_SWAP, "enough", "keep")  # a deal in which nobody does anything
# Hands whose order is the order of the titles, and four of the five high.
RANKED = ("AS AH AD AC 2C 3D 4H", "KS KH KD KC 2D 3H", "QS QH QD QC 2H", "JS JH JD JC", "TS TH TD")


def hands_of(*named: str, later: str = "", sizes: tuple[int, ...] = (7, 6, 5, 4, 3)) -> list[str]:
    """Five hands as a script, from the Marshal's to the Bandit's, each filled up with cards that are named nowhere."""
    taken = {card for text in (*named, later) for card in parse_cards(text)}
    spare = iter(card for card in sorted(PACK_52, key=lambda card: (card.rank, card.suit)) if card not in taken)
    script: list[str] = []
    for text, size in zip(named, sizes, strict=True):
        cards = list(map(str, parse_cards(text)))
        script += cards + [str(next(spare)) for _ in range(size - len(cards))]
    return script


def table(*named: str, then: str = "", first: str = FIRST, deals: int = 1, **house: Any) -> Session:
    """A game dealt as far as the Marshal's move: hands by title, and in ``then`` the cards that chance gives later."""
    named = named or ("",) * 5
    script = [*first.split(), *hands_of(*named, later=then), *map(str, parse_cards(then))]
    session = Session(game("poker_marshal", deals=deals, **house), dealer=Scripted(script, fill=True))
    chance(session)
    return session


def holding(*titled: str, then: str = "", **house: Any) -> Session:
    """A table at the Storekeeper's offers, after no swap."""
    session = table(*titled, then=then, **house)
    play(session, *NO_SWAP)
    return session


def moves(session: Session, verb: str) -> set[str]:
    """The legal moves with a verb, by what follows it."""
    return {str(action).partition(" ")[2] for action in session.legal if action.verb == verb}


def verbs(session: Session) -> set[str]:
    return {action.verb for action in session.legal}


def hand(session: Session, seat: int) -> Bag:
    held = session.state.hands[seat]
    assert isinstance(held, Bag)
    return held


def knows(session: Session, viewer: int | None, seat: int) -> Bag:
    """The cards that a viewer knows to be in a hand."""
    return Bag(session.view(viewer).hand(seat))


def shown_to(session: Session, viewer: Any) -> list[Event]:
    return [event for _, _, event in session.events(viewer)]


def script(*deals: tuple[str, ...], first: str = FIRST) -> Scripted:
    return Scripted([*first.split(), *(card for named in deals for card in hands_of(*named))], fill=True)


# Case 7: equal hands that hold no card in common, filled up with cards that change nothing
EQUAL = {
    "straights": ("TD JH QS KC AD 2C 3D", "TH JD QD KH AC 2D"),
    "a natural and a wild flush": ("AH KH QH 9H 4H 2C 3D", "AS KS 9S 4S JK1 2D"),
    "two pairs with a kicker": ("AH AD 6H 6D QC 2C 3D", "AS AC 6S 6C QD 2D"),
}
LOWER = ("8C 8D 3S 5D 7H", "9C 9D 5S 7S", "TC 2H 4C")
