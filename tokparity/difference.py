"""Where two outcomes of a question first differ (Difference), and what kind of difference that is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress, count
from operator import ne
from typing import Literal, get_args

from tokparity.case import AnyCase
from tokparity.outcome import Answer, Encoding, Failure, FailureKind, Outcome, Rendering, Spanning, Streaming
from tokparity.questions import Decode, Encode, Render, Spans, Stream
from tokparity.vocabulary import BYTE_PIECE

Aspect = Literal[
    "ids", "decode", "round_trip", "failure",
    "stream-decode", "stream-prefill", "stream-replacement", "stream-prefix", "stream-joined", "stream-late",
    "stream-work",
    "spans-ids", "spans-range", "spans-order", "spans-elsewhere", "spans-lost",
    "render-prompt", "render-fails", "render-only",
]  # fmt: skip

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)

_PROMPT = "render-prompt"
PROMPTS = {
    _PROMPT: "it writes another prompt",
    "render-fails": "it makes no prompt where the reference writes one",
    "render-only": "it writes a prompt where the reference makes none",
}
"""What is wrong with a prompt, by its aspect."""

_MARKUP_PIECE = re.compile(rb"<[^<>]+>|\[[A-Z_0-9]+\]|<\|.+\|>")
UNKNOWN = frozenset((b"<unk>", b"<UNK>", b"[UNK]", b"<|unk|>"))
"""What an unknown token is called in the models' files."""

_LOOKED_AT = 64
"""Bytes of a stretch of decoded text that are looked at for its class."""

_SPACES = (" ", "▁", "Ġ", "Ċ", "ĉ")
_CLASSES = {"L": "letter", "M": "mark", "N": "number", "P": "punctuation", "S": "symbol", "Z": "space", "C": "control"}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between an engine's answer and the expected one.

    `aspect` is "ids" (the ids differ from index `place` on), "decode" (the decoded bytes differ from `place` on; where
    a text was asked for, its ids are equal), "round_trip" (the same, where the model promises that the text comes back
    and it does not) or "failure" (the engine gave no answer; `failure` says how). Of a stream it is "stream-" and the
    law (see `laws`) that the delta at `place` breaks. Of spans it is "spans-" and the law (see `span_laws`).
    Of prompts it is a key of PROMPTS.
    """

    aspect: Aspect
    place: int = 0
    failure: FailureKind | None = None

    def __str__(self) -> str:
        return f"{self.aspect}:{self.failure if self.failure is not None else self.place}"

    @property
    def words(self) -> str:
        """The end of a sentence that says where the difference is, such as "in the ids, from index 9 on"."""
        if self.failure is not None:
            return f"the engine gave no answer ({self.failure})"
        if self.aspect in PROMPTS:
            return f"in the prompt, from byte {self.place} on" if self.aspect == _PROMPT else PROMPTS[self.aspect]
        if self.aspect.startswith("spans-"):
            return f"in the span of id {self.place}"
        if self.law:
            return f"in the stream, at the text of id {self.place}"
        if self.is_of_decoding:
            return f"in the decoded text, from byte {self.place} on"
        return f"in the ids, from index {self.place} on"

    @classmethod
    def parse(cls, text: str) -> Difference:
        """The difference that was written as "ids:5" or "failure:crash"; ValueError where it is neither."""
        aspect, _, rest = text.partition(":")
        if aspect == "failure" and rest in FailureKind.__args__:  # type: ignore[attr-defined]
            return cls("failure", failure=rest)  # type: ignore[arg-type]
        if aspect != "failure" and aspect in ASPECTS:
            return cls(aspect, int(rest))
        raise ValueError(f"{text!r} is not a difference")

    @property
    def law(self) -> str:
        """The law of streams or spans that is broken; empty where it is a difference of something else."""
        kind, _, law = self.aspect.partition("-")
        return law if kind in ("stream", "spans") else ""

    @property
    def is_of_decoding(self) -> bool:
        """Whether it is a text that is wrong: that of right ids, or a prompt."""
        return self.aspect in ("decode", "round_trip", *PROMPTS)


def first_difference(expected: Sequence[object], actual: Sequence[object]) -> int:
    """The first index at which two sequences differ; the length of the shorter one if it begins the other."""
    return next(compress(count(), map(ne, expected, actual)), min(len(expected), len(actual)))


def difference_of(case: AnyCase, expected: Answer, actual: Answer) -> Difference | None:
    """Where two answers to a case first differ; None where they do not."""
    if isinstance(expected, Rendering) or isinstance(actual, Rendering):
        return of_prompts(expected, actual)
    if isinstance(expected, Streaming | Spanning) or isinstance(actual, Streaming | Spanning):
        return _of_law(actual)
    if isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids != actual.ids:
        return Difference("ids", first_difference(expected.ids, actual.ids))
    if expected.decoded is None or actual.decoded is None or expected.decoded == actual.decoded:
        return None
    place = first_difference(expected.decoded, actual.decoded)
    promised = isinstance(case.question, Encode) and expected.decoded == case.question.text
    return Difference("round_trip" if promised else "decode", place)


def of_prompts(expected: Outcome, actual: Outcome) -> Difference | None:
    """What is wrong with a renderer's answer beside the reference's; None where neither writes a prompt."""
    right, its = ((one.prompt if isinstance(one, Rendering) else None) for one in (expected, actual))
    if its is not None and isinstance(expected, Rendering) and expected.allows(its):
        return None
    if isinstance(actual, Failure):
        return Difference("failure", failure=actual.kind) if right is not None else None
    if right is None or its is None:
        return None if right is its else Difference("render-only" if right is None else "render-fails")
    given = first_difference(right.encode("utf-8", "surrogatepass"), its.encode("utf-8", "surrogatepass"))
    return Difference("render-prompt", given)


def beside(right: Outcome, its: Outcome) -> Outcome:
    """The right prompt to show beside another: that of today where the other begins like that one."""
    if not isinstance(right, Rendering) or not isinstance(its, Rendering) or right.today is None:
        return right
    alike = {one: first_difference(one, its.prompt or "") for one in (right.prompt or "", right.today)}
    return replace(right, prompt=max(alike, key=lambda one: alike[one]))


def _of_law(actual: Answer) -> Difference | None:
    """Which law a stream or spans break, and where; they are judged by themselves, whatever another engine gives."""
    if not isinstance(actual, Streaming | Spanning) or not actual.law:
        return None
    kind = "stream" if isinstance(actual, Streaming) else "spans"
    return Difference(f"{kind}-{actual.law}", actual.place)  # type: ignore[arg-type]


def kind_of(
    case: AnyCase, difference: Difference, actual: Outcome, expected_pieces: Sequence[bytes], pieces: Sequence[bytes]
) -> str:
    """What happened at the first difference of a case's outcomes; the pieces are those of both."""
    if isinstance(case.question, Stream | Spans | Render):
        return f"{case.question.KIND}-{kind_of_failure(actual)}" if isinstance(actual, Failure) else difference.aspect
    if isinstance(actual, Failure):
        kind = kind_of_failure(actual)
    elif difference.is_of_decoding:
        kind = kind_of_decoded(not UNKNOWN.isdisjoint(expected_pieces), difference.aspect == "round_trip")
    else:
        kind = kind_of_ids(expected_pieces, pieces, difference.place)
    return kind_of_row(kind) if isinstance(case.question, Decode) else kind


def kind_of_ids(expected: Sequence[bytes], actual: Sequence[bytes], index: int) -> str:
    """What happened to the pieces at the first difference: "space-became-letter", "mark-became-nothing"."""
    return f"{_class_at(expected, index)}-became-{_class_at(actual, index)}"


def kind_of_decoded(has_unknown: bool, was_the_text: bool) -> str:
    """What an unknown token decodes to is a choice of display; everything else in decoding is the tokenizer's."""
    return ("round_trip" if was_the_text else "decode") + ("-with-unknown" if has_unknown else "")


def change_of_text(right: bytes, given: bytes) -> str:
    """What became of a decoded text, between the beginning and the end that both have: "nothing-became-space"."""
    begin = first_difference(right, given)
    while begin and any(_is_inside(text, begin) for text in (right, given)):
        begin -= 1
    end = first_difference(right[begin:][::-1], given[begin:][::-1])
    ours, theirs = (text[begin : len(text) - end][:_LOOKED_AT] for text in (right, given))
    return f"{piece_class(ours)}-became-{piece_class(theirs)}"


def decoded_bytes(outcome: Outcome) -> bytes:
    """The decoded text of an outcome; empty where it has none."""
    return (None if isinstance(outcome, Failure | Streaming | Spanning) else outcome.decoded) or b""


def _is_inside(text: bytes, place: int) -> bool:
    """Whether the byte at a place goes on with a character of UTF-8."""
    return place < len(text) and text[place] & 0xC0 == 0x80


def kind_of_row(kind: str) -> str:
    """The kind of a difference in decoding, where the ids are random and not those of a text."""
    return f"row-{kind}"


def kind_of_failure(failure: Failure) -> str:
    """How the engine failed, with the signal that ended it."""
    return f"failure-{failure.kind}" + (f"-{failure.signal}" if failure.signal is not None else "")


def _class_at(pieces: Sequence[bytes], index: int) -> str:
    """The class of the piece at an index; "nothing" past the end, "id" where the pieces are not known."""
    if not pieces:
        return "id"
    if index >= len(pieces):
        return "nothing"
    return piece_class(pieces[index])


def piece_class(piece: bytes) -> str:
    """What a piece, as the model's file spells it, begins with: a byte piece, markup, a space, a letter, ..."""
    if BYTE_PIECE.fullmatch(piece):
        return "byte"
    if _MARKUP_PIECE.fullmatch(piece):
        return "special"
    text = piece.decode("utf-8", "replace").removeprefix("##")
    if not text:
        return "nothing"
    if text.startswith(_SPACES):
        return "space" if not text.strip("".join(_SPACES)) else "word"
    return _CLASSES[unicodedata.category(text[0])[0]]
