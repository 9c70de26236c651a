"""Normalizers, pre-tokenizers and decoders of a tokenizer.json as stages of the reference.

One table for each of the three; the names are those of tokenizers 0.23. An unknown type is a FormatError.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tokparity.behaviour import Normalise
from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields
from tokparity.reference import decode_stages as decoders
from tokparity.reference import normalise, splits
from tokparity.reference.charsmap import table_of
from tokparity.reference.decode_stages import DecodeStage
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.onig import compile_onig
from tokparity.reference.onig_limits import MAX_PATTERN
from tokparity.reference.script_split import UnicodeScripts
from tokparity.reference.split_behaviours import SplitBehaviour
from tokparity.reference.splits import SplitStage

Json = dict[str, Any]
Stage = TypeVar("Stage")

MAX_STAGES = 64
"""How many stages may follow each other; in real files, five."""
MAX_INSERTED = 1024
"""Characters that a stage puts into a text at each match; in real files, ten."""

BEHAVIOURS: Mapping[str, SplitBehaviour] = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}


def kind_of(fields: JsonFields) -> str:
    """The type of a stage."""
    return str(fields.need("type", str))


def _stages(
    fields: JsonFields, what: str, key: str, table: Mapping[str, Callable[[JsonFields], Stage]]
) -> tuple[Stage, ...]:
    """What an object represents: one stage, or a sequence whose list is called `key`, within which others may stand."""
    kind = kind_of(fields)
    if kind == "Sequence":
        found = tuple(stage for inner in fields.list_of(key) for stage in _stages(inner, what, key, table))
        if len(found) > MAX_STAGES:
            raise fields.error("type", f"is a Sequence of {len(found)} stages; tokparity reads at most {MAX_STAGES}")
        return found
    if kind not in table:
        raise FormatError(
            f"{fields.path}: {fields.where}type is {excerpt(kind)}, which is not a {what} that tokparity reads",
            "tokparity reads what tokenizers 0.23 reads",
        )
    return (table[kind](fields),)


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


def _behaviour(fields: JsonFields, default: str | None) -> SplitBehaviour:
    name = fields.text("behavior", default or "")
    if name not in BEHAVIOURS:
        raise fields.error("behavior", f"is {excerpt(name)}, not one of {', '.join(BEHAVIOURS)}")
    return BEHAVIOURS[name]


# --- normalizers


def _precompiled(fields: JsonFields) -> Normalise:
    try:
        blob = base64.b64decode(fields.text("precompiled_charsmap"), validate=True)
    except ValueError as error:
        raise fields.error("precompiled_charsmap", f"is not base64: {error}") from None
    try:
        table_of(blob)
    except FormatError as error:
        raise fields.error("precompiled_charsmap", f"is damaged: {error.message}") from error
    return GraphemeCharsmap(blob)


def _inserted(fields: JsonFields, key: str) -> str:
    """What a stage puts into a text."""
    text = fields.text(key)
    if len(text) > MAX_INSERTED:
        raise fields.error(key, f"has {len(text)} characters, at most {MAX_INSERTED} are put into a text")
    return text


def _replace(fields: JsonFields) -> tuple[str, str, bool]:
    pattern, literal = _pattern(fields)
    return pattern, _inserted(fields, "content"), literal


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
    "Prepend": lambda fields: normalise.Prepend(_inserted(fields, "prepend")),
    "ByteLevel": lambda fields: normalise.ByteLevel(),
}


def normalisers(fields: JsonFields | None) -> tuple[Normalise, ...]:
    """The normalizers, sequences within sequences taken apart."""
    return () if fields is None else _stages(fields, "normalizer", "normalizers", _NORMALISERS)


# --- pre-tokenizers


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
    """The pre-tokenizers, sequences within sequences taken apart."""
    return () if fields is None else _stages(fields, "pre-tokenizer", "pretokenizers", _PRE_TOKENISERS)


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
    return _stages(fields, "decoder", "decoders", _DECODERS)
