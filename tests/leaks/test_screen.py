"""What leaves Python for a screen: leaks planted into the pictures are caught, and a desk shows no more than its viewpoint knew then."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from leak_tools import Doors, Leak, Line, random_session, screen, try_twins, viewers
from test_tiny_histories import FIVE, SWAPS_ONLY, TITLES, one_in
from tiny import Everything

from cardlab import GAMES, TEACHER, Card, Session, game
from cardlab.cards import parse_cards
from cardlab.core.game import AnyGame
from cardlab.desk import Desk
from cardlab.games import marshal_state
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.poker_marshal import PokerMarshal
from cardlab.words import LANGUAGES

ZONE = re.compile(r'(?=<g data-zone="hand \d")')
SHAPE = '<g class="lift">'


class Tells(Desk):
    """A desk whose table tells something of the cards that lie face down in the hands."""

    def drawn(self, narrow: bool = False) -> str:
        return self.tell(super().drawn(narrow))

    def tell(self, markup: str) -> str:
        """The picture with each back drawn otherwise, by the card that it is."""
        head, *hands = ZONE.split(markup)
        return head + "".join(self.hand(zone) for zone in hands)

    def hand(self, zone: str) -> str:
        """The same for one hand."""
        seat = int(zone[len('<g data-zone="hand ')])
        hidden = [card for card in getattr(self.session.state, "hands", ())[seat] if f'data-key="{card}"' not in zone]
        given = iter(hidden)
        first, *others = re.split(r"(?=<g transform=\"translate\([^)]*\)\"><g role=)", zone)
        return first + "".join(self.back(part, next(given, None)) if "data-key" not in part else part for part in others)

    def back(self, part: str, card: Card | None) -> str:
        """One back."""
        raise NotImplementedError


class FaceUnderTheBack(Tells):
    """The face is drawn, and the back over it."""

    def back(self, part: str, card: Card | None) -> str:
        return part.replace(SHAPE, f'{SHAPE}<use href="#cl-s-{card}" width="50" height="70"/>', 1) if card else part


class KeyOnABack(Tells):
    """A back carries the token of its card, so that it can travel."""

    def back(self, part: str, card: Card | None) -> str:
        return part.replace('role="img"', f'role="img" data-key="{card}"', 1) if card else part


class TokenInALabel(Tells):
    """A screen reader is told what lies there."""

    def back(self, part: str, card: Card | None) -> str:
        return re.sub(r'aria-label="([^"]+)"', rf'aria-label="\1 ({card})"', part, count=1) if card else part


class WiderForAJoker(Tells):
    """The step after a hidden joker is a hair wider."""

    def back(self, part: str, card: Card | None) -> str:
        return (
            re.sub(r"translate\((\S+) ", lambda found: f"translate({float(found[1]) + 0.5:g} ", part, count=1)
            if card and card.joker
            else part
        )


class HigherForSomeRanks(Tells):
    """Hidden twos and sevens stand a hair higher."""

    def back(self, part: str, card: Card | None) -> str:
        return re.sub(r" (\S+)\)", " 0.1)", part, count=1) if card and card.token[0] in "27" else part


class PeeksWithOpenEyes(Desk):
    """Earlier moments are drawn with all cards open."""

    def peek(self, at: int, narrow: bool = False) -> str:
        return Desk.on(self.session.branch(), seat=TEACHER).peek(at, narrow)


class MarksForTheTeacher(Desk):
    """What moved is read off the teacher's scenes: a swap within a hand shows, though only backs came and went."""

    def _moved(self) -> Any:
        viewer, self.viewer = self.viewer, TEACHER
        try:
            return super()._moved()
        finally:
            self.viewer = viewer


class ReasonsFromOtherHands(Desk):
    """What is said below the table depends on another hand."""

    def next(self) -> str:
        hands = getattr(self.session.state, "hands", ((),))
        return super().next() + "!" * (len([card for hand in hands for card in hand if card.rank == 5]) % 2)


class OffersFromTheTruth(Desk):
    """A card of the stock cannot be picked."""

    def offer(self) -> Any:
        told = super().offer()
        stock = getattr(self.session.state, "stock", ())
        if told is not None and told.picks:
            object.__setattr__(told, "picks", tuple(action for action in told.picks if action.card not in stock))
        return told


def records(kind: type[AnyGame], desk: type[Desk], games: int = 8) -> None:
    """Some records of a game on a planted desk, with cards renamed."""
    rng = random.Random(6)
    for index in range(games):
        session = random_session(kind(deals=1), index, rng)
        try_twins(Line(session, Doors(desk=desk, screens=1)), rng)


def swaps(desk: type[Desk], rarely: int = 1) -> None:
    """Swaps in a tiny Marshal with a joker."""
    size = marshal_state.Size(parse_cards(FIVE + " JK1"), (2, 1, 1, 1, 1), (2, 1), 1)
    played = PokerMarshal(size=size, deals=1, title_tie="incumbent")
    Everything(played, TITLES, one_in(4, "marshal", SWAPS_ONLY), Doors(desk=desk, screens=1), deep=150 * rarely).run()


TRIES: dict[str, Callable[..., None]] = {
    "fight": partial(records, FightForTheLead),
    "marshal": partial(records, PokerMarshal),
    "tiny": swaps,
}
LONG = ("another step for a joker, marshal",)  # takes half a minute; the tiny pack tells the same sooner
PLANTED: dict[str, tuple[type[Desk], str]] = {
    "a face under a back, fight": (FaceUnderTheBack, "fight"),
    "a face under a back, marshal": (FaceUnderTheBack, "marshal"),
    "a face under a back, tiny": (FaceUnderTheBack, "tiny"),
    "a key on a back, fight": (KeyOnABack, "fight"),
    "a key on a back, marshal": (KeyOnABack, "marshal"),
    "a token in a label, fight": (TokenInALabel, "fight"),
    "a token in a label, marshal": (TokenInALabel, "marshal"),
    "another step for a joker, marshal": (WiderForAJoker, "marshal"),
    "another step for a joker, tiny": (WiderForAJoker, "tiny"),
    "another height for some ranks, fight": (HigherForSomeRanks, "fight"),
    "peeks with open eyes, fight": (PeeksWithOpenEyes, "fight"),
    "peeks with open eyes, marshal": (PeeksWithOpenEyes, "marshal"),
    "marks by the truth, marshal": (MarksForTheTeacher, "marshal"),
    "a sentence by the truth, fight": (ReasonsFromOtherHands, "fight"),
    "picks by the truth, marshal": (OffersFromTheTruth, "marshal"),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in PLANTED])
def test_a_leak_planted_into_the_screen_is_caught(name: str) -> None:
    desk, where = PLANTED[name]
    with pytest.raises(Leak):
        TRIES[where](desk)


@pytest.mark.parametrize("where", TRIES)
def test_the_same_tries_find_nothing_on_an_honest_desk(where: str) -> None:
    TRIES[where](Desk, 2)


def test_the_plants_draw_what_they_say() -> None:
    session = Session(game("poker_marshal"), seed=4)
    while session.game.phase(session.state) != "marshal":
        session.step("still")
    honest = Desk.on(session.branch(), seat=None).drawn()
    for kind in (FaceUnderTheBack, KeyOnABack, TokenInALabel):
        told = kind.on(session.branch(), seat=None).drawn()
        hands = [card for hand in session.state.hands for card in hand]
        assert all(re.search(rf"\b{card}\b", told) for card in hands)
        assert not any(re.search(rf"\b{card}\b", honest) for card in hands)
        assert kind.on(session.branch(), seat=TEACHER).drawn() == Desk.on(session.branch(), seat=TEACHER).drawn()


# a desk by itself


def tables() -> Iterator[tuple[Session, int]]:
    for name in GAMES:
        short = {} if name == "suicide_king" else {"deals": 2}
        session = Session(game(name, **short), seed=11)
        session.auto("random", until="game")
        yield session, max(1, len(session) // 12)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_earlier_moment_is_shown_as_it_was_known_then(language: str) -> None:
    for session, step in tables():
        for viewer in (*viewers(session.game), TEACHER):
            late = Desk.on(session.branch(), seat=viewer, language=language)
            for n in range(0, len(session) + 1, step):
                early = Desk.on(session.branch().goto(n), seat=viewer, language=language)
                for narrow in (False, True):
                    assert late.peek(n, narrow) == early.peek(n, narrow)


def test_after_an_undo_the_screen_is_the_earlier_one() -> None:
    for session, step in tables():
        for viewer in (*viewers(session.game), TEACHER):
            desk = Desk.on(session.branch().goto(0), seat=viewer)
            before: dict[int, Any] = {}
            for n in range(0, len(session), step):
                before[n] = screen(desk.goto(n))
            for n in sorted(before, reverse=True):
                assert screen(desk.goto(n)) == before[n], (session.game, viewer, n)


def test_another_viewpoint_forgets_what_the_teacher_saw() -> None:
    for session, step in tables():
        for n in range(0, len(session), 2 * step):
            desk = Desk.on(session.branch().goto(n), seat=TEACHER)
            screen(desk)
            for viewer in (0, None, 1):
                desk.set_viewer(viewer)
                assert screen(desk) == screen(Desk.on(session.branch().goto(n), seat=viewer))


def test_no_screen_tells_the_seed_but_the_teachers() -> None:
    seed = 918_273_645
    for name in GAMES:
        desk = Desk(name, seed=seed, seat=0)
        for _ in range(25):
            desk.step()
            assert str(seed) not in repr(screen(desk))
