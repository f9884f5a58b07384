"""What cardlab says when something is not right: one sentence from the catalogues, in either language."""

from __future__ import annotations

from typing import Any

from cardlab.words import Phrase, Words


class CardlabError(Exception):
    """A refusal with the key of its sentence; ``str()`` says it in English, ``say()`` in either language."""

    def __init__(self, key: str, **params: Any) -> None:
        super().__init__(key, params)
        self.key = key
        self.params = params

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.key, self.params)

    def say(self, words: Words) -> str:
        """The sentence in the language of ``words``."""
        return words.text(self.key, **self.params)

    @property
    def phrase(self) -> Phrase:
        """The sentence as a part of another."""
        return Phrase.of(self.key, **self.params)

    def __str__(self) -> str:
        return self.say(Words())


def _remake(kind: type[CardlabError], key: str, params: dict[str, Any]) -> CardlabError:
    return kind(key, **params)


class BadCard(CardlabError, ValueError):
    """A name that is no card, or cards that cannot lie together."""
