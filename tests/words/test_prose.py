"""The part of docs/style.md that a machine can check; `known.json` has what is still wrong, and may only shrink."""

from __future__ import annotations

import json

import pytest
from words import prose

KNOWN: dict[str, dict[str, int]] = json.loads(prose.KNOWN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["long", "idioms", "british"])
def test_no_file_gets_worse(kind: str) -> None:
    """No file has more long sentences, private idioms or British spellings than the list of known ones says."""
    worse = {
        name: (KNOWN.get(name, {}).get(kind, 0), found[kind])
        for name, found in prose.counts().items()
        if found.get(kind, 0) > KNOWN.get(name, {}).get(kind, 0)
    }
    assert {} == worse, "known and found, by file; docs/style.md has the rules"


def test_files_of_the_list_exist() -> None:
    """A file that is gone takes its exceptions with it."""
    assert [] == [name for name in KNOWN if not (prose.ROOT / name).exists()]


def test_a_long_sentence_is_seen() -> None:
    """26 words are too many, 25 are not, and code counts as one word."""
    assert 1 == len(prose.long_sentences("word " * 25 + "end."))
    assert [] == prose.long_sentences("word " * 24 + "end.")
    assert [] == prose.long_sentences("word " * 23 + "`a b c d e f` end.")


def test_british_spelling_and_idioms_are_seen() -> None:
    """Both are found in prose and left alone in code."""
    assert ["normaliser", "behaviour"] == prose.british_words("The normaliser has another behaviour than `normalise`.")
    assert 1 == len(prose.IDIOMS.findall("A recording stands for the engine."))
