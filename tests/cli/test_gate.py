"""The gate as a stranger meets it: whether the last sentence and the exit code are true for their file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rings import nightly_but
from tokparity import cli, models
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.models.record import Model
from tokparity.report.file import read

pytestmark = pytest.mark.usefixtures("few_texts")

FEW = ("--engine", "llama.cpp", "--cases", "20", "--corpus", "prompts", "--corpus", "whitespace")
OWN = {"small-bpe": "tokenizer.json", "small-spm": "sentencepiece", "small-unigram": "sentencepiece"}
"""The format of each model's own tokenizer."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each embedded model as a GGUF, and its own tokenizer beside it."""
    folder = tmp_path_factory.mktemp("files")
    for name, own in (
        ("small-bpe", "tokenizer.json"),
        ("small-spm", "sentencepiece"),
        ("small-unigram", "sentencepiece"),
    ):
        assert 0 == cli.main(["convert", name, "--to", "gguf", "-o", str(folder / f"{name}.gguf")])
        suffix = "json" if own == "tokenizer.json" else "model"
        (folder / f"{name}.{suffix}").write_bytes(models.load(name).sources[own].read_bytes())
    return folder


def own(files: Path, name: str) -> list[str]:
    """The words that give a model's own tokenizer."""
    file = files / f"{name}.json"
    return ["--tokenizer-json", str(file)] if file.exists() else ["--sentencepiece", str(files / f"{name}.model")]


def check(capsys: pytest.CaptureFixture[str], out: Path, *words: str) -> tuple[int, str]:
    """The exit code and the last line of `tokparity check`."""
    code = cli.main(["check", *words, *FEW, "--out", str(out)])
    return code, capsys.readouterr().out.strip().splitlines()[-1]


BROKEN: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("small-bpe", "pre", lambda value: b"llama-bpe"),
    ("small-spm", "add_space_prefix", lambda value: False),
    ("small-bpe", "add_bos_token", lambda value: not value),
    ("small-spm", "token_type", lambda kinds: array("i", [1 if kind == 3 else kind for kind in kinds])),
    ("small-unigram", "scores", lambda scores: array("f", [-score for score in scores])),
    ("small-unigram", "precompiled_charsmap", lambda value: None),
]


@pytest.mark.parametrize(
    ("name", "key", "broken"), nightly_but(BROKEN[:1], BROKEN), ids=[f"{name}-{key}" for name, key, _ in BROKEN]
)
def test_a_broken_file_is_wrong_and_its_key_is_named(
    name: str,
    key: str,
    broken: Callable[[Any], Any],
    files: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the model's own tokenizer beside it; the sentence names what to run, which repairs it."""
    from tokparity.formats.gguf_metadata import read_metadata

    full = f"tokenizer.ggml.{key}"
    field = read_metadata(files / f"{name}.gguf").fields.get(full)
    bad = tmp_path / "bad.gguf"
    rewrite(files / f"{name}.gguf", {full: broken(None if field is None else field.value)}, bad)
    code, sentence = check(capsys, tmp_path / "out", "--gguf", str(bad), *own(files, name))
    assert 1 == code
    assert sentence.startswith(f"Your GGUF is wrong: {full} ")
    fixed = tmp_path / "fixed.gguf"
    against = own(files, name)[1]
    assert f"tokparity doctor {bad} --against {against} --write fixed.gguf" in sentence
    assert 0 == cli.main(["doctor", str(bad), "--against", against, "--write", str(fixed)])
    capsys.readouterr()
    assert 0 == check(capsys, tmp_path / "again", "--gguf", str(fixed), *own(files, name))[0]


@pytest.mark.parametrize("name", nightly_but(["small-spm"], ["small-bpe", "small-spm", "small-unigram"]))
def test_a_right_file_is_right(name: str, files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Although llama.cpp itself differs: what it does on every model is known, on a model of the user's as well."""
    code, sentence = check(capsys, tmp_path, "--gguf", str(files / f"{name}.gguf"), *own(files, name))
    assert (0, True) == (code, sentence.startswith("Your file is right: ")), sentence
    assert "llama.cpp has " in sentence
    for page in ("index.html", "report.md"):
        assert "Your file is right" in (tmp_path / page).read_text(encoding="utf-8")


@pytest.mark.nightly
def test_a_right_file_beside_the_merges_it_has_scores_for(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Llama's own tokenizer.json lists merges; that llama.cpp decodes otherwise is as well known of it there."""
    own = tmp_path / "tokenizer.json"
    assert 0 == cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(own)])
    words = ["--gguf", str(files / "small-spm.gguf"), "--tokenizer-json", str(own)]
    code, sentence = check(capsys, tmp_path / "out", *words)
    assert (0, True) == (code, sentence.startswith("Your file is right: ")), sentence


def test_a_file_alone_proves_nothing(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The oracle reads our export of it: that all agree says nothing, and is not a green."""
    code, sentence = check(capsys, tmp_path, "--gguf", str(files / "small-bpe.gguf"))
    assert 3 == code
    assert "no independent source" in sentence
    assert "add --tokenizer-json or --sentencepiece" in sentence
    assert sentence.endswith("sentencepiece.")
    for page in ("index.html", "report.md"):
        assert "no independent source" in (tmp_path / page).read_text(encoding="utf-8")


def test_that_there_will_be_no_verdict_is_told_first(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any engine is opened; a model that has a source of its own is told nothing of the kind."""
    words = ["--engine", "reference", "--cases", "2", "--corpus", "prompts", "--out", str(tmp_path)]
    assert 3 == cli.main(["check", "--gguf", str(files / "small-bpe.gguf"), *words])
    first, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("tokparity: no independent source: all that is known of small-bpe comes from the file")
    assert 0 == cli.main(["check", "--gguf", str(files / "small-bpe.gguf"), *own(files, "small-bpe"), *words])
    assert 0 == cli.main(["check", "small-bpe", *words])
    assert "no independent source" not in capsys.readouterr().err


def test_a_tokenizer_alone_is_its_own_source(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The oracle opens the file as it is, so engines can be judged by it."""
    assert 0 == check(capsys, tmp_path, *own(files, "small-bpe"))[0]


@pytest.mark.parametrize("words", [["--cases", "0", "--corpus", "/dev/null"], ["--seconds", "0.001"]])
def test_nothing_compared_is_no_green(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The clock starts when the engines are open; where nothing was put even so, that is said."""
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    words = [str(empty) if word == "/dev/null" else word for word in words]
    code = cli.main(["check", "small-bpe", "--engine", "reference", "--out", str(tmp_path / "out"), *words])
    report = read(tmp_path / "out" / "report.jsonl")
    compared = sum(pair.compared for pair in report.pairs if pair.engine != pair.oracle)
    assert (3 if compared == 0 else 0) == code
    assert ("nothing was compared" in capsys.readouterr().out) == (compared == 0)


def test_texts_of_known_deviations_alone_are_no_green(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever asks for no text at all has compared nothing, though what is known of engines has texts of its own."""
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    words = ["--gguf", str(files / "small-bpe.gguf"), *own(files, "small-bpe"), "--cases", "0", "--corpus", str(empty)]
    code = cli.main(["check", *words, "--out", str(tmp_path / "out")])
    out = capsys.readouterr().out
    assert 3 == code
    assert "No verdict: nothing was compared" in out
    assert "is right" not in out


def test_the_tokenizer_of_another_model_is_told_at_once(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody wants to wait for a thousand findings to see that the wrong file was given."""
    words = ["--gguf", str(files / "small-bpe.gguf"), *own(files, "small-spm"), *FEW]
    assert 2 == cli.main(["check", *words, "--out", str(tmp_path / "out")])
    told = "these are two models: the source has the vocabulary of small-spm, the GGUF has that of small-bpe"
    assert told in capsys.readouterr().err


def test_a_right_file_says_on_how_many_cases(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence holds for what was compared, so it says how much that was."""
    code, sentence = check(capsys, tmp_path, "--gguf", str(files / "small-bpe.gguf"), *own(files, "small-bpe"))
    pair = next(pair for pair in read(tmp_path / "report.jsonl").pairs if pair.engine == "llama.cpp")
    assert 0 == code
    assert f"({pair.compared:,} cases compared)" in sentence


def test_a_missing_oracle_is_no_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However well the reference agrees with itself."""
    from dataclasses import replace

    real = models.load("small-spm")
    lost: Model = replace(real, oracle="fake_engines:Refuses", pinned=True)
    monkeypatch.setattr(models, "resolve", lambda name: lost)
    code = cli.main(["check", "small-spm", *FEW, "--out", str(tmp_path)])
    out = capsys.readouterr().out
    assert 3 == code
    assert "the oracle of small-spm, could not be run" in out


@pytest.mark.nightly
@pytest.mark.parametrize(("number", "code"), nightly_but([(2, 130)], [(signal.SIGINT, 130), (signal.SIGTERM, 143)]))
def test_an_interrupted_check_is_no_green(number: signal.Signals, code: int, tmp_path: Path) -> None:
    """It says so, and ends as a shell expects it."""
    words = ["check", "small-spm", "small-bpe", *FEW[:2], "--cases", "2000000", "--corpus", "prompts"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tokparity", *words, "--out", str(tmp_path)], stdout=-1, stderr=-1, text=True
    )
    until = time.monotonic() + 100
    while time.monotonic() < until and b'"pair"' not in _written(tmp_path / "report.jsonl"):
        time.sleep(0.1)
    process.send_signal(number)
    out, _ = process.communicate(timeout=100)
    assert code == process.returncode
    assert "No verdict: the run was interrupted" in out
    assert "small-spm: not all texts were compared: the run was interrupted" in out
    assert (
        "small-spm: whether known or accepted findings have vanished is not known: not all texts were compared" in out
    )
    assert "new finding" not in out


def _written(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


@pytest.mark.nightly
def test_the_gates_answer_does_not_depend_on_how_many_texts_there_were(tmp_path: Path) -> None:
    """Known deviations are recognized by their cause, also on few texts."""
    codes = [
        cli.main(
            ["check", "small-wordpiece", "--cases", cases, "--seed", seed, "--out", str(tmp_path / f"{cases}{seed}")]
        )
        for cases, seed in (("20", "0"), ("200", "1"))
    ]
    assert [0, 0] == codes


@pytest.mark.nightly
def test_a_known_deviation_that_nobody_wrote_down_is_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting a line of the engine's list turns the check red; a line for what does not occur counts for nothing."""
    from tokparity.engines import deviations
    from tokparity.engines.deviations import Deviation

    listed = deviations.known("llama.cpp")
    less = tuple(deviation for deviation in listed if deviation.quirk != "cleans_up_spaces")
    for module in ("tokparity.engines.deviations", "tokparity.session.deviations"):
        monkeypatch.setattr(f"{module}.known", lambda engine: less if engine == "llama.cpp" else ())
    assert 1 == cli.main(["check", "small-bpe", *FEW, "--out", str(tmp_path / "less")])
    assert "new finding: small-bpe / llama.cpp: llama.cpp-cleans_up_spaces" in capsys.readouterr().out
    more = (*listed, Deviation("llama.cpp", "omits_eos", (json.dumps("a"),)))
    for module in ("tokparity.engines.deviations", "tokparity.session.deviations"):
        monkeypatch.setattr(f"{module}.known", lambda engine: more if engine == "llama.cpp" else ())
    assert 0 == cli.main(["check", "small-unigram", *FEW, "--out", str(tmp_path / "more")])
    assert "omits_eos" not in capsys.readouterr().out


_ENGINE = """
from tokenizers import Tokenizer
T = Tokenizer.from_file({path!r})
T.encode_special_tokens = True
def encode(text):
    for c in {bad!r}: text = text.replace(c, "q")
    return T.encode(text, add_special_tokens=False).ids
"""


def test_an_accepted_text_hides_no_other_regression(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An engine that takes Q for q is accepted; one that then takes R for q as well is new."""
    monkeypatch.chdir(tmp_path)
    assert 0 == cli.main(["init", str(files / "small-bpe.json")])
    words = ["--engine", "./e.py:encode", "--cases", "40", "--corpus", "code", "--out", "out"]

    def checked(bad: str, *more: str) -> tuple[int, str]:
        (tmp_path / "e.py").write_text(_ENGINE.format(path=str(files / "small-bpe.json"), bad=bad))
        return cli.main(["check", *words, *more]), capsys.readouterr().out

    assert 0 == checked("Q", "--update")[0]
    assert "told = " in Path("tokparity.toml").read_text()
    assert 0 == checked("Q")[0]
    code, said = checked("QR")
    assert 1 == code, said
    assert 'what is accepted ("Q") is not in the texts of ' in said
    assert "1 new finding: ./e.py:encode" in said.splitlines()[-1]


def test_a_directory_without_a_list_is_said_to_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Green is about other models than the user's then."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "names", lambda: ("small-bpe",))
    assert 0 == cli.main(["check", *FEW, "--out", "out"])
    assert "the models that come with tokparity were checked, not yours" in capsys.readouterr().out.splitlines()[-2]
