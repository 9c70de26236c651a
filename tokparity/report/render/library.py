"""What a script needs to know of an engine's library: how to install it, open a model, and call it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokparity.finding import Mismatch
from tokparity.questions import Encode, Spans, Stream

ENDS = "  # tokparity then adds the ids at both ends that the model wants"


@dataclass(frozen=True)
class Library:
    """How an engine's library is called: `format` is what `tokparity convert` calls its files, `file` their usual name.

    `load` gives the lines that open FILE, the file of the name that it is given; none where they would not do.
    `encode`, `decode`, `stream` and `spans` give those that make `actual` of `text` and `ids`; no stream and no spans:
    none are known.
    """

    install: str
    format: str
    file: str
    load: Callable[[str, Mismatch], Sequence[str]]
    encode: Callable[[Encode], Sequence[str]]
    decode: Callable[[bool], Sequence[str]]
    stream: Callable[[Stream], Sequence[str]] = lambda question: ()
    spans: Callable[[Spans], Sequence[str]] = lambda question: ()
    takes_bytes: bool = False
    gives_bytes: bool = False


def always(*lines: str) -> Callable[[str, Mismatch], Sequence[str]]:
    """The same lines for every file."""
    return lambda file, mismatch: lines


def ends(question: Encode) -> str:
    """What to say behind a call that adds no ids at the ends, where they are wanted."""
    return ENDS if question.add_special else ""
