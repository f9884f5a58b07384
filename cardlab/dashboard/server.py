"""The server of the page."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import panel as pn

from cardlab.chance.questions import ask, fitting
from cardlab.core.errors import BadRequest
from cardlab.core.events import TEACHER
from cardlab.core.registry import game
from cardlab.core.session import Session
from cardlab.dashboard.app import app
from cardlab.dashboard.mend import clean_early, hush
from cardlab.desk import counting, spoken
from cardlab.desk.questions import FATE
from cardlab.desk.workers import Workers
from cardlab.fast import processors
from cardlab.words import Words

# A page must reach its session before that is given up: Panel would make a second one, whose style sheets come from another host.
# The first visit loads some megabytes, which takes its time on a slow line.
PATIENCE: Final = {"unused_session_lifetime_milliseconds": 60_000, "check_unused_sessions_milliseconds": 10_000}
TURN: Final = 0.0005  # seconds after which a thread that counts gives way to the loop, which is to draw; Python's own are ten times as many
EVERYWHERE: Final = ("0.0.0.0", "::", "")


def serve(address: str = "127.0.0.1", port: int = 5006, show: bool = False, language: str = "en") -> None:
    """Serves the page until Ctrl-C; raises BadRequest when the port is taken or the address is not this machine's."""
    made = server(address, port, language)
    url = f"http://{'127.0.0.1' if address in EVERYWHERE else address}:{made.port}/"
    print(Words(language).text("page.serving", url=url), flush=True)
    if show:
        made.show("/")
    try:
        made.start()
        made.io_loop.start()  # until Ctrl-C
    finally:
        made.stop()


@contextmanager
def counting_beside() -> Iterator[None]:
    """Answers are counted in processes of their own: on the threads of this one the pages would have to wait for them."""
    with Workers(max(1, processors() - 1), warm) as workers:
        counting.pool = workers
        try:
            yield
        finally:
            counting.pool = None


def warm() -> None:
    """Answers what a page asks at first, of each game early and late, so that what this loads and compiles is there."""
    for name, question in FATE.items():
        session = Session(game(name), seed=0)
        session.auto("random", until="deal")
        for step in (1, len(session) // 2, len(session)):
            view = session.goto(step).view(TEACHER)
            if question in (asked.name for asked in fitting(view)):
                ask(view, question, n=counting.FIRST)


def server(address: str = "127.0.0.1", port: int = 5006, language: str = "en", **options: Any) -> Any:
    """A server that listens and is not yet running; port 0 takes a free one. ``options`` go to Bokeh's server.

    One process: two would answer a page's socket with a session they do not have.
    """
    spoken(language)
    if not 0 <= port <= 65535:
        raise BadRequest("page.error.port", port=str(port))
    if not port:
        with socket.create_server((address, 0)) as free:
            port = free.getsockname()[1]
    try:
        made = pn.io.server.get_server(
            {"/": lambda: app(language), "/chance": lambda: _chance(language)},
            port=port,
            address=address,
            websocket_origin=origins(address, port),
            title="cardlab",
            location=False,  # its model would hold the address, and with it the seed
            show=False,
            start=False,
            **{**PATIENCE, **options},
        )
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise BadRequest("page.error.port_taken", port=str(port)) from None
        raise BadRequest("page.error.address", address=address, port=str(port), why=fault.strerror or str(fault)) from None
    clean_early(made.io_loop)
    hush()
    sys.setswitchinterval(TURN)
    return made


def _chance(language: str) -> Any:
    from cardlab.dashboard.chance import chance  # its pictures take a second to load

    return chance(language)


def origins(address: str, port: int) -> list[str]:
    """The hosts under which a browser may name this server; from any other the page would stay blank."""
    names = {"localhost", "127.0.0.1", address}
    if address in EVERYWHERE:
        names |= {socket.gethostname(), socket.getfqdn(), *_own_addresses()}
    return sorted(f"{name}:{port}" for name in names if name and name not in EVERYWHERE)


def _own_addresses() -> list[str]:
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []
