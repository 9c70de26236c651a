"""Strips white space from both ends of decoded text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class Stripped:
    """Decodes as before and takes white space away from both ends."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        return self.inner(vocabulary, behaviour, ids).strip()


QUIRK = Quirk(
    name="strips_decoded_text",
    title="Strips white space from both ends of decoded text",
    symptom="Answers lose the line end that they finish with; text that is decoded in parts runs together.",
    cause="The caller strips what the tokenizer gives, or the detokenizer does so itself.",
    fix="Return the text as it is; strip only what is shown to a person, when it is complete.",
    field="decode",
    derive=lambda behaviour: Stripped(behaviour.decode),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\n"),
)
