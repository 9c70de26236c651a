"""Quirks of applying a precompiled charsmap."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with, wraps_stages
from tokparity.quirks.toys import CHARSMAP
from tokparity.quirks.unicode_forms import Formed
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.normalise import Nmt
from tokparity.reference.text import NOTHING, REPLACEMENT
from tokparity.vocabulary import Kind

_LONE_SURROGATES = re.compile("[\udc00-\udcff]")


@dataclass(frozen=True)
class PerGrapheme:
    """Hugging Face's way with a charsmap; an invalid byte (a lone surrogate) becomes U+FFFD as before."""

    charsmap: GraphemeCharsmap

    def __call__(self, text: str) -> str:
        return self.charsmap(_LONE_SURROGATES.sub(REPLACEMENT, text))


@dataclass(frozen=True)
class ShortestKey:
    """A charsmap of which the shortest key that fits is replaced."""

    charsmap: Charsmap

    def __call__(self, text: str) -> str:
        table = self.charsmap.table
        parts: list[str] = []
        at = 0
        while at < len(text):
            ends = range(at + 1, min(at + self.charsmap.longest, len(text)) + 1)
            end = next((end for end in ends if text[at:end] in table), None)
            parts.append(text[at] if end is None else table[text[at:end]])
            at = end or at + 1
        return "".join(parts)


@dataclass(frozen=True)
class PerCharacter:
    """A charsmap of which only keys of one character are replaced; an invalid byte becomes U+FFFD as before."""

    charsmap: Charsmap

    def __call__(self, text: str) -> str:
        table = self.charsmap.table
        return "".join(table.get(c, c) for c in _LONE_SURROGATES.sub(REPLACEMENT, text))


def per_grapheme(stage: Any) -> Any:
    """A charsmap as Hugging Face's tokenizers applies it, other stages as they are."""
    return PerGrapheme(GraphemeCharsmap(stage.blob)) if isinstance(stage, Charsmap) else stage


def longest_key(stage: Any) -> Any:
    """A charsmap as SentencePiece applies it, other stages as they are."""
    return Charsmap(stage.blob) if isinstance(stage, GraphemeCharsmap) else stage


def shortest_key(stage: Any) -> Any:
    """A charsmap with shortest keys, other stages as they are."""
    return ShortestKey(stage) if isinstance(stage, Charsmap) else stage


def per_character(stage: Any) -> Any:
    """A charsmap without its longer keys, other stages as they are."""
    return PerCharacter(stage) if isinstance(stage, Charsmap) else stage


def without_kept(stage: Any) -> Any:
    """A charsmap that keeps no pieces, other stages as they are."""
    return replace(stage, keep=()) if isinstance(stage, Charsmap) else stage


@dataclass(frozen=True)
class SparingTabs:
    """A normalizer that does not see tabs."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        if "\t" not in text:
            return self.inner(text)
        return "\t".join(self.inner(part).removeprefix(NOTHING) for part in text.split("\t"))


def has_nmt_rules(stage: Any) -> bool:
    """Whether a stage is a charsmap, or the NMT rules themselves."""
    return isinstance(stage, Charsmap | GraphemeCharsmap | PerGrapheme | Nmt)


def by_its_name(stage: Any) -> Any:
    """NFKC for a charsmap, other stages as they are."""
    return Formed("NFKC") if isinstance(stage, Charsmap | GraphemeCharsmap) else stage


QUIRKS = (
    Quirk(
        name="keeps_tabs_from_nmt_rules",
        title="Keeps tabs that the NMT rules turn into spaces",
        symptom="Tables and indented code differ: a tab becomes the unknown token or a byte piece. The right answer "
        "is a space.",
        cause="U+0009 is not among the spaces of the table that stands in for the charsmap (nmt_nfkc).",
        fix="Apply the charsmap of the model's file; its NMT rules make U+0020 of U+0009.",
        field="normalise",
        derive=wraps_stages(160, has_nmt_rules, SparingTabs),
        witness=lambda: toys.unigram({"a": -1, "▁": -2}, normalise=Nmt()).on("a\ta"),
    ),
    Quirk(
        name="applies_nfkc_for_charsmap",
        title="Applies NFKC instead of the file's charsmap",
        symptom="Control characters, zero width spaces and odd white space come through; full-width forms and "
        "ligatures are right.",
        cause="The charsmap in the file is not read. nmt_nfkc is more than NFKC: it drops control characters, makes "
        "spaces of others, and leaves ～ (U+FF5E) alone.",
        fix="Apply the precompiled charsmap of the model's file.",
        field="normalise",
        derive=normalises_with(170, by_its_name),
        links=github("google/sentencepiece/blob/master/doc/normalization.md"),
        witness=lambda: toys.unigram({"a": -1, "b": -2}, normalise=toys.charsmap({"a": "b"})).on("a"),
    ),
    Quirk(
        name="normalises_user_defined_pieces",
        title="Normalizes user-defined pieces",
        symptom="User-defined pieces with full-width or compatibility characters, or with tabs, are never found.",
        cause="The charsmap is applied to the whole text; SentencePiece leaves user-defined pieces alone.",
        fix="Leave user-defined pieces unchanged in the normalizer.",
        field="normalise",
        derive=normalises_with(60, without_kept),
        witness=lambda: toys.unigram(
            {"a": -1, "ª": -2}, kinds={"ª": Kind.USER_DEFINED}, normalise=replace(CHARSMAP, keep=("ª",))
        ).on("ª"),
    ),
    Quirk(
        name="applies_charsmap_per_grapheme",
        title="Applies the charsmap to whole grapheme clusters",
        symptom="Combining marks vanish, and decomposed Hangul stays decomposed. Text without either has the right "
        "ids.",
        cause="The engine replaces a whole grapheme cluster of less than 6 bytes by the value of the shortest key "
        "at its start. It looks up longer clusters character by character.",
        fix="Go through the text and replace, at each place, the longest key.",
        field="normalise",
        derive=normalises_with(70, per_grapheme),
        links=github(
            "huggingface/tokenizers/issues/2116",
            "huggingface/tokenizers/issues/2334",
            "huggingface/tokenizers/pull/2430",
        ),
        witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=CHARSMAP).on(
            "ª\N{COMBINING ACUTE ACCENT}b"
        ),
    ),
    Quirk(
        name="applies_charsmap_to_longest_key",
        title="Applies the charsmap by longest key, not by grapheme cluster",
        symptom="Letters with combining marks keep their marks. Text without such letters has the right ids.",
        cause="The engine applies the charsmap as SentencePiece does. The model's tokenizer.json runs on Hugging "
        "Face tokenizers, which works on grapheme clusters.",
        fix="Find out whether the model was trained with SentencePiece or with Hugging Face tokenizers. For "
        "SentencePiece models it is mostly SentencePiece.",
        field="normalise",
        derive=normalises_with(80, longest_key),
        links=github("huggingface/tokenizers/issues/2116"),
        witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=GraphemeCharsmap(CHARSMAP.blob)).on(
            "ª\N{COMBINING ACUTE ACCENT}b"
        ),
    ),
    Quirk(
        name="takes_shortest_charsmap_key",
        title="Takes the shortest key of the charsmap that fits",
        symptom="Letters with combining marks keep the mark, or get another form than in the model's own tokenizer.",
        cause="At each place the engine replaces the first key that it finds in the trie, which is the shortest.",
        fix="Walk the trie to its end and take the longest key that fits.",
        field="normalise",
        derive=normalises_with(90, shortest_key),
        links=github("huggingface/tokenizers/issues/2116"),
        witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=CHARSMAP).on(
            "ª\N{COMBINING ACUTE ACCENT}b"
        ),
    ),
    Quirk(
        name="applies_charsmap_per_character",
        title="Applies only the charsmap's keys of one character",
        symptom="A letter and a combining mark behind it stay two characters, and voiced half-width kana fall apart. "
        "Full-width letters and ligatures are right.",
        cause="The charsmap became a table of characters (str.translate, a HashMap of char), which has no room for "
        "keys of several characters.",
        fix="Go through the text and replace, at each place, the longest key.",
        field="normalise",
        derive=normalises_with(95, per_character),
        links=github("google/sentencepiece/blob/master/doc/normalization.md"),
        witness=lambda: toys.unigram(
            {"a": -1, "á": -2}, normalise=toys.charsmap({"a\N{COMBINING ACUTE ACCENT}": "á"})
        ).on("a\N{COMBINING ACUTE ACCENT}"),
    ),
)
