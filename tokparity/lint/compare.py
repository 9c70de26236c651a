"""The differences between two sources: data first (pieces, merges, added tokens, special ids), then behavior."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.difference import first_difference
from tokparity.formats import Source
from tokparity.formats.beside import AROUND, as_configured, told
from tokparity.formats.expressible import COMPARED
from tokparity.formats.expressible import shown as value_shown
from tokparity.lint.difference import Difference, some
from tokparity.lint.effects import DECODING, EFFECTS
from tokparity.lint.pieces import are_spellings, of_kinds, of_pieces
from tokparity.lint.segmentation import of_algorithm, of_merges, of_scores
from tokparity.reference.same_cuts import cut_alike
from tokparity.report.rule import count
from tokparity.vocabulary import AddedToken, Vocabulary

BESIDE = ("tokenizer.json", "tiktoken", "tekken")
"""Formats in which special ids and the clean-up of decoded text have no place; files beside them say that."""
_UNSAID = "none that can be told: the format has no place for it, a tokenizer_config.json beside the file has"
_UNKNOWN = "characters without a piece become another id, nothing or an error"
_LONGEST_WORD = 10_000  # characters of a text that shows another limit
_BEFORE, _SHOWN = 30, 110  # characters of a long value that are shown: before the difference, and in all


def differences(left: Source, right: Source) -> Iterator[Difference]:
    """All differences between two sources."""
    yield from of_pieces(left, right)
    if len(left.vocabulary) == len(right.vocabulary):
        yield from of_kinds(left, right)
    if left.behaviour.segment != right.behaviour.segment:
        yield of_algorithm(left, right)
    else:
        if len(left.vocabulary) == len(right.vocabulary):
            yield from of_scores(left, right)
        yield from of_merges(left, right)
    yield from _added(left.vocabulary, right.vocabulary)
    yield from _special(left, right)
    yield from _behaviour(left, right)


def _added(left: Vocabulary, right: Vocabulary) -> Iterator[Difference]:
    ours, theirs = {t.id: t for t in left.added}, {t.id: t for t in right.added}

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        longer = right.pieces[len(vocabulary) :]
        return replace(
            vocabulary,
            pieces=(*vocabulary.pieces, *longer),
            kinds=(*vocabulary.kinds, *right.kinds[len(vocabulary) :]),
            scores=(*vocabulary.scores, *(0.0 for _ in longer)) if vocabulary.scores else (),
            added=right.added,
        ), behaviour

    for side, here, there in (("left", ours, theirs), ("right", theirs, ours)):
        missing = [token for i, token in there.items() if i not in here]
        if missing:
            named = some([t.content.encode() for t in missing])
            what = f"the {side} lacks {count(len(missing), 'added token')}: {named}"
            yield Difference("added tokens", what, "they are not found in a text as a whole", apply, _around(missing))
    for name in ("content", "special", "normalized", "single_word", "lstrip", "rstrip"):
        other = [ours[i] for i in ours if i in theirs and getattr(ours[i], name) != getattr(theirs[i], name)]
        if other:
            first = other[0]
            values = f"{getattr(first, name)!r} on the left, {getattr(theirs[first.id], name)!r} on the right"
            has = count(len(other), "token has", "tokens have")
            what = f"{has} another {name}: {some([t.content.encode() for t in other])} ({values})"
            yield Difference("added tokens", what, "they are found, or eat spaces, elsewhere", apply, _around(other))


def _special(left: Source, right: Source) -> Iterator[Difference]:
    for role in dict.fromkeys((*left.vocabulary.special, *right.vocabulary.special)):
        ours, theirs = left.vocabulary.special.get(role), right.vocabulary.special.get(role)
        if ours != theirs:
            sides = ((left, ours), (right, theirs))
            unsaid = any(i is None and side.format in BESIDE and not _says(side, role) for side, i in sides)
            yield Difference(
                "special ids",
                f"{role} is {_id(left, ours)} on the left and {_id(right, theirs)} on the right",
                _UNSAID if unsaid else _UNKNOWN if role == "unk" else "an engine adds, or stops at, another token",
                lambda v, b, role=role, i=theirs: (replace(v, special=_with(v.special, role, i)), b),  # type: ignore[misc]
                unsaid=unsaid,
            )


def _says(source: Source, role: str) -> bool:
    """Whether the format has a place for it: a tokenizer.json names the unknown token."""
    return role == "unk" and source.format == "tokenizer.json"


_TOGETHER = (("normalise", "collapse_spaces"), ("decode", "strip_decoded_prefix"), ("pretokenise", "byte_level"))
"""Fields that say one thing: one stage of a tokenizer.json becomes both."""


def _behaviour(left: Source, right: Source) -> Iterator[Difference]:
    together = {name: {one: getattr(right.behaviour, one) for one in names} for names in _TOGETHER for name in names}
    formats = {left.format, right.format}
    same = ("word_prefix", "continuing_prefix") if are_spellings(left.behaviour, right.behaviour) else ()
    for name, title in {**COMPARED, **DECODING}.items():
        if name in same or (name == "decode" and len(formats) > 1):  # each library has its own way
            continue
        ours, theirs = getattr(left.behaviour, name), getattr(right.behaviour, name)
        if name != "segment" and not (cut_alike(ours, theirs) if name == "pretokenise" else ours == theirs):
            unsaid = _unsaid(name, left, right)
            fields = together.get(name, {name: theirs})
            yield Difference(
                title,
                _both(ours, theirs),
                unsaid or EFFECTS.get(name, "texts come out differently"),
                lambda v, b, fields=fields: (v, replace(b, **fields)),  # type: ignore[misc]
                texts=tuple(_long_words(left, right)) if name == "max_word_chars" else (),
                unsaid=bool(unsaid),
            )


def _long_words(left: Source, right: Source) -> Iterator[bytes]:
    """Words of letters that have a piece, one character longer than the smaller of two limits."""
    limits = [side.behaviour.max_word_chars for side in (left, right) if side.behaviour.max_word_chars is not None]
    letters = (letter for letter in b"aeou" if bytes((letter,)) in left.vocabulary.ids)
    return (bytes((letter,)) * (min(limits) + 1) for letter in letters if min(limits) < _LONGEST_WORD)


def _unsaid(name: str, left: Source, right: Source) -> str:
    """Why nobody says which of two values is right: a format or a file does not say it, or files beside it disagree."""
    if name == "clean_up" and any(s.format in BESIDE and not s.behaviour.clean_up for s in (left, right)):
        return _UNSAID
    key = {field: key for key, _, field in AROUND}.get(name)
    for side, other in ((left, right), (right, left)):
        if key in side.disputed and getattr(as_configured(side).behaviour, name) == getattr(other.behaviour, name):
            return f"none that can be told: {told(side, str(key))}"
        if key in side.assumed:
            return f"none that can be told: {side.path.name} does not say it"
    return ""


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


def _id(source: Source, piece_id: int | None) -> str:
    vocabulary = source.vocabulary
    if piece_id is None:
        return "not said" if source.format in BESIDE else "absent"
    spelling = vocabulary.pieces[piece_id] if 0 <= piece_id < len(vocabulary) else b""
    return f"{piece_id} {some([spelling])}"


def _around(tokens: Sequence[AddedToken]) -> tuple[bytes, ...]:
    contents = [token.content.encode("utf-8", "surrogateescape") for token in tokens[:20]]
    return tuple(text for c in contents for text in (c, b"a" + c + b"b", b"a " + c + b" b"))
