"""A guess as HTML and SVG: the form, what is revealed after it on one axis, and how well somebody guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from cardlab.chance.answers import Estimate, Exact, wilson
from cardlab.view.blocks import colour
from cardlab.view.html import coloured
from cardlab.view.tokens import FONT
from cardlab.words import Words, number
from cardlab.words.percents import decimal, percent

GUESS: Final = "guess "  # before what is told of a guess
LONG: Final = 13  # characters of a fraction that still fits a tag
WIDE, EDGE = 320, 17  # of the axis, and on either side of it
BASE: Final = 84  # where the axis lies
NEAR: Final = (2, 5)  # points off: spot on, close
BINS: Final = 5
PLOT: Final = (300, 262)
REACH: Final = 160  # of the axis: so far away a line does not come into the way of a label
LETTER: Final = 7.2  # px of a letter of 13 px, on average
_LOCK: Final = (
    '<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" '
    'stroke-linecap="round" aria-hidden="true"><rect x="5" y="10" width="14" height="10" rx="2"/><path d="M8 10V7a4 4 0 0 1 8 0v3"/></svg>'
)


def points(share: float, words: Words) -> str:
    """A probability in per cent without its sign, with one decimal."""
    return decimal(100 * share, words, 1)


def whole(chance: int) -> str:
    """A guess in per cent."""
    return f"{chance}\N{NO-BREAK SPACE}%"


# the form


def switch(on: bool, words: Words) -> str:
    """The button that turns guessing on and off."""
    said = escape(words.text("guess.first"))
    button = f'<button class="switch" role="switch" aria-checked="{str(on).lower()}" data-say="{GUESS}{"off" if on else "on"}"'
    return f'<div class="guess-switch">{button} data-key="guess-switch"><i></i><span>{said}</span></button></div>'


def head(beat: str, words: Words) -> str:
    """The title of the guess, with the beat that it has reached."""
    beats = ("guess", "reveal")
    marks = "".join(
        f"<li{' class=on aria-current=step' if name == beat else ''}>{escape(words.text(f'guess.beat.{name}'))}</li>" for name in beats
    )
    title, label = escape(words.text(f"guess.beat.{beat}")), escape(words.text("guess.beats"))
    return f'<div class="title guess-head"><h2>{title}</h2><ol class="beats" aria-label="{label}">{marks}</ol></div>'


def asked(question: str, outcome: str = "") -> str:
    """The question, large, with the outcome that the guess is about."""
    about = f' <b class="about">{coloured(outcome)}</b>' if outcome else ""
    return f'<p class="asked">{escape(question)}{about}</p>'


def questions(named: Iterable[tuple[str, str]], chosen: str, words: Words) -> str:
    """The list of questions of which one is chosen; ``named`` gives the name and the sentence of each."""
    options = "".join(
        f'<option value="{name}"{" selected" if name == chosen else ""}>{escape(sentence)}</option>' for name, sentence in named
    )
    label = escape(words.text("guess.question"))
    return f'<label class="pick-question"><span>{label}</span><select data-say="{GUESS}question">{options}</select></label>'


def choices(outcomes: Sequence[str], chosen: int, label: str) -> str:
    """The outcomes to choose from."""
    rows = "".join(
        f'<label class="choice"><input type="radio" name="cl-outcome" data-say="{GUESS}outcome" value="{n}"'
        f"{' checked' if n == chosen else ''}><span>{coloured(said)}</span></label>"
        for n, said in enumerate(outcomes)
    )
    return f'<div class="choices" role="radiogroup" aria-label="{escape(label)}">{rows}</div>'


def slider(chance: int, words: Words) -> str:
    """The probability from 0 to 100 %, with what it stands at beside it."""
    said = escape(words.text("guess.how_likely"))
    unit = "\N{NO-BREAK SPACE}%"
    return (
        f'<label class="slide"><span>{said}</span><input type="range" min="0" max="100" step="1" value="{chance}" data-say="{GUESS}chance" '
        f'style="--done:{chance}%" data-unit="{unit}" aria-valuetext="{whole(chance)}"><output>{whole(chance)}</output></label>'
    )


def cover(words: Words) -> str:
    """What stands in the place of the odds, with the button that locks the guess."""
    told, about, commit = (escape(words.text(f"guess.{name}")) for name in ("covered", "kept", "commit"))
    said = f'<div><b>{told}</b><p class="quiet small">{about}</p></div>'
    return f'<div class="covered">{_LOCK}{said}<button class="commit" data-say="{GUESS}commit" data-form>{commit}</button></div>'


# what is revealed


@dataclass(frozen=True)
class Revealed:
    """A guess in per cent, the exact number where there is one, and what play gave so far."""

    guess: int
    exact: Exact | None
    played: Estimate
    unit: str  # what is played, with their number

    @property
    def truth(self) -> float | None:
        """What the guess is measured by: the exact number, or what play gave."""
        return float(self.exact.value) if self.exact else self.played.mean

    @property
    def off(self) -> int | None:
        """So many points are between the guess and the truth; above 0 where the guess is too low."""
        return None if self.truth is None else round(100 * self.truth - self.guess)


def axis(shown: Revealed, words: Words) -> str:
    """Guess, exact number and play on one axis from 0 to 100 %."""
    text, parts = words.text, [f'<path d="M{EDGE} {BASE}H{WIDE - EDGE}" stroke="{colour("ink2")}" stroke-width="1.5"/>']
    for tick in range(0, 101, 10):
        parts.append(f'<path d="M{_x(tick):.1f} {BASE}v{5 if tick % 50 else 8}" stroke="{colour("ink2")}"/>')
        if tick % 20 == 0:
            parts.append(_text(_x(tick), BASE + 22, whole(tick) if tick in (0, 100) else str(tick), "ink2"))
    mean, ends = shown.played.mean, shown.played.interval
    if mean is not None and ends is not None:
        low, high = (_x(100 * end) for end in ends)
        parts.append(
            f'<rect class="band" x="{low:.1f}" y="{BASE - 42}" width="{max(high - low, 1):.1f}" height="42" rx="3" '
            f'fill="{colour("p2")}" opacity=".22"/>'
        )
        at = _x(100 * mean)
        parts.append(f'<path d="M{at:.1f} {BASE - 42}V{BASE}" stroke="{colour("p2")}" stroke-width="2.5" stroke-dasharray="4 3"/>')
        said = f"{points(mean, words)} ± {points((ends[1] - ends[0]) / 2, words)}\N{NO-BREAK SPACE}%"
        line = _x(100 * float(shown.exact.value)) if shown.exact else at
        if abs(line - at) < REACH:  # the label keeps off it
            low, high = min(low, line), max(high, line)
        long = f"{shown.unit}: {said}"
        fits = len(long) * LETTER + 14 < max(low, WIDE - high)
        parts.append(_beside(low, high, BASE - 46, long if fits else said, "p2"))
    if shown.exact:
        at = _x(100 * float(shown.exact.value))
        parts.append(f'<path d="M{at:.1f} 6V{BASE}" stroke="{colour("pri")}" stroke-width="3.5"/>')
        parts.append(_beside(at, at, 18, f"{text('guess.exact')} {_said(shown.exact, words)}", "pri", 15))
    parts += _arrow(shown, words)
    at, pen = _x(shown.guess), f'fill="{colour("mark")}" stroke="{colour("ink")}" stroke-width="1.5" stroke-linejoin="round"'
    parts.append(f'<path d="M{at:.1f} {BASE + 28}l8 13h-16Z" {pen}/>')
    yours = text("guess.your_guess", chance=whole(shown.guess))
    parts.append(_text(_inside(at, yours), BASE + 57, yours, "ink", weight=700))
    label = escape(text("guess.axis", guess=whole(shown.guess)))
    return f'<svg class="guess-axis" viewBox="0 0 {WIDE} {BASE + 64}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _x(chance: float) -> float:
    return EDGE + (WIDE - 2 * EDGE) * chance / 100


def _text(x: float, y: float, said: str, hue: str, size: int = 13, weight: int = 400) -> str:
    halo = f'stroke="{colour("surface")}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'
    look = f'font-size="{size}" font-weight="{weight}" text-anchor="middle" fill="{colour(hue)}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look} {halo}>{escape(said)}</text>'


def _inside(x: float, said: str, size: int = 13) -> float:
    """Where the middle of a text may stand so that none of it is cut off."""
    half = len(said) * LETTER * size / 26
    return min(max(x, half + 1), WIDE - half - 1)


def _beside(low: float, high: float, y: float, said: str, hue: str, size: int = 13) -> str:
    """A bold text at that side of something at which there is more room."""
    half = len(said) * LETTER * size / 26 + 7
    x = low - half if low > WIDE - high else high + half
    return _text(_inside(x, said, size), y, said, hue, size, 700)


def _arrow(shown: Revealed, words: Words) -> list[str]:
    """From the guess to the truth, and how long it is."""
    off, truth = shown.off, shown.truth
    if not off or truth is None:
        return []
    start, end = _x(shown.guess), _x(100 * truth)
    said = words.text("guess.points_off", n=abs(off))
    drawn = [_text(_inside(_over(start, end, shown, said), said), BASE - 13, said, "ink2")]
    if abs(end - start) > 8:
        tip = -6 if end > start else 6
        drawn.append(f'<path d="M{start:.1f} {BASE - 6}H{end + tip / 2:.1f}" stroke="{colour("ink2")}" stroke-width="1.5"/>')
        drawn.append(f'<path d="M{end:.1f} {BASE - 6}l{tip} -4v8Z" fill="{colour("ink2")}"/>')
    return drawn


def _over(start: float, end: float, shown: Revealed, said: str) -> float:
    """Where a text about an arrow stands: over it, or beside all of it where it is too short."""
    half = len(said) * LETTER / 2 + 6
    if abs(end - start) > 2 * half:
        return (start + end) / 2
    low, high = shown.played.interval or (0.5, 0.5)
    left, right = min(start, end, _x(100 * low)), max(start, end, _x(100 * high))
    outside = left - half if start < end else right + half
    return outside if half < outside < WIDE - half else right + half if start < end else left - half


def _said(found: Exact, words: Words) -> str:
    return percent(Fraction(found.value), words)


def numbers(shown: Revealed, words: Words) -> str:
    """The three numbers, large, each with its tag."""
    text = words.text
    cells = [_cell(f"{text('guess.yours')} ▲", whole(shown.guess), "ink", "")]
    if shown.exact:
        cells.append(
            _cell(
                text("guess.exact"), _said(shown.exact, words), "pri", f'<span class="tag">{escape(_fraction(shown.exact, words))}</span>'
            )
        )
    if shown.played.mean is not None:
        half = points(shown.played.half_width or 0, words)
        tag = f'<span class="tag sim">± {half}, n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(shown.played.n)}</span>'
        cells.append(_cell(text("guess.played"), f"{points(shown.played.mean, words)}\N{NO-BREAK SPACE}%", "p2", tag))
    return f'<div class="three">{"".join(cells)}</div>'


def _cell(label: str, said: str, hue: str, tag: str) -> str:
    return f'<div><span class="quiet small">{escape(label)}</span><b class="big" style="color:var(--{hue})">{escape(said)}</b>{tag}</div>'


def _fraction(found: Exact, words: Words) -> str:
    """The fraction where it is short, else the word."""
    if isinstance(found.value, Fraction):
        said = f"{number(found.value.numerator)}/{number(found.value.denominator)}"
        if len(said) <= LONG:
            return said
    return words.text("screen.chances_exact")


def nearness(shown: Revealed, words: Words) -> str:
    """One sentence on how near the guess was."""
    off = shown.off
    if off is None:
        return f'<p class="quiet small">{escape(words.text("screen.counting"))}</p>'
    spot, close = NEAR
    how = "spot" if abs(off) <= spot else "close" if abs(off) <= close else "low" if off > 0 else "high"
    return f'<p class="near{" right" if abs(off) <= close else ""}">{escape(words.text(f"guess.near.{how}", n=abs(off)))}</p>'


# how well somebody guesses


@dataclass(frozen=True)
class Point:
    """Guesses that are alike: their number, their mean, and the share of those that came true."""

    n: int
    guess: float
    share: float
    low: float
    high: float


def reliability(pairs: Sequence[tuple[float, bool]]) -> list[Point]:
    """Guesses from 0 to 1 with what came, in fifths; the interval of a share is Wilson's.

    >>> [(point.n, point.guess, point.share) for point in reliability([(1.0, True), (0.8, False), (0.1, False)])]
    [(1, 0.1, 0.0), (2, 0.9, 0.5)]
    """
    found = []
    for k in range(BINS):
        alike = [pair for pair in pairs if min(int(pair[0] * BINS + 1e-9), BINS - 1) == k]
        if alike:
            n, hits = len(alike), sum(came for _, came in alike)
            low, high = wilson(hits, n)
            found.append(Point(n, sum(guess for guess, _ in alike) / n, hits / n, low, high))
    return found


def plot(shown: Iterable[Point], words: Words) -> str:
    """The reliability of guesses: what came true of them against what they said, with 95 % intervals and the diagonal."""
    wide, high = PLOT
    left, right, top, bottom = 46, wide - 16, 12, high - 44

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (right - left) * x, bottom - (bottom - top) * y

    parts = []
    for k in range(0, 101, 25):
        x, y = at(k / 100, k / 100)
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="{colour("line")}"/>')
        parts.append(_mark(left - 6, y + 4, str(k), "end"))
        parts.append(_mark(x, bottom + 16, whole(k) if k == 100 else str(k), "middle"))
    parts.append(f'<path d="M{left} {bottom}L{right} {top}" stroke="{colour("ink3")}" stroke-width="1.5" stroke-dasharray="5 4"/>')
    for point in shown:
        x, y = at(point.guess, point.share)
        low, up = at(0, point.low)[1], at(0, point.high)[1]
        parts.append(f'<path d="M{x:.1f} {low:.1f}V{up:.1f}" stroke="{colour("mark")}" stroke-width="2.5"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour("mark")}" stroke="{colour("surface")}" stroke-width="1.5"/>')
        aside = x + 9 if x < right - 40 else x - 9
        parts.append(
            _mark(aside, y + 4, f"n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(point.n)}", "start" if aside > x else "end", "ink")
        )
    said, came = escape(words.text("guess.plot.x")), escape(words.text("guess.plot.y"))
    parts.append(f'<text x="{(left + right) / 2}" y="{high - 8}" font-size="13" text-anchor="middle" fill="{colour("ink2")}">{said}</text>')
    middle = (top + bottom) / 2
    turned = f'transform="rotate(-90 12 {middle})" font-size="13" text-anchor="middle" fill="{colour("ink2")}"'
    parts.append(f'<text x="12" y="{middle}" {turned}>{came}</text>')
    label = escape(words.text("guess.plot"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="guess-plot" viewBox="0 0 {wide} {high}" font-family="{escape(FONT)}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _mark(x: float, y: float, said: str, anchor: str, hue: str = "ink2") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12.5" text-anchor="{anchor}" fill="{colour(hue)}">{escape(said)}</text>'


def fold(n: int, unfolded: bool, words: Words) -> str:
    """The button that shows or hides how well somebody guesses."""
    state = f'aria-expanded="{str(unfolded).lower()}"'
    return f'<button class="question" data-say="{GUESS}fold" {state}>{escape(words.text("guess.so_far", n=n))}</button>'


def score(yours: float | None, computed: float | None, n: int, words: Words) -> str:
    """The mean Brier score of the guesses, and that of the computed probabilities of the same outcomes."""
    text = words.text
    if yours is None:
        return f'<p class="quiet small">{escape(text("guess.none_settled"))}</p>'
    cells = [_cell(text("guess.brier.yours"), decimal(yours, words), "ink", "")]
    if computed is not None:
        cells.append(_cell(text("guess.brier.computed"), decimal(computed, words), "pri", ""))
    said = escape(text("guess.brier.about", n=n))
    return f'<div><div class="three">{"".join(cells)}</div><p class="quiet small">{said}</p></div>'


def plotted(shown: Iterable[Point], words: Words) -> str:
    """The plot of reliability, and how to read it."""
    return f'<div class="reliability">{plot(shown, words)}<p class="quiet small">{escape(words.text("guess.plot.about"))}</p></div>'


def listed(title: str, rows: Iterable[str]) -> str:
    """Some guesses under a small heading."""
    items = "".join(f"<li>{coloured(row)}</li>" for row in rows)
    return f'<div class="listed"><b>{escape(title)}</b><ul>{items}</ul></div>'


def saves(words: Words) -> str:
    """The buttons that save what was guessed."""
    kinds = {"csv": "guess.save.csv", "svg": "guess.save.svg", "png": "guess.save.png"}
    buttons = "".join(
        f'<button class="move" data-say="{GUESS}save {kind}">{escape(words.text(key))}</button>' for kind, key in kinds.items()
    )
    return f'<div class="moves">{buttons}</div>'
