"""How the page is served: what is refused before it starts, who may not come in afterwards, and what is written down of it."""

from __future__ import annotations

import http.client
import json
import logging
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from page_tools import Served
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClosedError, websocket_connect

from cardlab.cli import main
from cardlab.core.errors import BadRequest
from cardlab.dashboard import address, logs, web
from cardlab.dashboard import server as serving_
from cardlab.dashboard.serving import SECRET, Serving, asked, cookie_secret, password_in
from cardlab.desk import Desk
from cardlab.desk.links import share
from cardlab.words import Words

PASSWORD = "open sesame 4"


# Before it starts


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"address": "0.0.0.0"}, "At 0.0.0.0 other machines reach this server, and it must know under which name."),
        ({"address": "::"}, "At :: other machines"),
        ({"address": "192.168.1.5"}, "At 192.168.1.5 other machines"),
        ({"origins": ("http://box/page",)}, "A browser cannot name this server as 'http://box/page'"),
        ({"origins": ("*",)}, "A browser cannot name this server as '*'"),
        ({"origins": ("box:99999",)}, "A browser cannot name this server as 'box:99999'"),
        ({"frames": ("moodle.example",)}, "'moodle.example' names no site"),
        ({"frames": ("https://moodle.example; script-src *",)}, "names no site"),
        ({"sessions": 0}, "There cannot be 0 open pages"),
        ({"language": "la"}, "There is no language 'la'"),
    ],
)
def test_what_is_not_safe_or_cannot_be_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRequest) as refused:
        Serving(**options)
    assert sentence in str(refused.value)


def test_a_sentence_that_refuses_to_listen_wide_says_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--address", "0.0.0.0", "--port", "5007"]) == 1
    assert re.search(r"add --origin [\w.-]+:5007\.\n$", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read from"),
        (b"\xff\xfe\x00", "cannot be read from"),
        (b"", "must hold the password as its only line, of 8 characters or more"),
        (b"short\n", "must hold the password as its only line"),
        (b"long enough\nand another line\n", "must hold the password as its only line"),
    ],
)
def test_a_password_file_that_holds_none_is_refused(text: bytes | None, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "password"
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(BadRequest, match=sentence):
        password_in(str(file))


def test_a_password_is_read_without_its_line_break_and_shown_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n\n", encoding="utf-8")
    made = asked(password_file=str(file), sessions="12")
    assert (made.password, made.sessions) == (PASSWORD, 12)
    assert PASSWORD not in repr(made)
    with pytest.raises(BadRequest, match="There cannot be 'many' open pages"):
        asked(sessions="many")


def test_a_cookie_secret_is_made_unless_a_good_one_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET, raising=False)
    assert len(cookie_secret()) >= 32
    assert cookie_secret() != cookie_secret()
    monkeypatch.setenv(SECRET, "x" * 31)
    with pytest.raises(BadRequest, match="too short to sign cookies with"):
        cookie_secret()
    monkeypatch.setenv(SECRET, "y" * 32)
    assert cookie_secret() == "y" * 32


def test_the_hosts_and_the_address_to_give_to_the_class() -> None:
    assert Serving().hosts == ["127.0.0.1:5006", "localhost:5006"]
    assert Serving().url == "http://127.0.0.1:5006/"
    wide = Serving("0.0.0.0", 80, origins=("192.168.1.5", "box.example:8080"))
    assert wide.hosts == ["127.0.0.1:80", "192.168.1.5:80", "box.example:8080", "localhost:80"]
    assert (wide.url, wide.own, wide.behind_proxy) == ("http://192.168.1.5:80/", False, False)
    proxied = Serving(origins=("https://School.example/",))
    assert (proxied.url, proxied.behind_proxy) == ("https://School.example/", True)
    assert "school.example:80" in proxied.hosts


# While it runs


class Written(logging.Handler):
    """The lines that the server writes, as it writes them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logs.OneLine("%(levelname)s %(name)s: %(message)s"))
        self.addFilter(logs._said_once)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != "asyncio":
            self.lines += self.format(record).splitlines()

    def new(self, least: int = 1) -> list[str]:
        """What has come since; of a request it may come a little later than the answer."""
        end = time.monotonic() + 5
        while len(self.lines) < least and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)
        lines, self.lines = self.lines, []
        return lines


@pytest.fixture
def written(faults: Any) -> Iterator[Written]:
    """The server's log; a refusal that Bokeh calls an error is not a fault."""
    handler = Written()
    loggers = logging.getLogger(), logging.getLogger("panel"), logging.getLogger("bokeh")
    for logger in loggers:
        logger.addHandler(handler)
    yield handler
    for logger in loggers:
        logger.removeHandler(handler)
    faults.seen.clear()


@pytest.fixture(scope="module")
def locked() -> Iterator[Served]:
    """A server with a password."""
    with Served(password=PASSWORD) as running:
        yield running


class Visitor:
    """A client that keeps its cookies."""

    def __init__(self, served: Served) -> None:
        self.port = served.server.port
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, method: str = "GET", fields: dict[str, str] | None = None, **headers: str) -> Any:
        """The answer, its text in ``body``."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"Cookie": cookie} if cookie else {}
        body = None if fields is None else urlencode(fields)
        form = {} if fields is None else {"Content-Type": "application/x-www-form-urlencoded"}
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in (given | form | {name.replace("_", "-"): value for name, value in headers.items()}).items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() if body is not None else None)
        answer: Any = connection.getresponse()
        answer.body = answer.read().decode("utf-8", "replace")
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: part.value for name, part in SimpleCookie(line).items()}
        connection.close()
        return answer

    def enter(self, password: str) -> Any:
        """Says the password."""
        form = self.ask("/login?next=/%3Fgame%3Dpoker_marshal").body
        token = re.findall(r'name="_xsrf" value="([^"]+)"', form)[0]
        return self.ask("/login?next=/%3Fgame%3Dpoker_marshal", "POST", {"password": password, "_xsrf": token})


def socket_of(served: Served, ticket: str, origin: str = "", messages: tuple[str, ...] = (), cookie: str = "") -> str:
    """What becomes of a socket: "403", or how it was closed, or "open"."""

    async def go() -> str:
        headers = {"Origin": origin or served.url.rstrip("/")} | ({"Cookie": cookie} if cookie else {})
        request = HTTPRequest(served.url.replace("http", "ws", 1) + "ws", headers=headers)
        try:
            made = await websocket_connect(request, subprotocols=["bokeh", ticket], max_message_size=1 << 26)
        except HTTPClientError as refused:
            return str(refused.code)
        if await made.read_message() is None:
            return f"closed {made.close_code or ''}".strip()
        with suppress(WebSocketClosedError):
            for message in messages:
                await made.write_message(message)
        for _ in range(50):
            if not messages or await made.read_message() is None:
                break
        made.close()
        return "open" if not messages else f"closed {made.close_code}"

    return str(IOLoop().run_sync(go, timeout=30))


def ticket_of(visitor: Visitor, query: str = "") -> str:
    """The ticket that comes with a page."""
    return re.findall(r'"token":"([^"]+)"', visitor.ask("/" + query).body)[0]


def test_a_stranger_is_asked_for_the_password_and_comes_in_with_it(locked: Served, written: Written) -> None:
    visitor = Visitor(locked)
    answer = visitor.ask("/?game=poker_marshal&seed=77")
    assert (answer.status, answer.headers["Location"].partition("?")[0]) == (302, "./login")
    assert 'type="password"' in visitor.ask("/login").body
    assert "Вход по паролю" in visitor.ask("/login?next=%2F%3Fgame%3Dpoker_marshal%26language%3Dru").body
    entered = visitor.enter(PASSWORD)
    assert (entered.status, entered.headers["Location"]) == (302, "/?game=poker_marshal")
    cookie = next(line for line in entered.headers.get_all("Set-Cookie") if line.startswith(f"{web.COOKIE}="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert visitor.ask("/").status == 200
    assert socket_of(locked, ticket_of(visitor), cookie=f"{web.COOKIE}={visitor.cookies[web.COOKIE]}") == "open"
    assert written.new(0) == []


def test_a_wrong_password_is_refused_and_written_down_in_one_line(locked: Served, written: Written) -> None:
    visitor = Visitor(locked)
    answer = visitor.enter("open sesame 5")
    assert answer.status == 403
    assert "That is not the password of this room." in answer.body
    assert web.COOKIE not in visitor.cookies
    assert written.new() == ["WARNING cardlab.dashboard.web: refused a wrong password from 127.0.0.1"]


def test_too_many_wrong_passwords_are_not_even_looked_at(locked: Served, written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TRIES", 2)
    monkeypatch.setattr(web, "SLOW", 0.0)
    web.Login.wrong.clear()
    visitor = Visitor(locked)
    assert [visitor.enter(password).status for password in ("wrong", "wrong", PASSWORD)] == [403, 403, 429]
    web.Login.wrong.clear()
    assert visitor.enter(PASSWORD).status == 302
    assert len(written.new(3)) == 3


@pytest.mark.parametrize("forged", ["1", "2|1:0|10:1790000000|7:cardlab|4:MQ==|" + "0" * 64, "garbage"])
def test_a_forged_cookie_opens_nothing(locked: Served, written: Written, forged: str) -> None:
    visitor = Visitor(locked)
    visitor.cookies[web.COOKIE] = forged
    assert visitor.ask("/").status == 302
    assert written.new() == ["WARNING cardlab.dashboard.web: refused a cookie that is forged or too old from 127.0.0.1"]
    assert socket_of(locked, "x", cookie=f"{web.COOKIE}=1") in ("403", "410")
    assert len(written.new()) == 1


def test_a_form_of_another_site_is_refused(locked: Served, written: Written) -> None:
    answer = Visitor(locked).ask("/login", "POST", {"password": PASSWORD})
    assert answer.status == 403
    assert "The form was too old, or the browser keeps no cookies." in answer.body
    assert written.new() == ["WARNING tornado.access: 403 POST /login from 127.0.0.1"]


@pytest.mark.parametrize("away", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_the_password_leads_nowhere_else(locked: Served, away: str) -> None:
    visitor = Visitor(locked)
    token = re.findall(r'name="_xsrf" value="([^"]+)"', visitor.ask("/login").body)[0]
    answer = visitor.ask("/login?" + urlencode({"next": away}), "POST", {"password": PASSWORD, "_xsrf": token})
    assert (answer.status, answer.headers["Location"]) == (302, "/")


def test_a_foreign_origin_is_refused(served: Served, written: Written) -> None:
    ticket = ticket_of(Visitor(served))
    assert socket_of(served, ticket, "https://evil.example") == "403"
    assert written.new() == ["WARNING tornado.access: 403 GET /ws for a page of evil.example from 127.0.0.1"]


def test_a_page_under_a_foreign_name_says_under_which_it_is_served(served: Served, written: Written) -> None:
    answer = Visitor(served).ask("/?game=poker_marshal&seed=77", Host="evil.example:5006")
    assert answer.status == 403
    assert f"The page was asked for as evil.example:5006, and the server answers as {served.url}." in answer.body
    assert written.new() == ["WARNING cardlab.dashboard.web: refused a page under the foreign host 'evil.example:5006' from 127.0.0.1"]


def test_a_session_that_nobody_has_signed_is_none(served: Served, written: Written) -> None:
    before = len(served.sessions)
    own = generate_jwt_token(generate_session_id(), signed=False)
    assert socket_of(served, own) == "410"
    assert socket_of(served, "no ticket at all".replace(" ", "")) == "410"
    assert Visitor(served).ask("/?bokeh-session-id=mine").status == 403
    assert len(served.sessions) == before
    assert all("\n" not in line for line in written.new())


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../../etc/passwd",
        "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/static/extensions/panel/../../../../../etc/passwd",
        "/static/extensions/panel/%2e%2e/%2e%2e/%2e%2e/config.py",
        "/static//etc/passwd",
        "/components/panel.io.server/DocHandler/__module__/../../../etc/passwd",
        "/components/cardlab.dashboard.pane/Module/_esm/..%2f..%2fserver.py",
    ],
)
def test_no_path_leads_out_of_the_files_of_the_page(served: Served, written: Written, path: str) -> None:
    answer = Visitor(served).ask(path)
    assert answer.status in (400, 403, 404), answer.body[:300]
    assert "root:" not in answer.body
    lines = written.new()
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"WARNING tornado.access: {answer.status} GET /")


def test_what_is_too_large_is_refused(served: Served, written: Written) -> None:
    ticket = ticket_of(Visitor(served))
    assert socket_of(served, ticket, messages=("x" * (serving_.LARGEST + 1),)).startswith("closed")
    assert len(written.new(0)) <= 1
    answer = Visitor(served).ask("/?" + "x" * 60_000)
    assert answer.status in (200, 400, 414, 431)


def test_a_message_that_cannot_be_read_is_one_line_and_none_of_it(served: Served, written: Written) -> None:
    ticket = ticket_of(Visitor(served))
    assert socket_of(served, ticket, messages=("{'secret': 4711", "{}", "{}")).startswith("closed")
    lines = written.new()
    assert 1 <= len(lines) <= 3, lines  # a line for each of the parts that come before the socket is closed
    assert set(lines) == {"ERROR bokeh.server.views.ws: refused a message that cannot be read"}


@pytest.mark.parametrize(
    "path", ["/autoload.js?bokeh-autoload-element=1", "/metadata", "/chance/autoload.js", "/admin", "/rest", "/nothing"]
)
def test_there_are_no_other_pages(served: Served, path: str) -> None:
    answer = Visitor(served).ask(path)
    assert answer.status == 404
    assert "There is no such page" in answer.body


def test_every_answer_has_the_headers_of_safety(served: Served) -> None:
    for path in ("/", "/chance", "/nothing", "/healthz", "/static/js/bokeh.min.js"):
        headers = Visitor(served).ask(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "ornado" not in headers["Server"]


def test_a_learning_platform_may_frame_the_page_when_asked_for() -> None:
    with Served(frames=("https://moodle.example",), origins=("https://school.example",), password=PASSWORD) as served:
        visitor = Visitor(served)
        headers = visitor.ask("/login", Host="school.example", X_Forwarded_Proto="https").headers
        assert "frame-ancestors 'self' https://moodle.example" in headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in headers
        token = re.findall(r'name="_xsrf" value="([^"]+)"', visitor.ask("/login").body)[0]
        entered = visitor.ask("/login", "POST", {"password": PASSWORD, "_xsrf": token}, X_Forwarded_Proto="https")
        cookie = next(line for line in entered.headers.get_all("Set-Cookie") if line.startswith(f"{web.COOKIE}="))
        assert "SameSite=None" in cookie
        assert "Secure" in cookie


def test_a_full_room_says_so(written: Written) -> None:
    with Served(sessions=2) as served:
        visitor = Visitor(served)
        assert [visitor.ask("/?game=suicide_king").status for _ in range(3)] == [200, 200, 503]
        answer = visitor.ask("/chance?language=ru")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "30")
        assert "Свободных мест нет" in answer.body
        assert visitor.ask("/healthz").status == 200
        assert written.new()[0] == "WARNING cardlab.dashboard.web: refused a page: 2 are open, and there may be 2"


def test_health_is_red_when_a_page_cannot_be_made(monkeypatch: pytest.MonkeyPatch, faults: Any) -> None:
    def broken(asked: Any, serving: Any) -> Any:
        raise RuntimeError("planted")

    monkeypatch.setattr(serving_, "AGAIN", 0.0)
    with Served() as served:
        visitor = Visitor(served)
        answer = visitor.ask("/healthz")
        assert (answer.status, json.loads(answer.body)["status"]) == (200, "ok")
        assert not faults.seen
        monkeypatch.setitem(serving_.PAGES, "/chance", broken)
        answer = visitor.ask("/healthz")
        assert (answer.status, json.loads(answer.body)["failing"]) == (503, ["/chance"])
        assert "planted" in faults.seen[0]
    faults.seen.clear()


# What is written down


def test_nothing_secret_is_written(locked: Served, written: Written, capfd: pytest.CaptureFixture[str]) -> None:
    """Passwords, cookies, tickets, seeds and links, in whatever goes wrong."""
    visitor = Visitor(locked)
    visitor.enter("hunter2-hunter2")
    visitor.enter(PASSWORD)
    visitor.ask("/?link=cl1-secretlink")
    ticket = ticket_of(visitor, "?game=suicide_king&seed=987654321")
    cookie = visitor.cookies[web.COOKIE]
    visitor.ask("/nothing?seed=987654321&link=cl1-secretlink")
    visitor.ask("/nothing", Referer="http://127.0.0.1/?seed=987654321")
    socket_of(locked, ticket[:-3] + "abc", cookie=f"{web.COOKIE}={cookie}")
    socket_of(locked, ticket, "http://evil.example/?seed=987654321", cookie=f"{web.COOKIE}={cookie}")
    socket_of(locked, ticket, messages=("hunter2 987654321", "{}", "{}"), cookie=f"{web.COOKIE}={cookie}")
    said = "\n".join(written.new()) + "".join(capfd.readouterr())
    assert said
    for secret in (PASSWORD, "hunter2", cookie, ticket, "987654321", "secretlink"):
        assert secret not in said, said


def test_a_browser_can_ask_whether_its_session_is_there(served: Served, written: Written) -> None:
    visitor = Visitor(served)
    assert visitor.ask("/here", Cardlab_Ticket=ticket_of(visitor)).status == 204
    for unknown in ("", "x", "a.b.c", generate_jwt_token(generate_session_id(), signed=False)):
        assert visitor.ask("/here", Cardlab_Ticket=unknown).status == 410
    assert written.new(0) == []


def test_a_link_is_read_beside_the_pages_and_then_opened(locked: Served, served: Served) -> None:
    address.READ.clear()
    stranger = Visitor(locked).ask("/?link=cl1-abc")
    assert (stranger.status, stranger.headers["Location"]) == (302, "./login?next=%2F%3Flink%3Dcl1-abc")
    assert not address.READ
    visitor = Visitor(served)
    asked = f"/?link={share(Desk('suicide_king', 3, seed=7).step()).text}"
    first = visitor.ask(asked)
    assert (first.status, first.headers["Location"]) == (302, asked)
    assert len(address.READ) == 1
    assert visitor.ask(asked).status == 200
    assert not address.READ


def test_the_texts_of_the_pages_stand_in_both_languages() -> None:
    for name in ("missing", "foreign", "full", "closing", "login"):
        assert Words("en").text(f"serve.{name}.title") != Words("ru").text(f"serve.{name}.title")
