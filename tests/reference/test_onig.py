"""Regular expressions from models' files."""

from __future__ import annotations

import time

import pytest

from tokparity.errors import FormatError
from tokparity.reference.fancy_regex import of_fancy_regex
from tokparity.reference.onig import compile_onig
from tokparity.reference.onig_limits import MAX_NESTING
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Split


@pytest.mark.nightly
def test_a_pattern_without_end_is_given_up() -> None:
    """Two ways to match each letter: time doubles with each. An error names pattern and text."""
    started = time.monotonic()
    for work in (compile_onig("(?:a|aa)+$").words, Split("(?:a|aa)+$", "removed").split):
        with pytest.raises(FormatError, match=r"given up after 1 s on 'aaaa.*engine may hang"):
            list(work("a" * 60 + "!") if work.__name__ == "words" else work([("a" * 60 + "!", True)]))
    assert time.monotonic() - started < 60


def test_well_known_patterns_are_not_watched() -> None:
    """They and what repeats nothing take no time to speak of; the clock is looked at for all others."""
    limits = [compile_onig(pattern).seconds("abc") for pattern in (GPT2, "▁", r"\p{L}+x")]
    assert limits[:2] == [None, None]
    assert limits[2] is not None


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("|a", "ab", [(0, 0), (1, 1), (2, 2)]),  # nothing is found first, and then not looked for at the same place
        (r"\b|\W", "a-", [(0, 0), (1, 1)]),
        (r"b?|\s", "b ", [(0, 1), (2, 2)]),
        ("a{,}", "aa{,}", [(1, 5)]),  # no quantifier
        ("a{2}?", "aaa", [(0, 2), (3, 3)]),  # optional, not lazy
        ("a{2}+", "aaaaa", [(0, 4)]),
        ("a{2,1}a", "aa", []),  # possessive
        ("a**", "aa", [(0, 2)]),
        (r"\x41{2}", "AA", [(0, 2)]),
        (r"\N+", "ab\nc", [(0, 2), (3, 4)]),
        (r"\O", "\n", [(0, 1)]),
        (r"\m\L", "mL", [(0, 2)]),  # letters that mean nothing
        ("a(?i)b|c", "aCc", [(0, 2)]),
        (r"(?i)\p{Lu}", "sS", [(1, 2)]),
        ("[[:digit:]]", "٣", [(0, 1)]),
        ("[[:alnum:]]", "٣", [(0, 1)]),
        (r"\p{XDigit}", "٣", []),
        (r"\p{word}", "²\u200d", [(0, 1)]),
        ("[--~]", "a-!", [(0, 1), (1, 2)]),
        ("[&&[a-k]]", "a", []),
        ("[^&&[a-k]]", "a", [(0, 1)]),
    ],
)
def test_found_where_oniguruma_finds_it(pattern: str, text: str, expected: list[tuple[int, int]]) -> None:
    """Each was another place once; `test_onig_oracle` compares with Oniguruma itself."""
    assert expected == list(compile_onig(pattern).find(text))


def test_words_are_matches_and_not_groups() -> None:
    """Nothing between words is not a word, and a group is not the match."""
    assert ["a", "b"] == list(Split("|ab", "isolated")("ab", True))
    assert compile_onig(r"(a)\1?").words("a") is None


def test_where_a_match_begins_cannot_be_moved() -> None:
    r"""\K is an error that names it."""
    with pytest.raises(FormatError, match=r"\\K"):
        compile_onig(r"a\Kb")


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        (r"a\p{L", r"'a\\\\p\{L' at character 1 has a property without an end"),
        (r"[\p{L]", r"at character 1 has a property without an end"),
        (r"\P{}", "has a property without an end or a name"),
        (r"\x{41", r"has a \\x\{...\} that is not a character"),
        (r"\x{zz}", "that is not a character"),
        (r"\x{110000}", "that is not a character"),
        (r"[\x{}]", "that is not a character"),
        ("(?R)", r"opens a group with '\(\?R\)', which is not supported"),
        ("(?&a)(?P<a>b)", r"opens a group with '\(\?&a'"),
        ("(a)(?1)", r"at character 3 opens a group"),
        ("(?r)a", r"opens a group with '\(\?r\)'"),
        ("(?", r"opens a group with '\(\?'"),
        ("(?#a", "opens a group"),
        ("[" * 3000, f"more than {MAX_NESTING} deep, or an open one"),
        ("(" * 3000, f"has groups more than {MAX_NESTING} deep"),
        ("[ab", "has an open character class"),
        ("[\\", "has an open character class"),
        ("\\", "is not valid"),
        ("a" + "{1}+" * 9000, "repeats repeats: 1e.18 nodes, at most 262144 are compiled"),
        ("a" + "{1,}" * 40, "repeats repeats: .* nodes, at most 262144 are compiled"),
        ("(((a{1000}){1000}){1000})", "is 1e.09 characters with its repeats written out, at most 131072"),
        ("(?:(?:a{1000}|b){1000,}){30,99}", "is 3e.07 characters with its repeats written out, at most 131072"),
        (r"\b" * 9000, "at most 262144 are compiled"),
        (r"a\Kb", "holds"),
        ("a" * 70_000, "of 70000 characters"),
    ],
    ids=lambda text: text[:12],
)
def test_what_is_no_pattern_is_refused(pattern: str, problem: str) -> None:
    """At once, with the part of the pattern, the place in it and the problem, on one line that is not long."""
    with pytest.raises(FormatError, match=problem) as caught:
        compile_onig(pattern)
    assert len(str(caught.value).splitlines()[0]) == len(str(caught.value)) < 300


def test_comments_are_left_out() -> None:
    """Whatever they hold."""
    assert [(0, 2)] == list(compile_onig("a(?#[ and so on)b").find("ab"))


@pytest.mark.parametrize("pattern", ["[" * 65_000, "a{" * 30_000, r"\p{" * 20_000, "[a" * 30_000 + "]"])
def test_fancy_patterns_are_translated_in_linear_time(pattern: str) -> None:
    """An open class is looked at once, not from each bracket."""
    started = time.process_time()
    of_fancy_regex(pattern)
    assert time.process_time() - started < 1
