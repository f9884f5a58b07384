"""The colours of the light and the dark theme by name, for every host; each text stands out from its ground by 4.5 to 1 and more."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

LIGHT: Final = {
    "bg": "#F4F3EF", "surface": "#FFFFFF", "sunk": "#F8F7F3", "ink": "#1E2430", "ink2": "#465061", "ink3": "#626C7C",
    "line": "#DEDAD0", "line2": "#8B8F97", "pri": "#24508F", "onpri": "#FFFFFF", "prit": "#E6EDF8",
    "mark": "#B45F00", "onmark": "#FFFFFF", "markt": "#FFF1D6", "marki": "#7A4700",
    "felt": "#DDE8E2", "felt2": "#D0DFD7", "feltl": "#AFC5B9", "bad": "#B3261E", "heat": "#1F4E8F", "onheat": "#FFFFFF",
    "clubs": "#006A54", "diamonds": "#0A58D6", "hearts": "#BB1D22", "spades": "#1E2430",
    "p1": "#1F5FA8", "p2": "#A36629", "p3": "#194D33", "p4": "#9E2E6F", "p5": "#20242C",
}  # fmt: skip
DARK: Final = {
    "bg": "#0F141B", "surface": "#171E28", "sunk": "#1D2632", "ink": "#E9EDF3", "ink2": "#BAC3CF", "ink3": "#96A3B4",
    "line": "#2D3847", "line2": "#6C7A8D", "pri": "#8FB6F2", "onpri": "#0E1A2C", "prit": "#22344F",
    "mark": "#FFB84D", "onmark": "#1E2430", "markt": "#3B2D13", "marki": "#FFD79B",
    "felt": "#17302A", "felt2": "#1C3A33", "feltl": "#315A4F", "bad": "#FF9A92", "heat": "#8FB6F2", "onheat": "#0E1A2C",
    "clubs": "#4CDBAC", "diamonds": "#96B1F6", "hearts": "#FF877C", "spades": "#E9EDF3",
    "p1": "#7FB2F5", "p2": "#F47825", "p3": "#4FDB98", "p4": "#C982A0", "p5": "#F4F2EC",
}  # fmt: skip
# for whoever asks for more contrast: no faint grey, and every line to be seen
LIGHT_MORE: Final = {"ink2": "#1E2430", "ink3": "#364051", "line": "#5F6877", "line2": "#364051", "pri": "#173B70", "feltl": "#4D6357"}
DARK_MORE: Final = {"ink2": "#E9EDF3", "ink3": "#C9D1DC", "line": "#8F9CAE", "line2": "#C9D1DC", "pri": "#B4CFFA", "feltl": "#8DB0A6"}
MORE: Final = "@media (prefers-contrast: more)"
FONT: Final = "Roboto, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif"
MODULE: Final = files("cardlab.view") / "table.js"  # the piece of the screen that both hosts enliven
STYLE: Final = (files("cardlab.view") / "table.css").read_text("utf-8")  # how its lines look


def variables(colours: dict[str, str]) -> str:
    """A theme as CSS variables.

    >>> variables(LIGHT).split(";")[0]
    '--bg:#F4F3EF'
    """
    return "".join(f"--{name}:{value};" for name, value in colours.items())
