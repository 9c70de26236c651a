"""Is a right file called right, and a wrong one wrong? Exports of known models, and each with one key made wrong."""

from __future__ import annotations

import argparse
import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.as_converters import write_as_converters
from tokparity import formats, models
from tokparity.cli.console import say
from tokparity.doctor import sayable
from tokparity.errors import CannotExpressError
from tokparity.formats import Source, beside
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS, id_without_key
from tokparity.formats.gguf_writer import keys_of
from tokparity.report.rule import Answer, Facts, Judgement, judge
from tokparity.vocabulary import Kind

NAME = "verdicts"
TITLE = "right files called wrong, wrong files called right"
KINDS = ("small-spm", "small-unigram", "small-bpe", "small-wordpiece", "gpt-2", "mistral-v1")
"""Six kinds of models; CI takes these."""
_NAMES = {"gguf": "model.gguf", "tokenizer.json": "tokenizer.json", "sentencepiece": "tokenizer.model"}


@dataclass(frozen=True)
class Row:
    """One file, what was made wrong in it (nothing: it is right), and what is said of it."""

    model: str
    file: str
    against: str
    planted: str
    answer: Answer
    sentence: str

    @property
    def is_so(self) -> bool:
        """Whether a right file is called right, and a wrong one wrong with the key that is."""
        if not self.planted:
            return self.answer == "right"
        return self.answer == "wrong" and self.planted.partition(" ")[0] in self.sentence


def file_verdict(path: Path, source: Source) -> Judgement:
    """What the rule says of a GGUF beside a source, by its keys and the texts that the reference is put."""
    faults = [change.fault(path.stem, path, source.path) for change in sayable(path, source)[0]]
    return judge(Facts(keys=faults, files=(path.name,), cases="all texts"))


def right_files(name: str, own: Source, folder: Path, pre: str = "") -> Iterator[Row]:
    """Each GGUF that the model can be written as, beside each other format that can hold the model."""
    written = dict(_written(own, folder))
    sources = [source for format, source in written.items() if format != "gguf"]
    if own.format != "gguf":
        sources = [own, *sources]
    gguf = written.get("gguf")
    for source in sources:
        if gguf is not None:
            yield _row(name, "convert", gguf.path, source)
        if own.format == "gguf":
            yield _row(name, "its own", own.path, source)
    as_json = own if own.format == "tokenizer.json" else written.get("tokenizer.json")
    if as_json is not None:
        yield from as_converted(name, as_json, folder / "converted.gguf", pre)


def of_known(name: str) -> Source:
    """The file of a known model that its other files are made of."""
    return models.primary_source(models.load(name))


def _is_sayable(source: Source) -> bool:
    """Whether a GGUF has words for all of it."""
    try:
        keys_of(source)
    except CannotExpressError:
        return False
    return True


def as_converted(name: str, source: Source, path: Path, pre: str = "") -> Iterator[Row]:
    """A GGUF written with gguf's own SpecialVocab and GGUFWriter, as llama.cpp's converter writes it."""
    try:
        write_as_converters(source, path, pre)
    except CannotExpressError:
        return
    yield _row(name, "SpecialVocab", path, source)


def wrong_files(name: str, own: Source, folder: Path) -> Iterator[Row]:
    """Each key of the model's GGUF made wrong, beside each other format of the model that says what a GGUF does."""
    written = dict(_written(own, folder))
    good = written["gguf"].path
    others = [source for format, source in written.items() if format != "gguf" and _is_sayable(source)]
    values = {key: field.value for key, field in read_metadata(good).fields.items()}
    for key, what, wrong in planted(values):
        bad = folder / "bad.gguf"
        rewrite(good, {PREFIX + key: wrong}, bad)
        for source in others or [own]:
            yield _row(name, "one key", bad, source, f"{key} {what}")


def planted(values: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(key, what is done, the wrong value), for each key that is there."""
    said = {key.removeprefix(PREFIX): value for key, value in values.items() if key.startswith(PREFIX)}
    model = said["model"].decode()
    default = {key: id_without_key(model, role) for role, key in SPECIAL_KEYS.items()}
    for key, wrongs in _WRONG.items():
        unread = model == "bert" and key in ("add_bos_token", "add_eos_token")  # as llama.cpp has it
        for what, wrong in wrongs.items() if key in said and not unread else ():
            made = wrong(said)
            # Without the key of a special id a file says what all of its type say.
            if (default.get(key) if made is None else made) != said[key]:
                yield key, what, made


def _flipped(key: str) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    return {"flipped": lambda said: not said[key]}


def _moved(said: Mapping[str, Any]) -> int:
    """The id of a common piece."""
    return len(said["tokens"]) // 2


def _swapped(said: Mapping[str, Any]) -> list[bytes]:
    """Two common pieces in each other's place."""
    pieces, places = list(said["tokens"]), _common(said)
    pieces[places[0]], pieces[places[1]] = pieces[places[1]], pieces[places[0]]
    return pieces


def _respelled(said: Mapping[str, Any]) -> list[bytes]:
    """A common piece with another last letter, which makes no piece that is there."""
    pieces, place = list(said["tokens"]), _common(said)[7]
    pieces[place] += b"qqq"
    return pieces


def _common(said: Mapping[str, Any]) -> list[int]:
    """Some places of plain pieces, the first ones of more than a letter."""
    kinds, pieces = said["token_type"], said["tokens"]
    return [i for i, kind in enumerate(kinds) if kind == Kind.NORMAL and 3 < len(pieces[i]) < 9 and pieces[i].isalpha()]


def _with_kind(kind: Kind) -> Callable[[Mapping[str, Any]], Any]:
    def made(said: Mapping[str, Any]) -> Any:
        kinds = array("i", said["token_type"])
        kinds[_common(said)[5]] = kind
        return kinds

    return made


_WRONG: Mapping[str, Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "tokens": {"swapped": _swapped, "one spelled otherwise": _respelled},
    "token_type": {"control": _with_kind(Kind.CONTROL), "unused": _with_kind(Kind.UNUSED)},
    "scores": {
        "zeroed": lambda said: array("f", bytes(4 * len(said["scores"]))),
        "reversed": lambda said: array("f", reversed(said["scores"])),
        "negated": lambda said: array("f", [-score for score in said["scores"]]),
    },
    "merges": {
        "cut": lambda said: said["merges"][: len(said["merges"]) // 2],
        "reversed": lambda said: list(reversed(said["merges"])),
        "without the first": lambda said: list(said["merges"][1:]),
    },
    "pre": {
        "of another": lambda said: b"llama-bpe" if said["pre"] != b"llama-bpe" else b"gpt-2",
        "gone": lambda _: None,
    },
    "precompiled_charsmap": {"gone": lambda _: None},
    "add_bos_token": _flipped("add_bos_token"),
    "add_eos_token": _flipped("add_eos_token"),
    "add_space_prefix": _flipped("add_space_prefix"),
    "remove_extra_whitespaces": _flipped("remove_extra_whitespaces"),
    "normalizer.lowercase": _flipped("normalizer.lowercase"),
    "bos_token_id": {"moved": _moved, "gone": lambda _: None},
    "eos_token_id": {"moved": _moved, "gone": lambda _: None},
    "seperator_token_id": {"moved": _moved},
    "unknown_token_id": {"moved": _moved},
    "padding_token_id": {"moved": _moved},
    "cls_token_id": {"moved": _moved},
    "mask_token_id": {"moved": _moved},
}
"""What is made of the values of a right file."""


def _written(own: Source, folder: Path) -> Iterator[tuple[str, Source]]:
    """The model in each format that can hold it, read again from a folder of its own."""
    for format, file in _NAMES.items():
        path = folder / format / file
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            formats.write(beside.as_configured(own) if format == "gguf" else own, format, path)
        except CannotExpressError:
            continue
        yield format, formats.read(path, format)


def _row(name: str, file: str, path: Path, source: Source, planted: str = "") -> Row:
    found = file_verdict(path, source)
    return Row(name, file, source.format, planted, found.answer, found.sentence)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The models, and files of others."""
    parser.add_argument("models", nargs="*", help=f"known models (default: {', '.join(KINDS)})")
    parser.add_argument("--file", action="append", default=[], help="a tokenizer's file or folder (again for more)")
    parser.add_argument("--pre", default="", help="the name of the pre-tokenizer that a converter writes for a file")
    parser.add_argument("--right", action="store_true", help="right files only")


def main(args: argparse.Namespace) -> int:
    """Print a line for each file, and the two sums; 1 where one is not called what it is."""
    rows: list[Row] = []
    known = ((name, of_known(name)) for name in args.models or (() if args.file else KINDS))
    for name, own in chain(known, ((word, formats.read(Path(word))) for word in args.file)):
        with TemporaryDirectory() as folder:
            rows += shown(right_files(name, own, Path(folder), args.pre))
        if not args.right:
            with TemporaryDirectory() as folder:
                rows += shown(wrong_files(name, own, Path(folder)))
    right, wrong = [row for row in rows if not row.planted], [row for row in rows if row.planted]
    say(f"right files called otherwise: {sum(not row.is_so for row in right)} of {len(right)}")
    say(f"wrong files called otherwise: {sum(not row.is_so for row in wrong)} of {len(wrong)}")
    return int(not all(row.is_so for row in rows))


def shown(rows: Iterator[Row]) -> Sequence[Row]:
    """The rows, each printed when it is there."""
    found = []
    for row in rows:
        found.append(row)
        told = "as it is" if row.is_so else f"OTHERWISE: {row.sentence[:300]}"
        line = (row.model, row.file, row.against, row.planted or "right", row.answer, told)
        say(json.dumps(line, ensure_ascii=False))
    return found
