"""Hostile records: each is refused with the number of the line and one sentence in both languages, and nothing else is raised."""

from __future__ import annotations

import json
import random
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlab import GAMES, BadRecord, Record, Scripted, Session, game
from cardlab.words import LANGUAGES, Words

HEADER = {
    "cardlab": 1, "game": "suicide_king", "version": 1, "players": 2,
    "rules": {
        "first_dealer": 0, "last_player": "loses", "king_of_hearts": "deal_goes_on", "extra_cards": "reset", "next_dealer": "rotates",
    },
    "seed": 7, "index": 0,
}  # fmt: skip
ACTIONS = [{"by": "chance", "do": "shuffle"}, {"by": 1, "do": "take 0"}, {"by": "chance", "do": "card 5C"}, {"by": 0, "do": "take 4"}]


def text_of(*lines: Any) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


WHOLE = text_of(HEADER, *ACTIONS, {"end": 4})


def header(**changed: Any) -> str:
    return text_of({**HEADER, **changed}, {"end": 0})


def house(**changed: Any) -> str:
    return header(rules={**HEADER["rules"], **changed})  # type: ignore[dict-item]


def after(n: int, *lines: Any) -> str:
    """The header, n actions, then some lines."""
    return text_of(HEADER, *ACTIONS[:n], *lines)


def refused(text: str | bytes, line: int, *named: str) -> BadRecord:
    """Demands a refusal of that line in one sentence of each language; the English one names some words."""
    with pytest.raises(BadRecord) as caught:
        Record.loads(text)
    fault = caught.value
    assert fault.line == line
    for language, start in (("en", "Line"), ("ru", "Строка")):
        said = fault.say(Words(language))
        assert said.startswith(f"{start} {line}: ")
        assert said.endswith(".")
        assert not re.search(r"[.!?]\s+[A-ZА-ЯЁ]", said), said  # one sentence
        assert len(said) < 500
        assert re.sub("[\N{NO-BREAK SPACE}\N{VARIATION SELECTOR-15}]", "", said).isprintable()  # also: no half of a surrogate pair
    for word in named:
        assert word in str(fault)
    return fault


def test_the_whole_record_is_read() -> None:
    record = Record.loads(WHOLE)
    assert record.dumps() == WHOLE
    assert [str(action) for _, action in record.actions] == ["shuffle", "take 0", "card 5C", "take 4"]


# cut off, or with something added


@pytest.mark.parametrize("text", ["", b""])
def test_an_empty_record(text: str | bytes) -> None:
    refused(text, 1, "empty")


def test_cut_off_at_every_byte() -> None:
    whole = WHOLE.encode()
    for n in range(len(whole)):
        part = whole[:n]
        if n == len(whole) - 1:
            assert Record.loads(part) == Record.loads(whole)  # only the last line end is missing
        else:
            whole_lines = part.count(b"\n") + (n > 0 and whole[n : n + 1] == b"\n")
            refused(part, whole_lines + 1)


@pytest.mark.parametrize("n", range(5))
def test_without_the_closing_line(n: int) -> None:
    refused(after(n), n + 2, "breaks off")


@pytest.mark.parametrize("end", [0, 3, 5, -4, 4.0, "4", True, None, [4], {"end": 4}, 10**20])
def test_with_another_count(end: Any) -> None:
    refused(after(4, {"end": end}), 6, "closing line")


def test_a_closing_line_that_says_more() -> None:
    refused(after(4, {"end": 4, "by": 0}), 6)
    refused(after(4, {"end": 4, "sum": 9}), 6)


def test_true_is_not_one_action() -> None:
    refused(after(1, {"end": True}), 3)


@pytest.mark.parametrize("line", ["", " ", "{}", '{"end": 4}', '{"by": "chance", "do": "card 6C"}', "# the end", "\x00", "null"])
def test_lines_after_the_end(line: str) -> None:
    refused(WHOLE + line + "\n", 7, "follows")
    if line:
        refused(WHOLE + line, 7, "follows")


def test_a_closing_line_before_the_last_action() -> None:
    refused(text_of(HEADER, *ACTIONS[:2], {"end": 2}, *ACTIONS[2:]), 5, "follows")


def test_more_actions_than_the_game_has() -> None:
    played = Session(game("suicide_king", players=2, first_dealer=0), dealer=Scripted(["KH"]))
    played.auto("still", until="game")
    *lines, _ = played.record.dumps().splitlines()
    assert Record.loads(text_of(*lines, {"end": 3})).session().outcome is not None
    refused(text_of(*lines, {"by": 0, "do": "take 0"}), 5, "over")


# actions


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ({"by": 1, "do": "take 5"}, "SK-5"),
        ({"by": 1, "do": "take 4294967296"}, "is not an action"),
        ({"by": 1, "do": "take -1"}, "is not an action"),
        ({"by": 1, "do": "pass"}, "SK-5"),
        ({"by": 1, "do": "take"}, "SK-5"),
        ({"by": 1, "do": "take KH"}, "SK-5"),
        ({"by": 1, "do": "take 0 1"}, "card"),
        ({"by": 1, "do": "Take 0"}, "is not an action"),
        ({"by": 1, "do": "take  0"}, "is not an action"),
        ({"by": 1, "do": "take 0 "}, "is not an action"),
        ({"by": 1, "do": "take 0\n"}, "is not an action"),
        ({"by": 1, "do": "take ٠"}, "is not an action"),
        ({"by": 1, "do": "\ud800"}, "is not an action"),
        ({"by": 1, "do": ""}, "is not an action"),
        ({"by": 1, "do": "take 0" + " KH" * 40}, "is not an action"),
        ({"by": 1, "do": "take XX"}, "card"),
        ({"by": 1, "do": 0}, "do must be text"),
        ({"by": 1, "do": None}, "do must be text"),
        ({"by": 1, "do": ["take 0"]}, "do must be text"),
        ({"by": 1}, "by and do"),
        ({"do": "take 0"}, "by and do"),
        ({"by": 1, "do": "take 0", "why": "luck"}, "by and do"),
        ({}, "by and do"),
        ({"by": 0, "do": "take 0"}, "by must be 1"),
        ({"by": "chance", "do": "take 0"}, "by must be 1"),
        ({"by": "1", "do": "take 0"}, "by must be 1"),
        ({"by": True, "do": "take 0"}, "by must be 1"),
        ({"by": 1.0, "do": "take 0"}, "by must be 1"),
        ({"by": None, "do": "take 0"}, "by must be 1"),
        ({"by": -1, "do": "take 0"}, "by must be 1"),
        ({"by": 2, "do": "take 0"}, "by must be 1"),
        ({"by": [1], "do": "take 0"}, "by must be 1"),
        ({"by": "teacher", "do": "take 0"}, "by must be 1"),
        ([1, "take 0"], "not an object"),
        ('"take 0"', "not an object"),
        ("take 0", "not JSON"),
        ("{'by': 1, 'do': 'take 0'}", "not JSON"),
        ('{"by": 1, "do": "take 0"', "not JSON"),
        ('{"by": 1, "do": "take 0"}}', "not JSON"),
        ('{"by": 1, "do": "take 0"}{"by": "chance", "do": "card 5C"}', "not JSON"),
        ('{"by": 1, "by": 1, "do": "take 0"}', "no name twice"),
        ('{"by": 1, "do": "take 5", "do": "take 0"}', "no name twice"),
        ("", "not JSON"),
        ("// a comment", "not JSON"),
        ('\ufeff{"by": 1, "do": "take 0"}', "not JSON"),
        ('{"by": 1, "do": "take 0\x00"}', "not JSON"),
        ("\x00" * 30, "not JSON"),
        ('{"by": Infinity, "do": "take 0"}', "by must be 1"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_legal_action(line: Any, named: str) -> None:
    refused(after(1, line, {"end": 2}), 3, named)


def test_a_card_twice() -> None:
    refused(after(4, {"by": "chance", "do": "card 5C"}, {"end": 5}), 6, "SK-0", "card 5C")
    assert Record.loads(after(4, {"by": "chance", "do": "card 6C"}, {"end": 5})).actions[-1][0] == "chance"


def test_an_illegal_move_in_each_game_names_its_rule() -> None:
    fight = game("fight_for_the_lead", players=2, first_dealer=1)
    session = Session(fight, dealer=Scripted("KH 2C 7H 3C 4D 5D 6D 8D 9H", fill=True))
    session.auto("still", until="phase")
    for token in ("fight 4D", "fight 2C"):
        session.play(token)
    session.auto("still", until="move")
    while session.game.phase(session.state) != "tricks":
        session.auto("still")
    first = session.legal[0]
    session.play(first)
    *lines, _ = session.record.dumps().splitlines()
    follower = int(session.actor)  # type: ignore[arg-type]
    refused(text_of(*lines, {"by": follower, "do": "play AS"}), len(lines) + 1, "FL-10")
    marshal = Session(game("poker_marshal"), seed=1)
    marshal.auto("still", until="phase")
    marshal.auto("still", until="phase")
    *lines, _ = marshal.record.dumps().splitlines()
    seat = int(marshal.actor)  # type: ignore[arg-type]
    refused(text_of(*lines, {"by": seat, "do": "lay JK1"}), len(lines) + 1, "PM-6")
    refused(text_of(*lines, {"by": seat, "do": "keep"}), len(lines) + 1, "PM-4")


# the header


@pytest.mark.parametrize("line", ["null", "1", '"cardlab"', "[]", "[1, 2]", "true", "NaN"])
def test_a_header_that_is_no_object(line: str) -> None:
    refused(text_of(line, {"end": 0}), 1, "not an object")


def test_a_header_that_is_missing() -> None:
    refused(text_of(*ACTIONS, {"end": 4}), 1, "header")
    refused("\n" + WHOLE, 1)


@pytest.mark.parametrize("name", HEADER)
def test_a_name_of_the_header_is_missing_or_stands_twice(name: str) -> None:
    short = {key: value for key, value in HEADER.items() if key != name}
    refused(text_of(short, {"end": 0}), 1, name)
    twice = json.dumps(HEADER)[:-1] + f', "{name}": {json.dumps(HEADER[name])}' + "}"
    refused(text_of(twice, {"end": 0}), 1, "no name twice")


def test_a_name_too_many() -> None:
    refused(header(preset="pagat"), 1)
    refused(header(**{"": 0}), 1)


@pytest.mark.parametrize("value", [0, 2, -1, "1", 1.0, True, None, [], {}, 10**30])
def test_another_schema(value: Any) -> None:
    refused(header(cardlab=value), 1, "format")


@pytest.mark.parametrize("value", [0, 2, -1, "1", 1.0, True, None, [], {}, 10**30])
def test_another_version_of_the_game(value: Any) -> None:
    refused(header(version=value), 1, "version")


@pytest.mark.parametrize("value", ["whist", "", "Suicide_King", "suicide_king ", "\ud800", "x" * 900, None, 0, [], {}, ["suicide_king"]])
def test_an_unknown_game(value: Any) -> None:
    refused(header(game=value), 1, "no game", "suicide_king")


@pytest.mark.parametrize("value", [0, 1, 6, -2, 4.0, True, "4", [], {}, [2], 10**30, 2.5])
def test_a_wrong_number_of_players(value: Any) -> None:
    refused(header(players=value), 1, "SK-0", "players")


def test_no_number_of_players() -> None:
    refused(header(players=None), 1, "players")  # null is no way to say the usual number


@pytest.mark.parametrize("name", ["seed", "index"])
@pytest.mark.parametrize("value", [True, False, 7.0, 1e3, "7", -1, 2**64, 10**90, [], {}, [7]])
def test_a_seed_or_an_index_of_another_kind_or_out_of_range(name: str, value: Any) -> None:
    refused(header(**{name: value}), 1, name, "whole number")


def test_seeds_that_are_right_and_a_missing_index() -> None:
    for value in (0, 2**64 - 1, None):
        assert Record.loads(header(seed=value)).seed == value
    refused(header(index=None), 1, "index")
    for number in ("NaN", "Infinity", "-Infinity", "1e400", "7e0", "07", "0x7", "+7", "7_0", "--7"):
        refused(header().replace('"seed": 7', f'"seed": {number}'), 1)


@pytest.mark.parametrize("digits", [60, 3_000, 3_900])
def test_whole_numbers_of_many_digits(digits: int) -> None:
    for name in ("seed", "index", "cardlab", "version", "players"):
        refused(header().replace(f'"{name}": {HEADER[name]}', f'"{name}": {"9" * digits}'), 1)
    refused(house(first_dealer=0).replace('"first_dealer": 0', f'"first_dealer": {"9" * digits}'), 1)
    refused(after(1, f'{{"by": {"9" * digits}, "do": "take 0"}}'), 3)
    refused(after(4, f'{{"end": {"9" * digits}}}'), 6)


def test_a_whole_number_of_ten_thousand_digits_is_too_long_a_line() -> None:
    refused(header().replace('"seed": 7', f'"seed": {"9" * 10_000}'), 1, "10\N{NO-BREAK SPACE}226 characters")
    refused(after(4, f'{{"end": {"9" * 10_000}}}'), 6)


# house rules


def test_a_house_rule_unknown_or_missing() -> None:
    refused(house(stake=4), 1, "house rules")
    refused(house(players=2), 1, "house rules")
    refused(house(preset="pagat"), 1, "house rules")
    for key in HEADER["rules"]:  # type: ignore[attr-defined]
        rules = {name: value for name, value in HEADER["rules"].items() if name != key}  # type: ignore[attr-defined]
        refused(header(rules=rules), 1, key)


@pytest.mark.parametrize("rules", [None, [], "default", 0, True, {}, [["first_dealer", 0]]])
def test_house_rules_that_are_no_object(rules: Any) -> None:
    refused(header(rules=rules), 1, "house rules")


@pytest.mark.parametrize("name", GAMES)
def test_a_house_rule_of_a_wrong_kind_or_value(name: str) -> None:
    right = json.loads(Session(game(name), seed=1).record.dumps().splitlines()[0])
    for key, allowed in GAMES[name].rules_type.options().items():
        wrong: list[Any] = [None, True, False, 1.0, 4.0, "no such word", "", [], {}, [4], -1, "-1", "\ud800", "x" * 3000, 10**100]
        wrong += ["0", "4", "8", "10"]  # right on a command line, but no value of a record
        wrong += [] if allowed.least is None else [allowed.least - 1, allowed.least + 0.5]
        wrong += [allowed.least + 1] if allowed.multiple_of > 1 else []  # type: ignore[operator]
        wrong += [99] if allowed.least is None else []
        wrong += [word.upper() for word in allowed.words]
        for value in wrong:
            refused(text_of({**right, "rules": {**right["rules"], key: value}}, {"end": 0}), 1, key)


def test_a_bankroll_below_the_stake() -> None:
    right = json.loads(Session(game("fight_for_the_lead"), seed=1).record.dumps().splitlines()[0])
    refused(text_of({**right, "rules": {**right["rules"], "stake": 8, "bankroll": 4}}, {"end": 0}), 1, "bankroll")


# bytes


@pytest.mark.parametrize(
    "data", [b"\xff", b"\x80abc", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\xaf", "Ж".encode("cp1251")]
)
def test_not_utf_8(data: bytes) -> None:
    whole = WHOLE.encode()
    refused(data + whole, 1, "UTF-8")
    refused(whole.replace(b"take 0", b"take " + data), 3, "UTF-8")
    refused(whole + data, 7)
    refused(whole.decode().encode("utf-16"), 1, "UTF-8")


def test_half_of_a_surrogate_pair_in_a_text() -> None:
    refused(WHOLE.replace("take 0", "take \ud800"), 3, "UTF-8")
    refused("\udfff" + WHOLE, 1, "UTF-8")


def test_a_byte_order_mark_at_the_start_is_no_fault() -> None:
    right = Record.loads(WHOLE)
    assert Record.loads(b"\xef\xbb\xbf" + WHOLE.encode()) == right
    assert Record.loads("\ufeff" + WHOLE) == right
    refused("\ufeff\ufeff" + WHOLE, 1, "not JSON")
    refused("\ufeff", 1)


def test_line_ends_of_windows_are_no_fault() -> None:
    assert Record.loads(WHOLE.replace("\n", "\r\n")) == Record.loads(WHOLE)
    assert Record.loads(WHOLE.replace("\n", "\r\n").encode()) == Record.loads(WHOLE)
    refused(WHOLE.replace("\n", "\r"), 1, "not JSON")  # one line
    refused(WHOLE.replace("take 0", "take 5").replace("\n", "\r\n"), 3, "SK-5")


def test_other_line_separators_part_nothing() -> None:
    for separator in ("\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"):
        refused(WHOLE.replace("\n", separator), 1)


# size and depth


@pytest.mark.parametrize("filler", ["x", " ", "[", "{", '{"a":', "9", '"', "\\"])
def test_a_line_of_50_megabytes_is_refused_unread(filler: str) -> None:
    for number, start in ((1, ""), (3, text_of(HEADER, ACTIONS[0]))):
        text = start + filler * (50_000_000 // len(filler))
        data = text.encode()
        for hostile in (text, data):
            began = time.process_time()
            refused(hostile, number, "50")
            assert time.process_time() - began < 2


def test_50_megabytes_of_line_ends_are_refused_at_the_first() -> None:
    began = time.process_time()
    refused("\n" * 50_000_000, 1)
    refused(WHOLE + "\n" * 50_000_000, 7)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("depth", [2, 10, 100, 300, *range(850, 1000, 5), 1500, 1990])
def test_deep_nesting(depth: int) -> None:
    for name in HEADER:
        deep = json.dumps(HEADER[name])
        refused(header().replace(f'"{name}": {deep}', f'"{name}": {"[" * depth}{"]" * depth}'), 1)
    refused(house().replace('"rotates"', "[" * depth + "]" * depth), 1)
    refused(after(1, f'{{"by": {"[" * depth}{"]" * depth}, "do": "take 0"}}'), 3)
    refused(after(1, "[" * depth), 3)
    nested = '{"a":' * (depth // 3) + "0" + "}" * (depth // 3)
    refused(after(1, nested), 3)
    refused(after(1, f'{{"by": {nested}, "do": "take 0"}}'), 3)
    refused(after(1, f'{{"end": {nested}}}'), 3)


# anything else


def valid(name: str, seed: int) -> bytes:
    session = Session(game(name, **({} if name == "suicide_king" else {"deals": 1})), seed=seed)
    session.auto("random", until="deal")
    return session.record.dumps().encode()


VALID = [valid(name, seed) for name in GAMES for seed in (1, 2)] + [WHOLE.encode()]
SCRAPS = [
    *(b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b'"', b"{", b"}", b"[", b",", b":", b" ", b"\\u0000", b"\\ud800", b"\\"),
    *(b"1e9", b"-0", b"null", b"true", b"NaN", b'"end"', b'{"end": 0}\n', b"KH", b"JK1", b"10S", b"take", b"chance", b"9" * 40),
]


def loads_or_refuses(data: bytes) -> bool:
    """Whether the data are a record; then it is written and read alike. Any other exception than BadRecord is a failure."""
    refusal = None
    try:
        record = Record.loads(data)
    except BadRecord as fault:
        refusal = fault
    if refusal is None:
        assert Record.loads(record.dumps()) == record
        assert record.session().record == record
        return True
    assert 1 <= refusal.line <= data.count(b"\n") + 2
    assert all(refusal.say(Words(language)).encode() for language in LANGUAGES)
    return False


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The data with one to three small changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = changed(data, rng) or data
    return data


def changed(data: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, taken out, doubled or put in, a piece left out, lines left out, exchanged or doubled."""
    at, to = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    near = min(at + rng.randrange(1, 12), len(data))
    lines = data.splitlines(keepends=True)
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(10):
        case 0:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(7)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[near:]
        case 3:
            return data[:near] + data[at:]
        case 4:
            return data[:at] + rng.choice(SCRAPS) + data[at:]
        case 5:
            return data[:at] + rng.choice(SCRAPS) + data[near:]
        case 6:
            return data[:at] + data[to:]
        case 7:
            lines[one] = b""
        case 8:
            lines[one] = lines[two]
        case 9:
            lines[one] *= 2
    return b"".join(lines)


def try_mutations(tries: int, seed: int) -> int:
    rng = random.Random(seed)
    return sum(loads_or_refuses(mutated(rng.choice(VALID), rng)) for _ in range(tries))


def test_a_valid_record_with_some_bytes_changed() -> None:
    """Nothing but BadRecord; now and then the change does not matter, or makes another game that could be played."""
    assert all(loads_or_refuses(data) for data in VALID)
    assert 0 < try_mutations(3_000, seed=1) < 600


@pytest.mark.slow
def test_a_valid_record_with_some_bytes_changed_in_the_full_size() -> None:
    assert 0 < try_mutations(50_000, seed=2) < 10_000


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_at_all(data: bytes) -> None:
    assert not loads_or_refuses(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "chance", "take 0", "\ud800", "lot", "loses"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["by", "do", "end", "seed", ""]), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from([*HEADER, *HEADER["rules"], "by", "do", "end"]), JSON)  # type: ignore[misc]
def test_any_json_value_anywhere(name: str, value: Any) -> None:
    changed = {**HEADER, name: value} if name in HEADER else HEADER
    if name in HEADER["rules"]:  # type: ignore[operator]
        changed = {**HEADER, "rules": {**HEADER["rules"], name: value}}  # type: ignore[dict-item]
    lines = [{**line, name: value} if name in line else line for line in (*ACTIONS, {"end": 4})]
    loads_or_refuses(text_of(changed, *lines).encode())
