"""Families of hypotheses: each is a generator of changes that may explain an engine."""
