"""The stepper, driven as a cell drives it and as a browser does."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import ipywidgets as w
import pytest
from watch import Watched, click, hit, markup, plain, point, press, says, turn_to

import cardlab
from cardlab import GAMES, OVER, PLAYERS, TEACHER, Record, Scripted, Seat, Session, game
from cardlab.chance import ask
from cardlab.core.session import PACES
from cardlab.desk import Desk, counting
from cardlab.notebook import Stepper, usual_language
from cardlab.notebook.pane import Pane
from cardlab.notebook.stepper import LOG_ROWS
from cardlab.view.answers import rows
from cardlab.words import LANGUAGES, Words

SHORT: dict[str, dict[str, Any]] = {"suicide_king": {}, "fight_for_the_lead": {"deals": 2}, "poker_marshal": {"deals": 1}}
every_game = pytest.mark.parametrize("name", list(GAMES))


def shown(stepper: Stepper) -> list[str]:
    """What can be read on the stepper at this moment."""
    widgets = stepper.widgets
    return [*map(markup, (widgets.table, widgets.log, widgets.next, widgets.odds)), widgets.of.value]


@every_game
def test_each_game_is_stepped_to_its_end_and_back(name: str) -> None:
    stepper = cardlab.step(name, seed=7, **SHORT[name])
    buttons = stepper.buttons
    assert buttons["undo"].disabled
    assert buttons["restart"].disabled
    assert not buttons["step"].disabled
    seen = [shown(stepper)]
    while not buttons["step"].disabled:
        press(buttons["step"])
        assert stepper.error == ""
        seen.append(shown(stepper))
    assert stepper.session.actor is OVER
    assert len(seen) == len(stepper.desk) + 1
    assert len(set(map(str, seen))) == len(seen)  # every step shows something new
    assert all(buttons[button].disabled for button in ("step", "play", "finish"))
    assert plain(markup(stepper.widgets.next)).endswith(stepper.desk.result())
    for n in range(len(seen) - 1, 0, -1):
        press(buttons["undo"])
        assert shown(stepper)[:4] == seen[n - 1][:4]
    assert buttons["undo"].disabled


@every_game
def test_clicks_on_disabled_buttons_do_no_harm(name: str) -> None:
    stepper = cardlab.step(name, seed=3, **SHORT[name])
    for button in ("undo", "restart"):
        stepper.buttons[button].click()
        assert stepper.desk.at == 0
    stepper.buttons["finish"].click()
    end, record = stepper.desk.at, stepper.session.record
    for button in ("step", "play", "finish", "mine"):
        stepper.buttons[button].click()
        assert (stepper.desk.at, stepper.playing, stepper.error) == (end, False, "")
    assert stepper.session.record == record


@every_game
def test_the_slider_goes_anywhere_in_the_game(name: str) -> None:
    stepper = cardlab.step(name, seed=5, **SHORT[name])
    assert stepper.slider.disabled
    stepper.buttons["finish"].click()
    last = len(stepper.desk)
    assert (stepper.slider.max, stepper.slider.value, stepper.slider.disabled) == (last, last, False)
    for n in (0, last // 2, 1, last, last - 1):
        turn_to(stepper.slider, value=n)
        assert (stepper.desk.at, stepper.number.value) == (n, n)
        assert str(n) in plain(stepper.widgets.of.value)
    turn_to(stepper.number, value=2)
    assert (stepper.desk.at, stepper.slider.value) == (2, 2)
    assert not stepper.slider.continuous_update


@every_game
@pytest.mark.parametrize("pace", ["move", "phase", "deal", "game"])
def test_a_step_goes_as_far_as_the_pace(name: str, pace: str) -> None:
    stepper = cardlab.step(name, seed=7, **SHORT[name])
    other = Session(game(name, **SHORT[name]), seed=7)
    stepper.inputs["pace"].value = pace
    for _ in range(3):
        stepper.buttons["step"].click()
        other.auto("random", until=pace)
        assert stepper.session.record == other.record


@every_game
def test_another_language_keeps_the_moment(name: str) -> None:
    watched = Watched(name, seed=7, language="en", **SHORT[name])
    stepper = watched.stepper
    for _ in range(9):
        stepper.buttons["step"].click()
    stepper.inputs["viewpoint"].value = "1"
    english = unnumbered(watched.state())
    for _ in range(2):
        turn_to(stepper.inputs["language"], index=1)
        assert stepper.desk.words.language == "ru"
        assert (stepper.desk.at, stepper.desk.viewer) == (9, Seat(1))
        russian = watched.state()
        turn_to(stepper.inputs["language"], index=0)
        assert unnumbered(watched.state()) == english
    assert unnumbered(russian) != english


def unnumbered(state: str) -> str:
    """A state without the number of what was read aloud, which counts on."""
    return re.sub(r'"n": \d+', "", state)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_texts_are_in_the_language(name: str, language: str) -> None:
    """No key of a catalogue is left, and in Russian no English word; the keys of house rules are names, and stay as they are."""
    stepper = cardlab.step(name, seed=7, language=language, **SHORT[name])
    for _ in range(40):
        stepper.buttons["step"].click()
        panes = (*stepper.widgets.panes, stepper.widgets.rules)
        said = [plain(markup(pane)) for pane in panes] + [pane.label for pane in panes]
        said += [spoken for pane in panes for spoken in re.findall(r'(?:aria-label|data-why)="([^"]*)"', markup(pane))]
        said += [plain(stepper.widgets.of.value), plain(stepper.widgets.keys.value)]
        said += [button.description for button in (*stepper.buttons.values(), *stepper.widgets.folds.values())]
        for field in (*stepper.inputs.values(), stepper.number):
            said += [field.description, *(label for label, _ in getattr(field, "options", ()))]
        for house in stepper.form.house.values():
            said += [plain(house.about.value), plain(house.note.value)]
            said += [label for label, _ in house.word.options] if house.word is not None else []
        told = " ".join(said)
        assert not re.search(r"\b(screen|stepper|scene|event|rule|phase|action|house|player|viewer|error)\.[a-z0-9]", told)
        if language == "ru":
            allowed = stepper.desk.game.rules_type.options().items()
            names = {part for key, values in allowed for part in (key, *values.words)}
            told = re.sub(rf"\b({'|'.join(sorted(names, key=len, reverse=True))})\b", "", told)
            assert set(re.findall(r"[A-Za-z]{3,}", told)) <= {"English", "Pagat", "seed", "Home", "End", "CSV", "SVG", "PNG", "JSONL"}


def test_every_house_rule_has_widgets_for_all_its_values() -> None:
    for name, kind in GAMES.items():
        stepper = cardlab.step(name, players=5, seed=1)
        for key, allowed in kind.rules_type.options().items():
            field = stepper.form.house[key]
            values: list[Any] = list(allowed.words)
            values += [0, 4] if allowed.seat else []
            values += [] if allowed.least is None else [allowed.least, allowed.least + 2 * allowed.multiple_of]
            for value in values:
                field.value = value
                stepper.buttons["new"].click()
                assert stepper.error == ""
                assert getattr(stepper.desk.game.rules, key) == value, key
                assert str(stepper.form.house[key].value) == str(value)
            field.value = getattr(kind.rules_type(), key)
        stepper.buttons["new"].click()
        assert stepper.desk.game == game(name, players=5)


def test_a_number_may_be_named_only_where_it_counts() -> None:
    form = cardlab.step("fight_for_the_lead", seed=1).form
    cap = form.house["penalty_cap"]
    assert cap.number is not None
    assert cap.word is not None
    assert (cap.value, cap.number.disabled) == ("none", True)
    cap.word.value = "N"
    assert (cap.value, cap.number.disabled) == (1, False)


def test_a_new_game_of_another_kind() -> None:
    stepper = cardlab.step("suicide_king", players=5, seed=7, language="ru", seat=4)
    turn_to(stepper.inputs["game"], index=1)
    assert stepper.desk.game.name == "suicide_king"  # until the button is pressed
    assert list(stepper.form.house) == list(GAMES["fight_for_the_lead"].rules_type.options())
    stepper.inputs["players"].value = "3"
    stepper.form.house["stake"].value = 12
    stepper.inputs["seed"].value = "9"
    stepper.buttons["new"].click()
    assert stepper.desk.game == game("fight_for_the_lead", players=3, stake=12)
    assert stepper.session.seed == 9
    assert stepper.desk.viewer is None  # there is no seat 4 any more, and nobody is shown all cards unasked
    assert stepper.inputs["viewpoint"].value == "spectator"
    assert [value for _, value in stepper.inputs["viewpoint"].options] == ["teacher", "spectator", "0", "1", "2"]
    assert markup(stepper.widgets.rules).count("FL-") > 19
    stepper.inputs["seed"].value = ""
    stepper.buttons["new"].click()
    assert stepper.session.seed not in (None, 9)  # a fresh one


def test_a_preset_fills_in_its_house_rules() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    stepper.inputs["preset"].value = "pagat"
    assert {key: field.value for key, field in stepper.form.house.items()} == {
        "first_dealer": "lot", "last_player": "wins", "king_of_hearts": "ends_deal", "extra_cards": "reset", "next_dealer": "rotates",
    }  # fmt: skip
    stepper.buttons["new"].click()
    assert stepper.desk.game == game("suicide_king", preset="pagat")
    assert cardlab.step("suicide_king", preset="pagat").form.house["last_player"].value == "wins"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_said_and_nothing_is_lost(language: str) -> None:
    stepper = cardlab.step("fight_for_the_lead", seed=7, language=language)
    for _ in range(20):
        stepper.buttons["step"].click()
    session, before = stepper.session, shown(stepper)
    for field, value, right in (("seed", "seven", "2⁶⁴"), ("seed", str(2**64), "2⁶⁴")):
        stepper.inputs[field].value = value
        press(stepper.buttons["new"])
        assert right in plain(markup(stepper.widgets.strip))
        assert 'role="alert"' in markup(stepper.widgets.strip)
        assert stepper.session is session
        assert shown(stepper) == before
        assert stepper.inputs[field].value == value  # to be mended, not typed anew
    stepper.inputs["seed"].value = "8"
    stepper.form.house["stake"].value = 6
    press(stepper.buttons["new"])
    assert "stake" in stepper.error
    assert "4" in stepper.error
    stepper.form.house["stake"].value = 8
    press(stepper.buttons["new"])
    assert stepper.error == markup(stepper.widgets.strip) == ""
    assert stepper.session.seed == 8


def test_own_moves_can_be_clicked_and_those_of_others_are_not_shown() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=2)
    stepper.buttons["mine"].click()
    assert stepper.session.actor == Seat(2)
    assert [move.token for move in stepper.desk.moves()] == [str(action) for action in stepper.session.legal]
    stepper.click(stepper.desk.moves()[1].token)
    assert stepper.session.steps[-1].action.verb == "fight"
    stepper.buttons["undo"].click()
    stepper.buttons["undo"].click()
    assert stepper.session.actor == Seat(1)
    assert stepper.desk.moves() == []
    assert stepper.desk.words.text("screen.moves_hidden") in markup(stepper.widgets.next)
    stepper.inputs["viewpoint"].value = "1"
    assert len(stepper.desk.moves()) == 4


def test_to_my_turn_is_offered_to_a_seat_alone() -> None:
    stepper = cardlab.step("suicide_king", seed=7, seat=0)
    assert stepper.buttons["mine"].layout.display == ""
    for viewpoint in ("teacher", "spectator"):
        stepper.inputs["viewpoint"].value = viewpoint
        assert stepper.buttons["mine"].layout.display == "none"
        stepper.buttons["mine"].click()
        assert stepper.desk.at == 0


def test_a_question_is_answered_and_goes_along() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, language="ru")
    for _ in range(4):
        stepper.buttons["step"].click()
    for _ in range(2):
        answer = ask(stepper.session.view(TEACHER), "no_trick", n=counting.FIRST)
        for row in rows(stepper.desk.game, answer, stepper.desk.words):
            assert row.shown in markup(stepper.widgets.odds)
            assert row.width in markup(stepper.widgets.odds)
        stepper.buttons["step"].click()
    click(stepper.widgets.odds, "question no_trick")
    assert "tag sim" not in markup(stepper.widgets.odds)


def test_cards_of_the_pack_are_named_by_a_click_on_them() -> None:
    stepper = cardlab.step("poker_marshal", seed=7, policy="still")
    while stepper.session.game.phase(stepper.session.state) != "offers":
        stepper.buttons["step"].click()
    offered = [said for said in says(stepper.table) if said.startswith("ask ")]
    assert set(offered) == {str(action) for action in stepper.session.legal if action.verb == "ask"}
    assert len(offered) > 40
    click(stepper.table, offered[5])
    assert str(stepper.session.steps[-1].action) == offered[5]


def test_a_move_of_several_cards_is_put_together_by_clicks() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=3, seed=7)
    while stepper.session.game.phase(stepper.session.state) != "exchange":
        stepper.buttons["step"].click()
    at = stepper.desk.at
    several = next(action for action in stepper.session.legal if len(action.cards) == 2)
    assert str(several) not in says(stepper.table)
    for card in several.cards:
        click(stepper.table, f"choose {card}")
        assert stepper.desk.at == at
    assert str(several) in says(stepper.table)
    assert stepper.click(f"choose {several.cards[0]}") is None  # taken back
    assert str(several) not in says(stepper.table)
    stepper.click(f"choose {several.cards[0]}")
    click(stepper.table, str(several))
    assert stepper.session.steps[at].action == several
    assert stepper.desk.at == at + 3  # and the dealer has given two cards


@every_game
def test_what_may_be_clicked_are_the_legal_moves(name: str) -> None:
    """Through a whole game: each move is a thing to click or begins with one, and what can be clicked leads to legal moves alone."""
    stepper = cardlab.step(name, seed=11, **SHORT[name])
    while not stepper.desk.over:
        said, legal = says(stepper.table), list(stepper.session.legal)
        single = {str(action) for action in legal if len(action.cards) < 2} & set(said)
        chosen = {word.split()[1] for word in said if word.startswith("choose ")}
        assert set(said) == single | {f"choose {card}" for card in chosen}
        for action in legal:
            assert str(action) in single or {str(card) for card in action.cards} <= chosen, action
        stepper.buttons["step"].click()


def test_what_cannot_be_done_is_refused_with_its_rule() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=0)
    stepper.buttons["mine"].click()
    at = stepper.desk.at
    why = stepper.click("play 2C")
    assert why == stepper.error != ""
    assert why in plain(markup(stepper.widgets.strip))
    assert stepper.desk.at == at
    token = says(stepper.table)[0]
    assert stepper.click(token) is None
    assert stepper.session.steps[-1].action == cardlab.core.game.Action.parse(token)


def test_a_second_click_does_not_move_for_the_next_player() -> None:
    """Two fast clicks reach Python one after the other, both from the table that was there at the first."""
    stepper = cardlab.step("suicide_king", players=3, seed=7, first_dealer=0)
    stepper.buttons["step"].click()
    mark = stepper.table.mark
    click(stepper.table, "take 2", mark)
    at = stepper.desk.at
    assert at == 3  # reached for, and shown
    for _ in range(10):
        click(stepper.table, "take 2", mark)
    assert stepper.desk.at == at
    assert stepper.error == ""
    click(stepper.table, "take 2")
    assert stepper.desk.at == at + 2


@every_game
def test_stepping_makes_no_pile_of_widgets(name: str) -> None:
    watched = Watched(name, seed=7, **SHORT[name])
    stepper = watched.stepper
    stepper.buttons["finish"].click()
    turn_to(stepper.slider, value=0)
    for _ in range(len(stepper.desk)):
        stepper.buttons["step"].click()
    assert sum(isinstance(widget, w.Button) for widget in watched.widgets) == len(stepper.buttons)
    assert sum(isinstance(widget, Pane) for widget in watched.widgets) == len(stepper.widgets.panes) + 2
    for k in (0, 1, 2, 0):
        stepper.inputs["game"].value = list(GAMES)[k]
    boxes = [field.box for field in stepper.form.house.values()]
    assert stepper.form.fields.children == tuple(boxes)
    assert sum(hasattr(widget, "children") for widget in watched.widgets) < 40  # those of the other games are closed


def test_the_log_has_step_numbers_sentences_and_rules() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    assert stepper.desk.words.text("screen.log_empty") in markup(stepper.log)
    for _ in range(12):
        stepper.buttons["step"].click()
    for row in stepper.desk.log():
        assert f'data-say="go-{row.step}"' in markup(stepper.log)
        assert row.text in plain(markup(stepper.log))
        assert f'data-say="rule {row.rule}"' in markup(stepper.log)
    assert stepper.log.titles["SK-5"] == stepper.desk.words.text("rule.SK-5")
    assert stepper.log.now == "go-12"
    stepper.inputs["pace"].value = "move"
    stepper.buttons["step"].click()
    assert stepper.log.now.split() == [f"go-{n}" for n in range(13, stepper.desk.at + 1)]
    assert stepper.desk.words.text("viewer.teacher") in plain(stepper.log.lines[0])


def test_a_click_on_a_row_goes_to_its_step() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    stepper.buttons["finish"].click()
    last = stepper.desk.at
    there = str(last - 9)
    click(stepper.log, f"go-{there}")
    assert (stepper.desk.at, len(stepper.desk), stepper.slider.value) == (last - 9, last, last - 9)
    assert stepper.log.now == f"go-{there}"
    click(stepper.widgets.ticks, "go-2")
    assert stepper.desk.at == 2
    before = stepper.desk.session.record
    click(stepper.log, f"go-{last + 1}")
    assert stepper.error != ""
    assert (stepper.desk.at, stepper.desk.session.record) == (2, before)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_that_is_none_is_refused(language: str) -> None:
    stepper = cardlab.step("suicide_king", seed=7, language=language)
    for _ in range(3):
        stepper.buttons["step"].click()
    for wrong in ("x", "", "-1", "1.5", "²", "9" * 5_000):
        click(stepper.log, f"go-{wrong}")
        assert stepper.error == stepper.desk.words.text("error.step", step=repr(wrong)[:60], last=3)
        assert stepper.desk.at == 3
    click(stepper.log, "go-2")
    assert (stepper.desk.at, stepper.error) == (2, "")


@pytest.mark.parametrize("pace", PACES)
def test_a_pace_for_one_step_alone(pace: str) -> None:
    desk, other = Desk("fight_for_the_lead", seed=7, deals=2), Desk("fight_for_the_lead", seed=7, deals=2, pace=pace)
    for _ in range(2):
        desk.step(pace)
        other.step()
        assert (desk.session.record, desk.since, desk.pace) == (other.session.record, other.since, "card")
    desk.restart().step(pace)  # along what was played
    assert desk.at == other.restart().step().at


def test_a_pace_that_there_is_not_is_refused() -> None:
    desk = Desk("suicide_king", seed=7).step().undo()
    with pytest.raises(cardlab.BadRequest, match="fast"):
        desk.step("fast")
    assert (desk.at, len(desk)) == (0, 1)


@every_game
def test_a_row_that_is_pointed_at_shows_its_moment(name: str) -> None:
    watched = Watched(name, seed=7, seat=1, **SHORT[name])
    stepper = watched.stepper
    tables = [stepper.table.lines[0]]
    for _ in range(30):
        stepper.buttons["step"].click()
        tables.append(stepper.table.lines[0])
    before, moves = watched.state(), stepper.table.lines[1:]
    for n in (1, 29, 15):
        point(stepper.log, n)
        assert f'data-step="{n}" data-peek="{n}"' in stepper.table.lines[0]
        assert plain(stepper.table.lines[0]) == plain(tables[n])
        assert says(stepper.table) == re.findall(r'data-say="([^"]*)"', "".join(moves))
        assert stepper.table.lines[1:] == moves
    point(stepper.log, None)
    assert watched.state() == before
    for wrong in ("30", "99999", "-1", "x", "²", "9" * 5_000):
        turn_to(stepper.log, peeked=wrong)
        assert stepper.table.lines[0] == tables[30]
    point(stepper.log, 3)
    stepper.buttons["step"].click()
    assert "data-peek" not in stepper.table.lines[0]


def test_a_chip_opens_the_rule_book_at_its_rule() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    rules, fold = stepper.widgets.rules, stepper.widgets.folds["rules"]
    for _ in range(4):
        stepper.buttons["step"].click()
    assert "data-show" not in markup(rules)
    assert not fold.value
    for rule in ("SK-5", "SK-3", "SK-3"):
        click(stepper.log, f"rule {rule}")
        assert fold.value
        assert re.findall(r'<dt class="now" data-show><span class="rule">([^<]*)</span>', markup(rules)) == [rule]
        assert stepper.desk.at == 4
    fold.value = False
    stepper.inputs["language"].value = "ru"
    assert "data-show" not in markup(rules)  # or the page would jump there
    assert stepper.desk.words.text("rule.SK-3") in plain(markup(rules))


@every_game
def test_keys_are_buttons(name: str) -> None:
    stepper = cardlab.step(name, seed=7, **SHORT[name])
    assert list(stepper.table.hotkeys) == ["ArrowLeft", "ArrowRight", " ", "Home", "End"]
    for key in ("ArrowLeft", "Home"):  # their buttons are off
        hit(stepper.table, key)
        assert stepper.desk.at == 0
    for _ in range(5):
        hit(stepper.table, "ArrowRight")
    hit(stepper.table, "ArrowLeft")
    assert (stepper.desk.at, len(stepper.desk)) == (4, 5)
    hit(stepper.table, " ")
    assert stepper.playing
    hit(stepper.table, " ")
    assert not stepper.playing
    hit(stepper.table, "End")
    assert stepper.desk.over
    hit(stepper.table, "ArrowRight")
    hit(stepper.table, "Home")
    assert (stepper.desk.at, stepper.error) == (0, "")
    hit(stepper.table, "x")
    assert stepper.desk.at == 0
    said = plain(stepper.widgets.keys.value)
    for name in ("restart", "undo", "step", "finish"):
        assert stepper.buttons[name].description in said


def test_ticks_stand_where_phases_begin() -> None:
    stepper = cardlab.step("poker_marshal", seed=7, deals=1)
    ticks = stepper.widgets.ticks
    stepper.buttons["finish"].click()
    starts = [n for n, _ in stepper.desk.ticks()]
    assert says(ticks) == [f"go-{n}" for n in starts]
    for n, name in stepper.desk.ticks():
        left = f"left:{100 * n / len(stepper.desk):.2f}%"
        assert re.search(f'style="{left}" data-say="go-{n}" [^>]*>{name}<', unescape(markup(ticks)))
        stepper.slider.value = n
        assert ticks.now == f"go-{n}"
        stepper.slider.value = max(n - 1, 0)
        assert ticks.now == f"go-{max((m for m in starts if m < n), default=0)}"


def test_a_long_game_has_ticks_for_its_deals() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=2, seed=3, policy="still", deals=60)
    stepper.buttons["finish"].click()
    names = re.findall(r'class="name"[^>]*>([^<]*)<', markup(stepper.widgets.ticks))
    assert names == [stepper.desk.words.text("stepper.deal", n=n + 1) for n in range(60)]
    assert len(markup(stepper.widgets.ticks)) < 12_000
    for n in (len(stepper.desk), len(stepper.desk) // 2, 5):
        stepper.slider.value = n
        deal = stepper.desk.words.text("stepper.deal", n=stepper.session.state.deal + 1)
        assert f'data-say="{stepper.widgets.ticks.now}" data-weight="1000000">{deal}<' in markup(stepper.widgets.ticks)


def test_a_long_log_stays_a_light_message() -> None:
    stepper = cardlab.step("poker_marshal", seed=7, policy="still", deals=6)
    stepper.buttons["finish"].click()
    rows = stepper.desk.log()
    assert len(rows) > 2 * LOG_ROWS
    shown = markup(stepper.log).count('class="n"')
    assert LOG_ROWS / 2 <= shown <= LOG_ROWS
    assert rows[-1].text in plain(markup(stepper.log))
    assert stepper.desk.words.text("stepper.earlier") in plain(markup(stepper.log))
    assert len(markup(stepper.log)) < 40_000
    stepper.buttons["undo"].click()
    first = stepper.log.lines[2]
    stepper.buttons["undo"].click()
    assert stepper.log.lines[2] == first  # the rows that stay are not drawn anew


def test_the_chances_are_exact_and_grouped() -> None:
    session = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted("KC", fill=True))
    session.play()
    session.play("take 0")
    stepper = Stepper(session)
    assert "52 outcomes, each 1/52 (1.9\N{NO-BREAK SPACE}%) exact" in plain(markup(stepper.widgets.odds))
    assert "10♥\N{VARIATION SELECTOR-15}: 1/52" in markup(stepper.widgets.odds)
    stepper.inputs["language"].value = "ru"
    assert "52\N{NO-BREAK SPACE}исхода, каждый 1/52 (1,9\N{NO-BREAK SPACE}%) точно" in plain(markup(stepper.widgets.odds))
    stepper.buttons["step"].click()
    assert "1/52" not in markup(stepper.widgets.odds)


@every_game
def test_a_narrow_pane_gets_a_narrow_table(name: str) -> None:
    stepper = cardlab.step(name, seed=7, **SHORT[name])
    for _ in range(20):
        stepper.buttons["step"].click()
    wide = stepper.table.lines
    turn_to(stepper.table, narrow=True)
    assert stepper.table.lines[0] == stepper.desk.drawn(True) != wide[0]
    stepper.buttons["step"].click()
    assert stepper.table.lines[0] == stepper.desk.drawn(True)
    stepper.buttons["undo"].click()
    turn_to(stepper.table, narrow=False)
    assert stepper.table.lines == wide


def test_the_policy_plays() -> None:
    for policy in PLAYERS:
        stepper = cardlab.step("poker_marshal", seed=7, deals=1)
        stepper.inputs["policy"].value = policy
        stepper.buttons["finish"].click()
        other = Session(game("poker_marshal", deals=1), seed=7)
        other.auto(policy, until="game")
        assert stepper.session.record == other.record


def test_a_record_and_a_session_can_be_stepped_through() -> None:
    session = Session(game("poker_marshal", deals=1), seed=7)
    session.auto("still", until="game")
    stepper = cardlab.step(Record.loads(session.record.dumps()), language="ru", seat=4)
    assert (stepper.desk.at, len(stepper.desk), stepper.desk.viewer) == (0, len(session), Seat(4))
    for _ in range(len(session)):
        stepper.buttons["step"].click()
    assert stepper.session.outcome == session.outcome
    assert Stepper(session).desk.at == len(session)
    assert Stepper(Desk.on(session.goto(3))).desk.at == 3


def test_it_shows_itself() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    bundle = stepper._repr_mimebundle_()
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == stepper.box.model_id
    assert bundle["text/plain"] == stepper.desk.table()  # where there are no widgets
    assert bundle["text/html"] == stepper.desk.picture()
    assert "suicide_king" in repr(stepper)


def test_sums_beyond_2_to_63_are_shown_whole() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=5, seed=3, policy="still", deals=60)
    stepper.buttons["finish"].click()
    richest = max(stepper.desk.session.view(TEACHER).balances)
    assert richest > 2**63
    told = re.sub(r"\s", "", plain(markup(stepper.table)))  # in two lines where one is too narrow
    assert re.sub(r"\s", "", Words().show(richest)) in told
    stepper.buttons["step"].click()
    assert stepper.error == ""


def test_the_usual_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CARDLAB_LANGUAGE", raising=False)
    for folder, language in (("en", "en"), ("ru", "ru"), ("de", "en")):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        assert usual_language() == language
        assert cardlab.step("suicide_king").desk.words.language == language
    monkeypatch.setenv("CARDLAB_LANGUAGE", "ru")
    assert usual_language() == "ru"
    assert cardlab.step("suicide_king", language="en").desk.words.language == "en"


def test_bad_options_are_refused_before_anything_is_shown() -> None:
    for options in ({"players": 9}, {"seat": 7}, {"language": "de"}, {"policy": "best"}, {"pace": "fast"}, {"seed": -1}, {"stake": 4}):
        with pytest.raises((cardlab.BadGame, cardlab.BadRequest)):
            cardlab.step("suicide_king", **options)  # type: ignore[arg-type]
