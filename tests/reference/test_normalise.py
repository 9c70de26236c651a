"""Normalizers against those of the tokenizers library."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from stage_texts import ALL, EVERY_CODE_POINT, TEXTS
from tokenizers import Regex
from tokenizers import normalizers as library

from tokparity.behaviour import Normalise
from tokparity.errors import FormatError
from tokparity.reference import normalise
from tokparity.reference.unicode_versions import as_of_16

PAIRS: list[tuple[Any, Normalise]] = [
    (library.NFC(), normalise.UnicodeForm("NFC")),
    (library.NFD(), normalise.UnicodeForm("NFD")),
    (library.NFKC(), normalise.UnicodeForm("NFKC")),
    (library.NFKD(), normalise.UnicodeForm("NFKD")),
    (library.Lowercase(), normalise.Lowercase()),
    (library.StripAccents(), normalise.StripAccents()),
    (library.Strip(), normalise.Strip()),
    (library.Strip(left=False), normalise.Strip(left=False)),
    (library.Nmt(), normalise.Nmt()),
    (library.ByteLevel(), normalise.ByteLevel()),
    (library.Prepend("▁"), normalise.Prepend("▁")),
    (library.Replace(" ", "▁"), normalise.Replace(" ", "▁")),
    (library.Replace("", "x"), normalise.Replace("", "x")),
    (library.Replace(Regex(r"\s+"), " "), normalise.Replace(r"\s+", " ", literal=False)),
    (library.Replace(Regex("^"), "|"), normalise.Replace("^", "|", literal=False)),
    (library.Replace(Regex("$"), "|"), normalise.Replace("$", "|", literal=False)),
    (library.BertNormalizer(), normalise.Bert()),
    (library.BertNormalizer(lowercase=False), normalise.Bert(lowercase=False)),
    (library.BertNormalizer(strip_accents=True, lowercase=False), normalise.Bert(strip_accents=True, lowercase=False)),
    (
        library.Sequence([library.NFD(), library.StripAccents()]),
        normalise.Sequence((normalise.UnicodeForm("NFD"), normalise.StripAccents())),
    ),
]
BY_CHARACTER = [pair for pair in PAIRS if not isinstance(pair[1], (normalise.Replace, normalise.Prepend))]


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=lambda value: str(value)[:40])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_equals_the_library(theirs: Any, ours: Normalise, text: str) -> None:
    """A normalizer gives what the library's gives."""
    assert theirs.normalize_str(text) == ours(text)


@EVERY_CODE_POINT
@pytest.mark.parametrize(("theirs", "ours"), BY_CHARACTER, ids=lambda value: str(value)[:40])
def test_equals_the_library_on_every_code_point(theirs: Any, ours: Normalise, characters: list[str]) -> None:
    """No code point is treated differently, between characters that may combine with it."""
    for start in range(0, len(characters), 2048):
        text = "".join(f"a\u0345{character}\u0300|" for character in characters[start : start + 2048])
        assert theirs.normalize_str(text) == ours(text), hex(ord(characters[start]))


def test_stand_ins_keep_the_length() -> None:
    """What the newest tables know is hidden one for one, so that places in the text stay."""
    assert len(ALL) == len(as_of_16("".join(ALL)))


@pytest.mark.parametrize(
    "stage",
    [
        normalise.Sequence(tuple(normalise.Replace("a", "aa") for _ in range(60))),
        normalise.Sequence(tuple(normalise.Replace("(?<=a)|a", "aa", literal=False) for _ in range(60))),
        normalise.Replace("a", "b" * 2_000_000),
        normalise.Replace("[a]", "b" * 2_000_000, literal=False),
    ],
)
def test_a_normaliser_that_makes_too_much_is_an_error(stage: Normalise) -> None:
    """A file can ask for 2 to the 60th characters; that is said before the memory is full."""
    with pytest.raises(FormatError, match="the normalizer turns 1000 characters into at least"):
        stage("a" * 1000)
