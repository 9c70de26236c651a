"""`bench vectors`: what a set of texts shows is counted for known and for unlisted faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import vector_runs, vectors
from tokparity import models
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.file import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokparity.questions import Question


@pytest.mark.nightly
def test_our_vectors_show_every_known_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small model the vectors show each fault that any set shows, and more than twenty typical strings do."""
    monkeypatch.setattr(vectors, "_TEXTS", 50)
    monkeypatch.setattr(vectors, "_unlisted", lambda path, right: _one(list(right)))
    subject = vectors.subject_of("small-spm", 50)
    rows = {row.name: row for row in vectors.rows(subject)}
    ours, typical = rows["these vectors"], rows["20 typical strings"]
    assert ours.known == ours.of_known > typical.known > 0
    assert (1, 1) == (ours.unlisted, ours.of_unlisted)
    assert [] == list(ours.missed)
    assert ([], ours.known) == vector_runs.misnamed(subject.vectors, subject.answers)


def test_right_engines_fail_on_known_deviations_alone() -> None:
    """Each engine that is taken to be right fails where its list of deviations says, and nowhere else."""
    model = models.load("small-spm")
    source = models.primary_source(model)
    stored = read(vectors.ROOT / "vectors" / "small-spm.vectors.json")
    runs = list(vector_runs.right_engines(model, stored, Tokenizer(source.vocabulary, source.behaviour)))
    assert {"llama.cpp", "sentencepiece", "tokenizers"} == {run.engine for run in runs}
    assert [] == [run.engine for run in runs if run.unexplained]
    assert {"llama.cpp", "tokenizers"} == {run.engine for run in runs if run.failed}


def _one(questions: Sequence[Question]) -> list[tuple[str, set[Question]]]:
    return [("a fault that all show", set(questions)), ("a fault that none shows", set())]
