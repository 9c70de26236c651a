"""What fuzzing finds, and how short it gets: asserted on real faults, where the models for them are at hand."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.shared_models import SHARED_MODELS, needs_shared_models
from tokparity import models, quirks
from tokparity.fuzz.plan import Options
from tokparity.fuzz.run import fuzz
from tokparity.fuzz.search import Search, shrunk
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import ReportWriter
from tokparity.report.model import Header
from tokparity.session.in_process import InProcess
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.plan import Clock

NAI_T5 = SHARED_MODELS / "sentencepiece" / "nai-t5.model"
PLANTED = (
    "greedy_longest_match",
    "omits_space_prefix",
    "sums_scores_in_double",
    "drops_unknown_text",
    "never_parses_specials",
)


class Silent:
    """A Listener that says nothing."""

    def started(self, *args: Any) -> None: ...

    def advanced(self, *args: Any) -> None: ...

    def shrinking(self, *args: Any) -> None: ...


def header() -> Header:
    """A header as far as a report needs one."""
    return Header("test", "", {}, {}, 0, (), "")


@needs_shared_models
def test_the_dropped_combining_mark(tmp_path: Path) -> None:
    """Hugging Face drops a mark after a charsmap key: found in the first cases, shrunk to at most three code points."""
    model = models.resolve(str(NAI_T5))
    writer = ReportWriter(tmp_path / "report.jsonl", header())
    options = Options(engines=("tokenizers",), cases=3000)
    result = fuzz(model, options, writer, Silent(), Clock(time.monotonic() + 60))
    texts = [finding.smallest.case.text.decode("utf-8", "replace") for finding in result.findings]
    dropped = [
        finding
        for finding in result.findings
        if finding.engine == "tokenizers" and len(finding.smallest.actual.ids) < len(finding.smallest.expected.ids)  # type: ignore[union-attr]
    ]
    assert dropped, texts
    assert min(len(finding.smallest.case.text.decode()) for finding in dropped) <= 3


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
    from tokparity import generators

    search = Search(subject, judge, ["wrong"], Steering(subject, generators.names(), 0))
    found = next(((batch, seen[0]) for batch, seen in search.mismatches(panel, lambda: False, 6000) if seen), None)
    assert found is not None
    first = judge.mismatch(*found)
    small = shrunk(first, panel, judge, lambda: False)
    assert len(small.case.text.decode("utf-8", "surrogateescape")) <= 6
    assert small == shrunk(first, panel, judge, lambda: False)
