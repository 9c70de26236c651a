"""What a format can't express: what a reader does not find again in what a writer is about to write.

A writer builds the file's content, interprets it with its own reader and compares. So nothing is lost in silence, also
nothing that is added to `Behaviour` later, and no writer needs a list of what it can't do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError
from tokparity.formats.tokenizer_json_stage_writer import stage_json
from tokparity.reference import normalise
from tokparity.reference.bpe import bpe
from tokparity.reference.byte_alphabet import ALPHABET
from tokparity.reference.same_cuts import as_chain, cut_alike
from tokparity.reference.splits import Chain, Metaspace, Split
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

COMPARED = {
    "segment": "algorithm",
    "normalise": "normalizer",
    "collapse_spaces": "collapsing of spaces",
    "space_prefix": "space prefix",
    "prefix_doubles": "space prefix before a space",
    "space_as_suffix": "space as suffix",
    "space_marker": "space marker",
    "escape_order": "order of escaping",
    "pretokenise": "pre-tokenizer",
    "byte_level": "byte alphabet",
    "symbols": "symbols that merging begins with",
    "ignore_merges": "ignore_merges",
    "tie_break": "side of equal merges",
    "merge": "order of merging",
    "fallback": "fallback",
    "fuse_unknown": "fusing of unknowns",
    "unknown_penalty": "unknown penalty",
    "unused_pieces": "use of unused pieces",
    "continuing_prefix": "prefix of continuing pieces",
    "word_prefix": "prefix of a word's first piece",
    "word_suffix": "suffix of a word",
    "max_word_chars": "longest word",
    "prefix_ids": "ids before the text",
    "suffix_ids": "ids after the text",
}
"""The fields that say which ids a text has, with what to call them.

Left out is how an engine works whatever the file says (width of sums, invalid UTF-8, whether special tokens are parsed,
the search for added tokens), and decoding, which follows from the algorithm in every format but tokenizer.json.
"""

ANOTHER = "choose another format"

_ALPHABET_PIECES = frozenset(character.encode() for character in ALPHABET)


def _is(*algorithms: object) -> Callable[[Vocabulary, Behaviour], bool]:
    return lambda vocabulary, behaviour: behaviour.segment in algorithms


def _may_meet_unknown(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    if behaviour.byte_level:
        return not vocabulary.ids.keys() >= _ALPHABET_PIECES
    return not (behaviour.fallback == "bytes" and None not in vocabulary.byte_ids)


def _has_prefix(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    return behaviour.space_prefix != "never"


_MATTERS: dict[str, Callable[[Vocabulary, Behaviour], bool]] = {
    "prefix_doubles": _has_prefix,
    "space_as_suffix": _has_prefix,
    "escape_order": lambda vocabulary, behaviour: behaviour.pretokenise is not None and behaviour.space_marker != " ",
    "ignore_merges": _is(bpe),
    "tie_break": _is(bpe, spm),
    "merge": _is(bpe, spm),
    "unknown_penalty": _is(ugm),
    "fuse_unknown": _may_meet_unknown,
    "unused_pieces": lambda vocabulary, behaviour: any(
        piece and kind is Kind.UNUSED for piece, kind in zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    ),
    "word_prefix": _is(wpm),
    "max_word_chars": _is(wpm),
}
"""When a field changes anything at all; absent: always."""


def check_behaviour(
    format: str,
    vocabulary: Vocabulary,
    wanted: Behaviour,
    found: Behaviour,
    leave_out: tuple[str, ...] = (),
    ways_on: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """CannotExpressError if `found`, read from what would be written, gives other ids than `wanted`.

    `ways_on` says, for a field, what the format's engine does instead and which file to take.
    """
    # What Metaspace does with spaces is no field of its own where another pre-tokenizer stands before it.
    inside = any(isinstance(stage, Metaspace) for stage in getattr(wanted.pretokenise, "stages", ()))
    for field in sorted(COMPARED, key=lambda field: not (inside and field == "pretokenise")):
        title = COMPARED[field]
        matters = _MATTERS.get(field)
        if field in leave_out or (matters and not matters(vocabulary, wanted)):
            continue
        value, got = getattr(wanted, field), getattr(found, field)
        if value != got and not _means_the_same(field, value, got, vocabulary, wanted):
            raise CannotExpressError(
                f"{format} cannot express this {title}: {shown(value)} (it would be read as {shown(got)})",
                ways_on.get(field, "choose another format, or change the model's file"),
            )


def _means_the_same(field: str, value: object, got: object, vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    if field == "space_prefix" and not vocabulary.added:
        return {value, got} == {"always", "first"}
    if field == "pretokenise":
        return cut_alike(_without_idle(value, behaviour), _without_idle(got, behaviour))
    if isinstance(value, normalise.Bert) and isinstance(got, normalise.Bert):
        return _explicit(value) == _explicit(got)
    return field == "fallback" and not _may_meet_unknown(vocabulary, behaviour) and behaviour.byte_level


def _without_idle(stage: object, behaviour: Behaviour) -> object:
    """A pre-tokenizer without splits at spaces, where every space has become the marker before."""
    if behaviour.space_marker == " " or behaviour.escape_order != "before_split":
        return stage
    stages = getattr(as_chain(stage), "stages", ())
    kept = tuple(
        one for one in stages if not (isinstance(one, Split) and one.literal and not one.invert and one.pattern == " ")
    )
    return Chain(kept) if kept else None if stages else stage


def _explicit(stage: normalise.Bert) -> normalise.Bert:
    return replace(stage, strip_accents=stage.drops_accents)


def check_added(
    format: str,
    wanted: Vocabulary,
    found: Vocabulary,
    behaviour: Behaviour,
    special: bool,
    ways_on: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """CannotExpressError if an added token is lost or loses an attribute; `special` ones are looked at if asked.

    `ways_on` says, for "added" and for an attribute, what the format's engine does instead and what to do then.
    """
    plain = behaviour.normalise is None and behaviour.space_prefix == "never" and not behaviour.collapse_spaces
    there = {token.id: token for token in found.added}
    for token in wanted.added:
        if token.special and not special:
            continue
        got = there.get(token.id)
        if got is None or got.content != token.content or got.special != token.special:
            raise CannotExpressError(
                f"{format} cannot express the {'special' if token.special else 'added'} token {token.content!r} "
                f"(id {token.id})",
                ways_on.get("added", ANOTHER),
            )
        # Where nothing is normalized, looking before or after normalization is the same.
        got = replace(got, normalized=token.normalized) if plain else got
        if got != token:
            name = _first_difference(token, got)
            raise CannotExpressError(
                f"{format} cannot express the attribute {name}={getattr(token, name)} of {token.content!r}",
                ways_on.get(name, ANOTHER),
            )


def _first_difference(wanted: AddedToken, got: AddedToken) -> str:
    names = ("normalized", "single_word", "lstrip", "rstrip")
    return next(name for name in names if getattr(wanted, name) != getattr(got, name))


def shown(value: object, whole: bool = False) -> str:
    """A value of a `Behaviour` in one line, a short one unless the `whole` is asked for."""
    text = stage_json(value) or getattr(value, "__name__", None) or repr(value)
    return text if whole or len(text) <= 120 else text[:117] + "..."
