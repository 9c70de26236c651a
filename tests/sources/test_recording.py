"""Recordings: what a line may be, and what `diagnose` makes of texts and ids of an engine that nobody has at hand."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.cli import main
from tokparity.errors import EngineError, FormatError
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import read as read_report
from tokparity.session import recording as session_recording
from tokparity.session.panel import Seat
from tokparity.session.seats import seat_one
from tokparity.sources.recording import is_recording, read

MODEL = "small-spm"
TEXTS = ("The capital of France is", "a  b", " tokens", "naïve café", "1234", "x = 1\n", "don't", "▁", "\0", "日本", "")


def written(path: Path, lines: Sequence[Any], packed: bool = False) -> Path:
    """A file with these values, one on each line."""
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def lines_of(*names: str, **more: Any) -> list[dict[str, Any]]:
    """What the reference with these quirks gives to a few texts, as lines of a recording."""
    source = models.primary_source(models.resolve(MODEL))
    flipped = quirks.flip_all(map(quirks.get, names), source.behaviour)
    tokenizer = Tokenizer(source.vocabulary, flipped)
    add_special = bool(more.get("add_special", False))
    return [{"text": text, "ids": tokenizer.encode(text.encode(), add_special, False), **more} for text in TEXTS]


def test_what_a_line_may_hold(tmp_path: Path) -> None:
    """Texts as strings or base64, flags or none, decoded text or none, ids below 0, keys that nobody knows."""
    values = [
        {"text": "é", "ids": [3, -1], "engine": "x"},
        {"text": {"base64": base64.b64encode(b"\xff").decode()}, "ids": [], "add_special": True, "decoded": "b"},
        {"text": "a", "ids": [1], "parse_special": True, "decoded": None},
    ]
    for path in (written(tmp_path / "r.jsonl", values), written(tmp_path / "r.gz", values, packed=True)):
        assert is_recording(path)
        first, second, third = read(path)
        assert (Encode("é".encode(), False, False), Encoding((3, -1))) == (first.case.question, first.answer)
        assert (Encode(b"\xff", True, False), Encoding((), b"b")) == (second.case.question, second.answer)
        assert (Encode(b"a", False, True), Encoding((1,))) == (third.case.question, third.answer)
        assert f"{path.name}:3" == str(third.case.origin)


def test_ids_that_an_engine_did_not_have_are_evidence(tmp_path: Path) -> None:
    """A null is a place without an id, and null for all ids an answer that failed; neither stops the file."""
    lines = [{"text": "a", "ids": [1, None]}, {"text": "b", "ids": None}, {"text": "c", "ids": [3]}]
    first, second, third = (one.answer for one in read(written(tmp_path / "r.jsonl", lines)))
    assert [Encoding((1, -1)), Encoding((3,))] == [first, third]
    assert isinstance(second, Failure)
    assert "no ids" in second.message


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        (1, 'the id 282 ("▁c") comes as no id (null or -1)'),
        pytest.param(2, "gives no id (null or a negative number) in 1 of these 1", marks=pytest.mark.nightly),
    ],
)
def test_a_diagnosis_says_where_an_engine_had_no_id(
    lost: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No tokenizer gives none: that is said with the place, also where several ids are right there."""
    source = models.primary_source(models.load(MODEL))
    ids = Tokenizer(source.vocabulary, source.behaviour).encode(b"The capital of France is", False, False)
    lines = [{"text": "The capital of France is", "ids": [*ids[:2], None, *ids[2 + lost :]]}]
    assert 0 == main(["diagnose", str(written(tmp_path / "r.jsonl", lines)), MODEL])
    assert told in capsys.readouterr().out


def test_what_is_unexplained_shows_both_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no cause is known, the pieces say where the engine cuts otherwise."""
    source = models.primary_source(models.load(MODEL))
    right = Tokenizer(source.vocabulary, source.behaviour).encode(b"The", False, False)
    given = [source.vocabulary.ids[one] for one in ("▁T".encode(), b"h", b"e")]
    assert 0 == main(["diagnose", str(written(tmp_path / "r.jsonl", [{"text": "The", "ids": given}])), MODEL])
    assert given != right
    out = capsys.readouterr().out
    for ids in (right, given):
        assert "  ".join(f"{i} {literal(source.vocabulary.pieces[i])}" for i in ids[:3]) in out


def test_empty_lines_count(tmp_path: Path) -> None:
    """They are left out, but a line's number is that of an editor."""
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\n{"text": "a", "ids": []}\n\n{"text": "b", "ids": [1]}')
    assert [2, 4] == [line.case.origin.number for line in read(path)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[1, 2]", "has no text and ids"),
        (b'{"text": "a"}', "has no text and ids"),
        (b'{"text": "a", "ids": [1', "is not JSON"),
        (b"\xff", "is not JSON"),
        (b'{"text": 1, "ids": [1]}', "is not a text"),
        (b'{"text": "a", "ids": [1], "ids": [2]}', "has the key 'ids' twice in one object"),
        (b'{"text": "a", "ids": [true]}', "True is not an id"),
        (b'{"text": "a", "ids": [1.0]}', "1.0 is not an id"),
        (b'{"text": {"base64": "!"}, "ids": [1]}', "is not base64"),
        (b'{"text": "a", "ids": 1}', "ids are 1"),
        (b'{"text": "a", "ids": [1.5]}', "1.5 is not an id"),
        (b'{"text": "a", "ids": [2147483648]}', "2147483648 is not an id"),
        (b'{"text": "a", "ids": [], "add_special": 1}', "add_special is 1"),
        (b'{"text": "a", "ids": [], "decoded": 7}', "is not a text"),
    ],
)
def test_a_bad_line_is_told_by_its_number(
    line: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On one line, with what is wrong and what to write; the exit is 2."""
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"text": "a", "ids": [1]}\n' + line + b"\n")
    with pytest.raises(FormatError, match="line 2: ") as raised:
        list(read(path))
    assert says in raised.value.message
    assert 2 == main(["diagnose", str(path), MODEL])
    error = capsys.readouterr().err
    assert 1 == error.count("\n")
    assert "line 2: " in error


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    """What gzip cannot unpack is damaged, not empty."""
    path = written(tmp_path / "r.gz", lines_of(), packed=True)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FormatError, match="is damaged after line"):
        list(read(path))


def test_a_recording_is_diagnosed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The cause is named, who judged is said, and the report can be written and diagnosed again."""
    path = written(tmp_path / "engine.jsonl", lines_of("leaves_runs_of_spaces", "omits_space_prefix") * 3)
    assert 0 == main(["diagnose", str(path), MODEL, "--out", str(tmp_path / "out")])
    out = capsys.readouterr().out
    assert "the model's oracle" in out.splitlines()[0]
    assert f"{MODEL} / engine.jsonl against" in out
    assert "omits_space_prefix" in out
    assert out.count("too few new texts could be put to the engine") == out.count("not verified") > 0
    report = read_report(tmp_path / "out" / "report.jsonl")
    assert {"engine.jsonl": str(path)} == report.header.recordings
    assert [3 * len(TEXTS)] == [pair.cases for pair in report.pairs]
    named = {name for finding in report.findings for name in finding.quirks}
    assert {"leaves_runs_of_spaces", "omits_space_prefix"} == named
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert f"tokparity diagnose {path} {MODEL}" in page
    assert "--engine engine.jsonl" not in page
    assert 0 == main(["diagnose", str(tmp_path / "out" / "report.jsonl")])


def test_all_that_a_recording_has_right_speaks_against_a_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spaces are collapsed in texts with an x only; that others keep them stands on three lines of thousands."""
    source = models.primary_source(models.resolve(MODEL))
    right = Tokenizer(source.vocabulary, source.behaviour)
    wrong = right.with_behaviour(quirks.flip_all([quirks.get("collapses_spaces")], source.behaviour))
    texts = [*(f"x  {n}" for n in range(40)), *(f"plain {n}" for n in range(3000)), "a  b", "c  d", "e  1"]
    lines = [{"text": t, "ids": (wrong if "x" in t else right).encode(t.encode(), False, False)} for t in texts]
    assert 0 == main(["diagnose", str(written(tmp_path / "e.jsonl", lines)), MODEL])
    out = capsys.readouterr().out
    assert "3,043 texts, 3,003 with equal ids" in out
    assert "predicted: e.jsonl" in out
    assert "in place of" in out
    assert "reproduced: collapses_spaces" not in out
    assert "in part: collapses_spaces" not in out


def test_flags_are_those_of_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """BOS is only missed where the engine was asked for it."""
    right, wrong = lines_of(), lines_of("omits_bos", add_special=True)
    assert 0 == main(["diagnose", str(written(tmp_path / "e.jsonl", [*right, *wrong])), MODEL])
    out = capsys.readouterr().out
    assert f"{2 * len(TEXTS)} texts, {len(TEXTS)} with equal ids" in out
    assert "omits_bos" in out


@pytest.mark.parametrize(
    ("changed", "says"),
    nightly_but(
        [({0: {"ids": []}, 1: {"ids": None}}, True), ({0: {"ids": [9]}}, False)],
        [
            ({}, True),
            ({0: {"ids": []}, 1: {"ids": None}}, True),
            ({0: {"ids": [9]}}, False),
            ({0: {"add_special": False}}, False),
        ],
    ),
)
def test_whether_bos_was_to_be_added_is_seen_from_the_ids(
    changed: dict[int, dict[str, Any]], says: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no line says it, and each that has ids has BOS before them; what a text spells itself says nothing."""
    lines = [{"text": line["text"], "ids": line["ids"]} for line in lines_of(add_special=True)]
    assert {1} == {line["ids"][0] for line in lines}
    for place, other in changed.items():
        lines[place] |= other
    path = written(tmp_path / "r.jsonl", [*lines, {"text": "<s>", "ids": [5]}])
    assert 0 == main(["diagnose", str(path), MODEL])
    out = capsys.readouterr().out
    told = 'no line says "add_special", and all ids begin with 1 "<s>": they are read as with add_special true'
    assert says == (told in out)
    assert says != ("adds_special_unasked" in out)


def test_a_token_that_the_text_spells_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chat template writes BOS itself: that an engine adds another one is then not taken for what was asked."""
    path = written(tmp_path / "r.jsonl", [{"text": "<s>a", "ids": [1, 1, 5], "parse_special": True}])
    assert 0 == main(["diagnose", str(path), MODEL])
    assert "add_special true" not in capsys.readouterr().out


def test_decoded_texts_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the ids are equal, so must their text be."""
    lines = [{**line, "decoded": " " + line["text"]} for line in lines_of() if line["ids"]]
    assert 0 == main(["diagnose", str(written(tmp_path / "e.jsonl", lines)), MODEL])
    out = capsys.readouterr().out
    assert f"{len(lines)} texts, {len(lines)} with equal ids" in out
    assert "keeps_decoded_prefix" in out


def test_nothing_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said, and no more."""
    assert 0 == main(["diagnose", str(written(tmp_path / "e.jsonl", lines_of())), MODEL])
    assert "there is nothing to diagnose" in capsys.readouterr().out


def test_the_reference_judges_where_the_oracle_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the first line says why."""

    def only_reference(model: models.Model, engine: str) -> Seat:
        if engine == "reference":
            return seat_one(model, engine)
        raise EngineError(f"{engine} is not installed")

    monkeypatch.setattr(session_recording, "seat_one", only_reference)
    path = written(tmp_path / "e.jsonl", lines_of("omits_space_prefix"))
    assert 0 == main(["diagnose", str(path), MODEL])
    first, *rest = capsys.readouterr().out.splitlines()
    assert "judged by reference" in first
    assert "is not installed" in first
    assert any("omits_space_prefix" in line for line in rest)


def test_a_recording_needs_its_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report names its own where that is a known one, and knows which it is about."""
    path = written(tmp_path / "e.jsonl", lines_of("omits_space_prefix"))
    assert 2 == main(["diagnose", str(path)])
    assert "no model" in capsys.readouterr().err
    assert 0 == main(["diagnose", str(path), MODEL, "--out", str(tmp_path / "out")])
    report = str(tmp_path / "out" / "report.jsonl")
    assert [0, 0, 2] == [main(["diagnose", report, *words]) for words in ([], [MODEL], ["gpt-2"])]
    assert f"is not about 'gpt-2'; it is about {MODEL}" in capsys.readouterr().err


def test_an_empty_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is neither a report nor a recording."""
    path = tmp_path / "r.jsonl"
    path.write_text("\n \n")
    assert 2 == main(["diagnose", str(path), MODEL])
    assert f"'{path}' has no lines" in capsys.readouterr().err
