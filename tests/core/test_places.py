"""Where cards may lie: the conclusions drawn one by one, and that none is ever false."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlab import Session, game
from cardlab.cards import CARDS, PACK_54, Card, parse_cards
from cardlab.core.places import Places, Zone, cards_of, mask_of

FOUR = "2C 3C 4C 5C"


def table(cards: str = FOUR) -> Places:
    return Places.of(parse_cards(cards), "stock")


def tokens(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def sure(places: Places, zone: str) -> str:
    return tokens(places[zone].sure)


def may(places: Places, zone: str) -> str:
    return tokens(places[zone].may)


def is_red(card: Card) -> bool:
    return card.suit in (1, 2)


def test_a_set_of_cards_as_an_integer() -> None:
    assert mask_of([]) == 0
    assert mask_of(PACK_54) == 2**54 - 1
    for card in CARDS:
        assert cards_of(mask_of([card])) == (card,)
    assert tokens(cards_of(mask_of(parse_cards("JK1 AS 2C")))) == "2C AS JK1"


def test_at_first_every_card_is_surely_in_its_zone() -> None:
    places = table()
    assert (sure(places, "stock"), may(places, "stock"), places["stock"].size) == (FOUR, "", 4)
    assert places["stock"].unknown == 0


def test_a_zone_never_heard_of_is_empty() -> None:
    assert table()["hand 0"] == Zone(0, 0, 0)
    assert table()["hand 0"].candidates == ()


def test_a_card_seen_to_move_is_surely_there_and_nowhere_else() -> None:
    places = table().moved("stock", "mine", parse_cards("3C"))
    assert (sure(places, "mine"), sure(places, "stock")) == ("3C", "2C 4C 5C")


def test_an_unseen_card_may_be_any_of_its_source() -> None:
    places = table().moved("stock", "mine", parse_cards("3C")).moved("stock", "yours", [None])
    assert (sure(places, "yours"), may(places, "yours"), places["yours"].size) == ("", "2C 4C 5C", 1)
    assert (sure(places, "stock"), may(places, "stock"), places["stock"].size) == ("", "2C 4C 5C", 2)
    assert (places["stock"].unknown, places["mine"].unknown) == (2, 0)
    assert places["yours"].candidates == parse_cards("2C 4C 5C")


def test_a_card_seen_elsewhere_leaves_the_others_where_they_must_be() -> None:
    places = table().moved("stock", "a", [None]).moved("stock", "b", [None])
    places = places.known("a", parse_cards("4C")).known("b", parse_cards("2C"))
    assert (sure(places, "a"), sure(places, "b"), sure(places, "stock")) == ("4C", "2C", "3C 5C")


def test_a_full_zone_holds_nothing_else() -> None:
    places = table().moved("stock", "a", [None, None]).known("a", parse_cards("3C 5C"))
    assert (sure(places, "a"), may(places, "a"), sure(places, "stock")) == ("3C 5C", "", "2C 4C")


def test_a_card_with_one_place_left_is_there() -> None:
    places = table().moved("stock", "a", [None, None])
    places = places.without("a", lambda card: card is Card("2C"))
    assert (sure(places, "stock"), may(places, "stock")) == ("2C", "3C 4C 5C")
    assert (sure(places, "a"), may(places, "a")) == ("", "3C 4C 5C")


def test_as_many_candidates_as_places_are_all_there() -> None:
    places = table("2C 3C 4D 5D").moved("stock", "a", [None, None]).without("a", is_red)
    assert (sure(places, "a"), sure(places, "stock")) == ("2C 3C", "4D 5D")


def test_an_unseen_card_of_some_kind() -> None:
    places = table("2C 3C 4D 5D").moved("stock", "a", [None], is_red)
    assert (may(places, "a"), sure(places, "stock"), may(places, "stock")) == ("4D 5D", "2C 3C", "4D 5D")


def test_a_known_card_given_unseen_may_be_gone_or_not() -> None:
    places = table().moved("stock", "a", parse_cards("2C 3C")).moved("a", "b", [None])
    for zone in "ab":
        assert (sure(places, zone), may(places, zone), places[zone].size) == ("", "2C 3C", 1)
    assert sure(places.known("b", parse_cards("3C")), "a") == "2C"


def test_a_card_seen_to_move_is_struck_out_wherever_it_might_have_been() -> None:
    places = table().moved("stock", "a", [None]).moved("stock", "b", [None]).moved("a", "c", parse_cards("2C"))
    assert (sure(places, "c"), places["a"].size, may(places, "a")) == ("2C", 0, "")
    assert "2C" not in may(places, "b") + may(places, "stock")


def test_what_is_emptied_into_another_zone_is_mixed_with_it() -> None:
    places = table().moved("stock", "a", parse_cards("2C")).moved("stock", "a", [None]).moved("stock", "b", [None])
    places = places.emptied("a", "b")
    assert (sure(places, "b"), places["b"].size, places["a"].size) == ("2C", 3, 0)
    assert may(places, "b") == may(places, "stock") == "3C 4C 5C"
    assert places.emptied("nowhere", "b") == places


def test_two_that_know_the_same_are_equal() -> None:
    one = table().moved("stock", "a", parse_cards("2C")).moved("stock", "b", [None])
    other = table().moved("stock", "a", parse_cards("2C")).moved("stock", "b", [None])
    assert one == other
    assert hash(one) == hash(other)
    assert one != one.known("b", parse_cards("3C"))


PACK = parse_cards("2C 3C 4D 5D 6H 7S JK1 JK2")
ZONES = ("stock", "a", "b", "c")


@given(st.data())
def test_no_conclusion_is_ever_false(data: st.DataObject) -> None:
    """Any moves of a hidden pack, told in part: sizes are right, what is sure is true, and the truth is always thought possible."""
    truth = {zone: list[Card]() for zone in ZONES} | {"stock": list(PACK)}
    places = Places.of(PACK, "stock")
    for _ in range(data.draw(st.integers(1, 12))):
        source, target = data.draw(st.permutations(ZONES))[:2]
        what = data.draw(st.sampled_from(["seen", "unseen", "plain", "known", "without", "emptied"]))
        held = truth[source]
        if what == "emptied":
            truth[target] += held
            truth[source] = []
            places = places.emptied(source, target)
        elif what == "without":
            suit = data.draw(st.sampled_from([0, 1, 2, 3, None]))
            if all(card.suit != suit for card in held):
                places = places.without(source, lambda card, suit=suit: card.suit == suit)
        elif what == "known" and held:
            places = places.known(source, data.draw(st.lists(st.sampled_from(held), unique=True)))
        elif movable := [card for card in held if what != "plain" or not card.joker]:
            card = data.draw(st.sampled_from(movable))
            held.remove(card)
            truth[target].append(card)
            can = (lambda card: not card.joker) if what == "plain" else None
            places = places.moved(source, target, [card if what == "seen" else None], can)
        assert sum(places[zone].size for zone in ZONES) == len(PACK)
        for zone in ZONES:
            assert places[zone].size == len(truth[zone])
            assert set(places[zone].sure) <= set(truth[zone]) <= set(places[zone].candidates)
            assert not places[zone].sure_mask & places[zone].may_mask
            assert places[zone].unknown == 0 or places[zone].may
        assert all(any(card in places[zone].candidates for zone in ZONES) for card in PACK)


@pytest.mark.parametrize("name", ["fight_for_the_lead", "poker_marshal"])
def test_no_movement_of_a_game_leaves_anything_to_conclude(name: str) -> None:
    looked = 0
    for index in range(3):
        session = Session(game(name), seed=7, index=index)
        session.auto("random", until="deal")
        for moment in range(len(session) + 1):
            session.goto(moment)
            for viewer in (*session.game.seats, None):
                places = session.view(viewer).places
                for zone, _ in places.zones:
                    assert places.known(zone, places[zone].sure) == places  # draws all conclusions anew
                    looked += 1
    assert looked > 1000
