"""Pieces of HTML that the notebook and the page share; each is made from what the viewpoint knows and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Any, Final

from cardlab.cards import CARDS, Card
from cardlab.cards.card import GLYPHS, RANKS
from cardlab.chance.answers import Answer
from cardlab.chance.questions import Question
from cardlab.core.events import Seat
from cardlab.core.game import Action, AnyGame
from cardlab.core.session import Row
from cardlab.view.answers import Row as Answered
from cardlab.view.answers import basis, rows
from cardlab.view.blocks import colour
from cardlab.view.drawings import alone, symbol
from cardlab.view.odds import Odds
from cardlab.view.offer import Offer
from cardlab.view.rulebook import house_rules, rule_book
from cardlab.words import Words
from cardlab.words.percents import percent

SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
_CARD: Final = re.compile(r"(?:10|\w)[♣♦♥♠]\N{VARIATION SELECTOR-15}?")
_SIGNS: Final = "♣♦♥♠"
PICK: Final = 44  # px
GO: Final = "go-"  # before a step: a press on it leads there
ASK: Final = "question "  # before a question's name: a press on it shows or hides the answer
BOARD: Final = "board "  # before a board's name: a press on it shows the board
BRANCH: Final = "branch "  # before the number of a line: a press on it puts it on the desk
DROP: Final = "drop "  # before the number of a line that is forgotten
NAME: Final = "name "  # before the number of a line and the name that somebody gives it
SAVE: Final = "save "  # before a kind of file and what is to be saved
MOST: Final = 25  # rows of an answer: five players by five titles
RULE: Final = "rule "  # before the id of a rule: a press on it opens the rule book there


def coloured(said: str) -> str:
    """A sentence as HTML, its cards in the colours of their suits.

    >>> coloured("Q♥ < K♥")
    '<b class="hearts">Q♥</b> &lt; <b class="hearts">K♥</b>'
    """
    return _CARD.sub(lambda card: f'<b class="{SUITS[_SIGNS.index(card[0].rstrip(chr(0xFE0E))[-1])]}">{card[0]}</b>', escape(said))


def heading(said: str, beside: str = "") -> str:
    """The title of a panel, with something quiet beside it."""
    return f'<div class="title"><h2>{escape(said)}</h2><span class="quiet small">{escape(beside)}</span></div>'


def rule(name: str) -> str:
    """The id of a rule as a chip: it tells the rule when it is pointed at, and opens the rule book when it is pressed."""
    return f'<button class="rule" data-say="{RULE}{name}" data-title="{name}">{name}</button>'


def log_line(row: Row, before: Row | None, game: AnyGame, words: Words) -> str:
    """A row of the log, which goes to its step when it is pressed, under a small heading where a deal or a phase begins."""
    head = ""
    if before is None or (row.deal, row.phase) != (before.deal, before.phase):
        phase = words.text(f"phase.{game.name}.{row.phase}")
        head = f'<div class="head">{escape(words.text("stepper.deal", n=row.deal + 1))} · {escape(phase)}</div>'
    said = f'<span class="n">{row.step}</span><span class="said">{coloured(row.text)}</span>'
    go = f'<button class="go" data-say="{GO}{row.step}">{said}</button>'
    return f'<div>{head}<div class="row" data-peek="{row.step}">{go}{rule(row.rule)}</div></div>'


def moves(offer: Offer | None, game: AnyGame, words: Words) -> str:
    """The moves that are no click on a card of the table: buttons, and the cards of the pack that may be named."""
    if offer is None:
        return '<div class="moves" hidden></div>'
    buttons = "".join(
        f'<button class="move" data-say="{action}">{coloured(game.say_action(action, words))}</button>' for action in offer.moves
    )
    hint = ""
    if any(said.startswith("choose ") for said in offer.says.values()):
        hint = f'<span class="quiet small">{escape(words.text("screen.choose_cards"))}</span>'
    grid = f'<div class="quiet small">{escape(words.text("screen.pick"))}</div>' if offer.picks else ""
    for suit in sorted({action.card.suit or 0 for action in offer.picks}, reverse=True):
        same = sorted((action for action in offer.picks if action.card.suit == suit), key=lambda action: action.card, reverse=True)
        grid += f'<div class="picks">{"".join(_pick(action, game, words) for action in same)}</div>'
    return f'<div><div class="moves">{buttons}{hint}</div>{grid}</div>'


def _pick(action: Action, game: AnyGame, words: Words) -> str:
    said = escape(game.say_action(action, words))
    use = f'<use href="#cl-{symbol(action.card, PICK)}" width="100" height="140"/>'
    drawing = f'<svg viewBox="0 0 100 140" aria-hidden="true">{use}</svg>'
    return f'<button class="pick" data-say="{action}" aria-label="{said}" data-why="{said}">{drawing}</button>'


def cards_to_tell(cards: Iterable[Card], says: Callable[[Card], str], chosen: Iterable[Card], words: Words) -> str:
    """Cards of the pack to press, a line for each suit with every rank in its place, the jokers in the last."""
    offered, chosen = {*cards}, {*chosen}

    def cell(card: Card) -> str:
        if card not in offered:
            return "<i></i>"
        kind, said = ("joker", card.spoken(words)) if card.suit is None else (SUITS[card.suit], words.show(card))
        pressed = f'aria-pressed="{str(card in chosen).lower()}" aria-label="{escape(card.spoken(words))}"'
        return f'<button class="{kind}" data-say="{says(card)}" {pressed}>{escape(said)}</button>'

    suits = [[card for card in reversed(CARDS) if card.suit == suit] for suit in (*reversed(range(len(SUITS))), None)]
    lines = ["".join(map(cell, same)) for same in suits if offered.intersection(same)]
    return f'<div class="tell">{"".join(lines)}</div>'


def fault(said: str, words: Words) -> str:
    """The strip that says what went wrong."""
    return f'<div class="fault" role="alert"><b>{escape(words.text("screen.error"))}.</b> <span>{escape(said)}</span></div>'


def saves(files: Iterable[tuple[str, str]], words: Words) -> str:
    """Links that save something: what each says when it is pressed, and the kind of file."""
    links = "".join(
        f'<button class="save" data-say="{said}" aria-label="{escape(words.text("board.save", kind=kind))}">{escape(kind)}</button>'
        for said, kind in files
    )
    return f'<span class="saves">{links}</span>'


# odds


def exact(words: Words) -> str:
    """The tag of a number that is exact."""
    return f'<span class="tag">{escape(words.text("screen.chances_exact"))}</span>'


def simulated(words: Words, width: str = "") -> str:
    """The tag of a number that is an estimate, with what stands behind ±."""
    said = words.text("screen.chances_within", width=width) if width else words.text("screen.chances_simulated")
    return f'<span class="tag sim">{escape(said)}</span>'


def odds_rows(rows: Iterable[Odds], words: Words) -> list[str]:
    """A row for outcomes that are alike: how many, the probability of each, and which they are; a certainty has no bar."""
    lines = []
    for row in rows:
        share = escape(words.text("stepper.odds", n=row.n, p=str(row.p), percent=percent(row.p, words)))
        bar = f'<div class="track"><i style="width:{float(row.p):.1%}"></i></div>' if row.p < 1 else ""
        head = f'<div class="l1"><span class="name">{coloured(row.what)}</span></div>' if row.n <= 3 else ""
        lines.append(f'<div class="odds">{head}<div class="l1"><b>{share}</b>{exact(words)}</div>{bar}</div>')
    return lines


def question(asked: Question, unfolded: bool, words: Words) -> str:
    """A question as a button that shows or hides its answer."""
    state = f'aria-expanded="{str(unfolded).lower()}"'
    return f'<button class="question" data-say="{ASK}{asked.name}" {state}>{escape(asked.say(words))}</button>'


def answer_rows(game: AnyGame, answer: Answer[Any], words: Words, before: Answer[Any] | None = None, step: int = 0) -> list[str]:
    """A bar for each outcome, with its kind; the likeliest, or the first, where there are many, and how many more there are.

    ``before`` is the answer before the last press, which led to ``step``: what was stands beside what is.
    """
    shown = list(rows(game, answer, words, before))
    square = matrix(answer, shown, words)
    inks = [f"var(--p{outcome + 1})" if isinstance(outcome, Seat) else "" for outcome in answer.numbers]
    if square:
        highest = [(row, outcome.seat) for row, outcome in zip(shown, answer.numbers, strict=True) if outcome.title == 0]
        shown, inks = [replace(row, outcome=words.seat(seat)) for row, seat in highest], [f"var(--p{seat + 1})" for _, seat in highest]
    if len(shown) > MOST and answer.adds_up:
        shown.sort(key=lambda row: -(row.value or 0))
    ends = [abs(end) for row in shown for end in (row.value, row.low, row.high, row.was) if end is not None]
    most = 1.0 if answer.chances else max(ends, default=0.0)
    beside = f" {words.text('screen.before_after', step=step)}" if any(_moved(row) for row in shown) else ""
    lines = [f'<p class="quiet small basis">{escape(basis(answer, words) + beside)}</p>']
    lines += [f'<p class="small"><b>{escape(words.text("screen.next_marshal"))}</b></p>'] if square else []
    lines += [_answer_row(row, ink, most, answer.chances, words) for row, ink in zip(shown[:MOST], inks, strict=False)]
    if len(shown) > MOST:
        lines.append(f'<p class="quiet small">{escape(words.text("chance.others", n=len(shown) - MOST))}</p>')
    return lines + square


def _moved(row: Answered) -> bool:
    return row.said_was not in ("", row.now)


def _answer_row(row: Answered, ink: str, most: float, chances: bool, words: Words) -> str:
    tag = exact(words) if row.exact else simulated(words, row.width)
    moved = _moved(row)
    was = f'<span class="was">{escape(row.said_was)} →</span>' if moved else ""
    short = row.shown.rpartition("= ")[2] if moved else row.shown  # there is no room for a fraction, too
    head = f'<span class="name">{coloured(row.outcome)}</span>{was}<b title="{escape(row.said)}">{escape(short)}</b>{tag}'
    bar = "" if chances and row.exact and row.value in (0, 1) else _bar(row, ink, most, moved)  # a certainty has none
    return f'<div class="odds"><div class="l1">{head}</div>{bar}</div>'


def _bar(row: Answered, ink: str, most: float, moved: bool) -> str:
    """A bar from nothing to the value, hatched where that is negative; over it the interval, a tick where it was, and what was lost."""
    if row.value is None or not most:
        return ""
    below = ' class="loss"' if row.value < 0 else ""
    band = ""
    if row.low is not None and row.high is not None:
        ends = sorted((abs(row.low), abs(row.high))) if row.low * row.high > 0 else [0.0, max(abs(row.low), abs(row.high))]
        band = f'<s style="left:{ends[0] / most:.1%};width:{(ends[1] - ends[0]) / most:.1%}"></s>'
    if moved and row.was is not None and min(row.was, row.value) >= 0:
        if row.was > row.value:
            band += f'<em style="left:{row.value / most:.1%};width:{(row.was - row.value) / most:.1%}"></em>'
        band += f'<u style="left:{row.was / most:.1%}"></u>'
    whose = f";background:{ink}" if ink and row.value >= 0 else ""
    return f'<div class="track"><i{below} style="width:{abs(row.value) / most:.1%}{whose}"></i>{band}</div>'


def matrix(answer: Answer[Any], shown: Sequence[Answered], words: Words) -> list[str]:
    """Who gets which title, players by titles, where an answer says that; a likelier cell is darker."""
    outcomes = list(answer.numbers)
    if not all(getattr(outcome, "choice", "") is None for outcome in outcomes):
        return []
    titles_ = sorted({outcome.title for outcome in outcomes})
    names = [words.text(f"title.{title}") for title in titles_]
    cells = [
        '<span class="corner"></span>',
        *(f'<span class="sign" data-why="{escape(name)}">{sign(k)}</span>' for k, name in enumerate(names)),
    ]
    for seat in dict.fromkeys(outcome.seat for outcome in outcomes):
        cells.append(f'<span class="from">{escape(words.seat(seat))}</span>')
        own = [(row, outcome) for row, outcome in zip(shown, outcomes, strict=True) if outcome.seat == seat]
        cells += [_heat(row, f"{words.seat(seat)} · {names[outcome.title]}: {row.said}") for row, outcome in own]
    head = f'<div class="title sub"><h2>{escape(words.text("screen.matrix"))}</h2></div>'
    grid = f'<div class="matrix" style="grid-template-columns:auto repeat({len(names)},minmax(0,1fr))">{"".join(cells)}</div>'
    return [head, grid]


def sign(title: int) -> str:
    """The sign of a title as a small picture."""
    use = f'<use href="#cl-t-{title}" width="19" height="19" stroke="{colour("ink2")}"/>'
    return alone(f'<svg width="19" height="19" viewBox="0 0 19 19" aria-hidden="true">{use}</svg>', "en")


def _heat(row: Answered, said: str) -> str:
    value = row.value or 0.0
    number = row.shown.rpartition("= ")[2].removesuffix("%").rstrip()
    if row.value in (0, 1) and not any(map(str.isdigit, number)):  # impossible or certain: the word has no room here
        number = f"{100 * value:.0f}"
    return (
        f'<span class="cell{" dark" if value > 0.6 else ""}" style="--t:{heat(value)}%" data-why="{escape(said)}">{escape(number)}</span>'
    )


def heat(share: float) -> int:
    """How strongly a cell is coloured; the shades between, on which no text could be read, are left out.

    >>> heat(0.0), heat(0.6), heat(0.61), heat(1.0)
    (0, 48, 77, 100)
    """
    return round(80 * share) if share <= 0.6 else round(76 + 60 * (share - 0.6))


def unseen(pack: Sequence[Card], odds: Mapping[Card, Fraction], words: Words) -> str:
    """The cards of a pack in suits by ranks: those that may come tinted, the likelier the stronger, the others struck through."""
    ranks = sorted({card.rank for card in pack if card.rank is not None})
    most = max(odds.values(), default=Fraction(1))
    cells = []
    for suit in sorted({card.suit for card in pack if card.suit is not None}, reverse=True):
        row = [card for card in pack if card.suit == suit]
        cells.append(f'<b class="{SUITS[suit]}">{GLYPHS[suit]}</b>')
        by_rank = {card.rank: card for card in row}
        cells += [_cell(by_rank[rank], odds, most, words) if rank in by_rank else "<span></span>" for rank in ranks]
        cells.append(f'<span class="sum">{sum(card in odds for card in row)}</span>')
    grid = f'<div class="unseen" style="grid-template-columns:20px repeat({len(ranks)},minmax(0,1fr)) 22px">{"".join(cells)}</div>'
    jokers = [card for card in pack if card.joker]
    if jokers:
        grid += f'<div class="unseen jokers">{"".join(_cell(card, odds, most, words) for card in jokers)}</div>'
    return f"<div>{grid}</div>"


def _cell(card: Card, odds: Mapping[Card, Fraction], most: Fraction, words: Words) -> str:
    letter = words.text(f"rank.{RANKS[card.rank]}") if card.rank is not None else words.show(card)
    p = odds.get(card)
    if p is None:
        return f'<span class="none">{letter}</span>'
    share = round(float(p / most) * 12)  # per cent: on more the letter would not stand out
    said = escape(words.text("screen.cell", card=card, p=str(p), percent=percent(p, words)))
    ink = "spades" if card.suit is None else SUITS[card.suit]
    tint = f"background:color-mix(in srgb,var(--{ink}) {share}%,var(--sunk));color:var(--{ink})"
    return f'<b style="{tint}" data-why="{said}">{letter}</b>'


# the rule book


def titles(game: AnyGame, words: Words) -> dict[str, str]:
    """The sentence of every rule and house rule by its id."""
    kind = type(game)
    return dict(rule_book(kind, words)) | {row.key: row.about for row in house_rules(kind, words)}


def rules(game: AnyGame, words: Words, opened: str = "") -> list[str]:
    """The rule book of a game: what it is about, each rule with its id, each house rule with what its values mean."""
    kind: type[Any] = type(game)
    entries = "".join(_entry(name, coloured(said), opened) for name, said in rule_book(kind, words))
    houses = ""
    for row in house_rules(kind, words):
        values = "".join(f'<p class="quiet small"><b>{value}</b>: {escape(about)}</p>' for value, about in row.values)
        houses += _entry(row.key, escape(row.about) + values, opened)
    about = escape(words.text(f"rulebook.{kind.name}.about"))
    return [f"<p>{about}</p>", f"<dl>{entries}</dl>", f"<h2>{escape(words.text('screen.house'))}</h2>", f"<dl>{houses}</dl>"]


def _entry(name: str, said: str, opened: str) -> str:
    here = ' class="now" data-show' if name == opened else ""
    return f'<dt{here}><span class="rule">{name}</span></dt><dd>{said}</dd>'
