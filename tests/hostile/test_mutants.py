"""The short form: some mutants of every file, each read and twenty texts encoded within limits of time and memory."""

from __future__ import annotations

import os
from collections import Counter
from math import inf
from pathlib import Path
from random import Random

import pytest

from tests.hostile import attack
from tests.hostile.attack import Attacked, attacks, tried
from tests.hostile.gguf_mutants import SPARSE_BYTES
from tests.hostile.pattern_mutants import pattern
from tests.hostile.targets import others, targets
from tests.hostile.trial import what_broke
from tests.rings import nightly_but
from tokparity.errors import FormatError
from tokparity.reference.fancy_regex import of_fancy_regex
from tokparity.reference.onig import Pattern

MUTANTS = 40, 200
SEED = 20


def test_each_attack_is_counted_and_it_is_told_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who waits for thousands of them sees that they go on, and what broke at once."""
    monkeypatch.setattr(attack, "TOLD_EVERY", 0.0)
    tried_by: Counter[str] = Counter()
    broke_by: Counter[str] = Counter()
    each = [Attacked("a", "cut", "1-0", ""), Attacked("b", "cut", "1-1", "it broke")]
    attack.count(each, inf, tried_by, broke_by)
    assert ({"a": 1, "b": 1}, {"b": 1}) == (tried_by, broke_by)
    assert [
        "1 tried, 0 broke; now a 1-0",
        "b cut 1-1: it broke",
        "2 tried, 1 broke; now b 1-1",
    ] == capsys.readouterr().err.splitlines()


def test_a_sparse_file_is_as_long_as_it_says(tmp_path: Path) -> None:
    """Of a GGUF whose counts lie, all lies in the file, and takes no room on the disk."""
    target = targets()[0]
    seed = next(str(n) for n in range(1000) if target.mutant(str(n))[0] == "sparse")
    target.write(tmp_path, *target.mutant(seed))
    found = (tmp_path / target.read).stat()
    assert found.st_size == SPARSE_BYTES
    assert found.st_blocks * 512 < 1 << 24


def test_a_list_and_a_hello_are_read(tmp_path: Path) -> None:
    """What is mutated is right before."""
    for target in others():
        assert "" == tried(target, None, tmp_path).broke
    assert len(others()) == len({target.name for target in others()})


@pytest.mark.nightly
@pytest.mark.parametrize("mutants", nightly_but(MUTANTS[:1], MUTANTS))
def test_nothing_from_outside_breaks_a_reader(mutants: int) -> None:
    """No exception but ours, none that takes more than ten seconds or a gigabyte."""
    assert [] == [attacked for attacked in attacks(mutants, SEED) if attacked.broke]


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.name)
def test_the_files_themselves_are_read(target, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """What is mutated is a model before, and a mutant is the same each time."""
    from tokparity import formats

    for name, data in target.files.items():
        (tmp_path / name).write_bytes(data)
    assert formats.read(tmp_path / target.read).vocabulary.pieces
    assert target.mutant("7") == target.mutant("7")
    assert 10 < len({target.mutant(str(seed))[1][target.mutated] for seed in range(20)})
    assert "" == tried(target, None, tmp_path).broke


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("raise KeyError('x')", "KeyError: 'x' at"),
        ("b = [bytes(1 << 28) for _ in range(40)]", "MemoryError"),
        ("import os; os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("import resource; resource.setrlimit(0, (1, 2))\nwhile True: pass", "more than 10 s of the processor"),
        ("raise FormatError('two\\nlines')", "a message of 2 lines"),
        ("raise FormatError('something')", "a message that does not name the file"),
    ],
)
def test_the_trial_sees_what_breaks(code: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception, too much memory, a crash, a loop, a message that is none."""
    from tokparity import formats

    monkeypatch.setattr(formats, "read", lambda path: exec(code, {"FormatError": FormatError}))
    assert problem in what_broke(tmp_path / "m.gguf")


def test_patterns_that_nobody_would_write() -> None:
    """Each is compiled and finds what it finds, or is refused."""
    texts = ["", "Ab éß İ漢字\n\n x\u0301 🙂's  12", "a" * 30 + "b"]
    lines: list[int] = []
    for seed in range(400):
        spelled = pattern(Random(seed))
        try:
            found = Pattern(of_fancy_regex(spelled) if seed % 2 else spelled)
            for text in texts:
                assert all(0 <= start <= end <= len(text) for start, end in found.find(text)), spelled
                found.words(text)
        except FormatError as error:
            lines.append(len(str(error).splitlines()))
    assert {1} == set(lines)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """What is not a regular file is refused before it is opened."""
    os.mkfifo(tmp_path / "m.gguf")
    assert "" == what_broke(tmp_path / "m.gguf")
