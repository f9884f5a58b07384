"""What moved between two scenes, read off the scenes alone: it can tell no more than they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from cardlab.cards import Card
from cardlab.view.scene import Cards, Scene

NAMED: Final = "named"  # no place: a card that is asked for or shown is named, wherever it lies


@dataclass(frozen=True, slots=True)
class Moved:
    """The cards that came: by place and position there, the place they came from ("" where that is not seen)."""

    came: Mapping[tuple[str, int], str] = field(default_factory=dict)

    def source(self, place: str, position: int) -> str | None:
        """Where a card came from; ``None`` for one that did not move."""
        return self.came.get((place, position))


def moved(before: Scene, after: Scene) -> Moved:
    """What came to each place. A card that was only turned over, and the cards of a pile, did not move.

    >>> from cardlab import Session, game
    >>> from cardlab.view import scene
    >>> session = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
    >>> _ = session.play(), session.play("take 0")
    >>> was = scene(session.game, session.view())
    >>> _ = session.play()
    >>> moved(was, scene(session.game, session.view())).came
    {('hand 1', 0): 'pile 0'}
    """
    old, new = before.zones(), after.zones()
    where = {card: place for place, cards in old.items() for card in cards if card is not None and place != NAMED}
    seen = {card for place, cards in new.items() for card in cards if card is not None and place != NAMED}
    piles = {group.key for group in after.middle if group.backs is not None}
    came = [(place, k) for place, cards in new.items() if place not in piles for k in _arrived(old.get(place, ()), cards, where, seen)]
    fewer = {place: len(cards) - len(new.get(place, ())) for place, cards in old.items() if place != NAMED}
    hands = {(group.key, k): f"hand {int(seat)}" for group in after.middle for k, seat in enumerate(group.owners)}
    source = {spot: hands[spot] for spot in came if fewer.get(hands.get(spot, ""), 0) > 0}
    source |= {(place, k): where[card] for place, k in came if (card := new[place][k]) is not None and card in where}
    left = Counter(fewer) + Counter(place for place, _ in came)
    left.subtract(source.values())
    # What was laid for somebody is swapped: the back that comes when it goes is another card.
    losers = {place for place, n in left.items() if n > 0 and place in old and not place.startswith("laid")}
    return Moved({spot: "" if spot[0] == NAMED else source.get(spot) or _only(losers - {spot[0]}) for spot in came})


def _only(losers: set[str]) -> str:
    """The place from which a card went that nobody saw go; empty where it may be one of several."""
    return losers.pop() if len(losers) == 1 else ""


def _arrived(before: Cards, after: Cards, where: Mapping[Card, str], seen: Collection[Card]) -> list[int]:
    """The positions of the cards that were not there: open ones by themselves, backs as many as there are more of them."""
    fresh = [k for k, card in enumerate(after) if card is not None and card not in before]
    gone = [card for card in before if card is not None and card not in after]
    more = after.count(None) - before.count(None)
    turned = -more - max(0, len(before) - len(after) - len(gone))  # so many backs are faces now, since they did not leave
    unseen = [k for k in fresh if after[k] not in where]
    for k in unseen[: max(turned, 0)]:
        fresh.remove(k)
    more -= sum(card not in seen for card in gone)  # these may lie there still
    backs = [k for k, card in enumerate(after) if card is None]
    return fresh + (backs[-more:] if more > 0 else [])
