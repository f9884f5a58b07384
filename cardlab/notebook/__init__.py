"""The stepper for notebooks, in ipywidgets."""

from cardlab.notebook.stepper import Stepper
from cardlab.words import usual_language

__all__ = ["Stepper", "usual_language"]
