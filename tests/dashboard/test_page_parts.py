"""The parts of the page without a browser: log, slider, form, chances."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from itertools import pairwise

import pytest
from page_tools import Faults, plain, shown

from cardlab.charts import ChanceGrid, Look, bars, is_bars
from cardlab.charts.chances import heat, mix
from cardlab.core.errors import BadGame, BadRequest
from cardlab.core.registry import GAMES
from cardlab.core.rules import Allowed
from cardlab.dashboard import parts
from cardlab.dashboard.log import LogLines
from cardlab.dashboard.looks import DARK, LIGHT
from cardlab.dashboard.marks import marks
from cardlab.dashboard.scrub import Scrub
from cardlab.dashboard.setup import NUMBER, seed_of
from cardlab.desk import Desk
from cardlab.words import LANGUAGES, Words

ROW = re.compile(r'data-say="(\d+)".*?class="said">(.*?)</span><abbr class="rule" data-title="(.*?)">')


def told(lines: list[str]) -> list[tuple[int, str, str]]:
    return [(int(step), plain(said), unescape(rule)) for step, said, rule in ROW.findall("".join(lines))]


def rows(desk: Desk) -> list[tuple[int, str, str]]:
    return [(row.step, row.text, row.rule) for row in desk.log()]


# the log


@pytest.mark.parametrize("name", list(GAMES))
def test_the_log_told_step_by_step_is_the_whole_log(name: str) -> None:
    desk, log = Desk(name, seed=5), LogLines()
    assert plain("".join(log.of(desk))) == desk.words.text("screen.log_empty")
    for pace in ("card",) * 40 + ("move", "phase", "deal", "deal", "game"):
        desk.set_pace(pace).step()
        assert told(log.of(desk)) == rows(desk)


def test_the_log_follows_back_elsewhere_and_into_other_eyes() -> None:
    desk, log = Desk("suicide_king", players=3, seed=5), LogLines()

    def agrees() -> None:
        assert told(log.of(desk)) == rows(desk)

    for _ in range(8):
        desk.step()
    agrees()
    desk.undo()
    agrees()
    desk.goto(4)
    agrees()
    other = next(move for move in desk.goto(2).moves() if move.token not in {str(action) for action in desk.session.cursor.children})
    desk.act(other.token)  # another line with as many steps
    desk.step()
    agrees()
    for viewer in (None, 0, "teacher"):
        desk.set_viewer(viewer)  # type: ignore[arg-type]
        agrees()
    desk.set_language("ru")
    agrees()
    desk.new("fight_for_the_lead", seed=1)
    agrees()


def test_the_log_goes_another_way_at_the_same_step() -> None:
    """Two lines of equal length: only the moment tells them apart."""
    desk, log = Desk("suicide_king", players=3, seed=5), LogLines()
    desk.step().step().act("take 1")
    log.of(desk)
    desk.undo().act("take 2")
    assert told(log.of(desk)) == rows(desk)


def test_cards_in_sentences_have_the_colour_of_their_suit() -> None:
    assert parts.coloured("a <10♥︎> & Д♠︎") == 'a &lt;<b class="hearts">10♥︎</b>&gt; &amp; <b class="spades">Д♠︎</b>'


# the slider


def test_ticks_stand_where_phases_begin_and_names_do_not_touch() -> None:
    desk = Desk("fight_for_the_lead", seed=5)
    desk.set_pace("game").step()
    for width in (300, 900, 1400):
        ticks = marks(desk, width)
        starts = [n for n, _ in desk.ticks()]
        assert {tick["value"] for tick in ticks} <= set(starts)
        room = width - (450 if width >= 900 else 70)
        named = [(tick["value"] * room / len(desk), len(tick["label"]) * 7) for tick in ticks if tick["label"]]
        assert named
        assert all(a + wide / 2 <= b - other / 2 for (a, wide), (b, other) in pairwise(named[1:]))


def test_deals_are_named_before_phases() -> None:
    desk = Desk("fight_for_the_lead", seed=5)
    desk.set_pace("deal").step().step()
    labels = [tick["label"] for tick in marks(desk, 1400)]
    assert [label for label in labels if label.startswith("Deal")] == ["Deal 1", "Deal 2"]


def test_a_slider_of_another_game_is_not_heard() -> None:
    heard: list[int] = []
    slider = Scrub(heard.append, mark="1")
    for said in ({"go": 3, "mark": "1"}, {"go": 4, "mark": "0"}, {"go": "5", "mark": "1"}, {"go": True, "mark": "1"}, {}, "go"):
        slider._handle_msg(said)
    assert heard == [3]


def test_lines_of_another_moment_are_not_heard() -> None:
    heard: list[str] = []
    lines = parts.Lines(heard.append, mark="0 7 teacher")
    for said in (
        {"say": "take 0", "mark": "0 7 teacher"},
        {"say": "take 1", "mark": "0 6 teacher"},
        {"say": 3, "mark": "0 7 teacher"},
        None,
    ):
        lines._handle_msg(said)
    assert heard == ["take 0"]


# the form


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(GAMES))
def test_the_form_has_a_field_for_every_house_rule_and_explains_every_value(name: str, language: str) -> None:
    with shown(Desk(name, language=language)) as screen:
        words, kind = screen.desk.words, GAMES[name]
        assert list(screen.setup.house) == list(kind.rules_type.options())
        for key, field in screen.setup.house.items():
            if field.choice is None:
                assert field.number is not None
                assert field.number.helper_text == words.text(f"house.{name}.{key}.number")
                continue
            for value in field.choice.options.values():
                field.choice.value = value
                kind_of = "seat" if value.isdigit() else value
                assert field.choice.helper_text == words.text(f"house.{name}.{key}.{kind_of}")
                assert field.number is None or field.number.visible == (value == NUMBER)


def _values(allowed: Allowed) -> list[str]:
    numbers = [] if allowed.least is None else [str(allowed.least + allowed.multiple_of)]
    return [*allowed.words, *numbers, *(["1"] if allowed.seat else [])]


@pytest.mark.parametrize("name", list(GAMES))
def test_every_value_of_every_house_rule_can_be_chosen(name: str) -> None:
    with shown(Desk()) as screen:
        screen.setup.game.value = name
        for key, allowed in GAMES[name].rules_type.options().items():
            for value in _values(allowed):
                field = screen.setup.house[key]
                field.value = int(value) if value.isdigit() else value
                screen._press("new")
                assert screen.fault is None
                assert (screen.desk.game.name, str(getattr(screen.desk.game.rules, key))) == (name, value)
            field.value = getattr(GAMES[name].rules_type(), key)


def test_a_preset_fills_the_house_rules() -> None:
    with shown(Desk("suicide_king")) as screen:
        screen.setup.preset.value = "pagat"
        assert {key: field.value for key, field in screen.setup.house.items()} == {
            "first_dealer": "lot",
            "last_player": "wins",
            "king_of_hearts": "ends_deal",
            "extra_cards": "reset",
            "next_dealer": "rotates",
        }
        screen._press("new")
        assert screen.desk.preset == "pagat"


def test_a_refused_game_leaves_the_one_on_the_desk() -> None:
    with shown(Desk("fight_for_the_lead", seed=5)) as screen:
        screen._press("step")
        session = screen.desk.session
        screen.setup.house["stake"].number.value = "6"
        screen._press("new")
        assert isinstance(screen.fault, BadGame)
        assert screen.widgets.strip.lines
        assert (screen.desk.session, screen.desk.at) == (session, 1)
        screen.setup.house["stake"].number.value = "8"
        screen.setup.seed.value = "-4"
        screen._press("new")
        assert isinstance(screen.fault, BadRequest)
        assert (screen.desk.session, screen.desk.at) == (session, 1)


def test_another_game_in_the_form_leaves_the_one_on_the_desk() -> None:
    with shown(Desk("suicide_king", seed=5)) as screen:
        screen._press("step")
        screen.setup.game.value = "poker_marshal"
        assert screen.desk.game.name == "suicide_king"
        assert list(screen.setup.house) == list(GAMES["poker_marshal"].rules_type.options())
        screen.widgets.language.value = "ru"
        assert screen.setup.game.value == "poker_marshal"
        assert screen.setup.house["swap"].choice.label == Words("ru").text("page.house.swap")


@pytest.mark.parametrize("text", ["-1", "1.5", "seven", "１２", "1e3", "9" * 21])
def test_a_seed_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="seed cannot be"):
        seed_of(text)


def test_a_seed_may_be_left_out() -> None:
    assert (seed_of(" "), seed_of(" 12 ")) == (None, 12)


# errors


def test_a_fault_is_shown_logged_and_raised_again(faults: Faults) -> None:
    with shown(Desk(seed=5)) as screen:
        screen.desk.step = lambda: 1 / 0  # type: ignore[method-assign]
        with pytest.raises(ZeroDivisionError):
            screen._press("step")
        assert screen.widgets.strip.lines
        assert "ZeroDivisionError: division by zero" in "".join(screen.widgets.strip.lines)
        assert "ZeroDivisionError" in faults.seen.pop()


def test_what_a_visitor_typed_is_never_html() -> None:
    with shown(Desk()) as screen:
        screen.setup.seed.value = "<b id=planted>"
        screen._press("new")
        assert "&lt;b id=planted&gt;" in screen.widgets.strip.lines[0]
        screen._press("step")
        assert screen.widgets.strip.lines == []


def test_a_fault_while_it_plays_stops_it(faults: Faults) -> None:
    with shown(Desk(seed=5)) as screen:
        screen.desk.step = lambda: 1 / 0  # type: ignore[method-assign]
        stopped = []
        screen._pause = lambda: stopped.append(True)  # type: ignore[method-assign]
        with pytest.raises(ZeroDivisionError):
            screen._tick()
        assert stopped
        faults.seen.clear()


# the chances


def look(name: str, colours: dict[str, str] = LIGHT, language: str = "en") -> tuple[Desk, Look]:
    desk = Desk(name, seed=5, language=language)
    return desk, Look(desk.words, colours, desk.game.size.pack)  # type: ignore[attr-defined]


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_grid_shows_each_card_its_exact_probability(colours: dict[str, str]) -> None:
    desk, seen = look("poker_marshal", colours)
    grid = ChanceGrid(seen)
    cells, figures = (source.data for source in grid._sources)
    assert set(figures["figure"]) == {"·"}
    while len(desk.chances()) != 40:
        desk.step()
    grid.show(desk.chances())
    cells, figures = (source.data for source in grid._sources)
    odds = {chance.token.split()[1]: chance.p for chance in desk.chances()}
    assert list(cells["card"]) == [desk.words.show(card) for card in seen.pack]
    assert [Fraction(exact) for exact in cells["exact"]] == [odds.get(str(card), 0) for card in seen.pack]
    assert set(figures["figure"]) == {"·", "2.5"}
    grid.show(())
    assert {*grid._sources[0].data["exact"]} == {"0"}
    assert set(grid._sources[1].data["figure"]) == {"·"}


def test_the_picture_has_no_toolbar_and_no_ground() -> None:
    for figure in (ChanceGrid(look("suicide_king")[1]).figure,):
        assert figure.toolbar_location is None
        assert figure.outline_line_color is None
        assert figure.background_fill_alpha == figure.border_fill_alpha == 0


def test_a_lot_is_drawn_as_bars() -> None:
    desk, seen = look("suicide_king", language="ru")
    chances = desk.chances()
    assert is_bars(chances)
    picture = bars(chances, seen)
    said = [str(text) for labels in picture if "name" in labels for text in labels.dimension_values("name")]
    assert said == [chance.label for chance in chances]
    assert [str(text) for labels in picture if "value" in labels for text in labels.dimension_values("value")] == ["1/4 = 25,0\xa0%"] * 4
    desk.step().step().step()
    assert not is_bars(desk.chances())


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_figures_can_be_read_on_every_shade(colours: dict[str, str]) -> None:
    for n in range(1, 55):
        ground, ink = heat(Fraction(1, n), colours)
        light, dark = sorted((luminance(ground), luminance(ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (n, ground, ink)


def test_a_mix_is_between() -> None:
    assert (mix("#000000", "#FFFFFF", 0), mix("#000000", "#FFFFFF", 1)) == ("#ffffff", "#000000")
