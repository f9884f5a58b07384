"""A game on a desk: what is done to it, and what every host shows of it."""

from cardlab.desk.desk import Chance, Desk, Move, spoken

__all__ = ["Chance", "Desk", "Move", "spoken"]
