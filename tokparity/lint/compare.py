"""The differences between two sources: data first (pieces, merges, added tokens, special ids), then behaviour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tokparity.behaviour import Behaviour
from tokparity.difference import first_difference
from tokparity.formats import Source
from tokparity.formats.expressible import COMPARED
from tokparity.formats.expressible import shown as value_shown
from tokparity.lint.effects import DECODING, EFFECTS
from tokparity.questions.json_text import literal
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import as_bert_spells
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

Apply = Callable[[Vocabulary, Behaviour], tuple[Vocabulary, Behaviour]]
"""The left source with this one difference made as in the right one."""

_EXAMPLES = 5
_BEFORE, _SHOWN = 30, 110  # characters of a long value that are shown: before the difference, and in all


@dataclass(frozen=True)
class Difference:
    """One difference: where, what is so on each side, what it is likely to do, and the left source with it made right.

    `texts` are texts on which it may show.
    """

    part: str
    what: str
    effect: str
    apply: Apply = field(compare=False)
    texts: tuple[bytes, ...] = ()


def share_of_common_pieces(left: Source, right: Source) -> float:
    """The share of the pieces of both that both have, however the formats spell the begin of a word."""
    ours, theirs = set(spelled(left)) - {b""}, set(spelled(right)) - {b""}
    return len(ours & theirs) / max(len(ours | theirs), 1)


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


def differences(left: Source, right: Source) -> Iterator[Difference]:
    """All differences between two sources."""
    yield from _pieces(left, right)
    if len(left.vocabulary) == len(right.vocabulary):
        yield from _kinds(left, right)
    if left.behaviour.segment != right.behaviour.segment:
        yield _algorithm(left, right)
    else:
        if len(left.vocabulary) == len(right.vocabulary):
            yield from _scores(left, right)
        yield from _merges(left, right)
    yield from _added(left.vocabulary, right.vocabulary)
    yield from _special(left.vocabulary, right.vocabulary)
    yield from _behaviour(left, right)


def _pieces(left: Source, right: Source) -> Iterator[Difference]:
    ours, theirs = spelled(left), spelled(right)
    if ours == theirs:
        return
    yours, mine = {p: i for i, p in enumerate(theirs) if p}, {p: i for i, p in enumerate(ours) if p}
    missing = [p for p in yours if p not in mine]
    extra = [p for p in mine if p not in yours]
    moved = [p for p, i in mine.items() if yours.get(p, i) != i]

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return right.vocabulary, replace(
            behaviour,
            word_prefix=right.behaviour.word_prefix,
            continuing_prefix=right.behaviour.continuing_prefix,
        )

    for pieces, what, effect in (
        (missing, "missing on the left", "texts with these pieces are cut into smaller ones"),
        (extra, "missing on the right", "texts with these pieces are cut into smaller ones by the right source"),
        (moved, "under another id", "texts with these pieces get other ids"),
    ):
        if pieces:
            yield Difference(
                "pieces", f"{len(pieces)} {what}: {_some(pieces)}", effect, apply, tuple(map(_text, pieces[:50]))
            )
    if len(ours) != len(theirs):
        what = f"{len(ours)} ids on the left, {len(theirs)} on the right"
        yield Difference("pieces", what, "none, if the ids that only one side has are never given", apply)


def _kinds(left: Source, right: Source) -> Iterator[Difference]:
    ours, theirs = left.vocabulary.kinds, right.vocabulary.kinds
    changed: dict[tuple[Kind, Kind], list[int]] = {}
    for i, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if our is not their:
            changed.setdefault((our, their), []).append(i)

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return replace(vocabulary, kinds=theirs), behaviour

    for (our, their), ids in changed.items():
        pieces = [left.vocabulary.pieces[i] for i in ids]
        yield Difference(
            "kinds",
            f"{len(ids)} pieces are {our.name} on the left and {their.name} on the right: {_some(pieces)}",
            "these pieces are matched, merged or left out differently",
            apply,
            tuple(map(_text, pieces[:50])),
        )


def _algorithm(left: Source, right: Source) -> Difference:
    """Another algorithm, with the data that it needs: one source orders merges by score, the other lists them, say."""
    ours, theirs = left.vocabulary, right.vocabulary

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        needed = replace(
            vocabulary, pieces=theirs.pieces, kinds=theirs.kinds, scores=theirs.scores, merges=theirs.merges
        )
        fields = {name: getattr(right.behaviour, name) for name in ("segment", "unused_pieces")}
        return needed, replace(behaviour, **fields)

    one, other = value_shown(left.behaviour.segment), value_shown(right.behaviour.segment)
    what = (
        f"{one} with {len(ours.scores)} scores and {len(ours.merges)} merges on the left, "
        f"{other} with {len(theirs.scores)} and {len(theirs.merges)} on the right"
    )
    return Difference("algorithm", what, EFFECTS["segment"] + ", unless both come to the same", apply)


def _scores(left: Source, right: Source) -> Iterator[Difference]:
    if left.behaviour.segment not in (spm, ugm) and right.behaviour.segment not in (spm, ugm):
        return  # nobody looks at them
    ours, theirs = left.vocabulary.scores, right.vocabulary.scores
    if ours == theirs:
        return

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return replace(vocabulary, scores=theirs), behaviour

    if not ours or not theirs:
        what = f"there are none on the {'right' if ours else 'left'}"
        yield Difference("scores", what, "nothing is merged in the right order", apply)
        return
    other = [i for i, (our, their) in enumerate(zip(ours, theirs, strict=True)) if our != their]
    pieces = [left.vocabulary.pieces[i] for i in other]
    what = f"{len(other)} differ: {_some(pieces)} (the first: {ours[other[0]]:g} on the left, {theirs[other[0]]:g})"
    yield Difference("scores", what, "pieces are preferred in another order", apply, tuple(map(_text, pieces[:50])))


def _merges(left: Source, right: Source) -> Iterator[Difference]:
    ours, theirs = left.vocabulary.merges, right.vocabulary.merges
    if ours == theirs:
        return

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return replace(vocabulary, merges=theirs), behaviour

    missing, extra = set(theirs) - set(ours), set(ours) - set(theirs)
    for merges, what in ((missing, "missing on the left"), (extra, "missing on the right")):
        if merges:
            made = sorted((a + b for a, b in merges), key=len)
            told = f"{len(merges)} {what}, of those with {len(ours)} and {len(theirs)}: {_some(made)}"
            yield Difference("merges", told, "these pieces are not put together", apply, tuple(map(_text, made[:50])))
    if not missing and not extra:
        first = next(i for i, (our, their) in enumerate(zip(ours, theirs, strict=False)) if our != their)
        text = _text(b"".join(theirs[first]))
        yield Difference(
            "merges", f"in another order from number {first}", "words are put together differently", apply, (text,)
        )


def _added(left: Vocabulary, right: Vocabulary) -> Iterator[Difference]:
    ours, theirs = {t.id: t for t in left.added}, {t.id: t for t in right.added}

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        return replace(vocabulary, added=right.added), behaviour

    for side, here, there in (("left", ours, theirs), ("right", theirs, ours)):
        missing = [token for i, token in there.items() if i not in here]
        if missing:
            what = f"{len(missing)} are no added tokens on the {side}: {_some([t.content.encode() for t in missing])}"
            yield Difference("added tokens", what, "they are not found in a text as a whole", apply, _around(missing))
    for name in ("content", "special", "normalized", "single_word", "lstrip", "rstrip"):
        other = [ours[i] for i in ours if i in theirs and getattr(ours[i], name) != getattr(theirs[i], name)]
        if other:
            first = other[0]
            values = f"{getattr(first, name)!r} on the left, {getattr(theirs[first.id], name)!r} on the right"
            what = f"{len(other)} have another {name}: {_some([t.content.encode() for t in other])} ({values})"
            yield Difference("added tokens", what, "they are found, or eat spaces, elsewhere", apply, _around(other))


def _special(left: Vocabulary, right: Vocabulary) -> Iterator[Difference]:
    for role in dict.fromkeys((*left.special, *right.special)):
        ours, theirs = left.special.get(role), right.special.get(role)
        if ours != theirs:
            yield Difference(
                "special ids",
                f"{role} is {_id(left, ours)} on the left and {_id(right, theirs)} on the right",
                "an engine adds, or stops at, another token",
                lambda v, b, role=role, i=theirs: (replace(v, special=_with(v.special, role, i)), b),  # type: ignore[misc]
            )


def _behaviour(left: Source, right: Source) -> Iterator[Difference]:
    for name, title in {**COMPARED, **DECODING}.items():
        ours, theirs = getattr(left.behaviour, name), getattr(right.behaviour, name)
        if ours != theirs and name != "segment":
            yield Difference(
                title,
                _both(ours, theirs),
                EFFECTS.get(name, "texts come out differently"),
                lambda v, b, name=name, value=theirs: (v, replace(b, **{name: value})),  # type: ignore[misc]
            )


def _both(ours: object, theirs: object) -> str:
    """Two values; of long ones what stands around the place at which they differ."""
    one, other = value_shown(ours, whole=True), value_shown(theirs, whole=True)
    start = max(first_difference(one, other) - _BEFORE, 0)
    if start <= _BEFORE:
        start = 0
    shown = [("..." if start else "") + side[start : start + _SHOWN] for side in (one, other)]
    dots = ["..." if len(side) > start + _SHOWN else "" for side in (one, other)]
    return f"{shown[0]}{dots[0]} on the left, {shown[1]}{dots[1]} on the right"


def _with(special: Mapping[str, int], role: str, piece_id: int | None) -> dict[str, int]:
    rest = {name: i for name, i in special.items() if name != role}
    return rest if piece_id is None else {**rest, role: piece_id}


def _id(vocabulary: Vocabulary, piece_id: int | None) -> str:
    if piece_id is None:
        return "absent"
    spelling = vocabulary.pieces[piece_id] if 0 <= piece_id < len(vocabulary) else b""
    return f"{piece_id} {_some([spelling])}"


def _some(pieces: Sequence[bytes]) -> str:
    shown = ", ".join(literal(piece[:60]) for piece in pieces[:_EXAMPLES])
    return shown + (" ..." if len(pieces) > _EXAMPLES else "")


def _text(piece: bytes) -> bytes:
    """The piece as it may stand in a text."""
    text = piece.decode("utf-8", "surrogateescape").removeprefix("##")
    if "▁" in text:
        return text.replace("▁", " ").encode("utf-8", "surrogateescape")
    return from_alphabet(text) if any(c in text for c in "ĠĊĉ") else piece.removeprefix(b"##")


def _around(tokens: Sequence[AddedToken]) -> tuple[bytes, ...]:
    contents = [token.content.encode("utf-8", "surrogateescape") for token in tokens[:20]]
    return tuple(text for c in contents for text in (c, b"a" + c + b"b", b"a " + c + b" b"))
