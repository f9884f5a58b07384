"""The signs on the buttons, drawn here: an icon font would be fetched from another host."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from cardlab.view.tokens import LIGHT

_DRAWN: Final = {
    "restart": '<path d="M6 5v14M19 6v12l-10-6Z"/>',
    "undo": '<path d="M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12" transform="translate(0 -3)"/>',
    "step": '<path d="M6 6v12l9-6ZM19 6v12"/>',
    "play": '<path d="M7 5v14l12-7Z"/>',
    "pause": '<path d="M8 5v14M16 5v14"/>',
    "mine": '<path d="M5 6v12l7-6ZM12 6v12l7-6Z"/>',
    "book": '<path d="M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2ZM5 18a2 2 0 0 1 2-2h12"/>',
    "moon": '<path d="M19 14.5A8 8 0 0 1 9.5 5a8 8 0 1 0 9.5 9.5Z"/>',
    "sun": '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4"/>',  # noqa: E501
    "projector": '<rect x="3" y="5" width="18" height="11" rx="1.5"/><path d="M12 16v3M8 20.5l4-2 4 2"/>',
    "whatif": '<circle cx="6" cy="5.5" r="2"/><circle cx="6" cy="18.5" r="2"/><circle cx="17" cy="8" r="2"/><path d="M6 7.5v9M17 10c0 4-5 5-11 5"/>',  # noqa: E501
    "new": '<path d="M12 5v14M5 12h14"/>',
    "menu": '<path d="M4 6h16M4 12h16M4 18h16"/>',
    "chance": '<path d="M4 20h16M7 20v-6M12 20V5M17 20v-9"/>',
    "eye": '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/>',
    "share": '<circle cx="6" cy="12" r="2.5"/><circle cx="17.5" cy="6" r="2.5"/><circle cx="17.5" cy="18" r="2.5"/><path d="M8.3 10.9 15.2 7.2M8.3 13.1l6.9 3.7"/>',  # noqa: E501
    "lock": '<rect x="5" y="10" width="14" height="10" rx="2"/><path d="M8 10V7a4 4 0 0 1 8 0v3"/>',
}
LOGO: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">'
    '<rect x="3" y="5" width="15" height="21" rx="3" fill="var(--pri)" transform="rotate(-10 10 15)"/>'
    '<rect x="11" y="4.5" width="15" height="21" rx="3" fill="var(--surface)" stroke="var(--pri)" stroke-width="2" '
    'transform="rotate(8 18 15)"/>'
    '<path d="M15 20v-4M18.5 20.5v-9M22 21v-6" stroke="var(--mark)" stroke-width="2.2" transform="rotate(8 18 15)"/></svg>'
)


def icon(name: str, size: int = 18) -> str:
    """A sign as a picture in the colour of the text beside it.

    >>> icon("play").startswith("<svg xmlns=")
    True
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" '
        f'stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">{_DRAWN[name]}</svg>'
    )


def favicon() -> str:
    """The logo for a tab of the browser, which knows no theme.

    >>> "var" in favicon()
    False
    """
    return "data:image/svg+xml," + quote(re.sub(r"var\(--(\w+)\)", lambda found: LIGHT[found[1]], LOGO))
