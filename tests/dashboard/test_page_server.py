"""The server: its start, its refusals, and that a closed tab leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import pytest
from page_tools import Served

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
import room

from cardlab.cli import main
from cardlab.core.errors import BadRequest
from cardlab.dashboard.address import asked_for, desk_for, look_of
from cardlab.dashboard.mend import untie
from cardlab.dashboard.screen import Screen
from cardlab.dashboard.server import listening
from cardlab.dashboard.serving import Serving
from cardlab.dashboard.start import Start


def test_a_port_in_use_is_refused_with_one_sentence_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"cardlab: Port {port} is taken by another program: end that one, or choose another with --port.\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"port": 65536}, "There is no port 65536"),
        ({"port": -1}, "There is no port -1"),
        ({"address": "192.0.2.1", "origins": ("192.0.2.1",)}, "cannot be served at 192.0.2.1"),
        ({"address": "no.such.host.invalid", "origins": ("box.example",)}, "cannot be served at no.such.host.invalid"),
        ({"language": "la"}, "There is no language 'la'"),
    ],
)
def test_what_cannot_be_served_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        listening(Serving(**options))


def test_cardlab_serve_starts_answers_and_ends_with_ctrl_c() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    started = time.monotonic()
    command = [sys.executable, "-m", "cardlab.cli", "serve", "--port", str(port), "--language", "ru"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env={**os.environ, "PYTHONUTF8": "1"}) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        line = running.stdout.readline()
        up = time.monotonic() - started
        assert line == f"cardlab открыт по адресу http://127.0.0.1:{port}/ (Ctrl-C — остановить)\n"
        visitor = room.Visitor(0, f"http://127.0.0.1:{port}/", "?game=suicide_king")

        async def visit() -> None:
            await visitor.open()
            await visitor.press("step", 1)
            visitor.close()

        asyncio.run(visit())
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0
        assert running.stderr.read() == ""  # nothing of what a visitor does is written down
    assert up < 60, f"{up:.1f} s until it listens"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"game": "bridge"}, "There is no game 'bridge'; choose one of suicide_king, fight_for_the_lead, poker_marshal."),
        ({"seed": "-1"}, "seed cannot be '-1'; it must be a whole number from 0 to 2⁶⁴ − 1."),
        ({"seed": "18446744073709551616"}, "seed cannot be 18446744073709551616; it must be a whole number from 0 to 2⁶⁴ − 1."),
        ({"players": "9"}, "SK-0: this game is for 2 to 5 players, not 9."),
        ({"preset": "none"}, "SK-0: there is no preset none; choose one of default, pagat."),
        ({"last_player": "draws"}, "last_player: 'draws' is not allowed"),
        ({"players": "many"}, "The number of players cannot be 'many'; it must be a whole number."),
        ({"language": "la"}, "There is no language 'la': choose one of en, ru."),
    ],
)
def test_a_bad_address_gives_the_usual_game_and_what_is_wrong(asked: dict[str, str], sentence: str) -> None:
    desk, fault = desk_for(asked)
    assert (desk.game.name, desk.game.players) == ("suicide_king", 4)
    assert fault is not None
    assert fault.say(desk.words).startswith(sentence)


def test_a_good_address_is_honoured() -> None:
    desk, fault = desk_for({"game": "fight_for_the_lead", "players": "2", "seed": "12", "language": "ru"})
    assert fault is None
    assert (desk.game.name, desk.game.players, desk.session.seed, desk.words.language) == ("fight_for_the_lead", 2, 12, "ru")


def test_the_mend_of_the_page_is_still_needed() -> None:
    """When this fails, Panel Material UI no longer ties a page to the process: take the mend out."""

    def ties() -> int:
        return len(pn.state.param.watchers.get("busy", {}).get("value", []))

    before = ties()
    page = pmui.Page(busy_indicator=None)
    assert ties() == before + 1
    assert untie(page)
    assert ties() == before


def test_an_address_is_read_with_care() -> None:
    asked = asked_for({"game": [b"poker_marshal"], "theme": [b"dark"], "seed": [b"\xff", b"7"], "evil": [b"1"], "tab": []})
    assert asked == {"game": "poker_marshal", "theme": "dark", "seed": "\N{REPLACEMENT CHARACTER}"}
    assert (look_of(asked).dark, look_of({"theme": "pink", "language": "la"}).language) == (True, "en")


@pytest.mark.browser
def test_closed_tabs_leave_nothing_behind(chromium: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start pages, games and projectors; played, left alone, and left for another page."""
    # a tab closed while its page is being told something: pytest would keep the record with its traceback, and that the page
    monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", True)
    before = _pages()
    with Served(check_unused_sessions_milliseconds=500, unused_session_lifetime_milliseconds=5_000) as served:
        tabs = []
        for query in (
            "",
            "?language=ru&theme=dark",
            "?game=suicide_king&seed=7",
            "?game=poker_marshal&projector=1",
            "?game=fight_for_the_lead",
        ):
            page = chromium.new_page()
            page.goto(served.url + query)
            page.locator("article, svg.cl-table").first.wait_for()
            tabs.append(page)
        tabs[2].locator("button.step").click()
        tabs[2].locator("button.play").click()
        tabs[2].locator("button.play", has_text="Pause").wait_for()
        tabs[3].locator("button.step").click()
        tabs[0].get_by_role("link", name="Rules").first.click()  # from a start page to a game: two sessions in one tab
        tabs[0].locator("svg.cl-table").wait_for()
        documents = served.documents
        assert len(documents) >= len(tabs)
        assert _pages() - before >= len(tabs)
        for page in tabs:
            page.close()
        for _ in range(120):
            if not served.sessions and _pages() <= before:
                break
            time.sleep(0.5)
        assert not served.sessions
        assert _pages() <= before
        assert not [kept for kept in documents if kept() is not None]


def _pages() -> int:
    gc.collect()
    return sum(isinstance(thing, (Screen, Start)) for thing in gc.get_objects())
