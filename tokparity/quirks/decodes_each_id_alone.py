"""Decodes each id on its own and joins the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class EachAlone:
    """Decodes as before, but one id at a time, each to a text of its own."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        texts = (self.inner(vocabulary, behaviour, [i]).decode("utf-8", "replace") for i in ids)
        return "".join(texts).encode()


QUIRK = Quirk(
    name="decodes_each_id_alone",
    title="Decodes each id on its own and joins the texts",
    symptom=(
        "Characters that are spread over several tokens (emoji, Chinese) become U+FFFD; spaces between words are lost."
    ),
    cause=(
        "A streaming decoder turns each id into text as it comes, with what decoding does at the start and the end of "
        "a text."
    ),
    fix="Keep bytes until they are whole characters, and decode with the ids that came before.",
    field="decode",
    derive=lambda behaviour: EachAlone(behaviour.decode),
    links=(
        "https://github.com/huggingface/transformers/issues/22710",
        "https://github.com/ggml-org/llama.cpp/pull/5935",
    ),
    witness=lambda: toys.byte_bpe("Ġ+a").on("é"),
)
