"""Quirks of spans: which characters of a text each id is said to come from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.reference.spans import Spanner


def _with(number: int, **faults: object) -> Derived:
    """A `derive` for the field spans: spans with these faults beside those that they have."""

    def make(behaviour: Behaviour) -> object:
        found = behaviour.spans if isinstance(behaviour.spans, Spanner) else Spanner()
        return replace(found, **dict[str, Any](faults))

    return Derived(Place.PART, number, make)


QUIRKS = (
    Quirk(
        name="counts_spans_in_bytes",
        title="Spans count bytes of UTF-8",
        symptom="From the first character outside of ASCII on, spans lie too far to the right.",
        cause="The library counts bytes, and the caller cuts a string of characters.",
        fix="Count characters: decode the bytes before a place, and take the length of that.",
        field="spans",
        derive=_with(10, unit="bytes"),
    ),
    Quirk(
        name="counts_spans_in_utf16",
        title="Spans count units of UTF-16",
        symptom="Behind an emoji, spans lie one character too far to the right, behind two of them two.",
        cause="Strings of JavaScript, Java and C# count characters above U+FFFF twice.",
        fix="Count code points.",
        field="spans",
        derive=_with(20, unit="utf16"),
    ),
    Quirk(
        name="counts_spans_in_normalized_text",
        title="Spans count characters of the normalized text",
        symptom="Where normalization adds, joins or removes characters, later spans are shifted.",
        cause="Places in the normalized text are given as places in the text of the caller.",
        fix="Keep for each normalized character where it came from, and give that place.",
        field="spans",
        derive=_with(28, normalized=True),
    ),
    Quirk(
        name="adds_up_lengths_for_spans",
        title="Spans add up the lengths of pieces",
        symptom="Spans are shifted from the first character of several ids, added space or dropped space on.",
        cause="The lengths of pieces, or of ids that are decoded one by one, are not those of the caller's text.",
        fix="Keep for each id the place in the text that it came from.",
        field="spans",
        derive=_with(30, summed=True),
    ),
    Quirk(
        name="counts_spans_from_one",
        title="Spans count characters from 1",
        symptom="Each span lies one character too far to the right, and the last one ends outside of the text.",
        cause="The caller's first character has the number 0.",
        fix="Give the first character the number 0.",
        field="spans",
        derive=_with(12, shift=True),
    ),
    Quirk(
        name="gives_added_space_a_character",
        title="An added space has the character behind it",
        symptom="Two ids have the same character in their spans: a space that the text does not have, and the next id.",
        cause="What is added before a character gets the place of that character.",
        fix="Give an empty span to what comes from no character of the text.",
        field="spans",
        derive=_with(35, borrows=True),
    ),
    Quirk(
        name="leaves_composed_marks_out",
        title="Of characters that became one only the first is in the span",
        symptom="A mark behind its letter, or the rest of a Hangul syllable, is in no span.",
        cause="Normalization makes one character of several, and keeps the place of the first.",
        fix="Give the composed character the places of all that it was made of.",
        field="spans",
        derive=_with(32, firsts=True),
    ),
    Quirk(
        name="counts_no_removed_beginning",
        title="Spans do not count characters that are removed at the beginning",
        symptom="If the text begins with a soft hyphen or a control character, all spans lie too far to the left.",
        cause="A removed character is added to the one before it, and at the beginning there is none.",
        fix="Begin with the number of characters that were removed before the first one that stays.",
        field="spans",
        derive=_with(26, drifts=True),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/normalizers/precompiled.rs"),
    ),
    Quirk(
        name="counts_no_dropped_characters",
        title="Spans do not count characters that get no id",
        symptom="Behind a character that no piece covers, and that is dropped, spans of its word lie too far to the "
        "left.",
        cause="Within a word the lengths of its ids are added up. What was dropped has no length.",
        fix="Keep for each id the place in the word that it came from.",
        field="spans",
        derive=_with(24, closes_up=True),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/models/bpe/word.rs"),
    ),
    Quirk(
        name="restarts_spans_behind_added_tokens",
        title="Behind an added token, spans begin at 0 again",
        symptom="Spans behind a special token lie too far to the left.",
        cause="The text between two added tokens is encoded by itself, and where it began is not added.",
        fix="Add the place at which each part of the text begins.",
        field="spans",
        derive=_with(40, restarts=True),
    ),
    Quirk(
        name="ends_spans_at_last_character",
        title="A span ends with its last character, not behind it",
        symptom="The last character of each id is missing from its span.",
        cause="The end of a span is taken for the place of the last character.",
        fix="Give the place behind the last character.",
        field="spans",
        derive=_with(50, inclusive=True),
    ),
    Quirk(
        name="gives_empty_spans",
        title="All spans are empty",
        symptom="Each id is said to come from no character.",
        cause="Offsets are not computed in a fast path, and zeros are given for them.",
        fix="Take the path that computes offsets.",
        field="spans",
        derive=_with(60, nothing=True),
    ),
)
