"""What a screen reader is to say: each sentence of the log once, in order, and nothing of another viewpoint or of what was said."""

from __future__ import annotations

import random

import pytest

from cardlab import GAMES, TEACHER
from cardlab.core.events import Seat
from cardlab.core.session import PACES
from cardlab.desk import Desk, aloud, lines
from cardlab.desk.aloud import Aloud


class Ear:
    """A screen that is only heard."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.log, self.aloud, self.n = desk, lines.LogLines(), Aloud(), 0
        self.hear()

    def hear(self) -> list[str]:
        """What is said when the screen is drawn: nothing, if there is no new number."""
        self.log.of(self.desk)
        self.words = self.aloud.of(self.desk, self.log.rows)
        said, self.n = self.words["said"] if self.words["n"] != self.n else [], self.words["n"]
        return list(said)


def place(desk: Desk) -> str:
    phase = desk.words.text(f"phase.{desk.game.name}.{desk.game.phase(desk.session.state)}")
    return desk.words.text("page.at", at=desk.at, last=len(desk), phase=phase)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [TEACHER, None, Seat(0)])
def test_a_whole_game_is_told_once_and_in_order(name: str, viewer: Seat | None) -> None:
    desk = Desk(name, seed=7, seat=viewer, pace="move")
    ear, said = Ear(desk), []
    while not desk.over:
        said += ear.hear()
        assert ear.hear() == []  # drawn anew
        desk.step()
    said += ear.hear()
    assert said == [row.text for row in desk.log()]
    assert len(said) > 30


def test_going_back_and_forth_says_where_one_is() -> None:
    desk = Desk("poker_marshal", seed=7)
    ear = Ear(desk)
    for _ in range(9):
        desk.step()
        assert ear.hear()
    for move in (desk.undo, desk.undo, lambda: desk.goto(2), desk.restart, desk.step, lambda: desk.goto(9)):
        move()
        assert ear.hear() == [place(desk)]
    desk.step()
    assert ear.hear() == [row.text for row in desk.log() if row.step == 10]


def test_another_way_on_is_new() -> None:
    desk = Desk("suicide_king", 3, seed=7)
    ear = Ear(desk)
    while desk.offer() is None:
        desk.step()
        ear.hear()
    before = desk.at
    first, *_, last = sorted(desk.offer().says.values())
    desk.click(first)
    assert ear.hear()
    desk.goto(before)
    assert ear.hear() == [place(desk)]
    desk.click(last)
    assert ear.hear() == [row.text for row in desk.log() if row.step > before]


def test_another_language_or_viewpoint_says_nothing_and_leaves_nothing() -> None:
    desk = Desk("fight_for_the_lead", 3, seed=7)
    ear = Ear(desk)
    for _ in range(12):
        desk.step()
        ear.hear()
    for change in (lambda: desk.set_language("ru"), lambda: desk.set_viewer(Seat(1)), lambda: desk.set_language("en")):
        change()
        assert ear.hear() == []
        assert ear.words["fresh"]
        assert ear.words["said"] == []
        assert ear.words["language"] == desk.words.language
    desk.step()
    said = ear.hear()
    assert said == [row.text for row in desk.log() if row.step == desk.at]
    assert not ear.words["fresh"]


def test_another_game_says_where_one_is() -> None:
    desk = Desk("suicide_king", 2, seed=7)
    ear = Ear(desk)
    desk.step()
    ear.hear()
    desk.new("poker_marshal", seed=8)
    assert ear.hear() == [place(desk)]
    assert ear.words["fresh"]


def test_of_a_whole_game_at_once_the_last_sentences_are_said() -> None:
    desk = Desk("fight_for_the_lead", 4, seed=7)
    ear = Ear(desk)
    desk.finish()
    said, whole = ear.hear(), [row.text for row in desk.log()]
    assert len(whole) > aloud.MOST
    assert said == [desk.words.text("page.aloud.more", n=len(whole) - aloud.MOST), *whole[-aloud.MOST :]]
    desk.undo()
    assert ear.hear() == [place(desk)]


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_said_that_the_viewpoint_does_not_know(name: str) -> None:
    """At random: steps in every pace, back, to other viewpoints and languages."""
    chance = random.Random(7)
    desk = Desk(name, seed=7)
    ear = Ear(desk)
    heard = 0
    for _ in range(120):
        match chance.randrange(6):
            case 0:
                desk.goto(chance.randrange(len(desk) + 1))
            case 1:
                desk.set_viewer(chance.choice([*desk.game.seats, None, TEACHER]))
            case 2:
                desk.set_language(chance.choice(["en", "ru"]))
            case _ if not desk.over:
                desk.step(chance.choice(PACES[:3]))
        said = ear.hear()
        known = [row.text for row in desk.log()]
        assert said in ([], [place(desk)]) or known[-len(said) :] == said or said[0].endswith(("log.", "журнале."))
        assert {*said[1:]} <= {*known}
        heard += len(said)
    assert heard > 50
