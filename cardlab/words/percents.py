"""Probabilities and other numbers with decimals as people read them."""

from __future__ import annotations

from fractions import Fraction

from cardlab.words import NO_BREAK, Words


def percent(p: Fraction, words: Words) -> str:
    """A probability in per cent with one decimal, more where little is left of it; only 0 and 1 are said to be 0 and 100 %.

    >>> percent(Fraction(135, 1081), Words("en")), percent(Fraction(1, 52), Words("ru"))
    ('12.5\\xa0%', '1,9\\xa0%')
    >>> percent(Fraction(78, 3162510), Words("en")), percent(1 - Fraction(78, 3162510), Words("en"))
    ('<\\xa00.01\\xa0%', '>\\xa099.99\\xa0%')
    """
    sign, places = "", 1
    if p in (0, 1):
        places = 0
    elif not Fraction(1, 1000) <= p <= Fraction(999, 1000):
        places = 2
        if not Fraction(1, 10_000) <= p <= Fraction(9_999, 10_000):
            sign, p = ("<", Fraction(1, 10_000)) if p < Fraction(1, 2) else (">", Fraction(9_999, 10_000))
    scale = 10**places
    whole, rest = divmod(round(p * 100 * scale), scale)
    shown = f"{whole}.{rest:0{places}}" if places else str(whole)
    return NO_BREAK.join(part for part in (sign, shown.replace(".", words.text("odds.point")), "%") if part)


def decimal(value: float, words: Words, places: int = 3) -> str:
    """A number with some decimals, as a language writes it.

    >>> decimal(-2.0501, Words("ru"))
    '−2,050'
    """
    return f"{value:.{places}f}".replace("-", "\N{MINUS SIGN}").replace(".", words.text("odds.point"))
