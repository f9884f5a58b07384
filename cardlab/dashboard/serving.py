"""How the page is to be served: what is safe is what happens unless somebody asks for more, and what would not work is refused."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cardlab.core.errors import BadRequest, quoted
from cardlab.desk import spoken
from cardlab.desk.asked import whole

EVERYWHERE: Final = ("0.0.0.0", "::", "")
SESSIONS: Final = 100  # tried on two processors
SHORTEST: Final = 8  # characters of a password
SECRET: Final = "CARDLAB_COOKIE_SECRET"  # the variable of the environment
HOST: Final = re.compile(r"(https?://)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?/?", re.IGNORECASE | re.ASCII)
FRAME: Final = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Serving:
    """What was asked for, checked.

    ``origins`` are the hosts under which browsers may name this server, as in ``192.168.1.5:5006`` or ``https://school.example``; without
    a port one of a host is the server's own. ``frames`` are the sites that may show it in a frame, ``sessions`` how many open pages there
    may be. Raises BadRequest for what cannot be, or would not be safe.

    >>> Serving(origins=("box.example",)).hosts
    ['127.0.0.1:5006', 'box.example:5006', 'box.example:80', 'localhost:5006']
    >>> Serving(address="0.0.0.0", origins=("https://school.example",)).url
    'https://school.example/'
    """

    address: str = "127.0.0.1"
    port: int = 5006
    origins: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)
    sessions: int = SESSIONS
    language: str = "en"

    def __post_init__(self) -> None:
        spoken(self.language)
        if not 0 <= self.port <= 65535:
            raise BadRequest("page.error.port", port=str(self.port))
        if not 1 <= self.sessions <= 10_000:
            raise BadRequest("serve.error.sessions", given=str(self.sessions))
        for origin in self.origins:
            found = HOST.fullmatch(origin)
            if found is None or int(found[3] or 0) > 65535:
                raise BadRequest("serve.error.origin", given=quoted(origin))
        for frame in self.frames:
            if not FRAME.fullmatch(frame):
                raise BadRequest("serve.error.frame", given=quoted(frame))
        if not self.origins and not self.own:
            raise BadRequest("serve.error.wide", address=self.address, origin=f"{own_address()}:{self.port}")

    @property
    def own(self) -> bool:
        """Whether this machine alone can reach the server."""
        if self.address in EVERYWHERE:
            return False
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return self.address == "localhost"

    @property
    def behind_proxy(self) -> bool:
        """Whether another program of this machine hands on what other machines ask: then it says who they are."""
        return self.own and bool(self.origins)

    @property
    def hosts(self) -> list[str]:
        """The hosts under which a browser may name this server; from any other the page would stay blank."""
        names = {"localhost", "127.0.0.1", "" if self.address in EVERYWHERE else self.address}
        hosts = {f"{name}:{self.port}" for name in names if name}
        for origin in self.origins:
            found = HOST.fullmatch(origin)
            assert found is not None
            scheme, name, port = found.groups()
            usual = ["80"] if scheme else [str(self.port), "80"]  # Bokeh's word for no port, whatever the scheme
            hosts |= {f"{name.lower()}:{each}" for each in ([port] if port else usual)}
        return sorted(hosts)

    @property
    def url(self) -> str:
        """The address to give to the class."""
        if self.origins:
            found = HOST.fullmatch(self.origins[0])
            assert found is not None
            scheme, name, port = found.groups()
            return f"{scheme or 'http://'}{name}{f':{port}' if port else '' if scheme else f':{self.port}'}/"
        return f"http://{self.address}:{self.port}/"


def asked(
    address: str = "127.0.0.1",
    port: int = 5006,
    origins: tuple[str, ...] = (),
    frames: tuple[str, ...] = (),
    password_file: str | None = None,
    sessions: str = str(SESSIONS),
    language: str = "en",
) -> Serving:
    """What the words of a command line ask for; raises BadRequest."""
    many = whole(sessions)
    if not isinstance(many, int):
        raise BadRequest("serve.error.sessions", given=quoted(sessions))
    return Serving(address, port, origins, frames, None if password_file is None else password_in(password_file), many, language)


def password_in(path: str) -> str:
    """The password that is the only line of a file; raises BadRequest."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError):
        raise BadRequest("serve.error.password_file", file=path) from None
    password = lines[0].strip() if lines else ""
    if len(password) < SHORTEST or any(line.strip() for line in lines[1:]):
        raise BadRequest("serve.error.password", file=path, least=SHORTEST)
    return password


def cookie_secret() -> str:
    """What cookies and sessions are signed with: made anew at each start, unless the environment holds one; raises BadRequest.

    Several servers behind one address, and one that is started again, need the same.
    """
    given = os.environ.get(SECRET)
    if given is None:
        return secrets.token_urlsafe(32)
    if len(given) < 32:
        raise BadRequest("serve.error.secret", name=SECRET)
    return given


def own_address() -> str:
    """An address of this machine for others, as far as it knows one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
