"""How far two colours stand out from each other (WCAG 2.2, relative luminance and contrast ratio)."""

from __future__ import annotations


def linear(told: str) -> tuple[float, float, float]:
    """A colour such as ``#1E2430`` in linear light."""
    red, green, blue = (int(told[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else float(((x + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """From 1 to 21.

    >>> round(contrast("#000000", "#FFFFFF"), 6)
    21.0
    """
    luminance = [sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear(told), strict=True)) for told in (one, other)]
    dark, light = sorted(luminance)
    return (light + 0.05) / (dark + 0.05)
