"""The stepper's pieces of HTML: each is made from what the viewpoint knows and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from cardlab.core.game import AnyGame
from cardlab.core.session import Row
from cardlab.view.odds import Odds, percent
from cardlab.view.rulebook import explain, house_rules, rule_book
from cardlab.words import Words

LOG_ROWS = 60  # a longer log would make every step a heavy message
_CARD = re.compile(r"(?:\w|10)[♣♦♥♠]\N{VARIATION SELECTOR-15}")
_SUITS = "♣♦♥♠"


def coloured(said: str) -> str:
    """A sentence as HTML, its cards in the colours of their suits."""
    return _CARD.sub(lambda found: f'<span class="cl-s{_SUITS.index(found[0][-2])}">{found[0]}</span>', escape(said))


def table(picture: str, plain: str, words: Words) -> str:
    """The table: the picture, or where there is none the text."""
    inner = picture or f'<pre class="cl-text">{escape(plain)}</pre>'
    return f'<section aria-label="{escape(words.text("screen.table"))}">{inner}</section>'


def log(rows: list[Row], at: int, game: AnyGame, words: Words) -> str:
    """The last rows of a log, those of the last step marked, each with its rule; one row more than are shown tells that there are more."""
    title = escape(words.text("screen.log"))
    if not rows:
        return f'<h3>{title}</h3><p class="cl-quiet">{escape(words.text("screen.log_empty"))}</p>'
    shown = rows[-LOG_ROWS:]
    items, deal = [], None
    if len(shown) < len(rows):
        items.append(f'<li class="cl-head">{escape(words.text("stepper.earlier"))}</li>')
    for row in shown:
        if row.deal != deal:
            deal = row.deal
            items.append(f'<li class="cl-head">{escape(words.text("stepper.deal", n=deal + 1))}</li>')
        items.append(
            f'<li{" class=" + chr(34) + "cl-new" + chr(34) if row.step == at else ""}><span class="cl-n">{row.step}</span>'
            f"<span>{coloured(row.text)}</span>{rule(row.rule, game, words)}</li>"
        )
    return f'<h3>{title}</h3><div class="cl-log" tabindex="0" role="region" aria-label="{title}"><ol>{"".join(items)}</ol></div>'


def rule(name: str, game: AnyGame, words: Words) -> str:
    """The id of a rule as a chip that says the rule."""
    return f'<abbr class="cl-rule" title="{escape(explain(name, game, words))}">{escape(name)}</abbr>'


def ahead(said: str, odds: Iterable[Odds], words: Words) -> str:
    """What comes next, and how likely each draw is; a certainty needs no numbers."""
    rows = [
        f'<div class="cl-odds"><b>{escape(words.text("stepper.odds", n=row.n, p=str(row.p), percent=percent(row.p, words)))}</b> '
        f'<span class="cl-tag">{escape(words.text("screen.chances_exact"))}</span><p>{coloured(row.what)}</p></div>'
        for row in odds
        if row.p < 1
    ]
    return f"<h3>{escape(words.text('screen.next'))}</h3><div>{coloured(said)}</div>{''.join(rows)}"


def error(said: str, words: Words) -> str:
    """The strip of an error, or nothing."""
    if not said:
        return ""
    return f'<div class="cl-error" role="alert"><b>{escape(words.text("screen.error"))}.</b> {escape(said)}</div>'


def quiet(said: str) -> str:
    """A line that stands back."""
    return f'<p class="cl-quiet">{escape(said)}</p>'


def rules(game: AnyGame, words: Words) -> str:
    """The rule book of a game, and its house rules."""
    rows = rule_book(type(game), words)
    rows += [(row.key, row.about) for row in house_rules(type(game), words)]
    items = "".join(f'<li><span class="cl-rule">{escape(name)}</span><span>{coloured(said)}</span></li>' for name, said in rows)
    return f'<ul class="cl-rules" tabindex="0" aria-label="{escape(words.text("screen.rules"))}">{items}</ul>'
