"""Looks for the pattern itself in the text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import splits_with
from tokparity.reference.splits import GPT2, Split


def as_literal(split: Split) -> Split:
    """The stage, looking for its pattern as a string."""
    return replace(split, literal=True)


QUIRK = Quirk(
    name="takes_pattern_literally",
    title="Looks for the pattern itself in the text",
    symptom="The text is not split at all, unless somebody writes the regular expression into it.",
    cause="The pattern of a Split is taken for a literal string, or was written as one when the tokenizer was trained.",
    fix="Read pattern.Regex as a regular expression and pattern.String as a literal.",
    field="pretokenise",
    derive=splits_with(as_literal),
    links=("https://github.com/ggml-org/llama.cpp/pull/29211",),
    witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
)
