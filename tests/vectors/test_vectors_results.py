"""What a runner writes is read strictly, and diagnosed in full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from vectors_files import MODEL, small, small_path

from tokparity import models, quirks
from tokparity.cli import main
from tokparity.errors import FormatError
from tokparity.models import primary_source
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.model import Answer, answer_of
from tokparity.vectors.results import read_results, recorded


def line(case: str, answer: Answer) -> str:
    """One line as a runner writes it."""
    if answer is None:
        return json.dumps({"id": case, "error": None})
    spelled = {"hex": answer.hex()} if isinstance(answer, bytes) else {"ids": list(answer)}
    return json.dumps({"id": case, **spelled})


def results(path: Path, *faults: str) -> Path:
    """The results of the reference with these faults."""
    source = primary_source(models.load(MODEL))
    behaviour = quirks.flip_all(map(quirks.get, faults), source.behaviour)
    engine = Tokenizer(source.vocabulary, source.behaviour).with_behaviour(behaviour)
    answers = [line(case.id, answer_of(imitate(engine, case.question))) for case in small().cases]
    path.write_text("\n".join(answers) + "\n", encoding="utf-8")
    return path


def test_results_come_back(tmp_path: Path) -> None:
    """Ids, texts and errors are read as they were given."""
    encode, decode = small().cases[3].id, small().cases[-1].id
    path = tmp_path / "results.jsonl"
    for answer, case in (((1, 2), encode), (None, encode), (b"\xff a", decode)):
        path.write_text(line(case, answer) + "\n", encoding="utf-8")
        assert {case: answer} == read_results(path, small())
    path.write_text(json.dumps({"id": decode, "text": "é"}) + "\n", encoding="utf-8")
    assert {decode: "é".encode()} == read_results(path, small())


@pytest.mark.parametrize(
    "lines",
    [
        "", "[]", "{", '{"ids": [1]}', '{"id": "e-00000000", "ids": [1]}', '{"id": "CASE"}', '{"id": 1, "ids": [1]}',
        '{"id": "CASE", "text": "a"}', '{"id": "CASE", "ids": [1], "error": null}', '{"id": "CASE", "ids": [true]}',
        '{"id": "CASE", "ids": [1]}\n{"id": "CASE", "ids": [1]}', '{"id": "ROW", "hex": "zz"}',
        '{"id": "ROW", "text": 5}',
        '{"id": "\\u001b[2J", "ids": [1]}', '{"id": "CASE", "ids": {"a": 1}}',
    ],
)  # fmt: skip
def test_other_lines_are_one_clear_error(tmp_path: Path, lines: str) -> None:
    """A line that answers no case is told with its number."""
    path = tmp_path / "results.jsonl"
    path.write_text(lines.replace("CASE", small().cases[0].id).replace("ROW", small().cases[-1].id), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_results(path, small())
    assert str(caught.value).isprintable()


def test_what_an_engine_may_refuse_is_no_evidence() -> None:
    """A text that is not UTF-8 and was refused is left out; another answer to it stays."""
    may = next(case for case in small().cases if case.acceptable and case.acceptable[-1].answer is None)
    assert [] == list(recorded(small(), {may.id: None}, "x"))
    assert 1 == len(list(recorded(small(), {may.id: (1,)}, "x")))


def test_the_full_diagnosis_from_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two faults, one of encoding and one of decoding, are named at once and then proven against the oracle."""
    path = results(tmp_path / "results.jsonl", "collapses_spaces", "decodes_each_id_alone")
    assert 0 == main(["diagnose", str(path), "--vectors", str(small_path())])
    out = capsys.readouterr().out
    assert "failures have one known cause, an engine that" in out.partition("`collapses_spaces`")[0]
    assert "reproduced: collapses_spaces" in out
    assert "reproduced: decodes_each_id_alone" in out


def test_a_right_engine_has_nothing_to_diagnose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All results right: no finding."""
    path = results(tmp_path / "results.jsonl")
    assert 0 == main(["diagnose", str(path), "--vectors", str(small_path())])
    assert "0 of them are wrong" in capsys.readouterr().out


def test_vectors_of_another_model_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files that the vectors were made of must be those of the model that is named."""
    path = results(tmp_path / "results.jsonl")
    assert 2 == main(["diagnose", str(path), "--vectors", str(small_path()), "small-bpe"])
    assert "was made of other files" in capsys.readouterr().err


def test_a_file_names_no_model_by_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model's name in a vectors file may only be a known one; anything else has to be typed."""
    data = json.loads(small_path().read_text(encoding="utf-8"))
    foreign = tmp_path / "x.vectors.json"
    foreign.write_text(json.dumps({**data, "model": "/etc/model.gguf"}), encoding="utf-8")
    path = results(tmp_path / "results.jsonl")
    assert 2 == main(["diagnose", str(path), "--vectors", str(foreign)])
    assert "if you trust it, type it" in capsys.readouterr().err
