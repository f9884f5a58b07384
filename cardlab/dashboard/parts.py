"""The parts of the page that are not stock widgets: lines of HTML whose buttons speak, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any, Final

import param
from panel.custom import JSComponent

from cardlab.core.events import TEACHER
from cardlab.desk import Desk, Move
from cardlab.view.odds import percent
from cardlab.view.rulebook import house_rules, rule_book
from cardlab.words import Words, has
from cardlab.words.errors import CardlabError

_CARD: Final = re.compile(r"(?:10|\w)[♣♦♥♠]\N{VARIATION SELECTOR-15}?")
_SUITS: Final = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}

STYLE: Final = """
:host { display: block; color: var(--ink); font: 14px/20px Roboto, "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; }
h2 { font-size: 16px; line-height: 22px; margin: 0; }
p { margin: 0; } .quiet { color: var(--ink2); } .small { font-size: 13px; line-height: 18px; }
b.clubs, b.diamonds, b.hearts, b.spades { white-space: nowrap; }
b.clubs { color: var(--clubs); } b.diamonds { color: var(--diamonds); }
b.hearts { color: var(--hearts); } b.spades { color: var(--spades); }
.rule, .tag { background: var(--prit); color: var(--pri); border-radius: 10px; padding: 0 8px; font-size: 12px; line-height: 20px;
  font-weight: 700; white-space: nowrap; align-self: start; }
.rule { cursor: help; text-decoration: none; }
.tag { border: 1px solid var(--pri); border-radius: 4px; line-height: 16px; padding: 0 5px; }
button { font: inherit; color: inherit; text-align: left; cursor: pointer; }
button:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--pri); outline-offset: -3px; border-radius: 6px; }
.row { display: grid; grid-template-columns: 30px minmax(0, 1fr) auto; gap: 8px; width: 100%; padding: 4px 8px 4px 2px; border: 0;
  border-left: 3px solid transparent; background: none; }
.row:hover { background: var(--prit); }
.row.now { background: var(--markt); border-left-color: var(--mark); }
.row .n { color: var(--ink3); text-align: right; }
.row.now .n, .row.now .said { color: var(--marki); }
.head { color: var(--ink2); font-size: 12px; font-weight: 700; padding: 8px 8px 2px 2px; }
.moves { margin-top: 8px; display: flex; flex-wrap: wrap; gap: 8px; }
.move { background: var(--surface); border: 1px solid var(--line2); border-radius: 8px; padding: 6px 12px; min-height: 36px; }
@media (max-width: 899px) { .move { min-height: 44px; } }
.move:hover { background: var(--prit); }
.fault { margin: 16px 20px 0; padding: 10px 16px; border: 2px solid var(--bad); border-radius: 8px; background: var(--surface); }
.fault b { color: var(--bad); }
.chance { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; }
dl { margin: 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 8px 10px; }
dt, dd { margin: 0; } dd p { margin-top: 4px; }
"""
# the log scrolls inside on wide screens, and keeps the newest row in sight everywhere
LOG_STYLE: Final = """
.box { height: calc(100vh - 330px); min-height: 320px; overflow-y: auto; overscroll-behavior: contain; }
@media (max-width: 1279px) { .box { height: auto; min-height: 0; max-height: 260px; } }
"""
RULES_STYLE: Final = ".box { max-height: 420px; overflow-y: auto; } .box > p { margin: 0 0 10px; }"


class Lines(JSComponent):
    """Lines of HTML, of which only those that changed are drawn anew; a press on an element with ``data-say`` is told to ``heard``.

    ``mark`` names the moment that the lines were drawn for: a press on lines of another moment, as the second of two quick clicks, is
    not told. ``titles`` are shown over elements with ``data-title``; ``now`` marks the elements that say so; ``follow`` keeps the last
    line in sight.
    """

    lines = param.List(default=[], item_type=str)
    mark = param.String(default="")
    now = param.String(default="")
    titles = param.Dict(default={})
    follow = param.Boolean(default=False)
    label = param.String(default="")

    _esm = """
    export function render({ model }) {
      const box = document.createElement("div");
      box.className = "box";
      let shown = [];
      const bottom = () => { if (model.follow) box.scrollTop = box.scrollHeight; };
      const mark = () => {
        for (const element of box.querySelectorAll(".now")) element.classList.remove("now");
        for (const element of model.now ? box.querySelectorAll(`[data-say="${model.now}"]`) : []) element.classList.add("now");
      };
      const draw = () => {
        const lines = model.lines;
        let same = 0;
        while (same < shown.length && same < lines.length && shown[same] === lines[same]) same += 1;
        const active = box.getRootNode().activeElement;
        const focused = active && box.contains(active);
        while (box.children.length > same) box.lastElementChild.remove();
        box.insertAdjacentHTML("beforeend", lines.slice(same).join(""));
        shown = [...lines];
        mark();
        bottom();
        if (focused && !box.contains(active)) box.querySelector("[data-say]")?.focus({ preventScroll: true });
      };
      const name = () => {
        box.setAttribute("aria-label", model.label);
        if (model.label) box.setAttribute("role", "region");
        if (model.follow) box.tabIndex = 0;
      };
      box.addEventListener("click", (event) => {
        const said = event.target.closest("[data-say]");
        if (said) model.send_msg({ say: said.dataset.say, mark: model.mark });
      });
      box.addEventListener("pointerover", (event) => {
        const named = event.target.closest("[data-title]");
        if (named) named.title = model.titles[named.dataset.title] || "";
      });
      model.on("lines", draw);
      model.on("now", mark);
      model.on("label", name);
      model.on("after_layout", bottom);
      draw();
      name();
      return box;
    }
    """

    def __init__(self, heard: Callable[[str], Any] | None = None, style: str = "", **params: Any) -> None:
        self._heard = heard
        params = {"sizing_mode": "stretch_width", "margin": 0} | params
        super().__init__(stylesheets=[STYLE + style], **params)

    def _handle_msg(self, data: Any) -> None:
        if self._heard is not None and isinstance(data, dict) and data.get("mark") == self.mark and isinstance(data.get("say"), str):
            self._heard(data["say"])


def coloured(said: str) -> str:
    """A sentence as HTML, its cards in the colours of their suits."""
    return _CARD.sub(lambda card: f'<b class="{_SUITS[card[0].rstrip(chr(0xFE0E))[-1]]}">{card[0]}</b>', escape(said))


def heading(said: str, beside: str = "") -> str:
    """The title of a panel, with something quiet beside it."""
    return f'<div class="chance"><h2>{escape(said)}</h2><span class="quiet small">{escape(beside)}</span></div>'


def fault_lines(fault: Exception | None, words: Words) -> list[str]:
    """The strip of what went wrong: a refusal in its sentence, a fault by its class and message."""
    if fault is None:
        return []
    said = fault.say(words) if isinstance(fault, CardlabError) else f"{type(fault).__name__}: {fault}"
    return [f'<div class="fault" role="alert"><b>{escape(words.text("screen.error"))}.</b> <span>{escape(said)}</span></div>']


def move_lines(moves: Iterable[Move]) -> list[str]:
    """A button a move."""
    buttons = "".join(f'<button class="move" data-say="{move.token}">{coloured(move.label)}</button>' for move in moves)
    return [f'<div class="moves">{buttons}</div>'] if buttons else []


def chance_lines(desk: Desk) -> list[str]:
    """The odds of the next draw in words: so many outcomes with so much each."""
    words = desk.words
    exact = f'<span class="tag">{escape(words.text("screen.chances_exact"))}</span>'
    lines = []
    for row in desk.odds():
        share = words.text("stepper.odds", n=row.n, p=str(row.p), percent=percent(row.p, words))
        lines.append(f'<div class="chance"><span>{escape(share)}</span>{exact}</div>')
    return lines


def titles(desk: Desk) -> dict[str, str]:
    """The sentence of every rule and house rule by its id."""
    kind = type(desk.game)
    return dict(rule_book(kind, desk.words)) | {row.key: row.about for row in house_rules(kind, desk.words)}


def rule_lines(desk: Desk) -> list[str]:
    """The rule book of the game: what it is about, each rule with its id, each house rule with what its values mean."""
    words, kind = desk.words, type(desk.game)
    rules = "".join(f'<dt><span class="rule">{rule}</span></dt><dd>{coloured(said)}</dd>' for rule, said in rule_book(kind, words))
    houses = "".join(
        f'<dt><span class="rule">{row.key}</span></dt><dd>{escape(row.about)}'
        + "".join(f'<p class="quiet small"><b>{value}</b>: {escape(about)}</p>' for value, about in row.values)
        + "</dd>"
        for row in house_rules(kind, words)
    )
    about = words.text(f"rulebook.{kind.name}.about")
    return [f"<p>{escape(about)}</p>", f"<dl>{rules}</dl>", f"<p><b>{escape(words.text('screen.house'))}</b></p>", f"<dl>{houses}</dl>"]


def present(desk: Desk) -> str:
    """What lies on the desk: the game, its house rules where they are not the usual ones, and, for the teacher, its seed."""
    words, game = desk.words, desk.game
    said = [words.text("page.present", game=game, n=game.players)]
    for key, value in game.rules.changed().items():
        known = f"page.value.{key}.{value}"
        seat = game.rules.options()[key].seat and isinstance(value, int)
        shown = words.text(known) if has(known) else words.seat(value) if seat else words.show(value)
        said.append(f"{words.text(f'page.house.{key}')}: {shown}")
    if desk.viewer == TEACHER and desk.session.seed is not None:
        said.append(words.text("page.present_seed", seed=str(desk.session.seed)))
    return f'<p class="quiet small">{escape(" · ".join(said))}</p>'
