"""Every history of tiny games: what a viewer is shown is a function of what the rules let it know, and of nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from leak_tools import Doors
from tiny import Allow, Everything

from cardlab.cards import parse_cards
from cardlab.core.game import AnyGame, Step
from cardlab.games import fight_state, marshal_state, suicide_king
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.poker_marshal import PokerMarshal
from cardlab.games.suicide_king import SuicideKing

SIX = "2C 3C 4C 5D 6D 7D"
FIVE = "2C 3C 4C 5C 6D"
TITLES = ("title 6D", "title 5C", "title 4C", "title 3C", "title 2C", "shuffle")  # seat k gets the k-th title


def fight(pack: str, players: int = 2, hand: int = 1, exchanges: int = 1, **house: Any) -> FightForTheLead:
    size = fight_state.Size(parse_cards(pack), hand, exchanges)
    return FightForTheLead(players, size=size, first_dealer=0, **house)


def marshal(pack: str, hands: tuple[int, ...] = (1, 1, 1, 1, 1), swaps: tuple[int, int] = (1, 1), asks: int = 1, **house: Any) -> AnyGame:
    house = {"deals": 1, "title_tie": "incumbent", **house}
    return PokerMarshal(size=marshal_state.Size(parse_cards(pack), hands, swaps, asks), **house)


def king(pack: str, piles: tuple[int, ...], players: int = 2, **house: Any) -> SuicideKing:
    return SuicideKing(players, size=suicide_king.Size(parse_cards(pack), piles), first_dealer=0, **house)


def to_deal(n: int) -> Allow:
    """No deal after the n-th."""
    return lambda step: not (step.action.verb == "shuffle" and step.before.deal == n)


def quiet(*phases: str, never: str = "") -> Allow:
    """Nothing is exchanged in some phases, a verb never used, and the end comes before the showdown, after which nothing is hidden."""

    def allow(step: Step[Any]) -> bool:
        action = step.action
        if action.verb == never or (action.verb == "show" and not action.cards):
            return False
        return step.before.phase not in phases or action.verb in ("enough", "keep") or str(action) == "take 0"

    return allow


def one_in(n: int, phase: str, also: Allow = lambda step: True) -> Allow:
    """Of the positions in which a phase begins one in n, chosen by the position itself; after them everything."""

    def allow(step: Step[Any]) -> bool:
        begins = step.after.phase == phase != step.before.phase
        return also(step) and not (begins and random.Random(repr(step.after)).randrange(n))

    return allow


# a first deal in which nothing is exchanged; the second one is tried whole
FIRST_DEAL = (
    "shuffle",
    "deal 2C",
    "deal 3C",
    "fight 3C",
    "fight 2C",
    "turn 4C",
    "deal 5D",
    "deal 6D",
    "stand",
    "stand",
    "play 6D",
    "play 5D",
)
SHOWN_HAND = quiet("marshal", "deputy", "bandit", never="ask")
SWAPS_ONLY = quiet("offers", "bandit")
OFFERS_ONLY = quiet("marshal", "deputy")
JOKER = {"hands": (2, 1, 1, 1, 1), "swaps": (2, 1)}  # with six cards: no stock, and victims who hold nothing but a joker

# the game, what was played before, the branches in CI, the branches in the full size
TREES: dict[str, tuple[AnyGame, tuple[str, ...], Allow, Allow]] = {
    "fight": (fight(SIX, deals=1), (), one_in(5, "fight"), to_deal(1)),
    "fight, to the second deal": (fight("2C 3C 4D 5D 6D", deals=2), (), to_deal(1), to_deal(1)),
    "fight, three players": (fight(SIX, 3, deals=2), (), one_in(8, "fight", to_deal(1)), to_deal(1)),
    "fight, two tricks and a new stock": (fight(SIX, hand=2, deals=1), (), one_in(8, "fight"), to_deal(1)),
    "fight, two tricks and an exchange": (
        fight(SIX + " 8D 9D", hand=2, deals=1), (), one_in(500, "fight", one_in(6, "exchange")), one_in(60, "fight", one_in(8, "exchange")),
    ),
    "fight, exchange one by one": (
        fight(SIX + " 8D", exchanges=2, exchange="one_by_one", deals=1), (), one_in(220, "exchange"), one_in(12, "exchange"),
    ),
    "fight, stay or drop": (
        fight(SIX, refusal="pagat_dropout", deals=2), FIRST_DEAL, one_in(8, "fight"), to_deal(2),
    ),
    "marshal, swaps": (marshal(FIVE + " JK1", **JOKER), TITLES, one_in(4, "marshal", SWAPS_ONLY), SWAPS_ONLY),
    "marshal, take then give": (
        marshal(FIVE + " JK1", **JOKER, swap="take_then_give"), TITLES, one_in(8, "marshal", SWAPS_ONLY), SWAPS_ONLY,
    ),
    "marshal, offers": (marshal(FIVE), TITLES, OFFERS_ONLY, OFFERS_ONLY),
    "marshal, offers and a stock": (marshal(FIVE + " 7D"), TITLES, one_in(8, "offers", OFFERS_ONLY), OFFERS_ONLY),
    "marshal, a card shown": (marshal(FIVE, offers="ask_or_offer"), TITLES, one_in(4, "offers", SHOWN_HAND), SHOWN_HAND),
    "marshal, two offers": (
        marshal(FIVE + " 7D", (1, 1, 2, 1, 1), asks=2), TITLES, one_in(180, "offers", OFFERS_ONLY), one_in(12, "offers", OFFERS_ONLY),
    ),
    "marshal, swaps and offers": (
        marshal(FIVE + " 7D 8D", (2, 1, 2, 1, 1)), TITLES, one_in(800, "marshal", quiet("bandit")), one_in(40, "marshal", quiet("bandit")),
    ),
    "marshal, the bandit": (
        marshal(FIVE + " JK1"), TITLES, quiet("marshal", "deputy", "offers"), quiet("marshal", "deputy", "offers"),
    ),
}  # fmt: skip


def try_tree(name: str, full: bool) -> Everything:
    game, start, some, whole = TREES[name]
    return Everything(game, start, whole if full else some, Doors(screens=1 if full else 3)).run()


LONG = ("fight, stay or drop", "marshal, a card shown", "marshal, swaps and offers", "marshal, two offers")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in TREES])
def test_what_is_shown_follows_from_what_may_be_known(name: str) -> None:
    tried = try_tree(name, full=False)
    assert tried.histories > 3000
    assert tried.shared > 250
    assert tried.pairs > 5_000


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_what_is_shown_follows_from_what_may_be_known_in_the_full_size(name: str) -> None:
    tried = try_tree(name, full=True)
    assert tried.shared > 250
    assert tried.pairs > 5_000


KINGS = {
    "two players": king("KH AC JD 2C 3C", (3, 2)),
    "three players, several deals": king("KH JD 2C", (2, 1), 3),
    "batch": king("AC JD QD KH 3C", (3, 2), extra_cards="batch"),
}


@pytest.mark.parametrize("name", KINGS)
def test_no_seed_tells_the_order_of_the_piles(name: str) -> None:
    """In Suicide King all is open but the order of the cards to come: under two seeds the same acts look the same."""
    tried = Everything(KINGS[name], deep=20)
    for tried.seed in (1, 2):
        tried.run()
    assert tried.shared == len(tried.groups) > 1000
