"""For whoever tests a game, these three or an own one: ``check_game``, and Hypothesis strategies in ``cardlab.testing.strategies``.

Nothing here needs more than the standard library until a strategy is asked for.
"""

from cardlab.testing.check import check_game, no_random_number

__all__ = ["check_game", "no_random_number"]
