"""Where words may be cut otherwise."""
