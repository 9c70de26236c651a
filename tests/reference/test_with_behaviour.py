"""A tokenizer with another behavior shares parts with its relatives and gives what one built anew gives."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest

from tokparity import models, quirks
from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import MATCHER_READS, SEGMENTER_READS, Tokenizer

SHOWN = [quirk for quirk in quirks.all_quirks() if quirk.witness is not None]
TEXTS = ("The capital of France is", " a  b<s>c\n\n12345 don't ÀÉ½ 한국 👍", "", "\u0301x▁y", "aéb<0x41>")


@pytest.mark.parametrize("name", ["small-spm", "small-unigram", "small-bpe", "small-wordpiece"])
def test_relatives_are_like_those_built_anew(name: str) -> None:
    """Every quirk, one after the other with parts shared, and built by itself."""
    source = models.primary_source(models.load(name))
    root = Tokenizer(source.vocabulary, source.behaviour)
    for quirk in quirks.all_quirks():
        flipped = quirk.flip(source.behaviour)
        anew = Tokenizer(source.vocabulary, flipped)
        related = root.with_behaviour(flipped)
        for text in TEXTS:
            for special in (False, True):
                assert anew.encode(text.encode(), special, special) == related.encode(text.encode(), special, special)


def watched(seen: set[str], behaviour: Behaviour) -> Behaviour:
    """The behavior, which notes every field that is read."""

    class Watched(Behaviour):
        def __getattribute__(self, name: str) -> Any:
            seen.add(name)
            return super().__getattribute__(name)

    return Watched(**{field.name: getattr(behaviour, field.name) for field in fields(Behaviour)})


@pytest.mark.parametrize("quirk", SHOWN, ids=lambda quirk: quirk.name)
def test_segmenters_and_matchers_read_only_their_fields(quirk: Quirk) -> None:
    """Otherwise relatives would share what they must not."""
    assert quirk.witness is not None
    witness = quirk.witness()
    seen: set[str] = set()
    behaviour = watched(seen, quirk.flip(witness.behaviour))
    known = {field.name for field in fields(Behaviour)}
    segmenter = behaviour.segment(witness.vocabulary, behaviour)
    for text in ("ab", "▁a", "é x"):
        with suppress(AbortedError):  # some quirks stand for a crash
            segmenter(text)
    assert set() == (seen & known) - set(SEGMENTER_READS)
    seen.clear()
    matcher = behaviour.match_added(witness.vocabulary, behaviour, False)
    for parse_special in (False, True):
        matcher("a <s> <|x|>b", parse_special)
    assert set() == (seen & known) - set(MATCHER_READS)
