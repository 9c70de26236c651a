"""The session in examples/README.md runs as it is written and says what stands below each command."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("few_texts")

EXAMPLES = Path(__file__).parents[2] / "examples"
PAIRS = re.findall(r"```sh\n(.*?)\n```\n```\n(.*?)```", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_session_has_its_three_questions() -> None:
    """Nothing is lost on reading it."""
    assert ["engine-test", "diff", "run"] == [command.split()[1] for command, _ in PAIRS]


@pytest.mark.parametrize(("command", "said"), PAIRS, ids=["rules", "text", "fault"])
def test_the_session_finds_and_names_the_fault(command: str, said: str, tmp_path: Path) -> None:
    """Each line that the page shows is printed, the proven cause among them."""
    words = shlex.split(command)[1:]
    if words[0] == "run":
        words += ["--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "tokparity", *words],
        cwd=EXAMPLES / "greedy",
        capture_output=True,
        timeout=300,
        env={**os.environ, "COLUMNS": "120"},
    )
    printed = done.stdout.decode().splitlines()
    assert [] == [line for line in said.splitlines() if line not in printed], (
        done.stdout.decode() + done.stderr.decode()
    )
    assert (1 if words[0] == "diff" else 0) == done.returncode


def test_the_example_is_as_short_as_it_says() -> None:
    """Forty lines."""
    assert 40 == len((EXAMPLES / "greedy" / "greedy.py").read_text(encoding="utf-8").splitlines())
