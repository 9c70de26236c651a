"""Models that lack pieces, have pieces of another kind, or treat long words differently."""
