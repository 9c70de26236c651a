"""The texts that are put to planted faults, each kind with the reference's answers: ours, theirs, the corpora's."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.recorded import Recorded, answered
from tokparity import generators
from tokparity.case import AnyCase, TextCase, text_case
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.generators import apostrophes, ascii_spaces, code_points, special_tokens, vocabulary_words
from tokparity.generators.subject import Subject
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import InProcess
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.sources.batches import batches
from tokparity.sources.corpora import CorpusCases

_CHUNK = 512

_LONGEST = 4000
"""Bytes of the longest corpus texts by which it is told whether a fault shows at all."""


class Streams:
    """The texts for one tokenizer with its answers: ours, theirs, those of the corpora."""

    def __init__(self, model: str, tokenizer: Tokenizer, seed: int) -> None:
        started = time.process_time()
        self.tokenizer = tokenizer
        self.judge = Judge(model, REFERENCE, tokenizer.vocabulary.pieces)
        subject = Subject(tokenizer.vocabulary, tokenizer.behaviour)
        search = Steered(subject, REFERENCE, Steering(subject, generators.names(), seed))
        self.ours = Recorded(_searched(search, tokenizer), time.process_time() - started)
        self.theirs = Recorded(answered(tokenizer, _their_cases(subject)))
        self.corpora = Recorded(answered(tokenizer, _corpus_cases()))


def _searched(search: Steered, tokenizer: Tokenizer) -> Iterator[Batch]:
    """The batches of a search, steered by what the reference gives alone: no fault is known yet."""
    for batch in InProcess({REFERENCE: tokenizer}).results(search.batches(), lambda: False):
        search.learn(batch, ())
        yield batch


def _corpus_cases() -> Iterator[list[AnyCase]]:
    """Each text once, with each pair of flags by turns."""
    flags = ((True, True), (False, False), (True, False), (False, True))
    yield from batches(
        text_case(case.question.text, *flags[index % 4], case.origin)
        for index, case in enumerate(CorpusCases(()))
        if len(case.question.text) <= _LONGEST
    )


def _their_cases(subject: Subject) -> Iterator[list[TextCase]]:
    streams = (
        ascii_spaces.in_order(),
        apostrophes.in_order(),
        code_points.in_order(),
        vocabulary_words.in_order(subject),
        special_tokens.in_order(subject),
    )
    cases: list[TextCase] = []
    for stream in streams:
        for text in stream:
            cases.append(text_case(text, add_special=True, parse_special=True))
            if len(cases) == _CHUNK:
                yield cases
                cases = []
    yield cases
