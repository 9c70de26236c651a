"""Quality of the diagnosis: nearly everything that is planted is named, and nothing is named wrongly."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.diagnosis import GOOD, TOYS, _Subject, _subjects
from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.reference.tokenizer import Tokenizer

ARGUMENTS = argparse.Namespace(pairs=2, seed=0, stored=False, part=(1, 1))
EVERY = 12
"""Of the quirks every twelfth is planted in each model; `tokparity bench diagnosis` plants them all."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["small-spm", "small-unigram", "small-bpe", "small-wordpiece"])
def test_planted_in_models(name: str) -> None:
    """Each is named, or something that comes to the same; pairs may be missed, but not misnamed."""
    source = models.primary_source(models.load(name))
    chosen = quirks.all_quirks()[::EVERY]
    rows = list(_Subject(name, Tokenizer(source.vocabulary, source.behaviour), chosen).rows(ARGUMENTS))
    assert [] == [row for row in rows if len(row.planted) == 1 and row.verdict not in GOOD]
    assert [] == [row for row in rows if row.verdict == "wrong"]
    assert 5 <= len(rows)


@pytest.mark.nightly
@pytest.mark.parametrize("every", nightly_but([5 * EVERY], [EVERY, 5 * EVERY]))
def test_planted_in_toys(every: int) -> None:
    """On the toy on which a quirk is shown it is named as well."""
    rows = [row for subject in _subjects(TOYS, quirks.all_quirks()[::every]) for row in subject.rows(ARGUMENTS)]
    assert [] == [row for row in rows if row.verdict not in GOOD]
    assert len(quirks.all_quirks()) // every <= len(rows)
