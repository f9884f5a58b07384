"""What the rules let a seat know, read off the true moves: 'Who knows what' of the rules, written apart from the engine's events.

Each function tells what one step adds to the knowledge of a viewer, from the truth alone: the state before, the action, the state
after. Two histories that add the same are the same to that viewer, whatever else is true in them.
"""

from __future__ import annotations

from typing import Any

from cardlab.core.events import Seat, Viewer
from cardlab.core.game import AnyGame, Step

Facts = tuple[Any, ...]


def suicide_king(game: AnyGame, step: Step[Any], viewer: Viewer) -> Facts:
    """Everything is done aloud and shown to all."""
    return (str(step.action),)


def fight_for_the_lead(game: AnyGame, step: Step[Any], viewer: Viewer) -> Facts:
    """Public: lots, turned and opened cards, numbers exchanged, cards played, opened answers; own: what one gets, seals and lays away."""
    s, a = step.before, step.action
    match a.verb:
        case "deal" | "draw":
            receiver = gainer(step)
            return ("a card to", receiver, *(a.cards if receiver == viewer else ()))
        case "turn":
            return ("turned", *a.cards, *(() if s.turned else s.fight))  # FL-5: all are turned up with the first card
        case "fight":
            return ("lays a fight card", *(a.cards if s.mover == viewer else ()))
        case "exchange":
            return ("exchanges", s.mover, len(a.cards), *(a.cards if s.mover == viewer else ()))
        case "stay" | "drop" | "continue" | "refuse":
            own = (a.verb,) if s.mover == viewer else ()
            answers = (*(verb for _, verb in s.sealed), a.verb)
            return ("answers", *own, *(("opened", *answers) if len(answers) == len(s.playing) else ()))
    return (str(a), s.mover)  # the lot, the shuffle, stand, play


def poker_marshal(game: AnyGame, step: Step[Any], viewer: Viewer) -> Facts:
    """Public: titles, who lays, draws or gives how many, cards named and shown, opened answers, showdown; the parties know both cards."""
    s, a, after = step.before, step.action, step.after
    storekeeper, swapper, victim = s.titles[2], *((s.titles[0], s.titles[4]) if s.phase == "marshal" else (s.titles[1], s.titles[3]))
    match a.verb:
        case "deal":
            receiver = gainer(step)
            return ("a card to", receiver, *(a.cards if receiver == viewer else ()))
        case "draw":
            return ("draws", *(a.cards if s.titles[4] == viewer else ()))
        case "redraw":
            return ("redraws", *(s.hands[s.titles[4]] if s.titles[4] == viewer else ()))
        case "show" if not a.cards:
            return ("showdown", *s.hands)
        case "silent" | "accept" | "pass":
            return poker_answer(game, step, viewer)
        case "lay" if s.shown:
            return poker_answer(game, step, viewer)
        case "lay" if s.phase == "offers":
            return ("lays beside", *(a.cards if storekeeper == viewer else ()))
        case "blind":
            drawn = a.cards if viewer in (swapper, victim) else ()
            return ("draws blind", *drawn, *given_over(step, viewer, victim))
        case "lay" | "give":
            laid = a.cards if swapper == viewer else ()
            return (a.verb, *laid, *shortfall(step), *given_over(step, viewer, victim))
        case "take" | "enough" if s.phase in ("marshal", "deputy"):
            return (str(a), *shortfall(step))
        case "pick":
            laid = dict(s.answers)[Seat(a.number or 0)] if viewer in (storekeeper, a.number) else None
            return (str(a), laid)
    assert a.verb in ("title", "shuffle", "ask", "show", "enough", "nobody", "keep"), after
    return (str(a),)


def poker_answer(game: AnyGame, step: Step[Any], viewer: Viewer) -> Facts:
    """PM-8: one knows one's own answer; the fourth opens them all: who gives (or has laid), and to the two parties what changed hands."""
    s, a = step.before, step.action
    storekeeper = s.titles[2]
    order = [seat for seat in s.titles if seat != storekeeper]
    answerer = order[len(s.answers)]
    own = (str(a),) if answerer == viewer else ()
    if len(s.answers) < 3:
        return ("answers", *own)
    answers = dict(s.answers) | {answerer: None if a.verb in ("silent", "pass") else s.asked or a.card}
    said = tuple(seat for seat in order if answers[seat])
    parties = s.laid if s.asked and said and viewer in (storekeeper, *said) else ()
    return ("answers", *own, "opened", said, *parties)


def shortfall(step: Step[Any]) -> Facts:
    """PM-6: when the cards are laid (or a number is named), it is public how many can be drawn if they are fewer."""
    s, a, after = step.before, step.action, step.after
    wanted = (a.number or 0) if a.verb == "take" else len(s.laid) + len(a.cards)
    over = a.verb in ("take", "enough") or bool(after.due) or after.phase != s.phase
    if a.verb == "give" or not over:
        return ()
    can = after.due if after.phase == s.phase else 0
    return ("only", can) if can < wanted else ()


def given_over(step: Step[Any], viewer: Viewer, victim: Seat) -> Facts:
    """PM-9: with the last card of a swap the victim gets the laid cards to see."""
    s, after = step.before, step.after
    done = after.phase != s.phase
    laid = (*s.laid, *(step.action.cards if step.action.verb == "give" else ()))
    return ("gets", *sorted(laid)) if done and laid and viewer == victim and step.action.verb in ("blind", "give") else ()


def gainer(step: Step[Any]) -> Seat:
    """The seat whose hand has grown."""
    (seat,) = (k for k, (old, new) in enumerate(zip(step.before.hands, step.after.hands, strict=True)) if len(new) > len(old))
    return Seat(seat)


KNOWLEDGE = {"suicide_king": suicide_king, "fight_for_the_lead": fight_for_the_lead, "poker_marshal": poker_marshal}
