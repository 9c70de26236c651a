"""Every command in the README does what it is there for."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tokparity.cli import commands, exit_codes, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
SAID = {
    "check": "Your file is right: model.gguf says what the model's own tokenizer says (",
    "diff": "why reference+greedy_longest_match: greedy_longest_match (verified)",
    "encode": "[1, 363, 403, 282, 337, 300, 288, 310, 1205, 464, 1182, 260, 432, 836]",
    "explain": "ids: [3, 703, 342, 10, 3, 114, 3, 217, 17, 502, 302, 8, 1]",
    "fuzz": "coverage: pieces ",
    "models": "small-spm ",
    "quirks": "greedy_longest_match",
}
"""A part of what each command prints."""
COMMANDS = [line for line in LINES if line.startswith("tokparity ")]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model's two files and the tokparity.toml that `init` makes of them."""
    folder = tmp_path_factory.mktemp("repository")
    for format, name in (("gguf", "model.gguf"), ("tokenizer.json", "tokenizer.json")):
        assert 0 == main(["convert", "small-bpe", "--to", format, "-o", str(folder / name)])
    assert 0 == main(["init", str(folder / "model.gguf"), str(folder / "tokenizer.json"), "--models", str(folder)])
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, repository: Path) -> None:
    """The command runs as written and prints what it is for; a check has fewer texts, or it would take long."""
    words = shlex.split(command)[1:]
    words += ["--cases", "50", "--corpus", "prompts"] if words[0] == "check" else []
    done = subprocess.run([sys.executable, "-m", "tokparity", *words], cwd=repository, capture_output=True, timeout=300)
    out = done.stdout.decode()
    assert SAID[words[0]] in out
    # How far fuzzing comes in its time is not known; its exit code says whether it found what nobody accepted.
    told = re.findall(r"^ *\d+ \S+ \((\w+)\): ", out, re.MULTILINE) if words[0] == "fuzz" else []
    new = set(told) - {"known", "accepted"}
    assert (words[0] == "diff" or bool(new)) == done.returncode, done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_other_commands_are_sessions() -> None:
    """What else the README tells to type is nox with sessions that exist."""
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE))
    others = [line for line in LINES if line not in COMMANDS]
    assert ["pip install nox && nox -s parity", "nox -s tests"] == others
    assert {"parity", "tests"} <= sessions


def test_exit_codes_are_those_of_the_commands() -> None:
    """The table is the one that `--help` shows, with each command's own meaning of 1."""
    own = [f"`{name}`: {command.EXIT_1}" for name, command in commands().items() if command.EXIT_1]
    rows = []
    for code, meaning in exit_codes.MEANINGS:
        rows += (
            [f"| {code} | {own[0]} |", *(f"| | {one} |" for one in own[1:])]
            if code == "1"
            else [f"| {code} | {meaning} |"]
        )
    table = "\n".join(["| exit code | of every command |", "|---|---|", *rows])
    assert f"\n{table}\n" in README


def test_links_lead_somewhere() -> None:
    """Relative links and pictures are files of the project."""
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert [] == [target for target in targets if not (ROOT / target).exists()]


def test_the_page_of_a_package_index_leads_nowhere_wrong() -> None:
    """There, no file lies beside the README: what is left are whole addresses and places on the page itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    page = README
    for change in project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        page = re.sub(change["pattern"], change["replacement"], page)
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert [] == [target for target in targets if not target.startswith(("https://", "#"))]
    assert len(page) > 0.9 * len(README)
