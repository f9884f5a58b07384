"""What has been simulated so far, kept in a file, so that a run goes on after whatever broke it off."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from cardlab.core.errors import BadRequest
from cardlab.core.files import write_whole
from cardlab.simulation.plan import Plan, Span
from cardlab.simulation.tally import Tally

SCHEMA: Final = 1
EVERY: Final = 5.0  # seconds between two writings


@dataclass
class Progress:
    """The games that are done, as spans in order that do not touch, what was counted in them, and in how many seconds."""

    tally: Tally = field(default_factory=Tally)
    done: list[Span] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, span: Span, tally: Tally) -> None:
        """Counts some more games."""
        if span[0] == span[1]:
            return
        self.tally.add(tally)
        joined: list[Span] = []
        for first, end in sorted([*self.done, span]):
            if joined and joined[-1][1] == first:
                joined[-1] = joined[-1][0], end
            else:
                joined.append((first, end))
        self.done = joined

    def missing(self, games: int, batch: int) -> Iterator[Span]:
        """What is left of the first so many games, cut into batches.

        >>> list(Progress(done=[(2, 5)]).missing(9, 3))
        [(0, 2), (5, 8), (8, 9)]
        """
        at = 0
        for first, end in [*self.done, (games, games)]:
            while at < first:
                yield at, min(at + batch, first)
                at = min(at + batch, first)
            at = end


@dataclass
class Checkpoint:
    """The file of one simulation; without a path nothing is kept."""

    path: Path | None
    plan: Plan
    written: float = field(default_factory=monotonic)

    def load(self, games: int) -> Progress:
        """What the file holds, or nothing where there is none; raises BadRequest for a file that is no such thing or of other games."""
        if self.path is None or not self.path.exists():
            return Progress()
        try:
            data = json.loads(self.path.read_bytes())
            same = data["cardlab_simulation"] == SCHEMA and data["plan"] == self.plan.header()
            spans = [(int(first), int(end)) for first, end in data["done"]]
            progress = Progress(Tally.from_json(data["tally"]), spans, float(data["seconds"]))
            if sum(end - first for first, end in spans) != progress.tally.games:
                raise ValueError("the spans do not add up")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadRequest("error.checkpoint", file=os.fspath(self.path)) from None
        if not same:
            raise BadRequest("error.checkpoint_other", file=os.fspath(self.path))
        if spans and spans[-1][1] > games:
            raise BadRequest("error.checkpoint_longer", file=os.fspath(self.path), n=spans[-1][1], games=games)
        return progress

    def due(self) -> bool:
        """Whether it is time to write again."""
        return self.path is not None and monotonic() - self.written >= EVERY

    def save(self, progress: Progress) -> None:
        """Writes what there is; raises OSError, and leaves the file as it was."""
        if self.path is None:
            return
        data = {
            "cardlab_simulation": SCHEMA,
            "plan": self.plan.header(),
            "done": progress.done,
            "seconds": progress.seconds,
            "tally": progress.tally.to_json(),
        }
        self.written = monotonic()
        write_whole(self.path, json.dumps(data).encode())
