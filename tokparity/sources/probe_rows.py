"""The rows of ids of the probe set: what engines decode in their own way, whatever texts they encode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tokparity.case import Case, Origin
from tokparity.generators.subject import Subject
from tokparity.questions import Decode
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.vocabulary import Kind

_SPELLED = "é€😀".encode()
"""Characters of two, three and four bytes."""
_STOPS = (".", ",", "!", "?", ":", ";", "'", '"', ")", "n't", "'s", "'m", "'ve", "-", "/")
"""What an engine that cleans up joins to the word before it."""
_WORDS = 3
_TOKENS = 6


def probe_rows(subject: Subject) -> list[Case[Decode]]:
    """Rows of ids, each once; the origin of every case is "probe:rows:NUMBER"."""
    rows = dict.fromkeys(tuple(row) for row in _rows(subject) if row)
    tokens = dict.fromkeys(_with_tokens(subject))
    every = [*(Decode(row) for row in rows), *(Decode(row, hides) for row in tokens for hides in (True, False))]
    shared = subject.vocabulary.shared_ids  # of two names an engine may give either
    asked = [question for question in every if shared.keys().isdisjoint(question.ids)]
    return [Case(question, Origin("probe", "rows", number)) for number, question in enumerate(asked)]


def _rows(subject: Subject) -> Iterator[Sequence[int]]:
    """Bytes of characters that are whole, cut, alone and repeated; words at the start, and with signs behind them."""
    bytes_, (first, inner) = _byte_ids(subject), _words(subject)
    word = [*first, *inner][:1]
    spelled = [bytes_[byte] for byte in _SPELLED if byte in bytes_]
    if len(spelled) == len(_SPELLED):
        whole = spelled[:2], spelled[2:5], spelled[5:]
        yield spelled
        for row in whole:
            yield from (row, row[:1], row[:-1], row[1:], [*row[:1], *row], [*row[:-1], *word, *row[-1:]], row[::-1])
    for byte in (0x00, 0x09, 0x0A, 0x20, 0x41, 0x7F, 0x80, 0xAD, 0xBF, 0xC0, 0xC1, 0xED, 0xF5, 0xFF):
        if byte in bytes_:
            yield from ([bytes_[byte]], [bytes_[byte], bytes_[byte], bytes_[byte]], [*word, bytes_[byte], *word])
    for one in (first, inner):
        yield from ([i] for i in one)
        yield one
        yield from ([i, *other[:1]] for i in one[:1] for other in (first, inner))
        yield [*one[:1], *one[:1], *one[:1]]
    for stop in _stops(subject):
        yield from ([*word, stop, *word], [stop, stop])


def _byte_ids(subject: Subject) -> Mapping[int, int]:
    """The id of each byte that has one."""
    vocabulary = subject.vocabulary
    if not subject.behaviour.byte_level:
        return {byte: i for byte, i in enumerate(vocabulary.byte_ids) if i is not None}
    spelled = ((from_alphabet(piece.decode("utf-8", "surrogateescape")), i) for piece, i in vocabulary.ids.items())
    return {piece[0]: i for piece, i in spelled if len(piece) == 1}


def _words(subject: Subject) -> tuple[list[int], list[int]]:
    """Some pieces that begin a word, and some that stand within one, as their marks say."""
    vocabulary, behaviour = subject.vocabulary, subject.behaviour
    prefix, marker = behaviour.continuing_prefix.encode(), ("Ġ" if behaviour.byte_level else "▁").encode()
    first: list[int] = []
    inner: list[int] = []
    for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True)):
        mark = prefix or marker
        letters = piece.removeprefix(mark)
        if kind is Kind.NORMAL and len(letters) > 1 and letters.isalpha():
            (first if piece.startswith(mark) is not bool(prefix) else inner).append(i)
    return first[:_WORDS], inner[:_WORDS]


def _stops(subject: Subject) -> Iterator[int]:
    """The ids of signs, with a mark of a space before them where such a piece exists, and without."""
    ids = subject.vocabulary.ids
    marks = ("", "Ġ" if subject.behaviour.byte_level else "▁")
    yield from (i for stop in _STOPS for mark in marks if (i := ids.get((mark + stop).encode())) is not None)


def _with_tokens(subject: Subject) -> Iterator[tuple[int, ...]]:
    """Added tokens and pieces of a special kind: alone, and between words."""
    vocabulary, (first, inner) = subject.vocabulary, _words(subject)
    special = (i for i, kind in enumerate(vocabulary.kinds) if kind not in (Kind.NORMAL, Kind.BYTE, Kind.UNUSED))
    for i in islice(dict.fromkeys([*special, *(token.id for token in vocabulary.added)]), _TOKENS):
        yield from ((i,), (*first[:1], i, *first[:1]), (*inner[:1], i, i, *inner[:1]))
