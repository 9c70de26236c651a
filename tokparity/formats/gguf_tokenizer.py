"""What the keys of a GGUF file say about its tokenizer: Vocabulary and `Behaviour`.

The behavior is that of the tokenizer the model was trained with (SentencePiece for `llama` and `t5`, Hugging Face BPE
for `gpt2` and `gemma4`, BERT's WordPiece for `bert`), with the flags of the file. Where llama.cpp itself does something
else, that is a quirk of llama.cpp. Defaults for absent keys are llama.cpp's, because files were written with them in
mind. Source: llama.cpp, `src/llama-vocab.cpp` (load) and `gguf-py/gguf/constants.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokparity.behaviour import MARKER, Behaviour
from tokparity.errors import FormatError, TokparityError
from tokparity.formats.charsmap_blob import charsmap_of
from tokparity.formats.excerpt import excerpt
from tokparity.formats.gguf_keys import BROKEN, PREFIX, Keys
from tokparity.formats.gguf_shards import Shards
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS, id_without_key, vocabulary_of
from tokparity.formats.sentencepiece_model import REBASE_BELOW
from tokparity.reference import normalise, pretokenisers, splits
from tokparity.reference.bpe import bpe
from tokparity.reference.decode import DecodePieces, decode_byte_level_text, decode_pieces, decode_wordpiece
from tokparity.reference.merging import merge_nothing
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.spm import spm
from tokparity.reference.text import keep_bytes, replace_each_byte
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Kind, Vocabulary


def _without_tokenizer(keys: Keys) -> FormatError:
    shards = Shards.of(keys.path, keys.values)
    if shards is None or shards.number == 1:
        return FormatError(f"{keys.path}: there is no tokenizer in it", f"it needs {PREFIX}model and {PREFIX}tokens")
    told = f"{keys.path}: there is no tokenizer in it: it is shard {shards.number} of {shards.count}"
    return FormatError(told, f"give {shards.first}, which has the tokenizer")


def tokenizer_of(keys: Keys) -> tuple[Vocabulary, Behaviour]:
    """The tokenizer that the keys describe; FormatError for what is not a tokenizer or one that we don't know."""
    model = keys.text("model")
    if not model or not keys.strings("tokens"):
        raise _without_tokenizer(keys)
    if model not in _BEHAVIOURS:
        raise FormatError(
            f"{keys.path}: {PREFIX}model {excerpt(model)} is not supported", f"supported: {', '.join(_BEHAVIOURS)}"
        )
    vocabulary = vocabulary_of(keys)
    return vocabulary, behaviour_of(keys, vocabulary)


def behaviour_of(keys: Keys, vocabulary: Vocabulary) -> Behaviour:
    """How a tokenizer with these keys and this vocabulary behaves."""
    return _BEHAVIOURS[keys.text("model")](keys, vocabulary)


def _ids(vocabulary: Vocabulary, name: str, wanted: bool, unnamed: int | None = None) -> tuple[int, ...]:
    """The special id of this name as a tuple of one, else the one that is taken for it, or none."""
    i = vocabulary.special.get(name, unnamed)
    return (i,) if wanted and i is not None and i < len(vocabulary) else ()


def _sentencepiece_fields(keys: Keys, vocabulary: Vocabulary, prefix: bool, eos: bool) -> dict[str, Any]:
    """The fields that the two kinds of SentencePiece models have in common."""
    charsmap = charsmap_of(keys.path, keys.blob("precompiled_charsmap"), vocabulary)
    space_prefix = keys.flag("add_space_prefix", prefix)
    collapse = keys.flag("remove_extra_whitespaces", False)
    return {
        "decode": decode_pieces,
        "decode_text": keep_bytes if charsmap else replace_each_byte,
        "match_added": leftmost_longest,
        "normalise": charsmap,
        "collapse_spaces": collapse,
        "space_prefix": "always" if space_prefix else "never",
        "prefixes_nothing": True,
        "space_marker": MARKER,
        "fallback": "bytes" if Kind.BYTE in vocabulary.kinds else "unknown",
        "fuse_unknown": True,
        "score_bits": 32,
        "user_defined_score": "length",
        "wrap": wrap_once,
        "prefix_ids": _ids(vocabulary, "bos", keys.flag("add_bos_token", not eos)),
        "suffix_ids": _ids(vocabulary, "eos", keys.flag("add_eos_token", eos)),
        "strip_decoded_prefix": space_prefix or collapse,
    }


def _need_scores(keys: Keys, vocabulary: Vocabulary) -> None:
    if not vocabulary.scores:
        raise FormatError(
            f"{keys.path}: {PREFIX}scores is missing", f"a {keys.text('model')} tokenizer needs it: {BROKEN}"
        )


def _llama(keys: Keys, vocabulary: Vocabulary) -> Behaviour:
    _need_scores(keys, vocabulary)
    fields = _sentencepiece_fields(keys, vocabulary, prefix=True, eos=False)
    return Behaviour(segment=spm, unused_pieces="resegment", **fields)


def _t5(keys: Keys, vocabulary: Vocabulary) -> Behaviour:
    _need_scores(keys, vocabulary)
    fields = _sentencepiece_fields(keys, vocabulary, prefix=False, eos=True)
    return Behaviour(segment=ugm, rebase_below=REBASE_BELOW, **fields)


def _bpe(keys: Keys, vocabulary: Vocabulary) -> Behaviour:
    """Hugging Face BPE: over GPT-2's byte alphabet, or (Gemma 4's kind) over plain characters with ▁ for the space."""
    pre = "gemma4" if keys.text("model") == "gemma4" else keys.text("pre") or "default"
    try:
        record = pretokenisers.by_name(pre)
    except TokparityError as error:
        raise FormatError(f"{keys.path}: {PREFIX}pre: {error.message}", error.hint) from error
    adds_bos = record.add_bos or record.names[0] == "gemma4"
    unnamed = id_without_key(keys.text("model"), "bos")
    common: dict[str, Any] = {
        "segment": bpe,
        "merge": None if vocabulary.merges else merge_nothing,
        "decode_text": replace_each_byte,
        "match_added": leftmost_longest,
        "normalise": normalise.UnicodeForm("NFC") if record.nfc else None,
        "pretokenise": record.stage,
        "ignore_merges": record.ignore_merges,
        "wrap": wrap_once,
        "prefix_ids": _ids(vocabulary, "bos", keys.flag("add_bos_token", adds_bos), unnamed),
        "suffix_ids": _ids(vocabulary, "eos", keys.flag("add_eos_token", False), unnamed),
    }
    if record.byte_level:
        # A byte without a piece is left out: Hugging Face has no unknown token here.
        return Behaviour(decode=decode_byte_level_text, byte_level=True, fallback="drop", **common)
    return Behaviour(
        decode=DecodePieces(invalid_bytes="run_replaced"),
        space_marker=record.space_marker,
        fallback="bytes" if Kind.BYTE in vocabulary.kinds else "unknown",
        fuse_unknown=True,
        **common,
    )


def _bert(keys: Keys, vocabulary: Vocabulary) -> Behaviour:
    lowercase = keys.flag("normalizer.lowercase", True)
    strip_accents = keys.flag("normalizer.strip_accents", lowercase)
    named = PREFIX + SPECIAL_KEYS["bos"] in keys.values or "cls" not in vocabulary.special
    first = "bos" if named else "cls"
    return Behaviour(
        segment=wpm,
        decode=decode_wordpiece,
        decode_text=replace_each_byte,
        match_added=leftmost_longest,
        normalise=normalise.Bert(
            clean_text=True, handle_chinese_chars=True, strip_accents=strip_accents, lowercase=lowercase
        ),
        pretokenise=splits.Bert(),
        fallback="unknown",
        word_prefix=MARKER,
        max_word_chars=100,
        wrap=wrap_once,
        # llama.cpp asks neither add_bos_token nor add_sep_token (which is about a second separator, between two texts).
        prefix_ids=_ids(vocabulary, first, True),
        suffix_ids=_ids(vocabulary, "sep", True),
        clean_up=True,
    )


_BEHAVIOURS: Mapping[str, Callable[[Keys, Vocabulary], Behaviour]] = {
    "llama": _llama,
    "gpt2": _bpe,
    "t5": _t5,
    "bert": _bert,
    "gemma4": _bpe,
}
