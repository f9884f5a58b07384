"""The Panel app: the games on a page that is served to browsers."""

from cardlab.dashboard.app import app
from cardlab.dashboard.server import serve

__all__ = ["app", "serve"]
