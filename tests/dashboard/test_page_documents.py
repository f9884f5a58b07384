"""What the browser is given: nothing that the viewpoint does not know, and nothing that another viewpoint knew before."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from bokeh.document import Document
from page_tools import screen_of, written
from panel.io.state import set_curdoc

from cardlab import Scripted, Session, game
from cardlab.core.events import TEACHER, Seat, Viewer
from cardlab.core.game import CHANCE
from cardlab.dashboard.address import Look
from cardlab.dashboard.screen import Screen
from cardlab.desk import Desk, lines
from cardlab.view import svg

SEED = 9_876_543_210_123_456_789
TITLES = "AS KS QS JS 9S"  # Anna is Marshal, Boris Deputy, and so on
ANNA = "2C 3C 4C 5C 6C 7C 8C"
OTHERS = ["2D", "3D", "4D", "5D", "6D", "7D", "2H", "3H", "4H", "5H", "6H", "2S", "3S", "4S", "5S", "KH", "KD", "KC"]


def marshal(others: list[str], viewer: Viewer = None) -> Desk:
    """Poker Marshal with Anna's hand fixed and the other hands as named."""
    desk = Desk("poker_marshal", seat=viewer)
    desk.session = Session(game("poker_marshal"), dealer=Scripted(" ".join((TITLES, ANNA, *others)), fill=True))
    while desk.session.actor is CHANCE:
        desk.session.play()
    return desk


def fight(others: list[str], viewer: Viewer = None) -> Desk:
    """Fight for the Lead with two players: Anna's hand fixed, Boris's as named."""
    hands = [card for pair in zip(["2C", "3C", "4C", "5C"], others[:4], strict=True) for card in pair]
    desk = Desk("fight_for_the_lead", 2, seat=viewer)
    desk.session = Session(game("fight_for_the_lead", players=2, first_dealer=1), dealer=Scripted(" ".join(hands), fill=True))
    while desk.session.actor is CHANCE:
        desk.session.play()
    return desk


Made = Callable[[list[str], Viewer], Desk]


def two(made: Made, viewer: Viewer) -> list[tuple[Screen, Document]]:
    """Two games that differ only in cards that neither Anna nor a spectator has seen."""
    return [screen_of(made(cards, viewer)) for cards in (OTHERS, OTHERS[::-1])]


def look(screen: Screen, document: Document, viewer: str) -> None:
    """Another viewpoint, as a press on its name takes it."""
    with set_curdoc(document):
        screen.widgets.viewpoints[0].value = viewer


@pytest.mark.parametrize("made", [marshal, fight])
@pytest.mark.parametrize("viewer", [Seat(0), None])
def test_games_that_differ_in_hidden_cards_give_equal_documents(made: Made, viewer: Viewer) -> None:
    (_, one), (_, other) = two(made, viewer)
    assert written(one) == written(other)


@pytest.mark.parametrize("made", [marshal, fight])
def test_the_teachers_documents_differ(made: Made) -> None:
    (_, one), (_, other) = two(made, TEACHER)
    assert written(one) != written(other)


@pytest.mark.parametrize("made", [marshal, fight])
@pytest.mark.parametrize("viewer", ["0", "spectator"])
def test_after_the_teacher_the_document_forgets(made: Made, viewer: str) -> None:
    seen = two(made, TEACHER)
    for screen, document in seen:
        look(screen, document, viewer)
    (_, one), (_, other) = seen
    assert written(one) == written(other)


@pytest.mark.parametrize(("made", "viewer"), [(marshal, Seat(0)), (fight, None)])
def test_previews_of_earlier_moments_are_equal_too(made: Made, viewer: Viewer) -> None:
    seen = two(made, viewer)
    for step in range(seen[0][0].desk.at):
        for screen, document in seen:
            with set_curdoc(document):
                screen._said("peek", str(step))
        (_, one), (_, other) = seen
        assert written(one) == written(other), step


@pytest.mark.parametrize("made", [marshal, fight])
def test_a_planted_leak_is_found(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces that a style sheet covers are in the document all the same."""
    honest = lines.table

    def leaking(desk: Desk, narrow: bool = False) -> list[str]:
        whole = svg(desk.game, desk.session.view(TEACHER), desk.words)
        return [*honest(desk, narrow), f'<div style="display:none">{whole}</div>']

    monkeypatch.setattr(lines, "table", leaking)
    (_, one), (_, other) = two(made, None)
    assert written(one) != written(other)


def test_the_cards_that_the_teacher_may_name_are_forgotten_too() -> None:
    desk = Desk("poker_marshal", seed=1)
    while not ((offer := desk.offer()) and len(offer.picks) > 20):
        desk.step()
    screen, document = screen_of(desk)
    said, given = [f'data-say=\\"{action}\\"' for action in offer.picks], written(document)
    assert all(token in given for token in said)
    look(screen, document, "spectator")
    given = written(document)
    assert not [token for token in said if token in given]


@pytest.mark.parametrize("left", ["viewpoint", "game"])
def test_what_was_saved_shared_or_opened_is_forgotten(left: str) -> None:
    """A file and a link tell all that their viewpoint knew: the teacher's are not in the document of a seat, nor of another game."""
    desk = Desk("fight_for_the_lead", players=3, seed=7).step().step()
    record = desk.session.record.dumps()
    screen, document = screen_of(desk)
    with set_curdoc(document):
        widgets = screen.widgets
        widgets.sharing.file.opened = {"text": record, "n": 1}
        screen._said("under", "save jsonl game")
        screen._press("share")
        screen._press("save_link")
        opened = json.dumps(record.splitlines()[0][:40])[1:-1]
        assert opened not in written(document)  # it is a game on the desk already
        told = [widgets.under.file["data"], widgets.sharing.link.text, widgets.sharing.about.file["data"]]
        assert [part for part in told if part not in written(document)] == []
        screen._press("unshare")
        if left == "viewpoint":
            screen._change("viewpoint", "1")
        else:
            screen._change("game", "poker_marshal")
        assert [part for part in told if part in written(document)] == []


def test_what_is_chosen_is_forgotten_with_the_viewpoint() -> None:
    desk = Desk("fight_for_the_lead", seed=5)
    while not ((offer := desk.offer()) and any(said.startswith("choose ") for said in offer.says.values())):
        desk.step()
    screen, document = screen_of(desk)
    with set_curdoc(document):
        screen._said("table", next(said for said in offer.says.values() if said.startswith("choose ")))
    (card,) = desk.chosen
    assert str(card) in screen.widgets.table.mark
    look(screen, document, "spectator")
    assert not desk.chosen
    assert str(card) not in screen.widgets.table.mark


def test_covered_odds_are_not_in_the_document() -> None:
    desk = Desk("fight_for_the_lead", 2, seed=1)
    while not len(desk.chances()) > 40:
        desk.step()
    screen, document = screen_of(desk, look=Look(projector=True))
    exact = str(desk.odds()[0].p)
    assert exact not in written(document)
    with set_curdoc(document):
        screen._press("odds")
    assert exact in written(document)
    with set_curdoc(document):
        screen._press("step")
    assert exact not in written(document)


@pytest.mark.parametrize("name", ["suicide_king", "fight_for_the_lead", "poker_marshal"])
def test_a_seed_is_the_teachers(name: str) -> None:
    screen, document = screen_of(Desk(name, seed=SEED))
    with set_curdoc(document):
        screen.setup.seed.value = str(SEED)
    assert str(SEED) in written(document)
    for viewer in ("0", "spectator"):
        look(screen, document, viewer)
        assert str(SEED) not in written(document)
        assert "seed" not in screen.widgets.browser.address
    look(screen, document, TEACHER)
    assert str(SEED) in written(document)


def test_a_seat_never_gets_the_chances_that_the_teacher_sees() -> None:
    desk = Desk("fight_for_the_lead", 2, seed=1)
    while not len(desk.chances()) > 40:
        desk.step()
    screen, document = screen_of(desk)
    assert "1/51" in written(document) or "1/52" in written(document)
    receiver = next(seat for seat in desk.game.seats if len(desk.set_viewer(seat).chances()) == 1)
    desk.set_viewer(TEACHER)
    look(screen, document, str(receiver))
    assert "1/51" not in written(document)
    assert "1/52" not in written(document)


def test_state_is_the_sessions_own() -> None:
    (one, document), (other, _) = screen_of(Desk(seed=7)), screen_of(Desk(seed=7))
    with set_curdoc(document):
        one._press("step")
        one.widgets.bar.language.value = "ru"
    assert (one.desk.at, other.desk.at) == (1, 0)
    assert "<span>Step</span>" in str(other.widgets.buttons.lines)
    assert other.widgets.log.lines != one.widgets.log.lines
