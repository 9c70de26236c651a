"""One model before its engines: cases are put, judged, kept, shrunk, explained and written down."""

ASKED = ("encode", "decode")
"""The kinds of question, where the command line does not say."""

CASES = 4000
"""Random texts per model, where the command line does not say."""

THINNED = 4
"""The share of random texts and texts of corpora, as one of this number, that a model represented by another one gets."""
