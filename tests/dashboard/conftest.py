"""Fixtures of the page: a server, a tab, and no fault that only a log would tell."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from page_tools import Faults, Served, Tab, end_documents

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(autouse=True)
def counting_little(few_samples: None) -> None:
    """All tests here are of what stands on a screen."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as running:
        yield running


@pytest.fixture(autouse=True)
def documents() -> Iterator[None]:
    """Nothing stays of the documents that a test makes without a server."""
    yield
    end_documents()


@pytest.fixture(autouse=True)
def faults() -> Iterator[Faults]:
    """Fail a test while which the server logged an error, unless the test empties ``seen``."""
    handler = Faults()
    loggers = logging.getLogger(), logging.getLogger("panel")  # which does not hand on what it logs
    for logger in loggers:
        logger.addHandler(handler)
    logging.disable(logging.INFO)  # pytest keeps what is logged, and with it the documents that the log tells of
    yield handler
    logging.disable(logging.NOTSET)
    for logger in loggers:
        logger.removeHandler(handler)
    assert not handler.seen, "\n".join(handler.seen)


@pytest.fixture
def tab(page: Page, served: Served) -> Any:
    """Opens the page of a game with a query: ``tab("?game=…")``; afterwards no error may stand on it."""
    page.set_viewport_size({"width": 1440, "height": 900})
    opened = []

    def open_tab(query: str = "", language: str = "en") -> Tab:
        opened.append(Tab(page, served.url + query, language))
        return opened[-1]

    yield open_tab
    for each in opened:
        alert = each.page.get_by_role("alert").filter(visible=True)
        assert not alert.count(), alert.first.inner_text()
