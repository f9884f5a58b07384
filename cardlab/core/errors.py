"""Refusals of the engine: each names the rule and says what would be right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardlab.words import Phrase, Words
from cardlab.words.errors import CardlabError


def quoted(value: object) -> str:
    """How a wrong value is named in a refusal: its beginning, or its type where Python cannot write it (a number of 5,000 digits)."""
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):
        return type(value).__name__


@dataclass(frozen=True)
class Reason:
    """Why an action is not legal: the rule's id and the key of a sentence that says what would be right."""

    rule: str
    phrase: Phrase

    @classmethod
    def of(cls, rule: str, key: str, **params: Any) -> Reason:
        """A reason from a rule id, a key and its placeholders."""
        return cls(rule, Phrase.of(f"why.{key}", **params))

    def display(self, words: Words) -> str:
        """The rule's id and the sentence."""
        return f"{self.rule}: {self.phrase.display(words)}"


class IllegalAction(CardlabError, ValueError):
    """An action that the rules do not allow here; the game stays as it was."""

    def __init__(self, key: str = "error.illegal", *, reason: Reason) -> None:
        super().__init__(key, reason=reason)
        self.reason = reason


class BadGame(CardlabError, ValueError):
    """A game, a number of players or a house rule that does not fit; ``rule`` is SK-0, FL-0, PM-0 or the house rule's key."""

    def __init__(self, key: str, *, rule: str, **params: Any) -> None:
        super().__init__(key, rule=rule, **params)
        self.rule = rule


class BadRecord(CardlabError, ValueError):
    """A record that cannot be read; ``line`` is the number of the line at fault, from 1."""

    def __init__(self, key: str, *, line: int, **params: Any) -> None:
        super().__init__(key, line=line, **params)
        self.line = line


class BadRequest(CardlabError, ValueError):
    """A seat, a step, a seed, a language or a name that does not exist."""


class NothingToDeal(CardlabError, RuntimeError):
    """A script or a record without a seed that has no card left for the next draw."""
