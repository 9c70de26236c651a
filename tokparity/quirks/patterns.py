"""Quirks of the regular expressions by which the text is split."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tokparity.quirk import Derived, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with, pretokenises_with, splits_with
from tokparity.reference.pattern_parts import GPT2, LOWER, UPPER
from tokparity.reference.splits import Split, digits

_ONE_OR_A_FEW = re.compile(r"(?<![\[\w}\\])(\\p\{Nd?\})(?:\{\d(?:,\d)?\})?(?![\w\\+\]])")
_SEVERAL = re.compile(r"(\\p\{Nd?\})(?:\{\d(?:,\d)?\}|\+)")
_POSSESSIVE = re.compile(r"(?<!\\)([?*+])\+")
_BLIND = re.compile(r"\(\?i:([^()]*)\)")
_CASES = Split(UPPER + "+" + LOWER + "*|" + LOWER + "+")

# An alternative goes with the bar behind it; what only may end a word ("?") goes without.
_CONTRACTIONS = re.compile(
    r"""'s\|'t\|'re\|'ve\|'m\|'ll\|'d\|"""
    r"""|'?\((?:\?i)?\??:?'?(?:\[[a-zA-Z]+\]|s|'s)[^()]*\)(?:\?|\|)?"""
)


def without_marks(pattern: str) -> str:
    """The pattern with combining marks taken out of its classes."""
    return pattern.replace(r"\p{M}", "")


def with_giving_back(pattern: str) -> str:
    """The pattern with greedy quantifiers instead of possessive ones."""
    return _POSSESSIVE.sub(r"\1", pattern)


def minding_case(pattern: str) -> str:
    """The pattern without (?i...)."""
    return pattern.replace("(?i:", "(?:").replace("(?i)", "")


def without_contractions(pattern: str) -> str:
    """The pattern without its alternatives for contractions."""
    return _CONTRACTIONS.sub("", pattern)


def without_lookahead(pattern: str) -> str:
    """The pattern without its demand that nothing but white space follows."""
    return pattern.replace(r"(?!\S)", "")


def giving_back_spaces(pattern: str) -> str:
    """The pattern with a run of white space that keeps its last character unless that is a space."""
    return pattern.replace(r"\s+(?!\S)", r"\s+(?<! )(?=\S)|\s+(?!\S)")


def with_pairs_of_letters(pattern: str) -> str:
    """The pattern with both cases of each letter instead of (?i:...)."""
    return _BLIND.sub(lambda found: f"(?:{re.sub('[a-z]', _pair, found.group(1))})", pattern)


def _pair(letter: re.Match[str]) -> str:
    return f"[{letter.group()}{letter.group().upper()}]"


def letters_by_case(pattern: str) -> str:
    """The pattern as llama.cpp approximates it (`gpt-4o`, `tekken`)."""
    return pattern.replace(UPPER, r"(?:(?=\p{L})[^a-z])").replace(LOWER, r"(?:(?=\p{L})[^A-Z])")


def letters_and_marks_by_case(pattern: str) -> str:
    """The pattern as llama.cpp approximates it (`granite-embed-multi-97m`)."""
    return pattern.replace(UPPER, r"(?:(?=[\p{L}\p{M}])[^a-z])").replace(LOWER, r"(?:(?=[\p{L}\p{M}])[^A-Z])")


def as_literal(split: Split) -> Split:
    """Return the stage with its pattern taken as a literal string."""
    return replace(split, literal=True)


def with_digits(number: int, individual: bool, counted: re.Pattern[str], count: str) -> Derived:
    """A `derive` for digits one by one or in runs: `count` stands behind them where the patterns had `counted`."""

    def of_stage(stage: Any) -> Any:
        if stage == digits(not individual):
            return digits(individual)
        if isinstance(stage, Split) and not stage.literal:
            return replace(stage, pattern=counted.sub(rf"\1{count}", stage.pattern))
        return stage

    return pretokenises_with(number, of_stage)


QUIRKS = (
    Quirk(
        name="drops_marks_from_words",
        title="Ends words at combining marks",
        symptom="Words in Devanagari, Thai, Hebrew and other scripts with marks are cut in two at the mark.",
        cause=r"The pre-tokenizer's pattern lost \p{M} when it was translated for another regular-expression engine.",
        fix="Keep \\p{M} in the classes of letters.",
        field="pretokenise",
        derive=patterns_with(10, without_marks),
        links=github("ggml-org/llama.cpp/pull/28054", "mattn/tensai/pull/163"),
        witness=lambda: toys.byte_bpe("¨+à", pretokenise=Split(r"[\p{L}\p{M}]+|.")).on("नी"),
    ),
    Quirk(
        name="makes_possessive_greedy",
        title="Replaces possessive quantifiers by greedy ones",
        symptom="A few words are cut at other places, because the pattern matches where it should fail.",
        cause="Possessive quantifiers (++, ?+) were made greedy ones (+, ?) for an engine that does not have them.",
        fix="Use an engine with possessive quantifiers or atomic groups.",
        field="pretokenise",
        derive=patterns_with(50, with_giving_back),
        links=github("ggml-org/llama.cpp/pull/12677"),
        witness=lambda: toys.byte_bpe("a+b", pretokenise=Split(r"\w++b|a|b")).on("ab"),
    ),
    Quirk(
        name="misses_capital_contractions",
        title="Splits off contractions in small letters only",
        symptom="Words in capitals with an apostrophe (DON'T, IT'S) are cut at other places.",
        cause="The pattern lost the flag that makes it ignore case.",
        fix="Keep (?i:...) around the contractions, or spell both cases out.",
        field="pretokenise",
        derive=patterns_with(60, minding_case),
        links=github("ggml-org/llama.cpp/pull/6920"),
        witness=lambda: toys.byte_bpe("S+a", pretokenise=Split(r"(?i:'s)|'?\p{L}+")).on("'Sa"),
    ),
    Quirk(
        name="misses_contractions",
        title="Does not split off contractions",
        symptom="English words with an apostrophe are cut at other places: don't becomes don, ' and t, or stays one "
        "word.",
        cause="The part of the pattern that matches 's, 't, 're and the like was left out.",
        fix="Keep the pattern as the model has it, contractions first.",
        field="pretokenise",
        derive=patterns_with(70, without_contractions),
        links=github("kekzl/imp/pull/660"),
        witness=lambda: toys.byte_bpe("s+a", pretokenise=Split(GPT2)).on("x'sa"),
    ),
    Quirk(
        name="spells_out_contractions",
        title="Spells out contractions in ASCII letters only",
        symptom="Only texts with ſ (U+017F, the long s) after an apostrophe differ.",
        cause="The pattern has pairs of letters such as [sS] instead of (?i:...). The pairs leave out ſ.",
        fix="Use an engine that knows (?i:...), or add the letters that fold to s.",
        field="pretokenise",
        derive=patterns_with(80, with_pairs_of_letters),
        links=github("ggml-org/llama.cpp/pull/6920"),
        witness=lambda: toys.byte_bpe("¿+a", pretokenise=Split(r"(?i:'s|'t)|'?\p{L}+")).on("'ſa"),
    ),
    Quirk(
        name="knows_case_of_ascii_only",
        title="Recognizes capitals and small letters in ASCII only",
        symptom="Words with capitals inside, in Cyrillic, Greek or accented Latin, are not cut before the capital; "
        "words with combining marks are cut at the mark.",
        cause=r"The classes of capital and small letters are written as look-aheads over \p{L} without a-z or A-Z, "
        "for a regular-expression engine that has no such classes.",
        fix="Use an engine that knows \\p{Lu} and its kin, and keep the pattern.",
        field="pretokenise",
        derive=patterns_with(100, letters_by_case),
        links=github("ggml-org/llama.cpp/pull/28054", "mattn/tensai/pull/163"),
        witness=lambda: toys.byte_bpe("¶+Ð", pretokenise=_CASES).on("жЖ"),
    ),
    Quirk(
        name="knows_case_of_ascii_only_with_marks",
        title="Recognizes case in ASCII only, and treats marks as letters",
        symptom="Words with capitals inside, in Cyrillic, Greek or accented Latin, are not cut before the capital; "
        "words with combining marks stay whole.",
        cause=r"The classes of capital and small letters are written as look-aheads over [\p{L}\p{M}] without a-z or "
        "A-Z, for a regular-expression engine that has no such classes.",
        fix="Use an engine that knows \\p{Lu} and its kin, and keep the pattern.",
        field="pretokenise",
        derive=patterns_with(110, letters_and_marks_by_case),
        links=github("ggml-org/llama.cpp/pull/22716", "ggml-org/llama.cpp/pull/28054"),
        witness=lambda: toys.byte_bpe("¶+Ð", pretokenise=_CASES).on("жЖ"),
    ),
    Quirk(
        name="takes_pattern_literally",
        title="Searches the text for the pattern itself",
        symptom="The pre-tokenizer does not split the text at all.",
        cause="The engine takes the pattern of a Split for a literal string, or the file says that it is one.",
        fix="Read pattern.Regex as a regular expression and pattern.String as a literal.",
        field="pretokenise",
        derive=splits_with(120, as_literal),
        links=github("ggml-org/llama.cpp/pull/29211"),
        witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
    ),
    Quirk(
        name="ignores_whitespace_lookahead",
        title="Takes all white space before a word as one word",
        symptom="Where several spaces come before a word, the last space should be part of the word and is not. "
        "Indented code differs everywhere.",
        cause="The look-ahead of \\s+(?!\\S) is missing. The regular-expression engine has no look-ahead (RE2, "
        "std::regex), or the words are cut by hand.",
        fix="Leave the last white space of a run to the word that follows it.",
        field="pretokenise",
        derive=patterns_with(55, without_lookahead),
        links=github("wangkuiyi/huggingface-tokenizer-in-cxx/issues/10", "NVIDIA/TensorRT-Model-Connect/pull/942"),
        witness=lambda: toys.byte_bpe("Ġ+a", pretokenise=Split(GPT2)).on("  a"),
    ),
    Quirk(
        name="gives_back_spaces_only",
        title="Leaves a space to the next word, but no tab",
        symptom="Code indented with tabs differs, and lines that begin with a no-break space. Where spaces come before "
        "a word, all is right.",
        cause="The regular-expression engine has no look-ahead (RE2), so \\s+(?!\\S) is written by hand. The code goes "
        "back by one character only where the last of the run is U+0020.",
        fix="Leave the last white space of a run, whatever it is, to what follows.",
        field="pretokenise",
        derive=patterns_with(54, giving_back_spaces),
        witness=lambda: toys.byte_bpe("Ċ+ĉ", pretokenise=Split(GPT2)).on("\n\ta"),
    ),
    Quirk(
        name="joins_all_digits",
        title="Takes a whole run of digits as one word",
        symptom="A number becomes one token or groups of odd lengths. The model was trained with single digits, or "
        "with groups of at most three.",
        cause="Digits are matched in runs: \\p{N}{1,3} or \\p{N} became \\p{N}+, or individual_digits is off.",
        fix="Keep the count of digits ({1,3}) as the model's pattern has it.",
        field="pretokenise",
        derive=with_digits(30, False, _ONE_OR_A_FEW, "+"),
        links=github("ggml-org/llama.cpp/issues/3502", "kekzl/imp/pull/660"),
        witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}")).on("12"),
    ),
    Quirk(
        name="splits_every_digit",
        title="Takes every digit as a word",
        symptom="Numbers are one token per digit where the model was trained with groups of digits.",
        cause="Digits are matched one by one: \\p{N}{1,3} or \\p{N}+ became \\p{N}, or individual_digits is on.",
        fix="Keep the count of digits ({1,3}) as the model's pattern has it.",
        field="pretokenise",
        derive=with_digits(90, True, _SEVERAL, ""),
        links=github("ggml-org/llama.cpp/pull/7063"),
        witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}{1,3}")).on("12"),
    ),
)
