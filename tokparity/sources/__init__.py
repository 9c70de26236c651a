"""Where cases come from: corpora and random texts."""
