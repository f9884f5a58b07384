"""Lessons ask before they tell: guesses are kept and locked, each answer gets its own sentence, and work is handed in and read again."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tokenize
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
import pytest
from babel.messages.pofile import read_po
from nbclient import NotebookClient

from cardlab import lessons
from cardlab.core.dist import Dist
from cardlab.core.errors import BadRequest
from cardlab.lessons import kept, lesson_01
from cardlab.lessons.answers import Chance, Choice, Count, Number, OneCard, Word
from cardlab.lessons.lesson import Exercise, Guess, Judged
from cardlab.lessons.shown import Asked, Reveal
from cardlab.words import LANGUAGES, LOCALE, Words

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NONSENSE = [
    "many",
    None,
    [],
    [Fraction(4, 13)],
    1e999,
    float("nan"),
    True,
    {},
    object(),
    10**5000,
    "1/0",
    "1e999",
    "9" * 100,
    b"1",
    1j,
    -1,
    "",
]
NONSENSE += ["", ..., Decimal("1e999"), "1/2/3", "½ %", type, "{id}", "%", "/"]

# worked out by hand: right ones, near misses, and the foreseen wrong ones as learners write them
ANSWERS: dict[str, tuple[list[Any], list[Any], dict[str, list[Any]]]] = {
    "01.a": (
        [Fraction(4, 13), "16/52", "16 / 52", 16 / 52, "30.77 %", "30,77%", "0,3077", 0.308],
        [0.31, "30 %"],
        {"twice": ["17/52", 0.327, "32.7 %"], "and": ["1/52", 0.019], "without": ["15/52", 0.288]},
    ),
    "01.b": ([78, 78.0, "78", Fraction(78)], [77, "79"], {"order": [156], "back": [169], "all": [1326, "1 326"]}),
    "01.c": (
        ["350/1431", 0.2446, "24.46 %", 0.2445],
        [0.25, "24 %"],
        # printed: 0.259 by adding up, 0.1625 with two factors
        {"sum": ["7/27", 0.259, "26 %"], "printed": [0.1625], "one": ["329/1431", 0.2299], "both": ["21/1431"], "back": [0.2322]},
    ),
    "01.d": (["11/47", 0.234], ["23.6 %"], {"before": ["12/48", 0.25, "25 %"], "total": ["11/48", 0.229], "stock": ["11/32"]}),
    "01.e": (["53/5", 10.6, "10,6", 10.64], [10.7, 10.9], {"back": [13, 12.9], "before": [9.6, "48/5"], "fifths": [10.4, "52/5"]}),
}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing guessed, nothing answered, English."""
    monkeypatch.delenv("CARDLAB_DEMO", raising=False)
    empty = kept.Kept("en")
    for name in vars(empty):
        monkeypatch.setattr(kept.KEPT, name, getattr(empty, name))


def sentence(key: str, language: str = "en", **params: Any) -> str:
    return Words(language).text(key, **params)


# exercises


def test_every_exercise_is_tried() -> None:
    assert set(ANSWERS) == {exercise.id for name in lessons.names() for exercise in lessons.lesson(name).exercises}
    for id, (_, _, wrong) in ANSWERS.items():
        assert set(wrong) == set(lessons.lesson("01").exercises["abcde".index(id[-1])].wrong)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", ANSWERS)
def test_each_answer_gets_its_own_sentence(id: str, language: str) -> None:
    lessons.language(language)
    right, near, wrong = ANSWERS[id]
    for answer in right:
        verdict = lessons.check(id, answer)
        assert verdict, answer
        assert str(verdict).startswith({"en": "✓ Right", "ru": "✓ Верно"}[language])
    assert lessons.check(id, right[0]).kind == "exact"
    for answer in near:
        verdict = lessons.check(id, answer)
        assert (bool(verdict), verdict.kind) == (False, "near"), answer
        assert str(verdict).startswith("≈ ")
    for name, answers in wrong.items():
        for answer in answers:
            verdict = lessons.check(id, answer)
            assert not verdict
            assert str(verdict) == "✗ " + sentence(f"lesson.{id}.{name}", language), answer
    assert str(lessons.check(id, 1 if id in ("01.b", "01.e") else 0.9)) == "✗ " + sentence(f"lesson.{id}.hint", language)


@pytest.mark.parametrize("id", ANSWERS)
@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda value: type(value).__name__)
def test_nonsense_is_told_what_would_be_right(id: str, nonsense: Any) -> None:
    verdict = lessons.check(id, nonsense)
    if nonsense == -1 and id == "01.e":
        assert verdict.kind == "other"  # a number, and no mean
        return
    assert (bool(verdict), verdict.kind) == (False, "nonsense"), nonsense
    assert str(verdict).startswith("? ")
    assert 'role="status"' in verdict._repr_html_()
    assert lessons.progress().answers == {}


def test_per_cent_without_the_sign_are_named() -> None:
    assert "more than 1, and no chance can be" in str(lessons.check("01.c", 25))
    assert "write the sign" in str(lessons.check("01.c", "24,46"))
    assert "more than 100\N{NO-BREAK SPACE}%" in str(lessons.check("01.c", 250))
    assert "less than 0" in str(lessons.check("01.c", -0.5))
    assert "whole number" in str(lessons.check("01.b", 7.5))
    assert "whole number" in str(lessons.check("01.b", "78 %"))


def test_the_tolerance_is_said_and_an_exact_fraction_praised() -> None:
    assert str(lessons.check("01.a", "4/13")) == "✓ Right, and exact: 4/13."
    within = "✓ Right, within the tolerance of ±0.0005. Exactly it is 4/13 ≈ 30.8\N{NO-BREAK SPACE}%."
    assert str(lessons.check("01.a", 0.3077)) == within
    lessons.language("ru")
    assert "±0,0005" in str(lessons.check("01.a", 0.3077))
    assert "±0,05" in str(lessons.check("01.e", 10.7))


def test_right_answers_come_from_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault planted in the engine moves what is right: no answer stands in a lesson."""
    before = {exercise.id: exercise.right() for exercise in lessons.lesson("01").exercises}
    where, p = Dist.where, Dist.p
    monkeypatch.setattr(Dist, "where", lambda self, event: where(self, event) / 2)
    monkeypatch.setattr(Dist, "p", lambda self, outcome: p(self, outcome) / 2)
    monkeypatch.setattr(lesson_01, "PACK_52", lesson_01.PACK_52[:-1] + lesson_01.PACK_52[26:27])  # a heart in the place of a spade
    after = {exercise.id: exercise.right() for exercise in lessons.lesson("01").exercises}
    assert all(before[id] != after[id] for id in before)
    assert not lessons.check("01.a", before["01.a"])
    assert lessons.check("01.a", after["01.a"])


def test_foreseen_answers_are_apart_from_the_right_ones() -> None:
    for exercise in lessons.lesson("01").exercises:
        assert isinstance(exercise.kind, Number)
        values = [exercise.right(), *(compute() for compute in exercise.wrong.values())]
        assert len(set(values)) == len(values)
        assert all(abs(value - values[0]) > exercise.kind.tolerance for value in values[1:])


SOME = Exercise("01.a", Choice(("up", "down", "same")), lambda: "up", {"twice": lambda: "down"})
KING = Exercise("01.a", OneCard(), lambda: "KH", {"and": lambda: "KS"})
WORD = Exercise("01.a", Word(), lambda: "exact", {"without": lambda: "observed"})


@pytest.mark.parametrize(
    ("exercise", "answer", "kind"),
    [
        (SOME, "a", "exact"), (SOME, "A)", "exact"), (SOME, "а", "exact"), (SOME, 1, "exact"), (SOME, "up", "exact"), (SOME, "b", "wrong"),
        (SOME, "c", "other"), (SOME, "d", "nonsense"), (SOME, 0, "nonsense"), (SOME, True, "nonsense"), (SOME, None, "nonsense"),
        (KING, "KH", "exact"), (KING, " kh", "exact"), (KING, "KS", "wrong"), (KING, "2C", "other"), (KING, "K", "nonsense"),
        (KING, 13, "nonsense"), (KING, "", "nonsense"),
        (WORD, " Exact", "exact"), (WORD, "observed", "wrong"), (WORD, "so", "other"), (WORD, 5, "nonsense"), (WORD, "x" * 99, "nonsense"),
    ],
)  # fmt: skip
def test_choices_cards_and_words(exercise: Exercise, answer: Any, kind: str) -> None:
    judged: Judged = exercise.judge(answer)
    assert judged.kind == kind
    assert judged.right == (kind == "exact")
    assert judged.phrase.display(Words("ru"))


def test_small_chances_have_small_tolerances() -> None:
    """Five diamonds with two jokers in the pack: the printed answer divides by the wrong number, and must not pass."""
    small = Exercise(
        "01.a", Chance(Fraction(1, 10**6), Fraction(1, 10**5)), lambda: Fraction(77, 81090), {"and": lambda: Fraction(3003, 316251)}
    )
    assert small.judge(0.00095).kind == "right"
    assert small.judge(0.0095).kind == small.judge("3003/316251").kind == "wrong"
    assert Count().read("1\N{NO-BREAK SPACE}302\N{NO-BREAK SPACE}540") == 1302540


# guesses


def test_a_guess_comes_before_the_answer() -> None:
    for look in (lessons.after, lessons.reveal):
        with pytest.raises(lessons.NotYet, match=r'First guess, then look: commit a guess in the cell with guess\("01.both"\)'):
            look("01.both")
    lessons.language("ru")
    with pytest.raises(lessons.NotYet) as refused:
        lessons.after("01.both")
    assert refused.value._render_traceback_() == [sentence("error.guess_first", "ru", id="01.both")]


def test_a_guess_is_replaced_until_the_answer_is_shown() -> None:
    lessons.guess("01.both", "a")
    assert lessons.after("01.both") == "half"
    lessons.guess("01.both", "b")
    assert lessons.after("01.both") == "back"
    shown = lessons.reveal("01.both", hits=61, n=1000)
    assert (shown.right, shown.exact) == (False, Fraction(1, 17))
    assert "The answer has been shown" in str(lessons.guess("01.both", "c"))
    assert lessons.after("01.both") == "back"
    assert "The answer has been shown" not in str(lessons.guess("01.both", "b"))  # the same cell run again


def test_what_is_no_guess_is_not_kept() -> None:
    for nonsense in ("z", 17, [], 0.25, True, float("nan")):
        assert "none of the options; write one of a, b, c, d" in str(lessons.guess("01.both", nonsense))
    with pytest.raises(lessons.NotYet):
        lessons.after("01.both")
    for wrong in ("01.nothing", "01", "99.a", None, 3, "01.a"):
        with pytest.raises(BadRequest, match=r"There is no"):
            lessons.guess(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["argument", "environment"])
def test_a_demonstration_guesses_by_itself(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "environment":
        monkeypatch.setenv("CARDLAB_DEMO", "1")
    for asked in lessons.lesson("01").guesses:
        lessons.guess(asked.id, demo=way == "argument")
        assert lessons.after(asked.id) == asked.typical != asked.best()
    lessons.guess("01.both", "c")
    lessons.guess("01.both", demo=True)
    assert lessons.after("01.both") == "without"  # a learner's guess stays


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_has_a_sentence_for_each_option(language: str) -> None:
    lessons.language(language)
    for asked in lessons.lesson("01").guesses:
        lessons.guess(asked.id, demo=True)
        shown = lessons.reveal(asked.id, hits=230, n=1000)
        lines = str(shown).splitlines()
        assert sum("✓" in line for line in lines) == 1
        assert sum(line.startswith("→") for line in lines) == 1
        assert len(lines) == 3 + len(asked.options)
        page = shown._repr_html_()
        assert f'lang="{language}"' in page
        assert page.count("<li>") == len(asked.options)
        assert "guess-axis" in page


def test_a_fault_of_the_engine_makes_the_lesson_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of the first part count for themselves, and do not agree with an engine that forgets a card."""
    monkeypatch.setenv("CARDLAB_DEMO", "1")
    source = [cell for cell in cells("en", "01_counting_cards", "code") if "king" not in cell and "session" not in cell]
    both = next(k for k, cell in enumerate(source) if "formula" in cell)
    for fault in (0, 1):
        monkeypatch.setattr(lesson_01, "_next", lambda left, good, hits, f=fault: Dist({1: good - hits, 0: left - f - (good - hits)}))
        space: dict[str, Any] = {"both": [True] * 59 + [False] * 941}
        try:
            for cell in source[: both + 1]:
                exec(compile(cell, "<cell>", "exec"), space)
        except AssertionError:
            assert fault
        else:
            assert not fault


def test_an_option_without_a_number_draws_no_axis() -> None:
    lessons.guess("01.stock", "d")
    assert "guess-axis" not in lessons.reveal("01.stock", hits=1, n=3)._repr_html_()
    for hits, n in ((3, 2), (-1, 2), (0, 0), (1.5, 2), (1, None), (True, 2)):
        with pytest.raises(BadRequest, match="no count of played deals"):
            lessons.reveal("01.stock", hits, n)  # type: ignore[arg-type]


def test_a_slider_takes_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Guess("01.both", lambda: Fraction(1, 17), {"back": lambda: Fraction(1, 16)}, "back", slider=True)
    text = str(Asked(asked))
    assert "40\N{NO-BREAK SPACE}%" in text
    assert "a)" not in text
    assert "more than 1" in str(Asked(asked).commit(25))
    assert Asked(asked).commit("10 %").value == Fraction(1, 10)
    assert Reveal(asked, Fraction(1, 10), lessons.reveal.__globals__["Estimate"]()).right
    assert asked.usual() == Fraction(1, 16)


def test_without_widgets_the_text_says_how_to_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = str(lessons.guess("01.both"))
    assert "  d) 4/17: only the second card matters" in text
    assert 'guess("01.both", "a")' in text
    monkeypatch.setitem(sys.modules, "cardlab.notebook.guess_form", None)
    assert set(lessons.guess("01.both")._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_importing_lessons_needs_the_standard_library_alone() -> None:
    code = "import sys\nfrom cardlab import lessons\nlessons.check('01.a', 1)\n"
    code += "print([name for name in ('ipywidgets', 'numpy', 'panel') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_the_form_commits() -> None:
    from cardlab.notebook.guess_form import GuessForm

    assert "application/vnd.jupyter.widget-view+json" in lessons.guess("01.both")._repr_mimebundle_()
    form = GuessForm(lessons.guess("01.both"), Words("en"))
    form.button.click()
    with pytest.raises(lessons.NotYet):  # nothing was chosen
        lessons.after("01.both")
    form.field.value = "d"
    form.button.click()
    assert lessons.after("01.both") == "second"
    assert "Your guess is kept: d) 4/17" in form.said.value
    slider = GuessForm(Asked(Guess("01.stock", lambda: Fraction(1), {}, "", slider=True)), Words("ru"))
    slider.field.value = 30
    slider.button.click()
    assert kept.KEPT.guesses["01.stock"] == Fraction(3, 10)


def test_a_notebook_shows_the_refusal_without_a_traceback() -> None:
    code = ["from cardlab import lessons; lessons.language('ru')", "lessons.guess('01.both')", "lessons.after('01.both')"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in code])
    NotebookClient(book, timeout=60, kernel_name="python3", allow_errors=True).execute()
    asked, refused = book.cells[1].outputs[0].data, book.cells[2].outputs[0]
    assert refused.traceback == [sentence("error.guess_first", "ru", id="01.both")]
    assert "application/vnd.jupyter.widget-view+json" in asked
    assert 'guess("01.both", "a")' in asked["text/plain"]


# progress and hand-in


def done() -> None:
    """A guess missed and one only kept, an exercise solved and one not."""
    lessons.start("01")
    lessons.language("en")
    lessons.guess("01.both", "b")
    lessons.reveal("01.both")
    lessons.guess("01.stock", "b")
    lessons.check("01.a", Fraction(4, 13))
    lessons.check("01.a", 0.5)  # what is solved stays solved
    lessons.check("01.b", 156)


def test_progress_shows_what_is_guessed_and_solved() -> None:
    assert str(lessons.progress()) == "exercises solved: 0 of 0"
    done()
    table = lessons.progress()
    assert table.solved == 1
    assert [row[2] for row in table.rows(Words("en"))] == [
        "guessed otherwise", "guessed, not yet revealed", "open", "solved", "not solved yet", "open", "open", "open",
    ]  # fmt: skip
    assert str(table).startswith("exercises solved: 1 of 5\n01.both ")
    assert table._repr_html_().count("<tr>") == 9
    lessons.language("ru")
    assert "решено упражнений: 1 из 5" in str(lessons.progress())


def test_a_hand_in_holds_a_name_and_answers_and_nothing_else(tmp_path: Path) -> None:
    done()
    path = lessons.hand_in(" Anna ", tmp_path / "anna.json")
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "cardlab_hand_in": 1,
        "name": "Anna",
        "lessons": ["01"],
        "guesses": {
            "01.both": {"guess": "back", "right": False, "revealed": True},
            "01.stock": {"guess": "unseen", "right": True, "revealed": False},
        },
        "answers": {"01.a": {"answer": "4/13", "right": True}, "01.b": {"answer": "156", "right": False}},
    }
    table = lessons.read_hand_in(path)
    assert str(table).startswith("Anna: exercises solved: 1 of 5")
    assert table.rows(Words("ru")) == lessons.progress().rows(Words("ru"))


def test_answers_are_judged_anew_when_a_file_is_read(tmp_path: Path) -> None:
    done()
    path = lessons.hand_in("Anna", tmp_path / "anna.json")
    path.write_text(path.read_text(encoding="utf-8").replace('"right": false', '"right": true'), encoding="utf-8")
    assert lessons.read_hand_in(path).solved == 1


def test_bad_files_and_names_are_refused_in_a_sentence(tmp_path: Path) -> None:
    done()
    good = json.loads(lessons.hand_in("Anna", tmp_path / "good.json").read_text(encoding="utf-8"))
    bad: list[Any] = [
        [], {}, 7, None, good | {"cardlab_hand_in": 2}, good | {"more": 1}, good | {"name": 3}, good | {"name": "a\nb"},
        good | {"lessons": ["99"]},
        good | {"lessons": "01"}, good | {"guesses": {"01.none": {"guess": "a", "right": True, "revealed": True}}},
        good | {"guesses": {"01.both": {"guess": "q", "right": True, "revealed": True}}}, good | {"guesses": {"01.both": "a"}},
        good | {"answers": {"01.a": {"answer": "many", "right": True}}}, good | {"answers": {"01.a": {"answer": ["1"], "right": True}}},
        good | {"answers": []}, good | {"lessons": [["01"]]},
    ]  # fmt: skip
    texts = [json.dumps(content) for content in bad]
    texts += ["", "{", "[" * 100_000, '{"name": 1e999}', " " * 1_000_001, json.dumps(good)[:-20]]
    path = tmp_path / "bad.json"
    for text in texts:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(lessons.BadHandIn, match="is no hand-in, or it is damaged"):
            lessons.read_hand_in(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(lessons.BadHandIn, match="is no hand-in"):
        lessons.read_hand_in(path)
    for missing in (tmp_path / "missing.json", tmp_path, "\0", None):
        with pytest.raises(lessons.BadHandIn, match="cannot be read"):
            lessons.read_hand_in(missing)  # type: ignore[arg-type]
    for name in ("", "  ", "a\nb", "x" * 81, 7, None):
        with pytest.raises(lessons.BadHandIn, match="cannot be the name"):
            lessons.hand_in(name, tmp_path / "x.json")  # type: ignore[arg-type]
    for place in (tmp_path / "none" / "x.json", tmp_path, None, "\0"):
        with pytest.raises(lessons.BadHandIn, match="cannot be written"):
            lessons.hand_in("Anna", place)  # type: ignore[arg-type]
    assert not (tmp_path / "x.json").exists()


# languages, catalogues, notebooks


def test_the_language_comes_from_the_folder_and_can_be_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "ru").mkdir()
    monkeypatch.delenv("CARDLAB_LANGUAGE", raising=False)
    monkeypatch.chdir(tmp_path / "ru")
    assert str(lessons.start("01")).startswith("Урок 01")
    assert lessons.language("en") == lessons.language() == "en"
    assert str(lessons.check("01.b", 78)).startswith("✓ Right")
    with pytest.raises(BadRequest, match="There is no language 'la'"):
        lessons.language("la")


@pytest.mark.parametrize("name", lessons.names())
def test_every_sentence_of_a_lesson_is_used(name: str) -> None:
    lesson = lessons.lesson(name)
    used = {f"lesson.{name}.title"}
    for asked in lesson.guesses:
        used |= {f"lesson.{asked.id}.ask", *(f"lesson.{asked.id}.why.{option}" for option in asked.options)}
        used |= set() if asked.slider else {f"lesson.{asked.id}.choice.{option}" for option in asked.options}
    for exercise in lesson.exercises:
        used |= {f"lesson.{exercise.id}.hint", *(f"lesson.{exercise.id}.{wrong}" for wrong in exercise.wrong)}
    for language in LANGUAGES:
        with (LOCALE / language / "LC_MESSAGES" / f"lesson_{name.lower()}.po").open("rb") as file:
            assert {message.id for message in read_po(file) if message.id} == used


def cells(language: str, name: str, kind: str) -> list[str]:
    book = nbformat.read(NOTEBOOKS / language / f"{name}.ipynb", 4)
    return [cell.source for cell in book.cells if cell.cell_type == kind]


@pytest.mark.parametrize("name", ["01_counting_cards"])
def test_both_languages_have_the_same_cells(name: str) -> None:
    assert cells("en", name, "code") == cells("ru", name, "code")
    for source in cells("en", name, "code"):
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
        assert not [token.string for token in tokens if token.type == tokenize.COMMENT]
    shapes = []
    for language in LANGUAGES:
        book = nbformat.read(NOTEBOOKS / language / f"{name}.ipynb", 4)
        kinds = [cell.cell_type for cell in book.cells]
        prose = "\n".join(cells(language, name, "markdown"))
        heads = re.findall(r"^(#+) (\d?)", prose, re.MULTILINE)
        shapes.append(
            (kinds, heads, prose.count("<details>"), prose.count("$$"), len(re.findall(r"^\*\*[^*]+\.\*\*", prose, re.MULTILINE)))
        )
        assert not re.search("[♣♦♥♠](?!\N{VARIATION SELECTOR-15})", prose)
    assert shapes[0] == shapes[1]


def test_the_notebook_asks_all_that_the_lesson_has_and_in_the_right_order() -> None:
    source = "\n".join(cells("en", "01_counting_cards", "code"))
    lesson = lessons.lesson("01")
    for asked in lesson.guesses:
        places = [source.index(f'lessons.{does}("{asked.id}"') for does in ("guess", "after", "reveal")]
        assert places == sorted(places)
    assert re.findall(r'lessons\.check\("(.+?)"', source) == [exercise.id for exercise in lesson.exercises]
    assert source.count("assert ") >= 15
    assert not re.search("= (78|1326)\\b", source)
