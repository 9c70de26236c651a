"""The differences in what two sources' pieces are: which there are, under which ids, of which kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.formats import Source
from tokparity.lint.difference import Difference, some, text_of, vocabulary_with
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.wpm import CONTINUING, as_bert_spells
from tokparity.vocabulary import Kind, Vocabulary

_FEWEST = 3
"""Pieces that must be moved alike before it is said by how much."""
_SPACE, _CONTINUING = "▁".encode(), CONTINUING.encode()


def share_of_common_pieces(left: Source, right: Source) -> float:
    """The share of the pieces of both that both have, however a file spells the begin of a word, rightly or wrongly.

    One of them may have some pieces as text that the other one spells in the byte alphabet.
    """
    ours, theirs = (spelled(source) for source in (left, right))
    return max(_common(ours, theirs), _common(theirs, ours))


def _common(ours: Sequence[bytes], theirs: Sequence[bytes]) -> float:
    known = {*map(_bare, ours)} - {b""}
    other = {_bare(piece): _bare(_as_text(piece)) for piece in theirs}
    other.pop(b"", None)
    common = sum(piece in known or text in known for piece, text in other.items())
    return common / max(len(known) + len(other) - common, 1)


def _as_text(piece: bytes) -> bytes:
    return from_alphabet(piece.decode("utf-8", "surrogateescape"))


def _bare(piece: bytes) -> bytes:
    """A piece without what marks the begin of a word, or that a word goes on: a bad conversion loses or doubles it."""
    piece = piece.replace(_SPACE, b" ").lstrip(b" ")
    while piece.startswith(_CONTINUING):
        piece = piece.removeprefix(_CONTINUING)
    return piece


def spelled(source: Source) -> list[bytes]:
    """The pieces, in the spelling of BERT ("##" continues a word) where a GGUF marks the begin of a word instead."""
    prefix = source.behaviour.word_prefix
    pieces = source.vocabulary.pieces
    if not prefix:
        return list(pieces)
    outside = {token.id for token in source.vocabulary.added}
    return [
        piece
        if i in outside or source.vocabulary.kinds[i] is not Kind.NORMAL
        else as_bert_spells(piece.decode("utf-8", "surrogateescape"), prefix).encode("utf-8", "surrogateescape")
        for i, piece in enumerate(pieces)
    ]


def are_spellings(left: Behaviour, right: Behaviour) -> bool:
    """Whether one marks the begin of a word and the other ("##") that it goes on, which `spelled` makes the same."""
    sides = sorted((side.word_prefix, side.continuing_prefix) for side in (left, right))
    return sides == [("", CONTINUING), (_SPACE.decode(), "")]


def of_pieces(left: Source, right: Source) -> Iterator[Difference]:
    """Pieces that one side lacks, or has under another id."""
    ours, theirs = spelled(left), spelled(right)
    if ours == theirs:
        return
    yours, mine = {p: i for i, p in enumerate(theirs) if p}, {p: i for i, p in enumerate(ours) if p}
    missing = [p for p in yours if p not in mine]
    extra = [p for p in mine if p not in yours]
    moved = {p: i - yours[p] for p, i in mine.items() if yours.get(p, i) != i}

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return _ranked(right.vocabulary, vocabulary), replace(
            behaviour,
            word_prefix=right.behaviour.word_prefix,
            continuing_prefix=right.behaviour.continuing_prefix,
        )

    for pieces, what, effect in (
        (missing, "missing on the left", "texts with these pieces are cut into smaller ones"),
        (extra, "missing on the right", "texts with these pieces are cut into smaller ones by the right source"),
        ([*moved], f"under another id{_shift(moved, yours)}", "texts with these pieces get other ids"),
    ):
        if pieces:
            yield Difference(
                "pieces", f"{len(pieces)} {what}: {some(pieces)}", effect, apply, tuple(map(text_of, pieces[:50]))
            )
    if len(ours) != len(theirs):
        what = f"{len(ours)} ids on the left, {len(theirs)} on the right"
        yield Difference("pieces", what, "none, if the ids that only one side has are never given", apply)


def _ranked(theirs: Vocabulary, ours: Vocabulary) -> Vocabulary:
    """The right side's pieces with our scores and merges, where it ranks pieces in another way and has none."""
    known = dict(zip(ours.pieces, ours.scores, strict=False))
    scores = theirs.scores or tuple(known.get(piece, 0.0) for piece in theirs.pieces if known)
    made = (merge for merge in ours.merges if theirs.ids.keys() >= {*merge, b"".join(merge)})
    return replace(theirs, scores=scores, merges=theirs.merges or tuple(made))


def of_kinds(left: Source, right: Source) -> Iterator[Difference]:
    """Pieces that are of another kind."""
    ours, theirs = left.vocabulary.kinds, right.vocabulary.kinds
    changed: dict[tuple[Kind, Kind], list[int]] = {}
    for i, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if our is not their:
            changed.setdefault((our, their), []).append(i)

    apply = vocabulary_with(kinds=theirs)
    for (our, their), ids in changed.items():
        pieces = [left.vocabulary.pieces[i] for i in ids]
        yield Difference(
            "kinds",
            f"{len(ids)} pieces are {our.name} on the left and {their.name} on the right: {some(pieces)}",
            "these pieces are matched, merged or left out differently",
            apply,
            tuple(map(text_of, pieces[:50])),
        )


def _shift(moved: Mapping[bytes, int], ids: Mapping[bytes, int]) -> str:
    """By how much all ids are too high or low, where it is the same for all."""
    if len(moved) < _FEWEST or len(by := {*moved.values()}) > 1:
        return ""
    (shift,) = by
    return f" ({abs(shift):,} {'lower' if shift < 0 else 'higher'} on the left, from {min(ids[p] for p in moved):,} on)"
