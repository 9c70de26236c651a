"""A session runs one model on its engines: it compares, counts, stores, shrinks and explains, and writes a report."""

ASKED = ("encode", "decode")
"""The kinds of question, where the command line does not say."""

SAMPLED = ("stream", "spans", "again")
"""The kinds of which one of SAMPLE cases is put beside these, where the command line does not say."""

SAMPLE = 11
"""See SAMPLED; a run with few random texts takes as much fewer."""

TEXTS = frozenset(ASKED)
"""Those for which texts are put: the probe set, random ones, and corpora."""

CASES = 4000
"""Random texts per model, where the command line does not say."""

THINNED = 16
"""One of this number of random texts, and of texts of corpora, runs on a model that another model represents."""
