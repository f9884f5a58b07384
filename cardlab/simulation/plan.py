"""What is simulated: a game, who plays, a seed; and how some of its games are played and counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cardlab.core.dealer import Seeded
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.game import AnyGame
from cardlab.core.registry import GAMES, PLAYERS, game
from cardlab.core.session import Session
from cardlab.simulation import twins
from cardlab.simulation.figures import KINDS, tally_of
from cardlab.simulation.tally import Tally

Policy = str | Mapping[int, str] | Sequence[str]
Span = tuple[int, int]  # the indices of games from the first to before the last
LOOK: Final = 16  # games that the engine plays between two looks at whether somebody has cancelled


@dataclass(frozen=True)
class Plan:
    """Whose games: ``policy`` names a computer player for each seat."""

    game: AnyGame
    policy: tuple[str, ...]
    seed: int

    def __post_init__(self) -> None:
        Seeded(self.seed)  # refuses what is no seed

    def __reduce__(self) -> Any:
        return _plan_of, (self.header(),)

    @classmethod
    def of(cls, what: str | AnyGame, policy: Policy, seed: int, players: int | None = None, preset: str = "default", **house: Any) -> Plan:
        """The plan of a game by name or made before; raises BadRequest or BadGame for what does not fit."""
        played = game(what, players, preset, **house) if isinstance(what, str) else what
        if played.name not in KINDS:
            raise BadRequest("error.simulated", name=played.name, names=", ".join(KINDS))
        return cls(played, _seated(played, policy), seed)

    @property
    def compiled(self) -> bool:
        """Whether the compiled twin plays these games."""
        return twins.covers(self.game, self.seated)

    @property
    def seated(self) -> dict[int, str]:
        """The name of the player of each seat."""
        return dict(enumerate(self.policy))

    def header(self) -> dict[str, Any]:
        """The plan as JSON values."""
        record = self.session(0).record.game_header()
        return {**record, "policy": list(self.policy), "seed": self.seed}

    def session(self, index: int) -> Session:
        """One of the games, at its start."""
        return Session(self.game, seed=self.seed, index=index)

    def played(self, index: int) -> Session:
        """One of the games, played to its end and standing at its start."""
        return self._to_its_end(index).goto(0)

    def _to_its_end(self, index: int) -> Session:
        session = self.session(index)
        session.auto(self.seated, until="game")
        return session

    def tally(self, span: Span, cancelled: Callable[[], bool] = lambda: False) -> tuple[Tally, Span]:
        """The tally of some games, and the indices that it covers: fewer when it was cancelled."""
        first, end = span
        if self.compiled:
            found, left = twins.tally(self.game, self.seated, self.seed, first, end - first)
            found.add(self._by_engine(left))
            return found, span
        found = Tally()
        for at in range(first, end, LOOK):
            if cancelled():
                return found, (first, at)
            found.add(self._by_engine(range(at, min(at + LOOK, end))))
        return found, span

    def scores(self, span: Span) -> list[list[int]]:
        """The scores of some games, a row each, by seat."""
        first, end = span
        found: list[list[int]] = [[] for _ in range(first, end)]
        left: Sequence[int] = range(first, end)
        if self.compiled:
            found, left = twins.scores(self.game, self.seated, self.seed, first, end - first)
        for index in left:
            found[index - first] = KINDS[self.game.name].scores(self._to_its_end(index))
        return found

    def _by_engine(self, indices: Sequence[int]) -> Tally:
        return tally_of([KINDS[self.game.name].read(self._to_its_end(index)) for index in indices], indices)


def _plan_of(header: Mapping[str, Any]) -> Plan:
    played = GAMES[header["game"]](header["players"], **header["rules"])
    return Plan(played, tuple(header["policy"]), header["seed"])


def _seated(played: AnyGame, policy: Policy) -> tuple[str, ...]:
    if isinstance(policy, str):
        names: list[Any] = [policy] * played.players
    elif isinstance(policy, Mapping):
        names = [policy.get(seat) for seat in played.seats]
    else:
        names = list(policy)
    if len(names) != played.players or None in names:
        raise BadRequest("error.policies", n=len(names) - names.count(None), players=played.players)
    for name in names:
        if name not in PLAYERS:
            raise BadRequest("error.player", name=quoted(name), names=", ".join(PLAYERS))
    return tuple(names)
