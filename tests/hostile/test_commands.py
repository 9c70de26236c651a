"""The short form: some commands on mutated models and reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import disks
from tests.hostile.attack import whole_commands
from tests.hostile.commands import MODELS, REPORTS, what_broke, words_of
from tests.hostile.targets import targets
from tests.rings import nightly_but

COMMANDS = 2 * len(MODELS) + len(REPORTS)
SEED = 6


@pytest.mark.nightly
def test_no_command_breaks_on_a_mutant() -> None:
    """Each command once or twice."""
    assert [] == [attacked for attacked in whole_commands(COMMANDS, SEED) if attacked.broke]


@pytest.mark.parametrize("command", nightly_but(["check", "convert"], MODELS))
def test_a_sound_model_is_no_wrong_input(command: str, tmp_path: Path) -> None:
    """Or the attack would try nothing but the reading of options; the file alone is compared with nothing, though."""
    spm = next(target for target in targets() if target.name == "spm.gguf")
    (tmp_path / spm.read).write_bytes(spm.files[spm.read])
    allowed = (3,) if command == "check" else (0,)
    assert "" == what_broke(words_of(command, spm.read, "sentencepiece"), tmp_path, allowed)


@pytest.mark.nightly
def test_a_sound_report_is_no_wrong_input(tmp_path: Path) -> None:
    """All commands on reports."""
    disks.prepare(tmp_path)
    for name, words in REPORTS.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "report.jsonl").write_bytes((tmp_path / "report.jsonl").read_bytes())
        assert "" == what_broke([word.format(file="report.jsonl") for word in words], folder, (0, 1)), name


def test_the_trial_sees_what_breaks(tmp_path: Path) -> None:
    """An exit that is not allowed."""
    assert what_broke(["quirks"], tmp_path, (1,)).startswith("exit 0, and it said")
