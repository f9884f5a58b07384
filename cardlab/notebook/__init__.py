"""The stepper for notebooks, in ipywidgets."""

from cardlab.notebook.stepper import Stepper, usual_language

__all__ = ["Stepper", "usual_language"]
