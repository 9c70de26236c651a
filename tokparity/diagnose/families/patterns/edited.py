"""Models with an edited pattern, as a translation to another regex library or a hand-written scanner has it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.patterns.edits import edits
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.families import FEW_PROBES
from tokparity.diagnose.limits.texts import LONGEST_EDITED
from tokparity.diagnose.probes import mixed
from tokparity.errors import FormatError, TokparityError
from tokparity.generators.regex_samples import alternatives
from tokparity.reference.splits import Split

_WORDS = (
    " ", " ", "  ", "\n", "\n\n", "\r\n", "\t", " \n", "a", "A", "word", "Word", "é", "世", "́", "1", "12", "12345",
    "²", "²³¹½¼", "ⅣⅤⅥⅦ", "١٢٣٤٥", "!", "...", "-", "_", "'", "'s", "'S", "'ve",
    "привет", "Ж", "αβγ", "مرحبا", "שלום", "ไทย", "हिन्दी", "かな", "한글", "ʰ", "ǅ", "ª", "ß",
    "\v", "\f", "\x1c", "\u00a0", "\u3000", "\u2028", "/", "\u200d", "😀",
)  # fmt: skip


def edited_patterns(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as something was answered that the model predicts wrongly."""
    behaviour = facts.base.behaviour
    if behaviour.pretokenise is None or not facts.is_text:
        return
    texts = mixed(_WORDS, least=2, most=6)
    for split in _splits(behaviour.pretokenise):
        for edit in edits(split.pattern) if not split.literal and len(split.pattern) <= LONGEST_EDITED else ():
            if not (facts.asking.can or facts.asking.is_stored):
                return
            pretokenise = _with(behaviour.pretokenise, split, edit.pattern)
            try:
                pretokenise("", True)
            except TokparityError:
                continue  # it is not a pattern
            variant = facts.with_behaviour(edit.says, replace(behaviour, pretokenise=pretokenise), texts)
            if facts.shows(variant):
                yield replace(variant, probes=[*texts, *_samples(split.pattern), *_samples(edit.pattern)])


def _splits(stage: object) -> Iterator[Split]:
    """The splits at a pattern within a pre-tokenizer."""
    if isinstance(stage, Split):
        yield stage
    for inner in getattr(stage, "stages", ()):
        yield from _splits(inner)


def _with(stage: Any, old: Split, pattern: str) -> Any:
    if stage is old:
        return replace(old, pattern=pattern)
    stages: Sequence[Any] = getattr(stage, "stages", ())
    return replace(stage, stages=tuple(_with(inner, old, pattern) for inner in stages)) if stages else stage


def _samples(pattern: str) -> Iterator[str]:
    """What each alternative of a pattern wants to match, in either case: each may be otherwise in a part of it only."""
    rng = random.Random(0)
    try:
        samples = alternatives(pattern)
    except FormatError:
        return
    for sample in samples:
        for _ in range(max(FEW_PROBES // len(samples), 2)):
            text = sample(rng)
            yield text
            yield text.swapcase()
