"""Compares a recording with the oracle, and makes a report as of a run; the recorded engine cannot run again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.errors import EngineError, TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.outcome import TIMEOUT, Encoding, Failure
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import literal
from tokparity.report.model import Footer, Header, Pair, Report
from tokparity.report.rule import count
from tokparity.session.evidence import Keep
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.panel import EnginePanel, Seat
from tokparity.session.recorder import Recorder
from tokparity.session.seats import seat_one
from tokparity.session.writer import Unwritten
from tokparity.sources.recording import Recorded, read
from tokparity.vocabulary import pieces_at

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.formats import Source
    from tokparity.models import Model

_AT_A_TIME = 500
_KEEP = Keep(
    mismatches=10_000, bytes=1 << 26, evidence_bytes=40_000_000, controls=20_000, controls_per_batch=_AT_A_TIME
)
"""Nobody can be asked again, so more is kept than of a run: all that a recording of 10,000 lines can show."""

_CONTROLS = Keep().controls


@dataclass(frozen=True)
class JudgedRecording:
    """The report on a recording; `why_not` says why the model's oracle did not judge, where it was the reference.

    `right` are all cases on which the recorded engine was right; the report has some of them as controls. `read_as`
    says how the texts were read where no line says it.
    """

    report: Report
    right: Sequence[Control]
    why_not: str = ""
    read_as: str = ""

    def told(self, model: Model) -> Iterator[str]:
        """How its texts were read, how many have equal ids, and who judged them."""
        if self.read_as:
            yield self.read_as
        (pair,) = self.report.pairs
        judge = self.report.header.engines.get(pair.oracle) or pair.oracle
        judge = judge if pair.oracle in judge else f"{pair.oracle} ({judge})"
        why = f": the model's oracle, {model.oracle}, is not at hand ({self.why_not})" if self.why_not else ""
        own = "" if self.why_not or pair.oracle == REFERENCE else ", the model's oracle"
        yield f"{count(pair.cases, 'text')}, {pair.equal:,} with equal ids; judged by {judge}{own}{why}"


class _Kept(Unwritten):
    """A writer that keeps what it is given, for a report that is written later or never."""

    def __init__(self) -> None:
        super().__init__()
        self.mismatches: list[Mismatch] = []
        self.kept_controls: list[Control] = []

    def mismatch(self, mismatch: Mismatch) -> int:
        """Keep a mismatch."""
        self.mismatches.append(mismatch)
        return len(self.mismatches) - 1

    def control(self, control: Control) -> None:
        """Keep a control."""
        self.kept_controls.append(control)


def judged(
    path: Path, model: Model, header: Header, timeout: float = TIMEOUT, lines: Iterable[Recorded] | None = None
) -> JudgedRecording:
    """Put the texts of a recording, or the `lines` that were read of it, to the model's oracle and to the reference.

    The oracle judges; where it cannot be asked, the reference does. The engine is called like the file.
    """
    from tokparity import models

    started = time.monotonic()
    source = models.primary_source(model)
    name, read_as = path.name, _read_as(read(path), source) if lines is None else ""
    recorded = read(path) if lines is None else lines
    recorded = map(_with_special, recorded) if read_as else recorded
    seats, unavailable = _judges(model)
    with EnginePanel(seats, timeout) as panel:
        unavailable |= panel.unavailable
        if REFERENCE in unavailable:
            raise EngineError(f"the reference could not be run: {unavailable[REFERENCE]}")
        why_not = unavailable.get(model.oracle, "")
        oracle = REFERENCE if why_not else model.oracle
        kept = _Kept()
        recorder = Recorder(Judge(model.name, oracle, source.vocabulary.pieces), [name], kept, _KEEP)
        for some in _batches(recorded):
            (batch,) = panel.results([[line.case for line in some]], lambda: False)
            recorder.take(Batch(batch.cases, {**batch.results, name: _results(some)}))
        versions = {engine: version for engine, version in panel.versions.items() if engine == oracle}
    recorder.controls()
    seconds = time.monotonic() - started
    right = kept.kept_controls
    pairs = recorder.pairs({name: Pair(model.name, name, oracle, "recorded", seconds=seconds)})
    report = Report(
        header=replace(header, engines={**versions, name: "recorded"}, recordings={name: str(path)}),
        pairs=tuple(pairs),
        mismatches=tuple(kept.mismatches),
        controls=tuple(random.Random(0).sample(right, min(_CONTROLS, len(right)))),
        footer=Footer("complete", seconds),
    )
    return JudgedRecording(report, right, why_not, read_as)


def _read_as(lines: Iterable[Recorded], source: Source) -> str:
    """That special tokens were added, where no line says if they were to be and all answers have them around the text.

    Of a text that spells the token itself its ids say nothing.
    """
    first, last = source.behaviour.prefix_ids, source.behaviour.suffix_ids
    where, marks = ("begin", first) if first else ("end", last)
    pieces = pieces_at(source.vocabulary.pieces, marks)
    mark, told = b"".join(pieces), 0
    for line in lines:
        if line.says_special or not isinstance(line.case.question, Encode):
            return ""
        text, ids = line.case.question.text, getattr(line.answer, "ids", ())
        if not ids or (text.startswith(mark) if first else text.endswith(mark)):
            continue
        if (ids[: len(first)] if first else ids[-len(last) :] if last else None) != marks:
            return ""
        told += 1
    if not told:
        return ""
    spelled = ", ".join(f"{i} {literal(piece)}" for i, piece in zip(marks, pieces, strict=True))
    return f'no line says "add_special", and all ids {where} with {spelled}: they are read as with add_special true'


def _with_special(line: Recorded) -> Recorded:
    question = line.case.question
    if not isinstance(question, Encode):
        return line
    return replace(line, case=replace(line.case, question=replace(question, add_special=True)))


def _judges(model: Model) -> tuple[list[Seat], dict[str, str]]:
    """The seats of the oracle and the reference, as far as there are any, and why there is none."""
    seats: list[Seat] = []
    unavailable: dict[str, str] = {}
    for engine in dict.fromkeys((model.oracle, REFERENCE)):
        try:
            seats.append(seat_one(model, engine))
        except TokparityError as error:
            unavailable[engine] = str(error)
    return seats, unavailable


def _batches(recorded: Iterable[Recorded]) -> Iterator[Sequence[Recorded]]:
    """The lines in batches of alike questions, either all with decoded text or none."""
    open_batches: dict[tuple[object, ...], list[Recorded]] = {}
    for line in recorded:
        key = (line.case.question.alike, getattr(line.answer, "decoded", None) is None)
        batch = open_batches.setdefault(key, [])
        batch.append(line)
        if len(batch) == _AT_A_TIME:
            yield open_batches.pop(key)
    yield from open_batches.values()


def _results(lines: Sequence[Recorded]) -> Results:
    """The recorded answers, as if an engine had just given them."""
    from tokparity.engines.buffers import Ids, Texts
    from tokparity.engines.results import Results

    answers = [line.answer for line in lines]
    failures = tuple((index, answer) for index, answer in enumerate(answers) if isinstance(answer, Failure))
    texts = [b"" if isinstance(answer, Failure) else answer.decoded for answer in answers]
    decoded = None if None in texts else Texts.from_list([text for text in texts if text is not None])
    if isinstance(lines[0].case.question, Decode):
        return Results(None, decoded, failures)
    ids = Ids.from_list([answer.ids if isinstance(answer, Encoding) else () for answer in answers])
    return Results(ids, decoded, failures)
