"""The start of a text: which pre-tokenizers ask where it is, and whether a normalizer takes it away.

Both work on any stage, also on one that this package did not make. They load no library of expressions, because the
command line's help loads this module with every command.
"""

from __future__ import annotations

from tokparity.behaviour import Normalise


def asks_for_start(stage: object) -> bool:
    """Whether a pre-tokenizer does something else where a word begins the text as it was given."""
    return any(map(asks_for_start, getattr(stage, "stages", ()))) or getattr(stage, "prepend", "") == "first"


def drops_start(normalise: Normalise, text: str) -> bool:
    """Whether the normalizer drops the first character by itself, so the rest does not begin where the text began."""
    for stage in getattr(normalise, "stages", (normalise,)):
        after = stage(text)
        if not stage(text[:1]) and stage(text[1:]) == after:
            return bool(text)
        text = after
    return False
