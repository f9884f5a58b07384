"""What a view knows in Fight for the Lead and Poker Marshal: all that was shown, and never a falsehood."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from scenario import chance, play

from cardlab import CHANCE, OVER, TEACHER, Action, Card, Scripted, Session, game
from cardlab.cards import PACK_52, PACK_54, parse_cards

FIGHT, MARSHAL = "fight_for_the_lead", "poker_marshal"
Zones = dict[str, set[Card]]


def fight(script: str, players: int = 3, **house: Any) -> Session:
    """A game whose dealer is the last seat, so that seat 0 is dealt to first, one card at a time."""
    return Session(game(FIGHT, players, first_dealer=players - 1, **house), dealer=Scripted(script, fill=True))


def marshal(script: str = "", **house: Any) -> Session:
    """A game in which the seats 0 to 4 become Marshal to Bandit; the script goes on with the deal, the Marshal's seven cards first."""
    return Session(game(MARSHAL, deals=1, **house), dealer=Scripted(f"AS KS QS JS TS {script}", fill=True))


def cards(text: str) -> set[Card]:
    return set(parse_cards(text))


def sure(session: Session, viewer: Any, zone: str) -> set[Card]:
    return set(session.view(viewer).places[zone].sure)


def candidates(session: Session, viewer: Any, zone: str) -> set[Card]:
    return set(session.view(viewer).places[zone].candidates)


# Fight for the Lead: what is known after each movement of a card
# Hands of four by seat: 0 gets 2C 3C 4C 9H, 1 gets 2D 3D 4D 9C, 2 gets 2S 3S 4S 9D.
HANDS = "2C 2D 2S 3C 3D 3S 4C 4D 4S 9H 9C 9D"


def test_fight_own_hand_is_known_and_the_others_hold_any_of_the_rest() -> None:
    session = fight(HANDS)
    chance(session)
    for viewer in range(3):
        own = set(session.state.hands[viewer])
        assert sure(session, viewer, f"hand {viewer}") == candidates(session, viewer, f"hand {viewer}") == own
        for zone in (*(f"hand {seat}" for seat in range(3) if seat != viewer), "stock"):
            assert (sure(session, viewer, zone), candidates(session, viewer, zone)) == (set(), set(PACK_52) - own)
    assert candidates(session, None, "hand 0") == set(PACK_52)
    assert [session.view(None).places[zone].size for zone in ("hand 0", "hand 1", "stock")] == [4, 4, 40]


def test_fight_card_is_its_owners_secret_until_all_are_turned_up() -> None:
    session = fight(f"{HANDS} 5H")
    play_only(session, "fight 9H", "fight 9C")
    assert sure(session, 0, "fight 0") == cards("9H")
    assert Card("9H") not in candidates(session, 0, "hand 0")
    for viewer in (1, 2, None):
        assert session.view(viewer).places["hand 0"].size == 4  # not even that it is gone
        assert Card("9H") in candidates(session, viewer, "hand 0")
    play_only(session, "fight 9D")
    session.play()  # 5H is turned, and all fight cards
    for viewer in (0, 1, 2, None):
        assert sure(session, viewer, "discard") == cards("9H 9C 9D")
        assert sure(session, viewer, "turned") == cards("5H")
        assert not cards("5H 9H 9C 9D") & candidates(session, viewer, "stock")


def test_fight_exchanged_cards_are_known_to_their_owner_alone() -> None:
    session = fight(f"{HANDS} 5H 5C 5D 5S 6C 7C")
    play(session, "fight 9H", "fight 9C", "fight 9D", "exchange 2C 3C")
    assert sure(session, 0, "discard") == cards("9H 9C 9D 2C 3C")
    assert sure(session, 0, "hand 0") == cards("4C 5C 6C 7C")
    assert not cards("2C 3C") & candidates(session, 0, "stock")
    for viewer in (1, 2, None):
        assert sure(session, viewer, "discard") == cards("9H 9C 9D")
        assert session.view(viewer).places["discard"].size == 5
        assert cards("2C 3C") <= candidates(session, viewer, "discard") & candidates(session, viewer, "hand 0")
        assert sure(session, viewer, "hand 0") == set()


def test_fight_played_cards_are_known_and_a_discard_shows_a_void() -> None:
    session = fight(f"{HANDS} 5H 5C 5D 5S")
    play(session, "fight 9H", "fight 9C", "fight 9D", *("stand",) * 3)  # 0 leads with 2C 3C 4C 5C
    play(session, "play 2C")
    assert {card.suit for card in candidates(session, 2, "hand 1")} == {0, 1, 2, 3}
    play(session, "play 2D")  # no clubs in hand 1
    for viewer in (0, 2, None):
        assert {card.suit for card in candidates(session, viewer, "hand 1")} == {1, 2, 3}
        assert {card.suit for card in candidates(session, viewer, "stock")} == {0, 1, 2, 3}
    assert sure(session, None, "trick") == cards("2C 2D")
    play(session, "play 2S")
    assert {card.suit for card in candidates(session, 0, "hand 2")} == {1, 2, 3}
    assert sure(session, None, "discard") >= cards("2C 2D 2S")
    play(session, "play 3C", "play 3D", "play 3S")
    assert sure(session, 1, "hand 1") == cards("4D 5D")


def test_fight_following_suit_shows_no_void() -> None:
    session = fight("2C 3C 2S 4C 5C 3S 6C 3D 4S 9H 9C 9D 5H 5S 5D KS")
    play(session, "fight 9H", "fight 9C", "fight 9D", *("stand",) * 3, "play 2C", "play 3C")
    assert 0 in {card.suit for card in candidates(session, 0, "hand 1")}


def test_case_12_a_void_found_out_leaves_no_spade_in_that_hand() -> None:
    # two players, I lead a spade, the other discards a heart: he holds no spade, whatever 11 of the 44 unseen cards are
    session = fight("2S 2H 3S 3H 4C 4H 9H 9D KH 5C 6C", players=2)
    play(session, "fight 9H", "fight 9D", "stand", "stand", "play 2S", "play 2H")
    assert {card.suit for card in candidates(session, 0, "hand 1")} == {0, 1, 2}
    unseen = {card for card in PACK_52 if not any(card in sure(session, 0, zone) for zone in ("hand 0", "discard", "turned", "trick"))}
    spades = {card for card in unseen if card.suit == 3}
    assert (len(unseen), len(spades)) == (44, 11)
    assert sure(session, 0, "stock") == spades  # so they are in the stock


def test_FL_7_reshuffled_cards_are_possible_again_in_stock_and_hands() -> None:
    # the fight cards and four more hearts are dealt; then all clubs, diamonds and spades of the stock are turned before a heart
    others = [str(card) for card in PACK_52 if card.suit != 2]
    session = fight(" ".join(["2H 3H 4H 5H 6H 7H 8H 9H TH", *others, "JH"]), players=5)
    play_only(session, *(f"fight {rank}H" for rank in range(2, 7)))
    while session.game.phase(session.state) == "turn":
        session.play()
    turned = set(session.view(None).turned)
    assert turned == cards(" ".join([*others[11:], "JH"]))
    assert set(session.state.stock) == turned | cards("QH KH AH")  # three were left, too few for five players
    for viewer in (*range(5), None):
        assert turned <= candidates(session, viewer, "stock")
        assert not turned & candidates(session, viewer, "hand 1")  # the hands are as they were
        assert sure(session, viewer, "discard") == cards("2H 3H 4H 5H 6H")  # fight cards stay out
    chance(session)  # every player gets a card
    for viewer in range(5):
        own = sure(session, viewer, f"hand {viewer}")
        for zone in ("stock", *(f"hand {seat}" for seat in range(5) if seat != viewer)):
            assert candidates(session, viewer, zone) & turned == turned - own


def test_fight_a_new_deal_clears_all() -> None:
    session = fight(f"{HANDS} 5H 5C 5D 5S", deals=2)
    session.auto("still", until="deal")
    while not session.state.stock:
        session.step("still")
    for viewer in (*range(3), None):
        places = session.view(viewer).places
        assert [name for name, zone in places.zones if zone.size] == ["stock"]
        assert set(places["stock"].sure) == set(PACK_52)


def play_only(session: Session, *tokens: str) -> None:
    """Moves with all that chance does before them, and nothing after."""
    for token in tokens:
        chance(session)
        session.play(token)


# Poker Marshal: what is known after each movement of a card


def hands(*named: str) -> str:
    """The five hands as a script, filled up from the hearts, the diamonds and the clubs that are not named."""
    taken = {card for text in named for card in parse_cards(text)}
    spare = iter(card for card in reversed(PACK_52[:39]) if card not in taken)
    script: list[str] = []
    for text, size in zip(named, (7, 6, 5, 4, 3), strict=True):
        script += [*text.split(), *(str(next(spare)) for _ in range(size - len(text.split())))]
    return " ".join(script)


def test_marshal_swap_is_known_to_both_parties_and_to_nobody_else() -> None:
    session = marshal(f"{hands('2S', '3S', '', '4S', '5S')} 5S 4S")
    play(session, "lay 2S", "enough", "lay 3S", "enough")
    assert (sure(session, 0, "hand 4"), sure(session, 4, "hand 0")) == (cards("2S"), cards("5S"))
    assert (sure(session, 1, "hand 3"), sure(session, 3, "hand 1")) == (cards("3S"), cards("4S"))
    for viewer, parties in ((1, "04"), (2, "04"), (3, "04"), (None, "04"), (0, "13"), (2, "13"), (4, "13"), (None, "13")):
        for seat in parties:
            assert sure(session, viewer, f"hand {seat}") - set(session.state.hands[viewer] if viewer is not None else ()) == set()
    # the cards may now lie on either side, for all they know; never in the stock for those who saw them
    assert cards("2S 5S") <= candidates(session, 2, "hand 0") & candidates(session, 2, "hand 4") & candidates(session, 2, "stock")
    assert not cards("2S 5S") & candidates(session, 0, "stock")


def test_marshal_a_laid_card_lies_aside_until_the_swap_is_done() -> None:
    session = marshal(f"{hands('2S 3S', '', '', '', '5S 6S')} 5S")
    play_only(session, "lay 2S", "lay 3S", "enough")
    assert sure(session, 0, "laid") == cards("2S 3S")
    assert session.view(1).places["laid"].size == 2
    assert sure(session, 1, "laid") == set()
    assert not cards("JK1 JK2") & candidates(session, 1, "laid")  # PM-6: no joker passes
    chance(session)
    assert session.view(1).places["laid"].size == 0


def test_marshal_a_shortfall_tells_everybody_of_the_jokers() -> None:
    session = marshal(f"{hands('2S 3S 4S', '', '', '', 'JK1 JK2 5S')} 5S")
    play(session, "lay 2S", "lay 3S", "lay 4S")
    for viewer in (*range(5), None):
        assert cards("JK1 JK2") <= sure(session, viewer, "hand 4")
    # one joker of the two, and nobody but the Bandit knows which
    session = marshal(f"{hands('2S 3S 4S', '', '', '', 'JK2 6S 5S')} 5S 6S")
    play(session, "lay 2S", "lay 3S", "lay 4S")
    assert (sure(session, 0, "hand 4"), candidates(session, 0, "hand 4")) == (cards("2S 3S"), cards("2S 3S JK1 JK2"))
    assert not cards("JK1 JK2") & sure(session, None, "hand 4")
    # all three drawn: no joker was there
    session = marshal(f"{hands('2S 3S 4S', '', '', '', '7S 6S 5S')} 5S 6S 7S")
    play(session, "lay 2S", "lay 3S", "lay 4S")
    for viewer in (*range(5), None):
        assert not cards("JK1 JK2") & candidates(session, viewer, "hand 4")


def test_marshal_a_named_card_is_known_to_have_moved_and_what_for_to_both_parties() -> None:
    session = marshal(hands("2S", "", "9S 8S", "", ""))
    play(session, "enough", "enough")
    play_only(session, "ask 2S")
    assert all(Card("2S") not in candidates(session, viewer, "hand 2") for viewer in (*range(5), None))  # he does not hold it
    play(session, "lay 9S", "accept", *("silent",) * 3)
    for viewer in (*range(5), None):
        assert Card("2S") in sure(session, viewer, "hand 2")
        assert (Card("9S") in sure(session, viewer, "hand 0")) == (viewer in (0, 2))
    assert Card("9S") in candidates(session, 1, "hand 0") & candidates(session, 1, "hand 2")
    assert Card("JK1") not in candidates(session, 1, "laid")


def test_marshal_silence_tells_that_the_storekeeper_has_not_the_card_and_no_more() -> None:
    session = marshal(hands("2S", "", "9S", "", ""))
    play(session, "enough", "enough", "ask 2S", "lay 9S", *("silent",) * 4)
    for viewer in (1, 3, 4, None):
        where = {zone for zone in ("stock", *(f"hand {seat}" for seat in range(5))) if Card("2S") in candidates(session, viewer, zone)}
        assert where == {"stock", *(f"hand {seat}" for seat in range(5) if seat not in (2, viewer))}
        assert Card("9S") in candidates(session, viewer, "hand 2")
    assert sure(session, 2, "hand 2") == set(session.state.hands[2])


def test_marshal_own_sealed_answer_is_known_to_its_seat_alone() -> None:
    session = marshal(hands("2S", "3S", "9S", "", ""), offers="ask_or_offer")
    play(session, "enough", "enough")
    play_only(session, "show 9S", "lay 2S")
    assert all(Card("9S") in sure(session, viewer, "hand 2") for viewer in (*range(5), None))
    assert sure(session, 0, "laid 0") == cards("2S")
    for viewer in (1, 2, 3, 4, None):
        assert (session.view(viewer).places["hand 0"].size, session.view(viewer).places["laid 0"].size) == (7, 0)
        assert session.view(viewer).sealed == ()
    play_only(session, "lay 3S", "pass", "pass")
    for viewer in (2, 3, 4, None):
        assert [session.view(viewer).places[f"laid {seat}"].size for seat in range(5)] == [1, 1, 0, 0, 0]
    play_only(session, "pick 1")
    for viewer in (*range(5), None):
        assert Card("9S") in sure(session, viewer, "hand 1")
        assert (Card("3S") in sure(session, viewer, "hand 2")) == (viewer in (1, 2))
        assert (Card("2S") in sure(session, viewer, "hand 0")) == (viewer == 0)  # the other card went back


def test_marshal_bandits_discards_are_known_to_him_alone() -> None:
    session = marshal(f"{hands('', '', '', '', '2S 3S JK1')} 4S 5S 6S")
    play_only(session, "enough", "enough", "enough", "redraw")
    while session.game.phase(session.state) == "bandit":
        session.play()
    assert (sure(session, 4, "discard"), sure(session, 4, "hand 4")) == (cards("2S 3S JK1"), cards("4S 5S 6S"))
    assert not cards("2S 3S JK1") & candidates(session, 4, "stock")
    for viewer in (0, 1, 2, 3, None):
        assert session.view(viewer).places["discard"].size == 3
        assert cards("2S 3S JK1") <= candidates(session, viewer, "discard")
        assert sure(session, viewer, "hand 4") == set()


def test_marshal_showdown_shows_all_and_a_new_deal_clears_it() -> None:
    session = Session(game(MARSHAL, deals=2), seed=4)
    while session.game.phase(session.state) != "show":
        session.step("still")
    held = session.state.hands
    session.play()
    for viewer in (*range(5), None):
        assert [n for _, _, event in session.events(viewer) if event.key == "marshal.hand_shown" for n in event.cards] == [
            card for seat in session.steps[-1].before.titles for card in held[seat]
        ]
    while not session.state.stock or session.state.deal == 0:
        session.step("still")
    for viewer in (*range(5), None):
        places = session.view(viewer).places
        assert [name for name, zone in places.zones if zone.size] == ["stock"]
        assert set(places["stock"].sure) == set(PACK_54)
        assert session.view(viewer).swapped == ()


# The same over random games: no falsehood, ever


def fight_truth(s: Any, viewer: Any) -> Zones:
    """Where the cards lie, by the names of the zones in this viewer's places."""
    hidden = s.phase == "fight" or (s.phase == "turn" and not s.turned)
    zones: Zones = defaultdict(set, {"stock": set(s.stock), "discard": set(s.discard), "trick": {card for _, card in s.trick}})
    for seat, held in enumerate(s.hands):
        zones[f"hand {seat}"] |= set(held)
    if s.phase == "turn":
        zones["discard"] |= set(s.turned)
    for seat, card in s.fight if s.phase in ("fight", "turn") else ():
        zones["discard" if not hidden else f"fight {seat}" if viewer in (seat, TEACHER) else f"hand {seat}"].add(card)
    return zones


def marshal_truth(s: Any, viewer: Any) -> Zones:
    zones: Zones = defaultdict(set, {"stock": set(s.stock), "discard": set(s.discard), "laid": set(s.laid)})
    for seat, held in enumerate(s.hands):
        zones[f"hand {seat}"] = set(held)
    for seat, card in s.answers if s.shown else ():
        if card and (s.picking or viewer in (seat, TEACHER)):
            zones[f"hand {seat}"].remove(card)
            zones[f"laid {seat}"] = {card}
    return zones


TRUTH: dict[str, Callable[[Any, Any], Zones]] = {FIGHT: fight_truth, MARSHAL: marshal_truth}


def placed(session: Session, viewer: Any) -> dict[str, tuple[int, set[Card], set[Card]]]:
    """Size, sure cards and candidates of each zone of a view; cards turned in Fight are counted with the discard."""
    zones: dict[str, tuple[int, set[Card], set[Card]]] = {}
    for name, zone in session.view(viewer).places.zones:
        name = "discard" if name == "turned" else name
        size, sure_cards, all_cards = zones.get(name, (0, set(), set()))
        zones[name] = size + zone.size, sure_cards | set(zone.sure), all_cards | set(zone.candidates)
    return zones


def check_places(session: Session) -> int:
    """Compares every viewer's places with the truth; how many conclusions were drawn about hidden cards."""
    conclusions = 0
    if not session.game.lying(session.state):
        return 0
    for viewer in (*session.game.seats, None, TEACHER):
        truth, known = TRUTH[session.game.name](session.state, viewer), placed(session, viewer)
        assert sum(size for size, _, _ in known.values()) == len(session.game.size.pack)  # type: ignore[attr-defined]
        for zone in {*truth, *known}:
            size, sure_cards, all_cards = known.get(zone, (0, set(), set()))
            assert size == len(truth[zone]), (viewer, zone)
            assert sure_cards <= truth[zone] <= all_cards, (viewer, zone)
            if viewer == TEACHER or zone == f"hand {viewer}":
                assert sure_cards == truth[zone]
            conclusions += len(sure_cards) if zone.startswith("hand") else 0
    return conclusions


def house_rules(name: str, rng: Random) -> dict[str, Any]:
    values: dict[str, dict[str, tuple[Any, ...]]] = {
        FIGHT: {
            "exchange": ("batch", "one_by_one"), "who_antes": ("all", "losers_only"), "penalty_cap": ("none", 2),
            "refusal": ("final", "losers_bound", "pagat_dropout"), "bankroll": ("none", 40), "deals": (2, 3),
        },
        MARSHAL: {
            "swap": ("lay_first", "take_then_give"), "offers": ("ask", "ask_or_offer"), "short_hands": ("incomplete", "casino"),
            "title_tie": ("draw", "incumbent"), "deals": (1, 2), "ends": ("deals", "streak"),
        },
    }  # fmt: skip
    return {key: rng.choice(options) for key, options in values[name].items()}


def busy(session: Session, rng: Random) -> None:
    """A seat's move, any verb alike so that cards do move, among the legal ones."""
    verb = rng.choice(sorted({action.verb for action in session.legal}))
    session.play(rng.choice([action for action in session.legal if action.verb == verb]))


@pytest.mark.parametrize("name", [FIGHT, MARSHAL])
def test_places_never_say_a_falsehood(name: str) -> None:
    """Random games with random house rules: at every step the truth is thought possible by everybody, and what is sure is true."""
    conclusions = 0
    for seed in range(16):
        rng = Random(seed)
        players = rng.randint(2, 5) if name == FIGHT else 5
        session = Session(game(name, players, **house_rules(name, rng)), seed=seed)
        while session.actor is not OVER:
            session.play() if session.actor is CHANCE else busy(session, rng)
            conclusions += check_places(session)
    assert conclusions > 10_000


def seen_as(step: Any, viewer: Any) -> Action:
    """A draw as a viewer sees it: the card, or a card face down."""
    shown = [seen for event in step.events if (seen := event.seen(viewer)) is not None]
    return Action(step.action.verb) if any(event.blanked for event in shown) else step.action


@pytest.mark.parametrize("name", [FIGHT, MARSHAL])
def test_expects_of_the_teacher_is_the_truth_and_nobody_gives_the_truth_no_chance(name: str) -> None:
    for seed in range(100, 106):
        rng = Random(seed)
        session = Session(game(name, 5, **house_rules(name, rng)), seed=seed)
        while session.actor is not OVER:
            if session.actor is not CHANCE:
                assert [session.expects(viewer) for viewer in (*session.game.seats, None, TEACHER)] == [None] * 7
                busy(session, rng)
                continue
            assert session.expects(TEACHER) == session.game.chances(session.state)
            step = session.play()
            session.undo()
            for viewer in (*session.game.seats, None):
                expected = session.expects(viewer)
                assert expected is not None
                assert expected.p(seen_as(step, viewer)) > 0
                assert sum(expected.p(action) for action in expected) == 1
            session.redo()
