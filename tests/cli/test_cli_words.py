"""What the command line takes: defaults, other ways to say the same, what a shell may complete."""

from __future__ import annotations

import csv
import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tokparity import formats, models
from tokparity.cli import main
from tokparity.cli.options import on_hub_if_online
from tokparity.report.file import read
from tokparity.report.render.command import reproduce

pytestmark = pytest.mark.usefixtures("few_texts")

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


def process(*argv: str, input: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "tokparity", *argv]
    return subprocess.run(
        command, input=input, capture_output=True, timeout=120, env={**os.environ, **environment}, check=False
    )


def test_the_oracle_is_the_default_engine(run: Run) -> None:
    """encode and decode ask it where no engine is named."""
    assert run("encode", "small-spm", "hello", "--engine", "sentencepiece") == run("encode", "small-spm", "hello")
    assert run("encode", "small-bpe", "hello", "--engine", "tokenizers") == run("encode", "small-bpe", "hello")


def test_decode_takes_ids_as_a_word(run: Run) -> None:
    """There and back."""
    ids = run("encode", "small-bpe", "hello world", "--no-special")[1].strip()
    assert (0, '"hello world"\n', "") == run("decode", "small-bpe", ids)


def test_encode_reads_plain_lines() -> None:
    """A line is a text as it is: no JSON, bytes that are not UTF-8, a carriage return, no newline at the end."""
    lines = [b'"a"', b"\xff", b"", b"b\r", b"-1"]
    done = process("encode", "small-spm", "--lines", "--no-special", "--engine", "reference", input=b"\n".join(lines))
    spelled = [json.dumps(os.fsdecode(line)) if line != b"\xff" else '{"base64": "/w=="}' for line in lines]
    asked = process(
        "encode", "small-spm", "-", "--no-special", "--engine", "reference", input="\n".join(spelled).encode()
    )
    assert (0, b"", 5) == (done.returncode, done.stderr, done.stdout.count(b"\n"))
    assert asked.stdout == done.stdout


def test_what_a_report_on_a_file_and_its_source_prints_can_be_typed(run: Run, tmp_path: Path) -> None:
    """The commands that show one of its texts again, and those of a long text of a corpus, take --against as well."""
    gguf, out = str(tmp_path / "m.gguf"), str(tmp_path / "out")
    formats.write(formats.read(models.load("small-spm").sources["sentencepiece"]), "gguf", Path(gguf))
    assert 0 == run("check", gguf, "--against", "small-spm", "--engine", "llama.cpp", "--quick", "--out", out)[0]
    report = read(Path(out) / "report.jsonl")
    plain = [one for one in report.mismatches if one.case.question.shown.isascii()]
    words = shlex.split(reproduce(report, plain[0]))
    assert ["tokparity", "diff", gguf, "--against", "small-spm"] == words[:5]
    code, told, _ = run(*words[1:])
    assert (1, True) == (code, "llama.cpp" in told)
    few = ("--engine", "llama.cpp", "--cases", "1", "--corpus", "prompts", "--out", out)
    assert 0 == run("run", gguf, "--against", "small-spm", *few)[0]


@pytest.mark.parametrize("argv", [("doctor", "x.gguf"), ("lint", "x.gguf", "--no-engines")], ids=" ".join)
def test_against_takes_a_known_model(argv: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    """Its name, its file and a directory that holds it say the same; other words say what is near."""
    path = models.load("small-spm").sources["sentencepiece"]
    formats.write(formats.read(path), "gguf", tmp_path / "x.gguf")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "tokenizer.model").write_bytes(path.read_bytes())
    by_file = run(*argv, "--against", str(path))
    assert (0, "") == (by_file[0], by_file[2])
    assert by_file == run(*argv, "--against", "small-spm") == run(*argv, "--against", "own")
    code, _, err = run(*argv, "--against", "small-smp")
    assert (2, True) == (code, "unknown model 'small-smp'; did you mean small-spm" in err)


def test_render_to_standard_output(run: Run, tmp_path: Path) -> None:
    """What -o FILE would hold; formats of several files say so."""
    (tmp_path / "t.txt").write_text("plain\n")
    run("run", "small-spm", "--engine", "reference", "--corpus", "t.txt", "--cases", "0", "--out", "out")
    for name in ("html", "markdown", "junit", "sarif", "text"):
        assert (0, "", "") == run("render", "out/report.jsonl", "--to", name, "-o", "file")
        assert (0, (tmp_path / "file").read_text(), "") == run("render", "out/report.jsonl", "--to", name, "-o", "-")
    code, out, err = run("render", "out/report.jsonl", "--to", "csv", "-o", "-")
    assert (2, "", True) == (
        code,
        out,
        "csv is 3 files: mismatches.csv, findings.csv, pairs.csv; give a directory" in err,
    )


def test_render_an_issue(run: Run, tmp_path: Path) -> None:
    """About the finding whose key is given; --finding is for nothing else."""
    (tmp_path / "t.txt").write_text("a  b\n")
    engine = "reference+omits_space_prefix"
    run("run", "small-spm", "--engine", engine, "--corpus", "t.txt", "--cases", "0", "--out", "out")
    with (tmp_path / "out" / "findings.csv").open(encoding="utf-8") as file:
        keys = [row["finding_key"] for row in csv.DictReader(file)]
    code, out, err = run("render", "out/report.jsonl", "--to", "issue", "--finding", keys[0], "-o", "-")
    assert (0, "", True) == (code, err, out.startswith("# reference"))
    assert (0, "", "") == run("render", "out/report.jsonl", "--to", "issue", "--finding", keys[0], "-o", "x.md")
    assert out == (tmp_path / "x.md").read_text(encoding="utf-8")
    for argv, said in (
        (("--to", "issue", "--finding", "nokey"), "the report has no finding 'nokey'"),
        (("--to", "html", "--finding", keys[0]), "--finding is for --to issue, not html"),
    ):
        code, _, err = run("render", "out/report.jsonl", *argv, "-o", "-")
        assert (2, True) == (code, said in err)


def test_a_lost_oracle_is_no_verdict(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """diff does not say that all is equal where nobody could say what is right."""
    from tokparity.engines.sentencepiece import ENGINE
    from tokparity.errors import MissingDependencyError

    def lost(self: object) -> str:
        raise MissingDependencyError("no sentencepiece here", "install it")

    monkeypatch.setattr(type(ENGINE), "version", lost)
    code, _, err = run("diff", "small-spm", "a", "--engine", "reference")
    assert (3, True) == (code, "engine 'sentencepiece' could not be run" in err)


def test_online(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """ORG/NAME is the hub's with --online, wherever that stands, for models and not for texts."""
    asked: list[str] = []

    def download(hub_id: str, **_: object) -> str:
        asked.append(hub_id)
        return str(models.load("small-spm").sources["sentencepiece"])

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    expected = run("encode", "small-spm", "a/b")
    assert expected == run("encode", "org/name", "a/b", "--online") == run("encode", "hf:org/name", "a/b")
    argv = ("--corpus", "t.txt", "--cases", "0", "--engine", "reference", "--out", "out")
    (tmp_path / "t.txt").write_text("plain\n")
    assert 0 == run("run", "org/other", *argv, "--online")[0]
    assert ["org/name", "org/name", "org/other"] == asked
    assert 2 == run("run", "org/other", *argv)[0]
    (tmp_path / "org").mkdir()
    assert ["org/x", "hf:org/x", "hf:a/b"] == [
        on_hub_if_online("org/x", False), on_hub_if_online("org/x", True), on_hub_if_online("hf:a/b", True)
    ]  # fmt: skip
    (tmp_path / "org" / "x").touch()
    assert "org/x" == on_hub_if_online("org/x", True)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("d", "decode diagnose diff doctor"),
        ("encode small-s", "small-spm"),
        ("run small-bpe --engine ref", "reference"),
        ("diff --engine reference+omits_b", "reference+omits_bos"),
        ("fuzz --generator ti", "ties"),
        ("run --corpus emo", "emoji"),
        ("quirks greedy", "greedy_longest_match greedy_longest_match_with_marker"),
        ("encode small-spm --no", "--no-special"),
    ],
)
def test_completion(typed: str, offered: str) -> None:
    """What bash is told to offer."""
    words = f"tokparity {typed}"
    number = str(len(words.split()) - 1)
    done = process(COMP_WORDS=words, COMP_CWORD=number, _TOKPARITY_COMPLETE="bash_complete")
    assert (0, b"") == (done.returncode, done.stderr)
    assert offered.split() == [line.partition(",")[2] for line in done.stdout.decode().split()]


@pytest.mark.nightly
def test_keep_raises_what_a_report_holds(run: Run, tmp_path: Path) -> None:
    """All are counted; of each kind so many are stored as was asked for, and one at least must be."""
    stored = []
    for number in ("3", "5"):
        words = ("--engine", "reference+greedy_longest_match", "--corpus", "prompts", "--cases", "100")
        out = tmp_path / number
        assert 0 == run("run", "small-bpe", *words, "--keep", number, "--out", str(out))[0]
        report = read(out / "report.jsonl")
        pair = next(pair for pair in report.pairs if pair.engine == words[1])
        kept = Counter(m.kind for m in report.mismatches if m.engine == words[1] and not m.case.origin.shrunk)
        assert pair.found - pair.not_stored == kept.total()
        stored.append(max(kept.values()))
    assert [3, 5] == stored
    assert 2 == run("run", "small-bpe", "--keep", "0")[0]
