"""How long it takes from a click to the painted table, in Chromium, for each game: ``python tests/bench/latency.py --json``.

Half of the clicks are on a card or a pile of the table where one may be clicked, the others on Step. The clock starts with the click
in the browser and stops after the frame that shows the new table; the server runs in the same process.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

sys.path[:0] = [str(Path(__file__).parents[1] / "dashboard"), str(Path(__file__).parents[2])]
from page_tools import Served

from cardlab import GAMES
from tests.conftest import CHROMIUM_ARGS

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLICKS = 60
# Waits in the browser itself, so that Playwright's own way to and fro is not measured.
WATCH = """() => {
  const table = (root) => root.querySelector("svg[data-step]") ||
    [...root.querySelectorAll("*")].map((e) => e.shadowRoot && table(e.shadowRoot)).find(Boolean);
  window.painted = [];
  document.addEventListener("click", () => {
    const start = performance.now();
    const was = table(document)?.outerHTML;
    const look = () => {
      if (table(document)?.outerHTML === was && performance.now() - start < 5000) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => window.painted.push(performance.now() - start)));
    };
    requestAnimationFrame(look);
  }, true);
}"""


def measure(page: Page, url: str, name: str) -> list[float]:
    """The times of many clicks in one game, in milliseconds."""
    page.goto(f"{url}?game={name}&seed=7")
    page.locator("svg[data-step]").wait_for(timeout=30_000)
    page.evaluate(WATCH)
    step = page.get_by_role("button", name="Step", exact=True)
    for k in range(CLICKS):
        card = page.locator("svg[data-step] [data-say]").first
        (card if k % 2 and card.count() else step).click()
        page.wait_for_function("n => window.painted.length > n", arg=k, timeout=10_000)
        page.wait_for_timeout(320)  # a person is no faster, and the cards have travelled
    return [float(ms) for ms in page.evaluate("window.painted")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with Served() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_ARGS)
        for name in GAMES:
            times = measure(browser.new_page(viewport={"width": 1440, "height": 900}), served.url, name)
            p95 = statistics.quantiles(times, n=20)[-1]
            figures[name] = {"clicks": len(times), "median_ms": round(statistics.median(times), 1), "p95_ms": round(p95, 1)}
        browser.close()
    if options.json:
        print(json.dumps(figures))
        return
    for name, found in figures.items():
        print(f"{name}: median {found['median_ms']} ms, p95 {found['p95_ms']} ms of {found['clicks']} clicks")


if __name__ == "__main__":
    main()
