"""How a lesson speaks: each object prints as text, shows itself in a notebook, and needs no widgets for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, Final

from cardlab.chance.answers import Estimate, Exact
from cardlab.lessons.answers import BadAnswer, letter_of, shown
from cardlab.lessons.kept import KEPT, committed
from cardlab.lessons.lesson import Guess, Judged, Lesson, lesson
from cardlab.view.blocks import colour
from cardlab.view.guess import Revealed, axis
from cardlab.view.html import coloured
from cardlab.view.tokens import DARK, FONT, LIGHT, variables
from cardlab.words import Phrase, Words
from cardlab.words.percents import percent

Row = tuple[str, str, str]
MARKS: Final = {"exact": "✓", "right": "✓", "near": "≈", "wrong": "✗", "other": "✗", "nonsense": "?"}
HUES: Final = {"exact": "p3", "right": "p3", "near": "mark", "wrong": "bad", "other": "bad", "nonsense": "ink3"}
STYLE: Final = (
    f".cardlab-lesson{{{variables(LIGHT)}color-scheme:light;background:var(--surface);color:var(--ink);font:15px/1.5 {FONT};"
    "max-width:760px;padding:10px 14px;border:1px solid var(--line);border-left-width:5px;border-radius:6px}"
    f'[data-jp-theme-light="false"] .cardlab-lesson,.vscode-dark .cardlab-lesson{{{variables(DARK)}color-scheme:dark}}'
    ".cardlab-lesson p{margin:.3em 0}.cardlab-lesson ol,.cardlab-lesson ul{margin:.3em 0;padding-left:1.6em}"
    # a notebook has a style of its own for lists and tables
    ".cardlab-lesson ol[type]{list-style-type:lower-alpha}.cardlab-lesson table{border:0;margin:0}"
    ".cardlab-lesson tr:is(tr){background:none}"
    ".cardlab-lesson table :is(td,th):is(td,th){text-align:left;vertical-align:top;white-space:normal;padding:2px 14px 2px 0;color:inherit}"
    ".cardlab-lesson .quiet{color:var(--ink2)}.cardlab-lesson svg{display:block;width:100%;max-width:440px;height:auto}"
    + "".join(f".cardlab-lesson .{suit}{{color:var(--{suit})}}" for suit in ("clubs", "diamonds", "hearts", "spades"))
)


def framed(inner: str, words: Words, hue: str = "pri") -> str:
    """HTML in the frame of all that lessons show."""
    head = f'<style>{STYLE}</style><div class="cardlab-lesson" lang="{words.language}" style="border-left-color:{colour(hue)}">'
    return f"{head}{inner}</div>"


def paragraph(said: str, quiet: bool = False) -> str:
    """A line of HTML."""
    return f"<p{' class=quiet' if quiet else ''}>{coloured(said)}</p>"


class Shows:
    """Something that is said in the language of the lessons, as text or as HTML."""

    def text(self, words: Words) -> str:
        """The text."""
        raise NotImplementedError

    def html(self, words: Words) -> str:
        """The same for a notebook."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text(KEPT.words)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.html(KEPT.words)


@dataclass(frozen=True, repr=False)
class Verdict(Shows):
    """What ``check`` says about an answer; true where it is right."""

    id: str
    judged: Judged

    @property
    def kind(self) -> str:
        """``exact``, ``right``, ``near``, ``wrong``, ``other`` or ``nonsense``."""
        return self.judged.kind

    def __bool__(self) -> bool:
        return self.judged.right

    def text(self, words: Words) -> str:
        """Mark and sentence."""
        return f"{MARKS[self.kind]} {self.judged.phrase.display(words)}"

    def html(self, words: Words) -> str:
        """Mark and sentence, in a frame of their colour."""
        hue = HUES[self.kind]
        mark = f'<b aria-hidden="true" style="color:{colour(hue)}">{MARKS[self.kind]}</b> '
        return framed(f'<p role="status">{mark}{coloured(self.judged.phrase.display(words))}</p>', words, hue)


@dataclass(repr=False)
class Asked(Shows):
    """A question to be guessed, with what was committed; in a notebook with a form."""

    guess: Guess
    note: Phrase | None = None  # why something was not taken

    def commit(self, value: Any) -> Asked:
        """Commits a guess: ``0.25``, ``"1/4"``, ``"25 %"`` on a slider, else the letter of an option."""
        try:
            read: Any = self.guess.kind.read(value)
        except BadAnswer as fault:
            self.note = fault.phrase
            return self
        self.note = None if committed(self.guess, read) else Phrase.of("lessons.locked")
        return self

    @property
    def value(self) -> Any:
        """What was committed, or None."""
        return KEPT.guesses.get(self.guess.id)

    def options(self, words: Words) -> list[str]:
        """What there is to choose from."""
        return [] if self.guess.slider else [self.guess.choice(name, words) for name in self.guess.options]

    def state(self, words: Words) -> list[str]:
        """What happened to a guess, and what to do next."""
        said = [] if self.note is None else [self.note.display(words)]
        if self.value is not None:
            said.append(words.text("lessons.kept", guess=said_guess(self.guess, self.value, words)))
        elif self.guess.slider:
            said.append(words.text("lessons.how_slider", id=self.guess.id))
        else:
            said.append(words.text("lessons.how_choice", id=self.guess.id))
        return said

    def text(self, words: Words) -> str:
        """The question, the options, and how to commit a guess in a cell."""
        options = [f"  {letter_of(k)}) {said}" for k, said in enumerate(self.options(words))]
        return "\n".join([self.guess.ask(words), *options, *self.state(words)])

    def html(self, words: Words) -> str:
        """The same for a notebook."""
        rows = "".join(f"<li>{coloured(said)}</li>" for said in self.options(words))
        options = f'<ol type="a">{rows}</ol>' if rows else ""
        state = "".join(paragraph(said, quiet=True) for said in self.state(words))
        return framed(f"<p><b>{coloured(self.guess.ask(words))}</b></p>{options}{state}", words)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        words = KEPT.words
        data = {"text/plain": self.text(words), "text/html": self.html(words)}
        if self.guess.id in KEPT.revealed:
            return data
        try:
            from cardlab.notebook.guess_form import guess_form
        except ImportError:
            return data
        return data | guess_form(self, words)


def said_guess(guess: Guess, value: Any, words: Words) -> str:
    """A guess as it is said."""
    if guess.slider:
        return percent(value, words)
    return f"{letter_of(list(guess.options).index(value))}) {guess.choice(value, words)}"


@dataclass(frozen=True, repr=False)
class Reveal(Shows):
    """The answer beside the guess and beside what play gave, with a sentence for each option."""

    guess: Guess
    value: Any
    played: Estimate

    @property
    def right(self) -> bool:
        """Whether the guess was right."""
        return self.guess.came(self.value)

    @property
    def exact(self) -> Fraction | None:
        """The right chance, where it is one."""
        found = self.guess.right()
        return found if isinstance(found, Fraction) else None

    def _numbers(self, words: Words) -> list[str]:
        text, said = words.text, [words.text("lessons.your_guess", guess=said_guess(self.guess, self.value, words))]
        if self.exact is not None:
            said.append(text("lessons.answer", answer=shown(self.exact, words), percent=percent(self.exact, words)))
        if self.played.mean is not None and self.played.half_width is not None:
            mean, half = (percent(Fraction(number), words) for number in (self.played.mean, self.played.half_width))
            said.append(text("lessons.simulated", mean=mean, half=half, n=self.played.n))
        return said

    def _whys(self, words: Words) -> list[tuple[bool, bool, str]]:
        best = self.guess.best()
        return [(name == best, name == self.value, self.guess.why(name, words)) for name in self.guess.options]

    def text(self, words: Words) -> str:
        """Guess, answer, play, and a sentence for each option; an arrow stands before the one that was chosen."""
        whys = [f"{'→' if own else ' '} {'✓' if best else '✗'} {said}" for best, own, said in self._whys(words)]
        return "\n".join([*self._numbers(words), *whys])

    def html(self, words: Words) -> str:
        """The same for a notebook, with the three numbers on one axis."""
        drawn, chance = "", self.guess.chance(self.value)
        if chance is not None and self.exact is not None:
            unit = words.text("count.deal", n=self.played.n)
            drawn = axis(Revealed(round(100 * chance), Exact(self.exact), self.played, unit), words)
        lines = "".join(paragraph(said) for said in self._numbers(words))
        rows = ""
        for best, own, said in self._whys(words):
            mark = f'<b style="color:{colour("p3" if best else "bad")}">{"✓" if best else "✗"}</b>'
            yours = f" <b>{escape(words.text('lessons.yours'))}</b>" if own else ""
            rows += f"<li>{mark}{yours} {coloured(said)}</li>"
        options = f"<ul>{rows}</ul>" if self.guess.slider else f'<ol type="a">{rows}</ol>'
        return framed(lines + drawn + options, words, "p3" if self.right else "mark")


@dataclass(frozen=True, repr=False)
class Beginning(Shows):
    """A lesson at its start: its title, and how much there is to guess and to answer."""

    lesson: Lesson

    def _lines(self, words: Words) -> tuple[str, str]:
        count = {"guesses": len(self.lesson.guesses), "exercises": len(self.lesson.exercises)}
        return self.lesson.title(words), words.text("lessons.begins", **count)

    def text(self, words: Words) -> str:
        """The title, and what there is to do."""
        return " · ".join(self._lines(words))

    def html(self, words: Words) -> str:
        """The same for a notebook."""
        title, about = self._lines(words)
        return framed(f"<p><b>{escape(title)}</b></p>{paragraph(about, quiet=True)}", words)


@dataclass(frozen=True, repr=False)
class Table(Shows):
    """Guesses and answers as a table: what was asked, what was said, and how it turned out."""

    lessons: tuple[str, ...]
    guesses: dict[str, Any]
    revealed: frozenset[str]
    answers: dict[str, tuple[str, bool]]
    name: str = ""

    @property
    def solved(self) -> int:
        """How many exercises are solved."""
        return sum(right for _, right in self.answers.values())

    def rows(self, words: Words) -> list[Row]:
        """A row for each guess and each exercise of the lessons."""
        text, found = words.text, []
        for of in map(lesson, self.lessons):
            for guess in of.guesses:
                if guess.id not in self.guesses:
                    found.append((guess.id, "…", text("lessons.state.open")))
                    continue
                value = self.guesses[guess.id]
                how = "kept" if guess.id not in self.revealed else "right" if guess.came(value) else "missed"
                found.append((guess.id, said_guess(guess, value, words), text(f"lessons.state.{how}")))
            for exercise in of.exercises:
                answer, right = self.answers.get(exercise.id, ("…", None))
                how = "open" if right is None else "solved" if right else "unsolved"
                found.append((exercise.id, answer, text(f"lessons.state.{how}")))
        return found

    def _head(self, words: Words) -> str:
        exercises = sum(len(lesson(id).exercises) for id in self.lessons)
        said = words.text("lessons.progress", solved=self.solved, exercises=exercises)
        return f"{self.name}: {said}" if self.name else said

    def text(self, words: Words) -> str:
        """The rows as columns."""
        rows = self.rows(words)
        wide = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
        return "\n".join([self._head(words), *(f"{id:{wide[0]}}  {said:{wide[1]}}  {state}" for id, said, state in rows)])

    def html(self, words: Words) -> str:
        """The rows for a notebook."""
        columns = "".join(f'<th scope="col">{escape(words.text(f"lessons.column.{name}"))}</th>' for name in ("id", "said", "state"))
        rows = "".join("<tr>" + "".join(f"<td>{coloured(part)}</td>" for part in row) + "</tr>" for row in self.rows(words))
        head = f"<p><b>{escape(self._head(words))}</b></p>"
        return framed(f"{head}<table><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table>", words)
