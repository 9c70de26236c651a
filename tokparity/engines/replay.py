"""Recorded outcomes as an engine: "replay:FILE" gives what `tokparity record` has written, and nothing else.

A question that is not in the file is `unrecorded`, never a mismatch; so is one to which it has two answers. A model
whose file is none of those that were recorded is refused: it may have the same name and another vocabulary.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.case import AnyCase, Case, Origin
from tokparity.engines.buffers import Flat, Ids, Texts
from tokparity.engines.hello import Hello
from tokparity.engines.outcomes_file import Recorded, failures_of, needs_pyarrow, recorded_in, rows_of_model
from tokparity.engines.process.frames import Answer, Kind, Request
from tokparity.engines.protocol import ANY, Capabilities, Options
from tokparity.errors import EngineError, FormatError
from tokparity.models.cache import sha256
from tokparity.outcome import Failure
from tokparity.questions import Decode, Encode, Spans, Stream

if TYPE_CHECKING:
    from pyarrow import Table

    from tokparity.engines.engine_name import EngineName

_SHOWN = 3  # models that a message names
_ORIGIN = 400  # characters of an origin that are looked at: a file that was made to harm may have any


@dataclass(frozen=True)
class Replay:
    """An engine that is a file."""

    NAME: str
    path: Path
    recorded: Recorded

    @property
    def CAPABILITIES(self) -> Capabilities:
        """Whatever was recorded; whether it was decoded is known when the rows are read."""
        return Capabilities(ANY, invalid_utf8=True, skip_special=(True,))

    def version(self) -> str:
        """That of the engine that was recorded, and when."""
        found = self.recorded
        return f"{found.version}, recorded {found.recorded} by tokparity {found.tokparity} (Unicode {found.unicode})"

    def open(self, path: str, options: Options) -> Replayed:
        """Read the recorded answers about the model of this file; EngineError if there are none."""
        return Replayed(self, self._rows(Path(path)))

    def _rows(self, path: Path) -> Table:
        """What was recorded on the model whose file this is; EngineError where that is none, or not all of it."""
        found = sha256(path)
        for name, hashes in self.recorded.models.items():
            if found in hashes.values():
                return self._whole(name)
        models = [f"{name} ({_hashes(hashes)})" for name, hashes in self.recorded.models.items()]
        message = f"{str(self.path)!r} was recorded on {', '.join(models[:_SHOWN])}"
        message += f" and {len(models) - _SHOWN} more" if len(models) > _SHOWN else ""
        raise EngineError(
            f"{message}, not on this model ({path.name}, SHA-256 {found[:12]}...)",
            "replay it before one of those, or record this one: tokparity record ENGINE MODEL -o FILE",
        )

    def cases(self, path: str) -> list[AnyCase]:
        """The recorded questions about this model, to run them again, each once."""
        rows = self._rows(Path(path))
        origins = map(_origin, rows["origin"].to_pylist())
        found = (Case(question, origin) for question, origin in zip(_questions(rows), origins, strict=True))
        return list({case.question: case for case in found}.values())

    def _whole(self, model: str) -> Table:
        rows = rows_of_model(self.path, model)
        questions = self.recorded.questions.get(model, len(rows))
        if len(rows) == questions:
            return rows
        raise EngineError(
            f"{str(self.path)!r} holds {len(rows)} of the {questions} questions that were recorded on {model}",
            "fetch the whole file, or record again: tokparity record ENGINE MODEL -o FILE",
        )


def replay(name: EngineName) -> Replay:
    """The engine of that name; FormatError where the file is not a recording."""
    path = Path(name.place)
    needs_pyarrow(path)
    return Replay(str(name), path, recorded_in(path))


def _questions(rows: Table) -> Iterator[Encode | Decode | Stream]:
    """The recorded questions; FormatError where a stream has not as many ids as it says."""
    names = ("kind", "text", "add_special", "parse_special", "row", "skip_special")
    for kind, text, add, parse, row, skip in zip(*(rows[name].to_pylist() for name in names), strict=True):
        if kind in (Encode.KIND, Spans.KIND):
            yield (Encode if kind == Encode.KIND else Spans)(text, add, parse)
        elif kind == Decode.KIND:
            yield Decode(tuple(row), skip)
        elif row and 0 <= row[0] < len(row):
            yield Stream(tuple(row[1 + row[0] :]), tuple(row[1 : 1 + row[0]]), skip)
        else:
            raise FormatError(f"a recorded stream has the row {row!r:.60}", "record again")


def _origin(told: str | None) -> Origin:
    """Where a recorded text came from; an entry of the list of that day is none of today's."""
    origin = Origin.parse((told or "")[:_ORIGIN])
    return Origin("given", "recorded") if origin.source == "accepted" else origin


def _hashes(hashes: Mapping[str, str]) -> str:
    return ", ".join(f"{file}, SHA-256 {found[:12]}..." for file, found in hashes.items())


class Replayed:
    """The outcomes of one model, found by text and flags."""

    def __init__(self, replay: Replay, table: Table) -> None:
        file = repr(str(replay.path))
        self._missing = Failure("unrecorded", f"this question is not in {file}")
        self._undecoded = Failure("unrecorded", f"what these ids decode to is not in {file}")
        self._unstreamed = Failure("unrecorded", f"this stream is not in {file}")
        self._unspanned = Failure("unrecorded", f"which characters these ids come from is not in {file}")
        self._twice = Failure("unrecorded", f"there are two answers to this question in {file}")
        questions = list(_questions(table))
        self._rows: dict[Encode | Decode | Stream, int] = {}
        self._failures = failures_of(table)
        self._ids: list[list[int] | None] = table["ids"].to_pylist()
        self._decoded: list[bytes | None] = table["decoded"].to_pylist()
        decodes = any(text is not None for text in self._decoded)
        for row, question in enumerate(questions):
            self._add(question, row)
        shown = any(not getattr(question, "skip_special", True) for question in questions)
        able = dataclasses.replace(
            replay.CAPABILITIES,
            decodes=decodes,
            skip_special=(False, True) if shown else (True,),
            streams=any(isinstance(question, Stream) for question in questions),
            spans=any(isinstance(question, Spans) for question in questions),
        )
        self.hello = Hello(able, replay.version())

    def _add(self, question: Encode | Decode | Stream, row: int) -> None:
        """Take note of a question; where it has another answer already, it has none."""
        first = self._rows.setdefault(question, row)
        if type(question) is Encode and self._decoded[first] is None and self._decoded[row] is not None:
            self._decoded[first] = self._decoded[row]  # at one of both times nobody asked what the ids decode to
        alone = type(question) is Encode and self._decoded[row] is None
        if self._recorded(row)[: 2 if alone else 3] != self._recorded(first)[: 2 if alone else 3]:
            self._failures[first] = self._twice

    def answer(self, request: Request) -> Answer:
        """The recorded answer; a question that was not recorded is a failure and no mismatch."""
        if isinstance(request.cases, Ids):
            return self._of_streams(request) if request.kind is Kind.STREAM else self._of_ids(request)
        flags = request.add_special, request.parse_special
        if request.kind is Kind.SPANS:
            spanned = [self._rows.get(Spans(text, *flags)) for text in request.cases.to_list()]
            return self._given(spanned, self._unspanned)
        rows = [self._rows.get(Encode(text, *flags)) for text in request.cases.to_list()]
        failed = {i: failure for i, row in enumerate(rows) if (failure := self._failure(row)) is not None}
        asks_text = request.kind is Kind.BOTH
        if asks_text:
            failed |= {
                i: self._undecoded
                for i, row in enumerate(rows)
                if i not in failed and row is not None and self._decoded[row] is None
            }
        kept = [None if i in failed else row for i, row in enumerate(rows)]
        ids = Ids.from_list([() if row is None else self._ids[row] or () for row in kept])
        texts = Texts.from_list([b"" if row is None else self._decoded[row] or b"" for row in kept])
        return Answer(ids, texts if asks_text else None, tuple(sorted(failed.items(), key=lambda entry: entry[0])))

    def _recorded(self, row: int) -> tuple[object, ...]:
        return self._failures.get(row), self._ids[row], self._decoded[row]

    def _failure(self, row: int | None) -> Failure | None:
        if row is None:
            return self._missing
        found = self._failures.get(row)
        return self._missing if found is None and self._ids[row] is None else found

    def _of_ids(self, request: Request) -> Answer:
        """Ids that came of a text were decoded as well, with special tokens left out."""
        asked = [tuple(row) for row in request.cases.to_list() if isinstance(row, list)]
        rows = [self._rows.get(Decode(ids, request.skip_special)) for ids in asked]
        if request.skip_special:
            rows = [self._of_texts.get(ids) if row is None else row for ids, row in zip(asked, rows, strict=True)]
        return self._given(rows, self._undecoded)

    def _of_streams(self, request: Request) -> Answer:
        asked = [row for row in request.cases.to_list() if isinstance(row, list)]
        streams = (Stream(tuple(row[1 + row[0] :]), tuple(row[1 : 1 + row[0]]), request.skip_special) for row in asked)
        return self._given([self._rows.get(stream) for stream in streams], self._unstreamed)

    def _given(self, rows: Sequence[int | None], missing: Failure) -> Answer:
        """What was recorded in these rows as decoded text."""
        known = [missing if row is None else self._failures.get(row) for row in rows]
        texts = [b"" if row is None else self._decoded[row] or b"" for row in rows]
        return Answer(None, Texts.from_list(texts), tuple((i, why) for i, why in enumerate(known) if why is not None))

    @cached_property
    def _of_texts(self) -> dict[tuple[int, ...], int]:
        """The rows of texts that were encoded to these ids, which were decoded."""
        found = ((question, row) for question, row in self._rows.items() if type(question) is Encode)
        return {
            tuple(self._ids[row] or ()): row
            for _, row in found
            if self._ids[row] is not None and self._decoded[row] is not None and row not in self._failures
        }

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The ids of texts that were all recorded; EngineError for one that was not."""
        found = self.answer(Request(Kind.ENCODE, texts, add_special, parse_special))
        return Ids.from_list([]) if found.ids is None else _whole(found, found.ids)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The texts of ids that were all recorded; EngineError for one that was not."""
        found = self.answer(Request(Kind.DECODE, ids, skip_special=skip_special))
        return Texts.from_list([]) if found.texts is None else _whole(found, found.texts)


def _whole(answer: Answer, found: Flat) -> Flat:
    for _, failure in answer.failures:
        raise EngineError(failure.message, "record it: tokparity record ENGINE MODEL -o FILE")
    return found
