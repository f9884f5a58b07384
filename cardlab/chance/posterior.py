"""The worlds of a view, weighed by how probable the choices that were seen are for assumed computer players: Bayes' theorem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Generic, TypeVar

from cardlab.cards import Card
from cardlab.chance.answers import Estimate, Exact, Number
from cardlab.chance.believed import Worlds
from cardlab.chance.fight_tricks import TooMany
from cardlab.chance.histories import Histories, in_play
from cardlab.chance.samples import Numbers
from cardlab.core.dist import Dist
from cardlab.core.errors import BadRequest
from cardlab.core.events import Seat
from cardlab.core.registry import Player

W = TypeVar("W")


@dataclass(frozen=True)
class Posterior(Generic[W]):
    """What a viewer believes who takes some seats for computer players.

    While few histories lead to the view all numbers are exact; otherwise they are estimates from ``n`` drawn histories with their weights,
    whose ``n`` is the effective size of the sample: that of an unweighted one which is as precise.
    """

    prior: Worlds[Any]
    view: Any
    players: Mapping[Seat, Player]
    accept: Fraction
    n: int
    seed: int

    @cached_property
    def complete(self) -> Dist[W] | None:
        """Every world with its weight; ``None`` when there are too many.

        Raises BadRequest where the assumed players cannot have chosen what was seen.
        """
        if not in_play(self.view):
            return self.prior.complete
        try:
            weights = {world: weight for world, weight in Histories(self.view, self.players, self.accept).every().items() if weight}
        except TooMany:
            return None
        if not weights:
            raise BadRequest("error.ask.no_habit")
        scale = lcm(*(weight.denominator for weight in weights.values()))
        return Dist((world, int(weight * scale)) for world, weight in weights.items())

    @cached_property
    def drawn(self) -> tuple[tuple[W, float], ...]:
        """Worlds drawn at random, each with its weight, the largest being 1; those of weight 0 are left out.

        Raises BadRequest when none is left.
        """
        if not in_play(self.view):
            return tuple((self.prior.sample(Numbers(self.seed, index)), 1.0) for index in range(self.n))
        histories = Histories(self.view, self.players, self.accept, steps=1 << 62, shared=False)
        found = [histories.one(Numbers(self.seed, index)) for index in range(self.n)]
        most = max(weight for _, weight in found)
        if not most:
            raise BadRequest("error.ask.none_fits", n=self.n)
        return tuple((world, weight / most) for world, weight in found if weight)

    def chance(self, event: Callable[[W], bool]) -> Number:
        """The chance that something is true of the world."""
        if self.complete is not None:
            return Exact(self.complete.where(event))
        return estimate([(bool(event(world)), weight) for world, weight in self.drawn], self.seed)

    def where(self, card: Card) -> dict[str, Number]:
        """In which zone a card lies (as the zones of ``view.places`` are called), with its chances."""
        if self.prior.seen(card) is not None or not in_play(self.view):
            return {zone: Exact(chance) for zone, chance in self.prior.where(card).items()}
        if self.complete is not None:
            zones = self.complete.map(lambda world: lies(world, card))
            return {zone: Exact(zones.p(zone)) for zone in sorted(zones)}
        found = [(lies(world, card), weight) for world, weight in self.drawn]
        return {zone: estimate([(at == zone, weight) for at, weight in found], self.seed) for zone in sorted({at for at, _ in found})}


def lies(world: Any, card: Card) -> str:
    """The zone of a hidden card in a world."""
    laid = getattr(world, "laid", ())
    fight = world.fight if getattr(world, "phase", "") in ("fight", "turn") else ()
    for seat, hand in enumerate(world.hands):
        if card in hand or (seat, card) in fight:
            return f"hand {seat}"
    return "stock" if card in world.stock else "laid" if card in laid else "discard"


def estimate(values: list[tuple[bool, float]], seed: int) -> Estimate:
    """The share of the weight that is true, as an estimate from a sample of the effective size.

    With weights w and p the share found, the variance of the share is about the sum of w²(x - p)² over the square of the sum of w, x being
    1 or 0 (delta method), which is that of p(1-p) divided by the size of an unweighted sample (Korn and Graubard 1998). Where p is 0 or 1,
    or where it is less, Kish's (sum of w)²/(sum of w²) is taken (1965).
    """
    total = sum(weight for _, weight in values)
    share = sum(weight for true, weight in values if true) / total
    size = total**2 / sum(weight**2 for _, weight in values)
    spread = sum((weight * (true - share)) ** 2 for true, weight in values)
    if 0 < share < 1 and spread:
        size = min(size, share * (1 - share) * total**2 / spread)
    n = max(1, int(size + 1e-9))
    return Estimate(n, share * n, share * n, "proportion", seed)
