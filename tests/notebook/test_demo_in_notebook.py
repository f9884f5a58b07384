"""A demonstration in a notebook: its methods in plain cells, what it shows, and that it asks no other host for that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pandas
import pytest
from nbclient import NotebookClient

import cardlab
from cardlab.core.errors import BadRequest
from cardlab.words import LANGUAGES, Words

CELLS = (
    "import cardlab\ndemo = cardlab.demo('first_match', players=4, seed=7, language='ru')\ndemo.more(100)",
    "demo.more(10)\ndemo.picture()",
    "assert demo.games == 110\nassert len(demo.table()) == len(demo.demo.path)\nfloat(demo.exact[0])",
    "cardlab.demo('titles', seed=7).more(50)",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_methods_work_in_a_plain_cell(language: str, tmp_path: Path) -> None:
    demo, words = cardlab.demo("seats", players=3, seed=7, language=language), Words(language)
    assert demo.more(100) is demo
    assert (demo.games, len(demo.exact), demo.numbers[0].n) == (100, 3, 100)
    assert words.text("demo.played", n=100) in str(demo)
    table = demo.table()
    assert isinstance(table, pandas.DataFrame)
    assert table.iloc[-1, 0] == 100
    demo.save(tmp_path / "seats.csv")
    marks = {"sep": ";", "decimal": ","} if language == "ru" else {}
    read = pandas.read_csv(tmp_path / "seats.csv", encoding="utf-8-sig", **marks)
    assert list(read.columns) == list(table.columns)
    assert read.iloc[-1, 1] == table.iloc[-1, 1]
    assert demo.open(3).index == 3
    assert demo.choose(players=2).games == 0
    assert demo.reset().demo.seed == 8
    assert repr(demo).startswith("<Demonstration 'seats', players=2")
    data, _ = demo._repr_mimebundle_()
    assert words.text("demo.seats.explain") in data["text/html"]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadRequest, match="There is no picture before the first game"):
        cardlab.demo("seats").picture()
    with pytest.raises(BadRequest, match="There is no language 'la'"):
        cardlab.demo("seats", language="la")
    with pytest.raises(BadRequest, match="There is no demonstration 'roulette'"):
        cardlab.demo("roulette")


def test_a_notebook_shows_numbers_and_picture_and_needs_no_other_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PANEL_INLINE", "true")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS])
    NotebookClient(book, timeout=90, kernel_name="python3").execute()

    def shown(cell: int) -> dict[str, Any]:
        return dict(next(output.data for output in book.cells[cell].outputs if output.output_type == "execute_result"))

    assert "Подойдёт ли первая карта?" in shown(0)["text/html"]
    assert "67,1" in shown(0)["text/html"]
    assert "application/vnd.holoviews_exec.v0+json" in shown(0)
    assert "application/vnd.holoviews_exec.v0+json" in shown(1)
    assert shown(2)["text/plain"].startswith("0.67086")
    assert "Once a Marshal" in shown(3)["text/html"]
    for cell in (0, 1, 3):
        assert 'src="http' not in shown(cell)["text/html"]
