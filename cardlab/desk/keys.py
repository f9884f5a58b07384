"""The keys of every host."""

from __future__ import annotations

from typing import Final

from cardlab.words import Words

KEYS: Final = {"ArrowLeft": "undo", "ArrowRight": "step", " ": "play", "Home": "restart", "End": "finish"}  # each presses a button


def key_list(words: Words) -> list[tuple[str, str]]:
    """Each key as it is written on a keyboard, with what it does.

    >>> key_list(Words())[1:3]
    [('→', 'Step'), ('Space', 'Play or pause')]
    """
    names = {"ArrowLeft": "←", "ArrowRight": "→", " ": words.text("page.key.space")}
    does = {"play": "page.key.play", "finish": "stepper.finish"}
    return [(names.get(key, key), words.text(does.get(name, f"screen.{name}"))) for key, name in KEYS.items()]
