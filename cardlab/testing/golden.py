"""What (seed, index) gives, for ever: short hashes of decks and records, to be compared with a stored list.

``python -m cardlab.testing.golden suicide_king`` prints the list of a game as JSON. A list that has been published never changes; a
game whose rules were mended gets a new ``version`` and, with it, a new list.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any, Final

import cardlab.games
import cardlab.players  # noqa: F401  (the players are put in the registry)
from cardlab.cards import Card
from cardlab.core import streams
from cardlab.core.registry import GAMES
from cardlab.core.session import Session

PAIRS: Final = tuple((seed, index) for seed in (0, 1, 2, 3, 4, 5, 6, 7, 2**32, 2**64 - 1) for index in range(10))
SPELLED: Final = (PAIRS[0], PAIRS[1], PAIRS[-1])


def session(name: str, seed: int, index: int) -> Session:
    """A game of random players, of two deals where the number of deals is agreed."""
    kind = GAMES[name]
    house: dict[str, Any] = {"deals": 2} if "deals" in kind.rules_type.options() else {}
    return Session(kind(**house), seed=seed, index=index)


def deck(name: str, seed: int, index: int) -> tuple[Card, ...]:
    """The cards of the first deal by place."""
    game: Any = session(name, seed, index).game
    pack = getattr(game, "pack", game.size.pack)  # Suicide King hands its places to the cards in an order of its own
    order = streams.shuffled(streams.deal_key(seed, index, 0), streams.DECK, len(pack))
    return tuple(game.card_at(place, order, pack) for place in range(len(pack)))


def actions(name: str, seed: int, index: int) -> list[str]:
    """All actions of a game, each after its actor."""
    played = session(name, seed, index)
    played.auto("random", until="game")
    return [f"{by} {action}" for by, action in played.record.actions]


def fingerprint(lines: list[str]) -> str:
    """Twelve digits that any change of a line changes."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def golden(name: str, records: int = len(PAIRS)) -> dict[str, Any]:
    """The list of a game: version, a hash for each pair's deck, a hash for each of the first pairs' records, and some spelled out.

    >>> golden("suicide_king", records=1)["records"]
    ['...']
    """
    return {
        "game": name,
        "version": GAMES[name].version,
        "pairs": [f"{seed} {index}" for seed, index in PAIRS],
        "decks": [fingerprint([str(card) for card in deck(name, *pair)]) for pair in PAIRS],
        "records": [fingerprint(actions(name, *pair)) for pair in PAIRS[:records]],
        "spelled": {f"{seed} {index}": " ".join(map(str, deck(name, seed, index))) for seed, index in SPELLED},
        "actions": actions(name, *PAIRS[1]),
    }


def main(arguments: list[str]) -> None:
    """Prints the list of the game that is named, with all records or as many as are asked for."""
    name, *rest = arguments
    print(json.dumps(golden(name, *map(int, rest)), indent=0))


if __name__ == "__main__":
    main(sys.argv[1:])
