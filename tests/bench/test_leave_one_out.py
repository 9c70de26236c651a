"""bench diagnosis --leave-one-out: what is verified where no true quirk is in the catalogue fails."""

from __future__ import annotations

import pytest

from benchmarks.faulty_engine import FaultyEngine
from benchmarks.leave_one_out import FALSE, LeftOut, code, judged, summary, told
from benchmarks.subjects import Planting
from tokparity import models, quirks
from tokparity.case import text_case
from tokparity.cli import main as command
from tokparity.diagnose import Explanation
from tokparity.quirks import toys
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


@pytest.mark.weekly
def test_a_special_token_in_the_other_case_tells_the_text_from_what_is_normalised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What changes a text before special tokens are found in it is not taken for what changes it behind them."""
    code = command(["bench", "diagnosis", "--leave-one-out", "toys", "--quirk", "lowers_case"])
    assert (0, False) == (code, "verified" in capsys.readouterr().out)


def test_a_fault_is_planted_in_what_is_chosen() -> None:
    """The engine with it gives other ids, and fresh texts are kept back."""
    source = models.primary_source(models.load("small-spm"))
    chosen = [quirks.get("omits_bos")]
    planting = Planting("small-spm", Tokenizer(source.vocabulary, source.behaviour), chosen, fresh=10)
    engine = planting.faulty(chosen)
    assert isinstance(engine, FaultyEngine)
    wrong, _ = planting.evidence(engine, 5, 0)
    assert (5, 10) == (len(wrong), len(planting.fresh))


def test_an_id_beyond_the_vocabulary_has_no_piece() -> None:
    """A planted fault may give such ids; the benchmark goes on."""
    right, wrong = (Tokenizer(toy.vocabulary, toy.behaviour) for toy in (toys.spm("▁ a"), toys.spm("▁ b c d a")))
    (found,), _ = FaultyEngine(right, wrong, "toy").evidence([text_case(b"a")], 1, 0)
    assert b"" in found.actual_pieces


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("strips_one_decoded_space", "verified in part, true"), ("keeps_decoded_prefix", FALSE)],
)
def test_what_is_said_of_decoding_is_held_against_what_the_same_ids_decode_to(said: str, verdict: str) -> None:
    """Extra spaces are kept, which nothing explains; how they are decoded is what was found, and it is so or not."""
    source = models.primary_source(models.load("small-unigram"))
    planting = Planting("small-unigram", Tokenizer(source.vocabulary, source.behaviour), quirks.all_quirks(), fresh=10)
    engine = planting.faulty([quirks.get("keeps_extra_spaces")])
    found = [Explanation("ids", "unexplained", (0,)), Explanation("decode", "verified", (1,), (said,))]
    texts = [text_case(text.encode()) for text in (" \u2581b", "  b", "\u2581", "b")]
    assert verdict == judged(planting, engine, found, texts)[0]
