"""Texts that need the ends of a model's lists: what a reader that is one line off, or too narrow, gets wrong.

They are put with the probe set, each time the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tokparity.case import Origin, TextCase, text_case
from tokparity.generators.subject import Subject
from tokparity.questions.json_text import is_utf8

_ENDS = 2
"""Entries at each end of a list."""
_WIDTHS = (2**15, 2**16, 2**17)
"""Counts that one bit more is needed for, which a type of fixed width may not have."""


def list_ends(subject: Subject) -> Iterator[TextCase]:
    """The first and last merges and pieces, and those whose numbers need one bit more, each as the text it is of."""
    merges = [left + right for left, right in subject.vocabulary.merges]
    texts = [subject.spell(merges[at]) for at in _places(len(merges))]
    shown = [text for text in subject.spelled if text]
    texts += [shown[at] for at in _places(len(shown))]
    texts += [subject.spelled[at] for at in _around_widths(len(subject.spelled))]
    whole = (_whole(text, shown) for text in texts)
    for number, text in enumerate(dict.fromkeys(filter(None, whole))):
        yield text_case(text, number % 3 == 0, False, Origin("probe", "ends", number))


def _whole(part: bytes, texts: Sequence[bytes]) -> bytes:
    """The part itself, or a shortest text that it is in where it ends within a character; empty where there is none."""
    if is_utf8(part):
        return part
    return min((text for text in texts if part in text and is_utf8(text)), key=len, default=b"")


def _places(size: int) -> Iterable[int]:
    ends = (*range(min(_ENDS, size)), *range(max(size - _ENDS, 0), size))
    return dict.fromkeys((*ends, *_around_widths(size)))


def _around_widths(size: int) -> Iterable[int]:
    return [at for width in _WIDTHS for at in (width - 1, width) if at < size]
