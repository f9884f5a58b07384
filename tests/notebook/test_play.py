"""Play and Pause, with an event loop and without one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest
from watch import click, says, turn_to

import cardlab
from cardlab import Seat
from cardlab.notebook import Stepper
from cardlab.notebook.ticker import Ticker


def at_once(stepper: Stepper, seconds: float = 0) -> Stepper:
    """The same stepper with a clock that hardly waits."""
    stepper.ticker.wait = lambda: seconds
    return stepper


def until(true: Callable[[], bool]) -> None:
    """Waits until something is true."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end, "never"
        time.sleep(0.005)


def test_a_tick_is_a_step() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    ticks = 0
    while stepper.tick():
        ticks += 1
        assert stepper.desk.at == ticks
    assert stepper.desk.over
    last = stepper.desk.at
    assert stepper.tick() is False
    assert stepper.desk.at == last


def test_play_goes_on_to_the_end_and_stops() -> None:
    stepper = at_once(cardlab.step("suicide_king", seed=7))

    async def play() -> None:
        stepper.buttons["play"].click()
        assert stepper.playing
        assert stepper.buttons["play"].description == stepper.desk.words.text("screen.pause")
        assert stepper.desk.at == 0  # the first step comes after the first wait
        assert stepper.ticker.task is not None
        await stepper.ticker.task

    asyncio.run(play())
    assert stepper.desk.over
    assert not stepper.playing
    assert stepper.buttons["play"].description == stepper.desk.words.text("screen.play")
    assert stepper.buttons["play"].disabled
    stepper.buttons["play"].click()
    assert not stepper.playing


@pytest.mark.parametrize("stopper", ["play", "undo", "step", "restart", "scrub"])
def test_pause_and_any_other_hand_on_the_game_stops_it(stopper: str) -> None:
    stepper = at_once(cardlab.step("fight_for_the_lead", seed=7))

    async def play() -> None:
        stepper.buttons["play"].click()
        task = stepper.ticker.task
        assert task is not None
        while stepper.desk.at < 5:
            await asyncio.sleep(0)
        if stopper == "scrub":
            stepper.slider.value = 2
        else:
            stepper.buttons[stopper].click()
        at = stepper.desk.at
        assert not stepper.playing
        await task
        assert stepper.desk.at == at

    asyncio.run(play())
    assert stepper.buttons["play"].description == stepper.desk.words.text("screen.play")


def test_language_and_viewpoint_may_change_while_it_plays() -> None:
    stepper = at_once(cardlab.step("suicide_king", seed=7))

    async def play() -> None:
        stepper.buttons["play"].click()
        while stepper.desk.at < 5:
            await asyncio.sleep(0)
        stepper.inputs["language"].value = "ru"
        stepper.inputs["viewpoint"].value = "2"
        assert stepper.playing
        assert stepper.ticker.task is not None
        await stepper.ticker.task

    asyncio.run(play())
    assert stepper.desk.over
    assert stepper.error == ""


def test_without_an_event_loop_it_plays_in_a_thread() -> None:
    stepper = at_once(cardlab.step("suicide_king", seed=7), seconds=0.005)
    before = threading.active_count()
    stepper.buttons["play"].click()
    until(lambda: stepper.desk.at >= 3)
    stepper.buttons["play"].click()
    at = stepper.desk.at
    until(lambda: threading.active_count() == before)
    assert stepper.desk.at == at
    stepper.buttons["play"].click()
    until(lambda: stepper.desk.over and not stepper.playing)
    until(lambda: threading.active_count() == before)


def test_the_speed_is_read_anew_for_every_step() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    waits = {}
    for label, speed in stepper.inputs["speed"].options:
        stepper.inputs["speed"].value = speed
        waits[label] = stepper.ticker.wait()
    assert list(waits) == ["½×", "1×", "2×", "4×"]
    assert [waits["1×"] / wait for wait in waits.values()] == [0.5, 1, 2, 4]


def test_starting_twice_is_one_clock() -> None:
    calls: list[int] = []
    ticker = Ticker(lambda: bool(calls.append(0)) or len(calls) < 9, lambda: 0)

    async def tick() -> None:
        ticker.start()
        task = ticker.task
        ticker.start()
        assert ticker.task is task
        assert task is not None
        await task

    asyncio.run(tick())
    assert len(calls) == 9
    assert not ticker.running


def own_move(stepper: Stepper) -> None:
    """The seat's first move on the table, clicked in the browser."""
    assert stepper.session.actor == stepper.desk.viewer
    click(stepper.table, says(stepper.table)[0])


@pytest.mark.parametrize("pace", ["card", "move"])
def test_after_a_seats_own_move_the_others_play_until_its_turn(pace: str) -> None:
    stepper = at_once(cardlab.step("fight_for_the_lead", players=3, deals=2, seed=7, seat=1, pace=pace))
    stepper.buttons["mine"].click()

    async def play() -> None:
        turns = 0
        while not stepper.desk.over:
            if not says(stepper.table)[0].startswith("fight"):  # an exchange is put together first
                stepper.click(stepper.desk.moves()[0].token)
                stepper.buttons["mine"].click()
                continue
            at = stepper.desk.at
            own_move(stepper)
            assert stepper.desk.at == at + 1
            assert stepper.playing  # a clock, not all at once
            assert stepper.buttons["play"].description == stepper.desk.words.text("screen.pause")
            assert stepper.ticker.task is not None
            await stepper.ticker.task
            assert stepper.session.actor == Seat(1) or stepper.desk.over
            assert not stepper.playing
            turns += 1
        assert turns == 2

    asyncio.run(play())
    assert stepper.error == ""


@pytest.mark.parametrize("pace", ["phase", "deal", "game"])
def test_in_a_long_pace_the_others_have_played_at_once(pace: str) -> None:
    stepper = cardlab.step("suicide_king", players=3, seed=7, seat=1, pace=pace)
    stepper.buttons["mine"].click()
    for _ in range(9):
        own_move(stepper)
        assert stepper.session.actor == Seat(1)
        assert not stepper.playing
    assert len({step.before.turn for step in stepper.session.steps} - {None}) == 3


def test_nobody_plays_on_for_the_teacher_or_after_a_cell_has_clicked() -> None:
    stepper = cardlab.step("suicide_king", players=3, seed=7, first_dealer=0)
    stepper.buttons["step"].click()
    click(stepper.table, "take 0")
    assert not stepper.playing
    stepper.inputs["viewpoint"].value = "2"
    stepper.buttons["mine"].click()
    assert stepper.click("take 1") is None
    assert not stepper.playing


def test_another_viewpoint_ends_the_playing_on() -> None:
    stepper = cardlab.step("suicide_king", players=3, seed=7, seat=1)
    stepper.buttons["mine"].click()

    async def play() -> None:
        while not stepper.playing:
            own_move(stepper)
        turn_to(stepper.inputs["viewpoint"], index=0)
        assert stepper.desk.viewer == "teacher"
        assert not stepper.playing
        assert stepper.ticker.task is not None
        stepper.ticker.task.cancel()

    asyncio.run(play())
