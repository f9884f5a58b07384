"""What every game can do: one protocol for engine, session, players and screens."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from itertools import repeat
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, TypeVar

from cardlab.cards import CARDS, Card, distinct, parse_card
from cardlab.core.dist import Dist
from cardlab.core.errors import BadGame, BadRequest, IllegalAction, Reason, quoted
from cardlab.core.events import TEACHER, Event, Now, Seat, Viewer
from cardlab.core.rules import HouseRules
from cardlab.core.values import replace
from cardlab.words import Words, usual_language


class Turn(Enum):
    """What may stand in the place of a seat: chance acts, or nobody does any more."""

    CHANCE = "chance"
    OVER = "over"


CHANCE: Final = Turn.CHANCE
OVER: Final = Turn.OVER
_TOKEN = re.compile(r"[a-z]+( [0-9A-Za-z]{1,3})*")


@dataclass(frozen=True, slots=True)
class Action:
    """A move of a seat or of chance: a verb, then cards or a number.

    >>> Action.parse("play QH"), str(Action("take", number=3))
    (Action('play QH'), 'take 3')
    """

    verb: str
    cards: tuple[Card, ...] = ()
    number: int | None = None
    code: int = field(init=False, repr=False, compare=False)  # sorts actions of one verb: the number, or the sum of 2^code over the cards

    def __post_init__(self) -> None:
        code = self.number if self.number is not None else sum(1 << card.code for card in self.cards)
        object.__setattr__(self, "code", code)

    @staticmethod
    @lru_cache(maxsize=1024)
    def of(verb: str, number: int | None = None) -> Action:
        """The action of a verb, alone or with a number, made once."""
        return Action(verb, number=number)

    @staticmethod
    def each(verb: str, cards: Iterable[Card]) -> list[Action]:
        """The actions of a verb with one of some cards, each made once."""
        made = _with_each_card(verb)
        return [made[card.code] for card in cards]

    @classmethod
    def parse(cls, token: str) -> Action:
        """The action of a token; raises BadRequest for text of another form."""
        if not isinstance(token, str) or len(token) > 80 or not _TOKEN.fullmatch(token):
            raise BadRequest("error.token", text=quoted(token))
        verb, *rest = token.split(" ")
        if len(rest) == 1 and rest[0].isdigit():
            return cls(verb, number=int(rest[0]))
        return cls(verb, tuple(sorted(distinct(parse_card(word) for word in rest))))  # several cards are a set: named in any order

    @property
    def card(self) -> Card:
        """The only card of the action."""
        (card,) = self.cards
        return card

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.cards)] + ([] if self.number is None else [str(self.number)]))

    def __repr__(self) -> str:
        return f"Action({str(self)!r})"


@lru_cache(maxsize=256)
def _with_each_card(verb: str) -> tuple[Action, ...]:
    return tuple(Action(verb, (card,)) for card in CARDS)


@dataclass(frozen=True)
class Draw:
    """What chance is asked for: one of some cards or numbers, at a place of a shuffled pack or free.

    ``purpose`` is the stream (``streams.DECK``, …), or ``None`` where nothing is random. With a ``place``, the card is the one that
    lies there when ``pack`` is shuffled; without, it is one of the sorted options.
    """

    verb: str
    purpose: int | None = None
    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    place: int | None = None
    pack: tuple[Card, ...] = ()

    @cached_property
    def options(self) -> tuple[Action, ...]:
        """All outcomes, sorted."""
        if self.cards:
            return tuple(Action.each(self.verb, self.cards))
        if self.numbers:
            return tuple(Action.of(self.verb, number) for number in self.numbers)
        return (Action.of(self.verb),)

    def allows(self, action: Action) -> bool:
        """Whether an action is one of the outcomes."""
        if action.verb != self.verb:
            return False
        if self.cards:
            return action.number is None and len(action.cards) == 1 and action.cards[0] in self.cards
        if self.numbers:
            return not action.cards and action.number in self.numbers
        return not action.cards and action.number is None


@dataclass(frozen=True)
class Outcome:
    """How a game ended: why, the groups of equal seats from best to worst, and what each seat won or lost."""

    reason: str
    standing: tuple[tuple[Seat, ...], ...]
    payments: tuple[int, ...] = ()


class HasDeal(Protocol):
    """What the core reads of a state: the number of the deal, from 0."""

    @property
    def deal(self) -> int: ...


class Seen:
    """What views share: each belongs to a game, and a notebook shows it as a picture of the table."""

    __slots__ = ()
    if TYPE_CHECKING:
        game: AnyGame

    def _repr_svg_(self) -> str:
        from cardlab.view import svg  # only when it is shown: the engine knows no pictures

        return svg(self.game, self, Words(usual_language()))


class View(Protocol):
    """What the core reads of a view: whose it is, and who acts."""

    @property
    def viewer(self) -> Viewer: ...
    @property
    def now(self) -> Now | None: ...


S = TypeVar("S", bound=HasDeal)
V = TypeVar("V", bound=View)
Moves = tuple[Action, ...]
NO_MOVES: Final[Moves] = ()


@dataclass(frozen=True)
class Step(Generic[S]):
    """One step of a game: the state before, the action, the state after, and what happened."""

    before: S
    action: Action
    after: S
    events: tuple[Event, ...]


class Game(ABC, Generic[S, V]):
    """The rules of a game for a number of players and a set of house rules; it holds no state of play.

    States and views are frozen values. ``apply`` is the only way from one state to the next, ``see`` the only way a view learns.
    """

    name: ClassVar[str]
    letters: ClassVar[str]  # of the rule ids: SK, FL, PM
    version: ClassVar[int] = 1
    player_counts: ClassVar[range]
    usual_players: ClassVar[int]
    rules_type: ClassVar[type[HouseRules]]
    rule_count: ClassVar[int]
    verbs: ClassVar[tuple[str, ...]]  # of the seats, in the order in which legal moves are sorted
    card_draws: ClassVar[tuple[str, ...]]  # the verbs of chance that bring a card
    phases: ClassVar[tuple[str, ...]]

    def __init__(self, players: int | None = None, preset: str = "default", **house: Any) -> None:
        self.players = self.usual_players if players is None else players
        zero = f"{self.letters}-0"
        if type(self.players) is not int or self.players not in self.player_counts:
            least, most = self.player_counts[0], self.player_counts[-1]
            key = "error.players" if least < most else "error.players_exactly"
            raise BadGame(key, rule=zero, players=quoted(self.players), least=least, most=most)
        self.rules: Any = self.rules_type.make(zero, self.players, preset, **house)
        self.seats = tuple(Seat(k) for k in range(self.players))

    # the state of play

    @abstractmethod
    def start(self) -> S:
        """The state before anything has happened."""

    @abstractmethod
    def actor(self, s: S) -> Seat | Turn:
        """The seat that acts next, or CHANCE, or OVER."""

    @abstractmethod
    def phase(self, s: S) -> str:
        """The phase of the deal, one of ``phases``."""

    @abstractmethod
    def _moves(self, s: S, seat: Seat) -> Iterable[Action]:
        """The legal moves of the seat that acts, sorted as ``legal`` promises."""

    @abstractmethod
    def _why_not(self, s: S, a: Action) -> Reason:
        """Why an action that is not among the moves is refused."""

    @abstractmethod
    def draw(self, s: S) -> Draw:
        """What chance is asked for; only where chance acts."""

    @abstractmethod
    def _apply(self, s: S, a: Action) -> tuple[S, list[Event]]:
        """The state and the events after a legal action."""

    @abstractmethod
    def outcome(self, s: S) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""

    @abstractmethod
    def key(self, s: S) -> Hashable:
        """The state without what cannot matter any more, so that exact sums stay small."""

    @abstractmethod
    def lying(self, s: S) -> tuple[Card, ...]:
        """All cards of the pack wherever they lie, in any order; none between deals or where the state forgets the cards seen."""

    def ledger(self, s: S) -> int:
        """All money, the bank included: 0 in every state."""
        return 0

    @abstractmethod
    def bound(self) -> int | None:
        """A number of steps that no game passes."""

    def legal(self, s: S) -> Moves:
        """The moves of the seat to act, sorted by the order of ``verbs`` and then by ``Action.code``; a function of that seat's view."""
        seat = self.actor(s)
        if not isinstance(seat, Seat):
            return NO_MOVES
        return tuple(self._moves(s, seat))

    def why_not(self, s: S, a: Action) -> Reason | None:
        """The rule that forbids an action and what would be right; ``None`` when the action is legal."""
        actor = self.actor(s)
        if actor is OVER:
            return Reason.of(f"{self.letters}-0", "over")
        if actor is CHANCE:
            draw = self.draw(s)
            return None if draw.allows(a) else Reason.of(f"{self.letters}-0", "chance", verb=draw.verb, action=str(a))
        moves = tuple(self._moves(s, actor))
        same = any(map(is_, moves, repeat(a)))  # spares the comparison of values
        return None if same or a in moves else self._why_not(s, a)

    def chances(self, s: S) -> Dist[Action]:
        """The true distribution of the next draw: for dealers, proofs and the teacher; every other screen shows ``expects``."""
        return Dist.uniform(self.draw(s).options)

    def card_at(self, place: int, order: tuple[int, ...], pack: tuple[Card, ...]) -> Card:
        """The card that lies at a place when a pack is shuffled to an order."""
        return pack[order[place]]

    def apply(self, s: S, a: Action) -> Step[S]:
        """The step that an action makes; raises IllegalAction with the rule it breaks, and ``s`` is unchanged."""
        reason = self.why_not(s, a)
        if reason is not None:
            raise IllegalAction(reason=reason)
        after, events = self._apply(s, a)
        return Step(s, a, after, (*events, self.now(after)))

    def now(self, s: S) -> Now:
        """Who acts next, as everybody may know it."""
        actor = self.actor(s)
        asks = self.draw(s).verb if actor is CHANCE else None
        return _now(f"{self.letters}-0", actor if isinstance(actor, Seat) else actor.value, self.phase(s), asks)

    # what a viewer knows

    @abstractmethod
    def _blank(self, viewer: Viewer) -> V:
        """A view before the first event."""

    @abstractmethod
    def _see(self, v: V, e: Event) -> V:
        """The view after an event."""

    @abstractmethod
    def _expects(self, v: V) -> Dist[Action] | None:
        """The next draw as far as a view can know it, when chance acts."""

    def blank(self, viewer: Viewer) -> V:
        """The view of a seat, of a spectator (``None``) or of the teacher, before the first event."""
        return replace(self._blank(self.viewer(viewer)), now=self.now(self.start()))  # type: ignore[type-var]

    def see(self, v: V, e: Event) -> V:
        """The view after an event that was shown to it."""
        if isinstance(e, Now):
            return replace(v, now=e)  # type: ignore[type-var]
        return self._see(v, e)

    def expects(self, v: V) -> Dist[Action] | None:
        """The next draw as this viewer can know it; ``None`` when chance does not act.

        What other players chose is taken as telling nothing, and a card that the viewer will not see is one outcome: a card, face down.
        """
        return self._expects(v) if v.now is not None and v.now.asks is not None else None

    def viewer(self, viewer: object) -> Viewer:
        """A viewer, checked: a seat of this game, ``None`` or "teacher"; raises BadRequest."""
        if viewer is None or viewer == TEACHER:
            return viewer
        if isinstance(viewer, int) and not isinstance(viewer, bool) and 0 <= viewer < self.players:
            return Seat(viewer)
        raise BadRequest("error.viewer", viewer=quoted(viewer), last=self.players - 1)

    # names

    def next_of(self, seat: int, among: Collection[Seat]) -> Seat:
        """The next seat clockwise after a seat, among some."""
        return self.clockwise(seat + 1, among)[0]

    def clockwise(self, first: int, among: Collection[Seat]) -> tuple[Seat, ...]:
        """Some seats in clockwise order, beginning with ``first`` or the next one after it."""
        first %= self.players
        return tuple([seat for seat in self.seats[first:] + self.seats[:first] if seat in among])

    def rule_ids(self) -> tuple[str, ...]:
        """The ids of the game's rules, beginning with 0: pack, players, ranks, aim."""
        return tuple(f"{self.letters}-{k}" for k in range(self.rule_count + 1))

    def say_action(self, a: Action, words: Words) -> str:
        """An action in words, as on a button; a draw that the viewer will not see is "a card, face down".

        >>> from cardlab import game
        >>> game("suicide_king").say_action(Action("take", number=0), Words("en"))
        'Take the top card of the middle pile'
        """
        key = f"action.{self.name}.{a.verb}"
        if a.verb in self.card_draws and not a.cards:
            return words.text("action.face_down")
        n = len(a.cards) if a.number is None else a.number
        return words.text(key, cards=a.cards, n=n, seat=Seat(n))

    def display(self, words: Words) -> str:
        """The name of the game."""
        return words.text(f"game.{self.name}")

    def __repr__(self) -> str:
        house = "".join(f", {key}={value!r}" for key, value in self.rules.changed().items())
        return f"game({self.name!r}, players={self.players}{house})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.players, self.rules) == (other.name, other.players, other.rules)

    def __hash__(self) -> int:
        return hash((self.name, self.players, self.rules))


@lru_cache(maxsize=1024)
def _now(rule: str, actor: Seat | str, phase: str, asks: str | None) -> Now:
    return Now(rule=rule, actor=actor, phase=phase, asks=asks)


AnyGame = Game[Any, Any]
