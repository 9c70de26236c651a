"""What becomes of text that no piece covers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, groupby

from tokparity.behaviour import Behaviour
from tokparity.reference.affixes import spelling
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.text import encode_text
from tokparity.vocabulary import Vocabulary

Fallback = Callable[[str], list[int]]

NO_ID = -1
"""What a look-up gives for what is not there; only a deviant engine writes it out."""


def fallback(vocabulary: Vocabulary, behaviour: Behaviour) -> Fallback:
    """Text that no piece covers -> ids: byte pieces, the unknown id, nothing, or letters, as the behavior says.

    A byte without a piece falls back to the unknown id; a model that has no unknown id drops it.
    """
    unknown = [] if vocabulary.unknown_id is None else [vocabulary.unknown_id]
    byte_ids = vocabulary.byte_ids
    spell = letters(behaviour)

    def as_bytes(text: str) -> list[int]:
        found = [byte_ids[byte] for byte in fallback_bytes(text, behaviour)]
        return unknown if None in found else [i for i in found if i is not None]

    def nothing(text: str) -> list[int]:
        return []

    def as_letters(text: str) -> list[int]:
        return [vocabulary.ids.get(letter.encode(), NO_ID) for letter in spell(text)]

    ways: dict[str, Fallback] = {"bytes": as_bytes, "unknown": lambda text: unknown, "letters": as_letters}
    return ways.get(behaviour.fallback, nothing)


def fallback_bytes(text: str, behaviour: Behaviour) -> bytes:
    """The bytes of which byte pieces are written."""
    return encode_text(text if behaviour.fallback_text is None else behaviour.fallback_text(text))


def drops_first(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    """Whether what nothing represents is dropped before merging, so that its neighbors may merge.

    Source: tokenizers 0.23 `bpe/model.rs` (merge_word), where only what has an id becomes a symbol.
    """
    without = vocabulary.unknown_id is None and None in vocabulary.byte_ids
    return behaviour.fallback == "drop" or (behaviour.fallback == "bytes" and behaviour.unknown_waits and without)


def takes_part(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    """Whether the unknown piece or a byte piece may also come of a text that spells it, or be merged with others.

    Then what is unknown has to be told from what is spelled, and `substituting` must come before the merging.
    """
    unknown = vocabulary.unknown_id
    odd = {vocabulary.pieces[i].decode() for i in (unknown, *vocabulary.byte_ids) if i is not None}
    prefix, places = behaviour.continuing_prefix, vocabulary.merge_places
    made = (left + right.removeprefix(prefix) for left, right in places) if prefix else map("".join, places)
    affixes = prefix + behaviour.word_suffix
    is_letter = any(len(piece.removeprefix(prefix).removesuffix(behaviour.word_suffix)) <= 1 for piece in odd)
    return bool(odd) and (is_letter or bool(affixes) or not odd.isdisjoint(chain(chain.from_iterable(places), made)))


def substituting(vocabulary: Vocabulary, behaviour: Behaviour) -> Callable[[list[str]], list[str]]:
    """Symbols of a word -> the same with those that are not a piece replaced: by byte pieces, the unknown, or nothing.

    An unknown waits for the next piece or unknown, so that byte pieces go before it; where unknowns are fused, those
    that wait are one. Source: tokenizers 0.23 `bpe/model.rs` (merge_word).
    """
    ids, prefix = vocabulary.spelled_ids, behaviour.continuing_prefix
    in_bytes = vocabulary.byte_ids if behaviour.fallback == "bytes" else (None,) * 256
    spelled = [None if i is None else vocabulary.pieces[i].decode() for i in in_bytes]
    unknown = [] if vocabulary.unknown_id is None else [vocabulary.pieces[vocabulary.unknown_id].decode()]

    def substituted(symbols: list[str]) -> list[str]:
        found: list[str] = []
        waiting: list[str] = []
        for symbol in symbols:
            piece = spelling(symbol, prefix)
            if piece in ids:
                found += (*waiting, symbol)
                waiting = []
            elif None not in (pieces := [spelled[byte] for byte in fallback_bytes(piece, behaviour)]):
                found += [piece for piece in pieces if piece is not None]
            else:
                found += () if behaviour.fuse_unknown else waiting
                waiting = unknown
        return found + waiting

    return substituted


def joined_unknown(vocabulary: Vocabulary) -> Callable[[list[int]], list[int]]:
    """Ids with NO_ID - byte for each byte of unknown text -> ids, each run of what is unknown taken for one text.

    Where the unknown piece itself is spelled in the text, it belongs to such a run. A run is a piece if it is spelled
    like one, else byte pieces, or unknown if some byte has none. Without an unknown piece, it is nothing. Source:
    tokenizers 0.23 `unigram/model.rs` (encode, tokenize).
    """
    unknown = vocabulary.unknown_id
    spelled = b"" if unknown is None else vocabulary.pieces[unknown]

    def run_of(run: list[int]) -> list[int]:
        text = b"".join(spelled if i == unknown else bytes((NO_ID - i,)) for i in run)
        if (known := vocabulary.model_ids.get(text)) is not None:
            return [known]
        found = [i for byte in text if (i := vocabulary.byte_ids[byte]) is not None]
        return found if len(found) == len(text) else [] if unknown is None else [unknown]

    def joined(ids: list[int]) -> list[int]:
        if unknown not in ids and min(ids, default=0) >= 0:
            return ids
        found: list[int] = []
        for is_open, group in groupby(ids, key=lambda i: i < 0 or i == unknown):
            run = list(group)
            found += run_of(run) if is_open else run
        return found

    return joined


def marking(behaviour: Behaviour) -> Fallback:
    """Text that no piece covers -> a number for each of its bytes, for `joined_unknown`."""
    return lambda text: [NO_ID - byte for byte in fallback_bytes(text, behaviour)]


def joining(vocabulary: Vocabulary, behaviour: Behaviour) -> Callable[[list[int]], list[int]] | None:
    """Return a function that joins adjacent unknown ids in a word as the model does; None if they stay as they are."""
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
