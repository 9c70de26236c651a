"""Leaves the space prefix in decoded text where the ids begin with BOS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class AfterBos:
    """Decodes as before, but takes no space away behind what goes before a text."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        if ids and ids[0] in (vocabulary.special.get("bos"), *behaviour.prefix_ids):
            behaviour = replace(behaviour, strip_decoded_prefix=False)
        return self.inner(vocabulary, behaviour, ids)


QUIRK = Quirk(
    name="keeps_decoded_prefix_after_bos",
    title="Leaves the space prefix in decoded text where the ids begin with BOS",
    symptom="Decoded text begins with a space that the input did not have, but only if BOS was added.",
    cause=(
        "The first id decides whether a space is taken away from the start of the text. With BOS before it, the first "
        "piece of the text no longer counts as the first."
    ),
    fix="Leave special tokens out first, then remove one space from the start of the decoded text.",
    field="decode",
    derive=lambda behaviour: AfterBos(behaviour.decode),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", strip_decoded_prefix=True, skip_special=True).on(
        "a", add_special=True
    ),
)
