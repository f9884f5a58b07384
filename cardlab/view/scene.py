"""A scene: what lies where on the table, as one viewer knows it, without a word of any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cardlab.cards import Card
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


@dataclass(frozen=True, slots=True)
class Group:
    """Cards in the middle under a label; ``backs`` counts face-down cards of a pile that are not worth drawing one by one."""

    label: Phrase
    cards: Cards = ()
    backs: int | None = None
    owners: tuple[Seat, ...] = ()  # whose each card is, where that matters


@dataclass(frozen=True, slots=True)
class Scene:
    """The table: its heading, the seats in clockwise order, the middle, and facts that concern all."""

    heading: tuple[Phrase, ...]
    seats: tuple[SeatRow, ...]
    middle: tuple[Group, ...]
    facts: tuple[Phrase, ...]


def scene(game: AnyGame, view: Any) -> Scene:
    """The scene of a view, of any game."""
    now: Now | None = view.now
    phase = game.phases[0] if now is None else now.phase
    heading = (
        Phrase.of(f"game.{game.name}"),
        Phrase.of("scene.deal", n=_deal(view) + 1),
        Phrase.of(f"phase.{game.name}.{phase}"),
    )
    seats, middle, facts = _SCENES[game.name](game, view, None if now is None else now.actor)
    return Scene(heading, seats, middle, facts)


def _deal(view: Any) -> int:
    deal = getattr(view, "deal", None)
    return int(view.table.deal if deal is None else deal)


def _lying(zone: Zone) -> Cards:
    """The cards known to lie in a zone, then a back for each of the others."""
    return (*zone.sure, *(None,) * zone.unknown)


Parts = tuple[tuple[SeatRow, ...], tuple[Group, ...], tuple[Phrase, ...]]


def _suicide_king(game: AnyGame, view: Any, actor: object) -> Parts:
    table = view.table
    rows = []
    for seat in game.seats:
        facts = []
        if seat == table.dealer:
            facts.append(Phrase.of("scene.dealer"))
        if seat in table.left:
            facts.append(Phrase.of("scene.left", place=table.left.index(seat) + 1))
        if seat == table.turn and seat in table.playing and table.due:
            facts.append(Phrase.of("scene.due_extra" if table.extra else "scene.due", n=table.due))
            facts += [Phrase.of("scene.queued", numbers=table.queue)] if table.queue else []
        cards = tuple(card for taker, card in view.shown if taker == seat)
        acts = actor == seat or (table.pile is not None and table.turn == seat)
        rows.append(SeatRow(seat, cards, tuple(facts), acts=acts, own=view.viewer == seat, out=seat in table.left))
    if not table.unseen and not view.shown:
        return tuple(rows), (), ()  # nothing has been dealt yet
    piles = [Group(Phrase.of(f"scene.pile.{'around' if pile else 'middle'}", n=pile), backs=n) for pile, n in enumerate(table.piles)]
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
        rows.append(SeatRow(seat, hand, tuple(facts), acts=actor == seat, own=view.viewer == seat, out=seat not in view.playing))
    middle = [Group(Phrase.of("scene.stock"), backs=view.places["stock"].size)]
    laid = [(seat, view.places[f"fight {seat}"].sure) for seat in game.seats]
    fight = view.fight or tuple((seat, cards[0]) for seat, cards in laid if cards)
    last = view.played[-len(view.staying) :]  # a trick is taken in the step of its last card: it stays in sight until the next lead
    groups = [("scene.trick", view.trick) if view.trick else ("scene.last_trick", last)]
    if not view.played:
        groups = [("scene.turned", [(None, card) for card in view.turned]), ("scene.fight", fight)]
    for label, pairs in groups:
        if pairs:
            owners = tuple(seat for seat, _ in pairs if seat is not None)
            middle.append(Group(Phrase.of(label), tuple(card for _, card in pairs), owners=owners))
    if view.places["discard"].size:
        middle.append(Group(Phrase.of("scene.discard"), backs=view.places["discard"].size))
    return tuple(rows), tuple(middle), (Phrase.of("scene.bank", amount=view.bank),)


def _poker_marshal(game: AnyGame, view: Any, actor: object) -> Parts:
    order = view.titles or game.seats
    worth = dict(view.shown_hands)
    rows = []
    for place, seat in enumerate(order):
        facts = [Phrase.of("scene.wins", n=view.wins[seat])]
        if seat in worth:
            facts.append(Phrase.of("scene.worth", hand=worth[seat]))
        title = Phrase.of(f"title.{place}") if view.titles else None
        hand = _lying(view.places[f"hand {seat}"])
        if seat in worth and not hand:  # gathered for the next deal: what counted stays in sight
            hand = worth[seat].cards
        rows.append(SeatRow(seat, hand, tuple(facts), title, acts=actor == seat, own=view.viewer == seat))
    middle = []
    if view.drawn:
        owners = tuple(seat for seat, _ in view.drawn)
        middle.append(Group(Phrase.of("scene.title_draw"), tuple(card for _, card in view.drawn), owners=owners))
    if view.places["stock"].size:
        middle.append(Group(Phrase.of("scene.stock"), backs=view.places["stock"].size))
    asked = [("scene.asked", (view.asked,))] if view.asked else [("scene.shown", (view.shown,))] if view.shown else []
    middle += [Group(Phrase.of(label), cards) for label, cards in asked]
    if view.places["laid"].size:
        middle.append(Group(Phrase.of("scene.laid"), _lying(view.places["laid"])))
    for seat in game.seats:
        if view.places[f"laid {seat}"].size:
            middle.append(Group(Phrase.of("scene.laid_by"), _lying(view.places[f"laid {seat}"]), owners=(seat,)))
    if view.places["discard"].size:
        middle.append(Group(Phrase.of("scene.discard"), _lying(view.places["discard"])))
    return tuple(rows), tuple(middle), ()


_SCENES: Final[dict[str, Callable[[AnyGame, Any, object], Parts]]] = {
    "suicide_king": _suicide_king,
    "fight_for_the_lead": _fight_for_the_lead,
    "poker_marshal": _poker_marshal,
}


def sees_moves(view: Any) -> bool:
    """Whether the legal moves are for this viewer's eyes: the seat to act, or the teacher."""
    return view.viewer == TEACHER or (view.now is not None and view.viewer is not None and view.now.actor == view.viewer)
