"""The server of the page."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, Final

import panel as pn
from bokeh.document import Document
from panel.io.document import _cleanup_doc
from panel.io.state import set_curdoc

from cardlab.chance.questions import ask, fitting
from cardlab.core.errors import BadRequest
from cardlab.core.events import TEACHER
from cardlab.core.registry import game
from cardlab.core.session import Session
from cardlab.dashboard import logs, qr, web
from cardlab.dashboard.app import PAGES, app, farewell
from cardlab.dashboard.mend import clean_early, hush
from cardlab.dashboard.serving import Serving, cookie_secret
from cardlab.desk import counting
from cardlab.desk.questions import FATE
from cardlab.desk.workers import Workers
from cardlab.fast import processors
from cardlab.words import Words

log = logging.getLogger(__name__)

# A page must reach its session before that is given up: Panel would make a second one, whose style sheets come from another host.
# The first visit loads some megabytes, which takes its time on a slow line; and so long a browser may be away and find its game again.
PATIENCE: Final = {"unused_session_lifetime_milliseconds": 60_000, "check_unused_sessions_milliseconds": 10_000}
LASTING: Final = 86_400  # seconds in which a browser may come back to its session by the ticket that came with the page
LARGEST: Final = 4_000_000  # bytes of a message: a file with a long game is the largest that a page sends
POSTED: Final = 10_000  # bytes of a request: a password is all that is sent so
HEADED: Final = 65_536  # bytes of its head, with the address in it
TURN: Final = 0.0005  # seconds after which a thread that counts gives way to the loop, which is to draw; Python's own are ten times as many
GRACE: Final = 8.0  # seconds that open pages have to save what they hold, before a server that was asked to end does so
AGAIN: Final = 30.0  # seconds after which the pages are tried anew for whoever asks how the server is


def serve(serving: Serving, show: bool = False) -> None:
    """Serves the page until Ctrl-C, or until it is asked to end; raises BadRequest as ``listening`` does."""
    logs.set_up()
    made, room = listening(serving)
    words, url = Words(serving.language), room.serving.url
    if sys.stdout.isatty() and serving.origins:  # others are to come
        print(qr.printed(url))
    print(words.text("page.serving", url=url), flush=True)
    if show:
        made.show("/")
    loop = made.io_loop.asyncio_loop
    with suppress(NotImplementedError):  # Windows has no such signal
        loop.add_signal_handler(signal.SIGTERM, lambda: loop.create_task(drain(room)))
    with counting_beside():
        try:
            made.start()
            made.io_loop.start()
        finally:
            made.stop()


async def drain(room: web.Room) -> None:
    """Ends the server once all have left, or after a while; meanwhile nobody comes in, and who is in is told."""
    if room.closing:  # asked twice
        room.server.io_loop.stop()
        return
    room.closing = True
    end = monotonic() + GRACE
    log.warning("asked to end: %d pages are open", room.open)
    for session in room.sessions:
        session.document.add_next_tick_callback(partial(farewell, session.document))
    while any(session.connection_count for session in room.sessions) and monotonic() < end:
        await asyncio.sleep(0.1)
    room.server.io_loop.stop()


@contextmanager
def counting_beside() -> Iterator[None]:
    """Answers are counted in processes of their own: on the threads of this one the pages would have to wait for them."""
    workers = Workers(max(1, processors() - 1), warm)
    counting.pool = workers
    try:
        yield
    finally:
        counting.pool = None
        workers.shutdown(wait=False, cancel_futures=True)


def warm() -> None:
    """Answers what a page asks at first, of each game early and late, so that what this loads and compiles is there."""
    for name, question in FATE.items():
        session = Session(game(name), seed=0)
        session.auto("random", until="deal")
        for step in (1, len(session) // 2, len(session)):
            view = session.goto(step).view(TEACHER)
            if question in (asked.name for asked in fitting(view)):
                ask(view, question, n=counting.FIRST)


def listening(serving: Serving, **options: Any) -> tuple[Any, web.Room]:
    """A server that listens, and what its handlers know of it; raises BadRequest when the port is taken, or the address another machine's.

    One process: two would answer a page's socket with a session they do not have.
    """
    try:
        if not serving.port:
            with socket.create_server((serving.address, 0)) as free:
                serving = replace(serving, port=free.getsockname()[1])
        room = web.Room(serving)
        secret = cookie_secret()
        made = pn.io.server.get_server(
            {path: _page(path, serving) for path in PAGES},
            port=serving.port,
            address=serving.address,
            websocket_origin=serving.hosts,
            title="cardlab",
            location=False,  # its model would hold the address, and with it the seed
            show=False,
            start=False,
            cookie_secret=secret,
            secret_key=secret.encode(),
            sign_sessions=True,  # or anybody could name a session of his own
            session_token_expiration=LASTING,
            log_function=logs.request,
            websocket_max_message_size=LARGEST,
            http_server_kwargs={"max_body_size": POSTED, "max_header_size": HEADED, "xheaders": serving.behind_proxy},
            default_handler_class=web.Missing,
            default_handler_args={"room": room},
            **({"auth_provider": web.Password(room), "xsrf_cookies": True} if serving.password else {}),
            **{**PATIENCE, **options},
        )
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise BadRequest("page.error.port_taken", port=str(serving.port)) from None
        why = fault.strerror or str(fault)
        raise BadRequest("page.error.address", address=serving.address, port=str(serving.port), why=why) from None
    room.server = made
    made._tornado.add_transform(web.headers(serving))  # no public name leads to the application of a server
    made._tornado.default_router.rules[:0] = web.rules(room, trial(serving))
    clean_early(made.io_loop)
    hush()
    pn.config.reconnect = True
    sys.setswitchinterval(TURN)
    return made, room


def _page(path: str, serving: Serving) -> Callable[[], Any]:
    return lambda: app(path, serving)  # Panel would take a partial for something to be shown


def trial(serving: Serving) -> Callable[[], list[str]]:
    """Says which of the pages cannot be made; tried anew after a while."""
    tried: tuple[float, list[str]] = (float("-inf"), [])

    def failing() -> list[str]:
        nonlocal tried
        if monotonic() > tried[0] + AGAIN:
            tried = monotonic(), [path for path, make in PAGES.items() if not _made(make, serving)]
        return tried[1]

    return failing


def _made(make: Callable[[dict[str, str], Serving], Any], serving: Serving) -> bool:
    document, made = Document(), None
    try:
        with set_curdoc(document):
            made = make({"game": "poker_marshal"}, serving)
            made.page.server_doc(document, location=False)
        return bool(document.roots)
    except Exception:
        log.exception("a page could not be made when the server was asked how it is")
        return False
    finally:
        if made is not None:
            made.left(None)
        _cleanup_doc(document)
