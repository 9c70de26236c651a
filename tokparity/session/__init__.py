"""One model before its engines: cases are put, judged, kept, shrunk, explained and written down."""

CASES = 4000
"""Random texts per model, where the command line does not say."""
