"""Random numbers by name: the arithmetic said once more, in a few lines of another hand, and the fairness of the shuffle."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from probable import assert_probable, chi_square_tail

from cardlab import CHANCE, GAMES, Card, Seeded, Session, game
from cardlab.cards import PACK_52, PACK_54
from cardlab.core import streams
from cardlab.games import fight_state
from cardlab.testing import strategies

TWO_64 = 1 << 64

# the same arithmetic, written from its description alone


def finalise(z: int) -> int:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z // 2**shift) * factor % TWO_64
    return z ^ z // 2**31


def number(seed: int, index: int, deal: int, purpose: int, n: int) -> int:
    key = finalise((finalise((finalise(seed) + index) % TWO_64) + deal) % TWO_64)
    return finalise((key + (purpose * 2**32 + n + 1) * 0x9E3779B97F4A7C15) % TWO_64)


def deck(seed: int, index: int, deal: int, purpose: int, size: int) -> list[int]:
    """Six numbers a word, each the whole part of a fraction of 58 bits times the places left."""
    a = list(range(size))
    for first in range(0, size, 6):
        fraction = Fraction(number(seed, index, deal, purpose, first // 6) // 64, 2**58)
        for i in range(first, min(first + 6, size)):
            fraction *= size - i
            j = i + int(fraction)
            fraction -= int(fraction)
            a[i], a[j] = a[j], a[i]
    return a


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        # SplitMix64 as published: the finaliser over a counter that grows by the golden ratio
        (0, (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC)),
        (1234567, (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)),
    ],
)
def test_known_answers_of_splitmix(seed: int, outputs: tuple[int, ...]) -> None:
    assert tuple(streams.word(seed, 0, n) for n in range(len(outputs))) == outputs


@settings(deadline=None)  # a shared machine may pause
@given(strategies.seeds(), strategies.seeds())
def test_a_word_is_the_arithmetic_of_its_name(seed: int, index: int) -> None:
    for deal, purpose, n in ((0, streams.DECK, 0), (3, streams.LOTS, 7), (2**20, streams.CHOICES + 4, 2**31), (1, streams.ESTIMATES, 1)):
        assert streams.word(streams.deal_key(seed, index, deal), purpose, n) == number(seed, index, deal, purpose, n)


@settings(deadline=None)  # a shared machine may pause
@given(strategies.seeds(), strategies.seeds())
def test_a_number_below_and_a_shuffle(seed: int, index: int) -> None:
    key = streams.deal_key(seed, index, 5)
    for m in (1, 2, 20, 52, 54):
        assert streams.below(streams.word(key, 2, 3), m) == number(seed, index, 5, 2, 3) // 2**32 * m // 2**32
    for purpose, size in ((streams.DECK, 52), (streams.DECK, 54), (streams.RESHUFFLE, 13), (streams.RESHUFFLE, 1)):
        assert list(streams.shuffled(key, purpose, size)) == deck(seed, index, 5, purpose, size)


def test_the_purposes_have_their_numbers() -> None:
    named = (streams.DECK, streams.LOTS, streams.BLIND, streams.RESHUFFLE, streams.CHOICES, streams.ESTIMATES)
    assert named == (0, 1, 2, 3, 8, 32)


# what the games make of a shuffle


def cards_by_place(session: Session, verbs: tuple[str, ...]) -> list[Card]:
    return [step.action.card for step in session.steps if step.action.verb in verbs]


def test_suicide_king_hands_the_places_to_the_honours_first() -> None:
    """a[0] is the place of the king of hearts, then come the places of the other kings, queens, jacks, aces and low cards."""
    kings_first = ["KH", *(f"{rank}{suit}" for rank in "KQJA" for suit in "CDHS" if rank + suit != "KH")]
    low = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789T"]
    session = Session(game("suicide_king", players=5, first_dealer=0), seed=11, index=4)
    session.play()
    places = {}
    taken: list[int] = []
    while session.state.deal == 0 and session.outcome is None:
        pile = next(pile for pile, left in enumerate(session.state.piles) if left)
        session.play(f"take {pile}")
        places[str(session.play().action.card)] = len(taken)
        taken.append(pile)
    wanted = deck(11, 4, 0, 0, 52)
    assert len(places) > 30
    assert places == {card: wanted[k] for k, card in enumerate(kings_first + low) if card in places}


def test_fight_and_marshal_lay_the_cards_by_place() -> None:
    fight = Session(game("fight_for_the_lead", deals=1), seed=11, index=4)
    fight.auto("random", until="game")
    dealt = cards_by_place(fight, ("deal", "turn", "draw"))
    assert [card.code for card in dealt] == deck(11, 4, 0, 0, 52)[: len(dealt)]
    marshal = Session(game("poker_marshal", deals=1), seed=11, index=4)
    marshal.auto("still", until="game")
    assert [card.code for card in cards_by_place(marshal, ("deal",))] == deck(11, 4, 0, 0, 54)[:25]


def test_lots_titles_and_choices_take_single_numbers() -> None:
    lot = Session(game("suicide_king"), seed=11, index=4).play().action
    assert lot.number == number(11, 4, 0, 1, 0) // 2**32 * 4 // 2**32
    marshal, left = Session(game("poker_marshal"), seed=11, index=4), sorted(PACK_52)
    for n in range(5):
        assert marshal.play().action.card is left.pop(number(11, 4, 0, 1, n) // 2**32 * len(left) // 2**32)
    fight = Session(game("fight_for_the_lead", players=3, first_dealer=2), seed=11, index=4)
    while fight.actor is CHANCE:
        fight.play()
    for seat in range(3):
        wanted = fight.legal[number(11, 4, 0, 8 + seat, 0) // 2**32 * 4 // 2**32]
        assert fight.choice("random") == wanted
        fight.play(wanted)


def test_another_pile_shows_another_card_and_no_order_of_taking_changes_a_place() -> None:
    """Every pile is emptied from the top in many interleavings: the k-th card of a pile is always the same."""
    king = game("suicide_king", players=5, first_dealer=0)
    seen: dict[tuple[int, int], Card] = {}
    for stride in (1, 7, 11, 23):
        session = Session(king, seed=5)
        session.play()
        k = 0
        while session.state.deal == 0 and session.outcome is None:
            full = [pile for pile, left in enumerate(session.state.piles) if left]
            pile = full[k * stride % len(full)]
            k += 1
            place = (pile, king.size.piles[pile] - session.state.piles[pile])
            session.play(f"take {pile}")
            card = session.play().action.card
            assert seen.setdefault(place, card) is card
    assert len(set(seen.values())) == len(seen) > 40
    tops = [Session(king, seed=5).branch() for _ in king.size.piles]
    for pile, session in enumerate(tops):
        session.play()
        session.play(f"take {pile}")
    assert len({session.play().action for session in tops}) == 5


def test_fights_new_stock_is_a_shuffle_of_its_own() -> None:
    """FL-7 shuffles the sorted cards of the new stock by purpose 3; of 25 cards 5 are left to turn, so that it always comes."""
    session = Session(GAMES["fight_for_the_lead"](5, deals=1, size=fight_state.Size(PACK_52[:25])), seed=11, index=4)
    session.auto("still", until="game")
    replaced = [step for step in session.steps if step.before.reshuffled is not None and step.action.verb == "deal"]
    pool = replaced[0].before.reshuffled.cards
    assert [step.action.card for step in replaced] == [pool[k] for k in deck(11, 4, 0, 3, len(pool))[:5]]


# case 20: the shuffle that swaps with any place


def fair(seed: int, index: int) -> tuple[int, ...]:
    return streams.shuffled(streams.deal_key(seed, index, 0), streams.DECK, 52)


def naive(seed: int, index: int) -> tuple[int, ...]:
    """The planted fault: each card is swapped with one at any place."""
    a = list(range(52))
    key = streams.deal_key(seed, index, 0)
    for i in range(52):
        j = streams.below(streams.word(key, streams.DECK, i), 52)
        a[i], a[j] = a[j], a[i]
    return tuple(a)


def assert_fair(shuffle: Callable[[int, int], tuple[int, ...]], seed: int, decks: int) -> None:
    """The first, second and last card of a new pack come on top as often as any, and every card lies at every place alike."""
    table = [[0] * 52 for _ in range(52)]
    for index in range(decks):
        for row, card in zip(table, shuffle(seed, index), strict=True):
            row[card] += 1
    for card in (0, 1, 51):
        assert_probable(table[0][card], decks, Fraction(1, 52), comparisons=4)
    square = sum((count - decks / 52) ** 2 for row in table for count in row) / (decks / 52)
    # a deck fills each row and column once, so that 51/52 of the sum is chi-square with 51 x 51 degrees of freedom
    assert chi_square_tail(square * 51 / 52, 51 * 51) * 4 > 1e-6, f"card x place: {square:.0f}, expected 2652 +- 73"


def test_the_shuffle_is_fair() -> None:
    assert_fair(fair, 2026, 50_000)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 2**63])
def test_the_shuffle_is_fair_under_other_seeds(seed: int) -> None:
    assert_fair(fair, seed, 25_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 2**63])
def test_the_shuffle_is_fair_under_other_seeds_at_full_size(seed: int) -> None:
    assert_fair(fair, seed, 50_000)


def test_a_planted_naive_shuffle_fails() -> None:
    with pytest.raises(AssertionError, match="expected"):
        assert_fair(naive, 2026, 5_000)
    with pytest.raises(AssertionError, match="card x place"):
        assert_fair(lambda seed, index: naive(seed, index)[26:] + naive(seed, index)[:26], 2026, 5_000)  # the tops hidden in the middle


def test_the_marshals_pack_is_fair_too() -> None:
    """54 cards end in the middle of a word of six."""
    tops, bottoms = [0] * 54, [0] * 54
    for index in range(10_000):
        order = streams.shuffled(streams.deal_key(3, index, 0), streams.DECK, 54)
        tops[order[0]] += 1
        bottoms[order[53]] += 1
    for count in (*tops, *bottoms):
        assert_probable(count, 10_000, Fraction(1, 54), comparisons=108)
    assert len(PACK_54) == 54


# case 21: no deal twice, and any game alone


def test_no_deal_comes_twice() -> None:
    by_index = {fair(17, index) for index in range(10_000)}
    by_seed = {fair(seed, 17) for seed in range(10_000)}
    by_deal = {streams.shuffled(streams.deal_key(17, 17, deal), streams.DECK, 52) for deal in range(1_000)}
    assert len(by_index | by_seed | by_deal) == 10_000 + 10_000 + 1_000 - 2  # (17, 17, 0) is in all three


@pytest.mark.parametrize("name", GAMES)
def test_a_game_opened_alone_is_the_same_game(name: str) -> None:
    """Backwards, one alone, and after all caches are lost: game i is game i."""
    played = GAMES[name](**({} if name == "suicide_king" else {"deals": 2}))

    def record(index: int) -> str:
        session = Session(played, seed=17, index=index)
        session.auto("random", until="game")
        return session.record.dumps()

    forwards = [record(index) for index in range(12)]
    backwards = [record(index) for index in reversed(range(12))]
    assert forwards == backwards[::-1]
    streams.shuffled.cache_clear()
    streams.deal_key.cache_clear()
    assert record(7) == forwards[7]
    assert len(set(forwards)) == 12


def test_thinking_changes_no_deal() -> None:
    """A player who asks for many numbers gets the cards of one who asks for none."""
    played = game("poker_marshal", deals=2)
    quiet, busy = Session(played, seed=3), Session(played, seed=3)
    quiet.auto("still", until="game")
    while busy.outcome is None:
        if busy.actor is not CHANCE:
            for _ in range(3):
                busy.choice("random")
        busy.step("still")
    assert busy.record == quiet.record


def test_a_deck_of_a_dealer_is_the_deck_of_its_seed() -> None:
    dealer = Seeded(2**64 - 1, 2**64 - 1)
    session = Session(game("fight_for_the_lead", players=2, first_dealer=0), dealer=dealer)
    session.auto("still", until="move")
    assert [card.code for card in cards_by_place(session, ("deal",))] == deck(2**64 - 1, 2**64 - 1, 0, 0, 52)[:8]
