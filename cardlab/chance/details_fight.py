"""Fight for the Lead: what a viewer sees of the next step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cardlab.cards import Card
from cardlab.chance.details import Detail, Details, Events, Facts, card, first, knows, there
from cardlab.core.events import FirstDealer, Seat
from cardlab.core.game import Action
from cardlab.games.fight_events import (
    DropsOpened,
    Exchanged,
    FightCards,
    FightLaid,
    Played,
    Received,
    RefusalsOpened,
    Sealed,
    Stands,
    Turned,
)


def fight_details(view: Any, world: Any) -> Details:
    """The details of the next step; of the ``world`` only what all may know is read, and of the viewer's own hand."""
    game, now = view.game, view.now
    match now.asks:
        case "dealer":
            yield Detail("dealer", game.seats, lambda events: first(FirstDealer, events).dealer)
        case "deal" | "draw":
            seat = game.receiver(world)
            if knows(view, seat):
                yield card("received", view.places["stock"].candidates, lambda events: first(Received, events).card, "stock", seat)
        case "turn":
            yield from _turned(view)
    if not isinstance(now.actor, Seat):
        return
    if now.phase == "exchange" and not knows(view, now.actor):
        most = game.most_exchanged(world, now.actor)
        most = min(most, 1) if game.rules.exchange == "one_by_one" else most
        yield Detail("exchanged", tuple(range(most + 1)), _exchanged, seat=now.actor)
    elif now.phase == "tricks" and not knows(view, now.actor):
        yield _played(view, now.actor)
    elif now.phase in ("drop", "refusal"):
        yield from _answers(view, world, now.actor)
    elif knows(view, now.actor):
        yield _move(view, world, now.actor)


def _move(view: Any, world: Any, seat: Seat) -> Detail:
    return Detail("move", view.game.legal(world), _moved, seat=seat)


def _moved(events: Events) -> Action:
    """The move of a seat whose choices are known."""
    for event in events:
        match event:
            case FightLaid(card=laid):
                return Action("fight", (laid,))
            case Sealed(choice=choice):
                return Action.of(choice)
            case Stands():
                return Action.of("stand")
            case Exchanged(cards=cards) if None not in cards:
                return Action("exchange", tuple(sorted(card for card in cards if card)))
            case Played(card=played):
                return Action("play", (played,))
    raise LookupError("move")


def _exchanged(events: Events) -> int:
    return 0 if there(Stands, events) else len(first(Exchanged, events).cards)


def _turned(view: Any) -> Details:
    """The card of the stock, and with the first one all fight cards that the viewer does not know yet."""
    turned = yield card("turned", view.places["stock"].candidates, lambda events: first(Turned, events).card, "stock")
    told = {turned}
    for seat in view.playing if not view.fight else ():
        if not knows(view, seat):
            hand = view.places[f"hand {seat}"].candidates
            told.add((yield card("fought", (held for held in hand if held not in told), _fought(seat), f"hand {seat}", seat)))


def _fought(seat: Seat) -> Callable[[Events], Card]:
    def read(events: Events) -> Card:
        opened = first(FightCards, events)
        return dict(zip(opened.seats, opened.cards, strict=True))[seat]

    return read


def _played(view: Any, seat: Seat) -> Detail:
    """A card of another's hand; one of another suit shows that he has none of the suit led."""
    led = view.trick[0][1].suit if view.trick else None
    before = {held for _, held in view.played}

    def facts(value: Card) -> Sequence[Facts]:
        void = led is not None and value.suit != led
        barred = ((f"hand {seat}", lambda held: held.suit == led and held not in before),) if void else ()
        return (Facts(((f"hand {seat}", value),), barred),)

    hand = view.places[f"hand {seat}"].candidates
    return Detail("played", hand, lambda events: first(Played, events).card, facts, seat)


def _answers(view: Any, world: Any, actor: Seat) -> Details:
    """A sealed answer, if it is the viewer's; the last one opens all."""
    verbs = ("stay", "drop") if view.now.phase == "drop" else ("continue", "refuse")
    own = knows(view, actor)
    if own:
        yield _move(view, world, actor)
    if actor != view.playing[-1]:
        return
    for seat in view.playing:
        if seat in dict(view.sealed) or (own and seat == actor):
            continue
        bound = verbs[0] == "continue" and view.game.rules.refusal == "losers_bound" and seat in view.losers
        yield Detail(verbs[1], verbs[:1] if bound else verbs, _opened(seat, verbs), seat=seat)


def _opened(seat: Seat, verbs: tuple[str, str]) -> Callable[[Events], str]:
    def read(events: Events) -> str:
        opened = there(DropsOpened, events) or first(RefusalsOpened, events)
        return verbs[seat in opened.seats]

    return read
