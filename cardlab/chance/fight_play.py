"""How a deal of Fight for the Lead goes on from a world to its end: every way with its chance, or one way at random."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Final

from cardlab.chance.fight_tricks import SHARE, Position, Random, TooMany, Won
from cardlab.chance.luck import Luck
from cardlab.core import streams
from cardlab.core.events import Event, Seat
from cardlab.core.game import CHANCE, Action
from cardlab.core.places import Places, Zone, mask_of
from cardlab.core.registry import Player, player
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.fight_state import State
from cardlab.games.fight_view import View

CASES: Final = 50_000  # positions of the tricks gone through for one answer
STEPS: Final = 20_000  # steps of the engine
ANY_CARD: Final = ("random", "still")  # players who play any card alike that they may


class Rest:
    """How deal number ``deal`` goes on when everybody behaves like the computer player ``policy``.

    At most ``part`` of what may be gone through is: then TooMany is raised.
    """

    def __init__(self, game: FightForTheLead, policy: str, deal: int, part: float = 1.0) -> None:
        self.game = game
        self.player: Player = player(policy)
        self.any_card = policy in ANY_CARD
        self.deal = deal
        self.random = Random(ceil(CASES * part))
        self.steps = ceil(STEPS * part)
        self._had = self.random.cases, self.steps
        self._ends: dict[tuple[object, ...], State] = {}

    @property
    def used(self) -> float:
        """The part of what may be gone through that was."""
        return max((self._had[0] - self.random.cases) / CASES, (self._had[1] - self.steps) / STEPS)

    def over(self, state: State) -> bool:
        """Whether the deal has ended."""
        return state.deal != self.deal or state.phase in ("refusal", "over")

    # every way

    def endings(self, starts: Iterable[tuple[State, Fraction]]) -> dict[State, Fraction]:
        """The states at the end of the deal with their chances; raises TooMany."""
        ended: dict[State, Fraction] = {}
        ahead: dict[State, Fraction] = dict(starts)
        while ahead:
            after: dict[State, Fraction] = {}
            if self._width(next(iter(ahead))) * len(ahead) > self.steps:
                raise TooMany
            for state, weight in ahead.items():
                if self.over(state):
                    ended[state] = ended.get(state, Fraction(0)) + weight
                elif state.phase == "tricks" and self.any_card:
                    self._add_tricks(ended, state, weight)
                else:
                    for action, chance in self.choices(state):
                        reached = self.apply(state, action)
                        after[reached] = after.get(reached, Fraction(0)) + weight * chance
            ahead = after
        return ended

    def _width(self, state: State) -> int:
        """How many steps of the engine one state of a round takes, as the first one shows; none where the tricks are counted."""
        return 0 if self.over(state) or (state.phase == "tricks" and self.any_card) else len(self.choices(state))

    def _add_tricks(self, ended: dict[State, Fraction], state: State, weight: Fraction) -> None:
        position = Position.of(state)
        parts = SHARE ** sum(hand.bit_count() for hand in position.hands)
        for won, ways in self.random.won(position).items():
            end = self._settled(state, won)
            ended[end] = ended.get(end, Fraction(0)) + weight * Fraction(ways, parts)

    def _settled(self, state: State, won: Won) -> State:
        """The end of the deal when each seat takes so many of the tricks to come; what was in the hands is forgotten then."""
        key = (won, state.tricks, state.balances, state.bank, state.staying, state.lead)
        end = self._ends.get(key)
        if end is None:
            end = self._ends[key] = self._settle(state, won)
        return end

    def _settle(self, state: State, won: Won) -> State:
        more = dict(zip(state.staying, won, strict=True))
        tricks = tuple(n + more.get(Seat(seat), 0) for seat, n in enumerate(state.tricks))
        return self.game._settle(replace(state, tricks=tricks, trick=()), [])[0]

    def apply(self, state: State, action: Action) -> State:
        """The state after an action that is known to be legal."""
        self.steps -= 1
        if self.steps < 0:
            raise TooMany
        return self.game._apply(state, action)[0]

    def choices(self, state: State) -> list[tuple[Action, Fraction]]:
        """What may be done or drawn next, with its chance."""
        seat = self.game.actor(state)
        if seat is CHANCE:
            options = self.game.draw(state).options
            return [(option, Fraction(1, len(options))) for option in options]
        assert isinstance(seat, Seat)
        legal = self.game.legal(state)
        if len(legal) == 1:
            return [(legal[0], Fraction(1))]
        return self._chosen(state, seat, legal)

    def _chosen(self, state: State, seat: Seat, legal: tuple[Action, ...]) -> list[tuple[Action, Fraction]]:
        """All that a computer player may choose: its number is tried with every value; raises TooMany if it asks for two."""
        sizes: list[int] = []

        def choose(value: int) -> Action:
            def below(m: int) -> int:
                sizes.append(m)
                return value

            return self.player.choose(self.game, self._seen(state, seat), legal, below)

        first = choose(0)
        if not sizes:
            return [(first, Fraction(1))]
        size = sizes[0]
        actions = [first, *map(choose, range(1, size))]
        if sizes != [size] * size:
            raise TooMany
        return [(action, Fraction(1, size)) for action in actions]

    # one way

    def ending(self, state: State, luck: Luck) -> State:
        """The state at the end of the deal, by one way to play it."""
        while not self.over(state):
            state = self.step(state, luck)
        return state

    def step(self, state: State, luck: Luck) -> State:
        """The next step of one way."""
        return self.told(state, luck)[0]

    def told(self, state: State, luck: Luck) -> tuple[State, list[Event]]:
        """The next step of one way, with what happens in it."""
        return self.game._apply(state, self._one(state, luck))

    def taker(self, before: tuple[int, ...], state: State) -> Seat | None:
        """Who has taken a trick since the tricks were ``before``."""
        more = (seat for seat, (then, now) in enumerate(zip(before, state.tricks, strict=True)) if now > then)
        return next(map(Seat, more), None)

    def _one(self, state: State, luck: Luck) -> Action:
        seat = self.game.actor(state)
        if not isinstance(seat, Seat):
            return luck.draw(self.game, self.game.draw(state), state.deal)
        legal, word = self.game.legal(state), luck.word(seat, state.deal)  # a number for each decision, also where it decides nothing
        return legal[0] if len(legal) == 1 else self.player.choose(self.game, self._seen(state, seat), legal, partial(streams.below, word))

    def _seen(self, state: State, seat: Seat) -> View:
        """What the seat to act sees, as far as computer players look at it: its cards, and what is public now."""
        blank = View(seat, None, state.playing, state.balances, state.tricks, game=self.game)
        if not getattr(self.player, "looks", True):
            return blank
        return replace(
            blank, now=self.game.now(state), places=_places(self.game, state, seat), deal=state.deal, dealer=state.dealer, bank=state.bank,
            last_bank=state.last_bank, losers=state.losers, staying=state.staying, turned=state.turned, lead=state.lead, trick=state.trick,
        )  # fmt: skip


def shares(game: FightForTheLead, end: State) -> tuple[int, ...]:
    """What each seat has got of the bank at the end of a deal (FL-15)."""
    if any(end.tricks):
        return tuple(end.last_bank // game.size.hand * n for n in end.tricks)
    taker = end.staying[0] if end.staying else end.lead  # pagat_dropout: the bank without play
    return tuple(end.last_bank * (seat == taker) for seat in game.seats)


def score(game: FightForTheLead, end: State, seat: Seat) -> int:
    """A seat's balance at the end of a deal, the penalty of its losers counted as paid (FL-17)."""
    return end.balances[seat] - (game.penalty(end) if seat in end.losers else 0)


def next_bank(game: FightForTheLead, end: State) -> int:
    """The stakes of the next deal, if nobody refuses but those whose answer is sealed so: 0 where it cannot be played.

    Who refuses pays nothing (FL-18): without a loser his whole penalty is missing (FL-17), and one player alone does not play.
    """
    if end.phase == "refusal":
        playing = tuple(seat for seat in end.playing if (seat, "refuse") not in end.sealed)
        end = game._next_deal(replace(end, playing=playing, sealed=(), mover=None), [])[0]
    return 0 if end.phase == "over" else sum(game.stakes(end).values())


def _places(game: FightForTheLead, state: State, seat: Seat) -> Places:
    """The seat's own cards for sure, and all others perhaps in each other zone."""
    own = mask_of(state.hands[seat])
    others = mask_of(game.size.pack) & ~own
    zones = [(f"hand {other}", Zone(len(state.hands[other]), 0, others)) for other in game.seats if other != seat]
    return Places(((f"hand {seat}", Zone(len(state.hands[seat]), own, 0)), *zones, ("stock", Zone(len(state.stock), 0, others))))
