"""What can be asked, and the answers."""

from __future__ import annotations

import argparse
import contextlib
import json
import textwrap
from typing import Any

from cardlab import Session, game
from cardlab.chance import QUESTIONS, Answer, Estimate, Exact, ask, fitting
from cardlab.cli.named import COLUMNS, house_of, kind, loaded
from cardlab.core.errors import BadRequest
from cardlab.desk.asked import SPECTATOR, whole
from cardlab.view.answers import basis, rows
from cardlab.words import Words
from cardlab.words.percents import decimal


def questions(chosen: argparse.Namespace) -> int:
    """Lists what can be asked about a game."""
    words = Words(chosen.language)
    for asked in QUESTIONS[kind(chosen).name].values():
        print(textwrap.fill(f"{asked.name:17} {asked.say(words)}", COLUMNS, subsequent_indent=" " * 18))
    return 0


def odds(chosen: argparse.Namespace) -> int:
    """Answers a question about a game, at its start or at a step of a record."""
    played = kind(chosen).name
    session = _recorded(chosen) if chosen.record is not None else _begun(chosen)
    seat = None if chosen.seat in (None, SPECTATOR) else whole(chosen.seat)
    question = chosen.question
    if question is None:
        fit = fitting(session.view(seat))
        if not fit:
            raise BadRequest("error.ask.nothing")
        question = fit[0].name
    given = {"seed": whole(chosen.seed), "n": whole(chosen.n), "accept": chosen.accept, "policy": chosen.policy}
    given |= {"half_width": _decimal(chosen.half_width), "seconds": _decimal(chosen.seconds)}
    answer = ask(session, question, seat, **{name: value for name, value in given.items() if value is not None})
    if chosen.json:
        head = {"game": played, "players": session.game.players, "question": question, "exact": answer.exact}
        print(json.dumps({**head, "answers": _plain_answers(answer)}, ensure_ascii=False))
        return 0
    words = Words(chosen.language)
    print(textwrap.fill(f"{QUESTIONS[played][question].say(words)} {basis(answer, words)}", COLUMNS))
    told = list(rows(session.game, answer, words))
    width = min(max((len(row.outcome) for row in told), default=0), COLUMNS - 30)
    for row in told:
        print(f"  {row.outcome:<{width}}  {_six_places(row.value, words) if answer.chances else ''}{row.said}")
    return 0


def _six_places(value: float | None, words: Words) -> str:
    """A chance with six decimals, where these do not make it look impossible or certain."""
    told = "" if value is None else decimal(value, words, 6)
    hidden = value not in (0, 1) and told.strip("0.,") in ("", "1")
    return f"{'' if hidden else told:8}  "


def _decimal(said: str | None) -> Any:
    """A number with decimals, or the words themselves, to be refused."""
    with contextlib.suppress(ValueError, TypeError):
        return float(said or "")
    return said


def _recorded(chosen: argparse.Namespace) -> Session:
    """The session of a record, at the step named, or at its end."""
    if chosen.house or chosen.players is not None or chosen.preset is not None:
        raise BadRequest("error.ask.both")
    session = Session.replay(loaded(chosen.record))
    if session.game.name != chosen.game:
        names = {"recorded": session.game, "asked": kind(chosen)()}
        raise BadRequest("error.ask.record", **names)
    return session if chosen.at is None else session.goto(whole(chosen.at))


def _begun(chosen: argparse.Namespace) -> Session:
    """A session at its start; in Suicide King without the lot, so that seat 0 takes the first card unless a dealer is named."""
    if chosen.at is not None:
        raise BadRequest("error.ask.no_record")
    house = house_of(kind(chosen), chosen.house)
    made = game(chosen.game, whole(chosen.players), chosen.preset or "default", **house)
    if chosen.game == "suicide_king" and made.rules.first_dealer == "lot":
        made = game(chosen.game, made.players, chosen.preset or "default", **{**house, "first_dealer": made.players - 1})
    return Session(made, seed=0)


def _plain_answers(answer: Answer[Any]) -> list[dict[str, Any]]:
    """Each outcome with its number, and the cases or the interval behind it."""
    plain = []
    for outcome, found in answer.numbers.items():
        row: dict[str, Any] = {"outcome": int(outcome) if isinstance(outcome, int) else str(outcome), "p": found.mean}
        if isinstance(cards := getattr(outcome, "cards", None), int):
            row["cards"] = cards
        if isinstance(found, Exact) and found.count is not None:
            row["count"] = found.count
        if isinstance(found, Estimate):
            row |= {"low": found.low, "high": found.high}
        plain.append(row)
    return plain
