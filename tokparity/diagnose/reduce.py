"""A large model without the pieces that cannot come up in a few texts, so that trying a behaviour takes no second.

A piece can only come up where it is part of a text as some normaliser may leave it. The others are taken out, and the
ids close up in their old order. What is found with the small model is verified with the whole one; so at worst
something is not found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from tokparity.behaviour import Behaviour
from tokparity.diagnose.evidence import Answer, Base, Observation
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

_WORTH_IT = 12_000  # pieces
_KEPT_ANYWAY = 1_000  # some engines guess by the first pieces what the vocabulary is like
_GRAM = 6  # characters: a piece can come up only if each six in a row of it do
_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
_MARKERS = "▁Ġ "


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
    vocabulary, behaviour = base.vocabulary, base.behaviour
    return {
        *range(min(_KEPT_ANYWAY, len(vocabulary))),
        *vocabulary.special.values(),
        *behaviour.prefix_ids,
        *behaviour.suffix_ids,
        *(token.id for token in _added(base, may_come_up)),
        *_extremes(vocabulary),
        *(
            i
            for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
            if kind is Kind.BYTE or (piece and may_come_up(piece.decode("utf-8", "surrogateescape")))
        ),
    }


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
    return [t for t in base.vocabulary.added if may_come_up(t.content) or may_come_up(normalise(t.content))]


def _extremes(vocabulary: Vocabulary) -> Iterator[int]:
    """The pieces with the best and the worst score, on which the unigram scores of others depend."""
    scored = [i for i in range(len(vocabulary.scores)) if vocabulary.kinds[i] is Kind.NORMAL]
    if scored:
        yield min(scored, key=vocabulary.scores.__getitem__)
        yield max(scored, key=vocabulary.scores.__getitem__)


def _merges(vocabulary: Vocabulary, may_come_up: _Parts) -> tuple[tuple[bytes, bytes], ...]:
    """The merges whose two halves, and what they make, can come up; at least one, for none would mean another order."""
    known: dict[bytes, bool] = {}

    def there(piece: bytes) -> bool:
        found = known.get(piece)
        if found is None:
            found = known[piece] = may_come_up(piece.decode("utf-8", "surrogateescape"))
        return found

    if may_come_up.affixed:
        merges = [merge for merge in vocabulary.merges if there(merge[0]) and there(merge[1])]
    else:
        merges = [merge for merge in vocabulary.merges if there(merge[0] + merge[1])]
    return tuple(merges) or vocabulary.merges[:1]


class _Parts:
    """Whether a piece may be part of one of the texts, in whatever form."""

    def __init__(self, texts: Sequence[bytes], base: Base, quirks: Sequence[Quirk]) -> None:
        behaviour = base.behaviour
        variants = list(_variants(texts, behaviour, quirks))
        # A character that is no piece may be dropped, and its neighbours merged.
        without = (
            "".join(c for c in text if c.encode("utf-8", "surrogatepass") in base.vocabulary.ids) for text in variants
        )
        haystack = "\n\n".join(dict.fromkeys((*variants, *without)))
        self._grams = {haystack[i : i + n] for n in range(1, _GRAM + 1) for i in range(len(haystack) - n + 1)}
        self._affixes = [affix for affix in (behaviour.continuing_prefix, behaviour.word_suffix) if affix]
        self.affixed = bool(self._affixes)

    def __call__(self, core: str) -> bool:
        for affix in self._affixes:
            core = core.removeprefix(affix).removesuffix(affix)
        core = core.lstrip(_MARKERS) or core
        if len(core) <= _GRAM:
            return core in self._grams
        return all(core[i : i + _GRAM] in self._grams for i in range(len(core) - _GRAM + 1))


def _variants(texts: Iterable[bytes], behaviour: Behaviour, quirks: Sequence[Quirk]) -> Iterator[str]:
    """The texts in every form that a behaviour may bring them into."""
    flipped = [quirk.flip(behaviour) for quirk in quirks if quirk.field in ("decode_text", "normalise")]
    behaviours = list({(b.decode_text, b.normalise): b for b in (behaviour, *flipped)}.values())
    seen: set[str] = set()
    for text in texts:
        for form in _forms(text, behaviours):
            for spelled in (form, re.sub(" +", " ", form)):
                if spelled not in seen:
                    seen.add(spelled)
                    escaped = f"▁{spelled.replace(' ', '▁')}▁"
                    yield escaped
                    if behaviour.byte_level:
                        yield from (to_alphabet(f" {spelled} "), to_alphabet(escaped))


def _forms(text: bytes, behaviours: Sequence[Behaviour]) -> Iterator[str]:
    for decoded in dict.fromkeys(filter(None, (_decoded(text, behaviour) for behaviour in behaviours))):
        normalised = [_normalised(decoded, behaviour) for behaviour in behaviours]
        for form in (decoded, *normalised, *(unicodedata.normalize(name, decoded) for name in _FORMS)):
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
