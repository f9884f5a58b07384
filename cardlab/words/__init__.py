"""English and Russian sentences: the one place where cardlab speaks to people."""

from __future__ import annotations

import gettext as _gettext
import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = ("en", "ru")
LOCALE = Path(__file__).parent / "locale"
NO_BREAK = "\N{NO-BREAK SPACE}"


class MissingText(LookupError):
    """A key or a placeholder that a catalogue does not have: always a fault of cardlab."""


class Catalogue:
    """All keys of one language, merged from the domains of its folder."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise LookupError(f"cardlab speaks {' and '.join(LANGUAGES)}, not {language!r}")
        self.language = language
        self._domains: list[_gettext.GNUTranslations] = []
        self._home: dict[str, _gettext.GNUTranslations] = {}  # the domain of each key that was asked for
        for path in sorted((LOCALE / language / "LC_MESSAGES").glob("*.mo")):
            with path.open("rb") as file:
                self._domains.append(_gettext.GNUTranslations(file))

    def template(self, key: str, n: float | Fraction | None = None) -> str | None:
        """The sentence of a key before its placeholders are filled; ``None`` when no domain has it."""
        whole = abs(n) if isinstance(n, int) else 2  # a fraction takes the form of 2 in both languages: 1,5 карты
        for domain in [self._home[key]] if key in self._home else self._domains:
            # an entry with plural forms answers ngettext alone, one without answers gettext alone
            found = domain.ngettext(key, key, whole) if n is not None else key
            if found == key:
                found = domain.gettext(key)
            if found != key:
                self._home[key] = domain
                return found
        return None


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language, read once."""
    return Catalogue(language)


def has(key: str, language: str = "en") -> bool:
    """Whether a language has a sentence for a key.

    >>> has("rule.SK-9"), has("rule.SK-99")
    (True, False)
    """
    return catalogue(language).template(key) is not None


def usual_language() -> str:
    """The language where none is asked for: CARDLAB_LANGUAGE, or that of a notebook's folder such as ``notebooks/ru``, or English."""
    asked = os.environ.get("CARDLAB_LANGUAGE", Path.cwd().name)
    return asked if asked in LANGUAGES else "en"


@dataclass(frozen=True)
class Words:
    """One language and the players' names in it.

    >>> Words("en").text("count.card", n=3)
    '3 cards'
    >>> Words("ru").text("count.card", n=21)
    '21\\xa0карта'
    """

    language: str = "en"
    names: tuple[str, ...] = ()

    def text(self, key: str, **params: Any) -> str:
        """The sentence of a key with its placeholders filled; ``n`` chooses the plural form.

        Raises MissingText when the catalogue lacks the key or the call lacks a placeholder's value.
        """
        template = catalogue(self.language).template(key, params.get("n"))
        if template is None:
            raise MissingText(f"{self.language}: no text for {key!r}")
        try:
            return template.format(**{name: self.show(value) for name, value in params.items()})
        except (KeyError, IndexError) as fault:
            raise MissingText(f"{self.language}: {key!r} lacks a value for {fault}") from None

    def show(self, value: object) -> str:
        """How a value is written inside a sentence: names, cards, grouped numbers, lists."""
        display = getattr(value, "display", None)
        if display is not None:
            return str(display(self))
        if isinstance(value, bool) or value is None:
            return self.text(f"value.{str(value).lower()}")
        if isinstance(value, int):
            return number(value)
        if isinstance(value, (tuple, list, frozenset, set)):
            return self.listing(sorted(value) if isinstance(value, (set, frozenset)) else value)
        return str(value)

    def listing(self, values: Sequence[object]) -> str:
        """Several values in a row: ``a``, ``a and b``, ``a, b and c``."""
        shown = [self.show(value) for value in values]
        if len(shown) < 2:
            return shown[0] if shown else self.text("list.none")
        return self.text("list.last", first=", ".join(shown[:-1]), last=shown[-1])

    def seat(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.names[seat] if seat < len(self.names) else self.text(f"name.{seat}")


@dataclass(frozen=True)
class Phrase:
    """A text inside a text: a key with its own placeholders, said in the language of the sentence around it."""

    key: str
    params: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, key: str, **params: Any) -> Phrase:
        """A phrase from a key and its placeholders."""
        return cls(key, tuple(params.items()))

    def display(self, words: Words) -> str:
        """The phrase in the language of ``words``."""
        return words.text(self.key, **dict(self.params))


def number(value: int) -> str:
    """A whole number with its thousands apart, never rounded.

    >>> number(96_076_792_050_570_580)
    '96\\xa0076\\xa0792\\xa0050\\xa0570\\xa0580'
    >>> number(-4)
    '\N{MINUS SIGN}4'
    """
    return f"{value:,}".replace(",", NO_BREAK).replace("-", "\N{MINUS SIGN}")


def placeholders(template: str) -> frozenset[str]:
    """The names of the placeholders in a sentence.

    >>> sorted(placeholders("{seat} takes {card}"))
    ['card', 'seat']
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)
