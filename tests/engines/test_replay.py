"""Outcomes in a file: recorded once, then an engine that gives just that and nothing else."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet
import pytest

from tests.rings import nightly_but
from tokparity import engines
from tokparity.cli import main
from tokparity.engines import outcomes_file
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.outcomes_file import Recorded, recorded_in, rows_of_model, schema
from tokparity.engines.process.client import Client
from tokparity.engines.replay import Replay, Replayed
from tokparity.errors import EngineError, FormatError, MissingDependencyError
from tokparity.models import load, primary_source
from tokparity.outcome import Failure
from tokparity.report.file import read

pytestmark = pytest.mark.usefixtures("few_texts")

FEW = ("--corpus", "t.txt", "--cases", "60")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.txt").write_text("a  b\nnaïve café\nplain words\n", encoding="utf-8")


def _recorded(engine: str, *models: str) -> Path:
    """A recording in the test's own folder."""
    path = Path("old.parquet")
    path.write_bytes(_bytes_recorded(engine, models))
    return path


@cache
def _bytes_recorded(engine: str, models: tuple[str, ...]) -> bytes:
    assert 0 == main(["record", engine, *models, *FEW, "-o", "old.parquet"])
    return Path("old.parquet").read_bytes()


def _of(path: Path, engine: str, out: str) -> Any:
    main(["run", "small-spm", "--engine", engine, *FEW, "--ask", "encode,decode", "--out", out])
    return read(Path(out) / "report.jsonl")


@pytest.mark.nightly
def test_a_replay_is_what_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    """A run with the file finds what a run with the engine finds, case by case."""
    path = _recorded("reference+omits_bos", "small-spm", "small-bpe")
    assert "reference+omits_bos on small-spm: " in capsys.readouterr().out
    live, replayed = _of(path, "reference+omits_bos", "live"), _of(path, f"replay:{path}", "replayed")
    pairs = [next(pair for pair in report.pairs if pair.engine != pair.oracle) for report in (live, replayed)]
    counts = [
        {k: v for k, v in asdict(p).items() if k not in ("engine", "version", "source", "seconds")} for p in pairs
    ]
    assert counts[0] == counts[1]
    assert pairs[0].mismatches > 0
    assert ["omits_bos"] == [name for finding in replayed.findings for name in finding.quirks]


def test_what_is_not_in_the_file_is_unrecorded() -> None:
    """Neither a mismatch nor an answer, and no fault of the engine's; failures come back as they were."""
    name = f"replay:{_recorded('tokenizers', 'small-bpe')}"
    source = primary_source(load("small-bpe"))
    with Client(name, str(source.path)) as client, Client("tokenizers", str(source.path)) as live:
        texts = Texts.from_list([b"a  b", b"nobody recorded this", b"\xff"])
        found, expected = client.encode(texts, True, False), live.encode(texts, True, False)
        assert expected.outcome(0) == found.outcome(0)
        assert "this question is not in 'old.parquet'" == found.failed[1].message
        assert ("unrecorded", "unsupported") == (found.failed[1].kind, expected.failed[2].kind)
        again = client.decode(Ids.from_list([found.row(0), [1, 2, 3, 4, 5]]), True)
        assert live.decode(Ids.from_list([found.row(0)]), True).text(0) == again.text(0)
        assert "unrecorded" == again.failed[1].kind


def test_a_crash_is_replayed_with_its_signal() -> None:
    """It is the outcome that was recorded, and no crash of the replay."""
    Path("dies.py").write_text(
        "import os\ndef encode(text: bytes):\n    if b'caf' in text: os.abort()\n    return list(text)\n"
    )
    name = f"replay:{_recorded('./dies.py:encode', 'small-bpe')}"
    with Client(name, str(primary_source(load("small-bpe")).path)) as client:
        found = client.encode(Texts.from_list(["naïve café".encode(), b"plain words"]), True, False)
        assert ("crash", 6) == (found.failed[0].kind, found.failed[0].signal)
        assert [*b"plain words"] == found.row(1)[-11:]
        assert 0 == client.restarts
        assert not client.capabilities.decodes  # the engine has no decode, so nothing of the kind was recorded


def test_another_model_is_refused() -> None:
    """The model's file decides, not its name."""
    engine = engines.get(f"replay:{_recorded('tokenizers', 'small-bpe')}")
    with pytest.raises(EngineError, match=r"was recorded on small-bpe \(.*not on this model \(") as raised:
        engine.open(str(primary_source(load("small-wordpiece")).path), {})
    assert "record this one: tokparity record" in raised.value.hint


def test_the_file_says_with_what_it_was_made() -> None:
    """Versions, Unicode, the model's hashes, seed, command."""
    found = recorded_in(_recorded("tokenizers", "small-bpe"))
    assert ("tokenizers", 0) == (found.engine, found.seed)
    assert ["record", "tokenizers", "small-bpe"] == list(found.command[1:4])
    assert all((found.version, found.unicode, found.python, found.recorded, found.tokparity))
    assert {"small-bpe": len(arrow.parquet.read_table("old.parquet"))} == found.questions
    assert 64 == len(next(iter(found.models["small-bpe"].values())))
    assert found == Recorded.from_json(json.loads(json.dumps(found.to_json())))


def test_compare_with_a_replay(capsys: pytest.CaptureFixture[str]) -> None:
    """An old version that is only a file stands before the new one."""
    path = _recorded("reference", "small-spm")
    capsys.readouterr()
    code = main(["compare", f"replay:{path}", "reference+omits_bos", "small-spm", *FEW, "--out", "out"])
    out = capsys.readouterr().out
    assert 1 == code
    assert "new     small-spm: omits_bos (verified, " in out
    assert 0 == main(["compare", f"replay:{path}", "reference", "small-spm", *FEW, "--out", "out"])


def test_replay_asks_what_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    """The same texts are put to the engine of today, whatever file or generator they came from."""
    assert 0 == main(["record", "reference", "small-spm", "--corpus", "prompts", "--cases", "30", "-o", "old.parquet"])
    assert 0 == main(["replay", "old.parquet", "--out", "same"])
    same = next(pair for pair in read(Path("same/report.jsonl")).pairs if pair.engine == "reference")
    assert (same.cases, 0) == (same.compared, same.unsupported)
    recorded = arrow.parquet.read_table("old.parquet").to_pylist()
    texts = {(row["text"], row["add_special"], row["parse_special"]) for row in recorded if row["kind"] == "encode"}
    assert len(texts) == same.cases
    assert 1 == main(["replay", "old.parquet", "reference+omits_bos", "--out", "other"])
    _recorded("reference", "small-spm")
    Path("t.txt").unlink()
    assert 0 == main(["replay", "old.parquet", "--out", "files"])
    capsys.readouterr()
    assert 3 == main(["replay", "old.parquet", "--cases", "400", "--out", "more"])
    assert " cases are not in 'old.parquet', so it is unknown whether they changed" in capsys.readouterr().out


ORIGINS = ["known:", "t.txt:", "ties:", "accepted:", "x:1:1@" * 5000]


@pytest.mark.parametrize("origin", nightly_but(ORIGINS[1:2], ORIGINS))
def test_every_recorded_question_is_put_again(origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One id that is another now is found wherever its text came from, and whatever the file says of that."""
    path = _recorded("reference", "small-spm")
    table = arrow.parquet.read_table(path)
    rows = table.to_pylist()
    times = Counter(map(_question, rows))  # a question that two sources put has two rows
    alone = [row for row in rows if len(row["ids"]) > 1 and times[_question(row)] == 1]
    row = next((row for row in alone if row["origin"].startswith(origin)), alone[-1])
    row["ids"][-1] += 1
    row["origin"] = row["origin"] if row["origin"].startswith(origin) else f"{origin}7"
    arrow.parquet.write_table(arrow.Table.from_pylist(rows, table.schema), path)
    capsys.readouterr()
    assert 1 == main(["replay", str(path), "--out", "out"])
    found = capsys.readouterr().out
    assert "1 differ" in found
    assert " 0 new, 0 gone, 0 changed" not in found


def _question(row: dict[str, Any]) -> tuple[object, ...]:
    return row["text"], row["add_special"], row["parse_special"]


def test_a_question_with_a_hole_is_told_of() -> None:
    """A file that has no text in a row is not a recording."""
    path = _recorded("tokenizers", "small-bpe")
    table = arrow.parquet.read_table(path)
    holes = arrow.nulls(len(table), arrow.binary())
    arrow.parquet.write_table(table.set_column(table.schema.get_field_index("text"), "text", holes), path)
    with pytest.raises(FormatError, match="a question has a hole"):
        engines.get(f"replay:{path}").open(str(primary_source(load("small-bpe")).path), {})


def test_what_was_not_recorded_is_told_and_leaves_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a text that was not recorded nobody knows whether its ids changed; what both answered is counted alone."""
    path = _recorded("reference", "small-spm")
    Path("u.txt").write_text("nobody recorded this\nnor this\n", encoding="utf-8")
    capsys.readouterr()
    asked = ("small-spm", "--cases", "60", "--corpus", "t.txt", "--out", "out")
    assert 0 == main(["compare", f"replay:{path}", "reference", *asked])
    recorded = int(capsys.readouterr().out.split("small-spm: ")[1].split(" cases compared")[0])
    assert 3 == main(["compare", f"replay:{path}", "reference", *asked, "--corpus", "u.txt"])
    found = capsys.readouterr()
    assert f"small-spm: {recorded} cases compared, all are equal\n" in found.out
    assert "  2 cases are not in 'old.parquet', so it is unknown whether they changed\n" in found.out
    assert "UTF-8" not in found.out
    assert "not all of it was recorded; a recording answers what it was made with" in found.err


def test_what_the_engine_cannot_be_asked_is_no_gap(capsys: pytest.CaptureFixture[str]) -> None:
    """It was asked, and could not be: that stands in the recording."""
    path = _recorded("tokenizers", "small-bpe")
    capsys.readouterr()
    assert 0 == main(["compare", f"replay:{path}", "tokenizers", "small-bpe", *FEW, "--out", "out"])
    found = capsys.readouterr().out
    for name in ("replay:old.parquet", "tokenizers"):
        assert f"63 cases were not run on {name}: tokenizers takes only text that is UTF-8\n" in found


def test_two_answers_to_one_question_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    """Which of them the engine gives is not known."""
    path = _recorded("reference", "small-spm")
    table = arrow.parquet.read_table(path)
    rows = table.to_pylist()
    rows[-1] = {**rows[0], "ids": [9]}
    arrow.parquet.write_table(arrow.Table.from_pylist(rows, table.schema), path)
    with Client(f"replay:{path}", str(primary_source(load("small-spm")).path)) as client:
        found = client.encode(Texts.from_list([rows[0]["text"]]), rows[0]["add_special"], rows[0]["parse_special"])
    assert ("unrecorded", "there are two answers to this question in 'old.parquet'") == (
        found.failed[0].kind,
        found.failed[0].message,
    )


@pytest.mark.parametrize("rows", [0, 10])
def test_a_recording_that_was_cut_is_refused(rows: int, capsys: pytest.CaptureFixture[str]) -> None:
    """What is gone from it would not be compared, and nobody would know."""
    path = _recorded("reference", "small-spm")
    table = arrow.parquet.read_table(path)
    arrow.parquet.write_table(table.slice(0, rows), path)
    capsys.readouterr()
    assert 3 == main(["replay", str(path), "--corpus", "t.txt", "--out", "out"])
    error = capsys.readouterr().err
    assert f"'old.parquet' holds {rows} of the {len(table)} questions that were recorded on small-spm" in error


def test_a_recording_without_the_number_of_its_questions() -> None:
    """An earlier tokparity did not write it: what is there is what was recorded."""
    path = _recorded("reference", "small-spm")
    table = arrow.parquet.read_table(path).slice(0, 10)
    said = json.loads(table.schema.metadata[b"tokparity"])
    del said["questions"]
    arrow.parquet.write_table(table.replace_schema_metadata({b"tokparity": json.dumps(said)}), path)
    assert {} == recorded_in(path).questions
    engines.get(f"replay:{path}").open(str(primary_source(load("small-spm")).path), {})


def _damaged(path: Path, how: str) -> None:
    table = arrow.table({name: [] for name in schema().names}, schema())
    said = {b"tokparity": b'{"format": 1}'}
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif how == "no metadata":
        arrow.parquet.write_table(table, path)
    elif how == "short metadata":
        arrow.parquet.write_table(table.replace_schema_metadata(said), path)
    else:
        arrow.parquet.write_table(table.replace_schema_metadata({b"tokparity": b'{"format": 9}'}), path)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut", "magic bytes"),
        ("no metadata", "it was not written by `tokparity record`"),
        ("short metadata", "'engine'"),
        ("later format", "it has format 9, and this tokparity reads formats up to 2"),
    ],
)
def test_damaged_files(how: str, words: str) -> None:
    """One line that says what is wrong."""
    path = _recorded("tokenizers", "small-bpe")
    _damaged(path, how)
    with pytest.raises(FormatError) as raised:
        engines.get(f"replay:{path}")
    assert words in raised.value.message
    assert "\n" not in str(raised.value)


def test_columns_of_another_type_are_told_of() -> None:
    """The rows are checked where they are read, in the worker."""
    path = _recorded("tokenizers", "small-bpe")
    table = arrow.parquet.read_table(path)
    ids = arrow.array([[None]] * len(table), arrow.list_(arrow.int32()))
    arrow.parquet.write_table(table.set_column(table.schema.get_field_index("ids"), "ids", ids), path)
    with pytest.raises(FormatError, match="a row of ids has a hole"):
        engines.get(f"replay:{path}").open(str(primary_source(load("small-bpe")).path), {})


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'tokparity\[parquet\]'"):
        engines.get("replay:x.parquet")


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        ((), 2, "no engine"),
        (("tokenizers", "small-bpe"), 2, "give -o FILE.parquet"),
        (("tokenizers", "-o", "x"), 2, "no model to record 'tokenizers' on"),
        (("tokenizrs", "small-bpe", "-o", "x"), 2, "did you mean 'tokenizers'"),
        (("tokenizers@/nowhere/python", "small-bpe", "-o", "x"), 3, "is not a program"),
        (("tokenizers", "small-bpe", "-o", "no/folder/x"), 2, "cannot write 'no/folder/x'"),
    ],
)
def test_what_cannot_be_recorded(
    argv: tuple[str, ...], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and no file."""
    assert code == main(["record", *argv, *FEW])
    error = capsys.readouterr().err
    assert words in error
    assert 1 == error.count("\n")
    assert not Path("x").exists()


def test_no_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """A file without any is not written."""
    Path("empty.txt").write_text("")
    assert 2 == main(["record", "reference", "small-bpe", "--corpus", "empty.txt", "--cases", "0", "-o", "x"])
    assert "there is no text to record; give --cases" in capsys.readouterr().err
    assert not Path("x").exists()


def test_a_failure_travels_with_its_signal() -> None:
    """From a worker to who asks, and nothing that is not a failure."""
    from tokparity.engines.buffers import FlatBufferError
    from tokparity.engines.process.frames import Answer, Kind, Request

    request = Request(Kind.ENCODE, Texts.from_list([b"a"]))
    answer = request.unanswered(((0, Failure("crash", "it died", 6)),))
    frame = memoryview(b"".join(answer.pack()))[8:]
    assert answer.failures == Answer.unpack(frame, request).failures
    wrong = request.unanswered(((0, Failure("odd", "it died")),))  # type: ignore[arg-type]
    with pytest.raises(FlatBufferError, match="'odd'"):
        Answer.unpack(memoryview(b"".join(wrong.pack()))[8:], request)


@pytest.mark.nightly
def test_rows_that_take_no_room_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of some kilobytes may have a thousand million equal rows: rows and what they unpack to have bounds."""
    path = _recorded("reference", "small-spm")
    rows = pyarrow.parquet.read_table(path)
    repeated = arrow.concat_tables([rows] * 2000).replace_schema_metadata(rows.schema.metadata).combine_chunks()
    pyarrow.parquet.write_table(repeated, "repeated.parquet", compression="zstd")
    assert repeated.num_rows == sum(recorded_in(Path("repeated.parquet")).questions.values()) * 2000
    with monkeypatch.context() as patch:
        patch.setattr(outcomes_file, "_MOST_ROWS", repeated.num_rows - 1)
        with pytest.raises(FormatError, match=f"it has {repeated.num_rows} rows, more"):
            recorded_in(Path("repeated.parquet"))
    monkeypatch.setattr(outcomes_file, "_MOST", rows.nbytes * 2)
    with pytest.raises(FormatError, match="the rows of small-spm unpack to more than"):
        rows_of_model(Path("repeated.parquet"), "small-spm")
    assert rows.num_rows == rows_of_model(path, "small-spm").num_rows


@pytest.mark.parametrize("kind", nightly_but(["stream"], ["stream", "again", "spans"]))
@pytest.mark.usefixtures("few_beside_texts")
def test_streams_and_what_is_encoded_again_are_replayed(kind: str) -> None:
    """A run with the file finds what a run with the engine finds; rows of ids are among what was recorded."""
    engine = "reference+greedy_longest_match+stream_drops_incomplete_end+counts_spans_in_bytes"
    words = ["--ask", kind, "--jobs", "1"]
    assert 0 == main(["record", engine, "small-spm", "--ask", kind, "-o", "old.parquet"])
    for name, out in ((engine, "live"), ("replay:old.parquet", "replayed")):
        main(["run", "small-spm", "--engine", name, *words, "--out", out])
    live, replayed = (
        next(pair for pair in read(Path(out) / "report.jsonl").pairs if pair.engine != pair.oracle)
        for out in ("live", "replayed")
    )
    names = [name for name, value in asdict(live).items() if type(value) is int]
    assert {name: getattr(live, name) for name in names} == {name: getattr(replayed, name) for name in names}
    assert 0 < live.streams_differ + live.again_differ + live.spans_differ
    assert 0 == replayed.unrecorded


def test_a_recording_of_texts_alone_is_read() -> None:
    """As tokparity wrote them before it recorded rows."""
    table = arrow.parquet.read_table(_recorded("tokenizers", "small-bpe"), filters=[("kind", "=", "encode")])
    arrow.parquet.write_table(table, "old.parquet")
    metadata = json.loads(table.schema.metadata[b"tokparity"])
    before = table.drop_columns(["kind", "row", "skip_special"])
    said = {b"tokparity": json.dumps({**metadata, "format": 1}).encode()}
    arrow.parquet.write_table(before.replace_schema_metadata(said), "before.parquet")
    assert rows_of_model(Path("old.parquet"), "small-bpe").to_pylist() == (
        rows_of_model(Path("before.parquet"), "small-bpe").to_pylist()
    )


def test_a_text_whose_ids_were_not_always_decoded_has_one_answer() -> None:
    """A question on the way is asked for its ids alone; then nobody knows more than was told elsewhere."""
    columns = {"failure": None, "message": None, "signal": None, "row": [], "skip_special": True, "kind": "encode"}
    row = {"model": "m", "text": b"a", "add_special": True, "parse_special": False, "origin": "given", "ids": [1]}
    table = arrow.Table.from_pylist([{**row, **columns, "decoded": text} for text in (None, b"a", None)], schema())
    recorded = recorded_in(_recorded("tokenizers", "small-bpe"))
    replayed = Replayed(Replay("replay:x", Path("x"), recorded), table)
    assert [b"a"] == replayed.decode(Ids.from_list([[1]]), True).to_list()
    assert [[1]] == replayed.encode(Texts.from_list([b"a"]), True, False).to_list()
