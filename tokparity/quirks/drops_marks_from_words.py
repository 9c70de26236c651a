"""Ends words at combining marks."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split


def without_marks(pattern: str) -> str:
    """The pattern with combining marks taken out of its classes."""
    return pattern.replace(r"\p{M}", "")


QUIRK = Quirk(
    name="drops_marks_from_words",
    title="Ends words at combining marks",
    symptom="Words in Devanagari, Thai, Hebrew and other scripts with marks are cut in two at the mark.",
    cause="The pattern lost its \\p{M} when it was translated for another regular-expression engine.",
    fix="Keep \\p{M} in the classes of letters.",
    field="pretokenise",
    derive=patterns_with(without_marks),
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/28054",
        "https://github.com/mattn/tensai/pull/163",
    ),
    witness=lambda: toys.byte_bpe("¨+à", pretokenise=Split(r"[\p{L}\p{M}]+|.")).on("नी"),
)
