"""Ranking: if several causes predict the same answers, the most likely one comes first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.outcome import Encoding, Outcome
from tokparity.quirk import Quirk
from tokparity.quirks import flip_all, get, names

_COMMON = ("uses_pre_gpt_2", "uses_pre_llama3", "uses_pre_default", "uses_pre_qwen2", "uses_pre_gpt_4o")
"""The patterns that engines use for all models, the commonest first."""

_WORDS = b"The capital of France is"
"""What a text of words is. A cause that changes it is seen on nearly all texts."""

Names = tuple[str, ...]


def likelihood(base: Base, observations: Iterable[Observation]) -> Callable[[Names], tuple[object, ...]]:
    """The key by which sets of flips are sorted, the likely ones first.

    First come sets that explain a missing BOS, EOS or other id around the text. Then come smaller sets, sets of flips
    that were seen in real engines, and the patterns that engines commonly use. Where no wrong text has a word, sets
    that change words come last among those of one size.
    """
    seen = list(observations)
    missing, wordless = _missing_marks(base, seen), not any(map(_has_words, seen))

    def key(flips: Names) -> tuple[object, ...]:
        known = [get(name) for name in flips if name in names()]
        explains = sum(quirk.field in missing for quirk in known)
        unseen = sum(not quirk.links for quirk in known)
        common = min((_COMMON.index(name) for name in flips if name in _COMMON), default=len(_COMMON))
        return -explains, len(flips), wordless and _changes_words(base, known), unseen, common, flips

    return key


def ranked(base: Base, observations: Sequence[Observation], found: Iterable[Candidate]) -> list[Candidate]:
    """The hypotheses, the likely ones first."""
    key = likelihood(base, observations)
    return sorted(found, key=lambda one: key(one.names))


def _missing_marks(base: Base, observations: Iterable[Observation]) -> frozenset[str]:
    """The fields whose mark stands in pieces that were expected, and in none that the engine gave."""
    marks = {"word_suffix": bytes.endswith, "continuing_prefix": bytes.startswith}
    wrong = [seen for seen in observations if seen.wrong and isinstance(seen.actual, Encoding)]
    found = []
    for field, has in marks.items():
        mark = getattr(base.behaviour, field).encode()
        expected, actual = (
            any(has(piece, mark) for answer in answers for piece in _pieces(base, answer))
            for answers in ([seen.expected for seen in wrong], [seen.actual for seen in wrong])
        )
        if mark and expected and not actual:
            found.append(field)
    return frozenset(found)


def _has_words(seen: Observation) -> bool:
    """Whether a wrong text has two letters side by side."""
    return seen.wrong and bool(re.search(r"[^\W\d_]{2}", seen.case.question.shown.decode("utf-8", "replace")))


def _changes_words(base: Base, flips: Sequence[Quirk]) -> bool:
    """Whether a plain text of words has other ids with these flips."""
    changed = base.tokenizer.with_behaviour(flip_all(flips, base.behaviour))
    return changed.encode(_WORDS, False, False) != base.tokenizer.encode(_WORDS, False, False)


def _pieces(base: Base, answer: Outcome) -> Iterable[bytes]:
    pieces = base.vocabulary.pieces
    return [pieces[i] for i in answer.ids if 0 <= i < len(pieces)] if isinstance(answer, Encoding) else []
