"""What a simulation found: tables with their shares and intervals, means, quantiles, and the games worth a look."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, Final

from cardlab.chance.answers import Estimate
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.files import write_whole
from cardlab.core.game import AnyGame
from cardlab.core.session import Session
from cardlab.simulation.figures import KINDS
from cardlab.simulation.plan import Plan, Policy
from cardlab.simulation.tally import Sums, Tally, rows_of
from cardlab.words import Phrase, Words, number, usual_language
from cardlab.words.percents import decimal

QUANTILES: Final = {"p05": 0.05, "median": 0.5, "p95": 0.95}
COLUMNS: Final = ("figure", "row", "column", "count", "n", "estimate", "low", "high", *QUANTILES, "index")
FORMATS: Final = (".csv", ".parquet")


@dataclass(frozen=True)
class Simulation:
    """The games that were played, in how many seconds, and what was counted; ``stopped`` says why there are fewer than were wanted."""

    plan: Plan
    wanted: int
    seconds: float
    tally: Tally
    stopped: Phrase | None = None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tally.games

    @property
    def tables(self) -> dict[str, Any]:
        """The counts: a list, or rows of lists."""
        columns = KINDS[self.plan.game.name].columns(self.plan.game)
        found = self.tally.tables
        return {name: counts if columns[name] == 1 else rows_of(counts, columns[name]) for name, counts in found.items()}

    @property
    def means(self) -> dict[str, float | None]:
        """What happened in a deal, in the mean."""
        return {name: rate.mean for name, rate in self.tally.rates.items()}

    @property
    def remarkable(self) -> dict[str, list[tuple[int, int]]]:
        """The games worth a look: (value, index), the largest value first."""
        return self.tally.remarkable

    def share(self, table: str, row: int, column: int | None = None) -> Estimate:
        """How often one place of a table came, of its row, or of all games where the table is one row; raises BadRequest.

        >>> from cardlab import simulate
        >>> found = simulate("suicide_king", 1000, "still", players=2, seed=7).share("last", 0)
        >>> found.mean, found.low < 0.5 < found.high
        (0.501, True)
        """
        counts = self.tables.get(table)
        if counts is None:
            raise BadRequest("error.table", name=quoted(table), names=", ".join(self.tables))
        among = counts if column is None else counts[row]
        return Estimate.of_hits(among[row if column is None else column], sum(among), self.plan.seed)

    def value(self, name: str, seat: int = 0) -> Estimate:
        """The mean of a value, of one seat where each has its own; raises BadRequest.

        >>> from cardlab import simulate
        >>> simulate("suicide_king", 1000, "still", players=2, seed=7).value("longest_turn").mean
        6.878
        """
        if name not in self.tally.values:
            raise BadRequest("error.table", name=quoted(name), names=", ".join(self.tally.values))
        return self.tally.values[name][seat].estimate(self.plan.seed)

    def open(self, index: int) -> Session:
        """One of the games to step through, played to its end by the same players and standing at its start."""
        return self.plan.played(index)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        found: dict[str, Any] = {"game": self.plan.game.name, "games": self.games, "seconds": round(self.seconds, 3)}
        found |= {"players": self.plan.game.players, "policy": list(self.plan.policy), "seed": self.plan.seed, **self.tables}
        found |= {f"{name}_mean": mean for name, mean in self.means.items()}
        for name, series in self.tally.values.items():
            summed = [_summary(sums, self.plan.seed) for sums in series]
            found[name] = summed if len(series) > 1 else summed[0]
        return {**found, "remarkable": {name: [list(remark) for remark in remarks] for name, remarks in self.remarkable.items()}}

    # as a table

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every figure in a row of its own, named by COLUMNS; what a figure does not have is left out."""
        for name, counts in self.tables.items():
            rows = counts if isinstance(counts[0], list) else [[count] for count in counts]
            for row, of_row in enumerate(rows):
                for column, count in enumerate(of_row):
                    share = self.share(name, row, None if len(of_row) == 1 else column)
                    place = {"row": row} if len(of_row) == 1 else {"row": row, "column": column}
                    yield {"figure": name, **place, "count": count, **_told(share)}
        for name, series in self.tally.values.items():
            for seat, sums in enumerate(series):
                of_seat = {"row": seat} if len(series) > 1 else {}
                yield {"figure": name, **of_seat, **_told(sums.estimate(self.plan.seed)), **_quantiles(sums)}
        for name, rate in self.tally.rates.items():
            low, high = rate.interval or (None, None)
            yield {"figure": f"{name}_mean", "count": rate.total, "n": rate.deals, "estimate": rate.mean, "low": low, "high": high}
        for name, remarks in self.remarkable.items():
            for rank, (value, index) in enumerate(remarks):
                yield {"figure": name, "row": rank, "count": value, "index": index}

    def frame(self) -> Any:
        """The rows as a DataFrame; raises BadRequest where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise BadRequest("error.no_pandas") from None
        return pandas.DataFrame(list(self.rows()), columns=list(COLUMNS))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows as CSV that a spreadsheet opens, or as Parquet; raises BadRequest for another ending, OSError."""
        path = Path(path)
        if path.suffix not in FORMATS:
            raise BadRequest("error.format", file=os.fspath(path), endings=", ".join(FORMATS))
        if path.suffix == ".csv":
            text = StringIO(newline="")
            writer = csv.DictWriter(text, COLUMNS)
            writer.writeheader()
            writer.writerows(self.rows())
            write_whole(path, text.getvalue().encode("utf-8-sig"))
            return
        try:
            write_whole(path, self.frame().astype({"count": "string", "index": "string"}).to_parquet(index=False))
        except ImportError:
            raise BadRequest("error.no_parquet") from None

    # as people read it

    def display(self, words: Words) -> str:
        """What was played and found, in lines."""
        return "\n".join([self._head(words), *(f"  {name}: {said}" for name, said in self._lines(words))])

    def _head(self, words: Words) -> str:
        seconds = decimal(self.seconds, words, 1 if self.seconds < 100 else 0)
        played = words.text("simulation.head", n=self.games, game=self.plan.game, seed=str(self.plan.seed), seconds=seconds)
        return played if self.stopped is None else f"{played} {self.stopped.display(words)}"

    def _lines(self, words: Words) -> Iterator[tuple[str, str]]:
        game = self.plan.game.name
        for name, counts in self.tables.items():
            rows = counts if isinstance(counts[0], list) else [counts]
            said = " | ".join(" ".join(map(number, row)) for row in rows)
            yield words.text(f"figure.{game}.{name}"), said
        for name, series in self.tally.values.items():
            means = " ".join(decimal(float(sums.estimate(0).mean or 0), words) for sums in series)
            yield words.text(f"figure.{game}.{name}"), means
        for name, rate in self.tally.rates.items():
            yield words.text(f"figure.{game}.{name}_mean"), decimal(rate.mean or 0.0, words, 4)
        for name, remarks in self.remarkable.items():
            yield words.text(f"figure.{game}.{name}"), ", ".join(words.text("simulation.game", index=str(index)) for _, index in remarks)

    def __str__(self) -> str:
        return self.display(Words(usual_language()))

    def _repr_html_(self) -> str:
        words = Words(usual_language())
        lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(said)}</td></tr>" for name, said in self._lines(words))
        return f"<p>{escape(self._head(words))}</p><table>{lines}</table>"


def open_game(what: str | AnyGame, seed: int, index: int, policy: Policy = "random", **options: Any) -> Session:
    """The session of a simulated game: see ``cardlab.open``."""
    return Plan.of(what, policy, seed, **options).played(index)


def _told(estimate: Estimate) -> dict[str, Any]:
    return {"n": estimate.n, "estimate": estimate.mean, "low": estimate.low, "high": estimate.high}


def _quantiles(sums: Sums) -> dict[str, float]:
    """The middles of the bins in which the quantiles lie."""
    ends = {name: sums.quantile(q) for name, q in QUANTILES.items()}
    return {name: found[0] if found[0] == found[1] else (found[0] + found[1]) / 2 for name, found in ends.items() if found}


def _summary(sums: Sums, seed: int) -> dict[str, Any]:
    estimate = sums.estimate(seed)
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high, **_quantiles(sums)}
