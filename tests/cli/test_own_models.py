"""A user's own models on the command line: names, init, check --update and what it refuses, annotations."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tokparity import formats
from tokparity.cli import main
from tokparity.models.record import EMBEDDED

pytestmark = pytest.mark.usefixtures("few_texts")

Run = Callable[..., tuple[int, str, str]]
LIST = '# ours\n[models.toy]\ntokenizer-json = "tokenizer.json"\nengines = ["{engine}"]\n'
COLLAPSES = "reference+collapses_spaces"
QUICK = ("--corpus", "texts.txt", "--cases", "8", "--out", "out")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a directory with a tokenizer.json and a few texts: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(EMBEDDED / "small-bpe.json", tmp_path / "tokenizer.json")
    (tmp_path / "texts.txt").write_text("plain\ntwo  spaces\n ends \n")

    def call(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def write_list(engine: str) -> None:
    """The list, with one engine."""
    Path("tokparity.toml").write_text(LIST.format(engine=engine))


def test_a_name_is_known_everywhere(run: Run, tmp_path: Path) -> None:
    """In the directory, and from elsewhere with --models; known models stay what they are."""
    write_list(COLLAPSES)
    expected = run("encode", "small-bpe", "Hello")
    assert (0, expected[1]) == run("encode", "toy", "Hello")[:2]
    assert (1, 0) == (run("diff", "toy", "a  b")[0], run("explain", "toy", "a")[0])
    (tmp_path / "elsewhere").mkdir()
    assert 0 == run("decode", "--models", str(tmp_path), "toy", "[1]")[0]
    code, _, error = run("encode", "--models", "elsewhere", "toy", "Hello")
    assert (2, True) == (code, "tokparity init" in error)
    assert 2 == run("encode", "toys", "Hello")[0]


def test_a_known_name_is_refused(run: Run) -> None:
    """Also where another model is named: nobody is to wonder which of two was run."""
    Path("tokparity.toml").write_text('[models.small-bpe]\ntokenizer-json = "tokenizer.json"\n')
    code, _, error = run("encode", "small-bpe", "Hello")
    assert (2, True) == (code, "line 1: 'small-bpe' is a model that tokparity knows itself" in error)


def test_update_writes_what_was_found(run: Run) -> None:
    """Red, then green with a reason; when the engine is mended, red again until the list is updated."""
    write_list(COLLAPSES)
    assert 1 == run("check", *QUICK)[0]
    code, out, _ = run("check", "--update", *QUICK)
    text = Path("tokparity.toml").read_text()
    assert (0, True) == (code, text.startswith(LIST.format(engine=COLLAPSES)))
    for line in ('+quirks = ["collapses_spaces"]', '+reason = "Collapses runs of spaces and drops spaces at the ends"'):
        assert line in out
    assert "tokparity.toml: 1 entry added; say in the reason of each that was added why it may stay" in out
    assert 0 == run("check", *QUICK)[0]
    assert (0, text) == (run("check", "--update", *QUICK)[0], Path("tokparity.toml").read_text())
    mine = text.replace("Collapses runs of spaces", "We know that it collapses runs of spaces")
    Path("tokparity.toml").write_text(mine)
    assert (0, mine) == (run("check", "--update", *QUICK)[0], Path("tokparity.toml").read_text())


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--summary"])
def test_a_file_that_cannot_be_written_is_told_before_the_run(run: Run, option: str) -> None:
    """With the option that named it, and nothing is run for it."""
    write_list("reference")
    for path in ("nowhere/x.xml", "."):
        code, _, error = run("check", *QUICK, option, path)
        assert (2, True) == (code, f"cannot write {option} '{path}': " in error)
        assert f"; give another {option}" in error
    assert not Path("out").exists()


def test_vanished_goes_by_update(run: Run) -> None:
    """An entry of an engine that no longer does it."""
    entry = '\n[[models.toy.accepted]]\nengine = "reference"\nquirks = ["collapses_spaces"]\nreason = "r"\n'
    write_list("reference")
    before = Path("tokparity.toml").read_text()
    Path("tokparity.toml").write_text(before + entry)
    code, out, _ = run("check", *QUICK, "--annotations", "github", "--junit", "j.xml")
    assert (1, True) == (code, "::error file=tokparity.toml,line=2,title=reference on toy%3A vanished" in out)
    assert 'type="vanished"' in Path("j.xml").read_text()
    assert out.splitlines()[-1] == (
        "1 finding that was known or accepted did not occur; "
        "if that is as it should be, `tokparity check --update` brings the list up to date."
    )
    code, out, _ = run("check", "--update", *QUICK)
    told = "tokparity.toml: 1 entry removed, for what did not occur any more"
    assert (0, told) == (code, out.splitlines()[-1])
    assert before == Path("tokparity.toml").read_text()
    assert 0 == run("check", *QUICK)[0]


def test_entries_that_nobody_could_look_at_are_told(run: Run) -> None:
    """In one line; whether they still occur is not known, so that the exit code stays."""
    write_list("reference")
    entry = '\n[[models.toy.accepted]]\nengine = "{}"\nquirks = ["collapses_spaces"]\nreason = "r"\n'.format
    entries = entry("llama.cpp") + entry(COLLAPSES) + entry("llama.cpp")
    Path("tokparity.toml").write_text(Path("tokparity.toml").read_text() + entries)
    code, out, _ = run("check", *QUICK, "--engine", COLLAPSES)
    assert 0 == code
    assert ["not checked, because their engine did not run: tokparity.toml: toy / llama.cpp (lines 6, 16)"] == [
        line for line in out.splitlines() if "not checked" in line
    ]
    code, out, _ = run("check", *QUICK)
    assert 0 == code
    told = [f"tokparity.toml: toy / {engine}" for engine in ("llama.cpp (lines 6, 16)", f"{COLLAPSES} (line 11)")]
    assert f"not checked, because their engine did not run: {', '.join(told)}" in out.splitlines()


def test_an_entry_of_no_engine_is_a_wrong_list(run: Run) -> None:
    """It would never be looked at, and nobody would know."""
    write_list("reference")
    entry = '\n[[models.toy.accepted]]\nengine = "llama.cp"\nquirks = ["collapses_spaces"]\nreason = "r"\n'
    Path("tokparity.toml").write_text(Path("tokparity.toml").read_text() + entry)
    code, _, error = run("check", *QUICK)
    assert 2 == code
    assert "tokparity.toml line 7: 'llama.cp' is not an engine; did you mean 'llama.cpp'?" in error


def test_what_was_not_run_is_not_touched(run: Run) -> None:
    """Another engine's entry stays, though nothing met it; and so does another model's."""
    write_list("reference")
    entry = '\n[[models.toy.accepted]]\nengine = "llama.cpp"\nquirks = ["collapses_spaces"]\nreason = "r"\n'
    text = Path("tokparity.toml").read_text() + entry + '\n[models.other]\ntokenizer-json = "tokenizer.json"\n'
    Path("tokparity.toml").write_text(text)
    assert (0, text) == (run("check", "toy", "--update", *QUICK)[0], Path("tokparity.toml").read_text())


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES], ids=errno.errorcode.get)
def test_a_list_that_cannot_be_written_is_74(number: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line with the file, after the change was shown; the list is as it was."""

    def refused(path: Path, data: bytes) -> None:
        raise OSError(number, os.strerror(number), f".{path.name}.123")

    write_list(COLLAPSES)
    monkeypatch.setattr("tokparity.cli.updating.put", refused)
    code, out, error = run("check", "--update", *QUICK)
    assert 74 == code
    assert '+quirks = ["collapses_spaces"]' in out
    assert f"error: cannot write 'tokparity.toml': {os.strerror(number)}; " in error
    assert LIST.format(engine=COLLAPSES) == Path("tokparity.toml").read_text()


@pytest.mark.parametrize(
    ("engine", "words", "why"),
    [
        (COLLAPSES, ("--seconds", "0.001"), "time limit"),
        ("reference", ("--engine", "nowhere:Engine"), "could not be run"),
    ],
)
def test_update_refuses_half_a_run(run: Run, engine: str, words: tuple[str, ...], why: str) -> None:
    """Exit 3, the reason, and the list as it was."""
    write_list(engine)
    code, _, error = run("check", "--update", *QUICK, *words)
    assert (LIST.format(engine=engine), code in (2, 3)) == (Path("tokparity.toml").read_text(), True)
    assert why in error or code == 2


def test_update_refuses_an_interrupted_run(run: Run) -> None:
    """SIGINT while it runs: as soon as the run has a handler of its own, however long that takes.

    Where SIGINT is ignored, as in the background of a script, a command has another handler before the run begins.
    """
    write_list(COLLAPSES)
    before = signal.default_int_handler
    ours = signal.signal(signal.SIGINT, before)

    def interrupt() -> None:
        until = time.monotonic() + 60
        while signal.getsignal(signal.SIGINT) is before and time.monotonic() < until:
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    code, _, error = run("check", "--update", "--cases", "300000", "--corpus", "texts.txt", "--out", "out")
    thread.join()
    signal.signal(signal.SIGINT, ours)
    assert (130, True) == (code, "was not updated: the run was interrupted" in error)
    assert LIST.format(engine=COLLAPSES) == Path("tokparity.toml").read_text()


def test_update_needs_a_list(run: Run) -> None:
    """A known model, or files, stand in none: told before anything is run."""
    for words in (("small-bpe",), ("--tokenizer-json", "tokenizer.json")):
        code, out, error = run("check", "--update", *words)
        assert (2, "", True) == (code, out, "`tokparity init FILE...` writes one" in error)


def test_init_finds_formats_and_models(run: Run) -> None:
    """Files of one tokenizer are one model; two GGUFs of it are two; another tokenizer is another model."""
    formats.write(formats.read(Path("tokenizer.json")), "gguf", Path("a.gguf"))
    shutil.copy("a.gguf", "b.gguf")
    shutil.copy(EMBEDDED / "small-spm.model", "small-spm.model")
    code, out, _ = run("init", "a.gguf", "tokenizer.json", "b.gguf", "small-spm.model")
    assert (0, True) == (code, "my-small-spm: small-spm.model; judged by sentencepiece" in out)
    text = Path("tokparity.toml").read_text()
    assert '[models.a]\ngguf = "a.gguf"\ntokenizer-json = "tokenizer.json"' in text
    assert '[models.b]\ngguf = "b.gguf"\ntokenizer-json = "tokenizer.json"' in text
    code, _, error = run("init", "a.gguf")
    assert (2, text) == (code, Path("tokparity.toml").read_text())
    assert "already exists" in error
    code, out, _ = run("init", "--gguf", "a.gguf", "--force")
    assert (0, True, True) == (code, "written over" in out, "no independent source of a" in out)
    assert 2 == run("init", "--force")[0]
    assert 2 == run("init", "nowhere.gguf", "--force")[0]
    Path("empty").mkdir()
    assert "holds no tokenizer" in run("init", "empty", "--force")[2]
    shutil.copy("tokenizer.json", "again.json")
    assert "are the same tokenizer in the same format" in run("init", "tokenizer.json", "again.json", "--force")[2]


def test_init_leaves_reports_out_of_git(run: Run, tmp_path: Path) -> None:
    """A .gitignore is written where there is none, and one that is there stays as it is."""
    words = ("init", str(EMBEDDED / "small-spm.model"))
    assert ".gitignore written" in run(*words)[1]
    assert "reports/" in (tmp_path / ".gitignore").read_text("utf-8").splitlines()
    (tmp_path / ".gitignore").write_text("*.bin\n", "utf-8")
    assert ".gitignore" not in run(*words, "--force")[1]
    assert "*.bin\n" == (tmp_path / ".gitignore").read_text("utf-8")


@pytest.mark.nightly
def test_files_of_one_name_are_told_apart(run: Run, tmp_path: Path) -> None:
    """By their folders; the report has both."""
    for folder in ("one/m", "two/m"):
        Path(folder).mkdir(parents=True)
        shutil.copy("tokenizer.json", f"{folder}/tokenizer.json")
    run("run", "one/m/tokenizer.json", "two/m/tokenizer.json", "--engine", "reference", *QUICK)
    header = json.loads(Path("out/report.jsonl").read_text().splitlines()[0])
    assert ["one/m", "two/m"] == list(header["models"])
    assert {"one/m": ["one/m/tokenizer.json", 1], "two/m": ["two/m/tokenizer.json", 1]} == header["places"]
