"""The catalogues: every key of the code in both languages, alike in both, and Russian that counts as Russians do."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

import cardlab
from cardlab import GAMES, PLAYERS, BadGame, BadRequest, Record, Session, game
from cardlab.cards import parse_cards
from cardlab.core.events import EVENT_TYPES, TEACHER, Now, Seat
from cardlab.core.game import CHANCE, OVER, AnyGame
from cardlab.games import FightForTheLead, PokerMarshal
from cardlab.games.fight_state import Size as FightSize
from cardlab.games.marshal_state import Size as MarshalSize
from cardlab.testing.houses import every_single
from cardlab.words import LANGUAGES, LOCALE, MissingText, Words, catalogue

Texts = dict[str, tuple[str, ...]]  # of one language: each key with its sentence, or with one for each plural form
SOURCE = Path(cardlab.__file__).parent
NO_BREAK = "\N{NO-BREAK SPACE}"

# Keys that the code puts together from names it knows: here they are put together anew, and nothing else may stand under these heads.
KNOWN_BY_NAME = (
    "action", "count", "event", "game", "house", "name", "phase", "player", "preset", "rule", "rulebook", "suit", "title", "turn", "value",
)  # fmt: skip
COUNTED = ("card", "trick", "deal", "stake", "joker", "player", "world", "step")

# Placeholders that a call offers and a sentence may leave out, with the reason.
UNTOLD = {
    "event.game_over": {"why"},  # it is in the key
    "event.first_dealer": {"lot"},  # it is in the key
    "event.fight.sealed": {"choice"},  # it is in the key
    "event.fight.trick_won": {"tricks"},  # said as n
    "event.suicide_king.chose.middle": {"pile"},  # it is in the key
    "event.suicide_king.took": {"pile"},  # said one row before
    "event.marshal.answered.silent": {"card"},  # there is none
    "event.marshal.shuffled_back": {"cards"},  # there may be 52
    "event.marshal.shortfall": {"cards"},  # hidden from most
    "action": {"cards", "seat"},  # offered to every action
    "allowed.number": {"multiple"},
    "error.players_exactly": {"most"},
}
ITS_OWN_NAME = {"screen.language.en", "screen.language.ru"}  # a language is called by its own name in both


def read(language: str) -> Texts:
    """All that the .po files of a language hold."""
    texts: Texts = {}
    for path in sorted((LOCALE / language / "LC_MESSAGES").glob("*.po")):
        for message in read_po(path.open("rb")):
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                assert key not in texts, f"{key} stands in two files"
                texts[key] = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    return texts


@pytest.fixture(scope="module")
def texts() -> dict[str, Texts]:
    return {language: read(language) for language in LANGUAGES}


def names_in(form: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(form) if name is not None)


def faults(texts: Mapping[str, Texts], wanted: set[str]) -> list[str]:
    """What is wrong with the catalogues, a line a fault."""
    found = [f"{language} lacks {key}" for language in LANGUAGES for key in sorted(wanted - set(texts[language]))]
    keys = set.union(*(set(texts[language]) for language in LANGUAGES))
    for key in sorted(keys):
        there = [language for language in LANGUAGES if key in texts[language]]
        found += [f"only {there[0]} has {key}"] if len(there) == 1 else []
        if len({names_in(form) for language in there for form in texts[language][key]}) != 1:
            found.append(f"{key}: not the same placeholders in all forms")
        for language in there:
            found += [f"{language} {key}: {fault}" for form in texts[language][key] for fault in faults_of_form(language, key, form)]
    return found


def faults_of_form(language: str, key: str, form: str) -> Iterator[str]:
    bare = re.sub(r"\{[a-z_]*\}", "", form)
    latin, cyrillic = re.search("[A-Za-z]", bare), re.search("[А-яЁё]", bare)
    if not form.strip() or form != form.strip():
        yield "empty, or space at an end"
    if "" in names_in(form):
        yield "a placeholder without a name"
    if re.search("[♠♣♥♦](?!\N{VARIATION SELECTOR-15})|[\U0001f0a0-\U0001f0ff]", form):
        yield "a suit sign or a card picture"
    if language == "en" and cyrillic and key not in ITS_OWN_NAME:
        yield "Russian letters"
    if language == "ru" and key not in ITS_OWN_NAME:
        if latin and not cyrillic:
            yield "not in Russian"
        if english := re.search("[A-Za-z][a-z]* [a-z]{2,}", bare):  # single words are names of keys, files and the like
            yield f"in English: {english[0]}"
        if re.search(r"(\d|\{n\}) (?!до |и |или )[а-яё]| %", form):
            yield "a space that may break"


# What the code says


def parsed() -> Iterator[ast.Module]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


KEY = re.compile(r"[a-z_]+(\.[A-Za-z0-9_-]+)+")


def constants(node: ast.expr) -> list[str]:
    """The strings that an expression may be, where it says so itself."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def calls() -> Iterator[tuple[str, frozenset[str] | None]]:
    """Every call that names a key, with the placeholders it offers; ``None`` where it passes on what it got."""
    for module in parsed():
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func)
            says = name.split(".")[-1] == "text" or name in ("Phrase.of", "Reason.of") or re.search(r"(Bad[A-Z]|NothingTo)\w+$", name)
            if not says or (name == "Reason.of" and len(node.args) < 2):
                continue
            at, prefix = (1, "why.") if name == "Reason.of" else (0, "")
            offered = {keyword.arg for keyword in node.keywords}
            for constant in constants(node.args[at]):
                if KEY.fullmatch(prefix + constant):
                    yield prefix + constant, None if None in offered else frozenset(str(name) for name in offered)


def literals(heads: set[str]) -> set[str]:
    """All strings in the code that look like a key under one of these heads."""
    strings = {
        node.value for module in parsed() for node in ast.walk(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {
        text
        for text in strings
        if KEY.fullmatch(text) and text.split(".")[0] in heads and Path(text).suffix not in (".py", ".js", ".json", ".css")
    }


def patterns() -> list[re.Pattern[str]]:
    """The f-strings in the code that look like a key, with anything in their gaps."""
    found = []
    for module in parsed():
        for node in ast.walk(module):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
                found.append(re.compile("".join(parts)))
    return [pattern for pattern in found if re.match(r"[a-z_]+\\\.", pattern.pattern)]


def known_by_name() -> set[str]:
    """The keys under the heads of KNOWN_BY_NAME, actions and events left out: those are collected from play."""
    keys = (
        {f"name.{k}" for k in range(5)}
        | {f"suit.{k}" for k in range(4)}
        | {f"suit.of.{k}" for k in range(4)}
        | {f"title.{k}" for k in range(5)}
    )
    keys |= {f"count.{thing}" for thing in COUNTED} | {"value.true", "value.false", "value.none"}
    keys |= {f"player.{name}" for name in PLAYERS} | {f"player.{name}.about" for name in PLAYERS}
    keys |= {f"turn.{turn.value}" for turn in (CHANCE, OVER)}
    for name, kind in GAMES.items():
        keys |= {f"game.{name}", f"rulebook.{name}.about"}
        keys |= {f"phase.{name}.{phase}" for phase in kind.phases}
        keys |= {f"rule.{rule}" for rule in game(name).rule_ids()}
        keys |= {f"preset.{name}.{preset}" for preset in kind.rules_type.presets}
        for key, allowed in kind.rules_type.options().items():
            kinds = ["seat"] * allowed.seat + ["number"] * (allowed.least is not None)
            keys |= {f"house.{name}.{key}"} | {f"house.{name}.{key}.{value}" for value in (*allowed.words, *kinds)}
    return keys


# What is said in play

TINY_FIGHT = FightSize(pack=parse_cards("2C 3C 4D 5D 6C"), hand=1, exchanges=1)  # the stock soon runs out
SMALL_FIGHT = FightSize(pack=parse_cards("2C 3C 4C 5C 6D 7D 8D 9D TH JH QH KS 2H 3H 4H 5S"))
SMALL_MARSHAL = MarshalSize(pack=parse_cards("2C 3C 4C 2D 3D 4D JK1 JK2 2H 3H 2S 3S"), hands=(3, 2, 2, 1, 1))  # ties, jokers, shortfalls


def variants() -> Iterator[tuple[AnyGame, int]]:
    """Games to be played, every house rule alone among them, and how many of each."""
    for name, kind in GAMES.items():
        for players in kind.player_counts:
            yield kind(players, **({} if name == "suicide_king" else {"deals": 2})), 1
        for rules in every_single(name, kind.player_counts[-1]):
            if rules.get("deals", 1) == 1:
                yield kind(kind.player_counts[-1], **({} if name == "suicide_king" else {"deals": 2}) | rules), 1
    yield FightForTheLead(2, size=TINY_FIGHT, deals=6), 12
    for players in (2, 3):
        yield FightForTheLead(players, size=SMALL_FIGHT, deals=6, refusal="pagat_dropout"), 12
    for rules in ({}, {"swap": "take_then_give", "offers": "ask_or_offer"}, {"title_tie": "incumbent"}):
        yield PokerMarshal(size=SMALL_MARSHAL, deals=3, **rules), 8
    yield PokerMarshal(size=SMALL_MARSHAL, deals=200, ends="streak"), 1


def told(played: AnyGame, seed: int) -> Iterator[str]:
    """All that is said in a game between random players: every action as on a button, every row of every viewer's log."""
    session = Session(played, seed=seed)
    viewers = (*played.seats, None, TEACHER)
    speakers = [Words(language) for language in LANGUAGES]
    while session.actor is not OVER:
        moves = session.legal
        actions = {*{move.verb: move for move in moves}.values(), *{move.verb: move for move in reversed(moves)}.values()}
        if session.actor is CHANCE:
            drawn = (session.expects(viewer) for viewer in (None, TEACHER))
            actions = {next(iter(dist)) for dist in drawn if dist is not None}
        yield from (played.say_action(action, words) for action in actions for words in speakers)
        session.step("random")
    yield from (row.text for viewer in viewers for language in LANGUAGES for row in session.log(viewer, language))


@pytest.fixture(scope="module")
def said() -> dict[str, set[frozenset[str]]]:
    """Every key said while the variants are played, with the placeholders that were offered."""
    keys: dict[str, set[frozenset[str]]] = defaultdict(set)
    say = Words.text

    def listening(self: Words, key: str, **params: Any) -> str:
        keys[key].add(frozenset(params))
        return say(self, key, **params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "text", listening)
        for played, times in variants():
            for seed in range(times):
                for sentence in told(played, seed):
                    assert sentence.strip()
    return keys


# The tests


def test_every_event_and_every_action_is_said_in_play_and_no_sentence_lies_idle(texts: dict[str, Texts], said: dict[str, Any]) -> None:
    spoken = {key for key in said if key.startswith(("event.", "action."))}
    assert spoken == {key for key in texts["en"] if key.startswith(("event.", "action."))}
    types = {kind for kind in EVENT_TYPES.values() if kind is not Now}  # the one event without a sentence
    assert {kind.key for kind in types if not any(key.startswith(f"event.{kind.key}") for key in spoken)} == set()
    verbs = {f"action.{name}.{verb}" for name, kind in GAMES.items() for verb in kind.verbs}
    assert verbs <= spoken


def test_the_catalogues_have_every_key_of_the_code_and_are_alike(texts: dict[str, Texts], said: dict[str, Any]) -> None:
    heads = {key.split(".")[0] for key in texts["en"]}
    wanted = known_by_name() | literals(heads) | {key for key, _ in calls()} | set(said)
    assert faults(texts, wanted) == []


def test_no_sentence_is_out_of_use(texts: dict[str, Texts], said: dict[str, Any]) -> None:
    used = known_by_name() | literals({key.split(".")[0] for key in texts["en"]}) | {key for key, _ in calls()} | set(said)
    shapes = patterns()
    idle = [
        key
        for key in texts["en"]
        if key not in used and (key.split(".")[0] in KNOWN_BY_NAME or not any(shape.fullmatch(key) for shape in shapes))
    ]
    assert idle == []


def test_every_place_of_use_offers_what_the_sentence_needs_and_little_more(texts: dict[str, Texts], said: dict[str, Any]) -> None:
    offers = [(key, names) for key, names in calls() if names is not None]
    offers += [(key, names) for key, all_names in said.items() for names in all_names]
    for key, names in offers:
        if key not in texts["en"]:
            continue  # told by the test of missing keys
        needed = names_in(texts["en"][key][0])
        assert needed <= names, f"{key} lacks {needed - names}"
        free = {"n"}.union(*(free for head, free in UNTOLD.items() if key.startswith(head)))
        free |= {"card", "cards", "laid"} if key.endswith(".hidden") else {"seats"} if key.endswith(".none") else set()
        assert names - needed <= free, f"{key} does not say {names - needed - free}"


def test_every_mo_is_what_its_po_gives(texts: dict[str, Texts]) -> None:
    spec = importlib.util.spec_from_file_location("build_words", SOURCE.parent / "tools" / "build_words.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.build(LOCALE, check=True) == []
    for language in LANGUAGES:
        plain = {key: forms for key, forms in texts[language].items() if len(forms) == 1}
        assert {key: catalogue(language).template(key) for key in plain} == {key: form for key, (form,) in plain.items()}


def tampered(texts: dict[str, Texts], language: str, key: str, *forms: str) -> dict[str, Texts]:
    """The catalogues with other forms for a key, or without it."""
    changed = {k: form for k, form in texts[language].items() if k != key} | ({key: forms} if forms else {})
    return {**texts, language: changed}


@pytest.mark.parametrize(
    ("language", "key", "forms", "fault"),
    [
        ("ru", "rule.SK-9", (), "ru lacks rule.SK-9"),
        ("en", "rule.SK-9", (), "en lacks rule.SK-9"),
        ("ru", "error.pace", ("Темпа {pace} нет.",), "error.pace: not the same placeholders"),
        ("ru", "count.card", ("{n}\u00a0карта", "{n}\u00a0карты", "карт"), "count.card: not the same placeholders"),
        ("en", "error.pace", ("There is no pace {}; choose one of {paces}.",), "a placeholder without a name"),
        ("ru", "rule.FL-11", ("There are no trumps.",), "not in Russian"),
        ("ru", "rule.FL-11", ("Козырей нет, no trumps.",), "in English: no trumps"),
        ("en", "rule.FL-11", ("Козырей нет.",), "Russian letters"),
        ("ru", "rule.FL-11", (" ",), "empty"),
        ("ru", "rule.FL-11", ("Козырей 0 %.",), "a space that may break"),
        ("ru", "rule.FL-11", ("Есть 4 масти.",), "a space that may break"),
        ("en", "rule.FL-11", ("No trumps, not even ♥.",), "a suit sign"),
        ("en", "rule.FL-11", ("No trumps, not even \U0001f0b1.",), "a suit sign or a card picture"),
        ("ru", "extra.key", ("Лишний ключ.",), "only ru has extra.key"),
    ],
)
def test_the_check_finds_a_planted_fault(texts: dict[str, Texts], language: str, key: str, forms: tuple[str, ...], fault: str) -> None:
    wanted = {"rule.SK-9", "rule.FL-11", "error.pace", "count.card"}
    before = faults(texts, wanted)
    planted = [line for line in faults(tampered(texts, language, key, *forms), wanted) if line not in before]
    assert any(fault in line for line in planted)


def test_a_sentence_never_falls_back_on_its_key() -> None:
    with pytest.raises(MissingText, match=r"ru: no text for 'rule\.SK-99'"):
        Words("ru").text("rule.SK-99")
    with pytest.raises(MissingText, match="lacks a value for 'paces'"):
        Words("en").text("error.pace", pace="slow")


# Counting

RUSSIAN_NUMBERS = {
    0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 11: 2, 12: 2, 14: 2, 21: 0, 22: 1, 25: 2, 100: 2, 101: 0, 111: 2, 112: 2, 121: 0, 1011: 2,
}  # fmt: skip
RUSSIAN_NOUNS = {
    "card": ("карта", "карты", "карт"),
    "trick": ("взятка", "взятки", "взяток"),
    "deal": ("сдача", "сдачи", "сдач"),
    "stake": ("ставка", "ставки", "ставок"),
    "joker": ("джокер", "джокера", "джокеров"),
    "player": ("игрок", "игрока", "игроков"),
    "world": ("расклад", "расклада", "раскладов"),
    "step": ("шаг", "шага", "шагов"),
}
# The first word after a number in the sentences: nominative, accusative, or genitive after "not more than".
AFTER_A_NUMBER = {
    *RUSSIAN_NOUNS.values(),
    ("карту", "карты", "карт"),
    ("взятку", "взятки", "взяток"),
    ("карты", "карт", "карт"),
    ("дополнительную", "дополнительные", "дополнительных"),
    ("закрытую", "закрытые", "закрытых"),
    ("вытянутая", "вытянутые", "вытянутых"),
    ("выигранная", "выигранные", "выигранных"),
    ("предложение", "предложения", "предложений"),
    ("знак", "знака", "знаков"),
    ("пункт", "пункта", "пунктов"),
}


@pytest.mark.parametrize("thing", COUNTED)
def test_counted_things(thing: str) -> None:
    for n, form in RUSSIAN_NUMBERS.items():
        shown = "1\u00a0011" if n == 1011 else str(n)
        assert Words("ru").text(f"count.{thing}", n=n) == f"{shown}{NO_BREAK}{RUSSIAN_NOUNS[thing][form]}"
        assert Words("en").text(f"count.{thing}", n=n) == f"{shown} {thing}{'' if n == 1 else 's'}"
    assert Words("ru").text(f"count.{thing}", n=1.5).endswith(NO_BREAK + RUSSIAN_NOUNS[thing][1])  # 1,5 карты
    assert Words("en").text(f"count.{thing}", n=1.5).endswith(f" {thing}s")


@pytest.mark.parametrize("domain", ["common", "suicide_king", "fight_for_the_lead", "poker_marshal"])
def test_russian_sentences_count_rightly_too(domain: str) -> None:
    for message in read_po((LOCALE / "ru" / "LC_MESSAGES" / f"{domain}.po").open("rb")):
        if isinstance(message.id, tuple):
            words = tuple(re.search(rf"\{{n\}}{NO_BREAK}([а-яё]+)", form) for form in message.string)
            assert tuple(word[1] for word in words if word) in AFTER_A_NUMBER, message.id


# Refusals


def test_every_refusal_of_a_record_begins_with_the_line(texts: dict[str, Texts]) -> None:
    for language, beginning in (("en", "Line {line}: "), ("ru", "Строка {line}: ")):
        of_records = [forms for key, forms in texts[language].items() if key.startswith("error.record.")]
        assert len(of_records) == 17
        assert all(form.startswith(beginning) for forms in of_records for form in forms)


BORIS_TO_MOVE = Session(game("suicide_king", players=2, first_dealer=0), seed=7)
BORIS_TO_MOVE.play()


@pytest.mark.parametrize(
    ("wrong", "english", "russian"),
    [
        (
            lambda: game("suicide_king", players=9),
            "SK-0: this game is for 2 to 5 players, not 9.",
            "SK-0: в эту игру играют от 2 до 5 игроков, а указано 9.",
        ),
        (
            lambda: game("poker_marshal", players=4),
            "PM-0: this game is for exactly 5 players, not 4.",
            "PM-0: в эту игру играют ровно 5 игроков, а указано 4.",
        ),
        (
            lambda: game("fight_for_the_lead", stake=6),
            "stake: 6 is not allowed; it must be a multiple of 4, 4 or more.",
            "stake: значение 6 не подходит; нужно число, кратное 4, не меньше 4.",
        ),
        (
            lambda: game("fight_for_the_lead", penalty_cap=0),
            "penalty_cap: 0 is not allowed; it must be none, or a whole number, 1 or more.",
            "penalty_cap: значение 0 не подходит; нужно none или целое число не меньше 1.",
        ),
        (
            lambda: game("suicide_king", players=3, first_dealer=3),
            "first_dealer: 3 is not allowed; it must be lot, or a seat from 0 to 2.",
            "first_dealer: значение 3 не подходит; нужно lot или номер места от 0 до 2.",
        ),
        (
            lambda: game("poker_marshal", ends="never"),
            "ends: 'never' is not allowed; it must be one of deals, streak.",
            "ends: значение 'never' не подходит; нужно одно из значений deals, streak.",
        ),
        (
            lambda: BORIS_TO_MOVE.branch().play(),
            "A player's action must be named here; the one to act is Boris.",
            "Здесь нужно назвать действие игрока; действует сейчас: Борис.",
        ),
        (
            lambda: BORIS_TO_MOVE.branch().goto(0).choice("still"),
            "A player's action must be named here; the one to act is chance, through the dealer.",
            "Здесь нужно назвать действие игрока; действует сейчас: случай.",
        ),
        (
            lambda: BORIS_TO_MOVE.branch().play("take 9"),
            "This is not allowed. SK-5: the only move is to take the top card of a pile, and the piles with cards are 0, 1, 2, 3, 4 "
            "(0 is the one in the middle).",
            "Так нельзя. SK-5: единственный ход — взять верхнюю карту стопки, а карты есть в стопках 0, 1, 2, 3, 4 (0 — средняя).",
        ),
        (
            lambda: Record.loads('{"cardlab": 1}\n'),
            "Line 1: the header must give a value to exactly these names: cardlab, game, version, players, rules, seed, index.",
            "Строка 1: заголовок должен задавать ровно эти имена: cardlab, game, version, players, rules, seed, index.",
        ),
    ],
)
def test_a_refusal_says_what_would_be_right(wrong: Any, english: str, russian: str) -> None:
    with pytest.raises((BadGame, BadRequest, ValueError)) as caught:
        wrong()
    fault: Any = caught.value
    assert fault.say(Words("en")) == english
    assert fault.say(Words("ru")).replace(NO_BREAK, " ") == russian


def test_every_refusal_can_be_said_in_both_languages(texts: dict[str, Texts]) -> None:
    keys = [key for key in texts["en"] if key.startswith(("error.", "why.", "allowed."))]
    for language in LANGUAGES:
        for key in keys:
            values = {name: Seat(1) for name in names_in(texts[language][key][0])} | {"n": 3}
            assert "{" not in Words(language).text(key, **values)
