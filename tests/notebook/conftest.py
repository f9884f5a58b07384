"""A real JupyterLab for the stepper's tests in Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

OWN = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")


@dataclass
class Lab:
    """A running JupyterLab and the folder of its notebooks."""

    url: str
    folder: Path
    numbers: Iterator[int] = field(default_factory=count)

    def opened(self, page: Page, code: str, cells: int = 0, last: str = "stepper", shown: str = ".cardlab-stepper svg.cl-table") -> Locator:
        """The stepper that a notebook's first cell shows, or what else is ``shown``; so many empty cells stand below it."""
        name = f"book{next(self.numbers)}"
        new = nbformat.v4.new_code_cell
        book = nbformat.v4.new_notebook(cells=[new(f"import cardlab\n{code}\n{last}".rstrip()), *(new("") for _ in range(cells))])
        book.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
        nbformat.write(book, self.folder / f"{name}.ipynb")
        page.set_viewport_size({"width": 1300, "height": 1400})
        page.goto(f"{self.url}/doc/workspaces/{name}/tree/{name}.ipynb?reset")
        table = self.run(page, shown)
        return page.locator(".cardlab-stepper").first if last == "stepper" else table

    def run(self, page: Page, shown: str) -> Locator:
        """What the first cell of the open notebook shows when it is run."""
        from playwright.sync_api import TimeoutError

        page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(state="attached", timeout=60_000)
        asked = page.locator(".jp-Dialog", has_text="Select Kernel").locator(".jp-mod-accept")
        run = page.locator(".jp-InputPrompt", has_text=re.compile(r"\[[*1-9]\]"))
        if run.count():  # what it showed before: it has to be run anew to be heard
            page.locator(".jp-Notebook .jp-CodeCell").first.click()
        before = run.first.inner_text() if run.count() else ""
        for _ in range(20):  # a key pressed before the notebook listens is lost
            if asked.count():  # Lab opens a notebook before it knows the kernels, if the machine is busy
                asked.click()
            with contextlib.suppress(TimeoutError):
                page.locator(".jp-Notebook .jp-CodeCell .jp-InputArea-editor").first.click(timeout=3_000)
                page.keyboard.press("Control+Enter")
                run.filter(has_not_text=before or "never").first.wait_for(timeout=3_000)
                break
        found = page.locator(shown).first
        found.wait_for(timeout=60_000)
        return found

    def stop_kernels(self) -> None:
        """Ends the kernels that were started so far."""
        with urllib.request.urlopen(f"{self.url}/api/sessions", timeout=20) as answer:
            sessions = json.load(answer)
        for session in sessions:
            request = urllib.request.Request(f"{self.url}/api/sessions/{session['id']}", method="DELETE")
            urllib.request.urlopen(request, timeout=20).close()


@pytest.fixture(autouse=True)
def counting_little(few_samples: None) -> None:
    """All tests here are of what stands on a screen."""


@pytest.fixture(scope="session")
def running_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab whose settings, and those of whoever runs the test, stay apart."""
    folder = tmp_path_factory.mktemp("lab")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, **{name: str(folder / "own" / name.lower()) for name in OWN}, "PANEL_INLINE": "true"}
    env.pop("PYTEST_VERSION", None)  # the kernel is a learner's
    options = [
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.disable_check_xsrf=True",
        "--IdentityProvider.token=",
        "--no-browser",
    ]
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--ip=127.0.0.1", *options]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server, folder / "log.txt")
            yield Lab(f"http://127.0.0.1:{port}", folder)
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture
def lab(running_lab: Lab) -> Iterator[Lab]:
    """The JupyterLab, without kernels that other tests have left."""
    yield running_lab
    running_lab.stop_kernels()


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
