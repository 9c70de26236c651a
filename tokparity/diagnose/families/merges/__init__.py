"""Merges that are missing or done otherwise."""
