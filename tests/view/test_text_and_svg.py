"""The table as text and as a picture: all games, many moments, every viewpoint, both languages."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

from cardlab import GAMES, TEACHER, Session, game
from cardlab.cards import CARDS
from cardlab.core.events import Viewer
from cardlab.view import scene, svg, text
from cardlab.view.odds import odds, percent
from cardlab.view.svg import CARD_H, CARD_W, NARROW, WIDTH
from cardlab.words import LANGUAGES, Words

HOUSE: dict[str, list[dict[str, Any]]] = {
    "suicide_king": [{"players": 2}, {"players": 5, "extra_cards": "batch"}],
    "fight_for_the_lead": [{"players": 5, "deals": 3}, {"players": 2, "deals": 3, "refusal": "pagat_dropout", "exchange": "one_by_one"}],
    "poker_marshal": [{"deals": 2}, {"deals": 2, "swap": "take_then_give", "offers": "ask_or_offer"}],
}
SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("name", list(GAMES))
SUIT = re.compile("[♣♦♥♠]")


def games(name: str) -> Iterator[Session]:
    """Whole games, at their ends."""
    for seed, house in enumerate(HOUSE[name]):
        session = Session(game(name, **house), seed=seed)
        session.auto("random", until="game")
        yield session


def moments(name: str) -> Iterator[tuple[Session, Viewer]]:
    """Many moments of them, seen by a seat, a spectator and the teacher in turn."""
    for session in games(name):
        viewers: list[Viewer] = [*session.game.seats, None, TEACHER]
        for k, n in enumerate(range(0, len(session) + 1, 3)):
            yield session.goto(n), viewers[k % len(viewers)]
        yield session.goto(len(session)), None


def width(line: str) -> int:
    """The columns that a line takes in a terminal: a sign of variation takes none."""
    return sum(not unicodedata.combining(sign) and unicodedata.category(sign) != "Mn" for sign in line)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_narrow_and_whole(name: str, language: str) -> None:
    words = Words(language)
    for session, viewer in moments(name):
        shown = text(session.game, session.view(viewer), words)
        assert shown.endswith("\n")
        lines = shown.splitlines()
        assert lines[0].startswith(words.text(f"game.{name}"))
        assert max(map(width, lines)) <= 100
        for seat in session.game.seats:
            assert words.seat(seat) in shown
        assert shown.count(words.text("scene.you", name="")) == (viewer not in (None, TEACHER))
        demand_signs(shown)


def demand_signs(shown: str) -> None:
    """A suit's sign never stands alone: a rank is before it, and behind it the selector that keeps phones from drawing an emoji."""
    for found in SUIT.finditer(shown):
        assert shown[found.end()] == "\N{VARIATION SELECTOR-15}"
        assert re.search(r"[2-9JQKAВДКТ0]$", shown[: found.start()]), shown


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("narrow", [False, True])
def test_the_picture_is_well_formed_and_nothing_covers_anything(name: str, language: str, narrow: bool) -> None:
    words = Words(language)
    for session, viewer in moments(name):
        drawn = svg(session.game, session.view(viewer), words, narrow)
        root = ElementTree.fromstring(drawn)
        assert root.tag == f"{SVG}svg"
        _, _, wide, tall = map(float, root.attrib["viewBox"].split())
        assert wide == (NARROW if narrow else WIDTH)
        assert root.attrib["aria-label"].startswith(words.text(f"game.{name}"))
        cards = [box(group) for group in root.iter(f"{SVG}g") if group.attrib.get("role") == "img"]
        told = [line(element) for element in root.iter(f"{SVG}text") if element.attrib.get("text-anchor") != "middle"]
        for left, top, right, bottom in [*cards, *told]:
            assert 0 <= left < right <= wide
            assert 0 <= top < bottom <= tall
        for k, one in enumerate(cards + told):
            for other in (cards + told)[k + 1 :]:
                assert not overlap(one, other), (session, viewer, one, other)


Box = tuple[float, float, float, float]


def box(card: ElementTree.Element) -> Box:
    """Where a card lies."""
    paper = card[0].attrib
    return float(paper["x"]), float(paper["y"]), float(paper["x"]) + CARD_W, float(paper["y"]) + CARD_H


def line(element: ElementTree.Element) -> Box:
    """Where a line of text stands, its letters taken as half as wide as they are high."""
    x, y, size = (float(element.attrib[name]) for name in ("x", "y", "font-size"))
    return x, y - 0.7 * size, x + 0.5 * size * len(element.text or ""), y + 0.2 * size


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@every_game
def test_the_picture_and_the_text_show_the_same_cards(name: str) -> None:
    words = Words()
    most = 2 if name == "poker_marshal" else 1  # a card asked for or offered lies in a hand, too
    for session, viewer in moments(name):
        view = session.view(viewer)
        root = ElementTree.fromstring(svg(session.game, view, words))
        labels = [group.attrib["aria-label"] for group in root.iter(f"{SVG}g") if group.attrib.get("role") == "img"]
        shown = text(session.game, view, words)
        for card in CARDS:
            assert labels.count(words.show(card)) == len(re.findall(rf"(?<!\w){re.escape(words.show(card))}(?!\d)", shown)) <= most


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_card_that_a_seat_does_not_know_is_named(name: str, language: str) -> None:
    words = Words(language)
    hidden_at_all = 0
    for session, viewer in moments(name):
        if viewer == TEACHER:
            continue
        told = session.export(viewer)
        view = session.view(viewer)
        shown = text(session.game, view, words) + svg(session.game, view, words)
        for card in CARDS:
            if not re.search(rf'"{card}"|\b{card}\b', told):
                hidden_at_all += 1
                assert words.show(card) not in shown, (session, viewer, card)
                assert not re.search(rf"\b{card}\b", shown)
    assert hidden_at_all > 100


def test_hands_of_others_are_backs() -> None:
    session = Session(game("fight_for_the_lead", players=3, first_dealer=0), seed=7)
    session.auto("random", until="phase")
    assert session.game.phase(session.state) == "fight"
    rows = scene(session.game, session.view(1)).seats
    assert [row.cards.count(None) for row in rows] == [4, 0, 4]
    assert text(session.game, session.view(1), Words()).count("▒▒") == 8
    assert svg(session.game, session.view(1), Words()).count('aria-label="card, face down"') == 8 + 1  # and the stock
    assert svg(session.game, session.view(TEACHER), Words()).count('aria-label="card, face down"') == 1


def test_a_taken_trick_stays_in_sight_until_the_next_lead() -> None:
    session = Session(game("fight_for_the_lead", players=3), seed=7)
    while session.game.phase(session.state) != "tricks":
        session.step("still")
    for n in range(1, 12):
        session.step("still")
        labels = {group.label.key: group for group in scene(session.game, session.view()).middle}
        assert ("scene.last_trick" in labels) == (n % 3 == 0)
        assert ("scene.trick" in labels) == (n % 3 != 0)
        group = labels["scene.trick" if n % 3 else "scene.last_trick"]
        assert len(group.cards) == len(group.owners) == (n % 3 or 3)


def test_shown_hands_stay_in_sight_until_the_next_deal() -> None:
    session = Session(game("poker_marshal", deals=1), seed=7)
    session.auto("still", until="game")
    for row in scene(session.game, session.view()).seats:
        assert len(row.cards) == min(5, {0: 7, 1: 6, 2: 5, 3: 4, 4: 3}[session.steps[-2].before.titles.index(row.seat)])
        assert None not in row.cards


def test_before_the_first_deal_there_are_no_piles() -> None:
    session = Session(game("suicide_king", players=2), seed=7)
    assert scene(session.game, session.view()).middle == ()
    session.play()
    session.play()
    assert [group.backs for group in scene(session.game, session.view()).middle] == [12, 10, 10, 10, 10]


@every_game
def test_several_pictures_on_a_page_do_not_disturb_each_other(name: str) -> None:
    for session in games(name):
        drawn = svg(session.game, session.view(TEACHER), Words())
        assert not re.search(r"\bid=|url\(#|href=|<style|class=", drawn)
        assert "http" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")


@every_game
def test_looking_changes_nothing_and_is_the_same_in_every_process(name: str) -> None:
    (house, *_) = HOUSE[name]
    session = Session(game(name, **house), seed=0)
    session.auto("random", until="game")
    session.goto(len(session) // 2)
    drawn = [draw(session.game, session.view(viewer), Words("ru")) for draw in (text, svg) for viewer in (0, None, TEACHER)]
    assert drawn == [draw(session.game, session.view(viewer), Words("ru")) for draw in (text, svg) for viewer in (0, None, TEACHER)]
    code = (
        "import sys; from cardlab import *; from cardlab.view import *; from cardlab.words import Words\n"
        f"s = Session(game({name!r}, **{house!r}), seed=0); _ = s.auto('random', until='game'); _ = s.goto(len(s) // 2)\n"
        "drawn = [draw(s.game, s.view(v), Words('ru')) for draw in (text, svg) for v in (0, None, 'teacher')]\n"
        "sys.stdout.buffer.write(''.join(drawn).encode())"
    )
    for number in ("1", "4242"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, env={"PYTHONHASHSEED": number}, timeout=60, check=True)
        assert done.stdout.decode() == "".join(drawn)


def test_names_of_players_are_text_and_nothing_else() -> None:
    session = Session(game("suicide_king", players=2), seed=7)
    words = Words("en", ('<b onload="x">&', "Ann"))
    root = ElementTree.fromstring(svg(session.game, session.view(), words))
    assert any(element.text == '<b onload="x">&' for element in root.iter(f"{SVG}text"))


@every_game
def test_odds_are_exact_and_whole(name: str) -> None:
    for session, viewer in moments(name):
        expected = session.expects(viewer)
        if expected is None:
            continue
        rows = odds(session.game, expected, Words())
        assert sum(row.p * row.n for row in rows) == 1
        assert [row.p for row in rows] == sorted({row.p for row in rows}, reverse=True)
        assert all(type(row.p) is Fraction for row in rows)


@pytest.mark.parametrize(
    ("p", "english", "russian"),
    [
        (Fraction(0), "0 %", "0 %"),
        (Fraction(1), "100 %", "100 %"),
        (Fraction(1, 3), "33.3 %", "33,3 %"),
        (Fraction(4, 14), "28.6 %", "28,6 %"),
        (Fraction(1, 2000), "0.05 %", "0,05 %"),
        (Fraction(78, 3162510), "< 0.01 %", "< 0,01 %"),
        (1 - Fraction(78, 3162510), "> 99.99 %", "> 99,99 %"),
        (1 - Fraction(1, 2000), "99.95 %", "99,95 %"),
        (Fraction(999, 1000), "99.9 %", "99,9 %"),
    ],
)
def test_per_cent(p: Fraction, english: str, russian: str) -> None:
    for language, shown in (("en", english), ("ru", russian)):
        assert percent(p, Words(language)) == shown.replace(" ", "\N{NO-BREAK SPACE}")
