"""Quirks of normalizing the text, whatever the normalizer."""

from __future__ import annotations

import re
from functools import cache

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalised_after, normalised_before
from tokparity.reference.normalise import Lowercase
from tokparity.reference.text import INNER_SPACE
from tokparity.reference.unicode_ages import LATEST, character_class, unknown_to


def marker_as_space(text: str) -> str:
    """The text with spaces for markers."""
    return text.replace("▁", " ")


def marker_as_bytes(text: str) -> str:
    """The text with the three bytes of U+2581, as those of a broken character, where it spells the marker."""
    return text.replace("▁", "\udce2\udc96\udc81")


def spaces_alike(text: str) -> str:
    """The text in which a space inside a replacement is like any other."""
    return text.replace(INNER_SPACE, " ")


def without_unassigned(text: str) -> str:
    """The text without code points that are not a character in the latest version of Unicode that we know."""
    return _unassigned().sub("", text)


@cache
def _unassigned() -> re.Pattern[str]:
    return re.compile(f"[{character_class(unknown_to(LATEST))}]")


QUIRKS = (
    Quirk(
        name="drops_unassigned",
        title="Drops code points that are not assigned to a character",
        symptom="New emoji, letters of the latest version of Unicode, and noncharacters vanish.",
        cause="A clean-up removes code points of the category Cn. Its tables may be older than the text.",
        fix="Leave the text as it is; only the model's own normalizer may change it.",
        field="normalise",
        derive=normalised_before(60, without_unassigned),
        witness=lambda: toys.spm("a", byte_pieces=True).on("a\ufdd0"),
    ),
    Quirk(
        name="skips_normalisation",
        title="Skips the normalizer",
        symptom="Full-width, composed or upper-case text falls apart into rare pieces, bytes or unknown tokens. "
        "Small ASCII letters have the right ids.",
        cause="The normalizer (precompiled charsmap, NFKC, lower case) is not applied.",
        fix="Apply the model's normalizer before anything else (normalizer in tokenizer.json; in a GGUF "
        "precompiled_charsmap or normalizer.lowercase and normalizer.strip_accents).",
        field="normalise",
        links=github("ggml-org/llama.cpp/pull/28845"),
        witness=lambda: toys.spm("a b c", normalise=str.lower).on("AbC"),
    ),
    Quirk(
        name="reads_marker_as_space",
        title="Reads ▁ in the text as a space",
        symptom="A ▁ (U+2581) that the text itself contains is tokenized as a space.",
        cause="The engine replaces U+2581 in the input by a space, or cannot tell it from a replaced space.",
        fix="Leave U+2581 alone where the model does not escape spaces. (SentencePiece itself cannot tell the two "
        "apart.)",
        field="normalise",
        derive=normalised_before(50, marker_as_space),
        links=github("google/sentencepiece/issues/863"),
        witness=lambda: toys.byte_bpe("Ġ+a").on("a▁a"),
    ),
    Quirk(
        name="spells_marker_as_bytes",
        title="Writes a ▁ in the text as bytes",
        symptom="A ▁ that the text itself contains becomes the byte pieces <0xE2> <0x96> <0x81>, and no longer piece "
        "contains it.",
        cause="The engine replaces U+2581 by a space in every piece when it loads the vocabulary. No piece contains "
        "U+2581 any more.",
        fix="Write spaces of the text as U+2581 and leave the pieces as they are.",
        field="normalise",
        derive=normalised_before(52, marker_as_bytes),
        links=("https://github.com/karpathy/llama2.c/blob/master/tokenizer.py",),
        witness=lambda: toys.spm("a ▁ ▁a", byte_pieces=True).on("▁a"),
    ),
    Quirk(
        name="lowers_case",
        title="Converts text to lower case for a cased model",
        symptom="Capitals become small letters, so that names and starts of sentences get other pieces.",
        cause="Lower case is applied to every model of a family (all BERTs, say), the cased ones included.",
        fix="Read do_lower_case or normalizer.lowercase.",
        field="normalise",
        derive=normalised_after(20, Lowercase()),
        links=github("ggml-org/llama.cpp/pull/23899", "huggingface/swift-transformers/issues/156"),
        witness=lambda: toys.wordpiece("hi Hi").on("Hi"),
    ),
    Quirk(
        name="collapses_spaces_of_replacements",
        title="Collapses the spaces that a charsmap writes for one character",
        symptom="A character that the charsmap replaces by two spaces gives one ▁ instead of two.",
        cause="The engine collapses spaces in the whole normalized text.",
        fix="Collapse spaces between replacements only, as SentencePiece does: spaces inside one replacement stay.",
        field="normalise",
        derive=normalised_after(10, spaces_alike, even_if_none=False),
        links=github("google/sentencepiece/blob/master/src/normalizer.cc"),
        witness=lambda: toys.unigram(
            {"a": -1.0, "▁": -1.0}, normalise=toys.charsmap({"ª": "  "}), collapse_spaces=True
        ).on("aªa"),
    ),
)
