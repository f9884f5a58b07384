"""A real table is followed from every viewpoint: what is told makes the game that was played, and what cannot be is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cardlab import GAMES, TEACHER, Action, Card, Session, game
from cardlab.chance.telling import Telling, seen
from cardlab.chance.watched import Watched
from cardlab.core.events import Seat, Viewer
from cardlab.desk import Desk, follow, lines
from cardlab.desk.asked import name_of
from cardlab.desk.links import desk_of, share
from cardlab.testing.houses import combinations
from cardlab.words import LANGUAGES
from cardlab.words.errors import CardlabError


def following(name: str, viewer: Viewer = TEACHER, players: int | None = None, language: str = "en", **house: Any) -> Desk:
    return Desk(language=language).new(name, players, house=house, follow=name_of(viewer))


def press(desk: Desk, value: Any) -> None:
    """Tells a value as a screen would: by what can be pressed."""
    detail = follow.asked(desk)
    assert detail is not None
    if isinstance(value, Action):
        several = any(len(option.cards) > 1 for option in detail.options)
        for card in value.cards if several else ():
            desk.click(f"choose {card}")
        said = [str(value)]
    elif detail.n:
        said = [f"tell {card}" for card in value]
    else:
        said = [f"tell {value}" if isinstance(value, Card) else f"tell {detail.options.index(value)}"]
    for one in said:
        assert f'data-say="{one}"' in "".join(lines.table(desk)), one
        desk.click(one)


def told_as_played(session: Session, desk: Desk, viewer: Viewer) -> None:
    steps = session.steps
    while not desk.over:
        right = Telling.of(desk.session.believed, seen(steps[desk.at], viewer))  # type: ignore[attr-defined]
        value = right.told[len(desk.session.telling.told)]  # type: ignore[attr-defined]
        press(desk, value)


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_told_from_every_viewpoint(name: str) -> None:
    for n, of in enumerate(combinations(name, 5, seed=8, **({} if name == "suicide_king" else {"deals": 1}))):
        session = Session(of, seed=n)
        session.auto("random", until="game")
        viewer = [TEACHER, Seat(0), Seat(1), None, Seat(of.players - 1)][n]
        desk = following(name, viewer, of.players, LANGUAGES[n % 2], **of.rules.changed())
        told_as_played(session, desk, viewer)
        assert desk.session.export(viewer) == session.export(viewer)
        assert desk.log() == session.log(viewer, LANGUAGES[n % 2])


def test_what_nobody_sees_is_passed_over() -> None:
    desk = following("fight_for_the_lead", None, 3, first_dealer=0)
    assert desk.at == 16  # the shuffle, twelve cards face down, three fight cards
    detail = follow.asked(desk)
    assert detail is not None
    assert (detail.name, detail.seat) == ("turned", None)


def test_impossible_cards_are_refused_and_nothing_changes() -> None:
    desk = following("suicide_king", TEACHER, 2, first_dealer=0)
    desk.click("take 0").click("tell QH").click("take 1")
    before = desk.at, desk.table()
    for said in ("tell QH", "typed QH", "typed qh", "typed 2X", "typed ", "tell 99", "take 3", "tell", "choose QH"):
        with pytest.raises(CardlabError):
            desk.click(said)
        assert (desk.at, desk.table()) == before
    desk.click("typed kd")
    assert desk.at == before[0] + 1


def test_a_void_and_the_own_hand_are_remembered() -> None:
    """Who discards has none of the suit led; a card of one's own is in no other hand."""
    desk = following("fight_for_the_lead", Seat(1), 2, first_dealer=0)
    for card in ("QH", "2C", "3C", "KD"):
        desk.click(f"tell {card}")
    desk.click("fight QH")
    desk.click("tell 5H")
    detail = follow.asked(desk)
    assert detail is not None
    assert detail.seat == Seat(0)
    assert Card("2C") not in detail.options
    with pytest.raises(CardlabError, match="cannot come here"):
        desk.click("tell 2C")
    desk.click("tell 9S").click("tell 4C").click("stand").click("tell 0")
    desk.click("play KD").click("tell 7S")  # seat 0 has no diamond
    desk.click("play 2C").click("tell AC")
    detail = follow.asked(desk)
    assert detail is not None
    assert detail.name == "played"
    assert not [card for card in detail.options if card.suit == Card("KD").suit]


def test_undo_takes_the_last_back_and_telling_it_again_keeps_what_followed() -> None:
    desk = following("suicide_king", TEACHER, 2, first_dealer=0)
    for said in ("take 0", "tell 5C", "take 1", "tell 6C"):
        desk.click(said)
    desk.undo()
    assert desk.at == 4
    desk.click("tell 7C").undo().undo()
    assert desk.at == 3
    desk.click("take 1").click("tell 8C")
    desk.goto(1).click("take 0").click("tell 5C")
    assert (desk.at, len(desk)) == (3, 5)
    desk.undo()
    assert (desk.at, len(desk)) == (2, 5)
    desk.click("tell 9C")
    assert (desk.at, len(desk)) == (3, 3)


def test_undo_takes_a_detail_back() -> None:
    desk = following("fight_for_the_lead", None, 2, first_dealer=0)
    at = desk.at
    desk.click("tell 5C").click("tell QC")
    assert desk.at == at
    detail = follow.asked(desk)
    assert detail is not None
    assert detail.seat == Seat(1)
    desk.undo()
    detail = follow.asked(desk)
    assert detail is not None
    assert detail.seat == Seat(0)
    marks = {lines.mark(desk), lines.mark(desk.click("tell KC"))}
    assert len(marks) == 2  # a second click belongs to the detail that it was made at


def test_several_cards_are_chosen_and_then_told() -> None:
    session = Session(game("poker_marshal", deals=1), seed=3)
    session.auto("still", until="game")
    desk = following("poker_marshal", None, deals=1)
    while (detail := follow.asked(desk)) is not None and not detail.n:
        right = Telling.of(desk.session.believed, seen(session.steps[desk.at], None))  # type: ignore[attr-defined]
        press(desk, right.told[len(desk.session.telling.told)])  # type: ignore[attr-defined]
    assert detail is not None
    one, two = detail.options[:2]
    desk.click(f"tell {one}").click(f"tell {two}").click(f"tell {one}")
    assert desk.chosen == (two,)
    assert 'aria-pressed="true"' in follow.moves(desk)


def test_names_numbers_and_words_can_be_typed() -> None:
    desk = following("suicide_king", TEACHER, 3, "ru")
    desk.click("typed анна")
    assert desk.session.view(TEACHER).table.dealer == Seat(0)
    desk.click("typed 3").click("typed 10S")
    assert desk.session.view(TEACHER).shown == ((Seat(1), Card("TS")),)
    desk = following("poker_marshal", None)
    for card in ("AH", "KH", "QH", "JH", "9H"):
        desk.click(f"typed {card}")
    desk.click("typed lays a card").click("typed enough")
    assert desk.session.view(None).swapped[0][:2] == (Seat(0), Seat(4))


def test_odds_log_and_links_follow() -> None:
    desk = following("suicide_king", TEACHER, 2, first_dealer=0)
    desk.click("take 0").click("tell QH").click("take 0")
    assert {chance.p for chance in desk.chances()} == {desk.chances()[0].p}
    assert len(desk.chances()) == 51
    assert re.search("Q♥", desk.log()[-3].text)
    again = desk_of(share(desk).text)
    assert isinstance(again.session, Watched)
    assert again.session.following
    assert again.session.viewers == desk.session.viewers
    again.click("tell KH")
    assert again.over


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_pressed_has_a_text(name: str, language: str) -> None:
    desk = following(name, Seat(0), language=language)
    shown = follow.moves(desk)
    assert "tell." not in shown
    assert re.search('<p class="telling">[A-ZА-ЯЁ]', shown)
