"""The changes of metadata that make a GGUF say what another source of its model says, and no change more."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokparity import formats
from tokparity.behaviour import Behaviour
from tokparity.diagnose import Base
from tokparity.doctor.change import KeyChange, tokenizer_fields, tokenizer_keys, unlike
from tokparity.doctor.fitting import PER_PIECE, TOKEN_TYPE, TOKENS
from tokparity.doctor.weighing import EFFECTS, RANKS, SPECIAL, effect_of, model_of, names_no_piece, weighed
from tokparity.errors import CannotExpressError, FormatError, TokparityError
from tokparity.formats import Source
from tokparity.formats.beside import AROUND, CONFIGURATION, special_tokens, told
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_tokenizer import tokenizer_of
from tokparity.formats.gguf_types import as_read, refused_type
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS, id_without_key
from tokparity.formats.gguf_writer import keys_of
from tokparity.lint.control_names import control_by_name, with_control
from tokparity.reference import pretokenisers
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.rule import weight
from tokparity.vocabulary import Kind, Vocabulary

_PRE = PREFIX + "pre"
_EOS = PREFIX + "eos_token_id"


def changes(path: Path, source: Source) -> list[KeyChange]:
    """The fewest changes after which the GGUF reads as the source does; CannotExpressError if no GGUF can."""
    return needed(path, _unlike(path, source), source)


def needed(path: Path, found: Sequence[KeyChange], source: Source) -> list[KeyChange]:
    """The changes that matter, each with its proof: a text, an effect, or that the source does not say.

    A change that can be left out, with the same tokenizer as the result, is none. Ranks that differ, and that no text
    shows, are a note.
    """
    if not found:
        return []
    notes: list[KeyChange] = []
    kept, values = list(found), _values(path)
    goal, own = Tokenizer(*_read(path, _changed(values, found))), Tokenizer(source.vocabulary, source.behaviour)
    for change in found:
        rest = [other for other in kept if other is not change]
        try:
            read = _read(path, _changed(values, rest))
        except TokparityError as error:
            effect = effect_of(change, values) or EFFECTS["unread"].format(why=error.message)
            kept[kept.index(change)] = replace(change, effect=effect, unsaid="")
            continue
        seen = weighed(change, values, read, goal, own)
        if seen is None or weight(seen.fault("", path, path)) == "note":
            # What does not matter here is not missed by the other keys either.
            kept, goal = rest, Tokenizer(*read)
            notes += [seen] if seen is not None and change.key in RANKS else []
        else:
            kept[kept.index(change)] = seen
    return [*kept, *notes]


def granted(path: Path, source: Source) -> Source:
    """The source as the GGUF has it in what is not a fault: ids around a text that the source does not say, names."""
    ours, open_keys = legible(path, source).behaviour, {*source.assumed, *source.disputed}
    fields: dict[str, Any] = {name: getattr(ours, name) for key, _, name in AROUND if key in open_keys}
    vocabulary = with_control(source.vocabulary, _control_by_name(tokenizer_keys(path), source))
    return replace(source, vocabulary=vocabulary, behaviour=replace(source.behaviour, **fields))


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


def _is_per_piece(change: KeyChange) -> bool:
    """Whether it is the pieces, or has an entry for each of them."""
    has = isinstance(change.before, array) and len(change.before) == len(change.pieces)
    return change.key == TOKENS or (change.key in PER_PIECE and has)


def _unlike(path: Path, source: Source) -> list[KeyChange]:
    """All keys that do not say what the source says."""
    current, wanted = tokenizer_keys(path), _wanted(source)
    more = current.keys() - wanted.keys()
    too_many = (KeyChange(key, value, None, current[TOKENS]) for key, value in current.items() if key in more)
    gone = {change.key: None for change in too_many if _may_go(change.key) or names_no_piece(change)}
    return other_than(path, {**wanted, **gone}, source)


def other_than(path: Path, wanted: Mapping[str, Any], source: Source) -> list[KeyChange]:
    """The keys that differ from the source's wishes, with what is known of those that it does not mention.

    What only the files beside the source say is wanted where the GGUF says something else, or of the end of a text.
    """
    current = tokenizer_keys(path)
    wanted = {key: value for key, value in wanted.items() if not _only_beside(key, value, current, source)}
    wanted |= _named_beside(current, wanted, source)
    wanted |= same_pre(current, wanted)
    found = unlike(path, _marked(current, wanted, source), source)
    unsaid = _unsaid(source)
    return [
        replace(change, unsaid=unsaid[change.key], disputed=change.key.removeprefix(PREFIX) in source.disputed)
        if change.key in unsaid
        else change
        for change in found
    ]


def _marked(current: Mapping[str, Any], wanted: Mapping[str, Any], source: Source) -> dict[str, Any]:
    """The types that are wanted, but CONTROL where the file has that because of a token's name."""
    ids = _control_by_name(current, source)
    kinds = wanted.get(TOKEN_TYPE)
    if not ids or not isinstance(kinds, array):
        return dict(wanted)
    marked = array(kinds.typecode, [Kind.CONTROL if i in ids else kind for i, kind in enumerate(kinds)])
    return {**wanted, TOKEN_TYPE: marked}


def _control_by_name(current: Mapping[str, Any], source: Source) -> set[int]:
    """The added tokens that are not special, and that a converter or llama.cpp makes CONTROL by their names."""
    kinds = current.get(TOKEN_TYPE)
    return control_by_name(source.vocabulary, kinds) if isinstance(kinds, array) else set()


def _only_beside(key: str, value: Any, current: Mapping[str, Any], source: Source) -> bool:
    """Whether a role that the file has no token for is named by files beside the source alone, and by no text."""
    around = {*source.behaviour.prefix_ids, *source.behaviour.suffix_ids}
    role = SPECIAL.get(key, "unk")
    named = source.format == "tokenizer.json" and role not in ("unk", "eos")
    taken = id_without_key(model_of(current), role)
    return named and key not in current and value not in around and taken in (None, value)


def _unsaid(source: Source) -> dict[str, str]:
    """The keys of which the source does not say what they should be, or two sources disagree, and what is known."""
    name, more = source.path.name, f"add a {CONFIGURATION} beside it, which does"
    assumed = {PREFIX + key: f"{name} does not say it, and llama.cpp obeys the file; {more}" for key in source.assumed}
    return {**assumed, **{PREFIX + key: told(source, key) for key in source.disputed}}


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
    """The file's tokenizer.ggml.pre, if another name is wanted that llama.cpp treats alike; else nothing.

    The name still matters to the reference: it says whether the text is composed (NFC), which no other key does.
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


def _may_go(key: str) -> bool:
    """Keys whose presence changes ids, so that one too many must be removed."""
    names = ("scores", "merges", "precompiled_charsmap", "pre", "add_space_prefix", "remove_extra_whitespaces")
    return key in {PREFIX + name for name in names}


def _changed(values: Mapping[str, Any], found: Sequence[KeyChange]) -> dict[str, Any]:
    new = {**values, **{change.key: change.after for change in found}}
    return {key: value for key, value in new.items() if value is not None}


def _read(path: Path, values: Mapping[str, Any]) -> tuple[Vocabulary, Behaviour]:
    return tokenizer_of(Keys(path, values))
