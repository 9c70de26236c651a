"""Adds no BOS where the text itself begins with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Wrap
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class OnceOnly:
    """Wraps as before, but without a prefix that is there already."""

    inner: Wrap

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
        prefix = behaviour.prefix_ids
        if prefix and tuple(ids[: len(prefix)]) == prefix:
            behaviour = replace(behaviour, prefix_ids=())
        return self.inner(vocabulary, behaviour, ids)


QUIRK = Quirk(
    name="skips_bos_if_present",
    title="Adds no BOS where the text itself begins with it",
    symptom="A text that spells BOS gets one of them, where the model's own tokenizer writes two.",
    cause="BOS is left out if the first id is BOS already.",
    fix="Decide on purpose, and in one place: most tokenizers add BOS whatever the text is.",
    field="wrap",
    derive=lambda behaviour: OnceOnly(behaviour.wrap) if behaviour.wrap else None,
    links=("https://github.com/ggml-org/llama.cpp/pull/7107",),
    witness=lambda: toys.spm("a b").on("<s>ab", add_special=True, parse_special=True),
)
