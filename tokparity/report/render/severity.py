"""Which sorts of text a finding affects, everyday text first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tokparity.finding import Mismatch
from tokparity.questions import Encode, Render
from tokparity.questions.json_text import is_utf8

_ORDINARY = ("languages", "prompts", "cldr", "numbers_dates", "punctuation", "unspaced_scripts", "indic_conjuncts")
_CODE = ("code", "structured", "whitespace")
_CHAT = ("chat_templates", "special_tokens")
_HARD = ("bidi", "combining_marks", "control_characters", "emoji", "invalid_utf8", "letter_case", "long",
         "normalisation", "normalization", "piece_markers",
         "reserved_words", "unicode", "unusual_code_points", "zero_width")  # fmt: skip
OWN = "texts of your own"
SORTS = {
    "ordinary text": _ORDINARY,
    "code and structured text": _CODE,
    "chat prompts and special tokens": _CHAT,
}
"""The sorts of text that people send to a model, by corpus, with the most common first."""
MADE = "texts made to break tokenizers"
ASKED = "conversations that the chat template asks for"
MALFORMED = "malformed input only (bytes that are not UTF-8)"


def sort_of(mismatch: Mismatch) -> str:
    """The sort of text that a mismatch is about."""
    question = mismatch.case.question
    if isinstance(question, Render):
        return ASKED
    if isinstance(question, Encode) and not is_utf8(question.text):
        return MALFORMED
    origin = mismatch.case.origin
    if origin.source != "corpus" or origin.name in _HARD:
        return MADE
    return next((sort for sort, names in SORTS.items() if origin.name.partition("/")[0] in names), OWN)


def severity(members: Sequence[Mismatch]) -> str:
    """One sentence: the most common sort of affected text, with its share of the failing texts that were looked at."""
    counts = Counter(sort_of(mismatch) for mismatch in members if not mismatch.case.origin.shrunk)
    if not counts:
        return ""
    order = (OWN, *SORTS, ASKED, MADE, MALFORMED)
    first = min(counts, key=order.index)
    whole = counts.total()
    rest = ", ".join(f"{counts[sort]:,} {sort}" for sort in order if sort in counts and sort != first)
    also = f"; the others: {rest}" if rest else ""
    return f"affects {first}: {counts[first]:,} of {whole:,} failing texts that were looked at{also}"
