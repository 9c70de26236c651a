"""What the command line prints: nothing that a terminal would obey, in lists that can be read at 80 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tokparity import formats, models
from tokparity.cli import commands, console, main

SPM = models.load("small-spm").sources["sentencepiece"]
BPE = models.load("small-bpe").sources["tokenizer.json"]
NASTY = "\x1b[31m\x9b7m\u202e\x07"
"""Turns a terminal red in two ways, turns the writing direction round, rings."""

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty directory: exit code, and all that it printed."""
    monkeypatch.chdir(tmp_path)

    def call(*argv: str) -> tuple[int, str]:
        code = main(argv)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return call


def acting(text: str) -> set[str]:
    """The characters that a terminal would obey."""
    return {character for character in text if not character.isprintable()} - {"\n"}


def nasty_gguf(folder: Path, key: str) -> str:
    """A GGUF with a key's name spoiled, in a folder of a nasty name; its length stays."""
    path = folder / NASTY / "x.gguf"
    path.parent.mkdir()
    formats.write(formats.read(SPM), "gguf", path)
    spoiled = ("\x1b[31m" + key)[: len(key)].encode()
    path.write_bytes(path.read_bytes().replace(key.encode(), spoiled))
    return str(path)


def nasty_json(folder: Path, **changes: object) -> str:
    """A tokenizer.json with an added token of a nasty name, and what else is to be changed."""
    content = json.loads(BPE.read_text(encoding="utf-8")) | changes
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    content["added_tokens"].append({"id": 90000, "content": NASTY, "special": True, **flags})
    path = folder / f"{NASTY}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("key", ["tokenizer.ggml.add_bos_token", "tokenizer.ggml.scores", "tokenizer.ggml.model"])
def test_keys_and_paths_of_a_gguf(run: Run, tmp_path: Path, key: str) -> None:
    """A key that is ours no more, in a file whose path is nasty as well."""
    path = nasty_gguf(tmp_path, key)
    for argv in (
        ("doctor", path, "--against", "small-spm"),
        ("lint", path, "small-spm", "--no-engines"),
        ("convert", path, "--to", "sentencepiece", "-o", f"{NASTY}.model"),
        ("encode", "--gguf", path, "--engine", "reference", "a"),
        ("encode", f"{path}/nowhere", "a"),
        ("diff", path, "--engine", "llama.cpp", f"a{NASTY}"),
    ):
        code, said = run(*argv)
        assert (set(), True) == (acting(said), code in (0, 1, 2, 3))
        assert said


def test_tokens_of_a_tokenizer_json(run: Run, tmp_path: Path) -> None:
    """An added token's name, in what is encoded, explained, compared and put side by side."""
    path = nasty_json(tmp_path)
    for argv in (
        ("encode", path, NASTY, "--parse-special"),
        ("explain", path, NASTY, "--parse-special"),
        ("lint", path, "small-bpe"),
        ("diff", path, NASTY, "--parse-special", "--engine", "reference"),
        ("decode", path, "[90000]", "--keep-special", "--engine", "reference"),
    ):
        code, said = run(*argv)
        assert (set(), True) == (acting(said), code in (0, 1))
        assert said


def test_errors_about_names_in_files(run: Run, tmp_path: Path) -> None:
    """A token of a template that is not there, a normalizer that nobody knows: one line that is inert."""
    single = [{"SpecialToken": {"id": NASTY, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    template = {"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": {}}
    for changes in ({"post_processor": template}, {"normalizer": {"type": NASTY}}):
        code, said = run("encode", nasty_json(tmp_path, **changes), "a")
        assert (2, 1, set()) == (code, said.count("\n"), acting(said))


def test_words_of_the_command_line(run: Run) -> None:
    """What was typed is shown in errors too."""
    for argv in ((NASTY,), ("engines", f"--{NASTY}"), ("run", "--seconds", NASTY), ("encode", f"{NASTY}/x", "a")):
        code, said = run(*argv)
        assert (2, 1, set()) == (code, said.count("\n"), acting(said))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 语 \\n", "plain é 语 \\n"),
        ("a\x1b[0m\n", "a\\u001b[0m\\n"),
        ("\ud800\udcff", "\\ud800\\udcff"),
        ('say "\\"', 'say "\\"'),
    ],
)
def test_shown(text: str, expected: str) -> None:
    """What prints stays as it is, also a backslash and a quote."""
    assert expected == console.shown(text)


def test_what_an_encoding_has_no_bytes_for() -> None:
    """A terminal without UTF-8 gets escapes, and no fault."""
    command = [sys.executable, "-X", "utf8=0", "-m", "tokparity", "explain", "small-unigram", "é"]
    done = subprocess.run(
        command, capture_output=True, timeout=60, check=False, env={"PYTHONIOENCODING": "ascii", "PATH": "/bin"}
    )
    assert (0, b"") == (done.returncode, done.stderr)
    assert b"\\xe9" in done.stdout


@pytest.mark.parametrize("words", [["engines"], ["corpora"], ["generators"], ["quirks"], ["models"], ["bench"]])
def test_lists_fit_into_80_columns(words: list[str], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the width is known; in a pipe each entry is one line."""
    monkeypatch.delenv("COLUMNS", raising=False)
    code, unfolded = run(*words)
    monkeypatch.setenv("COLUMNS", "80")
    folded = run(*words)[1]
    assert (0, []) == (code, [line for line in folded.splitlines() if len(line) > 80])
    assert unfolded.split() == folded.split()


@pytest.mark.parametrize("words", [[], *([name] for name in sorted(commands()))], ids=" ".join)
def test_help_fits_into_80_columns(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Also the examples, of which each command has one, beginning with its own name."""
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    said = capsys.readouterr().out
    assert [] == [line for line in said.splitlines() if len(line) > 80]
    if words:
        assert f"\n  tokparity {words[0]}" in said


def test_help_is_in_sections(capsys: pytest.CaptureFixture[str]) -> None:
    """The three questions first; every command once; then the exit codes."""
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    first, _, rest = said.partition("\n\nFind differences:\n")
    questions = first.partition("Three questions:\n")[2].splitlines()
    assert ["check", "diff", "doctor", "init"] == [line.split()[0] for line in questions if line[2] != " "]
    assert ["Keep it right", "My engine returns other ids", "my converted file right"] == [
        said for said in ("Keep it right", "My engine returns other ids", "my converted file right") if said in first
    ]
    listed = [line.split()[0] for line in said.partition("Exit codes")[0].splitlines() if line[:2] == "  " != line[:3]]
    assert sorted(commands()) == sorted(name for name in listed if name in commands())
    assert "  74        a disk or an output cannot be written\n" in rest


def test_a_name_between_colons_is_no_picture(run: Run, tmp_path: Path) -> None:
    """A letter between two colons is how some libraries spell its picture."""
    (tmp_path / "own.py").write_text("class A:\n    def __init__(self, path):\n        raise ValueError(path)\n")
    code, printed = run("diff", "small-bpe", "a", "--engine", "./own.py:A")
    assert 3 == code
    assert "./own.py:A: unavailable" in printed
    assert printed.isascii(), printed


@pytest.mark.parametrize("encoding", nightly_but(["ascii"], ["ascii", "latin-1", "utf-8"]))
@pytest.mark.parametrize(
    "words",
    [
        ("check", "small-spm", "--engine", "reference+applies_nfc", "--corpus", "t.txt", "--cases", "0", "-v"),
        pytest.param(
            ("diff", "small-spm", "e\u0301 語", "--why", "--engine", "reference+applies_nfc"), marks=pytest.mark.nightly
        ),
        ("explain", "small-spm", "語"),
        ("encode", "語/語", "語"),
    ],
    ids=lambda words: words[0],
)
def test_any_encoding_is_printed_to(words: tuple[str, ...], encoding: str, tmp_path: Path) -> None:
    """What the encoding of an output has no bytes for leaves as an escape; the exit code is what it would have been."""
    (tmp_path / "t.txt").write_text("e\u0301 語\n", encoding="utf-8")

    def ended(encoding: str) -> subprocess.CompletedProcess[bytes]:
        ascii_alone = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}
        environment = {**os.environ, **ascii_alone}
        command = [sys.executable, "-m", "tokparity", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=120)

    done, right = ended(encoding), ended("utf-8")
    assert right.returncode == done.returncode < 70, done.stderr
    for stream, expected in ((done.stdout, right.stdout), (done.stderr, right.stderr)):
        assert "internal error" not in stream.decode(encoding)
        assert ("語" in expected.decode("utf-8")) == (
            "語" in stream.decode(encoding) or "\\u8a9e" in stream.decode(encoding)
        )
