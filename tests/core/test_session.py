"""Sessions: playing, refusing, going back and elsewhere, paces, views, log, export, record and the computer players' choices."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from cardlab import CHANCE, GAMES, OVER, TEACHER, Action, BadRequest, IllegalAction, Scripted, Seat, Session, game
from cardlab.cards import CARDS, Card
from cardlab.core.dealer import NoDealer
from cardlab.core.errors import NothingToDeal
from cardlab.core.events import Viewer
from cardlab.core.session import PACES
from cardlab.testing import strategies

HOUSE: dict[str, dict[str, Any]] = {"suicide_king": {}, "fight_for_the_lead": {"deals": 2}, "poker_marshal": {"deals": 2}}


def session_of(name: str, seed: int = 7, **house: Any) -> Session:
    return Session(game(name, **HOUSE[name] | house), seed=seed)


def finished(name: str, seed: int = 7) -> Session:
    session = session_of(name, seed)
    session.auto("random", until="game")
    return session


def viewers(session: Session) -> tuple[Viewer, ...]:
    return (*session.game.seats, None, TEACHER)


def glance(session: Session) -> dict[str, Any]:
    """All that a session shows."""
    return {
        "at": session.at,
        "length": len(session),
        "actor": session.actor,
        "state": session.state,
        "legal": session.legal,
        "record": session.record,
        "views": [session.view(viewer) for viewer in viewers(session)],
        "exports": [session.export(viewer) for viewer in viewers(session)],
        "expects": [session.expects(viewer) for viewer in viewers(session)],
    }


# playing


def test_a_step_by_token_by_action_and_by_the_dealer() -> None:
    by_token, by_action = session_of("suicide_king", first_dealer=0), session_of("suicide_king", first_dealer=0)
    for session, action in ((by_token, "take 2"), (by_action, Action("take", number=2))):
        session.play()
        step = session.play(action)
        assert step.action == Action("take", number=2)
        assert step.after == session.state
        session.play()
    assert glance(by_token) == glance(by_action)
    by_token.play(str(by_token.legal[0]))
    named = by_token.play("card KH").action if Card("KH") in by_token.state.unseen else by_token.play().action
    assert named == by_token.steps[-1].action


def test_chance_takes_a_named_outcome_instead_of_the_dealers() -> None:
    session = session_of("suicide_king", first_dealer=0)
    session.play()
    session.play("take 0")
    dealt = session.branch().play().action
    other = next(action for action in session.game.draw(session.state).options if action != dealt)
    assert session.play(str(other)).action == other
    session.auto("random", until="game")
    assert session.outcome is not None


def test_the_game_ends_and_says_how() -> None:
    session = session_of("suicide_king")
    assert session.outcome is None
    session.auto("random", until="game")
    assert session.actor is OVER
    assert session.legal == ()
    assert session.outcome is not None
    assert session.outcome.reason == "last_player"
    assert sorted(seat for group in session.outcome.standing for seat in group) == [0, 1, 2, 3]


REFUSED: list[tuple[str, Any, type[Exception]]] = [
    ("suicide_king", "take 5", IllegalAction),
    ("suicide_king", "take", IllegalAction),
    ("suicide_king", "card KH", IllegalAction),
    ("suicide_king", "fight KH", IllegalAction),
    ("suicide_king", Action("take", number=-1), IllegalAction),
    ("suicide_king", None, BadRequest),
    ("suicide_king", "", BadRequest),
    ("suicide_king", "TAKE 1", BadRequest),
    ("suicide_king", "take  1", BadRequest),
    ("suicide_king", "take 1\n", BadRequest),
    ("suicide_king", "take " + "1" * 100, BadRequest),
    ("suicide_king", 3, BadRequest),
    ("suicide_king", b"take 1", BadRequest),
    ("fight_for_the_lead", "play 2C", IllegalAction),
    ("fight_for_the_lead", "fight", IllegalAction),
    ("fight_for_the_lead", "fight JK1", IllegalAction),
    ("poker_marshal", "lay JK1", IllegalAction),
    ("poker_marshal", "redraw", IllegalAction),
]


@pytest.mark.parametrize(("name", "action", "kind"), REFUSED)
def test_what_is_refused_leaves_everything_unchanged(name: str, action: Any, kind: type[Exception]) -> None:
    session = session_of(name)
    while session.actor is CHANCE:
        session.play()
    session.step("still")
    session.undo()  # so that there is something to redo, too
    before, children = glance(session), dict(session.cursor.children)
    with pytest.raises(kind):
        session.play(action)
    assert glance(session) == before
    assert session.cursor.children == children
    session.redo()
    assert session.at == before["at"] + 1


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_played_after_the_end(name: str) -> None:
    session = finished(name)
    before = glance(session)
    with pytest.raises(BadRequest):
        session.play()
    with pytest.raises(IllegalAction):
        session.play(session.steps[-1].action)
    with pytest.raises(BadRequest):
        session.choice("random")
    assert session.auto("random", until="card") == []
    assert glance(session) == before


def test_wrong_wishes_are_refused_in_a_sentence_of_each_language() -> None:
    from cardlab.words import Words

    session = finished("suicide_king")
    wishes: list[Callable[[], Any]] = [
        lambda: session.goto(-1),
        lambda: session.goto(len(session) + 1),
        lambda: session.goto(True),
        lambda: session.goto("3"),  # type: ignore[arg-type]
        lambda: session.view(4),  # type: ignore[arg-type]
        lambda: session.view("pupil"),  # type: ignore[arg-type]
        lambda: session.view(True),  # type: ignore[arg-type]
        lambda: session.auto("genius"),
        lambda: session.auto("random", until="trick"),
        lambda: session.auto({0: "random"}),
        lambda: Session(session.game, seed=-1),
        lambda: Session(session.game, seed=2**64),
        lambda: Session(session.game, seed=1.0),  # type: ignore[arg-type]
        lambda: Session(session.game, seed=1, index=True),
    ]
    at = session.at
    for wish in wishes:
        with pytest.raises(BadRequest) as refusal:
            wish()
        for language in ("en", "ru"):
            assert refusal.value.say(Words(language)).strip()
        assert session.at == at


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(LookupError):
        finished("suicide_king").log(None, "de")


def test_a_script_that_ends_or_does_not_fit_changes_nothing() -> None:
    session = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted(["5S", "5S"]))
    session.play()
    session.play("take 0")
    session.play()
    session.play("take 0")
    before = glance(session)
    with pytest.raises(NothingToDeal, match="5S"):  # it has been taken
        session.play()
    assert glance(session) == before
    session.play("card 6S")
    session.play("take 0")
    with pytest.raises(NothingToDeal):
        session.play()
    with pytest.raises(NothingToDeal):
        Session(game("suicide_king"), dealer=NoDealer()).play()


# going back and elsewhere


@pytest.mark.parametrize("name", GAMES)
def test_undo_redo_and_goto_show_the_same_moment(name: str) -> None:
    session = session_of(name)
    seen = [glance(session)]
    for _ in range(60):
        session.step("random")
        seen.append(glance(session))
    last = len(seen) - 1
    for n in range(last - 1, -1, -1):
        session.undo()
        assert {**glance(session), "length": n} == seen[n]
    assert session.undo().at == 0
    for n in range(1, last + 1):
        session.redo()
        assert {**glance(session), "length": n} == seen[n]
    assert session.redo().at == last
    for n in (40, 3, 59, 0, 17):
        assert {**glance(session.goto(n)), "length": n} == seen[n]


def test_another_move_ends_what_could_be_redone_and_the_same_move_does_not() -> None:
    session = session_of("suicide_king", first_dealer=0)
    for action in (None, "take 0", None, "take 1", None):
        session.play(action)
    session.goto(3)
    session.play("take 1")
    assert (session.at, len(session)) == (4, 5)
    session.undo().play("take 2")
    assert (session.at, len(session)) == (4, 4)
    assert {str(action) for action in session.undo().cursor.children} == {"take 1", "take 2"}


def test_the_tree_keeps_what_was_tried() -> None:
    session = session_of("suicide_king", first_dealer=0)
    session.play()
    for pile in range(5):
        session.play(f"take {pile}")
        session.play()
        session.goto(1)
    shuffled = session.tree.children[Action("shuffle")]
    assert [str(action) for action in shuffled.children] == [f"take {pile}" for pile in range(5)]
    assert all(child.parent is shuffled and len(child.children) == 1 for child in shuffled.children.values())
    assert session.line[0].step is None


def test_a_branch_shares_the_tree_and_moves_nobody_else() -> None:
    session = session_of("fight_for_the_lead")
    session.auto("random", until="deal")
    session.goto(30)
    before = glance(session)
    branch = session.branch()
    assert {**glance(branch), "length": before["length"]} == before
    assert branch.tree is session.tree
    branch.auto("random", until="game")
    branch.goto(12)
    branch.auto("still", until="deal")
    assert glance(session) == before
    session.goto(5)
    session.undo()
    assert branch.at > 12
    assert session.redo().at == 5


def test_a_branch_gets_the_same_cards() -> None:
    session = session_of("poker_marshal")
    session.auto("random", until="phase")
    session.step("random")
    branch = session.branch()
    assert [step.action for step in branch.auto("random", until="game")] == [step.action for step in session.auto("random", until="game")]


@pytest.mark.parametrize("name", GAMES)
def test_undo_and_playing_on_deals_the_same_cards(name: str) -> None:
    """Case 16: across the next deal, a title draw, a redraw and a new stock."""
    once, again = finished(name, seed=23), session_of(name, seed=23)
    for n, step in enumerate(once.steps, 1):
        again.play(step.action if isinstance(again.actor, Seat) else None)
        if n % 9 == 0:
            again.goto(max(0, n - 25))
            while again.at < n:
                again.play(once.steps[again.at].action if isinstance(again.actor, Seat) else None)
        assert again.steps[-1] == step
    assert again.record == once.record


# paces


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("pace", PACES)
def test_every_pace_comes_to_the_end_and_goes_on_at_every_call(name: str, pace: str) -> None:
    session, calls = session_of(name), 0
    while session.actor is not OVER:
        at = session.at
        steps = session.auto("random", until=pace)
        assert len(steps) == session.at - at > 0
        calls += 1
    assert session.record == finished(name).record
    counts = {"card": len(session), "game": 1, "deal": session.steps[-1].before.deal + 1}
    assert calls == counts.get(pace, calls)
    assert pace == "game" or counts["deal"] <= calls <= counts["card"]


@pytest.mark.parametrize("name", GAMES)
def test_a_phase_ends_where_the_next_one_begins(name: str) -> None:
    session = session_of(name)
    while session.actor is not OVER:
        phase, deal = session.game.phase(session.state), session.state.deal
        steps = session.auto("random", until="phase")
        assert {(session.game.phase(step.before), step.before.deal) for step in steps} == {(phase, deal)}
        assert (session.game.phase(session.state), session.state.deal) != (phase, deal)


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_ends_where_the_next_one_begins(name: str) -> None:
    session, deal = session_of(name), 0
    while session.actor is not OVER:
        steps = session.auto("random", until="deal")
        assert {step.before.deal for step in steps} == {deal}
        deal += 1
        assert session.actor is OVER or session.state.deal == deal


def test_a_move_in_suicide_king_is_a_whole_turn() -> None:
    """Q K 5 8 9: seat 1 takes five cards, and then seat 2 is to move."""
    session = Session(game("suicide_king", first_dealer=0), dealer=Scripted("QC KC 5C 8C 9C 2C", fill=True))
    session.auto("still", until="phase")
    assert session.actor == 1
    steps = session.auto("still", until="move")
    assert [str(step.action.card) for step in steps if step.action.verb == "card"] == ["QC", "KC", "5C", "8C", "9C"]
    assert session.actor == 2


@pytest.mark.parametrize("name", GAMES)
def test_a_move_ends_before_somebody_elses(name: str) -> None:
    """No call of this pace lets two seats act, unless a phase or a deal has passed between them."""
    session = session_of(name)
    while session.actor is not OVER:
        steps = session.auto("random", until="move")
        acting = {(session.game.actor(step.before), step.before.deal) for step in steps if session.game.actor(step.before) is not CHANCE}
        assert len(acting) <= 1


# views, log, export, record


@pytest.mark.parametrize("name", GAMES)
def test_views_after_an_undo_are_the_earlier_views_byte_for_byte(name: str) -> None:
    """Case 14: nothing that was seen later stays in what is shown earlier."""
    session = session_of(name, seed=29)
    shown: list[list[str]] = []

    def texts() -> list[str]:
        logs = [str(session.log(viewer, language)) for viewer in viewers(session) for language in ("en", "ru")]
        return [repr(session.view(viewer)) for viewer in viewers(session)] + [session.export(viewer) for viewer in viewers(session)] + logs

    shown.append(texts())
    for _ in range(45):
        session.step("random")
        shown.append(texts())
    for n in range(44, -1, -3):
        assert session.goto(n) is session
        assert texts() == shown[n]
    fresh = Session.replay(session.goto(45).record)
    assert [repr(fresh.view(viewer)) for viewer in viewers(fresh)] == shown[45][: len(viewers(fresh))]


@settings(max_examples=25, deadline=None)
@given(strategies.moments(deals=2))
def test_no_view_holds_what_is_not_shown(session: Session) -> None:
    """The record, the seed and the state are nowhere in a seat's export; every event in it is what that seat was shown."""
    for viewer in (*session.game.seats, None):
        header, *lines, end = map(json.loads, session.export(viewer).splitlines())
        assert end == {"end": len(lines)}
        assert header["viewer"] == viewer
        assert "seed" not in header
        assert "index" not in header
        assert len(lines) == sum(1 for _ in session.events(viewer))
        for line, (n, _, event) in zip(lines, session.events(viewer), strict=True):
            assert (line["step"], line["event"], line["rule"]) == (n, event.key, event.rule)


def test_the_export_of_a_seat_hides_the_others_cards_and_the_teachers_does_not() -> None:
    session = Session(game("fight_for_the_lead", players=2, first_dealer=0), dealer=Scripted("2C 3D 4C 5D 6C 7D 8C 9D", fill=True))
    session.auto("still", until="phase")
    assert session.game.phase(session.state) == "fight"
    cards = {
        viewer: set(json.dumps(session.export(viewer)).split('\\"')) & {str(card) for card in CARDS} for viewer in (0, 1, None, TEACHER)
    }
    assert cards[0] == {"3D", "5D", "7D", "9D"}
    assert cards[1] == {"2C", "4C", "6C", "8C"}
    assert cards[None] == set()
    assert cards[TEACHER] == cards[0] | cards[1]


def test_the_export_holds_no_seed() -> None:
    seed = 1_234_567_890_123
    session = Session(game("poker_marshal", deals=1), seed=seed, index=4_321_987)
    session.auto("random", until="game")
    for viewer in viewers(session):
        assert str(seed) not in session.export(viewer)
        assert "4321987" not in session.export(viewer)
    assert session.record.seed == seed
    assert session.record.index == 4_321_987


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", GAMES)
def test_a_row_of_the_log_for_every_event_that_is_told(name: str, language: str) -> None:
    session = finished(name)
    for viewer in viewers(session):
        rows = session.log(viewer, language)
        told = [(n, event) for n, _, event in session.events(viewer) if not event.silent]
        assert [(row.step, row.event, row.rule) for row in rows] == [(n, event, event.rule) for n, event in told]
        assert all(row.text.strip() for row in rows)
        assert all(row.deal == session.line[row.step - 1].state.deal for row in rows)
        assert {row.phase for row in rows} <= set(session.game.phases)
        assert [row.step for row in rows] == sorted(row.step for row in rows)


def test_the_log_goes_as_far_as_one_stands_and_names_the_players() -> None:
    session = finished("suicide_king")
    whole = session.log()
    session.goto(20)
    assert session.log() == [row for row in whole if row.step <= 20]
    names = ("Anna", "Boris", "Clara", "Denis")
    assert any("Boris" in row.text for row in session.goto(len(session)).log(None, "ru", names))


def test_without_a_seed_one_is_drawn_and_recorded() -> None:
    sessions = [Session(game("suicide_king")) for _ in range(8)]
    assert len({session.seed for session in sessions}) > 1
    first = sessions[0]
    first.auto("random", until="game")
    assert first.record.seed == first.seed
    assert type(first.seed) is int
    again = Session(game("suicide_king"), seed=first.record.seed)
    again.auto("random", until="game")
    assert again.record == first.record


def test_a_scripted_game_records_no_seed() -> None:
    session = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted(["KH"]))
    for action in (None, "take 0", None):
        session.play(action)
    assert session.record.seed is None
    assert session.record.session().outcome == session.outcome


def test_a_record_of_a_part_is_that_part() -> None:
    session = finished("poker_marshal")
    session.goto(33)
    assert len(session.record.actions) == 33
    replayed = session.record.session()
    assert replayed.state == session.state
    assert [step.action for step in replayed.auto("random", until="game")] == [m.step.action for m in session.line[34:] if m.step]


# the computer players' choices


@pytest.mark.parametrize("player", ["still", "random", "sensible"])
@pytest.mark.parametrize("name", GAMES)
def test_thinking_twice_changes_nothing(name: str, player: str) -> None:
    session = session_of(name)
    for _ in range(70):
        if isinstance(session.actor, Seat):
            before = glance(session)
            chosen = session.choice(player)
            assert chosen in session.legal
            assert session.choice(player) == chosen
            assert glance(session) == before
            assert session.branch().choice(player) == chosen
        if session.actor is OVER:
            break
        session.step(player)


@pytest.mark.parametrize("player", ["still", "random", "sensible"])
def test_a_choice_depends_on_nothing_hidden(player: str) -> None:
    """Seat 0 holds the same four cards, the other seat and the stock others: the same fight card, exchange and play."""
    choices = set()
    for others in ("2C 4C 6C 8C", "2S JS QS KS", "TD QD KD AD"):
        script = [card for pair in zip(others.split(), ("3D", "5H", "7S", "9C"), strict=True) for card in pair]
        session = Session(game("fight_for_the_lead", players=2, first_dealer=0), dealer=Scripted([*script], fill=True))
        session.auto("still", until="phase")
        assert session.actor == 0
        choices.add(session.choice(player))
    assert len(choices) == 1


@pytest.mark.parametrize("player", ["still", "random", "sensible"])
def test_an_answer_depends_on_the_own_hand_alone(player: str) -> None:
    """Asked for a card that the seat does not hold: the same silence, whoever holds it."""
    answers = set()
    pack = [card for card in CARDS if str(card) not in ("2S", "JK1", "JK2")]
    for holder in (24, 30):  # the Bandit's last card, or a card of the stock
        titles = ["AC", "KC", "QC", "JC", "TC"]
        dealt = [*pack[:holder], Card("2S"), *pack[holder:]]
        session = Session(game("poker_marshal", deals=1), dealer=Scripted([*titles, *map(str, dealt[:25])], fill=True))
        while not isinstance(session.actor, Seat):
            session.play()
        for action in ("enough", "enough", "ask 2S"):
            session.play(action)
        session.play(session.legal[0])
        assert session.actor == 0
        answers.add((session.choice(player), session.legal))
    assert answers == {(Action("silent"), (Action("silent"),))}


def test_players_may_differ_by_seat() -> None:
    session = session_of("fight_for_the_lead", players=3)
    mixed = {0: "still", 1: "random", 2: "still"}
    session.auto(mixed, until="game")
    for step in session.steps:
        actor = session.game.actor(step.before)
        if isinstance(actor, Seat) and mixed[actor] == "still":
            assert step.action.verb not in ("exchange", "refuse")
    assert any(step.action.verb == "exchange" for step in session.steps)


def test_an_own_player_is_given_view_and_legal_moves() -> None:
    seen = []

    class Own:
        def choose(self, game: Any, view: Any, legal: Any, below: Any) -> Action:
            seen.append((view.viewer, legal, below(len(legal))))
            return legal[-1]  # type: ignore[no-any-return]

    session = session_of("suicide_king")
    session.auto(Own(), until="deal")
    chosen = [step for step in session.steps if step.action.verb == "take"]
    assert [viewer for viewer, _, _ in seen] == [session.game.actor(step.before) for step in chosen]
    assert all(step.action == legal[-1] and 0 <= below < len(legal) for step, (_, legal, below) in zip(chosen, seen, strict=True))


def test_a_session_says_what_it_is() -> None:
    session = session_of("suicide_king")
    session.play()
    assert repr(session) == "<Session game('suicide_king', players=4) seed=7, index=0 step 1 of 1>"


def test_a_step_too_large_to_write_is_refused_like_any_other() -> None:
    session = Session(game("suicide_king"), seed=7)
    with pytest.raises(BadRequest):
        session.goto(10**5000)  # Python writes no number of more than 4,300 digits
    assert session.at == 0
