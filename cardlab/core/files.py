"""Files that are always whole."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes beside the file and then puts that in its place: whoever reads it, or comes after a crash, finds the old or the new one.

    Raises OSError; the old file is still there then, and nothing beside it.
    """
    path = Path(path)
    beside = path.with_name(f".cardlab-{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
