"""The rules of the three games, one file a game, to be read beside the rule book."""

from cardlab.core.registry import GAMES
from cardlab.games.fight_for_the_lead import FightForTheLead
from cardlab.games.poker_marshal import PokerMarshal
from cardlab.games.suicide_king import SuicideKing

GAMES.update({kind.name: kind for kind in (SuicideKing, FightForTheLead, PokerMarshal)})

__all__ = ["FightForTheLead", "PokerMarshal", "SuicideKing"]
