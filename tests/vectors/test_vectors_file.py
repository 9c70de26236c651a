"""A vectors file is read strictly: what is damaged or hostile is one clear error, and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from vectors_files import ROOT, STORED, small_path

from tokparity.errors import FormatError
from tokparity.vectors.file import read, text_of

SCHEMA = json.loads((ROOT / "docs" / "vectors.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
GROUPS = {"streams": ("texts", "later"), "spans": ("ids", "outer", "must"), "again": ("text", "ids")}
"""The fields of a right answer in each group."""
HOSTILE = ("\x1b[2J", "a\nb", "\u202e", "a" * 400, "ééé")


def shortened(cases: int = 3) -> dict[str, Any]:
    """The stored file with its first cases alone."""
    data: dict[str, Any] = json.loads(small_path().read_text(encoding="utf-8"))
    return with_cases(data, data["cases"][-cases:])


def with_cases(data: dict[str, Any], cases: list[dict[str, Any]]) -> dict[str, Any]:
    """The file with these cases, and counts that fit."""
    decode = sum(case.get("ask") == "decode" for case in cases)
    may = sum("acceptable" in case for case in cases)
    counts = {**data["counts"], "cases": len(cases), "decode": decode, "encode": len(cases) - decode, "may": may}
    return {**data, "cases": cases, "counts": counts}


def written(folder: Path, data: object) -> Path:
    """A file that holds this."""
    path = folder / "x.vectors.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_what_is_made_is_valid() -> None:
    """A file that the command writes fits the schema, and is written as it was read."""
    VALID.validate(json.loads(small_path().read_text(encoding="utf-8")))
    assert small_path().read_text(encoding="utf-8") == text_of(read(small_path()))


@pytest.mark.parametrize("path", sorted(STORED.glob("*.json")), ids=lambda path: path.name)
def test_stored_files_are_valid(path: Path) -> None:
    """Each file of the repository fits the schema, and is written as it was read."""
    VALID.validate(json.loads(path.read_text(encoding="utf-8")))
    assert path.read_text(encoding="utf-8") == text_of(read(path))


@pytest.mark.nightly
def test_the_schema_refuses_what_the_reader_refuses(tmp_path: Path) -> None:
    """Each field that is taken away, and each value of another type, is an error of both."""
    for changed in changes(shortened(2)):
        assert not VALID.is_valid(changed)
        with pytest.raises(FormatError):
            read(written(tmp_path, changed))


def changes(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The file with one thing in it wrong, of every kind."""
    for name in data.keys() - GROUPS.keys():
        yield {key: value for key, value in data.items() if key != name}
    for name in data:
        yield {**data, name: 1.5}
    yield {**data, "more": 1}
    for name, answers in GROUPS.items():
        yield from (with_group(data, name, changed) for changed in group_changes(data[name], answers))
    case = data["cases"][0]
    for name in case.keys() - {"pieces"}:
        yield with_cases(data, [{key: value for key, value in case.items() if key != name}])
        yield with_cases(data, [{**case, name: 1.5}])
    yield with_cases(data, [{**case, "more": 1}])
    for bad in ("stream", [1], None):
        yield with_cases(data, [{**case, "ask": bad}])
    for bad in ([True], [-1], [1 << 40], ["1"], [1.5]):
        yield with_cases(data, [{**encode(data), "answer": bad}])
    for bad in HOSTILE:
        yield {**data, "model": bad}
        yield with_cases(data, [{**case, "comment": bad}])
        yield with_cases(data, [{**case, "id": bad}])
        yield {**data, "faults": {bad: {"does": "nothing"}}, "cases": []}
        yield {**data, "faults": {"a_fault": {"does": bad}}, "cases": []}


def with_group(data: dict[str, Any], name: str, group: object) -> dict[str, Any]:
    """The file with another group."""
    cases = group.get("cases", ()) if isinstance(group, dict) else ()
    size = len(cases) if isinstance(cases, list) else 0
    return {**data, name: group, "counts": {**data["counts"], name: size}}


def group_changes(group: dict[str, Any], answers: tuple[str, ...]) -> Iterator[object]:
    """A group with one thing in it wrong."""
    yield {**group, "more": 1}
    for name in group:
        yield {key: value for key, value in group.items() if key != name}
        yield {**group, name: 1.5}
    case = group["cases"][-1]
    for name in case.keys() - {"pieces"}:
        yield {**group, "cases": [{key: value for key, value in case.items() if key != name}]}
        yield {**group, "cases": [{**case, name: 1.5}]}
    for name in answers:
        yield {**group, "cases": [{**case, "answer": {key: case["answer"][key] for key in answers if key != name}}]}
        yield {**group, "cases": [{**case, "answer": {**case["answer"], name: 1.5}}]}
        yield {**group, "cases": [{**case, "answer": {**case["answer"], name: [[1]]}}]}
    for ask in ("encode", "decode", "streams"):
        yield {**group, "cases": [{**case, "ask": ask}]}
    for bad in (case["answer"], None):
        yield {
            **group,
            "cases": [{**case, "answer": bad, "wrong": [{"faults": [*group["faults"]][:1], "answer": case["answer"]}]}],
        }


def encode(data: dict[str, Any]) -> dict[str, Any]:
    """A case that asks for ids."""
    return {
        **{name: data["cases"][0][name] for name in ("id", "comment", "tags", "level")},
        "ask": "encode", "text": "a", "add_special": True, "parse_special": False, "answer": [1], "wrong": [],
    }  # fmt: skip


def test_a_float_is_no_id(tmp_path: Path) -> None:
    """JSON Schema takes 1.0 for a whole number; ids are written without a point."""
    data = shortened(1)
    with pytest.raises(FormatError, match="answer"):
        read(written(tmp_path, with_cases(data, [{**encode(data), "answer": [1.0]}])))


def test_a_fault_that_the_header_does_not_have_is_an_error(tmp_path: Path) -> None:
    """A runner looks each name up in the header."""
    data = shortened(1)
    data = with_cases(data, [{**encode(data), "wrong": [{"faults": ["made_up"], "answer": [2]}]}])
    with pytest.raises(FormatError, match="made_up"):
        read(written(tmp_path, data))


def test_what_does_not_fit_its_question_is_an_error(tmp_path: Path) -> None:
    """A right answer has as many items as there are ids, and no place outside of its text: a reader counts up to it."""
    data = shortened(1)
    stream, spans = data["streams"]["cases"][-1], data["spans"]["cases"][-1]
    later = [*stream["answer"]["later"], 0]
    wrong = [("streams", {**stream, "answer": {**stream["answer"], "later": later}})]
    right = spans["answer"]
    far = {name: [*right[name], [0, 1 << 30]] for name in ("outer", "must")}
    others = [{**right, name: places} for name, places in (*far.items(), ("outer", right["outer"][1:]))]
    wrong += [("spans", {**spans, "answer": other}) for other in others]
    for name, case in wrong:
        with pytest.raises(FormatError, match=r"later|outer|must"):
            read(written(tmp_path, with_group(data, name, {**data[name], "cases": [case]})))


def test_the_level_must_be_what_the_answers_say(tmp_path: Path) -> None:
    """A case with acceptable answers is a `may`, any other a `must`."""
    data = shortened(1)
    data = with_cases(data, [{**encode(data), "level": "may"}])
    with pytest.raises(FormatError, match="level"):
        read(written(tmp_path, data))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "tokparity-vectors-2"}',
        b'{"a": "\\ud800"}',
        b"1" * 9999,
    ],
)
def test_other_files_are_one_clear_error(tmp_path: Path, content: bytes) -> None:
    """What is not a vectors file is told in a line that names the file and shows no control character."""
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert "other.json" in str(caught.value)
    assert str(caught.value).isprintable()


def test_files_that_are_none(tmp_path: Path) -> None:
    """A directory, a missing file and a huge one are refused before anything is read."""
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(1 << 30)
    for path in (tmp_path, tmp_path / "missing", huge):
        with pytest.raises(FormatError, match=path.name):
            read(path)


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    """Whatever single byte is changed, the reader gives vectors or a FormatError, and never another error."""
    data = json.dumps(shortened(2)).encode()
    rng = random.Random(0)
    path = tmp_path / "mutated.json"
    for _ in range(300):
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randint(0, 2) :])
        with suppress(FormatError):
            read(path)
