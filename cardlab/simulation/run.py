"""Runs a simulation: hands out its games, adds up what comes back, keeps checkpoints, and stops when asked to."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from cardlab import fast
from cardlab.core import streams
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.game import AnyGame
from cardlab.simulation import workers
from cardlab.simulation.checkpoint import Checkpoint, Progress
from cardlab.simulation.plan import Plan, Policy
from cardlab.simulation.results import Simulation
from cardlab.words import Phrase, Words, usual_language

Told = Callable[[int, int], None]  # games done, games wanted
COMPILED, PLAYED = 2**15, 2**8  # games a batch, by the twin and by the engine
LONGEST: Final = 2**24  # a batch: its columns stay below a few gigabytes


def simulate(
    what: str | AnyGame,
    games: int,
    policy: Policy = "random",
    *,
    players: int | None = None,
    seed: int = 0,
    preset: str = "default",
    threads: int | None = None,
    batch: int | None = None,
    scheduler: Any = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | Told = False,
    cancelled: Callable[[], bool] = lambda: False,
    **house: Any,
) -> Simulation:
    """Plays the games (seed, 0), (seed, 1), … and counts what happened; neither threads nor batches nor a cluster change a number.

    ``policy`` is a computer player's name, or one for each seat. ``scheduler`` is the address of a Dask scheduler or a client;
    ``checkpoint`` a file that the run goes on from; ``progress`` shows a bar or is told (games done, games wanted). Cancelled, or
    interrupted from the keyboard, it returns what there is, and ``stopped`` says so. Raises BadRequest and BadGame.

    >>> simulate("suicide_king", 1000, "still", players=2, seed=7).tables["last"]
    [501, 499]
    """
    plan = Plan.of(what, policy, seed, players, preset, **house)
    wanted = whole("games", games, least=0, most=streams.MASK + 1)
    size = whole("batch", (COMPILED if plan.compiled else PLAYED) if batch is None else batch, most=LONGEST)
    threads = whole("threads", fast.processors() if threads is None else threads, most=1024)
    kept = Checkpoint(None if checkpoint is None else Path(checkpoint), plan)
    had = kept.load(wanted)
    spans = had.missing(wanted, size)
    parts = workers.here(plan, spans, threads, cancelled) if scheduler is None else workers.elsewhere(plan, spans, scheduler)
    with progress_bar(progress, wanted) as told:
        stopped = _gather(parts, had, kept, wanted, told, cancelled)
    return Simulation(plan, wanted, had.seconds, had.tally, stopped)


def _gather(
    parts: Generator[workers.Part, None, None], had: Progress, kept: Checkpoint, wanted: int, told: Told, cancelled: Callable[[], bool]
) -> Phrase | None:
    """Adds up the parts; why it stopped before the end."""
    earlier, began, stopped = had.seconds, perf_counter(), None
    told(had.tally.games, wanted)
    try:
        with closing(parts):
            for tally, span in parts:
                had.add(span, tally)
                had.seconds = earlier + perf_counter() - began
                told(had.tally.games, wanted)
                if kept.due():
                    _save(kept, had)
                if cancelled() and had.tally.games < wanted:
                    stopped = _phrase("cancelled", had, wanted)
                    break
    except KeyboardInterrupt:
        stopped = _phrase("interrupted", had, wanted)
    except workers.Lost as fault:
        stopped = _phrase("lost", had, wanted, why=str(fault))
    had.seconds = earlier + perf_counter() - began
    _save(kept, had)
    return stopped


def _phrase(key: str, had: Progress, wanted: int, **more: Any) -> Phrase:
    return Phrase.of(f"simulation.{key}", n=had.tally.games, games=wanted, **more)


def _save(kept: Checkpoint, had: Progress) -> None:
    """Writes the checkpoint; where that fails the run goes on, as all is still in memory."""
    try:
        kept.save(had)
    except OSError as fault:
        words = Words(usual_language())
        said = words.text("simulation.not_saved", file=os.fspath(kept.path or ""), why=fault.strerror or str(fault))
        warnings.warn(said, RuntimeWarning, stacklevel=4)


@contextmanager
def progress_bar(wanted: bool | Told, games: int) -> Iterator[Told]:
    """What to tell how far it is: a bar of tqdm's where one is wanted, or the function that wants to be told."""
    bar = _tqdm(games) if wanted is True else None
    if bar is None:
        yield wanted if callable(wanted) else lambda done, games: None
        return
    with bar:
        yield lambda done, games: bar.update(done - bar.n)


def _tqdm(games: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=games, unit=" games", unit_scale=True)


def whole(name: str, value: Any, least: int = 1, most: int = streams.MASK) -> int:
    """The value, if it is a whole number within these limits; raises BadRequest."""
    if type(value) is not int or not least <= value <= most:
        raise BadRequest("error.amount", name=name, value=quoted(value), least=least, most=most)
    return value
