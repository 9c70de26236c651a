"""Quirks of collapsing spaces."""

from __future__ import annotations

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.reference.normalise import Nmt

QUIRKS = (
    Quirk(
        name="collapses_spaces",
        title="Collapses runs of spaces and drops spaces at the ends",
        symptom="Indentation is lost: code and tables come out flat.",
        cause="remove_extra_whitespaces is applied to a model that does not have it.",
        fix="Collapse spaces only where the model asks for it.",
        field="collapse_spaces",
        value=True,
        witness=lambda: toys.spm("a ▁ ▁a").on("a  a"),
    ),
    Quirk(
        name="keeps_extra_spaces",
        title="Keeps runs of spaces and spaces at the ends",
        symptom="Runs of spaces become tokens that the model has never seen.",
        cause="remove_extra_whitespaces is not applied.",
        fix="Collapse runs of spaces and drop those at the ends where the model asks for it.",
        field="collapse_spaces",
        value=False,
        witness=lambda: toys.spm("a ▁ ▁a", collapse_spaces=True).on("a  a"),
    ),
    Quirk(
        name="trims_spaces_only",
        title="Keeps a ▁ (U+2581) at the end of the text",
        symptom="Only texts that end with the character ▁ (U+2581) differ. The engine returns tokens for it, and "
        "SentencePiece returns none.",
        cause="The engine drops spaces at the end before it writes ▁. SentencePiece drops them afterwards, and "
        "cannot tell a ▁ of the text from a space.",
        fix="None is needed: what SentencePiece does is an accident. For equal ids, drop ▁ at the end after writing ▁.",
        field="trims_end_of",
        value="spaces",
        links=github("google/sentencepiece/issues/863"),
        witness=lambda: toys.unigram({"▁": -1, "a": -1}, collapse_spaces=True).on("a▁"),
    ),
    Quirk(
        name="keeps_space_at_the_end",
        title="Keeps one space at the end of the text",
        symptom="Texts that end with spaces get one more token, a ▁ alone.",
        cause="Runs of spaces become one, and only spaces at the start of the text go.",
        fix="Drop spaces at both ends of the text.",
        field="trims_end_of",
        value="nothing",
        witness=lambda: toys.unigram({"▁": -1, "a": -1}, collapse_spaces=True).on("a "),
    ),
    Quirk(
        name="collapses_spaces_before_normalizing",
        title="Collapses spaces before normalization, not after it",
        symptom="Full-width spaces, tabs and other white space that normalization turns into spaces stay in runs.",
        cause="Runs of U+0020 are collapsed in the text as it is given. Normalization makes more spaces afterwards.",
        fix="Normalize the text first, and then collapse the spaces.",
        field="collapses",
        value="given",
        witness=lambda: toys.unigram({"a": -1, "▁": -2}, collapse_spaces=True, normalise=Nmt()).on("a\t\ta"),
    ),
    Quirk(
        name="collapses_white_space_before_normalizing",
        title="Collapses all white space before normalization, none after it",
        symptom="Characters of which normalization makes spaces, and that are no white space, stay in runs: U+200B, "
        "U+FEFF.",
        cause="The text as it is given is split at white space and joined by single spaces. Normalization makes more "
        "spaces afterwards.",
        fix="Normalize the text first, and then collapse runs of U+0020.",
        field="collapses",
        value="given_white_space",
        witness=lambda: toys.unigram({"a": -1, "▁": -2}, collapse_spaces=True, normalise=Nmt()).on("a\u200b\u200ba"),
    ),
)
