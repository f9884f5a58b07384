"""How the twins are compiled: lazily, kept on the disk, without the interpreter's lock; and an instruction that Numba has no name for."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from numba import config, njit, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])
ROOMS: Final = ("cards", "core", "games", "fast")  # what a kernel is made of


def stamp(package: Path) -> str:
    """A name for the sources that kernels are made of.

    Numba looks whether a kernel's own file has changed, not at the functions it calls and the tables it reads in other files.
    """
    sources = [path.read_bytes() for room in ROOMS for path in sorted((package / room).glob("*.py"))]
    return sha256(b"".join(sources)).hexdigest()[:16]


HERE: Final = Path(__file__).parent
KERNELS: Final = Path(config.CACHE_DIR or HERE / "__pycache__") / f"kernels-{stamp(HERE.parent)}"


def compiled(function: F) -> F:
    """The function, compiled at its first call; where ``KERNELS`` cannot be written, Numba finds another place."""
    return _compiled(function)


def lean(function: F) -> F:
    """The same for a function that makes no array: it does not count who holds one, so that many arrays can be handed on at no cost."""
    return _compiled(function, _nrt=False)


def inlined(function: F) -> F:
    """The same, put in the place of each call: for what is called in few places with many arrays, each of them seven words to hand on."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: F, **options: bool) -> F:
    usual, config.CACHE_DIR = config.CACHE_DIR, str(KERNELS)
    try:
        return cast(F, njit(cache=True, nogil=True, **options)(function))
    finally:
        config.CACHE_DIR = usual


def _ones(context: Any, x: Any) -> Any:
    """The number of bits set in a word of 64 bits."""
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


ones: Final = cast(Callable[[Any], Any], intrinsic(_ones))
