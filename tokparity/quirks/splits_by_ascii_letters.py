"""Splits by a stand-in for the pattern that knows letters and digits of ASCII only."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import OnAlphabet, Split

# In the byte alphabet: Ġ is the space, Ċ the line feed, ĉ the tab, č the carriage return.
_OTHER = "[^A-Za-z0-9ĠĊĉč]"
_PATTERN = "|".join(
    (
        f"{_OTHER}?[A-Za-z]+",
        "[0-9]",
        f"Ġ?{_OTHER}+Ċ*",
        "Ġ+Ċ+",
        "Ġ+(?=Ġ[A-Za-z0-9])",
        "Ġ[A-Za-z]+",
        "Ġ[0-9]",
        "Ġ+",
        "Ċ+",
        "[ĉč]",
    )
)

QUIRK = Quirk(
    name="splits_by_ascii_letters",
    title="Splits by hand, with letters and digits of ASCII only",
    symptom="Each digit is a token, contractions and tabs are cut at other places, and words in other scripts or "
    "with accents fall apart.",
    cause="The engine walks the text by hand in the byte alphabet. Only a-z, A-Z and 0-9 count as letters and "
    "digits; every other byte counts as punctuation.",
    fix="Cut words where the model's own tokenizer does, with an engine that knows \\p{L} and \\p{N}, before bytes are "
    "mapped. SentencePiece and unigram models are not cut at letters.",
    field="pretokenise",
    value=OnAlphabet((Split(_PATTERN),)),
    witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(GPT2)).on("12"),
)
