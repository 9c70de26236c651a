"""bench diagnosis --leave-one-out: what is verified where no true quirk is in the catalogue fails."""

from __future__ import annotations

import pytest

from benchmarks.leave_one_out import FALSE, LeftOut, code, summary, told
from benchmarks.subjects import Planting
from tokparity import models, quirks
from tokparity.cli import main as command
from tokparity.diagnose.faulty_engine import FaultyEngine
from tokparity.reference.tokenizer import Tokenizer


def row(verdict: str, refuted_by: str = "") -> LeftOut:
    """One quirk that was left out."""
    return LeftOut("toy", "lowers_case", 1, verdict, "verified: lowers_whole_text (3)", refuted_by, 0.1)


def test_one_that_is_falsely_verified_fails() -> None:
    """However many others are right; and of those that are explained nearly all must be equal."""
    right = [row("equal")] * 39
    assert [0, 1, 0, 1] == [
        code(rows)
        for rows in (right, [*right, row(FALSE)], [*right, row("false, not verified")], [row("false, not verified")])
    ]
    assert "toy: 2 left out (1 equal, 1 unexplained); of 1 explained 1 equal" == summary(
        "toy", [row("equal"), row("unexplained")]
    )
    assert 'but not on "x"' in told(row(FALSE, '"x"'))


def test_the_quirk_and_its_equals_are_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    """Then nothing explains it, and the exit is 0."""
    words = ["bench", "diagnosis", "--leave-one-out", "small-spm", "--quirk", "aborts_beyond_unicode"]
    assert 0 == command(words)
    assert "without aborts_beyond_unicode unexplained" in capsys.readouterr().out


def test_a_fault_is_planted_in_what_is_chosen() -> None:
    """The engine with it gives other ids, and fresh texts are kept back."""
    source = models.primary_source(models.load("small-spm"))
    chosen = [quirks.get("omits_bos")]
    planting = Planting("small-spm", Tokenizer(source.vocabulary, source.behaviour), chosen, fresh=10)
    engine = planting.faulty(chosen)
    assert isinstance(engine, FaultyEngine)
    wrong, _ = planting.evidence(engine, 5, 0)
    assert (5, 10) == (len(wrong), len(planting.fresh))
