"""Spans through worker processes: the installed libraries, a program, a function, and toy engines with a fault."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.engines.buffers import FlatBufferError, Texts
from tokparity.engines.process.client import Client
from tokparity.engines.spans import packed, unpacked
from tokparity.outcome import Failure, Outcome, Spanning
from tokparity.report.file import read


def run(engine: str, *texts: bytes, path: str = "") -> list[Outcome]:
    """What an engine gives for texts that are put as one batch."""
    with Client(engine, path, timeout=20.0) as client:
        client.wait_ready()
        results = client.submit_spans(Texts.from_list([*texts]), False, False).result()
        return [results.outcome(i) for i in range(len(results))]


@pytest.mark.parametrize(("engine", "kind"), [("SpansRaise", "error"), ("SpansDie", "crash")])
def test_a_text_fails_beside_its_neighbors(engine: str, kind: str) -> None:
    """Whatever the engine does at it; a text that is not UTF-8 has no characters, and is not asked."""
    first, guilty, broken, last = run(f"fakes:{engine}", b"ab", b"guilty", b"\xff", b"c")
    assert [Spanning((97, 98), ((0, 1), (1, 2))), Spanning((99,), ((0, 1),))] == [first, last]
    assert [kind, "unsupported"] == [one.kind for one in (guilty, broken) if isinstance(one, Failure)]


@pytest.mark.parametrize(
    ("engine", "words"), [("SpansAreFewer", "1 spans for 2 ids"), ("SpansHaveNoEnd", "2 spans for 2 ids")]
)
def test_what_are_no_spans_is_told(engine: str, words: str) -> None:
    """With what is wanted."""
    (found,) = run(f"fakes:{engine}", b"ab")
    assert isinstance(found, Failure)
    assert words in found.message


def test_an_engine_without_spans_is_not_asked() -> None:
    """And says so."""
    (found,) = run("fakes:Bytes", b"a")
    assert isinstance(found, Failure)
    assert ("unsupported", "fakes:Bytes does not say which characters an id comes from") == (found.kind, found.message)


ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    reply = {"id": asked.get("id")}
    if asked["op"] == "hello":
        reply.update(protocol=1, capabilities={"spans": True})
    elif asked["op"] in ("encode", "spans"):
        reply["ids"] = [list(map(ord, text)) for text in asked["texts"]]
        if asked["op"] == "spans":
            refused = {"error": "a guilty text"}
            reply["spans"] = [refused if "!" in t else [[i, i + 1] for i in range(len(t))] for t in asked["texts"]]
    elif asked["op"] == "bye":
        break
    print(json.dumps(reply), flush=True)
"""


def test_a_program_gives_spans_by_the_exec_protocol(tmp_path: Path) -> None:
    """Its refusal is the failure of that text alone."""
    program = tmp_path / "adapter.py"
    program.write_text(ADAPTER, encoding="utf-8")
    right, refused = run(f"exec:{sys.executable} {program}", b"ab", b"a!", path=str(program))
    assert Spanning((97, 98), ((0, 1), (1, 2))) == right
    assert isinstance(refused, Failure)
    assert "the adapter says: a guilty text" in refused.message


@pytest.mark.nightly
def test_ids_that_come_with_spans_are_held_against_those_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are shown: in `diff`, on the terminal, and in the table."""
    program, out = tmp_path / "adapter.py", tmp_path / "out"
    fewer = "[list(map(ord, text.replace('b', '') if asked['op'] == 'spans' else text)) for text in asked['texts']]"
    told = ADAPTER.replace('[list(map(ord, text)) for text in asked["texts"]]', fewer)
    program.write_text(told.replace("range(len(t))", "range(len(t.replace('b', '')))"), encoding="utf-8")
    engine = f"exec:{sys.executable} {program}"
    assert 1 == main(["diff", "small-bpe", "--engine", engine, "--spans", "--no-special", "ab"])
    assert "without spans [97, 98]" in capsys.readouterr().out
    main(["run", "small-bpe", "--engine", engine, "--ask", "spans", "--cases", "50", "--out", str(out)])
    found = next(one for one in read(out / "report.jsonl").mismatches if one.difference.aspect == "spans-ids")
    assert isinstance(found.actual, Spanning)
    assert found.actual.encoded == found.expected.ids  # type: ignore[union-attr]
    assert re.search(r'right +98 "', capsys.readouterr().out)


def test_what_comes_from_a_process_is_checked() -> None:
    """Spans come back as they were packed, and nothing else is taken for them."""
    spanning = Spanning((1, 2), ((0, 1), (1, 1)), (1,), ((0, 1), (0, 2)))
    assert spanning == unpacked(packed(spanning))
    for wrong in (b"[]", b"{}", b'{"ids": [1], "spans": [[1]], "encoded": null, "reach": []}', b"\xff"):
        with pytest.raises(FlatBufferError):
            unpacked(wrong)


@pytest.mark.parametrize(
    ("model", "engine"),
    [("small-bpe", "tokenizers"), ("small-bpe", "transformers"), ("small-unigram", "sentencepiece")],
)
def test_diff_shows_spans(model: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each id with its first character and its end; the installed libraries are right."""
    assert 0 == main(["diff", model, "--engine", engine, "--spans", "--no-special", "ab 日"])
    said = capsys.readouterr().out
    assert f"= {engine}" in said
    assert "0, " in said


@pytest.mark.usefixtures("few_beside_texts")
def test_a_wrong_span_is_told_with_its_cause_in_every_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`run --ask spans` finds, shrinks, explains and writes it, and the printed command reproduces it."""
    out = tmp_path / "out"
    words = ["run", "small-bpe", "--engine", "reference+counts_spans_in_bytes", "--ask", "spans", "--out", str(out)]
    assert 0 == main(words)
    said = capsys.readouterr().out
    assert "counts_spans_in_bytes (verified" in said
    assert "texts with characters at a wrong id" in said
    records = [json.loads(line) for line in (out / "report.jsonl").read_text("utf-8").splitlines()]
    (finding,) = (record for record in records if record["type"] == "finding")
    smallest = finding["smallest"]
    assert ("spans", "range") == (smallest["case"]["kind"], smallest["actual"]["law"])  # "é" ends at 2
    assert len(smallest["case"]["text"]) <= 3
    pair = next(record for record in records if record["type"] == "pair" and "counts" in record["engine"])
    assert 0 < pair["spans_differ"] < pair["spans"]
    assert ",spans," in (out / "mismatches.csv").read_text("utf-8")
    assert "diff --spans" in (out / "report.md").read_text("utf-8")
    assert "characters of each id" in (out / "index.html").read_text("utf-8")
    assert 0 == main(["render", str(out / "report.jsonl"), "--to", "html", "-o", str(tmp_path / "again.html")])


@pytest.mark.nightly
def test_a_law_that_nothing_explains_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the title of the finding, as a reader meets it first."""
    words = ["run", "small-bpe", "--engine", "fakes:SpansOfTheWhole", "--ask", "spans", "--out", str(tmp_path)]
    main(words)
    said = (tmp_path / "report.md").read_text("utf-8")
    assert "Unexplained: a span has characters that its id does not come from" in said


@pytest.mark.nightly
def test_long_texts_are_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Spans of 16 bits are right on short texts alone. The report says what was wrong, and how to see it again."""
    main(["run", "small-bpe", "--engine", "fakes:SpansOf16Bits", "--ask", "spans", "--out", str(tmp_path)])
    said = capsys.readouterr()
    assert "1 with a wrong span" in said.err
    report = (tmp_path / "report.md").read_text("utf-8")
    assert "gives wrong spans on" in report
    assert "wrong ids" not in report
    assert "--ask spans" in report.partition("fails in CI while the finding is there")[2]
