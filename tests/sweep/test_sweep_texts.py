"""Texts of a sweep: every line is in one shard, whatever way it lies there; what is damaged is told with its place."""

from __future__ import annotations

import bz2
import gzip
import http.server
import json
import lzma
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity.errors import UsageError
from tokparity.sweep import reading, streams
from tokparity.sweep.reading import Reading
from tokparity.sweep.texts import _STATES, Text, text_of

LINES = [b"plain", b"", b"caf\xc3\xa9", b"\xff\xfe", b"a\rb", b"plain", b"x" * 500, b"last"]


def texts(text: Text) -> tuple[list[bytes], list[str]]:
    """All texts of all shards, each as often as it stands there, and what is told."""
    found: list[bytes] = []
    told: list[str] = []
    for shard in text.shards:
        read = Reading(shard)
        for block in read.blocks():
            for line in block.first:
                found += [line] * block.times.get(line, 1)
        told += map(str, read.told)
    return found, [*told, *(f"{name}: {why}" for name, why in text.damaged)]


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_every_line_is_in_one_shard(tmp_path: Path, size: int, end: bytes) -> None:
    """Wherever the file is cut, and whether or not its last line ends."""
    path = tmp_path / "t.txt"
    path.write_bytes(b"\n".join(LINES) + end)
    found, told = texts(text_of([str(path)], "text", size))
    assert (sorted(LINES), []) == (sorted(found), told)


@pytest.mark.parametrize("chunk", [1, 3, 1 << 20])
def test_lines_do_not_depend_on_how_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """A line may lie across many chunks."""
    monkeypatch.setattr(streams, "CHUNK", chunk)
    path = tmp_path / "t.txt"
    path.write_bytes(b"\n".join(LINES))
    assert sorted(LINES) == sorted(texts(text_of([str(path)], "text", 50))[0])


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told once with its place, whatever shards it lies in, and never held as a whole."""
    monkeypatch.setattr(streams, "LONGEST", 1000)
    monkeypatch.setattr(streams, "CHUNK", 300)
    path = tmp_path / "t.txt"
    path.write_bytes(b"one\n" + b"x" * 10_000 + b"\ntwo\n")
    for size in (100, 3000, 1 << 20):
        found, told = texts(text_of([str(path)], "text", size))
        assert ([b"one", b"two"], 1) == (found, len(told))
        assert f"{path}, byte 4: the line is longer" in told[0]


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", None)]
)
def test_compressed_texts(tmp_path: Path, suffix: str, pack: object) -> None:
    """All of it is read; of one that is cut off what can be read, and where it ends is told."""
    import pyarrow as pa

    data = b"".join(b"line %d of many that differ\n" % number for number in range(20_000))
    packed = bytes(pa.Codec("zstd").compress(data, asbytes=True)) if pack is None else pack(data)  # type: ignore[operator]
    path = tmp_path / f"t.txt{suffix}"
    path.write_bytes(packed)
    assert (data.splitlines(), []) == texts(text_of([str(path)], "text"))
    path.write_bytes(packed[: len(packed) // 2])
    found, told = texts(text_of([str(path)], "text"))
    assert data.splitlines()[: len(found)] == found
    assert suffix in (".bz2", ".zst") or len(found) > 5_000  # these unpack in large blocks only
    assert [f"{path}, line {len(found) + 1}"] == [one.partition(": ")[0] for one in told]


def test_a_corrupt_gzip(tmp_path: Path) -> None:
    """What does not unpack is told."""
    packed = bytearray(gzip.compress(b"some text\n" * 1000))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "t.gz").write_bytes(packed)
    _, told = texts(text_of([str(tmp_path / "t.gz")], "text"))
    assert 1 == len(told)
    assert "cannot be read from here on" in told[0]


def test_json_lines(tmp_path: Path) -> None:
    """A field, or the line itself; what has no text is told with its place, and the next line is read."""
    lines = [
        '{"text": "a"}',
        '"b"',
        '{"base64": "/w=="}',
        "",
        '{"other": 1}',
        "no json",
        '{"text": 5}',
        '{"text": "z"}',
        '{"text": "with", "base64": "aW1hZ2U="}',
    ]
    (tmp_path / "t.jsonl").write_bytes("\n".join(lines).encode() + b'\n{"text": "\xff"}\n{"text": "\\ud800"}\n')
    found, told = texts(text_of([str(tmp_path / "t.jsonl")], "text"))
    assert {b"a", b"b", b"\xff", b"z", b"with", b"\xed\xa0\x80"} == set(found)
    places = [len("\n".join(lines[:n])) + 1 for n in (4, 5, 6)]
    assert [f"byte {place}" for place in places] == [one.partition(": ")[0].rpartition(", ")[2] for one in told]


def parquet(path: Path, **columns: list[object]) -> None:
    """Write a Parquet file with row groups of 10 rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path, row_group_size=10)


@pytest.mark.parametrize("size", [1, 10_000])
def test_parquet(tmp_path: Path, size: int) -> None:
    """Each row group is in one shard; rows without a text are none."""
    rows = [None if n % 7 == 0 else f"row {n}" for n in range(45)]
    parquet(tmp_path / "t.parquet", text=rows, number=list(range(45)))
    assert ([r.encode() for r in rows if r], []) == texts(text_of([str(tmp_path / "t.parquet")], "text", size))
    with pytest.raises(UsageError, match="texts are in text"):
        text_of([str(tmp_path / "t.parquet")], "body")


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
def test_each_type_of_a_parquet_column_that_is_text(tmp_path: Path, kind: str) -> None:
    """Whatever a writer chose for it."""
    import pyarrow as pa
    from pyarrow.parquet import write_table

    column = pa.array(["a", "é", None]).cast(getattr(pa, kind)())
    write_table(pa.table({"text": column}), tmp_path / "t.parquet")
    assert ([b"a", "é".encode()], []) == texts(text_of([str(tmp_path / "t.parquet")], "text"))


def test_a_truncated_parquet_does_not_stop_the_others(tmp_path: Path) -> None:
    """It is told, and the other file is read."""
    parquet(tmp_path / "a.parquet", text=["a"] * 100)
    parquet(tmp_path / "b.parquet", text=["b"])
    (tmp_path / "a.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-20])
    found, told = texts(text_of([str(tmp_path / "*.parquet")], "text"))
    assert ([b"b"], 1) == (found, len(told))
    assert "a.parquet" in told[0]


class Server(http.server.BaseHTTPRequestHandler):
    """Sends parts of a file, and ends in the middle of what lies beyond 60,000 bytes."""

    data = b"".join(b"line %d\n" % number for number in range(10_000))

    def do_HEAD(self) -> None:
        """Tell the size."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.data)))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def do_GET(self) -> None:
        """Send a part, or as much of it as there is."""
        first, last = 0, len(self.data) - 1
        if "Range" in self.headers:
            start, _, end = self.headers["Range"].removeprefix("bytes=").partition("-")
            first, last = int(start), min(int(end or last), last)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(self.data)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(self.data[first : max(min(last + 1, 60_000), first)])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """The address of the file."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/t.txt"
        server.shutdown()


def test_a_url_that_stops_in_the_middle(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shards before are read, those beyond are told, each with the bytes that could not be read."""
    monkeypatch.setattr(streams, "CHUNK", 5_000)
    found, told = texts(text_of([url], "text", 20_000))
    lines = Server.data.splitlines()
    assert lines[: len(found)] == found
    assert len(found) > 4000
    assert told
    places = "byte \\d+: cannot be read from here on: ", "bytes \\d+ to \\d+: cannot be read: "
    assert all(re.match(f"{re.escape(url)}, ({'|'.join(places)})", one) for one in told), told
    assert len(told) == len(set(told))


def test_a_file_that_was_changed_is_not_read(tmp_path: Path) -> None:
    """The units before it was changed would not fit those after."""
    path = tmp_path / "t.txt"
    path.write_bytes(b"a\nb\n")
    text = text_of([str(path)], "text")
    path.write_bytes(b"a\nb\nc\n")
    found, told = texts(text)
    assert ([], 1) == (found, len(told))
    assert "the file was changed" in told[0]


def test_texts_are_put_once_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are bounded; a text counts as often as it occurs."""
    monkeypatch.setattr(reading, "BLOCK", 30)
    path = tmp_path / "t.txt"
    path.write_bytes(b"same line\n" * 100)
    read = Reading(text_of([str(path)], "text").shards[0])
    blocks = list(read.blocks())
    assert len(blocks) > 10
    assert 100 == sum(block.times.get(b"same line", 1) for block in blocks) == read.lines


def test_a_file_that_is_named_as_a_pattern_is_that_file(tmp_path: Path) -> None:
    """Brackets in a name are not wildcards where there is such a file."""
    (tmp_path / "a[1].txt").write_text("here\n")
    (tmp_path / "a1.txt").write_text("elsewhere\n")
    assert [b"here"] == texts(text_of([str(tmp_path / "a[1].txt")], "text"))[0]


@pytest.mark.parametrize("word", ["nothing-*.txt", "nothing.txt", "nofs://a/b.txt"])
def test_what_names_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """With the word that was given."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"nothing|nofs"):
        text_of([word], "text")


def test_names_are_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path stays relative where it is shown; a folder stands for all files in it, each of them once."""
    (tmp_path / "d").mkdir()
    for name in ("b.txt", "a.jsonl.gz"):
        (tmp_path / "d" / name).write_bytes(gzip.compress(json.dumps({"text": name}).encode()))
    monkeypatch.chdir(tmp_path)
    files = text_of(["d", "d/*.txt"], "text").files
    assert [("d/a.jsonl.gz", "json", "gzip"), ("d/b.txt", "lines", "")] == [
        (file.name, file.layout, file.compression) for file in files
    ]


def test_the_page_says_what_of_a_file_is_looked_at() -> None:
    """The content is not: a change that keeps all of these is not seen, and nobody is promised otherwise."""
    page = (Path(__file__).parents[2] / "docs" / "sweep.md").read_text(encoding="utf-8")
    said = page[page.index("## Interrupted") : page.index("## On this machine")]
    assert [] == [name for name in _STATES if f"`{name}`" not in said]
    assert "is not seen" in said
