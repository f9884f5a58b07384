"""The geometry of the table: nothing leaves the picture, and nothing is in the way of anything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from table_tools import SVG, TABLES, Box, Drawn, faults, played, viewers

from cardlab import TEACHER, Session, game
from cardlab.cards import CARDS, PACK_52, best
from cardlab.core.events import Seat
from cardlab.desk import Desk
from cardlab.view.blocks import Draft
from cardlab.view.scene import Group, Scene, SeatRow, scene
from cardlab.view.svg import NARROW, WIDTH, picture
from cardlab.words import LANGUAGES, Phrase, Words


def demand_clear(markup: str, told: object) -> Drawn:
    """Reads a picture in which nothing may be in the way."""
    drawn = Drawn.of(markup)
    found = [f"{what}: {one}{f' and {other}' if other else ''}" for what, one, other in faults(drawn)]
    assert not found, "\n".join([str(told), *found])
    return drawn


def try_moments(table: str, most: int, seed: int, viewpoints: int) -> int:
    """Pictures of up to so many moments of a game, with what moved and what may be clicked; returns how many cards they had."""
    session = played(table, seed)
    desks = [Desk.on(session.branch(), seat=viewer) for viewer in viewers(session.game)]
    step, cards = max(1, len(session) // most), 0
    for k, n in enumerate(range(0, len(session) + 1, step)):
        for turn in range(viewpoints):
            desk = desks[(k + turn) % len(desks)]
            desk.goto(n).set_language(LANGUAGES[(k // len(desks) + turn) % 2])
            for narrow in (False, True):
                drawn = demand_clear(desk.drawn(narrow), (table, seed, n, desk.viewer, desk.words.language, narrow))
                assert drawn.frame.right == (NARROW if narrow else WIDTH)
                cards += len(drawn.all("card"))
    return cards


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_in_the_way_of_anything(table: str) -> None:
    assert try_moments(table, most=60, seed=1, viewpoints=1) > 500


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", range(2, 4))
def test_nothing_is_in_the_way_of_anything_at_full_size(table: str, seed: int) -> None:
    assert try_moments(table, most=250, seed=seed, viewpoints=7) > 1500


# what hardly ever comes, on a table of a real moment


def every_picture(table: Scene, told: object) -> None:
    for language in LANGUAGES:
        for narrow in (False, True):
            demand_clear(picture(table, Draft(Words(language)), narrow), (told, language, narrow))


def in_tricks(players: int) -> Session:
    session = Session(game("fight_for_the_lead", players=players), seed=0)
    while session.game.phase(session.state) != "tricks":
        session.step("random")
    for _ in range(2):
        session.step("random")
    return session


@pytest.mark.parametrize("players", range(2, 6))
def test_many_turned_cards_are_broken_into_rows(players: int) -> None:
    session = in_tricks(players)
    for viewer in (0, TEACHER):
        table = scene(session.game, session.view(viewer))
        for n in (1, 3, 4, 5, 8, 9, 12, 20, 40):  # 40 and more if all fight cards share a suit
            middle = tuple(replace(group, cards=CARDS[:n]) if group.key == "turned" else group for group in table.middle)
            assert any(len(group.cards) == n for group in middle)
            every_picture(replace(table, middle=middle), (players, viewer, n))


@pytest.mark.parametrize("players", range(2, 6))
def test_sums_beyond_every_float_have_room(players: int) -> None:
    session = in_tricks(players)
    facts = ("dealer", "loser", "lead")
    for viewer in (0, None):
        table = scene(session.game, session.view(viewer))
        seats = tuple(
            replace(
                row, facts=(Phrase.of("scene.balance", amount=-96_076_792_050_570_580 * k), *(Phrase.of(f"scene.{fact}") for fact in facts))
            )
            for k, row in enumerate(table.seats, 1)
        )
        bank = Phrase.of("scene.bank", amount=960_767_920_505_705_800)
        every_picture(replace(table, seats=seats, facts=(bank,)), (players, viewer))


@pytest.mark.parametrize("players", range(2, 6))
def test_heaps_and_long_queues_of_suicide_king_have_room(players: int) -> None:
    session = Session(game("suicide_king", players=players, extra_cards="batch"), seed=0)
    for _ in range(30):
        session.step("random")
    table = scene(session.game, session.view())
    owes = (Phrase.of("scene.due_extra", n=4), Phrase.of("scene.queued", numbers=(4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1)))
    for heap in (0, 5, 9, 17, 25, 33, 44, 52):
        rest = (52 - heap) // (players - 1)
        for who in range(players):
            seats: list[SeatRow] = []
            for k, row in enumerate(table.seats):
                first = heap + rest * (k - (k > who))
                cards = PACK_52[:heap] if k == who else PACK_52[first : first + rest]
                seats.append(replace(row, cards=cards, acts=k == who, notes=owes if k == who else ()))
            every_picture(replace(table, seats=tuple(seats)), (players, heap, who))


LONG = ("QS QH QD 7C 7H", "6S 6H 6D 8C 8H", "8S 8H 6D 6C AS", "9S 8S 7S 6S 5S", "JK1 JK2 8S 8H 8D")


def test_the_longest_names_of_hands_have_room() -> None:
    session = Session(game("poker_marshal"), seed=0)
    for _ in range(40):
        session.step("random")
    for viewer in (2, None):
        table = scene(session.game, session.view(viewer))
        for cards in LONG:
            hand = best(cards)
            for key in ("scene.worth", "scene.best"):
                notes = (Phrase.of(key, hand=hand), Phrase.of("scene.known", n=3))
                facts = (Phrase.of("scene.wins", n=7),)
                seats = tuple(replace(row, notes=notes, facts=facts, acts=True) for row in table.seats)
                every_picture(replace(table, seats=seats), (viewer, cards, key))


def test_titles_drawn_again_and_again_show_every_card() -> None:
    session = Session(game("poker_marshal"), seed=0)
    table = scene(session.game, session.view())
    label = Phrase.of("scene.title_draw")
    for owners in ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 1, 3), (0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2)):
        drawn = Group(label, CARDS[: len(owners)], owners=tuple(map(Seat, owners)), key="drawn")
        for also in ((), (Group(Phrase.of("scene.stock"), backs=29, key="stock"),)):
            every_picture(replace(table, middle=(drawn, *also)), owners)


def test_all_that_may_be_laid_in_an_offer_has_room() -> None:
    session = Session(game("poker_marshal", offers="ask_or_offer"), seed=0)
    for _ in range(60):
        session.step("random")
    table = scene(session.game, session.view())
    laid = [Group(Phrase.of("scene.laid_by"), (None,), owners=(Seat(k),), key=f"laid {k}") for k in (0, 1, 3, 4)]
    middle = (
        Group(Phrase.of("scene.stock"), backs=29, key="stock"),
        Group(Phrase.of("scene.shown"), CARDS[:1], key="named"),
        *laid,
        Group(Phrase.of("scene.discard"), backs=3, key="discard"),
    )
    every_picture(replace(table, middle=middle), "laid")


# the reading itself


def picture_of(name: str, steps: int, **options: Any) -> str:
    desk = Desk(name, seed=7, **options)
    for _ in range(steps):
        desk.step()
    return desk.drawn()


def at(box: Box, tag: str, more: str = "") -> str:
    """A shape in a place."""
    return f'<{tag} x="{box.left}" y="{box.top}" width="{box.right - box.left}" height="{box.bottom - box.top}" {more}/></svg>'


def test_a_planted_fault_is_seen() -> None:
    whole = picture_of("suicide_king", 30, players=4)
    drawn = Drawn.of(whole)
    assert not list(faults(drawn))
    text, plate, card = (drawn.all(kind)[0].box for kind in ("text", "plate", "card"))
    planted = {
        "outside": whole.replace('viewBox="0 0 656 ', 'viewBox="0 0 600 '),
        "small": whole.replace('font-size="12.5"', 'font-size="11.5"', 1),
        "text meets text": whole.replace("</svg>", f'<text x="{text.left + 5}" y="{text.bottom}" font-size="14">deal</text></svg>'),
        "card meets text": whole.replace("</svg>", at(text, "use", 'class="card"')),
        "plate meets text": whole.replace("</svg>", at(replace(text, right=text.right - 20), "rect", 'rx="20"')),
        "plate meets plate": whole.replace("</svg>", at(plate, "rect", 'rx="20"')),
        "card meets plate": whole.replace("</svg>", at(card, "rect", 'rx="20"')),
        "card meets chip": whole.replace("</svg>", at(card, "rect", 'rx="10"')),
    }
    for what, markup in planted.items():
        assert markup != whole
        assert what in {found for found, *_ in faults(Drawn.of(markup))}, what


@pytest.mark.parametrize("step", [22, 20, 10])
def test_a_fan_that_is_too_narrow_is_seen(step: float) -> None:
    cards = "".join(
        f'<g transform="translate({k * step:g} 0)"><g role="img" aria-label="{card}"><use class="card" width="50" height="70"/></g></g>'
        for k, card in enumerate(CARDS[:4])
    )
    fan = f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 200 100"><g data-zone="hand 0">{cards}</g></svg>'
    assert {found for found, *_ in faults(Drawn.of(fan))} == (set() if step >= 21 else {"letter hidden"})


def test_cards_of_two_players_that_meet_are_seen() -> None:
    hands = "".join(
        f'<g data-zone="hand {k}"><g role="img" aria-label="card"><use class="card" x="{40 * k}" width="50" height="70"/></g></g>'
        for k in (0, 1)
    )
    found = {found for found, *_ in faults(Drawn.of(f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 200 100">{hands}</svg>'))}
    assert "card meets card" in found
