"""docs/ci.md: the workflow's steps as they are written, in a repository with nothing but a list and two files."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
import yaml

import tokparity
from tokparity import formats
from tokparity.cli import commands
from tokparity.cli.program import One
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import Value, rewrite
from tokparity.models.record import EMBEDDED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
WORKFLOW = next(yaml.safe_load(block) for block in re.findall(r"```yaml\n(name: .*?)```", PAGE, re.DOTALL))
INSTALL = 'pip install "tokparity[all]"'
DATA = ROOT / "tests" / "data"
SARIF = jsonschema.Draft4Validator(json.loads((DATA / "sarif-schema-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(DATA / "junit-10.xsd")
LIST = '# ours\n[models.toy]\ngguf = "model.gguf"\ntokenizer-json = "tokenizer.json"\nengines = ["llama.cpp"]\n'


@dataclass(frozen=True)
class Done:
    """What a run of the workflow left."""

    code: int
    output: str
    summary: str
    junit: ElementTree.Element
    results: list[dict[str, Any]]

    @property
    def failures(self) -> str:
        """What the failed test cases say."""
        return "\n".join(failure.text or "" for failure in self.junit.iter("failure"))

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The results that are not notes."""
        return [result for result in self.results if result["level"] == "error"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The list, a tokenizer.json, and a GGUF that was converted from it."""
    folder = tmp_path / "repository"
    folder.mkdir()
    shutil.copy(EMBEDDED / "small-bpe.json", folder / "tokenizer.json")
    shutil.copy(right_gguf(tmp_path), folder / "model.gguf")
    (folder / "tokparity.toml").write_text(LIST)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """As on a runner, where a command `tokparity` is installed: this one."""
    bin = tmp_path / "bin"
    bin.mkdir()
    command = bin / "tokparity"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tokparity "$@"\n')
    command.chmod(0o755)
    package = str(Path(tokparity.__file__).parents[1])
    return {
        **os.environ,
        "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")])),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }


def right_gguf(folder: Path) -> Path:
    """A GGUF that says what the tokenizer.json says, outside the repository."""
    path = folder / "right.gguf"
    if not path.exists():
        formats.write(formats.read(EMBEDDED / "small-bpe.json"), "gguf", path)
    return path


def plant(repository: Path, changes: dict[str, Value | None]) -> None:
    """Put a GGUF with other keys in the place of the right one."""
    rewrite(right_gguf(repository.parent), changes, repository / "model.gguf")


def workflow(repository: Path, environment: Mapping[str, str]) -> Done:
    """The steps that run something, as they are written; one that fails ends the job, as on a runner."""
    summary = Path(environment["GITHUB_STEP_SUMMARY"])
    summary.write_text("# of another step\n")
    scripts = [step["run"] for step in WORKFLOW["jobs"]["parity"]["steps"] if "run" in step]
    assert INSTALL in scripts
    code, output = 0, ""
    for script in scripts:
        line = script.replace(INSTALL, "tokparity --version")
        done = subprocess.run(
            ["bash", "-e", "-c", line], cwd=repository, env=environment, capture_output=True, text=True, timeout=600
        )
        code, output = done.returncode, output + done.stdout
        if code:
            break
    JUNIT.validate(repository / "parity" / "junit.xml")
    log = json.loads((repository / "parity" / "tokparity.sarif").read_text("utf-8"))
    SARIF.validate(log)
    junit = ElementTree.parse(repository / "parity" / "junit.xml").getroot()
    return Done(code, output, summary.read_text("utf-8"), junit, log["runs"][0]["results"])


def update(repository: Path, environment: Mapping[str, str]) -> str:
    """`tokparity check --update`; the new list."""
    command = ["tokparity", "check", "--update", "--out", str(repository.parent / "update")]
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, timeout=600)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "--- tokparity.toml" in done.stdout or "is unchanged: it already accepts" in done.stdout
    return (repository / "tokparity.toml").read_text("utf-8")


@pytest.mark.nightly
def test_the_workflow(repository: Path, environment: Mapping[str, str]) -> None:
    """Green; red for a planted fault; green when it is accepted; red when it has gone; green without the entry."""
    update(repository, environment)  # what llama.cpp does otherwise on every model of this kind, if it is told of it
    first = workflow(repository, environment)
    assert (0, [], "") == (first.code, first.errors, first.failures)
    assert first.summary.startswith("# of another step\n## tokparity\n\n✅ **Your file is right: model.gguf")
    assert "::error" not in first.output

    plant(repository, {"tokenizer.ggml.pre": b"llama-bpe"})
    red = workflow(repository, environment)
    cause = 'tokenizer.ggml.pre is "llama-bpe", should be "gpt-2"'
    assert 1 == red.code
    for said in (red.failures, red.summary.replace("\\", ""), red.output):
        assert cause in said
    assert "tokparity doctor model.gguf --against tokenizer.json --write fixed.gguf" in red.failures
    assert any(cause in result["message"]["text"] for result in red.errors)
    (place,) = {json.dumps(result["locations"][0]["physicalLocation"]) for result in red.errors}
    assert {"artifactLocation": {"uri": "tokparity.toml"}, "region": {"startLine": 2}} == json.loads(place)
    assert "::error file=tokparity.toml,line=2,title=model.gguf%3A tokenizer.ggml.pre is" in red.output
    counts = len(red.errors), red.output.count("::error"), len(list(red.junit.iter("failure")))
    assert (1, 1, 1) == counts  # one wrong key is one remark everywhere

    before = listed((repository / "tokparity.toml").read_text("utf-8"))
    accepted = update(repository, environment)
    (entry,) = [entry for entry in listed(accepted) if entry not in before]
    assert ("tokenizer.ggml.pre", "llama-bpe") == (entry["key"], entry["value"])
    assert 'should be "gpt-2"' in entry["reason"]
    assert all(entry["reason"].strip() for entry in listed(accepted))
    assert accepted.startswith(LIST.rstrip("\n"))
    green = workflow(repository, environment)
    assert (0, []) == (green.code, green.errors)
    assert "Your file is right" not in green.summary

    plant(repository, {"tokenizer.ggml.pre": b"llama-bpe", "tokenizer.ggml.add_bos_token": True})
    more = workflow(repository, environment)  # what is accepted covers its key and nothing else
    assert (1, 1) == (more.code, len(more.errors))
    assert "tokenizer.ggml.add_bos_token is true, should be false" in more.failures

    shutil.copy(right_gguf(repository.parent), repository / "model.gguf")
    gone = workflow(repository, environment)
    assert 1 == gone.code
    for said in (gone.failures, gone.summary.replace("\\", ""), json.dumps(gone.errors)):
        assert "vanished: tokenizer.ggml.pre is llama-bpe" in said
    assert not [entry for entry in listed(update(repository, environment)) if "key" in entry]
    assert 0 == workflow(repository, environment).code


def listed(text: str) -> list[dict[str, Any]]:
    """The accepted findings of the one model."""
    found: list[dict[str, Any]] = tomllib.loads(text)["models"]["toy"].get("accepted", [])
    return found


@pytest.mark.nightly
def test_a_wrong_kind_is_named(repository: Path, environment: Mapping[str, str]) -> None:
    """A special token that the GGUF has as a normal one: red, with the key."""
    types = read_metadata(repository / "model.gguf").fields["tokenizer.ggml.token_type"].value
    plant(repository, {"tokenizer.ggml.token_type": array("i", [1] * len(types))})
    red = workflow(repository, environment)
    assert 1 == red.code
    for said in (red.failures, red.summary.replace("\\", ""), json.dumps(red.errors)):
        assert "tokenizer.ggml.token_type differs in 3 of 2,800 entries" in said


def test_the_hook_is_a_command() -> None:
    """What pre-commit runs is a command line that tokparity takes; it runs where a tokenizer's file has changed."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert f"- id: {hook['id']}" in PAGE
    program, name, *words = shlex.split(hook["entry"])
    assert "tokparity" == program
    with One(name, commands()[name]).make_context(name, words) as ctx:
        assert (Path(".tokparity"), []) == (ctx.params["out"], ctx.params["words"])
    for path in ("tokparity.toml", "models/tokenizer.json", "a.gguf", "b/spiece.model"):
        assert re.search(hook["files"], path), path
    assert not re.search(hook["files"], "src/model.py")


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL))
def test_the_list_on_the_page_is_read(block: str, tmp_path: Path) -> None:
    """Each key on the page is one that is known."""
    from tokparity.models import repository

    (entry,) = repository.parsed(tmp_path / "tokparity.toml", block).accepted("my-model")
    assert (("cleans_up_spaces",), "2026-11-22") == (entry.quirks, entry.date)


def test_nox_passes_the_list_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """`nox -s parity -- --models DIR` is `tokparity check --models DIR`."""
    pytest.importorskip("nox")
    import importlib.util

    spec = importlib.util.spec_from_file_location("the_noxfile", ROOT / "noxfile.py")
    assert spec is not None
    assert spec.loader is not None
    noxfile = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(noxfile)
    monkeypatch.setattr(noxfile, "install", lambda session, extra: None)
    ran: list[tuple[str, ...]] = []

    class Session:
        """Only notes what it is to run."""

        posargs = ("--models", "there")

        def run(self, *words: str) -> None:
            """Take note."""
            ran.append(words)

    noxfile.run_parity(Session())
    assert [("tokparity", "check", "--models", "there")] == ran


def test_every_night_is_hostile() -> None:
    """The second workflow runs by itself, and its session is one of ours, with options that the attack has."""
    blocks = re.findall(r"```yaml\n(name: .*?)```", PAGE, re.DOTALL)
    nightly = yaml.safe_load(blocks[1])
    assert [{"cron": "17 2 * * *"}] == nightly[True]["schedule"]  # YAML takes "on" for a yes
    (line,) = (step["run"] for step in nightly["jobs"]["hostile"]["steps"] if step.get("name") == "Attack")
    _, options = line.removeprefix("nox -s ").split(" -- ")
    assert line.startswith("nox -s hostile -- ")
    assert "def hostile(session" in (ROOT / "noxfile.py").read_text("utf-8")
    attack = (ROOT / "tests" / "hostile" / "attack.py").read_text("utf-8")
    assert [True, True] == [f'"{word}"' in attack for word in options.split() if word.startswith("--")]


def test_every_ring_runs_by_itself() -> None:
    """Nothing is marked for a ring that no workflow has, and each session on the page is one of ours."""
    workflows = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(name: .*?)```", PAGE, re.DOTALL)]
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    lines = [step.get("run", "") for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    ran = {name for line in lines for name in re.findall(r"nox -s (\w+)", line)}
    assert ran == {name for name in ran if f"def {name}(session" in noxfile}
    marks = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]["markers"]
    rings = [mark.partition(":")[0] for mark in marks]
    assert set(rings) <= ran
    assert f'run_ring(session, "{" and ".join(f"not {ring}" for ring in rings)}")' in noxfile


@pytest.mark.parametrize(
    ("listed", "line", "told"),
    [
        (LIST.replace("model.gguf", "gone.gguf"), 3, "gone.gguf"),
        (LIST.replace("engines", "engnes"), 5, "unknown key 'engnes'"),
    ],
)
def test_an_error_before_the_run_stands_in_every_file(
    repository: Path, environment: Mapping[str, str], listed: str, line: int, told: str
) -> None:
    """A CI that reads only JUnit, SARIF or the summary sees it, as one failed test and one result at its line."""
    (repository / "tokparity.toml").write_text(listed)
    done = workflow(repository, environment)
    assert 2 == done.code
    (error,) = done.junit.iter("error")
    assert told in error.attrib["message"]
    (result,) = done.errors
    assert told in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert ("tokparity.toml", line) == (place["artifactLocation"]["uri"], place["region"]["startLine"])
    assert told in done.summary
    assert "::error title=tokparity::No verdict: " in done.output
