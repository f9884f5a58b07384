"""One check for all games alike: random games in which every promise of the protocol is tried at every step."""

from __future__ import annotations

import os
import random
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from typing import Any, Final, NoReturn
from unittest import mock

import cardlab.games
import cardlab.players  # noqa: F401  (the players are put in the registry)
from cardlab.cards import PACK_54, Card
from cardlab.core import streams
from cardlab.core.dist import Dist
from cardlab.core.errors import IllegalAction, Reason
from cardlab.core.events import TEACHER, Now, Seat, Viewer
from cardlab.core.game import CHANCE, OVER, Action, AnyGame, Moves, Step
from cardlab.core.places import cards_of, mask_of
from cardlab.core.registry import game as game_named
from cardlab.core.session import Players, Session

LONGEST_DEAL: Final = 1_000  # steps of a deal in a game without a bound; of Marshal's draws for titles one in 10^300 takes longer
FEW: Final = 8  # so many legal moves are all tried in every state; of more a sample, and all of them in every 25th state
FOREIGN: Final = 6  # actions tried in every state that are not legal there
RANDOMNESS: Final = (
    (streams, ("word", "below", "shuffled", "deal_key")),
    (random, ("random", "randrange", "randint", "choice", "choices", "sample", "shuffle", "getrandbits")),
    (secrets, ("randbits", "randbelow", "choice", "token_bytes")),
    (os, ("urandom",)),
)


def check_game(game: AnyGame | str, games: int = 20, seed: int = 0) -> None:
    """Plays some games of random, still and mixed players and tries at every step what every game promises.

    The games are those of ``seed`` with the indices 0 to ``games`` - 1. Raises AssertionError, which names the game, the seed, the
    index, the step and what is wrong there. Tried are: legal moves (sorted, single, applicable, the others refused with a rule),
    tokens, chances, cards and money conserved, values that never change, the bound, the outcome, replay without a random number,
    undo and redo, and for every viewer that its view is the fold of its events and expects what can come.

    >>> check_game("suicide_king", games=1)
    """
    played = game_named(game) if isinstance(game, str) else game
    for index in range(games):
        _Check(played, seed, index).run()


@contextmanager
def no_random_number() -> Iterator[None]:
    """Within this, every call for a random number raises AssertionError."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a random number was called for")

    with ExitStack() as stack:
        for module, names in RANDOMNESS:
            for name in names:
                stack.enter_context(mock.patch.object(module, name, refuse))
        yield


class _Check:
    """One game, played once and then looked at from all sides."""

    def __init__(self, game: AnyGame, seed: int, index: int) -> None:
        self.game, self.seed, self.index = game, seed, index
        self.n = 0
        self.sample = random.Random(f"{seed} {index}")
        self.viewers: tuple[Viewer, ...] = (*game.seats, None, TEACHER)
        # a game of other cards than these may leave ``size`` out: then the first cards seen lying are its pack
        self.pack: tuple[Card, ...] | None = getattr(getattr(game, "size", None), "pack", None)
        self.known_rules = {*game.rule_ids(), *game.rules.options()}
        self.foreign = self._foreign()
        self.states: list[Any] = []
        self.prints: list[tuple[str, int]] = []
        self.views: list[dict[Viewer, Any]] = []

    def run(self) -> None:
        try:
            self._play()
            self._values_stay()
            self._undo_and_redo()
            self._deals_alike()
            self._replays()
            self._folds()
        except Exception as fault:
            if isinstance(fault, _Fault):
                raise AssertionError(f"{self._where()}: {fault}") from None
            raise AssertionError(f"{self._where()}: {fault!r}") from fault

    def _where(self) -> str:
        return f"{self.game!r}, seed {self.seed}, game {self.index}, step {self.n}"

    # playing

    def _players(self) -> Players:
        kind = ("random", "still", "mixed")[self.index % 3]
        return kind if kind != "mixed" else {seat: ("random", "still")[seat % 2] for seat in self.game.seats}

    def _play(self) -> None:
        self.session = Session(self.game, self.seed, self.index)
        players, bound = self._players(), self.game.bound()
        most = LONGEST_DEAL * getattr(self.game.rules, "deals", 1) if bound is None else bound
        self._arrived()
        while self.session.actor is not OVER:
            _claim(self.n < most, f"more steps than the bound, {most}")
            before = self.session.state
            actor, legal = self.session.actor, self.game.legal(before)
            if actor is CHANCE:
                _claim(legal == (), "legal moves where chance acts")
            else:
                _claim(isinstance(actor, Seat) and actor in self.game.seats, f"nobody acts: {actor!r}")
                self._legal(before, legal)
            step = self.session.step(players)
            if actor is CHANCE:
                _claim(step.action in self.game.chances(before), f"the dealer gave {step.action}, which has no chance")
            self.n += 1
            self._step(before, step.action, step)
            self._arrived()
        _claim(self.game.legal(self.session.state) == (), "legal moves after the end")
        self._refused(self.session.state, ())
        self._outcome()

    def _legal(self, state: Any, legal: Moves) -> None:
        game = self.game
        _claim(isinstance(legal, tuple) and len(legal) > 0, "a seat acts without a legal move")
        unknown = [action.verb for action in legal if action.verb not in game.verbs]
        _claim(not unknown, f"a verb that the game does not name: {unknown}")
        order = [(game.verbs.index(action.verb), action.code, action.cards) for action in legal]
        for action, here, following in zip(legal, order, order[1:], strict=False):
            _claim(here != following, f"{action} stands twice among the legal moves")
            _claim(here < following, f"the legal moves are not sorted: after {action}")
        for action in legal:
            _claim(Action.parse(str(action)) == action, f"{str(action)!r} does not parse back")
        for action in self._some(legal):
            _claim(game.why_not(state, action) is None, f"{action} is legal and refused")
            self._step(state, action, game.apply(state, action))
        self._refused(state, legal)

    def _some(self, legal: Moves) -> list[Action]:
        few = len(legal) <= FEW or self.sample.randrange(25) == 0
        return list(legal) if few else self.sample.sample(legal, 3)

    def _chance(self, state: Any, chances: Dist[Action]) -> None:
        options = self.game.draw(state).options
        _claim(len(set(options)) == len(options), "an outcome of chance stands twice")
        codes = [action.code for action in options]
        _claim(codes == sorted(codes), "the outcomes of chance are not sorted")
        _claim(set(chances) == set(options), "chances and draw have other outcomes")
        _claim(_sum(chances) == 1, "the chances do not sum to 1")
        # dealers give every option alike, so any other chances would be wrong
        alike = Fraction(1, len(options))
        uneven = [action for action in options if chances.p(action) != alike]
        _claim(not uneven, f"the dealer gives all options alike, the chances do not: {uneven[:3]}")
        for action in self.sample.sample(options, min(len(options), 3)):
            _claim(Action.parse(str(action)) == action, f"{str(action)!r} does not parse back")
            _claim(self.game.why_not(state, action) is None, f"{action} has a chance and is refused")
            self._step(state, action, self.game.apply(state, action))
        self._refused(state, options)

    def _refused(self, state: Any, legal: Moves) -> None:
        """Actions that are not legal here are refused with a rule of the game or a house rule's key."""
        for action in self.sample.sample(self.foreign, FOREIGN):
            if action in legal:
                continue
            reason = self.game.why_not(state, action)
            _claim(isinstance(reason, Reason), f"{action} is not legal here and is not refused")
            assert reason is not None
            self._rule(reason.rule)
            try:
                self.game.apply(state, action)
            except IllegalAction as refusal:
                _claim(refusal.reason == reason, f"apply and why_not refuse {action} for other reasons")
            else:
                _claim(False, f"{action} is not legal here and was applied")

    def _foreign(self) -> list[Action]:
        cards = self.pack or PACK_54
        verbs = (*self.game.verbs, "shuffle", *self.game.card_draws)
        actions = [Action(verb, some) for verb in verbs for some in ((), *((card,) for card in cards), cards[:2], cards[:1] * 2)]
        return actions + [Action(verb, number=k) for verb in verbs for k in (0, 1, 9)]

    def _rule(self, rule: str) -> None:
        _claim(rule in self.known_rules, f"{rule} is no rule of the game and no house rule")

    # what holds after every step

    def _step(self, before: Any, action: Action, step: Step[Any]) -> None:
        game, after = self.game, step.after
        _claim(hash(before) == self.prints[-1][1], f"the state has changed when {action} was applied to it")
        _claim(step.before == before and step.action == action, "a step that tells of another state or action")
        for event in step.events:
            self._rule(event.rule)
            _claim(event.seen_by is None or event.seen_by <= set(game.seats), f"an event for a seat that is not there: {event!r}")
        actor = game.actor(after)
        now = step.events[-1]
        _claim(isinstance(now, Now) and sum(isinstance(event, Now) for event in step.events) == 1, "a step that does not end with one Now")
        _claim(isinstance(now, Now) and now.actor == (actor if isinstance(actor, Seat) else actor.value), "Now names another actor")
        _claim(isinstance(now, Now) and now.phase == game.phase(after), "Now names another phase")
        _claim(isinstance(now, Now) and now.asks == (game.draw(after).verb if actor is CHANCE else None), "Now asks for another draw")
        _claim(game.phase(after) in game.phases, f"{game.phase(after)!r} is no phase of the game")
        _claim(after.deal in (before.deal, before.deal + 1), f"deal {before.deal} is followed by deal {after.deal}")
        self._cards(before, after)
        money = game.ledger(after)
        _claim(type(money) is int and money == 0, f"money out of nothing, or no whole number: the ledger is {money!r}")

    def _cards(self, before: Any, after: Any) -> None:
        lying = self.game.lying(after)
        if not lying:
            ended = after.deal != before.deal or self.game.actor(after) is OVER
            _claim(ended or not self.game.lying(before), "all cards are gone in the middle of a deal")
            return
        self.pack = self.pack or lying
        if sorted(lying) != sorted(self.pack):
            lost = sorted(set(self.pack) - set(lying))
            twice = sorted(card for card in set(lying) if lying.count(card) > 1)
            _claim(False, f"the cards are not the pack: lost {lost}, twice {twice}")

    def _arrived(self) -> None:
        """A state that was reached, and what everybody knows there."""
        state = self.session.state
        self.states.append(state)
        self.prints.append((repr(state), hash(state)))
        hash(self.game.key(state))
        over, chances = self.session.actor is OVER, None
        if self.session.actor is CHANCE:
            chances = self.game.chances(state)
            self._chance(state, chances)
        _claim((self.game.outcome(state) is not None) == over, "an outcome before the end, or none at the end")
        views = {viewer: self.session.view(viewer) for viewer in self.viewers}
        self.views.append(views)
        for viewer, view in views.items():
            hash(view)
            _claim(view.viewer == viewer, f"the view of {viewer!r} is the view of {view.viewer!r}")
            _claim(view.now == self.game.now(state), f"{viewer!r} sees another actor or phase")
            self._expects(viewer, view, chances)
            self._knows_no_wrong(viewer, view, state)

    def _expects(self, viewer: Viewer, view: Any, chances: Dist[Action] | None) -> None:
        expected = self.game.expects(view)
        _claim(
            (expected is not None) == (chances is not None), f"{viewer!r} expects a draw where chance does not act, or none where it does"
        )
        if expected is None or chances is None:
            return
        _claim(_sum(expected) == 1, f"what {viewer!r} expects does not sum to 1")
        if viewer == TEACHER:
            _claim(expected == chances, "the teacher expects something else than the chances")
        if tuple(expected) == (Action(next(iter(chances)).verb),):
            return  # a card that this viewer will not see
        missing = [action for action in chances if action not in expected]
        _claim(not missing, f"{viewer!r} thinks impossible what can come: {missing[:3]}")

    def _knows_no_wrong(self, viewer: Viewer, view: Any, state: Any) -> None:
        table, places, hands = getattr(view, "table", None), getattr(view, "places", None), getattr(state, "hands", None)
        if table is not None:  # everything lies open
            _claim(table == state, f"{viewer!r} sees another table than the true one")
            seen = sorted([*table.unseen, *(card for _, card in view.shown)])
            _claim(not seen or seen == sorted(self.pack or seen), "unseen and shown cards together are not the pack")
        if places is None or hands is None or not self.game.lying(state):
            return
        size = sum(zone.size for _, zone in places.zones)
        _claim(size == len(self.pack or ()), f"{viewer!r} knows of {size} places for {len(self.pack or ())} cards")
        zones = dict(places.zones)
        sealed = mask_of(card for _, card in getattr(state, "fight", ()))
        for seat in self.game.seats:
            held = mask_of(hands[seat])
            own = [zones[name] for name in (f"hand {seat}", f"fight {seat}", f"laid {seat}") if name in zones]
            _claim(
                not any(zone.sure_mask & ~held & ~sealed for zone in own), f"{viewer!r} is sure of a card that seat {seat} does not hold"
            )
            for zone in own:
                held &= ~(zone.sure_mask | zone.may_mask)
            _claim(not held, f"{viewer!r} thinks impossible what seat {seat} holds: {cards_of(held)}")
        stock = mask_of(state.stock)
        _claim(not stock & ~(zones["stock"].sure_mask | zones["stock"].may_mask), f"{viewer!r} thinks impossible what the stock holds")
        _claim(not zones["stock"].sure_mask & ~stock, f"{viewer!r} is sure of a card that the stock does not hold")

    def _outcome(self) -> None:
        outcome = self.game.outcome(self.session.state)
        assert outcome is not None
        placed = [seat for group in outcome.standing for seat in group]
        _claim(sorted(placed) == list(self.game.seats), f"the standing does not name every seat once: {outcome.standing}")
        payments = outcome.payments
        _claim(all(type(amount) is int for amount in payments) and sum(payments) == 0, f"payments that do not sum to 0: {payments}")

    # what holds for the whole game

    def _values_stay(self) -> None:
        for n, (state, (text, code)) in enumerate(zip(self.states, self.prints, strict=True)):
            self.n = n
            _claim(repr(state) == text and hash(state) == code, "the state has changed since")

    def _undo_and_redo(self) -> None:
        last = len(self.session)
        for n in [*range(last - 1, -1, -1), *range(1, last + 1)]:
            if n < self.n:
                self.session.undo()
            else:
                self.session.redo()
            self.n = n
            self._same(self.session, self.viewers, "after undo and redo")

    def _same(self, session: Session, viewers: Iterable[Viewer], when: str) -> None:
        _claim(session.at == self.n and session.state == self.states[self.n], f"another state {when}")
        for viewer in viewers:
            _claim(session.view(viewer) == self.views[self.n][viewer], f"another view of {viewer!r} {when}")

    def _deals_alike(self) -> None:
        """The same seats' moves under the same seed: each step played, taken back and played once more."""
        again, viewers = Session(self.game, self.seed, self.index), self.sample.sample(self.viewers, 1)
        for n, step in enumerate(self.session.steps):
            self.n = n
            action = step.action if isinstance(again.actor, Seat) else None
            _claim(again.play(action) == step, "the same seed and index deal otherwise")
            again.undo()
            if n % 32 == 0:
                self._same(again, viewers, "after an undo")
            _claim(again.play(action) == step, "chance gives something else after an undo")

    def _replays(self) -> None:
        record = self.session.record
        for by, action in record.actions:
            _claim(Action.parse(str(action)) == action, f"{by} {action} does not parse back")
        with no_random_number():
            replayed = Session.replay(record)
        for n, (step, other) in enumerate(zip(self.session.steps, replayed.steps, strict=True)):
            self.n = n
            _claim(step == other, "the replay of the record goes another way")
        self.n = len(replayed)
        self._same(replayed, self.sample.sample(self.viewers, 1), "in the replay")  # this view is folded here in one go

    def _folds(self) -> None:
        for viewer in self.viewers:
            self.n, view = 0, self.game.blank(viewer)
            _claim(view == self.views[0][viewer], f"the view of {viewer!r} does not begin blank")
            for n, step in enumerate(self.session.steps, 1):
                self.n = n
                for event in step.events:
                    shown = event.seen(viewer)
                    if shown is not None:
                        view = self.game.see(view, shown)
                _claim(view == self.views[self.n][viewer], f"the view of {viewer!r} is not the fold of its events")


class _Fault(AssertionError):
    """Something promised does not hold."""


def _sum(dist: Dist[Action]) -> Fraction:
    return sum((p * times for p, times in Counter(map(dist.p, dist)).items()), Fraction(0))


def _claim(holds: bool, text: str) -> None:
    if not holds:
        raise _Fault(text)
