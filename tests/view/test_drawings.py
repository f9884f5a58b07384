"""The drawings: 54 faces and a back, in two sizes and two languages, each whole by itself and none like another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest
from contrast import contrast
from table_tools import SVG, TABLES, played, viewers

from cardlab import TEACHER, Card, Session, game
from cardlab.cards import CARDS, JOKERS, KING_OF_HEARTS, PACK_52
from cardlab.cards.card import RANKS, SUITS
from cardlab.desk import Desk, lines
from cardlab.view import svg, text
from cardlab.view.drawings import FULL, alone, face, sprite, symbol
from cardlab.view.html import rules, titles
from cardlab.words import LANGUAGES, Words

SIZES = (44, 120)
INK = {"C": "#006A54", "D": "#0A58D6", "H": "#BB1D22", "S": "#1E2430"}
LETTERED = {"J", "Q", "A"}  # which Russian letters look otherwise: В Д Т; К and K are the same
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b")


def bare(markup: str) -> str:
    """A picture without the letters that begin its ids."""
    return re.sub(r'(id="|#)c[0-9a-f]{8}-', r"\1", markup)


def drawing(markup: str) -> str:
    """What a single card's picture draws: its symbol, and nothing that others share."""
    found = re.findall(r"<symbol .*?</symbol>", bare(markup), re.DOTALL)
    assert len(found) == 1
    return re.sub(r'<symbol id="[^"]+"', "<symbol", found[0])


def ids(markup: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', markup)


def demand_whole(markup: str) -> ElementTree.Element:
    """Each reference leads to something in the same picture, nothing is fetched, nothing runs."""
    root = ElementTree.fromstring(markup)
    known = ids(markup)
    assert len(known) == len(set(known))
    used = re.findall(r'href="([^"]+)"', markup)
    assert {reference[1:] for reference in used if reference.startswith("#")} <= set(known)
    assert all(reference.startswith("#") for reference in used)
    assert "url(" not in markup  # a pattern or a clip of a hidden picture would not be found
    assert not re.search(r"<script|<style|<foreignObject|<image|\bon\w+=|javascript:", markup)
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg\")", markup)
    return root


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", SIZES)
def test_every_face_and_the_back_are_drawn_and_no_two_alike(width: int, language: str) -> None:
    drawn = {card: face(card, width, language) for card in (*CARDS, None)}
    for markup in drawn.values():
        root = demand_whole(markup)
        assert root.attrib["width"] == str(width)
        assert float(root.attrib["height"]) == round(width * 1.4)
        assert root.attrib["aria-hidden"] == "true"
    assert len({drawing(markup) for markup in drawn.values()}) == 55
    assert "<text" not in "".join(drawn.values())  # letters and signs are paths: no font can lack them or make emoji of them


def test_full_faces_begin_at_their_width() -> None:
    for card in (*CARDS, None):
        assert symbol(card, FULL).startswith("f-")
        assert symbol(card, FULL - 1).startswith("s-")
        assert drawing(face(card, FULL, "en")) != drawing(face(card, FULL - 1, "en"))


@pytest.mark.parametrize("width", SIZES)
def test_russian_letters_are_on_the_cards_that_have_them(width: int) -> None:
    for card in CARDS:
        english, russian = (drawing(face(card, width, language)) for language in LANGUAGES)
        rank = card.token[0]
        assert (english != russian) == (rank in LETTERED and not card.joker), card
        if not card.joker:
            index = re.findall(r'href="#(i\w+)"', russian)
            assert set(index) == {f"i{'R' if rank in LETTERED else ''}{'10' if rank == 'T' else rank}"}
    shown = {rank: Words("ru").text(f"rank.{rank}") for rank in "JQKA"}
    assert shown == {"J": "В", "Q": "Д", "K": "К", "A": "Т"}


def inks(markup: str) -> set[str]:
    return set(COLOUR.findall(markup)) & set(INK.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", SIZES)
def test_letter_shape_and_colour_say_the_suit(width: int, language: str) -> None:
    for card in PACK_52:
        markup = drawing(face(card, width, language))
        suit = card.token[1]
        shapes = set(re.findall(r'href="#([SHDC])"', markup))
        assert shapes == {suit}  # never the colour alone
        (letter,) = set(re.findall(r'<use href="#i\w+"[^>]*stroke="([^"]+)"', markup))
        assert letter == INK[suit]
        assert set(re.findall(r'fill="([^"]+)"[^>]*><use href="#[SHDC]"', markup)) == {INK[suit]}
        assert inks(markup) - {INK["S"]} <= {INK[suit]}  # dark lines are in every court card


def test_every_suit_stands_out_from_the_paper() -> None:
    (paper,) = re.findall(r'fill="(#FFFDF8)"', face(Card("2C"), 44, "en"))
    for ink in INK.values():
        assert contrast(paper, ink) >= 4.5


@pytest.mark.parametrize("width", SIZES)
def test_only_the_king_of_hearts_has_the_sword(width: int) -> None:
    kings = {suit: COLOUR.sub("", drawing(face(Card(f"K{suit}"), width, "en"))) for suit in SUITS}
    plain = {suit: re.sub(r'href="#[SHDC]"', "", king) for suit, king in kings.items()}
    assert plain["C"] == plain["D"]
    hearts, others = (parts(plain[suit]) for suit in "HD")
    sword = [part for part in hearts if part not in others]
    assert any(re.match(r"<g transform=\"rotate\(-(38|40)", part) for part in sword)  # it lies aslant behind his head
    assert sum(part.startswith("<rect") for part in sword) >= 2  # guard and hilt
    assert not any("rotate(-38" in king or "rotate(-40" in king for suit, king in plain.items() if suit != "H")
    assert Card("KH") == KING_OF_HEARTS


def parts(markup: str) -> list[str]:
    return re.findall(r"<[a-z][^>]*>", markup)


def test_the_jokers_differ_from_each_other_and_from_all() -> None:
    for width in SIZES:
        one, other = (drawing(face(joker, width, "en")) for joker in JOKERS)
        assert one != other
        assert COLOUR.sub("", one) != COLOUR.sub("", other) or inks(one) != inks(other)


# on a page


def pictures() -> Iterator[str]:
    """Pictures of many tables, and single cards."""
    for table in TABLES:
        session = played(table).branch()
        for n in range(0, len(session), max(1, len(session) // 5)):
            session.goto(n)
            for k, viewer in enumerate(viewers(session.game)[::2]):
                language = LANGUAGES[k % 2]
                yield svg(session.game, session.view(viewer), Words(language), narrow=bool(n % 2))
                yield Desk.on(session.branch(), seat=viewer, language=language).picture(narrow=not n % 2)
    for card in (*CARDS, None):
        for language in LANGUAGES:
            yield from (face(card, width, language) for width in SIZES)


def test_pictures_are_whole_and_no_id_of_one_is_in_another() -> None:
    owners: dict[str, str] = {}
    drawn = set(pictures())
    assert len(drawn) > 300
    for markup in drawn:
        demand_whole(markup)
        heads = {name.split("-")[0] for name in ids(markup)}
        assert len(heads) == 1
        assert owners.setdefault(heads.pop(), markup) == markup


def test_a_picture_that_differs_in_anything_has_other_ids() -> None:
    whole = '<svg xmlns="http://www.w3.org/2000/svg"><use href="#cl-s-QH"/></svg>'
    kinds = [
        alone(whole, "en"),
        alone(whole, "ru"),
        alone(whole.replace("QH", "QD"), "en"),
        alone(whole.replace("<use", '<use x="1"'), "en"),
    ]
    for one, other in combinations(kinds, 2):
        assert not {*ids(one)} & {*ids(other)}
    assert alone(whole, "en") == kinds[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_holds_only_the_drawings_it_uses_and_the_sprite_all(language: str) -> None:
    session = Session(game("suicide_king", players=3), seed=7)
    for _ in range(9):
        session.step("random")
    drawn = bare(svg(session.game, session.view(), Words(language)))
    symbols = set(re.findall(r'<symbol id="([^"]+)"', drawn))
    assert symbols == set(re.findall(r'href="#([fst]-[^"]+)"', drawn))
    assert len(drawn) < 40_000
    root = ElementTree.fromstring(sprite(language).replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))
    known = {element.attrib["id"].removeprefix("cl-") for element in root.iter() if "id" in element.attrib}
    assert {symbol(card, width) for card in (*CARDS, None) for width in SIZES} <= known
    assert {use.attrib["href"].removeprefix("#cl-") for use in root.iter(f"{SVG}use")} <= known
    assert not re.search(r"<script|https?://|url\(", sprite(language).replace(SVG[1:-1], ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_a_pane_uses_is_in_its_sprite(language: str) -> None:
    known = set(ids(sprite(language)))
    for table in TABLES:
        session = played(table).branch()
        for n in range(0, len(session), 17):
            desk = Desk.on(session.goto(n).branch(), seat=TEACHER, language=language)
            for narrow in (False, True):
                used = set(re.findall(r'href="#([^"]+)"', "".join(lines.table(desk, narrow))))
                assert used or n == 0
                assert used <= known


# signs


SIGN = re.compile("[♠♣♥♦♤♧♡♢]")
CARD_BLOCK = re.compile("[\U0001f0a0-\U0001f0ff]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_signs_stay_black_on_phones_and_no_card_characters_are_used(language: str) -> None:
    signs = 0
    for table in TABLES:
        session = played(table).branch()
        for n in range(0, len(session), 13):
            desk = Desk.on(session.goto(n).branch(), seat=TEACHER, language=language)
            shown = [
                text(desk.game, session.view(TEACHER), desk.words),
                desk.picture(),
                *lines.table(desk),
                *lines.ahead(desk),
                *lines.odds(desk),
            ]
            shown += [*lines.LogLines().of(desk), *rules(desk.game, desk.words), *titles(desk.game, desk.words).values()]
            for said in shown:
                assert not CARD_BLOCK.search(said)
                for found in SIGN.finditer(said):
                    signs += 1
                    assert found[0] in "♠♣♥♦"
                    assert said[found.end()] == "\N{VARIATION SELECTOR-15}", said[max(0, found.start() - 40) : found.end() + 10]
    assert signs > 1000


def test_ranks_and_suits_of_the_tests_are_all() -> None:
    assert {card.token for card in PACK_52} == {rank + suit for rank in RANKS for suit in INK}
