"""bench faults: what changes nothing is told apart from what is not found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.planting import TOYS, planted
from benchmarks.recorded import Find, Recorded, Tried, answered
from tokparity.case import text_case
from tokparity.cli import main as command
from tokparity.quirks import get, toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.judge import REFERENCE, Judge

TOY = toys.spm("a b ab")
RIGHT = Tokenizer(TOY.vocabulary, TOY.behaviour)
JUDGE = Judge("toy", REFERENCE, TOY.vocabulary.pieces)


def recorded(*texts: bytes) -> Recorded:
    """One batch for each text."""
    return Recorded(answered(RIGHT, [[text_case(text)] for text in texts]))


def test_a_fault_is_found_at_its_first_text() -> None:
    """The count includes the text that shows it; the same recording serves another fault."""
    found = recorded(b"a", b"b", b"ab", b"abab")
    wrong = RIGHT.with_behaviour(get("ignores_scores").flip(TOY.behaviour))
    assert isinstance(found.find(RIGHT, JUDGE, "same", 5.0), Tried)
    bos = found.find(RIGHT.with_behaviour(get("omits_bos").flip(TOY.behaviour)), JUDGE, "omits", 5.0)
    assert isinstance(bos, Find)
    assert 1 == bos.cases
    tried = found.find(wrong, JUDGE, "wrong", 5.0, most=2)
    assert isinstance(tried, Tried)
    assert 2 == tried.cases


def test_what_cannot_change_anything_is_known_without_a_search() -> None:
    """The same behavior, a field that is not read, a vocabulary that is seen as it is."""
    quirks = [get(name) for name in ("ignores_byte_fallback", "looks_up_whole_words", "collapses_spaces")]
    inert = {each.quirk.name: each.inert for each in planted("small-spm", quirks)}
    assert "" == inert["collapses_spaces"]
    assert "not read" in inert["looks_up_whole_words"]


def test_toys_show_their_quirks() -> None:
    """A quirk is planted in the toy of its own witness."""
    (each,) = planted(TOYS, [get("collapses_spaces")])
    assert "" == each.inert
    assert each.quirk.flip(each.tokenizer.behaviour) != each.tokenizer.behaviour


def test_the_table_names_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    """One quirk, in its toy: found, shrunk, exit 0."""
    assert 0 == command(["bench", "faults", TOYS, "--quirk", "collapses_spaces", "--ours-only", "--jobs", "1"])
    out = capsys.readouterr().out
    assert "collapses_spaces" in out
    assert "found 1 of 1 planted faults" in out


def test_without_the_source_it_is_said_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wheel has no benchmarks: one line says where to get them, exit 2."""
    monkeypatch.setattr("tokparity.cli.bench.__file__", str(tmp_path / "tokparity" / "cli" / "bench.py"))
    assert 2 == command(["bench"])
    (line,) = capsys.readouterr().err.splitlines()
    assert "not part of the installed package; they are in the source: `pip download" in line


def test_the_benchmarks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its title."""
    assert 0 == command(["bench"])
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    known = "diagnosis faults fuzz packages reference report run streams sweep vectors verdicts"
    assert known.split() == names
