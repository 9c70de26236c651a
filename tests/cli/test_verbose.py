"""`-v`: what is known or accepted is counted without it, and shown with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.models.record import EMBEDDED

pytestmark = pytest.mark.usefixtures("few_texts")

ENGINE = "reference+collapses_spaces"
LIST = f"""[models.toy]
tokenizer-json = "tokenizer.json"
engines = ["{ENGINE}"]

[[models.toy.accepted]]
engine = "{ENGINE}"
quirks = ["collapses_spaces"]
text = '"a  b"'
reason = "a reason that is shown"
"""
COUNTED = "1 finding known or accepted (-v shows them)"
SHOWN = "toy / reference+collapses_spaces: 1 finding"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's model, one finding of which is accepted."""
    folder = tmp_path_factory.mktemp("verbose")
    shutil.copy(EMBEDDED / "small-bpe.json", folder / "tokenizer.json")
    (folder / "tokparity.toml").write_text(LIST, encoding="utf-8")
    return folder


def test_what_is_accepted_is_shown_with_v(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `fuzz`, and by `diagnose` of what it wrote."""
    monkeypatch.chdir(folder)
    words = {
        "fuzz": ["fuzz", "toy", "--engine", ENGINE, "--cases", "64", "--generator", "repeats", "--out", "f"],
        "diagnose": ["diagnose", "f/report.jsonl", "toy", "--out", "d"],
    }
    for name, command in words.items():
        said = []
        for more in ([], ["-v"]):
            assert 0 == main([*command, *more]), name
            said.append(capsys.readouterr().out)
        without, verbose = said
        assert (True, False) == (COUNTED in without, COUNTED in verbose), (name, without)
        assert (False, True) == (SHOWN in without, SHOWN in verbose), (name, verbose)
