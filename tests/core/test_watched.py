"""Watched sessions: an export is read back whole, shows the same as the session did, and what cannot be is refused with its line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlab import GAMES, TEACHER, Action, BadRecord, BadRequest, Session, ask, game
from cardlab.chance.telling import Moment, Telling, seen
from cardlab.chance.watched import Watched
from cardlab.core.events import Seat, Viewer
from cardlab.core.game import AnyGame
from cardlab.testing.houses import combinations
from cardlab.words import LANGUAGES, Words

SMALL = {"suicide_king": {"players": 3}, "fight_for_the_lead": {"players": 3, "deals": 2}, "poker_marshal": {"deals": 1}}


def played(of: AnyGame, seed: int, player: str = "random") -> Session:
    session = Session(of, seed=seed)
    session.auto(player, until="game")
    return session


def viewers(of: AnyGame) -> tuple[Viewer, ...]:
    return (*of.seats, None, TEACHER)


def same(session: Session, viewer: Viewer) -> Watched:
    """Demands that a watched session shows at each step what the session shows."""
    text = session.export(viewer)
    watched = Watched.loads(text)
    assert watched.export(viewer) == text
    assert (watched.at, len(watched)) == (session.at, session.at)
    assert watched.log(viewer, "ru") == session.log(viewer, "ru")
    assert watched.outcome == session.outcome
    for n in range(0, session.at + 1, 7):
        there, here = session.branch().goto(n), watched.branch().goto(n)
        assert here.view(viewer) == there.view(viewer)
        assert here.actor == there.actor
        assert here.expects(viewer) == there.expects(viewer)
        assert here.game.phase(here.state) == there.game.phase(there.state)
        assert here.state.deal == there.state.deal
    return watched


@pytest.mark.parametrize("name", GAMES)
def test_an_export_is_read_back_for_every_viewpoint(name: str) -> None:
    for seed in range(2):
        session = played(game(name, **SMALL[name]), seed)  # type: ignore[arg-type]
        for viewer in viewers(session.game):
            same(session.goto(len(session)), viewer)
        session.goto(len(session) // 2)
        same(session, None)


@pytest.mark.parametrize("name", GAMES)
def test_under_all_house_rules(name: str) -> None:
    for n, of in enumerate(
        combinations(name, 4 if name == "poker_marshal" else 12, seed=5, **({} if name == "suicide_king" else {"deals": 2}))
    ):
        session = played(of, n)
        same(session, Seat(n % of.players))
        same(session, None)


def test_a_spectator_of_a_seats_events_and_all_of_the_teachers() -> None:
    session = played(game("poker_marshal", deals=1), 4)
    watched = Watched.loads(session.export(2))
    assert watched.viewers == (Seat(2),)
    assert watched.view(None) == session.view(None)
    with pytest.raises(BadRequest, match="one viewpoint"):
        watched.view(1)
    whole = Watched.loads(session.export(TEACHER))
    assert [whole.view(viewer) for viewer in viewers(session.game)] == [session.view(viewer) for viewer in viewers(session.game)]


def test_one_goes_along_it_as_along_a_session_and_plays_nothing() -> None:
    session = played(game("fight_for_the_lead", players=2, deals=1), 4)
    watched = Watched.loads(session.export(0)).goto(0)
    session.goto(0)
    for until in ("card", "move", "phase", "deal"):
        watched.auto(until=until)
        session.redo(until)
        assert watched.at == session.at
    watched.goto(3).undo()
    assert watched.step().after.phase == watched.game.phase(watched.state)
    watched.goto(len(watched))
    refused: list[Callable[[], Any]] = [
        watched.step, watched.auto, lambda: watched.play("play 2C"), lambda: watched.choice("random"), lambda: watched.record,
        lambda: watched.state.hands, lambda: watched.goto(len(watched) + 1),
    ]  # fmt: skip
    for attempt in refused:
        with pytest.raises(BadRequest):
            attempt()
    assert watched.legal == ()
    assert watched.at == len(watched)


def test_questions_are_answered_as_from_the_session() -> None:
    session = played(game("fight_for_the_lead", players=3, deals=1, first_dealer=0), 9)
    session.goto(14)
    watched = Watched.loads(session.export(1))
    for question in ("lead", "next_card"):
        try:
            right = ask(session, question, 1)
        except BadRequest:
            continue
        assert ask(watched.view(1), question).rows == right.rows


@pytest.mark.parametrize("name", GAMES)
def test_a_possible_world_goes_on_from_the_moment(name: str) -> None:
    session = played(game(name, **SMALL[name]), 5)  # type: ignore[arg-type]
    for at in (len(session) // 3, len(session) // 2, len(session) - 3):
        watched = Watched.loads(session.goto(at).export(1))
        worlds = [watched.world(k) for k in range(2)]
        for world in worlds:
            assert world.view(1) == session.view(1)
            assert world.actor == session.actor
            assert world.seed != session.seed
            world.auto("sensible", until="game")
            assert world.outcome is not None
        assert watched.world(0).state == worlds[0].tree.state


def test_possible_worlds_differ_in_what_is_hidden() -> None:
    session = Session(game("fight_for_the_lead", players=2, first_dealer=0), seed=4)
    while session.game.phase(session.state) == "deal":
        session.play()
    watched = Watched.loads(session.export(0))
    hands = {watched.world(k).state.hands for k in range(6)}
    assert {hand[0] for hand in hands} == {session.state.hands[0]}
    assert len(hands) > 3


# what cannot be


def lines_of(session: Session, viewer: Viewer) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session.export(viewer).splitlines()]


def text_of(lines: list[Any]) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def refused(text: str | bytes, line: int, named: str = "") -> None:
    with pytest.raises(BadRecord) as caught:
        Watched.loads(text)
    fault = caught.value
    assert fault.line == line, str(fault)
    assert named in str(fault)
    for language, start in (("en", "Line"), ("ru", "Строка")):
        said = fault.say(Words(language))
        assert said.startswith(f"{start} {line}: ")
        assert not re.search(r"[.!?]\s+[A-ZА-ЯЁ]", said), said  # one sentence


FIGHT = played(game("fight_for_the_lead", players=2, deals=1, first_dealer=0), 9)
KING = played(game("suicide_king", players=2, first_dealer=0), 9)


def test_the_header() -> None:
    right = lines_of(FIGHT.goto(5), 0)
    for change, named in [
        ({"seed": 7}, "header"), ({"viewer": 2}, "seat"),
        ({"viewer": "0"}, ""), ({"viewer": True}, ""), ({"viewer": 0.0}, ""), ({"viewer": []}, ""),
        ({"game": "whist"}, "whist"), ({"players": 9}, "FL-0"), ({"version": 2}, "version"), ({"cardlab_events": 2}, "format"),
        ({"rules": {}}, "house rules"),
    ]:  # fmt: skip
        refused(text_of([{**right[0], **change}, *right[1:]]), 1, named)
    for name in right[0]:
        refused(text_of([{key: value for key, value in right[0].items() if key != name}, *right[1:]]), 1, name)
    refused("", 1)
    refused(FIGHT.record.dumps(), 1, "cardlab_events")


def test_cut_off_at_any_line_or_byte() -> None:
    lines = lines_of(FIGHT.goto(9), 0)
    for n in range(1, len(lines)):
        refused(text_of(lines[:n]), n + 1)
    whole = text_of(lines).encode()
    for n in range(0, len(whole) - 1, 41):
        with pytest.raises(BadRecord):
            Watched.loads(whole[:n])
    refused(text_of([*lines[:4], *lines[5:]]), 5)
    refused(text_of([*lines, lines[3]]), len(lines) + 1, "follows")
    refused(text_of([*lines[:-1], {"end": len(lines) - 3}]), len(lines), "closing")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"step": 7}, "step"), ({"step": "1"}, "step"), ({"step": None}, "step"),
        ({"event": "fight.wins"}, "fight.wins"), ({"event": 3}, "no game"),
        ({"rule": None}, "kind"), ({"rule": "FL-8"}, "else"), ({"more": 1}, "names"), ({"seat": "0"}, "kind"), ({"seat": True}, "kind"),
        ({"seat": 5}, ""), ({"card": "XX"}, "kind"), ({"card": "10C"}, "kind"), ({"card": ["2C"]}, "kind"), ({"card": 3}, "kind"),
        ({"seen_by": "all"}, "kind"), ({"seen_by": [0]}, "else"),
    ],
)  # fmt: skip
def test_a_wrong_value(change: dict[str, Any], named: str) -> None:
    lines = lines_of(FIGHT.goto(9), 0)
    at = next(n for n, line in enumerate(lines) if line.get("event") == "fight.received" and line["card"] is None)
    refused(text_of([*lines[:at], {**lines[at], **change}, *lines[at + 1 :]]), at + 1, named)


def test_another_viewpoints_secret() -> None:
    lines = lines_of(FIGHT.goto(9), 0)
    at = next(n for n, line in enumerate(lines) if line.get("event") == "fight.received" and line["card"] is None)
    refused(text_of([*lines[:at], {**lines[at], "card": "2C"}, *lines[at + 1 :]]), at + 1, "not shown")
    refused(text_of([{**lines[0], "viewer": 1}, *lines[1:]]), 9, "not shown")
    public = lines_of(FIGHT, None)
    private = {"step": 9, "event": "fight.laid", "rule": "FL-4", "seen_by": [0], "seat": 0, "card": "2C"}
    at = next(n for n, line in enumerate(public) if line.get("step") == 9)
    refused(text_of([*public[:at], private, *public[at:]]), at + 1, "not shown")


def test_cards_that_cannot_be() -> None:
    """A card twice; one that the viewer holds in another's hand; a discard by who must follow suit; a bank that does not add up."""
    king = lines_of(KING.goto(len(KING)), None)
    took = [n for n, line in enumerate(king) if line.get("event") == "suicide_king.took"]
    refused(text_of([*king[: took[1]], {**king[took[1]], "card": king[took[0]]["card"]}, *king[took[1] + 1 :]]), took[1] + 1)
    fight = lines_of(FIGHT.goto(len(FIGHT)), 0)
    mine = next(line["card"] for line in fight if line.get("event") == "fight.received" and line["card"])
    theirs = next(n for n, line in enumerate(fight) if line.get("event") == "fight.played" and line["seat"] == 1)
    refused(text_of([*fight[:theirs], {**fight[theirs], "card": mine}, *fight[theirs + 1 :]]), theirs + 1)
    over = next(n for n, line in enumerate(fight) if line.get("event") == "fight.deal_over")
    refused(text_of([*fight[:over], {**fight[over], "bank": fight[over]["bank"] + 4}, *fight[over + 1 :]]), over + 1, "else")


def test_who_has_not_followed_suit_does_not_follow_it_later() -> None:
    for seed in range(60):
        session = played(game("fight_for_the_lead", players=2, deals=1, first_dealer=0), seed)
        lines = lines_of(session, None)
        plays = [n for n, line in enumerate(lines) if line.get("event") == "fight.played"]
        off = next((n for n in plays[:-2] if lines[n]["fits"] == "discards"), None)
        if off is None:
            continue
        later = next(n for n in plays if n > off and lines[n]["seat"] == lines[off]["seat"])
        shown = set(re.findall(r'"([2-9TJQKA][CDHS])"', session.export(None)))
        card = next(rank + "CDHS"[lines[off]["suit"]] for rank in "23456789TJQKA" if rank + "CDHS"[lines[off]["suit"]] not in shown)
        changed = {**lines[later], "card": card, "fits": "leads" if lines[later]["fits"] == "leads" else lines[later]["fits"]}
        with pytest.raises(BadRecord):
            Watched.loads(text_of([*lines[:later], changed, *lines[later + 1 :]]))
        return
    pytest.fail("nobody discarded early enough")


def test_the_most_steps_and_a_long_line() -> None:
    lines = lines_of(KING.goto(3), None)
    refused(text_of([lines[0], "x" * 5_000]), 2, "characters")
    refused(text_of([lines[0], "[" * 3_000]), 2, "JSON")


VALID = [session.goto(len(session)).export(viewer).encode() for session in (FIGHT, KING) for viewer in (0, None)]


def test_changed_bytes_are_refused_or_make_another_game_that_could_be() -> None:
    rng = random.Random(3)
    refusals = sum(refuses(bytes(changed(rng.choice(VALID), rng))) for _ in range(300))
    assert refusals > 250


def changed(data: bytes, rng: random.Random) -> bytearray:
    other = bytearray(data)
    for _ in range(rng.choice((1, 1, 2))):
        other[rng.randrange(len(other))] = rng.randrange(256)
    return other


def refuses(data: bytes) -> bool:
    """Whether the data are refused, in a sentence; else they are read alike when they are written anew."""
    fault = None
    try:
        watched = Watched.loads(data)
    except BadRecord as refusal:
        fault = refusal
    if fault is None:
        text = watched.export(watched.viewer)
        assert Watched.loads(text).export(watched.viewer) == text
        return False
    assert all(fault.say(Words(language)) for language in LANGUAGES)
    return True


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)))
def test_anything_at_all(data: bytes | str) -> None:
    with pytest.raises(BadRecord):
        Watched.loads(data)


# telling


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_is_what_is_seen(name: str) -> None:
    """The details of a step, and nothing else, make its events; their number is the same for all who may not know more."""
    session = played(game(name, **SMALL[name]), 8)  # type: ignore[arg-type]
    for viewer in viewers(session.game):
        moment = Moment.first(session.game, viewer)
        for step in session.steps:
            telling = Telling.of(moment, seen(step, viewer))
            again = Telling(moment, telling.told)
            assert again.detail is None
            told = again.after()
            assert told.events == seen(step, viewer)
            moment = told.after


def test_telling_is_taken_back_detail_by_detail() -> None:
    watched = Watched(game("fight_for_the_lead", players=2, first_dealer=0), None).pass_over()
    assert watched.telling.detail is not None
    assert watched.telling.detail.name == "turned"
    at = watched.at
    watched.tell(Action.parse("turn 5C").card)
    assert watched.telling.detail.seat == Seat(0)
    assert watched.at == at
    with pytest.raises(BadRequest, match="cannot come here"):
        watched.tell(Action.parse("turn 5C").card)
    watched.take_back()
    assert (watched.at, watched.telling.told) == (at, [])
    for token in ("5C", "QC", "2H"):
        watched.tell(Action.parse(f"turn {token}").card)
    assert watched.believed.view.lead == Seat(0)
    assert watched.at > at
    watched.take_back()
    assert (watched.at, watched.telling.told) == (at, [])
