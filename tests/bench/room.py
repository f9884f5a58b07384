"""A room of visitors over real websockets: ``python tests/bench/room.py --json``.

The server runs in a process of its own, as ``cardlab serve`` runs it. Each visitor opens the page of a game (the three in turn, in
English and Russian, each with a deal of its own), tells the width of its window as a browser does, and presses Step once a second. The
clock starts when the press is sent and stops when the table of the next step has come. A game that has ended is begun again.

``first`` is the time from asking for the page to having the whole document; a browser then draws it. ``left`` is what the server still
holds after the visitors have gone, and after the time that Bokeh leaves for them to come back. Memory is the greatest resident set of a
wave, of the server and the processes that count for it together, in MB; ``minutes`` has that of each minute of the run. A soak is one
wave that stays long: ``--visitors 10 --seconds 3600 --waves 1``.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import asyncio
import gc
import json
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

PAGES = [
    f"?game={game}&language={language}" for language in ("en", "ru") for game in ("suicide_king", "fight_for_the_lead", "poker_marshal")
]
PATIENCE = 30  # seconds after which an answer counts as lost
STEP = re.compile(r'data-step="(\d+)"')


class Lost(Exception):
    """The server has closed a visitor's socket, or does not answer."""


@dataclass
class Visitor:
    """One browser: its socket, and the models of the page that it presses and watches."""

    number: int
    url: str
    query: str = ""
    steps: list[float] = field(default_factory=list)
    first: float = 0.0
    at: int = 0
    lost: str = ""
    _socket: WebSocketClientConnection | None = None
    _ids: count[int] = field(default_factory=lambda: count(1))

    async def open(self) -> None:
        """Asks for the page and for its document."""
        began = time.perf_counter()
        page = await AsyncHTTPClient().fetch(
            f"{self.url}{self.query or PAGES[self.number % len(PAGES)]}&seed={self.number}", request_timeout=PATIENCE
        )
        token = re.search(r'"token":"([^"]+)"', page.body.decode())
        assert token is not None, "the page has no session"
        request = HTTPRequest(self.url.replace("http", "ws", 1) + "ws", headers={"Origin": self.url.rstrip("/")})
        self._socket = await websocket_connect(request, subprotocols=["bokeh", token[1]], max_message_size=1 << 26)
        await self._receive()  # the server's ACK
        await self._send("PULL-DOC-REQ", {})
        while (message := await self._receive())[0]["msgtype"] != "PULL-DOC-REPLY":
            pass
        self.first = time.perf_counter() - began
        panes = dict(_panes(message[2]["doc"]["roots"]))
        self.table = next(at for at, data in panes.items() if "cl-table" in str(data.get("lines", "")))
        self.buttons = next(at for at, data in panes.items() if 'data-key="restart"' in str(data.get("lines", "")))
        browser = next(at for at, data in panes.items() if "address" in data)
        for name, value in (("columns", 3), ("tall", False)):
            await self._change(browser, name, value)
        ready = {"type": "event", "name": "document_ready", "values": {"type": "map"}}
        await self._send("PATCH-DOC", {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready}]})

    async def press(self, say: str, to: int | None = None) -> None:
        """Presses a button and waits for the table of the step that it leads to, or of another than this."""
        began, before = time.perf_counter(), self.at
        await self._change(self.buttons, "said", {"type": "map", "entries": [["say", say], ["mark", "0"], ["n", began]]})
        while self.at != to if to is not None else self.at == before:
            await self._see()
        self.steps.append(time.perf_counter() - began)

    async def stay(self, seconds: float, every: float) -> None:
        """Steps through the game, once in so many seconds."""
        end = time.perf_counter() + seconds
        await asyncio.sleep(every * (self.number * 0.618 % 1))  # people do not press together
        while (now := time.perf_counter()) < end:
            ended, self._ended = self._ended, False
            await (self.press("restart", 0) if ended else self.press("step", self.at + 1))
            due = now + every
            while (rest := due - time.perf_counter()) > 0:
                await self._see(rest)

    _ended = False

    async def _see(self, patience: float | None = None) -> None:
        """The next message; with a patience of its own nothing need come."""
        try:
            kind, _, content = await self._receive(patience or PATIENCE)
        except TimeoutError:
            if patience is None:
                raise Lost("no answer") from None
            return
        if kind["msgtype"] == "ERROR":
            raise Lost(content["text"])
        for event in content.get("events", ()):
            if event.get("kind") != "ModelChanged":
                continue
            if event["model"]["id"] == self.table and event["attr"] == "lines":
                found = STEP.search(str(event["new"]))
                self.at = int(found[1]) if found else self.at
            elif event["model"]["id"] == self.buttons and event["attr"] == "lines":
                step = next(line for line in event["new"] if 'data-key="step"' in line)
                self._ended = "disabled" in step

    async def _receive(self, patience: float = PATIENCE) -> list[Any]:
        assert self._socket is not None
        if self._pending is None:
            self._pending = asyncio.ensure_future(self._message(self._socket))
        await asyncio.wait({self._pending}, timeout=patience)
        if not self._pending.done():
            raise TimeoutError
        pending, self._pending = self._pending, None
        return pending.result()

    _pending: asyncio.Future[list[Any]] | None = None

    async def _message(self, socket: WebSocketClientConnection) -> list[Any]:
        parts: list[Any] = []
        while len(parts) < 3:
            part = await socket.read_message()
            if part is None:
                raise Lost(f"closed: {socket.close_code} {socket.close_reason or ''}".rstrip())
            parts.append(json.loads(part))
        for _ in range(2 * parts[0].get("num_buffers", 0)):
            await socket.read_message()
        return parts

    async def _change(self, model: str, name: str, value: Any) -> None:
        await self._send("PATCH-DOC", {"events": [{"kind": "ModelChanged", "model": {"id": model}, "attr": name, "new": value}]})

    async def _send(self, kind: str, content: dict[str, Any]) -> None:
        assert self._socket is not None
        for part in ({"msgid": str(next(self._ids)), "msgtype": kind}, {}, content):
            await self._socket.write_message(json.dumps(part))

    def close(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
        if self._socket is not None:
            self._socket.close()


def _panes(part: Any) -> Any:
    """The models of a document that hold what a pane shows, with their values."""
    if isinstance(part, dict):
        data = part.get("attributes", {}).get("data") if isinstance(part.get("attributes"), dict) else None
        if isinstance(data, dict) and "attributes" in data:
            yield data["id"], data["attributes"]
        for value in part.values():
            yield from _panes(value)
    elif isinstance(part, list):
        for value in part:
            yield from _panes(value)


class Server:
    """``cardlab serve`` in a process of its own, which also tells what it holds."""

    def __init__(self, lasting: int = 60) -> None:
        command = [sys.executable, __file__, "--serve", "--lasting", str(lasting)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.url = self._line()
        self.peak = 0.0
        self.minutes: list[float] = []  # the greatest memory of each
        self._end, self._began = threading.Event(), time.monotonic()
        threading.Thread(target=self._watch, daemon=True).start()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def _watch(self) -> None:
        while not self._end.wait(0.2):
            memory, minute = self.memory, int((time.monotonic() - self._began) / 60)
            self.peak = max(self.peak, memory)
            self.minutes += [0.0] * (minute + 1 - len(self.minutes))
            self.minutes[minute] = max(self.minutes[minute], memory)

    @property
    def memory(self) -> float:
        """The resident sets of the server and of the processes that count for it, in MB."""
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text("ascii").split()
        return sum(map(_resident, [own, *children]))

    @property
    def held(self) -> dict[str, int]:
        """The sessions and documents that live."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        held: dict[str, int] = json.loads(self._line())
        return held

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self.process.terminate()
        self.process.wait(60)


def _resident(process: int | str) -> float:
    try:
        found = re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text("ascii"))
    except OSError:
        found = []  # it has just ended
    return int(found[0]) / 1024 if found else 0.0


def serve(lasting: int) -> None:
    """The server, whose sessions wait so many seconds for a browser to come back; for every line that comes it tells what it holds."""
    from bokeh.document import Document

    from cardlab.dashboard.server import counting_beside, listening
    from cardlab.dashboard.serving import Serving

    patience = {"unused_session_lifetime_milliseconds": 1000 * lasting, "check_unused_sessions_milliseconds": min(1000 * lasting, 10_000)}
    made, _ = listening(Serving(port=0, sessions=1_000), **patience)

    def tell() -> None:
        gc.collect()
        documents = sum(isinstance(thing, Document) and thing.session_context is not None for thing in gc.get_objects())
        print(json.dumps({"sessions": len(made.get_sessions()), "documents": documents}), flush=True)

    def listen() -> None:
        for _ in sys.stdin:
            made.io_loop.add_callback(tell)

    threading.Thread(target=listen, daemon=True).start()
    made.io_loop.asyncio_loop.add_signal_handler(signal.SIGTERM, made.io_loop.stop)
    made.start()
    print(f"http://127.0.0.1:{made.port}/", flush=True)
    with counting_beside():
        made.io_loop.start()


async def wave(server: Server, visitors: int, seconds: float, every: float, arrive: float) -> list[Visitor]:
    """Visitors who come within so many seconds, stay, and go."""
    room = [Visitor(number, server.url) for number in range(visitors)]
    all_here = asyncio.Event()
    here = count(1)

    async def visit(visitor: Visitor) -> None:
        try:
            await asyncio.sleep(arrive * visitor.number / visitors)
            await visitor.open()
            if next(here) == visitors:
                all_here.set()
            while not all_here.is_set():  # what is pressed while others still load the page is another figure
                await visitor.stay(every, every)
            visitor.steps.clear()
            await visitor.stay(seconds, every)
        except Exception as fault:
            visitor.lost = f"{type(fault).__name__}: {fault}"
            all_here.set()
        finally:
            visitor.close()

    await asyncio.gather(*map(visit, room))
    return room


def gone(server: Server, patience: float = 150) -> dict[str, int]:
    """What the server holds when all have gone: as soon as that is nothing, or after so many seconds."""
    end = time.monotonic() + patience
    while any((held := server.held).values()) and time.monotonic() < end:
        time.sleep(2)
    return held


def beside(seconds: float = 10.0) -> dict[str, Any]:
    """How one visitor steps while another finishes ten deals of Poker Marshal again and again."""

    async def both(url: str) -> tuple[Visitor, Visitor]:
        light, heavy = Visitor(0, url), Visitor(1, url, "?game=poker_marshal&deals=10&language=en")
        await asyncio.gather(light.open(), heavy.open())
        end = time.perf_counter() + seconds

        async def load() -> None:
            while time.perf_counter() < end:
                await heavy.press("finish")
                await heavy.press("restart")

        await asyncio.gather(light.stay(seconds, 0.5), load())
        for visitor in (light, heavy):
            visitor.close()
        return light, heavy

    with Server() as server:
        light, heavy = asyncio.run(both(server.url))
    return {
        "steps": len(light.steps),
        "p95_ms": percentile(light.steps, 0.95),
        "heavy": len(heavy.steps),
        "heavy_ms": percentile(heavy.steps, 0.5),
    }


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return round(sorted(times)[min(int(share * len(times)), len(times) - 1)] * 1000, 1) if times else 0.0


def measured(visitors: int, seconds: float, every: float = 1.0, waves: int = 2, arrive: float = 10.0, lasting: int = 60) -> dict[str, Any]:
    """The figures of so many waves."""
    with Server(lasting) as server:
        told: dict[str, Any] = {"visitors": visitors, "seconds": seconds, "memory_before": round(server.memory, 1), "waves": []}
        for _ in range(waves):
            server.peak = 0.0
            room = asyncio.run(wave(server, visitors, seconds, every, arrive))
            steps = [step for visitor in room for step in visitor.steps]
            first = [visitor.first for visitor in room if visitor.first]
            told["waves"].append(
                {
                    "steps": len(steps),
                    "median_ms": round(statistics.median(steps) * 1000, 1) if steps else 0.0,
                    "p95_ms": percentile(steps, 0.95),
                    "max_ms": percentile(steps, 1.0),
                    "first_median_ms": percentile(first, 0.5),
                    "first_p95_ms": percentile(first, 0.95),
                    "disconnected": [f"{visitor.number}: {visitor.lost}" for visitor in room if visitor.lost],
                    "memory": round(server.peak, 1),
                    "left": gone(server),
                }
            )
        told["minutes"] = [round(each, 1) for each in server.minutes]
        return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60, help="how long a wave stays once all are here (60)")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two presses (1)")
    parser.add_argument("--arrive", type=float, default=10.0, help="seconds within which a wave comes (10)")
    parser.add_argument("--waves", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lasting", type=int, default=60, help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        with suppress(KeyboardInterrupt):
            serve(asked.lasting)
        return None
    told = measured(asked.visitors, asked.seconds, asked.every, asked.waves, asked.arrive)
    if asked.json:
        print(json.dumps(told))
        return None
    print(f"{told['visitors']} visitors, {told['seconds']:g} s each wave, {told['memory_before']} MB before")
    for number, row in enumerate(told["waves"], 1):
        print(f"wave {number}: " + ", ".join(f"{name} {value}" for name, value in row.items()))
    return None


if __name__ == "__main__":
    main()
