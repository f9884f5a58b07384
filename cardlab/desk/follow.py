"""A real table that is followed: what is to be told next, as lines of HTML, and what was pressed or typed about it."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.details import Detail
from cardlab.chance.watched import Watched
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.desk.desk import Desk
from cardlab.view import html
from cardlab.words import Words

TELL: Final = "tell"  # before the number of what is pressed, or the token of a card
TYPED: Final = "typed"  # before a text


def asked(desk: Desk) -> Detail | None:
    """What is to be told at the moment of a desk, if it follows a table."""
    session = desk.session
    return session.telling.detail if isinstance(session, Watched) and session.following and not desk.over else None


def told(desk: Desk) -> str:
    """How much of the next step is told, as part of the name of a moment."""
    session = desk.session
    return "" if asked(desk) is None or not isinstance(session, Watched) else f"told {len(session.telling.values)}"


def moves(desk: Desk) -> str:
    """Below the table: the moves that may be clicked, or what is to be told next."""
    detail = asked(desk)
    if detail is None:
        return html.moves(desk.offer(), desk.game, desk.words)
    question = f'<p class="telling">{html.coloured(_question(detail, desk))}</p>'
    if detail.name == "move":
        return f"<div>{question}{html.moves(desk.offer(), desk.game, desk.words)}</div>"
    if isinstance(detail.options[0], Card):
        grid = html.cards_to_tell(detail.options, lambda card: f"{TELL} {card}", desk.chosen, desk.words)
        return f"<div>{question}{grid}</div>"
    labels = [escape(_label(detail, value, desk)) for value in detail.options]
    buttons = "".join(f'<button class="move" data-say="{TELL} {k}">{label}</button>' for k, label in enumerate(labels))
    return f'<div>{question}<div class="moves">{buttons}</div></div>'


def _question(detail: Detail, desk: Desk) -> str:
    words = desk.words
    if detail.name == "move" and detail.seat == desk.viewer:
        return words.text("tell.own")
    return words.text(f"tell.{detail.name}", seat=detail.seat, n=detail.n)


def _label(detail: Detail, value: Any, desk: Desk) -> str:
    words = desk.words
    if isinstance(value, Action):
        return desk.game.say_action(value, words)
    if value is None:
        return words.text(f"tell.{detail.name}.none")
    return words.text(f"tell.word.{value}") if isinstance(value, str) else words.show(value)


def tell(desk: Desk, said: str) -> None:
    """Tells what was pressed: an option by its number, a card by its token; of several cards each is chosen first. Raises BadRequest."""
    session, detail = desk.session, asked(desk)
    if detail is None or not isinstance(session, Watched):
        raise BadRequest("error.watch.value", value=quoted(said))
    value = _value(said, detail, desk.words)
    if not detail.n:
        session.tell(value)
        return
    if value not in detail.options:
        raise BadRequest("error.watch.card", card=value)
    desk.chosen = tuple(sorted({*desk.chosen} ^ {value}))
    if len(desk.chosen) == detail.n:
        session.tell(desk.chosen)
        desk.chosen = ()


def _value(said: str, detail: Detail, words: Words) -> Any:
    """What a press or a typed text means here: the token of a card or of a move, a number, a name or a word."""
    verb, _, text = " ".join(said.split()).partition(" ")
    if verb == TELL and text.isdecimal() and int(text) < len(detail.options):
        return detail.options[int(text)]
    text = text if verb in (TELL, TYPED) else said
    if isinstance(detail.options[0], Card):
        return Card(text)
    if isinstance(detail.options[0], Action):
        named = [action for action in detail.options if str(action).upper().endswith(f" {text.upper()}") and str(action).count(" ") == 1]
        return named[0] if len(named) == 1 else Action.parse(text)
    for option in detail.options:
        if text.casefold() in {str(option).casefold(), words.show(option).casefold(), _word(option, detail, words).casefold()}:
            return option
    raise BadRequest("error.watch.value", value=quoted(said))


def _word(option: Any, detail: Detail, words: Words) -> str:
    if option is None:
        return words.text(f"tell.{detail.name}.none")
    return words.text(f"tell.word.{option}") if isinstance(option, str) else str(int(option) + isinstance(option, Seat))
