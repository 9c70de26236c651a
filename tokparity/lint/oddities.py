"""What is odd in one file, whatever another one says: two tokens where there should be one, and ids without a piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity.chat.renderer import unreadable
from tokparity.formats import Source
from tokparity.formats.beside import chat_of
from tokparity.formats.gguf_keys import PREFIX
from tokparity.lint.configuration import contradictions
from tokparity.questions.json_text import literal
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Kind, Vocabulary

_SHOWN = 3
_LONGEST = 60
"""Characters of an added token, or bytes of a piece, that are shown."""


def told_in_runs(source: Source) -> Iterator[str]:
    """What a run tells of a model's file before it compares engines: where libraries have to choose, or fail."""
    yield from ambiguous(source.vocabulary)
    yield from _failing(source)
    yield from contradictions(source)


def _failing(source: Source) -> Iterator[str]:
    """Texts on which a library fails, or loses what it was given, because the file names a piece that it lacks."""
    unknown, vocabulary = source.metadata.get("unk_token"), source.vocabulary
    if isinstance(unknown, str):
        yield f"the unknown token {literal(unknown[:_LONGEST])} is no piece: the library fails on a text that needs it"
    lacking = sum(i is None for i in vocabulary.byte_ids) if source.behaviour.fallback == "bytes" else 0
    if lacking:
        is_left_out = vocabulary.unknown_id is None and unknown is None
        does = f"a character that needs one {'is left out' if is_left_out else 'needs the unknown token'}"
        if source.format == "sentencepiece":
            does = "SentencePiece does not open such a file"
        yield f"{lacking} of 256 bytes have no byte piece, and the file falls back to bytes; {does}"
    if source.behaviour.segment is bpe and vocabulary.unknown_id is None and unknown is None and _drops(source):
        yield "there is no unknown token and no byte piece: characters without a piece are left out"


def _drops(source: Source) -> bool:
    behaviour = source.behaviour
    return behaviour.fallback == "drop" and not behaviour.byte_level


def ambiguous(vocabulary: Vocabulary) -> Iterator[str]:
    """Each id with several names, and each added token with several ids: encoding or decoding has to choose."""
    for i, names in vocabulary.shared_ids.items():
        told = " and ".join(map(literal, names))
        yield f"the id {i} has {len(names)} added tokens: {told}; an engine decodes it to one of them"
    ids: dict[str, list[int]] = {}
    for token in vocabulary.added:
        ids.setdefault(token.content, []).append(token.id)
    for content, several in ids.items():
        if len(set(several)) > 1:
            told = f"the added token {literal(content)} has {len(several)} ids: {several}"
            yield f"{told}; an engine encodes it as one of them"


def odd(source: Source) -> Iterator[str]:
    """Yield what is odd in a source: its pieces and ids, its settings, and what the files beside it say otherwise."""
    vocabulary = source.vocabulary
    yield from told_in_runs(source)
    yield from _renumbered(source)
    yield from _beyond(source)
    yield from settings(source)
    yield from _templates(source)
    equal = [i for i, piece in enumerate(vocabulary.pieces) if piece and vocabulary.ids[piece] != i]
    yield from _of_pieces(
        vocabulary, equal, "has the same text as a later piece", "have the same text as a later piece"
    )
    holes = [i for i, piece in enumerate(vocabulary.pieces) if not piece]
    if holes:
        yield f"{_count(holes, 'id has', 'ids have')} no piece: {_few(map(str, holes), holes)}"
    yield from _of_pieces(vocabulary, _made_by_no_merge(source), "is made by no merge", "are made by no merge")


def settings(source: Source) -> Iterator[str]:
    """What a library does with rows of ids because the file says so. The engines that tokparity asks do not do it."""
    most = source.metadata.get("truncation")
    if most is not None:
        yield f"truncation is set: a library that obeys the file gives at most {most:,} ids for a text"
    if source.metadata.get("padding"):
        yield "padding is set: a library that obeys the file fills rows of ids"


def _renumbered(source: Source) -> Iterator[str]:
    """Added tokens that say an id which the library does not give them."""
    said = source.metadata.get("added_tokens")
    pieces, other = source.vocabulary.pieces, said if isinstance(said, dict) else {}
    for token in islice((token for token in source.vocabulary.added if token.content in other), _SHOWN):
        i = other[token.content]
        whose = f"; {i} is the id of {literal(pieces[i][:_LONGEST])}" if i < len(pieces) and pieces[i] else ""
        named = literal(token.content[:_LONGEST])
        yield f"the file gives the added token {named} the id {i}, and the library gives it {token.id}{whose}"


def _beyond(source: Source) -> Iterator[str]:
    """Keys of a GGUF with the id of a special token that is no piece."""
    size = len(source.vocabulary)
    for key, i in source.metadata.items():
        if key.startswith(PREFIX) and key.endswith("_token_id") and isinstance(i, int) and not 0 <= i < size:
            yield f"{key} is {i}, and the last piece has the id {size - 1}; llama.cpp ignores the key"


def _templates(source: Source) -> Iterator[str]:
    """Chat templates that are none."""
    for key, template in chat_of(source).items():
        if why := unreadable(template):
            yield f"{key} is no template that Jinja can read: {why}"


def _made_by_no_merge(source: Source) -> Sequence[int]:
    """Pieces that no text gives, where only merges make pieces of more than one symbol."""
    vocabulary = source.vocabulary
    if not vocabulary.merges or source.behaviour.ignore_merges or not source.behaviour.byte_level:
        return ()
    made = {left + right for left, right in vocabulary.merges}
    added, suffix = vocabulary.added_by_id, source.behaviour.word_suffix.encode()
    return [
        i
        for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
        if kind is Kind.NORMAL and i not in added and piece not in made and _is_long(piece, suffix)
    ]


def _is_long(piece: bytes, suffix: bytes) -> bool:
    return len(piece.removesuffix(suffix).decode("utf-8", "replace")) > 1


def _of_pieces(vocabulary: Vocabulary, ids: Sequence[int], one: str, several: str) -> Iterator[str]:
    if ids:
        shown = (f"{literal(vocabulary.pieces[i])} [{i}]" for i in ids)
        yield f"{_count(ids, 'piece', 'pieces')} {one if len(ids) == 1 else several}: {_few(shown, ids)}"


def _count(ids: Sequence[int], one: str, several: str) -> str:
    return f"{len(ids):,} {one if len(ids) == 1 else several}"


def _few(shown: Iterator[str], ids: Sequence[int]) -> str:
    more = f", and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return ", ".join(islice(shown, _SHOWN)) + more
