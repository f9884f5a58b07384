"""Worlds: exactly the states that agree with what was shown, in the right proportions, and nothing of the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from random import Random
from typing import Any

import pytest
from brute import FIGHTS, KINGS, MARSHALS, beliefs, marshal, play_out
from probable import LIMIT, assert_frequencies, assert_probable, chi_square_tail

from cardlab import OVER, TEACHER, Action, Scripted, Session, game
from cardlab.cards import PACK_52, parse_cards
from cardlab.chance.believed import Worlds
from cardlab.chance.fill import Fill, picked, thresholds
from cardlab.chance.samples import Numbers
from cardlab.chance.worlds import worlds
from cardlab.core.errors import BadRequest
from cardlab.core.events import Viewer
from cardlab.core.game import AnyGame

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
TINY: dict[str, AnyGame] = {**KINGS, **FIGHTS, **MARSHALS}


def everybody(game: AnyGame) -> tuple[Viewer, ...]:
    return (*game.seats, None, TEACHER)


def played(tiny: AnyGame, seed: int) -> Session:
    return play_out(Session(tiny, seed=seed), Random(seed))


def titles_drawn(session: Session) -> int:
    """The step from which on a deal can hide something."""
    return next(n for n in range(len(session) + 1) if session.goto(n).game.phase(session.state) != "titles")


def compare(name: str, seed: int, accept: Fraction, viewers: tuple[Viewer, ...], every: int) -> tuple[int, int]:
    """A game for some viewers at every step; the numbers of steps at which something was hidden, and of those after FL-7's reshuffle."""
    hidden = renewed = 0
    session = played(TINY[name], seed)
    start = titles_drawn(session)
    for viewer in viewers:
        for belief in beliefs(session, viewer, accept, start):
            found = worlds(session.view(viewer), accept)
            assert found.size == len(belief), (seed, viewer, session.at)
            assert session.state in belief
            if len(belief) <= 300 or session.at % every == 0:
                assert found.complete is not None
                assert {world: found.complete.p(world) for world in found.complete} == belief, (seed, viewer, session.at)
            hidden += len(belief) > 1
            renewed += len(belief) > 1 and getattr(session.state, "reshuffled", None) is not None
    return hidden, renewed


@pytest.mark.parametrize("name", TINY)
def test_worlds_are_what_brute_force_finds_with_the_same_weights(name: str) -> None:
    """The truth among them, no other state missing or too many, all chances equal."""
    everyone = everybody(TINY[name])
    some = [everyone, everyone] if name not in MARSHALS else [everyone[::3], everyone[1::3]]
    counts = [compare(name, seed, accept, viewers, 4) for seed, accept, viewers in zip((0, 1), (THIRD, HALF), some, strict=True)]
    hidden, renewed = map(sum, zip(*counts, strict=True))
    assert name in KINGS or hidden > 40
    if name in ("two players, one suit less", "three players, a stock of three", "stay or drop"):
        assert renewed > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_worlds_are_what_brute_force_finds_in_the_full_size(name: str) -> None:
    for seed in range(6):
        compare(name, seed, (THIRD, HALF)[seed % 2], everybody(TINY[name]), 1)


@pytest.mark.parametrize("name", FIGHTS)
def test_every_kind_of_moment_of_a_fight_is_among_those_tried(name: str) -> None:
    phases = {step.before.phase for seed in (0, 1) for step in played(FIGHTS[name], seed).steps}
    assert {"deal", "fight", "turn", "replace"} <= phases
    assert name == "stay or drop" or "tricks" in phases


@pytest.mark.parametrize("name", ["no joker", "a card shown"])
@pytest.mark.parametrize("accept", [Fraction(0), Fraction(1)])
def test_worlds_where_offers_are_never_or_always_accepted(name: str, accept: Fraction) -> None:
    """With chance 1 a holder who was silent is impossible: then there is no world, and this is said.

    With chance 0 a card that was given tells that it was there, and nothing else: there brute force has no history.
    """
    compared = 0
    session = played(MARSHALS[name], 3)
    start = titles_drawn(session)
    for viewer in (0, session.state.titles[2]):
        for belief in beliefs(session, viewer, accept, start):
            if not belief:
                if accept == 1:
                    with pytest.raises(BadRequest):
                        worlds(session.view(viewer), accept)
                break
            found = worlds(session.view(viewer), accept)
            assert found.size == len(belief)
            if len(belief) < 500:
                assert found.complete is not None
                assert {world: found.complete.p(world) for world in found.complete} == belief, (viewer, session.at)
                compared += 1
    assert compared > 5


def test_silence_that_tells_nothing_gives_what_the_bandit_expects() -> None:
    """``accept=0`` is how ``game.expects`` takes silence: the same odds for the Bandit's new cards."""
    compared = 0
    for seed in range(3):
        session = play_out(Session(game("poker_marshal", deals=1), seed=seed), Random(seed), loud=1)
        while session.actor is OVER or session.game.phase(session.state) != "bandit" or session.legal:
            session.undo()
        bandit = session.state.titles[4]
        expected = session.expects(bandit)
        assert expected is not None
        believed = worlds(session.view(bandit), Fraction(0))
        stock = len(session.state.stock)
        for action in expected:
            assert believed.where(action.card)["stock"] == expected.p(action) * stock
            compared += 1
    assert compared > 100


def moments(name: str, seed: int, n: int, **house: Any) -> Iterator[tuple[Session, Viewer]]:
    """Some random moments of a whole game, each as some viewer knows it."""
    rng = Random(seed)
    session = play_out(Session(game(name, **house), seed=seed), rng)
    for _ in range(n):
        yield session.goto(rng.randrange(len(session) + 1)), rng.choice(everybody(session.game))


HOUSES: list[tuple[str, dict[str, Any]]] = [
    ("suicide_king", {"players": 3}),
    ("suicide_king", {"players": 5, "extra_cards": "batch", "king_of_hearts": "ends_deal", "next_dealer": "last_leaver"}),
    ("fight_for_the_lead", {"players": 2, "deals": 3}),
    ("fight_for_the_lead", {"players": 3, "deals": 3, "refusal": "pagat_dropout", "exchange": "one_by_one"}),
    ("fight_for_the_lead", {"players": 4, "deals": 3, "who_antes": "losers_only", "bankroll": 16}),
    ("fight_for_the_lead", {"players": 5, "deals": 3, "refusal": "losers_bound", "penalty_cap": 3}),
    ("poker_marshal", {"deals": 2}),
    ("poker_marshal", {"deals": 2, "offers": "ask_or_offer", "title_tie": "incumbent"}),
    ("poker_marshal", {"deals": 2, "swap": "take_then_give", "ends": "streak"}),
]
OPEN = {
    "suicide_king": ("table",),
    "fight_for_the_lead": (
        "playing", "balances", "tricks", "deal", "bank", "last_bank", "losers", "staying", "turned", "lead", "trick",
    ),
    "poker_marshal": ("wins", "asked", "shown", "streak"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=str)
def test_each_world_is_seen_as_the_view(name: str, house: dict[str, Any]) -> None:
    """Whole games: what is open is as the viewer sees it, every zone holds what he knows to be there and nothing that cannot be."""
    for seed in range(3):
        for session, viewer in moments(name, seed, 12, **house):
            view = session.view(viewer)
            believed = worlds(view)
            for index in range(3):
                world = believed.sample(Numbers(seed=seed, index=index))
                assert_seen_as(session, world, view)


def assert_seen_as(session: Session, world: Any, view: Any) -> None:
    rules, truth = session.game, session.state
    assert rules.now(world) == view.now
    assert sorted(rules.lying(world)) == sorted(rules.lying(truth))
    assert rules.ledger(world) == rules.ledger(truth)
    if rules.name == "suicide_king":
        assert world == truth
        return
    for field in OPEN[rules.name]:
        assert getattr(world, field) == getattr(view, field), field
    actor = rules.actor(world)
    assert actor == rules.actor(truth)
    if actor == view.viewer:
        assert rules.legal(world) == rules.legal(truth)
    if view.viewer == TEACHER:
        assert world == truth
    if rules.lying(world) and world.phase != "over":
        assert_places(rules, world, view)


def assert_places(rules: AnyGame, world: Any, view: Any) -> None:
    for name, zone in view.places.zones:
        where, _, seat = name.partition(" ")
        if where == "hand":
            held = list(world.hands[int(seat)])
            if view.viewer not in (int(seat), TEACHER):
                held += [
                    card
                    for by, card in getattr(world, "fight", ())
                    if by == int(seat) and world.phase in ("fight", "turn") and not view.fight
                ]
            held = [card for card in held if card not in view.places[f"laid {seat}"].sure]
        elif where == "stock":
            held = list(world.stock)
        else:
            continue
        laid = view.places[f"laid {seat}"].size - len(view.places[f"laid {seat}"].sure)  # under ask_or_offer they are still in the hand
        assert len(held) == zone.size + laid, name
        assert set(zone.sure) <= set(held), name
        if not laid:
            assert set(held) <= set(zone.candidates), name


def a_world(view: Any, index: int) -> Any:
    return worlds(view).sample(Numbers(seed=5, index=index))


def twin(session: Session, viewer: int, world: Any) -> Session:
    """The same game dealt as a world says, with the viewer's cards in the order in which he got them; it stands where all is dealt."""
    hands = {seat: list(world.hands[seat]) for seat in session.game.seats}
    hands[viewer] = [event.card for _, _, event in session.events(viewer) if event.key.endswith("received") and event.seat == viewer]
    script = [str(step.action.card) for step in session.steps if step.action.verb == "title"]
    for step in (step for step in session.steps if step.action.verb == "deal"):
        (seat,) = (k for k, hand in enumerate(step.after.hands) if len(hand) > len(step.before.hands[k]))
        script.append(str(hands[seat].pop(0)))
    other = Session(session.game, dealer=Scripted(script, fill=True))
    while other.at < session.at:
        other.play()
    return other


@pytest.mark.parametrize(("name", "players", "phase"), [("fight_for_the_lead", 3, "fight"), ("poker_marshal", 5, "marshal")])
def test_equal_views_give_equal_draws_whatever_the_truth(name: str, players: int, phase: str) -> None:
    """Case 13: the other hands are dealt anew; the viewer cannot tell, and for a seed he draws the same worlds."""
    house = {"first_dealer": 0} if players == 3 else {}
    for seed in range(3):
        session = Session(game(name, players, **house), seed=seed)
        while session.game.phase(session.state) != phase:
            session.play()
        for viewer in (0, 1):
            other = twin(session, viewer, a_world(session.view(viewer), seed))
            assert other.state != session.state
            assert other.view(viewer) == session.view(viewer)
            for k in range(5):
                assert a_world(other.view(viewer), k) == a_world(session.view(viewer), k)


def test_case_13_no_draw_is_the_truth_where_many_worlds_fit() -> None:
    for name, players in (("fight_for_the_lead", 4), ("poker_marshal", 5)):
        session = Session(game(name, players), seed=11)
        session.auto("random", until="deal")
        session.undo()
        while session.game.phase(session.state) not in ("exchange", "offers"):
            session.undo()
        for viewer in (0, None):
            believed = worlds(session.view(viewer))
            assert believed.size > 10**6
            drawn = [believed.sample(Numbers(seed=1, index=k)) for k in range(200)]
            assert session.state not in drawn
            assert len(set(drawn)) > 190


def test_case_13_each_of_a_few_worlds_is_drawn_equally_often() -> None:
    """Two players before the last trick, nobody has exchanged: the other's card is any of those not seen."""
    session = Session(game("fight_for_the_lead", players=2), seed=2)
    while session.game.phase(session.state) != "tricks" or len(session.state.hands[1]) > 1 or session.state.trick:
        session.play() if not session.legal else session.play(session.legal[0])
    believed = worlds(session.view(0))
    assert believed.complete is not None
    assert 20 < believed.size < 42
    counts = Counter(believed.sample(Numbers(seed=3, index=k)) for k in range(4000))
    assert set(counts) <= set(believed.complete)
    for world in believed.complete:
        assert_probable(counts[world], 4000, Fraction(1, believed.size), believed.size)


def assert_sampled(believed: Worlds[Any], n: int, seed: int, tests: int) -> int:
    """Chi-square of drawn worlds against the complete ones, cells of an expectation under 5 put together."""
    assert believed.complete is not None
    counts = Counter(believed.sample(Numbers(seed=seed, index=k)) for k in range(n))
    assert set(counts) <= set(believed.complete)
    cells = [(counts[world], float(n * believed.complete.p(world))) for world in believed.complete]
    small = [cell for cell in cells if cell[1] < 5]
    cells = [cell for cell in cells if cell[1] >= 5]
    if small:
        seen, expected = map(sum, zip(*small, strict=True))
        if expected >= 5:
            cells.append((int(seen), expected))
    x = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    if len(cells) > 1:
        assert chi_square_tail(x, len(cells) - 1) * tests > LIMIT
    return len(cells)


@pytest.mark.parametrize("name", [*FIGHTS, *MARSHALS])
def test_sampled_frequencies_match_the_complete_worlds(name: str) -> None:
    """Moments with voids, swaps, blind draws, silences and FL-7's reshuffle, each 1,500 draws."""
    tried = 0
    for seed in range(12):
        session = played(TINY[name], seed)
        rng = Random(seed)
        for _ in range(6):
            session.goto(rng.randrange(len(session)))
            view = session.view(rng.choice((*session.game.seats, None)))
            believed = worlds(view)
            if 2 <= believed.size <= 150 and tried < 5:
                tried += assert_sampled(believed, 1500, seed, 8 * 13) > 1
    assert tried >= 4


# the rules' own examples


def test_a_marshal_who_has_drawn_blind_gives_the_bandit_a_joker_with_12_49_percent() -> None:
    """He lays one card and draws one: 8.60 % would be right if a joker could have come."""
    own = "2C 3C 4C 5C 7D 8D 9D"
    session = Session(game("poker_marshal"), dealer=Scripted(f"AS KS QS JS TS {own}", fill=True))
    while session.game.phase(session.state) != "marshal":
        session.play()
    for token in ("lay 2C", "enough"):
        session.play(token)
    session.play()
    marshal_, bandit = session.state.titles[0], session.state.titles[4]
    assert not any(card.joker for card in session.state.hands[marshal_])
    believed = worlds(session.view(marshal_))
    joker = Fraction(0)
    for case in believed.cases:
        joker += case.weight * bool(sum(size for _, _, zones in case.fills[0].groups for zone, size in zones if zone == f"hand {bandit}"))
    right = joker / sum(case.weight for case in believed.cases)
    naive = 1 - Fraction(comb(44, 2), comb(46, 2))
    assert (round(float(right) * 100, 2), round(float(naive) * 100, 2)) == (12.49, 8.60)
    assert right == Fraction(44 + 1, 1) / (Fraction(comb(44, 2), 3) + 44 + 1)
    n = 4000
    drawn = sum(any(card.joker for card in believed.sample(Numbers(seed=2, index=k)).hands[bandit]) for k in range(n))
    assert_probable(drawn, n, right)


def test_silence_is_evidence() -> None:
    """Seen by the Marshal: a card asked for lay in each of 47 places alike, 13 of them with others who could have given it."""
    session = Session(game("poker_marshal"), dealer=Scripted("AS KS QS JS TS", fill=True))
    while session.game.phase(session.state) != "marshal":
        session.play()
    for token in ("enough", "enough"):
        session.play(token)
    keeper = session.state.titles[2]
    asked = next(action for action in session.legal if action.verb == "ask" and action.card in session.state.stock)
    session.play(asked)
    before = worlds(session.view(0)).where(asked.card)
    session.play(session.legal[0])
    for _ in range(4):
        session.play("silent")
    sizes = {f"hand {seat}": Fraction(len(session.state.hands[seat])) for seat in range(1, 5) if seat != keeper} | {"stock": Fraction(29)}
    assert before == {zone: size / 42 for zone, size in sorted(sizes.items())}
    for accept in (Fraction(0), THIRD, HALF, Fraction(1)):
        total = 13 * (1 - accept) + 29
        after = worlds(session.view(0), accept).where(asked.card)
        expected = {zone: size * (1 if zone == "stock" else 1 - accept) / total for zone, size in sorted(sizes.items())}
        assert after == {zone: p for zone, p in expected.items() if p}
    assert worlds(session.view(keeper)).where(asked.card)["stock"] == Fraction(29, 1) / (29 + Fraction(20, 2))


def test_case_12_who_did_not_follow_suit_has_none_of_it() -> None:
    hands = "2S 2H 3S 3H 4C 4H 9H 9D KH 5C 6C"
    session = Session(game("fight_for_the_lead", players=2, first_dealer=1), dealer=Scripted(hands, fill=True))
    while session.game.phase(session.state) != "tricks":
        verb = {"fight": ("fight 9H", "fight 9D"), "exchange": ("stand", "stand")}.get(session.game.phase(session.state))
        session.play() if verb is None else session.play(verb[session.state.mover])
    session.play("play 2S")
    before = believed_spades(session)
    session.play("play 2H")
    assert before > 0
    assert believed_spades(session) == 0
    believed = worlds(session.view(0))
    for k in range(2000):
        assert not any(card.suit == 3 for card in believed.sample(Numbers(seed=1, index=k)).hands[1])


def believed_spades(session: Session) -> Fraction:
    """The expected number of spades in the other hand."""
    believed = worlds(session.view(0))
    spades = [card for card in PACK_52 if card.suit == 3]
    return sum((believed.where(card).get("hand 1", Fraction(0)) for card in spades), Fraction(0))


# the counting


def test_fill_counts_and_draws_what_can_be_written_out() -> None:
    kinds = [
        (parse_cards("2C 3C"), ("one", "two", "rest")),
        (parse_cards("2D 3D"), ("two", "rest", "more")),
        (parse_cards("2H 3H"), ("rest", "more")),
    ]
    fill = Fill({"one": 1, "two": 2, "rest": 2, "more": 1}, kinds)
    ways = [tuple(sorted((zone, tuple(sorted(cards))) for zone, cards in dealt.items())) for dealt in fill.each()]
    assert len(set(ways)) == len(ways) == fill.count == brute_fill(kinds)
    for card in parse_cards("2C 3D 2H"):
        zones = Counter(zone for way in ways for zone, cards in way if card in cards)
        assert fill.where(card) == {zone: Fraction(n, len(ways)) for zone, n in zones.items()}
    drawn = Counter(
        tuple(sorted((zone, tuple(sorted(cards))) for zone, cards in fill.sample(Numbers(seed=4, index=k)).items())) for k in range(6000)
    )
    for way in ways:
        assert_probable(drawn[way], 6000, Fraction(1, len(ways)), len(ways))


def brute_fill(kinds: Any) -> int:
    """The same count, zone by zone over all cards."""
    cards = [(card, allowed) for some, allowed in kinds for card in some]
    count = 0
    for one in combinations(cards, 1):
        left = [pair for pair in cards if pair not in one]
        for two in combinations(left, 2):
            rest = [pair for pair in left if pair not in two]
            for more in combinations(rest, 1):
                zones = {"one": one, "two": two, "more": more, "rest": [pair for pair in rest if pair not in more]}
                count += all(zone in allowed for zone, pairs in zones.items() for _, allowed in pairs)
    return count


def test_whole_deals_are_counted() -> None:
    session = Session(game("fight_for_the_lead", players=5), seed=1)
    while session.game.phase(session.state) != "fight":
        session.play()
    deals = factorial(48) // (factorial(4) ** 4 * factorial(32))
    assert worlds(session.view(0)).size == deals
    session.play(session.legal[0])
    assert worlds(session.view(1)).size == deals * 4  # seat 0 has laid any of his four cards


def test_choices_are_drawn_by_their_shares() -> None:
    """Thresholds of 64 bits: no share is off by more than 2**-64, whatever the size of the weights."""
    for weights in ([1, 1], [3, 1, 2], [1, 10**30], [3**200, 1, 3**199], [7]):
        until, total = thresholds(weights), sum(weights)
        for weight, low, high in zip(weights, [0, *until], until, strict=False):
            assert abs(Fraction(high - low, 2**64) - Fraction(weight, total)) <= Fraction(1, 2**64)
        assert picked(until, lambda m: 0) == next(k for k, end in enumerate(until) if end or len(until) == 1)
        assert picked(until, lambda m: m - 1) == len(weights) - 1
    n, weights = 40_000, [5, 1, 10, 4]
    counts = Counter(picked(thresholds(weights), Numbers(seed=11, index=k)) for k in range(n))
    assert_frequencies(counts, {k: Fraction(weight, 20) for k, weight in enumerate(weights)}, comparisons=1)


def test_a_chance_that_is_none_is_refused() -> None:
    view = Session(marshal("2C 3D 4H 5S 6C 7D", (1, 1, 1, 1, 1)), seed=0).view(None)
    for accept in (-1, Fraction(3, 2), 0.5, True, "1/2", None):
        with pytest.raises(BadRequest):
            worlds(view, accept)  # type: ignore[arg-type]


def test_a_world_can_be_played_on() -> None:
    session = Session(game("poker_marshal", deals=1), seed=9)
    while session.game.phase(session.state) != "deputy":
        session.play() if not session.legal else session.play(session.legal[0])
    world = worlds(session.view(0)).sample(Numbers(seed=1, index=0))
    rng = Random(1)
    while session.game.actor(world) is not OVER:
        moves = session.game.legal(world) or session.game.draw(world).options
        action: Action = rng.choice(moves)
        world = session.game.apply(world, action).after
    assert sum(world.wins) == 1
