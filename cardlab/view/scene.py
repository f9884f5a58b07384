"""A scene: what lies where on the table, as one viewer knows it, without a word of any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from cardlab.cards import Card, best
from cardlab.cards.hands import LARGEST
from cardlab.core.events import TEACHER, Now, Seat
from cardlab.core.game import AnyGame
from cardlab.core.places import Zone
from cardlab.words import Phrase

Cards = tuple[Card | None, ...]  # None is a back


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player at the table: a title if there is one, the cards before him, and facts."""

    seat: Seat
    cards: Cards
    facts: tuple[Phrase, ...] = ()
    title: Phrase | None = None
    acts: bool = False
    own: bool = False  # the viewer's seat
    out: bool = False
    notes: tuple[Phrase, ...] = ()  # facts that stand out
    place: int | None = None  # the title's, 0 the highest
    laid: Card | None = None  # the fight card, which stays beside the hand
    eyed: Cards = ()  # cards that this viewer knows and a spectator does not

    @property
    def key(self) -> str:
        """The name of the place where the cards lie."""
        return f"hand {int(self.seat)}"


@dataclass(frozen=True, slots=True)
class Group:
    """Cards in the middle under a label; ``backs`` counts face-down cards of a pile that are not worth drawing one by one."""

    label: Phrase
    cards: Cards = ()
    backs: int | None = None
    owners: tuple[Seat, ...] = ()  # whose each card is, where that matters
    key: str = ""  # the name of the place
    marked: bool = False  # somebody has just reached for it
    aside: bool = False  # stands at the edge, out of the way


@dataclass(frozen=True, slots=True)
class Scene:
    """The table: its heading, the seats in clockwise order, the middle, and facts that concern all."""

    heading: tuple[Phrase, ...]
    seats: tuple[SeatRow, ...]
    middle: tuple[Group, ...]
    facts: tuple[Phrase, ...]
    piled: bool = False  # the players take from piles in the middle, and what they took lies in heaps at the sides

    def zones(self) -> dict[str, Cards]:
        """What lies where, by the names of the places; a pile is as many backs."""
        lying = {row.key: row.cards for row in self.seats}
        return lying | {group.key: group.cards if group.backs is None else (None,) * group.backs for group in self.middle}


def scene(game: AnyGame, view: Any, public: Any = None) -> Scene:
    """The scene of a view, of any game; ``public`` is the spectator's view of the moment, for what only this viewer knows."""
    made = _scene(game, view)
    if public is None or not isinstance(view.viewer, Seat):
        return made
    open_to_all = {card for cards in _scene(game, public).zones().values() for card in cards}
    seats = tuple(
        row if row.own else replace(row, eyed=tuple(card for card in row.cards if card is not None and card not in open_to_all))
        for row in made.seats
    )
    return replace(made, seats=seats)


def _scene(game: AnyGame, view: Any) -> Scene:
    now: Now | None = view.now
    phase = game.phases[0] if now is None else now.phase
    heading = (
        Phrase.of(f"game.{game.name}"),
        Phrase.of("scene.deal", n=_deal(view) + 1),
        Phrase.of(f"phase.{game.name}.{phase}"),
    )
    seats, middle, facts = _SCENES[game.name](game, view, None if now is None else now.actor)
    return Scene(heading, seats, middle, facts, _SCENES[game.name] is _suicide_king)


def _deal(view: Any) -> int:
    deal = getattr(view, "deal", None)
    return int(view.table.deal if deal is None else deal)


def _lying(zone: Zone) -> Cards:
    """A back for each card that is not known, then the cards that are known to lie in a zone."""
    return (*(None,) * zone.unknown, *zone.sure)


Parts = tuple[tuple[SeatRow, ...], tuple[Group, ...], tuple[Phrase, ...]]


def _suicide_king(game: AnyGame, view: Any, actor: object) -> Parts:
    table = view.table
    rows = []
    for seat in game.seats:
        facts, notes = [], []
        if seat == table.dealer:
            facts.append(Phrase.of("scene.dealer"))
        if seat in table.left:
            facts.append(Phrase.of("scene.left", place=table.left.index(seat) + 1))
        if seat == table.turn and seat in table.playing and table.due:
            notes.append(Phrase.of("scene.due_extra" if table.extra else "scene.due", n=table.due))
            notes += [Phrase.of("scene.queued", numbers=table.queue)] if table.queue else []
        cards = tuple(card for taker, card in view.shown if taker == seat)
        acts = actor == seat or (table.pile is not None and table.turn == seat)
        rows.append(SeatRow(seat, cards, tuple(facts), acts=acts, own=view.viewer == seat, out=seat in table.left, notes=tuple(notes)))
    if not table.unseen and not view.shown:
        return tuple(rows), (), ()  # nothing has been dealt yet
    piles = [
        Group(Phrase.of(f"scene.pile.{'around' if pile else 'middle'}", n=pile), backs=n, key=f"pile {pile}", marked=table.pile == pile)
        for pile, n in enumerate(table.piles)
    ]
    unseen = Phrase.of("scene.unseen", n=len(table.unseen))
    return tuple(rows), tuple(piles), (unseen,)


def _fight_for_the_lead(game: AnyGame, view: Any, actor: object) -> Parts:
    rows = []
    for seat in game.seats:
        facts = [Phrase.of("scene.balance", amount=view.balances[seat])]
        if seat == view.dealer:
            facts.append(Phrase.of("scene.dealer"))
        if seat not in view.playing:
            facts.append(Phrase.of("scene.refused"))
        elif seat in view.losers:
            facts.append(Phrase.of("scene.loser"))
        elif seat not in view.staying and view.staying:
            facts.append(Phrase.of("scene.dropped"))
        if seat == view.lead:
            facts.append(Phrase.of("scene.lead"))
        if view.tricks[seat]:
            facts.append(Phrase.of("scene.tricks", n=view.tricks[seat]))
        hand = _lying(view.places[f"hand {seat}"])
        fought = dict(view.fight).get(seat) if view.played or view.lead is not None else None
        out = seat not in view.playing
        rows.append(SeatRow(seat, hand, tuple(facts), acts=actor == seat, own=view.viewer == seat, out=out, laid=fought))
    middle = [Group(Phrase.of("scene.stock"), backs=view.places["stock"].size, key="stock", aside=True)]
    laid = [(seat, view.places[f"fight {seat}"].sure) for seat in game.seats]
    fight = view.fight or tuple((seat, cards[0]) for seat, cards in laid if cards)
    last = view.played[-len(view.staying) :]  # a trick is taken in the step of its last card: it stays in sight until the next lead
    ring = ("scene.trick", "trick", view.trick) if view.trick else ("scene.last_trick", "trick", last)
    if not view.played:
        ring = ("scene.fight", "fight", fight if view.lead is None else ())
    label, key, pairs = ring
    if view.turned:
        middle.append(Group(Phrase.of("scene.turned"), view.turned, key="turned", aside=True))
    if pairs:
        middle.append(Group(Phrase.of(label), tuple(card for _, card in pairs), owners=tuple(seat for seat, _ in pairs), key=key))
    if view.places["discard"].size:
        middle.append(Group(Phrase.of("scene.discard"), backs=view.places["discard"].size, key="discard", aside=True))
    return tuple(rows), tuple(middle), (Phrase.of("scene.bank", amount=view.bank),)


def _poker_marshal(game: AnyGame, view: Any, actor: object) -> Parts:
    order = view.titles or game.seats
    worth = dict(view.shown_hands)
    rows = []
    for place, seat in enumerate(order):
        hand = _lying(view.places[f"hand {seat}"])
        notes: tuple[Phrase, ...] = ()
        known = [card for card in hand if card is not None]
        if seat in worth:
            notes = (Phrase.of("scene.worth", hand=worth[seat]),)
            hand = hand or worth[seat].cards  # gathered for the next deal: what counted stays in sight
        elif view.viewer == seat and known and len(known) == len(hand) <= LARGEST:  # one who takes first may hold more
            notes = (Phrase.of("scene.best", hand=best(known, game.rules.short_hands)),)
        title = Phrase.of(f"title.{place}") if view.titles else None
        facts = (Phrase.of("scene.wins", n=view.wins[seat]),) if view.wins[seat] else ()
        rank = place if view.titles else None
        rows.append(SeatRow(seat, hand, facts, title, acts=actor == seat, own=view.viewer == seat, notes=notes, place=rank))
    middle = []
    if view.drawn:
        owners = tuple(seat for seat, _ in view.drawn)
        drawn = tuple(card for _, card in view.drawn)
        middle.append(Group(Phrase.of("scene.title_draw"), drawn, owners=owners, key="drawn"))
    if view.places["stock"].size:
        middle.append(Group(Phrase.of("scene.stock"), backs=view.places["stock"].size, key="stock"))
    asked = [("scene.asked", (view.asked,))] if view.asked else [("scene.shown", (view.shown,))] if view.shown else []
    middle += [Group(Phrase.of(label), cards, key="named") for label, cards in asked]
    if view.places["laid"].size:
        middle.append(Group(Phrase.of("scene.laid"), _lying(view.places["laid"]), key="laid"))
    for seat in game.seats:
        if view.places[f"laid {seat}"].size:
            middle.append(Group(Phrase.of("scene.laid_by"), _lying(view.places[f"laid {seat}"]), owners=(seat,), key=f"laid {seat}"))
    if view.places["discard"].size:
        middle.append(Group(Phrase.of("scene.discard"), backs=view.places["discard"].size, key="discard"))
    return tuple(rows), tuple(middle), ()


_SCENES: Final[dict[str, Callable[[AnyGame, Any, object], Parts]]] = {
    "suicide_king": _suicide_king,
    "fight_for_the_lead": _fight_for_the_lead,
    "poker_marshal": _poker_marshal,
}


def sees_moves(view: Any) -> bool:
    """Whether the legal moves are for this viewer's eyes: the seat to act, or the teacher."""
    return view.viewer == TEACHER or (view.now is not None and view.viewer is not None and view.now.actor == view.viewer)
