"""All that a viewer gets from a session, through every door; random records; and the renaming of two cards not shown."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from cardlab import GAMES, Action, BadGame, Card, IllegalAction, Session, game
from cardlab.chance import fitting
from cardlab.core.events import Event, Seat, Viewer, to_json
from cardlab.core.game import AnyGame
from cardlab.core.registry import Player
from cardlab.core.rules import Allowed
from cardlab.desk import Desk, lines
from cardlab.desk.boards import Boards
from cardlab.desk.links import share
from cardlab.desk.questions import Asking
from cardlab.games.marshal_events import Asks, Shortfall, Silence
from cardlab.view import svg, text
from cardlab.words import LANGUAGES, Words


class Leak(AssertionError):
    """A viewer gets something that depends on what it may not know."""


@dataclass(frozen=True)
class Doors:
    """The session, the desk and the computer players through which a seat gets anything; a planted leak changes one of them.

    At one in ``screens`` moments the whole screen is compared, too: it is by far the longest to draw.
    """

    session: type[Session] = Session
    desk: type[Desk] = Desk
    players: tuple[Callable[[Session], str | Player], ...] = (lambda _: "random", lambda _: "sensible", lambda _: "still")
    screens: int = 3


DOORS = Doors()


def viewers(played: AnyGame) -> tuple[Viewer, ...]:
    """Everybody who must not know all: the seats and a spectator."""
    return (*played.seats, None)


def glance(session: Session, viewer: Viewer, doors: Doors = DOORS, seed: int | None = None) -> dict[str, Any]:
    """What a viewer gets at this moment; ``seed`` is the one from which its computer player's choices are taken."""
    step, view, expects = session.cursor.step, session.view(viewer), session.expects(viewer)
    shown = [] if step is None else [to_json(event) for told in step.events if (event := told.seen(viewer)) is not None]
    got = {
        "events of the step": json.dumps(shown),
        "view": view,
        "repr of the view": repr(view),
        "step numbers": (session.at, len(session)),
        "seat on turn": session.actor,
        "expects": expects and tuple(expects.items()),
    }
    if isinstance(session.actor, Seat) and session.actor == viewer:
        chooser = session.branch()
        chooser.seed = session.seed if seed is None else seed
        got["own legal actions"] = session.legal
        got["what may be clicked"] = repr(doors.desk.on(chooser, seat=viewer).offer())
        got["choices of computer players"] = [str(chooser.choice(player(session))) for player in doors.players]
    return got


def whole(session: Session, viewer: Viewer, doors: Doors = DOORS) -> dict[str, Any]:
    """What a viewer has got since the start, and all that its screen shows."""
    got: dict[str, Any] = {
        "events": [(n, to_json(event)) for n, _, event in session.events(viewer)],
        "export": session.export(viewer),
    }
    for language in LANGUAGES:
        rows = session.log(viewer, language)
        got[f"log, {language}"] = (len(rows), rows)
        got[f"text, {language}"] = text(session.game, session.view(viewer), Words(language))
        got[f"picture, {language}"] = svg(session.game, session.view(viewer), Words(language))
    if session.at % doors.screens:
        return got
    language = LANGUAGES[session.at % 2]
    return got | screen(doors.desk.on(session.branch(), seat=viewer, language=language))


SLOW = 5  # at one step of so many what takes its time is compared, too: the fate of the players, and what is believed of the cards


def screen(desk: Desk) -> dict[str, Any]:
    """Everything that leaves Python for a viewpoint, wide and narrow, with what the last press marked and what clicks do."""
    got: dict[str, Any] = {"link": share(desk).text}
    for pressed in (1, 5):
        desk.since = max(0, desk.at - pressed)
        for narrow in (False, True):
            got[f"table, {pressed} steps, {narrow=}"] = lines.table(desk, narrow)
        got[f"rows that are now, {pressed} steps"] = lines.now(desk)
    for n in {0, desk.at // 2, max(0, desk.at - 3), desk.at}:
        got[f"peek at {n}"] = lines.peek(desk, n, narrow=bool(n % 2))
    for narrow in (False, True):
        got[f"picture alone, {narrow=}"] = desk.picture(narrow)
    asking = Asking(print)
    if desk.at % SLOW:
        asking.chosen = next((asked.name for asked in fitting(desk.session.view(desk.viewer)) if asked.quick), "")
    boards = Boards(asking)

    def drawn(name: str) -> list[str]:
        boards.press(name)
        asking.lines(desk, boards.wants(desk))
        return boards.lines(desk)

    got |= {
        "next": lines.ahead(desk),
        "odds": lines.odds(desk),
        "questions": asking.lines(desk),
        "boards": {name: drawn(name) for name in boards.names(desk) if name != "cards" or desk.at % SLOW == 0},
        "rules": lines.rules(desk),
        "log": lines.LogLines().of(desk),
    }
    got |= {"mark": lines.mark(desk), "ticks": desk.ticks(), "moves": desk.moves(), "offer": repr(desk.offer())}
    told = desk.offer()
    for said in [] if told is None else [said for said in told.says.values() if said.startswith("choose ")][:2]:
        desk.click(said)
        got[f"after {said}"] = (lines.table(desk), lines.mark(desk), repr(desk.offer()))
    return got


def demand_equal(one: dict[str, Any], other: dict[str, Any], told: str) -> None:
    """Raises Leak, saying what differs, unless both got the same."""
    if one == other:
        return
    differing = [
        f"{name}: {one.get(name)!r:.600} / {other.get(name)!r:.600}" for name in {**one, **other} if one.get(name) != other.get(name)
    ]
    raise Leak("\n".join([told, *differing]))


def random_game(name: str, rng: random.Random, deals: int = 2) -> AnyGame:
    """A game with random house rules, each the default one time in two, and at most so many deals."""
    kind = GAMES[name]
    while True:
        players = rng.choice(kind.player_counts)
        house = {key: random_value(allowed, players, rng) for key, allowed in kind.rules_type.options().items() if rng.random() < 0.5}
        if "deals" in kind.rules_type.options():
            house["deals"] = rng.randint(1, deals)
        try:
            return game(name, players=players, **house)
        except BadGame:  # a bankroll below the stake
            continue


def random_value(allowed: Allowed, players: int, rng: random.Random) -> str | int:
    """One of the values of a house rule."""
    numbers: list[str | int] = list(range(players)) if allowed.seat else []
    if allowed.least is not None:
        numbers += [allowed.least + k * allowed.multiple_of for k in range(4)]
    return rng.choice([*allowed.words, *numbers])


def random_session(played: AnyGame, seed: int, rng: random.Random, kind: type[Session] = Session) -> Session:
    """A whole game by a mixture of still and random players."""
    session = kind(played, seed=seed)
    session.auto({seat: rng.choice(("still", "random", "random")) for seat in played.seats}, until="game")
    return session


def cards_shown(event: Event) -> set[Card]:
    """The cards whose place an event shows; a card asked for is only named, wherever it lies, and what a joker stands for is no card."""
    if isinstance(event, (Asks, Silence)):
        return set()
    found: set[Card] = set()
    for part in fields(event):
        value = getattr(event, part.name)
        found.update(item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Card))
    return found


def renamed(action: Action, pair: tuple[Card, Card]) -> Action:
    """An action with the names of two cards exchanged; several cards stand sorted, as in the legal moves."""
    one, two = pair
    return Action(action.verb, tuple(sorted(two if card is one else one if card is two else card for card in action.cards)), action.number)


@dataclass
class Line:
    """A recorded game, and what each viewer got and was shown at each of its moments."""

    session: Session
    doors: Doors = DOORS
    got: dict[Viewer, list[dict[str, Any]]] = field(default_factory=dict)
    shown: dict[Viewer, list[set[Card]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        record, played = self.session.record, self.session.game
        self.seed = record.seed or 0
        self.actions = record.actions
        self.wholes: dict[tuple[Viewer, int], dict[str, Any]] = {}
        self.replay = self.doors.session(played, seed=self.seed)
        for viewer in viewers(played):
            self.got[viewer], self.shown[viewer] = [], []
        for n in range(len(self.actions) + 1):
            for viewer in viewers(played):
                self.got[viewer].append(glance(self.replay, viewer, self.doors))
                self.shown[viewer].append(cards_seen(self.replay, viewer))
            if n < len(self.actions):
                self.replay.play(self.actions[n][1])
        self.trunk = self.doors.session(played, seed=self.seed + 1)  # the twins' seed is another: no seat may know it
        for _, action in self.actions:
            self.trunk.play(action)

    def told(self, viewer: Viewer, pair: tuple[Card, Card], n: int) -> str:
        """Which sample this is."""
        return f"{self.session.game!r} seed {self.seed} step {n}, {pair[0]} and {pair[1]} as {viewer} gets it"

    def deal_start(self, moment: int) -> int:
        """The number of steps before the shuffle of the deal to which a moment belongs; 0 before the first shuffle."""
        return max((n for n in range(moment) if self.actions[n][1].verb == "shuffle"), default=0)

    def deal_end(self, moment: int) -> int:
        """The number of steps before the next shuffle, or in all."""
        return next((n for n in range(moment, len(self.actions)) if self.actions[n][1].verb == "shuffle"), len(self.actions))

    def unseen(self, viewer: Viewer, moment: int) -> list[Card]:
        """The cards of the pack that a viewer has not been shown in this deal up to a moment."""
        shown: set[Card] = set().union(*self.shown[viewer][self.deal_start(moment) + 1 : moment + 1])
        return [card for card in self.session.game.size.pack if card not in shown]  # type: ignore[attr-defined]

    def handled(self, moment: int) -> set[Card]:
        """The cards that some action of the deal names."""
        return {card for _, action in self.actions[self.deal_start(moment) : self.deal_end(moment)] for card in action.cards}

    def twin(self, viewer: Viewer, pair: tuple[Card, Card], moment: int) -> tuple[int, bool]:
        """Replays the deal with two cards renamed, as far as the viewer is shown neither, and demands that it gets the same throughout.

        Renamed are all actions of chance from the shuffle on, and those of all other players, who so do the same with the renamed cards:
        seal, lay, give, discard, play or show them. The viewer's own actions stay, as it may not know that anything is different. An
        ``ask`` stays too: it names a card wherever that card may lie, and shows it to nobody. Returns the number of steps for which
        the replay was compared, and whether it stayed legal up to the step that shows one of the two, or to the end of the record.
        """
        start = self.deal_start(moment)
        twin = self.trunk.goto(start).branch()
        legal, n = True, start
        while n < len(self.actions):
            by, action = self.actions[n]
            foreign = by == "chance" or by != viewer
            try:
                twin.play(renamed(action, pair) if foreign and action.verb != "ask" else action)
            except IllegalAction:
                legal = False
                break
            if self.tells_jokers(n, twin, pair):
                legal = False
                break
            shows, twin_shows = ({*pair} & cards for cards in (self.shown[viewer][n + 1], cards_seen(twin, viewer)))
            if bool(shows) != bool(twin_shows):
                raise Leak(f"{self.told(viewer, pair, n + 1)}: one is shown in one replay only")
            if shows:
                break
            n += 1
            demand_equal(self.got[viewer][n], glance(twin, viewer, self.doors, self.seed), self.told(viewer, pair, n))
        twin.goto(n)
        demand_equal(self.whole(viewer, n), whole(twin, viewer, self.doors), self.told(viewer, pair, n))
        return n, legal

    def tells_jokers(self, n: int, twin: Session, pair: tuple[Card, Card]) -> bool:
        """Whether a step makes the number of a hand's jokers public (PM-6) while the pair is a joker and another card: no replay then."""
        told = (*self.session.steps[n].events, *twin.steps[-1].events)
        return pair[0].joker != pair[1].joker and any(isinstance(event, Shortfall) for event in told)

    def whole(self, viewer: Viewer, n: int) -> dict[str, Any]:
        """What a viewer has got since the start, after n steps."""
        if (viewer, n) not in self.wholes:
            self.wholes[viewer, n] = whole(self.replay.goto(n).branch(), viewer, self.doors)
        return self.wholes[viewer, n]


def cards_seen(session: Session, viewer: Viewer) -> set[Card]:
    """The cards that the last step has shown to a viewer."""
    step = session.cursor.step
    shown = [] if step is None else [event for told in step.events if (event := told.seen(viewer)) is not None]
    return set().union(*(cards_shown(event) for event in shown))


@dataclass
class Count:
    """How many samples were compared, and how many of them stayed legal to the end."""

    samples: int = 0
    legal: int = 0
    moments: int = 0
    covered: int = 0

    def add(self, other: Count) -> None:
        """Adds up."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))


def try_twins(line: Line, rng: random.Random, tries: int = 3, more: float = 0.1) -> Count:
    """At every moment of a record and for every viewer: two cards not shown up to it, renamed; raises Leak.

    A sample stands for all moments up to its end, so that the next one begins there, and some ``more`` of them in between. One whose
    replay is not legal up to its moment is left out and tried again with two other cards.
    """
    count = Count()
    for viewer in viewers(line.session.game):
        covered = -1
        for moment in range(len(line.actions) + 1):
            unseen = line.unseen(viewer, moment)
            count.moments += len(unseen) > 1
            if len(unseen) < 2 or (covered >= moment and rng.random() >= more):
                count.covered += len(unseen) > 1
                continue
            for _ in range(tries):
                reached, legal = line.twin(viewer, chosen(unseen, line.handled(moment), rng), moment)
                count.samples += 1
                count.legal += legal
                covered = max(covered, reached)
                if reached >= moment:
                    break
            count.covered += covered >= moment
    return count


def chosen(unseen: list[Card], handled: set[Card], rng: random.Random) -> tuple[Card, Card]:
    """Two cards: the first mostly one with which something happens in the deal, the second often of its suit, so that play stays legal."""
    live = [card for card in unseen if card in handled]
    one = rng.choice(live if live and rng.random() < 0.8 else unseen)
    others = [card for card in unseen if card is not one]
    alike = [card for card in others if card.suit == one.suit]
    return one, rng.choice(alike if alike and rng.random() < 0.5 else others)
