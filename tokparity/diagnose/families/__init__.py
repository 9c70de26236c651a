"""Families of hypotheses, each a generator: what may be otherwise with an engine."""
