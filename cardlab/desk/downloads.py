"""What can be saved from a screen: tables that a spreadsheet opens, pictures, records of games."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # at the beginning: without it a spreadsheet does not read Cyrillic letters
SVG: Final = "image/svg+xml"
_SEPARATOR: Final = {"en": ",", "ru": ";"}  # as spreadsheets of either language expect it


@dataclass(frozen=True, slots=True)
class Download:
    """A file for whoever looks at a screen; with ``paint`` the browser makes a PNG of the drawing that it is."""

    name: str
    mime: str
    data: bytes
    paint: bool = False

    def told(self, n: int) -> dict[str, Any]:
        """What a pane is told, for the ``n``-th file that it hands over."""
        return {"name": self.name, "mime": self.mime, "data": b64encode(self.data).decode(), "paint": self.paint, "n": n}


def table(name: str, headers: Sequence[str], rows: Iterable[Sequence[object]], language: str) -> Download:
    """A table as CSV: with commas and decimal points, or, in Russian, with semicolons and decimal commas.

    Numbers, fractions among them, stay numbers; anything else is written as it stands.

    >>> table("odds.csv", ["игрок", "шанс"], [["Анна", Fraction(3, 8)]], "ru").data.decode("utf-8-sig")
    'игрок;шанс\\r\\nАнна;0,375\\r\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_SEPARATOR[language])
    writer.writerow(headers)
    writer.writerows([_cell(value, language) for value in row] for row in rows)
    return Download(name, "text/csv;charset=utf-8", (MARK + text.getvalue()).encode())


def _cell(value: object, language: str) -> object:
    if value is None:
        return ""
    if isinstance(value, (float, Fraction)) and not isinstance(value, int):
        said = repr(float(value))
        return said.replace(".", ",") if language == "ru" else said
    return value


def drawing(name: str, svg: str) -> Download:
    """A picture of its own as SVG."""
    return Download(name, SVG, ('<?xml version="1.0" encoding="UTF-8"?>\n' + sized(svg)).encode())


def painted(download: Download) -> Download:
    """The PNG of a drawing, which the browser makes from it."""
    return replace(download, name=download.name.removesuffix(".svg") + ".png", paint=True)


def sized(svg: str) -> str:
    """A picture with the width and the height of its view box, which a viewer of files needs.

    >>> sized('<svg viewBox="0 0 20 10" width="100%"><path/></svg>')
    '<svg width="20" height="10" viewBox="0 0 20 10"><path/></svg>'
    """
    head, rest = svg.split(">", 1)
    box = re.search(r'viewBox="[-.\d]+ [-.\d]+ ([.\d]+) ([.\d]+)"', head)
    if box is None:
        return svg
    head = re.sub(r' (?:width|height)="[^"]*"', "", head).replace("<svg", f'<svg width="{box[1]}" height="{box[2]}"', 1)
    return f"{head}>{rest}"
