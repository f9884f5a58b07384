"""The page without a game: what there is to play."""

from __future__ import annotations

from html import escape
from typing import Any, Final

import panel as pn

from cardlab.cards import Card
from cardlab.core.registry import GAMES, game
from cardlab.dashboard import chance_parts, qr
from cardlab.dashboard.address import Look
from cardlab.dashboard.frame import Frame
from cardlab.dashboard.icons import icon
from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Pane
from cardlab.view.drawings import face
from cardlab.words import Words
from cardlab.words.errors import CardlabError

FANS: Final = {"suicide_king": "QS KH AD", "fight_for_the_lead": "2H AC KD", "poker_marshal": "JS JK1 QH"}
CARD: Final = 112  # px


class Start(Frame):
    """The page of a browser session that has not chosen a game.

    ``fault`` is what was wrong with the address, if anything, ``url`` the address for others who are to come, if there is one.
    """

    def __init__(self, look: Look, fault: CardlabError | None = None, url: str = "") -> None:
        super().__init__(look, fault)
        self.url = url
        self.games = Pane(style=style("start"))
        self.fill(self.games)
        self.refresh()

    def refresh(self) -> None:
        """Everything anew that has changed."""
        look, words = self.look, Words(self.look.language)
        with self._update():
            self.page.dark_theme = look.dark
            self.bar.label(words, look)
            self.games.lines = [hello(words), *(card(name, words, look) for name in GAMES), *chance_parts.cards(words, look)]
            self.games.lines += [invitation(self.url, words)] if self.url else []
            self.browser.speak(words)
            self.browser.put(address=look.link(), back=look.link(), projector=False)
            self.show_fault(self.fault)
        if pn.state.curdoc:
            pn.state.curdoc.title = f"cardlab · {words.text('start.title')}"


def hello(words: Words) -> str:
    """What this is."""
    return f'<div class="hello"><h1>{escape(words.text("start.title"))}</h1><p>{escape(words.text("start.about"))}</p></div>'


def invitation(url: str, words: Words) -> str:
    """The address to come to, to be read and as a QR code."""
    text, said = words.text, escape(url)
    return (
        f'<aside class="invite"><div>{qr.drawn(url, text("serve.invite.code"))}</div><div><h2>{escape(text("serve.invite.title"))}</h2>'
        f'<p class="url"><a href="{said}">{said}</a></p><p>{escape(text("serve.invite.about"))}</p></div></aside>'
    )


def card(name: str, words: Words, look: Look) -> str:
    """A game: its cards, what it is about, and the ways in."""
    text, kind = words.text, GAMES[name]
    fan = "".join(face(Card(token), CARD, words.language) for token in FANS[name].split())
    counts = kind.player_counts
    pack: Any = game(name)
    chips = (
        text("start.players", n=counts[-1], range=f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])),
        text(f"start.{name}.luck"),
        text("start.cards", n=len(pack.size.pack)),
    )
    marks = "".join(f'<span class="chip">{escape(chip)}</span>' for chip in chips)
    title = escape(text(f"game.{name}"))
    play, rules = escape(look.link(game=name)), escape(look.link(game=name, tab="rules"))
    return (
        f'<article aria-label="{title}"><div class="fan" aria-hidden="true">{fan}</div><div class="about"><h2>{title}</h2>'
        f'<p>{escape(text(f"start.{name}.about"))}</p><div class="chips">{marks}</div><div class="links">'
        f'<a class="first" href="{play}">{escape(text("start.play"))}</a>'
        f'<a href="{rules}">{icon("book")}{escape(text("start.rules"))}</a></div></div></article>'
    )
