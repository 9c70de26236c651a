"""A named pipe in the place of a file is refused: opening it would wait for ever for somebody who writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tokparity.cli import exit_codes, main


@pytest.mark.parametrize(
    "words",
    [
        ["run", "small-spm", "--engine", "reference", "--corpus", "pipe"],
        ["run", "small-spm", "--engine", "reference", "--corpus", "folder", "--cases", "0"],
        ["diagnose", "pipe", "small-spm"],
        ["render", "pipe", "--to", "html", "-o", "x.html"],
        ["explain", "pipe", "text"],
    ],
    ids=lambda words: words[0],
)
def test_a_pipe_is_not_waited_for(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says so."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("folder").mkdir()
    os.mkfifo("folder/texts.txt")
    assert exit_codes.USAGE == main(words)
    assert "is not a regular file" in capsys.readouterr().err
