"""What the answers about Poker Marshal are answers for: each outcome is a value with a short language-free text and a name in words."""

from __future__ import annotations

from dataclasses import dataclass

from cardlab.cards import Category
from cardlab.core.events import Seat
from cardlab.core.game import Action
from cardlab.words import Phrase, Words


def title_name(title: int) -> Phrase:
    """A title in words, the Marshal being 0."""
    return Phrase.of(f"title.{title}")


@dataclass(frozen=True)
class HandOf:
    """The hand of a title, of so many cards, is of this category.

    >>> print(HandOf(4, 3, Category.THREE_OF_A_KIND))
    three of a kind
    """

    title: int
    cards: int
    category: Category

    def display(self, words: Words) -> str:
        """The title, the number of cards and the category."""
        return words.text("outcome.marshal.hand", title=title_name(self.title), n=self.cards, category=self.category)

    def __str__(self) -> str:
        return self.category.name.lower().replace("_", " ")


@dataclass(frozen=True)
class JokersOf:
    """The hand of a title holds so many jokers."""

    title: int
    cards: int
    jokers: int

    def display(self, words: Words) -> str:
        """The title and the number of jokers."""
        return words.text("outcome.marshal.jokers", title=title_name(self.title), n=self.jokers)

    def __str__(self) -> str:
        return str(self.jokers)


@dataclass(frozen=True)
class TitleOf:
    """A seat gets a title after the showdown or the draw; ``choice`` is the choice before it, where choices are compared."""

    seat: Seat
    title: int
    choice: Choice | None = None

    def display(self, words: Words) -> str:
        """The seat and the title, after the choice that leads there."""
        if self.choice is None:
            return words.text("outcome.marshal.title", seat=self.seat, title=title_name(self.title))
        return words.text("outcome.marshal.title_after", choice=self.choice, title=title_name(self.title))

    def __str__(self) -> str:
        return f"{self.seat}: {self.title}" if self.choice is None else f"{self.choice}: {self.title}"


@dataclass(frozen=True)
class Choice:
    """What a seat may do: one action, or an action with several cards for as many, or an offer with the card laid beside it.

    >>> print(Choice((Action.parse("ask QH"), Action.parse("lay 2C"))))
    ask QH, lay 2C
    """

    actions: tuple[Action, ...]

    def display(self, words: Words) -> str:
        """The actions as on buttons, one after another."""
        return "; ".join(_action(action, words) for action in self.actions)

    def __str__(self) -> str:
        return ", ".join(map(str, self.actions))


def _action(action: Action, words: Words) -> str:
    if action.verb == "take" and not action.number:
        return words.text("action.poker_marshal.take.none")
    n = len(action.cards) if action.number is None else action.number
    return words.text(f"action.poker_marshal.{action.verb}", cards=action.cards, n=n, seat=Seat(n))


@dataclass(frozen=True)
class Where:
    """A card lies in a hand, or in the ``stock``, the ``discard`` or face down (``laid``); ``silence`` says whether silence is weighed."""

    place: Seat | str
    silence: bool

    def display(self, words: Words) -> str:
        """The place, and what is taken into account."""
        place = Phrase.of(f"outcome.marshal.in.{self.place}") if isinstance(self.place, str) else self.place
        return words.text("outcome.marshal.after_silence" if self.silence else "outcome.marshal.before_silence", place=place)

    def __str__(self) -> str:
        return f"{self.place}{' after silence' if self.silence else ''}"


@dataclass(frozen=True)
class Settled:
    """Whether the draw for titles gives different ranks, so that nobody draws again."""

    different: bool

    def display(self, words: Words) -> str:
        """Different ranks, or a tie."""
        return words.text("outcome.marshal.different" if self.different else "outcome.marshal.tie")

    def __str__(self) -> str:
        return "different" if self.different else "tie"


@dataclass(frozen=True)
class Passes:
    """The holder of a title has another one, or the same, after so many deals."""

    old: int
    new: int
    deals: int

    def display(self, words: Words) -> str:
        """Both titles and the number of deals."""
        return words.text("outcome.marshal.passes", old=title_name(self.old), new=title_name(self.new), n=self.deals)

    def __str__(self) -> str:
        return f"{self.old} to {self.new} in {self.deals}"


@dataclass(frozen=True)
class LongRun:
    """The share of all deals in which a player has a title, in the long run."""

    title: int

    def display(self, words: Words) -> str:
        """The title."""
        return words.text("outcome.marshal.long_run", title=title_name(self.title))

    def __str__(self) -> str:
        return f"long run {self.title}"


@dataclass(frozen=True)
class DealsToStreak:
    """The mean number of deals until somebody, or the player who has a title now, has won five running."""

    title: int | None = None

    def display(self, words: Words) -> str:
        """Whose five deals they are."""
        if self.title is None:
            return words.text("outcome.marshal.streak.any")
        return words.text("outcome.marshal.streak.title", title=title_name(self.title))

    def __str__(self) -> str:
        return "streak" if self.title is None else f"streak {self.title}"
