"""Leaves the space prefix in decoded text where the ids begin with a special token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind, Vocabulary


@dataclass(frozen=True)
class AfterSpecial:
    """Decodes as before, but takes no space away behind a token that is itself left out."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        if ids and _is_special(vocabulary, ids[0]):
            behaviour = replace(behaviour, strip_decoded_prefix=False)
        return self.inner(vocabulary, behaviour, ids)


def _is_special(vocabulary: Vocabulary, i: int) -> bool:
    kinds = Kind.CONTROL, Kind.UNKNOWN
    return i in vocabulary.special_added or (0 <= i < len(vocabulary) and vocabulary.kinds[i] in kinds)


QUIRK = Quirk(
    name="keeps_decoded_prefix_after_specials",
    title="Leaves the space prefix in decoded text where the ids begin with a special token",
    symptom="Decoded text begins with a space that the input did not have, but only if BOS (or the like) stands first.",
    cause=(
        "The first id decides whether a space is taken away from the start of the text. With a special token before "
        "it, the first piece of the text no longer counts as the first."
    ),
    fix="Leave special tokens out first, then remove one space from the start of the decoded text.",
    field="decode",
    derive=lambda behaviour: AfterSpecial(behaviour.decode),
    links=("https://github.com/ggml-org/llama.cpp/pull/24008",),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", strip_decoded_prefix=True, skip_special=True).on(
        "a", add_special=True
    ),
)
