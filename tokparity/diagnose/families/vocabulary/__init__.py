"""Pieces that are missing or of another kind, and words beyond a length."""
