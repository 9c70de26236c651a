"""What streams with faults give, run over the engine's own decoding, which is asked for each row once."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from tokparity.behaviour import Stream as Run
from tokparity.case import Case, Origin
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Ask
from tokparity.laws import judged
from tokparity.outcome import Failure, Outcome, Streaming
from tokparity.questions import Decode, Stream
from tokparity.quirks import flip_all, of_streams
from tokparity.quirks.decoded_text import raw, uncleaned
from tokparity.reference.decode_stages import clean_up
from tokparity.reference.stream import Streamer, StreamError, right, within
from tokparity.reference.text import replace_maximal
from tokparity.reference.tokenizer import Tokenizer

ORIGIN = Origin("diagnosis", "diagnosis")

Names = tuple[str, ...]
Row = tuple[int, ...]
Answers = Sequence[tuple[object, Outcome]]
Deltas = tuple[bytes, ...] | None
"""What a stream gives; None where it raises."""


class _UnknownError(Exception):
    """What a row decodes to must be asked first."""


@dataclass
class Decoded:
    """What the engine decodes rows to, asked many at a time and each once."""

    base: Base
    ask: Ask | None
    _known: dict[tuple[Row, bool], bytes] = field(default_factory=dict)
    _wanted: dict[tuple[Row, bool], None] = field(default_factory=dict)

    def of(self, row: Sequence[int], skip_special: bool) -> bytes:
        """The text of a row; _UnknownError where it must be asked first."""
        key = tuple(row), skip_special
        if key[0] and key not in self._known:
            self._wanted[key] = None
            raise _UnknownError
        return self._known.get(key, b"")

    def awaited(self, row: Sequence[int], skip_special: bool) -> int:
        """How many U+FFFD at the end of the text of a row are bytes of a character that is not complete."""
        text, data = self.of(row, skip_special), self._bytes.decode(row, skip_special)
        decoder = getincrementaldecoder("utf-8")("replace")
        decoder.decode(data)
        unfinished = len(decoder.getstate()[0])
        return min(unfinished, 1) if text == replace_maximal(data).encode() else unfinished

    def piece(self, i: int, skip_special: bool) -> bytes:
        """The text of an id within others, with the spaces that the engine's decoding may clean up."""
        decode = partial(self.of, skip_special=skip_special)
        with_spaces = within(partial(self._bytes.decode, skip_special=skip_special), i)
        is_cleaned = _cleaned(with_spaces * 2) != with_spaces * 2
        return with_spaces if is_cleaned and _spaceless(decode([i])) == _spaceless(with_spaces) else within(decode, i)

    @cached_property
    def _bytes(self) -> Tokenizer:
        """What gives the bytes of a row as they are, where the engine gives text, and cleans nothing up."""
        behaviour = self.base.behaviour
        return Tokenizer(
            self.base.vocabulary, replace(behaviour, decode=uncleaned(raw(behaviour.decode)), clean_up=False)
        )

    def want(self, question: Stream) -> None:
        """Ask for the rows that most predictions need, with the next ones."""
        every, start = (*question.prefill, *question.ids), len(question.prefill)
        for end in range(start, len(every) + 1):
            for row in (every[:end], every[end - 1 : end] if end > start else ()):
                if row and (row, question.skip_special) not in self._known:
                    self._wanted[row, question.skip_special] = None

    def fetch(self) -> bool:
        """Ask for all that was wanted; whether that was anything."""
        wanted, self._wanted = list(self._wanted), {}
        if self.ask is None:
            self._known |= {(row, hides): self.base.tokenizer.decode(row, hides) for row, hides in wanted}
        elif wanted:
            answers = self.ask([Case(Decode(row, hides), ORIGIN) for row, hides in wanted])
            texts = (getattr(answer, "decoded", None) or b"" for answer in answers)
            self._known |= dict(zip(wanted, texts, strict=True))
        return bool(wanted)


@dataclass
class Predictions:
    """What streams with faults give, each found once."""

    decoded: Decoded
    by_bytes: bool = False
    """Whether the engine knows at once that a byte begins no character."""
    _known: dict[tuple[Names, Stream], Deltas] = field(default_factory=dict)

    def gives(self, names: Names, answers: Answers) -> list[bool]:
        """For each question whether a stream with these faults gives this very answer."""
        questions = [question for question, _ in answers if isinstance(question, Stream)]
        predicted = self.of(names, questions)
        return [is_given(predicted[q], outcome) for q, (_, outcome) in zip(questions, answers, strict=True)]

    def of(self, names: Names, questions: Iterable[Stream]) -> Mapping[Stream, Deltas]:
        """What a stream with these faults gives; with none, what a right one does."""
        every = list(dict.fromkeys(questions))
        quirks = [quirk for quirk in of_streams() if quirk.name in names]
        stream = flip_all(quirks, self.decoded.base.behaviour).stream or right
        left = [question for question in every if (names, question) not in self._known]
        for question in left:
            self.decoded.want(question)
        while self.decoded.fetch() or left:
            left = [question for question in left if not self._run(names, stream, question)]
        return {question: self._known[names, question] for question in every}

    def is_wrong(self, question: Stream, deltas: Deltas) -> bool:
        """Whether these deltas break a law."""
        prefill, ids, hides = question.prefill, question.ids, question.skip_special
        decoded = self.decoded.of
        before, whole = decoded(prefill, hides), decoded((*prefill, *ids), hides)
        return deltas is None or bool(
            judged(deltas, whole, before, lambda count: decoded((*prefill, *ids[:count]), hides)).law
        )

    def _run(self, names: Names, stream: Run, question: Stream) -> bool:
        """Whether all that is decoded for it is known."""
        hides, deltas = question.skip_special, None
        with suppress(StreamError):
            try:
                whole = partial(self.decoded.of, skip_special=hides)
                if isinstance(stream, Streamer) and stream.inside:
                    stream = replace(stream, piece=partial(self.decoded.piece, skip_special=hides))
                if isinstance(stream, Streamer) and self.by_bytes:
                    stream = replace(stream, awaited=partial(self.decoded.awaited, skip_special=hides))
                deltas = tuple(stream(whole, question.prefill, question.ids, hides))
            except _UnknownError:
                return False
        self._known[names, question] = deltas
        return True


def is_given(predicted: Deltas, actual: Outcome) -> bool:
    """Whether an engine gave just what was predicted."""
    if isinstance(actual, Failure):
        return predicted is None and actual.kind == "error"
    return isinstance(actual, Streaming) and actual.deltas == predicted


def _cleaned(text: bytes) -> bytes:
    return clean_up(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _spaceless(text: bytes) -> bytes:
    return text.replace(b" ", b"")
