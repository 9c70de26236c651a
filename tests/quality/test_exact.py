"""The reference equals each model's oracle on random texts.

A few thousand for each model; TOKPARITY_QUALITY=long takes more, and a number takes so many. A full-size run of one
model is `TOKPARITY_QUALITY=1000000 pytest tests/quality/test_exact.py -k gpt-2`; with a report, it is
`tokparity fuzz gpt-2 --engine reference --cases 1000000`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tokparity import models
from tokparity.fuzz.run import Options, fuzz
from tokparity.report.file import ReportWriter
from tokparity.report.model import Header
from tokparity.session.events import Event

ASKED = os.environ.get("TOKPARITY_QUALITY", "")
CASES = {"": 2_000, "long": 20_000}.get(ASKED) or int(ASKED)
FEW = [name for name in models.names() if models.load(name).embedded]


def silent(event: Event) -> None:
    """A listener that says nothing."""


@pytest.mark.parametrize("name", nightly_but(["small-unigram"], models.names() if ASKED else FEW))
def test_reference_equals_oracle(name: str, tmp_path: Path) -> None:
    """No difference that is not an accepted finding of the model, whatever the flags and the generator."""
    if models.load(name).missing:
        pytest.skip(f"{name} has not been pulled")
    writer = ReportWriter(tmp_path / "report.jsonl", Header("test", "", {}, {}, 0, (), ""))
    result = fuzz(models.load(name), Options(engines=("reference",), cases=CASES), writer, silent)
    assert [] == [(finding.name, finding.smallest.case.question.literal) for finding in result.new]
    assert {""} == {pair.unavailable for pair in result.pairs}
    assert all(CASES <= pair.cases for pair in result.pairs)
