"""The short form: every command that reads a file, on files that were tampered with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hostile import tampered
from tests.hostile.attack import tampered_files
from tests.hostile.commands import what_broke
from tests.hostile.listening import listening
from tests.rings import nightly_but

EVERY = sum(map(len, tampered.COMMANDS.values()))
SEED = 3


@pytest.mark.parametrize("attacks", nightly_but([EVERY // 8], [EVERY // 8, EVERY]))
def test_no_tampered_file_runs_anything(attacks: int) -> None:
    """Each command once: no program ran, no server was asked, no internal error, nothing acts on the terminal."""
    assert [] == [attacked for attacked in tampered_files(attacks, SEED) if attacked.broke]


def test_the_trial_sees_a_program_that_runs_and_a_server_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The canary sings where a word is typed, and the server remembers who asks it."""
    for name in ("prepared", "folder"):
        (tmp_path / name).mkdir()
    prepared = tmp_path / "prepared"
    (prepared / "report.jsonl").write_text("{}\n", encoding="utf-8")
    (prepared / "canary.sh").write_text(f"echo ran > {tampered.CANARY}\n", encoding="utf-8")
    words = ("encode", "small-spm", "--engine", "exec:sh canary.sh", "text")
    monkeypatch.setattr(tampered, "COMMANDS", {"report.jsonl": (words,)})
    assert ("report.jsonl before encode", "a program ran") == tampered.attack("1", 0, prepared, tmp_path / "folder")
    with listening() as server:
        code = what_broke(["encode", "small-spm", "--engine", f"http:{server.url}", "text"], tmp_path, (2, 3))
        assert ("", True) == (code, bool(server.asked))


@pytest.mark.nightly
def test_what_was_prepared_is_no_wrong_input(tmp_path: Path) -> None:
    """Or the attack would try nothing but the reading of options."""
    tampered.prepare(tmp_path)
    for file in tampered.COMMANDS:
        assert (tmp_path / file).exists(), file
    assert json.loads((tmp_path / "report.jsonl").read_bytes().splitlines()[0])["type"] == "header"
