"""How long it takes from a click to the painted table, in Chromium, for each game: ``python tests/bench/latency.py --json``.

Half of the clicks are on a card or a pile of the table where one may be clicked, the others on Step. The clock starts with the click
in the browser and stops after the frame that shows the new table; the server runs in the same process. ``odds`` is how much later the
exact odds of the new moment are there (Suicide King, where all are exact). ``files`` are cardlab's own scripts, styles and drawings,
compressed, in KB. ``first`` compares the time to the first table in a fresh browser with that to the text of a bare Panel page.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import gzip
import json
import shutil
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import panel as pn
from playwright.sync_api import sync_playwright

sys.path[:0] = [str(Path(__file__).parents[1] / "dashboard"), str(Path(__file__).parents[2])]
from page_tools import Served

import cardlab
from cardlab import GAMES
from tests.conftest import CHROMIUM_ARGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CLICKS = 60
# Waits in the browser itself, so that Playwright's own way to and fro is not measured.
WATCH = """() => {
  const find = (root, selector) => root.querySelector(selector) ||
    [...root.querySelectorAll("*")].map((e) => e.shadowRoot && find(e.shadowRoot, selector)).find(Boolean);
  const [table, side] = ["svg[data-step]", ".switch"].map((selector) => find(document, selector).getRootNode());
  window.painted = [];
  window.told = [];
  document.addEventListener("click", () => {
    const start = performance.now();
    const drawn = () => table.querySelector("svg[data-step]")?.outerHTML;
    const was = drawn();
    const until = (done, times) => {
      const look = () => {
        if (!done() && performance.now() - start < 5000) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - start)));
      };
      requestAnimationFrame(look);
    };
    until(() => drawn() !== was, window.painted);
    until(() => drawn() !== was && !side.querySelector(".counting"), window.told);
  }, true);
}"""


def measure(page: Page, url: str, name: str) -> tuple[list[float], list[float]]:
    """The times of many clicks in one game, in milliseconds, to the table and to the odds."""
    page.goto(f"{url}?game={name}&seed=7")
    page.locator("svg[data-step]").wait_for(timeout=30_000)
    page.evaluate(WATCH)
    step = page.get_by_role("button", name="Step", exact=True)
    for k in range(CLICKS):
        card = page.locator("svg[data-step] [data-say]").first
        (card if k % 2 and card.count() else step).click()
        page.wait_for_function("n => window.told.length > n", arg=k, timeout=10_000)
        page.wait_for_timeout(320)  # a person is no faster, and the cards have travelled
    return page.evaluate("window.painted"), page.evaluate("window.told")


def own_files() -> float:
    """The size of cardlab's own files for the browser, compressed, in KB."""
    room = Path(cardlab.__file__).parent
    return sum(len(gzip.compress(path.read_bytes())) for kind in ("js", "css", "svg") for path in room.rglob(f"*.{kind}")) / 1000


def first(browser: Browser, url: str, selector: str) -> float:
    """Milliseconds from the address to what is to be seen, in a browser that has nothing stored."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(selector).first.wait_for(timeout=30_000)
    context.close()
    return 1000 * (time.perf_counter() - began)


def compared(browser: Browser, url: str, turns: int = 7) -> dict[str, float]:
    """The first table beside a bare page, by turns: the median of each."""
    with bare() as other:
        pairs = [
            (first(browser, f"{url}?game=suicide_king&seed=7", "svg[data-step]"), first(browser, other, "text=bare"))
            for _ in range(turns + 1)
        ]
    ours, theirs = (statistics.median(times) for times in zip(*pairs[1:], strict=True))  # the very first loads modules
    return {"ms": round(ours, 1), "bare_ms": round(theirs, 1), "ratio": round(ours / theirs, 2)}


@contextmanager
def bare() -> Iterator[str]:
    """The address of a page of Panel with a word on it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = pn.serve(lambda: pn.pane.Markdown("bare"), port=port, address="127.0.0.1", show=False, threaded=True, verbose=False)
    time.sleep(1)
    yield f"http://127.0.0.1:{port}/"
    server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with Served() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_ARGS)
        for name in GAMES:
            times, told = measure(browser.new_page(viewport={"width": 1440, "height": 900}), served.url, name)
            p95 = statistics.quantiles(times, n=20)[-1]
            figures[name] = {"clicks": len(times), "median_ms": round(statistics.median(times), 1), "p95_ms": round(p95, 1)}
            if name == "suicide_king":
                later = [odds - table for odds, table in zip(told, times, strict=False)]
                figures["odds"] = {"median_ms": round(statistics.median(later), 1), "largest_ms": round(max(later), 1)}
        figures["first"] = compared(browser, served.url)
        figures["files"] = {"kb": round(own_files(), 1)}
        browser.close()
    if options.json:
        print(json.dumps(figures))
        return
    for name, found in figures.items():
        print(f"{name}: {', '.join(f'{key} {value}' for key, value in found.items())}")


if __name__ == "__main__":
    main()
