"""Pictures of demonstrations: what they show is what was counted, in the colours of the theme, and moves in its place."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import holoviews as hv
import pytest
from bokeh.models import FixedTicker, GlyphRenderer

from cardlab.charts import Theme, moving, picture
from cardlab.core.errors import BadRequest
from cardlab.demos import DEMOS, demo
from cardlab.view.tokens import DARK, LIGHT
from cardlab.words import LANGUAGES, Words


def colours_of(figure: Any) -> set[str]:
    names = ("line_color", "text_color", "fill_color")
    glyphs = [getattr(renderer, "glyph", renderer) for renderer in figure.renderers]  # an upright line has none
    return {str(colour) for glyph in glyphs for name in names if (colour := getattr(glyph, name, None))}


def labels(figure: Any) -> list[str]:
    return [text for glyphs in figure.renderers if isinstance(glyphs, GlyphRenderer) for text in glyphs.data_source.data.get("text", ())]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEMOS)
@pytest.mark.parametrize("games", [1, 2, 300])
def test_every_demonstration_has_a_picture_from_the_first_game_on(name: str, games: int, language: str) -> None:
    figure = hv.render(picture(demo(name, seed=7).more(games), Words(language)), backend="bokeh")
    assert figure.toolbar_location is None
    assert (figure.background_fill_alpha, figure.border_fill_alpha) == (0, 0)
    assert not figure.legend
    assert labels(figure)
    for axis in (*figure.xaxis, *figure.yaxis):
        assert isinstance(axis.ticker, FixedTicker)
        assert axis.axis_line_color is None
        assert 2 <= len(axis.ticker.ticks) <= 20


@pytest.mark.parametrize("name", DEMOS)
def test_colours_are_those_of_the_theme(name: str) -> None:
    shown = demo(name, seed=7).more(50)
    for dark, mine, other in ((False, LIGHT, DARK), (True, DARK, LIGHT)):
        figure = hv.render(picture(shown, Words(), Theme(dark)), backend="bokeh")
        found = colours_of(figure)
        assert found <= set(mine.values()), found
        assert not found & (set(other.values()) - set(mine.values()))
        assert figure.xaxis[0].major_label_text_color == mine["ink2"]


def test_the_line_is_the_path_and_the_band_its_interval() -> None:
    shown = demo("first_match", seed=7).more(200)
    drawn = picture(shown, Words())
    band, exact, line, *_ = drawn
    assert list(line.dimension_values("mean")) == [point.numbers[0].mean for point in shown.path]
    assert list(band.dimension_values("low")) == [point.numbers[0].low for point in shown.path]
    assert set(exact.dimension_values("mean")) == {float(shown.exact[0])}


def test_bars_are_what_was_played_and_the_line_is_what_is_known() -> None:
    shown: Any = demo("turn_lengths", seed=7).more(200)
    bars, _, line, *_ = picture(shown, Words())
    assert list(bars.dimension_values(3)) == [found.mean for found in shown.shares]
    assert list(line.dimension_values(1)) == [float(found) for found in shown.exact]


@pytest.mark.parametrize("name", DEMOS)
def test_a_moving_picture_shows_the_newest_numbers_and_axes(name: str) -> None:
    shown = demo(name, seed=7).more(3)
    drawn, stream = moving(shown, Words())
    plot = hv.renderer("bokeh").get_plot(drawn)
    shown.more(500)
    stream.send(shown)
    fresh = hv.render(picture(shown, Words()), backend="bokeh")
    assert labels(plot.state) == labels(fresh)
    for span in ("x_range", "y_range"):
        assert getattr(plot.state, span).start == getattr(fresh, span).start
        assert getattr(plot.state, span).end == getattr(fresh, span).end
    for axis in ("xaxis", "yaxis"):
        assert getattr(plot.state, axis)[0].major_label_overrides == getattr(fresh, axis)[0].major_label_overrides


def test_each_moving_picture_has_a_stream_of_its_own() -> None:
    one, other = (moving(demo("seats", seed=7).more(5), Words())[1] for _ in range(2))
    assert one is not other


def test_there_is_no_picture_before_the_first_game() -> None:
    with pytest.raises(BadRequest, match="There is no picture before the first game"):
        picture(demo("seats"), Words())


def test_importing_loads_nothing_into_a_notebook() -> None:
    code = "import cardlab.charts, holoviews; assert not holoviews.extension._loaded; print('bare')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("bare\n", 0), done.stderr
