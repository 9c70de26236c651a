"""Lines of texts: as they are, and none that no engine could answer in bounded time."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.errors import FormatError
from tokparity.sources import lines
from tokparity.sources.lines import LONGEST, numbered


class _Endless(io.RawIOBase):
    """A file that is one line without an end."""

    given = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """More of the same."""
        buffer[:] = b"x" * len(buffer)
        self.given += len(buffer)
        return len(buffer)


def test_lines_are_numbered_and_end_with_a_newline_only() -> None:
    """A carriage return belongs to the text, and the last line needs no end."""
    assert [(1, b"a\r"), (2, b""), (3, b"b\x0bc")] == list(numbered(io.BytesIO(b"a\r\n\nb\x0bc"), "f"))


def test_a_line_of_the_longest_length_is_read() -> None:
    """The bound is on the line without what ends it."""
    assert [(1, b"x" * LONGEST), (2, b"y")] == list(numbered(io.BytesIO(b"x" * LONGEST + b"\ny"), "f"))


def test_of_a_longer_line_no_more_is_read() -> None:
    """The error says which line it is and what to do, however long it would go on."""
    file = _Endless()
    with pytest.raises(FormatError, match=r"f line 1 is longer than 16,777,216 bytes.*split it"):
        list(numbered(io.BufferedReader(file), "f"))
    assert file.given < 2 * LONGEST


@pytest.mark.parametrize("words", [["encode", "small-bpe", "-"], ["encode", "small-bpe", "--lines"]])
def test_a_long_line_of_standard_input_is_told(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2 and one line, whether lines are texts or JSON."""
    monkeypatch.setattr(lines, "LONGEST", 100)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'"' + b"x" * 200 + b'"\n')))
    assert 2 == main(words)
    assert "standard input line 1 is longer than 100 bytes" in capsys.readouterr().err


def test_a_long_line_of_a_corpus_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, and the file is named; the lines before it were read."""
    monkeypatch.setattr(lines, "LONGEST", 100)
    path = tmp_path / "c.txt"
    path.write_bytes(b"short\n" + b"x" * 200)
    words = ["--engine", "reference", "--corpus", str(path), "--cases", "0", "--out", str(tmp_path / "out")]
    assert 2 == main(["run", "small-bpe", *words])
    assert f"{path} line 2 is longer than 100 bytes" in capsys.readouterr().err
