"""A large model without the pieces that cannot come up in a few texts, so that trying a behaviour takes no second.

A piece can only come up where it is part of a text as some normaliser may leave it. The others are taken out, and the
ids close up in their old order. What is found with the small model is verified with the whole one; so at worst
something is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tokparity.behaviour import Behaviour, Stage
from tokparity.diagnose.evidence import Answer, Base, Observation
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.text import encode_text
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import AddedToken, Vocabulary

_WORTH_IT = 12_000  # pieces
_GRAM = 6  # characters: a piece can come up only if each six in a row of it do
_READING = (Stage.TEXT_IN, Stage.NORMALISATION)
"""What is about these says which characters the model gets to see."""


@dataclass(frozen=True)
class Reduced:
    """Small models, and how their ids are called. An id that they do not have becomes one that no model has."""

    bases: Sequence[Base]
    ids: Mapping[int, int] = field(default_factory=dict)

    def observation(self, observation: Observation) -> Observation:
        """The observation in the ids of the small models."""
        return replace(observation, expected=self._ids(observation.expected), actual=self._ids(observation.actual))

    def _ids(self, answer: Answer) -> Answer:
        if not self.ids or isinstance(answer, bytes):
            return answer
        return tuple(self.ids.get(i, -1 - i) for i in answer)


def reduced(bases: Sequence[Base], texts: Sequence[bytes], quirks: Sequence[Quirk]) -> Reduced:
    """The bases without all pieces that none of the texts can contain; small ones as they are."""
    if len(bases[0].vocabulary) < _WORTH_IT or any(base.behaviour.wrap not in (None, wrap_once) for base in bases):
        return Reduced(bases)
    parts = [_Parts(texts, base, quirks) for base in bases]
    kept = sorted(set().union(*(_kept(base, part) for base, part in zip(bases, parts, strict=True))))
    ids = {old: new for new, old in enumerate(kept)}
    return Reduced([_small(base, part, ids) for base, part in zip(bases, parts, strict=True)], ids)


def _kept(base: Base, may_come_up: _Parts) -> set[int]:
    """The ids of the pieces that are kept."""
    added = (token.id for token in _added(base, may_come_up))
    return {*base.pieces.needed, *added, *may_come_up.among(base.pieces.cores)}


def _small(base: Base, may_come_up: _Parts, ids: Mapping[int, int]) -> Base:
    vocabulary, behaviour = base.vocabulary, base.behaviour
    kept = [i for i in ids if i < len(vocabulary)]
    small = replace(
        vocabulary,
        pieces=tuple(vocabulary.pieces[i] for i in kept),
        kinds=tuple(vocabulary.kinds[i] for i in kept),
        scores=tuple(vocabulary.scores[i] for i in kept) if vocabulary.scores else (),
        merges=_merges(vocabulary, may_come_up),
        added=tuple(replace(token, id=ids[token.id]) for token in _added(base, may_come_up)),
        special={name: ids[i] for name, i in vocabulary.special.items()},
        outside=frozenset(ids[i] for i in vocabulary.outside if i in ids),
    )
    prefix, suffix = (tuple(ids[i] for i in found) for found in (behaviour.prefix_ids, behaviour.suffix_ids))
    return Base(small, replace(behaviour, prefix_ids=prefix, suffix_ids=suffix))


def _added(base: Base, may_come_up: _Parts) -> list[AddedToken]:
    normalise = base.behaviour.normalise or str
    contents = ((token, (token.content, normalise(token.content))) for token in base.vocabulary.added)
    return [token for token, spelled in contents if any(may_come_up(encode_text(text)) for text in spelled)]


def _merges(vocabulary: Vocabulary, may_come_up: _Parts) -> tuple[tuple[bytes, bytes], ...]:
    """The merges whose two halves, and what they make, can come up; at least one, for none would mean another order."""
    known: dict[bytes, bool] = {}

    def there(piece: bytes) -> bool:
        found = known.get(piece)
        if found is None:
            found = known[piece] = may_come_up(piece)
        return found

    if may_come_up.pieces.affixed:
        merges = [merge for merge in vocabulary.merges if there(merge[0]) and there(merge[1])]
    else:
        merges = [merge for merge in vocabulary.merges if there(merge[0] + merge[1])]
    return tuple(merges) or vocabulary.merges[:1]


class _Parts:
    """Whether a piece may be part of one of the texts, in whatever form."""

    def __init__(self, texts: Sequence[bytes], base: Base, quirks: Sequence[Quirk]) -> None:
        self.pieces = base.pieces
        variants = list(_variants(texts, base.behaviour, quirks))
        # A character that is no piece may be dropped, and its neighbours merged.
        no_pieces = {ord(c): None for c in set().union(*variants) if encode_text(c) not in base.vocabulary.ids}
        haystack = "\n\n".join(dict.fromkeys((*variants, *(text.translate(no_pieces) for text in variants))))
        longest = {haystack[i : i + _GRAM] for i in range(len(haystack))}
        self._grams = {gram[:n] for gram in longest for n in range(1, _GRAM + 1)}

    def among(self, cores: Sequence[str]) -> Iterator[int]:
        """The places of those that may come up."""
        grams = self._grams
        return (i for i, core in enumerate(cores) if core[:_GRAM] in grams and self._has(core))

    def __call__(self, piece: bytes) -> bool:
        return self._has(self.pieces.core(piece))

    def _has(self, core: str) -> bool:
        if len(core) <= _GRAM:
            return core in self._grams
        return all(core[i : i + _GRAM] in self._grams for i in range(len(core) - _GRAM + 1))


def _variants(texts: Iterable[bytes], behaviour: Behaviour, quirks: Sequence[Quirk]) -> Iterator[str]:
    """The texts in every form that a behaviour may bring them into."""
    behaviours = _readings(behaviour, quirks)
    # What one quirk does before the model's own normaliser, another's gets to see.
    before = [b for b in _readings(replace(behaviour, normalise=None), quirks) if b.normalise]
    seen: set[str] = set()
    for text in texts:
        for form in _forms(text, before, behaviours):
            for spelled in (form, re.sub(" +", " ", form)):
                if spelled not in seen:
                    seen.add(spelled)
                    escaped = f"▁{spelled.replace(' ', '▁')}▁"
                    yield escaped
                    if behaviour.byte_level:
                        yield from (to_alphabet(f" {spelled} "), to_alphabet(escaped))


def _readings(behaviour: Behaviour, quirks: Sequence[Quirk]) -> list[Behaviour]:
    """The behaviour and those that decode or normalise texts in another way."""
    flipped = [quirk.flip(behaviour) for quirk in quirks if quirk.stage in _READING]
    return list({(b.decode_text, b.normalise): b for b in (behaviour, *flipped)}.values())


def _forms(text: bytes, before: Sequence[Behaviour], behaviours: Sequence[Behaviour]) -> Iterator[str]:
    for decoded in dict.fromkeys(filter(None, (_decoded(text, behaviour) for behaviour in behaviours))):
        changed = dict.fromkeys((decoded, *(_normalised(decoded, behaviour) for behaviour in before)))
        normalised = (_normalised(form, behaviour) for form in changed for behaviour in behaviours)
        for form in dict.fromkeys((*changed, *normalised)):
            yield from (form, form.lower(), form.upper(), form.casefold())


def _decoded(text: bytes, behaviour: Behaviour) -> str:
    try:
        return behaviour.decode_text(text)
    except AbortedError:
        return ""  # a flip that stands for a crash gives nothing


def _normalised(text: str, behaviour: Behaviour) -> str:
    try:
        return behaviour.normalise(text) if behaviour.normalise else text
    except Exception:
        return text  # a flip that raises on a text explains nothing there: `trials` tells of it
