"""The loader's table: what AutoTokenizer makes of one file by configuration and version, judged by the raw file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tokparity.case import text_case
from tokparity.cli import main, running
from tokparity.cli.arguments import Named
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.placed import placed
from tokparity.engines.lines import AdapterEnded, AdapterSilent, Lines
from tokparity.errors import CannotExpressError, EngineError
from tokparity.loader import table
from tokparity.loader.configurations import Configuration, shape
from tokparity.loader.files import FILES, page, write
from tokparity.loader.library import Library
from tokparity.loader.table import Cell, Limits, cells_of
from tokparity.models import Model, from_path, load, prepare, primary_source
from tokparity.session import explain

QUICK = Limits(cases=20, seconds=5.0)
NEUTRAL = Configuration("PreTrainedTokenizerFast")
PREFIXED = Configuration("GPT2Tokenizer", "gpt2", (("add_prefix_space", True),))


def refused(model: Model, error: CannotExpressError) -> None:
    """No model of these tests may be left out."""
    raise error


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two configurations: one that changes nothing, and one that does at every version."""
    monkeypatch.setattr(table, "configurations", lambda source, model: iter((NEUTRAL, PREFIXED)))


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A byte-level file that splits digits in threes, as Granite's and OLMo 2's do, with a piece for "2023"."""
    content = json.loads(load("small-bpe").sources["tokenizer.json"].read_text(encoding="utf-8"))
    vocabulary, merges = content["model"]["vocab"], content["model"]["merges"]
    for left, right in (("2", "0"), ("2", "3"), ("20", "23"), ("20", "2")):
        if left + right not in vocabulary:
            vocabulary[left + right] = 1 + max(
                *vocabulary.values(), *(token["id"] for token in content["added_tokens"])
            )
            merges.append([left, right] if isinstance(merges[0], list) else f"{left} {right}")
    split = {"type": "Split", "pattern": {"Regex": r"\p{N}{1,3}"}, "behavior": "Isolated", "invert": False}
    bytes_too = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    content["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, bytes_too]}
    path = tmp_path_factory.mktemp("digits") / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("small-bpe", "byte-level"),
        ("small-spm", "marker"),
        ("small-unigram", "unigram"),
        ("small-wordpiece", "wordpiece"),
    ],
)
def test_the_kind_of_a_file(model: str, expected: str) -> None:
    """Each kind of tokenizer gets the classes that are loaded for its kind."""
    assert expected == shape(primary_source(load(model)))


def test_what_is_placed(tmp_path: Path) -> None:
    """A class and a type of model stand in the files; all else is as it was, and the folder's name names no model."""
    folder = tmp_path / "gpt2"
    folder.mkdir()
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "A", "legacy": false}', encoding="utf-8")
    (folder / "config.json").write_text('{"model_type": "gpt2", "n": 1}', encoding="utf-8")
    with placed(str(folder), {"tokenizer_class": "B", "prefix_ids": [1], "suffix_ids": []}) as other:
        read = {name: json.loads((Path(other) / f"{name}.json").read_text()) for name in ("config", "tokenizer_config")}
        assert {"model_type": "", "n": 1} == read["config"]
        expected = {"tokenizer_class": "B", "legacy": False, "add_bos_token": True, "add_eos_token": False}
        assert expected == read["tokenizer_config"]
        assert "{}" == (Path(other) / "tokenizer.json").read_text()
        assert "gpt2" not in Path(other).name
    assert not Path(other).exists()
    with placed(str(folder), {"legacy": True}) as same:
        assert {"model_type": "gpt2", "n": 1} == json.loads((Path(same) / "config.json").read_text())
    with placed(str(folder), {"model_type": "llama"}) as other:
        assert {"model_type": "llama", "n": 1} == json.loads((Path(other) / "config.json").read_text())


def test_what_is_known_of_a_family_is_what_is_loaded() -> None:
    """The files that transformers opens say what the family ships, the type of model included."""
    folder = prepare(load("qwen35"), ("directory",)).path
    read = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("config", "tokenizer_config")}
    assert ("qwen3_5", "Qwen2Tokenizer") == (read["config"]["model_type"], read["tokenizer_config"]["tokenizer_class"])


def test_the_installed_version(few: None) -> None:
    """What changes nothing is equal; what does is told with its share, the shortest text and the cause."""
    same, other = cells_of([load("small-bpe")], [""], QUICK, refused)
    assert ("equal", 0, None) == (same.verdict, same.different, same.smallest)
    assert "differs" == other.verdict
    assert 0.5 < other.share < 1.0
    assert other.smallest is not None
    assert 1 == len(other.smallest.case.question.shown)
    assert any("adds_prefix_space" in cause for cause in other.causes)
    change, proof, *_ = other.rebuilt.sentences
    assert ("pre_tokenizer.add_prefix_space: false became true", True) == (change, other.rebuilt.is_whole)
    assert f"the raw file with this gives the loader's answers on {other.different} of {other.different} texts" == proof
    expected = "tokparity diff small-bpe --engine 'transformers[tokenizer_class=GPT2Tokenizer,model_type=gpt2,"
    assert other.command("small-bpe").startswith(f"{expected}add_prefix_space=true]' --engine tokenizers ")


def test_a_refusal_has_the_librarys_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that cannot be loaded refuses; the next configuration is asked by the same process."""
    broken = Configuration("PreTrainedTokenizerFast", options=(("legacy", True), ("revision", 3)))
    monkeypatch.setattr(table, "configurations", lambda source, model: iter((broken, NEUTRAL)))
    opened = Library.open

    def refuse(library: Library, path: str, options: dict[str, object]) -> None:
        opened(library, "/nowhere" if "legacy" in options else path, options)

    monkeypatch.setattr(Library, "open", refuse)
    first, second = cells_of([load("small-bpe")], [""], QUICK, refused)
    assert ("refuses", "equal") == (first.verdict, second.verdict)
    assert "/nowhere" in first.words


def test_what_a_library_cannot_be_asked() -> None:
    """Bytes that are not UTF-8 are unsupported; the others of the batch are answered."""
    with closing(Library("tokenizers", sys.executable)) as library:
        library.open(str(load("small-bpe").sources["tokenizer.json"]), {})
        results = library.results([text_case(text, add_special=False) for text in (b"a", b"\xff", b"a b")])
        assert [1] == [i for i, _ in results.failures]
        assert "unsupported" == results.failed[1].kind
        assert [1, 0, 2] == [len(row) for row in results.ids.to_list()]
        with pytest.raises(EngineError, match="nowhere"):
            library.open("/nowhere", {})


def test_another_library_is_a_copy_of_what_is_open(tmp_path: Path) -> None:
    """It answers without the file, and a question to the one is none to the other; each can be closed alone."""
    path = tmp_path / "tokenizer.json"
    shutil.copy(load("small-bpe").sources["tokenizer.json"], path)
    cases = [text_case(b"a b", add_special=False)]
    with closing(Library("tokenizers", sys.executable)) as library:
        library.open(str(path), {})
        path.unlink()
        with closing(library.another()) as other, closing(library.another()) as third:
            found = [one.results(cases).ids.to_list() for one in (library, other, third)]
        assert [found[0]] * 3 == found
        assert found[0] == library.results(cases).ids.to_list()


def test_a_copy_that_dies_is_replaced(tmp_path: Path) -> None:
    """The text that it died of is a crash; the next one is answered, without the file."""
    path = tmp_path / "tokenizer.json"
    shutil.copy(load("small-bpe").sources["tokenizer.json"], path)
    with closing(Library("tokenizers", sys.executable)) as library:
        library.open(str(path), {})
        path.unlink()
        expected = library._asked({"op": "encode", "texts": ["a b"], "add_special": False, "parse_special": False})
        process = library._process
        asked = process.ask
        process.ask = lambda request: asked({**request, "op": "bye"})  # type: ignore[method-assign]
        (failure,) = library._each({"op": "decode", "skip_special": True}, "ids", "texts", [[1]])
        process.ask = asked  # type: ignore[method-assign]
        assert "crash" == failure.kind
        assert "SIGKILL" in failure.message
        found = library._asked({"op": "encode", "texts": ["a b"], "add_special": False, "parse_special": False})
        assert expected["ids"] == found["ids"]


class DiesOfX(Library):
    """Dies of texts that hold an x; counts how often it is asked."""

    asked = 0

    def _asked(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.asked += 1
        if any("x" in text for text in request["texts"]):
            raise AdapterEnded(-11, "")
        return {"ids": [[1] for _ in request["texts"]]}


def test_texts_are_not_blamed_for_the_death_of_others() -> None:
    """A batch is halved down to the text that kills it; of one that died too often nothing more is asked, or said."""
    library = DiesOfX("tokenizers", "")
    request = {"op": "encode"}
    found = library._each(request, "texts", "ids", ["a"] * 7 + ["x"])
    assert (7, "crash") == (found.count([1]), found[-1].kind)
    found = library._each(request, "texts", "ids", ["x", *["a"] * 63])
    assert {"unavailable"} == {one.kind for one in found if one != [1] and one is not found[0]}
    asked = library.asked
    assert {"unavailable"} == {one.kind for one in library._each(request, "texts", "ids", ["a", "b"])}
    assert asked == library.asked


def test_a_library_that_is_silent_is_ended() -> None:
    """Nobody waits longer than the limit."""
    lines = Lines([sys.executable, "-c", "import time; time.sleep(600)"], seconds=0.2, heard=False)
    with pytest.raises(AdapterSilent, match="did not answer in time"):
        lines.ask({"op": "hello"})
    lines.close()


def test_files(few: None, tmp_path: Path) -> None:
    """Each configuration is a line of JSON and of the table; the page holds no markup but its own."""
    cells = list(cells_of([load("small-bpe")], [""], QUICK, refused))
    write([*cells, replace(cells[0], model="<b>x", verdict="refuses", words="<script>")], tmp_path)
    lines = [json.loads(line) for line in (tmp_path / FILES[0]).read_text().splitlines()]
    assert ["equal", "differs", "refuses"] == [line["verdict"] for line in lines]
    assert 4 == len((tmp_path / FILES[1]).read_text().splitlines())
    text = (tmp_path / FILES[2]).read_text()
    assert ("<script" in text, "<b>" in text) == (False, False)
    assert "differs: " in page(cells)


@pytest.mark.parametrize(
    ("only", "words", "code"),
    [
        (NEUTRAL, [], 0),
        pytest.param(PREFIXED, [], 1, marks=pytest.mark.nightly),
        (NEUTRAL, ["--version", "../x"], 2),
        (NEUTRAL, ["--version", "5[legacy=true]"], 2),
        (NEUTRAL, ["nowhere"], 2),
        (None, [], 3),
    ],
)
def test_exit_codes(only: Configuration | None, words: list[str], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """0 where all are equal, 1 where one differs, 2 for wrong usage, 3 where nothing could be loaded."""

    def refuse(library: Library, path: str, options: dict[str, object]) -> None:
        raise EngineError("it will not")

    monkeypatch.setattr(table, "configurations", lambda source, model: iter((only or NEUTRAL,)))
    if only is None:
        opened = Library.open
        monkeypatch.setattr(
            Library,
            "open",
            lambda library, *given: (opened if library.engine == "tokenizers" else refuse)(library, *given),
        )
    assert code == main(["loader", "small-bpe", "--cases", "10", *words])


@pytest.mark.parametrize("words", [[], ["small-bpe", "small-spm"]])
def test_a_model_that_no_tokenizer_json_can_express(
    words: list[str], few: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all known models it is left out, by name, and the others are compared; named, it is the error."""
    opened = table._file

    def files(model: Model, limits: Limits) -> object:
        if model.name == "small-spm":
            raise CannotExpressError("tokenizer.json cannot express its pieces", "choose another format")
        return opened(model, limits)

    monkeypatch.setattr(table, "_file", files)
    both = [Named(load(name), (name,)) for name in ("small-bpe", "small-spm")]
    monkeypatch.setattr(running, "models_of", lambda args: both)
    assert (2 if words else 1) == main(["loader", "--cases", "10", *words])
    out, err = capsys.readouterr()
    assert bool(words) is not ("small-bpe" in out)
    assert ("" if words else "small-spm is left out: ") + "tokenizer.json cannot express its pieces" in err


def test_a_version_that_does_not_exist_is_said_before_any_file_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of many models take minutes."""
    monkeypatch.setattr(table, "_file", lambda model, limits: pytest.fail("a file was made"))

    def refuse(name: str, version: str) -> None:
        raise EngineError(f"there is no version {version} of {name}")

    monkeypatch.setattr(table, "environment", refuse)
    with pytest.raises(EngineError, match="no version 99"):
        list(cells_of([load("small-bpe")], ["99.1"], QUICK, refused))


# --- the threads, in the versions where they were told of

LLAMA = ("LlamaTokenizerFast", "llama")
DEEPSEEK = ("LlamaTokenizerFast", "deepseek_v3")
GRANITE, OLMO = ("GPT2Tokenizer", "granite"), ("GPT2Tokenizer", "olmo2")


@pytest.fixture(scope="module")
def tables(digits: Path) -> dict[str, dict[tuple[str, str], Cell]]:
    """Version by version, every configuration of the file."""
    quick = Limits(cases=10, seconds=1.0)
    listed = [Configuration(*words) for words in (DEEPSEEK, GRANITE, OLMO, LLAMA, ("PreTrainedTokenizerFast",))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "configurations", lambda source, model: iter(listed))
        return _tables(digits, quick)


def _tables(digits: Path, quick: Limits) -> dict[str, dict[tuple[str, str], Cell]]:
    found: dict[str, dict[tuple[str, str], Cell]] = {}
    for version in ("5.3.0", "5.8.0", "5.10.4", ""):
        try:
            if version:
                environment("transformers", version)
        except EngineError as error:
            if "could not be reached" not in str(error):
                raise
            pytest.skip(f"no package index here: {error}")
        cells = list(cells_of([from_path(digits)], [version], quick, refused))
        found[version] = {(c.configuration.tokenizer_class, c.configuration.model_type): c for c in cells}
    return found


def test_what_two_configurations_did_is_explained_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answers of another configuration have the cause that is known; work bounds the search, not a clock."""
    explained = []
    diagnose = explain.diagnose

    def counted(*given: Any) -> Any:
        explained.append(given)
        return diagnose(*given)

    monkeypatch.setattr(explain, "diagnose", counted)
    monkeypatch.setattr(table, "configurations", lambda source, model: iter((PREFIXED, PREFIXED)))
    once, again = cells_of([load("small-bpe")], [""], Limits(cases=20), refused)
    assert [Limits().work] == [limits.work for *_, limits, _, _, _, _ in explained]
    assert ("differs", once) == (again.verdict, again)


@pytest.mark.nightly
def test_versions_are_compared_at_the_same_time(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in a process of its own; the cells come version by version, each with its own judge."""
    monkeypatch.setattr(table, "environment", lambda engine, version: SimpleNamespace(python=Path(sys.executable)))
    cells = list(cells_of([load("small-bpe")], ["5.3.0", "5.8.0"], Limits(cases=20), refused))
    assert ["equal", "differs"] * 2 == [cell.verdict for cell in cells]
    once, again = (cell for cell in cells if cell.verdict == "differs")
    assert (once.causes, once.rebuilt, once.different) == (again.causes, again.rebuilt, again.different)
    assert ["5.3.0", "5.8.0"] == [cell.judge.rpartition("-")[2] for cell in (once, again)]


@pytest.mark.parametrize("models", [["small-bpe"], ["small-bpe", "small-unigram"]])
def test_nothing_is_left_where_it_is_told_to_end(models: list[str], tmp_path: Path) -> None:
    """No file and no traceback, also while a library opens a model, and where models have processes of their own."""
    command = [sys.executable, "-m", "tokparity", "loader", *models]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=-3, stderr=-1, text=True) as child:
        until = time.monotonic() + 100
        while not list(tmp_path.rglob("tokenizer-*")) and child.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert child.poll() is None
        child.terminate()
        _, said = child.communicate(timeout=60)
    assert [] == list(tmp_path.iterdir())
    assert "Traceback" not in said
