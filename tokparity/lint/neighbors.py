"""The other tokenizer files in the folder of a file. Libraries open one or another, so these should say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tokparity import formats
from tokparity.errors import TokparityError
from tokparity.formats import Source
from tokparity.lint.shortest_texts import Proof, other_ids
from tokparity.reference.tokenizer import Tokenizer


def neighbors(source: Source) -> list[Path]:
    """The tokenizer files of other kinds in the source's folder."""
    return [path for path in formats.all_in(source.path.parent) if not path.samefile(source.path)]


def contradicting(source: Source) -> Iterator[tuple[Path, Proof]]:
    """Yield each neighbor with other ids, with the text that shows it and the ids: the source's, then the neighbor's.

    A GGUF is left out: it is made of a source, and is none. What stands around a text is left out as well, because
    some formats do not say it. A neighbor that cannot be read contradicts nothing: who names it is told why.
    """
    ours = Tokenizer(source.vocabulary, source.behaviour)
    prefix, suffix = source.behaviour.prefix_ids, source.behaviour.suffix_ids
    for path in neighbors(source):
        try:
            other = formats.read(path)
        except TokparityError:
            continue
        if other.format == "gguf":
            continue
        proof = other_ids(
            ours, Tokenizer(other.vocabulary, replace(other.behaviour, prefix_ids=prefix, suffix_ids=suffix))
        )
        if proof is not None:
            yield path, proof
