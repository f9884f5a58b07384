"""Playthroughs: a whole short game as a text file, for people to read and for a test to compare (the idea is OpenSpiel's).

``python -m cardlab.testing.playthrough`` names the files in ``tests/playthroughs`` that are missing or no longer true, and with
``--write`` writes them. A change in such a file is a change of the game: look at the difference before you keep it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import cardlab.games
import cardlab.players  # noqa: F401  (the players are put in the registry)
from cardlab.cards import Bag, Card
from cardlab.core.dist import Dist
from cardlab.core.events import TEACHER, Event, Seat, Viewer, to_json
from cardlab.core.game import OVER, Action
from cardlab.core.places import Places
from cardlab.core.registry import GAMES, game
from cardlab.core.session import Session

FOLDER: Final = Path("tests") / "playthroughs"
FEW: Final = 10  # of cards, moves or outcomes that are written out; more of them are counted, and a hash tells when they change


@dataclass(frozen=True)
class Play:
    """What a playthrough plays: the header of its file."""

    game: str
    players: int
    preset: str = "default"
    house: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    index: int = 0
    player: str = "random"

    def session(self) -> Session:
        """The game at its start."""
        return Session(game(self.game, self.players, self.preset, **self.house), seed=self.seed, index=self.index)


# one for every game and preset, and for every game one or more with house rules
WANTED: Final = {
    "suicide_king.default": Play("suicide_king", 3),
    "suicide_king.pagat": Play("suicide_king", 3, "pagat"),
    "suicide_king.house": Play("suicide_king", 3, house={"first_dealer": 1, "extra_cards": "batch", "next_dealer": "last_leaver"}),
    "fight_for_the_lead.default": Play("fight_for_the_lead", 2, house={"deals": 2}),
    "fight_for_the_lead.house": Play(
        "fight_for_the_lead",
        2,
        house={"deals": 2, "stake": 8, "exchange": "one_by_one", "who_antes": "losers_only", "penalty_cap": 3, "refusal": "pagat_dropout"},
    ),
    "fight_for_the_lead.bankroll": Play(
        "fight_for_the_lead", 2, house={"deals": 3, "bankroll": 20, "refusal": "losers_bound", "first_dealer": 1}, seed=3
    ),
    "poker_marshal.default": Play("poker_marshal", 5, house={"deals": 1}),
    "poker_marshal.house": Play(
        "poker_marshal", 5, house={"deals": 1, "swap": "take_then_give", "offers": "ask_or_offer", "short_hands": "casino"}, seed=2
    ),
}


def playthrough(play: Play) -> str:
    """The text of a playthrough: a header, every step with what everybody sees and knows of it, and the outcome."""
    return "\n".join([json.dumps(asdict(play)), *_lines(play)]) + "\n"


def play_of(text: str) -> Play:
    """What the header of a playthrough says."""
    return Play(**json.loads(text.split("\n", 1)[0]))


def _lines(play: Play) -> Iterator[str]:
    session = play.session()
    viewers: tuple[Viewer, ...] = (*session.game.seats, None, TEACHER)
    known = {viewer: _facts(session.view(viewer)) for viewer in viewers}
    while session.actor is not OVER:
        actor = session.actor
        acts = f"seat {actor}" if isinstance(actor, Seat) else actor.value
        yield ""
        yield f"step {session.at + 1}: deal {session.state.deal}, {session.game.phase(session.state)}, {acts}"
        if isinstance(actor, Seat):
            yield f"  may: {_some([str(action) for action in session.legal], ' | ')}"
        else:
            yield f"  chances: {_dist(session.game.chances(session.state))}"
            yield from _grouped("expects", {viewer: [_dist(session.expects(viewer))] for viewer in viewers})
        step = session.step(play.player)
        yield f"  does: {step.action}"
        shown = {viewer: [event.seen(viewer) for event in step.events if not event.silent] for viewer in viewers}
        yield from _grouped("sees", {viewer: [_event(to_json(event)) for event in events if event] for viewer, events in shown.items()})
        facts = {viewer: _facts(session.view(viewer)) for viewer in viewers}
        yield from _grouped("knows", {viewer: _changes(known[viewer], facts[viewer]) for viewer in viewers})
        known = facts
    outcome = session.outcome
    assert outcome is not None
    yield ""
    yield f"over after {session.at} steps: {outcome.reason}"
    yield f"  standing: {' > '.join(' = '.join(map(str, map(int, group))) for group in outcome.standing)}"
    if outcome.payments:
        yield f"  payments: {_brief(outcome.payments)}"


def _grouped(verb: str, told: dict[Viewer, list[str]]) -> Iterator[str]:
    """What is alike for several viewers, once."""
    for text in dict.fromkeys(line for lines in told.values() for line in lines):
        who = [viewer for viewer, lines in told.items() if text in lines]
        names = "all" if len(who) == len(told) else " ".join("public" if viewer is None else str(viewer) for viewer in who)
        yield f"  {verb} [{names}] {text}"


def _event(values: dict[str, Any]) -> str:
    key, rule = values.pop("event"), values.pop("rule")
    values.pop("seen_by", None)
    return " ".join([rule, key, *(f"{name}={_brief(value)}" for name, value in values.items())])


def _facts(view: Any) -> dict[str, str]:
    """The fields of a view, those of a table in it too, and a line for each zone of its places."""
    facts = {}
    for f in fields(view):
        value = getattr(view, f.name)
        if f.name in ("viewer", "now"):
            continue
        if isinstance(value, Places):
            for name, zone in value.zones:
                may = f" + {zone.unknown} of {_brief(zone.may)}" if zone.unknown else ""
                facts[name] = f"{_brief(zone.sure)}{may}" if zone.size else "empty"
        elif is_dataclass(value):
            facts.update(_facts(value))
        elif isinstance(value, tuple) and value and all(isinstance(item, Event) for item in value):
            facts[f.name] = f"{len(value)} events"  # they stand in their own lines
        else:
            facts[f.name] = _brief(value)
    return facts


def _changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    changed = [f"{name} = {value}" for name, value in after.items() if before.get(name) != value]
    gone = [f"{name} = gone" for name in before if name not in after]
    return ["; ".join(changed + gone)] if changed or gone else []


def _dist(dist: Dist[Action] | None) -> str:
    if dist is None:
        return "nothing"
    if len({weight for _, weight in dist.items()}) == 1:
        return _some([str(action) for action in dist], " | ") + (", all alike" if len(dist) > 1 else "")
    return _some([f"{action} {weight}/{dist.total}" for action, weight in dist.items()], " | ")


def _brief(value: Any) -> str:
    if isinstance(value, (Bag, tuple, list)):
        cards = all(isinstance(item, Card) for item in value)
        texts = [str(item) if isinstance(item, Card) else _brief(item) for item in value]
        return _some(texts, " ") if cards else f"({_some(texts, ', ')})"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(int(value))
    return str(value)


def _some(texts: list[str], between: str) -> str:
    if len(texts) <= FEW:
        return between.join(texts) or "none"
    digest = hashlib.sha256(between.join(texts).encode()).hexdigest()[:5]
    return f"{texts[0]} … {texts[-1]} ({len(texts)} #{digest})"


def uncovered(plays: list[Play]) -> list[str]:
    """The games and presets that no playthrough plays, and the games without one with house rules."""
    presets = {(play.game, play.preset) for play in plays}
    missing = [
        f"{name}, preset {preset}" for name, kind in GAMES.items() for preset in kind.rules_type.presets if (name, preset) not in presets
    ]
    housed = {play.game for play in plays if set(play.house) - {"deals"}}
    return missing + [f"{name}, house rules" for name in GAMES if name not in housed]


def main(arguments: list[str]) -> int:
    """Compares the files, or writes them with ``--write``."""
    write = arguments == ["--write"]
    if arguments and not write:
        print("usage: python -m cardlab.testing.playthrough [--write]", file=sys.stderr)
        return 2
    plays = {FOLDER / f"{name}.txt": play for name, play in WANTED.items()}
    plays |= {path: play_of(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt")) if path not in plays}
    stale = 0
    for path, play in plays.items():
        text = playthrough(play)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += not write
        print(path, "written" if write else "is not what the game does now")
        if write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return min(stale, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
