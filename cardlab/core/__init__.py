"""The engine: games as values, events, dealers, sessions and records."""
