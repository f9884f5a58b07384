"""What goes wrong on the way: a lost connection, a server that is started again, a session that has ended, a browser that is killed."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from page_tools import PATIENCE, Served, Tab
from tornado.netutil import bind_sockets

from cardlab.dashboard import server as serving
from cardlab.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
FIGHT = "?game=fight_for_the_lead&players=3&seed=7"
KING = "?game=suicide_king&players=3&seed=7"


@pytest.fixture
def rough(chromium: Browser) -> Iterator[Page]:
    """A page whose console may tell of a lost connection, and whose scripts may not fail."""
    faults: list[str] = []
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.on("weberror", lambda error: faults.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert not [fault for fault in faults if "websocket" not in fault.lower()]


def cut(served: Served) -> None:
    """Closes every socket, as a bad line does; the sessions stay."""
    clients = list(served.server._tornado._clients)
    assert clients
    for client in clients:
        served.server.io_loop.add_callback(client._socket.close)


@contextmanager
def down(served: Served) -> Iterator[None]:
    """A server that cannot be reached for a while."""
    loop, listens = served.server.io_loop, served.server._http
    closed = threading.Event()

    def leave() -> None:
        listens.stop()
        closed.set()

    loop.add_callback(leave)
    assert closed.wait(10)
    cut(served)
    yield
    loop.add_callback(lambda: listens.add_sockets(bind_sockets(served.server.port, "127.0.0.1")))


def strip(page: Page) -> Locator:
    """What the page says of its connection."""
    return page.locator(".cl-connection")


def said(page: Page, key: str, language: str = "en") -> None:
    """Waits until it says so."""
    strip(page).get_by_text(Words(language).text(f"connection.{key}")).wait_for(timeout=PATIENCE)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_lost_socket_leads_back_to_the_same_moment(tab: Any, served: Served, language: str) -> None:
    here: Tab = tab(f"{KING}&language={language}", language)
    for step in range(1, 6):
        here.step(step)
    here.press("screen.undo")
    here.is_at(4, 5)
    log, before = here.log, len(served.sessions)
    table = here.page.locator("svg.cl-table").element_handle()
    cut(served)
    here.page.wait_for_function("table => !table.isConnected", arg=table)  # drawn anew from the session
    here.is_at(4, 5)
    here.press("screen.step")
    here.is_at(5)
    assert here.log[: len(log)] == log
    assert not strip(here.page).count()
    assert len(served.sessions) == before


def test_a_line_that_is_down_for_a_while_is_said_and_nothing_is_lost(rough: Page, served: Served) -> None:
    """Twelve steps, a committed guess, the projector: all stand there again."""
    here = Tab(rough, f"{served.url}{FIGHT}&guess=1&projector=1")
    for step in range(1, 13):
        here.step(step)
    rough.get_by_role("button", name=here.words.text("guess.commit"), exact=True).click()
    rough.locator(".guess-axis").wait_for()
    table = rough.locator("svg.cl-table").element_handle()
    with down(served):
        said(rough, "lost")
        rough.wait_for_timeout(4_000)
    rough.wait_for_function("table => !table.isConnected", arg=table, timeout=PATIENCE)
    strip(rough).wait_for(state="detached")
    here.is_at(12)
    rough.locator(".guess-axis").wait_for()
    assert "projector=1" in rough.url
    here.step(13)


@contextmanager
def started(port: int) -> Iterator[subprocess.Popen[str]]:
    """``cardlab serve``, which is killed afterwards as a laptop is that runs out of power."""
    command = [sys.executable, "-m", "cardlab.cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        yield running
        running.kill()


@pytest.mark.parametrize(("query", "language"), [(KING, "en"), (f"{FIGHT}&language=ru", "ru")])
def test_a_server_that_was_started_again_offers_the_way_back(rough: Page, query: str, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with started(port):
        here = Tab(rough, f"http://127.0.0.1:{port}/{query}", language)
        for step in range(1, 8):
            here.step(step)
        log = here.log
        rough.wait_for_timeout(1_500)  # the way back is made a second after the last change
    said(rough, "lost", language)
    with started(port):
        said(rough, "gone", language)
        strip(rough).get_by_role("link", name=Words(language).text("connection.go")).click()
        here.opened(rough)
        here.is_at(7)
        assert here.log == log
        here.step(8)


def test_a_seat_is_led_back_to_what_it_knew(rough: Page) -> None:
    with Served(check_unused_sessions_milliseconds=200, unused_session_lifetime_milliseconds=1_000) as served:
        here = Tab(rough, served.url + FIGHT)
        rough.get_by_role("button", name="Anna", exact=True).click()
        for step in range(1, 6):
            here.step(step)
        log = here.log
        rough.wait_for_timeout(1_500)
        with down(served):
            end = time.monotonic() + 20
            while served.sessions and time.monotonic() < end:
                time.sleep(0.1)
            assert not served.sessions  # away for longer than a session waits
        said(rough, "gone")
        link = strip(rough).get_by_role("link")
        assert "seed" not in str(link.get_attribute("href"))
        link.click()
        here.opened(rough)
        here.is_at(5)
        assert here.log == log


def test_a_server_that_is_to_end_says_so_and_lets_nobody_in(rough: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "GRACE", 20.0)
    with Served() as served:
        here = Tab(rough, served.url + KING)
        here.step(1)
        loop = served.server.io_loop.asyncio_loop
        loop.call_soon_threadsafe(lambda: loop.create_task(serving.drain(served.room)))
        said(rough, "leaving")
        here.step(2)  # the game goes on meanwhile
        other = rough.context.new_page()
        answer = other.goto(served.url)
        assert answer is not None
        assert answer.status == 503
        other.get_by_text("The server is being ended").wait_for()
        assert other.request.get(served.url + "healthz").json()["status"] == "closing"
        rough.goto("about:blank")
        served.join(15)  # the last one has left
        assert not served.is_alive()


def test_a_killed_browser_leaves_nothing(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", True)
    with Served(check_unused_sessions_milliseconds=200, unused_session_lifetime_milliseconds=1_000) as served:
        browser = chromium.browser_type.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(served.url + KING)
        page.locator("svg.cl-table").wait_for()
        page.locator("button.play").click()
        assert len(served.sessions) == 1
        found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        os.kill(next(each["id"] for each in found if each["type"] == "browser"), signal.SIGKILL)
        for _ in range(80):
            if not served.sessions:
                break
            time.sleep(0.25)
        assert not served.sessions
