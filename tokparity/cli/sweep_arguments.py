"""The parameters of a sweep, read from the command line or from the sweep that is resumed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import arguments, running
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.cli.arguments import Named
    from tokparity.report.model import Header
    from tokparity.sweep.manifest import Manifest
    from tokparity.sweep.run import Options
    from tokparity.sweep.texts import Text

_DECODED, ONE_IN = 64 << 20, 8
"""Beyond this many bytes of text, one text in this many is decoded.

Decoding takes a third of the time of encoding, and an engine that decodes wrongly does so on many texts.
"""
_LEAST_MEMORY = 64 << 20
"""Bytes with which no worker gets as far as a text, whatever the model."""


def options_of(args: argparse.Namespace) -> Options:
    """How it is done; what depends on the text or on the sweep that is resumed is added later."""
    from tokparity.session.panel import MEMORY
    from tokparity.sweep.run import Options

    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    if workers < 1:
        raise UsageError(f"--workers {workers} starts no worker", "give 1 or more")
    if args.scheduler and args.workers is not None:
        raise UsageError("--workers and --scheduler contradict each other", "start workers with `dask worker`")
    memory = _size("--memory", args.memory)
    if memory is not None and memory < _LEAST_MEMORY:
        raise UsageError(f"--memory {args.memory!r} is less than a worker takes to start", "give 500MB or more")
    return Options((), args.scheduler, workers, args.memory or "auto", memory or MEMORY)


def _size(option: str, word: str | None) -> int | None:
    from dask.utils import parse_bytes

    try:
        size = None if word is None else int(parse_bytes(word))
    except ValueError:
        size = 0
    if size is not None and size < 1:
        raise UsageError(f"{option} {word!r} is not a size", "write it as 500MB or 2GiB")
    return size


def one_in(word: str | None, text: Text, stored: Manifest | None) -> int:
    """One text in how many has its ids decoded again."""
    if word is None:
        return stored.decode_one_in if stored else 1 if text.size <= _DECODED else ONE_IN
    if word != "all" and not (word.isascii() and word.isdecimal() and int(word)):
        raise UsageError(f"--decode {word!r} is not a number of texts", "write `all`, or 8 for one text in 8")
    return 1 if word == "all" else int(word)


def resumed(args: argparse.Namespace) -> tuple[Path, Manifest | None]:
    """Where the results go, and what the sweep there is about if it is to be resumed."""
    from tokparity.models.trusted import plain_folder
    from tokparity.sweep.manifest import NAME, read

    if args.resume and args.out is None:
        folder = next((word for word in args.words if (Path(word) / NAME).is_file()), None)
        if folder is None:
            raise UsageError("--resume finds no sweep", "name the folder: `tokparity sweep --resume DIR`")
        args.words.remove(folder)
        args.out = Path(folder)
    if args.out is None:
        raise UsageError("--out is missing", "name the folder for the results")
    if args.resume:
        plain_folder(args.out)
        return args.out, read(args.out)
    if (args.out / NAME).exists():
        raise UsageError(f"{str(args.out)!r} already holds a sweep", "continue it with --resume, or delete it")
    return args.out, None


def models_of(args: argparse.Namespace, stored: Manifest | None) -> list[Named]:
    """The models that were named, or those of the sweep that is resumed."""
    from tokparity.models.trusted import model_of_file
    from tokparity.sweep.manifest import NAME

    if stored is not None and arguments.from_files(args) is None and not args.words:
        own = arguments.repository(args)
        args.words = [model_of_file(words, args.out / NAME, _again(args), own) for words in stored.arguments.values()]
    return running.models_of(args)


def engines_of(args: argparse.Namespace, stored: Manifest | None) -> tuple[str, ...]:
    """The engines that were named, or those of the sweep that is resumed, as far as a file may name them."""
    from tokparity.models.trusted import engines_of_file
    from tokparity.sweep.manifest import NAME

    if stored is None:
        return tuple(dict.fromkeys(args.engine))
    return engines_of_file(stored.engines, args.out / NAME, _again(args), args.engine)


def _again(args: argparse.Namespace) -> list[str]:
    return ["tokparity", "sweep", "--resume", str(args.out)]


def text_of_sweep(args: argparse.Namespace, stored: Manifest | None) -> Text:
    """The text that was named, or that of the sweep that is resumed; `args` then say what of it was taken."""
    from tokparity.models.trusted import path_of_file
    from tokparity.sweep.manifest import NAME
    from tokparity.sweep.texts import cut, files_of

    if not args.text and stored is None:
        raise UsageError("--text is missing", "name the files, patterns or URLs that hold it")
    if stored is not None:
        again = [*_again(args), *(word for text in stored.text for word in ("--text", text))]
        args.text = args.text or [path_of_file(word, args.out / NAME, again) for word in stored.text]
        args.field = args.field or stored.field
        args.shard = _size("--shard", args.shard) or stored.shard_bytes
    else:
        args.shard = _size("--shard", args.shard)
    args.field = args.field or "text"
    files = files_of(args.text)
    if stored is not None:  # before anything is read: what the file of the sweep names must be what it says
        stored.check_files({file.path: file.state for file in files}, args.out)
    return cut(files, args.field, args.shard)


def begin(
    out: Path, head: Header, named: Sequence[Named], args: argparse.Namespace, text: Text, stored: Manifest | None,
    options: Options,
) -> None:  # fmt: skip
    """Write down what the sweep is about, or hold it against what was written."""
    from tokparity.sweep.manifest import Manifest

    files = {file.path: file.state for file in text.files}
    arguments = {name.model.name: name.words for name in named}
    now = Manifest(
        head.tokparity, head.models, arguments, options.engines, head.engines, tuple(args.text), files, args.field,
        args.shard, options.decode_one_in,
    )  # fmt: skip
    if stored is None:
        now.write(out)
    else:
        now.check(stored, out)
