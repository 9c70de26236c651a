"""Why one text differs, where the engine has another fault as well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest
from unlisted_faults import Faithful

from tokparity.cli import main
from tokparity.outcome import Failure
from tokparity.quirks import get
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import read


class TwoFaults(Faithful):
    """Puts no space before the text, and gives another id for one in a hundred, which no catalogue has."""

    NAME = "test_why:TwoFaults"

    def opened(self) -> None:
        """The model without its prefix."""
        behaviour = replace(self.tokenizer.behaviour, space_prefix="never")
        self.tokenizer = Tokenizer(self.tokenizer.vocabulary, behaviour)

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Some ids are the next one."""
        return [i + (i % 101 == 0) for i in self.right(text, add, parse)]


def test_the_cause_of_a_text_is_named_though_the_engine_has_another_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """By itself the text has too little to tell both apart: other texts are put as well."""
    assert 1 == main(["diff", "small-spm", "Dear Sir", "--no-special", "--why", "--engine", "test_why:TwoFaults"])
    out = capsys.readouterr().out
    assert "Why test_why:TwoFaults differs: omits_space_prefix (in part)" in out
    assert "\n  in part: on similar texts the engine answers otherwise" in out


class Greedy(Faithful):
    """Gives wrong ids for one text, as a greedy tokenizer would, and the right ones for all others."""

    NAME = "test_why:Greedy"

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """A known fault on the text that is asked about, and on none beside it."""
        greedy = get("greedy_longest_match").flip(self.tokenizer.behaviour)
        if text == b"internationalization":
            return Tokenizer(self.tokenizer.vocabulary, greedy).encode(text, add, parse)
        return self.right(text, add, parse)


@pytest.mark.nightly
def test_a_cause_that_would_spoil_right_answers_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither as a part: it is an advice that leads astray."""
    words = ["diff", "small-bpe", "internationalization", "--no-special", "--why", "--engine", "test_why:Greedy"]
    assert 1 == main(words)
    assert "greedy_longest_match" not in capsys.readouterr().out


class OneKnownAmongMany(Faithful):
    """Leaves the space prefix out of one text, and gives every other text ids that nothing predicts."""

    NAME = "test_why:OneKnownAmongMany"

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """A known fault on the text that is asked about alone."""
        if text == b"Dear Sir":
            behaviour = replace(self.tokenizer.behaviour, space_prefix="never")
            return Tokenizer(self.tokenizer.vocabulary, behaviour).encode(text, add, parse)
        return [300 + crc32(text[:i]) % 500 for i, _ in enumerate(self.right(text, add, parse))]


@pytest.mark.nightly
def test_a_cause_of_the_text_alone_is_told_in_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`diff --why` is never poorer than `diagnose` on the same ids, though nothing explains the other texts."""
    for name, little in {"_GENERATED": 20, "_CORPORA": (), "_SECONDS": 1.0}.items():
        monkeypatch.setattr(f"tokparity.session.why.{name}", little)
    words = ["diff", "small-spm", "Dear Sir", "--no-special", "--why", "--engine", "test_why:OneKnownAmongMany"]
    assert 1 == main(words)
    out = capsys.readouterr().out
    assert "Why test_why:OneKnownAmongMany differs: omits_space_prefix (in part)" in out


def test_what_no_catalogue_has_is_told_by_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Sentences, as a run has them."""
    assert 1 == main(
        ["diff", "small-bpe", "a ==== b", "--no-special", "--why", "--engine", "unlisted_faults:SkipsHeadings"]
    )
    out = capsys.readouterr().out
    assert "differs: no known cause explains it, but a rule predicts its answers\n" in out
    assert "the model without the merges whose left half is U+003D (EQUALS SIGN)" in out


class TwoErrors(Faithful):
    """Refuses the empty text, and for another reason whatever has a small x."""

    NAME = "test_why:TwoErrors"

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Two errors in the engine's own words."""
        if b"x" in text:
            raise RuntimeError("bad letter in the text")
        if not text:
            raise ValueError("nothing to encode")
        return self.right(text, add, parse)


def test_of_several_errors_the_usual_one_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And made smaller as that error, though a smaller text has another one."""
    (tmp_path / "t.txt").write_text("\n\nwords with x in them\nmore x\nand so x on\nplain\n")
    words = ["--corpus", str(tmp_path / "t.txt"), "--cases", "300", "--out", str(tmp_path / "out")]
    main(["run", "small-bpe", "--engine", "test_why:TwoErrors", *words])
    (finding,) = [one for one in read(tmp_path / "out" / "report.jsonl").findings if one.name.endswith("failure-error")]
    assert isinstance(finding.smallest.actual, Failure)
    assert "bad letter" in finding.smallest.actual.message
    assert b"x" == finding.smallest.case.question.shown


def test_the_answers_come_before_the_cause_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody waits a minute for what is known at once, and the wait has a reason."""
    printed: list[tuple[str, str]] = []

    def watched(*_: object) -> list[object]:
        printed.append(tuple(capsys.readouterr()))
        return []

    monkeypatch.setattr("tokparity.session.why.why", watched)
    assert 1 == main(["diff", "small-bpe", "--engine", "reference+greedy_longest_match", "--why", "tokenization"])
    ((out, err),) = printed
    assert "! reference+greedy_longest_match" in out
    assert "looking for the cause: other texts are put to reference+greedy_longest_match" in err
