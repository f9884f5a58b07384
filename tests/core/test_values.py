"""Values changed by copying: as the standard library does it, and the value itself stays as it was."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from cardlab import GAMES, Session, game
from cardlab.core.values import put, replace


def values(name: str) -> list[Any]:
    """States and views of a random game."""
    session = Session(game(name), seed=7)
    session.auto("random", until="deal")
    return [moment.state for moment in session.line] + [session.view(viewer) for viewer in (session.game.seats[0], None, "teacher")]


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_is_that_of_the_standard_library(name: str) -> None:
    for value in values(name):
        for field in dataclasses.fields(value):
            before = repr(value)
            copy = replace(value, **{field.name: "another"})
            assert copy == dataclasses.replace(value, **{field.name: "another"})
            assert getattr(copy, field.name) == "another"
            assert type(copy) is type(value)
            assert repr(value) == before


@pytest.mark.parametrize("name", GAMES)
def test_values_refuse_to_change_and_copies_do_too(name: str) -> None:
    for value in values(name):
        for frozen in (value, replace(value)):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(frozen, dataclasses.fields(value)[0].name, 1)


def test_a_name_that_is_no_field_is_refused() -> None:
    state: Any = game("suicide_king").start()
    with pytest.raises(TypeError, match="no field of Table: colour"):
        replace(state, colour="red")


@pytest.mark.parametrize("at", range(3))
def test_an_item_is_put_in_the_place_of_another(at: int) -> None:
    items = put(("a", "b", "c"), at, "x")
    assert items[at] == "x"
    assert sorted(items) == sorted({"a", "b", "c", "x"} - {"abc"[at]})
