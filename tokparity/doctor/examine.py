"""How many texts come out differently: the reference and llama.cpp before a GGUF and before what it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import engines, formats
from tokparity.case import AnyCase, text_case
from tokparity.difference import Difference, first_difference
from tokparity.doctor.change import tokenizer_keys
from tokparity.doctor.changes import legible, same_pre
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import CannotExpressError, MissingDependencyError, TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.generators import prepared
from tokparity.lint.rivals import rivals
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.reference.imitate import imitate
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.session.judge import REFERENCE
from tokparity.session.panel import EnginePanel, Seat, ask
from tokparity.sources import corpus
from tokparity.sources.random_texts import random_cases
from tokparity.vocabulary import Kind, pieces_at

if TYPE_CHECKING:
    from tokparity.formats import Source

ENGINES = (REFERENCE, "llama.cpp")
CASES = 1200
_CORPORA = ("prompts", "whitespace", "punctuation", "normalisation", "letter_case", "special_tokens", "numbers_dates")
_EACH = 120
_LONGEST = 1000  # bytes
_AT_A_TIME = 400  # texts between two reports of progress
_TOLD = 100  # special tokens, and pieces and merges that differ, that are put as texts
_GGUF = "GGUF"
_NAMES = (_GGUF, "source")

Tell = Callable[[str, int, int], object]
"""Hears which engine is run with which file, how many texts are done, and of how many."""


@dataclass(frozen=True)
class Examination:
    """One engine on the two files: how many texts it ran, and on which of them its ids differed or it failed.

    `unavailable` says why it could not be asked at all, `refuses` whether that is because it does not open the GGUF.
    """

    engine: str
    cases: int = 0
    mismatches: tuple[Mismatch, ...] = ()
    controls: tuple[Control, ...] = ()
    unavailable: str = ""
    refuses: bool = False


def examine(
    gguf: Path,
    source: Source,
    name: str,
    asked: Sequence[str] = ENGINES,
    count: int = CASES,
    sick: Path | None = None,
    tell: Tell = lambda now, done, of: None,
) -> list[Examination]:
    """Run each engine on the same texts with the GGUF, and with the source as a GGUF.

    After a repair, `sick` is the file before it: its faults choose the texts. `tell` hears how far each engine is.
    """
    cases = [*_telling(sick or gguf, source), *_cases(source, count)]
    with TemporaryFolder() as folder:
        return [_one(engine, gguf, source, name, cases, Path(folder), tell) for engine in asked]


def _one(
    engine: str, gguf: Path, source: Source, name: str, cases: Sequence[AnyCase], folder: Path, tell: Tell
) -> Examination:
    with ExitStack() as stack:
        panels: dict[str, EnginePanel] = {}
        try:
            for side in _NAMES:  # the GGUF first: whether it can be opened is told even where the source cannot be
                path = gguf if side == _GGUF else _in_its_words(gguf, _as_gguf(source, folder, engine), folder)
                opened = stack.enter_context(EnginePanel([Seat(engine, str(path))], timeout=60.0))
                if engine in opened.unavailable:
                    refuses = side == _GGUF and _is_installed(engine)
                    return Examination(engine, unavailable=f"{side}: {opened.unavailable[engine]}", refuses=refuses)
                panels[side] = opened
            answers = {side: _asked(opened, engine, side, cases, tell) for side, opened in panels.items()}
        except CannotExpressError as error:  # its hint is for who wants to convert
            return Examination(engine, unavailable=error.message)
        except TokparityError as error:
            return Examination(engine, unavailable=str(error))
    return _compared(engine, name, cases, answers, source.vocabulary.pieces)


def _asked(panel: EnginePanel, engine: str, side: str, cases: Sequence[AnyCase], tell: Tell) -> list[Outcome]:
    """What an engine gives to each text with one of the two files."""
    found: list[Outcome] = []
    for start in range(0, len(cases), _AT_A_TIME):
        tell(f"{engine} with the {side}", start, len(cases))
        found += ask(panel, engine, cases[start : start + _AT_A_TIME])
    return found


def _is_installed(engine: str) -> bool:
    try:
        engines.get(engine).version()
    except MissingDependencyError:
        return False
    return True


def _as_gguf(source: Source, folder: Path, engine: str) -> Path:
    """What the GGUF should be: the source, exported; the reference can also read what no GGUF has words for."""
    if source.format == "gguf":
        return source.path
    path = folder / "source.gguf"
    try:
        if not path.exists():
            formats.write(source, "gguf", path)
    except CannotExpressError:
        if engine != REFERENCE:
            raise
        return source.path
    return path


def _in_its_words(gguf: Path, right: Path, folder: Path) -> Path:
    """What it should be, with the file's own name for a pre-tokenizer that has several."""
    if formats.detect(right).NAME != "gguf":
        return right
    renamed = same_pre(tokenizer_keys(gguf), tokenizer_keys(right))
    path = folder / "renamed.gguf"
    if renamed and not path.exists():
        rewrite(right, renamed, path)
    return path if renamed else right


def _compared(
    engine: str, name: str, cases: Sequence[AnyCase], answers: Mapping[str, Sequence[Outcome]], pieces: Sequence[bytes]
) -> Examination:
    mismatches, controls = [], []
    for case, actual, expected in zip(cases, answers[_GGUF], answers["source"], strict=True):
        if isinstance(actual, Encoding) and isinstance(expected, Encoding):
            if actual.ids == expected.ids:
                controls.append(Control(case, name, engine, actual))
                continue
            difference = Difference("ids", first_difference(expected.ids, actual.ids))
        elif type(actual) is type(expected) or isinstance(actual, Encoding):
            continue  # both fail, or only the source's side does: that is not a fault of the GGUF
        else:
            difference = Difference("failure", failure=actual.kind if isinstance(actual, Failure) else "error")
        spelled = [_spell(outcome, pieces) for outcome in (expected, actual)]
        mismatches.append(Mismatch(case, name, engine, "source", expected, actual, difference, *spelled))
    return Examination(engine, len(cases), tuple(mismatches), tuple(controls))


def _spell(outcome: Outcome, pieces: Sequence[bytes]) -> tuple[bytes, ...]:
    return pieces_at(pieces, outcome.ids if isinstance(outcome, Encoding) else ())


def _telling(gguf: Path, source: Source) -> Iterator[AnyCase]:
    """What random texts seldom have: special and added tokens, pieces and merges of which the files differ, padding."""
    ours, theirs = legible(gguf, source).vocabulary, source.vocabulary
    added = {token.id for token in theirs.added}
    named = (Kind.CONTROL, Kind.USER_DEFINED)
    told = [i for i, kind in enumerate(theirs.kinds) if i in added or kind in named]
    pieces = zip(ours.pieces, theirs.pieces, ours.kinds, theirs.kinds, strict=False)
    unlike = [i for i, (one, other, kind, wanted) in enumerate(pieces) if one != other or kind is not wanted]
    tokenizer = Tokenizer(theirs, source.behaviour)
    padding = zip(ours.pieces[len(theirs) :], ours.kinds[len(theirs) :], strict=True)
    for text in [piece for piece, kind in padding if kind in named][:_TOLD]:
        for parse_special in (False, True):
            yield text_case(b"a " + text + b" b", True, parse_special)
    for i in dict.fromkeys((*told[:_TOLD], *unlike[:_TOLD])):
        text = theirs.pieces[i] if i in told else tokenizer.decode([i], False)
        for parse_special in (False, True):
            yield text_case(b"a " + text + b" b", True, parse_special)
    yield from _ranked(Tokenizer(ours, source.behaviour), tokenizer)


def _ranked(one: Tokenizer, other: Tokenizer) -> Iterator[AnyCase]:
    """Texts on which pieces or merges of another rank show."""
    if one.behaviour.segment in (spm, ugm) and not one.vocabulary.scores:
        return
    cases = rivals(one, other)
    yield from islice((case for case in cases if imitate(one, case.question) != imitate(other, case.question)), _TOLD)


def _cases(source: Source, count: int) -> Iterator[AnyCase]:
    for name in _CORPORA:
        yield from islice((case for case in corpus.load(name) if len(case.question.text) <= _LONGEST), _EACH)
    yield from random_cases((), 0, count, prepared(source.vocabulary, source.behaviour))
