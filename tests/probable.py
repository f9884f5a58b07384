"""For tests of chance: how improbable a count is, exactly enough to be judged, and one limit for all of them.

Every test of chance has a fixed seed, so that it passes for ever or fails for ever. The limit, one in a million unless said otherwise,
is shared out among the comparisons of a test: a right program would fail about one such test in a million, had the seed been drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, lgamma, log, log1p, sqrt
from typing import Any

LIMIT = 1e-6


def binomial_tail(successes: int, n: int, p: Fraction | float) -> float:
    """Twice the smaller of P(X <= successes) and P(X >= successes) for n tries with probability p, at most 1.

    >>> binomial_tail(0, 10, Fraction(1, 2)) == 2 / 2**10
    True
    """
    if not 0 <= successes <= n or not 0 <= p <= 1:
        raise ValueError(f"{successes} successes of {n} with probability {p} cannot be")
    if p in (0, 1):
        return float(successes == n * p)
    below, above = _one_tail(successes, n, float(p)), _one_tail(n - successes, n, float(1 - p))
    return min(1.0, 2 * min(below, above))


def _one_tail(k: int, n: int, p: float) -> float:
    """P(X <= k), its terms summed from the largest one downwards; a tail beyond the mean is taken as 1."""
    if k >= n * p + 1:
        return 1.0
    term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p))
    total = 0.0
    while term > total * 1e-17 and k >= 0:
        total += term
        term *= k * (1 - p) / ((n - k + 1) * p)
        k -= 1
    return total


def chi_square_tail(x: float, freedom: int) -> float:
    """P(chi-square >= x) with so many degrees of freedom, by the series or the continued fraction of the incomplete gamma function."""
    a, z = freedom / 2, x / 2
    if z <= 0:
        return 1.0
    scale = exp(a * log(z) - z - lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        while term > total * 1e-16:
            a += 1
            term *= z / a
            total += term
        return 1 - total * scale
    b = z + 1 - a
    c, d = 1e300, 1 / b
    h, i = d, 0
    while True:
        i += 1
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            return h * scale


def assert_probable(successes: int, n: int, p: Fraction | float, comparisons: int = 1, limit: float = LIMIT) -> None:
    """Fails when so many successes in n tries are less probable than limit / comparisons, on either side."""
    tail = binomial_tail(successes, n, p)
    if tail * comparisons < limit:
        error = sqrt(n * p * (1 - p))
        raise AssertionError(
            f"{successes} of {n}, expected {float(n * p):.1f} with a standard error of {error:.1f}: "
            f"a count so far off has probability {tail:.2g}, and the limit is {limit:.2g} / {comparisons}"
        )


def assert_frequencies(counts: Mapping[Any, int], chances: Mapping[Any, Fraction], comparisons: int = 1, limit: float = LIMIT) -> None:
    """Fails when one of some outcomes came improbably often or seldom, or one that has no chance came at all."""
    n = sum(counts.values())
    strangers = [outcome for outcome in counts if outcome not in chances]
    if strangers:
        raise AssertionError(f"{strangers} came and have no chance")
    for outcome, p in chances.items():
        assert_probable(counts.get(outcome, 0), n, p, comparisons * len(chances), limit)
