"""What a lesson asks: its guesses and exercises, whose right answers and foreseen wrong ones are computed when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, TypeVar

from cardlab.core.errors import BadRequest, quoted
from cardlab.lessons.answers import BadAnswer, Chance, Choice, Kind, Number, shown
from cardlab.words import Phrase, Words

Computed = Callable[[], Any]
Asked = TypeVar("Asked", "Guess", "Exercise")
RIGHT: Final = ("exact", "right")  # kinds of verdicts that are right


@dataclass(frozen=True)
class Told:
    """A value of an exercise inside a sentence."""

    how: Callable[[Words], str]

    def display(self, words: Words) -> str:
        """The value in a language."""
        return self.how(words)


@dataclass(frozen=True)
class Judged:
    """What an answer is: ``exact`` or ``right``, ``near``, ``wrong`` in a foreseen way, ``other``, or ``nonsense``; and its sentence."""

    kind: str
    phrase: Phrase
    value: Any = None
    wrong: str | None = None  # the name of the foreseen wrong answer

    @property
    def right(self) -> bool:
        """Whether the answer passes."""
        return self.kind in RIGHT


@dataclass(frozen=True)
class Exercise:
    """An exercise: its id, the kind of its answer, the right one, and the foreseen wrong ones by name; all are computed when checked.

    A wrong answer has the sentence ``lesson.ID.NAME``, any other one ``lesson.ID.hint``.
    """

    id: str
    kind: Kind
    right: Computed
    wrong: Mapping[str, Computed]

    def judge(self, answer: Any) -> Judged:
        """What an answer is; never raises."""
        kind = self.kind
        try:
            given: Any = kind.read(answer)
        except BadAnswer as fault:
            return Judged("nonsense", fault.phrase)
        right: Any = kind.read(self.right())
        if isinstance(kind, Number):
            if given == right:
                return Judged("exact", Phrase.of("lessons.exact", answer=Told(lambda words: shown(right, words))), given)
            if kind.distance(given, right) <= kind.tolerance:
                said = {"within": Told(kind.within), "answer": Told(lambda words: kind.exactly(right, words))}
                return Judged("right", Phrase.of("lessons.right", **said), given)
        elif given == right:
            return Judged("exact", Phrase.of("lessons.right_one"), given)
        far = {name: kind.distance(given, kind.read(compute())) for name, compute in self.wrong.items()}
        nearest = min(far, key=far.__getitem__, default=None)
        off = kind.distance(given, right)
        # a rounded wrong answer is still that wrong answer; a number between two is the nearer one
        if nearest is not None and far[nearest] <= kind.near / 2 and far[nearest] < off:
            return Judged("wrong", Phrase.of(f"lesson.{self.id}.{nearest}"), given, nearest)
        if isinstance(kind, Number) and off <= kind.near:
            if kind.tolerance:
                return Judged("near", Phrase.of("lessons.near", within=Told(kind.within)), given)
            return Judged("near", Phrase.of("lessons.near_count"), given)
        return Judged("other", Phrase.of(f"lesson.{self.id}.hint"), given)


@dataclass(frozen=True)
class Guess:
    """A question before the answer is shown: options by name, each with the value it stands for, computed when the answer is revealed.

    With ``slider`` the learner gives a chance instead, and the options say what common guesses come from. ``typical`` is the option that a
    demonstration takes. Keys: ``lesson.ID.ask``, ``lesson.ID.choice.NAME``, ``lesson.ID.why.NAME``.
    """

    id: str
    right: Computed
    options: Mapping[str, Computed]
    typical: str
    slider: bool = False

    @property
    def kind(self) -> Kind:
        """How a guess is read."""
        return Chance() if self.slider else Choice(tuple(self.options))

    def usual(self) -> Any:
        """The guess of a demonstration."""
        return self.options[self.typical]() if self.slider else self.typical

    def ask(self, words: Words) -> str:
        """The question."""
        return words.text(f"lesson.{self.id}.ask")

    def choice(self, name: str, words: Words) -> str:
        """An option as it is offered."""
        return words.text(f"lesson.{self.id}.choice.{name}", **self._value(name, words))

    def why(self, name: str, words: Words) -> str:
        """What there is to say about an option afterwards."""
        return words.text(f"lesson.{self.id}.why.{name}", **self._value(name, words))

    def best(self) -> str:
        """The name of the right option; raises LookupError where the engine says something that no option does."""
        right = self.right()
        for name, compute in self.options.items():
            if compute() == right:
                return name
        raise LookupError(f"{self.id}: no option is {right}")

    def came(self, value: Any) -> bool:
        """Whether a guess was right: on a slider, within five points."""
        if self.slider:
            return abs(Fraction(self.right()) - Fraction(value)) <= Fraction(1, 20)
        return bool(self.options[value]() == self.right())

    def chance(self, value: Any) -> Fraction | None:
        """The chance that a guess stands for, if it stands for one."""
        meant = value if self.slider else self.options[value]()
        return meant if isinstance(meant, Fraction) else None

    def _value(self, name: str, words: Words) -> dict[str, str]:
        value = self.options[name]()
        return {"p": shown(value, words)} if isinstance(value, (int, Fraction)) else {}


@dataclass(frozen=True)
class Lesson:
    """A lesson: its id, such as 01 or SK30, its guesses and its exercises in their order."""

    id: str
    guesses: tuple[Guess, ...]
    exercises: tuple[Exercise, ...]

    def title(self, words: Words) -> str:
        """Its name."""
        return words.text(f"lesson.{self.id}.title")


def names() -> tuple[str, ...]:
    """The ids of all lessons: one for each module ``lesson_ID``."""
    from cardlab import lessons

    found = (module.name for module in iter_modules(lessons.__path__))
    return tuple(name.removeprefix("lesson_").upper() for name in found if name.startswith("lesson_"))


@cache
def lesson(id: str) -> Lesson:
    """A lesson by its id; raises BadRequest.

    >>> lesson("01").id
    '01'
    """
    if not isinstance(id, str) or id.upper() not in names():
        raise BadRequest("error.lesson", id=quoted(id), ids=", ".join(names()))
    made: Lesson = import_module(f"cardlab.lessons.lesson_{id.lower()}").LESSON
    return made


def guess_of(id: Any) -> Guess:
    """A guess by its id, such as ``01.both``; raises BadRequest."""
    return _found(id, lambda of: of.guesses)


def exercise_of(id: Any) -> Exercise:
    """An exercise by its id, such as ``01.a``; raises BadRequest."""
    return _found(id, lambda of: of.exercises)


def _found(id: Any, among: Callable[[Lesson], tuple[Asked, ...]]) -> Asked:
    of = lesson(id.partition(".")[0] if isinstance(id, str) else id)
    known = {asked.id: asked for asked in among(of)}
    if id not in known:
        raise BadRequest("error.lesson_id", id=quoted(id), ids=", ".join(known))
    return known[id]
