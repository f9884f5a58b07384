"""Compile the catalogues: every .po under cardlab/words/locale to the .mo beside it.

With --check nothing is written; the exit status is 1, and the files are named, when a .mo is not what its .po gives.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "cardlab" / "words" / "locale"


class Undated(Catalog):
    """A catalogue whose header names neither a date nor Babel's version, so that the same .po gives the same bytes for ever."""

    def __init__(self, read: Catalog) -> None:
        super().__init__(charset="utf-8")
        self.read = read
        for message in read:
            if message.id:  # the message without an id is the header
                self[message.id] = message

    @property  # type: ignore[misc]  # read only, unlike Babel's own
    def mime_headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", f"{self.read.plural_forms}\n")]


class Unfinished(Exception):
    """A .po whose .mo would lack a sentence."""


def compiled(po: Path) -> bytes:
    """The .mo that a .po gives; raises PoFileError or Unfinished when some key would be lost on the way."""
    text = po.read_bytes()
    times = Counter(re.findall(r'^msgid "(.+)"', text.decode("utf-8"), re.MULTILINE))
    catalog = Undated(read_po(BytesIO(text), abort_invalid=True))
    for message in catalog:
        key = message.id if isinstance(message.id, str) else message.id[0]
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        if times[key] > 1:
            raise Unfinished(f"{key} stands there {times[key]} times")
        if key and (message.fuzzy or not all(texts)):
            raise Unfinished(f"{key} is not translated")
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def build(locale: Path, check: bool) -> list[str]:
    """Write what is out of date, or with ``check`` only name it; returns what there is to say about each file."""
    said = []
    for mo in sorted({po.with_suffix(".mo") for pattern in ("*.po", "*.mo") for po in locale.rglob(pattern)}):
        po = mo.with_suffix(".po")
        try:
            wanted = compiled(po) if po.exists() else None
        except (PoFileError, Unfinished, UnicodeDecodeError) as fault:
            raise SystemExit(f"{po}: {fault}") from fault
        if wanted == (mo.read_bytes() if mo.exists() else None):
            continue
        if check:
            said.append(f"{mo} is not what {po.name} gives; run make words")
        elif wanted is None:
            mo.unlink()
            said.append(f"{mo} removed: its .po is gone")
        else:
            mo.write_bytes(wanted)
            said.append(f"{mo} written")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a .mo is out of date")
    check: bool = parser.parse_args().check
    said = build(LOCALE, check)
    print("\n".join(said) or "every .mo is what its .po gives")
    return 1 if check and said else 0


if __name__ == "__main__":
    sys.exit(main())
