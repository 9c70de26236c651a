"""The changes of metadata that make a GGUF say what another source of its model says, and no change more."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from tokparity import formats
from tokparity.behaviour import Behaviour
from tokparity.diagnose import Base
from tokparity.doctor.change import Change, tokenizer_fields, tokenizer_keys, unlike
from tokparity.doctor.fitting import PER_PIECE, TOKEN_TYPE, TOKENS
from tokparity.errors import CannotExpressError, FormatError, TokparityError
from tokparity.formats import Source
from tokparity.formats.beside import special_tokens
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_tokenizer import tokenizer_of
from tokparity.formats.gguf_types import as_read, refused_type
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS
from tokparity.formats.gguf_writer import keys_of
from tokparity.reference import pretokenisers
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary

_PRE, _MODEL, _SCORES = PREFIX + "pre", PREFIX + "model", PREFIX + "scores"
_EOS = PREFIX + "eos_token_id"
_WITHOUT_SCORES = (b"gpt2", b"bert")
"""Kinds of tokenizers whose scores nobody looks at; some published files have them."""
_SPELT = (TOKENS, TOKEN_TYPE)
_TRIED = 500  # entries of a list that are tried
_SPACE_PREFIX = PREFIX + "add_space_prefix"
"""Where it is true, llama.cpp takes a space away when decoding, whatever the type of the model."""
_SPECIAL = {PREFIX + name for name in SPECIAL_KEYS.values()}
_NO_TOKEN = (-1, 2**32 - 1)
"""How converters write that a role has no token: -1, and the same 32 bits read without a sign."""


def changes(path: Path, source: Source) -> list[Change]:
    """The fewest changes after which the GGUF reads as the source does; CannotExpressError if no GGUF can."""
    return needed(path, _unlike(path, source))


def needed(path: Path, found: Sequence[Change]) -> list[Change]:
    """Those of the changes that matter: one that can be left out, with the same tokenizer as the result, is none."""
    kept, values = list(found), _values(path)
    goal = _read(path, _changed(values, found))
    for change in found:
        rest = [other for other in kept if other is not change]
        try:
            without = _read(path, _changed(values, rest))
        except TokparityError:
            continue  # without it the file cannot even be read
        wrong = (change.key == _SPACE_PREFIX and change.before is True) or _names_no_piece(change) or change.types
        if not wrong and (without == goal or not _matters(change, without, goal)):
            kept, goal = rest, without  # what does not matter here is not missed by the other keys either
    return kept


def _matters(change: Change, without: tuple[Vocabulary, Behaviour], goal: tuple[Vocabulary, Behaviour]) -> bool:
    """Whether a text shows a change of pieces or of their kinds: the pieces themselves, in a text and as ids.

    Converters spell placeholders that nothing ever gives ([unused0]) as they like. Other keys always matter.
    """
    if (
        change.key not in _SPELT
        or not isinstance(change.before, list | array)
        or len(change.before) != len(cast(Any, change.after))
    ):
        return True
    after = cast(Any, change.after)
    other = [i for i in range(len(after)) if change.before[i] != after[i]]
    one, two = Tokenizer(*without), Tokenizer(*goal)
    for i in other[:: max(len(other) // _TRIED, 1)]:
        if one.decode([i]) != two.decode([i]):
            return True
        for piece in {without[0].pieces[i], goal[0].pieces[i]}:
            text = piece.replace("▁".encode(), b" ")
            if any(
                one.encode(shown, True, parse_special) != two.encode(shown, True, parse_special)
                for shown in (text, b"a " + text + b" a", b"a" + text + b"a")
                for parse_special in (False, True)
            ):
                return True
    return False


def legible(path: Path, source: Source) -> Source:
    """The GGUF; where it is refused, its pieces with the source's values for all the other keys.

    Raises what reading it raised if it is refused even so.
    """
    try:
        return formats.read(path)
    except FormatError as error:
        others = [change for change in _unlike(path, source) if not _is_per_piece(change)]
        try:
            return Source("gguf", path, *_read(path, _changed(_values(path), others)))
        except TokparityError:
            raise error from None


def _is_per_piece(change: Change) -> bool:
    """Whether it is the pieces, or has an entry for each of them."""
    has = isinstance(change.before, array) and len(change.before) == len(change.pieces)
    return change.key == TOKENS or (change.key in PER_PIECE and has)


def _unlike(path: Path, source: Source) -> list[Change]:
    """All keys that do not say what the source says."""
    current = tokenizer_keys(path)
    wanted = _wanted(source)
    wanted |= _named_beside(current, wanted, source)
    wanted |= same_pre(current, wanted)
    moot = {_SCORES} if wanted.get(_MODEL) in _WITHOUT_SCORES and _is_fit(current, _SCORES) else set()
    more = current.keys() - wanted.keys() - moot
    too_many = (Change(key, value, None, current[TOKENS]) for key, value in current.items() if key in more)
    gone = {change.key: None for change in too_many if _may_go(change.key) or _names_no_piece(change)}
    found = unlike(path, {**wanted, **gone}, source)
    assumed = {PREFIX + name for name in source.assumed}
    return [replace(change, assumed=True) if change.key in assumed else change for change in found]


def _names_no_piece(change: Change) -> bool:
    """Whether it is about a special id that the file has no piece for: every program makes of that what it likes."""
    value = change.before
    known = not isinstance(value, int) or value in _NO_TOKEN or 0 <= value < len(change.pieces)
    return change.key in _SPECIAL and not known


def _values(path: Path) -> dict[str, Any]:
    return {field.key: field.value for field in read_metadata(path).fields.values()}


def _wanted(source: Source) -> dict[str, Any]:
    if source.format == "gguf":
        fields = tokenizer_fields(source.path).items()
        read = {key: as_read(key, field.value) if refused_type(field) else field.value for key, field in fields}
        return {key: value for key, value in read.items() if value is not None}
    return {key: value for key, value in keys_of(source).items() if key.startswith(PREFIX)}


def _named_beside(current: Mapping[str, Any], wanted: Mapping[str, Any], source: Source) -> dict[str, int]:
    """The special ids that files beside the source name; not of those around a text, which the source says itself.

    The one that ends a text is wanted in any case, others where the file has one as well.
    """
    if source.format == "gguf":
        return {}
    around = {*source.behaviour.prefix_ids, *source.behaviour.suffix_ids}
    ids = {piece: i for i, piece in enumerate(current.get(TOKENS, ()))} | source.vocabulary.ids
    tokens = special_tokens(source.path).items()
    found = {PREFIX + SPECIAL_KEYS[role]: ids.get(text.encode("utf-8", "surrogatepass")) for role, text in tokens}
    said = {key: i for key, i in found.items() if i is not None and wanted.get(key) not in around}
    return {key: i for key, i in said.items() if key == _EOS or key in current}


def same_pre(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, bytes]:
    """The pre-tokeniser's name in the file, where another is wanted that is the same one to llama.cpp; else nothing.

    Which of them is there decides whether our reading composes to NFC, which no key says.
    """
    ours, theirs = current.get(_PRE), wanted.get(_PRE)
    if not isinstance(ours, bytes) or not isinstance(theirs, bytes) or ours == theirs:
        return {}
    names = (name.decode(errors="replace") for name in (ours, theirs))
    return {_PRE: ours} if pretokenisers.are_one_to_llama_cpp(*names) else {}


def base_of(path: Path, source: Source) -> Base:
    """What the GGUF should read as; the source itself where no GGUF has words for it."""
    try:
        keys = keys_of(source)
        return Base(*tokenizer_of(Keys(source.path, keys | same_pre(tokenizer_keys(path), keys))))
    except CannotExpressError:
        return Base(source.vocabulary, source.behaviour)


def _is_fit(current: Mapping[str, Any], key: str) -> bool:
    """Whether a list has an entry for each piece, so that who reads it reads nothing that is not there."""
    return isinstance(current.get(key), array) and len(current[key]) == len(current[TOKENS])


def _may_go(key: str) -> bool:
    """Keys whose presence changes ids, so that one too many must be removed."""
    names = ("scores", "merges", "precompiled_charsmap", "pre", "add_space_prefix", "remove_extra_whitespaces")
    return key in {PREFIX + name for name in names}


def _changed(values: Mapping[str, Any], found: Sequence[Change]) -> dict[str, Any]:
    new = {**values, **{change.key: change.after for change in found}}
    return {key: value for key, value in new.items() if value is not None}


def _read(path: Path, values: Mapping[str, Any]) -> tuple[Vocabulary, Behaviour]:
    return tokenizer_of(Keys(path, values))
