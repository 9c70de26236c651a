"""Normalizers, pre-tokenizers and decoders of the reference as objects of a tokenizer.json.

One table for each of the three; `tokenizer_json_stages` reads what is written here. A stage without a type is a
CannotExpressError.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.errors import CannotExpressError
from tokparity.formats.tokenizer_json_stages import BEHAVIOURS, Json
from tokparity.reference import decode_stages as decoders
from tokparity.reference import normalise, splits
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.decode import HuggingFaceDecode
from tokparity.reference.decode_stages import DecodeStage
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.script_split import UnicodeScripts

_BEHAVIOUR_NAMES = {ours: theirs for theirs, ours in BEHAVIOURS.items()}


def _written(table: Mapping[type, Callable[[Any], Json]], stage: object, what: str) -> Json:
    write = table.get(type(stage))
    if write is None:
        raise CannotExpressError(
            f"tokenizer.json cannot express the {what} {str(stage)[:120]}", "choose another format"
        )
    return write(stage)


def sequence_json(stages: list[Json], name: str) -> Json | None:
    """Nothing, the one stage, or a Sequence of them; `name` is the key of the list in it."""
    if len(stages) < 2:
        return stages[0] if stages else None
    return {"type": "Sequence", name: stages}


def _pattern_json(pattern: str, literal: bool) -> Json:
    return {"String" if literal else "Regex": pattern}


def _replace_json(stage: Any) -> Json:
    return {"type": "Replace", "pattern": _pattern_json(stage.pattern, stage.literal), "content": stage.content}


# --- normalizers


def _charsmap_json(stage: Any) -> Json:
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(stage.blob).decode()}


_NORMALISERS_JSON: Mapping[type, Callable[[Any], Json]] = {
    normalise.Bert: lambda stage: {
        "type": "BertNormalizer",
        "clean_text": stage.clean_text,
        "handle_chinese_chars": stage.handle_chinese_chars,
        "strip_accents": stage.strip_accents,
        "lowercase": stage.lowercase,
    },
    normalise.Strip: lambda stage: {"type": "Strip", "strip_left": stage.left, "strip_right": stage.right},
    normalise.StripAccents: lambda stage: {"type": "StripAccents"},
    normalise.UnicodeForm: lambda stage: {"type": stage.form},
    normalise.Lowercase: lambda stage: {"type": "Lowercase"},
    normalise.Nmt: lambda stage: {"type": "Nmt"},
    normalise.ByteLevel: lambda stage: {"type": "ByteLevel"},
    normalise.Prepend: lambda stage: {"type": "Prepend", "prepend": stage.prefix},
    normalise.Replace: _replace_json,
    GraphemeCharsmap: _charsmap_json,
    Charsmap: _charsmap_json,
}


def normalisers_json(stage: Normalise | None) -> list[Json]:
    """The normalizer as a list of objects of a tokenizer.json.

    A charsmap is written as Precompiled, though `tokenizers` applies it in another way: that is a finding about it.
    """
    if stage is None:
        return []
    if isinstance(stage, normalise.Sequence):
        return [data for inner in stage.stages for data in normalisers_json(inner)]
    return [_written(_NORMALISERS_JSON, stage, "normalizer")]


# --- pre-tokenizers


def byte_level_json(add_prefix_space: bool, use_regex: bool) -> Json:
    """The pre-tokenizer ByteLevel."""
    return {"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}


def metaspace_json(replacement: str, prepend: str, split: bool) -> Json:
    """Return the JSON of the pre-tokenizer Metaspace."""
    return {"type": "Metaspace", "replacement": replacement, "prepend_scheme": prepend, "split": split}


_CONSTANT_SPLITS: tuple[tuple[object, Json], ...] = (
    (splits.whitespace_split(), {"type": "WhitespaceSplit"}),
    (splits.digits(True), {"type": "Digits", "individual_digits": True}),
    (splits.digits(False), {"type": "Digits", "individual_digits": False}),
    (splits.Bert(), {"type": "BertPreTokenizer"}),
    (splits.Whitespace(), {"type": "Whitespace"}),
    (UnicodeScripts(), {"type": "UnicodeScripts"}),
    *(
        (splits.punctuation(ours), {"type": "Punctuation", "behavior": theirs})
        for ours, theirs in _BEHAVIOUR_NAMES.items()
    ),
)
_PRE_TOKENISERS_JSON: Mapping[type, Callable[[Any], Json]] = {
    splits.Split: lambda stage: {
        "type": "Split",
        "pattern": _pattern_json(stage.pattern, stage.literal),
        "behavior": _BEHAVIOUR_NAMES[stage.behaviour],
        "invert": stage.invert,
    },
    splits.Metaspace: lambda stage: metaspace_json(stage.replacement, stage.prepend, stage.splits),
    splits.ByteLevel: lambda stage: byte_level_json(stage.add_prefix_space, stage.use_regex),
    splits.FixedLength: lambda stage: {"type": "FixedLength", "length": stage.length},
}


def pre_tokenisers_json(stage: object) -> list[Json]:
    """The pre-tokenizer as a list of objects of a tokenizer.json; OnAlphabet becomes ByteLevel and what it holds."""
    if stage is None:
        return []
    if isinstance(stage, splits.Chain):
        return [data for inner in stage.stages for data in pre_tokenisers_json(inner)]
    if isinstance(stage, splits.OnAlphabet):
        return [byte_level_json(False, False), *(data for inner in stage.stages for data in pre_tokenisers_json(inner))]
    for known, data in _CONSTANT_SPLITS:
        if known == stage:
            return [dict(data)]
    return [_written(_PRE_TOKENISERS_JSON, stage, "pre-tokenizer")]


def stage_json(stage: Any) -> str:
    """A normalizer, pre-tokenizer or decoder as tokenizer.json spells it, without a charsmap's table; empty for all
    else."""
    if isinstance(stage, HuggingFaceDecode):
        found = [decoder_json(one) for one in stage.stages or ()]
        return json.dumps(sequence_json(found, "decoders") if found else None, ensure_ascii=False)
    stages = [inner for one in getattr(stage, "stages", (stage,)) for inner in getattr(one, "stages", (one,))]
    if stage is None or any(isinstance(one, (Charsmap, GraphemeCharsmap)) for one in stages):
        return ""
    for written, name in ((pre_tokenisers_json, "pretokenizers"), (normalisers_json, "normalizers")):
        with suppress(CannotExpressError):
            return json.dumps(sequence_json(written(stage), name), ensure_ascii=False)
    return ""


# --- decoders

_DECODERS_JSON: Mapping[type, Callable[[Any], Json]] = {
    decoders.Bpe: lambda stage: {"type": "BPEDecoder", "suffix": stage.suffix},
    decoders.ByteLevel: lambda stage: byte_level_json(False, True),
    decoders.WordPiece: lambda stage: {"type": "WordPiece", "prefix": stage.prefix, "cleanup": stage.cleanup},
    decoders.Metaspace: lambda stage: metaspace_json(stage.replacement, "always" if stage.prepended else "never", True),
    decoders.Ctc: lambda stage: {
        "type": "CTC",
        "pad_token": stage.pad_token,
        "word_delimiter_token": stage.word_delimiter,
        "cleanup": stage.cleanup,
    },
    decoders.Replace: _replace_json,
    decoders.Fuse: lambda stage: {"type": "Fuse"},
    decoders.Strip: lambda stage: {
        "type": "Strip",
        "content": stage.character,
        "start": stage.start,
        "stop": stage.stop,
    },
    decoders.ByteFallback: lambda stage: {"type": "ByteFallback"},
}


def decoder_json(stage: DecodeStage) -> Json:
    """One decoder as an object of a tokenizer.json."""
    return _written(_DECODERS_JSON, stage, "decoder")
