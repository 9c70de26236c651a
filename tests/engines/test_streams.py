"""Streams through worker processes: the installed libraries, the ways of servers, and toy engines with a fault."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tokparity.engines.buffers import FlatBufferError, Ids, Texts
from tokparity.engines.process.client import Client
from tokparity.engines.process.frames import Kind
from tokparity.engines.results import Results
from tokparity.engines.streams import broken, packed, streams, unpacked
from tokparity.engines.windows import WINDOWS, WindowedModel
from tokparity.errors import UsageError
from tokparity.outcome import Failure, Outcome, Streaming
from tokparity.questions import Stream


def run(engine: str, *questions: Stream, path: str = "") -> Results:
    """What an engine gives for streams that are put as one batch."""
    rows = Ids.from_list([question.row for question in questions])
    with Client(engine, path, timeout=20.0) as client:
        client.wait_ready()
        return client.submit_decode(rows, questions[0].skip_special, Kind.STREAM).result()


def outcomes(results: Results) -> list[Outcome]:
    """All of them."""
    return [results.outcome(i) for i in range(len(results))]


def test_a_stream_is_judged_beside_its_guilty_neighbor() -> None:
    """A row at which the engine raises fails alone, and says at which id."""
    results = run("fakes:StreamRaises", Stream((97, 98)), Stream((97, 255, 98)), Stream((99,)))
    assert Streaming((b"a", b"b", b"")) == results.outcome(0)
    assert Failure("error", "ValueError: no such id (at id 255, the 2. of 3)") == results.outcome(1)
    assert Streaming((b"c", b"")) == results.outcome(2)


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("StreamNeverEnds", "more than 3 deltas came for 2 ids; one for each id and one at the end are wanted"),
        ("StreamStops", "1 delta came for 2 ids; one for each id and one at the end are wanted"),
        ("StreamGivesNumbers", "stream returned int 97"),
    ],
)
def test_what_is_no_stream_is_told(engine: str, words: str) -> None:
    """A wrong number of deltas, or deltas that are none, are an error of that row, and a stream without end ends."""
    (found,) = outcomes(run(f"fakes:{engine}", Stream((97, 98))))
    assert isinstance(found, Failure)
    assert "error" == found.kind
    assert words in found.message


def test_the_deltas_of_a_stream_have_a_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may be short, and all of them are no more than the bound."""
    monkeypatch.setattr("tokparity.engines.streams._MOST", 5)
    model = _Twice()
    found, failures = streams(model, Ids.from_list([Stream((97, 98)).row, Stream((97, 98, 99)).row]), True)
    assert [1] == [i for i, _ in failures]
    assert "the deltas of the stream have more than 5 bytes" in failures[0][1].message
    assert (b"aa", b"bb", b"") == unpacked(found[0]).deltas


class _Twice:
    """Gives and decodes each id twice."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """Two bytes for each id."""
        yield from (bytes((i, i)) for i in ids)
        yield b""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Nobody asks."""
        return Ids.from_list([])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Two bytes for each id."""
        return Texts.from_list([bytes(one for i in row for one in (i, i)) for row in ids.to_list()])


def test_an_engine_that_dies_in_a_stream_loses_that_row_alone() -> None:
    """As with any other question."""
    first, guilty, last = outcomes(run("fakes:StreamDies", Stream((97,)), Stream((255,)), Stream((98,))))
    assert Streaming((b"a", b"")) == first
    assert isinstance(guilty, Failure)
    assert "crash" == guilty.kind
    assert Streaming((b"b", b"")) == last


def test_an_engine_without_a_stream_is_not_asked() -> None:
    """It says so, and that is not a mismatch."""
    (found,) = outcomes(run("fakes:Bytes", Stream((97,))))
    assert isinstance(found, Failure)
    assert "unsupported" == found.kind


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b'{"deltas": [], "law": "", "place": 0, "right": []}', b"\xff"])
def test_a_garbled_stream_is_refused(text: bytes) -> None:
    """What a worker sends is not trusted."""
    with pytest.raises(FlatBufferError):
        unpacked(text)


def test_a_stream_travels_as_it_is() -> None:
    """All bytes come back, and those that break a law are found without being read."""
    right = Streaming((bytes(range(256)), b""))
    wrong = Streaming((b"a", b""), "late", 1, (b"a", b"b"))
    assert [right, wrong] == [unpacked(packed(right)), unpacked(packed(wrong))]
    assert [1] == list(broken(Texts.from_list([packed(right), packed(wrong)])))
    assert json.loads(packed(right))


ADAPTER = """
import json, sys
able = {"decodes": True, "streams": True, "skip_special": [False, True]}
for line in sys.stdin:
    asked = json.loads(line)
    reply = {"id": asked.get("id")}
    if asked["op"] == "hello":
        reply.update(protocol=1, capabilities=able)
    elif asked["op"] == "decode":
        reply["texts"] = [bytes(row).decode() for row in asked["ids"]]
    elif asked["op"] == "stream":
        rows = [[chr(i) for i in row] + [""] for row in asked["ids"]]
        reply["deltas"] = [{"error": "a guilty id"} if "!" in row else row[:-1] if "?" in row else row for row in rows]
    elif asked["op"] == "bye":
        break
    print(json.dumps(reply), flush=True)
"""


def test_a_program_streams_by_the_exec_protocol(tmp_path: Path) -> None:
    """Its deltas are judged like any; a refusal, and a wrong number of them, are failures of that stream alone."""
    program = tmp_path / "adapter.py"
    program.write_text(ADAPTER, encoding="utf-8")
    questions = [Stream(tuple(text), skip_special=False) for text in (b"ab", b"a!", b"a?", b"c")]
    right, refused, short, last = outcomes(run(f"exec:{sys.executable} {program}", *questions, path=str(program)))
    assert [Streaming((b"a", b"b", b"")), Streaming((b"c", b""))] == [right, last]
    assert isinstance(refused, Failure)
    assert "the adapter says: a guilty id" in refused.message
    assert isinstance(short, Failure)
    assert "2 deltas came for 2 ids" in short.message


class Bytes:
    """Each id is a byte; what is not UTF-8 becomes U+FFFD."""

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The bytes of each row."""
        return Texts.from_list([bytes(row).decode("utf-8", "replace").encode() for row in ids.to_list()])


def window(name: str, ids: Sequence[int], prefill: Sequence[int] = ()) -> Iterator[bytes]:
    """What the way of a server makes of bytes."""
    return WindowedModel(Bytes(), WINDOWS[name]).stream(prefill, ids, False)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WINDOWS)
def test_each_server_streams_whole_characters(name: str) -> None:
    """A text of characters of one, two, three and four bytes comes as it is."""
    text = "aé한😀 b\n".encode()
    assert text == b"".join(window(name, text))


@pytest.mark.parametrize("name", ["tgi", "vllm", "dynamo"])
def test_a_window_that_begins_inside_a_character_loses_text(name: str) -> None:
    """The last five ids of the prompt begin inside a Hangul syllable, as in ai-dynamo/dynamo#12630."""
    prompt, ids = "한국어".encode()[:8], "어".encode()[2:] + "말".encode()
    assert "어말".encode() != b"".join(window(name, ids, prompt))


def test_a_run_of_replacement_characters_makes_the_work_grow() -> None:
    """The window is decoded again and again, and never moves."""
    model = WindowedModel(Bytes(), WINDOWS["tgi"])  # type: ignore[arg-type]
    assert {b""} == set(model.stream((), [255] * 300, False))
    assert 300 * 301 // 2 <= model.decoded


def test_an_unknown_server_is_refused() -> None:
    """The message names the known ones."""
    with pytest.raises(UsageError, match="the known streams: dynamo, sglang, tgi, vllm"):
        run("stream:trt/tokenizers", Stream((1,)))
