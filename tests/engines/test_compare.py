"""What changed between two engines, or two reports: new, gone, changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tokparity.cli import main

pytestmark = pytest.mark.usefixtures("few_texts")

Said = tuple[int, list[str], str]


def _compare(capsys: pytest.CaptureFixture[str], *argv: str) -> Said:
    code = main(["compare", *argv])
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.txt").write_text("a  b\nnaïve café\nplain words\n", encoding="utf-8")


FEW = ("--corpus", "t.txt", "--cases", "40", "--out", "out")


@pytest.mark.parametrize(
    ("old", "new", "fate"),
    [
        ("reference", "reference+omits_bos", "new"),
        ("reference+omits_bos", "reference", "gone"),
        ("reference+omits_bos", "reference+doubles_bos", "changed"),
    ],
)
def test_two_engines(old: str, new: str, fate: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the older one was right it is new, where the newer one is it is gone, else changed."""
    code, lines, _ = _compare(capsys, old, new, "small-spm", *FEW)
    assert 1 == code
    assert lines[-1].startswith(f"{old} -> {new}: ")
    told = [line for line in lines if line.startswith(f"{fate:8}small-spm: ")]
    assert told, lines
    if fate != "changed":
        assert "omits_bos (verified, " in told[0]
        at = lines.index(told[0])
        with_bos, without = (old, new) if fate == "new" else (new, old)
        shown = dict(line.strip().split(": ", 1) for line in lines[at + 1 : at + 3])
        assert shown[with_bos].startswith("[1")
        assert not shown[without].startswith("[1, ")
        assert f"        {without}: Adds no BOS or other first id" == lines[at + 3]
        counts = {"new": 0, "gone": 0, "changed": 0, fate: len(told)}
        assert lines[-1].endswith(", ".join(f"{count} {name}" for name, count in counts.items()))
    assert [line for line in lines if line.startswith("small-spm: ") and " compared, " in line]


def test_two_engines_that_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is told, and the exit is 0."""
    code, lines, _ = _compare(capsys, "tokenizers", "tokenizers[fast=false]", "small-bpe", *FEW)
    assert 0 == code, lines
    assert "tokenizers -> tokenizers[fast=false]: 0 new, 0 gone, 0 changed" == lines[-1]


def test_what_was_not_recorded_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """The probe set is in each recording; of a text that is not, nobody says that it is equal."""
    Path("u.txt").write_text("nobody recorded this\n", encoding="utf-8")
    only = ("--cases", "0", "--corpus")
    assert 0 == main(["record", "reference", "small-wordpiece", *only, "t.txt", "-o", "old.parquet"])
    words = ("small-wordpiece", *only, "u.txt", "--out", "out")
    code, lines, error = _compare(capsys, "replay:old.parquet", "reference+omits_bos", *words)
    assert 1 == code
    assert "  1 case is not in 'old.parquet', so it is unknown whether it changed" in lines
    assert "no verdict: not all of it was recorded" in error


def _run(out: str, engine: str, model: str = "small-spm", called: str = "", more: Sequence[str] = ()) -> Path:
    """The folder of a report; the engine that ran is `called` so in it."""
    main(["run", model, "--engine", engine, *more, "--corpus", "t.txt", "--cases", "40", "--out", out])
    path = Path(out) / "report.jsonl"
    path.write_text(path.read_text("utf-8").replace(engine, called or engine), "utf-8")
    return Path(out)


def test_two_reports(capsys: pytest.CaptureFixture[str]) -> None:
    """What only one of them tells of, by file or by folder; what the other one gave for its text is not known."""
    _run("one", "reference+omits_bos", called="reference+mine")
    _run("two", "reference+greedy_longest_match", called="reference+mine")
    capsys.readouterr()
    code, lines, _ = _compare(capsys, "one", "two/report.jsonl")
    assert 1 == code
    for fate, cause, silent in (
        ("new", "greedy_longest_match", "one"),
        ("gone", "omits_bos", "two/report.jsonl"),
    ):
        at = next(i for i, line in enumerate(lines) if line.startswith(f"{fate:8}small-spm: {cause}"))
        assert f"        {silent}: nothing of it is in this report" in lines[at + 1 : at + 3]
    assert (0, ["one -> one: 0 new, 0 gone, 0 changed"], "") == _compare(capsys, "one", "one")


@pytest.mark.nightly
def test_a_report_is_not_taken_for_the_answers_that_it_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    """Of other models, of fewer engines, with no case at all, cut off: what is said, and what the exit code is."""
    one = _run("one", "reference+omits_bos")
    _run("other", "reference+omits_bos", "small-bpe")
    lines = (one / "report.jsonl").read_bytes().splitlines(keepends=True)
    empty, cut = Path("empty.jsonl"), Path("cut.jsonl")
    empty.write_bytes(lines[0] + lines[-1])
    cut.write_bytes(b"".join(line for line in lines[:-1] if not line.startswith(b'{"type": "finding"')))
    capsys.readouterr()
    for new in ("other", str(empty)):
        code, told, error = _compare(capsys, "one", new)
        assert (3, []) == (code, told)
        assert f"nothing was compared: 'one' and {new!r} have no pair of model and engine in common" in error
    assert 3 == _compare(capsys, str(empty), str(empty))[0]
    code, told, error = _compare(capsys, "one", str(cut))
    assert (3, ["one -> cut.jsonl: 0 new, 0 gone, 0 changed"]) == (code, told)
    assert "cut.jsonl ended early, so nothing that it does not tell of is taken for gone" in error
    _run("two", "reference+omits_bos", more=["--engine", "reference+doubles_bos"])
    capsys.readouterr()
    for old, new in (("one", "two"), ("two", "one")):
        code, told, error = _compare(capsys, old, new)
        assert (3, [f"{old} -> {new}: 0 new, 0 gone, 0 changed"]) == (code, told)
        assert "one has no answers of reference+doubles_bos on small-spm, so nothing is known of that" in error


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (("tokenizers",), 2, "name two engines, or two reports"),
        (("tokenizers", "tokenizers", "small-bpe"), 2, "is named twice"),
        (("tokenizers", "tokenizrs@1", "small-bpe"), 2, "did you mean 'tokenizers'"),
        (("tokenizers", "tokenizers@/nowhere/python", "small-bpe"), 3, "'/nowhere/python' is not a program"),
    ],
)
def test_what_cannot_be_compared(argv: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, before anything is run."""
    found, _, error = _compare(capsys, *argv)
    assert code == found
    assert words in error
    assert 1 == error.count("\n")


@pytest.mark.nightly
def test_a_model_that_one_of_two_refuses_costs_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    """That the older one refuses a model which the newer one opens is a change; the other model's result is shown."""
    few = ("--cases", "0", "--corpus", "t.txt", "--out", "out")
    code, lines, _ = _compare(
        capsys, "fake_engines:RefusesSpm", "fake_engines:AlsoRight", "small-spm", "mistral-v1", *few
    )
    assert 1 == code
    gone = "gone    small-spm: fake_engines:RefusesSpm refuses this model, fake_engines:AlsoRight opens it: "
    assert [line for line in lines if line.startswith(gone)]
    assert [line for line in lines if line.startswith("mistral-v1: ") and line.endswith("all are equal")]
    assert lines[-1].endswith(": 0 new, 1 gone, 0 changed")


def test_what_was_left_out_is_said_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each engine that was not asked a question: how many, and why."""
    few = ("--cases", "0", "--corpus", "t.txt", "--out", "out")
    code, lines, _ = _compare(capsys, "fake_engines:Utf8Only", "fake_engines:Right", "small-spm", *few)
    assert 0 == code
    told = [line for line in lines if "takes only text that is UTF-8" in line]
    assert told
    assert told[0].startswith("  ")
    assert " cases were not run on fake_engines:Utf8Only: " in told[0]


def test_what_one_engine_always_parses_is_asked_so_of_both(capsys: pytest.CaptureFixture[str]) -> None:
    """A text that spells an added token is put parsed to both, where one of the two knows no other way."""
    Path("s.txt").write_text("never <s> before\n", encoding="utf-8")
    words = ("small-spm", "--cases", "0", "--corpus", "s.txt", "--out", "out")
    code, lines, _ = _compare(capsys, "fake_engines:AlwaysParses", "fake_engines:ParsesOtherwise", *words)
    assert 1 == code
    assert [line for line in lines if "always recognizes special tokens, and the text contains one" in line]


@pytest.mark.parametrize(
    ("old", "new", "fate"),
    [
        ("tokenizers", "tokenizers[fast=false]", ""),
        ("reference", "reference+gives_added_space_a_character", "new"),
        ("reference+gives_added_space_a_character", "reference", "gone"),
        ("reference+omits_bos", "reference+gives_added_space_a_character", "new"),
    ],
)
def test_what_is_judged_by_laws_changes_where_one_alone_breaks_them(
    old: str, new: str, fate: str, capsys: pytest.CaptureFixture[str], few_beside_texts: None
) -> None:
    """Both may break a law alike: the spans that each gave are shown, never those that would be right."""
    code, lines, _ = _compare(capsys, old, new, "small-spm", "--ask", "spans", *FEW)
    told = [line for line in lines if line.startswith(("new ", "gone ", "changed "))]
    assert ([fate] if fate else []) == [line.split()[0] for line in told], lines
    assert bool(fate) == code
    assert [line for line in lines if "cases compared, no difference was found" in line]
    if fate:
        at = lines.index(told[0])
        given = dict(line.strip().split(": ", 1) for line in lines[at + 1 : at + 3])
        assert given[old] != given[new]


def test_streams_that_only_one_has_are_no_change(capsys: pytest.CaptureFixture[str], few_beside_texts: None) -> None:
    """The older one cannot be asked, so nothing is new."""
    words = ("small-bpe", "--ask", "stream", *FEW)
    code, lines, error = _compare(capsys, "fakes:Bytes", "reference+streams_each_id_alone", *words)
    assert 3 == code
    assert lines[-1].endswith(": 0 new, 0 gone, 0 changed")
    assert "there is no question that both could be asked" in error
