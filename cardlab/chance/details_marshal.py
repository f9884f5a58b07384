"""Poker Marshal: what a viewer sees of the next step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from cardlab.cards import Card
from cardlab.chance.details import Detail, Details, Events, Facts, at, card, first, knows, there
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.games.marshal_events import (
    Answered,
    Asks,
    BlindDrawn,
    DrewTitle,
    Gives,
    HandShown,
    Keeps,
    Laid,
    LaidBy,
    Named,
    NoSwap,
    OffersOver,
    Picked,
    PickedNobody,
    Received,
    Redraws,
    Shortfall,
    Shows,
    SwapDone,
)
from cardlab.games.marshal_state import BANDIT, STOREKEEPER


def marshal_details(view: Any, world: Any) -> Details:
    """The details of the next step; of the ``world`` only what all may know is read, and of the viewer's own hand."""
    game, now = view.game, view.now
    match now.asks:
        case "title":
            seat = world.lots.group[len(world.lots.drawn)]
            yield card("drew", view.rest, lambda events: first(DrewTitle, events).card, seat=seat)
        case "show":
            yield from _showdown(view)
        case "blind":
            yield from _blind(view, world)
        case "deal" | "draw":
            seat = view.titles[BANDIT] if now.asks == "draw" else game._receiver(view)
            if knows(view, seat):
                yield card("received", view.places["stock"].candidates, lambda events: first(Received, events).card, "stock", seat)
    if not isinstance(now.actor, Seat):
        return
    if now.phase in ("marshal", "deputy"):
        yield from _swap(view, world, now.actor)
    elif now.phase == "bandit":
        yield from _own(view, world, now.actor) if knows(view, now.actor) else _bandit(now.actor)
    elif world.picking:
        yield from _pick(view, world, now.actor)
    elif world.shown or world.laid:
        yield from _answer(view, world, now.actor)
    elif knows(view, now.actor):
        yield from _own(view, world, now.actor)
    elif not world.asked:
        yield from _offer(view, now.actor)


def _own(view: Any, world: Any, seat: Seat) -> Details:
    yield Detail("move", view.game.legal(world), lambda events: _moved(events, view, world), seat=seat)


def _moved(events: Events, view: Any, world: Any) -> Action:
    """The move of a seat whose choices are known."""
    for event in events:
        match event:
            case Laid(card=laid) if laid is not None:
                gives = view.now.phase != "offers" and view.game.rules.swap == "take_then_give"
                return Action("give" if gives else "lay", (laid,))
            case Named(n=n):
                return Action.of("take", n)
            case NoSwap() if view.game.rules.swap == "take_then_give":
                return Action.of("take", 0)
            case Asks(card=asked):
                return Action("ask", (asked,))
            case Shows(card=shown):
                return Action("show", (shown,))
            case Answered(card=None):
                return Action.of("silent" if world.asked else "pass")
            case Answered(card=given) if given is not None:
                return Action.of("accept") if world.asked else Action("lay", (given,))
            case Picked(to=seat):
                return Action.of("pick", int(seat))
            case PickedNobody():
                return Action.of("nobody")
            case Keeps():
                return Action.of("keep")
            case Redraws():
                return Action.of("redraw")
    return Action.of("enough")


def _plain(cards: Iterable[Card], told: Iterable[Any] = ()) -> tuple[Card, ...]:
    out = {*told}
    return tuple(sorted(card for card in cards if not card.joker and card not in out))


def _showdown(view: Any) -> Details:
    """The cards of each hand that the viewer does not know yet."""
    shown: set[Card] = set()
    for seat in view.titles:
        hand = view.places[f"hand {seat}"]
        left = tuple(held for held in hand.may if held not in shown)
        if hand.unknown:
            shown |= {*(yield Detail("shows", left, _shown(seat, hand.sure), at(f"hand {seat}"), seat, hand.unknown))}


def _shown(seat: Seat, known: tuple[Card, ...]) -> Callable[[Events], tuple[Card, ...]]:
    def read(events: Events) -> tuple[Card, ...]:
        shown = next((event.cards for event in events if isinstance(event, HandShown) and event.seat == seat), None)
        if shown is None:
            raise LookupError(HandShown.key)
        return tuple(sorted(held for held in shown if held not in known))

    return read


# PM-4 to PM-6: the swaps


def _blind(view: Any, world: Any) -> Details:
    """A card drawn blind, known to both parties; with the last one the victim gets to see the cards laid for him."""
    swapper, victim, _, _ = view.game.parties(world)
    drawn = []
    if knows(view, swapper) or knows(view, victim):
        hand = _plain(view.places[f"hand {victim}"].candidates)
        zone = "" if knows(view, victim) else f"hand {victim}"
        drawn.append((yield card("blind", hand, lambda events: first(BlindDrawn, events).card, zone, victim)))
    if world.due == 1 and len(world.laid) >= (world.named or 0):
        yield from _given(view, victim, ["laid"] * len(world.laid), drawn)


def _given(view: Any, victim: Seat, zones: Sequence[str], told: list[Any]) -> Details:
    """What the victim gets, in the order of laying."""
    if view.viewer != victim:
        return
    for k, zone in enumerate(zones):
        cards = _plain(view.places[zone].candidates, told)
        told.append((yield card("given", cards, _of_swap(k), zone)))


def _of_swap(k: int) -> Callable[[Events], Card | None]:
    def read(events: Events) -> Card | None:
        return first(SwapDone, events).cards[k]

    return read


def _swap(view: Any, world: Any, seat: Seat) -> Details:
    game = view.game
    _, victim, _, most = game.parties(world)
    laid = len(world.laid)
    if game.rules.swap == "lay_first":
        if knows(view, seat):
            lays = (yield from _told(_own(view, world, seat))).verb == "lay"
        else:
            lays = (yield Detail("lays", ("lay", "enough"), lambda events: "lay" if there(Laid, events) else "enough", seat=seat)) == "lay"
        wanted = laid + lays
        if wanted and (not lays or wanted == most):
            yield from _shortfall(view, world, victim, wanted)
    elif world.named is None:
        if knows(view, seat):
            wanted = (yield from _told(_own(view, world, seat))).number
        else:
            wanted = yield Detail("takes", tuple(range(most + 1)), _named, seat=seat)
        if wanted:
            yield from _shortfall(view, world, victim, wanted)
    else:
        told = []
        if knows(view, seat):
            told = list((yield from _told(_own(view, world, seat))).cards)
        if laid + 1 == world.named:
            yield from _given(view, victim, ["laid"] * laid + [f"hand {seat}"], told)


def _told(details: Details) -> Any:
    """The value of a single detail."""
    value = yield next(details)
    return value


def _named(events: Events) -> int:
    named = there(Named, events)
    return 0 if named is None and first(NoSwap, events) else named.n if named else 0


def _shortfall(view: Any, world: Any, victim: Seat, wanted: int) -> Details:
    """How many cards can be drawn, where the victim's jokers may leave too few."""
    hand = view.places[f"hand {victim}"]
    sure = [held for held in hand.sure if held.joker]
    may = [held for held in hand.may if held.joker]
    counts = {min(wanted, hand.size - len(sure) - more) for more in range(min(len(may), hand.unknown) + 1)}

    def facts(value: int) -> Sequence[Facts]:
        if value == wanted:
            return (Facts(),)
        more = hand.size - value - len(sure)
        return tuple(Facts(tuple((f"hand {victim}", joker) for joker in jokers)) for jokers in combinations(may, more))

    yield Detail("drawable", tuple(sorted(counts, reverse=True)), lambda events: _drawable(events, wanted), facts, victim)


def _drawable(events: Events, wanted: int) -> int:
    short = there(Shortfall, events)
    return wanted if short is None else short.n


# PM-7 to PM-9: the offers


def _offer(view: Any, keeper: Seat) -> Details:
    verbs = ("enough", "ask", "show") if view.game.rules.offers == "ask_or_offer" else ("enough", "ask")
    hand = view.places[f"hand {keeper}"]
    match (yield Detail("offers", verbs, _offered, seat=keeper)):
        case "ask":
            cards = _plain(view.game.size.pack, hand.sure)

            def facts(value: Card) -> Sequence[Facts]:
                return (Facts((), ((f"hand {keeper}", lambda held: held is value),)),)

            yield Detail("asks", cards, lambda events: first(Asks, events).card, facts, keeper)
        case "show":
            yield card("offered", _plain(hand.candidates), lambda events: first(Shows, events).card, f"hand {keeper}", keeper)


def _offered(events: Events) -> str:
    if there(Asks, events):
        return "ask"
    if there(Shows, events):
        return "show"
    return "enough" if first(OffersOver, events) else ""


def _answer(view: Any, world: Any, seat: Seat) -> Details:
    """A sealed answer, if it is the viewer's; the last one opens all."""
    known: dict[Seat, Card | None] = dict(view.sealed)
    if knows(view, seat):
        move = yield from _told(_own(view, world, seat))
        known[seat] = world.asked if move.verb == "accept" else move.cards[0] if move.cards else None
    if seat != view.titles[BANDIT]:
        return
    keeper = view.titles[STOREKEEPER]
    others = [other for other in view.titles if other != keeper]
    if world.shown:
        for other in others:
            if other not in known:
                yield Detail("answers", ("pass", "lay"), _lay_or_pass(other), seat=other)
        return
    giver = next((other for other, given in known.items() if given), None)
    if giver is None:
        holders = [other for other in others if other not in known and world.asked in view.places[f"hand {other}"].candidates]
        giver = yield Detail(
            "gives", (None, *holders), _giver, lambda value: (Facts(() if value is None else ((f"hand {value}", world.asked),)),)
        )
    if giver is not None and giver == view.viewer:
        yield card("beside", _plain(view.places["laid"].candidates), lambda events: first(Gives, events).laid, "laid", keeper)


def _giver(events: Events) -> Seat | None:
    gives = there(Gives, events)
    return None if gives is None else gives.seat


def _lay_or_pass(seat: Seat) -> Callable[[Events], str]:
    return lambda events: "lay" if seat in first(LaidBy, events).seats else "pass"


def _pick(view: Any, world: Any, keeper: Seat) -> Details:
    if knows(view, keeper):
        picked = (yield from _told(_own(view, world, keeper))).number
    else:
        picked = yield Detail("picks", (None, *sorted(view.laid_by)), _picked, seat=keeper)
    if picked is not None and view.viewer == keeper:
        cards = _plain(view.places[f"laid {picked}"].candidates)
        yield card("picked", cards, lambda events: first(Picked, events).laid, f"hand {picked}", Seat(picked))


def _picked(events: Events) -> Seat | None:
    picked = there(Picked, events)
    return None if picked is None else picked.to


def _bandit(seat: Seat) -> Details:
    yield Detail("bandit", ("keep", "redraw"), lambda events: "keep" if there(Keeps, events) else "redraw", seat=seat)
