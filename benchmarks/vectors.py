"""What test vectors catch, beside what people test tokenizers with: the share of known and of unlisted faults found.

A set of texts is encoded as its authors do, and the ids are decoded again. A fault counts where any set, or any of some
thousand random texts, shows it.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tokparity import models, quirks
from tokparity.generators import prepared
from tokparity.questions import Decode, Encode, Question
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus
from tokparity.sources.random_texts import random_cases
from tokparity.vectors.faults import Answers, mutants, without_effect
from tokparity.vectors.file import SUFFIX, read
from tokparity.vectors.model import Vectors, answer_of

NAME = "vectors"
TITLE = "share of known and unlisted faults that test vectors show, beside other sets of texts"

ROOT = Path(__file__).parents[1]
_MODELS = ("small-spm", "small-unigram", "small-bpe", "small-wordpiece", "gpt-2", "llama-spm")
_TEXTS = 600
_SEPARATOR = b"\n__ggml_vocab_test__\n"
_OURS, _OTHERS = "these vectors", "random texts more"
_TYPICAL = (
    "Hello world", "Hello, world!", " Hello", "hello  world", "HELLO", "The quick brown fox jumps over the lazy dog.",
    "I don't know, it's 3.14.", "12345", "a\nb", "\tindented", "", " ", "こんにちは世界", "你好，世界", "Привет, мир",
    "مرحبا", "café naïve", "😀", "👩\u200d👩\u200d👧", "def f(x):\n    return x + 1\n",
)  # fmt: skip
"""What the test files of twenty engines have in common: a greeting, digits, white space, scripts, emoji, code."""


@dataclass(frozen=True)
class Row:
    """One set of texts on one model."""

    model: str
    name: str
    questions: int
    known: int
    of_known: int
    unlisted: int
    of_unlisted: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(_MODELS)})")
    parser.add_argument("--texts", type=int, default=3000, metavar="N", help="random texts beside all sets (3000)")


def main(args: argparse.Namespace) -> int:
    """Print a row for each model and set; exit 1 where the vectors miss a known fault that another set shows."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="faults shown")
    for title in ("model", "texts", "questions", "known faults", "share", "unlisted faults", "share"):
        table.add_column(title, justify="left" if title in ("model", "texts") else "right")
    missed = False
    for name in args.words or _MODELS:
        for row in rows(name, args.texts):
            shares = (f"{100 * shown / of:.1f} %" if of else "-" for shown, of in _parts(row))
            known, unlisted = (f"{shown} of {of}" for shown, of in _parts(row))
            first, second = shares
            table.add_row(row.model, row.name, str(row.questions), known, first, unlisted, second)
            missed |= row.name == _OURS and row.known < row.of_known
    Console(highlight=False, width=130).print(table)
    return int(missed)


def _parts(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
    return (row.known, row.of_known), (row.unlisted, row.of_unlisted)


def rows(name: str, more: int) -> Iterator[Row]:
    """All sets on one model."""
    model = models.resolve(name)
    source = models.primary_source(model)
    right = Tokenizer(source.vocabulary, source.behaviour)
    vectors = read(ROOT / "vectors" / f"{name}{SUFFIX}")
    sets = _sets(model, right, vectors, more)
    every = list(dict.fromkeys(question for questions in sets.values() for question in questions))
    inert = without_effect(right, quirks.all_quirks(), every[:1500])
    chosen = [quirk for quirk in quirks.all_quirks() if quirk.name not in inert]
    answers = Answers(right, mutants(right, chosen))
    answers.put(every)
    wrong = {fault: set(found) for fault, found in answers.wrong.items()}
    # What only shows where another answer is acceptable is not a fault.
    by_convention = {fault for one in vectors.untold if "acceptable" in one.why for fault in one.faults}
    known = {fault: found for fault, found in wrong.items() if found and fault not in by_convention}
    unlisted = {fault: found for fault, found in _unlisted(str(source.path), right, every) if found}
    for title, questions in sets.items():
        asked = set(questions)
        shown = [sum(not asked.isdisjoint(found) for found in faults.values()) for faults in (known, unlisted)]
        yield Row(name, title, len(asked), shown[0], len(known), shown[1], len(unlisted))


def _sets(model: Any, right: Tokenizer, vectors: Vectors, more: int) -> Mapping[str, Sequence[Question]]:
    """The sets of texts; rows of ids are those of the texts."""
    held = prepared(right.vocabulary, right.behaviour)
    drawn = [case.question.text for case in random_cases((), 77, _TEXTS + more, held)]
    lines = [case.question.text for case in corpus.load("languages") if case.question.text]
    natural = random.Random(0).sample(lines, min(_TEXTS, len(lines)))
    found = {
        f"{_TEXTS} random texts": drawn[:_TEXTS],
        f"{len(natural)} lines of natural text": natural,
        f"{len(_TYPICAL)} typical strings": [text.encode() for text in _TYPICAL],
        _OTHERS: drawn[_TEXTS:],
    }
    if model.expected is not None:
        found["llama.cpp's .inp"] = model.expected[0].read_bytes().split(_SEPARATOR)
    asked = {title: _asked(right, texts) for title, texts in found.items()}
    return {_OURS: [case.question for case in vectors.cases], **asked}


def _asked(right: Tokenizer, texts: Sequence[bytes]) -> list[Question]:
    """Each text with BOS and the like, and its ids decoded again, as test files of engines do it."""
    asked: list[Question] = []
    for text in texts:
        question = Encode(text, True, False)
        ids = answer_of(imitate(right, question))
        asked += [question, *([Decode(ids, True)] if isinstance(ids, tuple) and ids else [])]
    return asked


def _unlisted(path: str, right: Tokenizer, questions: Sequence[Question]) -> Iterator[tuple[str, set[Question]]]:
    """The faults of tests/character/unlisted_faults.py, each with the questions that show it."""
    module = _module(ROOT / "tests" / "character" / "unlisted_faults.py")
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, module.Faithful) and kind is not module.Faithful:
            engine = kind()
            try:
                engine.open(path, {})
            except Exception:  # a fault may be of another kind of model
                continue
            yield name, {question for question in questions if _differs(engine, right, question)}


def _differs(engine: Any, right: Tokenizer, question: Question) -> bool:
    expected = answer_of(imitate(right, question))
    return _answer(engine, question) != expected


def _answer(engine: Any, question: Question) -> object:
    try:
        if isinstance(question, Encode):
            return tuple(engine.ids(question.text, question.add_special, question.parse_special))
        return engine.text(list(question.ids), question.skip_special)
    except Exception:  # an engine may raise anything
        return None


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
