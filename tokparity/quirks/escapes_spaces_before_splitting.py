"""Escapes spaces before the text is split."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.quirk import Quirk
from tokparity.quirks import toys


def split_before_spaces(text: str, at_start: bool) -> Sequence[str]:
    """A pre-tokeniser for the witness: a word begins at each space."""
    first, *rest = text.split(" ")
    return [first, *(" " + word for word in rest)] if first else [" " + word for word in rest]


QUIRK = Quirk(
    name="escapes_spaces_before_splitting",
    title="Escapes spaces before the text is split",
    symptom="The pre-tokeniser, which looks for spaces, finds none: words are cut at other places.",
    cause="Spaces become ▁ before the regular expression sees the text.",
    fix="Split first, then escape, where the model has Metaspace behind a Split.",
    field="escape_order",
    value="before_split",
    links=("https://github.com/ggml-org/llama.cpp/pull/28845",),
    witness=lambda: toys.bpe(
        "a▁", "a+▁ ▁+a", space_marker="▁", escape_order="after_split", pretokenise=split_before_spaces
    ).on("a a"),
)
