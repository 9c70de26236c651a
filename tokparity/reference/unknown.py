"""What becomes of text that no piece covers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from tokparity.behaviour import Behaviour
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.text import encode_text
from tokparity.vocabulary import Vocabulary

Fallback = Callable[[str], list[int]]

NO_ID = -1
"""What a look-up gives for what is not there; only a deviant engine writes it out."""


def fallback(vocabulary: Vocabulary, behaviour: Behaviour) -> Fallback:
    """Text that no piece covers -> ids: byte pieces, the unknown id, nothing, or letters, as the behaviour says.

    A byte without a piece falls back to the unknown id; a model that has no unknown id drops it.
    """
    unknown = [] if vocabulary.unknown_id is None else [vocabulary.unknown_id]
    byte_ids = vocabulary.byte_ids
    spell = letters(behaviour)

    def as_bytes(text: str) -> list[int]:
        found = [byte_ids[byte] for byte in encode_text(text)]
        return unknown if None in found else [i for i in found if i is not None]

    def nothing(text: str) -> list[int]:
        return []

    def as_letters(text: str) -> list[int]:
        return [vocabulary.ids.get(letter.encode(), NO_ID) for letter in spell(text)]

    ways: dict[str, Fallback] = {"bytes": as_bytes, "unknown": lambda text: unknown, "letters": as_letters}
    return ways.get(behaviour.fallback, nothing)


def drops_first(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    """Whether what nothing stands for is dropped before merging, so that its neighbours may merge.

    Source: tokenizers 0.23 `bpe/model.rs` (merge_word), where only what has an id becomes a symbol.
    """
    without = vocabulary.unknown_id is None and None in vocabulary.byte_ids
    return behaviour.fallback == "drop" or (behaviour.fallback == "bytes" and behaviour.unknown_waits and without)


_HOLE = -1
"""Stands for a character of which some byte has no piece, until runs are joined."""


def marking_holes(vocabulary: Vocabulary) -> Fallback:
    """Byte pieces for text that no piece covers, or a mark where one of them is missing, for `joined_unknown`."""
    byte_ids = vocabulary.byte_ids

    def as_bytes(text: str) -> list[int]:
        found = [i for byte in encode_text(text) if (i := byte_ids[byte]) is not None]
        return found if len(found) == len(encode_text(text)) else [_HOLE]

    return as_bytes


def joined_unknown(vocabulary: Vocabulary) -> Callable[[list[int]], list[int]]:
    """Ids with byte pieces -> the ids with each run of what is unknown taken for one text, as Hugging Face does it.

    Where the unknown piece itself is spelled in the text, beside something unknown, it is spelled in bytes with it; a
    run in which some byte has no piece is one unknown. Source: tokenizers 0.23 `unigram/model.rs` (encode, tokenize).
    """
    unknown = vocabulary.unknown_id
    open_ids = frozenset(i for i in (*vocabulary.byte_ids, unknown, _HOLE) if i is not None)
    spelled = [vocabulary.byte_ids[byte] for byte in (b"" if unknown is None else vocabulary.pieces[unknown])]
    as_bytes = [_HOLE] if None in spelled else [i for i in spelled if i is not None]

    def run_of(run: list[int]) -> list[int]:
        if len(run) > 1:
            run = [j for i in run for j in (as_bytes if i == unknown else [i])]
        return run if _HOLE not in run else [] if unknown is None else [unknown]

    def joined(ids: list[int]) -> list[int]:
        if unknown not in ids and _HOLE not in ids:
            return ids
        found: list[int] = []
        for is_open, group in groupby(ids, key=open_ids.__contains__):
            run = list(group)
            found += run_of(run) if is_open else run
        return found

    return joined


def joining(vocabulary: Vocabulary, behaviour: Behaviour) -> Callable[[list[int]], list[int]] | None:
    """What becomes of the unknowns in the ids of a word; None if they stay as they are."""
    unknown, fuses = vocabulary.unknown_id, behaviour.fuse_unknown
    if behaviour.unknown_waits and behaviour.fallback == "bytes" and None in vocabulary.byte_ids:
        return lambda ids: fuse_unknown(_behind_bytes(ids, vocabulary, fuses), unknown if fuses else None)
    return (lambda ids: fuse_unknown(ids, unknown)) if fuses else None


def _behind_bytes(ids: list[int], vocabulary: Vocabulary, fuses: bool) -> list[int]:
    """The ids with each unknown behind the byte pieces that follow it; one that `fuses` waits for the next one as well.

    Source: tokenizers 0.23 `bpe/model.rs` (merge_word), where byte pieces do not end an unknown that is pending.
    """
    unknown, byte_ids = vocabulary.unknown_id, frozenset(vocabulary.byte_ids)
    if unknown is None or unknown not in ids:
        return ids
    found: list[int] = []
    pending = False
    for i in ids:
        if pending and i not in byte_ids and not (fuses and i == unknown):
            found.append(unknown)
        pending = i == unknown or (pending and i in byte_ids)
        if i != unknown:
            found.append(i)
    return [*found, unknown] if pending else found


def fuse_unknown(ids: list[int], unknown: int | None) -> list[int]:
    """The ids with each run of unknowns made one."""
    if unknown is None or unknown not in ids:
        return ids
    return [i for n, i in enumerate(ids) if i != unknown or n == 0 or ids[n - 1] != unknown]
