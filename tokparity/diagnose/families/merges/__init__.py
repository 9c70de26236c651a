"""Models that lack merges or apply them differently."""
