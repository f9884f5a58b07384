"""Links: they lead to the same moment, are short, hold what their viewpoint knows and no more, and are refused whole when damaged."""

from __future__ import annotations

import base64
import json
import random
import time
import zlib
from hashlib import blake2s
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlab import GAMES, TEACHER, BadRecord, BadRequest, Scripted, Session, game
from cardlab.chance.watched import Watched
from cardlab.core.events import Seat, Viewer
from cardlab.desk import Desk
from cardlab.desk.branches import Branches
from cardlab.desk.links import LONGEST, MARK, Shared, _unpacked, desk_of, packed, share
from cardlab.testing.houses import combinations
from cardlab.words import LANGUAGES, Words
from cardlab.words.errors import CardlabError

SHORT: dict[str, dict[str, Any]] = {
    "suicide_king": {"players": 2},
    "fight_for_the_lead": {"players": 3, "deals": 2},
    "poker_marshal": {"deals": 1},
}


def desk(name: str, viewer: Viewer, seed: int = 7, **house: Any) -> Desk:
    session = Session(game(name, **(SHORT[name] | house)), seed=seed)
    session.auto("random", until="game")
    return Desk.on(session, seat=viewer, language="ru")


def same(one: Desk, other: Desk) -> None:
    """Demands that two desks show the same moment to the same viewpoint in the same language."""
    assert (one.at, one.viewer, one.words.language) == (other.at, other.viewer, other.words.language)
    assert one.session.view(one.viewer) == other.session.view(other.viewer)
    assert one.table() == other.table()
    assert one.log() == other.log()
    assert one.next() == other.next()
    assert one.picture() == other.picture()


# the same moment


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [TEACHER, Seat(1), None])
def test_a_link_leads_to_the_same_moment(name: str, viewer: Viewer) -> None:
    whole = desk(name, viewer)
    for at in (0, 1, len(whole) // 3, len(whole) - 1, len(whole)):
        whole.goto(at)
        again = desk_of(share(whole).text)
        same(whole, again)
        assert len(again) == (len(whole) if viewer == TEACHER else at)
        assert share(again).text == share(again).text
        same(again, desk_of(share(again).text))


def test_under_many_house_rules() -> None:
    for name in GAMES:
        for n, of in enumerate(combinations(name, 5, seed=3, **({} if name == "suicide_king" else {"deals": 2}))):
            session = Session(of, seed=2**63 + n, index=n)
            session.auto("random", until="game")
            for viewer in (TEACHER, Seat(0), None):
                whole = Desk.on(session, seat=viewer)
                again = desk_of(share(whole).text)
                assert again.session.view(viewer) == session.view(viewer)
                assert again.game == of


def test_the_teachers_goes_on_as_the_game_would() -> None:
    whole = desk("fight_for_the_lead", TEACHER).goto(30)
    again = desk_of(share(whole).text)
    assert (again.session.seed, again.session.index) == (7, 0)
    assert again.finish().session.record == whole.finish().session.record


def test_cards_that_were_named_and_games_without_a_seed() -> None:
    named = Session(game("suicide_king", players=2, first_dealer=0), seed=3)
    named.play()
    named.play("take 0")
    named.play("card KD")
    named.auto("random", until="move")
    again = desk_of(share(Desk.on(named)).text)
    assert again.session.record == named.record
    scripted = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted("5C 6C KH"))
    scripted.auto("still", until="game")
    again = desk_of(share(Desk.on(scripted)).text)
    assert again.session.record == scripted.record
    assert again.session.seed is None


def test_a_branch_is_shared_as_it_stands() -> None:
    whole = desk("poker_marshal", TEACHER)
    whole.goto(40)
    while not isinstance(whole.session.actor, Seat):
        whole.step()
    other = next(move for move in reversed(whole.session.legal) if move not in whole.session.cursor.children)
    whole.act(str(other))
    whole.finish().goto(whole.at - 2)
    same(whole, desk_of(share(whole).text))


# how long


@pytest.mark.parametrize(
    ("name", "house"),
    [
        ("poker_marshal", {"deals": 10}),
        ("fight_for_the_lead", {"players": 2, "deals": 40}),
        ("fight_for_the_lead", {"players": 4, "deals": 10}),
        ("suicide_king", {"players": 5}),
    ],
)
def test_usual_games_fit(name: str, house: dict[str, Any]) -> None:
    whole = desk(name, TEACHER, seed=2**64 - 1, **house)
    lengths = {}
    for viewer in (TEACHER, Seat(0), None):
        shared = share(whole.set_viewer(viewer))
        assert shared.fits
        lengths[viewer] = len(shared.text)
    assert max(lengths.values()) < LONGEST / 2, lengths


def test_what_does_not_fit_is_a_file_that_is_read_alike() -> None:
    shared = Shared("x" * 2_001, share(desk("suicide_king", None)).file)
    assert not shared.fits
    whole = desk("suicide_king", None)
    file = share(whole).file
    assert file.name.endswith(".txt")
    same(whole, desk_of(file.data))
    same(whole, desk_of(b"\xef\xbb\xbf" + file.data.replace(b"\n", b"\r\n")))


def test_records_and_exports_are_read_too() -> None:
    whole = desk("fight_for_the_lead", TEACHER)
    again = desk_of(whole.session.record.dumps().encode(), language="ru")
    assert (again.at, len(again), again.viewer, again.words.language) == (0, len(whole), TEACHER, "ru")
    export = whole.session.export(1)
    seat = desk_of(export)
    assert isinstance(seat.session, Watched)
    assert (seat.viewer, seat.session.export(1)) == (Seat(1), export)
    with pytest.raises(BadRecord, match="Line 3"):
        desk_of(export.replace('"step": 1', '"step": 5', 2).replace('"step": 5', '"step": 1', 1))


# who knows what


def inside(text: str) -> dict[str, Any]:
    header, _ = _unpacked(text)
    return header


@pytest.mark.parametrize("name", GAMES)
def test_only_the_teachers_has_a_seed(name: str) -> None:
    whole = desk(name, TEACHER, seed=987654321)
    assert inside(share(whole).text)["s"] == 987654321
    for viewer in (*whole.game.seats, None):
        text = share(whole.set_viewer(viewer)).text
        assert not {"s", "i"} & inside(text).keys()
        assert "987654321" not in json.dumps(inside(text))
        again = desk_of(text).session
        assert again.seed is None
        assert isinstance(again, Watched)


def test_games_that_look_alike_have_the_same_link() -> None:
    """Two cards in the stock and in a foreign hand change places: the links of the others are the same, byte for byte."""
    texts = []
    for cards in ("2C 3C 4C 5C 6C 7C 8C 9C", "2C 3C 4C QD 6C 7C 8C KD"):
        session = Session(game("fight_for_the_lead", players=2, first_dealer=0), dealer=Scripted(cards, fill=True))
        session.auto("still", until="phase")
        texts.append([share(Desk.on(session, seat=viewer)).text for viewer in (Seat(1), None, Seat(0))])
    one, other = texts
    assert one[:2] == other[:2]
    assert one[2] != other[2]


def test_a_watched_desk_has_its_own_viewpoint_alone() -> None:
    watched = desk_of(share(desk("poker_marshal", Seat(2)).goto(50)).text)
    assert [viewer for _, viewer in watched.viewers()] == [Seat(2)]
    for viewer in (TEACHER, Seat(1), None):
        if viewer is not None:
            with pytest.raises(BadRequest, match="one viewpoint"):
                watched.set_viewer(viewer)
    assert watched.viewer == Seat(2)
    assert watched.offer() is None
    with pytest.raises(BadRequest):
        watched.act("enough")
    with pytest.raises(BadRequest):
        watched.goto(len(watched)).step()
    assert watched.at == 50


def test_a_what_if_of_a_watched_game_goes_on_from_a_possible_world() -> None:
    watched = desk_of(share(desk("fight_for_the_lead", Seat(0)).goto(20)).text, language="en")
    branches, table = Branches(), watched.table()
    branches.leave(watched)
    assert branches.names(watched)[1] == "Possible world 1"
    assert watched.table() == table
    assert not isinstance(watched.session, Watched)
    assert watched.finish().over
    branches.turn(watched, 0)
    assert watched.table() == table


def test_a_possible_world_has_no_link() -> None:
    watched = desk_of(share(desk("fight_for_the_lead", Seat(0)).goto(20)).text)
    with pytest.raises(BadRequest, match="possible world"):
        share(Desk.on(watched.session.world(1), seat=Seat(0)))  # type: ignore[attr-defined]


# damaged


def refused(text: str | bytes, named: str = "") -> None:
    """Demands a refusal in one sentence of each language."""
    with pytest.raises(CardlabError) as caught:
        desk_of(text)
    assert named in str(caught.value)
    for language in LANGUAGES:
        said = caught.value.say(Words(language))
        assert 10 < len(said) < 400
        assert said.endswith(".")


LINKS = [share(desk(name, viewer)).text for name in GAMES for viewer in (TEACHER, Seat(1), None)]


def test_cut_anywhere() -> None:
    for text in LINKS:
        for n in range(len(MARK), len(text)):
            refused(text[:n], "cut off")
        refused(text[:-10], "cut off")
        for n in range(len(MARK)):
            refused(text[:n])


def test_any_letter_changed() -> None:
    rng = random.Random(1)
    for text in LINKS:
        for n in range(len(MARK), len(text)):
            letter = rng.choice([other for other in "Aa0_-zQ" if other != text[n]])
            refused(text[:n] + letter + text[n + 1 :])
        refused(text + "A")
        refused(text + "AAAA", "changed")
        refused(text[:20] + text[21:])


def test_an_address_around_it_and_line_breaks_in_it_are_no_fault() -> None:
    text = LINKS[0]
    for written in (f"http://127.0.0.1:5006/?link={text}&theme=dark", f"  {text[:60]}\n{text[60:]}\r\n"):
        assert desk_of(written).session.seed == 7


def test_a_zip_bomb_and_a_long_text() -> None:
    bomb = zlib.compress(b'{"g":0}\n' + b"\0" * 50_000_000, 9)
    whole = len(bomb).to_bytes(3, "big") + blake2s(bomb, digest_size=6).digest() + bomb
    began = time.process_time()
    refused(MARK + base64.urlsafe_b64encode(whole).decode().rstrip("="), "changed")
    refused("x" * 10_000_000, "too long")
    refused(MARK + "A" * 10_000_000, "too long")
    assert time.process_time() - began < 2


RIGHT = {"g": 0, "p": 2, "r": {"first_dealer": 0}, "v": None, "n": 1, "a": 1, "l": "en"}


@pytest.mark.parametrize(
    "change",
    [
        {"g": 3}, {"g": -1}, {"g": True}, {"g": "suicide_king"}, {"p": 9}, {"p": None}, {"r": []}, {"r": {"stake": 4}}, {"r": {"size": 3}},
        {"v": 2}, {"v": "0"}, {"v": 0.0}, {"v": False}, {"v": []}, {"n": -1}, {"n": 30_000}, {"n": 1.0}, {"a": 2}, {"a": None}, {"l": "fr"},
        {"l": []}, {"s": 7}, {"s": -1, "v": "teacher"}, {"s": 2**64, "v": "teacher"}, {"i": -1}, {"i": 2**64}, {"x": 3}, {"x": [9]},
        {"x": ["a"]}, {"f": 3}, {"more": 1}, {"r": {"first_dealer": 0, "preset": "pagat"}}, {"n": 500, "a": 0, "v": "teacher", "s": 7},
    ],
)  # fmt: skip
def test_a_header_that_cannot_be(change: dict[str, Any]) -> None:
    assert desk_of(packed(RIGHT, [])).at == 1
    refused(packed({**RIGHT, **change}, []))
    for name in RIGHT:
        refused(packed({key: value for key, value in RIGHT.items() if key != name}, []))


def test_more_digits_than_moves() -> None:
    refused(packed(RIGHT, [(2, 1)]), "changed")
    refused(packed(RIGHT | {"v": "teacher", "s": 7, "n": 2, "a": 0}, [(5, 4), (7, 3)]), "changed")


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=200), st.binary(max_size=200), st.text("ABCabc012-_", max_size=90).map(lambda text: MARK + text)))
def test_anything_at_all(text: str | bytes) -> None:
    refused(text)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 2**90), st.integers(0, 40), st.sampled_from([TEACHER, 0, 1, None]), st.integers(0, 2), st.booleans())
def test_any_digits_make_a_game_that_could_be_or_a_refusal(number: int, n: int, viewer: Viewer, which: int, seeded: bool) -> None:
    header = RIGHT | {"g": which, "p": 5 if which == 2 else 2, "r": {}, "n": n, "a": n // 2, "v": viewer}
    header |= {"s": 5 if seeded else None, "i": 0} if viewer == TEACHER else {}
    fault = None
    try:
        opened = desk_of(packed(header, [(2**90 + 1, number)]))
    except BadRequest as refusal:
        fault = refusal
    if fault is None:
        same(opened, desk_of(share(opened).text))
