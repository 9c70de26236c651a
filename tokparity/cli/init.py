"""`tokparity init`: writes a first tokparity.toml for the given files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.errors import UnwritableError, UsageError

if TYPE_CHECKING:
    from tokparity.formats import Source

HELP = "Write a first tokparity.toml for your own files, so that `tokparity check` guards them"
SECTION = "Three questions"
EXAMPLES = (
    "tokparity init model.gguf tokenizer.json",
    "tokparity init models/one models/two",
    "tokparity init --gguf model.gguf --sentencepiece tokenizer.model",
)
EXIT_1 = ""
_IGNORED = "# What tokparity writes anew with each run.\nreports/\n"
Files = dict[str, Path]
_BEGIN = "# Models that `tokparity check` watches over; what it may find is written here by `tokparity check --update`."


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity init`."""
    return [
        options.Words("[FILE]...", "files of any format, or directories; those of one tokenizer are one model"),
        options.Option("--force", is_flag=True, help="replace an existing tokparity.toml"),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Write the file, and say which models it has."""
    from tokparity.models.cache import put
    from tokparity.models.repository import NAME, parsed

    path = Path(args.models or "")
    path = path / NAME if path.is_dir() else path
    if path.exists() and not args.force:
        raise UsageError(
            f"{str(path)!r} already exists", "add the model to it by hand, or give --force to write over it"
        )
    named = _named([*_groups(_found(args.words)), *_given(args)])
    if not named:
        raise UsageError("init was given no file", "name a GGUF, a tokenizer.json, a .model, or a directory with them")
    text = _text(named, path.parent)
    models = [parsed(path, text).model(name) for name in named]
    over = "written over" if path.exists() else "written"
    try:
        put(path, text.encode("utf-8"))
    except OSError as error:
        raise UnwritableError(f"cannot write {str(path)!r}: {error.strerror}", "give another --models") from error
    say(f"{path} {over}:")
    for model in models:
        say(f"  {model.name}: {', '.join(map(str, model.sources.values()))}; judged by {model.oracle}")
        if len(model.sources) == 1 and "gguf" in model.sources:
            say(f"    no independent source of {model.name}: add tokenizer-json or sentencepiece")
    ignored = path.with_name(".gitignore")
    if not ignored.exists():
        with contextlib.suppress(OSError):  # reports can be ignored by hand as well
            ignored.write_text(_IGNORED, encoding="utf-8")
            say(f"{ignored} written: git will ignore reports")
    say("now: tokparity check")
    return 0


def _found(words: Sequence[str]) -> Iterator[Path]:
    """The files that the words name, and those in the directories that they name."""
    from tokparity import formats

    for path in dict.fromkeys(map(Path, words)):
        if path.is_dir():
            inside = [one for pattern in formats.IN_A_DIRECTORY for one in sorted(path.glob(pattern))]
            if not inside:
                raise formats.nothing_in(path)
            yield from inside
        elif path.is_file():
            yield path
        else:
            raise UsageError(f"there is no file {str(path)!r}", "check the path")


def _groups(paths: Iterator[Path]) -> list[Files]:
    """Models: the files of each tokenizer, one of each format; several GGUFs of one tokenizer are several models."""
    from tokparity import formats
    from tokparity.lint import SAME_MODEL, share_of_common_pieces

    groups: list[tuple[Source, list[Source]]] = []
    for path in paths:
        source = formats.read(path)
        for first, members in groups:
            if share_of_common_pieces(first, source) >= SAME_MODEL:
                members.append(source)
                break
        else:
            groups.append((source, [source]))
    return [files for _, members in groups for files in _models(members)]


def _models(members: Sequence[Source]) -> Iterator[Files]:
    others: Files = {}
    for source in members:
        if source.format == "gguf":
            continue
        if source.format in others:
            raise UsageError(
                f"{others[source.format]} and {source.path} are the same tokenizer in the same format",
                "give one of them",
            )
        others[source.format] = source.path
    ggufs = [source.path for source in members if source.format == "gguf"]
    for gguf in ggufs:
        yield {"gguf": gguf, **others}
    if not ggufs:
        yield others


def _given(args: Arguments) -> Iterator[Files]:
    """The model that --gguf and the like give."""
    from tokparity.cli.arguments import from_files

    if (named := from_files(args)) is not None:
        yield dict(named.model.sources)


def _named(groups: Sequence[Files]) -> Mapping[str, Files]:
    """A name for each model that no other has, nor one that tokparity knows."""
    from tokparity import models

    named: dict[str, Files] = {}
    for files in groups:
        first = models.of_formats(files).name
        gguf = files.get("gguf")
        wanted = gguf.stem if gguf is not None and sum("gguf" in other for other in groups) > 1 else first
        wanted = f"my-{wanted}" if wanted in models.names() else wanted
        folder = next(iter(files.values())).resolve().parent.name
        candidates = (wanted, f"{folder}-{wanted}", *(f"{wanted}-{number}" for number in range(2, len(groups) + 2)))
        named[next(name for name in candidates if name not in named)] = files
    return named


def _text(named: Mapping[str, Files], folder: Path) -> str:
    """The file: one table for each model, its paths relative to the file."""
    from tokparity.models.rewrite import spelled_model

    lines = [_BEGIN]
    for name, files in named.items():
        paths = {key.replace(".", "-"): Path(os.path.relpath(path, folder)) for key, path in files.items()}
        lines += ["", *spelled_model(name, paths)]
    return "\n".join(lines) + "\n"
