"""Poker Marshal: the house rules, and why a move is refused."""

from __future__ import annotations

import pytest
from marshals import (
    BANDIT,
    DEPUTY,
    DRUNK,
    EQUAL,
    FIRST,
    LOWER,
    MARSHAL,
    NO_SWAP,
    QUIET,
    RANKED,
    STOREKEEPER,
    hand,
    holding,
    knows,
    moves,
    script,
    shown_to,
    table,
    verbs,
)
from scenario import LANGUAGES, chance, play, refused, rules_of, told

from cardlab import CHANCE, Action, Bag, Scripted, Session, best, game
from cardlab.cards import Card, Category, parse_cards
from cardlab.core.events import GameOver
from cardlab.games.marshal_events import (
    BlindDrawn,
    DealWon,
    DrewTitle,
    HandShown,
    IncumbentStays,
    LaidBy,
    Named,
    NoSwap,
    Picked,
    PickedNobody,
    Shortfall,
    Shows,
    SwapDone,
    TitleDraw,
)
from cardlab.words import Words

# title_tie


@pytest.mark.parametrize("hands", EQUAL.values(), ids=EQUAL)
def test_title_tie_incumbent_the_higher_old_title_stays_higher(hands: tuple[str, str]) -> None:
    session = table(*hands, *LOWER, title_tie="incumbent")
    events = play(session, *QUIET)
    assert [(event.rule, event.seats) for event in told(events, IncumbentStays)] == [("title_tie", (MARSHAL, DEPUTY))]
    assert not told(events, TitleDraw) + told(events, DrewTitle)
    assert session.state.titles == (MARSHAL, DEPUTY, DRUNK, STOREKEEPER, BANDIT)
    assert told(events, DealWon) == [DealWon(rule="PM-14", seat=MARSHAL, n=1)]


def test_title_tie_incumbent_by_title_and_not_by_seat() -> None:
    # seat 4 is Marshal, seat 0 Bandit: of equal hands seat 4 stays above seat 3
    session = table(*EQUAL["straights"], *LOWER, title_tie="incumbent", first="TS JS QS KS AS")
    play(session, *QUIET)
    assert session.state.titles == (4, 3, 1, 2, 0)
    first = Session(game("poker_marshal", title_tie="incumbent"), dealer=Scripted("9C 9D 5C 4C 3C 2C 2S 7C 8C", fill=True))
    while first.game.phase(first.state) == "titles":
        first.play()
    assert first.state.titles[:2] == (1, 0)  # the first titles have no incumbents: PM-1 draws again


# ends


def test_ends_streak_after_five_deals_won_running() -> None:
    session = Session(game("poker_marshal", deals=10, ends="streak"), dealer=script(*[RANKED] * 10))
    for _ in range(4):
        play(session, *QUIET)
        assert session.outcome is None
    events = play(session, *QUIET)
    assert told(events, GameOver) == [GameOver(rule="PM-14", why="poker_marshal.streak")]
    assert (session.outcome.reason, session.state.wins) == ("streak", (5, 0, 0, 0, 0))


def test_ends_streak_deals_still_end_it() -> None:
    for deals in (3, 5):
        session = Session(game("poker_marshal", deals=deals, ends="streak"), dealer=script(*[RANKED] * deals))
        for _ in range(deals):
            play(session, *QUIET)
        assert session.outcome is not None
        assert session.state.wins == (deals, 0, 0, 0, 0)


def test_ends_streak_begins_anew_with_another_winner() -> None:
    other = ("KS KH KD KC 2C 3D 4H", "AS AH AD AC 2D 3H", *RANKED[2:])
    # four wins of seat 0, one of seat 1, then five of seat 1 in a row with that one: seat 1 is Marshal from then on
    session = Session(game("poker_marshal", deals=20, ends="streak"), dealer=script(*[RANKED] * 4, other, *[RANKED] * 9))
    while session.outcome is None:
        play(session, *QUIET)
    assert session.state.wins == (4, 5, 0, 0, 0)
    assert session.outcome.standing == ((DEPUTY,), (MARSHAL,), (STOREKEEPER, DRUNK, BANDIT))


def test_ends_deals_goes_on_after_five_running() -> None:
    session = Session(game("poker_marshal", deals=6), dealer=script(*[RANKED] * 6))
    for _ in range(6):
        assert session.outcome is None
        play(session, *QUIET)
    assert session.state.wins == (6, 0, 0, 0, 0)


# swap = take_then_give


def taking(*named: str, then: str = "") -> Session:
    return table(*named, then=then, swap="take_then_give")


def test_swap_take_then_give_he_draws_looks_and_gives() -> None:
    session = taking("AS KS QS JK1", "", "", "", "2C 3C 4C", then="2C 4C")
    assert [str(action) for action in session.legal] == ["take 0", "take 1", "take 2", "take 3"]
    events = play(session, "take 2")
    assert [(event.rule, event.n) for event in told(events, Named)] == [("PM-4", 2)]
    assert len(told(events, BlindDrawn)) == 2
    assert (session.actor, len(hand(session, MARSHAL)), hand(session, BANDIT)) == (MARSHAL, 9, Bag("3C"))
    # any of his cards that are no joker, those he drew included
    assert verbs(session) == {"give"}
    assert moves(session, "give") == {str(card) for card in hand(session, MARSHAL)} - {"JK1"}
    refused(session, "give JK1", "PM-6", says="AS KS QS 2C 4C")
    events = play(session, "give 4C", "give AS")
    assert hand(session, BANDIT) == Bag("3C 4C AS")
    assert (len(hand(session, MARSHAL)), session.actor) == (7, DEPUTY)
    assert [event.cards for event in told(events, SwapDone)] == [parse_cards("4C AS")]
    assert [knows(session, seat, BANDIT) for seat in (MARSHAL, DEPUTY)] == [Bag("4C AS"), Bag()]
    assert knows(session, BANDIT, MARSHAL) == Bag("2C")


def test_swap_take_then_give_naming_none_is_no_swap() -> None:
    session = taking()
    before = session.state.hands
    events = play(session, "take 0", "take 0")
    assert [event.rule for event in told(events, NoSwap)] == ["PM-4", "PM-5"]
    assert not told(events, Named)
    assert (session.state.hands, session.actor) == (before, STOREKEEPER)


def test_swap_take_then_give_shortfall() -> None:
    session = taking("AS KS QS", "", "", "", "Jk Jk 5C", then="5C")
    events = play(session, "take 3")
    assert [(event.rule, event.n, event.cards) for event in told(events, Shortfall)] == [("PM-6", 1, ())]
    assert len(told(events, BlindDrawn)) == 1
    events = play(session, "give 5C")  # as many as he drew, and the same card back if he likes
    assert (session.actor, hand(session, BANDIT)) == (DEPUTY, Bag("JK1 JK2 5C"))
    assert session.view(None).swapped == ((MARSHAL, BANDIT, 1),)


def test_swap_take_then_give_deputy_names_up_to_two() -> None:
    session = taking("", "AS", "", "2C 3C 4C Jk", "", then="2C 3C")
    play(session, "take 0")
    assert [str(action) for action in session.legal] == ["take 0", "take 1", "take 2"]
    refused(session, "take 3", "PM-5")
    play(session, "take 2", "give 2C", "give AS")
    assert (hand(session, DRUNK), session.actor) == (Bag("2C 4C AS JK1"), STOREKEEPER)


# offers = ask_or_offer


def offering(*named: str, then: str = "") -> Session:
    return holding(*named, then=then, offers="ask_or_offer")


def test_offers_ask_or_offer_he_shows_a_card_and_picks_one_unseen() -> None:
    session = offering("2C", "JK2 3D", "JK1 AS KS QS JS", "4H", "5C")
    assert verbs(session) == {"enough", "ask", "show"}
    assert moves(session, "show") == {"AS", "KS", "QS", "JS"}  # no joker
    refused(session, "show JK1", "PM-7")
    session.play("show AS")
    assert [event.card for event in told(shown_to(session, None), Shows)] == [Card("AS")]
    for seat, move in ((MARSHAL, "lay 2C"), (DEPUTY, "pass"), (DRUNK, "lay 4H"), (BANDIT, "lay 5C")):
        assert session.actor == seat
        assert verbs(session) == {"pass", "lay"}
        assert moves(session, "lay") == {str(card) for card in hand(session, seat) if not card.joker}
        step = session.play(move)
    assert [event.seats for event in step.events if isinstance(event, LaidBy)] == [(MARSHAL, DRUNK, BANDIT)]
    assert session.actor == STOREKEEPER
    assert [str(action) for action in session.legal] == ["nobody", "pick 0", "pick 3", "pick 4"]
    assert not set(parse_cards("2C 4H 5C")) & set(session.view(STOREKEEPER).places["laid 0"].sure)  # unseen
    refused(session, "pick 1", "offers")
    (event,) = told(play(session, "pick 3"), Picked)
    assert (event.seat, event.to, str(event.card), str(event.laid)) == (STOREKEEPER, DRUNK, "AS", "4H")
    assert hand(session, STOREKEEPER) == Bag("4H JK1 KS QS JS")
    assert Card("AS") in hand(session, DRUNK)
    assert {"2C", "5C"} <= set(map(str, hand(session, MARSHAL))) | set(map(str, hand(session, BANDIT)))  # the rest went back
    for viewer in (*range(5), None):
        assert Card("AS") in knows(session, viewer, DRUNK)  # shown, and seen to move
        assert (Card("4H") in knows(session, viewer, STOREKEEPER)) == (viewer in (STOREKEEPER, DRUNK))
        assert Card("2C") in knows(session, MARSHAL, MARSHAL)
    assert session.view(None).offers == 1


def test_offers_ask_or_offer_nobody_lays() -> None:
    session = offering("", "", "AS", "", "")
    before = session.state.hands
    events = play(session, "show AS", *("pass",) * 4)
    assert [event.seats for event in told(events, LaidBy)] == [()]
    assert (session.actor, session.view(None).offers, session.state.hands) == (STOREKEEPER, 1, before)
    assert verbs(session) == {"enough", "ask", "show"}
    assert knows(session, None, STOREKEEPER) == Bag("AS")  # shown, and still his


def test_offers_ask_or_offer_he_picks_nobody() -> None:
    session = offering("2C", "", "AS", "", "")
    before = session.state.hands
    events = play(session, "show AS", "lay 2C", *("pass",) * 3)
    assert [str(action) for action in session.legal] == ["nobody", "pick 0"]
    events = play(session, "nobody")
    assert rules_of(told(events, PickedNobody)) == ["offers"]
    assert (session.state.hands, session.actor, session.view(None).offers) == (before, STOREKEEPER, 1)
    assert knows(session, None, MARSHAL) == Bag()


def test_offers_ask_or_offer_counts_with_the_asked_ones() -> None:
    session = offering("KH", "", "AS 2C", "", "")
    play(session, "show AS", *("pass",) * 4)
    play(session, "ask KH", "lay 2C", "accept", *("silent",) * 3)
    assert session.actor == STOREKEEPER
    play(session, "show KH", *("pass",) * 4)
    assert session.actor == BANDIT


def test_offers_ask_has_no_show() -> None:
    session = holding("", "", "AS", "", "")
    assert verbs(session) == {"enough", "ask"}
    refused(session, "show AS", "PM-7")


# short_hands


def test_short_hands_casino_decides_a_deal() -> None:
    # four nines, a full house, a straight, a three-card straight flush against four hearts
    hands = ("9C 9D 9H 9S 2C 3D 5H", "AC AD AH 7C 7D 4C", "4D 5C 6C 7S 8S", "2H 4H 6H 8H", "QS JS TS")
    for short_hands, order, worst in (
        ("incomplete", (MARSHAL, DEPUTY, STOREKEEPER, BANDIT, DRUNK), Category.HIGH_CARD),
        ("casino", (BANDIT, MARSHAL, DEPUTY, DRUNK, STOREKEEPER), Category.STRAIGHT),
    ):
        session = table(*hands, short_hands=short_hands)
        events = play(session, *QUIET)
        assert session.state.titles == order
        assert min(event.hand.category for event in told(events, HandShown)) == worst
        assert told(events, DealWon)[0].seat == order[0]


def test_short_hands_casino_equal_so_far_the_longer_hand_wins() -> None:
    # straights to the king of five, four and three cards, the jokers filling in as they do in five
    hands = ("2C 2D 4C 4H 6S 8C TC", "3C 3D 5C 5D 7S 8D", "KC QD JH TS 9C", "KD QH JS TH", "KH QS JK1")
    session = table(*hands, short_hands="casino")
    events = play(session, *QUIET)
    shown = {event.seat: event.hand for event in told(events, HandShown)}
    assert {shown[seat].category for seat in (STOREKEEPER, DRUNK, BANDIT)} == {Category.STRAIGHT}
    assert session.state.titles == (BANDIT, STOREKEEPER, DRUNK, DEPUTY, MARSHAL)  # A-K-Q is higher; K high of five before four


def test_short_hands_casino_ace_low_and_jokers() -> None:
    # Jk-Jk-5 becomes 7-6-5 of one suit, a straight flush; A-2-3-4 of the Drunk is the lowest straight
    hands = ("2C 2D 4C 4H 6S 8C TC", "3C 3D 7C 7D 9S 8D", "KC QD JH TS 8S", "AD 2H 3S 4D", "Jk Jk 5S")
    session = table(*hands, short_hands="casino")
    events = play(session, *QUIET)
    shown = {event.seat: event.hand for event in told(events, HandShown)}
    assert shown[BANDIT] == best("7S 6S 5S", "casino")
    assert shown[DRUNK] == best("4S 3D 2C AS", "casino")
    assert session.state.titles == (BANDIT, DRUNK, DEPUTY, MARSHAL, STOREKEEPER)
    session = table(*hands)
    play(session, *QUIET)
    assert session.state.titles[0] == BANDIT  # three fives
    assert session.state.titles[3:] == (DRUNK, STOREKEEPER)  # ace high before king high


# why_not: in every kind of moment, every verb

NAMED = ("AS KS QS JK1", "AH KH", "AD KD QD JD JK2", "AC KC QC JC", "2C 3C 4C")
TAKING, OFFERING = {"swap": "take_then_give"}, {"offers": "ask_or_offer"}
# The house rules and the moves that lead to a moment; the rule that refuses what is not legal there, and what the sentence must name.
MOMENTS: dict[str, tuple[dict[str, str], tuple[str, ...], str, str]] = {
    "laying": ({}, (), "PM-4", "AS KS QS"),
    "laying the third": ({}, ("lay AS", "lay KS"), "PM-4", "1 QS"),
    "blind draw": ({}, ("lay AS", "lay KS", "lay QS"), "PM-0", ""),
    "the Deputy lays": ({}, ("enough", "lay AH"), "PM-5", "1 KH"),
    "naming a number": (TAKING, (), "PM-4", "3"),
    "the Deputy names a number": (TAKING, ("take 0",), "PM-5", "2"),
    "giving": (TAKING, ("take 2",), "PM-4", "2 AS KS QS 2C 3C"),
    "an offer": ({}, NO_SWAP, "PM-7", "3"),
    "an offer of either kind": (OFFERING, NO_SWAP, "PM-7", "3"),
    "laying beside": ({}, (*NO_SWAP, "ask AS"), "PM-7", "AD KD QD JD"),
    "answer of one without the card": ({}, (*NO_SWAP, "ask AH", "lay AD"), "PM-8", "AH"),
    "answer of the holder": ({}, (*NO_SWAP, "ask AS", "lay AD"), "PM-8", "AS"),
    "laying or passing": (OFFERING, (*NO_SWAP, "show AD"), "offers", "AS KS QS"),
    "picking": (OFFERING, (*NO_SWAP, "show AD", "lay AS", "pass", "lay QC", "pass"), "offers", ""),
    "the Bandit": ({}, (*NO_SWAP, "enough"), "PM-11", "3"),
    "over": ({}, QUIET, "PM-0", ""),
}
TOKENS = (
    "enough", "lay AS", "lay 9S", "lay KH", "lay JK1", "lay", "lay AS KS", "take 0", "take 3", "take 4", "take",
    "give 2C", "give 9S", "give JK1", "ask AD", "ask 9S", "ask JK1", "ask JK2", "ask", "show AD", "show 9S", "show JK2",
    "silent", "accept", "accept AS", "pass", "nobody", "pick 0", "pick 1", "pick 2", "pick 9", "pick",
    "keep", "keep 2C", "redraw", "redraw 2", "redraw JK1", "draw 2C", "title AS", "shuffle", "dance",
)  # fmt: skip


def moment(name: str) -> Session:
    house, moves, _, _ = MOMENTS[name]
    session = table(*NAMED, then="2C 3C 4C", **house)
    for token in moves:
        chance(session)
        session.play(token)
    if name != "blind draw":
        chance(session)
    return session


@pytest.mark.parametrize("name", MOMENTS)
def test_why_not_names_the_rule_and_what_would_be_right(name: str) -> None:
    session, (_, _, usual, says) = moment(name), MOMENTS[name]
    tried = 0
    for token in TOKENS:
        action = Action.parse(token)
        if action in session.legal or (session.actor is CHANCE and session.game.draw(session.state).allows(action)):
            assert session.game.why_not(session.state, action) is None, token
            continue
        tried += 1
        rule, named = usual, says.split()
        if any(card.joker for card in action.cards) and usual not in ("PM-0", "PM-11"):
            rule, named = "PM-6" if usual in ("PM-4", "PM-5") else "PM-7", []  # no joker may pass between players: said first
        elif token == "ask AD" and "an offer" in name:
            named = ["AD"]  # he holds it himself
        reason = refused(session, token, rule)
        for words in map(Words, LANGUAGES):
            sentence = reason.display(words).removeprefix(f"{rule}: ")
            for part in named:
                assert (part if part.isdigit() else Card(part).display(words)) in sentence, (token, sentence)
    assert tried > 25
    assert {action.verb for action in session.legal} <= {token.split()[0] for token in TOKENS}


def test_why_not_before_the_titles_are_drawn() -> None:
    session = Session(game("poker_marshal"), dealer=Scripted(FIRST))
    for token in ("enough", "title JK1", "title", "deal AS", "shuffle"):
        refused(session, token, "PM-0")
    assert session.game.why_not(session.state, Action.parse("title AS")) is None


def test_every_verb_of_a_seat_is_legal_in_one_of_these_moments() -> None:
    assert {action.verb for name in MOMENTS for action in moment(name).legal} == set(game("poker_marshal").verbs)
