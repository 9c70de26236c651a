"""The bounded reader of GGUF metadata: right on real files, unimpressed by lies."""

from __future__ import annotations

import struct
import subprocess
import sys
import tracemalloc
from array import array
from pathlib import Path

import gguf
import gguf_bytes as build
import numpy
import pytest

from tokparity.errors import FormatError
from tokparity.formats.gguf_cursor import Type
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.models import load

HUGE = 1 << 60


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A file by gguf.GGUFWriter with a value of every type and two tensors."""
    writer = gguf.GGUFWriter(tmp_path / "real.gguf", "llama")
    kinds = gguf.GGUFValueType
    for kind, value in (
        (kinds.UINT8, 200), (kinds.INT8, -3), (kinds.UINT16, 60000), (kinds.INT16, -300), (kinds.UINT32, 1 << 31),
        (kinds.INT32, -5), (kinds.FLOAT32, 0.5), (kinds.BOOL, True), (kinds.STRING, "grün"), (kinds.UINT64, 1 << 40),
        (kinds.INT64, -(1 << 40)), (kinds.FLOAT64, 0.1),
    ):  # fmt: skip
        writer.add_key_value(f"test.{kind.name.lower()}", value, kind)
    writer.add_array("test.strings", ["a", "", "ccc"])
    writer.add_array("test.numbers", [1, -2, 3])
    writer.add_array("test.bools", [True, False])
    writer.add_custom_alignment(64)
    for name in ("first", "second"):
        writer.add_tensor(name, numpy.arange(6, dtype=numpy.float32).reshape(2, 3))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "real.gguf"


def test_agrees_with_gguf_reader(real: Path) -> None:
    """Values, tensors, data offset and alignment are those that the gguf package reads."""
    ours, theirs = read_metadata(real), gguf.GGUFReader(real)
    for key, field in theirs.fields.items():
        if key.startswith("GGUF."):
            continue
        value = ours.get(key)
        if isinstance(value, list) and value and isinstance(value[0], bytes):
            value = [item.decode() for item in value]
        value = value.decode() if isinstance(value, bytes) else value
        value = value.tolist() if isinstance(value, array) else value
        assert field.contents() == value, key
    assert [tensor.name for tensor in theirs.tensors] == [tensor.name for tensor in ours.tensors]
    assert [tensor.data_offset for tensor in theirs.tensors] == [ours.data_offset + t.offset for t in ours.tensors]
    assert [list(tensor.shape) for tensor in theirs.tensors] == [list(tensor.shape) for tensor in ours.tensors]
    assert (theirs.alignment, theirs.data_offset) == (ours.alignment, ours.data_offset)


def test_fields_know_their_bytes(real: Path) -> None:
    """The fields' bytes follow each other from the header to the tensors, so a file can be rewritten from them."""
    metadata = read_metadata(real)
    places = [(field.begin, field.end) for field in metadata.fields.values()]
    assert [24, *(end for _, end in places)] == [*(begin for begin, _ in places), metadata.tensors_begin]
    field = metadata.fields["test.string"]
    assert (
        build.string("test.string") + struct.pack("<I", Type.STRING) + build.string("grün")
        == (real.read_bytes()[field.begin : field.end])
    )


@pytest.mark.parametrize(("order", "version"), [("<", 2), ("<", 3), (">", 3)])
def test_versions_and_byte_orders(tmp_path: Path, order: str, version: int) -> None:
    """Version 2 and 3 are read, in both byte orders."""
    numbers = struct.pack(order + "IIQ3i", build.ARRAY, Type.INT32, 3, 1, -2, 70000)
    data = build.file(
        {"a": build.number(7, order), "b": build.strings(["x", "yz"], order), "c": numbers}, order, version
    )
    metadata = read_metadata(_written(tmp_path / "f.gguf", data))
    assert (7, [b"x", b"yz"], [1, -2, 70000]) == (metadata.get("a"), metadata.get("b"), list(metadata.get("c")))


def test_nested_arrays(tmp_path: Path) -> None:
    """An array of arrays is read, a bottomless one is refused."""
    inner = struct.pack("<IQ2i", Type.INT32, 2, 1, 2)
    data = build.file({"a": struct.pack("<IIQ", build.ARRAY, Type.ARRAY, 1) + inner})
    (only,) = read_metadata(_written(tmp_path / "f.gguf", data)).get("a")
    assert [1, 2] == list(only)
    bottomless = build.file({"a": struct.pack("<I", build.ARRAY) + struct.pack("<IQ", Type.ARRAY, 1) * 20})
    with pytest.raises(FormatError, match="nesting of a is 5"):
        read_metadata(_written(tmp_path / "deep.gguf", bottomless))


LIES = {
    "number of fields": (build.file({"a": build.number(1)}, count=HUGE), "number of metadata fields"),
    "number of tensors": (build.file({"a": build.number(1)}, tensors=HUGE), "number of tensors"),
    "length of a key": (build.file({}, count=1) + build.string("a", length=HUGE) + bytes(20), "length of key of field"),
    "length of a string": (
        build.file({"a": struct.pack("<I", build.STRING) + build.string("x", length=HUGE)}), "length of a",
    ),
    "items of an array": (build.file({"a": build.strings(["x"], count=HUGE)}), "number of items of a"),
    "numbers of an array": (
        build.file({"a": struct.pack("<IIQ", build.ARRAY, build.UINT64, HUGE) + bytes(64)}), "number of items of a",
    ),
    "length of an item": (
        build.file({"a": struct.pack("<IIQ", build.ARRAY, build.STRING, 1) + build.string("x", length=HUGE)}),
        r"length of a\[0\]",
    ),
    "length of the 2^64th": (
        build.file({"a": struct.pack("<IIQ", build.ARRAY, build.STRING, 1) + build.string("x", length=(1 << 64) - 1)}),
        r"length of a\[0\]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_length_is_named_and_allocates_nothing(tmp_path: Path, lie: str) -> None:
    """A length that the file can't hold is refused, with field, offset and file size, before memory is taken."""
    data, named = LIES[lie]
    path = _written(tmp_path / "lie.gguf", data)
    tracemalloc.start()
    with pytest.raises(FormatError, match=named) as caught:
        read_metadata(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20
    assert f"file of {len(data)} bytes" in caught.value.message
    assert "at offset " in caught.value.message


GIB = 1 << 30
SPARSE = {
    "one string": (build.string("general.name") + struct.pack("<IQ", build.STRING, 16 * GIB), 1, "general.name"),
    "one item": (build.string("a") + struct.pack("<IIQQ", build.ARRAY, build.STRING, 1, 16 * GIB), 1, r"a\[0\]"),
    "many strings": (
        b"".join(build.string(f"s{i}") + struct.pack("<IQ", build.STRING, 1 << 24) + bytes(1 << 24) for i in range(17)),
        17, "length of s15 is 16777216 .* the first 268435456 are read",
    ),
    "many arrays": (
        b"".join(
            build.string(f"n{i}") + struct.pack("<IIQ", build.ARRAY, Type.UINT8, 1 << 22) + bytes(1 << 22)
            for i in range(3)
        ),
        3, "number of items of n2 is 4194304 .*: at most 0 are supported",
    ),
    "arrays in an array": (
        build.string("a") + struct.pack("<IIQ", build.ARRAY, Type.ARRAY, 1 << 20), 1, "number of items of a is 1048576",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SPARSE)
def test_a_sparse_file_is_bounded_by_more_than_its_size(tmp_path: Path, what: str) -> None:
    """A file of 20 GiB that takes no room on the disk makes the reader take no more memory than a small one."""
    fields, count, named = SPARSE[what]
    path = _written(tmp_path / "sparse.gguf", build.file({}, count=count) + fields)
    with path.open("r+b") as file:
        file.truncate(20 * GIB)
    tracemalloc.start()
    with pytest.raises(FormatError, match=named):
        read_metadata(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300 << 20


def test_every_truncation_is_an_error(real: Path, tmp_path: Path) -> None:
    """A file that ends anywhere before its tensors' data is refused by a FormatError, never by another exception."""
    whole, metadata = real.read_bytes(), read_metadata(real)
    for length in range(metadata.tensors_end):
        with pytest.raises(FormatError):
            read_metadata(_written(tmp_path / "cut.gguf", whole[:length]))


WRONG = {
    "magic": (b"GGML" + bytes(40), "magic is b'GGML'"),
    "version": (build.file({}, version=1), "version 1 is not supported"),
    "version of the future": (build.file({}, version=9), "version 9 is not supported"),
    "type": (build.file({"a": struct.pack("<I", 77)}), "type of a is 77"),
    "item type": (build.file({"a": struct.pack("<IIQ", build.ARRAY, 78, 0)}), "item type of a is 78"),
    "duplicate key": (build.file({}, count=2) + (build.string("a") + build.number(1)) * 2, "same key"),
    "key": (build.file({}, count=1) + build.string(b"\xff") + build.number(1), "not UTF-8"),
    "alignment": (build.file({"general.alignment": build.number(48)}), "general.alignment is 48"),
    "dimensions": (
        build.file({}, tensors=1) + build.string("t") + struct.pack("<I", 500) + bytes(40), "dimensions of t is 500",
    ),
    "empty": (b"", "the file has only 0"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_named(tmp_path: Path, wrong: str) -> None:
    """Each kind of damage has a message that holds the offending value."""
    data, named = WRONG[wrong]
    with pytest.raises(FormatError, match=named):
        read_metadata(_written(tmp_path / "wrong.gguf", data))


def test_gemma_4_is_read_in_a_second(tmp_path: Path) -> None:
    """The vocabulary on which gguf.GGUFReader takes 18 s and 2 GB takes us less than 2 s (1 s aimed at) and 300 MB."""
    path = load("gemma-4").sources["gguf"]
    if not path.is_file() or not Path("/proc/self/status").is_file():
        pytest.skip("gemma-4 has not been pulled, or there is no /proc to measure memory with")
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tokparity.formats.gguf_metadata import read_metadata\n"
        "begin = time.perf_counter()\n"
        "tokens = read_metadata(sys.argv[1]).get('tokenizer.ggml.tokens')\n"
        "status = Path('/proc/self/status').read_text()\n"
        "print(len(tokens), time.perf_counter() - begin, status.partition('VmHWM:')[2].split()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    tokens, seconds, kilobytes = done.stdout.split()
    assert tokens == "262144"
    assert float(seconds) < 2
    assert int(kilobytes) < 300_000


def test_a_file_is_read_again_when_it_has_changed(real: Path) -> None:
    """As long as it stays as it is, it is read once: doctor asks for the same file ten times."""
    assert read_metadata(real) is read_metadata(real)
    data = real.read_bytes()
    _written(real.with_name("new.gguf"), data.replace("grün".encode(), b"blau!")).replace(real)
    assert (len(data), b"blau!") == (real.stat().st_size, read_metadata(real).get("test.string"))
