"""A seat's stepper holds nothing that the seat does not know, in any widget, shown or not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import ipywidgets as w
import pytest
from watch import Watched, click, hit, markup, point, says, turn_to

from cardlab import TEACHER, Card, IllegalAction, Scripted, Session, game
from cardlab.cards import CARDS
from cardlab.core.game import Action
from cardlab.words import LANGUAGES, Words

GAMES: dict[str, dict[str, Any]] = {
    "fight_for_the_lead": {"players": 4, "deals": 2},
    "poker_marshal": {"deals": 1},
}
SEATS = (0, 3)
MOST = 100  # steps: past the swaps and offers of Poker Marshal, past the fight and the exchanges of Fight for the Lead


def renamed(action: Action, names: dict[Card, Card]) -> Action:
    """The same action with two cards' names exchanged."""
    return Action(action.verb, tuple(sorted(names.get(card, card) for card in action.cards)), action.number)


def unknown(session: Session, seat: int) -> list[Card]:
    """The cards that a seat has not been shown so far."""
    told = session.export(seat)
    return [card for card in CARDS if not re.search(rf'"{card}"|\b{card}\b', told)]


def played(name: str, seed: int) -> Session:
    """A whole game of chance and random moves, then replayed without its seed."""
    source = Session(game(name, **GAMES[name]), seed=seed)
    source.auto("random", until="game")
    return replayed(source, {})


def replayed(source: Session, names: dict[Card, Card]) -> Session:
    """The same game with two cards exchanged, as far as that is legal."""
    session = Session(source.game, dealer=Scripted([], fill=True))
    for moment in source.line[1:]:
        assert moment.step is not None
        try:
            session.play(renamed(moment.step.action, names))
        except IllegalAction:
            break
    return session


def twins(name: str, seed: int, seat: int) -> Iterator[tuple[Session, Session, int, tuple[Card, Card]]]:
    """Pairs of games that differ in two cards not shown to the seat up to a step."""
    source = played(name, seed)
    rng = random.Random(f"{name} {seed} {seat}")
    until = rng.randint(30, min(MOST, len(source)))
    source.goto(until)
    cards = unknown(source, seat)
    rng.shuffle(cards)
    for one, other in zip(cards[::2], cards[1::2], strict=False):
        twin = replayed(source, {one: other, other: one})
        if len(twin) >= until:
            yield source, twin, until, (one, other)


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("seat", SEATS)
def test_the_widgets_are_equal_for_games_that_differ_in_hidden_cards(name: str, seat: int) -> None:
    tried = 0
    for seed in range(2):
        for source, twin, until, _ in islice(twins(name, seed, seat), 2):
            one, other = line_up(source, until, seat), line_up(twin, until, seat)
            for n in range(until, 0, -9):
                for watched in (one, other):
                    turn_to(watched.stepper.slider, value=n)
                assert one.state() == other.state(), (name, seed, seat, n)
                for watched in (one, other):
                    point(watched.stepper.log, n // 2)
                assert one.state() == other.state(), (name, seed, seat, n)
                assert "data-peek" in markup(one.stepper.table) or n < 2
            tried += 1
    assert tried >= 2


def line_up(session: Session, until: int, seat: int) -> Watched:
    """A seat's stepper with the game up to a step."""
    cut = Session(session.game, dealer=Scripted([], fill=True))
    for moment in session.line[1 : until + 1]:
        assert moment.step is not None
        cut.play(moment.step.action)
    return Watched(cut, seat=seat, language="en")


@pytest.mark.parametrize("name", list(GAMES))
def test_the_teachers_widgets_do_differ(name: str) -> None:
    """The comparison can fail: for the teacher the same pairs are not equal."""
    differing = 0
    for source, twin, until, _ in islice(twins(name, 1, 2), 3):
        one, other = (Watched(session.goto(until), seat=TEACHER, language="en") for session in (source, twin))
        differing += one.state() != other.state()
    assert differing > 0


def card_names(card: Card) -> str:
    """A pattern of all names of a card: its token, and how both languages show it."""
    shown = [re.escape(card.display(Words(language))) for language in LANGUAGES]
    return "|".join((rf"\b{card.token}\b", *(rf"(?<!\w){name}" for name in shown)))


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("viewpoint", ["0", "spectator"])
def test_after_the_teacher_the_state_forgets(name: str, viewpoint: str) -> None:
    seed = 20_261_130
    for steps in (22, 34, 40, 47):
        watched = Watched(name, seed=seed, language="en", **GAMES[name])
        stepper = watched.stepper
        for _ in range(steps):
            stepper.buttons["step"].click()
        assert str(seed) in watched.state()
        stepper.inputs["viewpoint"].value = viewpoint
        seat = None if viewpoint == "spectator" else 0
        fresh = Watched(stepper.session, seat=seat, language="en")
        assert shown_state(watched) == shown_state(fresh)
        state = watched.state()
        assert str(seed) not in state  # a seed tells every card
        hands = [card for hand in stepper.session.state.hands for card in hand]
        expected = {card for action in stepper.session.expects(seat) or () for card in action.cards}
        own = {card for action in stepper.session.legal for card in action.cards} if stepper.session.actor == seat else set()
        hidden = [card for card in unknown(stepper.session, 0) if card in hands and card not in expected | own]
        assert hidden or expected or own
        for card in hidden:
            assert not re.search(card_names(card), state), card


PANE = ("lines", "mark", "now", "titles", "label", "said", "peeked", "keyed")


def shown_state(watched: Watched) -> list[Any]:
    """The values of all widgets, whatever their models are called."""
    kept = [made for made in watched.widgets if not isinstance(made, (w.Layout, w.Style))]
    names = ("value", "description", "options", "_options_labels", "disabled", "tooltip", "max", "titles", "index", *PANE)
    return [{key: value for key, value in made.get_state().items() if key in names} for made in kept]


@pytest.mark.parametrize("name", list(GAMES))
def test_what_was_clicked_pointed_at_and_pressed_is_forgotten_with_the_viewpoint(name: str) -> None:
    """Each of the three is told while another looks, and none of it is in the state of the next viewpoint."""
    watched = Watched(name, seed=20_261_130, language="en", **GAMES[name])
    stepper = watched.stepper
    while not any(said.split()[0] in ("fight", "lay", "choose") for said in says(stepper.table)):
        hit(stepper.table, "ArrowRight")
    said = says(stepper.table)[0]
    click(stepper.table, said)
    click(stepper.log, "go-5")
    point(stepper.log, 3)
    told = [watched.stepper.table.said, watched.stepper.table.keyed, watched.stepper.log.said, watched.stepper.log.peeked]
    assert all(told)
    assert said in watched.state()
    turn_to(stepper.inputs["viewpoint"], index=1)
    for pane in (stepper.table, stepper.log):
        assert (pane.said, pane.keyed, pane.peeked) == ({}, {}, "")
    assert said not in watched.state()
    assert shown_state(watched) == shown_state(Watched(stepper.session, seat=None, language="en"))


@pytest.mark.parametrize("name", [*GAMES, "suicide_king"])
@pytest.mark.parametrize("viewpoint", [0, None])
def test_a_seat_or_a_spectator_is_never_told_the_seed(name: str, viewpoint: int | None) -> None:
    seed = 9_182_736_455
    watched = Watched(name, seed=seed, seat=viewpoint)
    for _ in range(10):
        watched.stepper.buttons["step"].click()
        assert str(seed) not in watched.state()
    watched.stepper.inputs["seed"].value = str(seed)
    watched.stepper.buttons["new"].click()
    assert watched.stepper.session.seed == seed
    assert str(seed) not in watched.state()


@pytest.mark.parametrize("name", list(GAMES))
def test_no_message_to_the_browser_tells_more(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is sent while a seat's game goes on: table and log name no card that the seat has not been shown."""
    watched = Watched(name, seed=5, seat=3, language="en", **GAMES[name])
    stepper = watched.stepper
    sent: list[str] = []
    send = w.Widget._send
    secret = (stepper.table, stepper.log, stepper.widgets.strip, stepper.widgets.ticks, stepper.widgets.of)
    names = {made.model_id for made in secret}

    def record(widget: w.Widget, message: Any, buffers: Any = None) -> None:
        if widget.comm is not None and widget.model_id in names:
            sent.append(str(message))
        send(widget, message, buffers)

    monkeypatch.setattr(w.Widget, "_send", record)
    by_name = {card.display(Words("en")): card for card in CARDS}
    told = 0
    while not stepper.desk.over:
        stepper.buttons["step"].click()
        point(stepper.log, stepper.desk.at // 2)
        point(stepper.log, None)
        named = {by_name[name] for message in sent for name in re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]\uFE0E", message)}
        named |= {Card(name) for message in sent for name in re.findall(r"#cl-[fs]-([2-9TJQKA][CDHS])", message)}
        assert not named & set(unknown(stepper.session, 3)), stepper.desk.at
        told = max(told, len(named))
        sent.clear()
    assert told > 10
