"""Quirks of the options of BERT's normalizer: accents, case, ideographs."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, replace
from typing import Any

import regex

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import ChangedThen, changed, normalises_with, wraps_stages
from tokparity.reference import splits
from tokparity.reference.normalise import Bert, Lowercase, StripAccents
from tokparity.reference.unicode_versions import lower

_ABOVE_FFFF = "\U00010000-\U0010ffff"
_BUT_ONE_BLOCK = f"\u3400-\u4dbf\uf900-\ufaff{_ABOVE_FFFF}"
"""The blocks of ideographs but U+4E00 to U+9FFF."""
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_DROPPED = regex.compile(r"(?V1)[\p{Cc}\p{Cf}\ufffd--\t\n\r]")
"""What clean_text of BERT takes away."""


def without_stripping(stage: Any) -> Any:
    """The stage with accents kept."""
    if isinstance(stage, Bert):
        return replace(stage, strip_accents=False)
    return None if isinstance(stage, StripAccents) else stage


def with_stripping(stage: Any) -> Any:
    """BERT's normalizer with accents stripped, others as they are."""
    return replace(stage, strip_accents=True) if isinstance(stage, Bert) else stage


def without_lower_case(stage: Any) -> Any:
    """The stage with capitals kept; BERT's still strips accents as before."""
    if isinstance(stage, Bert):
        return replace(stage, lowercase=False, strip_accents=stage.drops_accents)
    return None if isinstance(stage, Lowercase) else stage


def lowered(text: str) -> str:
    """The text in lower case; Σ is σ or ς by where it stands in its word."""
    return text.lower() if "Σ" in text else lower(text)


def lowered_in_ascii(text: str) -> str:
    """The text with A to Z in lower case, as tolower() in C and a table of 26 letters do it."""
    return text.translate(_ASCII_LOWER)


@dataclass(frozen=True)
class LoweredBy:
    """A change of a stage that lowers the case: it does so in another way."""

    lower: Normalise

    def __call__(self, stage: Any) -> Any:
        if not (isinstance(stage, Lowercase) or (isinstance(stage, Bert) and stage.lowercase)):
            return stage
        return ChangedThen(without_lower_case(stage), self.lower)


def without_chinese(stage: Any) -> Any:
    """BERT's normalizer without spaces around ideographs, others as they are."""
    return replace(stage, handle_chinese_chars=False) if isinstance(stage, Bert) else stage


@dataclass(frozen=True)
class NoIdeographs:
    """BERT's normalizer, for which there is no ideograph among the characters of a class."""

    inner: Normalise
    characters: str

    def __call__(self, text: str) -> str:
        together: Normalise = changed(self.inner, without_chinese)
        parts = re.split(f"([{self.characters}]+)", text)
        return "".join(together(part) if n % 2 else self.inner(part) for n, part in enumerate(parts))


@dataclass(frozen=True)
class DroppedAsSpaces:
    """BERT's normalizer on a text in which each character that it drops is a space."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner(_DROPPED.sub(" ", text))


def _is_bert(stage: Any) -> bool:
    return isinstance(stage, Bert)


def cleans(stage: Any) -> bool:
    """Whether it is BERT's normalizer, and drops control characters."""
    return isinstance(stage, Bert) and stage.clean_text


QUIRKS = (
    Quirk(
        name="keeps_accents",
        title="Keeps accents in a model that strips them",
        symptom="Words with accents become the unknown token, so that different words get the same id.",
        cause="strip_accents is lost in the conversion or not obeyed.",
        fix="Decompose (NFD) and drop nonspacing marks where the model says so.",
        field="normalise",
        derive=normalises_with(10, without_stripping),
        links=github("ollama/ollama/issues/15609", "ggml-org/llama.cpp/pull/24371"),
        witness=lambda: toys.wordpiece("cafe café", normalise=Bert()).on("café"),
    ),
    Quirk(
        name="strips_accents",
        title="Strips accents in a model that keeps them",
        symptom="Words lose their accents: schön and schon get the same ids.",
        cause="Accents are stripped for every model of a family, the cased ones included.",
        fix="Read strip_accents; where it is absent, it is as lowercase.",
        field="normalise",
        derive=normalises_with(50, with_stripping),
        links=github("ggml-org/llama.cpp/pull/24371"),
        witness=lambda: toys.wordpiece("cafe café", normalise=Bert(strip_accents=False)).on("café"),
    ),
    Quirk(
        name="keeps_case",
        title="Keeps capitals in a model that lowers the case",
        symptom="Words with capitals become the unknown token or fall apart into rare pieces.",
        cause="The lower case of the normalizer is not applied.",
        fix="Lower the case where the model says so.",
        field="normalise",
        derive=normalises_with(20, without_lower_case),
        links=github("ggml-org/llama.cpp/pull/23899"),
        witness=lambda: toys.wordpiece("hi Hi", normalise=Bert()).on("Hi"),
    ),
    Quirk(
        name="lowers_final_sigma",
        title="Writes ς for a capital sigma that ends a word",
        symptom="Greek in capitals differs: the Σ at the end of ΟΔΟΣ should become σ and becomes ς. All else is right.",
        cause="The text is lowered as a whole (str.lower, to_lowercase, toLowerCase), by which Σ at the end of a word "
        "becomes ς. BERT and tokenizers lower character by character.",
        fix="Lower each character by itself.",
        field="normalise",
        derive=normalises_with(25, LoweredBy(lowered)),
        witness=lambda: toys.wordpiece("a ##σ ##ς", normalise=Bert()).on("AΣ"),
    ),
    Quirk(
        name="lowers_ascii_only",
        title="Lowers only the letters A to Z",
        symptom="Words with capitals outside ASCII (Москва, Ærø, ΟΔΟΣ) become the unknown token or fall apart.",
        cause="The case is lowered byte by byte: tolower() in C, to_ascii_lowercase() in Rust.",
        fix="Lower by the tables of Unicode, character by character.",
        field="normalise",
        derive=normalises_with(26, LoweredBy(lowered_in_ascii)),
        links=("https://doc.rust-lang.org/std/primitive.str.html#method.to_ascii_lowercase",),
        witness=lambda: toys.wordpiece("м М", normalise=Bert()).on("М"),
    ),
    Quirk(
        name="keeps_ideographs_together",
        title="Leaves ideographs inside words",
        symptom="Chinese text becomes a few unknown tokens. The right answer is one token per character.",
        cause="handle_chinese_chars (tokenize_chinese_chars) is not obeyed.",
        fix="Put spaces around each ideograph before the text is split.",
        field="normalise",
        derive=normalises_with(30, without_chinese),
        links=github("huggingface/swift-transformers/pull/45"),
        witness=lambda: toys.wordpiece("中 文", normalise=Bert(), pretokenise=splits.Bert()).on("中文"),
    ),
    Quirk(
        name="keeps_ideographs_above_ffff_together",
        title="Leaves ideographs above U+FFFF inside words",
        symptom="Rare Chinese characters (U+20000 and above) join their neighbors, and all of them become one "
        "unknown token.",
        cause="Characters are looked up by their first UTF-16 unit (charCodeAt in JavaScript), which is no ideograph.",
        fix="Go by code points: codePointAt, or for ... of.",
        field="normalise",
        derive=wraps_stages(200, _is_bert, lambda inner: NoIdeographs(inner, _ABOVE_FFFF)),
        links=github("huggingface/transformers.js/blob/main/packages/transformers/src/tokenizers.js"),
        witness=lambda: toys.wordpiece("中 \U00020000 ##\U00020000", normalise=Bert(), pretokenise=splits.Bert()).on(
            "\U00020000\U00020000"
        ),
    ),
    Quirk(
        name="knows_ideographs_of_one_block_only",
        title="Separates only the ideographs U+4E00 to U+9FFF",
        symptom="Rare ideographs (U+3400 to U+4DBF, U+F900 to U+FAFF, above U+FFFF) join their neighbors, and all of "
        "them become one unknown token.",
        cause="Ideographs are found by [\\u4e00-\\u9fff], which is one of the eight blocks that BERT looks for.",
        fix="Look for all blocks, as _is_chinese_char in BERT's tokenization.py does.",
        field="normalise",
        derive=wraps_stages(201, _is_bert, lambda inner: NoIdeographs(inner, _BUT_ONE_BLOCK)),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("中 㐀 ##㐀", normalise=Bert(), pretokenise=splits.Bert()).on("㐀㐀"),
    ),
    Quirk(
        name="writes_spaces_for_dropped_characters",
        title="Puts a space where a character is dropped",
        symptom="A word with a zero-width joiner, a soft hyphen or a control character is cut in two.",
        cause="Control and format characters are replaced by a space; BERT's clean_text leaves nothing in their place.",
        fix="Drop them, and replace white space alone.",
        field="normalise",
        derive=wraps_stages(191, cleans, DroppedAsSpaces),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\u200db"),
    ),
)
