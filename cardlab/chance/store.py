"""Tables that took long to count, kept in the user's cache folder.

A damaged or foreign file counts as none, and a folder that cannot be written is no fault.

The folder is CARDLAB_CACHE where that is set, else the usual one of the system. In a browser nothing is kept.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import zlib
from hashlib import sha256
from pathlib import Path

LENGTH = 32  # of the check sum at the head of a file


def folder() -> Path | None:
    """Where tables are kept; ``None`` where nothing can be."""
    if named := os.environ.get("CARDLAB_CACHE"):
        return Path(named)
    if sys.platform in ("emscripten", "wasi"):
        return None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "cardlab"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "cardlab"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "cardlab"


def load(name: str, version: int) -> bytes | None:
    """What was kept under a name and a version; ``None`` when there is nothing, or nothing whole."""
    kept = folder()
    if kept is None:
        return None
    try:
        file = (kept / f"{name}.v{version}").read_bytes()
        packed = file[LENGTH:]
        return zlib.decompress(packed) if sha256(packed).digest() == file[:LENGTH] else None
    except (OSError, ValueError, zlib.error):
        return None


def save(name: str, version: int, data: bytes) -> None:
    """Keeps some bytes: the file is there whole or not at all, also when two processes write it."""
    kept = folder()
    if kept is None:
        return
    packed = zlib.compress(data, 1)
    with contextlib.suppress(OSError, ValueError):
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept, delete=False) as file:
            written = Path(file.name)
            try:
                file.write(sha256(packed).digest() + packed)
            except OSError:
                file.close()
                written.unlink(missing_ok=True)
                raise
        os.replace(written, kept / f"{name}.v{version}")
