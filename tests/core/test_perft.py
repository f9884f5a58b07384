"""Node counts of small trees (perft): every history of a tiny size, against a formula or a model written apart from the engine.

A node is a history, chance included; equal states are counted together, which also tries that a state holds all that matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, perm
from typing import Any

import pytest

from cardlab.cards import PACK_52, Bag, Card, parse_cards
from cardlab.core.game import CHANCE, OVER, Action, AnyGame
from cardlab.games import FightForTheLead, PokerMarshal, SuicideKing, fight_state, marshal_state, suicide_king


def children(game: AnyGame, state: Any) -> tuple[Action, ...]:
    return game.draw(state).options if game.actor(state) is CHANCE else game.legal(state)


def perft(game: AnyGame, start: Any, depth: int = 10**6) -> tuple[list[int], Counter[Any]]:
    """The number of histories by depth, and of the finished ones by outcome: (standing, payments)."""
    layer, nodes, ends = Counter({start: 1}), [1], Counter[Any]()
    while layer and len(nodes) <= depth:
        following = Counter[Any]()
        for state, times in layer.items():
            outcome = game.outcome(state)
            if game.actor(state) is OVER:
                assert outcome is not None
                ends[outcome.standing, outcome.payments] += times
                continue
            for action in children(game, state):
                following[game.apply(state, action).after] += times
        layer = following
        if layer:
            nodes.append(sum(layer.values()))
    return nodes, ends


# Suicide King: 8 cards in 3 piles


EIGHT = parse_cards("KH AC KD QC JD 2C 3C 4C")
EXTRA = {"A": 4, "K": 3, "Q": 2, "J": 1}


def words(sizes: tuple[int, ...], length: int) -> int:
    """In how many ways so many cards can be taken from piles of these sizes."""
    if length == 0:
        return 1
    taken = ((*sizes[:k], size - 1, *sizes[k + 1 :]) for k, size in enumerate(sizes) if size)
    return sum(words(left, length - 1) for left in taken)


def a_deal(order: tuple[str, ...], seats: list[int], batch: bool, ends: bool) -> tuple[list[int], list[int], int]:
    """A deal as the rule book tells it: who left, who plays on, and how many cards were taken; seats from the first mover on."""
    left: list[int] = []
    k = 0
    while True:
        due, queue, run, leaves = 1, list[int](), 0, False
        while run < due:
            card = order[k]
            k += 1
            if card == "KH" or k == len(order):
                leaves = True
                break
            extra = EXTRA.get(card[0], 0)
            if not batch:
                run, due = (0, extra) if extra else (run + 1, due)
                continue
            queue += [extra] if extra else []
            run += 1
            if run == due and any(EXTRA.get(taken[0]) for taken in order[k - due : k]):
                run, due = 0, queue.pop(0)
        player = seats.pop(0)
        if not leaves:
            seats.append(player)
            continue
        left.append(player)
        if len(seats) == 1 or k == len(order) or ends:
            return left, seats, k


def tiny_king(cards: tuple[str, ...], sizes: tuple[int, ...], players: int, dealer: int, batch: bool, ends: bool) -> Counter[Any]:
    """Finished histories by the order in which the seats left, the last one being the last left."""

    def play(in_game: tuple[int, ...], dealer: int) -> Counter[tuple[int, ...]]:
        first = sorted(in_game, key=lambda seat: (seat - dealer - 1) % players)
        prefixes = Counter[tuple[tuple[int, ...], tuple[int, ...], int]]()
        for order in permutations(cards):
            left, stay, taken = a_deal(order, list(first), batch, ends)
            prefixes[tuple(left), tuple(stay), taken] += 1
        found = Counter[tuple[int, ...]]()
        for (left, stay, taken), orders in prefixes.items():
            ways = orders // factorial(len(cards) - taken) * words(sizes, taken)
            if len(stay) == 1:
                found[left + stay] += ways
                continue
            next_dealer = min(stay, key=lambda seat: (seat - dealer - 1) % players)
            for rest, times in play(tuple(sorted(stay)), next_dealer).items():
                found[left + rest] += ways * times
        return found

    return play(tuple(range(players)), dealer)


def left_in_order(ends: Counter[Any]) -> dict[tuple[int, ...], int]:
    return {tuple(int(seat) for (seat,) in standing): times for (standing, _), times in ends.items()}


def test_suicide_king_of_two_by_formula_and_stored() -> None:
    """Any pile of those left and any card of those left, until the king of hearts has come."""
    sizes = (3, 3, 2)
    game = SuicideKing(2, size=suicide_king.Size(EIGHT, sizes), first_dealer=1)
    nodes, ends = perft(game, game.start())
    wanted = [1, 1]
    for k in range(1, 9):
        before = perm(7, k - 1)  # k - 1 cards without the king
        wanted += [before * words(sizes, k), before * (9 - k) * words(sizes, k)]
    assert nodes == wanted
    assert nodes[:9] == [1, 1, 3, 24, 63, 441, 1_092, 6_552, 14_700]
    assert nodes[-1] == 2_822_400
    assert sum(ends.values()) == sum(perm(7, k - 1) * words(sizes, k) for k in range(1, 9))


@pytest.mark.parametrize("batch", [False, True])
def test_suicide_king_of_two_by_who_is_left(batch: bool) -> None:
    game = SuicideKing(2, size=suicide_king.Size(EIGHT, (3, 3, 2)), first_dealer=1, extra_cards="batch" if batch else "reset")
    _, ends = perft(game, game.start())
    model = tiny_king(tuple(map(str, EIGHT)), (3, 3, 2), 2, 1, batch, ends=False)
    assert left_in_order(ends) == dict(model)
    assert set(model) == {(0, 1), (1, 0)}


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("ends_deal", [False, True])
@pytest.mark.parametrize("players", [3, 4])
def test_suicide_king_of_more_by_who_leaves_when(players: int, ends_deal: bool, batch: bool) -> None:
    """Five cards, several deals: whose turn, whose deal and who leaves, over every history."""
    cards = parse_cards("KH QD JD 2C 3C")
    house = {"extra_cards": "batch" if batch else "reset", "king_of_hearts": "ends_deal" if ends_deal else "deal_goes_on"}
    game = SuicideKing(players, size=suicide_king.Size(cards, (2, 2, 1)), first_dealer=2, **house)
    _, ends = perft(game, game.start())
    assert left_in_order(ends) == dict(tiny_king(tuple(map(str, cards)), (2, 2, 1), players, 2, batch, ends_deal))


def test_suicide_kings_chances_of_all_histories_sum_to_one() -> None:
    game = SuicideKing(2, size=suicide_king.Size(EIGHT, (3, 3, 2)))
    layer, done = {game.start(): Fraction(1)}, Fraction(0)
    while layer:
        following: dict[Any, Fraction] = {}
        for state, p in layer.items():
            if game.actor(state) is OVER:
                done += p
                continue
            chance = game.actor(state) is CHANCE
            options = game.chances(state) if chance else game.legal(state)[:1]
            for action in options:
                after = game.apply(state, action).after
                following[after] = following.get(after, Fraction(0)) + p * (game.chances(state).p(action) if chance else 1)
        layer = following
    assert done == 1


# Fight for the Lead: two players, two cards each


TWELVE = tuple(card for card in PACK_52 if str(card)[0] in "QKA")


def test_fights_first_steps_by_formula_and_stored() -> None:
    """12 cards: four dealt one by one, two fight cards out of two, a card turned; then a card comes, whether it matched or not."""
    game = FightForTheLead(2, size=fight_state.Size(TWELVE, hand=2, exchanges=2), first_dealer=0, deals=1)
    nodes, _ = perft(game, game.start(), depth=7)
    state_counts = [1, 1, 12, 12 * 11, 12 * 11 * 10, 12 * 11 * 10 * 9, 12 * 11 * 10 * 9 * 2, 12 * 11 * 10 * 9 * 4]
    assert nodes == state_counts == [1, 1, 12, 132, 1_320, 11_880, 23_760, 47_520]


Hands = tuple[tuple[str, ...], tuple[str, ...]]


def tiny_fight(hands: Hands, stock: tuple[str, ...]) -> Counter[tuple[int, int]]:
    """Finished histories from the fight cards on, two cards each: by net balances; seat 1 is at the dealer's left."""
    found = Counter[tuple[int, int]]()
    for fight in product(*hands):
        held = tuple(tuple(card for card in hand if card != laid) for hand, laid in zip(hands, fight, strict=True))
        for turned, lead in turns(fight, stock, ()):
            left = tuple(card for card in stock if card not in turned)
            left = left if len(left) >= 2 else left + turned
            for to_left, to_dealer in permutations(left, 2):
                rest = tuple(card for card in left if card not in (to_left, to_dealer))
                found += exchange((held[0] + (to_dealer,), held[1] + (to_left,)), rest, lead)
    return found


def turns(fight: tuple[str, ...], stock: tuple[str, ...], turned: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The cards that may be turned, in order, and who then has the lead."""
    for card in stock:
        if card in turned:
            continue
        fits = [seat for seat in (0, 1) if fight[seat][1] == card[1]]
        shown = (*turned, card)
        if fits or len(shown) == len(stock):
            yield shown, max(fits or (0, 1), key=lambda seat: ("QKA".index(fight[seat][0]), seat))
        else:
            yield from turns(fight, stock, shown)


def exchange(hands: Hands, stock: tuple[str, ...], lead: int) -> Counter[tuple[int, int]]:
    """Seat 1 exchanges 0 to 2 cards, then seat 0; each card costs 4 and the drawn ones come one by one."""
    found = Counter[tuple[int, int]]()
    for mine, n in swapped(hands[1], stock):
        left = tuple(card for card in stock if card not in mine)
        for yours, m in swapped(hands[0], left):
            paid = (4 + 4 * m, 4 + 4 * n)
            for tricks, ways in tricks_of((yours, mine), lead).items():
                bank = sum(paid)
                found[bank // 2 * tricks - paid[0], bank // 2 * (2 - tricks) - paid[1]] += ways
    return found


def swapped(hand: tuple[str, ...], stock: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The hands after an exchange, once for each history that leads there, and the number of cards."""
    for n in range(min(2, len(stock)) + 1):
        for laid in combinations(hand, n):
            for drawn in permutations(stock, n):
                yield tuple(card for card in hand if card not in laid) + drawn, n


def tricks_of(hands: Hands, lead: int) -> Counter[int]:
    """Two tricks: in how many ways seat 0 takes so many."""
    found = Counter[int]()
    for led in hands[lead]:
        other = 1 - lead
        follow = [card for card in hands[other] if card[1] == led[1]] or list(hands[other])
        for answer in follow:
            beats = answer[1] == led[1] and "QKA".index(answer[0]) > "QKA".index(led[0])
            winner = other if beats else lead
            rest = tuple(tuple(card for card in hand if card not in (led, answer)) for hand in hands)
            later = tricks_of((rest[0], rest[1]), winner) if rest[0] else Counter({0: 1})
            for tricks, ways in later.items():
                found[tricks + (winner == 0)] += ways
    return found


@pytest.mark.parametrize(
    ("dealt", "stock", "total"),
    [
        ("QC AH KD QH", "AC KH AD QD", 7_528),  # most turned cards match
        ("QC KC AC QD", "AH KH QH KD", 55_464),  # most match nobody; the stock may become too short and is shuffled anew
        # none matches: the whole stock is turned, and the highest fight card leads
        pytest.param("QC KC AC QD", "AH KH QH AS", 76_032, marks=pytest.mark.slow),
        pytest.param("QC KC AC QH", "AD KD QD AS KS", 2_201_280, marks=pytest.mark.slow),  # two cards may be exchanged
    ],
)
def test_fight_from_the_fight_cards_on(dealt: str, stock: str, total: int) -> None:
    cards, rest = parse_cards(dealt), parse_cards(stock)
    game = FightForTheLead(2, size=fight_state.Size(cards + rest, hand=2, exchanges=2), first_dealer=0, deals=1)
    state = game.apply(game.start(), Action("shuffle")).after
    for card in cards:
        state = game.apply(state, Action("deal", (card,))).after
    _, ends = perft(game, state)
    model = tiny_fight(((str(cards[1]), str(cards[3])), (str(cards[0]), str(cards[2]))), tuple(map(str, rest)))
    assert by_payments(ends) == model
    assert sum(model.values()) == total


def by_payments(ends: Counter[Any]) -> Counter[tuple[int, ...]]:
    found = Counter[tuple[int, ...]]()
    for (_, payments), times in ends.items():
        found[payments] += times
    return found


# Poker Marshal: five players with 3, 2, 2, 1 and 1 cards of ten


TEN = parse_cards("2C 3C 4D 5D 6H 7H 8S 9S TC JD")
TINY = marshal_state.Size(TEN, hands=(3, 2, 2, 1, 1), offers=1)


def after_the_titles(game: AnyGame) -> Any:
    return replace(game.start(), phase="deal", titles=game.seats, lots=None)


def after_the_deal(game: AnyGame, pack: tuple[Card, ...]) -> Any:
    """The first cards of a pack to the Marshal, and so on down."""
    state = game.apply(after_the_titles(game), Action("shuffle")).after
    for card in pack[: sum(game.size.hands)]:
        state = game.apply(state, Action("deal", (card,))).after
    return state


def deals_of(game: AnyGame) -> int:
    """The number of different deals: states once all cards are dealt."""
    layer = {game.apply(after_the_titles(game), Action("shuffle")).after}
    for _ in range(sum(game.size.hands)):
        layer = {game.apply(state, action).after for state in layer for action in children(game, state)}
    return len(layer)


def test_marshals_deals_of_eight_cards() -> None:
    game = PokerMarshal(size=marshal_state.Size(TEN[:8], hands=(2, 2, 1, 1, 1)))
    assert deals_of(game) == factorial(8) // (2 * 2) == 10_080


@pytest.mark.slow
def test_marshals_deals_of_ten_cards() -> None:
    assert deals_of(PokerMarshal(size=TINY)) == factorial(10) // (6 * 2 * 2) == 151_200


def test_marshals_first_draw_by_formula() -> None:
    """Five of ten cards, of different ranks: no tie, so that the sixth step is the shuffle and the seventh the first card."""
    game = PokerMarshal(size=TINY)
    nodes, _ = perft(game, game.start(), depth=5)
    assert nodes == [perm(10, k) for k in range(6)] == [1, 10, 90, 720, 5_040, 30_240]


def histories_of_swap(own: int, victim: int, most: int, take_first: bool) -> int:
    """Laying in order and stopping at any time, or naming a number, drawing blind and giving as many in order."""
    if not take_first:
        return sum(perm(own, laid) * perm(victim, min(laid, victim)) for laid in range(min(own, most) + 1))
    named = (min(n, victim) for n in range(most + 1))
    return sum(perm(victim, n) * perm(own + n, n) for n in named)


def histories_of_offers(offers: int, held: int, unheld: int, own: int, hands: tuple[int, ...], show: bool) -> int:
    """Enough, or a card named and one laid beside it: two answers if somebody holds it; or a card shown and four answers to it."""
    if offers == 0:
        return 1
    one = (2 * held + unheld) * own
    if show:
        answers = product(*(range(cards + 1) for cards in hands))  # pass, or lay one of so many
        one += own * sum(1 + sum(1 for answer in answered if answer) for answered in answers)
    return 1 + one * histories_of_offers(offers - 1, held, unheld, own, hands, show)


@pytest.mark.parametrize("offers", [0, 1, 2])
@pytest.mark.parametrize("show", [False, True])
@pytest.mark.parametrize("take_first", [False, True])
def test_marshals_deal_by_formula(take_first: bool, show: bool, offers: int) -> None:
    """From the dealt cards to the showdown: swaps x offers x the Bandit's keep or redraw; no jokers, so that sizes are all that count."""
    house = {"swap": "take_then_give" if take_first else "lay_first", "offers": "ask_or_offer" if show else "ask"}
    game = PokerMarshal(size=replace(TINY, offers=offers), deals=1, title_tie="incumbent", **house)
    if offers == 2:
        game = PokerMarshal(size=replace(TINY, hands=(2, 1, 1, 1, 1), pack=TEN[:7], offers=2), deals=1, title_tie="incumbent", **house)
    marshal, deputy, keeper, drunk, bandit = game.size.hands
    _, ends = perft(game, after_the_deal(game, game.size.pack))
    swaps = histories_of_swap(marshal, bandit, 3, take_first) * histories_of_swap(deputy, drunk, 2, take_first)
    others = (marshal, deputy, drunk, bandit)
    asked = histories_of_offers(offers, sum(others), len(game.size.pack) - sum(game.size.hands), keeper, others, show)
    assert sum(ends.values()) == swaps * asked * 2


def test_marshals_deal_stored() -> None:
    """By depth, with a joker in the Bandit's hand (never drawn) and one in the Marshal's (never laid)."""
    game = PokerMarshal(
        size=marshal_state.Size((*TEN[:8], *parse_cards("JK1 JK2")), hands=(3, 2, 2, 1, 1), offers=1), deals=1, title_tie="incumbent"
    )
    nodes, ends = perft(game, after_the_deal(game, parse_cards("2C JK1 3C 4D 5D 6H 7H 8S JK2 9S")))
    assert nodes == [1, 3, 7, 19, 46, 104, 205, 340, 448, 532, 608, 726, 836, 836, 528, 176]
    swaps = histories_of_swap(2, 0, 3, take_first=False) * histories_of_swap(2, 1, 2, take_first=False)
    assert sum(ends.values()) == swaps * histories_of_offers(1, 5, 1, 2, (), show=False) * 2 == 1_150


def test_a_state_counts_once() -> None:
    """Two orders of the same deal are one state, and both are counted."""
    game = FightForTheLead(2, size=fight_state.Size(TWELVE, hand=2, exchanges=2), first_dealer=0)
    state = game.apply(game.start(), Action("shuffle")).after
    orders = [parse_cards("QC KC AC QD"), parse_cards("AC QD QC KC")]
    reached = []
    for cards in orders:
        here = state
        for card in cards:
            here = game.apply(here, Action("deal", (card,))).after
        reached.append(here)
    assert reached[0] == reached[1]
    assert reached[0].hands == (Bag("KC QD"), Bag("QC AC"))
    assert comb(12, 2) * comb(10, 2) == 2_970
