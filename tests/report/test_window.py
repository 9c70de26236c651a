"""A long answer is shown around its first difference, in every document that is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.case import text_case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.report import render
from tokparity.report.model import Report
from tokparity.report.render.window import answers, bytes_around

LONG = 200
AT = 150


def of_ids(expected: tuple[int, ...], actual: tuple[int, ...], place: int) -> Mismatch:
    """A mismatch of ids whose pieces are their own numbers."""
    pieces = [tuple(str(i).encode() for i in ids) for ids in (expected, actual)]
    case, difference = text_case(b"a"), Difference("ids", place)
    return Mismatch(case, "m", "mine", "theirs", Encoding(expected), Encoding(actual), difference, *pieces)


def of_decoding(expected: bytes, actual: bytes, place: int) -> Mismatch:
    """A mismatch of the text that the same ids decode to."""
    found = of_ids((1, 2), (1, 2), 0)
    return replace(
        found,
        difference=Difference("decode", place),
        expected=Encoding((1, 2), expected),
        actual=Encoding((1, 2), actual),
    )


def test_the_first_difference_is_seen() -> None:
    """Not the 40 equal ids that a long row begins with."""
    other = (*range(AT), 999, *range(AT + 1, LONG))
    expected, actual = answers(of_ids(tuple(range(LONG)), other, AT), 40, 400)
    assert expected[0].startswith("... from the id 146 on: [146, 147, 148, 149, 150, ")
    assert actual[0].startswith("... from the id 146 on: [146, 147, 148, 149, 999, ")
    assert expected[0].endswith("] ... (200 ids)")
    assert actual[1].startswith('["146", "147", "148", "149", "999", ')


def test_a_short_answer_is_whole() -> None:
    """Where both fit, nothing is left out, wherever they differ."""
    expected, actual = answers(of_ids((1, 2, 3), (1, 2), 2), 40, 400)
    assert ["[1, 2, 3] (3 ids)", '["1", "2", "3"]'] == expected
    assert ["[1, 2] (2 ids)", '["1", "2"]'] == actual


def test_what_was_decoded_is_shown_where_it_differs() -> None:
    """The ids are equal, so they alone would show nothing."""
    expected, actual = answers(of_decoding(b"ab" * LONG + b" ?", b"ab" * LONG + b"?", 2 * LONG), 40, 60)
    assert [expected[0], actual[0]] == ["[1, 2] (2 ids)"] * 2
    assert expected[-1].startswith("decodes to ... from the byte 360 on: ")
    assert expected[-1].endswith('ab ?"')
    assert actual[-1].endswith('ab?"')


@pytest.mark.parametrize("place", range(40, 60))
def test_no_character_is_cut(place: int) -> None:
    """The window begins at a character, never inside one."""
    assert "base64" not in bytes_around("世".encode() * 50, place, 60)


@pytest.mark.parametrize("name", ["markdown", "issue", "text"])
def test_every_document_shows_it(report: Report, tmp_path: Path, name: str) -> None:
    """Whoever writes an answer on a line."""
    other = (*range(AT), 999, *range(AT + 1, LONG))
    mismatch = of_ids(tuple(range(LONG)), other, AT)
    only = replace(report.findings[0], smallest=mismatch, quirks=(), character=(), nearest="")
    shown = written(name, replace(report, findings=(only,)), only, tmp_path)
    assert "999" in shown


def written(name: str, report: Report, only: Finding, folder: Path) -> str:
    """What a document says of a report with one finding."""
    only = replace(only, model=report.pairs[0].model, engine=report.pairs[0].engine)
    render.render(name, replace(report, findings=(only,)), folder / "out")
    return (folder / "out").read_text(encoding="utf-8")
