"""What fuzzing finds, and how short it gets: asserted on real faults, where the models for them are at hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity import generators, models, quirks
from tokparity.finding import Mismatch
from tokparity.fuzz.run import Options, fuzz
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import ReportWriter
from tokparity.report.model import Header
from tokparity.session.events import Event
from tokparity.session.in_process import InProcess
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.shrink import shrunk

PLANTED = (
    "greedy_longest_match",
    "omits_space_prefix",
    "sums_scores_in_double",
    "drops_unknown_text",
    "never_parses_specials",
)


def silent(event: Event) -> None:
    """A listener that says nothing."""


def header() -> Header:
    """A header as far as a report needs one."""
    return Header("test", "", {}, {}, 0, (), "")


def test_the_dropped_combining_mark(tmp_path: Path) -> None:
    """Hugging Face drops a mark after a charsmap key: found in the first cases, shrunk to at most three code points."""
    model = models.load("small-unigram")
    writer = ReportWriter(tmp_path / "report.jsonl", header())
    options = Options(engines=("tokenizers",), cases=3000, seconds=60)
    result = fuzz(model, options, writer, silent)
    named = "applies_charsmap_per_grapheme"  # which drops a mark behind a character that the charsmap replaces
    found = [finding for finding in result.findings if finding.engine == "tokenizers" and named in finding.quirks]
    assert [(named,)] == [finding.quirks for finding in found]
    question = found[0].smallest.case.question
    assert isinstance(question, Encode)
    assert len(question.text.decode()) <= 3


def learned(search: Steered, batch: Batch, judge: Judge) -> Iterator[Mismatch]:
    """What the engine got wrong in a batch, when the search has learned of it."""
    verdict = judge.verdict(batch, "wrong")
    assert verdict is not None
    search.learn(batch, verdict.sightings)
    return (judge.mismatch(batch, seen) for seen in verdict.sightings)


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_found_and_shrunk(name: str) -> None:
    """On the quirk's own toy: found within the first few thousand cases, at most six code points long."""
    quirk = quirks.get(name)
    assert quirk.witness is not None
    witness = quirk.witness()
    right = Tokenizer(witness.vocabulary, witness.behaviour)
    wrong = Tokenizer(witness.vocabulary, quirk.flip(witness.behaviour))
    panel = InProcess({REFERENCE: right, "wrong": wrong})
    judge = Judge("toy", REFERENCE, witness.vocabulary.pieces)
    subject = Subject(witness.vocabulary, witness.behaviour)
    search = Steered(subject, REFERENCE, Steering(subject, generators.names(), 0), most=6000)
    batches = panel.results(search.batches(), lambda: False)
    first = next((found for batch in batches for found in learned(search, batch, judge)), None)
    assert first is not None
    small = shrunk(first, panel, judge, lambda: False)
    assert isinstance(small.case.question, Encode)
    assert len(small.case.question.text.decode("utf-8", "surrogateescape")) <= 6
    assert small == shrunk(first, panel, judge, lambda: False)
