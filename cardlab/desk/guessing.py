"""Guess first: the odds of a moment stay covered until somebody has said what he thinks; all guesses are kept, and judged by what came."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.played import Played
from cardlab.chance.questions import Question, ask, fitting
from cardlab.chance.settled import WATCHES, Watch, follow, watch
from cardlab.core.errors import BadRequest, quoted
from cardlab.core.events import TEACHER, Viewer
from cardlab.core.session import Moment, Session
from cardlab.desk import lines
from cardlab.desk.aside import aside
from cardlab.desk.asked import whole
from cardlab.desk.counting import FIRST as SAMPLES
from cardlab.desk.desk import Desk
from cardlab.desk.downloads import Download, drawing, painted
from cardlab.desk.downloads import table as file_of
from cardlab.view import guess as drawn
from cardlab.view import html
from cardlab.view.answers import basis, named
from cardlab.words import Words

PLAYED: Final = 1_000  # deals or games for what stands beside the exact number
AT_ONCE: Final = 0.2  # seconds of play between two looks
PROBES: Final = 12, 60  # games that tell whether an outcome is open
FEW: Final = 100  # worlds: where there are more, nothing is certain
LONG_COUNTED: Final = ("no_trick", "next_title")  # an exact answer, where there is one, may take long
WHOLE_GAME: Final = ("last_player",)
Key = tuple[Moment, Viewer]


@dataclass(eq=False)
class Guess:
    """A guess that is locked: the chance of an outcome in per cent, and what came to be known of it."""

    moment: Moment
    viewer: Viewer
    at: int
    question: Question
    outcome: Any
    chance: int
    view: Any = field(repr=False)
    answer: Answer[Any] | None = field(default=None, repr=False)
    fault: BaseException | None = None
    came: bool | None = None
    void: bool = False  # another card was laid or played than the one that was guessed about

    def __post_init__(self) -> None:
        self.played = Played(self.view, self.question.name, self.outcome)
        self._watch: Watch = watch(self.view, self.question.name)
        self._seen = self.at, self.moment

    @property
    def exact(self) -> Exact | None:
        """The exact probability, where it can be counted."""
        found = self.answer[self.outcome] if self.answer and self.outcome in self.answer.numbers else None
        return found if isinstance(found, Exact) else None

    @property
    def computed(self) -> float | None:
        """The probability that was computed: exactly, or else by play."""
        return self.exact.mean if self.exact else self.played.estimate.mean

    @property
    def counts(self) -> bool:
        """Whether it says something of the guesser: it is settled, and was not certain from the start."""
        return self.came is not None and not (self.exact is not None and self.exact.value in (0, 1))

    def shown(self, words: Words) -> drawn.Revealed:
        """The guess beside what was computed."""
        key = "guess.games" if self.question.name in WHOLE_GAME else "guess.deals"
        return drawn.Revealed(self.chance, self.exact, self.played.estimate, words.text(key, n=self.played.n))

    def settle(self, session: Session) -> None:
        """Reads what its viewer has been told since, if the session has come by its moment; what is settled stays so."""
        line = session.line
        if self.came is not None or self.void or self.at >= len(line) or line[self.at] is not self.moment:
            return
        at, moment = self._seen
        if at >= len(line) or line[at] is not moment:
            self._watch, at = watch(self.view, self.question.name), self.at
        if session.at > at:
            follow(self._watch, session, at)
            self._seen = session.at, session.cursor
        self.came, self.void = self._watch.came(self.outcome), self._watch.void(self.outcome)


@dataclass
class Draft:
    """A guess that is not locked yet."""

    key: Key
    question: str = ""
    outcome: int = 0
    chance: int = 50


Choices = list[tuple[Question, list[Any]]]


class Guessing:
    """The guesses of one visitor, whatever game is on the desk; ``show`` is called when something has come after the lines were drawn.

    What is computed is counted beside the event loop, one piece at a time; without a running loop at once. Before a guess is locked
    nothing of it stands in the lines: ``covers`` says that nothing else that would tell it may be shown either.
    """

    def __init__(self, show: Callable[[], Any], on: bool = False) -> None:
        self.show, self.on = show, on
        self.kept: dict[Key, Guess] = {}
        self.unfolded = False
        self._draft: Draft | None = None
        self._choices: tuple[Key, Choices] | None = None
        self._now: Guess | None = None  # the one that is looked at
        self._busy = False

    # what is done

    def toggle(self) -> None:
        """Turns guessing on or off; the guesses are kept."""
        self.on = not self.on

    def hear(self, desk: Desk, told: str) -> Download | None:
        """What was said of a guess: "on", "off", "question NAME", "outcome 0", "chance 40", "commit", "fold", "save csv"; one a line.

        Returns the file that was asked for, if one was. Raises BadRequest for words that it does not know: they change nothing.
        """
        found = [self._hear(desk, line.removeprefix(drawn.GUESS)) for line in told.split("\n")]
        return found[-1]

    def _hear(self, desk: Desk, told: str) -> Download | None:
        verb, _, value = told.partition(" ")
        match verb:
            case "on" | "off":
                self.on = verb == "on"
            case "fold":
                self.unfolded = not self.unfolded
            case "save":
                return self._file(desk, value)
            case "commit":
                self.commit(desk)
            case "question" | "outcome" | "chance":
                self._write(desk, verb, value)
            case _:
                raise BadRequest("error.guess.word", word=quoted(told))
        return None

    def _write(self, desk: Desk, verb: str, value: str) -> None:
        draft, number = self._drafted(desk), whole(value)
        if draft is None:  # it is locked, or there is nothing to guess: a late message
            return
        choices = self._open(desk)
        if verb == "question":
            if value not in [asked.name for asked, _ in choices]:
                raise BadRequest("error.guess.word", word=quoted(value))
            if value != draft.question:
                draft.question, draft.outcome = value, 0
            return
        most = 100 if verb == "chance" else len(self._chosen(draft, choices)[1]) - 1
        if not isinstance(number, int) or number > most:
            raise BadRequest("error.guess.number", number=quoted(value), most=most)
        setattr(draft, verb, number)

    def commit(self, desk: Desk) -> None:
        """Locks the guess of this moment and viewpoint; where one is locked already nothing happens."""
        draft = self._drafted(desk) if self.on else None
        if draft is None:
            return
        asked, outcomes = self._chosen(draft, self._open(desk))
        view = desk.session.view(desk.viewer)
        made = Guess(desk.session.cursor, desk.viewer, desk.at, asked, outcomes[draft.outcome], draft.chance, view)
        self.kept[draft.key] = self._now = made
        self._draft = None
        self._go_on()

    # what may be guessed

    def covers(self, desk: Desk) -> bool:
        """Whether the odds of this moment must not be seen: something is to be guessed first."""
        return self.on and self._key(desk) not in self.kept and bool(self._open(desk))

    def reveals(self, desk: Desk) -> bool:
        """Whether a guess of this moment is locked, so that its odds may be seen."""
        return self.on and self._key(desk) in self.kept

    def _key(self, desk: Desk) -> Key:
        return desk.session.cursor, desk.viewer

    def _drafted(self, desk: Desk) -> Draft | None:
        """The draft of this moment, which begins anew at each; none where nothing is to be guessed."""
        key, before = self._key(desk), self._draft
        if key in self.kept or not self._open(desk):
            return None
        if before is None or before.key != key:
            self._draft = Draft(key, before.question if before else self._last)
        assert self._draft is not None
        self._draft.question = self._chosen(self._draft, self._open(desk))[0].name
        return self._draft

    @property
    def _last(self) -> str:
        """The question that was guessed last."""
        return next((made.question.name for made in reversed(self.kept.values())), "")

    def _chosen(self, draft: Draft, choices: Choices) -> tuple[Question, list[Any]]:
        return next((choice for choice in choices if choice[0].name == draft.question), choices[0])

    def _open(self, desk: Desk) -> Choices:
        """The questions that may be guessed here, each with its outcomes that are not certain."""
        key = self._key(desk)
        if self._choices is None or self._choices[0] != key:
            view = desk.session.view(desk.viewer)
            every = [(asked, _uncertain(view, asked)) for asked in fitting(view) if asked.name in WATCHES]
            self._choices = key, [(asked, outcomes) for asked, outcomes in every if outcomes]
        return self._choices[1]

    # what is computed

    def _go_on(self) -> None:
        """The next piece of work: an answer that a guess waits for, then play for the one that is looked at."""
        if self._busy:  # it looks here again when it ends
            return
        work = self._work()
        if work is None:
            return
        made, piece = work
        self._busy = True
        if (made.answer is None and made.question.quick) or not aside(partial(_try, made, piece), self._done):
            _try(made, piece)
            self._busy = False
            self._go_on()

    def _done(self, found: asyncio.Future[None]) -> None:
        self._busy = False
        self._go_on()
        self.show()

    def _work(self) -> tuple[Guess, Callable[[], Any]] | None:
        now = self._now
        waiting = [made for made in (*([now] if now else []), *self.kept.values()) if made.answer is None and made.fault is None]
        if waiting:
            return waiting[0], partial(_answer, waiting[0])
        if now is not None and now.fault is None and now.played.n < PLAYED:
            return now, partial(now.played.more, PLAYED, AT_ONCE, lambda: self._now is not now)
        return None

    # what is shown

    def lines(self, desk: Desk) -> list[str]:
        """The switch; and where guessing is on, the form or what is revealed, and how well it went so far."""
        words = desk.words
        told = [drawn.switch(self.on, words)]
        for made in self.kept.values():
            made.settle(desk.session)
        self._now = self.kept.get(self._key(desk)) if self.on else None
        if not self.on:
            return told
        if self._now is not None:
            self._go_on()
            told += self._reveal(self._now, desk)
        elif (draft := self._drafted(desk)) is not None:
            told += self._form(draft, desk)
        else:
            told.append(f'<p class="quiet nothing">{words.text("guess.nothing")}</p>')
        return [*told, *self._calibration(desk)]

    def _form(self, draft: Draft, desk: Desk) -> list[str]:
        words, choices = desk.words, self._open(desk)
        asked, outcomes = self._chosen(draft, choices)
        said = [named(desk.game, outcome, words) for outcome in outcomes]
        told = [drawn.head("guess", words)]
        if len(choices) > 1:
            told.append(drawn.questions([(each.name, each.say(words)) for each, _ in choices], asked.name, words))
        told.append(drawn.asked(asked.say(words), said[0] if len(said) == 1 else ""))
        if len(said) > 1:
            told.append(drawn.choices(said, draft.outcome, asked.say(words)))
        return [*told, drawn.slider(draft.chance, words), drawn.cover(words)]

    def _reveal(self, made: Guess, desk: Desk) -> list[str]:
        words = desk.words
        told = [drawn.head("reveal", words), drawn.asked(made.question.say(words), named(desk.game, made.outcome, words))]
        if made.fault is not None:
            return [*told, html.fault(lines.problem(made.fault, desk), words)]
        shown = made.shown(words)
        told.append(f'<div class="axis">{drawn.axis(shown, words)}</div>')
        told += [drawn.numbers(shown, words), drawn.nearness(shown, words)]
        if made.answer is not None:
            rests = basis(made.answer, words) if made.exact else words.text("guess.no_exact", assumes=made.answer.assumes)
            told.append(f'<p class="quiet small">{rests}</p>')
        return [*told, f'<p class="came">{words.text(f"guess.came.{_state(made)}")}</p>']

    def _calibration(self, desk: Desk) -> list[str]:
        words, seen = desk.words, self.seen(desk)
        if not self.kept:
            return []
        told = [drawn.fold(len(seen), self.unfolded, words)]
        if not self.unfolded:
            return told
        yours, computed = self.scores(desk)
        told.append(drawn.score(yours, computed, len(self._settled(desk)), words))
        if yours is not None:
            told.append(drawn.plotted(self._points(desk), words))
        waiting = [made for made in seen if made.came is None and not made.void]
        if waiting:
            told.append(drawn.listed(words.text("guess.open", n=len(waiting)), [_row(made, words) for made in waiting]))
        if len(seen) < len(self.kept):
            told.append(f'<p class="quiet small">{words.text("guess.elsewhere", n=len(self.kept) - len(seen))}</p>')
        return [*told, drawn.saves(words)]

    # how well it went

    def seen(self, desk: Desk) -> list[Guess]:
        """The guesses that this viewpoint may see: its own and a spectator's, for others' odds may tell of cards; for the teacher all."""
        return [made for made in self.kept.values() if desk.viewer == TEACHER or made.viewer in (None, desk.viewer)]

    def _settled(self, desk: Desk) -> list[Guess]:
        return [made for made in self.seen(desk) if made.counts]

    def scores(self, desk: Desk) -> tuple[float | None, float | None]:
        """The mean Brier score (1950) of the settled guesses, and that of the probabilities that were computed for the same outcomes."""
        made = self._settled(desk)
        yours = [(each.chance / 100 - bool(each.came)) ** 2 for each in made]
        computed = [(each.computed - bool(each.came)) ** 2 for each in made if each.computed is not None]
        return _mean(yours), _mean(computed) if len(computed) == len(yours) else None

    def _points(self, desk: Desk) -> list[drawn.Point]:
        return drawn.reliability([(made.chance / 100, bool(made.came)) for made in self._settled(desk)])

    def table(self, desk: Desk) -> tuple[list[str], list[list[object]]]:
        """Every guess as a row, under its headings: for a file."""
        words = desk.words
        names = ("game", "step", "viewpoint", "question", "outcome", "guess", "exact", "played", "n", "came", "yours", "computed")
        rows: list[list[object]] = []
        for made in self.seen(desk):
            came = None if made.came is None else int(made.came)
            rows.append([
                words.text(f"game.{made.view.game.name}"), made.at, _viewpoint(made.viewer, words), made.question.say(words),
                named(made.view.game, made.outcome, words), made.chance / 100, made.exact.mean if made.exact else None,
                made.played.estimate.mean, made.played.n, came,
                None if came is None else round((made.chance / 100 - came) ** 2, 6),
                None if came is None or made.computed is None else round((made.computed - came) ** 2, 6),
            ])  # fmt: skip
        return [words.text(f"guess.column.{name}") for name in names], rows

    def picture(self, desk: Desk) -> str:
        """The reliability of the guesses as SVG on its own."""
        return drawn.plot(self._points(desk), desk.words)

    def _file(self, desk: Desk, kind: str) -> Download:
        for made in self.kept.values():
            made.settle(desk.session)
        if kind == "csv":
            return file_of("cardlab-guesses.csv", *self.table(desk), desk.words.language)
        if kind not in ("svg", "png"):
            raise BadRequest("error.guess.word", word=quoted(kind))
        saved = drawing("cardlab-guesses.svg", self.picture(desk))
        return painted(saved) if kind == "png" else saved


def _answer(made: Guess) -> None:
    made.answer = ask(made.view, made.question.name, n=SAMPLES)


def _try(made: Guess, piece: Callable[[], Any]) -> None:
    try:
        piece()
    except Exception as fault:
        made.fault = fault  # it is shown where the guess is


def _uncertain(view: Any, asked: Question) -> list[Any]:
    """The outcomes of a question that may come and may not, as this viewer knows it."""
    outcomes = watch(view, asked.name).outcomes()
    if not outcomes:
        return []
    if asked.name in LONG_COUNTED:
        return _as_played(view, asked.name, outcomes)
    answer = ask(view, asked.name, n=PROBES[0])
    return [outcome for outcome in outcomes if not _certain(answer.numbers.get(outcome))]


def _as_played(view: Any, name: str, outcomes: list[Any]) -> list[Any]:
    """The outcomes of which games do not tell that they always come or never, where so little is hidden that this may be known."""
    if view.now.phase in ("lot", "deal"):
        return outcomes
    games = Played(view, name, outcomes[0])
    for n in PROBES:
        games.more(n)
        if all(0 < games.counts[outcome] < n for outcome in outcomes) or games.believed.size > FEW:
            return outcomes
    return [outcome for outcome in outcomes if 0 < games.counts[outcome] < games.n]


def _certain(found: Exact | Estimate | None) -> bool:
    """An outcome that an answer does not name is impossible."""
    return found is None or (isinstance(found, Exact) and found.value in (0, 1))


def _state(made: Guess) -> str:
    return "void" if made.void else "open" if made.came is None else "yes" if made.came else "no"


def _row(made: Guess, words: Words) -> str:
    said = f"{made.question.say(words)} {named(made.view.game, made.outcome, words)}: {drawn.whole(made.chance)}"
    return words.text("guess.row", step=made.at, said=said)


def _viewpoint(viewer: Viewer, words: Words) -> str:
    if viewer is None or viewer == TEACHER:
        return words.text("viewer.spectator" if viewer is None else "viewer.teacher")
    return words.seat(int(viewer))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
