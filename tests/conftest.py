"""Fixtures for every test: a watched browser page, and no swallowed widget error."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


gc.set_threshold(20_000, 20, 20)  # tests make and drop many small things


def no_browser(why: str) -> NoReturn:
    """Skip the test, or fail it where a browser is demanded."""
    if os.environ.get("CARDLAB_REQUIRE_BROWSER") == "1":
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


def is_own(url: str) -> bool:
    """Whether a request stays on this machine, or in the page itself."""
    parts = urlsplit(url)
    return parts.scheme in {"data", "blob", "about"} or parts.hostname in {"127.0.0.1", "localhost"}


@pytest.fixture(scope="module", autouse=True)
def what_is_kept_is_not_looked_at_again() -> None:
    """What earlier modules keep, whole trees of games among it, would else be gone through by every collection of garbage.

    What they kept for a while only is let go.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# Screens count little beside the table: a few samples show as well as many where an answer stands and what it depends on. By module
# and name; the last are worlds, and ways from them, before they are drawn at random.
FEW = {
    ("cardlab.desk.counting", "FIRST"): 8,
    ("cardlab.desk.counting", "MOST"): 8,
    ("cardlab.desk.questions", "SOON"): 8,
    ("cardlab.desk.questions", "MOST"): 8,
    ("cardlab.chance.fights", "LIMIT"): 50,
    ("cardlab.chance.fight_play", "CASES"): 300,
    ("cardlab.chance.fight_play", "STEPS"): 300,
    ("cardlab.chance.marshal_play", "STEPS"): 300,
}


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of what stands on a screen, and not of its numbers."""
    for (module, name), n in FEW.items():
        monkeypatch.setattr(importlib.import_module(module), name, n)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, started once for the session."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        no_browser("chromium is not on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """Where the pages of a module are opened: the scripts are fetched and compiled once, which takes most of the time of a page."""
    made = chromium.new_context()
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A fresh page; the test fails if the page logs an error or asks another host."""
    errors: list[str] = []
    strangers: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def on_url(url: str) -> None:
        if not is_own(url):
            strangers.append(url)

    def on_page(opened: Page) -> None:
        opened.on("websocket", lambda socket: on_url(socket.url))

    # Listening on the context covers the tabs that a page opens, too.
    heard: dict[Any, Any] = {
        "console": on_console,
        "weberror": lambda error: errors.append(str(error.error)),
        "request": lambda request: on_url(request.url),
        "page": on_page,
    }
    for name, hear in heard.items():
        context.on(name, hear)
    yield context.new_page()
    for opened in context.pages:
        opened.close()
    for name, hear in heard.items():
        context.remove_listener(name, hear)
    context.clear_cookies()
    assert not errors + strangers, "\n".join(["console errors:", *errors, "requests to other hosts:", *strangers])


@pytest.fixture(autouse=True)
def hidden_playwright_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide Playwright's event loop from tests that use no browser.

    Between calls it stays marked as running in the main thread, so that `asyncio.run` would refuse.
    """
    loop = asyncio._get_running_loop()
    if loop is None or "chromium" in request.fixturenames:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


class WidgetErrors(logging.Handler):
    """Collects what ipywidgets logs instead of raising when no kernel is there."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # By the file that logged, since the logger's name changes with the running application; asyncio words its own alike.
        if str(record.msg).startswith("Exception in ") and "ipywidgets" in PurePath(record.pathname).parts:
            self.seen.append(self.format(record))


@pytest.fixture(autouse=True)
def no_swallowed_widget_error() -> Iterator[None]:
    """Fail a test in which a widget's callback raised: ipywidgets only logs that, so the test would stay green."""
    handler = WidgetErrors()
    root = logging.getLogger()
    root.addHandler(handler)
    yield
    root.removeHandler(handler)
    if handler.seen:
        pytest.fail("a widget callback raised:\n" + "\n".join(handler.seen), pytrace=False)
