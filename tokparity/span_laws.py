"""What the spans of ids must obey. A span is the first character of the text that an id comes from, and the one behind
its last.

Engines have several right ways. A character of many ids may be in the spans of all, or of the last one alone. Spaces,
and what normalization removes, may be in no span. So spans are held against how far each may reach, which the
reference knows. One answer breaks at most one law, the first that it breaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tokparity.difference import first_difference
from tokparity.outcome import Place, Spanning

LAWS: Mapping[str, str] = {
    "ids": "the ids that come with the spans are not those that the engine gives without spans",
    "range": "a span begins or ends outside of the text, or ends before it begins",
    "order": "a span begins before the span of the id before it",
    "elsewhere": "a span has characters that its id does not come from",
    "lost": "a character that an id comes from is in no span",
}
"""Each law by its name, and what it is to break it."""


def judged(text: str, actual: Spanning, reference: Spanning | None) -> Spanning:
    """The spans with the law that they break; without the reference, what it knows is not asked about."""
    knows = reference is not None and reference.ids == actual.ids
    law, place = _broken(text, actual, reference if knows else None)
    return replace(
        actual, law=law, place=place, right=reference.spans if reference is not None and law and knows else ()
    )


def _broken(text: str, actual: Spanning, reference: Spanning | None) -> tuple[str, int]:
    if actual.encoded is not None:
        return "ids", first_difference(actual.ids, actual.encoded)
    for i, (start, end) in enumerate(actual.spans):
        if not 0 <= start <= end <= len(text):
            return "range", i
    held = [(i, span) for i, span in enumerate(actual.spans) if span[0] < span[1]]
    for (_, before), (i, span) in pairwise(held):
        if span[0] < before[0] or span[1] < before[1]:
            return "order", i
    return ("", 0) if reference is None else _misplaced(text, actual.spans, reference)


def _misplaced(text: str, spans: Sequence[Place], reference: Spanning) -> tuple[str, int]:
    """Where spans are not those of their ids."""
    for i, ((start, end), (first, last)) in enumerate(zip(spans, reference.reach, strict=True)):
        if start < end and not first <= start <= end <= last:
            return "elsewhere", i
    begins = [0] * (len(text) + 1)
    for start, end in spans:
        begins[start] += 1
        begins[end] -= 1
    is_lost = (not count and not one.isspace() for count, one in zip(accumulate(begins), text, strict=False))
    lost = [*accumulate(is_lost, initial=0)]  # how many before each place
    for i, (start, end) in enumerate(reference.spans):
        if lost[start] < lost[end]:
            return "lost", i
    return "", 0
