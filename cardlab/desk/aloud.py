"""What a screen reader is to say of a desk: each new sentence of the log once, and nothing that was said before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

from cardlab.core.session import Row
from cardlab.desk.desk import Desk
from cardlab.desk.lines import standing

MOST: Final = 40  # sentences at once, the last of them: more than a few minutes of speech nobody hears out


class Aloud:
    """The words for the live region of a screen, made each time the screen is drawn.

    Going back, or along what was said before, says in one sentence where one stands, as does another game: what was said is not
    said again, but silence would leave open whether the key did anything. Another language or viewpoint says nothing, for whoever
    chose it knows; what was said is then taken out of the region.
    """

    def __init__(self) -> None:
        self._told: list[Row] = []  # the longest line of sentences that was said
        self._key: tuple[Any, ...] = ()
        self._at = self._furthest = 0
        self._words: dict[str, Any] = {"n": 0}

    def of(self, desk: Desk, rows: Sequence[Row]) -> dict[str, Any]:
        """What there is to say since the last time; ``rows`` are those of the log here.

        ``n`` counts, so that nothing is said twice; ``fresh`` says that nothing may stay of what was said before.
        """
        key, at = (desk.session, desk.viewer, desk.words.language), desk.at
        if key != self._key:
            another = bool(self._key) and key[0] is not self._key[0]
            if key[:2] != self._key[:2]:
                self._told, self._furthest = [*rows], at
            self._say(desk, [standing(desk)] if another else [], fresh=True)
        elif at != self._at:
            known = sum(1 for _ in takewhile(_alike, zip(self._told, rows, strict=False)))
            new = rows[known:]
            if new:
                self._told[known:], self._furthest = new, at
                self._say(desk, _last(desk, [row.text for row in new]))
            elif at <= self._furthest:
                self._say(desk, [standing(desk)])
            else:
                self._furthest = at  # a step without a sentence
        self._key, self._at = key, at
        return self._words

    def _say(self, desk: Desk, said: list[str], fresh: bool = False) -> None:
        self._words = {"n": self._words["n"] + 1, "language": desk.words.language, "said": said, "fresh": fresh}


def _alike(pair: tuple[Row, Row]) -> bool:
    one, other = pair
    return one is other or (one.step, one.event) == (other.step, other.event)


def _last(desk: Desk, said: list[str]) -> list[str]:
    """The last of many sentences, after one that says how many more stand in the log."""
    more = len(said) - MOST
    return [desk.words.text("page.aloud.more", n=more), *said[-MOST:]] if more > 0 else said
