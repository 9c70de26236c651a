"""`check FILE --against SOURCE`: compares a model's file with another source of the same model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import arguments
from tokparity.cli.arguments import Named
from tokparity.cli.console import complain
from tokparity.errors import CannotExpressError, UsageError

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import FileFault

_GGUF = "gguf"
_OPTION = "--against"


def held_against(words: Sequence[str], against: str) -> Named:
    """The model whose file the one word names, and whose other files are those of the source."""
    from tokparity import models

    if len(words) != 1:
        raise UsageError(
            f"--against holds one file against {against!r}, found {len(words)} files: {list(words)!r:.80}",
            "write: tokparity check FILE --against SOURCE",
        )
    format, path, name = _held(words[0], against)
    source = arguments.model(against)
    if format == _GGUF and _says_the_same(path, source):
        complain(f"{path.name} says the same as the GGUF of {source.name}, which is known to be right")
        return Named(replace(source, name=name, sources={_GGUF: path}, pulled=(), pinned=False), (words[0],))
    files = {name: file for name, file in _files(source, format).items() if name != format}
    if not files:
        raise UsageError(
            f"{words[0]!r} and {against!r} are both {format}: check compares two formats of one tokenizer",
            f"`tokparity lint {words[0]} {against}` compares two files of one format",
        )
    if format != _GGUF and _GGUF in files:
        complain(f"the GGUF is the file under test: {files[_GGUF].name} is compared with {path.name}")
    model = models.of_formats({**files, format: path}, name)
    return Named(model, (words[0], _OPTION, against))


def _held(word: str, against: str) -> tuple[str, Path, str]:
    """The format, the file and the name of what is held against a source: of a directory its GGUF, or its only file."""
    from tokparity import formats, models

    path = Path(word)
    if not path.is_dir():
        return formats.detect(path).NAME, path, path.stem
    model = models.resolve(word)
    held = model.sources if len(model.sources) == 1 else {_GGUF: model.sources.get(_GGUF)}
    ((format, file),) = held.items()
    if file is None:
        listed = ", ".join(one.name for one in model.sources.values())
        first = next(iter(model.sources.values()))
        raise UsageError(
            f"{word!r} holds several files, and check compares one: {listed}",
            f"name it: tokparity check {first} --against {against}",
        )
    return format, file, model.name


def as_asked(faults: Sequence[FileFault], named: Sequence[Named]) -> list[FileFault]:
    """The faults of files, each of a file that was held against a SOURCE with that word for it."""
    words = {one.model.name: one.words[-1] for one in named if _OPTION in one.words}
    return [replace(fault, against=words.get(fault.model, fault.against)) for fault in faults]


def _files(source: Model, held: str) -> dict[str, Path]:
    """The files of a source; of a known model that is nothing but a GGUF what its oracle is given.

    `held` is the format of the file that is held against them: only a GGUF needs another one.
    """
    from tokparity import engines, models

    if not source.pinned or set(source.sources) != {_GGUF} or held != _GGUF:
        return dict(source.sources)
    for accepted in (engines.get(source.oracle).CAPABILITIES.formats, ("sentencepiece", "tokenizer.json")):
        try:
            prepared = models.prepare(source, [name for name in accepted if name != _GGUF], alone=False)
        except (CannotExpressError, IndexError):
            continue
        if prepared.format != _GGUF and prepared.path.is_file():
            return {prepared.format: prepared.path}
    raise UsageError(
        f"{source.name} is only a GGUF, and no other format can express its tokenizer",
        f"`tokparity doctor FILE --against {source.name}` compares two GGUFs",
    )


def _says_the_same(path: Path, known: Model) -> bool:
    """Whether a GGUF is read as that of a known model which only the reference can judge.

    No other format expresses all of such a tokenizer, so a comparison would find what the other format lacks.
    """
    from tokparity import formats
    from tokparity.session.judge import REFERENCE

    if not known.pinned or set(known.sources) != {_GGUF} or known.oracle != REFERENCE:
        return False
    one, other = (formats.read(file) for file in (path, known.sources[_GGUF]))
    return (one.vocabulary, one.behaviour) == (other.vocabulary, other.behaviour)


def hint_at_against(named: Sequence[Named]) -> None:
    """Say what judges the one by the other, where one of two models is a GGUF of the user's and the other none."""
    from tokparity.report.rule import SENTENCES

    if len(named) != 2:
        return
    is_gguf = [set(one.model.sources) == {_GGUF} and not one.model.pinned for one in named]
    if is_gguf[0] is not is_gguf[1]:
        file, source = (named[0], named[1]) if is_gguf[0] else (named[1], named[0])
        told = f"tokparity check {file.words[-1]} --against {source.words[-1]}"
        complain(SENTENCES["two words"].format(command=told))
