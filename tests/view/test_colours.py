"""The four suits stay apart for people who see fewer colours, and their letters stand out from their grounds.

Colours as a deuteranope, a protanope and a tritanope see them: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
physiologically-based model for simulation of color vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15
(2009), severity 1.0, on linear RGB. Distances are CIEDE2000 (G. Sharma, W. Wu and E. N. Dalal, 2005), under which about 1 can just be
told apart side by side, and what is beyond 10 is told apart at a glance. Wanted are 12: small signs take a little more.
"""

from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest
from contrast import contrast, linear

from cardlab.view.drawings import sprite
from cardlab.view.html import SUITS
from cardlab.view.tokens import DARK, LIGHT

Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]
EYES: dict[str, Matrix] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ: Matrix = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
PAPER = "#FFFDF8"  # the ground of a card
APART = 12.0
CONTRAST = 4.5
# the least of the six distances, to be seen when a colour is changed
LEAST = {
    ("light", "all colours"): 27.6, ("light", "protanopia"): 12.7, ("light", "deuteranopia"): 20.6, ("light", "tritanopia"): 13.6,
    ("dark", "all colours"): 22.1, ("dark", "protanopia"): 13.8, ("dark", "deuteranopia"): 12.6, ("dark", "tritanopia"): 13.9,
}  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}


def times(matrix: Matrix, colour: Colour) -> Colour:
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return red, green, blue


def seen(told: str, eyes: str) -> Colour:
    """A colour in CIE Lab as somebody sees it."""
    red, green, blue = (min(max(part, 0.0), 1.0) for part in times(EYES[eyes], linear(told)))
    x, y, z = (part / white for part, white in zip(times(TO_XYZ, (red, green, blue)), WHITE, strict=True))
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Colour, other: Colour) -> float:
    """CIEDE2000 of two colours in Lab."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    middle = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * sqrt(middle / (middle + 25**7))
    c1, c2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    h1, h2 = degrees(atan2(b1, a1 * stretch)) % 360, degrees(atan2(b2, a2 * stretch)) % 360
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if grey else (h1 + turn / 2) % 360
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    t = 1 + sum(high * cos(radians(times_ * hue + shift)) for high, times_, shift in waves)
    sl = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    twist = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(((l2 - l1) / sl) ** 2 + ((c2 - c1) / sc) ** 2 + (dh / sh) ** 2 + twist * (c2 - c1) / sc * dh / sh)


def tinted(ink: str, ground: str, share: float) -> str:
    """A ground with so much of an ink in it, as ``color-mix`` makes it."""
    mixed = (round(int(ink[k : k + 2], 16) * share + int(ground[k : k + 2], 16) * (1 - share)) for k in (1, 3, 5))
    return "#" + "".join(f"{part:02X}" for part in mixed)


@pytest.mark.parametrize(
    ("one", "other", "apart"),  # of the authors' own table of pairs
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_the_one_that_was_published(one: Colour, other: Colour, apart: float) -> None:
    assert distance(one, other) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_four_suits_are_apart(theme: str, eyes: str) -> None:
    shown = [seen(THEMES[theme][suit], eyes) for suit in SUITS]
    least = min(distance(one, other) for one, other in combinations(shown, 2))
    assert least >= APART
    assert least == pytest.approx(LEAST[theme, eyes], abs=0.1)


def test_colours_that_are_not_apart_are_found() -> None:
    """A plain red and green, which a deuteranope takes for each other."""
    red, green = "#B03A2E", "#5F7A1F"
    assert distance(seen(red, "all colours"), seen(green, "all colours")) > 40
    assert distance(seen(red, "deuteranopia"), seen(green, "deuteranopia")) < APART


@pytest.mark.parametrize("theme", THEMES)
def test_the_suits_stand_out_from_every_ground_they_are_on(theme: str) -> None:
    colours = THEMES[theme]
    for suit in SUITS:
        grounds = [colours["surface"], colours["sunk"], colours["markt"], tinted(colours[suit], colours["sunk"], 0.12)]
        for ground in grounds:
            assert contrast(colours[suit], ground) >= CONTRAST, (suit, ground)


def test_the_cards_have_the_colours_of_the_light_theme() -> None:
    for suit in SUITS:
        assert LIGHT[suit] in sprite("en")
        assert contrast(LIGHT[suit], PAPER) >= CONTRAST
