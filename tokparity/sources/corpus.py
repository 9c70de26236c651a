"""The corpora: texts from the files in `corpora/`, computed ones (`generated_corpora`), and the user's own files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from tokparity.case import Origin, TextCase, text_case
from tokparity.errors import FormatError, UsageError
from tokparity.questions import json_text
from tokparity.sources.generated_corpora import GENERATED, cldr_tags
from tokparity.sources.lines import numbered

LONG = frozenset({"long"})
"""Corpora of very long texts: 10 KB to 1 MB per case, to be run with their own time limit."""

_PARSED_TOO = frozenset({"special_tokens", "chat_templates"})  # asked with parse_special off and on
_SUFFIXES = (".txt", ".jsonl")


@dataclass(frozen=True, slots=True)
class Description:
    """The size of a corpus: its cases, the bytes of their text, and its languages.

    `languages` are BCP 47 language subtags, `scripts` ISO 15924 codes, both sorted; empty where nothing is marked.
    """

    name: str
    cases: int
    bytes: int
    languages: tuple[str, ...]
    scripts: tuple[str, ...]
    long: bool


_PACKED = {
    b"\x1f\x8b": "gzip",
    **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PAR1\x15": "Parquet",
}
"""What files begin with whose lines are not texts."""
_LONGEST_START = max(map(len, _PACKED))


def names() -> list[str]:
    """The names of all corpora, sorted: files and folders of `corpora/`, and the computed ones."""
    return sorted({*_shipped(), *GENERATED})


def load(name: str) -> Iterator[TextCase]:
    """The cases of the corpus `name`, or of the file or folder at that path, read as they are asked for.

    The origin is "file:line" or, in a computed corpus, "corpus:index". Raises UsageError for an unknown name,
    MissingDependencyError for a computed corpus whose library is absent, FormatError for a bad line of .jsonl.
    """
    if name in GENERATED:
        return _computed_cases(name, GENERATED[name]())
    shipped = _shipped()
    if name in shipped:
        return _file_cases(shipped[name], shipped[name].name, header=True, parsed_too=name in _PARSED_TOO)
    if Path(name).is_dir() or Path(name).is_file():
        return _file_cases(Path(name), name, header=False, parsed_too=False)
    raise _unknown(name)


def describe(name: str) -> Description:
    """Count the cases that `load(name)` returns; this reads the whole corpus."""
    cases = size = 0
    for case in load(name):
        cases += 1
        size += len(case.question.text)
    tags = [tag.split("-") for tag in _tags(name)]
    languages = tuple(sorted({tag[0] for tag in tags}))
    scripts = tuple(sorted({tag[-1] for tag in tags if tag[-1]}))
    return Description(name, cases, size, languages, scripts, name in LONG)


def _folder() -> Traversable:
    """`corpora/`: inside the package when installed from a wheel, next to it in a checkout."""
    inside = resources.files("tokparity").joinpath("corpora")
    return inside if inside.is_dir() else Path(__file__).parents[2] / "corpora"


def _shipped() -> dict[str, Traversable]:
    return {_stem(entry): entry for entry in _folder().iterdir() if entry.is_dir() or entry.name.endswith(_SUFFIXES)}


def _stem(entry: Traversable) -> str:
    return entry.name.removesuffix(".txt").removesuffix(".jsonl")


def _tags(name: str) -> list[str]:
    """The "language-Script" tags of a corpus; in a folder they are the names of its files."""
    if name == "cldr":
        return cldr_tags()
    entry = _shipped().get(name)
    return [_stem(file) for file in entry.iterdir()] if entry is not None and entry.is_dir() else []


def _computed_cases(name: str, texts: Iterator[str]) -> Iterator[TextCase]:
    return (text_case(text.encode(), origin=Origin("corpus", name, index)) for index, text in enumerate(texts))


def _file_cases(entry: Traversable, shown: str, *, header: bool, parsed_too: bool) -> Iterator[TextCase]:
    """The cases of a file, or of all files of a folder in the order of their names; `shown` is how origins name it."""
    if entry.is_dir():
        for file in sorted(entry.iterdir(), key=lambda file: file.name):
            if file.name.endswith(_SUFFIXES):
                yield from _file_cases(file, f"{shown}/{file.name}", header=header, parsed_too=parsed_too)
        return
    if not entry.is_file():  # opening a named pipe would wait for somebody who writes
        raise UsageError(f"{shown!r} is not a regular file", "give a file or a folder of texts")
    with entry.open("rb") as stream:
        start = stream.read(_LONGEST_START)
        if packed := [name for first, name in _PACKED.items() if start.startswith(first)]:
            hint = f"unpack it, or use `{shlex.join(['tokparity', 'sweep', '--text', shown])}`"
            raise FormatError(f"{shown} is a {packed[0]} file, so its lines are not texts", hint)
        stream.seek(0)
        yield from _cases(numbered(stream, shown), entry, shown, header=header, parsed_too=parsed_too)


def _cases(
    texts: Iterator[tuple[int, bytes]], entry: Traversable, shown: str, *, header: bool, parsed_too: bool
) -> Iterator[TextCase]:
    """The cases that the lines of a file are."""
    if entry.name.endswith(".jsonl"):
        texts = _json_texts(texts, shown)
    elif header:
        texts = _without_header(texts)
    for number, text in texts:
        origin = Origin("corpus", shown, number)
        yield text_case(text, origin=origin)
        if parsed_too:
            yield text_case(text, parse_special=True, origin=origin)


def _without_header(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """All lines but the "# " comments that a file starts with and the blank line that ends them."""
    inside = True
    for number, line in lines:
        if inside and (line.startswith(b"# ") or (number > 1 and not line)):
            inside = bool(line)
            continue
        inside = False
        yield number, line


def _json_texts(lines: Iterator[tuple[int, bytes]], shown: str) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        if line.strip():
            try:
                yield number, json_text.parse(line.decode())
            except UnicodeDecodeError as error:
                message = f"{shown}:{number}: {line[:60]!r} is not UTF-8, so not JSON"
                raise FormatError(message, 'write such bytes as {"base64": "..."}') from error
            except FormatError as error:
                raise FormatError(f"{shown}:{number}: {error.message}", error.hint) from error


def _unknown(name: str) -> UsageError:
    if Path(name).exists():
        return UsageError(f"{name!r} is not a regular file", "give a file or a folder of texts")
    known = names()
    near = get_close_matches(name, known, n=1)
    suggestion = f"did you mean {near[0]!r}? " if near else ""
    return UsageError(
        f"unknown corpus {name!r}", f"{suggestion}the known ones are {', '.join(known)}; or give the path of a file"
    )
