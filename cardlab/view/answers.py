"""Answers as people read them: a row for each outcome, and what kind of number it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from cardlab.chance.answers import Answer, Estimate, Exact, Number
from cardlab.core.game import Action, AnyGame
from cardlab.words import Words, number
from cardlab.words.percents import decimal, percent

SHORT: Final = 10**6  # a fraction with a larger denominator is not written out


@dataclass(frozen=True, slots=True)
class Row:
    """An outcome in words, its number in words, the number with its interval for a bar (``None`` without a sample), and its kind.

    ``said`` is the whole; ``shown`` and ``width`` are the number alone and what stands behind ±, where they can be told apart. ``was`` and
    ``said_was`` are the number of a moment before.
    """

    outcome: str
    said: str
    value: float | None
    low: float | None
    high: float | None
    exact: bool
    shown: str
    width: str
    was: float | None = None
    said_was: str = ""
    now: str = ""  # the number as ``said_was`` says the earlier one


def rows(game: AnyGame, answer: Answer[Any], words: Words, before: Answer[Any] | None = None) -> Iterator[Row]:
    """The rows of an answer, in its order; ``before`` is the answer of an earlier moment."""
    for outcome, found in answer.numbers.items():
        low, high = (found.low, found.high) if isinstance(found, Estimate) else (None, None)
        said = told(found, words, chances=answer.chances)
        shown, _, width = said.partition("\u00a0±\u00a0")
        was = None if before is None else before.numbers.get(outcome)
        row = Row(named(game, outcome, words), said, found.mean, low, high, isinstance(found, Exact), shown, width)
        yield (
            row
            if was is None
            else replace(row, now=bare(found, words, answer.chances), was=was.mean, said_was=bare(was, words, answer.chances))
        )


def bare(found: Number, words: Words, chances: bool = True) -> str:
    """A number with nothing about where it comes from.

    >>> bare(Exact(Fraction(2, 5)), Words()), bare(Estimate.of_hits(30, 100), Words("ru"))
    ('40.0\xa0%', '30,0\xa0%')
    """
    if found.mean is None:
        return words.text("chance.none")
    return percent(Fraction(found.mean), words) if chances else decimal(found.mean, words)


def named(game: AnyGame, outcome: Any, words: Words) -> str:
    """An outcome in words; a move as on its button."""
    return game.say_action(outcome, words) if isinstance(outcome, Action) else words.show(outcome)


def basis(answer: Answer[Any], words: Words) -> str:
    """Whether an answer is exact or simulated, and under which behaviour of the players it holds."""
    samples = [found.n for found in answer.numbers.values() if isinstance(found, Estimate)]
    if samples:
        return words.text("chance.simulated", n=max(samples), assumes=answer.assumes)
    return words.text("chance.exact", assumes=answer.assumes)


def told(found: Number, words: Words, chances: bool = True) -> str:
    """A number with what stands behind ±; 0 and 100 % are said only of the impossible and the certain.

    >>> [told(Exact(Fraction(n, 5)), Words()) for n in (0, 2, 5)]
    ['impossible', '2/5 = 40.0\\xa0%', 'certain']
    >>> told(Estimate.of_hits(30, 100), Words("ru")), told(Estimate.of_hits(0, 30), Words())
    ('30,0\\xa0%\\xa0±\\xa08,8\\xa0%', 'at most 11.4\\xa0%')
    >>> told(Estimate(), Words())
    'no sample yet'
    """
    if isinstance(found, Exact):
        return _exact(found.value, words, chances)
    if found.mean is None:
        return words.text("chance.none")
    if chances and found.kind == "proportion" and found.total in (0, found.n):
        low, high = found.low or 0.0, found.high or 0.0
        if found.total:
            return words.text("chance.at_least", chance=percent(Fraction(low), words))
        return words.text("chance.at_most", chance=percent(Fraction(high), words))
    half = found.half_width
    show = _percent if chances else decimal
    return show(found.mean, words) if half is None else f"{show(found.mean, words)}\u00a0±\u00a0{show(half, words)}"


def _exact(value: Fraction | float, words: Words, chances: bool) -> str:
    if chances and value in (0, 1):
        return words.text("chance.certain" if value else "chance.impossible")
    said = _percent(value, words) if chances else decimal(float(value), words)
    if not isinstance(value, Fraction) or value.denominator > SHORT:
        return said
    if value.denominator == 1:
        return number(value.numerator)
    return f"{number(value.numerator)}/{number(value.denominator)} = {said}"


def _percent(value: Fraction | float, words: Words) -> str:
    return percent(Fraction(value), words)
