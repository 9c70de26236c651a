"""The table: each configuration of a model, at each version, against the raw file."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tokparity import formats
from tokparity.case import TextCase, text_case
from tokparity.diagnose import Limits as DiagnosisLimits
from tokparity.engines.engine_name import EngineName
from tokparity.engines.environment.build import environment
from tokparity.errors import CannotExpressError, EngineError
from tokparity.generators import Prepared, prepared
from tokparity.loader.concurrent import at_once
from tokparity.loader.configurations import Configuration, configurations
from tokparity.loader.library import Library
from tokparity.loader.panel import LoaderPanel
from tokparity.loader.rebuilt import Rebuilding, Rebuilt
from tokparity.models import prepare
from tokparity.questions import Encode
from tokparity.questions.shell import quote
from tokparity.session.clock import Clock
from tokparity.session.explain import Explainer
from tokparity.session.panel import Seat
from tokparity.session.seats import Seating
from tokparity.session.session import Session
from tokparity.session.writer import Unwritten
from tokparity.sources.batches import batches
from tokparity.sources.probes import of_added_tokens
from tokparity.sources.random_texts import random_cases
from tokparity.sources.source import Listed

if TYPE_CHECKING:
    from tokparity.finding import Finding, Mismatch
    from tokparity.formats import Source
    from tokparity.models import Model

Verdict = Literal["equal", "differs", "refuses"]

_TEXTS = ("hello world", "How are you doing?", "2023", "650841823", "Hey, 1234 a  b\n\nc", "naïve ℕ", "it's I'LL", " a")
"""Texts of the threads, and the like; put with every pair of flags."""


@dataclass(frozen=True)
class Cell:
    """What a loader made of one file in one configuration.

    `engine` is its name, which is run on the file again; `judge` that of the raw file. `compared` cases were put, of
    which `different` differ. `smallest` is the shortest of them, `causes` what explains it and the others, and
    `rebuilt` what the loader changed in the file. Where it refuses, `words` are its own.
    """

    model: str
    version: str
    configuration: Configuration
    engine: str
    judge: str
    verdict: Verdict
    compared: int = 0
    different: int = 0
    smallest: Mismatch | None = None
    causes: tuple[str, ...] = ()
    rebuilt: Rebuilt = field(default_factory=Rebuilt)
    words: str = ""

    @property
    def share(self) -> float:
        """The share of the cases that differ."""
        return self.different / self.compared if self.compared else 0.0

    def command(self, path: str) -> str:
        """A command that runs the shortest text on this loader and the raw file; of a refusal, any text."""
        engine = f"{quote(self.engine.encode())} --engine {quote(self.judge.encode())}"
        question = self.smallest.case.question if self.smallest else Encode(b"a", add_special=False)
        return question.command(path, engine)


@dataclass(frozen=True)
class Limits:
    """How many random texts a configuration is given, from which seed, and what is spent on shrinking and explaining.

    `work` bounds the search for a cause, in microseconds of an idle machine; `seconds` end it on a machine that hangs.
    """

    cases: int = 400
    seed: int = 0
    seconds: float = 600.0
    work: int = 20_000_000


@dataclass(frozen=True)
class _File:
    """A model as a loader is given it."""

    model: Model
    source: Source
    path: Path
    folder: Path
    options: dict[str, object]
    cases: tuple[TextCase, ...]
    explainer: Explainer
    texts: Prepared
    """They are held here: looking a model over takes seconds."""


def cells_of(
    models: Sequence[Model],
    versions: Sequence[str],
    limits: Limits,
    leave_out: Callable[[Model, CannotExpressError], None],
) -> Iterator[Cell]:
    """All cells, version by version ("" for the installed one); EngineError where an environment cannot be had.

    As many models and versions are looked at at the same time as there are processors; the cells keep their order.
    `leave_out` receives a model that no tokenizer.json can express, and may raise the error.
    """
    pythons = {v: str(environment("transformers", v).python) if v else sys.executable for v in versions}
    files = []
    for model in models:
        try:
            files.append(_file(model, limits))
        except CannotExpressError as error:
            leave_out(model, error)
    tasks = [_cells(file, version, pythons[version], limits) for version in versions for file in files]
    return chain.from_iterable(tasks) if len(tasks) == 1 else at_once(tasks, os.cpu_count() or 1)


def _file(model: Model, limits: Limits) -> _File:
    """The model's tokenizer.json, or our export of it, and the texts to put."""
    raw = prepare(model, ("tokenizer.json",))
    source = formats.read(raw.path, "tokenizer.json")
    flagged = [(add, parse) for add in (False, True) for parse in (False, True)]
    fixed = [text_case(text.encode(), add, parse) for text in _TEXTS for add, parse in flagged]
    texts = prepared(source.vocabulary, source.behaviour)
    added = of_added_tokens(source.vocabulary)
    cases = tuple(chain(fixed, added, random_cases((), limits.seed, limits.cases, texts)))
    folder = prepare(model, ("directory",)).path
    explainer = Explainer(DiagnosisLimits(work=limits.work), names_only=True)
    return _File(model, source, raw.path, folder, dict(raw.options), cases, explainer, texts)


def _cells(file: _File, version: str, python: str, limits: Limits) -> Iterator[Cell]:
    """One model at one version, in processes of its own."""
    with (
        closing(Library("transformers", python)) as loader,
        closing(Library("tokenizers", python)) as raw,
        Rebuilding(raw, file.cases) as rebuilding,
    ):
        yield from _configured(file, version, loader, rebuilding, limits)


def _configured(file: _File, version: str, loader: Library, rebuilding: Rebuilding, limits: Limits) -> Iterator[Cell]:
    """One model at one version; configurations that do the very same are explained once."""
    known: dict[bytes, Cell] = {}
    at = f"transformers-{version}" if version else ""
    judge, raw = str(EngineName("tokenizers", at)), rebuilding.raw
    raw.open(str(file.path), {})
    told = loader.version()
    for configuration in configurations(file.source, file.model):
        engine = configuration.engine(version)
        cell = Cell(file.model.name, told, configuration, engine, judge, "refuses")
        try:
            loader.open(str(file.folder), {**file.options, **dict(configuration.words)})
        except EngineError as error:
            yield replace(cell, words=error.message)
            continue
        panel = LoaderPanel({judge: raw, engine: loader}, {judge: told, engine: told})
        did = _digest(panel, engine, file.cases)
        if did not in known:
            known[did] = _judged(cell, file, panel, limits, rebuilding)
        yield replace(known[did], configuration=configuration, engine=engine)


def _digest(panel: LoaderPanel, engine: str, cases: Sequence[TextCase]) -> bytes:
    """What an engine gives for all cases, in short."""
    found = hashlib.sha256()
    for batch in panel.results(batches(cases), lambda: False, only=(engine,)):
        results = batch.results[engine]
        found.update(repr(results.failures).encode())
        for part in (results.ids, results.decoded):
            if part is not None:
                found.update(part.offsets.tobytes() + bytes(part.data))
    return found.digest()


def _judged(cell: Cell, file: _File, panel: LoaderPanel, limits: Limits, rebuilding: Rebuilding) -> Cell:
    """The cell with what a session found: the share, the shortest text, the causes."""
    model = replace(file.model, oracle=cell.judge, accepted=(), engines=None)
    opened = {cell.judge: Seat(cell.judge, str(file.path)), cell.engine: Seat(cell.engine, str(file.folder))}
    seating = Seating([*opened], [*opened], opened.__getitem__, lambda: file.source)
    session = Session.of(model, seating, panel, Clock(limits.seconds), Unwritten())
    session.puts_accepted, session.explainer = False, file.explainer
    for _ in session.run([Listed(file.cases)]):
        pass
    pair = next(pair for pair in session.pairs if pair.engine == cell.engine)
    found = [finding for finding in session.findings if finding.engine == cell.engine]
    if not pair.compared:
        raise EngineError(f"{cell.engine!r} on {cell.model!r}: no text could be compared", "check the model's texts")
    if not found:
        return replace(cell, verdict="equal", compared=pair.compared)
    smallest = min((finding.smallest for finding in found), key=lambda one: one.case.question.order)
    made = rebuilding.of(panel.libraries[cell.engine])
    return replace(
        cell,
        verdict="differs",
        compared=pair.compared,
        different=pair.mismatches + pair.failures + pair.decoding,
        smallest=smallest,
        causes=tuple(_causes(found, made)),
        rebuilt=made,
    )


def _causes(found: Sequence[Finding], made: Rebuilt) -> Iterator[str]:
    """Each once; what has no name is told unless the parts of the file that were changed give it all."""
    for finding in {"+".join(one.quirks) or one.smallest.kind: one for one in found}.values():
        if finding.quirks:
            yield " + ".join(finding.quirks)
        elif not made.is_whole:
            yield f"not explained: {finding.smallest.kind}"
