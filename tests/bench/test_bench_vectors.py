"""`bench vectors`: what a set of texts shows is counted for known and for unlisted faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokparity.questions import Question


def test_our_vectors_show_every_known_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small model the vectors show each fault that any set shows, and more than twenty typical strings do."""
    monkeypatch.setattr(vectors, "_TEXTS", 50)
    monkeypatch.setattr(vectors, "_unlisted", lambda path, right, questions: _one(questions))
    rows = {row.name: row for row in vectors.rows("small-spm", 50)}
    ours, typical = rows["these vectors"], rows["20 typical strings"]
    assert ours.known == ours.of_known > typical.known > 0
    assert (1, 1) == (ours.unlisted, ours.of_unlisted)


def _one(questions: Sequence[Question]) -> list[tuple[str, set[Question]]]:
    return [("a fault that all show", set(questions)), ("a fault that none shows", set())]
