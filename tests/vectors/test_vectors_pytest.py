"""`pytest --tokparity-vectors FILE`: a test for each case, and the fault named at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from vectors_files import small, small_path

TEST = """
import pytest
from tokparity import models, quirks
from tokparity.models import primary_source
from tokparity.reference.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def engine():
    source = primary_source(models.load("small-spm"))
    right = Tokenizer(source.vocabulary, source.behaviour)
    tokenizer = right.with_behaviour(quirks.flip_all(map(quirks.get, FAULTS), source.behaviour))

    class Engine:
        def encode(self, text, add_special, parse_special):
            data = text if isinstance(text, bytes) else text.encode()
            return tokenizer.encode(data, add_special, parse_special)

        if DECODES:
            def decode(self, ids, skip_special):
                return tokenizer.decode(ids, skip_special)

    return Engine()


def test_vector(tokparity_vector, engine):
    tokparity_vector(engine)
"""


def run(folder: Path, *words: str, faults: str = "[]", decodes: bool = True) -> tuple[int, str]:
    """The exit code and the output of pytest on the test, with an engine that has these faults."""
    text = TEST.replace("FAULTS", faults).replace("DECODES", str(decodes))
    (folder / "test_vector.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_right_engine_passes(tmp_path: Path) -> None:
    """Each case is a test of its own, named by its id; an engine without decode skips the rows."""
    code, out = run(tmp_path, "--tokparity-vectors", str(small_path()), decodes=False)
    texts = sum(case.id.startswith("e") for case in small().cases)
    assert 0 == code
    assert f"{texts} passed, {small().size - texts} skipped" in out


@pytest.mark.nightly
def test_a_faulty_engine_fails_and_is_named(tmp_path: Path) -> None:
    """The failing cases are told with their comment, and the summary names the fault; on two processes as well."""
    code, out = run(tmp_path, "--tokparity-vectors", str(small_path()), "-n", "2", faults="['collapses_spaces']")
    assert 1 == code
    assert "two spaces" in out
    assert ": `collapses_spaces`" in out


def test_without_the_option_the_test_is_skipped(tmp_path: Path) -> None:
    """A test suite that has such a test runs without a file."""
    code, out = run(tmp_path, "-rs")
    assert 0 == code
    assert "--tokparity-vectors was not given" in out


def test_a_file_that_is_none_is_one_clear_error(tmp_path: Path) -> None:
    """A wrong path is an error of the command line."""
    code, out = run(tmp_path, "--tokparity-vectors", "missing.json")
    assert 0 != code
    assert "'missing.json' is not a file" in out
