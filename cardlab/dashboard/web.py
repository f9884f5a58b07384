"""What the server answers besides the page itself: who may not come in, how it is doing, and the headers of every answer."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import deque
from html import escape
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from bokeh.server.auth_provider import AuthProvider
from bokeh.server.util import check_allowlist
from bokeh.util.token import get_session_id
from tornado import routing, web
from tornado.httputil import url_concat

from cardlab.dashboard import address
from cardlab.dashboard.app import PAGES
from cardlab.dashboard.plain import login, page
from cardlab.dashboard.serving import Serving
from cardlab.words import LANGUAGES, Words

log = logging.getLogger(__name__)
COOKIE: Final = "cardlab"
DAYS: Final = 1  # for which the password need not be said again
SLOW: Final = 1.0  # seconds that a wrong password costs
TRIES: Final = 20  # wrong passwords a minute from one address
YOUNG: Final = 20_000  # milliseconds that a browser has to open the socket of a page before the page counts as left


class Room:
    """What the handlers know of the server: how it is served, who is in, and whether it is about to end."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self.server: Any = None
        self.closing = False

    @property
    def sessions(self) -> list[Any]:
        """All sessions, also those of tabs that have closed and may come back."""
        return list(self.server.get_sessions())

    def knows(self, ticket: str, path: str) -> bool:
        """Whether the session of a ticket, which comes with each page, is there."""
        try:
            named = get_session_id(ticket)
        except Exception:  # whatever somebody sends in its place
            return False
        return any(session.id == named for session in self.server.get_sessions(path))

    @property
    def open(self) -> int:
        """How many pages are open, or just being opened."""
        return sum(1 for each in self.sessions if each.connection_count or each.milliseconds_since_last_unsubscribe < YOUNG)

    @property
    def full(self) -> bool:
        """Whether nobody more may come in; those who have left take memory for a while, so they count for a third."""
        return max(self.open, len(self.sessions) / 3) >= self.serving.sessions


class Handler(web.RequestHandler):
    """A handler of a page of a few words; ``logged`` says that it has itself written down that it refuses."""

    logged = False

    def initialize(self, room: Room) -> None:
        self.room = room

    @property
    def words(self) -> Words:
        """In the language that the address asks for, or that of the page to which the password leads."""
        led = parse_qs(urlsplit(self.get_query_argument("next", "")).query).get("language", [""])[0]
        wanted = self.get_query_argument("language", led)
        return Words(wanted if wanted in LANGUAGES else self.room.serving.language)

    def prepare(self) -> None:
        self.set_header("Cache-Control", "no-store")

    def write_error(self, status_code: int, **told: Any) -> None:
        self.finish(page(self.words, "serve.missing.title", "serve.missing.about"))


class Missing(Handler):
    """No such page."""

    def prepare(self) -> None:
        self.set_status(404)
        super().prepare()
        self.write_error(404)


class Foreign(Handler):
    """The page was asked for under a name that the server does not go by: its socket would be refused, and the page stay blank."""

    def get(self, *path: str) -> None:
        said = self.words.text("serve.foreign.about", host=self.request.host, url=self.room.serving.url)
        log.warning("refused a page under the foreign host %r from %s", self.request.host, self.request.remote_ip)
        self.logged = True
        self.set_status(403)
        self.finish(page(self.words, "serve.foreign.title", f"<p>{escape(said)}</p>"))


class Full(Handler):
    """Nobody more can come in, or the server is about to end."""

    def get(self, *path: str) -> None:
        closing = self.room.closing
        self.logged = True
        if not closing:
            log.warning("refused a page: %d are open, and there may be %d", self.room.open, self.room.serving.sessions)
        self.set_status(503)
        self.set_header("Retry-After", "30")
        about = ("serve.closing.title", "serve.closing.about") if closing else ("serve.full.title", "serve.full.about", "serve.full.try")
        self.finish(page(self.words, *about))


class Health(Handler):
    """Whether pages can be made and visitors come in, for whoever watches the server."""

    def initialize(self, room: Room, trial: Any = None) -> None:
        super().initialize(room)
        self.trial = trial

    def get(self) -> None:
        failing = self.trial()
        status = "closing" if self.room.closing else "failing" if failing else "ok"
        if status != "ok":
            self.set_status(503)
        self.finish({"status": status, "failing": failing, "sessions": len(self.room.sessions), "most": self.room.serving.sessions})


class Reading(Handler):
    """Reads the link of an address beside the pages, and then asks the browser to come again."""

    async def get(self, *path: str) -> None:
        if self.room.serving.password and not _visitor(self):
            self.redirect(url_concat("./login", {"next": self.request.uri or "/"}))
            return
        link = _link(self.request)
        address.keep(link, await asyncio.get_running_loop().run_in_executor(None, address.found_in, link))
        self.redirect(self.request.uri or "/")


def _link(request: Any) -> str:
    """The link in an address, as the page will read it."""
    links = request.query_arguments.get("link", (b"",))
    return str(links[0].decode("utf-8", "replace"))


def _unread(request: Any) -> bool:
    link = _link(request)
    return bool(link) and link not in address.READ


class Which(routing.Matcher):
    """Matches the pages of the room for which ``when`` holds."""

    def __init__(self, when: Any) -> None:
        self.when = when

    def match(self, request: Any) -> dict[str, Any] | None:
        page = request.path.rstrip("/") or "/"
        return {} if page in PAGES and self.when(request) else None


class Ended(Handler):
    """A browser comes back to a session that has ended: Bokeh would silently make a new one, with another game."""

    def get(self) -> None:
        self.set_status(410)
        self.finish()


class Here(Handler):
    """Whether a session is still there, for a browser that cannot reach it."""

    def get(self) -> None:
        known = any(self.room.knows(self.request.headers.get("Cardlab-Ticket", ""), path) for path in PAGES)
        self.logged = True
        self.set_status(204 if known else 410)
        self.finish()


class Forgotten(routing.Matcher):
    """Matches the sockets of sessions that are not there."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def match(self, request: Any) -> dict[str, Any] | None:
        path = request.path.removesuffix("/ws") or "/"
        if not request.path.endswith("/ws") or path not in PAGES:
            return None
        ticket = request.headers.get("Sec-WebSocket-Protocol", "").partition(",")[2].strip()
        return None if self.room.knows(ticket, path) else {}


def rules(room: Room, trial: Any) -> list[Any]:
    """What comes before the page, in this order."""
    hosts = room.serving.hosts
    handed = {"room": room}
    return [
        routing.Rule(Forgotten(room), Ended, handed),
        routing.Rule(routing.PathMatches(r"/here"), Here, handed),
        routing.Rule(routing.PathMatches(r"/healthz"), Health, handed | {"trial": trial}),
        # scripts that put the page into another, and what they ask about it: nothing here is to be put elsewhere so
        routing.Rule(routing.PathMatches(r".*/(?:autoload\.js|metadata)"), Missing, handed),
        routing.Rule(Which(lambda request: not check_allowlist(request.host.lower(), hosts)), Foreign, handed),
        routing.Rule(Which(lambda request: room.closing or room.full), Full, handed),
        routing.Rule(Which(_unread), Reading, handed),
    ]


# The headers of every answer


def headers(serving: Serving) -> type[web.OutputTransform]:
    """Puts the headers of safety on every answer: nothing comes from elsewhere, and nobody else may frame the page but who was named."""
    frames = " ".join(("'self'", *serving.frames)) if serving.frames else "'none'"
    policy = (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss: data: blob:; worker-src 'self' blob:; "
        f"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors {frames}"
    )
    always = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # the address of a page tells its seed
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Server": "cardlab",
    } | ({} if serving.frames else {"X-Frame-Options": "DENY"})

    class Headers(web.OutputTransform):
        def transform_first_chunk(self, status_code: int, headers: Any, chunk: bytes, finishing: bool) -> Any:
            for name, value in always.items():
                headers[name] = value
            return status_code, headers, chunk

    return Headers


# The password


class Password(AuthProvider):
    """One password for the room: whoever has said it has a cookie that says so, signed by this server."""

    def __init__(self, room: Room) -> None:
        self._room = room
        super().__init__()

    @property
    def get_user(self) -> Any:
        return _visitor

    @property
    def login_url(self) -> str:
        return "/login"

    @property
    def endpoints(self) -> list[Any]:
        return [(self.login_url, Login, {"room": self._room})]


def _visitor(handler: Any) -> str | None:
    """Who has said the password, by the cookie."""
    if handler.get_signed_cookie(COOKIE, max_age_days=DAYS):
        return "visitor"
    if handler.get_cookie(COOKIE):
        log.warning("refused a cookie that is forged or too old from %s", handler.request.remote_ip)
    return None


class Login(Handler):
    """Asks for the password of the room."""

    wrong: Final[dict[str, deque[float]]] = {}  # when, by the address of whoever said it

    def get(self) -> None:
        self.finish(login(self.words, self.xsrf_form_html()))

    async def post(self) -> None:
        password, who = self.room.serving.password or "", self.request.remote_ip or ""
        times = self.wrong.setdefault(who, deque())
        while times and times[0] < monotonic() - 60:
            times.popleft()
        if len(times) >= TRIES:
            return self._refused(who, "serve.login.often", 429)
        given = self.get_body_argument("password", "", strip=True)
        if not hmac.compare_digest(given.encode(), password.encode()):
            times.append(monotonic())
            await asyncio.sleep(SLOW)
            return self._refused(who, "serve.login.wrong", 403)
        self.wrong.pop(who, None)
        framed, safe = bool(self.room.serving.frames), self.request.protocol == "https"
        site = "None" if framed and safe else "Lax"
        self.set_signed_cookie(COOKIE, "1", expires_days=DAYS, httponly=True, samesite=site, secure=safe)
        self.redirect(own(self.get_query_argument("next", "/")))

    def write_error(self, status_code: int, **told: Any) -> None:
        """Of the form itself: the browser has not sent the cookie that came with it."""
        self.finish(login(self.words, self.xsrf_form_html(), "serve.login.stale"))

    def _refused(self, who: str, why: str, status: int) -> None:
        log.warning("refused %s from %s", "a wrong password" if status == 403 else "a password after many wrong ones", who)
        self.logged = True
        self.set_status(status)
        self.finish(login(self.words, self.xsrf_form_html(), why))


def own(address: str) -> str:
    """A path of this server, or its start.

    >>> own("/chance?demo=bank"), own("//evil.example/"), own("https://evil.example"), own("/\\\\evil.example")
    ('/chance?demo=bank', '/', '/', '/')
    """
    parts = urlsplit(address)
    plain = address.isascii() and address.isprintable() and "\\" not in address
    return address if plain and address.startswith("/") and not (address.startswith("//") or parts.scheme or parts.netloc) else "/"
