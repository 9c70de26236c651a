"""What stands where a run is to write: of an earlier run it goes first, of others it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity.cli import main


def test_nothing_of_an_earlier_run_speaks_for_one_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages, JUnit and SARIF are gone when the next run begins; what others wrote stays, and is told."""
    words = ["check", "small-bpe", "--quick", "--engine", "reference"]
    out, sarif = tmp_path / "o", tmp_path / "s.json"
    files = ["--out", str(out), "--junit", str(out / "j.xml"), "--sarif", str(sarif)]
    assert 0 == main([*words, *files])
    assert {"index.html", "report.md", "j.xml"} <= {path.name for path in out.iterdir()}

    def killed(*_: object, **__: object) -> None:
        raise SystemExit(137)

    monkeypatch.setattr("tokparity.session.run.run", killed)
    with pytest.raises(SystemExit):
        main([*words, *files])
    assert ["report.jsonl"] == [path.name for path in out.iterdir()]
    assert not sarif.exists()


@pytest.mark.parametrize(("option", "name"), [("--junit", "tokparity.toml"), ("--sarif", "notes.txt"), ("--out", "")])
def test_files_of_others_are_not_written_over(
    option: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list of models, notes, and a folder with somebody's own page."""
    (tmp_path / (name or "index.html")).write_text("mine")
    assert 2 == main(["check", "small-bpe", "--quick", "--engine", "reference", option, str(tmp_path / name)])
    assert "mine" == (tmp_path / (name or "index.html")).read_text()
    assert "error: " in capsys.readouterr().err


def test_an_empty_path_is_no_directory(capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable that is not set: the report is not written to the current directory."""
    assert 2 == main(["check", "small-bpe", "--quick", "--out", ""])
    assert "--out is empty; write . for this directory" in capsys.readouterr().err
