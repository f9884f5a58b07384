"""The stepper's style sheet: the colours of a light notebook and of a dark one, and how the widgets look that are not panes."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from cardlab.view.tokens import DARK, DARK_MORE, FONT, LIGHT, LIGHT_MORE, MORE, variables

_THEMES: Final = (
    f".cardlab-stepper {{ {variables(LIGHT)} --font: {FONT}; color-scheme: light; }}\n"
    f'[data-jp-theme-light="false"] .cardlab-stepper, .vscode-dark .cardlab-stepper {{ {variables(DARK)} color-scheme: dark; }}\n'
    f"{MORE} {{ .cardlab-stepper {{ {variables(LIGHT_MORE)} }} "
    f'[data-jp-theme-light="false"] .cardlab-stepper, .vscode-dark .cardlab-stepper {{ {variables(DARK_MORE)} }} }}\n'
)
STYLE: Final = f"<style>{_THEMES}{(files('cardlab.notebook') / 'stepper.css').read_text('utf-8')}</style>"
