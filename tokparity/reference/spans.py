"""The spans of ids: for each the first character of the text that it comes from, and the one behind its last."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from tokparity.outcome import Place, Spanning
from tokparity.reference.token_places import Token, tokens_of
from tokparity.reference.tokenizer import Tokenizer


@dataclass(frozen=True)
class Spanner:
    """(text, its tokens) -> a span for each. The first four fields are ways of being right, the others are faults."""

    last: bool = False
    """Of the ids of one character only the last has it in its span."""
    trims: bool = False
    """White space at the ends of a span is left out."""
    runs: bool = False
    """White space that became one space is in a span as a whole, else its last character."""
    lines: bool = False
    """A line end of two characters that became one space is at its first character."""
    unit: Literal["characters", "bytes", "utf16"] = "characters"
    """What is counted."""
    firsts: bool = False
    """Of several characters that normalization made one, only the first is in the span."""
    borrows: bool = False
    """What no character became, such as a space that was added, has the character behind it."""
    summed: bool = False
    """The lengths of the pieces are added up, as the model sees them: normalized, and with spaces that were added."""
    normalized: bool = False
    """What is counted is the normalized text."""
    closes_up: bool = False
    """Characters that have no id are not counted in their word."""
    drifts: bool = False
    """What normalization removes at the beginning is not counted."""
    shift: bool = False
    """Characters are counted from 1."""
    restarts: bool = False
    """Behind an added token, counting begins anew."""
    inclusive: bool = False
    """A span ends with its last character."""
    nothing: bool = False
    """All spans are empty."""

    def __call__(self, text: str, tokens: Sequence[Token], added: Container[int]) -> tuple[Place, ...]:
        spans = [token.firsts or token.place if self.firsts else token.place for token in tokens]
        if self.closes_up:
            spans = [token.closed_up or span for token, span in zip(tokens, spans, strict=True)]
        if self.runs or self.lines:
            wider = _with_run if self.runs else _with_line_end
            taken = {at for start, end in spans for at in range(start, end)}
            spans = [wider(text, start, end, taken) for start, end in spans]
        if self.borrows:
            empty = [token.width and token.place == (at, at) for token, (at, _) in zip(tokens, spans, strict=True)]
            spans = [(at, min(end + bool(one), len(text))) for (at, end), one in zip(spans, empty, strict=True)]
        if self.drifts:
            spans = [*_drifted(text, spans)]
        if self.last:
            final = {span: i for i, span in enumerate(spans)}
            spans = [span if final[span] == i else (span[1], span[1]) for i, span in enumerate(spans)]
        if self.summed:
            spans = [*pairwise(accumulate((token.width for token in tokens), initial=0))]
        elif self.normalized:
            spans = [token.normalized or span for token, span in zip(tokens, spans, strict=True)]
        elif self.trims:
            spans = [_trimmed(text, *span) for span in spans]
        if self.unit != "characters" and not (self.summed or self.normalized):
            widths = (len(c.encode()) if self.unit == "bytes" else 1 + (c > "\uffff") for c in text)
            at = [*accumulate(widths, initial=0)]
            spans = [(at[start], at[end]) for start, end in spans]
        if self.shift:
            spans = [(start + 1, end + 1) for start, end in spans]
        if self.restarts:
            spans = [*_from_added(spans, [token.id in added for token in tokens])]
        if self.inclusive:
            spans = [(start, max(end - 1, start)) for start, end in spans]
        return ((0, 0),) * len(spans) if self.nothing else tuple(spans)


def spanned(tokenizer: Tokenizer, text: str, add_special: bool = True, parse_special: bool = False) -> Spanning:
    """The ids of a text with the characters that each came from, and how far a span of it may reach."""
    tokens = tokens_of(tokenizer, text, add_special, parse_special)
    way = tokenizer.behaviour.spans or Spanner()
    reach = _reach([token.place for token in tokens], len(text))
    spans = way(text, tokens, tokenizer.vocabulary.added_by_id)
    return Spanning(tuple(token.id for token in tokens), spans, reach=tuple(reach))


def _is_control(character: str) -> bool:
    """Whether it is a control or format character, such as a soft hyphen, and no tab or line end."""
    return unicodedata.category(character) in ("Cc", "Cf") and character not in "\t\n\v\f\r\x85"


def _with_run(text: str, start: int, end: int, taken: Container[int]) -> Place:
    """A span that begins with white space, with all that stands before it and belongs to no id."""
    while start < end and text[start].isspace() and start and text[start - 1].isspace() and start - 1 not in taken:
        start -= 1
    return start, end


def _with_line_end(text: str, start: int, end: int, taken: Container[int]) -> Place:
    """A span that begins with the second character of a line end, with the first; alone, that first one."""
    if start < end and start and text[start - 1 : start + 1] == "\r\n" and start - 1 not in taken:
        return start - 1, end if end > start + 1 else start
    return start, end


def _drifted(text: str, spans: Sequence[Place]) -> Iterator[Place]:
    """Spans as far to the left as control characters went that stood before the first one that an id comes from."""
    first = next((start for start, end in spans if start < end), 0)
    removed = next((n for n in range(first) if not _is_control(text[n])), first)
    yield from ((max(start - removed, 0), max(end - removed, 0)) for start, end in spans)


def _trimmed(text: str, start: int, end: int) -> Place:
    """A span without the white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _from_added(spans: Sequence[Place], added: Sequence[bool]) -> Iterator[Place]:
    """Spans that are counted from the end of the last added token."""
    origin = 0
    for (start, end), is_added in zip(spans, added, strict=True):
        yield max(start - origin, 0), max(end - origin, 0)
        origin = end if is_added and end > start else origin


def _reach(spans: Sequence[Place], size: int) -> Iterator[Place]:
    """Each span with the characters beside it that no id came from."""
    covered = [0] * (size + 1)
    for start, end in spans:
        covered[start] += start < end
        covered[end] -= start < end
    taken = [count > 0 for count in accumulate(covered)]
    for start, end in spans:
        while start and not taken[start - 1]:
            start -= 1
        while end < size and not taken[end]:
            end += 1
        yield start, end
