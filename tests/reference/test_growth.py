"""Stages that make much of little are stopped before they take the memory, and sound ones are not."""

from __future__ import annotations

import pytest

from tokparity.errors import FormatError
from tokparity.reference import decode_stages
from tokparity.reference.normalise import MAX_GROWTH, ByteLevel, Prepend, Replace, Sequence, UnicodeForm

DOUBLES = Replace("a", "aa")


@pytest.mark.parametrize(
    "stage", [Sequence((DOUBLES,) * 40), Replace("a", "a" * 1024), Replace("a+?", "a" * 99, False)]
)
def test_a_normalizer_that_grows_without_end_is_refused(stage: Replace | Sequence) -> None:
    """By number of stages, by what one inserts, by a regular expression."""
    with pytest.raises(FormatError, match=r"the normalizer turns 1000 characters into at least"):
        stage("a" * 1000)


def test_a_decoder_that_grows_without_end_is_refused() -> None:
    """All tokens together count, so that many short ones make no more than a long one."""
    stages = [decode_stages.Replace("a", "a" * 1000)]
    with pytest.raises(FormatError, match="the decoder turns 1000 characters into at least 1000000"):
        decode_stages.apply(stages, ["a"] * 1000)
    assert "a" * 1000 == decode_stages.apply(stages, ["a"])


def test_the_widest_sound_stages_are_far_from_the_bound() -> None:
    """U+FDFA becomes 18 characters, most of them spelled by two bytes; a short text may gain a prefix."""
    widest = Sequence((UnicodeForm("NFKC"), ByteLevel()))("\ufdfa" * 1000)
    assert 18 * 1000 < len(widest) < MAX_GROWTH * 1000
    assert 1024 < len(Sequence((Prepend("a" * 1024),))("b"))
