"""The stepper in a real JupyterLab: it draws itself, answers clicks, shows faults, and asks no other host."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SOUND = """
import cardlab
stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=0, language="en")
stepper
"""
FAULTY = """
import cardlab
stepper = cardlab.step("suicide_king", seed=7, language="en")
stepper.desk.undo = lambda: 1 / 0
stepper.buttons["step"].click()
stepper
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A JupyterLab with two notebooks; its settings, and those of whoever runs the test, stay apart."""
    folder = tmp_path_factory.mktemp("lab")
    for name, code in (("sound", SOUND), ("faulty", FAULTY)):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code.strip())])
        book.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
        nbformat.write(book, folder / f"{name}.ipynb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    env = {**os.environ, **{name: str(folder / "own" / name.lower()) for name in own}, "PANEL_INLINE": "true"}
    env.pop("PYTEST_VERSION", None)  # the kernel is a learner's
    options = [
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        "--IdentityProvider.token=",
        "--no-browser",
    ]
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--ip=127.0.0.1", *options]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server, folder / "log.txt")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Until the server answers."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert server.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(log.read_text())


def opened(page: Page, lab: str, name: str) -> Locator:
    """The stepper of a notebook whose only cell has been run."""
    from playwright.sync_api import TimeoutError

    page.set_viewport_size({"width": 1300, "height": 1500})
    page.goto(f"{lab}/doc/workspaces/{name}/tree/{name}.ipynb?reset")
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(state="attached", timeout=60_000)
    run = page.locator(".jp-InputPrompt", has_text=re.compile(r"\[[*1]\]"))
    for _ in range(20):  # a key pressed before the notebook listens is lost
        page.locator(".jp-Notebook .jp-CodeCell").first.click()
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(TimeoutError):
            run.wait_for(timeout=3_000)
            break
    stepper = page.locator(".cardlab-stepper").first
    stepper.locator("svg").wait_for(timeout=60_000)
    return stepper


@pytest.mark.browser
def test_it_answers_clicks(page: Page, lab: str) -> None:
    from playwright.sync_api import expect

    stepper = opened(page, lab, "sound")

    def button(name: str) -> Locator:
        return stepper.get_by_role("button", name=name, exact=True)

    expect(stepper.get_by_text("Step 0 of 0")).to_be_visible()
    expect(button("Undo")).to_be_disabled()
    button("Step").click()
    expect(stepper.get_by_text("Step 1 of 1")).to_be_visible()
    button("Step").dblclick()
    expect(stepper.get_by_text("Step 3 of 3")).to_be_visible()
    button("To my turn").click()
    expect(stepper.get_by_role("heading", name="Moves to choose from")).to_be_visible()
    expect(stepper.get_by_role("img", name="card, face down")).to_have_count(9)  # two hands of others, and the stock
    at = stepper.get_by_role("spinbutton", name="Go to step")
    here = int(at.input_value())
    stepper.get_by_role("button", name="as the fight card").first.dblclick()
    expect(stepper.get_by_text(f"Step {here + 1} of {here + 1}")).to_be_visible()  # one move for two fast clicks
    expect(stepper.get_by_text("lays").first).to_be_attached()
    at.fill("2")
    at.press("Enter")
    expect(stepper.get_by_text(f"Step 2 of {here + 1}")).to_be_visible()
    stepper.get_by_label("Steps a second").select_option("5")
    button("Play").click()
    expect(button("Pause")).to_be_visible()
    expect(stepper.get_by_text(f"Step 2 of {here + 1}")).to_have_count(0)
    button("Pause").click()
    expect(button("Play")).to_be_visible()
    paused = at.input_value()
    page.wait_for_timeout(400)
    assert at.input_value() == paused
    stepper.get_by_label("Language", exact=True).select_option("Русский")
    expect(button("Шаг")).to_be_visible()
    expect(stepper.get_by_role("group", name="Бой за лидерство")).to_be_visible()
    assert page.locator(".jp-OutputArea-output").count() == 1  # redrawn in place


@pytest.mark.browser
def test_it_shows_a_fault(page: Page, lab: str) -> None:
    from playwright.sync_api import expect

    stepper = opened(page, lab, "faulty")
    stepper.get_by_role("button", name="Undo", exact=True).click()
    expect(stepper.get_by_role("alert")).to_contain_text("ZeroDivisionError: division by zero")
    stepper.get_by_role("button", name="Step", exact=True).click()
    expect(stepper.get_by_role("alert")).to_have_count(0)
    expect(stepper.get_by_text("Step 2 of 2")).to_be_visible()
