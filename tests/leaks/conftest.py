"""Screens of thousands of games are compared."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def counting_little(few_samples: None) -> None:
    """All tests here are of what stands on a screen."""
