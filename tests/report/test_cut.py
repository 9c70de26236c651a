"""Answers that are too long for a report: it holds their beginning, their length and their hash, and says so."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.case import Origin, text_case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Decoding, Encoding, Whole
from tokparity.report import render
from tokparity.report.cut import MOST_BYTES, MOST_IDS, cut
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Footer, Header, Pair

MANY = 300_000
HEADER = Header("1", "15", {"e": "1"}, {"m": {"f": "00"}}, 0, ("tokparity",), "now")
PAIR = Pair("m", "e", "o", "1", "f", cases=1, mismatches=1, kinds={"letter-became-letter": 1})


def mismatch(place: int = 0, many: int = MANY) -> Mismatch:
    """An engine that gives very many ids where one more than the equal ones is right."""
    same = (9,) * place
    expected, actual = Encoding((*same, 5), b"a"), Encoding((*same, *(7,) * (many - place)), b"b" * many)
    pieces = (b"x",) * (place + 1), (b"y",) * many
    case = text_case(b"a", origin=Origin("corpus", "t.txt", 1))
    return Mismatch(case, "m", "e", "o", expected, actual, Difference("ids", place), *pieces)


@pytest.mark.parametrize("name", ["html", "csv", "markdown", "junit", "sarif", "issue"])
def test_a_long_answer_is_cut_and_told_of(name: str, tmp_path: Path) -> None:
    """Many ids take less than a megabyte, and every format says how many there were."""
    path = tmp_path / "report.jsonl"
    writer = ReportWriter(path, HEADER)
    writer.finding(Finding("e-x", "m", "e", "o", "unexplained", mismatch(), 1), [writer.mismatch(mismatch())])
    writer.pair(PAIR)
    writer.close(Footer("complete", 1.0))
    assert 500_000 > max(map(len, path.read_bytes().splitlines()))
    report = read(path)
    (stored,) = report.mismatches
    assert stored == report.findings[0].smallest == cut(mismatch())
    assert isinstance(stored.actual, Encoding)
    assert MANY == stored.actual.length
    assert mismatch().kind == stored.kind
    render.render(name, report, out := tmp_path / "rendered" if name == "csv" else tmp_path / f"r.{name}")
    texts = [file.read_text(encoding="utf-8") for file in (out.iterdir() if out.is_dir() else [out])]
    assert 1_500_000 > max(map(len, texts))
    if name not in ("junit", "sarif"):
        assert any(str(MANY) in text for text in texts)


def test_what_is_kept_of_a_long_answer() -> None:
    """Its beginning; length and SHA-256 are those of the whole."""
    actual = cut(mismatch()).actual
    assert isinstance(actual, Encoding)
    assert (7,) * MOST_IDS == actual.ids
    assert Whole(MANY, hashlib.sha256(b" ".join([b"7"] * MANY)).hexdigest()) == actual.whole_ids
    assert b"b" * MOST_BYTES == actual.decoded
    assert Whole(MANY, hashlib.sha256(b"b" * MANY).hexdigest()) == actual.whole_decoded


def test_the_first_difference_is_never_cut_off() -> None:
    """However late it comes; so a kind of mismatch stays what it was."""
    late = mismatch(place=50_000, many=60_000)
    stored = cut(late)
    assert isinstance(stored.actual, Encoding)
    assert (51_000, 60_000) == (len(stored.actual.ids), stored.actual.length)
    assert stored.expected == late.expected
    assert late.kind == stored.kind
    text = b"a" * 300_000
    row = replace(late, expected=Decoding(text + b"x"), actual=Decoding(text + b"y" * 5000))
    stored = cut(replace(row, difference=Difference("decode", 300_000)))
    assert isinstance(stored.actual, Decoding)
    assert (301_000, Decoding(text + b"x")) == (len(stored.actual.decoded), stored.expected)


def test_what_is_short_stays_as_it_is() -> None:
    """The very object."""
    short = mismatch(many=100)
    assert cut(short) is short
