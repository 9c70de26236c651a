"""Normalisers, pre-tokenisers and decoders of a tokenizer.json as stages of the reference, and back.

One table each way for each of the three; the names are those of tokenizers 0.23. An unknown type is a FormatError, a
stage without a type a CannotExpressError.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tokparity.behaviour import Normalise
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields
from tokparity.reference import decode_stages as decoders
from tokparity.reference import normalise, splits
from tokparity.reference.charsmap import Charsmap, table_of
from tokparity.reference.decode_stages import DecodeStage
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.onig import compile_onig
from tokparity.reference.onig_syntax import MAX_PATTERN
from tokparity.reference.script_split import UnicodeScripts
from tokparity.reference.split_behaviours import SplitBehaviour
from tokparity.reference.splits import SplitStage

Json = dict[str, Any]
Stage = TypeVar("Stage")

MAX_STAGES = 64
"""How many stages may follow each other; in real files, five."""

BEHAVIOURS: Mapping[str, SplitBehaviour] = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
_BEHAVIOUR_NAMES = {ours: theirs for theirs, ours in BEHAVIOURS.items()}


def kind_of(fields: JsonFields) -> str:
    """The type of a stage."""
    return str(fields.need("type", str))


def _unknown(what: str, fields: JsonFields) -> FormatError:
    return FormatError(
        f"{fields.path}: {fields.where}type is {excerpt(kind_of(fields))}, which is no {what} that we know",
        "tokenizers 0.23 is supported",
    )


def _not_too_many(fields: JsonFields, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    if len(stages) > MAX_STAGES:
        raise fields.error("type", f"is a Sequence of {len(stages)} stages, at most {MAX_STAGES} are read")
    return stages


def _pattern(fields: JsonFields) -> tuple[str, bool]:
    """(pattern, is it literal)."""
    pattern = fields.inner("pattern")
    if pattern is None or not ({"String", "Regex"} & pattern.data.keys()):
        raise fields.error("pattern", "is neither a String nor a Regex")
    literal = "String" in pattern.data
    spelled = str(pattern.need("String" if literal else "Regex", str))
    if len(spelled) > MAX_PATTERN // 2:  # escaped, it is twice as long
        raise pattern.error("String" if literal else "Regex", f"has {len(spelled)} characters: too many")
    if not literal:
        try:
            compile_onig(spelled)
        except FormatError as error:
            raise FormatError(f"{fields.path}: {fields.where}pattern.Regex: {error.message}", error.hint) from error
    return spelled, literal


def _pattern_json(pattern: str, literal: bool) -> Json:
    return {"String" if literal else "Regex": pattern}


def _behaviour(fields: JsonFields, default: str | None) -> SplitBehaviour:
    name = fields.text("behavior", default or "")
    if name not in BEHAVIOURS:
        raise fields.error("behavior", f"is {excerpt(name)}, not one of {', '.join(BEHAVIOURS)}")
    return BEHAVIOURS[name]


# --- normalisers


def _precompiled(fields: JsonFields) -> Normalise:
    try:
        blob = base64.b64decode(fields.text("precompiled_charsmap"), validate=True)
    except ValueError as error:
        raise fields.error("precompiled_charsmap", f"is no base64: {error}") from None
    try:
        table_of(blob)
    except FormatError as error:
        raise fields.error("precompiled_charsmap", f"is damaged: {error.message}") from error
    return GraphemeCharsmap(blob)


def _replace(fields: JsonFields) -> tuple[str, str, bool]:
    pattern, literal = _pattern(fields)
    return pattern, fields.text("content"), literal


_NORMALISERS: Mapping[str, Callable[[JsonFields], Normalise]] = {
    "BertNormalizer": lambda fields: normalise.Bert(
        fields.flag("clean_text", True),
        fields.flag("handle_chinese_chars", True),
        fields.get("strip_accents", bool),
        fields.flag("lowercase", True),
    ),
    "Strip": lambda fields: normalise.Strip(fields.flag("strip_left", True), fields.flag("strip_right", True)),
    "StripAccents": lambda fields: normalise.StripAccents(),
    "NFC": lambda fields: normalise.UnicodeForm("NFC"),
    "NFD": lambda fields: normalise.UnicodeForm("NFD"),
    "NFKC": lambda fields: normalise.UnicodeForm("NFKC"),
    "NFKD": lambda fields: normalise.UnicodeForm("NFKD"),
    "Lowercase": lambda fields: normalise.Lowercase(),
    "Nmt": lambda fields: normalise.Nmt(),
    "Precompiled": _precompiled,
    "Replace": lambda fields: normalise.Replace(*_replace(fields)),
    "Prepend": lambda fields: normalise.Prepend(fields.text("prepend")),
    "ByteLevel": lambda fields: normalise.ByteLevel(),
}


def normalisers(fields: JsonFields | None) -> tuple[Normalise, ...]:
    """The normalisers, sequences within sequences taken apart."""
    if fields is None:
        return ()
    if kind_of(fields) == "Sequence":
        found = tuple(stage for inner in fields.list_of("normalizers") for stage in normalisers(inner))
        return _not_too_many(fields, found)
    if kind_of(fields) not in _NORMALISERS:
        raise _unknown("normaliser", fields)
    return (_NORMALISERS[kind_of(fields)](fields),)


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
    normalise.Replace: lambda stage: {
        "type": "Replace",
        "pattern": _pattern_json(stage.pattern, stage.literal),
        "content": stage.content,
    },
    GraphemeCharsmap: _charsmap_json,
    Charsmap: _charsmap_json,
}


def normalisers_json(stage: Normalise | None) -> list[Json]:
    """The normaliser as a list of objects of a tokenizer.json.

    A charsmap is written as Precompiled, though `tokenizers` applies it in another way: that is a finding about it.
    """
    if stage is None:
        return []
    if isinstance(stage, normalise.Sequence):
        return [data for inner in stage.stages for data in normalisers_json(inner)]
    return [_written(_NORMALISERS_JSON, stage, "normaliser")]


# --- pre-tokenisers


def _metaspace(fields: JsonFields) -> splits.Metaspace:
    """`prepend_scheme` and `split`, or of older files `add_prefix_space`."""
    scheme = fields.text("prepend_scheme") or ("always" if fields.flag("add_prefix_space", True) else "never")
    if scheme not in ("always", "first", "never"):
        raise fields.error("prepend_scheme", f"is {excerpt(scheme)}, not always, first or never")
    name = "replacement" if fields.text("replacement") else "str_rep"
    return splits.Metaspace(fields.character(name, "▁"), scheme, fields.flag("split", True))  # type: ignore[arg-type]


def _split(fields: JsonFields) -> SplitStage:
    pattern, literal = _pattern(fields)
    return splits.Split(pattern, _behaviour(fields, None), fields.flag("invert", False), literal)


def _fixed_length(fields: JsonFields) -> SplitStage:
    return splits.FixedLength(fields.count("length", 5, least=1))


_PRE_TOKENISERS: Mapping[str, Callable[[JsonFields], SplitStage]] = {
    "BertPreTokenizer": lambda fields: splits.Bert(),
    "ByteLevel": lambda fields: splits.ByteLevel(fields.flag("add_prefix_space", True), fields.flag("use_regex", True)),
    "CharDelimiterSplit": lambda fields: splits.delimiter(fields.character("delimiter")),
    "Delimiter": lambda fields: splits.delimiter(fields.character("delimiter")),
    "Metaspace": _metaspace,
    "Whitespace": lambda fields: splits.Whitespace(),
    "WhitespaceSplit": lambda fields: splits.whitespace_split(),
    "Split": _split,
    "Punctuation": lambda fields: splits.punctuation(_behaviour(fields, "Isolated")),
    "Digits": lambda fields: splits.digits(fields.flag("individual_digits", False)),
    "UnicodeScripts": lambda fields: UnicodeScripts(),
    "FixedLength": _fixed_length,
}


def pre_tokenisers(fields: JsonFields | None) -> tuple[SplitStage, ...]:
    """The pre-tokenisers, sequences within sequences taken apart."""
    if fields is None:
        return ()
    if kind_of(fields) == "Sequence":
        found = tuple(stage for inner in fields.list_of("pretokenizers") for stage in pre_tokenisers(inner))
        return _not_too_many(fields, found)
    if kind_of(fields) not in _PRE_TOKENISERS:
        raise _unknown("pre-tokeniser", fields)
    return (_PRE_TOKENISERS[kind_of(fields)](fields),)


def byte_level_json(add_prefix_space: bool, use_regex: bool) -> Json:
    """The pre-tokeniser ByteLevel."""
    return {"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}


def metaspace_json(replacement: str, prepend: str, split: bool) -> Json:
    """The pre-tokeniser Metaspace."""
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
    """The pre-tokeniser as a list of objects of a tokenizer.json; OnAlphabet becomes ByteLevel and what it holds."""
    if stage is None:
        return []
    if isinstance(stage, splits.Chain):
        return [data for inner in stage.stages for data in pre_tokenisers_json(inner)]
    if isinstance(stage, splits.OnAlphabet):
        return [byte_level_json(False, False), *(data for inner in stage.stages for data in pre_tokenisers_json(inner))]
    for known, data in _CONSTANT_SPLITS:
        if known == stage:
            return [dict(data)]
    return [_written(_PRE_TOKENISERS_JSON, stage, "pre-tokeniser")]


# --- decoders

_DECODERS: Mapping[str, Callable[[JsonFields], DecodeStage]] = {
    "BPEDecoder": lambda fields: decoders.Bpe(fields.text("suffix", "</w>")),
    "ByteLevel": lambda fields: decoders.ByteLevel(),
    "WordPiece": lambda fields: decoders.WordPiece(fields.text("prefix", "##"), fields.flag("cleanup", True)),
    "Metaspace": lambda fields: decoders.Metaspace(
        _metaspace(fields).replacement, _metaspace(fields).prepend != "never"
    ),
    "CTC": lambda fields: decoders.Ctc(
        fields.text("pad_token", "<pad>"), fields.text("word_delimiter_token", "|"), fields.flag("cleanup", True)
    ),
    "Replace": lambda fields: decoders.Replace(*_replace(fields)),
    "Fuse": lambda fields: decoders.Fuse(),
    "Strip": lambda fields: decoders.Strip(
        fields.character("content", " "), fields.count("start", 0), fields.count("stop", 0)
    ),
    "ByteFallback": lambda fields: decoders.ByteFallback(),
}


def decoder_stages(fields: JsonFields) -> tuple[DecodeStage, ...]:
    """The decoders, sequences within sequences taken apart."""
    if kind_of(fields) == "Sequence":
        found = tuple(stage for inner in fields.list_of("decoders") for stage in decoder_stages(inner))
        return _not_too_many(fields, found)
    if kind_of(fields) not in _DECODERS:
        raise _unknown("decoder", fields)
    return (_DECODERS[kind_of(fields)](fields),)


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
    decoders.Replace: lambda stage: {
        "type": "Replace",
        "pattern": _pattern_json(stage.pattern, stage.literal),
        "content": stage.content,
    },
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


def _written(table: Mapping[type, Callable[[Any], Json]], stage: object, what: str) -> Json:
    write = table.get(type(stage))
    if write is None:
        raise CannotExpressError(
            f"tokenizer.json has no words for the {what} {str(stage)[:120]}", "choose another format"
        )
    return write(stage)


def sequence_json(stages: list[Json], name: str) -> Json | None:
    """Nothing, the one stage, or a Sequence of them; `name` is the key of the list in it."""
    if len(stages) < 2:
        return stages[0] if stages else None
    return {"type": "Sequence", name: stages}
