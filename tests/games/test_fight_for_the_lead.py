"""Fight for the Lead, FL-1 to FL-8: stakes, deal, fight and exchange, with cards given by hand.

The tricks, the bank and going on are in test_fight_tricks, the house rules in test_fight_house_rules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from fights import (
    FIGHT,
    HANDS,
    NEW,
    STAND,
    VIEWERS,
    cards,
    fight,
    fight_deal,
    first_moves,
    hand,
    same_to_others,
    sweep,
    three_and_one,
    usual,
)
from scenario import chance, play, refused, scripted, told

from cardlab import CHANCE, TEACHER, Action, Bag, Session, game
from cardlab.cards import PACK_52, parse_card, parse_cards
from cardlab.core import streams
from cardlab.core.events import FirstDealer
from cardlab.games.fight_events import Exchanged, FightCards, LeadWon, NextDeal, NoMatch, Received, Reshuffled, Staked, Turned

# the stakes and the deal


@pytest.mark.parametrize("stake", [4, 8, 100, 30_300])
def test_FL_1_each_player_stakes_before_the_deal(stake: int) -> None:
    session = usual(stake=stake)
    staked = told(session.play().events, Staked)
    assert [(event.rule, event.seat, event.amount, event.bank) for event in staked] == [
        ("FL-1", seat, stake, stake * (seat + 1)) for seat in range(4)
    ]
    assert (session.state.bank, session.state.balances) == (4 * stake, (-stake,) * 4)
    for viewer in VIEWERS:
        view = session.view(viewer)
        assert (view.bank, view.balances) == (4 * stake, (-stake,) * 4)


def test_FL_1_again_before_every_further_deal() -> None:
    session = fight([*three_and_one(3, 0, 1), *three_and_one(0, 1, 0)], players=2, first_dealer=1)
    first_moves(session, "refusal")
    staked = told(first_moves(session, "fight"), Staked)
    assert [(event.rule, event.amount) for event in staked] == [("FL-1", 4), ("FL-1", 4)]


def test_FL_2_the_first_dealer_by_lot() -> None:
    session = scripted("fight_for_the_lead", [1], players=4)
    assert session.actor is CHANCE
    assert {str(lot): session.expects().p(lot) for lot in session.expects()} == {f"dealer {seat}": Fraction(1, 4) for seat in range(4)}
    (lot,) = told(session.play().events, FirstDealer)
    assert (lot.rule, lot.dealer, lot.lot) == ("FL-2", 1, True)
    session.play()
    assert session.play().events[0].seat == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_FL_2_or_named_as_in_SK_2(dealer: int) -> None:
    session = usual(dealer=dealer)
    events = chance(session)
    (named,) = told(events, FirstDealer)
    assert (named.rule, named.dealer, named.lot) == ("FL-2", dealer, False)
    assert session.state.dealer == dealer


def test_FL_2_then_the_deal_passes_clockwise() -> None:
    session = fight([card for deal in range(6) for card in sweep((deal + 2) % 4, 0, 1, 2, 3)], first_dealer=2)
    dealers = []
    for _ in range(6):
        first_moves(session, "fight")
        dealers.append(session.state.dealer)
        first_moves(session, "refusal")
    assert dealers == [2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize(("refusing", "dealer"), [((3,), 0), ((3, 0), 1), ((0,), 1), ((0, 1), 2), ((1,), 0)])
def test_FL_2_counted_from_the_last_dealers_seat_even_if_he_has_left(refusing: tuple[int, ...], dealer: int) -> None:
    """Case 18: the dealer himself, seat 3, refuses to go on."""
    session = fight(sweep(3, 0, 1, 2, 3))
    first_moves(session, "refusal")
    events = play(session, *("refuse" if seat in refusing else "continue" for seat in range(4)))
    assert [(event.rule, event.dealer) for event in told(events, NextDeal)] == [("FL-2", dealer)]
    still = [seat for seat in range(4) if seat not in refusing]
    left = next(seat % 4 for seat in range(dealer + 1, dealer + 5) if seat % 4 in still)
    assert told(events, Received)[0].seat == left


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_FL_3_four_cards_each_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    session = usual(dealer=dealer)
    received = told(chance(session), Received)
    assert {event.rule for event in received} == {"FL-3"}
    assert [event.seat for event in received] == [(dealer + 1 + k) % 4 for k in range(4)] * 4
    for seat in range(4):
        assert hand(session, seat) == cards(HANDS[seat])
        assert [str(event.card) for event in received if event.seat == seat] == HANDS[seat].split()
        assert session.view(seat).hand(seat) == cards(HANDS[seat])
    assert len(session.state.stock) == 36


def test_FL_3_a_hand_is_seen_by_its_seat_alone() -> None:
    session = usual()
    for event in told(chance(session), Received):
        for viewer in VIEWERS:
            shown = event.seen(viewer)
            assert shown is not None
            assert (shown.card is not None) == (viewer in (event.seat, TEACHER))
    view = session.view(1)
    assert view.hand(0) == ()
    assert view.places["hand 0"].size == 4
    assert set(view.places["hand 0"].candidates) == set(PACK_52) - set(cards(HANDS[1]))
    assert view.places["stock"].size == 36


def test_FL_3_the_places_of_a_seeded_pack() -> None:
    session = Session(game("fight_for_the_lead", 3, first_dealer=0), seed=9)
    chance(session)
    order = streams.shuffled(streams.deal_key(9, 0, 0), streams.DECK, 52)
    for k, seat in enumerate((1, 2, 0)):
        assert hand(session, seat) == tuple(sorted(PACK_52[order[k + 3 * row]] for row in range(4)))


# the fight


def test_FL_4_each_lays_one_card_of_his_choice() -> None:
    session = usual()
    chance(session)
    assert session.actor == 0
    assert [str(move) for move in session.legal] == ["fight AH", "fight JS", "fight QS", "fight KS"]
    refused(session, "fight 5H", "FL-4", says="AH KS QS JS")  # another player's
    refused(session, "fight 2S", "FL-4", says="AH KS QS JS")  # in the stock
    for token in ("stand", "continue", "stay", "drop", "refuse", "play AH", "exchange AH", "fight", "fight AH KS", "fight 3", "deal AH"):
        refused(session, token, "FL-4", says="AH KS QS JS")
    movers = []
    for token in FIGHT:
        movers.append(session.actor)
        session.play(token)
    assert movers == [0, 1, 2, 3]  # in seat order; nobody is passed over
    assert session.actor is CHANCE
    assert session.state.fight == tuple(enumerate(parse_cards("AH 5H 5D TH")))


def test_FL_4_face_down_until_all_are_laid() -> None:
    """Whichever card seat 0 lays, nobody else can tell until the cards are opened."""
    one, other = usual(), usual()
    for session, token in ((one, "fight AH"), (other, "fight JS")):
        chance(session)
        session.play(token)
        assert session.view(0).hand(0) == cards(HANDS[0].replace(token[6:], ""))
        assert session.view(1).fight == ()
    same_to_others(one, other, but=0)
    for token in FIGHT[1:]:
        one.play(token)
        other.play(token)
        same_to_others(one, other, but=0)
    one.play()
    assert one.view(1).fight == tuple(enumerate(parse_cards("AH 5H 5D TH")))


@pytest.mark.parametrize(
    ("turned", "laid", "winner"),
    [
        ("2H", FIGHT, 0),  # the ace of hearts before the ten and the five
        ("KH", FIGHT, 0),
        ("QC", ("fight AH", "fight 4C", "fight 5D", "fight 9C"), 3),  # higher cards of other suits do not count
        ("AC", ("fight KS", "fight 2C", "fight 5D", "fight TH"), 1),  # nor does the rank of the turned card
        ("2H", ("fight KS", "fight 5H", "fight 5D", "fight 9C"), 1),
        ("KD", ("fight KS", "fight 4C", "fight 2D", "fight 9C"), 2),
    ],
)
def test_FL_5_the_highest_fight_card_of_the_turned_suit_wins(turned: str, laid: tuple[str, ...], winner: int) -> None:
    session = usual(turned)
    events = play(session, *laid)
    assert [(event.rule, str(event.card)) for event in told(events, Turned)] == [("FL-5", turned)]
    (opened,) = told(events, FightCards)
    assert (opened.rule, opened.seats) == ("FL-5", (0, 1, 2, 3))
    assert opened.cards == tuple(parse_card(token[6:]) for token in laid)
    (won,) = told(events, LeadWon)
    assert (won.rule, won.seat, f"fight {won.card}") == ("FL-5", winner, laid[winner])
    assert session.state.lead == winner
    for viewer in VIEWERS:
        view = session.view(viewer)
        assert (view.lead, view.turned, len(view.fight)) == (winner, (parse_card(turned),), 4)


def test_FL_6_cards_are_turned_until_one_matches() -> None:
    session = usual("2S 3S TS 9H")
    events = play(session, *FIGHT[:3], "fight TH")
    assert [(event.rule, str(event.card)) for event in told(events, Turned)] == [
        ("FL-5", "2S"), ("FL-6", "3S"), ("FL-6", "TS"), ("FL-6", "9H"),
    ]  # fmt: skip
    assert [(event.rule, str(event.card)) for event in told(events, NoMatch)] == [("FL-6", "2S"), ("FL-6", "3S"), ("FL-6", "TS")]
    assert len(told(events, FightCards)) == 1
    assert [event.seat for event in told(events, LeadWon)] == [0]
    turned = set(parse_cards("2S 3S TS 9H"))
    assert turned <= set(session.state.discard)
    for viewer in VIEWERS:
        assert set(session.view(viewer).turned) == turned  # known to all
        assert not turned & set(session.view(viewer).places["stock"].candidates)


ALL_SPADES_OUT = {0: "AS 2S 3S 4S", 1: "KS 5S 6S 7S", 2: "QS 8S 9S TS", 3: "JS 2C 3C 4C"}


def test_FL_6_no_match_to_the_end_of_the_stock() -> None:
    session = fight([*fight_deal(ALL_SPADES_OUT, "", {}, 3)])
    events = play(session, "fight 4S", "fight KS", "fight QS", "fight JS")
    assert len(told(events, Turned)) == 36
    assert len(told(events, NoMatch)) == 35  # the last one ends the search
    (won,) = told(events, LeadWon)
    assert (won.rule, won.seat, str(won.card)) == ("FL-6", 1, "KS")  # the highest fight card of all
    (reshuffled,) = told(events, Reshuffled)
    assert (reshuffled.rule, reshuffled.stock) == ("FL-7", 36)
    assert all(len(held) == 4 for held in session.state.hands)
    assert session.state.phase == "exchange"
    events = play(session, *STAND)
    assert session.actor == 1


# the cards for the fight cards


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_FL_7_each_gets_a_card_for_his_fight_card(dealer: int) -> None:
    session = usual(dealer=dealer)
    events = play(session, *FIGHT)
    received = [event for event in told(events, Received) if event.rule == "FL-7"]
    assert [event.seat for event in received] == [(dealer + 1 + k) % 4 for k in range(4)]
    assert not told(events, Reshuffled)
    for seat in range(4):
        laid = FIGHT[seat][6:]
        assert hand(session, seat) == cards(HANDS[seat].replace(laid, NEW[seat]))
        assert next(event for event in received if event.seat == seat).seen((seat + 1) % 4).card is None
    fight_cards = cards("AH 5H 5D TH")
    assert set(session.state.discard) == {*fight_cards, parse_card("2H")}
    for viewer in VIEWERS:
        assert set(fight_cards) <= set(session.view(viewer).places["discard"].sure)  # they stay known


SHORT = {0: "2S 3S 4S 5S", 1: "6S 7S 8S 9S", 2: "TS QS KS 2H", 3: "JS 2C 3C 4C"}
SHORT_FIGHT = ("fight 5S", "fight 9S", "fight KS", "fight JS")


def short_of(left: int, new: str = "", **house: Any) -> Session:
    """A fight that only the ace of spades decides, turned when so many cards of the stock are left."""
    held = {card for row in SHORT.values() for card in parse_cards(row)}
    others = [str(card) for card in PACK_52 if card not in held and card.token != "AS"]
    session = fight([*fight_deal(SHORT, " ".join(others[: 35 - left]), {}, 3), "AS", *new.split()], **house)
    play(session, *SHORT_FIGHT[:3])
    session.play(SHORT_FIGHT[3])
    while session.game.phase(session.state) == "turn":
        session.play()
    return session


def test_FL_7_a_stock_too_short_is_shuffled_together_with_the_turned_cards() -> None:
    session = short_of(3)
    assert len(session.state.turned) == 33
    turned, rest = Bag(session.state.turned), set(parse_cards("QH KH AH"))
    assert parse_card("AS") in turned  # the matching one too
    (reshuffled,) = told(session.steps[-1].events, Reshuffled)
    assert (reshuffled.rule, reshuffled.stock, len(reshuffled.cards)) == ("FL-7", 36, 33)
    assert session.state.stock == turned.with_(rest)
    assert session.state.discard == Bag("5S 9S KS JS")  # the fight cards stay out
    draw = session.game.draw(session.state)
    assert (draw.verb, draw.purpose, draw.place, draw.pack) == ("deal", streams.RESHUFFLE, 0, session.state.stock.cards)
    chance(session)
    assert [len(held) for held in session.state.hands] == [4, 4, 4, 4]
    assert len(session.state.stock) == 32
    assert session.game.most_exchanged(session.state, session.game.seats[0]) == 4


def test_FL_7_with_just_enough_cards_there_is_no_reshuffle() -> None:
    session = short_of(4)
    assert not told(session.steps[-1].events, Reshuffled)
    assert session.state.stock == Bag("JH QH KH AH")
    turned = set(session.state.turned)
    chance(session)
    assert len(session.state.stock) == 0
    assert turned <= set(session.state.discard)
    for viewer in VIEWERS:
        for seat in range(4):
            assert not turned & set(session.view(viewer).places[f"hand {seat}"].candidates)


def test_FL_7_what_views_may_know_after_the_reshuffle() -> None:
    """The turned cards may lie in the stock or come into any hand; the fight cards lie in the discard."""
    session = short_of(3)
    turned = set(session.state.turned)
    for viewer in (None, 0, 1, 2, 3):
        view = session.view(viewer)
        assert turned <= set(view.places["stock"].sure)  # nothing has been dealt yet
        assert set(view.places["discard"].sure) == set(parse_cards("5S 9S KS JS"))
    session.play()  # seat 0 receives the lowest card, the 5 of clubs
    assert hand(session, 0) == cards("2S 3S 4S 5C")
    assert parse_card("5C") in turned
    for viewer in (None, 1, 2, 3):
        view = session.view(viewer)
        assert turned <= set(view.places["hand 0"].may) & set(view.places["stock"].may)
        assert set(view.places["discard"].sure) == set(parse_cards("5S 9S KS JS"))
        assert not turned & set(view.places["hand 1"].candidates)  # nothing new has come there
    own = session.view(0)
    assert own.hand(0) == cards("2S 3S 4S 5C")
    assert turned - {parse_card("5C")} <= set(own.places["stock"].sure)
    chance(session)
    for viewer in (None, 0, 1, 2, 3):
        for seat in range(4):
            if seat != viewer:
                known = set(session.view(viewer).hand(viewer)) if viewer is not None else set()
                assert turned - known <= set(session.view(viewer).places[f"hand {seat}"].may)


def test_FL_7_what_may_come_after_the_reshuffle() -> None:
    """33 known cards and 3 of 12 unseen ones: a turned card comes with 1/36, an unseen one with 1/12 of 3/36."""
    session = short_of(3, new="5C QH")
    turned = session.state.turned
    unseen = set(PACK_52) - set(turned) - set(parse_cards("5S 9S KS JS 2S 3S 4S"))
    assert len(unseen) == 12

    def expected(viewer: int, turned_card: Fraction, unseen_card: Fraction, gone: str = "") -> None:
        dist = session.expects(viewer)
        assert all(dist.p(Action(session.view(viewer).now.asks, (card,))) == turned_card for card in turned if str(card) not in gone)
        assert all(dist.p(Action(session.view(viewer).now.asks, (card,))) == unseen_card for card in unseen if str(card) not in gone)
        assert sum(dist.p(card) for card in dist) == 1

    expected(0, Fraction(1, 36), Fraction(3, 36) / 12)
    for viewer in (None, 1, 2, 3):
        assert [str(action) for action in session.expects(viewer)] == ["deal"]  # a card, face down
    session.play()  # seat 0: the 5 of clubs
    unseen = set(PACK_52) - set(turned) - set(parse_cards("5S 9S KS JS 6S 7S 8S"))
    expected(1, Fraction(1, 36), Fraction(3, 36) / 12)  # what seat 0 got tells seat 1 nothing
    session.play()  # seat 1: the queen of hearts
    chance(session)
    session.play("exchange 2S")
    unseen = set(PACK_52) - set(turned) - set(parse_cards("5S 9S KS JS 2S 3S 4S"))
    expected(0, Fraction(1, 35), Fraction(3, 35) / 12, gone="5C")
    chance(session)
    session.play("exchange 6S 7S")
    unseen = set(PACK_52) - set(turned) - set(parse_cards("5S 9S KS JS 6S 7S 8S QH"))
    expected(1, Fraction(1, 35), Fraction(2, 35) / 11)


def test_FL_7_the_new_stock_of_a_seeded_game_has_an_order_of_its_own() -> None:
    session = short_of(3)
    actions = session.record.actions
    seeded = Session(session.game, seed=4)
    for _, action in actions:
        seeded.play(action)
    order = streams.shuffled(streams.deal_key(4, 0, 0), streams.RESHUFFLE, 36)
    pack = seeded.state.stock.cards
    dealt = [event.card for event in told(chance(seeded), Received)]
    assert dealt == [pack[order[place]] for place in range(4)]


# the exchange


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_FL_8_each_may_exchange_once_from_the_dealers_left(dealer: int) -> None:
    session = usual(dealer=dealer)
    play(session, *FIGHT)
    movers = []
    for _ in range(4):
        movers.append(session.actor)
        play(session, str(session.legal[1]))  # one card
    assert movers == [(dealer + 1 + k) % 4 for k in range(4)]
    assert session.state.phase == "tricks"


def test_FL_8_none_to_four_cards_named_all_at_once() -> None:
    session = usual()
    play(session, *FIGHT)
    counts = [len(move.cards) for move in session.legal]
    assert (str(session.legal[0]), counts.count(1), counts.count(2), counts.count(3), counts.count(4)) == ("stand", 4, 6, 4, 1)
    codes = [move.code for move in session.legal[1:]]
    assert codes == sorted(codes)
    events = play(session, "exchange AS QS")
    (exchanged,) = told(events, Exchanged)
    assert (exchanged.rule, exchanged.seat, exchanged.cards) == ("FL-8", 0, cards("QS AS"))
    received = told(events, Received)
    assert [(event.rule, event.seat) for event in received] == [("FL-8", 0)] * 2
    assert len(hand(session, 0)) == 4
    assert set(parse_cards("KS JS")) <= set(hand(session, 0))
    assert set(parse_cards("QS AS")) <= set(session.state.discard)
    assert session.actor == 1
    play(session, "exchange 2C 3C 4C 6C", "exchange 6D", "stand")
    assert session.actor == 0  # who won the fight
    assert session.state.phase == "tricks"


def test_FL_8_the_order_in_which_cards_are_named_does_not_matter() -> None:
    one, other = usual(), usual()
    for session, token in ((one, "exchange JS AS KS"), (other, "exchange KS JS AS")):
        play(session, *FIGHT, token)
    assert one.state == other.state
    assert one.record == other.record


def test_FL_8_each_card_costs_one_agreed_stake() -> None:
    session = usual(stake=8)
    play(session, *FIGHT)
    bank = 32
    for seat, (token, n) in enumerate([("exchange AS QS", 2), ("exchange 2C 3C 4C 6C", 4), ("stand", 0), ("exchange 7D", 1)]):
        events = play(session, token)
        bank += 8 * n
        assert [(event.fee, event.bank) for event in told(events, Exchanged)] == [(8 * n, bank)] * bool(n)
        assert (session.state.bank, session.state.balances[seat]) == (bank, -8 - 8 * n)
        assert session.state.bank % 4 == 0
        for viewer in VIEWERS:
            assert session.view(viewer).bank == bank
            assert session.view(viewer).exchanged[seat] == n  # the number is public


def test_FL_8_the_cards_are_not_public() -> None:
    one, other = usual(), usual()
    for session, token in ((one, "exchange QS KS"), (other, "exchange JS AS")):
        events = play(session, *FIGHT, token)
        (exchanged,) = told(events, Exchanged)
        for viewer in VIEWERS:
            assert exchanged.seen(viewer).cards == (exchanged.cards if viewer in (0, TEACHER) else (None, None))
        assert set(exchanged.cards) <= set(session.view(0).places["discard"].sure)
    same_to_others(one, other, but=0)


def test_FL_8_a_penalised_player_pays_the_agreed_stake() -> None:
    session = fight([*sweep(3, 0, 1, 2, 3), *sweep(0, 0, 1, 2, 3)])
    first_moves(session, "refusal")
    first_moves(session, "exchange")
    assert (session.actor, session.state.balances[1]) == (1, -4 - 16)
    play(session, str(session.legal[1]))
    assert session.state.balances[1] == -4 - 16 - 4


@pytest.mark.parametrize(("left", "most"), [(4, 0), (5, 1), (6, 2), (7, 3), (8, 4), (9, 4)])
def test_FL_8_no_more_than_the_stock_holds(left: int, most: int) -> None:
    session = short_of(left)
    chance(session)
    assert (session.actor, len(session.state.stock)) == (0, left - 4)
    assert max(len(move.cards) for move in session.legal) == most
    for n in range(most + 1, 5):
        reason = refused(session, " ".join(["exchange", *map(str, hand(session, 0)[:n])]), "FL-8")
        assert dict(reason.phrase.params) == {"n": most, "stock": left - 4}
    if most:
        play(session, " ".join(["exchange", *map(str, hand(session, 0)[:most])]))
        assert not told(session.steps[-1].events, Reshuffled)  # not here
        assert [move.verb for move in session.legal] == ["stand"] + ["exchange"] * (len(session.legal) - 1)
        assert max(len(move.cards) for move in session.legal) == max(left - 4 - most, 0)
