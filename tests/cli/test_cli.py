"""The command line: what scripts rely on (output, exit codes), and errors that are one line."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest

from tokparity import __version__, models
from tokparity.cli import commands, main
from tokparity.report import file as report_file
from tokparity.report import render

pytestmark = pytest.mark.usefixtures("few_texts")

HERE = Path(__file__).parents[1]
SPM = str(models.load("small-spm").sources["sentencepiece"])
RIGHT, FAULTY = "fake_engines:Right", "reference+collapses_spaces"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
TABLES = ("index.html", "mismatches.csv", "findings.csv", "pairs.csv", "report.md", "report.jsonl")
TABLES += ("mismatches.parquet", "findings.parquet")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty directory: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def process(*argv: str, input: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "tokparity", *argv]
    return subprocess.run(command, input=input, capture_output=True, timeout=120, env=ENVIRONMENT, check=False)


OWN = ("tokparity.engines", "tokparity.models", "tokparity.report.model", "tokparity.diagnose", "http.server")
"""What a list of commands has no use for, and takes long to import."""


def test_help_is_quick() -> None:
    """Help and version load no engine, no number library and nothing of ours that only a command needs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = process("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Seconds of the processor, which a busy machine hardly changes.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5
    for name in commands():
        assert name.encode() in done.stdout
    code = "import sys, tokparity.cli\ntry: tokparity.cli.main(['--help'])\nfinally: print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set() == {name for name in ("numpy", "rich", "jinja2", "gguf", "regex", *OWN) if f"'{name}'" in loaded}
    assert "'click'" in loaded


def test_version_and_module() -> None:
    """`python -m tokparity --version` says the version."""
    assert f"tokparity {__version__}".encode() == process("--version").stdout.strip()


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_help(name: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """`tokparity COMMAND --help` explains itself."""
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert 0 == ended.value.code
    assert f"usage: tokparity {name}" in capsys.readouterr().out


def test_encode_prints_one_array(run: Run) -> None:
    """Ids in Python's spelling, special tokens on by default and off on demand, options anywhere; also -1 is a text."""
    assert (0, "[48, 52]\n", "") == run("encode", "--no-special", SPM, "-1", "--engine", RIGHT)
    assert (0, "[48, 35, 52]\n", "") == run("encode", SPM, "- 1", "--no-special", "--engine", RIGHT)
    assert (0, "[1, 100, 101]\n", "") == run("encode", SPM, "--engine", RIGHT, "ab")
    assert (0, "[100, 101]\n", "") == run("encode", "--no-special", SPM, "ab", "--engine", RIGHT)
    assert (0, "[100, 101]\n", "") == run("encode", "--sentencepiece", SPM, "--engine", RIGHT, "ab", "--no-special")


@pytest.mark.parametrize("text", ["", " ", "a\\nb", "-x", "--", "-1", "$(x) `y` 'z' \"", "\U0001f600", "\udcff\udcfe"])
def test_the_shell_text_is_taken_as_it_is(run: Run, text: str) -> None:
    """No escape is processed, and bytes that are not UTF-8 arrive as they are."""
    expected = [3 + byte for byte in os.fsencode(text)]
    assert (0, f"{expected}\n", "") == run("encode", SPM, "--engine", RIGHT, "--no-special", "--", text)


def test_encode_reads_json_lines() -> None:
    """Strings and base64, one per line; what is on a line is exactly what is encoded."""
    lines = b'"a\\nb"\n{"base64": "/w=="}\n"\\u2028"\n""\n'
    done = process("encode", SPM, "--engine", RIGHT, "--no-special", "-", input=lines)
    assert (0, b"") == (done.returncode, done.stderr)
    assert [[100, 13, 101], [258], [229, 131, 171], []] == [json.loads(line) for line in done.stdout.splitlines()]


def test_decode_reads_arrays() -> None:
    """One JSON text per line, {"base64": ...} where the bytes are not UTF-8."""
    done = process("decode", SPM, "--engine", RIGHT, "-", input=b"[1, 100, 13]\n[258]\n[]\n")
    assert (0, b"") == (done.returncode, done.stderr)
    assert ["a\n", {"base64": "/w=="}, ""] == [json.loads(line) for line in done.stdout.splitlines()]


def test_encode_without_ids_is_exit_3() -> None:
    """A crash is a line of its own and an error at the end; the other lines are there."""
    lines = '"a"\n"é"\n"b"\n'.encode()
    done = process("encode", SPM, "--engine", "fake_engines:Crashes", "--no-special", "-", input=lines)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert (3, [100], "crash", [101]) == (done.returncode, found[0], found[1]["failure"], found[2])
    assert done.stderr.startswith(b"tokparity: error: ")


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["enc0de"], 2, "did you mean 'encode'"),
        (["check", "-o", "x"], 2, "did you mean '--out'? "),
        (["check", "--ask", "streams"], 2, "did you mean 'stream'? "),
        (["encode"], 2, "no model"),
        (["encode", SPM, "--engine", RIGHT], 2, "expected 1 text"),
        (["encode", SPM, "--engine", RIGHT, "a", "b"], 2, "expected 1 text"),
        (["encode", SPM, "--engine", "llama.ccp", "a"], 2, "did you mean 'llama.cpp'"),
        (["encode", "small-spn", "--engine", RIGHT, "a"], 2, "small-spm"),
        (["encode", "/no/such/file.gguf", "--engine", RIGHT, "a"], 2, "/no/such/file.gguf"),
        (["encode", "--gguf", "/no/such.gguf", "--engine", RIGHT, "a"], 2, "/no/such.gguf"),
        (["encode", SPM, "--engine", "fake_engines:Refuses", "a"], 3, "it knows no such model"),
        (["decode", SPM, "--engine", RIGHT, "[1"], 2, "'[1'"),
        (["decode", SPM, "--engine", RIGHT, "3"], 2, "'3' is not an array of ids"),
        (["encode", SPM, "--lines", "a"], 2, "expected 0 texts"),
        (["encode", SPM, "-x"], 2, "put -- before a word that begins with a dash"),
        (["encode", SPM, "a", "--engine"], 2, "--engine needs a value, and nothing follows it"),
        (["encode", SPM, "a", "--engine", "--no-special"], 2, "--engine needs a value, and '--no-special' follows it"),
        (["encode", "modles/x", "a"], 2, "hf:modles/x"),
        (["diff", SPM, "a", "--engines", "reference"], 2, "unknown option '--engines'; did you mean '--engine'?"),
        (["render", "x", "-o", "y"], 2, "--to is missing; see `tokparity render --help`"),
        (["run", SPM, "--seconds", "abc"], 2, "--seconds 'abc' is not a number of seconds above 0"),
        (["fuzz", SPM, "--generated-models", "x"], 2, "--generated-models 'x' is not a whole number"),
        (["check", SPM, "--seed", "1.5"], 2, "--seed '1.5' is not a whole number"),
        (["run", SPM, "--corpus", "emojj"], 2, "emoji"),
        (["run", SPM, "--out", "/proc/nowhere"], 2, "/proc/nowhere"),
        (["run", SPM, "--seconds", "-1"], 2, "seconds"),
        (["run", SPM, "--seconds", "soon"], 2, "soon"),
        (["run", SPM, "--cases", "-1"], 2, "--cases '-1' is not a whole number, 0 or more"),
        (["run", SPM, "--jobs", "0"], 2, "--jobs 0"),
        (["run", SPM, SPM + "/../small-spm.model"], 2, "small-spm"),
        (["run", "--no-such-option"], 2, "--no-such-option"),
        (["models", "push"], 2, "push"),
        (["render", "/no/such.jsonl", "--to", "html", "-o", "x"], 2, "/no/such.jsonl"),
        (["render", "x", "--to", "pdf", "-o", "x"], 2, "pdf"),
        (["engines", "extra"], 2, "extra"),
    ],
)
def test_errors_are_one_line(run: Run, argv: list[str], code: int, said: str) -> None:
    """Each says the offending value and the next step, without a traceback."""
    found, out, err = run(*argv)
    assert (code, "") == (found, out)
    assert err.startswith("tokparity: error: ")
    assert 1 == err.count("\n")
    assert said in err


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.gguf", b"GGUF\x03\0\0\0"), ("b.json", b'{"a": 1}'), ("c.model", b"\xff" * 40), ("d.gguf", b"")],
)
def test_bad_model_files_are_one_line(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    """A file that is not a model is an error of its own, for encode and for run, and leaves no report behind."""
    (tmp_path / name).write_bytes(content)
    for argv in (["encode", name, "--engine", "reference", "a"], ["run", name, "--out", "out"]):
        found, _, err = run(*argv)
        assert (2, 1) == (found, err.count("\n"))
        assert err.startswith("tokparity: error: ")
    assert not (tmp_path / "out").exists()


def test_run_writes_all_files(run: Run, tmp_path: Path) -> None:
    """A run prints the matrix and writes its files; what it finds is not an error."""
    (tmp_path / "t.txt").write_text("a  b\nplain\n", encoding="utf-8")
    few = ("--corpus", "t.txt", "--cases", "0", "--out", "out")
    argv = ("run", SPM, "--engine", "reference", "--engine", FAULTY, *few)
    code, out, _ = run(*argv)
    assert 0 == code
    assert "small-spm" in out
    assert sorted(TABLES) == sorted(path.name for path in (tmp_path / "out").iterdir())
    found = report_file.read(tmp_path / "out" / "report.jsonl")
    assert {"sentencepiece", "reference", FAULTY} == set(found.engines())
    assert (SPM,) == found.header.arguments["small-spm"]
    assert ("tokparity", *argv) == found.header.command
    assert 64 == len(found.header.models["small-spm"]["small-spm.model"])
    assert len(pandas.read_csv(tmp_path / "out" / "mismatches.csv")) == len(found.mismatches) > 0


def test_default_directory_has_the_time(run: Run, tmp_path: Path) -> None:
    """Without --out the report goes to reports/<date-time>."""
    (tmp_path / "t.txt").write_text("plain\n", encoding="utf-8")
    assert 0 == run("run", SPM, "--engine", "sentencepiece", "--corpus", "t.txt", "--cases", "0")[0]
    (folder,) = (tmp_path / "reports").iterdir()
    assert (folder / "report.jsonl").is_file()


def test_check_is_1_for_new_findings(run: Run, tmp_path: Path) -> None:
    """The same run is 0 as `run` and 1 as `check`, and 0 where all agree."""
    (tmp_path / "t.txt").write_text("plain\n", encoding="utf-8")
    argv = (SPM, "--corpus", "t.txt", "--cases", "0", "--out", "out", "--engine")
    assert 0 == run("run", *argv, FAULTY)[0]
    code, out, _ = run("check", *argv, FAULTY)
    assert 1 == code
    assert f"new finding: small-spm / {FAULTY}" in out
    assert 0 == run("check", *argv, "reference")[0]
    assert 3 == run("check", *argv, "sentencepiece")[0]  # the oracle against itself is not a comparison


def test_a_named_engine_that_cannot_run_is_3(run: Run, tmp_path: Path) -> None:
    """The report is written all the same, and says why."""
    (tmp_path / "t.txt").write_text("plain\n", encoding="utf-8")
    argv = ("run", SPM, "--engine", "fake_engines:Refuses", "--corpus", "t.txt", "--cases", "0", "--out", "out")
    code, _, err = run(*argv)
    assert 3 == code
    assert "it knows no such model" in err
    assert not report_file.read(tmp_path / "out" / "report.jsonl").truncated


def test_diff_shows_both_sides(run: Run) -> None:
    """Equal engines are marked =, others !, and the exit code is that of diff(1)."""
    code, out, _ = run("diff", SPM, "hello", "--engine", RIGHT, "--engine", "sentencepiece")
    assert 1 == code
    lines = out.splitlines()
    assert any(line.startswith("= sentencepiece") and "(oracle)" in line for line in lines)
    assert any(line.startswith(f"! {RIGHT}") and "first difference: in the ids, from index " in line for line in lines)
    assert 0 == run("diff", SPM, "hello", "--engine", "sentencepiece")[0]


@pytest.mark.nightly
def test_render_from_a_stored_report(run: Run, tmp_path: Path) -> None:
    """Every format is made from report.jsonl alone."""
    (tmp_path / "t.txt").write_text("plain\n", encoding="utf-8")
    run("run", SPM, "--engine", RIGHT, "--corpus", "t.txt", "--cases", "0", "--out", "out")
    for name in ("html", "markdown", "junit", "sarif", "text"):
        assert (0, "", "") == run("render", "out/report.jsonl", "--to", name, "-o", f"x.{name}")
        render.render(name, report_file.read(tmp_path / "out" / "report.jsonl"), tmp_path / "expected")
        assert (tmp_path / "expected").read_bytes() == (tmp_path / f"x.{name}").read_bytes()
        assert b"small-spm" in (tmp_path / "expected").read_bytes()
    assert (0, "", "") == run("render", "out/report.jsonl", "--to", "csv", "-o", "tables")
    assert {"mismatches.csv", "findings.csv", "pairs.csv"} == {path.name for path in (tmp_path / "tables").iterdir()}


def test_lists(run: Run) -> None:
    """models, engines and generators list what there is."""
    assert "small-spm" in run("models")[1]
    assert "small-spm" in run("models", "list")[1]
    assert "llama.cpp" in run("engines")[1]
    assert "random_unicode" in run("generators")[1]


def test_a_closed_pipe_is_no_error() -> None:
    """`tokparity ... | head -1` ends in silence."""
    command = f"{sys.executable} -m tokparity engines | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert b"" == done.stderr


def _has_mismatch(path: Path) -> bool:
    return path.exists() and b'"mismatch"' in path.read_bytes()


def test_ctrl_c_leaves_a_whole_report(tmp_path: Path) -> None:
    """An interrupted run writes its footer and all its files."""
    (tmp_path / "t.txt").write_text("plain\n" * 2000 * 600, encoding="utf-8")
    argv = ["run", SPM, "--engine", "fake_engines:Slow", "--corpus", "t.txt", "--cases", "0", "--out", "out"]
    command = [sys.executable, "-m", "tokparity", *argv]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=-1, stderr=-1) as child:
        path = tmp_path / "out" / "report.jsonl"
        deadline = time.monotonic() + 60
        while child.poll() is None and time.monotonic() < deadline and not _has_mismatch(path):
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
        assert (130, True) == (child.returncode, b"Traceback" not in err)
    found = report_file.read(path)
    assert found.footer is not None
    assert "interrupted" == found.footer.ended
    assert sorted(TABLES) == sorted(path.name for path in (tmp_path / "out").iterdir())


def test_convert_writes_what_reads_the_same(run: Run, tmp_path: Path) -> None:
    """A known model's file in another format, read again; the source itself is never written to."""
    code, out, _ = run("convert", "small-spm", "--to", "gguf", "-o", "small.gguf")
    assert (0, True) == (code, "read again: the same ids on every text that was tried" in out)
    code, out, _ = run("convert", "small.gguf", "--to", "sentencepiece", "-o", "small.model")
    assert (0, True) == (code, (tmp_path / "small.model").is_file())
    code, _, err = run("convert", "small.gguf", "--to", "gguf", "-o", "small.gguf")
    assert (2, True) == (code, "is the source itself" in err)


def test_convert_names_what_a_format_has_no_words_for(run: Run, tmp_path: Path) -> None:
    """An error, and no file."""
    code, _, err = run("convert", "small-bpe", "--to", "sentencepiece", "-o", "small.model")
    assert (2, 1, False) == (code, len(err.splitlines()), (tmp_path / "small.model").exists())
