"""Simulating many games, and matches between computer players."""

from __future__ import annotations

import argparse
import json
import sys
import warnings

from cardlab.cli.named import house_of, kind
from cardlab.core.errors import BadRequest
from cardlab.desk.asked import whole
from cardlab.simulation import Simulation, match, simulate
from cardlab.words import Words


def simulation(chosen: argparse.Namespace) -> int:
    """Plays many games and prints what was counted; 1 where fewer were played than were wanted."""
    games = whole(chosen.games)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", RuntimeWarning)
        found = simulate(
            chosen.game,
            games,
            policy_of(chosen.policy),
            players=whole(chosen.players),
            seed=whole(chosen.seed),
            preset=chosen.preset,
            threads=whole(chosen.threads),
            scheduler=chosen.scheduler,
            checkpoint=chosen.checkpoint,
            progress=sys.stderr.isatty(),
            **house_of(kind(chosen), chosen.house),
        )
    words = Words(chosen.language)
    for warning in {str(warning.message) for warning in said}:
        print(f"cardlab: {warning}", file=sys.stderr)
    if chosen.out is not None:
        _save(found, chosen.out)
    print(json.dumps(found.to_json(), ensure_ascii=False) if chosen.json else found.display(words))
    if found.stopped is None:
        return 0
    again = f" {words.text('simulation.again')}" if chosen.checkpoint else ""
    print(f"cardlab: {found.stopped.display(words)}{again}", file=sys.stderr)
    return 1


def matched(chosen: argparse.Namespace) -> int:
    """Plays a match between computer players and prints their scores and differences."""
    found = match(
        chosen.policy.split(","),
        chosen.game,
        whole(chosen.games),
        seed=whole(chosen.seed),
        seats=whole(chosen.players),
        preset=chosen.preset,
        progress=sys.stderr.isatty(),
        **house_of(kind(chosen), chosen.house),
    )
    print(json.dumps(found.to_json(), ensure_ascii=False) if chosen.json else found.display(Words(chosen.language)))
    return 0


def policy_of(said: str) -> str | list[str]:
    """A computer player for all seats, or one for each with commas between them."""
    return said.split(",") if "," in said else said


def _save(found: Simulation, file: str) -> None:
    try:
        found.save(file)
    except OSError:
        raise BadRequest("terminal.no_save", file=file) from None
