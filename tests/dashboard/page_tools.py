"""What the tests of the page share: a server in a thread, a tab of the browser, a screen in a document of its own."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import TYPE_CHECKING, Any

from bokeh.core.json_encoder import serialize_json
from bokeh.document import Document
from panel.io.document import _cleanup_doc
from panel.io.state import set_curdoc, state

from cardlab.dashboard.screen import Screen
from cardlab.dashboard.server import listening
from cardlab.dashboard.serving import Serving
from cardlab.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


PATIENCE = 30_000  # milliseconds; a machine that runs other tests beside may be slow


class Served(threading.Thread):
    """The page on a free port."""

    def __init__(self, **options: Any) -> None:
        super().__init__(daemon=True)
        self.options = options
        self.ready = threading.Event()

    def run(self) -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        known = {name: value for name, value in self.options.items() if name in Serving.__dataclass_fields__}
        others = {name: value for name, value in self.options.items() if name not in known}
        self.server, self.room = listening(Serving(**{"port": 0, **known}), **others)
        self.server.start()
        self.ready.set()
        self.server.io_loop.start()

    def __enter__(self) -> Served:
        self.start()
        assert self.ready.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.io_loop.add_callback(self._end)
        self.join(10)

    def _end(self) -> None:
        self.server.stop()
        self.server.io_loop.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/"

    @property
    def sessions(self) -> list[Any]:
        """The sessions that the server holds."""
        return list(self.server.get_sessions("/"))

    @property
    def documents(self) -> list[weakref.ref[Any]]:
        """The documents of the sessions, held by nobody here."""
        return [weakref.ref(session.document) for session in self.sessions]


class Faults(logging.Handler):
    """What the server's thread logs as an error; nobody else would see it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "asyncio":  # which complains of sockets that a closing tab left
            return
        said = self.format(record)
        if "notify_connection_lost" not in said:  # nor does Bokeh expect one that closes before its session is there
            self.seen.append(said)


class Tab:
    """The page of a game in the browser, pressed by the names that a person reads."""

    def __init__(self, page: Page, url: str, language: str = "en") -> None:
        self.page = page
        self.words = Desk(language=language).words
        page.goto(url)
        self.opened(page)

    @staticmethod
    def opened(page: Page, patience: float = PATIENCE) -> None:
        """Waits for the table, which a page that failed does not have."""
        page.locator(TABLE).wait_for(timeout=patience)

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.words.text(key), exact=True)

    def press(self, key: str) -> None:
        self.button(key).click()

    def step(self, to: int) -> None:
        """One press on Step, seen to lead to step ``to``."""
        self.press("screen.step")
        self.is_at(to)

    def is_at(self, step: int, last: int | None = None) -> None:
        """Waits until the page says that it stands at a step."""
        said = f"{self.words.text('page.step')} {step} {self.words.text('page.of', last=step if last is None else last)}"
        self.page.get_by_text(re.compile(f"^{re.escape(said)}$")).wait_for(timeout=PATIENCE)

    @property
    def log(self) -> list[tuple[int, str, str]]:
        """The rows of the log: step, sentence, rule."""
        said = """rows => rows.map(row => [".n", ".said", ".rule"].map(part => row.querySelector(part).textContent))"""
        return [(int(step), sentence, rule) for step, sentence, rule in self.page.locator(".log .row").evaluate_all(said)]

    @property
    def table(self) -> str:
        """All that is written on the table."""
        return str(self.page.locator(TABLE).text_content())

    @property
    def offered(self) -> list[str]:
        """What can be said by a click on the table or on a move below it."""
        return list(dict.fromkeys(self.page.locator(".table [data-say]").evaluate_all("all => all.map(one => one.dataset.say)")))

    def click(self, said: str) -> None:
        """A click on what says this: a card, a pile or a move."""
        self.page.locator(f'.table [data-say="{said}"]').first.click()

    def says(self, text: str, whole: bool = True) -> None:
        """Waits until a text stands on the page for all to see, or is part of one."""
        self.page.get_by_text(text, exact=whole).filter(visible=True).first.wait_for(timeout=PATIENCE)

    def choose(self, key: str, option: str) -> None:
        """An option of a list of choices, by its label."""
        self.page.get_by_role("combobox", name=self.words.text(key), exact=True).filter(visible=True).select_option(option)

    def set_up(self) -> None:
        """Opens the form of a new game."""
        self.press("page.new")
        self.page.get_by_role("dialog").wait_for()


TABLE = "svg.cl-table"


_made: list[Document] = []


def new_document() -> Document:
    """A document without a server, which lasts as long as the test."""
    _made.append(Document())
    return _made[-1]


def end_documents() -> None:
    """Ends them as a server ends those of its sessions; Panel would keep each with all that is in it."""
    while _made:
        document = _made.pop()
        _cleanup_doc(document)
        for kept in (state._periodic, state._stylesheets, state._locations):  # what they keep holds its own key
            kept.pop(document, None)


def screen_of(desk: Desk, fault: Exception | None = None, **options: Any) -> tuple[Screen, Document]:
    """A screen in a document of its own, without a server; use it under ``set_curdoc(document)``, as a server does."""
    document = new_document()
    with set_curdoc(document):
        screen = Screen(desk, fault, **options)
        screen.page.server_doc(document, location=False)
    return screen, document


@contextmanager
def shown(desk: Desk, **options: Any) -> Iterator[Screen]:
    """A screen to press on."""
    screen, document = screen_of(desk, **options)
    with set_curdoc(document):
        yield screen


def written(document: Document) -> str:
    """All that a browser would get, without the ids that count on from document to document."""
    return re.sub(r"\bp\d{4,}\b|\b[A-Z][A-Za-z]+\d{5}\b", "id", serialize_json(document.to_json()))


def plain(html: str) -> str:
    """The text of some HTML."""
    return unescape(re.sub(r"<[^>]+>", "", html))
