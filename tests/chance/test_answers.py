"""Numbers that say how sure they are: intervals, merging, samples that stop, and what is written about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import comb, sqrt
from random import Random
from time import monotonic
from typing import Any

import pytest
from brute import fight, marshal
from hypothesis import given
from hypothesis import strategies as st
from probable import assert_probable, binomial_tail

from cardlab import Session, game
from cardlab.chance import Answer, Estimate, Exact, ask, fights, marshals
from cardlab.chance.answers import Kind, student, wilson
from cardlab.chance.questions import Options
from cardlab.chance.samples import ALL_ALIKE, FIRST, MOST, USUAL, Numbers, differences, estimates
from cardlab.core import streams
from cardlab.core.dist import Dist
from cardlab.core.game import AnyGame
from cardlab.view.answers import basis, decimal, rows, told
from cardlab.words import Phrase, Words

ASSUMES = Phrase.of("assumes.any_pile")
EN, RU = Words("en"), Words("ru")


def plain(text: str) -> str:
    return text.replace("\xa0", " ")


# intervals


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 30, 0, 0.1135), (30, 30, 0.8865, 1), (1, 30, 0.0059, 0.1667), (0, 1000, 0, 0.0038), (50, 100, 0.4038, 0.5962)],
)
def test_known_intervals_of_wilson(hits: int, n: int, low: float, high: float) -> None:
    found = Estimate.of_hits(hits, n)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_equation_and_stays_within_0_and_1(sample: tuple[int, int]) -> None:
    """The ends are the shares p from which the sample is 1.96 standard errors away."""
    hits, n = sample
    low, high = wilson(hits, n)
    assert 0 <= low < high <= 1
    for p in (low, high):
        if 0 < p < 1:
            assert abs(hits / n - p) == pytest.approx(1.959964 * sqrt(p * (1 - p) / n), rel=1e-5)
    assert (low == 0) == (hits == 0)
    assert (high == 1) == (hits == n)


@pytest.mark.parametrize(("freedom", "t"), [(4, 2.776), (9, 2.262), (29, 2.045), (120, 1.980)])
def test_known_points_of_student(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=0.01)


def test_an_exact_answer_is_a_distribution() -> None:
    third = Answer("q", {1: Exact(Fraction(1, 3)), 2: Exact(Fraction(2, 3))}, ASSUMES)
    assert third.dist == Dist({1: 1, 2: 2})
    for numbers, adds_up in (({1: Exact(0.5), 2: Exact(0.5)}, True), ({1: Estimate.of_hits(1, 2)}, True), (third.numbers, False)):
        with pytest.raises(ValueError, match="no distribution"):
            Answer("q", numbers, ASSUMES, adds_up).dist  # noqa: B018


def test_without_a_sample_there_is_no_number() -> None:
    empty = Estimate()
    assert (empty.mean, empty.low, empty.high, empty.standard_error, empty.half_width) == (None,) * 5
    one = Estimate(1, 5, 25, "mean")
    assert (one.mean, one.standard_error, one.interval) == (5, None, None)


def test_a_mean_has_the_interval_of_student() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    found = Estimate(len(values), sum(values), sum(v * v for v in values), "mean")
    mean = sum(values) / 8
    error = sqrt(sum((v - mean) ** 2 for v in values) / 7 / 8)
    assert found.mean == mean
    assert found.standard_error == pytest.approx(error)
    assert found.half_width == pytest.approx(2.365 * error, rel=1e-3)


# merging


@given(st.lists(st.integers(-9, 9), min_size=2), st.lists(st.integers(-9, 9), min_size=1))
def test_merged_samples_are_one_sample(one: list[int], other: list[int]) -> None:
    def of(values: list[int], seed: int | None) -> Estimate:
        return Estimate(len(values), sum(values), sum(v * v for v in values), "mean", seed)

    merged = of(one, 1) + of(other, 2)
    assert replace(merged, seed=None, merged=()) == of(one + other, None)
    assert merged.seeds == (1, 2)
    assert merged.interval == of(one + other, None).interval


def test_a_sample_is_not_counted_twice() -> None:
    one, other = Estimate.of_hits(3, 10, seed=5), Estimate.of_hits(4, 10, seed=6)
    with pytest.raises(ValueError, match="seed"):
        one + Estimate.of_hits(3, 10, seed=5)
    with pytest.raises(ValueError, match="seed"):
        one + other + one
    with pytest.raises(ValueError, match="not the same number"):
        one + Estimate(10, 4, 4, "mean")


def test_answers_grow_by_merging() -> None:
    first = Answer("which", {"a": Estimate.of_hits(3, 10, 1), "b": Estimate.of_hits(7, 10, 1)}, ASSUMES)
    second = Answer("which", {"b": Estimate.of_hits(19, 20, 2), "c": Estimate.of_hits(1, 20, 2)}, ASSUMES)
    both = first + second
    assert {outcome: (number.total, number.n) for outcome, number in both.numbers.items() if isinstance(number, Estimate)} == {
        "a": (3, 30), "b": (26, 30), "c": (1, 30),
    }  # fmt: skip
    with pytest.raises(ValueError, match="ask the same"):
        first + replace(second, question="why")
    sure = Answer("which", {"a": Exact(Fraction(1, 3))}, ASSUMES)
    assert (sure + sure).numbers == sure.numbers
    assert (sure.exact, first.exact) == (True, False)


# samples


def coin(below: Numbers) -> dict[str, int]:
    return {"heads" if below(2) else "tails": 1}


def test_a_sample_is_a_function_of_seed_and_index() -> None:
    drawn = [tuple(Numbers(7, index)(52) for _ in range(2)) for index in range(300)]
    assert drawn == [tuple(Numbers(7, index)(52) for _ in range(2)) for index in range(300)]
    assert all(one == other for one, other in drawn)  # a new stream begins anew
    assert len({tuple(Numbers(7, index)(2**32) for index in range(300))} | {tuple(Numbers(8, index)(2**32) for index in range(300))}) == 2
    key = streams.deal_key(7, 3, 0)
    numbers = Numbers(7, 3)
    assert [numbers(52) for _ in range(4)] == [streams.below(streams.word(key, streams.ESTIMATES, n), 52) for n in range(4)]


def test_estimates_agree_with_the_samples_counted_one_by_one() -> None:
    found = estimates(coin, Options(seed=3, n=777))
    counts = Counter("heads" if Numbers(3, index)(2) else "tails" for index in range(777))
    assert {side: number.total for side, number in found.items()} == counts
    assert all((number.n, number.seed) == (777, 3) for number in found.values())
    assert estimates(coin, Options(seed=3, n=777)) == found
    assert estimates(coin, Options(seed=4, n=777)) != found


def test_a_longer_sample_begins_like_a_shorter_one() -> None:
    seen: list[list[int]] = []
    for n in (100, 250):
        drawn: list[int] = []
        estimates(lambda below, drawn=drawn: {drawn.append(below(1000)) or 0: 1}, Options(n=n))  # type: ignore[misc]
        seen.append(drawn)
    assert seen[1][:100] == seen[0]


def test_outcomes_that_never_came_are_there() -> None:
    found = estimates(coin, Options(n=50), outcomes=("heads", "tails", "edge"))
    assert (found["edge"].mean, found["edge"].n) == (0, 50)
    assert 0 < (found["edge"].high or 0) < 0.1


def test_without_a_wish_the_usual_number_is_drawn() -> None:
    assert estimates(coin, Options())["heads"].n == USUAL


def test_cancelling_gives_what_there_is() -> None:
    asked = count()
    found = estimates(coin, Options(n=1000, cancelled=lambda: next(asked) >= 60), outcomes=("heads", "tails"))
    assert {number.n for number in found.values()} == {60}
    none = estimates(coin, Options(n=1000, cancelled=lambda: True), outcomes=("heads",))
    assert none["heads"] == Estimate(seed=0)
    assert none["heads"].mean is None


@pytest.mark.parametrize("width", [0.05, 0.02])
def test_it_stops_at_the_wanted_width_and_not_much_later(width: float) -> None:
    found = estimates(coin, Options(half_width=width))
    needed = 1.96**2 / 4 / width**2
    assert all((number.half_width or 1) <= width for number in found.values())
    assert needed * 0.99 <= found["heads"].n <= needed * 1.6
    assert found["heads"].n == found["tails"].n


def test_width_is_not_reached_where_so_many_samples_are_not_wanted() -> None:
    found = estimates(coin, Options(half_width=0.001, n=500))
    assert found["heads"].n == 500
    assert (found["heads"].half_width or 0) > 0.001
    assert MOST > 500


def test_it_stops_in_time() -> None:
    began = monotonic()
    found = estimates(coin, Options(half_width=1e-6, seconds=0.1))
    assert 0.09 < monotonic() - began < 5
    assert 0 < found["heads"].n < MOST


def test_a_mean_is_not_trusted_while_one_value_makes_its_spread() -> None:
    """A prize of 1 in 200 cases: the first look, at 128 samples, has often seen none at all."""
    for seed in range(12):
        prize = estimates(lambda below: {"prize": int(below(200) == 0)}, Options(seed=seed, half_width=0.02), kind="mean")["prize"]
        assert prize.total >= 19
    assert estimates(lambda below: {"same": 3}, Options(half_width=0.5), kind="mean")["same"].n >= ALL_ALIKE
    assert FIRST < ALL_ALIKE


def test_differences_within_pairs() -> None:
    def draw(below: Numbers) -> dict[str, float]:
        luck = below(100)
        return {"stay": luck, "swap": luck + below(3)}

    paired = estimates(differences(draw, "stay"), Options(n=900), kind="paired")
    apart = estimates(draw, Options(n=900), kind="mean")
    assert (paired["stay"].mean, paired["stay"].half_width) == (0, 0)
    assert paired["swap"].mean == pytest.approx((apart["swap"].mean or 0) - (apart["stay"].mean or 0))
    assert paired["swap"].low is not None
    assert paired["swap"].high is not None
    assert paired["swap"].low < 1 < paired["swap"].high
    assert (paired["swap"].half_width or 1) < (apart["swap"].half_width or 0) / 10  # that is what pairs are for


# how often intervals hold what they should


@dataclass(frozen=True)
class Luck:
    """A kind of estimate of a number that is known: the sample, and the number."""

    kind: Kind
    truth: float
    draw: Callable[[Random], float]


def lucks() -> Iterator[tuple[str, int, Luck]]:
    """Three values for each kind, with sizes for which n·p·(1-p) is 20 or more."""
    for p, n in ((0.5, 100), (0.3, 120), (0.1, 300)):
        assert n * p * (1 - p) >= 20
        yield f"proportion {p}", n, Luck("proportion", p, lambda random, p=p: random.random() < p)  # type: ignore[misc]
    for p, n in ((0.5, 100), (0.2, 150), (0.08, 300)):
        assert n * p * (1 - p) >= 20
        yield f"mean {p}", n, Luck("mean", 4 + 10 * p, lambda random, p=p: 4 + 10 * (random.random() < p))  # type: ignore[misc]
    for p, q, n in ((0.5, 0.4, 100), (0.3, 0.3, 120), (0.1, 0.2, 230)):
        assert min(n * p * (1 - p), n * q * (1 - q)) >= 20
        yield f"paired {p} {q}", n, Luck("paired", p - q, lambda random, p=p, q=q: (random.random() < p) - (random.random() < q))  # type: ignore[misc]


def covering(luck: Luck, options: Options, repetitions: int) -> int:
    """In how many repetitions the interval holds the truth."""
    held = 0
    for repetition in range(repetitions):
        random = Random(repetition)

        def draw(below: Numbers, random: Random = random) -> Mapping[str, float]:
            return {"value": luck.draw(random)}

        found = estimates(draw, options, kind=luck.kind)["value"]
        assert found.low is not None
        assert found.high is not None
        held += found.low <= luck.truth <= found.high
    return held


@pytest.mark.parametrize(("n", "luck"), [pytest.param(n, luck, id=name) for name, n, luck in lucks()])
def test_intervals_cover_at_a_fixed_size(n: int, luck: Luck) -> None:
    """2,000 repetitions, each a sum of n draws; the runner itself is tried in the slow tests."""
    random, held = Random(11), 0
    for _ in range(2_000):
        values = Counter(luck.draw(random) for _ in range(n))
        total, squares = sum(v * k for v, k in values.items()), sum(v * v * k for v, k in values.items())
        found = Estimate(n, total, squares, luck.kind)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= luck.truth <= found.high
    assert 0.93 * 2_000 <= held <= 0.97 * 2_000


@pytest.mark.parametrize("luck", [pytest.param(luck, id=name) for name, _, luck in lucks()])
def test_intervals_cover_where_the_sample_stops_by_itself(luck: Luck) -> None:
    wanted = 0.07 if luck.kind == "proportion" else 0.7 if luck.kind == "mean" else 0.1
    held = covering(luck, Options(half_width=wanted), 150)
    assert held > 0.93 * 150 or binomial_tail(held, 150, 0.93) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(("n", "luck"), [pytest.param(n, luck, id=name) for name, n, luck in lucks()])
def test_the_runner_covers_at_a_fixed_size(n: int, luck: Luck) -> None:
    assert 0.93 * 2_000 <= covering(luck, Options(n=n), 2_000) <= 0.97 * 2_000


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 0.8, 0.62])
@pytest.mark.parametrize("luck", [pytest.param(luck, id=name) for name, _, luck in lucks()])
def test_the_stopping_rule_covers(luck: Luck, factor: float) -> None:
    wanted = factor * (0.07 if luck.kind == "proportion" else 0.7 if luck.kind == "mean" else 0.1)
    assert covering(luck, Options(half_width=wanted), 2_000) >= 0.93 * 2_000


@dataclass(frozen=True)
class Known:
    """A question of which the answer is known exactly, where it is estimated none the less: the sample, and the width to stop at."""

    game: AnyGame
    phase: str
    question: str
    kind: Kind
    n: int
    width: float

    def coverage(self, repetitions: int, **sample: Any) -> list[float]:
        """How often the interval of each outcome that is uncertain holds it, the least first."""
        return sorted(held / repetitions for _, held in self.held(repetitions, **sample))

    def held(self, repetitions: int, **sample: Any) -> list[tuple[float, int]]:
        """Each outcome that is uncertain: its number, and how many of the intervals hold it."""
        session = Session(self.game, seed=3)
        while session.game.phase(session.state) != self.phase or not session.legal:
            session.step("still")
        right = ask(session, self.question, session.actor)
        assert right.exact
        held: Counter[Any] = Counter()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fights, "LIMIT", 0)
            patch.setattr(marshals, "MOST", 0)
            for seed in range(repetitions):
                for outcome, found in ask(session, self.question, session.actor, seed=seed, **sample).numbers.items():
                    if isinstance(found, Estimate) and self.uncertain(float(right[outcome])):
                        assert found.kind == self.kind
                        held[outcome] += (found.low or 0) <= float(right[outcome]) <= (found.high or 0)
        return [(float(right[outcome]), times) for outcome, times in held.items()]

    def uncertain(self, chance: float) -> bool:
        return self.kind != "proportion" or self.n * chance * (1 - chance) >= 20


KNOWN = {
    "proportion": Known(marshal("2C 3D 4H 5S 6C 7D", (1, 1, 1, 1, 1), 1), "bandit", "next_title", "proportion", 120, 0.08),
    "mean": Known(fight("2C 3C 4C 5D 6D 7H", 2, 2, deals=2), "exchange", "tricks", "mean", 120, 0.12),
    "paired": Known(fight("2C 3C 4C 5D 6D 7H 8H 9S", 2, 2, deals=2), "exchange", "exchange_value", "paired", 120, 1.6),
}


def wilson_covers(chance: float, n: int) -> float:
    """How often Wilson's interval of n tries holds the chance, exactly: so few tries make it swing around 95 %."""
    inside = (hits for hits in range(n + 1) if wilson(hits, n)[0] <= chance <= wilson(hits, n)[1])
    return sum(comb(n, hits) * chance**hits * (1 - chance) ** (n - hits) for hits in inside)


@pytest.mark.slow
def test_asked_again_and_again_the_intervals_of_chances_cover() -> None:
    """Whole answers, worlds and play included, at a fixed size: as often as Wilson's interval does, which is near 95 %."""
    known = KNOWN["proportion"]
    told = known.held(2_000, n=known.n)
    assert len(told) > 10
    for chance, held in told:
        expected = wilson_covers(chance, known.n)
        assert 0.93 <= expected <= 0.97
        assert_probable(held, 2_000, expected, comparisons=len(told))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mean", "paired"])
def test_asked_again_and_again_the_intervals_cover(kind: str) -> None:
    """Whole answers, worlds and play included, at a fixed size."""
    least, *_, most = KNOWN[kind].coverage(2_000, n=KNOWN[kind].n)
    assert 0.93 <= least <= most <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("kind", KNOWN)
def test_asked_again_and_again_the_intervals_cover_where_they_stop(kind: str) -> None:
    assert KNOWN[kind].coverage(2_000, half_width=KNOWN[kind].width)[0] >= 0.93


def test_looking_after_every_sample_would_not_do() -> None:
    """Why the runner looks seldom, and not before many values make the spread: a mean that stops as soon as it may covers far less."""
    held = 0
    for repetition in range(600):
        random, hits, n = Random(repetition), 0, 0
        found = Estimate(kind="mean")
        while n < 10 or (found.half_width or 0) > 0.1:
            hits, n = hits + (random.random() < 0.1), n + 1
            found = Estimate(n, hits, hits, "mean")
        held += (found.low or 0) <= 0.1 <= (found.high or 0)
    assert held < 0.8 * 600


# in words


@pytest.mark.parametrize(
    ("number", "english", "russian"),
    [
        (Exact(Fraction(0)), "impossible", "невозможно"),
        (Exact(Fraction(1)), "certain", "наверняка"),
        (Exact(Fraction(2, 7)), "2/7 = 28.6 %", "2/7 = 28,6 %"),
        (Exact(Fraction(78, 3_162_510)), "1/40 545 = < 0.01 %", "1/40 545 = < 0,01 %"),
        (Exact(1 - Fraction(78, 3_162_510)), "40 544/40 545 = > 99.99 %", "40 544/40 545 = > 99,99 %"),
        (Exact(0.25, error=1e-12), "25.0 %", "25,0 %"),
        (Estimate.of_hits(0, 30), "at most 11.4 %", "не больше 11,4 %"),
        (Estimate.of_hits(30, 30), "at least 88.6 %", "не меньше 88,6 %"),
        (Estimate.of_hits(1, 30), "3.3 % ± 8.0 %", "3,3 % ± 8,0 %"),
        (Estimate(), "no sample yet", "розыгрышей ещё нет"),
    ],
)
def test_a_chance_in_words(number: Exact | Estimate, english: str, russian: str) -> None:
    assert plain(told(number, EN)) == english
    assert plain(told(number, RU)) == russian


def test_equal_counts_look_equal_and_are_not_forced_to_100() -> None:
    for counts, said in (((4, 4, 6), ["28.6", "28.6", "42.9"]), ((12, 4, 1), ["70.6", "23.5", "5.9"])):
        shown = [plain(told(Exact(Fraction(n, sum(counts))), EN)).split(" = ")[1] for n in counts]
        assert shown == [f"{text} %" for text in said]


def test_a_value_that_is_no_chance() -> None:
    assert told(Exact(Fraction(41, 20)), EN, chances=False) == "41/20 = 2.050"
    assert told(Exact(Fraction(-96_076_792_050_570_580)), RU, chances=False) == "−96\xa0076\xa0792\xa0050\xa0570\xa0580"
    assert plain(told(Estimate(100, 250, 900, "mean"), RU, chances=False)) == "2,500 ± 0,331"
    assert decimal(-0.5, EN, 1) == "\N{MINUS SIGN}0.5"
    assert told(Exact(Fraction(1)), EN, chances=False) == "1"


def test_rows_and_what_an_answer_rests_on() -> None:
    king = game("suicide_king", players=2)
    sure = Answer("q", {king.seats[1]: Exact(Fraction(1, 4))}, ASSUMES)
    guess = Answer("q", {king.seats[0]: Estimate.of_hits(21, 21)}, ASSUMES)
    assert [(row.outcome, row.value, row.low) for row in rows(king, sure, EN)] == [("Boris", 0.25, None)]
    (row,) = rows(king, guess, RU)
    assert (row.outcome, row.value, row.high) == ("Анна", 1.0, 1.0)
    assert basis(sure, EN) == "Exact: whatever piles the players choose."
    assert plain(basis(guess, RU)).startswith("По 21 розыгрышу: какие бы")
    assert basis(guess, EN).startswith("Simulated 21 times:")


def test_the_samples_are_fair() -> None:
    """The stream of estimates against the chances of a die."""
    found: dict[Any, Estimate] = estimates(lambda below: {below(6): 1}, Options(n=6_000))
    for number in found.values():
        assert_probable(int(number.total), number.n, Fraction(1, 6), comparisons=6)
    assert len(found) == 6
