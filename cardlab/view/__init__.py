"""Views made visible: a scene says what lies where, text and SVG draw it, ``table.js`` enlivens the drawing."""

from cardlab.view.scene import Group, Scene, SeatRow, scene
from cardlab.view.svg import svg
from cardlab.view.text import text

__all__ = ["Group", "Scene", "SeatRow", "scene", "svg", "text"]
