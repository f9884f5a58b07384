"""The Panel app: the games on a page that is served to browsers; called, the same page in a notebook."""

import sys
from types import ModuleType
from typing import Any

from cardlab.dashboard.app import app
from cardlab.dashboard.embedded import embedded
from cardlab.dashboard.server import serve

__all__ = ["app", "embedded", "serve"]


class _Callable(ModuleType):
    """The room itself is what a notebook calls: ``cardlab.dashboard("poker_marshal")``."""

    def __call__(self, *what: Any, **options: Any) -> Any:
        return embedded(*what, **options)


sys.modules[__name__].__class__ = _Callable
