"""Added tokens that llama.cpp's converter, or llama.cpp itself, makes CONTROL because of their names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tokparity.formats import Source
from tokparity.quirks.marks_tokens_special_by_name import kinds_by_name
from tokparity.vocabulary import Kind, Vocabulary

MADE_CONTROL = "tokenizer.ggml.token_type makes {names} CONTROL because of the name, as llama.cpp's converter does"


def looks_special(content: str) -> bool:
    """Whether llama.cpp's converter writes an added token as CONTROL because of its name, special or not.

    Source: llama.cpp, `convert_hf_to_gguf.py` (does_token_look_special); its examples are command-r and deepseek-coder.
    """
    named = content in ("<pad>", "<mask>", "<2mass>", "[@BOS@]")
    bars = content.startswith(("<|", "<｜")) and content.endswith(("|>", "｜>"))
    return named or bars or (content.startswith("<unused") and content.endswith(">"))


def control_by_name(vocabulary: Vocabulary, kinds: Sequence[int]) -> set[int]:
    """The added tokens that are not special in the vocabulary, and are CONTROL among these kinds because of a name."""
    named = kinds_by_name(vocabulary)
    plain = [token for token in vocabulary.added if not token.special]
    ids = {token.id for token in plain if named.get(token.id) is Kind.CONTROL or looks_special(token.content)}
    return {i for i in ids if i < len(kinds) and kinds[i] == Kind.CONTROL}


def with_control(vocabulary: Vocabulary, ids: Collection[int]) -> Vocabulary:
    """The vocabulary with these added tokens as special ones."""
    if not ids:
        return vocabulary
    added = tuple(replace(token, special=token.special or token.id in ids) for token in vocabulary.added)
    kinds = tuple(Kind.CONTROL if i in ids else kind for i, kind in enumerate(vocabulary.kinds))
    return replace(vocabulary, added=added, kinds=kinds)


def granted(source: Source, file: Source) -> Source:
    """The source with the added tokens special that the file, which is read already, has so because of their names."""
    ids = control_by_name(source.vocabulary, file.vocabulary.kinds)
    return replace(source, vocabulary=with_control(source.vocabulary, ids)) if ids else source
