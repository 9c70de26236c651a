"""The groups of a vectors file: faulty streams and spans are killed and named, and every right way passes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from vectors_files import MODEL, ROOT, small, small_path

from tokparity import models, quirks
from tokparity.cli import main
from tokparity.models import primary_source
from tokparity.questions import Again, Spans, Stream
from tokparity.quirk import Quirk
from tokparity.reference.imitate import imitate
from tokparity.reference.spans import Spanner, spanned
from tokparity.reference.stream import Streamer
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.asking import answer, can_be_asked, summary
from tokparity.vectors.model import Answer, Deltas, Group, Placed, RightSpans, RightStream, answer_of
from tokparity.vectors.naming import judge, sentences
from tokparity.vectors.results import read_results, result_line
from tokparity.vectors.rights import returned, right_of

FAULTS = {"streams": quirks.of_streams(), "spans": quirks.of_spans()}
RUNNERS = {"py": sys.executable, "mjs": "node"}


@cache
def right() -> Tokenizer:
    """The reference on the model."""
    source = primary_source(models.load(MODEL))
    return Tokenizer(source.vocabulary, source.behaviour)


def answers(group: Group, tokenizer: Tokenizer) -> dict[str, Answer]:
    """What a tokenizer answers to the cases of a group."""
    found: dict[str, Answer] = {}
    for case in group.cases:
        asked = case.question
        is_again = isinstance(asked, Again)
        found[case.id] = returned(tokenizer, asked) if is_again else answer_of(imitate(tokenizer, asked))
    return found


def faulty(*names: str, **fields: Any) -> Tokenizer:
    """The reference with these faults."""
    flipped = quirks.flip_all(map(quirks.get, names), right().behaviour)
    return right().with_behaviour(replace(flipped, **fields))


def named() -> list[tuple[str, Quirk]]:
    """Each fault of streams and spans, with its group."""
    return [(group, quirk) for group, some in FAULTS.items() for quirk in some]


def test_there_are_groups_of_each_kind() -> None:
    """Each group asks questions of its kind, with the known faults told one by one."""
    assert ["streams", "spans", "again"] == list(small().groups)
    for name, some in FAULTS.items():
        group = small().groups[name]
        told = {*group.faults, *(one for fault in group.faults.values() for one in fault.alike)}
        told |= {one for untold in group.untold for one in untold.faults}
        assert {quirk.name for quirk in some} == told


def test_the_reference_passes() -> None:
    """The right engine has no failure."""
    for group in small().groups.values():
        outcome = judge(group, answers(group, right()))
        assert (len(group.cases), ()) == (outcome.asked, outcome.failed)


@pytest.mark.parametrize(("name", "quirk"), named(), ids=lambda one: getattr(one, "name", one))
def test_a_fault_is_killed_and_named(name: str, quirk: Quirk) -> None:
    """An engine with a fault fails, and the first name is its own or one that the file calls alike."""
    group = small().groups[name]
    if quirk.name in {one for untold in group.untold for one in untold.faults}:
        assert () == judge(group, answers(group, faulty(quirk.name))).failed
        return
    outcome = judge(group, answers(group, faulty(quirk.name)))
    first = outcome.named[0].fault
    assert quirk.name in (first, *group.faults[first].alike)
    assert not outcome.left


@pytest.mark.parametrize(
    ("name", "field", "way"),
    [
        ("streams", "stream", Streamer(awaited=lambda ids: 3)),
        ("spans", "spans", Spanner(last=True)),
        ("spans", "spans", Spanner(trims=True)),
        ("spans", "spans", Spanner(runs=True)),
    ],
)
def test_every_right_way_passes(name: str, field: str, way: object) -> None:
    """Where there are several right answers, each of them passes."""
    group = small().groups[name]
    assert () == judge(group, answers(group, faulty(**{field: way}))).failed


def test_a_stream_may_hold_back_a_character_and_no_more() -> None:
    """The bytes of a character that is not complete may come later; a text of them in the end is not in time."""
    right_stream = RightStream(("aé".encode(),), (2, 2, 0))
    assert right_stream.allows(Deltas((b"a", b"", "é".encode(), b"")))
    assert right_stream.allows(Deltas((b"a", b"\xc3", b"\xa9", b"")))
    assert not right_stream.allows(Deltas((b"", b"a", "é".encode(), b"")))
    assert not right_stream.allows(Deltas((b"a", b"", b"", "é".encode())))
    assert not right_stream.allows(Deltas((b"a", b"", "é".encode())))
    assert not right_stream.allows(None)


def test_spans_lie_inside_and_cover() -> None:
    """A span may be empty, or as wide as the outermost; a character that must be in a span may be in any."""
    spans = RightSpans((5, 6), ((0, 2), (0, 2)), ((1, 2),))
    assert spans.allows(Placed((5, 6), ((0, 0), (1, 2))))
    assert spans.allows(Placed((5, 6), ((0, 2), (2, 2))))
    assert not spans.allows(Placed((5, 6), ((0, 1), (0, 1))))
    assert not spans.allows(Placed((5, 6), ((0, 3), (0, 1))))
    assert not spans.allows(Placed((5,), ((0, 2),)))


def test_no_right_is_made_of_what_is_no_text() -> None:
    """Characters of bytes that are no UTF-8 cannot be counted, so no case asks for them."""
    assert None is right_of(right(), Spans(b"\xff"))
    assert isinstance(right_of(right(), Stream((3,))), RightStream)


class Engine:
    """A tokenizer as an engine of the pytest plugin and of the runner in Python."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def encode(self, text: str | bytes, add_special: bool, parse_special: bool) -> list[int]:
        """Ids."""
        data = text.encode() if isinstance(text, str) else text
        return self._tokenizer.encode(data, add_special, parse_special)

    def decode(self, ids: list[int], skip_special: bool) -> bytes:
        """Text."""
        return self._tokenizer.decode(ids, skip_special)

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> list[bytes]:
        """Deltas."""
        return list(self._tokenizer.stream(prefill, ids, skip_special))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """Ids and places."""
        found = spanned(self._tokenizer, text, add_special, parse_special)
        return list(found.ids), list(found.spans)


def test_a_python_object_is_asked() -> None:
    """An engine that has the functions is asked all groups, and one that has not is not."""
    engine = Engine(faulty("stream_drops_incomplete_end"))
    cases = [case for part in small().parts for case in part.cases]
    assert all(can_be_asked(case, engine) for case in cases)
    assert not any(can_be_asked(case, object()) for case in cases)
    given = {case.id: answer(case, engine) for case in cases}
    *said, passed = summary(small(), given)
    assert ["stream_drops_incomplete_end"] == [one.rpartition(": ")[2].strip("`") for one in said]
    assert f"the file has {small().size}" in passed


def test_results_come_back(tmp_path: Path) -> None:
    """An answer of each kind is read as it was written."""
    path = tmp_path / "results.jsonl"
    given = {name: one for group in small().groups.values() for name, one in answers(group, right()).items()}
    cases = {case.id: case for group in small().groups.values() for case in group.cases}
    path.write_text("".join(result_line(cases[name], one) + "\n" for name, one in given.items()), encoding="utf-8")
    assert given == read_results(path, small())


def test_a_group_without_faults_names_none() -> None:
    """Ids that come back otherwise are a failure whose cause is in encoding or decoding; no sentence says more."""
    group = small().groups["again"]
    outcome = judge(group, answers(group, faulty("collapses_spaces", "decodes_each_id_alone")))
    assert outcome.failed
    assert [] == [*sentences(group, outcome)]


def test_results_of_groups_alone_are_diagnosed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The faults are named; without a plain case there is nothing more to say."""
    path = tmp_path / "results.jsonl"
    engine = faulty("waits_for_next_word")
    given = {name: one for group in small().groups.values() for name, one in answers(group, engine).items()}
    cases = {case.id: case for group in small().groups.values() for case in group.cases}
    path.write_text("".join(result_line(cases[name], one) + "\n" for name, one in given.items()), encoding="utf-8")
    assert 0 == main(["diagnose", str(path), "--vectors", str(small_path())])
    out = capsys.readouterr().out
    assert f"{len(given)} of {small().size} cases have a result" in out
    assert "`waits_for_next_word`" in out
    assert "No mismatches of a text or a row of ids" in out


@pytest.fixture(scope="module", params=[suffix for suffix, tool in RUNNERS.items() if shutil.which(tool)])
def runner(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder with a runner of groups and an engine that reads its answers from a file."""
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copy(ROOT / "runners" / f"run_groups.{request.param}", folder)
    engine = ROOT / "tests" / "data" / "vectors_engines" / f"group_engine.{request.param}"
    shutil.copy(engine, folder / f"engine.{request.param}")
    return folder, [RUNNERS[request.param], f"run_groups.{request.param}"]


def put(runner: tuple[Path, list[str]], tokenizer: Tokenizer, vectors: Path) -> tuple[int, str, Path]:
    """Exit code, output and results of a runner on an engine with these answers."""
    folder, command = runner
    table: dict[str, object] = {}
    for group in small().groups.values():
        for case in group.cases:
            asked, given = case.question, answers(group, tokenizer)[case.id] if not table.get(case.id) else None
            if isinstance(asked, Stream) and isinstance(given, Deltas):
                key = json.dumps([list(asked.prefill), list(asked.ids), asked.skip_special], separators=(",", ":"))
                table[key] = [one.hex() for one in given.texts]
            elif isinstance(asked, Spans) and isinstance(given, Placed):
                table[f"{asked.text.hex()} {asked.add_special:d}{asked.parse_special:d}"] = [given.ids, given.spans]
            elif isinstance(asked, Again):
                key = json.dumps([list(asked.ids), asked.skip_special], separators=(",", ":"))
                text = tokenizer.decode(asked.ids, asked.skip_special)
                table[key] = text.hex()
                encoded = tokenizer.encode(text, asked.add_special, asked.parse_special)
                table[f"e {text.hex()} {asked.add_special:d}{asked.parse_special:d}"] = encoded
    (folder / "answers.json").write_text(json.dumps(table), encoding="utf-8")
    words = [*command, str(vectors), "results.jsonl"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr, folder / "results.jsonl"


def test_a_runner_passes_a_right_engine(runner: tuple[Path, list[str]]) -> None:
    """The exit code is 0, and the results are the engine's answers."""
    code, out, results = put(runner, right(), small_path())
    assert (0, 3) == (code, out.count(" cases pass"))
    given = {name: one for group in small().groups.values() for name, one in answers(group, right()).items()}
    assert given == read_results(results, small())


@pytest.mark.parametrize("fault", ["streams_each_id_alone", "waits_for_next_word", "counts_spans_in_bytes"])
def test_a_runner_names_a_fault(runner: tuple[Path, list[str]], fault: str) -> None:
    """The exit code is 1, and the fault is named as tokparity names it."""
    code, out, _ = put(runner, faulty(fault), small_path())
    assert 1 == code
    assert f"`{fault}`" in out
    assert 1 == out.count("one known cause")


def test_a_runner_tells_a_damaged_file(runner: tuple[Path, list[str]]) -> None:
    """What is no vectors file is one line and exit code 2; so is a file that is not there."""
    path = runner[0] / "damaged.json"
    for content in ("", "[", '{"streams": {"cases": []}}', '{"streams": 5}'):
        path.write_text(content, encoding="utf-8")
        code, out, _ = put(runner, right(), path)
        assert (2, 1) == (code, len(out.splitlines()))
        assert "cannot be read as test vectors" in out
