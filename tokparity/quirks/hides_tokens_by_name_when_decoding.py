"""Leaves tokens out of decoded text because of their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.marks_tokens_special_by_name import special_by_name
from tokparity.vocabulary import AddedToken, Vocabulary


@dataclass(frozen=True)
class WithoutNamed:
    """Decodes as before; where special tokens are left out, those that only have the name of one are as well."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        hidden = special_by_name(vocabulary) if behaviour.skip_special else frozenset()
        return self.inner(vocabulary, behaviour, [i for i in ids if i not in hidden])


QUIRK = Quirk(
    name="hides_tokens_by_name_when_decoding",
    title="Leaves tokens out of decoded text because of their names",
    symptom=(
        "A token that the model's file does not call special (</s>, a fill-in-the-middle marker, <|tool_response>) is "
        "missing in the decoded text."
    ),
    cause=(
        "Tokens that end a generation are found by a list of names, their kind is overridden to control, and control "
        "tokens are left out of the text."
    ),
    fix="Obey the kinds in the file; or ask for special tokens to be shown.",
    field="decode",
    derive=lambda behaviour: WithoutNamed(behaviour.decode),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/23183",
        "https://github.com/ggml-org/llama.cpp/issues/9606",
        "https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
    ),
    witness=lambda: toys.bpe(
        "a", "", more="<EOT>", added=(AddedToken(4, "<EOT>", special=False),), skip_special=True
    ).on("a<EOT>"),
)
