"""The kinds of answers: each reads what a learner gives, or says in a sentence what would be right, and knows what is near."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any, Final

from cardlab.cards import Card
from cardlab.chance.answers import Exact
from cardlab.core.errors import quoted
from cardlab.words import Words, number
from cardlab.words.errors import BadCard, CardlabError
from cardlab.words.percents import decimal, percent

LONGEST: Final = 60  # characters of an answer
GAPS: Final = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(?!\d))")  # between thousands
PLAIN: Final = re.compile(r"[+-]?(\d{1,15}(\.\d{0,20})?|\.\d{1,20})")
HUNDRED: Final = 100
MOST: Final = 10**15  # of a number that somebody means


class BadAnswer(CardlabError, ValueError):
    """An answer that is none: the sentence says what would be one."""


def numeral(answer: Any) -> tuple[Fraction, bool]:
    """A number as learners write it, and whether it has a per cent sign; raises BadAnswer.

    >>> numeral("0,25")[0] == numeral("1/4")[0] == numeral("25 %")[0] == numeral(0.25)[0]
    True
    """
    if isinstance(answer, Exact):
        answer = answer.value
    if answer is None or answer is Ellipsis or (isinstance(answer, str) and not answer.strip()):
        raise BadAnswer("error.answer.none")
    if isinstance(answer, bool):
        raise BadAnswer("error.answer.number", given=quoted(answer))
    if isinstance(answer, str):
        return _written(answer)
    try:
        if isinstance(answer, Rational):
            value = Fraction(int(answer.numerator), int(answer.denominator))
        elif isinstance(answer, (Real, Decimal)) and isfinite(answer):
            value = Fraction(str(float(answer)))
        else:
            raise TypeError
        if abs(value) > MOST or value.denominator > MOST**2:
            raise OverflowError
    except (ArithmeticError, ValueError, TypeError):
        raise BadAnswer("error.answer.number", given=quoted(answer)) from None
    return value, False


def _written(answer: str) -> tuple[Fraction, bool]:
    text = GAPS.sub("", answer.strip()).replace("\N{MINUS SIGN}", "-").replace(",", ".")
    bare = text.removesuffix("%").rstrip()
    parts = [part.strip() for part in bare.split("/")]
    if len(answer) > LONGEST or len(parts) > 2 or not all(PLAIN.fullmatch(part) for part in parts):
        raise BadAnswer("error.answer.number", given=quoted(answer))
    below = Fraction(parts[1]) if len(parts) == 2 else Fraction(1)
    if not below:
        raise BadAnswer("error.answer.zero", given=quoted(answer))
    with_sign = text != bare
    return Fraction(parts[0]) / below / (HUNDRED if with_sign else 1), with_sign


def shown(value: Any, words: Words) -> str:
    """A value as it is said to people."""
    if isinstance(value, Fraction):
        return f"{number(value.numerator)}/{number(value.denominator)}" if value.denominator != 1 else number(value.numerator)
    return words.show(value)


def short(value: Fraction, words: Words) -> str:
    """A number with no more decimals than it needs."""
    said = decimal(float(value), words, 6).rstrip("0")
    return said.removesuffix(words.text("odds.point"))


@dataclass(frozen=True)
class Number:
    """A number; ``tolerance`` to either side is right, ``near`` is close."""

    tolerance: Fraction = Fraction(1, 20)
    near: Fraction = Fraction(1, 2)

    def read(self, answer: Any) -> Fraction:
        """The number; raises BadAnswer."""
        return numeral(answer)[0]

    def distance(self, one: Any, other: Any) -> Fraction:
        """How far two answers are apart."""
        return Fraction(abs(one - other))

    def within(self, words: Words) -> str:
        """The tolerance, in words."""
        return f"±{short(self.tolerance, words)}"

    def exactly(self, value: Fraction, words: Words) -> str:
        """The right answer, in full."""
        return shown(value, words) if value.denominator == 1 else f"{shown(value, words)} ≈ {decimal(float(value), words)}"


@dataclass(frozen=True)
class Chance(Number):
    """A probability: a fraction, a decimal number from 0 to 1, or per cent with the sign."""

    tolerance: Fraction = Fraction(1, 2000)
    near: Fraction = Fraction(1, 100)

    def read(self, answer: Any) -> Fraction:
        """The probability; raises BadAnswer, also for 25 where 25 % is meant."""
        value, _ = numeral(answer)
        if value < 0:
            raise BadAnswer("error.answer.below", given=quoted(answer))
        if value > 1:
            raise BadAnswer("error.answer.percent" if value <= HUNDRED else "error.answer.above", given=quoted(answer))
        return value

    def exactly(self, value: Fraction, words: Words) -> str:
        """The right answer, as a fraction and in per cent."""
        return f"{shown(value, words)} ≈ {percent(value, words)}"


@dataclass(frozen=True)
class Count(Number):
    """A whole number, right only where it is met; one beside it is near."""

    tolerance: Fraction = Fraction(0)
    near: Fraction = Fraction(1)

    def read(self, answer: Any) -> Fraction:
        """The number; raises BadAnswer where it is not whole."""
        value, with_sign = numeral(answer)
        if value.denominator != 1 or value < 0 or with_sign:
            raise BadAnswer("error.answer.whole", given=quoted(answer))
        return value


@dataclass(frozen=True)
class Choice:
    """One of some names: ``a``, ``b``, …, or the number in the row."""

    names: tuple[str, ...]
    near: Fraction = Fraction(0)

    def read(self, answer: Any) -> str:
        """The name; raises BadAnswer."""
        if answer is None or answer is Ellipsis or (isinstance(answer, str) and not answer.strip()):
            raise BadAnswer("error.answer.no_choice", letters=", ".join(self.letters))
        if isinstance(answer, int) and not isinstance(answer, bool) and 1 <= answer <= len(self.names):
            return self.names[answer - 1]
        asked = answer.strip().strip(".)").casefold().translate(LOOK_ALIKE) if isinstance(answer, str) else ""
        if asked in self.letters:
            return self.names[self.letters.index(asked)]
        if isinstance(answer, str) and answer in self.names:
            return answer
        raise BadAnswer("error.answer.choice", given=quoted(answer), letters=", ".join(self.letters))

    @property
    def letters(self) -> list[str]:
        """The letters of the choices."""
        return [letter_of(k) for k in range(len(self.names))]

    def distance(self, one: Any, other: Any) -> Fraction:
        """0 for the same, else 1."""
        return Fraction(one != other)


LOOK_ALIKE: Final = str.maketrans("ас", "ac")  # Russian letters that look Latin


def letter_of(k: int) -> str:
    """The letter of a choice."""
    return chr(ord("a") + k)


@dataclass(frozen=True)
class OneCard:
    """A card by its short name, such as KH."""

    near: Fraction = Fraction(0)

    def read(self, answer: Any) -> Card:
        """The card; raises BadAnswer."""
        try:
            if isinstance(answer, (Card, str)):
                return Card(str(answer).strip().upper())
        except BadCard:
            pass
        raise BadAnswer("error.answer.card", given=quoted(answer))

    def distance(self, one: Any, other: Any) -> Fraction:
        """0 for the same card, else 1."""
        return Fraction(one != other)


@dataclass(frozen=True)
class Word:
    """A word, whatever its capitals."""

    near: Fraction = Fraction(0)

    def read(self, answer: Any) -> str:
        """The word; raises BadAnswer."""
        if not isinstance(answer, str) or not answer.strip() or len(answer) > LONGEST:
            raise BadAnswer("error.answer.word", given=quoted(answer))
        return answer.strip().casefold().replace("ё", "е")

    def distance(self, one: Any, other: Any) -> Fraction:
        """0 for the same word, else 1."""
        return Fraction(one != other)


Kind = Number | Choice | OneCard | Word
