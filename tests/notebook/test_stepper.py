"""The stepper, driven as a cell drives it and as a browser does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ipywidgets as w
import pytest
from watch import Watched, plain, press, turn_to

import cardlab
from cardlab import GAMES, OVER, PLAYERS, TEACHER, Record, Scripted, Seat, Session, game
from cardlab.desk import Desk
from cardlab.notebook import Stepper, usual_language
from cardlab.notebook.html import LOG_ROWS
from cardlab.notebook.stepper import MOST_BUTTONS
from cardlab.words import LANGUAGES, Words

SHORT: dict[str, dict[str, Any]] = {"suicide_king": {}, "fight_for_the_lead": {"deals": 2}, "poker_marshal": {"deals": 1}}
every_game = pytest.mark.parametrize("name", list(GAMES))


def shown(stepper: Stepper) -> list[str]:
    """What can be read on the stepper at this moment."""
    return [stepper.table.value, stepper.log.value, stepper.ahead.value, stepper.hint.value, stepper.of.value]


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
    assert plain(stepper.ahead.value).endswith(stepper.desk.result())
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
    for button in ("step", "play", "finish", "mine", "choose"):
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
        assert str(n) in plain(stepper.of.value)
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
    english = watched.state()
    for _ in range(2):
        turn_to(stepper.inputs["language"], index=1)
        assert stepper.desk.words.language == "ru"
        assert (stepper.desk.at, stepper.desk.viewer) == (9, Seat(1))
        russian = watched.state()
        turn_to(stepper.inputs["language"], index=0)
        assert watched.state() == english
    assert russian != english


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_texts_are_in_the_language(name: str, language: str) -> None:
    """No key of a catalogue is left, and in Russian no English word; the keys of house rules are names, and stay as they are."""
    stepper = cardlab.step(name, seed=7, language=language, **SHORT[name])
    for _ in range(40):
        stepper.buttons["step"].click()
        said = [plain(piece) for piece in shown(stepper)] + [plain(stepper.rules.value), *stepper.more.titles]
        said += [button.description for button in stepper.buttons.values()]
        for field in (*stepper.inputs.values(), stepper.number):
            said += [field.description, *(label for label, _ in getattr(field, "options", ()))]
        for house in stepper.form.house.values():
            said += [plain(house.about.value), plain(house.note.value)]
            said += [label for label, _ in house.word.options] if house.word is not None else []
        told = " ".join(said)
        assert not re.search(r"\b(screen|stepper|scene|event|rule|phase|action|house|player|viewer|error)\.[a-z0-9]", told)
        if language == "ru":
            told = re.sub("|".join(stepper.form.house), "", told)
            assert set(re.findall(r"[A-Za-z]{3,}", told)) <= {"English", "Pagat", "seed"}


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
    assert stepper.rules.value.count("FL-") > 19
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
        assert right in plain(stepper.strip.value)
        assert 'role="alert"' in stepper.strip.value
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
    assert stepper.error == stepper.strip.value == ""
    assert stepper.session.seed == 8


def test_own_moves_are_buttons_and_those_of_others_are_not_shown() -> None:
    stepper = cardlab.step("fight_for_the_lead", players=3, seed=7, seat=2)
    stepper.buttons["mine"].click()
    assert stepper.session.actor == Seat(2)
    assert [button.tooltip for button in stepper.moves.children] == [str(action) for action in stepper.session.legal]
    stepper.moves.children[1].click()
    assert stepper.session.steps[-1].action.verb == "fight"
    stepper.buttons["undo"].click()
    stepper.buttons["undo"].click()
    assert stepper.session.actor == Seat(1)
    assert stepper.moves.children == ()
    assert stepper.desk.words.text("screen.moves_hidden") in stepper.hint.value
    stepper.inputs["viewpoint"].value = "1"
    assert len(stepper.moves.children) == 4


def test_to_my_turn_is_offered_to_a_seat_alone() -> None:
    stepper = cardlab.step("suicide_king", seed=7, seat=0)
    assert stepper.buttons["mine"].layout.display == ""
    for viewpoint in ("teacher", "spectator"):
        stepper.inputs["viewpoint"].value = viewpoint
        assert stepper.buttons["mine"].layout.display == "none"
        stepper.buttons["mine"].click()
        assert stepper.desk.at == 0


def test_many_moves_are_a_list() -> None:
    stepper = cardlab.step("poker_marshal", seed=7, policy="still")
    while stepper.session.game.phase(stepper.session.state) != "offers":
        stepper.buttons["step"].click()
    assert stepper.moves.children == ()
    assert len(stepper.select.options) == len(stepper.session.legal) > 40
    stepper.select.index = 5
    token = str(stepper.session.legal[5])
    stepper.buttons["choose"].click()
    assert str(stepper.session.steps[-1].action) == token
    assert stepper.select.options == ()  # what is to be laid beside it are a few cards
    assert [button.tooltip for button in stepper.moves.children] == [str(action) for action in stepper.session.legal]


def test_a_second_click_does_not_move_for_the_next_player() -> None:
    """Two fast clicks reach Python one after the other, both from the button that was there at the first."""
    stepper = cardlab.step("suicide_king", players=3, seed=7, first_dealer=0)
    stepper.buttons["step"].click()
    pile = stepper.moves.children[2]
    press(pile)
    press(pile)
    assert stepper.desk.at == 2  # one card reached for, not shown yet
    stepper.buttons["step"].click()
    press(pile)
    assert stepper.desk.at == 3
    assert stepper.error == ""


@every_game
def test_stepping_makes_no_pile_of_widgets(name: str) -> None:
    watched = Watched(name, seed=7, **SHORT[name])
    stepper = watched.stepper
    stepper.buttons["finish"].click()
    turn_to(stepper.slider, value=0)
    for _ in range(len(stepper.desk)):
        stepper.buttons["step"].click()
    assert sum(isinstance(widget, w.Button) for widget in watched.widgets) <= len(stepper.buttons) + 2 * MOST_BUTTONS
    for k in (0, 1, 2, 0):
        stepper.inputs["game"].value = list(GAMES)[k]
    boxes = [field.box for field in stepper.form.house.values()]
    assert stepper.form.fields.children == tuple(boxes)
    assert sum(hasattr(widget, "children") for widget in watched.widgets) < 40  # those of the other games are closed


def test_the_log_has_step_numbers_sentences_and_rules() -> None:
    stepper = cardlab.step("suicide_king", seed=7)
    assert stepper.desk.words.text("screen.log_empty") in stepper.log.value
    for _ in range(12):
        stepper.buttons["step"].click()
    for row in stepper.desk.log():
        assert f'<span class="cl-n">{row.step}</span>' in stepper.log.value
        assert row.text in plain(stepper.log.value)
        assert f">{row.rule}</abbr>" in stepper.log.value
    rule = stepper.desk.words.text("rule.SK-5")
    assert f'title="{rule}"' in stepper.log.value
    newest = [row for row in stepper.desk.log() if row.step == 12]
    assert stepper.log.value.count("cl-new") == len(newest) > 0


def test_a_long_log_stays_a_light_message() -> None:
    stepper = cardlab.step("poker_marshal", seed=7, policy="still", deals=6)
    stepper.buttons["finish"].click()
    rows = stepper.desk.log()
    assert len(rows) > 3 * LOG_ROWS
    assert stepper.log.value.count('class="cl-n"') == LOG_ROWS
    assert rows[-1].text in plain(stepper.log.value)
    assert stepper.desk.words.text("stepper.earlier") in plain(stepper.log.value)
    assert len(stepper.log.value) < 40_000


def test_the_chances_are_exact_and_grouped() -> None:
    session = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted("KC", fill=True))
    session.play()
    session.play("take 0")
    stepper = Stepper(session)
    assert "52 outcomes, each 1/52 (1.9\N{NO-BREAK SPACE}%) exact" in plain(stepper.ahead.value)
    assert "10♥" in stepper.ahead.value
    stepper.inputs["language"].value = "ru"
    assert "52\N{NO-BREAK SPACE}исхода, каждый 1/52 (1,9\N{NO-BREAK SPACE}%) точно" in plain(stepper.ahead.value)
    stepper.buttons["step"].click()
    assert "1/52" not in stepper.ahead.value


def test_the_table_is_a_picture_or_a_text() -> None:
    stepper = cardlab.step("poker_marshal", seed=7)
    assert "<svg" in stepper.table.value
    stepper.inputs["picture"].value = "text"
    assert "<svg" not in stepper.table.value
    assert plain(stepper.table.value) == re.sub(r"[ \n]+", " ", stepper.desk.table()).strip()


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
    stepper = cardlab.step(Record.loads(session.record.dumps()), language="ru", seat=4)  # type: ignore[arg-type]
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
    assert Words().show(richest) in stepper.table.value
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
