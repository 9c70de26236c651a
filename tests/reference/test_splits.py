"""Pre-tokenizers against those of the tokenizers library."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from stage_texts import EVERY_CODE_POINT, TEXTS
from tokenizers import Regex
from tokenizers import pre_tokenizers as library

from tokparity.reference import splits
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.script_split import UnicodeScripts
from tokparity.reference.split_behaviours import SplitBehaviour

BEHAVIOURS: list[SplitBehaviour] = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
PATTERNS = ["-", "x*", r"\s+", r"\p{L}+|\d", GPT2, "(?=a)", "$", "^", r"\b", r"\p{N}{1,3}+", r"[\w&&[^a]]+"]
SPLITS: list[tuple[Any, splits.SplitStage]] = [
    (library.Split(Regex(pattern), behaviour, invert), splits.Split(pattern, behaviour, invert))
    for pattern in PATTERNS
    for behaviour in BEHAVIOURS
    for invert in (False, True)
]
SETS: list[tuple[Any, splits.SplitStage]] = [
    (library.WhitespaceSplit(), splits.whitespace_split()),
    (library.Punctuation(), splits.punctuation()),
    (library.Digits(True), splits.digits(True)),
    (library.BertPreTokenizer(), splits.Bert()),
    (library.Whitespace(), splits.Whitespace()),
    (library.UnicodeScripts(), UnicodeScripts()),
]
OTHERS: list[tuple[Any, splits.SplitStage]] = [
    *SETS,
    (library.Digits(False), splits.digits(False)),
    *((library.Punctuation(behaviour), splits.punctuation(behaviour)) for behaviour in BEHAVIOURS),
    (library.Split("-", "isolated"), splits.Split("-", literal=True)),
    (library.Split("", "isolated"), splits.Split("", literal=True)),
    (library.CharDelimiterSplit("x"), splits.delimiter("x")),
    (library.FixedLength(3), splits.FixedLength(3)),
    (library.Metaspace(), splits.Metaspace()),
    (library.Metaspace(prepend_scheme="first", split=False), splits.Metaspace("▁", "first", False)),
    (library.Metaspace(prepend_scheme="never"), splits.Metaspace("▁", "never")),
    (library.ByteLevel(add_prefix_space=True), splits.ByteLevel(True)),
    (library.ByteLevel(add_prefix_space=False, use_regex=False), splits.ByteLevel(False, False)),
    (
        library.Sequence([library.Split(" ", "removed"), library.Metaspace(prepend_scheme="first")]),
        splits.Chain((splits.Split(" ", "removed", literal=True), splits.Metaspace("▁", "first"))),
    ),
]


def words(stage: Any, text: str) -> list[str]:
    """The words that the library makes of a text."""
    return [word for word, _ in stage.pre_tokenize_str(text)]


@pytest.mark.parametrize(("theirs", "ours"), SPLITS + OTHERS, ids=lambda value: str(value)[:60])
@settings(max_examples=20, deadline=None)
@given(text=TEXTS)
def test_equals_the_library(theirs: Any, ours: splits.SplitStage, text: str) -> None:
    """A pre-tokenizer gives the words that the library's gives."""
    assert words(theirs, text) == list(ours(text, True))


@EVERY_CODE_POINT
@pytest.mark.parametrize(("theirs", "ours"), SETS, ids=lambda value: str(value)[:40])
def test_equals_the_library_on_every_code_point(theirs: Any, ours: splits.SplitStage, characters: list[str]) -> None:
    """No code point belongs to another set of characters than the library says."""
    for start in range(0, len(characters), 2048):
        text = "".join(f"a{character}Ω" for character in characters[start : start + 2048])
        assert words(theirs, text) == list(ours(text, True)), hex(ord(characters[start]))


@pytest.mark.parametrize(
    "pattern", [r"\s", r"\w", r"\p{L}", r"\p{Ll}", r"\p{M}", r"\p{N}", r"\p{P}", r"\p{S}", r"\p{Han}"]
)
@EVERY_CODE_POINT
def test_classes_equal_onigurumas(pattern: str, characters: list[str]) -> None:
    """A class of characters is the one that Oniguruma knows, whatever the tables of the installed packages."""
    theirs, ours = library.Split(Regex(pattern), "removed"), splits.Split(pattern, "removed")
    for start in range(0, len(characters), 4096):
        text = "".join(characters[start : start + 4096])
        assert words(theirs, text) == list(ours(text, True)), hex(ord(characters[start]))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_stages_behind_byte_level_see_the_alphabet(text: str) -> None:
    """Digits behind ByteLevel cuts inside of characters (Falcon), and the words spelled out are the library's."""
    theirs = library.Sequence([library.ByteLevel(add_prefix_space=False), library.Digits(False)])
    ours = splits.Chain((splits.Split(GPT2), splits.OnAlphabet((splits.digits(False),))))
    assert words(theirs, text) == [to_alphabet(word) for word in ours(text, True)]
