"""What stands on the page of demonstrations, as lines of HTML for its panes."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import Any, Final

from cardlab.dashboard.address import Look
from cardlab.dashboard.icons import icon
from cardlab.demos import DEMOS, Demo, Titles
from cardlab.demos.demo import STEPS, Reading
from cardlab.view import html
from cardlab.words import Words, number

_SHEETS: Final = re.split(r"^/\* == (\w+) \*/$", (files("cardlab.dashboard") / "chance.css").read_text("utf-8"), flags=re.MULTILINE)
STYLES: Final = {"lines": _SHEETS[0], **dict(zip(_SHEETS[1::2], _SHEETS[2::2], strict=True))}
FIRST: Final = 1000  # games of the button that stands out
FILES: Final = ("csv", "png", "svg")
TITLES: Final = {"title": "title.{}", "policy": "player.{}"}  # values that have names already
HOUSE: Final = frozenset({"extra_cards", "king_of_hearts", "short_hands"})
_SIGNS: Final = {
    "first_match": '<path d="M3 13h38M3 29h38" class="q"/><path d="M3 21h38"/><path d="m4 33 5-22 5 16 5-9 6 5 6-3 10 1" class="o"/>',
    "mean_turn": '<path d="M3 24h38"/><path d="m4 8 6 26 6-16 6 10 4-9 6 7 9-3" class="o"/>',
    "turn_lengths": '<path d="M6 36V6M14 36V22M22 36V27M30 36V31M38 36V34" class="o w"/><path d="m6 6 8 16 8 5 8 4 8 3"/>',
    "hands": '<path d="M4 8h14M4 17h34M4 26h18M4 35h9" class="o w"/><path d="m18 8 20 9-16 9-9 9"/>',
    "titles": '<path d="M5 5h10v10H5zM17 17h10v10H17zM29 29h10v10H29z" class="f"/><path d="M5 17h10v10H5zM29 17h10v10H29zM17 5h10v10H17zM17 29h10v10H17zM29 5h10v10H29zM5 29h10v10H5z" class="g"/>',  # noqa: E501
    "bank": '<path d="M4 36C16 34 28 24 40 4v22C30 31 18 35 4 36Z" class="g"/><path d="M4 36 40 14" class="o"/><path d="m4 36 12-5h24"/>',
    "seats": '<path d="M3 20h38"/><path d="M3 24h38" class="o"/><path d="M9 8v24M21 13v15M33 17v6"/><path d="M14 12v26M26 17v15M38 21v6" class="o"/>',  # noqa: E501
}


def sign(name: str) -> str:
    """A demonstration as a small drawing."""
    return f'<svg class="sign" viewBox="0 0 44 44" aria-hidden="true">{_SIGNS[name]}</svg>'


def link(look: Look, name: str) -> str:
    """The address of a demonstration, from any page."""
    return "chance" + look.link(demo=name)


def cards(words: Words, look: Look) -> list[str]:
    """The demonstrations as the start page lists them."""
    text = words.text
    listed = "".join(
        f'<a href="{escape(link(look, name))}">{sign(name)}<span><b>{escape(text(f"demo.{name}.title"))}</b>'
        f"<span>{escape(text(f'demo.{name}.about'))}</span></span></a>"
        for name in DEMOS
    )
    return [f'<h2 class="demos">{escape(text("demo.list"))}</h2><nav class="demos" aria-label="{escape(text("demo.list"))}">{listed}</nav>']


def listed(chosen: str, words: Words) -> list[str]:
    """The demonstrations to choose from."""
    lines = [f"<h1>{escape(words.text('demo.page'))}</h1>"]
    for name in DEMOS:
        here = ' aria-current="true"' if name == chosen else ""
        said = f"<b>{escape(words.text(f'demo.{name}.title'))}</b><span>{escape(words.text(f'demo.{name}.about'))}</span>"
        lines.append(f'<button class="demo" data-say="demo {name}"{here}>{sign(name)}<span>{said}</span></button>')
    return lines


def head(demo: Demo, words: Words) -> list[str]:
    """What it is about, and what can be chosen."""
    text = words.text
    said = f'<div class="said"><h2>{escape(text(f"demo.{demo.name}.title"))}</h2><p>{escape(text(f"demo.{demo.name}.explain"))}</p></div>'
    return [said, f'<div class="options">{"".join(_option(demo, key, words) for key in demo.choices)}</div>']


def _option(demo: Demo, key: str, words: Words) -> str:
    name = escape(words.text(f"demo.option.{key}"))
    buttons = "".join(
        f'<button data-say="set {key} {value}" aria-pressed="{str(value == demo.options[key]).lower()}">{escape(_value(key, value, words))}'
        "</button>"
        for value in demo.choices[key].values
    )
    label = f'<span class="quiet small">{name}</span>'
    return f'<div class="option" role="group" aria-label="{name}">{label}<span class="group">{buttons}</span></div>'


def _value(key: str, value: Any, words: Words) -> str:
    if key in TITLES:
        return words.text(TITLES[key].format(value))
    return words.text(f"page.value.{key}.{value}") if key in HOUSE else number(value)


def buttons(demo: Demo, busy: bool, words: Words) -> list[str]:
    """More games, as many as the button says; while some are played the buttons say why they wait."""
    text = words.text
    why = f'aria-disabled="true" data-why="{escape(text("demo.busy"))}"'
    more = ""
    for n in STEPS:
        name, does = escape(text("demo.more.about", n=n)), why if busy else f'data-say="more {n}"'
        first = " first" if n == FIRST else ""
        more += f'<button class="more{first}" data-key="more {n}" aria-label="{name}" {does}>×{number(n)}</button>'
    reset = f'data-say="reset" data-why="{escape(text("demo.reset.about"))}"'
    again = f'<button class="reset" {why if busy else reset}>{icon("restart")}{escape(text("demo.reset"))}</button>'
    return [f'<div class="run">{more}{again}</div>']


def progress(done: int, wanted: int, words: Words) -> list[str]:
    """How far it is, and the way to stop."""
    text = words.text
    said = text("demo.progress", done=done, n=wanted) if done else text("demo.prepares")
    bar = f'<progress max="{max(wanted, 1)}"{f""" value="{done}" """ if done else " "}aria-label="{escape(said)}"></progress>'
    stop = f'<button data-say="cancel">{escape(text("demo.cancel"))}</button>'
    return [f'<div class="busy" role="status">{bar}<span>{escape(said)}</span>{stop}</div>']


def played(demo: Demo, words: Words) -> list[str]:
    """How many games there are so far."""
    said = f"{words.text('demo.played', n=demo.games)} · {words.text('demo.seed', seed=str(demo.seed))}"
    return [f'<p class="played quiet small" role="status">{escape(said)}</p>']


# beside the picture


def numbers(demo: Demo, words: Words) -> list[str]:
    """The numbers with their kinds."""
    basis = words.text("demo.simulated", n=demo.games) if demo.games else ""
    return [html.heading(words.text("demo.numbers"), basis), *(_reading(reading, words) for reading in demo.readings())]


def _reading(reading: Reading, words: Words) -> str:
    tag = html.exact(words) if reading.exact else f'<span class="tag sim">{escape(words.text("demo.sim"))}</span>'
    said = words.show(reading.said)
    value, *fraction = reversed(said.split(" = "))
    beside = "".join(f'<span class="quiet small">{escape(part)}</span>' for part in fraction)
    kind = "exact" if reading.exact else "sim"
    return f'<div class="reading {kind}"><span>{escape(words.show(reading.label))}</span><b>{escape(value)}</b>{tag}{beside}</div>'


def oddest(demo: Demo, look: Look, words: Words) -> list[str]:
    """What is odd about the oddest game, and the way to it."""
    text, odd = words.text, demo.oddest()
    if odd is None:
        return [html.heading(text("demo.oddest")), f'<p class="quiet small">{escape(text("demo.nothing_yet"))}</p>']
    there = escape("./" + look.link(**demo.asked(odd.index)))
    said = escape(words.show(odd.what))
    way = f'<a href="{there}">{icon("step")}{escape(text("demo.open", index=odd.index))}</a>'
    return [html.heading(text("demo.oddest")), f'<div class="odd"><p>{said[:1].upper()}{said[1:]}.</p>{way}</div>']


def saving(demo: Demo, words: Words) -> list[str]:
    """What can be saved."""
    text = words.text
    why = "" if demo.games else f' aria-disabled="true" data-why="{escape(text("demo.nothing"))}"'
    links = "".join(
        f'<button data-key="{kind}"{why if why else f""" data-say="save {kind}" """}>{escape(text(f"demo.{kind}"))}</button>'
        for kind in FILES
    )
    return [html.heading(text("demo.save")), f'<div class="files">{links}</div>']


# the matrix of titles


def matrix(demo: Demo, words: Words) -> list[str]:
    """From title to title: a cell says its share, and is the darker the larger it is; nothing for other demonstrations."""
    if not isinstance(demo, Titles) or not demo.games:
        return []
    text, deals = words.text, demo.options["after"]
    names = [text(f"title.{k}") for k in range(len(demo.exact))]
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = ""
    for old, row in enumerate(demo.matrix()):
        cells = "".join(_cell(found, old == new, words) for new, found in enumerate(row))
        rows += f'<tr><th scope="row">{escape(names[old])}</th>{cells}</tr>'
    endless = "".join(f'<td class="known">{escape(_per_cent(float(p), words))}</td>' for p in demo.exact)
    rows += f'<tr class="endless"><th scope="row">{escape(text("demo.titles.endless"))} {html.exact(words)}</th>{endless}</tr>'
    said = escape(text("demo.titles.matrix", n=deals))
    corner = f"<td>{escape(text('demo.titles.old'))} → {escape(text('demo.titles.new'))}, %</td>"
    table = f'<table class="titles"><thead><tr>{corner}{heads}</tr></thead><tbody>{rows}</tbody></table>'
    picture = html.heading(text("demo.titles.picture"))
    return [
        html.heading(text("demo.titles.matrix", n=deals)),
        f'<div class="wide" role="region" tabindex="0" aria-label="{said}">{table}</div>',
        picture,
    ]


def _cell(found: Any, same: bool, words: Words) -> str:
    share = found.mean or 0.0
    dense = min(share / 0.6, 1.0)
    mix = round(dense * 80) if dense <= 0.6 else round(76 + (dense - 0.6) * 60)
    ink = "var(--ink)" if dense <= 0.6 else "var(--onheat)"
    half = _per_cent(found.half_width or 0.0, words)
    style = f"background:color-mix(in srgb,var(--heat) {mix}%,var(--sunk));color:{ink}"
    return f'<td{" class=same" if same else ""} style="{style}" data-why="±&nbsp;{half}">{_per_cent(share, words)}</td>'


def _per_cent(share: float, words: Words) -> str:
    return f"{share * 100:.1f}".replace(".", words.text("odds.point"))
