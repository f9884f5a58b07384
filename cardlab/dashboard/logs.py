"""What the server writes down: a line for each refusal, a trace for a fault of cardlab, and nothing that is a secret."""

from __future__ import annotations

import logging
import re
from typing import Any, Final
from urllib.parse import urlsplit

from bokeh.protocol.exceptions import MessageError, ProtocolError, ValidationError
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

REFUSALS: Final = (MessageError, ProtocolError, ValidationError, StreamClosedError, WebSocketClosedError)
LONGEST: Final = 300  # characters of a line
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# What a browser has sent, and what opens a session or a door; by the logger and how its line begins.
TOLD: Final = (
    ("bokeh.server.views.ws", "Unhandled exception receiving", "refused a message that cannot be read"),
    ("bokeh.server.views.ws", "Handler or its work threw", "a message could not be handled"),
    ("bokeh.server.views.ws", "Token for session", "refused a session that this server has not signed"),
    ("bokeh.server.views", "Session id had invalid", "refused a session that this server has not signed"),
)

# By Bokeh of a socket: of the first the line about the request tells, of the third the line before; the second is a tab that has closed.
SAID_ELSEWHERE: Final = ("Refusing websocket connection from", "Failed sending", "Bokeh Server internal error: server failed to")


class OneLine(logging.Formatter):
    """A line for each refusal; a fault keeps its trace."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        refused = record.exc_info is not None and record.exc_info[0] is not None and issubclass(record.exc_info[0], REFUSALS)
        for name, start, instead in TOLD:
            if record.name.startswith(name) and message.startswith(start):
                message, refused = instead, refused or not start.startswith("Handler")
                break
        else:
            if refused and record.exc_info is not None:
                message = f"refused: {record.exc_info[1]}"
        line = logging.makeLogRecord({**record.__dict__, "msg": _short(message), "args": None})
        if refused:
            line.exc_info = line.exc_text = line.stack_info = None
        return super().format(line)


def _short(message: str) -> str:
    """One line, without the query of an address: a seed tells every card."""
    line = re.sub(r"\?[^\s'\"]*", "?…", " ".join(message.split()))
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _said_once(record: logging.LogRecord) -> bool:
    """Of a refused request several say so: one is enough, and that is the line about the request, where there is one."""
    message = record.getMessage()
    by_request = record.name == "tornado.general" and re.match(r"\d{3} [A-Z]+ |Invalid cookie|Expired cookie|Cookie timestamp", message)
    by_socket = record.name == "bokeh.server.views.ws" and message.startswith(SAID_ELSEWHERE)
    by_ticket = record.name == "tornado.application" and record.exc_info and str(record.exc_info[1]) == "Invalid token signature"
    return not (by_request or by_socket or by_ticket)


def set_up() -> None:
    """Has the whole process log so, from warnings on."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine(FORMAT))
    handler.addFilter(_said_once)
    handler.setLevel(logging.WARNING)  # below it Panel writes down what people type
    for name in ("", "bokeh", "panel", "tornado"):
        logger = logging.getLogger(name)
        logger.handlers = [handler] if not name else []
        logger.propagate = True
    logging.getLogger().setLevel(logging.WARNING)


def request(handler: Any) -> None:
    """A request that was refused, or failed; of the others nothing is written."""
    status = handler.get_status()
    if status >= 400 and not getattr(handler, "logged", False):
        asked = handler.request
        level = logging.ERROR if status >= 500 and status != 503 else logging.WARNING
        origin = urlsplit(asked.headers.get("Origin", "")).netloc if asked.path.endswith("/ws") else ""
        where = f"{asked.path[:200]}{f' for a page of {origin[:100]}' if origin else ''}"
        logging.getLogger("tornado.access").log(level, "%d %s %s from %s", status, asked.method, where, asked.remote_ip)
