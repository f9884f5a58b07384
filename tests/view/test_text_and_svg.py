"""The table as text and as a picture: all games, many moments, every viewpoint, both languages."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from table_tools import SVG

from cardlab import GAMES, TEACHER, Session, game
from cardlab.cards import CARDS
from cardlab.core.events import Viewer
from cardlab.view import scene, svg, text
from cardlab.view.odds import odds
from cardlab.view.svg import NARROW, WIDTH
from cardlab.words import LANGUAGES, Words
from cardlab.words.percents import percent

HOUSE: dict[str, list[dict[str, Any]]] = {
    "suicide_king": [{"players": 2}, {"players": 5, "extra_cards": "batch"}],
    "fight_for_the_lead": [{"players": 5, "deals": 3}, {"players": 2, "deals": 3, "refusal": "pagat_dropout", "exchange": "one_by_one"}],
    "poker_marshal": [{"deals": 2}, {"deals": 2, "swap": "take_then_give", "offers": "ask_or_offer"}],
}
every_game = pytest.mark.parametrize("name", list(GAMES))
SUIT = re.compile("[♣♦♥♠]")
TOKEN = re.compile(r"\b(?:[2-9TJQKA][CDHS]|JK[12])\b")


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
def test_the_picture_is_well_formed_and_stands_alone(name: str, language: str, narrow: bool) -> None:
    words = Words(language)
    for session, viewer in moments(name):
        drawn = svg(session.game, session.view(viewer), words, narrow)
        root = ElementTree.fromstring(drawn)
        assert root.tag == f"{SVG}svg"
        left, top, wide, tall = map(float, root.attrib["viewBox"].split())
        assert (left, top, wide) == (0, 0, NARROW if narrow else WIDTH)
        assert tall > 100
        assert root.attrib["aria-label"].startswith(words.text(f"game.{name}"))
        assert not re.search(r"<script|<style|<foreignObject|<image|\bon\w+=|url\(|data-say|data-why", drawn)
        assert "http" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")
        for told in root.iter(f"{SVG}g"):
            assert told.attrib.get("role", "img") == "img"  # nothing to click on a picture
            assert told.attrib.get("aria-label", "card") != ""
        assert all(element.text for element in root.iter(f"{SVG}text"))


def shown_cards(root: ElementTree.Element) -> Counter[str]:
    """The cards that a picture shows, by the tokens of their groups; demands that drawing and label say the same."""
    found: Counter[str] = Counter()
    for group in root.iter(f"{SVG}g"):
        if "data-key" in group.attrib:
            token = group.attrib["data-key"]
            (drawing,) = (use.attrib["href"] for use in group.iter(f"{SVG}use") if use.attrib.get("class") == "card")
            assert drawing.endswith(f"-{token}")
            found[token] += 1
    return found


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_and_the_text_show_the_cards_of_the_scene(name: str, language: str) -> None:
    words = Words(language)
    most = 0
    for session, viewer in moments(name):
        view = session.view(viewer)
        table = scene(session.game, view)
        lying = Counter(card.token for cards in table.zones().values() for card in cards if card is not None)
        most = max(most, *lying.values(), 0)
        lying += Counter(row.laid.token for row in table.seats if row.laid is not None)  # beside the hands
        shown = text(session.game, view, words)
        for card in CARDS:
            told = re.findall(rf"(?<!\w){re.escape(words.show(card))}(?!\d)", shown)
            assert len(told) == lying[card.token]
        for narrow in (False, True):
            root = ElementTree.fromstring(svg(session.game, view, words, narrow))
            assert shown_cards(root) == lying
            labels = [group.attrib["aria-label"] for group in root.iter(f"{SVG}g") if "data-key" in group.attrib]
            spoken = [card.spoken(words) for card in CARDS for _ in range(lying[card.token])]
            assert len(labels) == len(spoken)
            assert all(any(label.endswith(said) for label in labels) for said in spoken)
    assert most == (2 if name == "poker_marshal" else 1)  # a card asked for or offered lies in a hand, too


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_card_that_a_seat_does_not_know_is_named(name: str, language: str) -> None:
    words = Words(language)
    hidden_at_all = 0
    for session, viewer in moments(name):
        if viewer == TEACHER:
            continue
        told = set(TOKEN.findall(session.export(viewer)))
        view = session.view(viewer)
        shown = text(session.game, view, words) + re.sub(r' d="[^"]*"', "", svg(session.game, view, words))
        tokens = set(TOKEN.findall(shown))
        for card in CARDS:
            if card.token not in told:
                hidden_at_all += 1
                assert card.token not in tokens, (session, viewer, card)
                assert words.show(card) not in shown, (session, viewer, card)
                assert card.spoken(words) not in shown, (session, viewer, card)
    assert hidden_at_all > 100


def test_hands_of_others_are_backs() -> None:
    session = Session(game("fight_for_the_lead", players=3, first_dealer=0), seed=7)
    session.auto("random", until="phase")
    assert session.game.phase(session.state) == "fight"
    rows = scene(session.game, session.view(1)).seats
    assert [row.cards.count(None) for row in rows] == [4, 0, 4]
    assert text(session.game, session.view(1), Words()).count("▒▒") == 8
    drawn = svg(session.game, session.view(1), Words())
    assert drawn.count('aria-label="card, face down"') == 8
    assert drawn.count('aria-label="Stock: 40 cards"') == 1
    assert 'aria-label="card, face down"' not in svg(session.game, session.view(TEACHER), Words())


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


def test_the_text_says_what_stands_out() -> None:
    """What is owed, what a shown hand is worth, and which fight card lies beside a hand."""
    words = Words()
    owed = worth = fought = 0
    for name in GAMES:
        for session, viewer in moments(name):
            table, shown = scene(session.game, session.view(viewer)), text(session.game, session.view(viewer), words)
            flat = re.sub(r"\s+", " ", shown)
            for row in table.seats:
                owed += any(note.key.startswith("scene.due") for note in row.notes)
                worth += any(note.key == "scene.worth" for note in row.notes)
                fought += row.laid is not None
                for note in row.notes:
                    assert words.show(note).replace("\N{NO-BREAK SPACE}", " ") in flat
                assert row.laid is None or f"fight {words.show(row.laid)}" in flat
    assert min(owed, worth, fought) > 5


def test_before_the_first_deal_there_are_no_piles() -> None:
    session = Session(game("suicide_king", players=2), seed=7)
    assert scene(session.game, session.view()).middle == ()
    session.play()
    session.play()
    assert [group.backs for group in scene(session.game, session.view()).middle] == [12, 10, 10, 10, 10]


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


@pytest.mark.parametrize("narrow", [False, True])
def test_names_of_players_are_text_and_nothing_else(narrow: bool) -> None:
    session = Session(game("fight_for_the_lead", players=2), seed=7)
    while not getattr(session.state, "trick", ()):
        session.step("still")
    words = Words("en", ('<b onload="x">&', '"Ann"'))
    root = ElementTree.fromstring(svg(session.game, session.view(), words, narrow))
    assert {'<b onload="x">&', '"Ann"'} <= {element.text for element in root.iter(f"{SVG}text")}
    labels = " ".join(element.attrib.get("aria-label", "") for element in root.iter())
    assert any(name in labels for name in words.names)
    assert not any("onload" in element.attrib for element in root.iter())


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notebook_shows_views_and_sessions_as_pictures(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAB_LANGUAGE", language)
    session = Session(game(name), seed=7)
    for _ in range(30):
        session.step("random")
    for viewer in (*session.game.seats, None, TEACHER):
        view = session.view(viewer)
        assert view._repr_svg_() == svg(session.game, view, Words(language))
    assert session._repr_svg_() == session.view(TEACHER)._repr_svg_()
    assert session._repr_svg_() != session.goto(20)._repr_svg_()


def test_a_picture_in_a_folder_of_notebooks_speaks_its_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CARDLAB_LANGUAGE", raising=False)
    session = Session(game("suicide_king"), seed=7)
    for folder, language in (("ru", "ru"), ("en", "en"), ("other", "en")):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        assert session._repr_svg_() == svg(session.game, session.view(TEACHER), Words(language))


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
