"""Writes an engine's answers to the questions of a run to a file, for comparison on another machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import engines, models
from tokparity.engines.outcomes_file import OutcomesWriter, Recorded
from tokparity.errors import EngineError, UsageError
from tokparity.generators import prepared
from tokparity.session.one_model import Options, sources_of
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat_one
from tokparity.sources.corpora import CorpusCases
from tokparity.sources.parsed_again import ParsedAgain

if TYPE_CHECKING:
    from tokparity.models import Model


@dataclass(frozen=True)
class Counted:
    """How many questions of a model were put, and how many of them have no answer."""

    model: str
    questions: int
    failures: int


def record(
    engine: str, named: Sequence[Model], options: Options, recorded: Recorded, path: Path, stop: threading.Event
) -> list[Counted]:
    """Run the questions of a run on one engine and write its answers; the file appears when it is complete.

    The texts of all engines' known deviations are among the questions, whichever engines it will be compared with. What
    the engine can only be asked with special tokens recognized is asked so too.
    An empty list where `stop` ended it before the end: then there is no file.
    """
    corpora = options.corpus_cases()
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        writer = OutcomesWriter(made, recorded)
        counts = [_one(engine, model, options, corpora, writer, stop) for model in named]
        writer.close()
        if stop.is_set():
            return []
        if not any(counted.questions for counted in counts):
            raise UsageError("there is no text to record", "give --cases, or a --corpus that has texts")
        made.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another -o FILE") from error
    finally:
        made.unlink(missing_ok=True)
    return counts


def _one(
    engine: str, model: Model, options: Options, corpora: CorpusCases, writer: OutcomesWriter, stop: threading.Event
) -> Counted:
    """One model's questions to the engine."""
    read = models.primary_source(model)
    made_for = prepared(read.vocabulary, read.behaviour)
    sources = sources_of(model, made_for, [*engines.names(), engine], options, corpora)
    again = ParsedAgain()
    questions = failures = 0
    with EnginePanel([seat_one(model, engine)], options.timeout, stop.is_set, wait=options.wait) as panel:
        for source in (*map(again.after, sources), again):
            for batch in panel.results(source.batches(), stop.is_set):
                source.learn(batch, ())
                if engine in batch.results:
                    writer.write(model.name, batch.cases, batch.results[engine])
                    questions += len(batch.cases)
                    failures += len(batch.results[engine].failures)
        if engine in panel.unavailable:
            raise EngineError(f"engine {engine!r} could not be run on {model.name!r}: {panel.unavailable[engine]}")
    return Counted(model.name, questions, failures)
