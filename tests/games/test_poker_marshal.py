"""Poker Marshal, rule by rule: every case is dealt by a script and checked against the words of the rules."""

from __future__ import annotations

from itertools import combinations
from typing import Any

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
    hands_of,
    holding,
    knows,
    moves,
    script,
    shown_to,
    table,
    verbs,
)
from scenario import LANGUAGES, chance, play, refused, rules_of, told

from cardlab import CHANCE, OVER, TEACHER, BadGame, Bag, Scripted, Session, best, game
from cardlab.cards import PACK_52, PACK_54, Card, Category, parse_cards
from cardlab.core.events import Event, GameOver, Seat
from cardlab.games.marshal_events import (
    Answered,
    BlindDrawn,
    DealWon,
    DrewTitle,
    Gives,
    HandShown,
    Keeps,
    NoSwap,
    OffersOver,
    Received,
    Redraws,
    Shortfall,
    Shuffled,
    ShuffledBack,
    Silence,
    SwapDone,
    TitleDraw,
    TitlesSet,
    TitleTie,
)
from cardlab.games.marshal_state import Size
from cardlab.games.poker_marshal import PokerMarshal


def titles(*drawn: str, size: Size | None = None) -> tuple[Session, list[Event]]:
    """The first draw for titles, by a script that must last exactly to its end."""
    session = Session(PokerMarshal(size=size or Size(), deals=1), dealer=Scripted(" ".join(drawn)))
    events: list[Event] = []
    while session.game.phase(session.state) == "titles":
        events += session.play().events
    return session, events


# PM-0: the players


def test_PM_0_exactly_five_play() -> None:
    for players in (2, 4, 6, 5.0, "5", True):
        with pytest.raises(BadGame) as fault:
            game("poker_marshal", players=players)
        assert fault.value.rule == "PM-0"
    assert game("poker_marshal").players == 5


def test_PM_0_house_rules_are_checked() -> None:
    with pytest.raises(BadGame) as fault:
        game("poker_marshal", jokers=2)
    assert fault.value.rule == "PM-0"
    wrong: dict[str, Any] = {"swap": "lay", "offers": 3, "short_hands": "", "title_tie": True, "deals": 0, "ends": "five"}
    for key, value in wrong.items():
        with pytest.raises(BadGame) as fault:
            game("poker_marshal", **{key: value})
        assert fault.value.rule == key
    for deals in (-1, 2.0, "ten"):
        with pytest.raises(BadGame, match=r"."):
            game("poker_marshal", deals=deals)


# PM-1, PM-2: the titles


def test_PM_1_highest_card_is_marshal_and_so_on_down() -> None:
    session, events = titles("9C 2S KH 3D JD")
    assert told(events, TitlesSet) == [TitlesSet(rule="PM-2", seats=(2, 4, 0, 3, 1))]
    assert [(draw.seat, str(draw.card), draw.rule) for draw in told(events, DrewTitle)] == [
        (0, "9C", "PM-1"), (1, "2S", "PM-1"), (2, "KH", "PM-1"), (3, "3D", "PM-1"), (4, "JD", "PM-1"),
    ]  # fmt: skip
    assert session.state.wins == (0,) * 5


def test_PM_1_jokers_are_left_out_and_each_card_is_gone_once_drawn() -> None:
    session = Session(game("poker_marshal"), dealer=Scripted(FIRST))
    assert session.game.draw(session.state).cards == PACK_52
    session.play()
    assert session.game.draw(session.state).cards == tuple(card for card in PACK_52 if str(card) != "AS")
    assert session.expects(None) == session.game.chances(session.state)


def test_PM_1_three_that_tie_draw_again_and_two_of_them_once_more() -> None:
    # 0, 1 and 2 hold nines of three suits, which do not rank; of these 2 is then highest and the others tie once more
    session, events = titles("9C 9S 9D AS 2S", "5S 5C 8S", "3C 4D")
    assert [event.seats for event in told(events, TitleTie)] == [(0, 1, 2), (0, 1)]
    assert [draw.seat for draw in told(events, DrewTitle)] == [0, 1, 2, 3, 4, 0, 1, 2, 0, 1]
    assert session.state.titles == (3, 2, 1, 0, 4)
    # from the rest of the pack: the cards drawn before do not come again
    left = [len(session.game.draw(session.goto(n).state).cards) for n in range(10)]
    assert left == [52 - n for n in range(10)]


def test_PM_1_of_two_tied_groups_the_higher_draws_first_as_often_as_it_needs() -> None:
    # 1 and 4 hold kings, 0 and 3 sevens; the kings tie again before the sevens draw at all
    session, events = titles("7C KC 2C 7D KD", "5C 5D", "TC 9C", "3C JC")
    assert [draw.seat for draw in told(events, DrewTitle)][5:] == [1, 4, 1, 4, 0, 3]
    assert [event.seats for event in told(events, TitleTie)] == [(1, 4), (0, 3), (1, 4)]
    assert session.state.titles == (1, 4, 3, 0, 2)


def test_PM_1_ties_inside_a_tied_group_share_their_own_places_only() -> None:
    # four tie; of these 0 and 2 tie for the first two places, 1 and 3 for the next two, whatever they draw after that
    session, events = titles("6C 6D 6H 6S 5C", "4C 3C 4D 3D", "2C 2D", "7C 8C", "9C AC")
    assert [event.seats for event in told(events, TitleTie)] == [(0, 1, 2, 3), (0, 2), (1, 3), (0, 2)]
    assert [draw.seat for draw in told(events, DrewTitle)][5:] == [0, 1, 2, 3, 0, 2, 0, 2, 1, 3]
    assert session.state.titles == (2, 0, 3, 1, 4)  # an ace in the lower group lifts nobody above the higher one


def test_PM_1_when_the_pack_runs_out_the_drawn_cards_are_shuffled_back() -> None:
    size = Size(pack=parse_cards("2C 2D 3C 4C 5C 6C Jk Jk"), hands=(2, 1, 1, 1, 1), swaps=(1, 1), offers=1)
    # the twos of 0 and 1 tie with one card left: 0 takes it, and the five drawn before are the pack for 1
    session, events = titles("2C 2D 3C 4C 5C", "6C 5C", size=size)
    assert told(events, ShuffledBack) == [ShuffledBack(rule="PM-1", cards=parse_cards("2C 3C 4C 5C 2D"))]
    assert session.goto(6).game.draw(session.state).cards == parse_cards("2C 3C 4C 5C 2D")
    assert session.expects(None) == session.game.chances(session.state)
    assert session.goto(7).state.titles == (4, 3, 2, 0, 1)


def test_PM_1_when_the_last_card_is_drawn_all_are_shuffled_back_and_only_the_tied_draw() -> None:
    size = Size(pack=parse_cards("2C 2D 3C 4C 5C Jk Jk"), hands=(2, 1, 1, 1, 1), swaps=(1, 1), offers=1)
    session, events = titles("2C 2D 3C 4C 5C", "4C 5C", size=size)
    assert told(events, ShuffledBack) == [ShuffledBack(rule="PM-1", cards=parse_cards("2C 3C 4C 5C 2D"))]
    assert [event.seats for event in told(events, TitleDraw)] == [(0, 1, 2, 3, 4)]  # one draw, said once
    assert [draw.seat for draw in told(events, DrewTitle)][5:] == [0, 1]
    assert session.state.titles == (4, 3, 2, 1, 0)


def test_PM_2_players_sit_in_the_order_of_their_titles() -> None:
    session, _ = titles("9C 2S KH 3D JD")
    assert session.state.titles == session.view(None).titles == (2, 4, 0, 3, 1)
    assert rules_of(told(shown_to(session, None), TitlesSet)) == ["PM-2"]


# PM-3: the deal


def test_PM_3_seven_six_five_four_three_and_29_in_stock() -> None:
    session = table(first="9C 2S KH 3D JD")  # titles 2, 4, 0, 3, 1
    assert [len(hand(session, seat)) for seat in (2, 4, 0, 3, 1)] == [7, 6, 5, 4, 3]
    assert len(session.state.stock) == 29
    assert session.state.stock.with_(card for held in session.state.hands for card in held) == Bag(PACK_54)
    events = shown_to(session, TEACHER)
    assert told(events, Shuffled) == [Shuffled(rule="PM-3", deal=0, dealer=Seat(0))]  # the Storekeeper
    assert [event.seat for event in told(events, Received)] == [2] * 7 + [4] * 6 + [0] * 5 + [3] * 4 + [1] * 3
    assert session.actor == 2


def test_PM_3_each_sees_his_own_cards_alone() -> None:
    session = table()
    for viewer in (*range(5), None):
        for event in told(shown_to(session, viewer), Received):
            assert (event.card is None) == (event.seat != viewer)
        for seat in range(5):
            assert knows(session, viewer, seat) == (hand(session, seat) if seat == viewer else Bag())


# PM-4 to PM-6, PM-9: the swaps


def test_PM_4_marshal_lays_three_and_draws_three_blind() -> None:
    session = table("AS KS QS", "", "", "", "2C 3C 4C", then="2C 3C 4C")
    assert session.actor == MARSHAL
    play(session, "lay AS", "lay KS")
    assert (session.actor, session.state.laid) == (MARSHAL, parse_cards("AS KS"))
    session.play("lay QS")  # the third begins the draws by itself
    assert session.actor is CHANCE
    assert session.game.draw(session.state).cards == parse_cards("2C 3C 4C")
    events = chance(session)
    assert [(event.seat, event.to) for event in told(events, BlindDrawn)] == [(MARSHAL, BANDIT)] * 3
    assert hand(session, BANDIT) == Bag("AS KS QS")
    assert set(parse_cards("2C 3C 4C")) <= set(hand(session, MARSHAL))
    assert (len(hand(session, MARSHAL)), session.actor) == (7, DEPUTY)  # once: the Deputy is next, the Bandit was not asked


def test_PM_4_up_to_three() -> None:
    for n in range(4):
        session = table("AS KS QS", "", "", "", "2C 3C 4C", then="2C 3C 4C")
        events = play(session, *("lay AS", "lay KS", "lay QS")[:n], *(["enough"] if n < 3 else []))
        assert len(told(events, BlindDrawn)) == n
        assert [event.rule for event in told(events, NoSwap)] == ["PM-4"] * (n == 0)
        assert len(set(hand(session, BANDIT)) & set(parse_cards("2C 3C 4C"))) == 3 - n
        assert session.actor == DEPUTY


def test_PM_4_bandit_has_no_say() -> None:
    session = table("2C", "", "", "", "3C", then="3C")
    before = len(session)
    play(session, "lay 2C", "enough")
    assert not [step for step in session.steps[before:] if session.game.actor(step.before) == BANDIT]


def test_PM_5_deputy_and_drunk_up_to_two() -> None:
    for n in range(3):
        session = table("", "AS KS", "", "2C 3C 4C 5C", "", then="2C 3C")
        events = play(session, "enough", *("lay AS", "lay KS")[:n], *(["enough"] if n < 2 else []))
        assert [(event.seat, event.to, event.rule) for event in told(events, BlindDrawn)] == [(DEPUTY, DRUNK, "PM-5")] * n
        assert [event.seat for event in told(events, NoSwap)] == [MARSHAL] + [DEPUTY] * (n == 0)
        assert hand(session, DRUNK) == Bag([*parse_cards("AS KS")[:n], *parse_cards("2C 3C 4C 5C")[n:]])
        assert (len(hand(session, DEPUTY)), session.actor) == (6, STOREKEEPER)


def test_PM_6_jokers_stay_on_both_sides_of_a_swap() -> None:
    session = table("JK1 AS KS QS", "", "", "", "JK2 2C 3C", then="3C 2C")
    assert "JK1" not in moves(session, "lay")
    refused(session, "lay JK1", "PM-6", says="AS KS QS")
    play(session, "lay AS", "lay KS")
    session.play("lay QS")
    assert session.game.draw(session.state).cards == parse_cards("2C 3C")  # the Bandit's joker is set aside
    chance(session)
    # two cards could be drawn: the queen, laid last, went back
    assert hand(session, BANDIT) == Bag("JK2 AS KS")
    assert set(parse_cards("JK1 QS 2C 3C")) <= set(hand(session, MARSHAL))


def test_PM_6_bandit_with_two_jokers_the_last_laid_go_back_first() -> None:
    session = table("AS KS QS", "", "", "", "Jk Jk 5C", then="5C")
    events = play(session, "lay KS", "lay AS", "lay QS")
    assert told(events, Shortfall) == [
        Shortfall(rule="PM-6", seat=MARSHAL, to=BANDIT, cards=parse_cards("AS QS"), n=1, seen_by=frozenset({MARSHAL}))
    ]
    assert hand(session, BANDIT) == Bag("JK1 JK2 KS")
    assert set(parse_cards("AS QS 5C")) <= set(hand(session, MARSHAL))
    # public is how many could be drawn, not which cards went back
    for viewer in (DEPUTY, STOREKEEPER, DRUNK, BANDIT, None):
        assert [(event.n, event.cards) for event in told(shown_to(session, viewer), Shortfall)] == [(1, (None, None))]
        assert len(told(shown_to(session, viewer), SwapDone)[0].cards) == 1


def test_PM_6_no_shortfall_when_no_more_is_laid_than_can_be_drawn() -> None:
    session = table("AS KS", "AH KH", "", "Jk Jk 2C 3C", "4D 5D 6D", then="4D 2C 3C")
    events = play(session, "lay AS", "enough", "lay AH", "lay KH")
    assert not told(events, Shortfall)
    assert hand(session, DRUNK) == Bag("JK1 JK2 AH KH")


def test_PM_9_both_parties_know_both_cards_and_nobody_else_any() -> None:
    session = table("AS", "KS", "", "2D 3D 4D 5D", "2C 3C 4C", then="3C 4D")
    play(session, "lay AS", "enough", "lay KS", "enough")
    known = {
        MARSHAL: {BANDIT: "AS"}, BANDIT: {MARSHAL: "3C"}, DEPUTY: {DRUNK: "KS"}, DRUNK: {DEPUTY: "4D"}, STOREKEEPER: {}, None: {},
    }  # fmt: skip
    for viewer, others in known.items():
        for seat in range(5):
            expected = hand(session, seat) if seat == viewer else Bag(others.get(Seat(seat), ""))
            assert knows(session, viewer, seat) == expected
        assert session.view(viewer).swapped == ((MARSHAL, BANDIT, 1), (DEPUTY, DRUNK, 1))
        for event in told(shown_to(session, viewer), SwapDone):
            assert event.rule == "PM-9"
            assert (event.cards == (None,)) == (viewer not in (event.seat, event.to))


# PM-7, PM-8: the offers


def test_PM_7_storekeeper_asks_for_a_plain_card_he_does_not_hold() -> None:
    session = holding("JK1", "", "JK2 AS 2S 3S 4S", "", "")
    assert session.actor == STOREKEEPER
    own = {"AS", "2S", "3S", "4S"}
    assert moves(session, "ask") == {str(card) for card in PACK_52} - own
    assert verbs(session) == {"enough", "ask"}
    refused(session, "ask AS", "PM-7", says="AS")
    refused(session, "ask JK1", "PM-7")
    refused(session, "ask JK2", "PM-7")
    session.play("ask KH")
    assert (moves(session, "lay"), verbs(session)) == (own, {"lay"})  # one of his own, no joker, and no way back
    refused(session, "lay JK2", "PM-7", says="AS 2S 3S 4S")
    refused(session, "lay KH", "PM-7", says="AS 2S 3S 4S")
    refused(session, "enough", "PM-7", says="AS 2S 3S 4S")


def test_PM_7_three_offers_and_unanswered_ones_count() -> None:
    session = holding("", "", "2C 2D 2H 2S 3C", "", "")
    silence = ("silent",) * 4
    for k, lay in enumerate(("lay 2C", "lay 2D", "lay 2C"), 1):
        assert session.actor == STOREKEEPER
        events = play(session, "ask KH", lay, *silence)  # the same card may be asked again and again
        assert told(events, Silence) == [Silence(rule="PM-8", seat=STOREKEEPER, card=Card("KH"))]
        assert session.view(None).offers == k
    assert (session.actor, hand(session, STOREKEEPER)) == (BANDIT, Bag("2C 2D 2H 2S 3C"))


def test_PM_7_he_may_stop_before() -> None:
    session = holding("", "", "2C", "", "")
    play(session, "ask KH", "lay 2C", *("silent",) * 4)
    assert rules_of(told(play(session, "enough"), OffersOver)) == ["PM-7"]
    assert session.actor == BANDIT


def test_PM_7_three_in_every_deal() -> None:
    session = table("", "", "2C", "", "", deals=2)
    play(session, *NO_SWAP, *("ask KH", "lay 2C", *("silent",) * 4) * 3, "keep", *NO_SWAP)
    assert (session.state.deal, session.game.phase(session.state), session.view(None).offers) == (1, "offers", 0)
    for _ in range(3):
        assert session.actor == session.state.titles[STOREKEEPER]
        play(session, next(str(action) for action in session.legal if action.verb == "ask"))
        play(session, str(session.legal[0]), *("silent",) * 4)
    assert session.actor == session.state.titles[BANDIT]


def test_PM_7_a_card_given_may_be_laid_in_the_next_offer() -> None:
    session = holding("KH", "", "2C", "", "")
    play(session, "ask KH", "lay 2C", "accept", *("silent",) * 3)
    assert "KH" not in moves(session, "ask")
    assert "2C" in moves(session, "ask")  # he does not hold it any more
    events = play(session, "ask 2C", "lay KH", "accept", *("silent",) * 3)
    assert [(str(event.card), str(event.laid)) for event in told(events, Gives)] == [("2C", "KH")]
    assert session.view(None).offers == 2


def test_PM_8_all_four_answer_sealed_in_title_order() -> None:
    session = table("", "", "", "QH", "", first="9C 2S KH 3D JD")  # titles 2, 4, 0, 3, 1: the Drunk is seat 3
    play(session, *NO_SWAP, "ask QH")
    session.play(f"lay {hand(session, 0).cards[0]}")
    for seat in (2, 4, 3, 1):
        assert session.actor == seat
        assert [str(action) for action in session.legal] == (["silent", "accept"] if seat == 3 else ["silent"])
        if seat != 3:
            refused(session, "accept", "PM-8", says="QH")
        step = session.play(session.legal[-1])
        sealed = [event for event in step.events if isinstance(event, Answered)]
        assert [(event.seat, event.seen_by, event.private) for event in sealed] == [(seat, frozenset({seat}), True)]
    assert [event.rule for event in step.events if isinstance(event, Gives)] == ["PM-8"]  # with the last answer, as one public event


def test_PM_8_the_drunk_may_be_the_holder_and_give() -> None:
    session = holding("", "", "2C", "QH 3D", "")
    events = play(session, "ask QH", "lay 2C", "silent", "silent", "accept", "silent")
    assert [(event.seat, event.to) for event in told(events, Gives)] == [(DRUNK, STOREKEEPER)]
    assert "QH" in map(str, hand(session, STOREKEEPER))
    assert {"2C", "3D"} <= set(map(str, hand(session, DRUNK)))
    # both know both cards, everybody which named card moved from whom, nobody else what it was given for
    for viewer in (*range(5), None):
        assert Card("QH") in knows(session, viewer, STOREKEEPER)
        assert (Card("2C") in knows(session, viewer, DRUNK)) == (viewer in (STOREKEEPER, DRUNK))


def test_PM_8_a_holder_may_stay_silent() -> None:
    session = holding("QH", "", "2C", "", "")
    before = session.state.hands
    events = play(session, "ask QH", "lay 2C", *("silent",) * 4)
    assert rules_of(told(events, Silence)) == ["PM-8"]
    assert not told(events, Gives)
    assert session.state.hands == before


def case_15(*, in_stock: bool) -> Session:
    """The Storekeeper asks for the two of spades; the Drunk holds it and is silent, or it lies in the stock, in the place of 9H."""
    held, other = ("9H", "2S") if in_stock else ("2S", "9H")
    named = ("AS KS QS JS TS 2C 3C", "AH KH QH JH TH 2D", "AD KD QD JD TD", f"{held} AC KC QC", "JC TC 9C")
    session = Session(game("poker_marshal", deals=1), dealer=Scripted([*FIRST.split(), *hands_of(*named), "7D", "3D", other], fill=True))
    play(session, *NO_SWAP, "ask 2S", "lay TD", *("silent",) * 4, "ask 8S", "lay TD", *("silent",) * 4, "enough")
    return session


def test_PM_8_case_15_an_offer_whose_card_lies_in_stock_looks_like_one_refused() -> None:
    held, stock = case_15(in_stock=False), case_15(in_stock=True)
    assert Card("2S") in hand(held, DRUNK)
    assert Card("2S") in stock.state.stock
    steps = len(held)
    assert len(stock) == steps
    for n in range(steps + 1):
        held.goto(n), stock.goto(n)
        assert held.actor == stock.actor
        assert held.game.phase(held.state) == stock.game.phase(stock.state)
        if held.actor is not CHANCE and held.actor != DRUNK:
            assert held.legal == stock.legal
        for viewer in (MARSHAL, DEPUTY, STOREKEEPER, BANDIT, None):
            assert held.view(viewer) == stock.view(viewer)
            assert repr(held.view(viewer)) == repr(stock.view(viewer))
            assert held.expects(viewer) == stock.expects(viewer)
    for viewer in (MARSHAL, DEPUTY, STOREKEEPER, BANDIT, None):
        assert list(map(repr, shown_to(held, viewer))) == list(map(repr, shown_to(stock, viewer)))
        assert held.export(viewer) == stock.export(viewer)
        for language in LANGUAGES:
            assert held.log(viewer, language) == stock.log(viewer, language)
    # the Drunk alone can tell them apart, and from his own cards and his own choice only
    differ = [(a, b) for a, b in zip(shown_to(held, DRUNK), shown_to(stock, DRUNK), strict=True) if a != b]
    assert [(type(a), type(b)) for a, b in differ] == [(Received, Received)]
    # and so it stays in the Bandit's redraw until its cards are seen
    play_redraw = [session.play("redraw") for session in (held, stock)]
    assert play_redraw[0].events == play_redraw[1].events
    for _ in range(2):
        assert held.expects(BANDIT) == stock.expects(BANDIT)
        assert held.play().events == stock.play().events
    assert held.expects(BANDIT) == stock.expects(BANDIT)


def test_PM_8_no_silence_says_who_holds_the_card() -> None:
    """Whoever holds the card in silence, the other three and the Storekeeper get the same events."""
    seen = []
    for holder in (MARSHAL, DEPUTY, DRUNK, BANDIT):
        named = ["2C 3C 4C 5C 6C 7C", "2D 3D 4D 5D 6D", "AS AH AD AC KC", "2H 3H 4H", "8S 9S"]
        named = [f"{text} {'KH' if seat == holder else f'{9 - seat}H'}" if seat != STOREKEEPER else text for seat, text in enumerate(named)]
        session = holding(*named)
        play(session, "ask KH", "lay KC", *("silent",) * 4)
        seen.append({viewer: shown_to(session, viewer) for viewer in (STOREKEEPER, None)})
        assert [session.game.actor(step.before) for step in session.steps[-4:]] == [MARSHAL, DEPUTY, DRUNK, BANDIT]
    assert all(one == seen[0] for one in seen)


# PM-10: the Drunk


def test_PM_10_the_drunk_never_has_a_move_of_his_own() -> None:
    answers = 0
    for seed, offers in enumerate(("ask", "ask_or_offer") * 10):
        session = Session(game("poker_marshal", deals=3, offers=offers, swap=("lay_first", "take_then_give")[seed // 2 % 2]), seed=seed)
        session.auto("random", until="game")
        for step in session.steps:
            if session.game.actor(step.before) == step.before.titles[DRUNK]:
                # he answers an offer of the Storekeeper, as everybody is asked to
                assert step.before.phase == "offers"
                assert step.before.asked or step.before.shown
                assert step.action.verb in ("silent", "accept", "pass", "lay")
                answers += 1
        assert not [event for event in shown_to(session, TEACHER) if event.rule == "PM-10"]
    assert answers > 50


def test_PM_10_after_the_offers_comes_the_bandit() -> None:
    session = holding()
    session.play("enough")
    assert (session.actor, session.game.phase(session.state)) == (BANDIT, "bandit")


# PM-11: the Bandit


def test_PM_11_all_three_or_none() -> None:
    session = holding("", "", "", "", "JK1 AS 2C", then="KD KC KH")
    session.play("enough")
    assert [str(action) for action in session.legal] == ["keep", "redraw"]
    for token in ("redraw 1", "redraw 2C", "redraw JK1", "redraw AS 2C", "draw", "lay 2C", "enough"):
        refused(session, token, "PM-11")
    step = session.play("redraw")
    (event,) = (event for event in step.events if isinstance(event, Redraws))
    assert (event.cards, event.seen_by) == (parse_cards("2C AS JK1"), frozenset({BANDIT}))  # the joker too
    assert session.state.discard == Bag("JK1 AS 2C")
    for n in (29, 28, 27):
        draw = session.game.draw(session.state)
        assert (len(draw.cards), set(draw.cards) & set(parse_cards("JK1 AS 2C"))) == (n, set())
        session.play()
    assert hand(session, BANDIT) == Bag("KD KC KH")
    assert len(session.state.stock) == 26
    for viewer in (MARSHAL, None):
        events = shown_to(session, viewer)
        assert [event.cards for event in told(events, Redraws)] == [(None,) * 3]
        assert [event.card for event in told(events, Received) if event.rule == "PM-11"] == [None] * 3
    assert session.game.phase(session.state) == "show"


def test_PM_11_or_he_keeps_them() -> None:
    session = holding("", "", "", "", "JK1 AS 2C")
    session.play("enough")
    assert [type(event) for event in session.play("keep").events[:-1]] == [Keeps]
    assert hand(session, BANDIT) == Bag("JK1 AS 2C")


def test_PM_11_a_stock_too_short_for_three_leaves_him_his_cards() -> None:
    # only a tiny pack can come to this
    size = Size(pack=parse_cards("2C 3C 4C 5C 6C 7C 8C"), hands=(1, 1, 1, 1, 2), swaps=(1, 1), offers=1)
    session = Session(PokerMarshal(size=size, deals=1), dealer=Scripted("8C 7C 6C 5C 4C", fill=True))
    play(session, *NO_SWAP, "enough")
    assert [str(action) for action in session.legal] == ["keep"]
    refused(session, "redraw", "PM-11")


@pytest.mark.parametrize("short_hands", ["incomplete", "casino"])
@pytest.mark.parametrize("player", ["still", "sensible"])
def test_PM_11_case_9_no_three_cards_beat_two_jokers_and_an_ace(player: str, short_hands: str) -> None:
    session = holding("", "", "", "", "Jk Jk AS", short_hands=short_hands)
    session.play("enough")
    assert str(session.choice(player)) == "keep"
    chosen = session.auto(player, until="card")
    assert [str(step.action) for step in chosen] == ["keep"]
    assert Card("AS") in hand(session, BANDIT)


def test_PM_11_case_9_three_aces_are_the_best_of_three_cards() -> None:
    top = best("Jk Jk AS")
    assert all(best(three) <= top for three in combinations([card for card in PACK_54 if not card.joker or str(card) == "JK1"], 3))


# PM-12: the showdown


def test_PM_12_all_show_and_the_best_hand_wins() -> None:
    session = table("2C 3D 4H 6S 8C 9D JH", "KS KH 2D 3H 5S 7C", "QS QH QD 2H 4S", "AS AH AD AC", "TS TH 5C")
    events = play(session, *QUIET)
    shown = told(events, HandShown)
    assert [event.seat for event in shown] == [MARSHAL, DEPUTY, STOREKEEPER, DRUNK, BANDIT]
    assert all(event.rule == "PM-12" and event.seen_by is None for event in shown)
    assert [event.hand.category for event in shown] == [
        Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND, Category.PAIR,
    ]  # fmt: skip
    assert told(events, DealWon) == [DealWon(rule="PM-14", seat=DRUNK, n=1)]
    assert session.state.titles == (DRUNK, STOREKEEPER, DEPUTY, BANDIT, MARSHAL)
    assert not told(events, TitleDraw)


def test_PM_12_the_best_five_count_and_jokers_fill_in() -> None:
    # seven spades of the Marshal are a flush; the Bandit's two jokers make three fives
    session = table("AS KS 9S 7S 5S 2S 3S", "4C 4D 6C 6D 8C TC", "2C 2D 3C 3D JC", "7C 7D 9C JD", "Jk Jk 5D")
    events = play(session, *QUIET)
    shown = {event.seat: event.hand for event in told(events, HandShown)}
    assert shown[MARSHAL] == best("AS KS 9S 7S 5S")
    assert shown[BANDIT] == best("5H 5S 5C")
    assert session.state.titles == (MARSHAL, BANDIT, DEPUTY, STOREKEEPER, DRUNK)


# PM-13: new titles


def test_PM_13_the_order_of_the_hands_gives_the_titles_and_the_new_storekeeper_deals() -> None:
    session = table("2C 3D 4H 6S 8C 9D JH", "KS KH 2D 3H 5S 7C", "QS QH QD 2H 4S", "AS AH AD AC", "TS TH 5C", deals=2)
    events = play(session, *QUIET)
    assert told(events, TitlesSet) == [TitlesSet(rule="PM-13", seats=(DRUNK, STOREKEEPER, DEPUTY, BANDIT, MARSHAL))]
    assert told(events, Shuffled) == [Shuffled(rule="PM-3", deal=1, dealer=DEPUTY)]
    assert [len(hand(session, seat)) for seat in (DRUNK, STOREKEEPER, DEPUTY, BANDIT, MARSHAL)] == [7, 6, 5, 4, 3]
    assert session.actor == DRUNK  # Marshal now
    assert sum(map(len, session.state.hands)) + len(session.state.stock) == 54


@pytest.mark.parametrize("hands", EQUAL.values(), ids=EQUAL)
def test_PM_13_case_7_exactly_the_two_with_equal_hands_draw(hands: tuple[str, str]) -> None:
    session = table(*hands, *LOWER, then="2S 3S")
    events = play(session, *QUIET)
    assert [(event.rule, event.seats) for event in told(events, TitleDraw)] == [("PM-13", (MARSHAL, DEPUTY))]
    assert [(draw.seat, str(draw.card)) for draw in told(events, DrewTitle)] == [(MARSHAL, "2S"), (DEPUTY, "3S")]
    # the higher card wins the place, and with it the deal
    assert session.state.titles == (DEPUTY, MARSHAL, DRUNK, STOREKEEPER, BANDIT)
    assert told(events, DealWon) == [DealWon(rule="PM-14", seat=DEPUTY, n=1)]
    assert session.outcome.standing == ((DEPUTY,), (MARSHAL, STOREKEEPER, DRUNK, BANDIT))


def test_PM_13_they_draw_from_all_52_cards_without_jokers() -> None:
    session = table(*EQUAL["straights"], *LOWER)
    play(session, *QUIET[:-1])
    session.play("keep")
    session.play()  # the showdown
    assert session.game.draw(session.state).cards == PACK_52  # those in the hands too
    assert session.expects(MARSHAL) == session.game.chances(session.state)


def test_PM_13_a_tie_in_that_draw_is_drawn_again() -> None:
    session = table(*EQUAL["straights"], *LOWER, then="KS KD 7S 6S")
    events = play(session, *QUIET)
    assert [event.seats for event in told(events, TitleTie)] == [(MARSHAL, DEPUTY)]
    assert [draw.seat for draw in told(events, DrewTitle)] == [MARSHAL, DEPUTY, MARSHAL, DEPUTY]
    assert session.state.titles[:2] == (MARSHAL, DEPUTY)


def test_PM_13_three_equal_hands_share_three_places() -> None:
    session = table("AC KC QD JD 9D 2C 3D", "AD KD QH JH 9H 2D", "AH KH QS JS 9S", "7C 7D 4C 5C", "8H 8S 3C", then="2H 9C 2S 5S 6S")
    events = play(session, *QUIET)
    assert [event.seats for event in told(events, TitleDraw)] == [(MARSHAL, DEPUTY, STOREKEEPER)]
    # the nine is highest; the twos draw for the two places below it
    assert [draw.seat for draw in told(events, DrewTitle)] == [MARSHAL, DEPUTY, STOREKEEPER, MARSHAL, STOREKEEPER]
    # a pair of eights and one of sevens beat ace high
    assert session.state.titles == (BANDIT, DRUNK, DEPUTY, STOREKEEPER, MARSHAL)
    assert told(events, DealWon)[0].seat == BANDIT


def test_PM_13_equal_hands_for_lower_places_leave_the_winner_alone() -> None:
    session = table("9C 9D 9H 2C 3D 5S 7D", "TD JH QS KC AD 2D", "TH JD QD KH AC", "8S 8H 8D 8C", "TC 2H 4C", then="2S AS")
    events = play(session, *QUIET)
    assert [event.seats for event in told(events, TitleDraw)] == [(DEPUTY, STOREKEEPER)]
    assert session.state.titles == (DRUNK, STOREKEEPER, DEPUTY, MARSHAL, BANDIT)
    assert [event.seat for event in told(events, DealWon)] == [DRUNK]


def test_PM_13_equal_as_far_as_both_reach_the_longer_hand_is_higher() -> None:
    # K-K-2-2-5 of the Storekeeper beats K-K-2-2 of the Drunk: no draw
    session = table("3C 4D 6H 8S 9C TD JH", "3D 4H 6S 8C 9D QC", "KS KH 2D 2C 5S", "KD KC 2H 2S", "7C 7D 5H")
    events = play(session, *QUIET)
    assert not told(events, TitleDraw)
    assert session.state.titles[:3] == (STOREKEEPER, DRUNK, BANDIT)


# PM-14: the game


def test_PM_14_an_agreed_number_of_deals_and_deals_won() -> None:
    session = Session(game("poker_marshal", deals=3), dealer=script(RANKED, RANKED, RANKED))
    assert session.outcome is None
    for won in (1, 2):
        events = play(session, *QUIET)
        assert [event.n for event in told(events, DealWon)] == [won]
        assert session.outcome is None
    events = play(session, *QUIET)
    assert told(events, GameOver) == [GameOver(rule="PM-14", why="poker_marshal.deals")]
    assert session.actor is OVER
    assert session.legal == ()
    assert session.outcome.standing == ((MARSHAL,), (DEPUTY, STOREKEEPER, DRUNK, BANDIT))
    assert session.outcome.reason == "deals"
    assert session.state.wins == session.view(None).wins == (3, 0, 0, 0, 0)
    refused(session, "enough", "PM-0")


def test_PM_14_equal_numbers_of_wins_share_a_place() -> None:
    # in the second deal three aces of the Bandit beat pairs and two pairs
    second = ("TS TH TD 2C 4C 6D 8H", "KS KH 9D 9C 2D 3H", "QS QH 7D 7C 2H", "JS JH 5D 5C", "Jk Jk AS")
    session = Session(game("poker_marshal", deals=2), dealer=script(RANKED, second))
    play(session, *QUIET, *QUIET)
    assert session.state.wins == (1, 0, 0, 0, 1)
    assert session.outcome.standing == ((MARSHAL, BANDIT), (DEPUTY, STOREKEEPER, DRUNK))


def test_PM_14_several_deals_carry_titles_on() -> None:
    """Each deal's hands go by title; a record of a whole game replays to the same end."""
    session = Session(game("poker_marshal", deals=6), seed=11)
    session.auto("random", until="game")
    events = shown_to(session, None)
    orders = [event.seats for event in told(events, TitlesSet)]
    assert len(orders) == 7  # the first titles and one after each deal
    assert [event.dealer for event in told(events, Shuffled)] == [order[STOREKEEPER] for order in orders[:-1]]
    assert [event.seat for event in told(events, DealWon)] == [order[MARSHAL] for order in orders[1:]]
    wins = [sum(order[MARSHAL] == seat for order in orders[1:]) for seat in range(5)]
    assert session.state.wins == tuple(wins)
    flat = [seat for group in session.outcome.standing for seat in group]
    assert sorted(flat) == list(range(5))
    assert [wins[seat] for seat in flat] == sorted(wins, reverse=True)
    assert all(len({wins[seat] for seat in group}) == 1 for group in session.outcome.standing)
    # apart from the title draws, the ranking of the hands is the order of the titles
    shown = told(events, HandShown)
    for k, order in enumerate(orders[1:]):
        worth = {event.seat: event.hand for event in shown[5 * k : 5 * k + 5]}
        assert [worth[seat] for seat in order] == sorted(worth.values(), reverse=True)
    assert session.record.session().state == session.state
