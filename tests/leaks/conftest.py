"""Screens of thousands of games are compared: a few samples an answer show as well as many what it depends on."""

from __future__ import annotations

import pytest

from cardlab.desk import counting


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FIRST", 2)
