"""Reduces a large model to the pieces that can occur in a few texts, so that running it takes no second.

A piece can occur only if it is part of a text as some normalizer may leave it. The other pieces are removed, and the
rest is numbered anew in its old order. Results are verified with the whole model, so at worst a cause is missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tokparity.behaviour import MARKER
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.pieces import RUN, Cores, Pieces, has_all
from tokparity.outcome import Encoding, Outcome
from tokparity.quirk import Quirk
from tokparity.reference.text import encode_text
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import AddedToken


@dataclass(frozen=True)
class ReducedModel:
    """Small models, and for each id of the whole ones theirs. An id that they do not have becomes a negative one."""

    bases: Sequence[Base]
    ids: Mapping[int, int] = field(default_factory=dict)

    def observation(self, observation: Observation) -> Observation:
        """The observation in the ids of the small models."""
        expected, actual = (self._answer(one) for one in (observation.expected, observation.actual))
        return replace(observation, expected=expected, actual=actual)

    def _answer(self, outcome: Outcome) -> Outcome:
        return Encoding(self.numbered(outcome.ids), outcome.decoded) if isinstance(outcome, Encoding) else outcome

    def numbered(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Ids in those of the small models."""
        # What an engine writes for no piece (-1) stays what it is, apart from the pieces that were taken out.
        return tuple(i if i < 0 else self.ids.get(i, -2 - i) for i in ids) if self.ids else tuple(ids)


def reduced(bases: Sequence[Base], texts: Sequence[bytes], quirks: Sequence[Quirk], limits: Limits) -> ReducedModel:
    """The bases without all pieces that none of the texts can contain; small ones as they are."""
    known_wraps = all(base.behaviour.wrap in (None, wrap_once) for base in bases)
    if len(bases[0].vocabulary) < limits.reduced_from_pieces or not known_wraps:
        return ReducedModel(bases)
    parts = [_possible_pieces(texts, base, quirks) for base in bases]
    pairs = zip(bases, parts, strict=True)
    kept = sorted(set().union(*(_kept(base, part, limits.first_pieces) for base, part in pairs)))
    ids = {old: new for new, old in enumerate(kept)}
    return ReducedModel([_small(base, part, ids) for base, part in zip(bases, parts, strict=True)], ids)


def _kept(base: Base, may_come_up: _PossiblePieces, first: int) -> set[int]:
    """The ids of the pieces that are kept: the first ones, those that always are, and those that may come up."""
    added = (token.id for token in _added(base, may_come_up))
    first_ids = range(min(first, len(base.vocabulary)))
    return {*first_ids, *base.pieces.always, *added, *may_come_up.among(base.pieces.cores)}


def _small(base: Base, may_come_up: _PossiblePieces, ids: Mapping[int, int]) -> Base:
    vocabulary, behaviour = base.vocabulary, base.behaviour
    kept = [i for i in ids if i < len(vocabulary)]
    small = replace(
        vocabulary,
        pieces=tuple(vocabulary.pieces[i] for i in kept),
        kinds=tuple(vocabulary.kinds[i] for i in kept),
        scores=tuple(vocabulary.scores[i] for i in kept) if vocabulary.scores else (),
        merges=_merges(base, may_come_up),
        added=tuple(replace(token, id=ids[token.id]) for token in _added(base, may_come_up)),
        special={name: ids[i] for name, i in vocabulary.special.items()},
        outside=frozenset(ids[i] for i in vocabulary.outside if i in ids),
    )
    prefix, suffix = (tuple(ids[i] for i in found) for found in (behaviour.prefix_ids, behaviour.suffix_ids))
    return Base(small, replace(behaviour, prefix_ids=prefix, suffix_ids=suffix))


def _added(base: Base, may_come_up: _PossiblePieces) -> list[AddedToken]:
    """The added tokens that may come up; those of spaces, too (MPT), which the forms of a text have as markers."""
    normalise = base.behaviour.normalise or str
    contents = ((token, (token.content, normalise(token.content))) for token in base.vocabulary.added)
    return [token for token, spelled in contents if any(may_come_up(_marked(text)) for text in spelled)]


def _marked(text: str) -> bytes:
    return encode_text(text.replace(" ", MARKER))


def _merges(base: Base, may_come_up: _PossiblePieces) -> tuple[tuple[bytes, bytes], ...]:
    """The merges whose two halves, and what they make, can come up; at least one, for none would mean another order."""
    merges = base.vocabulary.merges
    found = [merges[place] for place in sorted(may_come_up.among(base.pieces.merged))]
    if base.pieces.affixes:
        found = [(left, right) for left, right in found if may_come_up(right)]
    return tuple(found) or merges[:1]


@dataclass(frozen=True)
class _PossiblePieces:
    """Tells whether a piece may be part of one of the texts, in whatever form: all its `runs` are among theirs."""

    pieces: Pieces
    runs: frozenset[str]

    def among(self, cores: Cores) -> Iterator[int]:
        """The places of those that may come up."""
        return cores.among(self.runs)

    def __call__(self, piece: bytes) -> bool:
        return has_all(self.runs, self.pieces.core(piece))


def _possible_pieces(texts: Sequence[bytes], base: Base, quirks: Sequence[Quirk]) -> _PossiblePieces:
    """The pieces that may come up in the texts."""
    found = base.forms(quirks).of(texts)
    # A character that is not a piece may be dropped, and its neighbors merged.
    no_pieces = {ord(c): None for c in set().union(*found) if encode_text(c) not in base.vocabulary.ids}
    haystack = "\n\n".join(dict.fromkeys((*found, *(text.translate(no_pieces) for text in found))))
    long_runs = {haystack[i : i + RUN] for i in range(len(haystack))}
    return _PossiblePieces(base.pieces, frozenset(run[:n] for run in long_runs for n in range(1, RUN + 1)))
