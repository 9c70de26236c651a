"""docs/api.md and docs/pytest.md: their examples run as they are written."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tokparity
from tokparity import formats
from tokparity.models.record import EMBEDDED

ROOT = Path(__file__).parents[2]
API = (ROOT / "docs" / "api.md").read_text("utf-8")
PYTEST = (ROOT / "docs" / "pytest.md").read_text("utf-8")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(tokparity.__file__).parents[1])}
RIGHT = """
from tokparity import Tokenizer

TOKENIZER = Tokenizer.from_file("tokenizer.json")


def encode(text):
    return TOKENIZER.encode(text)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the examples find: tokenizer.json, model.gguf, my_engine.py."""
    shutil.copy(EMBEDDED / "small-bpe.json", tmp_path / "tokenizer.json")
    formats.write(formats.read(EMBEDDED / "small-bpe.json"), "gguf", tmp_path / "model.gguf")
    (tmp_path / "my_engine.py").write_text(RIGHT)
    return tmp_path


def suite(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The tests of docs/pytest.md in a pytest of their own, with the plugin as an installation has it."""
    page, vectors = re.findall(r"```python\n(.*?)```", PYTEST, re.DOTALL)
    assert "tokparity_vector" in vectors  # that of the section on test vectors, which needs a file of them
    (folder / "test_mine.py").write_text(page)
    installed = any(one.name == "tokparity" for one in importlib.metadata.entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "tokparity.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-q", "--strict-markers", "-p", "no:cacheprovider", *plugin, *words]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False
    )


def test_the_page_about_the_api(folder: Path) -> None:
    """All examples, one after the other."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", API, re.DOTALL))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert "llama.cpp" in done.stdout


@pytest.mark.nightly
def test_the_page_about_pytest(folder: Path) -> None:
    """Its tests pass for a tokenizer that is right."""
    done = suite(folder)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_a_failure_shows_both_rows_and_the_cause(folder: Path) -> None:
    """For a tokenizer that collapses spaces: the shortest text, the first difference, the quirk and its fix."""
    (folder / "my_engine.py").write_text(
        RIGHT.replace("encode(text)\n", "encode(__import__('re').sub(' +', ' ', text).strip(' '))\n")
    )
    done = suite(folder, "-k", "these_texts")
    assert 1 == done.returncode, done.stdout + done.stderr
    for said in (
        "2 of 4 texts get other ids than the reference (tokenizer.json) gives",
        'smallest text: " "',
        "reference  >>",
        "mine       >>",
        "cause: collapses_spaces (",
        "fix: ",
    ):
        assert said in done.stdout, done.stdout
    shown, *_ = re.findall(r"```text\n(.*?)```", PYTEST, re.DOTALL)
    # The page shows this very failure; how many texts were asked changes with each new quirk.
    printed = re.sub(r"\d+", "N", done.stdout)
    assert [] == [line for line in shown.splitlines() if re.sub(r"\d+", "N", line) not in printed], done.stdout
    assert "_Sides" not in done.stdout  # no code of tokparity's between the reader and the message


@pytest.mark.nightly
def test_a_marker_without_a_model_is_told(folder: Path) -> None:
    """What to write is in the message."""
    (folder / "test_other.py").write_text("def test_it(parity): pass\n")
    done = suite(folder, "test_other.py")
    assert 'the test needs @pytest.mark.parity(model="...")' in done.stdout


def test_the_plugin_is_light() -> None:
    """pytest loads it for every suite of everybody who has tokparity, so it loads nothing that it does not need yet."""
    code = (
        "import sys, tokparity, tokparity.pytest_plugin; "
        "print([name for name in sys.modules if name.startswith('tokparity.') or name in "
        "('numpy', 'pandas', 'rich', 'click', 'regex', 'hypothesis', 'gguf', 'tomlkit')])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert "['tokparity.pytest_plugin']" == done.stdout.strip()


def test_import_is_quick() -> None:
    """Only the package itself; each name is loaded when it is asked for, and there are no others."""
    code = "import sys, tokparity; print([name for name in sys.modules if name.startswith('tokparity.')])"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
    # Each process of an engine that has its tokenizer from here loads it anew.
    code = "import sys; from tokparity import Tokenizer; print({'numpy', 'tokparity.session'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert "set()" == done.stdout.strip()
    assert all(hasattr(tokparity, name) for name in tokparity.__all__)
    assert set(tokparity.__all__) <= set(dir(tokparity))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tokparity.nothing  # type: ignore[attr-defined]
