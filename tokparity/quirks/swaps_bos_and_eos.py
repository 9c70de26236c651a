"""Puts EOS where BOS belongs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Wrap
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class Swapped:
    """Wraps as before, with each BOS and EOS taken for the other."""

    inner: Wrap

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
        bos, eos = vocabulary.special.get("bos"), vocabulary.special.get("eos")
        if bos is None or eos is None:
            return self.inner(vocabulary, behaviour, ids)
        other = {bos: eos, eos: bos}
        prefix = tuple(other.get(i, i) for i in behaviour.prefix_ids)
        suffix = tuple(other.get(i, i) for i in behaviour.suffix_ids)
        return self.inner(vocabulary, replace(behaviour, prefix_ids=prefix, suffix_ids=suffix), ids)


QUIRK = Quirk(
    name="swaps_bos_and_eos",
    title="Puts EOS where BOS belongs",
    symptom="Every text begins with the end-of-sequence id.",
    cause="The ids of BOS and EOS are mixed up, or BOS is missing in the file and EOS is taken for it.",
    fix="Write bos_token_id and eos_token_id from the model's configuration.",
    field="wrap",
    derive=lambda behaviour: Swapped(behaviour.wrap) if behaviour.wrap else None,
    witness=lambda: toys.spm("a b").on("ab", add_special=True),
)
