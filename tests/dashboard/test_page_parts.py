"""The parts of the page without a browser: log, transport, form, address, projector, playing a seat."""

from __future__ import annotations

import re
from html import unescape
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

import panel as pn
import pytest
from bokeh.core.json_encoder import serialize_json
from page_tools import Faults, new_document, plain, shown
from panel.models.esm import ReactiveESM

import cardlab
from cardlab.core.errors import BadGame, BadRequest
from cardlab.core.events import TEACHER, Seat
from cardlab.core.registry import GAMES
from cardlab.core.rules import Allowed
from cardlab.dashboard import icons, looks, parts
from cardlab.dashboard.address import Look, address_of, desk_for
from cardlab.dashboard.pane import Pane
from cardlab.dashboard.screen import Screen
from cardlab.dashboard.scrub import Scrub
from cardlab.dashboard.setup import NUMBER
from cardlab.desk import Desk
from cardlab.desk.asked import seed_of
from cardlab.desk.lines import LogLines
from cardlab.view import guess
from cardlab.words import LANGUAGES, Words

ROW = re.compile(r'data-say="go-(\d+)".*?class="said">(.*?)</span></button><button class="rule" data-say="rule (.*?)"')


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


def test_a_row_that_is_pointed_at_previews_its_moment() -> None:
    with shown(Desk("suicide_king", seed=5)) as screen:
        for _ in range(9):
            screen._press("step")
        table = screen.widgets.table
        here = table.lines
        screen._said("peek", "4")
        assert 'data-step="4"' in table.lines[0]
        assert 'data-peek="4"' in table.lines[0]
        assert screen.desk.at == 9
        screen._said("peek", "")
        assert table.lines == here
        for wrong in ("9", "-1", "x", "²", "9" * 5_000):  # the moment itself is no other
            screen._said("peek", wrong)
            assert table.lines == here


def test_a_chip_opens_the_rule_book_at_its_rule() -> None:
    with shown(Desk("suicide_king", seed=5)) as screen:
        screen._press("step")
        assert screen.widgets.odds.visible
        screen._said("log", "rule SK-7")
        assert screen.tab == "rules"
        assert (screen.widgets.rules.visible, screen.widgets.odds.visible) == (True, False)
        marked = re.findall(r'<dt class="now"[^>]*>(.*?)</dt>', "".join(screen.widgets.rules.lines))
        assert [plain(rule) for rule in marked] == ["SK-7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_that_is_none_is_refused(language: str) -> None:
    with shown(Desk("suicide_king", seed=5, language=language)) as screen:
        for _ in range(3):
            screen._press("step")
        for wrong in ("x", "", "-1", "1.5", "²", "4", "9" * 5_000):
            screen.show_fault(None)
            screen._said("log", f"go-{wrong}")
            told = wrong if wrong == "4" else repr(wrong)[:60]
            assert isinstance(screen.fault, BadRequest)
            assert screen.fault.say(screen.desk.words) == screen.desk.words.text("error.step", step=told, last=3)
            assert screen.desk.at == 3
        screen._said("log", "go-2")
        assert (screen.desk.at, screen.fault) == (2, None)


# the transport


def drawn(screen: Screen) -> dict[str, str]:
    """The buttons of the transport: their names, and why they do nothing."""
    buttons = re.findall(r'<button class="(\w+)"[^>]*?(?:data-why="([^"]*)"|data-say="\w+")', "".join(screen.widgets.buttons.lines))
    return {name: unescape(why) for name, why in buttons}


def test_a_button_that_does_nothing_says_why_and_does_nothing() -> None:
    with shown(Desk("suicide_king", players=2, seed=5)) as screen:
        start, over = (screen.desk.words.text(f"page.why.{where}") for where in ("start", "over"))
        assert drawn(screen) == {"restart": start, "undo": start, "step": "", "play": ""}
        screen._press("undo")
        assert (screen.desk.at, screen.fault) == (0, None)
        screen._press("finish")
        assert screen.desk.over
        assert drawn(screen) == {"restart": "", "undo": "", "step": over, "play": over}
        at = screen.desk.at
        screen._press("step")
        screen._press("play")
        assert (screen.desk.at, screen.fault, screen.ticker.running) == (at, None, False)
        screen._press("restart")
        assert screen.desk.at == 0


def test_keys_are_told_by_one_pane_alone_and_press_the_buttons() -> None:
    with shown(Desk("suicide_king", seed=5)) as screen:
        widgets = screen.widgets
        assert [name for name, pane in vars(widgets).items() if isinstance(pane, Pane) and pane.keys] == ["table"]

        def key(name: str) -> None:
            widgets.table.keyed = {"key": name, "n": len(name)}

        for name, at in (("ArrowRight", 1), ("ArrowLeft", 0)):
            key(name)
            assert screen.desk.at == at
        key("?")
        assert widgets.help.open
        key("ArrowRight")  # is not for what lies behind the dialog
        assert screen.desk.at == 0
        widgets.help.open = False
        key("End")
        assert screen.desk.over
        key("Home")
        assert screen.desk.at == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_is_in_the_list_of_keys(language: str) -> None:
    said = plain("".join(parts.key_list(Words(language))))
    assert all(key in said for key in ("→", "←", "Home", "End", "?", "O"))


def test_a_slider_of_another_game_is_not_heard_but_answered() -> None:
    heard: list[int] = []
    slider = Scrub(heard.append, mark="1")
    sent: tuple[dict[str, Any], ...] = (
        {"go": 3, "mark": "1"},
        {"go": 4, "mark": "0"},
        {"go": "5", "mark": "1"},
        {"go": True, "mark": "1"},
        {},
    )
    for n, said in enumerate(sent, 1):
        slider.moved = said | {"n": n}
        assert slider.answered == n
    assert heard == [3]


def test_a_slider_is_answered_even_when_what_it_led_to_fails() -> None:
    def fail(step: int) -> None:
        raise RuntimeError("planted")

    slider = Scrub(fail, mark="1")
    with pytest.raises(RuntimeError, match="planted"):
        slider.moved = {"go": 3, "mark": "1", "n": 1}
    assert slider.answered == 1


def test_a_click_on_lines_of_another_moment_is_not_heard() -> None:
    heard: list[str] = []
    pane = Pane(heard.append, mark="0 7 teacher")
    for n, mark in enumerate(("0 7 teacher", "0 6 teacher", None)):
        pane.said = {"say": f"take {n}", "mark": mark, "n": n}
    assert heard == ["take 0"]


def test_every_press_on_the_transport_is_heard_however_quick() -> None:
    """Unlike a click on a card, it means the same at every step."""
    with shown(Desk("suicide_king", seed=5)) as screen:
        mark = screen.widgets.buttons.mark
        for n, (name, at) in enumerate((("step", 1), ("step", 2), ("undo", 1), ("play", 1))):
            screen.widgets.buttons.said = {"say": name, "mark": mark, "n": n}
            assert screen.desk.at == at
        assert screen.ticker.running
        screen._tick()
        screen.widgets.buttons.said = {"say": "play", "mark": mark, "n": 9}
        assert not screen.ticker.running


# playing a seat


@pytest.mark.parametrize("name", list(GAMES))
def test_after_a_move_of_ones_own_the_others_play_until_it_is_ones_turn(name: str) -> None:
    with shown(Desk(name, seed=5)) as screen:
        desk = screen.desk
        screen._change("viewpoint", "0")
        screen._press("mine")
        turns = 0
        while not desk.over and turns < 12:
            assert desk.session.actor == Seat(0)
            before = desk.at
            screen._said("table", desk.moves()[0].token)
            assert desk.at > before
            steps = 0
            while screen.ticker.running:
                assert desk.session.actor != Seat(0)
                screen._tick()
                steps += 1
            turns += 1
        assert turns > 3


def test_a_long_pace_does_not_run_past_ones_own_turn() -> None:
    with shown(Desk("fight_for_the_lead", seed=5)) as screen:
        desk = screen.desk
        screen._change("viewpoint", "1")
        screen._change("pace", "game")
        screen._press("mine")
        at = desk.at
        screen._said("table", desk.moves()[0].token)
        while screen.ticker.running:
            screen._tick()
        assert desk.session.actor == Seat(1)
        assert not desk.over
        assert desk.at - at < 30
        assert desk.pace == "game"


def test_a_card_to_choose_is_no_move_yet() -> None:
    desk = Desk("fight_for_the_lead", seed=5)
    while not _to_choose(desk):
        desk.step()
    with shown(desk) as screen:
        screen._change("viewpoint", str(desk.session.actor))
        at = desk.at
        screen._said("table", _to_choose(desk)[0])
        assert (desk.at, len(desk.chosen), screen.ticker.running) == (at, 1, False)


def _to_choose(desk: Desk) -> list[str]:
    offer = desk.offer()
    return [] if offer is None else [said for said in offer.says.values() if said.startswith("choose ")]


def test_the_teacher_plays_every_seat_himself() -> None:
    with shown(Desk("suicide_king", players=3, seed=5)) as screen:
        while screen.desk.offer() is None:
            screen._press("step")
        screen._said("table", screen.desk.moves()[0].token)
        assert not screen.ticker.running


# a projector


def test_on_a_projector_the_odds_are_not_there_until_they_are_asked_for() -> None:
    desk = Desk("poker_marshal", seed=5)
    with shown(desk, look=Look(projector=True)) as screen:

        def exact() -> bool:
            return f"{desk.odds()[0].p} (" in str(screen.widgets.odds.lines)

        screen._press("step")
        covered = screen.widgets.odds.lines
        assert covered == [guess.switch(False, desk.words), *parts.cover(desk.words)]
        assert not exact()
        screen._press("odds")
        assert exact()
        screen._press("odds")
        assert screen.widgets.odds.lines == covered
        screen._press("odds")
        screen._press("step")  # another question
        assert screen.widgets.odds.lines == covered
        screen._press("projector")
        assert exact()


def test_what_a_projector_leaves_out() -> None:
    with shown(Desk(seed=5), look=Look(projector=True)) as screen:
        bar = screen.widgets.bar
        left = (screen.parts.ways, bar.game, bar.language, bar.buttons["setup"], bar.buttons["rules"], bar.buttons["menu"])
        assert not any(widget.visible for widget in left)
        screen._press("projector")
        assert all(widget.visible for widget in left)


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
    with shown(Desk(name)) as screen:
        for key, allowed in GAMES[name].rules_type.options().items():
            for value in _values(allowed):
                screen._press("setup")
                assert screen.widgets.form.open
                field = screen.setup.house[key]
                field.value = int(value) if value.isdigit() else value
                screen._press("new")
                assert screen.fault is None
                assert not screen.widgets.form.open
                assert (screen.desk.game.name, str(getattr(screen.desk.game.rules, key))) == (name, value)


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


def test_a_refused_game_leaves_the_one_on_the_desk_and_is_told_in_the_dialog() -> None:
    with shown(Desk("fight_for_the_lead", seed=5)) as screen:
        screen._press("step")
        session = screen.desk.session
        screen._press("setup")
        stake: Any = screen.setup.house["stake"].number
        stake.value = "6"
        screen._press("new")
        assert isinstance(screen.fault, BadGame)
        assert (bool(screen.widgets.again.lines), bool(screen.widgets.strip.lines), screen.widgets.form.open) == (True, False, True)
        assert (screen.desk.session, screen.desk.at) == (session, 1)
        stake.value = "8"
        screen.setup.seed.value = "-4"
        screen._press("new")
        assert isinstance(screen.fault, BadRequest)
        assert (screen.desk.session, screen.desk.at) == (session, 1)
        screen._press("cancel")
        assert (screen.widgets.form.open, screen.widgets.again.lines) == (False, [])


def test_another_game_in_the_form_leaves_the_one_on_the_desk() -> None:
    with shown(Desk("suicide_king", seed=5)) as screen:
        screen._press("step")
        screen._press("setup")
        screen.setup.game.value = "poker_marshal"
        assert screen.desk.game.name == "suicide_king"
        assert list(screen.setup.house) == list(GAMES["poker_marshal"].rules_type.options())
        screen.widgets.bar.language.value = "ru"
        assert screen.setup.game.value == "poker_marshal"
        swap: Any = screen.setup.house["swap"].choice
        assert swap.label == Words("ru").text("page.house.swap")
        screen._press("cancel")
        screen._press("setup")  # begins anew with the game on the desk
        assert screen.setup.game.value == "suicide_king"


@pytest.mark.parametrize("text", ["-1", "1.5", "seven", "１２", "1e3", "9" * 21])
def test_a_seed_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="seed cannot be"):
        seed_of(text)


def test_a_seed_may_be_left_out() -> None:
    assert (seed_of(" "), seed_of(" 12 ")) == (None, 12)


# the address


def asked(desk: Desk, look: Look | None = None) -> dict[str, str]:
    return dict(parse_qsl(address_of(desk, look or Look())[1:]))


@pytest.mark.parametrize(
    "desk",
    [
        Desk("suicide_king", 2, seed=5),
        Desk("suicide_king", 3, "pagat", seed=6, last_player="loses"),
        Desk("fight_for_the_lead", 5, seed=7, stake=8, deals=3, first_dealer=4),
        Desk("poker_marshal", seed=8, ends="streak", language="ru"),
    ],
)
def test_the_address_leads_back_to_the_game(desk: Desk) -> None:
    again, fault = desk_for(asked(desk, Look(desk.words.language)))
    assert fault is None
    assert (again.game, again.session.seed, again.preset) == (desk.game, desk.session.seed, desk.preset)
    assert again.words.language == desk.words.language
    assert again.step().log() == desk.step().log()


def test_the_address_of_a_seat_has_no_seed() -> None:
    desk = Desk("poker_marshal", seed=987_654_321)
    assert asked(desk)["seed"] == "987654321"
    for viewer in (Seat(0), None):
        assert "seed" not in asked(desk.set_viewer(viewer))
    assert "seed" in asked(desk.set_viewer(TEACHER))


def test_the_address_keeps_the_look() -> None:
    shown_ = asked(Desk(seed=1), Look("ru", dark=True, projector=True))
    assert (shown_["language"], shown_["theme"], shown_["projector"]) == ("ru", "dark", "1")


# errors


def test_a_fault_is_shown_logged_and_raised_again(faults: Faults) -> None:
    with shown(Desk(seed=5)) as screen:
        screen.desk.step = lambda: 1 / 0  # type: ignore
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
        screen.desk.step = lambda pace: 1 / 0  # type: ignore
        screen._play()
        with pytest.raises(ZeroDivisionError):
            screen._tick()
        assert not screen.ticker.running
        faults.seen.clear()


# the look


def test_every_style_sheet_is_used_and_asks_no_other_host() -> None:
    code = "".join(path.read_text("utf-8") for path in files("cardlab.dashboard").iterdir() if path.name.endswith(".py"))
    names = looks._SHEETS[1::2]
    assert len(names) == len(set(names)) > 20
    assert not [name for name in names if f'"{name}"' not in code]
    assert "http" not in "".join(looks._SHEETS)
    assert "url(" not in "".join(looks._SHEETS)


def test_icons_are_drawn_in_the_colour_of_the_text() -> None:
    assert all('stroke="currentColor"' in icons.icon(name) for name in icons._DRAWN)


def test_in_a_notebook_each_module_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panel would write a megabyte into every widget."""
    monkeypatch.setattr(pn.config, "inline", pn.config.inline)  # which the page of a notebook sets
    page = cardlab.dashboard("poker_marshal", seed=7)
    document = new_document()
    root = page.get_root(document)
    document.add_root(root)
    brought = [model.bundle for model in root.select({"type": ReactiveESM}) if model.esm]
    assert len(brought) == len(set(brought))
    assert {model.bundle for model in root.select({"type": ReactiveESM})} == set(brought)
    assert len(serialize_json(document.to_json())) < 3_000_000
