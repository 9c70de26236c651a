"""Quirks of splitting the text into words, whatever the patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import pretokenises_with, splits_with
from tokparity.quirks.tables_of_unicode import not_knowing
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import (
    Bert,
    Chain,
    Characters,
    OnAlphabet,
    Split,
    Stage,
    digits,
    punctuation,
    whitespace_split,
)
from tokparity.reference.unicode_ages import WHITESPACE
from tokparity.reference.unicode_versions import as_of_15

_UNASSIGNED = "\ufdd0"
_ODD_SPACES = re.compile("[" + "".join(c for c in WHITESPACE if not c.isascii()) + "]")
_PUNCTUATION = r"(?V1)[!-/:-@\[-`\{-\~\p{P}]"
_PUNCTUATION_OF_ASCII = r"(?V1)[!-/:-@\[-`\{-\~]"


def newer(stage: Any, seen_as: Callable[[str], str] = as_of_15) -> Any:
    """Punctuation of a newer Unicode where the stage has that of Unicode 8."""
    if isinstance(stage, Bert):
        return Chain((whitespace_split(), newer(punctuation(), seen_as)))
    if isinstance(stage, Characters) and stage.members == punctuation().members:
        return replace(stage, members=_PUNCTUATION, seen_as=seen_as)
    return stage


def of_ascii(stage: Any) -> Any:
    """The stage with only ASCII's punctuation where it has all."""
    if isinstance(stage, Bert):
        return Chain((whitespace_split(), of_ascii(punctuation())))
    if isinstance(stage, Characters) and stage.members in (punctuation().members, _PUNCTUATION):
        return replace(stage, members=_PUNCTUATION_OF_ASCII)
    return stage


def in_text(stage: Any) -> Any:
    """The stage, with what it looks for in the byte alphabet looked for in the text."""
    if isinstance(stage, OnAlphabet):
        return Chain(stage.stages)
    if isinstance(stage, Chain):
        return replace(stage, stages=tuple(map(in_text, stage.stages)))
    return stage


@dataclass(frozen=True)
class SpacesAsTabs(Stage):
    """Cuts where `inner` would if white space outside of ASCII were U+000B."""

    inner: Split

    def cut(self, text: str) -> Iterable[tuple[int, int]]:
        """Where the words of the text are."""
        return self.inner.cut(_ODD_SPACES.sub("\v", text))


QUIRKS = (
    Quirk(
        name="skips_pretokenisation",
        title="Skips the pre-tokenizer: the whole text is one word",
        symptom="Pieces contain spaces and line ends between words, and long texts are slow.",
        cause="The pre-tokenizer does not run.",
        fix="Split the text as the model's tokenizer.json (or tokenizer.ggml.pre) says, then merge within words.",
        field="pretokenise",
        links=github("ggml-org/llama.cpp/pull/6920"),
        witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
    ),
    Quirk(
        name="knows_no_letters_above_ffff",
        title="Takes letters and digits above U+FFFF for symbols",
        symptom="Letters such as 𝒜 and 𐐨, and digits such as 𝟙, join the punctuation beside them, and no word.",
        cause="The pattern is matched on units of 16 bits, as .NET's Regex does it: each surrogate is of no class.",
        fix="Match on code points: ICU, or the package regex; in JavaScript the flag u.",
        field="pretokenise",
        derive=not_knowing(59, lambda: "[\U00010000-\U0010ffff]"),
        links=github("dotnet/runtime/issues/36425", "dotnet/corefx/issues/7569"),
        witness=lambda: toys.byte_bpe("!+ð", pretokenise=Split(GPT2)).on("!𝒜"),
    ),
    Quirk(
        name="splits_at_line_ends",
        title="Splits the text at line ends before merging",
        symptom="Pieces that contain a newline and other characters are never found.",
        cause="The text is cut into lines and runs of newlines first, which the model's own tokenizer does not do.",
        fix="Split as the model's tokenizer.json says.",
        field="pretokenise",
        value=Split(r"[^\n]+|\n+"),
        witness=lambda: toys.byte_bpe("a+Ċ").on("a\n"),
    ),
    Quirk(
        name="has_tables_newer_than_unicode_8",
        title="Finds punctuation by Unicode tables newer than version 8",
        symptom="Punctuation that Unicode added after 2015 (such as U+2E4E) is cut off the word. The model's own "
        "tokenizer leaves it in the word.",
        cause="The engine's tables are newer than those of the original. Punctuation and BertPreTokenizer of Hugging "
        "Face's tokenizers use a package that stopped at Unicode 8.",
        fix="To get equal ids, use the tables of Unicode 8, which the model was trained with.",
        field="pretokenise",
        derive=pretokenises_with(20, newer),
        links=(
            "https://crates.io/crates/unicode_categories",
            "https://github.com/ggml-org/llama.cpp/pull/7530",
        ),
        witness=lambda: toys.byte_bpe("Ġ+â", pretokenise=punctuation("contiguous")).on(" ⹎"),
    ),
    Quirk(
        name="splits_at_punctuation_of_ascii_only",
        title="Splits at the punctuation of ASCII only",
        symptom="Typographic quotation marks, dashes and ellipses stay joined to the word beside them, which becomes "
        "unknown. Text with straight quotes has the right ids.",
        cause="Punctuation is found by a routine for ASCII, such as ispunct() of C.",
        fix="Split at every character of the categories P, and at the symbols of ASCII.",
        field="pretokenise",
        derive=pretokenises_with(160, of_ascii),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("a “", pretokenise=Bert()).on("a“"),
    ),
    Quirk(
        name="splits_digits_before_byte_mapping",
        title="Splits digits before mapping bytes, not after",
        symptom="Texts with ² ³ ¹ ¼ ½ ¾, or with characters whose bytes are spelled like these, are cut at other "
        "places. Digits 0 to 9 have the right ids.",
        cause="The digits are split off before the words are spelled in the byte alphabet; in the model's "
        "tokenizer.json this comes after ByteLevel.",
        fix="Run the stages in the order of the model's tokenizer.json (Falcon).",
        field="pretokenise",
        derive=Derived(Place.PART, 40, lambda behaviour: in_text(behaviour.pretokenise)),
        links=github("ggml-org/llama.cpp/issues/3502"),
        witness=lambda: toys.byte_bpe("Ã+¼", pretokenise=Chain((Split(GPT2), OnAlphabet((digits(False),))))).on(
            "\N{LATIN SMALL LETTER U WITH DIAERESIS}"
        ),
    ),
    Quirk(
        name="skips_byte_alphabet",
        title="Looks words up without the byte alphabet",
        symptom="ASCII letters have the right ids. Everything with a space or outside ASCII is lost.",
        cause="The bytes are not mapped to GPT-2's alphabet (the space is Ġ there), so no such piece is found.",
        fix="Map each byte of the UTF-8 to its printable character before merging.",
        field="byte_level",
        value=False,
        witness=lambda: toys.byte_bpe("Ġ+a").on("a a"),
    ),
    Quirk(
        name="treats_unicode_spaces_as_vertical_tabs",
        title="Treats spaces outside ASCII as vertical tabs when splitting",
        symptom="Only texts with U+3000, U+2029 and similar spaces differ, on models whose patterns name these "
        "characters (DeepSeek).",
        cause="The \\s of std::wregex knows no white space outside ASCII. The engine replaces such a space by "
        "U+000B before it runs the pattern, and ranges of the pattern then miss it.",
        fix="Add the spaces to \\s in the pattern instead of changing the text.",
        field="pretokenise",
        derive=splits_with(130, SpacesAsTabs),
        links=github("ggml-org/llama.cpp/pull/7530", "ggml-org/llama.cpp/blob/master/src/unicode.cpp"),
        witness=lambda: toys.byte_bpe("Ġ+Ġ", pretokenise=Split(r" ?[\u3000-\u3002]+")).on("  \u3000"),
    ),
)
