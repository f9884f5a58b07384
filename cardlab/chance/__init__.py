"""What may happen, asked of a moment: exact where it can be, and otherwise an estimate that says how sure it is."""

from cardlab.chance import fights, kings, marshal_gains, marshals
from cardlab.chance.answers import Answer, Estimate, Exact
from cardlab.chance.questions import QUESTIONS, Question, ask, fitting
from cardlab.chance.worlds import believing, worlds

__all__ = [
    "QUESTIONS",
    "Answer",
    "Estimate",
    "Exact",
    "Question",
    "ask",
    "believing",
    "fights",
    "fitting",
    "kings",
    "marshal_gains",
    "marshals",
    "worlds",
]
