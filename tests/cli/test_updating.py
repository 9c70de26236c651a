"""The reasons that `check --update` writes: a wrong key of the file is a cause that the check itself has named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.case import Case, Origin, text_case
from tokparity.cli.updating import _change, entries_of, reason
from tokparity.difference import Aspect, Difference
from tokparity.finding import Finding, Mismatch
from tokparity.models import repository
from tokparity.models.rewrite import ListChange, rewritten
from tokparity.outcome import Encoding
from tokparity.questions import Spans, Stream
from tokparity.report.model import FileFault, Header, Pair, Report
from tokparity.session.acceptance import Acceptance

FAULT = FileFault("m", "m.gguf", "tokenizer.json", "tokenizer.ggml.pre", '"dbrx"', '"llama-bpe"')
WRONG = 'tokenizer.ggml.pre is "dbrx", should be "llama-bpe"'


def found(engine: str, *quirks: str) -> Finding:
    """A finding about one text."""
    case = text_case(b"a", False, False, Origin("given"))
    mismatch = Mismatch(case, "m", engine, "o", Encoding((1,)), Encoding((2,)), Difference("ids", 0), (), ())
    return Finding("f", "m", engine, "o", "verified", mismatch, 1, quirks=quirks)


def report() -> Report:
    """llama.cpp opened the wrong file, the reference what the oracle opened."""
    pairs = Pair("m", "llama.cpp", "o", compares_files=True), Pair("m", "reference", "o")
    return Report(Header("", "", {}, {}, 0, (), ""), pairs, faults=(FAULT,))


@pytest.mark.parametrize(
    ("quirks", "expected"),
    [
        (("source_differs",), f"the file says something else than the oracle's: {FAULT.key}: {FAULT.told}"),
        (("omits_bos",), "Adds no BOS or other first id"),
        ((), "unexplained: id-became-id"),
    ],
)
def test_a_reason_names_what_makes_the_finding(quirks: tuple[str, ...], expected: str) -> None:
    """The key where the file is the cause; a cause of the engine's own has nothing to do with it."""
    finding = replace(found("llama.cpp", *quirks), context=((FAULT.key, FAULT.told),))
    assert expected == reason(finding)


def test_one_wrong_key_is_one_entry() -> None:
    """What obeys the file is a finding of the key's, and has no entry beside it."""
    wrong = replace(found("llama.cpp", "source_differs"), wrong_keys=(("source_differs", WRONG),))
    own = replace(found("llama.cpp", "omits_bos"), name="own")
    change = _change(replace(report(), findings=(wrong, own)), "m")
    assert change is not None
    assert [("tokenizer.ggml.pre", ()), ("", ("omits_bos",))] == [(one.key, one.quirks) for one in change.added]


def test_the_empty_text_stands_for_itself() -> None:
    """It is in every other text, so it covers none of them."""
    entries = list(entries_of(*lettered("", "a", "ab")))
    assert ['""', '"a"'] == [entry.text for entry in entries]


def lettered(*texts: str) -> tuple[Finding, Report]:
    """A finding of which nothing is known, about these texts."""
    base = found("e")
    many = [replace(base.smallest, case=text_case(text.encode(), False, False)) for text in texts]
    members = {("m", "f"): tuple(range(len(many)))}
    return base, replace(report(), mismatches=tuple(many), members=members, pairs=(Pair("m", "e", "o"),))


@pytest.mark.parametrize(
    ("context", "expected"),
    [((("pieces", "3 differ"),), [('"a"', "pieces: 3 differ")]), ((), [('"Q"', ""), ('"a"', "")])],
)
def test_a_file_that_differs_is_accepted_with_what_differs(
    context: tuple[tuple[str, str], ...], expected: list[tuple[str, str]]
) -> None:
    """Where nobody can say in what, each text that contains no other is an entry."""
    finding, found_on = lettered("a", "Q", "aQ")
    entries = entries_of(replace(finding, quirks=("source_differs",), context=context), found_on)
    assert expected == [(entry.text, entry.told) for entry in entries]


def test_each_text_that_contains_no_other_is_an_entry() -> None:
    """A list says what is accepted, where nothing else says what belongs together."""
    entries = list(entries_of(*lettered("b a", "Q", "aQ", "R", "RQ")))
    assert [('"Q"', ""), ('"R"', ""), ('"b a"', "")] == [(entry.text, entry.told) for entry in entries]


def test_of_many_texts_their_kind_is_the_entry() -> None:
    """One entry then says how much it accepts."""
    (entry,) = entries_of(*lettered(*"abcdefghijklmn"))
    assert "id-became-id" == entry.told


@pytest.mark.parametrize(("question", "aspect"), [(Stream((1, 2)), "stream-prefix"), (Spans(b"a"), "spans-lost")])
def test_what_is_no_text_is_known_by_its_case(question: Stream | Spans, aspect: Aspect, tmp_path: Path) -> None:
    """A stream or spans have an entry that can be read again, about the case that was put and not a shorter one."""
    put = Origin("generator", "made", 7, shrunk=True)
    base = found("e")
    mismatch = replace(base.smallest, case=Case(question, put), difference=Difference(aspect))
    finding = replace(base, smallest=mismatch, status="unexplained")
    held = replace(report(), mismatches=(mismatch,), members={("m", "f"): (0,)})
    (entry,) = entries_of(finding, held)
    assert ("", aspect, ("made:0:7",)) == (entry.text, entry.kind, entry.origins)
    assert ((), (), "") == (entry.gives, entry.damage, entry.cases)  # the next run may ask for eleven times as many
    assert Acceptance("m", (entry,)).vanished(["e"]) == []
    file = tmp_path / "tokparity.toml"
    file.write_text('[models.m]\ntokenizer-json = "t.json"\n')
    file.write_text(rewritten(file.read_text(), {"m": ListChange((replace(entry, engine="llama.cpp"),), set())}))
    assert (replace(entry, engine="llama.cpp"),) == repository.read(file).accepted("m")


def test_what_is_accepted_without_a_cause_says_how_it_shows(tmp_path: Path) -> None:
    """So that another fault of the same text is not covered; it can be read again. A cause says enough by itself."""
    finding, held = lettered("Q", "aQ")
    (entry,) = entries_of(finding, replace(held, pairs=(Pair("m", "e", "o", cases=40),)))
    remark = "(no special tokens added): [2], not [1]"
    assert (f'"Q" {remark}', f'"aQ" {remark}') == entry.gives
    assert (("other ids",), "2 of 40") == (entry.damage, entry.cases)
    file = tmp_path / "tokparity.toml"
    file.write_text('[models.m]\ntokenizer-json = "t.json"\n')
    file.write_text(rewritten(file.read_text(), {"m": ListChange((replace(entry, engine="llama.cpp"),), set())}))
    assert (replace(entry, engine="llama.cpp"),) == repository.read(file).accepted("m")
    (caused,) = entries_of(replace(finding, quirks=("omits_bos",)), held)
    assert ((), (), "") == (caused.gives, caused.damage, caused.cases)
