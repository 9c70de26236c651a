"""Patterns against Oniguruma itself: where our `Pattern` finds something, and where Oniguruma does.

Left out of the generated patterns, because the two are known to differ there or Oniguruma gives no answer:
- with `(?i)`: negated properties in classes, which know no case to us; a reference back to a group, and a group between
  letters that are spelled like one character ("s(?:s)"): a FormatError;
- `\\K`, `\\G`, `\\k`, `\\g`, `\\y`, `\\Y`: a FormatError, no model's file has them;
- a class that holds a property and its opposite (`[\\p{L}\\P{L}]`): `regex` takes it for an empty one;
- quantifiers in looking behind: Oniguruma 6.9.10 crashes on some (`(?<!}*}{2}?)`);
- white space and comments with `(?x)`: not translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from stage_texts import TEXTS

from tokparity.errors import FormatError
from tokparity.reference import pretokeniser_patterns
from tokparity.reference.onig import compile_onig
from tokparity.reference.pattern_parts import GPT2
from tokparity.sources import corpus

oracle = pytest.importorskip("onigurumacffi", reason="the oracle of this file: pip install 'tokparity[test]'")

PATTERNS = {name: value for name, value in vars(pretokeniser_patterns).items() if not name.startswith("_")}
KNOWN = sorted(
    {GPT2, *(value for value in PATTERNS.values() if isinstance(value, str))}
    | {pattern for value in PATTERNS.values() if isinstance(value, tuple) for pattern in value}
)
"""The patterns of all known pre-tokenizers."""

CORPORA = ("languages", "code", "whitespace", "numbers_dates", "punctuation", "combining_marks", "letter_case", "bidi")
EACH = 40
LONGEST = 300  # characters: the oracle's binding decodes the text before each match anew


def expected(pattern: Any, text: str) -> Iterator[tuple[int, int]]:
    """What the `onig` crate's `find_iter` gives, by which the tokenizers library looks for patterns."""
    at, last = 0, None
    while at <= len(text) and (found := pattern.search(text, at)) is not None:
        start, end = found.span()
        if start == end == last:
            at += 1
            continue
        yield start, end
        at = last = end


@pytest.mark.parametrize("pattern", KNOWN)
def test_known_patterns_on_corpora(pattern: str) -> None:
    """The same places in texts of many languages and shapes."""
    theirs, ours = oracle.compile(pattern), compile_onig(pattern)
    for name in CORPORA:
        for case in islice(corpus.load(name), EACH):
            if text := case.question.text.decode()[:LONGEST]:
                assert list(expected(theirs, text)) == list(ours.find(text)), text


@pytest.mark.parametrize("pattern", KNOWN)
@settings(max_examples=20)
@given(text=TEXTS.filter(bool))
def test_known_patterns(pattern: str, text: str) -> None:
    """The same places in texts of what pre-tokenizers decide about."""
    assert list(expected(oracle.compile(pattern), text)) == list(compile_onig(pattern).find(text))


ATOMS = [
    *("a", "b", "X", "s", "1", "0", " ", "é", "ß", "\u0301", "-", "▁", "'", "_", "]", "}", "{", "~", "&", "."),
    *(rf"\{letter}" for letter in "sSwWdDhHRNOXAzZbBntreiLm.-/'"),
    *(
        r"\p{L}",
        r"\p{N}",
        r"\P{L}",
        r"\p{^L}",
        r"\p{Lu}",
        r"\p{Han}",
        r"\p{M}",
        r"\p{Alpha}",
        r"\p{XDigit}",
        r"\p{word}",
    ),
    *(
        "^",
        "$",
        r"\x{e9}",
        r"\x41",
        r"\u00e9",
        "[[:alpha:]]",
        "[[:^space:]]",
        "[[:punct:]]",
        "[[:alnum:]]",
        "[^[:upper:]]",
    ),
]
MEMBERS = [
    *("a", "b", "X", "1", " ", "é", "-", "a-z", "A-Z", "0-9", r"\s", r"\S", r"\w", r"\W", r"\d", r"\p{L}", r"\p{N}"),
    *(r"\n", r"\-", r"\]", r"\[", r"\h", r"\b", r"\x{e9}", "[:alpha:]", "[:^digit:]", "[:punct:]", "[b-d]", "[^b]"),
    *(
        "&&[a-k]",
        "&&[^a]",
        r"&&\w",
        ".",
        "$",
        "^",
        "|",
        "~",
        "||",
        "~~",
        "&",
        "'",
        " -~",
        "\u3000-\u3002",
        "(",
        ")",
        "#",
    ),
]
QUANTIFIERS = [
    *("*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{,2}", "{1,}", "{2}?", "{1,2}?", "{1,2}+"),
    *("{2}+", "{,}", "{2,1}", "{a", "{1", "**", "+*", "??+"),
]
GROUPS = ["(", "(?:", "(?:", "(?i:", "(?m:", "(?=", "(?!", "(?>", "(?<n>", "(?i-m:", "(?-i:"]
BEHIND = ["(?<=a)", r"(?<=\s)", r"(?<!\p{L})", r"(?<![^a])", r"(?<=\w)", "(?<!ab)", "(?<!.)"]
ISOLATED = ["", "", "", "", "(?i)", "(?m)", "(?-i)", "(?#c)"]
CHARACTERS = [
    *"aabbXxsSkK10  é\u0301ß-▁'.\n\r\t漢ÉZz~&[]|$^Σς²٣\x0b\x85\u2028_!{}\u200d#(\U0001f600\u0295\u1c89",
    *("\r\n", "\n\n", "ss", "aa", "ab"),
]


@st.composite
def patterns(draw: st.DrawFn, depth: int = 2) -> str:
    """One to three branches of one to three atoms, some of them repeated, groups within groups."""
    branches = []
    for _ in range(draw(st.sampled_from((1, 1, 2, 3)))):
        parts = [
            draw(atoms(depth)) + draw(st.sampled_from(["", "", *QUANTIFIERS])) for _ in range(draw(st.integers(1, 3)))
        ]
        branches.append("".join(parts) + draw(st.sampled_from(ISOLATED)))
    return "|".join(branches)


@st.composite
def atoms(draw: st.DrawFn, depth: int) -> str:
    """A character, a class, something to look behind at, or a group."""
    kind = draw(st.integers(0, 9))
    if kind < 5 or depth == 0:
        return draw(st.sampled_from(ATOMS))
    if kind < 7:
        members = draw(st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=3))
        return "[" + draw(st.sampled_from(("", "", "^"))) + "".join(members) + "]"
    if kind == 7:
        return draw(st.sampled_from(BEHIND))
    return f"{draw(st.sampled_from(GROUPS))}{draw(patterns(depth - 1))})"


SMALL_TEXTS = st.lists(
    st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=6).map("".join), min_size=4, max_size=4
)


@pytest.mark.nightly
@settings(max_examples=300)
@given(pattern=patterns(), texts=SMALL_TEXTS)
@example(r"[^\w[:^digit:]]", ["a1 ", "a", "1", " "])
@example("(?:a|aa)+$", ["aaa", "aab"])
@example(r"[a-&&\w]", ["a", "-"])
@example("[a-z-[0]]", ["a", "-", "0"])
def test_generated_patterns(pattern: str, texts: list[str]) -> None:
    """What Oniguruma compiles we translate, and it is found in the same places."""
    compare(pattern, texts)


def compare(pattern: str, texts: list[str]) -> None:
    """The same places, where Oniguruma takes the pattern and we do not refuse it by name."""
    try:
        theirs = oracle.compile(pattern)
        found = [list(expected(theirs, text)) for text in texts]
    except oracle.OnigError:
        assume(False)  # not valid, or given up by Oniguruma itself
    try:
        ours = compile_onig(pattern)
    except FormatError as error:
        if not re.search("ignores case and has a group within|has a class for the end of a range", str(error)):
            raise  # those are known not to be supported
        return
    assert found == [list(ours.find(text)) for text in texts]


SPELLED = [*"sSſßẞfiIıİlﬀﬁﬂﬃﬄtﬅﬆjJǰnNŉʼhẖaἀἈιΙᾀᾈΐ\u1fd3kK1 ", "ss", "st", "ffi", "i\u0307", "ʼn", "j\u030c", "ἀι", "ΐ"]
"""Characters that are spelled like two or three, and what they are spelled like."""


@st.composite
def caseless(draw: st.DrawFn) -> str:
    """A pattern that ignores case: literals, classes, things to look behind at, some of them repeated."""
    pattern = []
    for _ in range(draw(st.integers(1, 4))):
        literal = "".join(draw(st.lists(st.sampled_from(SPELLED), min_size=1, max_size=3)))
        shape = draw(st.sampled_from(("{}", "{}", "[{}]", "[^{}]", "(?<={})", "(?<!{})", "(?-i:{})", "(?:{})", "{}|")))
        count = draw(st.sampled_from(("", "", "", "+", "*", "?", "{2}"))) if "<" not in shape else ""
        pattern.append(shape.format(literal) + ("" if shape == "{}|" else count))
    return "(?i)" + "".join(pattern)


@settings(max_examples=300)
@given(pattern=caseless(), texts=st.lists(st.lists(st.sampled_from(SPELLED), min_size=1, max_size=6).map("".join)))
@example("(?i)ss", ["ß", "ẞ", "sſ"])
@example("(?i)[\\p{L}]1", ["ss1", "ß1"])
@example("(?i)ffi", ["ﬀi", "fﬁ", "ﬃ"])
@example("(?i)[^ß]", ["ẞ", "ß", "s"])
@example("(?i)[a-z]", ["İ", "ı", "\u212a"])
def test_characters_that_are_spelled_like_several(pattern: str, texts: list[str]) -> None:
    """To Oniguruma ß is "ss" where case is ignored, but not in looking behind or in a class that is negated."""
    compare(pattern, texts)


@pytest.mark.parametrize("pattern", ["(?i)s(?:s)", "(?i)(f)i", "(?i)s{1}s"])
def test_a_group_between_letters_that_are_spelled_like_one(pattern: str) -> None:
    """Oniguruma finds ß or does not, by the kind of the group: such patterns are refused."""
    with pytest.raises(FormatError, match="ignores case and has a group within"):
        compile_onig(pattern)


def test_a_reference_that_ignores_case() -> None:
    """It is refused, for a reference knows other spellings than a string."""
    with pytest.raises(FormatError, match="ignores case and refers back to a group"):
        compile_onig(r"(?i)(a)\1")
