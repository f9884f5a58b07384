"""The drawings of the cards and signs, as symbols of SVG.

A face is drawn full from 76 px width on and compact below. Their ids begin with ``cl-``, which every picture and every pane changes
into letters of its own, so that several on a page do not disturb each other.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Final

from cardlab.cards import Card

FULL: Final = 76  # px
RATIO: Final = 1.4  # height by width
_SYMBOL: Final = re.compile(r'<symbol id="cl-([^"]+)".*?</symbol>', re.DOTALL)
_LETTERED: Final = re.compile(r"#cl-i([JQA])\b")


@cache
def _drawn(language: str) -> tuple[str, dict[str, str]]:
    """What all symbols share, and each symbol by its name; in Russian with the letters В, Д, К and Т."""
    text = (files("cardlab.view") / "cards.svg").read_text("utf-8")
    shared = text[text.index("<defs>") : text.index("</defs>") + len("</defs>")]
    symbols = {found[1]: found[0] for found in _SYMBOL.finditer(text)}
    if language == "ru":  # a joker keeps his JK
        symbols = {name: drawn if "-JK" in name else _LETTERED.sub(r"#cl-iR\1", drawn) for name, drawn in symbols.items()}
    return shared, symbols


def symbol(card: Card | None, width: float) -> str:
    """The name of the drawing of a card, or of a back.

    >>> symbol(Card("QH"), 44), symbol(None, 80)
    ('s-QH', 'f-B')
    """
    return f"{'f' if width >= FULL else 's'}-{'B' if card is None else card.token}"


@cache
def sprite(language: str) -> str:
    """All drawings in one hidden picture, for a pane whose lines use them."""
    shared, symbols = _drawn(language)
    return f'<svg width="0" height="0" aria-hidden="true">{shared}{"".join(symbols.values())}</svg>'


def alone(markup: str, language: str) -> str:
    """A picture that uses drawings, made whole: it holds those that it uses, under ids that no other picture has."""
    shared, symbols = _drawn(language)
    used = dict.fromkeys(re.findall(r'#cl-([fst]-[^"]+)"', markup))
    head, rest = markup.split(">", 1)
    whole = f"{head}>{shared}{''.join(symbols[name] for name in used)}{rest}"
    own = f"c{sha1(whole.encode(), usedforsecurity=False).hexdigest()[:8]}-"
    return re.sub(r'(id="|#)cl-', rf"\g<1>{own}", whole)


def face(card: Card | None, width: float, language: str) -> str:
    """One card as a picture of its own; it says nothing to a screen reader."""
    height = round(width * RATIO)
    use = f'<use href="#cl-{symbol(card, width)}" width="{width:g}" height="{height}"/>'
    return alone(f'<svg width="{width:g}" height="{height}" viewBox="0 0 {width:g} {height}" aria-hidden="true">{use}</svg>', language)
