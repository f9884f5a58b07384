"""What goes wrong in a callback is seen, whichever way the callback is reached: a fault planted in the desk is driven on each of them."""

from __future__ import annotations

import asyncio

import pytest
from watch import click, hit, logged, markup, plain, point, press, turn_to

import cardlab
from cardlab import IllegalAction, Record, Scripted, Session, game
from cardlab.core.errors import Reason
from cardlab.desk import Desk
from cardlab.notebook import Stepper


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Stepper:
    """A stepper whose desk fails when it should step, go to a step or show one, or be clicked on."""
    stepper = cardlab.step("suicide_king", seed=7)
    for _ in range(6):
        stepper.buttons["step"].click()

    def fail(self: Desk, *args: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(Desk, "step", fail)
    monkeypatch.setattr(Desk, "goto", fail)
    monkeypatch.setattr(Desk, "click", fail)
    monkeypatch.setattr(Desk, "peek", fail)
    return stepper


def seen(stepper: Stepper) -> None:
    """The strip shows the fault."""
    assert 'role="alert"' in markup(stepper.widgets.strip)
    assert "ZeroDivisionError: planted" in plain(markup(stepper.widgets.strip))
    assert stepper.desk.words.text("screen.error") in plain(markup(stepper.widgets.strip))


def test_by_a_value(faulty: Stepper) -> None:
    with pytest.raises(ZeroDivisionError, match="planted"):
        faulty.slider.value = 3
    seen(faulty)
    assert logged() == []


def test_by_a_click(faulty: Stepper) -> None:
    faulty.buttons["step"].click()
    seen(faulty)
    assert "planted" in "".join(logged())  # which by itself would fail this test


def test_by_a_click_in_the_browser(faulty: Stepper) -> None:
    press(faulty.buttons["step"])
    seen(faulty)
    assert "planted" in "".join(logged())


def test_by_a_value_in_the_browser(faulty: Stepper) -> None:
    turn_to(faulty.slider, value=2)
    seen(faulty)
    assert "planted" in "".join(logged())


@pytest.mark.parametrize("said", ["take 0", "go-3"])
def test_by_a_click_on_a_pane_in_the_browser(faulty: Stepper, said: str) -> None:
    click(faulty.table if said == "take 0" else faulty.log, said)
    seen(faulty)
    assert "planted" in "".join(logged())


def test_by_a_key_in_the_browser(faulty: Stepper) -> None:
    hit(faulty.table, "ArrowRight")
    seen(faulty)
    assert "planted" in "".join(logged())


def test_by_pointing_in_the_browser(faulty: Stepper) -> None:
    point(faulty.log, 3)
    seen(faulty)
    assert "planted" in "".join(logged())


def test_by_a_cell_that_clicks_on_the_table(faulty: Stepper) -> None:
    with pytest.raises(ZeroDivisionError, match="planted"):
        faulty.click("take 0")
    seen(faulty)


def test_by_the_clock(faulty: Stepper) -> None:
    faulty.inputs["speed"].value = "4"

    async def play() -> None:
        faulty.buttons["play"].click()
        task = faulty.ticker.task
        assert task is not None
        with pytest.raises(ZeroDivisionError, match="planted"):
            await task

    asyncio.run(play())
    seen(faulty)
    assert not faulty.playing


def test_a_fault_of_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    stepper = cardlab.step("poker_marshal", seed=7)
    stepper.buttons["finish"].click()

    def fail(self: Desk, narrow: bool = False) -> str:
        raise KeyError("planted")

    monkeypatch.setattr(Desk, "drawn", fail)
    with pytest.raises(KeyError):
        stepper.inputs["viewpoint"].value = "0"
    assert "KeyError" in stepper.error
    assert "planted" not in stepper.error  # it might name a card
    assert all(pane.lines == [] and pane.mark == "" for pane in stepper.widgets.panes)  # nothing of the teacher's is left behind
    assert stepper.form.seed.value == ""
    monkeypatch.undo()
    stepper.buttons["undo"].click()
    assert stepper.error == markup(stepper.widgets.strip) == ""
    assert "<svg" in markup(stepper.table)


def test_without_pytest_a_fault_is_shown_and_the_stepper_goes_on(faulty: Stepper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_VERSION")
    faulty.slider.value = 3
    seen(faulty)
    press(faulty.buttons["step"])
    seen(faulty)
    press(faulty.buttons["undo"])
    assert faulty.error == markup(faulty.widgets.strip) == ""
    assert faulty.desk.at == 5


def test_a_refusal_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    reason = Reason.of("SK-5", "suicide_king.take", piles="0, 1")

    def refuse(self: Desk) -> None:
        raise IllegalAction(reason=reason)

    monkeypatch.setattr(Desk, "step", refuse)
    for language in ("en", "ru"):
        stepper.inputs["language"].value = language
        stepper.buttons["step"].click()
        press(stepper.buttons["step"])
        assert stepper.error == IllegalAction(reason=reason).say(stepper.desk.words)
        assert "SK-5" in plain(markup(stepper.widgets.strip))
    assert logged() == []


def test_a_script_that_ends_is_said_and_play_stops() -> None:
    stepper = Stepper(Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted("2C 3C")))
    stepper.buttons["finish"].click()
    assert "2" in stepper.error
    assert stepper.desk.at == 6  # what could be played is there
    assert stepper.slider.max == 6
    assert stepper.tick() is False


def test_a_record_without_a_seed_says_that_nothing_can_be_dealt() -> None:
    session = Session(game("suicide_king", players=2), dealer=Scripted([0], fill=True))
    session.auto("still")
    stepper = Stepper(Record.loads(session.record.dumps()))
    for _ in range(4):
        stepper.buttons["step"].click()
    assert stepper.error != ""
    assert stepper.desk.at == 3
