"""The compiled streams give the numbers of ``cardlab.core.streams``, bit for bit."""

from __future__ import annotations

import random

import pytest

from cardlab.core import streams

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
from cardlab.fast import streams as fast  # noqa: E402

U = np.uint64
EDGES = (0, 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
PURPOSES = (streams.DECK, streams.LOTS, streams.BLIND, streams.RESHUFFLE, streams.CHOICES, streams.CHOICES + 4, streams.ESTIMATES)
SIZES = (1, 2, 5, 6, 7, 13, 25, 36, 48, 52, 54)
PLACES = 54


def names(n: int) -> list[tuple[int, int, int]]:
    """(seed, index, deal): all pairs of edges, then any."""
    chance = random.Random("names")
    edges = [(seed, index, deal) for seed in EDGES for index in EDGES for deal in (0, 3)]
    return edges + [(chance.getrandbits(64), chance.getrandbits(64), chance.randrange(2**20)) for _ in range(n)]


def test_every_word_and_every_number_below_is_the_same() -> None:
    chance = random.Random("words")
    for seed, index, deal in names(1_000):
        key = streams.deal_key(seed, index, deal)
        compiled = fast.deal_key(U(seed), U(index), deal)
        assert compiled == key
        for purpose in PURPOSES:
            n = chance.choice((0, 1, 7, 255, 2**31, 2**32 - 2))
            w = streams.word(key, purpose, n)
            assert fast.word(U(compiled), purpose, n) == fast.word(U(key), U(purpose), n) == w
            m = chance.choice((1, 2, 5, 20, 52, 54, 2**31))
            assert fast.below(U(w), m) == streams.below(w, m)
    for w in EDGES:
        assert [fast.below(U(w), m) for m in (1, 52, 2**31)] == [streams.below(w, m) for m in (1, 52, 2**31)]


def test_every_shuffle_is_the_same() -> None:
    order = np.empty(PLACES, np.uint8)
    for k, (seed, index, deal) in enumerate(names(2_000)):
        key, size = streams.deal_key(seed, index, deal), SIZES[k % len(SIZES)]
        purpose = (streams.DECK, streams.RESHUFFLE)[k % 2]
        fast.shuffled(order, U(key), purpose, size, size)
        assert tuple(order[:size].tolist()) == streams.shuffled(key, purpose, size)


@pytest.mark.parametrize("places", [1, 5, 6, 7, 16, 25, 51])
def test_a_shuffle_may_stop_early(places: int) -> None:
    order = np.empty(PLACES, np.uint8)
    for seed, index, deal in names(50):
        key = streams.deal_key(seed, index, deal)
        fast.shuffled(order, U(key), streams.DECK, 52, places)
        assert tuple(order[:places].tolist()) == streams.shuffled(key, streams.DECK, 52)[:places]
        assert sorted(order[:52].tolist()) == list(range(52))
