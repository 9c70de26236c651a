"""Every command of README.md does what it is there for, and every command of the pages below docs/ can be typed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tokparity.cli import commands, exit_codes, main
from tokparity.cli.program import One

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]


def lines_to_type(page: Path) -> list[str]:
    """The lines of a page's shell blocks."""
    text = page.read_text(encoding="utf-8")
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


LINES = lines_to_type(ROOT / "README.md")
SAID = {
    "check tokenizer.json": "All engines agree with the models' oracles on all texts that were run",
    "check": "Your file is right: model.gguf says what the model's own tokenizer says (",
    "diff": "Why reference+greedy_longest_match differs: greedy_longest_match (verified)",
    "fuzz": "coverage: pieces ",
}
"""A part of what each command prints, by how it begins."""
ENGINE = """
from tokenizers import Tokenizer
_TOKENIZER = Tokenizer.from_file("tokenizer.json")
_TOKENIZER.encode_special_tokens = True
def encode(text):
    return _TOKENIZER.encode(text, add_special_tokens=False).ids
"""
COMMANDS = [line for line in LINES if line.startswith("tokparity ")]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model's two files, the tokparity.toml that `init` makes of them, and an engine of one's own."""
    folder = tmp_path_factory.mktemp("repository")
    for format, name in (("gguf", "model.gguf"), ("tokenizer.json", "tokenizer.json")):
        assert 0 == main(["convert", "small-bpe", "--to", format, "-o", str(folder / name)])
    assert 0 == main(["init", str(folder / "model.gguf"), str(folder / "tokenizer.json"), "--models", str(folder)])
    (folder / "mine.py").write_text(ENGINE, encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, repository: Path) -> None:
    """The command runs as written and prints what it is for; a check has fewer texts, or it would take long."""
    words = shlex.split(command)[1:]
    words += ["--cases", "50", "--corpus", "prompts"] if words[0] == "check" else []
    done = subprocess.run([sys.executable, "-m", "tokparity", *words], cwd=repository, capture_output=True, timeout=300)
    out = done.stdout.decode()
    assert next(said for begins, said in SAID.items() if " ".join(words).startswith(begins)) in out
    # How far fuzzing comes in its time is not known; its exit code says whether it found what nobody accepted.
    told = re.findall(r"^ *\d+\+? \S+ \((\w+)\): ", out, re.MULTILINE) if words[0] == "fuzz" else []
    new = set(told) - {"known", "accepted"}
    assert (words[0] == "diff" or bool(new)) == done.returncode, done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_other_commands_are_sessions() -> None:
    """What else the README tells to type is nox with sessions that exist."""
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE))
    others = [line for line in LINES if line not in COMMANDS]
    assert ['pip install "tokparity[all]"', "pip install nox && nox -s parity", "nox -s tests"] == others
    assert {"parity", "tests"} <= sessions


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_commands_of_other_pages_can_be_typed(page: Path) -> None:
    """Each names a command and options that exist; lines of other programs are left to their pages' own tests."""
    for line in "\n".join(lines_to_type(page)).replace("\\\n", " ").splitlines():
        plain = re.sub(r"\$'(?:[^'\\]|\\.)*'", "TEXT", re.sub(r"\$\(.*?\)(?= |$)", "OUTPUT", line))
        program, *words = shlex.split(plain, comments=True) or [""]
        if program == "tokparity":
            command = One(words[0], commands()[words[0]])
            command.make_context(words[0], words[1:], resilient_parsing=False)


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
    assert f"\n{table}\n" in (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links and pictures are files of the project."""
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    assert [] == [target for target in targets if not (page.parent / target).exists()]


def test_the_site_has_every_page() -> None:
    """The navigation lists each page below docs/ once."""
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")) == sorted(listed)


def test_pages_are_short() -> None:
    """README is read in a minute, ARCHITECTURE.md is one page."""
    assert len(README.splitlines()) <= 90
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split()) <= 900


def test_the_page_of_a_package_index_leads_nowhere_wrong() -> None:
    """There, no file lies beside the README: what is left are whole addresses and places on the page itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    page = README
    for change in project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        page = re.sub(change["pattern"], change["replacement"], page)
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert [] == [target for target in targets if not target.startswith(("https://", "#"))]
    assert len(page) > 0.8 * len(README)  # what went are targets of links, and pictures
