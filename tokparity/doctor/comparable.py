"""What can be compared where no GGUF can express the source: the keys that mean the same to every algorithm."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

from tokparity import formats
from tokparity.behaviour import MARKER
from tokparity.doctor.change import KeyChange
from tokparity.doctor.changes import changes, legible, needed, other_than
from tokparity.doctor.chat import of_chat
from tokparity.doctor.fitting import TooFewPiecesError
from tokparity.doctor.turn_end import of_turn
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats import Source
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS
from tokparity.lint.difference import text_of
from tokparity.lint.pieces import spelled
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind, Vocabulary

_TOLD_BY_BOTH = (
    (Kind.NORMAL, Kind.CONTROL),
    (Kind.NORMAL, Kind.BYTE),
    (Kind.BYTE, Kind.NORMAL),
    (Kind.USER_DEFINED, Kind.NORMAL),
)
"""Kinds in the file and in the source of which one must be wrong; tokenizer.json lacks words for some of the others."""

_DISTINCT = 0.5
"""Share of merges whose scores are different in any right file. With equal scores, the first pair in the text is
merged first, whatever the order of the source."""

_NEVER_FOUND = (Kind.NORMAL, Kind.UNUSED)
"""Kinds with which an added token is not looked for in a text."""

_NEVER_GIVEN = (Kind.CONTROL, Kind.UNUSED)
"""Kinds of pieces that no text gives, where special tokens are not parsed."""


def sayable(path: Path, source: Source) -> tuple[list[KeyChange], CannotExpressError | None]:
    """The changes that a GGUF can express, and what it cannot express of the source."""
    beside = [*of_turn(path, source), *of_chat(path, source)]
    try:
        _same_kind_of_order(path, source)
        return [*changes(path, source), *beside], None
    except CannotExpressError as error:
        found = [*needed(path, other_than(path, _wanted(path, source), source), source), *beside]
        return found, _too_few(path, source) or error


def _too_few(path: Path, source: Source) -> TooFewPiecesError | None:
    """That the file has fewer pieces than the source, and which it lacks; None where it has enough."""
    ours, theirs = spelled(legible(path, source)), spelled(source)
    if len(ours) >= len(theirs):
        return None
    known = {*ours}
    return TooFewPiecesError(len(ours), len(theirs), [(i, one) for i, one in enumerate(theirs) if one not in known])


def _same_kind_of_order(path: Path, source: Source) -> None:
    """Refuse to compare scores by their values with a list of merges: only the order of both means the same."""
    if not source.vocabulary.merges:
        return
    try:
        found = formats.read(path).vocabulary
    except FormatError:
        return  # a key of another type: it is compared by itself
    if found.scores and not found.merges:
        raise CannotExpressError(
            "gguf cannot express a list of merges together with scores",
            "compare the order of the merges with the order of the scores",
        )


def _wanted(path: Path, source: Source) -> dict[str, Any]:
    """Keys by name: ids around a text, the space before it, the pieces with their kinds, the order of merges."""
    read = formats.read(path)
    ours, theirs = read.behaviour, source.behaviour
    has, needs = len(read.vocabulary), len(source.vocabulary)
    wanted: dict[str, Any] = {"add_bos_token": bool(theirs.prefix_ids), "add_eos_token": bool(theirs.suffix_ids)}
    wanted |= {SPECIAL_KEYS[role]: i for role, i in source.vocabulary.special.items() if i < has}
    around = ("bos", ours.prefix_ids, theirs.prefix_ids), ("eos", ours.suffix_ids, theirs.suffix_ids)
    wanted |= {f"{name}_token_id": its[0] for name, own, its in around if len(own) == len(its) == 1 and its[0] < has}
    own = Tokenizer(source.vocabulary, theirs)
    if ours.space_marker == theirs.space_marker == MARKER:
        wanted["add_space_prefix"] = theirs.space_prefix != "never"
        if read.vocabulary.scores:
            wanted["remove_extra_whitespaces"] = own.encode(b"a  b", False, False) == own.encode(b"a b", False, False)
    if has >= needs and ours.continuing_prefix == theirs.continuing_prefix:
        wanted["tokens"] = list(source.vocabulary.pieces)
        wanted["token_type"] = _kinds(read, own, source.vocabulary)
        if source.vocabulary.merges and read.vocabulary.scores:
            wanted["scores"] = _scores(read, source)
    return {PREFIX + key: value for key, value in wanted.items()}


def _scores(read: Source, source: Source) -> array[float]:
    """The scores in the file, in the order in which the source merges; its ranks where most of them are equal.

    Scores may be any numbers that fall from merge to merge, so those that already do are left as they are.
    """
    scores, ids = array("f", read.vocabulary.scores), read.vocabulary.ids
    made = list(dict.fromkeys(ids[one + two] for one, two in source.vocabulary.merges if one + two in ids))
    made = [i for i in made if read.vocabulary.kinds[i] is Kind.NORMAL]
    falling = sorted((scores[i] for i in made), reverse=True)
    if len(set(falling)) < _DISTINCT * len(falling):
        falling = [float(-rank) for rank in range(len(falling))]
    for i, score in zip(made, falling, strict=True):
        scores[i] = score
    return scores


def _kinds(read: Source, own: Tokenizer, theirs: Vocabulary) -> array[int]:
    """The kinds of the source's pieces, as the file has them; where the file's kind cannot be right, the source's.

    A piece that the source's tokenizer writes for a text is a normal piece, even if its format does not say so.
    """
    added = {token.id: Kind.CONTROL if token.special else Kind.USER_DEFINED for token in theirs.added}
    kinds = array("i", map(int, read.vocabulary.kinds[: len(theirs)]))
    for i, kind in enumerate(theirs.kinds):
        is_now, wanted = Kind(kinds[i]), added.get(i, kind)
        if (is_now, wanted) in _TOLD_BY_BOTH or (i in added and is_now in _NEVER_FOUND):
            kinds[i] = wanted
    plain = {i for i, kind in enumerate(theirs.kinds) if kind is Kind.NORMAL} - {*added, *theirs.special.values()}
    for i in plain:
        if kinds[i] in _NEVER_GIVEN and _is_given(own, i, text_of(theirs.pieces[i])):
            kinds[i] = Kind.NORMAL
    return kinds


def _is_given(own: Tokenizer, i: int, text: bytes) -> bool:
    return any(i in own.encode(put, False, False) for put in (text, text.lstrip(b" "), b"a" + text))
