"""`tokparity check` as a function."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokparity import __version__
from tokparity import engines as known_engines
from tokparity.api.given import Given, fetched, model_of
from tokparity.doctor import about_files, file_faults
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import TokparityError, UsageError
from tokparity.models import Model
from tokparity.models.cache import sha256
from tokparity.report import render
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Header, Report
from tokparity.report.verdict import Verdict, verdict
from tokparity.session import CASES
from tokparity.session.one_model import Options
from tokparity.session.run import run


def check(
    model_or_files: Given,
    engines: Sequence[str] | None = None,
    *,
    corpora: Sequence[str] | None = None,
    cases: int = CASES,
    seconds: float | None = None,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
) -> Verdict:
    """Run a model on engines (all that can open it, if none is named) and return the verdict.

    `corpora` are names or files, all if None; `cases` random texts beside them. With `out`, the report goes to that
    directory: report.jsonl, which `load_report` reads, and index.html. Raises UsageError, FormatError or EngineError as
    the command line does.
    """
    model, words = model_of(model_or_files)
    fetched(model)
    for name in engines or ():
        known_engines.get(name)
    options = Options(tuple(engines or ()), tuple(corpora or ()), cases=cases, seconds=seconds, seed=seed)
    if out is not None:
        return verdict(_run(model, words, options, Path(out)))
    with TemporaryFolder() as folder:
        return verdict(_run(model, words, options, Path(folder)))


def _run(model: Model, words: tuple[str, ...], options: Options, out: Path) -> Report:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {str(out)!r}: {error.strerror}", "choose another directory") from error
    writer = ReportWriter(out / "report.jsonl", _header(model, words, options))
    faults, vanished, mended = file_faults([model])
    asked = frozenset() if options.engines else about_files([model])
    options = replace(options, faults=tuple(faults), mended=mended, about_files=asked)
    for one in vanished:
        writer.vanished(one)
    result = run([model], options, writer, lambda event: None)
    for lost in result.lost.values():
        raise lost
    report = read(out / "report.jsonl")
    render.render("html", report, out / "index.html")
    return report


def _header(model: Model, words: tuple[str, ...], options: Options) -> Header:
    return Header(
        tokparity=__version__,
        unicode=unicodedata.unidata_version,
        engines={name: _version(name) for name in options.engines or known_engines.names()},
        models={model.name: {path.name: sha256(path) for path in model.sources.values() if path.is_file()}},
        seed=options.seed,
        command=("tokparity", "check", *words),
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        arguments={model.name: words},
        asked=options.kinds,
    )


def _version(name: str) -> str:
    try:
        return known_engines.get(name).version()
    except TokparityError:
        return ""  # the report's pairs say why it could not be run
