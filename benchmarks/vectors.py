"""What test vectors catch, beside what people test tokenizers with: the share of known and of unlisted faults found.

A set of texts is encoded as its authors do, and the ids are decoded again. A fault counts where any set, or any of some
thousand random texts, shows it. A second table has what runners say: whether they name a planted fault first, and of
engines that are taken to be right, on which known deviations they fail.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.vector_runs import misnamed, misnamed_conversations, right_engines
from tokparity import models, quirks
from tokparity.generators import prepared
from tokparity.questions import Decode, Encode, Question, Render
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
    missed: Sequence[str]
    """The faults that another set shows, and this one does not."""


@dataclass(frozen=True)
class Subject:
    """A model with its vectors, all sets of texts, and the answers of the known faults to them."""

    name: str
    model: Any
    right: Tokenizer
    vectors: Vectors
    sets: Mapping[str, Sequence[Question]]
    answers: Answers

    @property
    def tokens(self) -> Collection[str]:
        """The texts of its special tokens."""
        return prepared(self.right.vocabulary, self.right.behaviour).subject.tokens


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(_MODELS)})")
    parser.add_argument("--texts", type=int, default=3000, metavar="N", help="random texts beside all sets (3000)")


def main(args: argparse.Namespace) -> int:
    """Print two tables and what they leave out; exit 1 where the vectors miss a known fault that another set shows."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, width=130)
    shown = Table(
        "model", "texts", "questions", "known faults", "share", "unlisted faults", "share", title="faults shown"
    )
    said = Table("model", "engine", "cases", "fail", "because it", title="what runners say")
    notes: list[str] = []
    missed = False
    for subject in (subject_of(name, args.texts) for name in args.words or _MODELS):
        for row in rows(subject):
            known, unlisted = (f"{some} of {of}" for some, of in _parts(row))
            first, second = (f"{100 * some / of:.1f} %" if of else "-" for some, of in _parts(row))
            shown.add_row(row.model, row.name, str(row.questions), known, first, unlisted, second)
            if row.name == _OURS:
                missed |= row.known < row.of_known
                notes += [f"{row.model}: the vectors miss {fault}" for fault in row.missed]
        wrongly, planted = misnamed(subject.vectors, subject.answers)
        said.add_row(row.model, "planted faults", str(planted), str(len(wrongly)), "are not named first")
        notes += [f"{row.model}: {fault} is not named first" for fault in wrongly]
        for group, faults in (("streams", quirks.of_streams()), ("spans", quirks.of_spans())):
            if part := subject.vectors.groups.get(group):
                answers = Answers(subject.right, mutants(subject.right, faults))
                answers.put(case.question for case in part.cases)
                wrongly, planted = misnamed(part, answers)
                said.add_row(row.model, f"planted faults of {group}", str(planted), str(len(wrongly)), "")
                notes += [f"{row.model}: {fault} of {group} is not named first" for fault in wrongly]
        if part := subject.vectors.groups.get("conversations"):
            wrongly, planted = misnamed_conversations(part, subject.right, subject.tokens)
            said.add_row(row.model, "planted faults of conversations", str(planted), str(len(wrongly)), "")
            notes += [f"{row.model}: {fault} of conversations is not named first" for fault in wrongly]
        for run in right_engines(subject.model, subject.vectors, subject.right):
            causes = ", ".join(f"{fault} ({cases})" for fault, cases in sorted(run.deviations.items()))
            said.add_row(row.model, run.engine, str(run.asked), str(run.failed), causes)
            notes += [f"{row.model}: {run.engine} fails {case} without a known cause" for case in run.unexplained]
    console.print(shown, said, *notes, sep="\n")
    return int(missed)


def _parts(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
    return (row.known, row.of_known), (row.unlisted, row.of_unlisted)


def subject_of(name: str, more: int) -> Subject:
    """A model of which all texts were put to all known faults."""
    model = models.resolve(name)
    source = models.primary_source(model)
    right = Tokenizer(source.vocabulary, source.behaviour)
    vectors = read(ROOT / "vectors" / f"{name}{SUFFIX}")
    sets = _sets(model, right, vectors, more)
    every = list(dict.fromkeys(question for questions in sets.values() for question in questions))
    inert = without_effect(right, quirks.all_quirks(), every[:1500])
    answers = Answers(right, mutants(right, [quirk for quirk in quirks.all_quirks() if quirk.name not in inert]))
    answers.put(every)
    return Subject(name, model, right, vectors, sets, answers)


def rows(subject: Subject) -> Iterator[Row]:
    """All sets on one model."""
    wrong = {fault: set(found) for fault, found in subject.answers.wrong.items()}
    # What only shows where another answer is acceptable is not a fault.
    by_convention = {fault for one in subject.vectors.untold if "acceptable" in one.why for fault in one.faults}
    known = {fault: found for fault, found in wrong.items() if found and fault not in by_convention}
    path = str(models.primary_source(subject.model).path)
    unlisted = {fault: found for fault, found in _unlisted(path, subject.answers.right) if found}
    for title, questions in subject.sets.items():
        asked = set(questions)
        missed = [[fault for fault, found in faults.items() if asked.isdisjoint(found)] for faults in (known, unlisted)]
        counts = (len(known) - len(missed[0]), len(known), len(unlisted) - len(missed[1]), len(unlisted))
        yield Row(subject.name, title, len(asked), *counts, [*missed[0], *missed[1]])


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


def _unlisted(path: str, right: Mapping[Question, object]) -> Iterator[tuple[str, set[Question]]]:
    """The faults of tests/character/unlisted_faults.py, each with the questions that show it."""
    module = _module(ROOT / "tests" / "character" / "unlisted_faults.py")
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, module.Faithful) and kind is not module.Faithful:
            engine = kind()
            try:
                engine.open(path, {})
            except Exception:  # a fault may be of another kind of model
                continue
            yield name, {question for question, answer in right.items() if _answer(engine, question) != answer}


def _answer(engine: Any, question: Question) -> object:
    try:
        if isinstance(question, Encode):
            return tuple(engine.ids(question.text, question.add_special, question.parse_special))
        if isinstance(question, Render):
            return None
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
