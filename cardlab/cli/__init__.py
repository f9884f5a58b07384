"""The command line."""

from cardlab.cli.main import main, parser

__all__ = ["main", "parser"]
