"""The address of the page as a QR code: for the wall as a drawing, for the terminal as blocks."""

from __future__ import annotations

from io import StringIO

import segno


def drawn(url: str, label: str) -> str:
    """The code as SVG, dark on light in every theme; ``label`` says what it is.

    >>> drawn("http://box.example/", "The page")[:52]
    '<svg role="img" viewBox="0 0 31 31" class="qr"><titl'
    """
    code = segno.make(url, error="m")
    svg = code.svg_inline(border=3, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None, title=label)
    return str(svg).replace("<svg ", '<svg role="img" ', 1)


def printed(url: str) -> str:
    """The code for a terminal, two rows in a line.

    >>> len(printed("http://box.example/").splitlines()) > 12
    True
    """
    out = StringIO()
    segno.make(url, error="m").terminal(out, border=2, compact=True)
    return out.getvalue()
